"""Legality and profit of outer-loop vectorisation; `outer_loop_vectorize` generates the code."""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.rounds import Rounds, rounds_of
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Step,
    Var,
    bound_by,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import depends, steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.register_tiling import SIZES, fits_tiles, most_gathered
from aplc.tail.prims import Prim
from aplc.tail.types import Base


def folds_of_points(free: FreeVars, roots: tuple[Exp, ...], point: Var) -> list[Fold]:
    """The folds that depend on a point, those inside others left out."""
    below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
    return [n for n in nodes(*roots, below=below) if isinstance(n, Fold) and depends(free, n, point)]


def rounds_of_points(
    make: ExprBuilder, free: FreeVars, roots: tuple[Exp, ...], point: Var
) -> dict[BlockExp, Rounds]:
    """The loops over scalars that depend on a point; none if one of the sequences there is something else."""
    below = lambda e: () if isinstance(e, BlockExp) else operands(e)  # noqa: E731
    found: dict[BlockExp, Rounds] = {}
    for node in nodes(*roots, below=below):
        if isinstance(node, BlockExp) and depends(free, node, point):
            rounds = rounds_of(make, node, point)
            if rounds is None:
                return {}
            found[node] = rounds
    return found


def _are_all(loops: dict[BlockExp, Rounds], roots: tuple[Exp, ...]) -> bool:
    """Whether nothing but loops over scalars keeps the points from lanes."""
    below = lambda e: () if isinstance(e, BlockExp) else operands(e)  # noqa: E731
    certain = {id(n) for n in unconditional(roots)}
    rest = [n for n in nodes(*roots, below=below) if n not in loops]
    in_lanes = not any(
        isinstance(n, BlockExp | Check | Fold) or (isinstance(n, Var) and n.likely) for n in rest
    )
    return in_lanes and all(id(node) in certain for node in loops)


def wants_lanes(make: ExprBuilder, free: FreeVars, piece: Piece) -> bool:
    """Whether the innermost loop over points is better taken in lanes: see Note [Points in lanes]."""
    if piece.step != 1:
        return False
    loops = rounds_of_points(make, free, piece.roots, piece.var)
    if loops:
        return _are_all(loops, piece.roots)
    folds = folds_of_points(free, piece.roots, piece.var)
    if not folds or not fits_tiles(*piece.roots):
        return False
    return _all_fit(make, free, folds, piece) and any(_pays(make, free, fold, piece) for fold in folds)


def _all_fit(make: ExprBuilder, free: FreeVars, folds: list[Fold], piece: Piece) -> bool:
    """Whether the folds of points are computed at each one, and may accumulate across them."""
    certain = {id(n) for n in unconditional(piece.roots)}
    return all(id(fold) in certain and _fits(make, free, fold, piece.var, ()) for fold in folds)


GATHERED = ("int32", "int64", "float32", "float64")
"""Elements of which an instruction gathers a vector."""

Rows = dict[Read, Fold]
"""What points read along rows of their own, with the fold that walks along it."""


def rows_of_points(make: ExprBuilder, free: FreeVars, piece: Piece) -> Rows:
    """The reads for which points would be taken in lanes if what they read were laid out by lanes; none if
    they would not. The folds along them have other folds around that read the same again.
    """
    if piece.step != 1 or not fits_tiles(*piece.roots):
        return {}
    rows: Rows = {}
    stack = [(fold, frozenset[Var]()) for fold in folds_of_points(free, piece.roots, piece.var)]
    while stack:
        fold, around = stack.pop()
        bound = around | bound_by(fold)
        stack += [(inner, bound) for inner in folds_of_points(free, (fold.body,), piece.var)]
        below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
        for node in nodes(fold.body, below=below):
            if (
                isinstance(node, Read)
                and {piece.var, fold.var} <= free.of(node.index)
                and not free.of(node) & around
                and not free.of(fold.extent) & {*bound, piece.var}
                and around
                and not steps_by_one(make, free, node.index, piece.var)
                and isinstance(fold.combine, Prim)
            ):
                rows[node] = fold
    if not rows or any(isinstance(n, Read) for row in rows for n in nodes(row.index)):
        return {}
    some = Buffer("rows", Base.DOUBLE, STORAGE[Base.DOUBLE])
    laid_out = Substitute(make, {row: _placeholder(make, some, row, piece.var) for row in rows})
    pretended = replace(piece, roots=tuple([laid_out(root) for root in piece.roots]))
    folds = folds_of_points(free, pretended.roots, piece.var)
    return rows if _all_fit(make, free, folds, pretended) else {}


def _placeholder(make: ExprBuilder, some: Buffer, row: Read, point: Var) -> Exp:
    """A read that stands for that of a row: of neighbours along the points."""
    return make.read(replace(some, ty=row.ty, storage=STORAGE[row.ty]), point)


def _pays(make: ExprBuilder, free: FreeVars, fold: Fold, piece: Piece) -> bool:
    """Whether a fold gains by running across points: it has no lanes of its own, or only short ones, or walks
    along no memory itself. One that is no shorter than the loop is long where there are points for lanes.
    """
    if is_slow_alone(make, free, fold, piece.var):
        return True
    if isinstance(fold.extent, Const):
        return fold.extent.value < SIZES.long_fold
    return not make.at_least(fold.extent, make.sub(piece.stop, piece.start))


def is_slow_alone(make: ExprBuilder, free: FreeVars, fold: Fold, point: Var) -> bool:
    """Whether a fold at a single point has no lanes of its own, or steps over memory from row to row."""
    places = [n.index for n in nodes(fold.body) if isinstance(n, Read) and depends(free, n.index, fold.var)]
    return isinstance(fold.combine, Step) or any(steps_by_one(make, free, i, point) for i in places)


def may_repeat(free: FreeVars, fold: Fold, point: Var) -> bool:
    """Whether a fold may run for a point several times: it is short, and what it reads does not depend on
    the point.
    """
    return (
        isinstance(fold.extent, Const)
        and fold.extent.value < SIZES.long_fold
        and not contains(Fold, fold.body)
        and not any(isinstance(n, Read | PureCall) and depends(free, n, point) for n in nodes(fold.body))
    )


def _fits(make: ExprBuilder, free: FreeVars, fold: Fold, point: Var, around: tuple[Var, ...]) -> bool:
    """Whether a fold, in others of which it needs the indices `around` it, may accumulate across points, and
    walks along no memory of one point, unless that is short.
    """
    if depends(free, fold.extent, point) or (fold.empty is not None and not is_plain(fold.empty)):
        return False
    if isinstance(fold.combine, Step) and not is_plain(fold.combine.body, Check):
        return False
    indices = (*around, fold.var)
    inside = folds_of_points(free, (fold.body,), point)
    certain = {id(n) for n in unconditional((fold.body,))}
    below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
    for node in nodes(fold.body, below=below):
        if isinstance(node, PureCall) or (
            isinstance(node, Read)
            and depends(free, node.index, point)
            and any(depends(free, node.index, k) for k in indices)
            and not steps_by_one(make, free, node.index, point)
            and (around or not is_gathered(make, fold, node))
        ):
            return False
    around_it = {each: tuple([k for k in indices if depends(free, each, k)]) for each in inside}
    return all(id(each) in certain and _fits(make, free, each, point, around_it[each]) for each in inside)


def is_gathered(make: ExprBuilder, fold: Fold, read: Read) -> bool:
    """Whether points read elements of rows of their own that a vector gathers, as the rows are short: where
    the extent of the fold is a variable with a bound, that was decided with it.
    """
    most = most_gathered(fold.body, loaded=True) if isinstance(fold.extent, Const) else SIZES.gathered_calls
    return read.buffer.storage in GATHERED and make.at_least(make.const(most), fold.extent)


def is_plain(exp: Exp, *allowed: type) -> bool:
    """Whether an expression needs no statements, but for some kinds of nodes."""
    kinds = tuple({Check, Fold, BlockExp, PureCall} - set(allowed))
    return not contains(kinds, exp)


def lanes_of(make: ExprBuilder, piece: Piece, arrays: int) -> int:
    """How many points are taken together, as many as there are at most."""
    count = SIZES.points
    length = make.sub(piece.stop, piece.start)
    while count > SIZES.least_points and (
        count * arrays > SIZES.accumulators or (isinstance(length, Const) and length.value < count)
    ):
        count //= 2
    return count


def used_inside(folds: list[Fold]) -> list[Fold]:
    """The folds that others of them need: they run before these."""
    parts = {n for fold in folds for n in nodes(fold.body) if isinstance(n, Fold)}
    return [fold for fold in folds if fold in parts]


def without_copies(make: ExprBuilder, free: FreeVars, piece: Piece) -> Piece:
    """The piece with folds that differ in the names of their indices only made one."""
    indices: dict[Exp, Var] = {}
    originals: dict[tuple[object, ...], Fold] = {}
    copies: dict[Exp, Exp] = {}
    for node in nodes(*piece.roots):
        if isinstance(node, Fold) and isinstance(node.combine, Prim) and depends(free, node, piece.var):
            if node.extent not in indices:
                indices[node.extent] = make.index("k", node.extent)
            index = indices[node.extent]
            body = Substitute(make, {node.var: index})(node.body)
            original = originals.setdefault((node.combine, node.extent, body, node.empty), node)
            if original is not node:
                copies[node] = original
    if not copies:
        return piece
    substitute = Substitute(make, copies)
    return replace(piece, roots=tuple([substitute(root) for root in piece.roots]))
