"""How long something takes: what a machine can do shows in the fastest of some runs."""

from __future__ import annotations

import time
from collections.abc import Callable


def least_seconds(call: Callable[[], object], runs: int) -> float:
    """Those of the fastest of so many runs, after a first one that does not count."""
    call()
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return min(taken)


class Times(dict[str, float]):
    """Seconds by the name of a stage or a pass; what is done twice counts twice."""

    def add(self, name: str, seconds: float) -> None:
        """It took so long."""
        self[name] = self.get(name, 0.0) + seconds
