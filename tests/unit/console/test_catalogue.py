from __future__ import annotations

import pytest

from blitzweb.console.catalogue import Catalogue, Parameter, ask_catalogue
from blitzweb.contract.methods import METHODS
from blitzweb.contract.toolset import TOOLS
from blitzweb.errors import UsageError
from tests.support.catalogue import CatalogueClient


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return ask_catalogue(CatalogueClient(), {})


def test_it_holds_every_method_of_the_host_and_every_tool(catalogue) -> None:
    methods = [method.name for method in METHODS if method.sender == "host"]
    assert list(catalogue.entries) == methods + [tool.name for tool in TOOLS]
    assert {entry.name for entry in catalogue.entries.values() if entry.kind == "notification"} == {
        "initialized",
        "$/cancelRequest",
        "exit",
    }


def test_references_are_resolved(catalogue) -> None:
    (context,) = (part for part in catalogue.find("tools/call").parameters if part.name == "context")
    assert "mode" in context.schema["properties"]
    assert "$ref" not in str([entry.parameters for entry in catalogue.entries.values()])


def test_a_tool_says_what_it_needs(catalogue) -> None:
    entry = catalogue.find("web_fetch")
    assert [part.name for part in entry.parameters if part.required] == ["url"]
    assert entry.title
    assert "may ask for approval" in entry.hints


def test_an_unknown_name_gets_the_near_one(catalogue) -> None:
    with pytest.raises(UsageError) as caught:
        catalogue.find("tools/cal")
    assert caught.value.advice == "did you mean tools/call?"
    with pytest.raises(UsageError) as caught:
        catalogue.find("q" * 100_000)
    assert "lists them" in caught.value.advice


def test_tools_are_asked_for_with_the_context() -> None:
    client = CatalogueClient()
    ask_catalogue(client, {"mode": "plan"})
    assert client.asked == [("rpc.discover", None), ("tools/list", {"context": {"mode": "plan"}})]


def test_a_daemon_that_says_little_is_no_fault() -> None:
    class Terse:
        def call(self, method, _params=None):
            return {"methods": [{"name": "m", "params": [{"name": "p", "schema": {"$ref": "#/x/Loop"}}]}]}

    (entry,) = ask_catalogue(Terse(), {}).entries.values()
    assert entry.parameters == (Parameter(name="p", schema={}),)


def test_schemas_that_hold_themselves_end() -> None:
    class Looping:
        def call(self, method, _params=None):
            loop = {"type": "object", "properties": {"inner": {"$ref": "#/components/schemas/Loop"}}}
            params = [{"name": "p", "schema": {"$ref": "#/components/schemas/Loop"}}]
            return {"methods": [{"name": "m", "params": params}], "components": {"schemas": {"Loop": loop}}}

    assert "m" in ask_catalogue(Looping(), {}).entries
