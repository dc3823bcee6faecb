"""Water marks, and the room that lines take and give back."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import OUTBOX_ANSWER_BYTES, OUTBOX_FULL_BYTES, OUTBOX_HIGH_BYTES, OUTBOX_LOW_BYTES
from blitzweb.rpc.outbox import Outbox
from tests.support.covers import covers

MIB = b"x" * 2**20


def take(outbox: Outbox) -> bytes:
    taken = outbox.take()
    assert taken is not None
    outbox.written(taken[1])
    return taken[0]


@covers("WIRE-14")
def test_admission_stops_at_high_and_opens_again_at_low() -> None:
    outbox = Outbox()
    lines = OUTBOX_HIGH_BYTES // len(MIB)
    for _ in range(lines):
        assert outbox.put(MIB)
    assert not outbox.admitting  # each line costs a little more than its bytes
    assert not outbox.calm
    while outbox.waiting_bytes > OUTBOX_LOW_BYTES:
        assert not outbox.admitting
        take(outbox)
    assert outbox.admitting
    assert outbox.calm


@covers("WIRE-14")
def test_results_leave_room_for_errors() -> None:
    outbox = Outbox()
    while outbox.put(MIB, OUTBOX_ANSWER_BYTES):
        pass
    assert outbox.waiting_bytes <= OUTBOX_ANSWER_BYTES
    while outbox.put(b"an error"):
        pass
    assert OUTBOX_FULL_BYTES - 100 < outbox.waiting_bytes <= OUTBOX_FULL_BYTES


def test_one_line_always_fits_into_an_empty_outbox() -> None:
    outbox = Outbox()
    assert outbox.put(MIB, within=10)
    assert not outbox.put(b"", within=10)


def test_small_lines_are_joined_for_one_write_and_large_ones_are_not() -> None:
    outbox = Outbox()
    for line in (b"a", b"b", MIB, b"c"):
        outbox.put(line)
    assert [take(outbox), take(outbox), take(outbox)] == [b"a\nb\n", MIB, b"\nc\n"]


def test_a_closed_outbox_hands_out_what_waits_and_takes_no_more() -> None:
    outbox = Outbox()
    outbox.put(b"a")
    outbox.close()
    assert not outbox.put(b"b")
    assert take(outbox) == b"a\n"
    assert outbox.take() is None


def test_closing_wakes_the_writer() -> None:
    outbox = Outbox()
    ended = threading.Event()
    thread = threading.Thread(target=lambda: (outbox.take(), ended.set()))
    thread.start()
    outbox.close()
    assert ended.wait(5)
    thread.join()


def test_a_batch_takes_its_room_while_it_comes_together() -> None:
    outbox = Outbox()
    parts = [MIB] * 6
    assert all(outbox.hold(part) for part in parts)
    assert not outbox.put(MIB, within=len(MIB) * 7)
    assert outbox.admitting, "what waits for work of ours is not unread"
    outbox.put_held(parts)
    assert not outbox.admitting
    outbox.close()
    assert (
        b"".join(iter(lambda: take(outbox) if outbox.waiting_bytes else b"", b"")) == b"[" + b",".join(parts) + b"]\n"
    )
    assert outbox.waiting_bytes == 0


@given(st.lists(st.binary(max_size=50).filter(lambda line: b"\n" not in line)))
def test_lines_come_out_whole_and_in_order(lines: list[bytes]) -> None:
    outbox = Outbox()
    for line in lines:
        outbox.put(line)
    outbox.close()
    out = b""
    while (taken := outbox.take()) is not None:
        out += taken[0]
        outbox.written(taken[1])
    assert out == b"".join(line + b"\n" for line in lines)
    assert outbox.waiting_bytes == 0
