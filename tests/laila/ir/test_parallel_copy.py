"""The state of loops changes at once: parallel copies made sequential, and the checker of loops."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from aplc.compiler import optimise, to_laila, to_tail
from aplc.laila.ir.check import Checked
from aplc.laila.ir.check_rounds import check_rounds
from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.parallel_copy import assignments, exchanges
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Space,
    Statement,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, Site, Sum, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering import control as lower_control
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import InternalError
from aplc.tail.source import Source
from aplc.tail.types import Base
from tests.support.laila.text import laila

MAKE = ExprBuilder()
NAMES = tuple([Var(name, Base.INT) for name in "abcd"])
SITE = Site(faults.NO_MEMORY, "", None)


# --- parallel copies ------------------------------------------------------------------------------------


def value(exp: Exp, env: dict[str, int]) -> int:
    """The value of a sum of variables."""
    match exp:
        case Var(name=name):
            return env[name]
        case Const(value=number):
            return int(number)
        case Sum(const=const, terms=terms):
            return const + sum(k * value(atom, env) for atom, k in terms)
        case _:
            raise AssertionError(exp)


def after(statements: Sequence[Statement], env: dict[str, int]) -> dict[str, int]:
    """The variables after some statements."""
    for statement in statements:
        assert isinstance(statement, HostLet | Assign)
        env = env | {statement.var.name: value(statement.value, env)}
    return env


def test_copies_happen_at_once() -> None:
    """Each of four variables gets the value of any other, in all ways: one value is kept for each ring."""
    for sources in product(range(4), repeat=4):
        statements = assignments(MAKE, [(var, NAMES[k]) for var, k in zip(NAMES, sources, strict=True)])
        changed = after(statements, dict(zip("abcd", range(4), strict=True)))
        assert tuple([changed[n] for n in "abcd"]) == sources
        assert sum(isinstance(s, HostLet) for s in statements) == rings(sources)
        assert len(statements) == rings(sources) + sum(k != source for k, source in enumerate(sources))


def rings(sources: tuple[int, ...]) -> int:
    """How many rings of more than one copy there are."""
    found = set()
    for start in range(len(sources)):
        way = [start]
        while sources[way[-1]] not in way:
            way.append(sources[way[-1]])
        if sources[way[-1]] == start and len(way) > 1:
            found.add(frozenset(way))
    return len(found)


def test_copies_wait_for_sums() -> None:
    a, b, c, _ = NAMES
    changes = [(a, MAKE.add(a, MAKE.one)), (b, a), (c, MAKE.add(b, c))]
    statements = assignments(MAKE, changes)
    assert [s.var.name for s in statements if isinstance(s, Assign)] == ["c", "b", "a"]
    assert after(statements, {"a": 1, "b": 5, "c": 7}) == {"a": 2, "b": 1, "c": 12}


BUFFERS = tuple([Buffer(name, Base.INT, "int64") for name in "pqrs"])


def test_exchanges_happen_at_once() -> None:
    """Each of four arrays gets the memory of another, or some new memory later, in all ways."""
    for sources in product((None, 0, 1, 2, 3), repeat=4):
        wanted = {k: s for k, s in enumerate(sources) if s is not None}
        if len(set(wanted.values())) < len(wanted):
            continue
        held = dict(zip(BUFFERS, range(4), strict=True))
        for statement in exchanges(BUFFERS, wanted):
            assert isinstance(statement, Swap)
            held[statement.first], held[statement.second] = held[statement.second], held[statement.first]
        assert {k: held[BUFFERS[k]] for k in wanted} == wanted
        assert sorted(held.values()) == [0, 1, 2, 3]


def test_only_rings_take_another_name() -> None:
    text = laila("⎕←{(a b c)←⍵ ⋄ b c(b+c)}⍣9⊢1 1 2")
    assert text.count("t : int = ") == 1
    assert "t_1" not in text
    assert text.count(":= ") == 4


# --- the checker ----------------------------------------------------------------------------------------

M, N, K = [Var(name, Base.INT) for name in "mnk"]
P, Q, R, _ = BUFFERS
START = [Variable(v, MAKE.one) for v in (M, N, K)]
BELOW = Call(p.LTI, (K, MAKE.const(3)), Base.BOOL)
INDEX = MAKE.index("i", M)
NEXT = Assign(K, MAKE.add(K, MAKE.one))


def fill(buffer: Buffer, source: Buffer) -> Map:
    return Map(buffer, Space((INDEX,), (M,)), INDEX, MAKE.read(source, INDEX))


def loop(*body: Statement) -> Program:
    memory = [Alloc(b, M, SITE) for b in (P, Q)]
    return Program((), tuple(with_frees([*START, *memory, While(BELOW, body)])))


GOOD: dict[str, tuple[Statement, ...]] = {
    "in order": (NEXT, Assign(M, N), Assign(N, MAKE.one)),
    "kept": (HostLet(Var("t", Base.INT), N), Assign(N, M), Assign(M, Var("t", Base.INT)), NEXT),
    "exchanged": (fill(P, Q), Swap(P, Q), NEXT),
    "taken": (Alloc(R, M, SITE), fill(R, P), Move(P, R), NEXT),
    "either": (If(BELOW, (Assign(M, N),), (Assign(N, M),)), NEXT),
    "own of a round": (Variable(Var("x", Base.INT), N), Assign(Var("x", Base.INT), M), NEXT),
    "of an inner loop": (While(BELOW, (fill(P, Q), NEXT)),),
}
BAD: dict[str, tuple[Statement, ...]] = {
    "n is read": (Assign(N, M), Assign(M, N), NEXT),
    "m is read": (Assign(M, N), fill(P, Q), NEXT),
    "k is read": (NEXT, HostLet(Var("x", Base.INT), K)),
    "m is read ": (If(BELOW, (Assign(M, N),)), NEXT, Assign(N, M)),
    "m is read  ": (Assign(M, N), While(BELOW, (Assign(N, M), NEXT))),
    "p, q is used": (Swap(P, Q), fill(Q, P), NEXT),
    "p is used": (Alloc(R, M, SITE), Move(P, R), fill(Q, P), NEXT),
    "p is used ": (Alloc(R, M, SITE), Move(P, R), Swap(P, Q), NEXT),
}


@pytest.mark.parametrize("name", GOOD)
def test_checker_accepts(name: str) -> None:
    check_rounds(loop(*GOOD[name]), "lower", Checked())


@pytest.mark.parametrize("message", BAD)
def test_checker_rejects(message: str) -> None:
    with pytest.raises(InternalError, match=f"lower: {message.strip()} after"):
        check_rounds(loop(*BAD[message]), "lower", Checked())


def one_by_one(make: ExprBuilder, changes: Sequence[tuple[Var, Exp]]) -> list[Statement]:
    """What lowering must not do."""
    return [Assign(var, new) for var, new in changes]


@pytest.mark.parametrize("text", ["⍉⍣3⊢2 3⍴⍳6", "{a b←⍵ ⋄ b a}⍣3⊢(1 2 3)(4 5)", "{a b←⍵ ⋄ b a}⍣3⊢1 2"])
def test_a_lowering_that_changes_state_one_by_one_is_found(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled() -> None:
        to_laila(optimise(to_tail([Source("p.apl", text)], {}).term, options), {}, options)

    options = Options(verify=True)
    compiled()
    broken: Callable[..., list[Statement]] = one_by_one
    monkeypatch.setattr(lower_control, "assignments", broken)
    with pytest.raises(InternalError, match=r"^lower: "):
        compiled()
