"""What tests of several modules ask for: a compiler, directories of their own, surroundings of a command."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import aplc.cli
from aplc.backends.native.toolchain import Compiler, find_compiler
from tests.support import days
from tests.support.commands import Cli, Outcome
from tests.support.haste import DAYS, optimise
from tests.support.machine import require

ASSERTING = ("error_places", "plain_tail.definitions", "rewriting", "run_meaning", "type_texts")
"""Modules of support whose `assert` shows values, as that of tests does."""
pytest.register_assert_rewrite(*[f"tests.support.{name}" for name in ASSERTING])


OF_TABLES = ("tests/laila/", "tests/backends/", "tests/programs/")
"""Folders in which most tests with parameters compile a program for each."""
OF_CODE = ("tests/laila/", "tests/backends/")
"""Folders in which most others compile one."""
DAYS_OF_TABLES, DAYS_OF_CODE = 28, 8


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Where tests are asked for by name nothing is left for other days."""
    if config.option.keyword or any("::" in each for each in config.args):
        os.environ[days.CHOICE] = days.ALL


def pytest_report_header() -> str:
    """The day whose turn it is."""
    return f"APLC_TEST_DAY={days.DAY}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests whose turn it is not."""
    chosen, others = [], []
    for item in items:
        (chosen if days.is_turn_of(item.nodeid, turn_of(item)) else others).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = chosen


def turn_of(item: pytest.Item) -> int:
    """A test runs one day in so many."""
    mark = item.get_closest_marker("in_turn")
    if mark is not None:
        return int(mark.args[0])
    if hasattr(item, "callspec"):
        return DAYS_OF_TABLES if item.nodeid.startswith(OF_TABLES) else 1
    return DAYS_OF_CODE if item.nodeid.startswith(OF_CODE) else 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what this machine lacks, and choose how long the compilers take."""
    optimise(
        item.get_closest_marker("optimised") is not None or days.is_turn_of(f"optimised {item.nodeid}", DAYS)
    )
    for mark in item.iter_markers("needs"):
        require(*mark.args)


@pytest.fixture(scope="session")
def compiler() -> Compiler:
    """The C compiler of this machine."""
    require("c")
    return find_compiler()


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of compiled programs for the tests of one module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("APLC_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def surroundings(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """A working directory of the test's own, one cache for its module, and the signal handler as it was."""
    monkeypatch.chdir(tmp_path)
    cache = tmp_path_factory.getbasetemp() / f"{request.module.__name__}-cache"
    monkeypatch.setenv("APLC_CACHE_DIR", str(cache))
    monkeypatch.delenv("APLC_DEBUG", raising=False)
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """`aplc` in this process."""

    def call(*arguments: str) -> Outcome:
        status = aplc.cli.main(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(status, captured.out, captured.err)

    return call
