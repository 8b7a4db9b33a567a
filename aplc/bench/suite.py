"""The programs that are measured, one `Benchmark` each: what is called, on which data, against which rivals.

    name       as the table shows it
    program    the rivals are in `rivals/PROGRAM.c`, and the APL program is `apl_samples/bench/PROGRAM.apl`
    apl        the name of the APL program where it is another one: the formulation of the thesis
    function   the function of the APL program that is called
    arguments  what it is called with, ⍺ before ⍵, for a size
    numpy      the same in NumPy, and the value on which all must agree
    rivals     the same in C by hand; the fastest of them is what aplc is held against
    beyond     C that gets there by other means than the program says; shown beside it
    returns    what the rivals in C give, for a size
    tiny, quick, full    sizes: for the tests, for a first look, and those of the published tables
    moves      the bytes that a pass over the data must read and write at least, and the number of passes
    operations the arithmetic that must be done, a function like exp counted as one
    integers   whether that is arithmetic of integers, many of which fit where one double does
    files      the arguments from a directory with published data, if it has them for a size

A size is a tuple of whole numbers that only `arguments` and `returns` of its benchmark understand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aplc.bench import data
from aplc.bench import formulations as in_numpy
from aplc.bench.native import Argument, Returns

PROGRAMS = Path(__file__).parents[1] / "apl_samples" / "bench"

Size = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One computation that is measured; the module's docstring says what the fields are."""

    name: str
    program: str
    function: str
    arguments: Callable[[Size], tuple[Argument, ...]]
    numpy: Callable[..., Any]
    rivals: tuple[str, ...]
    returns: Callable[[Size], Returns]
    tiny: Size
    quick: Size
    full: tuple[Size, ...]
    moves: Callable[[Size, Any], tuple[int, int]]
    operations: Callable[[Size, Any], int]
    integers: bool = False
    beyond: tuple[str, ...] = ()
    apl: str = ""
    files: Callable[[Path, Size], tuple[Argument, ...] | None] = lambda directory, size: None

    @property
    def path(self) -> Path:
        """The APL program."""
        return PROGRAMS / f"{self.apl or self.program}.apl"


def _numbers(size: Size) -> tuple[Argument, ...]:
    """The numbers of the size themselves."""
    return size


def _vector(size: Size) -> tuple[Argument, ...]:
    return (data.uniform(*size),)


def _integer(size: Size) -> Returns:
    return Returns("int64")


def _double(size: Size) -> Returns:
    return Returns("float64")


def _doubles(size: Size) -> Returns:
    return Returns("float64", size)


def _grid(size: Size) -> Returns:
    """Doubles of the shape that follows the number of steps."""
    return Returns("float64", size[1:])


def _square(size: Size) -> Returns:
    """Counts on a square grid; the depth comes first."""
    return Returns("int64", (size[1], size[1]))


def _each(count: int) -> Callable[[Size, Any], int]:
    """So many operations for each element, that is, for each combination of the extents."""
    return lambda size, value: count * math.prod(size)


def _passes(width: int) -> Callable[[Size, Any], tuple[int, int]]:
    """One pass that moves so many bytes for each element."""
    return lambda size, value: (width * size[0], 1)


def _steps(width: int) -> Callable[[Size, Any], tuple[int, int]]:
    """A pass for each step, which moves so many bytes for each cell."""
    return lambda size, value: (width * math.prod(size[1:]), size[0])


def _result(size: Size, value: Any) -> tuple[int, int]:
    """Only the result is written."""
    return 8 * value.size, 1


def _nothing(size: Size, value: Any) -> tuple[int, int]:
    """All of it is computed from a few numbers."""
    return 0, 0


MILLION, HUNDRED_THOUSAND = (1_000_000,), (100_000,)
TEN_MILLION = (10_000_000,)


def _mandelbrot(name: str, function: str) -> Benchmark:
    """A way to count the steps of the points of a grid."""
    return Benchmark(
        name=name,
        program="mandelbrot",
        function=function,
        arguments=_numbers,
        numpy=in_numpy.mandelbrot,
        rivals=("mandelbrot_points", "mandelbrot_lanes"),
        returns=_square,
        tiny=(20, 13),
        quick=(100, 100),
        full=((255, 1000),),
        moves=_result,
        operations=lambda size, value: 10 * int(value.sum()),
    )


SUITE = (
    Benchmark(
        name="signal",
        program="signal",
        function="total",
        arguments=lambda size: (10 * data.uniform(*size),),
        numpy=in_numpy.signal,
        rivals=("signal_plain", "signal_lanes"),
        returns=_double,
        tiny=(1000,),
        quick=MILLION,
        full=(TEN_MILLION, (50_000_000,)),
        moves=_passes(8),
        operations=_each(7),
    ),
    Benchmark(
        name="easter",
        program="easter",
        function="total",
        arguments=_numbers,
        numpy=in_numpy.easter_total,
        rivals=("easter_total",),
        returns=_integer,
        tiny=(2500,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=_nothing,
        operations=_each(40),
        integers=True,
    ),
    Benchmark(
        name="easter, rounds",
        program="easter",
        function="rounds",
        arguments=_numbers,
        numpy=in_numpy.easter_rounds,
        rivals=("easter_rounds",),
        returns=_integer,
        tiny=(3, 50),
        quick=(10, 3000),
        full=((300, 3000),),
        moves=_nothing,
        operations=_each(40),
        integers=True,
    ),
    Benchmark(
        name="primes",
        program="primes",
        function="primes",
        arguments=_numbers,
        numpy=in_numpy.primes,
        rivals=("primes_remainders",),
        beyond=("primes_lanes",),
        returns=lambda size: Returns("int64", size, counted=True),
        tiny=(200,),
        quick=(2000,),
        full=((10_000,),),
        moves=_nothing,
        operations=lambda size, value: 3 * size[0] ** 2,
        integers=True,
    ),
    Benchmark(
        name="primes, thesis",
        program="primes",
        apl="primes-thesis",
        function="primes",
        arguments=_numbers,
        numpy=in_numpy.primes,
        rivals=("primes_remainders",),
        beyond=("primes_lanes",),
        returns=lambda size: Returns("int64", size, counted=True),
        tiny=(200,),
        quick=(2000,),
        full=((10_000,),),
        moves=_nothing,
        operations=lambda size, value: 3 * size[0] ** 2,
        integers=True,
    ),
    Benchmark(
        name="black-scholes",
        program="black-scholes",
        function="price",
        arguments=lambda size: (np.array([0.05, 0.2]), data.options(*size)),
        numpy=in_numpy.black_scholes,
        rivals=("black_scholes_libm", "black_scholes_vector"),
        returns=_doubles,
        tiny=(200,),
        quick=HUNDRED_THOUSAND,
        full=((10_000,), HUNDRED_THOUSAND, TEN_MILLION),
        moves=_passes(32),
        operations=_each(45),
    ),
    Benchmark(
        name="black-scholes, thesis",
        program="black-scholes",
        apl="black-scholes-thesis",
        function="price",
        arguments=lambda size: (np.array([0.05, 0.2]), data.options(*size)),
        numpy=in_numpy.black_scholes,
        rivals=("black_scholes_libm", "black_scholes_vector"),
        returns=_doubles,
        tiny=(200,),
        quick=HUNDRED_THOUSAND,
        full=(HUNDRED_THOUSAND,),
        moves=_passes(32),
        operations=_each(45),
    ),
    Benchmark(
        name="sobol-pi",
        program="sobol-pi",
        function="pi",
        arguments=_numbers,
        numpy=in_numpy.sobol_pi,
        rivals=("sobol_pi_bits",),
        beyond=("sobol_pi_blocks",),
        returns=_double,
        tiny=(1500,),
        quick=HUNDRED_THOUSAND,
        full=((10_000,), TEN_MILLION),
        moves=_nothing,
        operations=_each(10),
        integers=True,
    ),
    Benchmark(
        name="life",
        program="life",
        function="run",
        arguments=lambda size: (size[0], data.board(*size[1:])),
        numpy=in_numpy.life,
        rivals=("life",),
        returns=lambda size: Returns("bool", size[1:]),
        tiny=(7, 9, 13),
        quick=(500, 40, 40),
        full=((2000, 40, 40), (20_000, 40, 40), (100, 1200, 1200)),
        moves=_steps(2),
        operations=_each(8),
        integers=True,
    ),
    Benchmark(
        name="hotspot",
        program="hotspot",
        function="hotspot",
        arguments=lambda size: (size[0], data.chip(*size[1:])),
        numpy=in_numpy.hotspot,
        rivals=("hotspot",),
        returns=_grid,
        tiny=(5, 7, 11),
        quick=(60, 64, 64),
        full=((360, 512, 512), (360, 1024, 1024)),
        moves=_steps(24),
        operations=_each(15),
        files=data.rodinia,
    ),
    Benchmark(
        name="integral",
        program="integral",
        function="integral",
        arguments=_numbers,
        numpy=in_numpy.integral,
        rivals=("integral",),
        returns=_double,
        tiny=(500,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=_nothing,
        operations=_each(6),
    ),
    _mandelbrot("mandelbrot, grid", "counts"),
    _mandelbrot("mandelbrot, points", "escapes"),
    _mandelbrot("mandelbrot, complex", "orbits"),
    Benchmark(
        name="matmul",
        program="matmul",
        function="product",
        arguments=lambda size: (data.uniform(*size), data.uniform(size[1], size[0])),
        numpy=in_numpy.matmul,
        rivals=("matmul",),
        returns=lambda size: Returns("float64", (size[0], size[0])),
        tiny=(19, 33),
        quick=(128, 128),
        full=((512, 512), (1024, 1024)),
        moves=lambda size, value: (8 * (2 * size[0] * size[1] + size[0] ** 2), 1),
        operations=lambda size, value: 2 * size[0] ** 2 * size[1],
    ),
    Benchmark(
        name="option-pricer",
        program="option-pricer",
        function="prices",
        arguments=lambda size: (data.directions(15), *size),
        numpy=in_numpy.prices,
        rivals=("option_pricer_paths", "option_pricer_lanes"),
        returns=lambda size: Returns("float64", (3,)),
        tiny=(50,),
        quick=(16_384,),
        full=((1_048_576,),),
        moves=_nothing,
        operations=_each(450),
        files=data.finpar,
    ),
    Benchmark(
        name="+/",
        program="sums",
        function="total",
        arguments=_vector,
        numpy=in_numpy.total,
        rivals=("sums_total",),
        returns=_double,
        tiny=(500,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=_passes(8),
        operations=_each(1),
    ),
    Benchmark(
        name="+\\",
        program="sums",
        function="running",
        arguments=_vector,
        numpy=in_numpy.running,
        rivals=("sums_running",),
        returns=_doubles,
        tiny=(501,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=_passes(16),
        operations=_each(1),
    ),
    Benchmark(
        name="⌈/",
        program="sums",
        function="largest",
        arguments=_vector,
        numpy=in_numpy.largest,
        rivals=("sums_largest",),
        returns=_double,
        tiny=(501,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=_passes(8),
        operations=_each(1),
    ),
    Benchmark(
        name="compress",
        program="sums",
        function="exceeds",
        arguments=lambda size: (0.5, data.uniform(*size)),
        numpy=in_numpy.exceeds,
        rivals=("sums_exceeds",),
        returns=lambda size: Returns("float64", size, counted=True),
        tiny=(501,),
        quick=HUNDRED_THOUSAND,
        full=(TEN_MILLION,),
        moves=lambda size, value: (8 * (size[0] + value.size), 1),
        operations=_each(1),
    ),
    Benchmark(
        name="stencil",
        program="stencil",
        function="run",
        arguments=lambda size: (size[0], data.uniform(*size[1:])),
        numpy=in_numpy.stencil,
        rivals=("stencil",),
        returns=_grid,
        tiny=(5, 7, 11),
        quick=(60, 64, 64),
        full=((360, 512, 512),),
        moves=_steps(16),
        operations=_each(5),
    ),
)
