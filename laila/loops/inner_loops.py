"""Eases innermost loops for C compilers: reads that stay the same stand before them, and sums wait for less.

Note [Reads that stay the same]
    Where an item begins is read once, before the loop over its elements, if that runs at all:

        for k in a … b { s = s + x[k+i[r]] }
        →   t = a < b ? i[r] : 0
            for k in a … b { s = s + x[k+t] }

    C compilers take the elements of the first loop for scattered ones. What is no part of a place they read
    once by themselves, except where checks leave the loop at once: there it is read before the loop, too.
    Where checks only raise flags, expressions stand behind them as they do here; so what is evaluated
    whatever conditions hold may be evaluated although a check fails.

Note [One of two places]
    Where a condition that stays the same chooses between two elements whose places stay equally far apart, it
    chooses the place, and all elements follow:

        for k in a … b { s = s + (c ? x[k+d] : x[k+e]) }
        →   t = c ? 0 : e-d
            for k in a … b { s = s + x[k+d+t] }

    C compilers take the elements of the first loop one by one, or of both places.

Note [Sums in order]
    Where checks leave a loop at once, each iteration waits for the sum of the one before it. On many
    processors a product that is added in one operation takes longer than an addition; so the product is an
    operation of its own, which nothing waits for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import (
    MULTIPLY_ADD,
    Buffer,
    Call,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill
from aplc.tail import prims as p
from aplc.tail.types import Base

_HARMLESS = p.COMPARISONS_OF_INTEGERS | {p.MULI, p.MAXI, p.MINI, p.ANDB, p.ORB, p.NOTB}
"""Operations that neither fail nor trap."""


def with_inner_loops_eased(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with innermost loops as the notes of this module have them."""
    return l.with_blocks(code, _Loops(make).block)


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        return tuple([new for s in statements for new in self.statement(s)])

    def statement(self, statement: l.Stm) -> Iterator[l.Stm]:
        if isinstance(statement, l.For) and is_straight(statement.body):
            yield from self.eased(statement)
        else:
            yield with_bodies(statement, self.block)

    def eased(self, loop: l.For) -> Iterator[l.Stm]:
        """An innermost loop behind what it reads in each iteration anew."""
        make, known = self.make, dict[Exp, Exp]()
        for choice, place, other in self.choices(loop):
            var = Var(make.fresh("t"), Base.INT)
            yield l.Declare(var, make.select(choice.cond, make.const(0), make.sub(other.index, place.index)))
            known[choice] = make.read(place.buffer, make.add(place.index, var))
        if known:
            change = Substitute(make, known)
            loop = replace(loop, body=tuple([self.changed(s, change, loop) for s in loop.body]))
        known = {}
        runs = make.call(p.LTI, loop.start, loop.stop)
        for exp in self.same(loop):
            known[exp] = var = Var(make.fresh("t"), exp.ty)
            yield l.Declare(var, make.select(runs, exp, fill(make, exp.ty)))
        if known or may_leave(loop.body):
            change = Substitute(make, known)
            loop = replace(loop, body=tuple([self.changed(s, change, loop) for s in loop.body]))
        yield loop

    def choices(self, loop: l.For) -> Iterator[tuple[Select, Read, Read]]:
        """The choices between elements that Note [One of two places] is about, each with the two elements."""
        changing = changing_names(loop)
        for node in nodes(*[exp for s in loop.body for exp in expressions_of(s)]):
            match node:
                case Select(then=Read() as place, other=Read() as other) if place.buffer == other.buffer:
                    apart = self.make.sub(other.index, place.index)
                    same = [is_harmless(e) and not self.free.names(e) & changing for e in (node.cond, apart)]
                    if all(same):
                        yield node, place, other
                case _:
                    pass

    def same(self, loop: l.For) -> Iterator[Exp]:
        """The largest expressions that read, whatever conditions hold, and never change in the loop."""
        changing = changing_names(loop)
        written = {s.buffer for s in loop.body if isinstance(s, l.Store)}
        certain = unconditional(tuple([exp for s in loop.body for exp in expressions_of(s)]))
        evaluated = {id(node) for node in certain}
        stack = certain if may_leave(loop.body) else [*self.named_places(loop, certain), *places(certain)]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in seen or id(node) not in evaluated:
                continue
            seen.add(id(node))
            if self.is_same(node, changing, written):
                yield node
            else:
                stack += operands(node)

    def named_places(self, loop: l.For, certain: list[Exp]) -> list[Exp]:
        """The expressions of an iteration that have names in places where it reads."""
        named = {name for place in places(certain) for name in self.free.names(place)}
        declared = [s for s in loop.body if isinstance(s, l.Declare) and s.var.name in named]
        return [s.value for s in declared if s.value is not None]

    def is_same(self, exp: Exp, changing: set[str], written: set[Buffer]) -> bool:
        """Whether an expression reads what does not change."""
        if not isinstance(exp, Read | Select) or self.free.names(exp) & changing:
            return False
        return contains(Read, exp) and not any(
            isinstance(n, Read) and n.buffer in written for n in nodes(exp)
        )

    def changed(self, statement: l.Stm, change: Substitute, loop: l.For) -> l.Stm:
        """A statement of a loop with variables for what they stand for."""
        new = substituted(statement, change)
        if isinstance(new, l.Assign) and may_leave(loop.body):
            return l.Assign(new.var, self.summed(new.var, new.value))
        return new

    def summed(self, var: Var, value: Exp) -> Exp:
        """What is assigned to a variable: a sum as Note [Sums in order] has it."""
        match value:
            case Call(op=op, args=(x, y, before)) if op is MULTIPLY_ADD and before is var:
                product = self.make.call(p.MULD, x, y)
                return value if var in self.free.of(product) else self.make.call(p.ADDD, var, product)
            case _:
                return value


def changing_names(loop: l.For) -> set[str]:
    """The names of variables that need not be the same in each iteration."""
    return {loop.var.name, *[s.var.name for s in loop.body if isinstance(s, l.Declare | l.Assign)]}


def is_harmless(exp: Exp) -> bool:
    """Whether an expression reads nothing and can be evaluated whatever its variables are."""
    return all(
        isinstance(node, Const | Var | Sum) or (isinstance(node, Call) and node.op in _HARMLESS)
        for node in nodes(exp)
    )


def is_straight(body: tuple[l.Stm, ...]) -> bool:
    """Whether statements are those of an innermost loop."""
    return all([isinstance(s, l.Declare | l.Assign | l.Store | l.Fail) for s in body])


def may_leave(body: tuple[l.Stm, ...]) -> bool:
    """Whether statements have checks that leave the loop around them at once."""
    return any([isinstance(s, l.Fail) for s in body])


def substituted(statement: l.Stm, change: Substitute) -> l.Stm:
    """A statement of an innermost loop with other expressions."""
    match statement:
        case l.Assign(var=var, value=value):
            return l.Assign(var, change(value))
        case l.Declare(value=value) if value is not None:
            return replace(statement, value=change(value))
        case l.Store(position=position, value=value):
            return replace(statement, position=change(position), value=change(value))
        case l.Fail(ok=ok, reported=reported):
            return replace(statement, ok=change(ok), reported=tuple([change(e) for e in reported]))
        case _:
            return statement


def expressions_of(statement: l.Stm) -> tuple[Exp, ...]:
    """What a statement evaluates if nothing fails."""
    match statement:
        case l.Declare(value=value) | l.Assign(value=value) if value is not None:
            return (value,)
        case l.Store(position=position, value=value):
            return (position, value)
        case l.Fail(ok=ok):
            return (ok,)
        case _:
            return ()


def places(certain: list[Exp]) -> list[Exp]:
    """Where expressions read."""
    return [node.index for node in certain if isinstance(node, Read)]
