"""The table of passes in docs/tour.md, from the lists: `python -m tests.pass_table` writes it anew."""

from collections.abc import Iterator

from aplc.laila import pipeline as laila
from aplc.tail import pipeline as tail
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "tour.md"
FIRST, LAST = "<!-- passes -->\n", "<!-- end of passes -->\n"


def table() -> str:
    """The passes of both languages, in order."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "| pass of TAIL | |"
    yield "|---|---|"
    for each in tail.PASSES:
        yield f"| `{each.name}` | {each.reason} |"
    for title, passes in (
        ("pass over SOACs", laila.PASSES),
        ("pass for devices", laila.DEVICE_PASSES),
        ("pass over loops", laila.LOOP_PASSES),
    ):
        yield ""
        yield f"| {title} | made | |"
        yield "|---|---|---|"
        for step in passes:
            yield f"| `{step.name}` | {step.when.words} | {step.reason} |"


def parts(page: str) -> tuple[str, str, str]:
    """The page before the table, the table, and what is behind it."""
    before, _, rest = page.partition(FIRST)
    inside, _, after = rest.partition(LAST)
    return before, inside, after


def main() -> None:
    """Write the table."""
    before, _, after = parts(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(before + FIRST + table() + LAST + after, encoding="utf-8")


if __name__ == "__main__":
    main()
