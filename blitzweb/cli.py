"""The command line: `blitzweb COMMAND`. It reads the words, imports what the command needs, and nothing else.

`serve` is what a host spawns, so its own imports are the start path: nothing here loads argparse for it unless an
option is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from blitzweb import __version__
from blitzweb.errors import BlitzwebError, UsageError

USAGE = """\
usage: blitzweb COMMAND [options]

  serve         speak line-delimited JSON-RPC on stdin and stdout; agent hosts start this
  mcp           speak the Model Context Protocol on stdin and stdout; MCP clients start this
  egress        run the browser's egress proxy as a service, for browsers on other machines
  doctor        check this machine and the settings, and say how to mend what is wrong
  approvals     list or revoke what was approved "always"
  walkthroughs  list the browser's recorded walkthroughs
  schema        print the JSON Schema (or, with --openrpc, the OpenRPC document) of the protocol
  demo          read pages of a demo site through the real daemon; needs no network
  version       print the version

`blitzweb COMMAND --help` tells the options. People who want to try it by hand: `blitzweb-rpc`.
"""

SERVE_USAGE = """\
usage: blitzweb {command} [--config FILE] [--state-dir DIR] [--tools NAME,NAME | --no-tools] [--set TABLE.KEY=VALUE]

Speak {protocol}, one JSON-RPC message a line, on stdin and stdout; the log goes to stderr.

  --config FILE           settings (TOML) instead of ~/.blitz/config.toml
  --state-dir DIR         where approvals, audit and pictures are kept instead of ~/.blitz
  --tools NAME,NAME       offer only these tools (web_search stands for the four search and page tools)
  --no-tools              offer none
  --set TABLE.KEY=VALUE   one setting, VALUE as in TOML; may be repeated
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the process's exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in {"-h", "--help", "help"}:
        print(USAGE, end="")
        return 0 if words else 3
    command, options = words[0], words[1:]
    run = COMMANDS.get("version" if command in {"--version", "-V"} else command)
    try:
        if run is None:
            raise UsageError(f'there is no command "{command}"', advice="`blitzweb --help` lists them")
        return run(options)
    except BlitzwebError as error:
        print(f"blitzweb: {error.message}" + (f"\n  {error.advice}" if error.advice else ""), file=sys.stderr)
        return 3 if isinstance(error, UsageError) else 1


def _serve(options: list[str]) -> int:
    if "--help" in options or "-h" in options:
        print(SERVE_USAGE.format(command="serve", protocol="the native protocol"), end="")
        return 0
    from blitzweb.app import serve_native
    from blitzweb.flags import read_flags

    return serve_native(read_flags(options))


def _mcp(options: list[str]) -> int:
    if "--help" in options or "-h" in options:
        print(SERVE_USAGE.format(command="mcp", protocol="the Model Context Protocol"), end="")
        return 0
    from blitzweb.app import serve_mcp
    from blitzweb.flags import read_flags

    return serve_mcp(read_flags(options))


def _egress(options: list[str]) -> int:
    from blitzweb.egress_service import main as egress

    return egress(options)


def _doctor(options: list[str]) -> int:
    from blitzweb.doctor import main as doctor
    from blitzweb.self_test import check_egress

    return doctor(options, [check_egress])


def _approvals(options: list[str]) -> int:
    from blitzweb.approval.command import main as approvals

    return approvals(options)


def _walkthroughs(options: list[str]) -> int:
    from blitzweb.pictures.command import main as walkthroughs

    return walkthroughs(options)


def _schema(options: list[str]) -> int:
    from blitzweb.contract.command import main as schema

    return schema(options)


def _demo(options: list[str]) -> int:
    from blitzweb.demo.tour import main as demo

    return demo(options)


def _version(_options: list[str]) -> int:
    print(f"blitzweb {__version__}")
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "serve": _serve,
    "mcp": _mcp,
    "egress": _egress,
    "doctor": _doctor,
    "approvals": _approvals,
    "walkthroughs": _walkthroughs,
    "schema": _schema,
    "demo": _demo,
    "version": _version,
}
