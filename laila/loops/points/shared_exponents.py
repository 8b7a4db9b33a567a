"""Powers in lanes whose exponent is the same whole number for all lanes are a few products.

    for j < 16 in lanes { a[j] = x[j]*n }
    →   if 0 ≤ n < 64 { for j < 16 in lanes { a[j] = short(x[j], n) } }
        else if ¯64 < n < 0 { for j < 16 in lanes { a[j] = short(1÷x[j], -n) } }
        else { … }

A power in lanes takes some thirty cycles each, one of so few factors by squares two. What Note [Running
powers] of `running_powers` says of its error holds here, too. There are none with `--strict-fp`.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import (
    DIVIDE,
    EXACT_POWER,
    SHORT_POWER,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.inner_loops import expressions_of, is_straight, may_leave, substituted
from aplc.tail import prims as p

FACTORS = 64
"""Powers of fewer factors are products."""

_ACTS = BlockExp | Check | Fold | PureCall
"""What an exponent that is computed before its loop has none of."""


def with_shared_exponents(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with loops over lanes in versions for few factors."""
    return code if make.settings.strict_fp else l.with_blocks(code, _Loops(make).block)


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements with their loops."""
        return tuple([new for s in statements for new in self.statement(s)])

    def statement(self, statement: l.Stm) -> tuple[l.Stm, ...]:
        """A statement, or what takes its place."""
        if not isinstance(statement, l.For) or not is_straight(statement.body):
            return (with_bodies(statement, self.block),)
        exponent = self.exponent(statement)
        return (statement,) if exponent is None else self.versions(statement, exponent)

    def exponent(self, loop: l.For) -> Exp | None:
        """The exponent of all powers in a loop over lanes, if it is one that can be computed before."""
        if loop.reductions is None or may_leave(loop.body) or not _runs(loop):
            return None
        declared = {s.var: s.value for s in loop.body if isinstance(s, l.Declare) and s.value is not None}
        known: dict[Exp, Exp] = {}
        for var, value in declared.items():
            known[var] = Substitute(self.make, known)(value)
        roots = [e for s in loop.body for e in expressions_of(s)]
        found = [Substitute(self.make, known)(q.args[1]) for q in _powers(roots)]
        written = {s.buffer for s in loop.body if isinstance(s, l.Store)}
        changing = {loop.var.name, *[s.var.name for s in loop.body if isinstance(s, l.Declare | l.Assign)]}
        if not found or any(each is not found[0] for each in found):
            return None
        (exponent,) = found[0].args if isinstance(found[0], Call) else ()
        reads = any(isinstance(n, Read) and n.buffer in written for n in nodes(exponent))
        is_same = not self.free.names(exponent) & changing and not reads
        return exponent if is_same and not contains(_ACTS, exponent) else None

    def versions(self, loop: l.For, exponent: Exp) -> tuple[l.Stm, ...]:
        """A loop for exponents of each sign, and one for large ones."""
        make = self.make
        n = Var(make.fresh("exponent"), exponent.ty)
        above = make.call(p.ANDB, make.call(p.GTEI, n, make.zero), make.call(p.LTI, n, make.const(FACTORS)))
        below = make.call(p.ANDB, make.call(p.LTI, n, make.zero), make.call(p.GTI, n, make.const(-FACTORS)))
        positive = self.with_products(loop, n, inverse=False)
        negative = self.with_products(loop, make.sub(make.zero, n), inverse=True)
        return l.Declare(n, exponent), l.If(above, (positive,), (l.If(below, (negative,), (loop,)),))

    def with_products(self, loop: l.For, factors: Exp, *, inverse: bool) -> l.For:
        """A loop whose powers are products of so many factors."""
        make = self.make
        body: list[l.Stm] = []
        for statement in loop.body:
            known: dict[Exp, Exp] = {}
            for power in _powers(list(expressions_of(statement))):
                base = power.args[0]
                base = make.call(DIVIDE, make.const(1.0), base) if inverse else base
                known[power] = make.call(SHORT_POWER, base, factors)
            body.append(substituted(statement, Substitute(make, known)) if known else statement)
        return replace(loop, body=tuple(body))


def _runs(loop: l.For) -> bool:
    """Whether a loop is known to have rounds."""
    return (
        isinstance(loop.start, Const) and isinstance(loop.stop, Const) and loop.start.value < loop.stop.value
    )


def _powers(roots: list[Exp]) -> list[Call]:
    """The powers in some expressions; none where an exponent is not whole, or a base has others in it."""
    found = [n for n in nodes(*roots) if isinstance(n, Call) and n.op is EXACT_POWER]
    are_whole = all(isinstance(q.args[1], Call) and q.args[1].op is p.I2D for q in found)
    is_nested = any(isinstance(n, Call) and n.op is EXACT_POWER for q in found for n in nodes(q.args[0]))
    return found if are_whole and not is_nested else []
