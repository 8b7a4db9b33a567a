"""Loops that change arrays element by element: updated in place, or interchanged with the loops over
elements.

Where the next value of each element depends on the element itself and not on its neighbours, the old array
need not be kept beside the new one. All rounds can be done for one element, which stays in a register, before
the next one: `loop_interchange` does that. Where it cannot, all are done for one block, which stays in the
cache.

    while k < n { MAP b[i] = f a[i]; swap a b; k := k + 1 }
        →   while k < n { MAP a[i] = f a[i]; k := k + 1 }
        →   for each block { k := k₀; while k < n { MAP a[i] = f a[i] over the block; k := k + 1 } }

Rounds that keep several states, one behind the other, as waves do, write the new one where the oldest was.

    while k < n { alloc b; MAP b[i] = f(a, c[i]); swap c a; take a from b; k := k + 1 }
        →   while k < n { MAP c[i] = f(a, c[i]); swap c a; k := k + 1 }
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    Fused,
    HostCheck,
    HostLet,
    Map,
    Move,
    Part,
    Program,
    Scan,
    Space,
    Statement,
    Swap,
    While,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    QUOT,
    BlockExp,
    Buffer,
    Const,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.loop_interchange import Mentions, as_elements
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.rounds.turned_memory import with_elements_moved
from aplc.tail import prims as p
from aplc.tail.types import Base

BLOCK = 2048
"""Elements of a block: a few arrays of so many lie in the cache of a core."""


def element_by_element(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over arrays in place, and in blocks, where that is possible."""
    mentions = Mentions(program)
    return with_blocks(program, lambda statements: _block(statements, mentions, make))


def _block(statements: Sequence[Statement], mentions: Mentions, make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        match statement:
            case While(body=body):
                inner = replace(statement, body=_block(body, mentions, make))
                inner = in_place(_with_oldest_replaced(inner, result, make), make)
                result = _inside_out(inner, statement, result, mentions, make)
            case _:
                result.append(with_bodies(statement, lambda body: _block(body, mentions, make)))
    return _without_unused(_with_readers(result, make))


def _with_readers(statements: list[Statement], make: ExprBuilder) -> list[Statement]:
    """The statements in which a map of what rounds made of each element, which nothing else reads, is one map
    with them: `MAP a[i] = do { … } x; MAP b[i] = f(a[i])` → `MAP b[i] = do { … } f(x)`.
    """
    result = list(statements)
    for statement in statements:
        rounds = _rounds_of(statement)
        if not rounds:
            continue
        place = result.index(statement)
        written = {q.buffer for q in rounds}
        readers = [
            k for k, s in enumerate(result) if written & set(mentioned(s)) and not isinstance(s, Alloc | Free)
        ]
        if len(readers) != 2 or readers[0] != place:
            continue
        reader, between = result[readers[1]], result[place + 1 : readers[1]]
        if (
            not isinstance(reader, Map)
            or reader.buffer in written
            or reader.guard is not None
            or reader.ordered
        ):
            continue
        if not written <= {s.buffer for s in statements if isinstance(s, Alloc) and not s.buffer.asked}:
            continue
        if not all(isinstance(s, HostLet | HostCheck | Alloc | Free) for s in between):
            continue
        if any(isinstance(s, Free) and s.buffer in mentioned(statement) for s in between):
            continue
        joined = _joined(rounds, reader, make)
        if joined is not None:
            result[readers[1]] = joined
            del result[place]
    return result


def _rounds_of(statement: Statement) -> list[Map]:
    """Maps of elements of which one sequence of statements makes all that is written."""
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    maps = [q for q in parts if isinstance(q, Map) and isinstance(q.body, BlockExp)]
    sequences = {q.body.statements for q in maps if isinstance(q.body, BlockExp)}
    is_plain = all(q.guard is None and not q.ordered for q in maps)
    return maps if len(maps) == len(parts) and len(sequences) == 1 and is_plain else []


def _joined(rounds: list[Map], reader: Map, make: ExprBuilder) -> Map | None:
    """A map of elements that rounds made, with the rounds; None if it wants those of other points."""
    space = rounds[0].space
    if not reader.space.is_same_as(space) or contains(BlockExp, reader.body, reader.position):
        return None
    here = Substitute(make, dict(zip(reader.space.indices, space.indices, strict=True)))
    body, position = here(reader.body), here(reader.position)
    elements: dict[Exp, Exp] = {}
    for part in rounds:
        assert isinstance(part.body, BlockExp)
        elements[make.read(part.buffer, part.position)] = part.body.value
    written = {q.buffer for q in rounds}
    if any(isinstance(n, Read) and n.buffer in written and n not in elements for n in nodes(body, position)):
        return None
    first = rounds[0].body
    assert isinstance(first, BlockExp)
    value = Substitute(make, elements)(body)
    return replace(reader, space=space, position=position, body=replace(first, value=value, ty=value.ty))


def _without_unused(statements: list[Statement]) -> tuple[Statement, ...]:
    """The statements without memory that nobody uses."""
    used = {b for s in statements if not isinstance(s, Alloc | Free) for b in mentioned(s)}
    ours = {s.buffer for s in statements if isinstance(s, Alloc)}
    unused = ours - used
    return tuple([s for s in statements if not (isinstance(s, Alloc | Free) and s.buffer in unused)])


# --- in place -------------------------------------------------------------------------------------------


def in_place(loop: While, make: ExprBuilder) -> While:
    """The loop without the second buffers of arrays that may change in place."""
    body = list(loop.body)
    for swap in [s for s in body if isinstance(s, Swap)]:
        old, new = swap.first, swap.second
        writers = [k for k, s in enumerate(body) if new in mentioned(s) and s is not swap]
        moves = any(isinstance(s, Swap | Move) and s is not swap and old in mentioned(s) for s in body)
        if len(writers) != 1 or moves or old.storage != new.storage:
            continue
        (k,) = writers
        part = _writer(body[k], new)
        if part is None or _reads_elsewhere(body, k, old, make.read(old, part.position)):
            continue
        body[k] = _writing(body[k], part, old)
        body.remove(swap)
    return replace(loop, body=tuple(body))


def _with_oldest_replaced(loop: While, before: Sequence[Statement], make: ExprBuilder) -> While:
    """A loop behind other statements, without memory for a state that takes the place of the oldest one, of
    which it asks for one element for each of its own.
    """
    for move in [s for s in loop.body if isinstance(s, Move)]:
        body, new = list(loop.body), move.source
        end = start = body.index(move)
        while start and isinstance(body[start - 1], Swap):
            start -= 1
        oldest = _kept_by(move.target, body[start:end])
        round_ = body[:start]
        if oldest is move.target or not _have_one_size(loop, round_, body[start : end + 1], before):
            continue
        users = [k for k, s in enumerate(body) if new in mentioned(s) and s is not move]
        if len(users) < 2 or users[-1] >= start or not isinstance(body[users[0]], Alloc):
            continue
        k = users[1]
        part = _writer(body[k], new)
        if part is None or _reads_elsewhere(round_, k, oldest, make.read(oldest, part.position)):
            continue
        if not _are_alike(new, oldest):
            continue
        body[k] = _writing(body[k], part, oldest)
        rest = [s for n, s in enumerate(body) if n != users[0] and s is not move]
        ranges = Ranges(is_single=make.settings.is_single)
        loop = replace(loop, body=Narrowing(make, ranges, {new: oldest}).statements(rest))
    return loop


def _kept_by(buffer: Buffer, swaps: Sequence[Statement]) -> Buffer:
    """The buffer that had the memory before exchanges which another one has behind them."""
    for swap in reversed(swaps):
        assert isinstance(swap, Swap)
        if buffer in (swap.first, swap.second):
            buffer = swap.second if buffer is swap.first else swap.first
    return buffer


def _have_one_size(
    loop: While, body: Sequence[Statement], hands: Sequence[Statement], before: Sequence[Statement]
) -> bool:
    """Whether all memory that changes hands at the end of a round, and there only, has the same size."""
    buffers = {b for s in hands for b in mentioned(s)}
    begun = {s.buffer: s.size for s in (*before, *body) if isinstance(s, Alloc) and s.buffer in buffers}
    if len(begun) != len(buffers) or len(set(begun.values())) != 1:
        return False
    given = [s for s in within((*before, *loop.body)) if isinstance(s, Alloc | Empty | Free | Move | Swap)]
    others = [s for s in given if s not in hands and not buffers.isdisjoint(mentioned(s))]
    changing = {v.name for v in bound(loop)}
    is_fixed = not changing & {v.name for size in begun.values() for v in FreeVars().of(size)}
    reads = any(isinstance(n, Read) for n in nodes(*begun.values()))
    return is_fixed and not reads and len(others) == len(buffers)


def _are_alike(a: Buffer, b: Buffer) -> bool:
    """Whether the same is known of the elements of two buffers."""
    return (a.storage, a.lows, a.highs, a.values) == (b.storage, b.lows, b.highs, b.values)


def _writer(statement: Statement, buffer: Buffer) -> Map | None:
    """The map that writes a buffer, if it is all that the statement does with it."""
    maps: Iterable[Part] = statement.parts if isinstance(statement, Fused) else ()
    if any(isinstance(q, Scan | Filter) for q in maps):
        return None
    if isinstance(statement, Map):
        maps = (statement,)
    found = [q for q in maps if isinstance(q, Map) and q.buffer is buffer]
    if len(found) != 1 or found[0].guard is not None or found[0].ordered:
        return None
    is_read = any(isinstance(n, Read) and n.buffer is buffer for n in nodes(*own_expressions(statement)))
    return None if is_read else found[0]


def _reads_elsewhere(body: list[Statement], writer: int, old: Buffer, element: Exp) -> bool:
    """Whether something needs the old array where or when it has changed."""
    for k, statement in enumerate(body):
        if isinstance(statement, Swap):
            continue
        if k > writer and old in mentioned(statement):
            return True
        for node in nodes(*own_expressions(statement)) if k == writer else ():
            passed = isinstance(node, PureCall) and old in (*node.memory, *node.behind)
            other = isinstance(node, Read) and node.buffer is old and node is not element
            if isinstance(node, BlockExp) or passed or other:
                return True
    return False


def _writing(statement: Statement, part: Map, buffer: Buffer) -> Statement:
    """The statement with one of its maps writing another buffer."""
    changed = replace(part, buffer=buffer)
    if isinstance(statement, Fused):
        parts = tuple([changed if q is part else q for q in statement.parts])
        return replace(statement, parts=parts, in_place=True)
    return changed


def _inside_out(
    loop: While, original: While, before: list[Statement], mentions: Mentions, make: ExprBuilder
) -> list[Statement]:
    """A loop behind other statements: for each element all rounds, or for each block of them, if a round does
    not look beyond them.
    """
    fresh = [b for b in mentioned(original) if mentions.only_in(b, (original,))]
    moved = with_elements_moved(loop, fresh, make)
    if moved is not None and _common_space(moved) is not None and _stays_inside(moved, make):
        in_elements = as_elements(moved, original, before, mentions, make)
        if in_elements is not None:
            return in_elements
    space = _common_space(loop)
    if space is None or not _stays_inside(loop, make):
        return [*before, loop]
    in_elements = as_elements(loop, original, before, mentions, make)
    return in_elements if in_elements is not None else [*before, *_in_blocks(loop, space, make)]


# --- in blocks ------------------------------------------------------------------------------------------


def _in_blocks(loop: While, space: Space, make: ExprBuilder) -> list[Statement]:
    """The loop once for each block of elements."""
    rows, *rest = space.extents
    row = make.call(p.MAXI, make.product(tuple(rest)), make.one)
    if isinstance(rows, Const) and isinstance(row, Const) and rows.value * row.value <= BLOCK:
        return [loop]
    many = Var(make.fresh("rows"), Base.INT, True, (make.one,))
    blocks = Var(make.fresh("blocks"), Base.INT, True, (make.one,))
    rounded = make.add(rows, make.sub(many, make.one))
    result: list[Statement] = [
        HostLet(many, make.call(p.MAXI, make.call(QUOT, make.const(BLOCK), row), make.one)),
        HostLet(blocks, make.call(p.MAXI, make.call(QUOT, rounded, many), make.one)),
    ]
    begin: list[Statement] = []
    for var in dict.fromkeys([s.var for s in loop.body if isinstance(s, Assign)]):
        start = Var(make.fresh(var.name), var.ty)
        result.append(HostLet(start, var))
        begin.append(Assign(var, start))
    index = make.index("block", blocks)
    first = Var(make.fresh("first"), Base.INT, True, (make.zero,))
    count = Var(make.fresh("count"), Base.INT, True, (make.zero,))
    left = make.call(p.MINI, many, make.sub(rows, first))
    begin.append(HostLet(first, make.mul(index, many)))
    begin.append(HostLet(count, make.call(p.MAXI, left, make.zero)))
    body = tuple([_of_block(s, first, count, make) for s in loop.body])
    rounds = (*begin, While(loop.cond, body))
    result.append(ForEach(Space((index,), (blocks,)), rounds, independent=True))
    return result


def _common_space(loop: While) -> Space | None:
    """The index space of all the maps of a loop, which consists of them and of scalars."""
    spaces: list[Space] = []
    for statement in loop.body:
        match statement:
            case Map(space=space, guard=None, ordered=False) | Fused(space=space):
                spaces.append(space)
            case HostLet() | Assign():
                pass
            case _:
                return None
    if not spaces or not spaces[0].indices:
        return None
    return spaces[0] if all(space.is_same_as(spaces[0]) for space in spaces) else None


def _stays_inside(loop: While, make: ExprBuilder) -> bool:
    """Whether all that a round reads of what rounds write is at the element that it computes."""
    parts: list[Map] = []
    for statement in loop.body:
        if isinstance(statement, Map):
            parts.append(statement)
        elif isinstance(statement, Fused):
            if not all(isinstance(q, Map) for q in statement.parts):
                return False
            parts += [q for q in statement.parts if isinstance(q, Map)]
    written = {part.buffer for part in parts}
    carried = any(b in written for s in loop.body for b in _read(s))
    if any(isinstance(n, Read) and n.buffer in written for n in nodes(loop.cond)):
        return False
    for statement in loop.body:
        roots = own_expressions(statement)
        if contains(BlockExp, *roots) or any(weigh(r).may_fail for r in roots):
            return False
        indices = _indices(statement)
        for node in nodes(*roots):
            if isinstance(node, Read) and node.buffer in written:
                places = [
                    Substitute(make, dict(zip(q.space.indices, indices, strict=True)))(q.position)
                    for q in parts
                    if q.buffer is node.buffer and len(indices) == len(q.space.indices)
                ]
                if not any(node.index is place for place in places):
                    return False
    return carried


def _indices(statement: Statement) -> tuple[Var, ...]:
    return statement.space.indices if isinstance(statement, Map | Fused) else ()


def _read(statement: Statement) -> list[Buffer]:
    return [n.buffer for n in nodes(*own_expressions(statement)) if isinstance(n, Read)]


def _of_block(statement: Statement, first: Var, count: Var, make: ExprBuilder) -> Statement:
    """A statement for the rows of a block only."""
    if not isinstance(statement, Map | Fused):
        return statement
    old = statement.space
    row = make.index(old.indices[0].name, count)
    space = Space((row, *old.indices[1:]), (count, *old.extents[1:]))
    change = Substitute(make, {old.indices[0]: make.add(first, row)})
    changed = rebuilt(statement, change)
    if isinstance(changed, Fused):
        parts = tuple([replace(q, space=space) for q in changed.parts])
        return replace(changed, space=space, parts=parts)
    assert isinstance(changed, Map)
    return replace(changed, space=space)
