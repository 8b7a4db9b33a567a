"""Functions that change names of outside themselves: state that is passed in and given back.

Note [Outer names]
    `x+←1` and `x[i]←v` change the nearest `x` there is, and that may be one outside the function. A function
    in line simply gives the name another value. But the body of a loop, a branch of a conditional and a
    recursive function are blocks of their own in TAIL, and nothing that is bound in one is seen outside. So
    such a block gives back the names that it changes beside its value, as a product, and a loop or a
    recursive function has them as further parameters. TAIL needs no construct for that, nor do its passes.

    Which names these are is found by trying: a block is elaborated, and where a change is met of a name that
    some block around does not carry yet, the outermost such block is given up (`Changes`) and elaborated
    anew, carrying the name. What is found is remembered for the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.functions import tuples
from aplc.apl_front.reading.liveness import Liveness
from aplc.apl_front.reading.scope import ArrayValue, Scope
from aplc.apl_front.syntax.ast import Name
from aplc.tail.errors import Error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, product

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A name in the scope that defines it."""

    owner: Scope
    name: str

    def value(self) -> Exp:
        """What it stands for."""
        found = self.owner.names[self.name]
        if not isinstance(found, ArrayValue):
            what = f"a loop or an operator that gives {self.name} its first value"
            raise unsupported(what, None, "give it a value before")
        return found.exp


class Changes(Error):
    """A block turned out to change a name of outside: it must be elaborated anew, with the name as state."""

    def __init__(self, depth: int, place: Place) -> None:
        self.depth, self.place = depth, place
        super().__init__(place.name)


@dataclass(slots=True)
class Effects:
    """Which names the blocks carry that are being elaborated, by their depths; a block that is not here can
    carry none.
    """

    carried: dict[int, dict[Place, bool]] = field(default_factory=dict)
    """With each, whether it has been changed."""
    known: dict[int, tuple[object, tuple[str, ...]]] = field(default_factory=dict)
    """What blocks belong to, by its identity, and the names that they were found to change."""
    shared: frozenset[str] = frozenset()
    """Names that several statements of the program mention."""
    unseen: frozenset[int] = frozenset()
    """The definitions whose results nobody sees, by their identities."""
    needs: dict[int, Liveness] = field(default_factory=dict)
    """Which names definitions between two `∇` need where, by the identity of a definition of the program."""
    callers: list[Scope] = field(default_factory=list)
    """The local names of the definitions between two `∇` whose calls are under way."""

    @contextmanager
    def called(self, scope: Scope) -> Iterator[None]:
        """Inside, a call with these local names is under way."""
        self.callers.append(scope)
        try:
            yield
        finally:
            self.callers.pop()


def require(effects: Effects, build: Builder, place: Place, target: Name) -> None:
    """A name may be changed in the block at hand if all blocks around that it is outside of carry it."""
    for depth in range(place.owner.depth + 1, build.depth + 1):
        places = effects.carried.get(depth)
        if places is None:
            raise _uncarried(place, target, proving=build.proving)
        if place not in places:
            raise Changes(depth, place)
        places[place] = True


def _uncarried(place: Place, target: Name, *, proving: bool) -> Exception:
    """The error for a change where no block can carry the name."""
    if proving:
        what = f"a type for a function that changes {place.name}, which is defined outside,"
        return unsupported(what, target.span, "make it part of the result, or leave the type out")
    what = f"a change of {place.name}, which is defined outside, in a function of this operator"
    return unsupported(what, target.span, "make it part of the result; ¨ / \\ ∘. ⍤ ⍣ allow it")


def carrying(
    effects: Effects, build: Builder, scope: Scope, what: object, make: Callable[[tuple[Place, ...]], T]
) -> T:
    """What `make` gives, which may open blocks in the one at hand, for `what` in the program; it gets the
    names that these carry, and gives them their values afterwards.
    """
    depth = build.depth + 1
    hinted = [(name, scope.owner(name)) for name in effects.known.get(id(what), (what, ()))[1]]
    places = tuple([Place(o, n) for n, o in hinted if o is not None and _is_array(o, n)])
    mark, is_guess = build.mark(), bool(places)
    while True:
        try:
            with blocks_carry(effects, build, places) as changed:
                result = make(places)
        except Changes as found:
            build.undo(mark)
            if found.depth != depth:
                raise
            places = (*places, found.place)
            effects.known[id(what)] = what, tuple([place.name for place in places])
            continue
        if not is_guess or all(changed.values()):
            return result
        build.undo(mark)  # the last time it was for another function
        is_guess = False
        places = tuple([place for place, is_changed in changed.items() if is_changed])


@contextmanager
def blocks_carry(effects: Effects, build: Builder, places: tuple[Place, ...]) -> Iterator[dict[Place, bool]]:
    """Blocks that are opened inside, in the one at hand, carry these names; which of them are changed."""
    depth = build.depth + 1
    outer = effects.carried.get(depth)
    effects.carried[depth] = dict.fromkeys(places, False)
    try:
        yield effects.carried[depth]
    finally:
        if outer is None:
            del effects.carried[depth]
        else:
            effects.carried[depth] = outer


def _is_array(owner: Scope, name: str) -> bool:
    return isinstance(owner.names[name], ArrayValue)


@contextmanager
def unchanged_behind(build: Builder) -> Iterator[None]:
    """What names of outside are given inside is forgotten behind it."""
    before = build.mark()
    try:
        yield
    finally:
        build.restore(before)


def with_names(places: tuple[Place, ...], value: Exp) -> Exp:
    """A value beside those that the names have now."""
    return product((value, *[place.value() for place in places]), value.span) if places else value


def assume(build: Builder, places: tuple[Place, ...], values: tuple[Exp, ...], span: Span | None) -> None:
    """The names stand for these values from here on."""
    for place, value in zip(places, values, strict=True):
        build.change(place.owner, place.name, ArrayValue(value, span))


def taken_apart(build: Builder, places: tuple[Place, ...], result: Exp, span: Span | None) -> Exp:
    """The value of a result that has names beside it, which stand for the others from here on."""
    if not places:
        return result
    value, *after = tuples.items_of(build, result)
    assume(build, places, tuple(after), span)
    return value
