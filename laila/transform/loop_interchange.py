"""Interchanges a loop over whole arrays with the maps in it: each element goes through all iterations at
once.

    MAP a[i] = c; while k < n { MAP a[i] = f a[i]; k := k + 1 }
        →   MAP a[i] = do { x := c; j := k; while j < n { x := f x; j := j + 1 } x }

An array that nobody reads afterwards is then no array. What makes the loops of many elements fast is the
affair of `masked_simd_loops`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Free,
    Fused,
    HostLet,
    Map,
    Program,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.rounds import rounds_of
from aplc.laila.ir.scalar import BlockExp, Buffer, Call, Const, Exp, Read, Select, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, do, leaves, own_expressions, within
from aplc.laila.ir.substitute import Renaming, Substitute
from aplc.laila.lowering.pull import fill

MOST_ARRAYS = 8
"""Arrays that change in a loop: a few elements of each lie in registers, or at least in the first cache."""


class Mentions:
    """How many statements of a program mention a buffer, allocations aside, and a variable."""

    def __init__(self, program: Program) -> None:
        self.buffers: Counter[Buffer] = Counter()
        self.variables: Counter[str] = Counter()
        for function in program.functions:
            references = (*function.parameters, *function.results)
            self.buffers.update(
                [leaf.buffer for r in references for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
            )
        for block in (program.statements, *[f.statements for f in program.functions]):
            for statement in within(block):
                self.buffers.update(_buffers(statement))
                self.variables.update(_variables(statement))

    def only_in(self, buffer: Buffer, statements: Iterable[Statement]) -> bool:
        """Whether nothing but some statements mentions a buffer."""
        return self.buffers[buffer] == sum([buffer in _buffers(s) for s in within(statements)])

    def is_read_outside(self, var: Var, loop: While, declared: Iterable[Statement]) -> bool:
        """Whether a variable is mentioned by more than a loop and what declares it."""
        here = [s for s in (*within((loop,)), *declared) if var.name in _variables(s)]
        return self.variables[var.name] > len(here)


def _buffers(statement: Statement) -> set[Buffer]:
    """The buffers that a statement mentions, those inside aside."""
    if isinstance(statement, Alloc | Free):
        return set()
    if bodies(statement):
        return set(buffers_read(*own_expressions(statement)))
    return set(mentioned(statement))


def _variables(statement: Statement) -> set[str]:
    own = () if bodies(statement) else bound(statement)
    roots = own_expressions(statement)
    inside = [v for n in nodes(*roots) if isinstance(n, BlockExp) for v in n.names]
    return {v.name for v in (*own, *inside)} | {n.name for n in nodes(*roots) if isinstance(n, Var)}


@dataclass(slots=True)
class _Array:
    """An array that changes: an element of it, before the rounds and in them."""

    buffer: Buffer
    position: Exp
    first: Exp
    element: Var


def as_elements(
    loop: While, original: While, before: list[Statement], mentions: Mentions, make: ExprBuilder
) -> list[Statement] | None:
    """The statements in front of a loop over arrays, which stays inside its elements, and the loop as a map;
    None where that is not better. The original is the loop as `mentions` counts it.
    """
    parts = _parts(loop, make)
    if parts is None:
        return None
    space, arrays = parts[0].space, _arrays(parts, make)
    if arrays is None or all(_is_narrow(a.buffer) for a in arrays):
        return None
    before = list(before)
    live: list[_Array] = []
    for array in arrays:
        k, start = _start(before, array, arrays, space, make)
        around: list[Statement] = [original]
        if start is not None:
            around.append(before[k])
            array.first, before[k : k + 1] = start, _without(before[k], array.buffer)
        if not mentions.only_in(array.buffer, around):
            live.append(array)
        elif start is None:
            array.first = fill(make, array.element.ty)  # written before it is read, in each round
    sequence = _sequence(loop, space, arrays, make)
    if not live or sequence is None:
        return None
    maps = [Map(a.buffer, space, a.position, do(sequence, a.element)) for a in live]
    together = maps[0] if len(maps) == 1 else Fused(space, tuple(maps), in_place=True)
    return [*before, together, *_scalars(loop, before, mentions)]


def _parts(loop: While, make: ExprBuilder) -> list[Map] | None:
    """The maps of a loop over the indices of the first one, if their order is that of the statements."""
    parts: list[Map] = []
    for statement in loop.body:
        own: list[Map] = []
        match statement:
            case Map():
                own = [statement]
            case Fused(parts=several, in_place=in_place):
                own = [q for q in several if isinstance(q, Map)]
                written = {q.buffer for q in own}
                if len(written) < len(own) or (
                    not in_place and written & set(buffers_read(*own_expressions(statement)))
                ):
                    return None
            case _:
                pass
        for part in own:
            space = parts[0].space if parts else part.space
            change = Substitute(make, dict(zip(part.space.indices, space.indices, strict=True)))
            parts.append(replace(part, space=space, position=change(part.position), body=change(part.body)))
    return parts


def _arrays(parts: list[Map], make: ExprBuilder) -> list[_Array] | None:
    """The arrays that change, if they are few and each has one place for an element."""
    found: dict[Buffer, _Array] = {}
    for part in parts:
        buffer = part.buffer
        read = make.read(buffer, part.position)
        if (
            found.setdefault(buffer, _Array(buffer, part.position, read, _element(buffer, make))).first
            is not read
        ):
            return None
    return list(found.values()) if len(found) <= MOST_ARRAYS else None


def _element(buffer: Buffer, make: ExprBuilder) -> Var:
    lows, highs = buffer.values or (None, None)
    if lows is None or highs is None:
        return Var(make.fresh("x"), buffer.ty)
    return Var(make.fresh("x"), buffer.ty, lows=(make.const(lows),), highs=(make.const(highs),))


def _is_narrow(buffer: Buffer) -> bool:
    """Whether many elements of an array fit a vector, so that a block of them in the cache does as well."""
    return buffer.ty.is_exact and buffer.item_bytes < 8


# --- what stands before the loop ------------------------------------------------------------------------


def _start(
    before: Sequence[Statement], array: _Array, arrays: list[_Array], space: Space, make: ExprBuilder
) -> tuple[int, Exp | None]:
    """The place of the only statement that gives an array its first elements, and what it gives one, if that
    can be computed later.
    """
    buffer = array.buffer
    k = _only_place(before, buffer)
    if k is None:
        return 0, None
    statement = before[k]
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    own = [
        q for q in parts if isinstance(q, Map) and q.buffer is buffer and q.guard is None and not q.ordered
    ]
    if len(own) != 1 or buffer in buffers_read(*own_expressions(statement)):
        return k, None
    (part,) = own
    if isinstance(part.body, Const):
        return k, part.body
    if len(part.space.indices) != len(space.indices):
        return k, None
    change = Substitute(make, dict(zip(part.space.indices, space.indices, strict=True)))
    others = {a.buffer for a in arrays} | {b for s in before[k + 1 :] for b in mentioned(s)}
    is_plain = all(isinstance(n, Const | Var | Call | Sum | Select | Read) for n in nodes(part.body))
    stays = change(part.position) is array.position and not others & set(buffers_read(part.body))
    return k, change(part.body) if is_plain and stays else None


def _only_place(before: Sequence[Statement], buffer: Buffer) -> int | None:
    """The place of the statement that mentions a buffer since its allocation, if it is the only one."""
    place = None
    for k in reversed(range(len(before))):
        match before[k]:
            case Alloc(buffer=allocated):
                if allocated is buffer:
                    break
            case statement:
                if buffer not in mentioned(statement):
                    continue
                if place is not None:
                    return None
                place = k
    return place


def _without(statement: Statement, buffer: Buffer) -> list[Statement]:
    """A statement without its map that writes a buffer."""
    if not isinstance(statement, Fused):
        return []
    parts = tuple([q for q in statement.parts if not (isinstance(q, Map) and q.buffer is buffer)])
    if len(parts) == 1 and isinstance(parts[0], Map):
        return [parts[0]]
    return [replace(statement, parts=parts)] if parts else []


# --- the rounds of one element --------------------------------------------------------------------------


def _sequence(loop: While, space: Space, arrays: list[_Array], make: ExprBuilder) -> list[Statement] | None:
    """The statements that take one element of each array through all rounds; None if lanes could not."""
    known: dict[Exp, Exp] = {make.read(a.buffer, a.position): a.element for a in arrays}
    names: dict[str, Exp] = {}
    changing = {a.buffer: a for a in arrays}
    starts: list[Statement] = [Variable(a.element, a.first) for a in arrays]
    for var in dict.fromkeys([s.var for s in loop.body if isinstance(s, Assign)]):
        names[var.name] = own = Var(make.fresh(var.name), var.ty)
        starts.append(Variable(own, var))
    cond = Renaming(make, names, known)(loop.cond)
    body: list[Statement] = []
    for statement in loop.body:
        match statement:
            case HostLet(var=var, value=value):
                name = replace(var, name=make.fresh(var.name))
                body.append(HostLet(name, Renaming(make, names, known)(value)))
                names[var.name] = name
            case Assign(var=var, value=value):
                target = names[var.name]
                assert isinstance(target, Var)
                body.append(Assign(target, Renaming(make, names, known)(value)))
            case Map() | Fused():
                parts = statement.parts if isinstance(statement, Fused) else (statement,)
                indices: dict[Exp, Exp] = dict(zip(statement.space.indices, space.indices, strict=True))
                within, change = Substitute(make, indices), Renaming(make, names, known)
                new = [Var(make.fresh("next"), q.body.ty) for q in parts]
                body += [HostLet(n, change(within(q.body))) for n, q in zip(new, parts, strict=True)]
                for part, name in zip(parts, new, strict=True):
                    if isinstance(part, Map):
                        array = changing[part.buffer]
                        body.append(Assign(array.element, name))
                        known[make.read(array.buffer, array.position)] = name  # for the rest of the round
            case _:
                return None
    sequence: list[Statement] = [*starts, While(cond, tuple(body))]
    node = do(sequence, arrays[0].element)
    likely = any(isinstance(n, Var) and n.likely for n in nodes(node))
    if not isinstance(node, BlockExp) or likely or rounds_of(make, node, *space.indices) is None:
        return None
    return sequence


def _scalars(loop: While, before: Sequence[Statement], mentions: Mentions) -> list[Statement]:
    """What a loop does to scalars that are used later."""
    changed = {s.var for s in loop.body if isinstance(s, Assign)}
    declared = [s for s in before if isinstance(s, Variable) and s.var in changed]
    if not any(mentions.is_read_outside(v, loop, declared) for v in changed):
        return []
    return [While(loop.cond, tuple([s for s in loop.body if isinstance(s, HostLet | Assign)]))]
