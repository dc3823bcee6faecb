"""Bytes to text as values: charset, HTML tree, text, markdown, article, links, PDF. No I/O, no threads, no clock."""
