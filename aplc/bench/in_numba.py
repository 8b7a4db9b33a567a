"""The programs as one writes them for Numba: loops over elements.

A function takes what the APL function takes, ⍺ before ⍵, with items as two arrays: where each begins and
ends, and all elements. `kernel` compiles it for one thread or for several, which share the loops over
`prange`. Sums may be formed in another order, as those of the rivals in C are; nothing else of fast
mathematics is allowed. Products by a library and words of a text are not here: a user of Numba calls others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, prange

from aplc.bench.arguments import Value

REORDERED = {"reassoc", "nsz"}
"""What sums may do, in LLVM's words."""


def kernel(name: str, *, threads: bool) -> Callable[..., Any] | None:
    """The compiled function of that name; None where it does not run in threads and should."""
    function, shared = KERNELS[name]
    if threads and not shared:
        return None
    loose = REORDERED if name in SUMS else False
    compiled: Callable[..., Any] = njit(parallel=threads, fastmath=loose, error_model="numpy")(function)
    return compiled


def _signal(v: Value) -> float:
    total: float = _clipped(50.0 * (v[0] / (0.01 + v[0])))
    for i in prange(1, v.size):
        total += _clipped(50.0 * ((v[i] - v[i - 1]) / (0.01 + v[i])))
    return total


def _clip(x: float) -> float:
    return -50.0 if x < -50.0 else 50.0 if x > 50.0 else x


def _easter(year: int) -> int:
    golden, century = 1 + year % 19, 1 + year // 100
    omitted, moon = century * 3 // 4 - 12, (5 + 8 * century) // 25 - 5
    sunday = 5 * year // 4 - (omitted + 10)
    epact = (11 * golden + 20 + moon - omitted) % 30
    epact += int(epact == 24 or (epact == 25 and golden > 11))
    full = 44 - epact
    full += 30 if full < 21 else 0
    day = full + 7 - (sunday + full) % 7
    return 400 + day - 31 if day > 31 else 300 + day


def _normal(d: float) -> float:
    k = 1 / (1 + 0.2316419 * abs(d))
    polynomial = k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1 - math.exp(-(d * d) / 2) / math.sqrt(2 * math.pi) * polynomial
    return w if d >= 0 else 1 - w


_clipped: Any = njit(inline="always", error_model="numpy")(_clip)
_easter_of: Any = njit(inline="always", error_model="numpy")(_easter)
_normal_below: Any = njit(inline="always", error_model="numpy")(_normal)


def _easter_total(n: int) -> int:
    total = 0
    for year in prange(1, n + 1):
        total += _easter_of(year)
    return total


def _easter_rounds(rounds: int, n: int) -> int:
    total = 0
    for k in prange(rounds):
        for year in range(k + 1, k + n + 1):
            total += _easter_of(year)
    return total


def _primes(n: int) -> Value:
    numbers = np.arange(1, n + 1).astype(np.uint32)
    divisors = np.zeros(n, np.int64)
    for i in prange(n):
        count = 0
        for j in range(n):
            count += numbers[i] % numbers[j] == 0
        divisors[i] = count
    return np.flatnonzero(divisors == 2) + 1


def _black_scholes(parameters: Value, market: Value) -> Value:
    r, v = parameters
    prices = np.empty(market.shape[1])
    for i in prange(prices.size):
        s, x, t = market[0, i], market[1, i], market[2, i]
        spread = v * math.sqrt(t)
        d = (math.log(s / x) + t * (r + v * v / 2)) / spread
        prices[i] = s * _normal_below(d) - x * math.exp(-r * t) * _normal_below(d - spread)
    return prices


CHUNK = 4096
"""Points that are computed one from the other."""


def _sobol_pi(n: int) -> float:
    second = np.empty(30, np.int64)
    second[0] = 1 << 29
    for j in range(1, 30):
        second[j] = second[j - 1] ^ second[j - 1] >> 1
    inside = 0
    for start in prange((n + CHUNK - 1) // CHUNK):
        k, x, y = start * CHUNK, 0, 0
        gray = k ^ k >> 1
        for j in range(30):
            if gray >> j & 1:
                x, y = x ^ 1 << 29 - j, y ^ second[j]
        found = 0
        for i in range(k, min(k + CHUNK, n)):
            a, b = x / 2**30, y / 2**30
            found += a * a + b * b <= 1
            bit = 0
            while i + 1 >> bit & 1 == 0:
                bit += 1
            x, y = x ^ 1 << 29 - bit, y ^ second[bit]
        inside += found
    return 4 * (inside / n)


def _life(generations: int, board: Value) -> Value:
    rows, columns = board.shape
    now = np.zeros((rows + 2, columns + 2), np.uint8)
    then = np.zeros((rows + 2, columns + 2), np.uint8)
    now[1:-1, 1:-1] = board
    for _ in range(generations):
        for i in range(1, rows + 1):
            now[i, 0], now[i, columns + 1] = now[i, columns], now[i, 1]
        for j in range(columns + 2):
            now[0, j], now[rows + 1, j] = now[rows, j], now[1, j]
        for i in prange(1, rows + 1):
            for j in range(1, columns + 1):
                total = now[i - 1, j - 1] + now[i - 1, j] + now[i - 1, j + 1]
                total += now[i, j - 1] + now[i, j] + now[i, j + 1]
                total += now[i + 1, j - 1] + now[i + 1, j] + now[i + 1, j + 1]
                then[i, j] = (total == 3) | ((total == 4) & (now[i, j] == 1))
        now, then = then, now
    alive: Value = now[1:-1, 1:-1] == 1
    return alive


def _hotspot(steps: int, planes: Value) -> Value:
    rows, columns = planes.shape[1:]
    power, then = planes[1], np.empty((rows, columns), np.float64)
    now: Value = planes[0].copy()
    high, wide = 0.016 / rows, 0.016 / columns
    capacity = 0.5 * 1.75e6 * 0.0005 * high * wide
    r_x, r_y = wide / (2 * 100 * 0.0005 * high), high / (2 * 100 * 0.0005 * wide)
    r_z, time = 0.0005 / (100 * high * wide), 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6))
    by_x, by_y, by_z, by_all = 1 / r_x, 1 / r_y, 1 / r_z, time / capacity
    for _ in range(steps):
        for i in prange(rows):
            north, south, last = max(i - 1, 0), min(i + 1, rows - 1), columns - 1
            for j in range(columns):
                cell, west, east = now[i, j], now[i, max(j - 1, 0)], now[i, min(j + 1, last)]
                vertical = (now[north, j] + now[south, j] - 2 * cell) * by_y
                horizontal = (west + east - 2 * cell) * by_x
                then[i, j] = cell + by_all * (power[i, j] + vertical + horizontal + (80 - cell) * by_z)
        now, then = then, now
    return now


def _stencil(steps: int, grid: Value) -> Value:
    rows, columns = grid.shape
    then = np.empty((rows, columns))
    now: Value = grid.copy()
    for _ in range(steps):
        for i in prange(rows):
            up, down, last = (i - 1) % rows, (i + 1) % rows, columns - 1
            then[i, 0] = 0.2 * (now[i, 0] + now[up, 0] + now[down, 0] + now[i, last] + now[i, min(1, last)])
            for j in range(1, last):
                then[i, j] = 0.2 * (now[i, j] + now[up, j] + now[down, j] + now[i, j - 1] + now[i, j + 1])
            if last > 0:
                beside = now[i, last - 1] + now[i, 0]
                then[i, last] = 0.2 * (now[i, last] + now[up, last] + now[down, last] + beside)
        now, then = then, now
    return now


def _integral(n: int) -> float:
    d, total = 10 / n, 0.0
    for i in prange(n):
        total += 2 / (2 + d * (i + 0.5))
    return d * total


def _mandelbrot(depth: int, n: int) -> Value:
    counts = np.empty((n, n), np.int64)
    for i in prange(n):
        for j in range(n):
            re, im = -2 + 2.5 * j / n, -1.25 + 2.5 * i / n
            x, y, k = 0.0, 0.0, 0
            while k < depth and x * x + y * y <= 4:
                x, y = re + (x * x - y * y), im + 2 * (x * y)
                k += 1
            counts[i, j] = k
    return counts


def _total(v: Value) -> float:
    total = 0.0
    for i in prange(v.size):
        total += v[i]
    return total


def _running(v: Value) -> Value:
    sums, total = np.empty(v.size), 0.0
    for i in range(v.size):
        total += v[i]
        sums[i] = total
    return sums


def _largest(v: Value) -> float:
    found = -math.inf
    for i in prange(v.size):
        found = max(found, v[i])
    return found


def _exceeds(limit: float, v: Value) -> Value:
    kept, count = np.empty(v.size), 0
    for i in range(v.size):
        kept[count] = v[i]
        count += v[i] > limit
    return kept[:count]


def _sparse(offsets: Value, columns: Value, ends: Value, values: Value, x: Value) -> Value:
    out = np.empty(offsets.size - 1)
    for i in prange(out.size):
        total = 0.0
        for k in range(offsets[i], offsets[i + 1]):
            total += values[k] * x[columns[k]]
        out[i] = total
    return out


def _dots(offsets: Value, a: Value, ends: Value, b: Value) -> Value:
    out = np.empty(offsets.size - 1)
    for i in prange(out.size):
        total = 0.0
        for k in range(offsets[i], offsets[i + 1]):
            total += a[k] * b[k]
        out[i] = total
    return out


def _segment_sums(marks: Value, v: Value) -> Value:
    starts = np.flatnonzero(marks)
    out = np.empty(starts.size)
    for i in prange(starts.size):
        total = 0.0
        for k in range(starts[i], starts[i + 1] if i + 1 < starts.size else v.size):
            total += v[k]
        out[i] = total
    return out


def _segments_sorted(marks: Value, v: Value) -> Value:
    starts, out = np.flatnonzero(marks), v.copy()
    for i in prange(starts.size):
        out[starts[i] : starts[i + 1] if i + 1 < starts.size else v.size].sort()
    return out


def _logs(n: int) -> float:
    total = 0.0
    for i in prange(1, n + 1):
        piece = 0.0
        for k in range(1, i + 1):
            piece += 1 / k
        total += math.log(piece)
    return total


def _squares(n: int) -> float:
    total = 0.0
    for i in prange(1, n + 1):
        for k in range(1, i * i + 1):
            total += math.log(k)
    return total


KERNELS: dict[str, tuple[Callable[..., Any], bool]] = {
    "signal": (_signal, True),
    "easter_total": (_easter_total, True),
    "easter_rounds": (_easter_rounds, True),
    "primes": (_primes, True),
    "black_scholes": (_black_scholes, True),
    "sobol_pi": (_sobol_pi, True),
    "life": (_life, True),
    "hotspot": (_hotspot, True),
    "stencil": (_stencil, True),
    "integral": (_integral, True),
    "mandelbrot": (_mandelbrot, True),
    "total": (_total, True),
    "running": (_running, False),
    "largest": (_largest, True),
    "exceeds": (_exceeds, False),
    "sparse": (_sparse, True),
    "dots": (_dots, True),
    "segment_sums": (_segment_sums, True),
    "segments_sorted": (_segments_sorted, True),
    "logs": (_logs, True),
    "squares": (_squares, True),
}
"""By the name of the same function in NumPy: the function, and whether it has a loop for threads."""
SUMS = ("signal", "integral", "total", "sparse", "dots", "segment_sums", "logs", "squares")
