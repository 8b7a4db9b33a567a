"""First half of infix resolution: the items of a row grouped into arrays, functions and targets.

    row      ::= piece*
    piece    ::= array | function | target '←'      targets are in `targets`
    array    ::= part+                              one part stands for itself, several are a strand
    part     ::= (number+ | '⍬' | chars | name | paren) bracket*
    function ::= operand (operator operand?)*       the left operand is all that the piece has so far
    operand  ::= array | (glyph | name | dfn | paren) axis?

What stands in parentheses and brackets is resolved by whoever made the scanner.

Note [A row of numbers is one item]
A bracket binds to the one item left of it: in `a b[1]` to `b`. A row of numeric literals is a single item, as
in Dyalog APL, so that `5 6 7[2]` is 6.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import target_names, unwrapped
from aplc.apl_front.reading.classes import NameClass
from aplc.apl_front.reading.mistakes import syntax_error
from aplc.apl_front.reading.rows import Row
from aplc.apl_front.reading.targets import Piece, Target, modified_target, plain_target, selected_target
from aplc.apl_front.reading.tree import is_array
from aplc.apl_front.syntax.ast import Arrow, Bracket, Chars, Dfn, Glyph, Item, Name, Number, Paren, Zilde
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from aplc.tail.errors import CompileError, first_line, unsupported
from aplc.tail.source import Span

HYBRIDS = frozenset("/⌿\\⍀")
"""Operators where a function stands on their left, functions otherwise."""

OPERATORS = MONADIC_OPERATORS | DYADIC_OPERATORS
NO_ARRAY_ON_THE_LEFT = frozenset("¨.⍣⌸")


Resolve = Callable[[tuple[Item, ...]], tree.Tree]
"""The tree of the items inside parentheses or brackets."""


class Scanner:
    """Groups the items of one row from left to right; `at` is the item that comes next."""

    def __init__(self, row: Row, resolve: Resolve) -> None:
        self.items, self.classes, self.targets = row.items, row.classes, row.targets
        self.resolve = resolve
        self.at = 0
        self.resolved: dict[int, tree.Tree] = {}

    def pieces(self) -> list[Piece | Target]:
        """The whole row."""
        result: list[Piece | Target] = []
        while (item := self._peek()) is not None:
            start = self.at
            array = result[-1] if result and isinstance(result[-1], Piece) else None
            array = array if array is not None and is_array(array.node) else None
            if isinstance(item, Arrow):
                result.append(self._modified(result, item))
            elif start in self.targets and not (array and self.classes.is_function(target_names(item)[-1])):
                self.at = self.targets[start] + 1
                arrow = self.items[self.at - 1]
                assert isinstance(arrow, Arrow)
                before = self.items[start : self.at - 1]
                result.append(plain_target(before, arrow, self.classes, self._indices))
            else:
                node = self._operand_with_operators()
                result.append(Piece(node, self._since(start)))
        return result

    def _modified(self, before: list[Piece | Target], arrow: Arrow) -> Target:
        """`x f←` and `x[i]f←`, whose array and function were read before."""
        last = before[-1] if before else None
        if not isinstance(last, Piece):
            raise syntax_error("there is no name left of ←", arrow.span)
        if is_array(last.node):
            target = selected_target(self.items[: self.at], last, arrow)
            del before[-1:]
        else:
            target = modified_target(before, arrow)
            del before[-2:]
        self.at += 1
        return target

    def _peek(self, ahead: int = 0) -> Item | None:
        return self.items[self.at + ahead] if self.at + ahead < len(self.items) else None

    def _since(self, start: int) -> Span:
        """The text from an item to the last one read."""
        return self.items[start].span.join(self.items[self.at - 1].span)

    def _parenthesised(self, item: Paren) -> tree.Tree:
        """The tree inside parentheses, resolved once however often it is looked at."""
        found = self.resolved.get(id(item))
        if found is None:
            inner = item
            while len(inner.items) == 1 and isinstance(only := inner.items[0], Paren):
                inner = only
            found = self.resolved[id(item)] = self.resolve(inner.items)
        return found

    # --- operands and operators ---

    def _operand_with_operators(self) -> tree.Array | tree.Function:
        start = self.at
        operand = self._operand()
        while self._at_operator(operand):
            operand = self._derived(operand, start)
        if isinstance(operand, tree.Jot):
            raise syntax_error("∘ needs a function on each side", operand.span)
        return operand

    def _at_operator(self, left: tree.Operand) -> bool:
        """Whether an operator comes next, for what stands on its left."""
        item = self._peek()
        if item is None or self.at in self.targets:
            return False
        if not isinstance(item, Glyph):
            return self.classes.operator(item) is not None
        if item.symbol in HYBRIDS:
            return not is_array(left)
        return item.symbol in OPERATORS and not self._at_outer_product()

    def _at_outer_product(self) -> bool:
        """Whether `∘.` comes next, which begins a function and is no operator on what stands before it."""
        item = self._peek()
        return isinstance(item, Glyph) and item.symbol == "∘" and _is_dot(self._peek(1))

    def _derived(self, left: tree.Operand, start: int) -> tree.Function:
        """The operator that comes next with its operands; the left one was read from `start` on."""
        item = self.items[self.at]
        self.at += 1
        right: tree.Operand | None = None
        if isinstance(item, Glyph):
            symbol, axis = item.symbol, None
            if symbol in NO_ARRAY_ON_THE_LEFT and is_array(left):
                why = ": namespaces are not supported" if symbol == "." else ""
                raise syntax_error(f"{symbol} needs a function on its left{why}", item.span)
            if symbol in DYADIC_OPERATORS:
                right = self._right_operand(symbol, item.span)
            elif symbol in HYBRIDS:
                axis = self._axis()
            else:
                self._no_axis(symbol)
            return tree.Derived(symbol, left, right, self._since(start), axis)
        operator = user_operator(item)
        if self.classes.operator(item) is NameClass.DYADIC_OPERATOR:
            right = self._right_operand(_called(operator), item.span)
        else:
            self._no_axis(_called(operator))
        return tree.UserDerived(operator, left, right, self._since(start))

    def _right_operand(self, symbol: str, span: Span) -> tree.Operand:
        """One function, or one strand."""
        item = self._peek()
        if item is None or isinstance(item, Arrow) or self.classes.operator(item) is not None:
            raise syntax_error(f"{symbol} needs an operand on its right", span)
        if self._at_outer_product():
            raise syntax_error("put ( ) around an outer product that is an operand", item.span)
        if isinstance(item, Glyph) and item.symbol in OPERATORS - HYBRIDS:
            raise syntax_error(f"{symbol} needs an operand on its right", span)
        right = self._operand()
        if symbol == "." and is_array(right):
            raise syntax_error(". needs a function on its right", span)
        return right

    def _operand(self) -> tree.Operand:
        item = self.items[self.at]
        if self.classes.operator(item) is not None:
            name = _called(user_operator(item))
            raise syntax_error(f"the operator {name} needs an operand on its left", item.span)
        match item:
            case Glyph():
                self.at += 1
                return self._glyph(item)
            case Dfn(span=span):
                self.at += 1
                self._no_axis("a function in braces")
                return tree.Definition(item, span)
            case Bracket(span=span):
                raise syntax_error(
                    "there is nothing to index left of the bracket: a vector is written 1 2 3", span
                )
            case Arrow(span=span):
                raise syntax_error("there is no name left of ←", span)
            case Name(name=name, span=span):
                if self.classes.of(item) is NameClass.ARRAY:
                    return self._strand()
                self.at += 1
                self._no_axis(f"the function {name}")
                return tree.FunctionName(name, span)
            case Paren(span=span):
                inner = self._parenthesised(item)
                if isinstance(inner, tree.ARRAY_NODES):
                    return self._strand()
                if isinstance(inner, tree.AssignOperator):
                    raise syntax_error("an operator is named in a statement of its own", span)
                self.at += 1
                return self._with_axis(inner, span)
            case Number() | Zilde() | Chars():
                return self._strand()

    def _glyph(self, glyph: Glyph) -> tree.Operand:
        """A primitive function with its axis, or the jot of an outer product."""
        symbol, span = glyph.symbol, glyph.span
        if symbol in FUNCTIONS or symbol in HYBRIDS:
            return tree.Primitive(symbol, span, self._axis())
        if symbol == "∘" and _is_dot(self._peek()):
            return tree.Jot(span)
        if symbol in OPERATORS:
            raise syntax_error(f"the operator {symbol} needs an operand on its left", span)
        if symbol == "→":
            raise unsupported("branching with →", span, "write a guard, {condition: value ⋄ other value}")
        raise unsupported(f"the symbol {symbol}", span)

    # --- brackets ---

    def _axis(self) -> tree.Array | None:
        """The axis in brackets that comes next, if one does."""
        bracket = self._peek()
        if not isinstance(bracket, Bracket):
            return None
        self.at += 1
        axes = self._indices(bracket)
        if len(axes) != 1 or axes[0] is None:
            raise syntax_error("an axis is one number, as in ⌽[1]", bracket.span)
        return axes[0]

    def _with_axis(self, function: tree.Function, parentheses: Span) -> tree.Function:
        """A function in parentheses; a bracket behind it is the axis of what is in them."""
        bracket = self._peek()
        if not isinstance(bracket, Bracket):
            return function
        match function:
            case tree.Primitive(symbol, span, None):
                return tree.Primitive(symbol, span, self._axis())
            case tree.Derived(operator, left, right, _, None) if operator in HYBRIDS:
                span = parentheses.join(bracket.span)
                return tree.Derived(operator, left, right, span, self._axis())
            case _:
                raise _takes_no_axis("this function", bracket)

    def _no_axis(self, what: str) -> None:
        """Refuse a bracket that comes next."""
        if isinstance(bracket := self._peek(), Bracket):
            raise _takes_no_axis(what, bracket)

    def _indices(self, bracket: Bracket) -> tuple[tree.Array | None, ...]:
        """What stands between brackets and semicolons."""
        result: list[tree.Array | None] = []
        for part in bracket.parts:
            node = self.resolve(part) if part else None
            if node is not None and not isinstance(node, tree.ARRAY_NODES):
                raise syntax_error("a function stands in brackets, where an array should", node.span)
            result.append(node)
        return tuple(result)

    # --- arrays ---

    def _strand(self) -> tree.Array:
        """All arrays that follow one another; the item that comes next is one."""
        parts: list[tree.Part] = []
        start = self.at
        while self.at not in self.targets:
            here = self.at
            if isinstance(self._peek(), Number):
                numbers = self._numbers()
                if not isinstance(self._peek(), Bracket):
                    parts += numbers
                    continue
                part: tree.Part = tree.Strand(numbers, self._since(here))
            elif (single := self._part()) is not None:
                part = single
            else:
                break
            while isinstance(bracket := self._peek(), Bracket):
                self.at += 1
                part = tree.Index(part, self._indices(bracket), self._since(here))
            parts.append(part)
        if len(parts) == 1 and isinstance(parts[0], tree.ARRAY_NODES):
            return parts[0]
        return tree.Strand(tuple(parts), self._since(start))

    def _numbers(self) -> tuple[Number, ...]:
        """The numbers that come next. See Note [A row of numbers is one item]."""
        result: list[Number] = []
        while isinstance(item := self._peek(), Number):
            result.append(item)
            self.at += 1
        return tuple(result)

    def _part(self) -> tree.Part | None:
        """The array that comes next, other than a number, if one does."""
        item = self._peek()
        part: tree.Part | None = None
        match item:
            case Zilde() | Chars():
                part = item
            case Name() if self.classes.of(item) is NameClass.ARRAY:
                part = item
            case Paren() if self.classes.operator(item) is None:
                inner = self._parenthesised(item)
                if isinstance(inner, tree.ARRAY_NODES):
                    alone = isinstance(inner, tree.Strand) and len(inner.parts) == 1
                    part = inner.parts[0] if isinstance(inner, tree.Strand) and alone else inner
            case _:
                pass
        if part is not None:
            self.at += 1
        return part


def user_operator(item: Item) -> tree.OperatorName | tree.Definition:
    """An operator of the user's as a node."""
    item = unwrapped(item)
    if isinstance(item, Name):
        return tree.OperatorName(item.name, item.span)
    assert isinstance(item, Dfn)
    return tree.Definition(item, item.span)


def _called(operator: tree.OperatorName | tree.Definition) -> str:
    """How a message calls an operator."""
    return operator.name if isinstance(operator, tree.OperatorName) else first_line(operator.span.text)


def _takes_no_axis(what: str, bracket: Bracket) -> CompileError:
    return syntax_error(f"{what} takes no axis in brackets", bracket.span)


def _is_dot(item: Item | None) -> bool:
    return isinstance(item, Glyph) and item.symbol == "."
