"""The algebra of operators that move elements: two in a row become one, or none.

The rules are like those of `shapes`, and use what it says about types; they look at expressions that stand
directly inside each other, so the pass comes after inlining.
"""

from __future__ import annotations

from math import prod

from aplc.tail import prims as p
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.rewrite import SAFE_SIZE, Rebuild
from aplc.tail.optimise.shapes import Rules, apply_rules, retyped
from aplc.tail.syntax import Arg, Exp, Op, Term, literal, op, vec
from aplc.tail.types import Base


def rearrange(term: Term) -> Term:
    """All rules, in one pass from the leaves up."""
    rebuild = Rebuild(lambda exp: apply_rules(exp, REARRANGE, facts))
    facts = Facts(rebuild.values)
    return rebuild.term(term)


# --- transposition ------------------------------------------------------------------------------------------


def transpose_twice(exp: Op, facts: Facts) -> Exp:
    """`transp(transp(a)) = a`, and `transp(a) = a` of a scalar or vector."""
    (of,) = exp.args
    rank = facts.rank(of)
    if rank is not None and rank <= 1:
        return retyped(exp, of)
    return retyped(exp, of.args[0]) if isinstance(of, Op) and of.prim is p.TRANSP else exp


def transpose_permuted(exp: Op, facts: Facts) -> Exp:
    """`transp(transp2(q,a)) = transp2(r,a)` where r[i] = n+1-q[i] for rank n."""
    (of,) = exp.args
    inner = _axes(of, facts)
    if inner is None or not isinstance(of, Op):
        return exp
    return _transposed(exp, tuple([len(inner) + 1 - k for k in inner]), of.args[1])


def permute_twice(exp: Op, facts: Facts) -> Exp:
    """`transp2(p,transp2(q,a)) = transp2(r,a)` where r[i] = p[q[i]]; `transp` is `transp2([n, …, 1], …)`."""
    outer, of = _axes(exp, facts), exp.args[1]
    if outer is None or not isinstance(of, Op):
        return exp
    inner = tuple(range(len(outer), 0, -1)) if of.prim is p.TRANSP else _axes(of, facts)
    return exp if inner is None else _transposed(exp, tuple([outer[k - 1] for k in inner]), of.args[-1])


def permute_plainly(exp: Op, facts: Facts) -> Exp:
    """`transp2([1, …, n],a) = a`, and `transp2([n, …, 1],a) = transp(a)`."""
    axes = _axes(exp, facts)
    if axes is None:
        return exp
    if axes == tuple(range(1, len(axes) + 1)):
        return retyped(exp, exp.args[1])
    reversing = axes == tuple(range(len(axes), 0, -1))
    return retyped(exp, op(p.TRANSP, exp.args[1], symbol=exp.symbol, span=exp.span)) if reversing else exp


def _axes(exp: Arg, facts: Facts) -> tuple[int, ...] | None:
    """The literal axes of a `transp2`, if they are a permutation."""
    if not isinstance(exp, Op) or exp.prim is not p.TRANSP2:
        return None
    axes = facts.integers(exp.args[0])
    return axes if axes is not None and sorted(axes) == list(range(1, len(axes) + 1)) else None


def _transposed(exp: Op, axes: tuple[int, ...], of: Arg) -> Exp:
    literals = vec(tuple([literal(k, exp.span) for k in axes]), Base.INT, exp.span)
    return retyped(exp, op(p.TRANSP2, literals, of, symbol=exp.symbol, span=exp.span))


# --- along the last axis ------------------------------------------------------------------------------------


def reverse_twice(exp: Op, facts: Facts) -> Exp:
    """`reverse(reverse(a)) = a`, and `reverse(a) = a` of a scalar."""
    (of,) = exp.args
    if facts.rank(of) == 0:
        return retyped(exp, of)
    twice = isinstance(of, Op) and of.prim in (p.REVERSE, p.REVERSE_V)
    return retyped(exp, of.args[0]) if twice and isinstance(of, Op) else exp


def rotate_twice(exp: Op, facts: Facts) -> Exp:
    """`rotate(m,rotate(n,a)) = rotate(m+n,a)` for literals, and `rotate(0,a) = a`."""
    count, of = facts.integers(exp.args[0]), exp.args[1]
    if count is None:
        return exp
    if count == (0,) or facts.rank(of) == 0:
        return retyped(exp, of)
    inner = facts.integers(of.args[0]) if isinstance(of, Op) and of.prim in (p.ROTATE, p.ROTATE_V) else None
    if inner is None or not isinstance(of, Op) or not _fits(count[0] + inner[0]):
        return exp
    return _counted(exp, count[0] + inner[0], of.args[1])


def _fits(count: int) -> bool:
    return p.INT_MIN < count <= p.INT_MAX


def _counted(exp: Op, count: int, of: Arg) -> Exp:
    """The same operator with another count."""
    changed = op(exp.prim, literal(count, exp.span), of, symbol=exp.symbol, span=exp.span)
    return retyped(exp, changed)


# --- take and drop ------------------------------------------------------------------------------------------


def drop_twice(exp: Op, facts: Facts) -> Exp:
    """`drop(m,drop(n,a)) = drop(m+n,a)` from the same end, and `drop(0,a) = a`."""
    count, of = facts.integers(exp.args[0]), exp.args[1]
    if count is None:
        return exp
    if count == (0,):
        return retyped(exp, of)
    inner = facts.integers(of.args[0]) if isinstance(of, Op) and of.prim in (p.DROP, p.DROP_V) else None
    if inner is None or not isinstance(of, Op) or (count[0] < 0) != (inner[0] < 0):
        return exp
    return _counted(exp, count[0] + inner[0], of.args[1]) if _fits(count[0] + inner[0]) else exp


def take_all(exp: Op, facts: Facts) -> Exp:
    """`take(n,a) = a` where a has n items."""
    count, of = facts.integers(exp.args[0]), exp.args[1]
    extents = facts.extents(of)
    whole = count is not None and bool(extents) and extents is not None and extents[0] == abs(count[0])
    return retyped(exp, of) if whole else exp


# --- ravel and reshape --------------------------------------------------------------------------------------


def ravel_of_ravelled(exp: Op, facts: Facts) -> Exp:
    """`ravel(v) = v` of a vector, and `ravel(reshape([n, …],a)) = ravel(a)` where a has as many elements."""
    (of,) = exp.args
    if facts.rank(of) == 1:
        return retyped(exp, of)
    inner = _reshaped(of, facts)
    if inner is None or not isinstance(of, Op):
        return exp
    size = facts.whole(of.args[1])
    if size is None or prod(size) != prod(inner):
        return exp
    return retyped(exp, op(p.RAVEL, of.args[1], symbol=exp.symbol, span=exp.span))


def reshape_twice(exp: Op, facts: Facts) -> Exp:
    """`reshape(e,reshape(d,a)) = reshape(e,a)` where e needs no more elements than d has, and
    `reshape(e,ravel(a)) = reshape(e,a)`.
    """
    of = exp.args[1]
    if not isinstance(of, Op):
        return exp
    outer, inner = facts.integers(exp.args[0]), _reshaped(of, facts)
    fewer = (
        outer is not None and inner is not None and min(outer, default=0) >= 0 and prod(outer) <= prod(inner)
    )
    if of.prim is not p.RAVEL and not fewer:
        return exp
    changed = op(exp.prim, exp.args[0], of.args[-1], symbol=exp.symbol, span=exp.span)
    return retyped(exp, changed)


def _reshaped(exp: Arg, facts: Facts) -> tuple[int, ...] | None:
    """The literal extents of a `reshape` that has room for its elements."""
    if not isinstance(exp, Op) or exp.prim not in (p.RESHAPE, p.RESHAPE_V):
        return None
    extents = facts.integers(exp.args[0])
    fits = (
        extents is not None
        and min(extents, default=0) >= 0
        and prod([max(1, n) for n in extents]) <= SAFE_SIZE
    )
    return extents if fits else None


# --- the table ----------------------------------------------------------------------------------------------

REARRANGE: Rules = {
    p.TRANSP: (transpose_twice, transpose_permuted),
    p.TRANSP2: (permute_plainly, permute_twice),
    p.REVERSE: (reverse_twice,),
    p.REVERSE_V: (reverse_twice,),
    p.ROTATE: (rotate_twice,),
    p.ROTATE_V: (rotate_twice,),
    p.DROP: (drop_twice,),
    p.DROP_V: (drop_twice,),
    p.TAKE: (take_all,),
    p.TAKE_V: (take_all,),
    p.RAVEL: (ravel_of_ravelled,),
    p.RESHAPE: (reshape_twice,),
    p.RESHAPE_V: (reshape_twice,),
}
