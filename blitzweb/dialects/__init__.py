"""The protocols spoken over the wire: native JSON-RPC and MCP, both over the same tools."""
