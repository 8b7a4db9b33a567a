"""The operators: reduce, each, commute, compose, atop, inner and outer product.

An operator gets its operands as callables of the elaborator (`Apply`) and builds TAIL. A function that is
applied inside `each`, `reduce` and the products works on scalars: `on_scalars` elaborates it once for
their base types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apl_front.builder import Builder, base_of, join_bases, length_of, plain_type, rank
from apl_front.glyphs import DYADIC
from apl_front.identity_items import identity_item
from apl_front.structure import as_vector
from tail import prims as p
from tail.errors import compile_error, unsupported
from tail.prims import Prim
from tail.source import Span
from tail.syntax import Arg, Exp, Fn, Op, PrimFn, Var, literal, op, prim_fn, vec
from tail.types import Base

Apply = Callable[[Exp | None, Exp, Span], Exp]


@dataclass(frozen=True, slots=True)
class Operand:
    """A function operand: how it is applied, how it reads in the source, and its symbol if it is a
    primitive.
    """

    apply: Apply
    text: str
    span: Span
    symbol: str | None = None


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """A function on scalars with its result's base type, and the primitive if it is nothing else."""

    function: Arg
    result: Base
    prim: Prim | None


def on_scalars(build: Builder, f: Operand, bases: tuple[Base, ...], span: Span) -> ScalarFunction:
    """The function operand for scalars of the given base types."""

    def make(*args: Exp) -> Exp:
        left, right = (None, args[0]) if len(args) == 1 else args
        result = f.apply(left, right, span)
        if rank(result) != 0:
            raise unsupported(
                f"a function whose result is {plain_type(result)} where a scalar is needed", f.span
            )
        return result

    function = build.function(bases, make, f.span)
    contracted = eta_contract(function)
    prim = contracted.prim if contracted is not None else None
    return ScalarFunction(contracted or function, base_of(function.body), prim)


def eta_contract(function: Fn) -> PrimFn | None:
    """`fn x, y => f(x,y)` as `f`, where it is that."""
    body = function.body
    if not isinstance(body, Op) or not body.prim.is_scalar:
        return None
    names = [a.name if isinstance(a, Var) else None for a in body.args]
    if names != [q.name for q in function.params]:
        return None
    return prim_fn(body.prim, body.symbol, body.span)


# --- reduce ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Folding:
    """A function `κ → κ → κ` ready to reduce with, and the identity item where it has one."""

    function: Arg
    base: Base
    identity: Exp | None


def folding(build: Builder, f: Operand, base: Base, span: Span) -> Folding:
    """The function of a reduction over elements of a base type, which may have to be widened.

    `÷/` of integers works on doubles, `=/` of integers gives integers: the base type is the least one that
    holds the elements and what the function makes of them.
    """
    for _ in range(3):
        scalar_function = on_scalars(build, f, (base, base), span)
        common = join_bases([base, scalar_function.result])
        if common is None:
            raise unsupported(f"a reduction with {f.text} whose result is no longer characters", span)
        if common is base:
            break
        base = common
    function = scalar_function.function
    if scalar_function.result is not base:
        function = _widened(build, f, base, span)
    prim = scalar_function.prim if f.symbol is not None else None
    return Folding(function, base, identity_item(prim or _prim_inside(f, function), base, span))


def _widened(build: Builder, f: Operand, base: Base, span: Span) -> Fn:
    """The function with its result converted to the type of its arguments."""

    def make(x: Exp, y: Exp) -> Exp:
        return build.coerce(f.apply(x, y, span), base, f.text, span)

    return build.function((base, base), make, f.span)


def _prim_inside(f: Operand, function: Arg) -> Prim | None:
    """The primitive that a primitive function's body applies, below coercions."""
    if f.symbol is None or not isinstance(function, Fn):
        return None
    body = function.body
    while isinstance(body, Op) and body.prim in (p.B2I, p.I2D) and isinstance(body.args[0], Op):
        body = body.args[0]
    own = [row.prim for row in DYADIC.get(f.symbol, ())]
    return body.prim if isinstance(body, Op) and body.prim in own else None


def reduce(build: Builder, f: Operand, a: Exp, span: Span, *, first_axis: bool) -> Exp:
    """`f/a` and `f⌿a`"""
    if rank(a) == 0:
        return a
    plan = folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)
    if first_axis and rank(a) > 1:
        axes = [literal(k, span) for k in (rank(a), *range(1, rank(a)))]
        a = op(p.TRANSP2, vec(tuple(axes), Base.INT, span), a, span=span)
    symbol = f.text + ("⌿" if first_axis else "/")
    if plan.identity is None:
        return op(p.REDUCE1, plan.function, a, symbol=symbol, span=span)
    return op(p.REDUCE, plan.function, plan.identity, a, symbol=symbol, span=span)


# --- each and the products ------------------------------------------------------------------------------


def each(build: Builder, f: Operand, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`f¨b`, `a f¨b`: elementwise, with scalar extension; the results are scalars."""
    if left is not None and rank(left) != 0 and length_of(left) == 1 and rank(right) > 0:
        left = op(p.FIRST_V, left, span=left.span)
    if left is not None and rank(left) > 0 and length_of(right) == 1 and length_of(left) != 1:
        right = op(p.FIRST_V, right, span=right.span)
    if rank(right) == 0 and (left is None or rank(left) == 0):
        return f.apply(left, right, span)
    if left is None:
        return build.each(on_scalars(build, f, (base_of(right),), span).function, right, span)
    if rank(left) == 0 or rank(right) == 0:
        return _each_beside(build, f, left, right, span)
    shown = f"got {plain_type(left)} and {plain_type(right)}"
    if rank(left) != rank(right):
        raise compile_error("RANK ERROR", f"{f.text}¨ needs equal ranks or a scalar, {shown}", span)
    lengths = length_of(left), length_of(right)
    if None not in lengths and lengths[0] != lengths[1]:
        raise compile_error("LENGTH ERROR", f"{f.text}¨ needs equal lengths, {shown}", span)
    function = on_scalars(build, f, (base_of(left), base_of(right)), span).function
    return op(p.ZIP_WITH, function, left, right, symbol=f"{f.text}¨", span=span)


def _each_beside(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`s f¨b` and `a f¨s` for a scalar s."""
    extended = build.bind(left if rank(left) == 0 else right)

    def beside(_: Exp | None, x: Exp, at: Span) -> Exp:
        return f.apply(extended, x, at) if rank(left) == 0 else f.apply(x, extended, at)

    array = right if rank(left) == 0 else left
    one = Operand(beside, f.text, f.span)
    return build.each(on_scalars(build, one, (base_of(array),), span).function, array, span)


def outer(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∘.f b`"""
    if rank(left) == 0 and rank(right) == 0:
        return f.apply(left, right, span)
    if rank(left) == 0 or rank(right) == 0:
        return _each_beside(build, f, left, right, span)
    function = on_scalars(build, f, (base_of(left), base_of(right)), span).function
    return op(p.OUTER, function, left, right, symbol=f"∘.{f.text}", span=span)


def inner(build: Builder, f: Operand, g: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a f.g b`"""
    left, right = as_vector(left), as_vector(right)
    lengths = length_of(left), length_of(right)
    symbol = f"{f.text}.{g.text}"
    if None not in lengths and 1 not in lengths and lengths[0] != lengths[1]:
        note = build.describe(left, right)
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("LENGTH ERROR", f"{symbol} needs equal lengths, {shown}", span, note)
    products = on_scalars(build, g, (base_of(left), base_of(right)), span)
    plan = folding(build, f, products.result, span)
    function = products.function
    if plan.base is not products.result:

        def widened(x: Exp, y: Exp) -> Exp:
            return build.coerce(g.apply(x, y, span), plan.base, symbol, span)

        function = build.function((base_of(left), base_of(right)), widened, g.span)
    if plan.identity is None:
        return op(p.INNER1, plan.function, function, left, right, symbol=symbol, span=span)
    return op(p.INNER, plan.function, plan.identity, function, left, right, symbol=symbol, span=span)
