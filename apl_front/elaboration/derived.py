"""Derived functions of the primitive operators, applied: which operator, which valence, which axis."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from aplc.apl_front.building.axes import along, constant_axis, to_last
from aplc.apl_front.building.builder import (
    Builder,
    UnknownRank,
    constant,
    counted,
    enclosed,
    plain_type,
    rank,
)
from aplc.apl_front.building.closed import array_of
from aplc.apl_front.building.item_types import nested_type
from aplc.apl_front.elaboration import (
    cells_of_items,
    folds,
    in_apl,
    item_operators,
    key_folds,
    power,
    system_functions,
)
from aplc.apl_front.elaboration.in_order import Ordered
from aplc.apl_front.elaboration.written import (
    AT,
    GROUPS_OF_ITEMS,
    KEY_BY_RECORDS,
    KEY_OF_RECORDS,
    key,
    key_of_items,
    stencil,
)
from aplc.apl_front.functions import cuts, items, operators, polymorphic, searches, structure, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.scope import ArrayValue, Scope
from aplc.apl_front.records import operators as record_operators
from aplc.apl_front.syntax import hints
from aplc.apl_front.syntax.ast import Name
from aplc.apl_front.typing.effects import Place, carrying
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import CompileError, Unsupported, compile_error, unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec
from aplc.tail.types import Base, Tuple


def apply(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A derived function applied to its arguments."""
    mark = elab.build.mark()
    try:
        return _apply(elab, node, scope, left, right, span)
    except UnknownRank:
        elab.build.undo(mark)
    return _for_every_rank(elab, node, scope, left, right, span)


def _for_every_rank(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A derived function where the rank of an argument is a variable."""
    build, symbol = elab.build, node.operator
    if symbol == "." and isinstance(node.left, tree.Jot) and left is not None:
        return polymorphic.outer(build, elab.operand(node.right, scope, "∘."), left, right, span)
    f = elab.operand(node.left, scope, symbol)
    match symbol:
        case "/" | "⌿" if left is None and node.axis is None:
            return polymorphic.reduce(build, f, right, span, symbol)
        case "/" | "⌿" if left is not None and node.axis is None:
            return polymorphic.reduce_windows(build, f, left, right, span, symbol)
        case "\\" | "⍀" if left is None and node.axis is None:
            return polymorphic.scan(build, f, right, span, symbol)
        case "¨":
            return polymorphic.each(build, f, left, right, span)
        case "⍤" if isinstance(node.right, tree.ARRAY_NODES):
            ranks = _three_numbers(elab.array(node.right, scope), "⍤", node.right.span)
            return polymorphic.on_cells(build, f, ranks, left, right, span)
        case "." if left is not None:
            return polymorphic.inner(build, f, elab.operand(node.right, scope, symbol), left, right, span)
        case _:
            raise unsupported(f"{node.span.text} on {plain_type(right)}, for every rank,", node.span)


def _apply(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    build, symbol = elab.build, node.operator
    match symbol:
        case "/" | "⌿" | "\\" | "⍀":
            return _along(elab, node, scope, left, right, span)
        case "." if isinstance(node.left, tree.Jot):
            f = elab.operand(node.right, scope, "∘.")
            joins = left is not None and items.joins(left, right)
            if not joins:
                item_operators.refuse_nested(f"∘.{f.text}", left, right, span)
            if left is None:
                raise syntax_error(f"∘.{f.text} needs a left argument", span)
            first = left

            def outer(places: tuple[Place, ...]) -> Exp:
                if places:
                    return Ordered(elab, f, places, f"∘.{f.text}", span).outer(first, right)
                if joins:
                    return items.outer(build, f, first, right, span)
                return _or_nested(
                    build,
                    lambda: operators.outer(build, f, first, right, span),
                    lambda: items.outer(build, f, first, right, span),
                )

            return carrying(elab.effects, build, scope, node, outer)
        case ".":
            f, g = elab.operand(node.left, scope, symbol), elab.operand(node.right, scope, symbol)
            if left is None:
                raise syntax_error("an inner product needs a left argument", span)
            if isinstance(left.ty, Tuple) or isinstance(right.ty, Tuple):
                return item_operators.inner(elab, f, g, left, right, span)
            return operators.inner(build, f, g, left, right, span)
        case "∘":
            return _compose(elab, node, scope, left, right, span)
        case "⍣":
            return power.apply(elab, node, scope, left, right, span)
        case "⍤" if isinstance(node.right, tree.ARRAY_NODES):
            f = elab.operand(node.left, scope, symbol)
            ranks = _three_numbers(elab.array(node.right, scope), "⍤", node.right.span)
            is_simple = not any(a is not None and isinstance(a.ty, Tuple) for a in (left, right))

            def on_cells(places: tuple[Place, ...]) -> Exp:
                if not is_simple:
                    return cells_of_items.applied(elab, f, places, ranks, left, right, span)
                if places:
                    return Ordered(elab, f, places, f"{f.text}⍤", span).on_cells(left, right, ranks)
                return _or_nested(
                    build,
                    lambda: operators.on_cells(build, f, ranks, left, right, span),
                    lambda: cells_of_items.applied(elab, f, (), ranks, left, right, span),
                )

            return carrying(elab.effects, build, scope, node, on_cells)
        case "¨":
            f = elab.operand(node.left, scope, symbol)
            if rv.is_table(right) or rv.is_table(left):
                return record_operators.each(build, f, left, right, span)
            if rv.is_many(right) or rv.is_many(left) or items.has_many(left, right):

                def each_item(places: tuple[Place, ...]) -> Exp:
                    if places:
                        return Ordered(elab, f, places, f"{f.text}¨", span).each(left, right)
                    return items.each(build, f, left, right, span)

                return carrying(elab.effects, build, scope, node, each_item)
            if tuples.is_tuple(right) or (left is not None and tuples.is_tuple(left)):
                return tuples.each(build, f"{f.text}¨", lambda a, b: f.apply(a, b, span), left, right, span)

            def each(places: tuple[Place, ...]) -> Exp:
                if places:
                    return Ordered(elab, f, places, f"{f.text}¨", span).each(left, right)
                return _or_nested(
                    build,
                    lambda: operators.each(build, f, left, right, span),
                    lambda: items.each(build, f, left, right, span),
                )

            return carrying(elab.effects, build, scope, node, each)
        case "⍨" if isinstance(node.left, tree.ARRAY_NODES):
            return elab.array(node.left, scope)
        case "⍨":
            f = elab.operand(node.left, scope, symbol)
            right = build.bind(right)
            return f.apply(right, right if left is None else left, span)
        case "⍤":
            f, g = elab.operand(node.left, scope, symbol), elab.operand(node.right, scope, symbol)
            return f.apply(None, g.apply(left, right, span), span)
        case "⍥":
            if isinstance(node.right, tree.ARRAY_NODES):
                numbers = _three_numbers(elab.array(node.right, scope), "⍥", node.right.span)
                return _at_depth(elab, node, scope, numbers, left, right)
            f, g = elab.operand(node.left, scope, symbol), elab.operand(node.right, scope, symbol)
            result = g.apply(None, right, span)
            if left is None:
                return f.apply(None, result, span)
            bound = left
            first, result = elab.build.in_order(result, lambda: g.apply(None, bound, span))
            return f.apply(first, result, span)
        case "⍛":
            f, g = elab.operand(node.left, scope, symbol), elab.operand(node.right, scope, symbol)
            right = build.bind(right)
            other = right if left is None else left
            first, right = build.in_order(right, lambda: f.apply(None, other, span))
            return g.apply(first, right, span)
        case "⍠" if isinstance(node.left, tree.FunctionName) and node.left.name == "⎕csv":
            if not isinstance(node.right, tree.ARRAY_NODES):
                raise syntax_error("⍠ needs options on its right: ⎕CSV⍠'Invert' 1", node.span)
            options = elab.array(node.right, scope)
            return system_functions.variant(elab, node.left.name, options, left, right, span)
        case "@":
            assert node.right is not None
            is_value, is_index = [isinstance(each, tree.ARRAY_NODES) for each in (node.left, node.right)]
            text = AT[is_value, is_index]
            if not is_index:
                mask, right = _mask(elab, node.right, scope, right, span)
                scope = Scope(scope, {"the mask": mask}, scope.depth)
                node = replace(node, right=tree.Strand((Name("the mask", node.right.span),), node.right.span))
            return in_apl.operator(elab, text, node, scope, left, right, scope.placed(span))
        case "⌸":
            if left is None:
                build.configure(scope)
                is_simple = not isinstance(right.ty, Tuple)
                left = build.bind(right if is_simple else rv.required(build, right, "⌸", span))
                tally = structure.tally(build, nv.frame_of(build, left), span)
                right = structure.index_generator(build, tally, span)
            return _key(elab, node, scope, left, right, span)
        case "⌺":
            return _stencil(elab, node, scope, left, right, span)
        case _:
            raise unsupported(f"the operator {symbol}", node.span, hints.OPERATORS.get(symbol, ""))


def _mask(
    elab: Elaborating, node: tree.Operand, scope: Scope, right: Exp, span: Span
) -> tuple[ArrayValue, Exp]:
    """What a function on the right of `@` gives, as truth values; and the array, which it may change."""
    build = elab.build
    right = build.bind(right)
    g = elab.operand(node, scope, "@")
    mask, right = build.in_order(right, lambda: g.apply(None, right, span))
    if tuples.is_tuple(mask):
        raise unsupported(
            f"@ with a mask that is {plain_type(mask)}", node.span, "give a truth value for each"
        )
    return ArrayValue(build.bind(build.coerce(mask, Base.BOOL, "@", node.span)), node.span), right


def _or_nested(build: Builder, simple: Callable[[], Exp], otherwise: Callable[[], Exp]) -> Exp:
    """An operator on elements, of which the function gives simple scalars, or arrays."""
    mark = build.mark()
    try:
        return simple()
    except operators.NestedResult:
        build.undo(mark)
    return otherwise()


def _key(elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp, right: Exp, span: Span) -> Exp:
    """`keys f⌸ values`: with cells if all is simple, and otherwise with groups of items."""
    build = elab.build
    left, right = build.bind(left), build.bind(right)
    if tuples.is_tuple(right):
        right = rv.required(build, right, "⌸", span)
    if isinstance(left.ty, Tuple):
        left = rv.required(build, left, "⌸", span)
    if rv.is_table(left):
        if rv.type_of(left).axis != nv.axes_of(left) - 1:
            raise unsupported(f"⌸ of {plain_type(left)}", span, "transpose it with ⍉: keys are rows")
        rows = table(nv.columns_of(build, left), None, span)
        return in_apl.operator(elab, KEY_BY_RECORDS[True], node, scope, rows, right, span)
    if rv.is_records(left):
        return in_apl.operator(elab, KEY_BY_RECORDS[False], node, scope, left, right, span)
    if isinstance(left.ty, Tuple) and rv.is_records(right):
        left = searches.key_places(build, left, right, span)
        return in_apl.operator(elab, KEY_OF_RECORDS[rv.is_table(right)], node, scope, left, right, span)
    by_cells = key(left)
    if isinstance(left.ty, Tuple):
        has_cells = nv.axes_of(left) > 1
        left = searches.key_groups(build, left, right, span)
        texts = [GROUPS_OF_ITEMS[True, has_cells], GROUPS_OF_ITEMS[False, has_cells]]
    elif nv.is_nested(right) and nv.axes_of(right) > 1:
        raise unsupported(f"⌸ of {plain_type(left)} and {plain_type(right)}", span)
    else:
        texts = key_of_items(left)
        if rv.is_records(right):
            texts = [by_cells]
        elif not isinstance(right.ty, Tuple):
            texts = [by_cells, *texts] if rank(right) == 1 else [by_cells]
    mark = build.mark()
    with suppress(Unsupported, CompileError):
        if (result := key_folds.folded(elab, node, scope, left, right, span)) is not None:
            return result
    build.undo(mark)
    for text in texts[:-1]:
        with suppress(Unsupported, CompileError):  # a mistake of the user's is found again
            result = in_apl.operator(elab, text, node, scope, left, right, span)
            # else rows, which may differ in length
            if text is not by_cells or nv.is_nested(result) or rank(result) == 1:
                return result
        build.undo(mark)
    return in_apl.operator(elab, texts[-1], node, scope, left, right, span)


def _stencil(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """`f⌺sizes`: the sizes must be known. Axes behind those that have one are whole; windows of even size
    have no middle, and there is one less than elements.
    """
    if left is not None:
        raise syntax_error(f"{node.span.text} takes no left argument", span)
    if not isinstance(node.right, tree.ARRAY_NODES):
        raise compile_error("DOMAIN ERROR", "⌺ needs the sizes of windows on its right", span)
    given = elab.array(node.right, scope)
    shape = None if tuples.is_tuple(given) else array_of(elab.build, given)
    if shape is None:
        raise unsupported("⌺ with sizes that only the run knows", node.right.span)
    sizes = shape.reshape(-1)[: shape.shape[-1] if shape.ndim else 1].tolist()
    if shape.ndim > 2 or (shape.ndim == 2 and len(shape) > 2):
        raise compile_error("RANK ERROR", "⌺ needs sizes, and steps in a second row", node.right.span)
    if not 1 <= len(sizes) <= rank(right):
        has = counted(rank(right), "axis", "axes")
        message = f"⌺ has {counted(len(sizes), 'size', 'sizes')} for {plain_type(right)}, which has {has}"
        raise compile_error("LENGTH ERROR", message, span)
    steps = shape[1].tolist() if shape.ndim == 2 and len(shape) == 2 else [1] * len(sizes)
    if any(number not in range(1, 2**31) for number in sizes + steps):
        message = "⌺ needs sizes and steps that are whole numbers from 1"
        raise compile_error("DOMAIN ERROR", message, node.right.span)
    sizes, steps = [int(size) for size in sizes], [int(step) for step in steps]
    return in_apl.operator(elab, stencil(sizes, steps, rank(right)), node, scope, None, right, span)


def _at_depth(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    numbers: tuple[int, int, int],
    left: Exp | None,
    right: Exp,
) -> Exp:
    """`f⍥k`: on items of depth k or less, or from the outside in with k below zero; for a left argument and
    a right one there may be two numbers, and a third, which is first, where there is none.
    """
    f, span = elab.operand(node.left, scope, "⍥"), node.span
    alone, of_left, of_right = numbers

    def level(exp: Exp, depth: int) -> int:
        return depth if depth >= 0 else max(0, abs(tuples.depth_of(exp.ty)) + depth)

    to_left = 0 if left is None else level(left, of_left)
    to_right = level(right, alone if left is None else of_right)

    def applied(first: Exp | None, last: Exp) -> Exp:
        opens = first is not None and abs(tuples.depth_of(first.ty)) > to_left
        if not opens and abs(tuples.depth_of(last.ty)) <= to_right:
            return f.apply(first, last, span)
        simple = [a for a in (first, last) if a is not None and not tuples.is_tuple(a)]
        if len(simple) == (1 if first is None else 2):
            if any(rank(a) > 0 and tuples.depth_of(a.ty) <= d for a, d in zip(simple, depths, strict=True)):
                raise unsupported(f"{node.span.text} on the elements of one argument alone", span)
            return operators.each(elab.build, f, first, last, span)
        outer = last if abs(tuples.depth_of(last.ty)) > to_right else enclosed(last, span)
        if first is not None and not opens:
            first = enclosed(first, span)
        return tuples.each(elab.build, f"{f.text}⍥", applied, first, outer, span)

    depths = (to_right,) if left is None else (to_left, to_right)
    return applied(left, right)


def _along(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """Reduction, scan, and n-wise reduction, along the last axis, the first, or the one in brackets."""
    symbol = node.operator
    f = elab.operand(node.left, scope, symbol)
    given = None if node.axis is None else elab.array(node.axis, scope)
    elab.build.configure(scope)
    if rv.is_records(right) and left is None:
        at = None
        if given is not None:
            at = constant_axis(elab.build, given, nv.axes_of(right), f.text + symbol, span)
        return item_operators.along_records(elab, node, scope, f, right, at, span)
    if tuples.is_tuple(right) and left is None and given is None and symbol in "/⌿":
        return folds.reduce(elab, node, scope, f, right, span)
    if tuples.is_tuple(right) and left is None and given is None and nested_type(right.ty) is not None:
        right = rv.required_nested(elab.build, right, f.text + symbol, span)  # a scan
    if left is None and given is None and symbol in "/⌿":
        state = folds.with_state(elab, node, scope, f, right, span)
        if state is not None:
            return state
    if nv.is_nested(right) and left is None and given is None:
        return item_operators.along(elab, node, scope, f, right, span)
    if left is not None and given is None and symbol in "/⌿" and isinstance(right.ty, Tuple):
        return item_operators.windows(elab, node, scope, f, left, right, span)
    if f.symbol == "," and not isinstance(right.ty, Tuple) and rank(right) > 0:
        joined = cuts.joining(elab.build, symbol, left, right, given, span)
        if joined is not None:
            return joined
    item_operators.refuse_nested(f.text + symbol, left, right, span)
    axis = 0 if symbol in "⌿⍀" else max(0, rank(right) - 1)
    if given is not None:
        axis = constant_axis(elab.build, given, rank(right), f.text + symbol, span)
    if symbol in "\\⍀":
        if left is not None:
            raise syntax_error(f"{f.text}{symbol} takes no left argument", span)

        def scan(places: tuple[Place, ...]) -> Exp:
            if places:
                return along(Ordered(elab, f, places, f.text + symbol, span).scan, right, axis, span)
            return _or_nested(
                elab.build,
                lambda: operators.scan(elab.build, f, right, span, axis, symbol),
                lambda: item_operators.along_elements(elab, node, scope, f, right, axis, span),
            )

        return carrying(elab.effects, elab.build, scope, node, scan)
    if left is None:

        def reduce(places: tuple[Place, ...]) -> Exp:
            if places:
                moved = to_last(right, axis, span)
                return Ordered(elab, f, places, f.text + symbol, span).reduce(moved)
            return _or_nested(
                elab.build,
                lambda: operators.reduce(elab.build, f, right, span, axis, symbol),
                lambda: item_operators.along_elements(elab, node, scope, f, right, axis, span),
            )

        return carrying(elab.effects, elab.build, scope, node, reduce)
    size = left
    return _or_nested(
        elab.build,
        lambda: operators.reduce_windows(elab.build, f, size, right, span, axis, symbol),
        lambda: item_operators.windows_of_elements(elab, node, scope, f, size, right, axis, span),
    )


def _compose(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """`f∘g`, and `A∘g` and `f∘B` with an array bound to one side."""
    is_left = isinstance(node.left, tree.ARRAY_NODES)
    array, function = (node.left, node.right) if is_left else (node.right, node.left)
    if isinstance(array, tree.ARRAY_NODES):
        if left is not None:
            raise syntax_error(f"{node.span.text} takes no left argument", span)
        bound, g = array, elab.operand(function, scope, "∘")
        value, right = elab.build.in_order(right, lambda: elab.array(bound, scope))
        return g.apply(value, right, span) if is_left else g.apply(right, value, span)
    f, g = elab.operand(node.left, scope, "∘"), elab.operand(node.right, scope, "∘")
    return f.apply(left, g.apply(None, right, span), span)


_LEVELS = {"⍤": "ranks", "⍥": "depths"}


def _three_numbers(exp: Exp, symbol: str, span: Span) -> tuple[int, int, int]:
    """The right operand of `⍤` or `⍥`: for the monadic function, the left and the right argument."""
    items = exp.items if isinstance(exp, Vec) else (exp,)
    values = [constant(i) for i in items]
    if tuples.is_tuple(exp) or (not isinstance(exp, Vec) and rank(exp) != 0) or None in values:
        raise unsupported(f"{symbol} with {_LEVELS[symbol]} that are not constants", span)
    numbers = [int(v) for v in values if isinstance(v, int | float) and float(v).is_integer()]
    if len(numbers) != len(values) or not 1 <= len(values) <= 3:
        raise compile_error(
            "DOMAIN ERROR", f"{symbol} needs one to three whole numbers, got {plain_type(exp)}", span
        )
    match numbers:
        case [k]:
            return k, k, k
        case [q, r]:
            return r, q, r
        case _:
            return numbers[0], numbers[1], numbers[2]
