"""The reference interpreter of TAIL: the meaning of a program, in NumPy, small and obvious.

A value is a NumPy array (dtype by base type: int64, float64, bool, uint32 for characters) or a tuple of
values. Primitives do what `meaning` says; a function argument becomes a callable on arrays of one shape
(`Pointwise`), or on whole cells (`CellFunction`). Faults get the position of the primitive and become
`RunError`s. Printing goes to a callback, in program order; random numbers come from one stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import Room, limited
from aplc.tail.display import DIGITS
from aplc.tail.errors import InternalError, RunError
from aplc.tail.faults import TOO_DEEP, FaultRaised
from aplc.tail.meaning.core import DTYPES, CellFunction, Pointwise, Value
from aplc.tail.meaning.overflow import CHECKED
from aplc.tail.meaning.pieces import presented
from aplc.tail.meaning.random_numbers import RandomStream
from aplc.tail.prims import BENCH, CELLS, PIECES, PRESENTED, PRINT, PRINT_WITH, ZIP_CELLS, Prim
from aplc.tail.syntax import (
    Arg,
    Call,
    Exp,
    Fn,
    Function,
    If,
    Item,
    ItemIndex,
    Let,
    Lit,
    Op,
    PrimFn,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    bound_names,
    is_loop,
    prints,
    walk,
)
from aplc.tail.types import Func, Nested, Records, Tuple, Type, base_of, known_length, rank_of

Result = Value | tuple[Any, ...]
OnPrint = Callable[[Result, Type, int], None]
"""Called with a value that is printed, its type, and the number of significant digits (⎕PP)."""

WHOLE_CELLS = frozenset({CELLS, ZIP_CELLS, BENCH, PIECES})
"""Primitives whose function takes arrays."""


def dtype_of(ty: Type) -> np.dtype[Any]:
    """The element type of a data type's values."""
    return DTYPES[base_of(ty)]


def evaluate(
    term: Term,
    inputs: Sequence[Value],
    on_print: OnPrint,
    *,
    check_overflow: bool = False,
    memory_limit: int | None = None,
) -> Result:
    """The value of a program for the given inputs, one array per parameter of an outermost `fn`.

    Integers wrap, or with `check_overflow` are an error where they would. The arrays that the program makes
    have at most `memory_limit` bytes at any time. Raises `RunError` for an APL error of the program.
    """
    room = None if memory_limit is None else Room(memory_limit)
    interpreter = _Interpreter(on_print, CHECKED if check_overflow else {}, room)
    body: Exp
    if isinstance(term, Fn):
        for param, value in zip(term.params, inputs, strict=True):
            given = interpreter.env[param.name] = np.asarray(value, dtype=dtype_of(param.ty))
            if room is not None:
                room.give(given)
        body = term.body
    else:
        body = term
    with np.errstate(all="ignore"), limited(room):
        try:
            return interpreter.eval(body)
        except _Closed as error:
            raise RunError(error.diagnostics) from None


@dataclass(frozen=True, slots=True)
class _Again:
    """A call in tail position: the arguments of the next round."""

    args: list[Result]


MAX_CALLS = 1 << 17
"""So many rounds the interpreter makes of a recursion that has become a loop: it has no more calls."""


class _Closed(RunError):
    """An error in a function that calls itself, which is part of no item."""


@dataclass(slots=True)
class _Interpreter:
    on_print: OnPrint
    instead: dict[Prim, Callable[..., Any]] = field(default_factory=dict)
    """Meanings that take the place of some primitives' own."""
    room: Room | None = None
    """What the arrays that live must fit, if there is a limit."""
    env: dict[str, Result] = field(default_factory=dict)
    recursions: dict[str, Rec] = field(default_factory=dict)
    """Each recursive function under way."""
    activations: dict[str, list[str]] = field(default_factory=dict)
    """The variables that each activation of a recursive function has of its own."""
    random: RandomStream = field(default_factory=RandomStream)

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
            case TupleExp(items=items):
                return tuple([self.eval(i) for i in items])
            case Op():
                return self.apply(exp)
            case Item(value=value, index=index):
                components = self.eval(value)
                assert isinstance(components, tuple)
                return components[index - 1]  # type: ignore[no-any-return]
            case If(condition=condition, then=then, otherwise=otherwise):
                return self.eval(then if self.array(condition) else otherwise)
            case Rec(inits=inits):
                first = [self.eval(i) for i in inits]
                self.recursions[exp.name] = exp
                return self.called(exp, first)
            case Call(name=name, args=arguments):
                values = [self.eval(a) for a in arguments]
                called = self.recursions[name]
                if name not in self.activations:
                    self.activations[name] = list(bound_names(called))
                frame = {n: self.env[n] for n in self.activations[name] if n in self.env}
                result = self.run(called, values)
                self.env.update(frame)
                return result

    def called(self, function: Rec, args: list[Result]) -> Result:
        """The value of a loop, or of a recursive function that is called from outside of it."""
        try:
            return self.run(function, args)
        except RecursionError:
            if is_loop(function):
                raise
            raise _Closed(TOO_DEEP.error("", function.span).diagnostics) from None

    def run(self, function: Rec, args: list[Result]) -> Result:
        """A recursive function on its arguments; calls in tail position are rounds of this loop."""
        try:
            for _ in count() if function.most is None else range(min(function.most, MAX_CALLS)):
                for param, value in zip(function.params, args, strict=True):
                    self.env[param.name] = value
                result = self.tail(function.body, function.name)
                if not isinstance(result, _Again):
                    return result
                args = result.args
            raise TOO_DEEP.error("", function.span)
        except RunError as error:
            if is_loop(function):
                raise
            raise _Closed(error.diagnostics) from None

    def tail(self, exp: Exp, name: str) -> Result | _Again:
        """An expression in tail position of the function of that name."""
        while True:
            match exp:
                case Let(bindings=bindings, body=body):
                    for binding in bindings:
                        self.env[binding.name] = self.eval(binding.value)
                    exp = body
                case If(condition=condition, then=then, otherwise=otherwise):
                    exp = then if self.array(condition) else otherwise
                case Call(name=called, args=arguments) if called == name:
                    return _Again([self.eval(a) for a in arguments])
                case _:
                    return self.eval(exp)

    def array(self, exp: Exp) -> Value:
        value = self.eval(exp)
        assert not isinstance(value, tuple)
        return value

    def apply(self, exp: Op) -> Result:
        prim = exp.prim
        args = [self.argument(a, whole=prim in WHOLE_CELLS) for a in exp.args]
        if prim in PRESENTED:
            args = [presented(value, arg.ty) for value, arg in zip(args, exp.args, strict=True)]
        if prim in (PRINT, PRINT_WITH):
            shown = args[-1]
            assert isinstance(shown, np.ndarray | tuple)
            self.on_print(shown, exp.ty, int(args[0]) if prim is PRINT_WITH else DIGITS)  # type: ignore[arg-type]
            return shown
        try:
            meaning = self.instead.get(prim, prim.meaning)
            value = meaning(self.random, *args) if prim.draws else meaning(*args)
            parts = value if isinstance(value, tuple) else (np.asarray(value),)
            if self.room is not None:
                for part in _arrays(parts):
                    self.room.hold(part)
        except FaultRaised as raised:
            values = raised.fault.told(raised.values, exp.span)
            raise raised.fault.error(exp.symbol or prim.name, exp.span, *values) from None
        except MemoryError:
            raise faults.NO_MEMORY.error(exp.symbol, exp.span, faults.UNTOLD) from None
        for part, ty in zip(_arrays(parts), _types(exp.ty), strict=True):
            if part.dtype != dtype_of(ty):
                raise InternalError("evaluate", f"{prim.name} gave {part.dtype}, its type is {exp.ty}")
        return parts if isinstance(exp.ty, Tuple) else parts[0]

    def argument(self, arg: Arg, *, whole: bool) -> Result | Pointwise | CellFunction:
        if isinstance(arg, Fn) and whole:
            return self.on_cells(arg)
        return self.pointwise(arg) if isinstance(arg, Fn | PrimFn) else self.eval(arg)

    def pointwise(self, function: Function) -> Pointwise:
        """A function of scalars as a callable on arrays of one shape."""
        if isinstance(function, PrimFn):
            return Pointwise(self.primitive(function), function.prim.associative)
        if all(_is_liftable(node) for node in walk(function)):
            return Pointwise(self.lifted(function))
        return Pointwise(self.by_element(function), in_order=prints(function))

    def primitive(self, function: PrimFn) -> Callable[..., Value]:
        prim = function.prim
        meaning = self.instead.get(prim, prim.meaning)

        def call(*args: Value) -> Value:
            try:
                return np.asarray(meaning(*args))
            except FaultRaised as raised:
                symbol = function.symbol or prim.name
                raise raised.fault.error(symbol, function.span, *raised.values) from None

        return call

    def lifted(self, function: Fn) -> Callable[..., Value]:
        """A body of scalar primitives only works on whole arrays as it stands."""

        def call(*args: Value) -> Value:
            if not np.size(args[0]):
                return np.empty(np.shape(args[0]), dtype=dtype_of(function.body.ty))
            for param, value in zip(function.params, args, strict=True):
                self.env[param.name] = value
            try:
                return np.broadcast_to(self.array(function.body), np.shape(args[0]))
            except RunError:
                if function.item is not None:
                    self.by_element(function)(*args)  # fails at an item
                raise

        return call

    def by_element(self, function: Fn) -> Callable[..., Value]:
        def call(*args: Value) -> Value:
            shape = np.shape(args[0])
            result = np.empty(shape, dtype=dtype_of(function.body.ty))
            for index in np.ndindex(shape):
                item = [np.asarray(np.asarray(value)[index]) for value in args]
                result[index] = self.applied(function, item)
            return result

        return call

    def applied(self, function: Fn, args: Sequence[Value]) -> Any:
        """A function of arrays. Its errors name the item, if it is a function of such."""
        for param, value in zip(function.params, args, strict=True):
            self.env[param.name] = value
        if function.item is None:
            return self.eval(function.body)
        try:
            return self.eval(function.body)
        except RunError as error:
            raise self.in_item(error, function, function.item, args) from None

    def in_item(self, error: RunError, function: Fn, item: ItemIndex, args: Sequence[Value]) -> RunError:
        """An error in a function of an item: see Note [Items in errors] of `faults`."""
        if isinstance(error, _Closed):
            return error
        for param, value in zip(function.params, args, strict=True):
            self.env[param.name] = value  # a call inside may have changed them
        numbers = [int(self.array(e)) for part in item.parts for e in part]
        return faults.in_items(error, [item.form.shown(numbers)])

    def on_cells(self, function: Fn) -> CellFunction:
        """A function of arrays."""

        def call(*args: Value) -> Any:
            return self.applied(function, [np.asarray(value) for value in args])

        ranks = [_rank(param.ty) for param in function.params]
        ty = function.body.ty
        if isinstance(ty, Nested | Records):
            return CellFunction(call, tuple(ranks), np.dtype(object), ty.rank.const, None, ty)
        length = known_length(ty)
        known = None if length is None or length.terms else length.const
        return CellFunction(call, tuple(ranks), dtype_of(ty), _rank(ty), known)


def _arrays(value: Result) -> list[Value]:
    """The arrays of a value, from left to right."""
    return [part for each in value for part in _arrays(each)] if isinstance(value, tuple) else [value]


def _types(ty: Type) -> list[Type]:
    """Their types."""
    return [part for each in ty.items for part in _types(each)] if isinstance(ty, Tuple) else [ty]


def _rank(ty: Type) -> int:
    assert not isinstance(ty, Func | Tuple)
    return rank_of(ty).const


def _is_liftable(node: Exp) -> bool:
    """Whether a node means the same when scalar variables hold whole arrays."""
    match node:
        case Lit() | Let():
            return True
        case Op(prim=prim):
            return prim.is_scalar
        case Var(ty=ty):
            return not isinstance(ty, Func | Tuple) and rank_of(ty).const == 0
        case Vec() | TupleExp() | Item() | If() | Rec() | Call():
            return False
