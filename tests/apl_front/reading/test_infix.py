"""Infix resolution: which row of items is which application, by the classes of its names alone."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from aplc.apl_front.reading import tree
from aplc.apl_front.reading.arrows import assigned_names
from aplc.apl_front.reading.classes import NameClass, classified, definition_class
from aplc.apl_front.reading.infix import resolve
from aplc.apl_front.syntax.ast import Chars, Dfn, Name, Number, Zilde
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from aplc.apl_front.syntax.lexer import GLYPHS
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import AplcError, CompileError, Diagnostic
from aplc.tail.source import Source, Span
from tests.support.paths import ROOT
from tests.support.tables.infix import MISTAKES, READINGS

CLASSES = {
    "a": NameClass.ARRAY, "b": NameClass.ARRAY, "c": NameClass.ARRAY,
    "⍺": NameClass.ARRAY, "⍵": NameClass.ARRAY, "⎕io": NameClass.ARRAY,
    "f": NameClass.FUNCTION, "g": NameClass.FUNCTION, "h": NameClass.FUNCTION,
    "∇": NameClass.FUNCTION, "⍺⍺": NameClass.FUNCTION, "⍵⍵": NameClass.ARRAY,
    "mop": NameClass.MONADIC_OPERATOR, "dop": NameClass.DYADIC_OPERATOR,
}  # fmt: skip


def classify(name: Name) -> NameClass:
    return CLASSES.get(name.name, NameClass.UNDEFINED)


def show(node: tree.Tree | tree.Operand | tree.Part | tree.Targets | tree.OperatorName) -> str:
    """A tree with every application, derived function and train in brackets of its own kind.

    `(L f R)` is an application, `⟨f op g⟩` a derived function, `[f g h]` a train, `a_b` a strand.
    """
    match node:
        case Number(value=value):
            return str(value)
        case Zilde():
            return "⍬"
        case Chars(text=text):
            return f"'{text}'"
        case Name(name=name) | tree.FunctionName(name=name) | tree.OperatorName(name=name):
            return name
        case tree.Strand(parts=parts):
            return "_".join(map(_part, parts))
        case tree.Index(array=array, indices=indices):
            return f"{_part(array)}[{_indices(indices)}]"
        case tree.Apply(function=function, left=None, right=right):
            return f"({show(function)} {show(right)})"
        case tree.Apply(function=function, left=left, right=right):
            return f"({show(left)} {show(function)} {show(right)})"
        case tree.Assign() | tree.AssignFunction() | tree.AssignOperator():
            return f"({node.target.name}←{show(node.value)})"
        case tree.AssignModified(target=target, modifier=modifier, value=value):
            return f"({target.name} {show(modifier)}←{show(value)})"
        case tree.AssignIndexed(target=target, indices=indices, modifier=modifier, value=value):
            by = f" {show(modifier)}" if modifier is not None else ""
            return f"({target.name}[{_indices(indices)}]{by}←{show(value)})"
        case tree.Targets(items=items):
            return f"({' '.join(map(show, items))})"
        case tree.AssignSelective(selection=selection, modifier=modifier, value=value):
            by = f" {show(modifier)}" if modifier is not None else ""
            return f"({show(selection)}{by}←{show(value)})"
        case tree.AssignSeveral(targets=targets, modifier=modifier, value=value):
            by = f" {show(modifier)}" if modifier is not None else ""
            return f"({show(targets)}{by}←{show(value)})"
        case tree.Primitive(symbol=symbol, axis=axis):
            return symbol + _axis(axis)
        case tree.Definition():
            return "{}"
        case tree.Jot():
            return "∘"
        case tree.Derived(operator=operator, left=left, right=None, axis=axis):
            return f"⟨{show(left)}{operator}{_axis(axis)}⟩"
        case tree.Derived(operator=operator, left=left, right=right):
            return f"⟨{show(left)}{operator}{show(right)}⟩"
        case tree.UserDerived(operator=operator, left=left, right=None):
            return f"⟨{show(left)} {show(operator)}⟩"
        case tree.UserDerived(operator=operator, left=left, right=right):
            return f"⟨{show(left)} {show(operator)} {show(right)}⟩"
        case tree.Fork(left=left, middle=middle, right=right):
            return f"[{show(left)} {show(middle)} {show(right)}]"
        case tree.Atop(outer=outer, inner=inner):
            return f"[{show(outer)} {show(inner)}]"


def _part(part: tree.Part) -> str:
    """An item of a strand, or what is indexed."""
    return f"({show(part)})" if isinstance(part, tree.Strand) and len(part.parts) > 1 else show(part)


def _indices(indices: tuple[tree.Array | None, ...]) -> str:
    return ";".join("" if index is None else show(index) for index in indices)


def _axis(axis: tree.Array | None) -> str:
    return "" if axis is None else f"[{show(axis)}]"


def resolved(text: str) -> tree.Tree:
    (statement,) = parse(Source("test.apl", text)).statements
    return resolve(statement.items, classified(statement.items, classify))


def mistake(text: str) -> Diagnostic:
    with pytest.raises(AplcError) as caught:
        resolved(text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


@pytest.mark.parametrize(("text", "expected"), READINGS, ids=[text for text, _ in READINGS])
def test_readings(text: str, expected: str) -> None:
    assert show(resolved(text)) == expected


@pytest.mark.parametrize(("text", "column", "message"), MISTAKES, ids=[text for text, _, _ in MISTAKES])
def test_mistakes(text: str, column: int, message: str) -> None:
    found = mistake(text)
    assert found.span is not None
    assert (found.span.column, message in found.message) == (column, True), found.message


def nodes(node: object) -> Iterator[object]:
    """All nodes of a tree, from the outside in; bodies of definitions excepted."""
    if isinstance(node, tuple):
        for entry in node:
            yield from nodes(entry)
    elif dataclasses.is_dataclass(node) and not isinstance(node, Span | Dfn | type):
        yield node
        for field in dataclasses.fields(node):
            yield from nodes(getattr(node, field.name))


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a + b × c", ["a + b × c", "a", "+", "b × c", "b", "×", "c"]),
        ("(a + b) × c", ["(a + b) × c", "a + b", "×", "c"]),
        ("(f  g) a", ["(f  g) a", "f  g", "a"]),
        ("(f g)¨ a", ["(f g)¨ a", "(f g)¨", "f g", "a"]),
        ("+ / 1 2", ["+ / 1 2", "+ /", "+", "1 2"]),
        ("x ← f g", ["x ← f g", "x", "f g", "f", "g"]),
        ("a[1 ; b ]", ["a[1 ; b ]", "a", "1", "b"]),
        ("a b [1] c", ["a b [1] c", "a", "b [1]", "1", "c"]),
        ("1 2 3 [2]", ["1 2 3 [2]", "1 2 3", "2"]),
        ("⌽ [1] a", ["⌽ [1] a", "⌽", "1", "a"]),
        ("+ / [1] a", ["+ / [1] a", "+ / [1]", "+", "1", "a"]),
        ("a f ← b c", ["a f ← b c", "a", "f", "b c"]),
        ("a[ 1] f ← b", ["a[ 1] f ← b", "a", "1", "f", "b"]),
        ("(a (b c)) ← 1", ["(a (b c)) ← 1", "(a (b c))", "(b c)", "a", "1"]),
        ("a b ← 1", ["a b ← 1", "a b", "a", "b", "1"]),
        ("f dop g a", ["f dop g a", "f dop g", "dop", "f", "g", "a"]),
        ("+ {⍺⍺ ⍵} a", ["+ {⍺⍺ ⍵} a", "+ {⍺⍺ ⍵}", "+", "{⍺⍺ ⍵}", "a"]),
        ("(f (g) h) a", ["(f (g) h) a", "f (g) h", "f", "g", "h", "a"]),
    ],
)
def test_a_node_has_the_span_of_its_text(text: str, spans: list[str]) -> None:
    found = [node.span.text for node in nodes(resolved(text)) if not isinstance(node, Source)]  # type: ignore[attr-defined]
    assert found[0] == spans[0]
    assert set(spans) <= set(found)


@pytest.mark.parametrize(("text", "_"), READINGS, ids=[text for text, _ in READINGS])
def test_a_node_lies_within_its_parent(text: str, _: str) -> None:
    def check(node: object, start: int, end: int) -> None:
        if isinstance(node, tuple):
            for entry in node:
                check(entry, start, end)
        elif dataclasses.is_dataclass(node) and not isinstance(node, Span | Dfn | type):
            span: Span = node.span  # type: ignore[attr-defined]
            assert start <= span.start < span.end <= end, (text, span.text)
            if not isinstance(node, tree.Primitive):  # whose span is its symbol's, an axis stands behind it
                for field in dataclasses.fields(node):
                    check(getattr(node, field.name), span.start, span.end)

    check(resolved(text), 0, len(text))


# ---- the page ---------------------------------------------------------------------------------------------

PAGE = ROOT / "docs" / "infix.md"
ROWS = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("text", "meant"), ROWS, ids=[text for text, _ in ROWS])
def test_the_page_says_how_a_row_is_read(text: str, meant: str) -> None:
    classes = dict.fromkeys("abcxy⍺⍵", NameClass.ARRAY) | dict.fromkeys("fgh", NameClass.FUNCTION)
    classes |= {"m": NameClass.MONADIC_OPERATOR, "d": NameClass.DYADIC_OPERATOR}
    first, second = [
        show(resolve(items, classified(items, lambda name: classes[name.name])))
        for column in (text, meant)
        for items in [parse(Source("infix.md", column)).statements[0].items]
    ]
    assert first == second


def test_every_row_of_the_page_is_looked_at() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(lines) == len(ROWS) > 50


# ---- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x←1+(y←2)+a[z←3]{w←⍵}⊢u+v←4", "x y z v"),
        ("(x y)←1 2", "x y"),
        ("((x y)z)←1", "x y z"),
        ("x y←1", "x y"),
        ("f x (y z)←1", "f x y z"),  # whether f is a function is not known here
        ("x+←1", "x"),
        ("x f←1", "x f"),
        ("x(+/)←y", "x"),
        ("x{⍺}←y", "x"),
        ("x-⍨←1", "x"),
        ("x⌈∘2←1", "x"),
        ("x,[1]←1", "x"),
        ("x[1;y←2]←1", "x y"),
        ("x[y]+←1", "x"),
        ("a+x[1]←b-y+←3", "x y"),
        ("(2+(x←3))×(y+←1)", "x y"),
        ("+/a b", ""),
        ("←1", ""),
        ("⎕←⎕io←0", "⎕ ⎕io"),
    ],
)
def test_the_names_that_a_row_assigns(text: str, names: str) -> None:
    (statement,) = parse(Source("t", text)).statements
    assert " ".join(name.name for name in assigned_names(statement.items)) == names


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{⍵}", NameClass.FUNCTION),
        ("{}", NameClass.FUNCTION),
        ("{⍺⍺ ⍵}", NameClass.MONADIC_OPERATOR),
        ("{1+(2×⍺⍺ ⍵)}", NameClass.MONADIC_OPERATOR),
        ("{a[⍺⍺ 1]}", NameClass.MONADIC_OPERATOR),
        ("{⍺⍺ ⍵:1 ⋄ 2}", NameClass.MONADIC_OPERATOR),
        ("{⍵:⍺⍺ ⍵\n2}", NameClass.MONADIC_OPERATOR),
        ("{⍵⍵ ⍵}", NameClass.DYADIC_OPERATOR),
        ("{⍺⍺ ⍵ ⋄ ⍵⍵ ⍵}", NameClass.DYADIC_OPERATOR),
        ("{{⍺⍺ ⍵}⍵}", NameClass.FUNCTION),
        ("{+{⍵⍵ ⍺⍺ ⍵}⍺⍺ ⍵}", NameClass.MONADIC_OPERATOR),
        ("{'⍺⍺' ⍝ ⍵⍵\n}", NameClass.FUNCTION),
    ],
)
def test_the_class_of_a_definition(text: str, kind: NameClass) -> None:
    (item,) = parse(Source("t", text)).statements[0].items
    assert isinstance(item, Dfn)
    assert definition_class(item) is kind


def test_every_symbol_has_a_class() -> None:
    classes = (FUNCTIONS, MONADIC_OPERATORS, DYADIC_OPERATORS)
    assert sum(map(len, classes)) == len(frozenset().union(*classes))
    assert frozenset(GLYPHS + ".") - frozenset().union(*classes) == {"→"}


# ---- all rows, long rows, deep rows -----------------------------------------------------------------------


def test_every_short_row_has_one_reading_or_one_mistake() -> None:
    pieces = ["1", "a", "f", "+", "/", "∘", ".", "←", "(f)", "(a)", "x", "{⍵}", "{⍺⍺}", "[1]", "dop", "(a b)"]
    for row in product(pieces, repeat=3):
        try:
            assert show(resolved(" ".join(row)))
        except AplcError as error:
            assert len(error.diagnostics) == 1
            assert error.diagnostics[0].span is not None


def calls(text: str) -> int:
    """How often the class of a name is asked for while a text is resolved."""
    asked: Counter[str] = Counter()

    def counting(name: Name) -> NameClass:
        asked[name.name] += 1
        return classify(name)

    (statement,) = parse(Source("test.apl", text)).statements
    resolve(statement.items, classified(statement.items, counting))
    return sum(asked.values())


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "a " * n,
        lambda n: "a f " * n + "a",
        lambda n: "f " * n + "a",
        lambda n: "f mop " * n + "a",
        lambda n: "f" + "∘g" * n + " a",
        lambda n: "(" * n + "a" + ")" * n,
        lambda n: "(" * n + "f" + " g)" * n + "a",
        lambda n: "(" * n + "a" + " f b)" * n,
        lambda n: "a f(" * n + "b" + ")" * n,
        lambda n: "(a f b)" * n,
        lambda n: "(f g)" * n + "a",
        lambda n: "x←" * n + "a",
        lambda n: "a+(" * n + "b)c" + ")" * (n - 1),
        lambda n: "a[" * n + "b" + "]" * n,
        lambda n: "a[1]" * n,
        lambda n: "a b " * n + "←1",
        lambda n: "a f " * n + "←1",
        lambda n: "a+" + "f mop " * n + "←1",
        lambda n: "(" * n + "a" + " b)" * n + "←1",
        lambda n: "(a b)" * n + "←1",
        lambda n: "f{⍺⍺ ⍵}" * n + "a",
        lambda n: "a+←" * n + "1",
    ],
)
def test_long_and_deep_rows_take_a_number_of_steps_in_proportion(make: object) -> None:
    assert callable(make)
    short, long = calls(make(20)), calls(make(80))
    assert long <= 4 * short + 8
    assert long <= 8 * 80


def test_two_thousand_parentheses() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(40_000)
    try:
        for inside in ("1+", "f", "a b", "f¨(g)", "a[1]+", "x←"):
            node = resolved(f"({inside}" * 2000 + "⍵" + ")" * 2000)
            assert isinstance(node, tree.ARRAY_NODES)
        assert isinstance(resolved("(f" * 2000 + " g" + ")" * 2000), tree.Atop)
        assert isinstance(resolved("a[" * 2000 + "1" + "]" * 2000), tree.Index)
    finally:
        sys.setrecursionlimit(limit)


def test_the_class_of_a_name_is_asked_of_whoever_knows_it() -> None:
    def nothing(name: Name) -> NameClass:
        return NameClass.UNDEFINED

    (statement,) = parse(Source("t", "{a b c}1 2")).statements
    classes = classified(statement.items, nothing)
    node = resolve(statement.items, classes)  # the names of a body are its own affair
    assert isinstance(node, tree.Apply) and isinstance(node.function, tree.Definition)
    assert isinstance(node.function.dfn, Dfn)
    (statement,) = parse(Source("t", "1+a")).statements
    classes = classified(statement.items, nothing)
    with pytest.raises(CompileError, match="a is not defined"):
        resolve(statement.items, classes)
