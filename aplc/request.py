"""What a command line asks for: the options, the texts of the files, the inputs."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from aplc.backends.native.time_limit import seconds_of
from aplc.command_line import Parser, UsageError, file_error
from aplc.inputs import Input, decode, read_input
from aplc.laila.ir.settings import PRECISIONS, Settings
from aplc.options import MOST_BYTES, MOST_THREADS, Options, quiet, untimed
from aplc.tail.errors import LINES
from aplc.tail.legible import legible
from aplc.tail.regular import open_regular
from aplc.tail.rules import DEFAULTS, MOST_TOLERANT, tolerance_of
from aplc.tail.source import Source
from aplc.tail.types import Type
from aplc.targets import COMPILED, TARGETS, WITH_KERNELS, WITH_THREADS
from aplc.timing import Times

STAGES = ("ast", "tail", "tail-opt", "laila", *COMPILED)

PICTURES = (".svg", ".dot", ".graphml")
"""The endings of the files that `aplc explain --graph` writes."""

USAGE = f"""usage: aplc FILE.apl… [options]          compile and run
       aplc check FILE.apl… [--json]    prove annotations, print the types of functions and values
       aplc emit STAGE FILE.apl… [-o OUT]   print a stage: {", ".join(STAGES)}
       aplc explain FILE.apl… [options] which arrays are fused or written, why, and the bytes that loops move
       aplc bench [NAME…] [options]     the benchmark suite and its tables
       aplc doctor [--json]             what of this machine programs can use, what is missing, how to get it

options:
  --target {"|".join(TARGETS)}   where it runs (default c)
  --threads N             threads for openmp and the host of opencl (default: one for each processor)
  --device NAME           the OpenCL device whose name has this in it (default: a GPU if there is one)
  --precision double|single    floating point on the OpenCL device (default double)
  --input NAME=FILE.npy   NAME is that array in the program
  --format apl|json       how values are printed
  --graph FILE            aplc explain draws loops and arrays, to FILE.svg, FILE.dot or FILE.graphml
  --time                  compile time, also of each pass, run time and peak memory, on standard error
  -O 0|1|2|3              optimisation level (default 2)
  --no-cache              compile anew
  --dump-after PASS|all   print the program after a pass of TAIL or Laila, on standard error
  --after PASS            of emit: the program after that pass, on its way to the stage
  --passes A,B,…          the passes to run; of TAIL or Laila those of -O where none of its is named
  --strict-fp             doubles are those of the interpreter to the last bit
  --unsafe                no run-time checks
  --ct T                  ⎕CT until the program sets it (default 1E-14; 0: comparison is exact)
  --no-files              the program may read no file (those of --input are yours)
  --memory-limit BYTES    what the program's arrays may take together; 500M, 2G
  --check-overflow        an integer that does not fit 64 bits is an error
  --time-limit SECONDS    what takes longer, to compile and to run, is an error
  --arrays flat|hybrid    the index functions of pull arrays, to compare (default hybrid)

options of aplc bench (NAME: a program of the suite or a row of it; none: all):
  --quick                 small sizes
  --only NAME,…           the same as the names
  --targets T,…           which of the targets
  --threads 1,2,…         the numbers of threads of the speed-up (default 1, 2, 4 … up to the cores)
  --device NAME           OpenCL device by part of its name
  --data DIR              data sets of Rodinia (temp_512, power_512) and FINPAR (input.data) in place of ours
  --json|--markdown|--html FILE    write the results, the tables, a page with charts; - is standard output
  --compare OLD.json      what became slower since an earlier run"""


@dataclass(frozen=True)
class Request:
    """A command line, understood."""

    sources: list[Source]
    inputs: dict[str, Input]
    options: Options
    arguments: argparse.Namespace
    times: Times
    """Of stages and passes, where they are asked for."""

    @property
    def types(self) -> dict[str, Type]:
        """The types of the inputs."""
        return {name: each.type for name, each in self.inputs.items()}

    @property
    def storage(self) -> dict[str, str]:
        """The dtypes of the inputs."""
        return {name: each.storage for name, each in self.inputs.items()}


FORMAT = ("--format", {"choices": ("apl", "json"), "default": "apl"})
OWN_OPTIONS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "run": (FORMAT, ("--time", {"action": "store_true"})),
    "check": (("--json", {"action": "store_true"}),),
    "emit": (("-o", {"dest": "output", "metavar": "OUT"}), ("--after", {"metavar": "PASS"})),
    "explain": (FORMAT, ("--graph", {"metavar": "FILE"})),
}
"""The options that only some commands have."""


def request_of(command: str, arguments: list[str]) -> Request:
    """What a command is asked for. Parses options, reads the files and the inputs' headers."""
    name = "aplc" if command == "run" else f"aplc {command}"
    parser = Parser(prog=name, add_help=False, allow_abbrev=False)
    stages = command == "emit"
    if stages:
        parser.add_argument("stage")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--target", default="c")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE.npy")
    parser.add_argument("--threads", type=_thread_count, default=0, metavar="N")
    parser.add_argument("-O", dest="level", type=int, choices=(0, 1, 2, 3), default=2)
    parser.add_argument("--no-cache", action="store_true")
    parser.add_argument("--dump-after", metavar="PASS")
    parser.add_argument("--passes", metavar="A,B,…")
    parser.add_argument("--verify", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--strict-fp", action="store_true")
    parser.add_argument("--unsafe", action="store_true")
    parser.add_argument("--ct", type=_tolerance, default=DEFAULTS.tolerance, metavar="T")
    parser.add_argument("--no-files", action="store_true")
    parser.add_argument("--check-overflow", action="store_true")
    parser.add_argument("--memory-limit", type=_bytes, metavar="BYTES")
    parser.add_argument("--time-limit", type=_seconds, metavar="SECONDS")
    parser.add_argument("--device", default="")
    parser.add_argument("--precision", choices=PRECISIONS, default="double")
    parser.add_argument("--arrays", choices=("flat", "hybrid"), default="hybrid")
    for option, how in OWN_OPTIONS[command]:
        parser.add_argument(option, **how)
    parsed = parser.parse_intermixed_args(arguments)
    if parsed.target not in TARGETS:
        raise UsageError(f"--target is one of {', '.join(TARGETS)}, not {parsed.target}")
    if stages:
        _require_stage(parsed.stage)
        if parsed.after is not None:
            _require_pass(parsed.after, *_starts())
    if command == "explain" and parsed.graph is not None:
        _require_picture(parsed.graph)
    sources = [_read(path) for path in parsed.files]
    inputs: dict[str, Input] = {}
    for argument in parsed.input:
        name_of_input, value = read_input(argument, header_only=command != "run")
        if name_of_input in inputs:
            raise UsageError(f"--input {name_of_input} is given twice")
        inputs[name_of_input] = value
    times = Times()
    options = replace(_options(parsed), timed=times.add if getattr(parsed, "time", False) else untimed)
    return Request(sources, inputs, options, parsed, times)


def _thread_count(text: str) -> int:
    """A number of threads."""
    if not re.fullmatch("[0-9]{1,9}", text, re.ASCII) or not 0 < int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_THREADS} is expected, not {text}")
    return int(text)


def _seconds(text: str) -> float:
    """A time limit."""
    with suppress(ValueError):
        seconds = seconds_of(float(text)) if text.isascii() and "_" not in text else None
        if seconds is not None:
            return seconds
    raise argparse.ArgumentTypeError(f"a positive number of seconds is expected, not {text}")


def _tolerance(text: str) -> float:
    """⎕CT."""
    with suppress(ValueError):
        return tolerance_of(float(text.replace("¯", "-")))
    raise argparse.ArgumentTypeError(f"a number from 0 to {MOST_TOLERANT:g} is expected, not {text}")


def _bytes(text: str) -> int:
    """A number of bytes; K, M, G and T behind it are powers of 1024."""
    found = re.fullmatch(r"([0-9]{1,18})([KMGT]?)", text.upper(), re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"a number of bytes as in 2000000, 500M or 2G is expected, not {text}"
        )
    return min(int(found[1]) << 10 * " KMGT".index(found[2] or " "), MOST_BYTES)


def _require_stage(stage: str) -> None:
    if stage not in STAGES:
        raise UsageError(f"a stage is one of {', '.join(STAGES)}, not {stage}")


def _require_picture(path: str) -> None:
    if not path.lower().endswith(PICTURES):
        endings = f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}"
        raise UsageError(f"--graph writes a file whose name ends in {endings}, not {path}")


def _options(parsed: argparse.Namespace) -> Options:
    targets = (parsed.target, getattr(parsed, "stage", ""))
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
    if "\0" in path:
        raise UsageError("a file name holds a character that no name can hold")
    try:
        if path == "-":
            return decode(sys.stdin.buffer.read(), "standard input")
        with open_regular(path) as file:
            return decode(file.read(), path)
    except OSError as failure:
        reason = "there is no such file" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise file_error(path, f"{path} cannot be read: {reason}") from None
