"""The types of recursive functions, remembered: recursions inside recursions are elaborated many times.

Each round of the outer fixed point elaborates the inner one anew, so that without a memory the work triples
with each level. What is remembered is where the search for the types begins the next time; a round verifies
it. It is found again only for arguments, values and functions of the same types, from which the search would
come to the same end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, Scope, SelfValue
from aplc.apl_front.syntax.ast import Bracket, Dfn, Item, Name, Paren
from aplc.tail.syntax import Exp, Lit
from aplc.tail.types import Type

if TYPE_CHECKING:
    from aplc.apl_front.elaboration.elaborator import Elaborator

SETTINGS = ("⎕io", "⎕ct", "⎕pp")
"""Names that a body uses without mentioning them."""
OWN = frozenset(("⍵", "⍺", "∇"))


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """The types of the parameters and of the result of a recursive function."""

    params: tuple[Type, ...]
    result: Type


class Unknown(Exception):
    """What a definition depends on is not only types."""


def circumstances(elab: Elaborator, function: SelfValue, arguments: Sequence[Exp]) -> object | None:
    """All on which the types of a definition applied to arguments depend; None if that cannot be told."""
    if function.operands or elab.build.proving:
        return None
    try:
        around = _surroundings(elab, function.dfn, function.scope, set())
        return (id(function.dfn), tuple([_known(a) for a in arguments]), tuple(around))
    except Unknown:
        return None


def _surroundings(elab: Elaborator, dfn: Dfn, scope: Scope, seen: set[int]) -> Iterator[object]:
    """What the names in a definition, and in those that it calls, stand for."""
    seen.add(id(dfn))
    if elab.active.get(id(dfn)):
        raise Unknown
    for name in sorted(_names_in(dfn) - OWN | set(SETTINGS)):
        match scope.find(name):
            case None:
                pass
            case ArrayValue(exp=exp):
                yield name, _known(exp)
            case FunctionValue(node=tree.Definition(dfn=other), scope=inner):
                yield name, id(other)
                if id(other) not in seen:
                    yield from _surroundings(elab, other, inner, seen)
            case FunctionValue(scope=closure):  # a derived function has one of its own
                yield name, closure
            case _:
                raise Unknown


def _known(exp: Exp) -> object:
    return exp.ty, repr(exp.value) if isinstance(exp, Lit) else None


def _names_in(dfn: Dfn) -> set[str]:
    """The names in the text of a definition."""
    found: set[str] = set()
    stack: list[Item] = []
    for statement in dfn.body:
        stack += [*statement.items, *(statement.guard or ())]
    while stack:
        match stack.pop():
            case Name(name=name):
                found.add(name)
            case Paren(items=items):
                stack += items
            case Bracket(parts=parts):
                stack += [item for part in parts for item in part]
            case Dfn() as inner:
                found |= _names_in(inner)
            case _:
                pass
    return found
