"""Elaboration: from APL statements to typed TAIL. This module is the sole producer of TAIL from APL.

A function is elaborated anew at each use, for the argument types it gets there (specialisation by
inlining). Names are looked up where the function was defined, with the values they have when it is called.
APL evaluates right to left; effects are bound in that order, pure expressions may stay nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from apl_front import operators, structure, tree
from apl_front.ast import Chars, Dfn, File, Name, Number, Statement, Zilde
from apl_front.builder import Builder, base_of, data_type, join_bases, plain_type, rank
from apl_front.glyphs import SCALAR_FUNCTIONS
from apl_front.infix import assigned_names, resolve, syntax_error
from apl_front.operators import Operand
from apl_front.overloads import pervade
from apl_front.scope import ArrayValue, FunctionValue, Poison, Poisoned, Scope
from tail import prims as p
from tail.errors import UNSUPPORTED, AplcError, CompileError, Diagnostic, Unsupported, unsupported
from tail.source import Span
from tail.syntax import Binding, Exp, Op, Param, Term, Var, fn, let, literal, op, product, vec, walk
from tail.types import Base, Type

MAX_ERRORS = 20
MAX_CALL_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of `aplc check`: a name, its type, and where it was assigned or used."""

    name: str
    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class Elaborated:
    """The outcome of elaboration: a program, and what is known of its names."""

    term: Term
    facts: tuple[Fact, ...]
    functions: tuple[str, ...]
    has_value: bool
    """Whether the last statement has a value to show (it is no assignment)."""


def elaborate_program(
    files: list[File], inputs: Mapping[str, Type], *, value_of_assignment: bool = False
) -> Elaborated:
    """A whole program; its inputs become the parameters of a function.

    The value of the program is that of its last statement if that is no assignment (or, on request, of an
    assignment too); otherwise it is `()`. Raises `CompileError` or `Unsupported` with up to 20 causes in
    order.
    """
    elaborator = Elaborator(inputs)
    statements = [s for file in files for s in file.statements]
    errors: list[Diagnostic] = []
    result: Exp | None = None
    for position, statement in enumerate(statements):
        is_last = position == len(statements) - 1
        try:
            value, assigned = elaborator.statement(statement, elaborator.top)
            if value is not None and is_last and (value_of_assignment or not assigned):
                result = value
            elif value is not None and not assigned:
                elaborator.print(value, statement.span)
        except Poisoned:
            elaborator.poison(statement)
        except AplcError as error:
            causes = [replace(d, trail=()) for d in errors]
            errors += [d for d in error.diagnostics if replace(d, trail=()) not in causes]
            elaborator.poison(statement)
            if len(errors) >= MAX_ERRORS:
                break
    if errors:
        all_known = all(e.kind == UNSUPPORTED for e in errors)
        raise (Unsupported if all_known else CompileError)(errors[:MAX_ERRORS])
    body = let(elaborator.build.bindings, result if result is not None else product(()))
    return elaborator.finish(body, has_value=result is not None)


def elaborate_function(files: list[File], name: str | None, args: Mapping[str, Type]) -> Elaborated:
    """A function of the program, applied to arguments of the given types (`⍵`, or `⍺` and `⍵`).

    The function is the one of that name, or what the last statement is. Assignments of the program that it
    needs are computed, nothing is printed, and other statements are not run.
    """
    elaborator = Elaborator(args, quiet=True)
    statements = [s for file in files for s in file.statements]
    function: tree.Function | None = None
    for statement in statements:
        node = resolve(statement.items, elaborator.top.classify)
        is_function = not isinstance(node, tree.ARRAY_NODES)
        function = node if isinstance(node, tree.FUNCTION_NODES) else None
        if isinstance(node, tree.Assign) or is_function:
            elaborator.definition_statement(node)
    if name is not None:
        found = elaborator.top.find(name)
        if not isinstance(found, FunctionValue):
            raise CompileError(Diagnostic("VALUE ERROR", f"there is no function {name} in the program"))
        function = tree.FunctionName(name, found.node.span)
    if function is None:
        where = statements[-1].span if statements else None
        raise CompileError(Diagnostic("SYNTAX ERROR", "this is no function", where))
    elaborator.quiet = False  # the function itself may print
    mark = len(elaborator.build.bindings)
    left, right = [elaborator.input(n) if n in args else None for n in ("⍺", "⍵")]
    assert right is not None
    result = elaborator.apply(function, elaborator.top, left, right, function.span)
    bindings = elaborator.build.bindings
    needed = _needed(bindings[:mark], let(bindings[mark:], result))
    return elaborator.finish(let([*needed, *bindings[mark:]], result), has_value=True)


def _needed(bindings: list[Binding], rest: Exp) -> list[Binding]:
    """The bindings on which the rest depends."""
    wanted = {n.name for n in walk(rest) if isinstance(n, Var)}
    kept: list[Binding] = []
    for binding in reversed(bindings):
        if binding.name in wanted:
            wanted |= {n.name for n in walk(binding.value) if isinstance(n, Var)}
            kept.append(binding)
    return kept[::-1]


@dataclass
class _Active:
    """The calls under way, outermost first, to find recursion."""

    calls: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)


class Elaborator:
    """The state of one elaboration."""

    def __init__(self, inputs: Mapping[str, Type], *, quiet: bool = False) -> None:
        self.inputs = dict(inputs)
        self.quiet = quiet
        self.build = Builder(frozenset(inputs))
        self.top = Scope()
        self.facts: list[Fact] = []
        self.active = _Active()
        for name in inputs:
            if name not in ("⍺", "⍵"):  # those are arguments, not names of the program
                self.top.names[name] = ArrayValue(self.input(name), None)

    def input(self, name: str) -> Var:
        """A parameter of the program as an expression."""
        return Var(name, ty=self.inputs[name])

    def finish(self, body: Exp, *, has_value: bool) -> Elaborated:
        """The program around its body."""
        params = tuple([Param(name, ty) for name, ty in self.inputs.items()])
        term = fn(params, body) if params else body
        functions = [n for n, v in self.top.names.items() if isinstance(v, FunctionValue)]
        return Elaborated(term, tuple(self.facts), tuple(functions), has_value)

    # --- statements ---

    def statement(self, statement: Statement, scope: Scope) -> tuple[Exp | None, bool]:
        """The value of a statement, if it has one, and whether it is an assignment."""
        if statement.guard is not None:
            raise unsupported("a guard", statement.span)
        node = resolve(statement.items, scope.classify)
        if isinstance(node, tree.AssignFunction):
            self.assign_function(node, scope)
            return None, True
        if not isinstance(node, tree.ARRAY_NODES):
            if scope is self.top:
                raise syntax_error("a function stands here without an argument", statement.span)
            raise unsupported("a function as a result", statement.span)
        return self.array(node, scope), isinstance(node, tree.Assign)

    def definition_statement(self, node: tree.Tree) -> None:
        """An assignment of the program, for the functions that use its name."""
        if isinstance(node, tree.AssignFunction):
            self.assign_function(node, self.top)
        elif isinstance(node, tree.Assign):
            self.array(node, self.top)

    def poison(self, statement: Statement) -> None:
        """After an error: the names that the statement would have assigned get no second message."""
        for name in assigned_names(statement.items):
            if name.name[0] not in "⎕⍞⍺⍵∇":
                self.top.names[name.name] = Poison()

    def assign_function(self, node: tree.AssignFunction, scope: Scope) -> None:
        """`name←function`"""
        if isinstance(node.value, tree.Definition) and (used := _operator_names(node.value.dfn)):
            raise unsupported(f"an operator of your own ({used[0].name})", used[0].span)
        value = node.value
        if node.target.name[0] in "⎕⍞⍵∇":
            raise unsupported(f"assignment of a function to {node.target.name}", node.target.span)
        if isinstance(value, tree.AssignFunction):
            self.assign_function(value, scope)
            value = tree.FunctionName(value.target.name, value.target.span)
        scope.names[node.target.name] = scope.closure(value)

    def print(self, value: Exp, span: Span) -> Exp:
        """`⎕←value`, in order."""
        if self.quiet:
            return value
        return self.build.bind(op(p.PRINT, value, symbol="⎕←", span=span))

    def in_order(self, right: Exp, left: Callable[[], Exp]) -> tuple[Exp, Exp]:
        """The left operand after the right one: if it prints, the right one is computed before that."""
        mark = len(self.build.bindings)
        value = left()
        if any(_prints(b) for b in self.build.bindings[mark:]) and isinstance(right, Op):
            late = self.build.bindings[mark:]
            del self.build.bindings[mark:]
            right = self.build.bind(right)
            self.build.bindings += late
        return value, right

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
                first, argument = self.in_order(argument, lambda: self.array(tree_left, scope))
                return self.apply(function, scope, first, argument, span)
            case tree.Assign(target=target, value=value, span=span):
                return self.assign(target, self.array(value, scope), scope, span)

    def assign(self, target: Name, value: Exp, scope: Scope, span: Span) -> Exp:
        """`name←value`, `⎕←value`, and the default of a left argument."""
        if target.name == "⎕":
            return self.print(value, span)
        if target.name == "⍺" and scope.find("⍵") is not None:
            if "⍺" not in scope.names:
                scope.names["⍺"] = ArrayValue(self.build.bind(value), target.span)
            return value
        if target.name[0] in "⎕⍞⍺⍵∇":
            raise unsupported(f"assignment to {target.span.text}", target.span)
        bound = self.build.bind(value)
        scope.names[target.name] = ArrayValue(bound, target.span)
        if scope is self.top:
            self.facts.append(Fact(target.name, str(bound.ty), target.span))
        return bound

    def strand(self, node: tree.Strand, scope: Scope) -> Exp:
        """A single array, or scalars side by side as a vector."""
        if len(node.parts) == 1:
            return self.part(node.parts[0], scope)
        items: list[Exp] = []
        for part in reversed(node.parts):
            item = self.part(part, scope)
            if rank(item) != 0:
                raise unsupported(f"a nested array ({plain_type(item)} in a strand)", item.span)
            items.append(item)
        items.reverse()
        base = join_bases([base_of(item) for item in items])
        if base is None:
            raise unsupported("an array of characters and numbers", node.span)
        if base is Base.DOUBLE and all(isinstance(part, Number) for part in node.parts):
            numbers = [float(part.value) for part in node.parts if isinstance(part, Number)]
            items = [literal(v, i.span) for v, i in zip(numbers, items, strict=True)]
        return vec(tuple([self.build.coerce(i, base, "a strand", i.span) for i in items]), base, node.span)

    def part(self, part: Number | Zilde | Chars | Name | tree.Array, scope: Scope) -> Exp:
        """One member of a strand."""
        match part:
            case Number(value=value, span=span):
                return literal(value, span)
            case Zilde(span=span):
                return vec((), Base.INT, span)
            case Chars(text=text, span=span):
                characters = tuple([literal(c, span) for c in text])
                return characters[0] if len(text) == 1 else vec(characters, Base.CHAR, span)
            case Name(span=span):
                found = scope.array(part)
                if found.span is not None:
                    self.build.origins[span] = found.span
                return replace(found.exp, span=span)
            case tree.Strand() | tree.Apply() | tree.Assign():
                return self.array(part, scope)

    # --- functions ---

    def apply(
        self, node: tree.Function, scope: Scope, left: Exp | None, right: Exp, span: Span | None
    ) -> Exp:
        """A function applied; `span` is the whole application."""
        at = span or node.span
        match node:
            case tree.Primitive(symbol=symbol):
                return self.primitive(symbol, left, right, at)
            case tree.FunctionName():
                return self.call(node, scope, left, right, at)
            case tree.Definition(dfn=dfn):
                return self.definition(dfn, scope, left, right, at)
            case tree.Derived():
                return self.derived(node, scope, left, right, at)
            case tree.Fork():
                return self.fork(node, scope, left, right, at)
            case tree.Atop(outer=outer, inner=inner):
                return self.apply(outer, scope, None, self.apply(inner, scope, left, right, at), at)
            case tree.AssignFunction(value=value):
                self.assign_function(node, scope)
                return self.apply(value, scope, left, right, at)

    def primitive(self, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A primitive function: pervasive or structural."""
        if symbol in SCALAR_FUNCTIONS and not (symbol == "~" and left is not None):
            return pervade(self.build, symbol, left, right, span)
        if left is None:
            return structure.monadic(self.build, symbol, right, span)
        return structure.dyadic(self.build, symbol, left, right, span)

    def call(self, node: tree.FunctionName, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A named function; errors inside get the call in their trail."""
        found = scope.function(Name(node.name, node.span))
        try:
            result = self.apply(found.node, found.scope, left, right, span)
        except AplcError as error:
            trail = [
                replace(d, trail=(*d.trail, span)) if _inside(d, found.node) else d for d in error.diagnostics
            ]
            raise type(error)(trail) from None
        if self.top.names.get(node.name) is found:
            arguments = [str(data_type(a)) for a in (left, right) if a is not None]
            self.facts.append(Fact(node.name, " → ".join([*arguments, str(result.ty)]), span))
        return result

    def definition(self, dfn: Dfn, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """The body of a dfn with `⍺` and `⍵` bound."""
        inner = Scope(scope)
        inner.names["⍵"] = ArrayValue(self.build.bind(right), None)
        if left is not None:
            inner.names["⍺"] = ArrayValue(self.build.bind(left), None)
        with self.no_recursion(dfn, left, right, span):
            result: Exp | None = None
            for statement in dfn.body:
                is_default = left is not None and _assigns_alpha(statement)
                if is_default:
                    continue
                result, assigned = self.statement(statement, inner)
                if not assigned:
                    break
        if result is None:
            raise syntax_error("the function has no result", dfn.span)
        return result

    @contextmanager
    def no_recursion(self, dfn: Dfn, left: Exp | None, right: Exp, span: Span) -> Iterator[None]:
        """Refuse a call of a function for argument types for which it is being elaborated already."""
        call = (id(dfn), tuple([str(a.ty) for a in (left, right) if a is not None]))
        if call in self.active.calls or len(self.active.calls) >= MAX_CALL_DEPTH:
            raise unsupported("recursion", span)
        self.active.calls.append(call)
        try:
            yield
        finally:
            self.active.calls.pop()

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

        first, result = self.in_order(result, tine)
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

        primitive = self.primitive_symbol(node, scope)
        return Operand(apply, primitive or node.span.text, node.span, primitive)

    def primitive_symbol(self, node: tree.Function, scope: Scope) -> str | None:
        """The symbol of a primitive, however it is named."""
        while isinstance(node, tree.FunctionName):
            found = scope.function(Name(node.name, node.span))
            node, scope = found.node, found.scope
        return node.symbol if isinstance(node, tree.Primitive) else None

    def derived(self, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A derived function applied."""
        symbol = node.operator
        if symbol == "." and isinstance(node.left, tree.Jot):
            f = self.operand(node.right, scope, "∘.")
            if left is None:
                raise syntax_error(f"∘.{f.text} needs a left argument", span)
            return operators.outer(self.build, f, left, right, span)
        if symbol == "∘" and (node.left is not None and node.right is not None):
            return self.compose(node, scope, left, right, span)
        f = self.operand(node.left, scope, symbol)
        match symbol:
            case "/" | "⌿" if left is None:
                return operators.reduce(self.build, f, right, span, first_axis=symbol == "⌿")
            case "¨":
                return operators.each(self.build, f, left, right, span)
            case "⍨":
                right = self.build.bind(right)
                return f.apply(right, right if left is None else left, span)
            case "." if left is not None:
                g = self.operand(node.right, scope, symbol)
                return operators.inner(self.build, f, g, left, right, span)
            case ".":
                raise syntax_error("an inner product needs a left argument", span)
            case "⍤":
                g = self.operand(node.right, scope, symbol)
                return f.apply(None, g.apply(left, right, span), span)
            case "⍥":
                g = self.operand(node.right, scope, symbol)
                result = g.apply(None, right, span)
                if left is None:
                    return f.apply(None, result, span)
                return f.apply(g.apply(None, left, span), result, span)
            case "/" | "⌿":
                raise unsupported(f"the n-wise reduction {f.text}{symbol}", span)
            case _:
                raise unsupported(f"the operator {symbol}", node.span)

    def compose(self, node: tree.Derived, scope: Scope, left: Exp | None, right: Exp, span: Span) -> Exp:
        """`f∘g`, and `A∘g` and `f∘B` with an array bound to one side."""
        for array, function, bound_left in ((node.left, node.right, True), (node.right, node.left, False)):
            if isinstance(array, tree.ARRAY_NODES):
                if left is not None:
                    raise syntax_error(f"{node.span.text} takes no left argument", span)
                g = self.operand(function, scope, "∘")
                value = self.array(array, scope)
                return g.apply(value, right, span) if bound_left else g.apply(right, value, span)
        f, g = self.operand(node.left, scope, "∘"), self.operand(node.right, scope, "∘")
        return f.apply(left, g.apply(None, right, span), span)


def _prints(binding: Binding) -> bool:
    return isinstance(binding.value, Op) and binding.value.prim is p.PRINT


def _inside(diagnostic: Diagnostic, node: tree.Function) -> bool:
    """Whether a message, or the last call that led to it, is in the definition of a function."""
    span = diagnostic.trail[-1] if diagnostic.trail else diagnostic.span
    return (
        span is not None
        and span.source is node.span.source
        and (node.span.start <= span.start and span.end <= node.span.end)
    )


def _assigns_alpha(statement: Statement) -> bool:
    first = statement.items[0] if statement.items else None
    second = statement.items[1] if len(statement.items) > 1 else None
    return isinstance(first, Name) and first.name == "⍺" and type(second).__name__ == "Arrow"


def _operator_names(dfn: Dfn) -> list[Name]:
    """`⍺⍺` and `⍵⍵` in a dfn (not in those inside it)."""
    found: list[Name] = []
    stack: list[object] = [s for s in dfn.body]
    while stack:
        item = stack.pop()
        if isinstance(item, Name) and item.name in ("⍺⍺", "⍵⍵"):
            found.append(item)
        elif isinstance(item, Statement):
            stack += [*item.items, *(item.guard or ())]
        elif hasattr(item, "parts"):
            stack += [i for part in item.parts for i in part]
        elif hasattr(item, "items"):
            stack += list(item.items)
    return sorted(found, key=lambda n: n.span.start)
