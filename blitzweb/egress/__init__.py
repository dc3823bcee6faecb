"""The browser's proxy: every request of a browser comes through here, is decided, and is dialled by the one dialer."""
