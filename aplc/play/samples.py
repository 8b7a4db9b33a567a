"""The programs that the page offers to begin with: files here, each with its title in the first line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DIRECTORY = Path(__file__).parent / "samples"


@cache
def samples() -> list[dict[str, str]]:
    """Titles and texts, in the order of their names."""
    texts = [path.read_text("utf-8") for path in sorted(DIRECTORY.glob("*.apl"))]
    return [{"title": text.partition("\n")[0].removeprefix("⍝ "), "text": text} for text in texts]
