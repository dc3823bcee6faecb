"""The official conformance suite: what each revision requires of a server, through an HTTP bridge.

The dialect is the real one, over made-up tools of the names that the suite calls (tests/support/mcp_server.py). What
fails is known, each with its reason; a check that fails and is not known, or is known and passes, fails the test.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.conformance.bridge import Bridge
from tests.support.covers import covers

pytestmark = pytest.mark.timeout(300)  # the first of them may have to install the peers

COMMAND = (sys.executable, "-m", "tests.support.mcp_server")
REVISIONS = ("2025-11-25", "2026-07-28")
BAD = {"FAILURE", "WARNING"}

NOT_OFFERED = "the server offers tools alone: no prompts, no resources, no completion"
NO_LOGGING = "the log goes to stderr: MCP's own logging is deprecated"
NO_SUCH_CONTENT = "no tool has anything to say but text and pictures"
NO_SAMPLING = "the server asks the client for approvals alone: never for a model's answer, nor for roots"
OWN_FORM = "the only form is the one of an approval, and the scenario wants a form of its own"
BRIDGE = "the transport is the bridge's, which is made for these tests"
OWN_SCHEMA = "the schemas of the contract are flat, and the scenario wants one of its own"
NEEDS_NOTHING = "nothing needs a capability: without forms, a call is refused with the setting that would allow it"
EXTENSION = "an extension that the server does not offer"

# By scenario: the reason of each check that fails. `*` stands for all checks of a scenario that fail, some at least.
KNOWN: dict[str, dict[str, str]] = {
    "caching": {
        "sep-2549-prompts-list-caching-hints": NOT_OFFERED,
        "sep-2549-resources-list-caching-hints": NOT_OFFERED,
        "sep-2549-resources-templates-list-caching-hints": NOT_OFFERED,
    },
    "completion-complete": {"completion-complete": NOT_OFFERED},
    "dns-rebinding-protection": {"localhost-host-rebinding-rejected": BRIDGE},
    "elicitation-sep1034-defaults": {"elicitation-sep1034-general": OWN_FORM},
    "elicitation-sep1330-enums": {"elicitation-sep1330-general": OWN_FORM},
    "http-custom-header-server-validation": {"*": BRIDGE},
    "http-header-validation": {"*": BRIDGE},
    "input-required-result-basic-elicitation": {"sep-2322-elicitation-incomplete": OWN_FORM},
    "input-required-result-basic-list-roots": {"sep-2322-list-roots-incomplete": NO_SAMPLING},
    "input-required-result-basic-sampling": {"sep-2322-sampling-incomplete": NO_SAMPLING},
    "input-required-result-capability-check": {"sep-2322-respect-client-capabilities": NO_SAMPLING},
    "input-required-result-ignore-extra-params": {
        "sep-2322-ignore-unexpected-params": "an answer counts only with the sealed state, which is left out here"
    },
    "input-required-result-multiple-input-requests": {"sep-2322-multiple-inputs-incomplete": NO_SAMPLING},
    "input-required-result-non-tool-request": {"sep-2322-non-tool-incomplete": NOT_OFFERED},
    "json-schema-2020-12": {"json-schema-2020-12-tool-found": OWN_SCHEMA},
    "logging-set-level": {"logging-set-level": NO_LOGGING},
    **{
        f"prompts-{name}": {f"prompts-{name}": NOT_OFFERED}
        for name in ("list", "get-simple", "get-with-args", "get-embedded-resource", "get-with-image")
    },
    **{
        f"resources-{name}": {f"resources-{name}": NOT_OFFERED}
        for name in ("list", "read-text", "read-binary", "templates-read", "subscribe", "unsubscribe")
    },
    "sep-2164-resource-not-found": {"sep-2164-error-code": NOT_OFFERED, "sep-2164-data-uri": NOT_OFFERED},
    "server-stateless": {
        "sep-2575-server-rejects-undeclared-capability": NEEDS_NOTHING,
        "sep-2575-missing-capability-http-400": NEEDS_NOTHING,
    },
    **{
        f"tasks-{name}": {"*": EXTENSION}
        for name in (
            "lifecycle",
            "capability-negotiation",
            "wire-fields",
            "request-state-removal",
            "mrtr-input",
            "request-headers",
            "dispatch-and-envelope",
            "required-task-error",
            "mrtr-composition",
        )
    },
    **{
        f"tools-call-{name}": {f"tools-call-{name}": NO_SUCH_CONTENT}
        for name in ("audio", "embedded-resource", "mixed-content")
    },
    "tools-call-sampling": {"tools-call-sampling": NO_SAMPLING},
    "tools-call-with-logging": {"tools-call-with-logging": NO_LOGGING},
}


def read_results(folder: Path) -> dict[str, dict[str, str]]:
    """Return what failed, by scenario and check; a scenario where nothing did has an empty entry."""
    results: dict[str, dict[str, str]] = {}
    for file in folder.glob("server-*/checks.json"):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name)
        bad = [check for check in json.loads(file.read_text()) if check["status"] in BAD]
        results[name] = {check["id"]: check.get("errorMessage", "") for check in bad}
    return results


@covers("MCP-01", "MCP-02", "MCP-03")
@pytest.mark.parametrize("revision", REVISIONS)
def test_what_a_revision_requires_is_there(peer, tmp_path, revision):
    with Bridge(COMMAND) as bridge:
        done = peer("conformance", "server", "--url", bridge.url, "--requirements", revision, "-o", str(tmp_path))
    results = read_results(tmp_path)
    assert len(results) >= 30, f"the suite did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    unknown, mended = {}, {}
    for scenario, failed in results.items():
        known = KNOWN.get(scenario, {})
        if "*" in known:
            known = dict.fromkeys(failed, known["*"]) or known
        unknown |= {f"{scenario}: {check}": why for check, why in failed.items() if check not in known}
        mended |= {f"{scenario}: {check}": why for check, why in known.items() if check not in failed}
    assert unknown == {}, "these fail, and no reason is known"
    assert mended == {}, "these pass: take them out of the list"
