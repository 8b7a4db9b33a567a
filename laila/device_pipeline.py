"""The passes of Laila over what a device runs as a list; `pipeline` has those before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.passes import KERNELS, OWN_MEMORY, Goal, Pass

if TYPE_CHECKING:
    from aplc.laila.devices.kernels import Offloaded


def _offload(offloaded: Offloaded, make: ExprBuilder, goal: Goal) -> Offloaded:
    from aplc.laila.devices.offload import offload  # noqa: PLC0415 (most programs start faster without it)

    return offload(offloaded.program, make, goal.division)


def _transfer(offloaded: Offloaded, make: ExprBuilder, goal: Goal) -> Offloaded:
    from aplc.laila.devices.transfers import with_transfers  # noqa: PLC0415 (most programs start faster without it)

    return with_transfers(offloaded, make, on_device=goal.division.on_device)


DEVICE_PASSES: tuple[Pass[Offloaded], ...] = (
    Pass(
        "offload",
        _offload,
        KERNELS,
        "Each large enough operation becomes a kernel, beside the host's version.",
    ),
    Pass(
        "transfer",
        _transfer,
        OWN_MEMORY,
        "The host says what it does with arrays that kernels use; after them, as it asks which these are.",
    ),
)
