"""Loops over scalars, of which many run side by side: the rounds of each point of a map.

A function that is applied to elements may loop until something holds (an escape time, Newton's method). Its
sequence is recognised as variables with their first values, a condition, and what each round makes of them;
lanes then do rounds together, and one that has ended keeps its values until the last one has.

    while any { any = 0; for j < 16 { c = cond(x[j]); x[j] = c ? next(x[j]) : x[j]; any |= c } }
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laila.program import Assign, Choice, HostLet, Statement, Variable, While
from laila.scalar import (
    FLOOR_DIV,
    FLOOR_QUOT,
    QUOT,
    REM,
    Call,
    Const,
    Do,
    Exp,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from laila.simplify import Scalars
from laila.statements import statements_of
from laila.substitute import Substitute
from tail import prims as p

TRAPPING = frozenset((QUOT, REM, FLOOR_QUOT, FLOOR_DIV))
"""What must not be computed for operands that a condition excludes."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """A loop over scalars: its variables with first and next values, when it goes on, and what it gives."""

    variables: tuple[Var, ...]
    firsts: tuple[Exp, ...]
    cond: Exp
    nexts: tuple[Exp, ...]
    result: Exp


def rounds_of(make: Scalars, node: Do) -> Rounds | None:
    """The loop that a sequence is, if it is one over scalars that may run for longer than it has to."""
    try:
        return _tested_first(make, _Reader(make).rounds(node))
    except _NotPlain:
        return None


def _tested_first(make: Scalars, rounds: Rounds) -> Rounds:
    """The same loop without a variable that says whether it goes on, where the last round only gives the
    result: `c` decides at the beginning of a round whether it is that.

        while g { if c { r := x; g := false } else { x := f(x) } }; r   →   while not c { x := f(x) }; x
    """
    if rounds.cond not in rounds.variables:
        return rounds
    place = rounds.variables.index(rounds.cond)
    ends = rounds.nexts[place]
    if rounds.firsts[place] is not make.true or not isinstance(ends, Select):
        return rounds
    decides = ends.cond
    outcomes = [_under(make, decides, holds, ends) for holds in (True, False)]
    stops_if = next(
        (holds for holds, o in zip((True, False), outcomes, strict=True) if o is make.false), None
    )
    if stops_if is None or rounds.cond in FreeVars().of(decides):
        return rounds
    last = [_under(make, decides, stops_if, e) for e in rounds.nexts]
    goes = [_under(make, decides, not stops_if, e) for e in rounds.nexts]
    result = Substitute(make, dict(zip(rounds.variables, last, strict=True)))(rounds.result)
    constant: dict[Exp, Exp] = {
        var: first
        for var, first, new in zip(rounds.variables, rounds.firsts, goes, strict=True)
        if new is var or var is rounds.cond
    }
    fixed = Substitute(make, constant)
    kept = [k for k, var in enumerate(rounds.variables) if var not in constant]
    return Rounds(
        tuple([rounds.variables[k] for k in kept]),
        tuple([rounds.firsts[k] for k in kept]),
        fixed(make.call(p.NOTB, decides) if stops_if else decides),
        tuple([fixed(goes[k]) for k in kept]),
        fixed(result),
    )


def _under(make: Scalars, cond: Exp, holds: bool, exp: Exp) -> Exp:
    """An expression where a condition is decided."""
    return Substitute(make, {cond: make.const(holds)})(exp)


class _NotPlain(Exception):
    """What is found is no loop over scalars."""


@dataclass
class _Reader:
    make: Scalars
    known: dict[Exp, Exp] = field(default_factory=dict)
    """The values of names and variables, in terms of the variables as a round begins."""

    def rounds(self, node: Do) -> Rounds:
        starts: dict[Var, Exp] = {}
        before, loop, after = _parts(node)
        for statement in before:
            match statement:
                case HostLet(var=var, value=value):
                    self.known[var] = self.value(value)
                case Variable(var=var, value=value):
                    starts[var] = self.known[var] = self.value(value)
                case _:
                    raise _NotPlain
        for var in starts:
            del self.known[var]
        cond = self.value(loop.cond)
        outer = dict(self.known)
        self.run(loop.body)
        nexts = tuple([self.known.get(var, var) for var in starts])
        self.known = outer
        self.run(after)
        result = self.value(node.value)
        found = Rounds(tuple(starts), tuple(starts.values()), cond, nexts, result)
        changing = frozenset(starts)
        free = FreeVars()
        for exp in (cond, *nexts):
            for read in nodes(exp):
                if isinstance(read, Read) and free.of(read.index) & changing:
                    raise _NotPlain
        return found

    def value(self, exp: Exp) -> Exp:
        """An expression with what is known put in; it may be computed at any time."""
        for node in nodes(exp):
            if not isinstance(node, Const | Var | Call | Sum | Select | Read):
                raise _NotPlain
            if isinstance(node, Call) and node.op in TRAPPING:
                raise _NotPlain
        return Substitute(self.make, self.known)(exp)

    def run(self, statements: Iterable[Statement]) -> None:
        """What statements make of the variables."""
        for statement in statements:
            match statement:
                case HostLet(var=var, value=value) | Variable(var=var, value=value):
                    self.known[var] = self.value(value)
                case Assign(var=var, value=value):
                    self.known[var] = self.value(value)
                case Choice(cond=cond, then=then, other=other):
                    self.choose(self.value(cond), then, other)
                case _:
                    raise _NotPlain

    def choose(self, cond: Exp, then: Iterable[Statement], other: Iterable[Statement]) -> None:
        """Both branches; what they assign is chosen."""
        before = dict(self.known)
        self.run(then)
        first, self.known = self.known, before
        second_start = dict(before)
        self.run(other)
        second, self.known = self.known, second_start
        for var in dict.fromkeys((*first, *second)):
            a, b = first.get(var, var), second.get(var, var)
            self.known[var] = a if a is b else self.make.select(cond, a, b)


def _parts(node: Do) -> tuple[tuple[Statement, ...], While, tuple[Statement, ...]]:
    """What stands before the only loop of a sequence, the loop, and what stands behind it."""
    statements = statements_of(node)
    loops = [k for k, s in enumerate(statements) if isinstance(s, While)]
    if len(loops) != 1:
        raise _NotPlain
    (k,) = loops
    loop = statements[k]
    assert isinstance(loop, While)
    return statements[:k], loop, statements[k + 1 :]
