"""What the statements of a round read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Exp, Read, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute

LINE = 64
"""Bytes of a line of the cache, which come from memory at once."""


def reads_of(statements: Iterable[l.Stm], make: ExprBuilder) -> Iterator[tuple[Buffer, Exp]]:
    """What statements read to keep it: the array, and where, without the names that they declare."""
    named: dict[Exp, Exp] = {}
    for statement in statements:
        for value in values_of(statement):
            for node in nodes(value):
                if isinstance(node, Read):
                    yield node.buffer, Substitute(make, named)(node.index)
        if isinstance(statement, l.Declare) and not statement.mutable and statement.value is not None:
            named[statement.var] = Substitute(make, named)(statement.value)


def values_of(statement: l.Stm) -> tuple[Exp, ...]:
    """What a statement computes to keep it."""
    match statement:
        case l.Declare(value=value) | l.Assign(value=value) | l.Store(value=value):
            return () if value is None else (value,)
        case _:
            return ()
