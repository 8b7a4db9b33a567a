"""The lowering of `⎕←`."""

from __future__ import annotations

from aplc.laila.ir.program import Output
from aplc.laila.ir.scalar import Exp
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import PRINTED
from aplc.laila.lowering.lowered import Lowered, reference
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Fn, Op, PrimFn


@lowers(p.PRINT)
def _print(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    return _printed(low, op.args[0], op.span)


@lowers(p.PRINT_WITH)
def _print_with(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    digits, arg = op.args
    return _printed(low, arg, op.span, low.scalar(digits))


def _printed(low: Lowering, arg: Arg, span: Span | None, digits: Exp | None = None) -> Lowered:
    """Print a value; an array is then in memory, for later uses too."""
    assert not isinstance(arg, Fn | PrimFn)
    low.settle()  # first: what is printed may be one of them
    value = low.stored(low.lower(arg), low.site(faults.NO_MEMORY, "", span), PRINTED)
    if isinstance(arg, t.Var):
        low.bind(arg.name, value)
    low.emit(Output(reference(value, arg.ty), False, digits))
    return value
