"""The campaign runs, goes on where it ended, and tells what it finds; see `tests/campaign`."""

import io
import os
import time
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import aplc
from aplc.backends.c import expressions as c_expr
from aplc.compiler import to_tail
from aplc.inputs import as_input
from aplc.laila.ir.settings import Settings
from aplc.tail import prims
from aplc.tail.errors import AplcError
from aplc.tail.source import Source
from aplc.targets.interp import Interpreted
from tests.campaign import known
from tests.campaign.__main__ import main
from tests.campaign.arrays import laid_out, plain_array, plain_copy, read_file, some_file
from tests.campaign.command_lines import fault_in, surroundings
from tests.campaign.command_lines import run as run_command
from tests.campaign.compared import block_of
from tests.campaign.differences import DIFFERENCES, ITS_BUG, ITS_LACK, OUR_LIMIT, READING, reason_for
from tests.campaign.judging import fault_of, shorter, try_all
from tests.campaign.kinds import KINDS
from tests.campaign.known import KNOWN, Known, reason_of
from tests.campaign.longer import long_program
from tests.campaign.runner import Campaign, report
from tests.campaign.sample_text import sample_of
from tests.campaign.state import State
from tests.campaign.straight import (
    Branches,
    Endless,
    Rounds,
    Simple,
    some_program,
    straight,
    structured,
    wrong,
)
from tests.campaign.straight import Program as Structured
from tests.campaign.texts import read_apl, some_text
from tests.campaign.ways import ON_C
from tests.campaign.witness import Answer, Phrase, Witness, disagreement, lack, of_phrases, ours
from tests.campaign.work import Block, Finding, Kind, Tally
from tests.fuzz_targets import REJECTED, Way, compare, prepared
from tests.support.apl_programs import layouts
from tests.support.apl_programs.loose import program_of_loose
from tests.support.apl_programs.trees import Program, array
from tests.support.machine import needs_c
from tests.support.observing import is_sensitive, nearly_same, observe
from tests.support.samples import WAYS, faults, read_sample


def kind(name: str = "k", share: float = 1.0, **ways: object) -> Kind:
    return Kind(name, "", share, **ways)  # type: ignore[arg-type]


def found(block: Block) -> Tally:
    finding = Finding("k", "a sort", "it is wrong", "x.txt", f"block {block.number}\n")
    return Tally(Counter(generated=2, compared=1), [finding])


def run(state: State, *kinds: Kind, seconds: float = 0.05, jobs: int = 1) -> None:
    Campaign(kinds, state, jobs).run(seconds)


@pytest.mark.in_turn(3)
@needs_c
def test_a_short_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--minutes", "0.001", "--seed", "1", "--only", "c", "--directory", str(tmp_path / "d")]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert "generated" in first and "c: " in first
    assert State(tmp_path / "d", 1).of("c").counts["compared"] > 40


def test_another_run_goes_on(tmp_path: Path) -> None:
    run(State(tmp_path, 7), kind(run=found))
    first = State(tmp_path, 7)
    assert first.resumed and first.of("k").begun > 0 and first.of("k").pending == []
    before = first.of("k").counts["generated"]
    run(first, kind(run=found))
    assert State(tmp_path, 7).of("k").counts["generated"] > before
    with pytest.raises(ValueError, match="seed 7"):
        State(tmp_path, 8)


def test_a_block_that_was_interrupted_is_done_again(tmp_path: Path) -> None:
    state = State(tmp_path, 1)
    assert state.next_block("k", set()) == 0
    assert state.next_block("k", {0}) == 1
    state.done("k", 0, Tally(), 1.0, [])
    again = State(tmp_path, 1)
    assert again.next_block("k", set()) == 1


def test_findings_are_files_and_fail_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = State(tmp_path, 1)
    run(state, kind(run=found))
    files = sorted((tmp_path / "findings").iterdir())
    assert files and files[0].read_text() == "block 0\n"
    assert len((tmp_path / "findings.jsonl").read_text().splitlines()) == len(files)
    assert "k  " in report([kind(run=found)], state)
    monkeypatch.setattr("tests.campaign.__main__.KINDS", (kind(run=found),))
    arguments = ["--minutes", "0.001", "--directory", str(tmp_path)]
    assert main(arguments) == 1
    monkeypatch.setattr(known, "KNOWN", (Known("k", "wrong", "block", "it is a test"),))
    monkeypatch.setattr("tests.campaign.runner.reason_of", lambda f: reason_of(f, known.KNOWN))
    assert main([*arguments[:-1], str(tmp_path / "other")]) == 0
    assert list((tmp_path / "other" / "known").iterdir())


def test_a_kind_that_is_broken_is_a_finding(tmp_path: Path) -> None:
    def broken(block: Block) -> Tally:
        raise KeyError("this is the work's own fault")

    def ends(block: Block) -> Tally:
        os._exit(3)

    state = State(tmp_path, 1)
    run(state, kind("a", run=broken), kind("b", run=ends), seconds=0.3)
    assert any("own fault" in f.read_text() for f in (tmp_path / "findings").iterdir())
    assert any("status 3" in f.read_text() for f in (tmp_path / "findings").iterdir())


def test_kinds_have_their_share_of_the_time(tmp_path: Path) -> None:
    def busy(block: Block) -> Tally:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return Tally()

    state = State(tmp_path, 1)
    state.of("a").seconds = 3.0
    state.of("b").seconds = 1.0
    run(state, kind("a", 2.0, run=busy), kind("b", 1.0, run=busy), seconds=0.1)
    assert state.of("b").begun > 0 and state.of("a").begun == 0


def test_what_is_known_has_a_reason_and_names_a_kind() -> None:
    names = {each.name for each in KINDS}
    assert all(each.reason and any(known_kind(each, name) for name in names) for each in KNOWN)


def known_kind(each: Known, name: str) -> bool:
    return each.holds(Finding(name, "", "", "", "")) or Known(each.kind, "", "", "").holds(
        Finding(name, "", "", "", "")
    )


# --- programs -------------------------------------------------------------------------------------------


@needs_c
def test_a_difference_becomes_a_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(c_expr.SPELLING, prims.MAXI, c_expr.Named("aplc_min_int"))
    program = Program(array("⌈/I"), {"I": np.array([1, 2, 7], np.int16)})
    work = block_of("c", lambda random: program, [Way(2, in_haste=True)], batch=1)
    (finding,) = work(Block(1, 0, Counter(), time.monotonic() + 30)).findings
    monkeypatch.undo()
    file = tmp_path / "found.apl"
    file.write_text(finding.text)
    assert faults(read_sample(file), ["interp -O0", "interp -O2"]) == []


def test_a_sample_of_every_kind_of_input(tmp_path: Path) -> None:
    inputs = {
        "A": np.array([[1.5, np.inf], [-np.nan, -0.0]], np.float32),
        "B": np.array([True, False]),
        "C": np.array(list("a'⍴")),
        "E": np.zeros((0, 3), np.int8),
        "S": np.array(-5),
    }
    for text in ("A", "B", "C", "E", "S", "A+B"):
        file = tmp_path / "s.apl"
        file.write_text(sample_of(text, inputs, ["a remark"]))
        assert faults(read_sample(file), ["interp -O0"]) == [], text
    assert "interp -O0" in WAYS


@needs_c
def test_ways_agree_on_what_is_chosen() -> None:
    """Without checks what fails is not compared; with checks of overflow it is another error."""
    programs = [Program(array(text), {}) for text in ("9223372036854775807+⍳3", "1 2 3[⍳4]", "+/⍳4")]

    def told(settings: Settings) -> list[str]:
        return [o.status for o in compare(programs, [Way(2, settings, in_haste=True)])]

    assert told(Settings(unsafe=True)) == ["agreed", "rejected", "agreed"]
    assert told(Settings(check_overflow=True)) == ["agreed"] * 3
    assert {str(way) for way in ON_C} >= {"level 2", "level 2 in haste", "level 0 unsafe in haste"}


@pytest.mark.parametrize(
    ("text", "x", "hangs"),
    [
        (r"+\x", [0.1, 1e308, -2.0, -1e308, 1.5], True),
        (r"+⍀x", [[0.5, 1.0], [1.0, 2.0], [1e308, 3.0], [-1e308, 4.0]], True),
        (r"+\x", [1.0, 2.0, 3.0, 4.0], False),
        (r"-\x", [0.1, 1e308, -2.0, -1e308, 1.5], False),
    ],
)
def test_scans_that_hang_on_their_order_are_not_compared(text: str, x: object, *, hangs: bool) -> None:
    given = as_input(np.array(x))
    term = to_tail([Source("text", text)], {"x": given.type}, value_of_assignment=True).term
    expected = observe(Interpreted(term).run, [given.value])
    assert is_sensitive(term, [given.value], expected) == hangs


def test_long_programs_are_long_and_mostly_right() -> None:
    programs = [long_program(Random(seed)) for seed in range(8)]
    texts = "\n".join([p.text for p in programs])
    assert max(len(p.tree.children) for p in programs) > 20
    for sign in ("⍺⍺", "∇", "⍺←", "⎕←", "]←"):
        assert sign in texts, sign


# --- the other kinds of work ----------------------------------------------------------------------------


def test_loose_programs_are_of_all_sorts() -> None:
    made = [program_of_loose(Random(seed)) for seed in range(300)]
    assert {v.dtype.kind for m in made for v in m.inputs.values()} == set("bifUc")
    assert all(
        any(part in m.text for m in made) for part in ("⍤", "⌺", "⌸", "@", "⊆", ":For", "∇1↓", "x[1;]")
    )
    outcomes = [prepared(each) for each in made[:40]]
    refused = [each for each in outcomes if getattr(each, "status", "") == REJECTED]
    assert 5 < len(outcomes) - len(refused) < 35


def test_texts_that_are_nearly_programs() -> None:
    made = [some_text(Random(seed)) for seed in range(60)]
    assert any(m.inputs for m in made) and any("\x00" in m.text or "⍺⍺" in m.text for m in made)
    assert {fault_of(lambda: read_apl(m))[0] for m in made} <= {"compared", "rejected"}  # noqa: B023


@pytest.mark.in_turn(3)
def test_a_text_that_fails_is_made_smaller() -> None:
    def work(text: str) -> str:
        if "x" in text:
            raise KeyError("an x")
        return ""

    tally = try_all(
        "t", Block(1, 0, Counter(), time.monotonic() + 5), ["abcxdef"], work, str, shorter, "t.txt"
    )
    assert tally.findings[0].text.endswith("\nx\n") and tally.counts["KeyError"] == 1


def test_arrays_in_every_layout_hold_the_same() -> None:
    made = [laid_out(Random(-seed - 1), plain_array(Random(seed))) for seed in range(400)]
    assert len({how for how, _ in made}) == 9
    assert {a.dtype.kind for _, a in made} >= set("biufUSOcM")
    assert any(not a.flags.c_contiguous for _, a in made)
    assert any(not a.flags.aligned for _, a in made)
    for how, a in made:
        assert how == "bytes" or a.dtype.kind != "b" or (plain_copy(a) == a).all()


def test_inputs_of_long_vectors_lie_in_other_ways() -> None:
    values = (np.arange(6).reshape(2, 3), np.full(5, 2.5), np.array(list("abc")), np.zeros(0, np.int8))
    made = [(v, layouts.laid_out(v, Random(seed))) for v in values for seed in range(60)]
    assert all(np.array_equal(v, a) for v, a in made)
    assert any(a.strides[:1] < (0,) for _, a in made) and any(a.strides[:1] == (0,) for _, a in made)
    assert any(not a.flags.aligned for _, a in made) and any(not a.dtype.isnative for _, a in made)


def test_complex_numbers_are_nearly_the_same_where_both_parts_are() -> None:
    nan, inf = np.nan, np.inf
    for a, b, same in (
        (complex(1, nan), complex(1, nan), True),
        (complex(nan, 2), complex(nan, 3), False),
        (complex(1e9, 1e-7), complex(1e9, 0), True),
        (complex(1e9, 1e-7), complex(1e9, 10), False),
        (complex(inf, 1), complex(inf, 1), True),
        (complex(inf, 1), complex(-inf, 1), False),
    ):
        assert nearly_same(np.array([a]), np.array([b])) is same


def test_files_that_are_nearly_npy() -> None:
    good = io.BytesIO()
    np.save(good, np.arange(3))
    assert read_file(good.getvalue()) == ""
    with pytest.raises(AplcError):
        read_file(good.getvalue()[:-1])
    assert len({some_file(Random(seed)) for seed in range(50)}) == 50


@pytest.mark.parametrize(
    ("status", "told", "wrong"),
    [
        (0, "385\n", ""),
        (1, "p.apl: no\n", ""),
        (None, "", "it does not end"),
        (1, "Traceback (most recent call last):\n  x\nKeyError: 1\n", "a traceback: KeyError: 1"),
        (70, "a bug in aplc", "exit status 70: a bug in aplc"),
        (1, "", "exit status 1, and not a word"),
        (1, "\x1b[31m", "control characters reach the terminal"),
    ],
)
def test_how_commands_end(status: int | None, told: str, wrong: str) -> None:
    assert fault_in(status, told) == wrong


def test_a_command_in_surroundings_that_fail(tmp_path: Path) -> None:
    surroundings(tmp_path)
    status, told = run_command(["p.apl", "--target", "interp"], "no PATH", tmp_path)
    assert (status, told) == (0, "385\n")
    status, told = run_command(["p.apl", "--no-cache"], "a compiler that fails", tmp_path)
    assert status in (1, 3) and "Traceback" not in told


# --- the witness ----------------------------------------------------------------------------------------


def number(*data: float, shape: tuple[int, ...] | None = None) -> Answer:
    return Answer("number", (len(data),) if shape is None else shape, data)


@pytest.mark.parametrize(
    ("mine", "other", "said"),
    [
        (number(1, 2), number(1.0, 2.0), ""),
        (number(1, 2), number(1, 3), "other elements"),
        (number(1, 2), number(1, 2, shape=(1, 2)), "another shape"),
        (number(1), Answer("error", message="domain error"), "ours number, its error"),
        (Answer("error", message="DOMAIN ERROR"), Answer("error", message="length error"), ""),
        (Answer("error"), number(1), "ours error, its number"),
        (Answer("unknown"), number(1), ""),
        (number(), Answer("character", (0,)), ""),
        (Answer("character", (), ("a",)), Answer("character", (1,), ("a",)), ""),
    ],
)
def test_answers_differ(mine: Answer, other: Answer, said: str) -> None:
    assert disagreement(mine, other) == said


def test_what_the_interpreter_says_to_a_witness() -> None:
    assert ours("2 2⍴⍳4", {}) == number(1, 2, 3, 4, shape=(2, 2))
    assert ours("c←'ab'", {}) == Answer("character", (2,), ("a", "b"))
    assert ours("1÷0", {}).kind == "error"
    assert ours("I+1", {"I": np.array(2**63 - 1)}).kind == "unknown"  # there it is a double
    assert ours("(1 2)(3 'a')", {}).kind == "unknown"


def test_arrays_are_written_out() -> None:
    inputs = {"I": np.array([[1, -2]]), "C": np.array(list("a'")), "E": np.zeros((0, 2)), "B": np.array(True)}
    for name, value in inputs.items():
        text = Phrase(name, {name: value}).whole
        assert nearly_same(aplc.run(text, target="interp"), value) if value.ndim else aplc.run(text) == value
    assert Phrase("D", {"D": np.array([np.nan])}).whole == ""


def test_every_difference_says_whose_it_is() -> None:
    for each in DIFFERENCES:
        assert each.reason.partition(": ")[0] in (ITS_BUG, ITS_LACK, OUR_LIMIT, READING)
    assert reason_for("1\\1 2 3", "number [3]", "length error: an expansion mask taking 1 item(s) over 3")
    assert not reason_for("1 2", "number [2] 1 2", "number [2] 1 3")


def test_the_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    if lack():
        pytest.skip(f"NOT CHECKED: {lack()}")
    witness = Witness()
    try:
        unused = {"v": np.arange(3)}  # a line of a sample has the inputs of all of it
        assert ours("+/⍳10", unused) == number(55, shape=())
        assert disagreement(ours("+/⍳10", {}), witness.ask("+/⍳10")) == ""
        assert witness.ask("'ab'") == Answer("character", (2,), ("a", "b"))
        assert witness.ask("1 2+1 2 3").kind == "error"
        assert witness.ask("⎕IO←0 ⋄ ⍳3").kind == "unknown"
        assert witness.ask("⍳3", origin=0) == number(0, 1, 2)
        monkeypatch.setattr("tests.campaign.witness.SECONDS", 0.5)
        assert witness.ask("{∇⍵+1}⍣≡0").kind in ("crash", "error")
        monkeypatch.undo()
        assert witness.ask("2+2") == number(4, shape=())
    finally:
        witness.end()


def test_a_wrong_value_is_what_the_witness_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    if lack():
        pytest.skip(f"NOT CHECKED: {lack()}")
    monkeypatch.setattr("tests.campaign.witness.some_phrase", lambda random: Phrase("1 2 3+4", {}))
    monkeypatch.setattr("tests.campaign.witness.PHRASES", 2)
    monkeypatch.setattr("tests.campaign.judging.limited", lambda: None)
    monkeypatch.setattr("tests.campaign.witness.limited", lambda: None)
    assert of_phrases(Block(1, 1, Counter())).counts["compared"] == 2
    monkeypatch.setattr("tests.campaign.witness.ours", lambda text, inputs: number(5, 6, 8))
    tally = of_phrases(Block(1, 1, Counter()))
    assert [f.sort for f in tally.findings] == ["other elements: "] * 2


def test_control_structures_are_compared_with_a_straight_line() -> None:
    """Both texts of a program show the same, in whichever order its loops are left."""
    shown = 0
    for k in range(60):
        program = some_program(Random(k))
        try:
            line = straight(program)
        except Endless:
            continue
        assert structured(program).count("⎕←") >= len(program.shown)
        shown += line.count("⎕←")
    assert shown > 100
    kind = next(kind for kind in KINDS if kind.name == "straight")
    tally = kind.run(Block(1, 0, Counter()))
    assert not tally.findings and tally.counts["compared"] > 0


def test_what_a_control_structure_shows_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    jump = Branches((("k>1", (Simple(":Continue"),)),))
    code = (Rounds("Repeat", "k", (Simple("w←w,2"), jump, Simple("w←w,3"))),)
    begin = tuple([f"{name}←1 1" for name in "wqvs"])
    program = Structured(is_local=False, begin=begin, code=code, shown="w", n=2)
    assert straight(program).splitlines()[4:-4] == ["w←w,2", "w←w,3", "w←w,2", "⎕←w"]
    assert wrong(program) == ""
    monkeypatch.setattr("tests.campaign.straight.straight", lambda program: "⎕←1 1 2 2")
    assert "in a straight line '1 1 2 2" in wrong(program)
