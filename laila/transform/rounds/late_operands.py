"""Extrema of several numbers in rounds, one of which the round before has made: that one is compared last.

    while k < n { d[k+1] = c[k] + p[k+1] ⌊ (p[k] ⌊ d[k]); k := k + 1 }
        →   while k < n { d[k+1] = c[k] + (p[k+1] ⌊ p[k]) ⌊ d[k]; k := k + 1 }

Each round waits for the one before. What does not depend on that is computed meanwhile, so that one
comparison is left to wait for and not several. Sums of doubles stay as they are written, and so do extrema of
doubles where the sign of a zero must be that of the interpreter.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import changed
from aplc.laila.ir.program import Assign, HostLet, Program, Statement, Store, While
from aplc.laila.ir.scalar import BlockExp, Buffer, Call, Const, Exp, Fold, FreeVars, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import Prim

_EXTREMA = (p.MAXI, p.MINI, p.MAXD, p.MIND)

FEW_ROUNDS = 4
"""What was written so many rounds before is there."""


def with_late_operands_last(program: Program, make: ExprBuilder) -> Program:
    """The program whose rounds compare last what they wait for."""
    if make.settings.strict_fp:
        return program
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    return tuple([_statement(s, make) for s in statements])


def _statement(statement: Statement, make: ExprBuilder) -> Statement:
    statement = with_bodies(statement, lambda body: _block(body, make))
    if not isinstance(statement, While) or any(isinstance(s, While) for s in within(statement.body)):
        return statement
    change = _LateLast(make, statement.body)
    body = tuple([rebuilt(s, change) if _is_scalar(s) else s for s in statement.body])
    return While(statement.cond, body, statement.scratch)


def _is_scalar(statement: Statement) -> bool:
    """Whether a statement computes a number without a loop: in lanes nothing waits for what is beside it."""
    is_one = isinstance(statement, HostLet | Assign | Store)
    return is_one and not contains(Fold | BlockExp, *own_expressions(statement))


class _LateLast(Substitute):
    """Rebuilds expressions of a round with late operands behind the others."""

    def __init__(self, make: ExprBuilder, body: Sequence[Statement]) -> None:
        super().__init__(make, {})
        self.free = FreeVars()
        everything = list(within(body))
        self.written: dict[Buffer, list[Exp]] = {}
        """The places at which rounds write, of the buffers that they write."""
        for statement in everything:
            for buffer in changed(statement):
                places = self.written.setdefault(buffer, [])
                if isinstance(statement, Store):
                    places.append(statement.position)
        self.names = {s.var.name for s in everything if isinstance(s, Assign) and not self.counts_on(s)}
        """The variables that a round gets from the one before, and what is computed of them."""
        for statement in everything:
            if isinstance(statement, HostLet) and self.is_late(statement.value):
                self.names.add(statement.var.name)

    def counts_on(self, statement: Assign) -> bool:
        """Whether a variable changes by a constant, which takes no time."""
        atoms = self.make.linear(statement.value)[1]
        return list(atoms) == [statement.var] and atoms[statement.var] == 1

    def is_late(self, exp: Exp) -> bool:
        """Whether an expression depends on what the round before has made."""
        if any(v.name in self.names for v in self.free.of(exp)):
            return True
        reads = [n for n in nodes(exp) if isinstance(n, Read) and n.buffer in self.written]
        return any(self.is_near(read) for read in reads)

    def is_near(self, read: Read) -> bool:
        """Whether an element may have been written a few rounds before."""
        places = self.written[read.buffer]
        apart = [self.make.sub(place, read.index) for place in places]
        return not apart or any(isinstance(d, Const) and abs(int(d.value)) <= FEW_ROUNDS for d in apart)

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, Call) or result.op not in _EXTREMA:
            return result
        operands = _operands(result, result.op)
        late = [each for each in operands if self.is_late(each)]
        if len(late) in (0, len(operands)) or (operands[-len(late) :] == late and _is_to_the_left(result)):
            return result
        early = [each for each in operands if each not in late]
        first, *others = [*early, *late]
        for each in others:
            first = self.make.call(result.op, first, each)
        return first


def _operands(exp: Exp, op: Prim) -> list[Exp]:
    """What an extremum of several numbers is of."""
    if isinstance(exp, Call) and exp.op is op:
        return [each for arg in exp.args for each in _operands(arg, op)]
    return [exp]


def _is_to_the_left(exp: Call) -> bool:
    """Whether the first numbers are compared first."""
    return not (isinstance(exp.args[1], Call) and exp.args[1].op is exp.op)
