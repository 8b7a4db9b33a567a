"""The checker of Laila programs: types, scopes and the life of buffers.

Every operator gets operands of its types, every variable is bound where it is used, every buffer that is
read or written is alive, and what is handed out is not used again. A failure is a bug of the lowering.
"""

from __future__ import annotations

from laila.program import (
    Alloc,
    Free,
    HostCheck,
    HostLet,
    Map,
    Output,
    Program,
    Put,
    ScalarRef,
    Statement,
)
from laila.scalar import (
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Step,
    Sum,
    Var,
    nodes,
)
from tail.errors import InternalError
from tail.types import Array, Base

STAGE = "laila-check"


def check_program(program: Program) -> None:
    """Verify a whole program; `InternalError` otherwise."""
    checker = _Checker()
    for parameter in program.parameters:
        checker.alive.add(parameter.buffer)
        checker.scope |= {extent.name for extent in parameter.extents}
    for statement in program.statements:
        checker.statement(statement)
    if checker.allocated:
        names = ", ".join([b.name for b in checker.allocated])
        raise InternalError(STAGE, f"never freed: {names}")


class _Checker:
    def __init__(self) -> None:
        self.scope: set[str] = set()
        self.alive: set[Buffer] = set()
        self.allocated: set[Buffer] = set()
        self.free = FreeVars()

    def require(self, holds: bool, message: str) -> None:
        if not holds:
            raise InternalError(STAGE, message)

    def statement(self, statement: Statement) -> None:
        match statement:
            case HostLet(var=var, value=value):
                self.expression(value, var.ty)
                self.require(var.name not in self.scope, f"{var.name} is bound twice")
                self.scope.add(var.name)
            case Alloc(buffer=buffer, size=size):
                self.expression(size, Base.INT)
                self.alive.add(buffer)
                self.allocated.add(buffer)
            case Free(buffer=buffer):
                self.end(buffer)
            case Map(buffer=buffer, space=space, position=position, body=body):
                self.access(buffer)
                for extent in space.extents:
                    self.expression(extent, Base.INT)
                names = {i.name for i in space.indices}
                self.scope |= names
                self.expression(position, Base.INT)
                self.expression(body, buffer.ty)
                self.scope -= names
            case Put(buffer=buffer, position=position, value=value):
                self.access(buffer)
                self.expression(position, Base.INT)
                self.expression(value, buffer.ty)
            case HostCheck(ok=ok, reported=reported):
                self.expression(ok, Base.BOOL)
                for value in reported:
                    self.expression(value, Base.INT)
            case Output(value=reference, is_result=is_result):
                if isinstance(reference, ScalarRef):
                    self.expression(reference.value, reference.value.ty)
                    return
                for extent in reference.shape:
                    self.expression(extent, Base.INT)
                self.access(reference.buffer)
                if is_result:
                    self.end(reference.buffer)

    def end(self, buffer: Buffer) -> None:
        self.require(buffer in self.allocated, f"{buffer.name} is freed or handed out, but not ours")
        self.allocated.discard(buffer)
        self.alive.discard(buffer)

    def access(self, buffer: Buffer) -> None:
        self.require(buffer in self.alive or buffer.data is not None, f"{buffer.name} is not alive")

    def expression(self, exp: Exp, ty: Base) -> None:
        self.require(exp.ty is ty, f"an expression of type {exp.ty}, {ty} is needed")
        for var in self.free.of(exp):
            self.require(var.name in self.scope, f"{var.name} is not in scope")
        for node in nodes(exp):
            self.node(node)

    def node(self, node: Exp) -> None:
        match node:
            case Const() | Var():
                pass
            case Call(op=op, args=args):
                scheme = op.schemes[0].type
                wanted = [q.base for q in scheme.params if isinstance(q, Array)]
                self.require([a.ty for a in args] == wanted, f"{op.name} of {[str(a.ty) for a in args]}")
            case Sum(terms=terms):
                self.require(all(a.ty is Base.INT for a, _ in terms), "a sum of other than integers")
            case Read(buffer=buffer, index=index):
                self.access(buffer)
                self.require(index.ty is Base.INT, f"{buffer.name} is read at no integer")
            case Select(cond=cond, then=then, other=other):
                self.require(cond.ty is Base.BOOL and then.ty is other.ty is node.ty, "an ill-typed select")
            case Check(ok=ok, value=value):
                self.require(ok.ty is Base.BOOL and value.ty is node.ty, "an ill-typed check")
            case Fold(combine=combine, extent=extent, body=body):
                result = combine.body.ty if isinstance(combine, Step) else node.ty
                self.require(extent.ty is Base.INT and body.ty is result is node.ty, "an ill-typed fold")
