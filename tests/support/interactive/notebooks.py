"""Kernels in tests: cells are run as a notebook runs them, and what each shows is told."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import environment

PLAIN = "text/plain"
LACKING = (
    ""
    if importlib.util.find_spec("ipykernel") and importlib.util.find_spec("jupyter_client")
    else "NOT CHECKED in a notebook: ipykernel and jupyter_client are not installed"
)
SHOWN = ("stream", "display_data", "execute_result", "error")


class Kernel:
    """A kernel that runs, by the name under which it is installed below a directory."""

    def __init__(self, name: str, directory: Path) -> None:
        from jupyter_client.manager import start_new_kernel  # noqa: PLC0415 (an extra)

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JUPYTER_PATH", str(directory / "share" / "jupyter"))
            patch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
            self.manager, self.client = start_new_kernel(kernel_name=name, cwd=str(directory))

    def outputs(self, cell: str) -> list[Any]:
        """What a cell shows, as a notebook keeps it."""
        found: list[Any] = []

        def show(message: Any) -> None:
            kind, content = message["msg_type"], message["content"]
            if kind not in SHOWN:
                return
            if kind == "stream" and found and found[-1].get("name") == content["name"]:
                found[-1]["text"] += content["text"]
            else:
                found.append({"output_type": kind, **content})

        self.client.execute_interactive(cell, output_hook=show, timeout=120)
        return found

    def close(self) -> None:
        """End it."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def text_of(outputs: list[Any]) -> str:
    """What the outputs of a cell show as text."""
    texts = [each["text"] if "text" in each else each["data"][PLAIN] for each in outputs]
    return "\n".join([text.rstrip("\n") for text in texts])


def error_of(outputs: list[Any]) -> str:
    """The error that a cell ends with, without colour."""
    last = outputs[-1]
    assert last["output_type"] == "error"
    return "\n".join(last["traceback"])
