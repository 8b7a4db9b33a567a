"""Positions in a grade that have a name are read where they tell of an element.

    alloc g; run aplc_grade_up_int(v, n, 1, g); i = g[k]; free g; … v[i - 1] …
    →   alloc g; run aplc_grade_up_int(v, n, 1, g); … v[g[k] - 1] …; free g

So `⍵[k⊃⍋⍵]` in a function of rows or windows is an element in order, as `k⊃⍵[⍋⍵]` is, for those who want no
more than that: see `networks` and `rank_selection`. It is done where the name has no other use.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import Free, HostLet, Program, Statement
from aplc.laila.ir.scalar import Exp, FreeVars, Read, Var, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, expressions, rebuilt, with_blocks
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.grades import graded


def with_positions_in_place(program: Program, make: ExprBuilder) -> Program:
    """The program without names of positions in grades that only tell of elements."""
    return with_blocks(program, lambda statements: _block(make, statements))


def _block(make: ExprBuilder, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    made = graded(statements, lambda inside: _block(make, inside))
    block, names = made.block, FreeVars()
    grades = {each for k in made.grades for each in named(block[k])[-1:]}
    k = 0
    while grades and k < len(block):
        statement = block[k]
        match statement:
            case HostLet(var=var, value=Read(buffer=grade, index=place)) if grade in grades:
                behind = _read_in_place(make, names, (var, make.read(grade, place)), block[k + 1 :])
                if behind is not None:
                    block[k:] = behind
                    continue
            case _:
                pass
        k += 1
    return tuple(block)


def _read_in_place(
    make: ExprBuilder, names: FreeVars, known: tuple[Var, Exp], behind: Sequence[Statement]
) -> list[Statement] | None:
    """Statements that read a position where they use its name; None if one uses it for anything else, or
    changes what it is read by.
    """
    var, position = known
    assert isinstance(position, Read)
    users = [k for k, s in enumerate(behind) if var.name in _names(names, s)]
    if not users or any([not _tells_of_elements(behind[k], var.name) for k in users]):
        return None
    until = behind[: users[-1] + 1]
    freed = [s for s in until if isinstance(s, Free) and s.buffer is position.buffer]
    if any([position.buffer in named(s) for s in until if s not in freed]):
        return None
    if {v.name for s in until for v in bound(s)} & names.names(position):
        return None
    uses = nodes(*[e for k in users for e in expressions(behind[k])])
    put = Substitute(make, {n: position for n in uses if isinstance(n, Var) and n.name == var.name})
    changed = [rebuilt(s, put) for s in until if s not in freed]
    return [*changed, *freed, *behind[len(until) :]]


def _names(names: FreeVars, statement: Statement) -> set[str]:
    """The names that a statement uses, those in it included."""
    return {name for exp in expressions(statement) for name in names.names(exp)}


def _tells_of_elements(statement: Statement, name: str) -> bool:
    """Whether a statement without others in it uses a variable only to say which elements it reads."""
    outside = nodes(*expressions(statement), below=lambda exp: () if isinstance(exp, Read) else operands(exp))
    is_used = any(isinstance(exp, Var) and exp.name == name for exp in outside)
    return not is_used and not any(bodies(statement))
