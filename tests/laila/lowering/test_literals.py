"""What vectors in the text of a program become."""

import pytest

from aplc import fn


@pytest.mark.parametrize(
    ("text", "is_table"), [("abcdefgh", False), ("hgfedcba", False), ("sphinxofblackquartzjudgemyvow", True)]
)
def test_characters_that_follow_each_other_are_no_table(text: str, is_table: bool) -> None:
    program = fn(f"{{'{text}'[1+{len(text)}|⍵]}}").emit("laila", "[int]1")
    assert ("c[" in program) == is_table, program
