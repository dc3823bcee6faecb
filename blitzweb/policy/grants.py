"""The turn's fetch grants: the URLs that the person picked, compared as canonical text without the fragment.

A grant is for exactly one URL: neither its host nor what it redirects to is granted (WEB-03, POLICY-15).
"""

from __future__ import annotations

from collections.abc import Iterable

from blitzweb.policy.urls import Url, UrlRefused, parse_url


def is_granted(url: Url, grants: Iterable[str]) -> bool:
    """Tell whether one of the grants is this URL; a grant that is no URL grants nothing."""
    return any(_canonical(grant) == url.without_fragment for grant in grants)


def _canonical(grant: str) -> str | None:
    try:
        return parse_url(grant).without_fragment
    except UrlRefused:
        return None
