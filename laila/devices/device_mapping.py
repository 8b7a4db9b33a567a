"""What is chosen about the mapping of loops to the work-items of a device."""

from __future__ import annotations

from dataclasses import dataclass, replace

GROUP = 64
"""Work-items of a group along the last axis."""

ON_A_UNIT = 4
"""The chunks of a loop for each unit of a processor: some units are done sooner than others."""


@dataclass(frozen=True, slots=True)
class Division:
    """How work is divided among the work-items of a device."""

    items: int = 16
    """Into so many chunks a loop is divided, a work-item for each."""
    grid: int = 0
    """Where neighbouring work-items do neighbouring indices, at most so many along an axis; 0: chunks."""
    looks_back: bool = False
    """Whether groups may wait for those that have begun before them, whose words they read one by one."""
    local_bytes: int = 28 << 10
    """Of the memory of a group for what it carries: any device has 32 KiB."""
    least_work: int = 1 << 22
    """The operations of a loop from which on it is worth a kernel."""
    least_rows: int = 4
    """The extent of an axis from which on it is divided."""
    shared: bool = True
    """Whether the device uses the memory of the host."""
    on_device: bool = False
    """Whether inputs are in its own memory, where results are to stay."""
    eager: bool = True
    """Whether kernels do, too, what threads of the host do sooner: products, powers, functions of angles,
    filters of items."""
    lanes: int = 8
    """Of the vectors over which functions of reals are computed; 0: of none."""
    vector: int = 32
    """The bytes of its vectors; 0: work-items have no caches in which panels would stay."""
    in_threads: bool = True
    """Whether what stays on the host runs in threads there."""
    features: str = ""
    """What the processor has beyond what its driver takes it for, as clang calls it."""

    @property
    def tile(self) -> tuple[int, int] | None:
        """The rows of a tile of a product that stays in registers, and the bytes of one of them."""
        return {32: (4, 96), 64: (8, 192)}.get(self.vector)


DIVISION = Division()
AGAIN = 16
"""So many times less work is worth a kernel in rounds that leave their arrays on the device."""
BESIDE_THREADS = 1 << 25
"""The operations of a loop that is worth a kernel where it would have as many threads on the host."""
EVERYTHING = Division(least_work=1, least_rows=1)
"""As if each loop were large enough."""


def without_host(division: Division) -> Division:
    """The same for arrays that are on the device, where all loops run that can."""
    return replace(division, least_work=1, least_rows=1, shared=False, on_device=True)


LARGE_LOCAL, LARGE_ROOM = 48 << 10, 36 << 10
"""The memory of groups of devices that have more of it than others, and what is used of it."""


def on_gpu(division: Division, units: int, *, looks_back: bool, local: int = 0) -> Division:
    """The same for a device with memory of its own, so much of it for a group, and many work-items on each of
    its units.
    """
    result = replace(division, items=256 * units, grid=2048 * units, shared=False, lanes=0, vector=0)
    room = LARGE_ROOM if local >= LARGE_LOCAL else division.local_bytes
    return replace(result, looks_back=looks_back, local_bytes=room)


def on_cpu(division: Division, units: int, vector: int) -> Division:
    """The same for a processor: some chunks for each of its units, and kernels for what takes long, unless
    other numbers are asked for.
    """
    if division.items == DIVISION.items:
        division = replace(division, items=max(2 * ON_A_UNIT, ON_A_UNIT * units))
    if division.least_work == DIVISION.least_work and division.in_threads:
        division = replace(division, least_work=BESIDE_THREADS, eager=False)
    return replace(division, vector=0 if division.grid else vector)
