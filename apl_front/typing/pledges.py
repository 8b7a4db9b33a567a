"""Which annotations need no proof at a place: they are proved, are being proved, or will be at the end.

An annotation inside a function is proved for the types that the names around it have, once for each choice.
One of the top level is proved when all names have their last values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from aplc.apl_front.reading.scope import ArrayValue, Scope
from aplc.apl_front.syntax.ast import Annotation


@dataclass(frozen=True, slots=True)
class Pledge:
    """An annotation, whose place tells it from others, with the types of the arrays around it."""

    claim: Annotation = field(compare=False)
    place: int
    types: tuple[tuple[str, str], ...]


def pledge(claim: Annotation, scope: Scope | None) -> Pledge:
    """An annotation in a scope; None is as good as the scope of the whole program."""
    return Pledge(claim, id(claim), tuple(_types_around(scope)))


def _types_around(scope: Scope | None) -> Iterator[tuple[str, str]]:
    """The arrays in the scopes around a definition, those of the top level left out, and their types."""
    while scope is not None and scope.parent is not None:
        for name, value in scope.names.items():
            if isinstance(value, ArrayValue):
                yield name, str(value.exp.ty)
        scope = scope.parent


class Pledges:
    """What may be relied on."""

    def __init__(self) -> None:
        self._given: set[Pledge] = set()

    def __contains__(self, given: Pledge) -> bool:
        return given in self._given

    def give(self, given: Pledge) -> None:
        """It may be relied on from now on."""
        self._given.add(given)

    def withdraw(self, given: Pledge) -> None:
        """It may not: the annotation does not hold."""
        self._given.remove(given)
