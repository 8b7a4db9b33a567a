"""Liveness of buffers: the statement after which each can be freed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Empty,
    Filter,
    Free,
    FunctionCall,
    Fused,
    HostCall,
    Map,
    Move,
    Output,
    Part,
    Reduce,
    Ref,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    Swap,
)
from aplc.laila.ir.scalar import GROWING, BlockExp, Buffer, Exp, PureCall, Read, nodes
from aplc.laila.ir.statements import bodies, leaves, own_expressions, statements_of

REMEMBERED = 1 << 11
"""Of so many statements it is remembered what they mention: pass after pass asks."""


def with_frees(statements: Sequence[Statement], kept: Sequence[Buffer] = ()) -> list[Statement]:
    """The statements with a `free` for every buffer that begins among them, except those that are kept."""
    begun = [b for s in statements for b in introduced(s)]
    last: dict[Buffer, int] = {}
    handed_out = set(kept)
    for position, statement in enumerate(statements):
        for buffer in mentioned(statement):
            last[buffer] = position
        if isinstance(statement, Output) and statement.is_result:
            handed_out.update(_buffers(statement.value))
        if isinstance(statement, Move):
            handed_out.add(statement.source)
    ends: dict[int, list[Buffer]] = {}
    for buffer in begun:
        if buffer not in handed_out:
            ends.setdefault(last[buffer], []).append(buffer)
    result: list[Statement] = []
    for position, statement in enumerate(statements):
        result.append(statement)
        result += [Free(buffer) for buffer in ends.get(position, ())]
    return result


def introduced(statement: Statement) -> list[Buffer]:
    """The buffers that a statement brings into being."""
    match statement:
        case Alloc(buffer=buffer) | Empty(buffer=buffer):
            return [buffer]
        case HostCall(result=result):
            return _buffers(result)
        case FunctionCall(results=results):
            return [b for r in results for b in _buffers(r) if b.storage != GROWING]
        case _:
            return []


@lru_cache(maxsize=REMEMBERED)
def mentioned(statement: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement mentions, in an order that is the same in every run."""
    found = buffers_read(*own_expressions(statement))
    for body in bodies(statement):
        for inner in body:
            found += mentioned(inner)
    return tuple(dict.fromkeys([*found, *named(statement)]))


class Users:
    """Where the statements of blocks mention buffers; what one mentions is looked up once, also where a pass
    asks again for a block that it has changed.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Statement, tuple[Buffer, ...]]] = {}
        """By identity, for as long as the statement is held here."""

    def of(self, block: Sequence[Statement]) -> dict[Buffer, list[int]]:
        """The positions of the statements that mention each buffer, in order."""
        users: dict[Buffer, list[int]] = {}
        for position, statement in enumerate(block):
            known = self._known.get(id(statement))
            if known is None:
                known = self._known[id(statement)] = (statement, mentioned(statement))
            for buffer in known[1]:
                users.setdefault(buffer, []).append(position)
        return users


def buffers_read(*roots: Exp) -> list[Buffer]:
    """The buffers that expressions mention."""
    found: list[Buffer] = []
    for node in nodes(*roots):
        if isinstance(node, Read):
            found.append(node.buffer)
        elif isinstance(node, PureCall):
            found += [*node.memory, *node.behind]
        elif isinstance(node, BlockExp):
            found += [b for s in statements_of(node) for b in mentioned(s)]
    return found


def named(statement: Statement) -> list[Buffer]:
    """The buffers that a statement names itself, outside of expressions."""
    match statement:
        case Alloc(buffer=b, into=into):
            return [b] if into is None else [b, into]
        case Empty(buffer=b) | Free(buffer=b) | Map(buffer=b) | Scan(buffer=b):
            return [b]
        case Filter(buffer=b) | Store(buffer=b):
            return [b]
        case Fused(parts=parts):
            return [b for part in parts for b in _of_part(part)]
        case Move(target=target, source=source):
            return [target, source]
        case Swap(first=first, second=second):
            return [first, second]
        case Output(value=value):
            return _buffers(value)
        case RuntimeCall(arguments=arguments):
            return [a for a in arguments if isinstance(a, Buffer)]
        case HostCall(arguments=references, result=result):
            return [b for r in (*references, result) for b in _buffers(r)]
        case FunctionCall(arguments=references, results=results):
            return [b for r in (*references, *results) for b in _buffers(r)]
        case _:
            return []


def changed(statement: Statement) -> list[Buffer]:
    """The buffers that a statement may write or free; what functions and the host get they only read."""
    return [] if isinstance(statement, FunctionCall | HostCall | Output) else named(statement)


def _of_part(part: Part) -> list[Buffer]:
    """The buffer that a part of a fused loop writes, if it writes one."""
    if isinstance(part, Reduce) or (isinstance(part, Scan) and not part.is_written):
        return []
    return [part.buffer]


def _buffers(reference: Ref) -> list[Buffer]:
    return [leaf.buffer for leaf in leaves(reference) if isinstance(leaf, ArrayRef)]
