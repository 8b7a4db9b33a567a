"""The tree stays clean: short modules, nothing of one machine, a README that opens with its commands."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.tools import require
from tests.support.tracked import tracked_files

PACKAGES = ("tail", "apl_front", "laila", "backends", "aplc")
MAX_LINES = 500
MAX_MODULES = 25
OPENING_LINES = 30
COMMANDS = (
    "pip install -e '.[opencl]' && aplc apl_samples/signal.apl",
    "pip install -e '.[dev]' && pytest",
)
# The brackets keep the patterns from matching this file.
FOREIGN = {
    "a path of one machine": re.compile(rb"/(w[o]rk|h[o]me|r[o]ot)/"),
    "a package host": re.compile(rb"p[y]pi\.org|p[y]thonhosted\.org|-i[n]dex-url|--f[i]nd-links", re.I),
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with a virtual environment of any name in it."""
    if shutil.which("git") is None:
        pytest.skip("NOT CHECKED: no git")
    (tmp_path / "v" / "lib").mkdir(parents=True)
    (tmp_path / "aplc").mkdir()
    (tmp_path / "v" / "lib" / "foreign.py").write_text("import os, sys\n", encoding="utf-8")
    (tmp_path / "aplc" / "ours.py").write_text("", encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "aplc"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_an_environment_inside_the_clone_is_not_ours(clone: Path) -> None:
    assert tracked_files(clone) == [clone / "aplc" / "ours.py"]


def test_ruff_reads_the_packages_and_the_tests_only(clone: Path) -> None:
    require("ruff")
    shutil.copy(ROOT / "ruff.toml", clone)
    command = [sys.executable, "-m", "ruff", "check", "--show-files", "."]
    shown = subprocess.run(command, cwd=clone, check=True, capture_output=True, text=True)
    assert [Path(line).name for line in shown.stdout.splitlines()] == ["ours.py"]
    listed = subprocess.run([*command[:-1], ROOT], cwd=ROOT, check=True, capture_output=True, text=True)
    ours = {path for path in tracked_files() if path.suffix == ".py"}
    assert ours <= {Path(line) for line in listed.stdout.splitlines()}


def test_modules_are_of_readable_size() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}: {lines} lines, at most {MAX_LINES}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    ]
    assert not too_long, "\n".join(too_long)


def test_no_room_has_too_many_modules() -> None:
    folders = [folder for package in (*PACKAGES, "tests") for folder in (ROOT / package).rglob("*")]
    sizes = {
        folder: len([*folder.glob("*.py")]) - 1 for folder in folders if (folder / "__init__.py").exists()
    }
    assert len(sizes) > 30
    assert not [f"{folder.relative_to(ROOT)}: {n}" for folder, n in sizes.items() if n > MAX_MODULES]


def test_no_file_names_a_machine_or_a_package_host() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.decode(errors='replace').strip()}"
        for path in tracked_files()
        if not path.is_symlink()
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
        for what, pattern in FOREIGN.items()
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_opens_with(command: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = [line.strip() for line in readme.splitlines()[:OPENING_LINES]]
    assert command in opening, f"not a line of its own in the first {OPENING_LINES} of README.md: {command}"
