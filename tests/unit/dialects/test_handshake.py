from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.contract.codec import decode
from blitzweb.contract.lifecycle import HostCapabilities, HostInfo, InitializeParams
from blitzweb.contract.shapes import members
from blitzweb.dialects.handshake import PLAIN, is_plain, read_hello
from blitzweb.errors import InvalidParams, VersionNotSpoken
from tests.support.covers import covers


def test_the_least_that_a_host_must_say():
    hello = read_hello({"protocol_version": 1})
    assert (hello.host_name, hello.host_pid, hello.approvals, hello.tools, hello.state_dir) == (
        "",
        None,
        False,
        None,
        None,
    )
    assert (hello.settings, hello.project_settings) == ({}, {})


def test_all_that_a_host_may_say():
    hello = read_hello(
        {
            "protocol_version": 1,
            "host": {"name": "engine", "version": "2", "pid": 7},
            "capabilities": {"approvals": True, "progress": True, "audit": True, "images": True},
            "settings": {"web": {"enabled": False}},
            "project_settings": {"permissions": {}},
            "tools": ["web_fetch"],
            "state_dir": "/s",
        }
    )
    assert vars(hello) == {
        "host_name": "engine",
        "host_version": "2",
        "host_pid": 7,
        "approvals": True,
        "progress": True,
        "audit": True,
        "images": True,
        "settings": {"web": {"enabled": False}},
        "project_settings": {"permissions": {}},
        "tools": ("web_fetch",),
        "state_dir": "/s",
    }


@covers("WIRE-20")
@pytest.mark.parametrize("version", [0, 2, -1, 10**30])
def test_another_version_is_refused_before_anything_else_is_judged(version):
    with pytest.raises(VersionNotSpoken) as caught:
        read_hello({"protocol_version": version, "new_member": 1})
    assert caught.value.to_object()["data"]["supported"] == [1]


@covers("WIRE-27")
@pytest.mark.parametrize(
    ("params", "message"),
    [
        (None, "params.protocol_version is missing; it takes a whole number"),
        ({"protocol_version": "1"}, 'params.protocol_version takes a whole number, not "1"'),
        ({"protocol_version": True}, "params.protocol_version takes a whole number, not true"),
        ({"protocol_version": 1, "tool": []}, 'params has no member "tool"; did you mean "tools"?'),
        ({"protocol_version": 1, "tools": [1]}, "params.tools[0] takes a text, not 1"),
        ({"protocol_version": 1, "tools": None}, "params.tools takes a list, not null"),
        ({"protocol_version": 1, "host": {"pid": 0}}, "params.host.pid takes a whole number from 1 up, not 0"),
        ({"protocol_version": 1, "host": []}, "params.host takes an object, not a list"),
        ({"protocol_version": 1, "state_dir": ""}, "params.state_dir takes at least 1 characters, not 0"),
        (
            {"protocol_version": 1, "capabilities": {"approval": True}},
            'params.capabilities has no member "approval"; did you mean "approvals"?',
        ),
    ],
)
def test_what_does_not_fit_is_said_as_the_contract_says_it(params, message):
    with pytest.raises(InvalidParams) as caught:
        read_hello(params)
    assert caught.value.message == message


@covers("WIRE-41")
def test_the_plain_reading_knows_the_contracts_members():
    assert list(PLAIN) == [member.name for member in members(InitializeParams)]
    assert list(PLAIN["host"]) == [member.name for member in members(HostInfo)]
    assert list(PLAIN["capabilities"]) == [member.name for member in members(HostCapabilities)]


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["pid", "name", "approvals", "web", "odd"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*PLAIN, "odd"]), anything))
def test_what_is_plain_fits_the_contract(params):
    if is_plain(params):
        assert decode(InitializeParams, params, where="params")


def test_a_plain_hello_loads_no_dataclasses():
    code = (
        "import sys; from blitzweb.dialects.native import native_methods;"
        "from blitzweb.dialects.handshake import read_hello; read_hello({'protocol_version': 1});"
        "print([name for name in ('dataclasses', 'inspect', 'blitzweb.contract.codec') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
