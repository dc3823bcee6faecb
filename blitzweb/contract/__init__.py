"""Params and results as dataclasses: the one source of the schema, the pages in protocol/ and the generated clients."""
