"""Bytes to what a model reads, as values: charset, HTML tree, text, markdown, article, links, PDF.

`content.convert.convert` is the way in. Nothing here opens a socket, starts a thread or a process, or reads a clock;
whoever has large or dangerous bytes calls it inside a worker (`blitzweb.workers`).
"""
