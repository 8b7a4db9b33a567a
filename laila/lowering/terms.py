"""Lowering: from TAIL to pull arrays, and from those to the statements of a Laila program.

Every TAIL expression becomes a `Pull`, which costs nothing; statements arise where something must exist in
memory or once: values that are printed or returned, scalars of the host, arrays that it pays to keep (Note
[What is written to memory] in `keeping`), checks.

Inside a function that is applied to elements statements are rare. Where there are some, the value of the
function is a sequence, `BlockExp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from aplc.laila.ir.counts import MAX_COEFFICIENT
from aplc.laila.ir.liveness import mentioned, with_frees
from aplc.laila.ir.program import Output, Parameter, Program, Store
from aplc.laila.ir.scalar import CHARACTER, Buffer, Const, Exp, Site, Var
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.control import Conditionals, Loops
from aplc.laila.lowering.decisions import Decisions
from aplc.laila.lowering.keeping import TABLE_LENGTH
from aplc.laila.lowering.lowered import Lowered, reference
from aplc.laila.lowering.primitives import LOWER
from aplc.laila.lowering.pull import Pull, from_buffer, from_elements, from_known, from_scalar
from aplc.laila.lowering.recursion import Recursions
from aplc.laila.lowering.scalars import lower_scalar
from aplc.laila.lowering.scopes import STORAGE, is_arithmetic
from aplc.laila.lowering.uses import uses_of
from aplc.tail import faults
from aplc.tail import syntax as t
from aplc.tail.faults import Fault
from aplc.tail.syntax import Fn, Let, Lit, Op, PrimFn, Term, TupleExp, Vec, body_of
from aplc.tail.types import Base, Func, Tuple, base_of, rank_of


def lower_program(
    term: Term,
    storage: Mapping[str, str],
    settings: Settings = DEFAULTS,
    decisions: Decisions | None = None,
    result: str = "",
) -> tuple[Program, ExprBuilder]:
    """The program of a TAIL term, and the maker of its expressions.

    `storage` gives the dtype names of inputs that are stored narrower than their type, `result` that of its
    value, which is one array then; empty for the usual one. What is written to
    memory, and why, is noted in `decisions`.
    """
    lowerer = Lowerer(term, settings, decisions)
    params = term.params if isinstance(term, Fn) else ()
    parameters = tuple([lowerer.parameter(q, storage.get(q.name)) for q in params])
    lowerer.result(body_of(term), result)
    statements = tuple(with_frees(lowerer.statements))
    if decisions is not None:
        everything = [*statements, *[s for f in lowerer.functions for s in f.statements]]
        decisions.close([b for s in everything for b in mentioned(s)])
    return Program(parameters, statements, lowerer.functions), lowerer.make


class Lowerer(Lowering):
    """One lowering of a whole term."""

    def __init__(self, term: Term, settings: Settings, decisions: Decisions | None = None) -> None:
        super().__init__(uses_of(term), settings, decisions)
        self._conditionals = Conditionals(self)
        self._loops = Loops(self)
        self._recursions = Recursions(self)
        self.shapes: dict[str, tuple[Exp, ...]] = {}
        """Those of the inputs."""

    def deferred(self, exp: t.Exp) -> Lowered:
        """The value of an expression; a filtered vector need not be computed."""
        match exp:
            case Lit(value=value):
                constant = ord(value) if isinstance(value, str) else value
                return from_scalar(self.make, self.make.const(constant, base_of(exp.ty)))
            case Vec():
                vector = self._vector(exp)
                vector.span = exp.span
                return vector
            case t.Var(name=name):
                return self.value_of(name)
            case Let(body=body):
                self.bindings(exp)
                return self.deferred(body)
            case Op():
                return self._apply(exp)
            case TupleExp(items=items):
                return tuple([self.lower(item) for item in items])
            case t.Item(value=whole, index=index):
                parts = self.lower(whole)
                assert isinstance(parts, tuple)
                return parts[index - 1]
            case t.If():
                return self._conditionals.value(exp)
            case t.Rec():
                with self.decisions.about(exp.span):
                    return self._repeated(exp)
            case t.Call():
                return self._recursions.call(exp)

    def _repeated(self, exp: t.Rec) -> Lowered:
        """The value of a loop, or of a recursion that is none."""
        if self.shows(exp):
            self.settle()
        return (self._recursions if exp.name in self.uses.called else self._loops).value(exp)

    def _apply(self, exp: Op) -> Lowered:
        """A primitive applied to its arguments."""
        symbol, items = exp.symbol or exp.prim.name, self.items

        def site(fault: Fault) -> Site:
            return self.site(fault, symbol, exp.span, items)

        if exp.prim.is_scalar:
            args = tuple([self.scalar(a) for a in exp.args if not isinstance(a, Fn | PrimFn)])
            return from_scalar(self.make, lower_scalar(self.make, exp.prim, site, args))
        with self.decisions.about(exp.span, symbol):
            value = LOWER[exp.prim](self, exp, site)
        if isinstance(value, Pull) and value.span is None:
            value.span = exp.span
        return value

    def _vector(self, exp: Vec) -> Pull:
        """A vector literal: a table if it is long and constant, expressions if it is short, arithmetic if its
        elements follow each other.
        """
        make = self.make
        base = base_of(exp.ty)
        elements = tuple([self.scalar(i) for i in exp.items])
        if len(elements) < TABLE_LENGTH:
            return from_elements(make, elements, base)
        size = make.const(len(elements))
        values = [e.value for e in elements if isinstance(e, Const)]
        if len(values) == len(elements):
            step = _step_of(values) if base in (Base.INT, Base.CHAR) else 0
            if step:
                first, by = make.const(int(values[0])), make.const(step)
                at = lambda ix: _element(make, base, make.add(first, make.mul(by, ix[0])))  # noqa: E731
                return Pull(make, base, (size,), axes=at)
            return from_buffer(make, Buffer(make.fresh("c"), base, STORAGE[base], tuple(values)), (size,))
        if not self.on_host:
            return from_elements(make, elements, base)
        if all(e is elements[0] for e in elements):
            return from_scalar(make, elements[0], (size,))
        buffer = self.allocated(base, size, self.site(faults.NO_MEMORY, "", exp.span))
        self.emit(*[Store(buffer, make.const(k), element) for k, element in enumerate(elements)])
        if is_arithmetic(*elements):
            return from_known(make, buffer, elements)
        return from_buffer(make, buffer, (size,))

    # --- the whole program ---

    def parameter(self, param: t.Param, storage: str | None) -> Parameter:
        """Bring an input into scope."""
        assert not isinstance(param.ty, Func | Tuple)
        make, base, rank = self.make, base_of(param.ty), rank_of(param.ty).const
        buffer = Buffer(make.fresh(param.name), base, storage or STORAGE[base])
        self.inputs.add(buffer)
        names = [f"{param.name}_n{k}" if rank > 1 else f"{param.name}_n" for k in range(rank)]
        extents = tuple([Var(make.fresh(n), Base.INT, True, (make.zero,)) for n in names])
        shape = self.shapes[param.name] = self.shapes.get(param.like, extents)
        array = from_buffer(make, buffer, shape)
        self.bind(param.name, array if rank else from_scalar(make, self.once(array.at(), param.name)))
        return Parameter(param.name, base, buffer, extents, param.like)

    def result(self, body: t.Exp, storage: str = "") -> None:
        """The statements that hand out the value of the program; one array may be stored otherwise."""
        while isinstance(body, Let):
            self.bindings(body)
            body = body.body
        values: list[Lowered] = []
        for item in body.items if isinstance(body, TupleExp) else (body,):
            with self.decisions.about(item.span):
                site = self.site(faults.NO_MEMORY, "", item.span)
                value = self.deferred(item) if storage else self.lower(item)
                values.append(self.own(value, site, storage))
        self.emit(*[Output(reference(value), True) for value in values])


def _element(make: ExprBuilder, base: Base, number: Exp) -> Exp:
    """An integer, or the character with that code."""
    if base is Base.INT:
        return number
    return make.const(number.value, base) if isinstance(number, Const) else make.call(CHARACTER, number)


def _step_of(numbers: list[bool | int | float]) -> int:
    """The step between neighbouring integers, or codes, if it is always the same, and small; otherwise 0."""
    steps = {int(b) - int(a) for a, b in pairwise(numbers)}
    (step,) = steps if len(steps) == 1 else (0,)
    return step if max(abs(int(numbers[0])), abs(step)) <= MAX_COEFFICIENT else 0
