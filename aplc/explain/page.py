"""An explanation as one HTML page that needs nothing else: the graph, below it the source with what became of
its arrays on the left and the loops on the right, all linked with each other. A pure function of the
explanation.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from aplc.explain.graph import picture_of
from aplc.explain.graph_drawing import svg
from aplc.explain.report import Decision, Explanation
from aplc.explain.summary import summary_lines, summary_of
from aplc.explain.text import (
    closing_lines,
    grouped,
    heading_of_uses,
    lines_of_uses,
    loop_lines,
    named_loops,
    note_of,
)
from aplc.tail.source import Source, Span

LOOPS = re.compile(r"\bloops? \d+(, \d+)*( and \d+)?")
"""How loops are named in texts."""

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1f2328; --soft: #59636e; --line: #d0d7de;
  --card: #f6f8fa; --written: #9a3412; --fused: #1a6b3c; --register: #0b5394; --lit: #fff3c4; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --card: #161b22;
    --written: #f0a36b; --fused: #7bd3a0; --register: #79b8ff; --lit: #4a3d10; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; } h2 { font-size: 1rem; margin: 0 0 .5rem; }
.summary { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin-bottom: 1rem; }
.summary p { margin: .15rem 0; overflow-wrap: anywhere; }
.graph { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin-bottom: 1rem; }
.graph summary { font-weight: 600; cursor: pointer; } .graph > div { overflow-x: auto; margin-top: .5rem; }
.graph svg { display: block; max-width: max(100%, 40rem); height: auto; margin: 0 auto; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; }
.loops { position: sticky; top: .5rem; max-height: calc(100vh - 1rem); overflow-y: auto; }
code, pre, .line { font: 14px/1.6 ui-monospace, "APL385 Unicode", "DejaVu Sans Mono", monospace; }
.line { display: flex; gap: .8rem; }
.line .number { color: var(--soft); min-width: 2rem; text-align: right; user-select: none; }
.line pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
.note { margin: 0 0 .2rem 2.8rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.note b { font-weight: 600; }
.written { color: var(--written); } .fused { color: var(--fused); } .register { color: var(--register); }
pre a, .note a { color: inherit; text-underline-offset: 3px; }
.loop { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: .5rem .8rem;
  margin-bottom: .6rem; overflow-wrap: anywhere; }
.loop h3 { margin: 0; font-size: .95rem; } .loop p { margin: .1rem 0; font-size: .85rem; color: var(--soft); }
.loop a { color: inherit; } .loop h3 a { font-weight: 400; }
.lit, .loop:target, .loop p:target, .line:target { background: var(--lit); }
.rest { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
a:focus-visible { outline: 2px solid var(--register); outline-offset: 2px; }
@media (max-width: 50rem) { .sides { grid-template-columns: minmax(0, 1fr); } .loops { position: static;
  max-height: none; } body { padding: .7rem; } .note { margin-left: 0; } .line { gap: .4rem; }
  .line .number { min-width: 1.2rem; } }
@media print { body { padding: 0; font-size: 10pt; }
  .loops { position: static; max-height: none; overflow: visible; }
  .graph > div { overflow: visible; } .graph svg { max-width: 100%; max-height: 90vh; }
  .loop, .summary, .line { break-inside: avoid; } h2, h3, .line:has(+ .note) { break-after: avoid; }
  a { text-decoration: none; } }
"""

SCRIPT = """
"use strict";
for (const each of document.querySelectorAll(".graph > div"))
  each.scrollLeft = (each.scrollWidth - each.clientWidth) / 2;
for (const each of document.querySelectorAll("[data-loops]")) {
  const own = each.dataset.loops.split(" ");
  const light = on => {
    for (const other of document.querySelectorAll("[data-loops]"))
      if (other.dataset.loops.split(" ").some(n => n && own.includes(n))) other.classList.toggle("lit", on);
  };
  each.addEventListener("mouseenter", () => light(true));
  each.addEventListener("mouseleave", () => light(false));
}
"""


def page(told: Explanation) -> str:
    """The whole page."""
    first, *others = summary_lines(summary_of(told))
    sources = list(dict.fromkeys([span.source for span in _spans(told)]))
    names = ", ".join([source.name for source in sources]) or "a program"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<title>aplc explain {html.escape(names)}</title>\n<link rel="icon" href="data:,">',
            f"<style>{STYLE}</style>\n</head>\n<body>",
            f"<h1>{html.escape(names)}</h1>",
            f'<section class="summary" aria-label="Summary">\n<p><strong>{html.escape(first)}</strong></p>',
            *[f"<p>{html.escape(line)}</p>" for line in others],
            "</section>",
            *_graph(told),
            '<main class="sides">\n<section class="source">\n<h2>Source</h2>',
            *[line for number, source in enumerate(sources) for line in _source(told, number, source)],
            '</section>\n<section class="loops" tabindex="0" aria-label="Loops">\n<h2>Loops</h2>',
            *[_loops(told, numbers, sources) for numbers in grouped(told)],
            f'<p class="rest">{"<br>".join([html.escape(line) for line in closing_lines(told)])}</p>',
            f"</section>\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        ]
    )


def _spans(told: Explanation) -> Iterator[Span]:
    """The places that are told of."""
    yield from [each.span for each in told.arrays]
    yield from [span for loop in told.loops for span in told.places(loop)]


def _graph(told: Explanation) -> Iterator[str]:
    """The drawing, where there is something to draw."""
    if told.loops:
        yield '<details class="graph" open>\n<summary>Graph</summary>\n<div tabindex="0" aria-label="Graph">'
        yield svg(picture_of(told), "#loop-{}")
        yield "</div>\n</details>"


# --- the source -----------------------------------------------------------------------------------------


def _source(told: Explanation, number: int, source: Source) -> Iterator[str]:
    """The lines of a file, with notes below those that have arrays."""
    by_line: dict[int, list[Decision]] = {}
    for each in told.arrays:
        if each.span.source is source:
            by_line.setdefault(each.span.line, []).append(each)
    loops: dict[int, set[int]] = {}
    for k, loop in enumerate(told.loops):
        for span in told.places(loop):
            if span.source is source:
                loops.setdefault(span.line, set()).add(k + 1)
    for k, text in enumerate(source.text.splitlines(), start=1):
        arrays = by_line.get(k, [])
        own = sorted({n for each in arrays for n in each.loops} | loops.get(k, set()))
        yield (
            f'<div class="line" id="{_line(number, k)}" data-loops="{" ".join(map(str, own))}">'
            f'<span class="number">{k}</span><pre>{_marked(text, arrays)}</pre></div>'
        )
        yield from [_note(each) for each in arrays]


def _line(source: int, line: int) -> str:
    return f"source-{source}-{line}"


def _marked(text: str, arrays: list[Decision]) -> str:
    """A line in which the arrays that lie side by side lead to their loops; of nested ones the outer does."""
    found, done = "", 0
    for each in sorted(arrays, key=lambda one: (one.span.start, -one.span.end)):
        start = each.span.column - 1
        end = start + len(each.span.text.partition("\n")[0])
        if start >= done and each.loops:
            link = f'<a class="{each.fate}" href="#loop-{each.loops[0]}">{html.escape(text[start:end])}</a>'
            found, done = found + html.escape(text[done:start]) + link, end
    return found + html.escape(text[done:])


def _note(decision: Decision) -> str:
    code = html.escape(decision.span.text.partition("\n")[0])
    told = _linked(html.escape(note_of(decision)))
    return f'<p class="note"><code class="{decision.fate}">{code}</code> {told}</p>'


def _linked(text: str) -> str:
    """A text in which the numbers of loops lead to them."""

    def link(number: re.Match[str]) -> str:
        return f'<a href="#loop-{number[0]}">{number[0]}</a>'

    return LOOPS.sub(lambda found: re.sub(r"\d+", link, found[0]), text)


# --- the loops ------------------------------------------------------------------------------------------


def _loops(told: Explanation, numbers: Sequence[int], sources: list[Source]) -> str:
    """A loop, or the uses of one place of the source: what holds for all, then a paragraph for each."""
    places = [
        f'<a href="#{_line(sources.index(span.source), span.line)}"><code>{span.line}:{span.column} '
        f"{html.escape(span.text.partition(chr(10))[0])}</code></a>"
        for span in told.places(told.loops[numbers[0]])
    ]
    own = " ".join([str(k + 1) for k in numbers])
    if numbers[1:]:
        _, *shared = heading_of_uses(told, numbers)
        each = zip(numbers, lines_of_uses(told, numbers), strict=True)
        body = [f"<p>{_linked(html.escape(line))}</p>" for line in shared]
        body += [
            f'<p id="loop-{k + 1}" data-loops="{k + 1}"><b>loop {k + 1}</b>{_linked(html.escape(line))}</p>'
            for k, line in each
        ]
        opening = f'<article class="loop" data-loops="{own}">'
    else:
        _, *lines = loop_lines(told, numbers[0], told.loops[numbers[0]])
        body = [f"<p>{_linked(html.escape(line.strip()))}</p>" for line in lines]
        opening = f'<article class="loop" id="loop-{own}" data-loops="{own}">'
    title = named_loops(tuple([k + 1 for k in numbers]))
    return "\n".join([opening, f"<h3>{title} {', '.join(places)}</h3>", *body, "</article>"])
