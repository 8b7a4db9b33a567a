"""What the rewrites share: rebuilding terms bottom-up with fresh types, and which expressions may fail."""

from __future__ import annotations

from collections.abc import Callable

from tail import prims as p
from tail.syntax import (
    Arg,
    Binding,
    Exp,
    Fn,
    Let,
    Lit,
    Op,
    PrimFn,
    Product,
    Term,
    Var,
    Vec,
    body_of,
    fn,
    let,
    op,
    product,
    vec,
    walk,
    with_body,
)
from tail.types import Array, Base, Func, Rho, Tuple, Type, known_length

Rule = Callable[[Exp], Exp]


class Rebuild:
    """Rebuilds a term bottom-up, applying a rule at every node; types are computed anew on the way up."""

    def __init__(self, rule: Rule, substitution: dict[str, Exp] | None = None) -> None:
        self.rule = rule
        self.substitution = {} if substitution is None else substitution
        self.types: dict[str, Type] = {}

    def term(self, term: Term) -> Term:
        """A whole program."""
        return with_body(term, self.exp(body_of(term)))

    def exp(self, exp: Exp) -> Exp:
        """An expression."""
        match exp:
            case Lit():
                return self.rule(exp)
            case Var(name=name):
                if name in self.substitution:
                    return self.substitution[name]
                ty = self.types.get(name, exp.ty)
                return self.rule(exp if ty == exp.ty else Var(name, ty=ty, span=exp.span))
            case Vec(items=items):
                assert not isinstance(exp.ty, Func | Tuple) and isinstance(exp.ty.base, Base)
                return self.rule(vec(tuple([self.exp(i) for i in items]), exp.ty.base, exp.span))
            case Op(prim=prim, args=args, symbol=symbol):
                rebuilt = [self.argument(a) for a in args]
                return self.rule(op(prim, *rebuilt, symbol=symbol, span=exp.span))
            case Product(items=items):
                return self.rule(product(tuple([self.exp(i) for i in items]), exp.span))
            case Let(bindings=bindings, body=body):
                return let(self.bindings(bindings), self.exp(body))

    def bindings(self, bindings: tuple[Binding, ...]) -> list[Binding]:
        """The bindings of a block in order; those inside a value come out before it."""
        result: list[Binding] = []
        for binding in bindings:
            value = self.exp(binding.value)
            if isinstance(value, Let):
                result += value.bindings
                value = value.body
            self.types[binding.name] = value.ty
            result.append(Binding(binding.name, value.ty, value))
        return result

    def argument(self, arg: Arg) -> Arg:
        """An argument of an operator."""
        match arg:
            case PrimFn():
                return arg
            case Fn(params=params, body=body):
                return fn(params, self.exp(body), arg.span)
            case Lit() | Vec() | Var() | Op() | Let() | Product():
                return self.exp(arg)


MAY_FAIL = frozenset(
    {p.LND, p.POWD, p.FLOORD, p.CEILD, p.D2I, p.I2B, p.IOTA, p.RESHAPE, p.CAT, p.CONS, p.SNOC}
    | {p.REDUCE1, p.TRANSP2, p.INNER, p.INNER1, p.PICK, p.PRINT}
)
"""Primitives that can raise an error, or print; `divd` and `zipWith` are decided by their arguments."""


def may_fail(exp: Exp) -> bool:
    """Whether computing an expression may raise an APL error or print, as far as its text tells."""
    return any(isinstance(node, Op) and _op_may_fail(node) for node in walk(exp))


def _op_may_fail(node: Op) -> bool:
    if any(isinstance(a, PrimFn) and (a.prim in MAY_FAIL or a.prim is p.DIVD) for a in node.args):
        return True
    if node.prim is p.DIVD:
        divisor = node.args[1]
        return not (isinstance(divisor, Lit) and divisor.value != 0)
    if node.prim is p.ZIP_WITH:
        lengths = [known_length(a.ty) for a in node.args[1:]]
        return None in lengths or lengths[0] != lengths[1]
    if node.prim in (p.CAT, p.CONS, p.SNOC):
        return isinstance(node.ty, Array) and node.ty.rank != Rho(1)
    return node.prim in MAY_FAIL
