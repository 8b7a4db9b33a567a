"""What is written in APL, applied; the texts are in `aplc.apl_front.elaboration.written`."""

from __future__ import annotations

from aplc.apl_front.building.builder import base_of, rank
from aplc.apl_front.elaboration import written
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, Scope, SelfValue
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal
from aplc.tail.types import Base


def in_apl(elab: Elaborating, name: str, text: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """What a definition in APL gives; it has no ⎕IO and no ⎕CT of its own."""
    outside = Scope(None, {"⎕io": ArrayValue(literal(1), None), "⎕ct": ArrayValue(literal(0.0), None)})
    return elab.definition(SelfValue(written.definition(name, text), outside), left, right, span)


def of_complex(elab: Elaborating, left: Exp | None, right: Exp, span: Span) -> Exp | None:
    """`⌹` where an argument is complex; None where none is."""
    given = [a for a in (left, right) if a is not None]
    if any(tuples.is_tuple(a) for a in given) or all(base_of(a) is not Base.COMPLEX for a in given):
        return None
    if any(base_of(a) is Base.CHAR for a in given):
        return None
    if max(rank(a) for a in given) > 2:
        return None
    ranks = (None if left is None else rank(left), rank(right))
    return in_apl(elab, "⌹", written.COMPLEX_SOLVE[ranks], left, right, span)


def operator(
    elab: Elaborating,
    text: str,
    node: tree.Derived,
    scope: Scope,
    left: Exp | None,
    right: Exp,
    span: Span,
) -> Exp:
    """An operator that is written in APL."""
    applied = tree.Definition(written.definition(f"the operator {node.operator}", text), span)
    derived = tree.UserDerived(applied, node.left, node.right, span)
    return written.shown_at(elab.build, span, lambda: elab.apply(derived, scope, left, right, span))
