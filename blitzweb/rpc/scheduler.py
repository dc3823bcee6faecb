"""Runs work on a bounded pool of threads, with a prompt answer to every cancel and deadline.

The answer never waits for the thread: a call that is cancelled or late is answered at once, its token is cancelled, and
what it comes back with is dropped. Its thread and its lane are free again only when it has come back.
Ids: WIRE-24, WIRE-25, WIRE-26.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from blitzweb.errors import CallCancelled, DeadlinePassed, Overloaded, ShuttingDown
from blitzweb.limits import MAX_ADMITTED_BYTES, MAX_CALLS, MAX_NETWORK_THREADS, RETRY_AFTER_MS
from blitzweb.rpc.deadlines import DeadlineWatch
from blitzweb.rpc.faults import to_protocol_error
from blitzweb.rpc.lanes import Job, Lanes
from blitzweb.rpc.log import Log
from blitzweb.timing import Deadline
from blitzweb.wire.messages import Id


class Load(NamedTuple):
    """How busy the scheduler is."""

    running: int
    waiting: int
    threads: int


class Scheduler:
    """Owned by the connection. Threads start on demand and end at `finish`; all state is under one lock."""

    def __init__(self, log: Log, *, max_calls: int = MAX_CALLS, max_threads: int = MAX_NETWORK_THREADS) -> None:
        self._log = log
        self._max_calls = max_calls
        self._max_threads = max_threads
        lock = threading.Lock()
        self._changed = threading.Condition(lock)  # wakes threads
        self._emptied = threading.Condition(lock)  # wakes who waits for all work to come back
        self._jobs: set[Job] = set()  # waiting, running, and answered but not yet back
        self._by_id: dict[Id, Job] = {}  # those that are owed an answer
        self._lanes = Lanes()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._finished = False
        self._deadlines = DeadlineWatch(self._list_deadlines, self._expire)

    def submit(self, job: Job) -> None:
        """Take a job in, or raise Overloaded or ShuttingDown. Called by the reader thread alone."""
        with self._changed:
            self._admit(job)
            self._jobs.add(job)
            self._by_id[job.running.id] = job
            self._lanes.push(job)
            thread = self._new_thread()
            self._changed.notify()
        if thread is not None:
            self._start(thread, job)
        self._deadlines.watch(job.running.deadline)

    def cancel(self, identity: Id) -> bool:
        """Answer a call as cancelled and stop its work; False if there is no such call."""
        with self._changed:
            job = self._by_id.get(identity)
            if job is None:
                return False
            self._withdraw(job)
        job.end(CallCancelled("the host cancelled the call"))
        return True

    def cancel_all(self) -> None:
        """Answer every call as cancelled, since the daemon is ending."""
        with self._changed:
            jobs = list(self._jobs)
            for job in jobs:
                self._withdraw(job)
        for job in jobs:
            job.end(CallCancelled("the daemon is shutting down"))

    def wait_until_idle(self, seconds: float) -> bool:
        """Wait until all work has come back; tell whether it has."""
        with self._emptied:
            return self._emptied.wait_for(lambda: not self._jobs, seconds)

    def finish(self, seconds: float) -> None:
        """End the threads and join them; one that is stuck in foreign code for longer is left to the process's end."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()
        self._deadlines.finish()
        patience = Deadline(seconds)
        for thread in self._threads:
            thread.join(patience.remaining())

    def snapshot(self) -> Load:
        """Return how busy it is."""
        with self._changed:
            running = sum(job.started for job in self._jobs)
            return Load(running, len(self._jobs) - running, len(self._threads))

    # --- under the lock ---------------------------------------------------------------------------------------------

    def _admit(self, job: Job) -> None:
        if self._finished:
            raise ShuttingDown("the daemon is shutting down")
        held = sum(other.size for other in self._jobs)
        if len(self._jobs) < self._max_calls and (not held or held + job.size <= MAX_ADMITTED_BYTES):
            return
        raise Overloaded(
            f"{len(self._jobs)} calls with {held} bytes of params run or wait, and no more are taken",
            advice="wait for answers, then send it again",
            retry_after_ms=RETRY_AFTER_MS,
        )

    def _new_thread(self) -> threading.Thread | None:
        """Return a thread to start if the idle ones are too few for what is ready."""
        if self._lanes.ready <= self._idle or len(self._threads) >= self._max_threads:
            return None
        name = f"blitzweb-call-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._threads.append(thread)
        self._idle += 1  # it is on its way to the queue
        return thread

    def _withdraw(self, job: Job) -> None:
        """Forget the id; a job that has not started gives up its place as well."""
        if self._by_id.get(job.running.id) is job:
            del self._by_id[job.running.id]
        if not job.started:
            self._leave(job)

    def _leave(self, job: Job) -> None:
        """Free the job's slot and its lane, and let the lane's next one go."""
        self._jobs.remove(job)
        self._lanes.leave(job)
        self._changed.notify()
        if not self._jobs:
            self._emptied.notify_all()

    # --- on the threads ---------------------------------------------------------------------------------------------

    def _start(self, thread: threading.Thread, job: Job) -> None:
        try:
            thread.start()
        except RuntimeError as error:  # the system has no more threads to give
            with self._changed:
                self._threads.remove(thread)
                self._idle -= 1
                if job.started:  # another thread has come for it
                    return
                self._withdraw(job)
            text = f"no thread could be started for {job.method}: {error}"
            raise Overloaded(text, retry_after_ms=RETRY_AFTER_MS) from None

    def _run(self) -> None:
        while self._run_next():
            pass

    def _run_next(self) -> bool:
        """Do one job. Nothing of it may stay behind in a local while the thread waits for the next."""
        job = self._next_job()
        if job is None:
            return False
        _perform(job, self._log)
        with self._changed:
            self._withdraw(job)
            self._leave(job)
            self._idle += 1
        return True

    def _next_job(self) -> Job | None:
        with self._changed:
            while not self._lanes.ready and not self._finished:
                self._changed.wait()
            self._idle -= 1
            return None if self._finished else self._lanes.pop()

    def _list_deadlines(self) -> list[Deadline]:
        with self._changed:
            return [job.running.deadline for job in self._by_id.values()]

    def _expire(self) -> None:
        with self._changed:
            late = [job for job in self._by_id.values() if job.running.deadline.expired]
            for job in late:
                self._withdraw(job)
        for job in late:
            job.end(_deadline_passed(job))


def _perform(job: Job, own_log: Log) -> None:
    """Run the work and answer; whatever it raises ends here."""
    if job.running.answer.is_given():  # cancelled between the queue and here
        return
    job.running.phase = "running"
    try:
        job.running.answer.result(job.work(job.running))
    except BaseException as error:
        if job.running.answer.is_given():  # stopped from outside: how its work came apart says nothing
            own_log.debug(f"{job.method} came back late: {type(error).__name__}")
            return
        job.running.answer.error(to_protocol_error(error, own_log, f"running {job.method}"))


def _deadline_passed(job: Job) -> DeadlinePassed:
    return DeadlinePassed(
        f"{job.method} did not end within {job.running.deadline.seconds:g} s; it was {job.running.phase}",
        advice=job.late,
        phase=job.running.phase,
    )
