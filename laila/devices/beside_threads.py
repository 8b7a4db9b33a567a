"""Which programs have no kernels on a processor, as the threads of the host do them sooner.

Kernels of a processor are loops over chunks, in as many threads as the host has: of maps, folds and scans
they make what the host makes. What else is known of loops is known on the host: rounds of unlike numbers in
masked lanes, items whose values are asked for ahead of time, elements that are kept and packed in lanes,
rounds that share out memory by items, and calls side by side. Measured, such loops take up to five times as
long in kernels (docs/measurements.md, "OpenCL on a processor"). A program with one of them is made for the
threads of the host as a whole: where kernels stand in front of loops, less is known of the loops behind them.
"""

from __future__ import annotations

from collections.abc import Iterator

from aplc.laila.devices.device_mapping import Division
from aplc.laila.ir.program import Filter, ForEach, Fused, Map, Program, Scan, Statement, While
from aplc.laila.ir.scalar import BlockExp, Fold, FreeVars, Var, nodes
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.statements import everywhere, own_expressions, statements_of, within

CALLS, ROUNDS = "calls of a function side by side", "rounds of neighbouring elements in lanes"
ITEMS, FILTERS = "loops over items of unlike lengths", "filters, which pack whole lanes"


def sooner_in_threads(program: Program, settings: Settings, division: Division) -> str:
    """What the threads of the host do sooner than kernels of a processor; empty where that is nothing."""
    if division.eager or division.on_device or settings.is_single or not division.in_threads:
        return ""
    if program.functions:
        return CALLS
    free = FreeVars()
    for statement in within(program.statements):
        if found := next(_of(statement, free), ""):
            return found
    return ""


def _of(statement: Statement, free: FreeVars) -> Iterator[str]:
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    if isinstance(statement, ForEach):
        yield ITEMS
    if any(isinstance(part, Filter) for part in parts):
        yield FILTERS
    indices = frozenset(_indices(statement))
    for node in nodes(*own_expressions(statement)):
        match node:
            case BlockExp() if any(isinstance(s, While) for s in everywhere(statements_of(node))):
                yield ROUNDS
            case Fold(extent=extent) if indices & free.of(extent):
                yield ITEMS
            case _:
                pass


def _indices(statement: Statement) -> tuple[Var, ...]:
    match statement:
        case Map(space=space) | Scan(space=space) | Filter(space=space) | Fused(space=space):
            return space.indices
        case _:
            return ()
