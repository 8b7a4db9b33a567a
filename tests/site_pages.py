"""What `mkdocs.yml` calls while the site is built: pages that do not lie in docs/, and links that leave it.

README.md is the first page, and CONTRIBUTING.md and CHANGELOG.md are pages, so that a reader of the plain
repository and one of the site have the same text. What pages link to in the source, samples above all, is
shown as a page of its own below source/.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name, get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

ROOT = Path(__file__).parent.parent
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages of the site, by the files at the top of the repository that they are."""
LINK = re.compile(r"(\]\(|src=\"|href=\")([^)#\"\s]+)")
"""A relative target in Markdown or HTML. Code is told apart by the caller: a target is a file that exists."""
BESIDE = re.compile(
    r"<table>\n<tr><th>(.*?)</th><th>(.*?)</th></tr>\n<tr><td>\n(.*?)\n</td><td>\n(.*?)\n</td></tr>\n</table>",
    re.DOTALL,
)
"""A table with a row of two blocks of code."""
APL = re.compile(r"^```apl\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENTERED = " " * 6
"""How a line begins that is entered in a session."""
BAR = re.compile(r"<code>[^<]*\\\|[^<]*</code>")
FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{name}</title><style>
body {{ font-family: system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark; }}
pre {{ font-family: "APL386 Unicode", "DejaVu Sans Mono", monospace; line-height: 1.35; overflow-x: auto; }}
{light}
@media (prefers-color-scheme: dark) {{ body {{ background: #1e2129; color: #dde; }} {dark} }}
</style></head><body><p><a href="{home}">aplc</a> / {name}</p>
{code}</body></html>
"""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from the top of the repository, and the sources that pages link to."""
    for path, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    linked: set[str] = set()
    for file in files.documentation_pages():
        linked |= {path for _, path in _outside(file.content_string, _place(file.src_uri))}
    for path in sorted(linked):
        files.append(File.generated(config, f"source/{path}.html", content=_shown(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A link that leaves docs/ leads to the page that the site has for its target."""
    place = _place(page.file.src_uri)
    here = posixpath.dirname(page.file.src_uri)
    targets = {
        written: posixpath.relpath(f"source/{path}.html", here) for written, path in _outside(markdown, place)
    } | _pages(markdown, place, here)
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["toc"]
    markdown = BESIDE.sub(_beside, markdown)
    linked = LINK.sub(lambda link: link[1] + targets.get(link[2], link[2]), markdown)
    return APL.sub(_with_lexer, linked)


def _beside(table: re.Match[str]) -> str:
    """Blocks of code side by side, which tables cannot hold here."""
    head, other, left, right = table.groups()
    cells = [
        f'<div markdown="1">\n<p>{words}</p>\n\n{code}\n</div>'
        for words, code in ((head, left), (other, right))
    ]
    return '<div class="beside" markdown="1">\n' + "\n".join(cells) + "\n</div>"


def _with_lexer(block: re.Match[str]) -> str:
    """A block of APL under the name of our lexer for it, if that is installed."""
    is_session = any(line.startswith(ENTERED) for line in block[1].splitlines())
    name = "aplc-session" if is_session else "aplc"
    try:
        find_lexer_class_by_name(name)
    except ClassNotFound:
        return block[0]
    return f"```{name}\n{block[1]}```"


def on_page_content(content: str, **_: Any) -> str:
    """A bar in a table, which Markdown wants escaped there, is a bar."""
    return BAR.sub(lambda code: code[0].replace("\\|", "|"), content)


def _place(page: str) -> PurePosixPath:
    """The directory of a page's file, below the root of the repository."""
    top = {page: path for path, page in PAGES.items()}
    return PurePosixPath() if page in top else PurePosixPath("docs", page).parent


def _targets(markdown: str, place: PurePosixPath) -> Iterator[tuple[str, str]]:
    """The relative targets of a page that exist, as they are written and below the root."""
    for _, written in LINK.findall(markdown):
        path = posixpath.normpath(place / written)
        if not written.startswith(("/", "http")) and (ROOT / path).is_file():
            yield written, path


def _outside(markdown: str, place: PurePosixPath) -> Iterator[tuple[str, str]]:
    """Those in the source of aplc."""
    for written, path in _targets(markdown, place):
        if not path.startswith("docs/") and path not in PAGES:
            yield written, path


def _pages(markdown: str, place: PurePosixPath, here: str) -> Mapping[str, str]:
    """Where the targets lie that are pages, or pictures of these, from the place of the page."""
    return {
        written: posixpath.relpath(PAGES.get(path, path.removeprefix("docs/")), here)
        for written, path in _targets(markdown, place)
        if path.startswith("docs/") or path in PAGES
    }


def _shown(path: str) -> str:
    """A file of the source as a page."""
    text = (ROOT / path).read_text("utf-8")
    try:
        lexer = get_lexer_for_filename(path)
    except ClassNotFound:
        lexer = TextLexer()
    light, dark = HtmlFormatter(style="default"), HtmlFormatter(style="github-dark")
    return FRAME.format(
        name=html.escape(path),
        home="../" * (path.count("/") + 1) + "index.html",
        light=light.get_style_defs(".highlight"),
        dark=dark.get_style_defs(".highlight"),
        code=highlight(text, lexer, light),
    )
