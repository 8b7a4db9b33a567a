"""Functions on runs of items, and what makes them; see Note [Runs of items] in `building.runs`."""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, enclosed, plain_type
from aplc.apl_front.building.runs import is_runs, of_runs, refusal, runs_of
from aplc.apl_front.functions import nested, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, vec
from aplc.tail.types import Base, Tuple


def is_single(run: Exp) -> bool:
    """Whether a run is a scalar or an enclosed item."""
    return tuples.is_scalar(run)


def item_of(build: Builder, run: Exp) -> Exp:
    """The item of a run that has only one."""
    if tuples.is_tuple(run) or not isinstance(run.ty, Tuple):
        return tuples.items_of(build, run)[0]
    return build.bind(rv.item_at(build, run, literal(1, run.span), run.span))


def count(build: Builder, run: Exp, span: Span) -> Exp:
    """How many items a run has."""
    return literal(1, span) if is_single(run) else nv.items_of_vector(build, run, span)


def joined(build: Builder, left: Exp, right: Exp, span: Span) -> Exp | None:
    """`a,b` of vectors and scalars, of which one holds arrays, whose items are not alike; None where one has
    more axes, or is a table.
    """
    if not any(isinstance(side.ty, Tuple) for side in (left, right)):
        return None
    sides = [_runs(build, build.bind(side), span) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    return of_runs([*sides[0], *sides[1]], span)


def _runs(build: Builder, exp: Exp, span: Span) -> list[Exp] | None:
    """A vector or a scalar of any items as runs."""
    if is_runs(exp.ty):
        return runs_of(build, exp)
    if tuples.is_tuple(exp):
        return [enclosed(item, span) for item in tuples.items_of(build, exp)]
    if rv.is_table(exp) or nv.axes_of(exp) > 1:
        return None
    return [exp]


def primitive(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """A function of which an argument is runs of items, and that is not scalar."""
    if axis is None and left is None:
        match symbol:
            case "⊢" | "⊣" | "⌷" | "," | "⊆":
                return right
            case "⊂":
                return enclosed(right, span)
            case "⌽" | "⊖":
                runs = [nested.reversed_run(build, run, span) for run in reversed(runs_of(build, right))]
                return of_runs(runs, span)
            case "≢" | "⍴":
                number = _tally(build, right, span)
                return number if symbol == "≢" else vec((number,), Base.INT, span)
            case "⊃" if is_single(first := runs_of(build, right)[0]):
                return item_of(build, first)
            case _:
                pass
    elif axis is None and left is not None:
        if symbol == "⊢":
            build.discard(left)
            return right
        if symbol == "⊣":
            build.discard(right)
            return left
        if symbol in ",⍪" and (made := joined(build, left, right, span)) is not None:
            return made
    shown = " and ".join([plain_type(a) for a in (left, right) if a is not None])
    raise refusal(f"{symbol} of {shown}, a vector", span)


def _tally(build: Builder, right: Exp, span: Span) -> Exp:
    total, *others = [count(build, run, span) for run in runs_of(build, right)]
    for number in others:
        total = build.bind(op(p.ADDI, total, number, span=span))
    return total
