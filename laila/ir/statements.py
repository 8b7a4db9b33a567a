"""Walking over the statements of a program: what is in them, what they bind, and rebuilding them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
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
    TupleRef,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Const, Exp, FreeVars, Var, nodes, operands


def given_by(statement: RuntimeCall | HostCall | FunctionCall) -> list[Var]:
    """The variables that a call of a function sets."""
    match statement:
        case RuntimeCall(written=written):
            return list(written)
        case HostCall(result=result):
            found = list(leaves(result))
        case FunctionCall(results=results):
            found = [leaf for result in results for leaf in leaves(result)]
    exps = [e for leaf in found for e in (leaf.shape if isinstance(leaf, ArrayRef) else (leaf.value,))]
    return [e for e in exps if isinstance(e, Var)]


def exchanged(reference: Ref, new: Callable[[Buffer], Buffer]) -> Ref:
    """A reference to other buffers."""
    match reference:
        case ArrayRef(buffer=buffer):
            return replace(reference, buffer=new(buffer))
        case TupleRef(items=items):
            return replace(reference, items=tuple([exchanged(item, new) for item in items]))
        case ScalarRef():
            return reference


def leaves(reference: Ref) -> Iterator[ArrayRef | ScalarRef]:
    """The arrays and scalars of a reference, from left to right."""
    if isinstance(reference, TupleRef):
        for item in reference.items:
            yield from leaves(item)
    else:
        yield reference


def bodies(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The sequences of statements inside a statement."""
    match statement:
        case If(then=then, other=other):
            return (then, other)
        case While(body=body) | ForEach(body=body):
            return (body,)
        case _:
            return ()


def with_bodies(
    statement: Statement, change: Callable[[tuple[Statement, ...]], tuple[Statement, ...]]
) -> Statement:
    """A statement with the sequences inside it changed."""
    match statement:
        case While(body=body) | ForEach(body=body):
            return replace(statement, body=change(body))
        case If(then=then, other=other):
            return replace(statement, then=change(then), other=change(other))
        case _:
            return statement


def within(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, each followed by those inside it; not those inside expressions."""
    for statement in statements:
        yield statement
        for body in bodies(statement):
            yield from within(body)


def sequences(roots: Iterable[Exp]) -> list[BlockExp]:
    """The sequences of statements in expressions that are not inside another one."""
    below = nodes(*roots, below=lambda e: () if isinstance(e, BlockExp) else operands(e))
    return [node for node in below if isinstance(node, BlockExp)]


def everywhere(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, each followed by those inside it and inside its expressions."""
    for statement in within(statements):
        yield statement
        for sequence in sequences(own_expressions(statement)):
            yield from everywhere(statements_of(sequence))


def acts(exp: Exp) -> bool:
    """Whether an expression does more than give a value: it prints, asks the host or draws by chance."""
    inside = [s for node in sequences((exp,)) for s in everywhere(statements_of(node))]
    return any(
        isinstance(s, Output | HostCall | FunctionCall) or (isinstance(s, RuntimeCall) and s.with_host)
        for s in inside
    )


def _of_reference(reference: Ref) -> list[Exp]:
    found: list[Exp] = []
    for leaf in leaves(reference):
        found += leaf.scalars if isinstance(leaf, ArrayRef) else (leaf.value,)
    return found


def own_expressions(statement: Statement) -> tuple[Exp, ...]:
    """The expressions that a statement evaluates, without those of statements inside it."""
    match statement:
        case HostLet(value=value) | Variable(value=value) | Assign(value=value):
            return (value,)
        case Alloc(size=size):
            return (size,)
        case Empty() | Free() | Move() | Swap():
            return ()
        case Map(space=space, position=position, body=body, guard=guard):
            return (*space.extents, position, body, *([] if guard is None else [guard]))
        case Scan(space=space, position=position, body=body):
            return (*space.extents, position, body)
        case Filter(space=space, keep=keep, body=body):
            return (*space.extents, keep, body)
        case Fused(space=space, parts=parts):
            return (*space.extents, *[e for part in parts for e in _of_part(part)])
        case Store(position=position, value=value):
            return (position, value)
        case HostCheck(ok=ok, reported=reported):
            return (ok, *reported)
        case If(cond=cond) | While(cond=cond):
            return (cond,)
        case ForEach(space=space, ends=ends, about=about):
            return (*space.extents, *[e for e in (ends, about) if e is not None])
        case Output(value=reference, digits=digits):
            return (*_of_reference(reference), *([] if digits is None else [digits]))
        case RuntimeCall(arguments=arguments):
            return tuple([a for a in arguments if not isinstance(a, Buffer)])
        case HostCall(arguments=references) | FunctionCall(arguments=references):
            return tuple([e for r in references for e in _of_reference(r)])


def _of_part(part: Part) -> tuple[Exp, ...]:
    """The expressions of a part of a fused loop."""
    if isinstance(part, Reduce):
        return (part.body, *([] if part.fold.empty is None else [part.fold.empty]))
    return own_expressions(part)


def expressions(statement: Statement) -> tuple[Exp, ...]:
    """All expressions in a statement."""
    inner = [e for body in bodies(statement) for s in body for e in expressions(s)]
    return (*own_expressions(statement), *inner)


def bound(statement: Statement) -> tuple[Var, ...]:
    """The variables that a statement binds or assigns to, those inside included."""
    inner = [v for body in bodies(statement) for s in body for v in bound(s)]
    own: tuple[Var, ...] = ()
    match statement:
        case HostLet(var=var) | Variable(var=var) | Assign(var=var):
            own = (var,)
        case Map(space=space) | Scan(space=space) | ForEach(space=space):
            own = space.indices
        case Filter(space=space, count=count):
            own = (*space.indices, count)
        case Fused(parts=parts):
            own = tuple([v for part in parts for v in _bound_by(part)])
        case RuntimeCall(written=written):
            own = written
        case HostCall(result=result):
            own = tuple([e for e in _of_reference(result) if isinstance(e, Var)])
        case FunctionCall(results=results):
            own = tuple([e for r in results for e in _of_reference(r) if isinstance(e, Var)])
        case _:
            pass
    return (*own, *inner)


def _bound_by(part: Part) -> tuple[Var, ...]:
    if isinstance(part, Reduce):
        return (*part.space.indices, part.var)
    running = (part.running,) if isinstance(part, Scan) and part.running is not None else ()
    return (*bound(part), *running)


def rebuilt(statement: Statement, change: Callable[[Exp], Exp]) -> Statement:
    """The statement with all its expressions changed; what it binds stays."""

    def reference(value: Ref) -> Ref:
        match value:
            case ArrayRef(buffer=buffer, shape=shape, start=start):
                place = None if start is None else change(start)
                return ArrayRef(buffer, tuple([change(n) for n in shape]), place)
            case ScalarRef(value=exp):
                return ScalarRef(change(exp))
            case TupleRef(items=items):
                return replace(value, items=tuple([reference(i) for i in items]))

    def within(space: Space) -> Space:
        return Space(space.indices, tuple([change(n) for n in space.extents]))

    def all_of(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple([rebuilt(s, change) for s in statements])

    match statement:
        case HostLet(value=value) | Variable(value=value) | Assign(value=value):
            return replace(statement, value=change(value))
        case Alloc(size=size):
            return replace(statement, size=change(size))
        case Empty() | Free() | Move() | Swap():
            return statement
        case Map(space=space, position=position, body=body, guard=guard):
            kept = None if guard is None else change(guard)
            return replace(
                statement, space=within(space), position=change(position), body=change(body), guard=kept
            )
        case Scan(space=space, position=position, body=body):
            return replace(statement, space=within(space), position=change(position), body=change(body))
        case Filter(space=space, keep=keep, body=body):
            return replace(statement, space=within(space), keep=change(keep), body=change(body))
        case Fused(space=space, parts=parts):
            parts = tuple([_rebuilt_part(q, change) for q in parts])
            return replace(statement, space=within(space), parts=parts)
        case Store(position=position, value=value):
            return replace(statement, position=change(position), value=change(value))
        case HostCheck(ok=ok, reported=reported):
            return replace(statement, ok=change(ok), reported=tuple([change(r) for r in reported]))
        case If(cond=cond, then=then, other=other):
            return replace(statement, cond=change(cond), then=all_of(then), other=all_of(other))
        case While(cond=cond, body=body):
            return replace(statement, cond=change(cond), body=all_of(body))
        case ForEach(space=space, body=body):
            ends, about = [None if e is None else change(e) for e in (statement.ends, statement.about)]
            return replace(statement, space=within(space), body=all_of(body), ends=ends, about=about)
        case Output(value=value, digits=digits):
            shown = None if digits is None else change(digits)
            return replace(statement, value=reference(value), digits=shown)
        case RuntimeCall(arguments=arguments):
            changed = tuple([a if isinstance(a, Buffer) else change(a) for a in arguments])
            return replace(statement, arguments=changed)
        case HostCall(arguments=references):
            return replace(statement, arguments=tuple([reference(r) for r in references]))
        case FunctionCall(arguments=references):
            return replace(statement, arguments=tuple([reference(r) for r in references]))


def _rebuilt_part(part: Part, change: Callable[[Exp], Exp]) -> Part:
    if isinstance(part, Reduce):
        fold, empty = part.fold, part.fold.empty
        if empty is not None and (none := change(empty)) is not empty:
            fold = replace(fold, empty=none)
        return replace(part, fold=fold, body=change(part.body))
    changed = rebuilt(part, change)
    assert isinstance(changed, Map | Scan | Filter)
    return changed


def do(statements: list[Statement], value: Exp) -> Exp:
    """The value of an expression after some statements; the expression itself if there are none."""
    if not statements:
        return value
    inside = tuple([e for s in statements for e in expressions(s)])
    names = tuple(dict.fromkeys([v for s in statements for v in bound(s)]))
    return BlockExp(tuple(statements), inside, names, value, value.ty)


def rebuilt_do(node: BlockExp, change: Callable[[Exp], Exp]) -> Exp:
    """A sequence with all its expressions changed, without checks that hold then in any case."""
    statements = [rebuilt(s, change) for s in statements_of(node)]
    left = [s for s in statements if not (isinstance(s, HostCheck) and _holds(s.ok))]
    return do(left, change(node.value))


def _holds(exp: Exp) -> bool:
    return isinstance(exp, Const) and bool(exp.value)


def statements_of(node: BlockExp) -> tuple[Statement, ...]:
    """The statements of a sequence, which `scalar` does not know the types of."""
    return node.statements  # type: ignore[return-value]


def with_blocks(
    program: Program, change: Callable[[tuple[Statement, ...]], tuple[Statement, ...]]
) -> Program:
    """The program with its statements, and those of its functions, changed."""
    functions = tuple([replace(f, statements=change(f.statements)) for f in program.functions])
    return replace(program, statements=change(program.statements), functions=functions)


def names_of_results(program: Program) -> frozenset[str]:
    """The names of the variables that results of functions mention, as extents or as scalars."""
    results = [leaf for f in program.functions for r in f.results for leaf in leaves(r)]
    roots = [e for leaf in results for e in (leaf.scalars if isinstance(leaf, ArrayRef) else (leaf.value,))]
    free = FreeVars()
    return frozenset([name for root in roots for name in free.names(root)])
