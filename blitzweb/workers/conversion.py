"""Bodies to documents where that is safe: small harmless ones here, all others in a worker (CONTENT-10).

Whatever happens in a worker ends in a document, in an error for the model, or with the call's own end.
"""

from __future__ import annotations

from typing import Any, Final

from blitzweb.content.convert import NeedsBounds, convert
from blitzweb.content.document import Document
from blitzweb.errors import DeadlinePassed, InvalidArguments, UnusableContent
from blitzweb.limits import WORKER_MEMORY_BYTES, WORKER_SECONDS
from blitzweb.timing import CancelToken, Deadline
from blitzweb.workers.pool import Pool
from blitzweb.workers.worker import WorkerDied

_TOO_DEEP: Final = "the page is nested too deep to be read"
_TOO_LARGE: Final = f"reading the page took more than {WORKER_MEMORY_BYTES >> 20} MiB of memory"


class Converter:
    """Reads bodies, and owns the workers that it reads some of them in."""

    def __init__(self) -> None:
        self._pool = Pool()

    def convert(self, body: bytes, *, deadline: Deadline, cancel: CancelToken, **options: Any) -> Document:
        """Return what a body says; the options are those of `content.convert.convert`, `bounded` apart.

        Raises:
            UnusableContent: nothing can be made of it, or not within the limits.
            InvalidArguments: an option does not fit the body.
            DeadlinePassed: the call's deadline passed meanwhile.
            CallCancelled: the call was cancelled meanwhile.
        """
        try:
            return convert(body, **options)
        except NeedsBounds as needs:
            return self._convert_in_worker(body, options, deadline, cancel, reusable=needs.reusable)

    def close(self) -> None:
        """End all workers."""
        self._pool.close()

    def _convert_in_worker(
        self, body: bytes, options: dict[str, Any], deadline: Deadline, cancel: CancelToken, *, reusable: bool
    ) -> Document:
        with self._pool.lend(deadline, cancel, reusable=reusable) as worker:
            seconds = min(deadline.remaining(), WORKER_SECONDS)
            try:
                answer = worker.ask({**options, "seconds": seconds}, body, deadline)
            except WorkerDied as died:
                cancel.check()
                if deadline.expired:
                    raise DeadlinePassed("the deadline passed while the page was read", phase="reading") from None
                raise UnusableContent(f"the page could not be read within its limits: {died}") from None
        return _read_answer(answer)


def _read_answer(answer: dict[str, Any]) -> Document:
    """Return the document in an answer, or raise what it says."""
    failed = answer.get("failed")
    if failed is None:
        return _read_document(answer.get("document"))
    if failed == "memory":
        raise UnusableContent(_TOO_LARGE)
    if failed == "recursion":
        raise UnusableContent(_TOO_DEEP)
    kind = InvalidArguments if failed == "arguments" else UnusableContent
    raise kind(str(answer.get("message")), advice=str(answer.get("advice") or ""))


def _read_document(fields: Any) -> Document:
    """Return a document that a worker sent. A page may have taken the worker over: types are checked, not believed."""
    try:
        document = Document(**fields)
        wrong = [name for name, types in _TYPES.items() if not isinstance(getattr(document, name), types)]
    except TypeError:
        wrong = ["fields"]
    if wrong:
        raise UnusableContent(f"the page could not be read: its worker answered nonsense ({', '.join(wrong)})")
    return document


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("content", "format", "media_type"), (str,)),
    **dict.fromkeys(("encoding", "title", "refresh", "byline", "date", "language"), (str, type(None))),
    **dict.fromkeys(("truncated", "needs_javascript"), (bool,)),
    "hidden_dropped": (int,),
    **dict.fromkeys(("pages", "width", "height"), (int, type(None))),
}
