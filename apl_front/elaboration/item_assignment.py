"""Assignments to items of arrays of arrays, and by indices that are arrays: `x[i]←⊂v`, `x[i],←⊂v`,
`m[(1 1)(2 3)]←v`.

The new items are appended to the elements, and the places and extents of the old ones become theirs: an item
may get another length. What no item refers to any more is left out from time to time (`_kept_small`).
"""

from __future__ import annotations

from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    is_enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.item_types import simple_base, wider_item
from aplc.apl_front.elaboration.power import times
from aplc.apl_front.elaboration.updates import updated
from aplc.apl_front.elaboration.written import is_written
from aplc.apl_front.functions import cuts, indexing, items, levels, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.functions.structure import shifted
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, conditional, let, literal, nest, op, prim_fn, product, vec
from aplc.tail.types import Nested, Tuple

Given = list[Exp | None]


def needed(old: Exp, given: Given) -> bool:
    """Whether an assignment is one of those here."""
    return isinstance(old.ty, Tuple) or any(g is not None and isinstance(g.ty, Tuple) for g in given)


def numbered(build: Builder, array: Exp, span: Span) -> Exp:
    """The numbers of the elements, or items, of an array, counted from 1 in row-major order, in its shape."""
    axes = nv.axes_of(array) if nv.is_nested(array) else rank(array)
    size = nv.count(build, array, span) if nv.is_nested(array) else nv.size_of(build, array, span)
    numbers: Exp = op(p.IOTA, size, span=span)
    if axes != 1:
        shape = nv.shape(build, array, span) if nv.is_nested(array) else op(p.SHAPE, array, span=span)
        numbers = op(p.RESHAPE, shape, numbers, span=span)
    return build.bind(numbers)


def positions(build: Builder, array: Exp, given: Given, span: Span) -> Exp:
    """The numbers of the elements, or items, that indices name, in row-major order and counted from 1."""
    numbers, symbol = numbered(build, array, span), _symbol(array)
    chosen = given[0] if len(given) == 1 else None
    if chosen is not None and isinstance(chosen.ty, Tuple):
        return build.bind(cuts.at_indices(build, numbers, chosen, symbol, span))
    return build.bind(indexing.index(build, numbers, given, symbol, span))


def _symbol(array: Exp) -> str:
    if array.span is None or is_written(array.span):
        return "the array"
    return first_line(array.span.text)


def as_items(build: Builder, old: Exp, span: Span) -> Exp:
    """What is changed, as an array of arrays, or as it is where it is simple."""
    if not isinstance(old.ty, Tuple):
        return build.bind(old)
    made = rv.as_nested(build, old, span)
    if made is None:
        what = f"← by an index that is computed, in {plain_type(old)}, whose items differ in rank or kind,"
        raise unsupported(what, span, "assign to a constant index, or make the items alike")
    return build.bind(made)


def replaced(build: Builder, old: Exp, numbers: Exp, new: Exp, span: Span) -> Exp:
    """An array of arrays with the items of these numbers, counted from 1, replaced by others, or by one."""
    wanted, new = nv.type_of(old).item, build.bind(_fitting(build, old, new, span))
    value = rv.as_nested(build, rv.as_groups(build, new, old, span), span)
    item = None if value is None else wider_item(wanted, nv.type_of(value).item)
    if value is None or item is None:
        shown = plain_type(new) if value is None else str(nv.type_of(value).item)
        what = f"← of an item that is {shown} to {_symbol(old)}, whose items are {wanted},"
        hint = f"{_symbol(old)} has to begin with items of that kind, as ⊂'' for text and ⊂⍬ for numbers"
        if not isinstance(new.ty, Tuple):
            hint = "write ⊂,value for an item of one element"
        raise unsupported(what, span, hint)
    both = [build.bind(each) for each in nv.fitted(build, [old, value]) or ()]
    axes = nv.axes_of(old)
    shape = None if axes == 1 else build.bind(nv.shape(build, old, span))
    flat, fresh = nv.parts_of(build, nv.ravelled(build, both[0], span)), nv.parts_of(build, both[1])
    places = nv.moved(build, fresh[0], nv.items_of_vector(build, flat[-1], span), span)
    changed = [
        _updated(build, d, numbers, n, _symbol(old), span)
        for d, n in zip(flat[:-1], (places, *fresh[1:-1]), strict=True)
    ]
    elements = nv.joined(build, [flat[-1], fresh[-1]], span)
    return _kept_small(build, nest((*changed, elements), span), flat[-1], shape, span)


def _lengthened(elab: Elaborating, old: Exp, number: Exp, f: Operand, value: Exp, span: Span) -> Exp | None:
    """`old[i],←value` in a loop, for one item that is a simple vector: where the item lies behind all others
    it stays there, so that elements are only added. None if it is something else.
    """
    build = elab.build
    if build.depth == 0 or f.symbol != "," or not nv.is_nested(old) or len(nv.parts_of(build, old)) != 3:
        return None
    if nv.is_nested(nv.parts_of(build, old)[-1]):
        return None
    mark, base = build.mark(), simple_base(nv.type_of(old))
    added = build.bind(f.apply(vec((), base, span), build.bind(disclosed(build, value, span)), span))
    if isinstance(added.ty, Tuple) or rank(added) != 1 or base_of(added) != base:
        build.undo(mark)
        return None
    axes = nv.axes_of(old)
    shape = None if axes == 1 else build.bind(nv.shape(build, old, span))
    places, lengths, elements = nv.parts_of(build, nv.ravelled(build, old, span))
    size = build.bind(nv.items_of_vector(build, elements, span))
    place, length = [build.bind(op(p.PICK, number, build.bind(d), span=span)) for d in (places, lengths)]
    is_last = build.bind(op(p.EQI, size, op(p.ADDI, place, length, span=span), span=span))
    moved = build.bind(conditional(is_last, literal(0, span), length, span))
    begins = build.bind(conditional(is_last, place, size, span))
    longer = build.bind(op(p.ADDI, length, nv.size_of(build, added, span), span=span))
    copied = build.bind(op(p.SLICE, place, moved, elements, span=span))
    changed = [
        _updated(build, build.bind(d), number, new, _symbol(old), span)
        for d, new in ((places, begins), (lengths, longer))
    ]
    behind = nv.joined(build, [copied, added], span)
    all_elements = nv.joined(build, [elements, behind], span)
    return _kept_small(build, nest((*changed, all_elements), span), elements, shape, span)


def _fitting(build: Builder, old: Exp, new: Exp, span: Span) -> Exp:
    """An empty vector that is enclosed, with the element type of the items."""
    item = nv.type_of(old).item
    inner = tuples.items_of(build, new)[0] if is_enclosed(new.ty) else None
    if inner is None or isinstance(inner.ty, Tuple) or length_of(inner) != 0 or isinstance(item, Nested):
        return new
    return enclosed(vec((), simple_base(nv.type_of(old)), span), span)


def _updated(build: Builder, old: Exp, numbers: Exp, new: Exp, symbol: str, span: Span) -> Exp:
    """A vector with the elements of these numbers replaced."""
    axes = rank(numbers)
    if rank(new) > 0 and rank(new) != axes:
        if rank(new) > 1 or (axes > 0 and length_of(new) not in (1, None)):
            message = f"← needs {axes or 'no'} axes here, as the index says, got {rank(new)}"
            raise compile_error("RANK ERROR", message, span)
        new = op(p.SINGLE, new, symbol="←", span=span)
    at = product((numbers,), span)
    return build.bind(op(p.UPDATE, op(p.COPY, old, span=span), at, new, symbol=symbol, span=span))


def _kept_small(build: Builder, exp: Exp, before: Exp, shape: Exp | None, span: Span) -> Exp:
    """A vector of arrays, in a shape if there is one; in a loop, without the elements of items that were
    replaced where these are more than those that are there. That is asked whenever as many elements as there
    are items have been added to those `before`, so that it takes no longer than adding them.
    """
    if build.depth > 0:
        exp = _without_replaced(build, build.bind(exp), before, span)
    if shape is None:
        return exp
    return nv.arranged(build, exp, lambda d: build.bind(op(p.RESHAPE, shape, d, span=span)), span)


def _without_replaced(build: Builder, exp: Exp, before: Exp, span: Span) -> Exp:
    """A vector of arrays, compacted where `_kept_small` says so."""
    _, *extents, elements = nv.parts_of(build, exp)
    spare, count = literal(64, span), build.bind(nv.count(build, exp, span))
    size, old_size = (build.bind(nv.items_of_vector(build, e, span)) for e in (elements, before))
    often = build.bind(op(p.ADDI, spare, count, span=span))
    added = op(p.SUBI, size, old_size, span=span)
    since = op(p.ADDI, added, op(p.RESI, often, old_size, span=span), span=span)
    is_asked = build.bind(op(p.LTEI, often, since, span=span))
    with build.block() as bindings:
        alive: Exp = count
        if extents:
            sizes = levels.sizes(build, extents, span)
            alive = op(p.REDUCE, prim_fn(p.ADDI), literal(0, span), sizes, span=span)
        least = op(p.ADDI, spare, op(p.MULI, literal(2, span), alive, span=span), span=span)
        is_large = let(bindings, build.bind(op(p.LTI, least, size, span=span)))
    is_large = build.bind(conditional(is_asked, is_large, literal(False, span), span))
    with build.block() as bindings:
        small = let(bindings, levels.compacted(build, exp, span))
    return build.bind(conditional(is_large, small, exp, span))


def assigned(elab: Elaborating, old: Exp, given: Given, f: Operand | None, value: Exp, span: Span) -> Exp:
    """The array after `old[given]←value` or `old[given] f←value`."""
    build = elab.build
    old = as_items(build, old, span)
    numbers = positions(build, old, given, span)
    return at_numbers(elab, old, numbers, f, value, span)


def at_numbers(elab: Elaborating, old: Exp, numbers: Exp, f: Operand | None, value: Exp, span: Span) -> Exp:
    """The array with other elements or items of these numbers, counted from 1."""
    build = elab.build
    if f is None:
        return put(elab, old, numbers, value, span)
    if rank(numbers) == 0:
        return _modified_at(elab, old, numbers, f, value, span)
    side = items.side(build, value, span)
    flat = build.bind(nv.flat(numbers, span))
    order: Exp | None = None
    if side.numbers is not None:
        alike = (
            op(p.ALIKE, side.numbers, numbers, symbol="←", span=span)
            if (rank(side.numbers) == rank(numbers))
            else None
        )
        if alike is None:
            message = f"← needs {rank(numbers)} axes here, as the index says, got {plain_type(value)}"
            raise compile_error("RANK ERROR", message, span)
        order = build.bind(nv.flat(build.bind(alike), span))

    def step(k: Exp, state: Exp) -> Exp:
        place = build.bind(op(p.ADDI, k, literal(1, span), span=span))
        number = build.bind(op(p.PICK, place, flat, span=span))
        own = side.at(None if order is None else build.bind(op(p.PICK, place, order, span=span)))
        return _modified_at(elab, state, number, f, enclosed(own, span), span)

    return times(elab, step, nv.size_of(build, flat, span), old, span, span)


def _modified_at(elab: Elaborating, old: Exp, number: Exp, f: Operand, value: Exp, span: Span) -> Exp:
    """`old[i] f←value` of one item."""
    longer = _lengthened(elab, old, number, f, value, span)
    if longer is not None:
        return longer
    item = elab.build.bind(item_at(elab.build, old, number, span))
    new = enclosed(modified_item(elab, item, f, value, span), span)
    return put(elab, old, number, elab.build.bind(new), span)


def modified_item(elab: Elaborating, item: Exp, f: Operand, value: Exp, span: Span) -> Exp:
    """What an item becomes by `f←value`: the function of two scalars, if that gives one, and otherwise of
    what they hold.
    """
    build = elab.build
    mark = build.mark()
    new = f.apply(enclosed(item, span), value, span)
    if tuples.is_scalar(new):
        return build.bind(disclosed(build, new, span))
    build.undo(mark)
    return build.bind(f.apply(item, build.bind(disclosed(build, value, span)), span))


def disclosed(build: Builder, value: Exp, span: Span) -> Exp:
    """What an enclosed scalar holds; any other value as it is."""
    if is_enclosed(value.ty):
        return tuples.items_of(build, value)[0]
    if nv.is_nested(value) and nv.axes_of(value) == 0:
        return nv.item_at(build, value, literal(1, span), span)
    return value


def item_at(build: Builder, old: Exp, number: Exp, span: Span) -> Exp:
    """An element, or an item, by its number in row-major order, counted from 1."""
    if nv.is_nested(old):
        return nv.item_at(build, old, number, span)
    return op(p.PICK, number, build.bind(nv.flat(old, span)), span=span)


def put(elab: Elaborating, old: Exp, numbers: Exp, value: Exp, span: Span) -> Exp:
    """The array with elements or items of these numbers, counted from 1, replaced."""
    build = elab.build
    if nv.is_nested(old):
        return replaced(build, old, numbers, value, span)
    if isinstance(value.ty, Tuple):
        what = f"← of {plain_type(value)} to {_symbol(old)}, which is {plain_type(old)},"
        raise unsupported(what, span, "an array of arrays begins with n⍴⊂⍬, or n⍴⊂'' for text")
    own = build.bind(shifted(build, numbers, build.index_origin - 1))
    changed = updated(elab, build.bind(nv.flat(old, span)), [own], value, span)
    if rank(old) == 1:
        return changed
    return op(p.RESHAPE, op(p.SHAPE, old, span=span), changed, span=span)
