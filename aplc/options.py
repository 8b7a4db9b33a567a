"""What a user can choose about compilation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from laila.devices.device_mapping import DIVISION, Division
from laila.ir.settings import DEFAULTS, Settings

if TYPE_CHECKING:  # a program that was kept is run without the compiler
    from backends.opencl.device import Device
    from tail.passes import Observe
    from tail.syntax import Term

TARGETS = ("interp", "c", "openmp", "opencl")
WITH_THREADS = ("openmp", "opencl")
"""The targets whose C runs in threads: all of a program, or what of it the host does."""
MOST_THREADS = 1024
MOST_BYTES = 2**62
"""No limit is higher."""


def quiet(name: str, term: Term) -> None:
    """Observe nothing."""


@dataclass(frozen=True)
class Options:
    """The choices for one program."""

    target: str = "c"
    level: int = 2
    use_cache: bool = True
    passes: tuple[str, ...] | None = None
    """The TAIL passes to run, by name; None: those of the level."""
    observe: Observe = quiet
    """Called after elaboration and after each pass."""
    verify: bool = False
    """Whether the checkers run after every stage, C counts the memory that it holds, and the shortest loops
    run in threads where any do.
    """
    settings: Settings = DEFAULTS
    threads: int = 0
    """How many threads a program for OpenMP uses, or a host; 0: as many as OpenMP says."""
    device: str = ""
    """Part of the name of the OpenCL device."""
    files: bool = True
    """Whether the program may read files."""
    on_device: Device | None = None
    """The device on which inputs are, and results stay; the program runs there."""
    memory_limit: int | None = None
    """The bytes that the arrays of a run may take together."""
    division: Division = DIVISION
    """How the work is divided among its work-items."""
    time_limit: float | None = None
    """The seconds that a program may take from its text to its results; None: as long as it likes."""
