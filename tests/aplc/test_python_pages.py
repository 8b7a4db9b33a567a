"""The Python that the pages show runs, and gives what stands behind it."""

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c
from tests.support.paths import ROOT

VALUE = re.compile(r"-?\d|array\(|<")
"""How a comment begins that is the value of its line."""
PAGES = {"README.md": "## From Python", "docs/python.md": "# aplc from Python", "docs/interchange.md": "# "}
LEAST = {"README.md": 16, "docs/python.md": 13, "docs/interchange.md": 3}
"""How many statements there are at least: what finds none proves nothing."""


def statements(text: str) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of the indented blocks, with the comments at their ends."""
    for block in re.findall(r"(?m)(?:^ {4}.*\n|^\n(?= {4}))+", text):
        code = re.sub(r"(?m)^ {4}", "", block)
        lines = code.split("\n")
        for statement in ast.parse(code).body:
            line = lines[(statement.end_lineno or 1) - 1]
            yield statement, line.encode()[statement.end_col_offset :].decode().partition("#")[2].strip()


def as_shown(value: Any) -> str:
    """A value as a comment shows it."""
    return re.sub(r"\s+", "", repr(value.item() if isinstance(value, np.generic) else value))


@needs_c
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas", reason="NOT CHECKED: pandas is not installed")
    pytest.importorskip("awkward", reason="NOT CHECKED: awkward is not installed")
    monkeypatch.chdir(tmp_path)
    signal = (ROOT / "apl_samples/signal.apl").read_text(encoding="utf-8")
    for path in (tmp_path / "signal.apl", tmp_path / "apl_samples/signal.apl"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(signal, encoding="utf-8")
    names: dict[str, Any] = {
        "aplc": aplc,
        "np": np,
        "frame": pandas.DataFrame({"price": [2.5, 4.0], "count": [2, 1], "name": ["a", "b"]}),
        "x": np.array([-1, 2]),
        "f": aplc.fn("{2×⍵}"),
    }
    for short, module in (("ak", "awkward"), ("pa", "pyarrow"), ("torch", "torch")):
        if importlib.util.find_spec(module):
            names[short] = importlib.import_module(module)
    text = (
        (ROOT / page).read_text(encoding="utf-8").partition(PAGES[page])[2].partition("\n## The language")[0]
    )
    count = 0
    for statement, comment in statements(text):
        code = ast.unparse(statement)
        if "torch." in code and "torch" not in names:
            continue
        if "opencl" in code and not _has_device():
            continue
        count += 1
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), page, "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), page, "eval"), names)
        if VALUE.match(comment):
            shown = re.sub(r"\s+", "", comment)
            assert shown.startswith(as_shown(value)), code
    assert count >= LEAST[page]


def _has_device() -> bool:
    try:
        aplc.run("1", target="opencl")
    except aplc.MachineError:
        return False
    return True
