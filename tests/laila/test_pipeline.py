"""The passes of TAIL and of Laila by name: on the command line, in the lists, and one left out."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aplc.backends.opencl.device import find_device
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.laila import pipeline as laila
from aplc.laila.devices.device_mapping import Division
from aplc.laila.passes import Goal, When, chosen, run_passes
from aplc.laila.passes import Pass as LailaPass
from aplc.options import Options
from aplc.tail import pipeline as tail
from aplc.tail.errors import InternalError
from aplc.tail.source import Source
from aplc.targets import TARGETS
from tests import pass_table
from tests.support.commands import Cli, Outcome, write
from tests.support.machine import needs_c, needs_device, needs_threads
from tests.support.paths import ROOT
from tests.support.samples import Case, Sample, against_header, build, read_sample, run

pytestmark = pytest.mark.usefixtures("surroundings")

TAIL_NAMES = [each.name for each in tail.PASSES]
EVERYTHING = (*laila.PASSES, *laila.DEVICE_PASSES, *laila.LOOP_PASSES)
PROGRAM = "w←2.5×+\\⍳50\n(+/w)÷⌈/w\n((w>3)/w)÷2\n"
GOALS = {
    "c": Goal(),
    "openmp": Goal(threads=True),
    "opencl": Goal(threads=True, kernels=True),
}


def made(goal: Goal) -> list[str]:
    """The names of what is seen of Laila on the way to the code of a target, but kernels."""
    soacs = [each.name for each in laila.PASSES if each.when.holds(goal)]
    loops = [each.name for each in laila.LOOP_PASSES if each.when.holds(goal)]
    return [laila.START, *soacs, laila.LOOP_START, *loops]


def dumped(err: str) -> list[str]:
    return re.findall(r"^-- after (\S+)$", err, re.MULTILINE)


# --- the lists ------------------------------------------------------------------------------------------


def test_names_are_distinct_and_reasons_are_sentences() -> None:
    names = [*TAIL_NAMES, *laila.NAMES, tail.START, laila.START, laila.LOOP_START]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", name) for name in names)
    reasons = [each.reason for each in (*tail.PASSES, *EVERYTHING)]
    assert all(re.fullmatch(r"[A-Z][^.]*\.", reason) for reason in reasons)
    assert tuple([each.name for each in EVERYTHING]) == laila.NAMES


def test_the_tour_has_each_pass() -> None:
    _, table, _ = pass_table.parts(pass_table.PAGE.read_text(encoding="utf-8"))
    assert table == pass_table.table(), "python -m tests.pass_table writes it anew"
    for name in (*TAIL_NAMES, *laila.NAMES):
        assert f"| `{name}` |" in table


def test_at_level_0_only_what_the_target_needs_is_made() -> None:
    wanted: dict[str, list[str]] = {
        "c": [],
        "openmp": ["schedule-threads"],
        "opencl": ["offload", "schedule-threads"],
    }
    for target, goal in GOALS.items():
        assert [e.name for e in EVERYTHING if e.when.holds(replace(goal, level=0))] == wanted[target]


def test_named_passes_keep_their_order_and_what_the_target_needs() -> None:
    names = ("update-in-place", "fuse", "count-by-key", "offload")
    own = replace(GOALS["opencl"], level=0, division=Division(shared=False))
    assert [e.name for e in chosen(EVERYTHING, own, names)] == [
        "fuse", "update-in-place", "offload", "transfer", "schedule-threads",
    ]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_the_module_of_a_target_makes_its_programs(target: str) -> None:
    record = TARGETS[target]
    functions = ["runnable"]
    functions += ["emit", "text"] if record.compiled else []
    functions += ["division_here"] if record.kernels else []
    assert all(callable(getattr(record.maker, name)) for name in functions)


# --- the command line -----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", GOALS)
def test_the_last_pass_gives_the_stage(cli: Cli, target: str) -> None:
    write("p.apl", PROGRAM)
    for stage, last in (("tail-opt", TAIL_NAMES[-1]), ("laila", "update-in-place"), (target, "")):
        whole = cli("emit", stage, "p.apl", "--target", target)
        assert (whole.status, whole.err) == (0, "")
        if last:
            assert cli("emit", stage, "p.apl", "--after", last, "--target", target) == whole
    if target != "opencl":
        assert cli("emit", target, "p.apl", "--after", made(GOALS[target])[-1]) == whole


def test_emit_after(cli: Cli) -> None:
    write("p.apl", PROGRAM)
    before, after = [cli("emit", "laila", "p.apl", "--after", name).out for name in ("lift-folds", "fuse")]
    assert before != after
    assert "FILTER" in after
    assert cli("emit", "tail-opt", "p.apl", "--after", "elaborate").out == cli("emit", "tail", "p.apl").out
    assert cli("emit", "c", "p.apl", "--after", "fuse").out == after
    assert cli("emit", "laila", "p.apl", "--after", "fuse", "-o", "out") == Outcome(0, "", "")
    assert Path("out").read_text("utf-8") == after
    assert "aplc_run(" in cli("emit", "openmp", "p.apl", "--after", "generate").out
    assert "launch" in cli("emit", "opencl", "p.apl", "--after", "offload").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("laila", "--after", "fse"), "there is no pass fse; there are fold-constants, "),
        (("laila", "--after", "all"), "there is no pass all; there are "),
        (("laila", "--after", "count-by-key", "--target", "opencl"),
         "on the way to laila with -O 2 and --target opencl there is no pass count-by-key"),
        (("laila", "--after", "fuse", "-O", "0"), "on the way to laila with -O 0 and --target c there is no"),
        (("laila", "--after", "mask-tails"), "on the way to laila with -O 2 and --target c there is no pass"),
        (("tail-opt", "--after", "fuse"), "on the way to tail-opt with -O 2 there is no pass fuse"),
        (("ast", "--after", "fuse"), "on the way to ast with -O 2 there is no pass fuse"),
        (("openmp", "--after", "accumulate"), "on the way to openmp with -O 2 there is no pass accumulate"),
    ],
)  # fmt: skip
def test_emit_after_what_is_not_there(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    outcome = cli("emit", *arguments, write("p.apl", PROGRAM))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"aplc: {message}")


def test_only_emit_has_after(cli: Cli) -> None:
    outcome = cli(write("p.apl", "1"), "--after", "fuse")
    assert outcome.status == 2 and "unrecognized arguments: --after" in outcome.err


@pytest.mark.parametrize("option", ["--passes", "--dump-after"])
def test_a_wrong_name_tells_the_known_ones(cli: Cli, option: str) -> None:
    outcome = cli(write("p.apl", "1"), option, "fse")
    assert outcome.status == 2 and outcome.first.startswith("aplc: there is no pass fse; there are ")
    assert all(name in outcome.first for name in (*TAIL_NAMES, *laila.NAMES))


@needs_c
def test_dump_after_passes_of_laila(cli: Cli) -> None:
    arguments = (write("p.apl", PROGRAM), "--dump-after")
    everything = cli(*arguments, "all")
    assert everything.status == 0
    assert dumped(everything.err) == [tail.START, *TAIL_NAMES, *made(GOALS["c"])]
    for name in ("lower", "fuse", "generate", "mask-tails"):
        outcome = cli(*arguments, name)
        assert dumped(outcome.err) == [name] and outcome.err in everything.err
    text = cli("emit", "laila", "p.apl", "--after", "fuse").out
    assert cli(*arguments, "fuse").err == f"-- after fuse\n{text}"


@pytest.mark.parametrize(
    ("passes", "of_tail", "of_laila"),
    [
        ("fold-constants", ["fold-constants"], None),
        ("share-common,fold-constants", ["share-common", "fold-constants"], None),
        ("", [], None),
        ("fuse", None, ["fuse"]),
        ("update-in-place,fuse", None, ["fuse", "update-in-place"]),
        ("fuse,inline-bindings,narrow-values", ["inline-bindings"], ["narrow-values", "fuse"]),
        ("mask-tails", None, ["mask-tails"]),
        ("make-tasks", None, []),
    ],
)
@pytest.mark.parametrize("level", ["0", "2"])
def test_passes_of_both_languages(
    cli: Cli, level: str, passes: str, of_tail: list[str] | None, of_laila: list[str] | None
) -> None:
    arguments = ("emit", "c", write("p.apl", PROGRAM), "--dump-after", "all", "--passes", passes, "-O", level)
    outcome = cli(*arguments)
    assert outcome.status == 0
    seen = [name for name in dumped(outcome.err) if name not in (tail.START, laila.START, laila.LOOP_START)]
    of_level = made(GOALS["c"]) if level == "2" else []
    tails = (TAIL_NAMES if level == "2" else []) if of_tail is None else of_tail
    lailas = [n for n in of_level if n in laila.NAMES] if of_laila is None else of_laila
    assert seen == [*tails, *lailas]


def told(cli: Cli, *arguments: str) -> list[str]:
    """The stages and passes whose times are told."""
    outcome = cli("p.apl", "--time", *arguments)
    assert outcome.status == 0
    first, *parts, run_time, memory = outcome.err.splitlines()
    assert [line.split()[0] for line in (first, run_time, memory)] == ["compile", "run", "memory"]
    assert all(re.fullmatch(r"  [a-z-]+ +\d+\.\d{3} ms", line) for line in parts)
    return [line.split()[0] for line in parts]


def test_time_has_a_line_for_each_pass(cli: Cli) -> None:
    write("p.apl", PROGRAM)
    assert told(cli, "--target", "interp") == ["load", tail.START, *TAIL_NAMES]
    assert told(cli, "--target", "interp", "-O", "0") == ["load", tail.START]


@needs_c
def test_time_of_compiled_programs(cli: Cli) -> None:
    write("p.apl", PROGRAM)
    everything = ["load", tail.START, *TAIL_NAMES, *made(GOALS["c"]), "emit", "build"]
    assert told(cli, "--no-cache") == everything
    assert told(cli, "-O", "3") == everything
    assert told(cli, "-O", "3") == []  # it was kept


@needs_threads
def test_time_with_threads(cli: Cli) -> None:
    write("p.apl", PROGRAM)
    assert "schedule-threads" in told(cli, "--no-cache", "--target", "openmp")


@needs_device
@pytest.mark.parametrize(("text", "has_kernels"), [("w←2.5×+\\⍳50\n(+/w)÷⌈/w\n", True), (PROGRAM, False)])
def test_time_with_kernels(text: str, has_kernels: bool, cli: Cli) -> None:
    write("p.apl", text)
    names = told(cli, "--target", "opencl")
    assert has_kernels == ("offload" in names) or not find_device("").is_cpu
    assert len(set(names)) == len(names)


# --- failures -------------------------------------------------------------------------------------------


def lowered(text: str, options: Options) -> Any:
    term = to_tail([Source("p.apl", text)], {}).term
    return to_laila(optimise(term, options), {}, options)


ANY = When("always", lambda goal: True)


def test_a_failure_names_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> Any:
        raise KeyError("gone")

    broken = LailaPass("crash-here", crash, ANY, "")
    with pytest.raises(InternalError, match=r"crash-here: KeyError: 'gone'"):
        run_passes(None, None, Goal(), [broken], lambda name, program: None)  # type: ignore[arg-type]
    monkeypatch.setattr(laila, "PASSES", (broken,))
    with pytest.raises(InternalError, match=r"crash-here"):
        lowered(PROGRAM, Options())


def test_a_wrong_program_names_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(program: Any, make: object, goal: object) -> Any:
        return replace(program, statements=program.statements[1:])

    monkeypatch.setattr(laila, "PASSES", (LailaPass("cut-here", cut, ANY, ""),))
    lowered("(⍳5)[3 1],¯1↑⍋⍳7", Options())
    with pytest.raises(InternalError, match=r"^cut-here: "):
        lowered("(⍳5)[3 1],¯1↑⍋⍳7", Options(verify=True))


# --- one left out ---------------------------------------------------------------------------------------

SAMPLES = [
    "fusion/histogram",
    "fusion/cells-in-strips",
    "fusion/lengths-that-agree",
    "fusion/sums-over-cells",
    "fusion/columns-of-bits",
    "fusion/index-by-condition",
]
NEEDED = replace(GOALS["openmp"], level=0)
OPTIONAL = [e.name for e in (*laila.PASSES, *laila.LOOP_PASSES) if not e.when.holds(NEEDED)]
WAYS = [
    pytest.param(Options(verify=True), marks=needs_c, id="c"),
    pytest.param(Options("openmp", verify=True, threads=2), marks=needs_threads, id="openmp"),
]


def c_of(sample: Sample, case: Case, options: Options) -> str:
    """The C of a sample."""
    types = {name: given.type for name, given in case.inputs.items()}
    term = to_tail([Source(sample.name, sample.data.decode())], types).term
    storage = {name: given.storage for name, given in case.inputs.items()}
    return to_c(*to_laila(optimise(term, options), storage, options), options).text


def wrong(sample: Sample, options: Options) -> list[str]:
    """What the first case of a sample does not do as its header says."""
    inputs = sample.cases[0].inputs
    outcome = run(build(lambda: Source(sample.name, sample.data.decode()), inputs, options), inputs)
    return list(against_header(outcome, sample.cases[0]))


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("options", WAYS)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_value_hangs_on_a_pass(name: str, options: Options) -> None:
    """Where the C is another one without a pass, the values are the same."""
    sample = read_sample(ROOT / "apl_samples" / f"{name}.apl")
    case = sample.cases[0]
    seen = {c_of(sample, case, options)}
    for left_out in OPTIONAL:
        without = replace(options, passes=tuple([n for n in laila.NAMES if n != left_out]))
        text = c_of(sample, case, without)
        if text not in seen:
            seen.add(text)
            assert wrong(sample, without) == [], left_out
    assert len(seen) > 1 or options.target != "c"


@needs_c
@pytest.mark.parametrize("name", SAMPLES)
def test_no_value_hangs_on_all_passes(name: str) -> None:
    sample = read_sample(ROOT / "apl_samples" / f"{name}.apl")
    for passes in (("offload",), ("fuse",), ("coalesce-buffers", "update-in-place")):
        options = Options(verify=True, passes=passes)
        assert wrong(sample, options) == [], passes


@pytest.mark.in_turn(16)
@needs_device
@pytest.mark.parametrize("left_out", OPTIONAL)
def test_no_value_of_a_device_hangs_on_a_pass(left_out: str) -> None:
    sample = read_sample(ROOT / "apl_samples" / "fusion" / "sums-of-some.apl")
    division = Division(items=3, least_work=1, least_rows=1, shared=False, grid=128, lanes=0, vector=0)
    passes = tuple([n for n in laila.NAMES if n != left_out])
    options = Options("opencl", verify=True, division=division, passes=passes)
    assert wrong(sample, options) == []
