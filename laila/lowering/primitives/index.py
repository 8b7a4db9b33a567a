"""The lowering of indexing, of assignment by index, and of the checks and copies that go with assignments.

Note [Subscripts]
    An index condition that is known to hold costs nothing. Numbers in steps, `k+⍳n`, are checked at their two
    ends, before anything is read: what they select is a slice. Of one array of other subscripts the condition
    is checked with each element that is read or written. Where there are several, those that may be wrong
    are checked and written to memory first: they are used many times, or never if another one is empty.

Note [Changes in place]
    `update` writes to the memory of its first argument, a copy that takes over the memory of a variable
    if that is its last use. New values and subscripts that read this memory are therefore computed first.
    Where elements of the old array have been read on the way, the new one has another name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import HostLet, Map, Space, Store
from aplc.laila.ir.scalar import QUOT, Const, Exp, Site, Sum, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import OWN_MEMORY
from aplc.laila.lowering.keeping import is_at_ends
from aplc.laila.lowering.lowered import leaves_of
from aplc.laila.lowering.places import origin_of, told
from aplc.laila.lowering.primitives.select import extended, mapped
from aplc.laila.lowering.pull import Pull, fill, from_buffer, from_index, from_scalar, transposed_by
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.faults import Fault
from aplc.tail.syntax import Arg, Fn, Op, PrimFn, TupleExp, constants_of
from aplc.tail.syntax import Var as Name
from aplc.tail.types import Base

Index = tuple[Exp, ...]

MAX_STEP = 1 << 12
"""Longer steps are not taken for a slice."""


# --- subscripts -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Subscript:
    """Numbers from 1 that select along one axis of an array."""

    numbers: Pull
    extent: Exp
    site: Site
    origin: int = 1
    """From which the text counts them, as a failure tells it."""
    is_checked: bool = False

    def told(self, number: Exp) -> Exp:
        """A number as the text counts it."""
        return told(self.numbers.make, number, self.origin)

    def holds(self, number: Exp) -> Exp:
        """Whether the axis has such an element."""
        make = self.numbers.make
        if self.is_checked:
            return make.true
        above = make.call(p.GTEI, number, make.one)
        return make.call(p.ANDB, above, make.call(p.LTEI, number, self.extent))

    def checked(self, value: Exp, number: Exp) -> Exp:
        """The value, provided that the axis has such an element."""
        return self.numbers.make.check(self.holds(number), value, self.site, self.told(number), self.extent)

    def is_right(self) -> bool:
        """Whether all numbers are known to be right: where there is one, no axis of them is empty."""
        make, number = self.numbers.make, self.numbers.sample()
        with make.assuming({n: make.one for n in self.numbers.shape if isinstance(n, Var)}):
            return self.holds(number) is make.true

    def is_distinct(self) -> bool:
        """Whether all numbers are known to be different."""
        kept = self.numbers.filtered
        whole = self if kept is None else replace(self, numbers=kept.source)
        return whole.numbers.rank == 0 or (whole.numbers.rank == 1 and whole.steps() is not None)

    def steps(self) -> Steps | None:
        """The numbers as steps along their axes, if they are any."""
        numbers = self.numbers
        if numbers.rank == 0 or numbers.filtered is not None:
            return None
        make = numbers.make
        indices = tuple([make.sample_index(n) for n in numbers.shape])
        if len(set(indices)) < len(indices):  # axes of one length
            indices = tuple([make.index("i", n) for n in numbers.shape])
        sample = numbers.at(*indices)
        _, terms = make.linear(sample)
        by = tuple([terms.get(i, 0) for i in indices])
        first = sample
        for step, i in zip(by, indices, strict=True):
            first = make.sub(first, make.mul(make.const(step), i))
        least = 1 if numbers.rank > 1 else -MAX_STEP
        are_steps = all(step and least <= step <= MAX_STEP for step in by)
        is_plain = isinstance(first, Const) or _is_plain(first, indices)
        return Steps(first, by) if are_steps and is_plain else None


def _is_plain(exp: Exp, indices: Index) -> bool:
    """Whether an expression is made of variables other than indices."""
    atoms = [atom for atom, _ in exp.terms] if isinstance(exp, Sum) else [exp]
    return all(isinstance(atom, Var) and atom not in indices for atom in atoms)


@dataclass(frozen=True, slots=True)
class Steps:
    """Numbers `first + +/i×by`, by the index i, where no step is 0; where there are several, none is less."""

    first: Exp
    by: tuple[int, ...]


def _given(low: Lowering, arg: Arg) -> list[Pull]:
    """The subscripts as they are given."""
    if isinstance(arg, TupleExp):
        values = [low.deferred(item) for item in arg.items]
    else:
        assert not isinstance(arg, Fn | PrimFn)
        values = [low.lower(arg)]
    return [a for value in values for a in leaves_of(value)]


def _subscripts(low: Lowering, op: Op, given: list[Pull], shape: Index, site: SiteOf) -> list[Subscript]:
    """The subscripts of all axes, the first ones checked as far as that is done beforehand."""
    origin = origin_of(op)
    arrays = sum([a.rank > 0 for a in given])
    result: list[Subscript] = []
    for axis, (numbers, extent) in enumerate(zip(given, shape, strict=True), start=1):
        fault = faults.INDEX_RANGE if len(shape) == 1 else _of_axis(axis, origin)
        subscript = _known(Subscript(numbers, extent, site(fault), origin))
        if numbers.rank == 0:
            numbers = from_scalar(low.make, _right(low, subscript, numbers.at()))
            subscript = replace(subscript, is_checked=True)
        elif (arrays > 1 or low.on_host) and (steps := subscript.steps()) is not None:
            subscript = _right_at_ends(low, subscript, steps)
        elif arrays > 1:
            numbers = _all_right(low, subscript)
            subscript = replace(subscript, is_checked=True)
        result.append(replace(subscript, numbers=numbers))
    return result


def _known(subscript: Subscript) -> Subscript:
    """Numbers that are checked if they are known to be right, whichever index tells them."""
    return replace(subscript, is_checked=subscript.is_right())


def _right_at_ends(low: Lowering, subscript: Subscript, steps: Steps) -> Subscript:
    """Numbers in steps, checked here and now; the first one that is wrong is reported. No more of them than
    the axis has elements are right, so what is computed of them does not wrap.
    """
    if subscript.is_checked:
        return subscript
    make, extent, shape = low.make, subscript.extent, subscript.numbers.shape
    first, last, reaches = steps.first, steps.first, list[Exp]()
    for n, by in zip(shape, steps.by, strict=True):
        reaches.append(make.mul(make.const(by), make.sub(n, make.one)))
        last = make.add(last, reaches[-1])
    starts = subscript.holds(first)
    holds = make.call(p.ANDB, starts, subscript.holds(last))
    for n, by in zip(shape, steps.by, strict=True):
        if abs(by) > 1:
            holds = make.call(p.ANDB, make.call(p.LTEI, n, extent), holds)
    wrong, behind = first, make.sub(last, first)
    for by, reach in zip(steps.by, reaches, strict=True):
        behind = make.sub(behind, reach)
        room = make.sub(make.sub(extent, wrong), behind) if by > 0 else make.sub(wrong, make.one)
        beyond = make.call(p.MAXI, make.add(room, make.const(abs(by))), make.zero)
        beyond = make.call(QUOT, beyond, make.const(abs(by)))
        wrong = make.add(wrong, make.mul(make.const(by), beyond))
    ok = make.call(p.ORB, make.call(p.EQI, make.product(shape), make.zero), holds)
    low.require(ok, subscript.site, subscript.told(make.select(starts, wrong, first)), extent)
    return replace(subscript, is_checked=True)


def _of_axis(axis: int, origin: int) -> Fault:
    """The fault of an index that an axis has not, which reports the index and the extent."""
    axis += origin - 1
    fault = faults.INDEX_AXIS
    return replace(fault, template=fault.template.replace("{1}", str(axis)).replace("{2}", "{1}"))


def _right(low: Lowering, subscript: Subscript, number: Exp) -> Exp:
    """A single number, checked here and now."""
    make = low.make
    if isinstance(number, Const):
        low.require(subscript.holds(number), subscript.site, subscript.told(number), subscript.extent)
        return number
    highs = (subscript.extent,) if make.counts(subscript.extent) else ()
    known = Var(make.fresh("i"), Base.INT, True, (make.one,), highs)
    unknown = Var(known.name, Base.INT)
    low.emit(HostLet(known, number))
    low.require(subscript.holds(unknown), subscript.site, subscript.told(unknown), subscript.extent)
    return known


def _all_right(low: Lowering, subscript: Subscript) -> Pull:
    """Numbers that are known to be right, and cheap."""
    make, numbers = low.make, subscript.numbers
    if subscript.is_checked:
        return numbers if is_at_ends(make, numbers) else low.shared(numbers)
    memory = low.site(faults.NO_MEMORY, "", None)
    buffer = low.index_buffer(numbers.size, (make.one,), (subscript.extent,), memory)
    low.fill_buffer(buffer, numbers.mapped(lambda number: subscript.checked(number, number), Base.INT))
    return from_buffer(make, buffer, numbers.shape)


# --- reading ----------------------------------------------------------------------------------------------


@lowers(p.INDEX)
def _index(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    given = _given(low, op.args[0])
    a = low.forced(low.array(op.args[1]))
    if len(given) == 1 or not (low.on_host or any(numbers.rank for numbers in given)):
        return _read_each(low, op, given, a, site)
    subscripts = _subscripts(low, op, [_computed(low, numbers) for numbers in given], a.shape, site)
    if not all(s.is_distinct() for s in subscripts):
        a = low.shared(a)
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
    faults_of = [faults.INDEX_RANGE] if a.rank == 1 else [_of_axis(k + 1, origin) for k in range(a.rank)]
    subscripts = [
        _known(Subscript(n, m, site(f), origin)) for n, m, f in zip(given, a.shape, faults_of, strict=True)
    ]
    if a.rank == 1:
        (only,) = subscripts
        if low.on_host and (steps := only.steps()) is not None:
            only = _right_at_ends(low, only, steps)
        a = a if only.is_distinct() else low.shared(a)
        return mapped(low, only.numbers, lambda number: _at(subscripts, a, (number,)), a.ty)
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
    """The element at some numbers, each of which is checked unless it is known to be right."""
    make = a.make
    value = make.select(_all_hold(subscripts, numbers), _element(a, numbers), fill(make, a.ty))
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
    given = [_safe(low, a, array) for numbers in _given(low, places) for a in [_computed(low, numbers)]]
    new = _safe(low, low.array(value), array)
    if isinstance(value, Name) and value.name != _old_name(low, array):
        low.bind(value.name, new)
    a = _writable(low, array)
    subscripts = _subscripts(low, op, given, a.shape, site)
    shape = tuple([n for s in subscripts for n in s.numbers.shape])
    if new.rank:
        new = extended(low, new, shape, site(faults.NOT_SELECTED))
    else:
        new = from_scalar(make, low.named(new.at(), "x"), shape)
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
    return a


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
    while isinstance(array, Op) and array.prim in (p.UPDATE, p.MODIFY):
        array = array.args[array.prim is p.MODIFY]
    if not (isinstance(array, Op) and array.prim is p.COPY and isinstance(array.args[0], Name)):
        return ""
    return "" if low.uses.last_copies.get(id(array)) is None else array.args[0].name


@lowers(p.COPY)
def _copy(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """The array in memory of its own, so that it may be changed, or of a variable that is not used again."""
    a = low.array(op.args[0])
    live = low.uses.last_copies.get(id(op))
    if live is not None and a.buffer is not None and low.owns(a.buffer) and low.is_dead(a.buffer, live):
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
