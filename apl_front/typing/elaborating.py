"""What is asked of the elaborator: by the modules of this room, and by those that are its parts.

Arrays, functions and statements are elaborated by whoever implements this; what is built lies in `build`, and
what is found out about functions of the user's in three memories.
"""

from __future__ import annotations

from typing import Protocol

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope, SelfValue
from aplc.apl_front.syntax.ast import Statement
from aplc.apl_front.typing.effects import Effects
from aplc.apl_front.typing.fixed_points import Recursions
from aplc.apl_front.typing.pledges import Pledges
from aplc.apl_front.typing.shy import Question
from aplc.apl_front.typing.summaries import Summaries
from aplc.tail.rules import Rules
from aplc.tail.source import Span
from aplc.tail.syntax import Exp


class Elaborating(Protocol):
    """From nodes of the tree, with the scope in which they stand, to TAIL."""

    rules: Rules
    build: Builder
    recursions: Recursions
    pledges: Pledges
    summaries: Summaries
    effects: Effects
    asked: Question | None

    def statement(self, statement: Statement, scope: Scope) -> tuple[Exp | None, bool]:
        """The value of a statement, if it has one, and whether it is an assignment."""

    def is_shy(self) -> Exp:
        """Whether the value of the last statement is not to be shown."""

    def print_unless(self, shy: Exp, value: Exp, span: Span) -> None:
        """A statement shows its value, if it is not shy."""

    def array(self, node: tree.Array, scope: Scope) -> Exp:
        """The value of an array expression."""

    def part(self, part: tree.Part, scope: Scope) -> Exp:
        """The value of one member of a strand."""

    def apply(
        self, node: tree.Function, scope: Scope, left: Exp | None, right: Exp, span: Span | None
    ) -> Exp:
        """A function applied; `span` is the whole application."""

    def definition(self, function: SelfValue, left: Exp | None, right: Exp, span: Span) -> Exp:
        """A function in braces applied, with the operands that it has as an operator."""

    def operand(self, node: tree.Operand | None, scope: Scope, symbol: str) -> Operand:
        """A function operand of an operator."""

    def print(self, value: Exp, scope: Scope, span: Span) -> Exp:
        """`⎕←value`, in order; gives the value."""
