"""The run-time system in one text: the headers that a program includes, each where its `#include` stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
_OPENS, _CLOSES = re.compile(r"\s*#\s*if"), re.compile(r"\s*#\s*endif")


def amalgamated(names: Iterable[str], headers: Mapping[str, str]) -> str:
    """The text of headers with those that they include; what is only for debugging includes nothing."""
    known: set[str] = set()
    lines = [line for name in names for line in _lines(name, headers, known, 0)]
    return "\n".join(lines) + "\n"


def _lines(name: str, headers: Mapping[str, str], known: set[str], depth: int) -> list[str]:
    """The lines of a header. One that is guarded stands once, unless what is around it may leave it out."""
    if name in known:
        return []
    text = headers[name]
    guard = re.search(r"^#ifndef (\w+_H)$", text, re.M)
    if guard and depth == 0:
        known.add(name)
    inside = depth - (1 if guard else 0)
    result = [f"/* ---- {name} ---- */"]
    for line in text.splitlines():
        if (found := _INCLUDE.match(line)) is not None:
            result += _lines(found[1], headers, known, inside)
            continue
        if _OPENS.match(line):
            inside += 1
        elif _CLOSES.match(line):
            inside -= 1
        result.append(line)
    return result
