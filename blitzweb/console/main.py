"""`blitzweb-rpc`: read the options, do what they say, and turn every failure into a sentence and an exit code."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from blitzweb.console.client import RpcFailed
from blitzweb.console.commands import COMMANDS, IS_ERROR, OK, RPC_ERROR, USAGE
from blitzweb.console.fresh import fresh_daemon, fresh_environment
from blitzweb.console.link import DaemonFailed, Link
from blitzweb.console.options import HELP, SERVE, Options, read_options
from blitzweb.console.plain_reader import PlainReader
from blitzweb.console.prompt import LineReader, Prompt
from blitzweb.console.replay import Replay
from blitzweb.console.screen import Screen, open_screen
from blitzweb.console.session import Session, make_masker, open_session
from blitzweb.console.trace import Tracer
from blitzweb.console.transcript import read_transcript
from blitzweb.errors import BlitzwebError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the console and return the process's exit code."""
    screen = open_screen()
    try:
        return _run(read_options(sys.argv[1:] if argv is None else argv), screen)
    except (RpcFailed, DaemonFailed) as error:
        return _fail(screen, error, RPC_ERROR)
    except UsageError as error:
        return _fail(screen, error, USAGE)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def _run(options: Options, screen: Screen) -> int:
    command, words = options.words[:1], options.words[1:]
    if options.help:
        print(HELP, end="")
        return OK
    if command == ("replay",):
        return replay(options, words, screen)
    if command and command[0] not in COMMANDS:
        raise UsageError(f'there is no command "{command[0]}"', advice="`blitzweb-rpc --help` lists them")
    with open_session(options, screen) as session:
        return COMMANDS[command[0]](session, words) if command else run_prompt(session)


def run_prompt(session: Session) -> int:
    """Greet the person and obey their lines."""
    prompt = Prompt(session)
    if not sys.stdin.isatty():
        return prompt.run(PlainReader())
    server = session.hello.get("server", {})
    tools = ", ".join(session.hello.get("tools", ())) or "none"
    session.screen.note(f"{server.get('name')} {server.get('version')}, pid {server.get('pid')}; tools: {tools}")
    session.screen.note("`help` says what to type, Ctrl-C cancels a call, Ctrl-D ends.", "dim")
    return prompt.run(_open_reader(prompt, session))


def replay(options: Options, words: Sequence[str], screen: Screen) -> int:
    """`replay FILE …`: play transcripts, each to a fresh daemon with a state of its own, and compare."""
    if not words:
        raise UsageError("replay needs a FILE", advice="--record FILE of another call writes one")
    same = [_replay_one(options, Path(word), screen) for word in words]
    return OK if all(same) else IS_ERROR


def _replay_one(options: Options, path: Path, screen: Screen) -> bool:
    entries = read_transcript(path)
    masker = make_masker(options)
    tracer = Tracer(masker, screen.note, on=options.trace)
    with tempfile.TemporaryDirectory(prefix="blitzweb-replay-") as folder:
        # Only our own daemon can be told to leave the person's settings and approvals alone.
        command = fresh_daemon(Path(folder)) if options.daemon == SERVE else options.daemon
        link = Link(command, environ=fresh_environment(), observers=[tracer.observe])
        found = Replay(link, state_dir=folder, masker=masker, replace=options.replace).run(entries)
    for difference in found:
        screen.say(f"{path}: {difference}", "error")
    if not found:
        screen.say(f"{path}: {len(entries)} lines, the same", "good")
    return not found


def _open_reader(prompt: Prompt, session: Session) -> LineReader:
    """Return the reader with completion, where `prompt_toolkit` is installed."""
    try:
        from blitzweb.console.rich_reader import RichReader, forgetful_history, open_history
    except ImportError:
        session.screen.note("no completion and no history: pip install 'blitzweb[console]' brings them", "dim")
        return PlainReader()
    folder = session.options.state_dir or Path("~/.blitz")
    try:
        history = open_history(folder.expanduser() / "console_history")
    except OSError as error:
        session.screen.note(f"the history is not kept: {error}", "warn")
        history = forgetful_history()
    return RichReader(prompt.complete, history)


def _fail(screen: Screen, error: BlitzwebError, code: int) -> int:
    with contextlib.suppress(BrokenPipeError):
        screen.note(f"blitzweb-rpc: {error.message}" + (f"\n  {error.advice}" if error.advice else ""), "error")
    return code


if __name__ == "__main__":
    sys.exit(main())
