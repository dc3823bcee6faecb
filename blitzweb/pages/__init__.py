"""Pages walked by reference: a bounded store in memory, a strict client, and what a model reads of a page."""
