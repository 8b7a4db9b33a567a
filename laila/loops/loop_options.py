"""What is chosen about loops before any is made, and stays the same for all of a program or kernel."""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.program import Alloc
from aplc.laila.ir.scalar import Buffer
from aplc.laila.transform.hoist import is_local
from aplc.tail import prims as p
from aplc.tail.prims import Prim


@dataclass(frozen=True, slots=True)
class Halves:
    """Which long folds run in two halves."""

    operators: frozenset[Prim] = frozenset()
    cost: int = 0
    """That of terms, at most, if they wait for their operator,"""
    streamed: int = 0
    """and if what they read, if anything, lies side by side."""


IN_ONE = Halves()
WAITING = Halves(frozenset((p.ADDD, p.MAXD, p.MIND)), 3, 20)
"""Operators whose chain is what a loop of cheap terms waits for."""
STREAMING = Halves(WAITING.operators | {p.ADDI, p.MINI, p.MAXI}, 8, 20)
"""The same in kernels of processors: of LLVM's loops, one alone does not keep memory busy."""


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """The choices for one generation of loops."""

    splitting: bool = True
    """Whether loops are cut where a condition on their index changes, and made faster in other ways."""
    has_memory: bool = True
    """Whether memory can be allocated beside a loop."""
    in_versions: bool = True
    """Whether statements may stand twice, without checks and with them."""
    halves: Halves = WAITING
    """Which long folds run in two halves side by side."""
    tile_at_hand: tuple[int, int] | None = None
    """The rows of a tile and the bytes of one of them, in a kernel, whose panels are small arrays of its own.
    Elsewhere the run-time system says them.
    """
    moving: frozenset[Buffer] = frozenset()
    """The buffers whose memory changes hands: they cannot lie on the stack."""
    unsized: frozenset[Buffer] = frozenset()
    """Those of which a piece of a loop alone may know how long they are."""

    def on_stack(self, alloc: Alloc, in_loop: bool) -> bool:
        """Whether memory is on the stack, which with that of another piece on the heap needs a scope."""
        is_shared = alloc.buffer in self.unsized and not in_loop
        return is_local(alloc) and alloc.buffer not in self.moving and not is_shared
