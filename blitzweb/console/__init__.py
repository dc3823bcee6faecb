"""blitzweb-rpc: a debug console that talks to the daemon as a host would."""
