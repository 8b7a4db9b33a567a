"""The ways to make a loop over a piece of a range, in the order in which they are tried."""

from __future__ import annotations

from aplc.laila.loops.cycles import Cycles, Repetitions
from aplc.laila.loops.masked_simd_loops import Lockstep
from aplc.laila.loops.nests import LoopStrategies, Nests, SingleIteration
from aplc.laila.loops.outer_loop_vectorize import Points, ShortRows, Unswitching
from aplc.laila.loops.points.gathered_rows import GatheredRows
from aplc.laila.loops.powers import Powers
from aplc.laila.loops.staging.lookups import LookupsInBlocks
from aplc.laila.loops.staging.rare_branches import RareBranches


def loop_strategies(nests: Nests) -> LoopStrategies:
    """Those across iterations first: what they leave over the others make."""
    points = Points(nests)
    return (
        Unswitching(nests),
        RareBranches(nests),
        ShortRows(points),
        GatheredRows(nests),
        Lockstep(nests),
        points,
        SingleIteration(nests),
        LookupsInBlocks(nests),
        Powers(nests),
        Cycles(nests),
        Repetitions(nests),
    )
