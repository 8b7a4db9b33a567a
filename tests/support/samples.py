"""Samples: APL programs that say in a header of comments what they do, and their runner.

`docs/samples.md` is the format. A sample runs on the reference interpreter without and with the passes of
TAIL, and as C at several levels, against one expectation; its TAIL, written out and read back, must do the
same.

    read_sample(path)    a sample, or `HeaderError` with the line at fault
    faults(sample, ways) what is wrong with it, a line each: none if all is well
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from zlib import crc32

from aplc.cases.header import Case as Case
from aplc.cases.header import HeaderError as HeaderError
from aplc.cases.header import read_header
from aplc.cases.running import Built, Outcome, against_header, build, run, same_json
from aplc.cases.running import same_line as same_line
from aplc.cases.structure import count_structure
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.inputs import decode
from aplc.laila.devices.device_mapping import Division
from aplc.options import Options
from aplc.tail.errors import AplcError
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from tests.support.days import DAY, all_today
from tests.support.paths import ROOT

SAMPLES = ROOT / "apl_samples"
REFERENCE = "interp -O0"
WAYS: dict[str, Options] = {
    f"{target} -O{level}": Options(target, level, verify=True)
    for target, levels in (("interp", (0, 2)), ("c", (0, 1, 2, 3)))
    for level in levels
} | {
    f"openmp -O{level}, {threads} threads": Options("openmp", level, verify=True, threads=threads)
    for level, threads in ((2, 2), (2, 1), (1, 3), (0, 2), (2, 3))
}
"""There OpenMP runs the shortest loops in threads."""
CHUNKS = Division(items=3, least_work=1, least_rows=1)
WAYS |= {
    "opencl -O2, chunks": Options("opencl", verify=True, division=CHUNKS),
    "opencl -O2, steps": Options(
        "opencl", verify=True, division=replace(CHUNKS, shared=False, grid=128, lanes=0, vector=0)
    ),
}
"""There all loops are kernels: in chunks, as for a processor, or in steps, as for a GPU."""
ON_DEVICE = tuple([way for way in WAYS if way.startswith("opencl")])
WAYS |= {"opencl -O2": Options("opencl", verify=True)}
"""There loops run as for a user: those of samples are short, and nearly all in the threads of the host."""
DEFAULT_WAY = "c -O2"
"""The default target and level of the compiler; the structure of a program is that of its C there."""

IN_TURN = tuple([way for way in WAYS if way not in (REFERENCE, DEFAULT_WAY, *ON_DEVICE)])
TURNS = (*IN_TURN, *IN_TURN, *IN_TURN, *ON_DEVICE)
"""A sample runs in one of these every tenth day, and then as TAIL text, too; in the default way every fifth
day. With APLC_TESTS=all it runs in all ways.
"""


def ways_of(name: str, today: int | None = None) -> list[str]:
    """In which ways the sample of that name runs on a day, given by its ordinal number."""
    if all_today():
        return list(WAYS)
    day = DAY if today is None else today
    turn, part = divmod(crc32(name.encode()) + day, 10)
    chosen = {REFERENCE} | ({DEFAULT_WAY} if part % 5 == 0 else set())
    if part == 0:
        chosen.add(TURNS[turn % len(TURNS)])
    return [way for way in WAYS if way in chosen]


# --- the header -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Sample:
    """A program and its header."""

    path: Path
    name: str
    data: bytes
    cases: list[Case] = field(default_factory=list)
    structure: dict[str, int] = field(default_factory=dict)
    xfail: str = ""


def sample_paths() -> list[Path]:
    """All samples, in the order of their names."""
    return sorted(SAMPLES.rglob("*.apl"))


def sample_name(path: Path) -> str:
    """The path of a sample below `apl_samples`, without its ending."""
    return path.relative_to(SAMPLES).with_suffix("").as_posix() if path.is_relative_to(SAMPLES) else path.stem


def read_sample(path: Path) -> Sample:
    """The sample in a file. Raises `HeaderError`."""
    data = path.read_bytes()
    header = read_header(data, path.name)
    return Sample(path, sample_name(path), data, header.cases, header.structure, header.xfail)


# --- running --------------------------------------------------------------------------------------------


def faults(sample: Sample, ways: Sequence[str]) -> list[str]:
    """What a sample does not do as its header says, and in which of the ways; the first is the reference."""
    found: dict[str, list[str]] = {}
    built: dict[str, list[Built]] = {}

    def build_one(case: Case, way: str) -> Built:
        return build(lambda: decode(sample.data, sample.name), case.inputs, WAYS[way])

    for case in sample.cases:
        label = f"case {case.title}: " if case.title else ""
        if case.signature not in built:
            with ThreadPoolExecutor() as pool:  # it is gcc that they wait for
                built[case.signature] = list(pool.map(partial(build_one, case), ways))
        outcomes = [run(program, case.inputs) for program in built[case.signature]]
        for way, outcome in zip(ways, outcomes, strict=True):
            for text in (*against_header(outcome, case), *_against_reference(outcome, outcomes[0])):
                found.setdefault(label + text, []).append(way)
        for text in _guarded(_tail_faults(sample, case, outcomes[0])) if len(ways) > 2 else ():
            found.setdefault(label + text, []).append("TAIL as text")
    for text in _guarded(_structure_faults(sample)):
        found.setdefault(text, []).append(DEFAULT_WAY)
    return [f"{text} ({', '.join(where)})" for text, where in found.items()]


def _guarded(checks: Iterator[str]) -> Iterator[str]:
    """What checks find, to which their own failure belongs."""
    try:
        yield from checks
    except Exception as failure:
        yield f"{type(failure).__name__}: {failure}"


def _tail_of(sample: Sample, case: Case) -> Term | None:
    """The program as the front end gives it; None if it refuses it."""
    types = {name: given.type for name, given in case.inputs.items()}
    try:
        return to_tail([decode(sample.data, sample.name)], types).term
    except AplcError:
        return None


def _against_reference(outcome: Outcome, reference: Outcome) -> Iterator[str]:
    """Where types, shapes or elements differ from those of the reference interpreter."""
    if outcome.crash or reference.crash:
        return
    for number, (wanted, value) in enumerate(zip_longest(reference.values, outcome.values), start=1):
        if wanted is None or value is None or not same_json(json.loads(wanted), json.loads(value)):
            yield f"value {number} is {value}, {REFERENCE} has {wanted}"


def _tail_faults(sample: Sample, case: Case, reference: Outcome) -> Iterator[str]:
    """The program as TAIL text must read back as itself and do the same, before and after the passes."""
    plain = _tail_of(sample, case)
    if plain is None:
        return
    yield from _text_faults("tail", plain, case, reference)
    yield from _text_faults("tail-opt", optimise(plain, Options()), case, reference)


def _text_faults(label: str, term: Term, case: Case, reference: Outcome) -> Iterator[str]:
    text = print_term(term)
    source = Source(f"{label}.tail", text)
    if (again := print_term(parse_term(source))) != text:
        yield f"{label}: the text\n{text}\nreads back as\n{again}"
    outcome = run(build(lambda: source, case.inputs, WAYS[REFERENCE]), case.inputs)
    wanted, kinds = [e.kind for e in reference.errors], [e.kind for e in outcome.errors]
    if (outcome.lines, outcome.values, kinds) != (reference.lines, reference.values, wanted):
        yield f"{label}: gives {outcome}, expected {reference}"


# --- the structure of generated C -----------------------------------------------------------------------


def _structure_faults(sample: Sample) -> Iterator[str]:
    """Where the C of the first case has not the structure that the header says."""
    if not sample.structure:
        return
    case, options = sample.cases[0], WAYS[DEFAULT_WAY]
    term = _tail_of(sample, case)
    if term is None:
        yield "structure: there is no C, the program is wrong"
        return
    storage = {name: given.storage for name, given in case.inputs.items()}
    program, make = to_laila(optimise(term, options), storage, options)
    counts = count_structure(to_c(program, make, options).text)
    for key, wanted in sample.structure.items():
        if counts[key] != wanted:
            yield f"structure: {key} {counts[key]}, expected {wanted}"
