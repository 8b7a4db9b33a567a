"""What names stand for while elaborating: arrays, functions with the scope they close over, and scopes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import NameClass, Poisoned, definition_class
from aplc.apl_front.reading.system_names import instead_of, system_class
from aplc.apl_front.syntax import hints
from aplc.apl_front.syntax.ast import Annotation, Dfn, Name
from aplc.tail.errors import CompileError, compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array, as a variable or constant of TAIL, and where it was assigned."""

    exp: Exp
    span: Span | None


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function and the scope in which its free names are looked up; where it was named, and the type that
    the line above claims.
    """

    node: tree.Function
    scope: Scope
    target: Span | None = None
    annotation: Annotation | None = None


@dataclass(frozen=True, slots=True)
class Poison:
    """What a name stands for whose statement was in error."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a name has no value, continuing `NAME, which …`, and what to write instead."""

    why: str
    instead: str = "use a name of its own for each kind of array"


@dataclass(frozen=True, slots=True)
class Unset:
    """A local name of a definition that has no value, or not on every way to this point; then why."""

    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class MaybeValue:
    """A local name that has a value on some ways to this point, which the run knows."""

    exp: Exp
    is_set: Exp
    span: Span | None
    reason: Reason | None = None
    """Why it has none on the others."""
    may_be_read: bool = True
    """Whether not even what reads it here is refused for that reason."""


@dataclass(frozen=True, slots=True)
class OperatorValue:
    """An operator and the scope in which its free names are looked up; where it was named, and the type that
    the line above claims.
    """

    node: tree.OperatorName | tree.Definition
    scope: Scope
    target: Span | None = None
    annotation: Annotation | None = None


def claim_of(value: FunctionValue | OperatorValue) -> Annotation | None:
    """The annotation of a named function or operator."""
    if value.annotation is not None:
        return value.annotation
    return value.node.dfn.annotation if isinstance(value.node, tree.Definition) else None


@dataclass(frozen=True, slots=True)
class SelfValue:
    """`∇`: the function that is being defined, an operator with its operands."""

    dfn: Dfn
    scope: Scope
    operands: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class OpaqueValue:
    """A function operand of which only the type is known, as a primitive of that type."""

    prim: Prim


Operand = ArrayValue | FunctionValue | OpaqueValue
Value = ArrayValue | FunctionValue | OpaqueValue | OperatorValue | SelfValue | Poison | Unset | MaybeValue


@dataclass(eq=False)
class Scope:
    """Names of one level, and the level around it."""

    parent: Scope | None = None
    names: dict[str, Value] = field(default_factory=dict)
    depth: int = 0
    """The block in which its statement at hand is elaborated (see `Builder.depth`)."""
    is_procedure: bool = False
    """Whether its names keep what blocks inside give them: those of a definition between two `∇`."""
    is_unseen: bool = False
    """Whether nobody sees the result of the definition whose names these are."""

    def bind(self, name: str, value: Value) -> None:
        """The name stands for the value here from now on."""
        self.names[name] = value

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What is bound inside is forgotten behind it."""
        before = self.names
        self.names = dict(before)
        try:
            yield
        finally:
            self.names = before

    def around(self) -> Iterator[Scope]:
        """The scopes further out, from the innermost one."""
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def outermost(self) -> Scope:
        """The scope of the whole program."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope here or further out that defines a name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope

    def setting(self, name: str, default: int | float) -> int | float:
        """The value of a system variable that must be known when compiling (⎕IO, ⎕CT, ⎕PP)."""
        found = self.find(name)
        if isinstance(found, ArrayValue) and isinstance(found.exp, Lit):
            assert not isinstance(found.exp.value, str)
            return found.exp.value
        return default

    def placed(self, span: Span) -> Span:
        """A place of the text with the index origin that holds there."""
        origin = int(self.setting("⎕io", 1))
        return span if origin == span.origin else replace(span, origin=origin)

    def find(self, name: str) -> Value | None:
        """The value of a name here or further out; `⍺` belongs to the innermost function alone."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            if name == "⍺" and "⍵" in scope.names:
                return None
            scope = scope.parent
        return None

    def visible(self) -> set[str]:
        """All names in scope."""
        return set(self.names) | (self.parent.visible() if self.parent is not None else set())

    def lookup(self, name: Name) -> Value:
        """The value of a name, or the error that says why there is none."""
        value = self.find(name.name)
        if isinstance(value, Poison):
            raise Poisoned
        if value is None or isinstance(value, Unset) or _is_hidden(value):
            raise self.missing(name)
        return value

    def array(self, name: Name) -> ArrayValue:
        """The array that a name stands for."""
        value = self.lookup(name)
        if not isinstance(value, ArrayValue):
            raise compile_error("SYNTAX ERROR", f"{name.name} has become a function here", name.span)
        return value

    def function(self, name: Name) -> FunctionValue | SelfValue | OpaqueValue:
        """The function that a name stands for."""
        value = self.lookup(name)
        if not isinstance(value, FunctionValue | SelfValue | OpaqueValue):
            raise compile_error("SYNTAX ERROR", f"{name.name} has become an array here", name.span)
        return value

    def operator(self, node: tree.OperatorName | tree.Definition) -> OperatorValue:
        """The definition of an operator, however it is named."""
        if isinstance(node, tree.Definition):
            return OperatorValue(node, self)
        value = self.lookup(Name(node.name, node.span))
        if not isinstance(value, OperatorValue):
            raise compile_error("SYNTAX ERROR", f"{node.name} is no operator any more here", node.span)
        return value

    def closure(self, node: tree.Function) -> FunctionValue:
        """A function to be named: a derived one or a train keeps the values that its names have now, a
        definition looks them up when it is called.
        """
        if isinstance(node, tree.Definition):
            return FunctionValue(node, self)
        found = {name: self.find(name) for name in _names_in(node)}
        return FunctionValue(node, Scope(self, {n: v for n, v in found.items() if v is not None}))

    def classify(self, name: Name) -> NameClass:
        """The class of a name in this scope."""
        system = system_class(name.name)
        if system is not None:
            return system
        match self.find(name.name):
            case None | Unset():
                return NameClass.UNDEFINED
            case FunctionValue() as function if is_niladic(function):
                return NameClass.ARRAY
            case Poison():
                return NameClass.POISONED
            case ArrayValue() | MaybeValue():
                return NameClass.ARRAY
            case OperatorValue(node=tree.Definition(dfn=dfn)):
                return definition_class(dfn)
            case OperatorValue():
                return NameClass.DYADIC_OPERATOR
            case FunctionValue() | OpaqueValue() | SelfValue():
                return NameClass.FUNCTION

    def missing(self, name: Name) -> CompileError:
        """Why a name has no value, and which name may be meant."""
        text, span = name.name, name.span
        unset = self.find(text)
        if isinstance(unset, Unset | MaybeValue):
            if unset.reason:
                raise unsupported(f"{text}, which {unset.reason.why},", span, unset.reason.instead)
            return compile_error("VALUE ERROR", f"{text} has no value here", span)
        if text in ("⍵", "⍺"):
            if self.find("⍵") is not None:
                return compile_error(
                    "VALUE ERROR", "⍺ is not defined: the function has no left argument", span
                )
            return compile_error("SYNTAX ERROR", f"{text} has a meaning inside braces only", span)
        if text == "∇∇":
            return compile_error("SYNTAX ERROR", "∇∇ has a meaning inside operators only", span)
        if text == "∇":
            return compile_error("SYNTAX ERROR", "∇ has a meaning inside braces only", span)
        if text in ("⍺⍺", "⍵⍵"):
            return compile_error("SYNTAX ERROR", f"{text} has a meaning inside operators only", span)
        if text.startswith("⎕") or text == "⍞":
            what = f"the system name {span.text}" if text != "⎕" else "input with ⎕"
            raise unsupported(what, span, instead_of(text))
        if hint := hints.for_name(text, span):
            return compile_error("VALUE ERROR", f"{text} is not defined: {hint}", span)
        near = difflib.get_close_matches(text, self.visible(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return compile_error("VALUE ERROR", f"{text} is not defined{hint}", span)


def _is_hidden(value: Value) -> bool:
    return isinstance(value, MaybeValue) and not value.may_be_read


def is_niladic(function: FunctionValue) -> bool:
    """Whether the name of a function alone is a call of it."""
    node = function.node
    return isinstance(node, tree.Definition) and node.dfn.header is not None and node.dfn.header.is_niladic


def underlying(node: tree.Function, scope: Scope) -> tuple[tree.Function, Scope]:
    """A function behind its names, and the scope it belongs to."""
    while isinstance(node, tree.FunctionName) and system_class(node.name) is None:
        found = scope.function(Name(node.name, node.span))
        if isinstance(found, SelfValue | OpaqueValue):
            break
        node, scope = found.node, found.scope
    return node, scope


def underlying_operator(
    node: tree.OperatorName | tree.Definition, scope: Scope
) -> tuple[tree.Definition, OperatorValue]:
    """An operator of the user's behind its names, and what the last of them stands for."""
    found = scope.operator(node)
    while isinstance(found.node, tree.OperatorName):
        found = found.scope.operator(found.node)
    return found.node, found


def _names_in(node: tree.Operand | None) -> Iterator[str]:
    """The names in a function or array, those in the bodies of definitions excepted."""
    stack: list[object] = [node]
    while stack:
        match stack.pop():
            case Name(name=name) | tree.FunctionName(name=name) | tree.OperatorName(name=name):
                yield name
            case tree.Strand(parts=parts):
                stack += parts
            case tree.Apply(function=function, left=left, right=right):
                stack += (function, left, right)
            case tree.Index(array=array, indices=indices):
                stack += (array, *indices)
            case tree.Primitive(axis=axis):
                stack.append(axis)
            case tree.Derived(left=left, right=right, axis=axis):
                stack += (left, right, axis)
            case tree.UserDerived(operator=operator, left=left, right=right):
                stack += (operator, left, right)
            case tree.Fork(left=left, middle=middle, right=right):
                stack += (left, middle, right)
            case tree.Atop(outer=outer, inner=inner):
                stack += (outer, inner)
            case (
                tree.Assign(value=value) | tree.AssignFunction(value=value) | tree.AssignSeveral(value=value)
            ):
                stack.append(value)
            case _:
                pass
