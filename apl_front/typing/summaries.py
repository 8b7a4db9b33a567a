"""What functions of the top level give for arguments of given types, while annotations are proved and types
inferred: a call is then elaborated once for each combination of types, however many functions make it.

Without this a chain of a thousand functions, each calling the one before, would be written out a thousand
times. Only types are kept. Where the value of an argument or of a result may matter beside its type (axes of
`⍉`, an extent of 1) the call is elaborated as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from aplc.apl_front.building.builder import Builder, UnknownRank
from aplc.apl_front.reading.scope import FunctionValue
from aplc.tail import prims as p
from aplc.tail.errors import AplcError
from aplc.tail.syntax import Exp, Fn, Lit, Op, PrimFn, TupleExp, Var, Vec
from aplc.tail.types import Type

Outcome = Type | AplcError | UnknownRank


@dataclass(slots=True)
class Summaries:
    """The outcomes of calls; in use only when all names of the top level have their last values."""

    active: bool = False
    own_calls: int = 0
    """How many calls of a definition from inside itself there have been: their types are provisional."""
    outcomes: dict[object, tuple[FunctionValue, Outcome]] = field(default_factory=dict)

    def begin(self) -> None:
        """From here on all names of the top level have their last values."""
        self.active = True

    def note_own_call(self) -> None:
        """A definition is called from inside itself."""
        self.own_calls += 1

    def call(
        self,
        build: Builder,
        function: FunctionValue,
        arguments: tuple[Exp | None, Exp],
        elaborate: Callable[[], Exp],
    ) -> Exp:
        """The value of a call, or a variable of its type if it is not new."""
        if not self.active or not build.proving or not all(a is None or _opaque(build, a) for a in arguments):
            return elaborate()
        key = (id(function), *[None if a is None else a.ty for a in arguments])
        if key in self.outcomes:
            outcome = self.outcomes[key][1]
            if isinstance(outcome, AplcError | UnknownRank):
                raise outcome
            return _of_type(build, function, outcome)
        before = self.own_calls
        try:
            result = elaborate()
        except (AplcError, UnknownRank) as error:
            if self.own_calls == before:
                self.outcomes[key] = function, error
            raise
        if self.own_calls != before or not _opaque(build, result):
            return result
        self.outcomes[key] = function, result.ty
        return _of_type(build, function, result.ty)


def _of_type(build: Builder, function: FunctionValue, ty: Type) -> Exp:
    return build.opened(Var(build.fresh(), ty=ty, span=function.node.span))


_TELLING = (p.RESHAPE, p.RESHAPE_V, p.IOTA_V, p.REVERSE_V)
"""Primitives that elaboration looks for behind a name, to know an extent or axes."""


def _opaque(build: Builder, exp: Exp) -> bool:
    """Whether of a value only its type can matter."""
    found = build.definition(exp)
    if isinstance(found, TupleExp):
        return all(_opaque(build, part) for part in found.items)
    if isinstance(found, Op) and (found.prim.is_scalar or found.prim is p.EACH):
        return any(_opaque(build, a) for a in found.args if not isinstance(a, Fn | PrimFn))
    return not isinstance(found, Lit | Vec) and not (isinstance(found, Op) and found.prim in _TELLING)
