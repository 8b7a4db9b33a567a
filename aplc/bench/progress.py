"""How far a run is, on standard error: a bar where `rich` is there and a terminal, else nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


class Report(Protocol):
    """Is told what is measured next."""

    def __call__(self, number: int, title: str) -> None:
        """Row `number` of them, counted from 0, begins."""


@contextmanager
def progress(total: int, *, of: Sequence[float] = ()) -> Iterator[Report]:
    """Shows the row at hand and an estimate of what is left; `of` weighs the rows."""
    weights = list(of) or [1.0] * total
    if not sys.stderr.isatty():
        yield lambda number, title: None
        return
    try:
        from rich.console import Console  # noqa: PLC0415 (an extra)
        from rich.progress import Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    except ImportError:
        yield _Line(weights)
        sys.stderr.write("\r\x1b[K")
        return
    console = Console(stderr=True)
    columns: list[Any] = [TextColumn("{task.fields[count]}"), *Progress.get_default_columns()]
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=sum(weights), count=f"0/{total}")

        def report(number: int, title: str) -> None:
            bar.update(
                task, completed=sum(weights[:number]), description=title, count=f"{number + 1}/{total}"
            )

        yield report


class _Line:
    """One line that is written anew."""

    def __init__(self, weights: Sequence[float]) -> None:
        self.weights, self.started = weights, time.monotonic()

    def __call__(self, number: int, title: str) -> None:
        line = f"{number + 1}/{len(self.weights)} {title}{self._left(number)}"
        sys.stderr.write(f"\r\x1b[K{line[:100]}")
        sys.stderr.flush()

    def _left(self, number: int) -> str:
        done, left = sum(self.weights[:number]), sum(self.weights[number:])
        if not done:
            return ""
        seconds = (time.monotonic() - self.started) * left / done
        return f", about {seconds // 60:.0f}:{seconds % 60:02.0f} left"
