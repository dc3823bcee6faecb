"""`blitzweb walkthroughs`: lists what was recorded, newest first (WEB-37)."""

from __future__ import annotations

import json
import sys

from blitzweb.errors import BlitzwebError
from blitzweb.flags import read_flags
from blitzweb.pictures.listing import Walkthrough, list_walkthroughs, walkthroughs_folder
from blitzweb.settings import load_settings
from blitzweb.settings.fallbacks import resolve_state_dir

USAGE = """\
usage: blitzweb walkthroughs [--json] [--config FILE] [--state-dir DIR]

List the browser's recorded walkthroughs, newest first. Open index.html in one of the folders to play it.
"""


def main(words: list[str]) -> int:
    """Run the command; return its exit code."""
    if "--help" in words or "-h" in words:
        sys.stdout.write(USAGE)
        return 0
    flags = read_flags([word for word in words if word != "--json"])
    settings = load_settings(config_path=flags.config, flags=flags.settings)
    root = walkthroughs_folder(settings, resolve_state_dir(flags.state_dir))
    try:
        found = list_walkthroughs(root)
    except OSError as error:
        raise BlitzwebError(f"the walkthroughs in {root} cannot be listed: {error.strerror}") from None
    if "--json" in words:
        sys.stdout.write(json.dumps([one._asdict() for one in found], ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write("".join(map(_line, found)) or f"No walkthrough was recorded ({root}).\n")
    return 0


def _line(one: Walkthrough) -> str:
    url = "".join(character if character.isprintable() else "�" for character in one.url)
    return f"{one.when}  {one.frames:3} frames  {one.folder}  {url}".rstrip() + "\n"
