"""Charts as SVG text, by pure functions: bars of ratios, lines of speed-ups, a roofline.

Both axes of a quantity are logarithmic. Nothing is told by colour alone: bars carry their figure, lines their
name and a marker of their own, points their number. The classes are styled by the page.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH = 500
"""Of all charts; the page scales them down to the width of the screen."""
HEAD, LETTER = 18, 9
"""Where words above a chart stand; what a letter takes at most."""
MARKERS = ("●", "■", "▲", "◆", "▼", "★")
DASHES = ("", "7 4", "2 3", "10 3 2 3", "4 4", "1 3")


@dataclass(frozen=True, slots=True)
class Bar:
    """A ratio with its name."""

    name: str
    ratio: float
    low: float = 0.0
    high: float = 0.0
    """Between what the ratio lies, as far as the spread of both sides tells; 0: not known."""
    runs: int = 0
    """The fewest runs of both sides."""


@dataclass(frozen=True, slots=True)
class Line:
    """A series of points with its name; a point is a number of threads, a speed-up, and its bounds."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """A program on the roofline: operations a byte (None: it moves none), operations a second."""

    name: str
    intensity: float | None
    rate: float
    low: float = 0.0
    high: float = 0.0
    """The rates of the slower and the faster half of the runs; 0: not known."""


def picture(key: str, title: str, told: str, height: float, parts: Sequence[str]) -> str:
    """An SVG element whose title and description a screen reader finds."""
    head = (
        f'<svg id="{key}" role="img" aria-labelledby="{key}-title {key}-told" viewBox="0 0 {WIDTH} '
        f'{height:.0f}" xmlns="http://www.w3.org/2000/svg">'
    )
    names = [
        f'<title id="{key}-title">{html.escape(title)}</title>',
        f'<desc id="{key}-told">{html.escape(told)}</desc>',
    ]
    return "\n".join([head, *names, *parts, "</svg>"])


def text(x: float, y: float, words: str, anchor: str = "start", style: str = "word") -> str:
    """Words at a place."""
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, style: str) -> str:
    """A straight line."""
    return f'<line class="{style}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def rectangle(x: float, y: float, width: float, height: float, style: str) -> str:
    """A box."""
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" {size}/>'


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic scale: from low to high, drawn from start to end."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies; what is outside lies at the nearer end."""
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + min(max(part, 0.0), 1.0) * (self.end - self.start)

    def value(self, place: float) -> float:
        """What lies at a place."""
        part = (place - self.start) / (self.end - self.start)
        return self.low * math.exp(part * math.log(self.high / self.low))


def figure(value: float) -> str:
    """A ratio in a chart."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.1 else f"{value:.2g}"


# --- bars -----------------------------------------------------------------------------------------------

NAMES, ROW, TOP, RUNS = 186, 24, 38, 40
"""Width of the names; height of a bar with its gap; what is above them; width of the numbers of runs."""


def whisker(x: float, to_x: float, y: float) -> list[str]:
    """A line across a bar, with ends."""
    ends = [line(place, y - 4, place, y + 4, "whisker") for place in (x, to_x)]
    return [line(x, y, to_x, y, "whisker"), *ends]


def bar_style(bar: Bar, *, above_is_good: bool) -> str:
    """Better or worse where the whole spread lies on that side of 1, else the same."""
    low, high = (bar.low, bar.high) if bar.runs > 1 else (0.0, math.inf)
    if low <= 1 <= high:
        return "same"
    return "better" if (bar.ratio > 1) is above_is_good else "worse"


def bars(
    key: str, title: str, given: Sequence[Bar], below: str, above: str, *, above_is_good: bool = False
) -> str:
    """Ratios on both sides of 1; `below` and `above` say what a bar to the left and to the right means."""
    ratios = [bar.ratio for bar in given]
    low = min(0.5, min(ratios) / 1.2, *[bar.low for bar in given if bar.low])
    high = max(2.0, max(ratios) * 1.2, *[bar.high for bar in given])
    scale = Scale(low, high, NAMES + 54, WIDTH - 46 - RUNS)
    bottom = TOP + ROW * len(given)
    middle = min(scale.at(1), WIDTH - LETTER * (len(above) + 3))
    parts = [text(middle - 6, HEAD, f"◀ {below}", "end"), text(middle + 6, HEAD, f"{above} ▶")]
    for tick in apart(scale, ticks(low, high)):
        x = scale.at(tick)
        parts += [line(x, TOP - 6, x, bottom, "grid"), text(x, bottom + 16, figure(tick), "middle", "tick")]
    for k, bar in enumerate(given):
        y, x, one = TOP + ROW * k, scale.at(bar.ratio), scale.at(1)
        left, width = min(x, one), max(abs(x - one), 1.0)
        style = bar_style(bar, above_is_good=above_is_good)
        parts.append(rectangle(left, y, width, ROW - 8, style))
        ends = [scale.at(each) for each in (bar.low, bar.high) if each] or [x]
        parts += whisker(min(ends), max(ends), y + (ROW - 8) / 2) if len(ends) > 1 else []
        place, anchor = (max(x, *ends) + 5, "start") if bar.ratio > 1 else (min(x, *ends) - 5, "end")
        parts += [
            text(WIDTH - 4, y + 13, f"n={bar.runs:,}" if bar.runs else "", "end", "tick"),
            text(NAMES - 4, y + 13, bar.name, "end"),
            text(place, y + 13, figure(bar.ratio), anchor, "number"),
        ]
    parts.append(line(scale.at(1), TOP - 6, scale.at(1), bottom, "one"))
    told = "; ".join([f"{bar.name} {figure(bar.ratio)}" for bar in given])
    return picture(key, title, told, bottom + 26, parts)


def apart(scale: Scale, given: Sequence[float]) -> list[float]:
    """Ticks whose labels do not touch: every one, or every second, third, … with 1 among them."""
    step, origin = 1, given.index(1.0) if 1.0 in given else 0
    while True:
        kept = [tick for k, tick in enumerate(given) if (k - origin) % step == 0]
        gaps = [scale.at(b) - scale.at(a) for a, b in pairwise(kept)]
        if min(gaps, default=math.inf) >= LETTER * max(len(figure(tick)) for tick in kept):
            return kept
        step += 1


def ticks(low: float, high: float) -> list[float]:
    """Powers of ten between two numbers, with 2 and 5 where there are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    few = math.log10(high / low) < 2
    ticks = [m * 10.0**p for p in powers for m in ((1, 2, 5) if few else (1,))]
    return [tick for tick in ticks if low <= tick <= high]


# --- lines ----------------------------------------------------------------------------------------------


def curve(key: str, title: str, given: Sequence[Line]) -> str:
    """Speed-ups over numbers of threads, with the line of what is ideal."""
    threads = sorted({x for each in given for x, *_ in each.points})
    values = [y for each in given for _, *of in each.points for y in of if y]
    most = max(2.0, *threads)
    across = Scale(1, most, 56, WIDTH - 24)
    height, top = 330.0, 28.0
    up = Scale(min(0.5, *values), max(most, *values), height - 46, top)
    parts = []
    for tick in threads:
        x = across.at(tick)
        parts += [
            line(x, top, x, height - 46, "grid"),
            text(x, height - 28, f"{tick:.0f}", "middle", "tick"),
        ]
    tick = 2.0 ** math.ceil(math.log2(up.low))
    while tick <= up.high:
        y = up.at(tick)
        parts += [
            line(56, y, WIDTH - 24, y, "grid"),
            text(48, y + 4, figure(tick), "end", "tick"),
        ]
        tick *= 2
    parts += [
        text(WIDTH / 2, height - 8, "threads", "middle"),
        text(56, HEAD, "times as fast as the sequential version"),
        line(across.at(1), up.at(1), across.at(most), up.at(most), "ideal"),
        line(56, height + 4, 96, height + 4, "ideal"),
        text(104, height + 8, "as fast as there are threads"),
    ]
    for k, each in enumerate(given):
        places = [(across.at(x), up.at(y)) for x, y, _, _ in each.points]
        for x, _, low, high in each.points:
            place = across.at(x) + 3 * (k % 4) - 4
            parts.append(line(place, up.at(low), place, up.at(high), "whisker") if low else "")
        path = " ".join([f"{x:.1f},{y:.1f}" for x, y in places])
        dash = f' stroke-dasharray="{DASHES[k % len(DASHES)]}"' if DASHES[k % len(DASHES)] else ""
        parts.append(f'<polyline class="series{k % 4}" points="{path}"{dash}/>')
        parts += [text(x, y + 4, MARKERS[k % len(MARKERS)], "middle", f"marker{k % 4}") for x, y in places]
        y = height + 8 + 20 * (k + 1)
        parts += [
            f'<line class="series{k % 4}" x1="56" y1="{y - 4:.0f}" x2="96" y2="{y - 4:.0f}"{dash}/>',
            text(76, y, MARKERS[k % len(MARKERS)], "middle", f"marker{k % 4}"),
            text(104, y, f"{each.name}{f', n={each.runs}' if each.runs else ''}"),
        ]
    told = "; ".join(
        [
            f"{each.name}: {', '.join([f'{figure(y)} at {x:.0f}' for x, y, *_ in each.points])}"
            for each in given
        ]
    )
    return picture(key, title, told, height + 20 * (len(given) + 1) + 4, parts)


# --- roofline -------------------------------------------------------------------------------------------


def roofline(key: str, title: str, given: Sequence[Point], copy_rate: float, peak: float) -> str:
    """Programs under the roof of one core: memory to the left, arithmetic to the right; the numbers are those
    of the list below the chart, from 1.
    """
    height, left, right, top = 406.0, 60.0, WIDTH - 70.0, 30.0
    finite = [point.intensity for point in given if point.intensity is not None]
    ridge = peak / copy_rate
    across = Scale(min(0.03, *finite, ridge) / 1.5, max(10.0, *finite, ridge) * 3, left, right)
    rates = [point.rate for point in given]
    up = Scale(min(*rates, peak / 100) / 2, max(*rates, peak) * 2, height - 46, top)
    parts = []
    for scale, vertical in ((across, True), (up, False)):
        for power in range(math.ceil(math.log10(scale.low)), math.floor(math.log10(scale.high)) + 1):
            place = scale.at(10.0**power)
            if vertical and place < right - 16:
                parts += [
                    line(place, top, place, height - 46, "grid"),
                    text(place, height - 28, figure(10.0**power), "middle", "tick"),
                ]
            elif not vertical:
                parts += [
                    line(left, place, WIDTH - 20, place, "grid"),
                    text(left - 8, place + 4, figure(10.0**power / 1e9), "end", "tick"),
                ]
    roof = [(across.low, copy_rate * across.low), (ridge, peak), (across.high, peak)]
    path = " ".join([f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in roof])
    beside = across.at(up.value(height - 46 - 24) / copy_rate) + 10
    parts += [
        f'<polyline class="roof" points="{path}"/>',
        line(right, up.at(peak), WIDTH - 20, up.at(peak), "roof"),
        text(WIDTH - 22, up.at(peak) - 8, f"peak of one core, {peak / 1e9:.0f}", "end"),
        text(beside, height - 46 - 8, f"copying memory, {copy_rate / 1e9:.0f} GB/s"),
        text((left + right) / 2, height - 8, "operations per byte that must move", "middle"),
        text(WIDTH - 34, height - 28, "no bytes", "middle", "tick"),
        text(8, HEAD, "billion operations a second"),
    ]
    taken: list[tuple[float, float]] = []
    for number, point in enumerate(given, start=1):
        x = WIDTH - 38.0 if point.intensity is None else across.at(point.intensity)
        y = _free(x, up.at(point.rate), taken)
        taken.append((x, y))
        if point.low:
            parts.append(line(x, up.at(point.low), x, up.at(point.high), "whisker"))
        if abs(y - up.at(point.rate)) > 1:
            parts.append(line(x, up.at(point.rate), x, y, "lead"))
        parts += [
            f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="9"/>',
            text(x, y + 4, str(number), "middle", "inside"),
        ]
    told = "; ".join([f"{point.name} {point.rate / 1e9:.2g} billion a second" for point in given])
    return picture(key, title, told, height, parts)


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> float:
    """The height nearest to y at which a point does not cover another one."""
    for distance in range(0, 400, 3):
        for candidate in (y + distance, y - distance):
            if all(math.hypot(x - a, candidate - b) >= 18.5 for a, b in taken):
                return candidate
    return y
