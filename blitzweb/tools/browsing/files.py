"""`upload` and `pdf`: files that go into the page, and a file that the page becomes (BROWSER-08)."""

from __future__ import annotations

import base64
import os

from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.upload import give_files
from blitzweb.contract.browser import BrowserArguments
from blitzweb.errors import Refused
from blitzweb.policy.keys import UPLOAD_KEY
from blitzweb.policy.verdicts import Ask, Question, Reason, Refuse, Verdict
from blitzweb.settings.tables import Files
from blitzweb.tools.browsing.said import Said
from blitzweb.tools.browsing.scene import Scene


def print_pdf(_arguments: BrowserArguments, scene: Scene) -> Said:
    """Print the page into a PDF in the image store."""
    doing = scene.doing
    pending = doing.tab.session.send("Page.printToPDF", printBackground=True)
    data = base64.b64decode(doing.tab.await_answer(pending, doing.deadline, doing.cancel)["data"])
    saved = scene.equipment.images.save(data, "application/pdf")
    return Said(result=f"the page as a PDF ({saved.bytes} bytes) is in {saved.path}")


def upload(arguments: BrowserArguments, scene: Scene) -> Said:
    """Give files, which have been approved, to a field of the page."""
    paths = [resolve(path, scene.equipment.files) for path in arguments.files or ()]
    element = give_files(scene.doing, arguments.selector or "", paths)
    names = ", ".join(os.path.basename(path) for path in paths)
    return Said(result=f"{element} was given {names}")


def decide_upload(files: tuple[str, ...], settings: Files) -> Verdict:
    """Return whether files may be given to a page: only from a folder that the host allows, and by a person's word."""
    try:
        paths = [resolve(path, settings) for path in files]
    except Refused as refused:
        return Refuse(Reason.NOT_APPROVED, refused.message)
    detail = "\n".join(paths)
    return Ask(Question("upload", UPLOAD_KEY, "uploads into pages", detail, tuple(paths)))


def resolve(path: str, settings: Files) -> str:
    """Return the real path of a file that may be uploaded.

    Raises:
        Refused: it lies in none of the folders that uploads may come from.
        BrowserFailure: there is no such file.
    """
    real = os.path.realpath(os.path.expanduser(path))
    folders = [os.path.realpath(os.path.expanduser(folder)) for folder in settings.upload_dirs]
    if not any(os.path.commonpath([real, folder]) == folder for folder in folders):
        where = f"they are {', '.join(settings.upload_dirs)}" if settings.upload_dirs else "there are none"
        text = f"not approved: {path} is in no folder of files.upload_dirs ({where})"
        raise Refused(text, reason=Reason.NOT_APPROVED.value)
    if not os.path.isfile(real):
        raise BrowserFailure(f"there is no file {path}")
    return real
