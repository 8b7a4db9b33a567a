"""What the text of a program tells about its values: constants, extents, which expressions may fail.

Facts are asked of expressions that `Rebuild` has rebuilt, so that bindings come before their uses. Answers
are remembered, and a rewriting that asks at every node stays linear.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from aplc.tail import prims as p
from aplc.tail.meaning.overflow import CHECKED
from aplc.tail.optimise.rewrite import function_may_fail, op_may_fail
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
    TupleExp,
    Var,
    Vec,
    children,
    constants_of,
)
from aplc.tail.types import Base, Func, Tuple, known_length, rank_of

SMALL = 16
"""A constant vector of up to so many elements is computed with when compiling."""

SMALL_TEXT = 128
"""A constant text of up to so many characters is, too: an alphabet is one."""

Extents = tuple[int | None, ...]
"""The extents of an array, one an axis; None is one that only the run knows."""


def small(exp: Exp) -> int:
    """How many elements a vector has at most that is computed with when compiling."""
    ty = exp.ty
    is_text = not isinstance(ty, Func | Tuple) and ty.base is Base.CHAR
    return SMALL_TEXT if is_text else SMALL


class Facts:
    """What is known, given the values of the variables bound so far."""

    def __init__(self, values: Mapping[str, Exp], *, check_overflow: bool = False) -> None:
        self.values = values
        self.check_overflow = check_overflow
        """Whether an integer that does not fit is an error."""
        self._alive: list[Exp] = []
        self._extents: dict[int, Extents | None] = {}
        self._may_fail: dict[int, bool] = {}
        self._sources: dict[str, Exp] = {}

    # --- constants ---

    def defined(self, exp: Arg) -> Arg:
        """The value of a variable where it is known; any other argument itself."""
        return self.values.get(exp.name, exp) if isinstance(exp, Var) else exp

    def constant(self, exp: Arg) -> Exp | None:
        """The literal or the small constant vector that an expression is; `iotaV` of a literal is one."""
        value = self.defined(exp)
        if isinstance(value, Lit):
            return value
        if isinstance(value, Vec) and len(value.items) <= small(value):
            return value if all(isinstance(i, Lit) for i in value.items) else None
        if isinstance(value, Op) and value.prim is p.IOTA_V and isinstance(value.args[0], Lit):
            return value if int(value.args[0].value) <= SMALL else None
        return None

    def integers(self, exp: Arg) -> tuple[int, ...] | None:
        """The integers that an expression is."""
        value = self.constant(exp)
        if isinstance(value, Op):
            return tuple(range(1, int(constants_of(value.args)[0][0]) + 1))  # type: ignore[index]
        return None if value is None else constants_of((value,))[0]

    # --- failure ---

    def may_fail(self, exp: Exp) -> bool:
        """Whether computing an expression may raise an APL error, print, or not end."""
        known = self._may_fail.get(id(exp))
        if known is None:
            own = isinstance(exp, Rec | Call) or (isinstance(exp, Op) and self._op_may_fail(exp))
            known = own or any([self.may_fail(child) for child in children(exp)])
            self._alive.append(exp)
            self._may_fail[id(exp)] = known
        return known

    def _op_may_fail(self, exp: Op) -> bool:
        """Whether an application may fail where its arguments do not."""
        if op_may_fail(exp):
            return True
        primitives = (exp.prim, *[arg.prim for arg in exp.args if isinstance(arg, PrimFn)])
        return self.check_overflow and any(prim in CHECKED for prim in primitives)

    def total(self, *args: Arg) -> bool:
        """Whether none of the arguments may fail, neither now nor when it is applied."""
        bodies = [a.body if isinstance(a, Fn) else a for a in args if not isinstance(a, PrimFn)]
        primitives = [a for a in args if isinstance(a, PrimFn)]
        return not any([self.may_fail(b) for b in bodies]) and not any(map(function_may_fail, primitives))

    # --- shapes ---

    def extents(self, exp: Arg) -> Extents | None:
        """The extents of the value of an expression; None if not even the rank is known."""
        if isinstance(exp, Fn | PrimFn):
            return None
        if id(exp) not in self._extents:
            self._alive.append(exp)
            self._extents[id(exp)] = None
            self._extents[id(exp)] = self._find_extents(exp)
        return self._extents[id(exp)]

    def whole(self, exp: Arg) -> tuple[int, ...] | None:
        """The extents, if all are known."""
        known = [n for n in self.extents(exp) or (None,) if n is not None]
        return tuple(known) if self.extents(exp) is not None and len(known) == self.rank(exp) else None

    def rank(self, exp: Arg) -> int | None:
        """The rank of a value, if it is known."""
        if isinstance(exp.ty, Func | Tuple):
            return None
        rank = rank_of(exp.ty)
        return rank.const if rank.is_const else None

    def source(self, exp: Exp) -> Exp:
        """The earliest variable known to have the shape of an expression, else the expression itself."""
        match exp:
            case Var(name=name):
                if name not in self._sources:
                    found = self.source(self.values[name]) if name in self.values else exp
                    self._sources[name] = found if isinstance(found, Var) else exp
                return self._sources[name]
            case Op(prim=prim, args=args) if prim in SAME_SHAPE:
                of = args[SAME_SHAPE[prim]]
                return exp if isinstance(of, Fn | PrimFn) else self.source(of)
            case Op(prim=p.IOTA, args=(count,)):
                counted = self._vector_of_length(count)
                return exp if counted is None else self.source(counted)
            case Op(prim=p.ZIP_WITH, args=(_, left, right)):
                if isinstance(left, Fn | PrimFn) or isinstance(right, Fn | PrimFn):
                    return exp
                first, second = self.source(left), self.source(right)
                return first if isinstance(first, Var) and first == second else exp
            case Lit() | Vec() | Op() | Let() | TupleExp() | Item() | If() | Rec() | Call():
                return exp

    def _vector_of_length(self, count: Arg) -> Exp | None:
        """The vector whose length a number is, `pick(1,shape(v))`."""
        of = self.defined(count)
        if not isinstance(of, Op) or of.prim is not p.PICK or self.integers(of.args[0]) != (1,):
            return None
        shape = self.defined(of.args[1])
        if not isinstance(shape, Op) or shape.prim is not p.SHAPE:
            return None
        (vector,) = shape.args
        return vector if not isinstance(vector, Fn | PrimFn) and self.rank(vector) == 1 else None

    def _find_extents(self, exp: Exp) -> Extents | None:
        rank = self.rank(exp)
        length = known_length(exp.ty)
        if rank is None or rank == 0:
            return None if rank is None else ()
        if length is not None and length.is_const:
            return (length.const,)
        found: Extents | None = None
        match exp:
            case Var(name=name):
                found = self.extents(self.values[name]) if name in self.values else None
            case If(then=then, otherwise=otherwise):
                branches = self.extents(then), self.extents(otherwise)
                found = branches[0] if branches[0] == branches[1] else None
            case Let(body=body):
                found = self.extents(body)
            case Op(prim=prim, args=args):
                found = self._of_application(prim, args, rank)
            case Lit() | Vec() | TupleExp() | Item() | Rec() | Call():
                pass
        return found if found is not None and len(found) == rank else (None,) * rank

    def _of_application(self, prim: p.Prim, args: tuple[Arg, ...], rank: int) -> Extents | None:
        """The extents of an application of a primitive, as far as those of the arguments tell."""
        if prim in SAME_SHAPE:
            return self.extents(args[SAME_SHAPE[prim]])
        shapes = [self.extents(a) or () for a in args]
        last = shapes[-1]
        if prim is p.ZIP_WITH:
            return self._of_two(args[1], args[2])
        if prim is p.RESHAPE:
            return self._of_reshape(args[0], rank)
        if prim is p.TRANSP:
            return last[::-1]
        if prim is p.TRANSP2:
            axes = self.integers(args[0])
            known = axes is not None and sorted(axes) == list(range(1, rank + 1))
            return tuple([last[axes.index(k)] for k in range(1, rank + 1)]) if known and axes else None
        if prim in (p.REDUCE, p.REDUCE1):
            return last[:-1]
        if prim is p.OUTER:
            return (*shapes[1], *last)
        if prim in (p.INNER, p.INNER1):
            return (*shapes[-2][:-1], *last[1:])
        if prim in (p.CAT, p.CONS, p.SNOC):
            return self._of_joined(prim, shapes)
        if prim is p.RAVEL:
            whole = self.whole(args[0])
            return None if whole is None else (prod(whole),)
        if prim in (p.TAKE, p.TAKES, p.DROP, p.DROPS):
            counts = self.integers(args[0])
            if counts is None:
                return None
            kept = [_kept(prim in (p.TAKE, p.TAKES), n, c) for n, c in zip(last, counts, strict=False)]
            return (*kept, *last[len(kept) :])
        return None

    def _of_two(self, left: Arg, right: Arg) -> Extents | None:
        """Of `zipWith`: one array of a single element extends."""
        first, second = self.whole(left), self.whole(right)
        if first is not None and prod(first) != 1:
            return first
        if second is not None and prod(second) != 1:
            return second
        return first if first == second else None

    def _of_reshape(self, extents: Arg, rank: int) -> Extents | None:
        value = self.defined(extents)
        if isinstance(value, Op) and value.prim is p.SHAPE:
            return self.extents(value.args[0])
        if not isinstance(value, Vec):
            return self.integers(value)
        return tuple([constants[0] if constants else None for constants in constants_of(value.items)])

    def _of_joined(self, prim: p.Prim, shapes: list[Extents]) -> Extents:
        """Of `cat`, `cons` and `snoc`: along the last axis."""
        left, right = shapes
        if prim is p.CONS:
            left = (*left, 1)
        if prim is p.SNOC:
            right = (*right, 1)
        m, n = left[-1], right[-1]
        others = [a if a is not None else b for a, b in zip(left[:-1], right[:-1], strict=True)]
        return (*others, None if m is None or n is None else m + n)


SAME_SHAPE = {
    p.EACH: 1, p.SCAN: 1, p.REVERSE: 0, p.ROTATE: 1, p.ROTATES: 1, p.COPY: 0, p.MATERIALISE: 0,
    p.UPDATE: 0, p.MODIFY: 1, p.PRINT: 0, p.PRINT_WITH: 1,
}  # fmt: skip
"""Primitives whose result has the shape of one argument, and which."""


def _kept(take: bool, extent: int | None, count: int) -> int | None:
    if take:
        return abs(count)
    return None if extent is None else max(0, extent - abs(count))
