"""Induction variables: what changes by a constant in each iteration, as a linear function of the iteration's
number.

    k = 1; r = 0; while r < n { … v[k - 1] …; r = r + 1; k = k + 1 }
    →   k = 1; r = 0; while r < n { … v[i] …; r = r + 1; k = k + 1 }        where i < n is r

Indices have bounds, so checks of `k` are proved, and what is read or written by it moves in steps. In a loop
over `0⌈n` rounds that number is n, as there is a round: the same for all that is computed from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.counts import MAX_CONSTANT
from aplc.laila.ir.program import Assign, HostCheck, HostLet, Program, Statement, Variable, While, versions
from aplc.laila.ir.scalar import BlockExp, Call, Const, Exp, Fold, FreeVars, PureCall, Read, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute, WithoutChecks
from aplc.tail import prims as p
from aplc.tail.types import Base

FAR = 1 << 31
"""Variables that begin within this and change by less do not wrap in as many rounds as a run can do."""


def with_round_numbers(program: Program, make: ExprBuilder) -> Program:
    """The program whose loops say what they can by the number of the round."""
    blocks = [f.statements for f in versions(program)] + [program.statements]
    changing = frozenset([s.var.name for b in blocks for s in within(b) if isinstance(s, Variable | Assign)])
    return with_blocks(program, _Loops(make, changing).block)


@dataclass(frozen=True, slots=True)
class _Step:
    """What a variable begins with, which only counts, and the number by which each round changes it."""

    first: Exp
    change: int


class _Meanings(Substitute):
    """Rebuilds expressions with what names stand for. Variables are told apart by name: of one more may be
    known in one place than in another.
    """

    def __init__(self, make: ExprBuilder) -> None:
        super().__init__(make, {})
        self.names: dict[str, Exp] = {}

    def learn(self, name: str, meaning: Exp | None) -> None:
        """From here on a name that has been met already stands for something, or for itself."""
        self.names.pop(name, None)
        if meaning is not None:
            self.names[name] = meaning
        self.done.clear()
        self.alive.clear()

    def _rebuild(self, node: Exp) -> Exp:
        return self.names.get(node.name, node) if isinstance(node, Var) else super()._rebuild(node)


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder, changing: frozenset[str]) -> None:
        self.make, self.changing = make, changing
        self.free = FreeVars()
        self.meanings = _Meanings(make)
        """What names that do not change stand for, where that only counts."""
        self.rounds: set[str] = set()
        """The numbers of rounds."""
        self.at_least: dict[str, int] = {}
        self.below: dict[str, int] = {}
        """The bounds of names that checks in front have told."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with their loops changed."""
        block: list[Statement] = []
        firsts: dict[str, Exp] = {}
        learnt: list[str] = []
        outer = dict(self.at_least), dict(self.below)
        for statement in statements:
            if isinstance(statement, HostLet):
                self.note(statement)
            if isinstance(statement, HostCheck):
                if self.meanings(statement.ok) is self.make.true:
                    continue
                learnt += self.learn(statement.ok)
            # loops first, then what is in them: the bounds of the inner ones are in terms of the outer rounds
            numbered = self.loop(statement, firsts) if isinstance(statement, While) else statement
            block.append(with_bodies(numbered, self.block))
            if isinstance(statement, Variable):
                first = self.seen_through(statement.value)
                if first is not None and self.is_near(first):
                    firsts[statement.var.name] = first
            else:
                for var in bound(statement):
                    firsts.pop(var.name, None)
        self.at_least, self.below = outer
        for name in learnt:
            self.meanings.learn(name, None)
        return tuple(block)

    def learn(self, ok: Exp) -> list[str]:
        """The names of integers that are known to be counts behind a check of this condition: they are not
        negative, and no larger than lengths.
        """
        match ok:
            case Call(op=p.ANDB, args=(first, second)):
                return self.learn(first) + self.learn(second)
            case Call(op=p.GTEI, args=(Var() as var, Const(value=least))) if least >= 0:
                self.at_least[var.name] = int(least)
            case Call(op=p.LTI, args=(Var() as var, Const(value=above))) if above <= MAX_CONSTANT:
                self.below[var.name] = int(above)
            case _:
                return []
        if var.name not in self.at_least or var.name not in self.below or var.name in self.changing:
            return []
        make = self.make
        lows, highs = make.const(self.at_least[var.name]), make.const(self.below[var.name] - 1)
        self.meanings.learn(var.name, Var(var.name, Base.INT, True, (lows,), (highs,)))
        return [var.name]

    def note(self, let: HostLet) -> None:
        """Remember what a name stands for."""
        meaning = self.seen_through(let.value)
        if meaning is not None:
            self.meanings.names[let.var.name] = meaning

    def seen_through(self, value: Exp) -> Exp | None:
        """What an integer is made of, if that only counts, and is the same wherever it is asked for."""
        if value.ty is not Base.INT or contains(BlockExp | Fold, value):
            return None
        meaning = self.meanings(WithoutChecks(self.make, {})(value))
        return meaning if self.stays(meaning) else None

    def stays(self, value: Exp) -> bool:
        """Whether a value only counts what never changes."""
        is_plain = self.make.counts(value) and not contains(Read | PureCall, value)
        return is_plain and self.free.names(value).isdisjoint(self.changing)

    def is_near(self, first: Exp) -> bool:
        """Whether a number is so small that adding others to it does not wrap; lengths are."""
        return not isinstance(first, Const) or abs(int(first.value)) <= FAR

    def loop(self, loop: While, firsts: dict[str, Exp]) -> While:
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
        start = steps[counter.name].first
        if not isinstance(start, Const) or start.value < 0 or steps[counter.name].change != 1:
            return loop
        index = make.index("round", make.sub(self.reached(limit, int(start.value)), start))
        self.rounds.add(index.name)
        known = {v: make.add(s.first, make.mul(make.const(s.change), index)) for v, s in steps.items()}
        seen = self.seen_through(limit)
        inside: dict[Exp, Exp] = {}
        if seen is not None and (reached := self.reached(limit, int(start.value))) is not seen:
            inside[seen] = reached
        body: list[Statement] = [HostLet(index, make.sub(counter, start))]
        for statement in loop.body:
            if isinstance(statement, Assign) and statement.var.name in steps:
                change = make.const(steps[statement.var.name].change)
                body.append(Assign(statement.var, make.add(statement.var, change)))
                continue
            used = {v for e in expressions(statement) for v in self.free.of(e) if v.name in known}
            changed = rebuilt(statement, Substitute(make, {**inside, **{v: known[v.name] for v in used}}))
            match changed:
                case HostLet(var=var, value=value) if var.ty is Base.INT:
                    is_of_rounds = not self.rounds.isdisjoint(self.free.names(value))
                    if is_of_rounds and self.stays(value) and not isinstance(value, Call):
                        known[var.name] = value
                        continue
                case _:
                    pass
            body.append(changed)
        return While(loop.cond, tuple(body))

    def reached(self, limit: Exp, start: int) -> Exp:
        """What the limit of a counter is where that is below it: one that it begins with plays no part."""
        seen = self.seen_through(limit)
        match seen:
            case None:
                return limit
            case Call(op=p.MAXI, args=(a, b)):
                sides = [e for e in (a, b) if not (isinstance(e, Const) and e.value <= start)]
                return sides[0] if len(sides) == 1 else seen
            case _:
                return seen

    def step(self, body: tuple[Statement, ...], name: str, first: Exp) -> _Step | None:
        """How a variable changes in a body that assigns to it once and does not mention it afterwards."""
        places = [k for k, s in enumerate(body) if any(v.name == name for v in bound(s))]
        if len(places) != 1:
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
