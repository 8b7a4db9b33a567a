"""Takes the bits of a number that are moved, or combined by ≠, for the whole word at once.

    b₃ + 2×b₃≠b₂ + 4×b₃≠b₂≠b₁ + …     →     x = n & 15;  x = x ^ x>>1;  x = x ^ x>>2;  x
    b₂ + 2×b₃ + 4×b₀ + 8×b₁           →     (n>>2 & 3) + 4×(n & 3)

where bₖ is bit k of n. A number whose bits are combinations by ≠ of bits of other numbers is a linear map
over the field of two elements. All that goes from bit k+d to bit k for some k is one shift by d and one mask:
a diagonal of the matrix of the map. Where each bit takes all bits above it, or below it, as running ≠ gives
them, the distances are doubled: few shifts make the prefixes of all (Hillis and Steele, Data parallel
algorithms, 1986).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.bit_slices import UNSIGNED, fold_without_bits, shifted
from aplc.laila.ir.program import Program, Statement
from aplc.laila.ir.scalar import BIT_FIELD, BIT_XOR, Call, Const, Exp, Fold, Sum, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

FEWEST = 4
"""A sum of fewer bits stays one."""

Bits = dict[Exp, int]
"""Of some numbers the bits, as masks, that ≠ combines."""


def with_bits_together(program: Program, make: ExprBuilder) -> Program:
    """The program with the bits of words together where it takes them one by one."""
    words = _Words(make)

    def block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple([words.gathered(with_bodies(s, block)) for s in statements])

    return with_blocks(program, block)


@dataclass(slots=True)
class _Words:
    make: ExprBuilder
    known: dict[Exp, Bits | None] = field(default_factory=dict)

    def gathered(self, statement: Statement) -> Statement:
        """A statement with the sums and folds of bits in it as words."""
        found: dict[Exp, Exp] = {}
        for node in nodes(*own_expressions(statement)):
            if isinstance(node, Fold) and (value := fold_without_bits(self.make, node)) is not None:
                found[node] = value
            if isinstance(node, Sum) and len(node.terms) >= FEWEST and (word := self.word(node)) is not None:
                found[node] = word
        return rebuilt(statement, Substitute(self.make, found)) if found else statement

    def word(self, total: Sum) -> Exp | None:
        """A sum of bits with their places, if fewer operations make it."""
        make = self.make
        rows: dict[int, Bits] = {}
        rest: Exp = make.const(total.const)
        for atom, weight in total.terms:
            place = weight.bit_length() - 1
            bits = self.bits(atom) if 0 < weight == 1 << place <= 1 << UNSIGNED else None
            if not bits or place in rows:
                rest = make.add(rest, make.mul(make.const(weight), atom))
            else:
                rows[place] = bits
        words: Exp = make.zero
        operations = 0
        for number in dict.fromkeys([n for bits in rows.values() for n in bits]):
            own = {place: bits[number] for place, bits in rows.items() if bits.get(number)}
            word, some = self.mapped(number, own)
            operations += some
            words = word if words is make.zero else make.call(BIT_XOR, words, word)
        return make.add(rest, words) if rows and operations < len(rows) else None

    def bits(self, exp: Exp) -> Bits | None:
        """An integer, or a truth value, as a combination of bits by ≠."""
        if exp not in self.known:
            for node in nodes(exp, below=lambda e: () if e in self.known else _combined(e)):
                if node not in self.known:
                    self.known[node] = self.of(node)
        return self.known[exp]

    def of(self, exp: Exp) -> Bits | None:
        """The same for a node, of whose operands it is known."""
        match exp:
            case Call(op=op, args=(number, Const(value=place), Const(value=1))) if op is BIT_FIELD:
                return {number: 1 << int(place)} if place <= UNSIGNED else None
            case Const(value=0):
                return {}
            case _:
                operands = _combined(exp)
        result: Bits = {}
        for operand in operands:
            bits = self.known[operand]
            if bits is None:
                return None
            for number, mask in bits.items():
                result[number] = result.get(number, 0) ^ mask
        return result if operands else None

    def mapped(self, number: Exp, rows: dict[int, int]) -> tuple[Exp, int]:
        """The word whose bits are combinations of those of a number, and how many masks that takes."""
        running = self.running(number, rows)
        if running is not None:
            return running
        make = self.make
        diagonals: dict[int, int] = {}
        for place, mask in rows.items():
            for bit in range(mask.bit_length()):
                if mask >> bit & 1:
                    diagonals[bit - place] = diagonals.get(bit - place, 0) | 1 << place
        result: Exp = make.zero
        for distance, places in sorted(diagonals.items()):
            part = shifted(make, number, distance, places)
            result = part if result is make.zero else make.call(BIT_XOR, result, part)
        return result, len(diagonals)

    def running(self, number: Exp, rows: dict[int, int]) -> tuple[Exp, int] | None:
        """The word, if each place of it takes all bits of a number from one on, or up to one."""
        make = self.make
        every = 0
        for mask in rows.values():
            every |= mask
        lowest, highest = (every & -every).bit_length() - 1, every.bit_length() - 1
        (place, first), *_ = rows.items()
        for is_upward in (False, True):
            edge = first.bit_length() - 1 if is_upward else (first & -first).bit_length() - 1
            distance = edge - place

            def wanted(place: int, up: bool = is_upward, distance: int = distance) -> int:
                return _ones(lowest, place + distance) if up else _ones(place + distance, highest)

            if any(mask != wanted(place) for place, mask in rows.items()):
                continue
            x = make.call(BIT_FIELD, number, make.zero, make.const(every))
            step = 1
            while step <= highest - lowest:
                moved = shifted(make, x, -step if is_upward else step, _ones(lowest, highest))
                x = make.call(BIT_XOR, x, moved)
                step *= 2
            places = sum([1 << place for place in rows])
            return shifted(make, x, distance, places), step.bit_length()
        return None


def _ones(low: int, high: int) -> int:
    """The mask of some places, inclusive."""
    return (1 << high + 1) - (1 << low) if low <= high else 0


def _combined(exp: Exp) -> tuple[Exp, ...]:
    """The operands of which ≠ makes a bit, or a truth value."""
    match exp:
        case Call(op=op, args=args) if op in (BIT_XOR, p.NEQB, p.NEQI, p.B2I):
            return args
        case _:
            return ()
