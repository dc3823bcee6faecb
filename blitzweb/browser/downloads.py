"""Downloads: caught by their events, kept apart in the profile, handed on only where that was approved (BROWSER-08).

The reader thread writes, actions take. Chrome names the files by its own ids, so that no page names a file of ours.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from blitzweb.browser.session import Session
from blitzweb.limits import MAX_DOWNLOAD_BYTES
from blitzweb.timing import CancelToken, Deadline


class Download:
    """One; `state` is Chrome's: inProgress, completed, canceled."""

    __slots__ = ("bytes", "guid", "name", "state", "url")

    def __init__(self, guid: str, url: str, name: str) -> None:
        self.guid = guid
        self.url = url
        self.name = name
        self.state = "inProgress"
        self.bytes = 0


class Downloads:
    """Of one Chrome. `folder` is where files go until they are approved; "" where all are refused."""

    def __init__(self, browser: Session, folder: str, context: str = "") -> None:
        self._browser = browser
        self._context = {"browserContextId": context} if context else {}
        self._folder = folder
        self._changed = threading.Condition()
        self._begun: list[Download] = []  # not yet taken by an action
        self._all: dict[str, Download] = {}

    def catch(self) -> None:
        """Have Chrome tell of downloads, and refuse or keep them."""
        allowed = {"behavior": "allowAndName", "downloadPath": self._folder} if self._folder else {"behavior": "deny"}
        self._browser.send("Browser.setDownloadBehavior", eventsEnabled=True, **allowed, **self._context)

    def handle(self, method: str, params: Mapping[str, Any]) -> None:
        """Take an event, in the reader thread."""
        guid = str(params.get("guid", ""))
        with self._changed:
            if method == "Browser.downloadWillBegin":
                download = Download(guid, str(params.get("url", "")), str(params.get("suggestedFilename", "")))
                self._all[guid] = download
                self._begun.append(download)
            elif (found := self._all.get(guid)) is not None:
                found.bytes = int(params.get("receivedBytes", 0))
                found.state = str(params.get("state", found.state))
                if found.bytes > MAX_DOWNLOAD_BYTES:
                    self.cancel(found)
            self._changed.notify_all()

    def take_begun(self) -> list[Download]:
        """Return the downloads that have begun since the last time."""
        with self._changed:
            taken, self._begun = self._begun, []
            return taken

    def cancel(self, download: Download) -> None:
        """End a download; what came of it is not kept."""
        self._browser.send("Browser.cancelDownload", guid=download.guid, **self._context)
        self.forget(download)

    def await_end(self, download: Download, deadline: Deadline, cancel: CancelToken) -> bool:
        """Wait until a download has ended; tell whether it is whole."""
        with cancel.stopping(self._wake), self._changed:
            while download.state == "inProgress":
                cancel.check()
                self._browser.client.check()
                if deadline.expired or not self._changed.wait(deadline.remaining()):
                    return False
        return download.state == "completed"

    def path(self, download: Download) -> str:
        """Return where a download is kept until it is handed on."""
        return os.path.join(self._folder, download.guid)

    def forget(self, download: Download) -> None:
        """Remove what came of a download."""
        with self._changed:
            self._all.pop(download.guid, None)
        if self._folder and os.path.exists(self.path(download)):
            os.unlink(self.path(download))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
