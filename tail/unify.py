"""Type schemes: matching the arguments of an operator against its scheme, modulo subtyping.

A scheme is written in the notation of the documentation, `∀αγ. S(int,γ) → [α]1 → <α>γ`, and parsed once.
Matching is one-sided: argument types are known, the scheme's variables are solved. Where the scheme asks for
`[κ]ρ` and the argument has a more precise type, the argument is generalised first (conditional unification).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from aplc.tail.types import (
    Array,
    Base,
    BaseVar,
    Func,
    Kappa,
    Nested,
    Records,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    generalise,
    is_item,
    known_length,
    nested,
    records,
)


class NoMatch(Exception):
    """The arguments do not fit the scheme; the message says which part does not."""


@dataclass(slots=True)
class Substitution:
    """What the variables of a scheme stand for, and the shape equations that wait for more variables."""

    bases: dict[str, Base | BaseVar] = field(default_factory=dict)
    shapes: dict[str, Rho] = field(default_factory=dict)
    waiting: list[tuple[Rho, Rho, bool]] = field(default_factory=list)

    def base(self, kappa: Kappa) -> Kappa:
        """A base type under the substitution."""
        return self.bases.get(kappa.name, kappa) if isinstance(kappa, BaseVar) else kappa

    def shape(self, rho: Rho) -> Rho:
        """A shape type under the substitution."""
        if not rho.terms:
            return rho
        result = Rho(rho.const)
        for name, k in rho.terms:
            value = self.shapes.get(name)
            if value is None:
                result += Rho(0, ((name, k),))
            else:
                result += Rho(value.const * k, tuple((n, c * k) for n, c in value.terms))
        return result

    def type(self, ty: Type) -> Type:
        """A type under the substitution."""
        match ty:
            case Array(base, rank):
                return Array(self.base(base), self.shape(rank))
            case Vector(base, length):
                return Vector(self.base(base), self.shape(length))
            case Single(base, value):
                return Single(self.base(base), self.shape(value))
            case SingleVector(base, value):
                return SingleVector(self.base(base), self.shape(value))
            case Func(params, result):
                return Func(tuple([self.type(p) for p in params]), self.type(result))
            case Nested(item=item, rank=rank):
                inner = self.type(item)
                assert isinstance(inner, Array | Nested | Records)
                return nested(inner, self.shape(rank))
            case Records(fields=fields, rank=rank, axis=axis):
                return records(tuple([self.type(t) for t in fields]), self.shape(rank), axis)
            case Tuple(items):
                return Tuple(tuple([self.type(t) for t in items]))

    def bind_base(self, pattern: Kappa, actual: Kappa) -> None:
        """Make the pattern equal to the actual base type."""
        if isinstance(pattern, BaseVar):
            if self.bases.setdefault(pattern.name, actual) != actual:
                raise NoMatch(f"{actual} is not {self.bases[pattern.name]}")
        elif pattern != actual:
            raise NoMatch(f"{actual} is not {pattern}")

    def bind_shape(self, pattern: Rho, actual: Rho, *, natural: bool) -> None:
        """Make the pattern equal to the actual shape type, now or when enough variables are known."""
        name = pattern.variable
        if name is not None and name not in self.shapes:
            if natural and not actual.is_natural:
                raise NoMatch(f"{actual} is too small")
            self.shapes[name] = actual
        elif name is not None or not pattern.terms:
            known = pattern if name is None else self.shapes[name]
            if known != actual:
                raise NoMatch(f"{actual} is not {known}")
        else:
            self.bind_sum(pattern, actual, natural=natural)

    def bind_sum(self, pattern: Rho, actual: Rho, *, natural: bool) -> None:
        """The same for a pattern that is neither a constant nor a variable."""
        unknown = [(name, k) for name, k in pattern.terms if name not in self.shapes]
        rest = actual - (self.shape(pattern) - Rho(0, tuple(unknown)))
        if not unknown:
            if rest != Rho(0):
                raise NoMatch(f"{actual} is not {self.shape(pattern)}")
        elif len(unknown) == 1 and unknown[0][1] == 1:
            if natural and not rest.is_natural:
                raise NoMatch(f"{actual} is too small")
            self.shapes[unknown[0][0]] = rest
        else:
            self.waiting.append((pattern, actual, natural))

    def settle(self) -> None:
        """Solve the equations that waited."""
        waiting, self.waiting = self.waiting, []
        for pattern, actual, natural in waiting:
            self.bind_shape(pattern, actual, natural=natural)
        if self.waiting:
            raise NoMatch("the lengths cannot be told from the arguments")


def match_type(pattern: Type, actual: Type, subst: Substitution) -> None:
    """Extend the substitution so that the actual type is a subtype of the pattern, or raise `NoMatch`."""
    match pattern, actual:
        case (Array(), Array() | Vector() | Single() | SingleVector()):
            general = generalise(actual)
            subst.bind_base(pattern.base, general.base)
            subst.bind_shape(pattern.rank, general.rank, natural=True)
        case (Vector(), Vector() | SingleVector()):
            length = known_length(actual)
            assert length is not None
            subst.bind_base(pattern.base, actual.base)
            subst.bind_shape(pattern.length, length, natural=True)
        case (Single(base, value), Single()):
            subst.bind_base(base, actual.base)
            subst.bind_shape(value, actual.value, natural=False)
        case (SingleVector(base, value), SingleVector()):
            subst.bind_base(base, actual.base)
            subst.bind_shape(value, actual.value, natural=False)
        case (Func(), Func()) if len(pattern.params) == len(actual.params):
            for p, a in zip(pattern.params, actual.params, strict=True):
                if isinstance(p, Array) and not isinstance(a, Array):
                    raise NoMatch(f"a function of {a} does not take every {p}")
                match_type(p, a, subst)
            match_type(pattern.result, actual.result, subst)
        case (Nested(), Nested()):
            match_type(pattern.item, actual.item, subst)
            subst.bind_shape(pattern.rank, actual.rank, natural=True)
        case (Records(), Records()) if len(pattern.items) == len(actual.items) and (
            pattern.axis == actual.axis
        ):
            for p, a in zip(pattern.fields, actual.fields, strict=True):
                match_type(p, a, subst)
            subst.bind_shape(pattern.rank, actual.rank, natural=True)
        case (Nested() | Records(), _) | (_, Nested() | Records()):
            raise NoMatch(f"{actual} is not {pattern}")
        case (Tuple(), Tuple()) if len(pattern.items) == len(actual.items):
            for p, a in zip(pattern.items, actual.items, strict=True):
                match_type(p, a, subst)
        case _:
            raise NoMatch(f"{actual} is not {pattern}")


@dataclass(frozen=True, slots=True)
class Scheme:
    """`∀ᾱγ̄. τ₁ → … → τₙ → τ`: all variables of the type are bound."""

    type: Func
    text: str

    def instantiate(self, args: tuple[Type, ...]) -> Type:
        """The result type for these argument types; `NoMatch` where they do not fit."""
        if len(args) != len(self.type.params):
            raise NoMatch(f"takes {len(self.type.params)} arguments, got {len(args)}")
        subst = Substitution()
        for pattern, actual in zip(self.type.params, args, strict=True):
            match_type(pattern, actual, subst)
        subst.settle()
        return subst.type(self.type.result)

    def __str__(self) -> str:
        return self.text


_TOKEN = re.compile(r"\s*(→|->|[\[\]<>(),.+/∀-]|\d+|[^\W\d]\w*)")


class TypeReader:
    """A recursive-descent reader of the type notation; `.tail` texts and schemes use it."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text, self.position = text, position

    def peek(self) -> str:
        """The next token, empty at the end or before anything that is no type."""
        found = _TOKEN.match(self.text, self.position)
        return found.group(1) if found else ""

    def take(self, wanted: str = "") -> str:
        """The next token, which must be the wanted one where one is given."""
        found = _TOKEN.match(self.text, self.position)
        token = found.group(1) if found else ""
        if found is None or (wanted and token != wanted):
            raise ValueError(f"expected {wanted or 'a type'}, got {token or 'nothing'}")
        self.position = found.end()
        return token

    def function_type(self) -> Type:
        """`τ → τ → …`, a single type where no arrow follows."""
        parts = [self.data_type()]
        while self.peek() in ("→", "->"):
            self.take()
            parts.append(self.data_type())
        return parts[0] if len(parts) == 1 else Func(tuple(parts[:-1]), parts[-1])

    def data_type(self) -> Type:
        """A type without an arrow at its top; a bare base type is a scalar."""
        token = self.take()
        if token == "[":
            if self.peek() in ("[", "<"):
                return self._nested()
            if self.peek() == "(":
                return self._records()
            base = self._base(self.take())
            self.take("]")
            return Array(base, self._exponent())
        if token == "<":
            base = self._base(self.take())
            self.take(">")
            return Vector(base, self._exponent())
        if token in ("S", "SV"):
            self.take("(")
            base = self._base(self.take())
            self.take(",")
            value = self._sum()
            self.take(")")
            return Single(base, value) if token == "S" else SingleVector(base, value)
        if token == "(":
            return self._tuple_or_group()
        return Array(self._base(token), Rho(0))

    def _nested(self) -> Type:
        """`[τ]ρ` behind its bracket; simple items have axes."""
        item = self.data_type()
        if isinstance(item, Vector):
            item = generalise(item)
        if not is_item(item):
            raise ValueError(f"an array of arrays of rank 1 or more, not of {item}")
        self.take("]")
        return nested(item, self._exponent())

    def _records(self) -> Type:
        """`[(τ, …)]ρ` and `[(τ, …)/i]ρ` behind the bracket."""
        fields = self.data_type()
        if not isinstance(fields, Tuple) or not fields.items:
            raise ValueError(f"records, which have fields, not {fields}")
        axis = None
        if self.peek() == "/":
            self.take()
            axis = int(self.take())
        self.take("]")
        rank = self._exponent()
        if axis is not None and axis > rank.const:
            raise ValueError(f"an axis of a table with {rank.const + 1}, not {axis}")
        return records(fields.items, rank, axis)

    def _tuple_or_group(self) -> Type:
        """`(τ, …)`; `(τ)` is τ, and `(τ,)` a tuple of one."""
        items: list[Type] = []
        comma = self.peek() == ")"
        while self.peek() != ")" and (not items or comma):
            items.append(self.function_type())
            comma = self.peek() == ","
            if comma:
                self.take()
        self.take(")")
        return items[0] if len(items) == 1 and not comma else Tuple(tuple(items))

    def _base(self, token: str) -> Kappa:
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise ValueError(f"expected a base type, got {token or 'nothing'}")
        return Base(token) if token in {b.value for b in Base} else BaseVar(token)

    def _exponent(self) -> Rho:
        if self.peek() != "(":
            return self._term(self.take())
        self.take("(")
        rho = self._sum()
        self.take(")")
        return rho

    def _sum(self) -> Rho:
        negative = self.peek() == "-"
        if negative:
            self.take()
        rho = self._term(self.take())
        rho = Rho(0) - rho if negative else rho
        while self.peek() in ("+", "-"):
            sign = self.take()
            term = self._term(self.take())
            rho = rho + term if sign == "+" else rho - term
        return rho

    def _term(self, token: str) -> Rho:
        if token.isdecimal():
            found = re.compile(r"[^\W\d]\w*").match(self.text, self.position)
            if found is None:
                return Rho(int(token))
            self.position = found.end()
            return Rho(0, ((found.group(), int(token)),))
        if not (token[0].isalpha() or token[0] == "_"):
            raise ValueError(f"expected a length or a rank, got {token}")
        return Rho.of(token)


def parse_scheme(text: str) -> Scheme:
    """The scheme written as `∀αγ. τ → τ`; the quantifier is for the reader and may be left out."""
    body = text.partition(". ")[2] if text.startswith("∀") else text
    reader = TypeReader(body)
    ty = reader.function_type()
    assert isinstance(ty, Func), text
    assert not body[reader.position :].strip(), text
    return Scheme(ty, text)
