"""The syntax tree as text for people: `aplc emit ast`.

One line per node, `line:column what`, with what it contains indented below. The text is not read back.
"""

from __future__ import annotations

from aplc.apl_front.syntax.ast import (
    Annotation,
    Arrow,
    Bracket,
    Chars,
    Dfn,
    File,
    Glyph,
    Item,
    Name,
    Number,
    Paren,
    Statement,
    Zilde,
)

Node = Statement | Item
Child = Node | tuple[str, tuple["Child", ...]]
"""A node, or a heading with what stands below it."""


def render(file: File) -> str:
    """The tree of a file, one line per node, each ended by a newline; `""` for a file without statements."""
    lines: list[str] = []
    stack: list[tuple[int, Child]] = [(0, statement) for statement in reversed(file.statements)]
    while stack:  # not recursive: brackets may nest deeper than Python's calls
        depth, child = stack.pop()
        if isinstance(child, tuple):
            label, children = child
        else:
            label, children = f"{child.span.line}:{child.span.column} {_label(child)}", _children(child)
        lines.append("  " * depth + label + "\n")
        stack.extend((depth + 1, below) for below in reversed(children))
    return "".join(lines)


def _label(node: Node) -> str:
    match node:
        case Statement(guard=None):
            return "statement"
        case Statement():
            return "guard"
        case Number(value):
            return f"number {value!r}".replace("-", "¯")
        case Zilde():
            return "zilde ⍬"
        case Chars(text):
            return "chars '" + text.replace("'", "''") + "'"
        case Name(name):
            return f"name {name}"
        case Glyph(symbol):
            return f"glyph {symbol}"
        case Arrow():
            return "arrow ←"
        case Paren():
            return "paren"
        case Bracket():
            return "bracket"
        case Dfn():
            return "dfn"


def _children(node: Node) -> tuple[Child, ...]:
    match node:
        case Statement(items, _, None, annotation):
            return _claim(annotation) + items
        case Statement(items, _, guard, annotation):
            return (*_claim(annotation), ("condition", guard or ()), ("value", items))
        case Paren(items):
            return items
        case Bracket(parts):
            return tuple(("part" if part else "part (empty)", part) for part in parts)
        case Dfn(body, _, annotation):
            return _claim(annotation) + body
        case Number() | Zilde() | Chars() | Name() | Glyph() | Arrow():
            return ()


def _claim(annotation: Annotation | None) -> tuple[Child, ...]:
    """The line of an annotation, where there is one."""
    if annotation is None:
        return ()
    return ((f"{annotation.span.line}:{annotation.span.column} annotation {annotation.type}", ()),)
