"""Elements that a loop has just written are not read again: what was written is still at hand.

    put a[i] = 2×x + y          v = 2×x + y
    z = a[i]              →     put a[i] = v
                                z = v

A recurrence whose last value is taken from the array it fills would otherwise wait in each round until the
memory gives back what was written.

Legal: between the two nothing writes to the array, and nothing changes the index or the value. So only
statements one behind the other are looked at, and one that has others inside ends what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from aplc.laila.ir.program import Assign, HostCheck, HostLet, Program, Statement, Store
from aplc.laila.ir.scalar import BlockExp, Buffer, Const, Exp, FreeVars, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute

STRAIGHT = (HostLet, Assign, Store, HostCheck)
"""Statements of which it is plain what they change."""


def with_stores_forwarded(program: Program, make: ExprBuilder) -> Program:
    """The program with what is written in the place of what is read of it just behind."""
    return with_blocks(program, _Forwarding(make).block)


class _Forwarding:
    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()
        self.done: list[Statement] = []
        self.known: dict[tuple[Buffer, Exp], Store] = {}
        """The last stores, by where they write."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        inner = _Forwarding(self.make)
        for statement in statements:
            if not isinstance(statement, STRAIGHT) or contains(BlockExp, *own_expressions(statement)):
                inner.done.append(with_bodies(statement, self.block))
                inner.known.clear()
            else:
                inner.straight(statement)
        return tuple(inner.done)

    def straight(self, statement: Statement) -> None:
        """One statement behind those that are done."""
        values: dict[Exp, Exp] = {}
        for node in nodes(*own_expressions(statement)):
            store = self.known.get((node.buffer, node.index)) if isinstance(node, Read) else None
            if store is not None:
                values[node] = self.named(store)
        if values:
            statement = rebuilt(statement, Substitute(self.make, values))
        self.done.append(statement)
        if isinstance(statement, Store):
            self.forget(lambda store: store.buffer is statement.buffer)
            self.known[statement.buffer, statement.position] = statement
        elif isinstance(statement, Assign):
            name = statement.var.name
            self.forget(lambda s: name in self.free.names(s.position) | self.free.names(s.value))

    def forget(self, is_over: Callable[[Store], bool]) -> None:
        """Stores that tell nothing any more."""
        self.known = {place: store for place, store in self.known.items() if not is_over(store)}

    def named(self, store: Store) -> Exp:
        """What was written, computed once."""
        if isinstance(store.value, Var | Const):
            return store.value
        var = Var(self.make.fresh("stored"), store.value.ty)
        place = next(k for k, s in enumerate(self.done) if s is store)
        named = replace(store, value=var)
        self.done[place : place + 1] = [HostLet(var, store.value), named]
        self.known[store.buffer, store.position] = named
        return var
