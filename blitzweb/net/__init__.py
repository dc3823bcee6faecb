"""Resolve, classify, dial, check the peer; HTTP on urllib3 over that one dial function."""
