"""A GIF or WebM out of a walkthrough's animated PNG, by ffmpeg where it is found; bounded in time (WEB-37)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

_EVEN: Final = "pad=ceil(iw/2)*2:ceil(ih/2)*2"  # the encoder takes no odd sides
# Two pictures a second show every frame for its time (FRAME_MS) and are the fewest that do.
_ENCODE: Final = {
    "webm": (
        "-vf",
        f"fps=2,{_EVEN}",
        "-c:v",
        "libvpx",
        "-deadline",
        "realtime",
        "-cpu-used",
        "8",
        "-b:v",
        "2M",
        "-pix_fmt",
        "yuv420p",
    ),
    "gif": ("-vf", "fps=2,split[a][b];[a]palettegen[p];[b][p]paletteuse"),
}


def make_video(folder: str, animation: str, form: str, seconds: float) -> str:
    """Make `walkthrough.FORM` of the file `animation` in `folder`; return why there is none, or an empty text."""
    name = f"walkthrough.{form}"
    if seconds <= 0:
        return f"there is no {name}: the browser had to be ended at once"
    program = shutil.which("ffmpeg")
    if program is None:
        return f"there is no {name}: ffmpeg is not on the PATH; walkthrough.png is an animation"
    temporary = f"{name}.{os.getpid()}.tmp"
    try:
        os.close(os.open(os.path.join(folder, temporary), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            if reason := _run(_command(program, animation, form, temporary), folder, seconds):
                return f"there is no {name}: {reason}"
            os.replace(os.path.join(folder, temporary), os.path.join(folder, name))
        finally:
            with suppress(OSError):
                os.unlink(os.path.join(folder, temporary))
    except OSError as error:
        return f"there is no {name}: {error.strerror}"
    return ""


def _command(program: str, animation: str, form: str, output: str) -> list[str]:
    before = [program, "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file"]
    return [*before, "-f", "apng", "-i", f"file:{animation}", *_ENCODE[form], "-f", form, f"file:{output}"]


def _run(command: Sequence[str], folder: str, seconds: float) -> str:
    """Run it to its end, or kill it; return what went wrong. It gets no variable of ours but the PATH."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={"PATH": os.environ.get("PATH", "")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"ffmpeg was not done within {seconds:.0f} s"
    words = done.stderr.decode(errors="replace").strip().splitlines()
    return f"ffmpeg failed ({words[-1][:200] if words else f'exit code {done.returncode}'})" if done.returncode else ""
