"""An array is not filled before a loop that writes each of its elements and reads none.

    alloc a : n; MAP a[i] = 0 over i < n              alloc a : n
    v := 0                                            v := 0
    while v < n { …; put a[v] = e; v := v+1 }    →    while v < n { …; put a[v] = e; v := v+1 }

So a program that begins with `r←n⍴0` and assigns `r[i]` in a loop writes `r` once, and so does one that
assigns the rows `r[i;]` of a matrix: each round writes as many elements, behind those of the round before,
and may read these then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    HostLet,
    Map,
    Program,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Call, Check, Exp, FreeVars, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, with_blocks, with_bodies
from aplc.laila.lowering.pull import from_index
from aplc.tail import prims as p


def without_dead_fills(program: Program, make: ExprBuilder) -> Program:
    """The program without maps whose elements a loop behind them writes all, before they are read."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    if not any(isinstance(s, While) for s in block):
        return tuple(block)
    users, dead = Users().of(block), set()
    changes = [{v.name for v in bound(s)} for s in block]
    binders: dict[str, int] = {}  # the last statement before one at hand that binds a name
    for k, loop in enumerate(block):
        if isinstance(loop, While) and (rounds := _rounds(make, block, binders, loop)) is not None:
            inside = Users().of(loop.body)
            for m, store in enumerate(loop.body):
                written = rounds.written(make, store, m)
                if written is None:
                    continue
                assert isinstance(store, Store | Map)
                number, size = written
                places, others = users[store.buffer], [loop.body[q] for q in inside[store.buffer] if q > m]
                is_first = inside[store.buffer][0] == m
                is_only = is_first and store.buffer not in buffers_read(*own_expressions(store))
                is_only = is_only and all(_reads_row(make, s, store, number) for s in others)
                if is_only and len(places) > 2 and places[2] == k:
                    changed = {name for each in changes[places[0] : k + 1] for name in each}
                    if _is_fill(make, block[places[0]], block[places[1]], size, changed):
                        dead.add(places[1])
        binders |= dict.fromkeys(changes[k], k)
    return tuple([s for k, s in enumerate(block) if k not in dead])


@dataclass(frozen=True, slots=True)
class _Rounds:
    """A loop that counts its rounds from 0 up to an extent; `step` is where, and `named` where it is said
    before that which names the number has.
    """

    counter: Var
    extent: Exp
    step: int
    named: dict[Exp, int]

    def is_number(self, position: Exp, m: int) -> bool:
        """Whether a position is the number of the round for a statement of the loop."""
        return (position is self.counter and m < self.step) or self.named.get(position, m) < m

    def written(self, make: ExprBuilder, statement: Statement, m: int) -> tuple[Exp, Exp] | None:
        """The number of the round, and how many elements all rounds write with a statement, one behind the
        other; None if they do not.
        """
        match statement:
            case Store(position=position):
                return (position, self.extent) if self.is_number(position, m) else None
            case Map(position=position, space=space, guard=None, ordered=False):
                for number in (self.counter, *self.named):
                    if self.is_number(number, m) and position is _in_row(make, number, space):
                        return number, make.mul(self.extent, make.product(space.extents))
                return None
            case _:
                return None


def _in_row(make: ExprBuilder, number: Exp, space: Space) -> Exp:
    """Where an element stands of a row with that number, of rows as long as the space."""
    place = from_index(make, space.extents, space.indices)
    return make.add(make.mul(number, make.product(space.extents)), place)


def _reads_row(make: ExprBuilder, statement: Statement, store: Store | Map, number: Exp) -> bool:
    """Whether a statement behind one that writes a row reads nothing of the array but that."""
    if not isinstance(statement, Map) or not isinstance(store, Map) or statement.buffer is store.buffer:
        return False
    is_alike = make.product(statement.space.extents) is make.product(store.space.extents)
    found = list(nodes(*own_expressions(statement)))
    reads = [n for n in found if isinstance(n, Read) and n.buffer is store.buffer]
    is_known = not any(isinstance(n, BlockExp | PureCall) for n in found)
    place = _in_row(make, number, statement.space)
    return is_alike and is_known and all(n.index is place for n in reads)


def _rounds(
    make: ExprBuilder, block: Sequence[Statement], binders: dict[str, int], loop: While
) -> _Rounds | None:
    """How a loop counts its rounds, if it does: nothing else changes the number."""
    cond = loop.cond
    if not isinstance(cond, Call) or cond.op is not p.LTI or not isinstance(cond.args[0], Var):
        return None
    counter, extent = cond.args
    assert isinstance(counter, Var)
    begin = block[binders[counter.name]] if counter.name in binders else None
    if not isinstance(begin, Variable) or begin.value is not make.zero:
        return None
    steps = [m for m, s in enumerate(loop.body) if counter.name in {v.name for v in bound(s)}]
    step = loop.body[steps[0]] if len(steps) == 1 else None
    if not isinstance(step, Assign) or step.value is not make.add(counter, make.one):
        return None
    names = enumerate(loop.body[: steps[0]])
    named: dict[Exp, int] = {s.var: m for m, s in names if isinstance(s, HostLet) and s.value is counter}
    return _Rounds(counter, extent, steps[0], named)


def _is_fill(make: ExprBuilder, begin: Statement, fill: Statement, size: Exp, changed: set[str]) -> bool:
    """Whether a statement writes all elements of an array, so many, which nothing has changed, and does not
    fail.
    """
    if not isinstance(begin, Alloc) or not isinstance(fill, Map) or fill.guard is not None or fill.ordered:
        return False
    space = fill.space
    is_whole = begin.size is size and make.product(space.extents) is size
    is_whole = is_whole and fill.position is from_index(make, space.extents, space.indices)
    is_certain = not contains(Check | BlockExp, *own_expressions(fill))
    return is_whole and is_certain and not FreeVars().names(size) & changed
