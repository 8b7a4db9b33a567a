"""The programs as one writes them in NumPy: whole arrays, no loop over elements.

Each function takes what the APL function takes, ⍺ before ⍵, and gives the value on which all must agree.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from aplc.bench.arguments import Items

Value = np.ndarray[Any, Any]


def signal(v: Value) -> float:
    """The sum of the clipped, scaled differences."""
    return float(np.clip(50.0 * (np.diff(v, prepend=0.0) / (0.01 + v)), -50.0, 50.0).sum())


def easter(year: Value) -> Value:
    """Easter Sundays after Knuth, as 100 times the month and the day."""
    golden = 1 + year % 19
    century = 1 + year // 100
    omitted = century * 3 // 4 - 12
    moon = (5 + 8 * century) // 25 - 5
    sunday = 5 * year // 4 - (omitted + 10)
    epact = (11 * golden + 20 + moon - omitted) % 30
    epact = epact + ((epact == 24) | ((epact == 25) & (golden > 11)))
    full = 44 - epact
    full = full + 30 * (full < 21)
    day = full + 7 - (sunday + full) % 7
    result: Value = 100 * (3 + (day > 31)) + day - 31 * (day > 31)
    return result


def easter_total(n: int) -> int:
    """The sum of the dates of the years 1 to n."""
    return int(easter(np.arange(1, n + 1)).sum())


def easter_rounds(rounds: int, n: int) -> int:
    """The same for the years k+1 to k+n, for each k below `rounds`."""
    years = np.arange(1, n + 1)
    return sum(int(easter(k + years).sum()) for k in range(rounds))


def primes(n: int) -> Value:
    """The primes by the table of residues, some rows at a time so that they stay in the cache."""
    numbers = np.arange(1, n + 1, dtype=np.int32)
    divisors = np.zeros(n, np.int64)
    for start in range(0, n, 16):
        divisors += (numbers % numbers[start : start + 16, None] == 0).sum(axis=0)
    result: Value = numbers[divisors == 2].astype(np.int64)
    return result


def black_scholes(parameters: Value, market: Value) -> Value:
    """The prices of calls; the normal distribution is polynomial 26.2.17 of Abramowitz and Stegun."""
    r, v = parameters
    s, x, t = market
    spread = v * np.sqrt(t)
    d1 = (np.log(s / x) + t * (r + v * v / 2)) / spread
    result: Value = s * _normal_below(d1) - x * np.exp(-r * t) * _normal_below(d1 - spread)
    return result


def _normal_below(d: Value) -> Value:
    size = np.abs(d)
    k = 1 / (1 + 0.2316419 * size)
    polynomial = k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1 - np.exp(-(size * size) / 2) / math.sqrt(2 * math.pi) * polynomial
    return np.where(d >= 0, w, 1 - w)


def sobol(directions: Value, count: int) -> Value:
    """The first numbers of one dimension: Gray codes are reflected, a half mirrors the one before it."""
    x = np.zeros(1, np.int64)
    for direction in directions:
        if x.size >= count:
            break
        x = np.concatenate([x, x[::-1] ^ direction])
    return x[:count]


def sobol_pi(n: int) -> float:
    """Four times the part of the points in the quarter of the circle."""
    first = 1 << np.arange(29, -1, -1)
    second = [1 << 29]
    for _ in range(29):
        second.append(second[-1] ^ second[-1] >> 1)
    x = sobol(first, n) / 2**30
    y = sobol(np.array(second), n) / 2**30
    return 4 * (np.count_nonzero(x * x + y * y <= 1) / n)


def life(generations: int, board: Value) -> Value:
    """Generations of life on a torus, in bytes, with a border of one cell."""
    now = np.zeros((board.shape[0] + 2, board.shape[1] + 2), np.uint8)
    now[1:-1, 1:-1] = board
    for _ in range(generations):
        now[:, 0], now[:, -1] = now[:, -2], now[:, 1]
        now[0], now[-1] = now[-2], now[1]
        row = now[:, :-2] + now[:, 1:-1] + now[:, 2:]
        total = row[:-2] + row[1:-1] + row[2:]
        now[1:-1, 1:-1] = (total == 3) | ((total == 4) & now[1:-1, 1:-1])
    return now[1:-1, 1:-1].astype(bool)


def hotspot(steps: int, planes: Value) -> Value:
    """Rodinia's chip temperatures; a border of one cell repeats the edge."""
    temperature, power = planes
    rows, columns = temperature.shape
    high, wide = 0.016 / rows, 0.016 / columns
    capacity = 0.5 * 1.75e6 * 0.0005 * high * wide
    r_x, r_y = wide / (2 * 100 * 0.0005 * high), high / (2 * 100 * 0.0005 * wide)
    r_z = 0.0005 / (100 * high * wide)
    time = 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6))
    for _ in range(steps):
        t = np.pad(temperature, 1, mode="edge")
        vertical = (t[:-2, 1:-1] + t[2:, 1:-1] - 2 * temperature) / r_y
        horizontal = (t[1:-1, :-2] + t[1:-1, 2:] - 2 * temperature) / r_x
        ambient = (80 - temperature) / r_z
        temperature = temperature + time / capacity * (power + vertical + horizontal + ambient)
    result: Value = temperature
    return result


def stencil(steps: int, grid: Value) -> Value:
    """The mean of a cell and its four neighbours on a torus."""
    for _ in range(steps):
        t = np.pad(grid, 1, mode="wrap")
        grid = 0.2 * (grid + t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:])
    return grid


def integral(n: int) -> float:
    """The integral of 2/(x+2) from 0 to 10 by the midpoint rule."""
    d = 10 / n
    return float((d * (2 / (2 + d * (np.arange(n) + 0.5)))).sum())


def mandelbrot(depth: int, n: int) -> Value:
    """Escape counts on a grid; only the points that are still inside are followed."""
    re = np.tile(-2 + 2.5 * np.arange(n) / n, n)
    im = np.repeat(-1.25 + 2.5 * np.arange(n) / n, n)
    counts = np.zeros(n * n, np.int64)
    where, x, y = np.arange(n * n), np.zeros(n * n), np.zeros(n * n)
    for _ in range(depth):
        inside = x * x + y * y <= 4
        where, x, y, re, im = where[inside], x[inside], y[inside], re[inside], im[inside]
        counts[where] += 1
        x, y = re + (x * x - y * y), im + 2 * (x * y)
    return counts.reshape(n, n)


def matmul(a: Value, b: Value) -> Value:
    """The product of two matrices, by BLAS."""
    return a @ b


def total(v: Value) -> float:
    """The sum."""
    return float(v.sum())


def running(v: Value) -> Value:
    """The running sums."""
    return np.cumsum(v)


def largest(v: Value) -> float:
    """The largest element."""
    return float(v.max())


def exceeds(limit: float, v: Value) -> Value:
    """What is above a limit."""
    return v[v > limit]


_NEAR = (
    (
        *(2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457),
        *(13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    ),
    (
        *(5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867),
        *(5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
    ),
)
_FAR = (
    (
        *(7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258),
        *(3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    ),
    (
        *(
            1.05075007164441684324e-9,
            5.475938084995344946e-4,
            0.0151986665636164571966,
            0.14810397642748007459,
        ),
        *(0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
    ),
)


def inverse_normal(u: Value) -> Value:
    """Algorithm AS 241 (Wichura 1988) for numbers that are not nearer to 0 or 1 than 2e-11."""
    q = u - 0.5
    r = 0.180625 - q * q
    z = q * np.polyval(_NEAR[0], r) / np.polyval(_NEAR[1], r)
    far = np.abs(q) > 0.425
    r = np.sqrt(-np.log(np.minimum(u[far], 1 - u[far]))) - 1.6
    z[far] = np.sign(q[far]) * np.polyval(_FAR[0], r) / np.polyval(_FAR[1], r)
    result: Value = z
    return result


_BRIDGE = (
    (5, 0, 0, 0.0, 0.0, 5.0),
    (2, 0, 5, 0.6, 0.4, 1.2),
    (1, 0, 2, 0.5, 0.5, 0.5),
    (3, 2, 5, 2 / 3, 1 / 3, 2 / 3),
    (4, 3, 5, 0.5, 0.5, 0.5),
)
"""The date that is filled, the two beside it, their weights, the variance; date 0 is today."""


def prices(directions: Value, paths: int) -> Value:
    """The mean payoff of three contracts on three underlyings and five dates."""
    u = np.stack([sobol(row, paths + 1)[1:] / 2**30 for row in directions])
    z = inverse_normal(u).reshape(5, 3, paths)
    w = np.zeros((6, 3, paths))
    for step, (place, left, right, weight_left, weight_right, variance) in enumerate(_BRIDGE):
        w[place] = math.sqrt(variance) * z[step] + weight_left * w[left] + weight_right * w[right]
    volatility = np.array([0.25, 0.22, 0.18])
    drift = 0.03 - np.array([0.02, 0.01, 0.015]) - volatility**2 / 2
    root = np.array([[1, 0, 0], [0.6, 0.8, 0], [0.5, 0.125, math.sqrt(0.734375)]]) * volatility[:, None]
    dates = np.arange(1, 6)
    relative = np.exp((dates[:, None] * drift)[:, :, None] + np.einsum("ab,tbp->tap", root, w[1:]))
    result: Value = _payoffs(relative, np.exp(-0.03 * dates)).mean(axis=1)
    return result


def _payoffs(relative: Value, discount: Value) -> Value:
    """What each contract pays on each path, today's value, for prices over those of today."""
    worst = relative.min(axis=1)
    end = worst[4]
    call = discount[4] * np.maximum(0, 3700 * relative[4, 0] - 3700)
    hit = worst >= 1
    first = hit.argmax(axis=0)
    kept = discount[4] * 1000 * np.where(end >= 0.75, 1, end)
    early = np.where(hit.any(axis=0), discount[first] * (1000 + 150 * (first + 1)), kept)
    safe = (worst >= 0.7).all(axis=0)
    barrier = discount[4] * 1000 * (0.25 + np.where(safe, 1, np.minimum(1, end)))
    return np.stack([call, early, barrier])


# --- items ----------------------------------------------------------------------------------------------


def sparse(matrix: tuple[Items, Items], x: Value) -> Value:
    """A sparse matrix times a vector; no row is empty."""
    columns, values = matrix
    result: Value = np.add.reduceat(values.elements * x[columns.elements], values.starts)
    return result


def dots(a: Items, b: Items) -> Value:
    """The inner product of each pair."""
    result: Value = np.add.reduceat(a.elements * b.elements, a.starts)
    return result


def segment_sums(marks: Value, v: Value) -> Value:
    """The sum of each item."""
    result: Value = np.add.reduceat(v, np.flatnonzero(marks))
    return result


def segments_sorted(marks: Value, v: Value) -> Value:
    """Each item sorted: by calls where they are long, by two keys where they are short."""
    starts = np.flatnonzero(marks)
    if starts.size * 1000 > v.size:
        result: Value = v[np.lexsort((v, np.cumsum(marks)))]
        return result
    return np.concatenate([np.sort(item) for item in np.split(v, starts[1:])])


def logs(n: int) -> float:
    """The logarithms of sums of reciprocals."""
    return sum(math.log((1 / np.arange(1, i + 1)).sum()) for i in range(1, n + 1))


def squares(n: int) -> float:
    """The logarithms of all numbers up to each square."""
    return float(sum(np.log(np.arange(1, i * i + 1)).sum() for i in range(1, n + 1)))


def word_counts(text: Value) -> Value:
    """How often each word occurs; `Counter` keeps the order in which words come."""
    return np.array(list(Counter(text.tobytes().decode("utf-32-le").split()).values()), np.int64)


def hull(points: Value) -> Value:
    """The numbers of the points of the hull, from 1."""
    x, y = points
    left, right = int(x.argmin()), int(x.argmax())

    def side(p: int, q: int, numbers: Value) -> list[int]:
        height = (x[q] - x[p]) * (y[numbers] - y[p]) - (y[q] - y[p]) * (x[numbers] - x[p])
        outside = height > 0
        if not outside.any():
            return [p]
        top, numbers = int(numbers[height.argmax()]), numbers[outside]
        return side(p, top, numbers) + side(top, q, numbers)

    everything = np.arange(x.size)
    return 1 + np.array(side(left, right, everything) + side(right, left, everything))
