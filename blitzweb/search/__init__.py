"""Searches: of the web through a provider, and the user's own."""
