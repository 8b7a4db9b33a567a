"""`(+/÷≢)⍵` and `mean ⍵` written out: `(+/⍵)÷(≢⍵)`.

A train applied to `⍵`, or a function that is named elsewhere, is what it stands for: items between which what
looks for folds of `⍵` finds them. Written out are functions of primitives, reductions, trains and names of
these, and definitions of one statement that mention nothing but `⍵`. Everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned, classified
from aplc.apl_front.reading.infix import resolve
from aplc.apl_front.reading.scope import FunctionValue, Scope
from aplc.apl_front.syntax.ast import Bracket, Dfn, Glyph, Item, Name, Number, Paren
from aplc.tail.errors import CompileError
from aplc.tail.syntax import Lit

_SETTINGS = ("⎕io", "⎕ct")
DEEPEST = 8
"""Names that stand for names that stand for names … are followed so far."""


def written_out(function: Item, argument: Name, scope: Scope) -> tuple[Item, ...] | None:
    """The items that a function in parentheses or of a name is, applied to `⍵`; None: not to be told."""
    if isinstance(function, Paren):
        try:
            node = resolve(function.items, classified(function.items, scope.classify))
        except (CompileError, Poisoned):
            return None
        return _applied(node, argument, scope, DEEPEST) if isinstance(node, tree.Fork | tree.Atop) else None
    if isinstance(function, Name):
        return _applied(tree.FunctionName(function.name, function.span), argument, scope, DEEPEST)
    return None


def _applied(node: object, argument: Name, scope: Scope, depth: int) -> tuple[Item, ...] | None:
    """The items of a function applied to `⍵`, if that can be told from its tree."""
    match node:
        case tree.Primitive(symbol=symbol, span=span, axis=None):
            return Glyph(symbol, span), argument
        case tree.Derived(operator="/" | "⌿" as fold, left=tree.Primitive() as of, right=None, axis=None):
            return (
                None if of.axis is not None else (Glyph(of.symbol, of.span), Glyph(fold, node.span), argument)
            )
        case tree.Fork(left=left, middle=tree.Primitive(axis=None) as middle, right=right):
            first = _tine(left, argument, scope, depth)
            last = _tine(right, argument, scope, depth)
            return None if first is None or last is None else (first, Glyph(middle.symbol, middle.span), last)
        case tree.Atop(outer=tree.Primitive(axis=None) as outer, inner=inner):
            last = _tine(inner, argument, scope, depth)
            return None if last is None else (Glyph(outer.symbol, outer.span), last)
        case tree.Definition(dfn=dfn):
            return _body(dfn)
        case tree.FunctionName(name=name):
            value = scope.find(name)
            if not isinstance(value, FunctionValue) or value.annotation is not None or depth == 0:
                return None
            if not _same_settings(value.scope, scope):
                return None
            return _applied(value.node, argument, value.scope, depth - 1)
        case _:
            return None


def _tine(node: object, argument: Name, scope: Scope, depth: int) -> Item | None:
    """A tine of a train applied to `⍵`, in parentheses; a number is itself."""
    match node:
        case tree.Strand(parts=(Number() as number,)):
            return number
        case _:
            items = _applied(node, argument, scope, depth)
            return None if items is None else Paren(items, argument.span)


def _body(dfn: Dfn) -> tuple[Item, ...] | None:
    """The only statement of a definition, if it mentions nothing but `⍵`."""
    if len(dfn.body) != 1 or dfn.header is not None or dfn.annotation is not None:
        return None
    (statement,) = dfn.body
    is_plain = statement.guard is None and statement.annotation is None and _is_closed(statement.items)
    return (Paren(statement.items, statement.span),) if is_plain else None


def _is_closed(items: Sequence[Item]) -> bool:
    """Whether items are symbols, numbers and `⍵`."""
    return all([_is_closed_item(item) for item in items])


def _is_closed_item(item: Item) -> bool:
    match item:
        case Glyph(symbol=symbol):
            return symbol not in "⍎?"
        case Paren(items=inner):
            return _is_closed(inner)
        case Bracket(parts=parts):
            return all([_is_closed(part) for part in parts])
        case Name(name=name):
            return name == "⍵"
        case _:
            return isinstance(item, Number)


def _same_settings(a: Scope, b: Scope) -> bool:
    """Whether the index origin and the tolerance are the same in two scopes."""
    for name in _SETTINGS:
        here, there = [getattr(scope.find(name), "exp", None) for scope in (a, b)]
        values = [each.value if isinstance(each, Lit) else each for each in (here, there)]
        if values[0] != values[1]:
            return False
    return True
