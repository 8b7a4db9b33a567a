"""The C compiler of this machine: finding it, its flags, and turning C into a shared object.

    Compiler    the command that starts it, its family (gcc, clang, zig), the first line of `--version`

The environment variable CC decides where it is set; else gcc, then clang, then the Python package
`ziglang`. What a compiler answers to `--version` is kept on disk, so that only its first use starts
a process for it. A compiler that does not answer in time is ended: APLC_COMPILER_SECONDS says how long it
may take. This module knows nothing about what the C computes; which shared objects are kept, and for how
long, is `aplc.backends.native.cache`'s business.

Note [Elements between]
    Where the elements that a part of a loop writes have others between them, as those of a column have, gcc
    12 at -O3 reads what lies between, and writes it back behind the loop (predictive commoning, applied to
    writes). That is right in one thread; in several it undoes what another thread has written there. So
    programs with threads are compiled without it, but for functions that only one thread runs: those say so
    (APLC_IN_ORDER). A table of dynamic programming takes more than twice as long where each element is read
    back that was written in the round before.

Note [Sums of comparisons]
    Where a few elements of a row are folded without a loop, gcc 12 takes them for a vector (basic-block
    vectoriser). If they are comparisons that become bytes, as in the int8_t `(x[0] != 0) + (x[1] != 0) +
    (x[2] != 0) + (x[3] != 0)`, or extrema of such, from -O2 on it folds the masks: each that holds counts -1
    in place of 1. No form of C keeps it from that: whatever is compared and folded may be such a row.

Note [Reads of lanes in branches]
    A variable in which a loop in lanes accumulates is an array of lanes to gcc 12, whose elements it knows
    to be there. Of several folds of what conditions choose, as in `s += t ? a[i] : 0; s1 += u ? b[i] : 0;
    s2 += t ? b[i] : 0`, it joins choices by one condition, or of which one implies another, and what is
    between them stands in both branches then. Where code hoisting moves a read of such an array up in a
    branch, it forgets that the element is there: the read becomes one under a mask, and of these the
    vectoriser takes another vector in each round, from behind the array. Sums were not those of the
    elements, or the program read where there is no memory. What is worth to be moved up is a variable in
    the C that we write.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from aplc.backends.native.cache_directory import open_cache
from aplc.backends.native.private_files import WORK_PREFIX, temporary
from aplc.backends.native.processor import processor_features
from aplc.tail.errors import InternalError, MachineError

Kind = Literal["gcc", "clang", "zig"]

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
SECONDS = 600
"""Within which a compiler must have compiled a program, unless APLC_COMPILER_SECONDS says otherwise."""
ANSWER_SECONDS = 60
"""Within which it must have told its version."""


class NoSpace(MachineError):
    """The disk is full."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that answers `--version`; `version` is the first line of the answer.

    `threads` tells whether it compiles OpenMP with its threads, or only with its lanes.
    """

    command: tuple[str, ...]
    kind: Kind
    version: str
    threads: bool = False


def find_compiler() -> Compiler:
    """The compiler that CC names, else gcc, clang or zig; a MachineError says how to get one."""
    try:
        return _find(os.environ.get("CC", "").strip(), os.environ.get("PATH"))
    except OSError as exc:
        raise MachineError(f"no temporary file can be made: {exc}; TMPDIR says where they go") from exc


def find_threads() -> Compiler:
    """The compiler with threads; a MachineError says what is lacking."""
    compiler = find_compiler()
    if compiler.kind == "zig":
        raise MachineError(f"{shlex.join(compiler.command)} has no OpenMP; {_OPENMP}, or take --target c")
    return replace(compiler, threads=True)


_OPENMP = "install gcc with libgomp (`apt install gcc`, `dnf install gcc libgomp`, `apk add gcc libgomp`)"


@lru_cache(maxsize=8)
def _find(wanted: str, path: str | None) -> Compiler:
    if wanted:
        return _named(wanted, path)
    for name in ("gcc", "clang"):
        if (found := shutil.which(name, path=path)) and (compiler := _ask((found,))):
            return compiler
    zig = (sys.executable, "-P", "-m", "ziglang", "cc")  # -P: no file of the working directory is imported
    if _zig_program() and (compiler := _ask(zig)):
        return compiler
    raise MachineError(
        "no C compiler found: looked for gcc and clang on PATH and for the Python package ziglang; "
        "install gcc (`apt install gcc`, `dnf install gcc`, `pacman -S gcc`, `apk add gcc musl-dev`), "
        "or without root `pip install 'aplc[cc]'`"
    )


def _named(wanted: str, path: str | None) -> Compiler:
    """The compiler of the command line in CC, which is not blank."""
    head = f"the environment variable CC is {wanted}, "
    advice = "; set CC to a C compiler, or unset it to let aplc look for gcc, clang and zig"
    try:
        program, *arguments = shlex.split(wanted)
    except ValueError as exc:
        raise MachineError(f"{head}which is not a command line ({exc}){advice}") from exc
    if (found := shutil.which(program, path=path)) is None:
        raise MachineError(f"{head}and {program} cannot be found{advice}")
    if (compiler := _ask((found, *arguments))) is None:
        raise MachineError(f"{head}which does not answer --version{advice}")
    return compiler


def _zig_program() -> str:
    """The executable inside the Python package `ziglang`, which is not imported; "" where there is none."""
    spec = importlib.util.find_spec("ziglang")
    return str(Path(spec.origin).with_name("zig")) if spec is not None and spec.origin is not None else ""


def _ask(command: tuple[str, ...]) -> Compiler | None:
    """The compiler behind a command, by its answer on disk or by asking it; None where it gives none."""
    name, version = f"compiler-{_fingerprint(command)}", ""
    with suppress(OSError, UnicodeDecodeError), open_cache() as cache:
        version = cache.read(name).decode()
    if not version or not version.isprintable():
        status, answer = 1, ""
        with suppress(MachineError), temporary() as scratch:
            patience = min(ANSWER_SECONDS, _patience())
            status, answer = _run((*command, "--version"), scratch.path, patience)
        version = next(iter(answer.strip().splitlines()), "")
        if status != 0 or not version:
            return None
        with suppress(OSError), open_cache() as cache:  # not kept: asked again next time
            cache.write(name, version.encode())
    zig = "cc" in command and not {"zig", "ziglang"}.isdisjoint(Path(word).name for word in command)
    return Compiler(command, "zig" if zig else "clang" if "clang" in version.lower() else "gcc", version)


def _fingerprint(command: tuple[str, ...]) -> str:
    """Changes when the command changes, or a program that it names changes on disk."""
    facts: list[object] = [*command]
    for word in command:
        if (found := shutil.which(_zig_program() if word == "ziglang" else word)) is not None:
            status = os.stat(found)
            facts.append((os.path.realpath(found), status.st_mtime_ns, status.st_size))
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


_LEVELS = ("-O1", "-O2", "-O3", "-O3")
_MEANING = ("-std=gnu11", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off")
_FORM = ("-fPIC", "-shared", "-fvisibility=hidden")
_X86, _ARM = ("-march=native", "-mprefer-vector-width=512"), ("-mcpu=native",)
_MACHINE: dict[str, tuple[str, ...]] = {"x86_64": _X86, "aarch64": _ARM, "arm64": _ARM, "ppc64le": _ARM}

_OWN: dict[str, tuple[str, ...]] = {
    "gcc": (
        "-fno-loop-unroll-and-jam",  # two rounds of a loop around lanes in one: then these are none
        "-fno-tree-slp-vectorize",  # it makes wrong machine code, see Note [Sums of comparisons]
        "-fno-code-hoisting",  # it makes wrong machine code, see Note [Reads of lanes in branches]
        "-fno-gcse-after-reload",  # long functions take two thirds longer to compile with it
        "--param=max-cselib-memory-locations=20",  # with 500, its default, they take a seventh longer
        "-falign-loops=64",  # a short loop in two lines of the cache takes a tenth longer, or not
    ),
    "clang": (
        "-w",  # it warns of what is right, before it says what is wrong
        "-fno-omit-frame-pointer",  # without one vectors on the stack lie in two lines of the cache
    ),
    "zig": ("-w", "-fno-sanitize=undefined"),  # its default may trap
}
_OWN_IN_THREADS: dict[str, tuple[str, ...]] = {
    "gcc": ("-fno-predictive-commoning",),  # see Note [Elements between]
}


def flags(compiler: Compiler, level: int, machine: Sequence[str] | None = None) -> tuple[str, ...]:
    """The flags for an optimisation level, 0 to 3; never `-ffast-math`, which changes results. `machine` says
    for which processors, in place of the flags for that of this machine.
    """
    own = _OWN.get(compiler.kind, ())
    if compiler.threads:
        own += _OWN_IN_THREADS.get(compiler.kind, ())
    if compiler.kind == "clang" and 0 < _clang(compiler) < 16:
        own += ("-mllvm", "-capture-tracking-max-uses-to-explore=200")  # see `APLC_OVER_LANES`
    machine = _MACHINE.get(os.uname().machine, ()) if machine is None else machine
    own += _vector_math(compiler, machine)
    openmp = "-fopenmp" if compiler.threads else "-fopenmp-simd"
    return (_LEVELS[level], *_MEANING, *machine, openmp, *_FORM, *own)


def _clang(compiler: Compiler) -> int:
    """The version of clang, or of that of zig; 0 of gcc."""
    told = re.search(r"clang version (\d+)", compiler.version)
    return int(told[1]) if told is not None and compiler.kind != "gcc" else 0


def _vector_math(compiler: Compiler, machine: Sequence[str]) -> tuple[str, ...]:
    """How a compiler is told of functions of vectors, if libmvec has them: clang with GNU's C library. Our
    headers tell gcc. With AVX-512 it calls those of `aplc_svml.h`; later versions may ask for more than there
    are.
    """
    if not _has_vector_math(compiler):
        return ()
    if _is_wide(compiler, machine) and _clang(compiler) <= 22 and glibc_version() >= (2, 35):
        return ("-fveclib=SVML", "-DAPLC_SVML")
    return ("-fveclib=libmvec",)


def _is_wide(compiler: Compiler, machine: Sequence[str]) -> bool:
    """Whether programs have AVX-512, which flags in CC may take away."""
    if "-march=native" in machine and not any(re.match("-m.", word) for word in compiler.command):
        return "avx512f" in processor_features()
    return "-march=x86-64-v4" in machine


def _has_vector_math(compiler: Compiler) -> bool:
    return _clang(compiler) >= 14 and os.uname().machine == "x86_64" and glibc_version() > (0, 0)


def glibc_version() -> tuple[int, int]:
    """The version of the C library of GNU; (0, 0) if it is another."""
    said = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else ""
    found = re.search(r"(\d+)\.(\d+)", said or "")
    return (int(found[1]), int(found[2])) if found else (0, 0)


def compile_shared(
    compiler: Compiler,
    source_path: Path,
    output_path: Path,
    level: int,
    *,
    work: Sequence[str] = (),
    machine: Sequence[str] | None = None,
    linking: Sequence[str] = (),
) -> None:
    """Compile one C file into a shared object, which appears whole or not at all; as the flags of `linking`
    say into an object instead, or an object and more of them into a shared one.

    Temporary files lie beside the output and go away in every case, those of `work` if this process ends
    meanwhile. Raises MachineError where the machine lacks something, InternalError where the compiler rejects
    our C alone, OSError where no file can be made there.
    """
    directory = output_path.parent
    try:
        with tempfile.TemporaryDirectory("", WORK_PREFIX, directory, ignore_cleanup_errors=True) as scratch:
            fresh = Path(scratch, output_path.name)
            own = flags(compiler, level, machine)
            status, output = _compile(compiler, source_path, fresh, (*own, *linking), (scratch, *work))
            if status != 0 or not fresh.is_file():
                failure = _failure(compiler, status, output, directory)
                if isinstance(failure, InternalError) and not _compiles(compiler, scratch, level):
                    raise _none(compiler, output)
                raise failure
            fresh.replace(output_path)
    except OSError as exc:
        raise no_space(directory) if exc.errno in DISK_FULL else exc from None


def compile_objects(
    compiler: Compiler,
    source_path: Path,
    outputs: Mapping[Path, Sequence[str]],
    level: int,
    *,
    work: Sequence[str] = (),
) -> None:
    """Compile one C file into several objects at the same time, each with flags of its own.

    Temporary files and errors are those of `compile_shared`.
    """
    directory = source_path.parent
    own = (*compiler.command, *flags(compiler, level), "-c")
    commands = [(*own, *more, "-o", str(output), str(source_path)) for output, more in outputs.items()]
    with tempfile.TemporaryDirectory("", WORK_PREFIX, directory, ignore_cleanup_errors=True) as scratch:
        status, said = _run(at_once(commands), scratch, _patience(), (scratch, *work), compiler.command[0])
    if status != 0 or not all([output.is_file() for output in outputs]):
        raise _failure(compiler, status, said, directory)


def at_once(commands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A command that runs some at the same time, and ends with the last status that is not 0."""
    *others, last = map(shlex.join, commands)
    begin = " ".join([f'{other} & pids="$pids $!";' for other in others])
    wait = 'for pid in $pids; do wait "$pid" || status=$?; done; exit "$status"'
    return "/bin/sh", "-c", f"pids=; status=0; {begin} {last} || status=$?; {wait}"


def _compile(
    compiler: Compiler, source: Path, output: Path, flags: Sequence[str], work: Sequence[str]
) -> tuple[int, str]:
    libraries = ("-lm", "-lmvec") if compiler.kind == "zig" and _has_vector_math(compiler) else ("-lm",)
    command = (*compiler.command, *flags, "-o", str(output), str(source), *libraries)
    return _run(command, str(output.parent), _patience(), work)


CANARY = "#include <math.h>\n#include <stdint.h>\n#include <string.h>\nint64_t f(int64_t x) { return x; }\n"


def _compiles(compiler: Compiler, scratch: str, level: int) -> bool:
    """Whether a compiler compiles anything."""
    source, output = Path(scratch, "canary.c"), Path(scratch, "canary.so")
    source.write_text(CANARY, encoding="utf-8")
    status, _ = _compile(compiler, source, output, flags(compiler, level), (scratch,))
    return status == 0 and output.is_file()


def _none(compiler: Compiler, output: str) -> MachineError:
    """The error for a compiler that compiles nothing."""
    said = next((line.strip() for line in output.splitlines() if line.strip()), "it says nothing")
    return MachineError(
        f"{shlex.join(compiler.command)} does not compile the shortest of C ({said}); set CC to a C "
        "compiler, or unset it to let aplc look for gcc, clang and zig"
    )


def _patience() -> float:
    """The seconds that a compiler may take."""
    with suppress(ValueError):
        seconds = float(os.environ.get("APLC_COMPILER_SECONDS", ""))
        if 0 < seconds < threading.TIMEOUT_MAX:
            return seconds
    return SECONDS


def _run(
    command: tuple[str, ...], scratch: str, seconds: float, work: Sequence[str] = (), name: str = ""
) -> tuple[int, str]:
    """Run a command with stdin closed: its status, and all that it says, in English.

    Errors may call it by another name than its own.
    Its temporary files go into `scratch`, and the libc that zig builds once (47 MB) into the cache, or beside
    `scratch`. If this process ends meanwhile, so does the command, and `scratch` and `work` go away.
    """
    from aplc.backends.native.processes import OutOfTime, ended  # noqa: PLC0415 (most runs start no process)

    zig = os.path.join(os.path.dirname(scratch), "zig")
    with suppress(OSError), open_cache() as cache:
        zig = os.path.join(cache.path, "zig")
    env = {"ZIG_GLOBAL_CACHE_DIR": zig, **os.environ, "ZIG_LOCAL_CACHE_DIR": scratch}
    env |= {"TMPDIR": scratch, "LC_ALL": "C"}
    try:
        done = ended(command, seconds, env=env, together=True, removing=(scratch, *work))
    except OutOfTime:
        raise MachineError(
            f"{shlex.quote(name or command[0])} has not ended within {seconds:g} s; APLC_COMPILER_SECONDS "
            "says how long a compiler may take"
        ) from None
    except OSError as exc:
        raise MachineError(f"{name or command[0]} cannot be started: {exc.strerror}") from exc
    return done.status, done.output.decode(errors="replace")


# What a compiler says, and what the machine then lacks; the first row that matches counts.
_LACKS = (
    (
        r"cannot find -lg?omp|unable to find library -lg?omp|libgomp\.spec|omp\.h'?(?::| file)",
        f"the library of OpenMP; {_OPENMP}, for clang `apt install libomp-dev`",
    ),
    (
        r"cannot (?:find|open) \S*crt[1in]\.o|(?:cannot find|unable to find library) -l[cm]\b"
        r"|no include path in which|fatal error: '?(?:std\w+|math|string|errno|bits/\S+)\.h'?(?::| file)",
        "libc's start files and headers; apt install libc6-dev, dnf install glibc-devel, apk add musl-dev",
    ),
    (
        r"cannot find '(?:\S*-)?ld'|cannot execute '(?:as|ld)'|(?:execute command|Executable).*\b(?:as|ld)\b",
        "as and ld of the binutils; apt install binutils, dnf install binutils, apk add binutils",
    ),
    (
        r"cannot execute '\S*cc1|cannot (?:find|open) \S*crt(?:begin|end)S?\.o|find (?:library )?-lgcc",
        "all of gcc's parts; apt install gcc, dnf install gcc, apk add gcc",
    ),
    (r"Killed signal|[Cc]annot allocate memory|[Oo]ut of memory", "memory enough for the compiler"),
    (
        r"internal compiler error|signal terminated program|PLEASE (?:submit|ATTACH)|^ended by ",
        "a compiler that does not crash on it; install another one, or change CC",
    ),
    (
        r"unrecognized (?:command|option|argument)|unknown argument|unsupported option|bad value .* for",
        "a compiler that takes the flags of gcc 8 or clang 10; install a newer one, or change CC",
    ),
)


def _failure(compiler: Compiler, status: int, output: str, directory: Path) -> Exception:
    """The error for a compilation that failed: the machine's where its output is known, else ours."""
    name, lines = shlex.join(compiler.command), output.splitlines()
    if re.search(r"No space left on device|Disk quota exceeded|NoSpaceLeft", output):
        return no_space(directory)
    if status == 0:
        return MachineError(f"{name} ends well and writes no shared object; is it a C compiler?")
    if status == -signal.SIGKILL:
        lines.append("Killed signal")
    elif status < 0:
        lines.append(f"ended by {signal.strsignal(-status) or f'signal {-status}'}".lower())
    for pattern, lack in _LACKS:
        if evidence := [line.strip() for line in lines if re.search(pattern, line)]:
            return MachineError(f"{name} does not compile ({evidence[0]}): this machine lacks {lack}")
    lines.insert(0, f"{name} ({compiler.version}) ends with status {status} on our C code")
    return InternalError("compile-c", "\n  ".join(lines[:13]))


def no_space(directory: str | Path) -> NoSpace:
    """The error for a full disk."""
    advice = "make room there, or point APLC_CACHE_DIR or TMPDIR elsewhere"
    return NoSpace(f"no space left on the disk of {directory}; {advice}")
