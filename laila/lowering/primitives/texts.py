"""The lowering of monadic `⍕` of numbers that stand in one line: the run-time system writes them.

The host has the others, as what it makes of a matrix depends on whole columns.
"""

from __future__ import annotations

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Const, Exp, PureCall
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.host import asked
from aplc.laila.lowering.pull import Pull, from_buffer
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.meaning.text import MAX_DIGITS
from aplc.tail.syntax import Op
from aplc.tail.types import Base, Func, Tuple, base_of, rank_of

HEADER = "aplc_texts.h"


@lowers(p.FORMAT)
def _format(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    digits, given_type = low.array(op.args[0]).at(), op.args[1].ty
    assert not isinstance(given_type, Func | Tuple)
    is_known = isinstance(digits, Const) and 1 <= digits.value <= MAX_DIGITS
    is_line = base_of(given_type) in (Base.BOOL, Base.INT, Base.DOUBLE) and rank_of(given_type).const <= 1
    if not is_known or not is_line:
        return asked(low, op, site)
    a = low.array(op.args[1])
    if a.ty is Base.BOOL:
        a = a.mapped(lambda x: make.call(p.B2I, x), Base.INT)
    more: tuple[Exp, ...] = (digits,) if a.ty is Base.DOUBLE else ()
    read: tuple[Buffer, ...] = ()
    if a.rank == 0:
        number = low.forced(a).at()
        name, given = f"one_{a.ty.value}", (low.named(number, "number"), *more)
    else:
        a = low.in_memory(a, memory)
        assert a.buffer is not None
        read, name, given = (a.buffer,), a.ty.value, (a.shape[0], *more)
    lows = (make.zero,)
    length = low.counted(
        make.lookup(PureCall(f"aplc_texts_size_{name}", HEADER, read, given, Base.INT, (), lows)), lows, ()
    )
    text = low.allocated(Base.CHAR, length, memory)
    low.emit(RuntimeCall(f"aplc_texts_{name}", HEADER, (*read, *given, text), only_reads=read))
    return from_buffer(make, text, (length,))
