"""The whole protocol as documents: protocol/schema.json, and the OpenRPC document that `rpc.discover` answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from blitzweb.contract.faults import error_schema, meaning
from blitzweb.contract.methods import METHODS, MethodShape
from blitzweb.contract.schema import Schema, definitions, member_schema, reference
from blitzweb.contract.shapes import Member, members
from blitzweb.contract.toolset import TOOLS
from blitzweb.errors import ProtocolError
from blitzweb.limits import PROTOCOL_VERSION

TITLE = "The native protocol of blitzweb"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_document() -> Schema:
    """Return one JSON Schema with a definition for everything that is sent, and two tables of what goes where."""
    prefix = "#/$defs/"
    methods = {method.name: _ends(method, prefix) for method in METHODS}
    tools = {
        tool.name: {"arguments": reference(tool.arguments, prefix), "output": reference(tool.output, prefix)}
        for tool in TOOLS
    }
    return {
        "$schema": DIALECT,
        "title": TITLE,
        "version": PROTOCOL_VERSION,
        "methods": methods,
        "tools": tools,
        "$defs": definitions(_roots(), prefix=prefix) | {"Error": error_schema()},
    }


@cache
def openrpc_document() -> Schema:
    """Return the OpenRPC document; what the daemon sends stands apart, since OpenRPC knows one direction."""
    return {
        "openrpc": "1.3.2",
        "info": {
            "title": TITLE,
            "version": str(PROTOCOL_VERSION),
            "description": "One JSON-RPC 2.0 message a line, over the stdin and stdout of `blitzweb serve`.",
            "license": {"name": "Apache-2.0"},
        },
        "methods": [_method(method) for method in METHODS if method.sender == "host"],
        "x-host-methods": [_method(method) for method in METHODS if method.sender == "daemon"],
        "components": {
            "schemas": definitions(_roots(), prefix=_COMPONENTS),
            "errors": {fault.__name__: _error(fault) for fault in _faults()},
        },
    }


_COMPONENTS = "#/components/schemas/"


def _roots() -> Iterator[tuple[type[Any], bool]]:
    """Yield every class that is sent, and whether it is closed: what the host or a model sends is."""
    for method in METHODS:
        yield method.params, method.sender == "host"
        if method.result is not None:
            yield method.result, False
    for tool in TOOLS:
        yield tool.arguments, True
        yield tool.output, False


def _ends(method: MethodShape, prefix: str) -> Schema:
    ends: Schema = {"sender": method.sender, "params": reference(method.params, prefix)}
    if not method.notification:
        ends["result"] = _result(method, prefix)
    return ends


def _result(method: MethodShape, prefix: str) -> Schema:
    if method.document:
        return {"type": "object"}
    return reference(method.result, prefix) if method.result is not None else {"type": "null"}


def _method(method: MethodShape) -> Schema:
    closed = method.sender == "host"
    document: Schema = {"name": method.name, "summary": method.summary, "paramStructure": "by-name"}
    document["params"] = [_param(member, closed=closed) for member in members(method.params)]
    if not method.notification:
        document["result"] = {"name": "result", "schema": _result(method, _COMPONENTS)}
    if method.errors:
        document["errors"] = [{"$ref": f"#/components/errors/{fault.__name__}"} for fault in method.errors]
    return document


def _param(member: Member, *, closed: bool) -> Schema:
    schema = member_schema(member, lambda cls: reference(cls, _COMPONENTS), closed=closed, lean=True)
    return {"name": member.name, "required": member.required, "schema": schema}


def _faults() -> list[type[ProtocolError]]:
    return sorted({fault for method in METHODS for fault in method.errors}, key=lambda fault: fault.__name__)


def _error(fault: type[ProtocolError]) -> Schema:
    return {"code": fault.code, "message": meaning(fault), "data": {"reason": fault.reason}}
