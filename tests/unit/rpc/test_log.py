"""The log never blocks, never raises, never shows a secret, and is one line an entry."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

import pytest

from blitzweb.rpc.log import Log, forward_logging
from tests.support.covers import covers


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def test_an_entry_is_one_line_with_time_and_level(pipe) -> None:
    Log(fd=pipe[1]).warning("first\nsecond")
    pattern = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning first second\n"
    assert re.fullmatch(pattern, os.read(pipe[0], 1000))


def test_levels_below_the_threshold_are_left_out(pipe) -> None:
    log = Log(fd=pipe[1], level="warning")
    log.info("no")
    log.error("yes")
    log.configure(level="debug")
    log.debug("now")
    assert [line.split(b" ", 1)[1] for line in os.read(pipe[0], 1000).splitlines()] == [b"error yes", b"debug now"]


def test_a_full_pipe_does_not_block_and_what_was_dropped_is_counted(pipe) -> None:
    log = Log(fd=pipe[1])
    for _ in range(2000):
        log.info("x" * 200)
    out = os.read(pipe[0], 1_000_000)
    log.info("after")
    out += os.read(pipe[0], 1_000_000)
    dropped = re.search(rb"warning (\d+) log entries were dropped", out)
    assert dropped is not None
    assert out.count(b"xxx\n") + int(dropped[1]) == 2000
    assert out.endswith(b"info after\n")


def test_a_reader_that_is_gone_breaks_nothing() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    Log(fd=write_end).error("nobody")
    os.close(write_end)
    Log(fd=write_end).error("not even a descriptor")


def test_a_long_entry_is_cut_to_what_a_pipe_takes_whole(pipe) -> None:
    Log(fd=pipe[1]).info("x" * 100_000)
    out = os.read(pipe[0], 1_000_000)
    assert len(out) == 4096
    assert out.endswith(b"x\n")


@covers("AUDIT-04", "WIRE-06")
def test_a_fault_has_an_id_and_its_traceback_masked(pipe) -> None:
    log = Log(fd=pipe[1], mask=lambda text: text.replace("hunter2", "*"))
    try:
        raise KeyError("hunter2\nhunter2")  # noqa: TRY301
    except KeyError as error:
        fault_id = log.fault(error, "testing")
    out = os.read(pipe[0], 100_000).decode()
    assert f"fault {fault_id} while testing: KeyError" in out
    assert "test_a_fault_has_an_id" in out
    assert "hunter2" not in out


def test_a_file_gets_a_copy_for_its_owner_only(pipe, tmp_path: Path) -> None:
    log = Log(fd=pipe[1])
    log.configure(level="info", file=str(tmp_path / "log"))
    log.info("copied")
    log.configure(level="info")
    log.info("not copied")
    assert (tmp_path / "log").read_text().endswith("info copied\n")
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600
    assert os.read(pipe[0], 1000).count(b"copied") == 2


def test_a_file_that_cannot_be_used_is_said(pipe, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    log = Log(fd=pipe[1])
    for path in (tmp_path / "no" / "folder", tmp_path, tmp_path / "fifo", Path("/dev/null")):
        log.configure(level="info", file=str(path))
        log.info("on stderr")
        out = os.read(pipe[0], 1000).decode()
        assert f"log.file '{path}'" in out
        assert "on stderr\n" in out


def test_what_libraries_log_is_forwarded_from_warning_on(pipe) -> None:
    root = logging.getLogger()
    handlers, level, raises = root.handlers[:], root.level, logging.raiseExceptions
    try:
        forward_logging(Log(fd=pipe[1], mask=lambda text: text.replace("hunter2", "*")))
        logging.getLogger("lib").info("not this")
        logging.getLogger("lib").warning("key %s", "hunter2")
        try:
            raise ValueError("hunter2")  # noqa: TRY301
        except ValueError:
            logging.getLogger("lib").exception("failed")
    finally:
        root.handlers[:], logging.raiseExceptions = handlers, raises
        root.setLevel(level)
    out = os.read(pipe[0], 100_000).decode()
    assert "warning lib: key *\n" in out
    assert "error lib: failed\n" in out
    assert "ValueError: *" in out
    assert "not this" not in out


@covers("WIRE-33")
def test_warnings_and_errors_are_told_and_tracebacks_are_not():
    told = []
    read, write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    log = Log(fd=write, mask=lambda text: text.replace("hidden", "[REDACTED]"))
    log.tell = lambda level, text: told.append((level, text))
    log.debug("a")
    log.info("b")
    log.warning("c hidden\nd")
    identity = log.fault(ValueError("x"), "testing")
    os.close(write)
    os.close(read)
    assert told == [("warning", "c [REDACTED] d"), ("error", f"fault {identity} while testing: ValueError")]
