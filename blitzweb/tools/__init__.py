"""One file per tool or family: its schema, its handler, what it may ask."""
