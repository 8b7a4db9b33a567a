"""Local value numbering: arrays that a sequence of statements makes twice are made once, with what is read of
them (Cocke and Schwartz, Programming Languages and their Compilers, 1970).

    alloc a[n+1]; put a[0] = 0; SCAN + a[i+1] = e(i)        alloc a[n+1]; put a[0] = 0; SCAN + a[i+1] = e(i)
    x = a[n]; … a[i] … x …; free a                          x = a[n]; … a[i] … x …
    alloc b[n+1]; put b[0] = 0; SCAN + b[j+1] = e(j)   →    … a[i] … x …
    y = b[n]; … b[i] … y …; free b                          free a

So where items end that lie one behind the other is computed once for all arrays that have these items.

Two arrays are equal if they are made by equal statements, of elements and variables that have not changed in
between, and nothing else writes to them. The first one lives as long as the second did; where it would have
been freed before, this is only done if no memory is taken between its end and the begin of the second, so
that no more is held at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import Users, buffers_read, changed, introduced, named
from aplc.laila.ir.program import (
    Alloc,
    Free,
    HostLet,
    Map,
    Program,
    RuntimeCall,
    Scan,
    Statement,
    Store,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import BlockExp, Buffer, Const, Exp, Fold, FreeVars, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bound,
    names_of_results,
    own_expressions,
    rebuilt,
    with_blocks,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.versioning.shared_conditions import with_conditions_shared

Key = tuple[object, ...]


def with_equal_arrays_shared(program: Program, make: ExprBuilder) -> Program:
    """The program with equal arrays of one sequence of statements made once, and one name for each length of
    what is kept by one mask.
    """
    program = with_conditions_shared(program, make, one_name_for_counts=True)
    kept = names_of_results(program)
    return with_blocks(program, lambda statements: _block(statements, make, kept))


def _block(statements: Sequence[Statement], make: ExprBuilder, kept: Set[str]) -> tuple[Statement, ...]:
    block = tuple([with_bodies(s, lambda body: _block(body, make, kept)) for s in statements])
    kinds = [tuple(map(type, made)) for made in _made(block).values()]
    return block if len(set(kinds)) == len(kinds) else _Numbering(make, block, kept).whole()


def _made(block: Sequence[Statement]) -> dict[int, tuple[Statement, ...]]:
    """Where arrays begin, and the statements behind that which only write to them."""
    found = {}
    for k, statement in enumerate(block):
        if isinstance(statement, Alloc):
            end = k + 1
            while end < len(block) and _is_plain(block[end], statement.buffer):
                end += 1
            if end > k + 1:
                found[k] = tuple(block[k + 1 : end])
    return found


def _is_plain(statement: Statement, buffer: Buffer) -> bool:
    """Whether a statement does nothing but write to a buffer, which it does not read."""
    match statement:
        case Store(buffer=target):
            pass
        case Map(buffer=target, guard=None, ordered=False):
            pass
        case Scan(buffer=target, running=None, start=None, is_written=True):
            pass
        case _:
            return False
    return target is buffer and buffer not in buffers_read(*own_expressions(statement))


@dataclass(slots=True)
class _Entry:
    """What is known of a value until something changes of which it was computed."""

    holds: bool = True


@dataclass(slots=True)
class _Scalar(_Entry):
    var: Var | None = None


@dataclass(slots=True)
class _Array(_Entry):
    buffer: Buffer | None = None
    freed: int | None = None
    """The end of its life among the statements that are done."""


class _Renaming(Narrowing):
    """Rebuilds expressions with other buffers and variables, these by name: one may have several guises."""

    def __init__(
        self, make: ExprBuilder, ranges: Ranges, buffers: dict[Buffer, Buffer], renamed: dict[str, Var]
    ) -> None:
        super().__init__(make, ranges, buffers)
        self.same = renamed

    def _rebuild(self, node: Exp) -> Exp:
        return self.same.get(node.name, node) if isinstance(node, Var) else super()._rebuild(node)


@dataclass(slots=True)
class _Numbering:
    """One sequence of statements; variables that are `kept` are mentioned behind it."""

    make: ExprBuilder
    block: tuple[Statement, ...]
    kept: Set[str]
    free: FreeVars = field(default_factory=FreeVars)
    scalars: dict[Exp, _Scalar] = field(default_factory=dict)
    arrays: dict[Key, _Array] = field(default_factory=dict)
    of_buffer: dict[Buffer, _Array] = field(default_factory=dict)
    hosts: dict[Buffer, Buffer] = field(default_factory=dict)
    """By which arrays others are represented."""
    told: dict[str | Buffer, list[_Entry]] = field(default_factory=dict)
    """What is known by the variables and buffers of which it was computed."""
    indices: dict[tuple[int, Exp], Var] = field(default_factory=dict)
    """One index for all loops along an axis with the same extent."""
    bound: Counter[str] = field(default_factory=Counter)
    """How often names are bound: what a program has in several versions is so in each."""
    done: list[Statement | None] = field(default_factory=list)
    taken: int = -1
    """The last statement among these that takes memory."""

    def whole(self) -> tuple[Statement, ...]:
        """All statements."""
        block = self.block
        users, made = Users().of(block), _made(block)
        self.bound.update([v.name for s in within(block) for v in bound(s)])
        change = self.changing({})
        renamed: dict[str, Var] = {}
        position = 0
        while position < len(block):
            old = block[position]
            new = change.renamed(rebuilt(old, change))
            writing = made.get(position, ())
            position += 1
            if isinstance(new, Alloc) and writing:
                position += len(writing)
                written = [change.renamed(rebuilt(s, change)) for s in writing]
                is_constant = self.is_constant(new.buffer, users[new.buffer], position)
                is_constant = is_constant and users[new.buffer][0] == position - len(writing) - 1
                if not is_constant or not self.is_shared(new, written):
                    self.add(new, *written)
            elif isinstance(new, HostLet) and (same := self.known(new)) is not None:
                renamed[new.var.name] = same
                change = self.changing(renamed)
            else:
                self.add(new)
        return tuple([s for s in self.done if s is not None]) if self.hosts else block

    def changing(self, renamed: dict[str, Var]) -> Narrowing:
        """What puts variables and buffers in the place of those that they represent."""
        return _Renaming(self.make, Ranges(is_single=self.make.settings.is_single), self.hosts, renamed)

    def is_constant(self, buffer: Buffer, users: Sequence[int], behind: int) -> bool:
        """Whether an array is only read from a position on, and then freed."""
        later = [self.block[k] for k in users if k >= behind]
        if not later or not isinstance(later[-1], Free):
            return False
        return not any(buffer in named(s) for s in within(later[:-1]))

    def add(self, *statements: Statement) -> None:
        """Statements that are done, and what they change."""
        for statement in statements:
            inside = list(within((statement,)))
            if any(isinstance(s, RuntimeCall) or introduced(s) for s in inside):
                self.taken = len(self.done)
            if isinstance(statement, Free):
                if (array := self.of_buffer.get(statement.buffer)) is not None:
                    self.revive(array)  # the end of the last of those that it stands for counts
                    array.freed = len(self.done)
            else:
                for s in inside:
                    self.forget([*changed(s), *[v.name for v in bound(s)]])
            if isinstance(statement, HostLet) and not contains(Fold | BlockExp, statement.value):
                scalar = self.scalars[statement.value] = _Scalar(var=statement.var)
                self.note(scalar, statement.value)
            self.done.append(statement)

    def revive(self, array: _Array) -> None:
        """An array lives on."""
        if array.freed is not None:
            self.done[array.freed] = None
            array.freed = None

    def forget(self, things: Sequence[str | Buffer]) -> None:
        """Variables and buffers have changed."""
        for thing in things:
            for entry in self.told.pop(thing, ()):
                entry.holds = False

    def note(self, entry: _Entry, *exps: Exp) -> None:
        """Something is known as long as nothing changes of which these are."""
        things: set[str | Buffer] = {name for e in exps for name in self.free.names(e)}
        for thing in things.union(buffers_read(*exps)):
            self.told.setdefault(thing, []).append(entry)

    def known(self, statement: HostLet) -> Var | None:
        """The variable that has the value of another one already."""
        found = self.scalars.get(statement.value)
        name = statement.var.name
        if found is None or not found.holds or name in self.kept or self.bound[name] > 1:
            return None
        return None if isinstance(statement.value, Const | Var) else found.var

    def is_shared(self, begin: Alloc, writing: Sequence[Statement]) -> bool:
        """Whether there is an array already that is made so, which then stands for this one; else it is noted
        how this one is made.
        """
        buffer, exps = begin.buffer, [begin.size]
        key: list[object] = [buffer.ty, buffer.storage, buffer.values, buffer.lows, buffer.highs, begin.size]
        for statement in writing:
            made = self.canonical(statement)
            exps += own_expressions(made)
            combine = made.combine if isinstance(made, Scan) else None
            key += [type(made), combine, *own_expressions(made)]
        found = self.arrays.get(tuple(key))
        if found is not None and found.holds and (found.freed is None or self.taken < found.freed):
            assert found.buffer is not None
            self.revive(found)
            self.hosts[buffer] = found.buffer
            return True
        array = self.arrays[tuple(key)] = self.of_buffer[buffer] = _Array(buffer=buffer)
        self.note(array, *exps)
        return False

    def canonical(self, statement: Statement) -> Statement:
        """A statement with the indices that all loops over such a space have here."""
        if not isinstance(statement, Map | Scan):
            return statement
        own, extents = statement.space.indices, statement.space.extents
        names: dict[Exp, Exp] = {}
        for axis, (index, extent) in enumerate(zip(own, extents, strict=True)):
            if (axis, extent) not in self.indices:
                self.indices[axis, extent] = self.make.index("i", extent)
            names[index] = self.indices[axis, extent]
        return rebuilt(statement, Substitute(self.make, names))
