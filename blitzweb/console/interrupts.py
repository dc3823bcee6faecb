"""Ctrl-C: the first one cancels the running call, the second ends the console; at a question it is a plain one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def first_interrupt(cancel: Callable[[], None]) -> Iterator[None]:
    """Call `cancel` at the first Ctrl-C of the block; a second one raises KeyboardInterrupt."""

    def handle(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancel()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the block, so that it wakes a read from the terminal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
