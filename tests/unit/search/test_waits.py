from __future__ import annotations

import pytest

from blitzweb.search.waits import find_wait, read_duration
from tests.support.covers import covers

NOW = 1_760_000_000.0  # Thu, 09 Oct 2025 08:53:20 GMT


@covers("SEARCH-02")
@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "Thu, 09 Oct 2025 08:53:30 GMT"}, 10.0),
        ({"retry-after": "Thu, 09 Oct 2025 08:53:10 GMT"}, 0.0),
        ({"retry-after": "Thu, 09 Oct 99999 08:53:10 GMT"}, None),
        ({"retry-after": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "50"}, 1.0),
        ({"x-ratelimit-remaining": "0, 14523", "x-ratelimit-reset": "1, 1419704"}, 1.0),
        ({"x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704"}, 1419704.0),
        ({"x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 9"}, 9.0),
        ({"x-ratelimit-remaining": "3, 4", "x-ratelimit-reset": "1, 9"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "x"}, None),
        ({"x-ratelimit-reset": "1"}, None),
    ],
)
def test_the_wait_that_headers_state(headers, wait):
    assert find_wait(headers, NOW) == wait


@covers("SEARCH-02")
@pytest.mark.parametrize(
    ("text", "seconds"),
    [("57.238747106s", 57.238747106), ("3s", 3.0), ("", None), ("3", None), ("1m", None), ("-1s", None)],
)
def test_durations(text, seconds):
    assert read_duration(text) == seconds
