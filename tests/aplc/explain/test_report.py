"""`aplc explain`: what becomes of arrays, why, and what loops move; and that its page tells the truth."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc.cli
from aplc.backends.opencl.device import find_device
from tests.support.machine import needs_device
from tests.support.paths import ROOT

LENGTH = 1000

Told = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with the input `v.npy`."""
    monkeypatch.chdir(tmp_path)
    np.save("v.npy", np.linspace(1.0, 2.0, LENGTH))


def explained(capsys: pytest.CaptureFixture[str], text: str, *options: str) -> str:
    """The text about a program of the input `v`."""
    Path("p.apl").write_text(text, encoding="utf-8")
    inputs = ["--input", "v=v.npy"] if re.search(r"\bv\b", text) else []
    assert aplc.cli.main(["explain", "p.apl", *inputs, *options]) == 0
    return capsys.readouterr().out


def told(capsys: pytest.CaptureFixture[str], text: str, *options: str) -> Told:
    """The objects about it."""
    return [json.loads(line) for line in explained(capsys, text, "--format", "json", *options).splitlines()]


def of_kind(objects: Told, kind: str) -> Told:
    return [each for each in objects if each["kind"] == kind]


def array(objects: Told, text: str) -> dict[str, Any]:
    """What is told of the array with that text."""
    (found,) = [each for each in of_kind(objects, "array") if each["text"] == text]
    return found


def moved(loop: dict[str, Any], direction: str) -> dict[str, int]:
    """The bytes that a loop reads or writes, by array."""
    return {each["array"]: each["bytes"]["value"] for each in loop[direction]}


def test_operators_whose_functions_change_names_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    program = "s←0\nf←{s+←⍵ ⋄ s}\n+/f¨v\n+/{⍵×2}¨v"
    (order,) = of_kind(told(capsys, program), "in order")
    assert (order["line"], order["text"], order["operator"], order["changes"]) == (3, "f¨v", "f¨", ["s"])
    assert "f¨ in order, 3:3 f¨v: its function changes s\n" in explained(capsys, program)


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8").split("\n\n")
    program, output = [
        "\n".join([line[4:] for line in block.splitlines()]) + "\n"
        for block in blocks
        if block.startswith("    ")
    ][:2]
    Path("signal.apl").write_text(program, encoding="utf-8")
    assert aplc.cli.main(["explain", "signal.apl", "--input", "v=v.npy"]) == 0
    assert capsys.readouterr().out == output


SUMS = "s1←+/v\ns2←+/(v>0)/v\n(v÷s1)(v÷s2)"


def test_sums_share_a_loop_and_the_quotients_wait_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, SUMS)
    sums, *quotients = of_kind(objects, "loop")
    assert sums["parts"] == ["reduction", "reduction"]
    assert [place["text"] for place in sums["places"]] == ["+/v", "+/(v>0)/v"]
    assert moved(sums, "reads") == {"v": 8 * LENGTH}
    assert moved(sums, "writes") == {}
    assert quotients and all(loop["after"] == [1] for loop in quotients)
    assert array(objects, "(v>0)/v")["fate"] == "fused"
    for text in ("v÷s1", "v÷s2"):
        assert array(objects, text)["reasons"] == ["it is a result"]
    written = [moved(loop, "writes") for loop in quotients]
    assert {k: n for each in written for k, n in each.items()} == {"v÷s1": 8 * LENGTH, "v÷s2": 8 * LENGTH}
    (memory,) = of_kind(objects, "memory")
    assert memory["peak"] == [{"formula": "16·v_n", "value": 16 * LENGTH}]


def test_without_optimisation_each_sum_has_its_loop(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_ = of_kind(told(capsys, SUMS, "-O", "0"), "loop")
    assert [place["text"] for place in first["places"]] == ["+/v"]
    assert [place["text"] for place in second["places"]] == ["+/(v>0)/v"]


def test_mean_and_variance_read_twice(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "mean←{(+/⍵)÷≢⍵}\nvar←{(+/2*⍨⍵-mean ⍵)÷≢⍵}\nvar v")
    first, second = of_kind(objects, "loop")
    assert moved(first, "reads") == moved(second, "reads") == {"v": 8 * LENGTH}
    assert second["after"] == [1]
    assert not any(each["fate"] == "written" for each in of_kind(objects, "array"))
    assert of_kind(objects, "memory")[0]["peak"] == []


def test_a_rewritten_generation_of_life(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "apl_samples" / "life.apl").read_text(encoding="utf-8")
    objects = told(capsys, text)
    row = [each for each in of_kind(objects, "array") if each["name"] == "row"]
    assert len(row) == 1 and row[0]["fate"] == "written"
    assert any(reason.startswith("its elements go to") for reason in row[0]["reasons"])
    assert "it needs other elements than the one at hand" in {r["apart"] for r in row[0]["readers"]}
    loops = of_kind(objects, "loop")
    of_row = [loop for loop in loops if "row" in moved(loop, "writes")]
    assert of_row and all(moved(loop, "writes")["row"] in (25, 36) for loop in of_row)  # a byte an element


def test_squad_has_an_array_written(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "w←⌷2×v\n(⌽w)+w")
    w = array(objects, "⌷2×v")
    assert (w["name"], w["fate"], w["reasons"]) == ("w", "written", ["⌷ asks for it"])
    assert moved(of_kind(objects, "loop")[0], "writes") == {"w": 8 * LENGTH}
    (fused,) = [each for each in of_kind(told(capsys, "w←2×v\n(⌽w)+w"), "array") if each["name"] == "w"]
    assert fused["fate"] == "fused"


def test_squad_has_it_written_even_where_its_only_loop_uses_it(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "w←⌷2×v\n+/w")
    assert array(objects, "⌷2×v")["fate"] == "written"
    (loop,) = of_kind(objects, "loop")
    assert moved(loop, "writes") == {"w": 8 * LENGTH}


def test_an_array_whose_uses_share_its_loop_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "k←*⍟1+v×v\nm←k×(⌽v)+1⌽v\n(+/m)+(⌈/m)+⌊/m")
    m = array(objects, "k×(⌽v)+1⌽v")
    assert (m["name"], m["fate"], m["loops"]) == ("m", "register", [1])
    (loop,) = of_kind(objects, "loop")
    assert loop["writes"] == []


def test_an_array_is_kept_where_that_is_cheaper(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "k←*⍟1+v×v\n(⌽k)+1⌽k")
    k = array(objects, "*⍟1+v×v")
    assert (k["name"], k["fate"], k["loops"]) == ("k", "written", [1])
    assert k["reasons"][0].startswith("its elements go to 2 places and take about")
    assert k["readers"] == [{"loop": 2, "apart": "it needs other elements than the one at hand"}]
    writer, reader = of_kind(objects, "loop")
    assert moved(writer, "writes") == moved(reader, "reads") == {"k": 8 * LENGTH}


def test_the_state_of_a_loop(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "step←{(0.5×⍵)+0.25×(1⌽⍵)+¯1⌽⍵}\n(step⍣100) v")
    state = array(objects, "(0.5×⍵)+0.25×(1⌽⍵)+¯1⌽⍵")
    assert state["reasons"] == ["it is the state of the next round of a loop"]
    before, each_round = of_kind(objects, "loop")
    assert (before["in_rounds"], each_round["in_rounds"]) == (False, True)
    assert of_kind(objects, "memory")[0]["peak"] == [{"formula": "16·v_n", "value": 16 * LENGTH}]


def test_a_matrix_product_reads_its_operands_once(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("a.npy", np.ones((20, 30)))
    np.save("b.npy", np.ones((30, 40)))
    Path("p.apl").write_text("a+.×b", encoding="utf-8")
    arguments = ["explain", "p.apl", "--input", "a=a.npy", "--input", "b=b.npy", "--format", "json"]
    assert aplc.cli.main(arguments) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    *versions, loop = [each for each in of_kind(objects, "loop") if each["writes"]]
    assert len(versions) == 3  # of rows of two, three and four elements
    assert moved(loop, "reads") == {"a": 20 * 30 * 8, "b": 30 * 40 * 8}
    assert moved(loop, "writes") == {"a+.×b": 20 * 40 * 8}


def test_a_number_that_only_the_run_knows(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "b←(v>1)/v\n(⌽b)+b")
    (place,) = [line for line in text.splitlines() if "known when the program runs" in line]
    name = place.partition(":")[0]
    assert place.endswith("1:3 (v>1)/v")
    assert f"writes 8·{name} bytes of b" in text


def test_functions_of_the_run_time_system_need_memory(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "v[⍋-v]")
    assert array(objects, "-v")["reasons"] == ["⍋ needs it in memory"]
    parts = [loop["parts"] for loop in of_kind(objects, "loop")]
    assert ["function aplc_grade_up_double"] in parts


def test_errors_of_elements_that_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, "2↑÷v")
    quotients = array(objects, "÷v")
    assert quotients["reasons"] == ["elements of it may be left out, and their errors must come all the same"]
    assert of_kind(objects, "loop")[0]["checks"][0]["error"] == "DOMAIN ERROR"


def test_errors_come_as_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.apl").write_text("1 2 3+4 5", encoding="utf-8")
    assert aplc.cli.main(["explain", "p.apl"]) == 1
    assert capsys.readouterr().err.startswith("p.apl:1:1: LENGTH ERROR")
    assert aplc.cli.main(["explain", "p.apl", "--target", "interp"]) == 2
    assert "nothing to explain" in capsys.readouterr().err


# --- the summary ----------------------------------------------------------------------------------------


def summary(capsys: pytest.CaptureFixture[str], text: str) -> dict[str, Any]:
    (found,) = of_kind(told(capsys, text), "summary")
    return found


def test_the_summary_holds_what_is_moved_against_the_least(capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(capsys, "k←*⍟1+v×v\n(⌽k)+1⌽k")
    assert found["moved"] == 4 * 8 * LENGTH  # v is read, k written and read, the result written
    assert found["least"] == {"formula": "16·v_n", "value": 2 * 8 * LENGTH}
    assert found["times_the_least"] == 2.0
    assert [(each["name"], each["bytes"]["value"]) for each in found["written"]] == [
        ("k", 8 * LENGTH),
        ("(⌽k)+1⌽k", 8 * LENGTH),
    ]
    assert found["change"]["name"] == "k"
    assert found["change"]["why"] == "it needs other elements than the one at hand"
    assert "f⌽v for ⌽f v" in found["change"]["change"]


def test_what_moves_least_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "v+1")
    assert (
        "moves 16,000 bytes (16 kB); inputs read once and results written once are 16,000 bytes: just that"
        in text
    )
    assert "not fused" not in text


K = "k←*⍟1+v×v"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("w←⌷2×v\n+/w", "w←2×v\n+/w", "leave the ⌷ out"),
        ("2↑÷v", "÷2↑v", "÷2↑v for 2↑÷v"),
        ("w←(v>1.5)/v\n(+/w)+w[1]", "m←v>1.5\n+/m×v", "+/m×w for +/m/w"),
        ("k←*⍟1+v×v\n+/(⌽k)×1⌽k", "f←{*⍟1+⍵×⍵}\n+/(f⌽v)×f 1⌽v", "f⌽v for ⌽f v"),
        (f"{K}\nm←(+/k)÷≢k\n+/2*⍨k-m", f"{K}\nm←(+/k)÷≢k\n(+/k×k)-(≢k)×m×m", "(+/v×v)-(≢v)×m×m for +/2*⍨v-m"),
        (f"{K}\n⎕←⌈/k\n+/2↓k", f"{K}\n⎕←⌈/k\n+/(2<⍳≢k)×k", "+/(2<⍳≢v)×v for +/2↓v"),
        (
            f"{K}\n{{v[1]>3:(+/k)(⌈/k) ⋄ 0 0}}0", "{v[1]>3:{(+/⍵)(⌈/⍵)}*⍟1+v×v ⋄ 0 0}0",
            "compute k where it is used, under the same condition",
        ),
        (
            f"{K}\n⎕←+/k\n⎕←÷0.5-v[1]\n+/⍟k", f"{K}\nr←+/⍟k\n⎕←+/k\n⎕←÷0.5-v[1]\nr",
            "move what is printed or checked in between behind both loops",
        ),
    ],
)  # fmt: skip
def test_the_change_that_is_told_fuses(
    before: str, after: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the summary says of one program holds: the other one is what it becomes by that change."""
    assert words in summary(capsys, before)["change"]["change"]
    assert summary(capsys, after)["change"] is None


def test_a_loop_that_waits_through_another_one_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    objects = told(capsys, f"{K}\nm←⌈/k\ns←+/*k-m\n+/k-s")
    (k,) = [each for each in of_kind(objects, "array") if each["name"] == "k"]
    assert {each["apart"] for each in k["readers"]} == {"it waits for a result of the other one"}
    assert [each["loop"] for each in k["readers"]] == [2, 3]


def test_functions_of_the_run_time_system_move_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    (sort,) = [
        x for x in of_kind(told(capsys, "v[⍋v]"), "loop") if x["parts"] == ["function aplc_sort_up_double"]
    ]
    assert moved(sort, "reads") == moved(sort, "writes") == {"v[⍋v]": 8 * LENGTH}


USES = "d←{⍵-(+/⍵)÷≢⍵}\na←d v\nd d⌽a×a"


@pytest.mark.parametrize("target", ["c", "opencl"])
def test_uses_of_one_function_stand_together(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, USES, "--target", target)
    (uses,) = re.findall(r"^(loops .*  1:7 \+/⍵\n(?: .*\n)+)", text, re.M)
    head, kind, *others = uses.splitlines()
    numbers = re.findall(r"\d+", head.partition("  ")[0])
    assert len(numbers) >= 2 and kind == f"        reduction over v_n, {len(numbers)} times"
    shared = [line.strip() for line in others if not line.startswith("        loop ")]
    assert "reads 8·v_n = 8,000 bytes of v; writes nothing" in shared
    assert ("in threads, where there is enough to do" in shared) == (target == "opencl")
    for number in numbers[1:]:
        (own,) = [line for line in others if line.startswith(f"        loop {number}: ")]
        assert f"begins when loop{'s' if number == '3' else ''} 1" in own
        assert ("a kernel from" in own) == (target == "opencl")


def test_the_page_links_source_and_loops(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "k←*⍟1+v×v ⍝ <b>\n(⌽k)+1⌽k", "--html", "p.html")
    page = Path("p.html").read_text("utf-8")
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    links = re.findall(r'href="#([^"]+)"', page)
    assert {"loop-1", "loop-2", "source-0-1", "source-0-2"} <= set(links) <= set(ids)
    assert "⍝ &lt;b&gt;" in page and "<b>" not in page
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert "prefers-color-scheme: dark" in page
    assert text.splitlines()[0] in page
    assert "moves 32,000 bytes (32 kB)" in page


def test_the_page_has_the_graph_and_groups_uses(capsys: pytest.CaptureFixture[str]) -> None:
    explained(capsys, USES, "--html", "p.html")
    page = Path("p.html").read_text("utf-8")
    (graph,) = re.findall(r"<svg .*?</svg>", page, re.S)
    count = len(of_kind(told(capsys, USES), "loop"))
    every = [str(k + 1) for k in range(count)]
    assert re.findall(r'<a href="#loop-(\d+)">\n<g class="loop" data-loops="(\d+)">', graph) == [
        (k, k) for k in every
    ]
    (group,) = [each for each in re.findall(r"<article.*?</article>", page, re.S) if "times" in each]
    assert re.search(r"<h3>loops \d.*1:7 \+/⍵", group)
    assert group.count("<p id=") == len(re.findall(r"\d+", re.findall(r"<h3>(loops [^<]*)", group)[0]))
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and {f"loop-{k}" for k in every} <= set(ids)
    for rule in re.findall(r"([^{}]+)\{[^{}]*\}", graph.partition("</style>")[0].partition("<style>")[2]):
        assert all(".drawing " in each for each in rule.split("@media")[0].split(",") if each.strip())


# --- devices --------------------------------------------------------------------------------------------

SORTED = """⎕←+/v
w←v×2
⎕←w[⍋w]+⌽w
"""


@pytest.fixture
def large() -> None:
    """So many numbers that each loop is worth a kernel; none of them takes room on the disk."""
    np.lib.format.open_memmap("v.npy", "w+", np.float64, (20_000_000,)).flush()


def test_what_runs_on_a_device(large: None, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, SORTED, "--target", "opencl")
    work = r"a kernel from (4194304|33554432) operations on; it takes about"
    assert re.search(rf"{work} 2·v_n = 40,000,000, so here on the device\n", text), text
    assert text.count("where the device has memory of its own: v\n") == 1  # it stays there for the next loop
    assert "on the host: the host's threads sort" in text
    assert text.count("copied before it, where the device has memory of its own: w\n") == 2
    assert text.endswith("copied from such a device to be shown: w[⍋w]+⌽w\n")


def test_what_moves_between_host_and_device(large: None, capsys: pytest.CaptureFixture[str]) -> None:
    loops = of_kind(told(capsys, SORTED, "--target", "opencl"), "loop")
    assert [loop["moves"] for loop in loops if loop["moves"]] == [["v"], ["w"], ["w"]]
    assert [loop["parts"] for loop in loops if loop["operations_of_kernel"] is None] == [
        ["function aplc_sort_up_double"]
    ]


def test_short_loops_stay_on_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, SORTED, "--target", "opencl")
    assert "it takes about 2·v_n = 2,000, so here on the host\n" in text and "copied" not in text


@needs_device
def test_what_threads_do_sooner_has_no_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "(v>1.5)/v\n", "--target", "opencl")
    if not find_device("").is_cpu:
        pytest.skip("the device is no processor")
    assert "the host's threads do it sooner, as all of this program: it has filters" in text
    assert "a kernel" not in text
