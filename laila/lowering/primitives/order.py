"""The lowering of sorting and searching: `⍋ ⍒ ⍸ ∪ ∊ ⍷ ⍳`.

Sorting, tables of keys and searches in order are functions of the run-time system. A search for an element
is an expression (`PureCall`), so it fuses with what makes the element and with what is done to the result. A
few keys that need no memory are compared one by one, and so is a single element with all keys: for those a
table would cost more than it saves, and comparisons have lanes. Among integers or characters that are
constants, such as alphabets and digits, the place follows from the element itself, or stands in a table of
all numbers from the least to the greatest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from aplc.laila.ir.program import Empty, RuntimeCall
from aplc.laila.ir.scalar import (
    BIT_OR,
    PLACES,
    TABLE,
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    PureCall,
    Site,
    Var,
    contains,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.bit_pulls import bit_set
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.folds import Reducer, fold
from aplc.laila.lowering.pull import Pull, from_buffer, from_scalar, ravelled
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.lowering.table import lowers
from aplc.laila.lowering.tolerance import equal as equal_within
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import EQUALITY
from aplc.tail.syntax import Arg, Op
from aplc.tail.types import Base

FEW = 8
"""So many keys without memory are compared one by one."""
SINGLE = 4
"""So many elements to search for are compared with all keys."""

MAX_CONSTANTS = 1024
"""So many keys are looked at whether they are constants."""
MAX_SPAN = 1024
"""So long is a table of the places of all numbers."""

ORDER, SEARCH, NEAR = "aplc_order.h", "aplc_search.h", "aplc_search_near.h"
INTERVALS = "aplc_intervals.h"

Find = Callable[[Exp], Exp]

TOLERANT = (p.UNIQUE_T, p.INDEX_OF_T, p.MEMBER_T, p.FIND_T)
"""Searches that compare doubles within a tolerance, which comes first."""


def _arguments(low: Lowering, op: Op) -> tuple[Exp | None, list[Arg]]:
    """The tolerance of a search, None where it compares exactly, and its other arguments."""
    if op.prim in TOLERANT:
        return low.array(op.args[0]).at(), list(op.args[1:])
    return None, list(op.args)


def _in_memory(low: Lowering, a: Pull, site: Site) -> tuple[Buffer, Exp, Exp]:
    """The memory of an array, and how many cells its first axis has and elements each of them; a table of
    constants stays where it is.
    """
    if a.buffer is None or a.buffer.data is None:
        a = low.in_memory(a, site)
    assert a.buffer is not None
    return a.buffer, a.shape[0], low.make.product(a.shape[1:])


# --- order ----------------------------------------------------------------------------------------------


@lowers(p.GRADE_UP, p.GRADE_DOWN)
def _grade(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    direction = "up" if op.prim is p.GRADE_UP else "down"
    a, rows, columns = _in_memory(low, low.array(op.args[0]), memory)
    out = low.index_buffer(rows, (make.one,), (rows,), memory)
    name = f"aplc_grade_{direction}_{a.ty.value}"
    low.emit(RuntimeCall(name, ORDER, (a, rows, columns, out), site=memory))
    return from_buffer(make, out, (rows,))


@lowers(p.UNIQUE, p.UNIQUE_T)
def _unique(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    tolerance, (arg,) = _arguments(low, op)
    given = low.array(arg)
    a, rows, columns = _in_memory(low, given, memory)
    cells = from_buffer(make, a, given.shape)
    last = make.sub(rows, make.one)
    positions = low.index_buffer(rows, (make.zero,), (last,), memory)
    count = Var(make.fresh("n"), Base.INT, True, (make.zero,))
    call = RuntimeCall(f"aplc_unique_{a.ty.value}", SEARCH, (a, rows, columns, positions), (count,), memory)
    if tolerance is not None:
        args = (a, rows, columns, tolerance, positions)
        call = RuntimeCall("aplc_unique_near", NEAR, args, (count,), memory)
    low.emit(call)
    shape = (count, *given.shape[1:])
    return cells.moved(shape, lambda ix: (make.read(positions, ix[0]), *ix[1:]))


@lowers(p.INTERVAL)
def _interval(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a⍸b`: how many elements of `a`, which must ascend, are at most each element of `b`."""
    make = low.make
    a, b = [low.array(arg) for arg in op.args]
    bounds = _few(low, a)
    at_most = _AT_MOST.get(a.ty)
    if bounds is not None and at_most is not None:
        for x, y in pairwise(bounds):
            low.require(make.call(at_most, x, y), site(faults.NOT_ASCENDING))

        def count(x: Exp) -> Exp:
            total: Exp = make.zero
            for k, bound in enumerate(bounds):  # the greatest one that is at most x decides
                total = make.select(make.call(at_most, bound, x), make.const(k + 1), total)
            return total

        return (b if bounds else low.forced(b)).mapped(count, Base.INT)

    memory = site(faults.NO_MEMORY)
    is_single = isinstance(b.size, Const) and b.size.value <= SINGLE
    is_fixed = not low.on_host and low.is_fixed(op.args[0])

    def prepared() -> tuple[Find, Exp]:
        if at_most is None or (is_single and not is_fixed):
            return _found_by_halving(low, a, memory)
        return _found_in_cells(low, a, None if is_fixed else b, memory)

    find, ascends = low.in_front(op, prepared) if is_fixed else prepared()
    if not is_fixed:
        low.require(ascends, site(faults.NOT_ASCENDING))
        return b.mapped(find, Base.INT)
    return b.mapped(lambda x: make.check(ascends, find(x), site(faults.NOT_ASCENDING)), Base.INT)


def _found_by_halving(low: Lowering, a: Pull, site: Site) -> tuple[Find, Exp]:
    """How many elements of a vector are at most one given, by binary search, and whether it ascends."""
    make = low.make
    whole, is_beginning = a.beginning or (None, make.false)
    if whole is None or not low.on_host:
        memory, n, _ = _in_memory(low, a, site)
    else:  # nothing is copied where it is the beginning of what is in memory
        is_beginning, n = low.once(is_beginning, "beginning"), low.extent(a.shape[0])
        copied = low.extent(make.select(is_beginning, make.zero, n))
        memory, _, _ = _in_memory(low, replace(a, shape=(copied,), beginning=None), site)

    def either(of: Callable[[Buffer], PureCall]) -> Exp:
        there = memory if whole is None else whole
        return make.select(is_beginning, make.lookup(of(there)), make.lookup(of(memory)))

    def find(x: Exp) -> Exp:
        name, highs = f"aplc_interval_one_{a.ty.value}", (n,)
        return either(lambda m: PureCall(name, SEARCH, (m,), (n, x), Base.INT, (), (make.zero,), highs))

    name = f"aplc_is_ascending_{a.ty.value}"
    return find, low.named(either(lambda m: PureCall(name, SEARCH, (m,), (n,), Base.BOOL)), "ascends")


def _found_in_cells(low: Lowering, a: Pull, b: Pull | None, site: Site) -> tuple[Find, Exp]:
    """Likewise for elements that are known, or as many as the vector has, with a table."""
    make = low.make
    memory, n, _ = _in_memory(low, a, site)
    table = Buffer(make.fresh("table"), a.ty, TABLE)
    ascends = Var(make.fresh("ascends"), Base.INT, True, (make.zero,), (make.one,))
    name = f"aplc_intervals_{a.ty.value}"
    if (
        b is not None
        and b.buffer is not None
        and b.buffer.data is None
        and (b.ty, b.buffer.storage) == (a.ty, STORAGE[a.ty])
    ):
        call = RuntimeCall(
            f"{name}_make_for",
            INTERVALS,
            (table, memory, n, b.buffer, b.size),
            (ascends,),
            site,
            only_reads=(b.buffer,),
        )
    else:
        searches = n if b is None else b.size
        call = RuntimeCall(f"{name}_make", INTERVALS, (table, memory, n, searches), (ascends,), site)
    low.emit(Empty(table), call)

    def find(x: Exp) -> Exp:
        found = PureCall(
            f"{name}_find_one", INTERVALS, (table,), (x,), Base.INT, (memory,), (make.zero,), (n,)
        )
        return make.lookup(found)

    return find, make.call(p.NEQI, ascends, make.zero)


_AT_MOST = {Base.INT: p.LTEI, Base.DOUBLE: p.LTED}
"""`≤` of the types that have it."""


# --- search ---------------------------------------------------------------------------------------------


def _few(low: Lowering, a: Pull) -> list[Exp] | None:
    """The elements of a short vector if they are constants or variables; else None."""
    if not isinstance(a.shape[0], Const) or a.shape[0].value > FEW:
        return None
    elements = [a.at(low.make.const(k)) for k in range(int(a.shape[0].value))]
    return elements if all(isinstance(e, Const | Var) for e in elements) else None


def _constants(low: Lowering, a: Pull) -> list[int] | None:
    """The elements of a vector of integers or characters if all of them are constants; else None."""
    extent = a.shape[0]
    if a.ty not in (Base.INT, Base.CHAR) or not isinstance(extent, Const) or extent.value > MAX_CONSTANTS:
        return None
    keys: list[int] = []
    for k in range(int(extent.value)):
        key = a.at(low.make.const(k))
        if not isinstance(key, Const):
            return None
        keys.append(int(key.value))
    return keys


def _among_constants(low: Lowering, keys: list[int]) -> Find | None:
    """The position, from 1, of an element among constants that are close together."""
    make, first, missing = low.make, min(keys), len(keys) + 1
    highs = (make.const(missing),)
    span = max(keys) - first + 1
    function = "aplc_place_in_run"
    memory: tuple[Buffer, ...] = ()
    if keys != list(range(first, first + len(keys))):
        if span > MAX_SPAN:
            return None
        function = "aplc_place_in_table"
        place = {key: len(keys) - k for k, key in enumerate(reversed(keys))}
        data = [place.get(first + k, missing) for k in range(span)]
        memory = (Buffer(make.fresh("c"), Base.INT, "int16", (*data, missing)),)

    def find(x: Exp) -> Exp:
        args = x, make.const(first), make.const(span)
        return make.lookup(PureCall(function, PLACES, memory, args, Base.INT, (), (make.one,), highs))

    return find


def _in_table(low: Lowering, op: Op, keys: tuple[Arg, Pull], b: Pull, search: _Search) -> Find | None:
    """The position, from 1, of an element in a table of keys; None where a table does not pay, for a few
    elements. Inside a function it is made once if the keys stay the same.
    """
    arg, a = keys
    if not low.on_host and low.is_fixed(arg):
        return low.in_front(op, lambda: search.found_in_table(a))
    if isinstance(b.size, Const) and b.size.value <= SINGLE:
        return None
    return search.found_in_table(a)


def _in_bits(low: Lowering, op: Op, keys: tuple[Arg, Pull], b: Pull) -> Find | None:
    """Whether keys have an element, if those sought, or they, are bits of a number, and not a few."""
    arg, a = keys
    is_fixed = not low.on_host and low.is_fixed(arg)
    if not is_fixed and isinstance(b.size, Const) and b.size.value <= SINGLE:
        return None
    found = bit_set(low.make, b, a)
    if found is None:
        return None
    any_of = Reducer(BIT_OR, lambda x, y: low.make.call(BIT_OR, x, y), low.make.zero)

    def bits() -> Exp:
        total = fold(low, any_of, a.shape[0], lambda k: found.bit(a.at(k)))
        return low.named(total, "bits") if low.on_host else total

    total = low.in_front(op, bits) if is_fixed else bits()
    return lambda x: found.has(total, x)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for elements of one type."""

    low: Lowering
    ty: Base
    tolerance: Exp | None
    """Within which doubles are equal; None: exactly."""
    site: Site
    """Where memory may lack."""

    def equal(self, x: Exp, y: Exp) -> Exp:
        """Whether two elements are equal."""
        make = self.low.make
        if self.tolerance is None:
            return make.call(EQUALITY[self.ty.value], x, y)
        return equal_within(make, self.tolerance, x, y)

    def table(self, a: Pull) -> tuple[Buffer, Buffer, Exp]:
        """A table of the cells of an array's first axis, the memory that it points to, and how many there
        are.
        """
        cells = _in_memory(self.low, a, self.site)
        table = Buffer(self.low.make.fresh("table"), a.ty, TABLE)
        call = table_of(table, cells, self.site)
        if self.tolerance is not None:
            args = (table, *cells, self.tolerance)
            call = RuntimeCall("aplc_table_near_make", NEAR, args, site=self.site)
        self.low.emit(Empty(table), call)
        return table, cells[0], cells[1]

    def found_in_table(self, a: Pull) -> Find:
        """The position, from 1, of the first element of a vector that equals one given."""
        return found_in(self.low.make, *self.table(a), is_near=self.tolerance is not None)

    def first_equal(self, a: Pull, missing: Exp) -> Find:
        """Likewise by comparing all."""
        return lambda x: self.first(a.shape[0], lambda k: self.equal(a.at(k), x), missing)

    def first(self, extent: Exp, holds: Callable[[Exp], Exp], missing: Exp) -> Exp:
        """The first place, from 1, where a condition holds."""
        make = self.low.make
        reducer = Reducer(p.MINI, lambda x, y: make.call(p.MINI, x, y), missing)
        return fold(
            self.low, reducer, extent, lambda k: make.select(holds(k), make.add(k, make.one), missing)
        )


def table_of(table: Buffer, cells: tuple[Buffer, Exp, Exp], site: Site) -> RuntimeCall:
    """The making of a table; the cells are memory, how many there are, and elements each of them."""
    return RuntimeCall(f"aplc_table_{table.ty.value}_make", SEARCH, (table, *cells), site=site)


def found_in(make: ExprBuilder, table: Buffer, keys: Buffer, rows: Exp, *, is_near: bool = False) -> Find:
    """The position, from 1, of the first of some rows in memory that equals an element; a table of them is
    given, of those within a tolerance perhaps.
    """
    kind, header = ("near", NEAR) if is_near else (table.ty.value, SEARCH)
    name, highs = f"aplc_table_{kind}_find_one", (make.add(rows, make.one),)

    def find(x: Exp) -> Exp:
        return make.lookup(PureCall(name, header, (table,), (x,), Base.INT, (keys,), (make.one,), highs))

    return find


@lowers(p.INDEX_OF, p.INDEX_OF_T)
def _index_of(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    tolerance, args = _arguments(low, op)
    a, b = [low.array(arg) for arg in args]
    search = _Search(low, a.ty, tolerance, site(faults.NO_MEMORY))
    if a.rank > 1:
        return _index_of_rows(search, a, b, site)
    missing = make.add(a.shape[0], make.one)
    keys = _few(low, a)
    if keys is not None:

        def among_few(x: Exp) -> Exp:
            result = missing
            for k in range(len(keys) - 1, -1, -1):
                result = make.select(search.equal(keys[k], x), make.const(k + 1), result)
            return result

        return (b if keys else low.forced(b)).mapped(among_few, Base.INT)
    constants = _constants(low, a)
    find = _among_constants(low, constants) if constants else None
    if find is None:
        find = _in_table(low, op, (args[0], a), b, search)
    if find is None:
        return low.forced(b).mapped(search.first_equal(_compared_with(low, a, b), missing), Base.INT)
    return b.mapped(find, Base.INT)


def _compared_with(low: Lowering, keys: Pull, sought: Pull) -> Pull:
    """An array all of whose elements are compared with each that is sought, and are computed once. It is not
    written for one that is at hand; rows are, where that is computed of them.
    """
    keys = low.forced(keys)
    is_at_hand = sought.size is low.make.one and not contains(Fold | BlockExp, sought.sample())
    return keys if is_at_hand else low.shared(keys)


def _index_of_rows(search: _Search, a: Pull, b: Pull, site: SiteOf) -> Pull:
    """`a⍳b` for cells of `a` that have axes, which `b` has last."""
    low, make = search.low, search.low.make
    split = b.rank - (a.rank - 1)
    for m, n in zip(a.shape[1:], b.shape[split:], strict=True):
        low.require(make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)
    if split == 0:
        return from_scalar(make, _first_equal_row(search, low.forced(a), low.shared(low.forced(b))))
    table, keys, rows = search.table(a)
    wanted = _in_memory(low, b, search.site)[0]
    kind, header = (a.ty.value, SEARCH) if search.tolerance is None else ("near", NEAR)
    name, highs = f"aplc_table_{kind}_find_at", (make.add(rows, make.one),)

    def find(i: Exp) -> Exp:
        found = PureCall(name, header, (table, wanted), (i,), Base.INT, (keys,), (make.one,), highs)
        return make.lookup(found)

    return Pull(make, Base.INT, b.shape[:split], find)


def _first_equal_row(search: _Search, a: Pull, row: Pull) -> Exp:
    """The position, from 1, of the first row that equals one that is given: all are compared until then."""
    low, make = search.low, search.low.make
    all_of = Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)

    def equal(*place: Exp) -> Exp:
        axis = len(place)
        if axis == a.rank:
            return search.equal(a.at(*place), row.at(*place[1:]))
        return fold(low, all_of, a.shape[axis], lambda k: equal(*place, k))

    return search.first(a.shape[0], equal, make.add(a.shape[0], make.one))


@lowers(p.MEMBER, p.MEMBER_T)
def _member(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    tolerance, args = _arguments(low, op)
    a, b = [low.array(arg) for arg in args]
    search = _Search(low, a.ty, tolerance, site(faults.NO_MEMORY))
    either = Reducer(p.ORB, lambda x, y: make.call(p.ORB, x, y), make.false)
    if b.rank == 0:
        b = b.moved((make.one,), lambda _: ())
    b = ravelled(b)
    keys = _few(low, b)
    if keys is not None:

        def among_few(x: Exp) -> Exp:
            result: Exp = make.false
            for key in keys:
                result = make.call(p.ORB, result, search.equal(key, x))
            return result

        return (a if keys else low.forced(a)).mapped(among_few, Base.BOOL)
    constants = sorted(set(_constants(low, b) or ()))
    among = _among_constants(low, constants) if constants else None
    if among is not None:
        count = make.const(len(constants))
        return a.mapped(lambda x: make.call(p.LTEI, among(x), count), Base.BOOL)
    bits = _in_bits(low, op, (args[1], b), a)
    if bits is not None:
        return a.mapped(bits, Base.BOOL)
    find = _in_table(low, op, (args[1], b), a, search)
    if find is not None:
        return a.mapped(lambda x: make.call(p.LTEI, find(x), b.shape[0]), Base.BOOL)
    all_keys = _compared_with(low, b, a)

    def among_all(x: Exp) -> Exp:
        return fold(low, either, b.shape[0], lambda k: search.equal(all_keys.at(k), x))

    return low.forced(a).mapped(among_all, Base.BOOL)


@lowers(p.FIND, p.FIND_T)
def _find(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`a⍷b`: where in `b` an occurrence of `a` begins; a lower rank of `a` gets leading axes of extent 1."""
    make = low.make
    tolerance, args = _arguments(low, op)
    a, b = [low.forced(low.array(arg)) for arg in args]
    search = _Search(low, a.ty, tolerance, site(faults.NO_MEMORY))
    if a.rank > b.rank:
        return from_scalar(make, make.false, b.shape)
    a, b = low.shared(a), low.shared(b)
    more = b.rank - a.rank
    extents = (make.one,) * more + a.shape
    both = Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)

    def element(ix: tuple[Exp, ...]) -> Exp:
        def equal(offset: tuple[Exp, ...]) -> Exp:
            axis = len(offset)
            if axis < b.rank:
                return fold(low, both, extents[axis], lambda k: equal((*offset, k)))
            place = [make.add(i, k) for i, k in zip(ix, offset, strict=True)]
            return search.equal(b.at(*place), a.at(*offset[more:]))

        fits: Exp = make.true
        for i, m, n in zip(ix, extents, b.shape, strict=True):
            fits = make.call(p.ANDB, fits, make.call(p.LTEI, make.add(i, m), n))
        return make.select(fits, equal(()), make.false)

    return Pull(make, Base.BOOL, b.shape, axes=element)
