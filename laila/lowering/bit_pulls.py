"""Pull arrays whose elements are bits of numbers: their scans, and numbers that they are put together to.

See `aplc.laila.ir.bit_slices`, which finds what all bits have in common.

Note [Sets of bits]
    `(⍳9)∊w` asks for nine numbers only. Those of them that `w` has are bits of one number, and no table of
    the elements of `w` is made. So it is where all elements of either side lie within 64 numbers that follow
    one another, as letters and digits do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.laila.ir.bit_slices import UNSIGNED, bits_together, scan_of_bits
from aplc.laila.ir.interval import FULL
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import BIT_AT, BIT_FIELD, Const, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.pull import Pull
from aplc.tail import prims as p
from aplc.tail.types import Base

FEWEST = 4
"""Fewer digits in base 2 are put together one by one."""

PLACES = 64
"""The bits of a number."""

GREATEST = int(FULL.high)


def number_of_bits(
    make: ExprBuilder, radix: Callable[[Exp], Exp], digit: Callable[[Exp], Exp], count: Exp
) -> Exp | None:
    """Digits in base 2 that are made of the bits of words, as a word."""
    if not isinstance(count, Const) or not FEWEST <= count.value <= UNSIGNED:
        return None
    index = make.index("k", count)
    base = radix(index)
    if not (isinstance(base, Const) and base.value == 2):
        return None
    return bits_together(make, index, int(count.value), digit(index))


def scanned_bits(a: Pull, apply: Callable[..., Exp]) -> Pull | None:
    """A scan along the last axis of bits of numbers, as bits of others."""
    make, count = a.make, a.shape[-1]
    if not isinstance(count, Const) or count.value < FEWEST or a.weight.may_fail:
        return None
    index, known = make.index("k", count), int(count.value)

    def scanned(outer: tuple[Exp, ...]) -> Callable[[Exp], Exp] | None:
        return scan_of_bits(make, apply, index, known, a.at(*outer, index))

    def element(ix: tuple[Exp, ...]) -> Exp:
        of_index = scanned(ix[:-1])
        assert of_index is not None
        return of_index(ix[-1])

    sample = scanned(tuple([make.sample_index(n) for n in a.shape[:-1]]))
    return None if sample is None else Pull(make, a.ty, a.shape, axes=element)


@dataclass(frozen=True, slots=True)
class BitSet:
    """A set of integers or characters, which are bits of a number from the least of 64 on: see Note [Sets of
    bits].
    """

    make: ExprBuilder
    least: int

    def bit(self, x: Exp) -> Exp:
        """The set of one element; nothing if it is none of the 64."""
        return self.make.call(BIT_AT, *self._place(x))

    def has(self, bits: Exp, x: Exp) -> Exp:
        """Whether a set has an element."""
        is_near, place = self._place(x)
        bit = self.make.call(BIT_FIELD, bits, place, self.make.one)
        return self.make.call(p.ANDB, is_near, self.make.call(p.NEQI, bit, self.make.zero))

    def _place(self, x: Exp) -> tuple[Exp, Exp]:
        make = self.make
        number = make.call(p.C2I, x) if x.ty is Base.CHAR else x
        least, greatest = make.const(self.least), make.const(self.least + PLACES - 1)
        is_near = make.call(p.ANDB, make.call(p.GTEI, number, least), make.call(p.LTEI, number, greatest))
        return is_near, make.sub(number, least)


def bit_set(make: ExprBuilder, *arrays: Pull) -> BitSet | None:
    """The bits of a set, if the elements of one of the arrays are bits of one number."""
    for array in arrays:
        if array.ty not in (Base.INT, Base.CHAR):
            continue
        values = Ranges(is_single=make.settings.is_single).of(array.sample())
        if values is not None and not values.is_empty and values.high - values.low < PLACES:
            return BitSet(make, min(int(values.low), GREATEST - PLACES + 1))
    return None
