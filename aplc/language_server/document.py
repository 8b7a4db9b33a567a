"""A text in an editor: its words and names, and what `aplc.check` finds.

Note [Broken text]
    Where the syntax of a text is wrong, nothing is known of its types. So the statements in error are taken
    out, and the rest is checked for its types alone. What is still not known has the type that its name had
    in the version before.

Note [Inferred types]
    Most of the time that a check takes goes into the types of functions without annotations. Such a type
    depends on the text of the function, on the statements that define what it mentions, on system variables
    that are set, and on the inputs; with the same of these it is known from an earlier check.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from aplc.backends.native.time_limit import Ending, limited
from aplc.cases.header import inputs_of
from aplc.checking import Checked, check_program
from aplc.highlighting.words import Kind, Word, words_of
from aplc.inputs import UnusedInput
from aplc.language_server.names import Binding, Names
from aplc.language_server.places import Places, Position
from aplc.tail.errors import AplcError, Diagnostic, TimeLimitError
from aplc.tail.rules import Rules
from aplc.tail.source import Source

if TYPE_CHECKING:
    from aplc.apl_front.typing.report import Covers, FunctionReport
    from aplc.tail.source import Span
    from aplc.tail.types import Type

TEXT = "text"
"""The name of the text in errors."""
LONGEST = 60.0
"""Seconds that a check may take."""
MOST_KEPT = 10_000
"""Inferred types that are kept."""
_SEPARATES = (Kind.NEWLINE, Kind.BRACKET, Kind.SEPARATOR)


@dataclass(frozen=True)
class Known:
    """The type of a name, as text; empty where there is none."""

    type: str
    status: str = ""
    """Of a function: proved, refuted, inferred, unknown."""
    covers: Covers = ()
    problem: str = ""
    """Why there is no type."""

    @property
    def remark(self) -> str:
        """What there is to say beside the type."""
        stands = [f"{name} is {', '.join([base.value for base in bases])}" for name, bases in self.covers]
        return "; ".join([*([self.status] if self.status in ("proved", "refuted") else []), *stands])


@dataclass
class Document:
    """A version of a text; `before` is the one that it was made of, `files` whether it may read files, and
    `given` the types of inputs, beside those that its header states.
    """

    text: str
    before: Document | None = None
    files: bool = True
    encoding: str = "utf-16"
    given: Mapping[str, Type] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    types: dict[int, Known] = field(default_factory=dict)
    """By the place of the name."""
    by_name: dict[str, Known] = field(default_factory=dict)
    """The last type of each name of the program."""
    is_checked: bool = False
    ending: Ending = field(default_factory=Ending)
    """By which a check that nobody waits for any more is ended."""
    _inferred: dict[tuple[str, ...], Known] = field(default_factory=dict)
    """See Note [Inferred types]."""

    def __post_init__(self) -> None:
        if self.before is not None:
            self.by_name, self._inferred = self.before.by_name, self.before._inferred
            self.before = None

    @cached_property
    def places(self) -> Places:
        """Offsets and positions."""
        return Places(self.text, self.encoding)

    @cached_property
    def words(self) -> list[Word]:
        """All words."""
        return words_of(self.text)

    @cached_property
    def names(self) -> Names:
        """What the names are."""
        return Names(self.words, len(self.text))

    def word_at(self, position: Position) -> Word | None:
        """The word at a place, or the one that ends there."""
        return next((word for word in self._touching(position) if word.kind not in _SEPARATES), None)

    def name_at(self, position: Position) -> tuple[Word, Binding] | None:
        """The name at a place, or the one that ends there, whatever begins there."""
        found = [(word, self.names.by_place.get(word.start)) for word in self._touching(position)]
        return next(((word, binding) for word, binding in found if binding is not None), None)

    def _touching(self, position: Position) -> list[Word]:
        offset = self.places.offset(position)
        return [word for word in reversed(self.words) if word.start <= offset <= word.end]

    def known(self, binding: Binding) -> Known | None:
        """What is known of a name's type."""
        if binding.scope is not self.names.program:
            return None
        return self.by_name.get(binding.name)

    # --- the inputs ---

    @property
    def free(self) -> list[str]:
        """The names that nothing in the program defines, in the order of the text."""
        free = [each for each in self.names.program.bindings.values() if not each.definitions]
        return [each.name for each in sorted(free, key=lambda each: each.mentions[0].start)]

    @cached_property
    def stated(self) -> dict[str, Type]:
        """The types of the inputs that the header states and the program mentions. Raises `AplcError`."""
        if "⍝ == input " not in self.text:
            return {}
        inputs = inputs_of(Source(TEXT, self.text), types_only=True)
        return {name: each.type for name, each in inputs.items() if name in self.names.program.bindings}

    # --- the check ---

    def check(self) -> None:
        """Find types and errors, unless the check is ended. What cannot be checked has an error without a
        place.
        """
        if not self.is_checked:
            with suppress(TimeLimitError):  # it is ended: two checks take less than this
                limited(3 * LONGEST, self._check, self.ending)

    def _check(self) -> None:
        try:
            inputs = {**self.stated, **self.given}
        except AplcError as error:
            inputs, self.diagnostics = dict(self.given), error.diagnostics
        keys = {name: self._key(name, inputs) for name, each in self._functions().items() if each}
        known = {name for name, key in keys.items() if key in self._inferred}
        text = self.text
        found = _checked(text, self.files, known, inputs)
        self.diagnostics += found.diagnostics
        if found.diagnostics and not (found.values or found.functions):
            text = self._mended()
            found = _checked(text, self.files, known, inputs)
        for fact in found.values:
            if fact.span.source.text == text:  # not that of ⍎
                self._learn(fact.name, fact.span.start, Known(fact.type))
        for function in found.functions:
            if function.span.source.text == text:
                self._learn(function.name, function.span.start, self._remembered(keys, function))
        for name in known:
            place = self.names.program.bindings[name].definitions[0].start
            self._learn(name, place, self._inferred[keys[name]])
        self.is_checked = True

    def _learn(self, name: str, place: int, known: Known) -> None:
        self.types[place] = self.by_name[name] = known

    def _remembered(self, keys: Mapping[str, tuple[str, ...]], function: FunctionReport) -> Known:
        problem = function.diagnostics[0].message if function.diagnostics else ""
        known = Known(function.type, function.status, function.covers, problem)
        if function.name in keys and function.status == "inferred":
            if len(self._inferred) > MOST_KEPT:
                self._inferred.clear()
            self._inferred[keys[function.name]] = known
        return known

    def _functions(self) -> dict[str, Binding]:
        """The functions of the program that are defined once."""
        every = self.names.program.bindings.values()
        return {each.name: each for each in every if each.is_function and len(each.definitions) == 1}

    @cached_property
    def _statements(self) -> list[tuple[int, int]]:
        """Where the statements of the program begin and end, definitions as a whole, with comments above."""
        found: list[tuple[int, int]] = []
        start, inner = 0, iter(self.names.program.children)
        scope = next(inner, None)
        for word in self.names.words:
            while scope is not None and scope.end <= word.start:
                scope = next(inner, None)
            is_inside = scope is not None and scope.start < word.start
            if not is_inside and (word.kind is Kind.NEWLINE or word.text == "⋄") and word.start > start:
                found.append((start, word.start))
                start = word.end
        return [*found, (start, len(self.text))]

    def _statement_at(self, offset: int) -> tuple[int, int]:
        starts = [start for start, _ in self._statements]
        return self._statements[max(0, bisect_right(starts, offset) - 1)]

    @cached_property
    def _mentioned(self) -> dict[tuple[int, int], set[str]]:
        """The names of the program that stand in each statement, and the system variables that it sets."""
        found: dict[tuple[int, int], set[str]] = {each: set() for each in self._statements}
        for binding in self.names.program.bindings.values():
            for word in binding.mentions:
                found[self._statement_at(word.start)].add(binding.name)
        return found

    def _key(self, name: str, inputs: Mapping[str, Type]) -> tuple[str, ...]:
        """What the type of a function depends on: see Note [Inferred types]."""
        waiting, statements = [name], set(self._settings)
        seen: set[str] = set()
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            for word in self.names.program.bindings[each].definitions:
                statement = self._statement_at(word.start)
                statements.add(statement)
                waiting += self._mentioned[statement]
        given = [f"{each} {ty}" for each, ty in inputs.items()]
        return (name, *given, *[self.text[start:end] for start, end in sorted(statements)])

    @cached_property
    def _settings(self) -> list[tuple[int, int]]:
        pairs = pairwise(self.names.words)
        return [self._statement_at(a.start) for a, b in pairs if a.kind is Kind.SYSTEM and b.text == "←"]

    def place_of(self, diagnostic: Diagnostic) -> Span | None:
        """Where an error stands; of one in a text that is executed, where that is done."""
        every = [span for span in (diagnostic.span, *diagnostic.trail) if span is not None]
        return next((span for span in every if span.source.text == self.text), None)

    def _mended(self) -> str:
        """The text without the statements in error, and as long: see Note [Broken text]."""
        text = self.text
        for each in self.diagnostics:
            if (span := self.place_of(each)) is not None:
                start, end = self._statement_at(span.start)
                text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
        return text


def _checked(text: str, files: bool, known: Container[str], inputs: Mapping[str, Type]) -> Checked:
    """What `aplc check` says; what it cannot say is an error like those of the user."""
    source = Source(TEXT, text)
    try:
        return limited(LONGEST, lambda: check_program([source], inputs, rules=Rules(files), known=known))
    except (UnusedInput, TimeLimitError) as error:
        return Checked((), (), error.diagnostics)
    except Exception as bug:
        message = f"this is a bug in aplc, not in your program ({type(bug).__name__}: {bug})"
        return Checked((), (), (Diagnostic("BUG", message),))
