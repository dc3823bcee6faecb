"""Bodies to documents where that is safe: small harmless ones here, all others in a worker (CONTENT-10).

Whatever happens in a worker ends in a document, in an error for the model, or with the call's own end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from blitzweb.content.document import Document
from blitzweb.errors import DeadlinePassed, InvalidArguments, UnusableContent
from blitzweb.limits import WORKER_MEMORY_BYTES, WORKER_SECONDS
from blitzweb.timing import CancelToken, Deadline
from blitzweb.workers.pool import Pool
from blitzweb.workers.worker import WorkerDied

if TYPE_CHECKING:
    from blitzweb.content.outline import Outline

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
        from blitzweb.content.convert import NeedsBounds, convert  # with all parsers: not before there is a page

        try:
            return convert(body, **options)
        except NeedsBounds as needs:
            task = {"task": "document", **options}
            answer = self._ask_worker(body, task, deadline, cancel, reusable=needs.reusable)
        return _read_document(answer.get("document"))

    def outline(self, body: bytes, *, deadline: Deadline, cancel: CancelToken, **options: Any) -> Outline:
        """Return the outline of a page; the options are those of `content.outline.read_outline`, `bounded` apart.

        Raises: as `convert`.
        """
        from blitzweb.content.convert import NeedsBounds
        from blitzweb.content.outline import read_outline

        try:
            return read_outline(body, **options)
        except NeedsBounds as needs:
            task = {"task": "outline", **options}
            answer = self._ask_worker(body, task, deadline, cancel, reusable=needs.reusable)
        return _read_outline(answer.get("outline"))

    def close(self) -> None:
        """End all workers."""
        self._pool.close()

    def _ask_worker(
        self, body: bytes, task: dict[str, Any], deadline: Deadline, cancel: CancelToken, *, reusable: bool
    ) -> dict[str, Any]:
        with self._pool.lend(deadline, cancel, reusable=reusable) as worker:
            seconds = min(deadline.remaining(), WORKER_SECONDS)
            try:
                answer = worker.ask({**task, "seconds": seconds}, body, deadline)
            except WorkerDied as died:
                cancel.check()
                if deadline.expired:
                    raise DeadlinePassed("the deadline passed while the page was read", phase="reading") from None
                raise UnusableContent(f"the page could not be read within its limits: {died}") from None
        _raise_failure(answer)
        return answer


def _raise_failure(answer: dict[str, Any]) -> None:
    """Raise what went wrong in a worker, if anything did."""
    failed = answer.get("failed")
    if failed is None:
        return
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


def _read_outline(fields: Any) -> Outline:
    """Return an outline that a worker sent; as `_read_document`."""
    from blitzweb.content.outline import Outline

    try:
        title, text, links = fields
        outline = Outline(title, text, tuple((label, target) for label, target in links))
        texts = (title, text, *(part for link in outline.links for part in link))
    except (TypeError, ValueError):
        texts = (None,)
    if not all(isinstance(part, str) for part in texts):
        raise UnusableContent("the page could not be read: its worker answered nonsense")
    return outline


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("content", "format", "media_type"), (str,)),
    **dict.fromkeys(("encoding", "title", "refresh", "byline", "date", "language"), (str, type(None))),
    **dict.fromkeys(("truncated", "needs_javascript"), (bool,)),
    "hidden_dropped": (int,),
    **dict.fromkeys(("pages", "width", "height"), (int, type(None))),
}
