"""Values that go into files: `--output NAME=FILE`, where the ending of the file says how it is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from aplc.backends.native.run import Result
from aplc.command_line import UsageError, file_error, write_whole
from aplc.inputs import APL_NAME, as_python
from aplc.tail.errors import MachineError
from aplc.tail.types import Func, Nested, Tuple, Type, base_of

Writer = Callable[[str, Any, IO[bytes]], object]
"""Writes the value of a name, an array of NumPy, into a file."""


class Unfit(Exception):
    """A value that a file of this kind cannot hold; the message continues `… `."""


def output_of(argument: str) -> tuple[str, Path]:
    """The name and the file of `NAME=FILE`."""
    name, equals, path = argument.partition("=")
    if not equals or not APL_NAME.fullmatch(name) or not path:
        raise UsageError(f"an output is written NAME=FILE, not {argument}")
    if Path(path).suffix.lower() not in WRITERS:
        raise UsageError(f"--output writes a file whose name ends in {', '.join(WRITERS)}, not {path}")
    return name, Path(path)


def write_outputs(outputs: Sequence[tuple[str, Path]], values: Sequence[Result], ty: Type) -> None:
    """Write the values, each whole or not at all. Raises `CompileError` where a file cannot be written, or
    cannot hold a value; then no file that was to come has been written.
    """
    assert isinstance(ty, Tuple)
    ready: list[tuple[Path, bytes]] = []
    for (name, path), value, kind in zip(outputs, values, ty.items, strict=True):
        buffer = io.BytesIO()
        try:
            WRITERS[path.suffix.lower()](name, _array(value, kind), buffer)
        except Unfit as unfit:
            raise file_error(f"--output {name}={path}", f"{name} {unfit}") from None
        ready.append((path, buffer.getvalue()))
    for path, data in ready:
        write_whole(path, partial(_write, data), "--output")


def _write(data: bytes, file: IO[bytes]) -> None:
    file.write(data)


def _array(value: Result, ty: Type) -> Any:
    assert not isinstance(ty, Func)
    if isinstance(ty, Tuple) and not isinstance(ty, Nested):
        raise Unfit("is made of several arrays, which no file holds")
    return as_python(value, None if isinstance(ty, Nested) else base_of(ty))


def _npy(name: str, value: Any, file: IO[bytes]) -> None:
    array = np.asarray(value)
    if array.dtype == object:
        raise Unfit("is an array of arrays, which a .npy file does not hold")
    np.lib.format.write_array(file, array, allow_pickle=False)


def _csv(name: str, value: Any, file: IO[bytes]) -> None:
    """A row for each row of a matrix, each element of a vector, each item of an array of arrays."""
    if isinstance(value, str):
        rows: list[list[Any]] = [[value]]
    else:
        array = np.asarray(value)
        if array.dtype == object:
            if array.ndim > 1:
                raise Unfit("is a matrix of arrays, of which a .csv file holds vectors only")
            rows = [
                [_text(item)] if _is_text(item) else np.asarray(item).reshape(-1).tolist() for item in array
            ]
        elif array.ndim > 2:
            raise Unfit(f"has {array.ndim} axes, a .csv file has two")
        elif array.dtype.kind == "U":
            rows = [["".join(line)] for line in np.atleast_2d(array).tolist()]
        else:
            rows = array.reshape(-1, 1).tolist() if array.ndim < 2 else array.tolist()
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[_spelt(x) for x in row] for row in rows])
    file.write(text.getvalue().encode())


def _is_text(item: Any) -> bool:
    return isinstance(item, str) or (
        isinstance(item, np.ndarray) and item.dtype.kind == "U" and item.ndim == 1
    )


def _text(item: Any) -> str:
    return item if isinstance(item, str) else "".join(item.tolist())


def _spelt(x: Any) -> Any:
    """A truth value is 0 or 1; doubles have all their digits."""
    return int(x) if isinstance(x, bool) else x


def _parquet(name: str, value: Any, file: IO[bytes]) -> None:
    """A column with the name; of a matrix a column for each of its columns, numbered."""
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        from pyarrow import parquet  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MachineError("a .parquet file needs pyarrow: pip install 'aplc[arrow]'") from None
    array = np.asarray(value)
    if array.ndim > 2 or (array.dtype == object and array.ndim != 1):
        raise Unfit(f"has {array.ndim} axes, a .parquet file has columns")
    if array.dtype == object or array.dtype.kind == "U":
        items = array if array.dtype == object else np.atleast_2d(array)
        texts = [_text(item) if _is_text(item) else np.asarray(item).reshape(-1) for item in items]
        columns: dict[str, Any] = {name: texts}
    elif array.ndim == 2:
        columns = {f"{name}{k + 1}": array[:, k] for k in range(array.shape[1])}
    else:
        columns = {name: np.atleast_1d(array)}
    parquet.write_table(pa.table(columns), file)


WRITERS: dict[str, Writer] = {".npy": _npy, ".csv": _csv, ".parquet": _parquet}
"""What writes files, by their endings."""
