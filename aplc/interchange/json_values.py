"""Values of JSON as inputs: numbers, truth values, texts, lists of these, or what `--format json` prints."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

from aplc.interchange.given import Input, UnfitValue, Value, as_input
from aplc.interchange.lists import characters, of_lists
from aplc.interchange.record_arrays import of_rows
from aplc.tail.elements import UnfitArray, require_extents
from aplc.tail.types import Base

KEYS = {"type", "shape", "data"}


def of_json(text: str) -> Input:
    """A text of JSON as an input. Raises `ValueError`, `UnfitArray`, `UnfitValue`."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        return _input(_array(value) if isinstance(value, dict) else value)
    except UnfitArray as unfit:
        raise UnfitArray(str(unfit).replace("None", "null", 1)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _input(value: Any) -> Input:
    """A list, a text, a number, or an array."""
    if value is None:
        raise UnfitValue("DOMAIN ERROR", "is null, which APL has no counterpart for")
    if isinstance(value, str) and len(value) != 1:
        value = characters(value)
    if isinstance(value, list) or (isinstance(value, np.ndarray) and value.dtype == object):
        try:
            return of_lists(value, None, lambda _: None).input()
        except UnfitValue as unfit:
            with suppress(UnfitValue, UnfitArray):
                if (made := of_rows(value, _column)) is not None:
                    return made
            raise unfit from None
    return as_input(np.asarray(value))


def _column(column: Value) -> Input:
    return of_lists(column, None, lambda _: None).input()


def _item(form: object) -> Value | tuple[Any, ...]:
    """An item of what is nested: an array, or a record."""
    if not isinstance(form, dict):
        raise ValueError("an item of what is nested is an object")
    if form.get("type") == "tuple" and isinstance(form.get("data"), list):
        return tuple([_item(field) for field in form["data"]])
    return _array(form)


def _array(form: dict[str, Any]) -> Value:
    """The array of an object with a type, a shape and data in row-major order."""
    if set(form) != KEYS:
        raise ValueError(f"an object has the keys {', '.join(sorted(KEYS))}")
    kind, shape, data = form["type"], form["shape"], form["data"]
    if not isinstance(shape, list) or not all([type(n) is int and n >= 0 for n in shape]):
        raise ValueError("a shape is a list of extents")
    require_extents(shape)
    if kind == "nested" and isinstance(data, list):
        elements = np.empty(len(data), object)
        for k, item in enumerate(data):
            elements[k] = _item(item)
    elif kind == "char" and isinstance(data, str):
        elements = characters(data)
    elif kind in ("int", "double", "bool", "complex") and isinstance(data, list):
        elements = np.array([_element(kind, x) for x in data], Base(kind).dtype)
    else:
        raise ValueError(f"there is no array of type {kind} with such data")
    if elements.size != math.prod(shape):
        raise ValueError(f"{elements.size} elements have no shape {shape}")
    return elements.reshape(shape)


def _element(kind: str, value: Any) -> Any:
    """An element of a type."""
    if kind == "double" and value in ("inf", "-inf", "nan"):
        return float(value)
    if kind == "complex" and isinstance(value, list) and len(value) == 2:
        return complex(*[_element("double", part) for part in value])
    fits = {"int": (int,), "double": (int, float), "bool": (bool,), "complex": ()}[kind]
    if type(value) not in fits or (kind == "int" and not -(2**63) <= value < 2**63):
        raise ValueError(f"{json.dumps(value)[:40]} is no element of type {kind}")
    return value
