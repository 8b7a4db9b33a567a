"""The command line: `aplc FILE.apl…`, `aplc check`, `aplc emit STAGE`. Values go to standard output, all
else to standard error.

Exit status: 0 ran; 1 the user's program or a file is wrong; 2 the command line is wrong; 3 the machine
lacks something; 70 a bug of ours. A user's mistake never shows a Python traceback.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from aplc.backends.native.run import OnPrint, Result
from aplc.backends.native.time_limit import limited, too_long
from aplc.command_line import BUG, LACKING, OK, WRONG_COMMAND, WRONG_PROGRAM, UsageError, nearest
from aplc.command_options import DOES, OTHER_HELP, USAGE, parser_of
from aplc.compiled import Compiled
from aplc.inputs import UnusedInput, by_part, touch
from aplc.outputs import write_outputs
from aplc.program_cache import keep, kept, kept_key
from aplc.request import Request, request_of
from aplc.shell.on_terminal import message, saying
from aplc.tail.display import display, has_lines, to_json
from aplc.tail.errors import LINES, AplcError, CompileError, InternalError, MachineError
from aplc.tail.legible import legible
from aplc.tail.types import Base
from aplc.timing import Times

GRACE = 1.0
"""Seconds that a program has to come to its end when its time is up."""
UNWRITABLE = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN, errno.ENXIO, errno.ENODEV,
)  # fmt: skip
"""Why standard output takes no more."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the shell closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open till the end)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout = _whole(sys.stdout)
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends generated code at once, too
    try:
        status = _guarded(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone, which is its right
        _silence(sys.stdout)
        _silence(sys.stderr)
        return WRONG_PROGRAM
    except OSError as failure:
        _silence(sys.stdout)
        return _say(f"cannot write: {legible(failure.strerror or str(failure))}", LACKING)
    return status


def _guarded(arguments: list[str]) -> int:
    """The command, with every failure turned into a message and a status."""
    try:
        return _command(arguments)
    except SystemExit as done:  # a parser has shown its help
        return int(done.code or OK)
    except UsageError as wrong:
        return _say(str(wrong), WRONG_COMMAND)
    except UnusedInput as unused:
        sys.stdout.flush()
        for each in unused.diagnostics:
            _tell(message(each.render(), sys.stderr) if each.span else f"aplc: {each.message}")
        return WRONG_COMMAND
    except AplcError as error:
        sys.stdout.flush()
        for diagnostic in error.diagnostics:
            _tell(message(diagnostic.render(), sys.stderr))
        return WRONG_PROGRAM
    except MachineError as lacking:
        return _say(str(lacking), LACKING)
    except BrokenPipeError:
        raise
    except OSError as failure:
        if failure.errno in UNWRITABLE and failure.filename is None:
            raise
        return _bug(failure)
    except MemoryError:
        return _say("WS FULL: not enough memory", WRONG_PROGRAM)
    except Exception as failure:
        return _bug(failure)


def _say(message: str, status: int) -> int:
    with suppress(OSError):
        sys.stdout.flush()
    _tell(f"aplc: {message}")
    return status


def _tell(text: str) -> None:
    """Write to standard error. Where that is full, the status is all that is left to say."""
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        _silence(sys.stderr)


def _whole(stream: TextIO) -> TextIO:
    """The stream as one that writes all that it is given, or fails. Without a buffer, as `PYTHONUNBUFFERED`
    wants it, Python takes no notice of what a write has left.
    """
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=stream.encoding, errors=stream.errors, line_buffering=True
    )


def _silence(stream: TextIO) -> None:
    """What a stream still holds goes nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _bug(failure: Exception) -> int:
    if os.environ.get("APLC_DEBUG"):
        raise failure
    where = failure.stage if isinstance(failure, InternalError) else type(failure).__name__
    _say(f"this is a bug in aplc, not in your program ({where})", BUG)
    _tell(f"  {legible(str(failure), keep=LINES)}")
    _tell("  please report it with the program that shows it; APLC_DEBUG=1 shows the whole story")
    return BUG


# --- the command line ---------------------------------------------------------------------------------


def _command(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first == "help" and not os.path.exists(first):
        return _command([*arguments[1:2], "--help"])
    if first == "repl" or (not first and sys.stdin.isatty() and sys.stdout.isatty()):
        from aplc.repl.command import repl  # noqa: PLC0415 (the other commands start faster without it)

        return repl(arguments[1:])
    if not first:
        raise UsageError("no file is given", USAGE)
    if first == "completion":
        from aplc.shell.completion import completion  # noqa: PLC0415 (the other commands start faster without it)

        return completion(arguments[1:])
    if first == "lsp":
        from aplc.language_server.command import language_server  # noqa: PLC0415 (the other commands start faster)

        return language_server(arguments[1:])
    if first == "watch":
        from aplc.shell.watching import watch  # noqa: PLC0415 (the other commands start faster without it)

        return watch(arguments[1:])
    if first == "build":
        from aplc.build.command import build  # noqa: PLC0415 (the other commands start faster without it)

        return build(arguments[1:])
    if first == "kernel":
        from aplc.notebook.command import kernel  # noqa: PLC0415 (the other commands start faster without it)

        return kernel(arguments[1:])
    if first == "play":
        from aplc.play.command import play  # noqa: PLC0415 (the other commands start faster without it)

        return play(arguments[1:])
    if first == "test":
        from aplc.cases.command import test  # noqa: PLC0415 (the other commands start faster without it)

        return test(arguments[1:])
    if {"-h", "--help"} & set(arguments):
        print(parser_of(first).format_help().rstrip() if first in DOES else OTHER_HELP.get(first, USAGE))
        return OK
    if first == "--version":
        from aplc import __version__  # noqa: PLC0415 (the package imports this module's neighbours)

        print(f"aplc {__version__}")
        return OK
    if first == "bench":
        from aplc.bench.command import bench  # noqa: PLC0415 (the other commands start faster without it)

        return bench(arguments[1:])
    if first == "doctor":
        from aplc.doctor import doctor  # noqa: PLC0415 (the other commands start faster without it)

        return doctor(arguments[1:])
    if first in ("check", "emit", "explain"):
        from aplc.commands import COMMANDS, check_unread  # noqa: PLC0415 (a kept program starts faster without it)

        try:
            request = request_of(first, arguments[1:])
        except CompileError as wrong:
            if first == "check" and "--json" in arguments:
                return check_unread(wrong.diagnostics)
            raise
        return _in_time(request, lambda: COMMANDS[first](request))
    _require_no_command(first)
    request = request_of("run", arguments[1:] if first == "run" else arguments)
    return _in_time(request, lambda: _run(request))


def _require_no_command(word: str) -> None:
    """Raise `UsageError` for what is no file and nearly a command."""
    if not re.fullmatch("[a-z]{3,12}", word) or word == "run" or os.path.exists(word):
        return
    from aplc.shell.completion import COMMANDS  # noqa: PLC0415 (for errors only)

    if near := nearest(word, COMMANDS):
        raise UsageError(f"there is no file and no command {word}; did you mean aplc {near}?")


def _in_time(request: Request, work: Callable[[], int]) -> int:
    """The status of a command within its time limit. What cannot be ended ends with the process."""
    try:
        return _limited(request.options.time_limit, work)
    except UnusedInput as unused:
        raise request.given.told(unused) from None


def _limited(seconds: float | None, work: Callable[[], int]) -> int:
    """The status of work that may take so long."""
    if seconds is None:
        return work()

    def end() -> None:
        _tell(str(too_long(seconds)))
        os._exit(WRONG_PROGRAM)

    clock = threading.Timer(seconds + GRACE, end)
    clock.daemon = True
    clock.start()
    try:
        return limited(seconds, work)
    finally:
        clock.cancel()


def _run(request: Request) -> int:
    started = time.perf_counter()
    compiled = _compiled(request)
    compile_seconds = time.perf_counter() - started
    is_at_once = any([given.is_mapped for given in request.inputs.values()])
    show = _shower(request.arguments.format, sys.stdout, is_at_once=is_at_once)
    given = by_part(request.inputs)
    arrays = [given[name].value for name in compiled.inputs]
    if request.arguments.time:
        for array in arrays:
            touch(array)
    started = time.perf_counter()
    results = compiled.run(arrays, show)
    run_seconds = time.perf_counter() - started
    if request.outputs:
        write_outputs(request.outputs, results, compiled.type)
    else:
        for value, base in compiled.shown(results):
            show(value, base, compiled.digits)
    if request.arguments.time:
        sys.stdout.flush()
        _report_time(compile_seconds, run_seconds, request.times)
    return OK


def _compiled(request: Request) -> Compiled:
    """The program of a request, which may be kept from an earlier run."""
    program = (request.sources, request.types, request.storage, request.options)
    key = kept_key(*program)
    compiled = kept(key, request.options)
    if compiled is None:
        started = time.perf_counter()
        from aplc.compiler import compile_program  # noqa: PLC0415 (a program that was kept does without)

        request.options.timed("load", time.perf_counter() - started)
        gc.disable()  # nearly all that compiling makes lives to its end, so looking for the rest takes longer
        try:
            with saying("compiling " + ", ".join([source.name for source in request.sources])):
                compiled = compile_program(*program, all_used=True)
        finally:
            gc.enable()
        keep(key, compiled)
    return compiled


def _shower(form: str, out: TextIO, *, is_at_once: bool) -> OnPrint:
    """What writes values, at once where the process may end before the program does."""

    def show(value: Result, base: Base | None, digits: int) -> None:
        if form == "json":
            out.write(to_json(value, base=base.value if base else "") + "\n")
        elif has_lines(value):
            out.write(display(value, chars=base is Base.CHAR, precision=digits) + "\n")
        if is_at_once:
            out.flush()

    return show


def _report_time(compile_seconds: float, run_seconds: float, parts: Times) -> None:
    """Tell what took how long; compiling has parts, unless the program was kept."""
    _tell(f"compile  {compile_seconds * 1000:10.3f} ms")
    for name, seconds in parts.items():
        _tell(f"  {name:20} {seconds * 1000:10.3f} ms")
    _tell(f"run      {run_seconds * 1000:10.3f} ms")
    _tell(f"memory   {_peak_memory() / 2**20:10.1f} MB")


def _peak_memory() -> int:
    """The most bytes this process has had in memory, those of mapped inputs included."""
    with suppress(OSError, ValueError, IndexError):  # what a parent used counts in getrusage, not here
        status = Path("/proc/self/status").read_text("ascii")
        return int(status.split("VmHWM:")[1].split()[0]) * 1024
    import resource  # noqa: PLC0415 (POSIX only)

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
