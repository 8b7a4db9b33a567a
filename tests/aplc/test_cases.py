"""`aplc test`, and what `aplc FILE` takes from the header of a file."""

import numpy as np
import pytest

from tests.support.commands import Cli, Outcome, save, write
from tests.support.machine import needs_c

pytestmark = pytest.mark.usefixtures("surroundings")

DOUBLED = """⍝ Twice the numbers.
⍝ == input v int 3: 1 ¯2 3
⍝ == output 2 ¯4 6
2×v
"""


def test_a_file_with_a_header_runs_as_it_stands(cli: Cli) -> None:
    told = "aplc: input v from the header of p.apl\n"
    assert cli(write("p.apl", DOUBLED), "--target", "interp") == Outcome(0, "2 ¯4 6\n", told)


def test_what_is_given_takes_the_place_of_what_is_stated(cli: Cli) -> None:
    save("w.npy", np.array([1.5]))
    given = cli(write("p.apl", DOUBLED), "--input", "v=w.npy", "--target", "interp")
    assert given == Outcome(0, "3\n", "")


def test_the_inputs_are_those_of_the_first_case(cli: Cli) -> None:
    text = (
        "⍝ == input n int: 1\n⍝ == case a\n⍝ == input v int 1: 5\n⍝ == case b\n⍝ == input v int 1: 7\nn+v\n"
    )
    assert cli(write("p.apl", text), "--target", "interp").out == "6\n"


def test_other_comments_state_nothing(cli: Cli) -> None:
    text = "⍝ == input and output ==\n⍝ == part one\n1+1\n⍝ == input v int 1: 5\n"
    assert cli(write("p.apl", text), "--target", "interp") == Outcome(0, "2\n", "")


def test_a_wrong_input_in_a_header_is_shown(cli: Cli) -> None:
    wrong = cli(write("p.apl", "⍝ == input v int 2: 5\nv\n"), "--target", "interp")
    assert (wrong.status, wrong.first) == (1, "p.apl:1:1: HEADER ERROR: v has 1 elements, its shape 2")


def test_stages_know_the_stated_inputs(cli: Cli) -> None:
    assert "v:[int]1" in cli("emit", "tail", write("p.apl", DOUBLED)).out


# --- aplc test ------------------------------------------------------------------------------------------


@needs_c
def test_a_line_for_each_case(cli: Cli) -> None:
    text = DOUBLED.replace("⍝ == output", "⍝ == structure {loops 1}\n⍝ == output")
    expected = "ok    p.apl (interp)\nok    p.apl (c)\nok    p.apl structure\n3 of 3 as stated\n"
    assert cli("test", write("p.apl", text), "--targets", "interp,c") == Outcome(0, expected, "")


def test_what_differs_is_shown(cli: Cli) -> None:
    write("good.apl", DOUBLED)
    write("bad.apl", DOUBLED.replace("¯4", "4"))
    expected = """ok    good.apl (interp)
FAIL  bad.apl (interp)
      line 1 is '2 ¯4 6', expected '2 4 6'
1 of 2 as stated
"""
    assert cli("test", "good.apl", "bad.apl", "--targets", "interp") == Outcome(1, expected, "")


def test_errors_are_compared(cli: Cli) -> None:
    right = "⍝ == error 2:4 LENGTH ERROR: + needs\n1 2+1 2 3\n".replace("2:4", "2:1")
    assert cli("test", write("p.apl", right), "--targets", "interp").status == 0
    found = cli("test", write("p.apl", "⍝ == output 3\n1 2+1 2 3\n"), "--targets", "interp")
    assert found.status == 1 and "error p.apl:2:1: LENGTH ERROR" in found.out


def test_cases_have_their_titles(cli: Cli) -> None:
    short = "⍝ == case short\n⍝ == input v int 1: 1\n⍝ == output 1\n"
    text = f"{short}⍝ == case empty\n⍝ == input v int 0:\n⍝ == output\nv\n"
    found = cli("test", write("p.apl", text), "--targets", "interp")
    assert found.out == "ok    p.apl short (interp)\nok    p.apl empty (interp)\n2 of 2 as stated\n"


def test_what_is_expected_to_fail(cli: Cli) -> None:
    text = "⍝ == xfail not yet\n⍝ == output 4\n3\n"
    assert cli("test", write("p.apl", text), "--targets", "interp").status == 0
    passing = cli("test", write("p.apl", text.replace("4", "3")), "--targets", "interp")
    assert passing.status == 1 and "take out the line xfail" in passing.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3\n", "p.apl:1:1: HEADER ERROR: a file with cases expects output, json or an error"),
        ("⍝ == outputs 3\n3\n", "p.apl:1:1: HEADER ERROR: there is no directive outputs"),
        ("3\n⍝ == output 3\n", "p.apl:2:1: HEADER ERROR: the header ends at the first line of program"),
    ],
)
def test_a_wrong_header_is_a_case_that_fails(cli: Cli, text: str, said: str) -> None:
    found = cli("test", write("p.apl", text))
    assert found.status == 1 and said in found.out and "0 of 1 as stated" in found.out


def test_wrong_command_lines(cli: Cli) -> None:
    assert cli("test").status == 2
    assert cli("test", "p.apl", "--targets", "cuda").first.startswith("aplc: --targets are some of interp, c")
    assert cli("test", "p.apl", "--targets", ",").first == "aplc: --targets names no target"
    missing = cli("test", "missing.apl")
    assert (missing.status, missing.first) == (
        1,
        "command line:1:1: FILE ERROR: missing.apl cannot be read: there is no such file",
    )


# --- aplc -e --------------------------------------------------------------------------------------------


def test_an_expression_runs(cli: Cli) -> None:
    assert cli("-e", "+/⍳10", "--target", "interp") == Outcome(0, "55\n", "")
    write("p.apl", "square←{⍵×⍵}\n")
    assert cli("p.apl", "-e", "x←3", "-e", "square x", "--target", "interp") == Outcome(0, "9\n", "")
    wrong = cli("-e", "1 2+1 2 3", "--target", "interp")
    assert wrong.first.startswith("-e:1:1: LENGTH ERROR")


def test_commands_have_their_help(cli: Cli) -> None:
    for command in ("check", "emit", "explain"):
        shown = cli(command, "--help")
        assert shown.status == 0 and shown.out.startswith(f"usage: aplc {command} ") and "--ct T" in shown.out
    assert cli("run", "--help").out.startswith("usage: aplc ")
