"""The array functions of TAIL in plain Python, and running them beside the reference interpreter.

None of the definitions comes from `aplc.tail.meaning.core`.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.meaning.core import DTYPES
from aplc.tail.prims import Prim
from aplc.tail.syntax import Arg, Op, Param, Term, Var, fn, literal, op, vec
from aplc.tail.types import Array, Base, Func, Single, Tuple, Type, array
from tests.support.plain_tail.scalar import BOOL, CHAR, FILL, INT, Arr, Fails, Fun, build, ints, one

# --- array functions ------------------------------------------------------------------------------------


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
