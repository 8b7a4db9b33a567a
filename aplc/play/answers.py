"""What the page asks of the compiler: data in, data out, for one text each.

    Checks().of(text, …)    errors, types and inputs, and at a place what editors ask
    stage(text, name, …)    a stage as text, and which of its lines come from where
    explained(text, …)      what is fused and what is written, in lines and as a picture
    run(text, …)            values as they come, each by its forms

Places in links are offsets as browsers count them, in units of UTF-16. What is wrong with a text is part of
an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from aplc.apl_front.syntax.ast_print import render
from aplc.backends.native.run import Result
from aplc.backends.native.time_limit import limited
from aplc.backends.opencl.emit import emit_opencl
from aplc.cases.header import inputs_of
from aplc.compiler import compile_program, optimise, parse_files, to_c, to_kernels, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.explain.report import Explanation
from aplc.explain.report import explained as explain
from aplc.explain.text import lines as explained_lines
from aplc.inputs import Input, by_part
from aplc.laila.devices.device_mapping import EVERYTHING
from aplc.laila.ir.text_print import print_program
from aplc.language_server import features
from aplc.language_server.completion import completions
from aplc.language_server.document import Document
from aplc.notebook.bundles import bundle_of
from aplc.options import Options
from aplc.pictures import picture_of
from aplc.play.places import Link, Origins, links_of_code, links_of_kernels, links_of_tree
from aplc.repl.cells import failure_of
from aplc.shell.input_arguments import Given
from aplc.tail.errors import AplcError
from aplc.tail.source import Source, Span
from aplc.tail.text_print import places_of_lines, print_term
from aplc.tail.types import Base, Type

Answer = dict[str, Any]

STAGES = ("ast", "tail", "tail-opt", "laila", "c", "openmp", "opencl")
NAME = "program"
LEAST_DRAWN = 16
"""Elements of a value that is worth a picture."""
MOST_SHOWN = 200
"""Values that a run shows; more are counted."""


def _size(value: Result) -> int:
    """How many elements a value has, those of items included."""
    if isinstance(value, tuple):
        return sum([_size(item) for item in value])
    return sum([_size(item) for item in value.ravel()]) if value.dtype == object else value.size


class Offsets:
    """Places of a text as browsers count them."""

    def __init__(self, text: str) -> None:
        self.is_plain = all(character <= "\uffff" for character in text)
        self.text = text

    def of(self, span: Span) -> tuple[int, int]:
        """Where a place begins and ends."""
        return self.between(span.start, span.end)

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The same of two places."""
        return self._units(start), self._units(end)

    def _units(self, place: int) -> int:
        if self.is_plain:
            return place
        return len(self.text[:place].encode("utf-16-le", "surrogatepass")) // 2


class Checks:
    """The checks of one text after the other, and what editors ask about it, by the functions of the language
    server: what is known of one text helps with the next. Places in these answers are those of its protocol.
    """

    def __init__(self, *, may_read: bool) -> None:
        self.may_read = may_read
        self.document = Document("")

    def of(self, text: str, given: Mapping[str, str]) -> Answer:
        """The errors of a text, the types of its names, and the inputs that it may be given."""
        problem: list[Answer] = []
        types: dict[str, Type] = {}
        try:
            types = {name: each.type for name, each in inputs_given(text, given, files=self.may_read).items()}
        except AplcError as error:
            problem = [{"code": each.kind, "message": each.message} for each in error.diagnostics]
        document = self.document = Document(text, self.document, self.may_read, given=types)
        document.check()
        return {
            "diagnostics": [*problem, *features.diagnostics(document)],
            "types": features.inlays(document),
            "inputs": _inputs(document),
        }

    def at(self, text: str) -> Document:
        """A text as it is asked about, with the types that were found last."""
        if text != self.document.text:
            self.document = Document(text, self.document, self.may_read)
        return self.document


def _inputs(document: Document) -> list[Answer]:
    """The names that the text takes from outside; `type` is that of an input that its header states."""
    with suppress(AplcError):  # which is an error of the check
        stated = {name: str(ty) for name, ty in document.stated.items()}
        return [
            {"name": name, "type": stated.get(name, "")} for name in dict.fromkeys([*stated, *document.free])
        ]
    return []


def inputs_given(text: str, given: Mapping[str, str], *, files: bool) -> dict[str, Input]:
    """The inputs that fields of the page give, as `--input` does, of those that the text mentions. Raises
    `CompileError`.
    """
    source = Source(NAME, text)
    mentioned = Document(text).names.program.bindings
    taken = Given([source], files=files, option="", place="inputs")
    for name, value in given.items():
        if name in mentioned and value.strip():
            taken.take(f"{name}={value.strip()}")
    return taken.found


def all_inputs(text: str, given: Mapping[str, str], *, files: bool) -> dict[str, Input]:
    """These, and those that the header of the text states and nothing else gives."""
    return {**inputs_of(Source(NAME, text)), **inputs_given(text, given, files=files)}


def stage(text: str, name: str, inputs: Mapping[str, Input], options: Options) -> Answer:
    """A stage as text, with the links of its lines: line, beginning and end, and whether it is its own."""
    source = Source(NAME, text)
    shown, links = with_deep_stack(lambda: _stage(source, name, inputs, options))
    offsets = Offsets(text)
    return {
        "text": shown,
        "links": [
            [each.line, *offsets.of(each.span), each.is_own] for each in links if each.span.source == source
        ],
    }


def _stage(
    source: Source, name: str, inputs: Mapping[str, Input], options: Options
) -> tuple[str, list[Link]]:
    if name == "ast":
        (file,) = parse_files([source])
        shown = render(file).rstrip("\n")
        return shown, list(links_of_tree(shown, source))
    elaborated = to_tail([source], _types(inputs), rules=options.rules)
    if name in ("tail", "tail-opt"):
        term = elaborated.term if name == "tail" else optimise(elaborated.term, options)
        return print_term(term), [Link(*each) for each in places_of_lines(term)]
    options = replace(options, target="c" if name == "laila" else name)
    told = explain(elaborated, inputs, options)
    return _code(told, name, options)


def _code(told: Explanation, name: str, options: Options) -> tuple[str, list[Link]]:
    """The text of a Laila program, as such or for a target."""
    origins = Origins(told)
    if name == "laila":
        shown = print_program(told.program)
        names = [(each, each) for each in {*origins.own, *origins.fused}]
        return shown, links_of_code(shown, names, origins)
    if name == "opencl":
        options = replace(options, division=EVERYTHING)
        offloaded = to_kernels(told.program, told.make, options).kernels
        made = emit_opencl(offloaded, told.make, options.division)
        shown = made.text.rstrip("\n")
        return shown, links_of_kernels(shown, offloaded, made.names, origins)
    code = to_c(told.program, told.make, options)
    shown = code.text.rstrip("\n")
    return shown, links_of_code(shown, code.names, origins, code.sites)


def _types(inputs: Mapping[str, Input]) -> dict[str, Type]:
    return {name: each.type for name, each in inputs.items()}


def explained(text: str, inputs: Mapping[str, Input], options: Options) -> Answer:
    """What was decided for a text, in lines and as a picture."""
    from aplc.explain.graph import picture_of as graph_of  # noqa: PLC0415 (networkx is imported only for it)
    from aplc.explain.graph_drawing import svg  # noqa: PLC0415 (likewise)

    def told() -> Answer:
        elaborated = to_tail([Source(NAME, text)], _types(inputs), rules=options.rules)
        found = explain(elaborated, inputs, options)
        return {"lines": list(explained_lines(found)), "svg": svg(graph_of(found))}

    return with_deep_stack(told)


def run(text: str, inputs: Mapping[str, Input], options: Options, show: Callable[[Answer], None]) -> Answer:
    """Run a text; `show` gets its values as they come."""
    count = 0

    def shown(value: Result, base: Base | None, digits: int) -> None:
        nonlocal count
        bundle = bundle_of(value, base, digits)
        count += bundle is not None
        if bundle is None or count > MOST_SHOWN:
            return
        is_drawn = base is not Base.CHAR and _size(value) >= LEAST_DRAWN
        picture = picture_of(value) if is_drawn else None
        show({"text": bundle["text/plain"], "table": bundle.get("text/html"), "svg": picture})

    times: dict[str, float] = {}

    started = time.perf_counter()
    parts = by_part(inputs)
    storage = {name: each.storage for name, each in parts.items()}
    compiled = compile_program([Source(NAME, text)], _types(inputs), storage, options)
    times["compile"] = time.perf_counter() - started
    started = time.perf_counter()
    results = compiled.run([parts[name].value for name in compiled.inputs], shown)
    for value, base in compiled.shown(results):
        shown(value, base, compiled.digits)
    times["run"] = time.perf_counter() - started
    return {"times": times, "left_out": max(0, count - MOST_SHOWN)}


def answer(
    asked: Mapping[str, Any], options: Options, show: Callable[[Answer], None], checks: Checks
) -> Answer:
    """The answer to a question; what is wrong with its text is in it."""
    text, what, given = asked["text"], asked["what"], asked.get("inputs", {})
    plain = replace(options, memory_limit=None, target=asked.get("target", options.target))

    def answered() -> Answer:
        if what == "check":
            return checks.of(text, given)
        if what == "hover":
            return {"hover": features.hover(checks.at(text), asked["position"])}
        if what == "complete":
            return {"items": completions(checks.at(text), asked["position"])}
        inputs = all_inputs(text, given, files=options.files)
        if what == "stage":
            return stage(text, asked["stage"], inputs, plain)
        if what == "explain":
            return explained(text, inputs, plain)
        return run(text, inputs, replace(options, target=asked["target"]), show)

    try:
        return limited(options.time_limit, answered)
    except (Exception, KeyboardInterrupt) as error:
        return {"error": failure_of(error).block}
