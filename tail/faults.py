"""The run-time errors of APL: one table for the reference interpreter and for generated code.

A `Fault` is a kind and a message template. `{f}` stands for the APL symbol at fault, `{0}`, `{1}`… for the
values that the failing check reports. Generated code refers to a fault by a number and hands the values
back; the interpreter raises `FaultRaised`, which the evaluator turns into a `RunError` with the position.

Note [Items in errors]
    An error inside a function that is applied to the items of an array of arrays says which item it was, and
    where such a function stands in another one both: `… in item 3 of item 17`. A function of TAIL has the
    index for that (`ItemIndex`): for each array that has the items the number of the item in row-major order,
    counted from 1, and behind it, if there are several axes, their extents. Checks in the function report
    these numbers behind their own values, and the site tells how to read them (`IndexForm`). What says that
    there is no memory names no item, and a function of the program that calls itself is no part of one.

Note [Texts in errors]
    What generated code reports are numbers, and a check may be one of many at the same time. So a text, of
    which `TOLD_CHARACTERS` are shown, is reported as `TEXT_NUMBERS` numbers with three characters each, 1
    more than their codes, the first one in the lowest 21 bits. Two of the numbers are the values of the
    check, and the others stand in front of the numbers of items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from aplc.tail.errors import Diagnostic, Error, RunError
from aplc.tail.source import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a primitive can fail at run time."""

    kind: str
    template: str
    places: tuple[int, ...] = field(default=(), compare=False)
    """Which of the values are places: they are found counted from 1, and told from `Span.origin`."""

    @property
    def tells_text(self) -> bool:
        """Whether its only value is a text, reported in numbers: see Note [Texts in errors]."""
        return self == NO_NUMBERS

    def told(self, values: Sequence[int | float | str], span: Span | None) -> list[int | float | str]:
        """The values of a failure, its places counted as the text at the span counts."""
        less = 0 if span is None else 1 - span.origin
        return [v - less if k in self.places and isinstance(v, int) else v for k, v in enumerate(values)]

    def error(self, symbol: str, span: Span | None, *values: int | float | str) -> RunError:
        """The error as the user reads it; a text among the values stands as it is, a number in APL's way."""
        shown = [v if isinstance(v, str) else str(v).replace("-", "¯") for v in values]
        error = RunError(Diagnostic(self.kind, self.template.format(*shown, f=symbol), span))
        return error if span is None or not span.item else in_items(error, [span.item])


@dataclass(frozen=True, slots=True)
class IndexForm:
    """How the index of an item is told: see Note [Items in errors]."""

    origin: int
    """The index origin of the program."""
    ranks: tuple[int, ...]
    """The number of axes of each array that has the items."""
    around: str = ""
    """The index of the item around it, where that is known when compiling."""

    @property
    def count(self) -> int:
        """How many numbers make an index."""
        return sum([_numbers_of(rank) for rank in self.ranks])

    def shown(self, numbers: Sequence[int]) -> str:
        """The index as the user writes it."""
        found: list[int] = []
        for rank in self.ranks:
            number, *extents = numbers[: _numbers_of(rank)]
            numbers = numbers[_numbers_of(rank) :]
            axes = np.unravel_index(number - 1, extents) if extents else (number - 1,)
            found += [int(k) + self.origin for k in axes]
        return " ".join(map(str, found)) + (f" of item {self.around}" if self.around else "")


def _numbers_of(rank: int) -> int:
    """How many numbers tell which item of an array it is."""
    return 1 if rank == 1 else 1 + rank


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """Where a check of generated code stands in the user's text, and how it fails."""

    fault: Fault
    symbol: str
    span: Span | None
    items: tuple[IndexForm, ...] = ()
    """The functions of items around it, from the outermost one."""

    def error(self, *values: int | float | str, items: Sequence[int] = ()) -> RunError:
        """The error as the user reads it, with the indices of the items, if there are any."""
        error = self.fault.error(self.symbol, self.span, *values)
        return in_items(error, self.indices(items)) if items else error

    def indices(self, numbers: Sequence[int]) -> list[str]:
        """The indices of the items from the numbers that a check reports, that of the innermost first."""
        shown: list[str] = []
        for form in self.items:
            shown.insert(0, form.shown(numbers[: form.count]))
            numbers = numbers[form.count :]
        return shown

    @property
    def count(self) -> int:
        """How many numbers its checks report for the items."""
        return sum([form.count for form in self.items])


TOLD_CHARACTERS, TEXT_NUMBERS = 40, 14
"""How many characters of a text are shown in an error, and the numbers that it takes to report these."""

NAMES_NO_ITEM = ("WS FULL", "LIMIT ERROR")
"""The kinds of errors that belong to the whole program."""


def in_items(error: RunError, indices: Sequence[str]) -> RunError:
    """The error, with the indices of the items in which it is, the innermost first."""
    (diagnostic,) = error.diagnostics
    for index in indices if diagnostic.kind not in NAMES_NO_ITEM else ():
        diagnostic = diagnostic.in_item(index)
    return RunError(diagnostic)


def of_run(site: Site, first: int, second: int, told: Sequence[int]) -> RunError:
    """The error of a check of a compiled program, from the two values and the numbers that it reports."""
    if site.fault == NO_MEMORY:  # perhaps from a record
        return site.error(told_elements(first, second))
    if not site.fault.tells_text:
        return site.error(first, second, items=told)
    rest = TEXT_NUMBERS - 2
    return site.error(told_text([first, second, *told[:rest]]), items=told[rest:])


class FaultRaised(Error):
    """A fault inside a primitive's meaning, before the position is known."""

    def __init__(self, fault: Fault, *values: int | float | str) -> None:
        self.fault, self.values = fault, values
        super().__init__(fault.template)


LENGTHS = Fault("LENGTH ERROR", "{f} needs equal lengths, got {0} and {1}")
UNLIKE_ITEM = Fault(
    "LENGTH ERROR", "{f} needs items of equal lengths, item {0} has length {1} and the next ones another"
)
NOT_SELECTED = Fault("LENGTH ERROR", "the index of {f} selects {0} elements, there are {1} values")
ONE_ELEMENT = Fault("RANK ERROR", "{f} needs a single element here, got {0}")
OF_LENGTH = Fault("LENGTH ERROR", "{f} needs {0} values, got {1}")
WINDOW = Fault("LENGTH ERROR", "{f} needs windows of at most {0} elements, got {1}")
TOO_FEW_ROWS = Fault("LENGTH ERROR", "{f} needs at least as many rows as columns, got {0} and {1}")
FORMAT_PAIRS = Fault(
    "LENGTH ERROR", "{f} needs 1 or 2 numbers on the left, or 2 for each column, {0} here; got {1}"
)
RANK_ONE = Fault("LENGTH ERROR", "{f} needs one number on the left")
DIVIDE_BY_ZERO = Fault("DOMAIN ERROR", "{f} divides by zero")
NOT_POSITIVE = Fault("DOMAIN ERROR", "{f} needs a number above zero, or a complex one")
NO_REAL_POWER = Fault("DOMAIN ERROR", "{f} has no real result: of complex numbers, 0J0+x, it may have one")
NOT_REAL = Fault("DOMAIN ERROR", "{f} has no real result: of complex numbers, 0J0+x, it may have one")
NO_FACTORIAL = Fault("DOMAIN ERROR", "{f} has no value for a negative whole number")
NO_CIRCLE = Fault("DOMAIN ERROR", "{f} has no function {0}, only ¯7 to 7")
NEGATIVE_SHIFT = Fault("DOMAIN ERROR", "{f} needs a shift that is not negative, got {0}")
NOT_ASCENDING = Fault("DOMAIN ERROR", "{f} needs ascending values on the left")
SINGULAR = Fault("DOMAIN ERROR", "{f} needs a matrix with independent columns")
NOT_WHOLE = Fault("DOMAIN ERROR", "{f} needs whole numbers")
NO_CHARACTER = Fault("DOMAIN ERROR", "{f} needs code points of characters, 0 to 1114111, got {0}")
NOT_A_REAL = Fault("DOMAIN ERROR", "{f} needs real numbers")
NO_NUMBERS = Fault("DOMAIN ERROR", "{f} of text reads numbers, and {0} is none")
NO_COLUMN_KIND = Fault("DOMAIN ERROR", "{f} needs columns of the kinds 0, 2 and 4, got {0}")
NO_PICTURE = Fault("FORMAT ERROR", "{f} needs phrases like I5, F8.2, E10.3 or 3A1 between commas, got {0}")
NO_DATA_PHRASE = Fault("FORMAT ERROR", "{f} needs a phrase with I, F, E or A for its columns")
PHRASE_FOR_NUMBERS = Fault("FORMAT ERROR", "{f} has the phrase {0} for characters, it is for numbers")
PHRASE_FOR_TEXT = Fault("FORMAT ERROR", "{f} has the phrase {0} for numbers, it is for characters")
NO_JSON = Fault("DOMAIN ERROR", "JSON has no number {0}")
NOT_BOOLEAN = Fault("DOMAIN ERROR", "{f} needs zeros and ones")
TOO_LARGE = Fault("DOMAIN ERROR", "the result of {f} does not fit an integer")
NEGATIVE_COUNT = Fault("DOMAIN ERROR", "{f} needs a count that is not negative, got {0}")
NEGATIVE_EXTENT = Fault("DOMAIN ERROR", "{f} needs extents that are not negative, got {0}")
NO_CHOICE = Fault("DOMAIN ERROR", "{f} needs whole numbers above zero, got {0}")
DEAL_TOO_MANY = Fault("DOMAIN ERROR", "{f} cannot choose {0} different numbers among {1}")
NO_RUNS = Fault("DOMAIN ERROR", "{f} needs one run or more, got {0}")
PRECISION = Fault("DOMAIN ERROR", "{f} needs 1 to 17 digits, got {0}")
TOO_MANY_DECIMALS = Fault("DOMAIN ERROR", "{f} needs at most {1} decimals, got {0}")
EMPTY_REDUCTION = Fault("DOMAIN ERROR", "{f} has no identity item for an empty array")
NO_PERMUTATION = Fault("DOMAIN ERROR", "{f} needs every axis once")
INDEX_RANGE = Fault("INDEX ERROR", "{f} has no element {0}, the length is {1}", (0,))
INDEX_AXIS = Fault("INDEX ERROR", "{f} has no element {0} on axis {1}, the extent is {2}", (0, 1))
NO_RESULT = Fault("VALUE ERROR", "{f} has no value here")
FILE = Fault("FILE ERROR", "{0}")
TOO_DEEP = Fault("LIMIT ERROR", "the recursion is too deep")
NO_MEMORY = Fault("WS FULL", "no memory for {0}")
UNTOLD = "what it is made with"
"""What there is no memory for where nobody says how much that is."""


def count_of_elements(count: int, *, is_empty: bool = False) -> str:
    """What there is no memory for: an array of so many elements. One that is empty has none, and as many by
    its other extents.
    """
    shown = f"{count} element" + ("s" if count != 1 else "")
    return f"an empty array whose other extents make {shown}" if is_empty else f"an array of {shown}"


def told_text(numbers: Sequence[int]) -> str:
    """The text that a check of a compiled program reports: see Note [Texts in errors]."""
    codes = [number >> 21 * k & 0x1FFFFF for number in numbers for k in range(3)]
    return "".join([chr(code - 1) for code in codes if code])


def told_elements(low: int, high: int) -> str:
    """The same from two words of a compiled program: the number is low + 2^63 × high, for an empty array high
    is the complement. A low word below zero is a sum that has wrapped, and where both are zero none is told.
    """
    if low == high == 0:
        return UNTOLD
    is_empty = high < 0
    return count_of_elements((low & (2**64 - 1)) + ((~high if is_empty else high) << 63), is_empty=is_empty)
