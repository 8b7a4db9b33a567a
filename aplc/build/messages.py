r"""The messages of run-time errors, as the C of a library puts them together.

A check reports two numbers and those of items (Note [Items in errors] in `aplc.tail.faults`). The text around
them is known here: it is a template in which `\1` and `\2` stand for the numbers, `\3` for the number of
elements that both make, `\4 first axes origin` for an index, and `\5` for a text.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from aplc.tail import faults
from aplc.tail.faults import Site

FIRST, SECOND, ELEMENTS, INDEX, TEXT = "⟪1⟫", "⟪2⟫", "⟪3⟫", "⟪4⟫", "⟪5⟫"
CODES = {
    "WS FULL": 1,
    "INDEX ERROR": 3,
    "RANK ERROR": 4,
    "LENGTH ERROR": 5,
    "VALUE ERROR": 6,
    "FORMAT ERROR": 7,
    "LIMIT ERROR": 10,
    "DOMAIN ERROR": 11,
    "FILE ERROR": 20,
}
"""What functions return, by the kind of error: the numbers that ⎕EN has for them in other APLs."""

DEVICE_CODE = 100
"""What they return where a device cannot do what it should; no APL has a number for that."""


def template(site: Site) -> str:
    """The message of a check with marks for what the run reports, as the content of a C string."""
    if site.fault is faults.NO_MEMORY:
        error = site.error(ELEMENTS)
    else:
        values = (TEXT,) if site.fault.tells_text else (FIRST, SECOND, "?")
        error = faults.in_items(site.fault.error(site.symbol, site.span, *values), _indices(site))
    said = error.diagnostics[0].render().partition("\n")[0]
    if site.span is not None:  # the folder of the text is of no interest where the library runs
        name = site.span.source.name
        said = os.path.basename(name) + said.removeprefix(name)
    text = c_string(said)
    marks = {FIRST: r"\001", SECOND: r"\002", ELEMENTS: r"\003", TEXT: r"\005"}
    for mark, sign in marks.items():
        text = text.replace(c_string(mark), sign)
    head, *others = text.split(c_string(INDEX))
    return head + "".join([_index_mark(other) for other in others])


def _index_mark(rest: str) -> str:
    """The sign of an index: three letters behind it are its first number, its axes and its origin."""
    numbers, _, end = rest.partition(";")
    return r"\004" + numbers.replace(",", "") + end


def _indices(site: Site) -> Sequence[str]:
    """Marks for the indices of the items, that of the innermost first."""
    shown: list[str] = []
    first = faults.TEXT_NUMBERS - 2 if site.fault.tells_text else 0
    for form in site.items:
        parts = []
        for rank in form.ranks:
            parts.append(f"{INDEX}{_letter(first)},{_letter(rank)},{_letter(form.origin)};")
            first += 1 if rank == 1 else 1 + rank
        shown.insert(0, " ".join(parts) + (f" of item {form.around}" if form.around else ""))
    return shown


def _letter(number: int) -> str:
    """A small number as a letter, which no message cuts or escapes."""
    return chr(ord("A") + number)


def code(site: Site) -> int:
    """What a function returns where a check fails."""
    return CODES.get(site.fault.kind, CODES["DOMAIN ERROR"])


def c_string(text: str) -> str:
    """The content of a C string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return "".join([c if c.isprintable() else "?" for c in escaped])
