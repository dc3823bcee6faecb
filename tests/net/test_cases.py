"""The SSRF cases about redirects and look-ups, at the seams of resolver and connector; the lab has them for real."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import trustme

from blitzweb.errors import FetchFailed, Refused
from blitzweb.net.dialer import ALL_PUBLIC, ANY_PUBLIC, Dialer
from blitzweb.net.fetch import Fetcher, Plan
from blitzweb.net.tls import TlsContext
from blitzweb.policy.context import CallContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.hosts import HostList
from blitzweb.policy.urls import HostKind, Url
from blitzweb.policy.verdicts import Reason, Refuse
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers
from tests.support.fetching import Names, Wires
from tests.support.raw_server import RawServer
from tests.support.ssrf import load_cases

REDIRECTS, REDIRECT_CASES = load_cases("redirects")
DNS_CASES = load_cases("dns")[1]
PUBLIC = {"93.184.215.14", "93.184.216.34", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"}
OWN = "93.184.220.2"

FETCH = Plan(max_bytes=100_000, headers={"User-Agent": "test"}, rule=ANY_PUBLIC)
OPEN = FETCH._replace(rule=ALL_PUBLIC, max_redirects=3, keep_alive=False, use_proxy=False, decode=False)
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"


def name(case: dict[str, Any]) -> str:
    return case["id"]


class Web:
    """A plain and a TLS server that give the same answers, one after the other, then plain pages."""

    def __init__(self, certificate: trustme.LeafCert) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        self.plain, self.secure = RawServer(self._answer), RawServer(self._answer, context=context)
        self._lock = threading.Lock()
        self.answers: list[bytes] = []
        self.requests = 0

    def play(self, answers: list[bytes]) -> None:
        self.answers, self.requests = list(answers), 0
        self.connections_before = self.plain.connections + self.secure.connections

    @property
    def connections(self) -> int:
        return self.plain.connections + self.secure.connections - self.connections_before

    def port_for(self, port: int) -> int:
        return self.secure.port if port in {443, 8443} else self.plain.port

    def _answer(self, connection: Any, _head: bytes, _closing: threading.Event) -> bool:
        with self._lock:
            self.requests += 1
            answer = self.answers.pop(0) if self.answers else PLAIN
        connection.sendall(answer)
        return b"Connection: close" not in answer


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def tls(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> TlsContext:
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    return TlsContext(str(file))


@pytest.fixture(scope="module")
def web(authority: trustme.CA) -> Iterator[Web]:
    served = Web(authority.issue_cert(*REDIRECTS["dns"]))
    with served.plain, served.secure:
        yield served


def encode(entry: dict[str, Any]) -> bytes:
    body = entry.get("body", "").encode()
    headers = [*map(tuple, entry["headers"]), ("Content-Length", str(len(body)))]
    lines = [f"HTTP/1.1 {entry['status']} Test", *(f"{key}: {value}" for key, value in headers), "", ""]
    return "\r\n".join(lines).encode() + body


FETCH_POLICY = Policy(
    allow_domains=HostList.compile("web.allow_domains", REDIRECTS["policy"]["fetch"]["allow_domains"]),
    deny_domains=HostList.compile("web.deny_domains", REDIRECTS["policy"]["fetch"]["deny_domains"]),
)
CONTEXT = CallContext()


def hop_of_fetch(approved: Url, target: Url) -> None:
    raise_if_refused(FETCH_POLICY.decide_hop(approved, target, CONTEXT))


def hop_of_open(approved: Url, target: Url) -> None:
    """Decide as the strict client does: names only, two ports, no denied host; another host is followed."""
    strict = target.kind is HostKind.NAME and target.effective_port in {80, 443}
    downgrade = (approved.scheme, target.scheme) == ("https", "http")
    if not strict or downgrade or FETCH_POLICY.deny_domains.find(target.host):
        raise Refused("not approved", reason=Reason.REDIRECT_TARGET.value)


def raise_if_refused(verdict: object) -> None:
    if isinstance(verdict, Refuse):
        raise Refused(verdict.text, reason=verdict.reason.value)


@covers("WEB-04", "WEB-05")
@pytest.mark.parametrize("client", ["fetch", "open"])
@pytest.mark.parametrize("case", REDIRECT_CASES, ids=name)
def test_redirects(web: Web, tls: TlsContext, case: dict[str, Any], client: str) -> None:
    plan, decide_hop = (FETCH, hop_of_fetch) if client == "fetch" else (OPEN, hop_of_open)
    web.play([encode(entry) for entry in case["responses"]])
    wires = Wires(web.port_for)
    dialer = Dialer(resolver=Names(REDIRECTS["dns"]), connect=wires, is_own=lambda _: False)
    fetcher = Fetcher(dialer, tls, environ={})
    verdict: object = "start"
    url = FETCH_POLICY.read_url(case["start"], CONTEXT)
    if isinstance(url, Url):
        try:
            fetcher.fetch(url, plan, deadline=Deadline(10), cancel=CancelToken(), decide_hop=decide_hop)
            verdict = "ok" if web.requests > len(case["responses"]) else f"stop {web.requests - 1}"
        except (Refused, FetchFailed):
            verdict = web.requests - 1
    fetcher.close()
    assert {address for address, _ in wires.dialled} <= PUBLIC
    if not case.get("debatable"):
        assert verdict == case[client]


@covers("WEB-04", "FETCH-11")
@pytest.mark.parametrize("rule", ["dialled", "all"])
@pytest.mark.parametrize("case", DNS_CASES, ids=name)
def test_look_ups(web: Web, case: dict[str, Any], rule: str) -> None:
    lookups = [[answer] if isinstance(answer, str) else answer for answer in case["lookups"]]
    answers = [[text.replace("own", OWN).partition(" ")[0] for text in answer] for answer in lookups]
    endings = dict(text.split(" ", 1) for answer in lookups for text in answer if " " in text)
    wires = Wires(web.port_for, endings)
    dialer = Dialer(resolver=Names({case["name"]: answers}), connect=wires, is_own=lambda address: address == OWN)
    proxy = f"http://{case['env_proxy']}" if "env_proxy" in case else ""
    environ = {"http_proxy": proxy, "no_proxy": case.get("no_proxy", "")} if proxy else {}
    plan = FETCH if rule == "dialled" else OPEN._replace(use_proxy=True, keep_alive=True)
    turns = max(case.get("requests", 1), case.get("connections", 1))
    web.play([])
    allowed = fetch_one(case, Fetcher(dialer, environ=environ), plan, turns)
    dialled = {address for address, _ in wires.dialled}
    assert dialled <= {*case["may_dial"], *([case["env_proxy"].rpartition(":")[0]] if proxy else [])}
    if not case.get("debatable"):
        assert allowed == (case[rule] == "allow")
    if case.get("reuse"):
        assert web.connections == 1


def fetch_one(case: dict[str, Any], fetcher: Fetcher, plan: Plan, turns: int) -> bool:
    """Tell whether every one of the requests of a case was let through."""
    url = FETCH_POLICY.read_url(f"http://{case['name']}/", CONTEXT)
    if isinstance(url, Refuse) or isinstance(FETCH_POLICY.decide_fetch(url, CONTEXT), Refuse):
        return False
    plan = plan._replace(keep_alive=plan.keep_alive and "connections" not in case)
    try:
        for _ in range(turns):
            fetcher.fetch(url, plan, deadline=Deadline(0.6), cancel=CancelToken(), decide_hop=hop_of_fetch)
    except (Refused, FetchFailed):
        return False
    finally:
        fetcher.close()
    return True
