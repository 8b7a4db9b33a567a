"""`f.ufunc`: functions of elements on arrays that are broadcast."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.alike import same
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")


@on_each_target
def test_broadcasting_is_that_of_numpy(target: str) -> None:
    clipped = aplc.fn("{⍺>⍵:⍺ ⋄ ⍵}", target=target).ufunc  # ⍺>⍵ needs one element
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((), ()), ((3,), ()), ((), (2, 3)), ((2, 3), (3,)), ((2, 1), (3,)), ((2, 1, 3), (4, 1)),
        ((0, 3), (3,)), ((1,), (0,)),
    ]  # fmt: skip
    rng = np.random.default_rng(3)
    for left, right in shapes:
        a, b = rng.integers(-9, 9, left), rng.integers(-9, 9, right)
        assert same(clipped(a, b), np.maximum(a, b)[()] if left or right else int(max(a, b))), (left, right)


def test_one_argument_and_what_is_known() -> None:
    root = aplc.fn("{⍵≥0:⍵*÷2 ⋄ 0}", target="interp").ufunc
    assert root([-1.0, 4.0]).tolist() == [0.0, 2.0] and root(9) == 3.0
    assert root(np.float32([[4.0], [9.0]])).tolist() == [[2.0], [3.0]]
    assert (root.nin, root.nout, root.__name__) == (1, 1, "function")
    assert repr(root) == "<ufunc of <APL function {⍵≥0:⍵*÷2 ⋄ 0}>>"
    named = aplc.fn("k←2\ntwice←{k×⍵}", target="interp").ufunc
    assert named([1, 2]).tolist() == [2, 4]
    is_a = aplc.fn("{⍵='a'}", target="interp")
    assert is_a.ufunc(np.array([["a"], ["b"]])).tolist() == [[True], [False]]


def test_results_in_an_array_of_the_users() -> None:
    half = aplc.fn("{⍵÷2}", target="interp").ufunc
    out = np.zeros((2, 2), np.float32)
    assert half([[1, 2], [3, 4]], out=out) is out and out.tolist() == [[0.5, 1.0], [1.5, 2.0]]
    for wrong, kind, message in (
        (np.zeros(3), ValueError, r"out has the shape \(3,\), the result has \(2,\)"),
        (np.zeros(2, int), TypeError, "Cannot cast"),
        ([0, 0], TypeError, "out is an array of NumPy, and got list"),
    ):
        with pytest.raises(kind, match=message):
            half([1, 2], out=wrong)


@pytest.mark.parametrize(
    ("text", "args", "kind", "message"),
    [
        ("+", ([1, 2], [1, 2, 3]), ValueError, r"shapes \(2,\) and \(3,\) cannot be broadcast"),
        ("+", (), TypeError, "takes one or two arguments, got 0"),
        ("⍳", ([1, 2],), TypeError, "gives arrays, and a ufunc is made of a function"),
        ("{⍵ ⍵}", (3,), TypeError, "gives arrays"),
        ("{⍺+⍵}", ([1],), aplc.CompileError, "⍺ is not defined"),
        ("+", ([1, [2]], 1), ValueError, "is no array"),
        ("+", (["ab"], 1), TypeError, "holds texts"),
        ("{÷⍵}", ([1, 0],), aplc.RunError, "divides by zero"),
    ],
)
def test_what_is_wrong(text: str, args: tuple[Any, ...], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as raised:
        aplc.fn(text, target="interp").ufunc(*args)
    assert isinstance(raised.value, aplc.Error)
    with pytest.raises(ValueError, match="takes one argument or two"):
        _ = aplc.fn("+", target="interp").ufunc.nin
