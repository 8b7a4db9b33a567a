"""Shape types, the notation of types, and subtyping."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aplc.tail.types import (
    UNIT,
    Array,
    Base,
    BaseVar,
    DataType,
    Func,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    array,
    forget_value,
    generalise,
    is_subtype,
    join,
    known_length,
    rank_of,
    scalar,
    vector,
)
from aplc.tail.unify import Substitution, TypeReader
from tests.support.type_texts import read

SETTINGS = settings(max_examples=150, deadline=None)


def _combine(parts: list[tuple[int, str | None]]) -> Rho:
    total = Rho(0)
    for k, name in parts:
        total += Rho(k) if name is None else Rho(0, ((name, k),) if k else ())
    return total


def rhos(low: int = -3) -> st.SearchStrategy[Rho]:
    """Shape types whose coefficients and constants are at least `low`."""
    part = st.tuples(st.integers(low, 3), st.sampled_from([None, "n", "m", "γ"]))
    return st.lists(part, max_size=4).map(_combine)


KAPPAS = st.sampled_from([*Base, BaseVar("α"), BaseVar("β")])
SHAPES = st.one_of(st.integers(0, 3).map(Rho), rhos())
DATA_TYPES: st.SearchStrategy[DataType] = st.one_of(
    st.builds(Array, KAPPAS, SHAPES),
    st.builds(Vector, KAPPAS, SHAPES),
    st.builds(Single, KAPPAS, SHAPES),
    st.builds(SingleVector, KAPPAS, SHAPES),
)
TYPES: st.SearchStrategy[Type] = st.recursive(
    DATA_TYPES,
    lambda inner: st.one_of(
        st.builds(
            Func,
            st.lists(inner, min_size=1, max_size=2).map(tuple),
            inner.filter(lambda t: not isinstance(t, Func)),
        ),
        st.lists(inner, max_size=3).map(lambda items: Tuple(tuple(items))),
    ),
    max_leaves=6,
)
# Few enough that one is often below another.
SMALL_KAPPAS = st.sampled_from([Base.INT, Base.BOOL])
SMALL_SHAPES = st.sampled_from([Rho(0), Rho(1), Rho.of("n")])
SMALL_DATA_TYPES: st.SearchStrategy[DataType] = st.one_of(
    st.builds(Array, SMALL_KAPPAS, SMALL_SHAPES),
    st.builds(Vector, SMALL_KAPPAS, SMALL_SHAPES),
    st.builds(Single, SMALL_KAPPAS, SMALL_SHAPES),
    st.builds(SingleVector, SMALL_KAPPAS, SMALL_SHAPES),
)
SMALL_TYPES: st.SearchStrategy[Type] = st.one_of(
    SMALL_DATA_TYPES, st.lists(SMALL_DATA_TYPES, max_size=2).map(lambda items: Tuple(tuple(items)))
)


# Shape types


@SETTINGS
@given(rhos(), rhos(), rhos())
def test_sums_are_equal_up_to_association_and_order(a: Rho, b: Rho, c: Rho) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)


@SETTINGS
@given(rhos(), rhos())
def test_subtraction_undoes_addition(a: Rho, b: Rho) -> None:
    assert (a + b) - b == a
    assert a - a == Rho(0)
    assert a + 0 == a


@SETTINGS
@given(st.integers(-9, 9), st.integers(-9, 9))
def test_constants_are_folded(a: int, b: int) -> None:
    assert Rho(a) + b == Rho(a + b)
    assert Rho(a) - Rho(b) == Rho(a - b)
    assert Rho(a).is_const


@SETTINGS
@given(rhos())
def test_normal_form_has_sorted_names_and_no_zero_coefficient(a: Rho) -> None:
    names = [name for name, _ in a.terms]
    assert names == sorted(set(names))
    assert all(k for _, k in a.terms)


@pytest.mark.parametrize(
    ("rho", "text", "const", "natural"),
    [
        (Rho(0), "0", True, True),
        (Rho(-4), "-4", True, False),
        (Rho.of("n"), "n", False, True),
        (Rho.of("n") + 1, "n+1", False, True),
        (Rho.of("n") - 1, "n-1", False, False),
        (Rho.of("n") + Rho.of("m"), "m+n", False, True),
        (Rho.of("n") + Rho.of("n") + 2, "2n+2", False, True),
        (Rho.of("n") - Rho.of("n"), "0", True, True),
        (Rho(0) - Rho.of("n"), "-n", False, False),
        (Rho.of(Rho(3)), "3", True, True),
    ],
)
def test_shape_type(rho: Rho, text: str, const: bool, natural: bool) -> None:
    assert str(rho) == text
    assert rho.is_const == const
    assert rho.is_natural == natural


# Notation


@pytest.mark.parametrize(
    ("text", "ty"),
    [
        ("int", scalar(Base.INT)),
        ("[double]0", scalar(Base.DOUBLE)),
        ("[char]2", array(Base.CHAR, 2)),
        ("<bool>3", vector(Base.BOOL, 3)),
        ("<int>n", vector(Base.INT, Rho.of("n"))),
        ("<int>2n", Vector(Base.INT, Rho(0, (("n", 2),)))),
        ("[α](1+γ)", Array(BaseVar("α"), Rho.of("γ") + 1)),
        ("[int](γ+γ1)", Array(Base.INT, Rho.of("γ") + Rho.of("γ1"))),
        ("S(int,-4)", Single(Base.INT, Rho(-4))),
        ("SV(bool,1)", SingleVector(Base.BOOL, Rho(1))),
        ("S(int,n+1)", Single(Base.INT, Rho.of("n") + 1)),
        ("()", UNIT),
        ("(int, <bool>2)", Tuple((scalar(Base.INT), vector(Base.BOOL, 2)))),
        ("(int)", scalar(Base.INT)),
        ("(int,)", Tuple((scalar(Base.INT),))),
        ("(int, int,)", Tuple((scalar(Base.INT),) * 2)),
        ("((int,),)", Tuple((Tuple((scalar(Base.INT),)),))),
        ("((), (int, ()))", Tuple((UNIT, Tuple((scalar(Base.INT), UNIT))))),
        ("(int → int,)", Tuple((Func((scalar(Base.INT),), scalar(Base.INT)),))),
        (
            "(int, bool) → (int,)",
            Func((Tuple((scalar(Base.INT), scalar(Base.BOOL))),), Tuple((scalar(Base.INT),))),
        ),
        ("int → bool", Func((scalar(Base.INT),), scalar(Base.BOOL))),
        ("int -> int -> bool", Func((scalar(Base.INT), scalar(Base.INT)), scalar(Base.BOOL))),
        ("(int → int) → [int]1", Func((Func((scalar(Base.INT),), scalar(Base.INT)),), array(Base.INT, 1))),
        (" [ int ] 2 ", array(Base.INT, 2)),
    ],
)
def test_read_type(text: str, ty: Type) -> None:
    assert read(text) == ty
    assert read(str(ty)) == ty


@SETTINGS
@given(TYPES)
def test_printed_type_reads_back(ty: Type) -> None:
    assert read(str(ty)) == ty


@SETTINGS
@given(rhos())
def test_printed_shape_type_reads_back(rho: Rho) -> None:
    assert read(f"S(int,{rho})") == Single(Base.INT, rho)


def test_printed_difference_of_variables_reads_back() -> None:
    ty = vector(Base.INT, Rho.of("a") - Rho.of("b"))
    assert read(str(ty)) == ty


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[int",
        "[int]",
        "[3]1",
        "<int>",
        "<int>(",
        "<int>(1+)",
        "S(int)",
        "S int",
        "SV(int,",
        "(int",
        "(int,",
        "(int int)",
        "(,)",
        "(,int)",
        "(int,,)",
        "→",
        "5",
        "[]1",
        "²",
    ],
)
def test_bad_type_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="[]<>(),.+-→ SVintbolα2γ∀²٣"))
def test_reading_any_text_gives_a_type_or_a_value_error(text: str) -> None:
    reader = TypeReader(text)
    with suppress(ValueError):
        reader.function_type()
    assert 0 <= reader.position <= len(text)


# Subtyping


def test_rule_3_1_reflexivity() -> None:
    assert is_subtype(array(Base.INT, 2), array(Base.INT, 2))


def test_rule_3_2_transitivity_from_one_element_vector_to_array() -> None:
    assert is_subtype(SingleVector(Base.INT, Rho(7)), array(Base.INT, 1))


def test_rule_3_3_a_vector_is_an_array_of_rank_one() -> None:
    assert is_subtype(vector(Base.INT, 3), array(Base.INT, 1))
    assert is_subtype(vector(Base.INT, Rho.of("n")), array(Base.INT, 1))


def test_rule_3_4_a_one_element_vector_is_a_vector_of_length_one() -> None:
    assert is_subtype(SingleVector(Base.BOOL, Rho(0)), vector(Base.BOOL, 1))


def test_rule_3_5_a_singleton_is_a_scalar() -> None:
    assert is_subtype(Single(Base.INT, Rho.of("n")), scalar(Base.INT))


@pytest.mark.parametrize(
    ("sub", "sup"),
    [
        ("[int]1", "<int>3"),
        ("<int>3", "<int>4"),
        ("<int>3", "[int]2"),
        ("<int>3", "[double]1"),
        ("SV(int,1)", "<int>2"),
        ("SV(int,1)", "SV(int,2)"),
        ("SV(int,1)", "S(int,1)"),
        ("<int>1", "SV(int,1)"),
        ("S(int,1)", "[int]1"),
        ("S(int,1)", "S(int,2)"),
        ("S(bool,1)", "int"),
        ("[bool]1", "[int]1"),
        ("int", "S(int,0)"),
        ("()", "int"),
        ("(int, int)", "(int, int, int)"),
        ("([int]1, int)", "(<int>1, int)"),
        ("int → int", "int → S(int,1)"),
        ("S(int,1) → int", "int → int"),
        ("int → int", "int → int → int"),
        ("int → int", "int"),
    ],
)
def test_not_a_subtype(sub: str, sup: str) -> None:
    assert not is_subtype(read(sub), read(sup))


@pytest.mark.parametrize(
    ("sub", "sup"),
    [
        ("int → S(int,1)", "int → int"),
        ("int → int", "S(int,1) → int"),
        ("[int]1 → <int>2", "SV(int,4) → [int]1"),
        ("(<int>3, S(bool,1))", "([int]1, bool)"),
        ("()", "()"),
    ],
)
def test_functions_and_tuples(sub: str, sup: str) -> None:
    assert is_subtype(read(sub), read(sup))


@SETTINGS
@given(TYPES)
def test_subtyping_is_reflexive(ty: Type) -> None:
    assert is_subtype(ty, ty)


@settings(max_examples=200, deadline=None)
@given(SMALL_TYPES, SMALL_TYPES, SMALL_TYPES)
def test_subtyping_is_transitive(a: Type, b: Type, c: Type) -> None:
    assert not (is_subtype(a, b) and is_subtype(b, c)) or is_subtype(a, c)


VARIABLE_TYPES: st.SearchStrategy[Type] = st.one_of(
    st.builds(Array, st.just(BaseVar("κ")), SMALL_SHAPES),
    st.builds(Vector, st.just(BaseVar("κ")), SMALL_SHAPES),
    SMALL_TYPES,
)


@settings(max_examples=300, deadline=None)
@given(VARIABLE_TYPES, VARIABLE_TYPES, st.sampled_from(Base), st.integers(0, 2))
def test_subtyping_is_closed_under_substitution(a: Type, b: Type, base: Base, n: int) -> None:
    """What holds for variables holds for all that they stand for: a proof with rigid ones is one for all."""
    values = Substitution({"κ": base}, {"n": Rho(n)})
    assert not is_subtype(a, b) or is_subtype(values.type(a), values.type(b))


@settings(max_examples=200, deadline=None)
@given(SMALL_DATA_TYPES, SMALL_DATA_TYPES)
def test_the_join_is_above_both_and_below_what_is_above_both(a: DataType, b: DataType) -> None:
    joined = join(a, b)
    assert joined is None or (is_subtype(a, joined) and is_subtype(b, joined))
    assert joined is not None or generalise(a) != generalise(b)


@settings(max_examples=200, deadline=None)
@given(SMALL_TYPES, SMALL_TYPES)
def test_subtyping_is_antisymmetric(a: Type, b: Type) -> None:
    assert not (is_subtype(a, b) and is_subtype(b, a)) or a == b


@settings(max_examples=200, deadline=None)
@given(SMALL_TYPES, SMALL_TYPES, SMALL_TYPES)
def test_join_is_the_least_upper_bound(a: Type, b: Type, c: Type) -> None:
    above = join(a, b)
    if above is None:
        assert not (is_subtype(a, c) and is_subtype(b, c))
    else:
        assert is_subtype(a, above)
        assert is_subtype(b, above)
        assert join(b, a) == above
        assert not (is_subtype(a, c) and is_subtype(b, c)) or is_subtype(above, c)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("S(int,1)", "S(int,1)", "S(int,1)"),
        ("S(int,1)", "S(int,2)", "int"),
        ("SV(int,1)", "SV(int,2)", "<int>1"),
        ("SV(int,1)", "<int>1", "<int>1"),
        ("SV(int,1)", "<int>2", "[int]1"),
        ("<int>3", "<int>3", "<int>3"),
        ("<int>3", "<int>n", "[int]1"),
        ("<int>3", "[int]1", "[int]1"),
        ("<int>3", "[int]2", None),
        ("int", "bool", None),
        ("S(int,1)", "SV(int,1)", None),
        ("()", "()", "()"),
        ("(S(int,1),)", "(S(int,2),)", "(int,)"),
        ("(S(int,1), <bool>2)", "(S(int,1), SV(bool,1))", "(S(int,1), [bool]1)"),
        ("((<int>2, int), ())", "((SV(int,4), S(int,1)), ())", "(([int]1, int), ())"),
        ("(int,)", "int", None),
        ("(int,)", "(int, int)", None),
        ("(int, int)", "(int, bool)", None),
        ("(int, (int,))", "(int, int)", None),
    ],
)
def test_join(left: str, right: str, expected: str | None) -> None:
    assert join(read(left), read(right)) == (None if expected is None else read(expected))


@SETTINGS
@given(DATA_TYPES)
def test_what_is_forgotten_lies_above(ty: DataType) -> None:
    assert is_subtype(ty, generalise(ty))
    assert is_subtype(ty, forget_value(ty))
    assert rank_of(ty) == rank_of(generalise(ty))
    assert known_length(ty) == known_length(forget_value(ty))
