"""Values as small pictures in SVG: vectors as lines, several vectors as several lines, matrices as heat maps.

    picture_of(value)    the picture, or None for a value that has none: text, a single number, what is empty

Its colours are legible on white and on black; nothing in it is fetched, and it has no script.
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from aplc.tail.display import format_number, shown_items

Array = np.ndarray[Any, Any]

WIDTH, HEIGHT = 560, 280
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 12, 26
"""What is left free around the lines, for numbers."""
MOST_POINTS = 600
"""Points of a line; of more the least and the greatest of each piece are drawn."""
MOST_CELLS = 256
"""Cells of a heat map along an axis; of more the means of blocks are shown."""
MOST_LINES = 8
INK = "#808890"
LINES = ("#3584e4", "#e66100", "#2ea063", "#c061cb", "#b58900", "#dc4a5a", "#0f9bb0", "#8d7a6a")
LOW, MIDDLE, HIGH = (38, 110, 210), (236, 236, 232), (214, 82, 40)
SCALE = ((38, 20, 72), (64, 67, 135), (41, 120, 142), (34, 168, 132), (122, 209, 81), (253, 231, 37))
"""From the least to the greatest, where numbers have one sign."""


def picture_of(value: Any) -> str | None:
    """The picture of a value as a program gives it."""
    lines = _lines_of(value)
    if lines:
        return _chart(lines)
    array = None if isinstance(value, tuple) else _numbers(value)
    return _heat_map(array) if array is not None and array.ndim == 2 and array.size > 1 else None


def _numbers(value: Any) -> Array | None:
    """An array of real numbers as doubles; None for others."""
    array = np.asarray(value)
    if (array.dtype.kind not in "bif" and array.dtype.kind != "u") or array.dtype == np.uint32:
        return None
    return array.astype(float)


def _lines_of(value: Any) -> list[Array]:
    """The vectors of numbers that a value is, or holds; none where it holds others."""
    if isinstance(value, tuple):
        items: Sequence[Any] = shown_items(value)
    else:
        array = np.asarray(value)
        items = array.ravel().tolist() if array.dtype == object else [value]
    lines = [_numbers(item) for item in items if not isinstance(item, tuple)]
    is_good = 0 < len(lines) == len(items) <= MOST_LINES
    vectors = [line for line in lines if line is not None and line.ndim == 1 and line.size > 1]
    return vectors if is_good and len(vectors) == len(items) else []


# --- lines ----------------------------------------------------------------------------------------------


def _chart(lines: list[Array]) -> str:
    finite = np.concatenate([line[np.isfinite(line)] for line in lines])
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    count = max(map(len, lines))
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x_of(k: float) -> float:
        return LEFT + across * k / (count - 1)

    def y_of(value: float) -> float:
        return TOP + down * (1 - (value - low) / (high - low))

    parts: list[str] = []
    for tick in ticks:
        y = y_of(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{INK}" opacity=".25"/>')
        parts.append(_text(LEFT - 6, y + 4, _short(tick), "end"))
    for tick in _ticks(1, count):
        if 1 <= tick <= count and tick == round(tick):
            parts.append(_text(x_of(tick - 1), HEIGHT - 8, _short(tick), "middle"))
    for line, colour in zip(lines, LINES, strict=False):
        path = _path([(x_of(k), y_of(value)) for k, value in _points(line)])
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    return _svg(WIDTH, HEIGHT, parts, f"{len(lines)} lines" if len(lines) > 1 else "line")


def _points(line: Array) -> Iterator[tuple[int, float]]:
    """The points of a line that are drawn; where there are many, the least and the greatest of each piece."""
    if len(line) <= MOST_POINTS:
        yield from enumerate(line.tolist())
        return
    for part in np.array_split(np.arange(len(line)), MOST_POINTS // 2):
        piece = line[part]
        if np.isfinite(piece).any():
            ends = sorted({int(np.nanargmin(piece)), int(np.nanargmax(piece))})
            yield from [(int(part[k]), float(piece[k])) for k in ends]


def _path(points: list[tuple[float, float]]) -> str:
    """A path through points, which begins anew behind what is no number."""
    path, pen = [], "M"
    for x, y in points:
        if math.isfinite(y):
            path.append(f"{pen}{x:.1f} {y:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(path)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers about an interval, four to eight."""
    low, high = float(low), float(high)
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        half = abs(low) / 2 or 1.0
        low, high = low - half, high + half
    step = 10.0 ** math.floor(math.log10(high - low))
    for factor in (0.1, 0.2, 0.5, 1.0):
        if (high - low) / (step * factor) <= 6:
            step *= factor
            break
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


# --- heat maps ------------------------------------------------------------------------------------------


def _heat_map(array: Array) -> str:
    blocks = _blocks(_blocks(array).T).T
    finite = array[np.isfinite(array)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    rows, columns = blocks.shape
    side = min(420 / columns, 320 / rows, 28)
    across, down = max(columns * side, 24), max(rows * side, 24)
    across, down = round(across), round(down)
    bar = across + 14
    place = f'width="{across}" height="{down}" preserveAspectRatio="none" style="image-rendering:pixelated"'
    parts = [f'<image {place} href="{_png(_colours(blocks, low, high))}"/>']
    steps = np.linspace(high, low, 64)[:, None]
    height = max(down, 60)
    place = f'x="{bar}" width="12" height="{height}" preserveAspectRatio="none"'
    parts.append(f'<image {place} href="{_png(_colours(steps, low, high))}"/>')
    parts.append(_text(bar + 18, 11, _short(high), "start"))
    parts.append(_text(bar + 18, height - 2, _short(low), "start"))
    return _svg(bar + 80, height, parts, f"heat map of {array.shape[0]} by {array.shape[1]}")


def _blocks(array: Array) -> Array:
    """The means of blocks of rows, where there are more than are shown."""
    if len(array) <= MOST_CELLS:
        return array
    starts = np.linspace(0, len(array), MOST_CELLS, endpoint=False).astype(int)
    sizes = np.diff([*starts, len(array)])
    made: Array = np.add.reduceat(array, starts, axis=0) / sizes[:, None]
    return made


def _colours(array: Array, low: float, high: float) -> Array:
    """The colours of numbers as bytes, red, green, blue and opacity; what is no number has none."""
    is_number = np.isfinite(array)
    values = np.where(is_number, array, low)
    if low < 0 < high:
        stops, reach = np.array([LOW, MIDDLE, HIGH], float), max(-low, high)
        share = (values + reach) / (2 * reach)
    else:
        stops = np.array(SCALE, float)
        share = (values - low) / (high - low) if high > low else np.zeros_like(values)
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    first = np.minimum(place.astype(int), len(stops) - 2)
    part = (place - first)[..., None]
    mixed = stops[first] * (1 - part) + stops[first + 1] * part
    return np.dstack([mixed, np.where(is_number, 255, 0)]).astype(np.uint8)


def _png(pixels: Array) -> str:
    """An image as a URL that is its data."""
    height, width, _ = pixels.shape
    rows = b"".join([b"\0" + row.tobytes() for row in pixels])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        [struct.pack(">I", len(d)) + kind + d + struct.pack(">I", zlib.crc32(kind + d)) for kind, d in chunks]
    )
    return "data:image/png;base64," + base64.b64encode(data).decode()


# --- text -----------------------------------------------------------------------------------------------


def _short(number: float) -> str:
    return format_number(int(number) if number == round(number) and abs(number) < 1e15 else number, 5)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _svg(width: int, height: int, parts: list[str], what: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{what}" font-family="system-ui,sans-serif" '
        f'font-size="11" fill="{INK}">'
    )
    return head + "".join(parts) + "</svg>"
