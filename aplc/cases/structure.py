"""The structure of generated C: how many loops, allocations, checks and branches a text of it contains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class _Line(NamedTuple):
    """A line of C, and the indices of the loops around it."""

    text: str
    indices: tuple[str, ...]


_FOR = re.compile(r"\s*for \(int64_t (\w+) = .*\{")


def _lines_with_loops(text: str) -> Iterator[_Line]:
    """The lines of generated C: a loop's body stands in braces, on lines of its own."""
    depth = 0
    open_loops: list[tuple[int, str]] = []
    for line in text.splitlines():
        bare = re.sub(r"/\*.*?\*/", "", line)
        while open_loops and depth + bare.count("{") - bare.count("}") < open_loops[-1][0]:
            open_loops.pop()
        yield _Line(bare, tuple([index for _, index in open_loops]))
        depth += bare.count("{") - bare.count("}")
        if found := _FOR.match(bare):
            open_loops.append((depth, found.group(1)))


def _calls(name: str) -> Callable[[_Line], int]:
    return lambda line: len(re.findall(rf"\b{name}\(", line.text))


def _modulo(line: _Line) -> int:
    """Remainders inside loops."""
    return len(re.findall(r"%|\baplc_residue\w*\(", line.text)) if line.indices else 0


def _branches(line: _Line) -> int:
    """Conditions inside loops that mention an index of the loops, other than to read an element."""
    return sum(_mentions(c, line.indices) for c in _conditions(line.text)) if line.indices else 0


def _mentions(condition: str, indices: tuple[str, ...]) -> bool:
    while (shorter := re.sub(r"\[[^\[\]]*\]", "", condition)) != condition:
        condition = shorter
    return any(re.search(rf"\b{index}\b", condition) for index in indices)


def _conditions(text: str) -> Iterator[str]:
    """The conditions of `if (…)` and of `… ? … : …` in a line of C."""
    if found := re.search(r"\bif \(", text):
        yield text[found.end() :]  # the line holds nothing else
    for found in re.finditer(r"\?", text):
        yield text[_start_of_condition(text, found.start()) : found.start()]


def _start_of_condition(text: str, end: int) -> int:
    """Where the operand left of a `?` begins: behind an open bracket, a comma, `:`, `?` or an assignment."""
    depth = 0
    for position in range(end - 1, -1, -1):
        char = text[position]
        depth += (char in ")]}") - (char in "([{")
        is_assignment = char == "=" and text[position - 1] not in "=!<>" and text[position + 1] != "="
        if depth < 0 or (depth == 0 and (char in ",:?;" or is_assignment)):
            return position + 1
    return 0


_COUNTERS: dict[str, Callable[[_Line], int]] = {
    "loops": _calls("for "),
    "simd": lambda line: len(re.findall("#pragma omp simd|APLC_(FEW_LANES|SLOW_LANES|LANES_)", line.text)),
    "allocs": _calls("aplc_alloc(?:_with_room)?"),
    "checks": _calls("aplc_fail"),
    "modulo": _modulo,
    "branches": _branches,
}
STRUCTURE_KEYS = tuple(_COUNTERS)
"""The keys of `structure`; `docs/samples.md` says what they count."""


def count_structure(text: str) -> dict[str, int]:
    """What a text of generated C contains, by key."""
    lines = list(_lines_with_loops(text))
    return {key: sum(counter(line) for line in lines) for key, counter in _COUNTERS.items()}
