"""The rows of nested data: items of different lengths, given as such or cut from a vector, and recursion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aplc.bench import data
from aplc.bench import formulations as in_numpy
from aplc.bench.arguments import Argument, Value
from aplc.bench.benchmark import BOARD, SQUARE, Benchmark, Size, double, numbers, steps
from aplc.bench.native import Returns


def _items(size: Size) -> Returns:
    """A double for each item; the number of items comes first."""
    return Returns("float64", size[:1])


def _sparse(name: str, lengths: Callable[[int, int], Value]) -> Benchmark:
    """A matrix whose rows have these lengths; a size is the number of rows and the mean of their lengths."""

    def arguments(size: Size) -> tuple[Argument, ...]:
        return data.sparse_rows(lengths(*size), size[0])

    def elements(size: Size) -> int:
        return int(lengths(*size).sum())

    return Benchmark(
        name=name,
        program="sparse",
        function="multiply",
        arguments=arguments,
        numpy=in_numpy.sparse,
        rivals=("sparse",),
        returns=_items,
        tiny=(40, 8),
        quick=(20_000, 16),
        full=((1_000_000, 16),),
        moves=lambda size, value: (12 * elements(size) + 24 * size[0], 1),
        operations=lambda size, value: 2 * elements(size),
    )


def _pieces(size: Size) -> tuple[Argument, ...]:
    return data.pieces(*size)


def _famous_life(size: Size) -> tuple[Argument, ...]:
    return size[0], data.board(*size[1:])


def _half_square(size: Size, value: Any) -> int:
    return 2 * size[0] * (size[0] + 1) // 2


NESTED = (
    _sparse("sparse, uniform rows", data.uniform_lengths),
    _sparse("sparse, power law", data.power_lengths),
    Benchmark(
        name="dot products",
        program="segments",
        function="dots",
        arguments=lambda size: data.pairs(*size),
        numpy=in_numpy.dots,
        rivals=("segment_dots",),
        returns=_items,
        tiny=(60,),
        quick=(20_000,),
        full=((1_000_000,),),
        moves=lambda size, value: (16 * 10 * size[0] + 16 * size[0], 1),
        operations=lambda size, value: 2 * 10 * size[0],
    ),
    Benchmark(
        name="segment sums",
        program="segments",
        function="sums",
        arguments=_pieces,
        numpy=in_numpy.segment_sums,
        rivals=("segment_sums",),
        returns=lambda size: Returns("float64", size[:1], counted=True),
        tiny=(500, 40),
        quick=(200_000, 20_000),
        full=((10_000_000, 10_000), (10_000_000, 1_000_000)),
        grows=((0, 1), 1),
        moves=lambda size, value: (9 * size[0] + 8 * size[1], 1),
        operations=lambda size, value: size[0],
    ),
    Benchmark(
        name="segmented sort",
        program="segments",
        function="sorted",
        arguments=_pieces,
        numpy=in_numpy.segments_sorted,
        rivals=("segments_sorted",),
        returns=lambda size: Returns("float64", size[:1]),
        tiny=(500, 40),
        quick=(200_000, 20_000),
        full=((1_000_000, 1), (10_000_000, 1), (10_000_000, 1000), (10_000_000, 1_000_000)),
        grows=((0, 1), 1),
        moves=lambda size, value: (17 * size[0], 1),
        operations=lambda size, value: size[0] * max(int(size[0] / size[1]).bit_length(), 1),
    ),
    Benchmark(
        name="quickhull",
        program="hull",
        function="hull",
        arguments=lambda size: (data.disc(*size),),
        numpy=in_numpy.hull,
        rivals=("hull",),
        returns=lambda size: Returns("int64", size, counted=True),
        tiny=(60,),
        quick=(100_000,),
        full=((5_000_000,),),
        moves=lambda size, value: (16 * size[0], 1),
        operations=lambda size, value: 10 * size[0],
    ),
    Benchmark(
        name="log-sums",
        program="log-sums",
        function="logs",
        arguments=numbers,
        numpy=in_numpy.logs,
        rivals=("logs_pieces",),
        beyond=("logs_running",),
        returns=double,
        tiny=(30,),
        quick=(512,),
        full=((4096,),),
        grows=SQUARE,
        moves=lambda size, value: (0, 0),
        operations=_half_square,
    ),
    Benchmark(
        name="log-sums, squares",
        program="log-sums",
        function="squares",
        arguments=numbers,
        numpy=in_numpy.squares,
        rivals=("squares_pieces",),
        returns=double,
        tiny=(12,),
        quick=(64,),
        full=((256,),),
        grows=((0,), 3),
        moves=lambda size, value: (0, 0),
        operations=lambda size, value: 20 * size[0] ** 3 // 3,
    ),
    Benchmark(
        name="word count",
        program="word-count",
        function="counts",
        arguments=lambda size: (data.text(*size),),
        numpy=in_numpy.word_counts,
        rivals=("word_count",),
        returns=lambda size: Returns("int64", (size[0] // 2 + 1,), counted=True),
        tiny=(400,),
        quick=(200_000,),
        full=((100_000_000,),),
        moves=lambda size, value: (4 * size[0], 1),
        operations=lambda size, value: 3 * size[0],
        integers=True,
    ),
    Benchmark(
        name="life, famous line",
        program="life",
        apl="life-famous",
        function="run",
        arguments=_famous_life,
        numpy=in_numpy.life,
        rivals=("life",),
        returns=lambda size: Returns("bool", size[1:]),
        tiny=(7, 9, 13),
        quick=(20, 40, 40),
        full=((10, 1200, 1200),),
        grows=BOARD,
        moves=steps(2),
        operations=lambda size, value: 8 * size[0] * size[1] * size[2],
        integers=True,
    ),
)
"""NESL's and SNESL's examples, and what APL is used for most; `docs/benchmarks.md` has them all."""
