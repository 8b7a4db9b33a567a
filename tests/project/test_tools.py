"""The checking tools pass on the whole tree: ruff, mypy strict, and the layers of imports."""

import shutil
import sys
from pathlib import Path

from tests.support.tools import require, run_tool


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
