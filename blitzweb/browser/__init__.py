"""Drives a real Chrome over CDP: find, launch, guard, attach; tabs, loads, selectors, input (WEB-30 to WEB-37).

It asks nobody and decides nothing: what may be loaded or run has been decided above, and what may be dialled is the
proxy's. Never imports `net`: connections and the proxy are handed in by the composition root.
"""
