"""What Python's own questions are answered about an APL function: its signature, its documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aplc.apl_front.elaboration.described import Described

ARGUMENTS = {0: (), 1: ("right",), 2: ("left", "right")}
"""What the arguments are called, by their number."""


def signature_of(described: Described, names: tuple[str, ...]) -> Signature:
    """The signature of a function: `(right, /)`, `(left, right, /)`, or `(*arguments)` where it may have one
    or two. `names` are those that a function of Python gives its arguments.
    """
    types: list[Any] = [str(ty) for ty in described.claims]
    claim = described.annotation
    result: Any = Signature.empty if claim is None else str(claim.type.result)
    if not names and len(described.valences) != 1:
        return Signature([Parameter("arguments", Parameter.VAR_POSITIONAL)], return_annotation=result)
    arguments = names or ARGUMENTS[described.valences[0]]
    kind = Parameter.POSITIONAL_OR_KEYWORD if names else Parameter.POSITIONAL_ONLY
    if len(types) != len(arguments):
        types = [Parameter.empty] * len(arguments)
    parameters = [Parameter(name, kind, annotation=ty) for name, ty in zip(arguments, types, strict=True)]
    return Signature(parameters, return_annotation=result)


def bound(names: Sequence[str], args: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments in the order of their names. Raises `TypeError` where they do not fit."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return Signature([Parameter(name, kind) for name in names]).bind(*args, **named).args


def documentation(described: Described) -> str | None:
    """The comment above a function, and its annotation; None without either."""
    parts = [described.comment]
    if described.annotation is not None:
        parts.append(f"⍝: {described.annotation.type}")
    return "\n\n".join([part for part in parts if part]) or None
