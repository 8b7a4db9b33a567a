"""The gallery of the documentation: its cells run, and show what stands in it."""

import json
from typing import Any

import pytest

from tests.support.interactive.notebooks import LACKING, Kernel
from tests.support.machine import needs_c
from tests.support.paths import ROOT

GALLERY = ROOT / "docs" / "gallery.ipynb"
FORMS, PICTURE = ("text/plain", "text/html"), "image/svg+xml"


def forms_of(outputs: list[Any]) -> list[Any]:
    """What outputs show, each by its forms, or the text that is printed."""
    shown = [each.get("data", {"text/plain": each.get("text", "")}) for each in outputs]
    return [{form: "".join(each[form]) for form in FORMS if form in each} | _pictures(each) for each in shown]


def _pictures(forms: Any) -> dict[str, bool]:
    """Whether there is a picture; its last bits are those of the machine."""
    return {PICTURE: True} if "".join(forms.get(PICTURE, "")).startswith("<svg ") else {}


@pytest.mark.skipif(bool(LACKING), reason=LACKING)
@needs_c
def test_the_gallery_shows_what_it_says(python_kernel: Kernel) -> None:
    first, *cells = [c for c in json.loads(GALLERY.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
    assert ("".join(first["source"]), first["outputs"]) == ("%load_ext aplc", [])  # as it is there
    found = [python_kernel.outputs("".join(each["source"])) for each in cells]
    assert sum([PICTURE in form for each in found for form in forms_of(each)]) >= 2
    for cell, outputs in zip(cells, found, strict=True):
        assert forms_of(outputs) == forms_of(cell["outputs"])
