"""C that is compiled and loaded as it is."""

import ctypes
import subprocess
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


def has_libmvec(compiler: Compiler) -> bool:
    """Whether loops may call the functions of several numbers of libmvec: with gcc and glibc on x86-64."""

    def said(*options: str) -> str:
        return subprocess.run(
            (*compiler.command, *options), capture_output=True, text=True, check=True
        ).stdout

    macros = ("-E", "-dM", "-include", "math.h", "-x", "c", "/dev/null")
    return compiler.kind == "gcc" and "x86_64" in said("-dumpmachine") and "__GLIBC__" in said(*macros)
