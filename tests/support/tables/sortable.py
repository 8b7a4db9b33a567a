"""Vectors to be sorted: wide, few, in order, and with what is neither less nor greater."""

from typing import Any

import numpy as np


def vectors(kind: str, size: int) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(size)
    match kind:
        case "int":
            wide = rng.integers(-(2**63), 2**63 - 1, size)
            organ = np.abs(np.arange(size) - size // 2) * 10**6
            return [
                wide,
                wide // 2**40 * 2**35,
                rng.integers(0, 9, size),
                np.arange(size)[::-1].copy(),
                organ,
                rng.integers(0, 7, size) * 2**59 + rng.integers(0, 2**20, size),
            ]
        case "double":
            plain = rng.standard_normal(size)
            signs = np.where(plain > 0, 0.0, -0.0)
            odd = np.where(plain > 1, np.nan, plain)
            return [plain, signs, odd, np.round(plain), np.where(plain > 1, np.inf, -plain)]
        case "bool":
            return [rng.integers(0, 2, size).astype(bool)]
        case _:
            letters = [chr(c) for c in rng.integers(32, 0x3000, size)]
            return [np.array(letters, dtype="<U1")]
