"""Scalar expressions of Laila: what computes one element. A graph with sharing, not a tree.

    e ::= Const | Var | Call op(e, …) | Sum k₀ + Σ kᵢ·eᵢ | Read buffer[e] | Select e ? e : e
       |  PureCall f(buffer, …, e, …)     what a run-time function finds in memory
       |  Check e provided e               the value, if the condition holds; otherwise an APL error
       |  Fold op over x < e of e          a reduction inside an expression
       |  do { stm* } e                    the value of an expression after some statements

Nodes are interned: equal expressions made by one `ExprBuilder` are the same object, so comparison is identity
and what is shared is computed once. Only a `Select` is lazy: it evaluates one branch. Integer sums are
kept in linear normal form, which `counts` and `ExprBuilder` use to decide index conditions while expressions
are being built. Nothing here knows arrays or statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any

import numpy as np

from aplc.tail.faults import Site as Site
from aplc.tail.prims import Prim
from aplc.tail.types import Base
from aplc.tail.unify import parse_scheme

# --- operators below TAIL's -----------------------------------------------------------------------------


def _raw(name: str, scheme: str) -> Prim:
    def meaning(*_: object) -> object:
        raise NotImplementedError(name)

    return Prim(name, (parse_scheme(scheme),), meaning, is_scalar=True)


QUOT = _raw("quot", "int → int → int")
"""Quotient of a non-negative integer and a positive one."""
REM = _raw("rem", "int → int → int")
"""Remainder of a non-negative integer and a positive one."""
FLOOR_DIV = _raw("floordiv", "int → int → int")
"""The floor of the quotient of two integers, of which the second is not zero."""
FLOOR_QUOT = _raw("floorquot", "int → int → int")
"""The floor of the quotient of an integer and a positive one, both of at most 2⁵³ in magnitude."""
FLOOR_QUOT64 = _raw("floorquot64", "int → int → int")
"""The floor of the double quotient of any integer and a positive constant of at most 2⁵³."""
SNAP_QUOT64 = _raw("snapquot64", "double → int → int → int")
"""The same where a quotient within a tolerance of a whole number is that number."""
SMALL = _raw("small", "int → int")
"""An integer known to be at most `SMALL_LIMIT` in magnitude: itself."""
SMALL_LIMIT = 1 << 25
"""Dates written as 20261126 are that small, and small integers times a few dozen fit 32 bits."""
DIVIDE = _raw("fdiv", "double → double → double")
"""IEEE division."""
MULTIPLY_ADD = _raw("fma", "double → double → double → double")
"""`x×y`, plus the third: the product is not rounded where the machine has that operation."""
POWER = _raw("fpow", "double → double → double")
"""`pow` of C."""
EXACT_POWER = _raw("exactpow", "double → double → double")
"""The same, and exact for whole numbers whose power is whole and at most 2⁵³."""
SHORT_POWER = _raw("shortpow", "double → int → double")
"""A power with a whole exponent from 0 up to `SHORT_EXPONENT`, by squares."""
SHORT_EXPONENT = 63
IS_SHORT = _raw("isshort", "int → bool")
"""Whether an integer is at most `SHORT_EXPONENT`."""
SQRT = _raw("fsqrt", "double → double")
LOG = _raw("flog", "double → double")
"""`log` of C."""
FLOOR = _raw("ffloor", "double → double")
CEIL = _raw("fceil", "double → double")
SNAP = _raw("snap", "double → double → double")
"""The whole number that the second is within a tolerance, or itself; see `aplc.tail.meaning.tolerant`."""
TRUNCATE = _raw("ftrunc", "double → int")
"""A whole double in the range of integers, as an integer."""
CHARACTER = _raw("character", "int → char")
"""The character of a code that there is."""
CODE_BITS = _raw("codebits", "char → char → char")
"""The bits of two codes together, which need be no character."""
OF_PARTS = _raw("ofparts", "double → double → complex")
"""The complex number with these parts."""
REAL_PART = _raw("realpart", "complex → double")
IMAGINARY_PART = _raw("imagpart", "complex → double")
MAGNITUDE = _raw("magnitude", "double → double → double")
"""The root of the sum of the squares, which may be beyond the doubles themselves."""
ROUNDED = _raw("rounded", "double → double")
"""A product that is rounded before it is added to: gcc 12 makes one operation of both, whatever it is told,
where a difference and a sum are stored side by side.
"""
ARCTANGENT = _raw("atan2", "double → double → double")
"""The angle of a point from its two coordinates, the second of which comes first."""
BIT_OR = _raw("also", "int → int → int")
"""A flag or an alarm: bits of either. Flags are as wide as data, so that they fit its lanes."""
ALARM = _raw("alarm", "bool → int")
"""Raises a flag if the condition holds."""
BITS = _raw("bits", "double → int")
"""Raises a flag if the number is not zero: its representation. The sign does not count."""
MASKED = _raw("masked", "int → bool → int")
"""The integer where the condition holds, otherwise 0: a choice by bits."""
CHOSEN = _raw("chosen", "bool → double → double → double")
"""One of two numbers, both of which are computed: see `Select` for one that is."""
CHOSEN_INTEGER = _raw("choseninteger", "bool → int → int → int")
BLENDED = _raw("blended", "bool → double → double → double")
"""The same by bits: of several choices by one condition gcc makes branches, but of one beside these."""
BLENDED_INTEGER = _raw("blendedinteger", "bool → int → int → int")
RAISED = _raw("raised", "int → bool")
"""Whether a flag has been raised."""
TESTED = _raw("tested", "int → int → bool")
"""Whether a flag that several checks raise has a certain bit."""
ADD_WRAPS = _raw("addwraps", "int → int → bool")
"""Whether a sum does not fit 64 bits."""
SUB_WRAPS = _raw("subwraps", "int → int → bool")
MUL_WRAPS = _raw("mulwraps", "int → int → bool")
LCM_WRAPS = _raw("lcmwraps", "int → int → bool")
FACTORIAL = _raw("factorial", "double → double")
BINOMIAL = _raw("binomial", "double → double → double")
SHIFT_LEFT = _raw("shl32", "int → int → int")
"""Of the low 32 bits, by a count that is not negative."""
SHIFT_RIGHT = _raw("shr32", "int → int → int")
BIT_FIELD = _raw("bitfield", "int → int → int → int")
"""The bits of a number in two's complement from a position on, 0 to 63, that a mask of no sign chooses."""
LESSER = _raw("lesser", "double → double → double")
"""The smaller of two doubles; of a number and NaN the number."""
BIT_COUNT = _raw("bitcount", "int → int")
"""How many bits of a number in two's complement are 1."""
BIT_AND = _raw("bitand", "int → int → int")
"""The bits that both numbers have, in two's complement."""
BIT_XOR = _raw("bitxor", "int → int → int")
"""Those that one of them has."""
BIT_AT = _raw("bitat", "bool → int → int")
"""The number whose bit at a position, 0 to 63, is given, and the others are 0."""
PIECE = _raw("piece", "int → int → int → int → int → int")
"""One piece of a function of a number, of straight lines: `x, first, count, value, step` give
`value + step×(x - first)` where x is one of so many whole numbers from the first on, and else 0.
"""
CIRCLE = _raw("circle", "int → double → double")
"""`k○x` for a k that only the run knows, where it is real."""
CIRCLES = {k: _raw(f"circle{k}", "double → double") for k in range(-7, 8)}
"""`k○x` for a known k, where it is real."""
CIRCLE_IS_REAL = _raw("circlereal", "int → double → bool")
"""Whether `k○x` is real."""
ROLLED = _raw("rolled", "int → int → int → int")
"""An integer in 1…n from a number of the random stream: of its key, the number's position and n."""
DRAWN = _raw("drawn", "int → int → double")
"""A double above 0 and below 1, of a key and a position."""
TILE_ROWS = _raw("tilerows", "int → int")
"""The rows of a tile that stands in registers, of elements of so many bytes."""
TILE_COLUMNS = _raw("tilecolumns", "int → int")
"""Its columns: a few vectors."""
TILE_LANES = _raw("tilelanes", "int → int")
"""The columns in one of these."""
ROUND_LANES = _raw("roundlanes", "int → int → int → int")
"""How many points, of so many at most, loop side by side with so many variables each: these are to stand in
registers.
"""
RAW = (
    QUOT, REM, FLOOR_DIV, FLOOR_QUOT, FLOOR_QUOT64, SNAP_QUOT64, SMALL, DIVIDE, MULTIPLY_ADD, POWER,
    EXACT_POWER, SHORT_POWER, IS_SHORT, SQRT, LOG, FLOOR, CEIL, SNAP, TRUNCATE, CHARACTER, CODE_BITS,
    OF_PARTS, REAL_PART, IMAGINARY_PART, MAGNITUDE, ROUNDED, ARCTANGENT,
    BIT_OR, ALARM, BITS, MASKED, RAISED, TESTED, CHOSEN, CHOSEN_INTEGER, BLENDED, BLENDED_INTEGER,
    ADD_WRAPS, SUB_WRAPS, MUL_WRAPS, LCM_WRAPS, FACTORIAL, BINOMIAL, SHIFT_LEFT, SHIFT_RIGHT,
    BIT_FIELD, BIT_COUNT, BIT_AND, BIT_XOR, BIT_AT, PIECE,
    LESSER, ROLLED, DRAWN, CIRCLE, CIRCLE_IS_REAL, *CIRCLES.values(),
    TILE_ROWS, TILE_COLUMNS, TILE_LANES, ROUND_LANES,
)  # fmt: skip


TABLE, GROWING = "table", "growing"
"""The storage of a table for searches, made by the run-time system, and that of a destination: memory that
grows, to which functions of the program append elements.
"""


@cache
def storage_bytes(storage: str) -> int:
    """The size of an element in memory; what only functions of the run-time system know has none."""
    return 0 if storage in (TABLE, GROWING) else np.dtype(storage).itemsize


# --- nodes ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Buffer:
    """Memory for the elements of an array, row-major. `storage` is a NumPy dtype name, narrower than `ty`
    perhaps.
    """

    name: str
    ty: Base
    storage: str
    """The name of a dtype, `TABLE` or `GROWING`."""
    data: tuple[bool | int | float, ...] | None = None
    """The elements of a table of constants."""
    lows: tuple[Exp, ...] = ()
    highs: tuple[Exp, ...] = ()
    """What bounds the elements, inclusive, where they are indices."""
    values: tuple[int, int] | None = None
    """The least and the greatest integer that the elements can be, where that is known."""
    asked: bool = False
    """Whether the program asks for the array in memory, by `⌷`."""

    @property
    def is_bounded(self) -> bool:
        """Whether elements are known to have bounds. So nothing may pass through it that is not one yet."""
        return bool(self.lows or self.highs)

    @property
    def item_bytes(self) -> int:
        """The size of an element in memory: see `storage_bytes`."""
        return storage_bytes(self.storage)


@dataclass(frozen=True, eq=False, slots=True)
class Const:
    """A constant; characters are their code points."""

    value: bool | int | float
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class Var:
    """A variable: an index, an extent, a host scalar, or a parameter of a fold's step.

    `lows` and `highs` bound it from below and above (inclusive). Only indices and extents are `is_index`:
    their arithmetic does not wrap, so they may be reasoned about.
    """

    name: str
    ty: Base
    is_index: bool = False
    lows: tuple[Exp, ...] = ()
    highs: tuple[Exp, ...] = ()
    likely: bool = False
    """A condition that holds on the path that must be fast; loops are versioned on it."""
    is_size: bool = False
    """An extent, also where it has a bound."""


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A scalar operator applied."""

    op: Prim
    args: tuple[Exp, ...]
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class Sum:
    """`const + Σ k·atom`; at least one term, and more than a bare atom; atoms are no sums."""

    const: int
    terms: tuple[tuple[Exp, int], ...]
    ty: Base = Base.INT


@dataclass(frozen=True, eq=False, slots=True)
class Read:
    """An element of a buffer."""

    buffer: Buffer
    index: Exp
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class PureCall:
    """What a function of the run-time system finds in memory, which it does not change.

    It gets pointers to the memory and then the arguments. `behind` is what that memory points to. `lows` and
    `highs` bound the result, inclusive, where it is an index.
    """

    function: str
    header: str
    memory: tuple[Buffer, ...]
    args: tuple[Exp, ...]
    ty: Base
    behind: tuple[Buffer, ...] = ()
    lows: tuple[Exp, ...] = ()
    highs: tuple[Exp, ...] = ()


PLACES = "aplc_places.h"
"""The header of what finds the place of a number among constants: arithmetic, of which loops have lanes."""


@dataclass(frozen=True, eq=False, slots=True)
class Select:
    """`cond ? then : other`; only the chosen branch is evaluated."""

    cond: Exp
    then: Exp
    other: Exp
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """The value, provided that `ok`; else the error of the site with the reported values, and behind them the
    numbers of the items in which it is.
    """

    ok: Exp
    value: Exp
    site: Site
    reported: tuple[Exp, ...]
    ty: Base

    @staticmethod
    def of(ok: Exp, value: Exp, site: Site, reported: tuple[Exp, ...]) -> Check:
        """A check of a site, perhaps in an item."""
        return Check(ok, value, *told_at(site, reported), value.ty)

    @property
    def own(self) -> tuple[Exp, ...]:
        """The reported values without the numbers of items."""
        return self.reported[: len(self.reported) - self.site.count]

    @property
    def index(self) -> tuple[Exp, ...]:
        """The numbers of items."""
        return self.reported[len(self.reported) - self.site.count :]


@dataclass(frozen=True, eq=False, slots=True)
class SiteOfItem(Site):
    """A site for checks while they are made: they are of site `plain`, and report these numbers."""

    plain: Site = field(kw_only=True)
    index: tuple[Exp, ...] = field(kw_only=True)


def told_at(site: Site, reported: tuple[Exp, ...]) -> tuple[Site, tuple[Exp, ...]]:
    """The site of a check that has been made, and all that it reports."""
    return (site.plain, (*reported, *site.index)) if isinstance(site, SiteOfItem) else (site, reported)


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """A function `element, accumulator → accumulator` that must be applied from the right."""

    element: Var
    accumulator: Var
    body: Exp


@dataclass(frozen=True, eq=False, slots=True)
class Fold:
    """The reduction of `body` over an index below an extent.

    `combine` is an associative primitive, which may be applied in any order, or a step. `empty` is the
    value for no elements; without one an empty fold must be excluded by a check.
    """

    combine: Prim | Step
    var: Var
    extent: Exp
    body: Exp
    empty: Exp | None
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class BlockExp:
    """Statements of `program`, then a value that may mention what they bind.

    `inside` are all expressions in the statements, `names` all variables that they bind or assign to.
    """

    statements: tuple[object, ...]
    inside: tuple[Exp, ...]
    names: tuple[Var, ...]
    value: Exp
    ty: Base


Exp = Const | Var | Call | Sum | Read | PureCall | Select | Check | Fold | BlockExp


def operands(exp: Exp) -> tuple[Exp, ...]:
    """The immediate subexpressions, a fold's body and step included."""
    return _OPERANDS[type(exp)](exp)


def _of_fold(fold: Fold) -> tuple[Exp, ...]:
    nothing = () if fold.empty is None else (fold.empty,)
    step = (fold.combine.body,) if isinstance(fold.combine, Step) else ()
    return (fold.extent, fold.body, *nothing, *step)


_LEAVES = frozenset((Const, Var))
_OPERANDS: dict[type[Exp], Callable[[Any], tuple[Exp, ...]]] = {
    Const: lambda leaf: (),
    Var: lambda leaf: (),
    Call: attrgetter("args"),
    PureCall: attrgetter("args"),
    Sum: lambda total: tuple([atom for atom, _ in total.terms]),
    Read: lambda read: (read.index,),
    Select: attrgetter("cond", "then", "other"),
    Check: lambda check: (check.ok, check.value, *check.reported),
    Fold: _of_fold,
    BlockExp: lambda block: (*block.inside, block.value),
}
"""By the type of a node: passes ask for operands more often than for anything else."""


def nodes(*roots: Exp, below: Callable[[Exp], Iterable[Exp]] = operands) -> Iterator[Exp]:
    """Every node of a graph once, operands before their users; `below` tells where to go on from a node."""
    seen: set[int] = set()
    users: list[Exp] = []
    stack: list[Exp | None] = [*reversed(roots)]  # None: the operands of the last user are done
    while stack:
        node = stack.pop()
        if node is None:
            yield users.pop()
        elif id(node) not in seen:
            seen.add(id(node))
            if type(node) in _LEAVES:
                yield node
            else:
                users.append(node)
                stack.append(None)
                stack.extend(below(node))


def contains(kinds: type[Exp] | tuple[type, ...] | UnionType, *roots: Exp) -> bool:
    """Whether a node of one of these kinds stands anywhere in a graph."""
    return any(isinstance(node, kinds) for node in nodes(*roots))


class MayFail:
    """Whether expressions may raise an error, so that they must not be dropped; remembered per node."""

    def __init__(self) -> None:
        self.known: dict[Exp, bool] = {}

    def __call__(self, exp: Exp) -> bool:
        """Whether this one may."""
        if isinstance(exp, Const | Var):
            return False
        known = self.known
        if exp not in known:
            for node in nodes(exp, below=lambda e: () if e in known else operands(e)):
                if node not in known:
                    known[node] = isinstance(node, Check | BlockExp) or any(
                        [known[o] for o in operands(node)]
                    )
        return known[exp]


def certainly(exp: Exp) -> tuple[Exp, ...]:
    """The operands that are computed whenever an expression is, for the same element."""
    if isinstance(exp, Fold | BlockExp):
        return ()
    return (exp.cond,) if isinstance(exp, Select) else operands(exp)


def bound_by(node: Fold) -> frozenset[Var]:
    """The variables that a fold binds."""
    step = node.combine
    return frozenset((node.var, step.element, step.accumulator) if isinstance(step, Step) else (node.var,))


@dataclass(slots=True)
class FreeVars:
    """The variables on which expressions depend, remembered per node."""

    known: dict[int, frozenset[Var]] = field(default_factory=dict)
    alive: list[Exp] = field(default_factory=list)

    def of(self, exp: Exp) -> frozenset[Var]:
        """The free variables of an expression: those that no fold in it binds."""
        if id(exp) not in self.known:
            self.alive.append(exp)
            for node in nodes(exp, below=lambda e: () if id(e) in self.known else operands(e)):
                if id(node) not in self.known:
                    self.known[id(node)] = self._at(node)
        return self.known[id(exp)]

    def names(self, exp: Exp) -> frozenset[str]:
        """Their names: of one variable more may be known in one place than in another."""
        return frozenset([var.name for var in self.of(exp)])

    def _at(self, node: Exp) -> frozenset[Var]:
        if isinstance(node, Var):
            return frozenset((node,))
        below = [self.known[id(o)] for o in operands(node)]
        free = below[0] if len(below) == 1 else frozenset().union(*below)
        if isinstance(node, Fold):
            free -= bound_by(node)
        if isinstance(node, BlockExp):
            names = {var.name for var in node.names}
            free = frozenset([var for var in free if var.name not in names])
        return free
