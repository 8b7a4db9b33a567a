"""Number systems, linear algebra and formatting."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tests.support.plain_apl.array import (
    DOMAIN,
    LENGTH,
    RANK,
    A,
    AplError,
    NotTier1,
    build,
    converted,
    is_number,
    joined,
    reshaped,
    whole_vector,
    wrapped,
)
from tests.support.plain_apl.scalar import residue

# --- decode and encode ----------------------------------------------------------------------------------


def _require_numbers(*arrays: A) -> str:
    """The kind of their arithmetic."""
    if any(not is_number(a) and not a.data for a in arrays):
        raise NotTier1("whether no characters are numbers")
    if not all(map(is_number, arrays)):
        raise AplError(DOMAIN)
    return joined("int", *[a.kind for a in arrays])


def decode(x: A, y: A) -> A:
    """`x⊥y`: the last axis of x holds the radices of the digits along the first axis of y."""
    kind = _require_numbers(x, y)
    x, y = [converted(reshaped(a, a.shape or (1,)), kind) for a in (x, y)]
    lengths = {x.shape[-1], y.shape[0]}
    count = max(lengths - {1}, default=1)
    if len(lengths - {1}) > 1:
        raise AplError(LENGTH)
    outer, inner = x.shape[:-1], y.shape[1:]

    def value(i: tuple[int, ...]) -> Any:
        row, column = i[: len(outer)], i[len(outer) :]
        total: Any = 0 if kind == "int" else 0.0
        for k in range(count):
            radix = x.at((*row, k if x.shape[-1] != 1 else 0))
            total = total * radix + y.at((k if y.shape[0] != 1 else 0, *column))
        return wrapped(total) if kind == "int" else total

    return build(kind, outer + inner, value)


def encode(x: A, y: A) -> A:
    """`x⊤y`: the digits of y to the radices along the first axis of x; a radix of 0 takes all the rest."""
    kind = _require_numbers(x, y)
    x, y = converted(x, kind), converted(y, kind)
    count, rest = x.tally, x.shape[1:]
    digits: dict[tuple[int, ...], Any] = {}
    columns = build("int", rest, lambda i: 0)
    for i in _all_indices(columns):
        for j in _all_indices(y):
            left = y.at(j)
            for k in range(count - 1, -1, -1):
                radix = x.at((k, *i)) if x.rank else x.at(())
                digit = residue(radix, left)
                digits[(k, *i, *j) if x.rank else (*i, *j)] = digit
                left = 0 * left if radix == 0 else _quotient(left - digit, radix)
    return build(kind, x.shape + y.shape, lambda i: wrapped(digits[i]) if kind == "int" else digits[i])


def _all_indices(a: A) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for n in a.shape:
        found = [(*i, k) for i in found for k in range(n)]
    return found


def _quotient(x: Any, y: Any) -> Any:
    return x // y if isinstance(x, int) else x / y


# --- matrix inverse and division ------------------------------------------------------------------------

Matrix = list[list[Fraction]]


def invert(y: A) -> A:
    """`⌹y`: the inverse, or the pseudo-inverse of more rows than columns."""
    rows, columns = _extents(y)
    identity = [[Fraction(i == j) for j in range(rows)] for i in range(rows)]
    solved = _least_squares(_matrix(y, rows, columns), identity)
    shape = y.shape[::-1]
    return A("double", shape, tuple([float(x) for row in solved for x in row]))


def divide(x: A, y: A) -> A:
    """`x⌹y`: the least-squares solution z of `y+.×z` being x."""
    rows, columns = _extents(y)
    if not is_number(x):
        raise AplError(DOMAIN)
    if x.rank > 2:
        raise AplError(RANK)
    if x.tally != rows:
        raise AplError(LENGTH)
    sides = math.prod(x.shape[1:])
    solved = _least_squares(_matrix(y, rows, columns), _matrix(x, rows, sides))
    shape = y.shape[1:] + x.shape[1:]
    return A("double", shape, tuple([float(v) for row in solved for v in row]))


def _extents(y: A) -> tuple[int, int]:
    if not is_number(y):
        raise AplError(DOMAIN)
    if y.rank > 2:
        raise AplError(RANK)
    rows, columns = y.tally, math.prod(y.shape[1:])
    if rows < columns:
        raise AplError(LENGTH)
    if 0 in (rows, columns):
        raise NotTier1("linear algebra without rows or columns")
    return rows, columns


def _matrix(a: A, rows: int, columns: int) -> Matrix:
    if any(not math.isfinite(x) for x in a.data):
        raise NotTier1("linear algebra with infinities")
    return [[Fraction(a.data[i * columns + j]) for j in range(columns)] for i in range(rows)]


def _least_squares(y: Matrix, x: Matrix) -> Matrix:
    """The exact solution of the normal equations. DOMAIN ERROR if the columns of y depend on each other."""
    transposed = [list(column) for column in zip(*y, strict=True)]
    system = [a + b for a, b in zip(_product(transposed, y), _product(transposed, x), strict=True)]
    n = len(system)
    for k in range(n):
        row = next((i for i in range(k, n) if system[i][k] != 0), None)
        if row is None:
            raise AplError(DOMAIN)
        system[k], system[row] = system[row], system[k]
        system[k] = [v / system[k][k] for v in system[k]]
        for i in range(n):
            if i != k:
                system[i] = [a - system[i][k] * b for a, b in zip(system[i], system[k], strict=True)]
    return [row[n:] for row in system]


def _product(x: Matrix, y: Matrix) -> Matrix:
    columns = [list(column) for column in zip(*y, strict=True)] if y else []
    return [[sum((a * b for a, b in zip(r, c, strict=True)), Fraction(0)) for c in columns] for r in x]


# --- format ---------------------------------------------------------------------------------------------


def spelt(x: int | float | bool) -> str:
    """One number with up to ten significant digits."""
    if isinstance(x, float):
        if not math.isfinite(x) or (x != 0 and not 1e-5 <= abs(x) < 1e10):
            raise NotTier1("numbers with an exponent")
        return f"{x + 0.0:.10g}".replace("-", "¯")
    return str(int(x)).replace("-", "¯")


def format(y: A) -> A:
    """`⍕y`: columns of numbers to the right, one blank between them; characters as they are."""
    if y.kind == "char":
        return y
    if y.rank <= 1:
        text = " ".join(map(spelt, y.data))
        return A("char", (len(text),), tuple(text))
    if y.kind == "double":
        raise NotTier1("columns of doubles")
    if not y.data and y.shape[-1]:
        raise NotTier1("the width of a column without rows")
    rows = [list(map(spelt, row.data)) for row in y.cells(1)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join([t.rjust(w) for t, w in zip(row, widths, strict=True)]) for row in rows]
    width = sum(widths) + max(len(widths) - 1, 0)
    return A("char", (*y.shape[:-1], width), tuple("".join(lines)))


def format_by_width(x: A, y: A) -> A:
    """`w p⍕y`: each number in w places, p of them behind the point."""
    given = whole_vector(x)
    if not is_number(y):
        raise AplError(DOMAIN)
    columns = y.shape[-1] if y.rank else 1
    if len(given) == 2:
        given *= columns
    if len(given) == 1 or any(w <= 0 or p < 0 for w, p in zip(given[::2], given[1::2], strict=False)):
        raise NotTier1("a width that is found")
    if len(given) != 2 * columns:
        raise AplError(LENGTH)
    lines = []
    for row in y.cells(1) if y.rank else [reshaped(y, (1,))]:
        items = zip(row.data, given[::2], given[1::2], strict=True)
        lines.append("".join([_in_places(v, w, p) for v, w, p in items]))
    return A("char", (*y.shape[:-1], sum(given[::2])), tuple("".join(lines)))


def _in_places(x: Any, width: int, places: int) -> str:
    exact = Fraction(x) * 10**places
    if exact.denominator == 2:
        raise NotTier1("rounding halves")
    text = f"{float(x) + 0.0:.{places}f}".replace("-", "¯").rjust(width)
    if len(text) >= width and not text.startswith(" "):
        raise NotTier1("numbers that fill their places")
    return text
