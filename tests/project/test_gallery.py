"""The pictures of docs/gallery.md are those of its programs."""

import pytest

from tests.gallery import PAGE, PICTURES, are_close, picture, programs
from tests.support.machine import needs_c

LONG = ("mandelbrot", "spots", "hull", "life")
"""What takes the interpreter seconds."""


@pytest.mark.in_turn(3)
@needs_c
@pytest.mark.usefixtures("surroundings")
def test_the_pictures_are_those_of_the_programs() -> None:
    found = dict(programs())
    assert len(found) >= 8 and set(PICTURES.iterdir()) == set(found)
    page = PAGE.read_text("utf-8")
    for file, text in found.items():
        assert f"(assets/gallery/{file.name})" in page
        target = "c" if file.stem in LONG else "interp"
        assert are_close(picture(text, target), file.read_text("utf-8")), file.name


def test_another_picture_is_seen() -> None:
    vector, matrix = "⍳9", "3 3⍴⍳9"
    drawn = {text: picture(text, "interp") for text in (vector, matrix, "⌽⍳9", "⌽3 3⍴⍳9")}
    assert are_close(drawn[matrix], picture(matrix, "interp"))
    assert not are_close(drawn[vector], drawn["⌽⍳9"])
    assert not are_close(drawn[matrix], drawn["⌽3 3⍴⍳9"])
