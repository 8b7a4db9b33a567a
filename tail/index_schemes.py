"""The type schemes of indexing, one for each rank."""

from __future__ import annotations

from aplc.tail.types import Array, Base, BaseVar, Func, Rho, Tuple, scalar
from aplc.tail.unify import Scheme, parse_scheme

MAX_RANK = 15
"""As in Dyalog; the schemes below are listed by rank."""


def index_schemes(*, update: bool = False, modify: bool = False) -> tuple[Scheme, ...]:
    """One scheme per rank, and one more with a scalar as the new value of an update."""
    result = [] if update or modify else [parse_scheme("∀αγ. (<int>γ,) → [α]1 → <α>γ")]
    alpha = BaseVar("α")
    other = BaseVar("β") if modify else alpha
    function = Func((scalar(alpha), scalar(other)), scalar(alpha))
    for rank in range(1, MAX_RANK + 1):
        names = [f"γ{k}" for k in range(1, rank + 1)]
        chosen = Array(alpha, Rho(0, tuple(sorted((name, 1) for name in names))))
        subscripts = Tuple(tuple([Array(Base.INT, Rho.of(name)) for name in names]))
        indexed = Array(alpha, Rho(rank))
        ways: list[Func] = [Func((subscripts, indexed), chosen)]
        if update or modify:
            new = Array(other, chosen.rank), scalar(other)
            ways = [Func((indexed, subscripts, value), indexed) for value in new]
            if modify:
                ways = [Func((function, *way.params), way.result) for way in ways]
        bases = "αβ" if modify else "α"
        result += [Scheme(ty, f"∀{bases}{''.join(names)}. {ty}") for ty in ways]
    return tuple(result)
