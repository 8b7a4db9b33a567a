"""What the page asks of the compiler: data in, data out, for one text each.

    Checks().of(text)       errors and types, with their places
    stage(text, name)       a stage as text, and which of its lines come from where
    explained(text, name)   what is fused and what is written, in lines and as a picture
    run(text, …)            values as they come, each by its forms

Places are offsets as browsers count them, in units of UTF-16. What is wrong with a text is part of an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from aplc.apl_front.syntax.ast_print import render
from aplc.backends.native.run import Result
from aplc.backends.native.time_limit import limited
from aplc.backends.opencl.emit import emit_opencl
from aplc.compiler import compile_program, optimise, parse_files, to_c, to_kernels, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.explain.report import Explanation
from aplc.explain.report import explained as explain
from aplc.explain.text import lines as explained_lines
from aplc.laila.devices.device_mapping import EVERYTHING
from aplc.laila.ir.text_print import print_program
from aplc.language_server.document import Document
from aplc.notebook.bundles import bundle_of
from aplc.options import Options
from aplc.pictures import picture_of
from aplc.play.places import Link, Origins, links_of_code, links_of_kernels, links_of_tree
from aplc.repl.cells import failure_of
from aplc.tail.errors import AplcError, Diagnostic
from aplc.tail.source import Source, Span
from aplc.tail.text_print import places_of_lines, print_term
from aplc.tail.types import Base

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
    """The checks of one text after the other: what is known of one helps with the next."""

    def __init__(self) -> None:
        self.document: Document | None = None

    def of(self, text: str, *, may_read: bool) -> Answer:
        """The errors of a text, and the types of its names."""
        document = self.document = Document(text, self.document, may_read)
        document.check()
        offsets = Offsets(text)
        starts = {word.start: word for word in document.words}
        types = [(starts[place], known.type) for place, known in document.types.items() if place in starts]
        return {
            "diagnostics": _diagnostics(document.diagnostics, document.place_of, offsets),
            "types": [
                {"name": word.text, "type": ty, "place": offsets.between(word.start, word.end)}
                for word, ty in sorted(types, key=lambda each: each[0].start)
                if ty
            ],
        }


def _span_of(diagnostic: Diagnostic) -> Span | None:
    return diagnostic.span


def _diagnostics(
    diagnostics: Iterable[Diagnostic], place_of: Callable[[Diagnostic], Span | None], offsets: Offsets
) -> list[Answer]:
    return [
        {
            "kind": each.kind,
            "message": each.message,
            "note": each.note,
            "place": offsets.of(span) if (span := place_of(each)) is not None else None,
        }
        for each in diagnostics
    ]


def failed(error: BaseException, text: str) -> Answer:
    """What is wrong, as part of an answer."""
    told = {"error": failure_of(error).block}
    if isinstance(error, AplcError):
        return {**told, "diagnostics": _diagnostics(error.diagnostics, _span_of, Offsets(text))}
    return told


def stage(text: str, name: str, options: Options) -> Answer:
    """A stage as text, with the links of its lines: line, beginning and end, and whether it is its own."""
    source = Source(NAME, text)
    shown, links = with_deep_stack(lambda: _stage(source, name, options))
    offsets = Offsets(text)
    return {
        "text": shown,
        "links": [
            [each.line, *offsets.of(each.span), each.is_own] for each in links if each.span.source == source
        ],
    }


def _stage(source: Source, name: str, options: Options) -> tuple[str, list[Link]]:
    if name == "ast":
        (file,) = parse_files([source])
        shown = render(file).rstrip("\n")
        return shown, list(links_of_tree(shown, source))
    elaborated = to_tail([source], {}, rules=options.rules)
    if name in ("tail", "tail-opt"):
        term = elaborated.term if name == "tail" else optimise(elaborated.term, options)
        return print_term(term), [Link(*each) for each in places_of_lines(term)]
    options = replace(options, target="c" if name == "laila" else name)
    told = explain(elaborated, {}, options)
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


def explained(text: str, options: Options) -> Answer:
    """What was decided for a text, in lines and as a picture."""
    from aplc.explain.graph import picture_of as graph_of  # noqa: PLC0415 (networkx is imported only for it)
    from aplc.explain.graph_drawing import svg  # noqa: PLC0415 (likewise)

    def told() -> Answer:
        found = explain(to_tail([Source(NAME, text)], {}, rules=options.rules), {}, options)
        return {"lines": list(explained_lines(found)), "svg": svg(graph_of(found))}

    return with_deep_stack(told)


def run(text: str, options: Options, show: Callable[[Answer], None]) -> Answer:
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

    def work() -> None:
        started = time.perf_counter()
        compiled = compile_program([Source(NAME, text)], {}, {}, options)
        times["compile"] = time.perf_counter() - started
        started = time.perf_counter()
        results = compiled.run([], shown)
        for value, base in compiled.shown(results):
            shown(value, base, compiled.digits)
        times["run"] = time.perf_counter() - started

    limited(options.time_limit, work)
    return {"times": times, "left_out": max(0, count - MOST_SHOWN)}


def answer(
    asked: Mapping[str, Any], options: Options, show: Callable[[Answer], None], checks: Checks
) -> Answer:
    """The answer to a question; what is wrong with its text is in it."""
    text, what = asked["text"], asked["what"]
    plain = replace(options, memory_limit=None)
    try:
        if what == "check":
            return checks.of(text, may_read=options.files)
        if what == "stage":
            return limited(options.time_limit, lambda: stage(text, asked["stage"], plain))
        if what == "explain":
            plain = replace(plain, target=asked["target"])
            return limited(options.time_limit, lambda: explained(text, plain))
        return run(text, replace(options, target=asked["target"]), show)
    except (Exception, KeyboardInterrupt) as error:
        return failed(error, text)
