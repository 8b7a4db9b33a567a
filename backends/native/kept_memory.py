"""How much memory that nobody needs any more a process keeps for the next run: see `rts/aplc_pool.h`.

It is an eighth of what the process may have, unless APLC_POOL_MB says otherwise; 0 keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from aplc.tail.array_limits import machine_memory

SHARE = 8
"""The part of the memory that is kept."""
GROUPS, OLD_GROUP = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where Linux says what groups of processes may have, and what it said in its first version."""


def most_kept() -> int:
    """The bytes of large blocks that are kept."""
    given = os.environ.get("APLC_POOL_MB", "")
    if given.isascii() and given.isdigit() and len(given) < 10:
        return int(given) << 20
    return min([machine_memory(), *_limits()]) // SHARE


def _limits() -> Iterator[int]:
    """The bytes that this process, and the groups it is in, may have."""
    with suppress(ImportError, OSError):
        import resource  # noqa: PLC0415 (not on every system)

        addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
        if addresses != resource.RLIM_INFINITY:
            yield addresses
    with suppress(OSError):
        own = Path("/proc/self/cgroup").read_text("utf-8").rpartition("0::/")[2].strip()
        group = GROUPS / own
        for file in (OLD_GROUP, *[each / "memory.max" for each in (group, *group.parents)]):
            with suppress(OSError, ValueError):
                yield int(file.read_text("utf-8"))
