"""What a user can choose about compilation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aplc.laila.devices.device_mapping import DIVISION, Division
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.tail import rules as program_rules
from aplc.tail.rules import Rules
from aplc.targets import TARGETS, Target

if TYPE_CHECKING:  # a program that was kept is run without the compiler
    from aplc.backends.opencl.device import Device

IN_LINE_FOR_KERNELS = 2500
"""The items that a program for OpenCL may have in line, as no loop of a function is one of kernels."""
MOST_THREADS = 1024
MOST_BYTES = 2**62
"""No limit is higher."""


def quiet(name: str, text: Callable[[], str]) -> None:
    """Observe nothing."""


def untimed(name: str, seconds: float) -> None:
    """Nobody asks how long it took."""


@dataclass(frozen=True)
class Options:
    """The choices for one program."""

    target: str = "c"
    level: int = 2
    use_cache: bool = True
    passes: tuple[str, ...] | None = None
    """The passes to run, by name, of TAIL in this order and of Laila in hers; of a language of which there is
    none among them those of the level, but of TAIL none if there is no name at all. None: those of the level.
    """
    observe: Callable[[str, Callable[[], str]], None] = quiet
    """Called with the name of each stage and each pass, and what makes the text of the program behind it."""
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
    tolerance: float = program_rules.DEFAULTS.tolerance
    """⎕CT until the program sets it."""
    on_device: Device | None = None
    """The device on which inputs are, and results stay; the program runs there."""
    memory_limit: int | None = None
    """The bytes that the arrays of a run may take together."""
    division: Division = DIVISION
    """How the work is divided among its work-items."""
    time_limit: float | None = None
    """The seconds that a program may take from its text to its results; None: as long as it likes."""
    outputs: tuple[str, ...] = ()
    """Names of a program whose values are its value, in the place of what its last statement gives."""
    keeps_storage: bool = False
    """Whether a value that holds nothing but elements of narrow inputs is as narrow."""
    result_storage: str = ""
    """The dtype of the value then."""
    timed: Callable[[str, float], None] = untimed
    """Called with each stage and each pass, and the seconds that it took."""

    @property
    def rules(self) -> Rules:
        """What the front end is told."""
        in_line = IN_LINE_FOR_KERNELS if self.target == "opencl" else 0
        return Rules(self.files, self.tolerance, in_line=in_line)

    @property
    def made_for(self) -> Target:
        """What the target has."""
        return TARGETS[self.target]
