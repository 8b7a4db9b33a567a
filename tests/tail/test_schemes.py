"""The matching of arguments against the schemes of primitives, and the types of results."""

import pytest

from aplc.tail.prims import PRIMS, Constants, Prim
from aplc.tail.types import Base, Type, array, scalar
from aplc.tail.unify import NoMatch
from tests.support.tables.schemes import MATCHES
from tests.support.type_texts import read


def result(prim: Prim, args: list[str], constants: Constants | None = None) -> Type | None:
    """The type of an application, None where the arguments do not fit."""
    try:
        return prim.result_type(tuple(map(read, args)), constants)
    except NoMatch:
        return None


@pytest.mark.parametrize(("name", "args", "expected"), MATCHES)
def test_scheme(name: str, args: list[str], expected: str | None) -> None:
    assert result(PRIMS[name], args) == (None if expected is None else read(expected))


def test_every_primitive_with_a_polymorphic_scheme_is_in_the_table() -> None:
    structural = {name for name, prim in PRIMS.items() if not prim.is_scalar}
    assert {name for name, _, _ in MATCHES} == structural
    assert {name for name, _, expected in MATCHES if expected is not None} == structural - {"diagonal"}


@pytest.mark.parametrize(
    "prim", [prim for prim in PRIMS.values() if prim.is_scalar], ids=lambda prim: prim.name
)
def test_scalar_scheme(prim: Prim) -> None:
    ty = prim.schemes[0].type
    assert len(prim.schemes) == 1
    assert prim.arity in (1, 2, 3)
    assert prim.result_type(ty.params) == ty.result
    for wrong in (Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR):
        for k, param in enumerate(ty.params):
            if param != scalar(wrong):
                args = (*ty.params[:k], scalar(wrong), *ty.params[k + 1 :])
                with pytest.raises(NoMatch, match=prim.name):
                    prim.result_type(args)
    with pytest.raises(NoMatch, match="arguments"):
        prim.result_type((*ty.params, scalar(Base.INT)))
    with pytest.raises(NoMatch):
        prim.result_type(tuple([array(Base.INT, 1)] * prim.arity))


def test_a_singleton_is_accepted_where_a_scalar_is() -> None:
    assert PRIMS["muli"].result_type((read("S(int,1)"), read("S(int,2)"))) == scalar(Base.INT)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("addi", ["S(int,1)", "S(int,2)"], "S(int,3)"),
        ("addi", ["S(int,n)", "S(int,-1)"], "S(int,n-1)"),
        ("addi", ["S(int,1)", "int"], "int"),
        ("addi", ["S(int,4611686018427387903)", "S(int,1)"], "int"),
        ("addi", ["S(int,9223372036854775807)", "S(int,1)"], "int"),
        ("subi", ["S(int,1)", "S(int,n)"], "S(int,-n+1)"),
        ("subi", ["S(int,-9223372036854775808)", "S(int,1)"], "int"),
        ("negi", ["S(int,n+1)"], "S(int,-n-1)"),
        ("negi", ["S(int,-9223372036854775808)"], "int"),
        ("negi", ["int"], "int"),
    ],
)
def test_values_that_types_tell(name: str, args: list[str], expected: str) -> None:
    assert result(PRIMS[name], args) == read(expected)


@pytest.mark.parametrize("prim", PRIMS.values(), ids=lambda prim: prim.name)
def test_wrong_number_of_arguments(prim: Prim) -> None:
    assert all(len(scheme.type.params) == prim.arity for scheme in prim.schemes)
    with pytest.raises(NoMatch, match=f"takes {prim.arity} arguments"):
        prim.result_type((scalar(Base.INT),) * (prim.arity + 1))


@pytest.mark.parametrize(
    ("axes", "rank", "expected"),
    [
        ((), 0, "int"),
        ((1,), 1, "[int]1"),
        ((2, 1), 2, "[int]2"),
        ((1, 1), 2, "[int]1"),
        ((2, 1, 2), 3, "[int]2"),
        ((1, 1, 1), 3, "[int]1"),
        ((0, 1), 2, None),
        ((1, 3), 2, None),
        ((2, 2), 2, None),
        ((-1, 1), 2, None),
        ((1, 2), 3, None),
        (None, 2, None),
    ],
)
def test_rank_of_a_diagonal(axes: tuple[int, ...] | None, rank: int, expected: str | None) -> None:
    args = [f"<int>{2 if axes is None else len(axes)}", f"[int]{rank}"]
    found = result(PRIMS["diagonal"], args, (axes, None))
    assert found == (None if expected is None else read(expected))


def test_axis_of_any_size_is_no_match() -> None:
    assert result(PRIMS["diagonal"], ["SV(int,4)", "[int]1"], ((2**62,), None)) is None


def test_a_function_of_one_value_only_is_no_function_of_its_base_type() -> None:
    assert result(PRIMS["each"], ["S(int,3) → int", "[int]1"]) is None


@pytest.mark.parametrize("length", ["n", "n+2"])
def test_drop_of_a_variable_count(length: str) -> None:
    found = result(PRIMS["dropV"], ["S(int,n)", f"<char>({length})"])
    assert found in (None, read(f"<char>{'0' if length == 'n' else '2'}"))
