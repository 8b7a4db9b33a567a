"""The documentation site is built without a warning, and what a browser loads with it is in it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.glyph_table import PAGE as GLYPHS
from tests.glyph_table import page as glyphs
from tests.support.paths import ROOT
from tests.support.tools import require

LOADED = re.compile(
    r"""<(?:script|img|iframe|link(?! rel="canonical"))\b[^>]*?(?:src|href)="?(https?:|//)[^>]*"""
)
QUIET = {"NO_MKDOCS_2_WARNING": "1"}
"""The theme prints a notice about releases to come."""


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    for module in ("mkdocs", "material", "mkdocstrings_handlers"):
        require(module)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **QUIET}
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    written = list(tmp_path.rglob("*.html"))
    assert len(written) > 100 and (tmp_path / "search" / "search_index.json").stat().st_size > 100_000
    texts = {path: path.read_text("utf-8") for path in written}
    assert not [(path.name, found[0]) for path, text in texts.items() for found in LOADED.finditer(text)]
    assert "Raises" in texts[tmp_path / "api.html"] and "&gt;&gt;&gt;" not in texts[tmp_path / "index.html"]


def test_the_page_of_symbols_is_up_to_date() -> None:
    assert GLYPHS.read_text("utf-8") == glyphs(), "run python -m tests.glyph_table"
