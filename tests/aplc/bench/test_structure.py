"""The structure of the C of the functions that are measured, for arrays of lengths that only the run knows.

`docs/samples.md` says what is counted. A fusion that is lost shows as one more loop or array. The tables say
what an expert's C would have; what has several versions is counted in all of them.
"""

import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_function
from aplc.bench.arguments import inputs_of
from aplc.bench.suite import SUITE, Benchmark
from aplc.cases.structure import count_structure
from aplc.compiler import optimise, parse_files, to_c, to_laila
from aplc.inputs import by_part
from aplc.options import Options
from aplc.tail.source import Source

STRUCTURES: dict[str, dict[str, int]] = {
    "signal": {"loops": 1, "simd": 1, "allocs": 0, "modulo": 0},
    # One version for up to 33554432 years, in blocks and with three remainders, and one for more.
    "easter": {"loops": 3, "simd": 2, "allocs": 0, "modulo": 6},
    "easter, rounds": {"loops": 3, "simd": 2, "allocs": 0, "modulo": 6},
    "primes": {"loops": 2, "simd": 1, "allocs": 1, "modulo": 1},  # the result
    # The result; no loop for the polynomial, and a version with checks, for where something is not finite.
    "black-scholes": {"loops": 8, "simd": 7, "allocs": 1, "modulo": 0},  # a loop a call, by blocks
    "black-scholes, thesis": {"loops": 8, "simd": 7, "allocs": 1, "modulo": 0},
    "sobol-pi": {"allocs": 2},  # the direction numbers of the second dimension, which grow by one
    # The board, the sums of rows, and those at the ends, for each of which it is asked what stands there.
    "life": {"allocs": 3, "modulo": 0, "branches": 1},
    "integral": {"loops": 1, "simd": 1, "allocs": 0, "modulo": 0},
    # The coordinates of rows and columns, and the counts: no array for what changes from step to step.
    "mandelbrot, grid": {"allocs": 3, "modulo": 0},
    "mandelbrot, points": {"modulo": 0},
    "mandelbrot, complex": {"modulo": 0},
    # The result, and panels of rows and of columns; whether they are full decides what is done.
    "matmul": {"allocs": 3, "modulo": 0},
    "+/": {"loops": 1, "simd": 1, "allocs": 0, "modulo": 0},
    "+\\": {"loops": 2, "allocs": 1, "modulo": 0},  # four elements at a time, and the rest
    # Its lanes, in blocks of two halves, and what is too few for them.
    "⌈/": {"loops": 10, "simd": 7, "allocs": 0, "modulo": 0, "branches": 1},
    "compress": {"loops": 3, "allocs": 1, "modulo": 0},  # vectors, their lanes, and the rest
    "stencil": {"allocs": 2, "modulo": 0},  # the grid before and after a step
}
"""By the name of the benchmark. No condition on the index of an element in any of them."""


def counts_of(benchmark: Benchmark) -> dict[str, int]:
    """What the C of the function that is measured contains."""
    inputs = inputs_of(benchmark.arguments(benchmark.tiny))
    types = {name: each.type for name, each in inputs.items()}
    storage = {name: each.storage for name, each in by_part(inputs).items()}
    files = parse_files([Source(benchmark.path.name, benchmark.path.read_text(encoding="utf-8"))])
    options = Options()
    term = optimise(elaborate_function(files, benchmark.function, types).term, options)
    program, make = to_laila(term, storage, options)
    return count_structure(to_c(program, make, options).text)


@pytest.mark.parametrize("name", STRUCTURES)
def test_structure(name: str) -> None:
    (benchmark,) = [each for each in SUITE if each.name == name]
    wanted = {"branches": 0, **STRUCTURES[name]}
    counts = counts_of(benchmark)
    assert {key: counts[key] for key in wanted} == wanted
