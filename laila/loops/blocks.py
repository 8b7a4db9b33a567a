"""Scopes of code under construction: their statements, the names of what has been computed there, the flags
of the checks that may fail there, and the mode in which it is made.

Whoever makes code hands a block on. What is different for a part of it is said by another block: one further
in (`inner`), or a view of the same one (`under`, `evaluating`), so nothing is changed and restored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional, uses
from aplc.laila.ir.scalar import Buffer, Exp, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail.types import Base

Reductions = tuple[l.Reduction, ...]
"""What a loop accumulates."""

LAST_BIT = 1 << 30
"""A variable has no more flags than that."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Running values that alone keep a loop in order, and what else it accumulates."""

    running: Reductions
    others: Reductions = ()


@dataclass(frozen=True, slots=True)
class Mode:
    """What is special about the code that is made."""

    reporting: bool = False
    """Checks in loops leave at once: see Note [Values in errors] of `generate`."""
    again: bool = False
    """The statement runs once more, with all its checks: see Note [Checks that results show]."""
    leaving: bool = False
    """Checks that report values leave at once: see Note [Values that stand for errors] of `generate`."""
    constant: frozenset[str] = frozenset()
    """What has one value all through the statement at hand, so that the test of a flag can tell it."""
    carried: Carried | None = None
    """Of a loop in order, if these values only keep it in order."""
    long_rows: bool = False
    """This is the version for rows that are not short: see Note [Gathered rows] of `gathered_rows`."""
    in_scalars: bool = False
    """Folds along rows take one element after the other."""

    @property
    def is_rare(self) -> bool:
        """Whether the code runs rarely, and need not be fast."""
        return self.reporting or self.again


ORDINARY = Mode()


@dataclass(frozen=True, slots=True)
class Flag:
    """What tells that a check has failed: a bit of a variable, any bit if there is none."""

    var: Var
    bit: int | None = None
    index: tuple[Exp, ...] = ()
    """The numbers of the items in which the check is, where the test of the flag tells them: see Note [Items
    that failed] of `generate`.
    """


@dataclass(eq=False, slots=True)
class Flags:
    """The flags of the checks of one statement, which grow while its code is made."""

    pending: Mapping[Site, Flag] = field(default_factory=dict)
    """Those that the statements around it have raised before."""
    raised: dict[Site, Flag] = field(default_factory=dict)
    unreported: bool = False
    """Whether a check that should report values raises a flag only."""
    named: frozenset[int] = frozenset()
    """What the statement has given names in the scope around it: checks in it may have raised flags only."""

    def all(self) -> dict[Site, Flag]:
        """All flags that may be raised at this point."""
        return {**self.pending, **self.raised}

    def variables(self) -> list[Var]:
        """The variables in which flags stand, each once."""
        return list(dict.fromkeys([flag.var for flag in self.raised.values()]))

    def is_alone(self, site: Site) -> bool:
        """Whether a variable has the flag of a check for itself."""
        var = self.raised[site].var
        return all(flag.var is not var for other, flag in self.raised.items() if other is not site)

    def of(self, make: ExprBuilder, site: Site, *, is_bit: bool, index: tuple[Exp, ...] = ()) -> Flag:
        """The flag of a check from now on, which has a bit of a variable of such if its alarm is one."""
        known = self.raised.get(site)
        if known is not None and known.index not in ((), index):
            self.unreported, index = True, ()
        self.raised[site] = flag = replace(self._chosen(make, site, is_bit), index=index)
        return flag

    def tell_no_more(self, site: Site) -> None:
        """A flag has been tested for the items that it tells."""
        self.raised[site] = replace(self.raised[site], index=())

    def _chosen(self, make: ExprBuilder, site: Site, is_bit: bool) -> Flag:
        known = self.raised.get(site)
        if known is not None:
            return Flag(known.var) if not is_bit and self.is_alone(site) else known
        if not is_bit:
            return Flag(Var(make.fresh("bad"), Base.INT))
        last = next((each for each in reversed(self.raised.values()) if each.bit is not None), None)
        if last is None or last.bit == LAST_BIT:
            return Flag(Var(make.fresh("bad"), Base.INT), 1)
        return Flag(last.var, 2 * (last.bit or 1))


@dataclass(eq=False, slots=True)
class Block:
    """Statements in one scope, and what the expressions computed so far are called there."""

    parent: Block | None
    in_loop: bool
    mode: Mode = ORDINARY
    flags: Flags = field(default_factory=Flags)
    """Those of the statement at hand."""
    statements: list[l.Stm] = field(default_factory=list)
    names: dict[int, Exp] = field(default_factory=dict)
    readers: dict[Buffer, list[int]] = field(default_factory=dict)
    """Which of these read a buffer, so that they are no more what they were when it changes."""
    uses: Counter[int] = field(default_factory=Counter)
    """How often the values that are computed here at present have a node."""
    always: frozenset[int] = frozenset()
    """Nodes of them that are certainly evaluated."""
    tested: set[int] = field(default_factory=set)
    """Conditions that checks among them have tested."""
    hidden: frozenset[int] = frozenset()
    """Nodes whose values in the scopes around are not to be used here."""

    def has_tested(self, cond: Exp) -> bool:
        """Whether a check before this point fails unless the condition holds."""
        block: Block | None = self
        while block is not None:
            if id(cond) in block.tested:
                return True
            block = block.parent
        return False

    def find(self, node: Exp) -> Exp | None:
        """The name of a node's value, if it has been computed."""
        block: Block | None = self
        while block is not None:
            if id(node) in block.names:
                return block.names[id(node)]
            block = None if id(node) in block.hidden else block.parent
        return None

    @property
    def last(self) -> int | None:
        """The node that got the last name here."""
        return next(reversed(self.names), None)

    def since(self, last: int | None) -> frozenset[int]:
        """The nodes that have got names here since a node did."""
        return frozenset(takewhile(lambda node: node != last, reversed(self.names)))

    def forget(self, buffer: Buffer) -> None:
        """What has been read of a buffer is not there any more."""
        block: Block | None = self
        while block is not None:
            for reader in block.readers.pop(buffer, ()):
                block.names.pop(reader, None)
            block = block.parent

    def inner(self, *, in_loop: bool, hidden: frozenset[int] = frozenset()) -> Block:
        """A scope inside this one, in which some of the values computed here are not known."""
        return Block(self, self.in_loop or in_loop, self.mode, self.flags, hidden=hidden)

    def with_own_names(self) -> Block:
        """The same statements, for values whose names nobody else may use."""
        return Block(self, self.in_loop, self.mode, self.flags, self.statements)

    def under(self, mode: Mode, flags: Flags | None = None) -> Block:
        """The same scope, for code of another mode, and perhaps for another statement."""
        return replace(self, mode=mode, flags=self.flags if flags is None else flags)

    def evaluating(self, roots: tuple[Exp, ...]) -> Block:
        """The same scope, for the values of these expressions."""
        always = frozenset([id(node) for node in unconditional(roots)])
        return Block(
            self.parent, self.in_loop, self.mode, self.flags, self.statements, self.names, self.readers,
            uses(roots), always, set(), self.hidden,
        )  # fmt: skip
