"""THE table of TAIL's primitive operators: name, type schemes, NumPy meaning, identity item, algebra.

One row declares a primitive for this layer; every other layer keys its own table by the `Prim` object. A row
with several schemes is typed by the first that fits: the more precise one (a known length) stands first.
Where a linear scheme cannot say the type, `refine` sharpens the result, and `typing` replaces the schemes,
which then are for the reader only.

Sources: thesis figures 3.2 to 3.4; additions are those that the language page needs. Scalar operators are
monomorphic, with the base type as the last letter of their names: i int, d double, b bool, c char.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.tail.meaning import complex_numbers as cn
from aplc.tail.meaning import core as m
from aplc.tail.meaning import (
    fold,
    items,
    matrix,
    number_fields,
    order,
    picture,
    pieces,
    system,
    text,
    tolerant,
)
from aplc.tail.meaning import numeric as num
from aplc.tail.meaning import select as sel
from aplc.tail.primitive import MAX_RANK as MAX_RANK
from aplc.tail.primitive import PRIMS as PRIMS
from aplc.tail.primitive import Prim as Prim
from aplc.tail.primitive import array_row as _array
from aplc.tail.primitive import declare as _declare
from aplc.tail.primitive import index_schemes
from aplc.tail.primitive import primitive as primitive
from aplc.tail.primitive import scalar_row as _scalar
from aplc.tail.primitive import search_row as _search
from aplc.tail.refine import Constants as Constants
from aplc.tail.refine import (
    Refine,
    diagonal_rank,
    difference_value,
    dropped_length,
    natural_length,
    natural_rank,
    negated_value,
    sum_value,
    taken_length,
    type_of_json,
    type_of_last,
    type_of_pieces,
    type_of_text,
)
from aplc.tail.types import Base

PRIMS.clear()  # this module is imported anew where Ctrl-C has ended its first import

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
DOUBLE_MAX = 1.7976931348623157e308

# --- scalar operators -----------------------------------------------------------------------------------

_II_I, _DD_D, _BB_B = "int → int → int", "double → double → double", "bool → bool → bool"

ADDI = _scalar("addi", _II_I, np.add, 0, associative=True, refine=sum_value)
SUBI = _scalar("subi", _II_I, np.subtract, 0, refine=difference_value)
MULI = _scalar("muli", _II_I, np.multiply, 1, associative=True)
MAXI = _scalar("maxi", _II_I, np.maximum, INT_MIN, associative=True)
MINI = _scalar("mini", _II_I, np.minimum, INT_MAX, associative=True)
RESI = _scalar("resi", _II_I, m.residue_int, 0)
ANDI32 = _scalar("andi32", _II_I, num.and32, -1)
ORI32 = _scalar("ori32", _II_I, num.or32, 0)
XORI32 = _scalar("xori32", _II_I, num.xor32, 0)
SHLI32 = _scalar("shli32", _II_I, num.shift_left32)
SHRI32 = _scalar("shri32", _II_I, num.shift_right32)
NOTI32 = _scalar("noti32", "int → int", num.not32)
GCDI = _scalar("gcdi", _II_I, np.gcd, 0)
LCMI = _scalar("lcmi", _II_I, m.lcm, 1)
NEGI = _scalar("negi", "int → int", np.negative, refine=negated_value)
ABSI = _scalar("absi", "int → int", np.abs)
SIGNI = _scalar("signi", "int → int", m.sign)

ADDD = _scalar("addd", _DD_D, np.add, 0, associative=True)
SUBD = _scalar("subd", _DD_D, np.subtract, 0)
MULD = _scalar("muld", _DD_D, np.multiply, 1, associative=True)
DIVD = _scalar("divd", _DD_D, m.divide, 1)
MAXD = _scalar("maxd", _DD_D, np.maximum, -DOUBLE_MAX, associative=True)
MIND = _scalar("mind", _DD_D, np.minimum, DOUBLE_MAX, associative=True)
RESD = _scalar("resd", _DD_D, m.residue_double, 0)
POWD = _scalar("powd", _DD_D, m.power, 1)
NEGD = _scalar("negd", "double → double", np.negative)
ABSD = _scalar("absd", "double → double", np.abs)
EXPD = _scalar("expd", "double → double", m.exponential)
LND = _scalar("lnd", "double → double", m.natural_log)
FACTD = _scalar("factd", "double → double", num.factorial)
BINOMD = _scalar("binomd", _DD_D, num.binomial, 1)
CIRCD = _scalar("circd", "int → double → double", num.circle)
SIGND = _scalar("signd", "double → int", m.sign)
FLOORD = _scalar("floord", "double → int", m.floor)
CEILD = _scalar("ceild", "double → int", m.ceiling)

LTI = _scalar("lti", "int → int → bool", np.less, 0)
LTEI = _scalar("ltei", "int → int → bool", np.less_equal, 1)
GTI = _scalar("gti", "int → int → bool", np.greater, 0)
GTEI = _scalar("gtei", "int → int → bool", np.greater_equal, 1)
EQI = _scalar("eqi", "int → int → bool", np.equal, 1)
NEQI = _scalar("neqi", "int → int → bool", np.not_equal, 0)
COMPARISONS_OF_INTEGERS = frozenset({LTI, LTEI, GTI, GTEI, EQI, NEQI})
LTD = _scalar("ltd", "double → double → bool", np.less, 0)
LTED = _scalar("lted", "double → double → bool", np.less_equal, 1)
GTD = _scalar("gtd", "double → double → bool", np.greater, 0)
GTED = _scalar("gted", "double → double → bool", np.greater_equal, 1)
EQD = _scalar("eqd", "double → double → bool", np.equal, 1)
NEQD = _scalar("neqd", "double → double → bool", np.not_equal, 0)
EQTD = _scalar("eqtd", "double → double → double → bool", tolerant.equal)
"""`=` within the tolerance that comes first, like those below; see `aplc.tail.meaning.tolerant`."""
LTTD = _scalar("lttd", "double → double → double → bool", tolerant.less)
LTETD = _scalar("ltetd", "double → double → double → bool", tolerant.less_or_equal)
SNAPD = _scalar("snapd", "double → double → double", tolerant.snap)
LOWESTD = _scalar("lowestd", "double → double → double", tolerant.lowest)
"""The least number that equals another within a tolerance, which comes first."""
HIGHESTD = _scalar("highestd", "double → double → double", tolerant.highest)
GCDTD = _scalar("gcdtd", "double → double → double → double", tolerant.common_divisor, 0)
LCMTD = _scalar("lcmtd", "double → double → double → double", tolerant.common_multiple, 1)
_ZZ_Z = "complex → complex → complex"

COMPLEX = _scalar("complexd", "double → double → complex", cn.of_parts)
"""The number with these parts; TAIL has no other complex constants."""
REALZ = _scalar("realz", "complex → double", lambda x: np.asarray(x.real).copy())
IMAGZ = _scalar("imagz", "complex → double", lambda x: np.asarray(x.imag).copy())
ADDZ = _scalar("addz", _ZZ_Z, np.add, 0)
SUBZ = _scalar("subz", _ZZ_Z, np.subtract, 0)
MULZ = _scalar("mulz", _ZZ_Z, cn.multiply, 1)
DIVZ = _scalar("divz", _ZZ_Z, cn.divide, 1)
NEGZ = _scalar("negz", "complex → complex", np.negative)
CONJZ = _scalar("conjz", "complex → complex", np.conjugate)
ABSZ = _scalar("absz", "complex → double", cn.magnitude)
PHASEZ = _scalar("phasez", "complex → double", cn.phase)
EQZ = _scalar("eqz", "complex → complex → bool", cn.equal, 1)
NEQZ = _scalar("neqz", "complex → complex → bool", lambda x, y: ~cn.equal(x, y), 0)
Z2D = _scalar("z2d", "complex → double", cn.to_real)
EQC = _scalar("eqc", "char → char → bool", np.equal, 1)
NEQC = _scalar("neqc", "char → char → bool", np.not_equal, 0)

ANDB = _scalar("andb", _BB_B, np.logical_and, 1, associative=True)
ORB = _scalar("orb", _BB_B, np.logical_or, 0, associative=True)
NANDB = _scalar("nandb", _BB_B, lambda x, y: ~(x & y))
NORB = _scalar("norb", _BB_B, lambda x, y: ~(x | y))
EQB = _scalar("eqb", _BB_B, np.equal, 1, associative=True)
NEQB = _scalar("neqb", _BB_B, np.not_equal, 0, associative=True)
NOTB = _scalar("notb", "bool → bool", np.logical_not)

B2I = _scalar("b2i", "bool → int", lambda x: np.asarray(x).astype(np.int64))
I2D = _scalar("i2d", "int → double", lambda x: np.asarray(x).astype(np.float64))
D2I = _scalar("d2i", "double → int", m.double_to_int)
I2B = _scalar("i2b", "int → bool", m.int_to_bool)
C2I = _scalar("c2i", "char → int", lambda x: np.asarray(x).astype(np.int64))
I2C = _scalar("i2c", "int → char", m.int_to_char)
NATURAL = _scalar("natural", "int → int", m.natural)

# --- second-order operators -----------------------------------------------------------------------------

EACH = _array(
    "each",
    "∀αβγ. (α → β) → <α>γ → <β>γ",
    "∀αβγ. (α → β) → [α]γ → [β]γ",
    meaning=m.apply_each,
)
ZIP_WITH = _array(
    "zipWith",
    "∀α1α2βγ. (α1 → α2 → β) → <α1>γ → <α2>γ → <β>γ",
    "∀α1α2βγ. (α1 → α2 → β) → [α1]γ → [α2]γ → [β]γ",
    meaning=m.zip_with,
)
REDUCE = _array("reduce", "∀αγ. (α → α → α) → α → [α](1+γ) → [α]γ", meaning=m.reduce)
REDUCE1 = _array("reduce1", "∀αγ. (α → α → α) → [α](1+γ) → [α]γ", meaning=m.reduce_nonempty)
SCAN = _array(
    "scan",
    "∀αγ. (α → α → α) → <α>γ → <α>γ",
    "∀αγ. (α → α → α) → [α](γ+1) → [α](γ+1)",
    meaning=fold.scan,
)
REDUCE_N = _array("reduceN", "∀αγ. (α → α → α) → α → int → [α](1+γ) → [α](1+γ)", meaning=fold.reduce_windows)
REDUCE_N1 = _array(
    "reduceN1", "∀αγ. (α → α → α) → int → [α](1+γ) → [α](1+γ)", meaning=fold.reduce_windows_nonempty
)
OUTER = _array("outer", "∀α1α2βγγ1. (α1 → α2 → β) → [α1]γ → [α2]γ1 → [β](γ+γ1)", meaning=m.outer)
INNER = _array(
    "inner",
    "∀α1α2βγγ1. (β → β → β) → β → (α1 → α2 → β) → [α1](γ+1) → [α2](1+γ1) → [β](γ+γ1)",
    meaning=m.inner,
)
INNER1 = _array(
    "inner1",
    "∀α1α2βγγ1. (β → β → β) → (α1 → α2 → β) → [α1](γ+1) → [α2](1+γ1) → [β](γ+γ1)",
    meaning=m.inner_nonempty,
)

CELLS = _array("cells", "∀αβγγ1γ2. ([α]γ1 → [β]γ2) → [α](γ+γ1) → [β](γ+γ2)", meaning=fold.cells)
ZIP_CELLS = _array(
    "zipCells",
    "∀α1α2βγγ1γ2γ3. ([α1]γ1 → [α2]γ2 → [β]γ3) → [α1](γ+γ1) → [α2](γ+γ2) → [β](γ+γ3)",
    meaning=fold.zip_cells,
)

# --- structure ------------------------------------------------------------------------------------------

IOTA = _array("iota", "int → [int]1", meaning=m.index_generator)
SHAPE = _array("shape", "∀αγ. [α]γ → <int>γ", meaning=m.shape)
RESHAPE = _array("reshape", "∀αγγ1. <int>γ1 → [α]γ → [α]γ1", meaning=m.reshape)
RAVEL = _array("ravel", "∀αγ. [α]γ → [α]1", meaning=m.ravel)
REVERSE = _array("reverse", "∀αγ. [α]γ → [α]γ", meaning=m.reverse)
ROTATE = _array("rotate", "∀αγ. int → [α]γ → [α]γ", meaning=m.rotate)
TRANSP = _array("transp", "∀αγ. [α]γ → [α]γ", meaning=m.transpose)
TRANSP2 = _array("transp2", "∀αγ. <int>γ → [α]γ → [α]γ", meaning=m.transpose_by)
DIAGONAL = _array("diagonal", "∀αγ. <int>γ → [α]γ → [α]γ", meaning=m.diagonal, refine=diagonal_rank)
TAKE = _array("take", "∀αγ. int → [α](1+γ) → [α](1+γ)", meaning=m.take)
DROP = _array("drop", "∀αγ. int → [α](1+γ) → [α](1+γ)", meaning=m.drop)
TAKES = _array("takes", "∀αγγ1. <int>γ → [α](γ+γ1) → [α](γ+γ1)", meaning=m.take)
DROPS = _array("drops", "∀αγγ1. <int>γ → [α](γ+γ1) → [α](γ+γ1)", meaning=m.drop)
FIRST = _array("first", "∀αγ. [α]γ → α", meaning=m.first)
CAT = _array("cat", "∀αγ. [α](γ+1) → [α](γ+1) → [α](γ+1)", meaning=m.catenate)
CONS = _array("cons", "∀αγ. [α]γ → [α](γ+1) → [α](γ+1)", meaning=m.cons)
SNOC = _array("snoc", "∀αγ. [α](γ+1) → [α]γ → [α](γ+1)", meaning=m.snoc)
PICK = _array("pick", "∀α. int → [α]1 → α", meaning=m.pick)
INDEX_OF = _search(
    "indexOf",
    "∀αγ. [α]1 → <α>γ → <int>γ",
    "∀αγγ1. [α](1+γ) → [α](γ1+γ) → [int]γ1",
    meaning=order.index_of,
)
INDEX_OF_T = _array(
    "indexOfT",
    "∀γ. double → [double]1 → <double>γ → <int>γ",
    "∀γγ1. double → [double](1+γ) → [double](γ1+γ) → [int]γ1",
    meaning=tolerant.index_of,
)
MATCH = _search("match", "∀αγ. [α]γ → [α]γ → bool", meaning=m.match)
MATCH_T = _array("matchT", "∀γ. double → [double]γ → [double]γ → bool", meaning=tolerant.match)

IOTA_V = _array("iotaV", "∀γ. S(int,γ) → <int>γ", meaning=m.index_generator, refine=natural_length)
SHAPE_V = _array("shapeV", "∀αγ. <α>γ → SV(int,γ)", meaning=m.shape)
RESHAPE_V = _array("reshapeV", "∀αγγ1. S(int,γ1) → [α]γ → <α>γ1", meaning=m.reshape, refine=natural_length)
REVERSE_V = _array("reverseV", "∀αγ. <α>γ → <α>γ", meaning=m.reverse)
ROTATE_V = _array("rotateV", "∀αγ. int → <α>γ → <α>γ", meaning=m.rotate)
TAKE_V = _array("takeV", "∀αγ. S(int,γ) → [α]1 → <α>γ", meaning=m.take, refine=taken_length)
DROP_V = _array("dropV", "∀αγγ1. S(int,γ) → <α>γ1 → <α>γ1", meaning=m.drop, refine=dropped_length)
FIRST_V = _array("firstV", "∀αγ. SV(α,γ) → S(α,γ)", "∀αγ. <α>(1+γ) → α", meaning=m.first)
CAT_V = _array("catV", "∀αγγ1. <α>γ → <α>γ1 → <α>(γ+γ1)", meaning=m.catenate)
CONS_V = _array("consV", "∀αγ. α → <α>γ → <α>(1+γ)", meaning=m.cons)
SNOC_V = _array("snocV", "∀αγ. <α>γ → α → <α>(1+γ)", meaning=m.snoc)


# --- selection ------------------------------------------------------------------------------------------

REPLICATE = _array("replicate", "∀αγ. [int]1 → [α](γ+1) → [α](γ+1)", meaning=sel.replicate)
COMPRESS = _array("compress", "∀αγ. [bool]1 → [α](γ+1) → [α](γ+1)", meaning=sel.replicate)
EXPAND = _array("expand", "∀αγ. [int]1 → [α](γ+1) → [α](γ+1)", meaning=sel.expand)
ROTATES = _array("rotates", "∀αγ. [int]γ → [α](γ+1) → [α](γ+1)", meaning=sel.rotate_each)
WHERE = _array("where", "[bool]1 → [int]1", "[int]1 → [int]1", meaning=sel.where)
COPY = _array("copy", "∀αγ. <α>γ → <α>γ", "∀αγ. [α]γ → [α]γ", meaning=sel.fresh)
MATERIALISE = _array("materialise", "∀αγ. <α>γ → <α>γ", "∀αγ. [α]γ → [α]γ", meaning=sel.fresh)
SINGLE = _array("single", "∀αγ. [α]γ → α", meaning=sel.single)
OF_LENGTH = _array("ofLength", "∀αγ. S(int,γ) → [α]1 → <α>γ", meaning=sel.of_length, refine=natural_length)
NO_RESULT = _array("noResult", "∀αγ. [α]γ → [α]γ", meaning=sel.no_result)

INDEX = _declare(Prim("index", index_schemes(), sel.index))
UPDATE = _declare(Prim("update", index_schemes(update=True), sel.update))
"""Changes its first argument in place and gives it: the store semantics of thesis figure 3.4."""
MODIFY = _declare(Prim("modify", index_schemes(modify=True), sel.modify))
"""Like `update`, each element becoming the function of itself and the new value."""

# --- arrays of arrays -----------------------------------------------------------------------------------

SLICE = _array("slice", "∀α. int → int → [α]1 → [α]1", meaning=pieces.slice_of)
"""Elements of a vector from a place on, counted from 0, and how many; they are there."""
PIECES = _array(
    "pieces",
    "∀αβγ. (α → [β](1+γ)) → [α]1 → [[β](1+γ)]1",
    meaning=pieces.pieces,
    typing=type_of_pieces,
)
"""What a function gives for each element of a vector, as the items of a vector; also arrays of arrays."""
MIX = _array("mix", "∀αγγ1. <int>γ → [[α]γ]γ1 → [α](γ1+γ)", meaning=pieces.mix)
"""The items as cells of one array, filled up to the longest, and at least to the extents given."""
RUNS = _array("runsOf", "[bool]1 → ([int]1, [int]1)", "[int]1 → ([int]1, [int]1)", meaning=pieces.runs)
"""Where runs of numbers that do not rise, and are no zeros, begin, from 0, and how long they are."""
STACK = _array("stack", "∀αγγ1. [[α]γ]γ1 → [α](γ1+γ)", meaning=pieces.stack)
"""The items as cells of one array: they have one shape, to which those of a single element extend."""
ALIKE = _array("alike", "∀αβγ. [α]γ → [β]γ → [α]γ", meaning=pieces.alike)
"""The first array, where the second has the same extents."""

_ITEMS, _CLASSES = "[[α]γ]1", "([int]1, [int]1, [int]1)"

CLASSES = _search("classesOf", f"∀αγ. {_ITEMS} → {_CLASSES}", meaning=items.classes)
"""For each item the number of its class, which are the items that equal it; for each class the number of its
first item, and how many items it has.
"""
CLASSES_T = _array("classesOfT", f"∀γ. double → [[double]γ]1 → {_CLASSES}", meaning=items.near_classes)
INDEX_OF_ITEMS = _search("indexOfItems", f"∀αγ. {_ITEMS} → {_ITEMS} → [int]1", meaning=items.index_of)
INDEX_OF_ITEMS_T = _array(
    "indexOfItemsT",
    "∀γ. double → [[double]γ]1 → [[double]γ]1 → [int]1",
    meaning=items.near_index_of,
)
MATCH_ITEMS = _search("matchItems", "∀αγγ1. [[α]γ]γ1 → [[α]γ]γ1 → bool", meaning=items.match)
MATCH_ITEMS_T = _array(
    "matchItemsT",
    "∀γγ1. double → [[double]γ]γ1 → [[double]γ]γ1 → bool",
    meaning=items.near_match,
)
GRADE_ITEMS_UP = _search("gradeItemsUp", f"∀αγ. {_ITEMS} → [int]1", meaning=items.grade_up)
GRADE_ITEMS_DOWN = _search("gradeItemsDown", f"∀αγ. {_ITEMS} → [int]1", meaning=items.grade_down)

# --- order and search -----------------------------------------------------------------------------------

_GRADE = ("∀αγ. <α>γ → <int>γ", "∀αγ. [α](1+γ) → [int]1")

GRADE_UP = _search("gradeUp", *_GRADE, meaning=order.grade_up)
GRADE_DOWN = _search("gradeDown", *_GRADE, meaning=order.grade_down)
INTERVAL = _search(
    "intervalIndex", "∀αγ. [α]1 → <α>γ → <int>γ", "∀αγ. [α]1 → [α]γ → [int]γ", meaning=order.interval_index
)
UNIQUE = _search("unique", "∀αγ. [α](1+γ) → [α](1+γ)", meaning=order.unique)
UNIQUE_T = _array("uniqueT", "∀γ. double → [double](1+γ) → [double](1+γ)", meaning=tolerant.unique)
MEMBER = _search(
    "member", "∀αγγ1. <α>γ → [α]γ1 → <bool>γ", "∀αγγ1. [α]γ → [α]γ1 → [bool]γ", meaning=order.member
)
MEMBER_T = _array(
    "memberT",
    "∀γγ1. double → <double>γ → [double]γ1 → <bool>γ",
    "∀γγ1. double → [double]γ → [double]γ1 → [bool]γ",
    meaning=tolerant.member,
)
FIND_T = _array(
    "findT",
    "∀γγ1. double → [double]γ → <double>γ1 → <bool>γ1",
    "∀γγ1. double → [double]γ → [double]γ1 → [bool]γ1",
    meaning=tolerant.find,
)
FIND = _search("find", "∀αγγ1. [α]γ → <α>γ1 → <bool>γ1", "∀αγγ1. [α]γ → [α]γ1 → [bool]γ1", meaning=order.find)

# --- numbers, matrices, text ----------------------------------------------------------------------------

DECODE = _array(
    "decode",
    "∀γγ1. [int](γ+1) → [int](1+γ1) → [int](γ+γ1)",
    "∀γγ1. [double](γ+1) → [double](1+γ1) → [double](γ+γ1)",
    "∀γγ1. [complex](γ+1) → [complex](1+γ1) → [complex](γ+γ1)",
    meaning=num.decode,
)
ENCODE = _array(
    "encode",
    "∀γγ1. [int](1+γ) → [int]γ1 → [int](1+γ+γ1)",
    "∀γγ1. [double](1+γ) → [double]γ1 → [double](1+γ+γ1)",
    meaning=num.encode,
)
MAT_INV = _array("matInv", "[double]2 → [double]2", meaning=matrix.inverse)
MAT_DIV = _array("matDiv", "∀γ. [double](1+γ) → [double]2 → [double](1+γ)", meaning=matrix.divide)
FORMAT = _array(
    "format", "∀α. int → [α]0 → [char]1", "∀αγ. int → [α](1+γ) → [char](1+γ)", meaning=text.format_value
)
FORMAT_BY = _array(
    "formatBy",
    "[int]1 → [double]0 → [char]1",
    "∀γ. [int]1 → [double](1+γ) → [char](1+γ)",
    meaning=text.format_by,
)

FORMAT_NESTED = _array(
    "formatNested",
    "∀αγγ1. int → S(int,γ) → [[α]γ1]1 → [char]γ",
    meaning=text.format_nested,
    typing=type_of_text,
)
FORMAT_PICTURE = _array("formatPicture", "∀α. [char]1 → int → [α]2 → [char]2", meaning=picture.format_picture)
JSON = _array("asJson", "∀αγ. [α]γ → [char]1", meaning=text.json_of)
JSON_NESTED = _array("nestedAsJson", "∀αγ. [[α]γ]1 → [char]1", meaning=text.json_of, typing=type_of_json)
PRESENTED = frozenset({FORMAT_NESTED, JSON_NESTED})
"""Primitives whose meanings are given arrays of arrays as arrays of objects, and no parts."""
TABLE_OF = _array("tableOf", "[char]1 → [int]1 → [double]2", meaning=system.table_of)
FIELDS_OF = _array("fieldsOf", "[char]1 → [int]1 → [int]1", meaning=system.fields_of)
"""The texts of a table: how many rows and columns, the lengths of the fields, and their characters."""
NUMBERS = _array("numbersOf", "[char]1 → [double]1", meaning=number_fields.numbers)
NUMBER_FIELDS = _array(
    "numberFields", "[char]1 → [char]1 → ([bool]1, [double]1)", meaning=number_fields.fields
)

# --- effects, chance, time, files -----------------------------------------------------------------------

PRINT = _array("print", "∀αγ. [α]γ → [α]γ", meaning=lambda a: a, typing=type_of_last(1), stateful=True)
PRINT_WITH = _array(
    "printWith",
    "∀αγ. int → [α]γ → [α]γ",
    meaning=lambda precision, a: a,
    typing=type_of_last(2),
    stateful=True,
)

ROLL = _array("roll", "∀γ. [int]γ → [int]γ", meaning=system.roll, stateful=True, draws=True)
UNIFORM = _array("uniform", "∀γ. <int>γ → [double]γ", meaning=system.uniform, stateful=True, draws=True)
DEAL = _array("deal", "int → int → [int]1", meaning=system.deal, stateful=True, draws=True)
SET_SEED = _array("setSeed", "int → int", meaning=system.set_seed, stateful=True, draws=True)
NOW = _array("now", "int → double", meaning=system.now, stateful=True)
TIMESTAMP = _array("timestamp", "int → <int>7", meaning=system.timestamp, stateful=True)
BENCH = _array("bench", "∀αβγγ1. ([α]γ → [β]γ1) → int → [α]γ → [β]γ1", meaning=system.bench, stateful=True)


def _on_file(name: str, scheme: str, meaning: Callable[..., Any], refine: Refine | None = None) -> Prim:
    """What a program does with a file happens when it is due: between two readings it may be written."""
    return _array(name, scheme, meaning=meaning, refine=refine, stateful=True, opens=True)


READ_FILE = _on_file("readFile", "[char]1 → [char]1", system.read_characters)
READ_INTS = _on_file("readIntVecFile", "[char]1 → [int]1", system.read_ints)
READ_DOUBLES = _on_file("readDoubleVecFile", "[char]1 → [double]1", system.read_doubles)
READ_TABLE = _on_file("readTable", "[char]1 → [int]1 → [double]2", system.read_table)
READ_FIELDS = _on_file("readFields", "[char]1 → [int]1 → [int]1", system.read_fields)
WRITE_FILE = _on_file("writeFile", "[char]1 → bool → [char]1 → int", system.write_characters)


def _npy(name: str, base: Base) -> Prim:
    scheme = f"∀γ. [char]1 → S(int,γ) → [{base}]γ"
    return _on_file(name, scheme, system.npy_reader(base), natural_rank)


NPY_INT = _npy("npyInt", Base.INT)
NPY_DOUBLE = _npy("npyDouble", Base.DOUBLE)
NPY_COMPLEX = _npy("npyComplex", Base.COMPLEX)
NPY_BOOL = _npy("npyBool", Base.BOOL)
NPY_CHAR = _npy("npyChar", Base.CHAR)

EQUALITY: dict[str, Prim] = {"int": EQI, "double": EQD, "complex": EQZ, "bool": EQB, "char": EQC}
"""Equality of scalars, by base type."""
