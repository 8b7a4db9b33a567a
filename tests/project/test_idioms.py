"""The idioms that are measured beside C by hand: each is in all files, and the command measures it."""

import re
import subprocess
import sys

import aplc
from tests.idioms.__main__ import HERE
from tests.idioms.rows import ROWS
from tests.support.machine import needs_c
from tests.support.paths import ROOT

NAMES = [row.name for row in ROWS]


def test_each_idiom_is_in_apl_and_in_c() -> None:
    assert list(aplc.load(HERE / "idioms.apl")) == NAMES
    in_c = re.findall(r"^(?:void|I|double) (\w+)\(", (HERE / "idioms.c").read_text("utf-8"), re.MULTILINE)
    assert in_c == NAMES


@needs_c
def test_the_command_measures_an_idiom() -> None:
    command = [sys.executable, "-m", "tests.idioms", "gray", "--runs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\| gray \| bits( \| \d+\.\d\d){4} \|", done.stdout.splitlines()[-1])
