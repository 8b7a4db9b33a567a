"""Long and deep programs: the work grows with the text, and depth ends in a value or in a message.

Work is counted in calls of Python functions, which is the same on every machine and on every run. One test
compares times, generously.
"""

import cProfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from aplc import cli
from aplc.apl_front.elaboration import elaborator
from aplc.apl_front.elaboration.elaborate import Elaborated, elaborate_program
from aplc.apl_front.syntax.lexer import MOST_OPEN, MOST_SYMBOLS, tokenize
from aplc.apl_front.syntax.parser import parse
from aplc.bench.compile_time import KINDS
from aplc.bench.compile_time import SIZES as MEASURED_SIZES
from aplc.compiler import optimise, to_c, to_laila
from aplc.deep_stack import on_deep_stack
from aplc.options import Options
from aplc.tail.check import check
from aplc.tail.errors import AplcError, CompileError
from aplc.tail.passes import run_passes
from aplc.tail.pipeline import PASSES
from aplc.tail.source import Source
from aplc.tail.syntax import Term, called_inside
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Array, Base, Rho, Type
from tests.support.days import of_today

Program = Callable[[int], str]


def repeated(*lines: str) -> Program:
    """The lines n times; `#` is the number of the repetition, and `@` that of the one before."""
    text = "".join(line + "\n" for line in lines)
    return lambda n: "".join([text.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, n + 1)])


def after(first: str, program: Program) -> Program:
    """A program behind a first line."""
    return lambda n: first + "\n" + program(n)


SMALL_STATEMENTS = after(
    "x0←3",
    repeated("x#←x@+#", "v#←⍳5", "y#←+/v#×2", "f#←{⍵+#}", "z#←f# 4", "a#←(2 3⍴⍳6)+#", "b#←⌽v#", "n#←≢b#"),
)

LONG: dict[str, Program] = {
    "small statements": SMALL_STATEMENTS,
    "assignments to several names": repeated("(a# b#)←# 2"),
    "assignments to several names without parentheses": repeated("a# b#←# 2"),
    "assignments inside expressions": repeated("(+/x#)÷≢x#←1 2 3"),
    "a name assigned again and again": after("x←1", repeated("x←x+1")),
    "modified assignments": after("x←1", repeated("x+←#")),
    "assignments by index": after("x←⍳5", repeated("x[2]←#")),
    "modified assignments by index": after("x←⍳5", repeated("x[2 3]+←#")),
    "printing": after("x←1", repeated("⎕←x+#")),
    "texts": repeated("s#←'hello',⍕#"),
    "trains": repeated("f#←+⌿÷≢", "f# 1 2 3"),
    "functions derived from those before": after("f0←{⍵+1}", repeated("f#←f@⍨")),
    "functions of several statements": repeated("f#←{x←⍵+1 ⋄ y←x×2 ⋄ y>3:y ⋄ x+y}", "⎕←f# #"),
    "functions mapped": repeated("{⍵×⍵}¨⍳#"),
    "outer products": repeated("(⍳#)∘.×⍳3"),
    "loops": repeated("({⍵+1}⍣#)3"),
    "recursions": repeated("{⍵≤0:1 ⋄ ⍵×∇ ⍵-1}+/⍳#"),
    "tuples": repeated("t#←# (1 2) 'ab'", "(p# q# r#)←t#"),
    "axes": repeated("+/[1]2 3⍴⍳6"),
    "mistakes in names": repeated("x#←nope#"),
    "what follows from a mistake": after("x←nope", repeated("x←x+#")),
    "comments": repeated("⍝ number #"),
    "a row of statements": lambda n: "⋄".join(["1+1"] * n),
    "a long sum": lambda n: "x←1\n" + "+".join(["x"] * n),
    "a long catenation": lambda n: "x←1 2\n" + ",".join(["x"] * n),
    "a long strand": lambda n: "+/" + " ".join(map(str, range(n))),
    "a long strand of names": lambda n: "a←1\n+/" + " ".join(["a"] * n),
    "a long strand of arrays": lambda n: "≢" + " ".join(["(1 2)"] * n),
    "a long text": lambda n: "≢'" + "ab" * n + "'",
    "a long train": lambda n: "f←" + " ".join(["+"] * (2 * n + 1)) + "\nf 3",
    "a long chain of operators": lambda n: "1+" + "⍨" * 8 * n + "2",
    "many guards": lambda n: "{" + "".join([f"⍵={k}:{k * 2}⋄" for k in range(n)]) + "0}+/⍳3",
    "guards between names": lambda n: (
        "{" + "".join([f"a{k}←⍵+{k}⋄a{k}>9:a{k}⋄" for k in range(n)]) + "0}+/⍳3"
    ),
    "a long body": lambda n: "{x←⍵⋄" + "x←x+1⋄" * n + "x}1",
    "a chain of functions": after("f0←{⍵+1}", lambda n: repeated("f#←{f@ ⍵+1}")(n) + f"f{n} 1"),
    "a chain of names": after("f0←{⍵+1}", lambda n: repeated("f#←f@")(n) + f"f{n} 1"),
}


def front_end(text: str) -> Elaborated:
    return elaborate_program([parse(Source("sample.apl", text))], {})


def tail_stages(term: Term) -> None:
    """The checker, the printer, the reader and the passes of TAIL."""
    check(term)
    parse_term(Source("sample.tail", print_term(term)))
    run_passes(term, PASSES, lambda name, term: None)


def calls(work: Callable[[], Any]) -> tuple[int, Any]:
    """How many calls of functions the work takes, and its result; None where it refuses the program."""
    profile = cProfile.Profile()
    result = None
    profile.enable()
    try:
        result = work()
    except AplcError:
        pass
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats()), result


def costs(program: str) -> tuple[int, int]:
    """The calls of the front end, and those of TAIL."""
    front, elaborated = calls(lambda: front_end(program))
    return front, 0 if elaborated is None else calls(lambda: tail_stages(elaborated.term))[0]


N = 30
AT_MOST = 5.5
"""What four times the text may cost; twice the work of a line for four times the lines is noticed."""


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("kind", LONG)
def test_the_work_grows_with_the_text(kind: str) -> None:
    def measured() -> list[tuple[int, int]]:
        return [costs(LONG[kind](n)) for n in (N, 4 * N)]

    short, long = on_deep_stack(measured, AssertionError("too deep"))
    for stage, before, behind in zip(("front end", "TAIL"), short, long, strict=True):
        assert behind <= AT_MOST * before, f"{stage}: {before} calls for {N}, {behind} for {4 * N}"


def test_the_time_grows_with_the_text() -> None:
    def seconds(n: int) -> float:
        text = SMALL_STATEMENTS(n)
        times = []
        for _ in range(3):
            started = time.process_time()
            front_end(text)
            times.append(time.process_time() - started)
        return min(times)

    seconds(10)
    assert seconds(240) < 8 * seconds(60)


# --- depth ----------------------------------------------------------------------------------------------

DEEP = 2000


def outcome(text: str, path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What the command line prints for a program, and what it says is wrong; it must not break down."""
    path.write_text(text, encoding="utf-8")
    status = cli.main([*arguments, str(path)])
    said = capsys.readouterr()
    assert status in (cli.OK, cli.WRONG_PROGRAM), said.err[:2000]
    assert (status == cli.OK) == (not said.err), said.err[:2000]
    assert "Traceback" not in said.err and "RecursionError" not in said.err
    return said.out, said.err


VALUES: dict[str, tuple[Program, str]] = {
    "parentheses": (lambda d: "(" * d + "1" + ")" * d, "1"),
    "parentheses on the right": (lambda d: "x←+/⍳2\n" + "(x+" * d + "1" + ")" * d, f"{3 * DEEP + 1}"),
    "parentheses on the left": (lambda d: "x←+/⍳2\n" + "(" * d + "x" + "+1)" * d, f"{3 + DEEP}"),
    "a sum": (lambda d: "x←+/⍳2\n" + "x+" * d + "1", f"{3 * DEEP + 1}"),
    "a chain of monadic functions": (lambda d: "x←+/⍳2\n" + "-" * d + "x", "3"),
    "braces": (lambda d: "{" * d + "⍵" + "}⍵" * (d - 1) + "}3", "3"),
    "braces that compute": (lambda d: "{⍵+" * d + "1" + "}⍵" * (d - 1) + "}+/⍳2", f"{3 * DEEP + 1}"),
    "guards": (lambda d: "{" + "".join([f"⍵={k}:{k}⋄" for k in range(9, 9 + d)]) + "0}+/⍳3", "0"),
    "guards in braces": (lambda d: "{⍵=1:2⋄" * d + "⍵" + "}⍵" * (d - 1) + "}+/⍳3", "6"),
    "guards around a tail call": (
        lambda d: "{" + "".join([f"⍵={k}:{k}⋄" for k in range(9, 9 + d)]) + "∇⌊⍵÷2}9999×+/⍳3",
        "1874",
    ),
    "brackets": (lambda d: "x←⍳5\n" + "x[" * d + "1" + "]" * d, "1"),
    "brackets in a row": (lambda d: "x←⍳5\nx" + "[1 1]" * d, "1 1"),
    "brackets left of an arrow": (lambda d: "x←⍳5\n" + "x[" * d + "1" + "]" * d + "←7\nx", "7 2 3 4 5"),
    "trains": (lambda d: "f←" + "(+-" * d + "+" + ")" * d + "\n3 f 4", "7"),
    "compositions": (lambda d: "(" + "-∘" * d + "-)+/⍳2", "¯3"),
    "operators": (lambda d: "+" + "⍨" * d + "3", "6"),
    "maps": (lambda d: "{⍵+1}" + "¨" * d + "1 2 3", "2 3 4"),
    "maps in maps": (lambda d: "{" * d + "⍵+1" + "}¨⍵" * (d - 1) + "}⍳3", "2 3 4"),
    "ranks": (lambda d: "-" + "⍤0" * d + "⊢1 2 3", "¯1 ¯2 ¯3"),
    "assignments": (lambda d: "".join([f"x{k}←" for k in range(d)]) + "3\nx0", "3"),
    "a strand": (lambda d: "x←1 2\n+/" + " ".join(["(x[1])"] * d), f"{DEEP}"),
    "a chain of functions": (
        lambda d: "f0←{⍵+1}\n" + repeated("f#←{f@ ⍵+1}")(d) + f"f{d} +/⍳2",
        f"{DEEP + 4}",
    ),
}
"""Programs that are deep by so much, and their values."""

MESSAGES: dict[str, tuple[Program, str]] = {
    "strands in strands": (lambda d: "(1 2 " * d + "3" + ")" * d, "a nested array over 100 deep"),
    "parentheses that stay open": (lambda d: "(" * d, "unclosed ("),
    "braces that stay open": (lambda d: "{" * d, "unclosed {"),
    "brackets that stay open": (lambda d: "x" + "[" * d, "unclosed ["),
    "parentheses that were not opened": (lambda d: ")" * d, "stray )"),
    "names in parentheses": (lambda d: "(" * d + "a b" + ")" * d + "←1 2", "LENGTH ERROR"),
    "reductions of reductions": (lambda d: "+" + "/" * d + "1 2 3", "UNSUPPORTED"),
    "operators on operators": (lambda d: "t←{1+⍺⍺ ⍵}\n(-" + " t" * d + ")+/⍳3", "LIMIT ERROR"),
    "calls with an error at the end": (
        lambda d: "f0←{⍵+1 2+1 2 3}\n" + repeated("f#←{f@ ⍵+1}")(d) + f"f{d} +/⍳2",
        "LENGTH ERROR: + needs equal lengths",
    ),
    "recursion with ever higher ranks": (lambda d: "f←{f ⍵∘.+⍵}\nf 1 2", "LIMIT ERROR"),
    "recursion with ever larger tuples": (lambda d: "f←{f ⍵(⍵ ⍵)}\nf 3", "over 10000 components"),
    "tuples that double": (lambda d: "f←{⍵ ⍵(1 2)}\n" + "f " * d + "3", "over 10000 components"),
    "tuples that are catenated": (lambda d: "f←{⍵,⍵}\n" + "f " * d + "1 'ab'", "over 10000 components"),
    "recursion without an end": (lambda d: "f←{f ⍵+1}\nf 1", "the recursion has no end"),
    "a recursion that is too deep to run": (lambda d: "{⍵≤0:0⋄1+∇ ⍵-1}1E7", "the recursion is too deep"),
}
"""Programs that are refused, and a part of the message."""


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("kind", of_today([*VALUES], 2))
def test_depth_gives_a_value(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, value = VALUES[kind]
    out, err = outcome(program(DEEP), tmp_path / "deep.apl", capsys, "--target", "interp")
    assert (out.rstrip("\n"), err) == (value, "")
    out, err = outcome(program(DEEP), tmp_path / "deep.apl", capsys, "emit", "tail")
    assert out and not err


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("arguments", [("--target", "interp"), ("emit", "tail")], ids=["interp", "tail"])
@pytest.mark.parametrize("kind", of_today([*MESSAGES], 2))
def test_depth_gives_a_message(
    kind: str, arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, message = MESSAGES[kind]
    if "to run" in kind and arguments == ("emit", "tail"):
        return
    assert message in outcome(program(DEEP), tmp_path / "deep.apl", capsys, *arguments)[1]


# --- programs that are too long ----------------------------------------------------------------------------

TOO_LONG: dict[str, str] = {
    "a sum": "1" + "+1" * 100_000,
    "lines": "1+1\n" * 100_000,
    "braces": "{" * 100_000 + "⍵" + "}" * 100_000 + "1",
    "functions": "x←1\n" + "-" * 100_000 + "x",
    "calls in brackets": "1+(" * 100_000 + "1" + ")" * 100_000,
}


@pytest.mark.parametrize("kind", TOO_LONG)
def test_what_is_too_long_is_refused_by_the_lexer(kind: str) -> None:
    with pytest.raises(CompileError) as caught:
        tokenize(Source("long.apl", TOO_LONG[kind]))
    (found,) = caught.value.diagnostics
    assert (found.kind, found.message) == ("LIMIT ERROR", "a program has at most 65536 symbols and names")
    assert found.span is not None and found.span.start < 200_000


def test_numbers_and_ends_of_lines_in_a_row_are_no_length() -> None:
    assert not tokenize(
        Source("data.apl", "+/" + "1 " * (MOST_SYMBOLS + 1) + "\n" * (MOST_SYMBOLS + 1))
    ).errors


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_programs_that_are_measured_are_accepted(kind: str) -> None:
    assert not tokenize(Source("measured.apl", KINDS[kind](MEASURED_SIZES[-1]))).errors


@pytest.mark.parametrize("brackets", ["()", "[]", "{}"])
def test_brackets_that_are_too_deep_are_refused_by_the_parser(brackets: str) -> None:
    depth = MOST_OPEN + 1
    with pytest.raises(CompileError) as caught:
        parse(Source("deep.apl", brackets[0] * depth + "1" + brackets[1] * depth))
    (found,) = caught.value.diagnostics
    assert (found.kind, found.message) == ("LIMIT ERROR", "brackets are nested more than 10000 deep")
    assert found.span is not None and found.span.start == MOST_OPEN


# --- sizes ----------------------------------------------------------------------------------------------

SIZES: dict[str, tuple[str, str]] = {
    "integers in a strand": ("(+/x)(≢x←" + " ".join(map(str, range(5000))) + ")", "12497500 5000"),
    "doubles in a strand": ("+/" + " ".join([f"{k}.5" for k in range(5000)]), "12500000"),
    "names in a strand": ("a←+/⍳3\n+/" + " ".join(["a"] * 5000), "30000"),
    "arrays in a strand": ("≢" + " ".join(["(1 2)"] * 4000), "4000"),
    "characters in a text": ("≢'" + "a''" * 5000 + "'", "10000"),
    "characters in a name": ("a" * 1000 + "←3\n" + "a" * 1000 + "+" + "a" * 1000, "6"),
    "names in an assignment": ("(" + " ".join([f"a{k}" for k in range(1000)]) + ")←⍳1000\na999", "1000"),
    "guards": ("{" + "".join([f"⍵={k}:{k * 2}⋄" for k in range(500)]) + "0}+/⍳5", "30"),
}


@pytest.mark.parametrize("kind", SIZES)
def test_sizes(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, value = SIZES[kind]
    out, _ = outcome(text, tmp_path / "large.apl", capsys, "--target", "interp")
    assert out.rstrip("\n") == value


def test_a_long_name_that_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "a" * 1000 + "←3\n" + "a" * 1000 + "b"
    assert "VALUE ERROR" in outcome(text, tmp_path / "name.apl", capsys, "--target", "interp")[1]


# --- loops in loops -------------------------------------------------------------------------------------


def nested(inner: str, wrap: str) -> Program:
    """An expression wrapped d times."""

    def text(d: int) -> str:
        result = inner
        for _ in range(d):
            result = wrap.replace("…", result)
        return result

    return text


SIX = "+/⍳3"
LOOPS: dict[str, tuple[Program, str, str]] = {
    "⍣ of a definition": (nested("⍵+1", "({…}⍣2)⍵"), SIX, "70"),
    "⍣ that makes doubles": (nested("⍵+0.5", "({…}⍣2)⍵"), SIX, "38"),
    "⍣ of ⍣": (lambda d: "({⍵+1}" + "⍣2" * d + ")⍵", SIX, "70"),
    "⍣≡": (nested("⍵⌊3", "({…}⍣≡)⍵"), SIX, "3"),
    "⍣ on tuples": (lambda d: "2⊃" + nested("⍵+0 1", "({…}⍣2)⍵")(d), f"(1 2)({SIX})", "70"),
}
"""Loops in loops around `⍵`, an argument, and the value of six of them for it."""


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("kind", LOOPS)
def test_loops_in_loops(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A body is elaborated once for each candidate for its types, however many loops are around it.
    program, argument, value = LOOPS[kind]
    texts = {d: f"{{{program(d)}}}{argument}" for d in (5, 6, 20, 200)}
    out, _ = outcome(texts[6], tmp_path / "loops.apl", capsys, "--target", "interp")
    assert out.rstrip("\n") == value
    few, many = [calls(partial(front_end, texts[d]))[0] for d in (5, 20)]
    assert many < 4**2.5 * few, f"{few} calls for 5 loops, {many} for 20"
    assert outcome(texts[200], tmp_path / "loops.apl", capsys, "emit", "tail")[0]


def test_recursions_in_recursions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{{{nested('⍵', '{⍵>5:⍵⋄∇ ⍵+…}⍵')(4)}}}⊃⍳1"
    out, _ = outcome(text, tmp_path / "loops.apl", capsys, "--target", "interp")
    assert out.rstrip("\n") == "11"  # 1, 8, 9, 10, 11: a level adds 1 once it is above 5


def test_inlining_has_a_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elaborator, "MAX_APPLICATIONS", 1000)
    text = "f0←{⍵+1}\n" + repeated("f#←{(f@ ⍵)×f@ ⍵}")(30) + "f30 +/⍳3"
    _, err = outcome(text, tmp_path / "bound.apl", capsys, "--target", "interp")
    assert "LIMIT ERROR: with each call written out the program has over 1000 applications" in err


# --- all the way to C -----------------------------------------------------------------------------------


def to_text_of_c(text: str, inputs: dict[str, Type] | None = None) -> str:
    """The C of a program."""
    options = Options()
    elaborated = elaborate_program([parse(Source("sample.apl", text))], inputs or {})
    program, make = to_laila(optimise(elaborated.term, options), dict.fromkeys("mvwx", "float64"), options)
    return to_c(program, make, options).text


def compiled(text: str, inputs: dict[str, Type] | None = None) -> tuple[int, int]:
    """The calls of functions that compilation takes, and the lines of C."""

    def measured() -> tuple[int, int]:
        work, c = calls(lambda: to_text_of_c(text, inputs))
        return work, c.count("\n")

    return on_deep_stack(measured, AssertionError("too deep"))


LIFE = "life←{s←(¯1⊖⍵)+⍵+1⊖⍵ ⋄ t←(¯1⌽s)+s+1⌽s ⋄ (t=3)∨⍵∧t=4}\nb←2=3|20 20⍴⍳400"
TO_C: dict[str, Program] = KINDS | {
    "scans": lambda n: after("x←0.5×⍳1000", repeated("x←+\\x"))(n) + "+/x",
    "steps of Life": lambda n: after(LIFE, repeated("b←life b"))(n) + "b",
    "sorting": lambda n: after("x←⍳1000", repeated("x←x[⍋x-#]"))(n) + "x",
    "drop and catenate": lambda n: after("x←0.5×⍳1000", repeated("x←0,(1↓x)-¯1↓x"))(n) + "+/x",
    "outer products": lambda n: after("x←0.5×⍳20", repeated("x←+/x∘.×x+#"))(n) + "x",
}


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("kind", of_today([*TO_C], 2))
def test_compilation_to_c_grows_with_the_text(kind: str) -> None:
    (few, short), (many, long) = [compiled(TO_C[kind](n)) for n in (15, 60)]
    assert many <= AT_MOST * few, f"{few} calls for 15, {many} for 60"
    assert long <= AT_MOST * short, f"{short} lines of C for 15, {long} for 60"


def test_a_sum_doubled_again_and_again_stays_one_loop() -> None:
    program = after("x←⍳1000", repeated("x←x+x"))
    (few, short), (many, long) = [compiled(program(n) + "+/x") for n in (10, 40)]
    assert long == short
    assert many <= AT_MOST * few


@pytest.mark.parametrize("line", ["x←7|x-#", "x←⌊(x-#)÷7"])
def test_quotients_of_quotients_are_written_once(line: str) -> None:
    program = after("x←⍳1000", repeated(line))
    (few, _), (many, _) = [compiled(program(n) + "⎕←x") for n in (3, 12)]
    assert many <= AT_MOST * few


IN_EACH_OTHER: dict[str, Program] = {
    "⍣ of which no round changes the length": nested("1+⍵÷2", "({…}⍣2)⍵"),
    "⍣ of which each round changes the length": nested("⍵,1", "({…}⍣2)⍵"),
    "⍣ that keeps the length if there is more than one": nested("0,1↓⍵-¯1⌽⍵", "({…}⍣2)⍵"),
    "⍣≡": nested("⍵⌊9", "({…}⍣≡)⍵"),
    "conditionals": nested("⍵+1", "{3<+/⍵:⍵+2 ⋄ …}⍵×2"),
    "conditionals for each element": lambda d: f"{{{nested('⍵+1', '{3<⍵:⍵+2 ⋄ …}⍵×2')(d)}}}¨⍵",
    "conditionals around a loop": lambda d: nested("({1+⍵}⍣3)⍵", "{3<⍵:⍵+2 ⋄ …}⍵×2")(d).join(["{", "}+/⍵"]),
    "loops by tail calls": lambda d: nested("⍵+1", "{⍵>100:⍵⋄∇ 1+…}⍵")(d).join(["{", "}+/⍵"]),
    "recursions": lambda d: nested("⍵+1", "{⍵>100:⍵⋄1+∇ ⍵+…}⍵")(d).join(["{", "}+/⍵"]),
}
"""Things d deep in each other, around `⍵`."""

TWICE_AS_DEEP = 14
"""More than a cube of twice the depth and less than what doubles with each level: 64 for six more."""


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("kind", IN_EACH_OTHER)
def test_depth_is_not_exponential(kind: str) -> None:
    inputs: dict[str, Type] = {"v": Array(Base.DOUBLE, Rho(1))}
    (few, short), (many, long) = [compiled(f"{{{IN_EACH_OTHER[kind](d)}}}v", inputs) for d in (6, 12)]
    assert many <= TWICE_AS_DEEP * few, f"{few} calls for 6, {many} for 12"
    assert long <= 5 * short, f"{short} lines of C for 6, {long} for 12"


AVERAGES = "(¯2 0↓0 1↓0 ¯1↓⍵)+(2 0↓0 1↓0 ¯1↓⍵)+(1 0↓¯1 0↓0 ¯2↓⍵)+1 0↓¯1 0↓0 2↓⍵"
EDGES = "⍵[1↓¯1↓⍳≢⍵;,1]", "⍵[1↓¯1↓⍳≢⍵;,2⊃⍴⍵]"
SMALL: dict[str, tuple[str, int, int]] = {
    "catenations around what is left of drops": (
        f"({{(1↑⍵)⍪(({EDGES[0]}),({AVERAGES}),{EDGES[1]})⍪¯1↑⍵}}⍣5)m",
        2,
        1_400_000,
    ),
    "rotated outer products": ("+⌿(1-⍳≢w)⌽w∘.×x,(¯1+≢w)⍴0", 1, 450_000),
}
"""Small programs of arrays with so many axes in which many index conditions meet, and the calls of functions
that their compilation may take: about half as many again as it does.
"""


@pytest.mark.parametrize("kind", SMALL)
def test_conditions_that_meet(kind: str) -> None:
    program, axes, most = SMALL[kind]
    inputs: dict[str, Type] = {name: Array(Base.DOUBLE, Rho(axes)) for name in "mwx" if name in program}
    assert compiled(program, inputs)[0] <= most


def test_steps_of_life_in_one_function() -> None:
    (few, short), (many, long) = [compiled(f"{LIFE}\n({'∘'.join(['life'] * n)}) b") for n in (3, 12)]
    assert many <= AT_MOST * few
    assert long <= AT_MOST * short


def test_loops_in_loops_are_told_from_recursions_in_one_walk() -> None:
    def measured(d: int) -> int:
        text = f"{{{nested('⍵+1', '({…}⍣2)⍵')(d)}}}{SIX}"
        term = on_deep_stack(lambda: front_end(text).term, AssertionError("too deep"))
        return calls(lambda: called_inside(term))[0]

    assert measured(40) <= 5 * measured(10)
