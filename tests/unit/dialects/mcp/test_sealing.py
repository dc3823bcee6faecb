"""The state that travels: ours alone, for one call, for a while, once."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.dialects.mcp.sealing import Seal, State, digest_call, digest_question
from blitzweb.errors import InvalidParams
from blitzweb.limits import MAX_REQUEST_STATE_CHARS, REQUEST_STATE_SECONDS
from blitzweb.policy.verdicts import Question
from tests.support.covers import covers

CALL = digest_call("web_fetch", {"url": "https://a.example/"}, None)
STATE = State(CALL, "question", {"earlier": "once"})
JSON = st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner))


@covers("MCP-02")
def test_what_was_closed_opens_again():
    seal = Seal()
    opened = seal.open(seal.close(STATE), CALL)
    assert (opened.call, opened.question, opened.said) == (CALL, "question", {"earlier": "once"})


@covers("MCP-02")
def test_a_state_holds_once():
    seal = Seal()
    text = seal.close(STATE)
    seal.open(text, CALL)
    with pytest.raises(InvalidParams, match="was used already"):
        seal.open(text, CALL)
    assert seal.open(seal.close(STATE), CALL), "the same question may be asked again"


@covers("MCP-02")
def test_a_state_of_another_call_is_refused_and_not_used_up():
    seal = Seal()
    text = seal.close(STATE)
    with pytest.raises(InvalidParams, match="another call"):
        seal.open(text, digest_call("web_fetch", {"url": "https://b.example/"}, None))
    assert seal.open(text, CALL)


@covers("MCP-02")
def test_a_state_expires_and_is_forgotten_then():
    now = [0.0]
    seal = Seal(lambda: now[0])
    texts = [seal.close(STATE) for _ in range(3)]
    seal.open(texts[0], CALL)
    now[0] = REQUEST_STATE_SECONDS
    with pytest.raises(InvalidParams, match="too late"):
        seal.open(texts[1], CALL)
    seal.open(seal.close(STATE), CALL)
    assert len(seal._used) == 1


@covers("MCP-02")
def test_another_process_cannot_open_it():
    with pytest.raises(InvalidParams, match="none of this server's"):
        Seal().open(Seal().close(STATE), CALL)


@covers("MCP-02")
@given(place=st.integers(min_value=0), flip=st.integers(1, 255))
def test_no_changed_byte_passes(place, flip):
    seal = Seal()
    sealed = bytearray(base64.urlsafe_b64decode(seal.close(STATE)))
    sealed[place % len(sealed)] ^= flip
    with pytest.raises(InvalidParams, match="none of this server's"):
        seal.open(base64.urlsafe_b64encode(sealed).decode(), CALL)


@covers("MCP-02")
@pytest.mark.parametrize("text", ["", "x", "AAAA", "é", "=", 7, None, "A" * (MAX_REQUEST_STATE_CHARS + 4)])
def test_foreign_texts_are_refused(text):
    with pytest.raises(InvalidParams, match="none of this server's"):
        Seal().open(text, CALL)


@covers("MCP-02")
@given(st.dictionaries(st.text(), JSON))
def test_the_order_of_members_makes_no_other_call(arguments):
    turned = dict(reversed(arguments.items()))
    assert digest_call("t", arguments, {}) == digest_call("t", turned, {})
    assert digest_call("t", arguments, {}) != digest_call("t", arguments | {"more": 1.5}, {})


@covers("MCP-02")
def test_every_part_of_a_call_and_of_a_question_counts():
    assert len({digest_call(name, {}, context) for name in "ab" for context in (None, {})}) == 4
    question = Question("network", "web:a", "label", "detail", ("a",))
    others = [
        replace(question, kind="script"),
        replace(question, key="web:b"),
        replace(question, label="x"),
        replace(question, detail="x"),
        replace(question, targets=("a", "b")),
    ]
    assert len({digest_question(other) for other in [question, *others]}) == 6
