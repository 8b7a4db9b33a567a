"""Elaboration from outside: a whole program, or one of its functions, as typed TAIL.

The work is done by `Elaborator`; this module runs the statements of a program in order, collects errors, and
puts the program together.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from aplc.apl_front.building.builder import constant
from aplc.apl_front.building.facts import Fact, InOrder, ItemsOf
from aplc.apl_front.building.runs import without_runs
from aplc.apl_front.elaboration.elaborator import Elaborator
from aplc.apl_front.functions.record_values import as_nested
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue
from aplc.apl_front.syntax.ast import File
from aplc.apl_front.syntax.mentioned import shared_names
from aplc.apl_front.syntax.sharing import shared_definitions
from aplc.apl_front.syntax.unseen import unseen_functions
from aplc.apl_front.typing.report import FunctionReport, report, verdicts
from aplc.tail.errors import UNSUPPORTED, AplcError, CompileError, Diagnostic, Unsupported
from aplc.tail.parts import parameters_of
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.syntax import Binding, Exp, Term, Var, fn, let, product, walk
from aplc.tail.types import Type

MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Elaborated:
    """The outcome of elaboration: a program, and what is known of its names."""

    term: Term
    facts: tuple[Fact, ...]
    functions: tuple[str, ...]
    has_value: bool
    """Whether the last statement has a value to show (it is no assignment)."""
    digits: int = 10
    """The number of significant digits with which the value is shown (⎕PP)."""
    in_order: tuple[InOrder, ...] = ()
    nested: Sequence[ItemsOf] = ()
    """The arrays of arrays that applications give."""
    """Operators whose function is applied in order, for what it changes."""
    is_written: bool = False
    """Whether the term is not what elaboration made, but was read."""


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """What is known of a program that is not to be run."""

    facts: tuple[Fact, ...]
    functions: tuple[FunctionReport, ...]
    diagnostics: tuple[Diagnostic, ...]


def elaborate_program(
    files: list[File],
    inputs: Mapping[str, Type],
    *,
    value_of_assignment: bool = False,
    rules: Rules = DEFAULTS,
    outputs: Sequence[str] = (),
) -> Elaborated:
    """A whole program; its inputs become the parameters of a function.

    The value of the program is that of its last statement if that is no assignment (or, on request, of an
    assignment too); otherwise it is `()`. With `outputs` that statement prints, and the value is the tuple of
    what these names hold at the end. `rules` are the caller's. Raises `CompileError` or `Unsupported` with up
    to 20 causes in order.
    """

    def made(in_common: frozenset[int]) -> Elaborated:
        elaborator = Elaborator(inputs, rules=rules)
        elaborator.effects.unseen = _unseen(files, keeps_names=bool(outputs) or value_of_assignment)
        elaborator.recursions.in_common = in_common
        result, errors = _run_statements(elaborator, files, value_of_assignment=value_of_assignment)
        errors += [d for verdict in verdicts(elaborator, elaborator.top).values() for d in verdict.refutation]
        if errors:
            all_known = all(e.kind == UNSUPPORTED for e in errors)
            raise (Unsupported if all_known else CompileError)(_ordered(errors, files))
        if result is not None and not outputs:
            without_runs(result, "a value", files[-1].span)
        if outputs:
            if result is not None:
                elaborator.print(result, elaborator.top, files[-1].span)
            result = product(tuple([_held(elaborator, name) for name in outputs]))
        body = let(elaborator.build.bindings, result if result is not None else product(()))
        return finished(elaborator, body, has_value=result is not None)

    return _with_functions(made, files, rules)


def _with_functions(
    made: Callable[[frozenset[int]], Elaborated], files: list[File], rules: Rules, start: str | None = None
) -> Elaborated:
    """What is made with some definitions as functions, for a program or a call of its function `start`; with
    none where that is refused, as a definition in line tells more of its result.
    """
    statements = [s for file in files for s in file.statements]
    if in_common := shared_definitions(statements, start, in_line=rules.in_line):
        with suppress(CompileError, Unsupported):
            return made(in_common)
    return made(frozenset())


def check_files(
    files: list[File],
    inputs: Mapping[str, Type],
    *,
    rules: Rules = DEFAULTS,
    known: Container[str] = frozenset(),
) -> CheckedProgram:
    """The types of a program's functions and values, and its errors, refuted annotations among them.

    Those of functions that are `known` are not inferred.
    """
    elaborator = Elaborator(inputs, rules=rules)
    elaborator.effects.unseen = _unseen(files, keeps_names=False)
    _, errors = _run_statements(elaborator, files, value_of_assignment=True)
    proved = verdicts(elaborator, elaborator.top)
    errors += [d for verdict in proved.values() for d in verdict.refutation]
    reports = report(elaborator, elaborator.top, proved, known)
    return CheckedProgram(tuple(elaborator.build.facts), reports, tuple(_ordered(errors, files)))


def _unseen(files: list[File], *, keeps_names: bool) -> frozenset[int]:
    return unseen_functions([s for file in files for s in file.statements], keeps_names=keeps_names)


def _held(elaborator: Elaborator, name: str) -> Exp:
    """The array that a name holds at the end of a program: a strand is the array of arrays that it is."""
    found = elaborator.top.find(name)
    if not isinstance(found, ArrayValue):
        raise CompileError(Diagnostic("VALUE ERROR", f"the program gives no array the name {name}"))
    value = without_runs(found.exp, "a value", found.span)
    return as_nested(elaborator.build, value, found.span) or value


def _run_statements(
    elaborator: Elaborator, files: list[File], *, value_of_assignment: bool
) -> tuple[Exp | None, list[Diagnostic]]:
    """The value of the last statement, where it has one that counts, and what is wrong with all of them."""
    statements = [s for file in files for s in file.statements]
    elaborator.effects.shared = shared_names(statements)
    errors: list[Diagnostic] = []
    result: Exp | None = None
    for position, statement in enumerate(statements):
        is_last = position == len(statements) - 1
        try:
            value, assigned = elaborator.statement(statement, elaborator.top)
            if value is None:
                continue
            shy = elaborator.is_shy()
            if is_last and (value_of_assignment or not (assigned or constant(shy) is not False)):
                result = value
            elif not assigned:
                elaborator.print_unless(shy, value, statement.span)
        except Poisoned:
            elaborator.poison(statement)
        except AplcError as error:
            causes = [replace(d, trail=()) for d in errors]
            errors += [d for d in error.diagnostics if replace(d, trail=()) not in causes]
            elaborator.poison(statement)
            if len(errors) >= MAX_ERRORS:
                break
    return result, errors


def _ordered(errors: list[Diagnostic], files: list[File]) -> list[Diagnostic]:
    """Each cause once, those of the first file first, at most twenty."""
    order = {file.span.source: k for k, file in enumerate(files)}
    causes: dict[Diagnostic, Diagnostic] = {}
    for error in errors:
        causes.setdefault(replace(error, trail=()), error)

    def place(error: Diagnostic) -> tuple[int, int]:
        outermost = error.trail[-1] if error.trail else error.span
        return (order.get(outermost.source, 0), outermost.start) if outermost else (0, 0)

    return sorted(causes.values(), key=place)[:MAX_ERRORS]


def elaborate_function(
    files: list[File],
    name: str | None,
    args: Mapping[str, Type],
    *,
    rules: Rules = DEFAULTS,
    to_each: bool = False,
) -> Elaborated:
    """A function of the program, applied to arguments of the given types (`⍵`, or `⍺` and `⍵`), or to each
    of their elements.

    The function is the one of that name, or what the last statement is. Assignments of the program that it
    needs are computed, nothing is printed, and other statements are not run.
    """

    def made(in_common: frozenset[int]) -> Elaborated:
        elaborator = Elaborator(args, quiet=True, rules=rules)
        elaborator.recursions.in_common = in_common
        function = function_of(elaborator, files, name)
        if to_each:
            function = tree.Derived("¨", _by_name(function), None, function.span)
        refuted = [d for verdict in verdicts(elaborator, elaborator.top).values() for d in verdict.refutation]
        if refuted:
            raise CompileError(refuted[:MAX_ERRORS])
        elaborator.start_printing()
        mark = len(elaborator.build.bindings)
        left, right = [elaborator.input(n) if n in args else None for n in ("⍺", "⍵")]
        assert right is not None
        result = elaborator.apply(function, elaborator.top, left, right, function.span)
        without_runs(result, "a result", function.span)
        bindings = elaborator.build.bindings
        needed = _needed(bindings[:mark], let(bindings[mark:], result))
        return finished(elaborator, let([*needed, *bindings[mark:]], result), has_value=True)

    return _with_functions(made, files, rules, name)


def _by_name(function: tree.Function) -> tree.Function:
    """A function that is named where it stands, by that name."""
    if isinstance(function, tree.AssignFunction):
        return tree.FunctionName(function.target.name, function.span)
    return function


def function_of(elaborator: Elaborator, files: list[File], name: str | None) -> tree.Function:
    """The function of that name, or what the last statement is; assignments before are computed."""
    statements = [s for file in files for s in file.statements]
    elaborator.effects.shared = shared_names(statements)
    elaborator.effects.unseen = _unseen(files, keeps_names=True)
    function: tree.Function | None = None
    for statement in statements:
        node = elaborator.resolved(statement, elaborator.top)
        function = node if isinstance(node, tree.FUNCTION_NODES) else None
        if isinstance(node, tree.ASSIGNMENTS):
            elaborator.array(node, elaborator.top)
        elif isinstance(node, tree.AssignFunction | tree.AssignOperator):
            elaborator.assign_function(node, elaborator.top, statement.annotation)
    if name is not None:
        found = elaborator.top.find(name)
        if not isinstance(found, FunctionValue):
            raise CompileError(Diagnostic("VALUE ERROR", f"there is no function {name} in the program"))
        function = tree.FunctionName(name, found.node.span)
    if function is None:
        where = statements[-1].span if statements else None
        raise CompileError(Diagnostic("SYNTAX ERROR", "this is no function", where))
    return function


def _needed(bindings: list[Binding], rest: Exp) -> list[Binding]:
    """The bindings on which the rest depends."""
    wanted = {n.name for n in walk(rest) if isinstance(n, Var)}
    kept: list[Binding] = []
    for binding in reversed(bindings):
        if binding.name in wanted:
            wanted |= {n.name for n in walk(binding.value) if isinstance(n, Var)}
            kept.append(binding)
    return kept[::-1]


def finished(elaborator: Elaborator, body: Exp, *, has_value: bool) -> Elaborated:
    """The program around its body."""
    params = tuple([q for name, ty in elaborator.inputs.items() for q in parameters_of(name, ty)])
    term = fn(params, body) if params else body
    functions = [n for n, v in elaborator.top.names.items() if isinstance(v, FunctionValue)]
    digits = int(elaborator.top.setting("⎕pp", 10))
    facts, in_order = tuple(elaborator.build.facts), tuple(elaborator.build.ordered.values())
    return Elaborated(term, facts, tuple(functions), has_value, digits, in_order, elaborator.build.nested)
