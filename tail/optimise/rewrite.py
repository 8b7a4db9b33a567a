"""What the rewrites share: rebuilding terms bottom-up with fresh types, and which expressions may fail."""

from __future__ import annotations

from collections.abc import Callable

from tail import prims as p
from tail.meaning_text import MAX_DIGITS
from tail.syntax import (
    Arg,
    Binding,
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
    call,
    conditional,
    fn,
    item,
    let,
    op,
    product,
    rec,
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
            case Item(value=value, index=index):
                return self.rule(item(self.exp(value), index, exp.span))
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = self.exp(then), self.exp(otherwise)
                return self.rule(conditional(self.exp(condition), *branches, exp.span))
            case Rec(name=name, params=params, inits=inits, body=body):
                given = tuple([self.exp(i) for i in inits])
                return self.rule(rec(name, params, given, self.exp(body), exp.ty, exp.span))
            case Call(name=name, args=arguments):
                return self.rule(call(name, tuple([self.exp(a) for a in arguments]), exp.ty, exp.span))

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
            case Lit() | Vec() | Var() | Op() | Let() | Product() | Item() | If() | Rec() | Call():
                return self.exp(arg)


MAY_FAIL = frozenset({
    p.LND, p.POWD, p.FACTD, p.BINOMD, p.CIRCD, p.SHLI32, p.SHRI32, p.FLOORD, p.CEILD, p.D2I, p.I2B, p.NATURAL,
    p.REDUCE1, p.REDUCE_N, p.REDUCE_N1, p.INNER, p.INNER1, p.CELLS, p.ZIP_CELLS,
    p.IOTA, p.RESHAPE, p.TRANSP2, p.CAT, p.CONS, p.SNOC, p.PICK, p.INDEX_OF,
    p.REPLICATE, p.COMPRESS, p.EXPAND, p.ROTATES, p.WHERE, p.INDEX, p.UPDATE, p.MODIFY,
    p.SINGLE, p.OF_LENGTH, p.NO_RESULT, p.INTERVAL, p.DECODE, p.MAT_INV, p.MAT_DIV, p.FORMAT, p.FORMAT_BY,
    p.READ_FILE, p.READ_INTS, p.READ_DOUBLES, p.NPY_INT, p.NPY_DOUBLE, p.NPY_BOOL, p.NPY_CHAR,
    *[prim for prim in p.PRIMS.values() if prim.stateful],
})  # fmt: skip
"""Primitives that can raise an error or have an effect; for some it depends on their arguments."""


def may_fail(exp: Exp) -> bool:
    """Whether computing an expression may raise an APL error, print, or not end, as far as its text tells."""
    return any(isinstance(n, Rec | Call) or (isinstance(n, Op) and _op_may_fail(n)) for n in walk(exp))


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
    if node.prim is p.INDEX_OF:
        cells = node.args[0].ty
        return isinstance(cells, Array) and cells.rank != Rho(1)
    if node.prim is p.FORMAT:
        digits = node.args[0]
        return not (isinstance(digits, Lit) and 1 <= int(digits.value) <= MAX_DIGITS)
    return node.prim in MAY_FAIL
