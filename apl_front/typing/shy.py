"""Shy results: a definition whose result comes from an assignment gives it without showing it.

Only a statement of the top level, or of a definition between two `∇`, shows what it is, so only there it is
asked. Mostly all statements that may give the result are assignments, or none is. Where guards choose between
both when the program runs, a name beside that statement that no program can spell stands for whether the
result is shy, and is changed like any outer name (Note [Outer names] of `effects`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, Scope, SelfValue, underlying, underlying_operator
from aplc.apl_front.syntax.ast import Dfn, Name
from aplc.apl_front.typing.effects import Effects, Place, require
from aplc.apl_front.typing.fixed_points import Recursions
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal

NAME = "shy result"


@dataclass(slots=True)
class Question:
    """Whether the result of a call of a definition is shy, in a statement that shows what it is."""

    dfn: Dfn
    seen: set[bool] = field(default_factory=set)
    """For the statements that may give the result, whether they are assignments."""
    place: Place | None = None

    def depends(self) -> bool:
        """Whether only the run knows, and has not been asked to keep it in mind."""
        return len(self.seen) > 1 and self.place is None

    def keep(self, scope: Scope) -> None:
        """From now on a name beside the statement holds the answer."""
        scope.bind(NAME, ArrayValue(literal(False), None))
        self.place = Place(scope, NAME)

    def answer(self) -> Exp:
        """A boolean, behind the call."""
        return literal(self.seen == {True}) if self.place is None else self.place.value()


def question(node: tree.Tree, scope: Scope) -> Question | None:
    """What is to be asked of a statement, if it calls a definition."""
    dfn = _called(node, scope)
    return None if dfn is None else Question(dfn)


def _called(node: tree.Tree, scope: Scope) -> Dfn | None:
    """The definition that a statement calls last."""
    if not isinstance(node, tree.Apply):
        return None
    function, scope = underlying(node.function, scope)
    if isinstance(function, tree.Definition):
        return function.dfn
    if isinstance(function, tree.UserDerived) and not _is_of_the_system(function.operator):
        return underlying_operator(function.operator, scope)[0].dfn
    return None


def _is_of_the_system(operator: tree.OperatorName | tree.Definition) -> bool:
    return isinstance(operator, tree.OperatorName) and operator.name.startswith("⎕")


def note(
    asked: Question | None,
    effects: Effects,
    build: Builder,
    recursions: Recursions,
    scope: Scope,
    span: Span,
    *,
    is_assignment: bool,
) -> None:
    """A statement of a definition gives its result. It counts in the outermost call that is asked about."""
    function = scope.names.get("∇")
    if asked is None or build.proving:  # a proof shows nothing
        return
    if not isinstance(function, SelfValue) or function.dfn is not asked.dfn:
        return
    if len(recursions.under_way(function.dfn)) > 1:
        return
    asked.seen.add(is_assignment)
    if asked.place is None:
        return
    require(effects, build, asked.place, Name("∇", span))
    build.change(asked.place.owner, asked.place.name, ArrayValue(literal(is_assignment), span))
