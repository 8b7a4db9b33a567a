"""Where a program is wrong, and how: the places of its errors."""

from __future__ import annotations

from aplc.apl_front.elaboration.elaborate import CheckedProgram, check_files
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import Diagnostic
from aplc.tail.source import Source

Place = tuple[int, int, str, str]
"""Line, column, kind, and a part of the message."""


def checked(text: str) -> CheckedProgram:
    return check_files([parse(Source("test.apl", text))], {})


def places(text: str) -> list[tuple[int, int, str, str]]:
    """Where a program is wrong, and how."""
    return [place(d) for d in checked(text).diagnostics]


def place(diagnostic: Diagnostic) -> tuple[int, int, str, str]:
    assert diagnostic.span is not None
    return diagnostic.span.line, diagnostic.span.column, diagnostic.kind, diagnostic.message


def assert_places(text: str, *expected: Place) -> None:
    found = places(text)
    assert [p[:3] for p in found] == [p[:3] for p in expected]
    for (_, _, _, message), (_, _, _, part) in zip(found, expected, strict=True):
        assert part in message


DIFF = "diff←{ ⍝: <κ>(ρ+1) → <κ>ρ\n 1↓⍵-¯1⌽⍵}\n"
