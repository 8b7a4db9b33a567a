"""The blocks of code of a page of the documentation, and what a comment above one says of it.

<!-- file NAME -->      the block is a file, which later blocks of the page use
<!-- lines of: CMD -->  each of its lines is one of what the command says, in this order
<!-- needs opencl -->   it is run where programs for that target run
<!-- not run: WHY -->   nobody can run it in a test, or it is the form of something
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?:\n|\A)((?: {4}.*\n|\n(?= {4}))+)", re.MULTILINE)
NOTE = re.compile(r"<!-- ([^\n]*) -->\n+\Z")
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")


@dataclass(frozen=True, slots=True)
class Block:
    """A block: the line before its text, its language (empty: it is indented), and the comment above it."""

    line: int
    language: str
    note: str
    text: str


def pages() -> list[Path]:
    """All pages: those at the top of the repository, and those of docs/, but for what npm puts there."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return top + [p for p in sorted((ROOT / "docs").rglob("*.md")) if "node_modules" not in p.parts]


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page, in order."""
    return sorted([*_fenced(text), *_indented(text)], key=lambda block: block.line)


def _fenced(text: str) -> Iterator[Block]:
    for found in FENCE.finditer(text):
        yield _block(text, found.start(), found[1] or "text", found[2])


def _indented(text: str) -> Iterator[Block]:
    plain = FENCE.sub(lambda found: re.sub(r"[^\n]", "x", found[0]), text)
    for found in INDENTED.finditer(plain):
        above = plain[: found.start(1)].rstrip("\n").split("\n")
        paragraph = next((line for line in reversed(above) if line[:1] != " "), "")
        if not LIST_ITEM.match(paragraph):
            yield _block(text, found.start(1), "", re.sub(r"(?m)^ {4}", "", found[1]))


def _block(text: str, start: int, language: str, code: str) -> Block:
    note = NOTE.search(text[:start])
    return Block(text.count("\n", 0, start) + 1, language, note[1] if note else "", code)
