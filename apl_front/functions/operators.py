"""The operators that build loops over elements or cells: reduce, scan, each, rank, inner and outer product.

An operator gets its operands as callables of the elaborator (`Apply`) and builds TAIL. A function that is
applied inside `each`, `reduce` and the products works on scalars: `on_scalars` elaborates it once for
their base types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.apl_front.building.axes import along, from_first, to_first, to_last
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    int_constant,
    join_bases,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.functions import nested_values
from aplc.apl_front.functions.identity_items import identity_item
from aplc.apl_front.functions.overloads import TOLERANT, extend_single
from aplc.apl_front.functions.structure import as_vector, one_integer
from aplc.apl_front.syntax.glyphs import DYADIC
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, Unsupported, compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Exp, Fn, Op, PrimFn, Var, Vec, literal, op, prim_fn, vec
from aplc.tail.types import Base, Tuple, Type, array, scalar

MAX_UNROLLED = 100
"""A reduction that changes the kind of its elements is unrolled for vectors shorter than this."""

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
    is_pervasive: Callable[[], bool] = bool
    """Whether it works element by element, which takes as long to find out as the function is."""


class NestedResult(Unsupported):
    """A function that is applied to elements does not give simple scalars, which means arrays of arrays."""


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """A function on scalars with its result's base type, and the primitive if it is nothing else."""

    function: Arg
    result: Base
    prim: Prim | None


def on_scalars(build: Builder, f: Operand, bases: tuple[Base, ...], span: Span) -> ScalarFunction:
    """The function operand for scalars of the given base types. Raises `NestedResult`."""

    def make(*args: Exp) -> Exp:
        left, right = (None, args[0]) if len(args) == 1 else args
        result = f.apply(left, right, span)
        if isinstance(result.ty, Tuple) or rank(result) != 0:
            what = f"the function {f.text} with a result of {plain_type(result)} where a scalar is needed"
            raise NestedResult(unsupported(what, f.span).diagnostics)
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

    def reduced(self, a: Exp, symbol: str, span: Span) -> Exp:
        """The reduction of an array along its last axis."""
        if self.identity is None:
            return op(p.REDUCE1, self.function, a, symbol=symbol, span=span)
        return op(p.REDUCE, self.function, self.identity, a, symbol=symbol, span=span)

    def of_windows(self, n: Exp, a: Exp, symbol: str, span: Span) -> Exp:
        """The reductions of all windows of n elements along the last axis."""
        if self.identity is None:
            return op(p.REDUCE_N1, self.function, n, a, symbol=symbol, span=span)
        return op(p.REDUCE_N, self.function, self.identity, n, a, symbol=symbol, span=span)

    def of_products(self, g: Arg, left: Exp, right: Exp, symbol: str, span: Span) -> Exp:
        """The inner product with g."""
        if self.identity is None:
            return op(p.INNER1, self.function, g, left, right, symbol=symbol, span=span)
        return op(p.INNER, self.function, self.identity, g, left, right, symbol=symbol, span=span)


def folding(build: Builder, f: Operand, base: Base, span: Span) -> Folding:
    """The function of a reduction over elements of a base type, which may have to be widened.

    `÷/` of integers works on doubles, `=/` of integers gives integers: the base type is the least one that
    holds the elements and what the function makes of them.
    """
    for _ in range(3):
        scalar_function = on_scalars(build, f, (base, base), span)
        common = join_bases([base, scalar_function.result])
        if common is None:
            kinds = ("characters", "numbers") if base is Base.CHAR else ("numbers", "characters")
            raise unsupported(f"a reduction or scan with {f.text} that makes {kinds[1]} of {kinds[0]}", span)
        if common is base:
            break
        base = common
    function = scalar_function.function
    if scalar_function.result is not base:
        function = _widened(build, f, base, span)
    prim = scalar_function.prim if f.symbol is not None else None
    return Folding(function, base, identity_item(prim or _prim_inside(build, f, function), base, span))


def _widened(build: Builder, f: Operand, base: Base, span: Span) -> Fn:
    """The function with its result converted to the type of its arguments."""

    def make(x: Exp, y: Exp) -> Exp:
        return build.coerce(f.apply(x, y, span), base, f.text, span)

    return build.function((base, base), make, f.span)


def _prim_inside(build: Builder, f: Operand, function: Arg) -> Prim | None:
    """The primitive that a primitive function's body applies, below coercions, or that it is but for ⎕CT."""
    if f.symbol is None or not isinstance(function, Fn):
        return None
    if build.tolerance and f.symbol in TOLERANT[2]:
        return next((row.prim for row in DYADIC[f.symbol] if row.operand is Base.DOUBLE), None)
    body = function.body
    while isinstance(body, Op) and body.prim in (p.B2I, p.I2D) and isinstance(body.args[0], Op):
        body = body.args[0]
    own = [row.prim for row in DYADIC.get(f.symbol, ())]
    return body.prim if isinstance(body, Op) and body.prim in own else None


def reduce(build: Builder, f: Operand, a: Exp, span: Span, axis: int, symbol: str) -> Exp:
    """`f/a`, `f⌿a`, `f/[k]a`. Raises `NestedResult`."""
    if rank(a) == 0:
        return _reduced_scalar(build, f, a, span)
    if length_of(a) == 0 and base_of(a) is Base.CHAR:
        a = vec((), Base.INT, a.span)
    count = known_extent(build, a, axis)
    if count in range(2, MAX_UNROLLED) and not _is_closed(build, f, base_of(a), span):
        return _unrolled_along(build, f, to_last(a, axis, span), count or 0, span)
    plan = folding(build, f, base_of(a), span)
    a = to_last(build.coerce(a, plan.base, f.text, a.span), axis, span)
    return plan.reduced(a, f.text + symbol, span)


def _reduced_scalar(build: Builder, f: Operand, a: Exp, span: Span) -> Exp:
    """The reduction of a scalar is the scalar; its element type is that of any other reduction."""
    if base_of(a) is Base.CHAR:
        return a
    try:
        base = folding(build, f, base_of(a), span).base
    except AplcError:  # a function that does not apply to two elements is not applied
        return a
    return build.coerce(a, base, f.text, span)


def known_extent(build: Builder, a: Exp, axis: int) -> int | None:
    """The extent of an axis where it is a constant in the program."""
    found = build.definition(a)
    if isinstance(found, Op) and found.prim is p.RESHAPE and isinstance(found.args[0], Vec):
        return int_constant(found.args[0].items[axis])
    return length_of(a)


def _unrolled_along(build: Builder, f: Operand, a: Exp, count: int, span: Span) -> Exp:
    """`f/a` along a last axis of known extent, step by step."""
    if rank(a) == 1:
        return unrolled(build, f, a, span)

    def on_vector(x: Exp) -> Exp:
        return unrolled(build, f, op(p.OF_LENGTH, literal(count, span), x, span=span), span)

    function = build.function_on((array(base_of(a), 1),), on_vector, span)
    return op(p.CELLS, function, a, symbol=f"{f.text}/", span=span)


def unrolled(build: Builder, f: Operand, a: Exp, span: Span) -> Exp:
    """`f/a` of a vector of known length, step by step: a step may change the type of its argument."""
    vector = build.bind(a)
    items = [op(p.PICK, literal(k + 1, span), vector, span=span) for k in range(length_of(a) or 0)]
    result: Exp = items.pop()
    while items:
        result = f.apply(items.pop(), result, span)
    return result


def scan(build: Builder, f: Operand, a: Exp, span: Span, axis: int, symbol: str) -> Exp:
    r"""`f\a`, `f⍀a`, `f\[k]a`: the reductions of all prefixes. Raises `NestedResult`."""
    if rank(a) == 0:
        return _reduced_scalar(build, f, a, span)
    plan = folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)

    def scanned(b: Exp) -> Exp:
        return op(p.SCAN, plan.function, b, symbol=f.text + symbol, span=span)

    return along(scanned, a, axis, span)


def reduce_windows(build: Builder, f: Operand, left: Exp, a: Exp, span: Span, axis: int, symbol: str) -> Exp:
    """`n f/a`: the reductions of all windows of n elements, reversed where n is negative. Raises
    `NestedResult`.
    """
    shown = f.text + symbol
    n = one_integer(build, left, shown, span)
    if rank(a) == 0:
        a = as_vector(a)
    if int_constant(n) in (2, -2) and not _is_closed(build, f, base_of(a), span):
        return _neighbours(build, f, a, span, axis, backwards=int_constant(n) == -2)
    n, plan = build.bind(n), folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)
    return along(lambda b: windows(build, f, plan, n, b, shown, span), a, axis, span)


def windows(build: Builder, f: Operand, plan: Folding, n: Exp, a: Exp, symbol: str, span: Span) -> Exp:
    """The reductions of all windows of n elements along the last axis; truth values where f compares numbers,
    as in `2≤/a`, and there are two in each at least: of one element the reduction is that element.
    """
    reduced, width = plan.of_windows(n, a, symbol, span), int_constant(n)
    if plan.base not in (Base.INT, Base.DOUBLE) or width is None or abs(width) < 2:
        return reduced
    if on_scalars(build, f, (plan.base, plan.base), span).result is not Base.BOOL:
        return reduced
    differs, zero = (p.NEQI, literal(0, span)) if plan.base is Base.INT else (p.NEQD, literal(0.0, span))
    function = build.function((plan.base,), lambda x: op(differs, x, zero, span=span), span)
    return op(p.EACH, function, reduced, span=span)


def beside_each_other(
    build: Builder, a: Exp, symbol: str, span: Span, axis: int, *, backwards: bool
) -> list[Exp]:
    """An array, its axis moved to the front, without its last and without its first cell, of which there is
    one at least.
    """
    moved = build.bind(to_first(a, axis, span))
    if not length_of(moved):
        count = op(p.PICK, literal(1, span), op(p.SHAPE, moved, span=span), span=span)
        few = vec((op(p.MINI, literal(2, span), count, span=span),), Base.INT, span)
        none, least = op(p.RESHAPE, few, literal(0, span), span=span), prim_fn(p.MINI, "", span)
        build.bind(op(p.REDUCE_N, least, literal(0, span), literal(2, span), none, symbol=symbol, span=span))
    halves: list[Exp] = [op(p.DROP, literal(k, span), moved, span=span) for k in (-1, 1)]
    return halves[::-1] if backwards else halves


def _is_closed(build: Builder, f: Operand, base: Base, span: Span) -> bool:
    """Whether a function of two elements gives something that can be joined with them."""
    return join_bases([base, on_scalars(build, f, (base, base), span).result]) is not None


def _neighbours(build: Builder, f: Operand, a: Exp, span: Span, axis: int, *, backwards: bool) -> Exp:
    """`2 f/a` as a function of the array without its last and without its first element."""
    halves = beside_each_other(build, a, f"{f.text}/", span, axis, backwards=backwards)
    function = on_scalars(build, f, (base_of(a), base_of(a)), span).function
    pairs = op(p.ZIP_WITH, function, *halves, symbol=f"{f.text}/", span=span)
    return from_first(pairs, axis, span)


# --- each and the products ------------------------------------------------------------------------------


def each(build: Builder, f: Operand, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`f¨b`, `a f¨b`: element by element, with scalar extension. Raises `NestedResult`."""
    if rank(right) == 0 and (left is None or rank(left) == 0):
        return enclosed(f.apply(left, right, span), span)
    if left is None:
        return mapped(build, f, right, span)
    left, right = conformed(build, f, left, right, span)
    if rank(left) == 0 or rank(right) == 0:
        return _each_beside(build, f, left, right, span)
    types = scalar(base_of(left)), scalar(base_of(right))
    function = on_arrays(build, f, types, span)
    if rank(function.body) != 0:
        raise NestedResult([])
    return op(p.ZIP_WITH, eta_contract(function) or function, left, right, symbol=f"{f.text}¨", span=span)


def conformed(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> tuple[Exp, Exp]:
    """The arguments of `a f¨b`: of one rank, or one is a scalar."""
    left, right = extend_single(build, f"{f.text}¨", left, right, span)
    if rank(left) == 0 or rank(right) == 0:
        return left, right
    shown = f"got {plain_type(left)} and {plain_type(right)}"
    if rank(left) != rank(right):
        raise compile_error("RANK ERROR", f"{f.text}¨ needs equal ranks or a scalar, {shown}", span)
    lengths = length_of(left), length_of(right)
    if None not in lengths and lengths[0] != lengths[1]:
        raise compile_error("LENGTH ERROR", f"{f.text}¨ needs equal lengths, {shown}", span)
    return left, right


def mapped(build: Builder, f: Operand, a: Exp, span: Span) -> Exp:
    """A monadic function applied to every element."""
    function = on_arrays(build, f, (scalar(base_of(a)),), span)
    if rank(function.body) == 0:
        return build.each(eta_contract(function) or function, a, span)
    return nested_values.pieces(build, function, a, f"{f.text}¨", span)


def on_arrays(build: Builder, f: Operand, types: tuple[Type, ...], span: Span) -> Fn:
    """The function operand for arguments of the given types; its result must be one simple array."""

    def make(*args: Exp) -> Exp:
        left, right = (None, args[0]) if len(args) == 1 else args
        result = f.apply(left, right, span)
        if isinstance(result.ty, Tuple):
            what = f"{f.text}, applied to elements, with a result of {plain_type(result)}"
            raise NestedResult(unsupported(what, f.span).diagnostics)
        return result

    return build.function_on(types, make, f.span)


def _each_beside(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`s f¨b` and `a f¨s` for a scalar s."""
    extended = build.bind(left if rank(left) == 0 else right)

    def beside(_: Exp | None, x: Exp, at: Span) -> Exp:
        return f.apply(extended, x, at) if rank(left) == 0 else f.apply(x, extended, at)

    array = right if rank(left) == 0 else left
    return mapped(build, Operand(beside, f.text, f.span), array, span)


def on_cells(
    build: Builder, f: Operand, ranks: tuple[int, int, int], left: Exp | None, right: Exp, span: Span
) -> Exp:
    """`f⍤k`: the function on cells of the trailing axes; the leading ones are the frame of the result."""
    symbol = f"{f.text}⍤"
    if left is None:
        cell = cell_rank(ranks[0], right)
        if cell == rank(right):
            return f.apply(None, right, span)
        if f.is_pervasive() and f.symbol != "≠":
            right = build.bind(right)  # it is applied twice, if first in vain
            whole = f.apply(None, right, span)
            if rank(whole) == rank(right):  # else it does without its argument, as `{0}` does
                return whole
        return op(
            p.CELLS,
            on_arrays(build, f, (array(base_of(right), cell),), span),
            right,
            symbol=symbol,
            span=span,
        )
    cells = cell_rank(ranks[1], left), cell_rank(ranks[2], right)
    frames = rank(left) - cells[0], rank(right) - cells[1]
    types = array(base_of(left), cells[0]), array(base_of(right), cells[1])
    if frames == (0, 0):
        return f.apply(left, right, span)
    if 0 in frames:
        one, many = (left, right) if frames[0] == 0 else (right, left)
        fixed = build.bind(one)

        def beside(_: Exp | None, x: Exp, at: Span) -> Exp:
            return f.apply(fixed, x, at) if frames[0] == 0 else f.apply(x, fixed, at)

        function = on_arrays(build, Operand(beside, f.text, f.span), (types[frames[0] == 0],), span)
        return op(p.CELLS, function, many, symbol=symbol, span=span)
    if frames[0] != frames[1]:
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("RANK ERROR", f"{symbol} needs frames of equal rank, {shown}", span)
    return op(p.ZIP_CELLS, on_arrays(build, f, types, span), left, right, symbol=symbol, span=span)


def cell_rank(k: int, a: Exp) -> int:
    """The rank of the cells that `⍤k` means for an array."""
    return min(k, rank(a)) if k >= 0 else max(0, rank(a) + k)


def outer(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∘.f b`"""
    if rank(left) == 0 and rank(right) == 0:
        return f.apply(left, right, span)
    if rank(left) == 0 or rank(right) == 0:
        return _each_beside(build, f, left, right, span)
    types = scalar(base_of(left)), scalar(base_of(right))
    function = on_arrays(build, f, types, span)
    if rank(function.body) == 0:
        made = eta_contract(function) or function
        return op(p.OUTER, made, left, right, symbol=f"∘.{f.text}", span=span)
    raise NestedResult([])


def inner(build: Builder, f: Operand, g: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a f.g b`"""
    left, right = as_vector(left), as_vector(right)
    lengths = length_of(left), length_of(right)
    symbol = f"{f.text}.{g.text}"
    if None not in lengths and 1 not in lengths and lengths[0] != lengths[1]:
        note = build.describe(left, right)
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("LENGTH ERROR", f"{symbol} needs equal lengths, {shown}", span, note)
    if not g.is_pervasive():
        return _inner_by_vectors(build, f, g, left, right, span)
    products = on_scalars(build, g, (base_of(left), base_of(right)), span)
    plan = folding(build, f, products.result, span)
    function = products.function
    if plan.base is not products.result:

        def widened(x: Exp, y: Exp) -> Exp:
            return build.coerce(g.apply(x, y, span), plan.base, symbol, span)

        function = build.function((base_of(left), base_of(right)), widened, g.span)
    return plan.of_products(function, left, right, symbol, span)


def _inner_by_vectors(build: Builder, f: Operand, g: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a f.g b` for a `g` that is no scalar function: it gets whole vectors of the axes that meet."""
    columns = build.bind(to_last(right, 0, span))
    vectors = array(base_of(left), 1), array(base_of(right), 1)

    def one(x: Exp, y: Exp) -> Exp:
        product = g.apply(x, y, span)
        if isinstance(product.ty, Tuple):
            raise unsupported(f"{g.text} with a nested result in an inner product", g.span)
        return reduce(build, f, product, span, max(0, rank(product) - 1), "/")

    def row(x: Exp) -> Exp:
        if rank(columns) == 1:
            return one(x, columns)
        function = build.function_on(vectors[1:], lambda y: one(x, y), span)
        return op(p.CELLS, function, columns, symbol=f"{f.text}.{g.text}", span=span)

    if rank(left) == 1:
        return row(build.bind(left))
    function = build.function_on(vectors[:1], row, span)
    return op(p.CELLS, function, left, symbol=f"{f.text}.{g.text}", span=span)
