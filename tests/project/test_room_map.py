"""The page of rooms and modules is what the source says of itself."""

import pytest

from tests.room_map import PAGE, found, page


@pytest.mark.in_turn(2)
def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m tests.room_map"


def test_no_room_is_a_hall() -> None:
    assert {name: len(room.modules) for name, room in found().items() if len(room.modules) > 25} == {}


def test_every_module_says_what_it_is() -> None:
    assert [
        f"{name}.{m}" for name, room in found().items() for m, about in room.modules.items() if not about
    ] == []
