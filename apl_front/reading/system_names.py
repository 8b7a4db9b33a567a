"""The system names and their classes, in lower case as the lexer gives them; `system` has their meaning."""

from __future__ import annotations

import difflib

from aplc.apl_front.reading.classes import NameClass
from aplc.apl_front.syntax import hints
from aplc.tail.rules import TOLERANCE

SETTINGS: dict[str, int | float] = {"⎕io": 1, "⎕ct": TOLERANCE, "⎕pp": 10, "⎕ml": 1}
"""The variables that steer the compiler, and their values at the beginning."""

ALPHABETS = {"⎕a": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "⎕d": "0123456789"}

PERVASIVE = {
    f"⎕int32{name.lower()}": f"⎕INT32{name}" for name in ("AND", "OR", "XOR", "SHL", "SHR", "NOT")
} | {"⎕ucs": "⎕UCS"}
"""The scalar functions, and the symbols under which `glyphs` has their primitives."""

ARRAYS = frozenset(SETTINGS) | frozenset(ALPHABETS) | {"⎕rl", "⎕ts", "⎕now"}
ON_FILES = frozenset({"⎕readfile", "⎕readintvecfile", "⎕readdoublevecfile", "⎕npy", "⎕nget", "⎕nput", "⎕csv"})
"""The functions that may open a file."""
ON_TEXTS = frozenset({"⎕vfi", "⎕json", "⎕c", "⎕fmt"})
OTHERS = frozenset({"⎕nc", "⎕dr", "⎕dt"})
FUNCTIONS = frozenset(PERVASIVE) | ON_FILES | ON_TEXTS | OTHERS
BENCH = "⎕bench"

SHOWN = {name: name.upper() for name in (*ARRAYS, *FUNCTIONS, BENCH)} | {
    name.lower(): name for name in ("⎕ReadFile", "⎕ReadIntVecFile", "⎕ReadDoubleVecFile")
}
"""The system names as messages show them."""


def instead_of(name: str) -> str:
    """What to write for a system name that there is not; empty where nothing is known."""
    near = difflib.get_close_matches(name, SHOWN, 1, 0.85)
    return hints.SYSTEM_NAMES.get(name) or (f"did you mean {SHOWN[near[0]]}?" if near else "")


def system_class(name: str) -> NameClass | None:
    """The class of a system name; None for any other."""
    if name in ARRAYS:
        return NameClass.ARRAY
    if name in FUNCTIONS:
        return NameClass.FUNCTION
    return NameClass.DYADIC_OPERATOR if name == BENCH else None
