"""Programs linked with functions of the run-time system that are compiled once for a machine, which Note
[Compiled once] of `rts/aplc_once.h` is about.

A program is compiled into an object, which names what it calls; a long one into two at the same time. The
object of each such function is a record of the cache, made when the first program calls it, with the flags of
that and the macros it begins with, together with the others that it is the first to call. What does not work
so is compiled as a whole, and what is wrong with it is said of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from aplc.backends.native.cache import entry_key, keep_record_in, record_in
from aplc.backends.native.private_files import Directory
from aplc.backends.native.processor import available_cores
from aplc.backends.native.toolchain import Compiler, compile_objects, compile_shared
from aplc.tail.errors import InternalError

CALLED = re.compile(rb"(aplc_\w+)\.(aplc_\w+)\0")
"""The name of a function among those of an object: its header, and what it is called in C."""
MACROS = re.compile(r"(?:#define \w+\n)*")
"""With which a program begins."""
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SHARED = re.compile(r"^#if APLC_IN_SHARE\(", re.MULTILINE)
"""What is in one share of a long program."""
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
    is_shared = SHARED.search(text) is not None and available_cores() > 1
    if compiler.kind == "zig" or not (is_shared or any(map(ONCE.search, _included(text, headers)))):
        return False
    begins = MACROS.match(text)
    macros = begins[0] if begins else ""
    names = ("share0", "share1") if is_shared else ("program",)
    programs = [Path(work.path, f"{name}.o") for name in names]
    try:
        if is_shared:
            outputs = {each: ("-DAPLC_LINKED", f"-DAPLC_SHARE={k}") for k, each in enumerate(programs)}
            compile_objects(compiler, source, outputs, level, work=(work.path,))
        else:
            alone = ("-c", "-DAPLC_LINKED")
            compile_shared(compiler, source, programs[0], level, work=(work.path,), linking=alone)
        called = sorted({name for each in programs for name in CALLED.findall(each.read_bytes())})
        paths = [str(other) for other in programs[1:]]
        for content in _objects(kept, work, macros, called, compiler, level, headers):
            paths.append(f"{work.path}/object{len(paths)}.o")
            Path(paths[-1]).write_bytes(content)
        compile_shared(compiler, programs[0], output, level, work=(work.path,), linking=paths)
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
