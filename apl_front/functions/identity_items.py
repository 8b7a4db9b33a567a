"""Identity items: what a reduction of an empty axis gives, or that there is nothing it could give."""

from __future__ import annotations

from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, complex_number, literal
from aplc.tail.types import Base


def identity_item(prim: Prim | None, base: Base, span: Span | None) -> Exp | None:
    """The identity item of a primitive as a scalar of the base type.

    None for a function that has none (a definition, a train, `⍲`): reducing an empty array with it is a
    DOMAIN ERROR, and only then.
    """
    if prim is None or prim.identity is None:
        return None
    match base:
        case Base.INT:
            return literal(int(prim.identity), span)
        case Base.DOUBLE:
            return literal(float(prim.identity), span)
        case Base.BOOL:
            return literal(bool(prim.identity), span)
        case Base.COMPLEX:
            return complex_number(float(prim.identity), 0.0, span)
        case Base.CHAR:
            return None
