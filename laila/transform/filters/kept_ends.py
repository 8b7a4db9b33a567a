r"""Filters whose last elements have a rule of their own, as `⍸(v=⌈\v),1`, go over those in another loop.

    SCAN s[i] = … over i < n
    FILTER a, m over i < n+1 { e(i) where (i < n ? c(s[i]) : d(i)) }

→   SCAN s[i] = … over i < n
    FILTER a, k over i < n { e(i) where c(s[i]) }
    m = k; FILTER a, m over i < 1 { e(n+i) where d(n+i) }, behind those

So the filter has the space of the scan and shares its loop, which leaves the running values in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Filter, Program, Scan, Space, Statement, Variable
from aplc.laila.ir.scalar import Call, Exp, Select, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

LONGEST = 8
"""So many elements are an end."""


def with_ends_apart(program: Program, make: ExprBuilder) -> Program:
    """The program with filters that share the spaces of the scans which they read."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    scans: dict[object, Exp] = {}
    for statement in statements:
        statement = with_bodies(statement, lambda body: _block(body, make))
        if isinstance(statement, Scan) and len(statement.space.indices) == 1:
            scans[statement.buffer] = statement.space.extents[0]
        if isinstance(statement, Filter) and not statement.goes_on and len(statement.space.indices) == 1:
            read = buffers_read(statement.keep, statement.body)
            ends = dict.fromkeys([scans[b] for b in read if b in scans])
            cut = next((c for end in ends if (c := _condition(statement, end, make)) is not None), None)
            if cut is not None:
                result += _parts(statement, cut, make)
                continue
        result.append(statement)
    return tuple(result)


def _condition(statement: Filter, end: Exp, make: ExprBuilder) -> Exp | None:
    """What asks whether an element is before the last few, if an end is that of the others."""
    (index,), (extent,) = statement.space.indices, statement.space.extents
    many, terms = make.linear(make.sub(extent, end))
    if terms or not 0 < many <= LONGEST or not make.nonnegative(end):
        return None
    before = make.call(p.LTI, index, end)
    selects = [n for n in nodes(statement.keep, statement.body) if isinstance(n, Select)]
    return before if isinstance(before, Call) and any(n.cond is before for n in selects) else None


def _parts(statement: Filter, before: Exp, make: ExprBuilder) -> list[Statement]:
    """The filter of the elements before the last few, and that of these."""
    (index,), (extent,) = statement.space.indices, statement.space.extents
    assert isinstance(before, Call)
    end = before.args[1]
    first, rest = make.index(index.name, end), make.sub(extent, end)
    last = make.index(index.name, rest)
    early = Substitute(make, {before: make.true, index: first})
    late = Substitute(make, {before: make.false, index: make.add(end, last)})
    kept = Var(make.fresh(statement.count.name), statement.count.ty, True, (make.zero,))
    return [
        replace(
            statement,
            count=kept,
            space=Space((first,), (end,)),
            keep=early(statement.keep),
            body=early(statement.body),
        ),
        Variable(statement.count, kept),
        replace(
            statement,
            space=Space((last,), (rest,)),
            keep=late(statement.keep),
            body=late(statement.body),
            goes_on=True,
        ),
    ]
