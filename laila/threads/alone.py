"""Functions whose calls may be tasks, as they are where no loop of theirs runs in threads.

    goal with threads     ─ PASSES ─► functions with loops that can run in parts
    goal without threads  ─ PASSES ─► the same functions with loops that need not

Inside of a task, loops do not run in parts (Note [Tasks] of `tasks`), so what passes do for one thread alone
serves there. A function has a version of its own for that only where it comes out differently.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count

from aplc.laila.ir.program import ArrayRef, Function, FunctionCall, Program
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.statements import everywhere, leaves
from aplc.laila.ir.text_print import print_program

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def may_have_tasks(program: Program) -> bool:
    """Whether a function of a program makes several calls of such functions: some might be tasks."""
    calls = [[s for s in everywhere(f.statements) if isinstance(s, FunctionCall)] for f in program.functions]
    return any(len(found) > 1 for found in calls)


def with_functions_alone(program: Program, alone: Program) -> Program:
    """A program whose functions say what they are alone, as in another one, where that differs.

    Preconditions: both are made of one program, so that the same functions come in the same order.
    """
    pairs = zip(program.functions, alone.functions, strict=True)
    functions = [replace(f, alone=g) if _differ(f, g) else f for f, g in pairs]
    if any(_memory(f) != _memory(g) for f, g in zip(program.functions, alone.functions, strict=True)):
        return program  # they could not call each other
    return replace(program, functions=tuple(functions))


def _differ(one: Function, other: Function) -> bool:
    """Whether two functions differ in more than the names inside them."""
    return _text_of(one) != _text_of(other)


def _text_of(function: Function) -> str:
    """The text of a function with its names numbered in the order in which they come."""
    numbers, names = count(), dict[str, str]()

    def number(match: re.Match[str]) -> str:
        name = match[0]
        if name not in names:
            names[name] = f"x{next(numbers)}"
        return names[name]

    return _IDENTIFIER.sub(number, print_program(Program((), (), (function,))))


def _memory(function: Function) -> list[str]:
    """How the arrays are stored that a function takes and gives."""
    references = (*function.parameters, *function.results)
    found = [leaf.buffer for r in references for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
    return [_stored(buffer) for buffer in found]


def _stored(buffer: Buffer) -> str:
    return f"{buffer.ty} {buffer.storage}"
