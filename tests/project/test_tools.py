"""The checking tools pass on the whole tree: ruff, mypy strict, and the layers of imports."""

import json
import shutil
import sys
from pathlib import Path

from tests.support.paths import ROOT
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


def test_pyright_on_what_a_user_writes(tmp_path: Path) -> None:
    """It finds the mistakes that are marked, and no others; mypy is asked the same by `test_mypy`.

    What runs is pyright as basedpyright packs it, whole in a wheel, with the rules of pyright.
    """
    require("basedpyright")
    shutil.copy(ROOT / "tests/support/typed_user.py", tmp_path / "user.py")
    options = {
        "include": ["user.py"],
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "standard",
        "enableTypeIgnoreComments": True,
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(options), encoding="utf-8")
    run_tool(sys.executable, "-m", "basedpyright", "-p", str(tmp_path))
