"""Which results of the user's own search are worth handing to a turn that reads them (WEB-20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blitzweb.limits import KEPT_FOR_USER
from blitzweb.policy.urls import parse_url
from blitzweb.search.resolve import is_grounding_link
from blitzweb.search.results import Result

# What no reader makes text of; PDF is read.
UNREADABLE: Final = frozenset(
    {
        *("zip", "gz", "tgz", "tar", "7z", "rar", "exe", "dmg", "iso", "msi"),
        *("png", "jpg", "jpeg", "gif", "webp", "svg", "ico", "mp3", "mp4", "mov", "avi", "webm"),
        *("doc", "docx", "xls", "xlsx", "ppt", "pptx", "woff2"),
    }
)


def choose_viable(results: Iterable[Result]) -> list[Result]:
    """Return the first links that can be read, each host, path and query once."""
    chosen: dict[str, Result] = {}
    for result in results:
        url = parse_url(result.url)
        path = url.target.partition("?")[0]
        unreadable = path.rpartition(".")[2].lower() in UNREADABLE if "." in path.rpartition("/")[2] else False
        if not unreadable and not is_grounding_link(url):
            chosen.setdefault(f"{url.host}{url.target}", result)
    return list(chosen.values())[:KEPT_FOR_USER]
