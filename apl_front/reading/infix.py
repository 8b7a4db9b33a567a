"""Infix resolution: from a row of items to applications, guided by name classes.

Binding strength, strongest first: brackets, strands, operators with their operands (long to the left,
short to the right), then functions, which take everything to their right. A row that ends in a function is
a function: a train of two or more. `name←` names whatever stands right of it. `docs/infix.md` has examples.

What each name is has been asked before (`classes`). `rows` finds the targets of arrows, `scanner` groups the
items; here functions get their arguments and trains their tines. Structure only is decided: no value is
looked at.
"""

from __future__ import annotations

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import unwrapped
from aplc.apl_front.reading.classes import Classes
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.rows import row_of
from aplc.apl_front.reading.scanner import HYBRIDS, Scanner, user_operator
from aplc.apl_front.reading.targets import Indexed, Piece, Selected, Target
from aplc.apl_front.reading.tree import is_array
from aplc.apl_front.syntax.ast import Arrow, Item, Name
from aplc.tail.errors import CompileError, unsupported


def resolve(items: tuple[Item, ...], classes: Classes) -> tree.Tree:
    """The tree of a statement, or of what stands in its parentheses or brackets, whose classes are known.

    Raises SYNTAX ERROR where there is no reading, and `NoValue` or `Poisoned` for a name whose class is
    needed.
    """
    row = row_of(items, classes)
    if len(items) > 2 and isinstance(items[-2], Arrow) and classes.operator(items[-1]) is not None:
        return _operator_assignment(items)
    pieces = Scanner(row, lambda inner: resolve(inner, classes)).pieces()
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
        case Selected(name, selection):
            return tree.AssignSelective(name, selection, target.modifier, value, span)
        case tree.Targets() as targets:
            return tree.AssignSeveral(targets, target.modifier, value, span)


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
