"""Elaboration for every rank at once: functions of arrays whose rank is a variable, as `aplc check` needs.

The ordinary elaboration decides by ranks; where it meets a rank that is not a number it raises `UnknownRank`,
and the application comes here. What must hold (equal ranks, at least one axis) is shown from the linear forms
of the ranks, or the application is refused with both.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from aplc.apl_front.building.builder import Builder, base_of, join_bases, plain_type, rho
from aplc.apl_front.functions.numeric import numbers
from aplc.apl_front.functions.operators import Operand, folding, on_arrays, on_scalars, windows
from aplc.apl_front.functions.overloads import Choice, applied_to_each, applied_to_pairs, choose
from aplc.apl_front.functions.structure import as_vector, left_of, one_integer, right_of, same, to_integers
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, Unsupported, compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, prim_fn, vec
from aplc.tail.types import Array, Base, Rho, Tuple, known_length
from aplc.tail.types import base_of as base_of_type
from aplc.tail.unify import NoMatch


def _needs_axis(symbol: str, a: Exp, span: Span) -> None:
    """At least one axis, for whatever the variables stand for."""
    if not (rho(a) - 1).is_natural:
        raise _unproved(f"{symbol} needs an array of at least one axis, got {plain_type(a)}", span)


def _unproved(message: str, span: Span) -> CompileError:
    return compile_error("RANK ERROR", f"{message}: write the axes that there are into the type", span)


def _along(change: Callable[[Exp], Exp], a: Exp, span: Span, *, first: bool) -> Exp:
    """A function that works along the last axis, applied along it or, between transpositions, the first."""
    return op(p.TRANSP, change(op(p.TRANSP, a, span=span)), span=span) if first else change(a)


def scalar_function(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A scalar function on arrays of any rank."""
    if left is None:
        choice = choose(build, symbol, (right,), span)
        return right if choice is None else applied_to_each(build, choice, symbol, right, span)
    choice = choose(build, symbol, (left, right), span)
    assert choice is not None
    return extended(build, choice, symbol, left, right, span)


def extended(build: Builder, choice: Choice, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """A choice on two arrays: one of them a scalar, or both of one rank."""
    if rho(left) == Rho(0) or rho(right) == Rho(0) or rho(left) == rho(right):
        return applied_to_pairs(build, choice, symbol, left, right, span)
    shown = f"got {plain_type(left)} and {plain_type(right)}"
    raise compile_error("RANK ERROR", f"{symbol} needs equal ranks or a scalar, {shown}", span)


# --- structure ------------------------------------------------------------------------------------------


def _shape(build: Builder, a: Exp, span: Span) -> Exp:
    return op(p.SHAPE, a, symbol="⍴", span=span)


def _tally(build: Builder, a: Exp, span: Span) -> Exp:
    extents = op(p.SHAPE, a, span=span)
    if not (rho(a) - 1).is_natural:
        extents = op(p.SNOC_V, extents, literal(1, span), span=span)  # a scalar has one major cell
    return op(p.FIRST_V, extents, symbol="≢", span=span)


def _whole(prim: p.Prim, symbol: str) -> Callable[[Builder, Exp, Span], Exp]:
    return lambda build, a, span: op(prim, a, symbol=symbol, span=span)


def _reverse_first(build: Builder, a: Exp, span: Span) -> Exp:
    return _along(lambda b: op(p.REVERSE, b, symbol="⊖", span=span), a, span, first=True)


def _with_axis(prim: p.Prim, symbol: str) -> Callable[[Builder, Exp, Span], Exp]:
    def build_it(build: Builder, a: Exp, span: Span) -> Exp:
        _needs_axis(symbol, a, span)
        return op(prim, a, symbol=symbol, span=span)

    return build_it


def _reshape(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    return op(p.RESHAPE, to_integers(build, left, "⍴"), a, symbol="⍴", span=span)


def _rotate(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    return op(p.ROTATE, one_integer(build, left, "⌽", span), a, symbol="⌽", span=span)


def _rotate_first(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    n = one_integer(build, left, "⊖", span)
    return _along(lambda b: op(p.ROTATE, n, b, symbol="⊖", span=span), a, span, first=True)


def _transpose_by(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    axes = to_integers(build, left, "⍉")
    if known_length(axes.ty) != rho(a):
        message = f"⍉ needs an axis number for each axis of {plain_type(a)}, got {plain_type(left)}"
        raise compile_error("LENGTH ERROR", message, span)
    return op(p.TRANSP2, axes, a, symbol="⍉", span=span)


def _part(symbol: str, one: p.Prim, several: p.Prim) -> Callable[[Builder, Exp, Exp, Span], Exp]:
    def build_it(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
        counts = to_integers(build, left, symbol)
        if rho(counts) == Rho(0):
            _needs_axis(symbol, a, span)
            return op(one, counts, a, symbol=symbol, span=span)
        length = known_length(counts.ty)
        if length is None or not (rho(a) - length).is_natural:
            message = f"{symbol} needs no more counts than axes, got {plain_type(left)} and {plain_type(a)}"
            raise compile_error("LENGTH ERROR", message, span)
        return op(several, counts, a, symbol=symbol, span=span)

    return build_it


def _catenate(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = _joined(build, left, right, ",", span)
    ranks = rho(left), rho(right)
    if ranks[0] == ranks[1]:
        _needs_axis(",", left, span)
        return op(p.CAT, left, right, symbol=",", span=span)
    if ranks[0] + 1 == ranks[1]:
        return op(p.CONS, left, right, symbol=",", span=span)
    if ranks[1] + 1 == ranks[0]:
        return op(p.SNOC, left, right, symbol=",", span=span)
    if Rho(0) not in ranks:
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("RANK ERROR", f", needs ranks that differ by one at most, {shown}", span)
    a = build.bind(right if ranks[0] == Rho(0) else left)
    _needs_axis(",", a, span)
    extents = op(p.DROP_V, literal(-1, span), op(p.SHAPE, a, span=span), span=span)
    if ranks[0] == Rho(0):
        return op(p.CONS, op(p.RESHAPE, extents, left, span=span), a, symbol=",", span=span)
    return op(p.SNOC, a, op(p.RESHAPE, extents, right, span=span), symbol=",", span=span)


def _joined(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    base = join_bases([base_of(left), base_of(right)])
    if base is None:
        raise unsupported(f"{symbol} of characters and numbers in one array", span)
    return build.coerce(left, base, symbol, span), build.coerce(right, base, symbol, span)


def _match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = _joined(build, left, right, "≡", span)
    if rho(left) != rho(right):
        raise _undecided("≡", left, right, span)
    return op(p.MATCH, left, right, symbol="≡", span=span)


def _not_match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    return op(p.NOTB, _match(build, left, right, span), symbol="≢", span=span)


def _undecided(symbol: str, left: Exp, right: Exp, span: Span) -> Unsupported:
    return unsupported(f"{symbol} of {plain_type(left)} and {plain_type(right)} for every rank", span)


def _member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = _joined(build, left, right, "∊", span)
    return op(p.MEMBER, left, right, symbol="∊", span=span)


def _index_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = _joined(build, left, right, "⍳", span)
    if rho(left) != Rho(1):
        raise compile_error("RANK ERROR", f"⍳ needs a vector on the left, got {plain_type(left)}", span)
    return op(p.INDEX_OF, left, right, symbol="⍳", span=span)


def _table(build: Builder, a: Exp, span: Span) -> Exp:
    a = build.bind(a)
    extents = build.bind(op(p.SNOC_V, op(p.SHAPE, a, span=span), literal(1, span), span=span))
    others = op(p.DROP_V, literal(1, span), extents, span=span)
    columns = op(p.REDUCE, prim_fn(p.MULI), literal(1, span), others, span=span)
    rows = op(p.FIRST_V, extents, span=span)
    return op(p.RESHAPE, vec((rows, columns), Base.INT, span), a, symbol="⍪", span=span)


def _depth(build: Builder, a: Exp, span: Span) -> Exp:
    _needs_axis("≡", a, span)
    build.discard(a)
    return literal(1, span)


def _catenate_first(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    turned = [a if rho(a) == Rho(0) else op(p.TRANSP, a, span=span) for a in (left, right)]
    return op(p.TRANSP, _catenate(build, turned[0], turned[1], span), symbol="⍪", span=span)


def _selecting(symbol: str, *, first: bool) -> Callable[[Builder, Exp, Exp, Span], Exp]:
    """Replicate and expand."""

    def build_it(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
        _needs_axis(symbol, a, span)
        if rho(left) not in (Rho(0), Rho(1)):
            message = f"{symbol} needs a vector of counts on the left, got {plain_type(left)}"
            raise compile_error("RANK ERROR", message, span)
        mask = base_of(left) is Base.BOOL and symbol in "/⌿"
        counts = as_vector(left if mask else to_integers(build, left, symbol))
        prim = p.COMPRESS if mask else p.REPLICATE if symbol in "/⌿" else p.EXPAND
        return _along(lambda b: op(prim, counts, b, symbol=symbol, span=span), a, span, first=first)

    return build_it


def _decode(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = numbers(build, "⊥", left, right)
    for a in (left, right):
        if rho(a) != Rho(0):
            _needs_axis("⊥", a, span)
    left, right = (as_vector(a) if rho(a) == Rho(0) else a for a in (left, right))
    return op(p.DECODE, left, right, symbol="⊥", span=span)


def _encode(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    left, right = numbers(build, "⊤", left, right)
    _needs_axis("⊤", left, span)
    return op(p.ENCODE, left, right, symbol="⊤", span=span)


MONADIC: dict[str, Callable[[Builder, Exp, Span], Exp]] = {
    "⍴": _shape, "≢": _tally, ",": _whole(p.RAVEL, ","), "∊": _whole(p.RAVEL, "∊"),
    "⌽": _whole(p.REVERSE, "⌽"), "⊖": _reverse_first, "⍉": _whole(p.TRANSP, "⍉"),
    "⊃": _whole(p.FIRST, "⊃"), "⌷": _whole(p.MATERIALISE, "⌷"), "⊢": same, "⊣": same,
    "⍋": _with_axis(p.GRADE_UP, "⍋"), "⍒": _with_axis(p.GRADE_DOWN, "⍒"),
    "∪": _with_axis(p.UNIQUE, "∪"), "⍪": _table, "≡": _depth,
}  # fmt: skip
DYADIC: dict[str, Callable[[Builder, Exp, Exp, Span], Exp]] = {
    "⍴": _reshape, "⌽": _rotate, "⊖": _rotate_first, "⍉": _transpose_by, ",": _catenate,
    "↑": _part("↑", p.TAKE, p.TAKES), "↓": _part("↓", p.DROP, p.DROPS), "≡": _match, "≢": _not_match,
    "∊": _member, "⍳": _index_of, "⊢": right_of, "⊣": left_of, "⍪": _catenate_first,
    "⊥": _decode, "⊤": _encode,
    "/": _selecting("/", first=False), "⌿": _selecting("⌿", first=True),
    "\\": _selecting("\\", first=False), "⍀": _selecting("⍀", first=True),
}  # fmt: skip


def function(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A function that is not scalar, on arrays of any rank."""
    with suppress(NoMatch):  # a rank that would have to be a number, or another than it is
        if left is None and symbol in MONADIC:
            return MONADIC[symbol](build, right, span)
        if left is not None and symbol in DYADIC:
            return DYADIC[symbol](build, left, right, span)
    types = " and ".join([plain_type(a) for a in (left, right) if a is not None])
    raise unsupported(f"{symbol} on {types}, for every rank,", span)


# --- operators ------------------------------------------------------------------------------------------


def reduce(build: Builder, f: Operand, a: Exp, span: Span, symbol: str) -> Exp:
    """`f/a` and `f⌿a`"""
    _needs_axis(f.text + symbol, a, span)
    plan = folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)
    return _along(lambda b: plan.reduced(b, f.text + symbol, span), a, span, first=symbol == "⌿")


def scan(build: Builder, f: Operand, a: Exp, span: Span, symbol: str) -> Exp:
    r"""`f\a` and `f⍀a`"""
    _needs_axis(f.text + symbol, a, span)
    plan = folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)

    def scanned(b: Exp) -> Exp:
        return op(p.SCAN, plan.function, b, symbol=f.text + symbol, span=span)

    return _along(scanned, a, span, first=symbol == "⍀")


def reduce_windows(build: Builder, f: Operand, left: Exp, a: Exp, span: Span, symbol: str) -> Exp:
    """`n f/a` and `n f⌿a`"""
    _needs_axis(f.text + symbol, a, span)
    n, shown = build.bind(one_integer(build, left, f.text + symbol, span)), f.text + symbol
    plan = folding(build, f, base_of(a), span)
    a = build.coerce(a, plan.base, f.text, a.span)
    return _along(lambda b: windows(build, f, plan, n, b, shown, span), a, span, first=symbol == "⌿")


def on_cells(
    build: Builder, f: Operand, ranks: tuple[int, int, int], left: Exp | None, right: Exp, span: Span
) -> Exp:
    """`f⍤k` where the arguments have at least as many axes as the cells."""
    symbol = f"{f.text}⍤"
    given = [(right, ranks[0])] if left is None else [(left, ranks[1]), (right, ranks[2])]
    cells = [_cell(symbol, a, k, span) for a, k in given]
    frames = [rho(a) - cell.rank for (a, _), cell in zip(given, cells, strict=True)]
    if all(frame == Rho(0) for frame in frames):
        return f.apply(left, right, span)
    if left is None:
        return op(p.CELLS, on_arrays(build, f, (cells[0],), span), right, symbol=symbol, span=span)
    if frames[0] == frames[1]:
        function = on_arrays(build, f, (cells[0], cells[1]), span)
        return op(p.ZIP_CELLS, function, left, right, symbol=symbol, span=span)
    if Rho(0) not in frames:
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("RANK ERROR", f"{symbol} needs frames of equal rank, {shown}", span)
    fixed = build.bind(left if frames[0] == Rho(0) else right)

    def beside(_: Exp | None, x: Exp, at: Span) -> Exp:
        return f.apply(fixed, x, at) if frames[0] == Rho(0) else f.apply(x, fixed, at)

    many, cell = (right, cells[1]) if frames[0] == Rho(0) else (left, cells[0])
    function = on_arrays(build, Operand(beside, f.text, f.span), (cell,), span)
    return op(p.CELLS, function, many, symbol=symbol, span=span)


def _cell(symbol: str, a: Exp, k: int, span: Span) -> Array:
    """The type of the cells that `⍤k` means for an array: of rank k, or of all axes but -k."""
    cell = Rho(k) if k >= 0 else rho(a) + k
    if rho(a).is_const:
        cell = Rho(min(k, rho(a).const) if k >= 0 else max(0, rho(a).const + k))
    if not (rho(a) - cell).is_natural or not cell.is_natural:
        axes = "one axis" if abs(k) == 1 else f"{abs(k)} axes"
        raise _unproved(f"{symbol} needs an array of at least {axes}, got {plain_type(a)}", span)
    return Array(base_of(a), cell)


def each(build: Builder, f: Operand, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`f¨a`, `a f¨b` for a function with scalar results."""
    if left is None:
        return build.each(on_scalars(build, f, (base_of(right),), span).function, right, span)
    bases = base_of(left), base_of(right)
    choice = Choice(None, lambda x, y: f.apply(x, y, span), None)
    if rho(left) == rho(right):
        function = on_scalars(build, f, bases, span).function
        return op(p.ZIP_WITH, function, left, right, symbol=f"{f.text}¨", span=span)
    return extended(build, choice, f"{f.text}¨", left, right, span)


def outer(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∘.f b` for a function with scalar results."""
    function = on_scalars(build, f, (base_of(left), base_of(right)), span).function
    return op(p.OUTER, function, left, right, symbol=f"∘.{f.text}", span=span)


def inner(build: Builder, f: Operand, g: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a f.g b` for a scalar function g."""
    symbol = f"{f.text}.{g.text}"
    _needs_axis(symbol, left, span)
    _needs_axis(symbol, right, span)
    products = on_scalars(build, g, (base_of(left), base_of(right)), span)
    plan = folding(build, f, products.result, span)
    if plan.base is not products.result:
        raise unsupported(f"{symbol} where {f.text} widens the products, for every rank,", span)
    return plan.of_products(products.function, left, right, symbol, span)


def operand_function(build: Builder, prim: Prim, name: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A function operand of which only the type is known: one of scalars is applied to each element, one of
    arrays to arguments of just that type.
    """
    arguments = [build.bind(a) for a in (left, right) if a is not None]
    if len(arguments) != prim.arity:
        wanted = "a left argument" if prim.arity == 2 else "no left argument"
        raise compile_error("SYNTAX ERROR", f"{name} has the type {prim.schemes[0]}: it takes {wanted}", span)
    if not prim.is_scalar:
        return _operand_on_arrays(build, prim, name, arguments, span)
    bases = [base_of_type(q) for q in prim.schemes[0].type.params]

    def make(*xs: Exp) -> Exp:
        fitted = [build.coerce(x, b, name, x.span or span) for x, b in zip(xs, bases, strict=True)]
        return op(prim, *fitted, symbol=name, span=span)

    fitted = [build.bind(build.coerce(a, b, name, span)) for a, b in zip(arguments, bases, strict=True)]
    choice = Choice(None, make, prim)
    if len(fitted) == 1:
        return applied_to_each(build, choice, name, fitted[0], span)
    return extended(build, choice, name, fitted[0], fitted[1], span)


def _operand_on_arrays(build: Builder, prim: Prim, name: str, arguments: list[Exp], span: Span) -> Exp:
    params = prim.schemes[0].type.params
    try:
        if any(
            isinstance(a.ty, Tuple) or isinstance(q, Tuple) for a, q in zip(arguments, params, strict=True)
        ):
            return op(prim, *arguments, symbol=name, span=span)
        bases = [base_of_type(q) for q in params]
        fitted = [build.coerce(a, b, name, span) for a, b in zip(arguments, bases, strict=True)]
        return op(prim, *fitted, symbol=name, span=span)
    except NoMatch:
        shown = " and ".join([plain_type(a) for a in arguments])
        message = f"{name} has the type {prim.schemes[0]}, got {shown}"
        raise compile_error("TYPE ERROR", message, span) from None
