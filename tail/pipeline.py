"""The optimiser of TAIL as a list. The names are those of `--passes`, `--dump-after` and `--after`; the page
docs/tour.md lists them with their reasons, which a test compares.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from aplc.tail.optimise.accumulators import accumulate_calls
from aplc.tail.optimise.common_subexpressions import share_common
from aplc.tail.optimise.copy_elision import drop_copies
from aplc.tail.optimise.fold import fold_constants
from aplc.tail.optimise.inlining import drop_dead_bindings, inline_bindings
from aplc.tail.optimise.item_fusion import fuse_items
from aplc.tail.optimise.loop_invariants import move_invariants
from aplc.tail.optimise.map_fusion import fuse_each
from aplc.tail.optimise.rearrange import rearrange
from aplc.tail.optimise.truth_versions import with_truth_values
from aplc.tail.passes import Pass

START = "elaborate"
"""What is there before the first pass is named so."""

PASSES: tuple[Pass, ...] = (
    Pass("fold-constants", fold_constants, "What does not depend on inputs is computed by the compiler."),
    Pass(
        "inline-bindings",
        inline_bindings,
        "A value stands where it is used once; after folding, as constants are then free to move.",
    ),
    Pass(
        "drop-copies",
        drop_copies,
        "What is a copy already needs none; after inlining, as a change then stands inside the next one.",
    ),
    Pass(
        "rearrange",
        rearrange,
        "Operators that move elements cancel or join; after inlining, as they then stand inside each other.",
    ),
    Pass(
        "find-truth-values",
        with_truth_values,
        "Integers that are zeros and ones are truth values; before fusion, while primitives stand alone.",
    ),
    Pass(
        "fuse-items",
        fuse_items,
        "Items that are read one by one are made there; after inlining, when what reads them stands there.",
    ),
    Pass(
        "fuse-each",
        fuse_each,
        "What each element undergoes is one function; after inlining, as a chain is then one expression.",
    ),
    Pass(
        "accumulate-calls",
        accumulate_calls,
        "Calls whose results are only added to are rounds; after inlining, as they then stand in the sums.",
    ),
    Pass(
        "move-invariants",
        move_invariants,
        "What is the same in all rounds is computed before them; after fusion, which wants functions whole.",
    ),
    Pass(
        "share-common",
        share_common,
        "Equal expressions are computed once; after the invariants, as what has moved may equal something.",
    ),
    Pass(
        "drop-dead-bindings", drop_dead_bindings, "Nobody reads what these compute; last, as all leave some."
    ),
)


def chosen(level: int, names: Collection[str] | None, *, check_overflow: bool = False) -> tuple[Pass, ...]:
    """The passes of a level; where `names` has some of ours, or is empty, those named, in their order. With
    `check_overflow` they are for programs in which an integer that does not fit is an error.
    """
    passes = _with_checks(PASSES) if check_overflow else PASSES
    by_name = {each.name: each for each in passes}
    named = tuple([by_name[name] for name in names or () if name in by_name])
    if named or (names is not None and not names):
        return named
    return passes if level > 0 else ()


def _with_checks(passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Passes that know that integer arithmetic may fail, without those that would let it fail elsewhere."""
    careful = partial(move_invariants, check_overflow=True)
    kept = [each for each in passes if each.run is not accumulate_calls]
    return tuple([replace(each, run=careful) if each.run is move_invariants else each for each in kept])
