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
from collections.abc import Callable, Mapping

import numpy as np

from aplc.laila.ir.interval import ANY, BITS, EMPTY, FULL, Interval
from aplc.laila.ir.scalar import (
    ALARM,
    CEIL,
    DIVIDE,
    FLOOR,
    FLOOR_DIV,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    QUOT,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SMALL,
    SMALL_LIMIT,
    SNAP,
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
from aplc.tail.meaning.tolerant import snap
from aplc.tail.prims import INT_MAX, INT_MIN, Prim
from aplc.tail.types import LAST_CHARACTER, Base

MAX_COUNT = 1 << 47
"""No loop counts further: see Note [Loops that end]."""

INDEX_WIDTH = 32
"""The narrowest lanes of an index: counting in narrower ones costs more than it gains."""

STORAGES = {
    "int8": Interval(-(2**7), 2**7 - 1),
    "uint8": Interval(0, 2**8 - 1),
    "int16": Interval(-(2**15), 2**15 - 1),
    "uint16": Interval(0, 2**16 - 1),
    "int32": Interval(-(2**31), 2**31 - 1),
    "int64": FULL,
}
"""The integers that a dtype holds, narrow ones first."""

INT32 = STORAGES["int32"]


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
            case Sum(const=const, terms=terms):
                low = high = const
                for atom, k in terms:
                    at = self.integers(atom)
                    if at.is_empty:
                        return EMPTY
                    low += k * int(at.low if k > 0 else at.high)
                    high += k * int(at.high if k > 0 else at.low)
                return Interval(low, high)
            case Read(buffer=buffer):
                return self._element(buffer)
            case PureCall(lows=lows, highs=highs):
                return self._within(lows, highs)
            case Select(cond=cond, then=then, other=other):
                a, b = self.of(then), self.of(other)
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
                    operands = [None if a is None else _magnitude(a) for a in operands]
                rule = RULES.get(op)
                known = [a for a in operands if a is not None]
                return rule(*known) if rule is not None and len(known) == len(operands) else None

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
        found = None if body is None or isinstance(fold.combine, Step) else body
        if found is None or found.is_empty:
            return found
        count = max(0, min(int(extent.high), MAX_COUNT))
        if fold.combine is p.ADDI:
            found = Interval(min(0, count * found.low), max(0, count * found.high))
        elif fold.combine is p.MULI:
            found = BITS.hull(found) if found.within(Interval(-1, 1)) else FULL
        elif fold.combine in (p.XORI32, p.ORI32, p.ANDI32):
            start = -1 if fold.combine is p.ANDI32 else 0
            found = _of_bits(Interval(start, start), found)
        elif fold.combine not in (p.MAXI, p.MINI):
            return None
        if fold.empty is None or extent.low > 0:
            return found
        empty = self.of(fold.empty)
        return None if empty is None else found.hull(empty)

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

_FROM_OTHERS = frozenset((TRUNCATE, ALARM, p.B2I))
"""Operators whose result has lanes of its own."""


def of_storage(buffer: Buffer) -> Interval | None:
    """What the elements of a buffer can be, from the elements of a table or from how they are stored."""
    if buffer.values is not None:
        return Interval(*buffer.values)
    if buffer.data is not None and buffer.ty.is_exact:
        return Interval(min(buffer.data), max(buffer.data)) if buffer.data else EMPTY
    return STORAGES.get(buffer.storage) if buffer.ty is Base.INT else ANY.get(buffer.ty)


# --- operators ------------------------------------------------------------------------------------------

Rule = Callable[..., Interval | None]


def _corners(f: Callable[[int | float, int | float], int | float]) -> Rule:
    """The rule of a function that is monotone in each argument, whatever the other one is."""

    def rule(a: Interval, b: Interval) -> Interval | None:
        values = [f(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return None if any(math.isnan(v) for v in values) else Interval(min(values), max(values))

    return rule


def _monotone(f: Callable[[int | float], int | float]) -> Rule:
    def rule(a: Interval) -> Interval | None:
        values = f(a.low), f(a.high)
        return Interval(min(values), max(values))

    return rule


def _magnitude(a: Interval) -> Interval:
    """`|x|`; that of the least integer is out of range."""
    ends = abs(a.low), abs(a.high)
    return Interval(0 if a.low <= 0 <= a.high else min(ends), max(ends))


def _residue(divisor: Interval, a: Interval) -> Interval:
    """`x|y`: the sign of x, and nearer to 0; y itself for x = 0."""
    if divisor.low > 0 and a.low >= 0 and a.high < divisor.low:
        return a
    found = Interval(min(0, divisor.low + 1), max(0, divisor.high - 1))
    if divisor.low > 0 and a.low >= 0:
        found = found.meet(Interval(0, a.high))
    return found.hull(a) if divisor.low <= 0 <= divisor.high else found


def _quotient(a: Interval, divisor: Interval) -> Interval | None:
    """The floor of a quotient by a positive integer."""
    if divisor.low <= 0:
        return None
    return _corners(lambda x, y: x // y)(a, divisor)


def _remainder(a: Interval, divisor: Interval) -> Interval:
    """The remainder of a non-negative integer and a positive one."""
    return Interval(0, max(0, min(a.high, divisor.high - 1)))


def _divided(a: Interval, b: Interval) -> Interval | None:
    if b.low <= 0 <= b.high or math.isinf(b.low) or math.isinf(b.high):
        return None
    return _corners(lambda x, y: x / y)(a, b)


def _rounded(f: Callable[[float], int]) -> Rule:
    """Floor and ceiling as doubles; every double from 2⁵² on is whole."""
    return _monotone(lambda x: float(f(x)) if abs(x) < 2**52 else x)


def _snapped(tolerance: Interval, a: Interval) -> Interval | None:
    """What is taken for a whole number within a tolerance: the larger a number, the larger the result."""
    if tolerance.low != tolerance.high:
        return None
    low, high = snap(np.array(tolerance.low), np.array([a.low, a.high], np.float64)).tolist()
    return Interval(low, high)


def _finite(rule: Rule) -> Rule:
    """A rule of doubles where no infinity arises, so that there is no NaN behind it."""

    def finite(*args: Interval) -> Interval | None:
        found = rule(*args)
        ends = [e for a in (*args, found) if a is not None for e in (a.low, a.high)]
        return found if found is not None and not any(math.isinf(e) for e in ends) else None

    return finite


def _truncated(a: Interval) -> Interval | None:
    if math.isinf(a.low) or math.isinf(a.high):
        return None
    return Interval(math.trunc(a.low), math.trunc(a.high))


def _less(a: Interval, b: Interval) -> Interval:
    if a.high < b.low:
        return Interval(1, 1)
    return Interval(0, 0) if a.low >= b.high else BITS


def _less_or_equal(a: Interval, b: Interval) -> Interval:
    if a.high <= b.low:
        return Interval(1, 1)
    return Interval(0, 0) if a.low > b.high else BITS


def _equal(a: Interval, b: Interval) -> Interval:
    if a.low == a.high == b.low == b.high:
        return Interval(1, 1)
    return Interval(0, 0) if a.meet(b).is_empty else BITS


def _not(a: Interval) -> Interval:
    return Interval(1 - a.high, 1 - a.low)


def _flipped(rule: Rule) -> Rule:
    return lambda a, b: rule(b, a)


def _negated(rule: Callable[[Interval, Interval], Interval]) -> Rule:
    return lambda a, b: _not(rule(a, b))


def _of_bits(a: Interval, b: Interval) -> Interval:
    """What the bits of two integers make, of 32 bits at most: no more bits than they have."""
    if not (a.within(INT32) and b.within(INT32)):
        return INT32
    ends = (int(e) for e in (a.low, a.high, b.low, b.high))
    limit = 1 << max([max(e, ~e).bit_length() for e in ends])
    return Interval(0 if min(a.low, b.low) >= 0 else -limit, limit - 1)


def _common_bits(a: Interval, b: Interval) -> Interval:
    """The bits that two integers have in common: no more than one of them has that is not negative."""
    found = _of_bits(a, b)
    for one in (a, b):
        if one.low >= 0 and one.within(INT32):
            found = found.meet(Interval(0, one.high))
    return found


def _shifted(shift: Callable[[int, int], int]) -> Rule:
    """The rule of a shift by a count that is not negative; a long one to the left gives any 32 bits."""

    def rule(a: Interval, count: Interval) -> Interval:
        if not (a.within(INT32) and count.within(Interval(0, 32))):
            return INT32
        found = _corners(lambda x, k: shift(int(x), int(k)))(a, count)
        return found if found is not None and found.within(INT32) else INT32

    return rule


def _add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def _sub(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


_MAX = _corners(max)
_MIN = _corners(min)
_TIMES = _corners(lambda x, y: x * y)

RULES: dict[Prim, Rule] = {
    p.ADDI: _add,
    p.SUBI: _sub,
    p.MULI: _TIMES,
    p.NEGI: _monotone(lambda x: -x),
    p.ABSI: _magnitude,
    p.SIGNI: _monotone(lambda x: (x > 0) - (x < 0)),
    p.MAXI: _MAX,
    p.MINI: _MIN,
    p.RESI: _residue,
    QUOT: _quotient,
    FLOOR_DIV: _quotient,
    FLOOR_QUOT: _quotient,
    FLOOR_QUOT64: _corners(lambda x, y: math.floor(float(x) / float(y))),
    REM: _remainder,
    p.B2I: _monotone(lambda x: x),
    p.C2I: lambda a: a.meet(Interval(0, LAST_CHARACTER)),
    p.ANDI32: _common_bits,
    p.ORI32: _of_bits,
    p.XORI32: _of_bits,
    p.NOTI32: lambda a: Interval(~a.high, ~a.low) if a.within(INT32) else INT32,
    SHIFT_LEFT: _shifted(lambda x, k: x << k),
    SHIFT_RIGHT: _shifted(lambda x, k: x >> k),
    SMALL: lambda a: a.meet(Interval(-SMALL_LIMIT, SMALL_LIMIT)),
    ALARM: _monotone(lambda x: x),
    p.I2D: _monotone(float),
    TRUNCATE: _truncated,
    p.ADDD: _finite(_add),
    p.SUBD: _finite(_sub),
    p.MULD: _finite(_TIMES),
    p.NEGD: _monotone(lambda x: -x),
    p.ABSD: _magnitude,
    p.MAXD: _MAX,
    p.MIND: _MIN,
    DIVIDE: _finite(_divided),
    FLOOR: _rounded(math.floor),
    CEIL: _rounded(math.ceil),
    SNAP: _snapped,
    p.ANDB: _MIN,
    p.ORB: _MAX,
    p.NOTB: _not,
    **dict.fromkeys((p.LTI, p.LTD), _less),
    **dict.fromkeys((p.LTEI, p.LTED), _less_or_equal),
    **dict.fromkeys((p.GTI, p.GTD), _flipped(_less)),
    **dict.fromkeys((p.GTEI, p.GTED), _flipped(_less_or_equal)),
    **dict.fromkeys((p.EQI, p.EQD, p.EQC, p.EQB), _equal),
    **dict.fromkeys((p.NEQI, p.NEQD, p.NEQC, p.NEQB), _negated(_equal)),
}
"""What operators make of intervals. An integer result beyond 64 bits stands for every integer."""
