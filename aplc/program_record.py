"""What is kept of a program beside its shared object: JSON of a form that is checked when it is read.

    {"type": TYPE, "inputs": [NAME…], "digits": N, "storage": DTYPE, "object": KEY,
     "sources": [[NAME, TEXT]…],
     "sites": [[KIND, TEMPLATE, SYMBOL, SPAN, [[ORIGIN, INDEX, RANK…]…]]…],
     "prints": [VALUE…], "results": [VALUE…],
     "questions": [[PRIMITIVE, [VALUE…], VALUE, SITE]…], "recursive": BOOL, "threads": BOOL,
     "kernels": KERNELS}

    KERNELS ::=  null  |  {"text": TEXT, "single": BOOL, "shared": BOOL, "keeps": BOOL, "parts": [BOOL…],
                           "launches": [[NAME, AXES, [[DTYPE, LENGTH, BOOL]…], [BASE…], BOOL, [SIZE…]]…],
                           "concerns": [LAUNCH | WORD | null…]}           of which the primitives are null

    TYPE  ::=  [WHICH, BASE, CONSTANT, [[NAME, FACTOR]…]]  |  [TYPE…]      an array, of which rank; a tuple
    VALUE ::=  {"BASE": RANK}  |  {"BASE": [RANK, DTYPE]}  |  [VALUE…]     as usual, or stored narrower
    SPAN  ::=  [SOURCE, START, END, INDEX]  |  null

Reading makes data of this and nothing else. What is not of the form is refused as a whole: `NotOfTheForm`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from aplc.backends.c.program import CProgram, Kind, NestedKind, Question, RecordsKind, ValueType
from aplc.backends.c.types import STORAGE_TYPES
from aplc.backends.opencl.launches import ClProgram, Concern, KernelArray, Launch, Said
from aplc.tail.faults import Fault, IndexForm, Site
from aplc.tail.source import Source, Span
from aplc.tail.types import (
    Array,
    Base,
    DataType,
    Nested,
    Records,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    nested,
    records,
)

if TYPE_CHECKING:  # a program that asks nothing starts without it
    from aplc.tail.prims import Prim

T = TypeVar("T")

KEY = re.compile(r"[0-9a-f]{64}")
TEMPLATE = re.compile(r"(?:[^{}]|\{[f0-9]\})*")
"""Of a message: what stands in braces is a value of the check, and nothing of it."""
INDEX = re.compile(r"(?:[0-9 ]|of item)*")
"""Of an item."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Of a kernel."""
MOST_DIGITS, MOST_RANK = 17, 1 << 16
MOST_AXES, MOST_IN_GROUP, MOST_ELEMENTS = 3, 1 << 16, 1 << 47
"""Of kernels, their groups, and the arrays that they get."""

_NARROW: dict[Base, tuple[str, ...]] = {
    Base.INT: ("int8", "uint8", "int16", "uint16", "int32", "uint32"),
    Base.DOUBLE: ("float32",),
}
"""How elements may be stored that are not stored as usual."""

_DATA_TYPES: dict[str, type[DataType]] = {
    each.__name__: each for each in (Array, Vector, Single, SingleVector)
}


class NotOfTheForm(ValueError):
    """What was read is nothing that was written here, or what was to be written has no such form."""


class Record(NamedTuple):
    """What is kept of a program."""

    type: Type
    inputs: tuple[str, ...]
    digits: int
    program: CProgram
    """Without its text."""
    object_key: str
    storage: str = ""
    """The dtype of the value, as `Compiled` has it."""
    kernels: KernelRecord | None = None


class KernelRecord(NamedTuple):
    """What is kept of a program with kernels besides its host, as `OpenclProgram` has it."""

    program: ClProgram
    is_shared: bool
    keeps: bool
    parts: tuple[bool, ...]


# --- writing --------------------------------------------------------------------------------------------


def written(record: Record) -> bytes:
    """A record as text. Raises `NotOfTheForm` for a type or a primitive that has no text."""
    program = record.program
    sources: dict[Source, int] = {}
    form = {
        "type": _type_form(record.type),
        "inputs": list(record.inputs),
        "digits": record.digits,
        "storage": record.storage,
        "object": record.object_key,
        "sites": [_site_form(site, sources) for site in program.sites],
        "prints": [_kind_form(kind) for kind in program.prints],
        "results": [_kind_form(kind) for kind in program.results],
        "questions": [_question_form(each) for each in program.questions],
        "recursive": program.is_recursive,
        "threads": program.has_threads,
        "looks": list(program.looks_at),
        "kernels": None if record.kernels is None else _kernels_form(record.kernels),
    }
    form["sources"] = [[source.name, source.text] for source in sources]
    return json.dumps(form, ensure_ascii=True, separators=(",", ":")).encode()


def _type_form(ty: Type) -> list[Any]:
    match ty:
        case Nested(item=item, rank=rank):
            return ["nested", _type_form(item), rank.const]
        case Records(fields=fields, rank=rank, axis=axis):
            return ["records", _type_form(Tuple(fields)), rank.const, -1 if axis is None else axis]
        case Tuple(items=items):
            return [_type_form(item) for item in items]
        case Array(base=Base() as base, rank=rho) | Vector(base=Base() as base, length=rho):
            pass
        case Single(base=Base() as base, value=rho) | SingleVector(base=Base() as base, value=rho):
            pass
        case _:
            raise NotOfTheForm(f"the type {ty}")
    return [type(ty).__name__, base.value, rho.const, [[name, factor] for name, factor in rho.terms]]


def _kind_form(kind: Kind) -> Any:
    if isinstance(kind, NestedKind):
        return {"nested": _kind_form(kind.parts)}
    if isinstance(kind, RecordsKind):
        axis = -1 if kind.axis is None else kind.axis
        return {"records": _kind_form(kind.columns), "rank": kind.rank, "axis": axis}
    if isinstance(kind, tuple):
        return [_kind_form(item) for item in kind]
    assert isinstance(kind, ValueType)
    return {kind.base.value: [kind.rank, kind.storage] if kind.storage else kind.rank}


def _site_form(site: Site, sources: dict[Source, int]) -> list[Any]:
    span = None
    if site.span is not None:
        place = site.span
        span = [sources.setdefault(place.source, len(sources)), place.start, place.end, place.item]
    items = [[form.origin, form.around, *form.ranks] for form in site.items]
    return [site.fault.kind, site.fault.template, site.symbol, span, items]


def _question_form(question: Question) -> list[Any]:
    name = None if question.prim is None else _name_of(question.prim)
    arguments = [_kind_form(kind) for kind in question.arguments]
    return [name, arguments, _kind_form(question.result), question.site]


def _name_of(prim: Prim) -> str:
    from aplc.tail.prims import PRIMS  # noqa: PLC0415 (a program that asks nothing starts without it)

    if PRIMS.get(prim.name) is not prim:
        raise NotOfTheForm(f"the primitive {prim.name}")
    return prim.name


def _kernels_form(kernels: KernelRecord) -> dict[str, Any]:
    program = kernels.program
    numbers = {launch.name: k for k, launch in enumerate(program.launches)}
    concerns = [
        numbers[concern.name] if isinstance(concern, Launch) else concern and concern.value
        for concern in program.concerns
    ]
    return {
        "text": program.text,
        "single": program.is_single,
        "shared": kernels.is_shared,
        "keeps": kernels.keeps,
        "parts": [*kernels.parts],
        "launches": [_launch_form(launch) for launch in program.launches],
        "concerns": concerns,
    }


def _launch_form(launch: Launch) -> list[Any]:
    arrays = [[array.storage, array.length, array.is_written] for array in launch.arrays]
    scalars = [base.value for base in launch.scalars]
    return [launch.name, launch.axes, arrays, scalars, launch.may_fail, [*launch.group]]


# --- reading --------------------------------------------------------------------------------------------


def read(content: bytes) -> Record:
    """The record of a text. Raises `NotOfTheForm`."""
    try:
        form = json.loads(content)
    except (ValueError, RecursionError) as failure:
        raise NotOfTheForm("no JSON") from failure
    if not isinstance(form, dict) or form.keys() != _PARTS:
        raise NotOfTheForm("not the parts of a record")
    sources = _each(form["sources"], _source)
    sites = _each(form["sites"], lambda site: _site(site, sources))
    results = _each(form["results"], _value_type)
    questions = _each(form["questions"], lambda question: _question(question, len(sites)))
    program = CProgram(
        "", sites, _each(form["prints"], _kind), results, questions,
        _of(bool, form["recursive"]), _of(bool, form["threads"]),
        _each(form["looks"], lambda position: _number(position, 0, len(form["inputs"]) - 1)),
    )  # fmt: skip
    if not KEY.fullmatch(_of(str, form["object"])):
        raise NotOfTheForm("no key")
    if form["storage"] != "":
        _dtype(form["storage"])
    kernels = None if form["kernels"] is None else _kernels(form["kernels"])
    concerns = (None,) * len(questions) if kernels is None else kernels.program.concerns
    if [each.prim is None for each in questions] != [concern is not None for concern in concerns]:
        raise NotOfTheForm("a question that nobody answers")
    record = Record(
        _type(form["type"]),
        _each(form["inputs"], lambda name: _of(str, name)),
        _number(form["digits"], 1, MOST_DIGITS),
        program,
        form["object"],
        form["storage"],
        kernels,
    )
    if kernels is not None and len(kernels.parts) != len(results):
        raise NotOfTheForm("another number of results")
    if _leaves(record.type) != len(results):
        raise NotOfTheForm("a value of another form than its type")
    return record


_PARTS = {
    "type", "inputs", "digits", "storage", "object", "sources", "sites",
    "prints", "results", "questions", "recursive", "threads", "looks", "kernels",
}  # fmt: skip


def _of(kind: type[T], value: Any) -> T:
    """A value of just this type: a truth value is no number."""
    if type(value) is not kind:
        raise NotOfTheForm(f"{kind.__name__} is expected")
    return value


def _number(value: Any, least: int, most: int) -> int:
    if not least <= _of(int, value) <= most:
        raise NotOfTheForm("a number out of its range")
    return int(value)


def _each(values: Any, reader: Callable[[Any], T]) -> tuple[T, ...]:
    return tuple([reader(value) for value in _of(list, values)])


def _items(value: Any, count: int) -> list[Any]:
    """The items of a list that has so many."""
    items = _of(list, value)
    if len(items) != count:
        raise NotOfTheForm(f"{count} items are expected")
    return items


def _base(value: Any) -> Base:
    try:
        return Base(_of(str, value))
    except ValueError:
        raise NotOfTheForm("no element type") from None


def _type(value: Any) -> Type:
    items: list[Any] = _of(list, value)
    if items[:1] == ["nested"]:
        _, form, rank = _items(items, 3)
        item = _type(form)
        is_table = isinstance(item, Records) and item.axis is not None
        if not isinstance(item, Array | Nested | Records) or is_table:
            raise NotOfTheForm("no type of items")
        return nested(item, _number(rank, 0, MOST_RANK))
    if items[:1] == ["records"]:
        _, form, rank, axis = _items(items, 4)
        fields = _type(form)
        if not isinstance(fields, Tuple) or not fields.items:
            raise NotOfTheForm("no type of fields")
        most = _number(rank, 0, MOST_RANK)
        place = _number(axis, -1, most)
        return records(fields.items, most, None if place < 0 else place)
    if not items or isinstance(items[0], list):
        return Tuple(tuple([_type(item) for item in items]))
    which, base, const, terms = _items(items, 4)
    if _of(str, which) not in _DATA_TYPES:
        raise NotOfTheForm("no type")
    return _DATA_TYPES[which](_base(base), Rho(_of(int, const), _each(terms, _term)))


def _term(value: Any) -> tuple[str, int]:
    name, factor = _items(value, 2)
    return _of(str, name), _of(int, factor)


def _leaves(ty: Type) -> int:
    """The number of arrays of a value."""
    return sum(map(_leaves, ty.items)) if isinstance(ty, Tuple) else 1


def _kind(value: Any) -> Kind:
    if isinstance(value, dict) and value.keys() == {"nested"}:
        return NestedKind(_each(value["nested"], _kind))
    if isinstance(value, dict) and value.keys() == {"records", "rank", "axis"}:
        rank = _number(value["rank"], 0, MOST_RANK)
        axis = _number(value["axis"], -1, rank)
        return RecordsKind(_each(value["records"], _kind), rank, None if axis < 0 else axis)
    return _each(value, _kind) if isinstance(value, list) else _value_type(value)


def _value_type(value: Any) -> ValueType:
    ((base, how),) = _items([*_of(dict, value).items()], 1)
    rank, storage = how if isinstance(how, list) and len(how) == 2 else (how, "")
    if storage not in ("", *_NARROW.get(_base(base), ())):
        raise NotOfTheForm("no dtype of elements")
    return ValueType(_base(base), _number(rank, 0, MOST_RANK), storage)


def _source(value: Any) -> Source:
    name, text = _items(value, 2)
    return Source(_of(str, name), _of(str, text))


def _site(value: Any, sources: tuple[Source, ...]) -> Site:
    kind, template, symbol, place, items = _items(value, 5)
    if not TEMPLATE.fullmatch(_of(str, template)):
        raise NotOfTheForm("no message")
    span = None
    if place is not None:
        number, start, end, item = _items(place, 4)
        source = sources[_number(number, 0, len(sources) - 1)]
        end = _number(end, 0, len(source.text))
        span = Span(source, _number(start, 0, end), end, _index(item))
    return Site(Fault(_of(str, kind), template), _of(str, symbol), span, _each(items, _index_form))


def _index_form(value: Any) -> IndexForm:
    origin, around, *ranks = _at_least(value, 2)
    axes = tuple([_number(rank, 1, MOST_RANK) for rank in ranks])
    return IndexForm(_number(origin, 0, 1), axes, _index(around))


def _at_least(value: Any, count: int) -> list[Any]:
    """The items of a list that has so many, or more."""
    items = _of(list, value)
    if len(items) < count:
        raise NotOfTheForm(f"{count} items are expected")
    return list(items)


def _index(value: Any) -> str:
    if not INDEX.fullmatch(_of(str, value)):
        raise NotOfTheForm("no index of an item")
    return str(value)


def _question(value: Any, sites: int) -> Question:
    name, arguments, result, site = _items(value, 4)
    prim = None if name is None else _primitive(name)
    return Question(prim, _each(arguments, _kind), _kind(result), _number(site, 0, sites - 1))


def _primitive(name: Any) -> Prim:
    from aplc.tail.prims import PRIMS  # noqa: PLC0415 (a program that asks nothing starts without it)

    if _of(str, name) not in PRIMS:
        raise NotOfTheForm("no primitive")
    return PRIMS[name]


def _dtype(value: Any) -> str:
    if _of(str, value) not in STORAGE_TYPES:
        raise NotOfTheForm("no dtype of elements")
    return str(value)


def _kernels(value: Any) -> KernelRecord:
    if _of(dict, value).keys() != _PARTS_OF_KERNELS:
        raise NotOfTheForm("not the parts of kernels")
    launches = _each(value["launches"], _launch)
    concerns = _each(value["concerns"], lambda concern: _concern(concern, launches))
    program = ClProgram(_of(str, value["text"]), launches, _of(bool, value["single"]), concerns)
    parts = _each(value["parts"], lambda part: _of(bool, part))
    return KernelRecord(program, _of(bool, value["shared"]), _of(bool, value["keeps"]), parts)


_PARTS_OF_KERNELS = {"text", "single", "shared", "keeps", "parts", "launches", "concerns"}


def _launch(value: Any) -> Launch:
    name, axes, arrays, scalars, may_fail, group = _items(value, 6)
    if not NAME.fullmatch(_of(str, name)):
        raise NotOfTheForm("no name of a kernel")
    axes = _number(axes, 1, MOST_AXES)
    sizes = _each(group, lambda size: _number(size, 1, MOST_IN_GROUP))
    if len(sizes) not in (0, axes):
        raise NotOfTheForm("groups of another number of axes")
    return Launch(name, axes, _each(arrays, _array), _each(scalars, _base), _of(bool, may_fail), sizes)


def _array(value: Any) -> KernelArray:
    storage, length, is_written = _items(value, 3)
    return KernelArray(_dtype(storage), _number(length, 0, MOST_ELEMENTS), _of(bool, is_written))


def _concern(value: Any, launches: tuple[Launch, ...]) -> Concern | None:
    if value is None:
        return None
    if isinstance(value, str):
        if value not in {said.value for said in Said}:
            raise NotOfTheForm("no word to a device")
        return Said(value)
    return launches[_number(value, 0, len(launches) - 1)]
