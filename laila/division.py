"""What is chosen about the division of work among the work-items of a device."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Division:
    """How work is divided among the work-items of a device."""

    items: int = 16
    """Into so many chunks a loop is divided, a work-item for each."""
    grid: int = 0
    """Where neighbouring work-items do neighbouring indices, at most so many along an axis; 0: chunks."""
    least_work: int = 1 << 22
    """The operations of a loop from which on it is worth a kernel."""
    least_rows: int = 4
    """The extent of an axis from which on it is divided."""
    shared: bool = True
    """Whether the device uses the memory of the host."""
    on_device: bool = False
    """Whether inputs are in its own memory, where results are to stay."""
    lanes: int = 8
    """Of the vectors over which functions of reals are computed; 0: of none."""
    features: str = ""
    """What the processor has beyond what its driver takes it for, as clang calls it."""


DIVISION = Division()
EVERYTHING = Division(least_work=1, least_rows=1)
"""As if each loop were large enough."""


def without_host(division: Division) -> Division:
    """The same for arrays that are on the device, where all loops run that can."""
    return replace(division, least_work=1, least_rows=1, shared=False, on_device=True)


def on_gpu(division: Division, units: int) -> Division:
    """The same for a device with memory of its own, and many work-items on each of its units."""
    return replace(division, items=256 * units, grid=2048 * units, shared=False, lanes=0)
