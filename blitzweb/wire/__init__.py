"""Lines and messages as values: framing, JSON-RPC shapes, encoding, rendering. No I/O, no threads, no clock."""
