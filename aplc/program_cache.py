"""Compiled programs kept on disk whole, so that the next run of the same text starts without the compiler.

A record tells how a program is run and shown; its shared object is kept beside it, by
`aplc.backends.native.cache`.
The key covers the texts, the types of the inputs, the options, and all that decides the code: this package's
files, Python, the C compiler, the machine, and the OpenCL device with its driver. What cannot be kept (a
program for the interpreter, one whose stages are observed or checked) is compiled anew.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from aplc.backends.native.cache import entry_key, keep_record, kept_object, kept_record
from aplc.backends.native.run import NativeProgram, headers, loaded, opened
from aplc.backends.native.toolchain import find_compiler, find_threads
from aplc.compiled import Compiled, Runnable
from aplc.options import Options, quiet
from aplc.program_record import KernelRecord, NotOfTheForm, Record, read, written
from aplc.tail.errors import MachineError
from aplc.tail.faults import FaultRaised
from aplc.tail.npy import npy_header
from aplc.tail.source import Source
from aplc.tail.types import Type

_QUOTED = re.compile(r"'((?:[^'\n]|'')+)'")


def kept_key(
    sources: Sequence[Source],
    inputs: Mapping[str, Type],
    storage: Mapping[str, str],
    options: Options,
    *,
    value_of_assignment: bool = False,
    function: tuple[str | None, bool] | None = None,
) -> str:
    """The name under which a program is kept; empty where it cannot be.

    Of a `function` it is that, by its name, and whether it is applied to the elements of its arguments.
    """
    if not options.made_for.kept or not options.use_cache or options.verify or options.observe is not quiet:
        return ""
    try:
        compiler = find_threads() if options.made_for.threads else find_compiler()
        device = _facts_of_device(options) if options.made_for.kernels else ()
    except MachineError:
        return ""  # the user's own mistakes are told first
    facts = (
        [(source.name, source.text) for source in sources],
        [(name, str(ty)) for name, ty in inputs.items()],
        [*storage.items()],
        (options.target, options.level, options.passes, options.settings),
        (options.rules, options.memory_limit is not None, options.outputs),
        (value_of_assignment, options.keeps_storage, function),
        [facts_of_files(source.text, options) for source in sources],
        device,
        sys.version,
        own_files(),
    )
    return entry_key(repr(facts), compiler, options.level, headers())


def _facts_of_device(options: Options) -> tuple[object, ...]:
    """What decides the kernels, and which loops have one. Raises `MachineError` where there is no device."""
    from aplc.targets.devices import device_of, division_on  # noqa: PLC0415 (for a device only)

    device = device_of(options)
    return (device.identity, division_on(device, options))


def facts_of_files(text: str, options: Options) -> tuple[object, ...]:
    """What compiling a text reads of files besides it: `⎕NPY` takes the type and rank of an array from its
    header. What is no such file has no facts.
    """
    if not options.files or "⎕" not in text or "⎕npy" not in text.lower():
        return ()
    return tuple([_facts_of_array(name.replace("''", "'")) for name in _QUOTED.findall(text)])


def _facts_of_array(name: str) -> object:
    try:
        return npy_header(name)
    except FaultRaised:
        return None


@cache
def own_files() -> list[tuple[str, int, int]]:
    """The compiler's own files: names, times and sizes."""
    return sorted(_files_below([str(Path(__file__).parent)]))


def _files_below(directories: list[str]) -> Iterator[tuple[str, int, int]]:
    for directory in directories:
        with os.scandir(directory) as entries:
            found = [entry for entry in entries if not entry.name.startswith(("__pycache__", "."))]
        for entry in found:
            if entry.is_dir():
                yield from _files_below([entry.path])
            elif entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size


def kept(key: str, options: Options) -> Compiled | None:
    """The program of a key, if it is kept and whole, and can be loaded."""
    content = kept_record(key) if key else None
    if content is None:
        return None
    with suppress(NotOfTheForm, MachineError):
        record = read(content)
        binary = kept_object(record.object_key)
        if binary is not None:
            native = loaded(
                record.program,
                opened(record.program, binary),
                "aplc_run",
                debug=False,
                threads=options.threads,
                memory_limit=options.memory_limit,
                key=record.object_key,
            )
            runnable = native if record.kernels is None else _with_kernels(native, record.kernels, options)
            return Compiled(record.type, record.inputs, runnable, record.digits, record.storage)
    return None


def _with_kernels(native: NativeProgram, kernels: KernelRecord, options: Options) -> Runnable:
    """A kept host with its kernels, on the device that is in the key."""
    from aplc.backends.opencl.run import OpenclProgram  # noqa: PLC0415 (for a device only)
    from aplc.targets.devices import device_of  # noqa: PLC0415 (for a device only)

    program, is_shared, keeps, parts = kernels
    return OpenclProgram(native, program, device_of(options), is_shared, keeps=keeps, parts=parts)


def keep(key: str, compiled: Compiled) -> None:
    """Keep a program, if it has a key and can be kept."""
    if not key:
        return
    native, kernels = _parts_of(compiled.runnable)
    if not native.key:
        return
    program = replace(native.program, text="")
    record = Record(
        compiled.type, compiled.inputs, compiled.digits, program, native.key, compiled.storage, kernels
    )
    with suppress(NotOfTheForm):
        keep_record(key, written(record))


def _parts_of(runnable: Runnable) -> tuple[NativeProgram, KernelRecord | None]:
    """The C of a program, and what there is besides where it has kernels."""
    if isinstance(runnable, NativeProgram):
        return runnable, None
    from aplc.backends.opencl.run import OpenclProgram  # noqa: PLC0415 (for a device only)

    assert isinstance(runnable, OpenclProgram)
    kernels = KernelRecord(runnable.kernels, runnable.is_shared, runnable.keeps, runnable.parts)
    return runnable.native, kernels
