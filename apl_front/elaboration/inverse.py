"""Inverses of functions, for `f⍣¯1`: from a function as it is written to the function that undoes it.

    f⍣¯1 y = x        where  f x = y                   `undone`
    a f⍣¯1 y = x      where  a f x = y                 `right_undone`
    y h a = x         where  x f a = y                 `left_undone`, for `f∘a` and `f⍨`

What is composed is undone in the opposite order. Some inverses are written in APL, in `TEXTS`; these are
parsed where they are used. A function in braces has no inverse, nor has what loses something.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aplc.apl_front.elaboration.written import definition
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, Scope, Value, underlying
from aplc.apl_front.syntax.ast import Number
from aplc.tail.errors import Error, first_line
from aplc.tail.source import Span
from aplc.tail.syntax import literal

TEXTS = {
    "⍸": """{
        1=|≡1/⍵:{fits←0○2-∧/(¯1↓⍵)≤1↓⍵ ⋄ n←(⌈/0,⍵+1-⎕IO)⍴0 ⋄ n[⍵]+←1 ⋄ n}⍵
        fits←0○2-∧/2=≢¨⍵
        (rows columns)←((1-⎕IO)+⎕IO⊃¨⍵)((1-⎕IO)+(1+⎕IO)⊃¨⍵)
        (height width)←(⌈/0,rows)(⌈/0,columns)
        k←columns+width×rows-1
        fits←0○2-(∧/1≤rows,columns)∧∧/(¯1↓k)≤1↓k
        n←(height×width)⍴0
        n[k+⎕IO-1]+←1
        height width⍴n
    }""",
    "○": "{⍵÷○1}",
    "!": """{
        fits←0○2-∧/,0.88560319441089≤⍵
        {⍵{⍵-((⍟!⍵)-⍟⍺)÷500×(⍟!⍵+0.001)-⍟!⍵-0.001}⍣30⊢170⌊2⌈⍟⍵}⍤0⊢⍵
    }""",
    "+\\": "{⍵-0,¯1↓⍤1⊢⍵}",
    "+⍀": "{⍵-0⍪¯1↓⍵}",
    "×\\": "{⍵÷1,¯1↓⍤1⊢⍵}",
    "×⍀": "{⍵÷1⍪¯1↓⍵}",
    "≠\\": "{⍵≠0,¯1↓⍤1⊢⍵}",
    "≠⍀": "{⍵≠0⍪¯1↓⍵}",
    "=\\": "{⍵=1,¯1↓⍤1⊢⍵}",
    "=⍀": "{⍵=1⍪¯1↓⍵}",
    "a⌽": "{(-⍺)⌽⍵}",
    "a⊖": "{(-⍺)⊖⍵}",
    "a⍉": "{(⍋⍺)⍉⍵}",
    "a○": "{(-⍺)○⍵}",
    "a,": "{fits←0○2-⍺≡(⍴⍺)⍴(≢⍺)↑⍵ ⋄ (≢⍺)↓⍵}",
    ",a": "{fits←0○2-⍵≡(⍴⍵)⍴(-≢⍵)↑⍺ ⋄ (-≢⍵)↓⍺}",
    "*a": "{⍺*÷⍵}",
    "⍟a": "{⍵*÷⍺}",
    "a⊥": """{
        1<≢⍺:(0,1↓⍺)⊤⍵
        b←⊃⍺ ⋄ fits←0○2-1<b
        m←⌈/0,,⌊⍵ ⋄ most←m⌊⊃0 b⊤9223372036854775807
        (d q)←{(1+1⊃⍵)(b×2⊃⍵)}⍣{most<2⊃⍺}0 1
        ((d+q≤m)⍴b)⊤⍵
    }""",
}
"""Inverses in APL: of a monadic function, of one with a left argument `a`, and with a right one. `0○2-c`
is an error where the condition c does not hold.
"""

ITSELF = frozenset("+-÷~⌽⊖⍉⊢⊣⌹")
INVERSE = {"*": "⍟", "⍟": "*"}
"""Of monadic functions."""
RIGHT = {"-": "-", "÷": "÷", "*": "⍟", "⍟": "*", "⊢": "⊢", "=": "=", "≠": "≠", "⊤": "⊥", "\\": "/"}
COMMUTED = {"+": "-", "×": "÷"}
"""Of dyadic functions for their right argument: of the left argument and the result, or of both commuted."""
LEFT = {"+": "-", "-": "+", "×": "÷", "÷": "×", "=": "=", "≠": "≠"}
"""For their left argument: of the result and the right argument."""


class NoInverse(Error):
    """A function that has none that is known."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__(first_line(span.text))


@dataclass(slots=True)
class Inverses:
    """What undoes the functions of one expression."""

    scope: Scope
    """Names for functions of other scopes, in a scope of its own."""
    _count: int = field(default=0)

    def undone(self, node: tree.Operand) -> tree.Function:
        """The inverse of a monadic function. Raises `NoInverse`."""
        match node:
            case tree.FunctionName():
                return self._elsewhere(node, "undone")
            case tree.Primitive(symbol=symbol, span=span, axis=axis):
                if symbol in ITSELF:
                    return node
                if symbol in INVERSE and axis is None:
                    return tree.Primitive(INVERSE[symbol], span)
                return self._written(symbol, node)
            case tree.Derived(operator="∘", left=left, right=right, span=span) if _is_array(left):
                assert right is not None
                return tree.Derived("∘", left, self.right_undone(right), span)
            case tree.Derived(operator="∘", left=left, right=right, span=span) if _is_array(right):
                return tree.Derived("∘", self.left_undone(left), right, span)
            case tree.Derived(operator="⍤", left=left, right=right, span=span, axis=None) if _is_array(right):
                return tree.Derived("⍤", self.undone(left), right, span)
            case tree.Derived(operator="∘" | "⍤" | "⍥", left=left, right=right, span=span):
                assert right is not None
                return tree.Atop(self.undone(right), self.undone(left), span)
            case tree.Derived(operator="¨", left=left, span=span):
                return tree.Derived("¨", self.undone(left), None, span)
            case tree.Derived(operator="⍣", left=left, right=right, span=span) if _is_array(right):
                return tree.Derived("⍣", left, _negated(right), span)
            case tree.Derived(operator="⍨", left=tree.Primitive(symbol="+" | "×" as symbol), span=span):
                number, other = (2, "÷") if symbol == "+" else (0.5, "*")
                return tree.Derived("∘", tree.Primitive(other, span), _number(number, span), span)
            case tree.Derived(operator="\\" | "⍀" as scan, left=tree.Primitive(symbol=symbol), axis=None):
                return self._written(symbol + scan, node)
            case tree.Fork(left=left, middle=middle, right=right, span=span) if _is_array(left):
                return tree.Atop(
                    self.undone(right), tree.Derived("∘", left, self.right_undone(middle), span), span
                )
            case tree.Atop(outer=outer, inner=inner, span=span):
                return tree.Atop(self.undone(inner), self.undone(outer), span)
            case tree.AssignFunction(value=value):
                return self.undone(value)
            case _:
                raise NoInverse(node.span)

    def right_undone(self, node: tree.Operand) -> tree.Function:
        """The inverse of a dyadic function for its right argument. Raises `NoInverse`."""
        match node:
            case tree.FunctionName():
                return self._elsewhere(node, "right_undone")
            case tree.Primitive(symbol=symbol, span=span, axis=axis):
                if symbol in COMMUTED:
                    return tree.Derived("⍨", tree.Primitive(COMMUTED[symbol], span, axis), None, span)
                if symbol in RIGHT:
                    return tree.Primitive(RIGHT[symbol], span, axis)
                return self._written(f"a{symbol}", node)
            case tree.Derived(operator="⍨", left=left, span=span):
                return tree.Derived("⍨", self.left_undone(left), None, span)
            case tree.Derived(operator="⍤", left=left, right=right, span=span) if _is_array(right):
                return tree.Derived("⍤", self.right_undone(left), right, span)
            case tree.Derived(operator="∘", left=left, right=right, span=span) if right is not None:
                return tree.Atop(self.undone(right), self.right_undone(left), span)
            case tree.Derived(operator="⍤", left=left, right=right, span=span) if right is not None:
                return tree.Derived("∘", self.right_undone(right), self.undone(left), span)
            case tree.Derived(operator="⍥", left=left, right=right, span=span) if not _is_array(right):
                assert right is not None
                commuted = tree.Derived("⍨", self.right_undone(left), None, span)
                after = tree.Derived("⍨", tree.Derived("∘", commuted, right, span), None, span)
                return tree.Atop(self.undone(right), after, span)
            case tree.Derived(operator="¨", left=left, span=span):
                return tree.Derived("¨", self.right_undone(left), None, span)
            case tree.Derived(operator="⍣", left=left, right=right, span=span) if _is_array(right):
                return tree.Derived("⍣", left, _negated(right), span)
            case tree.Atop(outer=outer, inner=inner, span=span):
                return tree.Derived("∘", self.right_undone(inner), self.undone(outer), span)
            case tree.AssignFunction(value=value):
                return self.right_undone(value)
            case _:
                raise NoInverse(node.span)

    def left_undone(self, node: tree.Operand) -> tree.Function:
        """The inverse of a dyadic function for its left argument, of the result and the right argument."""
        match node:
            case tree.FunctionName():
                return self._elsewhere(node, "left_undone")
            case tree.Primitive(symbol=symbol, span=span, axis=axis):
                if symbol in LEFT:
                    return tree.Primitive(LEFT[symbol], span, axis)
                return self._written(f"{symbol}a", node)
            case tree.Derived(operator="⍨", left=left, span=span):
                return tree.Derived("⍨", self.right_undone(left), None, span)
            case tree.Derived(operator="¨", left=left, span=span):
                return tree.Derived("¨", self.left_undone(left), None, span)
            case tree.Derived(operator="∘", left=left, right=right, span=span) if not _is_array(right):
                return tree.Derived("∘", self.left_undone(left), right, span)
            case _:
                raise NoInverse(node.span)

    def _elsewhere(self, node: tree.FunctionName, how: str) -> tree.Function:
        """The inverse of a named function, whose names belong to another scope."""
        function, scope = underlying(node, self.scope)
        if isinstance(function, tree.FunctionName):
            raise NoInverse(node.span)
        inner = Inverses(Scope(scope))
        inverse = getattr(inner, how)(function)
        return self._named(inverse, inner.scope, node.span)

    def _written(self, key: str, node: tree.Function) -> tree.Function:
        """An inverse that is written in APL."""
        if key not in TEXTS or getattr(node, "axis", None) is not None:
            raise NoInverse(node.span)
        dfn = definition(f"the inverse of {key}", TEXTS[key])
        origin = int(self.scope.setting("⎕io", 1)) if key == "⍸" else 1
        settings: dict[str, Value] = {"⎕io": ArrayValue(literal(origin), None)}
        scope = Scope(self.scope.outermost(), settings)
        return self._named(tree.Definition(dfn, dfn.span), scope, node.span)

    def _named(self, function: tree.Function, scope: Scope, span: Span) -> tree.FunctionName:
        self._count += 1
        name = f"inverse {self._count}"
        self.scope.bind(name, FunctionValue(function, scope))
        return tree.FunctionName(name, span)


def _is_array(node: tree.Operand | None) -> bool:
    return isinstance(node, tree.ARRAY_NODES)


def _negated(node: tree.Operand | None) -> tree.Array:
    assert isinstance(node, tree.ARRAY_NODES)
    return tree.Apply(tree.Primitive("-", node.span), None, node, node.span)


def _number(value: float, span: Span) -> tree.Array:
    return tree.Strand((Number(value, span),), span)
