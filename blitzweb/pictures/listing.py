"""Where walkthroughs are, and which ones there are (WEB-37)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from blitzweb.pictures.beside import STORY
from blitzweb.settings import Settings

_FOLDER: Final = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:-(\d{1,3}))?")
_FRAME: Final = re.compile(r"\d{3,}-[a-z_]+\.png")


class Walkthrough(NamedTuple):
    """One in the list; `url` is the page after its first step, empty if that is not known."""

    folder: str
    when: str  # local time
    frames: int
    url: str


def walkthroughs_folder(settings: Settings, state_dir: str) -> str:
    """Return the folder that holds a folder for each walkthrough."""
    return settings.walkthrough.dir or os.path.join(state_dir, "walkthroughs")


def list_walkthroughs(root: str) -> list[Walkthrough]:
    """Return the recorded walkthroughs, newest first; a folder with another name is none.

    Raises:
        OSError: the folder is there and cannot be read.
    """
    try:
        names = os.listdir(root)
    except FileNotFoundError:
        return []
    found = [match for name in names if (match := _FOLDER.fullmatch(name))]
    found.sort(key=lambda match: (match[0][:15], int(match[7] or 1)), reverse=True)
    return [walkthrough for match in found for walkthrough in _look(root, match)]


def _look(root: str, match: re.Match[str]) -> Iterator[Walkthrough]:
    folder = os.path.join(root, match[0])
    year, month, day, hour, minute, second = match.groups()[:6]
    with suppress(OSError):  # a file with such a name, or one that was removed meanwhile
        frames = sum(1 for name in os.listdir(folder) if _FRAME.fullmatch(name))
        yield Walkthrough(folder, f"{year}-{month}-{day} {hour}:{minute}:{second}", frames, _first_url(folder))


def _first_url(folder: str) -> str:
    """Return the first page's URL; a walkthrough that never ended has no story."""
    try:
        with open(os.path.join(folder, STORY), encoding="utf-8") as file:
            return str(json.load(file)["steps"][0]["url"])
    except (OSError, ValueError, LookupError, TypeError):
        return ""
