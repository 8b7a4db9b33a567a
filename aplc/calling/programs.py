"""A loaded program: its functions by name."""

from __future__ import annotations

from collections.abc import Iterator

from aplc.calling.functions import Function
from aplc.deep_stack import with_deep_stack
from aplc.options import Options
from aplc.tail.source import Source
from aplc.text_cache import functions_of, keep_functions


class LoadedProgram:
    """The top-level functions of a file: attributes, and items by their names.

    `list(program)` and `dir(program)` are the names, `program["f"]` is `program.f`.
    """

    def __init__(self, functions: dict[str, Function], name: str = "") -> None:
        self._functions, self._file = functions, name

    def __getattr__(self, name: str) -> Function:
        """The function of that name."""
        functions = self.__dict__.get("_functions", {})
        try:
            return functions[name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"the program has no function {name}{_what_there_is(functions)}") from None

    def __getitem__(self, name: str) -> Function:
        try:
            return self._functions[name]
        except KeyError:
            raise KeyError(f"the program has no function {name}{_what_there_is(self._functions)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __dir__(self) -> list[str]:
        return sorted(self._functions)

    def __repr__(self) -> str:
        return f"<APL program {self._file}: {', '.join(self._functions) or 'no functions'}>"


def _what_there_is(functions: dict[str, Function]) -> str:
    return f"; there are {', '.join(functions)}" if functions else ""


def loaded(source: Source, options: Options, to: str) -> LoadedProgram:
    """The functions of a text, which is checked as a whole. Raises what is wrong with it."""
    names = functions_of([source], options)
    if names is None:
        from aplc.compiler import to_tail  # noqa: PLC0415 (a program that was kept does without)

        elaborated = with_deep_stack(lambda: to_tail([source], {}, rules=options.rules))
        names = tuple(elaborated.functions)
        keep_functions([source], options, names)
    return LoadedProgram({name: Function([source], name, options, to) for name in names}, source.name)
