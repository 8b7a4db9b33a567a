"""Tile sizes: how many iterations are unrolled and jammed, and how much of an array a cache block has.

Note [Tiles]
    In `C[i;j] = Σk A[i;k] × B[k;j]` with the loop over j innermost, an element of B serves one product, and
    one of C is loaded and stored for each k. With a tile of rows and of steps of the fold in the body of that
    loop, an element of B serves all rows, and one of C is loaded and stored once for all steps. The elements
    of A stand in registers. Remainders run through the same loops with one index at a time.

    Blocks of k and j around the loop over the rows keep the part of B at work in the cache until all rows are
    done. They need no remainders: their loops end where the range does. A part of a row is set to the neutral
    element before its first block, and what the map makes of the result is computed after its last.

    Where the fold itself is innermost, as in a matrix by a vector, several results accumulate side by side:
    one accumulator alone waits for its own last addition. So do folds that combine their elements in order,
    as hashes of rows do, which no lanes shorten.

    A map that reads along one axis and writes along another touches a new cache line for each element on one
    of the two sides. In squares, the lines are used up before they leave the cache.

    The order in which one result accumulates is not changed by any of this; what changes it is the decision
    in `strides`, and lanes.

`SIZES` is the one place for the numbers. This module decides; `maps` makes the loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.analysis import CALLS, unconditional
from aplc.laila.ir.scalar import (
    BIT_COUNT,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Step,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import depends, steps_by_one
from aplc.laila.lowering.pull import FOLD_WEIGHT, weigh
from aplc.tail import prims as p
from aplc.tail.prims import Prim


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of tiles and blocks, for vector units of 256 or 512 bits and caches of 32 KiB and 512 KiB or
    more.
    """

    rows: int = 4
    """Rows of a product in one tile."""
    steps: int = 4
    """Steps of a fold in one tile of several rows."""
    steps_of_one_row: int = 8
    """Steps of a fold where each row is on its own: only its loads and stores are saved."""
    results: int = 4
    """Results along an axis that accumulate side by side in registers."""
    cost_of_rows: int = 256
    """What an element costs that is written once for each of several rows."""
    work: int = 64
    """Operations in the body of a loop, beyond which a tile is not made larger."""
    fold_block: int = 128
    """Steps of a fold in one block: with a row block, what stays in the second cache."""
    row_block: int = 512
    """Elements of a row in one block: the rows of one tile stay in the first cache."""
    points: int = 64
    """Points of a loop whose folds accumulate side by side; of doubles the vectors of two folds fit the
    registers.
    """
    least_points: int = 8
    """The same where there are few points or many folds."""
    accumulators: int = 128
    """Accumulators of all folds at such points."""
    table: int = 64
    """Steps of a fold whose constants lanes read from a table."""
    long_fold: int = 256
    """Steps of a fold from which on its own lanes do as well as those across points."""
    short_fold: int = 16
    """Steps of a fold up to which what a point reads along it is laid out by lanes."""
    gathered: int = 15
    """The same where points gather the elements of their rows as they are."""
    loaded: int = 23
    """The same where rows are loaded as they lie before, or elements of some rows are added up one by one."""
    gathered_calls: int = 24
    """The same where functions of reals are called at each step."""
    product_steps: int = 256
    """Steps of a fold in one block of a product in panels: a panel of columns stays in the first cache."""
    product_tiles: int = 16
    """Tiles of rows that go by while it does: they stay in the second cache."""
    product_rows: int = 2016
    """Rows for which panels are laid out together, if there are as many steps; whole tiles of any height."""
    product_columns: int = 1152
    """The same of columns."""
    least_product: tuple[int, int, int] = (24, 16, 16)
    """Rows, columns and steps from which on a product is done in panels; where its columns do not lie along
    the memory that is read, or much is computed of them alone, fewer rows and few steps will do.
    """
    least_steps: int = 2
    tile_work: int = 8
    """The cost of a term of a product, beyond which its tile would not stay in registers."""
    square: int = 32
    """The sides of a square in which a map reads along one axis and writes along the other."""


SIZES = Sizes()


@dataclass(frozen=True, slots=True)
class Tile:
    """How a fold outside the innermost loop is done: rows of that axis and steps together.

    Without an axis each row is on its own, and nothing is done in blocks.
    """

    row: Var | None
    rows: int
    steps: int


def fits_tiles(*roots: Exp) -> bool:
    """Whether several indices may be computed side by side: no statements inside, nothing that machines do to
    one number alone, and no likely condition.

    Where one is left, this is the version of a loop that need not be fast.
    """

    def fits(node: Exp) -> bool:
        match node:
            case Call(op=op):
                return op is not BIT_COUNT
            case Var(likely=likely):
                return not likely
            case _:
                return not isinstance(node, BlockExp)

    return all(map(fits, nodes(*roots)))


def most_gathered(*roots: Exp, loaded: bool = False) -> int:
    """The steps of loops along rows up to which these are better done for several rows side by side; these
    may be `loaded` before.
    """
    calls = any(isinstance(n, Call) and n.op in CALLS for n in nodes(*roots))
    return SIZES.gathered_calls if calls else SIZES.loaded if loaded else SIZES.gathered


def is_added_up(fold: Fold) -> bool:
    """Whether a fold combines elements of 64 bits, or little that is made of each, by what takes a cycle or
    two and no test of NaN: then a gather of them is slower. Narrower ones fill more lanes, and conditions
    are counted faster there.
    """
    if fold.combine not in _ADDING:
        return False
    found = nodes(fold.body, below=lambda e: () if isinstance(e, Read) else operands(e))
    inner = [n for n in found if not isinstance(n, Const | Var)]
    reads = [n for n in inner if isinstance(n, Read)]
    are_wide = all(n.buffer.item_bytes == 8 and not contains(Read, n.index) for n in reads)
    others = [n for n in inner if not isinstance(n, Read)]
    are_quick = all(isinstance(n, Sum) or (isinstance(n, Call) and n.op in _QUICK) for n in others)
    return are_wide and are_quick and 1 <= len(reads) <= 2 and len(others) <= 2


_ADDING = (p.ADDI, p.ADDD, p.MULI, p.MULD, p.MAXI, p.MINI, p.ANDB, p.ORB)
_QUICK = (
    p.ADDD, p.SUBD, p.MULD, p.ABSD, p.NEGD, p.MULI, p.ABSI,
    p.EQI, p.NEQI, p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQD, p.NEQD, p.LTD, p.LTED, p.GTD, p.GTED,
)  # fmt: skip


def product_tile(free: FreeVars, make: ExprBuilder, fold: Fold, axes: tuple[Var, ...]) -> Tile:
    """The tile of a fold that runs outside the innermost of the axes."""
    *outer, inner = axes
    most = max(1, SIZES.work // _work(fold.body))
    row = next((v for v in reversed(outer) if _is_shared(free, make, fold, inner, v)), None)
    if row is None or most < SIZES.rows or any(depends(free, fold.extent, v) for v in axes):
        return Tile(None, 1, _at_most(most, SIZES.steps_of_one_row))
    return Tile(row, SIZES.rows, _at_most(most // SIZES.rows, SIZES.steps))


def _work(exp: Exp) -> int:
    """The number of operations in an expression, without those on indices."""
    return sum(1 for _ in nodes(exp, below=lambda e: () if isinstance(e, Read) else operands(e)))


def _is_shared(free: FreeVars, make: ExprBuilder, fold: Fold, inner: Var, row: Var) -> bool:
    """Whether neighbouring elements along the innermost axis serve all rows."""
    return any(
        not depends(free, n.index, row)
        for n in nodes(fold.body)
        if isinstance(n, Read) and steps_by_one(make, free, n.index, inner)
    )


def _at_most(limit: int, size: int) -> int:
    """A size halved until it is within a limit."""
    while size > max(1, limit):
        size //= 2
    return size


def results_together(free: FreeVars, make: ExprBuilder, body: Exp, axes: tuple[Var, ...]) -> dict[Var, int]:
    """How many results along the last axes accumulate side by side, where folds run innermost."""
    folds = [n for n in nodes(body) if isinstance(n, Fold)]
    certain = {id(n) for n in unconditional((body,))}
    last = axes[-1]
    in_steps = [_may_step_together(fold) for fold in folds]
    for fold, steps in zip(folds, in_steps, strict=True):
        is_simple = id(fold) in certain and (isinstance(fold.combine, Prim) or steps)
        if not is_simple or depends(free, fold.extent, last) or not (steps or _reads_along(free, make, fold)):
            return {}
    if not folds or any(isinstance(n, Fold) for f in folds for n in nodes(f.body)):
        return {}
    most = max(1, SIZES.work // sum(_work_of_step(f) for f in folds))
    together = {last: _at_most(most, SIZES.results)}
    if len(axes) > 1 and not any(in_steps):
        before = axes[-2]
        saves = all(
            any(not depends(free, n.index, v) for f in folds for n in nodes(f.body) if isinstance(n, Read))
            for v in (last, before)
        )
        if saves and not any(depends(free, f.extent, before) for f in folds):
            together[before] = _at_most(most // together[last], SIZES.results)
    return together


def _may_step_together(fold: Fold) -> bool:
    """Whether a fold that combines its elements in order, by an expression, may wait for others at each step:
    none of its errors comes too late.
    """
    step = fold.combine
    return isinstance(step, Step) and not contains(Check | Fold | PureCall, fold.body, step.body)


def _work_of_step(fold: Fold) -> int:
    """The number of operations of a fold for one element."""
    return _work(fold.body) + (_work(fold.combine.body) if isinstance(fold.combine, Step) else 0)


def rows_in_lanes(free: FreeVars, body: Exp, axes: tuple[Var, ...]) -> dict[Var, int]:
    """How many rows are taken together where the folds of points along the last axis run in lanes: several,
    where at each step something is read or computed for the lanes that serves all rows.
    """
    folds = [n for n in nodes(body) if isinstance(n, Fold)]
    if len(axes) < 2 or weigh(body).cost - FOLD_WEIGHT * len(folds) > SIZES.cost_of_rows:
        return {}
    row, point = axes[-2:]

    def serves_rows(fold: Fold) -> bool:
        lanes = {point, fold.var}
        parts = [free.of(n) for n in nodes(fold.body) if isinstance(n, Call | Read)]
        return any(lanes <= part and row not in part for part in parts)

    gains = all(
        serves_rows(f) and depends(free, f.body, row) and not depends(free, f.extent, row) for f in folds
    )
    return {row: SIZES.rows} if folds and gains else {}


def _reads_along(free: FreeVars, make: ExprBuilder, fold: Fold) -> bool:
    """Whether the fold walks along some array."""
    return any(steps_by_one(make, free, n.index, fold.var) for n in nodes(fold.body) if isinstance(n, Read))


def axis_of_squares(free: FreeVars, make: ExprBuilder, body: Exp, axes: tuple[Var, ...]) -> Var | None:
    """The axis along which something is read while the last axis, along which is written, steps over it."""
    across = _places_across(free, make, body, axes)
    return next((x for x in reversed(axes[:-1]) for i in across if steps_by_one(make, free, i, x)), None)


def axis_looked_up(free: FreeVars, make: ExprBuilder, body: Exp, axes: tuple[Var, ...]) -> Var | None:
    """The axis along which is read what numbers in memory say, while the last axis steps over it."""
    for place in _places_across(free, make, body, axes):
        numbers = [n for n, times in make.linear(place)[1].items() if isinstance(n, Read) and times == 1]
        for axis in reversed(axes[:-1]):
            if any(depends(free, n, axis) and not depends(free, n, axes[-1]) for n in numbers):
                return axis
    return None


def _places_across(free: FreeVars, make: ExprBuilder, body: Exp, axes: tuple[Var, ...]) -> list[Exp]:
    """Where is read what the last axis does not step along by one."""
    if contains(Fold, body):
        return []
    places = [n.index for n in nodes(body) if isinstance(n, Read)]
    return [i for i in places if depends(free, i, axes[-1]) and not steps_by_one(make, free, i, axes[-1])]
