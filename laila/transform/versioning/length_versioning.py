"""Loop versioning by equal lengths: where these would enable fusion, or prove what is checked otherwise,
statements are emitted twice, guarded by a test.

Where two lengths must be equal unless one of the arrays has a single element, which then extends (see Note
[Lengths that only the run knows]), only the run knows whether loops over them have one length. A span of
statements in which loops could share what they read if they had stands twice behind that test: in the first
version equal lengths have one name, by which `fuse` finds them, the second is for the rest.

    s = REDUCE over i < n { b[i] }               if m = n {
    k = m = n ? m : …                                s = REDUCE over i < m { b[i] }
    t = REDUCE over j < k { a[…] × b[…] }    →       t = REDUCE over j < m { a[j] × b[j] }
                                                 } else { … }

So do loops along rows that have so many elements as an array whose length the text tells, a number then,
which is how far apart they lie in memory, too.

So are loops that read what both lengths belong to, as where items of two arrays of arrays begin: over the one
length the places in the other would have to be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Filter,
    Free,
    Function,
    HostCheck,
    HostLet,
    If,
    Map,
    Program,
    Scan,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import Buffer, Check, Const, Exp, Fold, FreeVars, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, leaves, own_expressions, with_bodies, within
from aplc.laila.lowering.pull import fill
from aplc.laila.transform.fusion.fuse import MAX_REGION
from aplc.laila.transform.versioning.multiversioning import Equal, divided, given, is_total, version
from aplc.tail import prims as p
from aplc.tail.prims import Prim

LONGEST_ROW = 64
"""Of rows that are known to be longer nothing would be written out."""

LARGEST = 200
"""Nodes of the expressions of all loops that stand in versions for them."""

STRAIGHT = (HostLet, Alloc, Free, Map, Scan, Filter, Store, HostCheck)
"""Statements that a span may have."""


def with_equal_lengths(program: Program, make: ExprBuilder) -> Program:
    """The program with spans in two versions where loops over equal lengths would share what they read."""
    agreeing = _Agreeing(make, program)
    functions = tuple(
        [replace(f, statements=agreeing.block(f.statements, _results(f))) for f in program.functions]
    )
    return replace(program, statements=agreeing.block(program.statements, frozenset()), functions=functions)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A parallel operation: where it stands, its extents, and the memory it touches."""

    position: int
    extents: tuple[Exp, ...]
    touched: frozenset[Buffer]


class _Agreeing:
    def __init__(self, make: ExprBuilder, program: Program) -> None:
        self.make = make
        self.free = FreeVars()
        everything = [*program.statements, *[s for f in program.functions for s in f.statements]]
        self.changing = frozenset([s.var.name for s in within(everything) if isinstance(s, Variable)])
        self.left = LARGEST
        self.known: list[HostLet] = []
        """The conditions and lengths so far,"""
        self.equal, self.learnt = Equal(make), 0
        """what expressions are where these hold, and how many of them are in that."""

    def block(self, statements: Sequence[Statement], results: frozenset[Var]) -> tuple[Statement, ...]:
        """A sequence of statements; `results` are used behind it."""
        outer, equal, learnt = list(self.known), self.all_equal().copy(), len(self.known)
        done: list[Statement] = []
        left = list(statements)
        while left:
            straight = next((k for k, s in enumerate(left) if not isinstance(s, STRAIGHT)), len(left))
            count = min(straight, MAX_REGION)
            if count:
                done += self.region(left[:count], left[count:], results)
                left = left[count:]
            else:
                done.append(with_bodies(left.pop(0), lambda body: self.block(body, frozenset())))
        self.known, self.equal, self.learnt = outer, equal, learnt
        return tuple(done)

    def region(
        self, region: list[Statement], behind: Sequence[Statement], results: frozenset[Var]
    ) -> list[Statement]:
        """Statements without control flow, a span of which stands twice perhaps."""
        around = list(self.known)
        self.known += [s for s in region if isinstance(s, HostLet) and self.is_known(s)]
        if not any(s.var.likely for s in self.known):
            return region
        loops = [loop for k, s in enumerate(region) for loop in self.loops(k, s)]
        group = self.group(loops) or self.proved(loops, region) or self.told(loops, region)
        if not group:
            return region
        first, last = group[0].position, group[-1].position
        while first and isinstance(region[first - 1], Alloc | HostCheck):
            first -= 1
        while last + 1 < len(region) and isinstance(region[last + 1], Free):
            last += 1
        front, twice, frees = divided(region[first : last + 1])
        conditions = self.conditions(group)
        early = [*around, *region[:first], *front]
        if not all(c in early for c in conditions) or not self.stand_alone(front, twice):
            return region
        rest = region[last + 1 :]
        used = {v.name for s in (*rest, *behind) for e in expressions(s) for v in self.free.of(e)}
        used |= {v.name for v in results}
        exported = [v for s in twice for v in given(s) if v.name in used]
        declared = [Variable(v, fill(self.make, v.ty)) for v in exported]
        choice = self.choice(conditions, twice, exported)
        return [*region[:first], *front, *declared, choice, *frees, *rest]

    def stand_alone(self, front: list[Statement], behind: list[Statement]) -> bool:
        """Whether nothing of what moves to the front needs what stays behind it."""
        given = {v.name for s in behind for v in bound(s)}
        return not any(v.name in given for s in front for e in expressions(s) for v in self.free.of(e))

    def is_known(self, statement: HostLet) -> bool:
        """Whether a scalar is a condition or a length that may be computed earlier, and stays what it is."""
        value = statement.value
        if not (statement.var.likely or statement.var.is_index) or self.free.names(value) & self.changing:
            return False
        return is_total(value)

    def loops(self, position: int, statement: Statement) -> list[_Loop]:
        """The parallel operation that a statement is, if it is one."""
        match statement:
            case HostLet(value=Fold(combine=Prim(), extent=extent)):
                extents: tuple[Exp, ...] = (extent,)
            case Map(guard=None, ordered=False, space=space) | Scan(space=space) | Filter(space=space):
                extents = space.extents
            case _:
                return []
        return [_Loop(position, extents, frozenset(mentioned(statement)))]

    def group(self, loops: list[_Loop]) -> list[_Loop]:
        """Loops that would have one index space were all lengths equal, and share memory, but have not."""
        equal = self.all_equal()
        spaces: dict[tuple[Exp, ...], list[_Loop]] = {}
        for loop in loops:
            spaces.setdefault(tuple([equal(n) for n in loop.extents]), []).append(loop)
        for group in spaces.values():
            for one, other in combinations(group, 2):
                if one.extents != other.extents and one.touched & other.touched:
                    return group
        return []

    def proved(self, loops: list[_Loop], region: list[Statement]) -> list[_Loop]:
        """Loops that would have fewer checks were all lengths equal."""
        checked = [loop for loop in loops if _checks(region[loop.position])]
        if not checked:
            return []
        values = self.all_equal().values

        def has_fewer(statement: Statement) -> bool:
            (quick,) = version(self.make, [statement], values, [])
            return _checks(quick) < _checks(statement)

        return [loop for loop in checked if has_fewer(region[loop.position])]

    def told(self, loops: list[_Loop], region: list[Statement]) -> list[_Loop]:
        """Loops whose folds would be over a known, small number of elements if lengths were equal, or whose
        rows would be so long in memory.
        """
        equal = self.all_equal()

        def is_told(extent: Exp) -> bool:
            number = equal(extent)
            is_number = isinstance(number, Const) and 2 <= number.value <= LONGEST_ROW
            return is_number and not isinstance(extent, Const)

        found: list[_Loop] = []
        for loop in loops:
            statement = region[loop.position]
            own = list(nodes(*own_expressions(statement)))
            inner = [n.extent for n in own if isinstance(n, Fold)]
            inner += [n for r in own if isinstance(r, Read) for n in nodes(r.index) if isinstance(n, Var)]
            rows = [n for n in dict.fromkeys(inner) if n not in loop.extents and is_told(n)]
            rows += [
                k.var for k in self.known if is_told(k.var) and not self.free.of(k.value).isdisjoint(rows)
            ]
            size = len(own)
            if rows and size <= self.left:
                self.left -= size
                found.append(replace(loop, extents=tuple(rows)))
        return found

    def all_equal(self) -> Equal:
        """What expressions are where all likely conditions hold."""
        for known in self.known[self.learnt :]:
            self.equal.learn(known.var, known.value, holds=known.var.likely)
        self.learnt = len(self.known)
        return self.equal

    def conditions(self, group: list[_Loop]) -> list[HostLet]:
        """The likely conditions about the extents of some loops."""
        about = {v for loop in group for n in loop.extents for v in self.free.of(n)}
        for known in reversed(self.known):
            if known.var in about:
                about |= self.free.of(known.value)
        return [k for k in self.known if k.var.likely and self.free.of(k.value) & about]

    def choice(self, conditions: list[HostLet], span: list[Statement], exported: list[Var]) -> If:
        """A span in two versions; the second is what it was."""
        make = self.make
        test: Exp = make.true
        equal = Equal(make)
        for known in self.known:
            if known in conditions and equal(known.value) is not make.true:
                test = make.call(p.ANDB, test, known.var)
            if known in conditions or not known.var.likely:
                equal.learn(known.var, known.value, holds=known.var.likely)
        same = [k.value for k in conditions if k.var is test]
        otherwise: dict[Exp, Exp] = {k.var: make.false for k in conditions if k.value in same}
        return If(
            test,
            version(make, span, equal.values, exported),
            version(make, span, otherwise, exported),
        )


def _checks(statement: Statement) -> int:
    """How many checks a statement has."""
    return sum([isinstance(n, Check) for n in nodes(*expressions(statement))])


def _results(function: Function) -> frozenset[Var]:
    """The variables in what a function gives."""
    found = [leaf for r in function.results for leaf in leaves(r)]
    roots = [e for r in found for e in (r.shape if isinstance(r, ArrayRef) else (r.value,))]
    return frozenset([n for n in nodes(*roots) if isinstance(n, Var)])
