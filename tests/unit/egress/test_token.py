"""The token of a proxy."""

from __future__ import annotations

import base64

import pytest

from blitzweb.egress.head import read_head
from blitzweb.egress.token import TokenCheck, make_token
from tests.support.covers import covers

TOKEN = "s3cret:with-colon"


def shown(*values: str) -> bool:
    lines = "".join(f"Proxy-Authorization: {value}\r\n" for value in values)
    return TokenCheck(TOKEN).passes(
        read_head(f"GET http://a.example/ HTTP/1.1\r\nHost: h\r\n{lines}\r\n".encode("latin-1"))
    )


def basic(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@covers("EGRESS-05")
def test_the_right_token_passes():
    assert shown(f"Basic {basic(f'blitzweb:{TOKEN}')}")
    assert shown(f"bAsIc  {basic(f'blitzweb:{TOKEN}')}")


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "values",
    [
        (),
        ("",),
        ("Basic",),
        ("Basic ",),
        (basic(f"blitzweb:{TOKEN}"),),
        (f"Bearer {basic(f'blitzweb:{TOKEN}')}",),
        (f"Basic {basic(f'other:{TOKEN}')}",),
        (f"Basic {basic(TOKEN)}",),
        (f"Basic {basic('blitzweb:')}",),
        (f"Basic {basic(f'blitzweb:{TOKEN[:-1]}')}",),
        (f"Basic {basic(f'blitzweb:{TOKEN}x')}",),
        (f"Basic {basic(f'blitzweb:{TOKEN}')}", f"Basic {basic(f'blitzweb:{TOKEN}')}"),
        ("Basic wrong", f"Basic {basic(f'blitzweb:{TOKEN}')}"),
        ("Basic \xe4\xf6",),
    ],
)
def test_nothing_else_passes(values):
    assert not shown(*values)


def test_tokens_are_random_and_long():
    made = {make_token() for _ in range(50)}
    assert len(made) == 50
    assert all(len(token) >= 43 and token.isascii() for token in made)  # 256 bits in base64
