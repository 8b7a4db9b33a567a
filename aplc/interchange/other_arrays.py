"""Arrays of any other library: by DLPack, by NumPy's own protocol; and the columns of tables.

No library is imported here. A column of pandas is an array of NumPy, or says how to be one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from aplc.interchange.given import UnfitValue, Value

CPU = (1, 3, 13)
"""The devices of DLPack whose memory the processor reads: its own, what is pinned there, what is managed."""
DEVICES = {
    2: "a CUDA device", 4: "an OpenCL device", 7: "a Vulkan device", 8: "a Metal device", 10: "a ROCm device",
    14: "a device of oneAPI", 15: "a device of WebGPU",
}  # fmt: skip


def as_numpy(value: Any) -> Value:
    """A value of another library as an array of NumPy, without a copy where there is a way without.

    Raises `UnfitValue`, or ValueError where NumPy does.
    """
    kind = type(value)
    is_numpy = isinstance(value, np.ndarray | np.generic)
    if not is_numpy and hasattr(kind, "__dlpack__") and hasattr(kind, "__dlpack_device__"):
        return _by_dlpack(value)
    _require_no_holes(value)
    array: Value = np.asarray(value)
    if array.dtype == object and hasattr(kind, "to_numpy"):
        return _numbers(array)
    return array


def _by_dlpack(value: Any) -> Value:
    try:
        device = int(value.__dlpack_device__()[0])
    except Exception as failure:
        raise UnfitValue("DOMAIN ERROR", f"does not say where it is: {failure}") from None
    if device not in CPU:
        where = DEVICES.get(device, "a device")
        raise UnfitValue("DOMAIN ERROR", f"is on {where}; a program takes what is in the memory of the host")
    try:
        array: Value = np.from_dlpack(value)
    except Exception as failure:  # each library has errors of its own
        raise UnfitValue("DOMAIN ERROR", f"does not give its elements to NumPy: {failure}") from None
    return array


def _require_no_holes(value: Any) -> None:
    """Raise `UnfitValue` for a column with missing values, but for those of doubles, which are NaN."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind in "biufcU" and kind and isinstance(value.dtype, np.dtype):
        return
    is_missing = getattr(value, "isna", None)
    if is_missing is None:
        return
    holes = np.asarray(is_missing())
    if holes.any():
        message = (
            f"has missing values ({int(holes.sum())} of {holes.size}); "
            "fillna(value) puts a value into them, dropna() leaves them out"
        )
        raise UnfitValue("DOMAIN ERROR", message)


def _numbers(array: Value) -> Value:
    """Python's numbers in an array of objects as NumPy's, where they are nothing else."""
    items = array.reshape(-1).tolist()
    if items and all(isinstance(item, bool | int | float | complex) for item in items):
        with suppress(OverflowError):
            return np.asarray(items).reshape(array.shape)
    return array


def column_names(table: object) -> list[Any] | None:
    """The names of the columns of a table of pandas, Arrow, NumPy and others; None for what is none."""
    if isinstance(table, np.ndarray):
        return None if table.dtype.names is None else [*table.dtype.names]
    for attribute in ("column_names", "columns"):
        names = getattr(table, attribute, None)
        if names is not None and not callable(names) and hasattr(type(table), "__getitem__"):
            with suppress(TypeError):
                return [*names]
    return None
