"""Hoists allocations: what each iteration of a loop would allocate anew is allocated once before the loop.

A buffer of the body whose size does not depend on the round, and whose memory does not change hands, keeps
its memory from round to round. The same holds for buffers of a function that a MAP or a fold applies to
elements: they move in front of the statement. A check of the size remains inside, where it may never be
reached; what it guards, or zero, is the size outside. With memory goes what each round would write there in
the same way (`invariant_fills`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Empty,
    ForEach,
    Free,
    HostLet,
    If,
    Move,
    Output,
    Program,
    Statement,
    Swap,
    Variable,
    While,
    versions,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Const, Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import (
    bound,
    everywhere,
    leaves,
    own_expressions,
    sequences,
    statements_of,
    with_blocks,
)
from aplc.laila.ir.substitute import WithoutChecks, with_sequences
from aplc.laila.transform.buffers.invariant_fills import InvariantFills
from aplc.laila.transform.ordering.invariant_tables import with_tables_in_front
from aplc.tail import prims as p

LOCAL_BYTES = 4096
"""Buffers of a known size up to this one lie on the stack, where allocation costs nothing."""


def hoist_allocations(program: Program, make: ExprBuilder) -> Program:
    """The program with allocations, and tables of searches, in front of the loops that would repeat them."""
    program = with_tables_in_front(program)
    inputs = frozenset([parameter.buffer for parameter in program.parameters])
    blocks = [program.statements, *[function.statements for function in versions(program)]]
    statements = [s for block in blocks for s in everywhere(block)]
    begun = {s.var.name: s.var for s in statements if isinstance(s, HostLet | Variable)}
    fills = InvariantFills.of(make, program.parameters, statements)
    hoister = _Hoister(make, inputs, begun, fills)
    return with_blocks(program, hoister.block)


@dataclass(slots=True)
class _Hoister:
    make: ExprBuilder
    inputs: frozenset[Buffer]
    """What nobody writes: a size that reads any other array may depend on the round."""
    begun: dict[str, Var]
    """Variables as they are where they begin: behind a check in a loop more is known of them."""
    fills: InvariantFills

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements, with what moves in front of each and is freed behind it."""
        result: list[Statement] = []
        for statement in statements:
            moved, inner = self.statement(statement)
            result += [*moved, inner, *[Free(s.buffer) for s in moved if isinstance(s, Alloc)]]
        return tuple(result)

    def statement(self, statement: Statement) -> tuple[list[Statement], Statement]:
        """The allocations that leave a statement, with what is written there once, and the rest."""
        match statement:
            case While(body=body) | ForEach(body=body):
                moved, rest = self.without(self.block(body), _names(statement), statement)
                filled = {b for s in moved if not isinstance(s, Alloc) for b in changed(s)}
                ours = [s.buffer for s in moved if isinstance(s, Alloc) and s.buffer not in filled]
                return moved, replace(statement, body=rest, scratch=(*statement.scratch, *ours))
            case If(then=then, other=other):
                return [], replace(statement, then=self.block(then), other=self.block(other))
            case _:
                return self.from_sequences(statement)

    def without(
        self,
        body: tuple[Statement, ...],
        changing: set[str],
        around: Statement,
        shared: Collection[Buffer] = frozenset(),
    ) -> tuple[list[Statement], tuple[Statement, ...]]:
        """The allocations of a loop's body that may stand in front of it, and what each round would write
        there in the same way; and the rest of the body. What is `shared` others write, too.
        """
        fixed = _changing_hands(body)
        free = FreeVars()
        moved = [
            replace(s, size=self.in_any_case(s.size))
            for s in body
            if isinstance(s, Alloc)
            and s.buffer not in fixed
            and not is_local(s)
            and not {v.name for v in free.of(s.size)} & changing
            and all(b in self.inputs or b.data is not None for b in buffers_read(s.size))
        ]
        buffers = {a.buffer for a in moved}
        filled = self.fills.found(body, buffers.difference(shared), changing, around)
        gone = [*filled, *[s for s in body if isinstance(s, Alloc | Free) and s.buffer in buffers]]
        rest = [s for s in body if not any(s is each for each in gone)]
        return [*moved, *filled], tuple(rest)

    def in_any_case(self, size: Exp) -> Exp:
        """A size that is one, too, where the program would not have asked for it."""
        before = {v: self.begun.get(v.name, v) for v in sorted(FreeVars().of(size), key=lambda v: v.name)}
        plain = WithoutChecks(self.make, {v: own for v, own in before.items() if own is not v})(size)
        return plain if self.make.nonnegative(plain) else self.make.call(p.MAXI, self.make.zero, plain)

    def from_sequences(self, statement: Statement) -> tuple[list[Statement], Statement]:
        """The same for what leaves the sequences in the expressions of a statement."""
        roots = own_expressions(statement)
        if not sequences(roots):
            return [], statement
        changing = _names(statement) | {v.name for v in bound_in(roots)}
        moved: dict[object, Statement] = {}
        inner = [s for node in sequences(roots) for s in everywhere(statements_of(node))]
        times = Counter([s.buffer for s in inner if isinstance(s, Alloc)])
        shared = {buffer for buffer, count in times.items() if count > 1}

        def rest_of(node: BlockExp) -> tuple[Statement, ...] | None:
            ours, rest = self.without(self.block(statements_of(node)), changing, statement, shared)
            moved.update({s.buffer if isinstance(s, Alloc) else s: s for s in ours})
            return rest if ours else None

        after = with_sequences(self.make, statement, rest_of)
        return list(moved.values()), after


def is_local(alloc: Alloc) -> bool:
    """Whether a buffer is small enough for the stack."""
    return alloc.into is None and isinstance(alloc.size, Const) and 8 * alloc.size.value <= LOCAL_BYTES


def _names(statement: Statement) -> set[str]:
    return {v.name for v in bound(statement)}


def unsized(program: Program) -> frozenset[Buffer]:
    """The buffers of a program whose lengths are no constants."""
    bodies_of_all = [f.statements for f in versions(program)] + [program.statements]
    found = [s for body in bodies_of_all for s in everywhere(body) if isinstance(s, Alloc)]
    return frozenset([s.buffer for s in found if not isinstance(s.size, Const)])


def changing_hands(program: Program) -> set[Buffer]:
    """The buffers of a program whose memory is taken, exchanged or handed out."""
    found = _changing_hands(program.statements)
    for function in versions(program):
        found |= _changing_hands(function.statements)
        found |= {leaf.buffer for r in function.results for leaf in leaves(r) if isinstance(leaf, ArrayRef)}
    return found


def _changing_hands(statements: Sequence[Statement]) -> set[Buffer]:
    found: set[Buffer] = set()
    for statement in everywhere(statements):
        match statement:
            case Move(target=target, source=source):
                found |= {target, source}
            case Swap(first=first, second=second):
                found |= {first, second}
            case Empty(buffer=buffer):
                found.add(buffer)
            case Output(value=value, is_result=True):
                found |= {leaf.buffer for leaf in leaves(value) if isinstance(leaf, ArrayRef)}
            case _:
                pass
    return found
