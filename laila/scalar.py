"""Scalar expressions of Laila: what computes one element. A graph with sharing, not a tree.

    e ::= Const | Var | Call op(e, …) | Sum k₀ + Σ kᵢ·eᵢ | Read buffer[e] | Select e ? e : e
       |  Check e provided e               the value, if the condition holds; otherwise an APL error
       |  Fold op over x < e of e          a reduction inside an expression

Nodes are interned: equal expressions made by one `Scalars` are the same object, so comparison is identity
and what is shared is computed once. Only a `Select` is lazy: it evaluates one branch. Integer sums are
kept in linear normal form, which `facts` and `Scalars` use to decide index conditions while expressions
are being built. Nothing here knows arrays or statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tail.faults import Fault
from tail.prims import Prim
from tail.source import Span
from tail.types import Base
from tail.unify import parse_scheme

# --- operators below TAIL's -----------------------------------------------------------------------------


def _raw(name: str, scheme: str) -> Prim:
    def meaning(*_: object) -> object:
        raise NotImplementedError(name)

    return Prim(name, (parse_scheme(scheme),), meaning, is_scalar=True)


QUOT = _raw("quot", "int → int → int")
"""Quotient of a non-negative integer and a positive one."""
REM = _raw("rem", "int → int → int")
"""Remainder of a non-negative integer and a positive one."""
DIVIDE = _raw("fdiv", "double → double → double")
"""IEEE division."""
POWER = _raw("fpow", "double → double → double")
"""`pow` of C."""
LOG = _raw("flog", "double → double")
"""`log` of C."""
FLOOR = _raw("ffloor", "double → double")
CEIL = _raw("fceil", "double → double")
TRUNCATE = _raw("ftrunc", "double → int")
"""A whole double in the range of integers, as an integer."""
ALSO = _raw("also", "int → int → int")
"""A flag or an alarm: bits of either. Flags are as wide as data, so that they fit its lanes."""
ALARM = _raw("alarm", "bool → int")
"""Raises a flag if the condition holds."""
BITS = _raw("bits", "double → int")
"""Raises a flag if the number is not zero: its representation. The sign does not count."""
RAISED = _raw("raised", "int → bool")
"""Whether a flag has been raised."""
RAW = (QUOT, REM, DIVIDE, POWER, LOG, FLOOR, CEIL, TRUNCATE, ALSO, ALARM, BITS, RAISED)


# --- nodes ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Buffer:
    """Memory for the elements of an array, row-major. `storage` is a NumPy dtype name, narrower than `ty`
    perhaps.
    """

    name: str
    ty: Base
    storage: str
    data: tuple[bool | int | float, ...] | None = None
    """The elements of a table of constants."""


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """Where a run-time check stands in the user's text, and how it fails."""

    fault: Fault
    symbol: str
    span: Span | None


@dataclass(frozen=True, eq=False, slots=True)
class Const:
    """A constant; characters are their code points."""

    value: bool | int | float
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class Var:
    """A variable: an index, an extent, a host scalar, or a parameter of a fold's step.

    `lows` and `highs` bound an index or extent from below and above (inclusive). Only such variables are
    `is_index`: their arithmetic does not wrap, so they may be reasoned about.
    """

    name: str
    ty: Base
    is_index: bool = False
    lows: tuple[Exp, ...] = ()
    highs: tuple[Exp, ...] = ()
    likely: bool = False
    """A condition that holds on the path that must be fast; loops are versioned on it."""


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
class Select:
    """`cond ? then : other`; only the chosen branch is evaluated."""

    cond: Exp
    then: Exp
    other: Exp
    ty: Base


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """The value, provided that `ok`; else the error of the site with the reported values."""

    ok: Exp
    value: Exp
    site: Site
    reported: tuple[Exp, ...]
    ty: Base


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


Exp = Const | Var | Call | Sum | Read | Select | Check | Fold


def operands(exp: Exp) -> Iterator[Exp]:
    """The immediate subexpressions, a fold's body and step included."""
    match exp:
        case Const() | Var():
            return
        case Call(args=args):
            yield from args
        case Sum(terms=terms):
            for atom, _ in terms:
                yield atom
        case Read(index=index):
            yield index
        case Select(cond=cond, then=then, other=other):
            yield cond
            yield then
            yield other
        case Check(ok=ok, value=value, reported=reported):
            yield ok
            yield value
            yield from reported
        case Fold(combine=combine, extent=extent, body=body, empty=empty):
            yield extent
            yield body
            if empty is not None:
                yield empty
            if isinstance(combine, Step):
                yield combine.body


def nodes(*roots: Exp, below: Callable[[Exp], Iterable[Exp]] = operands) -> Iterator[Exp]:
    """Every node of a graph once, operands before their users; `below` tells where to go on from a node."""
    seen: set[int] = set()
    stack: list[tuple[Exp, bool]] = [(r, False) for r in reversed(roots)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend([(o, False) for o in below(node) if id(o) not in seen])


@dataclass(slots=True)
class FreeVars:
    """The variables on which expressions depend, remembered per node."""

    known: dict[int, frozenset[Var]] = field(default_factory=dict)
    alive: list[Exp] = field(default_factory=list)

    def of(self, exp: Exp) -> frozenset[Var]:
        """The free variables of an expression: those that no fold in it binds."""
        if id(exp) not in self.known:
            self.alive.append(exp)
            for node in nodes(exp):
                if id(node) not in self.known:
                    self.known[id(node)] = self._at(node)
        return self.known[id(exp)]

    def _at(self, node: Exp) -> frozenset[Var]:
        if isinstance(node, Var):
            return frozenset((node,))
        below = [self.known[id(o)] for o in operands(node)]
        free = below[0] if len(below) == 1 else frozenset().union(*below)
        if isinstance(node, Fold):
            bound = {node.var}
            if isinstance(node.combine, Step):
                bound |= {node.combine.element, node.combine.accumulator}
            free -= bound
        return free
