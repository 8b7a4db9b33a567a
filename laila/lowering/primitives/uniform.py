"""Items of one shape as the cells of one array, and the lowering of `stack`, which makes that array.

Note [Items of one shape]
    Items that `pieces` makes lie one behind the other, and if all have one shape, they are the cells of one
    pull array, of which the vector of their elements is the ravel. An item is found again by the place where
    it starts: a place that is a multiple of the size of an item by the way it is computed tells the cell.
    So whatever arranges the places of items arranges cells, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.program import HostCheck, HostLet
from aplc.laila.ir.scalar import Call, Const, Exp, FreeVars, Select, Site
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.cells import Cells
from aplc.laila.lowering.primitives.folds import Reducer, fold
from aplc.laila.lowering.pull import AxesFn, FlatFn, Pull, from_index, from_scalar, ravelled
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.syntax import Fn, Op, PrimFn, Var, prints, walk

FEW = 16
"""So many items are made each for itself."""

SMALL = 32
"""What an element of such an item may cost."""


SMALL_FUNCTION = 100
"""A function of so many nodes is lowered again if its results turn out not to have one shape."""


def few(low: Lowering, function: Fn, numbers: Pull) -> Pull | None:
    """The array of what a function gives for a few elements, each for itself: what is constant in one is
    seen. None where the results differ in shape, or are more than arithmetic on what is in memory.
    """
    make = low.make
    extent = numbers.shape[0]
    if not (isinstance(extent, Const) and 0 < extent.value <= FEW) or prints(function):
        return None
    mark = low.mark()
    is_read = any(isinstance(e, Var) and e.name == function.params[0].name for e in walk(function.body))
    if numbers.weight.may_fail and not is_read:
        numbers = low.forced(numbers)  # what nobody reads fails all the same
    cells: list[Pull] = []
    with low.block() as statements, low.unnamed():
        for k in range(int(extent.value)):
            value = low.applied(function, from_scalar(make, numbers.at(make.const(k))))
            if not isinstance(value, Pull) or value.filtered is not None:
                break
            value.shape = tuple([low.extent(n) for n in value.shape])
            if cells and value.shape != cells[0].shape:
                break
            if value.weight.cost > SMALL or not all(isinstance(s, HostLet | HostCheck) for s in statements):
                break
            cells.append(_closed(value))
    if len(cells) < extent.value:
        low.go_back(mark)
        return None
    low.emit(*statements)

    def element(ix: tuple[Exp, ...]) -> Exp:
        number, inner = ix[0], ix[1:]
        if isinstance(number, Const) and 0 <= number.value < len(cells):
            return cells[int(number.value)].at(*inner)
        result = cells[-1].at(*inner)
        for k in range(len(cells) - 2, -1, -1):
            result = make.select(make.call(p.LTI, number, make.const(k + 1)), cells[k].at(*inner), result)
        return result

    return Pull(make, cells[0].ty, (extent, *cells[0].shape), axes=element, cells=tuple(cells))


def delayed(low: Lowering, function: Fn, numbers: Pull, site: SiteOf) -> Pull | None:
    """The array of what a small function gives for each element, computed where it is used; None where the
    results have shapes that depend on the element, or take more than an expression for each of theirs.
    """
    if prints(function) or sum(1 for _ in walk(function.body)) > SMALL_FUNCTION:
        return None
    mark = low.mark()
    with low.unnamed():
        cells = Cells(low, function, [numbers], site, of_fills=False)
        cells.opens_counts = True
        made = cells.unwritten()
    if made is None:
        low.go_back(mark)
    else:
        made.cells = ()
    return made


def _closed(a: Pull) -> Pull:
    """An array whose elements need no variables that are in scope here alone."""
    make = a.make
    if a.buffer is not None:
        return a
    flat: FlatFn | None = None
    axes: AxesFn | None = None
    if a.flat is not None:
        position = make.index("i", a.size)
        at_position = a.at_flat(position)
        flat = lambda i: Substitute(make, {position: i})(at_position)  # noqa: E731
    if a.axes is not None:
        index = tuple([make.index("i", n) for n in a.shape])
        at_index = a.at(*index)
        axes = lambda ix: Substitute(make, dict(zip(index, ix, strict=True)))(at_index)  # noqa: E731
    return Pull(make, a.ty, a.shape, flat, axes, span=a.span)


def common(extents: Pull) -> Exp | None:
    """The extent of all items, where it does not depend on the item."""
    make = extents.make
    index = tuple([make.index("item", n) for n in extents.shape])
    value = extents.at(*index)
    return None if FreeVars().of(value) & set(index) else value


def number_of(make: ExprBuilder, start: Exp, size: Exp) -> Exp | None:
    """`q` where a place is `q × size` by the way it is computed; None where that does not show."""
    const, terms = make.linear(start)
    known = int(size.value) if isinstance(size, Const) else 0
    if known:
        if const % known or any(k % known for k in terms.values()):
            return None
        return make.from_linear(const // known, {atom: k // known for atom, k in terms.items()})
    result: Exp = make.zero
    for atom, k in terms.items():
        factor: Exp = make.one
        if atom is not size:
            if not (isinstance(atom, Call) and atom.op is p.MULI and size in atom.args):
                return None
            factor = atom.args[atom.args[0] is size]
        result = make.add(result, make.mul(make.const(k), factor))
    return None if const else result


def cell_at(elements: Pull, start: Exp, shape: tuple[Exp, ...]) -> Pull | None:
    """The item of a shape that starts at a place, where it is a cell: see Note [Items of one shape]."""
    make, whole = elements.make, elements.unravelled
    if isinstance(start, Select):
        return _chosen(make, start.cond, *[cell_at(elements, e, shape) for e in (start.then, start.other)])
    size = make.product(shape)
    if elements.joined:
        found = _part_with(elements, start, size)
        return None if found is None else cell_at(*found, shape)
    if start is make.zero and size is elements.shape[0]:
        if whole is not None and whole.shape == shape:
            return whole
        return Pull(make, elements.ty, shape, elements.at_flat, buffer=elements.buffer)
    if whole is None or whole.shape[1:] != shape:
        return None
    number = number_of(make, start, size)
    if number is None:
        return None
    if isinstance(number, Const) and 0 <= number.value < len(whole.cells or ()):
        assert whole.cells is not None
        return whole.cells[int(number.value)]
    return whole.moved(shape, lambda ix: (number, *ix))


def _chosen(make: ExprBuilder, cond: Exp, then: Pull | None, other: Pull | None) -> Pull | None:
    """One of two cells."""
    if then is None or other is None:
        return None
    return then.zipped(other, lambda x, y: make.select(cond, x, y), then.ty, then.shape)


def _part_with(elements: Pull, start: Exp, size: Exp) -> tuple[Pull, Exp] | None:
    """Of vectors one behind the other the one in which an item lies, and the place in it."""
    make = elements.make
    before: Exp = make.zero
    for part in elements.joined:
        place, end = make.sub(start, before), make.add(before, part.shape[0])
        if place is make.zero and size is part.shape[0]:
            return part, place
        if make.at_least(start, before) and make.at_least(end, make.add(start, size)):
            return part, place
        before = end
    return None


def sliced(elements: Pull, start: Exp, count: Exp) -> Pull | None:
    """The elements of the item that starts at a place, where it is a cell and has so many."""
    make = elements.make
    if elements.joined:
        found = _part_with(elements, start, count)
        return None if found is None else sliced(*found, count)
    if start is make.zero and count is elements.shape[0]:
        return elements
    whole = elements.unravelled
    if whole is None or whole.rank < 2 or make.product(whole.shape[1:]) is not count:
        return None
    cell = cell_at(elements, start, whole.shape[1:])
    return None if cell is None else ravelled(cell)


@lowers(p.STACK)
def _stack(low: Lowering, op: Op, site: SiteOf) -> Pull:
    (array,) = op.args
    assert not isinstance(array, Fn | PrimFn)
    parts = low.lower(array)
    assert isinstance(parts, tuple)
    starts, *extents, elements = [part for part in parts if isinstance(part, Pull)]
    shape = [common(n) for n in extents]
    own = tuple([n for n in shape if n is not None])
    if len(own) == len(extents):
        exists = low.make.call(p.GTI, starts.size, low.make.zero)
        result = stacked(low, starts, own, elements, lambda _, position: position)
        own = tuple([low.extent(low.make.select(exists, n, low.make.zero)) for n in own])
        result.shape = (*starts.shape, *own)
        low.require_room(result.shape, site(faults.NO_MEMORY))
        return result
    return _Unlike(low, low.shared(starts), [low.shared(n) for n in extents], elements).result(site)


def stacked(
    low: Lowering,
    starts: Pull,
    shape: tuple[Exp, ...],
    elements: Pull,
    place: Callable[[tuple[Exp, ...], Exp], Exp],
) -> Pull:
    """The array whose cells are items of a shape; `place` gives for an item and a position in the shape that
    in the item.
    """
    make, outer = elements.make, starts.rank

    def element(ix: tuple[Exp, ...]) -> Exp:
        start = starts.at(*ix[:outer])
        cell = cell_at(elements, low.seen_through(start), shape)
        if cell is not None:
            return cell.at(*ix[outer:])
        inner = place(ix[:outer], from_index(make, shape, ix[outer:]))
        return elements.at(make.add(start, inner))

    return Pull(make, elements.ty, (*starts.shape, *shape), axes=element)


class _Unlike:
    """Items that may differ in shape: those of a single element extend, all others must be alike."""

    def __init__(self, low: Lowering, starts: Pull, extents: list[Pull], elements: Pull) -> None:
        self.low, self.make = low, low.make
        self.starts, self.extents, self.elements = starts, extents, elements
        self.flat = [ravelled(n) for n in extents]
        self.count = starts.size

    def size(self, extents: list[Pull], *index: Exp) -> Exp:
        return self.make.product(tuple([n.at(*index) for n in extents]))

    def last(self, holds: Callable[[Exp], Exp]) -> Exp:
        """The number of the last item of which something holds, from 1; 0 if there is none."""
        low, make = self.low, self.make
        largest = Reducer(p.MAXI, lambda a, b: make.call(p.MAXI, a, b), make.zero)
        number: Callable[[Exp], Exp] = lambda k: make.select(  # noqa: E731
            holds(k), make.add(k, make.one), make.zero
        )
        return low.named(fold(low, largest, self.count, number), "last")

    def call(self, op: Prim, a: Exp, b: Exp) -> Exp:
        return self.make.call(op, a, b)

    def result(self, site: SiteOf) -> Pull:
        """The items, of the shape that those have of more than one element, or of none."""
        low, make = self.low, self.make
        decisive = self.last(lambda k: self.call(p.NEQI, self.size(self.flat, k), make.one))
        chosen = make.select(self.call(p.GTI, decisive, make.zero), decisive, self.count)
        some = self.call(p.GTI, self.count, make.zero)
        at = make.sub(chosen, make.one)
        shape = tuple([low.extent(make.select(some, n.at(at), make.zero)) for n in self.flat])
        self.require_alike(shape, site(faults.UNLIKE_ITEM))
        low.require_room((*self.starts.shape, *shape), site(faults.NO_MEMORY))
        singles = self.last(lambda k: self.call(p.EQI, self.size(self.flat, k), make.one))
        none = self.call(p.EQI, singles, make.zero)
        plain = low.named(
            self.call(p.ORB, none, self.call(p.EQI, make.product(shape), make.one)), "plain", likely=True
        )

        def place(item: tuple[Exp, ...], position: Exp) -> Exp:
            single = self.call(p.EQI, self.size(self.extents, *item), make.one)
            return make.select(plain, position, make.select(single, make.zero, position))

        return stacked(low, self.starts, shape, self.elements, place)

    def require_alike(self, shape: tuple[Exp, ...], site: Site) -> None:
        """LENGTH ERROR unless all items that do not extend have that shape."""
        make = self.make

        def differs(k: Exp) -> Exp:
            alike: Exp = make.true
            for n, common in zip(self.flat, shape, strict=True):
                alike = self.call(p.ANDB, alike, self.call(p.EQI, n.at(k), common))
            single = self.call(p.EQI, self.size(self.flat, k), make.one)
            return make.call(p.NOTB, self.call(p.ORB, alike, single))

        unlike = self.last(differs)
        item = make.sub(unlike, make.one)
        got = self.flat[-1].at(item)
        for n, common in reversed(list(zip(self.flat[:-1], shape[:-1], strict=True))):
            same = self.call(p.EQI, n.at(item), common)
            got = make.select(same, got, n.at(item))
        if not make.settings.unsafe:
            self.low.emit(HostCheck(self.call(p.EQI, unlike, make.zero), site, (unlike, got)))
