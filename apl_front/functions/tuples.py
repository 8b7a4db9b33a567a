"""Nested vectors whose structure is known when compiling: tuples.

A strand of arrays of different shapes or types is a tuple. It exists only here: what is done to it is done to
its components, each an array of its own. Loops and recursive functions carry the components side by side.
What would need a structure that only the run knows is refused.

Note [Enclosed arrays]
    An array that is enclosed, as by `⊂`, is a scalar whose only item is that array. It is a tuple of two
    components, the array and the empty tuple, which no strand has: so its type tells it from a vector of one
    item, in loops and recursive functions, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from aplc.apl_front.building import runs
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    is_enclosed,
    join_bases,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.closed import value_of
from aplc.apl_front.building.item_types import (
    form_of,
    grown_nested,
    grown_records,
    wider_nested,
    wider_records,
)
from aplc.apl_front.building.located import in_item
from aplc.apl_front.functions import catenation, nested_values, numeric, record_values, selection, structure
from aplc.tail import prims as p
from aplc.tail.errors import Error, Unsupported, compile_error, unsupported
from aplc.tail.parts import rebuilt as made_of
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, TupleExp, literal, op, product, vec
from aplc.tail.types import (
    UNIT,
    Array,
    Base,
    Func,
    Nested,
    Records,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    forget_value,
    generalise,
    join,
    known_length,
    rank_of,
)

Combine = Callable[[Exp, Exp], Exp]

MAX_COMPONENTS, MAX_DEPTH = 10_000, 100
"""Of a nested array: each component costs time in every stage."""


def is_tuple(exp: Exp) -> bool:
    """Whether a value is a strand of arrays, and no array of arrays or records."""
    return isinstance(exp.ty, Tuple) and not isinstance(exp.ty, Nested | Records)


def limited(exp: Exp) -> Exp:
    """The value; a nested one of too many components, or too deep, is refused."""
    count, level = 0, [exp.ty]
    for _ in range(MAX_DEPTH + 1):
        level = [t for ty in level if isinstance(ty, Tuple) for t in ty.items]
        count += len(level)
        if not level:
            return exp
        if count > MAX_COMPONENTS:
            raise unsupported(f"a nested array with over {MAX_COMPONENTS} components", exp.span)
    raise unsupported(f"a nested array over {MAX_DEPTH} deep", exp.span)


def items_of(build: Builder, exp: Exp) -> tuple[Exp, ...]:
    """The components of a tuple; the elements of a simple vector of known length; a scalar alone."""
    if runs.is_runs(exp.ty):
        raise runs.refusal("a vector", exp.span)
    if is_tuple(exp):
        items = tuple(all_components(build, exp))
        return items[:1] if is_enclosed(exp.ty) else items
    if rank(exp) == 0:
        return (exp,)
    length = length_of(exp)
    if rank(exp) != 1 or length is None:
        raise unsupported("a nested array beside one whose length is not known when compiling", exp.span)
    if length > MAX_COMPONENTS:
        raise unsupported(f"a nested array with over {MAX_COMPONENTS} components", exp.span)
    vector = build.bind(exp)
    return tuple([op(p.PICK, literal(k + 1, exp.span), vector, span=exp.span) for k in range(length)])


def components(build: Builder, exp: Exp) -> list[Exp]:
    """The simple arrays of a value, those of nested tuples and the parts of arrays of arrays included."""
    if isinstance(exp.ty, Nested):
        return [leaf for part in nested_values.parts_of(build, exp) for leaf in components(build, part)]
    if isinstance(exp.ty, Records):
        return [leaf for part in nested_values.columns_of(build, exp) for leaf in components(build, part)]
    if not is_tuple(exp):
        return [exp]
    if exp.ty == UNIT:
        return []
    return [leaf for item in all_components(build, exp) for leaf in components(build, item)]


def rebuilt(exp: Exp, leaves: Iterator[Exp], span: Span | None = None) -> Exp:
    """A value of the same structure made of other simple arrays, which may stand elsewhere."""
    span = span or exp.span

    def build_type(ty: Type) -> Exp:
        if isinstance(ty, Tuple):
            return made_of(tuple([build_type(t) for t in ty.items]), ty, span)
        return next(leaves)

    return build_type(exp.ty)


def as_simple(build: Builder, exp: Exp) -> Exp:
    """A tuple of scalars of one kind as the vector that it is; any other value as it is."""
    if not is_tuple(exp) or is_enclosed(exp.ty) or runs.is_runs(exp.ty):
        return exp
    items = items_of(build, limited(exp))
    if not items or any(isinstance(i.ty, Tuple) or rank(i) != 0 for i in items):
        return product(items, exp.span)
    base = join_bases([base_of(i) for i in items])
    if base is None:
        return product(items, exp.span)
    return vec(tuple([build.coerce(i, base, "a strand", i.span) for i in items]), base, exp.span)


def common(left: Type, right: Type) -> Type | None:
    """The least type of simple arrays that both convert to; None where there is none. A vector that is known
    to be empty is one of characters as well as of numbers.
    """
    assert not isinstance(left, Func | Tuple) and not isinstance(right, Func | Tuple)
    assert isinstance(left.base, Base) and isinstance(right.base, Base)
    base = join_bases([left.base, right.base])
    if rank_of(left) != rank_of(right):
        return None
    if base is None:
        others = [b for a, b in ((left, right), (right, left)) if known_length(a) == Rho(0)]
        return generalise(others[0]) if others else None
    if left == right:
        return left
    widened = [with_base(forget_value(t), base) for t in (left, right)]
    return join(widened[0], widened[1])


def _are_parallel(left: Tuple, right: Tuple) -> bool:
    """Whether components belong together: an enclosed array has an empty one, which is no item."""
    return len(left.items) == len(right.items) and is_enclosed(left) == is_enclosed(right)


def widen(left: Type, right: Type) -> Type | None:
    """The least type that both convert to: element types widen, lengths and values are forgotten; None where
    ranks, or characters and numbers, differ.
    """
    if isinstance(left, Records) or isinstance(right, Records):
        return wider_records(left, right)
    if isinstance(left, Nested) or isinstance(right, Nested):
        return wider_nested(left, right)
    if isinstance(left, Tuple) and isinstance(right, Tuple) and not _are_parallel(left, right):
        return wider_nested(left, right) or wider_records(left, right)
    if isinstance(left, Tuple) or isinstance(right, Tuple):
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, Tuple) and known_length(one) == Rho(0):
                return grown(one, other)
        if not (isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) == len(right.items)):
            return None
        items = [widen(a, b) for a, b in zip(left.items, right.items, strict=True)]
        known = [t for t in items if t is not None]
        return Tuple(tuple(known)) if len(known) == len(items) else None
    return common(left, right)


def with_base(ty: Type, base: Base) -> Type:
    """A type of simple arrays with another element type."""
    match ty:
        case Array() | Vector() | Single() | SingleVector():
            return replace(ty, base=base)
        case Func() | Tuple():
            raise AssertionError(ty)


def coerce(build: Builder, exp: Exp, ty: Type, symbol: str, span: Span | None) -> Exp:
    """A value converted, component by component, to the element types of a type."""
    if isinstance(ty, Nested):
        return record_values.to_nested(build, exp, ty, span)
    if isinstance(ty, Records):
        return record_values.to_records(build, exp, ty, span)
    if isinstance(ty, Tuple):
        if exp.ty == ty:
            return exp
        parts = zip(all_components(build, exp), ty.items, strict=True)
        return product(tuple([coerce(build, e, t, symbol, span) for e, t in parts]), exp.span)
    assert not isinstance(ty, Func) and isinstance(ty.base, Base)
    if base_of(exp) is not ty.base and known_length(exp.ty) == Rho(0):
        build.discard(exp)
        return vec((), ty.base, exp.span)
    return build.coerce(exp, ty.base, symbol, span)


class Grows(Error):
    """A value that is carried from round to round has to be an array of arrays from the beginning, or to have
    such components.
    """

    def __init__(self, ty: Tuple) -> None:
        self.type = ty
        super().__init__(str(ty))


def grown(before: Type, after: Type) -> Tuple | None:
    """The type of arrays of arrays, or of records, that a value is of all along which is one of these first,
    and then the other. None where there is none.
    """
    return grown_nested(before, after) or grown_records(before, after)


def in_form(build: Builder, value: Exp, ty: Type, span: Span) -> Exp:
    """A value made of arrays like one of a type, where it is one of arrays of arrays. Raises `Grows`."""
    if form_of(value.ty) == form_of(ty):
        return value
    common = grown(ty, value.ty)
    if common is not None and form_of(common) != form_of(ty):
        raise Grows(common)
    if isinstance(ty, Nested | Records) and (wider := widen(ty, value.ty)) is not None:
        return coerce(build, value, wider, "⍣", span)
    if isinstance(ty, Nested | Records) or not isinstance(ty, Tuple) or not is_tuple(value):
        return value
    parts, wanted = all_components(build, value), list(ty.items)
    if not isinstance(value.ty, Tuple) or not _are_parallel(ty, value.ty):
        return value
    for k, (part, now) in enumerate(zip(parts, ty.items, strict=True)):
        try:
            parts[k] = in_form(build, part, now, span)
        except Grows as found:
            wanted[k] = found.type
    if tuple(wanted) != ty.items:
        raise Grows(Tuple(tuple(wanted)))
    return product(tuple(parts), span)


def all_components(build: Builder, strand: Exp) -> list[Exp]:
    """The components of a tuple, with the empty one of an enclosed array."""
    opened = build.bind(strand)
    assert isinstance(opened, TupleExp)
    return list(opened.items)


# --- functions on tuples --------------------------------------------------------------------------------


def pairs(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> list[tuple[Exp, Exp]]:
    """The components of two values that belong together; a scalar or a single component belongs to all."""
    first, second = items_of(build, left), items_of(build, right)
    if len(first) != len(second):
        if len(first) == 1:
            first *= len(second)
        elif len(second) == 1:
            second *= len(first)
        else:
            message = f"{symbol} needs equal lengths, got {len(first)} and {len(second)}"
            raise compile_error("LENGTH ERROR", message, span)
    return list(zip(first, second, strict=True))


def each(
    build: Builder, symbol: str, f: Callable[[Exp | None, Exp], Exp], left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A function applied to each component, from the first to the last."""
    couples: list[tuple[Exp | None, Exp]]
    if left is None:
        couples = [(None, item) for item in items_of(build, right)]
    else:
        couples = [*pairs(build, symbol, build.bind(left), build.bind(right), span)]
    if not couples:  # a tuple has a component at least, see Note [Enclosed arrays]
        raise refused(symbol, left, right, span)
    if all(a is None or is_scalar(a) for a in (left, right)):
        return enclosed(build.bind(f(*couples[0])), span)
    first = build.index_origin
    results = [in_item(build, first + k, partial(f, *couple)) for k, couple in enumerate(couples)]
    return as_simple(build, product(tuple(results), span))


def is_scalar(exp: Exp) -> bool:
    """Whether a value has rank 0."""
    if nested_values.is_nested(exp) or record_values.is_records(exp):
        return nested_values.axes_of(exp) == 0
    return is_enclosed(exp.ty) if is_tuple(exp) else rank(exp) == 0


def primitive(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A primitive function that is not scalar where an argument is a tuple."""
    make = (_MONADIC if left is None else _DYADIC)[symbol]
    return as_simple(build, make(build, left, right, span))


def has(symbol: str, left: Exp | None) -> bool:
    """Whether there is a function for tuples."""
    return symbol in (_MONADIC if left is None else _DYADIC)


def refused(symbol: str, left: Exp | None, right: Exp, span: Span) -> Unsupported:
    """The error for a function that is not there for nested arguments."""
    nested = [plain_type(a) for a in (left, right) if a is not None and isinstance(a.ty, Tuple)]
    hint = "format its items with ⍕¨" if symbol == "⍕" else ""
    return unsupported(f"{symbol} of {' and '.join(nested)}", span, hint)


def _first(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    return items_of(build, right)[0]


def _same(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    return right


def _left(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    assert left is not None
    build.discard(right)
    return left


def _right(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    if left is not None:
        build.discard(left)
    return right


def _ravelled(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    return product(items_of(build, right), span)


def _enclose(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    return enclosed(right, span)


def _enlist(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    """`∊`: all simple scalars, in one vector."""
    if nested_values.is_nested(right):
        return nested_values.enlist(build, right, span)
    if not is_tuple(right):
        return selection.enlist(build, right, span)
    first, *others = [_enlist(build, None, item, span) for item in items_of(build, right)]
    for more in others:
        first = catenation.catenate(build, build.bind(first), build.bind(more), span, "∊")
    return first


def _tally(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    right = build.bind(right)
    build.discard(right)
    return literal(len(items_of(build, right)), span)


def _shape(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    count = _tally(build, None, right, span)
    return vec(() if is_enclosed(right.ty) else (count,), Base.INT, span)


def _depth(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    """`≡`, negative where the components differ in depth."""
    depths = [depth_of(item.ty) for item in items_of(build, right)]
    deepest = 1 + max([abs(d) for d in depths], default=0)
    uneven = len(set(depths)) > 1 or any(d < 0 for d in depths)
    return literal(-deepest if uneven else deepest, span)


def depth_of(ty: Type) -> int:
    """`≡` of a value of that type."""
    if isinstance(ty, Nested):
        inside = depth_of(ty.item)
        return inside + (1 if inside > 0 else -1)
    if isinstance(ty, Records):
        inside = depth_of(Tuple(ty.fields))
        return inside if ty.axis is not None else inside + (1 if inside > 0 else -1)
    if isinstance(ty, Tuple):
        depths = [depth_of(t) for t in (ty.items[:1] if is_enclosed(ty) else ty.items)]
        deepest = 1 + max([abs(d) for d in depths], default=0)
        return -deepest if len(set(depths)) > 1 or any(d < 0 for d in depths) else deepest
    assert not isinstance(ty, Func)
    return min(1, rank_of(ty).const)


def _reverse(build: Builder, _: Exp | None, right: Exp, span: Span) -> Exp:
    return right if is_enclosed(right.ty) else product(items_of(build, right)[::-1], span)


def _whole(build: Builder, exp: Exp | None, symbol: str, span: Span) -> int:
    """A whole number on the left that is known while compiling."""
    assert exp is not None
    value = value_of(build, exp) if not is_tuple(exp) and rank(exp) <= 1 else None
    if not isinstance(value, int):
        shown = symbol if symbol in _DYADIC else f"{symbol}[ ]"
        what = f"{shown} of a nested array with anything but one constant whole number"
        raise unsupported(what, exp.span or span, "take it apart with (a b)←")
    return int(value)


def position(build: Builder, index: Exp, count: int, symbol: str, span: Span) -> int:
    """Which component a constant index names, from 0."""
    at = _whole(build, index, symbol, span) - build.index_origin
    if not 0 <= at < count:
        message = f"{symbol} has no element {at + build.index_origin}, the length is {count}"
        raise compile_error("INDEX ERROR", message, index.span or span)
    return at


def _pick(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    assert left is not None
    items = items_of(build, right)
    return items[position(build, left, len(items), "⊃", span)]


def _index(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    assert left is not None
    items = items_of(build, right)
    return enclosed(items[position(build, left, len(items), "⌷", span)], span)


def _rotate(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    items = items_of(build, right)
    by = _whole(build, left, "⌽", span) % len(items)
    return product(items[by:] + items[:by], span)


def _take(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    items, count = items_of(build, right), _whole(build, left, "↑", span)
    if abs(count) > len(items) or count == 0:
        raise unsupported("↑ with fills, or with nothing left, on a nested array", span)
    return product(items[:count] if count > 0 else items[count:], span)


def _drop(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    items, count = items_of(build, right), _whole(build, left, "↓", span)
    if abs(count) >= len(items):
        raise unsupported("↓ with nothing left on a nested array", span)
    return product(items[count:] if count >= 0 else items[:count], span)


def _catenate(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    assert left is not None
    return product(items_of(build, left) + items_of(build, right), span)


def match(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`a≡b`, component by component. `Unsupported` where one is an array of arrays or of records."""
    assert left is not None
    if any(isinstance(a.ty, Nested | Records) for a in (left, right)):
        raise refused("≡", left, right, span)
    if not is_tuple(left) and not is_tuple(right):
        return structure.match(build, left, right, span)
    first, second = [items_of(build, a) if is_tuple(a) else None for a in (left, right)]
    alike = is_enclosed(left.ty) == is_enclosed(right.ty)
    if first is None or second is None or len(first) != len(second) or not alike:
        build.discard(right, left)
        return literal(False, span)
    result: Exp = literal(True, span)
    for a, b in zip(first, second, strict=True):
        result = op(p.ANDB, match(build, a, b, span), result, symbol="≡", span=span)
    return result


def _not_match(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    return op(p.NOTB, match(build, left, right, span), symbol="≢", span=span)


def _format(build: Builder, left: Exp | None, right: Exp, span: Span) -> Exp:
    return numeric.format_value(build, as_simple(build, right), span)


_Make = Callable[[Builder, Exp | None, Exp, Span], Exp]

_MONADIC: dict[str, _Make] = {
    "⊃": _first, "∊": _enlist, "⊂": _enclose, "⊢": _same, "⊣": _same, ",": _ravelled,
    "⌷": _same, "⊆": _same, "≢": _tally, "⍴": _shape, "≡": _depth, "⌽": _reverse, "⊖": _reverse,
    "⍕": _format,
}  # fmt: skip
_DYADIC: dict[str, _Make] = {
    "⊃": _pick, "⌷": _index, "⊢": _right,
    "⊣": _left, ",": _catenate, "⌽": _rotate, "⊖": _rotate, "↑": _take, "↓": _drop, "≡": match,
    "≢": _not_match,
}  # fmt: skip
