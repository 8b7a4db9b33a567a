"""The policy of memory: which arrays are written, and why. All thresholds of that are here.

It decides; `memory` does. Which values a term uses how often is known from `uses`.

Note [What is written to memory]
    An array is computed at its use unless that would be wrong or dear. It is written when its elements go
    to several places and recomputing them costs more than a store and a load (`is_dear`), when each is
    wanted many times (`pays_to_share`: the operands of products, of `⍳`, of repetition), and when some
    elements might be dropped whose computation may fail. What is bound is judged by `of_binding`.

Note [Parts that outlive changes]
    `t←m[j;] ⋄ m[j;]←m[k;] ⋄ m[k;]←t` reads a row of the old matrix after the first change. The row is written
    in front of it, so that the matrix is changed in place: else all of it would be copied. Parts are of lower
    rank, or of lengths that have nothing to do with those of the array, as those in `t←v[i] ⋄ v[i]←v[j]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from aplc.laila.ir.counts import branches
from aplc.laila.ir.scalar import QUOT, Call, Const, Exp, FreeVars, Read, Select, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import wrap_of
from aplc.laila.lowering.decisions import used_twice
from aplc.laila.lowering.pull import FOLD_WEIGHT, Filtered, Pull
from aplc.laila.lowering.uses import Uses, part_of
from aplc.tail import prims as p

STORE_AND_LOAD = 8
"""What memory costs: roughly so many operations."""

LIGHT = 3
"""So few operations on indices and scalars are quicker done again than an element is read."""

MASK_COST = 8
"""A mask that costs more is not computed twice."""

TABLE_LENGTH = 5
"""From this length on a vector literal is a table in memory."""

LONGEST_TABLE = 16
"""Up to so many elements that have been computed are a table, if they are constants."""

FEW = 4
"""Up to so many elements that branches or rounds of a loop give are kept in variables."""

MOST_READS = 64
"""Of so many places an element may be read that is only moved: boundaries make several of one."""

MOST_BORDERS = 2
"""A matrix with constants at so many of its sides is made where it is used, if that is in `FEW` places."""

SIMPLE_EXTENT = 6
"""An extent of fewer parts is repeated, and has no name."""


class Keeping(Enum):
    """What becomes of an array that is bound to a name."""

    DELAYED = auto()
    """It is computed where it is used."""
    UNSETTLED = auto()
    """So it is, but before anything is printed, as its computation may fail."""
    FORCED = auto()
    """It is computed now if its computation may fail."""
    SHARED = auto()
    """It is written if its elements are not quickly computed again: they are wanted many times."""
    WRITTEN = auto()


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of an array, and why it is written if it is."""

    keeping: Keeping
    why: str = ""


MOST_MASKED_WORK = 32
"""What is written where a mask holds may be so much work to be done in lanes for all elements."""


def of_binding(a: Pull, name: str, uses: Uses, *, on_host: bool, component: int = 0) -> Judged:
    """What becomes of an array that is bound to a name, or is a component of a tuple that is."""
    known = part_of(name, component) if component else name
    sinks = uses.sinks.get(known, 0 if on_host else 1)
    if not on_host:
        return Judged(Keeping.DELAYED if sinks else Keeping.FORCED)
    if a.buffer is not None or _is_of_extents(a):
        return Judged(Keeping.DELAYED)
    if name in uses.chosen and a.weight.may_fail:
        return Judged(Keeping.FORCED)
    whole = a.unravelled or a
    is_moved = whole.cells is not None and moves(a.sample())
    is_quick = whole.cells is not None and not a.weight.may_fail and not is_dear_item(whole)
    if name in uses.repeated:
        by_items = name not in uses.looped and (is_moved or is_quick or _is_seen_through(a))
        is_walked = name in uses.walked and not a.weight.may_fail
        return Judged(Keeping.DELAYED if by_items or is_walked else Keeping.SHARED)
    if sinks == 0:
        return Judged(Keeping.FORCED)
    if sinks > 1 and not is_moved and is_dear(a, sinks - 1) and (sinks > FEW or not is_bordered(a)):
        return Judged(Keeping.WRITTEN, used_twice(sinks, a.weight.cost))
    return Judged(Keeping.UNSETTLED if uses.prints and a.weight.may_fail else Keeping.DELAYED)


def is_saved(part: Pull, whole: Pull) -> bool:
    """Whether an array that is made of another one is written before that is changed."""
    if part.buffer is not None or part.filtered is not None or part.weight.may_fail:
        return False
    free = FreeVars()
    own, others = [frozenset().union(*[free.names(n) for n in a.shape]) for a in (part, whole)]
    return part.rank < whole.rank or own.isdisjoint(others)


def may_wait(a: Filtered, name: str, uses: Uses) -> bool:
    """Whether a vector that is bound need not be computed: it is used once, perhaps besides being counted."""
    is_wanted_once = name not in uses.repeated and uses.sinks.get(name, 0) <= 1
    may_fail = a.source.weight.may_fail or a.mask.weight.may_fail
    return is_wanted_once and not may_fail and a.mask.weight.cost <= MASK_COST


def constant_elements(a: Pull) -> tuple[int | float | bool, ...] | None:
    """The elements of a short array, or of one in memory of its own, if they are constants."""
    if a.buffer is not None and a.buffer.data is not None:
        return tuple(a.buffer.data)
    if not isinstance(a.size, Const) or a.size.value > LONGEST_TABLE:
        return None
    elements = [a.at_flat(a.make.const(k)) for k in range(int(a.size.value))]
    values = tuple([e.value for e in elements if isinstance(e, Const)])
    return values if len(values) == len(elements) else None


def are_different(numbers: Pull) -> bool:
    """Whether numbers are constants none of which is there twice."""
    constants = constant_elements(numbers)
    return constants is not None and len(set(constants)) == len(constants)


def is_dear(a: Pull, times: int) -> bool:
    """Whether computing each element so many times more costs more than memory."""
    return times * a.weight.cost > STORE_AND_LOAD


def is_dear_item(a: Pull) -> bool:
    """Whether an element of the items that are the cells of an array costs more than memory."""
    return any(is_dear(cell, 1) for cell in a.cells or (a,))


def has_folds(*arrays: Pull) -> bool:
    """Whether a loop computes each element of some array: too much for elements that are used again."""
    return max([a.weight.cost for a in arrays]) >= FOLD_WEIGHT


def pays_to_share(a: Pull, *, on_host: bool) -> bool:
    """Whether an array is written whose elements are wanted many times. Inside a function that is applied to
    elements its memory comes and goes with each of them.
    """
    if not a.rank or a.weight.cost <= 1 or a.buffer is not None or _is_light(a):
        return False
    return on_host or is_dear(a, 1)


def is_made_across(a: Pull) -> bool:
    """Whether a transposed array is made of neighbours where it is not transposed yet, and of elements that
    lie apart otherwise: written as it is made, its making and what transposes it again run along memory.
    """
    if a.origin is None:
        return False
    source, axes = a.origin
    indices = [a.make.sample_index(n) for n in source.shape]
    places = [n.index for n in nodes(source.at(*indices)) if isinstance(n, Read)]
    before, behind = indices[-1], indices[axes.index(a.rank - 1)]
    return sum(_steps(place, before) for place in places) > sum(_steps(place, behind) for place in places)


def _steps(place: Exp, index: Var) -> bool:
    """Whether the next index is the next place, or the same again, as that of elements that are repeated."""
    atoms = [atom for atom, k in place.terms if k == 1] if isinstance(place, Sum) else [place]
    return any(atom is index or _is_repeated(atom, index) for atom in atoms)


def _is_repeated(atom: Exp, index: Var) -> bool:
    """Whether several indices in turn give one place."""
    return isinstance(atom, Call) and atom.op is QUOT and atom.args[0] is index


def _is_light(a: Pull) -> bool:
    """Whether elements are made of their index by a few operations, and without reading anything. What a
    scalar chooses is chosen once: see Note [Lengths that only the run knows] of `maps`.
    """
    if a.weight.cost > LIGHT or a.weight.may_fail:
        return False
    found = list(nodes(a.sample()))
    if not all(isinstance(n, Call | Const | Select | Sum | Var) for n in found):
        return False
    return all(isinstance(n.cond, Var) for n in found if isinstance(n, Select))


def is_at_ends(make: ExprBuilder, a: Pull) -> bool:
    """Whether numbers are sums of their indices but for the ends of a range, where they are bounded or go on
    at the other end: loops that read at these places are cut there.
    """
    found = list(nodes(a.sample()))
    calls = [n for n in found if isinstance(n, Call)]
    residues = [n.args for n in calls if n.op is p.RESI]
    return (
        not a.weight.may_fail
        and len(calls) <= LIGHT
        and all(isinstance(n, Call | Const | Sum | Var) for n in found)
        and all(n.op in (p.MAXI, p.MINI, p.RESI) for n in calls)
        and all(wrap_of(make, n, x) is not None for n, x in residues)
    )


def moves(element: Exp) -> bool:
    """Whether an element is one of others in memory, perhaps converted, and its index alone tells which."""
    found = list(nodes(element))
    reads = sum(isinstance(n, Read) and n.buffer.data is None for n in found)
    if reads > MOST_READS or not all(isinstance(n, Call | Const | Read | Select | Sum | Var) for n in found):
        return False
    leaves = [n for n in nodes(element, below=_origins) if not _origins(n)]
    return all(isinstance(leaf, Read | Const) for leaf in leaves)


def is_bordered(a: Pull) -> bool:
    """Whether a matrix is another one in memory with constants at some of its sides: loops that read it are
    cut there, and nothing is left of that inside.
    """
    found = list(nodes(a.sample()))
    reads = sum(isinstance(n, Read) for n in found)
    borders = sum(isinstance(n, Select) for n in found)
    return a.rank > 1 and reads == 1 and borders <= MOST_BORDERS and moves(a.sample())


def is_view(a: Pull) -> bool:
    """Whether elements are those of an array in memory, at places that are sums of multiples of indices."""
    element = a.sample()
    if not isinstance(element, Read) or element.buffer.data is not None:
        return False
    found = nodes(element.index)
    return all(isinstance(n, Const | Sum | Var) or (isinstance(n, Call) and n.op is p.MULI) for n in found)


def is_constant(a: Pull) -> bool:
    """Whether elements are those of a table of constants, which has some."""
    element = a.sample()
    is_table = isinstance(element, Read) and bool(element.buffer.data)
    return is_table and all(isinstance(n, Const) and int(n.value) > 0 for n in a.shape)


def _is_seen_through(a: Pull) -> bool:
    """Whether the place of an item among others, or a number that tells where one is, is known already."""
    if a.elements:
        return all(isinstance(n, Call | Const | Sum | Var) for n in nodes(*a.elements))
    return bool(a.joined) and moves(a.sample())


def _is_of_extents(a: Pull) -> bool:
    """Whether an array is the shape of another one: numbers that are there, and that loops know."""
    are_known = all(isinstance(e, Const) or (isinstance(e, Var) and e.is_index) for e in a.elements)
    return len(a.elements) <= FEW and are_known and any(isinstance(e, Var) for e in a.elements)


def _origins(exp: Exp) -> tuple[Exp, ...]:
    """What a choice is between, and what a conversion is of."""
    return exp.args if isinstance(exp, Call) and exp.op in (p.B2I, p.I2D) else branches(exp)


def is_simple(extent: Exp) -> bool:
    """Whether an extent is nearly as cheap to repeat as a name."""
    return all(k < SIMPLE_EXTENT and not isinstance(n, Read) for k, n in enumerate(nodes(extent)))
