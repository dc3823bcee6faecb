"""What the proxy itself says."""

from __future__ import annotations

import h11
import pytest

from blitzweb.egress.answers import NO_TOKEN, PROBE, Answer, Failure, Refusal, bad_request, failed, refused
from blitzweb.policy.verdicts import Reason
from tests.support.covers import covers


def parse(answer: Answer, method: bytes = b"GET") -> tuple[int, dict[str, str], str]:
    """Read an answer as a client does: it must be whole, and nothing may follow."""
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method=method, target="/", headers=[("Host", "a")]))
    client.send(h11.EndOfMessage())
    client.receive_data(answer.encode(head_only=method == b"HEAD"))
    client.receive_data(b"")
    response, body = client.next_event(), b""
    while isinstance(event := client.next_event(), h11.Data):
        body += event.data
    assert isinstance(event, h11.EndOfMessage)
    headers = {name.decode(): value.decode() for name, value in response.headers}
    return response.status_code, headers, body.decode()


@covers("EGRESS-05")
def test_refusals_and_failures_are_told_apart_by_status_and_header():
    status, headers, page = parse(refused(Refusal("a.example", 443, Reason.DENY_RULE, "not <b>", "web(a.*)")))
    assert (status, headers["x-blitzweb-refused"]) == (403, 'deny-rule; rule="web(a.*)"')
    assert "a.example" in page
    assert "not &lt;b&gt;" in page
    status, headers, page = parse(failed(Failure("a.example", 443, "dns", "no such name")))
    assert (status, headers["x-blitzweb-failed"]) == (502, "dns")
    assert "x-blitzweb-refused" not in headers
    assert parse(bad_request("what?"))[0] == 400


def test_the_token_is_asked_for_by_the_realm():
    status, headers, _ = parse(NO_TOKEN)
    assert (status, headers["proxy-authenticate"]) == (407, 'Basic realm="blitzweb"')


def test_the_probe_page_has_its_title():
    status, headers, page = parse(PROBE)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<title>blitzweb egress</title>" in page


@pytest.mark.parametrize("rule", ['web("x")', "web(bücher.example)", "a\r\nSet-Cookie: x", "back\\slash", "\x00\x7f"])
def test_no_rule_breaks_out_of_its_header(rule):
    status, headers, _ = parse(refused(Refusal("a.example", 80, Reason.DENY_RULE, rule, rule)))
    assert status == 403
    assert headers["x-blitzweb-refused"].startswith('deny-rule; rule="')
    assert headers["x-blitzweb-refused"].count('"') == 2
    assert "set-cookie" not in headers


def test_head_gets_no_body_and_every_answer_ends_its_connection():
    for answer in (PROBE, NO_TOKEN, bad_request("x")):
        status, headers, page = parse(answer, b"HEAD")
        assert (status, headers["connection"], page) == (answer.status, "close", "")
