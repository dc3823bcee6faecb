"""No secret reaches what is written."""

from __future__ import annotations

import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.audit import Audit, AuditRecord
from blitzweb.masking import REDACTED, Masker
from tests.support.covers import covers

RECORD = AuditRecord(
    "approval", "web_fetch", "a.example", "GET https://a.example/", "once", session="s", key="web:a.example"
)


@covers("AUDIT-04")
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("GET https://a.example/?api_key=abcdef123&x=1", f"GET https://a.example/?api_key={REDACTED}&x=1"),
        ("Authorization: Bearer abc.def-123456", f"Authorization: Bearer {REDACTED}"),
        ("password: hunter2hunter2", f"password: {REDACTED}"),
        ("AKIAABCDEFGHIJKLMNOP is it", f"{REDACTED} is it"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- after", f"{REDACTED} after"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123", REDACTED),
        ("GET http://a/?u=http://me:hunter2@b/", f"GET http://a/?u=http://{REDACTED}@b/"),
        ("GET http://a/?u=http%3A%2F%2Fme%3Ahunter2%40b%2F", f"GET http://a/?u=http%3A%2F%2F{REDACTED}%40b%2F"),
        ("GET http://a.example/@me?mail=me@b.example", "GET http://a.example/@me?mail=me@b.example"),
        ("nothing secret in here", "nothing secret in here"),
    ],
)
def test_secrets_go_by_their_shape(text, masked):
    assert Masker().mask(text) == masked


@covers("AUDIT-04")
@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40),
    st.text(max_size=40),
    st.text(max_size=40),
)
def test_a_configured_key_never_comes_through(key, before, after):
    masked = Masker([key]).mask(before + key + after)
    assert key not in masked.replace(REDACTED, "")


@covers("AUDIT-04")
def test_variables_that_sound_secret_are_masked_in_urls_too():
    masker = Masker(environ={"DEPLOY_TOKEN": "s3cret/value", "PATH": "/usr/bin:/bin"})
    assert (
        masker.mask("https://a.example/?t=s3cret%2Fvalue /usr/bin:/bin")
        == f"https://a.example/?t={REDACTED} /usr/bin:/bin"
    )


@covers("AUDIT-01", "AUDIT-02")
def test_a_decision_is_one_line_of_the_day_and_one_event(tmp_path):
    told = []
    Audit(folder=str(tmp_path / "audit"), tell=told.append, clock=lambda: 86399.5).write(RECORD)
    file = tmp_path / "audit" / "audit-1970-01-01.jsonl"
    assert [json.loads(line) for line in file.read_text().splitlines()] == told
    assert told[0]["time"] == "1970-01-01T23:59:59.500Z"
    assert told[0] | {"time": ""} == {
        "time": "",
        "kind": "approval",
        "tool": "web_fetch",
        "target": "a.example",
        "detail": "GET https://a.example/",
        "decision": "once",
        "session": "s",
        "key": "web:a.example",
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@covers("AUDIT-05")
def test_a_file_that_cannot_be_written_is_said_once_and_breaks_nothing(tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    complaints, told = [], []
    audit = Audit(folder=str(tmp_path / "taken"), tell=told.append, complain=complaints.append)
    audit.write(RECORD)
    audit.write(RECORD)
    assert len(complaints) == 1
    assert "cannot be written" in complaints[0]
    assert len(told) == 2
