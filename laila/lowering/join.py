"""Variables and buffers for the values in which branches meet.

An array of a few elements, as many as its type says, has a variable for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.program import Assign, Empty, Move, Statement, Variable
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, Site, Var
from aplc.laila.ir.statements import bound
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import FEW
from aplc.laila.lowering.lowered import Lowered, leaf_types, leaves_of, lengths_of, shaped
from aplc.laila.lowering.pull import Pull, fill, from_buffer, from_elements, from_scalar
from aplc.tail.types import Base, Type


@dataclass
class Leaf:
    """A scalar or an array that several places give: where it is put."""

    base: Base
    rank: int
    var: Var | None
    buffer: Buffer | None
    extents: tuple[Var, ...]
    elements: tuple[Var, ...] = ()
    """The variables of the elements, where there are so few that each has one."""
    shapes: list[tuple[Exp, ...]] = field(default_factory=list)
    """The extents of what has been given."""


class Join:
    """A value that several sequences of statements give."""

    def __init__(self, low: Lowering, ty: Type, hint: str) -> None:
        self.low, self.ty = low, ty
        self.leaves: list[Leaf] = []
        make = low.make
        for (base, rank), length in zip(leaf_types(ty), lengths_of(ty), strict=True):
            if rank == 0 or 0 < length <= FEW:
                variables = tuple([Var(make.fresh(hint), base) for _ in range(max(1, length))])
                low.emit(*[Variable(v, fill(make, base)) for v in variables])
                var, elements = (variables[0], ()) if rank == 0 else (None, variables)
                self.leaves.append(Leaf(base, rank, var, None, (), elements))
                continue
            buffer = low.buffer(base, hint)
            names = [make.fresh(f"{hint}_n") for _ in range(rank)]
            extents = tuple([Var(name, Base.INT, True, (make.zero,)) for name in names])
            low.emit(Empty(buffer), *[Variable(n, make.zero) for n in extents])
            self.leaves.append(Leaf(base, rank, None, buffer, extents))

    def give(self, value: Lowered, site: Site) -> None:
        """The value is this one: statements of the block at hand."""
        low, make = self.low, self.low.make
        changes: list[Statement] = []
        for leaf, a in zip(self.leaves, leaves_of(value), strict=True):
            if leaf.var is not None:
                changes.append(Assign(leaf.var, low.named(a.at(), "r")))
            elif leaf.elements:
                for position, var in enumerate(leaf.elements):
                    element = a.at_flat(make.const(position))
                    changes.append(Assign(var, low.named(element, "r")))
            else:
                own = low.own(a, site)
                assert isinstance(own, Pull) and own.buffer is not None and leaf.buffer is not None
                changes.append(Move(leaf.buffer, own.buffer))
                changes += [Assign(v, n) for v, n in zip(leaf.extents, own.shape, strict=True)]
                leaf.shapes.append(own.shape)
        low.emit(*changes)

    def value(self, inside: Sequence[Statement]) -> Lowered:
        """The value, behind the statements that give it. Extents that are the same wherever it is given, and
        known outside, are those.
        """
        make = self.low.make
        hidden = {v.name for s in inside for v in bound(s)}
        free = FreeVars()
        parts: list[Pull] = []
        for leaf in self.leaves:
            if leaf.var is not None:
                parts.append(from_scalar(make, leaf.var))
                continue
            if leaf.elements:
                parts.append(from_elements(make, leaf.elements, leaf.base))
                continue
            assert leaf.buffer is not None
            shape: list[Exp] = []
            for axis, own in enumerate(leaf.extents):
                given = {id(s[axis]): s[axis] for s in leaf.shapes}
                (common, *others) = given.values() or (own,)
                is_known = not others and not free.names(common) & hidden
                shape.append(common if is_known else own)
            parts.append(from_buffer(make, leaf.buffer, tuple(shape)))
        return shaped(self.ty, parts)
