"""Loop versioning by shared descriptors: statements over items of two arrays of arrays are emitted twice,
guarded by a test whether where items begin and how long they are is one memory.

So it is where both were given with the same offsets, as the columns and the elements of a sparse matrix are.
In the first version what belongs to an item is read once, and lengths need not be compared:

    MAP s[i] over i < n {                              if same {
        check b.2[i] = a.2[i]                              MAP s[i] over i < n {
        REDUCE + over k < a.2[i] {                             REDUCE + over k < a.2[i] {
            a.3[a.1[i] + k] × b.3[b.1[i] + k]      →               a.3[a.1[i] + k] × b.3[a.1[i] + k]
        }                                                      }
    }                                                      }
                                                       } else { … }

Pointers are compared, not what they point to: that would be read once more than the loop does.
"""

from __future__ import annotations

from collections.abc import Iterator

from aplc.laila.ir.program import Fused, HostLet, If, Map, Parameter, Program, Statement, Variable
from aplc.laila.ir.scalar import Buffer, Call, Exp, PureCall, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, with_blocks, with_bodies
from aplc.laila.lowering.pull import fill
from aplc.laila.transform.versioning.multiversioning import given, version
from aplc.tail import prims as p
from aplc.tail.types import Base

HEADER = "aplc_ragged.h"


def with_shared_descriptors(program: Program, make: ExprBuilder) -> Program:
    """The program with statements over items in two versions where descriptors of inputs may be one."""
    places = _places(program.parameters)
    if len(set(places.values())) < 2:
        return program
    return with_blocks(program, _Sharing(make, places).block)


def _places(parameters: tuple[Parameter, ...]) -> dict[Buffer, Buffer]:
    """Of the extents of the items of inputs, where these items begin."""
    buffers = {q.name: q.buffer for q in parameters}
    return {q.buffer: buffers[q.like] for q in parameters if q.like}


class _Sharing:
    def __init__(self, make: ExprBuilder, places: dict[Buffer, Buffer]) -> None:
        self.make, self.places = make, places

    def block(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """A sequence of statements, some of them in two versions."""
        return tuple([new for s in statements for new in self.statement(s)])

    def statement(self, statement: Statement) -> Iterator[Statement]:
        """A statement, behind a test if it compares lengths of items."""
        same = self.same(statement) if _is_loop(statement) else {}
        if not same:
            yield with_bodies(statement, self.block)
            return
        make, test = self.make, Var(self.make.fresh("same"), Base.BOOL, likely=True)
        is_same = make.true
        for pair in same.items():
            call = PureCall("aplc_is_one", HEADER, pair, (), Base.BOOL)
            is_same = make.call(p.ANDB, is_same, make.lookup(call))
        yield HostLet(test, is_same)
        exported = list(given(statement))
        yield from [Variable(v, fill(make, v.ty)) for v in exported]
        values: dict[Exp, Exp] = {
            node: make.read(same[node.buffer], node.index)
            for node in nodes(*own_expressions(statement))
            if isinstance(node, Read) and node.buffer in same
        }
        first, second = [version(make, [statement], known, exported) for known in (values, {})]
        yield If(test, self.block(first), second)  # of three arrays two have to be one to begin with

    def same(self, statement: Statement) -> dict[Buffer, Buffer]:
        """The memory of descriptors that may be other memory: that of items whose lengths are compared."""
        found = list(nodes(*own_expressions(statement)))
        read = {node.buffer for node in found if isinstance(node, Read)}
        same: dict[Buffer, Buffer] = {}
        for node in found:
            pair = _compared(node)
            if pair is None or not all(each in self.places for each in pair):
                continue
            beginnings = [self.places[each] for each in pair]
            if all(each in read for each in beginnings):
                for a, b in (pair, beginnings):
                    a, b = [_first(each, same) for each in (a, b)]
                    if a is not b and a.storage == b.storage:
                        same[b] = a
        return {b: _first(b, same) for b in same}


def _is_loop(statement: Statement) -> bool:
    """Whether a statement is a loop that may stand in versions."""
    match statement:
        case Map() | HostLet():
            return True
        case Fused(parts=parts):
            return all(isinstance(part, Map) for part in parts)
        case _:
            return False


def _compared(exp: Exp) -> tuple[Buffer, Buffer] | None:
    """The two buffers of which an expression compares the elements at one place."""
    if isinstance(exp, Call) and exp.op is p.EQI:
        a, b = exp.args
        if isinstance(a, Read) and isinstance(b, Read) and a.index is b.index and a.buffer is not b.buffer:
            return a.buffer, b.buffer
    return None


def _first(buffer: Buffer, same: dict[Buffer, Buffer]) -> Buffer:
    """What a buffer may be, or that again."""
    while buffer in same:
        buffer = same[buffer]
    return buffer
