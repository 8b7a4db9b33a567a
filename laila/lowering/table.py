"""Which function lowers which array primitive: each says so itself, with `@lowers`.

The modules of these functions are in `primitives`, which imports them all and then has the whole table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.scalars import SiteOf
from aplc.tail.errors import InternalError
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.syntax import Op

LowerArray = Callable[[Lowering, Op, SiteOf], Lowered]
"""The value of an application: what it may ask for, the application, and a maker of its error sites."""

Function = TypeVar("Function", bound=LowerArray)

_TABLE: dict[Prim, LowerArray] = {}


def lowers(*prims: Prim) -> Callable[[Function], Function]:
    """Declare that a function lowers some primitives. `InternalError` if another one lowers one of them."""

    def declared(function: Function) -> Function:
        for prim in prims:
            if prim in _TABLE:
                raise InternalError("lower", f"{prim.name} is lowered twice")
            _TABLE[prim] = function
        return function

    return declared


def whole_table() -> Mapping[Prim, LowerArray]:
    """The table, when all modules are there. `InternalError` if nothing lowers some array primitive."""
    missing = [prim.name for prim in PRIMS.values() if not prim.is_scalar and prim not in _TABLE]
    if missing:
        raise InternalError("lower", f"nothing lowers {', '.join(missing)}")
    return MappingProxyType(_TABLE)
