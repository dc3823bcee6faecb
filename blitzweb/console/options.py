"""The words of `blitzweb-rpc`'s command line; options may stand anywhere among them."""

from __future__ import annotations

import argparse
import shlex
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from blitzweb.errors import ParseFailed, UsageError
from blitzweb.wire.encoding import NotEncodable, decode, encode

HELP = """\
usage: blitzweb-rpc [COMMAND] [options]

  (no command)             a prompt with completion and history
  call NAME key=value ...  call a tool, or a method (a name with a slash, a $ or a dot); a value is JSON
                           where it parses, else text
  methods                  list methods and tools
  describe NAME            say what one takes, with an example
  replay FILE              play a transcript to a fresh daemon, and compare its answers

  --json                   print the result alone, as JSON
  --params JSON            the params of a method, or the arguments of a tool; key=value comes on top
  --timeout SECONDS        the deadline of a tool's call
  --yes                    approve every question once; the same as --approve once
  --approve CHOICE         answer every question: once, session or deny
  --session NAME, --workspace NAME, --mode MODE
                           context of the calls; modes: normal, plan, read_only, unattended
  --settings FILE          the user's settings for this daemon: a TOML or JSON file, or a JSON object
  --state-dir DIR          where approvals, audit, and the prompt's history are kept instead of ~/.blitz
  --daemon CMD             start CMD instead of `blitzweb serve`
  --trace                  show every message on stderr, secrets masked
  --log                    show the daemon's log on stderr
  --record FILE            write the conversation as a transcript
  --replace OLD=NEW        with replay: put NEW for OLD in the transcript; may be repeated

Ctrl-C cancels the running call, a second one ends. Exit code: 0 result, 1 the result is an error (is_error, or a
replay that differs), 2 JSON-RPC error or no daemon, 3 usage.
"""


SERVE: Final = (sys.executable, "-m", "blitzweb", "serve")  # the daemon of this very installation


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line said."""

    words: tuple[str, ...]
    help: bool = False
    json: bool = False
    params: Mapping[str, Any] | None = None
    timeout: float | None = None
    approve: str | None = None
    session: str | None = None
    workspace: str | None = None
    mode: str | None = None
    settings: Mapping[str, Any] | None = None
    state_dir: Path | None = None
    daemon: tuple[str, ...] = SERVE
    trace: bool = False
    log: bool = False
    record: Path | None = None
    replace: tuple[tuple[str, str], ...] = ()


def read_options(argv: Sequence[str]) -> Options:
    """Return the options.

    Raises:
        UsageError: an option that is not known, or a value that does not fit.
    """
    given = vars(_parser().parse_intermixed_args(list(argv)))
    given["words"] = tuple(given.get("words", ()))
    given["replace"] = tuple(given.get("replace", ()))
    if given.pop("yes", False):
        given.setdefault("approve", "once")
    return Options(**given)


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print and leave."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, advice="`blitzweb-rpc --help` lists the options")


def _parser() -> _Parser:
    parser = _Parser(add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*")
    for flags in (["-h", "--help"], ["--json"], ["--yes"], ["--trace"], ["--log"]):
        parser.add_argument(*flags, action="store_true")
    parser.add_argument("--approve", choices=("once", "session", "deny"))
    for name in ("--session", "--workspace", "--mode"):
        parser.add_argument(name)
    for name in ("--state-dir", "--record"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--params", type=_object)
    parser.add_argument("--settings", type=_settings)
    parser.add_argument("--timeout", type=_seconds)
    parser.add_argument("--daemon", type=_command)
    parser.add_argument("--replace", type=_replacement, action="append")
    return parser


def _seconds(text: str) -> float:
    seconds = float(text) if text.replace(".", "", 1).isdecimal() else 0.0
    if seconds <= 0:
        raise argparse.ArgumentTypeError(f"a number of seconds is needed, not {text!r}")
    return seconds


def _command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    if not words:
        raise argparse.ArgumentTypeError("a command is needed")
    return words


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = decode(text.encode(errors="replace"))
    except ParseFailed as error:
        raise argparse.ArgumentTypeError(error.message.replace("the line", "it", 1)) from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("a JSON object is needed")
    return value


def _settings(text: str) -> Mapping[str, Any]:
    """Read a JSON object, or the file of that name: JSON where its name says so, else TOML."""
    if text.lstrip().startswith("{"):
        return _object(text)
    try:
        content = Path(text).read_text(encoding="utf-8")
        settings = _object(content) if text.endswith(".json") else tomllib.loads(content)
        encode(settings)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {text}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise argparse.ArgumentTypeError(f"{text} is not TOML: {error}") from None
    except NotEncodable as error:  # a date, for instance
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None
    return settings


def _replacement(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not (old and equals):
        raise argparse.ArgumentTypeError(f"OLD=NEW is needed, not {text!r}")
    return old, new
