"""The benchmark suite: all that is measured gives one value, and the harness notices what does not."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aplc.bench import data, formulations, native, python_rivals
from aplc.bench.command import chosen
from aplc.bench.measure import Plan, agrees, by_hand, compiled, measured
from aplc.bench.native import OPENMP, builds
from aplc.bench.report.tables import overview
from aplc.bench.results import APLC, COPY, NUMPY, WRONG, Machine, Results, Row
from aplc.bench.suite import PROGRAMS, SUITE, Benchmark, Size
from aplc.command_line import UsageError
from aplc.tail.errors import Diagnostic, Unsupported
from tests.support.days import of_today

EVERY = pytest.mark.parametrize("benchmark", SUITE, ids=[each.name for each in SUITE])

BLOCKS = {
    "signal": (200_103,),
    "easter": (7001,),
    "easter, rounds": (51, 4100),
    "primes": (2500,),
    "primes, thesis": (2500,),
    "black-scholes": (10_501,),
    "black-scholes, thesis": (1001,),
    "sobol-pi": (50_001,),
    "life": (3, 150, 211),
    "hotspot": (3, 150, 211),
    "integral": (90_007,),
    "mandelbrot, grid": (60, 110),
    "mandelbrot, points": (1, 1),
    "mandelbrot, complex": (1, 1),
    "matmul": (141, 300),
    "option-pricer": (2100,),
    "+/": (510_001,),
    "+\\": (510_001,),
    "⌈/": (1_010_001,),
    "compress": (510_001,),
    "stencil": (3, 150, 211),
    "sparse, uniform rows": (501, 100),
    "sparse, power law": (5003, 40),
    "dot products": (3001,),
    "segment sums": (50_003, 300),
    "segmented sort": (50_003, 3),
    "quickhull": (60_001,),
    "log-sums": (301,),
    "log-sums, squares": (41,),
    "word count": (200_001,),
    "life, famous line": (3, 150, 211),
}
"""Sizes that fill more than one block of the rivals, the last one in part, and run in several threads."""

EDGES: dict[str, Size] = {
    "signal": (1,),
    "life": (2, 1, 1),
    "hotspot": (2, 1, 1),
    "stencil": (2, 1, 1),
    "primes": (1,),
    "+\\": (3,),
    "compress": (0,),
    "+/": (0,),
    "matmul": (1, 1),
    "option-pricer": (1,),
    "dot products": (1,),
    "segment sums": (1, 1),
    "segmented sort": (1, 1),
    "quickhull": (2,),
    "log-sums": (0,),
    "word count": (0,),
    "life, famous line": (2, 1, 1),
}
"""The smallest sizes, where an edge is its own opposite."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what compiles Python, which takes seconds and has tests of its own."""
    monkeypatch.setattr(python_rivals, "is_there", lambda module: False)


def _results(*rows: Row) -> Results:
    machine = Machine(
        "a processor", 2, 1 << 30, "a system", "a compiler", {}, {}, "abc", "today", 1e10, 1e10, 1e-5
    )
    return Results(machine, True, (1, 2), rows)


def _by_name(name: str) -> Benchmark:
    return next(each for each in SUITE if each.name == name)


def _rivals_agree(benchmark: Benchmark, size: Size) -> None:
    arguments = benchmark.arguments(size)
    reference = benchmark.numpy(*arguments)
    rivals = list(by_hand(benchmark, size, arguments))
    functions = len(benchmark.rivals + benchmark.beyond)
    assert len(rivals) == functions * len(builds()) - len(benchmark.beyond) * (OPENMP in builds())
    wrong = [rival.detail for rival in rivals if not agrees(rival.call(), reference)]
    assert not wrong


@pytest.mark.in_turn(4)
@EVERY
def test_rivals_agree_with_numpy(benchmark: Benchmark) -> None:
    _rivals_agree(benchmark, benchmark.tiny)


@pytest.mark.parametrize("benchmark", of_today(SUITE, 2), ids=lambda each: each.name)
def test_rivals_agree_in_blocks(benchmark: Benchmark) -> None:
    _rivals_agree(benchmark, BLOCKS[benchmark.name])


@pytest.mark.parametrize("name", EDGES)
def test_rivals_agree_at_edges(name: str) -> None:
    _rivals_agree(_by_name(name), EDGES[name])


@EVERY
def test_interpreter_agrees_with_numpy(benchmark: Benchmark) -> None:
    arguments = benchmark.arguments(benchmark.tiny)
    assert agrees(compiled(benchmark, arguments, "interp")(), benchmark.numpy(*arguments))


@pytest.mark.in_turn(4)
@EVERY
def test_compiled_agrees_with_numpy(benchmark: Benchmark) -> None:
    arguments = benchmark.arguments(benchmark.tiny)
    assert agrees(compiled(benchmark, arguments)(), benchmark.numpy(*arguments))


def test_every_program_is_measured() -> None:
    assert {each.path.stem for each in SUITE} == {path.stem for path in PROGRAMS.glob("*.apl")}


def test_a_wrong_value_has_no_figure() -> None:
    benchmark = replace(_by_name("+/"), numpy=lambda v: float(v.sum()) * (1 + 1e-8))
    row = measured(benchmark, benchmark.tiny, Plan())
    assert row.reason(APLC) == WRONG
    assert {figure.column for figure in row.figures} == {NUMPY, COPY}


def test_a_corrupt_rival_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """One function by hand is off in the ninth digit: it alone is refused, and the tables say so."""
    true_bind = native.bind

    def bind(function: Any, *given: Any) -> Callable[[], Any]:
        call = true_bind(function, *given)
        return (lambda: call() * (1 + 1e-8)) if function.__name__ == "signal_lanes" else call

    monkeypatch.setattr("aplc.bench.measure.bind", bind)
    benchmark = _by_name("signal")
    row = measured(benchmark, benchmark.tiny, Plan())
    refused = [refusal for refusal in row.refusals if refusal.reason == WRONG]
    assert {refusal.detail.partition(",")[0] for refusal in refused} == {"signal_lanes"}
    assert len(refused) == len(builds())
    assert not any("signal_lanes" in figure.detail for figure in row.figures)
    assert any("signal_plain" in figure.detail for figure in row.figures)
    shown = overview(_results(row))
    assert any("signal_lanes" in note and WRONG in note for note in shown.notes)


def test_what_is_not_compiled_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise Unsupported(Diagnostic("UNSUPPORTED", "that is not supported yet"))

    monkeypatch.setattr("aplc.compiler.compile_function", refuse)
    monkeypatch.setattr("aplc.calling.functions.kept", lambda *_: None)
    row = measured(_by_name("+/"), (500,), Plan())
    assert row.seconds(APLC) is None
    assert row.reason(APLC) == "that is not supported yet"
    assert row.seconds("C") is not None


def test_a_row_has_a_figure_for_each_rival() -> None:
    row = measured(_by_name("signal"), (1000,), Plan(threads=(1, 2), curves=("signal",)))
    assert {"NumPy", "aplc interp", APLC, "aplc C, flat", "C", COPY} <= {f.column for f in row.figures}
    by_hand = [f for f in row.figures if f.column == "C"]
    assert {f.detail for f in by_hand} == {
        f"{function}, {way}"
        for function in ("signal_plain", "signal_lanes")
        for way in builds()
        if way != OPENMP
    }
    assert row.seconds("C") == min(f.median for f in by_hand)
    assert row.seconds("C by other means") is None
    if OPENMP in builds():
        assert {f.threads for f in row.figures if f.column == "C OpenMP"} == {0, 1, 2}
    assert all(len(f.seconds) >= 5 or sum(f.seconds) >= 2 for f in row.figures)


def test_other_means_are_no_rivals() -> None:
    row = measured(_by_name("primes"), (200,), Plan(targets=("c",)))
    assert {f.detail.partition(",")[0] for f in row.figures if f.column == "C"} == {"primes_remainders"}
    assert {f.detail.partition(",")[0] for f in row.figures if f.column == "C by other means"} == {
        "primes_lanes"
    }


def test_arrays_that_are_written() -> None:
    row = measured(_by_name("+\\"), (501,), Plan(targets=("c",)))
    assert [line.partition(" ")[0] for line in row.written] == ["9:13"]
    assert "written by loop 1" in row.written[0]


def test_a_name_chooses_a_program_or_one_row_of_it() -> None:
    assert [each.name for each in chosen(["easter", "+\\"])] == ["easter", "easter, rounds", "+\\"]
    assert chosen([]) == list(SUITE)
    with pytest.raises(UsageError, match="no benchmark factorial; there are signal, easter"):
        chosen(["factorial"])


@pytest.mark.parametrize(
    ("value", "reference", "same"),
    [
        (1.0 + 1e-10, 1.0, True),
        (1.0 + 1e-8, 1.0, False),
        (3, 3, True),
        (4, 3, False),
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([1, 2]), np.array([1, 2, 3]), False),
        (np.array([[1, 2]]), np.array([1, 2]), False),
        (np.array([1.0]), 1.0, False),
        (math.nan, 1.0, False),
        (10**12, 10**12 + 1, False),
    ],
)
def test_agreement(value: object, reference: object, same: bool) -> None:
    assert agrees(value, reference) is same


def test_directions_of_sobol_numbers() -> None:
    """In each dimension 2^m numbers fall into as many intervals, in the first two also into as many boxes."""
    directions = data.directions(15)
    numbers = np.stack([formulations.sobol(row, 256) for row in directions])
    for row in numbers:
        assert sorted(row >> data.SOBOL_BITS - 8) == list(range(256))
    for wide in range(9):
        boxes = (numbers[0] >> data.SOBOL_BITS - wide) * 2 ** (8 - wide) + (
            numbers[1] >> data.SOBOL_BITS - 8 + wide
        )
        assert sorted(boxes) == list(range(256))


@pytest.mark.parametrize("row", data.POLYNOMIALS[1:])
def test_polynomials_are_primitive(row: tuple[int, int, tuple[int, ...]]) -> None:
    """x has order 2^s - 1 modulo the polynomial, and the first numbers are odd and small enough."""
    degree, inner, first = row
    polynomial = 1 << degree | inner << 1 | 1
    power, order = 2 if degree > 1 else 1, 1
    while power != 1:
        power <<= 1
        power ^= polynomial if power >> degree else 0
        order += 1
    assert order == 2**degree - 1
    assert len(first) == degree
    assert all(number % 2 and number < 2**k for k, number in enumerate(first, start=1))


def test_inverse_normal() -> None:
    exact = statistics.NormalDist()
    u = np.array([2.0**-30, 1e-6, 0.01, 0.075, 0.0749, 0.3, 0.5, 0.7, 0.925, 0.9251, 0.999, 1 - 2.0**-30])
    assert formulations.inverse_normal(u) == pytest.approx(
        [exact.inv_cdf(p) for p in u], rel=1e-13, abs=1e-13
    )


@pytest.mark.parametrize("rival", ["NumPy", "aplc C", "C"])
def test_prices_converge(rival: str) -> None:
    """The call, on one underlying and one date, is worth what Black and Scholes say, with a dividend.
    The error of so many Sobol points is far below that of as many random ones, 0.7 percent.
    """
    spread, years = 0.25 * math.sqrt(5), 5
    d1 = (0.03 - 0.02 + 0.25**2 / 2) * years / spread
    below = statistics.NormalDist().cdf
    exact = 3700 * (math.exp(-0.02 * years) * below(d1) - math.exp(-0.03 * years) * below(d1 - spread))
    benchmark, size = _by_name("option-pricer"), (65_535,)
    arguments = benchmark.arguments(size)
    calls = {
        "NumPy": lambda: formulations.prices(*arguments),
        "aplc C": compiled(benchmark, arguments),
        "C": next(by_hand(benchmark, size, arguments)).call,
    }
    assert calls[rival]()[0] == pytest.approx(exact, rel=1e-3)


def test_work_grows_as_told() -> None:
    for benchmark in SUITE:
        assert benchmark.grown(1) == benchmark.quick
        value = benchmark.numpy(*benchmark.arguments(benchmark.tiny))
        work = [benchmark.operations(benchmark.grown(factor), value) for factor in (1, 10)]
        known = "mandelbrot" in benchmark.name or benchmark.name == "sparse, power law"
        assert known or 7 < work[1] / work[0] < 14, benchmark.name
