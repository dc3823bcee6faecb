from __future__ import annotations

import os

import pytest

from blitzweb.console.link import DaemonFailed
from blitzweb.console.replay import Replay
from blitzweb.console.transcript import Entry
from blitzweb.masking import Masker
from tests.support.covers import covers


class FakeLink:
    """Answers from a script: for the n-th line that was sent, what comes back."""

    def __init__(self, *script, code=0, ends=False):
        self._script, self._code, self._ends = list(script), code, ends
        self._coming, self.sent, self.closed = [], [], False

    def send(self, message):
        self.sent.append(message)
        self._coming += self._script.pop(0) if self._script else []

    def send_line(self, line):
        self.send(line)

    def receive(self, _seconds):
        if self._coming:
            return self._coming.pop(0)
        if self._ends or self.closed:
            raise DaemonFailed("the daemon ended with exit code 7", advice="last words")
        raise TimeoutError

    def end_input(self):
        self.closed = True

    def close(self):
        self.closed = True
        return self._code


def host(message, number=1):
    return Entry(number=number, sender="host", message=message)


def daemon(message, number=2, **expect):
    return Entry(number=number, sender="daemon", message=message, expect=expect)


def play(link, *entries, **options):
    return Replay(link, state_dir="/tmp/state", masker=Masker(), seconds=0.1, **options).run(entries)


def answer(identity, result):
    return {"jsonrpc": "2.0", "id": identity, "result": result}


@covers("WIRE-43")
def test_what_comes_as_recorded_is_no_difference() -> None:
    link = FakeLink([answer(1, "a")], [answer(2, "b")])
    entries = [host({"id": 1}), daemon(answer(1, "a")), host({"id": 2}), daemon(answer(2, "b"))]
    assert play(link, *entries) == []
    assert link.closed


@covers("WIRE-43")
def test_a_difference_is_said_with_its_line() -> None:
    found = play(FakeLink([answer(1, "x")]), host({"id": 1}), daemon(answer(1, "a"), number=7))
    assert found == ['line 7: the answer to 1: result is "x", not "a"']


def test_answers_may_come_in_any_order_and_early() -> None:
    link = FakeLink([], [answer(2, "b"), answer(1, "a")])
    entries = [host({"id": 1}), host({"id": 2}), daemon(answer(1, "a")), daemon(answer(2, "b"))]
    assert play(link, *entries) == []


def test_the_answers_of_a_batch_may_come_in_any_order() -> None:
    link = FakeLink([[answer(2, "b"), answer(1, "a")]])
    assert play(link, host([{"id": 1}, {"id": 2}]), daemon([answer(1, "a"), answer(2, "b")])) == []


def test_notifications_of_one_method_may_come_in_any_order() -> None:
    one, two = {"method": "audit/event", "params": {"n": 1}}, {"method": "audit/event", "params": {"n": 2}}
    assert play(FakeLink([two, one]), host({}), daemon(one), daemon(two)) == []
    odd = {"method": "audit/event", "params": {"n": 3}}
    found = play(FakeLink([odd, one]), host({}), daemon(one), daemon(two, number=3))
    assert found == ["line 3: audit/event: params.n is 3, not 2"]


def test_ids_of_other_types_are_told_apart() -> None:
    link = FakeLink([answer("1", "text"), answer(1, "number"), answer(None, "null")])
    entries = [host({}), daemon(answer(1, "number")), daemon(answer("1", "text")), daemon(answer(None, "null"))]
    assert play(link, *entries) == []


def test_what_never_comes_ends_the_run() -> None:
    link = FakeLink()
    found = play(link, host({"id": 1}), daemon(answer(1, "a")), host({"id": 2}))
    assert found == ["line 2: nothing came in 0.1 s; wanted the answer to 1"]
    assert len(link.sent) == 1


def test_a_daemon_that_ends_is_said() -> None:
    found = play(FakeLink(ends=True), host({"id": 1}), daemon(answer(1, "a")))
    assert found == ["line 2: the daemon ended with exit code 7; wanted the answer to 1\n  last words"]


def test_what_the_transcript_has_not_is_said_unless_it_may_come_or_not() -> None:
    more = [{"method": "$/progress"}, {"method": "log/message"}, {"method": "audit/event"}]
    found = play(FakeLink([answer(1, "a"), *more]), host({"id": 1}), daemon(answer(1, "a")))
    assert found == ["the daemon also sent audit/event, which the transcript has not"]


def test_the_exit_code_is_compared() -> None:
    end = Entry(number=3, sender="daemon", exit=0)
    assert play(FakeLink(code=0), end) == []
    assert play(FakeLink(code=1), end) == ["line 3: the daemon ended with 1, not 0"]


def test_questions_get_the_ids_of_this_run() -> None:
    question = {"method": "approval/request", "params": {"key": "web:x"}}
    link = FakeLink([question | {"id": "new", "params": {"key": "web:x", "id": "q9"}}], [answer(1, "done")])
    found = play(
        link,
        host({"id": 1}),
        daemon(question | {"id": "old", "params": {"key": "web:x", "id": "q1"}}),
        host({"id": "old", "result": {"decision": "once"}}),
        daemon(answer(1, "done")),
    )
    assert found == []
    assert link.sent[1] == {"id": "new", "result": {"decision": "once"}}


def test_initialize_is_fitted_to_this_run() -> None:
    link = FakeLink()
    play(link, host({"method": "initialize", "params": {"host": {"pid": 1, "name": "n"}, "state_dir": "/home/x"}}))
    assert link.sent[0]["params"] == {"host": {"pid": os.getpid(), "name": "n"}, "state_dir": "/tmp/state"}
    link = FakeLink()
    play(link, host({"method": "initialize", "params": {"host": {"name": "n"}}}))
    assert link.sent[0]["params"] == {"host": {"name": "n"}}


def test_texts_are_replaced_on_both_sides() -> None:
    link = FakeLink([answer(1, {"at": "http://b/x"})])
    found = play(
        link, host({"u": ["http://a/x"]}), daemon(answer(1, {"at": "http://a/x"})), replace=[("http://a", "http://b")]
    )
    assert found == []
    assert link.sent == [{"u": ["http://b/x"]}]


def test_lines_go_out_as_they_are() -> None:
    link = FakeLink()
    play(link, Entry(number=1, sender="host", line="{broken"))
    assert link.sent == [b"{broken"]


def test_what_was_masked_is_masked_before_it_is_compared() -> None:
    found = play(FakeLink([answer(1, "Bearer abcdefgh")]), host({}), daemon(answer(1, "Bearer [REDACTED]")))
    assert found == []


def test_the_link_is_closed_whatever_happens() -> None:
    link = FakeLink()
    link.send = lambda _message: 1 / 0
    with pytest.raises(ZeroDivisionError):
        play(link, host({}))
    assert link.closed
