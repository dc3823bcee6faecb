"""The image store: pictures under their hash in an owner-only folder, each once, swept when they are old (WEB-36)."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from contextlib import suppress
from typing import Final, NamedTuple

from blitzweb.errors import ToolFailure
from blitzweb.pictures.measure import image_size
from blitzweb.statefiles import write_private

_SUFFIXES: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf"}
_DAY_SECONDS: Final = 86_400


class StoredImage(NamedTuple):
    """One picture in the store; the size is in pixels, 0 for what is no picture."""

    uri: str
    path: str
    mime_type: str
    width: int
    height: int
    bytes: int


class ImageStore:
    """Safe from any thread. `enabled` false: nothing is kept, and whoever wants to is told."""

    def __init__(self, folder: str, *, retain_days: int, enabled: bool) -> None:
        self._folder = folder
        self._retain_days = retain_days
        self._enabled = enabled
        self._lock = threading.Lock()  # guards `_swept` alone
        self._swept = False

    def save(self, data: bytes, mime_type: str) -> StoredImage:
        """Keep a picture, unless it is there already; it counts as new from now on.

        Raises:
            ToolFailure: the store is off, or the file cannot be written.
        """
        if not self._enabled:
            raise ToolFailure("pictures are not kept (images.enabled = false)", advice="set images.enabled = true")
        self._sweep_once()
        digest = hashlib.sha256(data).hexdigest()
        path = os.path.join(self._folder, f"{digest}.{_SUFFIXES[mime_type]}")
        try:
            if os.path.isfile(path):
                os.utime(path)
            else:
                write_private(path, data)
        except OSError as error:
            raise ToolFailure(
                f"the picture could not be saved in {self._folder} ({error.strerror})", advice="free some space there"
            ) from None
        size = image_size(data)
        return StoredImage(f"blitzweb-image:{digest}", path, mime_type, size.width, size.height, len(data))

    def sweep(self) -> None:
        """Remove what nobody has saved for `retain_days`."""
        oldest = time.time() - self._retain_days * _DAY_SECONDS
        with suppress(OSError):
            for entry in os.scandir(self._folder):
                with suppress(OSError):
                    if entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < oldest:
                        os.unlink(entry.path)

    def _sweep_once(self) -> None:
        with self._lock:
            first, self._swept = not self._swept, True
        if first:
            self.sweep()
