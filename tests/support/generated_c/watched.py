"""Generated C in a C main, run under tools that watch it: sanitizers and valgrind."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import find_compiler
from aplc.compiler import to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import decode
from aplc.tail.errors import AplcError
from aplc.targets.interp import Interpreted
from tests import tier1_programs
from tests.fuzz_targets import DIFFERS, Case, Given, Outcome, judged
from tests.support.days import DAY
from tests.support.generated_c.main import Value, main_of, observed, prepared
from tests.support.observing import Observed, difference, observe
from tests.support.samples import read_sample, sample_paths

SECONDS = 300


PARTS = 32
"""Into so many the samples are divided."""
CHOSEN = os.environ.get("APLC_SANITIZE", "")
ROUND = int(CHOSEN) if CHOSEN.isdigit() else DAY % 1000


@dataclass(frozen=True)
class Tool:
    """What watches a program: flags of the C compiler, a command before it, the looks of complaints, and the
    compiler, if only that one will do.
    """

    flags: tuple[str, ...]
    command: tuple[str, ...]
    summary: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    compiler: str = ""


FLAGS = ("-std=gnu11", "-O1", "-g", "-fwrapv", "-fno-math-errno", "-ffp-contract=off")


@dataclass(frozen=True)
class Run:
    """What a program that is watched said."""

    status: int
    output: str
    complaint: str


def watched(tool: Tool, text: str, directory: Path) -> Run:
    """Compile a C program, and run it with a tool."""
    for name, header in headers().items():
        (directory / name).write_text(header, "utf-8")
    (directory / "main.c").write_text(text, "utf-8")
    target = str(directory / "main")
    compiler = (tool.compiler,) if tool.compiler else find_compiler().command
    command = (*compiler, *FLAGS, str(directory / "main.c"), *tool.flags, "-lm", "-o", target)
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    if made.returncode != 0:
        return Run(-1, "", made.stderr)
    environment = {**os.environ, **tool.environment}
    done = subprocess.run(
        (*tool.command, target), capture_output=True, text=True, check=False, timeout=SECONDS, env=environment
    )
    return Run(done.returncode, done.stdout, done.stderr)


def faults(tool: Tool, cases: Mapping[str, Case], level: int, directory: Path, tail: str = "") -> list[str]:
    """What is wrong with programs when a tool watches them, one text each; `tail` is C behind them."""
    names = list(cases)
    programs = {k: prepared(cases[name], level) for k, name in enumerate(names)}
    run = watched(tool, main_of(programs) + tail, directory)
    if run.status == -1:
        return [run.complaint]
    sections = dict(_section(part) for part in run.output.split("program ")[1:])
    found: list[str] = []
    for number, each in programs.items():
        lines = sections.get(number)
        if lines is None or lines[-1:] != ["end"]:
            found.append(f"{names[number]} at level {level}: it ends early")
            break
        outcome = agreement(cases[names[number]], observed(each, lines[:-1]))
        if outcome.status == DIFFERS:
            found.append(f"{names[number]} at level {level}: {outcome.detail}")
    if run.status != 0:
        lines = [x for x in run.complaint.splitlines() if any(s in x for s in tool.summary)]
        found.append("\n".join((lines or [run.complaint])[:12]))
    return found


def _section(part: str) -> tuple[int, list[str]]:
    number, *lines = part.splitlines()
    return int(number), lines


def agreement(case: Case, got: Observed) -> Outcome:
    """How the values compare with those of the interpreter."""
    found = difference(case.expected, got)
    return judged(case, got, found) if found else Outcome("agreed")


def fail_with(found: list[str]) -> None:
    """The failure of a test, if there is one."""
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def of_tier_1(random: Random) -> Given:
    """A random program of tier 1."""
    return tier1_programs.as_given(tier1_programs.random_program(random))


@cache
def sample_cases() -> dict[str, Case]:
    """The cases of the samples of the day that compile, by the names of the samples."""
    found: dict[str, Case] = {}
    for k, path in enumerate(sample_paths()):
        if CHOSEN != "all" and (k + ROUND) % PARTS != 0:
            continue
        sample = read_sample(path)
        for number, case in enumerate(sample.cases if not sample.xfail else []):
            types = {name: given.type for name, given in case.inputs.items()}
            try:
                source = decode(sample.data, sample.name)
                term = with_deep_stack(lambda: to_tail([source], types)).term  # noqa: B023
            except AplcError:
                continue
            inputs = [given.value for given in case.inputs.values()]
            expected = with_deep_stack(lambda: observe(Interpreted(term).run, inputs))  # noqa: B023
            storage = {name: given.storage for name, given in case.inputs.items()}
            found[f"{sample.name}, case {number}"] = Case(term, inputs, storage, expected)
    return found


@dataclass(frozen=True)
class Text:
    """A program, and inputs for it."""

    text: str
    inputs: dict[str, Value]


def one(text: str, **inputs: object) -> Text:
    return Text(text, {name: np.asarray(value) for name, value in inputs.items()})
