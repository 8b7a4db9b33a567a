"""Infix resolution: from a row of items to applications, guided by name classes.

Binding strength, strongest first: brackets, strands, operators with their operands (long to the left,
short to the right), then functions, which take everything to their right. A row that ends in a function is
a function: a train of two or more. `name←` names whatever stands right of it.

This module decides structure only; it asks for the class of a name and looks at no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from apl_front import tree
from apl_front.ast import Arrow, Bracket, Chars, Dfn, Glyph, Item, Name, Number, Paren, Zilde
from apl_front.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from tail.errors import CompileError, compile_error, unsupported
from tail.source import Span


class NameClass(Enum):
    """What a name stands for."""

    ARRAY = "array"
    FUNCTION = "function"
    MONADIC_OPERATOR = "monadic operator"
    DYADIC_OPERATOR = "dyadic operator"


Classify = Callable[[Name], NameClass]
"""The class of a name in scope; raises VALUE ERROR for a name that has no value."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What stands left of an arrow: the name, and for `x f←y` the function."""

    name: Name
    modifier: tree.Function | None
    arrow: Arrow


Piece = tree.Array | tree.Function | _Target


def resolve(items: tuple[Item, ...], classify: Classify) -> tree.Tree:
    """The tree of a whole statement; SYNTAX ERROR where there is no reading.

    `(+/x)÷≢x←1 2 3`: a name without value that is assigned further right is an array by the time it is
    needed.
    """
    assigned = {name.name: name.span.start for name in assigned_names(items)}

    def classify_here(name: Name) -> NameClass:
        try:
            return classify(name)
        except CompileError:
            if assigned.get(name.name, -1) > name.span.start:
                return NameClass.ARRAY
            raise

    return _resolve(items, classify_here)


def assigned_names(items: tuple[Item, ...]) -> Iterator[Name]:
    """The names left of an arrow, from left to right, those in parentheses and brackets included."""
    for item, following in zip(items, (*items[1:], None), strict=True):
        match item:
            case Name() if isinstance(following, Arrow):
                yield item
            case Paren(items=inner) if isinstance(following, Arrow):
                yield from [name for name in inner if isinstance(name, Name)]
            case Paren(items=inner):
                yield from assigned_names(inner)
            case Bracket(parts=parts):
                for part in parts:
                    yield from assigned_names(part)
            case Name() | Number() | Zilde() | Chars() | Glyph() | Arrow() | Dfn():
                pass


def _resolve(items: tuple[Item, ...], classify: Classify) -> tree.Tree:
    """The tree of a statement or of what stands in parentheses."""
    pieces = _Scanner(items, classify).pieces()
    if isinstance(pieces[-1], _Target):
        raise syntax_error("there is nothing to assign", pieces[-1].arrow.span)
    if is_array(pieces[-1]):
        return _expression(pieces)
    return _function(pieces)


def syntax_error(message: str, span: Span) -> CompileError:
    """A SYNTAX ERROR."""
    return compile_error("SYNTAX ERROR", message, span)


def is_array(piece: object) -> bool:
    """Whether a piece is an array."""
    return isinstance(piece, tree.ARRAY_NODES)


class _Scanner:
    """Groups items left to right into arrays (strands), functions (with their operators) and targets."""

    def __init__(self, items: tuple[Item, ...], classify: Classify) -> None:
        self.items, self.classify = items, classify
        self.at = 0
        self.resolved: dict[int, tree.Tree] = {}

    def pieces(self) -> list[Piece]:
        result: list[Piece] = []
        while self.at < len(self.items):
            target = self.target(result)
            result.append(target if target is not None else self.operand_with_operators())
        return result

    def parenthesised(self, item: Paren) -> tree.Tree:
        """The tree inside parentheses, resolved once however often it is looked at."""
        found = self.resolved.get(id(item))
        if found is None:
            found = self.resolved[id(item)] = _resolve(item.items, self.classify)
        return found

    def peek(self, ahead: int = 0) -> Item | None:
        return self.items[self.at + ahead] if self.at + ahead < len(self.items) else None

    # --- assignment targets ---

    def target(self, before: list[Piece]) -> _Target | None:
        """`name←`, or `name f←` where the name was read as an array before."""
        item = self.items[self.at]
        arrow = self.peek(1)
        if not before and self.is_several_names():
            raise unsupported("assignment to several names at once", item.span)
        if isinstance(item, Name) and isinstance(arrow, Arrow):
            if before and is_array(before[-1]) and self.is_function(item):
                raise unsupported("modified assignment", item.span, "write x←x f y for x f←y")
            self.at += 2
            return _Target(item, None, arrow)
        if isinstance(arrow, Arrow) and isinstance(item, Paren):
            raise unsupported("assignment to several names at once", item.span.join(arrow.span))
        if isinstance(arrow, Arrow) and isinstance(item, Number | Zilde | Chars):
            raise syntax_error("a constant cannot be assigned to", item.span)
        if isinstance(item, Arrow):
            if len(before) > 1 and is_array(before[-2]) and not is_array(before[-1]):
                raise unsupported("modified assignment", item.span, "write x←x+1 for x+←1")
            raise syntax_error("there is no name left of ←", item.span)
        return None

    def is_several_names(self) -> bool:
        """Whether two names and an arrow come next, and neither is a function."""
        first, second = self.items[self.at], self.peek(1)
        if not (isinstance(first, Name) and isinstance(second, Name) and isinstance(self.peek(2), Arrow)):
            return False
        return not self.is_function(first) and not self.is_function(second)

    def is_function(self, name: Name) -> bool:
        """Whether a name that is about to be assigned is a function until then."""
        try:
            return self.classify(name) is NameClass.FUNCTION
        except CompileError:
            return False

    # --- operands and operators ---

    def operand_with_operators(self) -> tree.Array | tree.Function:
        operand = self.operand()
        while (operator := self.operator()) is not None:
            symbol, span, dyadic = operator
            self.at += 1
            if dyadic:
                right = self.right_operand(symbol, span)
                whole = operand.span.join(right.span)
                operand = tree.Derived(symbol, operand, right, whole)
            else:
                operand = tree.Derived(symbol, operand, None, operand.span.join(span))
            operand = self.with_axis(operand)
        if isinstance(operand, tree.Jot):
            raise syntax_error("∘ needs a function on each side", operand.span)
        return operand

    def operator(self) -> tuple[str, Span, bool] | None:
        """The operator that comes next: its symbol, its span, and whether it is dyadic."""
        item = self.peek()
        if isinstance(item, Glyph):
            if self.at_outer_product():
                return None
            if item.symbol in MONADIC_OPERATORS:
                return item.symbol, item.span, False
            if item.symbol in DYADIC_OPERATORS:
                return item.symbol, item.span, True
        if isinstance(item, Name) and not isinstance(self.peek(1), Arrow):
            kind = self.classify(item)
            if kind in (NameClass.MONADIC_OPERATOR, NameClass.DYADIC_OPERATOR):
                return item.name, item.span, kind is NameClass.DYADIC_OPERATOR
        return None

    def at_outer_product(self) -> bool:
        """Whether `∘.` comes next, which begins a function and is no operator on what stands before it."""
        item = self.peek()
        return isinstance(item, Glyph) and item.symbol == "∘" and _is_dot(self.peek(1))

    def right_operand(self, symbol: str, span: Span) -> tree.Operand:
        item = self.peek()
        if item is None or isinstance(item, Arrow) or self.operator() is not None:
            raise syntax_error(f"{symbol} needs an operand on its right", span)
        return self.operand()

    def operand(self) -> tree.Operand:
        item = self.items[self.at]
        match item:
            case Glyph(symbol=symbol, span=span):
                return self.glyph(symbol, span)
            case Dfn(span=span):
                self.at += 1
                return self.with_axis(tree.Definition(item, span))
            case Bracket(span=span):
                raise syntax_error("there is nothing to index left of the bracket", span)
            case Arrow(span=span):
                raise syntax_error("there is no name left of ←", span)
            case Name(name=name, span=span):
                kind = self.classify(item)
                if kind is NameClass.FUNCTION:
                    self.at += 1
                    return self.with_axis(tree.FunctionName(name, span))
                if kind is not NameClass.ARRAY:
                    raise syntax_error(f"the operator {name} needs an operand on its left", span)
                return self.strand()
            case Paren():
                inner = self.parenthesised(item)
                if isinstance(inner, tree.ARRAY_NODES):
                    return self.strand()
                self.at += 1
                return self.with_axis(inner)
            case Number() | Zilde() | Chars():
                return self.strand()

    def glyph(self, symbol: str, span: Span) -> tree.Operand:
        self.at += 1
        if symbol in FUNCTIONS:
            return self.with_axis(tree.Primitive(symbol, span))
        following = self.peek()
        if symbol == "∘" and _is_dot(following):
            return tree.Jot(span)
        if symbol in MONADIC_OPERATORS or symbol in DYADIC_OPERATORS:
            raise syntax_error(f"the operator {symbol} needs an operand on its left", span)
        raise unsupported(f"the symbol {symbol}", span)

    def with_axis(self, function: tree.Function) -> tree.Function:
        """A function; a bracket behind it is an axis."""
        bracket = self.peek()
        if isinstance(bracket, Bracket):
            raise unsupported("an axis in brackets", bracket.span)
        return function

    def strand(self) -> tree.Strand:
        """All arrays that follow one another."""
        parts: list[Number | Zilde | Chars | Name | tree.Array] = []
        start = self.items[self.at].span
        end = start
        while (item := self.peek()) is not None:
            match item:
                case Number() | Zilde() | Chars():
                    part: Number | Zilde | Chars | Name | tree.Array = item
                case Name():
                    if isinstance(self.peek(1), Arrow) or self.classify(item) is not NameClass.ARRAY:
                        break
                    part = item
                case Paren():
                    if isinstance(self.peek(1), Arrow):
                        break
                    inner = self.parenthesised(item)
                    if not isinstance(inner, tree.ARRAY_NODES):
                        break
                    part = inner
                case Bracket(span=span):
                    assigned = isinstance(self.peek(1), Arrow)
                    raise unsupported("assignment by index" if assigned else "indexing with brackets", span)
                case Glyph() | Arrow() | Dfn():
                    break
            parts.append(part)
            end = item.span
            self.at += 1
        return tree.Strand(tuple(parts), start.join(end))


def _is_dot(item: Item | None) -> bool:
    return isinstance(item, Glyph) and item.symbol == "."


def _expression(pieces: list[Piece]) -> tree.Array:
    """A row that ends in an array: functions apply right to left."""
    value = pieces.pop()
    assert isinstance(value, tree.ARRAY_NODES)
    while pieces:
        piece = pieces.pop()
        match piece:
            case _Target(name=name):
                value = tree.Assign(name, value, name.span.join(value.span))
            case tree.Strand() | tree.Apply() | tree.Assign():
                raise syntax_error(
                    "there is no function between these two arrays", piece.span.join(value.span)
                )
            case _:
                left: tree.Array | None = None
                start = piece.span
                if pieces and isinstance(pieces[-1], tree.ARRAY_NODES):
                    left = pieces.pop()  # type: ignore[assignment]
                    assert left is not None
                    start = left.span
                value = tree.Apply(piece, left, value, start.join(value.span))
    return value


def _function(pieces: list[Piece]) -> tree.Function:
    """A row that ends in a function: a function, a train, or the assignment of one."""
    rest = pieces.pop()
    assert not isinstance(rest, _Target) and not isinstance(rest, tree.ARRAY_NODES)
    function: tree.Function = rest
    while pieces:
        piece = pieces.pop()
        if isinstance(piece, _Target):
            function = tree.AssignFunction(piece.name, function, piece.name.span.join(function.span))
            continue
        if isinstance(piece, tree.ARRAY_NODES):
            raise syntax_error("the function has no right argument", function.span)
        if not pieces or isinstance(pieces[-1], _Target):
            function = tree.Atop(piece, function, piece.span.join(function.span))
            continue
        left = pieces.pop()
        assert not isinstance(left, _Target)
        function = tree.Fork(left, piece, function, left.span.join(function.span))
    return function
