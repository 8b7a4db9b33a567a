r"""Keys that count on are numbers already: a running count, `+\b`, goes from one to the next by one or none.

    SCAN add x[i] = b i over i < n                        m = REDUCE add b i + 1 - b 0
    alloc numbers[n]                                      alloc numbers[n]
    run aplc_number_int(x, n, 1, index, numbers, &m)  →   MAP numbers[i] = x[i] + 1 - b 0 over i < n
    MAP a[k] = x[index[k] - 1] over k < m                 MAP a[k] = k + b 0

So sums by parts, `(+\b){+/⍵}⌸v`, look nothing up. Each b i is 0 or 1. What b reads lives until it is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.liveness import Users, buffers_read, changed, mentioned
from aplc.laila.ir.program import Alloc, Free, HostLet, Map, RuntimeCall, Scan, Space, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Const, Exp, FreeVars, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, rebuilt, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

NUMBER = "aplc_number_int"


def with_running_keys(block: Sequence[Statement], make: ExprBuilder) -> list[Statement]:
    """A block in which keys that count on are not looked for."""
    result = list(block)
    for k, run in enumerate(block):
        if isinstance(run, RuntimeCall) and run.function.startswith(NUMBER) and len(result) == len(block):
            result = _numbered(result, k, make) or result
    return result


def _numbered(block: list[Statement], k: int, make: ExprBuilder) -> list[Statement] | None:
    """The block without the search at position k, if its keys count on."""
    run, alloc = block[k], block[k - 1]
    assert isinstance(run, RuntimeCall)
    x, rows, columns, index, numbers = run.arguments
    assert isinstance(x, Buffer) and isinstance(numbers, Buffer) and isinstance(index, Buffer)
    if columns is not make.one or isinstance(rows, Buffer) or k == 0 or not isinstance(alloc, Alloc):
        return None
    users = Users().of(block)
    before = [m for m in users[x] if m < k]
    scan = block[before[-1]] if len(before) == 2 else None
    if not isinstance(scan, Scan) or scan.space.extents != (rows,):
        return None
    (i,) = scan.space.indices
    is_some, begin = make.call(p.GTI, rows, make.zero), Substitute(make, {i: make.zero})(scan.body)
    is_plain = scan.position is i and scan.combine is p.ADDI and scan.start is None
    is_plain = is_plain and not contains(BlockExp | Check, scan.body)
    if not is_plain or not _counts_on(scan.body, i, make) or not stays(scan.body, block[before[-1] + 1 : k]):
        return None
    name, first = Var(make.fresh("first"), Base.INT), begin
    named: list[Statement] = []
    if not isinstance(begin, Const):
        first, named = name, [HostLet(name, make.select(is_some, begin, make.zero))]
    gathers = _gathers(block, [m for m in users[index] if m > k], x, index, first, make)
    if gathers is None:
        return None
    offset, j = make.sub(make.one, first), make.index("i", rows)
    total = make.fold(p.ADDI, j, rows, Substitute(make, {i: j})(scan.body), make.zero)
    count = make.select(is_some, make.add(total, offset), make.zero)
    place = make.index("i", rows)
    numbered = Map(numbers, Space((place,), (rows,)), place, make.add(make.read(x, place), offset))
    freed = sorted({m for b in buffers_read(scan.body) for m in users[b] if before[-1] < m < k})
    frees = {m: block[m] for m in freed if isinstance(block[m], Free)}
    instead: dict[int, list[Statement]] = {m: [] for m in (*users[index], *frees) if m != k}
    instead |= {m: [each] for m, each in gathers.items()}
    instead |= {k - 1: [*named, HostLet(run.written[0], count), *frees.values(), alloc], k: [numbered]}
    return [made for m, s in enumerate(block) for made in instead.get(m, [s])]


def stays(exp: Exp, inside: Sequence[Statement]) -> bool:
    """Whether an expression has one value, as long as it has one, before and behind statements."""
    touched = {b for s in within(inside) if not isinstance(s, Free) for b in changed(s)}
    names = {v.name for s in within(inside) for v in bound(s)}
    return touched.isdisjoint(buffers_read(exp)) and names.isdisjoint(FreeVars().names(exp))


def _counts_on(body: Exp, index: Var, make: ExprBuilder) -> bool:
    """Whether what is added behind the first element is 0 or 1."""
    ranges = Ranges(is_single=make.settings.is_single)
    ranges.bind_loop(index)
    return ranges.integers(body).within(Interval(0, 1))


def _gathers(
    block: Sequence[Statement], users: Sequence[int], x: Buffer, index: Buffer, first: Exp, make: ExprBuilder
) -> dict[int, Statement] | None:
    """The statements that read the first of each key, reading none; None if one wants its place besides."""
    found: dict[int, Statement] = {}
    for m in users:
        statement = block[m]
        if isinstance(statement, Map):
            key = statement.space.indices[0]
            reads: dict[Exp, Exp] = {make.read(x, make.read(index, key)): make.add(key, first)}
            found[m] = rebuilt(statement, Substitute(make, reads))
            if index in mentioned(found[m]):
                return None
        elif not isinstance(statement, Free):
            return None
    return found
