"""A client for tests of the console whose daemon offers everything that the contract has."""

from __future__ import annotations

from blitzweb.contract.codec import encode
from blitzweb.contract.openrpc import openrpc_document
from blitzweb.contract.toolset import TOOLS, describe


class CatalogueClient:
    """Answers as a daemon that offers every tool of the contract."""

    def __init__(self):
        self.asked = []

    def call(self, method, params=None):
        self.asked.append((method, params))
        return openrpc_document() if method == "rpc.discover" else {"tools": [encode(describe(tool)) for tool in TOOLS]}
