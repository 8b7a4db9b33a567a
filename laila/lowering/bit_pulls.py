"""Pull arrays whose elements are bits of numbers: their scans, and numbers that they are put together to.

See `aplc.laila.ir.bit_slices`, which finds what all bits have in common.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.bit_slices import UNSIGNED, bits_together, scan_of_bits
from aplc.laila.ir.scalar import Const, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.pull import Pull

FEWEST = 4
"""Fewer digits in base 2 are put together one by one."""


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
