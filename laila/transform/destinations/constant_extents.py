"""Extents of what functions of the program give that are the same number in every call are known to callers.

    function f(…) { if c { n := 2 } else { call r[m][k] = f(…); check (k = 2); n := k }; give r[m][n] }
        →   n = k = 2 wherever f is called, and nothing is left to check

That is proved by assuming it of the calls inside: of the values that an extent has where a function returns,
those of calls are nothing at first, and then what has been found of the functions. What is found in the end
holds for calls of any depth, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from aplc.laila.ir.program import (
    ArrayRef,
    Assign,
    FunctionCall,
    HostCheck,
    HostLet,
    If,
    Program,
    Ref,
    Statement,
    Variable,
)
from aplc.laila.ir.scalar import Const, Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, leaves, rebuilt, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base

Place = tuple[str, int]
"""A function, and which of the extents that it gives."""

NEVER: Final = "never"
"""The value of what no call has given yet."""

Value = Const | Literal["never"] | None
"""What is known of an integer: a number, or nothing."""

State = dict[str, Value]
"""What variables are, by name; nothing is known of others."""


def with_extents_known(program: Program, make: ExprBuilder) -> Program:
    """The program in which extents of what functions give are numbers where they always are."""
    known = constant_extents(program, make)
    if not known:
        return program

    def told(block: Sequence[Statement]) -> tuple[Statement, ...]:
        return _told(block, Substitute(make, numbers_of(block, known)))

    functions = tuple([replace(f, statements=told(f.statements)) for f in program.functions])
    return replace(program, statements=told(program.statements), functions=functions)


def constant_extents(program: Program, make: ExprBuilder) -> dict[Place, Const]:
    """The extents that functions give that are numbers."""
    extents = _Extents(make)
    while program.functions and extents.grow(program):
        pass
    return {place: value for place, value in extents.found.items() if isinstance(value, Const)}


def _extents_of(references: Sequence[Ref]) -> list[Exp]:
    """All extents of arrays among references."""
    arrays = [leaf for r in references for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
    return [n for array in arrays for n in array.shape]


def numbers_of(block: Sequence[Statement], known: Mapping[Place, Const]) -> dict[Exp, Exp]:
    """The variables for extents of results of calls that are numbers."""
    calls = [s for s in within(block) if isinstance(s, FunctionCall)]
    given = [(n, (s.function, k)) for s in calls for k, n in enumerate(_extents_of(s.results))]
    return {n: known[place] for n, place in given if place in known}


def _told(block: Sequence[Statement], change: Substitute) -> tuple[Statement, ...]:
    """Statements with what is known in their expressions, without checks that hold then."""
    return _needed([rebuilt(s, change) for s in block])


def _needed(block: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements without checks that hold."""
    kept = [s for s in block if not (isinstance(s, HostCheck) and _holds(s.ok))]
    return tuple([with_bodies(s, _needed) for s in kept])


def _holds(ok: Exp) -> bool:
    return isinstance(ok, Const) and bool(ok.value)


@dataclass(slots=True)
class _Extents:
    """The extents that functions give, as far as is known."""

    make: ExprBuilder
    found: dict[Place, Value] = field(default_factory=dict)
    """Of those of which nothing is in here no call has returned yet."""
    free: FreeVars = field(default_factory=FreeVars)

    def grow(self, program: Program) -> bool:
        """Find more extents from those that have been found; whether there were any."""
        before = dict(self.found)
        for function in program.functions:
            state: State = {}
            self.block(function.statements, state)
            for k, extent in enumerate(_extents_of(function.results)):
                value = _joined(self.value(extent, state), self.found.get((function.name, k), NEVER))
                if value is not NEVER:
                    self.found[function.name, k] = value
        return self.found != before

    def block(self, block: Sequence[Statement], state: State) -> None:
        """What variables are behind some statements."""
        for statement in block:
            match statement:
                case (
                    Variable(var=var, value=value)
                    | Assign(var=var, value=value)
                    | HostLet(var=var, value=value)
                ):
                    state[var.name] = self.value(value, state) if var.ty is Base.INT else None
                case If(then=then, other=other):
                    first, second = dict(state), dict(state)
                    self.block(then, first)
                    self.block(other, second)
                    for name in dict.fromkeys([*first, *second]):
                        state[name] = _joined(first.get(name), second.get(name))
                case FunctionCall(function=function, results=results):
                    for var in bound(statement):
                        state[var.name] = None
                    for k, extent in enumerate(_extents_of(results)):
                        if isinstance(extent, Var):
                            state[extent.name] = self.found.get((function, k), NEVER)
                case _:
                    for var in bound(statement):
                        state[var.name] = None

    def value(self, exp: Exp, state: State) -> Value:
        """The number that an expression is."""
        names = self.free.of(exp)
        values = {var: state.get(var.name) for var in names}
        if any(value is NEVER for value in values.values()):
            return NEVER
        known: dict[Exp, Exp] = {var: value for var, value in values.items() if isinstance(value, Const)}
        number = Substitute(self.make, known)(exp) if len(known) == len(names) else exp
        return number if isinstance(number, Const) else None


def _joined(one: Value, other: Value) -> Value:
    """What is one of two."""
    if one is NEVER or other is NEVER:
        return other if one is NEVER else one
    return one if one is other else None
