"""Annotations where functions are used: calls, operands and values compared with the types claimed.

A call must fit the annotation for some choice of its variables. Bool is accepted where int is claimed, and
both where double is; a base-type variable that stands in several places is the least type that holds what is
given in all of them. The arguments are converted to it, so that the result has the type that was proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aplc.apl_front.building.builder import WIDENS, base_of, join_bases, plain
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, OpaqueValue, Operand
from aplc.apl_front.syntax.ast import Annotation
from aplc.apl_front.typing import proofs
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import AplcError, compile_error, first_line
from aplc.tail.source import Span
from aplc.tail.syntax import Exp
from aplc.tail.types import Array, Base, BaseVar, Func, Nested, Records, Rho, Tuple, Type, Vector, is_subtype
from aplc.tail.unify import NoMatch, Substitution, match_type

Bases = dict[str, Base | BaseVar]


def fitted(
    elab: Elaborating,
    claim: Annotation,
    arguments: Sequence[Exp | None],
    name: str,
    span: Span,
    operands: tuple[Operand, ...] = (),
    places: tuple[Span, ...] = (),
) -> list[Exp | None]:
    """The arguments of a call, converted to the types that the annotation claims; TYPE ERROR where they, or
    the operands at their places, do not fit.

    A vector of a length that only the run knows has some length, so it fits a variable, but no sum and no
    number. Shape variables stand for natural numbers, as in the proof.
    """
    given = [a for a in arguments if a is not None]
    parts = [part.type for part in claim.parts[claim.operands : -1]]
    if len(parts) != len(given):
        wanted = "two arguments" if len(parts) == 2 else "one argument"
        raise compile_error("TYPE ERROR", f"{name} is annotated with {wanted}", span, claimed_in(claim))
    arrays = [
        (part.type, operand.exp)
        for part, operand in zip(claim.parts[: claim.operands], operands, strict=False)
        if isinstance(operand, ArrayValue) and not isinstance(part.type, Func)
    ]
    pairs = [*arrays, *zip(parts, given, strict=True)]
    bases = _bases(elab, claim, pairs, operands)
    converted = [_converted(elab, a, part, bases) for part, a in pairs]
    if not _match([part for part, _ in pairs], converted, bases):
        wanted = " and ".join([_shown(part, part) for part, _ in pairs])
        shown = " and ".join([_shown(a.ty, part) for part, a in pairs])
        raise compile_error("TYPE ERROR", f"{name} takes {wanted}, got {shown}", span, claimed_in(claim))
    for number, (operand, at) in enumerate(zip(operands, places, strict=False)):
        _check_operand(elab, claim, number, operand, bases, name, at)
    rest = iter(converted[len(arrays) :])
    return [None if a is None else next(rest) for a in arguments]


def check_value(claim: Annotation, value: Exp | None, span: Span) -> None:
    """TYPE ERROR where the line above a statement claims another type than that of its value; None: that of
    a function.
    """
    claimed = claim.parts[-1].type
    if value is None and len(claim.parts) == 1:
        message = "the annotation claims a value, this is a function: its type has an arrow"
    elif value is not None and len(claim.parts) > 1:
        message = "the annotation claims a function, this is a value"
    elif value is not None and not is_subtype(value.ty, claimed):
        message = f"the annotation claims {_shown(claimed, claimed)}, this is {_shown(value.ty, claimed)}"
    else:
        return
    raise compile_error("TYPE ERROR", message, span, claimed_in(claim))


def claimed_in(claim: Annotation) -> str:
    """The note that says where the annotation stands."""
    return f"annotated in line {claim.span.line}"


def _shown(ty: Type, wanted: Type) -> str:
    """A type beside the one wanted: with its value where that matters."""
    exact = not isinstance(wanted, Array | Vector)
    return str(ty) if isinstance(ty, Func) or (exact and not isinstance(ty, Tuple)) else plain(ty)


# --- base types -----------------------------------------------------------------------------------------


def _bases(
    elab: Elaborating, claim: Annotation, pairs: list[tuple[Type, Exp]], operands: tuple[Operand, ...]
) -> Bases:
    """What the base-type variables of an annotation stand for in a call."""
    found: dict[str, list[Base]] = {}
    for part, argument in pairs:
        for name, base in _base_pairs(part, argument.ty):
            found.setdefault(name, []).append(base)
    bases = _joined(found)
    for number, operand in enumerate(operands[: claim.operands]):
        wanted = claim.parts[number].type
        if isinstance(wanted, Func) and (ty := _operand_type(elab, operand, wanted, bases)) is not None:
            for name, base in _base_pairs(wanted.result, ty):
                found.setdefault(name, []).append(base)
            bases = _joined(found)
    return bases


def _joined(found: dict[str, list[Base]]) -> Bases:
    """The least base type for each variable; where there is none, one of those that it cannot be."""
    return {name: join_bases(several) or several[0] for name, several in found.items()}


def _base_pairs(part: Type, actual: Type) -> Iterator[tuple[str, Base]]:
    """The base-type variables of a type and what stands in their places."""
    if isinstance(part, Tuple) and isinstance(actual, Tuple):
        for inner in zip(part.items, actual.items, strict=False):
            yield from _base_pairs(*inner)
    if isinstance(part, Tuple | Func) or isinstance(actual, Tuple | Func):
        return
    if isinstance(part.base, BaseVar) and isinstance(actual.base, Base):
        yield part.base.name, actual.base


def _converted(elab: Elaborating, argument: Exp, part: Type, bases: Bases) -> Exp:
    """An argument with the element type claimed, where that loses nothing."""
    wanted = Substitution(dict(bases)).type(part)
    if isinstance(wanted, Nested | Records) and tuples.widen(wanted, argument.ty) == wanted:
        return tuples.coerce(elab.build, argument, wanted, "an annotation", argument.span)
    if isinstance(wanted, Func | Tuple) or isinstance(argument.ty, Tuple):
        return argument
    if isinstance(wanted.base, Base) and wanted.base in WIDENS[base_of(argument)]:
        return elab.build.coerce(argument, wanted.base, "an annotation", argument.span)
    return argument


def _match(parts: list[Type], arguments: list[Exp], bases: Bases) -> bool:
    """Whether arguments fit the types of their parameters, for some lengths and ranks."""
    subst = Substitution(dict(bases))
    try:
        for number, (part, argument) in enumerate(zip(parts, arguments, strict=True)):
            ty = argument.ty
            if isinstance(part, Vector) and isinstance(ty, Array) and ty.rank == Rho(1):
                ty = Vector(ty.base, Rho.of(f"length {number}"))  # some length, not that of another
            match_type(part, ty, subst)
        subst.settle()
    except NoMatch:
        return False
    return all(rho.is_natural for rho in subst.shapes.values())


# --- operands -------------------------------------------------------------------------------------------


def _check_operand(
    elab: Elaborating, claim: Annotation, number: int, operand: Operand, bases: Bases, name: str, at: Span
) -> None:
    """TYPE ERROR where an operand has not the type claimed, of an array what `_match` does not see."""
    wanted, which = claim.parts[number].type, ("⍺⍺", "⍵⍵")[number]
    if isinstance(wanted, Func) == isinstance(operand, ArrayValue):
        kinds = ("a function", "an array") if isinstance(wanted, Func) else ("an array", "a function")
        message = f"{name} takes {kinds[0]} as {which}, got {kinds[1]}"
        raise compile_error("TYPE ERROR", message, at, claimed_in(claim))
    if not isinstance(wanted, Func):
        return
    claimed = _concrete(wanted, bases)
    try:
        ty = _operand_type(elab, operand, wanted, bases, strict=True)
    except AplcError as error:
        message = f"{name} takes {claimed} as {which}: {error.diagnostics[0].message}"
        raise compile_error("TYPE ERROR", message, at, claimed_in(claim)) from None
    if ty is None or not is_subtype(ty, claimed.result):
        gives = "is another function" if ty is None else f"gives {_shown(ty, claimed.result)}"
        message = f"{name} takes {claimed} as {which}, {first_line(at.text)} {gives}"
        raise compile_error("TYPE ERROR", message, at, claimed_in(claim))


def _concrete(wanted: Func, bases: Bases) -> Func:
    """The type of an operand for a choice of base types."""
    ty = Substitution(dict(bases)).type(wanted)
    assert isinstance(ty, Func)
    return ty


def _operand_type(
    elab: Elaborating, operand: Operand, wanted: Func, bases: Bases, *, strict: bool = False
) -> Type | None:
    """What a function operand gives for arguments of the types claimed; None where that is not known."""
    params = _concrete(wanted, bases).params
    if any(True for part in params for _ in proofs.base_variables(part)):
        return None
    if isinstance(operand, OpaqueValue):
        ty = operand.prim.schemes[0].type
        return ty.result if ty.params == params else None
    if not isinstance(operand, FunctionValue):
        return None
    try:
        return proofs.elaborated_for(elab, operand.node, operand.scope, [], list(params)).ty
    except AplcError:
        if strict:
            raise
        return None
