"""`@aplc.apl`: a function of Python whose docstring is APL."""

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc


@aplc.apl(target="interp")
def weighted(weights: Any, values: Any) -> Any:
    """
    ⍝ The weighted mean.
    {(+/⍺×⍵)÷+/⍺}
    """


@aplc.apl(target="interp")
def mean(values: Any) -> Any:
    "+⌿÷≢"


def test_calls_by_order_and_by_name() -> None:
    assert mean([1, 2, 6]) == mean(values=[1, 2, 6]) == 3.0
    assert weighted([1, 3], [2, 6]) == weighted([1, 3], values=[2, 6]) == 5.0
    assert weighted(values=[2, 6], weights=[1, 3]) == 5.0


def test_it_is_a_function_like_others() -> None:
    assert isinstance(weighted, aplc.Function) and weighted.__name__ == "weighted"
    assert str(inspect.signature(weighted)) == "(weights, values)"
    assert weighted.__doc__ == "The weighted mean." and weighted.__module__ == __name__
    assert "[double]1 → [double]1 → [double]0" in weighted.compile("[double]1", "[double]1").types
    twin = pickle.loads(pickle.dumps(weighted))
    assert twin(weights=[1.0], values=[3.0]) == 3.0 and twin.__name__ == "weighted"
    assert mean.ufunc(np.ones(2)).tolist() == [1.0, 1.0]


def no_docstring(x: object) -> None: ...


def no_parameter() -> None:
    "{⍵}"


def with_default(x: object, y: object = 1) -> None:
    "{⍺+⍵}"


def by_name_only(*, x: object) -> None:
    "{⍵}"


def wrong_number(x: object) -> None:
    "{⍺+⍵}"


def wrong_text(x: object) -> None:
    "{⍵+"


def no_function(x: object) -> None:
    "Adds one."


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (no_docstring, TypeError, "no_docstring has no docstring, which would be its APL"),
        (no_parameter, TypeError, "no_parameter has one parameter or two"),
        (with_default, TypeError, "without defaults"),
        (by_name_only, TypeError, "by_name_only has one parameter or two"),
        (wrong_number, TypeError, "wrong_number has 1 parameters, and its APL takes two arguments"),
        (wrong_text, aplc.CompileError, "unclosed"),
        (no_function, aplc.CompileError, "Adds"),
        ("{⍵}", TypeError, "decorates a function of Python, and got str"),
        (int, TypeError, "decorates a function of Python, and got type"),
    ],
)
def test_what_is_wrong_is_told_at_once(
    function: Callable[..., object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message) as raised:
        aplc.apl(function)
    assert isinstance(raised.value, aplc.Error)
    with pytest.raises(TypeError, match="missing a required argument: 'values'"):
        mean(value=1)
    with pytest.raises(ValueError, match="target is one of"):
        aplc.apl(target="gpu")(no_function)  # type: ignore[arg-type]
