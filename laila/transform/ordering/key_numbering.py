"""Keys are numbered once: the place of each row of an array among its different rows is noted while these are
found, where it would be looked up in a table of them.

    run aplc_unique_int(x, n, 1, index, &m)               alloc numbers[n]
    alloc a; MAP a[i] = x[index[i]] over i < m            run aplc_number_int(x, n, 1, index, numbers, &m)
    run aplc_table_int_make(t, a, m, 1)             →     alloc a; MAP a[i] = x[index[i]] over i < m
    … aplc_table_int_find_one(t, x[j]) …                  … numbers[j] …
    free t

So what groups by keys (`⌸`, `(∪x)⍳x`) goes over them once, and makes no second table. It is done where the
table is asked for rows of the array alone, which has not changed since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, named
from aplc.laila.ir.program import Alloc, Empty, Free, Map, Program, RuntimeCall, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer, Exp, PureCall, Read, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.lowering.pull import from_index
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.narrow import Narrowing
from aplc.tail.types import Base

UNIQUE, NUMBER, TABLE, MAKE = "aplc_unique_", "aplc_number_", "aplc_table_", "_make"
Block = list[Statement]


def with_keys_numbered(program: Program, make: ExprBuilder) -> Program:
    """The program without tables of the different rows of an array that are asked for its own rows."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    begun = {id(s) for s in block if isinstance(s, RuntimeCall) and s.function.startswith(UNIQUE)}
    made = [s for s in block if isinstance(s, RuntimeCall) and s.function.endswith(MAKE)] if begun else []
    all_users = Users()
    users = all_users.of(block) if made else {}
    for table in made:
        numbering = _Numbering(make, block, users, table)
        if (found := numbering.found(begun)) is not None:
            block = numbering.instead(*found)
            users = all_users.of(block)
    return tuple(block)


class _Numbering:
    """A table in a block; `users` are the positions of the statements that mention a buffer."""

    def __init__(
        self, make: ExprBuilder, block: Block, users: dict[Buffer, list[int]], table: RuntimeCall
    ) -> None:
        self.make, self.block, self.users, self.run = make, block, users, table
        self.table, self.keys, self.rows, self.columns = table.arguments[:4]

    def found(self, begun: set[int]) -> tuple[int, dict[Exp, Exp], Buffer] | None:
        """Where the different rows are found, what is read in place of each search, and of which memory."""
        assert isinstance(self.table, Buffer)
        kind = self.run.function.removeprefix(TABLE).removesuffix(MAKE)
        if not isinstance(self.keys, Buffer) or not self.run.function.startswith(TABLE) or kind == "near":
            return None
        uses = self.users[self.table]
        before = [k for k in self.users[self.keys] if k < self.block.index(self.run)]
        if not isinstance(self.block[uses[-1]], Free) or len(before) != 2:
            return None
        gather = self.block[before[1]]
        unique = self._origin(gather, before[1], begun)
        if unique is None or not isinstance(self.block[before[0]], Alloc):
            return None
        run = self.block[unique]
        assert isinstance(run, RuntimeCall)
        x, count = run.arguments[0], run.written[0]
        assert isinstance(x, Buffer)
        if any(x in named(s) for s in within(self.block[unique + 1 : uses[-2] + 1])):
            return None
        last = self.make.add(count, self.make.one) if kind == "double" else count  # nothing finds NaN
        name = self.make.fresh("numbers")
        numbers = Buffer(name, Base.INT, STORAGE[Base.INT], lows=(self.make.one,), highs=(last,))
        instead: dict[Exp, Exp] = {}
        for k in uses:
            for node in nodes(*expressions(self.block[k])):
                if isinstance(node, PureCall) and self.table in node.memory:
                    place = self._place(node, x)
                    if place is None:
                        return None
                    instead[node] = self.make.read(numbers, place)
        return unique, instead, numbers

    def _origin(self, gather: Statement, position: int, begun: set[int]) -> int | None:
        """Where the rows are found that a map gathers, all of them, one behind the other."""
        make = self.make
        if not isinstance(gather, Map) or gather.guard is not None or gather.buffer is not self.keys:
            return None
        body, (i, *others), extents = gather.body, gather.space.indices, gather.space.extents
        if not isinstance(body, Read) or extents[0] is not self.rows:
            return None
        for k in reversed(self.users[body.buffer]):
            run = self.block[k]
            if k < position and isinstance(run, RuntimeCall) and id(run) in begun:
                x, rows, columns, index = run.arguments
                assert isinstance(rows, Exp) and isinstance(index, Buffer)
                at = from_index(make, (rows, *extents[1:]), (make.read(index, i), *others))
                is_whole = run.written[0] is self.rows and columns is self.columns
                is_whole = is_whole and gather.position is from_index(make, extents, (i, *others))
                return k if is_whole and x is body.buffer and body.index is at else None
        return None

    def _place(self, node: PureCall, x: Buffer) -> Exp | None:
        """Which row of an array a search is for."""
        (arg,) = node.args
        if node.memory == (self.table, x):
            return arg
        if isinstance(arg, Read) and arg.buffer is x and len(node.memory) == 1:
            return arg.index
        return None

    def instead(self, unique: int, searches: dict[Exp, Exp], numbers: Buffer) -> Block:
        """The block with numbers."""
        make, run = self.make, self.block[unique]
        assert isinstance(run, RuntimeCall)
        assert isinstance(self.table, Buffer) and isinstance(run.arguments[1], Exp) and run.site is not None
        name = run.function.replace(UNIQUE, NUMBER)
        call = replace(run, function=name, arguments=(*run.arguments, numbers))
        uses = self.users[self.table]
        copies = {b: self.users[b] for k in uses for b in self._copied(k, run.arguments[1], searches)}
        gone = {k for users in copies.values() for k in (users[0], users[1], users[-1])}
        end = max([uses[-1], *gone])
        change = Narrowing(make, Ranges(is_single=make.settings.is_single), dict.fromkeys(copies, numbers))
        for search, read in searches.items():
            change.done[id(search)] = read
        change.alive += searches
        touched = {k for buffer in (self.table, *copies) for k in self.users[buffer]}
        gone |= {k for k in uses if isinstance(self.block[k], Empty | Free) or self.block[k] is self.run}
        result: Block = []
        for k, statement in enumerate(self.block):
            if k == unique:
                result += [Alloc(numbers, run.arguments[1], run.site), call]
            elif k == end:
                result.append(Free(numbers))
            elif k not in gone:
                result.append(change.renamed(rebuilt(statement, change)) if k in touched else statement)
        return result

    def _copied(self, k: int, rows: Exp, searches: dict[Exp, Exp]) -> list[Buffer]:
        """The array that a statement writes, if it is that of all numbers and only read from there on."""
        copy = self.block[k]
        if not isinstance(copy, Map) or copy.guard is not None or copy.body not in searches:
            return []
        users = self.users[copy.buffer]
        index, *others = copy.space.indices
        is_whole = not others and copy.space.extents[0] is rows and copy.position is index
        is_whole = is_whole and isinstance(found := searches[copy.body], Read) and found.index is index
        begin, end = self.block[users[0]], self.block[users[-1]]
        if not is_whole or not isinstance(begin, Alloc) or not isinstance(end, Free) or users[1] != k:
            return []
        between = [self.block[m] for m in users[2:-1]]
        return [] if any(copy.buffer in named(s) for s in within(between)) else [copy.buffer]
