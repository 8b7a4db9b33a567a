"""Programs of Laila, made from texts of APL with all passes and checks, and all of their statements."""

from collections.abc import Iterator

from aplc.compiler import optimise, to_laila, to_tail
from aplc.laila.ir.program import Program, Statement
from aplc.laila.ir.statements import bodies
from aplc.options import Options
from aplc.tail.source import Source
from aplc.tail.types import Array, Base, Nested, Rho

DOUBLES = Array(Base.DOUBLE, Rho(1))


def lowered(text: str, level: int = 2, **inputs: Array | Nested) -> Program:
    """The Laila program of a text, with all its passes and checks."""
    elaborated = to_tail([Source("test", text)], inputs)
    options = Options("c", level, verify=True)
    return to_laila(optimise(elaborated.term, options), {}, options)[0]


def all_statements(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    """Statements, and those inside them."""
    for statement in statements:
        yield statement
        for body in bodies(statement):
            yield from all_statements(body)
