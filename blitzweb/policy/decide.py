"""Whether web_fetch may go to a URL: the settings, compiled, and the order in which they are asked.

Network allowed, mode, grammar, deny_domains, deny rule, egress, a host that is not public, authorisation: nothing
before the authorisation asks, and the first that says no is the answer (POLICY-05, POLICY-12). A verdict is a value:
who asks the person, who looks names up and who dials comes later (POLICY-07).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from blitzweb.policy.addresses import (
    AddressClass,
    classify_address,
    describe_not_public,
    is_public,
    opened_by,
)
from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.egress import Egress
from blitzweb.policy.grants import is_granted
from blitzweb.policy.hosts import HostList
from blitzweb.policy.keys import web_key
from blitzweb.policy.permissions import Rules, Use
from blitzweb.policy.ports import BAD_PORTS, describe_bad_port
from blitzweb.policy.urls import HostKind, Url, UrlRefused, parse_url
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Reason, Refuse, Verdict

WEB_FETCH: Final = "web_fetch"
BROWSER: Final = "browser"
READING_TOOLS: Final = frozenset({WEB_FETCH, "web_search", "web_open", "web_find", "web_click"})  # POLICY-13


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the settings allow. The defaults are those of a user who set nothing.

    `opens_local` tells whether addresses that are not public may be dialled, of the classes that `local_setting` opens:
    the browser has a setting of its own.
    """

    allow_network: bool = True
    opens_local: bool = False
    local_setting: str = "web.allow_private"
    allow_domains: HostList = field(default_factory=HostList)
    deny_domains: HostList = field(default_factory=HostList)
    rules: Rules = field(default_factory=Rules)
    egress: Egress = field(default_factory=Egress)

    def read_url(self, text: str, context: CallContext, tool: str = WEB_FETCH) -> Url | Refuse:
        """Return the URL that a model wrote, or the refusal that comes before or from its grammar."""
        try:
            return self.refuse_tool(tool, context) or parse_url(text)
        except UrlRefused as refused:
            return refused.verdict

    def decide_fetch(self, url: Url, context: CallContext, tool: str = WEB_FETCH) -> Verdict:
        """Decide on the URL of a call."""
        verdict = (
            self.refuse_tool(tool, context)
            or self.refuse_target(url, tool)
            or self._find_permission(url, context, tool)
            or _ask(url)
        )
        unattended = context.mode is Mode.UNATTENDED and isinstance(verdict, Ask)
        return _refuse_unattended(url) if unattended else verdict

    def decide_hop(self, approved: Url, target: Url, context: CallContext, tool: str = WEB_FETCH) -> Go | Refuse | None:
        """Decide on a redirect from the last URL that was approved; `None` where it stays on that URL's host.

        A redirect never asks: grants, rules and answers are for the URL that they were given for (WEB-05, POLICY-15).
        """
        if approved.scheme == "https" and target.scheme == "http":
            return _refuse_hop(Reason.REDIRECT_DOWNGRADE, approved, target, "from https to http")
        refusal = self.refuse_tool(tool, context) or self.refuse_target(target, tool)
        if refusal or target.host == approved.host:
            return refusal
        if rule := self.rules.asks(_use(target, tool)):
            return _refuse_hop(Reason.REDIRECT_HOST, approved, target, f'to what the ask rule "{rule.text}" holds')
        if pattern := self.allow_domains.find(target.host):
            return Go(Decision.ALLOW_DOMAIN, pattern.text)
        return _refuse_hop(Reason.REDIRECT_HOST, approved, target, "to another host")

    def decide_load(self, current: str, text: str, method: str, tool: str = BROWSER) -> Verdict | None:
        """Decide on a load that a page starts by itself; `None` where it stays on the current host (WEB-34)."""
        try:
            url = parse_url(text)
        except UrlRefused as refused:
            return refused.verdict
        refusal = self.refuse_target(url, tool)
        if refusal or url.host == current:
            return refusal
        use = _use(url, tool)
        question = _load_question(url, method)
        if self.rules.asks(use):
            return Ask(replace(question, forced=True))
        if pattern := self.allow_domains.find(url.host):
            return Go(Decision.ALLOW_DOMAIN, pattern.text)
        if rule := self.rules.allows(use):
            return Go(Decision.RULE_ALLOW, rule.text)
        return Ask(question)

    def refuse_tool(self, tool: str, context: CallContext) -> Refuse | None:
        """Return why this tool may not run at all now."""
        if not self.allow_network:
            text = "not approved: network access is disabled (sandbox.allow_network = false)"
            return Refuse(Reason.NETWORK_DISABLED, text)
        if context.mode in {Mode.PLAN, Mode.READ_ONLY} and tool not in READING_TOOLS:
            text = f"not approved: {tool} is not available in {context.mode} mode, which only reads"
            return Refuse(Reason.MODE, text, Decision.PLAN_REFUSED)
        return None

    def refuse_target(self, url: Url, tool: str) -> Refuse | None:
        """Return why nobody needs to be asked, since no answer would open this host."""
        return self._refuse_host(url.host, url.display_host, tool) or self._refuse_inner(url)

    def decide_egress(self, host: str, port: int) -> Refuse | None:
        """Return why the browser may not connect to a canonical host, whatever for; its addresses are judged later.

        The page that wanted it was decided on before; here count what nobody's answer opens (EGRESS-05).
        """
        refusal = self.refuse_tool(BROWSER, CallContext()) or self._refuse_host(host, host, BROWSER)
        if refusal is None and port in BAD_PORTS:
            return Refuse(Reason.PORT, f"not approved: {describe_bad_port(port)}")
        return refusal

    def denies(self, url: Url) -> bool:
        """Tell whether nothing of this host is to be shown: the settings deny it, by name or by rule."""
        return self.deny_domains.find(url.host) is not None or self.rules.denies(_use(url, "")) is not None

    def _refuse_host(self, host: str, shown: str, tool: str) -> Refuse | None:
        """Refuse what the settings deny by name or leave outside the fence."""
        if pattern := self.deny_domains.find(host):
            text = f'not approved: {shown} is in web.deny_domains ("{pattern.text}")'
            return Refuse(Reason.DENY_DOMAIN, text, Decision.RULE_DENY, f"web.deny_domains: {pattern.text}")
        if rule := self.rules.denies(Use(tool, "web", (host,))):
            text = f'not approved: the rule "{rule.text}" in permissions.deny refuses {shown}'
            return Refuse(Reason.DENY_RULE, text, Decision.RULE_DENY, rule.text)
        if why := self.egress.refusal(host):
            return Refuse(Reason.EGRESS, f"not approved: {why}")
        return None

    def _refuse_inner(self, url: Url) -> Refuse | None:
        """Refuse an address, or a name of this machine, that is not public; what other names lead to is seen later."""
        if url.kind is HostKind.NAME:
            cls = AddressClass.LOOPBACK if url.is_local_name else AddressClass.PUBLIC
        else:
            cls = classify_address(url.host)
        if is_public(cls) or (self.opens_local and opened_by(self.local_setting, cls)):
            return None
        text = f"not approved: {describe_not_public(url.host, cls, self.local_setting)}"
        return Refuse(Reason.NOT_PUBLIC, text)

    def _find_permission(self, url: Url, context: CallContext, tool: str) -> Go | Ask | None:
        """Return what has been settled already: an `ask` rule before all that would go ahead (POLICY-06)."""
        use = _use(url, tool)
        if self.rules.asks(use):
            return _ask(url, forced=True)
        if pattern := self.allow_domains.find(url.host):
            return Go(Decision.ALLOW_DOMAIN, pattern.text)
        if is_granted(url, context.grants):
            return Go(Decision.USER_SELECTED)
        if rule := self.rules.allows(use):
            return Go(Decision.RULE_ALLOW, rule.text)
        return None


def refuse_more_redirects(limit: int) -> Refuse:
    """Return the refusal of one redirect too many."""
    text = f"not followed: more than {limit} redirects; fetch the final URL directly"
    return Refuse(Reason.REDIRECT_LIMIT, text)


def _use(url: Url, tool: str) -> Use:
    return Use(tool, "web", (url.host,))


def _ask(url: Url, *, forced: bool = False) -> Ask:
    shown = url.display_host
    detail = f"GET {url.without_fragment}"
    return Ask(Question("network", web_key(url.host), f"requests to {shown}", detail, (url.host,), forced))


def _load_question(url: Url, method: str) -> Question:
    shown = url.display_host
    detail = f"{method} {url.without_fragment} (the page goes there by itself)"
    return Question("network", web_key(url.host), f"requests to {shown}", detail, (url.host,))


def _refuse_unattended(url: Url) -> Refuse:
    text = (
        f"not approved: requests to {url.display_host} need a person's answer, and an unattended turn asks nobody; "
        f'web.allow_domains = ["{url.host}"] or the rule permissions.allow = ["web({url.host})"] allows them'
    )
    return Refuse(Reason.NOT_APPROVED, text, Decision.UNATTENDED_REFUSED)


def _refuse_hop(reason: Reason, approved: Url, target: Url, what: str) -> Refuse:
    text = (
        f"not approved: {approved.display_host} redirects {what}, {target.display_host}; "
        f"fetch {target.without_fragment} directly if it is needed"
    )
    return Refuse(reason, text)
