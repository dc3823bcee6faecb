"""The host clients of protocol/clients, checked and tested by the tools of their own languages, against this daemon."""

from __future__ import annotations

import sys

import pytest

from blitzweb.demo.server import DemoSite
from tests.support.covers import covers
from tests.support.host import ROOT
from tests.support.toolchains import SECONDS, fetch, needs, run

GO = ROOT / "protocol" / "clients" / "go"
RUST = ROOT / "protocol" / "clients" / "rust"
TYPESCRIPT = ROOT / "protocol" / "clients" / "typescript"

pytestmark = pytest.mark.timeout(SECONDS)


@pytest.fixture
def read_demo(tmp_path):
    """Return what has an example read a page of the demo site, where a person types an answer."""

    def read(folder, *command) -> str:
        with DemoSite() as site:
            opened = ["--state-dir", str(tmp_path), "--set", "web.allow_private=true"]
            daemon = [sys.executable, "-m", "blitzweb", "serve", *opened]
            return run(folder, *command, f"{site.url}/robots.txt", *daemon, typed="hm\nonce\n")

    return read


@needs("go")
class TestGo:
    def test_it_is_formatted(self) -> None:
        assert run(GO, "gofmt", "-l", ".") == ""

    def test_vet_finds_nothing(self) -> None:
        run(GO, "go", "vet", "./...")

    def test_it_needs_the_standard_library_alone(self) -> None:
        assert run(GO, "go", "list", "-m", "all") == "blitzweb\n"

    @covers("WIRE-43", "WIRE-45")
    def test_its_tests_pass(self) -> None:
        assert "SKIP" not in run(GO, "go", "test", "-count=1", "-v", "./...")

    def test_the_example_reads_a_page(self, read_demo) -> None:
        seen = read_demo(GO, "go", "run", "./example")
        assert "Disallow: /crew/" in seen
        assert seen.count("asks for requests to 127.0.0.1") == 2  # "hm" is no answer


@pytest.fixture(scope="module")
def crates() -> None:
    fetch(RUST, "cargo", "fetch", "--quiet", "--locked")


@needs("cargo")
@pytest.mark.usefixtures("crates")
class TestRust:
    def test_it_is_formatted(self) -> None:
        run(RUST, "cargo", "fmt", "--check")

    def test_clippy_finds_nothing(self) -> None:
        run(RUST, "cargo", "clippy", "--quiet", "--locked", "--all-targets", "--", "-D", "warnings")

    @covers("WIRE-43", "WIRE-45")
    def test_its_tests_pass(self) -> None:
        assert " 0 ignored" in run(RUST, "cargo", "test", "--quiet", "--locked")

    def test_the_example_reads_a_page(self, read_demo) -> None:
        seen = read_demo(RUST, "cargo", "run", "--quiet", "--locked", "--example", "host")
        assert "Disallow: /crew/" in seen
        assert seen.count("asks for requests to 127.0.0.1") == 2  # "hm" is no answer


@needs("tsc")
def test_the_typescript_types_are_sound() -> None:
    run(TYPESCRIPT, "tsc", "--noEmit", "--strict", "types.ts")
