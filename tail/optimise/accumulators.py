"""Calls whose results are only added to something are rounds that add first: the loop has an accumulator.

    rec f(x) = if p(x) then b else 1 + f(g(x))   →   loop f(s = 0, x) = if p(x) then s + b else f(s + 1, g(x))

The operator is exact and associative: sums, products and extrema of integers, `∧` and `∨`, and catenation,
where a call stands on one side throughout. What stands behind a call must neither fail nor print, as it comes
before the call now. Calls that hand arrays on are left alone: a call is given a part of an array where a
round would copy it. A recursion that is too deep is to be told all the same: the loop has as many rounds at
most as there may be calls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.tail import prims as p
from aplc.tail.optimise.fresh_names import FreshNames
from aplc.tail.optimise.rewrite import Rebuild, may_fail
from aplc.tail.prims import INT_MAX, INT_MIN, Prim
from aplc.tail.syntax import (
    Binding,
    Call,
    Exp,
    Fn,
    If,
    Let,
    Lit,
    Op,
    Param,
    PrimFn,
    Rec,
    Term,
    Var,
    Vec,
    called_inside,
    calls,
    conditional,
    let,
    literal,
    op,
    vec,
)
from aplc.tail.types import Array, Base, Func, Rho, Tuple, Type, forget_value, rank_of

MAX_CALLS = 1 << 24
"""Recursions of so many calls, each inside the one before, are too deep."""

NEUTRAL = {p.ADDI: 0, p.MULI: 1, p.MAXI: INT_MIN, p.MINI: INT_MAX, p.ANDB: True, p.ORB: False}
"""Operators that are exact, associative and commutative, with what changes no other argument."""

CATENATIONS = frozenset((p.CAT, p.CONS, p.SNOC))


def accumulate_calls(term: Term) -> Term:
    """The program with such recursions as loops."""
    called = called_inside(term)
    if not called:
        return term
    names = FreshNames(term)

    def rule(exp: Exp) -> Exp:
        return _Recursion(exp, names).as_loop() if isinstance(exp, Rec) and exp.name in called else exp

    return Rebuild(rule).term(term)


@dataclass(frozen=True, slots=True)
class _Combined:
    """The result of a call with something else."""

    prim: Prim
    """What combines them; of the catenations it is `CAT`."""
    is_behind: bool
    """Whether the result of the call stands behind. The others commute: then it does."""
    other: Exp
    rest: Exp
    """The expression with the call."""
    comes_first: bool
    """Whether the other one is computed before the call."""


class _Recursion:
    def __init__(self, rec: Rec, names: FreshNames) -> None:
        self.rec = rec
        self.names = names
        self.kind: tuple[Prim, bool] = (p.CAT, True)
        """What combines results, and whether that of a call stands behind."""

    def as_loop(self) -> Rec:
        """The loop with an accumulator, or the recursion if there is none."""
        rec = self.rec
        kinds: set[tuple[Prim, bool]] = set()
        if not self._is_regular(rec.body, kinds) or len(kinds) != 1:
            return rec
        (self.kind,) = kinds
        prim, _ = self.kind
        ty = forget_value(rec.ty)
        if prim is p.CAT:
            if not isinstance(ty, Array) or not isinstance(ty.base, Base) or ty.rank != Rho(1):
                return rec
            start: Exp = vec((), ty.base)
        else:
            start = literal(NEUTRAL[prim])
        name = self.names.fresh()
        return replace(
            rec,
            params=(Param(name, ty), *rec.params),
            inits=(start, *rec.inits),
            body=self._tail(rec.body, Var(name, ty=ty)),
            most=MAX_CALLS,
        )

    def _calls(self, exp: Exp) -> bool:
        return calls(exp, self.rec.name)

    def _is_regular(self, exp: Exp, kinds: set[tuple[Prim, bool]]) -> bool:
        """Whether each call in an expression in tail position is a jump but for combinations of its result,
        the kinds of which are noted.
        """
        match exp:
            case Let(bindings=bindings, body=body):
                return not any(self._calls(b.value) for b in bindings) and self._is_regular(body, kinds)
            case If(condition=condition, then=then, otherwise=otherwise):
                sides = [self._is_regular(side, kinds) for side in (then, otherwise)]
                return all(sides) and not self._calls(condition)
            case Call(name=name, args=args) if name == self.rec.name:
                given = zip(args, self.rec.params, strict=True)
                return all(_is_cheap(arg, param) and not self._calls(arg) for arg, param in given)
            case _:
                combined = self._combined(exp)
                if combined is None:
                    return not self._calls(exp)
                kinds.add((combined.prim, combined.is_behind))
                keeps_order = combined.comes_first or not may_fail(combined.other)
                return keeps_order and self._is_regular(combined.rest, kinds)

    def _combined(self, exp: Exp) -> _Combined | None:
        """An expression as the combination of something with what calls."""
        if not isinstance(exp, Op) or not (exp.prim in NEUTRAL or exp.prim in CATENATIONS):
            return None
        left, right = exp.args
        if isinstance(left, Fn | PrimFn) or isinstance(right, Fn | PrimFn):
            return None
        is_left, is_right = self._calls(left), self._calls(right)
        if is_left == is_right:
            return None
        other, rest = (right, left) if is_left else (left, right)
        if exp.prim in NEUTRAL:
            return _Combined(exp.prim, True, other, rest, is_right)
        return _Combined(p.CAT, is_right, other, rest, is_right)

    def _tail(self, exp: Exp, so_far: Exp) -> Exp:
        """An expression in tail position, combined with what there is so far."""
        match exp:
            case Let(bindings=bindings, body=body):
                return let(list(bindings), self._tail(body, so_far))
            case If(condition=condition, then=then, otherwise=otherwise):
                sides = self._tail(then, so_far), self._tail(otherwise, so_far)
                return conditional(condition, *sides, exp.span)
            case Call(name=name, args=args) if name == self.rec.name:
                return replace(exp, args=(so_far, *args))
            case _:
                combined = self._combined(exp)
                if combined is None:
                    return so_far if self._is_neutral(exp) else self._with(so_far, exp, exp)
                more = self._with(so_far, combined.other, exp)
                if isinstance(combined.rest, Call):
                    return self._tail(combined.rest, more)
                name = self.names.fresh()
                bound = Binding(name, more.ty, more)
                return let([bound], self._tail(combined.rest, Var(name, ty=more.ty)))

    def _with(self, so_far: Exp, more: Exp, place: Exp) -> Exp:
        """What there is so far and something more, in the order in which the program combines them."""
        prim, is_behind = self.kind
        symbol = place.symbol if isinstance(place, Op) else ""
        if prim is p.CAT and _is_scalar(more.ty):
            prim, is_behind = (p.SNOC, True) if is_behind else (p.CONS, False)
        both = (so_far, more) if is_behind else (more, so_far)
        return op(prim, *both, symbol=symbol, span=place.span)

    def _is_neutral(self, exp: Exp) -> bool:
        if isinstance(exp, Lit):
            return self.kind[0] in NEUTRAL and exp.value == NEUTRAL[self.kind[0]]
        return isinstance(exp, Vec) and not exp.items


def _is_cheap(arg: Exp, param: Param) -> bool:
    """Whether an argument is a number, or an array that all calls hand on as it is."""
    return _is_scalar(param.ty) or (isinstance(arg, Var) and arg.name == param.name)


def _is_scalar(ty: Type) -> bool:
    return not isinstance(ty, Func | Tuple) and rank_of(ty) == Rho(0)
