"""The params of `tools/list` and `tools/call`, read. Members that are not known are ignored, as MCP wants it.

`_meta` may hold `blitzweb/context`, an object as in the native protocol: who calls (session, workspace), and what the
turn allows. Without it all calls share the default session. Ids: MCP-01, MCP-03.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from blitzweb.dialects.mcp.client import read_meta
from blitzweb.errors import InvalidParams
from blitzweb.rpc.methods import Params

if TYPE_CHECKING:
    from blitzweb.policy.context import CallContext

CONTEXT_KEY: Final = "blitzweb/context"


class ToolCall:
    """One call of a tool; `state` and `responses` came back with it if it was made before."""

    __slots__ = ("arguments", "context", "digest", "name", "responses", "state", "token")

    def __init__(self, params: dict[str, Any]) -> None:
        from blitzweb.dialects.mcp.sealing import digest_call

        self.name: str = _take(params, "name", str, None)
        self.arguments: dict[str, Any] = _take(params, "arguments", dict, {})
        self.state: str | None = _take(params, "requestState", str, "") or None
        self.responses: dict[str, Any] = _take(params, "inputResponses", dict, {})
        self.context = read_context(params)
        self.token = _read_token(read_meta(params))
        self.digest = digest_call(self.name, self.arguments, read_meta(params).get(CONTEXT_KEY))


def read_context(params: Params) -> CallContext:
    """Return who calls, and what the turn allows."""
    from blitzweb.contract.codec import Misfit, decode
    from blitzweb.policy.context import CallContext

    try:
        return decode(CallContext, read_meta(params).get(CONTEXT_KEY, {}), where=f"params._meta.{CONTEXT_KEY}")
    except Misfit as misfit:
        raise InvalidParams(str(misfit), path=misfit.path) from None


def check_cursor(params: Params) -> None:
    """Refuse every cursor: the list comes whole, so that none of them is ours."""
    if "cursor" in (params or {}):
        raise InvalidParams("params.cursor is none of this server's: the list comes whole", path="params.cursor")


def _take(params: Mapping[str, Any], name: str, kind: type[str | dict[str, Any]], default: Any) -> Any:
    """Return a member of a kind; one without a default must be there."""
    value = params.get(name)
    if value is None:
        value = default
    if not isinstance(value, kind):
        what = "a text" if kind is str else "an object"
        raise InvalidParams(f"params.{name} must be {what}", path=f"params.{name}")
    return value


def _read_token(meta: Mapping[str, Any]) -> str | int | None:
    token = meta.get("progressToken")
    if isinstance(token, bool) or not isinstance(token, str | int | None):
        raise InvalidParams("params._meta.progressToken must be a text or a whole number")
    return token
