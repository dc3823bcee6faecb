"""Asks the host, remembers the answers, audits every decision."""
