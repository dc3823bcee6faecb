"""Processes that parse large or dangerous bytes: start, limits, deadline, kill.

One that fails costs one call, never the daemon. `conversion.Converter` is the way in.
"""
