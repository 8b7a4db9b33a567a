"""Compress-store: loops that keep some of their elements write them a vector at a time.

Note [Packs]
    Elements that are kept are written one after the other, and each place depends on how many were kept
    before. A vector of them is computed side by side, with a number for each that says whether it is kept;
    then those are packed and written together, with something behind them that the next ones replace:

        for i in a … b { x[n] = f(i); n = n + c(i) }
        →   for i in a … w by 8 { for j < 8 { s[j] = f(i+j); k[j] = c(i+j) }; pack(x, n, s, k, &n) }
            for i in w … b { x[n] = f(i); n = n + c(i) }

    Where another part of the loop writes the elements from x[m] on, at the same time, vectors are written
    while n+8 ≤ m. Several arrays of elements of one size, whatever is kept of each, share the loop.

Note [Marks]
    Where elements of four bytes or fewer alone decide what is kept, as characters do, what 64 of them say
    becomes the bits of a word. Few bits are taken one by one, and of the other elements nothing is computed;
    many of them are packed as above:

        for i in a … w by 64 {
            for j < 64 { k[j] = c(i+j) }; marks(k, &word, &ones)
            if ones ≤ 16 | n+64 > m {
                while word ≠ 0 { mark(word, &j, &word); x[n] = f(i+j); n = n + 1 }
            } else {
                for q < 64 by 8 { for j < 8 { s[j] = f(i+q+j) }; pack(x, n, s, 0, word, q, &n) }
            }
        }

    Elements that lie beside each other in memory as they are to be written, f(i) = v[i+k], are packed from
    there: pack(x, n, v, i+q+k, word, q, &n). Arrays of elements of several sizes share the word where what is
    kept of them is the same.

    Where such loops collect bits of what they read, each lane has bits of its own: b[j] = b[j] | v[i+j].
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import (
    CODE_BITS,
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

NARROW = 4
"""Bytes of elements that decide in words what is kept."""

FEW = 16
"""So many bits of a word are taken one by one."""

HEADER = "aplc_pack.h"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a loop writes where a number is 1, rather than 0, behind so many elements of a buffer."""

    store: l.Store
    count: Var
    keep: Exp

    @property
    def buffer(self) -> Buffer:
        """Where the elements are written."""
        return self.store.buffer


def in_packs(
    loop: l.For,
    ours: Collection[Buffer],
    free: FreeVars,
    make: ExprBuilder,
    rooms: Mapping[Var, Var] | None = None,
) -> list[l.Stm] | None:
    """A loop as Note [Packs] has it, if it is of that kind and writes to memory of the program's own; vectors
    up to the places that are given for its counts, if they are.
    """
    if loop.descending or loop.step != 1:
        return None
    values: dict[Var, Exp] = {}
    stores: dict[Var, l.Store] = {}
    kept: list[_Kept] = []
    collected: dict[Var, Exp] = {}
    for statement in loop.body:
        match statement:
            case l.Assign(var=bits, value=Call(op=op, args=(old, more))) if op is CODE_BITS and old is bits:
                collected[bits] = more
            case l.Declare(var=var, value=value, mutable=False) if value is not None:
                values[var] = value
            case l.Store(position=Var() as count) if count not in stores:
                stores[count] = statement
            case l.Assign(var=count) if count in stores and all(count is not each.count for each in kept):
                kept.append(_Kept(stores[count], count, make.sub(statement.value, count)))
            case _:
                return None
    if not kept or len(kept) != len(stores) or not (rooms is None or rooms.keys() >= stores.keys()):
        return None
    if any(each.buffer not in ours or each.buffer.item_bytes > LARGEST for each in kept):
        return None
    if any(not isinstance(each.keep, Call) or each.keep.op is not p.B2I for each in kept):
        return None
    every = [e for each in kept for e in (each.store.value, each.keep)]
    every += [*values.values(), *collected.values()]
    written, changed = {each.buffer for each in kept}, (*stores, *collected)
    if len(written) < len(kept) or any(var in free.of(e) for e in every for var in changed):
        return None
    for node in nodes(*every):
        if isinstance(node, Check | BlockExp | Fold | PureCall) or (
            isinstance(node, Read) and node.buffer in written
        ):
            return None
    keep = kept[0].keep
    sizes = {each.buffer.item_bytes for each in kept}
    if all(each.keep is keep for each in kept) and (
        len(sizes) > 1 or _is_narrow(keep, values, make, free, loop.var)
    ):
        lanes = [BitLanes(make, bits, more, WORD) for bits, more in collected.items()]
        return _marks(loop, values, kept, lanes, make, free, rooms)
    if len(sizes) > 1:
        return None
    lanes = [BitLanes(make, bits, more, VECTOR // min(sizes)) for bits, more in collected.items()]
    return _packs(loop, values, kept, lanes, make, rooms)


class BitLanes:
    """Bits that a loop collects, in so many lanes."""

    def __init__(self, make: ExprBuilder, bits: Var, value: Exp, lanes: int) -> None:
        self.make, self.value = make, value
        self.lanes = Buffer(make.fresh("seen"), Base.CHAR, "uint32")
        many, none = make.const(lanes), make.const(0, Base.CHAR)
        lane = [make.index("j", many) for _ in range(2)]
        clear = l.For(lane[0], make.zero, many, (l.Store(self.lanes, lane[0], none),), ())
        self.before = (l.Local(self.lanes, lanes), clear)
        joined = l.Assign(bits, make.call(CODE_BITS, bits, make.read(self.lanes, lane[1])))
        self.join = l.For(lane[1], make.zero, many, (joined,), (l.Reduction(CODE_BITS, bits, none),))

    def more(self, lane: Var, change: Substitute) -> l.Store:
        """The bits of one lane joined with those of its next element."""
        old = self.make.read(self.lanes, lane)
        return l.Store(self.lanes, lane, self.make.call(CODE_BITS, old, change(self.value)))


def _is_narrow(keep: Exp, values: dict[Var, Exp], make: ExprBuilder, free: FreeVars, index: Var) -> bool:
    """Whether narrow elements that lie beside each other in memory, and nothing else, decide what is kept."""
    known: dict[Exp, Exp] = dict(values.items())
    for _ in values:
        keep = Substitute(make, known)(keep)
    parts = list(nodes(keep, below=lambda e: () if isinstance(e, Read) else operands(e)))
    reads = [n for n in parts if isinstance(n, Read)]
    return (
        any(index in free.of(n) for n in reads)
        and index not in parts
        and all(n.ty is not Base.DOUBLE for n in parts)
        and all(n.buffer.item_bytes <= NARROW and steps_by_one(make, free, n.index, index) for n in reads)
    )


def packs_of(
    loop: l.For,
    ours: Collection[Buffer],
    free: FreeVars,
    make: ExprBuilder,
    rooms: Sequence[tuple[Var, Var]],
) -> l.Packs | None:
    """A loop that may run in parts as Note [Packs] has it: a part, which ends before some places, and all."""
    first, last = [Var(make.fresh(name), Base.INT, True) for name in ("first", "last")]
    whole = replace(loop, parallel=None, running=())
    part = in_packs(replace(whole, start=first, stop=last), ours, free, make, dict(rooms))
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
    kept: list[_Kept],
    bits: list[BitLanes],
    make: ExprBuilder,
    rooms: Mapping[Var, Var] | None,
) -> list[l.Stm]:
    """The vectors of a loop that are whole, and the elements that are left."""
    size = kept[0].buffer.item_bytes
    lanes = VECTOR // size
    many = make.const(lanes)
    declared, end = end_of_whole(make, loop, lanes)
    first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
    lane = make.index("j", many)
    change = Substitute(make, {loop.var: make.add(first, lane)})
    computed: list[l.Stm] = [l.Declare(var, change(value)) for var, value in values.items()]
    local: list[l.Stm] = []
    packed: list[l.Stm] = []
    masks: dict[Exp, Buffer] = {}
    for each in kept:
        elements = _elements(make, each.buffer)
        local.append(l.Local(elements, lanes))
        computed.append(l.Store(elements, lane, change(each.store.value)))
        if each.keep not in masks:
            mask = Buffer(make.fresh("kept"), Base.INT, f"int{8 * size}", values=(0, 1))
            masks[each.keep] = mask
            local.append(l.Local(mask, lanes))
            computed.append(l.Store(mask, lane, change(each.keep)))
        after = Var(make.fresh(each.count.name), Base.INT)
        taken = (each.buffer, each.count, elements, masks[each.keep])
        packed += [RuntimeCall(f"aplc_pack_{size}", HEADER, taken, (after,)), l.Assign(each.count, after)]
    computed += [each.more(lane, change) for each in bits]
    begun, ended = [s for each in bits for s in each.before], [each.join for each in bits]
    side_by_side = l.For(lane, make.zero, many, tuple(computed), reductions=(), independent=True)
    vector = (*local, side_by_side, *packed)
    if rooms is not None:
        is_next = make.call(p.LTI, first, end)
        for each in kept:
            fits = make.call(p.LTEI, make.add(each.count, many), rooms[each.count])
            is_next = make.call(p.ANDB, is_next, fits)
        return [
            *declared,
            *begun,
            l.Declare(first, loop.start, mutable=True),
            l.While(is_next, (*vector, l.Assign(first, make.add(first, many)))),
            *ended,
            replace(loop, start=first),
        ]
    return [
        *declared,
        *begun,
        l.For(first, loop.start, end, vector, step=lanes),
        *ended,
        *([] if make.at_least(end, loop.stop) else [replace(loop, start=end)]),
    ]


def _elements(make: ExprBuilder, buffer: Buffer) -> Buffer:
    """Memory for a vector of elements, stored as those of a buffer."""
    return Buffer(make.fresh("s"), buffer.ty, buffer.storage, values=buffer.values)


def _marks(
    loop: l.For,
    values: dict[Var, Exp],
    kept: list[_Kept],
    collected: list[BitLanes],
    make: ExprBuilder,
    free: FreeVars,
    rooms: Mapping[Var, Var] | None,
) -> list[l.Stm]:
    """The words of a loop as Note [Marks] has them, and the elements that are left."""
    word_bits = make.const(WORD)
    declared, end = end_of_whole(make, loop, WORD)
    first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
    mask = Buffer(make.fresh("kept"), Base.BOOL, "bool")

    def within(start: Exp, extent: Exp, hint: str) -> tuple[Var, Substitute]:
        lane = make.index(hint, extent)
        return lane, Substitute(make, {loop.var: make.add(start, lane)})

    def named(change: Substitute) -> list[l.Stm]:
        return [l.Declare(var, change(value)) for var, value in values.items()]

    lane, change = within(first, word_bits, "j")
    test = l.Store(mask, lane, change(_condition(kept[0].keep, make)))
    more = [each.more(lane, change) for each in collected]
    tests = l.For(lane, make.zero, word_bits, (*named(change), test, *more), reductions=(), independent=True)
    bits, ones, word, rest = [Var(make.fresh(name), Base.INT) for name in ("bits", "ones", "word", "rest")]
    place, change = within(first, word_bits, "j")
    one_by_one = l.While(
        make.call(p.NEQI, word, make.zero),
        (
            RuntimeCall("aplc_mark", HEADER, (word,), (place, rest)),
            *named(change),
            *[l.Store(each.buffer, each.count, change(each.store.value)) for each in kept],
            *[l.Assign(each.count, make.add(each.count, make.one)) for each in kept],
            l.Assign(word, rest),
        ),
    )

    def packed(each: _Kept) -> l.For:
        """What is kept of a word is written."""
        size = each.buffer.item_bytes
        start, lanes = make.index("q", word_bits), make.const(VECTOR // size)
        begun = make.add(first, start)
        after = Var(make.fresh(each.count.name), Base.INT)
        at: Exp = make.zero
        computed: tuple[l.Stm, ...] = ()
        if _is_in_memory(each.store, loop.var, values, make, free):
            assert isinstance(each.store.value, Read)
            source, at = each.store.value.buffer, Substitute(make, {loop.var: begun})(each.store.value.index)
        else:
            lane, change = within(begun, lanes, "j")
            source = _elements(make, each.buffer)
            element = l.Store(source, lane, change(each.store.value))
            side_by_side = l.For(
                lane, make.zero, lanes, (*named(change), element), reductions=(), independent=True
            )
            computed = (l.Local(source, VECTOR // size), side_by_side)
        taken = (each.buffer, each.count, source, at, bits, start)
        read = () if computed else (source,)
        pack = RuntimeCall(f"aplc_pack_bits_{size}", HEADER, taken, (after,), only_reads=read)
        vector = (*computed, pack, l.Assign(each.count, after))
        return l.For(start, make.zero, word_bits, vector, step=VECTOR // size)

    is_few = make.call(p.LTEI, ones, make.const(FEW))
    for each in kept if rooms is not None else ():
        assert rooms is not None
        is_last = make.call(p.GTI, make.add(each.count, word_bits), rooms[each.count])
        is_few = make.call(p.ORB, is_few, is_last)
    body = (
        l.Local(mask, WORD),
        tests,
        RuntimeCall("aplc_marks", HEADER, (mask,), (bits, ones)),
        l.If(is_few, (l.Declare(word, bits, mutable=True), one_by_one), tuple(map(packed, kept))),
    )
    return [
        *declared,
        *[statement for each in collected for statement in each.before],
        l.For(first, loop.start, end, body, step=WORD),
        *[each.join for each in collected],
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
