"""The pictures of docs/gallery.md are those of its programs."""

import pytest

from tests.gallery import PAGE, PICTURES, are_close, picture, programs
from tests.support.machine import needs_c


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_the_pictures_are_those_of_the_programs() -> None:
    found = dict(programs())
    assert len(found) >= 8 and set(PICTURES.iterdir()) == set(found)
    page = PAGE.read_text("utf-8")
    for file, text in found.items():
        assert f"(assets/gallery/{file.name})" in page
        assert are_close(picture(text), file.read_text("utf-8")), file.name


def test_another_picture_is_seen() -> None:
    vector, matrix = "⍳9", "3 3⍴⍳9"
    assert are_close(picture(matrix), picture(matrix))
    assert not are_close(picture(vector), picture("⌽⍳9"))
    assert not are_close(picture(matrix), picture("⌽3 3⍴⍳9"))
