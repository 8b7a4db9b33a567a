"""docs/glyphs.md: every symbol with its keys, its names and the words that find it.

    python -m tests.glyph_table

writes the page anew from the tables of `aplc.symbols`. A test compares the page with what this makes.
"""

from collections.abc import Iterator

from aplc.symbols import BACKTICK, FUNCTIONS, NAMED, OPERATORS, OTHERS
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "glyphs.md"
DULL = frozenset(
    ["all", "along", "and", "are", "argument", "axes", "axis", "both", "known", "many", "order", "so", "that"]
) | frozenset(["the", "what", "when", "with"])
"""Words that find a symbol, and that nobody looks for it by."""
HEAD = """# How symbols are typed

<!-- Made by `python -m tests.glyph_table` from `aplc/symbols.py`: change that, not this page. -->

In a session (`aplc repl`) a backtick and one more key give a symbol: `` ` `` and then `r` is `⍴`. A word of
the last column and the key Tab do the same is typed. Outside of a session, copy the symbol from
here, or write functions in a session and save them with
`]save FILE.apl`.

| symbol | keys | with one argument | with two arguments, or as an operator | words |
|:-:|:-:|---|---|---|
"""


def page() -> str:
    """The text of docs/glyphs.md."""
    return HEAD + "".join([f"| {' | '.join(cells)} |\n" for cells in rows()])


def rows() -> Iterator[tuple[str, ...]]:
    """A row for each symbol that has a meaning, in the order of the tables."""
    keys = {symbol: key for key, symbol in reversed(BACKTICK.items())}
    for symbol in dict.fromkeys([*FUNCTIONS, *OPERATORS, *OTHERS]):
        monadic, dyadic = FUNCTIONS.get(symbol, ("", ""))
        others = [text for text in (dyadic, OPERATORS.get(symbol, ""), OTHERS.get(symbol, "")) if text]
        words = [f"`{word}`" for word, found in NAMED.items() if found == symbol and word not in DULL]
        yield _code(symbol), _typed(symbol, keys), monadic, "; ".join(others), " ".join(words[:3])


def _typed(symbol: str, keys: dict[str, str]) -> str:
    if symbol.isascii():
        return _code(symbol)
    return f"`` ` `` {_code(keys[symbol])}" if symbol in keys else ""


def _code(text: str) -> str:
    """A span of code in a table."""
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
