"""One shared object for old and new processors: the same C compiled for several, and what chooses when it is
loaded.

All functions of a library are chosen alike, since they share what one leaves for another, as messages. It is
the loader that asks, once for each function (`ifunc`), so a call costs what it would cost otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from aplc.backends.native.toolchain import Compiler, compile_shared, glibc_version


class Variant(NamedTuple):
    """What a processor must have, as compilers call it, and the flags that make use of it."""

    name: str
    features: tuple[str, ...]
    flags: tuple[str, ...]


WIDE = "-mprefer-vector-width=512"
VARIANTS = (
    Variant("v4", ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"), ("-march=x86-64-v4", WIDE)),
    Variant("v3", ("avx2", "bmi", "bmi2", "fma"), ("-march=x86-64-v3", WIDE)),
)
"""The best first. The levels of x86-64 want a few features more, which all processors with these have."""
OLDEST = "v1"
"""For all others."""


def may_have_variants(compiler: Compiler) -> bool:
    """Whether the loader here chooses, of what this compiler makes; an older one lacks the flags."""
    return os.uname().machine == "x86_64" and compiler.kind != "zig" and glibc_version() > (0, 0)


def compile_variants(
    compiler: Compiler,
    text: str,
    choice: str,
    exported: Sequence[str],
    output: Path,
    level: int,
    linking: Sequence[str],
) -> None:
    """Compile a library for each kind of processors, with the text that chooses, into one shared object.
    Raises `MachineError` and `InternalError` where the compiler does not.
    """
    work = output.parent
    source, chooser = work / "library.c", work / "choice.c"
    source.write_text(text, encoding="utf-8")
    chooser.write_text(choice, encoding="utf-8")
    objects: list[str] = []
    for name, flags in (*[(each.name, each.flags) for each in VARIANTS], (OLDEST, ())):
        own = [f"-D{function}={function}_{name}" for function in exported]
        binary = work / f"{name}.o"
        part = ("-c", "-DLIB_PART", *own)
        compile_shared(compiler, source, binary, level, work=(str(work),), machine=flags, linking=part)
        objects.append(str(binary))
    compile_shared(
        compiler, chooser, output, level, work=(str(work),), machine=(), linking=(*objects, *linking)
    )


def choice_text(header: str, exported: Sequence[str]) -> str:
    """The C that chooses among the variants of each function of a header."""
    lines = [header.rstrip("\n"), ""]
    for each in VARIANTS:
        has = " && ".join([f'__builtin_cpu_supports("{feature}")' for feature in each.features])
        macro = f"LIB_HAS_{each.name.upper()}"
        lines += [f"#ifndef {macro}", f"#define {macro} ({has})", "#endif"]
    lines.append("")
    for function in exported:
        declared = ", ".join([f"{function}_{name}" for name in _names()])
        chosen = "".join([f"LIB_HAS_{v.name.upper()} ? {function}_{v.name} : " for v in VARIANTS])
        lines += [
            f'extern __typeof__({function}) {declared} __attribute__((visibility("hidden")));',
            f"static __typeof__({function}) *{function}_chosen(void) {{",
            "    __builtin_cpu_init();",
            f"    return {chosen}{function}_{OLDEST};",
            "}",
            f"extern __typeof__({function}) {function}",
            f'    __attribute__((visibility("default"), ifunc("{function}_chosen")));',
            "",
        ]
    return "\n".join(lines)


def _names() -> list[str]:
    return [*[each.name for each in VARIANTS], OLDEST]
