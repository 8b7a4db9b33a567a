"""Compress-store: loops that keep some of their elements write them a vector at a time.

Note [Packs]
    Elements that are kept are written one after the other, and each place depends on how many were kept
    before. A vector of them is computed side by side, with a number for each that says whether it is kept;
    then those are packed and written together, with something behind them that the next ones replace:

        for i in a … b { x[n] = f(i); n = n + c(i) }
        →   for i in a … w by 8 { for j < 8 { s[j] = f(i+j); k[j] = c(i+j) }; pack(x, n, s, k, &n) }
            for i in w … b { x[n] = f(i); n = n + c(i) }

    Where another part of the loop writes the elements from x[m] on, at the same time, vectors are written
    while n+8 ≤ m.

Note [Marks]
    Where bytes alone decide what is kept, 64 of them become the bits of a word. Few bits are taken one by
    one, and of the other elements nothing is computed; many of them are packed as above:

        for i in a … w by 64 {
            for j < 64 { k[j] = c(i+j) }; marks(k, &word, &ones)
            if ones ≤ 16 | n+64 > m {
                while word ≠ 0 { mark(word, &j, &word); x[n] = f(i+j); n = n + 1 }
            } else {
                for q < 64 by 8 { for j < 8 { s[j] = f(i+q+j) }; pack(x, n, s, 0, word, q, &n) }
            }
        }

    Elements that lie beside each other in memory as they are to be written, f(i) = v[i+k], are packed from
    there: pack(x, n, v, i+q+k, word, q, &n).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import (
    QUOT,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

VECTOR = 64
"""Bytes of a vector."""

LARGEST = 8
"""Bytes of the largest elements that are packed: complex numbers are written one by one."""

WORD = 64
"""Bits of a word."""

FEW = 16
"""So many bits of a word are taken one by one."""

HEADER = "aplc_pack.h"


def in_packs(
    loop: l.For, ours: Collection[Buffer], free: FreeVars, make: ExprBuilder, room: Var | None = None
) -> list[l.Stm] | None:
    """A loop as Note [Packs] has it, if it is of that kind and writes to memory of the program's own; vectors
    up to the place that is given, if one is.
    """
    *declared, store, count = loop.body if len(loop.body) > 1 else (loop, loop)
    if (
        loop.descending
        or loop.step != 1
        or not isinstance(store, l.Store)
        or not isinstance(count, l.Assign)
        or store.position is not count.var
        or store.buffer not in ours
        or store.buffer.item_bytes > LARGEST
    ):
        return None
    keep = make.sub(count.value, count.var)
    values: dict[Var, Exp] = {}
    for statement in declared:
        if not isinstance(statement, l.Declare) or statement.mutable or statement.value is None:
            return None
        values[statement.var] = statement.value
    every = (store.value, keep, *values.values())
    if not isinstance(keep, Call) or keep.op is not p.B2I or any(count.var in free.of(e) for e in every):
        return None
    for node in nodes(*every):
        if isinstance(node, Check | BlockExp | Fold | PureCall) or (
            isinstance(node, Read) and node.buffer is store.buffer
        ):
            return None
    if _is_of_bytes(keep, values, make, free, loop.var):
        return _marks(loop, values, store, count.var, keep, make, free, room)
    return _packs(loop, values, store, count.var, keep, make, room)


def _is_of_bytes(keep: Exp, values: dict[Var, Exp], make: ExprBuilder, free: FreeVars, index: Var) -> bool:
    """Whether bytes that lie beside each other in memory, and nothing else, decide what is kept."""
    known: dict[Exp, Exp] = dict(values.items())
    for _ in values:
        keep = Substitute(make, known)(keep)
    parts = list(nodes(keep, below=lambda e: () if isinstance(e, Read) else operands(e)))
    reads = [n for n in parts if isinstance(n, Read)]
    return (
        any(index in free.of(n) for n in reads)
        and index not in parts
        and all(n.ty is not Base.DOUBLE for n in parts)
        and all(n.buffer.item_bytes == 1 and steps_by_one(make, free, n.index, index) for n in reads)
    )


def packs_of(
    loop: l.For, ours: Collection[Buffer], free: FreeVars, make: ExprBuilder, room: Var
) -> l.Packs | None:
    """A loop that may run in parts as Note [Packs] has it: a part, which ends before some place, and all."""
    first, last = [Var(make.fresh(name), Base.INT, True) for name in ("first", "last")]
    whole = replace(loop, parallel=None, running=())
    part = in_packs(replace(whole, start=first, stop=last), ours, free, make, room)
    alone = in_packs(whole, ours, free, make)
    return None if part is None or alone is None else l.Packs(first, last, tuple(part), tuple(alone))


def end_of_whole(make: ExprBuilder, loop: l.For, lanes: int) -> tuple[list[l.Stm], Exp]:
    """Where the whole vectors of a loop end, declared if only the run knows it."""
    many = make.const(lanes)
    length = make.call(p.MAXI, make.sub(loop.stop, loop.start), make.zero)
    end = make.add(loop.start, make.mul(many, make.call(QUOT, length, many)))
    if isinstance(end, Const):
        return [], end
    whole = make.between("whole", (loop.start,), (loop.stop,))
    return [l.Declare(whole, end)], whole


def _packs(
    loop: l.For,
    values: dict[Var, Exp],
    store: l.Store,
    count: Var,
    keep: Exp,
    make: ExprBuilder,
    room: Var | None,
) -> list[l.Stm]:
    """The vectors of a loop that are whole, and the elements that are left."""
    buffer = store.buffer
    size = buffer.item_bytes
    lanes = VECTOR // size
    many = make.const(lanes)
    declared, end = end_of_whole(make, loop, lanes)
    first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
    lane = make.index("j", many)
    change = Substitute(make, {loop.var: make.add(first, lane)})
    elements = Buffer(make.fresh("s"), buffer.ty, buffer.storage, values=buffer.values)
    kept = Buffer(make.fresh("kept"), Base.INT, f"int{8 * size}", values=(0, 1))
    side_by_side = l.For(
        lane,
        make.zero,
        many,
        (
            *[l.Declare(var, change(value)) for var, value in values.items()],
            l.Store(elements, lane, change(store.value)),
            l.Store(kept, lane, change(keep)),
        ),
        reductions=(),
        independent=True,
    )
    after = Var(make.fresh(count.name), Base.INT)
    vector = (
        l.Local(elements, lanes),
        l.Local(kept, lanes),
        side_by_side,
        RuntimeCall(f"aplc_pack_{size}", HEADER, (buffer, count, elements, kept), (after,)),
        l.Assign(count, after),
    )
    if room is not None:
        fits = make.call(p.LTEI, make.add(count, many), room)
        is_next = make.call(p.ANDB, make.call(p.LTI, first, end), fits)
        return [
            *declared,
            l.Declare(first, loop.start, mutable=True),
            l.While(is_next, (*vector, l.Assign(first, make.add(first, many)))),
            replace(loop, start=first),
        ]
    return [
        *declared,
        l.For(first, loop.start, end, vector, step=lanes),
        *([] if make.at_least(end, loop.stop) else [replace(loop, start=end)]),
    ]


def _marks(
    loop: l.For,
    values: dict[Var, Exp],
    store: l.Store,
    count: Var,
    keep: Exp,
    make: ExprBuilder,
    free: FreeVars,
    room: Var | None,
) -> list[l.Stm]:
    """The words of a loop as Note [Marks] has them, and the elements that are left."""
    buffer = store.buffer
    size = buffer.item_bytes
    word_bits, lanes = make.const(WORD), make.const(VECTOR // size)
    declared, end = end_of_whole(make, loop, WORD)
    first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
    kept = Buffer(make.fresh("kept"), Base.BOOL, "bool")

    def within(start: Exp, extent: Exp, hint: str) -> tuple[Var, Substitute]:
        lane = make.index(hint, extent)
        return lane, Substitute(make, {loop.var: make.add(start, lane)})

    def named(change: Substitute) -> list[l.Stm]:
        return [l.Declare(var, change(value)) for var, value in values.items()]

    lane, change = within(first, word_bits, "j")
    test = l.Store(kept, lane, change(_condition(keep, make)))
    tests = l.For(lane, make.zero, word_bits, (*named(change), test), reductions=(), independent=True)
    bits, ones, word, rest, after = [
        Var(make.fresh(name), Base.INT) for name in ("bits", "ones", "word", "rest", count.name)
    ]
    place, change = within(first, word_bits, "j")
    one_by_one = l.While(
        make.call(p.NEQI, word, make.zero),
        (
            RuntimeCall("aplc_mark", HEADER, (word,), (place, rest)),
            *named(change),
            l.Store(buffer, count, change(store.value)),
            l.Assign(count, make.add(count, make.one)),
            l.Assign(word, rest),
        ),
    )
    start = make.index("q", word_bits)
    begun = make.add(first, start)
    at: Exp = make.zero
    computed: tuple[l.Stm, ...] = ()
    if _is_in_memory(store, loop.var, values, make, free):
        assert isinstance(store.value, Read)
        source, at = store.value.buffer, Substitute(make, {loop.var: begun})(store.value.index)
    else:
        lane, change = within(begun, lanes, "j")
        source = Buffer(make.fresh("s"), buffer.ty, buffer.storage, values=buffer.values)
        element = l.Store(source, lane, change(store.value))
        side_by_side = l.For(
            lane, make.zero, lanes, (*named(change), element), reductions=(), independent=True
        )
        computed = (l.Local(source, VECTOR // size), side_by_side)
    taken = (buffer, count, source, at, bits, start)
    read = () if computed else (source,)
    pack = RuntimeCall(f"aplc_pack_bits_{size}", HEADER, taken, (after,), only_reads=read)
    vector = (*computed, pack, l.Assign(count, after))
    packed = l.For(start, make.zero, word_bits, vector, step=VECTOR // size)
    is_few = make.call(p.LTEI, ones, make.const(FEW))
    if room is not None:
        is_last = make.call(p.GTI, make.add(count, word_bits), room)
        is_few = make.call(p.ORB, is_few, is_last)
    body = (
        l.Local(kept, WORD),
        tests,
        RuntimeCall("aplc_marks", HEADER, (kept,), (bits, ones)),
        l.If(is_few, (l.Declare(word, bits, mutable=True), one_by_one), (packed,)),
    )
    return [
        *declared,
        l.For(first, loop.start, end, body, step=WORD),
        *([] if make.at_least(end, loop.stop) else [replace(loop, start=end)]),
    ]


def _is_in_memory(
    store: l.Store, index: Var, values: Collection[Var], make: ExprBuilder, free: FreeVars
) -> bool:
    """Whether neighbouring iterations store neighbours in memory, as they are there."""
    read = store.value
    if not isinstance(read, Read) or read.buffer.storage != store.buffer.storage:
        return False
    _, terms = make.linear(read.index)
    is_next = terms.get(index) == 1 and steps_by_one(make, free, read.index, index)
    return is_next and not any(var in free.of(read.index) for var in values)


def _condition(keep: Exp, make: ExprBuilder) -> Exp:
    """What is kept as a condition, of a number that is 0 or 1."""
    assert isinstance(keep, Call) and keep.op is p.B2I
    return keep.args[0]
