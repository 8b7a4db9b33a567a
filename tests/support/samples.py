"""Samples: APL programs that say in a header of comments what they do, and their runner.

`docs/samples.md` is the format. A sample runs on the reference interpreter without and with the passes of
TAIL, and as C at several levels, against one expectation; its TAIL, written out and read back, must do the
same.

    read_sample(path)    a sample, or `HeaderError` with the line at fault
    faults(sample, ways) what is wrong with it, a line each: none if all is well
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from aplc.backends.native.run import Result
from aplc.compiled import Compiled
from aplc.compiler import compile_program, optimise, to_c, to_laila, to_tail
from aplc.inputs import Input, as_input, decode
from aplc.laila.devices.device_mapping import Division
from aplc.options import Options
from aplc.tail.display import DIGITS, display, to_json
from aplc.tail.errors import AplcError, Diagnostic
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Base
from tests.support.generated_c.structure import STRUCTURE_KEYS, count_structure
from tests.support.paths import ROOT

SAMPLES = ROOT / "apl_samples"
TOLERANCE = 1e-9
"""Relative; for numbers that are printed, and for doubles as JSON."""

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
DEFAULT_WAY = "c -O2"
"""The default target and level of the compiler; the structure of a program is that of its C there."""

ON_DEVICE = tuple([way for way in WAYS if way.startswith("opencl")])
IN_TURN = tuple([way for way in WAYS if way.startswith(("c ", "openmp ")) and way != DEFAULT_WAY])
TURNS = (*IN_TURN, *IN_TURN, *IN_TURN, *ON_DEVICE)
"""A sample runs in one of these every fourth day, as compilers take their time; with APLC_SAMPLES=all in all
ways.
"""


def ways_of(name: str, today: int | None = None) -> list[str]:
    """In which ways the sample of that name runs on a day, given by its ordinal number."""
    if os.environ.get("APLC_SAMPLES") == "all":
        return list(WAYS)
    day = date.today().toordinal() if today is None else today
    turn, is_off = divmod(crc32(name.encode()) + day, 4)
    chosen = "" if is_off else TURNS[turn % len(TURNS)]
    return [way for way in WAYS if way == chosen or way not in TURNS]


# --- the header -----------------------------------------------------------------------------------------


class HeaderError(Exception):
    """A header that does not keep to the format; the message begins with the file and the line."""


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """A line `error LINE:COLUMN KIND: fragment of the message`."""

    line: int
    column: int
    kind: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column} {self.kind}: …{self.fragment}…"

    def agrees(self, diagnostic: Diagnostic) -> bool:
        """Whether this is the error that was expected."""
        span = diagnostic.span
        where = span and (span.line, span.column)
        right_place = where == (self.line, self.column)
        return right_place and diagnostic.kind == self.kind and self.fragment in diagnostic.message


@dataclass(slots=True)
class Case:
    """One run of a sample: its inputs and all that it must show."""

    title: str = ""
    inputs: dict[str, Input] = field(default_factory=dict)
    output: list[str] | None = None
    json: list[dict[str, Any]] = field(default_factory=list)
    errors: list[ExpectedError] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """What of the inputs a program is compiled for."""
        return ", ".join([f"{name} {given.type} {given.storage}" for name, given in self.inputs.items()])

    @property
    def expects_something(self) -> bool:
        """Whether there is anything that could fail."""
        return self.output is not None or bool(self.json) or bool(self.errors)


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
    sample = Sample(path, sample_name(path), path.read_bytes())
    common = Case()
    for number, word, rest in _directives(sample.data, path):
        try:
            if word == "case":
                if common.expects_something:
                    raise ValueError("what is expected stands below its case")
                sample.cases.append(Case(rest.strip(), dict(common.inputs)))
            else:
                _directive(sample, sample.cases[-1] if sample.cases else common, word, rest)
        except (ValueError, KeyError, TypeError) as wrong:
            raise HeaderError(f"{path.name}:{number}: {wrong}") from None
    sample.cases = sample.cases or [common]
    if not all(each.expects_something for each in sample.cases):
        raise HeaderError(f"{path.name}: a sample expects output, json or an error, in each of its cases")
    return sample


def _directives(data: bytes, path: Path) -> Iterator[tuple[int, str, str]]:
    """The lines `⍝ == WORD REST` of the header: number, word, and the rest behind one blank."""
    in_header = True
    for number, line in enumerate(data.decode("utf-8-sig", errors="replace").split("\n"), start=1):
        in_header = in_header and line.startswith("⍝")
        if found := re.fullmatch(r"⍝ ==(?: (\w+)(?: (.*))?)?\r?", line):
            if not in_header:
                raise HeaderError(f"{path.name}:{number}: the header ends at the first line of program")
            yield number, found.group(1) or "", found.group(2) or ""


def _directive(sample: Sample, case: Case, word: str, rest: str) -> None:
    """Add what one line says to the sample or to its case; ValueError if it says nothing."""
    match word:
        case "input":
            case.inputs |= dict([_read_input(rest)])
        case "output":
            case.output = [*(case.output or []), rest.rstrip()]
        case "json":
            value = json.loads(rest)
            if not isinstance(value, dict):
                raise ValueError("an object is expected, {…}")
            case.json.append(value)
        case "error":
            case.errors.append(_read_error(rest))
        case "structure":
            sample.structure |= _read_structure(rest)
        case "xfail":
            sample.xfail = rest.strip()
            if not sample.xfail:
                raise ValueError("xfail needs its reason")
        case _:
            raise ValueError(f"there is no directive {word or '(none)'}")


_DTYPES = {"int": "int64", "double": "float64", "bool": "bool", "char": "<U1"}
_INPUT = re.compile(r"([^\s:]+) +([a-z]\w*)((?: +\d+)*) *:(.*)")
_ERROR = re.compile(r"(\d+):(\d+) ([A-Z][A-Z ]*[A-Z]): (.+)")


def _read_input(text: str) -> tuple[str, Input]:
    """`NAME dtype shape: data`; no shape for a scalar; `arange` for 0, 1, 2 … in data."""
    found = _INPUT.fullmatch(text)
    if found is None:
        raise ValueError("an input is written NAME dtype shape: data")
    name, dtype, shape, data = found[1], np.dtype(_DTYPES.get(found[2], found[2])), found[3], found[4].strip()
    extents = tuple([int(n) for n in shape.split()])
    count = math.prod(extents)
    if data == "arange":
        array = np.arange(count).astype(dtype)
    elif dtype.kind == "U":
        if len(data) < 2 or data[0] != "'" or data[-1] != "'":
            raise ValueError("characters are written in quotes")
        array = np.array(list(data[1:-1]), dtype)
    else:
        number: Callable[[str], Any] = {"f": float, "c": _complex}.get(dtype.kind, int)
        array = np.array([number(item.replace("¯", "-")) for item in data.split()], dtype)
    if array.size != count:
        raise ValueError(f"{name} has {array.size} elements, its shape {count}")
    return name, as_input(array.reshape(extents))


def _complex(text: str) -> complex:
    return complex(*[float(part) for part in text.split("J")])


def _read_error(text: str) -> ExpectedError:
    found = _ERROR.fullmatch(text.strip())
    if found is None:
        raise ValueError("an error is written LINE:COLUMN KIND: fragment of the message")
    return ExpectedError(int(found[1]), int(found[2]), found[3], found[4])


def _read_structure(text: str) -> dict[str, int]:
    """`{loops 1, allocs 0}`"""
    found = re.fullmatch(r"\{(.*)\}", text.strip())
    entries = [entry.split() for entry in found[1].split(",")] if found else []
    if not entries or not all(len(e) == 2 and e[0] in STRUCTURE_KEYS and e[1].isdigit() for e in entries):
        raise ValueError(f"a structure is written {{KEY N, …}} with the keys {', '.join(STRUCTURE_KEYS)}")
    return {key: int(count) for key, count in entries}


# --- running --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Outcome:
    """What a program showed: lines of text, values as JSON, the errors that ended it; or how we failed."""

    lines: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    errors: tuple[Diagnostic, ...] = ()
    crash: str = ""

    def show(self, value: Result, base: Base | None, digits: int = DIGITS) -> None:
        """Take a value as the command line would print it."""
        self.values.append(to_json(value, base=base.value if base else ""))
        if not isinstance(value, tuple) and value.ndim > 1 and 0 in value.shape[:-1]:
            return  # an array without rows has no lines
        self.lines += display(value, chars=base is Base.CHAR, precision=digits).split("\n")


Built = Compiled | Exception


def build(source: Callable[[], Source], inputs: Mapping[str, Input], options: Options) -> Built:
    """A program compiled for the types of its inputs, or why there is none."""
    try:
        types = {name: given.type for name, given in inputs.items()}
        storage = {name: given.storage for name, given in inputs.items()}
        return compile_program([source()], types, storage, options)
    except Exception as failure:
        return failure


def run(program: Built, inputs: Mapping[str, Input]) -> Outcome:
    """The outcome of a program, whatever happens."""
    outcome = Outcome()
    try:
        if isinstance(program, Exception):
            raise program
        results = program.run([given.value for given in inputs.values()], outcome.show)
        for value, base in program.shown(results):
            outcome.show(value, base, program.digits)
    except AplcError as error:
        outcome.errors = error.diagnostics
    except Exception as failure:
        outcome.crash = f"{type(failure).__name__}: {failure}"
    return outcome


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
            for text in (*_against_header(outcome, case), *_against_reference(outcome, outcomes[0])):
                found.setdefault(label + text, []).append(way)
        for text in _guarded(_tail_faults(sample, case, outcomes[0])):
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


def _against_header(outcome: Outcome, case: Case) -> Iterator[str]:
    """Where an outcome differs from what the header says."""
    if outcome.crash:
        yield outcome.crash
        return
    for expected, error in zip_longest(case.errors, outcome.errors):
        if expected is None or error is None or not expected.agrees(error):
            got = error and f"{error.span}: {error.kind}: {error.message}"
            yield f"error {got}, expected {expected}"
    if case.output is not None or not case.json:
        for number, (wanted, line) in enumerate(zip_longest(case.output or [], outcome.lines), start=1):
            if wanted is None or line is None or not same_line(wanted, line):
                yield f"line {number} is {line!r}, expected {wanted!r}"
    if case.json:
        for number, (fields, value) in enumerate(zip_longest(case.json, outcome.values), start=1):
            if fields is None or value is None or not same_json(fields, json.loads(value)):
                yield f"value {number} is {value}, expected {fields}"


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


# --- comparing ------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"¯?(?:\d+(?:\.\d+)?(?:E¯?\d+)?|∞)")


def same_line(wanted: str, line: str) -> bool:
    """Whether two lines agree: as texts but for blanks at the end, or but for the last digits of numbers."""
    if wanted.rstrip() == line.rstrip():
        return True
    tokens = list(zip_longest(wanted.split(), line.split(), fillvalue=""))
    return [a for a, _ in tokens] != [b for _, b in tokens] and all(_same_token(a, b) for a, b in tokens)


def _same_token(wanted: str, token: str) -> bool:
    if wanted == token or not (_NUMBER.fullmatch(wanted) and _NUMBER.fullmatch(token)):
        return wanted == token
    a, b = [float(t.replace("¯", "-").replace("∞", "inf")) for t in (wanted, token)]
    return math.isclose(a, b, rel_tol=TOLERANCE)


def same_json(wanted: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether a value has the fields wanted: type and shape exactly, numbers within the tolerance."""
    return all(name in value and _same_item(item, value[name]) for name, item in wanted.items())


def _same_item(wanted: object, item: object) -> bool:
    if isinstance(wanted, list) and isinstance(item, list):
        return len(wanted) == len(item) and all(_same_item(a, b) for a, b in zip(wanted, item, strict=True))
    if isinstance(wanted, float) and isinstance(item, float):
        return math.isclose(wanted, item, rel_tol=TOLERANCE)
    return type(wanted) is type(item) and wanted == item


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
