"""Loops over rows of which they read a few columns have a version for rows of just so many elements.

    for i < n in lanes { a[i] = x[i×m] + x[i×m+1] }
    →   if m = 2 { for i < n in lanes { a[i] = x[2×i] + x[2×i+1] } }
        else { for i < n in lanes { a[i] = x[i×m] + x[i×m+1] } }

How long rows are only the run knows. Where it is known, lanes load whole vectors and part them, and else each
element for itself.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import Call, Exp, FreeVars, Read, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.inner_loops import changing_names, expressions_of, is_straight, may_leave, substituted
from aplc.tail import prims as p

FEWEST, MOST = 2, 8
"""So many elements have the rows of a version, at least half of which are read: lanes part vectors of few of
them quickly.
"""

LARGEST = 200
"""Loops with more nodes stand once."""


def with_strides_known(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with outermost loops over rows in versions."""
    return l.with_blocks(code, _Loops(make).block)


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements with their outermost loops."""
        return tuple([self.statement(s) for s in statements])

    def statement(self, statement: l.Stm) -> l.Stm:
        """A statement, or the versions of the loop that it is."""
        if not isinstance(statement, l.For):
            return with_bodies(statement, self.block)
        found = self.stride(statement)
        return statement if found is None else self.versions(statement, *found)

    def stride(self, loop: l.For) -> tuple[Var, int] | None:
        """The length of the rows of which a loop in lanes reads columns, and how many these would be."""
        if loop.reductions is None or not is_straight(loop.body) or may_leave(loop.body):
            return None
        declared = {s.var: s.value for s in loop.body if isinstance(s, l.Declare) and s.value is not None}
        known: dict[Exp, Exp] = {}
        for var, value in declared.items():
            known[var] = Substitute(self.make, known)(value)
        whole = Substitute(self.make, known)
        exps = [e for s in loop.body for e in expressions_of(s)]
        if sum(1 for _ in nodes(*exps)) > LARGEST:
            return None
        changing = changing_names(loop)
        columns: dict[Var, set[int]] = {}
        for node in nodes(*exps):
            found = self.place(whole(node.index), loop.var) if isinstance(node, Read) else None
            if found is not None and found[0].name not in changing:
                columns.setdefault(found[0], set()).add(found[1])
        for length, places in columns.items():
            if min(places) >= 0 and len(places) >= FEWEST and max(places) < min(MOST, 2 * len(places)):
                return length, max(places) + 1
        return None

    def place(self, index: Exp, var: Var) -> tuple[Var, int] | None:
        """The length of rows and the column, if an index is a place in the row of a loop's index."""
        match index:
            case Call():
                const, atom, times = 0, index, 1
            case Sum(const=const, terms=((atom, times),)):
                pass
            case _:
                return None
        match atom:
            case Call(op=p.MULI, args=(a, b)) if times == 1 and var in (a, b):
                length = b if a is var else a
                return (length, const) if isinstance(length, Var) and length.is_index else None
            case _:
                return None

    def versions(self, loop: l.For, length: Var, count: int) -> l.If:
        """A loop for rows of so many elements, and the one for others."""
        make = self.make
        change = Substitute(make, {length: make.const(count)})
        body = tuple([substituted(s, change) for s in loop.body])
        is_known = make.call(p.EQI, length, make.const(count))
        return l.If(is_known, (replace(loop, body=body),), (loop,))
