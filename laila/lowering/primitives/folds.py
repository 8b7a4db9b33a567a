"""The lowering of reductions and inner products to folds.

A reduction is a fold of pull elements; an associative primitive may be applied in any order, every other
function is a step that is applied from the right. A few elements are written out, and a whole array is
folded axis by axis.

Note [Masks of narrow elements]
    Of a choice, C reads the element that is wanted only. Processors read 4 or 8 bytes under a mask in lanes,
    but not 1 or 2, and C compilers do not know that the others can be read, too: the loop would branch. So
    the choice is one of both, and where integers are summed, `m ? x : 0` is m × x.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.bit_slices import fold_of_bits, on_low_bits
from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import HostLet, If, Statement
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.rules.folds import first_place
from aplc.laila.ir.scalar import (
    BIT_FIELD,
    CHOSEN,
    CHOSEN_INTEGER,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    MayFail,
    PureCall,
    Read,
    Select,
    Step,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import do
from aplc.laila.ir.strides import order_in_memory
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import has_folds
from aplc.laila.lowering.pull import Filtered, Pull, fill, from_buffer, from_scalar, weigh
from aplc.laila.lowering.scalars import CUTTING, SiteOf, joined, may_reassociate, neutral
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Op, PrimFn
from aplc.tail.syntax import Var as Name
from aplc.tail.types import Base

LEAST_MASKED = 4
"""The fewest bytes that processors read under a mask."""

LONG_ROW = 16
"""So many truth values of a row are searched faster in lanes than they run one by one."""

UNROLL = 4
"""So many elements are written out."""

UNROLL_CONSTANTS = 16
"""The same where they differ in constants only, as the terms of a polynomial do."""

UNROLL_COST = 256
"""What all of the latter may cost."""


_KEPT = Check | BlockExp | Fold | Select
"""What has errors of its own, or computes some of its operands only."""


@dataclass(frozen=True, slots=True)
class Reducer:
    """A reduction's function: how two values combine, as a fold sees it, and the value for no elements."""

    combine: Prim | Step
    apply: Callable[..., Exp]
    empty: Exp | None
    span: Span | None = None
    """Where the reduction stands; None: where the application at hand does."""
    in_parts: bool = False
    """Whether it is a sum of complex numbers, and sums may be taken in any order."""
    in_loops: bool = False
    """Whether elements are not written out, however few there are."""


def reducer_of(low: Lowering, function: Arg, ty: Base, empty: Exp | None, *, counts: bool = False) -> Reducer:
    """How a function combines values; those that count are zero and one."""
    apply = low.function(function)
    if isinstance(function, PrimFn) and (
        may_reassociate(low.make, function.prim) or (counts and function.prim is p.ADDI)
    ):
        return Reducer(function.prim, apply, empty, low.decisions.subject.span)
    element = Var(low.make.fresh("x"), ty)
    accumulator = Var(low.make.fresh("s"), ty)
    step = Step(element, accumulator, apply(element, accumulator))
    is_complex_sum = isinstance(function, PrimFn) and function.prim is p.ADDZ
    in_parts = is_complex_sum and may_reassociate(low.make, p.ADDD)
    return Reducer(step, apply, empty, low.decisions.subject.span, in_parts)


def fold_to_scalar(low: Lowering, reducer: Reducer, extent: Exp, element: Callable[[Exp], Exp]) -> Exp:
    """The same where it is the only one. Of complex numbers on the host the sums of the parts share a loop,
    in lanes; elsewhere they would be two.
    """
    if reducer.in_parts and low.on_host:
        reducer = replace(reducer, combine=p.ADDZ)
    return fold(low, reducer, extent, element)


def fold(low: Lowering, reducer: Reducer, extent: Exp, element: Callable[[Exp], Exp]) -> Exp:
    """The reduction of `element(0)` to `element(extent-1)`; a few are written out."""
    make = low.make
    count = int(extent.value) if isinstance(extent, Const) and not reducer.in_loops else 0
    if 0 < count <= UNROLL:
        return written_out(make, reducer.apply, [element(make.const(k)) for k in range(count)])
    var = make.index("k", extent)
    body = element(var)
    if (one := _kept_alone(make, reducer, body)) is not None:
        kept = element(make.zero if one else make.sub(extent, make.one))
        none = reducer.empty
        return kept if none is None else make.select(make.call(p.EQI, extent, make.zero), none, kept)
    if count and (value := fold_of_bits(make, reducer.apply, var, count, body)) is not None:
        return value
    if 0 < count <= UNROLL_CONSTANTS and (differ_in_constants(body, var) or differ_in_form(body, var)):
        elements = [element(make.const(k)) for k in range(count)]
        cost = weigh(*elements).cost
        few = cost <= UNROLL_COST and 2 * max([weigh(e).cost for e in elements]) <= weigh(body).cost
        if few or (cost <= UNROLL_COST and differ_in_constants(body, var)):
            is_sum = reducer.combine is p.ADDD
            return written_out(make, partial(_added, make) if is_sum else reducer.apply, elements)
    low.decisions.place(var, reducer.span)
    combine: Prim | Step = reducer.combine
    if isinstance(combine, Step) and (words := on_low_bits(make, combine)) is not None:
        combine, mask = words
        total = make.call(BIT_FIELD, make.fold(combine, var, extent, body, None), make.zero, mask)
    else:
        total = make.fold(combine, var, extent, body, reducer.empty)
    if combine in CUTTING and not isinstance(extent, Const):
        return make.select(make.call(p.EQI, extent, make.one), element(make.zero), total)
    return total


def _kept_alone(make: ExprBuilder, reducer: Reducer, body: Exp) -> bool | None:
    """Whether a reduction is its first element, as `⊣/` is, or its last one; None if it is no
    element alone, or others may fail.
    """
    step = reducer.combine
    if not isinstance(step, Step) or make.may_fail(body):
        return None
    return {id(step.element): True, id(step.accumulator): False}.get(id(step.body))


def written_out(make: ExprBuilder, apply: Callable[[Exp, Exp], Exp], elements: list[Exp]) -> Exp:
    """A reduction of known elements, from the right."""
    *rest, result = elements
    for element in reversed(rest):
        result = stepped(make, apply, element, result)
    return result


def stepped(make: ExprBuilder, apply: Callable[[Exp, Exp], Exp], element: Exp, result: Exp) -> Exp:
    """A step of a reduction that is written out. What may fail or prints in the element, and in the steps
    before it, is computed even where this step ignores it, or some of the time.
    """
    after = apply(element, result)
    fails = MayFail()
    if not (fails(element) or fails(result)):
        return after
    kept = {id(n) for n in unconditional((after,))}

    def is_lost(exp: Exp) -> bool:
        parts = [n for n in unconditional((exp,)) if isinstance(n, _KEPT)] if fails(exp) else []
        return any(id(n) not in kept for n in parts if fails(n))

    before: list[Statement] = []
    for exp in (result, element):
        if is_lost(exp):
            var = Var(make.fresh("s"), exp.ty)
            before.append(HostLet(var, exp))
            element, result = (var if each is exp else each for each in (element, result))
    return do(before, apply(element, result)) if before else after


def _added(make: ExprBuilder, element: Exp, rest: Exp) -> Exp:
    """One more term of a sum that may be taken in any order."""
    return joined(make, p.ADDD, rest, element)


def differ_in_constants(body: Exp, var: Var) -> bool:
    """Whether the elements of a fold are made, without loops, of something that they share and of constants
    that each of them has for itself.
    """
    parts = list(nodes(body))
    free = FreeVars()
    shared = any(isinstance(n, Var | Read) and var not in free.of(n) for n in parts)
    return (
        shared
        and not any(isinstance(n, Fold | BlockExp | PureCall) for n in parts)
        and all(n.buffer.data is not None for n in parts if isinstance(n, Read) and var in free.of(n))
    )


def differ_in_form(body: Exp, var: Var) -> bool:
    """Whether the elements of a fold are made, without loops, in ways that their numbers tell."""
    parts = list(nodes(body))
    if any(isinstance(n, Fold | BlockExp | PureCall) for n in parts):
        return False
    free = FreeVars()
    return any(isinstance(n, Select) and var in free.of(n.cond) for n in parts)


@lowers(p.REDUCE)
def reduce(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`f/a` with an identity item."""
    function, identity, array = op.args
    if (leading := _leading(low, function, array)) is not None:
        return leading
    a = low.deferred_array(array)
    counts = low.make.settings.check_overflow and are_conditions(a)
    return reduced(low, a, reducer_of(low, function, a.ty, low.array(identity).at(), counts=counts))


def _leading(low: Lowering, function: Arg, array: Arg) -> Pull | None:
    r"""`+/∧\a` and `+/∨\a` along rows: how many elements there are in front of the first that is not, or
    from the first that is. None if it is something else.
    """
    match function, array:
        case (
            PrimFn(prim=p.ADDI),
            Op(
                prim=p.EACH,
                args=(
                    PrimFn(prim=p.B2I) as number,
                    Op(prim=p.SCAN, args=(PrimFn(prim=p.ANDB | p.ORB as prim) as running, truths)) as scanned,
                ),
            ),
        ):
            pass
        case _:
            return None
    make, a = low.make, low.array(truths)
    name = make.fresh("leading")
    low.bind(name, a)
    numbers = replace(array, args=(number, replace(scanned, args=(running, Name(name, ty=scanned.ty)))))
    reducer = reducer_of(low, function, Base.INT, make.zero)
    if a.rank < 2 or not low.on_host or a.weight.may_fail or not goes_along_rows(low, a):
        return reduced(low, low.array(numbers), reducer)
    *others, n = [low.extent(n) for n in a.shape]
    rows = tuple(others)
    counts = low.allocated(Base.INT, make.product(rows), lows=(make.zero,), highs=(n,))
    with low.block() as in_lanes:
        places = first_places(a, rows, n, prim is p.ORB)
        found = places if prim is p.ANDB else places.mapped(lambda place: make.sub(n, place), Base.INT)
        low.fill_buffer(counts, found)
    with low.block() as one_by_one:
        low.fill_buffer(counts, reduced(low, low.array(numbers), reducer))
    is_long = make.call(p.GTEI, n, make.const(LONG_ROW))
    low.emit(If(is_long, tuple(with_frees(in_lanes)), tuple(with_frees(one_by_one))))
    return from_buffer(make, counts, rows)


def first_places(a: Pull, rows: tuple[Exp, ...], n: Exp, sought: bool) -> Pull:
    """Where what is sought is in each row of truth values for the first time; their number if nowhere."""
    make = a.make
    index = make.index("k", n)

    def first(ix: tuple[Exp, ...]) -> Exp:
        value = a.at(*ix, index)
        return first_place(make, value if sought else make.call(p.NOTB, value), index, n)

    return Pull(make, Base.INT, rows, axes=first)


def goes_along_rows(low: Lowering, a: Pull) -> bool:
    """Whether neighbours along the last axis are neighbours in memory."""
    indices = tuple([low.make.index("i", n) for n in a.shape])
    return order_in_memory(low.make, indices, a.at(*indices)) == tuple(range(a.rank))


def are_conditions(a: Pull) -> bool:
    """Whether the elements are zeros and ones that come from conditions."""
    sample = a.sample()
    return isinstance(sample, Call) and sample.op is p.B2I


@lowers(p.REDUCE1)
def reduce_nonempty(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`f/a` without one."""
    function, array = op.args
    a = low.array(array)
    require_elements(low, a.shape[-1], a.make.product(a.shape[:-1]), site)
    return reduced(low, a, reducer_of(low, function, a.ty, None))


def require_elements(low: Lowering, extent: Exp, results: Exp, site: SiteOf) -> None:
    """Something to reduce, or nothing to compute."""
    make = low.make
    some = make.call(p.GTI, extent, make.zero)
    none = make.call(p.EQI, results, make.zero)
    low.require(make.call(p.ORB, some, none), site(faults.EMPTY_REDUCTION))


def reduced(low: Lowering, a: Pull, reducer: Reducer) -> Pull:
    """The reduction of an array along its last axis."""
    make = low.make
    if a.filtered is not None:
        return _reduced_where(low, a, a.filtered, reducer)
    if a.rank == 1:
        inside = a.unravelled
        if inside is not None and isinstance(reducer.combine, Prim) and reducer.empty is not None:
            return from_scalar(make, _fold_axes(low, inside, reducer))
        if a.joined and pays_in_parts(a, reducer):
            return from_scalar(make, _fold_parts(low, a, reducer))
        return from_scalar(make, fold_to_scalar(low, reducer, a.shape[0], lambda k: a.at(k)))
    return Pull(
        make,
        a.ty,
        a.shape[:-1],
        axes=lambda ix: fold(low, reducer, a.shape[-1], lambda k: a.at(*ix, k)),
    )


def pays_in_parts(a: Pull, reducer: Reducer) -> bool:
    """Whether the parts of a catenation are folded each for itself: a few elements are written out, and of an
    item that is made behind others nothing is known of its number. The order must not matter at all, so only
    one part may fail.
    """
    if not isinstance(reducer.combine, Prim) or a.ty not in (Base.INT, Base.BOOL):
        return False
    if sum(part.weight.may_fail for part in a.joined) > 1:
        return False
    few = any(isinstance(n, Const) and n.value <= UNROLL for part in a.joined for n in part.shape)
    return few or any(part.weight.may_fail or has_folds(part) for part in a.joined)


def _fold_parts(low: Lowering, a: Pull, reducer: Reducer) -> Exp:
    """The reduction of a catenation from those of its parts, for an associative function."""
    make = low.make
    assert isinstance(reducer.combine, Prim)
    start = neutral(make, reducer.combine)
    own = Reducer(reducer.combine, reducer.apply, start, reducer.span)
    total = written_out(make, reducer.apply, [fold(low, own, part.shape[0], part.at) for part in a.joined])
    if reducer.empty is None or reducer.empty is start:
        return total
    return make.select(make.call(p.EQI, a.shape[0], make.zero), reducer.empty, total)


def _reads_narrow(exp: Exp) -> bool:
    return any(isinstance(node, Read) and node.buffer.item_bytes < LEAST_MASKED for node in nodes(exp))


def _reduced_where(low: Lowering, a: Pull, parts: Filtered, reducer: Reducer) -> Pull:
    """The reduction of the elements where a mask holds; elsewhere an associative function gets its neutral
    element.
    """
    make = low.make
    if not isinstance(reducer.combine, Prim) or reducer.empty is None:
        return reduced(low, low.materialise(a), reducer)
    start = neutral(make, reducer.combine)
    masked = Reducer(reducer.combine, reducer.apply, start, reducer.span)
    source, mask = parts.source, parts.mask
    extent = mask.shape[0]

    def chosen(k: Exp) -> Exp:
        """An element, or the neutral one; see Note [Masks of narrow elements]."""
        keeps, element = mask.at(k), source.at(k)
        if not (is_total(element) and _reads_narrow(element)):
            return make.select(keeps, element, start)
        if reducer.combine is p.ADDI:
            return make.mul(make.call(p.B2I, keeps), element)
        both = {Base.INT: CHOSEN_INTEGER, Base.DOUBLE: CHOSEN}.get(element.ty)
        return make.select(keeps, element, start) if both is None else make.call(both, keeps, element, start)

    total = fold(low, masked, extent, chosen)
    if reducer.empty is start:
        return from_scalar(make, total)
    none = make.call(p.EQI, number_kept(low, mask), make.zero)
    return from_scalar(make, make.select(none, reducer.empty, total))


def number_kept(low: Lowering, mask: Pull) -> Exp:
    """How many elements a mask keeps."""
    make = low.make
    k = make.index("k", mask.shape[0])
    low.decisions.place(k)
    total = make.fold(p.ADDI, k, mask.shape[0], make.call(p.B2I, mask.at(k)), make.zero)
    return low.counted(total, (make.zero,), ()) if low.on_host else total


def _fold_axes(low: Lowering, a: Pull, reducer: Reducer) -> Exp:
    """The reduction of a whole array, one fold an axis, for an associative function. Of windows along many
    axes only the last ones are written out.
    """
    make = low.make
    assert isinstance(reducer.combine, Prim) and reducer.empty is not None
    start = neutral(make, reducer.combine)
    inner = Reducer(reducer.combine, reducer.apply, start, reducer.span)
    few = [n.value if isinstance(n, Const) and 0 < n.value <= UNROLL_CONSTANTS else 1 for n in a.shape]
    first = sum([math.prod(few[axis:]) > UNROLL_COST for axis in range(a.rank)])

    def fold_from(axis: int, index: tuple[Exp, ...]) -> Exp:
        if axis == a.rank:
            return a.at(*index)
        own = replace(inner, in_loops=axis < first)
        return fold(low, own, a.shape[axis], lambda k: fold_from(axis + 1, (*index, k)))

    total = fold_from(0, ())
    if reducer.empty is start:
        return total
    return make.select(make.call(p.EQI, a.size, make.zero), reducer.empty, total)


def single_index(low: Lowering, equal: Exp, one: Exp) -> Callable[[Exp], Exp]:
    """Where an array is read that extends if it has one element and the lengths are not equal."""
    return lambda i: low.make.select(equal, i, low.make.select(one, low.make.zero, i))


def require_single(low: Lowering, a: Pull, extends: Exp, extent: Exp) -> None:
    """The only element of an array that extends is computed even where it does so to no elements, and nothing
    reads it: if it cannot be, that is an error.
    """
    if low.on_host and a.weight.may_fail:
        make = low.make
        unread = make.call(p.ANDB, extends, make.call(p.EQI, extent, make.zero))
        low.named(make.select(unread, a.at(*[make.zero] * a.rank), fill(make, a.ty)), "only")
