"""Sessions: names and values from line to line, and whether a line is interpreted or compiled."""

import numpy as np
import pytest

from aplc.options import Options
from aplc.repl import session as session_module
from aplc.repl.reading import is_open
from aplc.repl.session import Session
from aplc.tail.display import display
from aplc.tail.errors import AplcError
from aplc.tail.types import Base
from tests.support.machine import needs_c


class Transcript:
    """A session and what it has shown."""

    def __init__(self, target: str = "c") -> None:
        self.shown: list[str] = []
        self.session = Session(self._show, self.shown.append, Options(target))

    def _show(self, value: object, base: Base | None, digits: int) -> None:
        self.shown.append(display(value, chars=base is Base.CHAR, precision=digits))  # type: ignore[arg-type]

    def __call__(self, *lines: str) -> list[str]:
        """What these lines show."""
        self.shown.clear()
        for line in lines:
            self.session.run(line)
        return list(self.shown)


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("1+1",), ["2"]),
        (("x←⍳3", "x×2"), ["2 4 6"]),
        (("x←3", "x←'abc'", "⌽x"), ["cba"]),
        (("f←{⍵×k}", "k←2", "f 3", "k←10", "f 3"), ["6", "30"]),
        (("f←{⍵+1}", "g←{f f ⍵}", "g 1", "f←{⍵×5}", "g 1"), ["3", "25"]),
        (("mean←+/÷≢", "mean 1 2 6"), ["3"]),
        (("twice←{⍺⍺ ⍺⍺ ⍵}", "{⍵×3} twice 1"), ["9"]),
        (("∇r←g y;z\nz←y+1\nr←z×2\n∇", "g 4"), ["10"]),
        (("∇r←h\nr←42\n∇", "h", "1+h"), ["42", "43"]),
        (("∇f\nzz←3\n∇", "f", "zz"), ["3"]),
        (("∇set x\nlast←x\n∇", "set 3 4", "last", "set 'abc'", "last"), ["3 4", "abc"]),
        (("s←0", "∇g\n:For i :In ⍳5\ns+←i\n:EndFor\n∇", "g", "g", "s"), ["30"]),
        (("⎕IO←0", "⍳3", "f←{⍳⍵}", "f 2"), ["0 1 2", "0 1"]),
        (("x←1 2 3", "x[2]←9", "x", "x+←1", "x"), ["1 9 3", "2 10 4"]),
        (("n←0", "count←{n+←⍵ ⋄ n}", "count 5", "count 5", "n"), ["5", "10", "10"]),
        (("w←'ab' 'cde'", "≢¨w", "w,←⊂''", "≢¨w"), ["2 3", "2 3 0"]),
        (("t←1 'ab' (2 3)", "(p q r)←t", "q"), ["ab"]),
        (("(a b)←3 4 ⋄ a×b",), ["12"]),
        (("f←{⍵}", "f←3", "f"), ["3"]),
        (("f←3", "f←{⍵×2}", "f 4"), ["8"]),
        (("f←{⍵×2}", "f"), ["f←{⍵×2}"]),
        (("⍝ nothing", "", "x←5"), []),
        (("⎕PP←3", "÷3"), ["0.333"]),
        (("y←1 2 3 ⋄ y←y,4", "⍴y"), ["4"]),
    ],
)
def test_lines(lines: tuple[str, ...], shown: list[str]) -> None:
    assert Transcript()(*lines) == shown


def test_a_wrong_line_changes_nothing() -> None:
    transcript = Transcript()
    transcript("x←1 2 3", "f←{⍵}")
    for line in ("x←4 ⋄ y", "x←4 ⋄ 1 2+x,1 2", "f←{⍵+⍵} ⋄ ÷0", "(x←7"):
        with pytest.raises(AplcError):
            transcript(line)
    assert transcript("x", "f 1") == ["1 2 3", "1"]


def test_random_numbers_differ_from_line_to_line_and_follow_a_seed() -> None:
    transcript = Transcript()
    drawn = transcript(*["?1000000"] * 4)
    assert len(set(drawn)) > 1
    assert transcript("⎕RL←7", "?1000000") == Transcript()("⎕RL←7", "?1000000")


def test_types_are_told_without_running() -> None:
    transcript = Transcript()
    transcript("x←⍳3")
    assert transcript.session.typed("x÷2") == "[double]1"
    assert transcript.session.typed("+/") == "a function"
    assert transcript("x") == ["1 2 3"]


@needs_c
def test_what_takes_long_is_compiled_and_shows_once(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = Transcript()
    transcript("total←{⍺←0 ⋄ ⍵=0:⍺ ⋄ (⍺+⍵)∇⍵-1}")
    transcript.session.seconds = 0.05
    assert transcript("⎕←5 ⋄ total 20000000") == ["5", "200000010000000"]
    monkeypatch.setattr(session_module, "limited", lambda *_: pytest.fail("the line is interpreted again"))
    assert transcript("⎕←5 ⋄ total 20000000") == ["5", "200000010000000"]


@needs_c
def test_large_arrays_are_compiled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = Transcript()
    transcript("x←⍳3000000")
    monkeypatch.setattr(session_module, "limited", lambda *_: pytest.fail("the line is interpreted"))
    assert transcript("+/x") == [str(sum(range(3000001)))]


def test_random_numbers_are_the_same_interpreted_and_compiled() -> None:
    lines = ("⎕RL←3", "x←?10⍴1000", "x")
    expected = Transcript()(*lines)
    compiled = Transcript()
    compiled.session.seconds = 1e-6
    assert compiled(*lines) == expected


def test_programs_of_lines_have_inputs_for_arrays() -> None:
    transcript = Transcript()
    transcript("x←1 2 3", "w←'ab' 'cde'", "w←w,⊂'f'", "f←{x+⍵}")
    sources, inputs = transcript.session.program("(f 1),≢¨w")
    assert [source.name for source in sources] == ["f", "]"]
    assert sorted(inputs) == ["w", "x"] and np.array_equal(inputs["x"].value, [1, 2, 3])


@pytest.mark.parametrize(
    ("text", "wants_more"),
    [
        ("1+1", False),
        ("f←{", True),
        ("f←{\n⍵}", False),
        ("x←(1 2", False),
        ("f←{(\n⍵[", True),
        ("'{'", False),
        ("⍝ {", False),
        ("x←'it''s {' ⋄ {", True),
        ("∇r←f y", True),
        ("∇r←f y\nr←y\n∇", False),
        ("}", False),
    ],
)
def test_open_lines(text: str, wants_more: bool) -> None:
    assert is_open(text) is wants_more
