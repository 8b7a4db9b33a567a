"""Arrays of plain Python objects, for `plain_apl`: their kinds, their indices, and what can go wrong.

    A         ::= A(kind, shape, data)      data row-major, of Python's int, float, bool or str
    AplError  an APL error; several kinds where APL leaves open which of them is met first
    NotTier1  outside of what `plain_apl` defines: nested results, or a corner that nobody pinned down

An array is made by `build` from a function of its indices; axes and indices count from 0 here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import product
from math import inf, prod
from typing import Any

Shape = tuple[int, ...]

DOMAIN, LENGTH, RANK = "DOMAIN ERROR", "LENGTH ERROR", "RANK ERROR"
INDEX, AXIS = "INDEX ERROR", "AXIS ERROR"
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
LARGEST = 1.7976931348623157e308
PYTHON_TYPES = {"int": int, "double": float, "bool": bool, "char": str}
FILLS: dict[str, Any] = {"int": 0, "double": 0.0, "bool": False, "char": " "}
WIDTH = {"bool": 0, "int": 1, "double": 2}


class AplError(Exception):
    """An APL error: any of these kinds may be reported."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = frozenset(kinds)
        super().__init__(" or ".join(kinds))


class NotTier1(Exception):
    """There is no answer here."""


@dataclass(frozen=True)
class A:
    """An array."""

    kind: str
    shape: Shape
    data: tuple[Any, ...]

    def __post_init__(self) -> None:
        assert prod(self.shape) == len(self.data), f"{len(self.data)} elements of shape {self.shape}"
        wanted = PYTHON_TYPES[self.kind]
        assert all(type(x) is wanted for x in self.data), f"{self.data} of kind {self.kind}"

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def tally(self) -> int:
        """The number of major cells."""
        return self.shape[0] if self.shape else 1

    @property
    def is_single(self) -> bool:
        """Whether there is exactly one element."""
        return len(self.data) == 1

    def at(self, index: Iterable[int]) -> Any:
        """The element at an index, one number an axis."""
        offset = 0
        for i, n in zip(index, self.shape, strict=True):
            assert 0 <= i < n
            offset = offset * n + i
        return self.data[offset]

    def cells(self, rank: int) -> list[A]:
        """The cells of that rank, in order."""
        inner = self.shape[self.rank - rank :]
        size = prod(inner)
        count = prod(self.shape[: self.rank - rank])
        return [A(self.kind, inner, self.data[i * size : (i + 1) * size]) for i in range(count)]


def indices(shape: Shape) -> Iterator[Shape]:
    """All indices of an array of that shape, in row-major order."""
    return product(*[range(n) for n in shape])


def build(kind: str, shape: Shape, element: Callable[[Shape], Any]) -> A:
    """The array whose element at each index is given by a function."""
    return A(kind, shape, tuple([element(i) for i in indices(shape)]))


def scalar(value: int | float | bool | str) -> A:
    """A scalar of the kind that Python's type says."""
    (kind,) = [k for k, t in PYTHON_TYPES.items() if type(value) is t]
    return A(kind, (), (value,))


def vector(kind: str, items: Iterable[Any]) -> A:
    """A vector."""
    data = tuple(items)
    return A(kind, (len(data),), data)


def ints(*items: int) -> A:
    """A vector of integers."""
    return vector("int", items)


def truth(value: bool) -> A:
    """A boolean scalar."""
    return A("bool", (), (bool(value),))


def reshaped(a: A, shape: Shape) -> A:
    """The same elements in another shape."""
    return A(a.kind, shape, a.data)


def raised(a: A, rank: int) -> A:
    """The array with axes of extent 1 in front, up to that rank."""
    return reshaped(a, (1,) * (rank - a.rank) + a.shape)


def fill(kind: str) -> Any:
    """The element that stands where there is none."""
    return FILLS[kind]


def without_axis(shape: Shape, axis: int) -> Shape:
    """The shape with one axis left out."""
    return shape[:axis] + shape[axis + 1 :]


def with_axis(shape: Shape, axis: int, extent: int) -> Shape:
    """The shape with one more axis."""
    return (*shape[:axis], extent, *shape[axis:])


# --- kinds ----------------------------------------------------------------------------------------------


def is_number(a: A) -> bool:
    """Whether the elements are numbers."""
    return a.kind != "char"


def joined(*kinds: str) -> str:
    """The least kind that holds all of these. Characters beside numbers make a mixed array: not ours."""
    if set(kinds) == {"char"}:
        return "char"
    if "char" in kinds:
        raise NotTier1("characters and numbers in one array")
    return max(kinds, key=WIDTH.__getitem__)


def converted(a: A, kind: str) -> A:
    """The array with elements of a kind that holds them."""
    return a if a.kind == kind else A(kind, a.shape, tuple([PYTHON_TYPES[kind](x) for x in a.data]))


def wrapped(x: int) -> int:
    """An integer modulo 2*64, as a signed one."""
    return (x - INT_MIN) % 2**64 + INT_MIN


EQUAL_WITHIN: ContextVar[float] = ContextVar("tolerance", default=1e-14)
"""What `⎕CT` is."""


def same(x: Any, y: Any) -> bool:
    """Whether two elements are equal: doubles, if they differ by no more than `⎕CT` times the larger one.
    A character equals no number.
    """
    if isinstance(x, str) or isinstance(y, str):
        return isinstance(x, str) == isinstance(y, str) and bool(x == y)
    if x == y or not (isinstance(x, float) or isinstance(y, float)):
        return bool(x == y)
    return abs(x - y) <= EQUAL_WITHIN.get() * max(abs(x), abs(y)) < inf


def whole_near(x: float) -> int | None:
    """The whole number that a finite one is under `⎕CT`, if it is one."""
    nearest = round(x)
    return nearest if abs(x - nearest) <= EQUAL_WITHIN.get() * max(1.0, abs(x)) else None


def whole_numbers(a: A) -> list[int]:
    """The elements as integers. DOMAIN ERROR where they are none."""
    if not is_number(a) or any(isinstance(x, float) and not x.is_integer() for x in a.data):
        raise AplError(DOMAIN)
    return [int(x) for x in a.data]


def whole_vector(a: A) -> list[int]:
    """The integers of a scalar or vector. RANK ERROR for more axes."""
    if a.rank > 1:
        raise AplError(RANK)
    return whole_numbers(a)


def assembled(frame: Shape, results: list[A]) -> A:
    """The array whose cells are these results, which must be of one shape."""
    shapes = {r.shape for r in results}
    if len(shapes) != 1:
        raise NotTier1("results of several shapes")
    kind = joined(*[r.kind for r in results])
    data = [x for r in results for x in converted(r, kind).data]
    return A(kind, frame + results[0].shape, tuple(data))
