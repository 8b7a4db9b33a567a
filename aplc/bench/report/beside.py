"""The tables of published figures with ours beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aplc.bench import results
from aplc.bench.report import published
from aplc.bench.report.cells import Table, extent, over, shown, times
from aplc.bench.report.published import Published
from aplc.bench.results import Results, Row

CURVES = (("aplc", results.APLC_OPENMP, results.APLC), ("C by hand", results.C_OPENMP, results.C))
"""What the speed-up is of: a label, the column with threads, the sequential column."""
SPEED_UP = tuple([each.name for each in published.SPEED_UP])
NEVER = "Milliseconds of two machines cannot be compared; "


def _beside(
    found: Results,
    entries: Sequence[Published],
    cells: Callable[[Published, Row], Sequence[str]],
) -> tuple[tuple[str, ...], ...]:
    """A row for each published one that was measured here."""
    rows = []
    for entry in entries:
        row = found.row(entry.name, entry.size) or found.row(entry.name)
        if row is not None:
            rows.append((f"{entry.label} ({entry.name})", extent(row.size), *cells(entry, row)))
    return tuple(rows)


def _ms(figure: float | None) -> str:
    return shown(None if figure is None else figure / 1000)


def _sizes(found: Results) -> tuple[str, ...]:
    if not found.quick:
        return ()
    return ("Our sizes are those of --quick, smaller than the published ones: only ratios say something.",)


def interpreted(found: Results) -> Table:
    """Table 3.2: interpreter against compiled."""

    def cells(entry: Published, row: Row) -> list[str]:
        dyalog, tail = entry.figures
        ours = row.seconds(results.APLC)
        here = [row.seconds(column) for column in (*results.INTERPRETERS, results.NUMPY, results.INTERP)]
        best = min([s for s in here[:3] if s is not None], default=here[3])
        speed_ups = [times(over(dyalog, tail)), times(over(best, ours))]
        return [_ms(dyalog), _ms(tail), speed_ups[0], *[shown(s) for s in here], shown(ours), speed_ups[1]]

    heads = ("program", "our size", "thesis: Dyalog 14", "thesis: TAIL C", "thesis: speed-up")
    own = (*results.INTERPRETERS, results.NUMPY, results.INTERP, results.APLC, "speed-up")
    text = (
        f"{NEVER}the speed-ups may be compared: how many times as fast compiled code is as the "
        "interpreter. Ours is over the fastest interpreter of APL or BQN on this machine, over NumPy "
        "where there is none. The thesis ran on an AMD Opteron 6274."
    )
    return Table(
        "Table 3.2: interpreter against compiled",
        text,
        (*heads, *own),
        _beside(found, published.INTERPRETED, cells),
        _sizes(found),
    )


def applications(found: Results) -> Table:
    """Table 3.3: the applications against C."""

    def cells(entry: Published, row: Row) -> list[str]:
        dyalog, tail, c = entry.figures
        ours, hand = row.seconds(results.APLC), row.seconds(results.C)
        mine = [shown(row.seconds(results.DYALOG)), shown(ours), shown(hand), times(over(ours, hand))]
        return [_ms(dyalog), _ms(tail), _ms(c), times(over(tail, c)), *mine]

    heads = ("program", "our size", "thesis: Dyalog 14", "thesis: TAIL C", "thesis: C", "thesis: × of C")
    own = (results.DYALOG, results.APLC, results.C, "× of C")
    text = (
        f"{NEVER}“× of C” may: compiled APL over C by hand. Our C has vector functions and lanes where an "
        "expert would, so it is the stronger opponent. The thesis ran HotSpot for 360 steps (its table of "
        "sizes says 300)."
    )
    return Table(
        "Table 3.3: applications against C",
        text,
        (*heads, *own),
        _beside(found, published.APPLICATIONS, cells),
        _sizes(found),
    )


def arrays(found: Results) -> Table:
    """Table 3.4: flat against hybrid pull arrays."""

    def cells(entry: Published, row: Row) -> list[str]:
        flat, hybrid = entry.figures
        ours = row.seconds(results.FLAT), row.seconds(results.APLC)
        return [
            *(_ms(flat), _ms(hybrid), times(over(flat, hybrid))),
            *(shown(ours[0]), shown(ours[1]), times(over(*ours))),
        ]

    heads = ("program", "our size", "thesis: flat", "thesis: hybrid", "thesis: flat over hybrid")
    own = ("flat", "hybrid", "flat over hybrid")
    text = (
        f"{NEVER}the last columns may: what one flat index costs over one index an axis (`--arrays flat`). "
        "The speed-ups of the thesis are computed from its times, since its own column of them is in "
        "another order."
    )
    return Table(
        "Table 3.4: flat against hybrid pull arrays",
        text,
        (*heads, *own),
        _beside(found, published.ARRAYS, cells),
        _sizes(found),
    )


def speed_up(found: Results) -> Table:
    """Figure 3.10 as a table: the speed-up over the sequential version, for each number of threads."""
    rows = []
    for row in found.rows:
        for label, column, base in CURVES:
            figures = [over(row.seconds(base), row.seconds(column, t)) for t in found.threads]
            if any(figure is not None for figure in figures) or row.name in SPEED_UP:
                rows.append((f"{row.name}, {label}", extent(row.size), *[times(f) for f in figures]))
    heads = ("program", "our size", *[f"{t} {'thread' if t == 1 else 'threads'}" for t in found.threads])
    text = (
        "The time of the sequential version over that with threads; the thesis shows these two programs, "
        "linear up to 8 threads and about 21 times at 32, with OpenMP put in by hand. The shapes of the "
        f"curves may be compared up to the number of cores of this machine, {found.machine.cores}."
    )
    return Table("Figure 3.10: speed-up over threads", text, heads, tuple(rows), _sizes(found))


def accelerate(found: Results) -> Table:
    """Table 3.5: sequential C against the device, by Accelerate."""

    def cells(entry: Published, row: Row) -> list[str]:
        c, gpu = entry.figures
        ours = row.seconds(results.APLC), row.seconds(results.APLC_OPENCL)
        return [
            *(_ms(c), _ms(gpu), times(over(c, gpu))),
            *(shown(ours[0]), shown(ours[1]), times(over(*ours))),
        ]

    heads = ("program", "our size", "thesis: TAIL C", "thesis: Accelerate", "thesis: C over device")
    own = (results.APLC, results.APLC_OPENCL, "C over device")
    text = (
        f"{NEVER}what the device gains over one core may be compared where ours is a GPU, too. The thesis "
        "ran on a Xeon E5-2650 and a GeForce GTX 780 Ti. It gives 2.03 ms for HotSpot on the device, "
        "3,000 times less than in C, which no bandwidth of that device allows; it is shown as printed. "
        "Easter is the thesis' “N = 3,000”, taken as 300 rounds."
    )
    return Table(
        "Table 3.5: C against the device (Accelerate)",
        text,
        (*heads, *own),
        _beside(found, published.ACCELERATE, cells),
        _sizes(found),
    )


def futhark(found: Results) -> Table:
    """Table 3.6, with the figures of FHPC 2016."""

    def cells(entry: Published, row: Row) -> list[str]:
        hand, tail, device, best = entry.figures
        ours = [row.seconds(c) for c in (results.C, results.APLC, results.APLC_OPENCL)]
        return [
            *(_ms(hand), _ms(tail), _ms(device), _ms(best), times(over(tail, hand))),
            *[shown(s) for s in ours],
            times(over(ours[1], ours[0])),
        ]

    heads = (
        "program",
        "our size",
        "FHPC: C",
        "TAIL C",
        "thesis: Futhark",
        "FHPC: best GPU",
        "published: × of C",
    )
    own = (results.C, results.APLC, results.APLC_OPENCL, "× of C")
    text = (
        f"{NEVER}“× of C” may: TAIL's C over C by hand there, ours over C by hand here. Xeon E5-2650, "
        "GeForce GTX 780 Ti; C by hand and the best GPU figure are those of FHPC 2016."
    )
    return Table(
        "Table 3.6: C against the device (Futhark)",
        text,
        (*heads, *own),
        _beside(found, published.FUTHARK, cells),
        _sizes(found),
    )


def nesl(found: Results) -> Table:
    """Table 1 of NESL on GPUs."""

    def cells(entry: Published, row: Row) -> list[str]:
        mine = (results.APLC, results.APLC_OPENMP, results.APLC_OPENCL, results.C)
        return [*map(_ms, entry.figures), *[shown(row.seconds(column)) for column in mine]]

    heads = ("program", "our size", "NESL, CPU", "NESL, GPU", "CUDA", "DPH, 8 cores", "Copperhead")
    own = (results.APLC, results.APLC_OPENMP, results.APLC_OPENCL, results.C)
    text = (
        f"{NEVER}what nesting costs each system beside its own C or CUDA may. Core i7 with 4 cores, Tesla "
        "C2050, floats where ours are doubles. Its dot product is one of 10,000,000 numbers, ours are a "
        "million of 10. The sums of log-sums of SNESL (2013) are published as a plot only; NESL on the GPU, "
        "which wrote all numbers, had no memory for more than 256 squares."
    )
    return Table(
        "NESL on GPUs, table 1", text, (*heads, *own), _beside(found, published.NESL, cells), _sizes(found)
    )
