"""Types of results that a linear scheme cannot say: from constant arguments, or from any argument at all."""

from __future__ import annotations

from collections.abc import Callable

from aplc.tail.types import (
    Array,
    Base,
    Func,
    Nested,
    Records,
    Rho,
    Single,
    Tuple,
    Type,
    Vector,
    generalise,
    is_item,
    is_subtype,
    nested,
    rank_of,
    scalar,
)
from aplc.tail.unify import NoMatch

Constants = tuple[tuple[int, ...] | None, ...]
"""For each argument its elements, where it is a literal of integers."""

Refine = Callable[[tuple[Type, ...], Constants, Type], Type]
"""From the arguments and the result of the scheme to a more precise result."""

Typing = Callable[[tuple[Type, ...], Constants], Type]
"""The type of a result where no scheme can say it; `NoMatch` on a misfit."""


def by_one_comparison(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """What compares elements as they are in memory: not complex numbers, which are compared by parts."""
    for arg in args:
        element: Type = arg
        while isinstance(element, Nested):
            element = element.item
        if isinstance(element, Records):
            raise NoMatch("records are compared field by field")
        if not isinstance(element, Func | Tuple) and element.base is Base.COMPLEX:
            raise NoMatch("complex numbers are compared by their parts")
    return result


def natural_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """A vector as long as a singleton's value, which must not be negative."""
    assert isinstance(result, Vector)
    if not result.length.is_natural:
        raise NoMatch(f"{result.length} is no length")
    return result


def taken_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`takeV`: the length is the count's magnitude."""
    assert isinstance(result, Vector)
    if result.length.is_const:
        return Vector(result.base, Rho(abs(result.length.const)))
    return natural_length(args, constants, result)


def dropped_length(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`dropV`: the rest after a constant count from either end, never below zero."""
    count, vector = args
    assert isinstance(count, Single) and isinstance(result, Vector)
    length = vector.length if isinstance(vector, Vector) else Rho(1)
    if not count.value.is_const:
        from_end = (Rho(0) - count.value).is_natural
        kept = length + count.value if from_end else length - count.value
        return natural_length(args, constants, Vector(result.base, kept))
    kept = length - abs(count.value.const)
    if kept.is_const:
        return Vector(result.base, Rho(max(0, kept.const)))
    return natural_length(args, constants, Vector(result.base, kept))


def _single_value(args: tuple[Type, ...], value: Callable[..., Rho], result: Type) -> Type:
    """The singleton of a value computed from singletons, where it is surely no overflow."""
    if not all(isinstance(a, Single) for a in args):
        return result
    known = value(*[a.value for a in args if isinstance(a, Single)])
    fits = -(2**62) <= known.const < 2**62 and all(abs(k) < 2**15 for _, k in known.terms)
    return Single(Base.INT, known) if fits else result


def sum_value(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`addi` of two singletons."""
    return _single_value(args, lambda x, y: x + y, result)


def difference_value(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`subi` of two singletons."""
    return _single_value(args, lambda x, y: x - y, result)


def negated_value(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`negi` of a singleton."""
    return _single_value(args, lambda x: Rho(0) - x, result)


def diagonal_rank(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """`diagonal`: the axes are literals, 1 to the greatest named without a gap; that one is the rank."""
    assert isinstance(result, Array)
    axes = constants[0]
    if axes is None:
        raise NoMatch("the axes must be literals")
    rank = max(axes, default=0)
    if rank > len(axes) or set(axes) != set(range(1, rank + 1)):
        raise NoMatch("the axes must be 1 to the rank of the result")
    return Array(result.base, Rho(rank))


def natural_rank(args: tuple[Type, ...], constants: Constants, result: Type) -> Type:
    """A rank that is a singleton's value and must not be negative."""
    assert isinstance(result, Array)
    if not result.rank.is_natural:
        raise NoMatch(f"{result.rank} is no rank")
    return result


def type_of_pieces(args: tuple[Type, ...], constants: Constants) -> Type:
    """`pieces`: the results of a function of elements, which are no scalars, as the items of a vector."""
    if len(args) != 2:
        raise NoMatch(f"takes 2 arguments, got {len(args)}")
    function, vector = args
    if not isinstance(function, Func) or len(function.params) != 1:
        raise NoMatch(f"{function} is no function of an element")
    if isinstance(vector, Func | Tuple) or not isinstance(generalise(vector), Array):
        raise NoMatch(f"{vector} is no vector")
    given = generalise(vector)
    if given.rank != Rho(1) or function.params[0] != Array(given.base, Rho(0)):
        raise NoMatch(f"{function} is no function of the elements of {vector}")
    item = function.result if isinstance(function.result, Func | Tuple) else generalise(function.result)
    if not is_item(item):
        raise NoMatch(f"{function.result} is no item")
    return nested(item, 1)


def type_of_text(args: tuple[Type, ...], constants: Constants) -> Type:
    """`formatNested`: characters of rank 1 or 2, as the second argument says; where an array in the last one
    may have several lines, of rank 2.
    """
    if len(args) != 3:
        raise NoMatch(f"takes 3 arguments, got {len(args)}")
    digits, axes, shown = args
    if not is_subtype(digits, scalar(Base.INT)):
        raise NoMatch(f"{digits} is not int")
    if not isinstance(axes, Single) or axes.base is not Base.INT or axes.value not in (Rho(1), Rho(2)):
        raise NoMatch(f"{axes} is not the rank of lines, 1 or 2")
    if not isinstance(shown, Tuple):
        raise NoMatch(f"{shown} is no array of arrays")
    if axes.value == Rho(1) and not has_one_line(shown):
        raise NoMatch(f"{shown} may have several lines")
    return Array(Base.CHAR, axes.value)


def has_one_line(ty: Type) -> bool:
    """Whether all values of a type are displayed in one line: all arrays in them are scalars or vectors."""
    match ty:
        case Nested(item=item, rank=rank):
            return rank in (Rho(0), Rho(1)) and has_one_line(item)
        case Records(items=items, rank=rank, axis=axis):
            return axis is None and rank in (Rho(0), Rho(1)) and all(map(has_one_line, items))
        case Tuple(items=items):
            return all(map(has_one_line, items))
        case Func():
            return False
        case _:
            return rank_of(ty) in (Rho(0), Rho(1))


def type_of_json(args: tuple[Type, ...], constants: Constants) -> Type:
    """`nestedAsJson`: a text, of an array of arrays or a tuple."""
    if len(args) != 1:
        raise NoMatch(f"takes 1 arguments, got {len(args)}")
    if not isinstance(args[0], Tuple):
        raise NoMatch(f"{args[0]} is no array of arrays")
    return Array(Base.CHAR, Rho(1))


def type_of_last(count: int) -> Typing:
    """The typing of an operator of `count` arguments that gives its last one, be it an array or a tuple; the
    others are integers.
    """

    def typing(args: tuple[Type, ...], constants: Constants) -> Type:
        if len(args) != count:
            raise NoMatch(f"takes {count} arguments, got {len(args)}")
        for number in args[:-1]:
            if not is_subtype(number, scalar(Base.INT)):
                raise NoMatch(f"{number} is not int")
        if isinstance(args[-1], Func):
            raise NoMatch(f"{args[-1]} is no value")
        return args[-1]

    return typing
