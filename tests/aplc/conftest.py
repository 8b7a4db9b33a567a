"""What tests of `aplc` share."""

from collections.abc import Iterator

import pytest

from tests.support.interactive.browser import Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all pages."""
    started = Browser(tmp_path_factory.mktemp("browser"))
    yield started
    started.close()
