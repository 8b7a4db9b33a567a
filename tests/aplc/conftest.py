"""What tests of `aplc` share."""

from collections.abc import Iterator

import pytest

from tests.support.interactive.browser import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for the pages of a module: what a page draws takes time as long as it is there."""
    started = Browser(tmp_path_factory.mktemp("browser"))
    yield started
    started.close()
