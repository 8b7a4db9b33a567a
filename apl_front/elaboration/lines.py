"""One line of a session as typed TAIL: a program whose value is what the names hold behind it.

The names of a session keep their arrays between lines, so they come in as inputs and go out as the components
of the value. Functions and operators stay text: what a line calls is elaborated again with it, for the types
that the arrays have now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aplc.apl_front.building.builder import constant
from aplc.apl_front.elaboration.elaborate import MAX_ERRORS, Elaborated, finished
from aplc.apl_front.elaboration.elaborator import Elaborator
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, OperatorValue
from aplc.apl_front.reading.system_names import SETTINGS
from aplc.apl_front.syntax.ast import File
from aplc.apl_front.syntax.mentioned import names_in, shared_names
from aplc.apl_front.typing.report import verdicts
from aplc.tail.errors import UNSUPPORTED, AplcError, CompileError, Diagnostic, Unsupported
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.syntax import Exp, let, product
from aplc.tail.types import Type

SETTABLE = frozenset(SETTINGS) | {"⎕rl"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a session, elaborated."""

    program: Elaborated
    arrays: tuple[str, ...]
    """The names that it gives arrays: the components of the program's value, in this order."""
    definitions: Mapping[str, str]
    """The texts of the functions and operators that it defines, by name."""
    settings: Mapping[str, str]
    """The texts of the assignments to system names, by name."""


def elaborate_line(
    before: Sequence[File], line: File, inputs: Mapping[str, Type], *, rules: Rules = DEFAULTS
) -> Line:
    """The line behind definitions and settings of before; statements that are no assignments are shown.

    What a function between two ∇ sets a later line may ask for, if it is set outside of conditions and loops;
    otherwise it is local where only that function mentions it. Raises `CompileError` or `Unsupported` with up
    to 20 causes.
    """
    statements = [s for file in (*before, line) for s in file.statements]
    every = frozenset([name.name for s in statements for name in names_in(s.items)])
    try:
        return _elaborated(before, line, inputs, rules, every)
    except Unsupported:
        return _elaborated(before, line, inputs, rules, shared_names(statements))


def _elaborated(
    before: Sequence[File], line: File, inputs: Mapping[str, Type], rules: Rules, shared: frozenset[str]
) -> Line:
    """The same, where the names that several statements share are known."""
    elaborator = Elaborator(inputs, rules=rules)
    elaborator.effects.shared = shared
    for file in before:
        for statement in file.statements:
            elaborator.statement(statement, elaborator.top)
    given = dict(elaborator.top.names)
    definitions: dict[str, str] = {}
    settings: dict[str, str] = {}
    errors: list[Diagnostic] = []
    for statement in line.statements:
        try:
            node = elaborator.resolved(statement, elaborator.top)
            value, assigned = elaborator.statement(statement, elaborator.top)
            if isinstance(node, tree.AssignFunction | tree.AssignOperator):
                claim = "" if statement.annotation is None else f"⍝: {statement.annotation.span.text}\n"
                definitions[node.target.name] = claim + statement.span.text
            if isinstance(node, tree.Assign) and node.target.name in SETTABLE:
                settings[node.target.name] = statement.span.text
            shy = elaborator.is_shy()
            if value is not None and not assigned and constant(shy) is not True:
                elaborator.print_unless(shy, value, statement.span)
        except Poisoned:
            elaborator.poison(statement)
        except AplcError as error:
            errors += error.diagnostics
            elaborator.poison(statement)
            if len(errors) >= MAX_ERRORS:
                break
    names = elaborator.top.names
    errors += [d for verdict in verdicts(elaborator, elaborator.top).values() for d in verdict.refutation]
    if errors:
        is_known = all(e.kind == UNSUPPORTED for e in errors)
        raise (Unsupported if is_known else CompileError)(errors[:MAX_ERRORS])
    arrays: dict[str, Exp] = {}
    for name, found in names.items():
        if isinstance(found, ArrayValue) and found is not given.get(name) and not name.startswith("⎕"):
            arrays[name] = found.exp
    bindings = elaborator.build.bindings
    body = let(bindings, product(tuple(arrays.values())))
    program = finished(elaborator, body, has_value=False)
    kept = {n: t for n, t in definitions.items() if isinstance(names.get(n), FunctionValue | OperatorValue)}
    return Line(program, tuple(arrays), kept, settings)
