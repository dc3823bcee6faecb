"""The Model Context Protocol, in both of its eras: by handshake up to 2025-11-25, by metadata of each request since."""
