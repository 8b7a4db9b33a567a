"""What is known of definitions that call themselves: calls under way, and the types that were found.

Each round of an outer fixed point elaborates an inner recursion anew, so that without a memory the work
triples with each level. What is remembered is where the search for the types begins the next time; a round
verifies it. It is found again only for arguments, values and functions of the same types, from which the
search would come to the same end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, Scope, SelfValue
from aplc.apl_front.syntax.ast import Dfn
from aplc.apl_front.syntax.mentioned import names_in
from aplc.apl_front.typing.effects import Place
from aplc.tail.syntax import Exp, Lit
from aplc.tail.types import Type

MAX_ROUNDS = 40
"""A fixed point of types is reached long before; this bounds what a mistake of ours would cost."""
SETTINGS = ("⎕io", "⎕ct", "⎕pp")
"""Names that a body uses without mentioning them."""
OWN = frozenset(("⍵", "⍺", "∇"))

Key = tuple[object, ...]
"""What makes two calls of a definition the same function."""


@dataclass(eq=False, slots=True)
class Instance:
    """A definition being elaborated for arguments of certain ranks and kinds."""

    key: Key
    name: str | None = None
    """Its name in TAIL, where it is elaborated as a recursive function."""
    params: tuple[Type, ...] = ()
    result: Type | None = None
    wanted: tuple[Type, ...] = ()
    """The parameters' types as the calls seen so far need them."""
    places: tuple[Place, ...] = ()
    """Names of outside that it changes, which are further parameters and results."""
    types: tuple[Type, ...] = ()
    """The types of its arguments in the call from outside."""
    outside: tuple[Type, ...] = ()
    """The types of these names there."""
    is_called: bool = False
    """Whether it has turned out to call itself."""


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """The types of the parameters and of the result of a recursive function."""

    params: tuple[Type, ...]
    result: Type


class Unknown(Exception):
    """What a definition depends on is not only types."""


class Recursions:
    """The calls of definitions, as far as one elaboration has come."""

    def __init__(self) -> None:
        self._under_way: dict[int, list[Instance]] = {}
        self._calling_themselves: set[int] = set()
        self._found: dict[object, FixedPoint] = {}
        self.in_common: frozenset[int] = frozenset()
        """The identities of definitions that are elaborated as functions, see `syntax.sharing`."""

    def under_way(self, dfn: Dfn) -> Sequence[Instance]:
        """The calls of a definition that are being elaborated, outermost first."""
        return self._under_way.get(id(dfn), ())

    @contextmanager
    def entered(self, dfn: Dfn, instance: Instance) -> Iterator[None]:
        """Inside, a call of a definition is under way."""
        instances = self._under_way.setdefault(id(dfn), [])
        instances.append(instance)
        try:
            yield
        finally:
            instances.pop()

    def calls_itself(self, dfn: Dfn) -> bool:
        """Whether a definition has turned out to."""
        return id(dfn) in self._calling_themselves

    def found_calling_itself(self, dfn: Dfn) -> None:
        """A definition has turned out to call itself."""
        self._calling_themselves.add(id(dfn))

    def is_in_common(self, function: SelfValue) -> bool:
        """Whether a definition is elaborated as a function though it does not call itself."""
        return id(function.dfn) in self.in_common and not function.operands

    def keep_in_line(self, dfn: Dfn) -> None:
        """A definition wants to know more of its arguments than their types."""
        self.in_common -= {id(dfn)}

    def types(self, around: object | None) -> FixedPoint | None:
        """The types found in the same circumstances before."""
        return self._found.get(around)

    def remember(self, around: object | None, found: FixedPoint) -> None:
        """Types found in circumstances that can be told."""
        if around is not None:
            self._found[around] = found

    def circumstances(self, function: SelfValue, arguments: Sequence[Exp]) -> object | None:
        """All on which the types of a definition applied to arguments depend; None if that cannot be told."""
        if function.operands:
            return None
        try:
            around = tuple(self._surroundings(function.dfn, function.scope, set()))
        except Unknown:
            return None
        return (id(function.dfn), tuple([_known(a) for a in arguments]), around)

    def _surroundings(self, dfn: Dfn, scope: Scope, seen: set[int]) -> Iterator[object]:
        """What the names in a definition, and in those that it calls, stand for."""
        seen.add(id(dfn))
        if self.under_way(dfn):
            raise Unknown
        for name in sorted({name.name for name in names_in((dfn,))} - OWN | set(SETTINGS)):
            match scope.find(name):
                case None:
                    pass
                case ArrayValue(exp=exp):
                    yield name, _known(exp)
                case FunctionValue(node=tree.Definition(dfn=other), scope=inner):
                    yield name, id(other)
                    if id(other) not in seen:
                        yield from self._surroundings(other, inner, seen)
                case FunctionValue(scope=closure):  # a derived function has one of its own
                    yield name, closure
                case _:
                    raise Unknown


def _known(exp: Exp) -> object:
    return exp.ty, repr(exp.value) if isinstance(exp, Lit) else None
