"""Screenshots for the user: named files in a folder of the workspace, never outside it (DIGEST-11)."""

from __future__ import annotations

import hashlib
import os
import re
from typing import Final

from blitzweb.contract.calls import ImageInfo
from blitzweb.contract.digest import BrowserScreenshotOutput
from blitzweb.errors import ToolFailure
from blitzweb.limits import MAX_FILE_NAME_CHARS
from blitzweb.pictures.measure import image_size
from blitzweb.statefiles import ensure_private_folder, write_private
from blitzweb.tools.call import ToolResult

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
_MOST: Final = 10_000  # files of one name in one folder


def save_shot(root: str, workspace: str, filename: str | None, png: bytes) -> ToolResult:
    """Save a picture and tell where it is; the bytes are the user's."""
    folder = os.path.join(root, safe_part(workspace) or "default")
    try:
        path = _claim(folder, filename)
        write_private(path, png)
    except OSError as error:
        raise ToolFailure(
            f"the screenshot could not be saved in {folder} ({error.strerror})", advice="free some space there"
        ) from None
    size, name = image_size(png), os.path.basename(path)
    image = ImageInfo(
        uri=f"blitzweb-image:{hashlib.sha256(png).hexdigest()}",
        path=path,
        mime_type="image/png",
        width=size.width,
        height=size.height,
        bytes=len(png),
        audience="user",
    )
    output = BrowserScreenshotOutput(name=name, path=path, bytes=len(png), mime_type="image/png")
    text = f"Saved {name} for the user: {path} ({len(png)} bytes, image/png, {size.width} x {size.height})"
    return ToolResult(output, text, images=(image,))


def safe_name(filename: str) -> str:
    """Return a name that is one: the last part, in plain characters, not hidden, with one `.png` at its end."""
    stem = safe_part(re.split(r"[/\\]", filename)[-1])
    while stem.lower().endswith(".png"):
        stem = stem[:-4]
    return f"{stem[: MAX_FILE_NAME_CHARS - 4]}.png" if stem else ""


def safe_part(text: str) -> str:
    """Return a text as a part of a path."""
    return _UNSAFE.sub("_", text).lstrip(".")[:MAX_FILE_NAME_CHARS]


def _claim(folder: str, filename: str | None) -> str:
    """Return a path of a file that is made now and was not there before."""
    ensure_private_folder(folder)
    name = safe_name(filename or "")
    stem = name.removesuffix(".png")
    for number in range(1, _MOST):
        tried = f"screenshot-{number}.png" if not name else name if number == 1 else f"{stem}-{number}.png"
        path = os.path.join(folder, tried)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        return path
    raise ToolFailure(f"there are {_MOST} screenshots of that name in {folder} already", advice="give another filename")
