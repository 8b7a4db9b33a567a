"""Ways out of code: what a block gives where it ends, and how the code around takes it apart."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

from aplc.apl_front.building.builder import Builder, plain
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading.scope import ArrayValue, MaybeValue, Reason, Scope, Unset, Value
from aplc.apl_front.syntax.ast import Block, For, If, Loop, Node
from aplc.apl_front.syntax.gotos import jumps
from aplc.apl_front.typing.branches import filler
from aplc.apl_front.typing.effects import Place
from aplc.tail import prims as p
from aplc.tail.errors import Error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, product
from aplc.tail.types import Func, Tuple, Type, rank_of

Exit = Callable[[], Exp | None]
"""What a block gives where it ends; None where that is not known yet."""
Kinds = Mapping[str | None, int]
"""The ways out of some code, by the labels of jumps and None for its end, counted from 0; some may be one."""


class Loses(Error):
    """A name turned out to have no value behind a join, or where a round begins."""

    def __init__(self, where: object, name: str, reason: Reason | None) -> None:
        self.where, self.name, self.reason = where, name, reason
        super().__init__(name)


def on_two_ways(before: Type, after: Type) -> Reason:
    """Why a name has no value behind ways that give it arrays which do not go together."""
    return kinds_apart(f"is {plain(before)} on one way and {plain(after)} on another", before, after)


def kinds_apart(why: str, one: Type, other: Type) -> Reason:
    """A reason that two types are; where one is a scalar and the other a vector of the same kind, what makes
    them one.
    """
    if isinstance(one, Func | Tuple) or isinstance(other, Func | Tuple) or one.base is not other.base:
        return Reason(why)
    ranks = sorted([rank_of(one).const, rank_of(other).const])
    return Reason(why, "write , in front of the scalar") if ranks == [0, 1] else Reason(why)


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around some code: where its jumps and its end go to."""

    exits: Mapping[str, Exit]
    end: Exit
    is_block: bool
    """Whether it gives what a block gives: a value that a join or a loop takes apart."""
    places: tuple[Place, ...] = ()
    """Names of outside that the block carries."""


Way = Callable[[Around], Exp | None]
"""Code that is elaborated when it is known what stands around it."""


def kinds_of(node: Node, to_rest: Sequence[str | None]) -> dict[str | None, int]:
    """The ways out of a node: all that lead to what follows it are one, each label further out is another."""
    kinds = dict.fromkeys(to_rest, 0)
    inside = _labels_in(node)
    count = 1 if to_rest else 0
    for jump in jumps((node,)):
        if jump.label not in kinds and jump.label not in inside:
            kinds[jump.label] = count
            count += 1
    return kinds


def _labels_in(node: Node) -> set[str]:
    found: set[str] = set()
    stack: list[Node] = [node]
    while stack:
        match stack.pop():
            case If(then=then, otherwise=otherwise):
                stack += (*then, *otherwise)
            case Block(label=label, body=body) | Loop(label=label, body=body) | For(label=label, body=body):
                found.add(label)
                stack += body
            case _:
                pass
    return found


@dataclass(frozen=True, slots=True)
class WayOut:
    """Which way out of a joined part was taken."""

    number: Exp | None
    """Counted from 0; a truth value where there are two, None where there is one only."""
    kinds: Kinds
    taken: Sequence[int]
    """The ways that something leads to."""

    def is_kind(self, kind: int, span: Span) -> Exp:
        """Whether it is that of a number."""
        assert self.number is not None
        if max(self.kinds.values()) > 1:
            return op(p.EQI, self.number, literal(kind, span), span=span)
        return self.number if kind else op(p.NOTB, self.number, span=span)


@dataclass(slots=True)
class Names:
    """The names that have values behind a join or a loop: those needed by any way out of it."""

    scope: Scope
    needed: Mapping[int, frozenset[str]]
    """What is needed where each way out leads to."""
    where: object
    """The join, for `Loses`."""
    names: list[str] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=dict)
    """What the ways out have given."""
    outer: dict[Place, Type] = field(default_factory=dict)
    """The same of the names of outside that are changed."""
    maybe: set[str] = field(default_factory=set)
    """Those that have no value on some way out on which they are needed."""
    reasons: dict[str, Reason | None] = field(default_factory=dict)
    """Why they have none there."""
    lost: dict[str, Unset] = field(default_factory=dict)
    """Those that had no value on some way out, with the reason."""
    taken: set[int] = field(default_factory=set)
    """The ways out that something leads to, as far as is known."""
    is_known: bool = True
    """Whether what was known of all names at the beginning of this attempt is all."""

    def choose(self, lost: Container[str]) -> None:
        """All of them but those that are lost."""
        everything = frozenset[str]().union(*self.needed.values())
        self.names = [name for name in sorted(everything) if name not in lost and name in self.scope.names]

    def keep_known(self) -> None:
        """Those of which no way out has told a type have no value behind any, or are needed where nothing
        leads to.
        """
        self.names = [name for name in self.names if name in self.types]

    def values(self, build: Builder, kind: int, span: Span) -> list[Exp] | None:
        """Their values on one way out; beside that of a name that may have none stands whether it has one.
        None where the type of one is not known yet, or not that it may have none.
        """
        values: list[Exp] = []
        for name in self.names:
            found = self.scope.names[name]
            is_needed = name in self.needed[kind]
            if is_needed and isinstance(found, MaybeValue | Unset):
                self.reasons.setdefault(name, found.reason)
            value, is_set = _state(found)
            if value is not None:
                before = self.types.get(name, value.ty)
                common = tuples.widen(before, value.ty)
                if common is None:
                    raise Loses(self.where, name, on_two_ways(before, value.ty))
                self.types[name] = common
            elif name in self.types:
                value = filler(build, self.types[name], span)
            if is_needed and is_set != literal(True) and name not in self.maybe:
                self.maybe.add(name)
                self.is_known = False
            if value is None:
                self.is_known = False
                if isinstance(found, Unset):
                    self.lost[name] = found
            elif name in self.maybe:
                values.append(product((value, is_set), span))
            else:
                values.append(value)
        if not self.is_known:
            return None
        self.taken.add(kind)
        return values

    def of_outside(self, places: Sequence[Place], span: Span) -> list[Exp]:
        """The values of names of outside on one way out. Raises `Unsupported` where they do not go with those
        on another.
        """
        values = [place.value() for place in places]
        for place, value in zip(places, values, strict=True):
            before = self.outer.get(place, value.ty)
            common = tuples.widen(before, value.ty)
            if common is None:
                reason = on_two_ways(before, value.ty)
                what = f"code behind which {place.name}, which is defined outside, {reason.why}"
                raise unsupported(what, span, reason.instead)
            self.outer[place] = common
        return values

    def assume_behind(self, build: Builder, parts: Sequence[Exp], span: Span) -> None:
        """The names stand for the parts of the value of the join from here on; those that have none for
        nothing, also where they had a value before.
        """
        for name, part in zip(self.names, parts, strict=False):
            reason = self.reasons.get(name)
            value = maybe(build, part, span, reason) if name in self.maybe else ArrayValue(part, span)
            build.change(self.scope, name, value)
        for name, unset in self.lost.items():
            if name not in self.names:
                build.change(self.scope, name, unset)

    def attempt(self) -> int:
        """Another attempt begins; how much is known of the names."""
        self.taken.clear()
        self.is_known = True
        return self.known()

    def known(self) -> int:
        """How much is known of them."""
        return len(self.types) + len(self.maybe)


def maybe(build: Builder, pair: Exp, span: Span, reason: Reason | None = None) -> MaybeValue:
    """A value and whether it is one, as what a name stands for; why it may be none."""
    value, is_set = tuples.items_of(build, pair)
    return MaybeValue(value, is_set, span, reason)


def _state(found: Value) -> tuple[Exp | None, Exp]:
    """What a local name stands for, and whether it is set."""
    match found:
        case ArrayValue(exp=exp):
            return exp, literal(True)
        case MaybeValue(exp=exp, is_set=is_set):
            return exp, is_set
        case _:
            return None, literal(False)


def packed(kind: int, kinds: Kinds, values: Sequence[Exp], span: Span) -> Exp:
    """What a block gives: which way out it was, where there are several, and the values."""
    last = max(kinds.values())
    if last > 0:
        values = [literal(bool(kind) if last == 1 else kind, span), *values]
    if len(values) == 1:
        return values[0]
    return product(tuple(values), span) if values else literal(True, span)


def unpacked(build: Builder, value: Exp, kinds: Kinds, count: int) -> tuple[Exp | None, list[Exp]]:
    """Which way out it was, where there are several, and the given number of values."""
    value, several = build.bind(value), max(kinds.values()) > 0
    parts = [] if count + several == 0 else [value]
    if count + several > 1:
        parts = list(tuples.items_of(build, value))
    return (parts[0], parts[1:]) if several else (None, parts)
