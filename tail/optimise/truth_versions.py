"""Programs whose inputs are integers that may be zeros and ones: matrices that say which nodes have an edge.

    fn a:[int]2 => … inner(gcdi,0,lcmi,a,s) …
    →   fn a:[int]2 =>
          let c:[bool]0 = reduce(andb,tt,each(fn x => orb(eqi(x,0),eqi(x,1)),ravel(a))) in
          if c then let b:[bool]2 = each(fn x => neqi(x,0),a) in … inner(orb,ff,andb,b,s) … else …

NumPy has such matrices as integers, for which `∨.∧` is of common divisors and multiples. Where a product
would be one of truth values if inputs were such, these are looked at first, which takes much less time than
the product. The program stands there twice then, so it must not be long.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from aplc.tail import prims as p
from aplc.tail.optimise.fresh_names import FreshNames
from aplc.tail.optimise.rewrite import Rebuild
from aplc.tail.optimise.truth_conversions import as_number, not_zero
from aplc.tail.optimise.truth_values import COSTLY, as_truth_values, is_integer
from aplc.tail.syntax import (
    Arg,
    Binding,
    Call,
    Exp,
    Fn,
    Let,
    Op,
    Param,
    PrimFn,
    Rec,
    Term,
    Var,
    body_of,
    conditional,
    fn,
    let,
    literal,
    map_item,
    op,
    prim_fn,
    walk,
    with_body,
)
from aplc.tail.types import Base, Rho, rank_of, scalar

MOST = 400
"""So many nodes a program has at most that is made twice."""


def with_truth_values(term: Term) -> Term:
    """The program with truth values in place of integers that are such, where that saves computing."""
    term = as_truth_values(term)
    if not isinstance(term, Fn) or not _products(term) or len(list(islice(walk(term), MOST + 1))) > MOST:
        return term
    arrays = [q for q in term.params if _is_array(q)]
    copy, truths = _version(term, arrays)
    if not truths or _products(copy) == _products(term):
        return term
    if truths != arrays:
        copy, _ = _version(term, truths)  # where others may be any numbers
    assert isinstance(copy, Fn)
    return with_body(
        term, conditional(_condition(FreshNames(copy), truths), copy.body, term.body, term.body.span)
    )


def _products(term: Term) -> int:
    """How many products of common divisors or multiples there are."""
    return sum([1 for node in walk(term) if isinstance(node, Op) and _is_product(node)])


def _is_product(node: Op) -> bool:
    return node.prim is p.INNER and any(isinstance(a, PrimFn) and a.prim in COSTLY for a in node.args)


def _is_array(param: Param) -> bool:
    """Whether a parameter is an array of integers."""
    return is_integer(param.ty) and rank_of(param.ty) != Rho(0)


def _version(term: Fn, params: list[Param]) -> tuple[Term, list[Param]]:
    """The program where some parameters are zeros and ones, and those which it takes as truth values then."""
    copy = _Copy(FreshNames(term))
    bindings = []
    for param in params:
        name = copy.renamed(param.name)
        number = as_number(not_zero(Var(param.name, ty=param.ty), copy.names.fresh()))
        bindings.append(Binding(name, number.ty, number))
    made = as_truth_values(with_body(term, let(bindings, copy.exp(term.body))))
    body = body_of(made)
    bound = {b.name: b.ty for b in body.bindings} if isinstance(body, Let) else {}
    is_truth = [not is_integer(bound[b.name]) for b in bindings]
    return made, [q for q, is_one in zip(params, is_truth, strict=True) if is_one]


def _condition(names: FreshNames, params: list[Param]) -> Exp:
    """Whether all elements of parameters are zeros and ones."""
    conditions: list[Exp] = []
    for param in params:
        x = Param(names.fresh(), scalar(Base.INT))
        element = Var(x.name, ty=x.ty)
        is_one = [op(p.EQI, element, literal(k)) for k in (0, 1)]
        each = op(p.EACH, fn((x,), op(p.ORB, *is_one)), Var(param.name, ty=param.ty))
        conditions.append(op(p.REDUCE, prim_fn(p.ANDB), literal(True), op(p.RAVEL, each)))
    first, *others = conditions
    for other in others:
        first = op(p.ANDB, first, other)
    return first


class _Copy(Rebuild):
    """Rebuilds expressions with names of their own for all that is bound."""

    def __init__(self, names: FreshNames) -> None:
        super().__init__(lambda exp: exp)
        self.names = names
        self.new: dict[str, str] = {}

    def renamed(self, name: str) -> str:
        """The name that a variable or a function has from now on."""
        self.new[name] = self.names.fresh()
        return self.new[name]

    def exp(self, exp: Exp) -> Exp:
        """An expression with the new names."""
        match exp:
            case Var(name=name):
                return replace(exp, name=self.new.get(name, name))
            case Let(bindings=bindings, body=body):
                made = []
                for binding in bindings:
                    value = self.exp(binding.value)
                    made.append(Binding(self.renamed(binding.name), binding.ty, value))
                return let(made, self.exp(body))
            case Rec():
                inits = tuple([self.exp(i) for i in exp.inits])
                name, params = self.renamed(exp.name), self.parameters(exp.params)
                body = self.exp(exp.body)
                return replace(exp, name=name, params=params, inits=inits, body=body)
            case Call(name=name, args=args):
                return replace(exp, name=self.new[name], args=tuple([self.exp(a) for a in args]))
            case _:
                return super().exp(exp)

    def parameters(self, params: tuple[Param, ...]) -> tuple[Param, ...]:
        """Parameters with new names."""
        made = [replace(q, name=self.renamed(q.name)) for q in params]
        return tuple([replace(q, like=self.new.get(q.like, q.like)) for q in made])

    def argument(self, arg: Arg) -> Arg:
        """An argument, which may be a function."""
        if not isinstance(arg, Fn):
            return super().argument(arg)
        params = self.parameters(arg.params)
        return fn(params, self.exp(arg.body), arg.span, map_item(arg.item, self.exp))
