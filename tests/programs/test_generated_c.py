"""Generated C under the sanitizers of gcc and under valgrind: samples and random programs, in a C main.

A read or a write beside an array, an undefined operation and memory that nobody frees end the test, and the
values must be those of the interpreter. Every day other random programs come, and some others of the
samples. The environment variable APLC_SANITIZE has the number of a day, or `all` for all samples:

    APLC_SANITIZE=all python -m pytest tests/programs/test_generated_c.py
"""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aplc.backends.c.program import CProgram, ValueType
from aplc.tail.types import Base
from tests.fuzz_targets import Case, Given, Outcome
from tests.fuzz_targets import prepared as elaborated
from tests.support.apl_programs.idioms import program_of_idioms
from tests.support.apl_programs.programs import random_program
from tests.support.days import of_today
from tests.support.generated_c.main import Prepared, main_of
from tests.support.generated_c.watched import (
    ROUND,
    Tool,
    fail_with,
    faults,
    of_tier_1,
    one,
    sample_cases,
    watched,
)
from tests.support.machine import lack_of

LEVELS = (0, 2, 3)
PROGRAMS_PER_LEVEL = 6


# --- running --------------------------------------------------------------------------------------------


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


# --- random programs ------------------------------------------------------------------------------------


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("make", [random_program, of_tier_1, program_of_idioms])
@pytest.mark.parametrize("level", LEVELS)
def test_random_programs(make: Callable[[Random], Given], level: int, scratch: Path) -> None:
    first = 1_000_000 + (ROUND * len(LEVELS) + level) * PROGRAMS_PER_LEVEL
    programs = {seed: make(Random(seed)) for seed in range(first, first + PROGRAMS_PER_LEVEL)}
    ready = {f"{seed}: {p.text}": elaborated(p) for seed, p in programs.items()}
    cases = {name: case for name, case in ready.items() if isinstance(case, Case)}
    assert len(cases) > PROGRAMS_PER_LEVEL / 2
    fail_with(faults(SANITIZERS, cases, level, scratch))


# --- samples --------------------------------------------------------------------------------------------


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("level", LEVELS)
def test_samples(level: int, scratch: Path) -> None:
    mine = {
        name: case
        for k, (name, case) in enumerate(sample_cases().items())
        if LEVELS[(k + ROUND) % len(LEVELS)] == level
    }
    fail_with(faults(SANITIZERS, mine, level, scratch))


# --- memory that changes hands --------------------------------------------------------------------------


MATRIX = [[2.0, 0.0], [1.0, 4.0]]
SEARCHES = "w←k⊆v ⋄ h←w[⍳⌊(≢w)÷2] ⋄ (⍋w)(⍒w)({≢⍵}⌸w)(h⍳w)(∊∪w)(w{+/⍵}⌸⍳≢w)(≢h∪w)(w≡⌽w)"
RUNS = np.arange(99) % 11 % 4
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
    one("3{⍺≤0:⍵ ⋄ (⍺-1)∇ 4↑⍵}{u←⍵ ⋄ u[2]←9 ⋄ u}v", v=[3, 1, 2, 7, 5, 8]),
    one("({⌽⍵}⍣{5<+/⍺})v", v=[3, 1, 4]),
    one("{a←⍵ ⋄ a[⍋a]←⍳≢a ⋄ a}⍤1⊢m", m=[[3, 1, 2], [9, 7, 8]]),
    one("{a←⍵ ⋄ a[i]←0 ⋄ a}⍤1⊢m", m=[[3, 1, 2], [9, 7, 8]], i=[1, 4]),
    one("{a←3 5⍴1 ⋄ a[,k;w]←4 ⋄ a}⍤1⊢m", m=np.zeros((0, 2)), k=3, w=[2, 1, 5]),
    one("v⍳w ⋄ (∪v)[⍋∪v]", v=[3, 1, 3, 2], w=[2, 7]),
    one("{(∪⍵)⍳3}⍤1⊢m", m=[[3, 1, 2], [9, 7, 3]]),
    one("⎕RL←k ⋄ a←?3⍴9 ⋄ ⎕RL←k ⋄ a≡?3⍴9", k=7),
    one("x←(v,w)[i] ⋄ ÷x", v=[1.0], w=[0.0, 2.0], i=[1, 2, 3]),
    one(SEARCHES, k=RUNS, v=np.arange(99) % 7),
    one(SEARCHES, k=RUNS, v=np.arange(99, dtype=np.int8) % 3),
    one(SEARCHES, k=RUNS % 2 == 1, v=np.arange(99) % 5 * 0.3),
    one(SEARCHES, k=RUNS[:0], v=[]),
    one("{(k⊆⍵)⍳⊂⍵}⍤1⊢m", k=[1, 2, 0], m=[[3, 1, 2], [9, 7, 3]]),
)
"""Answers of the host, random numbers, recursion, loops, updates of none, tables; errors in their midst."""


def handed() -> dict[str, Case]:
    ready = {each.text: elaborated(each) for each in HANDED}
    refused = {text: case for text, case in ready.items() if isinstance(case, Outcome)}
    assert not refused
    return {text: case for text, case in ready.items() if isinstance(case, Case)}


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("level", of_today(LEVELS, 3))
def test_memory_that_changes_hands(level: int, scratch: Path) -> None:
    fail_with(faults(SANITIZERS, handed(), level, scratch))


@pytest.mark.in_turn(6)
def test_under_valgrind(scratch_of_valgrind: Path) -> None:
    samples = list(sample_cases().items())
    cases = {**handed(), **dict(samples[:: max(1, len(samples) // 6)])}
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
