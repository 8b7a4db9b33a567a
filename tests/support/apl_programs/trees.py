"""Programs of APL as trees of text patterns, with their inputs; and simpler ones to try when one fails."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Shape = tuple[int, ...]
Value = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Node:
    """A piece of text with holes: `{}` takes a child as it is, `()` one in parentheses unless it is an atom.

    The kinds are `array`, `function`, and `body`, a sequence of statements.
    """

    kind: str
    pattern: tuple[str, ...]
    children: tuple["Node", ...] = ()
    is_atom: bool = False

    def text(self) -> str:
        parts = [self.pattern[0]]
        for child, after in zip(self.children, self.pattern[1:], strict=True):
            text = child.text()
            guarded = parts[-1].endswith("«")
            if guarded:
                parts[-1] = parts[-1][:-1]
                text = text if child.is_atom else f"({text})"
            parts += [text, after]
        return "".join(parts)


def node(kind: str, pattern: str, *children: Node, is_atom: bool = False) -> Node:
    """A node; in the pattern `%` is a child, `«%` a child in parentheses unless it is an atom."""
    return Node(kind, tuple(pattern.split("%")), children, is_atom)


def array(pattern: str, *children: Node, is_atom: bool = False) -> Node:
    return node("array", pattern, *children, is_atom=is_atom)


def function(pattern: str, *children: Node, is_atom: bool = False) -> Node:
    return node("function", pattern, *children, is_atom=is_atom)


def body(statements: list[Node], *, inside: bool = False) -> Node:
    pattern = " ⋄ " if inside else "\n"
    holes = ("", *[pattern] * (len(statements) - 1), "")
    return Node("body", holes, tuple(statements))


@dataclass(frozen=True)
class Program:
    """A program with its inputs by name."""

    tree: Node
    inputs: dict[str, Value]

    @property
    def text(self) -> str:
        return self.tree.text()

    def __str__(self) -> str:
        given = [f"{k} = np.array({v.tolist()!r}, {v.dtype.str!r})" for k, v in self.inputs.items()]
        given = [
            g + f".reshape{v.shape}" * (v.size == 0 and v.ndim > 1)
            for g, v in zip(given, self.inputs.values(), strict=True)
        ]
        return "\n".join([self.text, *[f"    ⍝ {g}" for g in given]])

    def size(self) -> tuple[int, int, int]:
        """What shrinking makes smaller."""
        elements = sum(v.size for v in self.inputs.values())
        weight = sum(int(np.abs(_numbers(v)).clip(0, 9).sum()) for v in self.inputs.values())
        return len(self.text), elements + sum(v.ndim for v in self.inputs.values()), weight


def _numbers(value: Value) -> Value:
    if value.dtype.kind == "U":
        return np.asarray(value != "a").astype(np.int64)
    numbers = np.asarray(value)
    numbers = (np.abs(numbers) if numbers.dtype.kind == "c" else numbers).astype(np.float64)
    return np.nan_to_num(numbers, nan=9.0) + (numbers != np.trunc(numbers))


def used(inputs: dict[str, Value], tree: Node) -> dict[str, Value]:
    """The inputs that a program mentions."""
    atoms = {n.text() for n in walk(tree) if not n.children}
    return {name: v for name, v in inputs.items() if name in atoms}


# --- shrinking ------------------------------------------------------------------------------------------


def walk(tree: Node) -> Iterator[Node]:
    yield tree
    for child in tree.children:
        yield from walk(child)


def smaller(program: Program) -> Iterator[Program]:
    """Simpler programs, the simplest first."""
    found = [Program(t, used(program.inputs, t)) for t in _smaller_trees(program.tree)]
    found += [replace(program, inputs=i) for i in _smaller_inputs(program.inputs)]
    limit = program.size()
    seen: set[str] = set()
    for candidate in sorted(found, key=Program.size):
        key = str(candidate)
        if candidate.size() < limit and key not in seen:
            seen.add(key)
            yield candidate


SIMPLE = {
    "array": [array(t, is_atom=t != "1 2") for t in ("0", "1", "2", "⍬", "1.5", "'a'", "1 2")],
    "function": [function(t, is_atom=True) for t in ("+", "⊢", "-", "=")],
}


def _smaller_trees(tree: Node) -> Iterator[Node]:
    if tree.kind == "body":
        for k in range(len(tree.children)):
            if len(tree.children) > 1:
                kept = tree.children[:k] + tree.children[k + 1 :]
                yield Node("body", tree.pattern[:1] + tree.pattern[2:], kept)
    else:
        yield from SIMPLE.get(tree.kind, ())
        for below in walk(tree):
            if below is not tree and below.kind == tree.kind:
                yield below
    for k, child in enumerate(tree.children):
        for less in _smaller_trees(child):
            yield replace(tree, children=(*tree.children[:k], less, *tree.children[k + 1 :]))


def _smaller_inputs(inputs: dict[str, Value]) -> Iterator[dict[str, Value]]:
    """Every input smaller; and all inputs smaller together along axes of one extent."""
    extents = {n for v in inputs.values() for n in v.shape}
    for n in sorted(extents):
        for less in sorted({0, 1, 2, 3, n // 2, n - n // 4, n - 1} & set(range(n))):
            cut = {k: _cut(v, n, less) for k, v in inputs.items()}
            yield cut
    for name, value in inputs.items():
        for less in _smaller_values(value):
            yield {**inputs, name: less}


def _cut(value: Value, extent: int, less: int) -> Value:
    index = tuple([slice(less) if n == extent else slice(None) for n in value.shape])
    return np.ascontiguousarray(value[index]).reshape(value[index].shape)


def _smaller_values(value: Value) -> Iterator[Value]:
    for axis, n in enumerate(value.shape):
        for less in sorted({k for k in (0, 1, n // 2, n - 1) if 0 <= k < n}):
            for part in (slice(less), slice(n - less, n)):
                yield np.ascontiguousarray(value[(slice(None),) * axis + (part,)])
    if value.ndim:
        yield value.reshape(-1)[0].reshape(()) if value.size else value.reshape(-1)[:0].reshape(0)
    simple = ("a",) if value.dtype.kind == "U" else (0, 1, 2, -1)
    for number in simple:
        with np.errstate(all="ignore"):
            if value.dtype.kind != "u" or number != -1:
                yield np.full_like(value, number)
    if value.dtype.name not in ("complex128", "float64", "int64", "bool") and value.dtype.kind != "U":
        yield value.astype({"f": "float64", "c": "complex128"}.get(value.dtype.kind, "int64"))
    if 0 < value.size <= 8:
        for k in range(value.size):
            for number in simple[:2]:
                changed = value.copy()
                changed.reshape(-1)[k] = number
                yield changed
