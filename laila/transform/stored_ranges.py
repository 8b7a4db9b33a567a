"""What the statements of a program write to its buffers of integers, and what its variables of integers are:
an interval for each, found by `Survey`. Of doubles it tells what one map writes, to those behind it.

Ranges grow from nothing until all that is written where buffers hold no more than that is in them. After a
few rounds the ends that still grow jump to those of a storage type, and what was too far is taken back at
last: what is written from ranges that hold is in ranges that hold, too. Those of variables jump at once, as
far as integers go: what counts up has no end, but what is divided again and again is small in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aplc.laila.ir.interval import EMPTY, FULL, Interval
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    ForEach,
    FunctionCall,
    HostCall,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Program,
    Ref,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.ranges import STORAGES, Ranges, storage_for
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, PureCall, Read, bound_by, nodes
from aplc.laila.ir.statements import bodies, bound, leaves, own_expressions, statements_of
from aplc.tail import prims as p
from aplc.tail.types import Base

PATIENCE = 4
"""Rounds after which ranges that still grow jump to that of a storage type."""

SHRINKING = 2
"""Rounds in which they shrink again to what is written from them."""


def with_nodes(statements: Sequence[Statement]) -> Iterator[tuple[Statement, list[Exp]]]:
    """All statements in order, each with all nodes of its own expressions."""
    for statement in statements:
        inside = list(nodes(*own_expressions(statement)))
        for node in inside:
            if isinstance(node, BlockExp):
                yield from with_nodes(statements_of(node))
        yield statement, inside
        for body in bodies(statement):
            yield from with_nodes(body)


class Survey:
    """What the statements of a program write to its buffers: the least fixed point."""

    def __init__(self, program: Program, *, is_single: bool = False) -> None:
        self.is_single = is_single
        lists = (program.statements, *[f.statements for f in program.functions])
        self.everything = [pair for each in lists for pair in with_nodes(each)]
        self.groups: dict[Buffer, Buffer] = {}
        """Buffers that exchange memory, by one that stands for them."""
        self.kept: set[Buffer] = set()
        """Buffers whose type others rely on."""
        self.handed_out: set[Buffer] = set()
        """Those of them that are results, and no more."""
        self.stored: dict[Buffer, Interval] = {}
        self.assigned = dict.fromkeys(self._variables(), EMPTY)
        """What variables are, by name."""
        self.ranges = Ranges(is_single=is_single)
        """The ranges of the program's expressions, in the end."""
        opaque = {q.buffer for q in program.parameters}
        for function in program.functions:
            opaque |= _buffers(*function.parameters)
            self.kept |= _buffers(*function.results)
        for statement, inside in self.everything:
            opaque |= self._look_at(statement)
            for node in inside:
                if isinstance(node, PureCall):
                    self.kept |= set(node.memory)
        self.kept |= opaque
        buffers = self.buffers()
        relied_on = {self.leader(b) for b in self.kept}
        results = {self.leader(b) for b in self.handed_out} - relied_on
        self.handed_out = {b for b in buffers if self.leader(b) in results}
        self.kept = {b for b in buffers if self.leader(b) in relied_on} | self.handed_out
        hidden = {self.leader(b) for b in opaque}
        for buffer in buffers:
            if buffer.ty is Base.INT and self.leader(buffer) not in hidden and buffer.data is None:
                self.stored[buffer] = EMPTY
        self.doubles = self._once_written() - hidden
        """Arrays of doubles that are what one map makes."""
        self._solve()

    def buffers(self) -> list[Buffer]:
        """All buffers of the program, tables too."""
        found: dict[Buffer, None] = {}
        for statement, inside in self.everything:
            found |= dict.fromkeys(_written(statement))
            for node in inside:
                if isinstance(node, Read):
                    found[node.buffer] = None
                elif isinstance(node, PureCall):
                    found |= dict.fromkeys(node.memory)
        return list(found)

    def _once_written(self) -> set[Buffer]:
        """The buffers of doubles that one statement writes, a map, and that exchange memory with none."""
        writers: dict[Buffer, int] = {}
        for statement, _ in self.everything:
            for buffer in _written(statement):
                if buffer.ty is Base.DOUBLE and not isinstance(statement, Alloc):
                    writers[buffer] = writers.get(buffer, 0) + (1 if isinstance(statement, Map) else 2)
        alone = {b for b, count in writers.items() if count == 1 and not self.is_single}
        return alone - {*self.groups, *self.groups.values()}

    def _variables(self) -> list[str]:
        """The names of the integers that only assignments change."""
        found: dict[str, None] = {}
        others: set[str] = set()
        for statement, inside in self.everything:
            match statement:
                case Variable(var=var) if var.ty is Base.INT:
                    found[var.name] = None
                case Variable() | Assign() | If() | While():
                    pass
                case ForEach(space=space):
                    others |= {v.name for v in space.indices}
                case _:
                    others |= {v.name for v in bound(statement)}
            others |= {v.name for node in inside if isinstance(node, Fold) for v in bound_by(node)}
        return [name for name in found if name not in others]

    def leader(self, buffer: Buffer) -> Buffer:
        """The buffer that stands for those with which a buffer exchanges memory."""
        path: list[Buffer] = []
        while buffer in self.groups:
            path.append(buffer)
            buffer = self.groups[buffer]
        self.groups |= dict.fromkeys(path, buffer)
        return buffer

    def _join(self, a: Buffer, b: Buffer) -> None:
        first, second = self.leader(a), self.leader(b)
        if first is not second:
            self.groups[second] = first

    def _look_at(self, statement: Statement) -> set[Buffer]:
        """Note what exchanges memory and what is handed out; the buffers that others write."""
        match statement:
            case Move(target=a, source=b) | Swap(first=a, second=b):
                self._join(a, b)
            case Output(value=value):
                self.handed_out |= _buffers(value)
            case RuntimeCall(arguments=arguments):
                return {a for a in arguments if isinstance(a, Buffer)}
            case HostCall(arguments=arguments, result=result):
                self.kept |= _buffers(*arguments)
                return _buffers(result)
            case FunctionCall(arguments=arguments, results=results):
                self.kept |= _buffers(*arguments)
                return _buffers(*results)
            case _:
                pass
        return set()

    def _solve(self) -> None:
        """Ranges grow until what is written is in them, in jumps where that takes long, and shrink to it."""
        patience, has_jumped = PATIENCE, False
        while True:
            ranges, found, assigned = self._written_from()
            united = self._united(found, self.stored)
            grown = {name: self.assigned[name].hull(interval) for name, interval in assigned.items()}
            if united == self.stored and grown == self.assigned:
                break
            patience -= 1
            for name, interval in grown.items():
                before = self.assigned[name]
                has_jumped |= not before.is_empty and interval != before
                self.assigned[name] = interval if before.is_empty else _jumped(before, interval, FULL)
            for buffer, interval in united.items():
                if patience <= 0 and interval != self.stored[buffer]:
                    united[buffer] = _jumped(self.stored[buffer], interval, STORAGES[storage_for(interval)])
            self.stored = united
        for _ in range(SHRINKING if patience <= 0 or has_jumped else 0):
            self.stored, self.assigned = self._united(found, {}), assigned
            ranges, found, assigned = self._written_from()
        self.ranges = ranges

    def _written_from(self) -> tuple[Ranges, dict[Buffer, Interval], dict[str, Interval]]:
        """What is written where buffers hold no more than is known, and variables are no more; a statement
        sees what those before it wrote.
        """
        found = dict.fromkeys(self.stored, EMPTY)
        assigned = dict.fromkeys(self.assigned, EMPTY)
        ranges = Ranges(self.stored, is_single=self.is_single)
        for name, interval in self.assigned.items():
            if not interval.is_empty:
                ranges.bounds[name] = interval
        for statement, inside in self.everything:
            _bind(ranges, statement)
            if isinstance(statement, Variable | Assign) and statement.var.name in assigned:
                name = statement.var.name
                assigned[name] = assigned[name].hull(ranges.integers(statement.value))
                ranges.bind(statement.var, self.assigned[name].hull(assigned[name]))
            for buffer in _written(statement):
                if buffer in found:
                    found[buffer] = found[buffer].hull(_written_values(ranges, statement, inside))
                    ranges.stored[buffer] = ranges.stored[buffer].hull(found[buffer])
                elif buffer in self.doubles and isinstance(statement, Map):
                    made = ranges.of(statement.body)
                    if made is not None and not made.is_empty:
                        ranges.stored[buffer] = made
        return ranges, found, assigned

    def _united(
        self, found: dict[Buffer, Interval], before: dict[Buffer, Interval]
    ) -> dict[Buffer, Interval]:
        """Buffers that exchange memory hold the same, and what they held before."""
        hulls: dict[Buffer, Interval] = {}
        for buffer, interval in found.items():
            leader = self.leader(buffer)
            hulls[leader] = hulls.get(leader, EMPTY).hull(interval)
        return {b: hulls[self.leader(b)].hull(before.get(b, EMPTY)) for b in found}


def _buffers(*references: Ref) -> set[Buffer]:
    """The buffers of references."""
    found = [leaf for reference in references for leaf in leaves(reference)]
    return {leaf.buffer for leaf in found if isinstance(leaf, ArrayRef)}


def _bind(ranges: Ranges, statement: Statement) -> None:
    """What a statement tells about the variables that it binds."""
    match statement:
        case HostLet(var=var, value=value):
            ranges.bind(var, ranges.of(value))
        case Map(space=space) | Scan(space=space) | Filter(space=space) | ForEach(space=space):
            for index in space.indices:
                ranges.bind_loop(index)
        case _:
            pass


def _written(statement: Statement) -> tuple[Buffer, ...]:
    """The buffers that a statement of this program writes or gets."""
    match statement:
        case Map(buffer=b) | Scan(buffer=b) | Filter(buffer=b) | Store(buffer=b) | Alloc(buffer=b):
            return (b,)
        case Empty(buffer=b):
            return (b,)
        case _:
            return ()


def _written_values(ranges: Ranges, statement: Statement, inside: list[Exp]) -> Interval:
    """What a statement, with these nodes in it, writes to its buffer of integers."""
    match statement:
        case Map(body=body):
            found = ranges.integers(body)
            for node in inside:  # a fold may accumulate in the buffer
                if isinstance(node, Fold) and node.ty is Base.INT:
                    found = found.hull(ranges.integers(node))
            return found
        case Scan(body=body, combine=combine) if combine in (p.MAXI, p.MINI):
            return ranges.integers(body)
        case Scan():
            return FULL
        case Filter(body=body):
            return ranges.integers(body)
        case Store(value=value):
            return ranges.integers(value)
        case _:
            return EMPTY


def _jumped(before: Interval, now: Interval, most: Interval) -> Interval:
    """A range that grows, with the ends that grow as far as they go at all."""
    return Interval(
        now.low if now.low == before.low else most.low, now.high if now.high == before.high else most.high
    )
