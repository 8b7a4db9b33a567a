"""Functions of the program append what they give to a destination, where it is joined of what they call.

A function that calls itself and joins the results gets an array for each, and writes all elements to another
one, at each level again. Instead its caller hands in where the elements are to come, behind what is there:

    call r = f(x); call s = f(y); alloc b; MAP b[i] = r, z, s; free r; free s; give b
        →    call d = f(x); alloc b in d; MAP b[i] = z; append d; call d = f(y); give d

The outermost call begins a destination, of which the memory becomes its array. A part of which each element
is made of one of a call's (`1+∇⍵`) is computed in place behind the call. What a function makes otherwise it
writes behind what is there, or copies.

Legal: the calls come in the order of the parts, nothing else wants their results, and what stands between two
of them is known before the later call, and cannot fail. Functions still tell the extents of what they give.
Only where calls append at all: see `_wanted`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import buffers_read, changed, introduced, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Free,
    Function,
    FunctionCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Ref,
    RuntimeCall,
    Space,
    Statement,
    Swap,
    TupleRef,
)
from aplc.laila.ir.scalar import (
    GROWING,
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Site,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, leaves, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.transform.destinations.constant_extents import constant_extents, numbers_of
from aplc.laila.transform.destinations.parts import (
    Part,
    checked_equal,
    is_row_major,
    is_whole,
    parts_of,
    reads_of,
)
from aplc.tail import faults

HEADER = "aplc_growing.h"
APPEND = "aplc_append"

Place = tuple[str, int]
"""A function, and which of the arrays that it gives."""


@dataclass(frozen=True, slots=True)
class _Appended:
    """What a call has appended last, if that is an array as it is."""

    array: ArrayRef | None

    def is_wanted(self, parts: Sequence[Part]) -> bool:
        """Whether one of some parts is made of it."""
        return self.array is not None and any(self.array.buffer in buffers_read(q.made.body) for q in parts)

    def is_there_for(self, parts: Sequence[Part]) -> bool:
        """Whether parts only read it by themselves."""
        if self.array is None:
            return True
        users = [q.made.body for q in parts if self.is_wanted((q,))]
        return all(reads_of(body, self.array.buffer) and not contains(BlockExp, body) for body in users)


class _Unfit(Exception):
    """An array is not made in a way that can be appended."""


def with_results_appended(program: Program, make: ExprBuilder) -> Program:
    """The program whose functions append what they give, where that saves copies."""
    wanted = frozenset([place for f in program.functions for place in _places(f)])
    extents = constant_extents(program, make) if wanted else {}
    while wanted:
        functions, appended = [], set[Place]()
        for function in program.functions:
            changed_one, found = _with_destinations(
                function, wanted, Substitute(make, numbers_of(function.statements, extents))
            )
            functions.append(changed_one)
            appended |= found
        if appended == wanted:
            return replace(program, functions=tuple(functions))
        wanted = frozenset(appended)
    return program


def _places(function: Function) -> list[Place]:
    """The arrays that a function gives, in memory of their own."""
    found = _arrays(function.results)
    buffers = [leaf.buffer for _, leaf in found]
    plain = [(k, leaf.buffer) for k, leaf in found if leaf.buffer.storage == leaf.buffer.ty.dtype]
    return [(function.name, k) for k, b in plain if buffers.count(b) == 1 and not b.asked]


def _arrays(references: Sequence[Ref]) -> list[tuple[int, ArrayRef]]:
    """The arrays among references, numbered among all leaves."""
    every = enumerate([leaf for r in references for leaf in leaves(r)])
    return [(k, leaf) for k, leaf in every if isinstance(leaf, ArrayRef)]


def _with_destinations(
    function: Function, wanted: frozenset[Place], numbers: Substitute
) -> tuple[Function, set[Place]]:
    """A function that appends what is wanted of it, and which calls it appends; with what is known of extents
    that calls give.
    """
    make = numbers.make
    appended = set[Place]()
    for k, leaf in _arrays(function.results):
        if (function.name, k) not in wanted:
            continue
        d = Buffer(make.fresh("d"), leaf.buffer.ty, GROWING)
        into = _Appending(make, wanted, d, function.site, numbers)
        try:
            statements = into.block(function.statements, leaf.buffer, make.product(leaf.shape))
        except _Unfit:
            continue
        results = tuple([_exchanged(r, {leaf.buffer: d}) for r in function.results])
        function = replace(function, statements=statements, results=results)
        appended |= into.appended
    return function, appended


def _exchanged(reference: Ref, new: Mapping[Buffer, Buffer]) -> Ref:
    match reference:
        case ArrayRef(buffer=buffer):
            return replace(reference, buffer=new.get(buffer, buffer))
        case TupleRef(items=items):
            return replace(reference, items=tuple([_exchanged(item, new) for item in items]))
        case _:
            return reference


@dataclass(slots=True)
class _Appending:
    """What makes an array, changed so that the elements come behind those of a destination."""

    make: ExprBuilder
    wanted: frozenset[Place]
    d: Buffer
    site: Site
    numbers: Substitute
    appended: set[Place] = field(default_factory=set)
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, block: Sequence[Statement], array: Buffer, size: Exp) -> tuple[Statement, ...]:
        """A block that leaves an array of so many elements, which is nobody's then."""
        users = [k for k, s in enumerate(block) if array in mentioned(s)]
        if not users:
            raise _Unfit
        last = users[-1]
        begin = next((k for k in users if array in introduced(block[k])), None)
        is_given = begin is None or (isinstance(block[begin], Empty) and users == [begin, last])
        before, behind, final = (
            [s for k, s in enumerate(block[:last]) if k != begin],
            block[last + 1 :],
            block[last],
        )
        match final:
            case Move(target=target, source=source) if target is array and is_given:
                if any(source in introduced(s) for s in before):
                    return self.block((*before, *behind), source, size)
                return (*before, *self.copied(source, self.size_behind(behind, size)), *behind)
            case If(then=then, other=other) if is_given:
                now = self.size_behind(behind, size)
                both = self.block(then, array, now), self.block(other, array, now)
                return (*before, replace(final, then=both[0], other=both[1]), *behind)
            case FunctionCall() if begin == last and (k := self.place_in(final, array)) is not None:
                self.appended.add((final.function, k))
                return (*before, self.into(final, array), *behind)
            case _:
                pass
        now = self.size_behind(behind, size)
        if begin is not None and isinstance(block[begin], Alloc) and self.is_written(block, begin, array):
            return self.made(block, begin, last, array, now)
        first: tuple[Statement, ...] = (Empty(array),) if begin is None else ()
        return (*first, *block[: last + 1], *self.copied(array, now), *behind)

    def size_behind(self, behind: Sequence[Statement], size: Exp) -> Exp:
        """The size of the array in terms of what is known before some statements."""
        for statement in reversed(behind):
            match statement:
                case Assign(var=var, value=value) | HostLet(var=var, value=value) if not contains(
                    Read | PureCall | Check | BlockExp | Fold, value
                ):
                    size = Substitute(self.make, {var: value})(size)
                case _ if self.free.of(size) & set(bound(statement)):
                    raise _Unfit
                case _:
                    pass
        return size

    def place_in(self, call: FunctionCall, array: Buffer) -> int | None:
        """Which result of a call an array is, if the function is to append that."""
        found = [k for k, leaf in _arrays(call.results) if leaf.buffer is array]
        return found[0] if len(found) == 1 and (call.function, found[0]) in self.wanted else None

    def into(self, call: FunctionCall, array: Buffer) -> FunctionCall:
        """A call that appends one of its results."""
        return replace(call, results=tuple([_exchanged(r, {array: self.d}) for r in call.results]))

    def append(self, size: Exp) -> RuntimeCall:
        """So many elements more are there."""
        return RuntimeCall(APPEND, HEADER, (self.d, size))

    def room(self, array: Buffer, size: Exp, site: Site) -> tuple[Buffer, Alloc]:
        """The memory of a part."""
        part = Buffer(self.make.fresh(array.name), array.ty, self.d.ty.dtype)
        return part, Alloc(part, size, site, self.d)

    def copied(self, array: Buffer, size: Exp) -> list[Statement]:
        """An array is appended, and ends."""
        part, alloc = self.room(array, size, replace(self.site, fault=faults.NO_MEMORY))
        i = self.make.index("i", size)
        copy = Map(part, Space((i,), (size,)), i, self.make.read(array, i))
        return [alloc, copy, self.append(size), Free(array)]

    def is_written(self, block: Sequence[Statement], begin: int, array: Buffer) -> bool:
        """Whether an array is only written and read, in the memory that it begins with."""
        alloc = block[begin]
        assert isinstance(alloc, Alloc)
        if array.storage != array.ty.dtype or array.ty is not self.d.ty or array.asked:
            return False
        if alloc.into is not None or array.is_bounded:
            return False
        others = [s for s in within(block) if s is not alloc and array in mentioned(s)]
        return not any(isinstance(s, Move | Swap | Free | Alloc | Empty) for s in others)

    # --- joins ---

    def made(
        self, block: Sequence[Statement], begin: int, last: int, array: Buffer, size: Exp
    ) -> tuple[Statement, ...]:
        """An array that is made in the memory behind what is there, or joined of what comes there."""
        users = [s for s in block if array in mentioned(s)]
        made, alloc = block[last], block[begin]
        assert isinstance(alloc, Alloc)
        if (
            len(users) == 2
            and isinstance(made, Map)
            and made.buffer is array
            and is_row_major(made, self.make)
        ):
            whole = self.make.product(made.space.extents)
            is_all = self.make.sub(whole, size) is self.make.zero
            if is_all and array not in buffers_read(made.body):
                joined = self.joined(block, alloc, made)
                if joined is not None:
                    return joined
        there = [replace(alloc, into=self.d) if s is alloc else s for s in block[: last + 1]]
        return (*there, self.append(size), *block[last + 1 :])

    def joined(self, block: Sequence[Statement], alloc: Alloc, made: Map) -> tuple[Statement, ...] | None:
        """A block that makes an array by a map, if it appends results of calls."""
        at = next(k for k, s in enumerate(block) if s is made)
        known = checked_equal(block[:at], self.make)
        parts = parts_of(made, self.make)
        calls = self.calls(block, made)
        before: dict[int, list[Statement]] = {}
        behind: dict[int, list[Statement]] = {}
        gone = {alloc.buffer}
        taken: dict[int, Buffer] = {}
        waiting: list[Part] = []
        earlier, there = -1, _Appended(None)
        for position, part in enumerate(parts):
            where = self.call_of(part, calls, known)
            if where is not None and where > earlier and not there.is_wanted(parts[position + 1 :]):
                _, leaf = calls[where]
                rest = block[where:at]
                changes = self.changes(part, leaf, rest[1:], alloc)
                now = _Appended(leaf)
                later = parts[position + 1 :]
                is_fit = now.is_there_for(later) if changes == [] else not now.is_wanted(later)
                is_early = all(self.may_come_before(q.made, rest) for q in waiting)
                if changes is not None and is_fit and is_early and not now.is_wanted(parts[:position]):
                    before[where] = self.written(waiting, alloc, there)
                    behind[where] = changes
                    taken[where] = leaf.buffer
                    gone.add(leaf.buffer)
                    waiting, earlier, there = [], where, now
                    continue
            waiting.append(part)
        if not taken:
            return None
        result: list[Statement] = []
        for k, statement in enumerate(block):
            if k in taken:
                assert isinstance(statement, FunctionCall)
                place = self.place_in(statement, taken[k])
                assert place is not None
                self.appended.add((statement.function, place))
                result += [*before[k], self.into(statement, taken[k]), *behind[k]]
            elif statement is made:
                result += self.written(waiting, alloc, there)
            elif statement is not alloc and not (isinstance(statement, Free) and statement.buffer in gone):
                result.append(statement)
        return tuple(result)

    def calls(self, block: Sequence[Statement], made: Map) -> dict[int, tuple[FunctionCall, ArrayRef]]:
        """Where calls give arrays that may be appended, and that nobody but a map wants."""
        found: dict[int, tuple[FunctionCall, ArrayRef]] = {}
        for k, statement in enumerate(block):
            if not isinstance(statement, FunctionCall):
                continue
            for _, leaf in _arrays(statement.results):
                users = [s for s in block if leaf.buffer in mentioned(s) and s is not statement]
                is_ours = all(s is made or isinstance(s, Free) for s in users)
                if (
                    is_ours
                    and leaf.buffer.ty is self.d.ty
                    and self.place_in(statement, leaf.buffer) is not None
                ):
                    told = replace(leaf, shape=tuple([self.numbers(n) for n in leaf.shape]))
                    found.setdefault(k, (statement, told))
        return found

    def call_of(
        self, part: Part, calls: Mapping[int, tuple[FunctionCall, ArrayRef]], known: Substitute
    ) -> int | None:
        """The call of which a part is all that it gives, or made of that element by element."""
        for where, (_, leaf) in calls.items():
            if is_whole(part, leaf, known):
                return where
        return None

    def may_come_before(self, made: Map, rest: Sequence[Statement]) -> bool:
        """Whether a map can come before some statements: it cannot fail, what it needs is there, and no check
        among them is what keeps it from reading what is not.
        """
        roots = (made.body, made.position, *made.space.extents)
        if contains(Check | BlockExp, *roots):
            return False
        later = {v for s in rest for v in bound(s)}
        if {v for e in roots for v in self.free.of(e)} & later:
            return False
        checked = [self.free.of(s.ok) for s in within(rest) if isinstance(s, HostCheck)]
        if sum(1 for names in checked if names & later) < 2:  # one tells nothing but of what comes later
            checked = [names for names in checked if not names & later]
        read = [b for b in buffers_read(*roots) if b is not made.buffer]
        if checked and (read or _asked(made) & {v for names in checked for v in names}):
            return False
        return {b for s in within(rest) for b in (*changed(s), *introduced(s))}.isdisjoint(read)

    def written(self, parts: Sequence[Part], alloc: Alloc, there: _Appended) -> list[Statement]:
        """Parts are appended, which may be made of what has been appended last."""
        if not parts:
            return []
        make = self.make
        places = [make.zero]
        for part in parts:
            places.append(make.add(places[-1], part.size))
        memory, room = self.room(alloc.buffer, places[-1], alloc.site)
        result: list[Statement] = [room]
        source: Buffer | None = None
        if there.array is not None and there.is_wanted(parts):  # where there is room it does not move
            source, last = self.room(there.array.buffer, make.product(there.array.shape), alloc.site)
            result.append(replace(last, is_there=True))
        for part, place in zip(parts, places, strict=False):
            body = part.made.body
            if source is not None and there.array is not None:
                reads: dict[Exp, Exp] = {}
                for read in reads_of(body, there.array.buffer):
                    reads[read] = make.read(source, read.index)
                body = Substitute(make, reads)(body)
            position = make.add(part.made.position, place)
            result.append(replace(part.made, buffer=memory, position=position, body=body))
        return [*result, self.append(places[-1])]

    def changes(
        self, part: Part, array: ArrayRef, rest: Sequence[Statement], alloc: Alloc
    ) -> list[Statement] | None:
        """What makes of the elements that a call has appended those of a part, before the rest of a block;
        None if it cannot come there. It runs over the extents that the call tells: nobody has compared them.
        """
        make, made = self.make, part.made
        reads = reads_of(made.body, array.buffer)
        if any(read is made.body for read in reads):
            return []
        size = make.product(array.shape)
        memory, room = self.room(alloc.buffer, size, alloc.site)
        space = Space(made.space.indices, array.shape)
        if len(array.shape) != len(made.space.indices):
            if make.sub(size, part.size) is not make.zero:
                return None
            space = made.space
        position = from_index(make, space.extents, space.indices)
        body = Substitute(make, {read: make.read(memory, position) for read in reads})(made.body)
        changed_there = Map(memory, space, position, body)
        if not self.may_come_before(changed_there, rest):
            return None
        return [replace(room, is_there=True), changed_there]


def _asked(made: Map) -> set[Var]:
    """The variables that elements are made of, beside those that say where a map reads what it writes."""

    def below(exp: Exp) -> Iterable[Exp]:
        return () if isinstance(exp, Read) and exp.buffer is made.buffer else operands(exp)

    return {node for node in nodes(made.body, below=below) if isinstance(node, Var)}
