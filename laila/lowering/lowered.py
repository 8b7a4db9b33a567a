"""Values under construction: an array, or the components of a tuple."""

from __future__ import annotations

from collections.abc import Iterator

from aplc.laila.ir.program import ArrayRef, Ref, ScalarRef, TupleRef
from aplc.laila.ir.scalar import Read, nodes
from aplc.laila.lowering.pull import Pull
from aplc.tail.types import Base, Func, Nested, Records, SingleVector, Tuple, Type, Vector, base_of, rank_of

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


def lengths_of(ty: Type) -> list[int]:
    """For each array of a type the length that it has, where it is a vector of known length; otherwise 0."""
    match ty:
        case Tuple(items=items):
            return [length for item in items for length in lengths_of(item)]
        case Vector(length=length) if not length.terms:
            return [length.const]
        case SingleVector():
            return [1]
        case _:
            return [0]


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
        return TupleRef(tuple(items), isinstance(ty, Nested), ty if isinstance(ty, Records) else None)
    if value.rank == 0:
        return ScalarRef(value.at())
    assert value.buffer is not None
    return ArrayRef(value.buffer, value.shape)


def part_in_memory(a: Pull) -> ArrayRef | None:
    """Where a vector stands in memory that holds others, too: it is read there, and not to be freed."""
    if a.rank != 1 or a.buffer is not None or a.filtered is not None:
        return None
    i = a.make.sample_index(a.shape[0])
    element = a.at(i)
    if not isinstance(element, Read) or element.buffer.data is not None:
        return None
    start = a.make.sub(element.index, i)
    is_part = element.buffer.storage == a.ty.dtype and i not in nodes(start)
    if not is_part:
        return None
    return ArrayRef(element.buffer, a.shape, None if start is a.make.zero else start)


def passed(value: Lowered) -> Ref:
    """A value that a function of the program reads: see `part_in_memory`."""
    return (None if isinstance(value, tuple) else part_in_memory(value)) or reference(value)
