"""Conditions and lengths that are computed twice are computed once, and what has been checked holds from then
on (available expressions, Gupta, Optimizing array bound checks using flow analysis, 1993).

    check (m = n)                                   check (m = n)
    equal = (m = n); one = (n = 1)
    check (equal or one)                      →
    k = (equal ? m : (one ? m : n))
    MAP a[i] = x[i] + y[equal ? i : 0] over i < k   MAP a[i] = x[i] + y[i] over i < m

    if equal { MAP a[i] = (equal ? x[i] : y[0]) }   if equal { MAP a[i] = x[i] }

    FILTER a, m over i < k { x[i] where c[i] }      FILTER a, m over i < k { x[i] where c[i] }
    FILTER b, n over i < k { y[i] where c[i] }  →   FILTER b, n over i < k { y[i] where c[i] }
    check (m = n)                                   MAP d[j] = a[j] + b[j] over j < m
    MAP d[j] = a[j] + b[j] over j < n

So what looks into an array once more needs no version for other lengths, nor have elements chosen by one mask
other lengths. A condition is one of variables that get one value each, and holds in the statements behind it
and those inside them; how many elements a mask chooses is known until something changes that it reads. Counts
keep their names until updates by masks are choices, where what counts may be left out. It comes before loops
have versions by such conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from aplc.laila.ir.liveness import buffers_read, named
from aplc.laila.ir.program import (
    Assign,
    Filter,
    ForEach,
    HostCheck,
    HostLet,
    If,
    Program,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, Fold, FreeVars, Select, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import names_of_results, own_expressions, rebuilt, with_blocks, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

Block = tuple[Statement, ...]


def with_conditions_shared(
    program: Program, make: ExprBuilder, *, one_name_for_counts: bool = False
) -> Program:
    """The program with each condition and length computed once, and nothing checked that is known to hold;
    how many elements a mask chooses has one name if it is to, and otherwise the names are known to be equal.
    """
    blocks = (program.statements, *[f.statements for f in program.functions])
    everything = [s for block in blocks for s in within(block)]
    changing = {s.var.name for s in everything if isinstance(s, Variable | Assign)}
    of_results = names_of_results(program)
    kept = frozenset(changing), frozenset(changing | of_results)
    sharing = _Sharing(make, *kept, FreeVars(), one_name_for_counts)
    program = with_blocks(program, lambda block: sharing.block(block, _Known()))
    used = set(of_results)
    return with_blocks(program, lambda block: sharing.wanted(block, used))


Guises = dict[tuple[str, tuple[Exp, ...], tuple[Exp, ...]], Var]
"""Variables by their names and bounds: more is known of one behind a check."""


class _Renamed(Substitute):
    """Rebuilds expressions with other values for some names: a variable may have several guises."""

    def __init__(self, make: ExprBuilder, names: dict[str, Exp], guises: Guises) -> None:
        super().__init__(make, {})
        self.names, self.guises = names, guises

    def _rebuild(self, node: Exp) -> Exp:
        if not isinstance(node, Var):
            return super()._rebuild(node)
        value = followed(node, self.names)
        if value is node or not isinstance(value, Var) or value.lows or value.highs:
            return value
        key = value.name, node.lows, node.highs
        return (
            self.guises.setdefault(key, replace(node, name=value.name)) if node.lows or node.highs else value
        )


def followed(exp: Exp, names: dict[str, Exp]) -> Exp:
    """What stands for an expression if that is a variable; for some there are others, which are known now."""
    while isinstance(exp, Var) and exp.name in names:
        exp = names[exp.name]
    return exp


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known at a place: the values of expressions, and what stands for variables, by their names."""

    values: dict[Exp, Exp] = field(default_factory=dict)
    names: dict[str, Exp] = field(default_factory=dict)
    reading: dict[Buffer, list[Exp]] = field(default_factory=dict)
    """The expressions with known values that read elements."""
    before: list[tuple[dict[Any, Exp], object, Exp | None]] = field(default_factory=list)
    """What was known of all that is known now."""

    def counted(self, number: Exp, count: Var) -> None:
        """What elements of arrays are computed to is known until one of these changes."""
        self.note(self.values, number, count)
        for buffer in buffers_read(number):
            self.reading.setdefault(buffer, []).append(number)

    def forget(self, statement: Statement) -> None:
        """Nothing is known of what was computed from elements that a statement may change."""
        for buffer in [b for inner in within((statement,)) for b in named(inner)]:
            for number in self.reading.pop(buffer, ()):
                self.note(self.values, number, number)

    def note(self, values: dict[Any, Exp], key: object, value: Exp) -> None:
        """Something is known from here to the end of the sequence at hand."""
        self.before.append((values, key, values.get(key)))
        values[key] = value

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A sequence inside, what is known in which is forgotten behind it."""
        start = len(self.before)
        yield
        while len(self.before) > start:
            values, key, value = self.before.pop()
            if value is None:
                del values[key]
            else:
                values[key] = value


@dataclass(frozen=True, slots=True)
class _Sharing:
    """A program; the values of variables that are `left` change, or are mentioned behind all statements."""

    make: ExprBuilder
    changing: frozenset[str]
    left: frozenset[str]
    free: FreeVars
    one_name_for_counts: bool
    guises: Guises = field(default_factory=dict)

    def block(self, statements: Sequence[Statement], known: _Known) -> Block:
        """A sequence of statements, and what is known behind it in `known`."""
        done: list[Statement] = []
        for old in statements:
            statement = self.renamed(old, known)
            if known.reading:
                known.forget(statement)
            match statement:
                case Filter(count=count, goes_on=False, keep=keep, space=Space((index,), (extent,))):
                    is_kept = self.make.call(p.B2I, keep)
                    self.count(count, self.total(index, extent, is_kept), known, statement.buffer)
                    done.append(statement)
                case HostLet(var=count, value=Fold(combine=p.ADDI, var=index, extent=extent, body=body)):
                    self.count(count, self.total(index, extent, body), known)
                    if count.name not in known.names or count.name in self.left:
                        done.append(statement)
                case HostLet(var=var, value=value) if self.is_steady(value) and var.name not in self.left:
                    found = self.value(value, known)
                    is_like = isinstance(found, Var) and found.is_index is var.is_index
                    if isinstance(found, Const) or is_like:
                        known.note(known.names, var.name, found)
                    else:
                        known.note(known.values, value, var)
                        done.append(statement)
                case HostCheck(ok=ok):
                    if self.value(ok, known) is not self.make.true:
                        done.append(statement)
                        self.learn(ok, known, holds=True)
                case If(cond=cond, then=then, other=other):
                    sides = []
                    for side, holds in ((then, True), (other, False)):
                        with known.inside():
                            self.learn(cond, known, holds=holds)
                            sides.append(self.block(side, known))
                    done.append(replace(statement, then=sides[0], other=sides[1]))
                case While(body=body) | ForEach(body=body):
                    with known.inside():
                        done.append(replace(statement, body=self.block(body, known)))
                case _:
                    done.append(statement)
        return tuple(done)

    def wanted(self, statements: Block, used: set[str]) -> Block:
        """The statements without conditions that nobody asks for; `used` are the names that are mentioned."""
        kept: list[Statement] = []
        for statement in reversed(statements):
            match statement:
                case HostLet(var=var, value=value) if var.ty is Base.BOOL and self.is_steady(value):
                    if var.name not in used:
                        continue
                case If(then=then, other=other):
                    other = self.wanted(other, used)
                    statement = replace(statement, then=self.wanted(then, used), other=other)
                case While(body=body) | ForEach(body=body):
                    statement = replace(statement, body=self.wanted(body, used))
                case _:
                    pass
            for exp in own_expressions(statement):
                used |= self.free.names(exp)
            kept.append(statement)
        return tuple(reversed(kept))

    def renamed(self, statement: Statement, known: _Known) -> Statement:
        """A statement with what stands for variables, but for the statements inside it."""
        mentioned = [n for n in nodes(*own_expressions(statement)) if isinstance(n, Var)]
        for var in mentioned:
            self.guises.setdefault((var.name, var.lows, var.highs), var)
        if not any(var.name in known.names for var in mentioned):
            return statement
        change = _Renamed(self.make, known.names, self.guises)
        match statement:
            case If(cond=cond) | While(cond=cond):
                return replace(statement, cond=change(cond))
            case ForEach(body=body):
                changed = rebuilt(replace(statement, body=()), change)
                assert isinstance(changed, ForEach)
                return replace(changed, body=body)
            case _:
                return rebuilt(statement, change)

    def total(self, index: Var, extent: Exp, body: Exp) -> Exp:
        """A sum, with the same index wherever it is computed."""
        make = self.make
        k = make.sample_index(extent)
        return make.fold(p.ADDI, k, extent, Substitute(make, {index: k})(body), make.zero)

    def count(self, count: Var, total: Exp, known: _Known, written: Buffer | None = None) -> None:
        """A variable is a sum, in which nothing changes besides what a statement has `written`."""
        if not self.changing.isdisjoint({count.name, *self.free.names(total)}):
            return
        found = self.value(total, known)
        if isinstance(found, Var) and self.one_name_for_counts:
            known.note(known.names, count.name, found)
        elif isinstance(found, Var):
            for pair in ((count, found), (found, count)):
                known.note(known.values, self.make.call(p.EQI, *pair), self.make.true)
        elif written not in buffers_read(total):
            known.counted(total, count)

    def is_steady(self, value: Exp) -> bool:
        """Whether an expression has one value, and is computed of variables and constants alone."""
        is_scalar = all(isinstance(n, Call | Const | Select | Sum | Var) for n in nodes(value))
        return is_scalar and self.left.isdisjoint(self.free.names(value))

    def value(self, exp: Exp, known: _Known) -> Exp:
        """What stands for an expression."""
        return followed(known.values.get(exp, exp), known.names)

    def learn(self, condition: Exp, known: _Known, *, holds: bool) -> None:
        """A condition of one value holds, or does not."""
        stack = [(condition, holds)]
        while stack:
            exp, is_true = stack.pop()
            if isinstance(exp, Const) or not self.is_steady(exp):
                continue
            value = self.make.true if is_true else self.make.false
            known.note(known.values, exp, value)
            if isinstance(exp, Var):
                known.note(known.names, exp.name, value)
            elif isinstance(exp, Call) and exp.op is (p.ANDB if is_true else p.ORB):
                stack += [(part, is_true) for part in exp.args]
            elif isinstance(exp, Call) and exp.op is p.NOTB:
                stack.append((exp.args[0], not is_true))
