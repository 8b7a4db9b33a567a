"""What the names of a text are by its words alone: where each is defined, and where it stands.

Braces and definitions between two `∇` are scopes. A name that a header does not list belongs to the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from aplc.highlighting.words import HeaderWords, Kind, Word, functions_in, header_words


@dataclass(eq=False)
class Binding:
    """A name of a scope."""

    name: str
    scope: Scope
    is_function: bool = False
    definitions: list[Word] = field(default_factory=list)
    """Where it gets a value; nowhere for an input, or a mistake."""
    mentions: list[Word] = field(default_factory=list)
    """Where it stands, its definitions among them."""
    end: int = 0
    """Where the definition of a function ends."""


@dataclass(eq=False)
class Scope:
    """A part of the text with names of its own."""

    parent: Scope | None
    start: int
    end: int = 0
    is_listing: bool = False
    """Between two `∇`, where only what the header lists is local."""
    function: Binding | None = None
    bindings: dict[str, Binding] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)

    def bound(self, name: str) -> Binding:
        """The name as one of this scope."""
        return self.bindings.setdefault(name, Binding(name, self))

    def found(self, name: str) -> Binding | None:
        """The name here or further outside."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope.bindings[name]
            scope = scope.parent
        return None


class Names:
    """The names of a text."""

    def __init__(self, words: Sequence[Word], length: int) -> None:
        self.words = [w for w in words if w.kind not in (Kind.COMMENT, Kind.ANNOTATION)]
        self.program = Scope(None, 0, length)
        self._functions = functions_in(self.words)
        self._uses: list[tuple[Word, Scope]] = []
        self._open = [self.program]
        self._read()
        while len(self._open) > 1:
            self._close(length)
        self._resolve()

    @cached_property
    def by_place(self) -> dict[int, Binding]:
        """The binding of the name that begins at an offset."""
        every = [b for scope in self.scopes() for b in scope.bindings.values()]
        return {word.start: binding for binding in every for word in binding.mentions}

    def scopes(self) -> Iterator[Scope]:
        """All scopes, outer ones first."""
        waiting = [self.program]
        while waiting:
            scope = waiting.pop()
            yield scope
            waiting += scope.children[::-1]

    def scope_at(self, offset: int) -> Scope:
        """The innermost scope around a place."""
        scope = self.program
        while inner := next((s for s in scope.children if s.start < offset < s.end), None):
            scope = inner
        return scope

    # --- the way through the words ---

    def _read(self) -> None:
        at = 0
        while at < len(self.words):
            word = self.words[at]
            if word.kind is Kind.DEFINITION:
                at = self._definition(at)
                continue
            if word.text == "{" and word.kind is Kind.BRACKET:
                self._open_braces(at)
            elif word.text == "}" and word.kind is Kind.BRACKET and self._in_braces():
                self._close(word.end)
            elif word.kind is Kind.NAME:
                self._name(at)
            at += 1

    def _in_braces(self) -> bool:
        return len(self._open) > 1 and not self._open[-1].is_listing

    def _open_scope(self, start: int, function: Binding | None, *, is_listing: bool) -> Scope:
        scope = Scope(self._open[-1], start, is_listing=is_listing, function=function)
        self._open[-1].children.append(scope)
        self._open.append(scope)
        return scope

    def _close(self, end: int) -> None:
        scope = self._open.pop()
        scope.end = end
        if scope.function is not None:
            scope.function.end = max(scope.function.end, end)

    def _open_braces(self, at: int) -> None:
        function = None
        if at > 1 and self.words[at - 1].text == "←" and self.words[at - 2].kind is Kind.NAME:
            function = self._owner(self.words[at - 2].text).bound(self.words[at - 2].text)
            function.is_function = True
        self._open_scope(self.words[at].start, function, is_listing=False)

    def _definition(self, at: int) -> int:
        """A `∇` and, where it begins a definition, the header behind it; the next word to look at."""
        opening = self.words[at]
        if len(self._open) > 1:
            while len(self._open) > 1:
                self._close(opening.end)
            return at + 1
        end = at + 1
        while end < len(self.words) and self.words[end].kind is not Kind.NEWLINE:
            end += 1
        header = header_words(self.words[at + 1 : end])
        function = None
        if header is not None:
            function = self.program.bound(header.name.text)
            function.is_function = True
            self._defined(header.name, self.program)
        scope = self._open_scope(opening.start, function, is_listing=True)
        if header is not None:
            self._list(header, scope)
        return end

    def _list(self, header: HeaderWords, scope: Scope) -> None:
        for word in (*header.operands, *header.parameters, *header.locals):
            self._defined(word, scope)

    def _defined(self, word: Word, scope: Scope) -> None:
        scope.bound(word.text).definitions.append(word)
        self._uses.append((word, scope))

    def _name(self, at: int) -> None:
        word = self.words[at]
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        if following is not None and following.text == ":" and self._begins(at):
            self._defined(word, self._open[-1])
        elif self._is_target(at):
            self._defined(word, self._owner(word.text))
        else:
            self._uses.append((word, self._open[-1]))

    def _begins(self, at: int) -> bool:
        before = self.words[at - 1]
        return self._open[-1].is_listing and (before.kind is Kind.NEWLINE or before.text == "⋄")

    def _is_target(self, at: int) -> bool:
        """Whether a name stands before an arrow, alone or among names in parentheses, or behind `:For`."""
        if self.words[at + 1 : at + 2] and self.words[at + 1].text == "←":
            return True
        if at > 0 and self.words[at - 1].text == ":For":
            return True
        if self._in_strand(at):
            return True
        end = at
        while end < len(self.words) and (self.words[end].kind is Kind.NAME or self.words[end].text == ")"):
            if self.words[end].text == ")" and self.words[end + 1 : end + 2]:
                return self.words[end + 1].text == "←" and self._opens_targets(at)
            end += 1
        return False

    def _in_strand(self, at: int) -> bool:
        """Whether a name that is none yet stands in `a b←`, where a statement begins."""
        end = start = at
        while end < len(self.words) and self.words[end].kind is Kind.NAME:
            end += 1
        while start > 0 and self.words[start - 1].kind is Kind.NAME:
            start -= 1
        begins = start == 0 or self.words[start - 1].text in ("⋄", "{", "\n", "\r\n")
        is_assigned = end < len(self.words) and self.words[end].text == "←"
        name = self.words[at].text
        is_new = name not in self._functions and self._open[-1].found(name) is None
        return begins and is_assigned and is_new

    def _opens_targets(self, at: int) -> bool:
        while at >= 0 and self.words[at].kind is Kind.NAME:
            at -= 1
        return at >= 0 and self.words[at].text == "("

    def _owner(self, name: str) -> Scope:
        """The scope in which an assignment here defines a name."""
        scope: Scope | None = self._open[-1]
        while scope is not None and scope.is_listing and name not in scope.bindings:
            scope = scope.parent
        return scope or self.program

    def _resolve(self) -> None:
        for word, scope in self._uses:
            binding = scope.found(word.text) or self.program.bound(word.text)
            binding.mentions.append(word)
        for scope in self.scopes():
            for binding in scope.bindings.values():
                binding.mentions.sort(key=lambda word: word.start)
