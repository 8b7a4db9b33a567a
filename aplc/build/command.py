"""The command `aplc build`: functions of a program for callers that have no aplc."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from aplc.build.files import require_ours, write_all
from aplc.build.functions import LeftOut, build_functions, nothing_for_a_device
from aplc.build.kernels import division_of_library, has_kernels
from aplc.build.library import endings, library_files
from aplc.build.wheel import wheel_files, wheel_path
from aplc.command_line import OK, Parser, UsageError
from aplc.inputs import decode
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.request import read_bytes
from aplc.tail.legible import legible

HELP = (
    "make a library for C of the functions of a program that have an annotation: NAME.h, NAME.c, NAME.so and "
    "NAME.pc for pkg-config; with --kernels large loops run on an OpenCL device; with --python a wheel whose "
    "module needs NumPy only"
)
TARGETS = ("c", "openmp")


def build(arguments: Sequence[str]) -> int:
    """Build what is asked for, and say which files there are now."""
    parsed = _parser().parse_intermixed_args(list(arguments))
    place = Path(parsed.output)
    name = _required_name(place.name)
    sources = [decode(read_bytes(path), "standard input" if path == "-" else path) for path in parsed.files]
    settings = Settings(parsed.strict_fp, parsed.unsafe, parsed.check_overflow)
    options = _options(parsed, settings)
    cpu = _machine(parsed.cpu)
    if parsed.python:
        paths = [wheel_path(place.parent, name)]
    else:
        paths = [place.parent / f"{name}{ending}" for ending in endings(options)]
    require_ours(paths)
    built, left_out = build_functions(sources, parsed.function, options)
    if parsed.kernels and not has_kernels(built):
        raise nothing_for_a_device(built)
    shown = ", ".join([os.path.basename(path) for path in parsed.files])
    if parsed.python:
        contents = wheel_files(paths[0], name, built, shown, options, cpu)
    else:
        contents = library_files(place.parent, name, built, shown, options, cpu)
    write_all(contents)
    _tell(list(contents), left_out)
    hiding = place.parent / f"{name}.so"
    if parsed.python and hiding.exists():
        why = f"is what Python finds under the name {name} where it is started there, not the module"
        print(legible(f"aplc: {hiding} {why}"), file=sys.stderr)
    return OK


def _options(parsed: argparse.Namespace, settings: Settings) -> Options:
    if not parsed.kernels:
        return Options(parsed.target, parsed.level, settings=settings)
    division = division_of_library(in_threads=parsed.target == "openmp")
    return Options("opencl", parsed.level, settings=settings, division=division)


def _parser() -> Parser:
    parser = Parser(prog="aplc build", description=HELP, allow_abbrev=False)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="APL text; several files are one program")
    add("-o", dest="output", required=True, metavar="NAME", help="as libsignal, or a path that ends in it")
    add(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="build this one (default: all that have an annotation)",
    )
    add("--python", action="store_true", help="a wheel, NAME-0.1.0-….whl, whose module needs NumPy only")
    add(
        "--kernels",
        action="store_true",
        help="large loops run on an OpenCL device, which NAME_init() chooses; their text is NAME.cl",
    )
    add("--target", choices=TARGETS, default="c", help="openmp: loops in threads (default c)")
    add(
        "--cpu",
        default="",
        metavar="NAME",
        help="for these processors alone, as native or x86-64-v3 (default: all of this kind)",
    )
    add("-O", dest="level", type=int, choices=range(4), default=2, help="optimisation level (default 2)")
    add("--strict-fp", action="store_true", help="doubles are those of the interpreter to the last bit")
    add("--unsafe", action="store_true", help="no run-time checks")
    add("--check-overflow", action="store_true", help="an integer that does not fit 64 bits is an error")
    return parser


def _required_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.+-]*", name, re.ASCII):
        shown = name or "nothing"
        raise UsageError(f"-o needs a name of letters, digits and _, as in libsignal, not {shown}")
    return name


def _machine(cpu: str) -> tuple[str, ...]:
    """The flags for processors of a name."""
    if not cpu:
        return ()
    if not re.fullmatch(r"[A-Za-z0-9_.+=-]+", cpu, re.ASCII):
        raise UsageError(f"--cpu needs the name of a processor, not {cpu}")
    is_x86 = os.uname().machine in ("x86_64", "i686")
    return (f"-march={cpu}", "-mprefer-vector-width=512") if is_x86 else (f"-mcpu={cpu}",)


def _tell(paths: Sequence[Path], left_out: Sequence[LeftOut]) -> None:
    """What there is now, and what is not in it."""
    print(legible("made " + ", ".join([str(path) for path in paths])))
    for each in left_out:
        print(legible(f"aplc: left out {each.name}: {each.why}"), file=sys.stderr)
