"""Index-set splitting: a loop whose body tests an affine condition on its index is cut where the condition
changes.

Catenate, rotate, take and the borders of stencils are conditions on an index (`i < k ? … : …`). On either
side of the breakpoint the condition is a constant, so the pieces have no condition, and no modulo, left. A
piece of at most one iteration is no loop at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from aplc.laila.ir.scalar import (
    BlockExp,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    bound_by,
    certainly,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

MAX_PIECES = 9

NODES_IN_PIECES = 1200
"""So many nodes all pieces of a range may have together, as every piece is another copy of the body. A body
that is too large for a piece between any two breakpoints has its ends cut off: the middle has no conditions.
"""
_EXTREMA = (p.MAXI, p.MINI)
_IN_PLACES = (*_EXTREMA, p.RESI)
"""What tells a place in one way below a breakpoint and in another way above it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of the index with what is computed there; a range with a step is not cut."""

    var: Var
    start: Exp
    stop: Exp
    roots: tuple[Exp, ...]
    step: int = 1


@dataclass(frozen=True, slots=True)
class Break:
    """A condition or an extremum and the first index at which it is something else."""

    cond: Exp
    at: Exp
    below: Exp | None
    """What it is below the breakpoint; None if only that from the breakpoint on is not known."""
    above: Exp | None


def split(make: ExprBuilder, free: FreeVars, whole: Piece, unbound: frozenset[Var]) -> list[Piece]:
    """The pieces of a range in ascending order. `unbound` are the indices of loops further in."""
    most = max(3, min(MAX_PIECES, NODES_IN_PIECES // sum(1 for _ in nodes(*whole.roots))))
    if most == MAX_PIECES or len({found.at for found in breaks_of(make, free, whole, unbound)}) < most:
        return _cut_up(make, free, whole, unbound, most)
    first, middle, last = _without_ends(make, free, whole, unbound)
    rest = most - len(first) - len(last)
    pieces = [*first, *_cut_up(make, free, middle, unbound, rest), *last]
    return [piece for piece in pieces if not make.at_least(piece.start, piece.stop)]


def _cut_up(
    make: ExprBuilder, free: FreeVars, whole: Piece, unbound: frozenset[Var], most: int
) -> list[Piece]:
    """The pieces between the first breakpoints that are found, at most so many."""
    done: list[Piece] = []
    todo = [whole]
    while todo:
        piece = todo.pop()
        if make.at_least(piece.start, piece.stop):
            continue
        cut = None
        if len(done) + len(todo) + 1 < most and not at_most_once(make, piece):
            cut = next(breaks_of(make, free, piece, unbound), None)
        if cut is None:
            done.append(piece)
        else:
            lower, upper = _cut(make, piece, cut)
            todo += [upper, lower]
    return done


def _without_ends(
    make: ExprBuilder, free: FreeVars, whole: Piece, unbound: frozenset[Var]
) -> tuple[list[Piece], Piece, list[Piece]]:
    """A range up to the last breakpoint that is near its start, from the first that is near its end, and
    between them; near is what is a number of places away.
    """
    first, middle, last = [], whole, []
    at_start = _nearest(make, free, middle, unbound, lambda at: make.sub(at, whole.start))
    if at_start is not None:
        lower, middle = _cut(make, middle, at_start)
        first.append(lower)
    at_stop = _nearest(make, free, middle, unbound, lambda at: make.sub(whole.stop, at))
    if at_stop is not None:
        middle, upper = _cut(make, middle, at_stop)
        last.append(upper)
    return first, middle, last


def _nearest(
    make: ExprBuilder,
    free: FreeVars,
    piece: Piece,
    unbound: frozenset[Var],
    distance: Callable[[Exp], Exp],
) -> Break | None:
    """The breakpoint that is the farthest of those whose distance from an end is a number."""
    found: Break | None = None
    most = 0
    for each in breaks_of(make, free, piece, unbound):
        match distance(each.at):
            case Const(value=int(places)) if places > most:
                found, most = each, places
    return found


def at_most_once(make: ExprBuilder, piece: Piece) -> bool:
    """Whether a range is known to hold one index at most."""
    return make.at_least(make.add(piece.start, make.one), piece.stop)


def _cut(make: ExprBuilder, piece: Piece, cut: Break) -> tuple[Piece, Piece]:
    minus_one = make.const(-1)
    before_stop = make.last_indices(piece.stop)
    below = make.between(piece.var.name, (piece.start,), (make.add(cut.at, minus_one), *before_stop))
    above = make.between(piece.var.name, (cut.at, piece.start), before_stop)
    sides = ((below, cut.below), (above, cut.above))
    lower, upper = [_specialised(make, piece, var, cut.cond, value) for var, value in sides]
    return (
        Piece(below, piece.start, make.call(p.MINI, cut.at, piece.stop), lower),
        Piece(above, make.call(p.MAXI, cut.at, piece.start), piece.stop, upper),
    )


def _specialised(make: ExprBuilder, piece: Piece, var: Var, cond: Exp, value: Exp | None) -> tuple[Exp, ...]:
    replacements: dict[Exp, Exp] = {piece.var: var}
    if value is not None:
        replacements[cond] = Substitute(make, {piece.var: var})(value)
    substitute = Substitute(make, replacements)
    return tuple([substitute(root) for root in piece.roots])


def breaks_of(
    make: ExprBuilder, free: FreeVars, piece: Piece, unbound: frozenset[Var] = frozenset()
) -> Iterator[Break]:
    """The breakpoints of the conditions of selects and of residues in places, and along the innermost range
    of extrema in these, that may lie inside it. They are computed before it: one that reads memory must be
    sure to be computed in it, too, and not only where there is a row.
    """
    every = list(nodes(*piece.roots))
    tests = [test for node in every for test in _tests_of(node)]
    if not any(isinstance(node, Fold | BlockExp) for node in every):
        places = nodes(*[node.index for node in every if isinstance(node, Read)], below=_terms)
        wanted = (p.RESI,) if unbound else _IN_PLACES
        tests += [node for node in places if isinstance(node, Call) and node.op in wanted]
    tests = [test for test in dict.fromkeys(tests) if piece.var in free.of(test)]
    if tests:
        hidden = unbound | _bound(every)
        certain = {id(node) for node in nodes(*piece.roots, below=certainly)}
        for test in tests:
            if free.of(test) & hidden or (contains(Read | PureCall, test) and id(test) not in certain):
                continue
            found = _break_of(make, piece, test)
            if found is not None and piece.var not in free.of(found.at):
                yield found


def _terms(place: Exp) -> tuple[Exp, ...]:
    """What a place is the sum of, and what an extremum in it is of."""
    match place:
        case Sum():
            return operands(place)
        case Call(op=op, args=args) if op in _IN_PLACES or op is p.MULI:
            return args
        case _:
            return ()


def bound_in(roots: tuple[Exp, ...]) -> frozenset[Var]:
    """The variables that folds inside these expressions bind."""
    return _bound(nodes(*roots))


def _bound(every: Iterable[Exp]) -> frozenset[Var]:
    bound: set[Var] = set()
    for node in every:
        if isinstance(node, Fold):
            bound |= bound_by(node)
        if isinstance(node, BlockExp):
            bound |= set(node.names)
    return frozenset(bound)


def _tests_of(node: Exp) -> list[Call]:
    """The integer comparisons that decide what is left to compute of an expression: those of a choice, those
    that are joined with a question about data, as in `(v∘.>v)∧(⍳n)∘.<⍳n`, and those that take or leave an
    integer, as in `v×⍤1⊢(⍳n)∘.=⍳n`.
    """
    match node:
        case Select(cond=cond):
            return _tests(cond)
        case Call(op=p.ANDB, args=args):
            on_places = [arg for arg in args if not contains(Read, arg)]
            return [test for arg in on_places for test in _tests(arg)] if len(on_places) < len(args) else []
        case Call(op=p.MULI, args=args) if any(contains(Read, arg) for arg in args):
            conds = [arg.args[0] for arg in args if isinstance(arg, Call) and arg.op is p.B2I]
            return [test for cond in conds for test in _tests(cond)]
        case _:
            return []


def _tests(cond: Exp) -> list[Call]:
    """The integer comparisons of which a condition is made."""
    if not isinstance(cond, Call):
        return []
    if cond.op in (p.ANDB, p.ORB, p.NOTB):
        return [test for arg in cond.args for test in _tests(arg)]
    return [cond] if cond.op in p.COMPARISONS_OF_INTEGERS else []


def _break_of(make: ExprBuilder, piece: Piece, test: Call) -> Break | None:
    """Where a comparison that is affine in the index changes, or an extremum of two numbers of which one is,
    or the residue of one; None if it is not, or changes outside.
    """
    op, (a, b) = test.op, test.args
    holds, fails = make.true, make.false
    if op in _EXTREMA:
        op, holds, fails = p.LTI, *((b, a) if op is p.MAXI else (a, b))
    if op is p.RESI:
        if (found := wrap_of(make, a, b)) is None:
            return None
        op, (a, b, holds, fails) = p.LTI, found
    if op in (p.GTI, p.GTEI):
        a, b = b, a
    is_equality = op in (p.EQI, p.NEQI)
    if not (is_equality or make.counts(a, b)):  # of integers that wrap, only the equality survives `a - b`
        return None
    gap = make.sub(a, b)  # the test is: gap < 0, gap ≤ 0, gap = 0 or gap ≠ 0
    _, terms = make.linear(gap)
    k = terms.get(piece.var)
    if k not in (1, -1):
        return None
    rest = make.sub(gap, make.mul(make.const(k), piece.var))
    root = make.sub(make.zero, rest) if k == 1 else rest  # gap = 0 at this index
    if is_equality:
        elsewhere = make.const(op is p.NEQI)
        if make.at_least(piece.start, root):
            return _inside(make, piece, Break(test, make.add(root, make.one), None, elsewhere))
        return _inside(make, piece, Break(test, root, elsewhere, None))
    strict = (k == 1) == (test.op is p.MAXI) if test.op in _EXTREMA else op in (p.LTI, p.GTI)
    if k == 1:  # it holds below
        return _inside(make, piece, Break(test, root if strict else make.add(root, make.one), holds, fails))
    return _inside(make, piece, Break(test, make.add(root, make.one) if strict else root, fails, holds))


def wrap_of(make: ExprBuilder, n: Exp, x: Exp) -> tuple[Exp, Exp, Exp, Exp] | None:
    """Two numbers, and what `n|x` is where the first is less than the second, and where it is not; None where
    that is not known. Where n is 0 it is x, which both are then.
    """
    if not (make.counts(n, x) and make.at_least(n, make.zero)):
        return None
    with make.assuming({n: make.one} if isinstance(n, Var) else {}):
        if make.at_least(x, make.zero) and make.at_least(make.sub(make.add(n, n), make.one), x):
            return x, n, x, make.sub(x, n)
        if make.at_least(make.add(x, n), make.zero) and make.at_least(make.sub(n, make.one), x):
            return x, make.zero, make.add(x, n), x
    return None


def _inside(make: ExprBuilder, piece: Piece, found: Break) -> Break | None:
    """The breakpoint, unless it is known to cut nothing off while the test stays undecided."""
    undecided = found.below is None or found.above is None
    outside = make.at_least(piece.start, found.at) or make.at_least(found.at, piece.stop)
    return None if undecided and outside else found
