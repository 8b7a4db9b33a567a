"""Subscripts: the numbers that select along the axes of an array, and what is known of them.

Note [Subscripts]
    An index condition that is known to hold costs nothing. Numbers in steps, `k+⍳n`, are checked at their two
    ends, before anything is read: what they select is a slice. Of one array of other subscripts the condition
    is checked with each element that is read or written. Where there are several, those that may be wrong
    are checked and written to memory first: they are used many times, or never if another one is empty.

Note [Places of a longer mask]
    The places come in order, so those that v has not come last. They are looked for among the elements of the
    mask behind the length of v, of which there are most often none, before anything is read:

        m = n⌊≢v      wrong = first i ≥ m where b[i]      check there is none

    What is left is as many elements of the mask as v has, at most, and each place that it keeps is right:
    what reads at these places is a fold or a filter over the mask, and asks nothing. Of places that are in
    memory the last is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.program import HostLet
from aplc.laila.ir.scalar import QUOT, Call, Const, Exp, Site, Sum, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import LONGEST_TABLE, constant_elements, is_at_ends
from aplc.laila.lowering.lowered import leaves_of
from aplc.laila.lowering.places import origin_of, told
from aplc.laila.lowering.pull import Filtered, Pull, from_buffer, from_scalar, kept
from aplc.laila.lowering.scalars import SiteOf
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.faults import Fault
from aplc.tail.prims import INT_MAX
from aplc.tail.syntax import Arg, Fn, Op, PrimFn, TupleExp
from aplc.tail.types import Base

Index = tuple[Exp, ...]
Asked = Callable[[Exp, Exp], None]
"""What asks of places: it gets whether all are right, and how many there are if not."""

MAX_STEP = 1 << 12
"""Longer steps are not taken for a slice."""


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
        if self.numbers.is_ascending:
            return True
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
        const, terms = make.linear(numbers.at(*indices))
        first = make.from_linear(const, {atom: k for atom, k in terms.items() if atom not in indices})
        by = tuple([make.const(terms.get(i, 0)) for i in indices])
        if len(indices) == 1:
            first, more = _with_factors(make, first, indices[0])
            by = (make.add(by[0], more),)
        is_plain = isinstance(first, Const) or _is_plain(first, indices)
        least = 1 if numbers.rank > 1 else -MAX_STEP
        return Steps(first, by) if is_plain and all(_is_step(make, step, least) for step in by) else None


def _with_factors(make: ExprBuilder, exp: Exp, index: Var) -> tuple[Exp, Exp]:
    """What an expression is where an index is 0, and how much more at the next, of products of the index, or
    of what is made of it in steps, with a variable.
    """
    const, terms = make.linear(exp)
    first, by = make.const(const), make.zero
    for atom, k in terms.items():
        factors = atom.args if isinstance(atom, Call) and atom.op is p.MULI else ()
        for factor, part in zip(factors, reversed(factors), strict=True):
            begin, steps = make.linear(part)
            step = steps.pop(index, 0)
            if step and isinstance(factor, Var) and factor is not index:
                by = make.add(by, make.mul(make.const(k * step), factor))
                atom = make.mul(factor, make.from_linear(begin, steps))
                break
        first = make.add(first, make.mul(make.const(k), atom))
    return first, by


def _is_step(make: ExprBuilder, step: Exp, least: int) -> bool:
    """Whether a step is not 0: a constant that is not long, or what is known to be positive."""
    if isinstance(step, Const):
        return step.value != 0 and least <= step.value <= MAX_STEP
    return make.at_least(step, make.one)


def _is_plain(exp: Exp, indices: Index) -> bool:
    """Whether an expression is made of variables other than indices."""
    atoms = [atom for atom, _ in exp.terms] if isinstance(exp, Sum) else [exp]
    return all(isinstance(atom, Var) and atom not in indices for atom in atoms)


@dataclass(frozen=True, slots=True)
class Steps:
    """Numbers `first + +/i×by`, by the index i, where no step is 0; where there are several, none is less. Of
    one axis the step may be no constant, and is positive then.
    """

    first: Exp
    by: tuple[Exp, ...]


def given_subscripts(low: Lowering, arg: Arg) -> list[Pull]:
    """The subscripts as they are given."""
    if isinstance(arg, TupleExp):
        values = [low.deferred(item) for item in arg.items]
    else:
        assert not isinstance(arg, Fn | PrimFn)
        values = [low.lower(arg)]
    return [a for value in values for a in leaves_of(value)]


def subscripts_of(low: Lowering, op: Op, given: list[Pull], shape: Index, site: SiteOf) -> list[Subscript]:
    """The subscripts of all axes, the first ones checked as far as that is done beforehand."""
    origin = origin_of(op)
    arrays = sum([a.rank > 0 for a in given])
    result: list[Subscript] = []
    for axis, (numbers, extent) in enumerate(zip(given, shape, strict=True), start=1):
        fault = faults.INDEX_RANGE if len(shape) == 1 else of_axis(axis, origin)
        subscript = known(Subscript(numbers, extent, site(fault), origin))
        if numbers.rank == 0:
            numbers = from_scalar(low.make, right_number(low, subscript, numbers.at()))
            subscript = replace(subscript, is_checked=True)
        elif numbers.is_ascending:
            subscript = right_places(low, subscript)
        elif (arrays > 1 or low.on_host) and (steps := subscript.steps()) is not None:
            subscript = right_at_ends(low, subscript, steps)
        elif arrays > 1:
            numbers = _all_right(low, subscript)
            subscript = replace(subscript, is_checked=True)
        result.append(replace(subscript, numbers=numbers))
    return result


def known(subscript: Subscript) -> Subscript:
    """Numbers that are checked if they are known to be right, whichever index tells them."""
    return replace(subscript, is_checked=subscript.is_right())


def right_at_ends(low: Lowering, subscript: Subscript, steps: Steps) -> Subscript:
    """Numbers in steps, checked here and now; the first one that is wrong is reported. No more of them than
    the axis has elements are right, so what is computed of them does not wrap.
    """
    if subscript.is_checked:
        return subscript
    make, shape = low.make, subscript.numbers.shape
    by = [int(step.value) for step in steps.by if isinstance(step, Const)]
    if len(by) < len(steps.by):
        holds, wrong = _by_variable(make, subscript, steps)
    else:
        holds, wrong = _by_constants(make, subscript, steps.first, by)
    ok = make.call(p.ORB, make.call(p.EQI, make.product(shape), make.zero), holds)
    low.require(ok, subscript.site, subscript.told(wrong), subscript.extent)
    return replace(subscript, is_checked=True)


def _by_constants(
    make: ExprBuilder, subscript: Subscript, first: Exp, steps: Sequence[int]
) -> tuple[Exp, Exp]:
    """Whether numbers are right, if there are any, and the first one that is not."""
    extent, shape = subscript.extent, subscript.numbers.shape
    last, reaches = first, list[Exp]()
    for n, by in zip(shape, steps, strict=True):
        reaches.append(make.mul(make.const(by), make.sub(n, make.one)))
        last = make.add(last, reaches[-1])
    starts = subscript.holds(first)
    holds = make.call(p.ANDB, starts, subscript.holds(last))
    for n, by in zip(shape, steps, strict=True):
        if abs(by) > 1:
            holds = make.call(p.ANDB, make.call(p.LTEI, n, extent), holds)
    wrong, behind = first, make.sub(last, first)
    for by, reach in zip(steps, reaches, strict=True):
        behind = make.sub(behind, reach)
        room = make.sub(make.sub(extent, wrong), behind) if by > 0 else make.sub(wrong, make.one)
        beyond = make.call(p.MAXI, make.add(room, make.const(abs(by))), make.zero)
        beyond = make.call(QUOT, beyond, make.const(abs(by)))
        wrong = make.add(wrong, make.mul(make.const(by), beyond))
    return holds, make.select(starts, wrong, first)


def _by_variable(make: ExprBuilder, subscript: Subscript, steps: Steps) -> tuple[Exp, Exp]:
    """The same of numbers in steps of any length: how many have room is divided, as a product may wrap."""
    (n,), (by,), first = subscript.numbers.shape, steps.by, steps.first
    starts = subscript.holds(first)
    room = make.call(p.MAXI, make.sub(subscript.extent, first), make.zero)
    beyond = make.add(make.call(QUOT, room, by), make.one)
    holds = make.call(p.ANDB, starts, make.call(p.LTEI, n, beyond))
    return holds, make.select(starts, make.add(first, make.mul(by, beyond)), first)


def of_axis(axis: int, origin: int) -> Fault:
    """The fault of an index that an axis has not, which reports the index and the extent."""
    axis += origin - 1
    fault = faults.INDEX_AXIS
    return replace(fault, template=fault.template.replace("{1}", str(axis)).replace("{2}", "{1}"))


def right_number(low: Lowering, subscript: Subscript, number: Exp) -> Exp:
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
    if (constants := constant_elements(numbers)) is not None and len(constants) <= LONGEST_TABLE:
        _require_constants(low, subscript, [int(constant) for constant in constants])
        return numbers
    memory = low.site(faults.NO_MEMORY, "", None)
    buffer = low.index_buffer(numbers.size, (make.one,), (subscript.extent,), memory)
    low.fill_buffer(buffer, numbers.mapped(lambda number: subscript.checked(number, number), Base.INT))
    return from_buffer(make, buffer, numbers.shape)


def _require_constants(low: Lowering, subscript: Subscript, numbers: Sequence[int]) -> None:
    """An error that tells the first of some constants that is wrong. One between those before it is right if
    they are.
    """
    least, most = 1, 0
    for number in numbers:
        if not least <= number <= most:
            right_number(low, subscript, low.make.const(number))
        least, most = min(least, number), max(most, number)


def right_places(low: Lowering, subscript: Subscript, asked: Asked | None = None) -> Subscript:
    """The numbers `⍸b`, or what a mask keeps of `⍳n`, checked here and now as places of an axis: see Note
    [Places of a longer mask]. Any other subscript as it is. What is asked of how many a mask keeps comes
    before the error of a place that is wrong.
    """
    numbers = subscript.numbers
    if subscript.is_checked or not low.on_host:
        return subscript
    if numbers.filtered is not None:
        return _kept_places(low, subscript, numbers.filtered, asked)
    return _ascending_places(low, subscript) if numbers.is_ascending else subscript


def _kept_places(low: Lowering, subscript: Subscript, parts: Filtered, asked: Asked | None) -> Subscript:
    """Places that are not computed, of as many elements of the mask as the axis has."""
    make, extent, mask = low.make, subscript.extent, parts.mask
    (n,) = mask.shape
    i = make.sample_index(n)
    if make.sub(parts.source.at(i), i) is not make.one or mask.weight.may_fail:
        return subscript
    if make.at_least(extent, n) or low.same_extent(extent, n):
        return subscript
    least = _require_places(low, subscript, mask, asked)
    source, chosen = [Pull(make, a.ty, (least,), a.at_flat) for a in (parts.source, mask)]
    return known(replace(subscript, numbers=kept(source, chosen)))


def _require_places(low: Lowering, subscript: Subscript, mask: Pull, asked: Asked | None = None) -> Exp:
    """An error unless all places of a mask are right; how many of its elements have a place. The mask is
    counted only where one is wrong.
    """
    make, extent, (n,) = low.make, subscript.extent, mask.shape
    least = low.extent(make.call(p.MINI, n, extent), n, extent)
    behind: Callable[[Exp], Exp] = lambda k: make.add(k, least)  # noqa: E731

    def before(right: Exp) -> None:
        if asked is not None:
            some = low.named(make.select(right, make.zero, n), "n")
            k = make.index("k", some)
            low.decisions.place(k)
            one = make.select(mask.at(k), make.one, make.zero)
            asked(right, low.named(make.fold(p.ADDI, k, some, one, make.zero), "count"))

    _require_none(low, subscript, make.sub(n, least), lambda k: mask.at(behind(k)), behind, before)
    return least


def _ascending_places(low: Lowering, subscript: Subscript) -> Subscript:
    """Places in memory, of which the last tells whether one is wrong, if not the mask."""
    make, numbers, extent = low.make, subscript.numbers, subscript.extent
    if numbers.places is not None:
        _require_places(low, subscript, numbers.places.mask)
        return replace(subscript, is_checked=True)
    (n,) = numbers.shape
    last = make.select(make.call(p.LTI, make.zero, n), numbers.at(make.sub(n, make.one)), make.zero)
    is_right = make.call(p.LTEI, low.named(last, "last"), extent)
    asked = low.named(make.select(is_right, make.zero, n), "n")
    _require_none(
        low,
        subscript,
        asked,
        lambda k: make.call(p.GTI, numbers.at(k), extent),
        lambda k: make.sub(numbers.at(k), make.one),
    )
    return replace(subscript, is_checked=True)


def _require_none(
    low: Lowering,
    subscript: Subscript,
    extent: Exp,
    is_wrong: Callable[[Exp], Exp],
    place: Callable[[Exp], Exp],
    before: Callable[[Exp], None] = lambda right: None,
) -> None:
    """An error that tells the first place, from 0, of those that are wrong, if there is one; behind what is
    asked before, which is told whether there is none.
    """
    make, none = low.make, low.make.const(INT_MAX)
    k = make.index("k", extent)
    low.decisions.place(k)
    found = make.select(is_wrong(k), make.add(place(k), make.one), none)
    first = low.named(make.fold(p.MINI, k, extent, found, none), "wrong")
    right = make.call(p.EQI, first, none)
    before(right)
    low.require(right, subscript.site, subscript.told(first), subscript.extent)
