"""Arrays of arrays as results for Awkward Array and Arrow."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.opencl.device import find_device
from aplc.interchange import results
from tests.support.machine import TARGETS, lack_of, require

ak: Any = pytest.importorskip("awkward", reason="NOT CHECKED: there is no Awkward Array")
pa: Any = pytest.importorskip("pyarrow", reason="NOT CHECKED: there is no Arrow")

RAGGED = [[1, 2], [], [3, 4, 5]]
DEEP = [[[1], [2, 3]], [], [[4, 5, 6]]]
WORDS = ["ab", "cé€😀", "", "x"]
MATRICES = [np.arange(6).reshape(2, 3), np.zeros((0, 2), int), np.arange(4).reshape(4, 1)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{⍵}", RAGGED, RAGGED),
        ("{⌽⍵}", RAGGED, RAGGED[::-1]),
        ("{1↓⍵}", RAGGED, RAGGED[1:]),
        ("{⍵[1 3 1]}", RAGGED, [RAGGED[0], RAGGED[2], RAGGED[0]]),
        ("{⍵[⍬]}", RAGGED, []),
        ("{2<¨⍵}", RAGGED, [[False, False], [], [True] * 3]),
        ("{÷¨⍵}", [[1, 2], [4]], [[1.0, 0.5], [0.25]]),
        ("{⍳¨⍵}", [1, 0, 2], [[1], [], [1, 2]]),
        ("{⍵}", DEEP, DEEP),
        ("{⌽⍵}", DEEP, DEEP[::-1]),
        ("{⌽¨⍵}", DEEP, [item[::-1] for item in DEEP]),
        ("{⍵}", WORDS, WORDS),
        ("{⌽⍵}", WORDS, WORDS[::-1]),
        ("{⌽¨⍵}", WORDS, [word[::-1] for word in WORDS]),
        ("{' '(≠⊆⊢)¨⍵}", ["ab c", "d"], [["ab", "c"], ["d"]]),
        ("{2 2⍴⍵}", WORDS, [WORDS[:2], WORDS[2:]]),
        ("{⊂¨⍵}", RAGGED, RAGGED),
        ("{⌽⊂¨⍵}", WORDS, WORDS[::-1]),
        ("{⍵}", MATRICES, [m.tolist() for m in MATRICES]),
        ("{⌽⍵}", MATRICES, [m.tolist() for m in MATRICES[::-1]]),
    ],
)
def test_values(target: str, text: str, value: object, expected: object) -> None:
    awkward = aplc.fn(text, target=target, to="awkward")(value)
    assert isinstance(awkward, ak.Array)
    assert ak.is_valid(awkward)
    assert awkward.tolist() == expected
    arrow = aplc.fn(text, target=target, to="arrow")(value)
    assert isinstance(arrow, pa.Array)
    arrow.validate(full=True)
    assert arrow.to_pylist() == expected
    back = aplc.fn("{⍵}", target=target, to="arrow")
    if not isinstance(value, list) or value is not MATRICES:
        assert back(awkward).to_pylist() == back(arrow).to_pylist() == expected


@pytest.mark.parametrize("to", ["awkward", "arrow"])
def test_results_of_other_kinds_are_those_of_numpy(to: str) -> None:
    flat = aplc.fn("{≢¨⍵}", target="interp", to=to)(WORDS)
    assert isinstance(flat, np.ndarray)
    assert aplc.fn("{≢⍵}", target="interp", to=to)(WORDS) == 4
    parts = aplc.fn("{⍵(≢⍵)'ab'}", target="interp", to=to)(WORDS)
    assert parts[0].tolist() == WORDS
    assert parts[1] == 4
    assert parts[2].tolist() == ["a", "b"]
    assert aplc.run("1⌽w", w=WORDS, to=to, target="interp").tolist() == [*WORDS[1:], WORDS[0]]


def test_elements_are_used_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Watched:
        def __init__(self, make: Any) -> None:
            self.make = make()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.make, name)

        def values(self, array: Any) -> Any:
            seen.append(array)
            return self.make.values(array)

    maker = results.awkward_arrays.ForAwkward
    monkeypatch.setattr(results.awkward_arrays, "ForAwkward", lambda: Watched(maker))
    found = aplc.fn("{⍵+¨1}", target="interp", to="awkward")(RAGGED)
    assert seen[0].base is None or seen[0].flags.owndata
    assert np.shares_memory(found.layout.content.data, seen[0])
    arrow = results.arrow_arrays.ForArrow().values(seen[0])
    assert arrow.buffers()[1].address == seen[0].ctypes.data


@pytest.mark.parametrize("to", ["numpy", "awkward"])
def test_items_made_of_arrays_on_a_device_come_to_the_host(to: str) -> None:
    cl, arrays = pytest.importorskip("pyopencl"), pytest.importorskip("pyopencl.array")
    require("opencl")
    queue = cl.CommandQueue(find_device().context)
    given = arrays.to_device(queue, np.arange(6))
    split = aplc.fn("{(⍵+1)⊂⍨1=3|⍳≢⍵}", target="opencl", to=to)
    for _ in range(4):
        assert [list(item) for item in split(given)] == [[1, 2, 3], [4, 5, 6]]
    parts, whole = aplc.fn("{(⍵⊂⍨1=3|⍳≢⍵)(2×⍵)}", target="opencl", to=to)(given)
    assert [list(item) for item in parts] == [[0, 1, 2], [3, 4, 5]]
    assert whole.get().tolist() == [0, 2, 4, 6, 8, 10]


def test_items_are_arrays_of_their_own() -> None:
    for target in ("interp", *(() if lack_of("c") else ("c",))):
        found = aplc.fn("{⍵[1 1 2]}", target=target)(RAGGED)
        found[0][:] = 9
        assert [item.tolist() for item in found] == [[9, 9], [1, 2], []]


def test_complex_numbers() -> None:
    text = "{⍵×¨0J1}"
    assert aplc.fn(text, target="interp", to="awkward")(RAGGED).tolist()[0] == [1j, 2j]
    with pytest.raises(aplc.CompileError, match="complex numbers, for which Arrow has no type"):
        aplc.fn(text, target="interp", to="arrow")(RAGGED)


def test_halves_of_characters() -> None:
    for to in ("awkward", "arrow"):
        with pytest.raises(aplc.CompileError, match="halves of UTF-16"):
            aplc.fn("{⌽⍵}", target="interp", to=to)(["a", "b\ud800"])


def test_the_option() -> None:
    with pytest.raises(aplc.OptionError, match="to is one of numpy, awkward, arrow, not 'polars'"):
        aplc.fn("+", to="polars")
    with pytest.raises(aplc.CallError, match="to is an option"):
        aplc.run("to", to=3)
    reverse = aplc.fn("{⌽⍵}", target="interp", to="arrow")
    for other in (pickle.loads(pickle.dumps(reverse)), copy.copy(reverse)):
        assert other(WORDS).to_pylist() == WORDS[::-1]


def test_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "find_spec", lambda _: None)
    with pytest.raises(
        aplc.MachineError, match=r"to='arrow' needs the package pyarrow; pip install 'aplc\[arrow\]'"
    ):
        aplc.fn("⌽", to="arrow")
