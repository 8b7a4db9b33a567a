"""Which results hold nothing but elements of inputs that are stored narrower than their type: float32, or
integers of fewer than 64 bits. Such results can be stored as their elements came.

Note [What only moves]
    A primitive whose scheme gives elements of a type variable, `∀αγ. int → [α]γ → [α]γ`, can do nothing with
    them but move them, leave some out and add fills, which every type holds. So the scheme tells whose
    elements they are. Of functions on elements the larger and the smaller of two are one of them. All others
    compute: their results have the type of the program, int64 or float64. A constant beside the elements
    counts where their type holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aplc.tail import prims as p
from aplc.tail.syntax import Arg, Exp, Fn, If, Item, Let, Lit, Op, PrimFn, Term, TupleExp, Var, Vec, body_of
from aplc.tail.types import Base, BaseVar, Func, Kappa, Nested, Tuple, Type, base_of, rank_of

Origin = frozenset[str | int | float] | None
"""Where elements come from: dtypes of inputs, and constants; None: they are computed, or not looked at."""

NOWHERE: Origin = frozenset()
KINDS = {Base.INT: "iu", Base.DOUBLE: "f"}
"""The kinds of dtypes that store elements narrower."""
ONE_OF_TWO = (p.MAXI, p.MINI, p.MAXD, p.MIND)
MOVED = {p.UNIQUE_T: (1,)}
"""What moves elements of one type only: the arguments whose elements its result has."""


def kept_storage(term: Term, storage: Mapping[str, str]) -> str:
    """The dtype in which a program's value can be stored, if that is one flat array of elements of narrow
    inputs, else nothing; `storage` has the dtypes of its parameters.
    """
    params = term.params if isinstance(term, Fn) else ()
    names: dict[str, Origin] = {q.name: _of_input(q.ty, storage.get(q.name, "")) for q in params}
    value = body_of(term)
    narrow = [origin for origin in names.values() if origin is not None]
    if not narrow or isinstance(value.ty, Tuple | Func) or not rank_of(value.ty).const:
        return ""
    return _dtype_of(_Origins(names).of(value), base_of(value.ty))


def _of_input(ty: Type, dtype: str) -> Origin:
    if isinstance(ty, Tuple | Func) or base_of(ty) not in KINDS:
        return None
    return frozenset({dtype}) if _is_narrow(dtype, base_of(ty)) else None


def _is_narrow(dtype: str, base: Base) -> bool:
    return bool(dtype) and np.dtype(dtype).itemsize < base.item_bytes


def _united(*origins: Origin) -> Origin:
    found: set[str | int | float] = set()
    for origin in origins:
        if origin is None:
            return None
        found |= origin
    return frozenset(found)


def _constants(origin: Origin) -> Origin:
    """Integers as doubles: what is constant is the same constant."""
    return origin if origin is not None and not any(isinstance(each, str) for each in origin) else None


class _Origins:
    """The origins of expressions, by the names that are bound around them."""

    def __init__(self, names: dict[str, Origin]) -> None:
        self._names = names

    def of(self, exp: Exp) -> Origin:
        """Where the elements of a flat array come from."""
        if isinstance(exp.ty, Tuple | Func) or base_of(exp.ty) not in KINDS:
            return None
        match exp:
            case Lit(value=value):
                return frozenset({value}) if isinstance(value, int | float) else None
            case Vec(items=items):
                return _united(NOWHERE, *map(self.of, items))
            case Var(name=name):
                return self._names.get(name)
            case Let(body=body):
                self._bind(exp)
                return self.of(body)
            case If(then=then, otherwise=otherwise):
                return _united(self.of(then), self.of(otherwise))
            case Item(value=TupleExp(items=items), index=index):
                return self.of(items[index - 1])
            case Op():
                return self._of_application(exp)
            case _:
                return None

    def _bind(self, exp: Let) -> None:
        for binding in exp.bindings:
            self._names[binding.name] = self.of(binding.value)

    def _of_application(self, exp: Op) -> Origin:
        """See Note [What only moves]."""
        if exp.prim is p.I2D:
            return _constants(*map(self._of_argument, exp.args))
        if exp.prim in ONE_OF_TWO:
            return _united(*[self.of(a) for a in exp.args if not isinstance(a, Fn | PrimFn)])
        if exp.prim in MOVED:
            return _united(*[self._of_argument(exp.args[k]) for k in MOVED[exp.prim]])
        if exp.prim.is_scalar or not exp.prim.schemes:
            return None
        scheme = exp.prim.schemes[0].type
        if isinstance(scheme.result, Func) or (variable := variable_of(scheme.result)) is None:
            return None
        if exp.prim is p.REDUCE_N and isinstance(exp.args[2], Lit) and exp.args[2].value != 0:
            function, _, _, windows = exp.args
            origin = self._of_argument(windows)
            return _united(origin, self._of_function(function, [origin, origin]))
        return self._of_variable(variable, scheme, exp.args)

    def _of_variable(self, variable: BaseVar, scheme: Func, args: tuple[Arg, ...]) -> Origin:
        """Where the elements come from that a variable of a scheme stands for."""
        origin = NOWHERE
        for ty, arg in zip(scheme.params, args, strict=True):
            if not isinstance(ty, Func) and variable_of(ty) == variable:
                origin = _united(origin, self._of_argument(arg))
        for ty, arg in zip(scheme.params, args, strict=True):
            if isinstance(ty, Func) and variable_of(ty.result) == variable:
                given = [variable_of(q) for q in ty.params]
                origins = [
                    origin if each == variable else self._of_variable(each, scheme, args) if each else None
                    for each in given
                ]
                origin = _united(origin, self._of_function(arg, origins))
        return origin

    def _of_function(self, function: Arg, given: list[Origin]) -> Origin:
        """Where the elements of a function's result come from, by those of its arguments."""
        if isinstance(function, PrimFn) and function.prim is p.I2D:
            return _constants(*given)
        if isinstance(function, PrimFn):
            return _united(*given) if function.prim in ONE_OF_TWO else None
        if not isinstance(function, Fn):
            return None
        inner = _Origins(self._names | {q.name: o for q, o in zip(function.params, given, strict=True)})
        return inner.of(function.body)

    def _of_argument(self, arg: Arg) -> Origin:
        return None if isinstance(arg, Fn | PrimFn) else self.of(arg)


def variable_of(ty: Type) -> BaseVar | None:
    """The variable that a type of flat arrays in a scheme has for its elements."""
    base: Kappa | None = None
    if not isinstance(ty, Tuple | Func | Nested):
        base = ty.base
    return base if isinstance(base, BaseVar) else None


def _dtype_of(origin: Origin, base: Base) -> str:
    """The dtype that holds all elements of an origin; empty for the usual one."""
    dtypes = [each for each in origin or () if isinstance(each, str)]
    if not dtypes or any(np.dtype(each).kind not in KINDS[base] for each in dtypes):
        return ""
    common = np.result_type(*dtypes)
    constants = [each for each in origin or () if not isinstance(each, str)]
    is_held = _is_narrow(common.name, base) and all(_holds(common, value) for value in constants)
    return common.name if is_held else ""


def _holds(dtype: np.dtype[Any], value: int | float) -> bool:
    """Whether a dtype has a number exactly."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            narrow = float(np.float32(value))
        return narrow == value or value != value
    limits = np.iinfo(dtype)
    return limits.min <= value <= limits.max
