"""Lowering: from TAIL to pull arrays, and from those to the statements of a Laila program.

Every TAIL expression becomes a `Pull`, which costs nothing; statements arise where something must exist in
memory or once: values that are printed or returned, scalars of the host, arrays that it pays to keep
(`keep`), checks.

Note [What is written to memory]
    An array is computed at its use unless that would be wrong or dear. It is written when its elements go
    to several places (`uses`) and recomputing them costs more than a store and a load (`KEEP_COST`), when
    each is wanted many times (the operands of products, of `⍳`, of repetition), and when some elements
    might be dropped whose computation may fail.

Inside a function that is applied to elements there are no statements: what must be checked is attached to
its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from laila import lower_prims
from laila.lower_scalars import lower_scalar
from laila.program import (
    Alloc,
    ArrayRef,
    HostCheck,
    HostLet,
    Map,
    Output,
    Parameter,
    Program,
    Put,
    ScalarRef,
    Space,
    Statement,
)
from laila.pull import Pull, from_buffer, from_elements, from_scalar
from laila.scalar import Buffer, Const, Exp, Read, Site, Var, nodes
from laila.simplify import Scalars
from laila.unlowered import refuse_unlowered
from laila.uses import count_sinks
from tail import faults
from tail import prims as p
from tail import syntax as t
from tail.faults import Fault
from tail.source import Span
from tail.syntax import Arg, Fn, Let, Lit, Op, PrimFn, Product, Term, Vec, body_of, names_in_functions
from tail.types import Base, Func, Tuple, base_of, rank_of

KEEP_COST = 8
TABLE_LENGTH = 5

STORAGE = {Base.INT: "int64", Base.DOUBLE: "float64", Base.BOOL: "bool", Base.CHAR: "uint32"}
"""How the elements of a base type are stored."""


def lower_program(term: Term, storage: Mapping[str, str]) -> tuple[Program, Scalars]:
    """The program of a TAIL term, and the maker of its expressions.

    `storage` gives the dtype names of inputs that are stored narrower than their type.
    """
    refuse_unlowered(term)
    lowerer = Lowerer(term)
    parameters = (
        [lowerer.parameter(q, storage.get(q.name)) for q in term.params] if isinstance(term, Fn) else []
    )
    lowerer.result(body_of(term))
    return Program(tuple(parameters), tuple(lowerer.statements)), lowerer.make


class Lowerer:
    """The state of one lowering: statements so far, and the pull arrays of the variables in scope."""

    def __init__(self, term: Term) -> None:
        self.make = Scalars()
        self.statements: list[Statement] = []
        self.env: dict[str, Pull] = {}
        self.pending: list[tuple[Exp, Site, tuple[Exp, ...]]] | None = None
        """Checks of the function body at hand; None on the host."""
        self.sites: dict[tuple[Fault, str, Span | None], Site] = {}
        self.owned: set[Buffer] = set()
        """Buffers of this program that nobody outside holds."""
        self.sinks = count_sinks(term)
        self.prints = t.prints(term)
        self.unsettled: list[str] = []
        """Bindings not in memory whose computation may fail, where the program prints."""
        self.captured = names_in_functions(term)

    @property
    def on_host(self) -> bool:
        """Whether statements may be emitted here."""
        return self.pending is None

    def site(self, fault: Fault, symbol: str, span: Span | None) -> Site:
        """The one site of a fault at a place of the source."""
        return self.sites.setdefault((fault, symbol, span), Site(fault, symbol, span))

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

    def require(self, ok: Exp, site: Site, *reported: Exp) -> None:
        """An APL error unless the condition holds."""
        if ok is self.make.true:
            return
        if self.pending is None:
            self.statements.append(HostCheck(ok, site, reported))
        else:
            self.pending.append((ok, site, reported))

    def once(self, value: Exp, hint: str, *, likely: bool = False) -> Exp:
        """A scalar of the host, computed once; inside a function the expression itself."""
        if not self.on_host or isinstance(value, Const | Var):
            return value
        var = Var(self.make.fresh(hint), value.ty, likely=likely)
        self.statements.append(HostLet(var, value))
        return var

    def extent(self, value: Exp, *highs: Exp) -> Exp:
        """A value known not to be negative, as an extent or offset that can be reasoned with."""
        if isinstance(value, Const) or (self.make.nonnegative(value) and not highs):
            return value
        return self.counted(value, (self.make.zero,), highs) if self.on_host else value

    def checked_extent(self, value: Exp, site: Site) -> Exp:
        """An extent that comes from the user's data: an error if it is negative."""
        make = self.make
        if not self.on_host or isinstance(value, Const) or make.nonnegative(value):
            self.require(make.call(p.GTEI, value, make.zero), site, value)
            return value
        raw = self.counted(value, (), ())
        self.require(make.call(p.GTEI, raw, make.zero), site, raw)
        return self.counted(raw, (make.zero,), ())

    def counted(self, value: Exp, lows: tuple[Exp, ...], highs: tuple[Exp, ...]) -> Var:
        """A host variable for a count, with what is known of it; one that exists already is known better
        now.
        """
        if isinstance(value, Var):
            return Var(value.name, Base.INT, True, lows, highs)
        var = Var(self.make.fresh("n"), Base.INT, True, lows, highs)
        self.statements.append(HostLet(var, value))
        return var

    def materialise(self, a: Pull, site: Site | None = None) -> Pull:
        """The array in memory of its own."""
        make = self.make
        assert self.on_host
        buffer = Buffer(make.fresh("a"), a.ty, STORAGE[a.ty])
        self.owned.add(buffer)
        shape = tuple([self.once(n, "n") if not _is_simple(n) else n for n in a.shape])
        place = site or self.site(faults.NO_MEMORY, "", None)
        self.statements.append(Alloc(buffer, make.product(shape), place))
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
            position = make.zero
            for extent, i in zip(source.shape, indices, strict=True):
                position = make.add(make.mul(position, extent), i)
            body = source.at(*indices)
        self.statements.append(Map(buffer, space, position, body))
        return from_buffer(make, buffer, shape)

    def in_memory(self, a: Pull, site: Site) -> Pull:
        """The array, in memory that holds exactly its elements in their own type."""
        if a.buffer is not None and a.buffer.data is None and a.buffer.storage == STORAGE[a.ty]:
            return a
        return self.materialise(a, site)

    def shared(self, a: Pull) -> Pull:
        """An array whose elements will be wanted many times."""
        return self.materialise(a) if self.on_host and a.rank and a.weight.cost > 1 else a

    def forced(self, a: Pull) -> Pull:
        """An array of which elements may be dropped: their errors must come all the same."""
        if not self.on_host or not a.weight.may_fail:
            return a
        return self.materialise(a) if a.rank else from_scalar(self.make, self.once(a.at(), "v"))

    def settle(self) -> None:
        """Compute the bindings that may fail and are not in memory, before something is printed."""
        for name in self.unsettled:
            self.env[name] = self.forced(self.env[name])
        self.unsettled.clear()

    # --- expressions ---

    def lower(self, exp: t.Exp) -> Pull:
        """The pull array of an expression; rank 0 for scalars."""
        match exp:
            case Lit(value=value):
                constant = ord(value) if isinstance(value, str) else value
                return from_scalar(self.make, self.make.const(constant, base_of(exp.ty)))
            case Vec():
                return self.vector(exp)
            case t.Var(name=name):
                return self.env[name]
            case Let(bindings=bindings, body=body):
                for binding in bindings:
                    self.env[binding.name] = self.keep(binding.name, self.lower(binding.value))
                return self.lower(body)
            case Op():
                return self.apply(exp)
            case Product() | t.Item() | t.If() | t.Rec() | t.Call():
                raise AssertionError(f"not lowered: {exp}")

    def apply(self, exp: Op) -> Pull:
        """A primitive applied to lowered arguments."""

        def site(fault: Fault) -> Site:
            return self.site(fault, exp.symbol or exp.prim.name, exp.span)

        if exp.prim.is_scalar:
            args = tuple([self.lower(a).at() for a in exp.args if not isinstance(a, Fn | PrimFn)])
            return from_scalar(self.make, lower_scalar(self.make, exp.prim, site, args))
        return lower_prims.LOWER[exp.prim](self, exp, site)

    def vector(self, exp: Vec) -> Pull:
        """A vector literal: a table if it is long and constant, expressions if it is short."""
        make = self.make
        base = base_of(exp.ty)
        elements = tuple([self.lower(i).at() for i in exp.items])
        if len(elements) < TABLE_LENGTH:
            return from_elements(make, elements, base)
        size = make.const(len(elements))
        values = [e.value for e in elements if isinstance(e, Const)]
        if len(values) == len(elements):
            return from_buffer(make, Buffer(make.fresh("c"), base, STORAGE[base], tuple(values)), (size,))
        if not self.on_host:
            return from_elements(make, elements, base)
        buffer = Buffer(make.fresh("a"), base, STORAGE[base])
        self.owned.add(buffer)
        self.statements.append(Alloc(buffer, size, self.site(faults.NO_MEMORY, "", exp.span)))
        for k, element in enumerate(elements):
            self.statements.append(Put(buffer, make.const(k), element))
        return from_buffer(make, buffer, (size,))

    def keep(self, name: str, a: Pull) -> Pull:
        """The array of a binding: see Note [What is written to memory]."""
        if not self.on_host:
            return a
        if a.rank == 0:
            return from_scalar(self.make, self.once(a.at(), name))
        if a.buffer is not None:
            return a
        if name in self.captured:
            return self.shared(a)
        sinks = self.sinks.get(name, 0)
        if sinks == 0:
            return self.forced(a)
        if sinks > 1 and (sinks - 1) * a.weight.cost > KEEP_COST:
            return self.materialise(a)
        if self.prints and a.weight.may_fail:
            self.unsettled.append(name)
        return a

    def function(self, arg: Arg) -> Callable[..., Exp]:
        """A function argument as a function on scalar expressions."""
        if isinstance(arg, PrimFn):
            prim, symbol, span = arg.prim, arg.symbol or arg.prim.name, arg.span
            return lambda *args: lower_scalar(self.make, prim, lambda f: self.site(f, symbol, span), args)
        assert isinstance(arg, Fn)
        params, body = arg.params, arg.body

        def call(*args: Exp) -> Exp:
            with self.inside() as pending:
                for param, value in zip(params, args, strict=True):
                    self.env[param.name] = from_scalar(self.make, value)
                result = self.lower(body).at()
            for ok, site, reported in reversed(pending):
                result = self.make.check(ok, result, site, *reported)
            return result

        return call

    @contextmanager
    def inside(self) -> Iterator[list[tuple[Exp, Site, tuple[Exp, ...]]]]:
        """The body of a function: no statements here."""
        outer, self.pending = self.pending, []
        try:
            yield self.pending
        finally:
            self.pending = outer

    # --- results ---

    def printed(self, arg: Arg, span: Span | None) -> Pull:
        """Print a value; an array is then in memory, for later uses too."""
        assert not isinstance(arg, Fn | PrimFn)
        self.settle()  # first: what is printed may be one of them
        value = self.lower(arg)
        if value.rank == 0:
            value = from_scalar(self.make, self.once(value.at(), "v"))
            self.statements.append(Output(ScalarRef(value.at()), False))
            return value
        value = self.in_memory(value, self.site(faults.NO_MEMORY, "", span))
        if isinstance(arg, t.Var):
            self.env[arg.name] = value
        assert value.buffer is not None
        self.statements.append(Output(ArrayRef(value.buffer, value.shape), False))
        return value

    def result(self, body: t.Exp) -> None:
        """The statements that hand out the value of the program."""
        while isinstance(body, Let):
            for binding in body.bindings:
                self.env[binding.name] = self.keep(binding.name, self.lower(binding.value))
            body = body.body
        for item in body.items if isinstance(body, Product) else (body,):
            value = self.lower(item)
            if value.rank == 0:
                self.statements.append(Output(ScalarRef(self.once(value.at(), "result")), True))
                continue
            if value.buffer not in self.owned:
                value = self.materialise(value, self.site(faults.NO_MEMORY, "", item.span))
            assert value.buffer is not None
            self.owned.discard(value.buffer)
            self.statements.append(Output(ArrayRef(value.buffer, value.shape), True))


def _is_simple(exp: Exp) -> bool:
    """Whether an extent is nearly as cheap to repeat as a name."""
    return all(k < 6 and not isinstance(n, Read) for k, n in enumerate(nodes(exp)))


def _index_names(rank: int) -> list[str]:
    return ["i", "j", "k"][:rank] if rank <= 3 else [f"i{axis}" for axis in range(rank)]
