"""Decisions on fetches and redirects: their order, their words, their audit."""

from __future__ import annotations

from typing import Any

import pytest

from blitzweb.contract.toolset import READING_GROUPS, TOOLS
from blitzweb.policy.addresses import classify_address, is_public
from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.decide import READING_TOOLS, Policy, refuse_more_redirects
from blitzweb.policy.egress import Egress
from blitzweb.policy.hosts import HostList
from blitzweb.policy.locations import resolve_location
from blitzweb.policy.permissions import Rules
from blitzweb.policy.urls import Url, UrlRefused, parse_url, refuse_for_pages
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Reason, Refuse, Verdict
from tests.support.covers import covers
from tests.support.ssrf import load_cases

NORMAL = CallContext()
NAMES = {tool.name for tool in TOOLS}
WHOLE_URLS, URL_CASES = load_cases("urls")
WHOLE_REDIRECTS, REDIRECT_CASES = load_cases("redirects")
REDIRECTS = {301, 302, 303, 307, 308}


def make_policy(**settings: Any) -> Policy:
    rules = {key: settings.pop(key, []) for key in ("allow", "ask", "deny")}
    mode, domains = settings.pop("egress", ("open", []))
    hosts = {key: HostList.compile(f"web.{key}", settings.pop(key, [])) for key in ("allow_domains", "deny_domains")}
    return Policy(rules=Rules.compile(**rules, tools=NAMES), egress=Egress.compile(mode, domains), **hosts, **settings)


def decide(policy: Policy, url: str, **context: Any) -> Verdict:
    return policy.decide_fetch(parse_url(url), CallContext(**context))


def hop(policy: Policy, approved: str, target: str) -> Go | Refuse | None:
    return policy.decide_hop(parse_url(approved), parse_url(target), NORMAL)


def refusal(verdict: object) -> Refuse:
    assert isinstance(verdict, Refuse), verdict
    return verdict


# --- the question ----------------------------------------------------------------------------------------------------


@covers("WEB-03", "POLICY-05")
def test_nothing_settled_asks_a_person() -> None:
    assert decide(make_policy(), "https://A.example:8443/x?q#f") == Ask(
        Question("network", "web:a.example", "requests to a.example", "GET https://a.example:8443/x?q", ("a.example",))
    )


@covers("POLICY-03")
def test_the_question_shows_an_international_host_in_both_forms() -> None:
    verdict = decide(make_policy(), "https://bücher.example/")
    assert isinstance(verdict, Ask)
    assert verdict.question.key == "web:xn--bcher-kva.example"
    assert verdict.question.label == "requests to bücher.example (xn--bcher-kva.example)"
    assert verdict.question.targets == ("xn--bcher-kva.example",)


# --- what goes ahead without asking ----------------------------------------------------------------------------------


@covers("WEB-02", "WEB-03", "POLICY-05")
def test_what_is_settled_goes_ahead_under_its_own_name() -> None:
    url, grants = "https://www.a.example/x", ("https://www.a.example/x#f",)
    assert decide(make_policy(allow_domains=["*.a.example"]), url) == Go(Decision.ALLOW_DOMAIN, "*.a.example")
    assert decide(make_policy(), url, grants=grants) == Go(Decision.USER_SELECTED)
    assert decide(make_policy(allow=["web(www.*)"]), url) == Go(Decision.RULE_ALLOW, "web(www.*)")
    assert decide(make_policy(allow=["web_fetch"]), url) == Go(Decision.RULE_ALLOW, "web_fetch")
    assert isinstance(decide(make_policy(allow=["browser", "web(b.example)"]), url), Ask)


@covers("POLICY-05")
def test_the_order_of_what_goes_ahead() -> None:
    url, grants = "https://a.example/", ("https://a.example/",)
    everything = {"allow": ["web(*)"], "allow_domains": ["a.example"]}
    assert decide(make_policy(**everything), url, grants=grants) == Go(Decision.ALLOW_DOMAIN, "a.example")
    assert decide(make_policy(allow=["web(*)"]), url, grants=grants) == Go(Decision.USER_SELECTED)


@covers("POLICY-06")
@pytest.mark.parametrize("rule", ["web(a.example)", "web_fetch"])
def test_an_ask_rule_asks_before_all_that_goes_ahead(rule: str) -> None:
    policy = make_policy(ask=[rule], allow=["web(*)"], allow_domains=["*"])
    verdict = decide(policy, "https://a.example/", grants=("https://a.example/",))
    assert isinstance(verdict, Ask)
    assert verdict.question.forced
    plain = decide(make_policy(), "https://a.example/")
    assert isinstance(plain, Ask)
    assert not plain.question.forced


# --- what is refused, and in which order -----------------------------------------------------------------------------

# Every stage refuses the same URL; those before the named one are opened one after the other.
STAGES = (
    (Reason.NETWORK_DISABLED, {"allow_network": False}, ("disabled", "sandbox.allow_network")),
    (Reason.DENY_DOMAIN, {"deny_domains": ["10.*"]}, ("web.deny_domains", "10.0.0.1", "10.*")),
    (Reason.DENY_RULE, {"deny": ["web(10.0.0.1)"]}, ("permissions.deny", "web(10.0.0.1)", "10.0.0.1")),
    (Reason.EGRESS, {"egress": ("deny-all", [])}, ("egress.mode", "10.0.0.1")),
    (Reason.NOT_PUBLIC, {}, ("not a public address", "web.allow_private", "10.0.0.1", "private")),
)


@covers("WEB-01", "POLICY-12", "POLICY-14")
@pytest.mark.parametrize("stage", range(len(STAGES)))
def test_the_order_and_the_words_of_refusals(stage: int) -> None:
    reason, _, words = STAGES[stage]
    settings = {key: value for _, opened, _ in STAGES[stage:] for key, value in opened.items()}
    # What would go ahead or ask comes later and changes nothing.
    policy = make_policy(allow_domains=["*"], allow=["web(*)"], ask=["web(*)"], **settings)
    refuse = refusal(decide(policy, "http://10.0.0.1/", grants=("http://10.0.0.1/",)))
    assert refuse.reason is reason
    assert all(word in refuse.text for word in (*words, "not approved"))
    assert (refuse.decision is Decision.RULE_DENY) is (reason in {Reason.DENY_DOMAIN, Reason.DENY_RULE})


@covers("WEB-01", "POLICY-12")
def test_the_grammar_comes_after_network_and_mode() -> None:
    bad = "ftp://u:p@denied.example/"
    assert refusal(make_policy(allow_network=False).read_url(bad, NORMAL)).reason is Reason.NETWORK_DISABLED
    assert refusal(make_policy().read_url(bad, CallContext(mode=Mode.PLAN), "browser")).reason is Reason.MODE
    refuse = refusal(make_policy(deny_domains=["denied.example"]).read_url(bad, NORMAL))
    assert refuse.reason is Reason.URL
    assert '"ftp"' in refuse.text
    assert make_policy().read_url("https://A.example", NORMAL) == parse_url("https://a.example/")


@covers("WEB-02", "POLICY-14")
@pytest.mark.parametrize(
    ("url", "denied"),
    [
        ("https://denied.example/", True),
        ("https://DENIED.example./", True),
        ("https://sub.denied.example/", False),
        ("https://blocked.example/", True),
        ("https://a.b.blocked.example/", True),
        ("https://notblocked.example/", False),
        ("https://denied.example.com/", False),
    ],
)
def test_denied_domains(url: str, *, denied: bool) -> None:
    verdict = decide(make_policy(deny_domains=["denied.example", "*.blocked.example"]), url)
    assert isinstance(verdict, Refuse) is denied


@covers("POLICY-05")
def test_a_bare_deny_rule_refuses_every_use_of_its_tool() -> None:
    policy = make_policy(deny=["web_fetch"], allow_domains=["*"])
    assert refusal(decide(policy, "https://a.example/")).rule == "web_fetch"
    assert policy.decide_fetch(parse_url("https://a.example/"), NORMAL, "web_open") == Go(Decision.ALLOW_DOMAIN, "*")


@covers("EGRESS-01", "POLICY-12")
def test_the_fence_never_grants() -> None:
    policy = make_policy(egress=("allowlist", ["a.example"]))
    assert isinstance(decide(policy, "https://a.example/"), Ask)
    assert refusal(decide(policy, "https://b.example/")).reason is Reason.EGRESS


@covers("WEB-04", "POLICY-10")
@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("http://127.0.0.1/", True),
        ("http://[::1]/", True),
        ("http://10.0.0.1/", True),
        ("http://[fd12::1]/", True),
        ("http://100.64.0.1/", True),
        ("http://localhost/", True),
        ("http://app.localhost:3000/", True),
        ("http://169.254.169.254/", False),
        ("http://100.100.100.200/", False),
        ("http://[fd00:ec2::254]/", False),
        ("http://168.63.129.16/", False),
        ("http://0.0.0.0/", False),
        ("http://224.0.0.1/", False),
        ("http://[::ffff:127.0.0.1]/", False),
        ("http://[fe80::1]/", False),
    ],
)
def test_hosts_that_are_not_public(url: str, *, opened: bool) -> None:
    refuse = refusal(decide(make_policy(allow_domains=["*"]), url))
    assert refuse.reason is Reason.NOT_PUBLIC
    assert "web.allow_private" in refuse.text
    assert ("true would allow" in refuse.text) is opened
    verdict = decide(make_policy(allow_domains=["*"], opens_local=True), url)
    assert isinstance(verdict, Go) is opened
    assert isinstance(decide(make_policy(opens_local=True), url), Ask) is opened


# --- modes -----------------------------------------------------------------------------------------------------------


@covers("POLICY-13")
@pytest.mark.parametrize("mode", [Mode.PLAN, Mode.READ_ONLY])
@pytest.mark.parametrize("tool", sorted(NAMES))
def test_modes_that_only_read(mode: Mode, tool: str) -> None:
    refuse = make_policy().refuse_tool(tool, CallContext(mode=mode))
    if tool in READING_TOOLS:
        assert refuse is None
    else:
        assert refusal(refuse).decision is Decision.PLAN_REFUSED
        assert all(word in refusal(refuse).text for word in (tool, mode, "not approved"))
    assert make_policy().refuse_tool(tool, NORMAL) is None


@covers("POLICY-13")
def test_the_tools_that_only_read_are_those_of_the_contract() -> None:
    assert {tool.name for tool in TOOLS if tool.group in READING_GROUPS} == READING_TOOLS


@covers("POLICY-05", "POLICY-14")
def test_unattended_never_asks() -> None:
    url = "https://bücher.example/x"
    for policy in (make_policy(), make_policy(ask=["web(*)"], allow_domains=["*"])):
        refuse = refusal(decide(policy, url, mode=Mode.UNATTENDED))
        assert (refuse.reason, refuse.decision) == (Reason.NOT_APPROVED, Decision.UNATTENDED_REFUSED)
        assert all(word in refuse.text for word in ("not approved", "web.allow_domains", "web(xn--bcher-kva.example)"))
    for policy in (make_policy(allow_domains=["*"]), make_policy(allow=["web(*)"])):
        assert isinstance(decide(policy, url, mode=Mode.UNATTENDED), Go)
    assert isinstance(decide(make_policy(), url, mode=Mode.UNATTENDED, grants=(url,)), Go)
    denied = decide(make_policy(deny=["web(*)"]), url, mode=Mode.UNATTENDED)
    assert refusal(denied).decision is Decision.RULE_DENY


@covers("POLICY-14")
def test_what_an_unattended_refusal_advises_works() -> None:
    for url in ("https://bücher.example/", "https://[2a00:1450::1]/", "https://93.184.215.14/"):
        host = parse_url(url).host
        for settings in ({"allow_domains": [host]}, {"allow": [f"web({host})"]}):
            assert isinstance(decide(make_policy(**settings), url, mode=Mode.UNATTENDED), Go)


# --- redirects -------------------------------------------------------------------------------------------------------


@covers("WEB-05", "FETCH-01")
@pytest.mark.parametrize(
    ("approved", "target"),
    [
        ("https://a.example/", "https://a.example/x"),
        ("https://a.example/", "https://A.example.:443/"),
        ("http://a.example/", "https://a.example/"),
        ("http://a.example/", "http://a.example:8080/"),
        ("https://a.example:8443/", "https://a.example/"),
    ],
)
def test_a_redirect_stays_on_its_host(approved: str, target: str) -> None:
    assert hop(make_policy(), approved, target) is None
    assert hop(make_policy(ask=["web(*)"]), approved, target) is None


@covers("WEB-05", "POLICY-15")
def test_a_redirect_to_another_host_needs_allow_domains() -> None:
    target = "https://b.example/x?q"
    for policy in (make_policy(), make_policy(allow=["web(*)"]), make_policy(egress=("allowlist", ["b.example"]))):
        refuse = refusal(
            policy.decide_hop(parse_url("https://a.example/"), parse_url(target), CallContext(grants=(target,)))
        )
        assert refuse.reason is Reason.REDIRECT_HOST
        assert all(word in refuse.text for word in ("a.example", "b.example", f"fetch {target} directly"))
    allowed = hop(make_policy(allow_domains=["*.b.example"]), "https://a.example/", target)
    assert allowed == Go(Decision.ALLOW_DOMAIN, "*.b.example")


@covers("POLICY-06", "WEB-05")
def test_a_redirect_never_asks() -> None:
    policy = make_policy(ask=["web(b.example)"], allow_domains=["*"])
    refuse = refusal(hop(policy, "https://a.example/", "https://b.example/"))
    assert refuse.reason is Reason.REDIRECT_HOST
    assert "web(b.example)" in refuse.text


@covers("WEB-05", "FETCH-01")
def test_a_redirect_never_goes_from_https_to_http() -> None:
    for policy in (make_policy(), make_policy(allow_domains=["*"])):
        for target in ("http://a.example/", "http://b.example/"):
            assert refusal(hop(policy, "https://a.example/", target)).reason is Reason.REDIRECT_DOWNGRADE


@covers("WEB-05")
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"deny_domains": ["b.example"]}, Reason.DENY_DOMAIN),
        ({"deny": ["web(b.example)"]}, Reason.DENY_RULE),
        ({"egress": ("allowlist", ["a.example"])}, Reason.EGRESS),
        ({"allow_network": False}, Reason.NETWORK_DISABLED),
    ],
)
def test_every_hop_is_checked_again(settings: dict[str, Any], reason: Reason) -> None:
    policy = make_policy(allow_domains=["*"], **settings)
    assert refusal(hop(policy, "https://a.example/", "https://b.example/")).reason is reason


@covers("WEB-04", "WEB-05")
def test_a_redirect_to_an_address_inside() -> None:
    policy = make_policy(allow_domains=["*"])
    for target in ("http://169.254.169.254/", "http://localhost/", "http://[::1]/"):
        assert refusal(hop(policy, "http://a.example/", target)).reason is Reason.NOT_PUBLIC


@covers("WEB-05")
def test_one_redirect_too_many() -> None:
    refuse = refuse_more_redirects(5)
    assert refuse.reason is Reason.REDIRECT_LIMIT
    assert "5 redirects" in refuse.text


# --- the SSRF cases, as far as values go -----------------------------------------------------------------------------


def dials(answers: list[str], *, every: bool) -> bool:
    """Tell whether answers of a look-up leave something to dial."""
    public = [is_public(classify_address(answer)) for answer in answers]
    return bool(public) and (all(public) if every else any(public))


def goes_to(url: Url, dns: dict[str, list[str]], *, every: bool = False) -> bool:
    return dials(dns.get(url.host, []) if url.kind == "name" else [url.host], every=every)


@covers("WEB-01", "WEB-02", "WEB-04", "POLICY-01")
@pytest.mark.parametrize("case", URL_CASES, ids=lambda case: case["id"])
def test_cases_of_urls(case: dict[str, Any]) -> None:
    policy, dns = make_policy(deny_domains=WHOLE_URLS["policy"]["deny_domains"]), WHOLE_URLS["dns"]
    url = policy.read_url(case["url"], NORMAL)
    decided = isinstance(url, Url) and isinstance(policy.decide_fetch(url, NORMAL), Ask)
    allowed = isinstance(url, Url) and decided and goes_to(url, dns)
    assert ("allow" if allowed else "deny") == case["expected"], case["reason"]
    if case["layer"] == "policy":
        assert decided is (case["expected"] == "allow")
    opened = isinstance(url, Url) and decided and opens(url) and goes_to(url, dns, every=True)
    assert ("allow" if opened else "deny") == case.get("expected_open", case["expected"]), case["reason"]


def opens(url: Url) -> bool:
    try:
        refuse_for_pages(url)
    except UrlRefused:
        return False
    return True


@covers("WEB-05", "POLICY-01")
@pytest.mark.parametrize("case", REDIRECT_CASES, ids=lambda case: case["id"])
def test_cases_of_redirects(case: dict[str, Any]) -> None:
    settings = WHOLE_REDIRECTS["policy"]["fetch"]
    policy = make_policy(allow_domains=settings["allow_domains"], deny_domains=settings["deny_domains"])
    assert follow(policy, case) == case["fetch"], case["reason"]


def follow(policy: Policy, case: dict[str, Any]) -> object:
    """Return how far a fetch comes: the loop of net, with a stub for the network."""
    lookups = {name: list(answers) for name, answers in WHOLE_REDIRECTS["dns"].items()}

    def reach(url: Url) -> bool:
        if url.kind != "name":
            return dials([url.host], every=False)
        answers = lookups.get(url.host, [[]])
        return dials(answers.pop(0) if len(answers) > 1 else answers[0], every=False)

    url = policy.read_url(case["start"], NORMAL)
    if not isinstance(url, Url) or isinstance(policy.decide_fetch(url, NORMAL), Refuse) or not reach(url):
        return "start"
    if case["name"] == "fragment only":
        return 5  # the one response for ever: the limit is the loop's
    for number, response in enumerate(case["responses"]):
        values = [value for name, value in response["headers"] if name.lower() == "location"]
        if response["status"] not in REDIRECTS or not values:
            return f"stop {number}"
        try:
            target = resolve_location(url, values[0].encode().decode("latin-1"))
        except UrlRefused:
            return number
        if isinstance(policy.decide_hop(url, target, NORMAL), Refuse) or not reach(target):
            return number
        url = target
    return "ok"
