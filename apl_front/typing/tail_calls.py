"""Calls in tail position, where results have parts.

A call gives the names that a definition changes beside its value, so its result is taken apart and put
together again. Where all parts come out as they went in, it is the result itself, and the call is a jump:

    let v = f(x) in let a = v.1 in let b = v.2 in (a,b)    →    f(x)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from aplc.tail.syntax import Exp, If, Item, Let, TupleExp, Var, let, walk


def with_jumps(exp: Exp) -> Exp:
    """The body of a recursive function with what is its result in tail position."""
    if isinstance(exp, If):
        return replace(exp, then=with_jumps(exp.then), otherwise=with_jumps(exp.otherwise))
    if not isinstance(exp, Let):
        return exp
    place = _result(exp)
    if place is None:
        return let(list(exp.bindings), with_jumps(exp.body))
    return let(list(exp.bindings[:place]), with_jumps(exp.bindings[place].value))


def _result(exp: Let) -> int | None:
    """Which binding of a block has its result, if those behind it only take that apart."""
    values = {binding.name: binding.value for binding in exp.bindings}
    found = _part(exp.body, values)
    if found is None or found[1] or found[0] not in values or exp.body.ty != values[found[0]].ty:
        return None
    place = [binding.name for binding in exp.bindings].index(found[0])
    behind = [node for binding in exp.bindings[place + 1 :] for node in walk(binding.value)]
    return place if all(isinstance(node, Var | Item | TupleExp) for node in behind) else None


def _part(exp: Exp, values: Mapping[str, Exp]) -> tuple[str, tuple[int, ...]] | None:
    """The variable of whose value an expression is a part, and which: a component of a component …; none of
    these, and it is the value itself. None for any other expression.
    """
    match exp:
        case Var(name=name):
            value = values.get(name)
            return _part(value, values) if isinstance(value, Var | Item | TupleExp) else (name, ())
        case Item(value=value, index=index):
            found = _part(value, values)
            return None if found is None else (found[0], (*found[1], index))
        case TupleExp(items=items) if items:
            first = _part(items[0], values)
            if first is None or not first[1]:
                return None
            name, path = first[0], first[1][:-1]
            in_order = [(name, (*path, k)) for k in range(1, len(items) + 1)]
            is_all = [_part(item, values) for item in items] == in_order
            return (name, path) if is_all else None
        case _:
            return None
