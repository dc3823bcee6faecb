"""Whether a search may be sent to its provider: the model's is decided here, the user's own is only ever refused.

The order is that of `decide.py`: network, deny rules, egress (the provider's own host is implied), then ask and allow
rules (WEB-12, WEB-14, WEB-20). Nothing is sent before the decision.
"""

from __future__ import annotations

from typing import Final

from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.decide import Policy
from blitzweb.policy.keys import search_key
from blitzweb.policy.permissions import Use
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Reason, Refuse, Verdict

WEB_SEARCH: Final = "web_search"
USER_SEARCH: Final = "search/web"


def decide_search(policy: Policy, provider: str, host: str, query: str, context: CallContext) -> Verdict:
    """Decide on a query that a model wrote; `host` is where the provider is asked."""
    use = Use(WEB_SEARCH, "search", (provider,))
    if refusal := policy.refuse_tool(WEB_SEARCH, context) or _refuse(policy, use, host):
        return refusal
    forced = policy.rules.asks(use) is not None
    if not forced and (rule := policy.rules.allows(use)):
        return Go(Decision.RULE_ALLOW, rule.text)
    if context.mode is Mode.UNATTENDED:
        return _refuse_unattended(provider)
    detail = f"{provider}: {query}"
    return Ask(Question("network", search_key(provider), f"searches with {provider}", detail, (provider,), forced))


def refuse_user_search(policy: Policy, provider: str, host: str, context: CallContext) -> Refuse | None:
    """Return why not even the user's own search may be sent."""
    use = Use(USER_SEARCH, "search", (provider,))
    return policy.refuse_tool(WEB_SEARCH, context) or _refuse(policy, use, host)


def _refuse(policy: Policy, use: Use, host: str) -> Refuse | None:
    if rule := policy.rules.denies(use):
        text = f'not approved: the rule "{rule.text}" in permissions.deny refuses searches with {use.targets[0]}'
        return Refuse(Reason.DENY_RULE, text, Decision.RULE_DENY, rule.text)
    if why := policy.egress.refusal(host, implied=True):
        return Refuse(Reason.EGRESS, f"not approved: {why}")
    return None


def _refuse_unattended(provider: str) -> Refuse:
    text = (
        f"not approved: searches with {provider} need a person's answer, and an unattended turn asks nobody; "
        f'the rule permissions.allow = ["search({provider})"] allows them'
    )
    return Refuse(Reason.NOT_APPROVED, text, Decision.UNATTENDED_REFUSED)
