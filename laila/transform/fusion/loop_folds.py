"""Folds of an array that a loop writes element by element are taken where it writes them.

    alloc a : n
    var rest = x
    for k < n { a[n-1-k] = rest rem 10; rest := rest quot 10 }
    let sum = REDUCE + over j < n { a[j]² }
    free a
    →   var rest = x; var sum = 0
        for k < n { let e = rest rem 10; sum := e² + sum; rest := rest quot 10 }

The digits of a number are so never in memory where only their sum is wanted, or the number that they are in
the opposite order. The loop writes each element once. A fold whose function may be applied in any order takes
the elements as they come; a step wants them from the last one to the first, and the loop must write them so.
What a fold reads besides must be there before the loop, and none may fail, as it is then computed also where
nobody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, buffers_read, changed, mentioned, named
from aplc.laila.ir.program import Alloc, Assign, ForEach, Free, HostLet, Program, Statement, Store, Variable
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Step,
    Var,
    bound_by,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bound,
    do,
    expressions,
    own_expressions,
    rebuilt,
    sequences,
    statements_of,
    with_blocks,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute


def with_folds_in_loops(program: Program, make: ExprBuilder) -> Program:
    """The program without the arrays that a loop writes only for folds behind it."""
    return with_blocks(program, _Loops(make).block)


@dataclass(frozen=True, slots=True)
class _Made:
    """An array that a loop writes for folds alone: where a block mentions it, and the folds, each with the
    index of the element that a round of the loop writes.
    """

    begin: int
    loop: int
    readers: tuple[int, ...]
    end: int
    store: Store
    folds: dict[Fold, Exp]


class _Loops(Substitute):
    """The loops among statements, and among those in expressions."""

    def __init__(self, make: ExprBuilder) -> None:
        super().__init__(make, {})
        self.free = FreeVars()

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, BlockExp):
            return result
        return do(list(self.block(statements_of(result))), result.value)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside."""
        block = [with_bodies(s, self.block) for s in statements]
        block = [rebuilt(s, self) if sequences(own_expressions(s)) else s for s in block]
        if not any(isinstance(s, ForEach) for s in block):
            return tuple(block)
        users = Users()
        while (made := self.made(block, users.of(block))) is not None:
            block = self.joined(block, made)
        return tuple(block)

    def made(self, block: Sequence[Statement], users: dict[Buffer, list[int]]) -> _Made | None:
        """An array of a block that only folds behind its loop read."""
        for buffer, places in users.items():
            if len(places) < 4:
                continue
            begin, at, *readers, end = places
            loop = block[at]
            if not (isinstance(block[begin], Alloc) and isinstance(block[end], Free)):
                continue
            if not isinstance(loop, ForEach) or (store := self.store(buffer, loop)) is None:
                continue
            folds = self.folds(buffer, loop, store, [block[k] for k in readers])
            if folds and self.may_move(buffer, folds, block[at : readers[-1] + 1]):
                return _Made(begin, at, tuple(readers), end, store, folds)
        return None

    def store(self, buffer: Buffer, loop: ForEach) -> Store | None:
        """The one statement of a loop that writes an array, once a round; None otherwise."""
        is_plain = len(loop.space.indices) == 1 and loop.ends is None and loop.counts is None
        own = [s for s in loop.body if buffer in mentioned(s)]
        if not is_plain or loop.independent or len(own) != 1 or not isinstance(own[0], Store):
            return None
        return None if buffer in buffers_read(own[0].position, own[0].value) else own[0]

    def folds(
        self, buffer: Buffer, loop: ForEach, store: Store, readers: Sequence[Statement]
    ) -> dict[Fold, Exp]:
        """The folds that read an array; none if anything else does, or one wants another order."""
        every = list(nodes(*[e for s in readers for e in expressions(s)]))
        found: dict[Fold, Exp] = {}
        for fold in every:
            if isinstance(fold, Fold) and buffer in buffers_read(fold.body):
                index = self.index(buffer, loop, store, fold)
                if index is None:
                    return {}
                found[fold] = index
        inside = {n for fold in found for n in nodes(fold.body)}
        for node in every:
            if isinstance(node, Read) and node.buffer is buffer and node not in inside:
                return {}
            if isinstance(node, BlockExp | PureCall) and buffer in buffers_read(node):
                return {}
        return {} if any(buffer in named(s) for s in within(readers)) else found

    def index(self, buffer: Buffer, loop: ForEach, store: Store, fold: Fold) -> Exp | None:
        """Which element of a fold a round of the loop makes, if the fold can take it then."""
        make, (k,), (length,) = self.make, loop.space.indices, loop.space.extents
        if fold.extent is not length or fold.empty is None or contains(Check | Fold | BlockExp, fold.body):
            return None
        places = {n.index for n in nodes(fold.body) if isinstance(n, Read) and n.buffer is buffer}
        backwards = make.sub(make.sub(length, make.one), k)
        for index in (backwards,) if isinstance(fold.combine, Step) else (backwards, k):
            change = Substitute(make, {fold.var: index})
            if all(change(place) is store.position for place in places):
                return index
        return None

    def may_move(self, buffer: Buffer, folds: dict[Fold, Exp], between: Sequence[Statement]) -> bool:
        """Whether folds of an array are the same in the loop that these statements begin with."""
        changing = {b for s in within(between) for b in changed(s)} - {buffer}
        names = {v.name for s in between for v in bound(s)}
        every = nodes(*[e for s in between for e in expressions(s)])
        names |= {v.name for n in every if isinstance(n, Fold) for v in bound_by(n)}
        return not any(self.free.names(fold) & names or {*buffers_read(fold)} & changing for fold in folds)

    def joined(self, block: Sequence[Statement], made: _Made) -> list[Statement]:
        """A block whose loop takes the folds of what it writes, and writes nothing."""
        make, loop = self.make, block[made.loop]
        assert isinstance(loop, ForEach)
        value = Var(make.fresh("e"), made.store.value.ty)
        taken: list[Statement] = [HostLet(value, made.store.value)]
        first: list[Statement] = []
        results: dict[Exp, Exp] = {}
        for fold, index in made.folds.items():
            assert fold.empty is not None
            so_far = results[fold] = Var(make.fresh("s"), fold.ty)
            first.append(Variable(so_far, fold.empty))
            taken.append(Assign(so_far, self.combined(fold, index, made.store, value, so_far)))
        change = Substitute(make, results)
        body = [each for s in loop.body for each in (taken if s is made.store else (s,))]
        result_block: list[Statement] = []
        for k, statement in enumerate(block):
            if k == made.loop:
                result_block += [*first, replace(loop, body=tuple(body))]
            elif k in made.readers:
                result_block.append(rebuilt(statement, change))
            elif k not in (made.begin, made.end):
                result_block.append(statement)
        return result_block

    def combined(self, fold: Fold, index: Exp, store: Store, value: Var, so_far: Var) -> Exp:
        """The result of a fold after an element more, which the loop has just made."""
        make = self.make
        reads = [n for n in nodes(fold.body) if isinstance(n, Read) and n.buffer is store.buffer]
        body = Substitute(make, {**dict.fromkeys(reads, value), fold.var: index})(fold.body)
        if isinstance(fold.combine, Step):
            step = fold.combine
            return Substitute(make, {step.element: body, step.accumulator: so_far})(step.body)
        return make.call(fold.combine, body, so_far)
