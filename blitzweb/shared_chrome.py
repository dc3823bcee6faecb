"""One Chrome for all workspaces, `browser.shared`: each has a context and a proxy of its own (WEB-30).

It is started with the first workspace and ends with the last one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from blitzweb.browser.start import Launched
from blitzweb.timing import CancelToken, Deadline

Start = Callable[[Deadline, CancelToken], Launched]


class SharedChrome:
    """Counts who uses the Chrome; the lock is held while it starts, since all of them wait for the same one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._launched: Launched | None = None
        self._users = 0

    def take(self, start: Start, deadline: Deadline, cancel: CancelToken) -> Launched:
        """Return the Chrome, started if there is none; `give_back` must follow.

        Raises:
            BrowserUnavailable: it does not start.
        """
        with self._lock:
            if self._launched is None or self._launched.client.gone:
                self._end()
                self._launched = start(deadline, cancel)
            self._users += 1
            return self._launched

    def give_back(self) -> None:
        """Note that one workspace has left; the last one ends the Chrome."""
        with self._lock:
            self._users = max(0, self._users - 1)
            if not self._users:
                self._end()

    def _end(self) -> None:
        launched, self._launched = self._launched, None
        if launched is not None:
            self._users = 0
            launched.close(gently=False)
