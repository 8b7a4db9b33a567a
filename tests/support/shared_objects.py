"""C functions of the run-time system, called from Python."""

from pathlib import Path

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared


def build(compiler: Compiler, directory: Path, text: str, name: str = "text") -> Path:
    """A shared object of a C text, optimised; visible symbols."""
    for file, header in headers().items():
        directory.joinpath(file).write_text(header, encoding="utf-8")
    source, target = directory / f"{name}.c", directory / f"{name}.so"
    source.write_text(f"#pragma GCC visibility push(default)\n{text}", encoding="utf-8")
    compile_shared(compiler, source, target, 2)
    return target
