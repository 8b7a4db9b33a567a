"""Choices among constants, as `'IVX'⍳c` makes them: what is computed of them is a choice, or a condition.

    t[c=73 ? 1 : c=86 ? 2 : 3]         →   c=73 ? t[1] : c=86 ? t[2] : t[3]
    (c=73 ? 1 : c=86 ? 2 : 3) ≤ 2      →   c=73 ∨ c=86
    c=73 ∨ c=86 ? (c=73 ? 1 : c=86 ? 5 : 0) : 0     →   c=73 ? 1 : c=86 ? 5 : 0

So a search in a few constants, the test whether it found something, and what stands at the place are
comparisons and choices side by side.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from aplc.laila.ir.counts import branches
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    nodes,
)
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder

REMEMBERED = 1 << 10
"""Of so many tables it is remembered whether their elements differ."""

MOST_CHOICES = 16
"""So many choices inside each other, at most, become conditions."""

_GUARDED = Read | PureCall | Check | Fold | BlockExp
"""What may only be evaluated where conditions around it hold."""


def element_of_choice(make: ExprBuilder, buffer: Buffer, index: Exp) -> Exp | None:
    """An element of a table of constants, at a known index or one chosen among known ones: the constant, or
    the choice among those; None elsewhere, unless all are the same. What is outside is 0, and stands behind a
    check.
    """
    const, terms = make.linear(index)
    if buffer.data is not None and terms and _is_one_number(buffer):
        return make.const(buffer.data[0], buffer.ty)
    if buffer.data is None or len(terms) > 1:
        return None
    ((chosen, k),) = terms.items() or ((make.zero, 1),)
    known: dict[int, Exp] = {}
    for node in nodes(chosen, below=branches):
        match node:
            case Const(value=value):
                place = const + k * int(value)
                is_inside = 0 <= place < len(buffer.data)
                if node is chosen and not is_inside:
                    return None
                known[id(node)] = make.const(buffer.data[place] if is_inside else 0, buffer.ty)
            case Select(cond=cond, then=then, other=other):
                known[id(node)] = make.select(cond, known[id(then)], known[id(other)])
            case _:
                return None
    return known[id(chosen)]


@lru_cache(maxsize=REMEMBERED)
def _is_one_number(buffer: Buffer) -> bool:
    """Whether all elements of a table of constants are the same, zeros with their sign."""
    return buffer.data is not None and len({repr(element) for element in buffer.data}) == 1


def comparison_of_choice(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A comparison of constants, one of which is chosen, with another one: which conditions choose those for
    which it holds.
    """
    chosen, constant = args if isinstance(args[0], Select) else args[::-1]
    links = _links(chosen)
    if not isinstance(constant, Const) or links is None:
        return None
    conditions, values = links
    holds = [make.call(op, *[v if a is chosen else a for a in args]) for v in values]
    result = holds[-1]
    for condition, held in zip(reversed(conditions), reversed(holds[:-1]), strict=True):
        if held is make.true:
            result = make.call(p.ORB, condition, result)
        else:
            result = make.call(p.ANDB, make.call(p.NOTB, condition), result)
    return result


def is_decided(cond: Exp, then: Exp, other: Exp) -> bool:
    """Whether `cond ? then : other` is `then`: this chooses among constants by conditions one of which must
    hold, and is the other value where none does.
    """
    if not isinstance(other, Const) or (links := _links(then)) is None:
        return False
    conditions, values = links
    some = [cond]
    for condition in conditions[:-1]:
        if not (isinstance(some[-1], Call) and some[-1].op is p.ORB and some[-1].args[0] is condition):
            return False
        some.append(some[-1].args[1])
    return some[-1] is conditions[-1] and values[-1] is other


def _links(exp: Exp) -> tuple[list[Exp], list[Const]] | None:
    """The conditions of choices inside each other, and the constants that they choose: one more. All of the
    conditions may be evaluated: none reads what another one tells is there.
    """
    conditions: list[Exp] = []
    values: list[Const] = []
    while isinstance(exp, Select) and isinstance(exp.then, Const) and len(conditions) < MOST_CHOICES:
        conditions.append(exp.cond)
        values.append(exp.then)
        exp = exp.other
    if not conditions or not isinstance(exp, Const):
        return None
    certain = set(nodes(conditions[0]))
    if any(isinstance(n, _GUARDED) and n not in certain for n in nodes(*conditions[1:])):
        return None
    return conditions, [*values, exp]
