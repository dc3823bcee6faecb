"""Whether the page tools may go to a URL: stricter than web_fetch in what is a URL, and asked on every hop (PAGE-38).

`asks` is `pages.approval = "ask"`: each host that was not decided in this call is decided as web_fetch would. Without
it the selector is the permission, and only what refuses is asked: grammar, deny_domains, deny rules, egress.
"""

from __future__ import annotations

from blitzweb.limits import MAX_TARGET_BYTES
from blitzweb.policy.context import CallContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.urls import Url, UrlRefused, refuse_for_pages
from blitzweb.policy.verdicts import Decision, Go, Reason, Refuse, Verdict

_SELECTOR_IS_PERMISSION = Go(Decision.RULE_ALLOW, 'pages.approval = "none"')


def decide_page(policy: Policy, url: Url, context: CallContext, tool: str, *, asks: bool) -> Verdict:
    """Decide on a URL that stands under a reference."""
    refusal = _refuse(policy, url, context, tool)
    if refusal is not None:
        return refusal
    return policy.decide_fetch(url, context, tool) if asks else _SELECTOR_IS_PERMISSION


def refuse_page_hop(policy: Policy, approved: Url, target: Url, context: CallContext, tool: str) -> Refuse | None:
    """Return why a redirect is not followed even to a host that was decided on before."""
    if approved.scheme == "https" and target.scheme == "http":
        return Refuse(Reason.REDIRECT_DOWNGRADE, "not approved: a redirect from https to http")
    return _refuse(policy, target, context, tool)


def _refuse(policy: Policy, url: Url, context: CallContext, tool: str) -> Refuse | None:
    """Return why nobody needs to be asked."""
    try:
        refuse_for_pages(url)
    except UrlRefused as refused:
        return refused.verdict
    if len(url.without_fragment) > MAX_TARGET_BYTES:
        return Refuse(Reason.URL, f"the URL has {len(url.without_fragment)} bytes, more than {MAX_TARGET_BYTES}")
    return policy.refuse_tool(tool, context) or policy.refuse_target(url, tool)
