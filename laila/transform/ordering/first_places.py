"""The place of the least or the greatest element: the first position of a grade, as in `⊃⍋v`, is found by a
fold and a search.

    alloc g; run aplc_grade_up_int(v, n, 1, g); … g[0] …; free g
    →   s = REDUCE min v[k]; x = REDUCE min (v[k] = s ? k+1 : n+1); … x …

Both run in lanes, in threads and along with what makes the elements, as no sort does; in rows of a matrix
they go down many rows at once.

Note [NaN in an order]
    NaN stands above all numbers. The greatest element is NaN where there is one, as an extremum is, and its
    place is that of the first NaN. The least is that of the numbers alone, ∞ where there is none: then it may
    stand nowhere, and what is first of nothing but NaN is the first of all.
"""

from __future__ import annotations

from aplc.laila.ir.program import HostLet, RuntimeCall
from aplc.laila.ir.scalar import Buffer, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.scalars import neutral
from aplc.laila.transform.extrema.searches import among_numbers, same_in_order
from aplc.laila.transform.ordering.grades import GRADE
from aplc.tail import prims as p
from aplc.tail.types import Base

NUMBERS = {Base.BOOL: p.B2I, Base.CHAR: p.C2I}
"""What makes integers of elements, in the same order."""


def first_place(make: ExprBuilder, run: RuntimeCall) -> tuple[list[HostLet], Var] | None:
    """Statements that find the first position of the grade of a vector, and the variable that they leave it
    in, counted from one; None for elements that are compared otherwise. Of no elements it is anything.
    """
    a, rows, _, _ = run.arguments
    assert isinstance(a, Buffer) and not isinstance(rows, Buffer)
    if a.ty not in (Base.INT, Base.DOUBLE, *NUMBERS):
        return None
    is_double, is_up = a.ty is Base.DOUBLE, run.function.startswith(f"{GRADE}up_")
    op = {True: (p.MIND, p.MAXD), False: (p.MINI, p.MAXI)}[is_double][not is_up]
    i, k = [make.index(name, rows) for name in ("i", "k")]
    made, x = [make.read(a, at) for at in (i, k)]
    if a.ty in NUMBERS:
        made, x = [make.call(NUMBERS[a.ty], exp) for exp in (made, x)]
    compared = among_numbers(make, op, made) if is_double and is_up else made
    best = Var(make.fresh("least" if is_up else "greatest"), compared.ty)
    if is_double:
        found = make.call(p.EQD, x, best) if is_up else same_in_order(make, x, best)
    else:
        found = make.call(p.EQI, x, best)
    one, none = make.one, make.add(rows, make.one)
    place = make.select(found, make.add(k, one), none)
    seen = Var(make.fresh("seen"), Base.INT)
    first = Var(make.fresh("first"), Base.INT, lows=(one,), highs=(rows,))
    lets = [
        HostLet(best, make.fold(op, i, rows, compared, neutral(make, op))),
        HostLet(seen, make.fold(p.MINI, k, rows, place, none)),
        HostLet(first, make.select(make.call(p.LTI, rows, seen), one, seen)),
    ]
    return lets, first
