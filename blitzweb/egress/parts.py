"""What every connection of one proxy shares, and the first judgement of a request: token, then target (EGRESS-05)."""

from __future__ import annotations

from typing import NamedTuple

from blitzweb.egress.answers import NO_TOKEN, PROBE, Answer, bad_request
from blitzweb.egress.connector import Connector
from blitzweb.egress.head import Head, Malformed
from blitzweb.egress.loop import Loop
from blitzweb.egress.pump import Pipes
from blitzweb.egress.target import PROBE_HOST, Target, read_target
from blitzweb.egress.token import TokenCheck


class Parts(NamedTuple):
    """Made by the proxy; the loop's thread alone uses them."""

    loop: Loop
    connector: Connector
    pipes: Pipes
    token: TokenCheck


def judge_head(head: Head, token: TokenCheck) -> Target | Answer:
    """Return where a request goes, or the answer that it gets instead; without the token nothing else is read."""
    if not token.passes(head):
        return NO_TOKEN
    try:
        target = read_target(head)
    except Malformed as error:
        return bad_request(str(error))
    return PROBE if target.host == PROBE_HOST else target
