"""Tools and their results in MCP's words; values only, but for the pictures, which are read from their files.

Ids: MCP-03.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from blitzweb.limits import MAX_MCP_IMAGES_BYTES

if TYPE_CHECKING:
    from blitzweb.contract.calls import ImageInfo
    from blitzweb.contract.toolset import ToolShape
    from blitzweb.tools.call import ToolResult


def describe_tool(shape: ToolShape) -> dict[str, Any]:
    """Return a tool as `tools/list` tells it."""
    from blitzweb.contract.toolset import describe

    tool = describe(shape)
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.annotations.read_only,
            "openWorldHint": tool.annotations.open_world,
        },
    }


def describe_result(result: ToolResult) -> dict[str, Any]:
    """Return what `tools/call` answers: what the model should read, then the pictures, and the tool's own object."""
    from blitzweb.contract.codec import encode

    return {
        "content": [{"type": "text", "text": result.text}, *_describe_images(result.images)],
        "structuredContent": encode(result.output),
        "isError": result.is_error,
    }


def _describe_images(images: Iterable[ImageInfo]) -> Iterable[dict[str, Any]]:
    left = MAX_MCP_IMAGES_BYTES
    for image in images:
        left -= image.bytes
        block = _read_image(image) if left >= 0 else {"type": "text", "text": f"{_name(image)} is too large to be sent"}
        yield block | {"annotations": {"audience": [image.audience]}}


def _read_image(image: ImageInfo) -> dict[str, Any]:
    try:
        with open(image.path, "rb") as file:
            data = file.read(image.bytes)
    except OSError as error:
        return {"type": "text", "text": f"{_name(image)} cannot be read: {error.strerror}"}
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": image.mime_type}


def _name(image: ImageInfo) -> str:
    return f"The picture {image.path} ({image.mime_type}, {image.width} x {image.height})"
