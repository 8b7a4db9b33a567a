"""The state of one lowering: statements so far, what the variables in scope stand for, scalars and memory.

`lower` builds on this what TAIL means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Alloc, Function, HostCheck, HostLet, Statement
from aplc.laila.ir.scalar import TRUNCATE, Buffer, Const, Exp, Site, Var
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.statements import do
from aplc.laila.lowering import control as lower_control
from aplc.laila.lowering import recursion as lower_recursion
from aplc.laila.lowering.decisions import Decisions
from aplc.laila.lowering.lowered import Lowered, leaves_of
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.faults import Fault
from aplc.tail.room import ADDRESSABLE
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Op
from aplc.tail.types import Base

Prepared = TypeVar("Prepared")

STORAGE = {Base.INT: "int64", Base.DOUBLE: "float64", Base.BOOL: "bool", Base.CHAR: "uint32"}
"""How the elements of a base type are stored."""


class Scopes:
    """Statements, variables and blocks."""

    def __init__(self, settings: Settings, decisions: Decisions | None = None) -> None:
        self.make = Scalars(settings)
        self.decisions = decisions or Decisions()
        self.statements: list[Statement] = []
        self.functions: list[Function] = []
        self.env: dict[str, Lowered] = {}
        self.journal: list[tuple[str, Lowered | None]] = []
        """The bindings that were changed in the block at hand, with what they were."""
        self.on_host = True
        """Whether scalars get names: not inside a function that is applied to elements."""
        self.level = 0
        """How many blocks are around the one at hand."""
        self.host = self.statements, self.level
        """The innermost block that is not inside a function that is applied to elements, and its level."""
        self.inner: set[str] = set()
        """The variables that were bound inside such functions."""
        self.prepared: dict[int, object] = {}
        """What was computed for applications in such functions in front of the statement they are part of."""
        self.better: dict[tuple[str, tuple[Exp, ...], tuple[Exp, ...]], Var] = {}
        """Variables of which more is known now, by name and bounds: one each, as extents are compared."""
        self.roomy: tuple[list[Statement], dict[int, Exp]] = [], {}
        """The block at hand, and what it has required so that arrays have room."""
        self.sites: dict[tuple[Fault, str, Span | None], Site] = {}
        self.owned: dict[Buffer, int] = {}
        """Buffers of this program that nobody outside holds, with the levels of the blocks they are of."""
        self.routines: dict[str, lower_recursion.Routine] = {}
        self.known_loops: dict[tuple[int, bool], lower_control.Known] = {}
        """What lowering found out about loops, each under assumptions or not: they are lowered anew."""
        self.with_statements: set[int] = set()
        """Conditionals one of whose branches turned out to take statements."""
        self.unsettled: list[str] = []
        """Bindings not in memory whose computation may fail, where the program prints."""

    def site(self, fault: Fault, symbol: str, span: Span | None) -> Site:
        """The one site of a fault at a place of the source, by default that of the application at hand."""
        span = self.decisions.subject.span if span is None else span
        return self.sites.setdefault((fault, symbol, span), Site(fault, symbol, span))

    def require(self, ok: Exp, site: Site, *reported: Exp) -> None:
        """An APL error unless the condition holds; nothing if the program is to be unsafe."""
        if ok is not self.make.true and not self.make.settings.unsafe:
            self.statements.append(HostCheck(ok, site, reported))

    def once(self, value: Exp, hint: str, *, likely: bool = False) -> Exp:
        """A scalar of the host, computed once; inside a function the expression itself."""
        return self.named(value, hint, likely=likely) if self.on_host else value

    def named(self, value: Exp, hint: str, *, likely: bool = False) -> Exp:
        """A scalar computed here and now."""
        if isinstance(value, Const | Var):
            return value
        var = Var(self.make.fresh(hint), value.ty, likely=likely)
        self.decisions.place(var)
        self.statements.append(HostLet(var, value))
        return var

    def extent(self, value: Exp, *highs: Exp) -> Exp:
        """A value known not to be negative, as an extent or offset that can be reasoned with."""
        if isinstance(value, Const) or (self.make.nonnegative(value) and not highs):
            return value
        return self.counted(value, (self.make.zero,), highs) if self.on_host else value

    def checked_extent(self, value: Exp, site: Site) -> Exp:
        """An extent that comes from the user's data: an error if it is negative."""
        make = self.make
        if not self.on_host or isinstance(value, Const) or make.nonnegative(value):
            self.require(make.call(p.GTEI, value, make.zero), site, value)
            return value
        raw = self.counted(value, (), ())
        self.require(make.call(p.GTEI, raw, make.zero), site, raw)
        return self.counted(raw, (make.zero,), ())

    def require_room(self, shape: tuple[Exp, ...], site: Site) -> None:
        """There can be an array of that shape: see `aplc.tail.room`. Of a vector its memory tells, and its
        length never wraps.
        """
        make = self.make
        unknown = [n for n in shape if not isinstance(n, Const)]
        known = math.prod([max(1, int(n.value)) for n in shape if isinstance(n, Const)])
        if len(shape) < 2 or (not unknown and known < ADDRESSABLE):
            return
        if not unknown:
            is_none = any(n is make.zero for n in shape)
            word = min(known >> 64, 2**60) * 2
            told = make.const((known + 2**63) % 2**64 - 2**63), make.const(~word if is_none else word)
            self.require(make.false, site, *told)
            return
        counts = [make.call(p.MAXI, make.one, n) for n in shape]
        total = make.call(p.I2D, counts[0])
        for n in counts[1:]:
            total = make.call(p.MULD, total, make.call(p.I2D, n))
        above = make.call(p.MULD, total, make.const(2.0**-64))
        low = counts[0]
        for n in counts[1:]:
            low = make.mul(low, n)
        high = make.mul(make.const(2), make.call(TRUNCATE, make.call(p.MIND, above, make.const(2.0**60))))
        least = shape[0]
        for n in shape[1:]:
            least = make.call(p.MINI, least, n)
        is_empty = make.call(p.EQI, least, make.zero)
        high = make.select(is_empty, make.sub(make.const(-1), high), high)
        fits = make.call(p.LTD, total, make.const(float(ADDRESSABLE)))
        if self.roomy[0] is not self.statements:
            self.roomy = self.statements, {}
        if id(fits) not in self.roomy[1]:
            self.roomy[1][id(fits)] = fits
            self.require(fits, site, low, high)

    def counted(self, value: Exp, lows: tuple[Exp, ...], highs: tuple[Exp, ...]) -> Var:
        """A host variable for a count, with what is known of it; one that exists already is known better
        now.
        """
        if isinstance(value, Var):
            better = Var(value.name, Base.INT, True, lows, highs)
            return self.better.setdefault((value.name, lows, highs), better)
        var = Var(self.make.fresh("n"), Base.INT, True, lows, highs)
        self.decisions.place(var)
        self.statements.append(HostLet(var, value))
        return var

    # --- memory ---

    def unowned(self, ty: Base, hint: str, lows: tuple[Exp, ...] = (), highs: tuple[Exp, ...] = ()) -> Buffer:
        """A new buffer whose memory comes from elsewhere; the bounds are those of its elements."""
        return Buffer(self.make.fresh(hint), ty, STORAGE[ty], lows=lows, highs=highs)

    def buffer(self, ty: Base, hint: str = "a") -> Buffer:
        """A new buffer of this program."""
        buffer = self.unowned(ty, hint)
        self.owned[buffer] = self.level
        return buffer

    def allocated(
        self,
        ty: Base,
        size: Exp,
        site: Site | None = None,
        *,
        lows: tuple[Exp, ...] = (),
        highs: tuple[Exp, ...] = (),
        asked: bool = False,
        hint: str = "a",
    ) -> Buffer:
        """A new buffer with memory for that many elements, and what is known to bound them."""
        buffer = Buffer(self.make.fresh(hint), ty, STORAGE[ty], lows=lows, highs=highs, asked=asked)
        self.owned[buffer] = self.level
        self.decisions.computed(buffer)
        self.statements.append(Alloc(buffer, size, site or self.site(faults.NO_MEMORY, "", None)))
        return buffer

    def index_buffer(self, size: Exp, lows: tuple[Exp, ...], highs: tuple[Exp, ...], site: Site) -> Buffer:
        """A new buffer with memory for that many indices between these bounds."""
        return self.allocated(Base.INT, size, site, lows=lows, highs=highs, hint="index")

    # --- scopes ---

    def bind(self, name: str, value: Lowered) -> None:
        """A value for a variable, until the end of the block."""
        self.journal.append((name, self.env.get(name)))
        self.env[name] = value
        (self.inner.discard if self.on_host else self.inner.add)(name)

    @contextmanager
    def block(self, *, on_host: bool = True) -> Iterator[list[Statement]]:
        """A sequence of statements of its own; what is bound in it is forgotten behind it."""
        outer = self.statements, self.journal, self.on_host, list(self.unsettled)
        around = self.host, dict(self.prepared)
        self.statements, self.journal, self.on_host = [], [], on_host
        self.level += 1
        if on_host:
            self.host = self.statements, self.level
        try:
            yield self.statements
        finally:
            for name, before in reversed(self.journal):
                if before is None:
                    del self.env[name]
                else:
                    self.env[name] = before
            self.statements, self.journal, self.on_host, self.unsettled = outer
            self.level -= 1
            if on_host:
                self.host, self.prepared = around

    def in_front(self, exp: Op, compute: Callable[[], Prepared]) -> Prepared:
        """What an application inside a function needs that is the same for all elements: computed once, in
        front of the statement that the function is part of.
        """
        if id(exp) not in self.prepared:
            inside = self.statements, self.level, self.on_host
            (self.statements, self.level), self.on_host = self.host, True
            self.prepared[id(exp)] = compute()
            self.statements, self.level, self.on_host = inside
        return self.prepared[id(exp)]  # type: ignore[return-value]

    def is_fixed(self, arg: Arg) -> bool:
        """Whether an argument is the same array for all elements that a function is applied to."""
        if not isinstance(arg, t.Var) or arg.name in self.inner:
            return False
        return not any(a.weight.may_fail for a in leaves_of(self.env[arg.name]))

    def closed(self, statements: list[Statement], value: Exp) -> Exp:
        """The value of a function after its statements, which free what they allocate."""
        if not statements:
            return value
        if not isinstance(value, Const | Var):
            var = Var(self.make.fresh("t"), value.ty)
            statements.append(HostLet(var, value))
            value = var
        return do(with_frees(statements), value)
