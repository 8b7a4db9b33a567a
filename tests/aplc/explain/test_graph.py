"""`aplc explain --graph`: what the graph says, and that its three forms can be read and say the same."""

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from aplc.explain.layers import GAP, LANE, layered
from aplc.laila.reports.calls import MAIN, call_graph, recursive_together
from tests.support.commands import COMMAND, Cli, environment
from tests.support.days import of_today
from tests.support.paths import ROOT

SVG = "{http://www.w3.org/2000/svg}"
PAGE = "k ← *⍟1+v×v\n(+/v)(⌈/k)(+/k×⌽k)\n"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with the input `v.npy`."""
    monkeypatch.chdir(tmp_path)
    np.save("v.npy", np.linspace(1.0, 2.0, 1000))


def drawn(cli: Cli, text: str, form: str, *options: str) -> str:
    """The text of the graph of a program of the input `v`."""
    Path("p.apl").write_text(text, encoding="utf-8")
    inputs = ["--input", "v=v.npy"] if re.search(r"\bv\b", text) else []
    outcome = cli("explain", "p.apl", *inputs, *options, "--graph", f"out.{form}")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.endswith("\n")  # the text, too
    return Path(f"out.{form}").read_text(encoding="utf-8")


def graph_of(cli: Cli, text: str, *options: str) -> nx.MultiDiGraph:
    """The same, read back from GraphML."""
    return nx.read_graphml(io.BytesIO(drawn(cli, text, "graphml", *options).encode()), force_multigraph=True)


def of_kind(graph: nx.MultiDiGraph, kind: str) -> dict[str, dict[str, Any]]:
    return {name: node for name, node in graph.nodes(data=True) if node["kind"] == kind}


def node(graph: nx.MultiDiGraph, label: str) -> str:
    """The node whose label has that in it."""
    (found,) = [name for name, each in graph.nodes(data=True) if label in each["label"]]
    return found


def edges(graph: nx.MultiDiGraph, kind: str) -> dict[tuple[str, str], str]:
    """The edges of a kind, with their labels."""
    return {(u, v): each.get("label") or "" for u, v, each in graph.edges(data=True) if each["kind"] == kind}


# --- what it says ---------------------------------------------------------------------------------------


def test_the_example_of_the_page(cli: Cli) -> None:
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    assert "".join([f"    {line}\n" for line in PAGE.splitlines()]) in page
    graph = graph_of(cli, PAGE)
    loops = {each["place"].partition(" ")[2]: each["loop"] for each in of_kind(graph, "soac").values()}
    assert loops == {"*⍟1+v×v": 1, "+/v": 1, "⌈/k": 1, "+/k×⌽k": 2}
    k = node(graph, "k\nfloat64, 8·v_n = 8,000 bytes")
    assert graph.nodes[k]["reason"].startswith("its elements go to")
    writer, reader = node(graph, "map\n1:5"), node(graph, "reduction\n2:12")
    assert edges(graph, "apart")[writer, reader] == "it needs other elements than the one at hand"
    assert edges(graph, "memory")[writer, k] == edges(graph, "memory")[k, reader] == "8·v_n = 8,000 bytes"
    assert "⌽k" in graph.nodes[reader]["fused"]
    assert (writer, node(graph, "reduction\n2:7")) in edges(graph, "register")
    for word in ("`memory`", "`scalar`", "`register`", "`call`", "`move`", "`apart`", "`fused`", "`reason`"):
        assert word in page


def test_loops_that_read_the_same_and_must_wait(cli: Cli) -> None:
    graph = graph_of(cli, "mean←{(+/⍵)÷≢⍵}\nvar←{(+/2*⍨⍵-mean ⍵)÷≢⍵}\nvar v")
    first, second = of_kind(graph, "soac")
    assert edges(graph, "apart") == {(first, second): "it waits for a result of the other one"}
    assert (first, second) in edges(graph, "scalar")
    assert not of_kind(graph, "array")


def test_the_reasons_are_those_of_the_text(cli: Cli) -> None:
    Path("p.apl").write_text("b←(v>1)/v\ne←*⍟b\n(⌽e)+1⌽e", encoding="utf-8")
    told = cli("explain", "p.apl", "--input", "v=v.npy", "--graph", "out.graphml").out
    graph = nx.read_graphml("out.graphml", force_multigraph=True)
    reasons = set(edges(graph, "apart").values())
    assert "how many elements there are is known when they are all written" in reasons
    assert all(reason in told for reason in reasons)
    assert {each["loop"] for each in of_kind(graph, "soac").values()} == set(
        range(1, told.count("\nloop ") + 1)
    )


def test_narrow_integers_constants_and_prints(cli: Cli) -> None:
    graph = graph_of(cli, (ROOT / "apl_samples" / "life.apl").read_text(encoding="utf-8"))
    arrays = of_kind(graph, "array").values()
    assert any(each["label"] == "row\nint8, 25 bytes" for each in arrays)
    assert any(each["label"].startswith("constants") for each in arrays)
    assert {each["label"] for each in of_kind(graph, "result").values()} == {"printed"}


def test_rounds_of_a_loop_and_functions_of_the_run_time_system(cli: Cli) -> None:
    text = "step←{(0.5×⍵)+0.25×(1⌽⍵)+¯1⌽⍵}\n⎕←v[⍋-v]\n(step⍣100) v"
    graph = graph_of(cli, text)
    grade = node(graph, "function aplc_grade_up_double")
    order = node(graph, "⍋-v\nint64")
    assert [order] == [w for u, w in edges(graph, "memory") if u == grade]
    assert order not in [u for u, w in edges(graph, "memory") if w == grade]
    assert edges(graph, "move")
    svg = drawn(cli, text, "svg")
    assert "in each round of a loop" in svg and 'class="edge move"' in svg


RECURSIVE = """even←{⍵=0:1 ⋄ (odd ⍵-1)+⊃(odd ⍵-1)}
odd←{⍵=0:0 ⋄ 1+(even ⍵-1)+⍵<1:0 ⋄ 1-(even ⍵-1)-∇ ⍵-1}
fac←{⍵=0:1 ⋄ ⍵-∇ ⍵-1}
(even ≢v)(fac 5+≢v)
"""


def test_functions_that_are_recursive_together(cli: Cli) -> None:
    said = [
        each["label"].rpartition("\n")[2] for each in of_kind(graph_of(cli, RECURSIVE), "function").values()
    ]
    assert sorted([words.partition(" f")[0] for words in said]) == [
        "calls itself",
        *["recursive together with"] * 2,
    ]


def test_the_call_graph() -> None:
    program = type("Program", (), {"functions": (), "statements": ()})()
    assert list(call_graph(program)) == [MAIN]
    graph = nx.DiGraph([(MAIN, "f"), ("f", "g"), ("g", "f"), ("g", "h"), ("h", "h"), ("h", "k")])
    assert recursive_together(graph) == {"f": ["f", "g"], "g": ["f", "g"], "h": ["h"]}


# --- its forms ------------------------------------------------------------------------------------------

TOKEN = re.compile(
    r'\s*(?:("(?:[^"\\]|\\.)*")|(->)|([A-Za-z_][A-Za-z_0-9]*|[0-9]+)|([{}\[\];,=]))', re.DOTALL
)


def tokens(text: str) -> Iterator[str]:
    """The tokens of DOT; AssertionError where there is none."""
    at = 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        assert found is not None, text[at : at + 40]
        yield found[0].strip()
        at = found.end()


HOSTILE = """x←'"quoted" \\N {curly} <b>&amp;</b> --> ]]>'
⎕←(⌽x)≡x
⎕←x⍳'"\\'
'<title>'≡⌽⍵  ⍝ "\\"
""".replace("⍵", "x")


def test_dot_is_escaped_and_balanced(cli: Cli) -> None:
    found = list(tokens(drawn(cli, HOSTILE, "dot")))
    assert found[:3] == ["digraph", "program", "{"] and found[-1] == "}"
    assert found.count("{") == found.count("}") and found.count("[") == found.count("]")
    names = {found[k - 1] for k, each in enumerate(found) if each == "[" and found[k - 2] != "->"}
    for k, each in enumerate(found):
        if each == "->":
            assert {found[k - 1], found[k + 1]} <= names


def test_dot_is_read_by_others(cli: Cli) -> None:
    pydot = pytest.importorskip("pydot", reason="pydot is not installed")
    (read,) = pydot.graph_from_dot_data(drawn(cli, HOSTILE, "dot"))
    assert read.get_name() == "program"


@pytest.mark.parametrize("text", [PAGE, HOSTILE, RECURSIVE])
def test_all_forms_have_the_same_nodes(cli: Cli, text: str) -> None:
    graph = graph_of(cli, text)
    dot = drawn(cli, text, "dot")
    assert all(f'"{name}" [' in dot for name in graph)
    assert dot.count(" -> ") >= graph.number_of_edges()
    root = ElementTree.fromstring(drawn(cli, text, "svg"))
    groups = [each.get("class") for each in root.iter(f"{SVG}g")]
    for kind in ("input", "soac", "array", "function", "result"):
        assert groups.count(kind) == len(of_kind(graph, kind)), kind
    assert groups.count("loop") == len({each["loop"] for each in of_kind(graph, "soac").values()})
    assert groups.count("reason") == len(edges(graph, "apart"))
    words = "".join(root.itertext())
    assert all(each["tooltip"] in words for _, each in graph.nodes(data=True))


def test_what_an_svg_refers_to_is_in_it(cli: Cli) -> None:
    root = ElementTree.fromstring(drawn(cli, PAGE, "svg"))
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for each in root.iter(f"{SVG}path"):
        if head := each.get("marker-end"):
            assert head.removeprefix("url(#").removesuffix(")") in ids
    assert not [each for each in root.iter() if each.tag.endswith("script")]


def test_a_terminal_would_obey_nothing_in_it(cli: Cli) -> None:
    for form in ("svg", "dot", "graphml"):
        text = drawn(cli, "x←'\33[31m\7'\n⎕←⌽x\n⎕←(⌽x)≡x", form)
        assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize("form", of_today(["svg", "dot", "graphml"], 3))
def test_it_is_the_same_each_time(cli: Cli, form: str) -> None:
    Path("p.apl").write_text(PAGE, encoding="utf-8")
    command = [*COMMAND, "explain", "p.apl", "--input", "v=v.npy", "--graph"]
    for seed in ("1", "2"):
        around = environment(PYTHONHASHSEED=seed)
        subprocess.run([*command, f"{seed}.{form}"], env=around, check=True, capture_output=True)
    assert Path(f"1.{form}").read_bytes() == Path(f"2.{form}").read_bytes()


# --- the command ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.png", "out", "svg", "out.svg.txt", "-"])
def test_another_ending_is_a_mistake_of_the_command_line(cli: Cli, name: str) -> None:
    Path("p.apl").write_text("1+2", encoding="utf-8")
    outcome = cli("explain", "p.apl", "--graph", name)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"aplc: --graph writes a file whose name ends in .svg, .dot or .graphml, not {name}\n"
    )
    assert not Path(name).exists()


def test_a_place_that_cannot_be_written(cli: Cli) -> None:
    Path("p.apl").write_text("1+2", encoding="utf-8")
    outcome = cli("explain", "p.apl", "--graph", "no/such/place.svg")
    assert outcome.status == 1
    assert "FILE ERROR: no/such/place.svg cannot be written: No such file or directory" in outcome.err


def test_what_was_there_stays_if_the_program_is_wrong(cli: Cli) -> None:
    Path("p.apl").write_text("1 2+1 2 3", encoding="utf-8")
    Path("OUT.SVG").write_text("before", encoding="utf-8")
    assert cli("explain", "p.apl", "--graph", "OUT.SVG").status == 1
    assert Path("OUT.SVG").read_text(encoding="utf-8") == "before"
    Path("p.apl").write_text("1 2+1 2", encoding="utf-8")
    assert cli("explain", "p.apl", "--graph", "OUT.SVG").status == 0
    assert Path("OUT.SVG").read_text(encoding="utf-8").startswith("<svg ")
    assert sorted(path.name for path in Path().iterdir()) == ["OUT.SVG", "p.apl", "v.npy"]


def test_other_commands_have_no_pictures(cli: Cli) -> None:
    Path("p.apl").write_text("1+2", encoding="utf-8")
    for command in ([], ["check"], ["emit", "c"]):
        assert cli(*command, "p.apl", "--graph", "out.svg").status == 2
    assert "--graph FILE" in cli("--help").out


def test_explaining_without_a_picture_takes_no_library_for_graphs() -> None:
    Path("p.apl").write_text("+/⍳10", encoding="utf-8")
    script = "import sys, aplc.cli; aplc.cli.main(['explain', 'p.apl']); sys.exit('networkx' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], env=environment(), check=True, capture_output=True)


# --- the layout -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_nodes_do_not_touch_and_edges_lead_down(seed: int) -> None:
    random = np.random.default_rng(seed)
    names = [f"n{k}" for k in range(int(random.integers(1, 25)))]
    sizes = {name: (float(random.integers(20, 200)), float(random.integers(20, 80))) for name in names}
    ends = [(str(u), str(v)) for u, v in random.choice(names, (len(names), 2)) if u != v]
    layout = layered(sizes, ends)
    tops = {n: layout.centres[n][1] - h / 2 for n, (_, h) in sizes.items()}
    bottoms = {n: layout.centres[n][1] + h / 2 for n, (_, h) in sizes.items()}
    for u, v in ends:
        upper, lower = (u, v) if names.index(u) < names.index(v) else (v, u)
        assert bottoms[upper] < tops[lower]
        down = [y for _, y in layout.ways[upper, lower]]
        assert down == sorted(down) and list(reversed(layout.ways[upper, lower])) == list(
            layout.ways[lower, upper]
        )
    for k, a in enumerate(names):
        for b in names[:k]:
            is_beside = tops[a] < bottoms[b] and tops[b] < bottoms[a]
            wide = (sizes[a][0] + sizes[b][0]) / 2
            assert not is_beside or abs(layout.centres[a][0] - layout.centres[b][0]) >= wide + GAP - 1e-6
    assert min(layout.centres[n][0] - sizes[n][0] / 2 for n in names) >= -1e-6
    assert LANE < GAP


def test_nothing_to_draw(cli: Cli) -> None:
    assert layered({}, []).size == (0.0, 0.0)
    root = ElementTree.fromstring(drawn(cli, "1+2", "svg"))
    assert [each.get("class") for each in root.iter(f"{SVG}g")] == [None, "result"]
