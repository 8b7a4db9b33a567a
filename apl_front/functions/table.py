"""The tables of the functions that are not scalar: how each symbol builds its TAIL, by valence, with and
without an axis in brackets.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.functions import catenation as c
from aplc.apl_front.functions import indexing
from aplc.apl_front.functions import numeric as n
from aplc.apl_front.functions import selection as sel
from aplc.apl_front.functions import structure as s
from aplc.tail.errors import AplcError, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp

Monadic = Callable[[Builder, Exp, Span], Exp]
Dyadic = Callable[[Builder, Exp, Exp, Span], Exp]
MonadicAlong = Callable[[Builder, Exp, Span, Exp], Exp]
DyadicAlong = Callable[[Builder, Exp, Exp, Span, Exp], Exp]

MONADIC_FUNCTIONS: dict[str, Monadic] = {
    "⍴": s.shape, "≢": s.tally, "≡": s.depth, "⍳": s.index_generator, ",": s.ravel, "⍪": s.table,
    "⌽": s.reverse, "⊖": s.reverse_first, "⍉": s.transpose, "⊃": s.first, "⊢": s.same, "⊣": s.same,
    "⌷": s.materialise, "∊": sel.enlist, "⍋": sel.grade_up, "⍒": sel.grade_down, "⍸": sel.where,
    "∪": sel.unique, "≠": sel.unique_mask, "⌹": n.inverse, "?": n.roll, "⍕": n.format_value,
    "⊂": s.enclose, "⊆": s.enclose,
}  # fmt: skip

DYADIC_FUNCTIONS: dict[str, Dyadic] = {
    "⍴": s.reshape, ",": c.catenate, "⍪": c.catenate_first, "⌽": s.rotate, "⊖": s.rotate_first,
    "⍉": s.transpose_by, "↑": s.take, "↓": s.drop, "⊃": s.pick, "⍳": sel.index_of, "≡": s.match,
    "≢": s.not_match, "⊢": s.right_of, "⊣": s.left_of, "⌷": indexing.squad, "∊": sel.member,
    "⍸": sel.interval_index, "∪": sel.union, "∩": sel.intersection, "~": sel.without, "/": sel.replicate,
    "⌿": sel.replicate_first, "\\": sel.expand, "⍀": sel.expand_first, "⊥": n.decode, "⊤": n.encode,
    "⌹": n.divide, "⍷": sel.find, "?": n.deal, "⍕": n.format_by, "⍋": sel.collated_up, "⍒": sel.collated_down,
}  # fmt: skip

MONADIC_ALONG: dict[str, MonadicAlong] = {
    "⌽": s.reverse_along, "⊖": s.reverse_along, ",": c.ravel_along,
}  # fmt: skip

DYADIC_ALONG: dict[str, DyadicAlong] = {
    "⌽": s.rotate_along, "⊖": s.rotate_along, ",": c.catenate_along, "⍪": c.catenate_along,
    "↑": s.take_along, "↓": s.drop_along, "/": sel.replicate_along, "⌿": sel.replicate_along,
    "\\": sel.expand_along, "⍀": sel.expand_along, "⌷": indexing.squad_along,
}  # fmt: skip

TIER_TWO = {("⍎", 2): ("execute", "write the expression itself")}
"""What is planned and refused until then: its name, and what to write instead."""


def monadic(build: Builder, symbol: str, a: Exp, span: Span, axis: Exp | None) -> Exp:
    """A monadic function that is not scalar."""
    if axis is not None:
        make_along = MONADIC_ALONG.get(symbol)
        if make_along is None:
            raise _no_axis(symbol, 1, axis, span)
        return make_along(build, a, span, axis)
    make = MONADIC_FUNCTIONS.get(symbol)
    if make is None:
        raise _missing(symbol, 1, span)
    return make(build, a, span)


def dyadic(build: Builder, symbol: str, left: Exp, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """A dyadic function that is not scalar."""
    if axis is not None:
        make_along = DYADIC_ALONG.get(symbol)
        if make_along is None:
            raise _no_axis(symbol, 2, axis, span)
        return make_along(build, left, right, span, axis)
    make = DYADIC_FUNCTIONS.get(symbol)
    if make is None:
        raise _missing(symbol, 2, span)
    return make(build, left, right, span)


def _no_axis(symbol: str, arguments: int, axis: Exp, span: Span) -> AplcError:
    if (symbol, arguments) in TIER_TWO:
        return _missing(symbol, arguments, span)
    return compile_error("SYNTAX ERROR", f"{symbol} takes no axis", axis.span or span)


def _missing(symbol: str, arguments: int, span: Span) -> AplcError:
    """The error for a symbol without this valence: planned, or wrong."""
    valence = "monadic" if arguments == 1 else "dyadic"
    if (symbol, arguments) in TIER_TWO:
        name, instead = TIER_TWO[symbol, arguments]
        return unsupported(f"{valence} {symbol} ({name})", span, instead)
    if symbol in DYADIC_FUNCTIONS:
        return compile_error("SYNTAX ERROR", f"{symbol} needs a left argument", span)
    if symbol in MONADIC_FUNCTIONS:
        return compile_error("SYNTAX ERROR", f"{symbol} takes no left argument", span)
    return unsupported(f"{valence} {symbol}", span)
