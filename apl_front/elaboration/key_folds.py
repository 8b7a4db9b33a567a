"""`keys{(+/⍵)÷≢⍵}⌸values`: a function of groups that only counts and folds them, or takes their first or last
element.

The counts and folds of all groups are made side by side while the values pass once, where groups as such
would have to be gathered first. Values of a fold come in the order of a fold, the last one first.

What is made of each value by itself is folded, too (`keys{+/⍵*2}⌸values`), and so is what is made of
columns and of reduced rows (`keys{(+/×/⍵)÷+/⍵[;2]}⌸matrix`).

Of a matrix rows are counted and folded (`keys{(+⌿⍵)÷≢⍵}⌸matrix`). Where there are no groups, the shape of
what the function gives depends on the columns: then it sees a group without rows, of the first number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.apl_front.building.builder import base_of, rank
from aplc.apl_front.elaboration import in_apl, written
from aplc.apl_front.elaboration.monadic_trains import written_out
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import assigned_names
from aplc.apl_front.reading.scope import ArrayValue, Scope, SelfValue
from aplc.apl_front.syntax.ast import Arrow, Bracket, Dfn, Glyph, Item, Name, Number, Paren, Statement
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal
from aplc.tail.types import Base, Tuple

_BEFORE = frozenset("+-×÷*⍟⌈⌊|!○∧∨⍲⍱<≤=≥>≠~,⊢⊣")
"""Functions, so that a symbol behind them has no left argument."""

_KEYS, _PLACES = "{∪⍵}", "{NUMBERS⊣⍤0⊢⍳≢⍵}"
_OF_GROUPS = """{
    x←START
    x[⌽places]FUNCTION←VALUES
    x
}"""
_START = {"+": "0+SHAPE⍴0⍴⍵", "⌈": "SHAPE⍴⌈/0⍴⍵", "⌊": "SHAPE⍴⌊/0⍴⍵"}
_ENDS = {
    "⊣/⍵": "{x←(≢keys)⍴0⍴⍵ ⋄ x[⌽places]←⌽⍵ ⋄ x}",
    "⊢/⍵": "{x←(≢keys)⍴0⍴⍵ ⋄ x[places]←⍵ ⋄ x}",
}
"""The first and the last element of each group: of what is assigned to one place, the last one stays."""
_WAYS_TO_ENDS = {"⊃": "⊣/⍵", "⊣/": "⊣/⍵", "⊣⌿": "⊣/⍵", "⊃⌽": "⊢/⍵", "⊢/": "⊢/⍵", "⊢⌿": "⊢/⍵"}


def _texts(shape: str, places: str, values: str) -> dict[str, str]:
    """What a count or a fold is in all groups, in APL, given their shape, where each adds and what."""
    count = _OF_GROUPS.replace("START", "(⊃SHAPE)⍴0".replace("SHAPE", shape)).replace("FUNCTION", "+")
    count = count.replace("VALUES", "1")
    of_groups = _OF_GROUPS.replace("⌽places", places).replace("VALUES", values)
    return {"≢⍵": count} | {
        f"{symbol}/⍵": of_groups.replace("START", start.replace("SHAPE", shape)).replace("FUNCTION", symbol)
        for symbol, start in _START.items()
    }


_TEXTS = {
    1: _texts("(≢keys)", "⌽places", "⌽⍵") | _ENDS,
    2: _texts("((1⌈≢keys),1↓⍴⍵)", "⌽places;", "⊖⍵"),
}
"""The counts and folds of the elements of a vector and of the rows of a matrix."""
_OF_EACH = {1: _TEXTS[1], 2: _texts("(1⌈≢keys)", "⌽places", "⌽⍵")}
"""Those of what is made of each element or row."""

_ELEMENTWISE = frozenset("+-×÷*⍟⌈⌊|!○∧∨<≤=≥>≠~")
"""Functions of single numbers."""
_IN_ROWS = frozenset("+×⌈⌊")
"""Functions by which rows are reduced."""


_EACH = "{f←⍺⍺ ⋄ ⍺{⍺ f ⍵}⍤¯1⊢⍵}"
_NUMBERS = {0: "{¯1+⍳≢⍵}", 1: "{⍳≢⍵}"}
"""By the index origin of the function."""


def folded(
    elab: Elaborating, node: tree.Derived, scope: Scope, left: Exp, right: Exp, span: Span
) -> Exp | None:
    """Key for a vector or matrix of numbers whose function mentions its groups in folds and counts only; else
    None.
    """
    if (
        isinstance(left.ty, Tuple)
        or isinstance(right.ty, Tuple)
        or not isinstance(node.left, tree.Definition)
    ):
        return None
    if rank(right) not in _TEXTS or base_of(right) not in (Base.INT, Base.DOUBLE, Base.BOOL):
        return None
    origin = int(scope.setting("⎕io", 1))
    replaced = _Replaced(rank(right), origin, scope)
    dfn = replaced.definition(node.left.dfn)
    if not replaced.is_possible or not replaced.found:
        return None
    within = Scope(scope, {"⎕io": ArrayValue(literal(1), None)}, depth=scope.depth)

    def bound(name: str, text: str, left: Exp | None, right: Exp) -> Exp:
        function = SelfValue(written.definition("the operator ⌸", text), within)
        made = written.shown_at(elab.build, span, lambda: elab.definition(function, left, right, span))
        exp = elab.build.bind(made)
        within.bind(name, ArrayValue(exp, None))
        return exp

    keys = bound("keys", _KEYS, None, left)
    bound("places", _PLACES.replace("NUMBERS", written.numbers_of_groups(left)), left, right)
    inside = Scope(scope, depth=scope.depth)
    for text in sorted(replaced.found):
        if text not in replaced.folds:
            inside.bind(text, ArrayValue(bound(text, _TEXTS[rank(right)][text], None, right), None))
            continue
        fold, items = replaced.folds[text]
        of_each = replace(dfn, body=(replace(dfn.body[0], items=items, guard=None),))
        values = elab.build.bind(elab.definition(SelfValue(of_each, scope), None, right, span))
        if rank(values) != 1:
            return None
        inside.bind(text, ArrayValue(bound(text, _OF_EACH[rank(right)][fold], None, values), None))
    numbers = bound("numbers", _NUMBERS[origin], None, keys)
    of_number = replace(node, left=replace(node.left, dfn=dfn))
    return in_apl.operator(elab, _EACH, of_number, inside, keys, numbers, span)


class _Replaced:
    """A function of a group as one of the number of a group."""

    def __init__(self, rank: int, origin: int, scope: Scope) -> None:
        self.scope = scope
        self.own: set[str] = set()
        """The names that the function gives values to."""
        self.found: set[str] = set()
        self.folds: dict[str, tuple[str, tuple[Item, ...]]] = {}
        """Those of what is made of each value: the fold and what is made."""
        self.is_possible = True
        folds = [symbol + fold for symbol in _START for fold in ("/⌿" if rank == 1 else "⌿")]
        self.symbols = "≢", *folds, *(_WAYS_TO_ENDS if rank == 1 else ())
        """What may stand in front of the group."""
        self.rank, self.origin = rank, origin

    def definition(self, dfn: Dfn) -> Dfn:
        """The function; it is of no use where `is_possible` is false."""
        if dfn.header is not None or dfn.annotation is not None:
            self.is_possible = False
        self.own = {name.name for s in dfn.body for name in assigned_names(s.items)}
        if any(name.startswith("⎕") for name in self.own):  # as ⎕IO, by which groups are numbered
            self.is_possible = False
        return replace(dfn, body=tuple([self._statement(each) for each in dfn.body]))

    def _statement(self, statement: Statement) -> Statement:
        guard = None if statement.guard is None else self._row(statement.guard)
        return replace(statement, items=self._row(statement.items), guard=guard)

    def _row(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Items, at whose end a count or a fold of the group may stand."""
        items = self._written_out(items)
        for symbols in self.symbols:
            at = len(items) - len(symbols) - 1
            if (
                at >= 0
                and _is_group(items[-1])
                and _is_end(items[at:-1], symbols)
                and _may_follow(items[:at])
            ):
                text = _WAYS_TO_ENDS.get(symbols, symbols.replace("⌿", "/") + "⍵")
                self.found.add(text)
                span = items[at].span
                return *self._row(items[:at]), Name(text, span), self._of_group(items[-1], symbols, span)
        for at, item in enumerate(items[:-2]):
            if not (isinstance(item, Glyph) and item.symbol in _START and _may_follow(items[:at])):
                continue
            if _is_end(items[at + 1 : at + 2], "/") and self._is_of_each(items[at + 2 :]):
                text = f"{item.symbol}/values {len(self.folds)}"
                self.found.add(text)
                self.folds[text] = f"{item.symbol}/⍵", tuple(items[at + 2 :])
                number = self._of_group(Name("⍵", item.span), "≢", item.span)
                return *self._row(items[:at]), Name(text, item.span), number
        return tuple([self._item(item) for item in items])

    def _is_of_each(self, items: Sequence[Item]) -> bool:
        """Whether items make something of each element of a group, or of each of its rows, by itself."""
        k, is_operand, has_group = 0, False, False
        while k < len(items):
            count = self._operand(items[k:])
            item = items[k]
            is_function = isinstance(item, Glyph) and item.symbol in _ELEMENTWISE
            if (is_operand or not count) and (count or not is_function):
                return False
            is_operand = count > 0
            has_group |= is_operand and not isinstance(item, Number)
            k += max(count, 1)
        return is_operand and has_group

    def _operand(self, items: Sequence[Item]) -> int:
        """How many items are the operand at which items begin, or 0."""
        match items:
            case [Number(), *_]:
                return 1
            case [Paren(items=inner), *_] if self._is_of_each(inner):
                return 1
            case [Name(name="⍵"), Bracket(parts=((), (Number(),))), *_] if self.rank == 2:
                return 2
            case [Glyph(symbol=g), Glyph(symbol="/"), Name(name="⍵")] if self.rank == 2 and g in _IN_ROWS:
                return 3
            case [Name(name="⍵"), *rest] if self.rank == 1 and not (rest and isinstance(rest[0], Bracket)):
                return 1
            case _:
                return 0

    def _written_out(self, items: Sequence[Item]) -> Sequence[Item]:
        """Items, without a train or the name of a function that the group at their end is given to."""
        if len(items) < 2 or not _is_group(items[-1]) or not _may_follow(items[:-2]):
            return items
        *before, function, group = items
        assert isinstance(group, Name)
        if isinstance(function, Name) and function.name in self.own:
            return items
        found = written_out(function, group, self.scope)
        return items if found is None else (*before, *found)

    def _of_group(self, number: Item, symbols: str, span: Span) -> Bracket:
        """The index of a group, given its number."""
        if self.rank == 1:
            return Bracket(((number,),), span)
        index = (Number(self.origin, span), Glyph("⌈", span), number)
        return Bracket((index,) if symbols == "≢" else (index, ()), span)

    def _item(self, item: Item) -> Item:
        match item:
            case Name(name="⍵" | "∇") | Glyph(symbol="⍎"):
                self.is_possible = False
            case Paren(items=inner):
                return replace(item, items=self._row(inner))
            case Bracket(parts=parts):
                return replace(item, parts=tuple([self._row(part) for part in parts]))
            case _:
                pass  # braces inside have groups of their own
        return item


def _is_group(item: Item) -> bool:
    return isinstance(item, Name) and item.name == "⍵"


def _is_end(items: Sequence[Item], symbols: str) -> bool:
    return all(isinstance(i, Glyph) and i.symbol == s for i, s in zip(items, symbols, strict=True))


def _may_follow(before: Sequence[Item]) -> bool:
    """Whether a function behind these items has no left argument, and is no operand."""
    last = before[-1] if before else None
    return last is None or isinstance(last, Arrow) or (isinstance(last, Glyph) and last.symbol in _BEFORE)
