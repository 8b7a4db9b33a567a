"""Powers of one base along a loop, as products.

Note [Powers of one base]
    In `b*⍳n` the exponents are steps of a loop, and the base is the same for all. The loop runs in rounds: a
    table has the powers of the steps within a round, and each round begins with one power more, so that an
    element is a product of two numbers, which is the power to within a rounding. Where one of the two is too
    large or too small for that, the round has the powers themselves; so has a loop that is short.
"""

from __future__ import annotations

from dataclasses import dataclass

from laila import loops as l
from laila.analysis import loop_bound
from laila.nests import Finish, Nests, Reductions, in_any_order
from laila.scalar import POWER, QUOT, Buffer, Call, Const, Do, Exp, Fold, Var, nodes, operands
from laila.scopes import STORAGE
from laila.simplify import Scalars
from laila.split import Piece, at_most_once, bound_in
from laila.substitute import Substitute
from laila.values import Block
from tail import prims as p
from tail.types import Base

ROUND = 512
"""So many powers are in a table."""

LEAST = 2 * ROUND
"""Loops of fewer rounds than that do not pay for it."""

HEADS, TABLES = 1e200, 1e100
"""A number at most that large, and not smaller than one divided by it, begins a round, or is in a table: the
products of such numbers are normal.
"""


@dataclass(frozen=True, slots=True)
class _Power:
    """A power whose exponent is `by × index + first`."""

    node: Call
    base: Exp
    by: Exp
    first: Exp


class Powers(Nests):
    """The generation of loops with powers."""

    def piece(
        self,
        piece: Piece,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: Reductions | None = (),
        *,
        descending: bool = False,
        independent: bool = False,
    ) -> None:
        """A loop over one piece: see Note [Powers of one base]."""
        found = [] if reductions is None or descending or unbound else self.powers(piece, block)
        if reductions is None or not found:
            super().piece(
                piece, unbound, block, build, reductions, descending=descending, independent=independent
            )
        else:
            self.in_rounds_of_powers(piece, found, block, build, reductions)

    def powers(self, piece: Piece, block: Block) -> list[_Power]:
        """The powers of a loop that are worth a table: of a loop that is not inside another one."""
        make = self.make
        if block.in_loop or not self.splitting or not self.has_memory or self.reporting or piece.step != 1:
            return []
        is_short = isinstance(piece.stop, Const) and piece.stop.value < LEAST
        if make.settings.strict_fp or is_short or at_most_once(make, piece):
            return []
        hidden = bound_in(piece.roots) | {piece.var}
        found: list[_Power] = []
        for node in nodes(*piece.roots, below=lambda e: () if isinstance(e, Fold | Do) else operands(e)):
            match node:
                case Call(op=op, args=(base, Call(op=p.I2D, args=(exponent,)))) if op is POWER:
                    _, terms = make.linear(exponent)
                    by = make.const(terms.get(piece.var, 0))
                    first = make.sub(exponent, make.mul(by, piece.var))
                    is_free = hidden.isdisjoint(self.free.of(base) | self.free.of(first))
                    if is_free and by is not make.zero and make.counts(exponent):
                        found.append(_Power(node, base, by, first))
                case Fold() | Do():
                    return []  # beside which a power is little work
                case _:
                    pass
        return found

    def in_rounds_of_powers(
        self, piece: Piece, powers: list[_Power], block: Block, build: Finish, reductions: Reductions
    ) -> None:
        """A loop in rounds, each in two versions."""
        make, size = self.make, self.make.const(ROUND)
        self.hoist(piece, frozenset(), block)
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        count = make.sub(stop, start)
        pays = self.named(make.call(p.GTEI, count, make.const(LEAST)), block, "pays")
        tables = [self.table_of(each, pays, block) for each in powers]
        whole = make.add(make.call(p.MAXI, count, make.zero), make.const(ROUND - 1))
        rounds = self.named(self.single(make.call(QUOT, whole, size), block), block, "rounds")
        number = make.between("round", (make.zero,), make.last_indices(rounds))
        inner = block.inner(in_loop=True)
        base = make.between("base", (piece.start,), make.last_indices(piece.stop))
        end = make.between("end", (), (stop,))
        inner.statements.append(l.Declare(base, make.add(start, make.mul(number, size))))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, size), stop)))
        lows, highs = (base, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        var = make.between(piece.var.name, lows, highs)
        fits: Exp = pays
        products: dict[Exp, Exp] = {}
        for each, (table, is_safe) in zip(powers, tables, strict=True):
            exponent = make.add(make.mul(each.by, base), each.first)
            head = self.named(self.single(_power(make, each.base, exponent), inner), inner, "head")
            fits = make.call(p.ANDB, fits, make.call(p.ANDB, is_safe, _between(make, head, HEADS)))
            products[each.node] = make.call(p.MULD, head, make.read(table, make.sub(var, base)))
        versions: list[tuple[l.Stm, ...]] = []
        for known in (products, {}):
            substitute = Substitute(make, {**known, piece.var: var})
            roots = tuple([substitute(root) for root in piece.roots])
            scope = inner.inner(in_loop=True)
            super().piece(Piece(var, base, end, roots), frozenset(), scope, build, reductions)
            versions.append(tuple(scope.statements))
        inner.statements.append(l.If(fits, versions[0], versions[1]))
        loop = l.For(number, make.zero, rounds, tuple(inner.statements))
        block.statements.append(
            in_any_order(loop, self.accumulated(reductions, inner.statements), piece.roots)
        )

    def table_of(self, power: _Power, pays: Exp, block: Block) -> tuple[Buffer, Exp]:
        """The powers within a round, and whether the last of them may be multiplied with."""
        make = self.make
        table = Buffer(make.fresh("powers"), Base.DOUBLE, STORAGE[Base.DOUBLE])
        block.statements.append(l.Local(table, ROUND))
        index = make.index("r", make.const(ROUND))
        element = _power(make, power.base, make.mul(power.by, index))

        def fill(inner: Block) -> None:
            row = Piece(index, make.zero, make.const(ROUND), (element,))
            super(Powers, self).piece(row, frozenset(), inner, store)

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            inner.statements.append(l.Store(table, index, self.single(roots[0], inner)))

        self.branch(pays, block, fill)
        last = _power(make, power.base, make.mul(power.by, make.const(ROUND)))
        is_safe = _between(make, self.named(self.single(last, block), block, "last"), TABLES)
        return table, self.named(is_safe, block, "safe")


def _power(make: Scalars, base: Exp, exponent: Exp) -> Exp:
    return make.call(POWER, base, make.call(p.I2D, exponent))


def _between(make: Scalars, number: Exp, most: float) -> Exp:
    """Whether a number is neither too large nor too small."""
    size = make.call(p.ABSD, number)
    least = make.call(p.GTED, size, make.const(1 / most))
    return make.call(p.ANDB, least, make.call(p.LTED, size, make.const(most)))
