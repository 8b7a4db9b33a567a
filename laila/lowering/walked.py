"""Finds arrays of which the items of a cut, or rows, are the only use: each element is wanted once at most.

Items that begin at places `s` and whose lengths are `(take(n, snoc(drop(1, s), …))) - s` end where the next
ones begin: none of them overlap, as no length is negative. So do rows of n elements, which begin at
`(i - 1) * n`. An array that is used in nothing but the function of such an item is computed there, and is
not written before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from aplc.tail import prims as p
from aplc.tail.syntax import Arg, Exp, Fn, Let, Lit, Op, PrimFn, Term, Var, children, walk


def walked_once(term: Term, sinks: Mapping[str, int]) -> frozenset[str]:
    """The names of these arrays, given the number of sinks of each variable."""
    values = {b.name: b.value for node in walk(term) if isinstance(node, Let) for b in node.bindings}
    uses = Counter([node.name for node in walk(term) if isinstance(node, Var)])
    for node in walk(term):
        if isinstance(node, Op) and node.prim in (p.SHAPE, p.SHAPE_V, p.ALIKE):
            shaped = node.args[-1]
            if isinstance(shaped, Var):
                uses[shaped.name] -= 1
    found: set[str] = set()
    for node in walk(term):
        match node:
            case Op(prim=p.EACH, args=(Fn(params=(number,), body=body), numbers)) if _counts(numbers, values):
                names = _items(body, number.name, values, sinks)
                found |= {name for name in names if uses[name] == 1}
            case _:
                pass
    return frozenset(found)


def _counts(numbers: Arg, values: Mapping[str, Exp]) -> bool:
    """Whether numbers are 1, 2, …"""
    named = values.get(numbers.name) if isinstance(numbers, Var) else numbers
    return isinstance(named, Op) and named.prim is p.IOTA


def _items(body: Exp, number: str, values: Mapping[str, Exp], sinks: Mapping[str, int]) -> Iterator[str]:
    """The names of arrays of which the body of a function of a number uses one item, in one place."""
    named = {id(b.value): b.name for n in _outside(body) if isinstance(n, Let) for b in n.bindings}
    for node in _outside(body):
        match node:
            case Op(prim=p.SLICE, args=(start, length, Var(name=name))) if (
                id(node) not in named or sinks.get(named[id(node)]) == 1
            ):
                starts = _picked(start, number, values)
                lengths = _picked(length, number, values)
                if starts is None or lengths is None:
                    continue
                if _goes_on(lengths, starts, values) or _are_rows(lengths, starts, values):
                    yield name
            case _:
                pass


def _outside(body: Exp) -> Iterator[Exp]:
    """The expressions of a body that are not inside functions in it."""
    stack = [body]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Op):
            stack += [a for a in node.args if not isinstance(a, Fn | PrimFn)]
        else:
            stack += children(node)


def _picked(exp: Arg, number: str, values: Mapping[str, Exp]) -> str | None:
    """The name of the vector of which an expression is the element with a number."""
    match values.get(exp.name) if isinstance(exp, Var) else exp:
        case Op(prim=p.PICK, args=(Var(name=place), Var(name=vector))) if place == number:
            return vector
        case _:
            return None


def _goes_on(lengths: str, starts: str, values: Mapping[str, Exp]) -> bool:
    """Whether each length is how far it is to the next start."""
    match values.get(lengths):
        case Op(prim=p.ZIP_WITH, args=(PrimFn(prim=p.SUBI), Var(name=stops), Var(name=own))) if own == starts:
            return _follows(values.get(stops), starts)
        case Op(prim=p.ZIP_WITH, args=(PrimFn(prim=p.SUBI), stops, Var(name=own))) if own == starts:
            return _follows(stops, starts)
        case _:
            return False


def _follows(stops: Arg | None, starts: str) -> bool:
    """Whether items stop where the next ones start."""
    match stops:
        case Op(prim=p.TAKE, args=(_, Op(prim=p.SNOC, args=(Op(prim=p.DROP, args=(_, Var(name=own))), _)))):
            return own == starts
        case _:
            return False


def _are_rows(lengths: str, starts: str, values: Mapping[str, Exp]) -> bool:
    """Whether all lengths are one number, and the starts are its multiples."""
    match values.get(lengths), values.get(starts):
        case (
            Op(prim=p.RESHAPE, args=(_, Var(name=length))),
            Op(
                prim=p.EACH,
                args=(Fn(params=(row,), body=Op(prim=p.MULI, args=(before, Var(name=step)))), numbers),
            ),
        ):
            return length == step and _is_before(before, row.name) and _counts(numbers, values)
        case _:
            return False


def _is_before(exp: Arg, number: str) -> bool:
    """Whether an expression is a number less 1."""
    match exp:
        case Op(prim=p.SUBI, args=(Var(name=name), Lit(value=1))):
            return name == number
        case _:
            return False
