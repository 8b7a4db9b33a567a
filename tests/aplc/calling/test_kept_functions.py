"""Functions that an earlier process has compiled are called without the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc import text_cache
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.machine import needs_c
from tests.support.paths import ROOT

SCRIPT = """
import sys, aplc
mean = aplc.fn("+⌿÷≢")
print(mean([1, 2, 6]), mean([[1, 2], [3, 4]]))
program = aplc.load("p.apl")
print(list(program), program.half([4.0, 6.0]), program.half(3), program.words("ab c"))

@aplc.apl
def norm(values): "{(+/⍵×⍵)*÷2}"

print(norm(values=[3, 4]), aplc.fn("{⍺>⍵:⍺ ⋄ ⍵}").ufunc([1, 5], 3))
print(any(name in sys.modules for name in ("aplc.compiler", "aplc.apl_front", "aplc.laila.lowering", "ply")))
"""
FILE = "half←{⍵÷2}\n⍝: [char]1 → [[char]1]1\nwords←{(⍵≠' ')⊆⍵}\n"


def said(script: str, cwd: Path, cache: Path) -> list[str]:
    """The lines that a process of its own prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "APLC_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@needs_c
def test_a_second_process_calls_them_without_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "p.apl").write_text(FILE, encoding="utf-8")
    first, second = [said(SCRIPT, tmp_path, tmp_path / "cache") for _ in range(2)]
    assert first == [
        "3.0 [2. 3.]",
        "['half', 'words'] [2. 3.] 1.5 [array(['a', 'b'], dtype='<U1') array(['c'], dtype='<U1')]",
        "5.0 [3 5]",
        "True",
    ]
    assert second == [*first[:-1], "False"]


def test_a_mistake_is_told_each_time() -> None:
    for _ in range(2):
        with pytest.raises(aplc.Error, match="SYNTAX ERROR"):
            aplc.fn("{⍵+")


@needs_c
def test_what_a_function_reads_of_files_is_asked_anew(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    script = "import aplc; print(aplc.fn(\"{⍵+⎕NPY 'a.npy'}\")(1))"
    assert said(script, tmp_path, tmp_path / "cache") == ["[1 2 3]"]
    np.save(tmp_path / "a.npy", np.ones((2, 2)))
    assert said(script, tmp_path, tmp_path / "cache") == ["[[2. 2.]", " [2. 2.]]"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"{}", b"1", b"[1]", b'["x"]', b"[true, 3]", b"[true, true]", b"[]"]
)
def test_what_is_not_of_the_form_was_not_kept(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path))
    options, sources = Options("interp"), [Source("text", "{⍵}")]
    read = text_cache.Read((1, 2), is_annotated=True)
    text_cache.keep_function(sources, None, options, read)
    assert text_cache.function_of(sources, None, options) == read
    monkeypatch.setattr(text_cache, "kept_record", lambda _: content)
    assert text_cache.function_of(sources, None, options) is None
    if content not in (b'["x"]', b"[]"):
        assert text_cache.functions_of(sources, options) is None
