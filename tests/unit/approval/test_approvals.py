"""Asking, remembering, refusing: each call ends once, and one question per key is open at a time."""

from __future__ import annotations

import json
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import pytest

from blitzweb.approval.approvals import Approvals, SessionRules
from blitzweb.approval.command import main
from blitzweb.approval.person import HostPerson, Nobody
from blitzweb.approval.saved import SavedRules
from blitzweb.audit import Audit
from blitzweb.errors import CallCancelled, HostFailed, Refused, StateError
from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Reason, Refuse
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers

SECONDS = 10


class Host:
    """A host whose person answers when the test says so."""

    def __init__(self) -> None:
        self.asked: queue.Queue[tuple[dict, queue.Queue]] = queue.Queue()
        self.told = []

    def request(self, method, params, *, cancel):
        assert method == "approval/request"
        answers: queue.Queue = queue.Queue()
        self.asked.put((params, answers))
        with cancel.stopping(lambda: answers.put(CallCancelled("cancelled"))):
            answer = answers.get(timeout=SECONDS)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def notify(self, method, params):
        self.told.append((method, params))


@dataclass
class Caller:
    tool: str = "web_fetch"
    context: CallContext = field(default_factory=CallContext)
    deadline: Deadline = field(default_factory=lambda: Deadline(SECONDS))
    cancel: CancelToken = field(default_factory=CancelToken)
    person: object = None


def ask(path="/", key="web:a.example", *, forced=False):
    return Ask(
        Question("network", key, "requests to a.example", f"GET https://a.example{path}", ("a.example",), forced)
    )


class World:
    def __init__(self, folder, host) -> None:
        self.events = []
        self.host = host
        self.saved = SavedRules(str(folder))
        audit = Audit(tell=self.events.append)
        self.rules = SessionRules()
        self.approvals = Approvals(saved=self.saved, audit=audit, session_rules=self.rules)
        self.person = Nobody() if host is None else HostPerson(host)
        self.pool = ThreadPoolExecutor(8)

    def settle(self, verdict, caller=None):
        caller = replace(caller or Caller(), person=self.person)
        return self.approvals.settle(verdict, caller, target="a.example", detail="GET https://a.example/")

    def start(self, verdict, caller=None):
        return self.pool.submit(self.settle, verdict, caller)

    def answer(self, decision, **more):
        params, answers = self.host.asked.get(timeout=SECONDS)
        answers.put({"decision": decision, **more})
        return params


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path / "state", Host())
    yield made
    made.pool.shutdown()


@covers("APPROVAL-01", "APPROVAL-14", "AUDIT-01")
def test_the_person_is_asked_with_all_that_leaves(world):
    call = world.start(ask())
    params = world.answer("once")
    assert call.result(SECONDS) == Go(Decision.ONCE)
    assert params.pop("id")
    assert params == {
        "tool": "web_fetch",
        "kind": "network",
        "key": "web:a.example",
        "label": "requests to a.example",
        "detail": "GET https://a.example/",
        "targets": ["a.example"],
        "context": {"session": "default", "workspace": "default", "mode": "normal"},
        "choices": ["once", "session", "always", "deny"],
    }
    assert world.events[0]["decision"] == "once"


@covers("APPROVAL-02")
def test_the_calls_clock_stands_still_meanwhile(world):
    caller = Caller()
    call = world.start(ask(), caller)
    _, answers = world.host.asked.get(timeout=SECONDS)
    assert caller.deadline.stopwatch.paused
    answers.put({"decision": "once"})
    call.result(SECONDS)
    assert not caller.deadline.stopwatch.paused


@covers("APPROVAL-06")
def test_session_is_remembered_for_its_session_until_it_ends(world):
    call = world.start(ask())
    world.answer("session")
    call.result(SECONDS)
    assert world.settle(ask("/other")).decision is Decision.SESSION_RULE
    other = world.start(ask(), Caller(context=CallContext(session="other")))
    world.answer("deny")
    with pytest.raises(Refused):
        other.result(SECONDS)
    world.rules.end("default")
    again = world.start(ask())
    world.answer("once")
    assert again.result(SECONDS).decision is Decision.ONCE


@covers("APPROVAL-06")
def test_an_answer_that_comes_after_its_session_ended_is_not_remembered(world):
    first = world.start(ask())
    _, answers = world.host.asked.get(timeout=SECONDS)
    world.rules.end("default")
    answers.put({"decision": "session"})
    assert first.result(SECONDS).decision is Decision.SESSION
    assert not world.rules.holds("default", "web:a.example")


@covers("APPROVAL-07", "APPROVAL-09", "SETTING-06")
def test_always_is_saved_listed_and_revoked(world, capsys, tmp_path):
    call = world.start(ask())
    world.answer("always")
    assert call.result(SECONDS).decision is Decision.ALWAYS
    file = tmp_path / "state" / "approvals.json"
    saved = json.loads(file.read_text())
    assert saved["version"] == 1
    assert [rule["key"] for rule in saved["rules"]] == ["web:a.example"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    elsewhere = Caller(context=CallContext(session="other"))
    assert world.settle(ask(), elsewhere).decision is Decision.SAVED_RULE
    assert main(["--state-dir", str(file.parent)]) == 0
    assert "web:a.example" in capsys.readouterr().out
    assert main(["revoke", "web:a.example", "--state-dir", str(file.parent)]) == 0
    assert main(["revoke", "web:a.example", "--state-dir", str(file.parent)]) == 1
    assert world.saved.read() == []


@covers("APPROVAL-08")
@pytest.mark.parametrize(
    "text", ["{", '{"version": 2, "rules": []}', '{"version": 1, "rules": [{"key": 1}]}', "[]", "[" * 10_000]
)
def test_a_damaged_file_is_an_error_and_stays_as_it_is(tmp_path, text):
    file = tmp_path / "approvals.json"
    file.write_text(text)
    saved = SavedRules(str(tmp_path))
    for use in (saved.read, lambda: saved.add("k", "l"), lambda: saved.revoke("k")):
        with pytest.raises(StateError):
            use()
    assert file.read_text() == text


@pytest.mark.parametrize("state_dir", ["a\0b", "\ud800"])
def test_a_folder_that_cannot_be_is_an_error_that_says_so(state_dir):
    with pytest.raises(StateError, match="cannot be used"):
        SavedRules(state_dir).read()


@covers("APPROVAL-13")
def test_a_rule_that_cannot_be_saved_holds_for_the_session_and_is_told(world, tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    call = world.start(ask())
    world.answer("always")
    assert "could not be saved" in call.result(SECONDS).note
    assert world.settle(ask()).decision is Decision.SESSION_RULE


@covers("APPROVAL-03", "APPROVAL-04")
def test_calls_that_need_the_same_key_share_one_question(world):
    first = world.start(ask("/same"))
    params, answers = world.host.asked.get(timeout=SECONDS)
    joined = _count_waiters(world)
    same, other = world.start(ask("/same")), world.start(ask("/other"))
    joined.wait_for(2)
    assert world.host.asked.empty()
    answers.put({"decision": "once"})
    assert first.result(SECONDS).decision is Decision.ONCE
    assert same.result(SECONDS).decision is Decision.ONCE
    assert world.answer("deny")["detail"] == "GET https://a.example/other"
    with pytest.raises(Refused):
        other.result(SECONDS)
    assert params["detail"] == "GET https://a.example/same"


@covers("APPROVAL-03", "APPROVAL-04")
def test_an_answer_between_a_look_at_the_rules_and_a_question_is_not_asked_for_again(world):
    first = world.start(ask())
    _, answers = world.host.asked.get(timeout=SECONDS)
    open_or_join = world.approvals._open.open_or_join

    def once_answered(question, session):
        answers.put({"decision": "session"})
        assert first.result(SECONDS).decision is Decision.SESSION
        return open_or_join(question, session)

    world.approvals._open.open_or_join = once_answered
    assert world.start(ask()).result(SECONDS).decision is Decision.SESSION_RULE
    assert world.host.asked.empty()


@covers("APPROVAL-10")
def test_a_cancelled_asker_hands_the_question_on(world):
    asker = Caller()
    first = world.start(ask(), asker)
    params, _ = world.host.asked.get(timeout=SECONDS)
    joined = _count_waiters(world)
    second = world.start(ask())
    joined.wait_for(1)
    asker.cancel.cancel()
    with pytest.raises(CallCancelled):
        first.result(SECONDS)
    assert world.host.told == [("approval/resolved", {"id": params["id"], "decision": "cancelled"})]
    world.answer("once")
    assert second.result(SECONDS).decision is Decision.ONCE


@covers("APPROVAL-11")
def test_what_has_no_key_is_asked_each_time(world):
    call = world.start(ask(key=""))
    params = world.answer("session")
    assert params["choices"] == ["once", "deny"]
    assert "key" not in params
    with pytest.raises(Refused):
        call.result(SECONDS)


@covers("POLICY-06")
def test_an_ask_rule_is_answered_by_nobody_but_the_person(world):
    with world.rules.asking("default") as asking:
        world.rules.add(asking, "web:a.example")
    call = world.start(ask(forced=True))
    world.answer("once")
    assert call.result(SECONDS).decision is Decision.ONCE


@covers("APPROVAL-12", "APPROVAL-16", "AUDIT-03")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"decision": "deny"}, "the user declined"),
        ({"decision": "deny", "reason": "not now"}, "the user declined: not now"),
        ({"decision": "sure"}, "none of the choices"),
        ("yes", "none of the choices"),
        (HostFailed("the host answered with an error: no", code=1), "could not ask"),
    ],
)
def test_everything_but_a_yes_is_a_no(world, answer, words):
    call = world.start(ask())
    _, answers = world.host.asked.get(timeout=SECONDS)
    answers.put(answer)
    with pytest.raises(Refused) as caught:
        call.result(SECONDS)
    assert "not approved" in caught.value.message
    assert words in caught.value.message
    assert (world.events[0]["kind"], world.events[0]["decision"]) == ("denial", "deny")


@covers("APPROVAL-05", "APPROVAL-15")
def test_without_a_person_the_text_names_the_setting(tmp_path):
    world = World(tmp_path, None)
    with pytest.raises(Refused) as caught:
        world.settle(ask())
    assert 'web.allow_domains = ["a.example"]' in caught.value.message
    with pytest.raises(Refused):
        world.settle(ask(), Caller(context=CallContext(mode=Mode.UNATTENDED)))
    assert [event["decision"] for event in world.events] == ["no-approver", "unattended-refused"]
    world.pool.shutdown()


@covers("AUDIT-03")
def test_what_needs_no_question_is_audited_all_the_same(world):
    assert world.settle(Go(Decision.ALLOW_DOMAIN, "*.example")).decision is Decision.ALLOW_DOMAIN
    with pytest.raises(Refused):
        world.settle(Refuse(Reason.DENY_DOMAIN, "not approved: no", Decision.RULE_DENY))
    assert [(event["kind"], event["decision"]) for event in world.events] == [
        ("approval", "allow-domain"),
        ("denial", "rule-deny"),
    ]


class _count_waiters:  # noqa: N801
    """Counts those who begin to wait for the open question."""

    def __init__(self, world) -> None:
        self._semaphore = threading.Semaphore(0)
        inner = world.approvals._open.wait_for

        def counted(opened, cancel):
            self._semaphore.release()
            inner(opened, cancel)

        world.approvals._open.wait_for = counted

    def wait_for(self, count):
        for _ in range(count):
            assert self._semaphore.acquire(timeout=SECONDS)
