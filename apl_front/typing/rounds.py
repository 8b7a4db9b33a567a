"""Loops of definitions between two `∇`, as recursive functions of TAIL.

    rec f(x = x0, …) => … f(x1, …) where the next round begins, and the names needed behind where it is left

The types of the parameters are the least fixed point over the rounds, as those of `⍣` are. What the types of
an inner loop came to is remembered for the next round of the loop around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from aplc.apl_front.building.builder import Builder, join_bases, plain
from aplc.apl_front.building.item_types import form_of
from aplc.apl_front.functions import nested_values, record_values, tuples
from aplc.apl_front.functions.cells import Cells, SideBySide
from aplc.apl_front.functions.items import Items
from aplc.apl_front.reading.liveness import Liveness
from aplc.apl_front.reading.scope import ArrayValue, MaybeValue, Reason, Scope, Unset, Value
from aplc.apl_front.syntax.ast import Arrow, Code, For, Loop, Name, Node, Paren, Statement
from aplc.apl_front.typing.branches import filler
from aplc.apl_front.typing.effects import Place, assume, unchanged_behind
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.fixed_points import MAX_ROUNDS
from aplc.apl_front.typing.ways import (
    Around,
    Exit,
    Kinds,
    Loses,
    Names,
    Way,
    WayOut,
    kinds_apart,
    kinds_of,
    maybe,
    packed,
    unpacked,
)
from aplc.tail import prims as p
from aplc.tail.errors import Error, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Binding, Exp, Param, Var, call, let, literal, op, product, rec
from aplc.tail.types import Base, Func, Rho, Tuple, Type, forget_value, rank_of, scalar

NOT_IN_NEXT_ROUND = Reason("has no value in the next round of this loop")


class Gains(Error):
    """A name turned out to get a value in a round that later rounds may need."""

    def __init__(self, where: object, name: str, ty: Type) -> None:
        self.where, self.name, self.type = where, name, ty
        super().__init__(name)


class Nests(Error):
    """A name turned out to be an array of arrays, as which it has to be carried."""

    def __init__(self, where: object, name: str, ty: Tuple) -> None:
        self.where, self.name, self.type = where, name, ty
        super().__init__(name)


class Flowing(Protocol):
    """The call of a definition to which a loop belongs."""

    elab: Elaborating
    scope: Scope
    live: Liveness
    settled: dict[object, tuple[tuple[Type, ...], Type]]

    def code(self, code: Code, around: Around) -> Exp | None:
        """Code, and what it gives where it ends."""

    def value_of(self, statement: Statement) -> Exp:
        """The value of a statement."""

    def assign(self, name: str, value: Exp | Unset, span: Span | None) -> None:
        """A local name gets a value, or loses it."""

    def needed(self, node: Node, kinds: Kinds) -> Mapping[int, frozenset[str]]:
        """The names that a node may assign, and that are needed where each way out of it leads to."""

    def chosen(self, node: Node, condition: Exp, then: Way, otherwise: Way, around: Around) -> Exp | None:
        """What a block gives that has two ways to its end."""

    def blocks_carry(self, places: tuple[Place, ...]) -> AbstractContextManager[None]:
        """Blocks that are opened inside carry these names of outside."""

    def carrying(
        self,
        node: Node,
        made: Callable[[tuple[Place, ...]], WayOut],
        where: object,
        lost: dict[str, Reason | None],
    ) -> WayOut:
        """What `made` gives, once it is known which names it carries, and which are lost."""

    def left(
        self, node: Node, out: WayOut, to_rest: Sequence[str | None], rest: Code, around: Around
    ) -> Exp | None:
        """What follows a joined part, by the way out that was taken."""


def _cells(build: Builder, elements: Exp, span: Span) -> Cells:
    """What `:For` goes through."""
    if not isinstance(elements.ty, Tuple):
        return Cells(build, elements, 0, span)
    if record_values.is_records(elements):
        items: Exp | None = None if record_values.is_table(elements) else elements
    else:
        items = record_values.as_nested(build, elements, span)
        items = items or record_values.as_records(build, elements, span)
    if items is None:
        raise unsupported(f":For over {plain(elements.ty)}", span, _instead(elements.ty))
    return Items(build, items, span)


def _instead(ty: Tuple) -> str:
    """What to write instead of `:For` over items of unlike types."""
    vectors = [i for i in ty.items if not isinstance(i, Tuple | Func) and rank_of(i) in (Rho(0), Rho(1))]
    bases = [i.base for i in vectors if isinstance(i.base, Base)]
    if len(bases) == len(ty.items) and join_bases(bases) is not None:
        return "write ,¨ in front, for items that are vectors"
    return "_←{…}¨ applies a function to items of any types, which may change names around it"


def _cells_for(build: Builder, node: For, elements: Exp) -> Cells:
    """What a loop goes through: elements or items, or by `:InEach` arrays side by side, one for each name."""
    span = node.elements.span
    if not node.is_parallel:
        return _cells(build, elements, span)
    names = len(node.target.items) if isinstance(node.target, Paren) else 1
    if nested_values.is_nested(elements):
        sides = nested_values.first_items(build, elements, names, span)
    else:
        sides = tuples.items_of(build, elements) if isinstance(elements.ty, Tuple) else (elements,)
    if len(sides) != names:
        message = f":InEach needs an array for each name, got {len(sides)} for {names}"
        raise compile_error("LENGTH ERROR", message, span)
    parts = [_cells(build, side, span) for side in sides]
    return parts[0] if names == 1 else SideBySide(build, parts, ":InEach", span)


def loop(flow: Flowing, node: Loop | For, behind: str | None, rest: Code, around: Around) -> Exp | None:
    """A loop, and the code behind it, to which a jump to the label `behind` leads."""
    to_rest: list[str | None] = [] if behind is None else [behind]
    cells = None
    if isinstance(node, For):
        to_rest.append(None)
        elements = flow.value_of(node.elements)
        cells = _cells_for(flow.elab.build, node, elements)
    kinds = kinds_of(node, to_rest)
    if not kinds:
        raise _endless(node)
    where = object()
    given = Names(flow.scope, flow.needed(node, kinds), where)
    behind_it: dict[str, Reason | None] = {}
    before_it: dict[str, Reason | None] = {}
    unset: dict[str, Type] = {}
    lost_twice: set[str] = set()
    as_nested: dict[str, Tuple] = {}

    def whole(places: tuple[Place, ...]) -> WayOut:
        mark = flow.elab.build.mark()
        while True:
            try:
                lost = before_it, behind_it, unset, lost_twice
                return _Rounds(flow, node, cells, kinds, places, given, *lost, as_nested).made()
            except Loses as found:
                if found.where is not before_it:
                    raise
                flow.elab.build.undo(mark)
                if found.name in before_it:
                    lost_twice.add(found.name)
                    unset.pop(found.name, None)
                before_it.setdefault(found.name, found.reason)
            except Gains as found:
                if found.where is not unset:
                    raise
                flow.elab.build.undo(mark)
                unset[found.name] = found.type
            except Nests as found:
                if found.where is not as_nested:
                    raise
                flow.elab.build.undo(mark)
                as_nested[found.name] = found.type

    out = flow.carrying(node, whole, where, behind_it)
    return flow.left(node, out, to_rest, rest, around)


@dataclass(slots=True)
class _Rounds:
    """One attempt at a loop: with these names of outside, and without the values of these names."""

    flow: Flowing
    node: Loop | For
    cells: Cells | None
    kinds: Kinds
    places: tuple[Place, ...]
    given: Names
    """The names that have values behind the loop."""
    lost_before: dict[str, Reason | None]
    lost_behind: dict[str, Reason | None]
    unset: dict[str, Type]
    """Names that may have no value where a round begins, and the types that they have if they do. One that
    was another kind of array before the loop is among them, for what stands behind: no round reads it.
    """
    lost_twice: set[str]
    """Those that are different kinds of arrays where rounds begin, even without what they were before."""
    nested: dict[str, Tuple]
    """Names that are carried as arrays of arrays, or strands of such, of these types."""
    live: frozenset[str] = frozenset()
    """What a round assigns and a round needs."""
    carried: list[str] = field(default_factory=list)
    types: tuple[Type, ...] = ()
    """Of the parameters, by component."""
    wanted: list[Type] = field(default_factory=list)
    """What the parameters must be for the calls of this round."""
    result: Type | None = None
    found: Type | None = None
    """What this round gives where the loop is left."""
    name: str = ""
    count: Exp | None = None
    """How many rounds of a `:For` there have been."""
    starts: list[Exp] = field(default_factory=list)

    def made(self) -> WayOut:
        """The loop; which way out of it was taken."""
        flow, build, node = self.flow, self.flow.elab.build, self.node
        names = flow.scope.names
        self.live = live = flow.live.assigned(node) & flow.live.targets[node.label]
        self.carried = [name for name in sorted(live) if self._has_value(names.get(name), name)]
        self.given.choose(self.lost_behind)
        self.starts = [build.bind(self._start(name, names[name])) for name in self.carried]
        self.starts += [place.value() for place in self.places]
        parts = [part for start in self.starts for part in tuples.components(build, start)]
        begin = tuple([forget_value(part.ty) for part in parts])
        self.types, self.result = flow.settled.get(self._circumstances(begin), (begin, None))
        self.name = build.fresh_function()
        params, bindings, body = self._settled()
        assert self.result is not None
        flow.settled[self._circumstances(begin)] = self.types, self.result
        pairs = zip(parts, self.types, strict=True)
        inits = [tuples.coerce(build, part, ty, "a loop", node.span) for part, ty in pairs]
        if self.cells is not None:
            inits.insert(0, literal(0, node.span))
        value = rec(self.name, params, tuple(inits), let(bindings, body), self.result, node.span)
        which, parts = unpacked(build, value, self.kinds, len(self.given.names) + len(self.places))
        self.given.assume_behind(build, parts, node.span)
        assume(build, self.places, tuple(parts[len(self.given.names) :]), node.span)
        return WayOut(which, self.kinds, sorted(self.given.taken))

    def _circumstances(self, begin: tuple[Type, ...]) -> object:
        """All on which the types of the loop depend, and what it carries and gives."""
        given = tuple(self.given.names), frozenset(self.given.maybe)
        return id(self.node), begin, tuple(self.carried), given, len(self.places)

    def _has_value(self, found: Value | None, name: str) -> bool:
        """Whether a name is carried: it has a value at the beginning, or one that another round may need."""
        if name in self.lost_before:
            return name in self.unset
        if isinstance(found, MaybeValue):
            self.unset.setdefault(name, found.exp.ty)
        return isinstance(found, ArrayValue) or name in self.unset

    def _start(self, name: str, found: Value) -> Exp:
        """The value with which the loop begins; one that was lost because of that begins without."""
        return self._value(name, Unset() if name in self.lost_before else found)

    def _value(self, name: str, found: Value) -> Exp:
        """The value that a carried name has, beside which stands whether it has one where it may not."""
        build, span = self.flow.elab.build, self.node.span
        match found:
            case ArrayValue(exp=exp):
                if name in self.nested and name not in self.unset:
                    try:
                        return tuples.coerce(build, exp, self.nested[name], "a loop", span)
                    except record_values.UnlikeItems:
                        raise self._changing(name, self.nested[name], exp.ty) from None
                return product((exp, literal(True)), span) if name in self.unset else exp
            case MaybeValue(exp=exp, is_set=is_set):
                return product((exp, is_set), span)
            case _:
                return product((filler(build, self.unset[name], span), literal(False)), span)

    def _settled(self) -> tuple[tuple[Param, ...], list[Binding], Exp]:
        """A round that keeps the types."""
        build = self.flow.elab.build
        mark = build.mark()
        for _ in range(MAX_ROUNDS):
            self.wanted, self.found = list(self.types), None
            seen = self.given.attempt()
            params, bindings, body = self._round()
            types, result = tuple(self.wanted), self.found if self.given.is_known else None
            if not self.given.is_known:
                if self.given.known() == seen and types == self.types:
                    self.given.keep_known()
            elif result is None and types == self.types:
                raise _endless(self.node)
            elif body is not None and (types, result) == (self.types, self.result):
                return params, bindings, body
            build.undo(mark)
            self.types, self.result = types, result
        raise compile_error("LIMIT ERROR", "the types of the loop do not settle", self.node.span)

    def _round(self) -> tuple[tuple[Param, ...], list[Binding], Exp | None]:
        """A round for parameters of the types at hand."""
        flow, build, span = self.flow, self.flow.elab.build, self.node.span
        variables = [Var(build.fresh(), ty=ty, span=span) for ty in self.types]
        params = [Param(v.name, v.ty) for v in variables]
        if self.cells is not None:
            self.count = Var(build.fresh(), ty=scalar(Base.INT), span=span)
            params.insert(0, Param(self.count.name, self.count.ty))
        with unchanged_behind(build), flow.blocks_carry(self.places), build.block() as bindings:
            leaves = iter(variables)
            inside = [tuples.rebuilt(start, leaves) for start in self.starts]
            for name, reason in self.lost_before.items():
                flow.assign(name, Unset(reason), span)
            for name, value in zip(self.carried, inside, strict=False):
                build.change(flow.scope, name, self._inside(name, value))
            assume(build, self.places, tuple(inside[len(self.carried) :]), span)
            body = self._body()
        return tuple(params), bindings, body

    def _inside(self, name: str, value: Exp) -> Value:
        """What a carried name is where a round begins."""
        if name not in self.unset:
            return ArrayValue(value, self.node.span)
        found = maybe(self.flow.elab.build, value, self.node.span, self.lost_before.get(name))
        return replace(found, may_be_read=name not in self.lost_before)

    def _body(self) -> Exp | None:
        """What a round does, and where it ends."""
        flow, build, node = self.flow, self.flow.elab.build, self.node
        exits: dict[str, Exit] = {}
        for label, kind in self.kinds.items():
            if label is not None:
                exits[label] = partial(self._leave, kind)
        exits[node.label] = self._again
        around = Around(exits, self._again, True, self.places)
        if self.cells is None or not isinstance(node, For):
            return flow.code(node.body, around)
        cells, count = self.cells, self.count
        assert count is not None
        target = node.target

        def element(around: Around) -> Exp | None:
            hidden = f"element {node.elements.span.start}"
            flow.scope.names.setdefault(hidden, Unset())
            flow.assign(hidden, build.bind(cells.at(count)), node.elements.span)
            given = (target, Arrow(target.span), Name(hidden, node.elements.span))
            flow.value_of(Statement(given, target.span))
            return flow.code(node.body, around)

        def exhausted(_: Around) -> Exp | None:
            return self._leave(self.kinds[None])

        more = op(p.LTI, count, cells.count, span=node.span)
        return flow.chosen(node, more, element, exhausted, around)

    def _again(self) -> Exp | None:
        """The next round."""
        build, span = self.flow.elab.build, self.node.span
        names = self.flow.scope.names
        for name in sorted(self.live - self.lost_twice):
            found = names.get(name)
            is_new = name not in self.carried and isinstance(found, ArrayValue)
            if is_new or (isinstance(found, MaybeValue) and name not in self.unset):
                assert isinstance(found, ArrayValue | MaybeValue)
                raise Gains(self.unset, name, forget_value(found.exp.ty))
            if name in self.carried and not isinstance(found, ArrayValue | MaybeValue):
                reason = found.reason if isinstance(found, Unset) else None
                raise Loses(self.lost_before, name, reason or NOT_IN_NEXT_ROUND)
        values = [self._value(name, names[name]) for name in self.carried]
        values += [place.value() for place in self.places]
        arguments: list[Exp] = []
        owners: list[str | Place] = []
        carried: list[str | Place] = [*self.carried, *self.places]
        for value, start, owner in zip(values, self.starts, carried, strict=True):
            try:
                value = tuples.in_form(build, value, start.ty, span)
            except tuples.Grows as found:
                if isinstance(owner, str) and owner not in self.unset:
                    raise Nests(self.nested, owner, found.type) from None
            parts, count = tuples.components(build, value), len(tuples.components(build, start))
            if form_of(value.ty) != form_of(start.ty):
                raise self._changing(owner, start.ty, value.ty)
            arguments += parts
            owners += [owner] * count
        for k, argument in enumerate(arguments):
            common = tuples.widen(self.wanted[k], forget_value(argument.ty))
            if common is None:
                raise self._changing(owners[k], self.wanted[k], argument.ty)
            self.wanted[k] = common
        if self.result is None:
            build.discard(*arguments)
            return None
        fitted = [
            tuples.coerce(build, a, t, "a loop", span) for a, t in zip(arguments, self.types, strict=True)
        ]
        if self.count is not None:
            fitted.insert(0, op(p.ADDI, self.count, literal(1, span), span=span))
        return call(self.name, tuple(fitted), self.result, span)

    def _changing(self, which: str | Place, before: Type, after: Type) -> Exception:
        """A name that cannot be carried from round to round: it has no value where a round begins."""
        becomes = f"is {plain(before)} and becomes {plain(after)} in a round of this loop"
        reason = kinds_apart(becomes, before, after)
        if isinstance(which, str):
            return Loses(self.lost_before, which, reason)
        return unsupported(f"a loop in which {which.name} {reason.why}", self.node.span, reason.instead)

    def _leave(self, kind: int) -> Exp | None:
        """Where the loop is left."""
        build, span = self.flow.elab.build, self.node.span
        values = self.given.values(build, kind, span)
        if values is None:
            return None
        whole = packed(kind, self.kinds, [*values, *self.given.of_outside(self.places, span)], span)
        ty = forget_value(whole.ty)
        self.found = ty if self.found is None else tuples.widen(self.found, ty)
        assert self.found is not None  # each name was compared
        if self.result is None or tuples.widen(self.result, ty) != self.result:
            return whole  # another attempt follows
        return tuples.coerce(build, whole, self.result, "a loop", span)


def _endless(node: Node) -> Exception:
    return compile_error("LIMIT ERROR", "this loop has no end: nothing in it leaves it", node.span)
