"""Run a command, or a shell, on the daemon's side of a lab: `scripts/lab [COMMAND …]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.support.lab.lab import Lab, LabUnavailable
from tests.support.lab.scene import EVERYDAY, OWN_IPV4, OWN_IPV6, Scene


def main(command: list[str]) -> int:
    """Start the everyday scene, run the command in it, and return its exit code."""
    try:
        with Lab() as lab, tempfile.TemporaryDirectory(prefix="lab-home-") as home:
            if not command:
                sys.stderr.write(describe(EVERYDAY) + "\n")
            shell = [os.environ.get("SHELL", "/bin/sh")]
            authority = dict.fromkeys(("SSL_CERT_FILE", "CURL_CA_BUNDLE", "LAB_CA_FILE"), str(lab.ca_file))
            return subprocess.run(lab.command(*(command or shell), HOME=home, **authority), check=False).returncode
    except LabUnavailable as error:
        sys.stderr.write(f"No lab on this machine: {error}\n")
        return 1


def describe(scene: Scene) -> str:
    """Return what a scene has, for a person."""
    lines = ["The lab: nothing here reaches a real network, and every address leads to the lab's own world.", ""]
    for name, answers in scene.names.items():
        shown = ", then ".join(answer if isinstance(answer, str) else " ".join(answer) for answer in answers)
        notes = [scene.endings.get(shown), scene.certificates.get(name)]
        lines.append(f"  {name:20} {shown} {' '.join(f'({note})' for note in notes if note)}".rstrip())
    return "\n".join(
        [
            *lines,
            "",
            f"Ports 80 (http) and 443 (https, trusted by $LAB_CA_FILE). This side is {OWN_IPV4} and {OWN_IPV6},",
            "with a web server of its own on port 80. Leave with exit.",
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
