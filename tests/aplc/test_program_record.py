"""What is kept of programs beside their code is data of a form that is checked, and nothing that runs."""

import json
import pickle
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from aplc.backends.c.program import CProgram, NestedKind, Question, RecordsKind, ValueType
from aplc.backends.opencl.launches import ClProgram, KernelArray, Launch, Said
from aplc.program_record import KernelRecord, NotOfTheForm, Record, read, written
from aplc.tail.faults import LENGTHS, Fault, Site
from aplc.tail.prims import PRIMS
from aplc.tail.source import Source, Span
from aplc.tail.types import (
    Array,
    Base,
    BaseVar,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Vector,
    array,
    nested,
    records,
    scalar,
)

INT, TEXT = ValueType(Base.INT, 0), ValueType(Base.CHAR, 1)
NARROW = ValueType(Base.INT, 1, "int8")
SOURCE, OTHER = Source("p.apl", "'⍳'\n1 2+3 4 5\n"), Source("q.apl", "")
TYPE = Tuple(
    (Single(Base.INT, Rho(3)), Tuple((Vector(Base.CHAR, Rho(0, (("n", 2),))), Array(Base.BOOL, Rho(2)))))
)
SITES = (
    Site(LENGTHS, "+", Span(SOURCE, 4, 13)),
    Site(LENGTHS, "", None),
    Site(LENGTHS, "-", Span(OTHER, 0, 0)),
)
QUESTION = Question(PRIMS["addi"], (INT, (INT, TEXT)), TEXT, 1)
RESULTS = (INT, TEXT, ValueType(Base.BOOL, 2))
PROGRAM = CProgram("", SITES, (INT, (TEXT, (NARROW, TEXT))), RESULTS, (QUESTION,), is_recursive=True)
RECORD = Record(TYPE, ("v", "⍵"), 10, PROGRAM, "0" * 64)
LAUNCHES = (
    Launch(
        "map", 1, (KernelArray("uint8", 0, True), KernelArray("float64", 9, False)), (Base.INT,), True, ()
    ),
    Launch("sum_2", 2, (), (), False, (64, 1)),
)
KERNELS = ClProgram("kernel void map()", LAUNCHES, True, (LAUNCHES[1], None, Said.CHANGE))
ASKED = (replace(QUESTION, prim=None), QUESTION, replace(QUESTION, prim=None))
WITH_KERNELS = RECORD._replace(
    program=replace(PROGRAM, questions=ASKED),
    storage="int8",
    kernels=KernelRecord(KERNELS, True, False, (True, False, False)),
)


def told(record: Record) -> Any:
    """A record, with sites as they are told."""
    code = record.program
    places = [site.span and (site.span.source.name, site.span.start, site.span.text) for site in code.sites]
    sites = [(site.fault, site.symbol) for site in code.sites]
    parts = [record.object_key, record.storage, record.kernels]
    return [*record[:3], *parts, sites, places, code.prints, code.results, code.questions]


def test_what_is_written_is_read() -> None:
    found = read(written(RECORD))
    assert told(found) == told(RECORD)
    assert told(read(written(WITH_KERNELS))) == told(WITH_KERNELS)
    assert (found.program.is_recursive, found.program.has_threads) == (True, False)
    nothing = Record(Tuple(), (), 17, CProgram("", (), (), ()), "f" * 64)
    assert read(written(nothing)) == nothing
    vector = nothing._replace(type=SingleVector(Base.INT, Rho(-1)), program=CProgram("", (), (), (INT,)))
    assert read(written(vector)) == vector
    kinds = (NestedKind((INT, INT, TEXT)), ValueType(Base.INT, 1))
    for axis in (None, 0, 1):
        ty = records((array(Base.CHAR, 1), scalar(Base.INT)), 1, axis)
        code = CProgram("", (), (RecordsKind(kinds, 1, axis),), (TEXT,) * 4)
        table = nothing._replace(type=ty, program=code)
        assert read(written(table)) == table
    kind = NestedKind((INT, INT, RecordsKind((ValueType(Base.INT, 1),), 1, None)))
    code = CProgram("", (), (kind,), (INT,) * 3)
    groups = nothing._replace(type=nested(records((scalar(Base.INT),), 1), 1), program=code)
    assert read(written(groups)) == groups


def test_what_has_no_form_is_not_written() -> None:
    with pytest.raises(NotOfTheForm):
        written(RECORD._replace(type=Array(BaseVar("a"), Rho(1))))


class Trap:
    """What a pickle may do."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return pytest.fail, ("a pickle was read",)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"{}", b"\xff", b"[" * 100_000, pickle.dumps(Trap()), b'{"type":' * 10_000],
)
def test_what_is_no_record_is_refused(content: bytes) -> None:
    with pytest.raises(NotOfTheForm):
        read(content)


JUNK = (
    *(None, True, 1.5, -1, 1 << 70, "x", "{0.fault}"),
    *([], {}, [[]], {"int": True}, {"int": 0, "x": 0}, [1], ["int"]),
)


def places(form: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in JSON."""
    found = [path] if path else []
    if isinstance(form, dict | list):
        for key, part in form.items() if isinstance(form, dict) else enumerate(form):
            found += places(part, (*path, key))
    return found


@pytest.mark.parametrize("record", [RECORD, WITH_KERNELS], ids=["C", "kernels"])
def test_nothing_else_is_read(record: Record) -> None:
    """Each part of a record, in turn, is exchanged for what may not stand there, or is missing."""
    whole = json.loads(written(record))
    for path in places(whole):
        for junk in (*JUNK, "missing"):
            form = json.loads(written(record))
            part = form
            for key in path[:-1]:
                part = part[key]
            if junk == "missing":
                del part[path[-1]]
            else:
                part[path[-1]] = junk
            with suppress(NotOfTheForm):
                found = read(json.dumps(form).encode())
                assert told(read(written(found))) == told(found)  # another record, as whole as this


def test_each_question_is_answered_once() -> None:
    """By a primitive, or by the device."""
    kernels, questions = WITH_KERNELS.kernels, WITH_KERNELS.program.questions
    assert kernels is not None
    for concerns in ((), (None, None, None), (Said.DROP, Said.DROP, Said.DROP), KERNELS.concerns[:2]):
        other = kernels._replace(program=replace(KERNELS, concerns=concerns))
        with pytest.raises(NotOfTheForm):
            read(written(WITH_KERNELS._replace(kernels=other)))
    with pytest.raises(NotOfTheForm):
        read(written(RECORD._replace(program=replace(PROGRAM, questions=questions))))


def test_a_message_shows_values_alone() -> None:
    for template in ("{0.__class__}", "{f!r}", "{0[x]}", "{", "{{", "{0:99999}"):
        site = Site(Fault("ERROR", template), "+", None)
        with pytest.raises(NotOfTheForm):
            read(written(RECORD._replace(program=CProgram("", (site,), (), (INT, INT, INT)))))


def test_all_messages_of_ours_are_of_the_form() -> None:
    import aplc.tail.faults as table  # noqa: PLC0415 (its names are looked at here only)

    all_of_them = [each for each in vars(table).values() if isinstance(each, Fault)]
    program = CProgram("", tuple(Site(each, "", None) for each in all_of_them), (), ())
    found = read(written(Record(Tuple(), (), 10, program, "0" * 64)))
    assert [site.fault for site in found.program.sites] == all_of_them and len(all_of_them) > 30
