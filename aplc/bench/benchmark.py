"""What a row of the suite is: the class, and what many rows have in common.

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
    grows      which extents of a size grow with the work, and how many of them it is a product of
    files      the arguments from a directory with published data, if it has them for a size

A size is a tuple of whole numbers that only `arguments` and `returns` of its benchmark understand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aplc.bench import data
from aplc.bench.arguments import Argument
from aplc.bench.native import Returns

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
    grows: tuple[tuple[int, ...], int] = ((0,), 1)
    files: Callable[[Path, Size], tuple[Argument, ...] | None] = lambda directory, size: None

    @property
    def path(self) -> Path:
        """The APL program."""
        return PROGRAMS / f"{self.apl or self.program}.apl"

    def grown(self, factor: float) -> Size:
        """The size of a first look with so many times the work."""
        places, degree = self.grows
        wanted = [round(n * factor ** (1 / degree)) if k in places else n for k, n in enumerate(self.quick)]
        return tuple([max(2, n) if k in places else n for k, n in enumerate(wanted)])


BOARD = ((1, 2), 2)
"""What grows is the two extents of a board, behind the number of steps."""
SQUARE = ((0,), 2)
"""What grows is the side of a square."""


def numbers(size: Size) -> tuple[Argument, ...]:
    """The numbers of the size themselves."""
    return size


def vector(size: Size) -> tuple[Argument, ...]:
    """So many doubles."""
    return (data.uniform(*size),)


def integer(size: Size) -> Returns:
    """A whole number."""
    return Returns("int64")


def double(size: Size) -> Returns:
    """A double."""
    return Returns("float64")


def doubles(size: Size) -> Returns:
    """Doubles of that shape."""
    return Returns("float64", size)


def grid(size: Size) -> Returns:
    """Doubles of the shape that follows the number of steps."""
    return Returns("float64", size[1:])


def square(size: Size) -> Returns:
    """Counts on a square grid; the depth comes first."""
    return Returns("int64", (size[1], size[1]))


def each(count: int) -> Callable[[Size, Any], int]:
    """So many operations for each element, that is, for each combination of the extents."""
    return lambda size, value: count * math.prod(size)


def passes(width: int) -> Callable[[Size, Any], tuple[int, int]]:
    """One pass that moves so many bytes for each element."""
    return lambda size, value: (width * size[0], 1)


def steps(width: int) -> Callable[[Size, Any], tuple[int, int]]:
    """A pass for each step, which moves so many bytes for each cell."""
    return lambda size, value: (width * math.prod(size[1:]), size[0])


def result(size: Size, value: Any) -> tuple[int, int]:
    """Only the result is written."""
    return 8 * value.size, 1


def nothing(size: Size, value: Any) -> tuple[int, int]:
    """All of it is computed from a few numbers."""
    return 0, 0
