"""The lowering of what the host does: it prints, and computes `⍕`, time and files as the interpreter does."""

from __future__ import annotations

from aplc.laila.ir.program import ArrayRef, HostCall, Output, Ref, ScalarRef
from aplc.laila.ir.scalar import Exp, Site, Var, told_at
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import PRINTED
from aplc.laila.lowering.lowered import Lowered, reference
from aplc.laila.lowering.pull import Pull, from_buffer, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail import syntax as t
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Fn, Op, PrimFn
from aplc.tail.types import Base, Func, Tuple, base_of, known_length, rank_of


@lowers(
    p.FORMAT_BY, p.NOW, p.TIMESTAMP, p.FORMAT_NESTED, p.FORMAT_PICTURE, p.JSON,
    p.JSON_NESTED,
    p.TABLE_OF, p.FIELDS_OF, p.READ_FIELDS,
    p.READ_FILE, p.READ_INTS, p.READ_DOUBLES, p.READ_TABLE, p.WRITE_FILE,
    p.NPY_INT, p.NPY_DOUBLE, p.NPY_COMPLEX, p.NPY_BOOL, p.NPY_CHAR,
)  # fmt: skip
def asked(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """The answer of the host to arguments in memory; errors have the place of the application."""
    make, memory = low.make, site(faults.NO_MEMORY)
    given: tuple[Ref, ...] = tuple([_in_memory(low, arg, memory) for arg in op.args])
    place, items = told_at(site(faults.NO_RESULT), ())
    given += tuple([ScalarRef(number) for number in items])
    if not items:
        place = memory
    assert not isinstance(op.ty, Func | Tuple)
    base, rank = base_of(op.ty), rank_of(op.ty).const
    if rank == 0:
        var = Var(make.fresh("answer"), base)
        low.decisions.place(var)
        low.emit(HostCall(op.prim, given, ScalarRef(var), place))
        return from_scalar(make, var)
    buffer = low.buffer(base, "answer")
    low.decisions.computed(buffer)
    extents = tuple([Var(make.fresh("answer_n"), Base.INT, True, (make.zero,)) for _ in range(rank)])
    low.emit(HostCall(op.prim, given, ArrayRef(buffer, extents), place))
    length = known_length(op.ty)
    shape: tuple[Exp, ...] = extents if length is None else (make.const(length.const),)
    return from_buffer(make, buffer, shape)


def _in_memory(low: Lowering, arg: Arg, memory: Site) -> Ref:
    """An argument for the host: an array, or the parts of a tuple or of an array of arrays."""
    assert not isinstance(arg, Fn | PrimFn)
    return reference(low.stored(low.lower(arg), memory), arg.ty)


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
