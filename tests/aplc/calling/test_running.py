"""`aplc.run`: what was run before is not compiled again, in this process or in another."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import aplc
import aplc.compiler
from aplc.calling import running
from tests.support.machine import needs_c
from tests.support.paths import ROOT

pytestmark = pytest.mark.usefixtures("surroundings")

EXTRAS = ("awkward", "highspy", "networkx", "pandas", "ply", "prompt_toolkit", "pyarrow", "pyopencl", "rich")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled."""
    texts: list[str] = []
    compile_program = aplc.compiler.compile_program

    def count(sources: Any, *arguments: Any, **options: Any) -> Any:
        texts.append(sources[0].text)
        return compile_program(sources, *arguments, **options)

    monkeypatch.setattr(aplc.compiler, "compile_program", count)
    monkeypatch.setattr(running, "_kept", {})
    return texts


def test_an_unchanged_text_is_compiled_once(compilations: list[str]) -> None:
    for k in range(3):
        assert aplc.run("x+1", x=k, target="interp") == k + 1
    assert len(compilations) == 1
    assert aplc.run("x+1", x=0.5, target="interp") == 1.5
    assert aplc.run("x+1", x=[1, 2], target="interp").tolist() == [2, 3]
    assert aplc.run("x+1", x=np.int8([1]), target="interp").tolist() == [2]
    assert len(compilations) == 4
    assert aplc.run("x+1", x=2**63 - 1, target="interp") == -(2**63)
    with pytest.raises(aplc.RunError):
        aplc.run("x+1", x=2**63 - 1, target="interp", check_overflow=True)
    assert len(compilations) == 5
    for _ in range(2):
        with pytest.raises(aplc.CompileError):
            aplc.run("x+", target="interp")


def test_random_numbers_and_prints_are_those_of_a_first_run(capsys: pytest.CaptureFixture[str]) -> None:
    values = {tuple(aplc.run("⎕←?1000 1000 1000", target="interp")) for _ in range(3)}
    lines = capsys.readouterr().out.splitlines()
    assert len(values) == 1 and len(lines) == 3 and len({*lines}) == 1


def test_what_is_kept_is_bounded(compilations: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_KEPT", 3)
    for k in (1, 2, 3, 4, 4, 3, 1):
        assert aplc.run(f"{k}+0", target="interp") == k
    assert compilations == ["1+0", "2+0", "3+0", "4+0", "1+0"] and len(running._kept) == 3


@pytest.mark.parametrize("target", ["interp", pytest.param("c", marks=needs_c)])
def test_a_file_may_become_another_one(target: str) -> None:
    """The type of `⎕NPY` is known when compiling: it is part of what a program is kept by."""
    np.save("x.npy", np.arange(3))
    assert aplc.run("+/⎕NPY 'x.npy'", target=target) == 3
    np.save("x.npy", np.full((2, 3), 0.5))
    assert aplc.run("+/⎕NPY 'x.npy'", target=target).tolist() == [1.5, 1.5]
    assert aplc.run("+/⎕NPY'x.npy'", target=target).tolist() == [1.5, 1.5]


@needs_c
def test_the_compiler_is_imported_where_something_is_compiled() -> None:
    """Another process that has the program on disk does without; neither imports what an extra brings."""
    text = f"""
import sys, aplc
assert "numpy" not in sys.modules
value = aplc.run("x←+/⍳10")
loaded = [name for name in ("aplc.compiler", *{EXTRAS}) if name in sys.modules]
print(value, *loaded)
"""
    command = [sys.executable, "-c", text]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT) for _ in range(2)]
    assert [each.stdout for each in runs] == ["55 aplc.compiler ply\n", "55\n"]
