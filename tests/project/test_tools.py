"""The checking tools pass on the whole tree: ruff, mypy strict, and the layers of imports."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT


def require(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"NOT CHECKED: {module} is not installed; pip install -e '.[dev]' brings it")


def run_tool(*command: str) -> None:
    """Run `command` from the root of the repository; what it prints is the failure message."""
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{result.stdout}{result.stderr}", pytrace=False)


def test_ruff() -> None:
    require("ruff")
    run_tool(sys.executable, "-m", "ruff", "check", "--output-format", "concise", ".")


def test_mypy() -> None:
    require("mypy")
    run_tool(sys.executable, "-m", "mypy")  # setup.cfg names the packages


def test_import_layers() -> None:
    require("importlinter")
    lint_imports = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert lint_imports is not None, f"import-linter is there, but no lint-imports beside {sys.executable}"
    run_tool(lint_imports)
