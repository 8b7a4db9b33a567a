"""The pictures of docs/gallery.md: `python -m tests.gallery` runs its programs and writes them anew.

A test runs the programs, too, and compares: numbers in the last bits may differ between processors, and so
may the colour of a pixel here and there.
"""

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import aplc
from aplc.calling.options import TargetName
from aplc.pictures import picture_of
from tests.support.page_blocks import blocks_of
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "assets" / "gallery"
IMAGE = re.compile(r"data:image/png;base64,([\w+/=]+)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
CLOSE = 0.2
"""How far lines may be apart in pixels; and colours on average, of 255."""


def programs() -> Iterator[tuple[Path, str]]:
    """The programs of the page, with the files of their pictures."""
    for block in blocks_of(PAGE.read_text("utf-8")):
        if block.note.startswith("file "):
            yield PICTURES / f"{Path(block.note.split()[1]).stem}.svg", block.text


def picture(program: str, target: TargetName = "c") -> str:
    """The picture of the value of a program."""
    made = picture_of(aplc.run(program, target=target))
    assert made is not None
    return made


def are_close(one: str, other: str) -> bool:
    """Whether two pictures look the same."""
    pairs = list(zip(IMAGE.findall(one), IMAGE.findall(other), strict=True))
    lines = [np.array(NUMBER.findall(IMAGE.sub("", each)), float) for each in (one, other)]
    return (
        all(np.abs(_pixels(a) - _pixels(b)).mean() <= CLOSE for a, b in pairs)
        and lines[0].shape == lines[1].shape
        and bool((np.abs(lines[0] - lines[1]) <= CLOSE).all())
    )


def _pixels(image: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The bytes of an image as `aplc.pictures` makes it: one chunk, without filters."""
    data = base64.b64decode(image)
    start = data.index(b"IDAT") + 4
    return np.frombuffer(zlib.decompressobj().decompress(data[start:]), np.uint8).astype(float)


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for file, text in programs():
        file.write_text(picture(text), "utf-8")
        print(file.relative_to(ROOT))
