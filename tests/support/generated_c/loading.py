"""C that is compiled and loaded as it is."""

import ctypes
from pathlib import Path

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared


def load(compiler: Compiler, directory: Path, text: str) -> ctypes.CDLL:
    for name, header in headers().items():
        directory.joinpath(name).write_text(header, encoding="utf-8")
    source, target = directory / "text.c", directory / "text.so"
    source.write_text(text, encoding="utf-8")
    compile_shared(compiler, source, target, 0)
    return ctypes.CDLL(str(target))
