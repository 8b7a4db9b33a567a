"""The lowering of recursions that are no loops: functions of the program, and calls of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Function, FunctionCall, Ref
from aplc.laila.ir.scalar import Const, Site, Var
from aplc.laila.lowering.alpha_equivalence import Nameless, nameless
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import (
    Lowered,
    leaf_types,
    leaves_of,
    lengths_of,
    part_in_memory,
    passed,
    reference,
    shaped,
)
from aplc.laila.lowering.pull import Pull, from_buffer, from_scalar
from aplc.tail import faults
from aplc.tail import syntax as t
from aplc.tail.types import Base, Type


@dataclass(frozen=True, slots=True)
class Routine:
    """A function of the program that is being lowered, or has been."""

    name: str
    captured: tuple[str, ...]
    """The variables of its surroundings that it uses."""
    ty: Type
    site: Site


Key = tuple[Nameless, tuple[tuple[int, object], ...], tuple[tuple[int, str], ...]]
"""A function without its names: with the number of the name of each variable of its surroundings that it
uses, and what is constant of that; and with the functions around it that it calls.
"""


class Recursions:
    """The functions of a program, and the calls of them.

    A function that is written once and called at several places has come into the term at each of them. It is
    lowered once, where no place tells more about it than the others.
    """

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self._routines: dict[str, Routine] = {}
        self._lowered: dict[Key, Routine] = {}

    def value(self, exp: t.Rec) -> Lowered:
        """A function that calls itself, and the value of its first call."""
        low, make = self.low, self.low.make
        memory = low.site(faults.NO_MEMORY, "", exp.span)
        inits = [_readable(low, low.lower(i), memory) for i in exp.inits]
        site = low.site(faults.TOO_DEEP, "", exp.span)
        captured = self._captured(exp)
        for name in captured:
            low.bind(name, _readable(low, low.value_of(name), memory))
        key = self._key(exp, captured)
        known = self._lowered.get(key)
        if known is not None and any(f.name == known.name for f in low.functions):
            routine = self._routines[exp.name] = replace(known, captured=captured, site=site)
            return self._invoke(routine, inits)
        routine = self._routines[exp.name] = Routine(make.fresh(exp.name), captured, exp.ty, site)
        with low.inside(()), low.block() as statements:
            parameters: list[Ref] = []
            for name in captured:
                low.bind(name, _parameter(low, name, low.value_of(name), parameters))
            for param in exp.params:
                kinds = leaf_types(param.ty)
                parts = [_leaf_parameter(low, param.name, base, rank, parameters) for base, rank in kinds]
                low.bind(param.name, shaped(param.ty, _of_lengths(low, parts, param.ty)))
            value = low.own(low.lower(exp.body), memory)
            results = tuple([reference(a) for a in leaves_of(value)])
            kept = [a.buffer for a in leaves_of(value) if a.buffer is not None and a.rank]
        body = tuple(with_frees(statements, kept))
        low.add_function(Function(routine.name, tuple(parameters), body, results, site))
        self._lowered[key] = routine
        return self._invoke(routine, inits)

    def call(self, exp: t.Call) -> Lowered:
        """A call of a function of the program from inside its body."""
        low = self.low
        site = low.site(faults.NO_MEMORY, "", exp.span)
        return self._invoke(
            self._routines[exp.name], [_readable(low, low.lower(arg), site) for arg in exp.args]
        )

    def _key(self, exp: t.Rec, captured: tuple[str, ...]) -> Key:
        form, numbers = nameless(replace(exp, inits=(), span=None))  # each place tells its own if too deep
        values = [(numbers.get(name, -1), _constants(self.low.value_of(name))) for name in captured]
        around = [(k, self._routines[name].name) for name, k in numbers.items() if name in self._routines]
        return form, tuple(values), tuple(around)

    def _captured(self, exp: t.Rec) -> tuple[str, ...]:
        """The variables from outside that a function uses, itself or by calling a function around it."""
        names: list[str] = []
        for node in t.walk(exp.body):
            if isinstance(node, t.Var):
                names.append(node.name)
            elif isinstance(node, t.Call) and node.name in self._routines:
                names += self._routines[node.name].captured
        own = {q.name for q in exp.params}
        return tuple([name for name in dict.fromkeys(names) if self.low.in_scope(name) and name not in own])

    def _invoke(self, routine: Routine, args: list[Lowered]) -> Lowered:
        low = self.low
        captured = [a for name in routine.captured for a in leaves_of(low.value_of(name))]
        given = [a for a in captured if a.rank or not isinstance(a.at(), Const)]
        given += [a for arg in args for a in leaves_of(arg)]
        results: list[Pull] = []
        for base, rank in leaf_types(routine.ty):
            result = _fresh(low, "r", base, rank)
            if result.buffer is not None:
                low.adopt(result.buffer)
            results.append(result)
        arguments = tuple([passed(a) for a in given])
        low.emit(FunctionCall(routine.name, arguments, tuple([reference(a) for a in results]), routine.site))
        return shaped(routine.ty, _of_lengths(low, results, routine.ty))


def _readable(low: Lowering, value: Lowered, site: Site) -> Lowered:
    """A value in memory, where a function reads it; a vector that is a part of another one stays there."""
    if isinstance(value, tuple):
        return tuple([_readable(low, v, site) for v in value])
    return value if part_in_memory(value) is not None else low.stored(value, site)


def _constants(value: Lowered) -> object:
    """What a function knows of a value from outside: its types, and what is constant in it."""
    if isinstance(value, tuple):
        return tuple([_constants(v) for v in value])
    if value.rank == 0:
        element = value.at()
        return value.ty, element if isinstance(element, Const) else None
    return value.ty, tuple([n if isinstance(n, Const) else None for n in value.shape])


def _parameter(low: Lowering, hint: str, value: Lowered, parameters: list[Ref]) -> Lowered:
    """Parameters for a value from outside; a constant stays what it is, and so does a constant extent."""
    if isinstance(value, tuple):
        return tuple([_parameter(low, hint, v, parameters) for v in value])
    if value.rank == 0 and isinstance(value.at(), Const):
        return value
    given = _leaf_parameter(low, hint, value.ty, value.rank, parameters)
    if given.buffer is None or not any(isinstance(n, Const) for n in value.shape):
        return given
    extents = [
        known if isinstance(known, Const) else n for known, n in zip(value.shape, given.shape, strict=True)
    ]
    return from_buffer(low.make, given.buffer, tuple(extents))


def _leaf_parameter(low: Lowering, hint: str, base: Base, rank: int, parameters: list[Ref]) -> Pull:
    """A parameter of a function: a variable, or a buffer with variables for its extents."""
    a = _fresh(low, hint, base, rank)
    parameters.append(reference(a))
    return a


def _of_lengths(low: Lowering, arrays: list[Pull], ty: Type) -> list[Pull]:
    """Arrays of a type that are given from elsewhere, with the lengths of vectors that the type tells."""
    result: list[Pull] = []
    for a, length in zip(arrays, lengths_of(ty), strict=True):
        if length > 0 and a.buffer is not None:
            a = from_buffer(low.make, a.buffer, (low.make.const(length),))
        result.append(a)
    return result


def _fresh(low: Lowering, hint: str, base: Base, rank: int) -> Pull:
    """A scalar or an array that is given from elsewhere."""
    make = low.make
    if rank == 0:
        return from_scalar(make, Var(make.fresh(hint), base))
    extents = tuple([Var(make.fresh(f"{hint}_n"), Base.INT, True, (make.zero,)) for _ in range(rank)])
    return from_buffer(make, low.unowned(base, hint), extents)
