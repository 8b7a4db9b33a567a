"""What a command line asks for: the options, the texts of the files, the inputs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from aplc.command_line import UsageError, file_error
from aplc.command_options import PICTURES, STAGES, UNUSED_OPTIONS, parser_of
from aplc.inputs import Input, by_part, decode
from aplc.laila.ir.settings import Settings
from aplc.options import Options, quiet, untimed
from aplc.outputs import output_of
from aplc.shell.input_arguments import Given
from aplc.tail.errors import LINES
from aplc.tail.legible import legible
from aplc.tail.regular import open_regular
from aplc.tail.source import Source
from aplc.tail.types import Type
from aplc.targets import COMPILED, TARGETS, WITH_KERNELS, WITH_THREADS
from aplc.timing import Times


@dataclass(frozen=True)
class Request:
    """A command line, understood."""

    sources: list[Source]
    inputs: dict[str, Input]
    options: Options
    arguments: argparse.Namespace
    times: Times
    """Of stages and passes, where they are asked for."""
    outputs: tuple[tuple[str, Path], ...] = ()
    """Names whose values are written to files."""
    given: Given = field(default_factory=lambda: Given(()))
    """What the command line says of the inputs."""

    @property
    def types(self) -> dict[str, Type]:
        """The types of the inputs."""
        return {name: each.type for name, each in self.inputs.items()}

    @property
    def storage(self) -> dict[str, str]:
        """The dtypes of the flat arrays that the inputs are, by the names of their parameters."""
        return {name: each.storage for name, each in by_part(self.inputs).items()}


def request_of(command: str, arguments: list[str]) -> Request:
    """What a command is asked for. Parses options, reads the files and the inputs' headers."""
    parser, stages = parser_of(command), command == "emit"
    parsed = parser.parse_intermixed_args(arguments)
    if parsed.target not in TARGETS:
        raise UsageError(f"--target is one of {', '.join(TARGETS)}, not {parsed.target}")
    if stages:
        _require_stage(parsed.stage)
        if parsed.after is not None:
            _require_pass(parsed.after, *_starts())
    if command == "explain" and parsed.graph is not None:
        _require_picture(parsed.graph)
    if getattr(parsed, "types", ()) and parsed.function is None:
        raise UsageError("--types are those of a function, which --function names")
    if getattr(parsed, "function", None) is not None and parsed.input:
        raise UsageError("--input is for programs; --types has the types of a function's arguments")
    for option in UNUSED_OPTIONS.get(command, ()):
        name = option.lstrip("-").replace("-", "_") if option != "-O" else "level"
        if getattr(parsed, name) != parser.get_default(name):
            raise UsageError(f"aplc {command} does not use {option}")
    if not parsed.files and not parsed.code:
        raise UsageError("no file is given", parser.format_usage().rstrip())
    sources = [*map(_read, parsed.files), *[decode(code.encode(), "-e") for code in parsed.code]]
    given = Given(sources, header_only=command != "run")
    for argument in parsed.input:
        given.take(argument)
    inputs = _with_stated(given.found, sources)
    times = Times()
    outputs = tuple(map(output_of, getattr(parsed, "output", ()))) if command == "run" else ()
    timed = times.add if getattr(parsed, "time", False) else untimed
    options = replace(_options(parsed), timed=timed, outputs=tuple([name for name, _ in outputs]))
    return Request(sources, inputs, options, parsed, times, outputs, given)


def _with_stated(inputs: dict[str, Input], sources: list[Source]) -> dict[str, Input]:
    """The inputs with those that the headers of files state and that are not given; what is taken is told."""
    found = dict(inputs)
    for source in sources:
        if "\n⍝ == input " not in f"\n{source.text}":
            continue
        from aplc.cases.header import inputs_of  # noqa: PLC0415 (most programs start faster without it)

        stated = {name: each for name, each in inputs_of(source).items() if name not in found}
        if stated:
            told = f"aplc: input {', '.join(stated)} from the header of {source.name}"
            print(legible(told), file=sys.stderr)
        found |= stated
    return found


def _require_stage(stage: str) -> None:
    if stage not in STAGES:
        raise UsageError(f"a stage is one of {', '.join(STAGES)}, not {stage}")


def _require_picture(path: str) -> None:
    if not path.lower().endswith(PICTURES):
        endings = f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}"
        raise UsageError(f"--graph writes a file whose name ends in {endings}, not {path}")


def _options(parsed: argparse.Namespace) -> Options:
    targets = (parsed.target, getattr(parsed, "stage", ""))
    if targets[1] in COMPILED and parsed.target not in ("c", targets[1]):
        raise UsageError(f"the stage {targets[1]} is that of --target {targets[1]}, not {parsed.target}")
    if parsed.threads and not set(targets) & set(WITH_THREADS):
        raise UsageError(f"--threads needs --target {' or '.join(WITH_THREADS)}")
    with_kernels = " or ".join(WITH_KERNELS)
    if parsed.device and not set(targets) & set(WITH_KERNELS):
        raise UsageError(f"--device needs --target {with_kernels}")
    if parsed.precision == "single" and not set(targets) & set(WITH_KERNELS):
        raise UsageError(f"--precision single needs --target {with_kernels}")
    if parsed.precision == "single" and parsed.strict_fp:
        raise UsageError("--strict-fp asks for doubles to the last bit, --precision single for floats")
    return Options(
        parsed.target,
        parsed.level,
        not parsed.no_cache,
        None if parsed.passes is None else _passes(parsed.passes),
        quiet if parsed.dump_after is None else _dumping(parsed.dump_after),
        parsed.verify,
        Settings(parsed.strict_fp, parsed.unsafe, parsed.check_overflow, parsed.arrays, parsed.precision),
        parsed.threads,
        parsed.device,
        files=not parsed.no_files,
        tolerance=parsed.ct,
        time_limit=parsed.time_limit,
        memory_limit=parsed.memory_limit,
    )


def _passes(names: str) -> tuple[str, ...]:
    """The passes of a list."""
    passes = tuple([name for name in names.split(",") if name])
    for name in passes:
        _require_pass(name)
    return passes


def _require_pass(name: str, *others: str, last: str = "") -> None:
    """There is a pass of that name, or another name that stands for a program on its way."""
    known = [*_known_passes(), *others]
    if name not in known:
        raise UsageError(f"there is no pass {name}; there are {', '.join(known)}{last}")


def _dumping(wanted: str) -> Callable[[str, Callable[[], str]], None]:
    """What prints the program after a pass, or after all."""
    if wanted != "all":
        _require_pass(wanted, *_starts(), last=", and all")

    def dump(name: str, text: Callable[[], str]) -> None:
        if wanted in (name, "all"):
            print(f"-- after {name}\n{legible(text(), keep=LINES)}", file=sys.stderr)

    return dump


def _known_passes() -> list[str]:
    from aplc.laila.pipeline import NAMES  # noqa: PLC0415 (most commands start faster without it)
    from aplc.tail.pipeline import PASSES  # noqa: PLC0415 (most commands start faster without it)

    return [*[each.name for each in PASSES], *NAMES]


def _starts() -> tuple[str, ...]:
    """What is there before the first passes of TAIL, of Laila and over loops."""
    from aplc.laila.pipeline import LOOP_START, START  # noqa: PLC0415 (most commands start faster without it)
    from aplc.tail.pipeline import START as TAIL_START  # noqa: PLC0415 (most commands start faster without it)

    return TAIL_START, START, LOOP_START


def _read(path: str) -> Source:
    """The text of a file, or of standard input for `-`."""
    return decode(read_bytes(path), "standard input" if path == "-" else path)


def read_bytes(path: str) -> bytes:
    """What is in a file, or comes from standard input for `-`. Raises `CompileError` where that fails."""
    if "\0" in path:
        raise UsageError("a file name holds a character that no name can hold")
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open_regular(path) as file:
            return file.read()
    except OSError as failure:
        reason = "there is no such file" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise file_error(path, f"{path} cannot be read: {reason}") from None
