"""The keys under which approvals are remembered."""

from __future__ import annotations

import ast
from pathlib import Path

from blitzweb.policy import keys
from tests.support.covers import covers

PACKAGE = Path(keys.__file__).parents[1]


def test_the_keys():
    assert (keys.web_key("a.example"), keys.search_key("brave")) == ("web:a.example", "search:brave")
    assert (keys.SCRIPT_KEY, keys.UPLOAD_KEY, keys.DOWNLOAD_KEY) == (
        "browser:script",
        "browser:upload",
        "browser:download",
    )


@covers("AUDIT-06")
def test_no_other_module_writes_a_key():
    prefixes = ("web:", "search:", "browser:")
    for file in PACKAGE.rglob("*.py"):
        if file.name == "keys.py" or "console" in file.parts:
            continue
        tree = ast.parse(file.read_text())
        docs = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                assert not (node.value.startswith(prefixes) and " " not in node.value), (file, node.value)


def _has_docstring(node):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return isinstance(node, kinds) and node.body and isinstance(node.body[0], ast.Expr)
