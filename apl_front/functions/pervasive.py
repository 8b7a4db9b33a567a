"""What is known of a function before it is applied: whether it is a primitive, and whether it is pervasive.

A pervasive function works element by element.
"""

from __future__ import annotations

from aplc.apl_front.building.builder import base_of
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import ArrayValue, FunctionValue, OpaqueValue, Scope, underlying
from aplc.apl_front.reading.system_names import PERVASIVE
from aplc.apl_front.syntax.ast import Glyph, Item, Name, Number, Paren
from aplc.apl_front.syntax.glyphs import SCALAR_FUNCTIONS
from aplc.tail.types import scalar


def primitive_symbol(node: tree.Function, scope: Scope) -> str | None:
    """The symbol of a primitive, however it is named."""
    node, scope = underlying(node, scope)
    if isinstance(node, tree.FunctionName):
        return PERVASIVE.get(node.name)
    return node.symbol if isinstance(node, tree.Primitive) and node.axis is None else None


def is_pervasive(node: tree.Function, scope: Scope) -> bool:
    """Whether a function is made of scalar functions alone, so that it works element by element."""
    node, scope = underlying(node, scope)
    match node:
        case tree.Primitive(symbol=symbol, axis=None):
            return symbol in SCALAR_FUNCTIONS or symbol in "⊢⊣"
        case tree.Fork(left=left, middle=middle, right=right):
            tines = [t for t in (left, middle, right) if not isinstance(t, tree.ARRAY_NODES)]
            return len(tines) == 3 and all(is_pervasive(t, scope) for t in tines)
        case tree.Atop(outer=outer, inner=inner):
            return is_pervasive(outer, scope) and is_pervasive(inner, scope)
        case tree.Derived(operator="⍨", left=left) if isinstance(left, tree.FUNCTION_NODES):
            return is_pervasive(left, scope)
        case tree.FunctionName(name=name):
            return name in PERVASIVE or isinstance(scope.find(name), OpaqueValue)
        case tree.Definition(dfn=dfn):
            return all(s.guard is None and _pervades(s.items, Scope(scope)) for s in dfn.body)
        case _:
            return False


def _pervades(items: tuple[Item, ...], scope: Scope) -> bool:
    """Whether an expression of `⍺` and `⍵` works element by element."""
    for item, following in zip(items, (*items[1:], None), strict=True):
        match item:
            case Number():
                fits = not isinstance(following, Number)
            case Glyph(symbol=symbol):
                fits = symbol in SCALAR_FUNCTIONS or symbol in "⊢⊣⍨"
            case Paren(items=inner):
                fits = _pervades(inner, scope)
            case Name(name="⍺" | "⍵"):
                fits = True
            case Name(name=name):
                found = scope.find(name)
                is_function = isinstance(found, FunctionValue)
                fits = is_function and is_pervasive(tree.FunctionName(name, item.span), scope)
                fits = fits or (isinstance(found, ArrayValue) and found.exp.ty == scalar(base_of(found.exp)))
            case _:
                fits = False
        if not fits:
            return False
    return True
