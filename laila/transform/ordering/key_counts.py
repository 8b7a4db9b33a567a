"""Keys whose numbers are only counted are counted where their different ones are found.

    alloc numbers[n]                                     alloc counts[n]
    run aplc_number_int_narrow(x, …, numbers, &m)        run aplc_count_each_int(x, …, counts, &m)
    alloc c[m]; MAP c[k] = 0 over k < m             →    alloc c[m]; MAP c[k] = counts[k] over k < m
    UPDATE c[numbers[i] - 1] = c[…] + 1 over i < n       free counts
    free numbers

So histograms (`{≢⍵}⌸`) write nothing for each row. The rows may be counted from the last one to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users
from aplc.laila.ir.program import Alloc, Free, Map, RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail.types import Base

NUMBER, NARROW, COUNT = "aplc_number_", "_narrow", "aplc_count_each_"


def with_keys_counted(block: Sequence[Statement], make: ExprBuilder) -> list[Statement]:
    """A block with counts in the place of numbers that nothing else wants."""
    result = list(block)
    for run in block:
        if isinstance(run, RuntimeCall) and run.function.startswith(NUMBER) and run.function.endswith(NARROW):
            result = _counted(result, run, make) or result
    return result


def _counted(block: list[Statement], run: RuntimeCall, make: ExprBuilder) -> list[Statement] | None:
    """The block with counts, if numbers are read in one sum of ones alone, over all rows."""
    *rest, numbers = run.arguments
    assert isinstance(numbers, Buffer)
    users = Users().of(block)
    uses = [block[k] for k in users[numbers]]
    if [type(s) for s in uses] != [Alloc, RuntimeCall, Map, Free]:
        return None
    alloc, _, update, free = uses
    assert isinstance(alloc, Alloc) and isinstance(update, Map) and isinstance(free, Free)
    target, (index, *others) = update.buffer, update.space.indices
    rows = rest[1]
    assert not isinstance(rows, Buffer)
    backwards = make.sub(make.sub(rows, make.one), index)
    place = update.position
    is_number = any(place is make.sub(make.read(numbers, at), make.one) for at in (index, backwards))
    is_count = update.ordered and update.guard in (None, make.true) and not others
    is_count = is_count and is_number and update.space.extents[0] is rows
    begin, fill, *_ = [block[k] for k in users[target]]
    if not is_count or update.body is not make.add(make.read(target, place), make.one):
        return None
    if not isinstance(begin, Alloc) or not isinstance(fill, Map) or block[users[target][2]] is not update:
        return None
    (count,) = run.written
    is_whole = fill.guard is None and not fill.ordered and fill.space.extents == (count,)
    if not is_whole or fill.body is not make.zero or fill.position is not fill.space.indices[0]:
        return None
    counts = Buffer(make.fresh("counts"), Base.INT, STORAGE[Base.INT], lows=(make.one,), highs=(alloc.size,))
    kind = run.function.removeprefix(NUMBER).removesuffix(NARROW)
    copy = replace(fill, body=make.read(counts, fill.position))
    instead: dict[int, list[Statement]] = {
        id(alloc): [replace(alloc, buffer=counts)],
        id(run): [replace(run, function=COUNT + kind, arguments=(*rest, counts))],
        id(fill): [],
        id(update): [copy],
        id(free): [Free(counts)],
    }
    return [made for s in block for made in instead.get(id(s), [s])]
