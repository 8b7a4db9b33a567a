"""Integer expressions in loops, in the narrowest C types that hold their values.

C computes in 32 bits or in 64. An expression is computed in 32 if its value and what it is made of fit, so
that nothing has to be converted, and a cast to 8 or 16 bits tells the compiler where even narrower lanes will
do. Outside loops, and for positions in memory, everything has 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.backends.c.bit_tests import exclusive, groups_without_bits
from aplc.backends.c.divisions import SHIFT, DivisionPrinter, Text, cast, grouped, is_divisor, of_bits
from aplc.backends.c.expressions import (
    ADD,
    AND,
    CONDITION,
    MULTIPLY,
    OR,
    PRIMARY,
    UNARY,
    XOR,
    ZERO,
    Spell,
    bounded_by,
    integer_or_zero,
    print_constant,
)
from aplc.backends.c.mentions import computes_with, touches_memory
from aplc.backends.c.narrow_functions import NARROW, NARROW_PLACES, NARROWER, RUNNING
from aplc.backends.c.types import STORAGE_TYPES
from aplc.laila.ir import loops as l
from aplc.laila.ir.constants import wrap
from aplc.laila.ir.interval import BITS, Interval
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import INDEX_WIDTH, LOW_BITS, STORAGES, storage_for, width_of
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_FIELD,
    CHARACTER,
    DIVIDE,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    PIECE,
    QUOT,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SMALL,
    SNAP_QUOT64,
    TRUNCATE,
    Call,
    Const,
    Exp,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    contains,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

EXACT = Interval(-(2**51), 2**51)
"""Integers that stand in the last bits of doubles of one exponent."""

_ARITHMETIC = {p.ADDI: ("+", ADD), p.SUBI: ("-", ADD), p.MULI: ("*", MULTIPLY)}
_BITS = {p.ANDI32: ("&", AND), p.XORI32: ("^", XOR), p.ORI32: ("|", OR), SHIFT_RIGHT: (">>", SHIFT)}
_JOINING = {p.ANDB: ("&", AND), p.ORB: ("|", OR), p.NEQB: ("^", XOR)}
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


class LanePrinter(DivisionPrinter):
    """Prints expressions, those in loops in narrow lanes."""

    def __init__(self, spell: Spell) -> None:
        super().__init__(spell)
        self.in_turn = RUNNING
        """Functions that take others' place in loops that are not in lanes."""
        self.storages: dict[str, str] = {}
        """The integer types of variables, by name, where they are not `int64`."""

    # --- variables and stored values ---

    def declared(self, var: Var, value: Exp) -> str:
        """The C type of a new variable that keeps its value, an integer."""
        interval = self.ranges.integers(value)
        storage = storage_for(interval, self.ranges.width(value)) if self.in_loop else "int64"
        return self.kept(var, interval, storage)

    def accumulator(self, var: Var, bits: int) -> str:
        """The C type of an integer variable that is assigned to: narrow if its bounds are, of so many bits at
        least. What one of its name had in a version of the loop before is forgotten.
        """
        self.ranges.bind(var, None)
        interval = self.ranges.integers(var)
        storage = storage_for(interval, bits) if self.in_loop else "int64"
        return self.kept(var, interval, storage)

    def kept(self, var: Var, interval: Interval, storage: str) -> str:
        """The C type of a new variable with such values, which is noted for who mentions it."""
        self.ranges.bind(var, interval, width_of(storage))
        self.storages[var.name] = storage
        return STORAGE_TYPES[storage]

    def counter(self, loop: l.For) -> tuple[str, str, str]:
        """The C type of a loop's index and the texts of its bounds: narrow if they are, and no memory is
        touched, or what accumulates is computed from the index.
        """
        self.ranges.bind_loop(loop.var)
        is_plain = loop.reductions is not None and loop.step == 1 and not loop.descending
        is_small = all(self.ranges.integers(e).within(INT32) for e in (loop.var, loop.start, loop.stop))
        is_narrow = self.in_loop and is_plain and is_small
        if is_narrow and touches_memory(loop.body):
            is_narrow = bool(loop.reductions) and computes_with(loop)
        self.ranges.widths.pop(loop.var.name, None)
        if not is_narrow:
            return "int64_t", self.text(loop.start, ADD), self.text(loop.stop, ADD)
        self.ranges.widths[loop.var.name] = INDEX_WIDTH
        bounds = loop.start, loop.stop
        start, stop = [grouped(of_bits(32, self._bits(e), self._integer(e, 32)), ADD) for e in bounds]
        return "int32_t", start, stop

    def value(self, exp: Exp) -> str:
        """The text of a value that is assigned, in its own lanes."""
        if self.is_narrow(exp):
            return self._integer(exp, 32)[0]
        if isinstance(exp, Sum) and self.in_loop:
            return self._grouped(exp)
        if isinstance(exp, Call) and self.in_lanes and self._is_of_bytes(exp):
            return self._byte(exp)[0]
        return self.text(exp)

    def _is_of_bytes(self, exp: Exp) -> bool:
        """Whether a condition joins conditions in memory and bits of integers, as bytes."""
        if isinstance(exp, Call) and exp.op in _JOINING:
            return all(self._is_of_bytes(arg) for arg in exp.args)
        if isinstance(exp, Call) and exp.op is p.NEQI and isinstance(exp.args[1], Const):
            return exp.args[1].value == 0 and self.ranges.integers(exp.args[0]).within(Interval(0, 1))
        return exp.ty is Base.BOOL and isinstance(exp, Read | Var)

    def _byte(self, exp: Exp) -> Text:
        """A condition of bytes by operations on their bits."""
        if isinstance(exp, Call) and exp.op is p.NEQI:
            return cast(STORAGE_TYPES["uint8"], *self._integer(exp.args[0], 32))
        if isinstance(exp, Call):
            text, level = _JOINING[exp.op]
            left, right = [self._byte(arg) for arg in exp.args]
            return f"{grouped(left, level)} {text} {grouped(right, UNARY)}", level
        if isinstance(exp, Read):
            return f"{self.spell(exp.buffer)}[{self.text(exp.index)}]", PRIMARY
        return self.text(exp), PRIMARY

    def _grouped(self, exp: Sum) -> str:
        """A sum of 64 bits, its narrow terms added first in 32."""
        narrow = tuple([(atom, k) for atom, k in exp.terms if self.is_narrow(atom)])
        part = Sum(exp.const, narrow)
        if len(narrow) < 2 or len(narrow) == len(exp.terms) or not self.is_narrow(part):
            return self.text(exp)
        wide = Sum(0, tuple([term for term in exp.terms if term not in narrow]))
        print_wide = lambda atom, level: grouped(self._integer(atom, 64), level)  # noqa: E731
        return f"{self._sum(wide, print_wide)} + (int64_t)({self._integer(part, 32)[0]})"

    # --- expressions ---

    def _print(self, exp: Exp) -> Text:
        if not self.in_loop:
            return super()._print(exp)
        if exp.ty is Base.INT:
            return self._integer(exp, 64)
        if isinstance(exp, Call) and exp.op is p.I2D:
            given = exp.args[0]
            if isinstance(given, Call) and given.op is p.B2I and not isinstance(given.args[0], Read):
                return f"{self.text(given.args[0], CONDITION + 1)} ? 1.0 : 0.0", CONDITION
            return self._real(given)
        if isinstance(exp, Select) and exp.ty in CHOSEN and self.in_lanes and _is_chain(exp):
            return self._chain(exp, self.text, SELECT[CHOSEN[exp.ty]])
        if isinstance(exp, Call) and exp.op is CHARACTER and self.is_narrow(exp.args[0]):
            return cast("uint32_t", *self._integer(exp.args[0], 32))
        if self.in_lanes and (groups := self._groups_of_tests(exp)):
            parts = [" | ".join([f"({self.text(test)})" for test in tests]) for tests in groups]
            return " ^ ".join([f"({part})" for part in parts]), XOR
        return super()._print(exp)

    def _groups_of_tests(self, exp: Exp) -> list[list[Call]]:
        """Comparisons of a number with constants of which gcc would make a test of a bit, in groups."""
        tests = exclusive(exp)
        values = sorted(tests)
        found = None
        for number in [arg for value in values[:1] for arg in tests[value].args]:
            if number.ty is Base.INT and not isinstance(number, Const):
                found = self.ranges.integers(number)
        return [[tests[value] for value in group] for group in groups_without_bits(values, found)]

    def _real(self, exp: Exp) -> Text:
        """An integer as a double, where it has 64 bits and may be in lanes by a function."""
        bits = self._bits(exp)
        text, own = self._integer(exp, bits)
        if bits == 32 or not self.in_lanes:
            return cast("double", text, own)
        is_small = self.ranges.integers(exp).within(EXACT)
        return f"{'aplc_real_of_small' if is_small else 'aplc_real_of'}({text})", PRIMARY

    def _call(self, exp: Call) -> Text:
        if exp.op is DIVIDE:
            return self._quotient(*exp.args)
        if exp.op is p.RESI and self._has_remainder(*exp.args):
            return super()._call(replace(exp, op=REM, args=exp.args[::-1]))
        if exp.op in self.in_turn and self.in_loop and not self.in_lanes and bounded_by(exp) is None:
            x, y = exp.args
            return f"{self.in_turn[exp.op]}({self.text(x)}, {self.text(y)})", PRIMARY
        ranged = self._in_range(exp)
        return super()._call(exp) if ranged is None else (ranged, PRIMARY)

    def _has_remainder(self, divisor: Exp, dividend: Exp) -> bool:
        """Whether a residue is the remainder of C, by a constant, which compilers know how to make."""
        return isinstance(divisor, Const) and divisor.value > 0 and self.ranges.integers(dividend).low >= 0

    def _not(self, cond: Exp) -> Text:
        if self.in_lanes and self._groups_of_tests(cond):
            return f"!({self.text(cond)})", UNARY
        ranged = self._in_range(cond)
        return super()._not(cond) if ranged is None else (f"!{ranged}", UNARY)

    def _in_range(self, exp: Exp) -> str | None:
        """The text of `1 ≤ x ≤ n` as one comparison of 64 bits, outside of lanes."""
        match exp:
            case Call(
                op=p.ANDB, args=(Call(op=p.GTEI, args=(x, Const(value=1))), Call(op=p.LTEI, args=(y, n)))
            ) if x is y and not self.in_lanes:
                is_long = self._bits(x) == 64 and not isinstance(n, Const)
                if is_long and self.ranges.integers(n).low >= 0:
                    return f"aplc_in_range({self._integer(x, 64)[0]}, {self._integer(n, 64)[0]})"
        return None

    def _infix(self, text: str, precedence: int, args: tuple[Exp, ...]) -> str:
        """Comparisons of integers in the lanes of the wider operand."""
        if text not in _COMPARISONS or not all(self.is_narrow(a) for a in args):
            return super()._infix(text, precedence, args)
        width = max([self.ranges.width(a) for a in args])
        left, right = [self._compared(a, width) for a in args]
        return f"{grouped(left, precedence + 1)} {text} {grouped(right, precedence + 1)}"

    def is_narrow(self, exp: Exp) -> bool:
        """Whether an expression is an integer that is computed in 32 bits here."""
        return self.in_loop and exp.ty is Base.INT and self._bits(exp) == 32

    def _bits(self, exp: Exp) -> int:
        """Whether C computes an integer in 32 bits or in 64."""
        return 32 if self.in_loop and self.ranges.width(exp) <= 32 else 64

    def _compared(self, exp: Exp, width: int) -> Text:
        """An operand of a comparison; what C computed in 32 bits is narrowed to its lanes."""
        text, own = self._integer(exp, 32)
        if width == 32 or isinstance(exp, Const | Var | Read):
            return text, own
        return cast(STORAGE_TYPES[storage_for(self.ranges.integers(exp), width)], text, own)

    def _integer(self, exp: Exp, wanted: int) -> Text:
        """An integer, of C's type of 32 bits after promotion, or of 64; at least as wide as it must be."""
        bits = max(wanted, self._bits(exp))
        match exp:
            case Const(value=value, ty=ty):
                text = print_constant(value, ty)
                return text, UNARY if text.startswith("-") else PRIMARY
            case Var(name=name):
                return of_bits(bits, self.ranges.widths.get(name, 64), (self.spell(exp), PRIMARY))
            case Read(buffer=buffer, index=index):
                element = f"{self.spell(buffer)}[{self.text(index)}]"
                return of_bits(bits, width_of(buffer.storage), (element, PRIMARY))
            case Sum():
                return self._sum(exp, lambda atom, level: grouped(self._integer(atom, bits), level)), ADD
            case Select() if self.in_lanes and _is_chain(exp):
                return self._chain(exp, lambda branch: self._integer(branch, bits)[0], SELECT[bits])
            case Select() if self.in_lanes and bits > self._bits(exp):  # in the lanes of its condition
                return of_bits(bits, self._bits(exp), self._integer(exp, self._bits(exp)))
            case Select(cond=cond) if (x := self._made_integer(exp)) is not None:
                test, zero = self.text(cond, CONDITION + 1), self.text(ZERO)
                zero = (self.bounds or {}).get(zero, zero)
                return self._whole(f"{test} ? {self.text(x)} : {zero}", CONDITION, bits)
            case Select(cond=cond, then=then, other=other):
                first, second = self._integer(then, bits), self._integer(other, bits)
                if bits == 64 and isinstance(then, Const) and isinstance(other, Const):
                    first = cast("int64_t", *first)
                text = f"{self.text(cond, CONDITION + 1)} ? {first[0]} : {grouped(second, CONDITION)}"
                return text, CONDITION
            case PureCall(function=function) if function in NARROW_PLACES and self._is_place_of_32(exp):
                text, own = super()._print(replace(exp, function=f"{function}32"))
                return of_bits(bits, 32, (text, own))
            case PureCall():
                return of_bits(bits, 64, super()._print(exp))
            case Call():
                return self._operator(exp, bits)
            case _:
                return super()._print(exp)

    def _chain(self, exp: Exp, leaf: Callable[[Exp], str], function: str) -> Text:
        """Choices inside choices, each by a function of values: gcc would make a table, and then no lanes."""
        if not isinstance(exp, Select):
            return leaf(exp), CONDITION
        branches = [self._chain(branch, leaf, function)[0] for branch in (exp.then, exp.other)]
        return f"{function}({self.text(exp.cond)}, {', '.join(branches)})", PRIMARY

    def _is_place_of_32(self, exp: PureCall) -> bool:
        """Whether what is searched for, and the constants, have 32 bits at most."""
        searched, first, count = exp.args
        if not self.in_loop or not isinstance(first, Const) or not isinstance(count, Const):
            return False
        begin, length = int(first.value), int(count.value)
        fits = Interval(begin, begin + length).within(INT32) and length < INT32.high  # the place behind all
        return fits and (searched.ty is Base.CHAR or self.is_narrow(searched))

    def _operator(self, exp: Call, bits: int) -> Text:
        """An integer operator at a number of bits."""
        op, args = exp.op, exp.args
        if op in (p.B2I, ALARM):
            return self._flag(args[0], bits)
        if op is SMALL:
            return of_bits(bits, 64, self._integer(args[0], 64))
        if op in LOW_BITS and bits == 32 and self._has_count(exp):
            return self._of_low_bits(exp)
        if op is p.MULI and (chosen := self._chosen(args)) is not None:
            is_short = self.in_lanes and bits == 32 and self.ranges.width(exp) <= 16
            is_short &= self.ranges.integers(exp).within(STORAGES["int16"])
            name = f"aplc_where_int{16 if is_short else 32 if bits == 32 else ''}"
            return f"{name}({chosen[0]}, {self._integer(chosen[1], bits)[0]})", PRIMARY
        if op in _ARITHMETIC:
            text, level = _ARITHMETIC[op]
            left, right = [self._integer(a, bits) for a in args]
            return f"{grouped(left, level)} {text} {grouped(right, level + 1)}", level
        if op in NARROW and bits == 32:
            width = self.ranges.width(exp)
            own = f"{NARROWER[op]}{self._storage((exp, *args), width)}" if op in NARROWER else NARROW[op]
            return f"{own}({', '.join([self._integer(a, 32)[0] for a in args])})", PRIMARY
        if op is p.RESI or (op is REM and bits == 32):
            divisor, dividend = args if op is p.RESI else args[::-1]
            return of_bits(bits, self._bits(exp), self._residue(divisor, dividend, self._bits(exp)))
        if op is FLOOR_QUOT or (op is QUOT and bits == 32):
            return of_bits(bits, self._bits(exp), self._floor_quotient(args[0], args[1], self._bits(exp)))
        if op is BIT_FIELD and bits == 32 and self.ranges.integers(args[1]).within(Interval(0, 31)):
            of, position, mask = [self._integer(a, 32) for a in args]
            return f"{grouped(of, UNARY)} >> {grouped(position, UNARY)} & {grouped(mask, UNARY)}", AND
        if op is PIECE and bits == 32:
            return f"aplc_piece32({', '.join([self._integer(a, 32)[0] for a in args])})", PRIMARY
        if op is FLOOR_QUOT64 and self.in_lanes and isinstance(args[1], Const):
            return of_bits(bits, 64, self._any_quotient(args[0], int(args[1].value)))
        has_integer_of = bits == 64 and self.in_lanes and self.has_integer_of()
        if op is SNAP_QUOT64 and has_integer_of and is_divisor(args[2]):
            tolerance, x, y = self.text(args[0]), *[self._integer(a, 64)[0] for a in args[1:]]
            return f"aplc_snap_quot_in_lanes({tolerance}, {x}, {y})", PRIMARY
        if op is TRUNCATE:
            return self._whole(*self._print(args[0]), bits)
        return of_bits(bits, 64, super()._call(exp))

    def _made_integer(self, exp: Exp) -> Exp | None:
        """The double of which an integer is made in lanes, where a condition holds. Of a zero that gcc does
        not know it makes no branch, which keeps what reads at that place from lanes.
        """
        return integer_or_zero(exp) if self.in_lanes and self.bounds else None

    def _whole(self, text: str, level: int, bits: int) -> Text:
        """A double cut off to an integer."""
        if bits == 64 and self.in_lanes and self.has_integer_of():
            return f"aplc_integer_of({text})", PRIMARY
        return cast(f"int{bits}_t", text, level)

    def has_integer_of(self) -> bool:
        """Whether doubles become integers of 64 bits in lanes by a function."""
        return True

    def _storage(self, exps: tuple[Exp, ...], width: int) -> str:
        """The C type of so many bits that holds integers; more bits if they need them."""
        first, *others = [self.ranges.integers(exp) for exp in exps]
        for other in others:
            first = first.hull(other)
        return storage_for(first, width)

    def _has_count(self, exp: Call) -> bool:
        """Whether an operator on 32 bits is no shift, or one by less than 32."""
        is_shift = exp.op in (SHIFT_LEFT, SHIFT_RIGHT)
        return not is_shift or self.ranges.integers(exp.args[1]).within(Interval(0, 31))

    def _of_low_bits(self, exp: Call) -> Text:
        """An operator on the low bits of integers."""
        op, operands = exp.op, [self._low_bits(arg) for arg in exp.args]
        if op is SHIFT_LEFT:
            return f"aplc_shift_left_int32({', '.join([text for text, _ in operands])})", PRIMARY
        if op is p.NOTI32:
            return f"~{grouped(operands[0], UNARY)}", UNARY
        text, level = _BITS[op]
        return f"{grouped(operands[0], UNARY)} {text} {grouped(operands[1], UNARY)}", level

    def _low_bits(self, exp: Exp) -> Text:
        """The low 32 bits of an integer; those of a sum or product come from those of its operands."""
        if self._bits(exp) == 32 or isinstance(exp, Const):
            return self._integer(low_part(exp), 32)
        if isinstance(exp, Sum) and has_small_constants(exp):
            return self._sum(exp, lambda atom, level: grouped(self._low_bits(atom), level)), ADD
        if isinstance(exp, Call) and exp.op is p.MULI:
            if (chosen := self._chosen(exp.args)) is not None:
                return f"aplc_where_int32({chosen[0]}, {self._low_bits(chosen[1])[0]})", PRIMARY
            left, right = [self._low_bits(arg) for arg in exp.args]
            return f"{grouped(left, MULTIPLY)} * {grouped(right, UNARY)}", MULTIPLY
        return cast("int32_t", *self._integer(exp, 64))

    def _chosen(self, factors: tuple[Exp, ...]) -> tuple[str, Exp] | None:
        """The condition by which one factor chooses the other or zero, and the other."""
        for factor, other in (factors, factors[::-1]):
            if isinstance(factor, Call) and factor.op is p.B2I:
                return self.text(factor.args[0]), other
            if isinstance(factor, Var) and self.ranges.integers(factor).within(BITS):
                return self._integer(factor, 32)[0], other
        return None

    def _flag(self, cond: Exp, bits: int) -> Text:
        """A condition as a number; in memory it is one."""
        return of_bits(bits, 32, self._zero_or_one(cond))

    def _zero_or_one(self, cond: Exp) -> Text:
        """A condition as a number. Of sums of `c ? x != 0 : false` gcc 12 makes wrong vectors."""
        match cond:
            case Read(buffer=buffer, index=index):
                return f"{self.spell(buffer)}[{self.text(index)}]", PRIMARY
            case Const(value=value):
                return str(int(value)), PRIMARY
            case Select(cond=which, then=then, other=other):
                first, second = self._zero_or_one(then), self._zero_or_one(other)
                text = f"{self.text(which, CONDITION + 1)} ? {first[0]} : {grouped(second, CONDITION)}"
                return text, CONDITION
            case _:
                return self._print(cond)


def low_part(exp: Exp) -> Exp:
    """A constant as its low 32 bits say it, another integer as it is."""
    if not isinstance(exp, Const):
        return exp
    return replace(exp, value=wrap(int(exp.value), 32))


def has_small_constants(exp: Sum) -> bool:
    """Whether no constant of a sum makes more than 32 bits of it."""
    return all(abs(k) < 2**31 for k in (exp.const, *[k for _, k in exp.terms]))


SELECT = {0: "aplc_select", 32: "aplc_select_int32", 64: "aplc_select_int"}
"""Functions that choose one of two values, by the bits of integers."""

CHOSEN = {Base.DOUBLE: 0, Base.CHAR: 32}
"""Which of them chooses values that are no integers."""

LEAST_LINKS = 3
"""So many choices inside each other become a table."""


def _is_chain(exp: Select) -> bool:
    """Whether a choice has others for its branches, by whether something is this constant or that, down to
    constants and variables: gcc would make a table of them.
    """
    chosen: list[Exp] = [exp]
    links = 0
    while chosen:
        branch = chosen.pop()
        if isinstance(branch, Select):
            links += 1
            if not isinstance(branch.cond, Var) and not _is_constant(branch.cond):
                return False
            chosen += [branch.then, branch.other]
        elif not isinstance(branch, Const | Var):
            return False
    return links >= LEAST_LINKS


def _is_constant(cond: Exp) -> bool:
    """Whether a condition is that something is a constant, with nothing to read."""
    if not isinstance(cond, Call) or cond.op not in (p.EQI, p.EQC):
        return False
    return any(isinstance(arg, Const) for arg in cond.args) and not contains(Read | PureCall, cond)
