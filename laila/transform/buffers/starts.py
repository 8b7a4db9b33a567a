"""Arrays that do not begin where their memory does: everything that reads or writes one adds where it begins.

    … a[k] …; MAP a[k] = …     →    … a[start + k] …; MAP a[start + k] = …

`growth` changes where it begins. What wants the array as a whole gets it at the beginning of its memory, to
which the elements are moved before. Legal: nothing but that, and the elements, is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import (
    ArrayRef,
    Assign,
    ForEach,
    Free,
    FunctionCall,
    HostCall,
    If,
    Map,
    Move,
    Output,
    Ref,
    RuntimeCall,
    Space,
    Statement,
    Store,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, PureCall, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bodies,
    everywhere,
    leaves,
    own_expressions,
    rebuilt,
    statements_of,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.sorted_values import SORT
from aplc.tail import prims as p


def may_begin_later(buffer: Buffer, scope: Sequence[Statement]) -> bool:
    """Whether an array may begin anywhere in its memory, as far as statements of its scope tell."""
    for statement in within(scope):
        roots = own_expressions(statement)
        for node in nodes(*roots):
            if isinstance(node, PureCall) and buffer in (*node.memory, *node.behind):
                return False
            if isinstance(node, BlockExp):
                inside = everywhere(statements_of(node))
                if any(buffer in named(s) for s in inside):
                    return False
        if isinstance(statement, While | ForEach) and buffer in statement.scratch:
            return False
        if buffer not in named(statement):
            continue
        match statement:
            case Free() | Map() | Store() | Output():
                pass
            case Move(source=source) if source is not buffer:
                pass
            case HostCall() | FunctionCall() if _is_asked(statement.arguments, buffer):
                pass
            case RuntimeCall() if _is_sorted(statement, buffer):
                pass
            case _:
                return False
    return True


def _is_sorted(run: RuntimeCall, buffer: Buffer) -> bool:
    """Whether a part of an array is sorted, which may begin anywhere."""
    return run.function.startswith(SORT) and run.arguments[0] is buffer


def _is_asked(references: Sequence[Ref], buffer: Buffer) -> bool:
    """Whether a call is given an array as a whole."""
    return any(_is_whole(leaf, buffer) for r in references for leaf in leaves(r))


def _is_whole(leaf: object, buffer: Buffer) -> bool:
    return isinstance(leaf, ArrayRef) and leaf.buffer is buffer and leaf.start is None


def shifted(
    statements: Sequence[Statement], buffer: Buffer, start: Var, make: ExprBuilder
) -> tuple[Statement, ...]:
    """The statements with an array that begins at `start` in its memory."""
    return _Shifted(make, buffer, start).statements(statements)


class _Shifted(Substitute):
    """Rebuilds what reads and writes an array."""

    def __init__(self, make: ExprBuilder, buffer: Buffer, start: Var) -> None:
        super().__init__(make, {})
        self.buffer, self.start = buffer, start

    def statements(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements."""
        return tuple([new for s in statements for new in self.statement(s)])

    def statement(self, statement: Statement) -> list[Statement]:
        """A statement, with the array at the beginning of its memory in front if it is wanted as a whole."""
        inner = iter([self.statements(body) for body in bodies(statement)])
        shell = with_bodies(statement, lambda body: ())
        changed = with_bodies(rebuilt(shell, self), lambda body: next(inner))
        match changed:
            case Map(buffer=b, position=position) | Store(buffer=b, position=position) if b is self.buffer:
                return [replace(changed, position=self.make.add(self.start, position))]
            case RuntimeCall(arguments=(array, first, *rest)) if array is self.buffer:
                assert not isinstance(first, Buffer)
                return [replace(changed, arguments=(array, self.make.add(self.start, first), *rest))]
            case Output(value=value):
                return [*self.moved_down((value,)), changed]
            case HostCall(arguments=arguments) | FunctionCall(arguments=arguments):
                return [*self.moved_down(arguments), changed]
            case _:
                return [changed]

    def moved_down(self, references: Sequence[Ref]) -> list[Statement]:
        """The elements are moved to the beginning of the memory."""
        make, buffer = self.make, self.buffer
        asked = [leaf for r in references for leaf in leaves(r) if _is_whole(leaf, buffer)]
        for leaf in asked[:1]:
            assert isinstance(leaf, ArrayRef)
            size = make.product(leaf.shape)
            j = make.index("j", size)
            moved = Map(
                buffer, Space((j,), (size,)), j, make.read(buffer, make.add(self.start, j)), ordered=True
            )
            is_later = make.call(p.GTI, self.start, make.zero)
            return [If(is_later, (moved, Assign(self.start, make.zero, of_memory=True)))]
        return []

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Read) and node.buffer is self.buffer:
            return self.make.read(self.buffer, self.make.add(self.start, self.done[id(node.index)]))
        return super()._rebuild(node)
