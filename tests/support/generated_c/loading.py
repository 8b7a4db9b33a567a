"""C that is compiled and loaded as it is."""

import ctypes
from pathlib import Path

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared


def build(compiler: Compiler, directory: Path, text: str, name: str = "text", level: int = 2) -> Path:
    """A shared object of a C text, all of whose functions are to be seen."""
    for file, header in headers().items():
        directory.joinpath(file).write_text(header, encoding="utf-8")
    source, target = directory / f"{name}.c", directory / f"{name}.so"
    source.write_text(f"#pragma GCC visibility push(default)\n{text}", encoding="utf-8")
    compile_shared(compiler, source, target, level)
    return target


def load(compiler: Compiler, directory: Path, text: str) -> ctypes.CDLL:
    """A C text as a library, compiled in haste."""
    return ctypes.CDLL(str(build(compiler, directory, text, level=0)))
