"""The types of TAIL (thesis section 3.1.1) and their subtyping.

    κ ::= int | double | complex | bool | char | α       base types
    ρ ::= i | γ | ρ + ρ                                  shape types, in linear normal form
    τ ::= [κ]ρ | <κ>ρ | S(κ,ρ) | SV(κ,ρ) | [τ]ρ | [(τ, …)]ρ | [(τ, …)/i]ρ | τ → τ | (τ, …)
    σ ::= ∀αγ. τ                                         schemes: see `unify`

`[κ]ρ` is an array of rank ρ, `<κ>ρ` a vector of length ρ, `S(κ,ρ)` the scalar with value ρ, `SV(κ,ρ)` the
one-element vector with value ρ, `[τ]ρ` an array of arrays (Note [Arrays of arrays]), `[(τ, …)]ρ` an array
of records and `[(τ, …)/i]ρ` a table (Note [Records]). Shape types are equal up
to associativity, commutativity and constant folding; `Rho` keeps them in a normal form in which that is plain
equality.

Note [Arrays of arrays]
    An array whose items are arrays of rank r has 2 + r parts, which are flat arrays: for each item the place
    where its elements start, counted from 0, and its extents; and the elements of all items in one vector.
    Items may lie in any order, overlap, or leave elements out, so that choosing and arranging items moves no
    elements. Items that are scalars, as enclosed arrays are, have no extents. The type `[τ]ρ` is a tuple type
    of these parts, which nothing but its name tells from another: tuples go through loops, branches and
    recursive functions part by part. Items that are arrays of arrays themselves have such an array in the
    place of the vector of elements, and items that are arrays of records have the vector of all records.

Note [Records]
    Items that are strands of the same types, `('ann' 31)('bob' 27)`, are records. An array of them is made of
    one array for each field, all of the array's rank and extents: of the simple scalars that the field has in
    the records, or of its arrays. So it is a tuple type, too, as an array of arrays is. A table,
    `[(τ, …)/i]ρ`, is the same with the fields along an axis of their own, which comes before axis i of the
    array, counted from 0: it has one axis more, and its elements are those of the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeGuard

MOST_AXES = 64
"""Of an array: as many as arrays of NumPy have."""
LAST_CHARACTER = 0x10FFFF
SURROGATES = 0xD800, 0xDFFF
"""The first and the last code point that stand for halves of UTF-16, and are no characters."""
"""The last code point of Unicode."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What holds of a base type wherever its values are met."""

    dtype: str
    """The NumPy dtype of elements in memory where nothing more is known of their values, by name."""
    item_bytes: int
    """The size of such an element."""
    kinds: str
    """The kinds of NumPy dtypes whose elements have this type where they come from outside."""
    fill: bool | int | float
    """The fill element; a character is its code point."""
    bounds: tuple[int, int] | None
    """The least and the greatest value; None where values are no integers in memory."""
    is_number: bool
    """Whether there is arithmetic on values, if only after a coercion."""
    is_ordered: bool
    """Whether values can be sorted."""


_ROWS = {
    #               dtype      bytes kinds  fill      least and greatest        number ordered
    "int":    _Row("int64",    8,    "iu",  0,        (-(2**63), 2**63 - 1),    True,  True),
    "double": _Row("float64",  8,    "f",   0.0,      None,                     True,  True),
    "complex": _Row("complex128", 16, "c",  0.0,      None,                     True,  False),
    "bool":   _Row("bool",     1,    "b",   False,    (0, 1),                   True,  True),
    "char":   _Row("uint32",   4,    "U",   ord(" "), (0, LAST_CHARACTER),      False, True),
}  # fmt: skip
"""THE table of base types, by their names in TAIL's text. How C spells them: `backends/c/types.py`."""


class Base(Enum):
    """A base type κ that is known, with the columns of its row.

    What depends on the type in a way that is no column, a `match` without `case _` decides, so that mypy
    reports the places that a new type has to be thought of.
    """

    INT = "int"
    DOUBLE = "double"
    COMPLEX = "complex"
    BOOL = "bool"
    CHAR = "char"

    def __init__(self, text: str) -> None:
        row = _ROWS[text]
        self.dtype, self.item_bytes, self.kinds = row.dtype, row.item_bytes, row.kinds
        self.fill, self.bounds = row.fill, row.bounds
        self.is_number, self.is_ordered = row.is_number, row.is_ordered
        self.is_exact = row.bounds is not None
        """Whether values are integers in memory: nothing is rounded, and equal values have equal bits."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class BaseVar:
    """A base-type variable α."""

    name: str

    def __str__(self) -> str:
        return self.name


Kappa = Base | BaseVar


@dataclass(frozen=True, slots=True)
class Rho:
    """A shape type in linear normal form: a constant plus variables with their (non-zero) coefficients."""

    const: int = 0
    terms: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(value: int | str | Rho) -> Rho:
        """The shape type of a constant or of a single variable."""
        if isinstance(value, Rho):
            return value
        return Rho(value) if isinstance(value, int) else Rho(0, ((value, 1),))

    def __add__(self, other: Rho | int) -> Rho:
        return self._combine(Rho.of(other), 1)

    def __sub__(self, other: Rho | int) -> Rho:
        return self._combine(Rho.of(other), -1)

    def _combine(self, other: Rho, sign: int) -> Rho:
        coefficients = dict(self.terms)
        for name, k in other.terms:
            coefficients[name] = coefficients.get(name, 0) + sign * k
        terms = tuple(sorted((name, k) for name, k in coefficients.items() if k))
        return Rho(self.const + sign * other.const, terms)

    @property
    def is_const(self) -> bool:
        """Whether no variable occurs."""
        return not self.terms

    @property
    def variable(self) -> str | None:
        """The name of the variable that this is, if it is one alone."""
        if self.const or len(self.terms) != 1 or self.terms[0][1] != 1:
            return None
        return self.terms[0][0]

    @property
    def is_natural(self) -> bool:
        """Whether the value is at least zero whatever natural numbers the variables stand for."""
        return self.const >= 0 and all(k > 0 for _, k in self.terms)

    def __str__(self) -> str:
        if not self.terms:
            return str(self.const)
        names = [name if abs(k) == 1 else f"{abs(k)}{name}" for name, k in self.terms]
        signs = ["-" if k < 0 else "+" for _, k in self.terms]
        text = "".join([sign + name for sign, name in zip(signs, names, strict=True)]).removeprefix("+")
        return text if self.const == 0 else f"{text}{self.const:+d}"


@dataclass(frozen=True, slots=True)
class Array:
    """`[κ]ρ`: an array of element type κ and rank ρ."""

    base: Kappa
    rank: Rho

    def __str__(self) -> str:
        return f"[{self.base}]{_exponent(self.rank)}"


@dataclass(frozen=True, slots=True)
class Vector:
    """`<κ>ρ`: a vector of element type κ and length ρ."""

    base: Kappa
    length: Rho

    def __str__(self) -> str:
        return f"<{self.base}>{_exponent(self.length)}"


@dataclass(frozen=True, slots=True)
class Single:
    """`S(κ,ρ)`: the scalar of element type κ with value ρ."""

    base: Kappa
    value: Rho

    def __str__(self) -> str:
        return f"S({self.base},{self.value})"


@dataclass(frozen=True, slots=True)
class SingleVector:
    """`SV(κ,ρ)`: the one-element vector of element type κ with value ρ."""

    base: Kappa
    value: Rho

    def __str__(self) -> str:
        return f"SV({self.base},{self.value})"


@dataclass(frozen=True, slots=True)
class Func:
    """`τ → … → τ`: a function; operators are fully applied, so all parameters stand together."""

    params: tuple[Type, ...]
    result: Type

    def __str__(self) -> str:
        parts = [f"({p})" if isinstance(p, Func) else str(p) for p in self.params]
        return " → ".join([*parts, str(self.result)])


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(τ, …)`: several values; `()` is the type of a program that has no value."""

    items: tuple[Type, ...] = ()

    def __str__(self) -> str:
        comma = "," if len(self.items) == 1 else ""
        return f"({', '.join(map(str, self.items))}{comma})"


@dataclass(frozen=True, slots=True)
class Nested(Tuple):
    """`[τ]ρ`: an array of rank ρ whose items are arrays; see Note [Arrays of arrays]."""

    item: Array | Nested | Records = Array(Base.INT, Rho(1))
    rank: Rho = Rho(1)

    def __str__(self) -> str:
        return f"[{self.item}]{_exponent(self.rank)}"


def nested(item: ItemType, rank: int | Rho) -> Nested:
    """The type of arrays of such items. Simple ones have axes, and no item is a table. In a scheme the number
    of axes may be a variable, and the parts are left open.
    """
    outer = Rho.of(rank)
    if not item.rank.is_const:
        return Nested((), item, outer)
    places = Array(Base.INT, outer)
    return Nested((places, *[places] * item.rank.const, _elements(item)), item, outer)


def _elements(item: ItemType) -> Type:
    """The type of the vector of what is in such items."""
    match item:
        case Array(base=base):
            return Array(base, Rho(1))
        case Nested(item=inner):
            return nested(inner, 1)
        case Records(fields=fields):
            assert item.axis is None, item
            return records(fields, 1)


@dataclass(frozen=True, slots=True)
class Records(Tuple):
    """`[(τ, …)]ρ`, `[(τ, …)/i]ρ`: an array of records, or a table; see Note [Records]."""

    fields: tuple[Type, ...] = ()
    rank: Rho = Rho(1)
    axis: int | None = None
    """Where the axis of the fields is; None where records are items."""

    def __str__(self) -> str:
        axis = "" if self.axis is None else f"/{self.axis}"
        return f"[{Tuple(self.fields)}{axis}]{_exponent(self.rank)}"


def records(fields: tuple[Type, ...], rank: int | Rho, axis: int | None = None) -> Records:
    """The type of arrays of records with fields of these types: scalars, arrays, records, several records."""
    outer = Rho.of(rank)
    own = tuple([_field(field) for field in fields])
    return Records(tuple([_column(field, outer) for field in own]), own, outer, axis)


def _field(ty: Type) -> Type:
    """What a field is for all records, given its type in one."""
    match ty:
        case Nested() | Records() | Func():
            return ty
        case Tuple(items=items):
            return Tuple(tuple([_field(item) for item in items]))
        case _:
            return generalise(ty)


def _column(field: Type, rank: Rho) -> Type:
    """The type of what holds a field of all records."""
    match field:
        case Array(base=base, rank=Rho(const=0, terms=())):
            return Array(base, rank)
        case Array() | Nested() | Records():
            return nested(field, rank)
        case Tuple(items=items):
            return records(items, rank)
        case _:
            raise AssertionError(field)


def field_of(column: Type) -> Type:
    """The type of the field that an array of all records holds."""
    match column:
        case Nested(item=item):
            return item
        case Records(fields=fields):
            return Tuple(fields)
        case Func() | Tuple():
            raise AssertionError(column)
        case _:
            return scalar(column.base)


def parts_by_name(name: str, ty: Type) -> list[tuple[str, Type]]:
    """The flat arrays of an input with their types: itself, or the parts of an array of arrays or of several
    arrays in one, numbered.
    """
    if not isinstance(ty, Tuple):
        return [(name, ty)]
    return [pair for k, part in enumerate(ty.items, 1) for pair in parts_by_name(f"{name}.{k}", part)]


ItemType = Array | Nested | Records
"""What the items of an array of arrays can be."""
DataType = Array | Vector | Single | SingleVector
Type = DataType | Func | Tuple

UNIT = Tuple()


def is_item(ty: Type) -> TypeGuard[ItemType]:
    """Whether an array of arrays can have such items: simple ones have axes, and a table is none."""
    if isinstance(ty, Array):
        return ty.rank != Rho(0)
    return isinstance(ty, Nested) or (isinstance(ty, Records) and ty.axis is None)


def _exponent(rho: Rho) -> str:
    """A shape type behind a bracket: a sum or a negative number stands in parentheses."""
    text = str(rho)
    return f"({text})" if "+" in text or "-" in text else text


def scalar(base: Kappa) -> Array:
    """`[κ]0`"""
    return Array(base, Rho(0))


def array(base: Kappa, rank: int) -> Array:
    """`[κ]rank`"""
    return Array(base, Rho(rank))


def vector(base: Kappa, length: int | Rho) -> Vector:
    """`<κ>length`"""
    return Vector(base, Rho.of(length))


def rank_of(ty: DataType) -> Rho:
    """The rank of a value of this type."""
    match ty:
        case Array(rank=rank):
            return rank
        case Vector() | SingleVector():
            return Rho(1)
        case Single():
            return Rho(0)


def base_of_constant(value: bool | int | float | str) -> Base:
    """The type of a constant, from that of the Python value that it is written as."""
    match value:
        case bool():
            return Base.BOOL
        case int():
            return Base.INT
        case float():
            return Base.DOUBLE
        case str():
            return Base.CHAR


def base_of(ty: Type) -> Base:
    """The element type of a data type whose base type is known."""
    assert not isinstance(ty, Func | Tuple) and isinstance(ty.base, Base), ty
    return ty.base


def known_length(ty: Type) -> Rho | None:
    """The length of a vector type where the type tells it."""
    match ty:
        case Vector(length=length):
            return length
        case SingleVector():
            return Rho(1)
        case _:
            return None


def generalise(ty: DataType) -> Array:
    """The `[κ]ρ` above a data type (rules 3.3 to 3.5)."""
    return Array(ty.base, rank_of(ty))


def forget_value(ty: Type) -> Type:
    """The type without knowledge of a singleton's value: what a mutable or joined value may have."""
    match ty:
        case Single(base=base):
            return scalar(base)
        case SingleVector(base=base):
            return vector(base, 1)
        case Nested() | Records():
            return ty
        case Tuple(items=items):
            return Tuple(tuple([forget_value(t) for t in items]))
        case _:
            return ty


def forget_length(ty: Type) -> Type:
    """The type without knowledge of a singleton's value, nor of the length of a vector."""
    if isinstance(ty, Tuple):
        simple = not isinstance(ty, Nested | Records)
        return Tuple(tuple([forget_length(t) for t in ty.items])) if simple else ty
    if isinstance(ty, Func) or known_length(ty) is None:
        return forget_value(ty)
    return array(base_of(ty), 1)


def is_subtype(sub: Type, sup: Type) -> bool:
    """Subtyping: rules 3.1 to 3.5, contravariant on functions, pointwise on tuples.

    >>> is_subtype(vector(Base.INT, 3), array(Base.INT, 1))
    True
    """
    if sub == sup:
        return True
    match sub, sup:
        case (SingleVector(), Vector()):
            return sub.base == sup.base and sup.length == Rho(1)
        case (Vector() | SingleVector() | Single(), Array()):
            return generalise(sub) == sup
        case (Func(), Func()):
            return (
                len(sub.params) == len(sup.params)
                and all(is_subtype(q, p) for p, q in zip(sub.params, sup.params, strict=True))
                and is_subtype(sub.result, sup.result)
            )
        case (Nested() | Records(), _) | (_, Nested() | Records()):
            return False
        case (Tuple(), Tuple()):
            return len(sub.items) == len(sup.items) and all(map(is_subtype, sub.items, sup.items))
        case _:
            return False


def join(left: Type, right: Type) -> Type | None:
    """The least type above both, or None where there is none (another base type or rank)."""
    for candidate in (right, left):
        if is_subtype(left, candidate) and is_subtype(right, candidate):
            return candidate
    match left, right:
        case (Nested() | Records(), _) | (_, Nested() | Records()):
            return None
        case (Tuple(), Tuple()) if len(left.items) == len(right.items):
            items = [join(a, b) for a, b in zip(left.items, right.items, strict=True)]
            known = [t for t in items if t is not None]
            return Tuple(tuple(known)) if len(known) == len(items) else None
        case (Array() | Vector() | Single() | SingleVector(), Array() | Vector() | Single() | SingleVector()):
            lengths = known_length(left), known_length(right)
            if left.base == right.base and lengths[0] is not None and lengths[0] == lengths[1]:
                return Vector(left.base, lengths[0])
            return generalise(left) if generalise(left) == generalise(right) else None
        case _:
            return None
