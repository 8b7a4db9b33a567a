"""Which expressions are equal up to the names in them: alpha-equivalence.

Every name is bound once in a term. So two expressions are equal up to names if they are once each name is
replaced by a number, in the order in which names occur; and what one calls by a name the other calls by the
name that has the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aplc.tail.source import Span
from aplc.tail.syntax import (
    Arg,
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Rec,
    TupleExp,
    Var,
    Vec,
    children,
)


@dataclass(frozen=True, slots=True)
class Nameless:
    """An expression without its names. Two are equal if the expressions are so up to names, and stand in the
    same places of the user's text, so that also their errors are equal.
    """

    parts: tuple[object, ...]


def nameless(exp: Exp) -> tuple[Nameless, dict[str, int]]:
    """An expression without names, and the number of each name, in one walk."""
    numbers: dict[str, int] = {}
    parts: list[object] = []
    stack: list[Exp] = [exp]
    while stack:
        node = stack.pop()
        parts.append((type(node), node.ty, _place(node.span), *_head(node, numbers)))
        stack.extend(reversed(list(children(node))))
    return Nameless(tuple(parts)), numbers


def _place(span: Span | None) -> object:
    return None if span is None else (span, span.item)


def _head(node: Exp, numbers: dict[str, int]) -> Iterator[object]:
    """What a node has beside its parts, its names as numbers."""

    def number(name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    match node:
        case Lit(value=value):
            yield from (type(value), repr(value))
        case Var(name=name):
            yield number(name)
        case Op(prim=prim, args=args, symbol=symbol):
            yield from (prim, symbol)
            for arg in args:
                yield from _argument(arg, numbers)
        case Let(bindings=bindings):
            yield from [(number(b.name), b.ty) for b in bindings]
        case Item(index=index):
            yield index
        case Rec(name=name, params=params, most=most):
            yield from (number(name), most)
            yield from [(number(q.name), q.ty, number(q.like) if q.like else None) for q in params]
        case Call(name=name, args=arguments):
            yield from (number(name), len(arguments))
        case Vec(items=items) | TupleExp(items=items):
            yield len(items)
        case If():
            pass


def _argument(arg: Arg, numbers: dict[str, int]) -> Iterator[object]:
    """What a function that is an argument has beside the expressions in it."""
    match arg:
        case PrimFn(prim=prim, symbol=symbol):
            yield (prim, symbol)
        case Fn(params=params, item=item):
            yield tuple([(numbers.setdefault(q.name, len(numbers)), q.ty) for q in params])
            yield _place(arg.span)
            yield None if item is None else (item.form, tuple(map(len, item.parts)))
        case _:
            yield None
