"""The command `aplc test`: runs the cases that files state in their headers, and says what differs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from aplc.cases.header import Case, Header, read_header
from aplc.cases.running import Built, against_header, build, run
from aplc.cases.structure import count_structure
from aplc.command_line import OK, WRONG_PROGRAM, Parser, UsageError
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.inputs import decode
from aplc.options import Options
from aplc.request import read_bytes
from aplc.shell.on_terminal import verdict
from aplc.tail.errors import LINES, AplcError, MachineError
from aplc.tail.legible import legible
from aplc.targets import TARGETS

HELP = "run the cases that files state in their headers (⍝ == input, output, error …), say what differs"


def test(arguments: Sequence[str]) -> int:
    """Run the cases of files; the status is 1 where one does not do what its header says."""
    parser = Parser(prog="aplc test", description=HELP, allow_abbrev=False)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--targets", default="c", metavar="T,…", help="where they run, or all (default c)")
    parser.add_argument("-O", dest="level", type=int, choices=range(4), default=2, help="level (default 2)")
    parsed = parser.parse_intermixed_args(list(arguments))
    ways = [Options(target, parsed.level) for target in _targets(parsed.targets)]
    tally = Tally()
    for path in parsed.files:
        data = read_bytes(path)
        try:
            header = read_header(data, path)
        except AplcError as error:
            tally.enter(path, [error.diagnostics[0].render()])
            continue
        for case in header.cases:
            for options in ways:
                found = _faults(data, path, case, options)
                tally.enter(_label(path, case, options.target), list(found), header.xfail)
        if header.structure and any([options.target == "c" for options in ways]):
            tally.enter(f"{path} structure", list(_structure_faults(data, path, header)), header.xfail)
    print(f"{tally.good} of {tally.total} as stated")
    return OK if tally.good == tally.total else WRONG_PROGRAM


class Tally:
    """How many cases there were, and how many did what their headers say. Each is a line of output."""

    def __init__(self) -> None:
        self.total = self.good = 0

    def enter(self, label: str, faults: Sequence[str], xfail: str = "") -> None:
        """A case with what is wrong about it, which `xfail` says is to be expected, and why."""
        self.total += 1
        if xfail and not faults:
            faults = ["it is as stated: take out the line xfail"]
        elif xfail:
            faults = []
        self.good += not faults
        word = "FAIL " if faults else "xfail" if xfail else "ok   "
        shown = verdict(word.strip(), sys.stdout, is_good=not faults) + word[len(word.strip()) :]
        print(f"{shown} {legible(label)}", flush=True)
        for fault in faults:
            print("      " + legible(fault, keep=LINES).replace("\n", "\n      "))


def _targets(names: str) -> list[str]:
    if names == "all":
        return list(TARGETS)
    chosen = [name for name in names.split(",") if name]
    for name in chosen:
        if name not in TARGETS:
            raise UsageError(f"--targets are some of {', '.join(TARGETS)}, or all, not {name}")
    if not chosen:
        raise UsageError("--targets names no target")
    return chosen


def _label(path: str, case: Case, target: str) -> str:
    return f"{path} {case.title} ({target})" if case.title else f"{path} ({target})"


def _faults(data: bytes, path: str, case: Case, options: Options) -> Iterator[str]:
    """What a case does not do as its header says. Raises `MachineError` where it cannot run here."""
    built: Built = build(lambda: decode(data, path), case.inputs, options)
    if isinstance(built, MachineError):
        raise built
    yield from against_header(run(built, case.inputs), case)


def _structure_faults(data: bytes, path: str, header: Header) -> Iterator[str]:
    """Where the C of the first case has not the structure that the header says."""
    case, options = header.cases[0], Options("c")
    try:
        term = to_tail([decode(data, path)], {name: given.type for name, given in case.inputs.items()}).term
    except AplcError as error:
        yield f"there is no C, as the program is wrong: {error.diagnostics[0].message}"
        return
    storage = {name: given.storage for name, given in case.inputs.items()}
    program, make = to_laila(optimise(term, options), storage, options)
    counts = count_structure(to_c(program, make, options).text)
    for key, wanted in header.structure.items():
        if counts[key] != wanted:
            yield f"{key} {counts[key]}, expected {wanted}"
