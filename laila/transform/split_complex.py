"""Complex scalars become two doubles: only memory holds complex numbers.

What is computed of them is computed of their parts already (`aplc.laila.lowering.complex_parts`); code
generation then sees variables, and the state of loops, as it knows them. It is what LLVM calls scalar
replacement of aggregates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.program import (
    ArrayRef,
    Assign,
    ForEach,
    Function,
    HostCheck,
    HostLet,
    If,
    Program,
    Ref,
    ScalarRef,
    Statement,
    TupleRef,
    Variable,
    While,
)
from aplc.laila.ir.rules.complex_rules import PARTS
from aplc.laila.ir.scalar import (
    OF_PARTS,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, do, everywhere, rebuilt, statements_of
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base


def split_complex(program: Program, make: ExprBuilder) -> Program:
    """The program with two variables for each that holds a complex number."""
    statements = (*program.statements, *[s for f in program.functions for s in f.statements])
    if all(v.ty is not Base.COMPLEX for s in everywhere(statements) for v in bound(s)):
        return program
    parts = _Parts(make)
    functions = tuple([parts.function(f) for f in program.functions])
    return replace(program, statements=parts.block(program.statements), functions=functions)


class _Parts(Substitute):
    """Rebuilds statements and what is in them."""

    def __init__(self, make: ExprBuilder) -> None:
        super().__init__(make, {})
        self.parts: dict[Var, tuple[Var, Var]] = {}
        self.free = FreeVars()

    def function(self, function: Function) -> Function:
        """A function of the program; what it hands over stays in one."""
        statements = self.block(function.statements)
        return replace(function, statements=statements, results=tuple(map(self.reference, function.results)))

    def reference(self, ref: Ref) -> Ref:
        """What a function gives."""
        match ref:
            case ArrayRef():
                return ref
            case ScalarRef(value=value):
                return ScalarRef(self(value))
            case TupleRef(items=items):
                return replace(ref, items=tuple(map(self.reference, items)))

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements."""
        return tuple([new for statement in statements for new in self.statement(statement)])

    def statement(self, statement: Statement) -> list[Statement]:
        """What a statement becomes."""
        match statement:
            case (
                HostLet(var=var, value=value) | Variable(var=var, value=value) | Assign(var=var, value=value)
            ):
                if var.ty is Base.COMPLEX:
                    return self.divided(statement, self(value))
            case If(then=then, other=other):
                return [
                    replace(
                        statement, cond=self(statement.cond), then=self.block(then), other=self.block(other)
                    )
                ]
            case While(body=body):
                return [replace(statement, cond=self(statement.cond), body=self.block(body))]
            case ForEach(space=space, body=body):
                extents = tuple([self(n) for n in space.extents])
                return [replace(statement, space=replace(space, extents=extents), body=self.block(body))]
            case _:
                pass
        return [rebuilt(statement, self)]

    def divided(self, statement: HostLet | Variable | Assign, value: Exp) -> list[Statement]:
        """Two statements for the parts, and what must be known before."""
        make, result = self.make, list[Statement]()
        while isinstance(value, Check):
            result.append(HostCheck(value.ok, value.site, value.reported))
            value = value.value
        if not all(isinstance(n, Var | Const | Call | Read | Select) for n in nodes(value)):
            whole = Var(make.fresh(statement.var.name), Base.COMPLEX)
            result.append(HostLet(whole, value))
            value = whole
        real, imaginary = [make.call(part, value) for part in PARTS]
        targets = self.targets(statement.var)
        if isinstance(statement, Assign) and targets[0] in self.free.of(imaginary):
            first = Var(make.fresh("t"), Base.DOUBLE)
            result.append(HostLet(first, imaginary))
            imaginary = first
        pairs = zip(targets, (real, imaginary), strict=True)
        if isinstance(statement, HostLet) and isinstance(real, Const) and isinstance(imaginary, Const):
            self.done[id(statement.var)] = make.call(OF_PARTS, real, imaginary)
            return result
        return [*result, *[replace(statement, var=target, value=part) for target, part in pairs]]

    def targets(self, var: Var) -> tuple[Var, Var]:
        """The variables of the parts of one."""
        if var not in self.parts:
            real, imaginary = [
                Var(self.make.fresh(f"{var.name}_{part}"), Base.DOUBLE) for part in ("re", "im")
            ]
            self.parts[var] = real, imaginary
            self.done[id(var)] = self.make.call(OF_PARTS, real, imaginary)
            self.alive.append(var)
        return self.parts[var]

    def _needs(self, node: Exp) -> list[Exp]:
        return [] if isinstance(node, BlockExp) else super()._needs(node)

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, BlockExp):
            statements = self.block(statements_of(node))
            return do(list(statements), self(node.value))
        return super()._rebuild(node)
