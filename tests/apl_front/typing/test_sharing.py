"""Long definitions that several calls have in common: functions, with the meaning that they have in line."""

from __future__ import annotations

import pytest

import aplc
from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.syntax import sharing
from aplc.apl_front.syntax.parser import parse
from aplc.tail.rules import Rules
from aplc.tail.source import Source
from aplc.tail.syntax import Rec, is_loop, walk
from tests.support.machine import needs_c

FILLER = "    r←r+0×" + "+".join("1" * 50)
"""A long line that changes nothing."""
IN_LINE = 1184
"""The items of ten calls with this definition in line."""
SUM = f"∇ r←Sum v;i\n  r←0\n  :For i :In v\n    r+←i\n{FILLER}\n  :EndFor\n∇\n"


def functions(text: str, *, in_line: int = 0) -> list[Rec]:
    """The functions of a program that are no loops."""
    term = elaborate_program([parse(Source("test.apl", text))], {}, rules=Rules(in_line=in_line)).term
    return [node for node in walk(term) if isinstance(node, Rec) and not is_loop(node)]


def calls(*arguments: str) -> str:
    return SUM + "".join(f"⎕←Sum {each}\n" for each in arguments)


def test_a_long_definition_with_loops_and_several_calls_is_a_function() -> None:
    many = calls(*["1 2 3", "4 5", "6 7 8 9", "⍳9", "⍬"] * 2)
    found = functions(many)
    assert len(found) == 10
    assert {tuple(str(q.ty) for q in each.params) for each in found} == {("[int]1",)}
    assert functions(many, in_line=IN_LINE) == []
    assert len(functions(many, in_line=IN_LINE - 1)) == 10
    assert functions(calls("1 2 3", "4 5")) == []


def test_lengths_count_what_is_called() -> None:
    inner = f"∇ r←Inner x;i\n  r←x\n  :For i :In ⍳3\n{FILLER}\n  :EndFor\n∇\n"
    outer = "∇ r←Outer x\n  r←(Inner x)+Inner x+1\n∇\n"
    program = inner + outer + "⎕←Outer 1\n⎕←Outer 2\n⎕←Outer 3\n"
    statements = parse(Source("test.apl", program)).statements
    shared = sharing.shared_definitions(statements)
    assert shared == {id(statements[1].items[2])}  # the inner one stands there twice
    assert sharing.shared_definitions(statements, "Outer") == frozenset()


TEXTS = {
    "names of outside, printing, leaving a loop": """
        total←0
        ∇ r←a Work b;i;t
          r←⍬
          t←a
          :For i :In ⍳b
            t←t+i×2
            :If 0=3|t
              r,←t÷3
            :ElseIf 1=3|t
              r,←t
              total+←1
            :Else
              ⎕←'skip' t
            :EndIf
            :If t>40
              :Leave
            :EndIf
          :EndFor
          r←r,total
        ∇
        ⎕←5 Work 6
        ⎕←1.5 Work 3
        ⎕←7 Work 0
        x←3 Work 9
        ⎕←x total
        ⎕←{⍵ Work 3}¨1 2 3""",
    "no result": """
        ∇ Show x;k
          :For k :In x
            :If k>10
              ⎕←'big' k
            :Else
              ⎕←k
            :EndIf
          :EndFor
        ∇
        Show 1 20
        Show ⍬
        Show 3 30 4""",
    "texts that grow in a loop that is left": """
        ∇ r←Texts n;i
          r←0⍴⊂''
          :For i :In ⍳n
            r,←⊂⍕i
            :If i>4
              :Leave
            :EndIf
          :EndFor
        ∇
        ⎕←Texts 2
        ⎕←Texts 9
        ⎕←≢¨Texts 3""",
    "an array of outside that changes": """
        log←0⍴⊂''
        ∇ r←Log n;i
          r←n
          :For i :In ⍳n
            log,←⊂⍕i
          :EndFor
        ∇
        ⎕←Log 2
        ⎕←Log 3
        ⎕←log""",
    "a name that becomes another kind of array": """
        ∇ r←f n;v;k
          v←1
          :For k :In ⍳n
            v←⍳3
          :EndFor
          r←v
        ∇
        ⎕←f 2
        ⎕←f 1""",
    "several results; an argument that may miss; a result that is not shown": """
        ∇ (p q)←Two w;i
          p←q←0
          :For i :In w
            p+←i
            q⌈←i
          :EndFor
        ∇
        ∇ {r}←{a} Opt w;i
          :If 0=⎕NC 'a'
            a←100
          :EndIf
          r←w
          :For i :In ⍳3
            r←r+a×i
          :EndFor
        ∇
        ⎕←Two 1 2 3
        (a b)←Two 5 6.5
        ⎕←a b
        Opt 3
        ⎕←Opt 3
        ⎕←5 Opt 3
        ⎕←Opt 1 2 3
        ⎕←Opt 2 2⍴⍳4""",
    "functions that call functions, and themselves": """
        ∇ r←Fib n;i
          :If n<2
            r←n
          :Else
            r←(Fib n-1)+Fib n-2
          :EndIf
        ∇
        ∇ r←Twice n
          r←(Fib n)+Fib n+1
        ∇
        ⎕←Twice 5
        ⎕←Twice 6
        ⎕←Fib¨⍳6""",
    "an error inside": """
        ∇ r←Pick v;i
          r←0
          :For i :In v
            r←r+(10 20 30)[i]
          :EndFor
        ∇
        ⎕←Pick 1 2
        ⎕←Pick 3 3
        ⎕←Pick 1 4
        ⎕←Pick 2""",
}


def share_all(patch: pytest.MonkeyPatch) -> None:
    """Definitions of any length are shared by any number of calls."""
    for limit in ("LONG", "CALLS", "ITEMS", "ITEMS_WITHOUT_LOOPS"):
        patch.setattr(sharing, limit, 0)


def outcome(text: str, target: str, capfd: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What a program prints, and the error that ends it."""
    error = ""
    try:
        aplc.run(text, target=target)
    except aplc.RunError as raised:
        error = str(raised)
    return capfd.readouterr().out, error


@needs_c
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_meaning_is_that_of_definitions_in_line(
    text: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", "")
    expected = outcome(text, "interp", capfd)
    with monkeypatch.context() as patch:
        share_all(patch)
        for target in ("interp", "c", "openmp"):
            assert outcome(text, target, capfd) == expected


@needs_c
def test_all_calls_share_one_function_in_c() -> None:
    """Whatever the lengths of their arguments."""
    parts = ["⍵", "1↓⍵", "2↓⍵", "¯1↓⍵", "⍵,7", "⍵,1 2", "⌽⍵", "1 2 3", "4 5", "⍬,⍵"]
    whole = "+".join(f"(Sum {part})" for part in parts)
    text = aplc.fn(f"{SUM}{{{whole}}}").emit("c", "[int]1")
    assert text.count("\nstatic int ") == 2  # declared, and defined


def test_what_only_a_definition_in_line_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is not refused because its definitions are functions, here as an axis must be known."""
    share_all(monkeypatch)
    axis = "∇ r←Axis n\nr←1\n∇\n"
    assert len(functions(f"{axis}⎕←Axis 2")) == 1
    assert functions(f"{axis}⎕←+/[Axis 2]2 2⍴1") == functions(f"{axis}⎕←+/[Axis 2]2 2⍴1", in_line=10**6) == []


def test_long_programs_for_opencl() -> None:
    """Their functions run on the host, as all calls in line would take compilers too long."""
    sums = ["+".join(["(Sum ⍵)"] * n) for n in (9, 24)]
    short, long = [aplc.fn(f"{SUM}{{{s}}}", target="opencl").emit("tail", "[int]1") for s in sums]
    assert (short.count("rec "), long.count("rec ")) == (0, 24)
