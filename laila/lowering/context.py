"""The terms in which TAIL is lowered: what the lowering of a primitive may ask for.

A primitive is lowered by a function of a `Lowering`, of the application, and of a maker of error sites. The
`Lowering` gives it the values of its arguments (`array`, `function`), scalars and conditions of the host
(`once`, `extent`, `require`) and memory (`shared`, `forced`, `materialise`, `allocated`), and takes the
statements that it emits (`emit`, `block`). What is left open here, the value of any expression, `terms`
implements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from aplc.laila.ir.liveness import buffers_read, with_frees
from aplc.laila.ir.program import HostLet, Statement
from aplc.laila.ir.scalar import Buffer, Const, Exp, Var, certainly, nodes
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.laila.ir.statements import do
from aplc.laila.lowering import keeping
from aplc.laila.lowering.decisions import BEFORE_CHANGE, Decisions
from aplc.laila.lowering.keeping import Keeping
from aplc.laila.lowering.last_use import SHAPE_OF
from aplc.laila.lowering.lowered import Lowered, leaves_of
from aplc.laila.lowering.memory import Memory
from aplc.laila.lowering.pull import Pull, from_scalar
from aplc.laila.lowering.scalars import lower_scalar
from aplc.laila.lowering.scopes import ItemAt
from aplc.laila.lowering.uses import Uses
from aplc.tail import syntax as t
from aplc.tail.optimise.map_fusion import Printing
from aplc.tail.syntax import Arg, Fn, Let, PrimFn


class Lowering(Memory, ABC):
    """The state of one lowering: the program so far, its memory, and the values of the variables in scope."""

    def __init__(self, uses: Uses, settings: Settings = DEFAULTS, decisions: Decisions | None = None) -> None:
        super().__init__(settings, decisions)
        self.uses = uses
        self._printing = Printing()

    # --- values ---

    @abstractmethod
    def deferred(self, exp: t.Exp) -> Lowered:
        """The value of an expression; a filtered vector need not be computed."""

    def lower(self, exp: t.Exp) -> Lowered:
        """The value of an expression."""
        value = self.deferred(exp)
        if isinstance(value, Pull) and value.filtered is not None:
            value = self.materialise(value)
            if isinstance(exp, t.Var):
                self.bind(exp.name, value)
        return value

    def array(self, arg: Arg) -> Pull:
        """The array of an argument that is neither a function nor a tuple; of rank 0 for scalars."""
        assert not isinstance(arg, Fn | PrimFn)
        value = self.lower(arg)
        assert isinstance(value, Pull)
        return value

    def deferred_array(self, arg: Arg) -> Pull:
        """The same; a filtered vector need not be computed."""
        assert not isinstance(arg, Fn | PrimFn)
        value = self.deferred(arg)
        assert isinstance(value, Pull)
        return value

    def scalar(self, arg: Arg) -> Exp:
        """The value of an argument of rank 0."""
        return self.array(arg).at()

    def function(self, arg: Arg) -> Callable[..., Exp]:
        """A function argument as a function on scalar expressions."""
        items = self.items
        if isinstance(arg, PrimFn):
            prim, symbol, span = arg.prim, arg.symbol or arg.prim.name, arg.span
            return lambda *args: lower_scalar(
                self.make, prim, lambda f: self.site(f, symbol, span, items), args
            )
        assert isinstance(arg, Fn)

        def call(*args: Exp) -> Exp:
            with self.inside(items), self.block(on_host=False) as statements:
                result = self.applied(arg, *[from_scalar(self.make, a) for a in args])
                assert isinstance(result, Pull)
                return self._after(statements, result.at())

        return call

    def _after(self, statements: list[Statement], value: Exp) -> Exp:
        """The value of a function after its statements, which free what they allocate."""
        if not statements:
            return value
        if not isinstance(value, Const | Var):
            var = Var(self.make.fresh("t"), value.ty)
            statements.append(HostLet(var, value))
            value = var
        return do(with_frees(statements), value)

    def applied(self, function: Fn, *args: Lowered) -> Lowered:
        """A function of arrays, in the block at hand."""
        return self.body_of(function, args, self.lower)

    def looked_at(self, function: Arg, *arrays: Pull) -> list[Pull]:
        """The operands of a function; one that it does not look at may fail all the same."""
        if not isinstance(function, Fn):
            return list(arrays)
        used = {n.name for n in t.walk(function.body) if isinstance(n, t.Var)}
        return [a if q.name in used else self.forced(a) for q, a in zip(function.params, arrays, strict=True)]

    def body_of(self, function: Fn, args: Sequence[Lowered], value: Callable[[t.Exp], Lowered]) -> Lowered:
        """The value of the body of a function of some arrays; checks are in an item, if it is one of such."""
        for param, given in zip(function.params, args, strict=True):
            self.bind(param.name, given)
        if function.item is None:
            return value(function.body)
        numbers = tuple([self.scalar(e) for part in function.item.parts for e in part])
        with self.inside((*self.items, ItemAt(numbers, function.item.form))):
            return value(function.body)

    def is_fixed(self, arg: Arg) -> bool:
        """Whether an argument is the same array for all elements that a function is applied to."""
        if not isinstance(arg, t.Var) or self.is_bound_in_function(arg.name):
            return False
        return not any(a.weight.may_fail for a in leaves_of(self.value_of(arg.name)))

    # --- bindings ---

    def bindings(self, exp: Let) -> None:
        """The bindings of a block."""
        for binding in exp.bindings:
            with self.decisions.about(binding.value.span):
                self.bind(binding.name, self._kept(binding.name, self.deferred(binding.value)))

    def _kept(self, name: str, value: Lowered, component: int = 0) -> Lowered:
        """The value of a binding, or of a component of it: see Note [What is written to memory]."""
        if isinstance(value, tuple):
            return tuple([self._kept(name, v, component or k) for k, v in enumerate(value, 1)])
        a = value
        if a.filtered is not None and not keeping.may_wait(a.filtered, name, self.uses):
            a = self.computed(a.filtered)
        if self.on_host and a.rank == 0:
            return from_scalar(self.make, self.once(a.at(), name))
        judged = keeping.of_binding(a, name, self.uses, on_host=self.on_host, component=component)
        match judged.keeping:
            case Keeping.DELAYED:
                return a
            case Keeping.UNSETTLED:
                self.leave_unsettled(name)
                return a
            case Keeping.FORCED:
                return self.forced(a)
            case Keeping.SHARED:
                return self.shared(a)
            case Keeping.WRITTEN:
                return self.materialise(a, why=judged.why)

    # --- the order of effects ---

    def shows(self, exp: t.Exp) -> bool:
        """Whether an expression prints or has another effect, so that its order matters."""
        return self.uses.prints and self._printing.of(exp)

    def settle(self) -> None:
        """Compute the bindings that may fail and are not in memory, before something is printed; not those
        of which a later one takes each element, so that a chain of them is computed once.
        """
        computed: dict[tuple[Exp, ...], set[int]] = {}
        wanted: list[str] = []
        for name in reversed(self.unsettled()):
            failing = [a for a in leaves_of(self.value_of(name)) if a.weight.may_fail]
            if any(id(a.sample()) not in computed.get(a.shape, ()) for a in failing):
                wanted.append(name)
                for a in failing:
                    if len(set(a.shape)) == a.rank:  # else one sample could stand for several elements
                        certain = {id(node) for node in nodes(a.sample(), below=certainly)}
                        computed.setdefault(a.shape, set()).update(certain)
        for name in reversed(wanted):
            self.bind(name, self.forced_all(self.value_of(name)))
        self.all_settled()

    def is_dead(self, buffer: Buffer, live: frozenset[str]) -> bool:
        """Whether no variable that lives on, nor one that must still be computed, reads a buffer."""
        return not any([self._reads(name, buffer) for name in (*live, *self.unsettled())])

    def _reads(self, name: str, buffer: Buffer) -> bool:
        """Whether the value of a variable, if it is in scope, is a buffer or made of its elements; or its
        shape is, if only that is wanted: how many elements a filter keeps is counted where it is asked.
        """
        if name.startswith(SHAPE_OF):
            name = name.removeprefix(SHAPE_OF)
            values = leaves_of(self.value_of(name)) if self.in_scope(name) else []
            masks = [a.filtered.mask.sample() for a in values if a.filtered is not None]
            return buffer in buffers_read(*masks, *[n for a in values for n in a.shape])
        return self.in_scope(name) and any(
            buffer is a.buffer or (a.buffer is None and buffer in buffers_read(*a.shape, a.sample()))
            for a in leaves_of(self.value_of(name))
        )

    def is_left(self, whole: Pull, live: frozenset[str]) -> bool:
        """Whether no variable that lives on reads an array in memory any more, as those that did so have been
        written to memory of their own: see Note [Parts that outlive changes] of `keeping`. Nothing but
        variables may stand for what has been lowered of the block at hand.
        """
        buffer = whole.buffer
        assert buffer is not None
        readers = [name for name in sorted(live) if self._reads(name, buffer)]
        is_measured = any(name.startswith(SHAPE_OF) for name in readers)
        if is_measured or any(self._reads(name, buffer) for name in self.unsettled()):
            return False
        parts = [(name, self.value_of(name)) for name in readers if self.is_bound_here(name)]
        saved = [(name, a) for name, a in parts if isinstance(a, Pull) and keeping.is_saved(a, whole)]
        if len(saved) < len(readers):
            return False
        for name, a in saved:
            self.bind(name, self.materialise(a, why=BEFORE_CHANGE))
        return True
