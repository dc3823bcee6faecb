"""What is decided before a browser is started or used: the tool itself, a URL, a script, files (WEB-33, WEB-35)."""

from __future__ import annotations

from blitzweb.contract.browser import BrowserArguments
from blitzweb.errors import Refused
from blitzweb.policy.decide import BROWSER
from blitzweb.policy.keys import SCRIPT_KEY
from blitzweb.policy.permissions import Use
from blitzweb.policy.texts import without_credentials
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Reason, Refuse, Verdict
from blitzweb.tools.browsing.files import decide_upload
from blitzweb.tools.browsing.scene import Equipment
from blitzweb.tools.call import Call

_MAX_SCRIPT_CHARS = 4000  # of a script that a person is shown


def decide(equipment: Equipment, arguments: BrowserArguments, call: Call) -> None:
    """Return if the action may go on.

    Raises:
        Refused: it may not; every decision is audited.
        CallCancelled: the call was cancelled while a person thought.
    """
    decide_use(equipment, call, arguments.action)
    if arguments.action == "navigate":
        decide_navigation(equipment, arguments.url or "", call)
    elif arguments.action == "script":
        script = arguments.script or ""
        verdict = _decide_script(equipment, script)
        call.approver.settle(verdict, call, target="script", detail=_shown(script))
    elif arguments.action == "upload":
        files = arguments.files or ()
        verdict = by_rules(equipment, "upload", decide_upload(files, equipment.files))
        call.approver.settle(verdict, call, target="upload", detail="\n".join(files))


def decide_use(equipment: Equipment, call: Call, what: str) -> None:
    """Return if the browser may be used at all now."""
    refusal = equipment.policy.refuse_tool(call.tool, call.context)
    if refusal is not None:
        call.approver.settle(refusal, call, target=what, detail=f"{call.tool} {what}")


def decide_navigation(equipment: Equipment, text: str, call: Call) -> None:
    """Decide on a URL as web_fetch would, under the same key."""
    if text.strip() == "about:blank":
        return
    url = equipment.policy.read_url(text, call.context, call.tool)
    if isinstance(url, Refuse):
        shown = without_credentials(text)
        call.approver.settle(url, call, target=shown, detail=f"GET {shown}")
        raise Refused(url.text, reason=url.reason.value)
    verdict = equipment.policy.decide_fetch(url, call.context, call.tool)
    call.approver.settle(verdict, call, target=url.host, detail=f"GET {url.without_fragment}")


def _decide_script(equipment: Equipment, script: str) -> Verdict:
    question = Question("script", SCRIPT_KEY, "scripts in pages", _shown(script), (SCRIPT_KEY,))
    verdict = by_rules(equipment, "script", Ask(question))
    if isinstance(verdict, Ask) and not verdict.question.forced and equipment.browser.allow_scripts:
        return Go(Decision.RULE_ALLOW, "browser.allow_scripts")
    return verdict


def by_rules(equipment: Equipment, what: str, verdict: Verdict) -> Verdict:
    """Let the permission rules `browser(script|upload|download)` speak before a person is asked."""
    if not isinstance(verdict, Ask):
        return verdict
    rules, use = equipment.policy.rules, Use(BROWSER, "browser", (what,))
    if rule := rules.denies(use):
        text = f'not approved: the rule "{rule.text}" in permissions.deny refuses {what}'
        return Refuse(Reason.DENY_RULE, text, Decision.RULE_DENY, rule.text)
    if rules.asks(use):
        question = verdict.question
        return Ask(
            Question(question.kind, question.key, question.label, question.detail, question.targets, forced=True)
        )
    if rule := rules.allows(use):
        return Go(Decision.RULE_ALLOW, rule.text)
    return verdict


def _shown(script: str) -> str:
    if len(script) <= _MAX_SCRIPT_CHARS:
        return script
    return f"{script[:_MAX_SCRIPT_CHARS]}\n… ({len(script)} characters in all)"
