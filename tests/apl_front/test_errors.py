"""What is wrong with a program: every message of the front end with its place, one for each cause, and the
messages of the run with theirs. The programs are in `tables.errors`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping

import pytest

from aplc import deep_stack
from aplc.apl_front.elaboration.elaborate import MAX_ERRORS, elaborate_function, elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import UNSUPPORTED, AplcError, CompileError, Diagnostic, RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.prims import PRIMS
from aplc.tail.source import Source
from aplc.tail.types import Array, Base, Rho, Type
from tests.support.tables.errors import ONE
from tests.support.tables.errors_foreign import MISTAKES, REFUSED, TIER_TWO
from tests.support.tables.errors_runs import INPUT_ROWS, INPUTS, RUN_ROWS

Expected = tuple[int, int, str, str]
"""Line, column, kind, and a part of the message."""
Row = tuple[str, list[Expected]]


def elaborate(text: str, inputs: Mapping[str, Type]) -> None:
    elaborate_program([parse(Source("test.apl", text))], inputs)


def diagnostics(text: str, **inputs: Type) -> tuple[Diagnostic, ...]:
    """What is wrong with a program, which must be something."""
    with pytest.raises(AplcError) as caught:
        elaborate(text, inputs)
    return caught.value.diagnostics


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.span is not None
    return diagnostic.span.line, diagnostic.span.column


def calls(diagnostic: Diagnostic) -> list[tuple[int, int]]:
    return [(call.line, call.column) for call in diagnostic.trail]


# Several causes: one message for each, in the order of the text, none for what follows from them.
SEVERAL: list[Row] = [
    (
        "x⋄y⋄z",
        [
            (1, 1, "VALUE ERROR", "x is not defined"),
            (1, 3, "VALUE ERROR", "y is not defined"),
            (1, 5, "VALUE ERROR", "z is not defined"),
        ],
    ),
    (
        "1+'a'\n2+'b'\n3",
        [
            (1, 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
            (2, 3, "DOMAIN ERROR", "+ needs numbers, got characters"),
        ],
    ),
    (
        "a←b\nc←a+1\nd←c\ne",
        [(1, 3, "VALUE ERROR", "b is not defined"), (4, 1, "VALUE ERROR", "e is not defined")],
    ),
    (
        "f←{⍵+'a'}\nf 1\nf 2",
        [(1, 6, "DOMAIN ERROR", "+ needs numbers, got characters")],
    ),
    (
        "f←{⍵+1 2}\ng←{f ⍵}\ng 1 2 3\nh 5",
        [
            (1, 4, "LENGTH ERROR", "+ needs equal lengths, got <int>3 and <int>2"),
            (4, 1, "VALUE ERROR", "h is not defined"),
        ],
    ),
    (
        "(a←b)+1\na",
        [(1, 4, "VALUE ERROR", "b is not defined")],
    ),
    (
        "x←1 2+1 2 3 ⋄ x+1 ⋄ x←5 ⋄ x+1 2 3 ⋄ y",
        [
            (1, 3, "LENGTH ERROR", "+ needs equal lengths, got <int>2 and <int>3"),
            (1, 37, "VALUE ERROR", "y is not defined"),
        ],
    ),
    (
        "x←1 2 3\nx[1;2]←5\nx[9]\n(a b)←x\na\n⍳'b'\n⊂x\n{∇⍵}x\n:If x",
        [(9, 1, "SYNTAX ERROR", "control structures stand between two ∇ only")],
    ),
    (
        "x←1 2 3\nx[1;2]←5\nx[9]\n(a b)←1 2 3\na\n⍳'b'\n⊂[1]1\n{∇⍵}5\n⎕IO←7",
        [
            (2, 1, "RANK ERROR", "<int>3 has 1 axis, the index names 2"),
            (4, 1, "LENGTH ERROR", "2 names need 2 values, got 3"),
            (6, 2, "DOMAIN ERROR", "⍳ needs numbers, got characters"),
            (7, 3, "AXIS ERROR", "⊂ has no axis 1: its argument has no axes"),
            (8, 1, "LIMIT ERROR", "the recursion has no end"),
            (9, 5, "DOMAIN ERROR", "⎕IO must be 0 or 1"),
        ],
    ),
    (
        "(1\n'a\n1.2.3\nx[2",
        [
            (1, 1, "SYNTAX ERROR", "unclosed ("),
            (2, 1, "SYNTAX ERROR", "unclosed quote"),
            (3, 1, "SYNTAX ERROR", "1.2.3 is not a number"),
            (4, 2, "SYNTAX ERROR", "unclosed ["),
        ],
    ),
]

# What `:For` does not go through, and what to write instead; states that are made of arrays in another way.
LOOPS: list[Row] = [
    ("∇ f;u\n:For u :In 'ab' 'c'\n⎕←u\n:EndFor\n∇\nf", [(2, 12, "UNSUPPORTED", "write ,¨ in front")]),
    ("{⊂⍵}⍣2⊢1 2", [(1, 1, "UNSUPPORTED", "where the state is <int>2 and becomes a nested array ⊂<int>2")]),
    ("{,⊂⍵}⍣2⊢1 2", [(1, 1, "UNSUPPORTED", "where the state is <int>2 and becomes a nested array (<int>2)")]),
    ("∇ f;u\n:For u :In 'ab' 5\n⎕←u\n:EndFor\n∇\nf", [(2, 12, "UNSUPPORTED", "_←{…}¨ applies a function")]),
]

ROWS: list[Row] = [(text, [(1, column, kind, part)]) for kind in ONE for text, column, part in ONE[kind]]
ROWS += [(text, [(1, column, "UNSUPPORTED", part)]) for text, column, part in REFUSED]
ROWS += SEVERAL + LOOPS
ROWS += [(text, [(1, column, kind, part)]) for text, column, kind, part in MISTAKES]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_messages(text: str, expected: list[Expected]) -> None:
    found = diagnostics(text)
    assert [(*place(d), d.kind) for d in found] == [row[:3] for row in expected]
    for diagnostic, (_, _, _, fragment) in zip(found, expected, strict=True):
        assert fragment in diagnostic.message


@pytest.mark.parametrize(("text", "column", "kind", "fragment"), INPUT_ROWS)
def test_messages_about_inputs(text: str, column: int, kind: str, fragment: str) -> None:
    (found,) = diagnostics(text, **INPUTS)
    assert (*place(found), found.kind) == (1, column, kind)
    assert fragment in found.message


@pytest.mark.parametrize("text", [text for text, _, _ in TIER_TWO])
def test_what_is_planned_says_what_to_write_instead(text: str) -> None:
    (found,) = diagnostics(text)
    instead = found.message.partition("supported")[2].partition(": ")[2]
    assert instead


def test_there_are_enough_rows() -> None:
    """The pins are the front end's promise; a table that lost half its rows would still pass."""
    assert len(ROWS) + len(INPUT_ROWS) > 500
    assert len({text for text, _ in ROWS}) == len(ROWS)


# ---- how a message is shown ----------------------------------------------------------------------------


def test_operands_are_described_with_the_line_of_their_assignment() -> None:
    (found,) = diagnostics("a←1 2 3\nb←2 2⍴1\n\n a + b")
    assert found.render() == (
        "test.apl:4:2: RANK ERROR: + needs equal ranks or a scalar, got <int>3 and [int]2\n"
        "  4 |  a + b\n"
        "    |  ^^^^^ a is <int>3 (line 1), b is [int]2 (line 2)"
    )


def test_calls_lead_to_the_message() -> None:
    text = "f←{⍵+1 2}\ng←{\n  f ⍵}\nh←g∘⌽\nx←h 1 2 3"
    (found,) = diagnostics(text)
    assert found.render() == (
        "test.apl:1:4: LENGTH ERROR: + needs equal lengths, got <int>3 and <int>2\n"
        "  1 | f←{⍵+1 2}\n"
        "    |    ^^^^^ ⍵ is <int>3, 1 2 is <int>2\n"
        "  called from test.apl:3:3: f ⍵\n"
        "  called from test.apl:5:3: h 1 2 3"
    )


def test_an_error_in_the_arguments_of_a_call_has_no_trail() -> None:
    (found,) = diagnostics("f←{⍵}\nf 1+'a'")
    assert found.trail == ()


def test_one_cause_that_two_calls_run_into_is_told_once() -> None:
    (found,) = diagnostics("f←{⍵+'a'}\nf 1\nf 2 3")
    assert calls(found) == [(2, 1)]


def test_two_causes_in_one_function_are_told_at_their_calls() -> None:
    found = diagnostics("f←{⍵+1 2}\nf 1 2 3\nf 2 2⍴1")
    assert [(d.kind, place(d), d.trail[0].line) for d in found] == [
        ("LENGTH ERROR", (1, 4), 2),
        ("RANK ERROR", (1, 4), 3),
    ]


@pytest.mark.parametrize(
    ("text", "at", "trail"),
    [
        ("f←{⍵+1 2}\ng←{f ⍵}\nx←g 1 2 3", (1, 4), [(2, 4), (3, 3)]),
        ("f←{⍵+'a'}\nf¨1 2", (1, 6), [(2, 1)]),
        ("f←{⍵+'a'}\n(f⍣3)1", (1, 6), [(2, 1)]),
        ("f←{⍵+'a'}\nf⍤1⊢1 2", (1, 6), [(2, 1)]),
        ("f←{⍵+'a'}\n1 f⍨2", (1, 6), [(2, 1)]),
        ("f←{⍵+'a'}\ng←-∘f\n1+g 1", (1, 6), [(3, 3)]),
        ("f←{⍵+'a'}\n(-f)1", (1, 6), [(2, 1)]),
        # operators of the user's own
        ("o←{⍺⍺ ⍵+'a'}\n+o 1", (1, 9), [(2, 1)]),
        ("o←{⍺⍺ ⍵}\nf←{⍵+'a'}\nf o 1", (2, 6), [(1, 4), (3, 1)]),
        ("o←{⍺⍺ ⍵+'a'}\np←{⍺⍺ o ⍵}\n+p 1", (1, 9), [(2, 4), (3, 1)]),
        # recursion: a call is told once, however deep
        ("f←{⍵≤0:⍵+'a' ⋄ 1+f ⍵-1}\nf 3", (1, 10), [(2, 1)]),
        ("f←{⍵≤0:0 ⋄ f 'a'}\nf 3", (1, 4), [(1, 12), (2, 1)]),
        ("{⍵≤0:0 ⋄ ∇⍵,1}3", (1, 2), []),
    ],
)
def test_the_trail(text: str, at: tuple[int, int], trail: list[tuple[int, int]]) -> None:
    (found,) = diagnostics(text)
    assert (place(found), calls(found)) == (at, trail)


def test_functions_of_the_same_text_are_two_places() -> None:
    found = diagnostics("f←{⍵+'a'}\ng←{⍵+'a'}\nf 1\ng 1")
    assert [(place(d), calls(d)) for d in found] == [((1, 6), [(3, 1)]), ((2, 6), [(4, 1)])]


@pytest.mark.parametrize(
    ("text", "trail"),
    [
        ("f←{9<≢,⍵:⍵ ⋄ f(1,⍴⍵)⍴⍵}\nf 1", [(1, 14), (2, 1)]),
        ("f←{9<≢,⍵:⍵ ⋄ g(1,⍴⍵)⍴⍵}\ng←{f ⍵}\nf 1", [(1, 14), (2, 4), (3, 1)]),
        ("f←{9<≢,⍵:⍵ ⋄ f ⍵ ⍵}\nf 1 'a'", [(1, 14), (2, 1)]),
        ("f←{⍺=0:⍵ ⋄ (⍺-1)∇,⊂⍵}\n(+/3=⍳9)f 1 2", [(2, 1)]),
    ],
)
def test_calls_that_are_nested_too_deeply(text: str, trail: list[tuple[int, int]]) -> None:
    """Each call is for another rank or structure, so none is a recursion that has been seen."""
    with pytest.raises(AplcError) as caught:
        deep_stack.with_deep_stack(lambda: elaborate(text, {}))
    (found,) = caught.value.diagnostics
    assert found.kind in ("LIMIT ERROR", UNSUPPORTED)
    assert sorted(set(calls(found))) == trail
    assert len(found.trail) == len(trail)


@pytest.mark.parametrize("opening", ["-(", "x[", "1+{⍵+"])
def test_nesting_too_deep(opening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep_stack, "DEEP_RECURSION", 3_000)
    depth = 1_000
    text = "x←5\n" + opening * depth + "1" + {"(": ")", "[": "]", "+": "}1"}[opening[-1]] * depth
    with pytest.raises(CompileError) as caught:
        deep_stack.with_deep_stack(lambda: elaborate(text, {}))
    (found,) = caught.value.diagnostics
    assert (found.kind, found.message) == ("LIMIT ERROR", "an expression is nested too deeply")


def test_the_first_twenty_errors_are_reported() -> None:
    text = "\n".join(f"1+x{k}" for k in range(25))
    found = diagnostics(text)
    assert MAX_ERRORS == 20
    assert [place(d) for d in found] == [(line, 3) for line in range(1, 21)]


def test_the_first_twenty_mistakes_of_the_parser_are_reported() -> None:
    found = diagnostics("\n".join(["1.2.3"] * 25))
    assert [place(d) for d in found] == [(line, 1) for line in range(1, 21)]


@pytest.mark.parametrize(
    "text",
    [
        "a←b⋄a+1⋄a f 2⋄f←a∘+⋄f 1",
        "f←+/∘b⋄f 1",
        "f←g←b∘+⋄f 1⋄g 2",
        "x←(y←b)+1⋄x,y",
        "b[a←1]⋄a",
        "a←3⋄a←a+b⋄a×'x'",
        "a←b⋄f←{a+⍵}⋄f 3",
        "a←b⋄f←{⍵+1}⋄c←f a⋄c+1⋄f c",
        "(x y)←b⋄x+y",
        "x y←b⋄x+'a'⋄y",
        "x←1 2⋄x[b]←3⋄x+1 2 3",
        "x←1 2⋄x[1]←b⋄x+1 2 3",
        "x←1 2⋄x+←b⋄x+1 2 3",
        "x←{⍵:b⋄1}1⋄x+'a'",
        "x←(b∘+⍣3)1⋄x+'a'",
        "o←{⍺⍺ b}⋄x←+o 3⋄x+'a'",
    ],
)
def test_what_follows_from_an_error_is_not_reported(text: str) -> None:
    (found,) = diagnostics(text)
    assert found.message == "b is not defined"


def test_the_statements_between_errors_are_elaborated() -> None:
    found = diagnostics("a←zz\nb←1 2 3\nc←a+b\nb+1 2\nc+b")
    assert [(place(d), d.kind) for d in found] == [((1, 3), "VALUE ERROR"), ((4, 1), "LENGTH ERROR")]


def test_errors_of_the_same_text_in_two_files_are_two() -> None:
    files = [parse(Source(name, "1+'a'")) for name in ("one.apl", "two.apl")]
    with pytest.raises(CompileError) as caught:
        elaborate_program(files, {})
    assert [str(d.span) for d in caught.value.diagnostics] == ["one.apl:1:3", "two.apl:1:3"]


@pytest.mark.parametrize(
    ("text", "name", "kind", "fragment"),
    [
        ("x←5", "f", "VALUE ERROR", "there is no function f in the program"),
        ("x←5", "x", "VALUE ERROR", "there is no function x in the program"),
        ("f←+\n5", None, "SYNTAX ERROR", "this is no function"),
        ("", None, "SYNTAX ERROR", "this is no function"),
        ("+/'a'+⊢", None, "DOMAIN ERROR", "+ needs numbers, got characters"),
        ("f←{⍺+⍵}", "f", "VALUE ERROR", "⍺ is not defined"),
        ("o←{⍺⍺ ⍵}", "o", "VALUE ERROR", "there is no function o in the program"),
        ("f←{1=≢⍵:1 ⋄ 'a'}", "f", UNSUPPORTED, "a function whose result is int here and char otherwise"),
    ],
)
def test_asking_for_a_function(text: str, name: str | None, kind: str, fragment: str) -> None:
    vector = Array(Base.INT, Rho(1))
    with pytest.raises(AplcError) as caught:
        elaborate_function([parse(Source("test.apl", text))], name, {"⍵": vector})
    (found,) = caught.value.diagnostics
    assert found.kind == kind
    assert fragment in found.message


# ---- errors of the run ---------------------------------------------------------------------------------


def run_error(text: str) -> Diagnostic:
    """The error of a program when it runs."""
    term = elaborate_program([parse(Source("test.apl", text))], {}).term
    with pytest.raises(RunError) as caught:
        evaluate(term, [], lambda *_: None)
    (found,) = caught.value.diagnostics
    return found


@pytest.mark.parametrize(("text", "line", "column", "kind", "message"), RUN_ROWS)
def test_errors_of_the_run_have_the_place_of_their_primitive(
    text: str, line: int, column: int, kind: str, message: str
) -> None:
    found = run_error(text)
    assert (*place(found), found.kind, found.message) == (line, column, kind, message)


def test_an_error_of_the_run_is_shown_with_its_line() -> None:
    assert run_error("x←1 2 3\ny←x[2]-2\nx[2]+ x ÷ y").render() == (
        "test.apl:3:7: DOMAIN ERROR: ÷ divides by zero\n  3 | x[2]+ x ÷ y\n    |       ^^^^^"
    )


# ---- no message speaks of what is inside ---------------------------------------------------------------

MODULES = [module for name, module in sys.modules.items() if name.startswith("apl_front.")]
CLASSES = {name for module in MODULES for name, value in vars(module).items() if isinstance(value, type)}
ENGLISH = {
    "cells", "each", "first", "index", "inner", "loop", "print", "reshape", "runs", "scan", "single", "take",
    "takes", "unique", "where",
}  # fmt: skip
"""Names of primitives and of other things of TAIL that a message may use as words; never as `each(`."""
NAMES = set(PRIMS) | {"loop", "rec", "fn", "let", "if"}
INTERNAL = (CLASSES | NAMES | {"NoneType"}) - ENGLISH
APPLIED = re.compile(rf"\b({'|'.join(NAMES)})\(")
WORD = re.compile(r"\w+")
VARIABLE = re.compile(r"[vf]\d+")


def all_diagnostics() -> Iterator[tuple[str, Diagnostic]]:
    """Every message of the tables, with its program."""
    for text, _ in ROWS:
        yield from ((text, found) for found in diagnostics(text))
    for text, *_ in INPUT_ROWS:
        yield from ((text, found) for found in diagnostics(text, **INPUTS))
    for text, *_ in RUN_ROWS:
        yield text, run_error(text)


def test_no_message_names_what_the_user_did_not_write() -> None:
    for text, found in all_diagnostics():
        said = f"{found.message} {found.note}"
        words = set(WORD.findall(said)) - set(WORD.findall(text))
        assert not APPLIED.search(said), (text, found.message)
        assert not words & INTERNAL, (text, found.message)
        assert not any(VARIABLE.fullmatch(word) for word in words), (text, found.message)
        assert not any("_" in word[1:] for word in words), (text, found.message)


def test_messages_are_one_line_that_can_be_read_at_once() -> None:
    for text, found in all_diagnostics():
        assert "\n" not in found.message, text
        assert len(found.message) < 160, (text, found.message)
        assert not found.message.endswith((".", ":", " ")), (text, found.message)
        assert "  " not in found.message, (text, found.message)
        assert "S(" not in found.message and "[int]0" not in found.message, (text, found.message)


def test_long_functions_are_shortened_in_messages() -> None:
    (found,) = diagnostics("{\n  first←⍺\n  first,⍵\n}\\2 3⍴⍳6")
    assert found.message.startswith("{ …\\ of [int]2, which makes arrays of its elements,")
    (found,) = diagnostics("{first←⍺ ⋄ second←⍵ ⋄ first,second}\\2 3⍴⍳6")
    assert found.message.startswith("{first←⍺ ⋄ second←⍵ ⋄ f…\\ of [int]2")
