"""Rounds whose states are doubles that are whole numbers are made with integers first.

    while v ≠ 1 { v := 2|v ≈ 0 ? v ÷ 2 : 1 + 3×v }
    →   if v is whole and 1 ≤ v < 2⁴⁶ {
            i := v; while i ≠ 1 and i < 2⁴⁶ { i := i rem 2 = 0 ? i quot 2 : 1 + 3×i }; v := i
        }
        while v ≠ 1 { … }

A quotient is a double, though nobody divides by 2 but what is even: the state of such a loop is a whole
number in each round. While it is small, sums and products of integers are those of doubles, and a comparison
within the tolerance is an exact one, since the tolerance is less than 1. A quotient is an integer behind a
condition that says that nothing remains. The loop as it was goes on where that ends: with the round that
begins then, or with the one in which a loop inside came to numbers that are too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rounds import rounds_of
from aplc.laila.ir.rules.whole_doubles import SMALL, Compared, Wholes, most_residue, told
from aplc.laila.ir.scalar import (
    DIVIDE,
    FLOOR,
    TRUNCATE,
    BlockExp,
    Call,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    do,
    expressions,
    own_expressions,
    rebuilt,
    sequences,
    statements_of,
    with_blocks,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering import tolerance
from aplc.laila.transform.stored_ranges import Survey
from aplc.tail import prims as p
from aplc.tail.errors import Error
from aplc.tail.prims import Prim
from aplc.tail.types import Base

SIZE = 400
"""So many nodes a loop has at most that is made twice."""

SCALARS = (HostLet, Variable, Assign, If, HostCheck)
"""What changes no memory."""

KINDS = (*SCALARS, While, ForEach, Alloc, Map, Move, Free, Store)
"""What may be in such a loop."""

NOT_NEGATIVE = Interval(0, SMALL - 1)
POSITIVE = Interval(1, SMALL - 1)
BETWEEN = Interval(1 - SMALL, SMALL - 1)

COMPARE = {tolerance.equal: p.EQD, tolerance.less: p.LTD, tolerance.less_or_equal: p.LTED}


def with_whole_states(program: Program, make: ExprBuilder) -> Program:
    """The program with a loop over integers before each loop whose states may be such, but for those that run
    for many points side by side.
    """
    return program if make.settings.is_single else with_blocks(program, _Blocks(make, program).block)


class _Blocks(Substitute):
    """Changes loops among statements, and among those in expressions."""

    def __init__(self, make: ExprBuilder, program: Program) -> None:
        super().__init__(make, {})
        self.program = program

    @cached_property
    def survey(self) -> Survey:
        """What the program writes to its buffers."""
        return Survey(self.program)

    def block(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Statements one after the other."""
        result: list[Statement] = []
        for statement in statements:
            found = _Loop(statement, self.make, self).before() if isinstance(statement, While) else ()
            inner = statement if found else with_bodies(statement, self.block)
            result += [*found, rebuilt(inner, self) if sequences(own_expressions(inner)) else inner]
        return tuple(result)

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, BlockExp) or rounds_of(self.make, result) is not None:
            return result
        return do(list(self.block(statements_of(result))), result.value)


class _NotWhole(Error):
    """A variable is no whole number in each round; without one, rounds cannot be made with integers."""

    def __init__(self, var: Var | None = None) -> None:
        self.var = var
        super().__init__("no whole number")


@dataclass
class _Loop:
    loop: While
    make: ExprBuilder
    around: _Blocks
    integers: dict[Var, Var] = field(default_factory=dict)
    """For each double that is a whole number the integer."""
    ranges: Ranges = field(default_factory=Ranges)
    facts: frozenset[Exp] = frozenset()
    """The conditions that hold at the place that has been reached."""
    aliases: dict[Exp, Exp] = field(default_factory=dict)
    """The values of names, in terms of variables that have not changed since."""
    given: dict[Var, Interval] = field(default_factory=dict)
    """What variables of integers have been assigned."""
    divisions: int = 0
    stops: Var | None = None
    """Whether a round could not be made with integers."""
    own: frozenset[Var] = frozenset()
    """The variables of a round."""
    converted: frozenset[Var] = frozenset()
    """The integers of a round that it makes doubles of."""
    has_changed: bool = False
    """Whether statements before in the round have changed what is there before and behind it."""
    free: FreeVars = field(default_factory=FreeVars)

    def before(self) -> list[Statement]:
        """The loop over integers, and what stands around it; nothing if there is none."""
        inside = list(within(self.loop.body))
        roots = [self.loop.cond, *[e for s in inside for e in expressions(s)]]
        divides = any(isinstance(n, Call) and n.op is p.RESD for n in nodes(*roots))
        if (
            not divides
            or not all(isinstance(s, KINDS) for s in inside)
            or sum(1 for _ in nodes(*roots)) > SIZE
        ):
            return []
        read = {v for root in roots for v in self.free.of(root)}
        own = self.own = frozenset([s.var for s in inside if isinstance(s, Variable | HostLet)])
        conversions = [n for n in nodes(*roots) if isinstance(n, Call) and n.op is p.I2D]
        self.converted = frozenset([v for n in conversions for v in self.free.of(n) if v.ty is Base.INT])
        assigned = dict.fromkeys([s.var for s in inside if isinstance(s, Assign)])
        doubles = [v for v in assigned if v.ty is Base.DOUBLE and (v in read or v in own)]
        while not own.issuperset(doubles):
            states = {v: self.residues(v) for v in doubles if v not in own}
            try:
                return self.loop_over(states, [v for v in doubles if v in own], self.others(roots, own))
            except _NotWhole as found:
                if found.var is None:
                    return []
                doubles.remove(found.var)
        return []

    def residues(self, state: Var) -> Interval:
        """The numbers of which a state is one behind a round: what divides may tell that they are so small
        that products of them are small, too.
        """
        inside = list(within(self.loop.body))
        named = {s.var: s.value for s in inside if isinstance(s, HostLet)}
        most = most_residue([s.value for s in inside if isinstance(s, Assign) and s.var is state], named)
        return NOT_NEGATIVE if most is None or most >= SMALL else Interval(0, most)

    def others(self, roots: Iterable[Exp], own: frozenset[Var]) -> dict[Var, Interval]:
        """The integers from outside that the loop makes doubles of, and what they have to be: what divides is
        positive.
        """
        found: dict[Var, Interval] = {}
        inside = own.union(*[s.space.indices for s in within(self.loop.body) if isinstance(s, Map)])
        outside = frozenset([v for root in roots for v in self.free.of(root)]) - inside
        for node in nodes(*roots):
            if isinstance(node, Call) and node.op is p.I2D:
                found |= {v: BETWEEN for v in self.free.of(node) & outside if v not in found}
            if isinstance(node, Call) and node.op is p.RESD:
                found |= {v: POSITIVE for v in self.free.of(node.args[0]) & outside}
        return {v: found[v] for v in sorted(found, key=lambda v: v.name) if v.ty is Base.INT}

    def loop_over(
        self, states: dict[Var, Interval], own: Sequence[Var], others: dict[Var, Interval]
    ) -> list[Statement]:
        """The loop over integers in place of some states and of variables of a round."""
        make = self.make
        self.integers = {v: Var(make.fresh(v.name), Base.INT) for v in (*states, *own)}
        self.ranges = Ranges(self.around.survey.ranges.stored)
        self.facts, self.aliases, self.given = frozenset(), {}, {}
        self.divisions, self.stops, self.has_changed = 0, None, False
        known = {self.integers[v]: interval for v, interval in states.items()} | others
        for var, interval in known.items():
            self.ranges.bind(var, interval)
        cond = self.changed(self.loop.cond)
        self.facts = told(make, cond, holds=True)
        body = self.statements(self.loop.body, is_round=True)
        if not self.divisions:
            return []
        fits = make.true
        for var, interval in states.items():
            fits = make.call(p.ANDB, fits, self.is_whole(var, interval))
        for var, interval in others.items():
            fits = make.call(p.ANDB, fits, self.is_in(var, interval))
        if self.stops is not None:
            cond = make.call(p.ANDB, make.call(p.NOTB, self.stops), cond)
        statements: list[Statement] = [
            *[Variable(self.integers[v], make.call(TRUNCATE, v)) for v in states],
            *([] if self.stops is None else [Variable(self.stops, make.const(False))]),
            replace(self.loop, cond=make.call(p.ANDB, cond, self.stays(known)), body=tuple(body)),
            *[Assign(v, make.call(p.I2D, self.integers[v])) for v in states],
        ]
        return [If(fits, tuple(statements))]

    def stays(self, known: dict[Var, Interval]) -> Exp:
        """Whether variables are in their intervals still, where it is not certain."""
        result = self.make.true
        for var, interval in known.items():
            if not self.given.get(var, interval).within(interval):
                result = self.make.call(p.ANDB, result, self.is_in(var, interval))
        return result

    def is_in(self, var: Var, interval: Interval) -> Exp:
        """Whether a variable is in an interval."""
        make = self.make
        above = make.call(p.GTEI, var, make.const(int(interval.low)))
        return make.call(p.ANDB, above, make.call(p.LTEI, var, make.const(int(interval.high))))

    def is_whole(self, var: Var, interval: Interval) -> Exp:
        """Whether a double is a whole number of an interval from zero on; the negative zero is none."""
        make = self.make
        is_zero = make.call(p.GTD, make.call(DIVIDE, make.const(1.0), var), make.const(0.0))
        above = make.call(p.ORB, make.call(p.GTED, var, make.const(1.0)), is_zero)
        inside = make.call(p.ANDB, above, make.call(p.LTED, var, make.const(float(interval.high))))
        return make.call(p.ANDB, inside, make.call(p.EQD, make.call(FLOOR, var), var))

    # --- statements ---

    def statements(self, statements: Iterable[Statement], *, is_round: bool = False) -> list[Statement]:
        """Statements one after the other, perhaps all those of a round."""
        make, result = self.make, list[Statement]()
        left = iter(self.with_whiles(self.with_elements(statements) if is_round else statements))
        for statement in left:
            match statement:
                case HostLet():
                    named = self.named(statement)
                    result.append(named)
                    small = self.small(named.var) if is_round and not self.has_changed else make.true
                    if small is not make.true:
                        return self.or_stopped(result, small, left)
                case Variable() | Assign():
                    result.append(self.assigned(statement))
                case If():
                    result.append(self.branches(statement))
                case While():
                    inner, stays = self.inner(statement)
                    if stays is not make.true:
                        if not is_round or self.has_changed:
                            raise _NotWhole
                        return self.or_stopped([*result, inner], stays, left)
                    result.append(inner)
                case HostCheck():
                    result.append(rebuilt(statement, self.changed))
                case _:
                    result.append(rebuilt(statement, self.changed))
                    self.has_changed = True
                    self.forget(set(), memory=True)
        return result

    def with_elements(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Statements of a round with names for the elements that they make doubles of."""
        for statement in statements:
            if isinstance(statement, HostLet | Assign):
                for node in unconditional((statement.value,)):
                    match node:
                        case Call(op=p.I2D, args=(Read() as read,)) if not self.is_small(read):
                            element = Var(self.make.fresh("element"), Base.INT)
                            self.converted |= {element}
                            yield HostLet(element, read)
                            statement = rebuilt(statement, Substitute(self.make, {read: element}))
            yield statement

    def is_small(self, exp: Exp) -> bool:
        """Whether an integer is small, whatever it is."""
        return self.ranges.integers(exp).within(BETWEEN)

    def or_stopped(
        self, before: list[Statement], goes_on: Exp, behind: Iterator[Statement]
    ) -> list[Statement]:
        """Statements of a round, those behind on a condition; the round begins anew with doubles if not."""
        self.stops = self.stops or Var(self.make.fresh("stops"), Base.BOOL)
        rest = self.statements(behind, is_round=True)
        return [*before, If(goes_on, tuple(rest), (Assign(self.stops, self.make.true),))]

    def small(self, var: Var) -> Exp:
        """Whether an integer of which a double is made, an element perhaps, is small; from here on it is."""
        if var not in self.converted or self.is_small(var):
            return self.make.true
        self.ranges.bind(var, NOT_NEGATIVE)
        self.aliases = {v: e for v, e in self.aliases.items() if v is not var}  # of the name that is known
        return self.is_in(var, NOT_NEGATIVE)

    def with_whiles(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Statements whose loops over an index are such with a condition, which may end earlier."""
        make = self.make
        for statement in statements:
            if not isinstance(statement, ForEach):
                yield statement
                continue
            if len(statement.space.indices) > 1 or statement.ends is not None or statement.counts is not None:
                raise _NotWhole
            (index,), (extent,) = statement.space.indices, statement.space.extents
            counter = Var(make.fresh(index.name), Base.INT)
            self.own |= {counter}
            body = [rebuilt(s, Substitute(make, {index: counter})) for s in statement.body]
            yield Variable(counter, make.zero)
            following = Assign(counter, make.add(counter, make.one))
            yield While(make.call(p.LTI, counter, extent), (*body, following))

    def inner(self, loop: While) -> tuple[While, Exp]:
        """A loop in a round, and whether it came to its end with integers: the round is to begin anew with
        doubles if it has not, so it must have changed nothing before.
        """
        make = self.make
        if not all(isinstance(s, SCALARS) for s in within(loop.body)):
            raise _NotWhole
        changed = {s.var for s in within(loop.body) if isinstance(s, Assign)}
        known = {
            self.integers[v]: NOT_NEGATIVE
            for v in sorted(changed, key=lambda v: v.name)
            if v in self.integers
        }
        self.forget(changed | known.keys())
        entered = {v: self.ranges.integers(v) for v in known}
        for var in changed:
            self.ranges.bind(var, None)
        for var, interval in known.items():
            self.ranges.bind(var, interval)
        before, facts, aliases, given = self.ranges.bounds, self.facts, self.aliases, self.given
        cond = self.changed(loop.cond)
        self.facts, self.given = facts | told(make, cond, holds=True), dict(entered)
        body = self.statements(loop.body)
        stays = self.stays(known)
        self.know(before)
        self.facts, self.aliases = facts | told(make, cond, holds=False), aliases
        self.given = given | {v: given.get(v, at).hull(at) for v, at in self.given.items()}
        return replace(loop, cond=make.call(p.ANDB, cond, stays), body=tuple(body)), stays

    def named(self, statement: HostLet) -> HostLet:
        """A name for a value, which is an integer if it can be."""
        var, value = statement.var, self.changed(statement.value)
        if var.ty is Base.DOUBLE:
            integer = self.whole(value)
            if integer is not None:
                own = self.integers[var] = Var(self.make.fresh(var.name), Base.INT)
                var, value = own, integer
        if var.ty.is_exact:
            self.ranges.bind(var, self.ranges.integers(value))
        self.aliases[var] = Substitute(self.make, self.aliases)(value)
        return HostLet(var, value)

    def assigned(self, statement: Variable | Assign) -> Statement:
        """A value for a variable, which is one for the integer that stands for it."""
        var, value = statement.var, self.changed(statement.value)
        self.has_changed |= isinstance(statement, Assign) and var not in self.own
        if var in self.integers:
            integer = self.whole(value)
            if integer is None:
                raise _NotWhole(var)
            var, value = self.integers[var], integer
        self.forget({var})
        if var.ty is Base.INT:
            found = self.ranges.integers(value)
            self.ranges.bind(var, found)
            self.given[var] = self.given.get(var, found).hull(found)
        return replace(statement, var=var, value=value)

    def branches(self, statement: If) -> If:
        """Both sides of a condition, where more is known; behind them what both tell."""
        cond = self.changed(statement.cond)
        expanded = Substitute(self.make, self.aliases)(cond)
        before, facts, aliases = self.ranges.bounds, self.facts, self.aliases
        sides, ends = list[tuple[Statement, ...]](), list[dict[str, Interval]]()
        for side, holds in ((statement.then, True), (statement.other, False)):
            self.know(before)
            self.facts = facts | told(self.make, expanded, holds=holds)
            self.aliases = dict(aliases)
            sides.append(tuple(self.statements(side)))
            ends.append(self.ranges.bounds)
        self.know({name: ends[0][name].hull(ends[1][name]) for name in ends[0] if name in ends[1]})
        self.facts, self.aliases = facts, aliases
        inside = list(within((*sides[0], *sides[1])))
        memory = not all(isinstance(s, SCALARS) for s in inside)
        self.forget({s.var for s in inside if isinstance(s, Assign)}, memory=memory)
        return replace(statement, cond=cond, then=sides[0], other=sides[1])

    def know(self, bounds: dict[str, Interval]) -> None:
        """Variables have these values."""
        self.ranges = Ranges(self.ranges.stored)
        self.ranges.bounds = dict(bounds)

    def forget(self, changed: set[Var], *, memory: bool = False) -> None:
        """What was known of variables that have changed, or of memory."""

        def is_kept(exp: Exp) -> bool:
            return not self.free.of(exp) & changed and not (memory and contains(Read | PureCall, exp))

        self.facts = frozenset([f for f in self.facts if is_kept(f)])
        self.aliases = {v: e for v, e in self.aliases.items() if is_kept(e)}

    # --- expressions ---

    def whole(self, exp: Exp) -> Exp | None:
        """The integer of which an expression is the conversion."""
        return Wholes(self.make, {}, self.ranges, compared_by(self.make)).whole(exp)

    def changed(self, exp: Exp) -> Exp:
        """An expression with integers, as far as they are known at its place."""
        replacements: dict[Exp, Exp] = {v: self.make.call(p.I2D, i) for v, i in self.integers.items()}
        change = Wholes(
            self.make, replacements, self.ranges, compared_by(self.make), self.facts, self.aliases
        )
        found = change(exp)
        self.divisions += change.divisions
        return found


def compared_by(make: ExprBuilder) -> Compared:
    """What tells of a comparison within a tolerance which one of small whole numbers it is."""

    def compared(exp: Exp) -> tuple[Prim, Exp, Exp] | None:
        if exp.ty is not Base.BOOL:
            return None
        for compare, op in COMPARE.items():
            known = tolerance.operands_of(make, exp, compare)
            if known is not None:
                allowed, x, y = known
                return (op, x, y) if allowed.value * SMALL < 1 else None
        return None

    return compared
