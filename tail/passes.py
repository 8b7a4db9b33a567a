"""The pass runner: each pass takes a well-typed program to a well-typed program of the same meaning.

Between passes one callback sees the program: it checks or dumps it; another is told how long the pass took.
A failure names the pass. Laila's passes are run by the same functions (`aplc.laila.passes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TypeVar

from aplc.tail.check import check
from aplc.tail.errors import AplcError, InternalError
from aplc.tail.syntax import Term

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pass:
    """A named rewriting of programs."""

    name: str
    run: Callable[[Term], Term]
    reason: str = ""
    """Why it is made, and why there in the order."""


Observe = Callable[[str, Term], None]
"""Called with the name of each pass and the program after it."""
Timed = Callable[[str, float], None]
"""Called with the name of each pass, or of another stage, and the seconds that it took."""


def untimed(name: str, seconds: float) -> None:
    """Nobody asks how long it took."""


def run_passes(term: Term, passes: Iterable[Pass], observe: Observe, tell: Timed = untimed) -> Term:
    """The program after all passes."""
    for each in passes:
        term = made(each.name, partial(each.run, term), tell)
        observe(each.name, term)
    return term


def made(name: str, run: Callable[[], T], tell: Timed = untimed) -> T:
    """What the pass of that name makes. A failure that says nothing of its own becomes an `InternalError`
    with the name.
    """
    try:
        return timed(name, run, tell)
    except (AplcError, InternalError, MemoryError, RecursionError):  # the driver has stacks that are larger
        raise
    except Exception as failure:
        raise InternalError(name, f"{type(failure).__name__}: {failure}") from failure


def timed(name: str, work: Callable[[], T], tell: Timed) -> T:
    """The result of the work, after telling how long it took."""
    started = perf_counter()
    result = work()
    tell(name, perf_counter() - started)
    return result


def checking(then: Observe | None = None) -> Observe:
    """An observer that checks the program after each pass, and then calls another."""

    def observe(name: str, term: Term) -> None:
        check(term, name)
        if then is not None:
            then(name, term)

    return observe
