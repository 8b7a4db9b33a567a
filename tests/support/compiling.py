"""Programs of one text, compiled for given inputs: to be run, or to be looked at as C."""

from typing import Any

import numpy as np

from aplc.backends.native.run import Value
from aplc.compiled import Compiled
from aplc.compiler import compile_program, optimise, to_c, to_laila, to_tail
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.source import Source


def compiled(text: str, options: Options, **inputs: Any) -> tuple[Compiled, list[Value]]:
    """A program, and its inputs as it takes them."""
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    types = {name: each.type for name, each in given.items()}
    storage = {name: each.storage for name, each in given.items()}
    program = compile_program([Source("text", text)], types, storage, options)
    return program, [each.value for each in given.values()]


def c_of(text: str, options: Options, **inputs: Any) -> str:
    """The C of a program."""
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    term = to_tail([Source("text", text)], {name: each.type for name, each in given.items()}).term
    storage = {name: each.storage for name, each in given.items()}
    return to_c(*to_laila(optimise(term, options), storage, options), options).text
