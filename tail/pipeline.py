"""The optimiser of TAIL as a list. The names are those of `--passes` and `--dump-after`."""

from __future__ import annotations

from tail.optimise.bindings import drop_dead_bindings, inline_bindings
from tail.optimise.common import share_common
from tail.optimise.copies import drop_copies
from tail.optimise.each import fuse_each
from tail.optimise.fold import fold_constants
from tail.optimise.invariant import move_invariants
from tail.optimise.rearrange import rearrange
from tail.passes import Pass

PASSES: tuple[Pass, ...] = (
    Pass("fold-constants", fold_constants),
    Pass("inline-bindings", inline_bindings),  # after folding: constants are then free to move
    Pass("drop-copies", drop_copies),  # after inlining: a change then stands inside the next one
    Pass("rearrange", rearrange),  # after inlining: the operators of a chain then stand in each other
    Pass("fuse-each", fuse_each),  # after inlining: a chain of maps is then one expression
    Pass("move-invariants", move_invariants),  # after fusion, which wants functions as they are
    Pass("share-common", share_common),  # after that: what has moved may be equal to something
    Pass("drop-dead-bindings", drop_dead_bindings),
)
