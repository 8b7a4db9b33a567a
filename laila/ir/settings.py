"""What a user can choose about generated code: how strict, how careful, how arrays are indexed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Arrays = Literal["flat", "hybrid"]
Precision = Literal["double", "single"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices for one program."""

    strict_fp: bool = False
    """Doubles are those of the reference interpreter to the last bit: libm's functions one number at a time,
    and reductions from the right, in order. `!` of fractions is excepted: Python has a Γ of its own.
    """
    unsafe: bool = False
    """Nothing is checked at run time but that there is memory: a wrong program does anything."""
    check_overflow: bool = False
    """An integer that does not fit 64 bits is an error where it would wrap."""
    arrays: Arrays = "hybrid"
    """Whether index functions of pull arrays have both forms, or the flat one only (thesis table 3.4)."""
    precision: Precision = "double"
    """What doubles are on a device; on the host they are doubles."""
    is_written: bool = False
    """The program is TAIL that somebody wrote: the parts of its arrays of arrays may not fit each other."""

    @property
    def is_single(self) -> bool:
        """Whether doubles are floats on a device."""
        return self.precision == "single"


DEFAULTS = Settings()
