"""Jumps, and where they lead to. Those to lines are made jumps to something around them in `flow_graph`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aplc.apl_front.syntax.ast import Block, For, If, Jump, Loop, Node
from aplc.tail.source import Span


@dataclass(frozen=True, slots=True)
class Label:
    """A label, where it stands, and how many nodes stand before it."""

    name: str
    span: Span
    at: int


def label_of(name: str) -> str:
    """The label of a jump to a line that has this name."""
    return f"→{name}"


def is_to_a_line(jump: Jump) -> bool:
    """Whether a jump is to a line that has a label."""
    return jump.label.startswith("→")


def jumps(code: Sequence[Node]) -> Iterator[Jump]:
    """All jumps in some code."""
    stack: list[Sequence[Node]] = [code]
    while stack:
        for node in stack.pop():
            match node:
                case Jump():
                    yield node
                case If(then=then, otherwise=otherwise):
                    stack += (then, otherwise)
                case Block(body=body) | Loop(body=body) | For(body=body):
                    stack.append(body)
                case _:
                    pass


def comes_to_its_end(code: Sequence[Node]) -> bool:
    """Whether what stands behind some code may be executed."""
    for node in code:
        match node:
            case Jump() | Loop():
                return False
            case If(then=then, otherwise=otherwise):
                if not comes_to_its_end(then) and not comes_to_its_end(otherwise):
                    return False
            case Block(label=label, body=body):
                if not comes_to_its_end(body) and all(j.label != label for j in jumps(body)):
                    return False
            case _:
                pass
    return True
