"""Selection: what is sorted or graded and then read at a few places only, as for a median, is not sorted.

    alloc g; run aplc_grade_up_int(v, n, 1, g); … v[g[k] - 1] …; free g
    →   run aplc_rank_up_int(v, n, k, &x); … x …
    alloc a; MAP a[i] = v[i] over i < n; run aplc_sort_up_int(a, 0, n); … a[k] …; free a
    →   run aplc_rank_up_int(v, n, k, &x); … x …

Finding an element takes as long as reading all a few times (Hoare, Algorithm 65: Find, Communications of
the ACM 4, 1961; here by digits). It is found before the statement that reads it, where its place must be
known; what is found for a place outside nobody reads. Places that are constants are another matter, see
`partial_sort`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import Users, buffers_read, mentioned, named
from aplc.laila.ir.program import Alloc, Free, Map, Program, RuntimeCall, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.ordering.grades import GRADE
from aplc.laila.transform.ordering.sorted_values import HEADER, SORT
from aplc.laila.transform.unroll import few_rounds, written_out
from aplc.tail.types import Base

RANK = "aplc_rank_"
MOST = 4
"""So many elements are found as fast as all are sorted, or faster."""


def with_ranks_selected(program: Program, make: ExprBuilder) -> Program:
    """The program without sorts of which a few elements are wanted."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    runs = [s for s in block if isinstance(s, RuntimeCall) and s.function.startswith((SORT, GRADE))]
    all_users = Users()
    users = all_users.of(block) if runs else {}
    for run in runs:
        found = _order(make, block, users, run)
        changed = None if found is None else found.selected()
        if changed is not None:
            block, users = changed, all_users.of(changed)
    return tuple(block)


def _order(
    make: ExprBuilder, block: list[Statement], users: dict[Buffer, list[int]], run: RuntimeCall
) -> _Order | None:
    """The order that a call of the run-time system makes of a vector, if it is freed in the same block."""
    if run.function.startswith(GRADE):
        vector, n, columns, target = run.arguments
        begin, is_vector = 2, columns is make.one
    else:
        target, start, n = run.arguments
        vector, begin, is_vector = target, 3, start is make.zero
    assert isinstance(target, Buffer) and not isinstance(n, Buffer)
    places = users[target]
    if not is_vector or not isinstance(vector, Buffer) or vector.ty is Base.BOOL or len(places) < begin + 2:
        return None
    is_first = block[places[begin - 1]] is run and isinstance(block[places[0]], Alloc)
    if not is_first or not isinstance(block[places[-1]], Free):
        return None
    gone = [*places[:begin], places[-1]]
    if vector is target:
        source = _copied(block[places[1]], block[places[1] + 1 : places[-1]], n)
        vector, gone = (source, gone) if source is not None else (vector, [places[2]])
    return _Order(make, block, run, target, vector, n, places[begin:-1], gone)


def _copied(begin: Statement, before: Sequence[Statement], n: Exp) -> Buffer | None:
    """The array whose n elements another one begins with, if some statements change neither."""
    match begin:
        case Map(space=space, position=position, body=Read(buffer=source, index=index), guard=None):
            is_whole = space.extents == (n,) and position is index is space.indices[0]
            is_whole = is_whole and source.storage == begin.buffer.storage
            return source if is_whole and not any(source in named(s) for s in within(before)) else None
        case _:
            return None


@dataclass(slots=True)
class _Order:
    """A vector in order: `target` is read by the statements at `readers`; those at `gone` only make it."""

    make: ExprBuilder
    block: list[Statement]
    run: RuntimeCall
    target: Buffer
    vector: Buffer
    n: Exp
    readers: list[int]
    gone: list[int]

    def selected(self) -> list[Statement] | None:
        """The block with elements selected, if a few are read, whose places are known before."""
        block, begin, end = self.block, self.block.index(self.run) + 1, self.readers[-1] + 1
        if any(b in named(s) for s in within(block[begin:end]) for b in (self.vector, self.target)):
            return None
        found: dict[Exp, Var] = {}
        instead: dict[int, list[Statement]] = {k: [] for k in self.gone}
        for k in self.readers:
            instead[k] = []
            for reader in self.one_by_one(block[k]):
                elements: dict[Exp, Exp] = {}
                for element, place in self.elements(reader).items():
                    if place not in found:
                        if not self.is_known(place, block[k:end]) or len(found) == MOST:
                            return None
                        found[place] = Var(self.make.fresh("ranked"), self.vector.ty)
                        instead[k].append(self.call(place, found[place]))
                    elements[element] = found[place]
                reader = rebuilt(reader, Substitute(self.make, elements))
                if self.target in mentioned(reader):
                    return None
                instead[k].append(reader)
        return [new for k, s in enumerate(block) for new in instead.get(k, [s])]

    def one_by_one(self, reader: Statement) -> Sequence[Statement]:
        """A statement that reads elements, as for quartiles: each of a few alone, so that its place is known.
        Checks of places that can only hold would keep it from that. Integers are often of few values:
        all are sorted as fast as two are found.
        """
        is_few = isinstance(reader, Map) and all([few_rounds(n, MOST) for n in reader.space.extents])
        if not is_few or self.vector.ty is not Base.DOUBLE:
            return (reader,)
        ranges = Ranges(is_single=self.make.settings.is_single)
        return written_out(self.make, Narrowing(self.make, ranges, {}).statements((reader,)))

    def elements(self, reader: Statement) -> dict[Exp, Exp]:
        """The elements that a statement reads, each with its place."""
        make = self.make
        every = nodes(*expressions(reader))
        places = [n for n in every if isinstance(n, Read) and n.buffer is self.target]
        if self.run.function.startswith(SORT):
            return {n: n.index for n in places}
        found = {make.read(self.vector, make.sub(n, make.one)): n.index for n in places}
        written = self.written() if places else None
        if written is not None:
            index, body = written
            found |= {Substitute(make, {index: make.sub(n, make.one)})(body): n.index for n in places}
        return found

    def written(self) -> tuple[Var, Exp] | None:
        """What the elements of the vector were written as, by their index, if they still are that."""
        users = [k for k, s in enumerate(self.block[: self.readers[-1]]) if self.vector in mentioned(s)]
        writer = self.block[users[1]] if len(users) > 1 else None
        if not isinstance(writer, Map) or writer.buffer is not self.vector or writer.guard is not None:
            return None
        (index, *more), behind = writer.space.indices, self.block[users[1] + 1 : self.readers[-1] + 1]
        if more or writer.position is not index or contains(Fold | BlockExp | PureCall, writer.body):
            return None
        read = buffers_read(writer.body)
        names = {v.name for s in behind for v in bound(s)} & FreeVars().names(writer.body)
        is_same = not names and not any([b in named(s) for s in within(behind) for b in read])
        return (index, writer.body) if is_same else None

    def is_known(self, place: Exp, behind: Sequence[Statement]) -> bool:
        """Whether a place is made of scalars that are bound before some statements, and not by these."""
        inside = tuple([e for s in behind for e in expressions(s)])
        names = {v.name for s in behind for v in bound(s)} | {v.name for v in bound_in(inside)}
        return not contains(Read | PureCall, place) and not FreeVars().names(place) & names

    def call(self, place: Exp, x: Var) -> RuntimeCall:
        """The call that finds the element at a place."""
        order = self.run.function.removeprefix(SORT).removeprefix(GRADE)
        return RuntimeCall(RANK + order, HEADER, (self.vector, self.n, place), (x,), self.run.site)
