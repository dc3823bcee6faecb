"""What is large or dangerous is read in a worker, and whatever happens there costs one call."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blitzweb.content.document import Document
from blitzweb.errors import CallCancelled, DeadlinePassed, InvalidArguments, UnusableContent
from blitzweb.limits import MAX_UNBOUNDED_BYTES
from blitzweb.timing import CancelToken, Deadline
from blitzweb.workers import conversion
from blitzweb.workers.conversion import Converter
from blitzweb.workers.frames import pack_frame
from blitzweb.workers.pool import Pool
from blitzweb.workers.worker import Worker, WorkerDied
from tests.support.content import URL
from tests.support.covers import covers
from tests.support.hostile import SHAPES
from tests.support.pdf import write_pdf

LARGE = b"<p>large</p>" * (MAX_UNBOUNDED_BYTES // 12 + 1)


@pytest.fixture(scope="module")
def converter() -> Iterator[Converter]:
    converter = Converter()
    yield converter
    converter.close()


def read(
    converter: Converter,
    body: bytes,
    *,
    media_type: str | None = "text/html",
    form: str = "text",
    parser: str = "auto",
    seconds: float = 20,
    cancel: CancelToken | None = None,
    pages: str | None = None,
) -> Document:
    return converter.convert(
        body,
        deadline=Deadline(seconds),
        cancel=cancel or CancelToken(),
        media_type=media_type,
        charset="utf-8",
        url=URL,
        format=form,
        parser=parser,
        truncated=False,
        pages=pages,
    )


@covers("CONTENT-10")
@pytest.mark.parametrize("name", SHAPES)
def test_hostile_shapes_end_soon(converter: Converter, name: str) -> None:
    body = SHAPES[name]().encode()
    started = time.monotonic()
    read(converter, body, form="markdown")
    # The target is one second on an idle machine (the bench proves it); here others may be at work.
    assert time.monotonic() - started < 4


@covers("CONTENT-08", "CONTENT-10")
def test_a_pdf_is_read_page_by_page(converter: Converter) -> None:
    pdf = write_pdf(["First (page)\nsecond line", "Second", ""], "A title")
    document = read(converter, pdf, media_type="application/octet-stream")
    assert (document.title, document.pages, document.media_type) == ("A title", 3, "application/pdf")
    assert "--- page 1 of 3 ---\nFirst (page)\nsecond line\n\n--- page 2 of 3 ---\nSecond" in document.content
    assert "page 3 of 3 ---\n(no text" in document.content
    assert "First" not in read(converter, pdf, media_type=None, pages="2-").content


@covers("CONTENT-08")
@pytest.mark.parametrize(
    ("pages", "said"), [("4", "has 3"), ("0", "has 3"), ("x", '"x"'), ("3-1", "has 3"), ("", "has 3")]
)
def test_pages_that_a_pdf_does_not_have_are_an_error(converter: Converter, pages: str, said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        read(converter, write_pdf(["a", "b", "c"]), media_type="application/pdf", pages=pages)


@covers("CONTENT-08")
def test_a_damaged_pdf_is_an_error_that_says_so(converter: Converter) -> None:
    with pytest.raises(UnusableContent, match="damaged"):
        read(converter, b"%PDF-1.4 and nothing", media_type="application/pdf")


def test_the_reference_parser_reads_in_a_worker(converter: Converter) -> None:
    assert read(converter, b"<p>a<p>b", parser="html5lib").content == "a\n\nb"


def test_large_pages_are_read_whole(converter: Converter) -> None:
    assert read(converter, LARGE).content.count("large") == LARGE.count(b"large")


class Broken:
    """A worker process that is not well: what it runs instead of the worker's own program."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
        monkeypatch.setattr("blitzweb.workers.worker.sys.executable", "/bin/sh")
        monkeypatch.setattr("blitzweb.workers.worker._PROGRAM", ("-c", code))


@covers("CONTENT-10")
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("kill -SEGV $$", "signal 11"),
        ("exit 3", "code 3"),
        ("echo nonsense, and more of it; cat >/dev/null", "limits"),
    ],
)
def test_a_worker_that_breaks_costs_one_call(monkeypatch: pytest.MonkeyPatch, code: str, said: str) -> None:
    converter = Converter()
    with monkeypatch.context() as patch:
        Broken(patch, code)
        with pytest.raises(UnusableContent, match=said):
            read(converter, LARGE)
    assert "large" in read(converter, LARGE).content
    converter.close()


@covers("CONTENT-10")
@pytest.mark.parametrize("answer", [{}, {"document": {"content": 7}}, {"document": {"other": 1}}, {"document": "text"}])
def test_a_worker_that_was_taken_over_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: dict[str, Any]
) -> None:
    (tmp_path / "answer").write_bytes(pack_frame(answer))
    converter = Converter()
    Broken(monkeypatch, f"cat '{tmp_path}/answer'; cat >/dev/null")
    with pytest.raises(UnusableContent, match="nonsense"):
        read(converter, LARGE)
    converter.close()


@covers("CONTENT-10")
@pytest.mark.parametrize("code", ["exec sleep 30", "cat >/dev/null; exec sleep 30"])
def test_a_worker_that_hangs_is_killed_at_the_deadline(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    converter = Converter()
    Broken(monkeypatch, code)
    with pytest.raises(DeadlinePassed, match="read"):
        read(converter, LARGE, seconds=0.3)
    converter.close()


@covers("CONTENT-10")
def test_a_body_that_takes_too_long_is_an_error_before_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "WORKER_SECONDS", 0.2)
    converter = Converter()
    with pytest.raises(UnusableContent, match=r"limits.*signal 14"):
        read(converter, SHAPES["deep_div_100k"]().encode(), parser="html5lib")
    converter.close()


@covers("CONTENT-10")
def test_cancelling_kills_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    converter = Converter()
    Broken(monkeypatch, "exec sleep 30")
    cancel = CancelToken()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    started = time.monotonic()
    with pytest.raises(CallCancelled):
        read(converter, LARGE, cancel=cancel)
    assert time.monotonic() - started < 5
    timer.join()
    converter.close()


def test_a_worker_is_kept_warm_and_ends_with_the_pool() -> None:
    pool = Pool()
    pids = []
    for _ in range(2):
        with pool.lend(Deadline(10), CancelToken(), reusable=True) as worker:
            pids.append(worker.pid)
    assert pids[0] == pids[1]
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_worker_that_died_while_idle_is_replaced() -> None:
    pool = Pool()
    with pool.lend(Deadline(10), CancelToken(), reusable=True) as worker:
        first = worker
    os.kill(first.pid, signal.SIGKILL)
    os.waitid(os.P_PID, first.pid, os.WEXITED | os.WNOWAIT)
    with pool.lend(Deadline(10), CancelToken(), reusable=False) as worker:
        assert worker.pid != first.pid
    pool.close()


def test_no_more_workers_than_allowed_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blitzweb.workers.pool.MAX_WORKERS", 1)
    pool = Pool()
    cancelled = CancelToken()
    cancelled.cancel()
    with pool.lend(Deadline(10), CancelToken(), reusable=True):
        with pytest.raises(DeadlinePassed, match="no worker"), pool.lend(Deadline(0.05), CancelToken(), reusable=True):
            pass
        with pytest.raises(CallCancelled), pool.lend(Deadline(10), cancelled, reusable=True):
            pass
    pool.close()


def test_a_worker_has_no_secrets_and_writes_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "a-secret-value")
    worker = Worker()
    environ = worker_environ(worker.pid)
    assert b"a-secret-value" not in environ
    worker.close()
    with pytest.raises(WorkerDied):
        worker.ask({}, b"", Deadline(1))


def worker_environ(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read()
    except FileNotFoundError:
        pytest.skip("there is no /proc here")


@covers("CONTENT-10", "PAGE-35")
@pytest.mark.parametrize(("parser", "size"), [("html5lib", 1), ("auto", MAX_UNBOUNDED_BYTES + 1), ("auto", 1)])
def test_an_outline_is_the_same_wherever_it_is_read(converter, parser, size):
    body = b"<title>T</title><main><h1>Head</h1><p>text <a href=/x>label</a>" + b" " * size
    outline = converter.outline(
        body, deadline=Deadline(20), cancel=CancelToken(), charset=None, url="https://a.example/", parser=parser
    )
    assert outline == ("T", "# Head\n\ntext label", (("label", "https://a.example/x"),))


@covers("CONTENT-10")
def test_a_page_that_the_reference_parser_chokes_on_costs_its_call_alone(converter):
    begin = time.monotonic()
    with pytest.raises((UnusableContent, DeadlinePassed)):
        converter.outline(
            b"<" * 2_000_000,
            deadline=Deadline(1),
            cancel=CancelToken(),
            charset=None,
            url="https://a.example/",
            parser="html5lib",
        )
    assert time.monotonic() - begin < 1.5
