"""The command `aplc` in tests: what it says and how it ends, files for it, and its surroundings."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.support.paths import ROOT


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def first(self) -> str:
        """The first line on standard error."""
        return self.err.partition("\n")[0]


Cli = Callable[..., Outcome]


def write(name: str, text: str) -> str:
    Path(name).write_bytes(text.encode())
    return name


def save(name: str, array: np.ndarray, **options: bool) -> str:
    np.save(name, array, **options)
    return name


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


COMMAND = (sys.executable, "-m", "aplc")


def eventually(check: Callable[[], object]) -> bool:
    """Whether something comes true: the kernel ends processes in its own time."""
    for _ in range(3000):
        if check():
            return True
        time.sleep(0.01)
    return False
