"""Which calls run one at a time: those that drive the browser of one workspace (WEB-30). Used on the reader's turn."""

from __future__ import annotations


def find_lane(tool: object, context: object, arguments: object = None) -> str | None:
    """Return the lane of a call with this context, which nobody has checked yet; no lane if it may run beside any."""
    renders = isinstance(arguments, dict) and bool(arguments.get("render"))
    if not isinstance(tool, str) or not (tool.startswith("browser") or renders):
        return None
    workspace = context.get("workspace", "default") if isinstance(context, dict) else "default"
    return f"browser of {workspace}"
