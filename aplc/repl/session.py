"""A session: names and their values from line to line, and how a line is run.

Note [Interpreted or compiled]
    A small line takes a millisecond on the reference interpreter and a quarter of a second through a C
    compiler. So a line is interpreted first, for a short time; what it prints is kept back meanwhile. When
    that time is up, or where its arrays are large, it is compiled and run from its beginning: the values are
    the same by definition, random numbers among them, and files are written whole. A line that was compiled
    before, for arrays of the same types, is compiled code from its first moment on.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from aplc.apl_front.elaboration.lines import Line, elaborate_line
from aplc.apl_front.syntax.ast import Dfn, File
from aplc.apl_front.syntax.mentioned import names_in, names_in_texts
from aplc.apl_front.syntax.parser import parse
from aplc.backends.native.run import OnPrint, Result
from aplc.backends.native.time_limit import limited
from aplc.compiled import Compiled, structured
from aplc.compiler import finish
from aplc.deep_stack import with_deep_stack
from aplc.inputs import Input
from aplc.options import Options
from aplc.tail.errors import CompileError, Diagnostic, TimeLimitError
from aplc.tail.rules import Rules
from aplc.tail.source import Source
from aplc.tail.syntax import body_of
from aplc.tail.types import Base, Func, Tuple, Type, forget_value, generalise, parts_by_name

INTERPRETED = 0.25
"""Seconds that the interpreter has for a line."""
LARGE = 2_000_000
"""Elements: with more of them in what a line uses it is compiled at once."""
LARGEST_SEED = 2**31 - 2


@dataclass(frozen=True)
class Variable:
    """An array that has a name: its type, and the flat arrays that it is."""

    type: Type
    parts: tuple[np.ndarray[Any, Any], ...]

    @property
    def size(self) -> int:
        """The number of elements."""
        return sum([part.size for part in self.parts])


@dataclass(frozen=True)
class Definition:
    """A function or an operator: its text, which is elaborated where it is used."""

    file: File

    @property
    def text(self) -> str:
        """What was typed."""
        return self.file.span.source.text

    @property
    def is_niladic(self) -> bool:
        """Whether its name alone is a call."""
        headers = [each.header for each in self.file.statements[-1].items if isinstance(each, Dfn)]
        return any(header is not None and header.is_niladic for header in headers)

    @property
    def mentions(self) -> set[str]:
        """The names that stand in it."""
        return _mentioned(self.file)


@dataclass
class Session:
    """What a session knows. `show` gets what lines print."""

    show: OnPrint
    show_text: Callable[[str], None] = print
    """What gets the text of a function whose name is a line."""
    options: Options = field(default_factory=Options)
    """How lines are compiled that are."""
    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    settings: dict[str, File] = field(default_factory=dict)
    is_boxed: bool = False
    """Whether arrays of arrays are shown with frames."""
    saved: set[Path] = field(default_factory=set)
    """The files that its functions were written to."""
    count: int = 0
    """How many lines there were."""
    seconds: float = INTERPRETED
    """How long a line may be interpreted before it is compiled; 0: what is run is compiled."""
    _random: random.Random = field(default_factory=random.Random)
    _compiled: set[object] = field(default_factory=set)
    """The texts and types of lines that were compiled."""

    def run(self, text: str, name: str = "") -> None:
        """Run a line, or several, like those of the file `name`.

        Raises what is wrong with it; nothing has changed then.
        """
        self.count += not name
        named = self.definitions.get(text.strip())
        if named is not None and not named.is_niladic:
            self.show_text(named.text)
            return
        file = parse(Source(name or f"line {self.count}", text))
        used, arrays = self._needed(file)
        line = with_deep_stack(lambda: elaborate_line(used, file, _types(arrays), rules=self.options.rules))
        results = self._values(line, text, arrays)
        for name in line.definitions:
            self.variables.pop(name, None)
        for name, text_of in line.definitions.items():
            self.definitions[name] = Definition(parse(Source(name, text_of)))
        for name, variable in results.items():
            self.definitions.pop(name, None)
            self.variables[name] = variable
        for name, text_of in line.settings.items():
            self.settings[name] = parse(Source("settings", text_of))

    def mentions(self, text: str) -> set[str]:
        """The names that a text uses, itself or through definitions of the session. Raises `CompileError`."""
        return self._names(parse(Source("text", text)))

    def typed(self, text: str) -> str:
        """The type of an expression, which is not run."""
        file = parse(Source("]type", f"type⍙of←{text}"))
        used, arrays = self._needed(file)
        line = with_deep_stack(lambda: elaborate_line(used, file, _types(arrays), rules=self.options.rules))
        if not line.arrays:
            return "a function"
        ty = body_of(line.program.term).ty
        assert isinstance(ty, Tuple)
        return str(ty.items[line.arrays.index("type⍙of")])

    def value_of(self, text: str) -> Input:
        """The array that an expression is, as an input of a program. Raises what is wrong with the text."""
        file = parse(Source("expression", text))
        if len(file.statements) != 1 or file.statements[0].guard:
            raise CompileError(Diagnostic("SYNTAX ERROR", "one expression is expected", file.span))
        assignment = parse(Source("expression", f"value⍙of←{text}"))
        line = with_deep_stack(lambda: elaborate_line([], assignment, {}, rules=Rules(may_read=False)))
        if not line.arrays:
            raise CompileError(
                Diagnostic("DOMAIN ERROR", "this is a function, an array is expected", file.span)
            )
        return _as_input(self._values(line, text, {})["value⍙of"])

    def give(self, name: str, value: Input) -> None:
        """Let a name be an array that comes from outside."""
        self.definitions.pop(name, None)
        self.variables[name] = Variable(value.type, tuple([each.value for each in value.flat]))

    def value_named(self, name: str) -> tuple[Result, Type]:
        """What a name is, as a program gives its value, and its type. Raises `KeyError`."""
        variable = self.variables[name]
        return structured(variable.type, iter(variable.parts)), variable.type

    def function_text(self, name: str) -> str | None:
        """A program that is a function of the session, with all that it uses; None where that is not all
        functions and operators.
        """
        names = self._names(self.definitions[name].file)
        if names & self.variables.keys() or self.definitions[name].is_niladic:
            return None
        texts = [each.span.source.text for each in self.settings.values()]
        texts += [each.text for key, each in self.definitions.items() if key in names or key == name]
        return "\n".join([*texts, name])

    def erase(self, names: Iterable[str]) -> None:
        """Forget names."""
        for name in names:
            self.variables.pop(name, None)
            self.definitions.pop(name, None)

    def program(self, text: str) -> tuple[list[Source], dict[str, Input]]:
        """A line with what it uses as a program: texts, and inputs."""
        file = parse(Source("]", text))
        used, arrays = self._needed(file)
        sources = [each.span.source for each in (*used, file)]
        return sources, {name: _as_input(each) for name, each in arrays.items()}

    # --- a line ---

    def _needed(self, file: File) -> tuple[list[File], dict[str, Variable]]:
        """The settings, and the definitions and arrays that a line uses by name, itself or through others."""
        names = self._names(file)
        definitions = [each.file for name, each in self.definitions.items() if name in names]
        arrays = {name: each for name, each in self.variables.items() if name in names}
        return [*self.settings.values(), *self._seeded(file, definitions), *definitions], arrays

    def _names(self, file: File) -> set[str]:
        names, waiting = set[str](), _mentioned(file)
        while waiting:
            name = waiting.pop()
            names.add(name)
            if name in self.definitions:
                waiting |= self.definitions[name].mentions - names
        return names

    def _seeded(self, file: File, definitions: list[File]) -> list[File]:
        """Where a line draws random numbers, a seed of its own, so that each draws others."""
        draws = any("?" in each.span.text for each in (file, *definitions))
        if not draws or "⎕rl" in self.settings:
            return []
        return [parse(Source("seed", f"⎕RL←{self._random.randint(1, LARGEST_SEED)}"))]

    def _values(self, line: Line, text: str, arrays: Mapping[str, Variable]) -> dict[str, Variable]:
        """What the names of a line hold behind it: see Note [Interpreted or compiled]."""
        key = (text, tuple([(name, each.type) for name, each in arrays.items()]), self.options)
        inputs = [part for each in arrays.values() for part in each.parts]
        if (
            self.seconds
            and key not in self._compiled
            and sum([each.size for each in arrays.values()]) < LARGE
        ):
            shown: list[tuple[Result, Base | None, int]] = []
            program = self._made(line, arrays, replace(self.options, target="interp", level=0, threads=0))
            work = partial(self._timed_run, program, inputs, lambda *each: shown.append(each))
            try:
                results = limited(self.seconds, work)
            except TimeLimitError:
                pass
            except BaseException:
                self._tell(shown)
                raise
            else:
                self._tell(shown)
                return _variables(line, program, results)
        program = self._made(line, arrays, self.options)
        self._compiled.add(key)
        return _variables(line, program, self._timed_run(program, inputs, self.show))

    def _timed_run(self, program: Compiled, inputs: list[Any], show: OnPrint) -> tuple[Any, ...]:
        started = time.perf_counter()
        results = program.runnable.run(inputs, show)
        self.options.timed("run", time.perf_counter() - started)
        return results

    def _tell(self, shown: list[tuple[Result, Base | None, int]]) -> None:
        for value, base, digits in shown:
            self.show(value, base, digits)

    def _made(self, line: Line, arrays: Mapping[str, Variable], options: Options) -> Compiled:
        return with_deep_stack(lambda: finish(line.program, _storage(arrays), options))


def _types(arrays: Mapping[str, Variable]) -> dict[str, Type]:
    return {name: each.type for name, each in arrays.items()}


def _storage(arrays: Mapping[str, Variable]) -> dict[str, str]:
    return {
        name: part.dtype.name
        for whole, each in arrays.items()
        for (name, _), part in zip(parts_by_name(whole, each.type), each.parts, strict=True)
    }


def _variables(line: Line, program: Compiled, results: Iterable[Any]) -> dict[str, Variable]:
    """The arrays of the names, by name, from the flat arrays that the program gives."""
    left = iter(results)
    assert isinstance(program.type, Tuple)
    found: dict[str, Variable] = {}
    for name, ty in zip(line.arrays, program.type.items, strict=True):
        assert not isinstance(ty, Func)
        general = forget_value(ty) if isinstance(ty, Tuple) else generalise(ty)
        found[name] = Variable(general, tuple([next(left) for _ in parts_by_name(name, general)]))
    return found


def _as_input(variable: Variable) -> Input:
    """An array that has a name as an input of a program."""
    types = [ty for _, ty in parts_by_name("", variable.type)]
    flat = [Input(ty, part.dtype.name, part) for ty, part in zip(types, variable.parts, strict=True)]
    return Input(variable.type, "", flat[-1].value, parts=tuple(flat)) if len(flat) > 1 else flat[0]


def _mentioned(file: File) -> set[str]:
    items = [item for s in file.statements for item in (*s.items, *(s.guard or ()))]
    names = {name.name for name in names_in(items)}
    if "⍎" in file.span.text:
        names |= {n for item in items if isinstance(item, Dfn) for n in names_in_texts(item)}
    return names
