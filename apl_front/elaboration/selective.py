"""Selective assignment: `(2↑x)←v`, `(b/x)←v`, `(1 1⍉m)←v`, `(2⊃x)←v`, `(2↑¨x)+←v`.

What a selection does to an array it does to the numbers of its elements, an array of the same shape:
those that are left say which elements change, in the order of the new values. In an array of arrays they are
the numbers of items. `k⊃` goes into an item: the selection behind it changes that, and what it becomes is the
new item. So do `f¨`, for each item, and `∊`, which has the elements of all items one behind the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.apl_front.building.builder import (
    Builder,
    constant,
    counted,
    enclosed,
    is_enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.elaboration import assignment, item_assignment
from aplc.apl_front.functions import cuts, indexing, items, levels, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.functions.structure import shifted
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.syntax.ast import Name
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, nest, op, product
from aplc.tail.types import Base, Tuple


@dataclass(frozen=True, slots=True)
class _Step:
    """One function of a selection, or an index."""

    symbol: str
    """Of a primitive function; `¨` for one of items, `[` for an index, `⊢` for none."""
    span: Span
    function: tree.Function | None = None
    left: Exp | None = None
    given: tuple[Exp | None, ...] = ()
    path: tuple[Exp | None, ...] = ()
    """Of `⊃`: which item, which item of that, and so on; None for the first one."""


def assign(elab: Elaborating, node: tree.AssignSelective, scope: Scope) -> Exp:
    """`(selection)←value`, `(selection) f←value`: gives the value on the right."""
    build = elab.build
    value = build.bind(elab.array(node.value, scope))
    steps = _steps(elab, node.selection, scope)
    owner = assignment.owner_of(elab, node.target, scope)
    old = elab.part(node.target, scope)
    build.configure(scope)
    f = None if node.modifier is None else elab.operand(node.modifier, scope, "←")
    changed = _Selection(elab, scope, f, node.span).changed(old, steps, value)
    assignment.rebind(elab, node.target, build.bind(changed), owner)
    return value


def _steps(elab: Elaborating, node: tree.Part, scope: Scope) -> list[_Step]:
    """The functions of a selection, the first one that is applied first."""
    match node:
        case tree.Strand(parts=(only,)):
            return _steps(elab, only, scope)
        case tree.Index(array=array, indices=indices, span=span):
            steps = _steps(elab, array, scope)
            given = tuple(assignment.indices(elab, indices, scope))
            return [*steps, _Step("[", scope.placed(span), given=given)]
        case tree.Apply(function=function, left=left, right=right, span=span):
            steps = _steps(elab, right, scope)
            first = None if left is None else elab.build.bind(elab.array(left, scope))
            return [*steps, _step(elab.build, function, first, scope.placed(span))]
        case _:
            assert isinstance(node, Name), node
            return []


def _step(build: Builder, function: tree.Function, left: Exp | None, span: Span) -> _Step:
    """A function of a selection with its left argument."""
    if isinstance(function, tree.Derived):
        return _Step(function.operator, span, function, left)
    assert isinstance(function, tree.Primitive)
    path = _path(build, left, span) if function.symbol == "⊃" else ()
    return _Step(function.symbol, span, function, left, path=path)


def _path(build: Builder, left: Exp | None, span: Span) -> tuple[Exp | None, ...]:
    """The steps of `left⊃`."""
    if left is None:
        return (None,)
    if tuples.is_tuple(left) or (rank(left) == 0 and not isinstance(left.ty, Tuple)):
        return tuples.items_of(build, left)
    if isinstance(left, Vec):
        return left.items
    known = build.definition(left)
    if isinstance(known, Vec):
        return known.items
    if isinstance(left.ty, Tuple) or length_of(left) is None:
        raise unsupported("⊃ in a selection with a path whose length only the run knows", span)
    return tuples.items_of(build, left)


@dataclass(frozen=True, slots=True)
class _Selection:
    """The assignment at hand."""

    elab: Elaborating
    scope: Scope
    f: Operand | None
    span: Span

    def changed(self, old: Exp, steps: Sequence[_Step], value: Exp) -> Exp:
        """An array with other elements where the steps lead; itself replaced where there are none."""
        build, span = self.elab.build, self.span
        if not steps:
            return value if self.f is None else build.bind(self.f.apply(old, value, span))
        if tuples.is_tuple(old) and (made := self._in_strand(old, steps, value)) is not None:
            return made
        old = item_assignment.as_items(build, old, span)
        numbers = item_assignment.numbered(build, old, span)
        for k, step in enumerate(steps):
            rest = steps[k + 1 :]
            if step.symbol == "⊃":
                numbers = build.bind(self._picked(numbers, step.path[0], step.span))
                deeper = _deeper(step, rest)
                if nv.is_nested(old):
                    item = build.bind(item_assignment.item_at(build, old, numbers, span))
                    new = build.bind(self.changed(item, deeper, value))
                    return item_assignment.put(self.elab, old, numbers, enclosed(new, span), span)
                if len(step.path) > 1:
                    message = f"⊃ goes {len(step.path)} levels deep, {plain_type(old)} has one"
                    raise compile_error("RANK ERROR", message, step.span)
            elif step.symbol == "∊" and nv.is_nested(old):
                if k:
                    raise unsupported("∊ of part of an array in a selection", step.span)
                return self._in_all(old, rest, value)
            elif step.symbol == "¨" and nv.is_nested(old):
                if rest:
                    what = f"a selection of what {first_line(step.span.text)} selects"
                    raise unsupported(what, step.span)
                return self._in_each(old, numbers, step, value)
            else:
                numbers = self._arranged(step, numbers)
        return self._put(old, numbers, value)

    def _in_strand(self, old: Exp, steps: Sequence[_Step], value: Exp) -> Exp | None:
        """A strand with another component, where a constant says which; None for every other selection."""
        build, step = self.elab.build, steps[0]
        if step.symbol != "⊃":
            return None
        parts, index, at = list(tuples.items_of(build, old)), step.path[0], 0
        if index is not None:
            if isinstance(index.ty, Tuple) or constant(index) is None:
                return None
            at = tuples.position(build, index, len(parts), "⊃", step.span)
        parts[at] = build.bind(self.changed(parts[at], _deeper(step, steps[1:]), value))
        if is_enclosed(old.ty):
            return enclosed(parts[0], self.span)
        return tuples.as_simple(build, product(tuple(parts), self.span))

    def _picked(self, numbers: Exp, at: Exp | None, span: Span) -> Exp:
        """The number that `at⊃` finds; the first one for None."""
        build = self.elab.build
        if at is None:
            return op(p.PICK, literal(1, span), nv.flat(numbers, span), symbol="⊃", span=span)
        if not isinstance(at.ty, Tuple) and rank(at) == 0 and rank(numbers) == 1:
            return functions.dyadic(build, "⊃", at, numbers, span, None)
        axes, given = (
            rank(numbers),
            None if isinstance(at.ty, Tuple) else 1 if not rank(at) else length_of(at),
        )
        if given not in (None, axes):
            message = f"⊃ needs {counted(axes, 'number', 'numbers')} for an element here, got {given}"
            raise compile_error("RANK ERROR", message, span)
        return functions.dyadic(build, "⌷", at, numbers, span, None)

    def _arranged(self, step: _Step, numbers: Exp) -> Exp:
        """What a step does to numbers."""
        build = self.elab.build
        if step.symbol == "[":
            chosen = step.given[0] if len(step.given) == 1 else None
            if chosen is not None and isinstance(chosen.ty, Tuple):
                found = cuts.at_indices(build, numbers, chosen, "[ ]", step.span)
            else:
                found = indexing.bracket(build, numbers, list(step.given), step.span)
        elif step.function is None:
            return numbers
        elif step.symbol == "↑" and step.left is not None and rank(numbers) == 1:
            return self._taken(step, step.function, numbers)
        else:
            found = self.elab.apply(step.function, self.scope, step.left, numbers, step.span)
        if isinstance(found.ty, Tuple):
            raise unsupported(f"a selection by {first_line(step.span.text)}", step.span)
        return build.bind(build.coerce(found, Base.INT, step.symbol, step.span))

    def _taken(self, step: _Step, take: tree.Function, numbers: Exp) -> Exp:
        """What a take does to numbers of a vector: more than there are go beyond its end."""
        build, span = self.elab.build, step.span
        end = nv.size_of(build, numbers, span)
        beyond = build.bind(op(p.ADDI, end, literal(1, span), span=span))
        less = build.function((Base.INT,), lambda x: op(p.SUBI, x, beyond, span=span), span)
        below = build.bind(build.each(less, numbers, span))
        found = build.bind(self.elab.apply(take, self.scope, step.left, below, span))
        more = build.function((Base.INT,), lambda x: op(p.ADDI, x, beyond, span=span), span)
        return build.bind(build.each(more, found, span))

    def _put(self, old: Exp, numbers: Exp, value: Exp) -> Exp:
        """Elements or items of these numbers replaced, or modified."""
        build, span = self.elab.build, self.span
        if self.f is not None:
            flat = build.bind(nv.ravelled(build, old, span))
            at = build.bind(shifted(build, numbers, build.index_origin - 1))
            current = indexing.bracket(build, flat, [at], span)
            value = build.bind(self.f.apply(build.bind(current), value, span))
        return item_assignment.put(self.elab, old, numbers, value, span)

    def _in_all(self, old: Exp, rest: Sequence[_Step], value: Exp) -> Exp:
        """An array of arrays with other elements at the bottom, which `∊` has one behind the other."""
        build, span = self.elab.build, self.span
        flat = build.bind(levels.compacted(build, nv.ravelled(build, old, span), span))
        whole = _Step("⊢", span)
        elements = self.changed(build.bind(nv.enlist(build, flat, span)), [whole, *rest], value)
        made = _with_elements(build, flat, build.bind(elements), span)
        if nv.axes_of(old) == 1:
            return made
        shape = build.bind(nv.shape(build, old, span))
        return nv.arranged(build, made, lambda d: build.bind(op(p.RESHAPE, shape, d, span=span)), span)

    def _in_each(self, old: Exp, numbers: Exp, step: _Step, value: Exp) -> Exp:
        """The items of these numbers, each changed by a selection in it."""
        build, span = self.elab.build, self.span
        function = step.function
        assert isinstance(function, tree.Derived) and isinstance(function.left, tree.Primitive | tree.Derived)
        inner = function.left
        if self.f is not None and not self.f.is_pervasive():
            raise unsupported(f"(selection){self.f.text}← with {step.symbol}", self.f.span)
        left = None if step.left is None else self._beside(step.left, numbers, step.span)
        new = self._beside(value, numbers, span)
        flat = build.bind(nv.flat(numbers, span))

        def make(place: Exp) -> Exp:
            number = build.bind(op(p.PICK, place, flat, span=span))
            item = build.bind(item_assignment.item_at(build, old, number, span))
            first = None if left is None else build.bind(left.at(place))
            return self.changed(item, [_step(build, inner, first, step.span)], build.bind(new.at(place)))

        f = Operand(lambda *_: value, first_line(inner.span.text), inner.span)
        made = items.pieces(build, make, nv.size_of(build, flat, span), [], f, span)
        return item_assignment.put(self.elab, old, flat, made, span)

    def _beside(self, exp: Exp, numbers: Exp, span: Span) -> items.Side:
        """An argument by the places of numbers, counted from 1; if it is no scalar it has their shape."""
        build = self.elab.build
        side = items.side(build, exp, span)
        if side.numbers is None:
            return side
        if rank(side.numbers) != rank(numbers):
            message = f"← needs {rank(numbers)} axes here, as the selection says, got {plain_type(exp)}"
            raise compile_error("RANK ERROR", message, span)
        alike = build.bind(op(p.ALIKE, side.numbers, numbers, symbol="←", span=span))
        order = build.bind(nv.flat(alike, span))

        def at(place: Exp | None) -> Exp:
            assert place is not None
            return side.at(build.bind(op(p.PICK, place, order, span=span)))

        return items.Side(side.numbers, at)


def _deeper(step: _Step, rest: Sequence[_Step]) -> list[_Step]:
    """What is left to do behind the first step of a path."""
    return [replace(step, path=step.path[1:]), *rest] if len(step.path) > 1 else list(rest)


def _with_elements(build: Builder, exp: Exp, elements: Exp, span: Span) -> Exp:
    """An array of arrays with other elements at the bottom."""
    *descriptor, inner = nv.parts_of(build, exp)
    if nv.is_nested(inner):
        elements = _with_elements(build, inner, elements, span)
    return nest((*descriptor, elements), span)
