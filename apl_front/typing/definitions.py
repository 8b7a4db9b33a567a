"""Braces applied: a body in line, a call of itself, or a recursive function; operators of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from aplc.apl_front.building.builder import data_type
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.scope import (
    ArrayValue,
    FunctionValue,
    OpaqueValue,
    Operand,
    Scope,
    SelfValue,
    underlying,
    underlying_operator,
)
from aplc.apl_front.typing import claims, procedures, proofs
from aplc.apl_front.typing.bodies import begins_with_default, default_of, value_of_body
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.fixed_points import Instance, Key
from aplc.apl_front.typing.recursion import Grown, Recursive, key_of, own_call, recursive, refuse_growth
from aplc.tail import prims as p
from aplc.tail.errors import (
    AplcError,
    CompileError,
    Diagnostic,
    Unsupported,
    compile_error,
    first_line,
    unsupported,
)
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, op
from aplc.tail.types import Array, Base, Tuple, rank_of

MAX_OWN_CALLS = 500
"""How often a definition may be inside itself, each time for other ranks or operands."""
MAX_STRUCTURES = 20
"""From so many on, strands that grow from call to call are arrays of arrays from the first call on."""
MAX_DEPTH = 30
"""So deep, arguments that are enclosed from call to call are taken to have no end."""


def apply(elab: Elaborating, function: SelfValue, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A definition applied: its body in line, a call of itself, or a recursive function."""
    if function.dfn.annotation is not None:
        claim = function.dfn.annotation
        left, fit = claims.fitted(elab, claim, (left, right), "this function", span)
        right = fit or right
        definition = FunctionValue(tree.Definition(function.dfn, function.dfn.span), function.scope)
        proofs.prove_inner(elab, definition, claim)
    elif left is None and begins_with_default(function.dfn):
        right = elab.build.bind(right)
        left = default_of(elab, function, right)
    if function.dfn.header is not None:
        procedures.check_call(function.dfn.header, left, span)
    key = key_of(function, left, right)
    under_way = elab.recursions.under_way(function.dfn)
    active = next((i for i in reversed(under_way) if i.key == key), None)
    if active is not None:
        return own_call(elab, active, left, right, span)
    given = [a for a in (left, right) if a is not None]
    if len(under_way) >= MAX_STRUCTURES:
        refuse_growth(under_way[0], tuple([a.ty for a in given]))
    is_deep = len(under_way) >= MAX_STRUCTURES and any(abs(tuples.depth_of(a.ty)) > MAX_DEPTH for a in given)
    if is_deep or len(under_way) >= MAX_OWN_CALLS:
        message = "the calls are nested too deeply: each is for arguments of another rank or structure"
        raise compile_error("LIMIT ERROR", message, span)
    mark = elab.build.mark()
    arguments = [elab.build.bind(a) for a in given]
    try:
        return _called(elab, key, function, arguments, span)
    except Grown as found:
        if found.key != key:
            raise
        types = found.types
    elab.build.undo(mark)
    grown = [
        a if ty is None else tuples.coerce(elab.build, elab.build.bind(a), ty, "∇", span)
        for a, ty in zip(given, types, strict=True)
    ]
    return apply(elab, function, grown[0] if len(grown) > 1 else None, grown[-1], span)


def _called(elab: Elaborating, key: Key, function: SelfValue, arguments: Sequence[Exp], span: Span) -> Exp:
    """A call of a definition that is not under way for arguments of these ranks and kinds."""
    recursions = elab.recursions
    if recursions.calls_itself(function.dfn):
        around = _circumstances(elab, function, arguments)
        if recursions.types(around) is not None:
            return recursive(elab, key, function, arguments, span, around)
    mark = elab.build.mark()
    if not elab.build.proving and recursions.is_in_common(function):
        with suppress(CompileError, Unsupported):
            return elab.build.bind(recursive(elab, key, function, arguments, span, None, in_common=True))
        elab.build.undo(mark)
        recursions.keep_in_line(function.dfn)
    try:
        with recursions.entered(function.dfn, Instance(key, types=tuple([a.ty for a in arguments]))):
            return value_of_body(elab, function, arguments)
    except Recursive as found:
        if found.key != key:
            raise
        elab.build.undo(mark)
    recursions.found_calling_itself(function.dfn)
    return recursive(elab, key, function, arguments, span, _circumstances(elab, function, arguments))


def _circumstances(elab: Elaborating, function: SelfValue, arguments: Sequence[Exp]) -> object | None:
    """What the types of a recursive function depend on; nothing is remembered while a function is proved."""
    return None if elab.build.proving else elab.recursions.circumstances(function, arguments)


def apply_operator(
    elab: Elaborating, node: tree.UserDerived, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A derived function of an operator of the user's own, applied."""
    if isinstance(node.operator, tree.OperatorName) and node.operator.name == "⎕bench":
        return _bench(elab, node, scope, left, right, span)
    definition, found = underlying_operator(node.operator, scope)
    operands = [_operand(elab, o, scope) for o in (node.left, node.right) if o is not None]
    function = SelfValue(definition.dfn, found.scope, tuple(operands))
    claim = found.annotation or definition.dfn.annotation
    if claim is not None:
        places = tuple([o.span for o in (node.left, node.right) if o is not None])
        name = first_line(node.operator.span.text)
        left, fit = claims.fitted(elab, claim, (left, right), name, span, function.operands, places)
        right = fit or right
    try:
        return apply(elab, function, left, right, span)
    except AplcError as error:
        inside = definition.span
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


def _operand(elab: Elaborating, node: tree.Operand, scope: Scope) -> Operand:
    """An operand of a user's operator, with the scope in which it is meant."""
    if isinstance(node, tree.ARRAY_NODES):
        return ArrayValue(elab.build.bind(elab.array(node, scope)), node.span)
    if isinstance(node, tree.Jot):
        raise syntax_error("∘ needs a function on each side", node.span)
    function, origin = underlying(node, scope)
    if isinstance(function, tree.FunctionName):
        found = origin.find(function.name)
        if isinstance(found, OpaqueValue):
            return found
    return FunctionValue(function, origin)


def _bench(
    elab: Elaborating, node: tree.UserDerived, scope: Scope, left: Exp | None, right: Exp, span: Span
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
    if isinstance(function.body.ty, Tuple):
        raise unsupported("⎕BENCH of a function that gives an array of arrays", span, "count its items")
    return build.bind(op(p.BENCH, function, runs, right, symbol="⎕BENCH", span=span))
