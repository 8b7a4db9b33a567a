"""Hybrid pull arrays (thesis section 3.4): an array as its shape and a function from an index to an element.

The index function has a flat form `F` (row-major position), a per-axis form `N` (one index an axis), or
both at no cost, as memory and what is mapped over memory have. Reshaping is free on F; transposing,
rotating, taking and dropping are free on N; the other form is reached through `fromIdx` and `toIdx`.
Building on a pull array is fusion: nothing is computed until an element is asked for. This module knows no
TAIL and emits no statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from aplc.laila.ir.scalar import (
    BINOMIAL,
    CIRCLE,
    CIRCLES,
    DIVIDE,
    DRAWN,
    EXACT_POWER,
    FACTORIAL,
    LOG,
    POWER,
    QUOT,
    REM,
    ROLLED,
    SHORT_POWER,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.types import Base

FlatFn = Callable[[Exp], Exp]
AxesFn = Callable[[tuple[Exp, ...]], Exp]
Shape = tuple[Exp, ...]

FOLD_WEIGHT = 1000
LOOKUP_WEIGHT = 20
SCATTERED_WEIGHT = 3
"""What reading takes more at a place that has been read, too: it is anywhere in memory."""
CONSTANT_LOOKUP_WEIGHT = 3
"""Of a search among constants."""
_WEIGHTS = {
    p.C2I: 0,
    DIVIDE: 4,
    POWER: 40,
    EXACT_POWER: 50,
    SHORT_POWER: 20,
    LOG: 20,
    p.EXPD: 20,
    QUOT: 10,
    REM: 10,
    p.RESI: 10,
    p.RESD: 20,
    p.GCDTD: 200,
    p.LOWESTD: 25,
    p.HIGHESTD: 25,
    p.LCMTD: 200,
}
_WEIGHTS |= {ROLLED: 12, DRAWN: 10, FACTORIAL: 60, BINOMIAL: 200, CIRCLE: 40}
_WEIGHTS |= dict.fromkeys(CIRCLES.values(), 20)


@dataclass(frozen=True, slots=True)
class Weight:
    """What computing one element takes: operations, roughly in cycles, and whether it may raise an error."""

    cost: int
    may_fail: bool


@dataclass(frozen=True, slots=True)
class Filtered:
    """The elements of a vector where a mask of the same length holds. How many there are is not known yet."""

    source: Pull
    mask: Pull


@dataclass(eq=False)
class Pull:
    """An array under construction. At least one of the two index functions is given."""

    make: ExprBuilder
    ty: Base
    shape: Shape
    flat: FlatFn | None = None
    axes: AxesFn | None = None
    buffer: Buffer | None = None
    """Memory that holds exactly these elements in row-major order, where there is some."""
    unravelled: Pull | None = None
    """The array of which this vector is the ravel, where running over its axes is cheaper."""
    elements: tuple[Exp, ...] = ()
    """The elements of a short vector that is made of them."""
    filtered: Filtered | None = None
    """What this vector is made of as long as it is not computed: it has no extent yet, see `deferred`."""
    origin: tuple[Pull, tuple[int, ...]] | None = None
    """The array of which this one is a transposition, and which axis each of its axes becomes."""
    cells: tuple[Pull, ...] | None = None
    """The cells along the first axis, where they are the items that a function makes and nobody has written:
    each for itself if they are few, otherwise none.
    """
    is_ascending: bool = False
    """Whether each element is an integer greater than the one before."""
    places: Filtered | None = None
    """The mask whose places these elements are, where they are computed and nothing that it reads changes."""
    joined: tuple[Pull, ...] = ()
    """The vectors of which this one is the catenation."""
    cycle: tuple[Const, ...] = ()
    """The constants that stand in this vector again and again."""
    beginning: tuple[Buffer, Exp] | None = None
    """Memory that begins with these elements, where a condition holds."""
    span: Span | None = None
    """Where the array stands in the source."""
    _memo: dict[tuple[int, ...], tuple[tuple[Exp, ...], Exp]] = field(default_factory=dict, repr=False)
    _weight: Weight | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Only the flat form where the settings say so: indices per axis go through `toIdx`."""
        if self.make.settings.arrays == "flat" and self.axes is not None:
            make, shape, axes = self.make, self.shape, self.axes
            self.flat = self.flat or (lambda i: axes(to_index(make, shape, i)))
            self.axes = self.unravelled = None

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Exp:
        """The number of elements."""
        return self.make.product(self.shape)

    def at(self, *index: Exp) -> Exp:
        """The element at an index per axis."""
        return self._remember(index, lambda: self._at(index))

    def at_flat(self, position: Exp) -> Exp:
        """The element at a row-major position."""
        if self.rank == 1:
            return self.at(position)
        return self._remember((position,), lambda: self._at_flat(position))

    def _remember(self, index: tuple[Exp, ...], compute: Callable[[], Exp]) -> Exp:
        key = (self.make.epoch, *[id(i) for i in index])
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = (index, compute())
        return found[1]

    def _at(self, index: tuple[Exp, ...]) -> Exp:
        if self.axes is not None:
            return self.axes(index)
        assert self.flat is not None
        return self.flat(from_index(self.make, self.shape, index))

    def _at_flat(self, position: Exp) -> Exp:
        if self.flat is not None:
            return self.flat(position)
        assert self.axes is not None
        return self.axes(to_index(self.make, self.shape, position))

    @property
    def weight(self) -> Weight:
        """The weight of one element, judged at a sample index."""
        if self._weight is None:
            sample = self.sample()
            weight = weigh(sample)
            scattered = sum(isinstance(n, Read) and _is_scattered(n) for n in nodes(sample))
            self._weight = replace(weight, cost=weight.cost + SCATTERED_WEIGHT * scattered)
        return self._weight

    def sample(self) -> Exp:
        """An element at an index of no particular value."""
        if self.flat is not None:
            return self.at_flat(self.make.sample_index(self.size))
        return self.at(*[self.make.sample_index(n) for n in self.shape])

    def mapped(self, f: Callable[[Exp], Exp], ty: Base) -> Pull:
        """`f` of every element, in whatever form the array has."""
        if self.filtered is not None:
            return kept(self.filtered.source.mapped(f, ty), self.filtered.mask)
        flat, axes, cells = self.flat, self.axes, self.cells
        return Pull(
            self.make,
            ty,
            self.shape,
            None if flat is None else lambda i: f(self.at_flat(i)),
            None if axes is None else lambda ix: f(self.at(*ix)),
            unravelled=None if self.unravelled is None else self.unravelled.mapped(f, ty),
            cells=None if cells is None else tuple([cell.mapped(f, ty) for cell in cells]),
            joined=tuple([part.mapped(f, ty) for part in self.joined]),
        )

    def zipped(self, other: Pull, f: Callable[[Exp, Exp], Exp], ty: Base, shape: Shape) -> Pull:
        """`f` of the pairs of elements of two arrays of one shape."""
        if self.flat is not None and other.flat is not None:
            flat: FlatFn | None = lambda i: f(self.at_flat(i), other.at_flat(i))  # noqa: E731
            axes: AxesFn | None = None
            if self.axes is not None and other.axes is not None:
                axes = lambda ix: f(self.at(*ix), other.at(*ix))  # noqa: E731
            return Pull(self.make, ty, shape, flat, axes)
        return Pull(self.make, ty, shape, axes=lambda ix: f(self.at(*ix), other.at(*ix)))

    def moved(self, shape: Shape, back: Callable[[tuple[Exp, ...]], tuple[Exp, ...]]) -> Pull:
        """The array of another shape whose element at `ix` is this one's at `back(ix)`."""
        return Pull(self.make, self.ty, shape, axes=lambda ix: self.at(*back(ix)))


def weigh(*exps: Exp) -> Weight:
    """The weight of expressions; what is shared counts once, index arithmetic is free."""
    found = list(nodes(*exps))
    return Weight(sum(map(cost_of, found)), any(isinstance(node, BlockExp | Check) for node in found))


def cost_of(node: Exp) -> int:
    """The weight of an expression without that of its operands."""
    match node:
        case Read() | Select() | Check():
            return 1
        case Call(op=op):
            return _WEIGHTS.get(op, 1)
        case PureCall(memory=memory):
            return LOOKUP_WEIGHT if any(b.data is None for b in memory) else CONSTANT_LOOKUP_WEIGHT
        case Fold() | BlockExp():
            return FOLD_WEIGHT
        case _:
            return 0


def _is_scattered(read: Read) -> bool:
    """Whether the place of an element that is no constant is a number that is read, or a sum with one."""
    index = read.index
    parts = [part for part, _ in index.terms] if isinstance(index, Sum) else [index]
    at = [part for part in parts if isinstance(part, Read)]
    return read.buffer.data is None and any(part.buffer.data is None for part in at)


def constant_of(extent: Exp) -> int:
    """The number that an extent is known to be."""
    assert isinstance(extent, Const)
    return int(extent.value)


def from_index(make: ExprBuilder, shape: Shape, index: tuple[Exp, ...]) -> Exp:
    """`fromIdx` (thesis 3.1.3): the row-major position of an index."""
    position: Exp = make.zero
    for extent, i in zip(shape, index, strict=True):
        position = make.add(make.mul(position, extent), i)
    return position


def to_index(make: ExprBuilder, shape: Shape, position: Exp) -> tuple[Exp, ...]:
    """`toIdx` (thesis 3.1.3): the index of a row-major position inside the array."""
    index: list[Exp] = []
    for extent in reversed(shape[1:]):
        index.append(make.call(REM, position, extent))
        position = make.call(QUOT, position, extent)
    return (position, *reversed(index)) if shape else ()


def as_cheap(a: Pull) -> Pull:
    """The array, whose elements are little more than read: a copy is not worth its memory."""
    return replace(a, _weight=Weight(1, a.weight.may_fail))


# --- constructions --------------------------------------------------------------------------------------


def from_buffer(make: ExprBuilder, buffer: Buffer, shape: Shape) -> Pull:
    """The array in memory: both forms at no cost."""
    return Pull(
        make,
        buffer.ty,
        shape,
        lambda i: make.read(buffer, i),
        lambda ix: make.read(buffer, from_index(make, shape, ix)),
        buffer,
    )


def from_scalar(make: ExprBuilder, value: Exp, shape: Shape = ()) -> Pull:
    """An array of equal elements; of rank 0 unless a shape is given."""
    return Pull(make, value.ty, shape, lambda _: value, lambda _: value)


def from_elements(make: ExprBuilder, elements: tuple[Exp, ...], ty: Base) -> Pull:
    """A short vector whose elements are expressions."""

    def element(position: Exp) -> Exp:
        result: Exp = elements[-1]
        for k in range(len(elements) - 2, -1, -1):
            result = make.select(make.call(p.LTI, position, make.const(k + 1)), elements[k], result)
        return result

    if not elements:
        return from_scalar(make, fill(make, ty), (make.zero,))
    shape = (make.const(len(elements)),)
    return Pull(make, ty, shape, element, lambda ix: element(ix[0]), elements=elements)


def from_known(make: ExprBuilder, buffer: Buffer, elements: tuple[Exp, ...]) -> Pull:
    """A vector in memory whose elements are expressions; at a known index it is the expression itself."""

    def element(position: Exp) -> Exp:
        known = isinstance(position, Const) and 0 <= position.value < len(elements)
        return elements[constant_of(position)] if known else make.read(buffer, position)

    shape = (make.const(len(elements)),)
    return Pull(make, buffer.ty, shape, element, lambda ix: element(ix[0]), buffer)


def kept(source: Pull, mask: Pull) -> Pull:
    """The elements of a vector where a mask of the same length holds, to be computed where they are used."""
    make = source.make
    count = Var(make.fresh("n"), Base.INT, True, (make.zero,))

    def element(i: Exp) -> Exp:
        return make.select(mask.at(i), source.at(i), fill(make, source.ty))

    return Pull(make, source.ty, (count,), element, filtered=Filtered(source, mask))


def fill(make: ExprBuilder, ty: Base) -> Exp:
    """The fill element of a type."""
    return make.const(ty.fill, ty)


def reversed_last(a: Pull) -> Pull:
    """`⌽a`"""
    make = a.make
    last = make.sub(a.shape[-1], make.one)
    return a.moved(a.shape, lambda ix: (*ix[:-1], make.sub(last, ix[-1])))


def rotated_last(a: Pull, offset: Exp) -> Pull:
    """`n⌽a` with the offset already reduced to 0 … extent."""
    make, extent = a.make, a.shape[-1]
    kept = make.sub(extent, offset)
    before = make.sub(offset, extent)

    def element(ix: tuple[Exp, ...]) -> Exp:
        i = ix[-1]
        early = a.at(*ix[:-1], make.add(i, offset))
        if (cond := make.call(p.LTI, i, kept)) is make.true:
            return early
        return make.select(cond, early, a.at(*ix[:-1], make.add(i, before)))

    return Pull(make, a.ty, a.shape, axes=element)


def transposed(a: Pull) -> Pull:
    """`⍉a`"""
    return transposed_by(a, tuple(reversed(range(a.rank)))) if a.rank > 1 else a


def transposed_by(a: Pull, axes: tuple[int, ...]) -> Pull:
    """`axes⍉a`, axes counted from 0; equal ones select a diagonal. Back again it is the array itself."""
    make = a.make
    if axes == tuple(range(a.rank)):
        return a
    if a.origin is not None and all(axes[axis] == k for k, axis in enumerate(a.origin[1])):
        return a.origin[0]
    shape: list[Exp] = []
    for target in range(max(axes) + 1):
        extents = [n for n, axis in zip(a.shape, axes, strict=True) if axis == target]
        extent = extents[0]
        for other in extents[1:]:
            extent = make.call(p.MINI, extent, other)
        shape.append(extent)
    result = a.moved(tuple(shape), lambda ix: tuple([ix[axis] for axis in axes]))
    if len(shape) == a.rank:
        result.origin = (a, axes)
    return result


def taken(a: Pull, axis: int, count: Exp, start: Exp) -> Pull:
    """`count` elements of an axis whose element i is the array's at `start + i`; outside it, fills."""
    make, extent = a.make, a.shape[axis]

    def element(ix: tuple[Exp, ...]) -> Exp:
        i = make.add(ix[axis], start)
        inside = make.call(p.ANDB, make.call(p.GTEI, i, make.zero), make.call(p.LTI, i, extent))
        if inside is make.false:
            return fill(make, a.ty)
        return make.select(inside, a.at(*ix[:axis], i, *ix[axis + 1 :]), fill(make, a.ty))

    return Pull(make, a.ty, (*a.shape[:axis], count, *a.shape[axis + 1 :]), axes=element)


def dropped(a: Pull, axis: int, kept: Exp, start: Exp) -> Pull:
    """`kept` elements of an axis, from `start` on."""
    make = a.make
    shape = (*a.shape[:axis], kept, *a.shape[axis + 1 :])
    return a.moved(shape, lambda ix: (*ix[:axis], make.add(ix[axis], start), *ix[axis + 1 :]))


def joined_last(a: Pull, b: Pull) -> Pull:
    """`a,b` for equal ranks, whose other extents have been checked."""
    make, split = a.make, a.shape[-1]
    if split is make.zero:
        return b
    if b.shape[-1] is make.zero:
        return a

    def element(ix: tuple[Exp, ...]) -> Exp:
        rest = make.sub(ix[-1], split)
        cond = make.call(p.LTI, ix[-1], split)
        return make.select(cond, a.at(*ix), b.at(*ix[:-1], rest))

    parts = (*(a.joined or (a,)), *(b.joined or (b,))) if a.rank == b.rank == 1 else ()
    return Pull(make, a.ty, (*a.shape[:-1], make.add(split, b.shape[-1])), axes=element, joined=parts)


def with_unit_axis(a: Pull) -> Pull:
    """The array with a last axis of length 1."""
    return a.moved((*a.shape, a.make.one), lambda ix: ix[:-1])


def reshaped(a: Pull, shape: Shape) -> Pull:
    """The array with as many elements in another shape. Axes of length 1 that come or go change no index of
    another.
    """
    make = a.make
    kept, own = ([k for k, n in enumerate(each) if n is not make.one] for each in (shape, a.shape))
    if [shape[k] for k in kept] != [a.shape[k] for k in own]:
        return Pull(make, a.ty, shape, a.at_flat, buffer=a.buffer)
    places: list[int | None] = [None] * a.rank
    for place, k in zip(kept, own, strict=True):
        places[k] = place

    def element(ix: tuple[Exp, ...]) -> Exp:
        return a.at(*[make.zero if place is None else ix[place] for place in places])

    return Pull(make, a.ty, shape, None if a.flat is None else a.at_flat, element, buffer=a.buffer)


def ravelled(a: Pull) -> Pull:
    """`,a`"""
    if a.rank == 1:
        return a
    flat: FlatFn = a.at_flat
    cheaper = a if a.flat is None else None
    return Pull(a.make, a.ty, (a.size,), flat, lambda ix: flat(ix[0]), a.buffer, cheaper)


def outer(a: Pull, b: Pull, f: Callable[[Exp, Exp], Exp], ty: Base) -> Pull:
    """`a∘.f b`"""
    k = a.rank
    return Pull(a.make, ty, a.shape + b.shape, axes=lambda ix: f(a.at(*ix[:k]), b.at(*ix[k:])))
