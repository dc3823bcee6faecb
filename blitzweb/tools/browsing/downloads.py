"""What an action downloaded: refused unless a folder is set and a person agrees; saved owner-only (BROWSER-08)."""

from __future__ import annotations

import os
import re
import shutil
from typing import Final

from blitzweb.browser.downloads import Download, Downloads
from blitzweb.errors import Refused
from blitzweb.limits import MAX_DOWNLOAD_BYTES, MAX_FILE_NAME_CHARS
from blitzweb.policy.keys import DOWNLOAD_KEY
from blitzweb.policy.texts import without_credentials
from blitzweb.policy.verdicts import Ask, Question
from blitzweb.statefiles import ensure_private_folder
from blitzweb.tools.browsing.decisions import by_rules
from blitzweb.tools.browsing.scene import Scene

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")


def collect(scene: Scene) -> list[str]:
    """Decide on the downloads that have begun, and return what there is to tell of each."""
    downloads = scene.chrome.downloads
    return [_decide(scene, downloads, download) for download in downloads.take_begun()]


def _decide(scene: Scene, downloads: Downloads, download: Download) -> str:
    name, url = safe_name(download.name), without_credentials(download.url)[:300]
    folder = scene.equipment.files.download_dir
    if not folder:
        return f"the download of {name} ({url}) was refused: files.download_dir is not set"
    question = Question("download", DOWNLOAD_KEY, "downloads from pages", f"{url}\nas {name} into {folder}", (name,))
    verdict = by_rules(scene.equipment, "download", Ask(question))
    try:
        scene.call.approver.settle(verdict, scene.call, target=name, detail=f"{url} as {name}")
    except Refused as refused:
        downloads.cancel(download)
        return f"the download of {name} ({url}) was refused: {refused.message}"
    except BaseException:  # the call ends while the question is open
        downloads.cancel(download)
        raise
    if not downloads.await_end(download, scene.deadline, scene.call.cancel):
        downloads.cancel(download)
        why = (
            f"it is larger than {MAX_DOWNLOAD_BYTES:,} bytes" if download.bytes > MAX_DOWNLOAD_BYTES else download.state
        )
        return f"the download of {name} ({url}) did not come to its end ({why}); nothing was saved"
    return _save(downloads, download, os.path.expanduser(folder), name)


def _save(downloads: Downloads, download: Download, folder: str, name: str) -> str:
    stem, suffix = os.path.splitext(name)
    try:
        ensure_private_folder(folder)
        for number in range(1, 1000):
            path = os.path.join(folder, name if number == 1 else f"{stem}-{number}{suffix}")
            if _claim(path):
                shutil.move(downloads.path(download), path)
                os.chmod(path, 0o600)
                return f"downloaded {path} ({download.bytes} bytes)"
    except OSError as error:
        return f"the download of {name} could not be saved in {folder} ({error.strerror})"
    finally:
        downloads.forget(download)
    return f"the download of {name} could not be saved: there are 999 files of that name in {folder}"


def _claim(path: str) -> bool:
    """Make an empty file of a name that is free; tell whether it was."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def safe_name(suggested: str) -> str:
    """Return a file name that is one: the last part of what a page suggests, in plain characters, never hidden."""
    last = re.split(r"[/\\]", suggested)[-1]
    return _UNSAFE.sub("_", last).lstrip(".")[:MAX_FILE_NAME_CHARS] or "download"
