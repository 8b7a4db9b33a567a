"""Programs linked with functions of the run-time system that are compiled once for a machine, which Note
[Compiled once] of `rts/aplc_once.h` is about.

A program is compiled into an object, which names what it calls. The object of each such function is a record
of the cache, made when the first program calls it, with the program's flags and the macros it begins with,
together with the others that this program is the first to call. What does not work so is compiled as a whole,
and what is wrong with it is said of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from aplc.backends.native.cache import entry_key, keep_record_in, record_in
from aplc.backends.native.private_files import Directory
from aplc.backends.native.toolchain import Compiler, compile_shared
from aplc.tail.errors import InternalError

CALLED = re.compile(rb"(aplc_\w+)\.(aplc_\w+)\0")
"""The name of a function among those of an object: its header, and what it is called in C."""
MACROS = re.compile(r"(?:#define \w+\n)*")
"""With which a program begins."""
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
ONCE = re.compile(r"^APLC_ONCE\(", re.MULTILINE)


def linked(
    kept: Directory,
    work: Directory,
    source: Path,
    output: Path,
    text: str,
    compiler: Compiler,
    level: int,
    headers: Mapping[str, str],
) -> bool:
    """Make a shared object of a program and of what it calls; whether that was possible.

    The program and its headers lie in `work`, where what is made on the way goes, too.
    """
    if compiler.kind == "zig" or not any(ONCE.search(header) for header in _included(text, headers)):
        return False
    begins = MACROS.match(text)
    macros = begins[0] if begins else ""
    program = Path(work.path, "program.o")
    try:
        compile_shared(compiler, source, program, level, work=(work.path,), linking=("-c", "-DAPLC_LINKED"))
        called = sorted(set(CALLED.findall(program.read_bytes())))
        paths: list[str] = []
        for content in _objects(kept, work, macros, called, compiler, level, headers):
            paths.append(f"{work.path}/object{len(paths)}.o")
            Path(paths[-1]).write_bytes(content)
        compile_shared(compiler, program, output, level, work=(work.path,), linking=paths)
    except InternalError:
        return False
    return True


def _objects(
    kept: Directory,
    work: Directory,
    macros: str,
    called: Iterable[tuple[bytes, bytes]],
    compiler: Compiler,
    level: int,
    headers: Mapping[str, str],
) -> Iterable[bytes]:
    """The objects of some functions. Those that are not kept yet are compiled together, as they share what
    they call, and kept for each of them.
    """
    found: dict[bytes, None] = {}
    homes: dict[str, None] = {}
    missing: dict[str, str] = {}
    for home, name in [(home.decode(), name.decode()) for home, name in called]:
        made = f"APLC_MADE({home}, {name})\n"
        key = entry_key(f"{macros}{made}", compiler, level, headers)
        if (content := record_in(kept, key)) is not None:
            found[content] = None
        else:
            homes[home] = None
            missing[key] = made
    if missing:
        source, output = Path(work.path, "missing.c"), Path(work.path, "missing.o")
        includes = "".join([f'#include "{home}.h"\n' for home in ("aplc", *homes)])
        text = f"{macros}#define APLC_OBJECT\n{includes}{''.join(missing.values())}"
        source.write_text(text, encoding="utf-8")
        compile_shared(compiler, source, output, level, work=(work.path,), linking=("-c",))
        content = output.read_bytes()
        found[content] = None
        for key in missing:
            with suppress(OSError):
                keep_record_in(kept, key, content)
    return found


def _included(text: str, headers: Mapping[str, str]) -> Iterator[str]:
    """The headers that a text includes, and those that they do."""
    seen: set[str] = set()
    texts = [text]
    while texts:
        for name in INCLUDE.findall(texts.pop()):
            if name in headers and name not in seen:
                seen.add(name)
                texts.append(headers[name])
                yield headers[name]
