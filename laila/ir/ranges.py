"""Which values an expression can have: an interval, and the narrowest lanes that hold it.

Integers of the user wrap, so an operation that may leave 64 bits can have any value. An interval of doubles
means that the value is no NaN; where nothing is known of a double there is none. What is known of variables
comes from their bounds and from `bind`; what is known of buffers from their storage and from `stored`.

Note [Loops that end]
    An index of a loop is bounded by 2⁴⁷ even where its extent is not known: a loop that counts further does
    not end. The extent itself may be any number, as an array without elements shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from aplc.laila.ir.interval import ANY, BITS, EMPTY, FULL, Interval
from aplc.laila.ir.interval_rules import INT32, RULES, common_divisor, magnitude, of_bits
from aplc.laila.ir.scalar import (
    ALARM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SMALL,
    TRUNCATE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Step,
    Sum,
    Var,
    nodes,
    operands,
    storage_bytes,
)
from aplc.tail import prims as p
from aplc.tail.prims import INT_MAX, INT_MIN
from aplc.tail.types import Base

MAX_COUNT = 1 << 47
"""No loop counts further: see Note [Loops that end]."""

INDEX_WIDTH = 32
"""The narrowest lanes of an index: counting in narrower ones costs more than it gains."""

NUMBERS = Interval(-math.inf, math.inf)
"""All doubles but NaN."""

STORAGES = {
    "int8": Interval(-(2**7), 2**7 - 1),
    "uint8": Interval(0, 2**8 - 1),
    "int16": Interval(-(2**15), 2**15 - 1),
    "uint16": Interval(0, 2**16 - 1),
    "int32": INT32,
    "int64": FULL,
}
"""The integers that a dtype holds, narrow ones first."""


def storage_for(interval: Interval, at_least: int = 8) -> str:
    """The narrowest dtype that holds an interval of integers, of a number of bits or more."""
    for name, held in STORAGES.items():
        if width_of(name) >= at_least and interval.within(held):
            return name
    return "int64"


def width_of(storage: str) -> int:
    """The number of bits of an integer dtype."""
    return 8 * storage_bytes(storage)


class Ranges:
    """The intervals of expressions, remembered per node. Doubles that may be floats bound no integers."""

    def __init__(self, stored: Mapping[Buffer, Interval] | None = None, *, is_single: bool = False) -> None:
        self.is_single = is_single
        self.stored = {} if stored is None else dict(stored)
        self.bounds: dict[str, Interval] = {}
        self.widths: dict[str, int] = {}
        """The lanes of variables that are declared narrow."""
        self.loops: set[str] = set()
        self.known: dict[int, Interval | None] = {}
        self.lanes: dict[int, int] = {}
        self.alive: list[Exp] = []

    # --- what is known of variables ---

    def bind(self, var: Var, interval: Interval | None, width: int | None = None) -> None:
        """The values of a variable from now on, and the lanes it is declared with."""
        if var.name in self.bounds and self.bounds[var.name] != interval:
            del self.bounds[var.name]
            self.known.clear()
        if interval is not None:
            self.bounds[var.name] = interval
        if width is not None:
            if self.widths.get(var.name, width) != width:
                self.lanes.clear()
            self.widths[var.name] = width

    def bind_loop(self, var: Var) -> None:
        """The variable counts the turns of a loop."""
        self.loops.add(var.name)

    def of(self, exp: Exp) -> Interval | None:
        """The interval of an expression; None for a double of which nothing is known."""
        if id(exp) not in self.known:
            order: list[Exp] = [exp]
            if not all([id(o) in self.known for o in operands(exp)]):
                new = nodes(exp, below=lambda e: () if id(e) in self.known else operands(e))
                order = [n for n in new if id(n) not in self.known]
            for node in order:
                if isinstance(node, Fold):
                    self.bind_loop(node.var)
            self.alive.append(exp)
            for node in order:
                self.known[id(node)] = self._at(node)
        return self.known[id(exp)]

    def integers(self, exp: Exp) -> Interval:
        """The interval of an integer, condition or character."""
        found = self.of(exp)
        assert found is not None
        return found

    def _at(self, node: Exp) -> Interval | None:
        """The interval of a node whose operands are known."""
        found = self._of_node(node)
        possible = ANY.get(node.ty)
        if possible is None or (found is not None and found.within(possible)):
            return found
        return possible  # nothing is known, or it may wrap

    def _of_node(self, node: Exp) -> Interval | None:
        match node:
            case Const(value=value):
                return None if math.isnan(value) else Interval(value, value)
            case Var():
                return self._variable(node)
            case Sum():
                return self._sum(node)
            case Read(buffer=buffer):
                return self._element(buffer)
            case PureCall(lows=lows, highs=highs):
                return self._within(lows, highs)
            case Select(cond=cond, then=then, other=other):
                number = _number(cond, then, other)
                a, b = [NUMBERS if side is number else self.of(side) for side in (then, other)]
                decided = self.integers(cond)
                if decided.low == decided.high:
                    return a if decided.low else b
                return None if a is None or b is None else a.hull(b)
            case Check(value=value):
                return self.of(value)
            case Fold():
                return self._fold(node)
            case BlockExp(value=value):
                return self.of(value)
            case Call(op=op, args=args):
                is_float = self.is_single and node.ty.is_exact
                operands = [None if is_float and not a.ty.is_exact else self.of(a) for a in args]
                if any(a is not None and a.is_empty for a in operands):
                    return EMPTY
                if op in (p.MULI, p.MULD) and args[0] is args[1]:
                    operands = [None if a is None else magnitude(a) for a in operands]
                if op is TRUNCATE and operands[0] is None and not is_float:
                    operands = [self._but_for_nan(args[0], CLAMPS)]
                rule = RULES.get(op)
                known = [a for a in operands if a is not None]
                return rule(*known) if rule is not None and len(known) == len(operands) else None

    def _sum(self, node: Sum) -> Interval:
        """The interval of a sum. A term may be a condition about another one, as in `x-4×x>3`: then it is
        looked at where that holds and where it does not.
        """
        cases: list[dict[Exp, Interval]] = [{atom: self.integers(atom) for atom, _ in node.terms}]
        if any(at.is_empty for at in cases[0].values()):
            return EMPTY
        for atom, _ in node.terms:
            found = _bound_told(atom)
            if found is not None and found[0] in cases[0]:
                number, holds, fails = found
                both = [
                    {number: cases[0][number].meet(at), atom: Interval(*[k] * 2)}
                    for k, at in ((1, holds), (0, fails))
                ]
                cases = [cases[0] | case for case in both if not case[number].is_empty]
                break
        result = EMPTY
        for case in cases:
            low = high = node.const
            for atom, k in node.terms:
                at = case[atom]
                low += k * int(at.low if k > 0 else at.high)
                high += k * int(at.high if k > 0 else at.low)
            result = result.hull(Interval(low, high))
        return result

    def _but_for_nan(self, exp: Exp, depth: int) -> Interval | None:
        """The interval of a double that was compared with bounds, unless it is NaN, of which nobody makes an
        integer.
        """
        found = self.known.get(id(exp))
        if found is not None:
            return found
        if depth == 0 or not isinstance(exp, Call) or exp.op not in (p.MAXD, p.MIND):
            return Interval(-math.inf, math.inf)
        a, b = [self._but_for_nan(arg, depth - 1) for arg in exp.args]
        rule = RULES[exp.op]
        return None if a is None or b is None else rule(a, b)

    def _variable(self, var: Var) -> Interval | None:
        """The bounds of a variable, of both kinds."""
        if var.ty is not Base.INT:
            return self.bounds.get(var.name)
        found = self.bounds.get(var.name, FULL)
        for low in var.lows:
            found = found.meet(Interval(self.integers(low).low, INT_MAX))
        for high in var.highs:
            found = found.meet(Interval(INT_MIN, self.integers(high).high))
        if var.name in self.loops:
            found = found.meet(Interval(INT_MIN, MAX_COUNT))
        return FULL if found.is_empty else found  # code that never runs

    def _within(self, lows: tuple[Exp, ...], highs: tuple[Exp, ...]) -> Interval | None:
        """What is between bounds of indices."""
        found = FULL
        for low in lows:
            found = found.meet(Interval(self.integers(low).low, INT_MAX))
        for high in highs:
            found = found.meet(Interval(INT_MIN, self.integers(high).high))
        return None if found.is_empty else found

    def _element(self, buffer: Buffer) -> Interval | None:
        """The elements of a buffer, which bounds of indices may bound further."""
        found = self.stored.get(buffer) or of_storage(buffer)
        if found is None or found.is_empty:
            return found
        for low in buffer.lows:
            found = found.meet(Interval(self.integers(low).low, INT_MAX))
        for high in buffer.highs:
            found = found.meet(Interval(INT_MIN, self.integers(high).high))
        return ANY[buffer.ty] if found.is_empty else found

    def _fold(self, fold: Fold) -> Interval | None:
        """The interval of a reduction, of all its partial results too."""
        body, extent = self.of(fold.body), self.integers(fold.extent)
        if isinstance(fold.combine, Step):
            return self._steps(fold, fold.combine) if fold.ty is Base.INT else None
        found = body
        if found is None or found.is_empty:
            return found
        count = max(0, min(int(extent.high), MAX_COUNT))
        if fold.combine is p.ADDI:
            found = Interval(min(0, count * found.low), max(0, count * found.high))
        elif fold.combine is p.MULI:
            found = BITS.hull(found) if found.within(Interval(-1, 1)) else FULL
        elif fold.combine in (p.XORI32, p.ORI32, p.ANDI32):
            start = -1 if fold.combine is p.ANDI32 else 0
            found = of_bits(Interval(start, start), found)
        elif fold.combine is p.GCDI:
            found = common_divisor(BITS, found) or FULL
        elif fold.combine is p.LCMI and found.within(BITS):
            found = BITS
        elif fold.combine not in (p.MAXI, p.MINI):
            return None
        if found is None or fold.empty is None or extent.low > 0:
            return found
        empty = self.of(fold.empty)
        return None if empty is None else found.hull(empty)

    def _steps(self, fold: Fold, step: Step) -> Interval:
        """What a fold by steps is at any time: what it begins with, and what a step makes of any value."""
        empty = Interval(0, 0) if fold.empty is None else self.integers(fold.empty)
        return self.integers(fold.body).hull(empty).hull(self.integers(step.body))

    # --- lanes ---

    def width(self, exp: Exp) -> int:
        """The bits in which an integer or condition is computed: room for it and for what it is made of.

        A constant takes what it needs; in arithmetic it follows its partners.
        """
        if id(exp) not in self.lanes:
            self.alive.append(exp)
            for node in nodes(exp):
                if id(node) not in self.lanes and node.ty.is_exact:
                    self.lanes[id(node)] = self._width(node)
        return self.lanes[id(exp)]

    def _width(self, node: Exp) -> int:
        own = width_of(storage_for(self.integers(node)))
        match node:
            case Const():
                return own
            case Var(name=name):
                if name in self.widths:
                    return self.widths[name]
                return max(own, INDEX_WIDTH) if name in self.loops else own
            case Read(buffer=buffer):
                return max(own, width_of(buffer.storage))
            case Fold() | Check() | BlockExp() | PureCall():
                return own
            case Select(then=then, other=other):
                return max(own, self._widest((then, other)))
            case Call(op=op) if op in _FROM_OTHERS:
                return own
            case Call(op=op) if op is SMALL:
                return max(own, INDEX_WIDTH)
            case Call(op=op, args=args) if op in LOW_BITS:
                return max(own, min(32, self._widest(args)))
            case Call(args=args):
                return max(own, self._widest(args))
            case Sum(terms=terms):
                return max(own, self._widest(tuple([atom for atom, _ in terms])))

    def _widest(self, operands: tuple[Exp, ...]) -> int:
        return max([self.width(o) for o in operands if o.ty.is_exact], default=0)


LOW_BITS = frozenset((p.ANDI32, p.ORI32, p.XORI32, p.NOTI32, SHIFT_LEFT, SHIFT_RIGHT))
"""Operators on the low 32 bits of integers."""

CLAMPS = 4
"""How many bounds of a double are looked at."""

_BOUNDS = (p.LTI, p.LTEI, p.GTI, p.GTEI)
"""Comparisons that tell a bound where they hold, and one where they do not."""

_FROM_OTHERS = frozenset((TRUNCATE, ALARM, p.B2I))
"""Operators whose result has lanes of its own."""


def _bound_told(exp: Exp) -> tuple[Exp, Interval, Interval] | None:
    """Where an expression is a condition, as a number, that compares another number with a constant: that
    number, and what it can be where the condition holds and where it does not.
    """
    match exp:
        case Call(op=p.B2I, args=(Call(op=op, args=(number, Const(value=value))),)) if op in _BOUNDS:
            at, is_below = int(value) + (op in (p.LTEI, p.GTI)), op in (p.LTI, p.LTEI)
            below, above = Interval(INT_MIN, at - 1), Interval(at, INT_MAX)
            return (number, below, above) if is_below else (number, above, below)
        case _:
            return None


def _number(cond: Exp, then: Exp, other: Exp) -> Exp | None:
    """The side of a choice that is no NaN where it is chosen, because of the condition."""
    if not isinstance(cond, Call) or cond.op not in (p.EQD, p.NEQD) or cond.args[0] is not cond.args[1]:
        return None
    side = then if cond.op is p.EQD else other
    return side if side is cond.args[0] else None


def of_storage(buffer: Buffer) -> Interval | None:
    """What the elements of a buffer can be, from the elements of a table or from how they are stored."""
    if buffer.values is not None:
        return Interval(*buffer.values)
    if buffer.data is not None and buffer.ty.is_exact:
        return Interval(min(buffer.data), max(buffer.data)) if buffer.data else EMPTY
    return STORAGES.get(buffer.storage) if buffer.ty is Base.INT else ANY.get(buffer.ty)
