"""Which lines of a stage come from which places of the text.

C and kernels are linked by their identifiers: an array or an accumulator stands for a name of the Laila
program, and the lowering noted where that comes from (`aplc.laila.lowering.decisions`). What is fused into
the same loop is linked with its lines, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aplc.explain.report import Explanation, buffers_of
from aplc.laila.devices.kernels import Kernel
from aplc.laila.ir.program import Reduce
from aplc.laila.ir.scalar import Fold, Site, nodes
from aplc.laila.ir.statements import bound, own_expressions
from aplc.tail.source import Source, Span

WORD = re.compile(r"[A-Za-z]\w*")
TARGET = re.compile(r"\s*(?:const )?(?:\w+ (?:\*restrict )?)?([A-Za-z]\w*)(?:\[.*?\])? (?:[-+*|&^]?=|:=)")
FAILURE = re.compile(r"aplc_fail\(host, (\d+)")
MADE = re.compile(r"_\d+$")
POSITION = re.compile(r"\s*(\d+):(\d+) (\S+) ?(\S*)")
LOOP = re.compile(r"\s*for \(")


class Link(NamedTuple):
    """A line of a stage, counted from 0, and a place of the text that it comes from."""

    line: int
    span: Span
    is_own: bool = True
    """Whether the line is about that place; otherwise it is fused into the loop."""


Spans = dict[str, list[Span]]


class Origins:
    """Where the names of a Laila program come from."""

    def __init__(self, told: Explanation) -> None:
        decisions = told.decisions
        self.own: Spans = {}
        self.fused: Spans = {}
        for name, written in decisions.written.items():
            if written.span is not None:
                self.own[name] = [written.span]
        for name, span in decisions.places.items():
            self.own.setdefault(name, []).append(span)
        for number, loop in enumerate(told.loops, 1):
            names = {*loop.names, *[buffer.name for buffer in buffers_of(loop)]}
            fused = [each.span for each in told.arrays if number in each.loops]
            for name in names:
                self.own.setdefault(name, told.places(loop))
                self.fused.setdefault(name, []).extend(fused)


def links_of_kernels(
    text: str, kernels: Iterable[Kernel], names: Iterable[tuple[str, str]], origins: Origins
) -> list[Link]:
    """The links of kernels; the lines of one that have none of their own have those of its loops."""
    found = links_of_code(text, names, origins)
    linked = {link.line for link in found}
    lines, waiting = text.split("\n"), iter(kernels)
    words: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("kernel void "):
            words = _indices(next(waiting))
        if words and line.strip() and number not in linked:
            found += _links(number, words, *[_Known(each) for each in (origins.own, origins.fused)])
        if line == "}":
            words = []
    return found


def _indices(kernel: Kernel) -> list[str]:
    """The names that the statements of a kernel bind, and the indices of their folds."""
    found: dict[str, None] = {}
    for statement in kernel.statements:
        folds = [each for each in nodes(*own_expressions(statement)) if isinstance(each, Fold)]
        folds += [statement.fold] if isinstance(statement, Reduce) else []
        found |= dict.fromkeys([each.name for each in bound(statement)] + [each.var.name for each in folds])
    return list(found)


def links_of_code(
    text: str, names: Iterable[tuple[str, str]], origins: Origins, sites: Sequence[Site] = ()
) -> list[Link]:
    """The links of C, of kernels, or of Laila (where identifiers are names)."""
    own, fused = _by_identifier(names, origins.own), _by_identifier(names, origins.fused)
    lines = text.split("\n")
    words = [_words(line) for line in lines]
    blocks = _blocks(lines)
    found: list[Link] = []
    for number, line in enumerate(lines):
        failure = FAILURE.search(line)
        if failure and int(failure[1]) < len(sites) and (span := sites[int(failure[1])].span) is not None:
            found.append(Link(number, span))
            continue
        target = _target(line, own)
        chosen = [target] if target else _filled(lines, blocks.get(number, range(0)), own) or words[number]
        found += _links(number, chosen, own, fused)
    return found


def _links(number: int, words: Sequence[str], own: Spans, fused: Spans) -> Iterator[Link]:
    """The links of a line that is about some identifiers."""
    mine = dict.fromkeys([span for word in words for span in own.get(word, ())])
    others = dict.fromkeys([span for word in words for span in fused.get(word, ()) if span not in mine])
    yield from [Link(number, span) for span in mine]
    yield from [Link(number, span, is_own=False) for span in others]


def _blocks(lines: Sequence[str]) -> dict[int, range]:
    """The lines of the innermost loop around each line, its head among them."""
    found: dict[int, range] = {}
    for number, line in enumerate(lines):
        if not LOOP.match(line):
            continue
        depth, end = _indent(line), number + 1
        while end < len(lines) and (_indent(lines[end]) > depth or not lines[end].strip()):
            end += 1
        found |= dict.fromkeys(range(number, end), range(number, end))
        above = number - 1
        while above >= 0 and lines[above].lstrip().startswith("#pragma"):
            found[above] = found[number]
            above -= 1
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _filled(lines: Sequence[str], block: range, own: Spans) -> list[str]:
    """What a loop assigns to that is known."""
    targets = [_target(lines[number], own) for number in block]
    return list(dict.fromkeys([target for target in targets if target]))


def _target(line: str, own: Spans) -> str:
    """The identifier that a line assigns to, if it is known."""
    found = TARGET.match(line)
    return found[1] if found and found[1] in own else ""


def _words(line: str) -> list[str]:
    return [] if line.lstrip().startswith("/*") else list(dict.fromkeys(WORD.findall(line)))


class _Known(dict[str, list[Span]]):
    """The places of names; a name that was made of another one, with a number behind it, has its places."""

    def get(self, name: str, default: Any = ()) -> Any:
        """The places, or what is given."""
        return super().get(name) or super().get(MADE.sub("", name), default)


def _by_identifier(names: Iterable[tuple[str, str]], known: Mapping[str, list[Span]]) -> Spans:
    """The places of identifiers; one that stands for names of several places has none."""
    found: dict[str, list[list[Span]]] = {}
    for identifier, name in names:
        found.setdefault(identifier, []).append(_Known(known).get(name, []))
    return {key: each[0] for key, each in found.items() if each[0] and all(e == each[0] for e in each)}


def links_of_tree(text: str, source: Source) -> Iterator[Link]:
    """The links of a syntax tree, whose lines begin with positions."""
    starts = [0]
    for line in source.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for number, line in enumerate(text.split("\n")):
        if not (found := POSITION.match(line)):
            continue
        start = starts[int(found[1]) - 1] + int(found[2]) - 1
        end = start + max(1, len(found[4]))
        if found[3] == "statement":
            end = max(start + 1, starts[int(found[1])] - 1)
        yield Link(number, Span(source, start, min(end, len(source.text))))
