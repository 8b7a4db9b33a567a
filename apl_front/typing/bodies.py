"""Bodies of definitions: statements one after the other, guards, and the value of the whole.

A body is elaborated in a scope of its own at every call. A guard makes a conditional: what follows it is the
other branch. A guard whose condition is known when compiling chooses at once, so that a function may treat
scalars and arrays differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.builder import constant
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, OperatorValue, Scope, SelfValue, claim_of
from aplc.apl_front.syntax.ast import Arrow, Dfn, Name, Statement
from aplc.apl_front.typing import procedures, proofs, shy
from aplc.apl_front.typing.branches import Branch, Unfinished, as_condition, join_branches
from aplc.apl_front.typing.effects import Place, carrying, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal


def value_of_body(elab: Elaborating, function: SelfValue, arguments: Sequence[Exp]) -> Exp:
    """The value of a body with `⍺`, `⍵`, `∇` and the operands bound."""
    if function.dfn.header is not None:
        found = procedures.value_of_call(elab, function, arguments)
        if found is None:
            raise Unfinished
        return found
    inner = _scope(elab, function, arguments)
    result = _statements(elab, function.dfn.body, inner)
    if result is None:
        raise syntax_error("the function has no result", function.dfn.span)
    return result


def begins_with_default(dfn: Dfn) -> bool:
    """Whether braces begin with `⍺←…`: a call without `⍺` is one with that value, so that a definition which
    calls itself is one function for both.
    """
    first = dfn.body[0] if dfn.header is None and dfn.body else None
    return first is not None and first.guard is None and _assigns_alpha(first)


def default_of(elab: Elaborating, function: SelfValue, right: Exp) -> Exp | None:
    """The value of that `⍺←…` for a right argument; None if it is a function."""
    inner = _scope(elab, function, [right])
    elab.statement(function.dfn.body[0], inner)
    found = inner.names.get("⍺")
    return found.exp if isinstance(found, ArrayValue) else None


def _scope(elab: Elaborating, function: SelfValue, arguments: Sequence[Exp]) -> Scope:
    """The names that a body in braces begins with."""
    inner = Scope(function.scope, is_unseen=id(function.dfn) in elab.effects.unseen)
    inner.bind("⍵", ArrayValue(arguments[-1], None))
    if len(arguments) > 1:
        inner.bind("⍺", ArrayValue(arguments[0], None))
    inner.bind("∇", function)
    for name, operand in zip(("⍺⍺", "⍵⍵"), function.operands, strict=False):
        inner.bind(name, operand)
    if function.operands:
        inner.bind("∇∇", OperatorValue(tree.Definition(function.dfn, function.dfn.span), function.scope))
    return inner


def _statements(elab: Elaborating, statements: Sequence[Statement], scope: Scope) -> Exp | None:
    """The value of the statements of a body, None if they come to an end without one."""
    result = _result(elab, statements, scope)
    for value in [*scope.names.values()]:
        if isinstance(value, FunctionValue | OperatorValue) and (claim := claim_of(value)) is not None:
            proofs.prove_inner(elab, value, claim)
    return result


def _result(elab: Elaborating, statements: Sequence[Statement], scope: Scope) -> Exp | None:
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
            return _noted(elab, result, scope, statement.span, is_assignment=False)
    return _noted(elab, result, scope, statements[-1].span, is_assignment=True) if statements else None


def _noted(
    elab: Elaborating, result: Exp | None, scope: Scope, span: Span, *, is_assignment: bool
) -> Exp | None:
    """A result, and for a proof where it was given; and whether it is shy. One that nobody sees is 0."""
    if result is not None and scope.is_unseen:
        elab.build.discard(result)
        return literal(0, span)
    if result is not None:
        elab.build.note_result(result, span)
        effects, recursions = elab.effects, elab.recursions
        shy.note(elab.asked, effects, elab.build, recursions, scope, span, is_assignment=is_assignment)
    return result


def _guard(
    elab: Elaborating, statement: Statement, rest: Sequence[Statement], scope: Scope
) -> tuple[Exp | None, bool]:
    """`condition: value`, and what follows it; whether the guard has decided the value."""
    assert statement.guard is not None
    build = elab.build
    condition_statement = Statement(statement.guard, statement.guard[0].span.join(statement.guard[-1].span))
    condition, _ = elab.statement(condition_statement, scope)
    if condition is None:
        raise syntax_error("a guard needs an array", condition_statement.span)
    condition = as_condition(elab.build, condition, "a guard", condition_statement.span)
    known = constant(condition)
    chosen = Statement(statement.items, statement.items[0].span.join(statement.items[-1].span))
    if known is not None:
        return (_value(elab, chosen, scope), True) if known else (None, False)

    def joined(places: tuple[Place, ...]) -> Exp:
        branches: list[Branch] = []
        for take in (True, False):
            with scope.branch(), unchanged_behind(build), build.block() as bindings:
                try:
                    value = _value(elab, chosen, scope) if take else _rest(elab, rest, scope)
                    branches.append((None if value is None else with_names(places, value), bindings))
                except Unfinished:
                    branches.append(None)
        result = join_branches(build, condition, branches[0], branches[1], statement.span)
        return taken_apart(build, places, result, statement.span)

    return carrying(elab.effects, build, scope, statement, joined), True


def _value(elab: Elaborating, statement: Statement, scope: Scope) -> Exp:
    value, assigned = elab.statement(statement, scope)
    if value is None:
        raise unsupported("a function as a result", statement.span, "give the function a name outside")
    noted = _noted(elab, value, scope, statement.span, is_assignment=assigned)
    assert noted is not None
    return noted


def _rest(elab: Elaborating, rest: Sequence[Statement], scope: Scope) -> Exp | None:
    return _statements(elab, rest, scope) if rest else None


def _assigns_alpha(statement: Statement) -> bool:
    first = statement.items[0] if statement.items else None
    second = statement.items[1] if len(statement.items) > 1 else None
    return isinstance(first, Name) and first.name == "⍺" and isinstance(second, Arrow)
