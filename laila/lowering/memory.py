"""Arrays in memory: buffers, who owns them, and the statements that write arrays to them.

Whether an array is written at all is decided in `keeping`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Alloc, Empty, Filter, HostLet, Map, Move, Space, Store
from aplc.laila.ir.scalar import Buffer, Const, Exp, FreeVars, Site, Var
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering import keeping
from aplc.laila.lowering.decisions import ERRORS, RESULT, Decisions
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.pull import Filtered, Pull, from_buffer, from_index, from_scalar, transposed_by
from aplc.laila.lowering.scopes import STORAGE, Scopes, Stand
from aplc.tail import faults
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a lowering stands, to go back to."""

    stand: Stand
    owners: dict[Buffer, int]
    items: int
    """How many arrays of items had been made."""


class Memory(Scopes):
    """Blocks whose arrays can be written to memory."""

    def __init__(self, settings: Settings, decisions: Decisions | None = None) -> None:
        super().__init__(settings, decisions)
        self._owners: dict[Buffer, int] = {}
        """Buffers of this program that nobody outside holds, with the levels of the blocks they are of."""
        self.inputs: set[Buffer] = set()
        """The memory of inputs."""
        self.offsets: dict[Buffer, Exp] = {}
        """Buffers that say where each of so many items ends, one behind the other, behind a 0."""

    # --- buffers ---

    def unowned(self, ty: Base, hint: str) -> Buffer:
        """A new buffer whose memory comes from elsewhere."""
        return Buffer(self.make.fresh(hint), ty, STORAGE[ty])

    def buffer(self, ty: Base, hint: str = "a") -> Buffer:
        """A new buffer of this program."""
        buffer = self.unowned(ty, hint)
        self.adopt(buffer)
        return buffer

    def allocated(
        self,
        ty: Base,
        size: Exp,
        site: Site | None = None,
        *,
        lows: tuple[Exp, ...] = (),
        highs: tuple[Exp, ...] = (),
        asked: bool = False,
        hint: str = "a",
        storage: str = "",
    ) -> Buffer:
        """A new buffer with memory for that many elements, and what is known to bound them."""
        stored = storage or STORAGE[ty]
        buffer = Buffer(self.make.fresh(hint), ty, stored, lows=lows, highs=highs, asked=asked)
        self.adopt(buffer)
        self.decisions.computed(buffer)
        self.emit(Alloc(buffer, size, site or self.site(faults.NO_MEMORY, "", None)))
        return buffer

    def index_buffer(self, size: Exp, lows: tuple[Exp, ...], highs: tuple[Exp, ...], site: Site) -> Buffer:
        """A new buffer with memory for that many indices between these bounds."""
        return self.allocated(Base.INT, size, site, lows=lows, highs=highs, hint="index")

    # --- who owns memory ---

    def adopt(self, buffer: Buffer) -> None:
        """A buffer belongs to the block at hand, which frees it or gives it away."""
        self._owners[buffer] = self.level

    def give_away(self, buffer: Buffer) -> None:
        """The memory of a buffer gets another owner."""
        del self._owners[buffer]

    @contextmanager
    def handed_over(self, buffers: Iterable[Buffer]) -> Iterator[None]:
        """Inside, those of the buffers that have an owner belong to the block at hand."""
        before = {buffer: self._owners[buffer] for buffer in buffers if buffer in self._owners}
        for buffer in before:
            self.adopt(buffer)
        yield
        self._owners |= before

    @contextmanager
    def one_way(self) -> Iterator[None]:
        """Inside, one of several ways that exclude each other: what it gives away the others still own."""
        before = dict(self._owners)
        yield
        self._owners = before

    def owns(self, buffer: Buffer | None, level: int = 0) -> bool:
        """Whether memory is the program's own, and belongs to a block at that level or further in."""
        return buffer is not None and self._owners.get(buffer, -1) >= level

    def taken(self, a: Pull) -> Pull:
        """The memory of an array under another name, so that it may be changed; its old name is dead."""
        assert a.buffer is not None
        target = self.buffer(a.ty, a.buffer.name)
        self.emit(Empty(target), Move(target, a.buffer))
        self.give_away(a.buffer)
        return from_buffer(self.make, target, a.shape)

    # --- trials ---

    def mark(self) -> Mark:
        """Where lowering stands."""
        return Mark(self._stand(), dict(self._owners), len(self.decisions.items))

    def go_back(self, mark: Mark) -> None:
        """Forget what has been lowered since a mark was made in the block at hand."""
        self._rewind(mark.stand)
        del self.decisions.items[mark.items :]
        self._owners = dict(mark.owners)

    # --- writing ---

    def materialise(
        self,
        a: Pull,
        site: Site | None = None,
        why: str = "",
        *,
        asked: bool = False,
        storage: str = "",
    ) -> Pull:
        """The array in memory of its own, stored as usual or in a narrower type that holds its elements."""
        make = self.make
        if site is None or site.span is None:
            site = self.site(faults.NO_MEMORY, "", a.span)
        if a.filtered is not None:
            result = self.computed(a.filtered, site, storage)
            assert result.buffer is not None
            self.decisions.kept(result.buffer, a.span, why)
            return result
        shape = tuple([n if keeping.is_simple(n) else self.once(n, "n") for n in a.shape])
        buffer = self.allocated(a.ty, make.product(shape), site, asked=asked, storage=storage)
        self.fill_buffer(buffer, a, why=why)
        return from_buffer(make, buffer, shape)

    def computed(self, a: Filtered, site: Site | None = None, storage: str = "") -> Pull:
        """The elements of a vector where a mask holds, in memory with room for all of them."""
        make = self.make
        extent = self.extent(a.source.shape[0])
        i = make.index("i", extent)
        body = a.source.at(i)
        lows, highs = _bounds(make, body, i, extent)
        buffer = self.allocated(a.source.ty, extent, site, lows=lows, highs=highs, storage=storage)
        count = Var(make.fresh("n"), Base.INT, True, (make.zero,))
        self.emit(Filter(buffer, count, Space((i,), (extent,)), a.mask.at(i), body))
        is_ascending = isinstance(make.sub(body, i), Const) and make.counts(body)
        made = replace(from_buffer(make, buffer, (count,)), is_ascending=is_ascending)
        return replace(made, places=a) if is_ascending and self._is_of_inputs(a.mask.at(i), i) else made

    def _is_of_inputs(self, exp: Exp, index: Var) -> bool:
        """Whether an expression is made of an index and of inputs, which do not change."""
        return FreeVars().of(exp) <= {index} and self.inputs.issuperset(buffers_read(exp))

    def fill_buffer(self, buffer: Buffer, a: Pull, start: Exp | None = None, why: str = "") -> None:
        """Write the elements of an array to memory, from a position on."""
        self.decisions.kept(buffer, a.span, why)
        self._fill(buffer, a, start)

    def _fill(self, buffer: Buffer, a: Pull, start: Exp | None) -> None:
        make = self.make
        if a.elements and start is None:
            self.emit(*[Store(buffer, make.const(k), e) for k, e in enumerate(a.elements)])
            return
        source = a if a.unravelled is None else a.unravelled
        if source.cells:
            size = make.product(source.shape[1:])
            for k, cell in enumerate(source.cells):
                place = make.mul(make.const(k), size)
                self._fill(buffer, cell, place if start is None else make.add(start, place))
            return
        if source.flat is not None:
            size = make.product(source.shape)
            indices: tuple[Var, ...] = (make.index("i", size),)
            space = Space(indices, (size,))
            position: Exp = indices[0]
            body = source.at_flat(position)
        else:
            hints = _index_names(source.rank)
            indices = tuple([make.index(h, n) for h, n in zip(hints, source.shape, strict=True)])
            space = Space(indices, source.shape)
            position = from_index(make, source.shape, indices)
            body = source.at(*indices)
        if start is not None:
            position = make.add(start, position)
        self.emit(Map(buffer, space, position, body))

    def in_memory(self, a: Pull, site: Site, why: str = "") -> Pull:
        """The array, in memory that holds exactly its elements in their own type."""
        if a.buffer is not None and a.buffer.data is None and a.buffer.storage == STORAGE[a.ty]:
            return a
        return self.materialise(a, site, why)

    def shared(self, a: Pull) -> Pull:
        """An array whose elements will be wanted many times."""
        if not keeping.pays_to_share(a, on_host=self.on_host):
            return a
        if a.origin is not None and keeping.is_made_across(a):
            source, axes = a.origin
            return transposed_by(self.materialise(source, why=self.decisions.wanted()), axes)
        return self.constants(a) or self.materialise(a, why=self.decisions.wanted())

    def constants(self, a: Pull) -> Pull | None:
        """A few elements that are constants, as a table; None where they are not."""
        values = keeping.constant_elements(a)
        if not values:
            return None
        return from_buffer(self.make, Buffer(self.make.fresh("c"), a.ty, STORAGE[a.ty], values), a.shape)

    def forced(self, a: Pull) -> Pull:
        """An array of which elements may be dropped: their errors must come all the same."""
        if not a.weight.may_fail:
            return a
        if a.rank:
            return self.materialise(a, why=ERRORS)
        value = a.at()
        var = self.variable("v", value)
        self.decisions.place(var, a.span)
        self.emit(HostLet(var, value))
        return from_scalar(self.make, var)

    def forced_all(self, value: Lowered) -> Lowered:
        """All arrays of a value, forced."""
        return tuple([self.forced_all(v) for v in value]) if isinstance(value, tuple) else self.forced(value)

    def stored(self, value: Lowered, site: Site, why: str = "") -> Lowered:
        """A value all of whose arrays are in memory, and whose scalars have been computed."""
        if isinstance(value, tuple):
            return tuple([self.stored(v, site, why) for v in value])
        if value.rank:
            return self.in_memory(value, site, why)
        return from_scalar(self.make, self.named(value.at(), "v"))

    def own(self, value: Lowered, site: Site, storage: str = "") -> Lowered:
        """A value all of whose arrays are in memory that can be given away, and is from here on; a flat one
        stored as usual or in a narrower type that holds its elements.
        """
        if isinstance(value, tuple):
            return tuple([self.own(v, site) for v in value])
        if not value.rank:
            return from_scalar(self.make, self.named(value.at(), "result"))
        wanted, buffer = storage or STORAGE[value.ty], value.buffer
        if not self.owns(buffer, self.level) or buffer is None or buffer.storage != wanted:
            value = self.materialise(value, site, RESULT, storage=wanted)
        assert value.buffer is not None
        self.give_away(value.buffer)
        return value


def _index_names(rank: int) -> list[str]:
    return ["i", "j", "k"][:rank] if rank <= 3 else [f"i{axis}" for axis in range(rank)]


def _bounds(make: ExprBuilder, body: Exp, i: Var, extent: Exp) -> tuple[tuple[Exp, ...], tuple[Exp, ...]]:
    """What bounds an expression that is the index and something besides."""
    if body.ty is not Base.INT or not make.counts(body):
        return (), ()
    rest = make.sub(body, i)
    if not isinstance(rest, Const):
        return (), ()
    return (rest,), (make.add(rest, make.sub(extent, make.one)),)
