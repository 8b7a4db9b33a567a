"""Proving annotations: a function elaborated once for all shapes, and its type compared with the one claimed.

The shape variables of an annotation are rigid: the body is elaborated with them in the types of its
parameters (`polymorphic` where a rank is a variable), so what comes out holds for every rank and length.
Base-type variables range over the base types: the body is elaborated for each combination, and must have its
type for `int` and `double` at least; the report says which ones it covers.

Calls of an annotated function are checked against the annotation (`check_call`), and what is known of its
parameters in the body is never used at a call: a call is elaborated for its own arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product as combinations
from typing import TYPE_CHECKING

from apl_front import definitions, tree, tuples
from apl_front.ast import Annotation
from apl_front.builder import WIDENS, UnknownRank, base_of, plain_type
from apl_front.scope import ArrayValue, OpaqueValue, Operand, Scope, SelfValue
from tail.errors import AplcError, Diagnostic, compile_error, unsupported
from tail.prims import Prim
from tail.source import Span
from tail.syntax import Exp, Var
from tail.types import Array, Base, BaseVar, Func, Rho, Tuple, Type, Vector, is_subtype
from tail.unify import NoMatch, Scheme, Substitution, match_type

if TYPE_CHECKING:
    from apl_front.elaborator import Elaborator

BASES = (Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR)
REQUIRED = (Base.INT, Base.DOUBLE)
"""What a base-type variable must cover."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an annotation: what its base-type variables cover, or why it does not hold."""

    annotation: Annotation
    covers: tuple[tuple[str, tuple[Base, ...]], ...] = ()
    refutation: tuple[Diagnostic, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether the function has the type claimed."""
        return not self.refutation


def prove(
    elab: Elaborator, function: tree.Function | tree.Definition, scope: Scope, claim: Annotation
) -> Verdict:
    """Elaborate a function for the annotation's parameters and compare."""
    variables = list(dict.fromkeys(_base_variables(claim.type)))
    covered: list[tuple[Base, ...]] = []
    order = sorted(
        combinations(BASES, repeat=len(variables)), key=lambda c: sum(b not in REQUIRED for b in c)
    )
    for bases in order:
        required = all(b in REQUIRED for b in bases)
        try:
            _elaborated(elab, function, scope, claim, Substitution(dict(zip(variables, bases, strict=True))))
        except AplcError as error:
            if required:
                return Verdict(claim, refutation=error.diagnostics)
            continue
        covered.append(bases)
    covers = [
        (name, tuple([b for b in BASES if any(c[k] is b for c in covered)]))
        for k, name in enumerate(variables)
    ]
    return Verdict(claim, tuple(covers))


def _elaborated(
    elab: Elaborator, function: tree.Function, scope: Scope, claim: Annotation, bases: Substitution
) -> None:
    """The body for one choice of base types; raises where it has not the type claimed."""
    types = [bases.type(part.type) for part in claim.parts]
    operands = [_operand(ty) for ty in types[: claim.operands]]
    result = elaborated_for(elab, function, scope, operands, types[claim.operands : -1])
    if not is_subtype(result.ty, types[-1]):
        message = f"the annotation claims {types[-1]}, this is {plain_type(result)}"
        raise compile_error("TYPE ERROR", message, result.span or function.span, _claimed(claim))


def elaborated_for(
    elab: Elaborator, function: tree.Function, scope: Scope, operands: list[Operand], types: list[Type]
) -> Exp:
    """A function applied to one or two arguments of which only the types are known; leaves nothing behind."""
    build, facts = elab.build, len(elab.facts)
    build.proving, before = True, build.proving
    try:
        with build.block():
            values: list[Exp] = [Var(build.fresh(), ty=ty) for ty in types]
            left = values[0] if len(values) == 2 else None
            return _applied(elab, function, scope, operands, left, values[-1])
    except UnknownRank as unknown:
        what = f"what is done with {plain_type(unknown.exp)} here, for every rank,"
        raise unsupported(what, unknown.exp.span or function.span) from None
    finally:
        build.proving = before
        del elab.facts[facts:]


def _applied(
    elab: Elaborator,
    function: tree.Function,
    scope: Scope,
    operands: list[Operand],
    left: Exp | None,
    right: Exp,
) -> Exp:
    if isinstance(function, tree.Definition):
        return definitions.apply(
            elab, SelfValue(function.dfn, scope, tuple(operands)), left, right, function.span
        )
    return elab.apply(function, scope, left, right, function.span)


def _operand(ty: Type) -> Operand:
    """An operand of which only the type is known; a function's is made of scalars."""
    if not isinstance(ty, Func):
        return ArrayValue(Var("operand", ty=ty), None)
    return OpaqueValue(Prim("operand", (Scheme(ty, str(ty)),), lambda *_: None, is_scalar=True))


def _base_variables(ty: Type) -> Iterator[str]:
    """The base-type variables of a type, from left to right."""
    match ty:
        case Func(params=params, result=result):
            for part in (*params, result):
                yield from _base_variables(part)
        case Tuple(items=items):
            for part in items:
                yield from _base_variables(part)
        case _:
            if isinstance(ty.base, BaseVar):
                yield ty.base.name


# --- calls ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Unknowns:
    """Names for lengths that a call does not tell."""

    count: int = 0
    names: list[str] = field(default_factory=list)

    def fresh(self) -> Rho:
        """Another one."""
        self.count += 1
        return Rho.of(f"n{self.count}")


def check_call(claim: Annotation, left: Exp | None, right: Exp, name: str, span: Span) -> None:
    """TYPE ERROR where the arguments of a call do not fit the annotation of the function.

    Integers are accepted where doubles are claimed. A vector of a length that only the run knows has some
    length, so it fits a variable, but no sum and no number.
    """
    arguments = [a for a in (left, right) if a is not None]
    parts = claim.parts[claim.operands : -1]
    if len(parts) != len(arguments):
        wanted = "two arguments" if len(parts) == 2 else "one argument"
        raise compile_error("TYPE ERROR", f"{name} is annotated with {wanted}", span, _claimed(claim))
    subst, unknowns = Substitution(), _Unknowns()
    try:
        for part, argument in zip(parts, arguments, strict=True):
            match_type(part.type, _seen(argument, part.type, unknowns), subst)
        subst.settle()
    except NoMatch:
        shown = " and ".join([plain_type(a) for a in arguments])
        message = f"{name} takes {' and '.join([str(q.type) for q in parts])}, got {shown}"
        raise compile_error("TYPE ERROR", message, span, _claimed(claim)) from None


def _claimed(claim: Annotation) -> str:
    return f"annotated in line {claim.span.line}"


def _seen(argument: Exp, wanted: Type, unknowns: _Unknowns) -> Type:
    """The type of an argument as the annotation sees it: widened, and its unknown length named."""
    ty = argument.ty
    if isinstance(ty, Func | Tuple) or isinstance(wanted, Func | Tuple):
        return ty
    base = base_of(argument)
    if isinstance(wanted.base, Base) and wanted.base in WIDENS[base]:
        base = wanted.base
    if isinstance(ty, Array) and ty.rank == Rho(1) and isinstance(wanted, Vector):
        return Vector(base, unknowns.fresh())
    return tuples.with_base(ty, base)


def check_value(claim: Annotation, value: Exp, span: Span) -> None:
    """TYPE ERROR where a value has not the type that the line above it claims."""
    if not is_subtype(value.ty, claim.type):
        message = f"the annotation claims {claim.type}, this is {plain_type(value)}"
        raise compile_error("TYPE ERROR", message, value.span or span, _claimed(claim))
