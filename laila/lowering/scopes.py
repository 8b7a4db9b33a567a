"""The program under construction: statements in blocks, scalars with names, and what variables stand for.

The lowest layer of lowering: it knows neither arrays in memory (`memory`) nor TAIL (`context`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from aplc.laila.ir.failures import room_for
from aplc.laila.ir.program import Function, HostCheck, HostLet, Statement
from aplc.laila.ir.scalar import (
    QUOT,
    Call,
    Const,
    Exp,
    Read,
    Select,
    Site,
    SiteOfItem,
    Sum,
    Var,
    nodes,
    told_at,
)
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.decisions import Decisions
from aplc.laila.lowering.lowered import Lowered
from aplc.tail import prims as p
from aplc.tail.array_limits import ADDRESSABLE
from aplc.tail.faults import NAMES_NO_ITEM, Fault, IndexForm
from aplc.tail.source import Span
from aplc.tail.types import Base


def is_arithmetic(*exps: Exp) -> bool:
    """Whether expressions are computed of scalars and constants alone, and cannot fail."""
    computed = [n for n in nodes(*exps) if not (isinstance(n, Read) and n.buffer.data is not None)]
    return all(isinstance(n, Call | Const | Select | Sum | Var) for n in computed)


Prepared = TypeVar("Prepared")

STORAGE = {base: base.dtype for base in Base}
"""How the elements of a base type are stored."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable stands for."""

    value: Lowered
    in_function: bool
    """Whether it was bound inside a function that is applied to elements."""
    level: int
    """The level of the block that it was bound in."""


class Variables:
    """What the variables in scope stand for. What is bound can be undone, back to some number of bindings."""

    def __init__(self) -> None:
        self._bound: dict[str, Bound] = {}
        self._before: list[tuple[str, Bound | None]] = []
        """For each binding what the variable stood for before."""

    def __contains__(self, name: str) -> bool:
        return name in self._bound

    def __getitem__(self, name: str) -> Bound:
        return self._bound[name]

    def bind(self, name: str, bound: Bound) -> None:
        """A variable stands for something else from here on."""
        self._before.append((name, self._bound.get(name)))
        self._bound[name] = bound

    @property
    def count(self) -> int:
        """How many bindings there have been that are not undone."""
        return len(self._before)

    def undo(self, count: int) -> None:
        """Forget the bindings since there were so many."""
        while len(self._before) > count:
            name, before = self._before.pop()
            if before is None:
                del self._bound[name]
            else:
                self._bound[name] = before


@dataclass(frozen=True, slots=True)
class Block:
    """A sequence of statements under construction, with what is known as long as it lasts."""

    level: int = 0
    """How many blocks are around it."""
    around: Block | None = None
    """Inside a function that is applied to elements, the innermost block outside; None: not inside one."""
    statements: list[Statement] = field(default_factory=list)
    prepared: dict[object, object] = field(default_factory=dict)
    """What was computed for applications in functions in front of the statement they are part of, and scalars
    that were computed from others.
    """
    unsettled: list[str] = field(default_factory=list)
    """Bindings not in memory whose computation may fail, where the program prints."""
    agreed: dict[str, Exp] = field(default_factory=dict)
    """What the lengths are that checks have found to be equal to others, by their names."""

    def inside(self, *, on_host: bool) -> Block:
        """A block in this one."""
        prepared = dict(self.prepared) if on_host else self.prepared
        around = None if on_host else self.host
        return Block(self.level + 1, around, [], prepared, list(self.unsettled), dict(self.agreed))

    @property
    def host(self) -> Block:
        """The innermost block that is not inside a function that is applied to elements."""
        return self.around or self


@dataclass(frozen=True, slots=True)
class ItemAt:
    """An item of an array of arrays: the numbers of its index, and how they are told."""

    numbers: tuple[Exp, ...]
    form: IndexForm


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a block has come."""

    statements: int
    functions: int
    bindings: int
    prepared: dict[object, object]
    unsettled: tuple[str, ...]
    agreed: dict[str, Exp]
    roomy: tuple[Block, dict[int, Exp]]


class Scopes:
    """Statements, names and blocks."""

    def __init__(self, settings: Settings, decisions: Decisions | None = None) -> None:
        self.make = ExprBuilder(settings)
        self.decisions = decisions or Decisions()
        self._block = Block()
        self._variables = Variables()
        self._roomy: tuple[Block, dict[int, Exp]] = self._block, {}
        """The block that was the last to require room for arrays, and what it has required."""
        self._claimed: set[str] = set()
        """The names of extents that are numbers of the user's."""
        self._functions: list[Function] = []
        self._unnamed = False
        self._meanings = Substitute(self.make, {})
        """Puts what only counts in the place of the variables that stand for it."""
        self._sites: dict[object, Site] = {}
        self.items: tuple[ItemAt, ...] = ()
        """The items of arrays of arrays that the code at hand is for, from the outermost one."""
        self._better: dict[tuple[str, tuple[Exp, ...], tuple[Exp, ...]], Var] = {}
        """Variables of which more is known now, by name and bounds: one each, as extents are compared."""

    # --- statements ---

    def emit(self, *statements: Statement) -> None:
        """Statements at the end of the block at hand."""
        self._block.statements.extend(statements)

    def add_function(self, function: Function) -> None:
        """A function of the program."""
        self._functions.append(function)

    def forget_functions(self, before: tuple[Function, ...]) -> None:
        """What was lowered since there were these functions is given up."""
        del self._functions[len(before) :]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the block at hand so far."""
        return tuple(self._block.statements)

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions so far."""
        return tuple(self._functions)

    def _stand(self) -> Stand:
        """How far the block at hand has come."""
        block = self._block
        bindings, prepared = self._variables.count, dict(block.prepared)
        roomy = self._roomy[0], dict(self._roomy[1])
        counts = len(block.statements), len(self._functions), bindings
        return Stand(*counts, prepared, tuple(block.unsettled), dict(block.agreed), roomy)

    def _rewind(self, stand: Stand) -> None:
        """Forget what has happened since the block at hand had come so far."""
        block = self._block
        del block.statements[stand.statements :]
        del self._functions[stand.functions :]
        self._variables.undo(stand.bindings)
        block.prepared.clear()
        block.prepared.update(stand.prepared)
        block.unsettled[:] = stand.unsettled
        block.agreed.clear()
        block.agreed.update(stand.agreed)
        self._roomy = stand.roomy[0], dict(stand.roomy[1])

    @contextmanager
    def block(self, *, on_host: bool = True) -> Iterator[list[Statement]]:
        """A sequence of statements of its own; what is bound in it is forgotten behind it. `on_host` says
        that it is not the body of a function that is applied to elements.
        """
        outer, bindings = self._block, self._variables.count
        self._block = outer.inside(on_host=on_host)
        try:
            yield self._block.statements
        finally:
            self._variables.undo(bindings)
            self._block = outer

    @property
    def on_host(self) -> bool:
        """Whether scalars get names: not inside a function that is applied to elements."""
        return self._block.around is None

    @property
    def level(self) -> int:
        """How many blocks are around the one at hand."""
        return self._block.level

    def in_front(self, key: object, compute: Callable[[], Prepared]) -> Prepared:
        """What an application inside a function needs that is the same for all elements: computed once, in
        front of the statement that the function is part of. The application is the key.
        """
        inside = self._block
        if id(key) not in inside.prepared:
            self._block = inside.host
            inside.prepared[id(key)] = compute()
            self._block = inside
        return inside.prepared[id(key)]  # type: ignore[return-value]

    def from_scalars(self, key: tuple[Exp, ...], compute: Callable[[], Prepared]) -> Prepared:
        """What the host computes from some scalars: once in a block, and in those inside it."""
        prepared = self._block.prepared
        if key not in prepared:
            prepared[key] = compute()
        return prepared[key]  # type: ignore[return-value]

    # --- variables ---

    def bind(self, name: str, value: Lowered) -> None:
        """A value for a variable, until the end of the block."""
        self._variables.bind(name, Bound(value, not self.on_host, self.level))

    def value_of(self, name: str) -> Lowered:
        """What a variable in scope stands for."""
        return self._variables[name].value

    def in_scope(self, name: str) -> bool:
        """Whether a variable stands for something here."""
        return name in self._variables

    def is_bound_in_function(self, name: str) -> bool:
        """Whether a variable was bound inside a function that is applied to elements."""
        return self._variables[name].in_function

    def is_bound_here(self, name: str) -> bool:
        """Whether a variable was bound in the block at hand, not in one around it."""
        return self._variables[name].level == self.level

    def unsettled(self) -> tuple[str, ...]:
        """The variables that are not in memory and whose computation may fail, where the program prints."""
        return tuple(self._block.unsettled)

    def leave_unsettled(self, name: str) -> None:
        """A variable is computed later, but before something is printed."""
        self._block.unsettled.append(name)

    def settled(self, name: str) -> None:
        """All of a variable has been computed."""
        if name in self._block.unsettled:
            self._block.unsettled.remove(name)

    def all_settled(self) -> None:
        """All variables that might fail have been computed."""
        self._block.unsettled.clear()

    # --- checks ---

    def site(
        self, fault: Fault, symbol: str, span: Span | None, items: tuple[ItemAt, ...] | None = None
    ) -> Site:
        """The one site of a fault at a place of the source, by default that of the application at hand, in
        some items, by default those at hand.
        """
        span = self.decisions.subject.span if span is None else span
        items = self.items if items is None else items
        items = () if fault.kind in NAMES_NO_ITEM else items
        forms = tuple([item.form for item in items])
        key = fault, symbol, span, ("", 1) if span is None else (span.item, span.origin), forms
        plain = self._sites.setdefault(key, Site(fault, symbol, span, forms))
        if not items:
            return plain
        index = tuple([number for item in items for number in item.numbers])
        return SiteOfItem(fault, symbol, span, forms, plain=plain, index=index)

    @contextmanager
    def inside(self, items: tuple[ItemAt, ...]) -> Iterator[None]:
        """What is lowered here belongs to some items: see Note [Items in errors] of `faults`."""
        outer, self.items = self.items, items
        try:
            yield
        finally:
            self.items = outer

    def require(self, ok: Exp, site: Site, *reported: Exp) -> None:
        """An APL error unless the condition holds; nothing if the program is to be unsafe."""
        if ok is not self.make.true and not self.make.settings.unsafe:
            self.emit(HostCheck(ok, *told_at(site, reported)))
        match ok:
            case Call(op=p.EQI, args=(m, n)) if self.make.counts(m) and self.make.counts(n):
                self._agree(self.agreed(m), self.agreed(n))
            case _:
                pass

    def _agree(self, m: Exp, n: Exp) -> None:
        """Two lengths are equal until the end of the block, as it would not go on otherwise."""
        kept, other = (n, m) if isinstance(n, Const) else (m, n)
        if kept is not other and isinstance(other, Var) and isinstance(kept, Const | Var):
            known = self._block.agreed
            known.update({name: kept for name, each in known.items() if each is other})
            known[other.name] = kept

    def agreed(self, value: Exp) -> Exp:
        """The value with one name for all lengths that checks have found to be equal."""
        known = self._block.agreed
        lengths = [n for n in nodes(value) if isinstance(n, Var) and n.name in known] if known else []
        return Substitute(self.make, {n: known[n.name] for n in lengths})(value) if lengths else value

    def require_room(self, shape: tuple[Exp, ...], site: Site) -> None:
        """There can be an array of that shape: see `aplc.tail.array_limits`. The length of a vector is asked
        about where it is a number of the user's: then no index or sum of extents wraps.
        """
        make = self.make
        if len(shape) == 1:
            (n,) = shape
            if isinstance(n, Var) and n.name in self._claimed:
                self._require_once(make.call(p.LTI, n, make.const(ADDRESSABLE)), site, n, make.zero)
            return
        unknown = [n for n in shape if not isinstance(n, Const)]
        known = math.prod([max(1, int(n.value)) for n in shape if isinstance(n, Const)])
        if not unknown and known < ADDRESSABLE:
            return
        if not unknown:
            is_none = any(n is make.zero for n in shape)
            word = min(known >> 64, 2**60) * 2
            told = make.const((known + 2**63) % 2**64 - 2**63), make.const(~word if is_none else word)
            self.require(make.false, site, *told)
            return
        fits, low, high = room_for(make, shape)
        self._require_once(fits, site, low, high)

    def _require_once(self, fits: Exp, site: Site, low: Exp, high: Exp) -> None:
        """There is room for an array of so many elements, which no statement of this block has asked yet."""
        if self._roomy[0] is not self._block:
            self._roomy = self._block, {}
        if id(fits) not in self._roomy[1]:
            self._roomy[1][id(fits)] = fits
            self.require(fits, site, low, high)

    # --- scalars ---

    def once(self, value: Exp, hint: str, *, likely: bool = False) -> Exp:
        """A scalar of the host, computed once; inside a function the expression itself."""
        return self.named(value, hint, likely=likely) if self.on_host else value

    def named(self, value: Exp, hint: str, *, likely: bool = False) -> Exp:
        """A scalar computed here and now."""
        if isinstance(value, Const | Var) or (self._unnamed and is_arithmetic(value)):
            return value
        if isinstance(value, Call) and value.op is p.I2D and isinstance(value.args[0], Var):
            return value  # by which it is seen that a sum is divided by the number of its terms
        var = self.variable(hint, value, likely=likely)
        self.decisions.place(var)
        self.emit(HostLet(var, value))
        self._stands_for(var, value)
        return var

    def variable(self, hint: str, value: Exp, *, likely: bool = False) -> Var:
        """A new variable for a value. Of a position in an array it is known between which bounds it lies, of
        what only counts that it is positive.
        """
        make = self.make
        if isinstance(value, Read) and value.buffer.lows and value.buffer.highs:
            return Var(make.fresh(hint), Base.INT, True, value.buffer.lows, value.buffer.highs)
        if value.ty is Base.INT and make.at_least(value, make.one):
            return Var(make.fresh(hint), Base.INT, True, (make.one,))
        return Var(make.fresh(hint), value.ty, likely=likely)

    def _stands_for(self, var: Var, value: Exp) -> None:
        """Remembers what a variable that does not change is, if that only counts."""
        meaning = self.seen_through(value)
        if self.make.counts(meaning):
            self._meanings.done[id(var)] = meaning
            self._meanings.alive.append(var)

    def same_extent(self, m: Exp, n: Exp) -> bool:
        """Whether two extents are known to be equal, perhaps because they were computed in the same way."""
        return m is n or self.seen_through(m) is self.seen_through(n)

    def seen_through(self, value: Exp) -> Exp:
        """The value with what only counts in the place of its names."""
        return self._meanings(value)

    @contextmanager
    def unnamed(self) -> Iterator[None]:
        """For a while what is computed of indices and constants has no name, so that it is simplified where
        it is used.
        """
        outer, self._unnamed = self._unnamed, True
        try:
            yield
        finally:
            self._unnamed = outer

    def extent(self, value: Exp, *highs: Exp) -> Exp:
        """A value known not to be negative, as an extent or offset that can be reasoned with."""
        if isinstance(value, Const) or (self.make.nonnegative(value) and not highs):
            return value
        if not self.on_host:
            return value
        lows = (self.make.zero, *([value] if self.make.counts(value) else []))
        extent = self.counted(value, lows, highs)
        self._stands_for(extent, value)
        return extent

    def checked_extent(self, value: Exp, site: Site) -> Exp:
        """An extent that comes from the user's data: an error if it is negative."""
        make = self.make
        meaning = self.seen_through(value)
        if make.counts(meaning) and make.nonnegative(meaning):
            return meaning
        if not self.on_host or isinstance(value, Const) or make.nonnegative(value):
            self.require(make.call(p.GTEI, value, make.zero), site, value)
            if not (self.on_host and isinstance(value, Call) and value.op is QUOT):
                return value
            extent = self.counted(value, (make.zero,), (value,), is_size=True)
        else:
            raw = self.counted(value, (), ())
            self.require(make.call(p.GTEI, raw, make.zero), site, raw)
            self._claimed.add(raw.name)
            known = (value,) if isinstance(value, Sum) and make.counts(value) else ()
            extent = self.counted(raw, (make.zero,), known, is_size=True)
        self._stands_for(extent, value)
        return extent

    def counted(
        self, value: Exp, lows: tuple[Exp, ...], highs: tuple[Exp, ...], *, is_size: bool = False
    ) -> Var:
        """A host variable for a count, with what is known of it; one that exists already is known better
        now.
        """
        if isinstance(value, Var):
            better = Var(value.name, Base.INT, True, lows, highs, is_size=is_size)
            return self._better.setdefault((value.name, lows, highs), better)
        var = Var(self.make.fresh("n"), Base.INT, True, lows, highs, is_size=is_size)
        self.decisions.place(var)
        self.emit(HostLet(var, value))
        return var
