"""The command line: `aplc FILE.apl…`, `aplc check`, `aplc emit STAGE`. Values go to standard output, all
else to standard error.

Exit status: 0 ran; 1 the user's program or a file is wrong; 2 the command line is wrong; 3 the machine
lacks something; 70 a bug of ours. A user's mistake never shows a Python traceback.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from apl_front.ast_print import render
from apl_front.parser import decode
from aplc.checking import check_program
from aplc.command_line import Parser, UsageError, file_error, write_text
from aplc.compiler import (
    MOST_THREADS,
    TARGETS,
    OnPrint,
    Options,
    Result,
    compile_program,
    optimise,
    parse_files,
    to_c,
    to_laila,
    to_opencl,
    to_tail,
    with_deep_stack,
)
from aplc.inputs import Input, read_npy, touch
from laila.divide import EVERYTHING
from laila.settings import Settings
from laila.text_print import print_program
from tail.display import display, to_json
from tail.errors import AplcError, InternalError, MachineError
from tail.pipeline import PASSES
from tail.source import Source
from tail.syntax import Term
from tail.text_print import print_term
from tail.types import Base

OK, WRONG_PROGRAM, WRONG_COMMAND, LACKING, BUG = 0, 1, 2, 3, 70

COMMANDS = ("run", "check", "emit", "explain", "bench")
LATER_COMMANDS = ("repl", "lsp", "kernel", "doctor")
STAGES = ("ast", "tail", "tail-opt", "laila", "c", "openmp", "opencl")
LATER_OPTIONS = ("precision",)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open till the end)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends generated code at once, too
    try:
        status = _guarded(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone, which is its right
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG_PROGRAM
    except OSError as failure:
        return _say(f"cannot write: {failure.strerror or failure}", LACKING)
    return status


def _guarded(arguments: list[str]) -> int:
    """The command, with every failure turned into a message and a status."""
    try:
        return _command(arguments)
    except UsageError as wrong:
        return _say(str(wrong), WRONG_COMMAND)
    except AplcError as error:
        sys.stdout.flush()
        for diagnostic in error.diagnostics:
            print(diagnostic.render(), file=sys.stderr)
        return WRONG_PROGRAM
    except MachineError as lacking:
        return _say(str(lacking), LACKING)
    except BrokenPipeError:
        raise
    except OSError as failure:
        if failure.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        return _bug(failure)
    except MemoryError:
        return _say("WS FULL: not enough memory", WRONG_PROGRAM)
    except Exception as failure:
        return _bug(failure)


def _say(message: str, status: int) -> int:
    with suppress(OSError):
        sys.stdout.flush()
    print(f"aplc: {message}", file=sys.stderr)
    return status


def _bug(failure: Exception) -> int:
    if os.environ.get("APLC_DEBUG"):
        raise failure
    where = failure.stage if isinstance(failure, InternalError) else type(failure).__name__
    _say(f"this is a bug in aplc, not in your program ({where})", BUG)
    print(f"  {failure}", file=sys.stderr)
    print(
        "  please report it with the program that shows it; APLC_DEBUG=1 shows the whole story",
        file=sys.stderr,
    )
    return BUG


# --- the command line -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """A command line, understood."""

    sources: list[Source]
    inputs: dict[str, Input]
    options: Options
    arguments: argparse.Namespace


def _command(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in LATER_COMMANDS:
        raise UsageError(f"aplc {first} is not there yet")
    if not first:
        raise UsageError(f"no file is given\n{_USAGE}")
    if {"-h", "--help"} & set(arguments):
        print(_USAGE)
        return OK
    if first == "--version":
        from aplc import __version__  # noqa: PLC0415 (the package imports this module's neighbours)

        print(f"aplc {__version__}")
        return OK
    if first == "bench":
        from aplc.bench.command import bench  # noqa: PLC0415 (the other commands start faster without it)

        return bench(arguments[1:])
    if first == "check":
        return _check(_request(arguments[1:], "aplc check", _check_arguments))
    if first == "emit":
        return _emit(_request(arguments[1:], "aplc emit", _emit_arguments))
    if first == "explain":
        return _explain(_request(arguments[1:], "aplc explain", _explain_arguments))
    return _run(_request(arguments[1:] if first == "run" else arguments, "aplc", _run_arguments))


_USAGE = """usage: aplc FILE.apl… [options]          compile and run
       aplc check FILE.apl… [--json]    prove annotations, print the types of functions and values
       aplc emit STAGE FILE.apl… [-o OUT]   print a stage: ast, tail, tail-opt, laila, c, openmp, opencl
       aplc explain FILE.apl… [options] which arrays are fused or written, why, and the bytes that loops move
       aplc bench [NAME…] [options]     the benchmark suite and its tables

options:
  --target interp|c|openmp|opencl   where it runs (default c)
  --threads N             threads for openmp (default: what OpenMP says, one for each processor)
  --device NAME           the OpenCL device whose name has this in it (default: a GPU if there is one)
  --input NAME=FILE.npy   NAME is that array in the program
  --format apl|json       how values are printed
  --time                  compile time, run time and peak memory, on standard error
  -O 0|1|2|3              optimisation level (default 2)
  --no-cache              compile anew
  --dump-after PASS|all   print the program after a pass, on standard error
  --passes A,B,…          the passes to run
  --strict-fp             doubles are those of the interpreter to the last bit
  --unsafe                no run-time checks
  --check-overflow        an integer that does not fit 64 bits is an error
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


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true")


def _emit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", dest="output", metavar="OUT")


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("apl", "json"), default="apl")


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("apl", "json"), default="apl")
    parser.add_argument("--time", action="store_true")


def _request(arguments: list[str], name: str, extra: Callable[[argparse.ArgumentParser], None]) -> Request:
    """Parse options, read the files and the inputs' headers."""
    parser = Parser(prog=name, add_help=False, allow_abbrev=False)
    stages = name == "aplc emit"
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
    parser.add_argument("--check-overflow", action="store_true")
    parser.add_argument("--device", default="")
    parser.add_argument("--arrays", choices=("flat", "hybrid"), default="hybrid")
    for option in LATER_OPTIONS:
        parser.add_argument(f"--{option}", help=argparse.SUPPRESS)
    extra(parser)
    parsed = parser.parse_intermixed_args(arguments)
    _refuse_later(parsed)
    if stages:
        _require_stage(parsed.stage)
    sources = [_read(path) for path in parsed.files]
    inputs: dict[str, Input] = {}
    for argument in parsed.input:
        name_of_input, value = read_npy(argument)
        if name_of_input in inputs:
            raise UsageError(f"--input {name_of_input} is given twice")
        inputs[name_of_input] = value
    return Request(sources, inputs, _options(parsed), parsed)


def _thread_count(text: str) -> int:
    """A number of threads."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_THREADS} is expected, not {text}")
    return int(text)


def _refuse_later(parsed: argparse.Namespace) -> None:
    for option in LATER_OPTIONS:
        if getattr(parsed, option.replace("-", "_")) not in (None, False):
            raise UsageError(f"--{option} is not there yet")
    if parsed.target not in TARGETS:
        raise UsageError(f"--target is one of {', '.join(TARGETS)}, not {parsed.target}")


def _require_stage(stage: str) -> None:
    if stage not in STAGES:
        raise UsageError(f"a stage is one of {', '.join(STAGES)}, not {stage}")


def _options(parsed: argparse.Namespace) -> Options:
    known = [each.name for each in PASSES]
    passes = None if parsed.passes is None else tuple([n for n in parsed.passes.split(",") if n])
    for name in passes or ():
        if name not in known:
            raise UsageError(f"there is no pass {name}; there are {', '.join(known)}")
    wanted = parsed.dump_after
    if wanted is not None and wanted not in (*known, "elaborate", "all"):
        raise UsageError(f"there is no pass {wanted}; there are elaborate, {', '.join(known)}, and all")

    def dump(name: str, term: Term) -> None:
        if wanted in (name, "all"):
            print(f"-- after {name}\n{print_term(term)}", file=sys.stderr)

    settings = Settings(parsed.strict_fp, parsed.unsafe, parsed.check_overflow, parsed.arrays)
    if parsed.threads and parsed.target != "openmp" and getattr(parsed, "stage", "") != "openmp":
        raise UsageError("--threads needs --target openmp")
    return Options(
        parsed.target,
        parsed.level,
        not parsed.no_cache,
        passes,
        dump,
        parsed.verify,
        settings,
        parsed.threads,
        parsed.device,
    )


def _read(path: str) -> Source:
    """The text of a file, or of standard input for `-`."""
    try:
        if path == "-":
            return decode(sys.stdin.buffer.read(), "standard input")
        return decode(Path(path).read_bytes(), path)
    except OSError as failure:
        reason = "there is no such file" if isinstance(failure, FileNotFoundError) else failure.strerror
        raise file_error(path, f"{path} cannot be read: {reason}") from None
    except ValueError:  # a NUL in the name
        raise UsageError("a file name holds a character that no name can hold") from None


# --- commands -------------------------------------------------------------------------------------------


def _run(request: Request) -> int:
    started = time.perf_counter()
    types = {name: i.type for name, i in request.inputs.items()}
    storage = {name: i.storage for name, i in request.inputs.items()}
    compiled = compile_program(request.sources, types, storage, request.options)
    compile_seconds = time.perf_counter() - started
    show = _shower(request.arguments.format, sys.stdout)
    arrays = [request.inputs[name].value for name in compiled.inputs]
    if request.arguments.time:
        for array in arrays:
            touch(array)
    started = time.perf_counter()
    results = compiled.run(arrays, show)
    run_seconds = time.perf_counter() - started
    for value, base in compiled.shown(results):
        show(value, base, compiled.digits)
    if request.arguments.time:
        sys.stdout.flush()
        _report_time(compile_seconds, run_seconds)
    return OK


def _shower(form: str, out: TextIO) -> OnPrint:
    def show(value: Result, base: Base | None, digits: int) -> None:
        if form == "json":
            out.write(to_json(value, base=base.value if base else "") + "\n")
            return
        has_no_rows = not isinstance(value, tuple) and value.ndim > 1 and 0 in value.shape[:-1]
        if not has_no_rows:
            out.write(display(value, chars=base is Base.CHAR, precision=digits) + "\n")

    return show


def _report_time(compile_seconds: float, run_seconds: float) -> None:
    print(f"compile  {compile_seconds * 1000:10.3f} ms", file=sys.stderr)
    print(f"run      {run_seconds * 1000:10.3f} ms", file=sys.stderr)
    print(f"memory   {_peak_memory() / 2**20:10.1f} MB", file=sys.stderr)


def _peak_memory() -> int:
    """The most bytes this process has had in memory, those of mapped inputs included."""
    with suppress(OSError, ValueError, IndexError):  # what a parent used counts in getrusage, not here
        status = Path("/proc/self/status").read_text("ascii")
        return int(status.split("VmHWM:")[1].split()[0]) * 1024
    import resource  # noqa: PLC0415 (POSIX only)

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _check(request: Request) -> int:
    """Prove the annotations, print the types of functions and values: the text or the JSON of a report."""
    types = {name: i.type for name, i in request.inputs.items()}
    found = check_program(request.sources, types)
    if request.arguments.json:
        sys.stdout.write(json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n")
    else:
        for line in found.lines():
            print(line)
        sys.stdout.flush()
        for diagnostic in found.diagnostics:
            print(diagnostic.render(), file=sys.stderr)
    return WRONG_PROGRAM if found.diagnostics else OK


def _explain(request: Request) -> int:
    """Tell what is fused and what is written to memory: as text, or an object a line."""
    if request.options.target == "interp":
        raise UsageError("the interpreter computes every array as a whole; there is nothing to explain")
    from aplc.explain import explain  # noqa: PLC0415 (the other commands start faster without it)
    from aplc.explain_text import json_lines, lines  # noqa: PLC0415

    told = with_deep_stack(lambda: explain(request.sources, request.inputs, request.options))
    for line in json_lines(told) if request.arguments.format == "json" else lines(told):
        print(line)
    return OK


def _emit(request: Request) -> int:
    text = with_deep_stack(lambda: _stage(request)) + "\n"
    output = request.arguments.output
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(Path(output), text)
    return OK


def _stage(request: Request) -> str:
    """The text of a stage, without its last newline."""
    stage = request.arguments.stage
    if stage == "ast":
        if any(source.name.endswith(".tail") for source in request.sources):
            raise UsageError("a .tail file is not APL text, so it has no stage ast")
        return "\n".join([render(file).rstrip("\n") for file in parse_files(request.sources)])
    types = {name: i.type for name, i in request.inputs.items()}
    storage = {name: i.storage for name, i in request.inputs.items()}
    term = to_tail(request.sources, types).term
    if stage == "tail":
        return print_term(term)
    term = optimise(term, request.options)
    if stage == "tail-opt":
        return print_term(term)
    program, make = to_laila(term, storage, request.options)
    if stage == "laila":
        return print_program(program)
    if stage == "opencl":
        every = replace(request.options, division=EVERYTHING)
        return to_opencl(program, make, every)[1].text.rstrip("\n")
    return to_c(program, make, replace(request.options, target=stage)).text.rstrip("\n")


if __name__ == "__main__":
    sys.exit(main())
