"""Generated C under the sanitizers of gcc and under valgrind: samples and random programs, in a C main.

A read or a write beside an array, an undefined operation and memory that nobody frees end the test, and the
values must be those of the interpreter. Every day other random programs come, and another eighth of the
samples. The environment variable APLC_SANITIZE has the number of a day, or `all` for all samples:

    APLC_SANITIZE=all python -m pytest tests/programs/test_generated_c.py
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aplc.compiler import to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import decode
from aplc.targets.interp import Interpreted
from backends.c.program import CProgram, ValueType
from backends.native.run import headers
from backends.native.toolchain import find_compiler
from tail.errors import AplcError
from tail.types import Base
from tests import tier1_programs
from tests.fuzz_targets import DIFFERS, Case, Given, Outcome, judged
from tests.fuzz_targets import prepared as elaborated
from tests.support.apl_programs import random_program
from tests.support.c_main import Prepared, Value, main_of, observed, prepared
from tests.support.machine import lack_of
from tests.support.observing import Observed, difference, observe
from tests.support.samples import read_sample, sample_paths

SECONDS = 300
LEVELS = (0, 2, 3)
PROGRAMS_PER_LEVEL = 20
PARTS = 8
"""Into so many the samples are divided."""
CHOSEN = os.environ.get("APLC_SANITIZE", "")
DAY = int(CHOSEN) if CHOSEN.isdigit() else date.today().toordinal() % 1000


# --- running --------------------------------------------------------------------------------------------


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
SANITIZERS = Tool(
    ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    (),
    ("ERROR: ", "runtime error: ", "SUMMARY: "),
    {
        "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    },
)
VALGRIND = Tool((), ("valgrind", "--error-exitcode=9", "--leak-check=full", "--quiet"), ("==",))
LEAK = "#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(8); p = 0; return 0; }\n"


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


@cache
def lack(name: str, directory: Path) -> str:
    """Why nothing can be checked here; empty if it can: a leak is found, and nothing else complained of."""
    tool = TOOLS[name]
    if why := lack_of("c"):
        return why
    if tool.command and shutil.which(tool.command[0]) is None:
        return f"there is no {tool.command[0]} on PATH"
    directory.mkdir()
    clean = watched(tool, "int main(void) { return 0; }\n", directory)
    if clean.status != 0:
        return f"{name} does not run here ({clean.complaint.strip()[:200]})"
    if watched(tool, LEAK, directory).status == 0:
        return f"{name} finds no leaks here"
    return ""


TOOLS = {"sanitizers": SANITIZERS, "valgrind": VALGRIND}


def directory_for(name: str, tmp_path: Path, base: Path) -> Path:
    """A directory to work in; the test is skipped where the tool does not run."""
    if missing := lack(name, base / name):
        pytest.skip(f"NOT CHECKED: {missing}")
    return tmp_path


@pytest.fixture
def scratch(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory_for("sanitizers", tmp_path, tmp_path_factory.getbasetemp())


@pytest.fixture
def scratch_of_valgrind(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory_for("valgrind", tmp_path, tmp_path_factory.getbasetemp())


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


# --- random programs ------------------------------------------------------------------------------------


def of_tier_1(random: Random) -> Given:
    """A random program of tier 1."""
    return tier1_programs.as_given(tier1_programs.random_program(random))


@pytest.mark.parametrize("make", [random_program, of_tier_1])
@pytest.mark.parametrize("level", LEVELS)
def test_random_programs(make: Callable[[Random], Given], level: int, scratch: Path) -> None:
    first = 1_000_000 + (DAY * len(LEVELS) + level) * PROGRAMS_PER_LEVEL
    programs = {seed: make(Random(seed)) for seed in range(first, first + PROGRAMS_PER_LEVEL)}
    ready = {f"{seed}: {p.text}": elaborated(p) for seed, p in programs.items()}
    cases = {name: case for name, case in ready.items() if isinstance(case, Case)}
    assert len(cases) > PROGRAMS_PER_LEVEL / 2
    fail_with(faults(SANITIZERS, cases, level, scratch))


# --- samples --------------------------------------------------------------------------------------------


@cache
def sample_cases() -> dict[str, Case]:
    """The cases of the samples of the day that compile, by the names of the samples."""
    found: dict[str, Case] = {}
    for k, path in enumerate(sample_paths()):
        if CHOSEN != "all" and (k + DAY) % PARTS != 0:
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


@pytest.mark.parametrize("level", LEVELS)
def test_samples(level: int, scratch: Path) -> None:
    mine = {
        name: case
        for k, (name, case) in enumerate(sample_cases().items())
        if LEVELS[(k + DAY) % len(LEVELS)] == level
    }
    fail_with(faults(SANITIZERS, mine, level, scratch))


# --- memory that changes hands --------------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """A program, and inputs for it."""

    text: str
    inputs: dict[str, Value]


def one(text: str, **inputs: object) -> Text:
    return Text(text, {name: np.asarray(value) for name, value in inputs.items()})


MATRIX = [[2.0, 0.0], [1.0, 4.0]]
HANDED = (
    one("⌹m", m=MATRIX),
    one("⎕←a←⌹m ⋄ ⍕a+.×m", m=MATRIX),
    one("a←⌹m ⋄ ⌹n", m=MATRIX, n=[[1.0, 1.0], [1.0, 1.0]]),
    one("{+/,⌹⍵×m}¨v", m=MATRIX, v=[1.0, 0.0]),
    one("{⍴⍕⍵}¨v", v=[10, -5]),
    one("a←?n⍴k ⋄ b←n?k ⋄ ∧/(a≤k),b≤k", n=5, k=100_000),
    one("{(⍵?9)⍳1}¨v", v=[3, 4, 9]),
    one("n?k", n=4, k=3),
    one("{⍵≤1:1 ⋄ ⍵×∇⍵-1}n", n=10),
    one("{2>≢⍵:⍵ ⋄ (∇1↓⍵),1↑⍵}v", v=[3, 1, 2]),
    one("{1≥≢⍵:⍵ ⋄ p←⊃⍵ ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}v", v=[3, 1, 2, 3, 9, 0]),
    one("{0=≢⍵:÷⊃w ⋄ ∇1↓⍵}v", v=[3, 1, 2], w=[0.0]),
    one("{⍵>k:⍵⊃v ⋄ ∇⍵+1}1", v=[3, 1], k=5),
    one("({⍵,⌽⍵}⍣n)v", v=[3, 1], n=3),
    one("({⌽⍵}⍣{5<+/⍺})v", v=[3, 1, 4]),
    one("{a←⍵ ⋄ a[⍋a]←⍳≢a ⋄ a}⍤1⊢m", m=[[3, 1, 2], [9, 7, 8]]),
    one("{a←⍵ ⋄ a[i]←0 ⋄ a}⍤1⊢m", m=[[3, 1, 2], [9, 7, 8]], i=[1, 4]),
    one("{a←3 5⍴1 ⋄ a[,k;w]←4 ⋄ a}⍤1⊢m", m=np.zeros((0, 2)), k=3, w=[2, 1, 5]),
    one("v⍳w ⋄ (∪v)[⍋∪v]", v=[3, 1, 3, 2], w=[2, 7]),
    one("{(∪⍵)⍳3}⍤1⊢m", m=[[3, 1, 2], [9, 7, 3]]),
    one("⎕RL←k ⋄ a←?3⍴9 ⋄ ⎕RL←k ⋄ a≡?3⍴9", k=7),
    one("x←(v,w)[i] ⋄ ÷x", v=[1.0], w=[0.0, 2.0], i=[1, 2, 3]),
)
"""Answers of the host, random numbers, recursion, loops, updates of none, tables; errors in their midst."""


def handed() -> dict[str, Case]:
    ready = {each.text: elaborated(each) for each in HANDED}
    refused = {text: case for text, case in ready.items() if isinstance(case, Outcome)}
    assert not refused
    return {text: case for text, case in ready.items() if isinstance(case, Case)}


@pytest.mark.parametrize("level", LEVELS)
def test_memory_that_changes_hands(level: int, scratch: Path) -> None:
    fail_with(faults(SANITIZERS, handed(), level, scratch))


def test_under_valgrind(scratch_of_valgrind: Path) -> None:
    samples = list(sample_cases().items())
    cases = {**handed(), **dict(samples[:: max(1, len(samples) // 12)])}
    fail_with(faults(VALGRIND, cases, 2, scratch_of_valgrind))


# --- mistakes -------------------------------------------------------------------------------------------


def broken(tool: Tool, statement: str, scratch: Path) -> str:
    """What a tool says of a program with a mistake."""
    text = (
        '#include "aplc.h"\n'
        "APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {\n"
        f"    (void)host;\n    int64_t *a = aplc_alloc(1, 8);\n    {statement}\n"
        "    out[0].data = a;\n    out[0].shape[0] = 0;\n    return APLC_OK;\n}\n"
    )
    program = CProgram(text, (), (), (ValueType(Base.INT, 1),))
    run = watched(tool, main_of({0: Prepared(program, [np.array([1, 2, 3])], [], "")}), scratch)
    assert run.status > 0
    return run.complaint


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("a[0] = ((const int64_t *)in[0].data)[3];", "heap-buffer-overflow"),
        ("a[-1] = 1;", "heap-buffer-overflow"),
        ("aplc_alloc(100, 8);", "detected memory leaks"),
        ("a[0] = in[0].shape[0] / (in[0].shape[0] - 3);", "division by zero"),
        ("free(a);", "attempting double-free"),
    ],
)
def test_mistakes_are_found(statement: str, complaint: str, scratch: Path) -> None:
    assert complaint in broken(SANITIZERS, statement, scratch)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("a[1] = 1;", "Invalid write"),
        ("aplc_alloc(100, 8);", "definitely lost"),
        ("if (a[0] == 3) a[0] = 1;", "uninitialised"),
    ],
)
def test_mistakes_are_found_by_valgrind(statement: str, complaint: str, scratch_of_valgrind: Path) -> None:
    assert complaint in broken(VALGRIND, statement, scratch_of_valgrind)
