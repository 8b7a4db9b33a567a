"""Calls of definitions between two `∇`: arguments, local names, the result.

Names that the header does not list belong to the program, if anything else there mentions them: an assignment
changes the name at the top level. In Dyalog it would be the local name of a function that calls, if that has
one of this name; this is refused, so that it cannot mean something else here.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.reading.arrows import target_names
from aplc.apl_front.reading.liveness import Liveness
from aplc.apl_front.reading.scope import ArrayValue, Scope, SelfValue, Unset
from aplc.apl_front.reading.tree import Strand
from aplc.apl_front.syntax.ast import Arrow, Dfn, Header, Name, Statement
from aplc.apl_front.syntax.mentioned import names_in, names_in_texts
from aplc.apl_front.typing import shy
from aplc.apl_front.typing.control import Flow
from aplc.apl_front.typing.effects import Place
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, product
from aplc.tail.types import Tuple

RIGHT = "right argument"
NOTHING = product(())
"""The value of a call of a function without a result."""


def is_nothing(value: Exp) -> bool:
    """Whether a value is that of a function without a result."""
    return isinstance(value.ty, Tuple) and not value.ty.items


def check_call(header: Header, left: Exp | None, span: Span) -> None:
    """Refuse a left argument too much, or one too little."""
    name = header.name.name
    if left is not None and header.left is None:
        raise compile_error("SYNTAX ERROR", f"{name} has no left argument", span)
    if left is None and header.left is not None and not header.left_may_miss:
        raise compile_error("SYNTAX ERROR", f"{name} needs a left argument", span)


def value_of_call(elab: Elaborating, function: SelfValue, arguments: Sequence[Exp]) -> Exp | None:
    """The value of the code with the arguments and operands bound; None where it has none that is known."""
    header = function.dfn.header
    assert header is not None
    scope = Scope(function.scope, is_procedure=True, depth=elab.build.depth)
    live = elab.effects.needs.get(id(function.dfn))
    if live is None:
        live = elab.effects.needs[id(function.dfn)] = Liveness(function.dfn)
    names = _local_names(header)
    free = [name for name in sorted(live.given) if name not in names and name[0] not in "⎕⍞"]
    names += [n for n in free if n not in elab.effects.shared and function.scope.owner(n) is None]
    _check_callers(elab, function.dfn, names, scope)
    for local in names:
        scope.bind(local, Unset())
    scope.bind("∇", function)
    for name, operand in zip(header.operands, function.operands, strict=True):
        scope.bind(name.name, operand)
    if header.left is not None and len(arguments) > 1:
        scope.bind(header.left.name, ArrayValue(arguments[0], None))
    if isinstance(header.right, Name):
        scope.bind(header.right.name, ArrayValue(arguments[-1], None))
    elif header.right is not None:
        scope.bind(RIGHT, ArrayValue(arguments[-1], None))
        given = (header.right, Arrow(header.right.span), Name(RIGHT, header.right.span))
        elab.statement(Statement(given, header.right.span), scope)
    locals_ = tuple([Place(scope, name) for name in (*names, shy.NAME)])

    def result() -> Exp | None:
        if header.result is None:
            return NOTHING
        names = header.results
        value = elab.part(names[0] if len(names) == 1 else Strand(names, header.result.span), scope)
        elab.build.note_result(value, header.result.span)
        shy.note(
            elab.asked,
            elab.effects,
            elab.build,
            elab.recursions,
            scope,
            header.result.span,
            is_assignment=header.is_shy,
        )
        return value

    with elab.effects.called(scope):
        return Flow(elab, scope, live, locals_, result).value(function.dfn.code)


def _local_names(header: Header) -> list[str]:
    """The names that a header makes local, system names left out: these keep their values."""
    given = [*header.results, header.left, *header.locals]
    names = [name.name for name in given if name is not None]
    if header.right is not None:
        names += [name.name for name in target_names(header.right)]
    return [name for name in dict.fromkeys(names) if not name.startswith("⎕")]


def _check_callers(elab: Elaborating, dfn: Dfn, names: Sequence[str], scope: Scope) -> None:
    """Refuse a name of the program where a caller has a local one that Dyalog would take."""
    free = {name.name: name.span for name in names_in((dfn,)) if name.name not in names}
    free |= {name: dfn.span for name in names_in_texts(dfn) if name not in names}
    for caller in elab.effects.callers:
        for name, span in free.items():
            if name in caller.names and scope.owner(name) is not caller and name[0] not in "⍺⍵∇⎕":
                what = f"{name}, which is a local name of a function that calls this one,"
                raise unsupported(what, span, "give it as an argument")
