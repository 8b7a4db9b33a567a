"""Fusion of maps at the level of TAIL: what each element undergoes becomes one function."""

from __future__ import annotations

from aplc.tail import prims as p
from aplc.tail.optimise.rewrite import Rebuild
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
    Term,
    TupleExp,
    Var,
    Vec,
    children,
    fn,
    op,
)


def fuse_each(term: Term) -> Term:
    """All fusions, from the leaves up."""
    printing = Printing()
    return Rebuild(lambda exp: fuse_each_each(exp, printing)).term(term)


class Printing:
    """Whether expressions print, remembered, so that a chain of fusions looks at each only once."""

    def __init__(self) -> None:
        self.known: dict[int, bool] = {}
        self.alive: list[Exp] = []

    def inside(self, function: Arg) -> bool:
        """Whether a function prints, so that its order matters."""
        return isinstance(function, Fn) and self.of(function.body)

    def of(self, exp: Exp) -> bool:
        """Whether an expression prints."""
        if id(exp) not in self.known:
            self.alive.append(exp)
            prints = isinstance(exp, Op) and exp.prim.stateful
            self.known[id(exp)] = prints or any([self.of(child) for child in children(exp)])
        return self.known[id(exp)]


def fuse_each_each(exp: Exp, printing: Printing) -> Exp:
    """`each(f, each(g, a)) = each(f ∘ g, a)` where g is a function with an expression as body. Functions
    whose errors name an item stay: not all of f ∘ g would be inside.
    """
    if not isinstance(exp, Op) or exp.prim is not p.EACH:
        return exp
    f, inner = exp.args
    if not isinstance(inner, Op) or inner.prim is not p.EACH:
        return exp
    g, a = inner.args
    if not isinstance(g, Fn) or isinstance(g.body, Let) or printing.inside(f) or printing.inside(g):
        return exp
    if g.item is not None or (isinstance(f, Fn) and f.item is not None):
        return exp
    if isinstance(f, PrimFn):
        body: Exp = op(f.prim, g.body, symbol=f.symbol, span=f.span)
    elif isinstance(f, Fn) and not isinstance(f.body, Let) and _occurrences(f.body, f.params[0].name) == 1:
        body = Rebuild(lambda e: e, {f.params[0].name: g.body}).exp(f.body)
    else:
        return exp
    return op(p.EACH, fn(g.params, body, exp.span), a, symbol=exp.symbol, span=exp.span)


def _occurrences(exp: Exp, name: str) -> int:
    """How often a variable occurs in an expression; an occurrence inside a function counts twice."""
    match exp:
        case Var(name=other):
            return int(name == other)
        case Op(args=args):
            bodies = [a.body for a in args if isinstance(a, Fn)]
            plain = [a for a in args if not isinstance(a, Fn | PrimFn)]
            inside = 2 * sum([_occurrences(b, name) for b in bodies])
            return inside + sum([_occurrences(a, name) for a in plain])
        case If() | Rec():
            return 2 * sum([_occurrences(c, name) for c in children(exp)])
        case Lit() | Vec() | Let() | TupleExp() | Item() | Call():
            return sum([_occurrences(c, name) for c in children(exp)])
