"""The benchmark suite: all that is measured gives one value, and the harness notices what does not."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest

from aplc.bench import data, formulations
from aplc.bench.measure import APLC, agrees, by_hand, chosen, compiled, details, measured, summary
from aplc.bench.native import OPENMP, builds
from aplc.bench.suite import PROGRAMS, SUITE, Benchmark, Size
from tail.errors import Unsupported

EVERY = pytest.mark.parametrize("benchmark", SUITE, ids=[each.name for each in SUITE])

BLOCKS = {
    "signal": (5003,),
    "easter": (7001,),
    "easter, rounds": (51, 4100),
    "primes": (2500,),
    "black-scholes": (1001,),
    "sobol-pi": (1,),
    "life": (3, 150, 211),
    "hotspot": (3, 150, 211),
    "integral": (10_007,),
    "mandelbrot, grid": (30, 70),
    "mandelbrot, points": (1, 1),
    "matmul": (141, 300),
    "option-pricer": (2100,),
    "+/": (150_001,),
    "+\\": (150_001,),
    "⌈/": (150_001,),
    "compress": (150_001,),
    "stencil": (3, 150, 211),
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
}
"""The smallest sizes, where an edge is its own opposite."""


def _by_name(name: str) -> Benchmark:
    return next(each for each in SUITE if each.name == name)


def _rivals_agree(benchmark: Benchmark, size: Size) -> None:
    arguments = benchmark.arguments(size)
    reference = benchmark.numpy(*arguments)
    calls = by_hand(benchmark, size, arguments)
    assert len(calls) == len(benchmark.rivals + benchmark.beyond) * len(builds())
    wrong = [name for name, call in calls.items() if not agrees(call(), reference)]
    assert not wrong


@EVERY
def test_rivals_agree_with_numpy(benchmark: Benchmark) -> None:
    _rivals_agree(benchmark, benchmark.tiny)


@EVERY
def test_rivals_agree_in_blocks(benchmark: Benchmark) -> None:
    _rivals_agree(benchmark, BLOCKS[benchmark.name])


@pytest.mark.parametrize("name", EDGES)
def test_rivals_agree_at_edges(name: str) -> None:
    _rivals_agree(_by_name(name), EDGES[name])


@EVERY
def test_interpreter_agrees_with_numpy(benchmark: Benchmark) -> None:
    arguments = benchmark.arguments(benchmark.tiny)
    assert agrees(compiled(benchmark, arguments, "interp")(), benchmark.numpy(*arguments))


@EVERY
def test_compiled_agrees_with_numpy(benchmark: Benchmark) -> None:
    arguments = benchmark.arguments(benchmark.tiny)
    assert agrees(compiled(benchmark, arguments)(), benchmark.numpy(*arguments))


def test_every_program_is_measured() -> None:
    assert {each.program for each in SUITE} == {path.stem for path in PROGRAMS.glob("*.apl")}


def test_a_wrong_value_has_no_figure() -> None:
    benchmark = replace(_by_name("+/"), numpy=lambda v: float(v.sum()) * (1 + 1e-8))
    row = measured(benchmark, benchmark.tiny, 1)
    assert row.missing[APLC] == "wrong value"
    assert list(row.seconds) == ["NumPy"]
    assert "| — | — | — |" in summary([row])[-1]


def test_what_is_not_compiled_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Unsupported([])

    monkeypatch.setattr("aplc.bench.measure.compiled", refuse)
    row = measured(_by_name("+/"), (500,), 1)
    assert APLC not in row.seconds
    assert APLC in row.missing


def test_tables_have_a_row_for_each_program_and_rival() -> None:
    (benchmark,) = chosen(["signal"])
    row = measured(benchmark, benchmark.tiny, 1)
    by_way = {way: {name for name in row.seconds if name.startswith(f"{way}: ")} for way in builds()}
    assert {len(names) for names in by_way.values()} == {2}
    assert row.sequential == min(
        row.seconds[name] for way in builds() if way != OPENMP for name in by_way[way]
    )
    assert row.threaded == min([row.seconds[name] for name in by_way.get(OPENMP, ())], default=None)
    assert row.beyond is None
    (first, rule, line) = summary([row])
    assert first.count("|") == rule.count("|") == line.count("|")
    assert line.startswith("| signal | 1,000 |")
    assert [text.split(" | ")[2] for text in details([row])[2:]] == ["signal_plain", "signal_lanes"]


def test_other_means_are_no_rivals() -> None:
    row = measured(_by_name("primes"), (200,), 1)
    assert row.beyond == min(row.seconds[f"{way}: primes_lanes"] for way in builds() if way != OPENMP)
    assert row.sequential in [taken for name, taken in row.seconds.items() if "primes_remainders" in name]


def test_a_name_chooses_a_program_or_one_row_of_it() -> None:
    assert [each.name for each in chosen(["easter", "+\\"])] == ["easter", "easter, rounds", "+\\"]
    assert chosen([]) == list(SUITE)
    with pytest.raises(SystemExit, match="no benchmark factorial; there are signal, easter"):
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


def test_prices_converge() -> None:
    """The call is worth what the formula of Black and Scholes with a dividend says."""
    spread, years = 0.25 * math.sqrt(5), 5
    d1 = (0.03 - 0.02 + 0.25**2 / 2) * years / spread
    below = statistics.NormalDist().cdf
    exact = 3700 * (math.exp(-0.02 * years) * below(d1) - math.exp(-0.03 * years) * below(d1 - spread))
    assert formulations.prices(data.directions(15), 65_535)[0] == pytest.approx(exact, rel=1e-3)
