"""The official Go and Rust SDKs' clients, in both eras, over stdio with the real server."""

from __future__ import annotations

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT
from tests.support.toolchains import SECONDS, fetch, needs, run

GO = ROOT / "tests" / "conformance" / "go-sdk"
RUST = ROOT / "tests" / "conformance" / "rust-sdk"

pytestmark = pytest.mark.timeout(SECONDS)


@needs("go")
@covers("MCP-01", "MCP-02", "MCP-03")
def test_the_go_sdk_calls_tools_and_answers_approvals() -> None:
    fetch(GO, "go", "mod", "download")
    assert run(GO, "gofmt", "-l", ".") == ""
    run(GO, "go", "vet", "./...")
    assert "SKIP" not in run(GO, "go", "test", "-count=1", "-v", "./...")


@needs("cargo")
@covers("MCP-01", "MCP-02", "MCP-03")
def test_the_rust_sdk_calls_tools_and_answers_approvals() -> None:
    fetch(RUST, "cargo", "fetch", "--quiet", "--locked")
    run(RUST, "cargo", "fmt", "--check")
    assert " 0 ignored" in run(RUST, "cargo", "test", "--quiet", "--locked")
