"""The strict client: one GET by name on port 80 or 443, few redirects, a plain 200 of text, everything bounded.

No proxy, no cookies, no credentials, no encodings, no connection kept (PAGE-26 to PAGE-32, PAGE-41). Which URL may be
gone to is decided by the caller, hop by hop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from blitzweb.content.sniff import split_content_type
from blitzweb.errors import DeadlinePassed, FetchFailed, FetchTimedOut, Refused
from blitzweb.limits import (
    PAGE_BODY_BYTES,
    PAGE_HEADER_BYTES,
    PAGE_HEADER_SECONDS,
    PAGE_REDIRECTS,
    PAGE_SECONDS,
    PAGE_TLS_SECONDS,
    PAGE_USER_AGENT,
)
from blitzweb.net.dialer import ALL_PUBLIC
from blitzweb.net.failures import Phase
from blitzweb.net.fetch import REDIRECTS, DecideHop, Fetcher, Plan, Response
from blitzweb.pages.failures import PageFailed, Trouble, explain_refusal
from blitzweb.policy.urls import Url
from blitzweb.timing import CancelToken, Deadline

MEDIA_TYPES: Final = frozenset({"text/html", "text/plain"})

_OK: Final = 200
_HEADER_SEPARATORS: Final = len(": \r\n")


class Fetched(NamedTuple):
    """A response that passed."""

    url: Url
    media_type: str
    charset: str | None
    body: bytes


def fetch_page(
    fetcher: Fetcher,
    url: Url,
    *,
    deadline: Deadline,
    cancel: CancelToken,
    decide_hop: DecideHop,
    report: Callable[[Refused | FetchFailed], object],
) -> Fetched:
    """Return the response to a GET of a URL that has been decided on.

    Raises:
        PageFailed: in the fixed vocabulary; `report` gets what happened.
        DeadlinePassed: the host's deadline came before ours.
        CallCancelled: the call was cancelled meanwhile.
    """
    try:
        response = fetcher.fetch(
            url, PLAN, deadline=deadline.sooner(PAGE_SECONDS), cancel=cancel, decide_hop=decide_hop
        )
    except Refused as refused:
        report(refused)
        raise explain_refusal(refused) from None
    except FetchFailed as failure:
        report(failure)
        raise _explain(failure, deadline) from None
    if response.truncated:
        raise PageFailed(Trouble.RESPONSE)
    return _read(response)


def admit(status: int, headers: Mapping[str, str]) -> None:
    """Refuse a response by its status and headers, before its body is read."""
    size = sum(len(name) + len(value) + _HEADER_SEPARATORS for name, value in headers.items())
    is_redirect = status in REDIRECTS and "location" in headers
    if size > PAGE_HEADER_BYTES or not (is_redirect or _is_readable(status, headers)):
        raise PageFailed(Trouble.RESPONSE)


PLAN: Final = Plan(
    max_bytes=PAGE_BODY_BYTES,
    headers={"User-Agent": PAGE_USER_AGENT, "Accept": "text/html, text/plain;q=0.9"},
    rule=ALL_PUBLIC,
    max_redirects=PAGE_REDIRECTS,
    keep_alive=False,
    use_proxy=False,
    decode=False,
    admit=admit,
    header_seconds=PAGE_HEADER_SECONDS,
    tls_seconds=PAGE_TLS_SECONDS,
)


def _is_readable(status: int, headers: Mapping[str, str]) -> bool:
    """Tell whether a final response is one that can be read."""
    codings = {name.strip().lower() for name in headers.get("content-encoding", "").split(",")}
    media_type, _ = split_content_type(headers.get("content-type"))
    return status == _OK and media_type in MEDIA_TYPES and codings <= {"", "identity"}


def _read(response: Response) -> Fetched:
    media_type, charset = split_content_type(response.headers.get("content-type"))
    return Fetched(response.url, media_type or "", charset, response.body)


def _explain(failure: FetchFailed, deadline: Deadline) -> PageFailed | DeadlinePassed:
    if isinstance(failure, FetchTimedOut):
        if deadline.expired:
            return DeadlinePassed("the deadline passed while a page was opened", phase=failure.phase)
        return PageFailed(Trouble.TIMED_OUT)
    # Whether a name exists is nobody's business but the log's: it would tell about the network that we are in.
    return PageFailed(Trouble.DESTINATION if failure.phase == Phase.DNS else Trouble.REQUEST)
