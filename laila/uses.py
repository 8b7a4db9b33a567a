"""How often an array that is not kept in memory would be computed: the number of its sinks.

An array flows through `each` and `zipWith` element by element; where all its uses meet again before
anything else happens to them, as in `D ← f x … g x`, an element is computed once, because equal
expressions are shared. A sink is where that ends: an operator that moves, repeats or combines elements, a
value handed out.
"""

from __future__ import annotations

from tail import prims as p
from tail.syntax import (
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Product,
    Rec,
    Term,
    Var,
    Vec,
    body_of,
)

MAX_SINKS = 16

Sink = tuple[int, int] | str
"""An operator and the position of the argument, or the name of a binding or of the result."""


def count_sinks(term: Term) -> dict[str, int]:
    """For each variable of the outermost block the number of its sinks, at most `MAX_SINKS`."""
    body = body_of(term)
    bindings = body.bindings if isinstance(body, Let) else ()
    direct: dict[str, set[Sink]] = {}
    _visit(body.body if isinstance(body, Let) else body, "result", direct)
    resolved: dict[str, frozenset[Sink]] = {}
    for binding in reversed(bindings):
        reached: set[Sink] = set()
        for sink in direct.get(binding.name, ()):
            reached |= resolved.get(sink, frozenset((sink,))) if isinstance(sink, str) else {sink}
            if len(reached) >= MAX_SINKS:
                break
        resolved[binding.name] = frozenset(reached)
        _visit(binding.value, binding.name, direct)
    return {name: min(MAX_SINKS, len(sinks)) for name, sinks in resolved.items()}


def _visit(exp: Exp, sink: Sink, direct: dict[str, set[Sink]]) -> None:
    """Note the sink of every variable in an expression whose elements go to a sink."""
    match exp:
        case Var(name=name):
            direct.setdefault(name, set()).add(sink)
        case Lit() | Let() | Item() | If() | Rec() | Call():
            pass
        case Vec(items=items):
            for item in items:
                _visit(item, sink, direct)
        case Product(items=items):
            for position, item in enumerate(items):
                _visit(item, (id(exp), position), direct)
        case Op(prim=prim, args=args):
            for position, arg in enumerate(args):
                asks_shape = prim in (p.SHAPE, p.SHAPE_V) and isinstance(arg, Var)
                if not isinstance(arg, Fn | PrimFn) and not asks_shape:
                    flows_on = prim in (p.EACH, p.ZIP_WITH)
                    _visit(arg, sink if flows_on else (id(exp), position), direct)
