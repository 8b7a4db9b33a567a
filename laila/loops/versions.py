"""Versions of loops: for what is likely, as that nothing is divided by zero, and for conditions that decide
which elements are read.
"""

from __future__ import annotations

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import assigning
from aplc.laila.ir.scalar import IS_SHORT, Call, Const, Exp, Fold, Read, Select, Sum, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import EmitBody
from aplc.tail import prims as p


class Versions:
    """The builder of statements in versions."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make

    def generate(
        self,
        roots: tuple[Exp, ...],
        block: Block,
        build: EmitBody,
        result: Var | None = None,
        running: frozenset[Var] = frozenset(),
    ) -> None:
        """One version if no likely condition occurs; else one where all hold, and one for the rest. What is
        running changes inside the loop.
        """
        likely = self.likely(roots, running)
        has_loop = result is None or contains(Fold, *roots)
        if not likely or not has_loop:
            build(block, roots)
            return
        cond = self.hold(likely)
        fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
        self.by_place(self.substituted(roots, likely), fast, build)
        build(slow, self.substituted(roots, self.otherwise(likely)))
        versions = [tuple(fast.statements), tuple(slow.statements)]
        if result is not None:
            block.statements.append(l.Declare(result, None, mutable=True))
            versions = [assigning(v, result) for v in versions]
        block.statements.append(l.If(cond, versions[0], versions[1]))

    def likely(self, roots: tuple[Exp, ...], running: frozenset[Var]) -> dict[Exp, bool]:
        """The conditions with the values that they have on the path that must be fast: what is marked so, and
        that no scalar by which a loop divides is zero, and that exponents are small.
        """
        hidden = bound_in(roots) | running
        found: dict[Exp, bool] = {}
        for node in nodes(*roots):
            if isinstance(node, Var) and node.likely and node not in hidden:
                found[node] = True
            elif isinstance(node, Call) and node.op is p.EQD and node.args[1] is self.make.const(0.0):
                if _is_invariant(node, hidden):
                    found[node] = False
            elif isinstance(node, Call) and node.op is IS_SHORT and hidden.isdisjoint(nodes(node)):
                found[node] = True
        return found

    def hold(self, known: dict[Exp, bool]) -> Exp:
        """Whether conditions have these values."""
        cond: Exp = self.make.true
        for node, holds in known.items():
            cond = self.make.call(p.ANDB, cond, node if holds else self.make.call(p.NOTB, node))
        return cond

    def otherwise(self, likely: dict[Exp, bool]) -> dict[Exp, bool]:
        """What is known where not all that is likely holds: a single divisor is zero. What is marked likely
        stays, and tells `register_tiling` that the loop need not be fast.
        """
        tests = [node for node in likely if not isinstance(node, Var)]
        return {tests[0]: not likely[tests[0]]} if len(likely) == len(tests) == 1 else {}

    def by_place(self, roots: tuple[Exp, ...], block: Block, build: EmitBody) -> None:
        """Two versions where a condition decides which elements are read that the loops do not change."""
        cond = self.condition_of_place(roots)
        if cond is None:
            build(block, roots)
            return
        versions = block.inner(in_loop=False), block.inner(in_loop=False)
        for version, holds in zip(versions, (True, False), strict=True):
            build(version, self.substituted(roots, {cond: holds}))
        then, other = [tuple(version.statements) for version in versions]
        block.statements.append(l.If(cond, then, other))

    def condition_of_place(self, roots: tuple[Exp, ...]) -> Var | None:
        """A condition in the place of an element, if there is one that is known before the loops."""
        hidden = bound_in(roots)
        for read in nodes(*roots):
            for node in nodes(read.index) if isinstance(read, Read) else ():
                if isinstance(node, Select) and isinstance(node.cond, Var) and node.cond not in hidden:
                    return node.cond
        return None

    def substituted(self, roots: tuple[Exp, ...], known: dict[Exp, bool]) -> tuple[Exp, ...]:
        """The expressions for known values of conditions."""
        decided = Substitute(self.make, {cond: self.make.const(holds) for cond, holds in known.items()})
        return tuple([decided(root) for root in roots])


def _is_invariant(exp: Exp, hidden: frozenset[Var]) -> bool:
    """Whether an expression is made of scalars that loops do not change, and of no index."""
    inside = list(nodes(exp))
    known = all(isinstance(n, Call | Const | Sum | Var) for n in inside) and hidden.isdisjoint(inside)
    scalars = [n for n in inside if isinstance(n, Var)]
    return known and bool(scalars) and not any(var.is_index for var in scalars)
