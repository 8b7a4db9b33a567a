"""Where the elements of an expression go: the applications that take them, up to those that are computed as a
whole.

    +/ 2×v       the elements of `2×v` go to `+/ 2×v`
    w ← 2×v      they go where `w` is used
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Arg,
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Op,
    PrimFn,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
)
from aplc.tail.types import Func, Tuple, rank_of

SHAPES = (p.SHAPE, p.SHAPE_V)


class Flows:
    """The users of every expression of a term."""

    def __init__(self, term: Term) -> None:
        self.users: dict[int, list[Exp | str]] = {}
        """By the `id` of an expression: the applications and the names that it goes to."""
        self.of_name: dict[str, list[Exp | str]] = {}
        """The same by the name of a variable."""
        self.found: list[Exp] = []
        """All applications and vectors, in the order of the term."""
        self._visit(body_of(term), "")

    def arrays(self) -> Iterator[Exp]:
        """The expressions that make arrays."""
        return (e for e in self.found if not isinstance(e.ty, Func | Tuple) and rank_of(e.ty).const)

    def ends(self, exp: Exp, is_end: Callable[[Span], bool]) -> list[Span]:
        """The places of the nearest applications for which `is_end` holds, on all ways from an expression."""
        ends: dict[Span, None] = {}
        seen: set[int | str] = set()
        stack: list[Exp | str] = list(self.users.get(id(exp), ()))
        while stack:
            user = stack.pop()
            key = user if isinstance(user, str) else id(user)
            if key in seen:
                continue
            seen.add(key)
            if isinstance(user, str):
                stack += self.of_name.get(user, ())
            elif user.span is not None and is_end(user.span):
                ends[user.span] = None
            else:
                stack += self.users.get(id(user), ())
        return list(ends)

    def _visit(self, exp: Exp, user: Exp | str) -> None:
        """Look through an expression whose elements go to an application or a name."""
        if not isinstance(exp, Var):
            self.users.setdefault(id(exp), []).append(user)
        match exp:
            case Var(name=name):
                self.of_name.setdefault(name, []).append(user)
            case Let(bindings=bindings, body=body):
                for binding in bindings:
                    self._visit(binding.value, binding.name)
                self._visit(body, user)
            case Item(value=value):
                self._visit(value, user)
            case If(condition=condition, then=then, otherwise=otherwise):
                for part in (condition, then, otherwise):
                    self._visit(part, user)
            case Rec(inits=inits, params=params, body=body):
                for param, init in zip(params, inits, strict=True):
                    self._visit(init, param.name)
                self._visit(body, user)
            case TupleExp(items=items) | Call(args=items):
                for item in items:
                    self._visit(item, user)
            case Vec(items=items):
                self.found.append(exp)
                for item in items:
                    self._visit(item, exp)
            case Op(args=args):
                self.found.append(exp)
                for arg in args:
                    self._argument(arg, exp)
            case _:
                pass

    def _argument(self, arg: Arg, user: Op) -> None:
        if isinstance(arg, Fn):
            self._visit(arg.body, user)
        elif not isinstance(arg, PrimFn) and not (isinstance(arg, Var) and user.prim in SHAPES):
            self._visit(arg, user)
