"""The idioms that are measured beside C by hand: each is in all files, and the command measures it."""

import re
import subprocess
import sys

import pytest

import aplc
from tests.idioms.__main__ import HERE, SETS
from tests.support.machine import needs_c
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", SETS)
def test_each_idiom_is_in_apl_and_in_c(name: str) -> None:
    names = [row.name for row in SETS[name]]
    assert list(aplc.load(HERE / f"{name}.apl")) == names
    in_c = re.findall(r"^(?:void|I|double) (\w+)\(", (HERE / f"{name}.c").read_text("utf-8"), re.MULTILINE)
    assert in_c == names


@needs_c
def test_the_command_measures_an_idiom() -> None:
    command = [sys.executable, "-m", "tests.idioms", "gray", "--runs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"\| gray \| bits( \| \d+\.\d\d){4} \|", done.stdout.splitlines()[-1])
