"""What the statements of a loop program mention, and which memory they own."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aplc.backends.c.expressions import ZERO, bounded_by, integer_or_zero
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import (
    LOOK,
    ArrayRef,
    FunctionCall,
    HostCall,
    Move,
    Ref,
    RuntimeCall,
    ScalarRef,
    Swap,
)
from aplc.laila.ir.scalar import GROWING, TABLE, Buffer, Const, Exp, PureCall, Read, Var, nodes, operands
from aplc.laila.ir.statements import leaves


def leaves_of_all(references: tuple[Ref, ...]) -> list[ArrayRef | ScalarRef]:
    """The arrays and scalars of several references."""
    return [leaf for reference in references for leaf in leaves(reference)]


def exchanged(statement: Move | Swap) -> tuple[Buffer, Buffer]:
    """The two buffers between which memory moves."""
    match statement:
        case Move(target=target, source=source):
            return target, source
        case Swap(first=first, second=second):
            return first, second


def stores_to(statements: tuple[l.Stm, ...], moved: Collection[str]) -> bool:
    """Whether a loop without other loops in it writes where only we know that nothing else is."""
    inner = list(l.within(statements))
    stores = any(isinstance(s, l.Store) and s.buffer.name in moved for s in inner)
    return stores and not any(isinstance(s, l.For | l.While) for s in inner)


def allocated(statement: l.Stm) -> list[Buffer]:
    """The buffers that get memory of their own from a statement."""
    match statement:
        case l.Allocate(buffer=buffer, into=into):
            return [buffer] if into is None else []
        case Move() | Swap():
            return list(exchanged(statement))
        case HostCall(result=result):
            return [leaf.buffer for leaf in leaves(result) if isinstance(leaf, ArrayRef)]
        case RuntimeCall(arguments=arguments, only_reads=kept):
            given = [a for a in arguments if isinstance(a, Buffer)]
            return [a for a in given if a.storage == TABLE and a not in kept]
        case FunctionCall(results=results):
            found = [leaf.buffer for leaf in leaves_of_all(results) if isinstance(leaf, ArrayRef)]
            return [buffer for buffer in found if buffer.storage != GROWING]
        case _:
            return []


def used_names(statements: tuple[l.Stm, ...]) -> set[str]:
    """The names of all variables and buffers that occur in statements."""
    used: set[str] = set()
    for statement in l.within(statements):
        exps, buffers = _mentioned(statement)
        used |= {buffer.name for buffer in buffers}
        for node in nodes(*exps):
            if isinstance(node, Var):
                used.add(node.name)
            elif isinstance(node, Read):
                used.add(node.buffer.name)
            elif isinstance(node, PureCall):
                used |= {buffer.name for buffer in node.memory}
    return used


def mentioned_things(statements: tuple[l.Stm, ...]) -> list[Var | Buffer]:
    """The variables and buffers that occur in statements, in their order, one for each name."""
    found: dict[str, Var | Buffer] = {}
    for statement in l.within(statements):
        exps, buffers = _mentioned(statement)
        match statement:
            case l.Assign(var=var):
                found.setdefault(var.name, var)
            case l.Store(buffer=buffer) | l.Prefetch(buffer=buffer) | l.Release(buffer=buffer):
                found.setdefault(buffer.name, buffer)
            case Move() | Swap():
                for buffer in exchanged(statement):
                    found.setdefault(buffer.name, buffer)
            case _:
                pass
        for buffer in buffers:
            found.setdefault(buffer.name, buffer)
        for node in nodes(*exps):
            if isinstance(node, Var):
                found.setdefault(node.name, node)
            elif isinstance(node, Read):
                found.setdefault(node.buffer.name, node.buffer)
            elif isinstance(node, PureCall):
                for buffer in (*node.memory, *node.behind):
                    found.setdefault(buffer.name, buffer)
    return list(found.values())


def bounds_of(loop: l.For) -> list[Const]:
    """The bounds of extrema in a loop, and the zero of which integers may be made in the place of doubles, if
    it or one inside it may run in lanes.
    """
    if not any(isinstance(s, l.For) and s.reductions is not None for s in l.within((loop,))):
        return []
    exps = [exp for statement in l.within(loop.body) for exp in _mentioned(statement)[0]]
    found = [bounded[0] for node in nodes(*exps) if (bounded := bounded_by(node)) is not None]
    return [*found, *([ZERO] if any(map(integer_or_zero, nodes(*exps))) else [])]


def touches_memory(statements: tuple[l.Stm, ...]) -> bool:
    """Whether statements read or write elements of buffers."""
    for statement in l.within(statements):
        found = nodes(*_mentioned(statement)[0])
        if isinstance(statement, l.Store) or any(isinstance(n, Read | PureCall) for n in found):
            return True
    return False


def computes_with(loop: l.For) -> bool:
    """Whether a loop computes with its index, beside where it reads and writes."""

    def below(exp: Exp) -> tuple[Exp, ...]:
        return () if isinstance(exp, Read | PureCall) else tuple(operands(exp))

    for statement in l.within(loop.body):
        exps = [statement.value] if isinstance(statement, l.Store) else _mentioned(statement)[0]
        if any(node is loop.var for node in nodes(*exps, below=below)):
            return True
    return False


def _mentioned(statement: l.Stm) -> tuple[list[Exp], list[Buffer]]:
    """The expressions of a statement, and the buffers that it names besides."""
    match statement:
        case l.Declare(value=value):
            return ([] if value is None else [value]), []
        case l.Assign(value=value):
            return [value], []
        case l.Store(position=position, value=value):
            return [position, value], []
        case l.Prefetch(position=position):
            return [position], []
        case l.For(start=start, stop=stop):
            return [start, stop], []
        case l.If(cond=cond) | l.While(cond=cond):
            return [cond], []
        case l.Fail(ok=ok, reported=reported):
            return [ok, *reported], []
        case l.Allocate(size=size):
            return [size], []
        case l.Release() | l.Local() | l.Together() | Move() | Swap():
            return [], []
        case l.Emit(value=value, digits=digits):
            exps, buffers = _within((value,))
            return [*exps, *([] if digits is None else [digits])], buffers
        case RuntimeCall(arguments=arguments):
            own = [a for a in arguments if isinstance(a, Buffer)]
            return [a for a in arguments if not isinstance(a, Buffer)], own
        case HostCall(arguments=references) | FunctionCall(arguments=references):
            return _within(references)


def _within(references: tuple[Ref, ...]) -> tuple[list[Exp], list[Buffer]]:
    exps: list[Exp] = []
    buffers: list[Buffer] = []
    for leaf in leaves_of_all(references):
        if isinstance(leaf, ArrayRef):
            buffers.append(leaf.buffer)
            exps += leaf.scalars
        else:
            exps.append(leaf.value)
    return exps, buffers


def looked_at(statements: Iterable[l.Stm]) -> set[Buffer]:
    """The arrays of characters at which statements look themselves."""
    calls = [s for s in statements if isinstance(s, RuntimeCall) and s.function == LOOK]
    return {each for call in calls for each in call.arguments if isinstance(each, Buffer)}
