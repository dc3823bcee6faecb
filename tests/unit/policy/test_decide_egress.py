"""Decisions on what the browser connects to, by name and port alone."""

from __future__ import annotations

from typing import Any

import pytest

from blitzweb.contract.toolset import TOOLS
from blitzweb.policy.decide import Policy
from blitzweb.policy.egress import Egress
from blitzweb.policy.hosts import HostList
from blitzweb.policy.permissions import Rules
from blitzweb.policy.ports import BAD_PORTS
from blitzweb.policy.verdicts import Decision, Reason
from tests.support.covers import covers

NAMES = {tool.name for tool in TOOLS}


def make_policy(*, deny: list[str], **settings: Any) -> Policy:
    return Policy(rules=Rules.compile(deny=deny, tools=NAMES), **settings)


POLICY = make_policy(
    deny=["web(*.tracker.example)", "search(brave)", "web_fetch"],
    deny_domains=HostList.compile("web.deny_domains", ["denied.example"]),
    allow_domains=HostList.compile("web.allow_domains", ["fine.example"]),
)
FENCED = Policy(egress=Egress.compile("allowlist", ["*.in.example"]))


@covers("EGRESS-05")
@pytest.mark.parametrize(
    ("policy", "host", "port", "reason"),
    [
        (POLICY, "a.example", 443, None),
        (POLICY, "fine.example", 8080, None),
        (POLICY, "denied.example", 443, Reason.DENY_DOMAIN),
        (POLICY, "x.tracker.example", 80, Reason.DENY_RULE),
        (POLICY, "tracker.example", 80, Reason.DENY_RULE),
        (POLICY, "10.0.0.1", 80, None),  # addresses are judged by the dialer
        (POLICY, "localhost", 80, None),
        (FENCED, "www.in.example", 443, None),
        (FENCED, "in.example", 443, Reason.EGRESS),
        (FENCED, "out.example", 443, Reason.EGRESS),
        (FENCED, "93.184.215.14", 443, Reason.EGRESS),
        (make_policy(deny=["browser"]), "a.example", 443, Reason.DENY_RULE),
        (Policy(allow_network=False), "a.example", 443, Reason.NETWORK_DISABLED),
        *((POLICY, "fine.example", port, Reason.PORT) for port in sorted(BAD_PORTS)),
    ],
)
def test_hosts_and_ports(policy, host, port, reason):
    refusal = policy.decide_egress(host, port)
    assert (refusal and refusal.reason) == reason
    assert refusal is None or (str(port) if reason is Reason.PORT else "") in refusal.text


def test_a_refusal_names_its_rule():
    by_rule, by_domain = POLICY.decide_egress("x.tracker.example", 443), POLICY.decide_egress("denied.example", 443)
    assert (by_rule.rule, by_rule.decision) == ("web(*.tracker.example)", Decision.RULE_DENY)
    assert (by_domain.rule, by_domain.decision) == ("web.deny_domains: denied.example", Decision.RULE_DENY)
    assert "denied.example" in by_domain.text
