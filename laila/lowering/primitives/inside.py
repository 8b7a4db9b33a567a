"""What the statements inside a function say that is applied to cells: whether they may fail, what they write,
and what of a cell is known before it is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Empty,
    Filter,
    FunctionCall,
    HostCall,
    HostCheck,
    HostLet,
    Map,
    Move,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    Swap,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Exp, Fold, PureCall, Site, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, expressions, leaves
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh

CHEAP = 64
"""Extents of so many operations are computed before the cells, and once more with them."""


class Early:
    """What is known of the cell at an index by names and checks alone, before anything is written for it."""

    def __init__(self, make: ExprBuilder, inside: Sequence[Statement]) -> None:
        self.make = make
        self.values: dict[str, Exp] = {}
        """What names stand for."""
        self.hidden: set[str] = set()
        """Names that stand for what takes more."""
        self.written: set[Buffer] = set()
        self.checks: list[tuple[Exp, Site, tuple[Exp, ...]]] = []
        self.made: list[HostCheck] = []
        """The statements of the checks."""
        for statement in inside:
            match statement:
                case HostLet(var=var, value=value) if (known := self.known(value)) is not None:
                    self.values[var.name] = known
                case HostCheck(ok=ok, site=site, reported=reported) if self.known(ok) is not None:
                    self.note(statement, ok, site, reported)
                case _:
                    self.hidden.update([v.name for v in bound(statement)])
                    self.written.update(written(statement))

    def note(self, statement: HostCheck, ok: Exp, site: Site, reported: tuple[Exp, ...]) -> None:
        """A check that can be made early."""
        known = [self.known(e) for e in (ok, *reported)]
        given = [e for e in known if e is not None]
        if len(given) == len(known):
            self.checks.append((given[0], site, tuple(given[1:])))
            self.made.append(statement)

    def known(self, exp: Exp) -> Exp | None:
        """An expression in terms of the index; None where it needs more."""
        names = [v for v in nodes(exp) if isinstance(v, Var)]
        if any(v.name in self.hidden for v in names) or contains(BlockExp | Fold | PureCall, exp):
            return None
        if not self.written.isdisjoint(buffers_read(exp)):
            return None
        inside: dict[Exp, Exp] = {v: self.values[v.name] for v in names if v.name in self.values}
        return Substitute(self.make, inside)(exp) if inside else exp

    def of_all(self, exps: Sequence[Exp]) -> tuple[Exp, ...] | None:
        """Such expressions, where they are quickly computed. What is checked before them is checked in the
        first.
        """
        known = [self.known(e) for e in exps]
        found = [e for e in known if e is not None]
        if len(found) < len(known) or not found:
            return None
        if weigh(*found, *[ok for ok, _, _ in self.checks]).cost > CHEAP:
            return None
        return tuple(found)

    def checked(self, value: Exp) -> Exp:
        """A value behind all checks, the first of them first."""
        for ok, site, reported in reversed(self.checks):
            value = self.make.check(ok, value, site, *reported)
        return value


def may_fail(statement: Statement) -> bool:
    """Whether a statement, one inside it, or an expression of it may raise an error other than WS FULL,
    or have an effect.
    """
    if isinstance(statement, HostCheck | HostCall | FunctionCall):
        return True
    if isinstance(statement, RuntimeCall) and statement.with_host:
        return True  # it changes the state of the program
    if contains(Check | BlockExp, *expressions(statement)):
        return True
    return any(may_fail(s) for body in bodies(statement) for s in body)


def written(statement: Statement) -> list[Buffer]:
    """The buffers that a statement, or one inside it, allocates or changes."""
    found = [b for body in bodies(statement) for s in body for b in written(s)]
    match statement:
        case Alloc(buffer=b) | Empty(buffer=b) | Map(buffer=b) | Scan(buffer=b):
            found.append(b)
        case Filter(buffer=b) | Store(buffer=b):
            found.append(b)
        case Move(target=a, source=b) | Swap(first=a, second=b):
            found += [a, b]
        case RuntimeCall(arguments=arguments):
            found += [a for a in arguments if isinstance(a, Buffer)]
        case HostCall(result=result):
            found += [leaf.buffer for leaf in leaves(result) if isinstance(leaf, ArrayRef)]
        case FunctionCall(results=results):
            found += [leaf.buffer for r in results for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
        case _:
            pass
    return found
