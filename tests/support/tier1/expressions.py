"""Expressions that know their value: the ground on which `tier1.table` builds.

    E    an APL expression as text, with its value by `plain_apl` or the errors it may end with
    Gen  makes leaves (literals or named inputs), applies functions, and takes its choices from a `Chooser`

Values are known while a program grows, so that a function gets operands that fit, and now and then some that
do not. Choice 0 is always the simplest, for the sake of shrinking.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from tests.support.plain_apl import definitions as plain_apl
from tests.support.plain_apl.array import A, AplError, NotTier1, Shape, converted
from tests.support.plain_apl.scalar import ranks_may_differ

T = TypeVar("T")

NUMBERS = ("int", "double", "bool")
ANYTHING = ("int", "double", "bool", "char")
ALL_RANKS = (0, 1, 2, 3, 4)
MOST_ELEMENTS = 120
LETTERS = "abcx 'é"
INEXACT = frozenset("*⍟!○⌹")
"""Functions whose doubles may differ in the last digits."""


class Chooser(Protocol):
    """Where choices come from."""

    def below(self, n: int) -> int:
        """A number from 0 to n-1; 0 is the simplest."""


class Retry(Exception):
    """This way there is no program; try another."""


class Ended(Exception):
    """An operand ends in an error, and so does the program."""

    def __init__(self, expression: E) -> None:
        self.expression = expression
        super().__init__(expression.text)


@dataclass(frozen=True)
class E:
    """An expression: its value, or the kinds of error of which one must be reported."""

    text: str
    result: A | None
    errors: frozenset[str] = frozenset()
    is_atom: bool = False
    is_literal: bool = False
    forced_inexact: bool = False

    @property
    def value(self) -> A:
        """The value of an expression that has one."""
        assert self.result is not None
        return self.result

    @property
    def guarded(self) -> str:
        """The text as a left operand."""
        return self.text if self.is_atom else f"({self.text})"

    @property
    def is_exact(self) -> bool:
        """Whether any order of evaluation gives these very elements."""
        if self.result is None or self.result.kind != "double":
            return True
        return not self.forced_inexact and all(map(_is_short, self.result.data))

    @property
    def is_bit(self) -> bool:
        """Whether this may be a constant 0 or 1, which is a boolean where one is expected."""
        value = self.value
        return value.kind == "int" and value.rank == 0 and value.data[0] in (0, 1)


def _is_short(x: float) -> bool:
    return math.isfinite(x) and abs(x) < 2**30 and (x * 2**12).is_integer()


@dataclass(frozen=True)
class Want:
    """What an operand must be."""

    kinds: tuple[str, ...] = ANYTHING
    ranks: tuple[int, ...] = ALL_RANKS
    exact: bool = False
    test: Callable[[A], bool] = field(default=lambda a: True)

    def holds(self, e: E) -> bool:
        """Whether an expression with a value will do."""
        value = e.value
        if not isinstance(value, A):
            return False  # an array of arrays
        fits = value.kind in self.kinds and value.rank in self.ranks
        return fits and (e.is_exact or not self.exact) and self.test(value)


ANY = Want()
NUMERIC = Want(NUMBERS)
EXACT = Want(NUMBERS, exact=True)
EXACT_ANY = Want(exact=True)

Production = Callable[["Gen", int], E]


class Gen:
    """The state of one program in the making."""

    def __init__(self, chooser: Chooser, productions: Sequence[Production]) -> None:
        self.below = chooser.below
        self.productions = productions
        self.inputs: dict[str, A] = {}
        self.storages: dict[str, str] = {}
        self.statements: list[str] = []
        self.names: list[E] = []
        """Names in scope that hold a value."""
        self.count = 0
        self.tolerance = 0.0
        """`⎕CT`; where it is not 0 some leaves are nearly others."""

    # --- choices ---

    def chance(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.below(one_in) == one_in - 1

    def pick(self, choices: Sequence[T]) -> T:
        """One of these."""
        return choices[self.below(len(choices))]

    def mistake(self) -> bool:
        """Whether to do something wrong here."""
        return self.chance(16)

    def axis(self, rank: int) -> int:
        """An axis, counted from 0; a wrong one by mistake."""
        return self.pick((rank, -1)) if self.mistake() else self.below(rank)

    def fresh(self, hint: str) -> str:
        """A new name."""
        self.count += 1
        return f"{hint}{self.count}"

    # --- values ---

    def extent(self) -> int:
        """A length, seldom above 3."""
        return self.pick((1, 2, 3, 2, 0, 3, 4))

    def shape(self, ranks: Sequence[int] = ALL_RANKS) -> Shape:
        """A shape of one of these ranks, of not too many elements."""
        weighted = [r for r in ranks for _ in range((4, 6, 4, 2, 1)[r])]
        made = tuple([self.extent() for _ in range(self.pick(weighted))])
        return made if math.prod(made) <= MOST_ELEMENTS else tuple([min(n, 2) for n in made])

    def element(self, kind: str) -> Any:
        """An ordinary element."""
        match kind:
            case "int":
                return self.pick((1, 2, 0, 3, -1, 4, -2, 5, -3, 7, 9, 12))
            case "double" if self.tolerance and self.chance(3):
                near = 1 + self.tolerance * self.pick((0.3, -0.3, 0.1))
                return near * self.pick((1.0, 2.0, 3.0, -1.5, 2.25))
            case "double":
                return self.pick((0.5, 1.0, 2.0, 0.0, -1.5, 2.25, -0.25, 3.0, 4.5))
            case "bool":
                return self.below(2) == 1
            case _:
                return self.pick(LETTERS)

    def elements(self, kind: str, shape: Shape) -> A:
        """An array of ordinary elements."""
        return A(kind, shape, tuple([self.element(kind) for _ in range(math.prod(shape))]))

    # --- leaves ---

    def leaf(self, value: A) -> E:
        """An expression for an array: a literal, or an input, whose extents the compiler does not know."""
        if self.chance(2) or any(isinstance(x, float) and not math.isfinite(x) for x in value.data):
            return self.input(value)
        return literal(value)

    def input(self, value: A) -> E:
        """A named input."""
        name = self.fresh(value.kind[0].upper())
        self.inputs[name] = value
        self.storages[name] = self.storage(value)
        return E(name, value, is_atom=True)

    def storage(self, value: A) -> str:
        """A NumPy type that holds all elements, the usual one mostly."""
        usual = {"int": "int64", "double": "float64", "bool": "bool", "char": "<U1"}[value.kind]
        if value.kind == "int" and all(abs(x) < 100 for x in value.data) and self.chance(6):
            unsigned = all(x >= 0 for x in value.data)
            return self.pick(("int32", "int8", "int16", *("uint8", "uint32") * unsigned))
        if value.kind == "double" and all(map(_is_short, value.data)) and self.chance(6):
            return "float32"
        return usual

    def whole(self, value: A) -> E:
        """A leaf for integers, now and then as doubles, one of them not whole by mistake."""
        if value.kind != "int" or not self.chance(8):
            return self.leaf(value)
        numbers = list(map(float, value.data))
        if numbers and self.mistake():
            numbers[0] += 0.5
        return self.leaf(A("double", value.shape, tuple(numbers)))

    def leaf_for(self, want: Want) -> E:
        """A leaf that will do."""
        known = [e for e in self.names if want.holds(e)]
        if known and self.chance(2):
            return self.pick(known)
        for _ in range(12):
            value = self.elements(self.pick(want.kinds), self.shape(want.ranks))
            if want.test(value):
                return self.leaf(value)
        raise Retry

    def operand(self, depth: int, want: Want = ANY) -> E:
        """An expression of that depth that will do."""
        if depth <= 0:
            return self.leaf_for(want)
        for _ in range(3):
            made = self.expression(depth)
            if made.errors:
                if self.chance(3):
                    raise Ended(made)
            elif want.holds(made):
                return self.hoisted(made) if self.chance(8) else made
        return self.leaf_for(want)

    def hoisted(self, e: E) -> E:
        """A name for the expression's value, assigned by a statement before."""
        if any(local in e.text for local in "⍺⍵"):
            return e
        name = self.fresh("v")
        self.statements.append(f"{name}←{e.text}")
        known = E(name, e.result, is_atom=True, forced_inexact=e.forced_inexact)
        self.names.append(known)
        return known

    def expression(self, depth: int) -> E:
        """One production with operands of less depth."""
        for _ in range(20):
            try:
                return self.pick(self.productions)(self, depth)
            except Retry:
                pass
        return self.leaf_for(ANY)

    # --- application ---

    def made(
        self, text: str, work: Callable[[], A], *operands: E, inexact: bool = False, mixed_ranks: bool = False
    ) -> E:
        """The expression with that text, whose value is the work's. `mixed_ranks`: see `ranks_are_known`."""
        token = ranks_may_differ.set(mixed_ranks)
        try:
            value = work()
        except AplError as error:
            return E(text, None, error.kinds)
        except NotTier1:
            raise Retry from None
        finally:
            ranks_may_differ.reset(token)
        if len(value.data) > MOST_ELEMENTS:
            raise Retry
        return E(text, value, forced_inexact=inexact or any(e.forced_inexact for e in operands))

    def monadic(self, symbol: str, e: E) -> E:
        """`f e`"""
        work = plain_apl.MONADIC[symbol]
        return self.made(f"{symbol}{e.text}", lambda: work(e.value), e, inexact=symbol in INEXACT)

    def dyadic(self, symbol: str, left: E, right: E) -> E:
        """`left f right`"""
        work = plain_apl.DYADIC[symbol]
        text = f"{left.guarded}{symbol}{right.text}"
        return self.made(
            text,
            lambda: work(left.value, right.value),
            left,
            right,
            inexact=symbol in INEXACT,
            mixed_ranks=ranks_are_known(left, right),
        )

    def partner(self, e: E, kinds: Sequence[str], depth: int = 0) -> E:
        """An operand that goes with another one: of its shape, or a single element; wrong now and then."""
        shape = e.value.shape
        match self.below(8):
            case 5:
                shape = ()
            case 6:
                shape = (1,) * self.below(4)
                return literal(self.elements(self.pick(kinds), shape))
            case 7 if self.mistake():
                shape = self.shape()
            case 4 if depth > 0:
                return self.fitted(self.operand(depth, Want(tuple(kinds))), shape)
            case _:
                pass
        return self.leaf(self.elements(self.pick(kinds), shape))

    def fitted(self, e: E, shape: Shape) -> E:
        """The expression reshaped."""
        if not shape:
            return self.monadic("⊃", e)
        return self.dyadic("⍴", self.control(list(shape)), e)

    def control(self, numbers: list[int]) -> E:
        """A count, an axis or a shape: integers of which the compiler knows how many there are."""
        value = A("int", (len(numbers),), tuple(numbers))
        single = A("int", (), (numbers[0],)) if len(numbers) == 1 else None
        match self.below(8):
            case 4 | 5 if numbers:
                items = [self.leaf(A("int", (), (n,))) for n in numbers]
                return E(" ".join([e.text for e in items]), single or value, is_atom=True)
            case 6 if single is None and numbers:
                return literal(converted(value, "double"))
            case 7 if all(0 <= n <= 4 for n in numbers) and math.prod(numbers) <= MOST_ELEMENTS:
                source = self.leaf(self.elements("int", tuple(numbers)))
                return E(f"⍴{source.text}", value)
            case _:
                pass
        return literal(single if single is not None and not self.chance(3) else value)


def ranks_are_known(*operands: E) -> bool:
    """Whether the compiler knows the rank of the result even if a single element is in axes of its own.

    It does if all is literal, or if the operand of lower rank is a single literal: then that extends.
    """
    low = min(operands, key=lambda e: e.value.rank)
    return all(e.is_literal for e in operands) or (low.is_literal and low.value.is_single)


# --- text -----------------------------------------------------------------------------------------------


def literal(value: A) -> E:
    """The array as APL text; it must be finite."""
    if value.rank == 0:
        return E(_scalar(value), value, is_atom=True, is_literal=True)
    items = _items(value)
    if value.rank == 1 and len(value.data) == 1:
        return E(f",{items}", value, is_literal=True)
    if value.rank == 1:
        is_atom = value.kind != "bool" if value.data else items in ("⍬", "''")
        return E(items, value, is_atom=is_atom, is_literal=True)
    extents = " ".join(map(str, value.shape))
    return E(f"{extents}⍴{items if value.data else _prototype(value.kind)}", value, is_literal=True)


def _scalar(value: A) -> str:
    if value.kind == "bool":
        return f"(1={int(value.data[0])})"
    return _items(value)


def _prototype(kind: str) -> str:
    return {"int": "0", "double": "0.5", "bool": "1=0", "char": "' '"}[kind]


def _items(value: A) -> str:
    """The elements as a strand or a string; of none, an empty vector."""
    if not value.data:
        return {"int": "⍬", "double": "0⍴0.5", "bool": "0⍴1=0", "char": "''"}[value.kind]
    match value.kind:
        case "char":
            return "'" + "".join(value.data).replace("'", "''") + "'"
        case "bool":
            return "1=" + " ".join([str(int(x)) for x in value.data])
        case _:
            return " ".join(map(spelt, value.data))


def spelt(x: int | float) -> str:
    """A number as APL text: a double with a point or an exponent."""
    text = repr(x).upper().replace("+", "")
    return text.replace("-", "¯")
