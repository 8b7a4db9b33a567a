"""Index-set splitting: pieces cover a range once and in order, and compute what the whole computes."""

from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aplc.laila.ir.scalar import Buffer, Call, Exp, Fold, FreeVars, Read, Select, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import MAX_PIECES, NODES_IN_PIECES, Piece, at_most_once, split
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import INT_MAX, INT_MIN
from aplc.tail.types import Base
from tests.support.laila.meaning import Env, Memory, value_of

COMPARISONS = (p.LTI, p.LTEI, p.GTI, p.GTEI, p.EQI, p.NEQI)
BUFFER = Buffer("v", Base.DOUBLE, "float64")
PLACES = Buffer("w", Base.INT, "int64")


class Everywhere(list[int]):
    """Elements at all places: the places themselves."""

    def __len__(self) -> int:
        return INT_MAX

    def __getitem__(self, place: Any) -> Any:
        return place


MEMORY: Memory = {PLACES: Everywhere()}


@dataclass
class Case:
    """A range to split, with the names of the host variables in it."""

    make: ExprBuilder
    piece: Piece
    inner: Var


class Maker:
    """Draws conditions over an index `i < n` and host variables, and selects on them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        make = self.make = ExprBuilder()
        self.n = make.between("n", (make.zero,), ())
        self.extent: Exp = draw(
            st.sampled_from(
                (
                    self.n,
                    make.const(6),
                    make.add(self.n, make.const(2)),
                    make.call(p.MAXI, make.zero, make.sub(self.n, make.one)),
                    make.call(p.MINI, self.n, make.const(4)),
                )
            )
        )
        self.i = make.index("i", self.extent)
        self.j = make.index("j", self.n)
        self.hosts = (
            self.n,
            make.between("m", (make.zero,), ()),
            make.between("k", (make.zero,), (self.n,)),
            make.between("h", (), ()),
            Var(make.fresh("x"), Base.INT),
        )

    def choose(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def affine(self) -> Exp:
        """An index plus or minus host variables and a constant."""
        make = self.make
        result: Exp = make.const(self.draw(st.integers(-4, 8)))
        for _ in range(self.draw(st.integers(0, 2))):
            result = self.choose(make.add, make.sub)(result, self.choose(*self.hosts))
        return result

    def test(self) -> Exp:
        make = self.make
        side = (
            make.add(self.affine(), self.i) if self.choose(True, False) else make.sub(self.affine(), self.i)
        )
        args = (side, self.affine())
        return make.call(self.choose(*COMPARISONS), *(args if self.choose(True, False) else args[::-1]))

    def condition(self, depth: int) -> Exp:
        kind = self.choose("test", "test", "and", "or", "not") if depth else "test"
        if kind == "test":
            return self.test()
        if kind == "not":
            return self.make.call(p.NOTB, self.condition(depth - 1))
        op = p.ANDB if kind == "and" else p.ORB
        return self.make.call(op, self.condition(depth - 1), self.condition(depth - 1))

    def place(self) -> Exp:
        """An element at a place that is bounded from below, and perhaps from above."""
        make = self.make
        first, second = self.affine(), make.add(self.affine(), self.i)
        found = make.call(p.MINI, *self.choose((first, second), (second, first)))
        found = make.call(p.MAXI, *self.choose((found, self.affine()), (second, self.affine())))
        if self.choose(True, False):
            shifted = make.add(self.i, make.const(self.draw(st.integers(-3, 3))))
            shifted = self.choose(shifted, make.add(self.n, shifted), make.sub(self.n, shifted))
            found = make.call(p.RESI, self.choose(self.n, *self.hosts, make.const(4)), shifted)
        bounded = make.call(p.MINI, make.const(INT_MAX - 1), make.call(p.MAXI, make.zero, found))
        return make.read(PLACES, bounded)

    def value(self, depth: int) -> Exp:
        make = self.make
        if depth == 0:
            leaves: tuple[Exp, ...] = (
                make.const(self.draw(st.integers(0, 9))),
                self.i,
                make.mul(self.i, self.i),
                self.place(),
            )
            return self.choose(*leaves)
        cond = self.condition(2)
        return make.select(cond, self.value(depth - 1), self.value(depth - 1))

    def root(self) -> Exp:
        return self.make.add(self.value(2), self.value(self.draw(st.integers(0, 1))))

    def case(self) -> Case:
        roots = tuple([self.root() for _ in range(self.draw(st.integers(1, 2)))])
        return Case(self.make, Piece(self.i, self.make.zero, self.extent, roots), self.j)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Case, list[Env]]:
    maker = Maker(draw)
    case = maker.case()
    users = st.one_of(st.integers(-3, 9), st.sampled_from((INT_MIN, INT_MIN + 1, INT_MAX, INT_MAX - 1)))
    environments: list[Env] = []
    for n in (0, 1, 2, draw(st.integers(3, 9))):
        env = {
            "n": n,
            "m": draw(st.integers(0, 6)),
            "k": draw(st.integers(0, n)),
            "h": draw(st.integers(-9, 9)),
        }
        environments.append({**env, "x": draw(users)})
    return case, environments


def pieces_of(case: Case, unbound: frozenset[Var] = frozenset()) -> list[Piece]:
    return split(case.make, FreeVars(), case.piece, unbound)


@pytest.mark.in_turn(16)
@settings(max_examples=150, deadline=None)
@given(cases(), st.sampled_from((1, 100, NODES_IN_PIECES)))
def test_pieces_cover_the_range_once_in_order_with_the_same_values(
    drawn: tuple[Case, list[Env]], most: int
) -> None:
    case, environments = drawn
    with patch("aplc.laila.ir.split.NODES_IN_PIECES", most):
        pieces = pieces_of(case)
    assert len(pieces) <= MAX_PIECES
    for env in environments:
        visited: list[int] = []
        for piece in pieces:
            for i in range(value_of(piece.start, env), value_of(piece.stop, env)):
                visited.append(i)
                inside = {**env, piece.var.name: i}
                whole = {**env, case.piece.var.name: i}
                for bound in piece.var.lows:
                    assert value_of(bound, inside) <= i
                for bound in piece.var.highs:
                    assert i <= value_of(bound, inside)
                for root, original in zip(piece.roots, case.piece.roots, strict=True):
                    assert value_of(root, inside, MEMORY) == value_of(original, whole, MEMORY)
        assert visited == list(range(value_of(case.piece.stop, env)))


@settings(max_examples=50, deadline=None)
@given(cases())
def test_conditions_on_inner_variables_are_left_alone(drawn: tuple[Case, list[Env]]) -> None:
    """Conditions that also depend on the index of a loop further in have no breakpoint here."""
    case, _ = drawn
    make = case.make
    cond = make.call(p.LTI, make.add(case.piece.var, case.inner), make.const(5))
    root = make.select(cond, make.zero, make.one)
    whole = Piece(case.piece.var, case.piece.start, case.piece.stop, (root,))
    pieces = split(make, FreeVars(), whole, frozenset((case.inner,)))
    assert [piece.roots for piece in pieces] == [(root,)] or make.at_least(make.zero, whole.stop)


def conditions_in(roots: tuple[Exp, ...]) -> list[Exp]:
    return [node.cond for node in nodes(*roots) if isinstance(node, Select)]


def plain(extent: int | None = None) -> tuple[ExprBuilder, Var, Exp]:
    make = ExprBuilder()
    n: Exp = make.const(extent) if extent is not None else make.between("n", (make.zero,), ())
    return make, make.index("i", n), n


def test_signal_has_no_condition_in_its_loop() -> None:
    """`0,v` minus itself rotated: the first and the last element are special, the rest is one loop."""
    make, i, n = plain()
    one = make.one
    buffer = Buffer("v", Base.DOUBLE, "float64")

    def joined(index: Exp) -> Exp:
        return make.select(
            make.call(p.LTI, index, one), make.const(0.0), make.read(buffer, make.sub(index, one))
        )

    root = make.call(p.SUBD, joined(make.add(i, one)), joined(i))
    pieces = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    assert len(pieces) == 2
    assert [conditions_in(piece.roots) for piece in pieces] == [[], []]
    assert pieces[0].stop is make.call(p.MINI, one, n) and pieces[1].start is one


def test_a_rotation_by_a_count_of_the_run() -> None:
    make, i, n = plain()
    k = make.between("k", (make.zero,), (make.sub(n, make.one),))
    kept = make.sub(n, k)
    root = make.select(
        make.call(p.LTI, i, kept),
        make.read(BUFFER, make.add(i, k)),
        make.read(BUFFER, make.sub(i, kept)),
    )
    pieces = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    assert len(pieces) == 2
    assert all(isinstance(piece.roots[0], Read) for piece in pieces)


@pytest.mark.parametrize("op", [p.EQI, p.NEQI])
def test_an_equality_is_cut_out(op: Any) -> None:
    make, i, n = plain()
    k = make.between("k", (make.zero,), (make.sub(n, make.one),))
    root = make.select(make.call(op, i, k), make.const(1), make.const(2))
    pieces = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    # A piece of one index is no loop: its index is put in.
    values = [
        Substitute(make, {q.var: q.start})(q.roots[0]) if at_most_once(make, q) else q.roots[0]
        for q in pieces
    ]
    low, high = (make.const(2), make.const(1)) if op is p.EQI else (make.const(1), make.const(2))
    assert values == [low, high, low]


def test_places_at_the_edge_are_cut_out() -> None:
    """`v[1⌈¯1+⍳n]+v[n⌊1+⍳n]`: the first element and the last are read where rows further in are not cut."""
    make, i, n = plain()
    last = make.sub(n, make.one)
    before = make.read(BUFFER, make.call(p.MAXI, make.zero, make.sub(i, make.one)))
    behind = make.read(BUFFER, make.call(p.MINI, make.add(i, make.one), last))
    whole = Piece(i, make.zero, n, (make.call(p.ADDD, before, behind),))
    pieces = split(make, FreeVars(), whole, frozenset())
    assert [piece.start for piece in pieces][:2] == [make.zero, make.one]
    (inside,) = [piece for piece in pieces if piece.start is make.one]
    assert not [node for node in nodes(*inside.roots) if isinstance(node, Call)][1:]
    assert split(make, FreeVars(), whole, frozenset((make.index("j", n),))) == [whole]


def test_a_range_known_to_be_empty_has_no_pieces() -> None:
    make, i, n = plain(0)
    assert split(make, FreeVars(), Piece(i, make.zero, n, (i,)), frozenset()) == []


def test_many_breakpoints_give_a_bounded_number_of_pieces() -> None:
    make, i, n = plain(1000)
    root: Exp = make.zero
    for k in range(50):
        root = make.add(root, make.select(make.call(p.LTI, i, make.const(10 * k + 5)), i, make.const(k)))
    pieces = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    assert 2 <= len(pieces) <= MAX_PIECES
    assert sum([value_of(q.stop, {}) - value_of(q.start, {}) for q in pieces]) == 1000


def test_a_large_body_is_cut_off_its_ends_only() -> None:
    """One piece in the middle has no condition, and a copy of the sum is not made for each border."""
    make, i, n = plain()
    root: Exp = make.zero
    for k in range(1, 60):
        shift = make.const(k % 7 + 1)
        place = make.add(i, shift if k % 2 else make.sub(make.zero, shift))
        inside = make.call(p.ANDB, make.call(p.GTEI, place, make.zero), make.call(p.LTI, place, n))
        read = make.read(BUFFER, make.add(place, make.const(100 * k)))
        root = make.add(root, make.select(inside, make.call(p.D2I, read), make.const(k)))
    first, middle, last = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    assert [bool(conditions_in(piece.roots)) for piece in (first, middle, last)] == [True, False, True]
    assert middle.start is make.const(7) and make.sub(n, middle.stop) is make.const(7)


def test_other_coefficients_and_conditions_outside_selects_do_not_split() -> None:
    make, i, n = plain()
    twice = make.select(make.call(p.LTI, make.mul(make.const(2), i), n), make.zero, make.one)
    flag = make.call(p.B2I, make.call(p.LTI, i, make.const(3)))
    data = make.select(make.call(p.LTD, make.read(BUFFER, i), make.const(3.0)), make.zero, make.one)
    for root in (twice, flag, data):
        whole = Piece(i, make.zero, n, (root,))
        assert split(make, FreeVars(), whole, frozenset()) == [whole]


def test_conditions_on_the_index_of_a_fold_inside_are_left_to_its_loop() -> None:
    make, i, n = plain()
    k = make.index("k", n)
    body = make.select(make.call(p.LTI, make.add(i, k), n), make.zero, make.one)
    own = make.select(make.call(p.LTI, k, make.const(3)), make.zero, make.one)
    for inside in (body, own):
        fold = make.fold(p.ADDI, k, n, inside, make.zero)
        whole = Piece(i, make.zero, n, (fold,))
        assert split(make, FreeVars(), whole, frozenset()) == [whole]
        assert isinstance(fold, Fold)


def test_a_comparison_with_a_user_integer_that_may_wrap_is_kept() -> None:
    make, i, n = plain(4)
    x = Var("x", Base.INT)
    root = make.select(make.call(p.LTEI, i, x), make.zero, make.one)
    pieces = split(make, FreeVars(), Piece(i, make.zero, n, (root,)), frozenset())
    for value in (INT_MAX, INT_MIN, 2, -1):
        found = [
            value_of(q.roots[0], {"x": value, q.var.name: k})
            for q in pieces
            for k in range(value_of(q.start, {"x": value}), value_of(q.stop, {"x": value}))
        ]
        assert found == [0 if k <= value else 1 for k in range(4)]
