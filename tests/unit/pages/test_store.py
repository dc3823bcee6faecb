from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from blitzweb.limits import MAX_ENTRIES, MAX_STORE_BYTES
from blitzweb.pages.entries import Content, Link, Page, Source
from blitzweb.pages.store import Cleared, PageStore, Revoked, TooLarge
from tests.support.covers import covers


def source(size: int = 30) -> Source:
    url = "https://a.example/"
    return Source(url, "t" * (size - len(url)))


def add(store: PageStore, *sizes: int, session: str = "s", workspace: str = "w") -> list[str | None]:
    return store.add(store.begin(session, workspace), [source(size) for size in sizes])


def held(store: PageStore, *refs: str, session: str = "s", workspace: str = "w") -> list[str]:
    return [ref for ref in refs if store.find(store.begin(session, workspace), ref)]


@covers("PAGE-40")
def test_ids_count_up_by_one_per_session():
    store = PageStore()
    assert add(store, 30, 30) == ["web-1", "web-2"]
    assert add(store, 30) == ["web-3"]
    assert add(store, 30, session="other") == ["web-1"]


@covers("PAGE-40")
def test_a_reference_of_one_session_is_unknown_in_another():
    store = PageStore()
    add(store, 30)
    add(store, 30, 30, session="other")
    assert held(store, "web-1", "web-2") == ["web-1"]


@covers("PAGE-40")
def test_the_least_recently_used_goes_first():
    store = PageStore()
    add(store, *[30] * MAX_ENTRIES)
    assert held(store, "web-1")
    add(store, 30)
    assert held(store, "web-1", f"web-{MAX_ENTRIES}", f"web-{MAX_ENTRIES + 1}") == ["web-1", "web-33"]


@covers("PAGE-40")
def test_of_one_search_the_best_results_stay():
    store = PageStore()
    refs = add(store, *[MAX_STORE_BYTES // 3] * 5)
    assert refs == ["web-1", "web-2", "web-3", None, None]
    assert add(store, 30) == ["web-6"]


@covers("PAGE-40")
def test_an_entry_over_the_bound_is_refused_and_evicts_nothing():
    store = PageStore()
    add(store, 30, 30)
    with pytest.raises(TooLarge):
        add(store, 30, MAX_STORE_BYTES + 1)
    assert held(store, "web-1", "web-2", "web-3") == ["web-1", "web-2"]
    assert add(store, MAX_STORE_BYTES) == ["web-3"]
    assert held(store, "web-1", "web-2", "web-3") == ["web-3"]


@covers("PAGE-40")
def test_an_entry_weighs_all_its_text():
    page = Page("https://a.example/", Content("é", ("ab", "c"), (Link("l", "https://b.example/"),)), "web-1")
    assert page.weight == 18 + 2 + 3 + 1 + 18 + 5
    assert Source("u", "é").weight == 3


@covers("PAGE-20", "PAGE-40")
def test_ids_outlive_every_clearing():
    store = PageStore()
    add(store, 30)
    store.end("s")
    assert held(store, "web-1") == []
    assert add(store, 30) == ["web-2"]
    assert add(store, 30, workspace="other") == ["web-3"]
    assert held(store, "web-2", "web-3", workspace="other") == ["web-3"]
    store.allow(allowed=False)
    store.allow(allowed=True)
    assert add(store, 30, workspace="other") == ["web-4"]


@covers("PAGE-20")
def test_a_call_that_was_under_way_when_the_session_was_cleared_stores_nothing():
    store = PageStore()
    for clear in (lambda: store.end("s"), lambda: store.begin("s", "another workspace")):
        visit = store.begin("s", "w")
        clear()
        with pytest.raises(Cleared):
            store.add(visit, [source()])
        with pytest.raises(Cleared):
            store.find(visit, "web-1")
    assert store.count() == 0


@covers("PAGE-39")
def test_after_revocation_running_calls_store_nothing_and_later_ones_are_refused():
    store = PageStore()
    add(store, 30)
    visit = store.begin("s", "w")
    store.allow(allowed=False)
    with pytest.raises(Revoked):
        store.add(visit, [source()])
    with pytest.raises(Revoked):
        store.begin("s", "w")
    store.allow(allowed=True)
    with pytest.raises(Revoked):
        store.add(visit, [source()])
    assert store.count() == 0
    assert held(store, "web-1") == []


def test_allowing_what_is_allowed_changes_nothing():
    store = PageStore()
    visit = store.begin("s", "w")
    store.allow(allowed=True)
    assert store.add(visit, [source()]) == ["web-1"]


@pytest.mark.parametrize(
    "ref", ["", "web-", "web-0", "web-1x", "WEB-1", " web-1", "web-1\n", "web-" + "1" * 99, "web-١"]
)
def test_what_is_no_reference_is_unknown(ref):
    store = PageStore()
    add(store, 30)
    assert held(store, ref) == []


class Store(RuleBasedStateMachine):
    """The store against a plain model: a list of what each session holds, most recent last."""

    def __init__(self) -> None:
        super().__init__()
        self.store = PageStore()
        self.held: dict[str, list[tuple[str, Source]]] = {}
        self.last: dict[str, int] = {}
        self.workspace: dict[str, str] = {}
        self.allowed = True

    visits = Bundle("visits")
    sessions = st.sampled_from(["a", "b"])
    sizes = st.integers(20, 90) | st.sampled_from([MAX_STORE_BYTES // 2, MAX_STORE_BYTES - 20, MAX_STORE_BYTES])

    @rule(target=visits, session=sessions, workspace=st.sampled_from(["v", "w"]))
    def begin(self, session, workspace):
        if not self.allowed:
            with pytest.raises(Revoked):
                self.store.begin(session, workspace)
            return None
        if self.workspace.get(session, workspace) != workspace:
            self.forget(session)
        self.workspace[session] = workspace
        return self.store.begin(session, workspace), session, self.stamp(session)

    @rule(visit=visits, sizes=st.lists(sizes, min_size=1, max_size=6))
    def add(self, visit, sizes):
        if visit is None:
            return
        seen, session, stamp = visit
        entries = [source(size) for size in sizes]
        if stamp != self.stamp(session):
            with pytest.raises((Cleared, Revoked)):
                self.store.add(seen, entries)
            return
        first = self.last.get(session, 0) + 1
        self.last[session] = first + len(entries) - 1
        refs = [f"web-{first + place}" for place in range(len(entries))]
        held = self.held.setdefault(session, [])
        held += reversed(list(zip(refs, entries, strict=True)))
        while len(held) > MAX_ENTRIES or sum(entry.weight for _, entry in held) > MAX_STORE_BYTES:
            held.pop(0)
        kept = {ref for ref, _ in held}
        assert self.store.add(seen, entries) == [ref if ref in kept else None for ref in refs]

    @rule(visit=visits)
    def add_too_much(self, visit):
        if visit is not None:
            with pytest.raises(TooLarge):
                self.store.add(visit[0], [source(MAX_STORE_BYTES + 1)])

    @rule(visit=visits, number=st.integers(0, 60))
    def find(self, visit, number):
        if visit is None:
            return
        seen, session, stamp = visit
        ref = f"web-{number}"
        if stamp != self.stamp(session):
            with pytest.raises((Cleared, Revoked)):
                self.store.find(seen, ref)
            return
        held = self.held.get(session, [])
        known = next((entry for entry in held if entry[0] == ref), None)
        assert self.store.find(seen, ref) == (known[1] if known else None)
        if known:
            held.remove(known)
            held.append(known)

    @rule(session=sessions)
    def end(self, session):
        self.store.end(session)
        self.forget(session)
        self.workspace.pop(session, None)

    @rule(visit=consumes(visits))
    def drop(self, visit):
        """Let a call end without having stored anything."""

    @rule(allowed=st.booleans())
    def allow(self, allowed):
        if self.allowed and not allowed:
            for session in ("a", "b"):
                self.forget(session)
            self.terms = getattr(self, "terms", 0) + 1
        self.allowed = allowed
        self.store.allow(allowed=allowed)

    def forget(self, session):
        self.held[session] = []
        self.clears = getattr(self, "clears", {"a": 0, "b": 0})
        self.clears[session] += 1

    def stamp(self, session):
        if not self.allowed:
            return "closed"
        return getattr(self, "clears", {"a": 0, "b": 0})[session], getattr(self, "terms", 0)

    @invariant()
    def bounds_hold(self):
        assert self.store.count() == sum(map(len, self.held.values()))
        for session in self.store._sessions.values():
            weights = [entry.weight for entry in session.entries.values()]
            assert session.weight == sum(weights) <= MAX_STORE_BYTES
            assert len(weights) <= MAX_ENTRIES


@covers("PAGE-19", "PAGE-40")
class TestStore(Store.TestCase):
    settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
