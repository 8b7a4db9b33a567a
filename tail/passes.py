"""The pass runner: each pass takes a well-typed program to a well-typed program of the same meaning.

Between passes one callback sees the program: it checks, dumps or times. A failure names the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tail.check import check
from tail.errors import AplcError, InternalError
from tail.syntax import Term


@dataclass(frozen=True, slots=True)
class Pass:
    """A named rewriting of programs."""

    name: str
    run: Callable[[Term], Term]


Observe = Callable[[str, Term], None]
"""Called with the name of each pass and the program after it."""


def run_passes(term: Term, passes: Iterable[Pass], observe: Observe) -> Term:
    """The program after all passes."""
    for each in passes:
        try:
            term = each.run(term)
        except (AplcError, InternalError, RecursionError):  # the last is the driver's, who has larger stacks
            raise
        except Exception as failure:
            raise InternalError(each.name, f"{type(failure).__name__}: {failure}") from failure
        observe(each.name, term)
    return term


def checking(then: Observe | None = None) -> Observe:
    """An observer that checks the program after each pass, and then calls another."""

    def observe(name: str, term: Term) -> None:
        check(term, name)
        if then is not None:
            then(name, term)

    return observe
