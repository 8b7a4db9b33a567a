"""The lowering of indexing, of assignment by index, and of the checks and copies that go with assignments.

Note [Changes in place]
    `update` writes to the memory of its first argument, a copy that takes over the memory of a variable
    if that is its last use. New values and subscripts that read this memory are therefore computed first:
    see Note [Order of changes].
    Where elements of the old array have been read on the way, the new one has another name.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Map, Space, Store
from aplc.laila.ir.scalar import Exp, Read, Site
from aplc.laila.lowering import keeping
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import OWN_MEMORY
from aplc.laila.lowering.last_use import comes_first, copied
from aplc.laila.lowering.places import origin_of
from aplc.laila.lowering.primitives.select import extended, mapped
from aplc.laila.lowering.primitives.subscripts import (
    Asked,
    Index,
    Subscript,
    given_subscripts,
    known,
    of_axis,
    right_at_ends,
    right_places,
    subscripts_of,
)
from aplc.laila.lowering.pull import Pull, fill, from_index, from_scalar, transposed_by
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Arg, Op, constants_of
from aplc.tail.syntax import Var as Name

# --- reading ----------------------------------------------------------------------------------------------


@lowers(p.INDEX)
def _index(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    given = given_subscripts(low, op.args[0])
    a = low.forced(low.array(op.args[1]))
    if len(given) == 1 or not (low.on_host or any(numbers.rank for numbers in given)):
        return _read_each(low, op, given, a, site)
    given = [_computed(low, numbers) for numbers in given]
    differ = [keeping.are_different(numbers) for numbers in given]
    subscripts = subscripts_of(low, op, given, a.shape, site)
    once = all(each or s.is_distinct() for each, s in zip(differ, subscripts, strict=True))
    a = a if once or keeping.is_view(a) else low.shared(a)
    shape = tuple([n for s in subscripts for n in s.numbers.shape])

    def element(index: Index) -> Exp:
        numbers = _numbers(subscripts, index)
        return _at(subscripts, a, numbers)

    if not shape:
        return from_scalar(make, element(()))
    return Pull(make, a.ty, shape, axes=element)


def _read_each(low: Lowering, op: Op, given: list[Pull], a: Pull, site: SiteOf) -> Pull:
    """A vector at any numbers, or an element of an array, checked as they are read."""
    origin = origin_of(op)
    faults_of = [faults.INDEX_RANGE] if a.rank == 1 else [of_axis(k + 1, origin) for k in range(a.rank)]
    subscripts = [
        known(Subscript(n, m, site(f), origin)) for n, m, f in zip(given, a.shape, faults_of, strict=True)
    ]
    if a.rank == 1:
        only = right_places(low, subscripts[0])
        if low.on_host and (steps := only.steps()) is not None:
            only = right_at_ends(low, only, steps)
        once = keeping.are_different(given[0]) or only.is_distinct()
        a = a if once or keeping.is_view(a) else low.shared(a)
        return mapped(low, only.numbers, lambda number: _at([only], a, (number,)), a.ty)
    return from_scalar(low.make, _at(subscripts, a, _numbers(subscripts, ())))


def _numbers(subscripts: list[Subscript], index: Index) -> Index:
    """The number of each subscript at an index of the result."""
    numbers: list[Exp] = []
    for subscript in subscripts:
        rank = subscript.numbers.rank
        numbers.append(subscript.numbers.at(*index[:rank]))
        index = index[rank:]
    return tuple(numbers)


def _at(subscripts: list[Subscript], a: Pull, numbers: Index) -> Exp:
    """The element at some numbers, each of which is checked unless it is known to be right.

    A table of constants has a first element, which is read instead where a number is wrong: a read without a
    condition is one that lanes have, of any width. A number that is a choice of some makes the element one.
    """
    make, hold, element = a.make, _all_hold(subscripts, numbers), _element(a, numbers)
    if keeping.is_constant(a) and len(numbers) == 1 and isinstance(element, Read):
        value = a.at(make.select(hold, make.sub(numbers[0], make.one), make.zero))
    else:
        value = make.select(hold, element, fill(make, a.ty))
    for subscript, number in reversed(list(zip(subscripts, numbers, strict=True))):
        value = subscript.checked(value, number)
    return value


def _all_hold(subscripts: list[Subscript], numbers: Index) -> Exp:
    make = subscripts[0].numbers.make
    result: Exp = make.true
    for subscript, number in zip(subscripts, numbers, strict=True):
        result = make.call(p.ANDB, result, subscript.holds(number))
    return result


def _element(a: Pull, numbers: Index) -> Exp:
    return a.at(*[a.make.sub(number, a.make.one) for number in numbers])


# --- changing ---------------------------------------------------------------------------------------------


@lowers(p.UPDATE)
def _update(low: Lowering, op: Op, site: SiteOf) -> Pull:
    array, subscripts, value = op.args
    return _changed(low, op, array, subscripts, value, lambda old, new: new, site, reads=False)


@lowers(p.MODIFY)
def _modify(low: Lowering, op: Op, site: SiteOf) -> Pull:
    function, array, subscripts, value = op.args
    return _changed(low, op, array, subscripts, value, low.function(function), site, reads=True)


def _changed(
    low: Lowering,
    op: Op,
    array: Arg,
    places: Arg,
    value: Arg,
    change: Callable[[Exp, Exp], Exp],
    site: SiteOf,
    *,
    reads: bool,
) -> Pull:
    """The array with some elements changed: see Note [Changes in place]."""
    make = low.make
    first = _writable(low, array) if comes_first(array, places, value) else None
    given = given_subscripts(low, places)
    is_kept = len(given) == 1 and given[0].filtered is not None
    if not is_kept:
        given = [_safe(low, _computed(low, numbers), array) for numbers in given]
    new = low.deferred_array(value)
    new = _safe(low, _computed(low, new), array)
    if isinstance(value, Name) and value.name != _old_name(low, array):
        low.bind(value.name, new)
    if is_kept:
        kept, before = given[0], _before(low, array)
        if before is not None:
            chosen = Subscript(kept, before.shape[0], site(faults.INDEX_RANGE), origin_of(op))
            kept = right_places(low, known(chosen), _as_many(low, new, site)).numbers
        given = [_safe(low, _computed(low, kept), array)]
    a = _writable(low, array) if first is None else first
    shape = tuple([n for numbers in given for n in numbers.shape])
    if new.rank:
        new = extended(low, new, shape, site(faults.NOT_SELECTED))
    else:
        new = from_scalar(make, low.named(new.at(), "x"), shape)
    subscripts = subscripts_of(low, op, given, a.shape, site)
    assert a.buffer is not None
    index = tuple([make.index(f"i{k}" if len(shape) > 1 else "i", n) for k, n in enumerate(shape)])
    numbers = _numbers(subscripts, index)
    position = from_index(make, a.shape, tuple([make.sub(n, make.one) for n in numbers]))
    body = change(make.read(a.buffer, position), new.at(*index))
    if not shape:
        low.emit(Store(a.buffer, position, body))
        return low.taken(a) if reads else a
    guard: Exp = make.true
    for subscript, number in zip(subscripts, numbers, strict=True):
        holds = subscript.holds(number)
        right = holds if make.settings.unsafe else subscript.checked(make.true, number)
        guard = make.call(p.ANDB, guard, right)
    ordered = not all(s.is_distinct() for s in subscripts)
    is_plain = guard is make.true and not reads
    condition = None if is_plain else guard
    low.emit(Map(a.buffer, Space(index, shape), position, body, condition, ordered))
    if isinstance(value, Name):
        low.settled(value.name)
    return a


def _as_many(low: Lowering, new: Pull, site: SiteOf) -> Asked | None:
    """What asks for as many new values as there are places, or one; None if that is a scalar."""
    if not new.rank:
        return None
    make, (n,) = low.make, new.shape

    def ask(right: Exp, count: Exp) -> None:
        fits = make.call(p.ORB, make.call(p.EQI, count, n), make.call(p.EQI, n, make.one))
        low.require(make.call(p.ORB, right, fits), site(faults.NOT_SELECTED), count, n)

    return ask


def _computed(low: Lowering, a: Pull) -> Pull:
    return low.materialise(a) if a.filtered is not None else a


def _writable(low: Lowering, array: Arg) -> Pull:
    """The array to be changed, in memory that nobody else has, under a name that nobody has read."""
    a = low.array(array)
    if isinstance(array, Op) and array.prim is p.COPY:
        return a
    if isinstance(array, Op) and array.prim in (p.UPDATE, p.MODIFY) and low.owns(a.buffer):
        return low.taken(a)
    return low.materialise(a)


def _before(low: Lowering, array: Arg) -> Pull | None:
    """The variable of which a copy is changed; None if it is no array with a name."""
    copied = array.args[0] if isinstance(array, Op) and array.prim is p.COPY else array
    value = low.value_of(copied.name) if isinstance(copied, Name) else None
    return value if isinstance(value, Pull) and value.filtered is None else None


def _safe(low: Lowering, a: Pull, array: Arg) -> Pull:
    """A value that does not read the memory that the change takes over."""
    name = _old_name(low, array)
    if not name:
        return a
    old = low.value_of(name)
    assert isinstance(old, Pull)
    if not low.owns(old.buffer) or old.buffer not in buffers_read(*a.shape, a.sample()):
        return a
    return low.materialise(a) if a.rank else from_scalar(low.make, low.named(a.at(), "x"))


def _old_name(low: Lowering, array: Arg) -> str:
    """The variable whose memory the change takes over, if it is its last use."""
    found = copied(array)
    return "" if found is None or low.uses.last_copies.get(id(found[1])) is None else found[0]


@lowers(p.COPY)
def _copy(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """The array in memory of its own, so that it may be changed, or of a variable that is not used again."""
    a = low.array(op.args[0])
    live = low.uses.last_copies.get(id(op))
    if live is not None and a.buffer is not None and low.owns(a.buffer):
        is_alone = id(op) in low.uses.alone and low.on_host
        if low.is_dead(a.buffer, live) or (is_alone and low.is_left(a, live)):
            return low.taken(a)
    return low.materialise(a, low.site(faults.NO_MEMORY, op.symbol, op.span), OWN_MEMORY)


@lowers(p.MATERIALISE)
def _materialise(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a = low.array(op.args[0])
    if not a.rank:
        return from_scalar(low.make, low.named(a.at(), "x"))
    result = low.materialise(a, site(faults.NO_MEMORY), asked=True)
    assert result.buffer is not None
    low.decisions.kept(result.buffer, op.span, "⌷ asks for it")
    return result


# --- checks -----------------------------------------------------------------------------------------------


@lowers(p.SINGLE)
def _single(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    a = low.forced(low.array(op.args[0]))
    low.require(make.call(p.EQI, a.size, make.one), site(faults.ONE_ELEMENT), a.size)
    return from_scalar(make, low.named(a.at(*[make.zero for _ in a.shape]), "x"))


@lowers(p.OF_LENGTH)
def _of_length(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    n, a = low.array(op.args[0]).at(), low.forced(low.array(op.args[1]))
    size = a.shape[0]
    one = low.once(make.call(p.EQI, size, make.one), "one")
    fits = make.call(p.ORB, one, make.call(p.EQI, size, n))
    low.require(fits, site(faults.OF_LENGTH), n, size)
    return Pull(make, a.ty, (n,), lambda i: a.at(make.select(one, make.zero, i)))


@lowers(p.NO_RESULT)
def _no_result(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a = low.array(op.args[0])
    low.require(low.make.false, site(faults.NO_RESULT))
    return a


# --- transposition ----------------------------------------------------------------------------------------


@lowers(p.TRANSP2)
def _transpose_by(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`axes⍉a`: axis i becomes axis `axes[i]`."""
    a = low.array(op.args[1])
    axes = constants_of(op.args)[0]
    if axes is None:
        return _transposed_by_data(low, low.array(op.args[0]), a, site(faults.NO_PERMUTATION))
    if sorted(axes) != list(range(1, a.rank + 1)):
        low.require(low.make.false, site(faults.NO_PERMUTATION))
        return a
    return transposed_by(a, tuple([axis - 1 for axis in axes])) if axes else a


def _transposed_by_data(low: Lowering, axes: Pull, a: Pull, site: Site) -> Pull:
    """The extents and strides of the axes are chosen when the program runs."""
    make = low.make
    if not a.rank:
        return a
    chosen = [low.named(axes.at(make.const(k)), "axis") for k in range(a.rank)]
    a = low.materialise(a) if a.flat is None else low.shared(a)
    strides = [make.product(a.shape[k + 1 :]) for k in range(a.rank)]
    is_permutation: Exp = make.true
    extents: list[Exp] = []
    steps: list[Exp] = []
    for target in range(1, a.rank + 1):
        some: Exp = make.false
        extent: Exp = make.zero
        step: Exp = make.zero
        for axis, n, stride in zip(chosen, a.shape, strides, strict=True):
            is_it = make.call(p.EQI, axis, make.const(target))
            some = make.call(p.ORB, some, is_it)
            extent, step = make.select(is_it, n, extent), make.select(is_it, stride, step)
        is_permutation = make.call(p.ANDB, is_permutation, some)
        extents.append(low.counted(extent, (make.zero,), ()))
        steps.append(low.counted(step, (make.zero,), ()))
    low.require(is_permutation, site)

    def element(index: Index) -> Exp:
        position: Exp = make.zero
        for i, step in zip(index, steps, strict=True):
            position = make.add(position, make.mul(i, step))
        return a.at_flat(position)

    return Pull(make, a.ty, tuple(extents), axes=element)
