"""Functions of the run-time system for narrow integers, and for loops that are not in lanes."""

from __future__ import annotations

from aplc.tail import prims as p
from aplc.tail.prims import Prim

NARROW: dict[Prim, str] = {
    p.MAXI: "aplc_max_int32",
    p.MINI: "aplc_min_int32",
    p.ABSI: "aplc_abs_int32",
    p.SIGNI: "aplc_sign_int32",
}
"""Functions of integers that there are for 32 bits too."""

NARROWER = {p.MAXI: "aplc_max_", p.MINI: "aplc_min_", p.ABSI: "aplc_abs_"}
"""Functions that there are for 8 and 16 bits: C compilers do not see that they need no more."""

NARROW_PLACES = ("aplc_place_in_run", "aplc_place_in_table")
"""Searches among constants, which there are for 32 bits too."""

RUNNING: dict[Prim, str] = {p.MAXD: "aplc_running_max", p.MIND: "aplc_running_min"}
"""Extrema of which C compilers make no way through general registers."""
