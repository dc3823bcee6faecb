"""Where threads live: stdio, outbox, endpoint guard, scheduler, calls to the host, life cycle, watchdog."""
