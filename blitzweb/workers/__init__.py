"""Processes that parse large or dangerous bytes: start, limits, deadline, kill."""
