"""Interpreters of APL and BQN that are here: a script for each row, timed by the interpreter's own clock.

They are programs on PATH, or a module that Python imports, whose script is one of Python (`libjay`).

A script defines the function, reads its arguments, calls it, and prints lines that begin with a word:

    shape 3 4           of the value
    sums 12.5 80.25     of its elements, and of its elements times 1+97|⍳, which notices another order
    time 1.5            of a call, the mean of some

Only a value whose shape and sums are those of the reference has a figure.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aplc.bench import libjay, results
from aplc.bench.arguments import Argument, Items
from aplc.bench.dialects import NoFormulation, apl_text, bqn_name, bqn_text, for_dyalog, for_gnu
from aplc.bench.results import Figure, Refusal
from aplc.bench.suite import Benchmark

TOLERANCE = 1e-9
BATCHES, BATCH_SECONDS, MOST_SECONDS, MOST_CALLS = 5, 0.1, 2.0, 200
"""A batch is as many calls as take so long; a call that takes more than the third is made once."""
LITERAL = 1000
"""An array with more elements comes from a file."""
TEXT_ELEMENTS = 2_000_000
"""GNU APL reads numbers as text, which takes too long beyond so many."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter: its column, the programs that start it, how to get it."""

    column: str
    programs: tuple[str, ...]
    advice: str
    module: str = ""
    """What Python imports, where that is how it is used."""

    @property
    def lack(self) -> str:
        """What is said of it where it is not there."""
        return "is not installed" if self.module else "is not on PATH"

    def path(self) -> str | None:
        """The program that runs its scripts; None if it is not there."""
        if self.module:
            return sys.executable if importlib.util.find_spec(self.module) else None
        search = os.environ.get("PATH")
        return next(filter(None, [shutil.which(each, path=search) for each in self.programs]), None)


INTERPRETERS = (
    Interpreter(
        results.DYALOG, ("dyalogscript", "dyalog"), "dyalog.com has it, free for what is not commercial"
    ),
    Interpreter(results.GNU, ("apl",), "www.gnu.org/software/apl has it"),
    Interpreter(results.LIBJAY, ("the module jay",), "pip install libjay brings it", module=libjay.MODULE),
    Interpreter(results.CBQN, ("bqn", "cbqn", "BQN"), "github.com/dzaima/CBQN has it"),
)


def absent() -> dict[str, str]:
    """The columns of the interpreters that are not there, and how to get them."""
    return {
        each.column: f"{' or '.join(each.programs)} {each.lack}; {each.advice}"
        for each in INTERPRETERS
        if each.path() is None
    }


def measured_by(
    interpreter: Interpreter,
    benchmark: Benchmark,
    arguments: Sequence[Argument],
    reference: Any,
    limit: float,
) -> Figure | Refusal:
    """The figure of an interpreter that is there, or why it has none; a process may take `limit` seconds."""
    with tempfile.TemporaryDirectory(prefix="aplc-bench-") as scratch:
        try:
            dialect = Dialect(interpreter, benchmark, Path(scratch))
            given = [
                dialect.argument(name, a) for name, a in zip("ab"[-len(arguments) :], arguments, strict=True)
            ]
            first = dialect.run(given, 1, 1, limit)
            if not is_value(first, reference):
                return Refusal(interpreter.column, results.WRONG)
            seconds = first.times
            if seconds[0] < MOST_SECONDS:
                calls = min(max(int(BATCH_SECONDS / max(seconds[0], 1e-9)), 1), MOST_CALLS)
                again = dialect.run(given, BATCHES, calls, limit)
                if not is_value(again, reference):
                    return Refusal(interpreter.column, results.WRONG)
                seconds = again.times
        except (NoFormulation, Failed) as failure:
            return Refusal(interpreter.column, str(failure))
    return Figure(interpreter.column, seconds)


# --- what a script says ---------------------------------------------------------------------------------


class Failed(Exception):
    """The interpreter gave no value; the message says why."""


@dataclass(frozen=True, slots=True)
class Said:
    """The lines of a script, read."""

    shape: tuple[int, ...]
    sums: tuple[float, ...]
    times: tuple[float, ...]


def said(output: str, unit: float) -> Said:
    """What a script printed; times in units of so many seconds. Raises `Failed`."""
    found: dict[str, list[list[float]]] = {"shape": [], "sums": [], "time": []}
    for line in output.splitlines():
        word, *others = line.split()[:9] or [""]
        if word in found:
            try:
                numbers = [float(each.replace("¯", "-")) for each in others]
            except ValueError:
                continue
            found[word].append(numbers)
    if not (found["shape"] and found["sums"] and found["time"]):
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        errors = [line for line in lines if "ERROR" in line.upper()]
        raise Failed((errors or lines[-1:] or ["it printed nothing"])[0][:100])
    shape = tuple([int(n) for n in found["shape"][-1]])
    times = tuple([unit * t[0] for t in found["time"]])
    return Said(shape, tuple(found["sums"][-1]), times)


def is_value(told: Said, reference: Any) -> bool:
    """Whether shape and sums are those of a value."""
    value = np.asarray(reference)
    elements = value.ravel().astype(np.float64)
    weights = 1 + np.arange(1, elements.size + 1) % 97
    if told.shape != value.shape or len(told.sums) != 2:
        return False
    for sum_, terms in zip(told.sums, (elements, elements * weights), strict=True):
        room = TOLERANCE * float(np.abs(terms).sum()) if value.dtype.kind == "f" else 0.0
        if not abs(sum_ - float(terms.sum())) <= room:
            return False
    return True


# --- scripts --------------------------------------------------------------------------------------------


OPTIONS = {results.GNU: ["--script", "-f"], results.DYALOG: ["-script"]}
IN_MILLISECONDS = (results.DYALOG, results.GNU)
"""Those whose clock has these."""


class Dialect:
    """What is said differently in each of them."""

    def __init__(self, interpreter: Interpreter, benchmark: Benchmark, scratch: Path) -> None:
        self.column, self.path, self.scratch = interpreter.column, interpreter.path(), scratch
        self.is_bqn, self.is_libjay = self.column == results.CBQN, self.column == results.LIBJAY
        if self.is_bqn:
            self.function, self.program = bqn_name(benchmark), bqn_text(benchmark).splitlines()
        else:
            make = for_gnu if self.column == results.GNU else for_dyalog
            self.function, self.program = benchmark.function, make(apl_text(benchmark), benchmark.function)

    def argument(self, name: str, value: Argument) -> str:
        """The statement that gives an argument its name."""
        if isinstance(value, Items | tuple) or (isinstance(value, np.ndarray) and value.dtype.kind == "U"):
            raise NoFormulation("texts and items of different lengths are not handed over")
        if self.is_libjay:
            return libjay.argument(name, value, self.scratch / f"{name}.npy")
        if not isinstance(value, np.ndarray):
            return f"{name}←{_number(value)}"
        shape = [str(n) for n in value.shape]
        if value.size <= LITERAL and not self.is_bqn:
            return f"{name}←{' '.join(shape)}⍴{' '.join(map(_number, value.ravel().tolist()))}"
        file = self.scratch / name
        if self.column == results.GNU:
            return f"{name}←{' '.join(shape)}⍴{self._from_text(value, file)}"
        value.astype(np.float64).tofile(file)
        if self.is_bqn:
            cast = "1=" if value.dtype == np.bool_ else ""
            read = f"⟨8‿'c',64‿'f'⟩•bit._cast •file.Bytes \"{file}\""
            return f"{name}←{cast}⟨{','.join(shape)}⟩⥊{read}"
        cast = {"b": "1=", "i": "⌊"}.get(value.dtype.kind, "")
        read = f"{{t←⍵ ⎕NTIE 0 ⋄ r←⎕NREAD t 645 {value.size} 0 ⋄ _←⎕NUNTIE t ⋄ r}}'{file}'"
        return f"{name}←{' '.join(shape)}⍴{cast}{read}"

    def _from_text(self, value: np.ndarray[Any, Any], file: Path) -> str:
        """An expression that reads numbers from a file of lines."""
        if value.size > TEXT_ELEMENTS:
            raise NoFormulation("it reads numbers as text, and these would take too long")
        numbers = [_number(each) for each in value.ravel().tolist()]
        lines = [" ".join(numbers[k : k + LITERAL]) for k in range(0, len(numbers), LITERAL)]
        file.write_text("\n".join(lines) + "\n", "utf-8")
        return f"⊃,/⍎¨⎕FIO[49] '{file}'"

    def script(self, given: Sequence[str], batches: int, calls: int) -> str:
        """The whole script."""
        if self.is_libjay:
            return libjay.script(self.program, self.function, given, batches, calls)
        call = f"{'a ' if len(given) == 2 else ''}{self.function} b"
        if self.is_bqn:
            batch = [
                "t↩•MonoTime @",
                *[f"r↩{call}"] * calls,
                f'•Out "time "∾•Repr {calls}÷˜(•MonoTime @)-t',
            ]
            lines = [*self.program, *given, "t←0", f"r←{call}", *batch * batches]
            lines += [
                '•Out "shape"∾∾{" "∾•Repr 𝕩}¨≢r',
                'v←⥊r ⋄ •Out "sums "∾(•Repr +´v)∾" "∾•Repr +´v×1+97|1+↕≠v',
            ]
            return "\n".join(lines) + "\n"
        clock = "(24 60 60 1000⊥3↓⎕TS)"
        batch = [f"T∆←{clock}", *[f"R∆←{call}"] * calls, f"'time ',⍕({clock}-T∆)÷{calls}"]
        lines = [
            "⎕IO←1",
            "⎕CT←1E¯14",
            "⎕PP←17",
            "⎕PW←1000",
            *self.program,
            *given,
            f"R∆←{call}",
            *batch * batches,
        ]
        lines += ["'shape ',⍕⍴R∆", "'sums ',(⍕+/,R∆),' ',⍕+/(,R∆)×1+97|⍳⍴,R∆"]
        return "\n".join([*lines, "⎕OFF" if self.column == results.DYALOG else ")OFF"]) + "\n"

    def run(self, given: Sequence[str], batches: int, calls: int, limit: float) -> Said:
        """Run a script. Raises `Failed`."""
        ending = "bqn" if self.is_bqn else "py" if self.is_libjay else "apl"
        file = self.scratch / f"script.{ending}"
        file.write_text(self.script(given, batches, calls), "utf-8")
        words = [] if Path(str(self.path)).name == "dyalogscript" else OPTIONS.get(self.column, [])
        try:
            done = subprocess.run(
                [str(self.path), *words, str(file)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=limit,
                env={**os.environ, "DYALOG_LINEEDITOR_MODE": "1", "MAXWS": "4G"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"took longer than {limit:.0f} s") from None
        except OSError as failure:
            raise Failed(f"{self.path} cannot be started: {failure.strerror}") from None
        return said(done.stdout.decode("utf-8", "replace"), 1e-3 if self.column in IN_MILLISECONDS else 1.0)


def _number(value: float) -> str:
    """A number in APL and BQN."""
    return (
        repr(float(value) if isinstance(value, float) else int(value))
        .replace("-", "¯")
        .replace("e+", "e")
        .replace("e", "E")
    )
