"""Random programs on every target: `python -m tests.fuzz_targets --seconds N --seed S [--keep-going]`.

Each program runs on the reference interpreter, before and after the TAIL passes, and as C at several levels.
With `--target openmp` it is C with OpenMP, whose shortest loops run in threads: level 23 is level 3 in two.
With `--target opencl` all loops are kernels: at level 102 in chunks, at 122 with two threads of the host,
too, at 202 as on a device with memory of its own, at 302 as on one whose groups look back.
What it prints, its result and the kind of its error must be the same; doubles may differ in the ninth digit.
A program that does not agree is made as small as it can be, and printed with its inputs. Run it from the root
of the repository.

Programs are compiled many at a time, into one shared object a level, and run in a process of their own, which
may crash. There is nothing to compare where the interpreter does not agree with itself: when it reduces in
another order, with powers and logarithms that differ in the last bit. Which of several errors comes first is
free, and so is what is printed before it: the interpreter may also evaluate arguments in the other order, and
shapes before elements. Where overflow is checked, what is not needed need not be computed.
"""

import argparse
import faulthandler
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

from aplc.backends.c.program import CProgram
from aplc.backends.native import run as run_native
from aplc.backends.native.run import NativeProgram, headers
from aplc.backends.native.toolchain import Compiler, compile_shared, find_compiler, find_threads, flags
from aplc.backends.opencl.device import find_device
from aplc.backends.opencl.emit import ClProgram
from aplc.backends.opencl.run import OpenclProgram
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.device_mapping import Division
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.options import Options
from aplc.tail.errors import CompileError, InternalError, MachineError, Unsupported
from aplc.tail.optimise.kept_storage import kept_storage
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.targets.interp import Interpreted
from aplc.targets.opencl import to_opencl
from tests.support.apl_programs.programs import random_program
from tests.support.apl_programs.trees import Program, smaller
from tests.support.haste import KERNEL_FLAGS
from tests.support.observing import (
    Observed,
    Value,
    difference,
    is_sensitive,
    kinds_of_errors,
    observe,
    without_overflow,
)

REJECTED, AGREED, SENSITIVE, DIFFERS, CRASHED = "rejected", "agreed", "sensitive", "differs", "crashed"
ORDER = "another of several errors"
UNNEEDED = "no overflow, as the value is not needed"
COMPARED = (AGREED, ORDER, UNNEEDED, DIFFERS, CRASHED)
SECONDS_PER_PROGRAM = 20
"""Of the processor, as others may use it too."""
SECONDS_ASLEEP = 600
"""Where PoCL looks for more options when it builds a program."""
MAX_BYTES = 2 << 30
"""What one batch may take beyond what it was forked with."""


class Given(Protocol):
    """What can be compared: a text, and inputs by name."""

    @property
    def text(self) -> str: ...

    @property
    def inputs(self) -> dict[str, Value]: ...


@dataclass(frozen=True)
class Outcome:
    """What became of a program: one of the words above, and what there is to say about it."""

    status: str
    detail: str = ""

    @property
    def is_failure(self) -> bool:
        return self.status in (DIFFERS, CRASHED)


@dataclass(frozen=True)
class Way:
    """How a program is compiled: a level as above, what users can choose, and whether in haste: the optimiser
    of the C compiler takes five times as long as all the rest, and that of kernels twice as long.
    """

    level: int
    settings: Settings = DEFAULTS
    in_haste: bool = False
    """Whether the C compiler does not optimise, nor the driver its kernels."""

    def __str__(self) -> str:
        chosen = [f.name for f in fields(Settings) if getattr(self.settings, f.name) is True]
        return " ".join([f"level {self.level}", *chosen, *["in haste"] * self.in_haste])

    @property
    def has_threads(self) -> bool:
        return self.level // 10 % 10 > 0

    @property
    def is_on_device(self) -> bool:
        return self.level >= 100


Made = tuple[CProgram, ClProgram | None]
"""The C of a program, and its kernels if it has a device."""
STEPS = Division(items=3, least_work=1, least_rows=1, shared=False, grid=128, lanes=0, vector=0)
DIVISIONS = {
    1: Division(items=3, least_work=1, least_rows=1),
    2: STEPS,
    3: replace(STEPS, looks_back=True),
}
"""How loops are divided on the device, by the hundreds of a level."""


# --- one batch ------------------------------------------------------------------------------------------


@dataclass
class Case:
    term: Term
    inputs: list[Value]
    storage: dict[str, str]
    expected: Observed
    settings: Settings = DEFAULTS


def prepared(program: Given, settings: Settings = DEFAULTS) -> Case | Outcome:
    """The program elaborated and interpreted, or why there is nothing to compare."""
    checked = settings.check_overflow
    given = {name: as_input(value) for name, value in program.inputs.items()}
    types = {name: g.type for name, g in given.items()}
    try:
        source = Source(getattr(program, "name", "text"), program.text)
        term = to_tail([source], types, value_of_assignment=True).term
    except (CompileError, Unsupported) as error:
        return Outcome(REJECTED, f"{error.diagnostics[0].kind}: {error.diagnostics[0].message}")
    inputs = [g.value for g in given.values()]
    expected = observe(Interpreted(term, checked).run, inputs)
    if isinstance(expected.results, str) and expected.results == "WS FULL":
        return Outcome(REJECTED, "WS FULL")
    if isinstance(expected.results, str) and settings.unsafe:
        return Outcome(REJECTED, f"{expected.results}, which is not looked for")
    optimised = optimise(term, Options(verify=True))
    after = observe(Interpreted(optimised, checked).run, inputs)
    found = difference(expected, after)
    if found:
        if checked and not difference(without_overflow(term, inputs), after):
            return Outcome(UNNEEDED, found)
        errors = {each.results for each in (expected, after) if isinstance(each.results, str)}
        known = kinds_of_errors(term, inputs, check_overflow=checked, optimised=False)
        if len(errors) == 2 and errors <= known:
            return Outcome(ORDER, found)
        if is_sensitive(term, inputs, expected, check_overflow=checked):
            return Outcome(SENSITIVE, found)
        return Outcome(DIFFERS, f"interpreter, before and after the passes: {found}")
    return Case(term, inputs, {name: g.storage for name, g in given.items()}, expected, settings)


def judged(case: Case, got: Observed, detail: str) -> Outcome:
    """What a difference means."""
    checked = case.settings.check_overflow
    errors = [o.results for o in (case.expected, got) if isinstance(o.results, str)]
    if len(errors) == 2 and set(errors) <= kinds_of_errors(case.term, case.inputs, check_overflow=checked):
        return Outcome(ORDER, detail)
    if checked and not difference(without_overflow(case.term, case.inputs), got):
        return Outcome(UNNEEDED, detail)
    if is_sensitive(case.term, case.inputs, case.expected, check_overflow=checked):
        return Outcome(SENSITIVE, detail)
    return Outcome(DIFFERS, detail)


def c_of(case: Case, level: int) -> CProgram:
    """The C text at a level, with a result that is stored as its elements came, as for users of Python."""
    kept = kept_storage(case.term, case.storage).replace("uint32", "")  # which characters have
    target = "openmp" if level >= 10 else "c"
    options = Options(target, level % 10, verify=True, settings=case.settings, result_storage=kept)
    program, make = to_laila(optimise(case.term, options), case.storage, options)
    return to_c(program, make, options)


def made_of(case: Case, level: int) -> Made:
    """What is to be compiled and run at a level."""
    if level < 100:
        return c_of(case, level), None
    division = DIVISIONS[level // 100]
    lanes = min(division.lanes, find_device().lanes)
    division = replace(division, lanes=lanes, in_threads=level // 10 % 10 > 0)
    options = Options("opencl", level % 10, verify=True, division=division, settings=case.settings)
    program, make = to_laila(optimise(case.term, options), case.storage, options)
    return to_opencl(program, make, options)


def joined(programs: list[tuple[int, CProgram]]) -> str:
    """One C file of several programs: each has its own entry, and its own names for tables and functions."""
    parts: list[str] = []
    for number, program in programs:
        tables = re.findall(r"^static const \w+ (\w+)\[\]", program.text, re.MULTILINE)
        functions = re.findall(r"^static (?:\w+ )+(\w+)\(", program.text, re.MULTILINE)
        types = re.findall(r"^} (\w+);$", program.text, re.MULTILINE)
        names = ["aplc_run", *tables, *types, *dict.fromkeys(functions)]
        parts += [f"#define {name} {name}__{number}" for name in names]
        parts += [program.text, *[f"#undef {name}" for name in names]]
    return "\n".join(parts) + "\n"


def compiled_by(compiler: Compiler, source: Path, output: Path, way: Way) -> None:
    """One file of C compiled. Raises `InternalError` where the compiler refuses it."""
    if not way.in_haste:
        compile_shared(compiler, source, output, way.level % 10)
        return
    options = (*flags(compiler, way.level % 10), "-O0", "-w", "-pipe")
    command = (*compiler.command, *options, "-o", str(output), str(source), "-lm")
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise InternalError("C compiler", done.stderr)


def loaded(
    made: list[tuple[int, Made]], way: Way, directory: Path
) -> dict[int, NativeProgram | OpenclProgram]:
    """The programs compiled together and loaded."""
    level = way.level
    programs = [(number, program) for number, (program, _) in made]
    stem = f"batch{level}_{programs[0][0]}_{len(programs)}"
    source, output = directory / f"{stem}.c", directory / f"{stem}.so"
    source.write_text(run_native.DEBUG + joined(programs), "utf-8")
    for name, header in headers().items():
        (directory / name).write_text(header, "utf-8")
    threads = level // 10 % 10
    compiled_by(find_threads() if threads else find_compiler(), source, output, way)
    library = run_native.opened(programs[0][1], output.read_bytes())
    natives = {
        number: run_native.loaded(program, library, f"aplc_run__{number}", debug=True, threads=threads)
        for number, program in programs
    }
    if level < 100:
        return dict(natives)
    os.environ[KERNEL_FLAGS] = "-cl-opt-disable" if way.in_haste else ""
    device, is_shared = find_device(), DIVISIONS[level // 100].shared
    return {
        number: OpenclProgram(natives[number], kernels, device, is_shared)
        for number, (_, kernels) in made
        if kernels is not None
    }


def _work(programs: Sequence[Given], ways: Sequence[Way], report: Any) -> None:
    try:
        _batch(programs, ways, report)
    except Exception:
        report.send((-1, traceback.format_exc()))


def _address_space() -> int:
    """Bytes of addresses that this process has taken: what a fork inherits is not a program's doing."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 0


def _batch(programs: Sequence[Given], ways: Sequence[Way], report: Any) -> None:
    """The outcome of every program, through `report`; what has none when this ends has crashed."""
    settings = ways[0].settings
    limit = _address_space() + MAX_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what the C library says of a heap that is broken
    cases: dict[int, Case] = {}
    done: dict[int, Outcome] = {}

    def attempt(number: int, doing: str, work: Callable[[], Any]) -> Any:
        report.send((number, doing))
        signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_PROGRAM)
        signal.alarm(SECONDS_ASLEEP)
        try:
            return work()
        except Exception as failure:
            done[number] = Outcome(DIFFERS, f"{doing}: {type(failure).__name__}: {failure}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
        return None

    for number, program in enumerate(programs):
        case = attempt(number, "interpreter", lambda: prepared(program, settings))  # noqa: B023
        if isinstance(case, Outcome):
            done[number] = case
        elif case is not None:
            cases[number] = case
    with tempfile.TemporaryDirectory() as scratch:
        for way in ways:
            level = way.level
            texts: list[tuple[int, Made]] = []
            for number, case in cases.items():
                made = attempt(number, f"compiler at level {level}", lambda: made_of(case, level))  # noqa: B023
                if made is not None:
                    texts.append((number, made))
            natives: dict[int, NativeProgram | OpenclProgram] = {}
            report.send((-1, f"C compiler at level {level}"))
            try:
                natives = loaded(texts, way, Path(scratch)) if texts else {}
            except (InternalError, MachineError):  # the C compiler refuses one of them, or fails on it
                for each in texts:
                    one = [each]
                    doing = f"C compiler at level {level}"
                    made = attempt(each[0], doing, lambda: loaded(one, way, Path(scratch)))  # noqa: B023
                    natives |= made or {}
            for number, native in natives.items():
                case, doing = cases[number], f"C at level {level}"
                got = attempt(number, doing, lambda: observe(native.run, case.inputs))  # noqa: B023
                exactly = settings.strict_fp
                found = difference(case.expected, got, exactly=exactly) if got is not None else ""
                if found:
                    done[number] = judged(case, got, f"{doing}: {found}")
            cases = {number: case for number, case in cases.items() if number not in done}
    done |= {number: Outcome(AGREED) for number in cases}
    report.send(done)


def compare(programs: Sequence[Given], levels: Sequence[int | Way] = (0, 2)) -> list[Outcome]:
    """The outcomes of programs, in a process of their own. After a crash the others are run again. Ways must
    agree in their settings.
    """
    ways = [each if isinstance(each, Way) else Way(each) for each in levels]
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(programs, ways, sender), daemon=True)
    worker.start()
    sender.close()
    last: tuple[int, str] = (-1, "start")
    try:
        while True:
            message = receiver.recv()
            if isinstance(message, dict):
                worker.join()
                return [message[k] for k in range(len(programs))]
            last = message
    except EOFError:
        worker.join()
    number, doing = last
    if number < 0:
        raise RuntimeError(f"the worker ended: {doing}")
    status = worker.exitcode or 0
    ended = signal.Signals(-status).name if status < 0 else f"status {status}"
    crash = Outcome(CRASHED, f"{doing}: {ended}")
    if doing == "interpreter" and status == -signal.SIGPROF:
        crash = Outcome(REJECTED, "it has no end")
    others = [q for k, q in enumerate(programs) if k != number]
    outcomes = compare(others, levels) if others else []
    return [*outcomes[:number], crash, *outcomes[number:]]


# --- shrinking and the campaign -------------------------------------------------------------------------


def _key(outcome: Outcome) -> str:
    """What a smaller program must still show: where it fails, not the values."""
    head = re.sub(r"\d+", "", outcome.detail.split(": ")[0])
    return f"{outcome.status} {head}"


def minimised(
    program: Program, outcome: Outcome, levels: Sequence[int | Way], seconds: float
) -> tuple[Program, Outcome]:
    """A smaller program that fails in the same place."""
    end = time.monotonic() + seconds
    key = _key(outcome)
    if found := re.search(r"level (\d+)", outcome.detail):
        level = int(found[1])
        levels = [w for w in levels if level == (w.level if isinstance(w, Way) else w)]
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        candidates = list(smaller(program))
        for start in range(0, len(candidates), 24):
            some = candidates[start : start + 24]
            for candidate, other in zip(some, compare(some, levels), strict=True):
                if other.is_failure and _key(other) == key:
                    program, outcome, progress = candidate, other, True
                    break
            if progress or time.monotonic() > end:
                break
    return program, outcome


def _hasty(*levels: int) -> tuple[tuple[Way], ...]:
    return tuple([(Way(level, in_haste=True),) for level in levels])


LEVELS: dict[str, tuple[tuple[int | Way, ...], ...]] = {
    "c": (*_hasty(2, 0, 3), (2,), *_hasty(2, 1, 3), (3,)),
    "openmp": (*_hasty(22, 32, 23), (22,), *_hasty(20, 12, 33), (21,)),
    "opencl": (*_hasty(102, 202, 302, 100), (Way(202),), *_hasty(102, 202, 302, 122), (Way(102),)),
}
"""What a campaign compares, by turns. What the optimiser of C makes of the host's part is for the others."""


def campaign(seconds: float, seed: int, batch: int, *, keep_going: bool, target: str = "c") -> int:
    """Compare programs until the time is over or one fails; the number of failures."""
    end = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    failures = 0
    while time.monotonic() < end and (keep_going or not failures):
        programs = [random_program(Random(s)) for s in range(seed, seed + batch)]
        levels = LEVELS[target][seed // batch % len(LEVELS[target])]
        outcomes = compare(programs, levels)
        counts.update(o.status for o in outcomes)
        for k, outcome in enumerate(outcomes):
            if outcome.is_failure:
                failures += 1
                print(f"--- seed {seed + k}: {outcome.detail}", flush=True)
                program, least = minimised(programs[k], outcome, levels, 60)
                print(f"{least.status}: {least.detail}\n{program}\n", flush=True)
        seed += batch
    shown = ", ".join([f"{n} {status}" for status, n in counts.most_common()])
    print(f"{sum(counts.values())} programs up to seed {seed}: {shown}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--batch", type=int, default=40, help="programs compiled together")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    parser.add_argument("--target", choices=tuple(LEVELS), default="c")
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}, process {os.getpid()}", flush=True)
    how = {"keep_going": chosen.keep_going, "target": chosen.target}
    return min(1, campaign(chosen.seconds, chosen.seed, chosen.batch, **how))


if __name__ == "__main__":
    sys.exit(main())
