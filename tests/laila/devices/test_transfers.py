"""What a device with memory of its own is told: what it has of an array goes with the array's memory."""

from dataclasses import replace

from aplc.compiler import optimise, to_kernels, to_laila, to_tail
from aplc.laila.devices.device_mapping import EVERYTHING
from aplc.laila.devices.transfers import DROP
from aplc.laila.ir.program import ArrayRef, ForEach, HostCall, If, Move, Statement
from aplc.laila.ir.statements import everywhere
from aplc.options import Options
from aplc.tail.source import Source

GROWS = """n←29+?1
f←{⍵≤1:1.5×⍳n ⋄ (∇ ⍵-1)+∇ ⍵-2}
f¨⍳n
"""
"""The items come from a function, and stand one behind the other in memory that grows from round to round."""


def drops(statement: Statement) -> list[str]:
    """The arrays that the device is told to forget."""
    if not (isinstance(statement, HostCall) and statement.prim is DROP):
        return []
    return [each.buffer.name for each in statement.arguments if isinstance(each, ArrayRef)]


def test_memory_that_one_round_gives_up_is_forgotten_in_all_rounds() -> None:
    options = Options("opencl", division=replace(EVERYTHING, shared=False))
    term = to_tail([Source("grows.apl", GROWS)], {}).term
    program, make = to_laila(optimise(term, options), {}, options)
    statements = to_kernels(program, make, options).program.statements
    loops = [s for s in everywhere(statements) if isinstance(s, ForEach)]
    blocks = [s.then for loop in loops for s in loop.body if isinstance(s, If)]
    moves = [(block[k - 1], s) for block in blocks for k, s in enumerate(block) if isinstance(s, Move)]
    assert moves
    for before, move in moves:
        assert drops(before) == [move.target.name]
