"""What APL's functions and operators mean, a second time: in plain Python, from their definitions alone.

It shares nothing with the reference interpreter, so that the two can be held against each other. An array is
a shape and a tuple of Python's ints, floats, bools or one-character strings; a function is written down as
its definition says, element by element, without regard to speed.

    MONADIC["⌽"](y)          DYADIC["⌽"](x, y)          the functions by symbol
    AXIS_MONADIC, AXIS_DYADIC                            with an axis, counted from 0
    plain_apl_operators                                  operators, on functions `F`

APL errors are `AplError`. `NotTier1` is no error of APL: there, the result is nested, or Dyalog APL and our
page on the language leave it open, so nobody may be held to it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.support.plain_apl import numeric, select, structure
from tests.support.plain_apl import scalar as scalar_functions
from tests.support.plain_apl.array import A
from tests.support.plain_apl.operators import F

Monadic = Callable[[A], A]
Dyadic = Callable[[A, A], A]


def _last(a: A) -> int:
    return max(a.rank - 1, 0)


MONADIC: dict[str, Monadic] = {
    **scalar_functions.MONADIC,
    "⊢": lambda y: y,
    "⊣": lambda y: y,
    "⍴": structure.shape,
    "⍳": structure.iota,
    ",": structure.ravel,
    "⍪": structure.table,
    "⌽": lambda y: structure.reverse(y, _last(y)),
    "⊖": lambda y: structure.reverse(y, 0),
    "⍉": structure.transpose,
    "⊃": select.first,
    "≡": structure.depth,
    "≢": structure.tally,
    "∊": structure.ravel,
    "⍋": select.grade_up,
    "⍒": select.grade_down,
    "⍸": select.where,
    "∪": select.unique,
    "⌷": lambda y: y,
    "⌹": numeric.invert,
    "⍕": numeric.format,
}
"""All functions of one argument but `?`."""

DYADIC: dict[str, Dyadic] = {
    **scalar_functions.DYADIC,
    "⊢": lambda x, y: y,
    "⊣": lambda x, y: x,
    "⍴": structure.reshape,
    "⍳": select.index_of,
    ",": structure.catenate_last,
    "⍪": structure.catenate_first,
    "⌽": lambda x, y: structure.rotate(x, y, _last(y)),
    "⊖": lambda x, y: structure.rotate(x, y, 0),
    "⍉": structure.dyadic_transpose,
    "↑": structure.take,
    "↓": structure.drop,
    "⊃": select.pick,
    "≡": select.match,
    "≢": select.not_match,
    "∊": select.member,
    "⍸": select.interval_index,
    "∪": select.union,
    "∩": select.intersection,
    "~": select.without,
    "/": lambda x, y: select.replicate(x, y, _last(y)),
    "⌿": lambda x, y: select.replicate(x, y, 0),
    "\\": lambda x, y: select.expand(x, y, _last(y)),
    "⍀": lambda x, y: select.expand(x, y, 0),
    "⌷": select.squad,
    "⊥": numeric.decode,
    "⊤": numeric.encode,
    "⌹": numeric.divide,
    "⍷": select.find,
    "⍕": numeric.format_by_width,
}
"""All functions of two arguments but `?`."""


def _checked_monadic(work: Callable[[A, int], A]) -> Callable[[A, int], A]:
    """The function along an axis that must be there."""

    def function(y: A, axis: int) -> A:
        structure.require_axis(y, axis)
        return work(y, axis)

    return function


def _checked_dyadic(work: Callable[[A, A, int], A]) -> Callable[[A, A, int], A]:
    def function(x: A, y: A, axis: int) -> A:
        structure.require_axis(y, axis)
        return work(x, y, axis)

    return function


AXIS_MONADIC: dict[str, Callable[[A, int], A]] = dict.fromkeys("⌽⊖", _checked_monadic(structure.reverse))
AXIS_DYADIC: dict[str, Callable[[A, A, int], A]] = {
    **dict.fromkeys(",⍪", structure.catenate),
    **dict.fromkeys("⌽⊖", _checked_dyadic(structure.rotate)),
    **dict.fromkeys("/⌿", _checked_dyadic(select.replicate)),
    **dict.fromkeys("\\⍀", _checked_dyadic(select.expand)),
}
laminate = structure.laminate
bracket = select.bracket


def primitive(symbol: str) -> F:
    """A primitive function as an operand."""
    known = {
        "monadic": MONADIC.get(symbol),
        "dyadic": DYADIC.get(symbol),
    }
    return F(**{name: f for name, f in known.items() if f is not None}, symbol=symbol)  # type: ignore[arg-type]
