"""The matching of arguments against the schemes of primitives, and the types of results."""

import pytest

from aplc.tail.prims import PRIMS, Constants, Prim
from aplc.tail.types import Base, Type, array, scalar
from aplc.tail.unify import NoMatch, parse_scheme
from tests.support.type_texts import read

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
    ("indexOfT", ["double", "<double>3", "<double>2"], "<int>2"),
    ("indexOfT", ["double", "[double]2", "[double]3"], "[int]2"),
    ("indexOfT", ["double", "[int]1", "[int]1"], None),
    ("matchT", ["double", "<double>3", "[double]1"], "bool"),
    ("matchT", ["double", "<double>3", "[double]2"], None),
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
    ("uniqueT", ["double", "[double]2"], "[double]2"),
    ("uniqueT", ["double", "[char]1"], None),
    ("memberT", ["double", "<double>3", "double"], "<bool>3"),
    ("memberT", ["double", "[double]2", "[double]1"], "[bool]2"),
    ("findT", ["double", "double", "<double>3"], "<bool>3"),
    ("findT", ["double", "[double]3", "[double]1"], "[bool]1"),
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
    ("formatPicture", ["<char>4", "int", "[double]2"], "[char]2"),
    ("formatPicture", ["<char>4", "int", "[double]1"], None),
    ("asJson", ["[double]3"], "[char]1"),
    ("asJson", ["char"], "[char]1"),
    ("tableOf", ["[char]1", "<int>3"], "[double]2"),
    ("tableOf", ["[char]1", "int"], None),
    ("numbersOf", ["<char>3"], "[double]1"),
    ("numbersOf", ["char"], None),
    ("validNumbers", ["<char>0", "[char]1"], "[bool]1"),
    ("fieldNumbers", ["<char>0", "[char]1"], "[double]1"),
    ("fieldNumbers", ["[char]1", "[int]1"], None),
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
    ("readTable", ["[char]1", "<int>1"], "[double]2"),
    ("readTable", ["[char]1", "int"], None),
    ("writeFile", ["[char]1", "bool", "<char>3"], "int"),
    ("writeFile", ["[char]1", "[char]1", "<char>3"], None),
    ("npyInt", ["<char>3", "S(int,2)"], "[int]2"),
    ("npyInt", ["<char>3", "S(int,-1)"], None),
    ("npyDouble", ["[char]1", "S(int,0)"], "double"),
    ("npyDouble", ["[char]1", "int"], None),
    ("npyComplex", ["[char]1", "S(int,1)"], "[complex]1"),
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
