"""Recognises loops over scalars inside a map, whose iterations can run for many points of the map at once.

A function that is applied to elements may loop until something holds (an escape time, Newton's method). Its
sequence is recognised as variables with their first values, a condition, and what each round makes of them;
lanes then do rounds together, and one that has ended keeps its values until the last one has.

    while any { any = 0; for j < 32 { c = cond(x[j]); x[j] = c ? next(x[j]) : x[j]; any |= c } }

Here loops are read and divided into what all lanes share and what each has; `masked_simd_loops` makes the
lanes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.program import Assign, HostCheck, HostLet, If, Statement, Variable, While
from aplc.laila.ir.scalar import (
    FLOOR_DIV,
    FLOOR_QUOT,
    MULTIPLY_ADD,
    QUOT,
    REM,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import statements_of
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

TRAPPING = frozenset((QUOT, REM, FLOOR_QUOT, FLOOR_DIV))
"""What must not be computed for operands that a condition excludes."""


def is_total(exp: Exp) -> bool:
    """Whether an expression is computed without a trap whatever the numbers in it are, and without a check, a
    loop or a call.
    """
    for node in nodes(exp):
        match node:
            case Check() | Fold() | BlockExp() | PureCall():
                return False
            case Call(op=op, args=(*_, divisor)) if op in TRAPPING:
                if not isinstance(divisor, Const) or divisor.value in (0, -1):  # the least by -1 traps, too
                    return False
            case _:
                pass
    return True


@dataclass(frozen=True, slots=True)
class Rounds:
    """A loop over scalars: its variables with first and next values, when it goes on, and what it gives."""

    variables: tuple[Var, ...]
    firsts: tuple[Exp, ...]
    cond: Exp
    nexts: tuple[Exp, ...]
    result: Exp


@dataclass(frozen=True, slots=True)
class Divided:
    """The variables and conditions of a loop, divided: what is the same at all points that still loop, such
    as a count of the rounds, and what each point has of its own.
    """

    shared: tuple[Var, ...]
    own: tuple[Var, ...]
    shared_cond: Exp
    own_cond: Exp


def divided(make: ExprBuilder, free: FreeVars, rounds: Rounds, *point: Var) -> Divided:
    """The parts of a loop at a point, which has one index or several."""
    pairs = dict(zip(rounds.variables, zip(rounds.firsts, rounds.nexts, strict=True), strict=True))
    own = frozenset(point)
    while True:
        more = {v for v, exps in pairs.items() if v not in own and any(free.of(e) & own for e in exps)}
        if not more:
            break
        own |= more
    conds = {False: make.true, True: make.true}
    for cond in _conjuncts(make, rounds.cond):
        is_own = bool(free.of(cond) & own)
        conds[is_own] = make.call(p.ANDB, conds[is_own], cond)
    return Divided(
        tuple([v for v in pairs if v not in own]),
        tuple([v for v in pairs if v in own]),
        conds[False],
        conds[True],
    )


def _conjuncts(make: ExprBuilder, cond: Exp) -> list[Exp]:
    """Conditions that hold together where a condition holds."""
    match cond:
        case Call(op=op, args=(a, b)) if op is p.ANDB:
            return [*_conjuncts(make, a), *_conjuncts(make, b)]
        case Call(op=op, args=(Call(op=inner, args=(a, b)),)) if op is p.NOTB and inner is p.ORB:
            return [*_conjuncts(make, make.call(p.NOTB, a)), *_conjuncts(make, make.call(p.NOTB, b))]
        case _:
            return [cond]


def with_choices(make: ExprBuilder, rounds: Rounds) -> Rounds:
    """The same loop with choices instead of arithmetic on conditions: lanes choose in one operation."""
    change = _Choices(make, {})
    nexts = tuple([change(e) for e in rounds.nexts])
    return Rounds(rounds.variables, rounds.firsts, change(rounds.cond), nexts, rounds.result)


class _Choices(Substitute):
    """Rebuilds expressions with choices."""

    def _rebuild(self, node: Exp) -> Exp:
        make, result = self.make, super()._rebuild(node)
        match result:
            case Call(op=op, args=(cond,)) if op is p.B2I:
                return make.select(cond, make.one, make.zero)
            case Call(op=op, args=(Select(cond=cond, then=Const(value=a), other=Const(value=b)),)) if (
                op is p.I2D
            ):
                return make.select(cond, make.const(float(a)), make.const(float(b)))
            case Call(op=op, args=(a, b)) if op is p.ADDD:
                return self._one_of_two(a, b) or result
            case _:
                return result

    def _one_of_two(self, a: Exp, b: Exp) -> Exp | None:
        """`x×c + y×~c  →  c ? y×0+x : x×0+y`: what is multiplied by 0 is 0, or NaN, and not rounded."""
        first, second = self._factor(a), self._factor(b)
        if first is None or second is None or first[0] is not second[0] or first[2] == second[2]:
            return None
        cond, x, is_first = first
        y, zero = second[1], self.make.const(0.0)
        if not is_first:
            x, y = y, x
        return self.make.select(
            cond, self.make.call(MULTIPLY_ADD, y, zero, x), self.make.call(MULTIPLY_ADD, x, zero, y)
        )

    def _factor(self, exp: Exp) -> tuple[Exp, Exp, bool] | None:
        """A condition and a number: the expression is the number where the condition is as the third value,
        otherwise 0 times the number.
        """
        if not isinstance(exp, Call) or exp.op is not p.MULD:
            return None
        one, zero = self.make.const(1.0), self.make.const(0.0)
        for number, factor in (exp.args, exp.args[::-1]):
            if isinstance(factor, Select) and {factor.then, factor.other} == {one, zero}:
                return factor.cond, number, factor.then is one
        return None


@dataclass(frozen=True, slots=True)
class Change:
    """A condition without which a variable keeps its value, and whether it changes wherever that holds."""

    cond: Exp
    always: bool


def changes_where(make: ExprBuilder, old: Exp, new: Exp) -> Change | None:
    """Where a variable changes, if its next value is a choice or it counts where something holds."""
    match new:
        case Select(cond=cond, other=other) if other is old:
            return Change(cond, always=False)
        case Sum():
            match make.sub(new, old):
                case Select(cond=cond, then=Const(value=step), other=Const(value=0)) if step != 0:
                    return Change(cond, always=True)
                case _:
                    return None
        case _:
            return None


def in_both_branches(roots: tuple[Exp, ...]) -> tuple[Exp, ...]:
    """The largest parts of both branches of a choice that are computed whichever is chosen."""
    found: dict[Exp, None] = {}
    for node in unconditional(roots):
        if isinstance(node, Select):
            other = {id(n) for n in unconditional((node.other,))}
            common = [n for n in unconditional((node.then,)) if id(n) in other]
            below = {id(o) for n in common for o in operands(n)}
            found |= {n: None for n in common if id(n) not in below and not isinstance(n, Const | Var)}
    return tuple(found)


def rounds_of(make: ExprBuilder, node: BlockExp, *point: Var) -> Rounds | None:
    """The loop that a sequence is at a point, if it is one over scalars that may run for longer than it has
    to. It may read what changes with the round only where all points are in the same one.
    """
    try:
        return _tested_first(make, _Reader(make, point).rounds(node))
    except _NotPlain:
        return None


def _tested_first(make: ExprBuilder, rounds: Rounds) -> Rounds:
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


def _under(make: ExprBuilder, cond: Exp, holds: bool, exp: Exp) -> Exp:
    """An expression where a condition is decided."""
    return Substitute(make, {cond: make.const(holds)})(exp)


class _NotPlain(Exception):
    """What is found is no loop over scalars."""


@dataclass
class _Reader:
    make: ExprBuilder
    point: tuple[Var, ...]
    known: dict[Exp, Exp] = field(default_factory=dict)
    """The values of names and variables, in terms of the variables as a round begins."""

    def rounds(self, node: BlockExp) -> Rounds:
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
        checks: list[HostCheck] = []
        for statement in after:
            if isinstance(statement, HostCheck):
                told = tuple([self.value(e) for e in statement.reported])
                checks.append(HostCheck(self.value(statement.ok), statement.site, told))
            else:
                self.run((statement,))
        result = self.value(node.value)
        for check in reversed(checks):
            result = self.make.check(check.ok, result, check.site, *check.reported)
        found = Rounds(tuple(starts), tuple(starts.values()), cond, nexts, result)
        free = FreeVars()
        changing = frozenset(starts)
        reads = [n for n in nodes(cond, *nexts) if isinstance(n, Read) and free.of(n.index) & changing]
        if reads:
            parts = divided(self.make, free, found, *self.point)
            own = frozenset((*self.point, *parts.own))
            if parts.own_cond is not self.make.true or any(free.of(n.index) & own for n in reads):
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
                case If(cond=cond, then=then, other=other):
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


def _parts(node: BlockExp) -> tuple[tuple[Statement, ...], While, tuple[Statement, ...]]:
    """What stands before the only loop of a sequence, the loop, and what stands behind it."""
    statements = statements_of(node)
    loops = [k for k, s in enumerate(statements) if isinstance(s, While)]
    if len(loops) != 1:
        raise _NotPlain
    (k,) = loops
    loop = statements[k]
    assert isinstance(loop, While)
    return statements[:k], loop, statements[k + 1 :]
