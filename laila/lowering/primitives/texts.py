"""Numbers as texts: the lowering of monadic `⍕` of numbers that stand in one line, of `⎕VFI`, and of `⍎`.

The run-time system writes the numbers, finds the fields, and reads them. What else is written the host
writes, as what it makes of a matrix depends on whole columns.
"""

from __future__ import annotations

from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import Buffer, Const, Exp, PureCall, Site, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import Lowered, part_in_memory
from aplc.laila.lowering.primitives.host import asked
from aplc.laila.lowering.pull import Pull, from_buffer, from_scalar
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.meaning.text import MAX_DIGITS
from aplc.tail.syntax import Arg, Op
from aplc.tail.types import Base, Func, Tuple, base_of, rank_of

HEADER = "aplc_texts.h"
FIELDS = "aplc_fields.h"


@lowers(p.FORMAT)
def _format(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    digits, given_type = low.array(op.args[0]).at(), op.args[1].ty
    assert not isinstance(given_type, Func | Tuple)
    is_known = isinstance(digits, Const) and 1 <= digits.value <= MAX_DIGITS
    is_line = base_of(given_type) in (Base.BOOL, Base.INT, Base.DOUBLE) and rank_of(given_type).const <= 1
    if not is_known or not is_line:
        return asked(low, op, site)
    a = low.array(op.args[1])
    if a.ty is Base.BOOL:
        a = a.mapped(lambda x: make.call(p.B2I, x), Base.INT)
    more: tuple[Exp, ...] = (digits,) if a.ty is Base.DOUBLE else ()
    read: tuple[Buffer, ...] = ()
    if a.rank == 0:
        number = low.forced(a).at()
        name, given = f"one_{a.ty.value}", (low.named(number, "number"), *more)
    else:
        a = low.in_memory(a, memory)
        assert a.buffer is not None
        read, name, given = (a.buffer,), a.ty.value, (a.shape[0], *more)
    lows = (make.zero,)
    length = low.counted(
        make.lookup(PureCall(f"aplc_texts_size_{name}", HEADER, read, given, Base.INT, (), lows)), lows, ()
    )
    text = low.allocated(Base.CHAR, length, memory)
    low.emit(RuntimeCall(f"aplc_texts_{name}", HEADER, (*read, *given, text), only_reads=read))
    return from_buffer(make, text, (length,))


# --- texts read as numbers ---------------------------------------------------------------------------------


@lowers(p.NUMBER_FIELDS)
def _fields(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """Which fields are numbers, and these, each by a function of its own: one of them may never be wanted."""
    make, memory = low.make, site(faults.NO_MEMORY)
    separators, _, between = _text(low, op.args[0], memory)
    text, begin, length = _text(low, op.args[1], memory)
    given, lows = (between, begin, length), (make.zero,)
    count = PureCall("aplc_fields", FIELDS, (separators, text), given, Base.INT, (), lows)
    fields = low.counted(make.lookup(count), lows, ())
    found = []
    for name, base in (("aplc_fields_valid", Base.BOOL), ("aplc_fields_numbers", Base.DOUBLE)):
        out = low.allocated(base, fields, memory)
        read = (separators, text)
        low.emit(RuntimeCall(name, FIELDS, (*read, *given, out), only_reads=read))
        found.append(from_buffer(make, out, (fields,)))
    return tuple(found)


@lowers(p.NUMBERS)
def _numbers(low: Lowering, op: Op, site: SiteOf) -> Pull:
    """They are read before it is known whether all are numbers."""
    make, memory = low.make, site(faults.NO_MEMORY)
    text, begin, length = _text(low, op.args[0], memory)
    given, lows = (begin, length), (make.zero,)
    count = PureCall("aplc_number_count", FIELDS, (text,), given, Base.INT, (), lows)
    fields = low.counted(make.lookup(count), lows, ())
    out = low.allocated(Base.DOUBLE, fields, memory)
    are_numbers = Var(make.fresh("numbers"), Base.BOOL)
    low.decisions.place(are_numbers)
    low.emit(
        RuntimeCall("aplc_read_numbers", FIELDS, (text, *given, out), (are_numbers,), only_reads=(text,))
    )
    low.require(are_numbers, site(faults.NO_NUMBERS), *_told(low, text, given))
    return from_buffer(make, out, (fields,))


def first_number(low: Lowering, op: Op) -> Pull:
    """The first one alone, for which there need not be any memory."""
    make, symbol = low.make, op.symbol or op.prim.name
    text, begin, length = _text(low, op.args[0], low.site(faults.NO_MEMORY, symbol, op.span))
    given = (begin, length)
    found = make.lookup(PureCall("aplc_first_number", FIELDS, (text,), given, Base.DOUBLE))
    are_numbers = make.lookup(PureCall("aplc_are_numbers", FIELDS, (), (found,), Base.BOOL))
    if low.on_host:
        found = low.named(found, "number")
    told = _told(low, text, given)
    return from_scalar(
        make, make.check(are_numbers, found, low.site(faults.NO_NUMBERS, symbol, op.span), *told)
    )


def _told(low: Lowering, text: Buffer, given: tuple[Exp, ...]) -> list[Exp]:
    """The first field that is no number, as a check reports it: see Note [Texts in errors]."""
    calls = [
        PureCall("aplc_no_number", FIELDS, (text,), (*given, low.make.const(k)), Base.INT)
        for k in range(faults.TEXT_NUMBERS)
    ]
    return [low.make.lookup(call) for call in calls]


def _text(low: Lowering, arg: Arg, site: Site) -> tuple[Buffer, Exp, Exp]:
    """The memory of a text, where in it that begins, and its length: it may be a part of another one, or a
    table of constants.
    """
    a = low.array(arg)
    if (part := part_in_memory(a)) is not None:
        return part.buffer, low.make.zero if part.start is None else part.start, part.shape[0]
    found = low.constants(a) or low.in_memory(a, site)
    assert found.buffer is not None
    return found.buffer, low.make.zero, found.shape[0]
