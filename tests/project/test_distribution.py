"""What is installed: a wheel with all that is ours in it, under one name, which runs outside the repository.

The wheel is made by setuptools from a copy of the tracked files. Its dependencies are those of this Python.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.machine import require as require_target
from tests.support.paths import ROOT
from tests.support.tracked import tracked_files

LINKED = ("apl_front", "apl_samples", "backends", "laila", "tail")
"""Folders at the top of the repository that are installed inside `aplc`."""

BUILD = "import sys; from setuptools import build_meta as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


def run(*command: str, cwd: Path, library: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command of this Python's, which finds aplc in `library` only, and all else where this one does."""
    others = Path(np.__file__).parents[1]
    paths = {} if library is None else {"PYTHONPATH": os.pathsep.join([str(library), str(others)])}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=environment | paths,
        capture_output=True,
        text=True,
        check=False,
    )


def build(kind: str, tree: Path, out: Path) -> Path:
    made = run("-c", BUILD, f"build_{kind}", str(out), cwd=tree)
    assert made.returncode == 0, made.stderr
    return out / made.stdout.split()[-1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files, copied, links as links."""
    setuptools = pytest.importorskip(
        "setuptools", "70.1", reason="NOT CHECKED: no setuptools that makes wheels"
    )
    assert setuptools
    copy = tmp_path_factory.mktemp("tree")
    for path in tracked_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            target.symlink_to(path.readlink())
        else:
            target.write_bytes(path.read_bytes())
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tree, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def library(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("library")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def installed(path: Path) -> str:
    """Where a file of the repository is installed."""
    name = path.relative_to(ROOT).as_posix()
    return f"aplc/{name}" if name.startswith(tuple([f"{folder}/" for folder in LINKED])) else name


def test_the_wheel_holds_all_that_is_ours_under_one_name(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"aplc"}
    sources = [path for path in tracked_files() if not path.is_symlink()]
    ours = {installed(path) for path in sources if path.relative_to(ROOT).parts[0] in ("aplc", *LINKED)}
    needed = {name for name in ours if not name.startswith("aplc/apl_samples/") or "/bench/" in name}
    assert needed <= names, sorted(needed - names)


def test_the_source_distribution_makes_the_same_wheel(tree: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tree, tmp_path)) as archive:
        assert all(member.isfile() or member.isdir() for member in archive.getmembers())
        archive.extractall(tmp_path, filter="data")
    unpacked = next(path for path in tmp_path.iterdir() if path.is_dir())
    again = build("wheel", unpacked, tmp_path)

    def contents(path: Path) -> dict[str, int]:
        return {
            each.filename: each.CRC
            for each in zipfile.ZipFile(path).infolist()
            if "RECORD" not in each.filename
        }

    assert contents(again) == contents(wheel)


@pytest.mark.in_turn(3)
def test_the_wheel_runs_checks_and_measures(library: Path, tmp_path: Path) -> None:
    require_target("c")
    (tmp_path / "p.apl").write_text(
        "mean←{ ⍝ : [int]1 → double\n  (+/⍵)÷≢⍵\n}\nmean 1 2 6\n", encoding="utf-8"
    )

    def aplc(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run("-m", "aplc.cli", *arguments, cwd=tmp_path, library=library)

    assert (aplc("p.apl").stdout, aplc("check", "p.apl").returncode) == ("3\n", 0)
    ran = aplc("bench", "--quick", "integral", "--targets", "c", "--json", "row.json")
    assert ran.returncode == 0, ran.stderr
    found = run("-c", "import aplc.tail; print(aplc.tail.__file__)", cwd=tmp_path, library=library).stdout
    assert Path(found.strip()).is_relative_to(library)


@pytest.mark.parametrize("target", ["interp", "c", "openmp"])
def test_files_of_the_user_with_names_of_ours(target: str, library: Path, tmp_path: Path) -> None:
    """What lies beside a script is not ours, and ours is not in its way."""
    require_target(target)
    (tmp_path / "backends").mkdir()
    for name in ("apl_front", "backends/__init__", "laila", "tail"):
        (tmp_path / f"{name}.py").write_text(f"MINE = '{name}'\n", encoding="utf-8")
    (tmp_path / "script.py").write_text(
        "import aplc, backends, laila, tail\n"
        f"print(aplc.run('+/⍳10', target={target!r}), aplc.fn('{{⍵+1}}', target={target!r})(2))\n"
        "print(tail.MINE, laila.MINE, backends.MINE)\n",
        encoding="utf-8",
    )
    ran = run("script.py", cwd=tmp_path, library=library)
    assert (ran.stdout, ran.returncode) == ("55 3\ntail laila backends/__init__\n", 0), ran.stderr
