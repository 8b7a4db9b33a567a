"""Programs kept on disk whole: the second run of a text does without the compiler, and means the same."""

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aplc.cli
import aplc.compiler
from aplc.backends.native.cache_directory import cache_path
from aplc.backends.native.toolchain import find_compiler
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.program_cache import kept_key
from aplc.tail.prims import PRIMS
from aplc.tail.source import Source
from aplc.targets import TARGETS
from tests.support.machine import needs_c, needs_device
from tests.support.paths import ROOT

pytestmark = needs_c


@pytest.fixture(autouse=True)
def fresh(surroundings: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, in which nothing is kept yet."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))


def twice(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> list[object]:
    """What a command does, and what it does again where nothing can be compiled."""
    seen: list[object] = []
    for _ in range(2):
        seen.append((aplc.cli.main(list(arguments)), *capfd.readouterr()))
        monkeypatch.setattr(aplc.compiler, "to_tail", lambda *_, **__: pytest.fail("compiled again"))
    monkeypatch.undo()
    return seen


TARGETS_THAT_KEEP = [
    pytest.param(target.name, marks=[needs_device] if target.kernels else [])
    for target in TARGETS.values()
    if target.kept
]

PROGRAMS = {
    "prints": "⎕←'a text'\n⎕←2 3⍴⍳6\n1.5×⍳3",
    "tuple": "(1 2 3)('ab')",
    "nothing": "x←1",
    "asks": "x←÷3 7\n6 2⍕x",
    "asks in a loop": "⎕←⍕¨⍳3\n(⍕5),'a'",
    "recursion": "f←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2}\nf 15",
    "random": "?5⍴100",
    "digits": "⎕PP←4\n÷3",
    "error": "v←⍳3\n⎕←v\nv[4]",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", TARGETS_THAT_KEEP)
def test_the_second_run_is_like_the_first(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, target: str
) -> None:
    Path("p.apl").write_text(PROGRAMS[name], encoding="utf-8")
    with monkeypatch.context() as patched:
        first, second = twice(capfd, patched, "p.apl", "--target", target)
    assert first == second


LIGHT = {"", ".ir", ".ir.settings", ".devices", ".devices.device_mapping"}
"""Modules of Laila that say what may be asked for, and compile nothing."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", TARGETS_THAT_KEEP)
@pytest.mark.parametrize("text", ["+/⍳10", "+/*-(⍳3000000)÷3"])
def test_it_starts_without_the_compiler(target: str, text: str) -> None:
    Path("p.apl").write_text(f"{text}\n", encoding="utf-8")
    script = (
        "import sys, aplc.cli\n"
        f"status = aplc.cli.main(['p.apl', '--target', '{target}'])\n"
        "print(status)\n"
        "print(*[n for n in sys.modules if n.startswith(('aplc.', 'ply', 'networkx', 'highspy'))])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    (*first, at_first), (*second, loaded) = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split(
            "\n"
        )[:-1]
        for _ in range(2)
    ]
    assert first == second and first[-1] == "0"
    assert {"aplc.compiler", "aplc.apl_front.syntax.parser", "aplc.tail.prims"} <= set(at_first.split())
    heavy = ("aplc.apl_front", "aplc.compiler", "aplc.laila", "aplc.tail.prims", "ply", "networkx", "highspy")
    found = {name for name in loaded.split() if name.startswith(heavy)}
    assert found <= {f"aplc.laila{name}" for name in LIGHT}


def test_compiling_a_plain_program_takes_no_library_for_graphs() -> None:
    text = (ROOT / "apl_samples" / "signal.apl").read_text(encoding="utf-8")
    Path("p.apl").write_text(text + "mean←{(+/⍵)÷≢⍵} ⋄ mean 1 2 3\n", encoding="utf-8")
    script = "import sys, aplc.cli; aplc.cli.main(['explain', 'p.apl']); aplc.cli.main(['p.apl'])\n"
    script += "sys.exit(any(name in sys.modules for name in ('networkx', 'highspy')))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_an_input_of_another_type_is_another_program(capfd: pytest.CaptureFixture[str]) -> None:
    Path("p.apl").write_text("+/v\n", encoding="utf-8")
    for array, sum_of_it in ((np.arange(4), 6), (np.arange(4) / 2, 3.0), (np.arange(4) > 1, 2)):
        np.save("v.npy", array)
        for _ in range(2):
            assert aplc.cli.main(["p.apl", "--input", "v=v.npy", "--format", "json"]) == 0
            assert json.loads(capfd.readouterr().out)["data"] == [sum_of_it]


def test_what_decides_the_code_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(text: str = "1+2", name: str = "p.apl", **options: object) -> str:
        return kept_key([Source(name, text)], {}, {}, Options(**options))  # type: ignore[arg-type]

    keys = [
        key(),
        key("1+3"),
        key(name="q.apl"),
        key(level=3),
        key(target="openmp"),
        key(passes=()),
        key(settings=Settings(strict_fp=True)),
        key(settings=Settings(unsafe=True)),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == keys[0]
    assert key(threads=2) == keys[0]
    for unkept in (key(target="interp"), key(use_cache=False), key(verify=True)):
        assert unkept == ""
    monkeypatch.setenv("CC", f"{find_compiler().command[0]} -DX")
    assert key() != keys[0]


@pytest.mark.parametrize("suffix", [".record", ".so", ".c"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_what_is_damaged_is_compiled_anew(
    capfd: pytest.CaptureFixture[str], suffix: str, damage: str
) -> None:
    Path("p.apl").write_text("+/⍳10\n", encoding="utf-8")
    for _ in range(2):
        assert (aplc.cli.main(["p.apl"]), *capfd.readouterr()) == (0, "55\n", "")
        (file,) = [path for path in Path(cache_path()).iterdir() if path.suffix == suffix]
        if damage == "gone":
            file.unlink()
        else:
            fresh = file.with_name("fresh")  # in place of one that may be loaded
            fresh.write_bytes(file.read_bytes()[:-3])
            fresh.replace(file)


def test_a_mistake_is_told_where_there_is_no_compiler(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    Path("p.apl").write_text("1+)\n", encoding="utf-8")
    assert aplc.cli.main(["p.apl"]) == 1
    assert "SYNTAX ERROR" in capfd.readouterr().err


def test_a_primitive_is_kept_by_name() -> None:
    for prim in PRIMS.values():
        assert pickle.loads(pickle.dumps(prim)) is prim
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(replace(PRIMS["addi"], name="other"))
