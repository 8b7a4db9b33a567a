"""Strength reduction: powers of one base along a loop, as products.

Note [Powers of one base]
    In `b*⍳n` the exponents are steps of a loop, and the base is the same for all. The loop runs in rounds: a
    table has the powers of the steps within a round, and each round begins with one power more, so that an
    element is a product of two numbers, which is the power to within a rounding. Where one of the two is too
    large or too small for that, the round has the powers themselves; so has a loop that is short.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import (
    EXACT_POWER,
    POWER,
    QUOT,
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, at_most_once, bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.types import Base

ROUND = 512
"""So many powers are in a table."""

LEAST = 2 * ROUND
"""Loops of fewer rounds than that do not pay for it."""

HEADS, TABLES = 1e200, 1e100
"""A number at most that large, and not smaller than one divided by it, begins a round, or is in a table: the
products of such numbers are normal.
"""


@dataclass(frozen=True, slots=True)
class Power:
    """A power whose exponent is `by × index + first`."""

    node: Call
    base: Exp
    by: Exp
    first: Exp


Table = tuple[Buffer, Exp]
"""Powers in memory, and whether they may be used."""


class Powers:
    """Loops with powers of one base: see Note [Powers of one base]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in rounds with tables of powers, if it has some and does not run in order."""
        found = self.powers(wanted.piece, block) if wanted.may_be_in_lanes else []
        if found:
            self.in_rounds_of_powers(wanted, found, block, otherwise)
        else:
            otherwise(wanted, block)

    def powers(self, piece: Piece, block: Block, changing: frozenset[Var] = frozenset()) -> list[Power]:
        """The powers that are worth a table, of a loop that is not inside another one. Other variables may be
        changing in it. The base is computed in front of the loop, where no element might need it: it is none
        that may fail.
        """
        make, options = self.make, self.nests.options
        has_tables = options.splitting and options.has_memory and not block.mode.reporting
        if block.in_loop or not has_tables or piece.step != 1:
            return []
        is_short = isinstance(piece.stop, Const) and piece.stop.value < LEAST
        if make.settings.strict_fp or is_short or at_most_once(make, piece):
            return []
        hidden = bound_in(piece.roots) | changing | {piece.var}
        found: list[Power] = []
        for node in nodes(
            *piece.roots, below=lambda e: () if isinstance(e, Fold | BlockExp) else operands(e)
        ):
            match node:
                case Call(op=op, args=(base, Call(op=p.I2D, args=(exponent,)))) if op in (POWER, EXACT_POWER):
                    _, terms = make.linear(exponent)
                    by = make.const(terms.get(piece.var, 0))
                    first = make.sub(exponent, make.mul(by, piece.var))
                    is_free = hidden.isdisjoint(self.free.of(base) | self.free.of(first))
                    is_safe = not self.code.is_dear(base) and not self.code.is_dear(first)
                    if is_free and is_safe and by is not make.zero and make.counts(exponent):
                        found.append(Power(node, base, by, first))
                case Fold() | BlockExp():
                    return []  # beside which a power is little work
                case _:
                    pass
        return found

    def in_rounds_of_powers(
        self, wanted: Wanted, powers: list[Power], block: Block, otherwise: Otherwise[Wanted]
    ) -> None:
        """A loop in rounds, each in two versions."""
        make, size, piece = self.make, self.make.const(ROUND), wanted.piece
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        count = make.sub(stop, start)
        tables = self.tables_of(powers, count, block)
        whole = make.add(make.call(p.MAXI, count, make.zero), make.const(ROUND - 1))
        rounds = self.code.named(self.code.single(make.call(QUOT, whole, size), block), block, "rounds")
        number = make.between("round", (make.zero,), make.last_indices(rounds))
        inner = block.inner(in_loop=True)
        base = make.between("base", (piece.start,), make.last_indices(piece.stop))
        end = make.between("end", (), (stop,))
        inner.statements.append(l.Declare(base, make.add(start, make.mul(number, size))))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, size), stop)))
        lows, highs = (base, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        var = make.between(piece.var.name, lows, highs)
        fits: Exp = make.true
        products: dict[Exp, Exp] = {}
        for each, (table, is_safe) in zip(powers, tables, strict=True):
            head, is_fit = self.head_of(each, base, is_safe, inner)
            fits = make.call(p.ANDB, fits, is_fit)
            products[each.node] = make.call(p.MULD, head, make.read(table, make.sub(var, base)))
        versions: list[tuple[l.Stm, ...]] = []
        for known in (products, {}):
            substitute = Substitute(make, {**known, piece.var: var})
            roots = tuple([substitute(root) for root in piece.roots])
            scope = inner.inner(in_loop=True)
            otherwise(wanted.over(Piece(var, base, end, roots)), scope)
            versions.append(tuple(scope.statements))
        inner.statements.append(l.If(fits, versions[0], versions[1]))
        loop = l.For(number, make.zero, rounds, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def rows_of_powers(
        self, powers: list[Power], tables: list[Table], span: Piece, block: Block
    ) -> dict[Exp, Exp]:
        """Small arrays with the powers of at most `ROUND` steps; elements of them, by what they are."""
        make = self.make
        at = make.sub(span.var, span.start)
        elements: dict[Exp, Exp] = {}
        for each, (table, is_safe) in zip(powers, tables, strict=True):
            row = Buffer(make.fresh("row"), Base.DOUBLE, STORAGE[Base.DOUBLE])
            head, fits = self.head_of(each, span.start, is_safe, block)
            block.statements.append(l.Local(row, ROUND))
            versions: list[tuple[l.Stm, ...]] = []
            for value in (make.call(p.MULD, head, make.read(table, at)), each.node):
                scope = block.inner(in_loop=True)
                self.in_row(row, replace(span, roots=(value, at)), scope)
                versions.append(tuple(scope.statements))
            block.statements.append(l.If(fits, versions[0], versions[1]))
            elements[each.node] = make.read(row, at)
        return elements

    def in_row(self, buffer: Buffer, piece: Piece, block: Block) -> None:
        """Elements and their places along a loop, written to a small array."""

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            element, place = self.code.values(roots, inner)
            inner.statements.append(l.Store(buffer, place, element))

        self.nests.loop(Wanted(piece, store), block)

    def head_of(self, power: Power, first: Exp, is_safe: Exp, block: Block) -> tuple[Exp, Exp]:
        """The power with which a round begins, and whether products with it are the powers of the round."""
        make = self.make
        exponent = make.add(make.mul(power.by, first), power.first)
        head = self.code.named(self.code.single(_power(make, power.base, exponent), block), block, "head")
        return head, make.call(p.ANDB, is_safe, _between(make, head, HEADS))

    def tables_of(self, powers: list[Power], count: Exp, block: Block) -> list[Table]:
        """The tables for a loop of so many steps."""
        pays = self.code.named(self.make.call(p.GTEI, count, self.make.const(LEAST)), block, "pays")
        return [self.table_of(each, pays, block) for each in powers]

    def table_of(self, power: Power, pays: Exp, block: Block) -> Table:
        """The powers within a round, and whether they are worth it and the last may be multiplied with."""
        make = self.make
        table = Buffer(make.fresh("powers"), Base.DOUBLE, STORAGE[Base.DOUBLE])
        block.statements.append(l.Local(table, ROUND))
        index = make.index("r", make.const(ROUND))
        element = _power(make, power.base, make.mul(power.by, index))

        steps = Piece(index, make.zero, make.const(ROUND), (element, index))
        self.nests.branch(pays, block, lambda inner: self.in_row(table, steps, inner))
        last = _power(make, power.base, make.mul(power.by, make.const(ROUND)))
        is_safe = _between(make, self.code.named(self.code.single(last, block), block, "last"), TABLES)
        return table, self.code.named(make.call(p.ANDB, pays, is_safe), block, "safe")


def _power(make: ExprBuilder, base: Exp, exponent: Exp) -> Exp:
    return make.call(POWER, base, make.call(p.I2D, exponent))


def _between(make: ExprBuilder, number: Exp, most: float) -> Exp:
    """Whether a number is neither too large nor too small."""
    size = make.call(p.ABSD, number)
    least = make.call(p.GTED, size, make.const(1 / most))
    return make.call(p.ANDB, least, make.call(p.LTED, size, make.const(most)))
