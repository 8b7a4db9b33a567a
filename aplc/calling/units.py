"""One function on its own: its type, the stages of its compilation, what is to be told of it.

This imports the compiler; functions that are only called do without.
"""

from __future__ import annotations

from aplc.apl_front.elaboration.described import type_of_function
from aplc.command_options import STAGES
from aplc.compiler import elaborate_one, parse_files
from aplc.deep_stack import with_deep_stack
from aplc.explain import text as explain_text
from aplc.explain.report import explained
from aplc.options import Options
from aplc.stages import named, stage_text, stated_types, syntax_text, types_of_arguments
from aplc.tail.errors import CallError, OptionError
from aplc.tail.source import Source
from aplc.tail.types import Type

Texts = tuple[str, ...]


def type_of(sources: list[Source], name: str | None, options: Options) -> str | None:
    """The type of a function, if it has one. Raises what is wrong with its program."""
    report = with_deep_stack(lambda: type_of_function(parse_files(sources), name, rules=options.rules))
    return report.type or None


def types_of(
    texts: Texts, sources: list[Source], name: str | None, options: Options, hint: str
) -> tuple[Type, ...]:
    """The types of arguments that a user gives, or else those of the annotation; `hint` is the call that
    would give them. Raises `CallError`, `ArgumentValueError`.
    """
    for text in texts:
        if not isinstance(text, str):
            raise CallError(f"a type is a text as in {hint}, and got {type(text).__name__}")
    if not texts:
        return stated_types(sources, name, options, hint)
    return types_of_arguments(texts, "types")


def emitted(stage: str, sources: list[Source], name: str | None, texts: Texts, options: Options) -> str:
    """The text of a stage of a function. Raises `OptionError` for one that there is not."""
    if stage not in STAGES:
        raise OptionError(f"a stage is one of {', '.join(STAGES)}, not {stage!r}")
    if stage == "ast":
        return with_deep_stack(lambda: syntax_text(sources))
    types = types_of(texts, sources, name, options, f"emit({stage!r}, '[double]1')")

    def text() -> str:
        return stage_text(stage, lambda: elaborate_one(sources, name, named(types), options), {}, options)

    return with_deep_stack(text)


def told(sources: list[Source], name: str | None, texts: Texts, options: Options) -> str:
    """What `aplc explain` tells of a function. Raises `OptionError` for the interpreter."""
    if not options.made_for.compiled:
        raise OptionError("the interpreter computes every array as a whole; there is nothing to explain")
    types = types_of(texts, sources, name, options, "explain('[double]1')")

    def text() -> str:
        function = elaborate_one(sources, name, named(types), options)
        return "\n".join(explain_text.lines(explained(function, {}, options)))

    return with_deep_stack(text)
