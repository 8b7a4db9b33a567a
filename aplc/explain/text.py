"""The text and the JSON of an explanation. In the text each line of the source that has something to tell
stands once, with carets and a note for each array.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from aplc.explain.amounts import amount, bytes_of, formula, value_of
from aplc.explain.items import Nesting
from aplc.explain.report import Decision, Explanation, OnDevice, first_words, name_of
from aplc.explain.summary import summary_lines, summary_of
from aplc.laila.devices.host_reasons import CALLS
from aplc.laila.ir.program import (
    Filter,
    ForEach,
    HostCall,
    If,
    Map,
    Part,
    Reduce,
    RuntimeCall,
    Scan,
    Statement,
    While,
)
from aplc.laila.ir.scalar import Buffer, Exp, Fold
from aplc.laila.reports.traffic import Bytes, Loop
from aplc.tail import prims as p
from aplc.tail.legible import excerpt
from aplc.tail.source import Span
from aplc.tail.types import Base

TASKS = "its calls at the same time, as tasks of threads, where there is enough to do"
"""What is said of a function whose calls are independent."""


def lines(told: Explanation) -> Iterator[str]:
    """The explanation for people, a line at a time."""
    yield from summary_lines(summary_of(told))
    for parameter in told.program.parameters:
        yield "input " + _input(told, parameter.name)
    here, shown = "", ""
    for span, note in _notes(told):
        line, column = span.source.line_text(span.line), span.column - 1
        text, start, end = excerpt(line, column, column + len(span.text.partition("\n")[0]))
        gutter = " " * len(str(span.line))
        if (where := f"{span.source.name}:{span.line}") != here:
            yield where
            here, shown = where, ""
        if text != shown:  # once, or what of a long line is around these carets
            yield f"  {span.line} | {text}"
            shown = text
        yield f"  {gutter} | {' ' * start}{'^' * max(1, end - start)} {note}"
    for order in told.in_order:
        where = f"{order.span.line}:{order.span.column} {first_words(order.span)}"
        yield f"{order.operator} in order, {where}: its function changes {' and '.join(order.names)}"
    for numbers in grouped(told):
        yield from (
            uses(told, numbers) if numbers[1:] else loop_lines(told, numbers[0], told.loops[numbers[0]])
        )
    if told.device is not None:
        for span in told.recursions:
            yield f"recursion  {span.line}:{span.column} {first_words(span)}"
            yield f"        on the host: {CALLS}"
    for span, why in told.calls.items():
        yield f"recursion  {span.line}:{span.column} {first_words(span)}"
        yield f"        {f'its calls in one thread: {why}' if why else TASKS}"
    yield from closing_lines(told)


def closing_lines(told: Explanation) -> Iterator[str]:
    """What is said of the program as a whole, behind its loops."""
    yield from _totals(told)
    unknown = told.unknown(*_formulas(told))
    for name, place in unknown.items():
        yield f"{name}: known when the program runs, {place.line}:{place.column} {first_words(place)}"


def json_lines(told: Explanation) -> Iterator[str]:
    """The explanation for programs: an object a line."""
    for each in _objects(told):
        yield json.dumps(each, ensure_ascii=False)


def told_of_written(told: Explanation) -> Iterator[str]:
    """The arrays that are written to memory, a line for each: its place, and what `lines` says of it."""
    for decision in told.arrays:
        if decision.fate == "written":
            span = decision.span
            name = "" if decision.name else f"{first_words(span)}: "
            yield f"{span.line}:{span.column} {name}{note_of(decision)}"


# --- formulas of the whole ----------------------------------------------------------------------


def _formulas(told: Explanation) -> list[Exp]:
    found = [n for loop in told.loops for _, n in (*loop.read, *loop.written)]
    found += [n for loop in told.loops for n in loop.extents]
    sizes = [n for each in told.nestings for n in (each.descriptor_bytes, each.values_bytes)]
    found += [n for n in sizes if n is not None]
    return [told.traffic.resolved(n, {}) for n in (*found, *told.peaks)]


# --- text -----------------------------------------------------------------------------------------------


def _input(told: Explanation, name: str) -> str:
    parameter = next(q for q in told.program.parameters if q.name == name)
    shape = "".join([f"[{n.name}]" for n in parameter.extents])
    size = parameter.buffer.item_bytes
    stored = "" if parameter.ty is Base.CHAR else f" as {parameter.buffer.storage}"
    return f"{name}: {parameter.ty}{shape}{stored}, {size} {'byte' if size == 1 else 'bytes'} an element"


def _notes(told: Explanation) -> list[tuple[Span, str]]:
    """The places of arrays with what is told of each, in the order of the source."""
    notes = [(each.span, note_of(each)) for each in told.arrays]
    notes += [(each.span, _note_of_items(told, each)) for each in told.nestings]
    return sorted(notes, key=lambda note: (note[0].source.name, note[0].start))


def _note_of_items(told: Explanation, each: Nesting) -> str:
    """How items are found, and where their values are."""
    known = [
        f"{bytes_of(told, n)} of {what}"
        for what, n in (("places", each.descriptor_bytes), ("values", each.values_bytes))
        if n is not None and n is not told.make.zero
    ]
    written = f"{' and '.join(known)} written{', each time' if each.repeated else ''}" if known else ""
    values = ""
    if each.values == "views":
        of = "an argument" if each.source is None else name_of(each.source) or first_words(each.source)
        values = f"views of {of}"
    elif each.values == "not written":
        values = "values computed at their use"
    text = "; ".join([part for part in (each.why, values, written) if part])
    return f"items {each.descriptor or 'never put together'}: {text}"


def note_of(decision: Decision) -> str:
    """What became of an array, and why."""
    loops = named_loops(decision.loops)
    name = f"{decision.name}: " if decision.name else ""
    if decision.fate == "register":
        return f"{name}handed over in {f'a register in {loops}' if loops else 'registers'}, not written"
    if decision.fate == "fused":
        return f"{name}fused into {loops}" if loops else f"{name}computed at its use, in no loop"
    by = f" by {loops}" if loops else ""
    first, *others = decision.reasons
    reasons = f"{first}{f', and {others[0]}' if others else ''}{', and so on' if others[1:] else ''}"
    readers: dict[str, list[int]] = {}
    for k, why in decision.readers:
        readers.setdefault(why, []).append(k)
    apart = [
        f"; {named_loops(tuple(dict.fromkeys(ks)))} {'reads' if len(set(ks)) == 1 else 'read'} it: {why}"
        for why, ks in readers.items()
        if why
    ]
    return f"{name}written{by}: {reasons}{''.join(apart)}"


def named_loops(loops: tuple[int, ...]) -> str:
    """`loop 1`, or `loops 1, 2 and 3`; nothing for none."""
    if not loops:
        return ""
    *first, last = [str(k) for k in loops]
    return f"loops {', '.join(first)} and {last}" if first else f"loop {last}"


def loop_lines(told: Explanation, k: int, loop: Loop) -> Iterator[str]:
    """What is said of the loop at an index."""
    places = [f"{span.line}:{span.column} {first_words(span)}" for span in told.places(loop)]
    yield f"loop {k + 1}  {', '.join(places) or 'of no place in the source'}"
    space = " × ".join([formula(told.traffic.resolved(n, {})) for n in loop.extents])
    kinds = " and ".join(dict.fromkeys(_kinds(loop)))
    yield f"        {kinds}{f' over {space}' if space else ''}{surroundings(told, loop)}"
    if loop.read or loop.written or not isinstance(loop.statement, RuntimeCall | HostCall):
        yield f"        reads {_moved(told, loop.read)}; writes {_moved(told, loop.written)}"
    threads = told.in_threads(loop)
    if threads is not None:
        yield f"        {'in threads, where there is enough to do' if threads else 'in one thread'}"
    if told.device is not None:
        yield from _on_device(told, told.device, k, loop)
    searched = [told.label(b) for b in loop.searched if not isinstance(loop.statement, RuntimeCall)]
    if searched:
        yield f"        looks into {', '.join(dict.fromkeys(searched))}"
    if loop.checks:
        sites = [
            f"{s.fault.kind} at {s.span.line}:{s.span.column}" for s in loop.checks if s.span is not None
        ]
        number = f"{len(loop.checks)} {'check' if len(loop.checks) == 1 else 'checks'}"
        yield f"        {number} ({', '.join(sites)}) folded into a flag"
    before = told.before(k)
    if before:
        yield f"        begins when {named_loops(tuple(before))} {'is' if len(before) == 1 else 'are'} done"


def grouped(told: Explanation) -> list[list[int]]:
    """The indices of the loops; those of one place of the source that do the same stand together, as where a
    function is used several times.
    """
    groups: dict[object, list[int]] = {}
    for k, loop in enumerate(told.loops):
        places = tuple(told.places(loop))
        groups.setdefault((places, tuple(_kinds(loop))) if places else k, []).append(k)
    return list(groups.values())


def uses(told: Explanation, numbers: Sequence[int]) -> Iterator[str]:
    """What is said of loops that are uses of one place of the source: first what holds for all, then a line
    for each.
    """
    head, *shared = heading_of_uses(told, numbers)
    yield f"{named_loops(tuple([k + 1 for k in numbers]))}  {head}"
    yield from [f"        {line}" for line in shared]
    for k, line in zip(numbers, lines_of_uses(told, numbers), strict=True):
        yield f"        loop {k + 1}{line}"


def heading_of_uses(told: Explanation, numbers: Sequence[int]) -> Iterator[str]:
    """What holds for all loops of a group: their places, what they do how often, and more."""
    places = told.places(told.loops[numbers[0]])
    over, *shared = _shared(told, numbers)
    yield ", ".join([f"{span.line}:{span.column} {first_words(span)}" for span in places])
    yield f"{over}, {len(numbers)} times"
    yield from shared


def lines_of_uses(told: Explanation, numbers: Sequence[int]) -> Iterator[str]:
    """What is said of each loop of a group beside that, behind its number."""
    general, *shared = _shared(told, numbers)
    for k in numbers:
        over, *more = _lines_behind(told, k)
        own = "; ".join([line for line in more if line not in shared])
        yield f"{over.removeprefix(general)}{f': {own}' if own else ''}"


def _shared(told: Explanation, numbers: Sequence[int]) -> list[str]:
    """The lines that are the same for all loops of a group; the first is at least what kind they are."""
    (over, *lines), *others = [_lines_behind(told, k) for k in numbers]
    if any(other[0] != over for other in others):
        over = " and ".join(dict.fromkeys(_kinds(told.loops[numbers[0]])))
    return [over, *[line for line in lines if all(line in other[1:] for other in others)]]


def _lines_behind(told: Explanation, k: int) -> list[str]:
    """What is said of a loop below its places."""
    return [line.strip() for line in loop_lines(told, k, told.loops[k])][1:]


def _on_device(told: Explanation, device: OnDevice, k: int, loop: Loop) -> Iterator[str]:
    """Whether a loop has a kernel, and what moves before it."""
    work = device.work.get(id(loop.statement))
    value = None if work is None else value_of(told, work)
    is_there = work is not None and (value is None or value >= device.least_work)
    if work is None:
        yield f"        {why_on_host(told, device, loop)}"
    else:
        about = amount(told, work)
        here = "" if value is None else f", so here on the {'device' if is_there else 'host'}"
        yield f"        a kernel from {device.least_work} operations on; it takes about {about}{here}"
        if (choice := device.choices.get(id(loop.statement))) is not None:
            yield f"        {choice}"
    if moved := _copied(told, device, device.moved[k], "to floats" if is_there else "to doubles"):
        where = "" if device.is_single else ", where the device has memory of its own"
        yield f"        copied before it{where}: {moved}"


def why_on_host(told: Explanation, device: OnDevice, loop: Loop) -> str:
    """Where a loop runs that has no kernel, and why."""
    why = device.on_host[id(loop.statement)]
    if isinstance(why, str):
        return f"on the host: {why}"
    number = next(k for k, each in enumerate(told.loops) if each.statement is why)
    return f"in the kernels of loop {number + 1}, or on the host with it"


def _copied(told: Explanation, device: OnDevice, buffers: Sequence[Buffer], into: str) -> str:
    """The names of what is copied, with the conversion of doubles on the way."""
    changed = {b: device.is_single and b.storage in ("float64", "complex128") for b in buffers}
    names = [f"{told.label(b)} ({into})" if change else told.label(b) for b, change in changed.items()]
    return ", ".join(dict.fromkeys(names))


def _kinds(loop: Loop) -> list[str]:
    return [kind_of(part) for part in loop.parts]


def kind_of(part: Part | Statement | Fold) -> str:
    """What a part of a loop does."""
    match part:
        case Map(ordered=ordered):
            return "map in order" if ordered else "map"
        case Scan():
            return "scan"
        case Filter():
            return "filter"
        case Reduce():
            return "reduction"
        case Fold(combine=combine):
            return "reduction" if isinstance(combine, p.Prim) else "reduction from the right"
        case RuntimeCall(function=function):
            return f"function {function}"
        case HostCall(prim=prim):
            return f"the host's {prim.name}"
        case _:
            return "statements in order"


def surroundings(told: Explanation, loop: Loop) -> str:
    """The loops and choices that a loop stands in."""
    text = ""
    for each in loop.around:
        match each:
            case While():
                text += ", in each round of a loop"
            case ForEach():
                number = next((k for k, o in enumerate(told.loops) if o.statement is each), None)
                text += f", in each round of loop {number + 1}" if number is not None else ""
            case If():
                text += ", under a condition"
            case _:
                pass
    return text


def _moved(told: Explanation, moved: Bytes) -> str:
    if not moved:
        return "nothing"
    by_label: dict[str, Exp] = {}
    for buffer, n in moved:
        label = told.label(buffer)
        by_label[label] = told.make.add(by_label[label], n) if label in by_label else n
    return ", ".join([f"{bytes_of(told, n)} of {label}" for label, n in by_label.items()])


def _totals(told: Explanation) -> Iterator[str]:
    peaks = [bytes_of(told, peak) for peak in told.peaks]
    text = f"the larger of {' and '.join(peaks)}" if len(peaks) > 1 else "".join(peaks) or "0 bytes"
    yield f"memory besides the inputs: at most {text} at once"
    if told.device is not None and told.device.returned:
        returned = _copied(told, told.device, told.device.returned, "to doubles")
        yield f"copied from {'the' if told.device.is_single else 'such a'} device to be shown: {returned}"


# --- JSON -----------------------------------------------------------------------------------------------


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, "line": span.line, "column": span.column, "text": span.text}


def _number(told: Explanation, exp: Exp) -> dict[str, Any]:
    return {"formula": formula(told.traffic.resolved(exp, {})), "value": value_of(told, exp)}


def _kernel(told: Explanation, device: OnDevice, k: int, loop: Loop) -> dict[str, Any]:
    work = device.work.get(id(loop.statement))
    return {
        "operations_of_kernel": None if work is None else _number(told, work),
        "kernels": None if work is None else device.choices.get(id(loop.statement)),
        "host": why_on_host(told, device, loop) if work is None else None,
        "moves": [told.label(b) for b in device.moved[k]],
    }


def _objects(told: Explanation) -> Iterator[dict[str, Any]]:
    for q in told.program.parameters:
        shape = [n.name for n in q.extents]
        yield {
            "kind": "input",
            "name": q.name,
            "type": str(q.ty),
            "shape": shape,
            "storage": q.buffer.storage,
        }
    for each in told.arrays:
        readers = [{"loop": k, "apart": why} for k, why in each.readers]
        yield {
            "kind": "array", **_place(each.span), "name": each.name, "fate": each.fate,
            "loops": list(each.loops), "reasons": list(each.reasons), "readers": readers,
        }  # fmt: skip
    for items in told.nestings:
        source = None if items.source is None else _place(items.source)
        sizes = [items.descriptor_bytes, items.values_bytes]
        places, values = [None if n is None else _number(told, n) for n in sizes]
        yield {
            "kind": "items", **_place(items.span), "type": items.type, "descriptor": items.descriptor,
            "reason": items.why, "values": items.values or None, "views_of": source,
            "bytes_of_descriptor": places, "bytes_of_values": values, "each_time": items.repeated,
        }  # fmt: skip
    for order in told.in_order:
        names = list(order.names)
        yield {"kind": "in order", **_place(order.span), "operator": order.operator, "changes": names}
    for k, loop in enumerate(told.loops):
        yield {
            "kind": "loop",
            "number": k + 1,
            "parts": _kinds(loop),
            "places": [_place(span) for span in told.places(loop)],
            "over": [_number(told, n) for n in loop.extents],
            "reads": [{"array": told.label(b), "bytes": _number(told, n)} for b, n in loop.read],
            "writes": [{"array": told.label(b), "bytes": _number(told, n)} for b, n in loop.written],
            "checks": [{"error": s.fault.kind, **_place(s.span)} for s in loop.checks if s.span is not None],
            "after": told.before(k),
            **({} if told.threaded is None else {"threads": told.in_threads(loop)}),
            **({} if told.device is None else _kernel(told, told.device, k, loop)),
            "in_rounds": any(isinstance(s, While | ForEach) for s in loop.around),
        }
    for span in told.recursions if told.device is not None else ():
        yield {"kind": "recursion", **_place(span), "host": CALLS}
    for span, why in told.calls.items():
        yield {"kind": "recursion", **_place(span), "tasks": not why, "why": why}
    yield summary_of(told).as_json()
    yield {"kind": "memory", "peak": [_number(told, peak) for peak in told.peaks]}
