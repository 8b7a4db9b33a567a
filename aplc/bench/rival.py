"""What a row is measured with: something that computes its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Call: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Rival:
    """Something that computes the value of a row."""

    column: str
    call: Call
    detail: str = ""
    threads: int = 0
    compiles: bool = False
    """Whether the first call compiles what later ones run."""
