"""What a primitive operator is, how a row of THE table declares one (see `aplc.tail.prims`), and the schemes
of indexing, one for each rank.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pickle import PicklingError
from typing import Any

from aplc.tail.refine import Constants, Refine, Typing, by_one_comparison
from aplc.tail.types import Array, Base, BaseVar, Func, Rho, Tuple, Type, scalar
from aplc.tail.unify import NoMatch, Scheme, parse_scheme


@dataclass(frozen=True, eq=False, slots=True)
class Prim:
    """One primitive operator; compared by identity."""

    name: str
    schemes: tuple[Scheme, ...]
    meaning: Callable[..., Any]
    is_scalar: bool = False
    identity: int | float | None = None
    """What a reduction of an empty axis gives, as a number; None: there is none."""
    associative: bool = False
    """Whether a reduction may be reassociated (for doubles: up to rounding)."""
    refine: Refine | None = None
    typing: Typing | None = None
    """Types an application in place of the schemes."""
    stateful: bool = False
    """Whether an application has an effect or depends on one: it may not be duplicated, dropped, or moved
    across another stateful one.
    """
    draws: bool = False
    """Whether the meaning takes the program's `RandomStream` before the arguments."""
    opens: bool = False
    """Whether it opens the file that its first argument names, to read or to write it."""

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.schemes[0].type.params)

    def result_type(self, args: tuple[Type, ...], constants: Constants | None = None) -> Type:
        """The type of an application, from the first scheme that fits; `NoMatch` if none does."""
        if self.typing is not None:
            try:
                return self.typing(args, constants or (None,) * len(args))
            except NoMatch as failure:
                raise NoMatch(f"{self.name}: {failure}") from None
        result = _of_schemes(self, args)
        return self.refine(args, constants or (None,) * len(args), result) if self.refine else result

    def __repr__(self) -> str:
        return f"Prim({self.name})"

    def __reduce__(self) -> tuple[Callable[[str], Prim], tuple[str]]:
        """It is kept by name. Raises `PicklingError` for one that is in no table."""
        if PRIMS.get(self.name) is not self:
            raise PicklingError(f"{self.name} is no primitive of the text form")
        return primitive, (self.name,)


@lru_cache(maxsize=1 << 14)
def _of_schemes(prim: Prim, args: tuple[Type, ...]) -> Type:
    """The type of an application as the first scheme says that fits; programs ask for few types often."""
    reason: NoMatch | None = None
    for scheme in prim.schemes:
        try:
            return scheme.instantiate(args)
        except NoMatch as failure:
            reason = failure
    raise NoMatch(f"{prim.name}: {reason}")


PRIMS: dict[str, Prim] = {}
"""All primitives by the name of the text form."""


def primitive(name: str) -> Prim:
    """The primitive of that name. Raises `KeyError`."""
    return PRIMS[name]


def declare(prim: Prim) -> Prim:
    """A row of the table."""
    assert prim.name not in PRIMS, prim.name
    PRIMS[prim.name] = prim
    return prim


def scalar_row(
    name: str,
    scheme: str,
    meaning: Callable[..., Any],
    identity: int | float | None = None,
    *,
    associative: bool = False,
    refine: Refine | None = None,
) -> Prim:
    """A scalar operator."""
    return declare(Prim(name, (parse_scheme(scheme),), meaning, True, identity, associative, refine))


def array_row(
    name: str,
    *schemes: str,
    meaning: Callable[..., Any],
    refine: Refine | None = None,
    typing: Typing | None = None,
    stateful: bool = False,
    draws: bool = False,
    opens: bool = False,
) -> Prim:
    """An operator on arrays."""
    parsed = tuple(map(parse_scheme, schemes))
    effects = {"stateful": stateful, "draws": draws, "opens": opens}
    return declare(Prim(name, parsed, meaning, refine=refine, typing=typing, **effects))


def search_row(name: str, *schemes: str, meaning: Callable[..., Any]) -> Prim:
    """What compares elements as they are in memory."""
    return array_row(name, *schemes, meaning=meaning, refine=by_one_comparison)


# --- indexing ---------------------------------------------------------------------------------------------

MAX_RANK = 15
"""As in Dyalog; the schemes below are listed by rank."""


def index_schemes(*, update: bool = False, modify: bool = False) -> tuple[Scheme, ...]:
    """One scheme per rank, and one more with a scalar as the new value of an update."""
    result = [] if update or modify else [parse_scheme("∀αγ. (<int>γ,) → [α]1 → <α>γ")]
    alpha = BaseVar("α")
    other = BaseVar("β") if modify else alpha
    function = Func((scalar(alpha), scalar(other)), scalar(alpha))
    for rank in range(1, MAX_RANK + 1):
        names = [f"γ{k}" for k in range(1, rank + 1)]
        chosen = Array(alpha, Rho(0, tuple(sorted((name, 1) for name in names))))
        subscripts = Tuple(tuple([Array(Base.INT, Rho.of(name)) for name in names]))
        indexed = Array(alpha, Rho(rank))
        ways: list[Func] = [Func((subscripts, indexed), chosen)]
        if update or modify:
            new = Array(other, chosen.rank), scalar(other)
            ways = [Func((indexed, subscripts, value), indexed) for value in new]
            if modify:
                ways = [Func((function, *way.params), way.result) for way in ways]
        bases = "αβ" if modify else "α"
        result += [Scheme(ty, f"∀{bases}{''.join(names)}. {ty}") for ty in ways]
    return tuple(result)
