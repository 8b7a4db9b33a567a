"""The reference interpreter of TAIL: the meaning of a program, in NumPy, small and obvious.

A value is a NumPy array (dtype by base type: int64, float64, bool, uint32 for characters) or a tuple of
values. Primitives do what `meaning` says; a function argument becomes a callable on arrays of one shape.
Faults get the position of the primitive and become `RunError`s. Printing goes to a callback, in program
order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tail import faults
from tail.errors import InternalError
from tail.faults import FaultRaised
from tail.meaning import Pointwise, Value
from tail.prims import PRINT
from tail.syntax import Arg, Exp, Fn, Function, Let, Lit, Op, PrimFn, Product, Term, Var, Vec, walk
from tail.types import Base, Func, Tuple, Type, base_of, rank_of

DTYPES: dict[Base, np.dtype[Any]] = {
    Base.INT: np.dtype(np.int64),
    Base.DOUBLE: np.dtype(np.float64),
    Base.BOOL: np.dtype(np.bool_),
    Base.CHAR: np.dtype(np.uint32),
}

Result = Value | tuple[Any, ...]
OnPrint = Callable[[Value, Type], None]


def dtype_of(ty: Type) -> np.dtype[Any]:
    """The element type of a data type's values."""
    return DTYPES[base_of(ty)]


def evaluate(term: Term, inputs: Sequence[Value], on_print: OnPrint) -> Result:
    """The value of a program for the given inputs, one array per parameter of an outermost `fn`.

    Raises `RunError` for an APL error of the program.
    """
    interpreter = _Interpreter(on_print)
    body: Exp
    if isinstance(term, Fn):
        for param, value in zip(term.params, inputs, strict=True):
            interpreter.env[param.name] = np.asarray(value, dtype=dtype_of(param.ty))
        body = term.body
    else:
        body = term
    with np.errstate(all="ignore"):
        return interpreter.eval(body)


@dataclass(slots=True)
class _Interpreter:
    on_print: OnPrint
    env: dict[str, Result] = field(default_factory=dict)

    def eval(self, exp: Exp) -> Result:
        match exp:
            case Lit(value=value):
                return np.array(ord(value) if isinstance(value, str) else value, dtype=dtype_of(exp.ty))
            case Vec(items=items):
                return np.array([self.array(i) for i in items], dtype=dtype_of(exp.ty)).reshape(len(items))
            case Var(name=name):
                return self.env[name]
            case Let(bindings=bindings, body=body):
                for binding in bindings:
                    self.env[binding.name] = self.eval(binding.value)
                return self.eval(body)
            case Product(items=items):
                return tuple([self.eval(i) for i in items])
            case Op():
                return self.apply(exp)

    def array(self, exp: Exp) -> Value:
        value = self.eval(exp)
        assert not isinstance(value, tuple)
        return value

    def apply(self, exp: Op) -> Value:
        args = [self.argument(a) for a in exp.args]
        try:
            value = np.asarray(exp.prim.meaning(*args))
        except FaultRaised as raised:
            raise raised.fault.error(exp.symbol or exp.prim.name, exp.span, *raised.values) from None
        except MemoryError:
            raise faults.NO_MEMORY.error(exp.symbol, exp.span, "so many") from None
        if value.dtype != dtype_of(exp.ty):
            raise InternalError("evaluate", f"{exp.prim.name} gave {value.dtype}, its type is {exp.ty}")
        if exp.prim is PRINT:
            self.on_print(value, exp.ty)
        return value

    def argument(self, arg: Arg) -> Value | Pointwise:
        if isinstance(arg, Fn | PrimFn):
            return self.pointwise(arg)
        return self.array(arg)

    def pointwise(self, function: Function) -> Pointwise:
        """A function of scalars as a callable on arrays of one shape."""
        if isinstance(function, PrimFn):
            return self.primitive(function)
        if all(_is_liftable(node) for node in walk(function)):
            return self.lifted(function)
        return self.by_element(function)

    def primitive(self, function: PrimFn) -> Pointwise:
        prim = function.prim

        def call(*args: Value) -> Value:
            try:
                return np.asarray(prim.meaning(*args))
            except FaultRaised as raised:
                symbol = function.symbol or prim.name
                raise raised.fault.error(symbol, function.span, *raised.values) from None

        return call

    def lifted(self, function: Fn) -> Pointwise:
        """A body of scalar primitives only works on whole arrays as it stands."""

        def call(*args: Value) -> Value:
            if not np.size(args[0]):
                return np.empty(np.shape(args[0]), dtype=dtype_of(function.body.ty))
            for param, value in zip(function.params, args, strict=True):
                self.env[param.name] = value
            return np.broadcast_to(self.array(function.body), np.shape(args[0]))

        return call

    def by_element(self, function: Fn) -> Pointwise:
        def call(*args: Value) -> Value:
            shape = np.shape(args[0])
            result = np.empty(shape, dtype=dtype_of(function.body.ty))
            for index in np.ndindex(shape):
                for param, value in zip(function.params, args, strict=True):
                    self.env[param.name] = np.asarray(np.asarray(value)[index])
                result[index] = self.array(function.body)
            return result

        return call


def _is_liftable(node: Exp) -> bool:
    """Whether a node means the same when scalar variables hold whole arrays."""
    match node:
        case Lit() | Let():
            return True
        case Op(prim=prim):
            return prim.is_scalar
        case Var(ty=ty):
            return not isinstance(ty, Func | Tuple) and rank_of(ty).const == 0
        case Vec() | Product():
            return False
