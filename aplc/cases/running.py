"""Running a program for a case, and where what it showed differs from what the header says."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from aplc.backends.native.run import Result
from aplc.cases.header import Case
from aplc.compiled import Compiled
from aplc.compiler import compile_program
from aplc.inputs import Input
from aplc.options import Options
from aplc.tail.display import DIGITS, display, has_lines, to_json
from aplc.tail.errors import AplcError, Diagnostic
from aplc.tail.source import Source
from aplc.tail.types import Base

TOLERANCE = 1e-9
"""Relative; for numbers that are printed, and for doubles as JSON."""


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
        if has_lines(value):
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


def against_header(outcome: Outcome, case: Case) -> Iterator[str]:
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
    if isinstance(wanted, dict) and isinstance(item, dict):
        return wanted.keys() == item.keys() and all(_same_item(wanted[name], item[name]) for name in wanted)
    if isinstance(wanted, float) and isinstance(item, float):
        return math.isclose(wanted, item, rel_tol=TOLERANCE)
    return type(wanted) is type(item) and wanted == item
