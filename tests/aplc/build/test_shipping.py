"""The walk-through of docs/shipping.md: its files are written, its commands run, their output is compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.commands import environment
from tests.support.machine import needs_c
from tests.support.paths import ROOT

BLOCK = re.compile(r"^<!-- (file (?P<file>\S+)|run|output) -->\n```\w+\n(?P<text>.*?)^```$", re.M | re.S)


@needs_c
def test_the_walk_through(tmp_path: Path) -> None:
    commands = tmp_path / "commands"
    commands.mkdir()
    for name, program in (("aplc", f'"{sys.executable}" -m aplc'), ("cc", "gcc")):
        script = commands / name
        script.write_text(f'#!/bin/sh\nexec {program} "$@"\n', "utf-8")
        script.chmod(0o755)
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    said = ""
    blocks = list(BLOCK.finditer((ROOT / "docs" / "shipping.md").read_text("utf-8")))
    assert len(blocks) >= 5
    for block in blocks:
        if block["file"]:
            (tmp_path / block["file"]).write_text(block["text"], "utf-8")
        elif block[1] == "run":
            done = subprocess.run(
                ["sh", "-e", "-c", block["text"]], capture_output=True, text=True, check=False,
                cwd=tmp_path, env=environment(PATH=path),
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
            said = done.stdout
        else:
            assert said == block["text"]
