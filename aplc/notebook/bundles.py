"""Values as notebooks show them: the same value in several forms, by their media types."""

from __future__ import annotations

from typing import Any

from aplc.backends.native.run import Result
from aplc.notebook.tables import table_of
from aplc.pictures import picture_of
from aplc.repl.boxed import boxed
from aplc.repl.shortened import shortened
from aplc.tail.display import display, has_lines
from aplc.tail.types import Base

Bundle = dict[str, Any]

LONGEST = 2000
"""Characters of a line, and lines, of which more are cut off."""
INSTEAD = "a picture, which Jupyter shows in a notebook that is trusted"
"""What is shown where no picture can be."""


def bundle_of(value: Result, base: Base | None, digits: int, *, with_boxes: bool = False) -> Bundle | None:
    """The display form of a value, with its table where it has one; None for a value that has no lines.

    Of what is large the beginning is shown, and how large it is.
    """
    if not has_lines(value):
        return None
    part, note = shortened(value)
    form = boxed if with_boxes else display
    text = form(part, chars=base is Base.CHAR, precision=digits)
    lines = [line if len(line) <= LONGEST else line[:LONGEST] + "…" for line in text.split("\n")]
    bundle: Bundle = {"text/plain": "\n".join([*lines, *[note] * bool(note)])}
    if table := table_of(part, digits):
        bundle["text/html"] = table + (f"<div>{note}</div>" if note else "")
    return bundle


def picture_bundle(
    value: Result, base: Base | None, digits: int, *, with_boxes: bool = False
) -> Bundle | None:
    """The picture of a value, or its other forms where it has none."""
    picture = None if base is Base.CHAR else picture_of(value)
    if picture is None:
        return bundle_of(value, base, digits, with_boxes=with_boxes)
    return {"image/svg+xml": picture, "text/plain": INSTEAD}
