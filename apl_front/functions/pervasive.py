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

_FOR_TWO = (SCALAR_FUNCTIONS | {"⊢", "⊣"}) - {"~"}
"""Primitives that are scalar functions of two arguments."""
_FOR_ONE = (SCALAR_FUNCTIONS | {"⊢", "⊣"}) - {"≠"}
"""Those that are of one."""


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
            return symbol in _FOR_TWO
        case tree.Fork(left=left, middle=middle, right=right):
            tines = [t for t in (left, middle, right) if not isinstance(t, tree.ARRAY_NODES)]
            whole = len(tines) == 3 and all(is_pervasive(t, scope) for t in tines)
            return whole and not _tells_apart((left, right), scope)
        case tree.Atop(outer=outer, inner=inner):
            whole = is_pervasive(outer, scope) and is_pervasive(inner, scope)
            return whole and not _tells_apart((outer, inner), scope)
        case tree.Derived(operator="⍨", left=left) if isinstance(left, tree.FUNCTION_NODES):
            return is_pervasive(left, scope)
        case tree.FunctionName(name=name):
            return name in PERVASIVE or isinstance(scope.find(name), OpaqueValue)
        case tree.Definition(dfn=dfn):
            return all(s.guard is None and _pervades(s.items, Scope(scope)) for s in dfn.body)
        case _:
            return False


def _tells_apart(tines: tuple[object, ...], scope: Scope) -> bool:
    """Whether a tine of a train is `≠`, which of one argument finds what is there for the first time."""
    functions = [t for t in tines if isinstance(t, tree.FUNCTION_NODES)]
    return any(primitive_symbol(t, scope) == "≠" for t in functions)


def _pervades(items: tuple[Item, ...], scope: Scope) -> bool:
    """Whether an expression of `⍺` and `⍵` works element by element."""
    is_train = bool(items) and not _is_value(items[-1], scope)
    around = zip((None, *items), items, (*items[1:], None), strict=False)
    for previous, item, following in around:
        has_two = _is_value(previous, scope) or (isinstance(following, Glyph) and following.symbol == "⍨")
        fitting = _FOR_ONE & _FOR_TWO if is_train else _FOR_TWO if has_two else _FOR_ONE
        match item:
            case Number():
                fits = not isinstance(following, Number)
            case Glyph(symbol=symbol):
                fits = symbol in fitting or symbol == "⍨"
            case Paren(items=inner):
                fits = _pervades(inner, scope)
            case Name(name="⍺" | "⍵"):
                fits = True
            case Name(name=name):
                found = scope.find(name)
                function = tree.FunctionName(name, item.span)
                fits = isinstance(found, FunctionValue) and is_pervasive(function, scope)
                fits = fits and not {primitive_symbol(function, scope)} & {"~", "≠"} - fitting
                fits = fits or (isinstance(found, ArrayValue) and found.exp.ty == scalar(base_of(found.exp)))
            case _:
                fits = False
        if not fits or (_is_value(item, scope) and _is_value(following, scope)):  # side by side
            return False
    return True


def _is_value(item: Item | None, scope: Scope) -> bool:
    """Whether an item of an expression is an array, as far as it may be one of a pervasive function."""
    match item:
        case Number() | Name(name="⍺" | "⍵"):
            return True
        case Name(name=name):
            return isinstance(scope.find(name), ArrayValue)
        case Paren(items=inner):
            return bool(inner) and _is_value(inner[-1], scope)
        case _:
            return False
