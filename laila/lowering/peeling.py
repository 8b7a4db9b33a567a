"""Loop peeling: the first round of a loop apart.

    x := c; while p { x := x + v }   →   if p { x := c + v; while p { x := x + v } } else { x := c }

Where c is a number and v a vector, the first round alone changes the extent of the state, so that the rounds
behind it have arrays of unchanging extents. It does so, too, where the state begins with an array of which
only the run knows how long it is, and a round makes one of two elements, say.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from aplc.laila.ir.scalar import Const, Exp, FreeVars
from aplc.tail import prims as p
from aplc.tail import syntax as t


def peeled(rec: t.Rec) -> tuple[t.Exp, t.Rec] | None:
    """The body of a loop, for its first state, in which the only call is a loop of its own: that is the rest,
    which is given, too. None if there are several calls, or if the body changes copies of arrays in place: it
    would change what the loop began with.
    """
    inside = list(t.walk(rec.body))
    calls = [node for node in inside if isinstance(node, t.Call) and node.name == rec.name]
    if len(calls) != 1 or any(isinstance(node, t.Op) and node.prim is p.COPY for node in inside):
        return None
    rest = replace(rec, inits=calls[0].args)
    return _with_tail(rec.body, calls[0], rest), rest


def may_settle(changes: Sequence[tuple[Exp, Exp]], inside: Set[str]) -> bool:
    """Whether extents before a round and behind it, in which it binds some names, are likely to be the same
    from the second round on: a number becomes a length that is known before the loop, or a length becomes a
    number.
    """
    free = FreeVars()
    return all(
        isinstance(old, Const) != isinstance(new, Const) and free.names(new).isdisjoint(inside)
        for old, new in changes
    )


def _with_tail(exp: t.Exp, call: t.Call, rest: t.Rec) -> t.Exp:
    """An expression with a loop where the call in tail position is."""
    match exp:
        case t.Let(body=body):
            return replace(exp, body=_with_tail(body, call, rest))
        case t.If(then=then, otherwise=otherwise):
            sides = [_with_tail(side, call, rest) for side in (then, otherwise)]
            return replace(exp, then=sides[0], otherwise=sides[1])
        case _:
            return rest if exp is call else exp


def always_calls(exp: t.Exp, name: str) -> bool:
    """Whether every way through an expression ends in a call."""
    match exp:
        case t.Let(body=body):
            return always_calls(body, name)
        case t.If(then=then, otherwise=otherwise):
            return always_calls(then, name) and always_calls(otherwise, name)
        case t.Call():
            return exp.name == name
        case _:
            return False
