"""`⍎`: text that is known when compiling is elaborated where it stands, as if it were written there. A
character that only the run knows is a digit; such a text holds numbers, and gives a vector of them.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.apl_front.building.builder import Builder, base_of, plain_type, rank
from aplc.apl_front.elaboration.in_apl import in_apl
from aplc.apl_front.elaboration.written import DIGIT
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.syntax.parser import parse
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, compile_error
from aplc.tail.source import Source, Span
from aplc.tail.syntax import Exp, Lit, Vec, op
from aplc.tail.types import Base, Tuple


def execute(elab: Elaborating, right: Exp, scope: Scope, span: Span) -> tuple[Exp | None, bool]:
    """The value of the last statement of a text, if it has one, and whether it is an assignment; statements
    before it that are none are shown.
    """
    if isinstance(right.ty, Tuple) or base_of(right) is not Base.CHAR or rank(right) > 1:
        raise compile_error("DOMAIN ERROR", f"⍎ needs text, got {plain_type(right)}", right.span or span)
    text = _known_text(elab.build, right)
    if text is not None:
        return _value(elab, text, scope, span)
    if rank(right) == 0:
        return in_apl(elab, "⍎", DIGIT, None, right, span), False
    return op(p.NUMBERS, right, symbol="⍎", span=span), False


def _known_text(build: Builder, exp: Exp) -> str | None:
    found = build.definition(exp)
    items = found.items if isinstance(found, Vec) else (found,)
    known = [str(item.value) for item in items if isinstance(item, Lit)]
    return "".join(known) if len(known) == len(items) else None


def _value(elab: Elaborating, text: str, scope: Scope, span: Span) -> tuple[Exp | None, bool]:
    """What a text gives; its errors are shown in the text, with the place of `⍎` below."""
    value: Exp | None = None
    assigned = True
    asked = elab.asked
    try:
        statements = parse(Source("the text of ⍎", text)).statements
        for position, statement in enumerate(statements):
            value, assigned = elab.statement(statement, scope)
            if value is not None and not assigned and position < len(statements) - 1:
                elab.print_unless(elab.is_shy(), value, statement.span)
    except AplcError as error:
        told = [d if span in d.trail else replace(d, trail=(*d.trail, span)) for d in error.diagnostics]
        raise type(error)(told) from None
    finally:
        elab.asked = asked
    return value, assigned
