"""Fresh variables for passes that introduce bindings."""

from __future__ import annotations

import re

from aplc.tail.syntax import Term, bound_names


class FreshNames:
    """Names v0, v1, … that a term does not use yet, counted on from its greatest."""

    def __init__(self, term: Term) -> None:
        numbers = [int(name[1:]) for name in bound_names(term) if re.fullmatch(r"v[0-9]{1,9}", name)]
        self.next = max(numbers, default=-1) + 1

    def fresh(self) -> str:
        """A name that nothing else has."""
        self.next += 1
        return f"v{self.next - 1}"
