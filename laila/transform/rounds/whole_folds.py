"""Folds of doubles that are whole numbers, as the residues of their steps tell, are made with integers.

    REDUCE from the right (x, s => 2³² | x + 33.0×s) { real(c[k]) }
        →   real(REDUCE from the right (x, s => rem(x + 33×s, 2³²)) { c[k] })

A modulus that is a power is a double, and so is all that a step makes of it: hashes and checksums. Where the
elements are integers in a range, and a step makes of such an element and of whole numbers below the modulus
one of these again, there are no others. The same of loops is `whole_states`, which tries at run time what
this has to know.
"""

from __future__ import annotations

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.program import Program
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rules.whole_doubles import SMALL, Wholes, most_residue
from aplc.laila.ir.scalar import Call, Exp, Fold, Step, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, rebuilt, with_blocks, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.rounds.whole_states import compared_by
from aplc.laila.transform.stored_ranges import Survey
from aplc.tail import prims as p
from aplc.tail.types import Base


def with_whole_folds(program: Program, make: ExprBuilder) -> Program:
    """The program with folds by steps over integers in the place of those over whole doubles."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    exps = [e for block in blocks for s in within(block) for e in expressions(s)]
    if make.settings.is_single or not any(_divides(node) for node in nodes(*exps)):
        return program
    change = _Folds(make, Survey(program).ranges)
    return with_blocks(program, lambda statements: tuple([rebuilt(s, change) for s in statements]))


def _divides(exp: Exp) -> bool:
    """Whether an expression is a fold whose steps have residues of doubles."""
    if not isinstance(exp, Fold) or not isinstance(exp.combine, Step) or exp.ty is not Base.DOUBLE:
        return False
    return any(isinstance(n, Call) and n.op is p.RESD for n in nodes(exp.combine.body))


class _Folds(Substitute):
    """Rebuilds expressions with folds over integers."""

    def __init__(self, make: ExprBuilder, ranges: Ranges) -> None:
        super().__init__(make, {})
        self.ranges = ranges

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if isinstance(result, Fold) and _divides(result):
            return self.over_integers(result) or result
        return result

    def over_integers(self, fold: Fold) -> Exp | None:
        """A fold whose elements and accumulator are integers, as a double."""
        make, step = self.make, fold.combine
        assert isinstance(step, Step)
        change = Wholes(make, {}, self.ranges, compared_by(make))
        body = change.whole(change(fold.body))
        empty = None if fold.empty is None else change.whole(change(fold.empty))
        most = most_residue([step.body], {})
        if body is None or (empty is None) != (fold.empty is None) or most is None or most >= SMALL:
            return None
        states = Interval(0, most).hull(self.ranges.integers(body))
        if empty is not None:
            states = states.hull(self.ranges.integers(empty))
        element, accumulator = [Var(make.fresh(v.name), Base.INT) for v in (step.element, step.accumulator)]
        self.ranges.bind(element, self.ranges.integers(body))
        self.ranges.bind(accumulator, states)
        reals: dict[Exp, Exp] = {
            step.element: make.call(p.I2D, element),
            step.accumulator: make.call(p.I2D, accumulator),
        }
        change = Wholes(make, reals, self.ranges, compared_by(make))
        made = change.whole(change(step.body))
        if made is None or not self.ranges.integers(made).within(states):
            return None
        whole = make.fold(Step(element, accumulator, made), fold.var, fold.extent, body, empty)
        return make.call(p.I2D, whole)
