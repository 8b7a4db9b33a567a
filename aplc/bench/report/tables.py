"""From results to tables, by pure functions. Published figures stand beside ours."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from aplc.bench import results
from aplc.bench.report.beside import accelerate, applications, arrays, futhark, interpreted, nesl, speed_up
from aplc.bench.report.cells import NONE, Table, extent, megabytes, over, shown, times
from aplc.bench.results import COLUMNS, COPY, Results, Row


def tables(found: Results) -> list[Table]:
    """All tables of a run."""
    return [
        overview(found),
        growing(found),
        first_calls(found),
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


# --- all rows -------------------------------------------------------------------------------------------


def overview(found: Results) -> Table:
    """Every row, every column: medians in milliseconds."""
    columns = [c for c in COLUMNS if c not in found.absent or any(row.best(c) for row in found.rows)]
    rows = [
        (row.name, extent(row.size), *[shown(row.seconds(column)) for column in columns])
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
    return Table("All programs", text, ("program", "size", *columns), tuple(rows), tuple(missing(found)))


MOST_LOST = 1.10
"""How many times as long as one thread any number of threads, or a device, may take for whatever work."""


def growing(found: Results) -> Table:
    """What threads and the device gain, or lose, over one thread with more and more work."""
    others = (results.APLC_OPENMP, results.APLC_OPENCL)
    rows = []
    for row in found.rows if found.growing else ():
        cells = [cell for c in others for cell in (times(row.ratio(c, results.APLC)), _loses(row, c))]
        rows.append((row.name, extent(row.size), shown(row.seconds(results.APLC)), *cells))
    text = (
        "What is too little work for threads or a device is done by one thread. A row loses where it takes "
        f"more than {MOST_LOST:g} times as long as aplc C, by more than the spread of both."
    )
    heads = (
        "program",
        "size",
        "aplc C",
        "OpenMP: × of it",
        "verdict",
        "OpenCL: × of it",
        "verdict of OpenCL",
    )
    lost = sum(LOSES in row for row in rows)
    notes = (f"Of {len(rows)} rows {lost} lose.",) if rows else ()
    return Table("Growing work", text, heads, tuple(rows), notes)


LOSES = "loses"


def _loses(row: Row, column: str) -> str:
    """Whether a column takes longer than one thread, beyond what measuring does."""
    ratio, is_slower = row.ratio(column, results.APLC), row.verdict(column, results.APLC) == results.SLOWER
    return LOSES if is_slower and ratio is not None and ratio > MOST_LOST else ""


COMPILING = (
    *(results.APLC, results.APLC_OPENMP, results.APLC_OPENCL),
    *(results.NUMBA, results.NUMBA_PARALLEL, results.JAX),
)
"""The columns whose first call compiles."""


def first_calls(found: Results) -> Table:
    """What the first call takes, in which all that compile when they are called do so."""
    columns = [c for c in COMPILING if c not in found.absent]
    cells = [(row, [_first(row, column) for column in columns]) for row in found.rows]
    rows = [
        (row.name, extent(row.size), *[NONE if s is None else f"{s:.2f}" for s in seconds])
        for row, seconds in cells
        if any(seconds)
    ]
    means = [mean([seconds[k] for _, seconds in cells]) for k in range(len(columns))]
    if len(rows) > 1:
        rows.append((MEAN, "", *[NONE if m is None else f"{m:.2f}" for m in means]))
    text = (
        "Seconds of the first call in a process, which compiles the function for its arguments and runs it; "
        "no program was kept from before. Later processes of aplc take from the cache what an earlier one "
        "compiled."
    )
    return Table("The first call", text, ("program", "size", *columns), tuple(rows))


def _first(row: Row, column: str) -> float | None:
    figure = row.best(column)
    return None if figure is None else figure.first


MEAN = "geometric mean"


def mean(values: Sequence[float | None]) -> float | None:
    """The geometric mean of what there is."""
    there = [value for value in values if value]
    return statistics.geometric_mean(there) if there else None


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
    rows: list[tuple[str, ...]] = []
    for row in found.rows:
        bound = floor(row, found)
        ours = row.seconds(results.APLC)
        rows.append(
            (
                row.name,
                extent(row.size),
                shown(ours),
                times(row.ratio(results.APLC, results.C)),
                row.verdict(results.APLC, results.C),
                times(over(ours, bound[0] if bound else None)),
                shown(bound[0] if bound else None) + (f", {bound[1]}" if bound else ""),
                times(row.ratio(results.APLC_OPENMP, results.C_OPENMP)),
                row.verdict(results.APLC_OPENMP, results.C_OPENMP),
                times(row.ratio(results.APLC_OPENCL, results.C_OPENMP)),
                times(row.ratio(results.NUMPY, results.APLC)),
                times(row.ratio(results.NUMBA, results.APLC)),
            )
        )
    machine = found.machine
    text = (
        "Each ratio is of two medians of one interleaved run, so it may be compared between machines of "
        "one kind. A verdict is told where the quartiles of both sides lie apart. The floor is the larger "
        "of two: copying the bytes that the row must read and write, measured beside it with arrays of that "
        "size, and its operations on doubles at the peak of one core. Rows that compute with narrow "
        "integers from a few numbers have none. One core copies "
        f"{machine.copy_rate / 1e9:.1f} GB/s of main memory, reading and writing counted, and makes "
        f"{machine.peak / 1e9:.1f} billion additions and multiplications of doubles a second."
    )
    heads = ("program", "size", "aplc C", "× of C", "verdict", "× of floor", "floor", "OpenMP: × of C OpenMP")
    if len(rows) > 1:
        rows.append(_means(found))
    others = ("verdict of it", "OpenCL: × of C OpenMP", "NumPy: × of aplc C", "Numba: × of aplc C")
    return Table("Against C by hand and the machine", text, (*heads, *others), tuple(rows))


def _means(found: Results) -> tuple[str, ...]:
    """The geometric means of the ratios, each of the rows that have it."""
    floors = [(row, floor(row, found)) for row in found.rows]
    of_floor = mean([over(row.seconds(results.APLC), bound[0]) for row, bound in floors if bound])

    def of(column: str, other: str) -> str:
        return times(mean([row.ratio(column, other) for row in found.rows]))

    return (
        *(MEAN, "", "", of(results.APLC, results.C), "", times(of_floor), ""),
        *(of(results.APLC_OPENMP, results.C_OPENMP), "", of(results.APLC_OPENCL, results.C_OPENMP)),
        *(of(results.NUMPY, results.APLC), of(results.NUMBA, results.APLC)),
    )


NEARLY = 1.05
"""A ratio up to this is what measuring itself may do."""


def slower(found: Results) -> Table:
    """The rows in which we are slower than C by hand, and what was written to memory in them."""
    rows = []
    for row in found.rows:
        pairs = ((results.APLC, results.C), (results.APLC_OPENMP, results.C_OPENMP))
        for ours, theirs in pairs:
            ratio = row.ratio(ours, theirs)
            excess = (row.seconds(ours) or 0.0) - (row.seconds(theirs) or 0.0)
            is_slower = row.verdict(ours, theirs) == results.SLOWER
            if is_slower and ratio is not None and ratio > NEARLY and excess > 2 * found.machine.call:
                written = "; ".join(row.written) or "none"
                rows.append((row.name, extent(row.size), ours, times(ratio), written))
    text = (
        f"A row more than {NEARLY:g} times as slow as C by hand, by more than the spread of both and than "
        "two calls of compiled APL take, is a defect. The last column has the arrays that `aplc explain` "
        "says are written, with their places in the program; whether they are the cause is not known from "
        "that."
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
            is_beyond = _is_beyond(before, row, column)
            verdict = _verdict(change if relative is None else relative) if is_beyond else results.SAME
            cells = (verdict, shown(was), shown(now), times(change), times(relative))
            lines.append((-(relative or change), (row.name, extent(row.size), column, *cells)))
    text = (
        f"Now over then, against the run of {old.machine.date} ({old.machine.commit or 'commit unknown'}, "
        f"{old.machine.processor}). The verdict is that of the last column, in which both runs are held "
        f"against C by hand of their own, so that a slower machine changes nothing, and C that was improved "
        f"in between makes us slower; less than {NOISE:g}, or than the spread of both runs, counts as the "
        "same."
    )
    heads = ("program", "size", "target", "verdict", "then", "now", "now over then", "both as × of C")
    rows = tuple([cells for _, cells in sorted(lines)])
    notes = tuple([f"Only in the earlier run: {name}" for name in _gone(old, new)])
    return Table("Compared with an earlier run", text, heads, rows, notes, words=4)


def _verdict(change: float) -> str:
    if change > NOISE:
        return results.SLOWER
    return results.FASTER if change < 1 / NOISE else results.SAME


def _is_beyond(old: Row, new: Row, column: str) -> bool:
    """Whether what was measured of a column over C by hand lies outside the spread of the other run."""
    was, now = old.spread(column, results.C), new.spread(column, results.C)
    return was is None or now is None or now[0] > was[1] or was[0] > now[1]


def _gone(old: Results, new: Results) -> list[str]:
    there = {(row.name, row.size) for row in new.rows}
    return [f"{r.name}, {extent(r.size)}" for r in old.rows if (r.name, r.size) not in there]
