"""Products of truth values in words: rows and columns are packed, 64 steps in a word.

    c[i;j] = REDUCE addi over k < n { b2i(a[i;k] ∧ b[k;j]) }
    →   MAP left[i;w] = REDUCE addi over b < 64 { a[i;64×w+b] at bit b }     over i, w < ⌈n÷64⌉
        MAP right[w;j] = REDUCE addi over b < 64 { b[64×w+b;j] at bit b }    over j, w < ⌈n÷64⌉
        c[i;j] = REDUCE addi over w { bitcount(left[i;w] bitand right[w;j]) }

Words of one column stand one below the other: those of several columns are counted side by side, in lanes
where the processor has an instruction for these.

This is so for every function of two truth values between them, which its four values tell, and for sums,
`∨` and `∧` over the steps: bits behind the last step are 0 in both words, and the function is turned around
where it would give 1 for these. As many conditions hold as bits are counted; one does where a word is not 0.

Rows that another fold skips (`⍵×⍵+.×⍵` of truth values) are not counted at all. Sides that are short, or few
steps, are left as they are; the run knows which those are.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.program import Alloc, Free, HostLet, Map, Program, Space, Statement
from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_AT,
    BIT_COUNT,
    BIT_OR,
    BIT_XOR,
    QUOT,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    Site,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks
from aplc.laila.ir.strides import wants_inner
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.products.fold_products import Axes, Block, FoldProducts
from aplc.laila.transform.products.recognition import parts_of
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WORD = 64
LEAST_SIDE, LEAST_STEPS = 16, 64
"""So many rows and columns, and so many steps, make words worth it."""

WORDS: dict[tuple[int, ...], tuple[Prim, bool, bool]] = {
    (0, 0, 0, 1): (BIT_AND, False, False),
    (0, 0, 1, 0): (BIT_AND, False, True),
    (0, 1, 0, 0): (BIT_AND, True, False),
    (0, 1, 1, 0): (BIT_XOR, False, False),
    (0, 1, 1, 1): (BIT_OR, False, False),
}
"""For the values of a function at 00, 01, 10 and 11 that of words, and which sides are negated for it."""


@dataclass(frozen=True, slots=True)
class _Term:
    """What is counted in a product: bits of a row and of a column, and the function of these. With `turned`
    what holds is the contrary.
    """

    row: Var
    column: Var
    left: Exp
    right: Exp
    word: Prim
    turned: bool


def with_bit_products(program: Program, make: ExprBuilder) -> Program:
    """The program with products of truth values in words."""
    return with_blocks(program, _BitProducts(make).block)


class _BitProducts(FoldProducts):
    """The products in words."""

    in_loops = in_maps = True

    def wants(self, fold: Fold, axes: Axes) -> bool:
        """Whether its term is a function of two truth values."""
        return fold.combine in (p.ADDI, p.ORB, p.ANDB) and self.term(fold, axes) is not None

    def term(self, fold: Fold, axes: Axes) -> _Term | None:
        """What is counted, if each axis has a truth value, and nothing else is in the term."""
        row, column = axes
        sides = [parts_of(self.free, fold.body, x, y) for x, y in ((row, column), (column, row))]
        if any(len(side) != 1 for side in sides):
            return None
        (left,), (right,) = sides
        table = []
        for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
            values = {left: self.make.const(x, left.ty), right: self.make.const(y, right.ty)}
            value = Substitute(self.make, values)(fold.body)
            if not isinstance(value, Const) or value.value not in (0, 1):
                return None
            table.append(int(value.value))
        bits = [self.bit(side) for side in (left, right)]
        turned = table[0] == 1
        found = WORDS.get(tuple([value ^ turned for value in table]))
        if found is None or bits[0] is None or bits[1] is None:
            return None
        word, *negated = found
        a, b = [
            self.make.call(p.NOTB, x) if n else x for x, n in zip(bits, negated, strict=True) if x is not None
        ]
        return _Term(row, column, a, b, word, turned)

    def bit(self, exp: Exp) -> Exp | None:
        """The truth value that a part of a term is."""
        if exp.ty is Base.BOOL:
            return exp
        return exp.args[0] if isinstance(exp, Call) and exp.op is p.B2I else None

    def changed(self, statement: Statement, fold: Fold, axes: Axes) -> Block:
        """The statement behind its rows and columns in words, or as it is where that is little work."""
        make = self.make
        term = self.term(fold, axes)
        assert term is not None
        large = [make.call(p.GTEI, extent, make.const(LEAST_SIDE)) for extent in axes.values()]
        large.append(make.call(p.GTEI, fold.extent, make.const(LEAST_STEPS)))
        words = Var(make.fresh("words"), Base.INT, lows=(make.zero,))
        w = make.index("w", words)
        count = make.call(QUOT, make.add(fold.extent, make.const(WORD - 1)), make.const(WORD))
        before: list[Statement] = [HostLet(words, count)]
        behind: list[Statement] = []
        reads = []
        counts = fold.combine is p.ADDI or term.turned == (fold.combine is p.ORB)
        sides = (
            ("left", term.row, term.left, (words, make.one)),
            ("right", term.column, term.right, (make.one, axes[term.column])),
        )
        for name, axis, bit, strides in sides:
            packed, statements = self.packed(name, axis, axes[axis], fold, bit, words, strides)
            before += statements
            behind.append(Free(packed))
            reads.append(make.read(packed, self.place((axis, w), strides)))
        both = make.call(term.word, *reads)
        total = (
            make.fold(p.ADDI, w, words, make.call(BIT_COUNT, both), make.zero)
            if counts
            else make.fold(BIT_OR, w, words, both, make.zero)
        )
        value = self.value(fold, term.turned, total, counts)
        values: dict[Exp, Exp] = {fold: value} | self.skipped(statement, fold, value)
        wanted = rebuilt(statement, Substitute(make, values))
        return self.versions(statement, self.all_hold(large), tuple(before), wanted, tuple(behind))

    def value(self, fold: Fold, turned: bool, total: Exp, counts: bool) -> Exp:
        """The value of a fold, of how many bits are 1, or else of the bits that any word has."""
        make = self.make
        if fold.combine is p.ADDI:
            return make.sub(fold.extent, total) if turned else total
        compare = p.NEQI if fold.combine is p.ORB else p.EQI
        return make.call(compare, total, fold.extent if counts else make.zero)

    def skipped(self, statement: Statement, fold: Fold, value: Exp) -> dict[Exp, Exp]:
        """Multiples of a fold by truth values, as choices: where they are 0 the fold is not computed."""
        multiples: dict[Exp, Exp] = {}
        for node in nodes(*own_expressions(statement)):
            if isinstance(node, Call) and node.op is p.MULI and any(arg is fold for arg in node.args):
                other = node.args[node.args[0] is fold]
                if isinstance(other, Call) and other.op is p.B2I:
                    multiples[node] = self.make.select(other.args[0], value, self.make.zero)
        return multiples

    def place(self, indices: tuple[Exp, Exp], strides: tuple[Exp, Exp]) -> Exp:
        """Where a word stands."""
        i, w = [self.make.mul(index, stride) for index, stride in zip(indices, strides, strict=True)]
        return self.make.add(i, w)

    def packed(
        self, name: str, axis: Var, extent: Exp, fold: Fold, bit: Exp, words: Exp, strides: tuple[Exp, Exp]
    ) -> tuple[Buffer, list[Statement]]:
        """The bits of all rows or columns in words, one behind the other."""
        make = self.make
        buffer = Buffer(make.fresh(name), Base.INT, Base.INT.dtype)
        i, w = make.index("i", extent), make.index("w", words)
        start = make.mul(w, make.const(WORD))
        steps = make.call(p.MINI, make.const(WORD), make.sub(fold.extent, start))
        b = make.index("b", steps)
        places: dict[Exp, Exp] = {axis: i, fold.var: make.add(start, b)}
        each = make.call(BIT_AT, Substitute(make, places)(bit), b)
        word = make.fold(p.ADDI, b, steps, each, make.zero)
        size = make.mul(extent, words)
        target = self.place((i, w), strides)
        space = Space((i, w), (extent, words))
        if isinstance(word, Fold) and wants_inner(make, self.free, word, i):
            space = Space((w, i), (words, extent))
        return buffer, [
            Alloc(buffer, size, Site(NO_MEMORY, "", None)),
            Map(buffer, space, target, word),
        ]
