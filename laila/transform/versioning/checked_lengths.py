"""Lengths that a check has found, where there are elements, are known in the loops over these elements.

    check not (0 < m) or n = 9                      check not (0 < m) or n = 9
    s = +/ (∧/ … v[i×n + j] … over j < n)     →     s = +/ (∧/ … v[i×9 + j] … over j < 9)
            over i < m                                      over i < m

A function that is applied to each element, or each row, asks for the lengths of all of them in front, and
only if there are any. Where there are none the loop does nothing, whatever it says. What has been computed
of such lengths, as whether they are equal, is known in there as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.program import (
    Assign,
    Filter,
    ForEach,
    Fused,
    HostCheck,
    HostLet,
    Map,
    Program,
    Scan,
    Space,
    Statement,
    Variable,
)
from aplc.laila.ir.scalar import Call, Const, Exp, Fold, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Renaming, Substitute
from aplc.tail import prims as p

Lengths = dict[str, Exp]
"""What variables are, by their names."""


def with_lengths_known(program: Program, make: ExprBuilder) -> Program:
    """The program with lengths in loops that checks in front of them tell."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    everything = [s for block in blocks for s in within(block)]
    if not any(isinstance(s, HostCheck) and _condition(make, s.ok) is not None for s in everything):
        return program
    changing = frozenset([s.var.name for s in everything if isinstance(s, Variable | Assign)])
    return with_blocks(program, _Checked(make, changing).block)


def _condition(make: ExprBuilder, ok: Exp) -> tuple[Var, Exp] | None:
    """The number of elements without which a check asks for nothing, and what it asks for."""
    match ok:
        case Call(op=p.ORB, args=(Call(op=p.NOTB, args=(some,)), wanted)):
            for m in [n for n in nodes(some) if isinstance(n, Var)]:
                if some is make.call(p.LTI, make.zero, m):
                    return m, wanted
        case _:
            pass
    return None


def _equalities(wanted: Exp) -> Iterator[tuple[Exp, Exp]]:
    """The pairs that are equal where a condition holds."""
    match wanted:
        case Call(op=p.ANDB, args=(first, second)):
            yield from _equalities(first)
            yield from _equalities(second)
        case Call(op=p.EQI, args=(a, b)):
            yield a, b
        case _:
            pass


@dataclass(slots=True)
class _Checked:
    make: ExprBuilder
    changing: frozenset[str]
    """The names of variables that are assigned to."""
    known: dict[str, Lengths] = field(default_factory=dict)
    """For numbers of elements what is known where there are any."""
    values: Lengths = field(default_factory=dict)
    """What variables have been computed from."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order; what they check is known until their end."""
        inner = _Checked(self.make, self.changing, {m: dict(own) for m, own in self.known.items()})
        inner.values = dict(self.values)
        return tuple([inner.statement(each) for each in statements])

    def statement(self, statement: Statement) -> Statement:
        """A statement with what is known in the loops in it; what it tells is known from then on."""
        if isinstance(statement, HostCheck):
            self.learn(statement.ok)
            return statement
        if isinstance(statement, HostLet):
            self.values[statement.var.name] = statement.value
        if not self.known:
            return with_bodies(statement, self.block)
        result = rebuilt(with_bodies(statement, self.block), _InFolds(self.make, self))
        for m in _extents(statement):
            if isinstance(m, Var) and (lengths := self.lengths(m)):
                result = rebuilt(result, Renaming(self.make, lengths))
        return result

    def learn(self, ok: Exp) -> None:
        """What is known behind a check."""
        found = _condition(self.make, ok)
        if found is None or found[0].name in self.changing:
            return
        m, wanted = found
        known = self.known.setdefault(m.name, {})
        for pair in _equalities(Renaming(self.make, known)(wanted)):
            a, b = pair if isinstance(pair[0], Var) else pair[::-1]
            if isinstance(a, Var) and self.is_fixed(a) and (isinstance(b, Const) or self.is_fixed(b)):
                again = Renaming(self.make, {a.name: b})
                known.update({name: again(value) for name, value in known.items()})
                known[a.name] = b

    def is_fixed(self, exp: Exp) -> bool:
        """Whether an expression is a length that stays what it is."""
        return isinstance(exp, Var) and (exp.is_index or exp.is_size) and exp.name not in self.changing

    def lengths(self, m: Var) -> Lengths:
        """What variables are where there are elements, those that are computed from lengths included."""
        known = dict(self.known.get(m.name, {}))
        if known:
            for name, value in self.values.items():
                if any(isinstance(n, Var) and n.name in known for n in nodes(value)):
                    found = Renaming(self.make, known)(value)
                    if isinstance(found, Const):
                        known[name] = found
        return known


class _InFolds(Substitute):
    """Rebuilds expressions with what is known in folds over elements."""

    def __init__(self, make: ExprBuilder, checked: _Checked) -> None:
        super().__init__(make, {})
        self.checked = checked

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, Fold) or not isinstance(result.extent, Var):
            return result
        lengths = self.checked.lengths(result.extent)
        if not lengths:
            return result
        body = Renaming(self.make, lengths)(result.body)
        return self.make.fold(result.combine, result.var, result.extent, body, result.empty)


def _extents(statement: Statement) -> tuple[Exp, ...]:
    """The numbers of elements that a loop goes over."""
    match statement:
        case Map(space=Space(extents=extents)) | Scan(space=Space(extents=extents)):
            return extents
        case Filter(space=Space(extents=extents)) | Fused(space=Space(extents=extents)):
            return extents
        case ForEach(space=Space(extents=extents)):
            return extents
        case _:
            return ()
