"""Keys are numbered once: the place of each row of an array among its different rows is noted while these are
found, where it would be looked up in a table of them.

    run aplc_unique_int(x, n, 1, index, &m)               alloc numbers[n]
    alloc a; MAP a[i] = x[index[i]] over i < m            run aplc_number_int(x, n, 1, index, numbers, &m)
    run aplc_table_int_make(t, a, m, 1)             →     alloc a; MAP a[i] = x[index[i]] over i < m
    … aplc_table_int_find_one(t, x[j]) …                  … numbers[j] …
    free t

So what groups by keys (`⌸`, `(∪x)⍳x`) goes over them once, and makes no second table. It is done where the
table is asked for rows of the array alone, which has not changed since. These may be computed again, or be
the rows of another array that is made in the same way. Numbers are narrow where they are no array of the
program's besides. What nobody reads is dropped before, as it may want such an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, named
from aplc.laila.ir.program import Alloc, Empty, Free, Map, Program, RuntimeCall, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer, Exp, PureCall, Read, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.dead_code import UNIQUE, without_unused
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.ordering.key_counts import with_keys_counted
from aplc.laila.transform.ordering.running_keys import stays, with_running_keys
from aplc.tail.types import Base

NUMBER, TABLE, MAKE = "aplc_number_", "aplc_table_", "_make"
NARROW = "int32"
"""How numbers are stored that need no more."""
Block = list[Statement]


def with_keys_numbered(program: Program, make: ExprBuilder) -> Program:
    """The program without tables of the different rows of an array that are asked for its own rows."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    if not any(_finds_different(s) for block in blocks for s in within(block)):
        return program
    program = without_unused(program, make)
    return with_blocks(program, lambda statements: _block(statements, make))


def _finds_different(statement: Statement) -> bool:
    """Whether a statement finds the different rows of an array."""
    return isinstance(statement, RuntimeCall) and statement.function.startswith(UNIQUE)


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    begun = {id(s) for s in block if _finds_different(s)}
    made = [s for s in block if isinstance(s, RuntimeCall) and s.function.endswith(MAKE)] if begun else []
    all_users = Users()
    users = all_users.of(block) if made else {}
    for table in made:
        numbering = _Numbering(make, block, users, table)
        if (found := numbering.found(begun)) is not None:
            block = numbering.instead(found)
            users = all_users.of(block)
    return tuple(with_keys_counted(with_running_keys(block, make), make) if made else block)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What stands for a table: where in a block the different rows are found, the memory of the numbers, what
    is read of it for each search, and the arrays of all numbers in order that are only read.
    """

    unique: int
    numbers: Buffer
    searches: dict[Exp, Exp]
    copies: list[Buffer]


class _Numbering:
    """A table in a block; `users` are the positions of the statements that mention a buffer."""

    def __init__(
        self, make: ExprBuilder, block: Block, users: dict[Buffer, list[int]], table: RuntimeCall
    ) -> None:
        self.make, self.block, self.users, self.run = make, block, users, table
        self.table, self.keys, self.rows, self.columns = table.arguments[:4]

    def found(self, begun: set[int]) -> _Numbers | None:
        """What stands for the table, if something does."""
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
        inside = within(self.block[unique + 1 : uses[-2] + 1])
        if any(x in named(s) and not isinstance(s, Free) for s in inside):
            return None
        made = self._made(x, unique, uses[-2])
        last = self.make.add(count, self.make.one) if kind == "double" else count  # nothing finds NaN
        places: dict[Exp, Exp] = {}
        for k in uses:
            for node in nodes(*expressions(self.block[k])):
                if isinstance(node, PureCall) and self.table in node.memory:
                    place = self._place(node, x)
                    if place is None and made is not None:
                        place = self._place_of_equal(node, made, self.block[k])
                    if place is None:
                        return None
                    places[node] = place
        copies = [s for k in uses if (s := self._copied(k, run.arguments[1], places)) is not None]
        read = [s.buffer for s in copies if self._is_only_read(s)]
        storage = NARROW if len(read) == len(copies) else STORAGE[Base.INT]
        numbers = Buffer(self.make.fresh("numbers"), Base.INT, storage, lows=(self.make.one,), highs=(last,))
        searches: dict[Exp, Exp] = {node: self.make.read(numbers, place) for node, place in places.items()}
        return _Numbers(unique, numbers, searches, read)

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

    def _made(self, x: Buffer, first: int, last: int) -> Map | None:
        """What makes the array, if it makes the same anywhere up to a place in the block."""
        (where,) = [k for k in self.users[x] if k < first][-1:] or (None,)
        made = None if where is None else self.block[where]
        if where is None or not isinstance(made, Map) or made.guard is not None or made.buffer is not x:
            return None
        return made if stays(made.body, self.block[where + 1 : last + 1]) else None

    def _place_of_equal(self, node: PureCall, made: Map, statement: Statement) -> Exp | None:
        """Which row of an array a search is for, of which is known how it is made."""
        (arg,) = node.args
        make, indices, extents = self.make, made.space.indices, made.space.extents
        if len(node.memory) == 2:
            return arg if self._is_twin(node.memory[1], made) else None
        if len(indices) != 1 or made.position is not indices[0] or not isinstance(statement, Map):
            return None
        for index, extent in zip(statement.space.indices, statement.space.extents, strict=True):
            for place in (index, make.sub(make.sub(extent, make.one), index)):
                if extent is extents[0] and Substitute(make, {indices[0]: place})(made.body) is arg:
                    return place
        return None

    def _is_twin(self, buffer: Buffer, made: Map) -> bool:
        """Whether an array is written once, behind another one, with what that holds."""
        first = next(k for k in self.users[made.buffer] if self.block[k] is made)
        users = [self.block[k] for k in self.users[buffer] if k > first]
        kinds, twin = [type(s) for s in users], users[1] if len(users) > 1 else None
        if not isinstance(twin, Map) or kinds != [Alloc, Map, Map, Free] or twin.guard is not None:
            return False
        extents = list(zip(twin.space.extents, made.space.extents, strict=False))
        if len(twin.space.extents) != len(made.space.extents) or not all(m is n for m, n in extents):
            return False
        same: dict[Exp, Exp] = dict(zip(twin.space.indices, made.space.indices, strict=True))
        change = Substitute(self.make, same)
        return change(twin.position) is made.position and change(twin.body) is made.body

    def instead(self, found: _Numbers) -> Block:
        """The block with numbers."""
        make, run, numbers = self.make, self.block[found.unique], found.numbers
        assert isinstance(run, RuntimeCall)
        assert isinstance(self.table, Buffer) and isinstance(run.arguments[1], Exp) and run.site is not None
        name = run.function.replace(UNIQUE, NUMBER) + ("_narrow" if numbers.storage == NARROW else "")
        call = replace(run, function=name, arguments=(*run.arguments, numbers))
        uses = self.users[self.table]
        copies = {b: self.users[b] for b in found.copies}
        gone = {k for users in copies.values() for k in (users[0], users[1], users[-1])}
        end = max([uses[-1], *gone])
        change = Narrowing(make, Ranges(is_single=make.settings.is_single), dict.fromkeys(copies, numbers))
        for search, read in found.searches.items():
            change.done[id(search)] = read
        change.alive += found.searches
        touched = {k for buffer in (self.table, *copies) for k in self.users[buffer]}
        gone |= {k for k in uses if isinstance(self.block[k], Empty | Free) or self.block[k] is self.run}
        result: Block = []
        for k, statement in enumerate(self.block):
            if k == found.unique:
                result += [Alloc(numbers, run.arguments[1], run.site), call]
            elif k == end:
                result.append(Free(numbers))
            elif k not in gone:
                result.append(change.renamed(rebuilt(statement, change)) if k in touched else statement)
        return result

    def _copied(self, k: int, rows: object, places: dict[Exp, Exp]) -> Map | None:
        """A statement that writes the numbers of all rows in order."""
        copy = self.block[k]
        if not isinstance(copy, Map) or copy.guard is not None or copy.body not in places:
            return None
        index, *others = copy.space.indices
        is_whole = not others and copy.space.extents[0] is rows and copy.position is index
        return copy if is_whole and places[copy.body] is index else None

    def _is_only_read(self, copy: Map) -> bool:
        """Whether an array is only read from where it is written to its end, both in this block."""
        first, *rest = [self.block[k] for k in self.users[copy.buffer]]
        if not isinstance(first, Alloc) or not isinstance(rest[-1], Free) or rest[0] is not copy:
            return False
        return not any(copy.buffer in named(s) for s in within(rest[1:-1]))
