"""`f.ufunc`: a function of single elements on arrays, which are broadcast as NumPy does it.

The function is applied by APL's own `¨`, in one compiled loop. A single number stays one; an array that
others are broadcast against is copied only where it has fewer elements than the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from aplc.calling.arguments import require_array
from aplc.tail.errors import ArgumentTypeError, ArgumentValueError, CallError, Diagnostic

if TYPE_CHECKING:
    from aplc.calling.functions import Function


class Ufunc:
    """A function of one or two elements, applied to arrays element by element.

    Arguments are broadcast; the result has one element, a number, for each of theirs. With `out=array` the
    results are written there.
    """

    def __init__(self, function: Function, each: Function) -> None:
        self._function, self._each = function, each
        self.__name__ = function.__name__

    nout = 1

    @property
    def nin(self) -> int:
        """The number of arguments, where the text of the function tells it. Raises `ValueError`."""
        valences = self._function.read().valences
        if len(valences) != 1:
            raise ArgumentValueError(Diagnostic("VALUE ERROR", f"{self.__name__} takes one argument or two"))
        return valences[0]

    def __call__(self, *args: Any, out: Any = None) -> Any:
        """The results for one or two arrays."""
        if len(args) not in (1, 2):
            raise CallError(f"an APL function takes one or two arguments, got {len(args)}")
        arrays = [require_array(each) for each in args]
        shape = _broadcast(arrays)
        result = self._each(*[each if each.ndim == 0 else _spread(each, shape) for each in arrays])
        if np.shape(result) != shape or np.asarray(result).dtype == object:
            message = "gives arrays, and a ufunc is made of a function that gives one number for an element"
            raise ArgumentTypeError(Diagnostic("RANK ERROR", f"{self.__name__} {message}"))
        return result if out is None else _written(out, result, shape)

    def __repr__(self) -> str:
        return f"<ufunc of {self._function!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._function, "ufunc")


def _broadcast(arrays: list[np.ndarray[Any, Any]]) -> tuple[int, ...]:
    """The shape of the result."""
    try:
        return np.broadcast_shapes(*[each.shape for each in arrays])
    except ValueError:
        shapes = " and ".join([str(each.shape) for each in arrays])
        message = f"shapes {shapes} cannot be broadcast together"
        raise ArgumentValueError(Diagnostic("LENGTH ERROR", message)) from None


def _spread(array: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return array if array.shape == shape else np.broadcast_to(array, shape)


def _written(out: Any, result: Any, shape: tuple[int, ...]) -> Any:
    """The results in an array of the user's. Raises `TypeError`, `ValueError`."""
    if not isinstance(out, np.ndarray):
        raise CallError(f"out is an array of NumPy, and got {type(out).__name__}")
    if out.shape != shape:
        message = f"out has the shape {out.shape}, the result has {shape}"
        raise ArgumentValueError(Diagnostic("LENGTH ERROR", message))
    try:
        np.copyto(out, result, casting="same_kind")
    except (TypeError, ValueError) as failure:
        raise ArgumentTypeError(Diagnostic("DOMAIN ERROR", f"out: {failure}")) from None
    return out
