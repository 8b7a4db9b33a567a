"""The lowering of `⎕VFI`: the run-time system finds the fields of a text, and reads them."""

from __future__ import annotations

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Exp, PureCall, Site
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import Lowered, part_in_memory
from aplc.laila.lowering.pull import from_buffer
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Arg, Op
from aplc.tail.types import Base

HEADER = "aplc_fields.h"


@lowers(p.NUMBER_FIELDS)
def _fields(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """Which fields are numbers, and these, each by a function of its own: one of them may never be wanted."""
    make, memory = low.make, site(faults.NO_MEMORY)
    separators, _, between = _text(low, op.args[0], memory)
    text, begin, length = _text(low, op.args[1], memory)
    given, lows = (between, begin, length), (make.zero,)
    count = PureCall("aplc_fields", HEADER, (separators, text), given, Base.INT, (), lows)
    fields = low.counted(make.lookup(count), lows, ())
    found = []
    for name, base in (("aplc_fields_valid", Base.BOOL), ("aplc_fields_numbers", Base.DOUBLE)):
        out = low.allocated(base, fields, memory)
        read = (separators, text)
        low.emit(RuntimeCall(name, HEADER, (*read, *given, out), only_reads=read))
        found.append(from_buffer(make, out, (fields,)))
    return tuple(found)


def _text(low: Lowering, arg: Arg, site: Site) -> tuple[Buffer, Exp, Exp]:
    """The memory of a text, where in it that begins, and its length: it may be a part of another one, or a
    table of constants.
    """
    a = low.array(arg)
    if (part := part_in_memory(a)) is not None:
        return part.buffer, low.make.zero if part.start is None else part.start, part.shape[0]
    found = low.constants(a) or low.in_memory(a, site)
    assert found.buffer is not None
    return found.buffer, low.make.zero, found.shape[0]
