//! The official Rust SDK's client talks to `blitzweb mcp`: see tests/sdk.rs.
