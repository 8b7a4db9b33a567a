"""Fresh variables for passes that introduce bindings."""

from __future__ import annotations

import re

from tail.syntax import Fn, Let, Op, Rec, Term, walk


class FreshNames:
    """Names v0, v1, … that a term does not use yet, counted on from its greatest."""

    def __init__(self, term: Term) -> None:
        numbers = [int(name[1:]) for name in bound_names(term) if re.fullmatch(r"v[0-9]{1,9}", name)]
        self.next = max(numbers, default=-1) + 1

    def fresh(self) -> str:
        """A name that nothing else has."""
        self.next += 1
        return f"v{self.next - 1}"


def bound_names(term: Term) -> set[str]:
    """The names of all variables and functions that are bound in a term."""
    found = {param.name for param in term.params} if isinstance(term, Fn) else set()
    for node in walk(term):
        match node:
            case Let(bindings=bindings):
                found |= {binding.name for binding in bindings}
            case Rec(name=name, params=params):
                found |= {name, *[param.name for param in params]}
            case Op(args=args):
                found |= {param.name for arg in args if isinstance(arg, Fn) for param in arg.params}
            case _:
                pass
    return found
