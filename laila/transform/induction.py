"""Induction variables: what changes by a constant in each iteration, as a linear function of the iteration's
number.

    k = 1; r = 0; while r < n { … v[k - 1] …; r = r + 1; k = k + 1 }
    →   k = 1; r = 0; while r < n { … v[i] …; r = r + 1; k = k + 1 }        where i < n is r

Indices have bounds, so checks of `k` are proved, and what is read or written by it moves in steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.program import Assign, HostCheck, HostLet, Program, Statement, Variable, While
from aplc.laila.ir.scalar import Call, Const, Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

FAR = 1 << 31
"""Variables that begin within this and change by less do not wrap in as many rounds as a run can do."""


def with_round_numbers(program: Program, make: ExprBuilder) -> Program:
    """The program whose loops say what they can by the number of the round."""
    return with_blocks(program, _Loops(make).block)


@dataclass(frozen=True, slots=True)
class _Step:
    """The number with which a variable begins, and the one by which it changes in each round."""

    first: int
    change: int


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with their loops changed."""
        block: list[Statement] = []
        firsts: dict[str, int] = {}
        for statement in statements:
            changed = with_bodies(statement, self.block)
            block.append(self.loop(changed, firsts) if isinstance(changed, While) else changed)
            if isinstance(statement, Variable):
                if isinstance(statement.value, Const) and statement.value.ty is Base.INT:
                    firsts[statement.var.name] = int(statement.value.value)
            else:
                for var in bound(statement):
                    firsts.pop(var.name, None)
        return tuple(block)

    def loop(self, loop: While, firsts: dict[str, int]) -> While:
        """A loop; `firsts` are the numbers with which variables begin."""
        make = self.make
        match loop.cond:
            case Call(op=p.LTI, args=(Var() as counter, limit)):
                pass
            case _:
                return loop
        steps = {v: s for v, first in firsts.items() if (s := self.step(loop.body, v, first)) is not None}
        assigned = {v.name for s in loop.body for v in bound(s)}
        if counter.name not in steps or not self.free.names(limit).isdisjoint(assigned):
            return loop
        if (steps[counter.name].first, steps[counter.name].change) != (0, 1):
            return loop
        index = make.index("round", limit)
        known = {
            v: make.add(make.const(s.first), make.mul(make.const(s.change), index)) for v, s in steps.items()
        }
        body: list[Statement] = [HostLet(index, counter)]
        for statement in loop.body:
            if isinstance(statement, Assign) and statement.var.name in steps:
                change = make.const(steps[statement.var.name].change)
                body.append(Assign(statement.var, make.add(statement.var, change)))
                continue
            used = {v for e in expressions(statement) for v in self.free.of(e) if v.name in known}
            changed = rebuilt(statement, Substitute(make, {v: known[v.name] for v in used}))
            match changed:
                case HostLet(var=var, value=value) if self.free.of(value) == {index} and var.ty is Base.INT:
                    if all(atom is index for atom in make.linear(value)[1]):
                        known[var.name] = value
                        continue
                case HostCheck(ok=ok) if ok is make.true:
                    continue
                case _:
                    pass
            body.append(changed)
        return While(loop.cond, tuple(body))

    def step(self, body: tuple[Statement, ...], name: str, first: int) -> _Step | None:
        """How a variable changes in a body that assigns to it once and does not mention it afterwards."""
        places = [k for k, s in enumerate(body) if any(v.name == name for v in bound(s))]
        if len(places) != 1 or abs(first) > FAR:
            return None
        (place,) = places
        statement = body[place]
        if not isinstance(statement, Assign):
            return None
        names: dict[Exp, Exp] = {s.var: s.value for s in body[:place] if isinstance(s, HostLet)}
        value = names.get(statement.value, statement.value)
        if value.ty is Base.INT:
            const, terms = self.make.linear(value)
            is_mentioned = any(name in self.free.names(e) for s in body[place + 1 :] for e in expressions(s))
            own = [atom.name for atom, k in terms.items() if isinstance(atom, Var) and k == 1]
            if own == [name] and len(terms) == 1 and abs(const) <= FAR and not is_mentioned:
                return _Step(first, const)
        return None
