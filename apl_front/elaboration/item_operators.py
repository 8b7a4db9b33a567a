"""Operators along the items of arrays of arrays: reductions, scans, windows and inner products.

A function that works element by element reduces items as a flat array of them (`functions.item_folds`); any
other is applied to one item after the other, by a text in APL (`elaboration.written`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.apl_front.building.axes import from_first, to_last
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    int_constant,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.item_types import nested_type
from aplc.apl_front.elaboration import cells_of_items, in_apl, written
from aplc.apl_front.functions import cuts, item_folds, items, levels, operators, structure, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.records import operators as record_operators
from aplc.apl_front.records import runs
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, product
from aplc.tail.types import Array, Tuple, array, scalar


def refuse_nested(what: str, left: Exp | None, right: Exp, span: Span) -> None:
    """Nested arguments of an operator that works along axes."""
    refused = [plain_type(a) for a in (left, right) if a is not None and isinstance(a.ty, Tuple)]
    if refused:
        raise unsupported(f"{what} of {' and '.join(refused)}", span)


def inner(
    elab: Elaborating, f: operators.Operand, g: operators.Operand, left: Exp, right: Exp, span: Span
) -> Exp:
    """`a f.g b` of two vectors, or a vector and a scalar, of which one has items that are arrays: `g` of the
    pairs, reduced with `f`.
    """
    build, sides = elab.build, [elab.build.bind(a) for a in (left, right)]
    strand = next((a for a in sides if tuples.is_tuple(a) and not tuples.is_scalar(a)), None)
    if strand is None:
        return _inner_of_many(elab, f, g, sides[0], sides[1], span)
    if any(nv.axes_of(a) > 1 if nv.is_nested(a) else not tuples.is_tuple(a) and rank(a) > 1 for a in sides):
        raise _refused(f, g, left, right, span)
    count = len(tuples.items_of(build, strand))
    parts = [
        nv.first_items(build, a, count, span) if nv.is_nested(a) else tuples.items_of(build, a) for a in sides
    ]
    parts = [own * count if len(own) == 1 else own for own in parts]
    if len(parts[0]) != len(parts[1]):
        message = f"{f.text}.{g.text} needs equal lengths, got {len(parts[0])} and {len(parts[1])}"
        raise compile_error("LENGTH ERROR", message, span)
    products = [build.bind(g.apply(a, b, span)) for a, b in zip(*parts, strict=True)]
    result = products.pop()
    while products:
        result = build.bind(f.apply(products.pop(), result, span))
    return enclosed(result, span)


def _inner_of_many(
    elab: Elaborating, f: operators.Operand, g: operators.Operand, left: Exp, right: Exp, span: Span
) -> Exp:
    """The same where only the run knows how many items there are, and `g` works element by element."""
    axes = [nv.axes_of(a) if nv.is_nested(a) else 0 if tuples.is_tuple(a) else rank(a) for a in (left, right)]
    if max(axes) == 1 and g.is_pervasive():
        products = elab.build.bind(g.apply(left, right, span))
        if (
            nv.is_nested(products)
            and nv.axes_of(products) == 1
            and item_folds.is_flat(elab.build, f, products)
        ):
            return item_folds.reduce(elab.build, f, products, span, 0, f".{g.text}")
    raise _refused(f, g, left, right, span)


def _refused(f: operators.Operand, g: operators.Operand, left: Exp, right: Exp, span: Span) -> Unsupported:
    return unsupported(f"{f.text}.{g.text} of {plain_type(left)} and {plain_type(right)}", span)


def along(
    elab: Elaborating, node: tree.Derived, scope: Scope, f: operators.Operand, right: Exp, span: Span
) -> Exp:
    """A reduction or scan of the items of an array of arrays."""
    if node.operator in "/⌿" and item_folds.is_flat(elab.build, f, right):
        axis = 0 if node.operator == "⌿" else nv.axes_of(right) - 1
        return item_folds.reduce(elab.build, f, right, span, axis, node.operator)
    if nv.axes_of(right) > 1:

        def of_row(_: Exp | None, row: Exp, at: Span) -> Exp:
            return along(elab, node, scope, f, row, at)

        is_scan = node.operator in "\\⍀"
        on_row = replace(f, apply=of_row)
        return cells_of_items.along(
            elab, on_row, node.operator, right, span, keeps_axis=is_scan, keeps_length=is_scan
        )
    if nv.axes_of(right) == 0:
        return right
    if node.operator in "\\⍀":
        text = written.SCAN_OF_ELEMENTS if item_folds.is_flat(elab.build, f, right) else written.SCAN
        return in_apl.operator(elab, text, node, scope, None, right, span)
    item = nv.type_of(right).item
    if f.symbol in (",", "⍪") and item.rank.const in (0, 1):  # one scalar is a vector, as in `along_elements`
        return nv.enclosed_item(elab.build, levels.concatenated(elab.build, right, span), span)
    is_of_matrices = f.symbol in (",", "⍪") and isinstance(item, Array) and item.rank.const == 2
    text = written.REDUCE_MATRICES[f.symbol] if is_of_matrices and f.symbol else written.REDUCE
    return in_apl.operator(elab, text, node, scope, None, right, span)


def along_elements(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    f: operators.Operand,
    right: Exp,
    axis: int,
    span: Span,
) -> Exp:
    """A reduction or scan of simple elements with a function that gives arrays: of a vector, or a reduction
    of each vector along an axis. What only the run knows the length of is an array from its first element on,
    which is a vector of one then.
    """
    if rank(right) == 0:
        return right
    if rank(right) > 1 and node.operator in "/⌿":
        build = elab.build
        count = operators.known_extent(build, right, axis)

        def of_row(_: Exp | None, row: Exp, at: Span) -> Exp:
            if count:
                row = op(p.OF_LENGTH, literal(count, at), row, span=at)
            return runs.item_of(build, build.bind(along_elements(elab, node, scope, f, row, 0, at)))

        rows = build.bind(cuts.split(build, to_last(right, axis, span), span))
        return items.each(build, replace(f, apply=of_row), None, rows, span)
    if rank(right) != 1:
        what = f"{f.text}{node.operator} of {plain_type(right)}, which makes arrays of its elements,"
        raise unsupported(what, span, "apply it to the rows with ⍤1")
    known = length_of(right)
    if known and node.operator in "/⌿" and known < operators.MAX_UNROLLED:
        return enclosed(elab.build.bind(operators.unrolled(elab.build, f, right, span)), span)
    _require_vectors(elab.build, f, node.operator, right, span)
    text = written.SCAN if node.operator in "\\⍀" else written.REDUCE_ELEMENTS
    return in_apl.operator(elab, text, node, scope, None, right, span)


def _require_vectors(build: Builder, f: operators.Operand, symbol: str, right: Exp, span: Span) -> None:
    """`Unsupported` where a function does not make a vector of an element and a vector."""
    mark = build.mark()
    element, vector = scalar(base_of(right)), array(base_of(right), 1)
    made = build.function_on((element, vector), lambda x, y: f.apply(x, y, span), f.span).body
    build.undo(mark)
    if isinstance(made.ty, Tuple) or rank(made) != 1:
        what = f"{f.text}{symbol} of {plain_type(right)}, whose steps give {plain_type(made)} for a vector,"
        raise unsupported(what, span, "its structure would depend on the length")


def windows_of_elements(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    f: operators.Operand,
    left: Exp,
    right: Exp,
    axis: int,
    span: Span,
) -> Exp:
    """`n f/` of simple elements with a function that gives arrays."""
    build = elab.build
    size = structure.one_integer(build, left, f.text + node.operator, span)
    known = int_constant(size)
    if known in (2, -2) and rank(right):
        shown = f.text + node.operator
        first, second = operators.beside_each_other(build, right, shown, span, axis, backwards=known == -2)
        return _from_first(
            build, items.each(build, f, build.bind(first), build.bind(second), span), axis, span
        )
    if rank(right) > 1:
        what = f"{f.text}{node.operator} of {plain_type(right)}, which makes arrays of its elements,"
        raise unsupported(what, span, "apply it to the rows with ⍤1")
    if known is None or abs(known) > written.MOST_UNROLLED:
        _require_vectors(build, f, node.operator, right, span)
    return in_apl.operator(elab, written.windows(known), node, scope, size, structure.as_vector(right), span)


def _from_first(build: Builder, exp: Exp, axis: int, span: Span) -> Exp:
    """An array of any items with its first axis moved to a place."""
    if axis == 0:
        return exp

    def moved(part: Exp) -> Exp:
        return build.bind(from_first(part, axis, span))

    return nv.rearranged(build, exp, moved, span)


def along_records(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    f: operators.Operand,
    right: Exp,
    axis: int | None,
    span: Span,
) -> Exp:
    """A reduction or scan of records, one after the other, or of a table along the axis of its fields."""
    build = elab.build
    if rv.is_table(right):
        last = nv.axes_of(right) - 1
        axis = axis if axis is not None else last if node.operator in "/\\" else 0
        if node.operator in "/⌿" and axis == rv.type_of(right).axis:
            return record_operators.folded(build, f, right, span)
        refuse_nested(f.text + node.operator, None, right, span)
    if axis is not None or nv.axes_of(right) != 1:
        refuse_nested(f.text + node.operator, None, right, span)
    text = written.SCAN if node.operator in "\\⍀" else written.REDUCE
    return in_apl.operator(elab, text, node, scope, None, right, span)


def windows(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    f: operators.Operand,
    left: Exp,
    right: Exp,
    span: Span,
) -> Exp:
    """`n f/` and `n f⌿` of an array of arrays."""
    shown = f.text + node.operator
    if isinstance(left.ty, Tuple) or tuples.is_scalar(right):
        refuse_nested(shown, left, right, span)
    known = int_constant(size := structure.one_integer(elab.build, left, shown, span))
    if known and nested_type(right.ty) is None:
        return _windows_of_strand(elab.build, lambda a, b: f.apply(a, b, span), known, right, shown, span)
    vector = rv.required_nested(elab.build, right, shown, span)
    if nv.axes_of(vector) == 0:
        refuse_nested(shown, left, vector, span)
    if nv.axes_of(vector) > 1:
        size = elab.build.bind(size)

        def of_row(_: Exp | None, row: Exp, at: Span) -> Exp:
            return windows(elab, node, scope, f, size, row, at)

        on_row = replace(f, apply=of_row)
        return cells_of_items.along(elab, on_row, node.operator, vector, span, keeps_axis=True)
    if item_folds.is_flat(elab.build, f, vector) and item_folds.have_one_shape(elab.build, vector):
        return item_folds.reduce_windows(elab.build, f, size, vector, span, node.operator)
    return in_apl.operator(elab, written.windows(known), node, scope, size, vector, span)


def _windows_of_strand(
    build: Builder, f: Callable[[Exp, Exp], Exp], size: int, right: Exp, symbol: str, span: Span
) -> Exp:
    """`size f/` of a tuple: the reduction of each window, reversed where the size is negative."""
    parts = tuples.items_of(build, right)
    width = abs(size)
    if width > len(parts) + 1:
        message = f"{symbol} needs windows of at most {len(parts) + 1} items, got {width}"
        raise compile_error("LENGTH ERROR", message, span)
    results = []
    for start in range(len(parts) - width + 1):
        *before, result = parts[start : start + width][:: 1 if size > 0 else -1]
        for item in reversed(before):
            result = build.bind(f(item, result))
        results.append(result)
    if not results:
        raise unsupported(f"{symbol} without windows", span)
    return tuples.as_simple(build, product(tuple(results), span))
