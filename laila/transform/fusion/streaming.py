"""Streams the elements that a filter keeps to a loop that takes them in blocks: they are never all in memory.

Where a loop takes what has been kept from the first element to the last, a block at a time, and nothing else
reads it, the filter looks at a part of its space, and the loop then takes what has been kept by then. So the
words of a text are counted without memory for where they all begin and end.

    alloc a : n
    FILTER a, m = e(i) where c(i) over i < n
    while before < m÷2 { count = min(1024, m÷2 - before); … a[2·(before+j)] …; before := before + count }
    →   alloc a : 2·1024
        while from < n {
            part = min(2047, n - from)
            FILTER a, m = e(from+i) where c(from+i) over i < part, behind the one that is left
            count = m÷2; … a[2·j] …; before := before + count; from := from + part
            if m is odd { a[0] = a[m-1] }; m := m - 2·count
        }

The test and the value of the filter cannot fail, and are not of what the loop changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, changed, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    Free,
    HostLet,
    If,
    Map,
    Program,
    RuntimeCall,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, Buffer, Call, Const, Exp, FreeVars, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p
from aplc.tail.types import Base

MOST_AT_ONCE = 2
"""Elements that the loop takes together: a word is where it begins and where it ends."""

ITEMS = "aplc_items_"
"""How functions of the run-time system begin that only read their second and third argument."""


def stream_filters(program: Program, make: ExprBuilder) -> Program:
    """The program with filters that are looked through part by part."""
    return with_blocks(program, _Streams(make).block)


@dataclass(frozen=True, slots=True)
class Taking:
    """A loop that takes what has been kept in blocks: so many elements `together`, `at_once` times."""

    start: Variable
    loop: While
    count: HostLet
    middle: tuple[Statement, ...]
    together: int
    at_once: int


class _Streams:
    """The filters of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        block = [with_bodies(s, self.block) for s in statements]
        for k in range(len(block)):
            if k < len(block) and isinstance(block[k], Filter):
                block = self.streamed(block, k) or block
        return tuple(block)

    def streamed(self, block: list[Statement], k: int) -> list[Statement] | None:
        """A block with the filter at a position looked through in parts; None if it cannot be."""
        made = block[k]
        assert isinstance(made, Filter)
        users = [m for m, s in enumerate(block) if m != k and made.buffer in mentioned(s)]
        if len(users) != 3 or made.goes_on or len(made.space.indices) != 1:
            return None
        first, second, third = users
        alloc, loop, free = block[first], block[second], block[third]
        if not isinstance(alloc, Alloc) or not isinstance(loop, While) or not isinstance(free, Free):
            return None
        names = {made.count.name}
        halves = [m for m, s in enumerate(block) if m != k and self.mentions(s, names)]
        lengths = [s for m in halves if isinstance(s := block[m], HostLet)]
        if len(lengths) > 1 or first > k or second < k:
            return None
        names |= {s.var.name for s in lengths}
        others = [m for m, s in enumerate(block) if m not in (k, second) and self.mentions(s, names)]
        if [block[m] for m in others] != lengths:
            return None
        taking = self.taking(block, second, made, lengths[0] if lengths else None)
        if taking is None or self.is_hindered(made, [*block[k + 1 : second], *taking.middle]):
            return None
        gone = {k, second, *others, block.index(taking.start)}
        result: list[Statement] = []
        for m, statement in enumerate(block):
            if m == first:
                most = self.part_of(taking) + taking.together
                result.append(replace(alloc, size=self.make.const(most)))
            elif m == second:
                result += self.loop(made, taking)
            elif m not in gone:
                result.append(statement)
        return result

    def mentions(self, statement: Statement, names: set[str]) -> bool:
        """Whether a statement, or one inside it, is of some variables."""
        return any(names & self.free.names(e) for s in within((statement,)) for e in own_expressions(s))

    def is_hindered(self, made: Filter, statements: Sequence[Statement]) -> bool:
        """Whether what a filter computes may fail, or is of what these statements change."""
        if weigh(made.keep).may_fail or weigh(made.body).may_fail:
            return True
        roots = (made.keep, made.body, *made.space.extents)
        memory = set(buffers_read(*roots))
        names = frozenset[str]().union(*[self.free.names(root) for root in roots])
        inside = list(within(statements))
        if any(not memory.isdisjoint(_written(s)) for s in inside):
            return True
        return not names.isdisjoint([v.name for s in inside for v in bound(s)])

    def taking(self, block: list[Statement], at: int, made: Filter, length: HostLet | None) -> Taking | None:
        """The loop at a position of a block, if it takes what a filter keeps, in blocks."""
        make, loop = self.make, block[at]
        assert isinstance(loop, While)
        together, total = 1, made.count
        if length is not None:
            value, total = length.value, length.var
            if not isinstance(value, Call) or value.op is not QUOT:
                return None
            kept, divisor = value.args
            if not isinstance(kept, Var) or kept.name != made.count.name or not isinstance(divisor, Const):
                return None
            together = int(divisor.value)
        if together > MOST_AT_ONCE or not isinstance(loop.cond, Call) or loop.cond.op is not p.LTI:
            return None
        before, limit = loop.cond.args
        count, *middle, last = loop.body if len(loop.body) > 2 else (loop, loop, loop)
        if not isinstance(before, Var) or not isinstance(limit, Var) or limit.name != total.name:
            return None
        if not isinstance(count, HostLet) or not isinstance(last, Assign):
            return None
        starts = [s for s in block[:at] if isinstance(s, Variable) and s.var.name == before.name]
        if len(starts) != 1 or starts[0].value is not make.zero:
            return None
        if any(self.mentions(s, {before.name}) for s in block[at + 1 :]):
            return None
        if last.var.name != before.name or last.value is not make.add(before, count.var):
            return None
        most = self.most(count.value, make.sub(limit, before))
        changed_middle = self.rewritten(tuple(middle), made.buffer, before, count.var, together)
        if most is None or changed_middle is None:
            return None
        if any(self.mentions(s, {limit.name, made.count.name}) for s in middle):
            return None
        return Taking(starts[0], loop, count, changed_middle, together, most)

    def most(self, exp: Exp, rest: Exp) -> int | None:
        """The constant of which, and of what is left, a number is the smaller."""
        if not isinstance(exp, Call) or exp.op is not p.MINI:
            return None
        for const, other in (exp.args, exp.args[::-1]):
            if isinstance(const, Const) and other is rest:
                return int(const.value)
        return None

    def rewritten(
        self, middle: tuple[Statement, ...], memory: Buffer, before: Var, count: Var, together: int
    ) -> tuple[Statement, ...] | None:
        """What the loop does with a block, which begins at the first element; None if it reads others."""
        make = self.make
        result: list[Statement] = []
        for statement in middle:
            if memory not in mentioned(statement):
                result.append(statement)
                continue
            if not isinstance(statement, Map) or statement.space.extents != (count,):
                return None
            (j,) = statement.space.indices
            replacements: dict[Exp, Exp] = {}
            for node in nodes(statement.body):
                if isinstance(node, Read) and node.buffer is memory:
                    index = make.sub(node.index, make.mul(make.const(together), before))
                    const, terms = make.linear(index)
                    if terms != {j: together} or not 0 <= const < together:
                        return None
                    replacements[node] = make.read(memory, index)
            body = Substitute(make, replacements)(statement.body)
            if memory is statement.buffer or memory in buffers_read(statement.position):
                return None
            result.append(replace(statement, body=body))
        return tuple(result)

    def part_of(self, taking: Taking) -> int:
        """How many points the filter looks at before the loop takes a block: no more can be kept."""
        return taking.together * taking.at_once - (taking.together - 1)

    def loop(self, made: Filter, taking: Taking) -> list[Statement]:
        """The filter and the loop in one."""
        make, (i,), (extent,) = self.make, made.space.indices, made.space.extents
        begin = make.between("from", (make.zero,), ())
        part = Var(make.fresh("part"), Base.INT, True, (make.zero,), ())
        k = make.index(i.name, part)
        at = Substitute(make, {i: make.add(begin, k)})
        kept, count, together = made.count, taking.count.var, make.const(taking.together)
        size = make.call(p.MINI, make.const(self.part_of(taking)), make.sub(extent, begin))
        taken = make.mul(together, count)
        filtered = replace(
            made, space=Space((k,), (part,)), keep=at(made.keep), body=at(made.body), goes_on=True
        )
        left = Store(made.buffer, make.zero, make.read(made.buffer, taken))
        body: list[Statement] = [
            HostLet(part, size),
            filtered,
            HostLet(count, make.call(QUOT, kept, together) if taking.together > 1 else kept),
            If(make.call(p.LTI, make.zero, count), taking.middle),
        ]
        if taking.together > 1:
            body.append(If(make.call(p.NEQI, kept, taken), (left,)))
        before = taking.start.var
        body += [
            Assign(kept, make.sub(kept, taken)),
            Assign(before, make.add(before, count)),
            Assign(begin, make.add(begin, part)),
        ]
        whole = While(make.call(p.LTI, begin, extent), tuple(body))
        return [Variable(kept, make.zero), Variable(begin, make.zero), taking.start, whole]


def _written(statement: Statement) -> list[Buffer]:
    """The buffers that a statement may write or free."""
    if isinstance(statement, RuntimeCall) and statement.function.startswith(ITEMS):
        elements, records = statement.arguments[1:3]
        return [b for b in changed(statement) if b is not elements and b is not records]
    return changed(statement)
