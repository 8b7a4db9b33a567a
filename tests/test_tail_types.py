"""Shape types, the notation of types, subtyping, and the matching of arguments against operator schemes."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tail.prims import PRIMS, Constants, Prim
from tail.types import (
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
from tail.unify import NoMatch, Substitution, TypeReader, parse_scheme

SETTINGS = settings(max_examples=150, deadline=None)


def read(text: str) -> Type:
    """The type that the whole text denotes."""
    reader = TypeReader(text)
    ty = reader.function_type()
    assert not text[reader.position :].strip(), text
    return ty


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


# Schemes

I_I, II_I, I_B, IB_D = "int → int", "int → int → int", "int → bool", "int → bool → double"

MATCHES: list[tuple[str, list[str], str | None]] = [
    ("each", [I_B, "<int>3"], "<bool>3"),
    ("each", [I_B, "SV(int,7)"], "<bool>1"),
    ("each", [I_B, "[int]2"], "[bool]2"),
    ("each", [I_B, "S(int,3)"], "bool"),
    ("each", ["int → S(bool,1)", "<int>3"], "<bool>3"),
    ("each", [I_B, "[bool]1"], None),
    ("each", [II_I, "[int]1"], None),
    ("each", ["[int]1 → int", "[int]1"], None),
    ("each", ["int → <int>2", "[int]1"], None),
    ("each", ["int", "[int]1"], None),
    ("zipWith", [IB_D, "<int>3", "<bool>3"], "<double>3"),
    ("zipWith", [IB_D, "<int>3", "<bool>2"], "[double]1"),
    ("zipWith", [IB_D, "<int>3", "[bool]1"], "[double]1"),
    ("zipWith", [IB_D, "[int]2", "[bool]2"], "[double]2"),
    ("zipWith", [IB_D, "S(int,1)", "bool"], "double"),
    ("zipWith", [IB_D, "[int]2", "[bool]1"], None),
    ("zipWith", [IB_D, "[bool]1", "[int]1"], None),
    ("zipWith", [I_I, "[int]1", "[int]1"], None),
    ("reduce", [II_I, "S(int,0)", "<int>3"], "int"),
    ("reduce", [II_I, "int", "[int]3"], "[int]2"),
    ("reduce", [II_I, "int", "int"], None),
    ("reduce", [II_I, "bool", "[int]1"], None),
    ("reduce", [II_I, "int", "[bool]1"], None),
    ("reduce", ["int → int → bool", "int", "[int]1"], None),
    ("reduce", [II_I, "[int]1", "[int]1"], None),
    ("reduce1", [II_I, "[int]2"], "[int]1"),
    ("reduce1", [II_I, "<int>0"], "int"),
    ("reduce1", [II_I, "int"], None),
    ("outer", [IB_D, "[int]2", "<bool>3"], "[double]3"),
    ("outer", [IB_D, "int", "bool"], "double"),
    ("outer", [IB_D, "<int>2", "<int>2"], None),
    ("inner", [II_I, "int", II_I, "[int]2", "[int]3"], "[int]3"),
    ("inner", [II_I, "int", II_I, "<int>2", "<int>2"], "int"),
    ("inner", [II_I, "int", "double → bool → int", "[double]1", "[bool]2"], "[int]1"),
    ("inner", [II_I, "int", II_I, "int", "[int]1"], None),
    ("inner", [II_I, "int", IB_D, "[int]1", "[bool]1"], None),
    ("inner1", [II_I, II_I, "[int]2", "[int]1"], "[int]1"),
    ("inner1", [II_I, II_I, "[int]2", "int"], None),
    ("iota", ["S(int,3)"], "[int]1"),
    ("iota", ["int"], "[int]1"),
    ("iota", ["bool"], None),
    ("iota", ["<int>1"], None),
    ("shape", ["[char]3"], "<int>3"),
    ("shape", ["<char>7"], "<int>1"),
    ("shape", ["S(bool,1)"], "<int>0"),
    ("shape", ["[char]n"], "<int>n"),
    ("reshape", ["<int>3", "[char]1"], "[char]3"),
    ("reshape", ["<int>0", "[char]1"], "[char]0"),
    ("reshape", ["SV(int,7)", "char"], "[char]1"),
    ("reshape", ["[int]1", "char"], None),
    ("reshape", ["<bool>2", "char"], None),
    ("ravel", ["[char]3"], "[char]1"),
    ("ravel", ["S(int,3)"], "[int]1"),
    ("reverse", ["<int>3"], "[int]1"),
    ("reverse", ["[int]2"], "[int]2"),
    ("rotate", ["S(int,-1)", "<bool>3"], "[bool]1"),
    ("rotate", ["int", "[bool]3"], "[bool]3"),
    ("rotate", ["bool", "[bool]3"], None),
    ("rotate", ["<int>1", "[bool]3"], None),
    ("transp", ["[double]3"], "[double]3"),
    ("transp", ["<double>3"], "[double]1"),
    ("transp2", ["<int>2", "[int]2"], "[int]2"),
    ("transp2", ["<int>2", "[int]3"], None),
    ("transp2", ["[int]1", "[int]1"], None),
    ("diagonal", ["<int>2", "[int]2"], None),  # with axes that are constants: see below
    ("take", ["int", "<char>3"], "[char]1"),
    ("take", ["S(int,2)", "[char]3"], "[char]3"),
    ("take", ["int", "char"], None),
    ("drop", ["int", "SV(int,1)"], "[int]1"),
    ("drop", ["int", "[char]3"], "[char]3"),
    ("drop", ["int", "S(int,4)"], None),
    ("takes", ["<int>2", "[char]3"], "[char]3"),
    ("takes", ["<int>0", "char"], "char"),
    ("takes", ["SV(int,4)", "<char>3"], "[char]1"),
    ("takes", ["<int>2", "<char>3"], None),
    ("takes", ["[int]1", "[char]3"], None),
    ("drops", ["<int>1", "[char]1"], "[char]1"),
    ("drops", ["<int>3", "[char]2"], None),
    ("first", ["[char]3"], "char"),
    ("first", ["SV(int,3)"], "int"),
    ("first", ["S(int,3)"], "int"),
    ("cat", ["<int>3", "<int>4"], "[int]1"),
    ("cat", ["[int]2", "[int]2"], "[int]2"),
    ("cat", ["int", "int"], None),
    ("cat", ["[int]2", "[int]1"], None),
    ("cat", ["[int]1", "[bool]1"], None),
    ("cons", ["S(int,1)", "<int>3"], "[int]1"),
    ("cons", ["<int>2", "[int]2"], "[int]2"),
    ("cons", ["[int]2", "[int]2"], None),
    ("cons", ["int", "int"], None),
    ("snoc", ["<int>3", "int"], "[int]1"),
    ("snoc", ["[int]3", "[int]2"], "[int]3"),
    ("snoc", ["[int]1", "bool"], None),
    ("pick", ["S(int,1)", "<char>3"], "char"),
    ("pick", ["int", "[char]2"], None),
    ("pick", ["int", "char"], None),
    ("indexOf", ["<char>3", "[char]2"], "[int]2"),
    ("indexOf", ["<char>3", "S(char,1)"], "int"),
    ("indexOf", ["[char]2", "[char]2"], "[int]1"),
    ("indexOf", ["[char]2", "<char>5"], "int"),
    ("indexOf", ["[char]3", "[char]1"], None),
    ("indexOf", ["char", "[char]1"], None),
    ("indexOf", ["[char]1", "[int]1"], None),
    ("match", ["<int>3", "[int]1"], "bool"),
    ("match", ["<int>3", "<int>4"], "bool"),
    ("match", ["<int>3", "[int]2"], None),
    ("match", ["<int>3", "<bool>3"], None),
    ("iotaV", ["S(int,3)"], "<int>3"),
    ("iotaV", ["S(int,0)"], "<int>0"),
    ("iotaV", ["S(int,n+1)"], "<int>(n+1)"),
    ("iotaV", ["S(int,-1)"], None),
    ("iotaV", ["S(int,n-1)"], None),
    ("iotaV", ["int"], None),
    ("iotaV", ["S(bool,1)"], None),
    ("shapeV", ["<char>3"], "SV(int,3)"),
    ("shapeV", ["<char>(n+m)"], "SV(int,m+n)"),
    ("shapeV", ["SV(int,7)"], "SV(int,1)"),
    ("shapeV", ["[char]1"], None),
    ("reshapeV", ["S(int,4)", "[char]3"], "<char>4"),
    ("reshapeV", ["S(int,4)", "char"], "<char>4"),
    ("reshapeV", ["S(int,-4)", "char"], None),
    ("reshapeV", ["SV(int,4)", "char"], None),
    ("reshapeV", ["int", "char"], None),
    ("reverseV", ["<char>n"], "<char>n"),
    ("reverseV", ["SV(int,3)"], "<int>1"),
    ("reverseV", ["[char]1"], None),
    ("rotateV", ["int", "<char>4"], "<char>4"),
    ("rotateV", ["S(int,1)", "SV(int,3)"], "<int>1"),
    ("rotateV", ["int", "[char]1"], None),
    ("takeV", ["S(int,3)", "[char]1"], "<char>3"),
    ("takeV", ["S(int,-3)", "<char>7"], "<char>3"),
    ("takeV", ["S(int,0)", "<char>7"], "<char>0"),
    ("takeV", ["S(int,n)", "<char>7"], "<char>n"),
    ("takeV", ["S(int,n-1)", "<char>7"], None),
    ("takeV", ["int", "<char>7"], None),
    ("takeV", ["S(int,1)", "[char]2"], None),
    ("takeV", ["S(int,1)", "char"], None),
    ("dropV", ["S(int,2)", "<char>5"], "<char>3"),
    ("dropV", ["S(int,-2)", "<char>5"], "<char>3"),
    ("dropV", ["S(int,7)", "<char>5"], "<char>0"),
    ("dropV", ["S(int,1)", "SV(int,5)"], "<int>0"),
    ("dropV", ["S(int,0)", "SV(int,5)"], "<int>1"),
    ("dropV", ["S(int,1)", "<char>(n+2)"], "<char>(n+1)"),
    ("dropV", ["S(int,3)", "<char>(n+2)"], None),
    ("dropV", ["S(int,1)", "[char]1"], None),
    ("dropV", ["int", "<char>5"], None),
    ("firstV", ["SV(int,5)"], "S(int,5)"),
    ("firstV", ["SV(bool,1)"], "S(bool,1)"),
    ("firstV", ["<char>3"], "char"),
    ("firstV", ["<char>(n+1)"], "char"),
    ("firstV", ["<char>0"], None),
    ("firstV", ["<char>n"], None),
    ("firstV", ["[char]1"], None),
    ("catV", ["<int>3", "<int>4"], "<int>7"),
    ("catV", ["<int>n", "SV(int,4)"], "<int>(n+1)"),
    ("catV", ["<int>n", "<int>m"], "<int>(n+m)"),
    ("catV", ["<int>3", "[int]1"], None),
    ("catV", ["<int>3", "<bool>4"], None),
    ("consV", ["int", "<int>3"], "<int>4"),
    ("consV", ["S(int,7)", "<int>n"], "<int>(n+1)"),
    ("consV", ["<int>1", "<int>3"], None),
    ("consV", ["bool", "<int>3"], None),
    ("consV", ["int", "[int]1"], None),
    ("snocV", ["<int>3", "int"], "<int>4"),
    ("snocV", ["SV(int,3)", "S(int,2)"], "<int>2"),
    ("snocV", ["[int]1", "int"], None),
    ("print", ["S(int,3)"], "S(int,3)"),
    ("print", ["SV(bool,0)"], "SV(bool,0)"),
    ("print", ["<char>3"], "<char>3"),
    ("print", ["[double]2"], "[double]2"),
    ("print", ["(int, <char>2)"], "(int, <char>2)"),
    ("print", ["(int,)"], "(int,)"),
    ("print", ["()"], "()"),
    ("print", [I_I], None),
    ("printWith", ["S(int,5)", "<int>2"], "<int>2"),
    ("printWith", ["int", "(int, double)"], "(int, double)"),
    ("printWith", ["double", "int"], None),
    ("printWith", ["<int>1", "int"], None),
    ("printWith", ["int", I_I], None),
    ("scan", [II_I, "<int>3"], "<int>3"),
    ("scan", [II_I, "SV(int,3)"], "<int>1"),
    ("scan", [II_I, "[int]2"], "[int]2"),
    ("scan", [II_I, "int"], None),
    ("scan", ["int → int → bool", "[int]1"], None),
    ("scan", [I_I, "[int]1"], None),
    ("reduceN", [II_I, "int", "S(int,2)", "<int>3"], "[int]1"),
    ("reduceN", [II_I, "int", "int", "[int]2"], "[int]2"),
    ("reduceN", [II_I, "double", "int", "[int]1"], None),
    ("reduceN", [II_I, "int", "<int>1", "[int]1"], None),
    ("reduceN", [II_I, "int", "int", "int"], None),
    ("reduceN1", [II_I, "int", "[int]1"], "[int]1"),
    ("reduceN1", [II_I, "double", "[int]1"], None),
    ("cells", ["[int]1 → [double]2", "[int]3"], "[double]4"),
    ("cells", ["[int]1 → double", "<int>3"], "double"),
    ("cells", ["int → [int]1", "[int]1"], "[int]2"),
    ("cells", ["[int]1 → double", "int"], None),
    ("cells", ["[int]1 → double", "[bool]1"], None),
    ("cells", ["<int>2 → double", "[int]2"], None),
    ("zipCells", ["int → [bool]1 → [char]2", "[int]1", "[bool]2"], "[char]3"),
    ("zipCells", ["int → [bool]1 → [char]2", "int", "[bool]1"], "[char]2"),
    ("zipCells", ["int → [bool]1 → [char]2", "[int]1", "[bool]1"], None),
    ("zipCells", ["int → [bool]1 → [char]2", "[bool]1", "[bool]2"], None),
    ("replicate", ["[int]1", "<char>3"], "[char]1"),
    ("replicate", ["SV(int,2)", "[char]3"], "[char]3"),
    ("replicate", ["[bool]1", "[char]1"], None),
    ("replicate", ["int", "[char]1"], None),
    ("replicate", ["[int]1", "char"], None),
    ("compress", ["<bool>3", "<char>3"], "[char]1"),
    ("compress", ["[bool]1", "[double]2"], "[double]2"),
    ("compress", ["[int]1", "[double]2"], None),
    ("compress", ["[bool]1", "double"], None),
    ("expand", ["<int>3", "<char>2"], "[char]1"),
    ("expand", ["[bool]1", "[char]1"], None),
    ("expand", ["[int]2", "[char]1"], None),
    ("expand", ["[int]1", "char"], None),
    ("rotates", ["[int]1", "[char]2"], "[char]2"),
    ("rotates", ["int", "<char>3"], "[char]1"),
    ("rotates", ["int", "[char]2"], None),
    ("rotates", ["[double]1", "[char]2"], None),
    ("where", ["<bool>3"], "[int]1"),
    ("where", ["[int]1"], "[int]1"),
    ("where", ["[int]2"], None),
    ("where", ["[double]1"], None),
    ("copy", ["<int>3"], "<int>3"),
    ("copy", ["SV(int,3)"], "<int>1"),
    ("copy", ["S(int,3)"], "int"),
    ("copy", ["[char]3"], "[char]3"),
    ("copy", ["(int,)"], None),
    ("materialise", ["SV(int,3)"], "<int>1"),
    ("materialise", ["[char]3"], "[char]3"),
    ("materialise", [I_I], None),
    ("single", ["SV(int,3)"], "int"),
    ("single", ["[char]3"], "char"),
    ("single", ["()"], None),
    ("ofLength", ["S(int,2)", "[char]1"], "<char>2"),
    ("ofLength", ["S(int,n)", "[char]1"], "<char>n"),
    ("ofLength", ["S(int,-2)", "[char]1"], None),
    ("ofLength", ["int", "[char]1"], None),
    ("ofLength", ["S(int,1)", "char"], None),
    ("noResult", ["[char]3"], "[char]3"),
    ("noResult", ["<char>3"], "[char]1"),
    ("noResult", ["()"], None),
    ("index", ["(int,)", "<char>3"], "char"),
    ("index", ["(<int>3, S(int,2), [int]2)", "[double]3"], "[double]3"),
    ("index", ["([int]1, [int]2)", "[bool]2"], "[bool]3"),
    ("index", ["()", "bool"], None),
    ("index", ["(int, int)", "[bool]1"], None),
    ("index", ["(double,)", "[bool]1"], None),
    ("index", ["int", "[bool]1"], None),
    ("update", ["<int>3", "(int,)", "S(int,7)"], "[int]1"),
    ("update", ["[int]2", "([int]1, int)", "[int]1"], "[int]2"),
    ("update", ["[int]2", "([int]1, [int]1)", "int"], "[int]2"),
    ("update", ["[int]2", "([int]1, [int]1)", "[int]1"], None),
    ("update", ["[int]2", "([int]1, int)", "[double]1"], None),
    ("update", ["[int]2", "([int]1,)", "int"], None),
    ("update", ["int", "()", "int"], None),
    ("modify", [II_I, "<int>3", "(int,)", "S(int,7)"], "[int]1"),
    ("modify", ["int → bool → int", "[int]2", "([int]1, int)", "[bool]1"], "[int]2"),
    ("modify", ["int → bool → int", "[int]2", "([int]1, int)", "[int]1"], None),
    ("modify", ["int → bool → bool", "[int]1", "(int,)", "bool"], None),
    ("modify", [I_I, "[int]1", "(int,)", "int"], None),
    ("gradeUp", ["<char>3"], "<int>3"),
    ("gradeUp", ["SV(int,5)"], "<int>1"),
    ("gradeUp", ["[char]2"], "[int]1"),
    ("gradeUp", ["char"], None),
    ("gradeDown", ["<char>3"], "<int>3"),
    ("gradeDown", ["[double]3"], "[int]1"),
    ("gradeDown", ["int"], None),
    ("intervalIndex", ["<double>3", "[double]2"], "[int]2"),
    ("intervalIndex", ["[char]1", "char"], "int"),
    ("intervalIndex", ["[int]1", "double"], None),
    ("intervalIndex", ["[int]2", "int"], None),
    ("unique", ["<char>3"], "[char]1"),
    ("unique", ["[int]3"], "[int]3"),
    ("unique", ["int"], None),
    ("member", ["<char>3", "char"], "<bool>3"),
    ("member", ["[char]2", "[char]1"], "[bool]2"),
    ("member", ["int", "[int]3"], "bool"),
    ("member", ["int", "[bool]1"], None),
    ("find", ["int", "<int>3"], "<bool>3"),
    ("find", ["[int]3", "[int]1"], "[bool]1"),
    ("find", ["[char]1", "[int]1"], None),
    ("decode", ["[int]1", "[int]3"], "[int]2"),
    ("decode", ["<double>2", "<double>2"], "double"),
    ("decode", ["[double]2", "[double]1"], "[double]1"),
    ("decode", ["[int]1", "[double]1"], None),
    ("decode", ["int", "[int]1"], None),
    ("decode", ["[bool]1", "[bool]1"], None),
    ("encode", ["<int>3", "int"], "[int]1"),
    ("encode", ["[double]2", "[double]1"], "[double]3"),
    ("encode", ["[int]1", "double"], None),
    ("encode", ["int", "int"], None),
    ("matInv", ["[double]2"], "[double]2"),
    ("matInv", ["[double]1"], None),
    ("matInv", ["[int]2"], None),
    ("matDiv", ["<double>3", "[double]2"], "[double]1"),
    ("matDiv", ["[double]3", "[double]2"], "[double]3"),
    ("matDiv", ["double", "[double]2"], None),
    ("matDiv", ["[double]1", "[double]1"], None),
    ("format", ["int", "S(bool,1)"], "[char]1"),
    ("format", ["int", "[int]3"], "[char]3"),
    ("format", ["double", "[int]3"], None),
    ("format", ["int", "(int,)"], None),
    ("formatBy", ["<int>2", "double"], "[char]1"),
    ("formatBy", ["[int]1", "[double]2"], "[char]2"),
    ("formatBy", ["int", "double"], None),
    ("formatBy", ["[int]1", "int"], None),
    ("roll", ["S(int,6)"], "int"),
    ("roll", ["[int]2"], "[int]2"),
    ("roll", ["double"], None),
    ("uniform", ["<int>3"], "[double]3"),
    ("uniform", ["<int>0"], "double"),
    ("uniform", ["[int]1"], None),
    ("deal", ["int", "S(int,6)"], "[int]1"),
    ("deal", ["int", "<int>1"], None),
    ("setSeed", ["S(int,1)"], "int"),
    ("setSeed", ["<int>1"], None),
    ("now", ["int"], "double"),
    ("now", ["double"], None),
    ("timestamp", ["int"], "<int>7"),
    ("timestamp", ["[int]1"], None),
    ("bench", ["[int]1 → [double]2", "int", "<int>3"], "[double]2"),
    ("bench", ["[int]1 → [double]2", "int", "int"], None),
    ("bench", ["int → int → int", "int", "int"], None),
    ("readFile", ["<char>3"], "[char]1"),
    ("readFile", ["char"], None),
    ("readIntVecFile", ["[char]1"], "[int]1"),
    ("readIntVecFile", ["[int]1"], None),
    ("readDoubleVecFile", ["[char]1"], "[double]1"),
    ("readDoubleVecFile", ["[char]2"], None),
    ("npyInt", ["<char>3", "S(int,2)"], "[int]2"),
    ("npyInt", ["<char>3", "S(int,-1)"], None),
    ("npyDouble", ["[char]1", "S(int,0)"], "double"),
    ("npyDouble", ["[char]1", "int"], None),
    ("npyBool", ["[char]1", "S(int,n)"], "[bool]n"),
    ("npyChar", ["[char]1", "S(int,3)"], "[char]3"),
    ("npyChar", ["[int]1", "S(int,3)"], None),
]


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
    assert prim.arity in (1, 2)
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


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("∀γγ1. <int>γ → <int>γ1 → <int>(γ+γ1)", ["<int>2", "<int>3"], "<int>5"),
        ("<int>(γ+γ1) → <int>γ1 → <int>γ", ["<int>5", "<int>3"], "<int>2"),
        ("<int>(γ+γ1) → <int>γ1 → <int>γ", ["<int>2", "<int>3"], None),
        ("<int>(γ+γ1) → <int>γ", ["<int>2"], None),
        ("<int>2γ → <int>γ → <int>γ", ["<int>6", "<int>3"], "<int>3"),
        ("<int>2γ → <int>γ → <int>γ", ["<int>7", "<int>3"], None),
        ("S(int,γ) → S(int,1+γ)", ["S(int,-4)"], "S(int,-3)"),
        ("<α>γ → <α>γ → <α>γ", ["<β>n", "<β>n"], "<β>n"),
        ("<α>γ → <α>γ1 → <α>(γ+γ1)", ["<int>γ1", "<int>γ"], "<int>(γ+γ1)"),
        ("(α, [α]1) → α", ["(int, <int>2)"], "int"),
        ("(α, [α]1) → α", ["(int, <bool>2)"], None),
    ],
)
def test_matching_of_shape_equations(text: str, args: list[str], expected: str | None) -> None:
    scheme = parse_scheme(text)
    assert str(scheme) == text
    try:
        found = scheme.instantiate(tuple(map(read, args)))
    except NoMatch:
        assert expected is None
    else:
        assert expected is not None
        assert found == read(expected)
