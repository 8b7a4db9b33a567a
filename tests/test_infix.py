"""Infix resolution: which row of items is which application, by the classes of its names alone."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from apl_front import tree
from apl_front.ast import Chars, Dfn, Name, Number, Zilde
from apl_front.infix import NameClass, assigned_names, resolve
from apl_front.parser import parse
from tail.errors import AplcError, CompileError, Diagnostic, compile_error
from tail.source import Source

CLASSES = {
    "a": NameClass.ARRAY, "b": NameClass.ARRAY, "c": NameClass.ARRAY,
    "⍺": NameClass.ARRAY, "⍵": NameClass.ARRAY,
    "f": NameClass.FUNCTION, "g": NameClass.FUNCTION, "h": NameClass.FUNCTION,
    "mop": NameClass.MONADIC_OPERATOR, "dop": NameClass.DYADIC_OPERATOR,
}  # fmt: skip


def classify(name: Name) -> NameClass:
    if name.name not in CLASSES:
        raise compile_error("VALUE ERROR", f"{name.name} is not defined", name.span)
    return CLASSES[name.name]


def show(node: tree.Operand | Number | Zilde | Chars | Name) -> str:
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
        case Name(name=name) | tree.FunctionName(name=name):
            return name
        case tree.Strand(parts=parts):
            return "_".join(map(show, parts))
        case tree.Apply(function=function, left=None, right=right):
            return f"({show(function)} {show(right)})"
        case tree.Apply(function=function, left=left, right=right):
            return f"({show(left)} {show(function)} {show(right)})"
        case tree.Assign(target=target, value=value) | tree.AssignFunction(target=target, value=value):
            return f"({target.name}←{show(value)})"
        case tree.Primitive(symbol=symbol):
            return symbol
        case tree.Definition():
            return "{}"
        case tree.Jot():
            return "∘"
        case tree.Derived(operator=operator, left=left, right=None):
            return f"⟨{show(left)}{operator}⟩"
        case tree.Derived(operator=operator, left=left, right=right):
            return f"⟨{show(left)}{operator}{show(right)}⟩"
        case tree.Fork(left=left, middle=middle, right=right):
            return f"[{show(left)} {show(middle)} {show(right)}]"
        case tree.Atop(outer=outer, inner=inner):
            return f"[{show(outer)} {show(inner)}]"


def resolved(text: str) -> tree.Tree:
    (statement,) = parse(Source("test.apl", text)).statements
    return resolve(statement.items, classify)


def mistake(text: str) -> Diagnostic:
    with pytest.raises(AplcError) as caught:
        resolved(text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


# fmt: off
APPLICATIONS = [
    ("1", "1"),
    ("-a", "(- a)"),
    ("1-2", "(1 - 2)"),
    ("1-2-3", "(1 - (2 - 3))"),
    ("a×b+c", "(a × (b + c))"),
    ("(a×b)+c", "((a × b) + c)"),
    ("--a", "(- (- a))"),
    ("a--b", "(a - (- b))"),
    ("a f b", "(a f b)"),
    ("f a", "(f a)"),
    ("f f a", "(f (f a))"),
    ("a f g b", "(a f (g b))"),
    ("a f b g c", "(a f (b g c))"),
    ("{⍵}a", "({} a)"),
    ("a{⍺+⍵}b", "(a {} b)"),
    ("{⍵}{⍵}a", "({} ({} a))"),
    ("(f)a", "(f a)"),
    ("a(f)b", "(a f b)"),
    ("((f))(a)", "(f a)"),
    ("(-a)", "(- a)"),
    ("⍺-⍵", "(⍺ - ⍵)"),
]

STRANDS = [
    ("1 2 3", "1_2_3"),
    ("1 2+3 4", "(1_2 + 3_4)"),
    ("a b c", "a_b_c"),
    ("1 a 'x' ⍬", "1_a_'x'_⍬"),
    ("f 1 2", "(f 1_2)"),
    ("a b f c", "(a_b f c)"),
    ("1(2)3", "1_2_3"),
    ("1(2 3)4", "1_2_3_4"),
    ("1(2+3)4", "1_(2 + 3)_4"),
    ("(1 2)(3 4)", "1_2_3_4"),
    ("(a)(b)f(c)", "(a_b f c)"),
    ("a(f b)c", "a_(f b)_c"),
    ("a(f)b", "(a f b)"),
    ("1 'ab'a+2", "(1_'ab'_a + 2)"),
    ("(a←1)b", "(a←1)_b"),
    ("1 2(a←3)", "1_2_(a←3)"),
]

OPERATORS = [
    ("+/a", "(⟨+/⟩ a)"),
    ("1+/a", "(1 ⟨+/⟩ a)"),
    ("f/a", "(⟨f/⟩ a)"),
    ("+/¨a", "(⟨⟨+/⟩¨⟩ a)"),
    ("f¨⍨a", "(⟨⟨f¨⟩⍨⟩ a)"),
    ("-⍨⍨⍨a", "(⟨⟨⟨-⍨⟩⍨⟩⍨⟩ a)"),
    ("{⍵}¨a", "(⟨{}¨⟩ a)"),
    ("(+/)¨a", "(⟨⟨+/⟩¨⟩ a)"),
    ("a+.×b", "(a ⟨+.×⟩ b)"),
    ("a+.×⍨b", "(a ⟨⟨+.×⟩⍨⟩ b)"),
    ("a+/.×b", "(a ⟨⟨+/⟩.×⟩ b)"),
    ("a f.g b", "(a ⟨f.g⟩ b)"),
    ("a∨.∧.=b", "(a ⟨⟨∨.∧⟩.=⟩ b)"),
    ("f∘g a", "(⟨f∘g⟩ a)"),
    ("f∘g∘h a", "(⟨⟨f∘g⟩∘h⟩ a)"),
    ("f∘(g∘h)a", "(⟨f∘⟨g∘h⟩⟩ a)"),
    ("f∘g¨a", "(⟨⟨f∘g⟩¨⟩ a)"),
    ("f∘(g¨)a", "(⟨f∘⟨g¨⟩⟩ a)"),
    ("+/∘-a", "(⟨⟨+/⟩∘-⟩ a)"),
    ("f⍤g a", "(⟨f⍤g⟩ a)"),
    ("a f⍥g b", "(a ⟨f⍥g⟩ b)"),
    ("f⍣3⊢a", "(⟨f⍣3⟩ (⊢ a))"),
    ("f⍣g a", "(⟨f⍣g⟩ a)"),
    ("{⍵}∘{⍵}a", "(⟨{}∘{}⟩ a)"),
    ("a∘f b", "(⟨a∘f⟩ b)"),
    ("1 2∘f b", "(⟨1_2∘f⟩ b)"),
    ("(a b)∘f c", "(⟨a_b∘f⟩ c)"),
    ("2∘+∘(3∘×)a", "(⟨⟨2∘+⟩∘⟨3∘×⟩⟩ a)"),
    ("(f∘b)c", "(⟨f∘b⟩ c)"),
    ("f∘2⊢c", "(⟨f∘2⟩ (⊢ c))"),
    ("f∘2 3⊢c", "(⟨f∘2_3⟩ (⊢ c))"),
    ("1 0 1/a", "(⟨1_0_1/⟩ a)"),
    ("∘.×a", "(⟨∘.×⟩ a)"),
    ("a∘.×b", "(a ⟨∘.×⟩ b)"),
    ("1 2∘.f b", "(1_2 ⟨∘.f⟩ b)"),
    ("(a)∘.f b", "(a ⟨∘.f⟩ b)"),
    ("a∘.×⍨b", "(a ⟨⟨∘.×⟩⍨⟩ b)"),
    ("∘.×⍨a", "(⟨⟨∘.×⟩⍨⟩ a)"),
    ("a∘.{⍺}b", "(a ⟨∘.{}⟩ b)"),
    ("a∘.(f∘g)b", "(a ⟨∘.⟨f∘g⟩⟩ b)"),
    ("-a∘.×b", "(- (a ⟨∘.×⟩ b))"),
    ("-∘.×a", "(- (⟨∘.×⟩ a))"),
    ("f mop a", "(⟨fmop⟩ a)"),
    ("a mop b", "(⟨amop⟩ b)"),
    ("+mop¨a", "(⟨⟨+mop⟩¨⟩ a)"),
    ("f dop g a", "(⟨fdopg⟩ a)"),
    ("f dop 2⊢a", "(⟨fdop2⟩ (⊢ a))"),
    ("f dop(g dop h)a", "(⟨fdop⟨gdoph⟩⟩ a)"),
    ("f dop g dop h a", "(⟨⟨fdopg⟩doph⟩ a)"),
    ("+⌿÷≢", "[⟨+⌿⟩ ÷ ≢]"),
]

TRAINS = [
    ("(f g)a", "([f g] a)"),
    ("(f g h)a", "([f g h] a)"),
    ("a(f g h)b", "(a [f g h] b)"),
    ("(f g h f)a", "([f [g h f]] a)"),
    ("(f g h f g)a", "([f g [h f g]] a)"),
    ("(1+f)a", "([1 + f] a)"),
    ("(1 2+f)a", "([1_2 + f] a)"),
    ("(a f g)b", "([a f g] b)"),
    ("((-a)f g)b", "([(- a) f g] b)"),
    ("(- 1+f)a", "([- [1 + f]] a)"),
    ("(f+2×g)a", "([f + [2 × g]] a)"),
    ("((f g)h)a", "([[f g] h] a)"),
    ("(f(g h))a", "([f [g h]] a)"),
    ("(f g(f g h))a", "([f g [f g h]] a)"),
    ("(⌈/-⌊/)a", "([⟨⌈/⟩ - ⟨⌊/⟩] a)"),
    ("({⍵}+{⍵})a", "([{} + {}] a)"),
    ("(f g)¨a", "(⟨[f g]¨⟩ a)"),
    ("(⊢-⌽)∘⍳a", "(⟨[⊢ - ⌽]∘⍳⟩ a)"),
    ("f∘g h", "[⟨f∘g⟩ h]"),
    ("f g", "[f g]"),
    ("f", "f"),
    ("{⍵}", "{}"),
    ("+/", "⟨+/⟩"),
]

ASSIGNMENTS = [
    ("x←1", "(x←1)"),
    ("x←1+2", "(x←(1 + 2))"),
    ("x←y←1", "(x←(y←1))"),
    ("1+x←2", "(1 + (x←2))"),
    ("a+x←b-y←c", "(a + (x←(b - (y←c))))"),
    ("a(x←2)", "a_(x←2)"),
    ("(x←2)+a", "((x←2) + a)"),
    ("f x←2", "(f (x←2))"),
    ("a f x←2", "(a f (x←2))"),
    ("a←a+1", "(a←(a + 1))"),
    ("⎕←1", "(⎕←1)"),
    ("⎕←x←1", "(⎕←(x←1))"),
    ("⍺←1", "(⍺←1)"),
    ("x←f", "(x←f)"),
    ("x←+/", "(x←⟨+/⟩)"),
    ("x←f g", "(x←[f g])"),
    ("x←1+f", "(x←[1 + f])"),
    ("x←y←+", "(x←(y←+))"),
    ("x←{⍵}", "(x←{})"),
    ("f←1", "(f←1)"),
    ("a←+", "(a←+)"),
    ("(x←+)/a", "(⟨(x←+)/⟩ a)"),
    ("1(x←+)a", "(1 (x←+) a)"),
    # A name that has no class is an array where it is assigned further right.
    ("x+x←1", "(x + (x←1))"),
    ("(f x)÷x←1", "((f x) ÷ (x←1))"),
    ("x y+(y←1)+x←2", "(x_y + ((y←1) + (x←2)))"),
]
# fmt: on
READINGS = [*APPLICATIONS, *STRANDS, *OPERATORS, *TRAINS, *ASSIGNMENTS]


@pytest.mark.parametrize(("text", "expected"), READINGS, ids=[text for text, _ in READINGS])
def test_readings(text: str, expected: str) -> None:
    assert show(resolved(text)) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("f←", 2, "there is nothing to assign"),
        ("a+x←", 4, "there is nothing to assign"),
        ("←1", 1, "there is no name left of ←"),
        ("+←1", 2, "there is no name left of ←"),
        ("a+1←2", 3, "a constant cannot be assigned to"),
        ("'b'←2", 1, "a constant cannot be assigned to"),
        ("a+", 2, "the function has no right argument"),
        ("a f", 3, "the function has no right argument"),
        ("(a+)b", 3, "the function has no right argument"),
        ("1(2-)3", 4, "the function has no right argument"),
        ("(f a +)b", 6, "the function has no right argument"),
        ("1 x←2", 1, "there is no function between these two arrays"),
        ("f a x←2", 3, "there is no function between these two arrays"),
        ("(f a)x←2", 1, "there is no function between these two arrays"),
        ("/a", 1, "the operator / needs an operand on its left"),
        ("a+¨", 2, "the function has no right argument"),
        ("a+(¨b)", 4, "the operator ¨ needs an operand on its left"),
        ("x←⍨a", 3, "the operator ⍨ needs an operand on its left"),
        ("mop a", 1, "the operator mop needs an operand on its left"),
        ("dop", 1, "the operator dop needs an operand on its left"),
        ("f dop", 3, "dop needs an operand on its right"),
        ("f∘", 2, "∘ needs an operand on its right"),
        ("f∘¨a", 2, "∘ needs an operand on its right"),
        ("f.←a", 2, ". needs an operand on its right"),
        ("∘", 1, "the operator ∘ needs an operand on its left"),
        ("∘+a", 1, "the operator ∘ needs an operand on its left"),
        ("∘.", 2, ". needs an operand on its right"),
        ("a∘.", 3, ". needs an operand on its right"),
        ("[1]a", 1, "there is nothing to index left of the bracket"),
        ("a+[1]", 3, "an axis in brackets"),
        ("a[1]", 2, "indexing with brackets"),
        ("a[1]←2", 2, "assignment by index"),
        ("(a b)←1", 1, "assignment to several names at once"),
        ("a+←1", 3, "modified assignment is not supported yet: write x←x+1 for x+←1"),
        ("a f←1", 3, "modified assignment is not supported yet: write x←x f y for x f←y"),
        ("+/[1]a", 3, "an axis in brackets"),
        ("{⍵}[1]a", 4, "an axis in brackets"),
        ("f[1]¨a", 2, "an axis in brackets"),
        ("a→b", 2, "the symbol →"),
        ("x", 1, "x is not defined"),
        ("x←x", 3, "x is not defined"),
        ("(x←1)+x", 7, "x is not defined"),
        ("a+f x", 5, "x is not defined"),
    ],
)
def test_mistakes(text: str, column: int, message: str) -> None:
    found = mistake(text)
    assert found.span is not None
    assert (found.span.column, message in found.message) == (column, True), found.message


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a + b × c", ["a + b × c", "a", "+", "b × c", "b", "×", "c"]),
        ("(a + b) × c", ["(a + b) × c", "(a + b)", "×", "c"]),
        ("+ / 1 2", ["+ / 1 2", "+ /", "+", "1 2"]),
        ("x ← f g", ["x ← f g", "x", "f g", "f", "g"]),
    ],
)
def test_a_node_has_the_span_of_its_text(text: str, spans: list[str]) -> None:
    found: list[str] = []

    def visit(node: object) -> None:
        if isinstance(node, tree.ARRAY_NODES + tree.FUNCTION_NODES + (Name,)):
            found.append(node.span.text)
        match node:
            case tree.Apply(function=function, left=left, right=right):
                for child in (left, function, right):
                    visit(child)
            case tree.Assign(target=target, value=value) | tree.AssignFunction(target=target, value=value):
                visit(target)
                visit(value)
            case tree.Derived(left=left, right=right):
                visit(left)
                visit(right)
            case tree.Atop(outer=outer, inner=inner):
                visit(outer)
                visit(inner)

    visit(resolved(text))
    assert found[0] == spans[0]
    assert set(spans[1:]) <= set(found)


def test_the_names_that_a_row_assigns() -> None:
    (statement,) = parse(Source("t", "x←1+(y←2)+a[z←3]{w←⍵}⊢u+v←4")).statements
    assert [name.name for name in assigned_names(statement.items)] == ["x", "y", "z", "v"]


def test_every_short_row_has_one_reading_or_one_mistake() -> None:
    pieces = ["1", "a", "f", "+", "/", "∘", ".", "←", "(f)", "(a)", "x", "{⍵}", "[1]"]
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
    resolve(statement.items, counting)
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
    ],
)
def test_long_and_deep_rows_take_a_number_of_steps_in_proportion(make: object) -> None:
    assert callable(make)
    short, long = calls(make(20)), calls(make(80))
    assert long <= 4 * short + 8
    assert long <= 8 * 80


def test_the_class_of_a_name_is_asked_of_whoever_knows_it() -> None:
    def nothing(name: Name) -> NameClass:
        raise compile_error("VALUE ERROR", "asked", name.span)

    (statement,) = parse(Source("t", "{a b c}1 2")).statements
    node = resolve(statement.items, nothing)  # the names of a body are its own affair
    assert isinstance(node, tree.Apply) and isinstance(node.function, tree.Definition)
    assert isinstance(node.function.dfn, Dfn)
    with pytest.raises(CompileError, match="asked"):
        resolve(parse(Source("t", "1+a")).statements[0].items, nothing)
