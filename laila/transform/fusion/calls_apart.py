"""Functions of sums along rows, such as `÷1+*-x+.×w`, are computed in lanes behind the sums.

    MAP a[i] = exp(REDUCE over k < n { f(i,k) })   →   MAP a[i] = REDUCE over k < n { f(i,k) }
                                                       MAP a[i] = exp(a[i])

A loop along the rows computes one element after the other, where lanes compute exponentials, logarithms and
circular functions of several at once. Loops that share their sums do so where one of them keeps these in its
result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aplc.laila.ir.analysis import CALLS
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Fused, Map, Program, Statement
from aplc.laila.ir.scalar import BlockExp, Call, Exp, Fold, PureCall, Select, contains, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base


def with_calls_apart(program: Program, make: ExprBuilder) -> Program:
    """The program with such functions in loops of their own."""

    def block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple([new for s in statements for new in _apart(make, with_bodies(s, block))])

    return with_blocks(program, block)


def _apart(make: ExprBuilder, statement: Statement) -> list[Statement]:
    """A loop, in two perhaps: the sums, and what becomes of them."""
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    maps = [each for each in parts if isinstance(each, Map)]
    if len(maps) < len(parts) or any(m.guard is not None or m.ordered for m in maps):
        return [statement]
    roots = [m.body for m in maps]
    found = dict.fromkeys([n for n in _always(roots) if isinstance(n, Fold)])
    if len(found) != 1 or not any(_is_dear(n) for n in _always(roots)):
        return [statement]
    (fold,) = found
    kept = next((m for m in maps if m.buffer.ty is fold.ty is Base.DOUBLE), None)
    written = {m.buffer for m in maps}
    if kept is None or contains(BlockExp | PureCall, *roots) or written & set(buffers_read(*roots)):
        return [statement]
    change = Substitute(make, {fold: make.read(kept.buffer, kept.position)})
    after = [replace(m, body=change(m.body)) for m in maps]
    if any(contains(Fold, m.body) for m in after):
        return [statement]
    sums = replace(kept, body=fold)
    if isinstance(statement, Fused):
        return [sums, replace(statement, parts=tuple(after), in_place=True)]
    return [sums, *after]


def _always(roots: Sequence[Exp]) -> Iterator[Exp]:
    """What is computed in any case, as far as the outermost folds."""
    return nodes(
        *roots,
        below=lambda e: (e.cond,) if isinstance(e, Select) else () if isinstance(e, Fold) else operands(e),
    )


def _is_dear(node: Exp) -> bool:
    """Whether a node is such a function of a fold."""
    return isinstance(node, Call) and node.op in CALLS and contains(Fold, node)
