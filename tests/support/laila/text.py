"""The Laila program of an APL program, as text, for tests of what passes make of it."""

from aplc.compiler import optimise, to_laila, to_tail
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from aplc.tail.source import Source


def laila(text: str) -> str:
    """The program as it is handed to code generation."""
    options = Options()
    term = optimise(to_tail([Source("p.apl", text)], {}).term, options)
    return print_program(to_laila(term, {}, options)[0])
