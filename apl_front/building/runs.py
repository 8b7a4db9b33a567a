"""Vectors of items that are not alike, and of which only the run knows how many there are.

Note [Runs of items]
    In `(⌽⍳n),⊂1 2 3` there are numbers, as many as the run wants, and behind them a vector. No array of
    arrays holds it, and no strand either, as that would have a component for each item. So it is made of
    runs: vectors of items of one type, and single items. It is a tuple of them behind the empty tuple, which
    is the first component of no strand; so its type tells it from all others. The functions for them are in
    `aplc.apl_front.records.runs`; a fold goes through them from the end (`elaboration.folds`), and everything
    else refuses them. An array of arrays that was joined of some is remembered, as a fold need not join them.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.builder import Builder
from aplc.tail.errors import Unsupported, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, TupleExp, Var, product
from aplc.tail.types import UNIT, Nested, Records, Tuple, Type


def is_runs(ty: Type) -> bool:
    """Whether a type is that of runs of items."""
    if not isinstance(ty, Tuple) or isinstance(ty, Nested | Records):
        return False
    return len(ty.items) > 1 and ty.items[0] == UNIT


def of_runs(runs: Sequence[Exp], span: Span | None) -> Exp:
    """The vector that is made of runs: simple vectors, vectors of arrays or of records, scalars, and enclosed
    items.
    """
    return product((product(()), *runs), span)


def runs_of(build: Builder, exp: Exp) -> list[Exp]:
    """The runs of such a vector."""
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    return list(opened.items[1:])


def refusal(what: str, span: Span | None) -> Unsupported:
    """The error where runs are given to what needs to know the items."""
    hint = "f/ folds them, ⌽ reverses them"
    return unsupported(f"{what} of unlike items, whose number only the run knows,", span, hint)


def without_runs(exp: Exp, what: str, span: Span | None) -> Exp:
    """The value, of which all is seen outside; it must have no runs inside."""
    level = [exp.ty]
    while level:
        if any(is_runs(ty) for ty in level):
            raise refusal(what, exp.span or span)
        level = [t for ty in level if isinstance(ty, Tuple) for t in ty.items]
    return exp


def note_joined(build: Builder, whole: Exp, runs: list[Exp]) -> None:
    """An array of arrays was joined of these runs."""
    if isinstance(whole, TupleExp) and isinstance(whole.items[0], Var):
        build.joins[whole.items[0].name] = runs


def joined_of(build: Builder, whole: Exp) -> list[Exp]:
    """The runs of which an array of arrays was joined; none of any other value."""
    places = whole.items[0] if isinstance(whole, TupleExp) and whole.items else None
    return build.joins.get(places.name, []) if isinstance(places, Var) else []
