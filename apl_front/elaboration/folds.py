"""Reductions of strands, and of items that are not alike: from the last item to the first.

The items of a strand are known one by one, and each step is written out, so that it may give a value of
another type. Where there are many of one type, and the steps of a function of the program's own keep a type,
there is a loop instead; and so for runs of items of which only the run knows how many there are (see Note
[Runs of items] in `building.runs`). The last item is the state of the loops, and may be of any shape and
type, a strand, too:

    ⊃f/(⌽⍳n),⊂s        loop k(i = 0, s = s) => if i < n then k(i + 1, (n - i)⊃(⌽⍳n) f s) else s
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from itertools import groupby

from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    constant,
    enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.runs import is_runs, joined_of, runs_of
from aplc.apl_front.elaboration.power import times
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import structure, tuples
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.records import runs
from aplc.apl_front.typing.effects import Place, carrying, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, Unsupported, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, Op, literal, op, vec
from aplc.tail.types import Tuple

LEAST_LOOPED = 16
"""So many items of one type in a strand are a loop."""


def reduce(elab: Elaborating, node: tree.Derived, scope: Scope, f: Operand, right: Exp, span: Span) -> Exp:
    """`f/` of a strand or of runs of items; that of a scalar is the scalar."""
    build = elab.build
    if is_runs(right.ty):
        *before, last = runs_of(build, right)
        if not runs.is_single(last):
            *own, last = _known_items(build, last, f"{f.text}{node.operator} of {plain_type(right)}", span)
            before += own
        result = runs.item_of(build, last)
    elif tuples.is_scalar(right):
        return right
    else:
        *items, result = tuples.items_of(build, right)
        before = [enclosed(item, span) for item in items]
        mark = build.mark()
        grouped = before if f.symbol is not None else _grouped(build, items, span)
        if len(grouped) < len(before):
            with suppress(CompileError, Unsupported):  # a step may not keep a type
                return _folded(elab, node, scope, f, grouped, result, span)
            build.undo(mark)
    return _folded(elab, node, scope, f, before, result, span)


def with_state(
    elab: Elaborating, node: tree.Derived, scope: Scope, f: Operand, right: Exp, span: Span
) -> Exp | None:
    """`f/items,⊂state` where the state is like the items, with a function of the program's own, whose steps
    keep a type; None for anything else.
    """
    build = elab.build
    if f.symbol is not None or not (parts := joined_of(build, right)) or not runs.is_single(parts[-1]):
        return None
    mark = build.mark()
    try:
        return _folded(elab, node, scope, f, parts[:-1], runs.item_of(build, parts[-1]), span)
    except (CompileError, Unsupported):
        build.undo(mark)
        return None


def _folded(
    elab: Elaborating,
    node: tree.Derived,
    scope: Scope,
    f: Operand,
    before: list[Exp],
    result: Exp,
    span: Span,
) -> Exp:
    """What the steps make of the last item, with those of the runs before it."""
    build = elab.build
    for run in reversed(before):
        if runs.is_single(run):
            result = build.bind(f.apply(runs.item_of(build, run), result, span))
        else:
            result = _through(elab, node, scope, f, run, result, span)
    return enclosed(result, span)


def _known_items(build: Builder, run: Exp, what: str, span: Span) -> list[Exp]:
    """The items of the last run, one of which must be known to be there: the state to begin with."""
    if isinstance(run.ty, Tuple) or not length_of(run):
        what = f"{what}, where only the run knows which item is the last one,"
        raise unsupported(what, span, "the initial state is the last item: f/items,⊂state")
    return list(tuples.items_of(build, run))


def _grouped(build: Builder, items: list[Exp], span: Span) -> list[Exp]:
    """The items of a strand, each enclosed; many simple ones of one kind and rank are a vector of them."""

    def kind(item: Exp) -> object:
        return None if isinstance(item.ty, Tuple) else (base_of(item), rank(item))

    found: list[Exp] = []
    for of, group in groupby(items, kind):
        alike = list(group)
        run = None
        if of is not None and len(alike) >= LEAST_LOOPED:
            is_simple = rank(alike[0]) == 0
            run = _vector(alike, build, span) if is_simple else nv.of_items(build, alike, span)
        found += [enclosed(item, span) for item in alike] if run is None else [build.bind(run)]
    return found


def _vector(elements: list[Exp], build: Builder, span: Span) -> Exp:
    """The vector of scalars of one type; those that follow each other in a vector are a part of it."""
    picked = [build.definition(element) for element in elements]
    picks = [each for each in picked if isinstance(each, Op) and each.prim is p.PICK]
    places = [constant(each.args[0]) for each in picks if isinstance(each.args[0], Lit)]
    first = places[0] if len(places) == len(elements) else None
    if (
        isinstance(first, int)
        and places == [first + k for k in range(len(places))]
        and all(each.args[1] == picks[0].args[1] for each in picks)
    ):
        count = literal(len(places), span)
        return op(p.SLICE, literal(first - 1, span), count, picks[0].args[1], span=span)
    return vec(tuple(elements), base_of(elements[0]), span)


def _through(
    elab: Elaborating, node: tree.Derived, scope: Scope, f: Operand, run: Exp, start: Exp, span: Span
) -> Exp:
    """What a function makes of the items of a run, from the last to the first, and a state. A scalar that
    becomes a vector is a vector of one element from the beginning.
    """
    build = elab.build
    count = build.bind(runs.count(build, run, span))

    def looped(begin: Exp) -> Exp:
        def loop(places: tuple[Place, ...]) -> Exp:
            def step(i: Exp, state: Exp) -> Exp:
                value = taken_apart(build, places, state, span)
                number = build.bind(op(p.SUBI, count, i, span=span))
                return with_names(places, f.apply(rv.item_at(build, run, number, span), value, span))

            whole = with_names(places, begin)
            with unchanged_behind(build) if places else nullcontext():  # one round is in line
                result = times(elab, step, count, whole, span, span, places, f.text + node.operator)
            return taken_apart(build, places, result, span)

        return build.bind(carrying(elab.effects, build, scope, node, loop))

    mark = build.mark()
    try:
        return looped(start)
    except (CompileError, Unsupported) as found:
        build.undo(mark)
        if isinstance(start.ty, Tuple) or rank(start) > 0:
            raise
        refusal = found
    try:
        return looped(structure.as_vector(start))
    except (CompileError, Unsupported):
        raise refusal from None
