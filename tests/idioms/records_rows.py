"""Programs over lines, dates and records: what they are called with, and what they give, as in `rows`."""

from __future__ import annotations

import numpy as np

from tests.idioms.rows import Arguments, Row, Value, ints, random, signal, vector


def _text(lines: list[str]) -> Value:
    return np.array(list("\n".join(lines)))


def _log(n: int) -> Value:
    """So many lines of a log."""
    kinds = ("INFO ", "INFO ", "DEBUG", "WARN ", "ERROR")
    words = ("started", "done in 12 ms", "no such file", "retry")
    chosen = random().integers(0, 20, n)
    times = [f"2026-11-30 {k // 3600 % 24:02}:{k // 60 % 60:02}:{k % 60:02}" for k in range(n)]
    return _text([f"{time} {kinds[k % 5]} {words[k % 4]}" for time, k in zip(times, chosen, strict=True)])


def _indented(n: int) -> Value:
    return _text([" " * int(k) + "x = f(y, z)" for k in 4 * random().integers(0, 5, n)])


def _addresses(n: int) -> Value:
    return _text([".".join(map(str, row)) for row in random().integers(0, 256, (n, 4))])


def _names(n: int) -> Value:
    """A word of four letters and one of six, again and again."""
    return np.array(list("sizeOfBuffer" * (n // 12)))


def _iso(n: int) -> Value:
    r = random()
    made = zip(r.integers(1600, 2400, n), r.integers(1, 13, n), r.integers(1, 29, n), strict=True)
    return np.array([list(f"{y:04}-{m:02}-{d:02}") for y, m, d in made])


def _bookings(n: int) -> Arguments:
    r = random()
    months = np.concatenate([[24192], r.integers(24192, 24312, n - 2), [24311]])
    return (months // 12 * 10000 + (months % 12 + 1) * 100 + r.integers(1, 29, n), signal(n))


def _records(n: int) -> Value:
    """Of whom, when, and what: times differ."""
    return np.stack([ints(1, 1001, n), random().permutation(n), ints(0, 10**9, n)], 1)


RECORD_ROWS = (
    Row("levels", "lines", lambda n: (_log(n),), 200, 20_000, "int64", lambda n: (3,)),
    Row("trimmed", "lines", lambda n: (_indented(n),), 200, 20_000, "int64"),
    Row("addresses", "lines", lambda n: (_addresses(n),), 200, 20_000, "int64", vector),
    Row("snake", "lines", lambda n: (_names(n),), 1200, 600_000, "<U1", lambda n: (n // 12 * 14,)),
    Row("isoDays", "dates", lambda n: (_iso(n),), 200, 50_000, "int64", vector),
    Row("monthTotals", "dates", _bookings, 2000, 500_000, "float64", lambda n: (120,)),
    Row("lastOf", "records", lambda n: (_records(n),), 20_000, 200_000, "int64", lambda n: (1000,)),
)
