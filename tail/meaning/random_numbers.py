"""Random numbers for `?`: a stream in which number i is a function of the seed and i alone.

So a loop can compute its numbers in any order and in parallel, and every target gives the same ones. All
arithmetic is modulo 2^64. Number i (from 0) of the stream with a seed is SplitMix64's output for the key
(Steele, Lea and Flood: Fast splittable pseudorandom number generators, OOPSLA 2014):

    key       = mix(seed)
    number i  = mix(key + (i + 1) × 0x9E3779B97F4A7C15)
    mix(x):     x ← (x xor x>>30) × 0xBF58476D1CE4E5B9
                x ← (x xor x>>27) × 0x94D049BB133111EB
                x xor x>>31

A negative seed counts modulo 2^64. What a number x becomes:

    an integer in 1…n    1 + ⌊x × n ÷ 2^64⌋, the upper half of the 128-bit product
    a double in (0,1)    (⌊x ÷ 2^12⌋ + 0.5) × 2^-52, which is exact

An array takes one number per element in row-major order. `k?n` takes k numbers: with p the vector 0…n-1, for
j = 0…k-1 in turn, r = j + ⌊x × (n - j) ÷ 2^64⌋ is drawn, p[j] and p[r] are swapped, and result j is p[j] + 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Words = np.ndarray[Any, np.dtype[np.uint64]]

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
DEFAULT_SEED = 16807
"""⎕RL of a fresh workspace."""


def mix(x: Words) -> Words:
    """SplitMix64's finalizer."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Words = x ^ (x >> np.uint64(31))
    return mixed


def multiply_high(x: Words, y: Words) -> Words:
    """The upper 64 bits of the product of unsigned integers."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    x_high, x_low, y_high, y_low = x >> half, x & low, y >> half, y & low
    middle = x_high * y_low + (x_low * y_low >> half)
    other = x_low * y_high + (middle & low)
    product: Words = x_high * y_high + (middle >> half) + (other >> half)
    return product


class RandomStream:
    """A stream of random numbers, and how many of them are used up."""

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self.set_seed(seed)

    def set_seed(self, seed: int) -> None:
        """Start again at the beginning of the stream with this seed."""
        self.key = int(mix(np.array([seed & MASK], dtype=np.uint64))[0])
        self.position = 0

    def words(self, count: int) -> Words:
        """The next numbers of the stream, all 64 bits of them."""
        first = (self.key + (self.position + 1) * GAMMA) & MASK
        self.position += count
        return mix(np.arange(count, dtype=np.uint64) * np.uint64(GAMMA) + np.uint64(first))

    def integers(self, limits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """For each n ≥ 1 an integer in 1…n."""
        words = self.words(limits.size).reshape(limits.shape)
        return multiply_high(words, limits.astype(np.uint64)).astype(np.int64) + 1

    def doubles(self, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """An array of doubles above 0 and below 1."""
        words = self.words(int(np.prod(shape, dtype=np.int64)))
        return (((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52).reshape(shape)

    def deal(self, count: int, limit: int) -> np.ndarray[Any, Any]:
        """That many different integers in 1…limit, in random order; count ≤ limit. Only the elements of the
        permuted vector that are not where they began are kept.
        """
        places = np.arange(count, dtype=np.int64)
        remaining = (limit - places).astype(np.uint64)
        drawn = multiply_high(self.words(count), remaining).astype(np.int64) + places
        moved: dict[int, int] = {}
        result = []
        for j, r in enumerate(drawn.tolist()):
            result.append(moved.get(r, r) + 1)
            moved[r] = moved.pop(j, j)
        return np.array(result, dtype=np.int64)
