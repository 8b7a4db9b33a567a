"""Results of the benchmark that nobody measured, for all that shows them."""

from aplc.bench import results
from aplc.bench.report.published import SPEED_UP
from aplc.bench.results import Figure, Machine, Refusal, Results, Row
from aplc.bench.suite import SUITE

MACHINE = Machine(
    "a processor <of some kind>", 2, 8 << 30, "a system", "a compiler", {"C": "-O3"}, {"aplc": "1"},
    "abc123", "2026-01-02 03:04 UTC", copy_rate=1e10, peak=4e10, call=1e-5,
)  # fmt: skip


def figure(column: str, ms: float, detail: str = "", threads: int = 0) -> Figure:
    return Figure(column, (ms / 1000,) * 5, detail, threads, 1_500_000)


def row(name: str, size: tuple[int, ...], ours: float, hand: float, *more: Figure) -> Row:
    figures = (
        figure(results.NUMPY, 10 * ours),
        figure(results.APLC, ours),
        figure(results.FLAT, 2 * ours),
        figure(results.C, 2 * hand, "plain, C"),
        figure(results.C, hand, "lanes, C"),
        figure(results.C_OPENMP, hand / 2, "lanes, C OpenMP"),
        figure(results.COPY, hand / 4),
        *more,
    )
    refusals = (
        Refusal(results.APLC_OPENMP, "there is no such thing"),
        Refusal(results.C, "wrong value", "odd, C"),
    )
    return Row(name, name, size, figures, refusals, 8000, 5000, False, ("3:4 a|b: written by loop 1",))


def all_rows() -> tuple[Row, ...]:
    """Each benchmark at its largest size; those of the speed-up with threads."""
    rows = []
    for k, each in enumerate(SUITE):
        threads = [figure(results.C_OPENMP, 20.0 / t, "lanes, C OpenMP", t) for t in (1, 2)]
        curve = threads if each.name in [p.name for p in SPEED_UP] else []
        rows.append(row(each.name, each.full[-1], 20.0 + k, 20.0, *curve))
    return tuple(rows)


FOUND = Results(MACHINE, False, (1, 2), all_rows(), {results.DYALOG: "not on PATH; buy it"})
