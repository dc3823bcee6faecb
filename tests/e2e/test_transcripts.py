"""The golden transcripts of protocol/transcripts, played to the real daemon; nothing of the contract is left out."""

from __future__ import annotations

import pytest

from blitzweb.console.fresh import fresh_daemon, fresh_environment
from blitzweb.console.link import Link
from blitzweb.console.replay import Replay
from blitzweb.console.transcript import read_transcript
from blitzweb.contract.faults import FAULTS
from blitzweb.contract.methods import METHODS
from blitzweb.demo.server import DemoSite
from blitzweb.masking import Masker
from tests.support.browsing import engine_or_skip
from tests.support.covers import covers
from tests.support.host import ROOT

FILES = sorted((ROOT / "protocol" / "transcripts").glob("*.jsonl"))
RECORDED = "127.0.0.1:8765"  # where the demo site was when they were recorded

# What no conversation here can show: what a provider bills, and faults that nobody can cause.
UNSEEN_METHODS = {"usage/search"}
UNSEEN_REASONS = {"internal"}


@pytest.fixture(scope="module")
def site():
    with DemoSite() as site:
        yield site


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@covers("WIRE-43")
def test_the_daemon_answers_as_recorded(path, site, tmp_path) -> None:
    if path.stem == "browser":
        engine_or_skip("auto")
    link = Link(fresh_daemon(tmp_path), environ=fresh_environment())
    port = site.url.rpartition(":")[2]
    replace = [(RECORDED, f"127.0.0.1:{port}"), ("localhost:8765", f"localhost:{port}")]
    replay = Replay(link, state_dir=str(tmp_path / "state"), masker=Masker(), replace=replace)
    assert replay.run(read_transcript(path)) == []


def messages():
    for path in FILES:
        for entry in read_transcript(path):
            yield from entry.message if isinstance(entry.message, list) else [entry.message]


def test_every_method_has_its_place() -> None:
    seen = {message["method"] for message in messages() if isinstance(message, dict) and "method" in message}
    assert {method.name for method in METHODS} - seen == UNSEEN_METHODS


def test_every_error_has_its_place() -> None:
    errors = [message["error"] for message in messages() if isinstance(message, dict) and "error" in message]
    seen = {error["data"]["reason"] for error in errors if "data" in error}
    assert {fault.reason for fault in FAULTS} - seen == UNSEEN_REASONS
