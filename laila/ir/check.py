"""The checker of Laila programs: types, scopes and the life of buffers.

Every operator gets operands of its types, every variable is bound where it is used, every buffer that is
read or written is alive, and what is handed out is not used again. A failure is a bug of the lowering.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aplc.laila.ir.liveness import introduced
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    Function,
    FunctionCall,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Part,
    Program,
    Reduce,
    Ref,
    RuntimeCall,
    ScalarRef,
    Scan,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    GROWING,
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.statements import bodies, leaves, statements_of
from aplc.tail.errors import InternalError
from aplc.tail.types import Array, Base

STAGE = "laila-check"


@dataclass(frozen=True, slots=True)
class _Facts:
    """What an expression asks of the place where it stands, besides its free variables."""

    buffers: frozenset[Buffer] = frozenset()
    """What it reads, also in its sequences."""
    sequences: tuple[BlockExp, ...] = ()
    """Those anywhere in it."""
    indices: frozenset[Var] = frozenset()
    """Those of its folds: where one stands for another, none may be taken for that of a fold around it."""


_NOTHING = _Facts()


@dataclass(slots=True)
class Checked:
    """The expressions whose types have been checked. They never change, and passes leave most as they are."""

    stage: str = STAGE
    free: FreeVars = field(default_factory=FreeVars)
    known: dict[int, _Facts] = field(default_factory=dict)

    def require(self, holds: bool, message: str) -> None:
        """`InternalError` where something does not hold."""
        if not holds:
            raise InternalError(self.stage, message)

    def facts(self, exp: Exp) -> _Facts:
        """What an expression needs; its nodes are checked when they are met first."""
        known = self.known
        if id(exp) in known:
            return known[id(exp)]
        for node in nodes(exp, below=lambda e: () if id(e) in known else operands(e)):
            if id(node) not in known:
                self.node(node)
                known[id(node)] = self.facts_of_node(node)
        return known[id(exp)]

    def facts_of_node(self, node: Exp) -> _Facts:
        """What a node needs whose operands are known."""
        parts = [self.known[id(o)] for o in operands(node)]
        parts = [part for part in dict.fromkeys(parts) if part is not _NOTHING]
        match node:
            case Read(buffer=buffer):
                parts.append(_Facts(frozenset((buffer,))))
            case PureCall(memory=memory, behind=behind):
                parts.append(_Facts(frozenset((*memory, *behind))))
            case BlockExp():
                parts.append(_Facts(sequences=(node,)))
            case Fold(var=var, body=body):
                inside = self.known[id(body)].indices
                self.require(var not in inside, f"{var.name} counts two folds, one in the other")
                parts.append(_Facts(indices=frozenset((var,))))
            case _:
                pass
        if len(parts) < 2:
            return parts[0] if parts else _NOTHING
        sequences = tuple(dict.fromkeys([s for part in parts for s in part.sequences]))
        indices = frozenset().union(*[part.indices for part in parts])
        return _Facts(frozenset().union(*[part.buffers for part in parts]), sequences, indices)

    def node(self, node: Exp) -> None:
        """Check the types of a node whose operands are well-typed."""
        match node:
            case Const() | Var() | PureCall():
                pass
            case Call(op=op, args=args):
                scheme = op.schemes[0].type
                wanted = [q.base for q in scheme.params if isinstance(q, Array)]
                self.require([a.ty for a in args] == wanted, f"{op.name} of {[str(a.ty) for a in args]}")
            case Sum(terms=terms):
                self.require(all(a.ty is Base.INT for a, _ in terms), "a sum of other than integers")
            case Read(buffer=buffer, index=index):
                self.require(index.ty is Base.INT, f"{buffer.name} is read at no integer")
            case Select(cond=cond, then=then, other=other):
                self.require(cond.ty is Base.BOOL and then.ty is other.ty is node.ty, "an ill-typed select")
            case Check(ok=ok, value=value):
                self.require(ok.ty is Base.BOOL and value.ty is node.ty, "an ill-typed check")
            case Fold(combine=combine, extent=extent, body=body):
                result = combine.body.ty if isinstance(combine, Step) else node.ty
                self.require(extent.ty is Base.INT and body.ty is result is node.ty, "an ill-typed fold")
            case BlockExp(value=value):
                self.require(value.ty is node.ty, "an ill-typed sequence")


def check_program(program: Program, stage: str = STAGE, checked: Checked | None = None) -> None:
    """Verify a whole program after a stage, which is named in the `InternalError` otherwise. What has been
    `checked` after other stages is not looked into again.
    """
    checked = checked or Checked()
    checked.stage = stage
    checker = _Checker(stage, checked)
    for parameter in program.parameters:
        checker.alive.add(parameter.buffer)
        checker.scope |= {extent.name for extent in parameter.extents}
    checker.functions = {function.name for function in program.functions}
    for function in program.functions:
        checker.function(function)
    checker.block(program.statements)


class _Checker:
    def __init__(self, stage: str, checked: Checked) -> None:
        self.stage, self.checked = stage, checked
        self.scope: set[str] = set()
        self.alive: set[Buffer] = set()
        self.allocated: set[Buffer] = set()
        self.emptied: set[Buffer] = set()
        """Buffers whose memory has been taken; they may get some again."""
        self.functions: set[str] = set()
        self.asked: set[str] = set()
        """Variables that say whether a loop around the statements goes on."""

    def require(self, holds: bool, message: str) -> None:
        if not holds:
            raise InternalError(self.stage, message)

    def function(self, function: Function) -> None:
        """A function sees its parameters only."""
        inner = _Checker(self.stage, self.checked)
        inner.functions = self.functions
        for leaf in [leaf for r in function.parameters for leaf in leaves(r)]:
            inner.new(leaf, owned=False)
        for leaf in [leaf for r in function.results for leaf in leaves(r)]:
            if isinstance(leaf, ArrayRef) and leaf.buffer.storage == GROWING:
                inner.alive.add(leaf.buffer)
        inner.block(function.statements, function.results)

    def block(self, statements: tuple[Statement, ...], results: tuple[Ref, ...] = ()) -> None:
        """Statements in a scope of their own; what begins in it ends in it, but for the results."""
        self.all_freed(self.inner(statements, results))

    def branches(self, then: tuple[Statement, ...], other: tuple[Statement, ...]) -> None:
        """Two blocks of which one is run: what has given up its memory before gets some in both or none, but
        where one of them ends the loop, after which nothing reads it.
        """
        first, second = self.inner(then), self.inner(other)
        self.all_freed(set() if self.ends_loop(other) else first - second)
        self.all_freed(set() if self.ends_loop(then) else second - first)
        for buffer in first | second:
            self.emptied.discard(buffer)
            self.begin(buffer)

    def ends_loop(self, block: tuple[Statement, ...]) -> bool:
        """Whether a block says that there is no other round of a loop around it."""
        return any(
            isinstance(s, Assign)
            and s.var.name in self.asked
            and isinstance(s.value, Const)
            and s.value.value is False
            for s in block
        )

    def all_freed(self, buffers: set[Buffer]) -> None:
        """Complain about buffers that still have memory."""
        self.require(not buffers, f"never freed: {', '.join([b.name for b in buffers])}")

    def inner(self, statements: tuple[Statement, ...], results: tuple[Ref, ...] = ()) -> set[Buffer]:
        """Statements in a scope of their own, and the buffers of outside that get memory in it again."""
        outer = set(self.scope), set(self.alive), set(self.allocated), set(self.emptied)
        for statement in statements:
            self.statement(statement)
        for result in results:
            self.reference(result, is_result=True)
        begun = self.allocated - outer[2]
        self.all_freed(begun - outer[3])
        self.scope, self.alive, self.allocated, self.emptied = outer
        return begun

    def statement(self, statement: Statement) -> None:
        match statement:
            case HostLet(var=var, value=value) | Variable(var=var, value=value):
                self.expression(value, var.ty)
                self.bound(var)
            case Assign(var=var, value=value):
                self.expression(value, var.ty)
                self.require(var.name in self.scope, f"{var.name} is not in scope")
            case Alloc(buffer=buffer, size=size, into=into):
                self.expression(size, Base.INT)
                if into is None:
                    self.begin(buffer)
                else:
                    self.access(into)
                    self.alive.add(buffer)
            case Empty(buffer=buffer):
                self.begin(buffer)
            case Free(buffer=buffer):
                self.end(buffer)
            case Move(target=target, source=source):
                self.take(target, source)
            case Swap(first=first, second=second):
                self.access(first)
                self.access(second)
            case Map(space=space, position=position, body=body, guard=guard):
                self.over(space, statement.buffer, body, position, guard)
            case Scan(space=space, body=body, is_written=False):
                self.over(space, None, body, None, None)
            case Scan(buffer=buffer, space=space, position=position, body=body):
                self.over(space, buffer, body, position, None)
            case Filter(buffer=buffer, count=count, space=space, keep=keep, body=body, goes_on=goes_on):
                self.over(space, buffer, body, None, keep)
                if goes_on:
                    self.require(count.name in self.scope, f"{count.name} is not in scope")
                else:
                    self.bound(count)
            case Fused(parts=parts):
                for part in parts:
                    if isinstance(part, Scan) and part.running is not None:
                        self.bound(part.running)
                for part in parts:
                    self.part(part)
            case Store(buffer=buffer, position=position, value=value):
                self.access(buffer)
                self.expression(position, Base.INT)
                self.expression(value, buffer.ty)
            case HostCheck(ok=ok, reported=reported):
                self.expression(ok, Base.BOOL)
                for value in reported:
                    self.expression(value, Base.INT)
            case If(cond=cond, then=then, other=other):
                self.expression(cond, Base.BOOL)
                self.branches(then, other)
            case While(cond=cond, body=body):
                self.expression(cond, Base.BOOL)
                before = self.asked
                self.asked = before | ({cond.name} if isinstance(cond, Var) else set())
                self.block(body)
                self.asked = before
            case ForEach(space=space, body=body):
                self.extents(space)
                names = {i.name for i in space.indices}
                self.scope |= names
                self.block(body)
                self.scope -= names
            case Output(value=value, is_result=is_result):
                self.reference(value, is_result=is_result)
            case RuntimeCall(function, arguments=arguments, written=written):
                for argument in arguments:
                    if isinstance(argument, Buffer):
                        self.access(argument)
                        is_told = function.endswith("_narrow") or f"_{argument.item_bytes}_" in function
                        is_fit = is_told or argument.storage in (argument.ty.dtype, TABLE, GROWING)
                        self.require(is_fit, f"{function} is given {argument.name} as {argument.storage}")
                    else:
                        self.expression(argument, argument.ty)
                for var in written:
                    self.bound(var)
            case HostCall(arguments=references, result=result):
                for value in references:
                    self.reference(value, is_result=False)
                for leaf in leaves(result):
                    self.new(leaf, owned=True)
            case FunctionCall(function=name, arguments=references, results=results):
                self.require(name in self.functions, f"{name} is no function of the program")
                for value in references:
                    self.reference(value, is_result=False)
                for leaf in [leaf for r in results for leaf in leaves(r)]:
                    self.new(leaf, owned=True)

    def part(self, part: Part) -> None:
        """A part of a fused loop. The running values of all scans are in scope: see `Scan`."""
        if isinstance(part, Reduce):
            names = {i.name for i in part.space.indices}
            self.scope |= names
            self.expression(part.body, part.var.ty)
            self.scope -= names
            self.bound(part.var)
            return
        self.statement(part)

    def bound(self, var: Var) -> None:
        self.require(var.name not in self.scope, f"{var.name} is bound twice")
        self.scope.add(var.name)

    def begin(self, buffer: Buffer) -> None:
        self.alive.add(buffer)
        self.allocated.add(buffer)

    def new(self, leaf: ArrayRef | ScalarRef, *, owned: bool) -> None:
        """A value that comes from elsewhere."""
        if isinstance(leaf, ArrayRef) and leaf.buffer.storage == GROWING:
            self.access(leaf.buffer)
        elif isinstance(leaf, ArrayRef):
            self.alive.add(leaf.buffer)
            if owned:
                self.allocated.add(leaf.buffer)
        for var in leaf.shape if isinstance(leaf, ArrayRef) else (leaf.value,):
            self.require(isinstance(var, Var), "a new value is no variable")
            if isinstance(var, Var):
                self.bound(var)

    def reference(self, value: Ref, *, is_result: bool) -> None:
        for leaf in leaves(value):
            if isinstance(leaf, ScalarRef):
                self.expression(leaf.value, leaf.value.ty)
                continue
            for scalar in leaf.scalars:
                self.expression(scalar, Base.INT)
            self.access(leaf.buffer)
            if is_result and leaf.buffer.storage != GROWING:
                self.end(leaf.buffer)

    def extents(self, space: Space) -> None:
        for extent in space.extents:
            self.expression(extent, Base.INT)

    def over(
        self, space: Space, buffer: Buffer | None, body: Exp, position: Exp | None, condition: Exp | None
    ) -> None:
        """What a SOAC computes at each point of its space."""
        if buffer is not None:
            self.access(buffer)
        self.extents(space)
        names = {i.name for i in space.indices}
        self.scope |= names
        self.expression(body, body.ty if buffer is None else buffer.ty)
        if position is not None:
            self.expression(position, Base.INT)
        if condition is not None:
            self.expression(condition, Base.BOOL)
        self.scope -= names

    def end(self, buffer: Buffer) -> None:
        self.require(buffer in self.allocated, f"{buffer.name} is freed or handed out, but not ours")
        self.allocated.discard(buffer)
        self.alive.discard(buffer)

    def take(self, target: Buffer, source: Buffer) -> None:
        """Memory changes hands."""
        self.end(source)
        self.emptied.add(source)
        if target in self.emptied:
            self.emptied.discard(target)
            self.begin(target)
        self.access(target)

    def access(self, buffer: Buffer) -> None:
        self.require(buffer in self.alive or buffer.data is not None, f"{buffer.name} is not alive")

    def expression(self, exp: Exp, ty: Base) -> None:
        if exp.ty is not ty:
            self.require(False, f"an expression of type {exp.ty}, {ty} is needed")
        for var in self.checked.free.of(exp):
            if var.name not in self.scope:
                self.require(False, f"{var.name} is not in scope")
        facts = self.checked.facts(exp)
        begun = {b for node in facts.sequences for s in statements_of(node) for b in _begun(s)}
        self.names_of_sequences(facts.sequences)
        for buffer in facts.buffers - self.alive - begun:
            self.access(buffer)

    def names_of_sequences(self, sequences: tuple[BlockExp, ...]) -> None:
        """Sequences of one expression bind different names: their statements may stand in one block."""
        for k, one in enumerate(sequences):
            names = {var.name for var in one.names}
            for other in sequences[:k]:
                twice = names & {var.name for var in other.names}
                self.require(not twice or other in nodes(one), f"{', '.join(sorted(twice))} is bound twice")


def _begun(statement: Statement) -> list[Buffer]:
    """The buffers that begin in a statement of a sequence, inside it too."""
    return [*introduced(statement), *[b for body in bodies(statement) for s in body for b in _begun(s)]]
