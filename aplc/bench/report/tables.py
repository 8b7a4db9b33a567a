"""From results to tables, by pure functions. Published figures stand beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from aplc.bench import results
from aplc.bench.report import published
from aplc.bench.report.published import Published
from aplc.bench.results import COLUMNS, COPY, Results, Row, Size

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


def tables(found: Results) -> list[Table]:
    """All tables of a run."""
    return [
        overview(found),
        ratios(found),
        slower(found),
        interpreted(found),
        applications(found),
        arrays(found),
        speed_up(found),
        accelerate(found),
        futhark(found),
        nesl(found),
        by_rival(found),
    ]


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


# --- all rows -------------------------------------------------------------------------------------------


def overview(found: Results) -> Table:
    """Every row, every column: medians in milliseconds."""
    rows = [
        (row.name, extent(row.size), *[shown(row.seconds(column)) for column in COLUMNS])
        for row in found.rows
    ]
    several = f"OpenMP: {found.most_threads} {'thread' if found.most_threads == 1 else 'threads'}. "
    text = (
        "Milliseconds, medians of interleaved runs. Inputs lie in memory, compilation is not counted, and "
        f"a figure stands only where the value is the right one. {several}C is the fastest of the "
        "functions by hand, compiled in two ways; C by other means does not compute what the program "
        "says, but gets there. A call of compiled APL that computes nothing takes "
        f"{found.machine.call * 1e6:.1f} µs."
    )
    return Table("All programs", text, ("program", "size", *COLUMNS), tuple(rows), tuple(missing(found)))


def missing(found: Results) -> Iterator[str]:
    """Why figures are missing: a line for each column and reason, with the rows if it is not all of them."""
    programs = {row.name for row in found.rows}
    for column in COLUMNS:
        places: dict[str, list[tuple[str, str]]] = {}
        for row in found.rows:
            for refusal in row.refusals:
                if refusal.column == column:
                    places.setdefault(refusal.reason, []).append((row.name, refusal.detail))
        if column in found.absent:
            yield f"{column}: {found.absent[column]}"
            places.pop(found.absent[column], None)
        for reason, those in places.items():
            everywhere = len({name for name, _ in those}) == len(programs) > 1
            names = [("every program" if everywhere else name, detail) for name, detail in those]
            words = [name + (f" ({detail})" if detail else "") for name, detail in dict.fromkeys(names)]
            where = "" if words == ["every program"] else f", {'; '.join(words)}"
            yield f"{column}{where}: {reason}"


def floor(row: Row, found: Results) -> tuple[float, str] | None:
    """The seconds below which one core cannot go, and what says so."""
    copy = row.seconds(COPY)
    computed = row.operations / found.machine.peak if found.machine.peak and not row.integers else None
    bounds = [(s, why) for s, why in ((copy, "memory"), (computed, "arithmetic")) if s]
    return max(bounds, default=None)


def ratios(found: Results) -> Table:
    """Our own table: × of C by hand, × of the floor of the machine."""
    rows = []
    for row in found.rows:
        bound = floor(row, found)
        ours = row.seconds(results.APLC)
        rows.append(
            (
                row.name,
                extent(row.size),
                shown(ours),
                times(row.ratio(results.APLC, results.C)),
                times(over(ours, bound[0] if bound else None)),
                shown(bound[0] if bound else None) + (f", {bound[1]}" if bound else ""),
                times(row.ratio(results.APLC_OPENMP, results.C_OPENMP)),
                times(row.ratio(results.APLC_OPENCL, results.C_OPENMP)),
                times(row.ratio(results.NUMPY, results.APLC)),
            )
        )
    machine = found.machine
    text = (
        "Each ratio is of two medians of one interleaved run, so it may be compared between machines of "
        "one kind. The floor is the larger of two: copying the bytes that the row must read and write, "
        "measured beside it with arrays of that size, and its operations on doubles at the peak of one "
        "core. Rows that compute with narrow integers from a few numbers have none. One core copies "
        f"{machine.copy_rate / 1e9:.1f} GB/s of main memory, reading and writing counted, and makes "
        f"{machine.peak / 1e9:.1f} billion additions and multiplications of doubles a second."
    )
    heads = ("program", "size", "aplc C", "× of C", "× of floor", "floor", "OpenMP: × of C OpenMP")
    others = ("OpenCL: × of C OpenMP", "NumPy: × of aplc C")
    return Table("Against C by hand and the machine", text, (*heads, *others), tuple(rows))


SLOWER = 1.05
"""A ratio up to this is what measuring itself may do."""


def slower(found: Results) -> Table:
    """The rows in which we are slower than C by hand, and what was written to memory in them."""
    rows = []
    for row in found.rows:
        pairs = ((results.APLC, results.C), (results.APLC_OPENMP, results.C_OPENMP))
        for ours, theirs in pairs:
            ratio = row.ratio(ours, theirs)
            excess = (row.seconds(ours) or 0.0) - (row.seconds(theirs) or 0.0)
            if ratio is not None and ratio > SLOWER and excess > 2 * found.machine.call:
                written = "; ".join(row.written) or "nothing: the arithmetic itself is slower"
                rows.append((row.name, extent(row.size), ours, times(ratio), written))
    text = (
        f"A row more than {SLOWER:g} times as slow as C by hand, and by more than two calls of compiled "
        "APL take, is a defect. What is written to memory is what `aplc explain` says, with its place in "
        "the program."
    )
    heads = ("program", "size", "target", "× of C", "arrays written to memory")
    return Table("Slower than C by hand", text, heads, tuple(rows), words=3)


def by_rival(found: Results) -> Table:
    """Each rival of each row: median, spread, runs, memory."""
    rows = []
    for row in found.rows:
        for figure in row.figures:
            detail = figure.detail + (f" threads: {figure.threads}" if figure.threads else "")
            memory = megabytes(figure.memory)
            spread = f"{100 * figure.spread:.0f} %"
            cells = (
                figure.column,
                detail.strip(),
                shown(figure.median),
                spread,
                str(len(figure.seconds)),
                memory,
            )
            rows.append((row.name, extent(row.size), *cells))
    text = (
        "Median, the distance of the quartiles in parts of it, the number of runs, and the most memory in "
        "MB besides the arguments (results included). `copy` moves the bytes that the row must move."
    )
    heads = ("program", "size", "rival", "function, flags", "ms", "spread", "runs", "MB")
    return Table("Every rival", text, heads, tuple(rows), words=4)


# --- beside the published figures -----------------------------------------------------------------------

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


# --- two runs -------------------------------------------------------------------------------------------

NOISE = 1.10
"""Medians of two runs that differ by less are called the same."""


def comparison(old: Results, new: Results) -> Table:
    """What became slower: the rows of both runs, what changed most first."""
    lines: list[tuple[float, tuple[str, ...]]] = []
    for row in new.rows:
        before = old.row(row.name, row.size)
        for column in (*results.OWN, results.FLAT) if before is not None else ():
            assert before is not None
            was, now = before.seconds(column), row.seconds(column)
            change = over(now, was)
            if change is None:
                continue
            relative = over(over(now, row.seconds(results.C)), over(was, before.seconds(results.C)))
            verdict = _verdict(change if relative is None else relative)
            cells = (verdict, shown(was), shown(now), times(change), times(relative))
            lines.append((-(relative or change), (row.name, extent(row.size), column, *cells)))
    text = (
        f"Now over then, against the run of {old.machine.date} ({old.machine.commit or 'commit unknown'}, "
        f"{old.machine.processor}). The verdict is that of the last column, in which both runs are held "
        f"against C by hand of their own, so that a slower machine changes nothing, and C that was improved "
        f"in between makes us slower; less than {NOISE:g} counts as the same."
    )
    heads = ("program", "size", "target", "verdict", "then", "now", "now over then", "both as × of C")
    rows = tuple([cells for _, cells in sorted(lines)])
    notes = tuple([f"Only in the earlier run: {name}" for name in _gone(old, new)])
    return Table("Compared with an earlier run", text, heads, rows, notes, words=4)


def _verdict(change: float) -> str:
    if change > NOISE:
        return "slower"
    return "faster" if change < 1 / NOISE else "the same"


def _gone(old: Results, new: Results) -> list[str]:
    there = {(row.name, row.size) for row in new.rows}
    return [f"{r.name}, {extent(r.size)}" for r in old.rows if (r.name, r.size) not in there]
