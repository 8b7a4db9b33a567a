"""Definitions that call themselves, as recursive functions of TAIL.

Note [Recursion]
    A definition that is called again while it is being elaborated, for arguments of the same ranks and kinds,
    is elaborated as a recursive function of TAIL. The types of its parameters and of its result are the least
    fixed point: they start as those of the first call and as nothing, a call inside widens the parameters by
    its arguments, and the branches that do not call give the first result. A call whose result is not known
    yet gives up the branch (`Unfinished`). Ranks do not widen: a call with other ranks is another function.
    Names of outside that it changes are further parameters and results: see Note [Outer names] of `effects`.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.builder import plain, rank
from aplc.apl_front.building.item_types import form_of
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, OpaqueValue, Operand, SelfValue
from aplc.apl_front.syntax.ast import Name
from aplc.apl_front.typing.bodies import value_of_body
from aplc.apl_front.typing.branches import Unfinished
from aplc.apl_front.typing.effects import (
    Place,
    assume,
    carrying,
    require,
    taken_apart,
    unchanged_behind,
    with_names,
)
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.fixed_points import MAX_ROUNDS, FixedPoint, Instance, Key
from aplc.apl_front.typing.tail_calls import with_jumps
from aplc.tail.errors import Error, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, Param, Var, call, let, rec
from aplc.tail.types import Base, Func, Nested, Records, Tuple, Type, forget_length, forget_value, rank_of


class Recursive(Error):
    """A definition turned out to call itself: it must be elaborated anew, as a recursive function."""

    def __init__(self, key: Key) -> None:
        self.key = key
        super().__init__("recursion")


class Grown(Error):
    """A strand that becomes longer from call to call: it has to be an array of arrays in the first one."""

    def __init__(self, key: Key, types: tuple[Tuple | None, ...]) -> None:
        self.key, self.types = key, types
        super().__init__("growth")


class GrownName(Error):
    """The same for a name of outside."""

    def __init__(self, instance: Instance, place: Place, ty: Tuple) -> None:
        self.instance, self.place, self.type = instance, place, ty
        super().__init__(place.name)


def _refuse_growth_of_names(active: Instance, span: Span) -> None:
    """Raise `GrownName` where a name that a recursive function carries is made of other arrays in a call
    inside than in the first one.
    """
    for place, before in zip(active.places, active.outside, strict=True):
        now = place.value().ty
        if form_of(now) == form_of(before):
            continue
        common = tuples.grown(before, now)
        if common is None or isinstance(before, Nested | Records):
            raise _growing(before, now, span)
        raise GrownName(active, place, common)


def refuse_growth(first: Instance, types: tuple[Type, ...]) -> None:
    """Raise `Grown` where an argument of the first call and that of one inside it are strands, or a strand
    and an array of arrays, that have a common type as arrays of arrays.
    """
    pairs = list(zip(first.types, types, strict=True))
    grown = tuple([tuples.grown(a, b) if a != b else None for a, b in pairs])
    if any(
        ty is not None and not isinstance(a, Nested | Records)
        for (a, _), ty in zip(pairs, grown, strict=True)
    ):
        raise Grown(first.key, grown)


def key_of(function: SelfValue, left: Exp | None, right: Exp) -> Key:
    """What makes two calls the same function: definition, scope, operands, ranks and kinds of arguments."""
    operands = [_identity(o) for o in function.operands]
    kinds = [None if a is None else _kind(a.ty) for a in (left, right)]
    return (id(function.dfn), id(function.scope), *operands, *kinds)


def _identity(operand: Operand) -> object:
    match operand:
        case FunctionValue(node=node, scope=scope):
            return (id(node), id(scope))
        case OpaqueValue(prim=prim):
            return id(prim)
        case ArrayValue(exp=exp):
            return exp.name if isinstance(exp, Var) else repr(exp.value) if isinstance(exp, Lit) else id(exp)


def _kind(ty: Type) -> object:
    """Rank and kind of an argument, by component."""
    if isinstance(ty, Tuple):
        return type(ty), tuple([_kind(t) for t in ty.items])
    assert not isinstance(ty, Func)
    return (str(rank_of(ty)), ty.base is Base.CHAR)


def own_call(elab: Elaborating, active: Instance, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A call of a definition from inside itself."""
    elab.summaries.note_own_call()
    active.is_called = True
    if active.name is None:
        raise Recursive(active.key)
    build = elab.build
    for place in active.places:
        require(elab.effects, build, place, Name(place.name, span))
    _refuse_growth_of_names(active, span)
    given = [a for a in (left, right) if a is not None] + [place.value() for place in active.places]
    arguments = [part for a in given for part in tuples.components(build, a)]
    wanted = []
    for have, argument in zip(active.wanted, arguments, strict=True):
        common = tuples.widen(have, forget_value(argument.ty))
        if common is None:  # those of arguments have the same rank and kind, by the key
            raise _growing(have, argument.ty, span)
        wanted.append(common)
    active.wanted = tuple(wanted)
    if active.result is None:
        build.discard(*arguments)
        raise Unfinished
    fitted = [tuples.coerce(build, a, t, "∇", span) for a, t in zip(arguments, active.params, strict=True)]
    result = call(active.name, tuple(fitted), active.result, span)
    return taken_apart(build, active.places, result, span)


def _growing(before: Type, after: Type, span: Span) -> Exception:
    """The error for an outer name whose rank changes from call to call."""
    return unsupported(f"a recursion that changes a name from {plain(before)} to {plain(after)}", span)


def recursive(
    elab: Elaborating,
    key: Key,
    function: SelfValue,
    arguments: Sequence[Exp],
    span: Span,
    around: object | None,
    *,
    in_common: bool = False,
) -> Exp:
    """A definition as a recursive function: see Note [Recursion]; its types are remembered for the
    circumstances. One that calls have `in_common` knows nothing of the lengths of its arguments.
    """

    def made(places: tuple[Place, ...]) -> Exp:
        mark = elab.build.mark()
        if in_common and any(isinstance(place.value().ty, Tuple) or rank(place.value()) for place in places):
            # a function gives back what it changes in memory of its own, in line it is changed where it is
            raise unsupported("a change of an array in common", span)
        while True:
            given = [*arguments, *[place.value() for place in places]]
            try:
                with unchanged_behind(elab.build):
                    result = _recursive(elab, key, function, given, places, span, around, in_common=in_common)
                return taken_apart(elab.build, places, result, span)
            except GrownName as found:
                if found.instance.key != key or found.place not in places:
                    raise
                elab.build.undo(mark)
                place, ty = found.place, found.type
                value = elab.build.bind(tuples.coerce(elab.build, place.value(), ty, place.name, span))
                elab.build.change(place.owner, place.name, ArrayValue(value, span))
                mark = elab.build.mark()

    return carrying(elab.effects, elab.build, function.scope, function.dfn, made)


def _recursive(
    elab: Elaborating,
    key: Key,
    function: SelfValue,
    given: Sequence[Exp],
    places: tuple[Place, ...],
    span: Span,
    around: object | None,
    *,
    in_common: bool,
) -> Exp:
    """The same, of arguments and of the values that the names have which it carries."""
    build, forget = elab.build, forget_length if in_common else forget_value
    parts = [part for a in given for part in tuples.components(build, a)]
    own = tuple([forget(a.ty) for a in parts])
    types = tuple([a.ty for a in given[: len(given) - len(places)]])
    outside = tuple([a.ty for a in given[len(given) - len(places) :]])
    instance = Instance(key, build.fresh_function(), own, places=places, types=types, outside=outside)
    known = elab.recursions.types(around)
    if known is not None and len(known.params) == len(parts):
        # of the parts of an array of arrays more may be known than its type tells, and not the same each time
        pairs = zip(known.params, own, strict=True)
        instance.params = tuple([tuples.widen(before, now) or now for before, now in pairs])
        instance.result = known.result
    with elab.recursions.entered(function.dfn, instance):
        for _ in range(MAX_ROUNDS):
            instance.wanted = instance.params
            mark = build.mark()
            names = [build.fresh() for _ in parts]
            place, typed = function.dfn.span, zip(names, instance.params, strict=True)
            variables = iter([Var(n, ty=t, span=place) for n, t in typed])
            inner = [tuples.rebuilt(a, variables, place) for a in given]
            arguments, names_inside = inner[: len(inner) - len(places)], inner[len(inner) - len(places) :]
            with build.block() as bindings:
                assume(build, places, tuple(names_inside), place)
                try:
                    value: Exp | None = with_names(places, value_of_body(elab, function, arguments))
                except Unfinished:
                    value = None
            if value is None and instance.wanted == instance.params:
                message = "the recursion has no end: no guard gives a value without a call"
                raise compile_error("LIMIT ERROR", message, function.dfn.span)
            found = instance.result if value is None else forget_value(value.ty)
            result = (
                found if instance.result is None or found is None else tuples.widen(instance.result, found)
            )
            if found is not None and result is None:
                assert instance.result is not None
                message = (
                    f"a recursion whose result is {plain(found)} in one call and "
                    f"{plain(instance.result)} in another"
                )
                raise unsupported(message, function.dfn.span)
            if not instance.is_called:
                instance.result = result
            if (instance.wanted, result) == (instance.params, instance.result):
                break
            instance.params, instance.result = instance.wanted, result
            build.undo(mark)
        else:
            raise compile_error("LIMIT ERROR", "the types of the recursion do not settle", function.dfn.span)
    assert value is not None and instance.result is not None and instance.name is not None
    elab.recursions.remember(around, FixedPoint(instance.params, instance.result))
    params = tuple([Param(n, t) for n, t in zip(names, instance.params, strict=True)])
    inits = [tuples.coerce(build, a, t, "∇", span) for a, t in zip(parts, instance.params, strict=True)]
    with build.block(bindings):
        body = with_jumps(let(bindings, tuples.coerce(build, value, instance.result, "∇", span)))
    return rec(instance.name, params, tuple(inits), body, instance.result, span, in_common=in_common)
