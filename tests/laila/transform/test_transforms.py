"""What Laila's transforms make of programs, counted: statements by kind, buffers, nodes of expressions.

A row of `golden/transforms/counts.txt` is a sample, or a function that is measured. A fusion that is lost, a
buffer that is wider, a version too many shows as other numbers. With `APLC_UPDATE_GOLDEN=1`,
`pytest -n 0 tests/laila/transform/test_transforms.py` writes them anew; a CI job must not. Look at the
differences before.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_function
from aplc.bench.arguments import inputs_of
from aplc.bench.suite import SUITE, Benchmark
from aplc.compiler import optimise, parse_files, to_laila, to_tail
from aplc.inputs import Input, by_part, decode
from aplc.laila.ir.program import Alloc, Program
from aplc.laila.ir.scalar import nodes
from aplc.laila.ir.statements import bodies, everywhere, own_expressions
from aplc.options import Options
from aplc.tail.errors import AplcError
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from tests.support.paths import GOLDEN
from tests.support.samples import read_sample, sample_name, sample_paths

COUNTS = GOLDEN / "transforms" / "counts.txt"
ROOMS = ("fusion", "assignment", "control", "idioms", "operators")
OPTIONS = Options()


def counted(term: Term, inputs: dict[str, Input]) -> str:
    program, _ = to_laila(optimise(term, OPTIONS), {name: i.storage for name, i in inputs.items()}, OPTIONS)
    return shape(program)


def shape(program: Program) -> str:
    """The counts of a program in one line."""
    found: Counter[str] = Counter()
    for statement in everywhere(program.statements):
        found[type(statement).__name__] += 1
        if isinstance(statement, Alloc):
            found[statement.buffer.storage] += 1
        found["nodes"] += len(set(map(id, nodes(*own_expressions(statement)))))
        found["blocks"] += len(bodies(statement))
    return " ".join([f"{name} {count}" for name, count in sorted(found.items())])


def of_sample(path: Path) -> str:
    sample = read_sample(path)
    inputs = sample.cases[0].inputs if sample.cases else {}
    types = {name: each.type for name, each in inputs.items()}
    return counted(to_tail([decode(sample.data, path.name)], types).term, inputs)


def of_benchmark(benchmark: Benchmark) -> str:
    inputs = inputs_of(benchmark.arguments(benchmark.tiny))
    files = parse_files([Source(benchmark.path.name, benchmark.path.read_text(encoding="utf-8"))])
    types = {name: each.type for name, each in inputs.items()}
    return counted(elaborate_function(files, benchmark.function, types).term, by_part(inputs))


@cache
def rows() -> dict[str, str]:
    lines = COUNTS.read_text("utf-8").splitlines() if COUNTS.exists() else []
    return dict(line.split(": ", 1) for line in lines)


CHOSEN = [path for path in sample_paths() if sample_name(path).partition("/")[0] in ROOMS]
PROGRAMS = {sample_name(path): (of_sample, path) for path in CHOSEN}
PROGRAMS |= {f"bench {each.name}": (of_benchmark, each) for each in SUITE}


@pytest.mark.in_turn(1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_shape(name: str) -> None:
    make, given = PROGRAMS[name]
    try:
        found = make(given)  # type: ignore[operator]
    except AplcError as error:
        found = error.diagnostics[0].kind
    if os.environ.get("APLC_UPDATE_GOLDEN") == "1":
        assert os.environ.get("CI", "").lower() not in ("1", "true"), "goldens are not written in a CI job"
        rows()[name] = found
        kept = {key: rows()[key] for key in PROGRAMS if key in rows()}
        COUNTS.write_text("".join([f"{key}: {row}\n" for key, row in kept.items()]), "utf-8")
    assert rows().get(name) == found


def test_every_row_has_a_program() -> None:
    assert set(rows()) == set(PROGRAMS)
