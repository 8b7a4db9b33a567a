"""Quotients and rests of integers that are not negative, by divisors that are positive.

    (q×b + r) ÷ b     →   q + r ÷ b, where r is not negative
    (x÷b)×b + b|x     →   x
    x÷b               ≤   m - 1, where x < m×b is known

So a place among all elements, which was taken apart into a row and a column, is that place again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aplc.laila.ir.scalar import QUOT, REM, Call, Const, Exp
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder


def divided(make: ExprBuilder, op: Prim, a: Exp, b: Exp) -> Exp | None:
    """The quotient or the rest of `a` by `b`, where it is simpler."""
    if a is make.zero:
        return a
    if b is make.one:
        return a if op is QUOT else make.zero
    if make.at_least(make.sub(b, make.one), a):
        return make.zero if op is QUOT else a
    parts = _multiple_and_rest(make, a, b)
    if parts is None:
        return None
    multiple, rest = parts
    inner = make.call(op, rest, b)
    return make.add(multiple, inner) if op is QUOT else inner


def _multiple_and_rest(make: ExprBuilder, a: Exp, b: Exp) -> tuple[Exp, Exp] | None:
    """`q, r` with `a = q×b + r`, `q` not zero and `r` not negative, where the terms of `a` show them."""
    const, terms = make.linear(a)
    if not terms or b is make.zero or not make.counts(a, b):
        return None
    multiple: dict[Exp, int] = {}
    rest: dict[Exp, int] = {}
    for atom, k in terms.items():
        if isinstance(b, Const) and k % int(b.value) == 0:
            multiple[atom] = k // int(b.value)
        elif isinstance(atom, Call) and atom.op is p.MULI and b in atom.args:
            factor = atom.args[atom.args[0] is b]
            multiple[factor] = multiple.get(factor, 0) + k
        elif atom is b:
            multiple[make.one] = k
        else:
            rest[atom] = k
    if not multiple:
        return None
    if isinstance(b, Const):
        multiple[make.one], const = divmod(const, int(b.value))
    remaining = make.from_linear(const, rest)
    if not make.nonnegative(remaining):
        return None
    whole: Exp = make.zero
    for atom, k in multiple.items():
        whole = make.add(whole, make.mul(make.const(k), atom))
    return whole, remaining


def put_together(make: ExprBuilder, terms: dict[Exp, int]) -> int:
    """The terms of a sum, of which a quotient times its divisor and the rest become the number that was
    divided; what its constant adds.
    """
    more = 0
    for rest in [atom for atom in terms if isinstance(atom, Call) and atom.op is REM]:
        number, divisor = rest.args
        quotient, times = make.call(QUOT, number, divisor), terms[rest]
        whole = make.mul(quotient, divisor)
        ((atom, k), *others) = make.linear(whole)[1].items() or [(rest, 0)]
        if others or not k or terms.get(atom) != times * k:
            continue
        del terms[rest], terms[atom]
        const, parts = make.linear(number)
        more += times * const
        for part, c in parts.items():
            terms[part] = terms.get(part, 0) + times * c
    return more


def bound_of_quotient(make: ExprBuilder, divisor: Exp, bounds: tuple[Exp, ...]) -> tuple[Exp, ...]:
    """Upper bounds of a quotient, of those of the number that is divided."""
    found: list[Exp] = []
    for bound in bounds:
        if isinstance(bound, Const) and isinstance(divisor, Const) and divisor.value > 0:
            found.append(make.const(int(bound.value) // int(divisor.value)))
            continue
        parts = _multiple_and_rest(make, make.add(bound, make.one), divisor)
        if parts is not None and parts[1] is make.zero:
            found.append(make.sub(parts[0], make.one))
    return tuple(found)
