"""What the processor of this machine has."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path


@cache
def processor_features() -> frozenset[str]:
    """What the processor has, by Linux's names; none are known elsewhere."""
    description = Path("/proc/cpuinfo")
    text = description.read_text("utf-8", errors="replace") if description.exists() else ""
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def available_cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
