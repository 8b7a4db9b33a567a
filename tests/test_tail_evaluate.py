"""The reference interpreter against definitions in plain Python, and the corners of the language page.

The first half defines the basic primitives on tuples of Python values, as slowly and plainly as it can be
said; none of it comes from `tail.meaning`. The second half runs each on a grid of arguments and demands the
same value, or the same kind of error. Tables of TAIL texts with their values pin the corners by name. The
primitives that select, sort, search and calculate have their grids in `test_meaning`, and as APL in
`test_tier1`.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tail_terms import Program, programs, terms

from tail import prims as p
from tail.check import check
from tail.display import DIGITS
from tail.errors import RunError
from tail.evaluate import evaluate
from tail.meaning import DTYPES
from tail.prims import PRIMS, Prim
from tail.source import Source, Span
from tail.syntax import Arg, Exp, Function, Op, Param, Term, Var, fn, literal, op, prim_fn, vec
from tail.text_parse import parse_term
from tail.text_print import print_term
from tail.types import (
    Array,
    Base,
    Func,
    Single,
    SingleVector,
    Tuple,
    Type,
    array,
    known_length,
    rank_of,
    scalar,
)

INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
INF, NAN = math.inf, math.nan
FILL = {INT: 0, DOUBLE: 0.0, BOOL: False, CHAR: " "}


# --- plain Python: values -------------------------------------------------------------------------------


class Fails(Exception):
    """What a definition raises where APL has an error of this kind."""


@dataclass(frozen=True)
class Arr:
    """An array: element type, extents, and the elements in row-major order."""

    base: Base
    shape: tuple[int, ...]
    items: tuple[Any, ...]

    def __post_init__(self) -> None:
        assert len(self.items) == math.prod(self.shape)

    def at(self, index: tuple[int, ...]) -> Any:
        offset = 0
        for extent, k in zip(self.shape, index, strict=True):
            assert 0 <= k < extent
            offset = offset * extent + k
        return self.items[offset]


@dataclass(frozen=True)
class Fun:
    """A function argument: as TAIL writes it and as Python does, with the base type of its result."""

    term: Function
    plain: Callable[..., Any]
    result: Base


def indices(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return product(*map(range, shape))


def build(base: Base, shape: tuple[int, ...], element: Callable[[tuple[int, ...]], Any]) -> Arr:
    return Arr(base, shape, tuple([element(i) for i in indices(shape)]))


def one(base: Base, value: Any) -> Arr:
    return Arr(base, (), (value,))


def ints(*values: int) -> Arr:
    return Arr(INT, (len(values),), values)


def counting(base: Base, *shape: int) -> Arr:
    """An array of this shape with elements that differ."""
    n = math.prod(shape)
    values: dict[Base, tuple[Any, ...]] = {
        INT: tuple(range(1, n + 1)),
        DOUBLE: tuple([k - 0.5 for k in range(n)]),
        BOOL: tuple([k % 3 == 0 for k in range(n)]),
        CHAR: tuple([chr(ord("a") + k) for k in range(n)]),
    }
    return Arr(base, shape, values[base])


# --- plain Python: scalar functions ---------------------------------------------------------------------


def wrap(x: int) -> int:
    """The 64-bit two's complement."""
    return (x + 2**63) % 2**64 - 2**63


def residue(x: Any, y: Any) -> Any:
    return y if x == 0 else y % x


def divide(x: float, y: float) -> float:
    if y == 0:
        if x == 0:
            return 1.0
        raise Fails("DOMAIN ERROR")
    return x / y


def lcm(x: int, y: int) -> int:
    return 0 if x == 0 or y == 0 else wrap(x * y // math.gcd(x, y))


def greatest(x: float, y: float) -> float:
    return NAN if math.isnan(x) or math.isnan(y) else max(x, y)


def least(x: float, y: float) -> float:
    return NAN if math.isnan(x) or math.isnan(y) else min(x, y)


def power(x: float, y: float) -> float:
    if (x == 0 and y < 0) or (x < 0 and math.isfinite(y) and y != math.floor(y)):
        raise Fails("DOMAIN ERROR")
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0 and y % 2 == 1 else INF


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def logarithm(x: float) -> float:
    if x <= 0:
        raise Fails("DOMAIN ERROR")
    return math.log(x)


def sign(x: float) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def whole(function: Callable[[float], int]) -> Callable[[float], int]:
    """A rounding to an integer, which must fit."""

    def rounded(x: float) -> int:
        if not math.isfinite(x) or not INT_MIN <= function(x) <= INT_MAX:
            raise Fails("DOMAIN ERROR")
        return function(x)

    return rounded


def double_to_int(x: float) -> int:
    if not math.isfinite(x) or x != math.floor(x) or not INT_MIN <= int(x) <= INT_MAX:
        raise Fails("DOMAIN ERROR")
    return int(x)


def int_to_bool(x: int) -> bool:
    if x not in (0, 1):
        raise Fails("DOMAIN ERROR")
    return x == 1


def natural(x: int) -> int:
    if x < 0:
        raise Fails("DOMAIN ERROR")
    return x


def low32(x: int) -> int:
    """The 32-bit two's complement."""
    return (x + 2**31) % 2**32 - 2**31


def shift_left32(x: int, count: int) -> int:
    return low32(x << natural(count)) if count < 64 else 0


def shift_right32(x: int, count: int) -> int:
    return low32(x) >> min(natural(count), 64)


def factorial(x: float) -> float:
    if x < 0 and (math.isinf(x) or x == math.floor(x)):
        raise Fails("DOMAIN ERROR")
    try:
        return math.gamma(x + 1)
    except OverflowError:
        return INF


def less(x: Any, y: Any) -> bool:
    return bool(x < y)


def less_equal(x: Any, y: Any) -> bool:
    return bool(x <= y)


def greater(x: Any, y: Any) -> bool:
    return bool(x > y)


def greater_equal(x: Any, y: Any) -> bool:
    return bool(x >= y)


def equal(x: Any, y: Any) -> bool:
    return bool(x == y)


def unequal(x: Any, y: Any) -> bool:
    return bool(x != y)


SCALAR: dict[Prim, Callable[..., Any]] = {
    p.ADDI: lambda x, y: wrap(x + y),
    p.SUBI: lambda x, y: wrap(x - y),
    p.MULI: lambda x, y: wrap(x * y),
    p.MAXI: max,
    p.MINI: min,
    p.RESI: residue,
    p.ANDI32: lambda x, y: low32(x & y),
    p.ORI32: lambda x, y: low32(x | y),
    p.XORI32: lambda x, y: low32(x ^ y),
    p.NOTI32: lambda x: low32(~x),
    p.SHLI32: shift_left32,
    p.SHRI32: shift_right32,
    p.GCDI: lambda x, y: wrap(math.gcd(x, y)),
    p.LCMI: lcm,
    p.NEGI: lambda x: wrap(-x),
    p.ABSI: lambda x: wrap(abs(x)),
    p.SIGNI: sign,
    p.ADDD: lambda x, y: x + y,
    p.SUBD: lambda x, y: x - y,
    p.MULD: lambda x, y: x * y,
    p.DIVD: divide,
    p.MAXD: greatest,
    p.MIND: least,
    p.RESD: residue,
    p.POWD: power,
    p.NEGD: lambda x: -x,
    p.ABSD: abs,
    p.EXPD: exponential,
    p.LND: logarithm,
    p.FACTD: factorial,
    p.SIGND: sign,
    p.FLOORD: whole(math.floor),
    p.CEILD: whole(math.ceil),
    **dict.fromkeys((p.LTI, p.LTD), less),
    **dict.fromkeys((p.LTEI, p.LTED), less_equal),
    **dict.fromkeys((p.GTI, p.GTD), greater),
    **dict.fromkeys((p.GTEI, p.GTED), greater_equal),
    **dict.fromkeys((p.EQI, p.EQD, p.EQC, p.EQB), equal),
    **dict.fromkeys((p.NEQI, p.NEQD, p.NEQC, p.NEQB), unequal),
    p.ANDB: lambda x, y: x and y,
    p.ORB: lambda x, y: x or y,
    p.NANDB: lambda x, y: not (x and y),
    p.NORB: lambda x, y: not (x or y),
    p.NOTB: lambda x: not x,
    p.B2I: lambda x: 1 if x else 0,
    p.I2D: float,
    p.D2I: double_to_int,
    p.I2B: int_to_bool,
    p.NATURAL: natural,
}


# --- plain Python: structure ----------------------------------------------------------------------------


def iota(n: Arr) -> Arr:
    if n.items[0] < 0:
        raise Fails("DOMAIN ERROR")
    return ints(*range(1, n.items[0] + 1))


def shape(a: Arr) -> Arr:
    return ints(*a.shape)


def reshape(extents: Arr, a: Arr) -> Arr:
    if any(n < 0 for n in extents.items):
        raise Fails("DOMAIN ERROR")
    source = a.items or (FILL[a.base],)
    return Arr(
        a.base, extents.items, tuple([source[k % len(source)] for k in range(math.prod(extents.items))])
    )


def ravel(a: Arr) -> Arr:
    return Arr(a.base, (len(a.items),), a.items)


def reverse(a: Arr) -> Arr:
    return build(a.base, a.shape, lambda i: a.at((*i[:-1], a.shape[-1] - 1 - i[-1]) if i else i))


def rotate(n: Arr, a: Arr) -> Arr:
    return build(a.base, a.shape, lambda i: a.at((*i[:-1], (i[-1] + n.items[0]) % a.shape[-1]) if i else i))


def transpose(a: Arr) -> Arr:
    return build(a.base, a.shape[::-1], lambda i: a.at(i[::-1]))


def permute(axes: Arr, a: Arr) -> Arr:
    if sorted(axes.items) != list(range(1, len(a.shape) + 1)):
        raise Fails("DOMAIN ERROR")
    return diagonal(axes, a)


def diagonal(axes: Arr, a: Arr) -> Arr:
    rank = max(axes.items, default=0)
    extents = [min(n for n, k in zip(a.shape, axes.items, strict=True) if k == j) for j in range(1, rank + 1)]
    return build(a.base, tuple(extents), lambda i: a.at(tuple([i[k - 1] for k in axes.items])))


def take(counts: Arr, a: Arr) -> Arr:
    wanted = (*counts.items, *a.shape[len(counts.items) :])

    def element(index: tuple[int, ...]) -> Any:
        source = [i if n >= 0 else i + m + n for i, n, m in zip(index, wanted, a.shape, strict=True)]
        inside = all(0 <= i < m for i, m in zip(source, a.shape, strict=True))
        return a.at(tuple(source)) if inside else FILL[a.base]

    return build(a.base, tuple(map(abs, wanted)), element)


def drop(counts: Arr, a: Arr) -> Arr:
    lost = (*counts.items, *[0] * (len(a.shape) - len(counts.items)))
    extents = tuple([max(0, m - abs(n)) for m, n in zip(a.shape, lost, strict=True)])
    return build(
        a.base, extents, lambda i: a.at(tuple([k + max(0, n) for k, n in zip(i, lost, strict=True)]))
    )


def first(a: Arr) -> Arr:
    return one(a.base, a.items[0] if a.items else FILL[a.base])


def catenate(a: Arr, b: Arr) -> Arr:
    if a.shape[:-1] != b.shape[:-1]:
        raise Fails("LENGTH ERROR")
    n = a.shape[-1]
    extents = (*a.shape[:-1], n + b.shape[-1])
    return build(a.base, extents, lambda i: a.at(i) if i[-1] < n else b.at((*i[:-1], i[-1] - n)))


def cons(a: Arr, b: Arr) -> Arr:
    return catenate(Arr(a.base, (*a.shape, 1), a.items), b)


def snoc(a: Arr, b: Arr) -> Arr:
    return catenate(a, Arr(b.base, (*b.shape, 1), b.items))


def pick(i: Arr, a: Arr) -> Arr:
    if not 1 <= i.items[0] <= len(a.items):
        raise Fails("INDEX ERROR")
    return one(a.base, a.items[i.items[0] - 1])


def index_of(a: Arr, b: Arr) -> Arr:
    found = [[k for k, x in enumerate(a.items, 1) if x == y] for y in b.items]
    return Arr(INT, b.shape, tuple([where[0] if where else len(a.items) + 1 for where in found]))


def match(a: Arr, b: Arr) -> Arr:
    return one(BOOL, a.shape == b.shape and all(x == y for x, y in zip(a.items, b.items, strict=True)))


def each(f: Fun, a: Arr) -> Arr:
    return Arr(f.result, a.shape, tuple([f.plain(x) for x in a.items]))


def zip_with(f: Fun, a: Arr, b: Arr) -> Arr:
    if a.shape != b.shape:
        if len(a.items) == 1:
            a = Arr(a.base, b.shape, a.items * len(b.items))
        elif len(b.items) == 1:
            b = Arr(b.base, a.shape, b.items * len(a.items))
        else:
            raise Fails("LENGTH ERROR")
    return Arr(f.result, a.shape, tuple([f.plain(x, y) for x, y in zip(a.items, b.items, strict=True)]))


def fold(f: Fun, identity: Any, items: list[Any]) -> Any:
    """From the right; an identity item of None is missing, and stands for an empty list only."""
    if not items:
        if identity is None:
            raise Fails("DOMAIN ERROR")
        return identity
    result = items[-1]
    for x in items[-2::-1]:
        result = f.plain(x, result)
    return result


def reduce(f: Fun, identity: Arr | None, a: Arr) -> Arr:
    item = None if identity is None else identity.items[0]
    return build(a.base, a.shape[:-1], lambda i: fold(f, item, [a.at((*i, k)) for k in range(a.shape[-1])]))


def outer(f: Fun, a: Arr, b: Arr) -> Arr:
    cut = len(a.shape)
    return build(f.result, a.shape + b.shape, lambda i: f.plain(a.at(i[:cut]), b.at(i[cut:])))


def inner(f: Fun, identity: Arr | None, g: Fun, a: Arr, b: Arr) -> Arr:
    m, n = a.shape[-1], b.shape[0]
    length, cut = m, len(a.shape) - 1
    if m != n:
        if len(a.items) == 1:
            length = n
        elif len(b.items) != 1:
            raise Fails("LENGTH ERROR")
    item = None if identity is None else identity.items[0]

    def element(i: tuple[int, ...]) -> Any:
        lefts = [a.at((*i[:cut], k % m)) for k in range(length)]
        rights = [b.at((k % n, *i[cut:])) for k in range(length)]
        return fold(f, item, [g.plain(x, y) for x, y in zip(lefts, rights, strict=True)])

    return build(f.result, a.shape[:-1] + b.shape[1:], element)


ARRAY: dict[Prim, Callable[..., Arr]] = {
    p.EACH: each,
    p.ZIP_WITH: zip_with,
    p.REDUCE: reduce,
    p.REDUCE1: lambda f, a: reduce(f, None, a),
    p.OUTER: outer,
    p.INNER: inner,
    p.INNER1: lambda f, g, a, b: inner(f, None, g, a, b),
    **dict.fromkeys((p.IOTA, p.IOTA_V), iota),
    **dict.fromkeys((p.SHAPE, p.SHAPE_V), shape),
    **dict.fromkeys((p.RESHAPE, p.RESHAPE_V), reshape),
    p.RAVEL: ravel,
    **dict.fromkeys((p.REVERSE, p.REVERSE_V), reverse),
    **dict.fromkeys((p.ROTATE, p.ROTATE_V), rotate),
    p.TRANSP: transpose,
    p.TRANSP2: permute,
    p.DIAGONAL: diagonal,
    **dict.fromkeys((p.TAKE, p.TAKES, p.TAKE_V), take),
    **dict.fromkeys((p.DROP, p.DROPS, p.DROP_V), drop),
    **dict.fromkeys((p.FIRST, p.FIRST_V), first),
    **dict.fromkeys((p.CAT, p.CAT_V), catenate),
    **dict.fromkeys((p.CONS, p.CONS_V), cons),
    **dict.fromkeys((p.SNOC, p.SNOC_V), snoc),
    p.PICK: pick,
    p.INDEX_OF: index_of,
    p.MATCH: match,
    p.PRINT: lambda a: a,
}


# --- running TAIL ---------------------------------------------------------------------------------------


def to_numpy(a: Arr) -> np.ndarray[Any, Any]:
    codes = [ord(x) if isinstance(x, str) else x for x in a.items]
    return np.array(codes, dtype=DTYPES[a.base]).reshape(a.shape)


def from_numpy(value: Any, ty: Type) -> Arr:
    """The array as Python values, after a look at the dtype."""
    assert isinstance(value, np.ndarray)
    assert not isinstance(ty, Func | Tuple)
    assert isinstance(ty.base, Base)
    assert value.dtype == DTYPES[ty.base]
    items = value.reshape(-1).tolist()
    return Arr(ty.base, value.shape, tuple([chr(x) if ty.base is CHAR else x for x in items]))


def application(prim: Prim, args: tuple[Arr | Fun, ...]) -> tuple[Term, list[np.ndarray[Any, Any]]]:
    """The primitive applied: to constants where its type wants them known, else to inputs of a program."""
    params: list[Param] = []
    inputs: list[np.ndarray[Any, Any]] = []
    terms: list[Arg] = []
    for pattern, arg in zip(prim.schemes[-1].type.params, args, strict=True):
        if isinstance(arg, Fun):
            terms.append(arg.term)
        elif isinstance(pattern, Array):
            params.append(Param(f"x{len(params)}", array(arg.base, len(arg.shape))))
            inputs.append(to_numpy(arg))
            terms.append(Var(params[-1].name, ty=params[-1].ty))
        elif isinstance(pattern, Single):
            terms.append(literal(arg.items[0]))
        else:
            terms.append(vec(tuple([literal(x) for x in arg.items]), arg.base))
    body = op(prim, *terms)
    return (fn(tuple(params), body) if params else body), inputs


def run(prim: Prim, *args: Arr | Fun) -> Arr | str:
    """The value of an application, or the kind of its error."""
    term, inputs = application(prim, args)
    body = term if isinstance(term, Op) else term.body  # type: ignore[union-attr]
    try:
        return from_numpy(evaluate(term, inputs, lambda value, ty, digits: None), body.ty)
    except RunError as error:
        return error.diagnostics[0].kind


def defined(definition: Callable[..., Arr], *args: Arr | Fun) -> Arr | str:
    try:
        return definition(*args)
    except Fails as failure:
        return str(failure)


def same_item(x: Any, y: Any, *, rounded: bool = False) -> bool:
    if type(x) is not type(y):
        return False
    return x == y or (x != x and y != y) or (rounded and math.isclose(x, y, rel_tol=1e-13))


def same(found: Arr | str, wanted: Arr | str, *, rounded: bool = False) -> bool:
    """Equality with types; NaN equals itself; `rounded` forgives the last bits."""
    if isinstance(found, str) or isinstance(wanted, str):
        return found == wanted
    return (found.base, found.shape) == (wanted.base, wanted.shape) and all(
        same_item(x, y, rounded=rounded) for x, y in zip(found.items, wanted.items, strict=True)
    )


# --- scalar functions on a grid of corners --------------------------------------------------------------

CORNERS: dict[Base, tuple[Any, ...]] = {
    INT: (0, 1, -1, 2, -2, 3, -5, 6, 7, 2**32, 3037000500, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1),
    DOUBLE: (
        *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -5.0, 2.5, -2.5, 1e-300, 1e308, -1e308, 709.0, -746.0),
        *(2.0**53, 2.0**63, -(2.0**63), math.nextafter(2.0**63, 0), 1e19, 5e-324, INF, -INF, NAN),
    ),
    BOOL: (False, True),
    CHAR: ("a", "b", " ", "⍵", "\0", "\U0010ffff"),
}
ROUNDED = frozenset({p.POWD, p.EXPD, p.LND, p.FACTD})


def bases(prim: Prim) -> tuple[tuple[Base, ...], Base]:
    ty = prim.schemes[0].type
    found = [t.base for t in (*ty.params, ty.result) if isinstance(t, Array) and isinstance(t.base, Base)]
    return tuple(found[:-1]), found[-1]


def scalar_cases(prim: Prim) -> list[tuple[tuple[Any, ...], Any]]:
    """Arguments and their value, or the kind of the error as a `Fails`."""
    cases: list[tuple[tuple[Any, ...], Any]] = []
    for args in product(*[CORNERS[b] for b in bases(prim)[0]]):
        try:
            cases.append((args, SCALAR[prim](*args)))
        except Fails as failure:
            cases.append((args, failure))
    return cases


@pytest.mark.parametrize("prim", SCALAR, ids=lambda prim: prim.name)
def test_scalar_function(prim: Prim) -> None:
    params, result = bases(prim)
    for args, value in scalar_cases(prim):
        wanted = str(value) if isinstance(value, Fails) else one(result, value)
        found = run(prim, *[one(b, x) for b, x in zip(params, args, strict=True)])
        assert same(found, wanted, rounded=prim in ROUNDED), (prim, args)


@pytest.mark.parametrize("form", ["primitive", "function", "by element"])
@pytest.mark.parametrize("prim", SCALAR, ids=lambda prim: prim.name)
def test_scalar_function_on_vectors(prim: Prim, form: str) -> None:
    params, result = bases(prim)
    good = [case for case in scalar_cases(prim) if not isinstance(case[1], Fails)]
    if form == "by element":
        good = good[::7]
    columns = [Arr(b, (len(good),), tuple([args[k] for args, _ in good])) for k, b in enumerate(params)]
    wanted = Arr(result, (len(good),), tuple([value for _, value in good]))
    operator = p.EACH if len(params) == 1 else p.ZIP_WITH
    function = Fun(function_form(prim, form), SCALAR[prim], result)
    assert same(run(operator, function, *columns), wanted, rounded=prim in ROUNDED)


def function_form(prim: Prim, form: str) -> Function:
    """The primitive itself, or in a body of scalars, or in one with an array, which goes by elements."""
    if form == "primitive":
        return prim_fn(prim)
    params = [Param(f"p{k}", scalar(b)) for k, b in enumerate(bases(prim)[0])]
    body = op(prim, *[Var(x.name, ty=x.ty) for x in params])
    return fn(tuple(params), body if form == "function" else op(p.FIRST, op(p.RAVEL, body)))


@pytest.mark.parametrize("prim", SCALAR, ids=lambda prim: prim.name)
def test_scalar_function_with_one_bad_element_fails(prim: Prim) -> None:
    params, result = bases(prim)
    cases = scalar_cases(prim)
    good = next(args for args, value in cases if not isinstance(value, Fails))
    operator = p.EACH if len(params) == 1 else p.ZIP_WITH
    for bad, value in cases:
        if isinstance(value, Fails):
            columns = [Arr(b, (3,), (good[k], bad[k], good[k])) for k, b in enumerate(params)]
            assert run(operator, Fun(prim_fn(prim), SCALAR[prim], result), *columns) == str(value), (
                prim,
                bad,
            )


IDENTITY_DOMAIN = {
    INT: CORNERS[INT],
    DOUBLE: tuple([x for x in CORNERS[DOUBLE] if math.isfinite(x)]),
    BOOL: CORNERS[BOOL],
    CHAR: (),
}


@pytest.mark.parametrize(
    "prim",
    [prim for prim in SCALAR if prim.identity is not None and bases(prim)[0] != (CHAR, CHAR)],
    ids=lambda prim: prim.name,
)
def test_identity_item_is_neutral_on_one_side(prim: Prim) -> None:
    (operand, _), result = bases(prim)
    assert prim.identity is not None
    domain: tuple[Any, ...] = IDENTITY_DOMAIN[operand] if result is operand else CORNERS[BOOL]
    item = type(CORNERS[operand][0])(prim.identity)

    def neutral(apply: Callable[[Any], Any]) -> bool:
        try:
            return all(apply(type(item)(x)) == x for x in domain)
        except Fails:
            return False

    if prim in (p.GCDI, p.LCMI):
        domain = tuple([x for x in domain if x >= 0])
    if prim in (p.ANDI32, p.ORI32, p.XORI32):
        domain = tuple([x for x in domain if x == low32(x)])
    function = SCALAR[prim]
    assert neutral(lambda x: function(item, x)) or neutral(lambda x: function(x, item))


@pytest.mark.parametrize("prim", [prim for prim in SCALAR if prim.associative], ids=lambda prim: prim.name)
def test_associative_functions_are(prim: Prim) -> None:
    function, operand = SCALAR[prim], bases(prim)[0][0]
    domain = [
        x
        for x in CORNERS[operand]
        if operand is not DOUBLE or x in (0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -5.0, INF)
    ]
    for x, y, z in product(domain, repeat=3):
        assert same_item(function(function(x, y), z), function(x, function(y, z))), (prim, x, y, z)


# --- structure on a grid of shapes ----------------------------------------------------------------------

SHAPES = (
    (),
    (0,),
    (1,),
    (3,),
    (5,),
    (0, 2),
    (2, 0),
    (1, 1),
    (2, 3),
    (2, 1, 2),
    (0, 2, 2),
    (2, 0, 3),
    (2, 2, 0),
    (2, 3, 2),
)
ARRAYS = [counting(INT, *s) for s in SHAPES] + [
    counting(b, *s) for b in (DOUBLE, BOOL, CHAR) for s in ((), (0,), (3,), (2, 0), (2, 3))
]
VECTORS = [a for a in ARRAYS if len(a.shape) == 1]
WITH_AXES = [a for a in ARRAYS if a.shape]
COUNTS = [one(INT, n) for n in (0, 1, -1, 2, -2, 3, -3, 7, -7)]
TURNS = [*COUNTS, one(INT, INT_MIN), one(INT, INT_MAX)]

X, Y = Var("x", ty=scalar(INT)), Var("y", ty=scalar(INT))
FREE_FUNCTION = fn((Param("x", X.ty), Param("y", Y.ty)), op(p.SUBI, op(p.MULI, literal(2), X), Y))
BY_ELEMENT = fn(
    (Param("x", X.ty), Param("y", Y.ty)),
    op(p.REDUCE, prim_fn(p.SUBI), literal(0), vec((X, Y, literal(5)), INT)),
)
FUNCTIONS = [
    Fun(prim_fn(p.SUBI), SCALAR[p.SUBI], INT),
    Fun(FREE_FUNCTION, lambda x, y: 2 * x - y, INT),
    Fun(BY_ELEMENT, lambda x, y: x - (y - 5), INT),
]
COMPARE = Fun(prim_fn(p.LTI), less, BOOL)
MIXED = Fun(
    fn(
        (Param("x", scalar(INT)), Param("y", scalar(DOUBLE))),
        op(p.LTD, op(p.I2D, X), Var("y", ty=scalar(DOUBLE))),
    ),
    less,
    BOOL,
)
MONADIC = [
    Fun(prim_fn(p.NEGI), SCALAR[p.NEGI], INT),
    Fun(prim_fn(p.I2D), float, DOUBLE),
    Fun(fn((Param("x", X.ty),), op(p.ADDI, X, literal(10))), lambda x: x + 10, INT),
    Fun(fn((Param("x", X.ty),), literal("a")), lambda x: "a", CHAR),
    Fun(
        fn((Param("x", X.ty),), op(p.REDUCE, prim_fn(p.ADDI), literal(0), op(p.IOTA, X))),
        lambda x: sum(range(x + 1)),
        INT,
    ),
]
INT_ARRAYS = [a for a in ARRAYS if a.base is INT]


def same_base(left: list[Arr], right: list[Arr], difference: int) -> list[tuple[Arr, ...]]:
    """All pairs of one base type whose ranks differ by as much as said."""
    return [
        (a, b) for a in left for b in right if a.base is b.base and len(b.shape) - len(a.shape) == difference
    ]


def leading_counts() -> list[tuple[Arr, ...]]:
    """Counts for some or all of the leading axes of each array."""
    chosen = (0, 1, -2, 4)
    ranks = [(a, rank) for a in ARRAYS for rank in range(len(a.shape) + 1)]
    return [(ints(*counts), a) for a, rank in ranks for counts in product(chosen, repeat=rank)]


def inner_cases(functions: list[Fun]) -> Iterator[tuple[Fun, Arr, Fun, Arr, Arr]]:
    shapes = ((0,), (1,), (3,), (1, 1), (2, 3), (3, 2), (3, 0), (0, 3), (1, 3), (2, 1, 3), (3, 1, 2))
    for f, (a, b) in product(functions, product(shapes, shapes)):
        yield f, one(INT, 42), FUNCTIONS[0], counting(INT, *a), counting(INT, *b)


CASES: dict[Prim, list[tuple[Arr | Fun, ...]]] = {
    p.EACH: [(f, a) for f in MONADIC for a in INT_ARRAYS],
    p.ZIP_WITH: [(f, a, b) for f in (*FUNCTIONS, COMPARE) for a, b in same_base(INT_ARRAYS, INT_ARRAYS, 0)]
    + [
        (MIXED, a, b) for a in INT_ARRAYS for b in ARRAYS if b.base is DOUBLE and len(a.shape) == len(b.shape)
    ],
    p.REDUCE: [(f, one(INT, 42), a) for f in FUNCTIONS for a in INT_ARRAYS if a.shape],
    p.REDUCE1: [(f, a) for f in FUNCTIONS for a in INT_ARRAYS if a.shape],
    p.OUTER: [(f, a, b) for f in (*FUNCTIONS, COMPARE) for a in INT_ARRAYS for b in INT_ARRAYS]
    + [(MIXED, a, b) for a in INT_ARRAYS for b in ARRAYS if b.base is DOUBLE],
    p.INNER: list(inner_cases(FUNCTIONS)),
    p.INNER1: [(f, g, a, b) for f, _, g, a, b in inner_cases(FUNCTIONS[:2])],
    p.IOTA: [(one(INT, n),) for n in (0, 1, 5, -1, INT_MIN)],
    p.SHAPE: [(a,) for a in ARRAYS],
    p.RESHAPE: [
        (ints(*extents), a)
        for a in ARRAYS
        for extents in ((), (0,), (4,), (7,), (2, 2), (0, 3), (3, 0), (2, 1, 4), (-1,), (2, -3), (0, -1))
    ],
    p.RAVEL: [(a,) for a in ARRAYS],
    p.REVERSE: [(a,) for a in ARRAYS],
    p.ROTATE: [(n, a) for n in TURNS for a in ARRAYS],
    p.TRANSP: [(a,) for a in ARRAYS],
    p.TRANSP2: [(ints(*axes), a) for a in ARRAYS for axes in product(range(4), repeat=len(a.shape))],
    p.DIAGONAL: [
        (ints(*axes), a)
        for a in ARRAYS
        for axes in product(range(1, 4), repeat=len(a.shape))
        if set(axes) == set(range(1, max(axes, default=0) + 1))
    ],
    p.TAKE: [(n, a) for n in COUNTS for a in WITH_AXES],
    p.DROP: [(n, a) for n in TURNS for a in WITH_AXES],
    p.TAKES: leading_counts(),
    p.DROPS: leading_counts(),
    p.FIRST: [(a,) for a in ARRAYS],
    p.CAT: [pair for pair in same_base(ARRAYS, ARRAYS, 0) if pair[0].shape],
    p.CONS: list(same_base(ARRAYS, ARRAYS, 1)),
    p.SNOC: [(b, a) for a, b in same_base(ARRAYS, ARRAYS, 1)],
    p.PICK: [(n, a) for n in (*TURNS, one(INT, 5), one(INT, 6)) for a in VECTORS],
    p.INDEX_OF: [(a, b) for a in VECTORS for b in ARRAYS if a.base is b.base]
    + [(ints(3, 1, 3, 2), counting(INT, 2, 3)), (ints(1, 1), ints(1, 2))],
    p.MATCH: [
        *same_base(ARRAYS, ARRAYS, 0),
        (ints(1, 2), ints(1, 3)),
        (Arr(DOUBLE, (1,), (NAN,)), Arr(DOUBLE, (1,), (NAN,))),
    ],
    p.IOTA_V: [(one(INT, n),) for n in (0, 1, 5)],
    p.SHAPE_V: [(a,) for a in VECTORS],
    p.RESHAPE_V: [(one(INT, n), a) for n in (0, 1, 4) for a in ARRAYS],
    p.REVERSE_V: [(a,) for a in VECTORS],
    p.ROTATE_V: [(n, a) for n in TURNS for a in VECTORS],
    p.TAKE_V: [(n, a) for n in COUNTS for a in VECTORS],
    p.DROP_V: [(n, a) for n in TURNS for a in VECTORS],
    p.FIRST_V: [(a,) for a in VECTORS if a.items],
    p.CAT_V: same_base(VECTORS, VECTORS, 0),
    p.CONS_V: [(one(a.base, FILL[a.base]), a) for a in VECTORS],
    p.SNOC_V: [(a, one(a.base, FILL[a.base])) for a in VECTORS],
    p.PRINT: [(a,) for a in ARRAYS],
}


@pytest.mark.parametrize("prim", CASES, ids=lambda prim: prim.name)
def test_array_function(prim: Prim) -> None:
    for args in CASES[prim]:
        assert same(run(prim, *args), defined(ARRAY[prim], *args)), (prim, args)


@pytest.mark.parametrize("prim", CASES, ids=lambda prim: prim.name)
def test_cases_reach_every_kind_of_outcome(prim: Prim) -> None:
    outcomes = [defined(ARRAY[prim], *args) for args in CASES[prim]]
    assert any(isinstance(outcome, Arr) and outcome.items for outcome in outcomes)
    kinds = {outcome for outcome in outcomes if isinstance(outcome, str)}
    assert kinds == FAULTS.get(prim, set())


FAULTS: dict[Prim, set[str]] = {
    p.ZIP_WITH: {"LENGTH ERROR"},
    p.REDUCE1: {"DOMAIN ERROR"},
    p.INNER: {"LENGTH ERROR"},
    p.INNER1: {"LENGTH ERROR", "DOMAIN ERROR"},
    p.IOTA: {"DOMAIN ERROR"},
    p.TRANSP2: {"DOMAIN ERROR"},
    p.RESHAPE: {"DOMAIN ERROR"},
    p.CAT: {"LENGTH ERROR"},
    p.CONS: {"LENGTH ERROR"},
    p.SNOC: {"LENGTH ERROR"},
    p.PICK: {"INDEX ERROR"},
}


def test_every_primitive_has_a_definition_and_cases() -> None:
    defined = set(SCALAR) | set(ARRAY)
    assert {prim for prim in SCALAR if not prim.is_scalar} == set()
    assert set(CASES) == set(ARRAY)
    elsewhere = (Path(__file__).parent / "test_meaning.py").read_text("utf-8")
    texts = " ".join([text for text, _ in CORNERS_AS_TEXTS])
    names = {value: name for name, value in vars(p).items() if isinstance(value, Prim)}
    for prim in set(PRIMS.values()) - defined:
        assert re.search(rf"p\.{names[prim]}\b", elsewhere) or f"{prim.name}(" in texts, prim


def test_axes_of_a_permutation() -> None:
    a = counting(INT, 2, 3, 4)
    for axes in permutations((1, 2, 3)):
        found = run(p.TRANSP2, ints(*axes), a)
        assert isinstance(found, Arr)
        assert all(found.shape[k - 1] == n for k, n in zip(axes, a.shape, strict=True))


# --- corners, as texts ----------------------------------------------------------------------------------


def nested(a: Arr) -> Any:
    """Lists of lists; a vector of characters is a string."""
    if not a.shape:
        return a.items[0]
    if len(a.shape) == 1:
        return "".join(a.items) if a.base is CHAR else list(a.items)
    step = math.prod(a.shape[1:])
    return [nested(Arr(a.base, a.shape[1:], a.items[k * step : (k + 1) * step])) for k in range(a.shape[0])]


def value_of(text: str, *inputs: Any) -> Any:
    term = parse_term(Source("test.tail", text))
    check(term)
    ty = term.ty.result if isinstance(term.ty, Func) else term.ty
    return shown(evaluate(term, inputs, lambda value, ty, digits: None), ty)


def shown(value: Any, ty: Type) -> Any:
    """A value as lists, strings and numbers; a tuple as a tuple of such."""
    if isinstance(ty, Tuple):
        return tuple([shown(part, part_type) for part, part_type in zip(value, ty.items, strict=True)])
    return nested(from_numpy(value, ty))


CORNERS_AS_TEXTS: list[tuple[str, Any]] = [
    # scalar functions
    ("divd(0.0,0.0)", 1.0),
    ("divd(-0.0,0.0)", 1.0),
    ("divd(0.0,5.0)", 0.0),
    ("divd(inf,inf)", NAN),
    ("zipWith(divd,[1.0,0.0],[4.0,0.0])", [0.25, 1.0]),
    ("resi(-5,3)", -2),
    ("resi(5,-3)", 2),
    ("resi(-5,-3)", -3),
    ("resi(0,7)", 7),
    ("resi(0,-7)", -7),
    ("resi(-1,-9223372036854775808)", 0),
    ("resi(-9223372036854775808,1)", -9223372036854775807),
    ("resd(-5.0,3.0)", -2.0),
    ("resd(0.0,2.5)", 2.5),
    ("resd(1.0,-0.25)", 0.75),
    ("resd(inf,3.0)", 3.0),
    ("addi(9223372036854775807,1)", INT_MIN),
    ("subi(-9223372036854775808,1)", INT_MAX),
    ("muli(4294967296,4294967296)", 0),
    ("negi(-9223372036854775808)", INT_MIN),
    ("absi(-9223372036854775808)", INT_MIN),
    ("floord(-0.5)", -1),
    ("ceild(-0.5)", 0),
    ("floord(9.223372036854775e18)", 9223372036854774784),
    ("floord(-9223372036854775808.0)", INT_MIN),
    ("maxd(nan,1.0)", NAN),
    ("mind(1.0,nan)", NAN),
    ("maxd(inf,1.0)", INF),
    ("mind(-inf,1.0)", -INF),
    ("addd(inf,-inf)", NAN),
    ("addd(1e308,1e308)", INF),
    ("ltd(nan,nan)", False),
    ("gted(nan,nan)", False),
    ("eqd(nan,nan)", False),
    ("neqd(nan,nan)", True),
    ("eqd(0.0,-0.0)", True),
    ("ltd(-inf,inf)", True),
    ("d2i(-9223372036854775808.0)", INT_MIN),
    ("powd(0.0,0.0)", 1.0),
    ("powd(-2.0,3.0)", -8.0),
    ("powd(-2.0,-1.0)", -0.5),
    ("powd(nan,0.0)", 1.0),
    ("powd(0.0,inf)", 0.0),
    ("powd(10.0,400.0)", INF),
    ("signi(-7)", -1),
    ("signd(-0.0)", 0),
    ("signd(nan)", 0),
    ("gcdi(0,0)", 0),
    ("gcdi(-4,6)", 2),
    ("lcmi(0,5)", 0),
    ("lcmi(4,-6)", -12),
    ("i2d(9223372036854775807)", 9223372036854775808.0),
    # reductions: from the right, identity items for empty axes only
    ("reduce(subi,0,[1,2,3,4])", -2),
    ("reduce(divd,1.0,[1.0,2.0,3.0,4.0])", 0.375),
    ("reduce(fn x:int, y:int => addi(muli(10,x),y),0,[1,2,3])", 33),
    ("reduce(addi,99,[5])", 5),
    ("reduce(addi,99,[])", 99),
    ("reduce(maxd,-inf,([]:<double>0))", -INF),
    ("reduce(addi,7,reshape([2,0],1))", [7, 7]),
    ("reduce(addi,7,reshape([0,2],1))", []),
    ("reduce1(subi,[1,2,3])", 2),
    ("reduce1(subi,reshape([2,1],[4,5]))", [4, 5]),
    ("reduce1(subi,reshape([0,0],1))", []),
    ("reduce1(subi,reshape([2,0,0],1))", [[], []]),
    # inner and outer products
    ("inner(addi,0,muli,reshape([2,3],iota(6)),reshape([3,2],iota(6)))", [[22, 28], [49, 64]]),
    ("inner(addi,0,muli,[1,2,3],[4,5,6])", 32),
    ("inner(addi,0,muli,[2],[4,5,6])", 30),
    ("inner(addi,0,muli,reshape([2,3],iota(6)),[2])", [12, 30]),
    ("inner(addi,42,muli,[],[])", 42),
    ("inner(addi,42,muli,reshape([2,0],1),reshape([0,3],1))", [[42, 42, 42], [42, 42, 42]]),
    ("inner(subi,0,subi,[1,2,3],[0,0,0])", 2),
    ("outer(fn x:int, y:int => subi(x,y),[10,20],[1,2,3])", [[9, 8, 7], [19, 18, 17]]),
    ("outer(eqc,\"ab\",'a')", [True, False]),
    ("outer(addi,5,[1,2])", [6, 7]),
    ("outer(addi,1,2)", 3),
    ("outer(addi,[1,2],[])", [[], []]),
    # one-element extension
    ("zipWith(addi,[10],[1,2,3])", [11, 12, 13]),
    ("zipWith(subi,[1,2,3],[1])", [0, 1, 2]),
    ("zipWith(addi,[1],[])", []),
    ("zipWith(addi,[],[1])", []),
    ("zipWith(addi,reshape([1,1],5),reshape([2,2],iota(4)))", [[6, 7], [8, 9]]),
    ("zipWith(addi,reshape([1,1],5),reshape([0,2],1))", []),
    ("zipWith(addi,2,3)", 5),
    # structure
    ("take(5,[1,2,3])", [1, 2, 3, 0, 0]),
    ("take(-5,[1,2,3])", [0, 0, 1, 2, 3]),
    ('take(2,"")', "  "),
    ("take(-2,[tt])", [False, True]),
    ("take(2,reshape([0,3],1))", [[0, 0, 0], [0, 0, 0]]),
    ("takes([-3,4],reshape([2,2],iota(4)))", [[0, 0, 0, 0], [1, 2, 0, 0], [3, 4, 0, 0]]),
    ("takes([],5)", 5),
    ("drop(5,[1,2,3])", []),
    ("drop(-1,[1,2,3])", [1, 2]),
    ("drop(-9223372036854775808,[1,2,3])", []),
    ("drops([1,-1],reshape([2,3],iota(6)))", [[4, 5]]),
    ("rotate(7,[1,2,3])", [2, 3, 1]),
    ("rotate(-1,[1,2,3])", [3, 1, 2]),
    ("rotate(1,reshape([2,3],iota(6)))", [[2, 3, 1], [5, 6, 4]]),
    ("rotate(3,[])", []),
    ("rotate(3,5)", 5),
    ("reverse(5)", 5),
    ("reverse(reshape([2,3],iota(6)))", [[3, 2, 1], [6, 5, 4]]),
    ("reshape([2,2],[1,2,3])", [[1, 2], [3, 1]]),
    ('reshape([3],"")', "   "),
    ("reshape([2],([]:<double>0))", [0.0, 0.0]),
    ("reshape([],[7,8])", 7),
    ("reshape([0,3],[1])", []),
    ("reshape([3,0],[1])", [[], [], []]),
    ("shape(reshape([0,3],[1]))", [0, 3]),
    ("shape(5)", []),
    ("transp(reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("transp(5)", 5),
    ("diagonal([1,1],reshape([2,3],iota(6)))", [1, 5]),
    ("transp2([2,1],reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("diagonal([1,1],reshape([0,3],iota(6)))", []),
    ("transp2([],5)", 5),
    ("let a:<int>2 = [2,1] in transp2(a,reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("transp2([2,3,1],reshape([2,1,3],iota(6)))", [[[1], [4]], [[2], [5]], [[3], [6]]]),
    ("diagonal([2,1],reshape([2,3],iota(6)))", [[1, 4], [2, 5], [3, 6]]),
    ("diagonal([1,2,1],reshape([2,2,2],iota(8)))", [[1, 3], [6, 8]]),
    ("diagonal([],5)", 5),
    ("first([])", 0),
    ('first("")', " "),
    ("first(reshape([2,2],[7,8]))", 7),
    ("ravel(5)", [5]),
    ("ravel(reshape([2,2],iota(4)))", [1, 2, 3, 4]),
    ("cat(reshape([2,1],[1,2]),reshape([2,2],[3,4,5,6]))", [[1, 3, 4], [2, 5, 6]]),
    ("cons([1,2],reshape([2,2],[3,4,5,6]))", [[1, 3, 4], [2, 5, 6]]),
    ("snoc(reshape([2,2],[3,4,5,6]),[1,2])", [[3, 4, 1], [5, 6, 2]]),
    ("cons(1,[])", [1]),
    ("cat([],[])", []),
    ("iota(0)", []),
    ('pick(3,"abc")', "c"),
    ("indexOf([3,1,3],[3,4])", [1, 4]),
    ("indexOf([],5)", 1),
    ("match([1,2],iota(2))", True),
    ("match([],iota(1))", False),
    ('match("","")', True),
    # functions: free scalar variables, bodies with arrays, functions in functions, constant bodies
    ("let k:int = 10 in each(fn x:int => addi(x,k),[1,2])", [11, 12]),
    ("let k:int = 10 in zipWith(fn x:int, y:int => addi(muli(k,x),y),[1,2],[3])", [13, 23]),
    ("let v = [5,6] in each(fn x:int => pick(x,v),[2,1,2])", [6, 5, 6]),
    ("each(fn x:int => reduce(addi,0,iota(x)),[1,2,3])", [1, 3, 6]),
    ("each(fn x:int => reduce(addi,0,each(fn y:int => muli(x,y),iota(x))),[1,2,3])", [1, 6, 18]),
    ("each(fn x:int => 7,reshape([2,1],0))", [[7], [7]]),
    ("each(fn x:int => let y = addi(x,1) in muli(y,y),[1,2])", [4, 9]),
    ("each(fn x:int => divd(i2d(x),0.0),[])", []),
    ("each(fn x:int => pick(x,[1]),[])", []),
    ("each(fn x:int => d2i(2.5),[])", []),
    ("each(fn x:int => let y = d2i(2.5) in x,[])", []),
    ("outer(fn a:int, b:int => d2i(2.5),[1,2],[])", [[], []]),
    ("each(negi,5)", -5),
    ("reduce(fn x:int, y:int => first(iota(addi(x,y))),0,[1,2,3])", 1),
    # blocks
    ("let x = 1 in let y = (let z = addi(x,1) in muli(z,z)) in addi(x,y)", 5),
    ("[let x = 1 in x,let x = 2 in x]", [1, 2]),
    # scans, windows, cells
    ("scan(subi,[1,2,3,4])", [1, -1, 2, -2]),
    ("scan(fn x:int, y:int => addi(muli(10,x),y),[1,2,3])", [1, 12, 33]),
    ("reduceN(subi,0,2,[1,2,4,8])", [-1, -2, -4]),
    ("reduceN(subi,0,-2,[1,2,4,8])", [1, 2, 4]),
    ("reduceN(addi,0,0,[1,2])", [0, 0, 0]),
    ("reduceN(addi,0,3,[1,2])", []),
    ("cells(fn c:[int]1 => reduce(addi,0,c),reshape([2,3],iota(6)))", [6, 15]),
    ("cells(fn c:int => iota(2),[1,2])", [[1, 2], [1, 2]]),
    ("zipCells(fn a:int, b:[int]1 => pick(a,b),[1,3],reshape([2,3],iota(6)))", [1, 6]),
    # tuples
    ("(1,2.5).2", 2.5),
    ("((1,2),(3,)).2.1", 3),
    ('let t = (1,"ab") in t.2', "ab"),
    ("print(([1,2],3)).1", [1, 2]),
    # conditionals: only the chosen branch is computed
    ("if tt then 1 else 2", 1),
    ("if ff then divd(1.0,0.0) else 2.5", 2.5),
    ("if lti(1,2) then [1] else [1,2]", [1]),
    ("(if ff then (1,2) else (3,4)).2", 4),
    ("each(fn x:int => if lti(x,2) then negi(x) else muli(x,x),[1,2,3])", [-1, 4, 9]),
    ("each(fn x:int => if eqi(x,0) then 0.0 else divd(1.0,i2d(x)),[0,2])", [0.0, 0.5]),
    # loops: all arguments are computed before one is bound
    ("loop f(i:int = 0, s:int = 0):int => if lti(i,5) then f(addi(i,1),addi(s,i)) else s", 10),
    ("loop g(a:int = 12, b:int = 18):int => if eqi(b,0) then a else g(b,resi(b,a))", 6),
    (
        "loop f(i:int = 0, a:int = 1, b:int = 2):(int, int) => if lti(i,3) then f(addi(i,1),b,a) else (a,b)",
        (2, 1),
    ),
    ("loop f(i:int = 7):int => if lti(i,5) then f(addi(i,1)) else 0", 0),
    ("loop f(i:int = 0, v:[int]1 = [1]):[int]1 => if lti(i,2) then f(addi(i,1),cat(v,v)) else v", [1] * 4),
    (
        "loop f(i:int = 0, s:int = 0):int => if lti(i,4) then f(addi(i,1),loop g(j:int = 0, t:int = s):int =>"
        " if lti(j,i) then g(addi(j,1),addi(t,1)) else t) else s",
        6,
    ),
    (
        "loop f(i:int = 0):int => let j = addi(i,1) in if lti(j,3) then f(j) else"
        " if lti(j,5) then f(addi(j,1)) else let k = muli(j,2) in k",
        10,
    ),
    ("each(fn x:int => loop f(i:int = x):int => if lti(i,10) then f(addi(i,i)) else i,[1,3])", [16, 12]),
    # recursion: each activation has variables of its own
    ("rec f(n:int = 5):int => if lti(n,2) then 1 else muli(n,f(subi(n,1)))", 120),
    ("rec f(n:int = 10):int => if lti(n,2) then n else addi(f(subi(n,1)),f(subi(n,2)))", 55),
    (
        "rec a(m:int = 2, n:int = 3):int => if eqi(m,0) then addi(n,1) else"
        " if eqi(n,0) then a(subi(m,1),1) else a(subi(m,1),a(m,subi(n,1)))",
        9,
    ),
    (
        "rec f(n:int = 3):int => if eqi(n,0) then 0 else"
        " let k:int = muli(n,10) in let r:int = f(subi(n,1)) in addi(k,r)",
        60,
    ),
    (
        "rec f(n:int = 2):int => if eqi(n,0) then 0 else"
        " reduce(addi,0,each(fn k:int => addi(f(subi(n,1)),k),[1,2]))",
        9,
    ),
    (
        "rec f(n:int = 2):int => if eqi(n,0) then 1 else loop g(j:int = 0, t:int = 0):int =>"
        " if lti(j,n) then g(addi(j,1),addi(t,f(subi(n,1)))) else t",
        2,
    ),
    (
        "rec f(n:int = 2):[int]1 => if eqi(n,0) then [0] else"
        " cells(fn k:int => firstV([first(f(subi(n,1)))]),cat(f(subi(n,1)),[n]))",
        [0, 0, 0],
    ),
    # changes in place
    ("update(copy([1,2,3]),(2,),9)", [1, 9, 3]),
    ("let v = [1,2,3] in let w = update(copy(v),(1,),9) in cat(v,w)", [1, 2, 3, 9, 2, 3]),
    ("let v = [1,2] in let w = print(v) in let x = update(copy(w),(1,),5) in cat(v,x)", [1, 2, 5, 2]),
    ("let v = [1,2] in let t = (v,v) in let x = update(copy(t.1),(1,),5) in cat(t.2,x)", [1, 2, 5, 2]),
    ("update(copy(reshape([2,2],0)),([1,2],2),[5,6])", [[0, 5], [0, 6]]),
    ("update(copy(reshape([2,2],0)),([2],[1,2]),7)", [[0, 0], [7, 7]]),
    ("update(copy([1,2,3]),([1,1],),[5,6])", [6, 2, 3]),
    ("update(copy([1,2]),([],),5)", [1, 2]),
    ("update(copy(update(copy([1,2,3]),(1,),7)),(2,),8)", [7, 8, 3]),
    ("update(update(copy([1,2,3]),(1,),7),(1,),8)", [8, 2, 3]),
    ("modify(addi,copy([1,2,3]),([1,1],),[5,6])", [12, 2, 3]),
    ("modify(subi,copy([1,2,3]),([3,1],),10)", [-9, 2, -7]),
    ("modify(fn x:int, y:double => addi(x,floord(y)),copy([1,2]),(2,),2.5)", [1, 4]),
    ("modify(addi,update(copy([1,2]),(1,),7),(1,),1)", [8, 2]),
    (
        "loop f(i:int = 1, v:[int]1 = [0,0,0]):[int]1 =>"
        " if ltei(i,3) then f(addi(i,1),update(copy(v),(i,),muli(i,i))) else v",
        [1, 4, 9],
    ),
    # what is printed, with its digits or not, is the value
    ("printWith(3,2.5)", 2.5),
]


@pytest.mark.parametrize(("text", "value"), CORNERS_AS_TEXTS)
def test_corner(text: str, value: Any) -> None:
    found = value_of(text)
    assert repr(found).replace("-0.0", "0.0") == repr(value)


@pytest.mark.parametrize(
    ("text", "zero"),
    [
        ("negd(0.0)", "-0.0"),
        ("muld(-1.0,0.0)", "-0.0"),
        ("addd(-0.0,-0.0)", "-0.0"),
        ("subd(0.0,0.0)", "0.0"),
        ("divd(0.0,-0.0)", "1.0"),
    ],
)
def test_sign_of_zero(text: str, zero: str) -> None:
    assert repr(value_of(text)) == zero


@pytest.mark.parametrize(
    ("text", "column", "kind", "message"),
    [
        ("divd(1.0,0.0)", 1, "DOMAIN ERROR", "divd divides by zero"),
        ("divd(nan,0.0)", 1, "DOMAIN ERROR", "divd divides by zero"),
        ("zipWith(divd,[1.0,1.0],[1.0,0.0])", 9, "DOMAIN ERROR", "divd divides by zero"),
        ("each(fn x:double => divd(1.0,x),[1.0,0.0])", 21, "DOMAIN ERROR", "divd divides by zero"),
        ("reduce(divd,1.0,[1.0,2.0,0.0])", 8, "DOMAIN ERROR", "divd divides by zero"),
        ("lnd(0.0)", 1, "DOMAIN ERROR", "lnd needs a number above zero"),
        ("lnd(-1.0)", 1, "DOMAIN ERROR", "lnd needs a number above zero"),
        ("powd(0.0,-1.0)", 1, "DOMAIN ERROR", "powd has no real result"),
        ("powd(-8.0,0.5)", 1, "DOMAIN ERROR", "powd has no real result"),
        ("floord(9223372036854775808.0)", 1, "DOMAIN ERROR", "the result of floord does not fit an integer"),
        ("ceild(-1e19)", 1, "DOMAIN ERROR", "the result of ceild does not fit an integer"),
        ("floord(inf)", 1, "DOMAIN ERROR", "the result of floord does not fit an integer"),
        ("ceild(nan)", 1, "DOMAIN ERROR", "the result of ceild does not fit an integer"),
        ("transp2([1,1],reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("transp2([0,1],reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("transp2(reverseV([3,2]),reshape([2,2],1))", 1, "DOMAIN ERROR", "transp2 needs every axis once"),
        ("d2i(0.5)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("d2i(nan)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("d2i(9223372036854775808.0)", 1, "DOMAIN ERROR", "d2i needs whole numbers"),
        ("i2b(2)", 1, "DOMAIN ERROR", "i2b needs zeros and ones"),
        ("each(i2b,[0,1,-1])", 6, "DOMAIN ERROR", "i2b needs zeros and ones"),
        ("iota(-3)", 1, "DOMAIN ERROR", "iota needs a count that is not negative, got ¯3"),
        (
            "ravel(reshape([2,-3],1))",
            7,
            "DOMAIN ERROR",
            "reshape needs extents that are not negative, got ¯3",
        ),
        ("reduce1(addi,[])", 1, "DOMAIN ERROR", "reduce1 has no identity item for an empty array"),
        ("reduce1(addi,reshape([2,0],1))", 1, "DOMAIN ERROR", "reduce1 has no identity item"),
        ("inner1(addi,muli,[],[])", 1, "DOMAIN ERROR", "inner1 has no identity item"),
        ("inner(addi,0,muli,[1,2],[1,2,3])", 1, "LENGTH ERROR", "inner needs equal lengths, got 2 and 3"),
        ("zipWith(addi,[1,2],[1,2,3])", 1, "LENGTH ERROR", "zipWith needs equal lengths, got 2 and 3"),
        ("zipWith(addi,[1,2],[])", 1, "LENGTH ERROR", "zipWith needs equal lengths, got 2 and 0"),
        ("zipWith(addi,reshape([2,3],1),reshape([2,1],1))", 1, "LENGTH ERROR", "got 3 and 1"),
        ("cat(reshape([2,1],1),reshape([1,2],1))", 1, "LENGTH ERROR", "cat needs equal lengths, got 2 and 1"),
        ("cons([1,2],reshape([3,1],1))", 1, "LENGTH ERROR", "cons needs equal lengths, got 2 and 3"),
        ("snoc(reshape([3,1],1),[1])", 1, "LENGTH ERROR", "snoc needs equal lengths, got 3 and 1"),
        ("pick(0,[1,2])", 1, "INDEX ERROR", "pick has no element 0, the length is 2"),
        ("pick(-1,[1,2])", 1, "INDEX ERROR", "pick has no element ¯1, the length is 2"),
        ("pick(3,[1,2])", 1, "INDEX ERROR", "pick has no element 3, the length is 2"),
        (
            "each(fn x:int => pick(x,[1,2]),[1,3])",
            18,
            "INDEX ERROR",
            "pick has no element 3, the length is 2",
        ),
        ("reshape([4611686018427387904],1)", 1, "WS FULL", "no memory"),
        ("let x = divd(1.0,0.0) in 5", 9, "DOMAIN ERROR", "divd divides by zero"),
        ("cat(iota(-1),iota(-2))", 5, "DOMAIN ERROR", "got ¯1"),
        ("if tt then divd(1.0,0.0) else 1.0", 12, "DOMAIN ERROR", "divd divides by zero"),
        ("(divd(1.0,0.0),2).2", 2, "DOMAIN ERROR", "divd divides by zero"),
        (
            "loop f(i:int = 3):int => f(pick(subi(i,1),[9,8]))",
            28,
            "INDEX ERROR",
            "pick has no element 7, the length is 2",
        ),
        ("rec f(n:int = 2):int => addi(1,f(natural(subi(n,1))))", 34, "DOMAIN ERROR", "got ¯1"),
        ("cells(fn c:int => iota(c),[1,2])", 1, "LENGTH ERROR", "different shapes, 1 and 2"),
        ("single([1,2])", 1, "RANK ERROR", "single"),
        ("ofLength(2,[1,2,3])", 1, "LENGTH ERROR", "ofLength needs 2 values, got 3"),
        ("noResult(1)", 1, "VALUE ERROR", "the function has no result here"),
        ("update(copy([1,2]),(3,),0)", 1, "INDEX ERROR", "update has no element 3, the length is 2"),
        (
            "update(copy([1,2,3]),([1,2],),[1,2,3])",
            1,
            "LENGTH ERROR",
            "selects 2 elements, there are 3 values",
        ),
        ("modify(divd,copy([1.0]),(1,),0.0)", 8, "DOMAIN ERROR", "divd divides by zero"),
        (
            "index((1,3),reshape([2,2],0))",
            1,
            "INDEX ERROR",
            "index has no element 3 on axis 2, the extent is 2",
        ),
    ],
)
def test_fault(text: str, column: int, kind: str, message: str) -> None:
    with pytest.raises(RunError) as caught:
        value_of(text)
    (cause,) = caught.value.diagnostics
    assert cause.kind == kind
    assert message in cause.message
    assert cause.span is not None
    assert (cause.span.line, cause.span.column) == (1, column)


def test_a_fault_names_the_apl_symbol_and_its_place() -> None:
    source = Source("f.apl", "x ← 1\ny ← x ÷ 0")
    span = Span(source, 12, 13)
    zero, nought = literal(1.0), literal(0.0)
    applied = op(p.DIVD, zero, nought, symbol="÷", span=span)
    passed = op(p.ZIP_WITH, prim_fn(p.DIVD, "÷", span), vec((zero,), DOUBLE), vec((nought,), DOUBLE))
    for term in (applied, passed):
        with pytest.raises(RunError, match=r"f\.apl:2:7: DOMAIN ERROR: ÷ divides by zero"):
            evaluate(term, (), lambda value, ty, digits: None)


# --- programs, printing, types --------------------------------------------------------------------------


def outcome(text: str, *inputs: Any) -> tuple[Any, list[Any]]:
    """The value, or the kind of the error, and what was printed before."""
    prints: list[Any] = []
    term = parse_term(Source("test.tail", text))
    try:
        evaluate(term, inputs, lambda value, ty, digits: prints.append(shown(value, ty)))
    except RunError as error:
        return error.diagnostics[0].kind, prints
    return None, prints


@pytest.mark.parametrize(
    ("text", "prints"),
    [
        ("print(5)", [5]),
        ('print("ab")', ["ab"]),
        ("addi(print(1),print(2))", [1, 2]),
        ("[print(1),print(2)]", [1, 2]),
        ("(print(1),print(2))", [1, 2]),
        ("let x = print(1) in let y = print(2) in print(addi(y,x))", [1, 2, 3]),
        ("let x = print(1) in addi(x,x)", [1]),
        ("each(fn x:int => print(x),[1,2])", [1, 2]),
        ("each(fn x:int => print(x),[])", []),
        ("zipWith(fn x:int, y:int => print(subi(x,y)),[5,6],[1,1])", [4, 5]),
        ("reduce(fn x:int, y:int => print(addi(x,y)),0,[1,2,3])", [5, 6]),
        ("print(print(reshape([2,2],iota(4))))", [[[1, 2], [3, 4]]] * 2),
        ('print((1,("a",[])))', [(1, ("a", []))]),
        ("(print(1),print(2)).1", [1, 2]),
        ("if print(tt) then print(1) else print(2)", [True, 1]),
        ("loop f(i:int = 0):int => if lti(print(i),2) then f(addi(i,1)) else print(9)", [0, 1, 2, 9]),
        (
            "rec f(n:int = 2):int => if eqi(n,0) then print(0) else let r:int = f(subi(n,1)) in print(n)",
            [0, 1, 2],
        ),
        ("loop f(i:int = print(7), j:int = print(8)):int => print(addi(i,j))", [7, 8, 15]),
        ("let x = print([1,2]) in let y = update(copy(x),(1,),9) in print(x)", [[1, 2], [1, 2]]),
    ],
)
def test_prints_in_order(text: str, prints: list[Any]) -> None:
    assert outcome(text) == (None, prints)


def test_prints_before_a_fault_are_seen() -> None:
    assert outcome("let x = print(1) in let y = pick(0,[x]) in print(y)") == ("INDEX ERROR", [1])
    assert outcome("each(fn x:int => pick(print(x),[1]),[1,2,3])") == ("INDEX ERROR", [1, 2])


def test_print_is_told_the_type() -> None:
    seen: list[Type] = []
    term = parse_term(Source("test.tail", "(print(5),print([tt]))"))
    evaluate(term, (), lambda value, ty, digits: seen.append(ty))
    assert list(map(str, seen)) == ["S(int,5)", "SV(bool,1)"]


def test_print_is_told_how_many_digits() -> None:
    seen: list[int] = []
    term = parse_term(Source("test.tail", "(print(0.1),printWith(17,0.1),printWith(addi(1,2),(0.1,1)))"))
    evaluate(term, (), lambda value, ty, digits: seen.append(digits))
    assert seen == [DIGITS, 17, 3]


@pytest.mark.parametrize(
    "text",
    [
        "(roll(100),roll(100),uniform([2]),deal(3,9))",
        "let s = setSeed(7) in (roll(100),uniform([2]),deal(3,9))",
    ],
)
def test_every_run_draws_the_same_numbers(text: str) -> None:
    assert value_of(text) == value_of(text)


def test_a_seed_starts_the_numbers_again() -> None:
    first, second, _ = value_of(
        "let a = setSeed(3) in let x = roll(9) in let b = setSeed(3) in (x,roll(9),b)"
    )
    assert first == second


def test_inputs() -> None:
    assert value_of("fn x:[int]1, y:double => reduce(addd,y,each(i2d,x))", [1, 2, 3], 9.0) == 6.0
    assert value_of("fn x:[int]2 => shape(x)", np.zeros((0, 3))) == [0, 3]
    assert value_of("fn x:[char]1 => take(-3,x)", [ord("a")]) == "  a"
    with pytest.raises(ValueError, match="shorter"):
        value_of("fn x:int, y:int => x", 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("()", ()),
        ("let x = 2 in (x,(),(x,1.5))", (2, (), (2, 1.5))),
        ("let x = (1,2) in x", (1, 2)),
        ("let x = (1,2) in (x,x)", ((1, 2), (1, 2))),
    ],
)
def test_the_value_of_a_product_is_a_tuple(text: str, value: tuple[Any, ...]) -> None:
    assert evaluate(parse_term(Source("test.tail", text)), (), lambda value, ty, digits: None) == value


def assert_of_type(value: Any, ty: Type, digits: int = DIGITS) -> None:
    """A value has the element type, rank, length and value that its type tells."""
    if isinstance(ty, Tuple):
        assert len(value) == len(ty.items)
        for part, part_type in zip(value, ty.items, strict=True):
            assert_of_type(part, part_type)
        return
    found = from_numpy(value, ty)
    assert not isinstance(ty, Func)
    assert len(found.shape) == rank_of(ty).const
    length = known_length(ty)
    assert length is None or found.shape == (length.const,)
    if isinstance(ty, Single | SingleVector):
        assert [int(x) for x in found.items] == [ty.value.const]


@settings(max_examples=200, deadline=None)
@given(terms())
def test_a_value_is_of_the_type_of_its_term(term: Exp) -> None:
    try:
        value = evaluate(term, (), assert_of_type)
    except RunError:
        return
    assert_of_type(value, term.ty)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_a_value_is_of_the_result_type_of_its_program(program: Program) -> None:
    kept = [a.copy() for a in program.inputs]
    try:
        value = evaluate(program.term, program.inputs, assert_of_type)
    except RunError:
        return
    assert isinstance(program.term.ty, Func)
    assert_of_type(value, program.term.ty.result)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(kept, program.inputs, strict=True))


@settings(max_examples=100, deadline=None)
@given(terms())
def test_a_fault_has_a_position_where_the_text_has(term: Exp) -> None:
    read = parse_term(Source("test.tail", print_term(term)))
    try:
        evaluate(read, (), lambda value, ty, digits: None)
    except RunError as error:
        assert all(cause.span is not None for cause in error.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "iota(9223372036854775807)",
        "iota(4611686018427387904)",
        "iotaV(4611686018427387904)",
        "take(9223372036854775807,[1])",
        "take(-9223372036854775808,[1])",
        "takes([9223372036854775807],[1])",
        "takeV(4611686018427387904,[1])",
        "take(4611686018427387904,reshape([0,2],1))",
        "reshape([1099511627776,1099511627776],1)",
        "reshape([4611686018427387904],[])",
        "reshapeV(4611686018427387904,1)",
    ],
)
def test_an_array_beyond_memory_is_ws_full(text: str) -> None:
    assert outcome(text) == ("WS FULL", [])
