"""The one dial function: what is judged, what is dialled, and what is left alone."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import CallCancelled, FetchFailed, Refused
from blitzweb.net.dialer import ALL_PUBLIC, ANY_PUBLIC, USERS_PROXY, AddressRule, Dialer
from blitzweb.net.own import OwnPorts, is_own_address
from blitzweb.net.tcp import connect_tcp
from blitzweb.policy.addresses import AddressClass, classify_address, is_public, opened_by_allow_private
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers
from tests.support.fetching import LOCAL, OK, Names, Wires, answering
from tests.support.raw_server import RawServer

PUBLIC, OTHER = "93.184.215.14", "93.184.216.34"


def dial(dialer, host="x.example", rule=ANY_PUBLIC, *, port=80, seconds=5.0, cancel=None):
    with dialer.dial(host, port, rule, Deadline(seconds), cancel or CancelToken()):
        pass


def made(*lookups, endings=None):
    """Return a dialer with the given successive look-ups of x.example, and its wires, all of which are refused."""
    wires = Wires(lambda _: 0, endings or dict.fromkeys([a for answer in lookups for a in answer], "refused"))
    return Dialer(resolver=Names({"x.example": list(lookups)}), connect=wires, is_own=lambda _: False), wires


@covers("WEB-04")
@pytest.mark.parametrize("rule", [ANY_PUBLIC, ALL_PUBLIC])
@pytest.mark.parametrize("answers", [[PUBLIC, "10.0.0.1"], ["::1", PUBLIC], ["169.254.169.254", PUBLIC]])
def test_of_mixed_answers_only_public_ones_are_dialled_and_none_where_all_must_be(answers, rule):
    dialer, wires = made(answers)
    with pytest.raises(Refused if rule.every else FetchFailed):
        dial(dialer, rule=rule)
    assert wires.dialled == ([] if rule.every else [(PUBLIC, 80)])


@covers("WEB-04", "POLICY-10")
@given(
    st.lists(st.ip_addresses().map(str), min_size=1, max_size=5),
    st.sampled_from([ANY_PUBLIC, ALL_PUBLIC, LOCAL, AddressRule(every=True, opened=True)]),
)
def test_nothing_is_dialled_that_the_rule_does_not_allow(answers, rule):
    dialer, wires = made(answers)
    with pytest.raises((Refused, FetchFailed)):
        dial(dialer, rule=rule)
    may = [a for a in dict.fromkeys(answers) if is_public(classify_address(a)) or (rule.opened and opened(a))]
    expected = [] if rule.every and len(may) < len(set(answers)) else may
    assert [address for address, _ in wires.dialled] == expected


def opened(address):
    return opened_by_allow_private(classify_address(address))


@covers("WEB-04")
def test_a_name_that_changes_its_mind_is_judged_each_time():
    dialer, wires = made([PUBLIC], ["127.0.0.1"])
    with pytest.raises(FetchFailed):
        dial(dialer)
    with pytest.raises(Refused):
        dial(dialer)
    assert wires.dialled == [(PUBLIC, 80)]


@covers("WEB-04")
@pytest.mark.parametrize("host", ["localhost", "x.localhost", "localhost.localdomain", "ip6-localhost"])
def test_names_of_this_machine_are_local_whatever_the_look_up_says(host):
    names = Names({host: [[PUBLIC]]})
    dialer = Dialer(resolver=names, connect=Wires(lambda _: 0), is_own=lambda _: False)
    with pytest.raises(Refused, match="loopback"):
        dial(dialer, host)
    assert names.asked == []


@covers("POLICY-02")
@pytest.mark.parametrize(
    "host",
    ["127.1", "0x7f.1", "2130706433", "127.0.0.1\0.x.example", "X.example", "x.example.", "a b", "", "x..y", "é"],
)
def test_a_host_that_is_not_canonical_is_not_even_looked_up(host):
    names = Names({host: [[PUBLIC]]})
    with pytest.raises(Refused, match="canonical"):
        dial(Dialer(resolver=names, connect=Wires(lambda _: 0)), host)
    assert names.asked == []


def test_what_is_no_address_is_not_dialled():
    dialer, wires = made([""], ["x.example"], ["127.0.0.1:80"])
    for _ in range(3):
        with pytest.raises(Refused, match="not an address"):
            dial(dialer)
    assert wires.dialled == []


def test_a_silent_address_leaves_time_for_the_next():
    dialer, wires = made([PUBLIC, OTHER], endings={PUBLIC: "silent", OTHER: "refused"})
    began = time.monotonic()
    with pytest.raises(FetchFailed, match="was refused") as caught:
        dial(dialer, seconds=0.4)
    assert 0.15 < time.monotonic() - began < 0.35
    assert caught.value.phase == "connect"
    assert [address for address, _ in wires.dialled] == [PUBLIC, OTHER]


@covers("FETCH-06")
def test_silent_addresses_end_with_the_deadline():
    dialer, _ = made([PUBLIC, OTHER], endings={PUBLIC: "silent", OTHER: "silent"})
    began = time.monotonic()
    with pytest.raises(FetchFailed, match=r"timed out after 0\.3 s while connecting"):
        dial(dialer, seconds=0.3)
    assert time.monotonic() - began < 0.8


@covers("POLICY-11")
def test_this_machine_is_refused_by_its_public_address():
    wires = Wires(lambda _: 0)
    own = Dialer(resolver=Names({"x.example": [[PUBLIC]]}), connect=wires, is_own=lambda address: address == PUBLIC)
    with pytest.raises(Refused, match="this machine") as caught:
        dial(own, rule=LOCAL)
    assert caught.value.reason == "own-address"
    assert wires.dialled == []


@covers("POLICY-11")
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1"])
def test_our_own_ports_stay_closed_whatever_is_opened(host):
    ports = OwnPorts()
    dialer = Dialer(own_ports=ports)
    with RawServer(answering(OK), host="::1" if host == "::1" else "127.0.0.1") as server:
        ports.add(server.port)
        with pytest.raises(Refused, match="listens on"):
            dial(dialer, host, LOCAL, port=server.port)
        assert server.connections == 0
        assert not dialer.passes(host, server.port, LOCAL)
        ports.discard(server.port)
        assert dialer.passes(host, server.port, LOCAL)


def test_which_addresses_are_this_machines():
    assert is_own_address("127.0.0.1")
    assert is_own_address("127.9.9.9")
    assert is_own_address("::1")
    assert is_own_address("64:ff9b::7f00:1")
    assert not is_own_address("192.0.2.1")  # nothing is sent: a datagram socket is only connected
    assert not is_own_address("2001:db8::1")


def test_a_peer_that_is_not_what_was_dialled_is_refused():
    with RawServer(answering(OK)) as server:

        def connect(_address, _port, seconds, _cancel):
            return socket.create_connection(("127.0.0.1", server.port), seconds)

        lying = Dialer(resolver=Names({"x.example": [[PUBLIC]]}), connect=connect, is_own=lambda _: False)
        with pytest.raises(FetchFailed, match=r"leads to 127\.0\.0\.1"):
            dial(lying)


def test_the_users_own_proxy_is_dialled_wherever_it_is():
    with RawServer(answering(OK)) as server:
        dial(Dialer(), "127.0.0.1", USERS_PROXY, port=server.port)


def test_another_setting_opens_other_classes():
    local = AddressRule(opened=True, setting="browser.allow_local")
    assert local.allows(AddressClass.PRIVATE)
    assert not local.allows(AddressClass.CGNAT)
    with pytest.raises(Refused, match=r"browser\.allow_local"):
        dial(Dialer(), "100.64.0.1", local)


@covers("FETCH-09")
def test_a_port_where_nothing_listens_is_said():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(FetchFailed, match="the connection was refused while connecting") as caught:
        dial(Dialer(), "127.0.0.1", LOCAL, port=port)
    assert caught.value.phase == "connect"


@pytest.fixture
def full_port():
    """A port of loopback that neither answers nor refuses: its queue is full."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        address = listener.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.settimeout(0)
            each.connect_ex(address)
        yield address[1]
        for each in waiting:
            each.close()


def test_a_connection_that_is_not_answered_ends_in_time(full_port):
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        connect_tcp("127.0.0.1", full_port, 0.2, CancelToken())
    assert 0.15 < time.monotonic() - began < 0.7


def test_a_cancel_wakes_a_connection_that_is_not_answered(full_port):
    cancel, began = CancelToken(), time.monotonic()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    with pytest.raises(CallCancelled):
        connect_tcp("127.0.0.1", full_port, 20, cancel)
    timer.join()
    assert time.monotonic() - began < 1


def test_a_call_that_was_cancelled_before_connects_nowhere(full_port):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CallCancelled):
        connect_tcp("127.0.0.1", full_port, 20, cancel)
    with pytest.raises(CallCancelled):
        dial(Dialer(), "127.0.0.1", LOCAL, port=full_port, cancel=cancel)
