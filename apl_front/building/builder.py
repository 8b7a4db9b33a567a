"""Building TAIL while elaborating: fresh names, the bindings of the block at hand, coercions, facts, notes.

A block collects bindings in the order in which APL evaluates; `block` opens one for the body of a
function. Pure expressions stay nested where they are used once; what is used more often, or must happen in
order, is bound. What has been made can be taken back as far as a mark, or be made for its type alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aplc.apl_front.building.facts import Fact, InOrder, ItemsOf
from aplc.apl_front.reading.scope import Scope, Value
from aplc.apl_front.reading.system_names import SETTINGS
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, Error, compile_error, first_line, unsupported
from aplc.tail.optimise.fold import fold_scalar
from aplc.tail.parts import with_components
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Arg,
    Binding,
    Exp,
    Fn,
    Lit,
    Op,
    Param,
    PrimFn,
    TupleExp,
    Var,
    Vec,
    complex_number,
    fn,
    item,
    let,
    literal,
    op,
    prim_fn,
    product,
    vec,
)
from aplc.tail.types import (
    UNIT,
    Base,
    DataType,
    Func,
    Nested,
    Records,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    known_length,
    rank_of,
    scalar,
)


def data_type(exp: Exp) -> DataType:
    """The type of an expression that must be a simple array: a nested one is refused."""
    if isinstance(exp.ty, Tuple):
        raise unsupported(f"{plain(exp.ty)} where a simple array is needed", exp.span)
    assert not isinstance(exp.ty, Func), exp.ty
    return exp.ty


def base_of(exp: Exp) -> Base:
    """The element type, which elaboration always knows."""
    base = data_type(exp).base
    assert isinstance(base, Base)
    return base


class UnknownRank(Error):
    """A decision needs a rank that is a variable: `polymorphic` has the cases that need none."""

    def __init__(self, exp: Exp) -> None:
        self.exp = exp
        super().__init__(str(exp.ty))


def rho(exp: Exp) -> Rho:
    """The rank as a linear form; a number but where a function is elaborated for every rank."""
    return rank_of(data_type(exp))


def rank(exp: Exp) -> int:
    """The rank. Raises `UnknownRank` where it is a variable."""
    known = rho(exp)
    if not known.is_const:
        raise UnknownRank(exp)
    return known.const


def length_of(exp: Exp) -> int | None:
    """The length of a vector where it is a constant."""
    length = known_length(exp.ty)
    return length.const if length is not None and length.is_const else None


def constant(exp: Exp) -> bool | int | float | str | None:
    """The value of a scalar expression, where it is known when compiling."""
    match exp:
        case Lit(value=value):
            return value
        case Op(prim=prim, args=args) if prim.is_scalar:
            values = [constant(a) for a in args if not isinstance(a, Fn | PrimFn)]
            known = [literal(v) for v in values if v is not None]
            folded = fold_scalar(op(prim, *known)) if len(known) == len(args) else None
            return folded.value if isinstance(folded, Lit) else None
        case _:
            return int_constant(exp)


def int_constant(exp: Exp) -> int | None:
    """The value of a scalar or one-element vector of integers, where its type tells it."""
    match exp.ty:
        case Single(base=Base.INT, value=Rho(const=value, terms=())):
            return value
        case SingleVector(base=Base.INT, value=Rho(const=value, terms=())):
            return value
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in what is being built: how many bindings the block has, how many facts there are, and how many
    names have been changed from inside functions.
    """

    bindings: int
    facts: int
    changes: int


class Builder:
    """Names, bindings and coercions for one elaboration."""

    def __init__(self, reserved: frozenset[str] = frozenset()) -> None:
        self.reserved = reserved
        self.counter = 0
        self.depth = 0
        """How many blocks are open: what is bound in one is not visible outside."""
        self.index_origin = 1
        self.tolerance = 0.0
        self.digits = 10
        """⎕IO, ⎕CT and ⎕PP where the expression at hand stands."""
        self.proving = False
        """Whether a function is elaborated for all lengths at once: two that may differ are then an error."""
        self.returned: dict[int, tuple[Exp, Span]] = {}
        """While proving: values that statements have given as results, and those statements."""
        self.applications = 0
        """How many functions have been applied."""
        self.facts: list[Fact] = []
        self.ordered: dict[Span, InOrder] = {}
        """Operators whose function changes outer names, by their places."""
        self.joins: dict[str, list[Exp]] = {}
        """What arrays of arrays were joined of, by the names of their places: see `building.runs`."""
        self.nested: list[ItemsOf] = []
        """The arrays of arrays that applications give."""
        self.bindings: list[Binding] = []
        self.changes: list[tuple[Scope, dict[str, Value], str, Value]] = []
        """What names stood for before they were changed from inside functions, the last change last."""
        self.definitions: dict[str, Exp] = {}
        """The value of each variable that was bound."""
        self.singles: dict[str, bool] = {}
        """Whether variables are known to have one element, as far as it was asked."""
        self.origins: dict[Span, Span] = {}
        """For each use of a name, where its value was assigned: for notes in messages."""

    def configure(self, scope: Scope) -> None:
        """From here on the settings are those that hold in a scope."""
        self.index_origin = int(scope.setting("⎕io", 1))
        self.tolerance = float(scope.setting("⎕ct", SETTINGS["⎕ct"]))
        self.digits = int(scope.setting("⎕pp", 10))

    # --- names and bindings ---

    def fresh(self) -> str:
        """A name not used before in this program."""
        name = f"v{self.counter}"
        self.counter += 1
        return self.fresh() if name in self.reserved else name

    def bind(self, value: Exp) -> Exp:
        """The value as a variable or constant that may be used any number of times; a tuple of such."""
        if isinstance(value, Var | Lit):
            return value
        if isinstance(value, TupleExp):
            return with_components(value, tuple([self.bind(i) for i in value.items]))
        name = self.fresh()
        self.bindings.append(Binding(name, value.ty, value))
        self.definitions[name] = value
        variable = Var(name, ty=value.ty, span=value.span)
        return self.opened(variable) if isinstance(value.ty, Tuple) else variable

    def reusable(self, argument: Exp) -> Exp:
        """An argument that may be used any number of times if it is a strand, as its components are."""
        is_strand = isinstance(argument.ty, Tuple) and not isinstance(argument.ty, Nested | Records)
        return self.bind(argument) if is_strand else argument

    def noted(self, value: Exp, function: Span | None, span: Span) -> Exp:
        """What an application gives, or an index; arrays of arrays are remembered, to be told of."""
        if isinstance(value.ty, Nested):
            self.nested.append(ItemsOf(value, function, span))
        return value

    def opened(self, value: Exp) -> Exp:
        """A tuple as the tuple of its components."""
        if not isinstance(value.ty, Tuple) or isinstance(value, TupleExp):
            return value
        parts = [self.opened(item(value, k + 1, value.span)) for k in range(len(value.ty.items))]
        return with_components(value, tuple([self.bind(part) for part in parts]))

    def definition(self, exp: Exp) -> Exp:
        """What a variable was bound to; any other expression itself."""
        while isinstance(exp, Var) and exp.name in self.definitions:
            exp = self.definitions[exp.name]
        return exp

    def fresh_function(self) -> str:
        """A name for a recursive function, not used before in this program."""
        name = f"f{self.counter}"
        self.counter += 1
        return self.fresh_function() if name in self.reserved else name

    def discard(self, *values: Exp) -> None:
        """Values that a function does not look at are computed all the same: they may fail."""
        for value in values:
            if isinstance(value, TupleExp):
                self.discard(*value.items)
            elif not (isinstance(value, Vec) and all(isinstance(item, Var | Lit) for item in value.items)):
                self.bind(value)

    def in_order(self, right: Exp, left: Callable[[], Exp]) -> tuple[Exp, Exp]:
        """The left operand after the right one, which is computed before any effect of the left one."""
        mark = len(self.bindings)
        value = left()
        if any(_has_effect(b) for b in self.bindings[mark:]) and not isinstance(right, TupleExp):
            late = self.bindings[mark:]
            del self.bindings[mark:]
            right = self.bind(right)
            self.bindings += late
        return value, right

    @contextmanager
    def block(self, again: list[Binding] | None = None) -> Iterator[list[Binding]]:
        """A block of its own for the bindings of a function body, or one that is opened again."""
        outer, self.bindings = self.bindings, [] if again is None else again
        self.depth += 1
        try:
            yield self.bindings
        finally:
            self.bindings = outer
            self.depth -= 1

    def function(self, bases: tuple[Base, ...], make: Callable[..., Exp], span: Span | None) -> Fn:
        """`fn x:κ, … => make(x, …)` on scalars, its bindings inside."""
        return self.function_on(tuple([scalar(base) for base in bases]), make, span)

    def function_on(self, types: tuple[Type, ...], make: Callable[..., Exp], span: Span | None) -> Fn:
        """`fn x:τ, … => make(x, …)`, its bindings inside."""
        params = tuple([Param(self.fresh(), ty) for ty in types])
        with self.block() as bindings:
            body = make(*[Var(q.name, ty=q.ty, span=span) for q in params])
            return fn(params, let(bindings, body), span)

    def each(self, function: Arg, a: Exp, span: Span | None) -> Op:
        """`each(f, a)`"""
        return op(p.EACH, function, a, span=span)

    # --- what is noted, and taken back ---

    def note(self, name: str, ty: str, span: Span) -> None:
        """A line for `aplc check`: what a name stands for at a place."""
        self.facts.append(Fact(name, ty, span))

    def note_origin(self, use: Span, assigned: Span) -> None:
        """Where the value of a name that is used was assigned."""
        self.origins[use] = assigned

    def note_result(self, result: Exp, statement: Span) -> None:
        """While proving: a statement gives the result of a function."""
        if self.proving:
            self.returned[id(result)] = result, statement

    def count_application(self) -> int:
        """One more function is applied; how many that makes."""
        self.applications += 1
        return self.applications

    def mark(self) -> Mark:
        """The place that has been reached, for `undo`."""
        return Mark(len(self.bindings), len(self.facts), len(self.changes))

    def undo(self, mark: Mark) -> None:
        """What was bound in this block, noted and changed since the mark is forgotten."""
        del self.bindings[mark.bindings :]
        del self.facts[mark.facts :]
        self.restore(mark)

    def change(self, owner: Scope, name: str, value: Value) -> None:
        """A name of a scope stands for another value from here on."""
        self.changes.append((owner, owner.names, name, owner.names[name]))
        owner.bind(name, value)

    def restore(self, mark: Mark) -> None:
        """Names stand for what they stood for at the mark."""
        while len(self.changes) > mark.changes:
            _, names, name, before = self.changes.pop()
            names[name] = before

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """A block whose values are wanted for their types alone, with lengths that stand for all lengths; it
        leaves nothing behind.
        """
        mark, applications, definitions = self.mark(), self.applications, len(self.definitions)
        self.proving, before = True, self.proving
        if not before:
            self.returned.clear()
        try:
            with self.block():
                yield
        finally:
            self.proving, self.applications = before, applications
            while len(self.definitions) > definitions:
                self.definitions.popitem()
            del self.facts[mark.facts :]
            self.restore(mark)

    # --- coercions ---

    def coerce(self, exp: Exp, base: Base, symbol: str, span: Span | None) -> Exp:
        """The expression with another element type; narrowing is checked when the program runs.

        The empty text is an empty vector of numbers, too.
        """
        have = base_of(exp)
        if have is base:
            return exp
        if have is Base.CHAR and length_of(exp) == 0:
            self.discard(exp)
            return vec((), base, exp.span)
        if Base.CHAR in (have, base):
            found = "characters" if have is Base.CHAR else "numbers"
            wanted = "numbers" if have is Base.CHAR else "characters"
            raise compile_error("DOMAIN ERROR", f"{symbol} needs {wanted}, got {found}", exp.span or span)
        if isinstance(exp, Lit) and base is Base.BOOL and exp.value in (0, 1):
            return literal(bool(exp.value), exp.span)
        if isinstance(exp, Lit) and base is Base.INT and isinstance(exp.value, float):
            return self.whole_literal(exp, symbol)
        if not (isinstance(exp, Vec) and not exp.items):
            if base is Base.COMPLEX:
                return self._to_complex(self.coerce(exp, Base.DOUBLE, symbol, span), span)
            for prim in _COERCIONS[have, base]:
                exp = self.convert(exp, prim, symbol, exp.span or span)
            return exp
        return vec((), base, exp.span)

    def _to_complex(self, exp: Exp, span: Span | None) -> Exp:
        """Doubles as complex numbers."""
        zero = literal(0.0, span)
        if rho(exp) == Rho(0):
            return op(p.COMPLEX, exp, zero, span=exp.span or span)

        def made(x: Exp) -> Exp:
            return op(p.COMPLEX, x, zero, span=span)

        return self.each(self.function((Base.DOUBLE,), made, span), exp, span)

    def fill(self, base: Base, span: Span | None) -> Exp:
        """The fill element of a base type."""
        if base is Base.COMPLEX:
            return complex_number(0.0, 0.0, span)
        fills: dict[Base, bool | int | float | str]
        fills = {Base.BOOL: False, Base.INT: 0, Base.DOUBLE: 0.0, Base.CHAR: " "}
        return literal(fills[base], span)

    def convert(self, exp: Exp, prim: Prim, symbol: str, span: Span | None) -> Exp:
        """One coercion applied to a scalar or to every element."""
        if rho(exp) == Rho(0):
            return op(prim, exp, symbol=symbol, span=span)
        return self.each(prim_fn(prim, symbol, span), exp, span)

    def whole_literal(self, exp: Lit, symbol: str) -> Lit:
        """A double literal where an integer is required."""
        value = exp.value
        assert isinstance(value, float)
        if not value.is_integer() or abs(value) >= 2**63:
            raise compile_error("DOMAIN ERROR", f"{symbol} needs whole numbers", exp.span)
        return literal(int(value), exp.span)

    # --- messages ---

    def describe(self, *operands: Exp) -> str:
        """`a is <double>5 (line 1), …`: operands as written, their types, and where a name got its value."""
        parts: list[str] = []
        for exp in operands:
            if exp.span is not None:
                origin = self.origins.get(exp.span)
                where = f" (line {origin.line})" if origin is not None else ""
                parts.append(f"{first_line(exp.span.text)} is {plain_type(exp)}{where}")
        return ", ".join(parts)


def _has_effect(binding: Binding) -> bool:
    return isinstance(binding.value, Op) and binding.value.prim.stateful


def is_enclosed(ty: Type) -> bool:
    """Whether a type is that of a scalar with one array in it: see Note [Enclosed arrays] in
    `aplc.apl_front.functions.tuples`.
    """
    return isinstance(ty, Tuple) and len(ty.items) == 2 and ty.items[1] == UNIT


def enclosed(exp: Exp, span: Span | None) -> Exp:
    """`⊂exp`; a simple scalar is itself."""
    if not isinstance(exp.ty, Tuple) and rank(exp) == 0:
        return exp
    return product((exp, product(())), span)


def plain_type(exp: Exp) -> str:
    """The type of an expression as messages show it."""
    return plain(exp.ty)


def plain(ty: Type) -> str:
    """A type as messages show it: scalars by their element type alone, nested arrays by their components."""
    is_strand = isinstance(ty, Tuple) and not isinstance(ty, Nested | Records)
    return f"a nested array {_plain(ty)}" if is_strand else _plain(ty)


def _plain(ty: Type) -> str:
    if isinstance(ty, Nested):
        return f"[{_plain(ty.item)}]{ty.rank}"
    if isinstance(ty, Records):
        axis = "" if ty.axis is None else f"/{ty.axis}"
        return f"[({', '.join([_plain(t) for t in ty.fields])}){axis}]{ty.rank}"
    if isinstance(ty, Tuple) and is_enclosed(ty):
        return f"⊂{_plain(ty.items[0])}"
    if isinstance(ty, Tuple):
        return f"({', '.join([_plain(t) for t in ty.items if t != UNIT])})"
    assert not isinstance(ty, Func)
    if rank_of(ty) == Rho(0):
        return str(ty.base)
    length = known_length(ty)
    return str(Vector(ty.base, length)) if length is not None else str(ty)


def counted(number: int, one: str, many: str) -> str:
    """`no axes`, `1 axis`, `2 axes`"""
    return f"{number or 'no'} {one if number == 1 else many}"


_COERCIONS: dict[tuple[Base, Base], tuple[Prim, ...]] = {
    (Base.COMPLEX, Base.DOUBLE): (p.Z2D,),
    (Base.COMPLEX, Base.INT): (p.Z2D, p.D2I),
    (Base.COMPLEX, Base.BOOL): (p.Z2D, p.D2I, p.I2B),
    (Base.BOOL, Base.INT): (p.B2I,),
    (Base.BOOL, Base.DOUBLE): (p.B2I, p.I2D),
    (Base.INT, Base.DOUBLE): (p.I2D,),
    (Base.INT, Base.BOOL): (p.I2B,),
    (Base.DOUBLE, Base.INT): (p.D2I,),
    (Base.DOUBLE, Base.BOOL): (p.D2I, p.I2B),
}

WIDENS: dict[Base, tuple[Base, ...]] = {
    Base.BOOL: (Base.BOOL, Base.INT, Base.DOUBLE, Base.COMPLEX),
    Base.INT: (Base.INT, Base.DOUBLE, Base.COMPLEX),
    Base.DOUBLE: (Base.DOUBLE, Base.COMPLEX),
    Base.COMPLEX: (Base.COMPLEX,),
    Base.CHAR: (Base.CHAR,),
}
"""The base types into which one converts without loss of meaning."""


def join_bases(bases: list[Base]) -> Base | None:
    """The least base type that holds all of them; None for characters beside numbers."""
    common = [
        b
        for b in (Base.BOOL, Base.INT, Base.DOUBLE, Base.COMPLEX, Base.CHAR)
        if all(b in WIDENS[x] for x in bases)
    ]
    return common[0] if common else None


def numeric(exp: Exp, symbol: str) -> CompileError | None:
    """The error for an operand of characters, where a number is needed; a text of none is ⍬ there."""
    if base_of(exp) is not Base.CHAR or length_of(exp) == 0:
        return None
    return compile_error("DOMAIN ERROR", f"{symbol} needs numbers, got characters", exp.span)
