"""A wheel: functions of a program as a Python module that needs NumPy only."""

from __future__ import annotations

import base64
import hashlib
import io
import keyword
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path

from aplc import __version__
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import find_compiler, find_threads
from aplc.build.functions import Built
from aplc.build.header import MARK, header_text, what_of
from aplc.build.kernels import has_kernels, kernels_text
from aplc.build.library import shared_object
from aplc.build.naming import DEVICE, Names, ascii_name
from aplc.build.source import source_text
from aplc.build.values import Flat, Lists, Shape
from aplc.command_line import UsageError
from aplc.options import Options
from aplc.tail.types import Base

CALLS = Path(__file__).with_name("calls.py")
ARGUMENTS = {"x": "left", "y": "right"}
OWN = frozenset({"AplError", "Any", "np", "annotations"})
DATE = (2020, 1, 1, 0, 0, 0)
"""Of all files in a wheel, so that the same program makes the same wheel."""
PYTHON = {Base.INT: "int", Base.DOUBLE: "float", Base.COMPLEX: "complex", Base.BOOL: "bool", Base.CHAR: "str"}


def wheel_path(directory: Path, name: str) -> Path:
    """The file of a wheel. Raises `UsageError` for a name that a module cannot have."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise UsageError(f"a module cannot be called {name}; -o needs letters, digits and _, as in signals")
    if name in sys.stdlib_module_names:
        raise UsageError(f"a module {name} would hide Python's own; choose another name for -o")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return directory / f"{name}-{VERSION}-py3-none-{platform}.whl"


VERSION = "0.1.0"


def wheel_files(
    path: Path, name: str, built: Sequence[Built], sources: str, options: Options, cpu: tuple[str, ...]
) -> dict[Path, bytes]:
    """The wheel. Raises `MachineError` without a C compiler."""
    names = Names(name)
    has_threads = any([each.program.has_threads for each in built])
    compiler = find_threads() if has_threads else find_compiler()
    kernels = kernels_text(names, built, sources) if has_kernels(built) else ""
    header = header_text(names, built, sources)
    command = "aplc build --python"
    text = source_text(names, built, header, headers(), sources, command, kernels, is_pooled=True)
    binary = f"lib{name}.so"
    module = module_text(names, binary, built, sources)
    info = f"{name}-{VERSION}.dist-info"
    files = {
        f"{name}/__init__.py": module.encode(),
        f"{name}/_calls.py": CALLS.read_bytes(),
        f"{name}/py.typed": b"",
        f"{name}/{binary}": shared_object(
            compiler, text, header, names.exported(built), options.level, cpu, ()
        ),
        f"{info}/METADATA": _metadata(name, built, sources).encode(),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: aplc {__version__}\nRoot-Is-Purelib: false\n"
            f"Tag: {path.stem.split('-', 2)[2]}\n"
        ).encode(),
    }
    return {path: _zipped(files, f"{info}/RECORD")}


def _metadata(name: str, built: Sequence[Built], sources: str) -> str:
    functions = ", ".join([each.name for each in built])
    return (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {VERSION}\n"
        f"Summary: {functions} of {sources}. {MARK} {__version__}\n"
        "Requires-Python: >=3.10\nRequires-Dist: numpy\n"
    )


def _zipped(files: dict[str, bytes], record: str) -> bytes:
    """The archive, with the list of what is in it; the comment behind it is the mark of a build."""
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    whole = {**files, record: "".join([*lines, f"{record},,\n"]).encode()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = f"{MARK} {__version__}".encode()
        for name, content in whole.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)
    return stream.getvalue()


# --- the module -------------------------------------------------------------------------------------------


def module_text(names: Names, binary: str, built: Sequence[Built], sources: str) -> str:
    """The text of the module: a function of Python for each, with its documentation."""
    called = names.functions(built)
    python = python_names(built)
    device, has_device = (list(DEVICE), ", has_device=True") if has_kernels(built) else ([], "")
    lines = [
        f'"""{", ".join(python.values())}: functions of {docstring(sources)}.',
        "",
        f"{MARK} {__version__}. An APL error is an `AplError`, of memory a MemoryError.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        "import numpy as np",
        "",
        "from ._calls import AplError, Library as _Library, Value as _Value",
        "",
        f"__all__ = {['AplError', *device, *python.values()]!r}",
        "",
        f'_library = _Library("{binary}", "{names.prefix}"{has_device})',
        "",
        *(_DEVICE.splitlines() if device else []),
    ]
    for each in built:
        lines += _definition(each, python[each.name], called[each.name])
    return "\n".join(lines)


_DEVICE = '''

def init(device: str = "", /) -> None:
    """Run on the OpenCL device whose name contains this, a GPU if there are several.

    The first function that has kernels does this where nobody has. The device stays until `finish()`; to ask
    for another one before is a RuntimeError, and so is a device that there is not.
    """
    _library.init(device)


def device() -> str:
    """The name of the device; empty where there is none."""
    return _library.device()


def finish() -> None:
    """Give the device back, while no function runs."""
    _library.finish()

'''
"""What a module has whose loops run on a device."""


def python_names(built: Sequence[Built]) -> dict[str, str]:
    """What functions are called in Python, by their names in APL."""
    found: dict[str, str] = {}
    own = OWN | (set(DEVICE) if has_kernels(built) else set())
    for each in built:
        name = ascii_name(each.name)
        while keyword.iskeyword(name) or name in own or name in found.values() or name.startswith("__"):
            name = name.lstrip("_") + "_"
        found[each.name] = name
    return found


def _definition(built: Built, name: str, symbol: str) -> list[str]:
    arguments = [(ARGUMENTS[each], shape) for each, shape in built.parameters]
    given = ", ".join([f"{argument}: {_hint(shape, is_result=False)}" for argument, shape in arguments])
    hints = [_hint(shape, is_result=True) for shape in built.results]
    result = hints[0] if len(hints) == 1 else f"tuple[{', '.join(hints)}]"
    described = ", ".join([f"({argument!r}, {_value(shape)})" for argument, shape in arguments])
    results = ", ".join([_value(shape) for shape in built.results])
    told = [docstring(line) for line in built.comment]
    told += ["", f"⍝: {docstring(built.type)}", ""] if told else [f"⍝: {docstring(built.type)}", ""]
    told += [f"{argument}: {what_of(shape)}" for argument, shape in arguments]
    told += [f"gives {' and '.join([what_of(shape) for shape in built.results])}"]
    return [
        f"_{symbol} = _library.function({name!r}, {symbol!r}, [{described}], [{results}])",
        "",
        "",
        f"def {name}({given}, /) -> {result}:",
        *[f"    {line}".rstrip() for line in [f'"""{told[0]}', *told[1:], '"""']],
        f"    result: {result} = _{symbol}({', '.join([argument for argument, _ in arguments])})",
        "    return result",
        "",
        "",
    ]


def _value(shape: Shape) -> str:
    if isinstance(shape, Lists):
        return f"_Value({shape.base.value!r}, 1, True)"
    return f"_Value({shape.base.value!r}, {shape.rank})"


def _hint(shape: Shape, *, is_result: bool) -> str:
    """The annotation of an argument or of a result."""
    if isinstance(shape, Flat) and shape.rank == 0:
        return PYTHON[shape.base]
    if isinstance(shape, Flat) and shape.rank == 1 and shape.base is Base.CHAR:
        return "str"
    return "np.ndarray[Any, Any]" if is_result else "Any"


def docstring(text: str) -> str:
    """A text that stands in a docstring, and does not end it."""
    return text.replace("\\", "\\\\").replace('"""', "'''").rstrip('"')
