"""Values that are made of others, by their types: tuples, arrays of arrays, and arrays of records.

See Note [Arrays of arrays] and Note [Records] in `aplc.tail.types`.
"""

from __future__ import annotations

from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Param, TupleExp, Var, nest, product
from aplc.tail.types import Func, Nested, Records, Rho, Tuple, Type, field_of, parts_by_name, rank_of, records
from aplc.tail.unify import NoMatch


def table(columns: tuple[Exp, ...], axis: int | None = None, span: Span | None = None) -> TupleExp:
    """An array of records of an array for each field, or a table of them. `NoMatch` where they are no such
    arrays.
    """
    ranks = [c.ty.rank if isinstance(c.ty, Nested | Records) else _rank_of_column(c.ty) for c in columns]
    if not ranks or any(rank != ranks[0] for rank in ranks):
        raise NoMatch("records are made of arrays of one rank")
    if axis is not None and not 0 <= axis <= ranks[0].const:
        raise NoMatch(f"a table of arrays of rank {ranks[0]} has no axis {axis}")
    ty = records(tuple([field_of(column.ty) for column in columns]), ranks[0], axis)
    return TupleExp(columns, ty=ty, span=span)


def _rank_of_column(ty: Type) -> Rho:
    if isinstance(ty, Func | Tuple):
        raise NoMatch(f"{ty} holds no field of records")
    return rank_of(ty)


def rebuilt(parts: tuple[Exp, ...], ty: Type, span: Span | None = None) -> TupleExp:
    """A tuple, an array of arrays or one of records, of its parts, as a type is one."""
    if isinstance(ty, Records):
        return table(parts, ty.axis, span)
    return (nest if isinstance(ty, Nested) else product)(parts, span)


def from_parts(name: str, ty: Type) -> Exp:
    """An input of a type from its parameters, which `parts_by_name` names."""
    if not isinstance(ty, Tuple):
        return Var(name, ty=ty)
    parts = tuple([from_parts(f"{name}.{k}", part) for k, part in enumerate(ty.items, 1)])
    return rebuilt(parts, ty)


def with_components(whole: Exp, components: tuple[Exp, ...]) -> TupleExp:
    """A tuple of other components, or an array of arrays of other parts, in the place of another one."""
    return rebuilt(components, whole.ty, whole.span)


def parameters_of(name: str, ty: Type) -> tuple[Param, ...]:
    """The parameters of an input. Where the items of an array of arrays begin, and how long they are along
    each axis, is of one shape.
    """
    shapes: dict[str, str] = {}

    def walked(name: str, ty: Type) -> None:
        for k, part in enumerate(ty.items if isinstance(ty, Tuple) else (), 1):
            if isinstance(ty, Nested) and 1 < k < len(ty.items):
                shapes[f"{name}.{k}"] = f"{name}.1"
            walked(f"{name}.{k}", part)

    walked(name, ty)
    return tuple([Param(part, each, shapes.get(part, "")) for part, each in parts_by_name(name, ty)])
