"""When a line is complete: what it opens is closed, and so is a definition between two ∇."""

from __future__ import annotations

OPENING, CLOSING = "({[", ")}]"


def is_open(text: str) -> bool:
    """Whether more lines belong to a text."""
    lines = text.split("\n")
    if lines[0].lstrip().startswith("∇"):
        return not any(line.strip() == "∇" for line in lines[1:])
    return sum(map(_depth, lines)) > 0


def _depth(line: str) -> int:
    """How many more are opened than closed in a line, outside of texts and comments."""
    depth, quote = 0, ""
    for character in line:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "⍝":
            break
        else:
            depth += (character in OPENING) - (character in CLOSING)
    return depth
