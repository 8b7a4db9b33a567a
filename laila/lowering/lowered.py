"""Values under construction: an array, or the components of a tuple."""

from __future__ import annotations

from collections.abc import Iterator

from aplc.laila.ir.program import ArrayRef, Ref, ScalarRef, TupleRef
from aplc.laila.lowering.pull import Pull
from aplc.tail.types import Base, Func, Nested, Tuple, Type, base_of, rank_of

Lowered = Pull | tuple["Lowered", ...]


def leaves_of(value: Lowered) -> Iterator[Pull]:
    """The arrays of a value, from left to right."""
    if isinstance(value, tuple):
        for item in value:
            yield from leaves_of(item)
    else:
        yield value


def leaf_types(ty: Type) -> list[tuple[Base, int]]:
    """The element types and ranks of the arrays of a type."""
    if isinstance(ty, Tuple):
        return [leaf for item in ty.items for leaf in leaf_types(item)]
    assert not isinstance(ty, Func)
    return [(base_of(ty), rank_of(ty).const)]


def shaped(ty: Type, parts: list[Pull]) -> Lowered:
    """The value of a type from its arrays, which are used up."""
    if isinstance(ty, Tuple):
        return tuple([shaped(item, parts) for item in ty.items])
    return parts.pop(0)


def reference(value: Lowered, ty: Type | None = None) -> Ref:
    """A value that is in memory, to be handed on; its type tells arrays of arrays from other tuples."""
    if isinstance(value, tuple):
        types = ty.items if isinstance(ty, Tuple) else (None,) * len(value)
        items = [reference(v, t) for v, t in zip(value, types, strict=True)]
        return TupleRef(tuple(items), isinstance(ty, Nested))
    if value.rank == 0:
        return ScalarRef(value.at())
    assert value.buffer is not None
    return ArrayRef(value.buffer, value.shape)
