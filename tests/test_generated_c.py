"""Generated C under the sanitizers of gcc: samples and random programs, as programs of their own.

A C main is put around the texts: it hands every program its inputs in memory of exactly their size, prints
all values as bytes, and frees the results. So a read or a write beside an array, an undefined operation and
memory that nobody frees end the test, and the values must be those of the interpreter.
"""

import os
import subprocess
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from apl_programs import random_program
from fuzz_targets import DIFFERS, Case, Observed, Outcome, c_of, difference, joined, judged, observe, prepared
from samples import read_sample, sample_paths

from apl_front.parser import decode
from aplc.compiler import Interpreted, to_tail, with_deep_stack
from backends.emit_c import CProgram, ValueType
from backends.run_native import headers
from backends.toolchain import find_compiler
from laila.unlowered import refuse_unlowered
from tail.errors import AplcError, MachineError, Unsupported
from tail.meaning import DTYPES
from tail.syntax import Term
from tail.types import Base

Value = np.ndarray[Any, Any]

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
FLAGS = ("-std=gnu11", "-O1", "-g", "-fwrapv", "-fno-math-errno", "-ffp-contract=off", *SANITIZERS)
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
SECONDS = 300

LEVELS = (0, 2, 3)
PROGRAMS_PER_LEVEL = 20
DAY = date.today().toordinal() % 1000
"""Every day other random programs."""

SUMMARY = ("ERROR: ", "runtime error: ", "SUMMARY: ")


# --- the C around the programs --------------------------------------------------------------------------

PRELUDE = """
#include <stdio.h>
typedef struct { int rank, bytes; } test_kind;
static const test_kind *test_prints;

static void test_show(char what, test_kind kind, const void *data, const int64_t *shape) {
    int64_t bytes = kind.bytes;
    printf("%c", what);
    for (int k = 0; k < kind.rank; k++) {
        printf(" %lld", (long long)shape[k]);
        bytes *= shape[k];
    }
    printf(" :");
    for (int64_t k = 0; k < bytes; k++)
        printf("%02x", ((const unsigned char *)data)[k]);
    printf("\\n");
}

static int test_print(int64_t k, const void *data, const int64_t *shape) {
    test_show('P', test_prints[k], data, shape);
    return 0;
}

static void *test_copy(const void *bytes, size_t count) {
    void *copy = malloc(count);
    if (count != 0)
        memcpy(copy, bytes, count);
    return copy;
}
"""


def main_of(programs: list[tuple[int, CProgram, list[Value]]]) -> str:
    """The C of all programs and of a main that runs one after the other."""
    parts = ['#include "aplc.h"', PRELUDE, joined([(k, program) for k, program, _ in programs])]
    for number, program, inputs in programs:
        parts += _runner(number, program, inputs)
    calls = [f"    test_{number}();" for number, _, _ in programs]
    return "\n".join([*parts, "int main(void) {", *calls, "    return 0;", "}", ""])


def _runner(number: int, program: CProgram, inputs: list[Value]) -> list[str]:
    size, count = max(1, len(inputs)), max(1, len(program.results))
    lines = [
        f"static void test_{number}(void) {{",
        f"    static const test_kind prints[] = {_kinds(program.prints)};",
        f"    static const test_kind results[] = {_kinds(program.results)};",
        f"    aplc_array in[{size}] = {{{{0}}}}, out[{count}] = {{{{0}}}};",
        "    aplc_host host = {.print = test_print};",
        "    test_prints = prints;",
        f'    printf("program {number}\\n");',
        "    fflush(stdout);",
    ]
    for k, value in enumerate(inputs):
        data = value.tobytes()
        shape = ", ".join([f"{n}" for n in value.shape]) or "0"
        lines += [
            f"    static const unsigned char bytes{k}[] = {{{', '.join(map(str, data)) or '0'}}};",
            f"    static int64_t shape{k}[] = {{{shape}}};",
            f"    in[{k}].data = test_copy(bytes{k}, {len(data)});",
            f"    in[{k}].shape = shape{k};",
        ]
    for k, kind in enumerate(program.results):
        lines.append(f"    int64_t cells{k}[{max(1, kind.rank)}];")
        lines.append(f"    out[{k}].shape = cells{k};")
        if kind.rank == 0:
            lines.append(f"    out[{k}].data = malloc({np.dtype(DTYPES[kind.base]).itemsize});")
    scalars = [k for k, kind in enumerate(program.results) if kind.rank == 0]
    lines += [
        f"    const int status = aplc_run__{number}(&host, in, out);",
        "    if (status == APLC_FAILED)",
        '        printf("E %lld\\n", (long long)host.site);',
        f"    for (int k = 0; status == APLC_OK && k < {len(program.results)}; k++)",
        "        test_show('R', results[k], out[k].data, out[k].shape);",
        f"    for (int k = 0; status == APLC_OK && k < {len(program.results)}; k++)",
        "        free(out[k].data);",
        *[f"    if (status != APLC_OK)\n        free(out[{k}].data);" for k in scalars],
        *[f"    free(in[{k}].data);" for k in range(len(inputs))],
        '    printf("end\\n");',
        "    (void)results;",
        "}",
    ]
    return lines


def _kinds(kinds: tuple[ValueType, ...]) -> str:
    shown = [f"{{{kind.rank}, {np.dtype(DTYPES[kind.base]).itemsize}}}" for kind in kinds]
    return "{" + (", ".join(shown) or "{0, 0}") + "}"


def observed(program: CProgram, lines: list[str]) -> Observed:
    """What a program did, from the lines that its runner printed."""
    prints, results = iter(program.prints), iter(program.results)
    printed: list[Value] = []
    values: list[Value] = []
    for line in lines:
        if line.startswith("E "):
            return Observed(printed, program.sites[int(line[2:])].fault.kind)
        kind = next(prints) if line[0] == "P" else next(results)
        (printed if line[0] == "P" else values).append(_value(kind, line))
    return Observed(printed, tuple(values))


def _value(kind: ValueType, line: str) -> Value:
    head, _, digits = line.partition(":")
    shape = [int(n) for n in head.split()[1:]]
    return np.frombuffer(bytes.fromhex(digits), DTYPES[kind.base]).reshape(shape)


# --- running --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What a program under the sanitizers said."""

    status: int
    output: str
    complaint: str


def run_sanitized(text: str, directory: Path) -> Run:
    """Compile a C program with the sanitizers, and run it."""
    (directory / "aplc.h").write_text(headers()["aplc.h"], "utf-8")
    (directory / "main.c").write_text(text, "utf-8")
    target = str(directory / "main")
    command = (*find_compiler().command, *FLAGS, "-o", target, str(directory / "main.c"), "-lm")
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    if made.returncode != 0:
        return Run(-1, "", made.stderr)
    done = subprocess.run(
        (target,), capture_output=True, text=True, check=False, timeout=SECONDS, env={**os.environ, **OPTIONS}
    )
    return Run(done.returncode, done.stdout, done.stderr)


@cache
def lack(directory: Path) -> str:
    """Why nothing can be checked here; empty if it can: a leak is found, and nothing else complained of."""
    try:
        find_compiler()
    except MachineError as lacking:
        return str(lacking)
    directory.mkdir()
    clean = run_sanitized("int main(void) { return 0; }\n", directory)
    if clean.status != 0:
        return f"the C compiler has no sanitizers that run here ({clean.complaint.strip()[:200]})"
    leak = "#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(8); p = 0; return 0; }\n"
    if run_sanitized(leak, directory).status == 0:
        return "the sanitizers find no leaks here"
    return ""


@pytest.fixture
def scratch(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if missing := lack(tmp_path_factory.getbasetemp() / "sanitizers"):
        pytest.skip(f"NOT CHECKED: {missing}")
    return tmp_path


def faults(cases: dict[int, Case], level: int, directory: Path) -> list[str]:
    """What is wrong with programs under the sanitizers, one text each."""
    programs = [(k, with_deep_stack(lambda: c_of(case, level)), case.inputs) for k, case in cases.items()]  # noqa: B023
    run = run_sanitized(main_of(programs), directory)
    if run.status == -1:
        return [run.complaint]
    sections = dict(_section(part) for part in run.output.split("program ")[1:])
    found: list[str] = []
    for number, program, _ in programs:
        lines = sections.get(number)
        if lines is None or lines[-1:] != ["end"]:
            found.append(f"{number} at level {level}: it ends early")
            break
        outcome = agreement(cases[number], observed(program, lines[:-1]))
        if outcome.status == DIFFERS:
            found.append(f"{number} at level {level}: {outcome.detail}")
    if run.status != 0:
        lines = [x for x in run.complaint.splitlines() if any(s in x for s in SUMMARY)] or [run.complaint]
        found.append("\n".join(lines[:4]))
    return found


def _section(part: str) -> tuple[int, list[str]]:
    number, *lines = part.splitlines()
    return int(number), lines


def agreement(case: Case, got: Observed) -> Outcome:
    """How the values compare with those of the interpreter."""
    found = difference(case.expected, got)
    return judged(case, got, found) if found else Outcome("agreed")


def is_lowered(term: Term) -> bool:
    """Whether a program is among those that become C."""
    try:
        refuse_unlowered(term)
    except Unsupported:
        return False
    return True


# --- the tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_random_programs(level: int, scratch: Path) -> None:
    first = 1_000_000 + (DAY * len(LEVELS) + level) * PROGRAMS_PER_LEVEL
    programs = {seed: random_program(Random(seed)) for seed in range(first, first + PROGRAMS_PER_LEVEL)}
    ready = {seed: prepared(p) for seed, p in programs.items()}
    cases = {seed: case for seed, case in ready.items() if isinstance(case, Case) and is_lowered(case.term)}
    assert len(cases) > PROGRAMS_PER_LEVEL / 2
    if found := faults(cases, level, scratch):
        shown = "\n".join([f"{p}\n" for seed, p in programs.items() if str(seed) in found[0]])
        pytest.fail("\n".join([*found, shown]), pytrace=False)


@cache
def sample_cases() -> list[tuple[str, Case]]:
    """The cases of all samples that compile, with the names of the samples."""
    found: list[tuple[str, Case]] = []
    for path in sample_paths():
        sample = read_sample(path)
        if sample.xfail:
            continue
        for case in sample.cases:
            types = {name: given.type for name, given in case.inputs.items()}
            try:
                source = decode(sample.data, sample.name)
                term = with_deep_stack(lambda: to_tail([source], types)).term  # noqa: B023
            except AplcError:
                continue
            if not is_lowered(term):
                continue
            inputs = [given.value for given in case.inputs.values()]
            expected = with_deep_stack(lambda: observe(Interpreted(term).run, inputs))  # noqa: B023
            storage = {name: given.storage for name, given in case.inputs.items()}
            found.append((sample.name, Case(term, inputs, storage, expected)))
    return found


@pytest.mark.parametrize("level", LEVELS)
def test_samples(level: int, scratch: Path) -> None:
    numbered = dict(enumerate(sample_cases()))
    mine = {k: case for k, (_, case) in numbered.items() if LEVELS[k % len(LEVELS)] == level}
    if found := faults(mine, level, scratch):
        shown = [f"{numbered[int(f.split()[0])][0]}: {f}" if f[0].isdigit() else f for f in found]
        pytest.fail("\n".join(shown), pytrace=False)


def broken(text: str, scratch: Path) -> str:
    program = CProgram(text, (), (), (ValueType(Base.INT, 1),))
    return run_sanitized(main_of([(0, program, [np.array([1, 2, 3])])]), scratch).complaint


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("a[0] = ((const int64_t *)in[0].data)[3];", "heap-buffer-overflow"),
        ("a[-1] = 1;", "heap-buffer-overflow"),
        ("aplc_alloc(1, 8);", "detected memory leaks"),
        ("a[0] = in[0].shape[0] / (in[0].shape[0] - 3);", "division by zero"),
        ("free(a);", "attempting double-free"),
    ],
)
def test_mistakes_are_found(statement: str, complaint: str, scratch: Path) -> None:
    text = (
        '#include "aplc.h"\n'
        "APLC_EXPORT int aplc_run(aplc_host *host, const aplc_array *in, aplc_array *out) {\n"
        f"    (void)host;\n    int64_t *a = aplc_alloc(1, 8);\n    {statement}\n"
        "    out[0].data = a;\n    out[0].shape[0] = 0;\n    return APLC_OK;\n}\n"
    )
    assert complaint in broken(text, scratch)
