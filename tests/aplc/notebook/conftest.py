"""The kernels of these tests, one for each language."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aplc.notebook.command import kernel
from tests.support.interactive.notebooks import Kernel


@pytest.fixture(scope="session")
def python_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel of Python in which `%%apl` is known."""
    kernel = Kernel("python3", tmp_path_factory.mktemp("python"))
    kernel.outputs("%load_ext aplc")
    yield kernel
    kernel.close()


@pytest.fixture(scope="session")
def apl_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """The kernel of APL."""
    directory: Path = tmp_path_factory.mktemp("apl")
    assert kernel(["install", "--prefix", str(directory)]) == 0
    started = Kernel("apl", directory)
    yield started
    started.close()
