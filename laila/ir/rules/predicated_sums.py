"""Rewrites sums of numbers that are multiplied by conditions, as selects.

Note [Weighted by conditions]
    `(w×c)+(1-w)×~c` is w where c holds and 1-w elsewhere: a choice takes the place of two products, which
    turn conditions into numbers. For a w that is infinite or NaN the sum is NaN, whatever is chosen; so is
    0×w, which is added to the choice.
    `x≥0` and `x<0` are opposites but for NaN, of which neither holds: the sum is 0 then, unless w is NaN too,
    as it is where it is computed from x by functions that keep NaN.

Only the sign of a zero may differ. A sum of integers is a choice whatever the two are, if neither may fail.
"""

from __future__ import annotations

from aplc.laila.ir.scalar import DIVIDE, LOG, MULTIPLY_ADD, SQRT, Call, Check, Const, Exp, Sum, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.prims import Prim

OPPOSITES = {
    p.EQI: p.NEQI,
    p.LTI: p.GTEI,
    p.LTEI: p.GTI,
    p.EQD: p.NEQD,
    p.EQC: p.NEQC,
    p.EQB: p.NEQB,
}
OPPOSITES |= {other: op for op, other in OPPOSITES.items()}
"""Comparisons of which always one holds."""

OPPOSITES_BUT_FOR_NAN = {p.LTD: p.GTED, p.GTED: p.LTD, p.LTED: p.GTD, p.GTD: p.LTED}

KEEPING_NAN = frozenset(
    (p.ADDD, p.SUBD, p.MULD, p.NEGD, p.ABSD, p.EXPD, DIVIDE, SQRT, LOG, MULTIPLY_ADD),
)
"""Functions whose result is NaN if an operand is."""


def choice_of_sum(make: ExprBuilder, prim: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """The choice that a sum is: see Note [Weighted by conditions]. None for other sums and functions."""
    if prim is p.ADDI:
        return chosen_integer(make, *args)
    return chosen(make, *args) if prim is p.ADDD and not make.settings.strict_fp else None


def chosen(make: ExprBuilder, a: Exp, b: Exp) -> Exp | None:
    """The choice that a sum of doubles is; None if it is not of that kind."""
    one = make.const(1.0)
    for first, second in ((a, b), (b, a)):
        for number, cond in _weighted(first):
            for other, opposite in _weighted(second):
                is_rest = isinstance(other, Call) and other.op is p.SUBD and other.args == (one, number)
                if is_rest and _are_opposite(number, cond, opposite):
                    choice = make.select(cond, number, other)
                    return make.call(MULTIPLY_ADD, make.const(0.0), number, choice)
    return None


def chosen_integer(make: ExprBuilder, a: Exp, b: Exp) -> Exp | None:
    """The choice that a sum of integers is, `(m×c)+n×~c`; None if it is not of that kind."""
    for number, cond in _weighted_integers(make, a):
        for other, opposite in _weighted_integers(make, b):
            if _are_opposite(number, cond, opposite) and not (make.may_fail(number) or make.may_fail(other)):
                return make.select(cond, number, other)
    return None


def _weighted_integers(make: ExprBuilder, exp: Exp) -> list[tuple[Exp, Exp]]:
    """A product as an integer and the condition that is its weight."""
    match exp:
        case Call(op=p.MULI, args=args):
            pairs = zip(args, args[::-1], strict=True)
            return [(n, w.args[0]) for n, w in pairs if isinstance(w, Call) and w.op is p.B2I]
        case Call(op=p.B2I, args=(cond,)):
            return [(make.one, cond)]
        case Sum(const=0, terms=((Call(op=p.B2I, args=(cond,)), k),)):
            return [(make.const(k), cond)]
        case _:
            return []


def _weighted(exp: Exp) -> list[tuple[Exp, Exp]]:
    """A product as a number and the condition that is its weight."""
    if not isinstance(exp, Call) or exp.op is not p.MULD:
        return []
    return [(n, c) for n, w in (exp.args, exp.args[::-1]) if (c := _condition(w)) is not None]


def _condition(weight: Exp) -> Exp | None:
    """The condition that a number, 0 or 1, is made of."""
    if isinstance(weight, Call) and weight.op is p.I2D:
        (inner,) = weight.args
        if isinstance(inner, Call) and inner.op is p.B2I:
            return inner.args[0]
    return None


def _are_opposite(number: Exp, cond: Exp, other: Exp) -> bool:
    """Whether always one of two conditions holds, or the number is NaN."""
    if not isinstance(cond, Call) or not isinstance(other, Call):
        return False
    if cond.op is p.NOTB or other.op is p.NOTB:
        return cond.args == (other,) or other.args == (cond,)
    if cond.args != other.args:
        return False
    if OPPOSITES.get(cond.op) is other.op:
        return True
    is_nan_too = all(_is_number(x) or _keeps_nan(number, x) for x in cond.args)
    return OPPOSITES_BUT_FOR_NAN.get(cond.op) is other.op and is_nan_too


def _is_number(exp: Exp) -> bool:
    """Whether an operand is a constant other than NaN."""
    return isinstance(exp, Const) and exp.value == exp.value


def _keeps_nan(exp: Exp, x: Exp) -> bool:
    """Whether an expression is NaN for certain where a part of it is."""

    def below(node: Exp) -> tuple[Exp, ...]:
        if node is x:
            return ()
        if isinstance(node, Call) and node.op in KEEPING_NAN:
            return node.args
        return (node.value,) if isinstance(node, Check) else ()

    nan: set[Exp] = set()
    for node in nodes(exp, below=below):
        if node is x or any(operand in nan for operand in below(node)):
            nan.add(node)
    return exp in nan
