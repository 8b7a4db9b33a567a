"""What compilation costs: by stage for the programs of the suite, and over program size.

    python -m aplc.bench.compile_time [--runs K] [--longest N] [--svg FILE]

Processor time, the best of K runs, so that other work on the machine counts little. The second table has one
row for each kind of program, n statements of that kind, and the time over that of a program a quarter as
long: 4 where the time grows with the text. The drawing shows the same, both axes logarithmic.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from aplc.backends.native.run import build
from aplc.bench.suite import PROGRAMS
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import decode
from aplc.options import Options
from aplc.tail.source import Source

OPTIONS = Options(use_cache=False)
STAGES = ("front end", "TAIL", "Laila", "C")
SIZES = (12, 50, 200, 800, 3200)


def repeated(first: str, line: str, last: str = "") -> Callable[[int], str]:
    """A program of n lines; `#` is the number of the line, `@` that of the one before."""

    def program(n: int) -> str:
        lines = [line.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, n + 1)]
        return "\n".join([first, *lines, last]) + "\n"

    return program


KINDS: dict[str, Callable[[int], str]] = {
    "arithmetic on a vector": repeated("x←0.5×⍳1000", "x←1+x×2", "+/x"),
    "reductions, printed": repeated("x←0.5×⍳1000", "⎕←+/x×#"),
    "indexing and updates": repeated("x←⍳9999", "x[#]←x[@+1]+1", "+/x"),
    "loops": repeated("x←0.5×⍳1000", "x←({1+⍵÷2}⍣#)x", "+/x"),
    "guards": repeated("x←+/⍳5", "x←{⍵>#:⍵+1 ⋄ ⍵-1}x", "x"),
    "a function used again": repeated("x←0.5×⍳1000\nf←{a←⍵+1 ⋄ b←a×a ⋄ b÷1+a}", "x←f x", "+/x"),
    "rotations": repeated("x←⍳100", "x←x+#⌽x", "+/x"),
    "selections": repeated("x←⍳1000", "x←(x>#)/x", "x"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds by stage, and the lines of C that came out."""

    stages: tuple[float, ...]
    lines: int
    c_compiler: float = 0.0

    @property
    def total(self) -> float:
        """All stages, without the C compiler."""
        return sum(self.stages)


def cost_of(text: str, runs: int, *, with_c_compiler: bool = False) -> Cost:
    """The least cost of compiling a program in some runs."""
    measured = [with_deep_stack(lambda: _once(text, with_c_compiler)) for _ in range(runs)]
    stages = tuple([min(times) for times in zip(*[m.stages for m in measured], strict=True)])
    return Cost(stages, measured[0].lines, min([m.c_compiler for m in measured]))


def _once(text: str, with_c_compiler: bool) -> Cost:
    gc.collect()
    marks = [time.process_time()]

    def mark() -> None:
        marks.append(time.process_time())

    elaborated = to_tail([Source("measured.apl", text)], {})
    mark()
    term = optimise(elaborated.term, OPTIONS)
    mark()
    program, make = to_laila(term, {}, OPTIONS)
    mark()
    code = to_c(program, make, OPTIONS)
    mark()
    children = os.times()
    if with_c_compiler:
        build(code, OPTIONS.level, use_cache=False)
    after = os.times()
    spent = after.children_user + after.children_system - children.children_user - children.children_system
    stages = tuple([1000 * (end - start) for start, end in pairwise(marks)])
    return Cost(stages, code.text.count("\n"), 1000 * spent)


# --- tables ---------------------------------------------------------------------------------------------


def suite_table(runs: int) -> list[str]:
    """The programs of the suite, one a row."""
    heads = (*STAGES, "together", "C compiler", "lines of C")
    rows = [f"| program | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for path in sorted(PROGRAMS.glob("*.apl")):
        cost = cost_of(decode(path.read_bytes(), str(path)).text, runs, with_c_compiler=True)
        figures = [f"{ms:.0f}" for ms in (*cost.stages, cost.total, cost.c_compiler)]
        rows.append(f"| {path.stem} | {' | '.join(figures)} | {cost.lines} |")
    return rows


def over_size(runs: int, longest: int) -> dict[str, list[tuple[int, float]]]:
    """For each kind of program the milliseconds for each size."""
    sizes = [n for n in SIZES if n <= longest]
    return {
        kind: [(n, cost_of(program(n), runs if n < 1000 else 1).total) for n in sizes]
        for kind, program in KINDS.items()
    }


def size_table(found: dict[str, list[tuple[int, float]]]) -> list[str]:
    """The kinds, one a row: milliseconds, and the last two over each other."""
    sizes = [n for n, _ in next(iter(found.values()))]
    rows = [
        f"| n statements | {' | '.join([str(n) for n in sizes])} | growth |",
        "|---" * (len(sizes) + 2) + "|",
    ]
    for kind, points in found.items():
        figures = [f"{ms:.0f}" for _, ms in points]
        rows.append(f"| {kind} | {' | '.join(figures)} | {points[-1][1] / points[-2][1]:.1f} |")
    return rows


# --- the drawing ----------------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN, LEGEND = 720, 420, 60, 190
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#117a65", "#7b241c", "#566573")


def drawing(found: dict[str, list[tuple[int, float]]]) -> str:
    """The costs over the sizes as SVG."""
    sizes = [n for points in found.values() for n, _ in points]
    times = [max(ms, 1.0) for points in found.values() for _, ms in points]
    top = 10 ** math.ceil(math.log10(max(times)))

    def across(n: float) -> float:
        return MARGIN + _part(n, min(sizes), max(sizes)) * (WIDTH - MARGIN - LEGEND)

    def up(ms: float) -> float:
        return HEIGHT - MARGIN - _part(max(ms, 1.0), 1.0, top) * (HEIGHT - 2 * MARGIN)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(MARGIN, 30, "milliseconds from text to C over the number of statements"),
    ]
    for power in range(round(math.log10(top)) + 1):
        y = up(10**power)
        parts += [_line(MARGIN, y, WIDTH - LEGEND, y, "#dddddd"), _text(12, y + 4, f"{10**power}")]
    for n in sorted(set(sizes)):
        x = across(n)
        parts += [_line(x, MARGIN, x, HEIGHT - MARGIN, "#dddddd"), _text(x - 10, HEIGHT - 38, f"{n}")]
    for position, ((kind, points), colour) in enumerate(zip(found.items(), COLOURS, strict=False)):
        path = " ".join([f"{across(n):.1f},{up(ms):.1f}" for n, ms in points])
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = MARGIN + 12 + 20 * position
        parts += [
            _line(WIDTH - LEGEND + 12, y - 4, WIDTH - LEGEND + 32, y - 4, colour),
            _text(WIDTH - LEGEND + 38, y, kind),
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _part(value: float, low: float, high: float) -> float:
    """Where a value lies between two others, by its logarithm."""
    return math.log(value / low) / math.log(high / low)


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{text}</text>'


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables and write the drawing."""
    parser = argparse.ArgumentParser(description="what compilation costs")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--longest", type=int, default=SIZES[-1])
    parser.add_argument("--svg", type=Path)
    chosen = parser.parse_args(arguments)
    print("\n".join([*suite_table(chosen.runs), ""]), flush=True)
    found = over_size(chosen.runs, chosen.longest)
    print("\n".join(size_table(found)))
    if chosen.svg is not None:
        chosen.svg.write_text(drawing(found), encoding="utf-8")


if __name__ == "__main__":
    main()
