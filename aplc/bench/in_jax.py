"""The programs as one writes them for JAX: whole arrays, in doubles, compiled by `jit` for the processor.

A function takes what the APL function takes, ⍺ before ⍵. Whole numbers are known when it is compiled, since
they are the sizes of arrays or the lengths of loops; arrays lie on JAX's device before the first call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

Given = Any
"""An array that JAX traces."""


def call_of(name: str, arguments: Sequence[Any]) -> Callable[[], Any]:
    """A call of the function of that name with these arguments, which ends when its value is there."""
    known = [each if isinstance(each, int) else None for each in arguments]
    placed = [jnp.asarray(each) for each in arguments if not isinstance(each, int)]

    def traced(zero: Given, *arrays: Given) -> Given:
        left = iter(arrays)
        return FUNCTIONS[name](zero, *[next(left) if each is None else each for each in known])

    compiled = jax.jit(traced)
    zero = jnp.asarray(0)  # what is computed from it cannot be computed by the compiler
    return lambda: jax.block_until_ready(compiled(zero, *placed))


def _signal(zero: Given, v: Given) -> Given:
    return jnp.clip(50.0 * (jnp.diff(v, prepend=0.0) / (0.01 + v)), -50.0, 50.0).sum()


def _easter(year: Given) -> Given:
    golden, century = 1 + year % 19, 1 + year // 100
    omitted, moon = century * 3 // 4 - 12, (5 + 8 * century) // 25 - 5
    sunday = 5 * year // 4 - (omitted + 10)
    epact = (11 * golden + 20 + moon - omitted) % 30
    epact = epact + ((epact == 24) | ((epact == 25) & (golden > 11)))
    full = 44 - epact
    full = full + 30 * (full < 21)
    day = full + 7 - (sunday + full) % 7
    return 100 * (3 + (day > 31)) + day - 31 * (day > 31)


def _easter_total(zero: Given, n: int) -> Given:
    return _easter(zero + jnp.arange(1, n + 1)).sum()


def _easter_rounds(zero: Given, rounds: int, n: int) -> Given:
    years = zero + jnp.arange(1, n + 1)
    return lax.fori_loop(0, rounds, lambda k, total: total + _easter(k + years).sum(), 0)


def _black_scholes(zero: Given, parameters: Given, market: Given) -> Given:
    (r, v), (s, x, t) = parameters, market
    spread = v * jnp.sqrt(t)
    d = (jnp.log(s / x) + t * (r + v * v / 2)) / spread
    return s * _normal_below(d) - x * jnp.exp(-r * t) * _normal_below(d - spread)


def _normal_below(d: Given) -> Given:
    k = 1 / (1 + 0.2316419 * jnp.abs(d))
    polynomial = k * (
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1 - jnp.exp(-(d * d) / 2) / math.sqrt(2 * math.pi) * polynomial
    return jnp.where(d >= 0, w, 1 - w)


def _sobol_pi(zero: Given, n: int) -> Given:
    second = [1 << 29]
    for _ in range(29):
        second.append(second[-1] ^ second[-1] >> 1)
    k = zero + jnp.arange(n)
    gray, x, y = k ^ k >> 1, k * 0, k * 0
    for j, other in enumerate(second[: max(n.bit_length(), 1)]):
        bit = -(gray >> j & 1)
        x, y = x ^ bit & 1 << 29 - j, y ^ bit & other
    a, b = x / 2**30, y / 2**30
    return 4 * (jnp.count_nonzero(a * a + b * b <= 1) / n)


def _around(grid: Given) -> Given:
    """The sum of a cell and those before and behind it, in both directions of a torus."""
    row = grid + jnp.roll(grid, 1, 1) + jnp.roll(grid, -1, 1)
    return row + jnp.roll(row, 1, 0) + jnp.roll(row, -1, 0)


def _life(zero: Given, generations: int, board: Given) -> Given:
    def step(_: Given, now: Given) -> Given:
        total = _around(now)
        return ((total == 3) | ((total == 4) & (now == 1))).astype(jnp.uint8)

    return lax.fori_loop(0, generations, step, board.astype(jnp.uint8)) == 1


def _hotspot(zero: Given, steps: int, planes: Given) -> Given:
    (rows, columns), power = planes.shape[1:], planes[1]
    high, wide = 0.016 / rows, 0.016 / columns
    capacity = 0.5 * 1.75e6 * 0.0005 * high * wide
    r_x, r_y = wide / (2 * 100 * 0.0005 * high), high / (2 * 100 * 0.0005 * wide)
    r_z, time = 0.0005 / (100 * high * wide), 0.001 / (3e6 / (0.5 * 0.0005 * 1.75e6))

    def step(_: Given, now: Given) -> Given:
        t = jnp.pad(now, 1, mode="edge")
        vertical = (t[:-2, 1:-1] + t[2:, 1:-1] - 2 * now) / r_y
        horizontal = (t[1:-1, :-2] + t[1:-1, 2:] - 2 * now) / r_x
        return now + time / capacity * (power + vertical + horizontal + (80 - now) / r_z)

    return lax.fori_loop(0, steps, step, planes[0])


def _stencil(zero: Given, steps: int, grid: Given) -> Given:
    def step(_: Given, now: Given) -> Given:
        beside = jnp.roll(now, 1, 0) + jnp.roll(now, -1, 0) + jnp.roll(now, 1, 1) + jnp.roll(now, -1, 1)
        return 0.2 * (now + beside)

    return lax.fori_loop(0, steps, step, grid)


def _integral(zero: Given, n: int) -> Given:
    d = 10 / n
    return d * (2 / (2 + d * (zero + jnp.arange(n) + 0.5))).sum()


def _mandelbrot(zero: Given, depth: int, n: int) -> Given:
    re = zero + (-2 + 2.5 * np.arange(n) / n)
    im = zero + (-1.25 + 2.5 * np.arange(n) / n)[:, None]

    def step(_: Given, state: tuple[Given, Given, Given]) -> tuple[Given, Given, Given]:
        x, y, counts = state
        inside = x * x + y * y <= 4
        return re + (x * x - y * y), im + 2 * (x * y), counts + inside

    start = jnp.zeros((n, n))
    return lax.fori_loop(0, depth, step, (start, start, jnp.zeros((n, n), jnp.int64)))[2]


def _matmul(zero: Given, a: Given, b: Given) -> Given:
    return a @ b


def _total(zero: Given, v: Given) -> Given:
    return v.sum()


def _running(zero: Given, v: Given) -> Given:
    return jnp.cumsum(v)


def _largest(zero: Given, v: Given) -> Given:
    return v.max(initial=-math.inf)


FUNCTIONS: dict[str, Callable[..., Given]] = {
    "signal": _signal,
    "easter_total": _easter_total,
    "easter_rounds": _easter_rounds,
    "black_scholes": _black_scholes,
    "sobol_pi": _sobol_pi,
    "life": _life,
    "hotspot": _hotspot,
    "stencil": _stencil,
    "integral": _integral,
    "mandelbrot": _mandelbrot,
    "matmul": _matmul,
    "total": _total,
    "running": _running,
    "largest": _largest,
}
"""By the name of the same function in NumPy. Arrays whose length depends on data are none of JAX's."""
