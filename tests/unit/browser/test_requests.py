"""Requests while they are watched."""

from __future__ import annotations

from blitzweb.browser.requests import Requests
from tests.support.covers import covers


def begin(requests, identity, kind="Fetch", **more):
    requests.begin(
        {"requestId": identity, "type": kind, "request": {"url": f"http://x/{identity}", "method": "GET"}, **more}, "s"
    )


@covers("WEB-31")
def test_requests_are_waited_for_until_they_end_or_fail():
    requests = Requests()
    begin(requests, "a")
    begin(requests, "b")
    for kind in ("Ping", "EventSource", "WebSocket"):
        begin(requests, kind, kind)
    assert (requests.under_way, requests.begun) == (2, 2)
    requests.finish({"requestId": "a", "encodedDataLength": 12})
    requests.finish({"requestId": "b", "errorText": "net::ERR_FAILED"})
    assert requests.under_way == 0
    a, b, *_ = requests.take()
    assert (a.bytes, a.failure, b.failure) == (12, "", "net::ERR_FAILED")


@covers("BROWSER-08")
def test_a_redirect_is_the_same_request_and_an_empty_answer_no_failure():
    requests = Requests()
    begin(requests, "a")
    requests.begin({"requestId": "a", "request": {"url": "http://x/to"}, "redirectResponse": {"status": 302}}, "s")
    requests.respond({"requestId": "a", "response": {"status": 204, "mimeType": "text/plain"}})
    requests.finish({"requestId": "a", "errorText": "net::ERR_ABORTED"})
    (a,) = requests.take()
    assert (a.url, a.status, a.failure, requests.begun) == ("http://x/to", 204, "", 1)
    assert requests.take() == []


def test_only_the_last_are_recorded():
    requests = Requests()
    for number in range(600):
        begin(requests, str(number))
        requests.finish({"requestId": str(number)})
    assert requests.find(1) is None
    assert requests.find(600).url == "http://x/599"
    assert len(requests.take()) == 500
