"""The settings: typed tables, the layers that they come from, and what a project may narrow.

    defaults < the user's TOML < flags < initialize.settings, then what the project narrows

This is on the start path: nothing here imports dataclasses, and `tomllib` is loaded only if there is a file to read.
"""

from blitzweb.settings.load import Settings, load_settings

__all__ = ["Settings", "load_settings"]
