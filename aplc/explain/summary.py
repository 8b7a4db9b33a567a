"""The explanation of a program in a few figures, as data: how much it writes and moves, against the least
that any program must that reads its inputs and gives its results; what was not fused, and what would fuse it.

`summary_of` is for all that shows it: the text, the JSON, the page, and pages of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from aplc.explain.amounts import formula, in_units, value_of
from aplc.explain.report import Decision, Explanation, first_words
from aplc.laila.ir.program import ArrayRef, ForEach, Output, While
from aplc.laila.ir.scalar import Buffer, Exp
from aplc.laila.ir.statements import bodies, leaves
from aplc.laila.lowering.decisions import ERRORS, FIRST_ROUND, NEXT_ROUND, PRINTED, RESULT
from aplc.laila.transform.fusion.legality import Blocker

NEEDED = (RESULT, PRINTED, NEXT_ROUND, FIRST_ROUND)
"""Why arrays are written that no other way of writing the program could leave out."""
SQUAD = "⌷ asks for it"

CHANGES = {
    Blocker.ELEMENTS.value: (
        "move, reverse or choose elements of what {name} is made from: f⌽v for ⌽f v, which is computed anew "
        "at each place"
    ),
    Blocker.LENGTH.value: "use the mask where the elements are used: +/m×w for +/m/w",
    Blocker.WAITS.value: (
        "a form that needs one pass, as sums that do not wait for each other share a loop: "
        "(+/v×v)-(≢v)×m×m for +/2*⍨v-m"
    ),
    Blocker.SPACES.value: "give both loops the same extents: +/(2<⍳≢v)×v for +/2↓v",
    Blocker.BLOCKS.value: "compute {name} where it is used, under the same condition or in the same loop",
    Blocker.BETWEEN.value: "move what is printed or checked in between behind both loops",
    ERRORS: "choose elements first and compute with these: ÷2↑v for 2↑÷v",
    SQUAD: "leave the ⌷ out",
}
"""What would fuse an array, by the reason why it is written, or why a loop that reads it is another one."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Bytes: a formula in the extents of the inputs, and its value where they determine it."""

    formula: str
    value: int | None


@dataclass(frozen=True, slots=True)
class WrittenArray:
    """An array in memory."""

    name: str
    """The name of it, or the text that makes it."""
    file: str
    line: int
    column: int
    bytes: Amount
    why: str
    is_needed: bool
    """Whether it is a result, printed, or the state of a loop."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was not fused, why, and what would fuse it."""

    name: str
    file: str
    line: int
    column: int
    why: str
    change: str
    """What to write instead; empty where nothing is known that would help."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A program in a few figures."""

    loops: int
    written: tuple[WrittenArray, ...]
    fused: int
    """The arrays of the source that are never in memory."""
    reads: Amount
    writes: Amount
    least: Amount
    """The inputs that are used, read once, and the results, written once."""
    has_rounds: bool
    """Whether there are loops around loops; of these one round is counted."""
    change: Change | None
    """Of what was not fused and need not be written, the largest."""

    @property
    def moved(self) -> int | None:
        """The bytes that are read and written."""
        if self.reads.value is None or self.writes.value is None:
            return None
        return self.reads.value + self.writes.value

    @property
    def ratio(self) -> float | None:
        """How many times the least is moved."""
        return self.moved / self.least.value if self.moved is not None and self.least.value else None

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {"kind": "summary", **asdict(self), "moved": self.moved, "times_the_least": self.ratio}


def summary_of(told: Explanation) -> Summary:
    """The figures of a program that was explained."""
    pairs = [(_array(told, each), each) for each in told.arrays if each.fate == "written"]
    pairs.sort(key=lambda pair: -(pair[0].bytes.value or 0))
    return Summary(
        len(told.loops),
        tuple([array for array, _ in pairs]),
        len(told.arrays) - len(pairs),
        _sum(told, [n for loop in told.loops for _, n in loop.read]),
        _sum(told, [n for loop in told.loops for _, n in loop.written]),
        _sum(told, [*_inputs(told), *_results(told)]),
        any(isinstance(each, While | ForEach) for loop in told.loops for each in loop.around),
        next((_change(array, decision) for array, decision in pairs if not array.is_needed), None),
    )


def _sum(told: Explanation, parts: Iterable[Exp]) -> Amount:
    total: Exp = told.make.zero
    for part in parts:
        total = told.make.add(total, part)
    return Amount(formula(told.traffic.resolved(total, {})), value_of(told, total))


def _inputs(told: Explanation) -> Iterator[Exp]:
    """The bytes of the inputs that loops read."""
    used = {b for loop in told.loops for b, _ in loop.read} | {
        b for loop in told.loops for b in loop.searched
    }
    for q in told.program.parameters:
        if q.buffer in used:
            yield told.make.mul(told.make.const(q.buffer.item_bytes), told.make.product(q.extents))


def _results(told: Explanation) -> Iterator[Exp]:
    """The bytes of the arrays that are printed, or results; what is an input is there already."""
    inputs = {q.buffer for q in told.program.parameters}
    seen: set[Buffer] = set()
    for leaf in _outputs(told):
        if leaf.buffer not in seen | inputs and leaf.buffer.data is None:
            seen.add(leaf.buffer)
            yield told.make.mul(told.make.const(leaf.buffer.item_bytes), told.make.product(leaf.shape))


def _outputs(told: Explanation) -> Iterator[ArrayRef]:
    stack = list(told.program.statements)
    while stack:
        statement = stack.pop()
        if isinstance(statement, Output):
            yield from [leaf for leaf in leaves(statement.value) if isinstance(leaf, ArrayRef)]
        stack += [inner for body in bodies(statement) for inner in body]


def _array(told: Explanation, decision: Decision) -> WrittenArray:
    """What is told of an array that is written; its bytes are those of all its uses."""
    notes = {name: note.span for name, note in told.decisions.written.items()}
    sizes = {b: n for loop in told.loops for b, n in loop.written}
    own = [n for b, n in sizes.items() if notes.get(b.name) == decision.span]
    return WrittenArray(
        decision.name or first_words(decision.span),
        decision.span.source.name,
        decision.span.line,
        decision.span.column,
        _sum(told, own),
        decision.reasons[0],
        any(reason in NEEDED for reason in decision.reasons),
    )


def _change(array: WrittenArray, decision: Decision) -> Change:
    why = _reason(decision)
    change = CHANGES.get(why, "").format(name=array.name)
    return Change(array.name, array.file, array.line, array.column, why, change)


def _reason(decision: Decision) -> str:
    """Why an array is not fused: why loops read it that do not write it, or else why it is written."""
    apart = [why for _, why in decision.readers if why]
    asked = [why for why in decision.reasons if why in CHANGES]
    return next(iter([*asked, *apart, *decision.reasons]))


# --- for people -----------------------------------------------------------------------------------------


SHOWN = 4
"""So many arrays are named; of more the number is told."""


def summary_lines(found: Summary) -> Iterator[str]:
    """The figures as text, a line at a time."""
    names = [f"{each.name}{in_units(each.bytes.value)}" for each in found.written[:SHOWN]]
    more = [f"{len(found.written) - SHOWN} more"] if len(found.written) > SHOWN else []
    arrays = f"{counted(found.fused, 'array')} fused, {len(found.written)} written"
    yield f"{counted(found.loops, 'loop')}; {arrays}{_list([*names, *more])}"
    yield f"moves {_moved(found)}"
    if found.change is not None:
        place = f"{found.change.line}:{found.change.column}"
        yield f"not fused: {found.change.name}, {place}: {found.change.why}"
        if found.change.change:
            yield f"a change that may fuse it: {found.change.change}"


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _list(names: list[str]) -> str:
    return f": {', '.join(names)}" if names else ""


def _moved(found: Summary) -> str:
    """What is moved, against the least."""
    rounds = ", with one round of each loop" if found.has_rounds else ""
    least = "inputs read once and results written once"
    if found.moved is None or found.least.value is None:
        known = f"reads {found.reads.formula} bytes, writes {found.writes.formula} bytes{rounds}"
        return f"{known}; {least} are {found.least.formula} bytes"
    moved = f"{found.moved:,} bytes{in_units(found.moved)}{rounds}"
    if found.ratio is None:
        return f"{moved}; it has no inputs in memory and no results there"
    times = "just that" if found.moved == found.least.value else f"{found.ratio:.3g} times that"
    return f"{moved}; {least} are {found.least.value:,} bytes: {times}"
