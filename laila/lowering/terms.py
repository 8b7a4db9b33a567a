"""Lowering: from TAIL to pull arrays, and from those to the statements of a Laila program.

Every TAIL expression becomes a `Pull`, which costs nothing; statements arise where something must exist in
memory or once: values that are printed or returned, scalars of the host, arrays that it pays to keep
(`keep`), checks.

Note [What is written to memory]
    An array is computed at its use unless that would be wrong or dear. It is written when its elements go
    to several places (`uses`) and recomputing them costs more than a store and a load (`KEEP_COST`), when
    each is wanted many times (the operands of products, of `⍳`, of repetition), and when some elements
    might be dropped whose computation may fail.

Inside a function that is applied to elements statements are rare. Where there are some, the value of the
function is a sequence, `Do`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from aplc.laila.ir.counts import MAX_COEFFICIENT
from aplc.laila.ir.liveness import buffers_read, mentioned, with_frees
from aplc.laila.ir.program import Empty, HostLet, Map, Output, Parameter, Program, Put, Space, Take
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, Read, Site, Sum, Var, certainly, nodes
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.laila.ir.simplify import Scalars
from aplc.laila.lowering import control as lower_control
from aplc.laila.lowering import prims as lower_prims
from aplc.laila.lowering import recursion as lower_recursion
from aplc.laila.lowering import select as lower_select
from aplc.laila.lowering.decisions import ERRORS, OWN_MEMORY, PRINTED, RESULT, Decisions, used_twice
from aplc.laila.lowering.last_use import last_copies
from aplc.laila.lowering.lowered import Lowered, leaves_of, reference
from aplc.laila.lowering.pull import Pull, from_buffer, from_elements, from_index, from_scalar
from aplc.laila.lowering.scalars import lower_scalar
from aplc.laila.lowering.scopes import STORAGE, Scopes
from aplc.laila.lowering.uses import captured_names, count_sinks
from aplc.tail import faults
from aplc.tail import syntax as t
from aplc.tail.faults import Fault
from aplc.tail.optimise.each import Printing
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Fn, Let, Lit, Op, PrimFn, Product, Term, Vec, body_of
from aplc.tail.types import Base, Func, Tuple, base_of, rank_of

KEEP_COST = 8
LIGHT = 3
"""So few operations on indices and scalars are quicker done again than an element is read."""
TABLE_LENGTH = 5


def lower_program(
    term: Term,
    storage: Mapping[str, str],
    settings: Settings = DEFAULTS,
    decisions: Decisions | None = None,
) -> tuple[Program, Scalars]:
    """The program of a TAIL term, and the maker of its expressions.

    `storage` gives the dtype names of inputs that are stored narrower than their type. What is written to
    memory, and why, is noted in `decisions`.
    """
    lowerer = Lowerer(term, settings, decisions)
    parameters = (
        [lowerer.parameter(q, storage.get(q.name)) for q in term.params] if isinstance(term, Fn) else []
    )
    lowerer.result(body_of(term))
    statements = tuple(with_frees(lowerer.statements))
    program = Program(tuple(parameters), statements, tuple(lowerer.functions))
    if decisions is not None:
        everything = [*statements, *[s for f in program.functions for s in f.statements]]
        decisions.close([b for s in everything for b in mentioned(s)])
    return program, lowerer.make


class Lowerer(Scopes):
    """The state of one lowering: statements so far, and the pull arrays of the variables in scope."""

    def __init__(self, term: Term, settings: Settings, decisions: Decisions | None = None) -> None:
        super().__init__(settings, decisions)
        self.sinks = count_sinks(term)
        self.prints = t.prints(term)
        self.printing = Printing()
        self.called = t.called_inside(term)
        """The recursive functions with a call that is no jump."""
        captured = captured_names(term)
        self.captured, self.chosen = captured.repeated, captured.chosen
        self.last_copies = last_copies(term)

    # --- statements ---

    def parameter(self, param: t.Param, storage: str | None) -> Parameter:
        """Bring an input into scope."""
        assert not isinstance(param.ty, Func | Tuple)
        base = base_of(param.ty)
        buffer = Buffer(self.make.fresh(param.name), base, storage or STORAGE[base])
        rank = rank_of(param.ty).const
        names = [f"{param.name}_n{k}" if rank > 1 else f"{param.name}_n" for k in range(rank)]
        extents = tuple([Var(self.make.fresh(n), Base.INT, True, (self.make.zero,)) for n in names])
        array = from_buffer(self.make, buffer, extents)
        self.env[param.name] = array if rank else from_scalar(self.make, self.once(array.at(), param.name))
        return Parameter(param.name, base, buffer, extents)

    def materialise(self, a: Pull, site: Site | None = None, why: str = "", *, asked: bool = False) -> Pull:
        """The array in memory of its own."""
        make = self.make
        if site is None or site.span is None:
            site = self.site(faults.NO_MEMORY, "", a.span)
        if a.filtered is not None:
            result = lower_select.computed(self, a.filtered, site)
            assert result.buffer is not None
            self.decisions.kept(result.buffer, a.span, why)
            return result
        shape = tuple([self.once(n, "n") if not _is_simple(n) else n for n in a.shape])
        buffer = self.allocated(a.ty, make.product(shape), site, asked=asked)
        self.fill_buffer(buffer, a, why=why)
        return from_buffer(make, buffer, shape)

    def fill_buffer(self, buffer: Buffer, a: Pull, start: Exp | None = None, why: str = "") -> None:
        """Write the elements of an array to memory, from a position on."""
        make = self.make
        self.decisions.kept(buffer, a.span, why)
        if a.elements and start is None:
            self.statements += [Put(buffer, make.const(k), e) for k, e in enumerate(a.elements)]
            return
        source = a
        if a.unravelled is not None:
            source = a.unravelled
        if source.flat is not None:
            size = make.product(source.shape)
            indices: tuple[Var, ...] = (make.index("i", size),)
            space = Space(indices, (size,))
            position: Exp = indices[0]
            body = source.at_flat(position)
        else:
            indices = tuple(
                [make.index(h, n) for h, n in zip(_index_names(source.rank), source.shape, strict=True)]
            )
            space = Space(indices, source.shape)
            position = from_index(make, source.shape, indices)
            body = source.at(*indices)
        if start is not None:
            position = make.add(start, position)
        self.statements.append(Map(buffer, space, position, body))

    def in_memory(self, a: Pull, site: Site, why: str = "") -> Pull:
        """The array, in memory that holds exactly its elements in their own type."""
        if a.buffer is not None and a.buffer.data is None and a.buffer.storage == STORAGE[a.ty]:
            return a
        return self.materialise(a, site, why)

    def shared(self, a: Pull) -> Pull:
        """An array whose elements will be wanted many times."""
        if not a.rank or a.weight.cost <= 1 or a.buffer is not None or _is_light(a):
            return a
        pays = self.on_host or a.weight.cost > KEEP_COST
        return self.materialise(a, why=self.decisions.wanted()) if pays else a

    def forced(self, a: Pull) -> Pull:
        """An array of which elements may be dropped: their errors must come all the same."""
        if not a.weight.may_fail:
            return a
        if a.rank:
            return self.materialise(a, why=ERRORS)
        var = Var(self.make.fresh("v"), a.ty)
        self.decisions.place(var, a.span)
        self.statements.append(HostLet(var, a.at()))
        return from_scalar(self.make, var)

    def forced_all(self, value: Lowered) -> Lowered:
        """All arrays of a value, forced."""
        return tuple([self.forced_all(v) for v in value]) if isinstance(value, tuple) else self.forced(value)

    def shows(self, exp: t.Exp) -> bool:
        """Whether an expression prints or has another effect, so that its order matters."""
        return self.prints and self.printing.of(exp)

    def settle(self) -> None:
        """Compute the bindings that may fail and are not in memory, before something is printed; not those
        of which a later one takes each element, so that a chain of them is computed once.
        """
        computed: dict[tuple[Exp, ...], set[int]] = {}
        wanted: list[str] = []
        for name in reversed(self.unsettled):
            failing = [a for a in leaves_of(self.env[name]) if a.weight.may_fail]
            if any(id(a.sample()) not in computed.get(a.shape, ()) for a in failing):
                wanted.append(name)
                for a in failing:
                    if len(set(a.shape)) == a.rank:  # else one sample could stand for several elements
                        certain = {id(node) for node in nodes(a.sample(), below=certainly)}
                        computed.setdefault(a.shape, set()).update(certain)
        for name in reversed(wanted):
            self.bind(name, self.forced_all(self.env[name]))
        self.unsettled = []

    # --- expressions ---

    def lower(self, exp: t.Exp) -> Lowered:
        """The value of an expression."""
        value = self.deferred(exp)
        if isinstance(value, Pull) and value.filtered is not None:
            value = self.materialise(value)
            if isinstance(exp, t.Var):
                self.bind(exp.name, value)
        return value

    def deferred(self, exp: t.Exp) -> Lowered:
        """The value of an expression; a filtered vector need not be computed."""
        match exp:
            case Lit(value=value):
                constant = ord(value) if isinstance(value, str) else value
                return from_scalar(self.make, self.make.const(constant, base_of(exp.ty)))
            case Vec():
                vector = self.vector(exp)
                vector.span = exp.span
                return vector
            case t.Var(name=name):
                return self.env[name]
            case Let(body=body):
                self.bindings(exp)
                return self.deferred(body)
            case Op():
                return self.apply(exp)
            case Product(items=items):
                return tuple([self.lower(item) for item in items])
            case t.Item(value=whole, index=index):
                parts = self.lower(whole)
                assert isinstance(parts, tuple)
                return parts[index - 1]
            case t.If():
                return lower_control.conditional(self, exp)
            case t.Rec():
                outer = self.decisions.enter(exp.span, "")
                result = lower_control.recursion(self, exp)
                self.decisions.subject = outer
                return result
            case t.Call():
                return lower_recursion.call(self, exp)

    def bindings(self, exp: Let) -> None:
        """The bindings of a block."""
        for binding in exp.bindings:
            outer = self.decisions.enter(binding.value.span, "")
            self.bind(binding.name, self.keep(binding.name, self.deferred(binding.value)))
            self.decisions.subject = outer

    def array(self, exp: t.Exp) -> Pull:
        """The array of an expression that is no tuple; of rank 0 for scalars."""
        value = self.lower(exp)
        assert isinstance(value, Pull)
        return value

    def scalar(self, exp: t.Exp) -> Exp:
        """The value of an expression of rank 0."""
        return self.array(exp).at()

    def apply(self, exp: Op) -> Lowered:
        """A primitive applied to lowered arguments."""

        def site(fault: Fault) -> Site:
            return self.site(fault, exp.symbol or exp.prim.name, exp.span)

        if exp.prim.is_scalar:
            args = tuple([self.scalar(a) for a in exp.args if not isinstance(a, Fn | PrimFn)])
            return from_scalar(self.make, lower_scalar(self.make, exp.prim, site, args))
        outer = self.decisions.enter(exp.span, exp.symbol or exp.prim.name)
        value = lower_prims.LOWER[exp.prim](self, exp, site)
        self.decisions.subject = outer
        if isinstance(value, Pull) and value.span is None:
            value.span = exp.span
        return value

    def vector(self, exp: Vec) -> Pull:
        """A vector literal: a table if it is long and constant, expressions if it is short."""
        make = self.make
        base = base_of(exp.ty)
        elements = tuple([self.scalar(i) for i in exp.items])
        if len(elements) < TABLE_LENGTH:
            return from_elements(make, elements, base)
        size = make.const(len(elements))
        values = [e.value for e in elements if isinstance(e, Const)]
        if len(values) == len(elements):
            step = _step_of(values) if base is Base.INT else 0
            if step:
                first, by = make.const(values[0]), make.const(step)
                return Pull(make, base, (size,), axes=lambda ix: make.add(first, make.mul(by, ix[0])))
            return from_buffer(make, Buffer(make.fresh("c"), base, STORAGE[base], tuple(values)), (size,))
        if not self.on_host:
            return from_elements(make, elements, base)
        buffer = self.allocated(base, size, self.site(faults.NO_MEMORY, "", exp.span))
        for k, element in enumerate(elements):
            self.statements.append(Put(buffer, make.const(k), element))
        return from_buffer(make, buffer, (size,))

    def keep(self, name: str, value: Lowered) -> Lowered:
        """The value of a binding: see Note [What is written to memory]."""
        if isinstance(value, tuple):
            return tuple([self.keep(name, v) for v in value])
        a = value
        if a.filtered is not None and not lower_select.may_wait(self, name, a.filtered):
            a = lower_select.computed(self, a.filtered)
        if not self.on_host:
            return a if self.sinks.get(name, 1) else self.forced(a)
        if a.rank == 0:
            return from_scalar(self.make, self.once(a.at(), name))
        if a.buffer is not None:
            return a
        if name in self.chosen and a.weight.may_fail:
            return self.forced(a)
        if name in self.captured:
            return self.shared(a)
        sinks = self.sinks.get(name, 0)
        if sinks == 0:
            return self.forced(a)
        if sinks > 1 and (sinks - 1) * a.weight.cost > KEEP_COST:
            return self.materialise(a, why=used_twice(sinks, a.weight.cost))
        if self.prints and a.weight.may_fail:
            self.unsettled.append(name)
        return a

    def function(self, arg: Arg) -> Callable[..., Exp]:
        """A function argument as a function on scalar expressions."""
        if isinstance(arg, PrimFn):
            prim, symbol, span = arg.prim, arg.symbol or arg.prim.name, arg.span
            return lambda *args: lower_scalar(self.make, prim, lambda f: self.site(f, symbol, span), args)
        assert isinstance(arg, Fn)

        def call(*args: Exp) -> Exp:
            with self.block(on_host=False) as statements:
                result = self.applied(arg, *[from_scalar(self.make, a) for a in args])
                assert isinstance(result, Pull)
                return self.closed(statements, result.at())

        return call

    def applied(self, function: Fn, *args: Lowered) -> Lowered:
        """A function of arrays, in the block at hand."""
        for param, value in zip(function.params, args, strict=True):
            self.bind(param.name, value)
        return self.lower(function.body)

    # --- memory that changes hands ---

    def taken(self, a: Pull) -> Pull:
        """The memory of an array under another name, so that it may be changed; its old name is dead."""
        assert a.buffer is not None
        target = self.buffer(a.ty, a.buffer.name)
        self.statements += [Empty(target), Take(target, a.buffer)]
        del self.owned[a.buffer]
        return from_buffer(self.make, target, a.shape)

    def is_dead(self, buffer: Buffer, live: frozenset[str]) -> bool:
        """Whether no variable that lives on, nor one that must still be computed, reads a buffer."""
        for name in (*live, *self.unsettled):
            for a in leaves_of(self.env[name]) if name in self.env else ():
                if buffer is a.buffer or (a.buffer is None and buffer in buffers_read(*a.shape, a.sample())):
                    return False
        return True

    def copied(self, exp: Op) -> Pull:
        """An array that may be changed: in memory of its own, or of a variable that is not used again."""
        (arg,) = exp.args
        assert not isinstance(arg, Fn | PrimFn)
        a = self.array(arg)
        live = self.last_copies.get(id(exp))
        if live is not None and a.buffer in self.owned and self.is_dead(a.buffer, live):
            return self.taken(a)
        return self.materialise(a, self.site(faults.NO_MEMORY, exp.symbol, exp.span), OWN_MEMORY)

    # --- results ---

    def printed(self, arg: t.Exp, span: Span | None, digits: Exp | None = None) -> Lowered:
        """Print a value; an array is then in memory, for later uses too."""
        self.settle()  # first: what is printed may be one of them
        value = self.stored(self.lower(arg), self.site(faults.NO_MEMORY, "", span), PRINTED)
        if isinstance(arg, t.Var):
            self.bind(arg.name, value)
        self.statements.append(Output(reference(value), False, digits))
        return value

    def stored(self, value: Lowered, site: Site, why: str = "") -> Lowered:
        """A value all of whose arrays are in memory, and whose scalars have been computed."""
        if isinstance(value, tuple):
            return tuple([self.stored(v, site, why) for v in value])
        if value.rank:
            return self.in_memory(value, site, why)
        return from_scalar(self.make, self.named(value.at(), "v"))

    def own(self, value: Lowered, site: Site) -> Lowered:
        """A value all of whose arrays are in memory that can be given away."""
        if isinstance(value, tuple):
            return tuple([self.own(v, site) for v in value])
        if not value.rank:
            return from_scalar(self.make, self.named(value.at(), "result"))
        if value.buffer not in self.owned or self.owned[value.buffer] < self.level:
            value = self.materialise(value, site, RESULT)
        assert value.buffer is not None
        del self.owned[value.buffer]
        return value

    def result(self, body: t.Exp) -> None:
        """The statements that hand out the value of the program."""
        while isinstance(body, Let):
            self.bindings(body)
            body = body.body
        values: list[Lowered] = []
        for item in body.items if isinstance(body, Product) else (body,):
            self.decisions.enter(item.span, "")
            values.append(self.own(self.lower(item), self.site(faults.NO_MEMORY, "", item.span)))
        self.statements += [Output(reference(value), True) for value in values]


def _is_light(a: Pull) -> bool:
    """Whether elements are made of their index by a few operations, and without reading anything."""
    if a.weight.cost > LIGHT or a.weight.may_fail:
        return False
    return all(isinstance(n, Call | Const | Sum | Var) for n in nodes(a.sample()))


def _is_simple(exp: Exp) -> bool:
    """Whether an extent is nearly as cheap to repeat as a name."""
    return all(k < 6 and not isinstance(n, Read) for k, n in enumerate(nodes(exp)))


def _index_names(rank: int) -> list[str]:
    return ["i", "j", "k"][:rank] if rank <= 3 else [f"i{axis}" for axis in range(rank)]


def _step_of(numbers: list[bool | int | float]) -> int:
    """The step between neighbouring integers if it is always the same, and small; otherwise 0."""
    steps = {int(b) - int(a) for a, b in pairwise(numbers)}
    (step,) = steps if len(steps) == 1 else (0,)
    return step if max(abs(int(numbers[0])), abs(step)) <= MAX_COEFFICIENT else 0
