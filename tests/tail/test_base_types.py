"""The table of base types: complete, true of NumPy, and asked wherever a type decides."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from aplc.backends.c.types import C_TYPES, STORAGE_TYPES
from aplc.laila.ir.scalar import storage_bytes
from aplc.tail.elements import base_of_dtype
from aplc.tail.meaning.core import base_of_value
from aplc.tail.prims import EQUALITY
from aplc.tail.source import Source
from aplc.tail.syntax import complex_number, literal
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Base, base_of, base_of_constant, scalar
from tests.support.paths import ROOT
from tests.support.type_texts import read

PACKAGES = ("tail", "apl_front", "laila", "backends", "aplc")

SIZES = {"b": 1, "U": 1, "c": 8}
"""The sizes of elements that NumPy has of a kind, where 4 bytes are none."""

each_base = pytest.mark.parametrize("base", Base, ids=str)


@each_base
def test_its_name_is_its_text(base: Base) -> None:
    assert Base(str(base)) is base
    assert read(str(base)) == scalar(base)


@each_base
def test_its_elements_are_what_numpy_says(base: Base) -> None:
    dtype = np.dtype(base.dtype)
    assert dtype.name == base.dtype
    assert dtype.itemsize == base.item_bytes == storage_bytes(base.dtype)
    assert base_of_value(np.zeros(2, dtype)) is base
    assert base.is_exact == (dtype.kind in "biu")


@each_base
def test_its_fill_element_is_a_value(base: Base) -> None:
    held = np.array(base.fill, base.dtype).item()
    assert held == base.fill
    assert type(held) is type(base.fill) or base is Base.COMPLEX  # which is written as its parts
    assert base.bounds is None or base.bounds[0] <= base.fill <= base.bounds[1]


@each_base
def test_its_bounds_fit_its_elements(base: Base) -> None:
    for bound in base.bounds or ():
        assert int(np.array(bound, base.dtype)) == bound


@each_base
def test_its_constants_have_a_text(base: Base) -> None:
    if base is Base.COMPLEX:
        number = complex_number(1.5, -0.0)
        assert base_of(number.ty) is base
        assert parse_term(Source("t", print_term(number))) == number
        return
    constant = literal(base.fill if base.is_number else chr(int(base.fill)))
    assert base_of_constant(constant.value) is base_of(constant.ty) is base
    assert parse_term(Source("t", print_term(constant))) == constant


def test_each_kind_of_outside_elements_has_one_type() -> None:
    kinds = "".join([base.kinds for base in Base])
    assert len(set(kinds)) == len(kinds)
    for base in Base:
        for kind in base.kinds:
            assert base_of_dtype(np.dtype(f"{kind}{SIZES.get(kind, 4)}")) is base


def test_tables_of_operations_have_all_types() -> None:
    assert set(EQUALITY) == {base.value for base in Base}
    assert set(C_TYPES) == set(Base)
    assert {base.dtype for base in Base} <= set(STORAGE_TYPES)


def _patterns(pattern: ast.pattern) -> Iterator[ast.pattern]:
    """The alternatives of a pattern."""
    if isinstance(pattern, ast.MatchOr):
        for each in pattern.patterns:
            yield from _patterns(each)
    else:
        yield pattern


def _member(pattern: ast.pattern) -> str | None:
    """The name of the base type that a pattern is."""
    match pattern:
        case ast.MatchValue(value=ast.Attribute(value=ast.Name(id="Base"), attr=name)):
            return name
        case _:
            return None


def _matches() -> Iterator[tuple[str, list[str | None]]]:
    """The places that match a base type, with the types in their cases; None for any other pattern."""
    for package in PACKAGES:
        for path in sorted(Path(ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Match):
                    found = [_member(each) for case in node.cases for each in _patterns(case.pattern)]
                    if any(found):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", found


def test_where_a_type_is_matched_each_has_a_case() -> None:
    """So that mypy, too, finds the places that a new type has to be thought of."""
    matches = dict(_matches())
    assert matches
    every = {base.name for base in Base}
    assert {place: found for place, found in matches.items() if set(found) != every} == {}
