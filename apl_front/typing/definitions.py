"""Braces: the body of a dfn, guards, operators of the user's own, and recursion.

A body is elaborated in a scope of its own at every call. A guard makes a conditional: what follows it is the
other branch. A guard whose condition is known when compiling chooses at once, so that a function may treat
scalars and arrays differently.

Note [Recursion]
    A definition that is called again while it is being elaborated, for arguments of the same ranks and kinds,
    is elaborated as a recursive function of TAIL. The types of its parameters and of its result are the least
    fixed point: they start as those of the first call and as nothing, a call inside widens the parameters by
    its arguments, and the branches that do not call give the first result. A call whose result is not known
    yet gives up the branch (`Unfinished`). Ranks do not widen: a call with other ranks is another function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from aplc.apl_front.building.builder import base_of, constant, data_type, length_of, plain, plain_type, rank
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.infix import syntax_error
from aplc.apl_front.reading.scope import (
    ArrayValue,
    FunctionValue,
    OpaqueValue,
    Operand,
    OperatorValue,
    Scope,
    SelfValue,
    claim_of,
)
from aplc.apl_front.syntax.ast import Arrow, Name, Statement
from aplc.apl_front.typing import claims, proofs
from aplc.apl_front.typing.fixed_points import FixedPoint, circumstances
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, Diagnostic, Error, compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Binding,
    Exp,
    Lit,
    Param,
    Var,
    call,
    conditional,
    let,
    literal,
    op,
    product,
    rec,
    vec,
)
from aplc.tail.types import Array, Base, Func, Tuple, Type, forget_value, known_length, rank_of

if TYPE_CHECKING:
    from aplc.apl_front.elaboration.elaborator import Elaborator

MAX_OWN_CALLS = 500
"""How often a definition may be inside itself, each time for other ranks or operands."""
MAX_ROUNDS = 40
"""A fixed point of types is reached long before; this bounds what a mistake of ours would cost."""


class Unfinished(Error):
    """A call of a recursive function whose result type is not known yet."""


class Recursive(Error):
    """A definition turned out to call itself: it must be elaborated anew, as a recursive function."""

    def __init__(self, key: Key) -> None:
        self.key = key
        super().__init__("recursion")


Key = tuple[object, ...]


@dataclass(eq=False, slots=True)
class Instance:
    """A definition being elaborated for arguments of certain ranks and kinds."""

    key: Key
    name: str | None = None
    """Its name in TAIL, where it is elaborated as a recursive function."""
    params: tuple[Type, ...] = ()
    result: Type | None = None
    wanted: tuple[Type, ...] = ()
    """The parameters' types as the calls seen so far need them."""


def apply(elab: Elaborator, function: SelfValue, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A definition applied: its body in line, a call of itself, or a recursive function."""
    if function.dfn.annotation is not None:
        claim = function.dfn.annotation
        left, fit = claims.fitted(elab, claim, (left, right), "this function", span)
        right = fit or right
        definition = FunctionValue(tree.Definition(function.dfn, function.dfn.span), function.scope)
        proofs.prove_inner(elab, definition, claim)
    key = _key(elab, function, left, right)
    under_way = elab.active.setdefault(key[0], [])
    active = next((i for i in reversed(under_way) if i.key == key), None)
    if active is not None:
        return _call(elab, active, left, right, span)
    if len(under_way) >= MAX_OWN_CALLS:
        message = "the calls are nested too deeply: each is for arguments of another rank or structure"
        raise compile_error("LIMIT ERROR", message, span)
    arguments = [elab.build.bind(a) for a in (left, right) if a is not None]
    if id(function.dfn) in elab.recursive:
        around = circumstances(elab, function, arguments)
        if around in elab.fixed_points:
            return _recursive(elab, key, function, arguments, span, around)
    mark, facts = len(elab.build.bindings), len(elab.facts)
    under_way.append(Instance(key))
    try:
        return _body(elab, function, arguments)
    except Recursive as found:
        if found.key != key:
            raise
        del elab.build.bindings[mark:]
        del elab.facts[facts:]
    finally:
        under_way.pop()
    elab.recursive.add(id(function.dfn))
    return _recursive(elab, key, function, arguments, span, circumstances(elab, function, arguments))


def apply_operator(
    elab: Elaborator, node: tree.UserDerived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A derived function of an operator of the user's own, applied."""
    if isinstance(node.operator, tree.OperatorName) and node.operator.name == "⎕bench":
        return _bench(elab, node, scope, left, right, span)
    found = scope.operator(node.operator)
    while isinstance(found.node, tree.OperatorName):
        found = found.scope.operator(found.node)
    operands = [_operand(elab, o, scope) for o in (node.left, node.right) if o is not None]
    function = SelfValue(found.node.dfn, found.scope, tuple(operands))
    claim = found.annotation or found.node.dfn.annotation
    if claim is not None:
        places = tuple([o.span for o in (node.left, node.right) if o is not None])
        name = first_line(node.operator.span.text)
        left, fit = claims.fitted(elab, claim, (left, right), name, span, function.operands, places)
        right = fit or right
    try:
        return apply(elab, function, left, right, span)
    except AplcError as error:
        inside = found.node.span
        raise type(error)([_with_call(d, inside, span) for d in error.diagnostics]) from None


def _with_call(diagnostic: Diagnostic, definition: Span, span: Span) -> Diagnostic:
    at = diagnostic.trail[-1] if diagnostic.trail else diagnostic.span
    within = at is not None and at.source is definition.source
    if at is None or not within or not definition.start <= at.start < definition.end:
        return diagnostic
    return with_call(diagnostic, span)


def with_call(diagnostic: Diagnostic, span: Span) -> Diagnostic:
    """The message with a call at the end of its trail; one that is there already moves to the end."""
    return replace(diagnostic, trail=(*[call for call in diagnostic.trail if call != span], span))


def _operand(elab: Elaborator, node: tree.Operand, scope: Scope) -> Operand:
    """An operand of a user's operator, with the scope in which it is meant."""
    if isinstance(node, tree.ARRAY_NODES):
        return ArrayValue(elab.build.bind(elab.array(node, scope)), node.span)
    if isinstance(node, tree.Jot):
        raise syntax_error("∘ needs a function on each side", node.span)
    function, origin = elab.underlying(node, scope)
    if isinstance(function, tree.FunctionName):
        found = origin.find(function.name)
        if isinstance(found, OpaqueValue):
            return found
    return FunctionValue(function, origin)


def _bench(
    elab: Elaborator, node: tree.UserDerived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """`f ⎕BENCH n ⊢ x`"""
    build = elab.build
    if node.right is None or not isinstance(node.right, tree.ARRAY_NODES):
        raise syntax_error("⎕BENCH needs the number of runs on its right", node.span)
    runs = build.bind(build.coerce(elab.array(node.right, scope), Base.INT, "⎕BENCH", node.span))
    f = elab.operand(node.left, scope, "⎕BENCH")
    first = None if left is None else build.bind(left)
    argument = data_type(right)
    function = build.function_on(
        (Array(argument.base, rank_of(argument)),), lambda x: f.apply(first, x, span), span
    )
    return build.bind(op(p.BENCH, function, runs, right, symbol="⎕BENCH", span=span))


# --- bodies ---------------------------------------------------------------------------------------------


def _body(elab: Elaborator, function: SelfValue, arguments: Sequence[Exp]) -> Exp:
    """The value of a body with `⍺`, `⍵`, `∇` and the operands bound."""
    inner = Scope(function.scope)
    inner.names["⍵"] = ArrayValue(arguments[-1], None)
    if len(arguments) > 1:
        inner.names["⍺"] = ArrayValue(arguments[0], None)
    inner.names["∇"] = function
    for name, operand in zip(("⍺⍺", "⍵⍵"), function.operands, strict=False):
        inner.names[name] = operand
    result = _statements(elab, function.dfn.body, inner)
    if result is None:
        raise syntax_error("the function has no result", function.dfn.span)
    return result


def _statements(elab: Elaborator, statements: Sequence[Statement], scope: Scope) -> Exp | None:
    """The value of the statements of a body, None if they come to an end without one."""
    result = _result(elab, statements, scope)
    for value in [*scope.names.values()]:
        if isinstance(value, FunctionValue | OperatorValue) and (claim := claim_of(value)) is not None:
            proofs.prove_inner(elab, value, claim)
    return result


def _result(elab: Elaborator, statements: Sequence[Statement], scope: Scope) -> Exp | None:
    result: Exp | None = None
    for position, statement in enumerate(statements):
        if "⍺" in scope.names and _assigns_alpha(statement):
            continue
        if statement.guard is not None:
            value, decided = _guard(elab, statement, statements[position + 1 :], scope)
            if decided:
                return value
            continue
        result, assigned = elab.statement(statement, scope)
        if not assigned:
            return _noted(elab, result, statement.span)
    return _noted(elab, result, statements[-1].span) if statements else None


def _noted(elab: Elaborator, result: Exp | None, span: Span) -> Exp | None:
    """A result, and for a proof where it was given."""
    if elab.build.proving and result is not None:
        elab.build.returned[id(result)] = result, span
    return result


def _guard(
    elab: Elaborator, statement: Statement, rest: Sequence[Statement], scope: Scope
) -> tuple[Exp | None, bool]:
    """`condition: value`, and what follows it; whether the guard has decided the value."""
    assert statement.guard is not None
    build = elab.build
    condition_statement = Statement(statement.guard, statement.guard[0].span.join(statement.guard[-1].span))
    condition, _ = elab.statement(condition_statement, scope)
    if condition is None:
        raise syntax_error("a guard needs an array", condition_statement.span)
    condition = as_condition(elab, condition, "a guard", condition_statement.span)
    known = constant(condition)
    chosen = Statement(statement.items, statement.items[0].span.join(statement.items[-1].span))
    if known is not None:
        return (_value(elab, chosen, scope), True) if known else (None, False)
    branches: list[Branch] = []
    before = dict(scope.names)
    for take in (True, False):
        scope.names = dict(before)
        with build.block() as bindings:
            try:
                value = _value(elab, chosen, scope) if take else _rest(elab, rest, scope)
                branches.append((value, bindings))
            except Unfinished:
                branches.append(None)
    scope.names = before
    return join_branches(elab, condition, branches[0], branches[1], statement.span), True


def _value(elab: Elaborator, statement: Statement, scope: Scope) -> Exp:
    value, _ = elab.statement(statement, scope)
    if value is None:
        raise unsupported("a function as a result", statement.span, "give the function a name outside")
    _noted(elab, value, statement.span)
    return value


def _rest(elab: Elaborator, rest: Sequence[Statement], scope: Scope) -> Exp | None:
    return _statements(elab, rest, scope) if rest else None


def as_condition(elab: Elaborator, exp: Exp, what: str, span: Span) -> Exp:
    """An expression as one boolean scalar."""
    lengths = (1, None) if not elab.build.proving or known_length(exp.ty) is None else (1,)
    if isinstance(exp.ty, Tuple) or (rank(exp) > 0 and length_of(exp) not in lengths) or rank(exp) > 1:
        raise compile_error("LENGTH ERROR", f"{what} needs one 0 or 1, got {plain_type(exp)}", span)
    if rank(exp) == 1:
        prim = p.FIRST_V if length_of(exp) == 1 else p.SINGLE
        exp = op(prim, exp, symbol=what, span=span)
    value = constant(exp)
    if value in (0, 1):
        return literal(bool(value), exp.span)
    if value is not None:
        shown = plain_type(exp) if isinstance(value, str) else f"{value:g}".replace("-", "¯")
        raise compile_error("DOMAIN ERROR", f"{what} needs 0 or 1, got {shown}", span)
    return elab.build.coerce(exp, Base.BOOL, what, span)


Branch = tuple[Exp | None, list[Binding]] | None
"""A value (None: there is none) with the bindings of its block; None for one that is unfinished."""


def join_branches(elab: Elaborator, condition: Exp, then: Branch, otherwise: Branch, span: Span) -> Exp:
    """The conditional of two branches, brought to one element type."""
    if then is None or otherwise is None:
        known = then or otherwise
        if known is None or known[0] is None:
            raise Unfinished
        return let(known[1], known[0])
    assert then[0] is not None
    if otherwise[0] is None:
        with elab.build.block() as bindings:
            failing = no_result(elab, then[0].ty, span)
        otherwise = (failing, bindings)
    assert otherwise[0] is not None
    wanted = tuples.widen(then[0].ty, otherwise[0].ty)
    if wanted is None:
        raise _parted(then[0], otherwise[0], span)
    made = []
    for value, bindings in (then, otherwise):
        assert value is not None
        with elab.build.block(bindings):
            made.append(let(bindings, tuples.coerce(elab.build, value, wanted, "a guard", span)))
    return conditional(condition, made[0], made[1], span)


def _parted(then: Exp, otherwise: Exp, span: Span) -> AplcError:
    """The error for branches that have no common type."""
    shown = f"{plain_type(then)} here and {plain_type(otherwise)} otherwise"
    if isinstance(then.ty, Tuple) or isinstance(otherwise.ty, Tuple):
        return unsupported(f"a function whose result is {shown}", span)
    if Base.CHAR in (base_of(then), base_of(otherwise)) and base_of(then) is not base_of(otherwise):
        return unsupported(f"a function whose result is {shown}", span, "make text of numbers with ⍕")
    hint = "write , in front of the scalar" if {rank(then), rank(otherwise)} == {0, 1} else ""
    return unsupported(f"a function whose result has different ranks, {shown},", span, hint)


def no_result(elab: Elaborator, ty: Type, span: Span) -> Exp:
    """An expression of a type that only raises VALUE ERROR."""
    if isinstance(ty, Tuple):
        return product(tuple([no_result(elab, t, span) for t in ty.items]), span)
    assert not isinstance(ty, Func) and isinstance(ty.base, Base)
    fill = elab.build.fill(ty.base, span)
    axes = rank_of(ty).const
    if axes == 0:
        return op(p.NO_RESULT, fill, symbol="", span=span)
    zeros = vec(tuple([literal(0, span)] * axes), Base.INT, span)
    return op(p.NO_RESULT, op(p.RESHAPE, zeros, fill, span=span), symbol="", span=span)


# --- recursion ------------------------------------------------------------------------------------------


def _key(elab: Elaborator, function: SelfValue, left: Exp | None, right: Exp) -> Key:
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
        return tuple([_kind(t) for t in ty.items])
    assert not isinstance(ty, Func)
    return (str(rank_of(ty)), ty.base is Base.CHAR)


def _call(elab: Elaborator, active: Instance, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A call of a definition from inside itself."""
    elab.summaries.own_calls += 1
    if active.name is None:
        raise Recursive(active.key)
    arguments = [part for a in (left, right) if a is not None for part in tuples.components(elab.build, a)]
    wanted = []
    for have, argument in zip(active.wanted, arguments, strict=True):
        common = tuples.widen(have, forget_value(argument.ty))
        assert common is not None  # same rank and kind, by the key
        wanted.append(common)
    active.wanted = tuple(wanted)
    if active.result is None:
        elab.build.discard(*arguments)
        raise Unfinished
    fitted = [
        tuples.coerce(elab.build, a, t, "∇", span) for a, t in zip(arguments, active.params, strict=True)
    ]
    return call(active.name, tuple(fitted), active.result, span)


def _recursive(
    elab: Elaborator,
    key: Key,
    function: SelfValue,
    arguments: Sequence[Exp],
    span: Span,
    around: object | None,
) -> Exp:
    """A definition as a recursive function: see Note [Recursion]; its types are remembered for the
    circumstances.
    """
    build = elab.build
    parts = [part for a in arguments for part in tuples.components(elab.build, a)]
    instance = Instance(key, build.fresh_function(), tuple([forget_value(a.ty) for a in parts]))
    known = elab.fixed_points.get(around)
    if known is not None:
        instance.params, instance.result = known.params, known.result
    under_way = elab.active.setdefault(key[0], [])
    under_way.append(instance)
    try:
        for _ in range(MAX_ROUNDS):
            instance.wanted = instance.params
            facts = len(elab.facts)
            names = [build.fresh() for _ in parts]
            variables = iter([Var(n, ty=t, span=span) for n, t in zip(names, instance.params, strict=True)])
            inner = [tuples.rebuilt(a, variables) for a in arguments]
            with build.block() as bindings:
                try:
                    value: Exp | None = _body(elab, function, inner)
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
            if (instance.wanted, result) == (instance.params, instance.result):
                break
            instance.params, instance.result = instance.wanted, result
            del elab.facts[facts:]
        else:
            raise compile_error("LIMIT ERROR", "the types of the recursion do not settle", function.dfn.span)
    finally:
        under_way.pop()
    assert value is not None and instance.result is not None and instance.name is not None
    if around is not None:
        elab.fixed_points[around] = FixedPoint(instance.params, instance.result)
    params = tuple([Param(n, t) for n, t in zip(names, instance.params, strict=True)])
    inits = [tuples.coerce(build, a, t, "∇", span) for a, t in zip(parts, instance.params, strict=True)]
    with build.block(bindings):
        body = let(bindings, tuples.coerce(build, value, instance.result, "∇", span))
    return rec(instance.name, params, tuple(inits), body, instance.result, span)


def _assigns_alpha(statement: Statement) -> bool:
    first = statement.items[0] if statement.items else None
    second = statement.items[1] if len(statement.items) > 1 else None
    return isinstance(first, Name) and first.name == "⍺" and isinstance(second, Arrow)
