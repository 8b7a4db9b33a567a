"""`aplc build --python`: a wheel that pip installs, and whose module needs NumPy and nothing of aplc."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import COMMAND, Cli, environment, write
from tests.support.machine import needs_c

HERE = Path(__file__).parent


@needs_c
def test_a_module_without_aplc(tmp_path: Path) -> None:
    output = str(tmp_path / "signals")
    built = subprocess.run(
        [*COMMAND, "build", "--python", str(HERE / "library.apl"), "-o", output],
        capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("signals-0.1.0-py3-none-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
    folder = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "-q", "--target", str(folder)]
    installed = subprocess.run([*pip, str(wheel)], capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    numpy = str(Path(np.__file__).parent.parent)
    used = subprocess.run(
        [sys.executable, "-I", "-S", str(HERE / "user.py"), str(folder), numpy],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert used.returncode == 0, used.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("json", "a module json would hide Python's own"),
        ("my-mod", "a module cannot be called my-mod"),
        ("class", "a module cannot be called class"),
    ],
)
@pytest.mark.usefixtures("surroundings")
def test_names_that_modules_cannot_have(cli: Cli, name: str, message: str) -> None:
    outcome = cli("build", "--python", write("p.apl", "⍝: int → int\nf←{⍵}\n"), "-o", name)
    assert outcome.status == 2
    assert message in outcome.err


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_a_library_that_hides_the_module_is_told(cli: Cli) -> None:
    text = write("p.apl", "⍝: int → int\nf←{⍵}\n")
    assert cli("build", "--python", text, "-o", "hidden").err == ""
    Path("hidden.so").write_bytes(b"")
    outcome = cli("build", "--python", text, "-o", "hidden")
    assert outcome.status == 0
    assert outcome.err.startswith("aplc: hidden.so is what Python finds under the name hidden")
