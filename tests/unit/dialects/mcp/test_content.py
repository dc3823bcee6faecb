"""Tools and results in MCP's words."""

from __future__ import annotations

import base64

import jsonschema
import pytest

from blitzweb.contract.calls import ImageInfo
from blitzweb.contract.toolset import TOOLS
from blitzweb.contract.web_fetch import WebFetchOutput
from blitzweb.dialects.mcp.content import describe_result, describe_tool
from blitzweb.limits import MAX_MCP_IMAGES_BYTES
from blitzweb.tools.call import ToolResult
from tests.support.covers import covers


def picture(path, size=4, audience="assistant"):
    return ImageInfo(
        uri="blitzweb-image:0",
        path=str(path),
        mime_type="image/png",
        width=1,
        height=2,
        bytes=size,
        audience=audience,
    )


@covers("MCP-03")
@pytest.mark.parametrize("shape", TOOLS, ids=lambda shape: shape.name)
def test_every_tool_is_described(shape):
    tool = describe_tool(shape)
    assert tool["name"] == shape.name
    assert tool["title"] == tool["annotations"]["title"] == shape.title
    assert tool["annotations"]["readOnlyHint"] is shape.read_only
    assert tool["annotations"]["openWorldHint"] is shape.open_world
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


@covers("MCP-03")
def test_a_result_has_its_text_and_its_object():
    result = describe_result(ToolResult(output=WebFetchOutput(url="u", status=200), text="read me"))
    assert result["content"] == [{"type": "text", "text": "read me"}]
    assert result["structuredContent"] == {"url": "u", "status": 200}
    assert result["isError"] is False


@covers("MCP-03")
def test_pictures_follow_the_text_with_their_audience(tmp_path):
    file = tmp_path / "a.png"
    file.write_bytes(b"\x89PNG")
    images = (picture(file), picture(file, audience="user"))
    first, second = describe_result(ToolResult(output={}, text="t", images=images))["content"][1:]
    assert base64.b64decode(first["data"]) == b"\x89PNG"
    assert (first["type"], first["mimeType"]) == ("image", "image/png")
    assert (first["annotations"], second["annotations"]) == ({"audience": ["assistant"]}, {"audience": ["user"]})


@covers("MCP-03")
def test_a_picture_that_cannot_be_sent_is_named(tmp_path):
    file = tmp_path / "a.png"
    file.write_bytes(b"x" * 10)
    images = (picture(tmp_path / "gone.png"), picture(file, 10), picture(file, MAX_MCP_IMAGES_BYTES))
    missing, sent, large = describe_result(ToolResult(output={}, text="t", images=images))["content"][1:]
    assert "gone.png" in missing["text"]
    assert "cannot be read" in missing["text"]
    assert sent["type"] == "image"
    assert "too large" in large["text"]
