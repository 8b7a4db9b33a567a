"""Strategies are tried in order; each makes all of what is wanted, a part of it, or nothing."""

from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.strategies import Otherwise, in_order
from aplc.tail.types import Base


@dataclass(frozen=True)
class _UpTo:
    """Makes at most so many statements, if more than some are wanted."""

    name: str
    least: int
    most: int

    def generate(self, wanted: int, block: Block, otherwise: Otherwise[int]) -> None:
        if wanted < self.least:
            otherwise(wanted, block)
            return
        _declare(self.name, min(wanted, self.most), block)
        if wanted > self.most:
            otherwise(wanted - self.most, block)


def _declare(name: str, count: int, block: Block) -> None:
    block.statements += [l.Declare(Var(name, Base.INT), ExprBuilder().zero)] * count


def _made(wanted: int, *strategies: _UpTo) -> list[str]:
    block = Block(None, False)
    in_order(strategies, lambda rest, inner: _declare("plain", rest, inner))(wanted, block)
    return [s.var.name for s in block.statements if isinstance(s, l.Declare)]


def test_the_first_that_applies() -> None:
    assert _made(3, _UpTo("a", 4, 9), _UpTo("b", 2, 9), _UpTo("c", 1, 9)) == ["b"] * 3


def test_what_is_left_over_goes_to_those_behind() -> None:
    assert _made(6, _UpTo("a", 4, 3), _UpTo("b", 9, 9), _UpTo("c", 2, 2)) == ["a"] * 3 + ["c"] * 2 + ["plain"]


def test_none() -> None:
    assert _made(2) == _made(2, _UpTo("a", 3, 3)) == ["plain"] * 2
