"""Infix resolution: from a row of items to applications, guided by name classes.

Binding strength, strongest first: brackets, strands, operators with their operands (long to the left,
short to the right), then functions, which take everything to their right. A row that ends in a function is
a function: a train of two or more. `name←` names whatever stands right of it. `docs/infix.md` has examples.

`scanner` groups the items, `targets` knows what may stand left of an arrow; here functions get their
arguments and trains their tines. Structure only is decided: the class of a name is asked for, and no value is
looked at.
"""

from __future__ import annotations

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scanner import (
    HYBRIDS,
    Classify,
    NameClass,
    Scanner,
    definition_class,
    user_operator,
)
from aplc.apl_front.reading.targets import (
    Indexed,
    Piece,
    Target,
    assigned_names,
    is_array,
    syntax_error,
    unwrapped,
)
from aplc.apl_front.syntax.ast import Arrow, Item, Name
from aplc.tail.errors import CompileError, unsupported

__all__ = [
    "Classify", "NameClass", "assigned_names", "definition_class", "is_array", "resolve", "syntax_error",
]  # fmt: skip


def resolve(items: tuple[Item, ...], classify: Classify) -> tree.Tree:
    """The tree of a whole statement; SYNTAX ERROR where there is no reading.

    `(+/x)÷≢x←1 2 3`: a name without value that is assigned further right is an array by the time it is
    needed.
    """
    assigned = {name.name: name.span.start for name in assigned_names(items)}
    known: dict[int, NameClass] = {}

    def classify_once(name: Name) -> NameClass:
        if id(name) not in known:
            try:
                known[id(name)] = classify(name)
            except CompileError:
                if assigned.get(name.name, -1) <= name.span.start:
                    raise
                known[id(name)] = NameClass.ARRAY
        return known[id(name)]

    return _resolve(items, classify_once)


def _resolve(items: tuple[Item, ...], classify: Classify) -> tree.Tree:
    """The tree of a statement or of what stands in parentheses or brackets."""
    scanner = Scanner(items, classify, lambda inner: _resolve(inner, classify))
    if len(items) > 2 and isinstance(items[-2], Arrow) and scanner.operator_class(items[-1]) is not None:
        return _operator_assignment(items)
    pieces = scanner.pieces()
    last = pieces[-1]
    if isinstance(last, Target):
        raise syntax_error("there is nothing to assign", last.arrow)
    return _expression(pieces) if is_array(last.node) else _function(pieces)


def _operator_assignment(items: tuple[Item, ...]) -> tree.AssignOperator:
    """`name←operator`"""
    target = unwrapped(items[0])
    span = items[0].span.join(items[-1].span)
    if len(items) != 3 or not isinstance(target, Name):
        raise unsupported("an operator as part of an expression", span, "write name←operator as a statement")
    if target.name[0] in "⎕⍞⍺⍵∇":
        raise syntax_error(f"{target.name} cannot be an operator", target.span)
    return tree.AssignOperator(target, user_operator(items[-1]), span)


def _expression(pieces: list[Piece | Target]) -> tree.Array:
    """A row that ends in an array: functions apply right to left."""
    last = pieces.pop()
    assert isinstance(last, Piece) and isinstance(last.node, tree.ARRAY_NODES)
    value: tree.Array = last.node
    span = last.span
    while pieces:
        piece = pieces.pop()
        span = piece.span.join(span)
        if isinstance(piece, Target):
            value = _assignment(piece, value)
        elif isinstance(piece.node, tree.ARRAY_NODES):
            raise syntax_error("there is no function between these two arrays", span)
        else:
            function = piece.node
            left = pieces[-1] if pieces else None
            if isinstance(left, Piece) and isinstance(left.node, tree.ARRAY_NODES):
                pieces.pop()
                span = left.span.join(span)
                value = tree.Apply(function, left.node, value, span)
            elif isinstance(function, tree.Primitive) and function.symbol in HYBRIDS:
                message = f"the operator {function.symbol} needs an operand on its left"
                raise syntax_error(message, function.span)
            else:
                value = tree.Apply(function, None, value, span)
    return value


def _assignment(target: Target, value: tree.Array) -> tree.Array:
    """A value with what stands left of its arrow."""
    span = target.span.join(value.span)
    match target.what:
        case Name() as name:
            if target.modifier is None:
                return tree.Assign(name, value, span)
            return tree.AssignModified(name, target.modifier, value, span)
        case Indexed(name, indices):
            return tree.AssignIndexed(name, indices, target.modifier, value, span)
        case tree.Targets() as targets:
            return tree.AssignSeveral(targets, value, span)


def _function(pieces: list[Piece | Target]) -> tree.Function:
    """A row that ends in a function: a function, a train, or the assignment of one."""
    last = pieces.pop()
    assert isinstance(last, Piece) and not isinstance(last.node, tree.ARRAY_NODES)
    function: tree.Function = last.node
    span = last.span
    while pieces:
        piece = pieces.pop()
        if isinstance(piece, Target):
            span = piece.span.join(span)
            if piece.modifier is not None or not isinstance(piece.what, Name):
                raise syntax_error("an array belongs right of this arrow, not a function", piece.arrow)
            function = tree.AssignFunction(piece.what, function, span)
        elif isinstance(piece.node, tree.ARRAY_NODES):
            raise _no_argument(function)
        elif pieces and isinstance(left := pieces[-1], Piece):
            pieces.pop()
            span = left.span.join(span)
            function = tree.Fork(left.node, piece.node, function, span)
        else:
            span = piece.span.join(span)
            function = tree.Atop(piece.node, function, span)
    return function


def _no_argument(function: tree.Function) -> CompileError:
    """A function at the end of an expression; the strand in `f⍣2 x` may have swallowed its argument."""
    message = "the function has no right argument"
    if isinstance(function, tree.Derived | tree.UserDerived) and is_array(function.right):
        message += ": put ⊢ or ( ) between the operand and the argument"
    return syntax_error(message, function.span)
