"""How the items of the arrays of arrays of a program are found, and what of them is in memory.

Which arrays of arrays there are, elaboration tells; what it says of their places and extents is followed
through the bindings of the term that it made. What became of the items that functions make is known from the
lowering (`aplc.laila.lowering.decisions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from aplc.apl_front.building.facts import ItemsOf
from aplc.apl_front.building.item_types import simple_base
from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import ForEach, Program, While
from aplc.laila.ir.scalar import Buffer, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.decisions import Decisions, Descriptor, Items
from aplc.laila.reports.traffic import Traffic
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.errors import first_line
from aplc.tail.source import Span
from aplc.tail.types import Base, Nested, rank_of

Values = Literal["views", "written", "not written", "never made", ""]
"""What became of the elements of items; empty where it is not known."""

ARRANGES = (p.REVERSE, p.REVERSE_V, p.ROTATE, p.ROTATE_V, p.DROP, p.DROP_V, p.RAVEL, p.TRANSP, p.COPY)
"""What gives of equal elements equal ones."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """An array of arrays of the source."""

    span: Span
    type: str
    descriptor: Descriptor | None
    """None where no items are found by one: they were never put together."""
    why: str
    values: Values
    source: Span | None
    """What the items are views of; None for what a function around them is given."""
    descriptor_bytes: Exp | None
    """Of what was written to find items; None where that is not known."""
    values_bytes: Exp | None
    repeated: bool
    """Whether these bytes are written anew each time that a loop or a function comes to the place."""


class Nestings:
    """The arrays of arrays of a program."""

    def __init__(
        self, term: t.Term, program: Program, make: ExprBuilder, traffic: Traffic, decisions: Decisions
    ) -> None:
        self.make, self.traffic, self.decisions = make, traffic, decisions
        lets = [e for e in t.walk(term) if isinstance(e, t.Let)]
        self.definitions = {b.name: b.value for e in lets for b in e.bindings}
        everything = [*program.statements, *[s for f in program.functions for s in f.statements]]
        self.alive = {b.name: b for s in everything for b in mentioned(s)}
        self.made: dict[Span, list[Items]] = {}
        for items in decisions.items:
            if items.span is not None:
                self.made.setdefault(items.span, []).append(items)
        self.names = t.bound_names(term)
        self.elements: set[int] = set()
        """The `id`s of what is known to be elements of items."""

    def of(self, arrays: Sequence[ItemsOf]) -> Iterator[Nesting]:
        """Each of them at its place; what one hands on as it is is told once."""
        found: dict[Nesting, None] = {}
        seen: set[tuple[int, ...]] = set()
        for each in arrays:
            parts = self.parts(each.value)
            key = tuple([id(part) for part in parts])
            used = {e.name for part in parts for e in t.walk(part) if isinstance(e, t.Var)}
            if key in seen or not used <= self.names:  # or elaborated on trial
                continue
            seen.add(key)
            found |= dict.fromkeys(self._told(each, parts))
            self.elements.add(id(parts[-1]))
        yield from sorted(found, key=lambda n: (n.span.source.name, n.span.start))

    # --- what an array of arrays is made of ---

    def resolved(self, exp: t.Exp) -> t.Exp:
        """What a variable or a component stands for."""
        while True:
            match exp:
                case t.Var(name=name) if name in self.definitions:
                    exp = self.definitions[name]
                case t.Let(body=body):
                    exp = body
                case t.Op(prim=p.PRINT, args=(t.Var() as shown,)):
                    exp = shown
                case t.Item(value=value, index=index):
                    whole = self.resolved(value)
                    if not isinstance(whole, t.TupleExp):
                        return exp
                    exp = whole.items[index - 1]
                case _:
                    return exp

    def parts(self, exp: t.Exp) -> list[t.Exp]:
        """The places, the extents and the elements, which may be several such parts; or what gives them
        all.
        """
        exp = self.resolved(exp)
        return [part for i in exp.items for part in self.parts(i)] if isinstance(exp, t.TupleExp) else [exp]

    def maker(self, part: t.Exp) -> t.Exp:
        """What gives a part together with others; itself where there are none."""
        while isinstance(part, t.Item):
            part = self.resolved(part.value)
        return part

    def _told(self, each: ItemsOf, parts: list[t.Exp]) -> Iterator[Nesting]:
        makers = {id(self.maker(part)): self.maker(part) for part in parts}
        first, *_ = makers.values()
        if len(makers) == 1 and isinstance(first, t.Op) and first.prim is p.PIECES:
            yield from self._of_made(each, first)
        elif len(parts) > 1:
            yield self._of_parts(each, parts)

    # --- items that a function makes ---

    def _of_made(self, each: ItemsOf, op: t.Op) -> Iterator[Nesting]:
        span, symbol = op.span or each.span, first_line(op.symbol)
        ty = str(op.ty)
        for items in self.made.get(span, ()):
            why = f"{items.why}, made by {symbol}"
            places = [self.size(b) for b in items.places if b.name in self.alive]
            alive = [(self.alive[b.name], n) for b, n in items.values if b.name in self.alive]
            noted = self.noted(span)
            if alive:
                values: Values = "written"
                sizes: list[Exp | None] = [self.bytes(b, n) for b, n in alive]
            else:
                values, sizes = ("written", [self.size(b) for b in noted]) if noted else ("not written", [])
            known = self.total(places), self.total(sizes)
            yield Nesting(span, ty, items.descriptor, why, values, None, *known, items.repeated)
        if span not in self.made and not any(m.symbol == op.symbol for m in self.lowered_elsewhere(span)):
            yield Nesting(
                span, ty, None, f"{symbol} makes each where it is used", "never made", None, None, None, False
            )

    def lowered_elsewhere(self, span: Span) -> Iterator[t.Op]:
        """What makes items at other places, of which those at this place may be."""
        for value in self.definitions.values():
            if isinstance(value, t.Op) and value.prim is p.PIECES and value.span in self.made.keys() - {span}:
                yield value

    # --- items that are found in something ---

    def _of_parts(self, each: ItemsOf, parts: list[t.Exp]) -> Nesting:
        span, ty, elements = each.span, each.value.ty, parts[-1]
        assert isinstance(ty, Nested)
        descriptor = parts[: len(ty.items) - 1]
        kind, why = self._kind(each, descriptor, elements)
        source = self._source(span, elements)
        if source is None:
            return Nesting(span, str(ty), kind, why, "", None, None, None, False)
        own = self.noted(span)
        places, values = self._parted(own, kind, ty, is_moved=self.peeled(elements, span)[1])
        size = None if places is None else self.total([self.size(b) for b in places])
        repeated = self.is_repeated(own)
        if values:
            sizes = self.total([self.size(b) for b in values])
            return Nesting(span, str(ty), kind, why, "written", None, size, sizes, repeated)
        is_outside = not (source.source is span.source and source.start <= span.start < source.end)
        views_of = source if is_outside else None
        return Nesting(span, str(ty), kind, why, "views", views_of, size, None, repeated)

    def _parted(
        self, own: list[Buffer], kind: Descriptor, ty: Nested, *, is_moved: bool
    ) -> tuple[list[Buffer] | None, list[Buffer]]:
        """Which of the buffers of an application find items, as far as that is known, and which hold elements
        in another form than their source has.
        """
        if not is_moved:
            return own, []
        if simple_base(ty) is not Base.INT:
            return [b for b in own if b.ty is Base.INT], [b for b in own if b.ty is not Base.INT]
        return ([], own) if kind == "uniform" else (None if own else [], [])

    def _kind(self, each: ItemsOf, descriptor: list[t.Exp], elements: t.Exp) -> tuple[Descriptor, str]:
        symbol = "an index" if each.function is None else first_line(each.function.text)
        makers = {id(self.maker(part)): self.maker(part) for part in descriptor}
        first, *_ = makers.values()
        if len(makers) == 1 and isinstance(first, t.Op) and first.prim is p.PIECES and first.span is not None:
            kinds = {items.descriptor for items in self.made.get(first.span, ())}
            if len(kinds) == 1:
                return kinds.pop(), f"places and extents are those of {first_line(first.span.text)}"
        starts, *extents = descriptor
        if not self.is_data(starts, frozenset()) and all(self.is_same(n) for n in extents):
            return "uniform", f"cells that {symbol} gives"
        if self._source(each.span, elements) is None:
            return "spans", f"put together by {symbol}"
        return "spans", f"items chosen by {symbol}" if id(elements) in self.elements else f"cut by {symbol}"

    def is_same(self, exp: t.Exp) -> bool:
        """Whether all elements are equal, by the way that an array is made."""
        exp = self.resolved(exp)
        if isinstance(exp, t.Op) and exp.prim in (p.RESHAPE, p.RESHAPE_V):
            return self.is_same(exp.args[-1]) if not isinstance(exp.args[-1], t.Fn | t.PrimFn) else False
        if isinstance(exp, t.Op) and exp.prim in ARRANGES:
            (*_, last) = exp.args
            return not isinstance(last, t.Fn | t.PrimFn) and self.is_same(last)
        return not isinstance(exp.ty, Nested) and is_scalar(exp)

    def is_data(self, exp: t.Exp, bound: frozenset[str]) -> bool:
        """Whether elements of arrays in memory tell places; lengths do not count."""
        exp = self.resolved(exp)
        match exp:
            case t.Lit():
                return False
            case t.Var(name=name):
                return name not in bound
            case t.Vec(items=items):
                return any(self.is_data(i, bound) for i in items)
            case t.Op(prim=prim) if prim in (p.SHAPE, p.SHAPE_V):
                return False
            case t.Op(args=args):
                for arg in args:
                    if isinstance(arg, t.Fn):
                        inside = bound | {q.name for q in arg.params}
                        if self.is_data(arg.body, inside):
                            return True
                    elif not isinstance(arg, t.PrimFn) and self.is_data(arg, bound):
                        return True
                return False
            case _:
                return True

    def peeled(self, elements: t.Exp, span: Span) -> tuple[t.Exp, bool]:
        """The array whose ravel elements are, and whether the application at that place ravels it."""
        is_moved = False
        while isinstance(elements, t.Op) and elements.prim in (p.RAVEL, p.COPY, p.RESHAPE_V):
            is_moved = is_moved or elements.span == span
            last = elements.args[-1]
            assert not isinstance(last, t.Fn | t.PrimFn)
            elements = self.resolved(last)
        return elements, is_moved

    def _source(self, span: Span, elements: t.Exp) -> Span | None:
        """Where stands what the items are views of; None where this application makes it."""
        maker = self.maker(self.peeled(elements, span)[0])
        return None if maker.span == span else maker.span

    # --- memory ---

    def noted(self, span: Span) -> list[Buffer]:
        """The memory that holds what was computed at a place."""
        names = [name for name, each in self.decisions.written.items() if each.span == span]
        return [self.alive[name] for name in names if name in self.alive]

    def bytes(self, buffer: Buffer, count: Exp) -> Exp:
        """The bytes of so many elements of a buffer."""
        return self.traffic.resolved(self.make.mul(count, self.make.const(buffer.item_bytes)), {})

    def size(self, buffer: Buffer) -> Exp | None:
        """The bytes that loops write to a buffer."""
        writes = [n for loop in self.traffic.loops for b, n in loop.writes if b.name == buffer.name]
        if len(writes) == 1:
            return self.traffic.resolved(writes[0], {})
        size = self.traffic.sizes.get(buffer.name)
        return None if size is None else self.bytes(self.alive.get(buffer.name, buffer), size)

    def is_repeated(self, buffers: Sequence[Buffer]) -> bool:
        """Whether all are written in loops."""
        names = {b.name for b in buffers}
        writing = [loop for loop in self.traffic.loops if names & {b.name for b, _ in loop.writes}]
        inside = [any(isinstance(each, While | ForEach) for each in loop.around) for loop in writing]
        return bool(inside) and all(inside)

    def total(self, sizes: Sequence[Exp | None]) -> Exp | None:
        """Their sum, where all are known."""
        result: Exp = self.make.zero
        for size in sizes:
            if size is None:
                return None
            result = self.make.add(result, size)
        return result


def is_scalar(exp: t.Exp) -> bool:
    """Whether a value is one element."""
    rank = rank_of(exp.ty) if not isinstance(exp.ty, Nested) else None  # type: ignore[arg-type]
    return rank is not None and rank.is_const and rank.const == 0
