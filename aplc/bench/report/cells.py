"""A table, and figures as its cells show them."""

from __future__ import annotations

from dataclasses import dataclass

from aplc.bench.results import Size

NONE = "—"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title, what is to be said of it, and notes below it."""

    title: str
    text: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    words: int = 2
    """How many of the columns, from the left, hold words and not figures."""


# --- figures as text ------------------------------------------------------------------------------------


def shown(seconds: float | None) -> str:
    """Seconds as milliseconds, with three digits."""
    if seconds is None:
        return NONE
    ms = seconds * 1000
    if ms >= 100:
        return f"{ms:,.0f}"
    if ms >= 10:
        return f"{ms:.1f}"
    return f"{ms:.2f}" if ms >= 1 else f"{ms:.3f}" if ms >= 0.0995 else f"{ms:.2g}"


def times(ratio: float | None) -> str:
    """A ratio, with what matters of it."""
    if ratio is None:
        return NONE
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def over(above: float | None, below: float | None) -> float | None:
    """A quotient, where there is one."""
    return above / below if above is not None and below else None


def extent(size: Size) -> str:
    """A size as the tables show it."""
    return " × ".join([f"{number:,}" for number in size])


def megabytes(count: int | None) -> str:
    """Bytes in megabytes."""
    return NONE if count is None else f"{count / 1e6:.1f}"
