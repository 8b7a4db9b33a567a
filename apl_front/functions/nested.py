"""APL's functions on arrays of arrays, by their symbols.

What chooses, arranges or counts items works on their places and extents, which are flat arrays; the elements
stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from aplc.apl_front.building.axes import axis_number, from_last, permuted
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    counted,
    join_bases,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.item_types import nested_type
from aplc.apl_front.building.runs import joined_of, note_joined
from aplc.apl_front.functions import cuts, fills, indexing, levels, numeric, searches, structure, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.functions.structure import from_origin, one_integer, to_integers
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported, compile_error, unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Exp,
    Fn,
    Item,
    Op,
    Var,
    Vec,
    literal,
    nest,
    op,
    prim_fn,
    product,
    vec,
)
from aplc.tail.types import Base, Records, Tuple, scalar

FEW_ITEMS = 32
"""So many items of a strand are joined one by one: loops over them can be cut where the next begins."""


def first(build: Builder, exp: Exp, span: Span) -> Exp:
    """`⊃`: the first item; an array without elements where there is none."""
    return nv.first_item(build, exp, span)


def pick(build: Builder, left: Exp, exp: Exp, span: Span) -> Exp:
    """`k⊃`: an item, or an item of an item."""
    path = to_integers(build, left, "⊃")
    if rank(path) == 1 and (length_of(path) or 0) > 1:
        return _at_path(build, path, exp, span)
    if nv.axes_of(exp) != 1:
        raise unsupported(f"⊃ of {plain_type(exp)}", span, "ravel it with ,")
    position = build.bind(from_origin(build, one_integer(build, path, "⊃", span)))
    *descriptor, elements = nv.parts_of(build, exp)
    return nv.item_of(
        build, [op(p.PICK, position, d, symbol="⊃", span=span) for d in descriptor], elements, span
    )


def _at_path(build: Builder, path: Exp, exp: Exp, span: Span) -> Exp:
    """`i j⊃`: an item, an item of that, and so on."""
    known = build.definition(path) if isinstance(path, Var) else path
    if isinstance(known, Vec):
        steps = list(known.items)
    else:
        path = build.bind(to_integers(build, path, "⊃"))
        steps = [op(p.PICK, literal(k + 1, span), path, span=span) for k in range(length_of(path) or 0)]
    value = exp
    for step in steps:
        if nv.is_nested(value):
            value = pick(build, step, value, span)
        elif isinstance(value.ty, Tuple):
            value = of_strands(build, "⊃", step, value, span)
        else:
            value = functions.dyadic(build, "⊃", step, value, span, None)
    return value


def mix(build: Builder, exp: Exp, span: Span) -> Exp:
    """`↑`"""
    *descriptor, elements = nv.parts_of(build, exp)
    if len(descriptor) == 1:
        return levels.opened(build, exp, span)
    least = _least_extents(build, exp, span)
    if isinstance(elements.ty, Tuple):
        *descriptor, elements = nv.parts_of(build, _of_one_size(build, exp, span))

    def mixed(part: Exp) -> Exp:
        return op(p.MIX, least, nest((*descriptor, part), span), symbol="↑", span=span)

    return nv.rearranged(build, elements, mixed, span)


def _laminated(build: Builder, items: list[Exp], span: Span) -> Exp | None:
    """`↑` of a few simple arrays of one rank: each as long as the longest along each axis, one behind the
    other along a new first axis. None where they are too many, all constants, or of unlike elements.
    """
    base = join_bases([base_of(item) for item in items])
    constants = all(isinstance(build.definition(item), Vec) for item in items)
    if base is None or constants or rank(items[0]) == 0 or not 1 < len(items) <= FEW_ITEMS:
        return None
    extents = [nv.extents_of(build, item, span) for item in items]
    longest = [_greatest(along, span) for along in zip(*extents, strict=True)]
    shape = build.bind(vec(tuple(longest), Base.INT, span))
    padded = [structure.take(build, shape, build.coerce(item, base, "↑", span), span) for item in items]
    unit = vec((*longest, literal(1, span)), Base.INT, span)
    joined: Exp = op(p.RESHAPE, unit, padded[0], symbol="↑", span=span)
    for each in padded[1:]:
        joined = op(p.SNOC, joined, each, symbol="↑", span=span)
    return from_last(joined, 0, span)


def _greatest(extents: Sequence[Exp], span: Span) -> Exp:
    greatest = extents[0]
    for extent in extents[1:]:
        greatest = op(p.MAXI, greatest, extent, span=span)
    return greatest


def _chosen(build: Builder, left: Exp, exp: Exp, span: Span) -> Exp:
    """`(⊂i)⌷`, `i j⌷`: the items at indices for the first axes."""
    given: list[Exp | None] = list(tuples.items_of(build, build.bind(left)))
    axes = nv.axes_of(exp)
    if len(given) > axes:
        message = (
            f"⌷ needs at most {counted(axes, 'index', 'indices')} for {plain_type(exp)}, got {len(given)}"
        )
        raise compile_error("LENGTH ERROR", message, span)
    return indexing.bracket(build, build.bind(exp), given + [None] * (axes - len(given)), span)


def _mix_along(build: Builder, axis: Exp, exp: Exp, span: Span) -> Exp:
    """`↑[k]`: the axes of the items come between two axes of the array, of which k, a fraction, tells."""
    mixed = build.bind(mix(build, exp, span))
    return _between_axes(build, axis, mixed, nv.axes_of(exp), nv.type_of(exp).item.rank.const, span)


def _between_axes(build: Builder, axis: Exp, mixed: Exp, frame: int, own: int, span: Span) -> Exp:
    """An array of items with their axes where `↑[k]` says, of what has them behind those of the frame."""
    number = axis_number(axis, "↑", span) - build.index_origin
    place = math.floor(number) + 1
    if number.is_integer() or not 0 <= place <= frame:
        message = "↑[ ] needs a fraction, which says between which axes those of the items come"
        raise compile_error("AXIS ERROR", message, axis.span or span)
    places = [k if k < place else k + own for k in range(frame)] + [place + k for k in range(own)]
    if not nv.is_nested(mixed):
        return permuted(mixed, places, span)
    return nv.arranged(build, mixed, lambda d: build.bind(permuted(d, places, span)), span)


def _of_one_size(build: Builder, exp: Exp, span: Span) -> Exp:
    """Items that are arrays of arrays, or of records, filled up to the longest along each axis: each with its
    own fill.
    """
    flat = nv.ravelled(build, exp, span)
    _, *extents, _ = nv.parts_of(build, flat)
    zero = literal(0, span)
    longest = [op(p.REDUCE, prim_fn(p.MAXI), zero, n, symbol="↑", span=span) for n in extents]
    wanted = build.bind(vec(tuple([build.bind(n) for n in longest]), Base.INT, span))

    def filled(number: Exp) -> Exp:
        return _taken(build, wanted, nv.item_at(build, flat, number, span), span)

    function = build.function_on((scalar(Base.INT),), filled, span)
    places = op(p.IOTA, nv.count(build, flat, span), span=span)
    made = build.bind(op(p.PIECES, function, places, symbol="↑", span=span))
    if nv.axes_of(exp) == 1:
        return made
    shape = nv.shape(build, exp, span)
    return nv.arranged(build, made, lambda d: build.bind(op(p.RESHAPE, shape, d, span=span)), span)


def _taken(build: Builder, counts: Exp, exp: Exp, span: Span) -> Exp:
    """`counts↑exp`, of an array of whatever."""
    if isinstance(exp.ty, Records):
        columns = [build.bind(_taken(build, counts, c, span)) for c in nv.columns_of(build, exp)]
        return table(tuple(columns), None, span)
    if isinstance(exp.ty, Tuple):
        return _dyadic(build, "↑", counts, exp, span, None)
    return functions.dyadic(build, "↑", counts, exp, span, None)


def _least_extents(build: Builder, exp: Exp, span: Span) -> Exp:
    """The extents of cells where there are no items: those of vectors whose length the function tells that
    makes them, otherwise 0.
    """
    axes = nv.type_of(exp).item.rank.const
    part = build.definition(nv.parts_of(build, exp)[0])
    made = build.definition(part.value) if isinstance(part, Item) else part
    if isinstance(made, Op) and made.prim is p.PIECES and isinstance(made.args[0], Fn):
        length = length_of(made.args[0].body)
        if length is not None and axes == 1:
            return vec((literal(length, span),), Base.INT, span)
    return vec((literal(0, span),) * axes, Base.INT, span)


def catenate(build: Builder, left: Exp, right: Exp, symbol: str, span: Span, axis: Exp | None = None) -> Exp:
    """`a,b` and `a⍪b`, also along an axis. An empty vector has items like those of the other side, if any."""
    sides: list[Exp] = []
    for one, other in ((left, right), (right, left)):
        if isinstance(one.ty, Tuple):
            sides.append(rv.required_nested(build, one, symbol, span))
        elif length_of(one) == 0:
            all_there_is = build.bind(rv.required_nested(build, other, symbol, span))
            if nv.axes_of(all_there_is) == 1 and axis is None:
                return all_there_is
            sides.append(build.bind(nv.nothing(nv.type_of(all_there_is), span)))
        else:
            sides.append(one)
    for one in sides:
        if not nv.is_nested(one):
            shown = f"{plain_type(left)} and {plain_type(right)}"
            raise unsupported(f"{symbol} of {shown} (simple scalars beside arrays)", span)
    fitted = nv.fitted(build, sides)
    if fitted is None:
        raise unsupported(f"{symbol} of {plain_type(left)} and {plain_type(right)}", span)

    def join(a: Exp, b: Exp) -> Exp:
        return build.bind(functions.dyadic(build, symbol, a, b, span, axis))

    a, b = fitted
    if nv.axes_of(a) == nv.axes_of(b) == 0:
        a = nv.ravelled(build, a, span)
    whole = nv.catenated(build, a, b, join, span)
    if nv.axes_of(whole) == 1:
        note_joined(build, whole, [run for side in fitted for run in joined_of(build, side) or [side]])
    return whole


def reversed_run(build: Builder, run: Exp, span: Span) -> Exp:
    """A run of items from its end: see Note [Runs of items] in `building.runs`."""
    if tuples.is_tuple(run) or nv.axes_of(run) == 0:
        return run
    return build.bind(
        nv.rearranged(build, run, lambda a: build.bind(structure.reverse(build, a, span)), span)
    )


ARRANGING = {1: frozenset("⌽⊖⍉,⍪"), 2: frozenset("⍴⌽⊖⍉↑↓/⌿\\⍀⌷")}
"""What is done to the places and extents of items, by number of arguments."""


MAKING = {1: frozenset("↑↓"), 2: frozenset("⊂⊆")}
"""What makes arrays of arrays of others, or the other way round."""


def concerns(symbol: str, left: Exp | None, right: Exp, axis: Exp | None, *, is_scalar: bool) -> bool:
    """Whether an application is one of those below: to an array of arrays, or one that makes such a one."""
    arguments = [a for a in (left, right) if a is not None]
    if any(nv.is_nested(a) for a in arguments) or symbol in MAKING[len(arguments)]:
        return True
    if symbol == "⌷" and left is not None and not isinstance(right.ty, Tuple):
        return False  # the left one is indices for axes
    if axis is not None and not is_scalar and any(isinstance(a.ty, Tuple) for a in arguments):
        return True
    if symbol == "⊂" and axis is not None:
        return True
    if left is None and symbol in "⍳⍸" and not isinstance(right.ty, Tuple):
        several = rank(right) == 1 and length_of(right) not in (0, 1, None)
        return several if symbol == "⍳" else rank(right) > 1
    if is_scalar or not any(isinstance(a.ty, Tuple) for a in arguments):
        return False
    return not tuples.has(symbol, left)


def primitive(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """A function that is not scalar where an argument is an array of arrays."""
    if left is not None:
        left, right = rv.as_groups(build, left, right, span), rv.as_groups(build, right, left, span)
    arguments = [a for a in (left, right) if a is not None]
    simple = not any(isinstance(a.ty, Tuple) for a in arguments)
    if left is None and simple:
        if symbol == "↑":
            return right
        if symbol == "⍳":
            return cuts.indices(build, right, symbol, span)
        if symbol == "⍸":
            return cuts.places(build, right, span)
        if symbol == "⊂":
            assert axis is not None
            return cuts.enclose_axes(build, axis, right, span)
        return cuts.split(build, right, span, axis)
    if left is not None and simple:
        return (cuts.partition if symbol == "⊆" else cuts.cut)(build, left, right, span, axis)
    strands = [a for a in arguments if isinstance(a.ty, Tuple)]
    if symbol == "↑" and left is None and (items := rv.items_of_one_rank(build, right, span)):
        if (side_by_side := _laminated(build, items, span)) is not None:
            own = rank(items[0])
            return side_by_side if axis is None else _between_axes(build, axis, side_by_side, 1, own, span)
        if axis is None and (alike := nv.of_items(build, items, span)) is not None:
            return mix(build, alike, span)
    typed = [right] if symbol == "⌷" else strands  # the left one of ⌷ is indices for axes
    if any(nested_type(a.ty) is None for a in typed if isinstance(a.ty, Tuple)):
        raise tuples.refused(symbol, left, right, span)
    if left is None:
        return _monadic(build, symbol, rv.required_nested(build, right, symbol, span), span, axis)
    return _dyadic(build, symbol, left, right, span, axis)


def of_strands(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A function that is not scalar of a strand: on its components if they tell the result, otherwise on the
    array of arrays that it is.
    """
    if symbol == "⊃" and left is not None and not isinstance(left.ty, Tuple) and (length_of(left) or 0) > 1:
        return _at_path(build, left, right, span)
    mark = build.mark()
    try:
        return tuples.primitive(build, symbol, left, right, span)
    except Unsupported:
        strands = [a for a in (left, right) if a is not None and isinstance(a.ty, Tuple)]
        if any(nested_type(a.ty) is None for a in strands):
            raise
    build.undo(mark)
    return primitive(build, symbol, left, right, span, None)


def _monadic(build: Builder, symbol: str, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    exp = build.bind(exp)
    if symbol in ARRANGING[1]:
        made = nv.arranged(
            build, exp, lambda d: build.bind(functions.monadic(build, symbol, d, span, axis)), span
        )
        if symbol in "⌽⊖" and (runs := joined_of(build, exp)):
            note_joined(build, made, [reversed_run(build, run, span) for run in reversed(runs)])
        return made
    if symbol == "↑" and axis is not None:
        return _mix_along(build, axis, exp, span)
    if symbol == "↓":
        return cuts.split(build, exp, span, axis)
    if symbol == "⊂" and axis is not None:
        return cuts.enclose_axes(build, axis, exp, span)
    if axis is not None:
        raise unsupported(f"{symbol} with an axis of {plain_type(exp)}", span)
    match symbol:
        case "⊃":
            return first(build, exp, span)
        case "↑":
            return mix(build, exp, span)
        case "∊":
            return nv.enlist(build, exp, span)
        case "⊂":
            return product((exp, product(())), span)
        case "⊢" | "⊣" | "⌷" | "⊆":
            return exp
        case "≢" | "⍴":
            return functions.monadic(build, symbol, nv.parts_of(build, exp)[0], span, None)
        case "≡":
            return literal(tuples.depth_of(exp.ty), span)
        case "⍕":
            return numeric.format_value(build, exp, span)
        case "≠":
            return searches.unique_mask(build, exp, span)
        case "∪":
            return searches.unique(build, exp, span)
        case "⍋" | "⍒":
            return searches.grade(build, symbol, exp, span)
        case _:
            raise unsupported(f"{symbol} of {plain_type(exp)}", span)


def _dyadic(build: Builder, symbol: str, left: Exp, right: Exp, span: Span, axis: Exp | None) -> Exp:
    simple_left = not isinstance(left.ty, Tuple)
    if symbol in "⊂⊆" and simple_left:
        exp = build.bind(rv.required_nested(build, right, symbol, span))
        return (cuts.partition if symbol == "⊆" else cuts.cut)(build, left, exp, span, axis)
    if symbol in ARRANGING[2] and simple_left:
        exp = build.bind(rv.required_nested(build, right, symbol, span))
        left = build.bind(left)
        arrange = fills.arranged if fills.may_fill(build, symbol, left, exp) else nv.arranged
        return arrange(
            build, exp, lambda d: build.bind(functions.dyadic(build, symbol, left, d, span, axis)), span
        )
    if symbol in ",⍪":
        return catenate(build, left, right, symbol, span, axis)
    if axis is not None:
        raise unsupported(f"{symbol} with an axis of arrays of arrays", span)
    match symbol:
        case "⌷":
            return _chosen(build, left, rv.required_nested(build, right, symbol, span), span)
        case "⊃" if simple_left:
            return pick(build, left, rv.required_nested(build, right, symbol, span), span)
        case "≡":
            return searches.match(build, left, right, span)
        case "≢":
            return op(p.NOTB, searches.match(build, left, right, span), symbol="≢", span=span)
        case "⊢":
            build.discard(left)
            return right
        case "⊣":
            build.discard(right)
            return left
        case "⍳":
            return searches.index_of(build, left, right, span)
        case "∊":
            return searches.member(build, left, right, span)
        case "~" | "∩" if searches.is_beside(left, right):
            vector = searches.as_set(build, left, right, symbol, span)
            mask = searches.member(build, vector, right, span)
            kept = mask if symbol == "∩" else pervade(build, "~", None, mask, span)
            if simple_left:
                return functions.dyadic(build, "/", kept, vector, span, None)
            return searches.chosen(build, kept, vector, span)
        case "~" | "∩":
            a, b = searches.sets(build, left, right, symbol, span)
            mask = searches.found(build, a, b, symbol, span)
            if symbol == "~":
                mask = pervade(build, "~", None, mask, span)
            return searches.chosen(build, mask, a, span)
        case "∪":
            a, b = searches.sets(build, left, right, symbol, span)
            mask = pervade(build, "~", None, searches.found(build, b, a, symbol, span), span)
            return catenate(build, a, searches.chosen(build, mask, b, span), ",", span)
        case _:
            shown = " and ".join([plain_type(a) for a in (left, right)])
            raise unsupported(f"{symbol} of {shown}", span)
