"""The commands that show what the compiler does: `aplc check`, `aplc explain`, `aplc emit`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from aplc.apl_front.elaboration.elaborate import Elaborated
from aplc.checking import Checked, check_program
from aplc.command_line import OK, WRONG_PROGRAM, UsageError, write_text
from aplc.compiler import elaborate_one, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.explain import text as explain_text
from aplc.explain.report import Explanation, explained
from aplc.explain.report import explain as explain_program
from aplc.options import Options
from aplc.request import Request
from aplc.shell.on_terminal import message, saying
from aplc.stages import Types, named, stage_text, stated_types, syntax_text, types_of_arguments
from aplc.tail.errors import LINES, Diagnostic
from aplc.tail.legible import legible


def check(request: Request) -> int:
    """Prove the annotations, print the types of functions and values: the text or the JSON of a report."""
    found = check_program(request.sources, request.types, rules=request.options.rules)
    if request.arguments.json:
        _write_json(found)
    else:
        for line in found.lines():
            print(legible(line))
        sys.stdout.flush()
        for diagnostic in found.diagnostics:
            print(message(diagnostic.render(), sys.stderr), file=sys.stderr)
    return WRONG_PROGRAM if found.diagnostics else OK


def check_unread(diagnostics: tuple[Diagnostic, ...]) -> int:
    """The JSON of a report on a program that cannot be read."""
    _write_json(Checked((), (), diagnostics))
    return WRONG_PROGRAM


def _write_json(found: Checked) -> None:
    sys.stdout.write(json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n")


def explain(request: Request) -> int:
    """Tell what is fused and what is written to memory: as text, or an object a line; and as a picture."""
    if not request.options.made_for.compiled:
        raise UsageError("the interpreter computes every array as a whole; there is nothing to explain")
    with saying("compiling"):
        told = with_deep_stack(lambda: _explained(request))
    if request.arguments.graph is not None:
        _draw(told, request.arguments.graph)
    if request.arguments.html is not None:
        from aplc.explain.page import page  # noqa: PLC0415 (only for a page)

        write_text(Path(request.arguments.html), with_deep_stack(lambda: page(told)), "--html")
    if request.arguments.format == "json":
        for line in explain_text.json_lines(told):
            print(line)
    else:
        for line in explain_text.lines(told):
            print(legible(line))
    return OK


def _explained(request: Request) -> Explanation:
    types = _types(request)
    if types is not None:
        function = elaborate_one(request.sources, request.arguments.function, named(types), request.options)
        return explained(function, {}, request.options)
    return explain_program(request.sources, request.inputs, request.options)


def _draw(told: Explanation, path: str) -> None:
    """Write the graph of an explanation to a file, whose ending says in which form."""
    from aplc.explain.graph import picture_of  # noqa: PLC0415 (networkx is imported only for a picture)
    from aplc.explain.graph_files import text_of  # noqa: PLC0415 (likewise)

    picture = with_deep_stack(lambda: picture_of(told))
    write_text(Path(path), text_of(picture, Path(path).suffix.lower()), "--graph")


def emit(request: Request) -> int:
    """Write a stage of the compiler."""
    stage = _stage if request.arguments.after is None else _after
    with saying("compiling"):
        text = with_deep_stack(lambda: stage(request, request.options)) + "\n"
    output = request.arguments.output
    if output is None:
        sys.stdout.write(legible(text, keep=LINES) if sys.stdout.isatty() else text)
    else:
        write_text(Path(output), text)
    return OK


def _stage(request: Request, options: Options) -> str:
    """The text of a stage, without its last newline."""
    stage = request.arguments.stage
    if stage == "ast":
        if any(source.name.endswith(".tail") for source in request.sources):
            raise UsageError("a .tail file is not APL text, so it has no stage ast")
        return syntax_text(request.sources)
    types = _types(request)

    def elaborated() -> Elaborated:
        if types is not None:
            return elaborate_one(request.sources, request.arguments.function, named(types), options)
        return to_tail(request.sources, request.types, rules=options.rules, all_used=True)

    return stage_text(stage, elaborated, {} if types is not None else request.storage, options)


def _types(request: Request) -> Types | None:
    """The types of the arguments of the function that is asked for; None: the program is."""
    name, texts = request.arguments.function, tuple(request.arguments.types)
    if name is None:
        return None
    if texts:
        return types_of_arguments(texts, "--types")
    hint = "--types '[double]1', or --types '[double]1, [int]0' for two arguments"
    return stated_types(request.sources, name, request.options, hint)


def _after(request: Request, options: Options) -> str:
    """The text of the program after a pass, on its way to a stage."""
    stage, wanted, seen = request.arguments.stage, request.arguments.after, [""]

    def observe(name: str, text: Callable[[], str]) -> None:
        options.observe(name, text)
        if name == wanted:
            seen.append(text().rstrip("\n"))

    _stage(request, replace(options, observe=observe))
    if len(seen) == 1:
        way = f"-O {options.level}" + (f" and --target {options.target}" if stage == "laila" else "")
        raise UsageError(f"on the way to {stage} with {way} there is no pass {wanted}")
    return seen[-1]


COMMANDS: dict[str, Callable[[Request], int]] = {"check": check, "emit": emit, "explain": explain}
