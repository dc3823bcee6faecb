"""`blitzweb-rpc`: talk to a daemon by hand, as a host does. Knows the contract and the wire, and no other part."""
