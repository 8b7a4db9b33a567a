"""What the rewrites share: rebuilding terms bottom-up with fresh types, and which expressions may fail."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from aplc.tail import prims as p
from aplc.tail.meaning.text import MAX_DIGITS
from aplc.tail.parts import with_components
from aplc.tail.syntax import (
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
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
    call,
    conditional,
    constants_of,
    fn,
    item,
    let,
    map_item,
    op,
    rec,
    vec,
    walk,
    with_body,
)
from aplc.tail.types import Array, Base, Func, Rho, Tuple, Type, Vector, known_length

Rule = Callable[[Exp], Exp]


class Rebuild:
    """Rebuilds a term bottom-up, applying a rule at every node; types are computed anew on the way up."""

    def __init__(self, rule: Rule, substitution: dict[str, Exp] | None = None) -> None:
        self.rule = rule
        self.substitution = {} if substitution is None else substitution
        self.types: dict[str, Type] = {}
        self.values: dict[str, Exp] = {}
        """What the variables bound so far stand for."""

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
                changed = tuple([self.exp(i) for i in items])
                if all(new is old for new, old in zip(changed, items, strict=True)):
                    return self.rule(exp)
                return self.rule(vec(changed, exp.ty.base, exp.span))
            case Op(prim=prim, args=args, symbol=symbol):
                rebuilt = [self.argument(a) for a in args]
                if all(new is old for new, old in zip(rebuilt, args, strict=True)):
                    return self.rule(exp)
                return self.rule(op(prim, *rebuilt, symbol=symbol, span=exp.span))
            case TupleExp(items=items):
                return self.rule(with_components(exp, tuple([self.exp(i) for i in items])))
            case Let(bindings=bindings, body=body):
                return let(self.bindings(bindings), self.exp(body))
            case Item(value=value, index=index):
                return self.rule(item(self.exp(value), index, exp.span))
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = self.exp(then), self.exp(otherwise)
                return self.rule(conditional(self.exp(condition), *branches, exp.span))
            case Rec(name=name, params=params, inits=inits, body=body, in_common=in_common):
                given, inner = tuple([self.exp(i) for i in inits]), self.exp(body)
                made = rec(name, params, given, inner, exp.ty, exp.span, exp.most, in_common=in_common)
                return self.rule(made)
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
            known = self.values.get(value.name) if isinstance(value, Var) else None
            self.values[binding.name] = value if known is None else known
            result.append(Binding(binding.name, value.ty, value))
        return result

    def argument(self, arg: Arg) -> Arg:
        """An argument of an operator."""
        match arg:
            case PrimFn():
                return arg
            case Fn(params=params, body=body, item=item):
                changed, index = self.exp(body), map_item(item, self.exp)
                same = changed is body and index is item
                return arg if same else fn(params, changed, arg.span, index)
            case Lit() | Vec() | Var() | Op() | Let() | TupleExp() | Item() | If() | Rec() | Call():
                return self.exp(arg)


MAY_FAIL = frozenset({
    p.LND, p.POWD, p.FACTD, p.BINOMD, p.CIRCD, p.SHLI32, p.SHRI32, p.FLOORD, p.CEILD, p.D2I, p.Z2D, p.I2B,
    p.I2C, p.DIVZ, p.NATURAL, p.REDUCE1, p.REDUCE_N, p.REDUCE_N1, p.INNER, p.INNER1, p.CELLS, p.ZIP_CELLS,
    p.IOTA, p.RESHAPE, p.TRANSP2, p.STACK, p.CAT, p.CONS, p.SNOC, p.PICK, p.INDEX_OF,
    p.REPLICATE, p.COMPRESS, p.EXPAND, p.ROTATES, p.WHERE, p.INDEX, p.UPDATE, p.MODIFY,
    p.SINGLE, p.OF_LENGTH, p.NO_RESULT, p.INTERVAL, p.DECODE, p.MAT_INV, p.MAT_DIV, p.FORMAT, p.FORMAT_BY,
    p.FORMAT_NESTED, p.FORMAT_PICTURE, p.JSON, p.JSON_NESTED, p.TABLE_OF, p.FIELDS_OF, p.NUMBERS,
    p.ALIKE,
    *[prim for prim in p.PRIMS.values() if prim.stateful],
})  # fmt: skip
"""Primitives that can raise an error or have an effect; for some it depends on their arguments."""


SAFE_SIZE = 2**20
"""An array of up to so many elements surely fits in memory."""


def may_fail(exp: Exp) -> bool:
    """Whether computing an expression may raise an APL error, print, or not end, as far as its text tells."""
    return any(isinstance(n, Rec | Call) or (isinstance(n, Op) and op_may_fail(n)) for n in walk(exp))


def function_may_fail(function: Arg) -> bool:
    """Whether a primitive passed as a function may raise an APL error."""
    return isinstance(function, PrimFn) and (function.prim in MAY_FAIL or function.prim is p.DIVD)


def op_may_fail(node: Op) -> bool:
    """Whether an application may raise an APL error or print where its arguments do not."""
    if any(map(function_may_fail, node.args)):
        return True
    constants = constants_of(node.args)[0]
    if constants is not None and node.prim in (p.RESHAPE, p.IOTA, p.TRANSP2):
        return not _constants_fit(node, constants)
    if node.prim is p.DIVD:
        divisor = node.args[1]
        return not (isinstance(divisor, Lit) and divisor.value != 0)
    if node.prim in (p.ZIP_WITH, p.ALIKE):
        lengths = [known_length(a.ty) for a in node.args[-2:]]
        return None in lengths or lengths[0] != lengths[1]
    if node.prim is p.OF_LENGTH:
        return not isinstance(node.ty, Vector) or known_length(node.args[1].ty) != node.ty.length
    if node.prim in (p.CAT, p.CONS, p.SNOC):
        return isinstance(node.ty, Array) and node.ty.rank != Rho(1)
    if node.prim is p.INDEX_OF:
        cells = node.args[0].ty
        return isinstance(cells, Array) and cells.rank != Rho(1)
    if node.prim in (p.FORMAT, p.FORMAT_NESTED):
        digits = node.args[0]
        return not (isinstance(digits, Lit) and 1 <= int(digits.value) <= MAX_DIGITS)
    return node.prim in MAY_FAIL


def _constants_fit(node: Op, constants: tuple[int, ...]) -> bool:
    """Whether extents make an array of reasonable size, and axes are a permutation."""
    if node.prim is p.TRANSP2:
        return sorted(constants) == list(range(1, len(constants) + 1))
    return all(n >= 0 for n in constants) and prod([max(1, n) for n in constants]) <= SAFE_SIZE
