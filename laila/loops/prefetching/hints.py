"""The statement that asks for an element of an array some time before it is read."""

from __future__ import annotations

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Exp

HEADER = "aplc_ahead.h"

_NAME = "APLC_AHEAD"


def hint(buffer: Buffer, place: Exp) -> RuntimeCall:
    """Asks for an element; `place` may be that of none."""
    return RuntimeCall(_NAME, HEADER, (buffer, place))


def is_hint(statement: l.Stm) -> bool:
    """Whether a statement asks for memory, and does nothing else."""
    return isinstance(statement, RuntimeCall) and statement.function == _NAME
