"""Tools that check the tree: whether they are there, and running them."""

import importlib.util
import subprocess

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
