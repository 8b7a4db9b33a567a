"""What names stand for while elaborating: arrays, functions with the scope they close over, and scopes."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from apl_front import tree
from apl_front.ast import Name
from apl_front.infix import NameClass
from tail.errors import CompileError, compile_error, unsupported
from tail.source import Span
from tail.syntax import Exp


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array, as a variable or constant of TAIL, and where it was assigned."""

    exp: Exp
    span: Span | None


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function and the scope in which its free names are looked up."""

    node: tree.Function
    scope: Scope


class Poisoned(Exception):
    """The value of a name is missing because its own statement was in error, which has been reported."""


@dataclass(frozen=True, slots=True)
class Poison:
    """What a name stands for whose statement was in error."""


Value = ArrayValue | FunctionValue | Poison


@dataclass(eq=False)
class Scope:
    """Names of one level, and the level around it."""

    parent: Scope | None = None
    names: dict[str, Value] = field(default_factory=dict)

    def find(self, name: str) -> Value | None:
        """The value of a name here or further out."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
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
        if value is None:
            raise self._missing(name)
        return value

    def classify(self, name: Name) -> NameClass:
        """The class of a name in this scope."""
        is_array = isinstance(self.lookup(name), ArrayValue)
        return NameClass.ARRAY if is_array else NameClass.FUNCTION

    def _missing(self, name: Name) -> CompileError:
        text, span = name.name, name.span
        if text in ("⍵", "⍺"):
            if self.find("⍵") is not None:
                return compile_error(
                    "VALUE ERROR", "⍺ is not defined: the function has no left argument", span
                )
            return compile_error("SYNTAX ERROR", f"{text} has a meaning inside braces only", span)
        if text in ("∇", "∇∇"):
            raise unsupported("recursion", span)
        if text in ("⍺⍺", "⍵⍵"):
            raise unsupported("an operator of your own", span)
        if text.startswith("⎕") or text == "⍞":
            raise unsupported(f"the system name {text}" if text != "⎕" else "input with ⎕", span)
        near = difflib.get_close_matches(text, self.visible(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return compile_error("VALUE ERROR", f"{text} is not defined{hint}", span)
