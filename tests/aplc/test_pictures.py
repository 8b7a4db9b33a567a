"""Values as pictures: which have one, and what stands in it."""

import base64
import re
import struct
import zlib
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from aplc.pictures import MOST_CELLS, MOST_POINTS, picture_of


def drawn(value: Any) -> ElementTree.Element:
    """The picture of a value, which is XML and fetches nothing."""
    text = picture_of(value)
    assert text is not None
    assert not re.search(r'href="(?!data:image/png)|<script|url\(', text)
    return ElementTree.fromstring(text)


def tags(value: Any, tag: str) -> list[ElementTree.Element]:
    return drawn(value).findall(f"{{http://www.w3.org/2000/svg}}{tag}")


def pixels(image: ElementTree.Element) -> np.ndarray:
    """The colours in an image."""
    data = base64.b64decode(image.attrib["href"].partition(",")[2])
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    size = struct.unpack(">I", data[start - 4 : start])[0]
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + size]), np.uint8)
    return rows.reshape(height, 1 + 4 * width)[:, 1:].reshape(height, width, 4)


def test_a_vector_is_a_line_below_its_numbers() -> None:
    line = tags(np.array([0, 10, 5]), "path")[-1].attrib["d"]
    heights = [float(each) for each in re.findall(r" ([\d.]+)", line)]
    assert heights[1] < heights[2] < heights[0]
    texts = [each.text for each in tags(np.array([-2.0, 10, 5]), "text")]
    assert "10" in texts
    assert "¯2" in texts


def lines(value: Any) -> list[str]:
    return [each.attrib["d"] for each in tags(value, "path") if each.attrib.get("fill") == "none"]


def test_several_vectors_are_several_lines() -> None:
    assert len(lines((np.arange(3), np.arange(5) * 1.5))) == 2


def test_a_line_of_many_points_keeps_its_peaks() -> None:
    values = np.zeros(100_000)
    values[77_777] = 9
    (line,) = lines(values)
    assert line.count("L") <= MOST_POINTS
    least = min(float(each) for each in re.findall(r" ([\d.]+)", line))
    (short,) = lines(np.array([0.0, 9.0]))
    assert least == min(float(each) for each in re.findall(r" ([\d.]+)", short))


def test_a_line_is_open_where_there_is_no_number() -> None:
    (line,) = lines(np.array([1.0, 2, np.nan, 3, 4]))
    assert line.count("M") == 2


def test_a_line_of_equal_numbers_has_a_height() -> None:
    assert "nan" not in lines(np.full(3, 7))[0]
    assert "nan" not in lines(np.zeros(3))[0]


def test_a_matrix_is_a_heat_map_and_its_scale() -> None:
    cells, scale = map(pixels, tags(np.array([[0.0, 1], [2, np.inf]]), "image"))
    assert cells.shape == (2, 2, 4)
    assert cells[1, 1, 3] == 0  # no number, no colour
    assert (cells[1, 0] == scale[0, 0]).all()
    assert (cells[0, 0] == scale[-1, 0]).all()


def test_numbers_of_both_signs_have_a_colour_for_nothing() -> None:
    cells = pixels(tags(np.array([[-3, 0, 1]]), "image")[0])
    assert cells[0, 1, :3].min() > 200
    assert cells[0, 0, 2] > cells[0, 0, 0]


def test_a_large_matrix_is_shown_by_means() -> None:
    cells = pixels(tags(np.arange(1e6).reshape(1000, 1000), "image")[0])
    assert cells.shape == (MOST_CELLS, MOST_CELLS, 4)


@pytest.mark.parametrize(
    "value",
    [
        np.array(3), np.zeros(0), np.zeros(1), np.zeros((2, 2, 2)), np.array([65, 66], np.uint32),
        np.array([1j, 2]), (np.arange(3), np.array([65, 66], np.uint32)), (np.arange(3), np.array(1)), (),
        tuple([np.arange(3)] * 9),
    ],
)  # fmt: skip
def test_what_has_no_picture(value: Any) -> None:
    assert picture_of(value) is None
