"""Proving annotations: a function elaborated once for all shapes, and its type compared with the one claimed.

The shape variables of an annotation are rigid: the body is elaborated with them in the types of its
parameters (`polymorphic` where a rank is a variable), so what comes out holds for every rank and length.
Base-type variables range over the base types: the body is elaborated for each combination, and must have its
type for `int` and `double` at least; the report says which ones it covers.

A function inside another one is proved there, for the types that the names around it have (`prove_inner`).
Calls of an annotated function are checked against the annotation by `claims`; what is known of its parameters
in the body is never used at a call, which is elaborated for its own arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product as combinations

from aplc.apl_front.building.builder import WIDENS, Builder, UnknownRank, plain, plain_type
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import (
    ArrayValue,
    FunctionValue,
    OpaqueValue,
    Operand,
    OperatorValue,
    Scope,
    SelfValue,
)
from aplc.apl_front.syntax.ast import Annotation
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.pledges import pledge
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, CompileError, Diagnostic, compile_error, unsupported
from aplc.tail.prims import Constants, Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, If, Let, Op, PrimFn, Rec, Var
from aplc.tail.types import Array, Base, BaseVar, Func, Tuple, Type, Vector, is_subtype, scalar
from aplc.tail.unify import NoMatch, Scheme, Substitution

BASES = (Base.INT, Base.DOUBLE, Base.COMPLEX, Base.BOOL, Base.CHAR)
REQUIRED = (Base.INT, Base.DOUBLE)
"""What a base-type variable must cover."""
MAX_COVERED = 3
"""With more base-type variables than this only what must be covered is looked at."""


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
    elab: Elaborating, function: tree.Function | tree.Definition, scope: Scope, claim: Annotation
) -> Verdict:
    """Elaborate a function for the annotation's parameters and compare."""
    variables = list(dict.fromkeys(base_variables(claim.type)))
    covered: list[tuple[Base, ...]] = []
    several = BASES if len(variables) <= MAX_COVERED else REQUIRED
    order = sorted(
        combinations(several, repeat=len(variables)), key=lambda c: sum(b not in REQUIRED for b in c)
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
    elab: Elaborating, function: tree.Function, scope: Scope, claim: Annotation, bases: Substitution
) -> None:
    """The body for one choice of base types; raises where it has not the type claimed."""
    types = [bases.type(part.type) for part in claim.parts]
    operands = [_operand(ty) for ty in types[: claim.operands]]
    result = elaborated_for(elab, function, scope, operands, types[claim.operands : -1])
    if is_subtype(result.ty, types[-1]):
        return
    found, place = _parting(elab.build, result, types[-1], function.span)
    shown = [
        plain(t) if isinstance(types[-1], Array | Vector | Tuple) else str(t) for t in (types[-1], found)
    ]
    message = f"the annotation claims {shown[0]}, this is {shown[1]}"
    chosen = [f"{name} is {base}" for name, base in bases.bases.items()]
    note = ", ".join([f"annotated in line {claim.span.line}", *chosen])
    raise compile_error("TYPE ERROR", message, place or function.span, note)


def _parting(build: Builder, exp: Exp, claimed: Type, within: Span) -> tuple[Type, Span | None]:
    """Where a result has not the type claimed: in a branch, where there are several, or in whatever part of
    the text between the braces gave it; and the type that is there.
    """
    inner: list[Exp] = []
    if isinstance(exp, Let | Rec):
        inner = [exp.body]
    elif isinstance(exp, If):
        inner = [exp.then, exp.otherwise]
    for part in inner:
        part = _unconverted(part)
        if not isinstance(exp, If) or not _converts(part.ty, claimed):
            found, place = _parting(build, part, claimed, within)
            if place is not None:
                return found, place
    place = build.returned[id(exp)][1] if id(exp) in build.returned else exp.span
    inside = place is not None and place.source is within.source
    if place is not None and inside and within.start <= place.start and place.end <= within.end:
        return exp.ty, place
    return exp.ty, None


def _unconverted(exp: Exp) -> Exp:
    """A branch before its elements were converted to those of the other branch."""
    while isinstance(exp, Op) and (exp.prim in _CONVERSIONS or exp.prim is p.EACH):
        conversion = exp.args[0] if exp.prim is p.EACH else None
        if conversion is not None and not (
            isinstance(conversion, PrimFn) and conversion.prim in _CONVERSIONS
        ):
            break
        inner = exp.args[-1]
        assert not isinstance(inner, Fn | PrimFn)
        exp = inner
    return exp


_CONVERSIONS = (p.B2I, p.I2D)


def _converts(ty: Type, claimed: Type) -> bool:
    """Whether a branch of this type does no harm to a result of the type claimed."""
    if isinstance(ty, Func | Tuple) or isinstance(claimed, Func | Tuple):
        return is_subtype(ty, claimed)
    assert isinstance(ty.base, Base) and isinstance(claimed.base, Base)
    return claimed.base in WIDENS[ty.base] and is_subtype(tuples.with_base(ty, claimed.base), claimed)


def elaborated_for(
    elab: Elaborating, function: tree.Function, scope: Scope, operands: list[Operand], types: list[Type]
) -> Exp:
    """A function applied to one or two arguments of which only the types are known; leaves nothing behind."""
    build = elab.build
    try:
        with build.supposing():
            values = [build.opened(Var(build.fresh(), ty=ty)) for ty in types]
            left = values[0] if len(values) == 2 else None
            return _applied(elab, function, scope, operands, left, values[-1])
    except UnknownRank as unknown:
        what = f"what is done with {plain_type(unknown.exp)} here, for every rank,"
        raise unsupported(what, unknown.exp.span or function.span) from None
    except NoMatch:
        shown = " and ".join([plain(ty) for ty in types])
        raise unsupported(f"this function of {shown}, for every rank and length,", function.span) from None


def _applied(
    elab: Elaborating,
    function: tree.Function,
    scope: Scope,
    operands: list[Operand],
    left: Exp | None,
    right: Exp,
) -> Exp:
    if isinstance(function, tree.Definition):
        return elab.definition(SelfValue(function.dfn, scope, tuple(operands)), left, right, function.span)
    return elab.apply(function, scope, left, right, function.span)


def _operand(ty: Type) -> Operand:
    """An operand of which only the type is known."""
    if not isinstance(ty, Func):
        return ArrayValue(Var("operand", ty=ty), None)

    def exactly(args: tuple[Type, ...], constants: Constants) -> Type:
        if len(args) != len(ty.params) or not all(map(is_subtype, args, ty.params)):
            raise NoMatch("not the arguments claimed")
        return ty.result

    parts = (*ty.params, ty.result)
    scalars = all(not isinstance(part, Func | Tuple) and part == scalar(part.base) for part in parts)
    prim = Prim("operand", (Scheme(ty, str(ty)),), lambda *_: None, is_scalar=scalars, typing=exactly)
    return OpaqueValue(prim)


def base_variables(ty: Type) -> Iterator[str]:
    """The base-type variables of a type, from left to right."""
    match ty:
        case Func(params=params, result=result):
            for part in (*params, result):
                yield from base_variables(part)
        case Tuple(items=items):
            for part in items:
                yield from base_variables(part)
        case _:
            if isinstance(ty.base, BaseVar):
                yield ty.base.name


# --- functions inside functions -------------------------------------------------------------------------


def prove_inner(elab: Elaborating, value: FunctionValue | OperatorValue, claim: Annotation) -> None:
    """Prove the annotation of a function that is defined inside another one, for the types that the names
    around it have now; the errors of what does not hold.
    """
    if isinstance(value.node, tree.OperatorName):
        return
    given = pledge(claim, value.scope)
    if given in elab.pledges:
        return
    elab.pledges.give(given)
    verdict = prove(elab, value.node, value.scope, claim)
    if not verdict.proved:
        elab.pledges.withdraw(given)
        raise CompileError(verdict.refutation)
