"""Definitions between two `∇`: random ones against Python, and what they look like in TAIL."""

from __future__ import annotations

import pytest

import aplc
from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.reading.liveness import Liveness
from aplc.apl_front.syntax.ast import For, If, Loop, Node
from aplc.apl_front.syntax.parser import parse
from aplc.tail.errors import RunError, Unsupported
from aplc.tail.source import Source
from aplc.tail.syntax import Call, Rec, Term, body_of, walk
from aplc.tail.syntax import If as Choice
from aplc.tail.types import Array, Base, Rho
from tests.support.procedures import Writer, meaning

INT = Array(Base.INT, Rho(0))


def value(text: str, argument: int, target: str) -> list[int] | None:
    """The value of `f argument`; None where a name turns out to have none."""
    try:
        result = aplc.run(f"{text}\nf n\n", target=target, n=argument)
    except aplc.Error as error:
        assert "VALUE ERROR" in str(error), error
        return None
    return [int(each) for each in result]  # type: ignore[union-attr]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("seed", range(60))
def test_random_definitions_mean_what_python_means(seed: int) -> None:
    written = Writer(seed).definition()
    for argument in (0, 5, 8):
        expected = meaning(written, argument)
        assert value(written.structured, argument, "interp") == expected
        assert value(written.with_labels, argument, "interp") == expected


@pytest.mark.parametrize("seed", range(100, 106))
def test_random_definitions_in_c(seed: int) -> None:
    written = Writer(seed).definition()
    for text in (written.structured, written.with_labels):
        for argument in (5, 8):
            assert value(text, argument, "c") == meaning(written, argument)


def test_the_generator_writes_every_kind_of_line() -> None:
    texts = "\n".join(Writer(seed).definition().structured for seed in range(60))
    for word in (
        ":If",
        ":AndIf",
        ":OrIf",
        ":Else",
        ":While",
        ":Repeat",
        ":For",
        ":Select",
        ":Leave",
        ":Continue",
    ):
        assert word in texts
    results = [meaning(Writer(seed).definition(), 8) for seed in range(60)]
    assert 5 < sum(result is None for result in results) < 50, "names without a value are met, and not always"


def nodes_of(text: str) -> list[Node]:
    """All nodes of the code of the only definition."""
    (statement,) = parse(Source("test.apl", text)).statements
    dfn = statement.items[2]
    found: list[Node] = []
    stack: list[Node] = [*dfn.code]  # type: ignore[union-attr]
    while stack:
        node = stack.pop(0)
        found.append(node)
        if isinstance(node, If):
            stack += [*node.then, *node.otherwise]
        elif hasattr(node, "body"):
            stack += node.body
    return found


def test_what_a_round_needs() -> None:
    text = "∇ r←f n;i;j;t\nr←0\n:For i :In ⍳n\nt←i×2\nj←t+r\nr←j\n:EndFor\n∇"
    dfn = parse(Source("test.apl", text)).statements[0].items[2]
    live = Liveness(dfn)  # type: ignore[arg-type]
    (loop,) = [node for node in nodes_of(text) if isinstance(node, For)]
    assert live.targets[loop.label] == {"r"}, "t and j get their values in each round"
    assert live.assigned(loop) == {"i", "t", "j", "r"}
    assert live.given == {"i", "t", "j", "r"}


def test_names_in_braces_are_always_needed() -> None:
    text = "∇ r←f n;i;t;g\ng←{⍵+t}\nr←0\n:For i :In ⍳n\nt←i×2\nr←r+g i\n:EndFor\n∇"
    (loop,) = [node for node in nodes_of(text) if isinstance(node, For)]
    dfn = parse(Source("test.apl", text)).statements[0].items[2]
    assert Liveness(dfn).targets[loop.label] - {"⍵"} == {"g", "r", "t"}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "loops"),
    [
        ("L:n←n-1\n→(n>0)/L", 1),
        ("L:→(n<0)/E\nn←n-1\n→L\nE:", 1),
        ("A:n←n-1\nB:n←n-2\n→(n>9)/B\n→(n>5)/A", 2),
        ("→(n>0)/A\nn←5\nA:n←n+1", 0),
        ("→A\nB:n←2\n→0\nA:→B", 0),
    ],
)
def test_labels_become_loops_and_blocks(lines: str, loops: int) -> None:
    found = nodes_of(f"∇ n←f n\n{lines}\n∇")
    assert sum(isinstance(node, Loop) for node in found) == loops


def term_of(text: str) -> Term:
    """The body of a program of one number, n."""
    return body_of(elaborate_program([parse(Source("test.apl", text))], {"n": INT}).term)


def test_a_guard_and_a_return_are_the_same_conditional() -> None:
    term = term_of("∇ r←f x\nr←1\n:If x>3 ⋄ :Return ⋄ :EndIf\nr←x×2\n∇\nf n")
    assert sum(isinstance(node, Choice) for node in walk(term)) == 1


def test_a_loop_carries_what_a_round_needs_and_gives_what_is_needed_behind() -> None:
    text = "∇ r←f n;i;t\nr←0\n:For i :In ⍳n\nt←i×i\n:If t>50 ⋄ :Leave ⋄ :EndIf\nr←r+t\n:EndFor\n∇\nf n"
    term = term_of(text)
    (loop,) = [node for node in walk(term) if isinstance(node, Rec)]
    assert len(loop.params) == 2, "the count of rounds, and r"
    assert str(loop.ty) == "[int]0"
    assert sum(isinstance(node, Call) for node in walk(loop)) == 1


def test_nested_loops_take_no_time_of_their_own() -> None:
    def work(depth: int) -> int:
        opening = "\n".join(f":For k{d} :In ⍳2" for d in range(depth))
        text = f"∇ r←f n\nr←0\n{opening}\nr←r+n\n" + ":EndFor\n" * depth + "∇\nf n"
        loops = [node for node in walk(term_of(text)) if isinstance(node, Rec)]
        return max(int(param.name[1:]) for loop in loops for param in loop.params)

    assert work(8) < 6 * work(4)


@pytest.mark.parametrize(
    "lines",
    [
        ":If n>1\nw←⊃w\n:EndIf",
        ":If n>1\nw←7\n:Else\nn←2\n:EndIf",
        ":For k :In ⍳3\n:If n>k\nw←⊃w\n:Leave\n:EndIf\n:EndFor",
        ":For k :In ⍳3\n:If n>k\nw←⊃w\n:Return\n:EndIf\n:EndFor",
        ":Select n\n:Case 1\nw←⊃w\n:Case 2\nw←'xyz'\n:EndSelect",
        "→(n>1)/L\nw←⊃w\nL:n←7",
    ],
)
def test_a_name_of_outside_has_one_rank_and_kind_behind_a_join(lines: str) -> None:
    with pytest.raises(Unsupported, match=r"w, which is defined outside, is .* on one way and .* on another"):
        term_of(f"w←'abc'\n∇ f\n{lines}\n∇\nf\nw n")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("f←{⍵>2:⊂1 2 ⋄ (1 2)((1 'a')(2 'b'))}\nf n", "a function whose result"),
        ("f←{⍵>2:(1 2)((1 'a')(2 'b')) ⋄ ⊂1 2}\nf n", "a function whose result"),
    ],
)
def test_an_enclosed_array_is_no_strand_of_two(text: str, what: str) -> None:
    with pytest.raises(Unsupported, match=what):
        term_of(text)


@pytest.mark.parametrize("target", ["interp", "c"])
@pytest.mark.parametrize(
    ("lines", "values"),
    [
        (":For k :In ⍳n\nv←⍳3\n:EndFor", ["", "1 2 3", "1 2 3", "1 2 3"]),
        (":For k :In ⍳n\nv←⍳k\n:EndFor", ["", "1", "1 2", "1 2 3"]),
        (":For k :In ⍳n\nv←⍳3\n:If k=2\n:Leave\n:EndIf\n:EndFor", ["", "1 2 3", "1 2 3", "1 2 3"]),
        (":While n>0\nn←n-1\nv←n⍴3\n:EndWhile", ["", "", "", ""]),
        (":For k :In ⍳n\nv←'a'\n:EndFor", ["", "a", "a", "a"]),
        (":For k :In ⍳n\n:If k>1\nv←⍳k\n:EndIf\n:EndFor", ["", "", "1 2", "1 2 3"]),
        (":For k :In ⍳n\n:For w :In ⍳k\nv←⍳w\n:EndFor\n:EndFor", ["", "1", "1 2", "1 2 3"]),
        (":For k :In ⍳n\nv←'ab' 'cde'\n:EndFor", ["", *[" ab  cde "] * 3]),
    ],
)
def test_behind_a_loop_that_makes_a_name_another_kind_of_array_it_has_the_value_of_the_last_round(
    target: str, lines: str, values: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """What it was before the loop is lost: that is an error of the run where no round has assigned it."""
    text = f"∇ r←f n;v;k;w\nv←1\n{lines}\nr←v\n∇\n⎕←f n"
    for n, value in enumerate(values):
        if n == 0 or (n == 1 and "k>1" in lines):
            wanted = "VALUE ERROR: v, which is int and becomes .* in a round of this loop, has no value here"
            with pytest.raises(RunError, match=wanted):
                aplc.run(text, target=target, n=n)  # type: ignore[call-overload]
        else:
            aplc.run(text, target=target, n=n)  # type: ignore[call-overload]
            assert capfd.readouterr().out == value + "\n"


@pytest.mark.parametrize(
    "lines",
    [
        ":For k :In ⍳n\nw←v\nv←⍳3\n:EndFor",
        ":For k :In ⍳n\n:If k>1\nv←⍳3\n:Else\nv←2 2⍴k\n:EndIf\n:EndFor",
        ":For k :In ⍳n\n:If k>1\nv←⍳3\n:Continue\n:EndIf\nv←2 2⍴k\n:EndFor",
    ],
)
def test_a_name_that_a_loop_makes_another_kind_of_array_is_refused_where_it_is_needed(lines: str) -> None:
    """In a round, and where two ways of a round make two kinds."""
    with pytest.raises(Unsupported, match=r"v, which is int and becomes .* in a round of this loop"):
        term_of(f"∇ r←f n;v;k;w\nv←1\n{lines}\nr←v\n∇\nf n")


@pytest.mark.parametrize(
    ("begin", "lines"),
    [
        ("⊂1 2", ":For k :In ⍳n\nv←(1 2)(3 4 5)\n:If n>k\nv←v\n:Else\nv,←1\n:EndIf\n:EndFor"),
        ("⍬", ":For k :In ⍳n\nv←v,⊂v\n:EndFor\nv←⊂v"),
        ("(1 2)(3 4 5)", ":For k :In ⍳n\n:If n>k\nv←0⍴⊂⍬\n:Else\nv←1 2\n:EndIf\n:EndFor"),
    ],
)
def test_a_name_that_rounds_make_an_array_that_holds_no_arrays_is_refused(begin: str, lines: str) -> None:
    with pytest.raises(Unsupported, match=r"v, which is .* and becomes .* in a round of this loop"):
        term_of(f"∇ r←f n;v;k\nv←{begin}\n{lines}\nr←v\n∇\nf n")


@pytest.mark.parametrize("body", ["v←'('\n:For k :In ⍳n\nv,←'a'\n:EndFor", "v←1\n:If n>1\nv,←2\n:EndIf"])
def test_a_scalar_that_becomes_a_vector_is_told_what_makes_it_one(body: str) -> None:
    with pytest.raises(Unsupported, match=r"v, which is .*: write , in front of the scalar"):
        term_of(f"∇ r←f n;v;k\n{body}\nr←v\n∇\nf n")


def test_a_name_goes_with_what_it_is_on_each_of_several_ways() -> None:
    """With each of three kinds another one goes, but not all of them with each other."""
    ways = ":Case 1\nv←'a'\n:Case 2\nv←0⍴⊂⍬\n:Case 3\nv←''\n:Else\nv←⍬"
    with pytest.raises(Unsupported, match="use a name of its own for each kind of array"):
        term_of(f"∇ r←f n;v\n:Select n\n{ways}\n:EndSelect\nr←v\n∇\nf n")


@pytest.mark.parametrize("target", ["interp", "c"])
def test_what_a_branch_shows_is_shown_where_an_empty_name_becomes_an_array_of_arrays(
    target: str, capfd: pytest.CaptureFixture[str]
) -> None:
    ways = ":Case 1\nv←(1 'a')(2 'b')\n:Case 2\n⎕←v\n:EndSelect"
    aplc.run(f"∇ f n;v\nv←''\n:Select n\n{ways}\n⎕←'end'\n∇\nf n", target=target, n=2)  # type: ignore[call-overload]
    assert capfd.readouterr().out == "\nend\n"


@pytest.mark.parametrize("target", ["interp", "c"])
@pytest.mark.parametrize(
    "lines",
    [
        "k←0\n:Repeat\nk←k+1\na←a+1\n:Continue\na←9\n:Until k≥n",
        "k←0\n:Repeat\nk←k+1\na←a+1\n:If a>0\n:Continue\n:EndIf\na←9\n:Until k≥n",
        ":For k :In ⍳n\na←a+1\n:If a>0\n:Continue\n:EndIf\na←9\n:EndFor",
        "a←a+1\n→(n>1)/L\na←9\nL:a←a+2",
        "a←a+1\n:If n>1\n→L\n:EndIf\na←9\nL:a←a+2",
        ":Repeat\na←a+3\n:Return\na←9\n:Until n>0",
    ],
)
def test_a_name_of_outside_keeps_its_value_on_a_way_around_statements(target: str, lines: str) -> None:
    """Also where it was changed in front of the jump, in no block of its own."""
    text = f"a←0\n∇ f n;k\n{lines}\n∇\nf n\na"
    assert aplc.run(text, target=target, n=3) == 3  # type: ignore[call-overload]


@pytest.mark.parametrize("target", ["interp", "c"])
def test_a_name_that_a_loop_makes_another_kind_of_array_may_be_given_another_value_behind_it(
    target: str,
) -> None:
    text = "∇ r←f n;v;k\nv←1\n:For k :In ⍳n\nv←⍳k\nr←v\n:EndFor\nv←n\nr←v,r\n∇\nf n"
    assert list(aplc.run(text, target=target, n=3)) == [3, 1, 2, 3]  # type: ignore[call-overload,arg-type]
