"""Whether values in Python are the same, with their types."""

from typing import Any

import numpy as np


def same(found: Any, expected: Any) -> bool:
    """Whether both are the same scalar, or arrays of the same type, shape and elements."""
    if not isinstance(expected, np.ndarray):
        return type(found) is type(expected) and found == expected
    return (
        isinstance(found, np.ndarray)
        and found.dtype == expected.dtype
        and found.shape == expected.shape
        and np.array_equal(found, expected)
    )
