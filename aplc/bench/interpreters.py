"""Interpreters of APL and BQN: found on PATH."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from aplc.bench import results


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter: its column, the programs that start it, how to get it."""

    column: str
    programs: tuple[str, ...]
    advice: str

    def path(self) -> str | None:
        """Where it is; None if it is not there."""
        return next(
            filter(None, [shutil.which(each, path=os.environ.get("PATH")) for each in self.programs]), None
        )


INTERPRETERS = (
    Interpreter(results.DYALOG, ("dyalogscript", "dyalog"), "a free licence is at dyalog.com"),
    Interpreter(results.GNU, ("apl",), "gnu.org/software/apl"),
    Interpreter(results.CBQN, ("bqn", "cbqn"), "github.com/dzaima/CBQN"),
)


def absent() -> dict[str, str]:
    """The columns of the interpreters that are not there."""
    return {
        each.column: f"{' or '.join(each.programs)} is not on PATH; {each.advice}"
        for each in INTERPRETERS
        if each.path() is None
    }
