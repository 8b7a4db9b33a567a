"""What the primitives of TAIL mean, in NumPy: simple, slow, right in every corner.

Scalar functions take and give arrays of one shape, element by element. Structural ones take a function as a
callable on arrays of one shape (see `evaluate`), and axes, counts and shapes as APL has them. A check that
fails raises `FaultRaised`. The corners are those of the language page: `0÷0` is 1, `0|x` is x, int wraps.
A structural result shares no memory with an argument, which may be updated in place later.

Here are the plain scalar functions and those that arrange elements. `numeric` and `matrix`
have the rest of arithmetic, `fold` applies functions to parts, `select` chooses by data,
`order` sorts and searches, `text` formats, and `system` reaches outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room, require_room_for
from aplc.tail.faults import Fault, FaultRaised
from aplc.tail.types import LAST_CHARACTER, SURROGATES, Base, Nested, Records

Value = np.ndarray[Any, Any]

DTYPES: dict[Base, np.dtype[Any]] = {base: np.dtype(base.dtype) for base in Base}
"""How the elements of a value are held, by base type."""

_BASES = {dtype: base for base, dtype in DTYPES.items()}


def base_of_value(value: Value) -> Base:
    """The base type of a value, which its element type tells."""
    return _BASES[value.dtype]


@dataclass(frozen=True, slots=True)
class Pointwise:
    """A function of scalars as a callable on arrays of one shape."""

    call: Callable[..., Value]
    associative: bool = False
    """Whether it is a primitive that may be reassociated."""
    in_order: bool = False
    """Whether it may print or draw random numbers, so that it shows in which order it is applied."""

    def __call__(self, *args: Value) -> Value:
        """The function, element by element."""
        return self.call(*args)


@dataclass(frozen=True, slots=True)
class CellFunction:
    """A function of whole arrays, with what its type says: the ranks of its arguments, and the element type
    and rank of its result, for a vector perhaps the length.
    """

    call: Callable[..., Value]
    ranks: tuple[int, ...]
    dtype: np.dtype[Any]
    result_rank: int
    result_length: int | None = None
    result: Nested | Records | None = None
    """The type of a result that is an array of arrays, or of records."""

    def __call__(self, *args: Value) -> Value:
        """The function, applied once."""
        return self.call(*args)


INT64_LIMIT = 2.0**63


def require(holds: Value | np.bool_ | bool, fault: Fault, *values: int | float | str) -> None:
    """Raise the fault unless the condition holds everywhere."""
    if not np.all(holds):
        raise FaultRaised(fault, *values)


# --- scalar functions ---------------------------------------------------------------------------------


def divide(x: Value, y: Value) -> Value:
    """`x÷y`; `0÷0` is 1."""
    both_zero = (x == 0) & (y == 0)
    require((y != 0) | both_zero, faults.DIVIDE_BY_ZERO)
    return np.where(both_zero, 1.0, np.divide(x, np.where(y == 0, 1.0, y)))


def residue_int(x: Value, y: Value) -> Value:
    """`x|y` on integers: the sign of x; `0|y` is y."""
    modulus = np.where(x == 0, 1, x)
    return np.where(
        x == 0, y, np.where(modulus == -1, 0, np.remainder(y, np.where(modulus == -1, 1, modulus)))
    )


def residue_double(x: Value, y: Value) -> Value:
    """`x|y` on doubles: exact remainder with the sign of x; `0|y` is y."""
    rest = np.fmod(y, np.where(x == 0, 1.0, x))
    rest = np.where((rest != 0) & ((rest < 0) != (x < 0)), rest + x, rest)
    return np.where(x == 0, y, rest)


def to_int(x: Value) -> Value:
    """A double with a whole value that fits, as an integer (faults are the caller's)."""
    fits = (x >= -INT64_LIMIT) & (x < INT64_LIMIT)
    require(fits, faults.TOO_LARGE)
    return np.asarray(x).astype(np.int64)


def floor(x: Value) -> Value:
    """`⌊x` as an integer."""
    return to_int(np.floor(x))


def ceiling(x: Value) -> Value:
    """`⌈x` as an integer."""
    return to_int(np.ceil(x))


def double_to_int(x: Value) -> Value:
    """A double accepted where an integer is required."""
    require((np.floor(x) == x) & (x >= -INT64_LIMIT) & (x < INT64_LIMIT), faults.NOT_WHOLE)
    return np.asarray(x).astype(np.int64)


def int_to_bool(x: Value) -> Value:
    """An integer accepted where a boolean is required."""
    require((x == 0) | (x == 1), faults.NOT_BOOLEAN)
    return np.asarray(x).astype(np.bool_)


def int_to_char(x: Value) -> Value:
    """The character with a code point; those that stand for halves of UTF-16 are none."""
    wrong = (x < 0) | (x > LAST_CHARACTER) | ((x >= SURROGATES[0]) & (x <= SURROGATES[1]))
    first = np.asarray(x)[wrong].reshape(-1)[:1]
    require(~wrong, faults.NO_CHARACTER, int(first[0]) if first.size else 0)
    return np.asarray(x).astype(DTYPES[Base.CHAR])


def natural(x: Value) -> Value:
    """An integer accepted where a count is required."""
    require(x >= 0, faults.NEGATIVE_COUNT, int(np.min(x, initial=0)))
    return x


def sign(x: Value) -> Value:
    """`×x` as an integer; 0 for NaN."""
    return np.asarray((x > 0).astype(np.int64) - (x < 0).astype(np.int64))


def libm(function: Callable[..., float], exceptional: np.ufunc) -> Callable[..., Value]:
    """A function of Python's `math`, which is the C library's, element by element. NumPy's own may differ
    from it in the last bit, but not where `math` refuses: beyond all doubles and outside the domain.
    """

    def careful(*values: float) -> float:
        try:
            return function(*values)
        except (OverflowError, ValueError):
            return float(exceptional(*values))

    plain = np.frompyfunc(function, exceptional.nin, 1)
    slow = np.frompyfunc(careful, exceptional.nin, 1)

    def call(*args: Value) -> Value:
        try:
            return np.asarray(plain(*args), dtype=np.float64)
        except (OverflowError, ValueError):
            return np.asarray(slow(*args), dtype=np.float64)

    return call


exponential = libm(math.exp, np.exp)
_log = libm(math.log, np.log)
_power = libm(math.pow, np.power)


def natural_log(x: Value) -> Value:
    """`⍟x` of positive numbers (and NaN)."""
    require(~(x <= 0), faults.NOT_POSITIVE)
    return _log(x)


def power(x: Value, y: Value) -> Value:
    """`x*y`; `0*0` is 1, and a result that is not real is a DOMAIN ERROR."""
    require((x != 0) | ~(y < 0), faults.NO_REAL_POWER)
    require(~((x < 0) & (np.floor(y) != y) & (y == y)), faults.NO_REAL_POWER)
    return _power(x, y)


def lcm(x: Value, y: Value) -> Value:
    """`x∧y` on integers: the least common multiple, with the sign of the product."""
    divisor = np.gcd(x, y)
    return np.where(divisor == 0, 0, np.floor_divide(x, np.where(divisor == 0, 1, divisor)) * y)


# --- structure ----------------------------------------------------------------------------------------


def fill_of(a: Value) -> Value:
    """The fill element of an array, which its element type tells."""
    return np.array(base_of_value(a).fill, dtype=a.dtype)


def index_generator(n: Value) -> Value:
    """`⍳n`, counted from 1 (the index origin is the front end's affair)."""
    require(n >= 0, faults.NEGATIVE_COUNT, int(n))
    require_room(int(n))
    return np.arange(1, int(n) + 1, dtype=np.int64)


def apply_each(f: Pointwise, a: Value) -> Value:
    """`f¨a`"""
    return np.array(f(a))


def zip_with(f: Pointwise, a: Value, b: Value) -> Value:
    """`a f b` element by element; an array of one element extends to the shape of the other."""
    if a.shape != b.shape:
        if a.size == 1:
            a = np.broadcast_to(a.reshape(()), b.shape)
        elif b.size == 1:
            b = np.broadcast_to(b.reshape(()), a.shape)
        else:
            require_lengths(a.shape, b.shape)
    return np.array(f(a, b))


def require_lengths(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """Equal extents on every axis, else LENGTH ERROR for the first pair that differs."""
    for m, n in zip(left, right, strict=True):
        require(m == n, faults.LENGTHS, m, n)


def reduce(f: Pointwise, identity: Value, a: Value) -> Value:
    """`f/a` along the last axis, from the right; the identity item stands for an empty axis only."""
    if a.shape[-1] == 0:
        require_room_for(a.shape[:-1], identity.itemsize)
        return np.broadcast_to(identity.reshape(()), a.shape[:-1]).copy()
    return reduce_nonempty(f, a)


def reduce_nonempty(f: Pointwise, a: Value) -> Value:
    """`f/a` for a function without identity item."""
    n = a.shape[-1]
    if n == 0:
        require(a.size == 0 and 0 in a.shape[:-1], faults.EMPTY_REDUCTION)
        return np.zeros(a.shape[:-1], a.dtype)
    if not a.size:  # however many there are, they take no time
        return np.zeros(a.shape[:-1], f(a[..., 0], a[..., 0]).dtype)
    if f.in_order and a.ndim > 1:
        return np.array([reduce_nonempty(f, row) for row in a.reshape(-1, n)]).reshape(a.shape[:-1])
    result = a[..., n - 1]
    for k in range(n - 2, -1, -1):
        result = f(a[..., k], result)
    return np.array(result)


def shape(a: Value) -> Value:
    """`⍴a`"""
    return np.array(a.shape, dtype=np.int64)


def reshape(extents: Value, a: Value) -> Value:
    """`extents⍴a`: row-major, repeated as often as needed; fills if `a` is empty."""
    for n in extents.reshape(-1):
        require(n >= 0, faults.NEGATIVE_EXTENT, int(n))
    target = tuple([int(n) for n in extents.reshape(-1)])
    require_room_for(target, a.itemsize)
    count = math.prod(target)
    flat = a.reshape(-1) if a.size else fill_of(a).reshape(1)
    return np.resize(flat, count).reshape(target) if count else np.zeros(target, a.dtype)


def ravel(a: Value) -> Value:
    """`,a`"""
    return a.reshape(-1).copy()


def reverse(a: Value) -> Value:
    """`⌽a`, along the last axis."""
    return a[..., ::-1].copy() if a.ndim else a.copy()


def rotate(n: Value, a: Value) -> Value:
    """`n⌽a`, along the last axis."""
    size = a.shape[-1] if a.ndim else 0
    return np.roll(a, -(int(n) % size), axis=-1) if size else a.copy()


def transpose(a: Value) -> Value:
    """`⍉a`"""
    return a.T.copy()


def transpose_by(axes: Value, a: Value) -> Value:
    """`axes⍉a` for a permutation: axis i becomes axis `axes[i]`."""
    wanted = [int(k) - 1 for k in axes]
    require(sorted(wanted) == list(range(a.ndim)), faults.NO_PERMUTATION)
    return np.transpose(a, np.argsort(wanted) if wanted else None).copy()


def diagonal(axes: Value, a: Value) -> Value:
    """`axes⍉a` where equal axes select a diagonal; the axes are literals, checked by their type."""
    wanted = [int(k) - 1 for k in axes]
    rank = max(wanted, default=-1) + 1
    extents = [min(a.shape[i] for i, k in enumerate(wanted) if k == j) for j in range(rank)]
    grid = np.indices(extents, sparse=True) if rank else ()
    return np.asarray(a[tuple([grid[k] for k in wanted])]) if rank else a.copy()


def take(counts: Value, a: Value) -> Value:
    """`counts↑a` over the leading axes; a negative count takes from the end; missing elements are fills."""
    for axis, count in enumerate(int(n) for n in counts.reshape(-1)):
        extent = a.shape[axis]
        target = (*a.shape[:axis], abs(count), *a.shape[axis + 1 :])
        require_room_for(target, a.itemsize)
        kept = min(abs(count), extent)
        start = extent - kept if count < 0 else 0
        offset = abs(count) - kept if count < 0 else 0
        filled = np.full(target, fill_of(a), dtype=a.dtype)
        before = (slice(None),) * axis
        filled[(*before, slice(offset, offset + kept))] = a[(*before, slice(start, start + kept))]
        a = filled
    return a.copy()


def drop(counts: Value, a: Value) -> Value:
    """`counts↓a` over the leading axes; a negative count drops from the end."""
    for axis, count in enumerate(int(n) for n in counts.reshape(-1)):
        extent = a.shape[axis]
        kept = slice(min(count, extent), None) if count >= 0 else slice(0, max(0, extent + count))
        a = a[(slice(None),) * axis + (kept,)]
    return a.copy()


def first(a: Value) -> Value:
    """`⊃a`; the fill element of an empty array."""
    return np.asarray(a.reshape(-1)[0]) if a.size else fill_of(a)


def catenate(a: Value, b: Value) -> Value:
    """`a,b` along the last axis, for equal ranks."""
    require_lengths(a.shape[:-1], b.shape[:-1])
    require_room_for((*a.shape[:-1], a.shape[-1] + b.shape[-1]), a.itemsize)
    return np.concatenate([a, b], axis=-1)


def cons(a: Value, b: Value) -> Value:
    """`a,b` where `a` is one slice of the last axis."""
    require_lengths(a.shape, b.shape[:-1])
    return np.concatenate([a[..., np.newaxis], b], axis=-1)


def snoc(a: Value, b: Value) -> Value:
    """`a,b` where `b` is one slice of the last axis."""
    require_lengths(a.shape[:-1], b.shape)
    return np.concatenate([a, b[..., np.newaxis]], axis=-1)


def outer(f: Pointwise, a: Value, b: Value) -> Value:
    """`a∘.f b`"""
    require_room_for(a.shape + b.shape)
    left = a.reshape(a.shape + (1,) * b.ndim)
    return np.array(f(*_all_pairs(left, b, a.shape + b.shape)))


def _all_pairs(a: Value, b: Value, shape: tuple[int, ...]) -> tuple[Value, Value]:
    """Two arrays of one shape, which they extend to; `np.broadcast_arrays` knows 32 axes only."""
    return np.broadcast_to(a, shape), np.broadcast_to(b, shape)


def inner(f: Pointwise, identity: Value, g: Pointwise, a: Value, b: Value) -> Value:
    """`a f.g b`: the last axis of `a` against the first of `b`; one element extends."""
    return reduce(f, identity, _products(g, a, b))


def inner_nonempty(f: Pointwise, g: Pointwise, a: Value, b: Value) -> Value:
    """`a f.g b` for an `f` without identity item."""
    return reduce_nonempty(f, _products(g, a, b))


def _products(g: Pointwise, a: Value, b: Value) -> Value:
    """All `g`-products of an inner product, the axis to reduce last."""
    m, n = a.shape[-1], b.shape[0]
    if a.size == 1 and n != m:
        a = np.broadcast_to(a, (*a.shape[:-1], n))
    elif b.size == 1 and n != m:
        b = np.broadcast_to(b, (m, *b.shape[1:]))
    require(a.shape[-1] == b.shape[0], faults.LENGTHS, m, n)
    require_room_for(a.shape + b.shape[1:])
    left = a.reshape(a.shape[:-1] + (1,) * (b.ndim - 1) + a.shape[-1:])
    return g(*_all_pairs(left, np.moveaxis(b, 0, -1), a.shape[:-1] + b.shape[1:] + b.shape[:1]))


def pick(i: Value, a: Value) -> Value:
    """`i⊃a` of a vector, counted from 1."""
    require((i >= 1) & (i <= a.size), faults.INDEX_RANGE, int(i), a.size)
    return np.asarray(a[int(i) - 1])


def match(a: Value, b: Value) -> Value:
    """`a≡b` for arrays of one rank and type."""
    return np.asarray(a.shape == b.shape and bool(np.all(a == b)), dtype=np.bool_)
