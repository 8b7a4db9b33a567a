"""The lowering of `⌹`: a function of the run-time system.

With strict doubles the host divides, with the interpreter's own meaning.
"""

from __future__ import annotations

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Exp, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.host import asked
from aplc.laila.lowering.pull import Pull, from_buffer
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Op
from aplc.tail.types import Base

MATRIX = "aplc_matrix.h"


@lowers(p.MAT_INV, p.MAT_DIV)
def _divide(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """`b⌹a`, and `⌹a`, where b is the identity."""
    if low.make.settings.strict_fp:
        return asked(low, op, site)
    make, memory = low.make, site(faults.NO_MEMORY)
    *left, a = [low.in_memory(low.array(arg), memory) for arg in op.args]
    rows, columns = a.shape
    low.require(make.call(p.GTEI, rows, columns), site(faults.TOO_FEW_ROWS), rows, columns)
    assert a.buffer is not None
    arguments: tuple[Buffer | Exp, ...] = (a.buffer, rows, columns)
    across: tuple[Exp, ...] = (rows,)
    for b in left:
        low.require(make.call(p.EQI, b.shape[0], rows), site(faults.LENGTHS), b.shape[0], rows)
        assert b.buffer is not None
        across = b.shape[1:]
        arguments = (b.buffer, make.product(across), *arguments)
    shape = (columns, *across)
    out = low.allocated(Base.DOUBLE, make.product(shape), memory)
    independent = Var(make.fresh("independent"), Base.INT, True, (make.zero,))
    function = "aplc_matrix_divide" if left else "aplc_matrix_inverse"
    low.emit(RuntimeCall(function, MATRIX, (*arguments, out), (independent,), memory, in_threads=True))
    low.require(make.call(p.GTEI, independent, columns), site(faults.SINGULAR))
    return from_buffer(make, out, shape)
