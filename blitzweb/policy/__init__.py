"""Decisions as values: URLs, hosts, addresses, rules, grants, verdicts. No I/O, no threads, no clock."""
