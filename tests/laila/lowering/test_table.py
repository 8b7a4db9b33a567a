"""The table of lowerings: each array primitive is in it, once."""

import pytest

from aplc.laila.lowering import table
from aplc.laila.lowering.primitives import LOWER
from aplc.tail import prims as p
from aplc.tail.errors import InternalError


def test_a_primitive_is_not_lowered_twice() -> None:
    with pytest.raises(InternalError, match="rotate is lowered twice"):
        table.lowers(p.ROTATE)(LOWER[p.ROTATE])


def test_a_primitive_that_nothing_lowers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(table._TABLE, p.ROTATE)
    with pytest.raises(InternalError, match=r"nothing lowers rotate$"):
        table.whole_table()
