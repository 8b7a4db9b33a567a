"""The programs of the suite in the dialects of interpreters: text to text, nothing is run here.

Dyalog takes the programs as they stand, but for functions of bits; each definition in a line. For GNU
APL, whose braces hold a single expression, definitions become functions of the traditional form; it looks
names up where a function is called, so that functions inside others may stand beside them. What differs
more has a formulation of its own in `dialects/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aplc.bench.suite import Benchmark

FORMULATIONS = Path(__file__).with_name("dialects")

DEFINITION = re.compile(r"\s*(\w+)\s*←\s*\{")
NAMED = re.compile(r"\s*(\w+)\s*←")
ASSIGNED = re.compile(r"(\w+)(?:\[[^]]*\])?\s*[+×∧∨]?←")
SEVERAL = re.compile(r"\(([\w\s]+)\)\s*←")


class NoFormulation(Exception):
    """A program cannot be said in a dialect; the message says why."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function with its statements, some of which define functions themselves."""

    name: str
    body: tuple[Definition | str, ...]


def apl_text(benchmark: Benchmark) -> str:
    """The APL for interpreters: the program of the suite, or the one that does without functions of bits."""
    own = FORMULATIONS / benchmark.path.name
    path = own if own.exists() else benchmark.path
    return path.read_text("utf-8")


def bqn_text(benchmark: Benchmark) -> str:
    """The BQN of a program. Raises `NoFormulation`."""
    path = FORMULATIONS / f"{benchmark.path.stem}.bqn"
    text = path.read_text("utf-8") if path.exists() else ""
    if not re.search(rf"^{bqn_name(benchmark)}\s*←", text, re.M):
        raise NoFormulation("there is no formulation for BQN")
    return text


def bqn_name(benchmark: Benchmark) -> str:
    """The function that is measured; functions of BQN begin with a capital."""
    return benchmark.function[0].upper() + benchmark.function[1:]


# --- reading --------------------------------------------------------------------------------------------


def without_comment(line: str) -> str:
    """A line without its comment."""
    quoted = False
    for k, c in enumerate(line):
        quoted ^= c == "'"
        if c == "⍝" and not quoted:
            return line[:k].rstrip()
    return line.rstrip()


def statements(text: str) -> Iterator[str]:
    """The statements of a text: one with braces runs on until they are closed. What prints is left out."""
    held: list[str] = []
    for line in map(without_comment, text.splitlines()):
        if not line.strip():
            continue
        held.append(line.strip())
        whole = "\n".join(held)
        if whole.count("{") == whole.count("}"):
            if not whole.startswith("⎕←"):
                yield whole
            held = []


def parsed(statement: str) -> Definition | str:
    """A statement as a definition, if it is one of several statements or of others inside it."""
    found = DEFINITION.match(statement)
    if not found or not statement.endswith("}") or not _closes_last(statement, found.end()):
        return statement
    inside = "\n".join(_cut(statement[found.end() : -1]))
    body = tuple([parsed(each) for each in statements(inside)])
    return Definition(found.group(1), body)


def _closes_last(statement: str, start: int) -> bool:
    """Whether the brace that was opened before `start` is closed by the last letter."""
    depth = 1
    for k in range(start, len(statement)):
        depth += (statement[k] == "{") - (statement[k] == "}")
        if depth == 0:
            return k == len(statement) - 1
    return False


def _cut(text: str) -> Iterator[str]:
    """The parts of a text between the diamonds that stand in no braces."""
    depth, start = 0, 0
    for k, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if c == "⋄" and depth == 0:
            yield text[start:k]
            start = k + 1
    yield text[start:]


# --- writing --------------------------------------------------------------------------------------------


def needed(text: str, function: str) -> list[str]:
    """The statements of a text that a function of it needs, the definition of the function included."""
    defined = [(each, found.group(1)) for each in statements(text) if (found := NAMED.match(each))]
    wanted, before = {function}, set[str]()
    while wanted != before:
        before = set(wanted)
        for each, name in defined:
            if name in before:
                wanted |= set(re.findall(r"\w+", each))
    return [each for each, name in defined if name in wanted]


def for_dyalog(text: str, function: str) -> list[str]:
    """A function for Dyalog, with what it needs: each statement in a line of its own."""
    return [_one_line(each) for each in needed(text, function)]


def _one_line(statement: str) -> str:
    joined = re.sub(r"\s*\n\s*", " ⋄ ", statement)
    return re.sub(r"\s*⋄\s*(?=\})", "", re.sub(r"\{\s*⋄\s*", "{", joined))


def for_gnu(text: str, function: str) -> list[str]:
    """A function for GNU APL, with what it needs. Raises `NoFormulation` for guards and recursion."""
    lines: list[str] = []
    for statement in map(parsed, needed(text, function)):
        lines += _traditional(statement) if isinstance(statement, Definition) else [statement]
    return lines


def _traditional(definition: Definition) -> list[str]:
    """A definition as a function of the traditional form, behind those that stand inside it."""
    lines: list[str] = []
    plain: list[str] = []
    for each in definition.body:
        if isinstance(each, Definition):
            lines += _traditional(each)
        else:
            plain.append(each)
    whole = "\n".join(plain)
    if "∇" in whole or re.search(r"[^{}\n]:", whole):
        raise NoFormulation("there is no formulation for GNU APL: it has guards or recursion")
    outside = _without_braces(whole)
    named = [*ASSIGNED.findall(whole), *[n for group in SEVERAL.findall(whole) for n in group.split()]]
    locals_ = "".join([f";{name}" for name in dict.fromkeys(named)])
    left = "LEFT " if "⍺" in outside else ""
    body = [_renamed(line) for line in plain]
    head = f"∇RESULT←{left}{definition.name} RIGHT{locals_}"
    return [*lines, head, *body[:-1], f"RESULT←{body[-1]}", "∇"]


def _without_braces(text: str) -> str:
    """A text without what stands in braces."""
    depth, kept = 0, []
    for c in text:
        depth += c == "{"
        if depth == 0:
            kept.append(c)
        depth -= c == "}"
    return "".join(kept)


def _renamed(line: str) -> str:
    """A line with the arguments under the names that a traditional function gives them."""
    depth, out = 0, []
    for c in line:
        depth += (c == "{") - (c == "}")
        out.append({"⍺": "LEFT", "⍵": "RIGHT"}.get(c, c) if depth == 0 else c)
    return "".join(out)
