"""`docs/tail.md` tells the truth: its schemes are those of the table, its examples have the values shown.

    python -m tests.tail.test_reference --missing

prints a row to fill in for each primitive that the page lacks, or shows with other schemes than the table.

An example is a code span `expression ⇒ outcome`, or a block of the language `tail`, where a blank line ends
an example and its last line is `⇒ outcome`. The outcome is a value, with its type if one follows ` : `, or
an error with its kind. In a block, `input x = e` gives a parameter of the program its value, `prints …` is a
line of output, and a last line `: type` claims nothing but the type. Arrays of higher ranks, which the text
form has no constants for, are shown as nested vectors.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from aplc.tail.check import check
from aplc.tail.display import display
from aplc.tail.errors import AplcError
from aplc.tail.evaluate import Result, dtype_of, evaluate
from aplc.tail.passes import run_passes
from aplc.tail.pipeline import PASSES
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.source import Source
from aplc.tail.syntax import Fn, Op, PrimFn, Term, body_of, walk
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_literal, print_term
from aplc.tail.types import Array, Base, Rho, Tuple, Type, base_of
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "tail.md"

FAMILIES = {"index", "update", "modify"}
"""One scheme for each rank: the page shows the first ones, then `…`."""

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
ERROR = re.compile(r"[A-Z]+ (ERROR|FULL): ")
TYPED = re.compile(r"(.+) : (\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A program of the page with what is claimed of it."""

    text: str
    outcome: str
    inputs: tuple[str, ...] = ()
    prints: tuple[str, ...] | None = None
    """The lines of output; None where the page does not show them."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table of operators."""

    name: str
    schemes: tuple[str, ...]
    goes_on: bool
    meaning: str
    examples: tuple[Example, ...]


# --- reading the page -----------------------------------------------------------------------------------


@cache
def page() -> str:
    """The text of the page."""
    return PAGE.read_text(encoding="utf-8")


def of_span(span: str) -> Example | None:
    """The example in a code span, if it is one."""
    text, arrow, outcome = span.partition(" ⇒ ")
    return Example(text, outcome) if arrow else None


def of_block(text: str) -> Example:
    """One example of a block."""
    program, inputs, prints, outcome = [], [], [], ""
    for line in text.split("\n"):
        match line.partition(" "):
            case ("⇒", _, rest):
                outcome = rest
            case ("input", _, rest):
                inputs.append(rest.partition(" = ")[2])
            case ("prints", _, rest):
                prints.append(rest)
            case (":", _, rest):
                outcome = f": {rest}"
            case _:
                program.append(line)
    return Example("\n".join(program), outcome, tuple(inputs), tuple(prints))


def spans(text: str) -> tuple[Example, ...]:
    """The examples in the code spans of a text."""
    return tuple([example for span in SPAN.findall(text) if (example := of_span(span)) is not None])


def examples() -> list[Example]:
    """All examples of the page."""
    blocks = [body for language, body in BLOCK.findall(page()) if language == "tail"]
    found = [of_block(part.strip("\n")) for body in blocks for part in body.split("\n\n")]
    return [*found, *spans(BLOCK.sub("", page()))]


def rows() -> list[Row]:
    """The lines of the tables of operators."""
    _, _, operators = BLOCK.sub("", page()).partition("\n## Operators\n")
    lines = operators.partition("\n## ")[0].splitlines()
    return [of_line(line) for line in lines if line.startswith("| `")]


def of_line(line: str) -> Row:
    """One of these lines."""
    name, schemes, meaning, shown = [cell.strip() for cell in line.strip("|").split(" | ")]
    return Row(name.strip("`"), tuple(SPAN.findall(schemes)), schemes.endswith("…"), meaning, spans(shown))


def schemes_fit(row: Row, prim: Prim) -> bool:
    """Whether the page shows the schemes of the table, in their order."""
    table = tuple([scheme.text for scheme in prim.schemes])
    if row.name in FAMILIES:
        return row.goes_on and bool(row.schemes) and row.schemes == table[: len(row.schemes)]
    return not row.goes_on and row.schemes == table


# --- running it -----------------------------------------------------------------------------------------


def shown(value: Result, ty: Type) -> str:
    """A value as the page shows it."""
    if isinstance(ty, Tuple):
        assert isinstance(value, tuple)
        parts = [shown(v, t) for v, t in zip(value, ty.items, strict=True)]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    assert isinstance(value, np.ndarray)
    base = base_of(ty)
    if value.ndim == 0 and base is Base.COMPLEX:
        return f"complexd({print_literal(value.real.item())},{print_literal(value.imag.item())})"
    if value.ndim == 0:
        return print_literal(chr(int(value)) if base is Base.CHAR else value.item())
    if value.ndim == 1 and base is Base.CHAR:
        return '"' + re.sub(r'(["\\])', r"\\\1", "".join(map(chr, value.tolist()))) + '"'
    cell = Array(base, Rho(value.ndim - 1))
    return "[" + ",".join([shown(part, cell) for part in map(np.asarray, value)]) + "]"


def outcome_of(example: Example, *, optimised: bool) -> tuple[str, str, list[str]]:
    """The value or the error of an example, its type, and the lines that it prints."""
    lines: list[str] = []
    type_only = example.outcome.startswith(": ")

    def on_print(value: Result, ty: Type, precision: int) -> None:
        chars = not isinstance(ty, Tuple) and base_of(ty) is Base.CHAR
        lines.append(display(value, chars=chars, precision=precision))

    try:
        term = parse_term(Source("example", example.text))
        check(term)
        if type_only:
            return f": {term.ty}", "", lines
        given = [parse_term(Source("input", text)) for text in example.inputs]
        params = term.params if isinstance(term, Fn) else ()
        for param, each in zip(params, given, strict=True):
            assert dtype_of(param.ty) == dtype_of(each.ty)
        values = [np.asarray(evaluate(each, [], on_print)) for each in given]
        if optimised:
            term = run_passes(term, PASSES, lambda name, after: check(after, name))
        value = evaluate(term, values, on_print)
    except AplcError as failure:
        (cause,) = failure.diagnostics
        return f"{cause.kind}: {cause.message}", "", lines
    ty = body_of(term).ty
    return shown(value, ty), str(ty), lines


def applied(term: Term) -> set[str]:
    """The primitives of a term, those that are passed as functions included."""
    nodes = [node for node in walk(term) if isinstance(node, Op)]
    passed = {arg.prim.name for node in nodes for arg in node.args if isinstance(arg, PrimFn)}
    return {node.prim.name for node in nodes} | passed


# --- tests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.text[:60])
def test_an_example_does_what_the_page_says(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the examples that read files name them from there
    assert example.outcome, "a block of tail ends in a line `⇒ value`"
    value, ty, lines = outcome_of(example, optimised=False)
    typed = None if ERROR.match(example.outcome) else TYPED.fullmatch(example.outcome)
    if typed is None or example.outcome == value:
        assert value == example.outcome
    else:
        assert (value, ty) == typed.groups()
    if example.prints is not None:
        assert lines == list(example.prints)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.text[:60])
def test_an_example_keeps_its_value_when_optimised(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    plain, optimised = (outcome_of(example, optimised=flag) for flag in (False, True))
    assert (plain[0], plain[2]) == (optimised[0], optimised[2])


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.text[:60])
def test_an_example_reads_back_as_it_was(example: Example) -> None:
    if ERROR.match(example.outcome):
        return
    term = parse_term(Source("example", example.text))
    assert parse_term(Source("printed", print_term(term))) == term


def test_every_primitive_has_one_row() -> None:
    names = [row.name for row in rows()]
    assert sorted(names) == sorted(PRIMS), "run python -m tests.tail.test_reference --missing"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_row_shows_the_schemes_of_the_table(row: Row) -> None:
    assert schemes_fit(row, PRIMS[row.name]), "run python -m tests.tail.test_reference --missing"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_row_has_a_meaning_and_an_example_that_applies_it(row: Row) -> None:
    assert row.meaning
    assert row.name in applied(parse_term(Source("example", row.examples[0].text)))


@pytest.mark.parametrize("prim", PRIMS.values(), ids=lambda prim: prim.name)
def test_a_row_to_fill_in_shows_the_schemes(prim: Prim) -> None:
    row = of_line(skeleton(prim))
    assert row.name == prim.name
    assert schemes_fit(row, prim)


def test_a_row_with_other_schemes_is_missing() -> None:
    row = of_line("| `iota` | `int → [int]2` | … | … |")
    assert not schemes_fit(row, PRIMS["iota"])
    assert not schemes_fit(of_line("| `index` | … | … | … |"), PRIMS["index"])


def test_passes_are_listed_in_order() -> None:
    listed = re.findall(r"^\d+\. `([a-z-]+)`", page(), re.MULTILINE)
    assert listed == [each.name for each in PASSES]


# --- rows to fill in ------------------------------------------------------------------------------------


def skeleton(prim: Prim) -> str:
    """The row of a primitive, without its meaning and its example."""
    listed = [f"`{scheme.text}`" for scheme in prim.schemes]
    if prim.name in FAMILIES:
        listed = [*listed[:3], "…"]
    blanks = ",".join("…" * prim.arity)
    return f"| `{prim.name}` | {'<br>'.join(listed)} | … | `{prim.name}({blanks}) ⇒ …` |"


def missing() -> list[str]:
    """Rows for the primitives that the page lacks or shows with other schemes."""
    right = {row.name for row in rows() if row.name in PRIMS and schemes_fit(row, PRIMS[row.name])}
    return [skeleton(prim) for prim in PRIMS.values() if prim.name not in right]


if __name__ == "__main__":
    if sys.argv[1:] != ["--missing"]:
        sys.exit("usage: python -m tests.tail.test_reference --missing")
    print("\n".join(missing()) or "nothing is missing")
    gone = [row.name for row in rows() if row.name not in PRIMS]
    if gone:
        print("no primitives any more:", *gone)
