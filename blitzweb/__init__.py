"""blitzweb: guarded web access for agent engines, over JSON-RPC on stdio.

This module holds the version and nothing else: importing it must cost nothing, since every start does.
"""

__version__ = "0.1.0"
