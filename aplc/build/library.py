"""A C library: header, source, shared object, and what pkg-config is told of it."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from aplc import __version__
from aplc.backends.native.private_files import WORK_PREFIX
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared, find_compiler, find_threads, flags
from aplc.build.functions import Built
from aplc.build.header import MARK, header_text
from aplc.build.kernels import has_kernels, kernels_text
from aplc.build.naming import Names
from aplc.build.source import source_text
from aplc.build.variants import choice_text, compile_variants, may_have_variants
from aplc.options import Options
from aplc.tail.errors import InternalError, MachineError

ENDINGS = (".h", ".c", ".so", ".pc")
WITH_KERNELS = (".h", ".c", ".cl", ".so", ".pc")


def library_files(
    directory: Path, name: str, built: Sequence[Built], sources: str, options: Options, cpu: tuple[str, ...]
) -> dict[Path, bytes]:
    """The files of a library of that name. Raises `MachineError` without a C compiler."""
    names = Names(name)
    has_threads = any([each.program.has_threads for each in built])
    compiler = find_threads() if has_threads else find_compiler()
    header = header_text(names, built, sources)
    linking = (f"-Wl,-soname,{name}.so",)
    kernels = kernels_text(names, built, sources) if has_kernels(built) else ""
    libraries = " -ldl" if kernels else ""
    given = [word for word in (*flags(compiler, options.level, cpu), *linking) if word != "-w"]
    command = f"cc {shlex.join(given)} -o {name}.so {name}.c -lm -lpthread{libraries}"
    text = source_text(names, built, header, headers(), sources, command, kernels)
    exported = names.exported(built)
    binary = shared_object(compiler, text, header, exported, options.level, cpu, linking)
    package = _package(name, built, sources, has_threads=has_threads, libraries=libraries)
    contents = {".h": header.encode(), ".c": text.encode(), ".so": binary, ".pc": package.encode()}
    if options.made_for.kernels:
        contents[".cl"] = kernels.encode()
    return {directory / f"{name}{ending}": contents[ending] for ending in endings(options)}


def endings(options: Options) -> tuple[str, ...]:
    """Of the names of a library's files."""
    return WITH_KERNELS if options.made_for.kernels else ENDINGS


def shared_object(
    compiler: Compiler,
    text: str,
    header: str,
    exported: Sequence[str],
    level: int,
    cpu: tuple[str, ...],
    linking: Sequence[str],
) -> bytes:
    """What the C compiler makes of a library: for some processors, or else for all of them, with what is best
    for some. `exported` are the functions of the header.
    """
    linking = (*linking, "-lpthread", "-ldl")
    mark = f'__attribute__((used)) static const char lib_mark[] = "{MARK} {__version__}";\n'
    with tempfile.TemporaryDirectory("", WORK_PREFIX, ignore_cleanup_errors=True) as work:
        source, output = Path(work, "library.c"), Path(work, "library.so")
        if not cpu and may_have_variants(compiler):
            choice = choice_text(header, exported) + mark
            with suppress(MachineError, InternalError):
                compile_variants(compiler, text, choice, exported, output, level, linking)
                return output.read_bytes()
        source.write_text(f"{text}\n{mark}", encoding="utf-8")
        compile_shared(compiler, source, output, level, work=(work,), machine=cpu, linking=linking)
        return output.read_bytes()


def _package(name: str, built: Sequence[Built], sources: str, *, has_threads: bool, libraries: str) -> str:
    """The `.pc` file; it finds the library where it lies itself."""
    link = f"-l{name.removeprefix('lib')}" if name.startswith("lib") else f"-l:{name}.so"
    functions = ", ".join([each.name for each in built])
    return "\n".join([
        f"# {MARK} {__version__} from {sources}.",
        "dir=${pcfiledir}",
        "",
        f"Name: {name}",
        f"Description: {functions} of {sources}",
        "Version: 0.1.0",
        "Cflags: -I${dir}",
        f"Libs: -L${{dir}} {link}",
        f"Libs.private: -lm -lpthread{libraries}{' -fopenmp' if has_threads else ''}",
        "",
    ])  # fmt: skip
