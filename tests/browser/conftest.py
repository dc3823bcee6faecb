"""One browser for the tests of a module, and one site; each engine in turn where a test asks for `both`."""

from __future__ import annotations

import pytest

from tests.support.browsing import Browsing
from tests.support.site import Site


@pytest.fixture(scope="module")
def site():
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def browsing():
    with Browsing() as browsing:
        yield browsing


@pytest.fixture(scope="module", params=["headless-shell", "chrome"])
def both(request):
    with Browsing(engine=request.param) as browsing:
        yield browsing
