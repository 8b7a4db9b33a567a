"""When a line is complete: its braces are closed, and so is a definition between two ∇. What else a line
opens must be closed on it, so that a parenthesis too many is an error at once.
"""

from __future__ import annotations


def is_open(text: str) -> bool:
    """Whether more lines belong to a text."""
    lines = text.split("\n")
    if lines[0].lstrip().startswith("∇"):
        return not any(line.strip() == "∇" for line in lines[1:])
    return sum(map(_depth, lines)) > 0


def _depth(line: str) -> int:
    """How many more braces are opened than closed in a line, outside of texts and comments."""
    depth, quote = 0, ""
    for character in line:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "⍝":
            break
        else:
            depth += (character == "{") - (character == "}")
    return depth
