"""The elaborator: from resolved APL to typed TAIL. This is the sole producer of TAIL from APL.

A function is elaborated anew at each use, for the argument types it gets there (specialisation by
inlining). Names are looked up where the function was defined, with the values they have when it is called.
APL evaluates right to left; effects are bound in that order, pure expressions may stay nested.

`Elaborator` has the statements, expressions and the application of functions; the rest is in modules of
functions. Those that have to elaborate something themselves take it as their first argument, of which they
know what `typing.elaborating` says: `definitions`, `bodies` and `recursion` (braces), `derived` and `power`
(operators), `assignment`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from aplc.apl_front.building.builder import Builder, base_of, constant, join_bases, rank
from aplc.apl_front.building.runs import without_runs
from aplc.apl_front.elaboration import assignment, derived, primitives, selective
from aplc.apl_front.elaboration.execute import execute
from aplc.apl_front.elaboration.system_functions import system_function
from aplc.apl_front.elaboration.written import is_written, shown_at
from aplc.apl_front.functions import cuts, polymorphic, system, tuples
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.functions.pervasive import is_pervasive, primitive_symbol
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import assigned_names
from aplc.apl_front.reading.classes import Classes, NoValue, classified
from aplc.apl_front.reading.infix import resolve
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.scope import (
    ArrayValue,
    FunctionValue,
    MaybeValue,
    OpaqueValue,
    OperatorValue,
    Poison,
    Scope,
    SelfValue,
    claim_of,
    is_niladic,
)
from aplc.apl_front.reading.system_names import SETTINGS, system_class
from aplc.apl_front.records import functions as records
from aplc.apl_front.syntax import hints
from aplc.apl_front.syntax.ast import Annotation, Chars, Name, Number, Paren, Statement, Zilde
from aplc.apl_front.syntax.lexer import shorten
from aplc.apl_front.typing import claims, definitions, procedures
from aplc.apl_front.typing.branches import no_value
from aplc.apl_front.typing.effects import Effects
from aplc.apl_front.typing.fixed_points import Recursions
from aplc.apl_front.typing.pledges import Pledges, pledge
from aplc.apl_front.typing.shy import Question, question
from aplc.apl_front.typing.summaries import Summaries
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, Diagnostic, compile_error, first_line, unsupported
from aplc.tail.parts import from_parts
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, complex_number, conditional, let, literal, op, product, vec
from aplc.tail.types import MOST_AXES, Array, Base, Nested, Records, Tuple, Type, forget_value

MAX_APPLICATIONS = 1_000_000
"""A bound on what inlining makes of a program: thirty functions that each call the last twice exceed it."""


class Elaborator:
    """The state of one elaboration."""

    def __init__(self, inputs: Mapping[str, Type], *, quiet: bool = False, rules: Rules = DEFAULTS) -> None:
        self.inputs = dict(inputs)
        self.quiet = quiet
        self.rules = rules
        self.build = Builder(frozenset(inputs))
        self.top = Scope()
        self.top.bind("⎕ct", ArrayValue(literal(rules.tolerance), None))
        self.recursions = Recursions()
        self.pledges = Pledges()
        self.summaries = Summaries()
        self.effects = Effects()
        self.asked: Question | None = None
        """Whose result, of the statement at hand, is asked whether it is shy."""
        self._whole: Span | None = None
        """The statement at hand, if it is a call, which needs no result."""
        self._shows = True
        """Whether the statement at hand is not one whose text is an assignment."""
        self._trees: dict[int, tuple[Statement, Classes, tree.Tree]] = {}
        for name in inputs:
            if name not in ("⍺", "⍵"):  # those are arguments, not names of the program
                self.top.bind(name, ArrayValue(self.input(name), None))

    def start_printing(self) -> None:
        """What is elaborated from here on may print."""
        self.quiet = False

    def input(self, name: str) -> Exp:
        """An input of the program as an expression of its parameters."""
        return from_parts(name, self.inputs[name])

    # --- statements ---

    def statement(self, statement: Statement, scope: Scope) -> tuple[Exp | None, bool]:
        """The value of a statement, if it has one, and whether it is an assignment."""
        if not scope.is_procedure:
            scope.depth = self.build.depth
        node = self.resolved(statement, scope)
        if isinstance(node, tree.AssignFunction | tree.AssignOperator):
            self.assign_function(node, scope, statement.annotation)
            if statement.annotation is not None:
                claims.check_value(statement.annotation, None, statement.span)
            return None, True
        if not isinstance(node, tree.ARRAY_NODES):
            if scope is self.top:
                raise _no_argument(node, statement.span)
            raise unsupported("a function as a result", statement.span, "give the function a name outside")
        parenthesised = len(statement.items) == 1 and isinstance(statement.items[0], Paren)
        is_shown = scope is self.top or scope.is_procedure
        if is_shown:
            self.asked = None if parenthesised else question(node, scope)
            self._whole, self._shows = _span_of_call(node), True
        mark = self.build.mark()
        value = self.array(node, scope)
        if is_shown and self.asked is not None and self.asked.depends():
            self.build.undo(mark)
            self.asked.keep(scope)
            value = self.array(node, scope)
        if procedures.is_nothing(value):
            return None, True
        if statement.annotation is not None:
            claims.check_value(statement.annotation, value, statement.span)
        is_silent = isinstance(node, tree.ASSIGNMENTS) or (is_shown and not self._shows)
        self._shows = True  # what a text inside is says nothing of the statement around it
        return value, is_silent and not parenthesised

    def resolved(self, statement: Statement, scope: Scope) -> tree.Tree:
        """The tree of a statement; that of the last time where all names are of the same classes."""
        before = self._trees.get(id(statement.items))
        if before is not None and before[1].hold_for(scope.classify):
            return before[2]
        classes = classified(statement.items, scope.classify)
        try:
            node = resolve(statement.items, classes)
        except NoValue as found:
            raise scope.missing(found.name) from None
        self._trees[id(statement.items)] = statement, classes, node
        return node

    def poison(self, statement: Statement) -> None:
        """After an error: the names that the statement would have assigned get no second message."""
        for name in assigned_names(statement.items):
            if name.name[0] not in "⎕⍞⍺⍵∇":
                self.top.bind(name.name, Poison())

    def assign_function(
        self,
        node: tree.AssignFunction | tree.AssignOperator,
        scope: Scope,
        annotation: Annotation | None = None,
    ) -> None:
        """`name←function`, `name←operator`"""
        target, value = node.target, node.value
        if isinstance(value, tree.AssignFunction | tree.AssignOperator):
            self.assign_function(value, scope)
            value = tree.FunctionName(value.target.name, value.target.span)
        if target.name == "⍺" and scope.find("⍵") is not None:
            if "⍺" in scope.names:
                return  # the default of a left argument that is given
        elif target.name[0] in "⎕⍞⍵∇⍺":
            raise unsupported(f"assignment of a function to {target.span.text}", target.span)
        if isinstance(node, tree.AssignOperator):
            named: FunctionValue | OperatorValue
            named = OperatorValue(node.value, scope, target.span, annotation)
        else:
            assert isinstance(value, tree.FUNCTION_NODES)
            named = replace(scope.closure(value), target=target.span, annotation=annotation)
        if scope.is_procedure and target.name in scope.names:
            self.build.change(scope, target.name, named)
        else:
            scope.bind(target.name, named)
        if scope is self.top and (claim := claim_of(named)) is not None:
            self.pledges.give(pledge(claim, scope))  # `report` proves it, when all names have their values

    def is_shy(self) -> Exp:
        """Whether the value of the last statement of the top level is not to be shown."""
        return literal(False) if self.asked is None else self.asked.answer()

    def print_unless(self, shy: Exp, value: Exp, span: Span) -> None:
        """A statement of the top level shows its value, if it is not shy."""
        known = constant(shy)
        if known is None:
            value = self.build.bind(tuples.as_simple(self.build, value))
            with self.build.block() as bindings:
                shown = let(bindings, self.print(value, self.top, span))
            self.build.bind(conditional(shy, value, shown, span))
        elif known:
            self.build.bind(value)
        else:
            self.print(value, self.top, span)

    def print(self, value: Exp, scope: Scope, span: Span) -> Exp:
        """`⎕←value`, in order."""
        if self.quiet:
            return value
        digits = scope.setting("⎕pp", SETTINGS["⎕pp"])
        value = without_runs(tuples.as_simple(self.build, value), "⎕←", span)
        if digits == SETTINGS["⎕pp"]:
            return self.build.bind(op(p.PRINT, value, symbol="⎕←", span=span))
        return self.build.bind(op(p.PRINT_WITH, literal(int(digits), span), value, symbol="⎕←", span=span))

    # --- arrays ---

    def array(self, node: tree.Array, scope: Scope) -> Exp:
        """The value of an array expression."""
        match node:
            case tree.Strand():
                return self.strand(node, scope)
            case tree.Apply(function=function, left=left, right=right, span=span):
                argument = self.array(right, scope)
                if left is None:
                    return self.apply(function, scope, None, argument, span)
                tree_left = left
                first, argument = self.build.in_order(argument, lambda: self.array(tree_left, scope))
                return self.apply(function, scope, first, argument, span)
            case tree.Index(array=array, indices=indices, span=span):
                given = assignment.indices(self, indices, scope)
                indexed = self.part(array, scope)
                self.build.configure(scope)
                span = scope.placed(span)
                chosen = given[0] if len(given) == 1 else None
                if chosen is not None and isinstance(chosen.ty, Tuple) and not tuples.is_tuple(indexed):
                    symbol = "[ ]" if indexed.span is None else first_line(indexed.span.text)
                    found = cuts.at_indices(self.build, indexed, chosen, symbol, span)
                    return self._noted(found, None, span)
                return self._noted(records.indexed(self.build, indexed, given, span), None, span)
            case tree.Assign(target=target, value=value, span=span):
                return assignment.assign(self, target, self.array(value, scope), scope, span)
            case tree.AssignModified() | tree.AssignIndexed() | tree.AssignSeveral():
                return assignment.change(self, node, scope)
            case tree.AssignSelective():
                return selective.assign(self, node, scope)

    def strand(self, node: tree.Strand, scope: Scope) -> Exp:
        """A single array, scalars side by side as a vector, or a tuple."""
        if len(node.parts) == 1:
            return self.part(node.parts[0], scope)
        items: list[Exp] = []
        for part in reversed(node.parts):
            items.append(self.part(part, scope))
        items.reverse()
        simple = all(not isinstance(i.ty, Tuple) and rank(i) == 0 for i in items)
        base = join_bases([base_of(item) for item in items]) if simple else None
        if base is None:
            return tuples.limited(product(tuple([self.build.bind(i) for i in items]), node.span))
        if base is Base.DOUBLE and all(isinstance(part, Number) for part in node.parts):
            numbers = [float(part.value.real) for part in node.parts if isinstance(part, Number)]
            items = [literal(v, i.span) for v, i in zip(numbers, items, strict=True)]
        return vec(tuple([self.build.coerce(i, base, "a strand", i.span) for i in items]), base, node.span)

    def part(self, part: tree.Part, scope: Scope) -> Exp:
        """One member of a strand."""
        match part:
            case Number(value=complex() as value, span=span):
                return complex_number(value.real, value.imag, span)
            case Number(value=value, span=span):
                assert not isinstance(value, complex)
                return literal(value, span)
            case Zilde(span=span):
                return vec((), Base.INT, span)
            case Chars(text=text, span=span):
                characters = tuple([literal(c, span) for c in text])
                return characters[0] if len(text) == 1 else vec(characters, Base.CHAR, span)
            case Name(name=name, span=span):
                if system_class(name) is not None:
                    return system.value_of(self.build, part, scope)
                named = scope.lookup(part)
                if isinstance(named, MaybeValue):
                    self.with_value(name, named, scope, span)
                if isinstance(named, FunctionValue) and is_niladic(named):
                    return self._call_of(named, part)
                found = scope.array(part)
                if found.span is not None:
                    self.build.note_origin(span, found.span)
                return replace(found.exp, span=span)
            case _:
                return self.array(part, scope)

    # --- functions ---

    def apply(
        self, node: tree.Function, scope: Scope, left: Exp | None, right: Exp, span: Span | None
    ) -> Exp:
        """A function applied; `span` is the whole application."""
        at = span or node.span
        if self.build.count_application() > MAX_APPLICATIONS:
            message = f"with each call written out the program has over {MAX_APPLICATIONS} applications"
            raise compile_error("LIMIT ERROR", message, at)
        left, right = None if left is None else self.build.reusable(left), self.build.reusable(right)
        return self._noted(self._applied(node, scope, left, right, at), node.span, at)

    def _noted(self, value: Exp, function: Span | None, span: Span) -> Exp:
        """What an application or an index gives, which has no more axes than an array may have."""
        axes = value.ty.rank.const if isinstance(value.ty, Array | Nested | Records) else 0
        if axes > MOST_AXES:
            message = f"an array has at most {MOST_AXES} axes, and this one has {axes}"
            raise compile_error("LIMIT ERROR", message, span)
        return self.build.noted(value, function, span)

    def _applied(self, node: tree.Function, scope: Scope, left: Exp | None, right: Exp, at: Span) -> Exp:
        """What a function gives."""
        match node:
            case tree.Primitive(symbol="⍎", axis=None) if left is None:
                self.build.configure(scope)
                return self.executed(right, scope, at)
            case tree.Primitive():
                return primitives.apply(self, node, scope, left, right, at)
            case tree.FunctionName():
                return self.call(node, scope, left, right, at)
            case tree.Definition(dfn=dfn):
                return self.definition(SelfValue(dfn, scope), left, right, at)
            case tree.Derived():
                return derived.apply(self, node, scope, left, right, at)
            case tree.UserDerived():
                return definitions.apply_operator(self, node, scope, left, right, at)
            case tree.Fork():
                return self.fork(node, scope, left, right, at)
            case tree.Atop(outer=outer, inner=inner):
                return self.apply(outer, scope, None, self.apply(inner, scope, left, right, at), at)
            case tree.AssignFunction(value=value):
                self.assign_function(node, scope)
                return self.apply(value, scope, left, right, at)

    def definition(self, function: SelfValue, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A function in braces applied, with the operands that it has as an operator."""
        is_whole, self._whole = span in (self._whole, function.dfn.span), None
        if is_written(function.dfn.span) and not is_written(span):
            return shown_at(self.build, span, lambda: definitions.apply(self, function, left, right, span))
        value = definitions.apply(self, function, left, right, span)
        if procedures.is_nothing(value) and not is_whole:
            raise compile_error("VALUE ERROR", "this function gives no result", span)
        return value

    def executed(self, right: Exp, scope: Scope, span: Span) -> Exp:
        """`⍎` of a text; one that is a whole statement needs no value, and shows what the text would show."""
        is_whole, self._whole = span == self._whole, None
        value, assigned = execute(self, right, scope, span)
        if value is None and not is_whole:
            raise compile_error("VALUE ERROR", "this text has no value", span)
        self._shows = not (assigned and is_whole)
        return procedures.NOTHING if value is None else value

    def _system_function(self, name: str, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A system function applied; that a file was written shows only where it is asked for."""
        is_whole = span == self._whole
        value = system_function(self, name, scope, left, right, span)
        self._shows = not (is_whole and name == "⎕nput")
        return value

    def with_value(self, name: str, found: MaybeValue, scope: Scope, span: Span) -> None:
        """From here on a name has a value; that it has none is an error of the run."""
        what = f"{name}, which {found.reason.why}," if found.reason else name
        failing = no_value(self.build, forget_value(found.exp.ty), what, span)
        value = self.build.bind(conditional(found.is_set, found.exp, failing, span))
        owner = scope.owner(name)
        assert owner is not None
        self.build.change(owner, name, ArrayValue(value, found.span))

    def _call_of(self, function: FunctionValue, name: Name) -> Exp:
        """A function without arguments, called."""
        assert isinstance(function.node, tree.Definition)
        return self.definition(
            SelfValue(function.node.dfn, function.scope), None, literal(False, name.span), name.span
        )

    def call(self, node: tree.FunctionName, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A named function; errors inside get the call in their trail."""
        if system_class(node.name) is not None:
            return self._system_function(node.name, scope, left, right, span)
        found = scope.function(Name(node.name, node.span))
        if isinstance(found, SelfValue):
            return self.definition(found, left, right, span)
        if isinstance(found, OpaqueValue):
            return polymorphic.operand_function(self.build, found.prim, node.name, left, right, span)
        claim = claim_of(found)
        if claim is not None:
            left, fit = claims.fitted(self, claim, (left, right), node.name, span)
            right = fit or right
        of_top = self.top.names.get(node.name) is found
        first, last = left, right

        def elaborate() -> Exp:
            return self.apply(found.node, found.scope, first, last, span)

        try:
            if of_top:
                result = self.summaries.call(self.build, found, (left, right), elaborate)
            else:
                result = elaborate()
        except AplcError as error:
            called = [
                definitions.with_call(d, span) if _inside(d, found.node) else d for d in error.diagnostics
            ]
            raise type(error)(called) from None
        if of_top:
            arguments = [str(a.ty) for a in (left, right) if a is not None]
            self.build.note(node.name, " → ".join([*arguments, str(result.ty)]), span)
        return result

    def fork(self, node: tree.Fork, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """`(f g h)`: the right tine first, as APL evaluates."""
        left = None if left is None else self.build.bind(left)
        right = self.build.bind(right)
        result = self.apply(node.right, scope, left, right, span)
        first_tine = node.left

        def tine() -> Exp:
            if isinstance(first_tine, tree.ARRAY_NODES):
                return self.array(first_tine, scope)
            return self.apply(first_tine, scope, left, right, span)

        first, result = self.build.in_order(result, tine)
        return self.apply(node.middle, scope, first, result, span)

    def operand(self, node: tree.Operand | None, scope: Scope, symbol: str) -> Operand:
        """A function operand of an operator."""
        if node is None or isinstance(node, tree.ARRAY_NODES):
            raise unsupported(f"{symbol} with an array operand", node.span if node else None)
        if isinstance(node, tree.Jot):
            raise syntax_error("∘ needs a function on each side", node.span)
        function = node

        def apply(left: Exp | None, right: Exp, span: Span) -> Exp:
            return self.apply(function, scope, left, right, span)

        primitive = primitive_symbol(node, scope)
        text = primitive or shorten(first_line(node.span.text))
        return Operand(apply, text, node.span, primitive, lambda: is_pervasive(function, scope))


def _span_of_call(node: tree.Tree) -> Span | None:
    """The span of a statement that is a call of a definition, and so needs no value."""
    match node:
        case tree.Apply(function=tree.FunctionName() | tree.UserDerived() | tree.Definition(), span=span):
            return span
        case tree.Apply(function=tree.Primitive(symbol="⍎"), left=None, span=span):
            return span
        case tree.Strand(parts=(Name(span=span),)):
            return span
        case _:
            return None


def _no_argument(function: tree.Function, span: Span) -> AplcError:
    """The error for a statement that is a function; the strand in `f⍣2 x` may have swallowed its argument."""
    hint = hints.for_increment(span.text)
    if isinstance(function, tree.Derived | tree.UserDerived) and isinstance(function.right, tree.ARRAY_NODES):
        hint = "put ⊢ or ( ) between the operand and the argument"
    message = "a function stands here without an argument" + (f": {hint}" if hint else "")
    return syntax_error(message, span)


def _inside(diagnostic: Diagnostic, node: tree.Function) -> bool:
    """Whether a message, or the last call that led to it, is in the definition of a function."""
    span = diagnostic.trail[-1] if diagnostic.trail else diagnostic.span
    return (
        span is not None
        and span.source is node.span.source
        and (node.span.start <= span.start and span.end <= node.span.end)
    )
