from __future__ import annotations

import pytest

from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.decide import Policy
from blitzweb.policy.egress import Egress
from blitzweb.policy.hosts import HostList
from blitzweb.policy.pages import decide_page, refuse_page_hop
from blitzweb.policy.permissions import Rules
from blitzweb.policy.searches import decide_search, refuse_user_search
from blitzweb.policy.urls import parse_url
from blitzweb.policy.verdicts import Ask, Decision, Go, Reason, Refuse
from tests.support.covers import covers

TOOLS = ("web_fetch", "web_search", "web_open")


def make_policy(*, allow=(), ask=(), deny=(), deny_domains=(), egress=("open", ()), **options) -> Policy:
    return Policy(
        rules=Rules.compile(allow=allow, ask=ask, deny=deny, tools=TOOLS),
        deny_domains=HostList.compile("web.deny_domains", deny_domains),
        egress=Egress.compile(*egress),
        **options,
    )


def decide(policy: Policy, mode: Mode = Mode.NORMAL):
    return decide_search(policy, "brave", "api.search.brave.com", "tide tables", CallContext(mode=mode))


@covers("WEB-12", "APPROVAL-14")
def test_a_query_asks_with_provider_and_whole_query():
    question = decide(make_policy()).question
    assert (question.kind, question.key, question.targets) == ("network", "search:brave", ("brave",))
    assert (question.label, question.detail) == ("searches with brave", "brave: tide tables")
    assert not question.forced


@covers("WEB-12", "POLICY-05", "POLICY-06")
@pytest.mark.parametrize(
    ("rules", "outcome"),
    [
        ({"allow": ["search(brave)"]}, Go(Decision.RULE_ALLOW, "search(brave)")),
        ({"allow": ["web_search"]}, Go(Decision.RULE_ALLOW, "web_search")),
        ({"allow": ["search(google)", "web(*)"]}, Ask),
        ({"allow": ["search(*)"], "ask": ["web_search"]}, Ask),
        ({"allow": ["search(*)"], "deny": ["search(b*)"]}, Refuse),
        ({"ask": ["search(*)"], "deny": ["web_search"]}, Refuse),
        ({"deny": ["web(*)"]}, Ask),
    ],
)
def test_rules_are_asked_deny_first_then_ask_then_allow(rules, outcome):
    verdict = decide(make_policy(**rules))
    assert verdict == outcome if isinstance(outcome, Go) else isinstance(verdict, outcome)
    if isinstance(verdict, Ask):
        assert verdict.question.forced == ("ask" in rules)


@covers("WEB-14", "EGRESS-09", "APPROVAL-15")
@pytest.mark.parametrize(
    ("options", "mode", "reason"),
    [
        ({"allow_network": False}, Mode.NORMAL, Reason.NETWORK_DISABLED),
        ({"egress": ("deny-all", ())}, Mode.NORMAL, Reason.EGRESS),
        ({}, Mode.UNATTENDED, Reason.NOT_APPROVED),
        ({"egress": ("allowlist", ())}, Mode.NORMAL, None),
        ({}, Mode.PLAN, None),
        ({}, Mode.READ_ONLY, None),
    ],
)
def test_what_comes_before_any_question(options, mode, reason):
    verdict = decide(make_policy(**options), mode)
    assert (verdict.reason if isinstance(verdict, Refuse) else None) == reason


@covers("WEB-20")
@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({}, False),
        ({"ask": ["search(*)"]}, False),
        ({"deny": ["web_search"]}, False),
        ({"deny": ["search(brave)"]}, True),
        ({"allow_network": False}, True),
        ({"egress": ("deny-all", ())}, True),
        ({"egress": ("allowlist", ())}, False),
    ],
)
def test_the_users_own_search_is_only_ever_refused(options, refused):
    verdict = refuse_user_search(make_policy(**options), "brave", "api.search.brave.com", CallContext())
    assert (verdict is not None) == refused


PAGE_CASES = [
    ("https://a.example/", {}, None),
    ("http://a.example/", {}, None),
    ("http://a.example:443/", {}, None),
    ("http://a.example:8080/", {}, Reason.PORT),
    ("http://93.184.215.14/", {}, Reason.URL),
    ("http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/", {}, Reason.URL),
    ("http://localhost/", {}, Reason.NOT_PUBLIC),
    ("http://a.example/" + "x" * 4080, {}, Reason.URL),
    ("http://a.example/" + "x" * 4079, {}, None),
    ("http://a.example/" + "#" + "x" * 5000, {}, None),
    ("http://a.example/", {"deny_domains": ["*.example"]}, Reason.DENY_DOMAIN),
    ("http://a.example/", {"deny": ["web(a.*)"]}, Reason.DENY_RULE),
    ("http://a.example/", {"deny": ["web_open"]}, Reason.DENY_RULE),
    ("http://a.example/", {"egress": ("allowlist", ["b.example"])}, Reason.EGRESS),
    ("http://a.example/", {"allow_network": False}, Reason.NETWORK_DISABLED),
]


@covers("PAGE-27", "PAGE-38", "PAGE-41")
@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize(("url", "options", "reason"), PAGE_CASES)
def test_what_pages_are_refused_whether_or_not_anybody_is_asked(url, options, reason, asks):
    verdict = decide_page(make_policy(**options), parse_url(url), CallContext(), "web_open", asks=asks)
    if reason is None:
        assert isinstance(verdict, Ask if asks else Go)
    else:
        assert isinstance(verdict, Refuse)
        assert verdict.reason is reason
    hop = refuse_page_hop(
        make_policy(**options), parse_url("http://b.example/"), parse_url(url), CallContext(), "web_open"
    )
    assert (hop.reason if hop else None) == reason


@covers("PAGE-38")
def test_pages_are_asked_about_like_fetches():
    policy, url = make_policy(allow=["web(b.example)"]), parse_url("http://a.example/x#f")
    question = decide_page(policy, url, CallContext(), "web_open", asks=True).question
    assert (question.key, question.detail) == ("web:a.example", "GET http://a.example/x")
    granted = CallContext(grants=("http://a.example/x",))
    assert decide_page(policy, url, granted, "web_open", asks=True) == Go(Decision.USER_SELECTED)
    unattended = decide_page(policy, url, CallContext(mode=Mode.UNATTENDED), "web_open", asks=True)
    assert unattended.decision is Decision.UNATTENDED_REFUSED
    assert decide_page(policy, url, CallContext(), "web_open", asks=False).rule == 'pages.approval = "none"'


@covers("PAGE-33")
def test_a_redirect_from_https_to_http_is_refused():
    secure, plain = parse_url("https://a.example/"), parse_url("http://a.example/")
    assert refuse_page_hop(make_policy(), secure, plain, CallContext(), "web_open").reason is Reason.REDIRECT_DOWNGRADE
    assert refuse_page_hop(make_policy(), plain, secure, CallContext(), "web_open") is None
