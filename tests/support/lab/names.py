"""The world's DNS server: A and AAAA with TTL 0, answers that change by look-up, failures, silence."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Mapping

from dnslib import AAAA, QTYPE, RCODE, RR, A, DNSRecord

from tests.support.lab.scene import Answer, Log


class Names:
    """The names of one scene. Successive look-ups are counted for each type, since a resolver asks for both at once."""

    def __init__(self, names: Mapping[str, tuple[Answer, ...]], log: Log) -> None:
        self._names = names
        self._log = log
        self._asked: Counter[tuple[str, str]] = Counter()

    def reply(self, packet: bytes) -> bytes | None:
        """Return the reply to a query; None where the scene keeps silent."""
        query = DNSRecord.parse(packet)
        asked = (str(query.q.qname).rstrip(".").lower(), QTYPE[query.q.qtype])
        self._log.lookups.append(asked)
        answer = self._next_answer(asked)
        return None if answer == "TIMEOUT" else _encode(query, asked[1], answer)

    def _next_answer(self, asked: tuple[str, str]) -> Answer:
        answers = self._names.get(asked[0], ((),))
        turn = min(self._asked[asked], len(answers) - 1)
        self._asked[asked] += 1
        return answers[turn]


def _encode(query: DNSRecord, kind: str, answer: Answer) -> bytes:
    reply = query.reply()
    if answer == "SERVFAIL":
        reply.header.rcode = RCODE.SERVFAIL
    elif not answer:
        reply.header.rcode = RCODE.NXDOMAIN
    else:
        for address in map(ipaddress.ip_address, answer):
            if kind == ("A" if address.version == 4 else "AAAA"):
                data = A(str(address)) if address.version == 4 else AAAA(tuple(address.packed))
                reply.add_answer(RR(query.q.qname, query.q.qtype, rdata=data, ttl=0))
    packed: bytes = reply.pack()
    return packed
