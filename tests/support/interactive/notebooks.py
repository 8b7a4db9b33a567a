"""Notebooks in tests: their cells are run by a kernel, and what each shows is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

PLAIN = "text/plain"


def executed(
    cells: list[str], kernel: str, monkeypatch: pytest.MonkeyPatch, directory: Path
) -> list[list[Any]]:
    """The outputs of each cell."""
    import nbformat  # noqa: PLC0415 (an extra)
    from nbclient import NotebookClient  # noqa: PLC0415 (an extra)

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PATH", str(directory / "share" / "jupyter"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    NotebookClient(notebook, kernel_name=kernel, allow_errors=True, timeout=120).execute(cwd=str(directory))
    return [cell.outputs for cell in notebook.cells]


def text_of(outputs: list[Any]) -> str:
    """What the outputs of a cell show as text."""
    texts = [each["text"] if "text" in each else each["data"][PLAIN] for each in outputs]
    return "\n".join([text.rstrip("\n") for text in texts])


def error_of(outputs: list[Any]) -> str:
    """The error that a cell ends with, without colour."""
    last = outputs[-1]
    assert last["output_type"] == "error"
    return "\n".join(last["traceback"])
