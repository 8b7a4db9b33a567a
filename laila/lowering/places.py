"""Places in errors: they are counted from 1 in a program, and from the index origin of the text where they
are told.
"""

from __future__ import annotations

from aplc.laila.ir.scalar import Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail.syntax import Op


def origin_of(op: Op) -> int:
    """The index origin where an application stands."""
    return 1 if op.span is None else op.span.origin


def told(make: ExprBuilder, place: Exp, origin: int) -> Exp:
    """A place as a text counts it that counts from this origin."""
    return make.sub(place, make.const(1 - origin))
