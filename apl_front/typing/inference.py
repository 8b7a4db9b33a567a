"""The most general type of a function that nobody has annotated, for `aplc check`.

Candidates for the types of the parameters are tried in the order of their generality, each by elaborating the
body for it (`proofs.elaborated_for`); the first that works is the answer. Its base-type variable covers those
types for which the result is the same, or has the type of the argument.

Note [Incomparable types]
    Not every function has a principal type: `{1↓⍵}` is `[κ](ρ+1) → [κ](ρ+1)`, which says nothing of lengths,
    and `<κ>(ρ+1) → <κ>ρ`, which says nothing of matrices; `+` takes a scalar on either side, or two arrays of
    one rank. The choice is the first of the lists below: every rank before lengths; two ranks of their own
    before one rank for both, that before a vector beside an array, that before a scalar; vectors before
    matrices before scalars.
    Both arguments have elements of one type, or one of them integers where the other may then be anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.syntax.ast import Arrow, Bracket, Dfn, Item, Name, Paren
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.proofs import elaborated_for
from aplc.tail.errors import AplcError, Diagnostic
from aplc.tail.types import Array, Base, BaseVar, Func, Rho, Tuple, Type, Vector, forget_value, scalar

KAPPA = BaseVar("κ")
_RHO = Rho.of("ρ")
_ANY, _AXIS, _VECTOR, _FILLED = (
    Array(KAPPA, _RHO),
    Array(KAPPA, _RHO + 1),
    Vector(KAPPA, _RHO),
    Vector(KAPPA, _RHO + 1),
)
_MATRIX, _CUBE, _SCALAR = Array(KAPPA, Rho(2)), Array(KAPPA, Rho(3)), Array(KAPPA, Rho(0))
_ANY1, _ANY2 = Array(KAPPA, Rho.of("ρ1")), Array(KAPPA, Rho.of("ρ2"))
_AXIS1, _AXIS2 = Array(KAPPA, Rho.of("ρ1") + 1), Array(KAPPA, Rho.of("ρ2") + 1)
_VECTOR1, _VECTOR2 = Vector(KAPPA, Rho.of("ρ1")), Vector(KAPPA, Rho.of("ρ2"))

MONADIC: tuple[tuple[Type, ...], ...] = (
    (_ANY,), (_AXIS,), (_VECTOR,), (_FILLED,), (_MATRIX,), (_CUBE,), (_SCALAR,),
)  # fmt: skip
DYADIC: tuple[tuple[Type, ...], ...] = (
    (_ANY1, _ANY2), (_AXIS1, _AXIS2), (_ANY, _ANY), (_AXIS, _AXIS),
    (_VECTOR1, _ANY2), (_ANY1, _VECTOR2), (_VECTOR1, _AXIS2), (_AXIS1, _VECTOR2), (_VECTOR, _ANY),
    (_ANY, _VECTOR), (_SCALAR, _ANY), (_ANY, _SCALAR), (_SCALAR, _AXIS), (_AXIS, _SCALAR),
    (_VECTOR1, _VECTOR2), (_VECTOR, _VECTOR), (_SCALAR, _VECTOR), (_VECTOR, _SCALAR), (_VECTOR, _MATRIX),
    (_MATRIX, _VECTOR), (_MATRIX, _MATRIX), (_SCALAR, _MATRIX), (_MATRIX, _SCALAR), (_SCALAR, _SCALAR),
)  # fmt: skip
"""The parameters' types that are tried, the more general ones first."""

_ORDER = (Base.DOUBLE, Base.CHAR, Base.INT, Base.BOOL, Base.COMPLEX)


@dataclass(frozen=True, slots=True)
class Inferred:
    """A most general type, and what its base-type variable stands for; or why there is none."""

    type: Type | None
    covers: tuple[Base, ...] = ()
    problem: Diagnostic | None = None


def of_call(elab: Elaborating, function: tree.Function, scope: Scope) -> Inferred:
    """The type of the result of a function without arguments."""
    try:
        return Inferred(forget_value(elaborated_for(elab, function, scope, [], [scalar(Base.BOOL)]).ty))
    except Poisoned:
        return Inferred(None)
    except AplcError as error:
        return Inferred(None, problem=error.diagnostics[0])


def most_general(elab: Elaborating, function: tree.Function, scope: Scope) -> Inferred:
    """The most general type of a function of one argument, or of two where it names the left one."""
    problem: Diagnostic | None = None
    for candidates in _candidates(function):
        for parameters in candidates:
            try:
                results, failure = _results(elab, function, scope, parameters)
            except Poisoned:
                return Inferred(None)
            if results:
                return _with_integers(elab, function, scope, parameters, _generalised(parameters, results))
            problem = problem or failure
            if failure is not None and failure.kind in _HOPELESS:
                break
    return Inferred(None, problem=problem)


def _with_integers(
    elab: Elaborating, function: tree.Function, scope: Scope, parameters: tuple[Type, ...], found: Inferred
) -> Inferred:
    """The type of a function that takes counts or indices on one side: integers there, where that leaves
    more element types for the other side.
    """
    if len(parameters) == 2 and Base.CHAR not in found.covers:
        left, right = parameters
        for given in ((_at(left, Base.INT), right), (left, _at(right, Base.INT))):
            results, _ = _results(elab, function, scope, given)
            if Base.CHAR in results and Base.CHAR in (better := _generalised(given, results)).covers:
                return better
    return found


_HOPELESS = ("SYNTAX ERROR", "VALUE ERROR", "LIMIT ERROR")
"""What is wrong for arguments of all types, if they are as many."""


def _candidates(function: tree.Function) -> tuple[tuple[tuple[Type, ...], ...], ...]:
    if isinstance(function, tree.Definition):
        return (DYADIC,) if needs_left(function.dfn) else (MONADIC,)
    return (MONADIC, DYADIC)


def _results(
    elab: Elaborating, function: tree.Function, scope: Scope, parameters: tuple[Type, ...]
) -> tuple[dict[Base, Type], Diagnostic | None]:
    """The type of the result for each element type that works; what does not work for doubles, nor for
    characters, works for scalars at most.
    """
    results: dict[Base, Type] = {}
    failure: Diagnostic | None = None
    for base in _ORDER:
        types = [_chosen(ty, base) for ty in parameters]
        try:
            results[base] = forget_value(elaborated_for(elab, function, scope, [], types).ty)
        except AplcError as error:
            failure = failure or error.diagnostics[0]
            if failure.kind in _HOPELESS + _OF_SHAPES:
                return {}, failure
        if base is Base.CHAR and Base.DOUBLE not in results and parameters not in (MONADIC[-1], DYADIC[-1]):
            break
    return results, failure


_OF_SHAPES = ("RANK ERROR", "LENGTH ERROR")
"""What is wrong for elements of every type."""


def _chosen(ty: Type, base: Base) -> Type:
    """A parameter's type for a choice of κ."""
    return _at(ty, base) if isinstance(ty, Array | Vector) and ty.base == KAPPA else ty


def _at(ty: Type, base: Base) -> Type:
    match ty:
        case Array(rank=rank):
            return Array(base, rank)
        case Vector(length=length):
            return Vector(base, length)
        case _:
            raise AssertionError(ty)


def _generalised(parameters: tuple[Type, ...], results: dict[Base, Type]) -> Inferred:
    """One type for all element types whose results agree: the same everywhere, or that of the argument."""
    first = next(iter(results))
    shape = results[first]
    if shape == Tuple(()):
        return Inferred(Func(parameters, shape), tuple([b for b in Base if b in results]))
    if isinstance(shape, Tuple | Func):
        return Inferred(Func(tuple([_chosen(ty, first) for ty in parameters]), shape), (first,))
    same = [b for b, ty in results.items() if ty == shape]
    moving = [
        b
        for b, ty in results.items()
        if not isinstance(ty, Tuple | Func) and ty.base is b and ty == _at(shape, b)
    ]
    if shape.base is first and len(moving) >= len(same):
        covers, result = moving, _with_kappa(shape)
    else:
        covers, result = same, shape
    if len(covers) == 1:
        return Inferred(Func(tuple([_chosen(ty, first) for ty in parameters]), results[first]), (first,))
    return Inferred(Func(parameters, result), tuple([b for b in Base if b in covers]))


def _with_kappa(ty: Type) -> Type:
    match ty:
        case Array(rank=rank):
            return Array(KAPPA, rank)
        case Vector(length=length):
            return Vector(KAPPA, length)
        case _:
            return ty


def needs_left(dfn: Dfn) -> bool:
    """Whether a definition mentions its left argument and gives it no default."""
    if dfn.header is not None:
        return dfn.header.left is not None and not dfn.header.left_may_miss
    statements = [(*(s.guard or ()), *s.items) for s in dfn.body]
    if any(_is_default(items) for items in statements):
        return False
    return any(mentions_left(items) for items in statements)


def _is_default(items: tuple[Item, ...]) -> bool:
    return (
        len(items) > 1 and isinstance(items[0], Name) and items[0].name == "⍺" and isinstance(items[1], Arrow)
    )


def mentions_left(items: tuple[Item, ...]) -> bool:
    """Whether a row mentions the left argument, outside of braces in it."""
    for item in items:
        match item:
            case Name(name="⍺"):
                return True
            case Paren(items=inner) if mentions_left(inner):
                return True
            case Bracket(parts=parts) if any(mentions_left(part) for part in parts):
                return True
            case _:
                pass
    return False
