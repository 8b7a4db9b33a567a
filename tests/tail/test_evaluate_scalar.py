"""The scalar functions of the reference interpreter against plain Python, on a grid of corners."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.syntax import Function, Param, Var, fn, literal, op, prim_fn
from aplc.tail.types import Array, Base, scalar
from tests.support.plain_tail.definitions import run, same, same_item
from tests.support.plain_tail.scalar import (
    BOOL,
    CHAR,
    DOUBLE,
    INF,
    INT,
    INT_MAX,
    INT_MIN,
    NAN,
    SCALAR,
    TOLERANT,
    Arr,
    Fails,
    Fun,
    low32,
    one,
)

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


NEAR = (
    *CORNERS[DOUBLE],
    1 + 0.7e-14,
    1 + 1.3e-14,
    2 - 1e-14,
    -1 - 0.7e-14,
    2.5 + 1e-14,
    3e14 + 0.5,
    0.1 + 0.2,
    0.3,
)


@pytest.mark.parametrize("tolerance", [0.0, 1e-14, 1e-9])
@pytest.mark.parametrize("prim", TOLERANT, ids=lambda prim: prim.name)
def test_comparison_within_a_tolerance(prim: Prim, tolerance: float) -> None:
    params, result = bases(prim)
    cases = list(product(NEAR, repeat=len(params) - 1))
    columns = [Arr(DOUBLE, (len(cases),), tuple([case[k] for case in cases])) for k in range(len(params) - 1)]
    wanted = [TOLERANT[prim](tolerance, *case) for case in cases]
    names = [Param(f"p{k}", scalar(DOUBLE)) for k in range(len(columns))]
    body = op(prim, literal(tolerance), *[Var(x.name, ty=x.ty) for x in names])
    function = Fun(fn(tuple(names), body), TOLERANT[prim], result)
    found = run(p.EACH if len(columns) == 1 else p.ZIP_WITH, function, *columns)
    assert same(found, Arr(result, (len(cases),), tuple(wanted)))
    for case, value in zip(cases[::17], wanted[::17], strict=True):
        assert same(run(prim, one(DOUBLE, tolerance), *[one(DOUBLE, x) for x in case]), one(result, value))


@pytest.mark.parametrize(
    ("x", "y", "divisor"),
    [
        (0.6, 0.9, 0.3),
        (12.0, 18.0, 6.0),
        (1e15, 3.0, 1.0),
        (0.0, -2.5, 2.5),
        (1.0, 1 / 3, 1 / 3),
        (INF, 1.0, NAN),
    ],
)
def test_common_divisors_of_doubles(x: float, y: float, divisor: float) -> None:
    for a, b in ((x, y), (y, x), (-x, y)):
        found = run(p.GCDTD, one(DOUBLE, 1e-14), one(DOUBLE, a), one(DOUBLE, b))
        assert same(found, one(DOUBLE, divisor), rounded=True)
        multiple = run(p.LCMTD, one(DOUBLE, 1e-14), one(DOUBLE, a), one(DOUBLE, b))
        assert same(multiple, one(DOUBLE, a / divisor * b if divisor == divisor else NAN), rounded=True)


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
