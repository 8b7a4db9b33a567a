"""What a run of the suite gives, as data: nothing here measures, and nothing here draws.

    Results  the machine, the choices, a `Row` for each benchmark and size
    Row      the `Figure`s of the rivals whose value agreed, and a `Refusal` for each one that has none
    Figure   the seconds of each run of one rival, and the memory it took

A column of the tables may have several figures, such as C by hand compiled in several ways. The fastest
counts.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from aplc.tail.errors import AplcError
from aplc.tail.legible import legible

Size = tuple[int, ...]

FORMAT = 1
"""Of the JSON; a file of another format is not compared with."""

DYALOG, GNU, LIBJAY, CBQN = "Dyalog", "GNU APL", "libjay", "CBQN"
NUMPY, INTERP, APLC, FLAT = "NumPy", "aplc interp", "aplc C", "aplc C, flat"
APLC_OPENMP, APLC_OPENCL = "aplc OpenMP", "aplc OpenCL"
C, C_OPENMP, C_BEYOND = "C", "C OpenMP", "C by other means"
NUMBA, NUMBA_PARALLEL, JAX = "Numba", "Numba parallel", "JAX"
COPY = "copy"
"""Copying the bytes that the row must move, as often as it must."""

INTERPRETERS = (DYALOG, GNU, LIBJAY, CBQN)
OWN = (INTERP, APLC, APLC_OPENMP, APLC_OPENCL)
COLUMNS = (*INTERPRETERS, NUMPY, NUMBA, NUMBA_PARALLEL, JAX, *OWN, C, C_OPENMP, C_BEYOND)
"""In the order of the tables."""

Bounds: TypeAlias = tuple[float, float]
"""Between which half of the runs lie, or what follows from them."""
FEW = 5
"""Of fewer runs quartiles say nothing."""

WRONG = "wrong value"
FASTER, SAME, SLOWER = "faster", "the same", "slower"
MADE = "made by formula"


@dataclass(frozen=True, slots=True)
class Figure:
    """What one rival took."""

    column: str
    seconds: tuple[float, ...]
    """Of each run, in the order in which they were made."""
    detail: str = ""
    """Which of several rivals of that column it is: the function and the flags of C by hand."""
    threads: int = 0
    """How many it was told to use; 0: as the column is."""
    memory: int | None = None
    """The most bytes that it needed besides its arguments; None: not known."""
    first: float | None = None
    """The seconds of the first call, in which it was compiled; None: it was compiled before."""

    @property
    def median(self) -> float:
        """The seconds of the run in the middle."""
        return statistics.median(self.seconds)

    @property
    def bounds(self) -> Bounds:
        """The first and the third quartile; of few runs the fastest and the slowest one."""
        if len(self.seconds) < FEW:
            return min(self.seconds), max(self.seconds)
        low, _, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return low, high

    @property
    def spread(self) -> float:
        """The distance of the bounds, in parts of the median."""
        low, high = self.bounds
        return (high - low) / self.median if self.median else 0.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rival without a figure, and why."""

    column: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One benchmark at one size."""

    name: str
    program: str
    size: Size
    figures: tuple[Figure, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    moved: int = 0
    """The bytes that must be read and written."""
    operations: int = 0
    integers: bool = False
    """Whether the operations are those of integers."""
    written: tuple[str, ...] = ()
    """The arrays that our C writes to memory, and why, as `aplc explain` says it."""
    data: str = MADE

    def best(self, column: str, threads: int = 0) -> Figure | None:
        """The fastest figure of a column, with so many threads where that is not 0."""
        found = [f for f in self.figures if f.column == column and f.threads == threads]
        return min(found, key=lambda f: f.median, default=None)

    def seconds(self, column: str, threads: int = 0) -> float | None:
        """The median of the fastest figure of a column."""
        figure = self.best(column, threads)
        return None if figure is None else figure.median

    def ratio(self, column: str, other: str) -> float | None:
        """How many times as long one column takes as another."""
        above, below = self.seconds(column), self.seconds(other)
        return above / below if above is not None and below else None

    def spread(self, column: str, other: str) -> Bounds | None:
        """Between what the ratio of two columns lies, as far as the spread of both tells."""
        above, below = self.best(column), self.best(other)
        if above is None or below is None or not min(below.seconds):
            return None
        return above.bounds[0] / below.bounds[1], above.bounds[1] / below.bounds[0]

    def runs(self, *columns: str) -> int:
        """The fewest runs of any of these columns."""
        found = [figure for figure in map(self.best, columns) if figure is not None]
        return min([len(figure.seconds) for figure in found], default=0)

    def verdict(self, column: str, other: str) -> str:
        """Whether one column is slower than another, by more than the spread of both; empty: not known."""
        spread = self.spread(column, other)
        if spread is None or self.runs(column, other) < 2:
            return ""
        return SLOWER if spread[0] > 1 else FASTER if spread[1] < 1 else SAME

    def reason(self, column: str) -> str:
        """Why a column has no figure; empty if it has one."""
        if self.best(column) is not None:
            return ""
        reasons = [r.reason for r in self.refusals if r.column == column]
        return "; ".join(dict.fromkeys(reasons)) or "not measured"


@dataclass(frozen=True, slots=True)
class Machine:
    """What the figures were measured on and with."""

    processor: str
    cores: int
    memory: int
    system: str
    compiler: str
    flags: dict[str, str]
    versions: dict[str, str]
    commit: str
    date: str
    copy_rate: float = 0.0
    """Bytes a second, read and written, that one core copies in main memory; 0: not measured."""
    peak: float = 0.0
    """Additions and multiplications of doubles a second that one core makes."""
    call: float = 0.0
    """The seconds of a call of compiled APL that computes nothing."""


@dataclass(frozen=True, slots=True)
class Results:
    """All of one run."""

    machine: Machine
    quick: bool
    threads: tuple[int, ...]
    rows: tuple[Row, ...]
    absent: dict[str, str] = field(default_factory=dict)
    """Columns that no row can have here, and why, or how to get them."""
    interrupted: bool = False
    growing: bool = False
    """Whether each program was measured with more and more work, on our targets alone."""

    def row(self, name: str, size: Size | None = None) -> Row | None:
        """The row of a benchmark; with a size the one of that size, else the largest."""
        rows = [r for r in self.rows if r.name == name and size in (None, r.size)]
        return rows[-1] if rows else None

    @property
    def most_threads(self) -> int:
        """The threads of the columns that use several."""
        return max(self.threads, default=1)


# --- JSON -----------------------------------------------------------------------------------------------


def to_json(results: Results) -> str:
    """The text of a JSON file."""
    return json.dumps({"format": FORMAT, **asdict(results)}, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str) -> Results:
    """The results in a JSON file. Raises `ValueError` for what `to_json` did not write."""
    try:
        read = json.loads(text)
        if read.pop("format") != FORMAT:
            raise ValueError("it was written by another version of aplc bench")
        machine = Machine(**read.pop("machine"))
        rows = tuple([row_of(each) for each in read.pop("rows")])
        return Results(machine=machine, rows=rows, **read | {"threads": tuple(read["threads"])})
    except (KeyError, TypeError, AttributeError) as failure:
        raise ValueError(f"it holds no results of aplc bench ({failure})") from None


def row_of(read: dict[str, Any]) -> Row:
    """A row from the object that `asdict` makes of it."""
    figures = [Figure(**f | {"seconds": tuple(f["seconds"])}) for f in read["figures"]]
    refusals = [Refusal(**r) for r in read["refusals"]]
    changed = {
        "size": tuple(read["size"]),
        "figures": tuple(figures),
        "refusals": tuple(refusals),
        "written": tuple(read["written"]),
    }
    return Row(**read | changed)


# --- reasons --------------------------------------------------------------------------------------------


def reason_of(failure: BaseException) -> str:
    """Why something was not measured, in a line."""
    if isinstance(failure, AplcError):
        causes = [diagnostic.message for diagnostic in failure.diagnostics]
        return "; ".join(dict.fromkeys(causes)) or type(failure).__name__
    first = next(iter(str(failure).splitlines()), "")
    return legible(first) or type(failure).__name__


def every(rows: Sequence[Row], column: str) -> bool:
    """Whether each row has a figure in a column."""
    return all(row.best(column) is not None for row in rows)
