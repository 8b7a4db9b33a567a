"""Quotients and residues in loops, by what is known of both operands, in forms that take little time.

C divides integers one by one. Vectors divide doubles, and floats where these suffice, and by a constant they
multiply. `LanePrinter` has all other expressions.

Note [Doubles over constants]
    A division takes a processor as long as ten products, so a double over a constant c is two:

        x / c   →   aplc_over(x, c, h, l)   =   fma(x, h, x * l)

    where h is 1÷c rounded toward zero and l what that leaves, rounded. Together they have some 106 bits of
    1÷c, and the sum is rounded once, so the result is the quotient wherever this is a double, and for others
    but where the quotient lies within 2⁻⁵² of the distance between two doubles of their middle; of random
    ones none has been seen to differ. As both have one sign, infinity stays infinity. What is lost is the
    last bit of some of the numbers that have few bits, those below 10⁻²⁹². So with `--strict-fp` there are
    none, nor where the machine has no such operation. (Brisebarre, Muller and Raina, "Accelerating correctly
    rounded floating-point division when the divisor is known in advance", 2004.)
"""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction

from aplc.backends.c.expressions import ADD, AND, MULTIPLY, PRIMARY, UNARY, ExpPrinter, Spell, print_constant
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Const, Exp, Sum
from aplc.tail.types import Base

SHIFT = 11

FLOATS = Interval(-(2**23), 2**23)
"""Operands of which floats compute quotients and remainders."""
POSITIVE_FLOATS = Interval(0, 2**24)
"""The same where the product of divisor and quotient is no greater than the operand."""
DOUBLES = Interval(-(2**52), 2**52)
"""Operands of which doubles compute them."""

LARGEST_DIVISOR = 2**62
"""Below it there are residues in lanes by a constant of what is no double."""

MODERATE = 900
"""Constants between two to this power and its inverse have reciprocals of which both parts are doubles."""

Text = tuple[str, int]
"""The text of an expression and its precedence."""


class DivisionPrinter(ExpPrinter):
    """Prints quotients and residues of integers that others print."""

    def __init__(self, spell: Spell) -> None:
        super().__init__(spell)
        self.ranges = Ranges()
        self.in_lanes = False
        """Whether the loop has no branches, so that it may run in lanes."""
        self.in_loop = False
        self.waits = False
        """Whether the next round of a loop waits for what is printed: then quotients of integers, which have
        no lanes, take less time than those of doubles.
        """
        self.multiplies = False
        """Whether quotients of doubles by constants are products: Note [Doubles over constants]."""

    @abstractmethod
    def _integer(self, exp: Exp, wanted: int) -> Text:
        """An integer, of C's type of 32 bits after promotion, or of 64; at least as wide as it must be."""

    def _residue(self, divisor: Exp, dividend: Exp, bits: int) -> Text:
        """`x|y`, by what is known of x and y."""
        x, y = self.ranges.integers(divisor), self.ranges.integers(dividend)
        by = self._integer(divisor, bits)
        is_constant = isinstance(divisor, Const) and x.low > 0
        lift = -int(y.low // x.low) if is_constant and y.low < 0 else 0
        if lift and bits == 32 and y.high + lift * x.low <= INT32.high and int(x.low).bit_count() > 1:
            return f"aplc_residue_unsigned({by[0]}, {self._lifted(dividend, lift * int(x.low))})", PRIMARY
        of = self._integer(dividend, bits)
        if is_constant:
            if int(x.low).bit_count() == 1:
                return f"{grouped(of, ADD)} & {int(x.low) - 1}", AND
            if self.in_lanes and bits == 32 and y.within(Interval(0, 4 * x.low - 1)):
                return f"aplc_residue_near32({by[0]}, {of[0]})", PRIMARY
            if self.in_lanes and bits == 64 and 1 < x.low < LARGEST_DIVISOR:
                are_doubles = x.within(DOUBLES) and y.within(DOUBLES)
                return f"aplc_residue_by{52 if are_doubles else 64}({by[0]}, {of[0]})", PRIMARY
            if y.low >= 0 and (bits == 32 or self.waits or not y.within(DOUBLES)):
                return f"{grouped(of, MULTIPLY)} % {grouped(by, UNARY)}", MULTIPLY
            if bits == 32:
                return f"aplc_residue_by({by[0]}, {of[0]})", PRIMARY
        if bits == 32:
            limit = POSITIVE_FLOATS if x.low > 0 and y.low >= 0 else FLOATS
            name = "aplc_residue24" if x.within(limit) and y.within(limit) else "aplc_residue32"
        else:
            name = "aplc_residue52" if x.within(DOUBLES) and y.within(DOUBLES) else "aplc_residue_int"
        return f"{name}({by[0]}, {of[0]})", PRIMARY

    def _lifted(self, exp: Exp, lift: int) -> str:
        """An integer of 32 bits and a constant, which together are not negative."""
        terms = exp.terms if isinstance(exp, Sum) else ((exp, 1),)
        const = exp.const if isinstance(exp, Sum) else 0
        return self._integer(Sum(const + lift, terms), 32)[0]

    def _floor_quotient(self, dividend: Exp, divisor: Exp, bits: int) -> Text:
        """`⌊x÷y` for a positive y."""
        x, y = self.ranges.integers(dividend), self.ranges.integers(divisor)
        k = int(divisor.value) if isinstance(divisor, Const) else 0
        lift = -int(x.low // k) if k and x.low < 0 else 0
        if lift and bits == 32 and x.high + lift * k <= INT32.high and k & (k - 1):
            return f"aplc_quot_unsigned({self._lifted(dividend, lift * k)}, {k}) - {lift}", ADD
        of, by = self._integer(dividend, bits), self._integer(divisor, bits)
        if k:
            if k & (k - 1) == 0:
                return f"{grouped(of, UNARY)} >> {k.bit_length() - 1}", SHIFT
            if bits == 32 and x.low >= 0:
                return f"{grouped(of, MULTIPLY)} / {k}", MULTIPLY
            if bits == 32:
                return f"aplc_floor_quot_by({of[0]}, {k})", PRIMARY
        if bits == 32:
            name = "aplc_floor_quot24" if x.within(FLOATS) and y.within(FLOATS) else "aplc_floor_quot32"
        else:
            name = "aplc_floor_quot53"
        return f"{name}({of[0]}, {by[0]})", PRIMARY

    def inverse(self, divisor: Exp) -> tuple[str, str] | None:
        """The two parts of the inverse of a constant, where quotients by it are products."""
        if not (self.multiplies and self.in_loop and isinstance(divisor, Const)):
            return None
        parts = reciprocal(divisor.value)
        return parts and (print_constant(parts[0], Base.DOUBLE), print_constant(parts[1], Base.DOUBLE))

    def _quotient(self, dividend: Exp, divisor: Exp) -> Text:
        """`x÷y` of doubles."""
        parts = self.inverse(divisor)
        if parts is None:
            return self._infix("/", MULTIPLY, (dividend, divisor)), MULTIPLY
        return f"aplc_over({', '.join([self.text(dividend), self.text(divisor), *parts])})", PRIMARY

    def _any_quotient(self, dividend: Exp, k: int) -> Text:
        """`⌊x÷k` without a branch."""
        of = self._integer(dividend, 64)[0]
        if k & (k - 1) == 0:
            return f"aplc_floor_shift64({of}, {k.bit_length() - 1})", PRIMARY
        return f"aplc_floor_quot53({of}, {print_constant(k, Base.INT)})", PRIMARY


def reciprocal(divisor: float) -> tuple[float, float] | None:
    """The two parts of an inverse in Note [Doubles over constants]; none for powers of two, whose
    inverses are doubles, and for what is too large or small.
    """
    fraction, exponent = math.frexp(divisor)
    if not 0.5 < abs(fraction) < 1 or abs(exponent) > MODERATE:
        return None
    inverse = 1 / Fraction(divisor)
    high = 1 / divisor
    if abs(Fraction(high)) > abs(inverse):
        high = math.nextafter(high, 0)
    return high, float(inverse - Fraction(high))


def is_divisor(exp: Exp) -> bool:
    """Whether an integer is a constant other than 1, by which quotients have fewer bits."""
    return isinstance(exp, Const) and exp.value > 1


def grouped(text: Text, precedence: int) -> str:
    """A text in parentheses if it binds less tightly than asked for."""
    return f"({text[0]})" if text[1] < precedence else text[0]


def cast(ty: str, text: str, own: int) -> Text:
    """A text of a precedence of its own as another type."""
    return f"({ty}){grouped((text, own), UNARY)}", UNARY


def of_bits(bits: int, has: int, text: Text) -> Text:
    """A text of C's type with `has` bits as one of 32 or 64."""
    return text if (has <= 32) == (bits == 32) else cast(f"int{bits}_t", *text)
