"""Masked SIMD loops: the iterations of a strip of points run in lockstep, and lanes that have ended are
masked.

Note [Lockstep]
    A loop over scalars that is run for each point, in strips of several points:

        for i by 32 {
            x[32] = first(i+j)
            while goes on somewhere { for j < 32 { x[j] = next(x[j]) } }
            for j < 32 { … x[j] … }
        }

    What stands in `x` stays in vector registers, or in the first cache. What all points share, such as a
    count of the rounds, is one variable. There are three ways to end:

    - The points share their condition, a number of rounds perhaps. Then no point waits. A round in which no
      variable changes its bits is the last that is needed, where only the variables tell what a round does:
      each eighth round looks whether it is one. Of variables that change only where something is counted,
      the count tells.
    - Each point has a condition of its own: one that has ended keeps its values until the last one has. What
      the result does not need may change further; then a mask tells who has ended. After many rounds, not
      each one looks whether there are points left. What counts the rounds of all is counted for each by its
      mask.
    - Both: the points go on as long as one of them does and what they share says so.

    In the strip that is left over, the lanes behind the last point repeat it, and are not written.

    How many points a strip has only the C compiler knows: as many as leave what changes for each of them in
    registers, twice as many of 32 bits. With doubles there are more, and some of it stands in memory: an
    operation on them takes three or four steps until its result is there, for which other points leave no
    gap. Its arrays have room for the most, which kernels have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.rounds import Divided, Rounds, changes_where, divided, in_both_branches, with_choices
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    BITS,
    BLENDED,
    BLENDED_INTEGER,
    MASKED,
    QUOT,
    ROUND_LANES,
    BlockExp,
    Buffer,
    Const,
    Exp,
    Var,
)
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.lanes import Lanes
from aplc.laila.loops.masking.narrow_rounds import behind_first_round
from aplc.laila.loops.nests import EmitBody, Nests, Wanted, in_any_order
from aplc.laila.loops.outer_loop_legality import lanes_of, rounds_of_points
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.loops.zero_terms import is_moderate, without_zeros
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.types import Base

ROUNDS_TO_A_CHECK = 4
"""After how many rounds one looks whether it still changes anything."""

MOST_UNSEEN = 3
"""How many rounds at most are done before one looks again whether a lane goes on: few beside those done."""

LANES_OF_ROUNDS = 32
"""How many points loop side by side: those that have ended wait for the last."""

IN_INTEGERS, IN_DOUBLES = 5, 12
"""How many eighths of the registers what points keep may take: see Note [Lockstep]."""


@dataclass(frozen=True, slots=True)
class _Strip:
    """A loop for the lanes of a strip, in terms of the memory in which its variables are."""

    parts: Divided
    lane: Var
    count: int
    arrays: dict[Var, Buffer]
    counters: dict[Var, Var]
    """The variables that are shared."""
    goes_on: Exp
    own_goes_on: Exp
    nexts: dict[Var, Exp]
    certain: tuple[Exp, ...]
    """What both branches of a choice need."""


def keeps_doubles(rounds: Rounds) -> bool:
    """Whether doubles are kept from round to round."""
    return any(v.ty is Base.DOUBLE for v in rounds.variables)


class Lockstep:
    """Loops over points of which each runs a loop over scalars: see Note [Lockstep]."""

    def __init__(self, nests: Nests) -> None:
        self.lanes, self.nests, self.code = Lanes(nests), nests, nests.code
        self.make, self.free = nests.make, nests.free

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in strips of points if all that they do in loops can be done side by side."""
        piece = wanted.piece
        taken = wanted.may_be_in_lanes and self.lanes.is_in_lanes(piece, block.mode)
        loops = rounds_of_points(self.make, self.free, piece.roots, piece.var) if taken else {}
        if loops:
            self.nests.hoist(piece, wanted.hidden, block)
            self.in_lockstep(wanted, loops, block)
        else:
            otherwise(wanted, block)

    def kept(self, rounds: Rounds, point: Var) -> int:
        """How many numbers of its own a point keeps from round to round; whether it goes on may be one, and
        beside doubles how many rounds it went, or what a round computes.
        """
        parts = divided(self.make, self.free, rounds, point)
        kept = max(1, len(parts.own) + (parts.own_cond is not self.make.true))
        return kept + (bool(parts.shared) and keeps_doubles(rounds))

    def is_narrow(self, rounds: Rounds, point: Var) -> bool:
        """Whether all that a point keeps from round to round has 32 bits."""
        parts = divided(self.make, self.free, rounds, point)
        later = behind_first_round(self.make, self.lanes.ranges, rounds, parts)
        return later is not None and all(v in later.names for v in parts.own)

    def in_lockstep(self, wanted: Wanted, loops: dict[BlockExp, Rounds], block: Block) -> None:
        """A loop over points, which run their loops in strips: see Note [Lockstep]."""
        make, piece, has_memory = self.make, wanted.piece, self.nests.options.has_memory
        wide = 2 if has_memory and all(self.is_narrow(each, piece.var) for each in loops.values()) else 1
        count = min(wide * LANES_OF_ROUNDS, lanes_of(make, piece, 0))
        most, least = make.const(count), make.const(SIZES.least_points)
        variables = max([self.kept(each, piece.var) for each in loops.values()])
        in_kernel = not has_memory
        share = IN_DOUBLES if any(keeps_doubles(each) for each in loops.values()) else wide * IN_INTEGERS
        width = most if in_kernel else make.call(ROUND_LANES, most, *map(make.const, (variables, share)))

        def lanes(inner: Block) -> tuple[Exp, Var]:
            """How many lanes there are, where the C compiler sees a constant, and the index of one."""
            if in_kernel:
                return most, make.index("j", most)
            many = make.between("lanes", (least,), (most,))
            inner.statements.append(l.Declare(many, width))
            lasts = make.sub(many, make.one), make.sub(most, make.one)
            return many, make.between("j", (make.zero,), lasts)

        end = self.nests.end_of_whole(piece, width, block)
        if not make.at_least(piece.start, end):
            inner = block.inner(in_loop=True)
            many, lane = lanes(inner)
            first = self.lanes.first_of_strip(piece, *((many,) if in_kernel else (many, least)))
            length = make.call(p.MAXI, make.sub(piece.stop, piece.start), make.zero)
            strip = make.index("strip", make.call(QUOT, length, width))
            inner.statements.append(l.Declare(first, make.add(piece.start, make.mul(many, strip))))
            place = make.add(first, lane)
            roots = self.looped(piece, loops, place, lane, count, inner)
            last = Substitute(make, {piece.var: place})
            points = self.lanes.across(lane, tuple([last(root) for root in roots]))
            self.nests.loop(wanted.over(points), inner)
            strips = self.code.single(make.add(strip.highs[0], make.one), block)
            loop = l.For(strip, make.zero, strips, tuple(inner.statements))
            parallel = self.nests.accumulated(wanted.reductions, inner)
            block.statements.append(in_any_order(loop, parallel, piece.roots))

        def rest(inner: Block) -> None:
            _, lane = lanes(inner)
            place = make.add(end, lane)
            inside = make.call(p.MINI, place, make.sub(piece.stop, make.one))
            roots = self.looped(piece, loops, inside, lane, count, inner)
            last = Substitute(make, {piece.var: place})
            length = self.code.single(make.sub(piece.stop, end), inner)
            points = Piece(lane, make.zero, length, tuple([last(root) for root in roots]))
            self.nests.loop(wanted.over(points), inner)

        self.nests.branch(make.call(p.LTI, end, piece.stop), block, rest)

    def looped(
        self, piece: Piece, loops: dict[BlockExp, Rounds], place: Exp, lane: Var, count: int, block: Block
    ) -> tuple[Exp, ...]:
        """The roots of a piece with its loops done for the points at a place in each lane."""
        make = self.make
        at = Substitute(make, {piece.var: place})
        groups: dict[tuple[object, ...], dict[BlockExp, Rounds]] = {}
        for node, each in loops.items():
            groups.setdefault((each.variables, each.firsts, each.cond, each.nexts), {})[node] = each
        found: dict[Exp, Exp] = {}
        for group in groups.values():
            one = next(iter(group.values()))
            firsts, nexts = [tuple([at(e) for e in exps]) for exps in (one.firsts, one.nexts)]
            rounds = Rounds(one.variables, firsts, at(one.cond), nexts, one.result)
            wanted = frozenset([v for each in group.values() for v in self.free.of(each.result)])
            values = Substitute(make, self.rounds_in_lanes(rounds, wanted, lane, count, block))
            found |= {node: values(each.result) for node, each in group.items()}
        substitute = Substitute(make, found)
        return tuple([substitute(root) for root in piece.roots])

    def rounds_in_lanes(
        self, rounds: Rounds, wanted: frozenset[Var], lane: Var, count: int, block: Block
    ) -> dict[Exp, Exp]:
        """A loop over scalars for all lanes; the last values of its variables, at least of those wanted."""
        make = self.make
        numbers = self.as_numbers(rounds)
        if numbers:
            truths: dict[Exp, Exp] = {v: make.call(p.NEQI, n, make.zero) for v, n in numbers.items()}
            rounds = self.of_numbers(rounds, numbers, Substitute(make, truths))
            wanted = frozenset([numbers.get(v, v) for v in wanted])
            found = self.rounds_in_lanes(rounds, wanted, lane, count, block)
            ended = Substitute(make, found)
            return found | {v: ended(truths[v]) for v, n in numbers.items() if n in found}
        rounds = with_choices(make, rounds)
        parts = divided(make, self.free, rounds, lane)
        later = behind_first_round(make, self.lanes.ranges, rounds, parts)
        if later is not None:
            began = self.code.single(later.began, block)
            narrow = frozenset([later.names.get(v, v) for v in wanted])
            found = self.rounds_in_lanes(later.rounds, narrow, lane, count, block)
            started = dict(zip(rounds.variables, rounds.firsts, strict=True))
            lasts: dict[Exp, Exp] = {v: found[later.names.get(v, v)] for v in rounds.variables}
            return lasts | {v: make.select(began, lasts[v], started[v]) for v in parts.own}
        firsts = dict(zip(rounds.variables, rounds.firsts, strict=True))
        in_arrays = parts.own
        if parts.own_cond is not make.true:
            in_arrays = (*in_arrays, *[v for v in parts.shared if v in wanted])
        arrays = {v: self.lanes.array(v, count, block) for v in in_arrays}
        self.lanes.filled_together(tuple(arrays.values()), lane, tuple([firsts[v] for v in arrays]), block)
        counters = {v: Var(make.fresh(v.name), v.ty) for v in parts.shared}
        for var, counter in counters.items():
            block.statements.append(l.Declare(counter, self.code.single(firsts[var], block), mutable=True))
        last: dict[Exp, Exp] = {v: make.read(array, lane) for v, array in arrays.items()}
        known: dict[Exp, Exp] = {v: counter for v, counter in counters.items()}

        both = in_both_branches((rounds.cond, *rounds.nexts))

        def loop(nexts: tuple[Exp, ...], block: Block) -> None:
            here = replace(rounds, nexts=nexts)
            strip = self.strip(here, both, parts, lane, count, arrays, counters, block)
            if parts.own_cond is make.true:
                self.same_rounds(strip, wanted, block)
            else:
                self.rounds_until_all_end(strip, wanted, block)

        plain = without_zeros(make, rounds)
        if plain is None:
            loop(rounds.nexts, block)
        else:
            test = self.all_moderate(plain.assumed, lane, block)
            fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
            loop(plain.nexts, fast)
            loop(rounds.nexts, slow)
            block.statements.append(l.If(test, tuple(fast.statements), tuple(slow.statements)))
        return known | last

    def as_numbers(self, rounds: Rounds) -> dict[Var, Var]:
        """Variables of numbers for those of truth values that points keep beside numbers: bytes and numbers
        of 64 bits share no vectors, and as many bytes as fill one are more points than a strip has.
        """
        kinds = {v.ty for v in rounds.variables}
        if not self.nests.options.has_memory or not kinds & {Base.INT, Base.DOUBLE}:
            return {}
        return {v: Var(self.make.fresh(v.name), Base.INT) for v in rounds.variables if v.ty is Base.BOOL}

    def of_numbers(self, rounds: Rounds, numbers: dict[Var, Var], inside: Substitute) -> Rounds:
        """Rounds in which numbers stand for some truth values."""

        def number(var: Var, value: Exp) -> Exp:
            return self.make.call(p.B2I, inside(value)) if var in numbers else inside(value)

        pairs = [zip(rounds.variables, exps, strict=True) for exps in (rounds.firsts, rounds.nexts)]
        firsts, nexts = [tuple([number(v, e) for v, e in each]) for each in pairs]
        variables = tuple([numbers.get(v, v) for v in rounds.variables])
        return Rounds(variables, firsts, inside(rounds.cond), nexts, inside(rounds.result))

    def strip(
        self,
        rounds: Rounds,
        certain: tuple[Exp, ...],
        parts: Divided,
        lane: Var,
        count: int,
        arrays: dict[Var, Buffer],
        counters: dict[Var, Var],
        block: Block,
    ) -> _Strip:
        """A loop for the lanes of a strip, with what each point needs in all rounds computed before."""
        make = self.make
        roots = (parts.shared_cond, parts.own_cond, *rounds.nexts, *certain)
        roots = self.lanes.kept(roots, lane, count, frozenset(rounds.variables), block)
        known: dict[Exp, Exp] = {v: counter for v, counter in counters.items()}
        now = Substitute(make, known | {v: make.read(arrays[v], lane) for v in parts.own})
        shared_cond, own_cond, *values = [now(root) for root in roots]
        nexts = dict(zip(rounds.variables, values, strict=False))
        rest = tuple(values[len(nexts) :])
        return _Strip(parts, lane, count, arrays, counters, shared_cond, own_cond, nexts, rest)

    def all_moderate(self, numbers: tuple[Exp, ...], lane: Var, block: Block) -> Exp:
        """Whether the numbers of all lanes are what `zero_terms` assumes."""
        make = self.make
        odd = Var(make.fresh("odd"), Base.INT)
        block.statements.append(l.Declare(odd, make.zero, mutable=True))

        def look(inner: Block, roots: tuple[Exp, ...]) -> None:
            for ok in self.code.values(roots, inner):
                inner.statements.append(l.Assign(odd, make.call(BIT_OR, odd, self.code.alarm(ok))))

        lanes = self.lanes.across(lane, tuple([is_moderate(make, e) for e in numbers]))
        flag = (l.Reduction(BIT_OR, odd, make.zero),)
        self.nests.loop(Wanted(lanes, look, reductions=flag, independent=True), block)
        return make.call(p.EQI, odd, make.zero)

    def same_rounds(self, strip: _Strip, wanted: frozenset[Var], block: Block) -> None:
        """Rounds of which all lanes do the same number, as long as they change anything."""
        make, own = self.make, strip.parts.own
        changing = wanted | {v for each in own for v in self.free.of(strip.nexts[each])}
        if not own or changing & {*strip.parts.shared, *strip.counters.values()}:
            self.loop(strip.goes_on, block, lambda inner: self.same_round(strip, None, inner))
            return
        changed = Var(make.fresh("changed"), Base.INT)
        block.statements.append(l.Declare(changed, make.one, mutable=True))

        def rounds(inner: Block) -> None:
            inner.statements.append(l.Assign(changed, make.zero))
            self.same_round(strip, changed, inner)
            most = make.const(ROUNDS_TO_A_CHECK)
            self.unseen(strip, most, inner, lambda scope: self.same_round(strip, None, scope))

        goes_on = make.call(p.ANDB, make.call(p.NEQI, changed, make.zero), strip.goes_on)
        self.loop(goes_on, block, rounds)

    def loop(self, cond: Exp, block: Block, build: Callable[[Block], None]) -> None:
        """A loop as long as a condition holds."""
        inner = block.inner(in_loop=True)
        build(inner)
        block.statements.append(l.While(cond, tuple(inner.statements)))

    def unseen(self, strip: _Strip, most: Exp, block: Block, build: Callable[[Block], None]) -> Var:
        """Further rounds, with the one before no more than `most`; how many there are with that."""
        make = self.make
        done = Var(make.fresh("done"), Base.INT)
        block.statements.append(l.Declare(done, make.one, mutable=True))

        def rounds(inner: Block) -> None:
            build(inner)
            inner.statements.append(l.Assign(done, make.add(done, make.one)))

        self.loop(make.call(p.ANDB, make.call(p.LTI, done, most), strip.goes_on), block, rounds)
        return done

    def same_round(self, strip: _Strip, changed: Var | None, block: Block) -> None:
        """A round for all lanes, which perhaps notes that something changes."""
        make, own = self.make, strip.parts.own
        before = [make.read(strip.arrays[v], strip.lane) for v in own]
        after = [strip.nexts[v] for v in own]
        where = [changes_where(make, *pair) for pair in zip(before, after, strict=True)]
        counted = tuple(dict.fromkeys([w.cond for w in where if w is not None and w.always and changed]))

        def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
            values = self.code.values(roots, inner)
            nexts = [self.code.named(v, inner, "x") for v in values[: len(own)]]
            if changed is not None:
                signs = list(values[len(own) : len(own) + len(counted)])
                for old, new, change in zip(before, nexts, where, strict=True):
                    if change is None or change.cond not in counted:
                        signs.append(self.differs(old, new))
                for sign in signs:
                    mark = make.call(BIT_OR, changed, make.call(ALARM, sign))
                    inner.statements.append(l.Assign(changed, mark))
            for var, new in zip(own, nexts, strict=True):
                inner.statements.append(l.Store(strip.arrays[var], strip.lane, new))

        self.each_lane(strip, (*after, *counted), changed, advance, block)
        nexts = strip.nexts if len(strip.parts.shared) == 1 else self.shared_nexts(strip, block)
        self.shared_change(strip, nexts, block)

    def each_lane(
        self, strip: _Strip, roots: tuple[Exp, ...], flag: Var | None, advance: EmitBody, block: Block
    ) -> None:
        """A loop over the lanes, which may raise a flag."""
        reductions = () if flag is None else (l.Reduction(BIT_OR, flag, self.make.zero),)
        lanes = self.lanes.across(strip.lane, (*roots, *strip.certain))
        self.nests.loop(Wanted(lanes, advance, reductions=reductions, independent=True), block)

    def differs(self, a: Exp, b: Exp) -> Exp:
        """Whether two values are not the same in their bits."""
        make = self.make
        if a.ty is Base.DOUBLE:
            return make.call(p.NEQI, make.call(BITS, a), make.call(BITS, b))
        return make.call({Base.INT: p.NEQI, Base.BOOL: p.NEQB, Base.CHAR: p.NEQC}[a.ty], a, b)

    def shared_nexts(self, strip: _Strip, block: Block) -> dict[Var, Exp]:
        """What is shared, after this round."""
        nexts = tuple([strip.nexts[v] for v in strip.parts.shared])
        values = [self.code.named(v, block, "x") for v in self.code.values(nexts, block)]
        return dict(zip(strip.parts.shared, values, strict=True))

    def shared_change(self, strip: _Strip, nexts: dict[Var, Exp], block: Block) -> None:
        """What is shared becomes what it is after this round."""
        for var, counter in strip.counters.items():
            if nexts[var] is not counter:
                block.statements.append(l.Assign(counter, nexts[var]))

    def step(self, strip: _Strip, var: Var) -> Exp | None:
        """By what constant a shared integer grows in each round."""
        grown = self.make.sub(strip.nexts[var], strip.counters[var]) if var.ty is Base.INT else None
        return grown if isinstance(grown, Const) else None

    def where(self, cond: Exp, new: Exp, old: Exp, *, by_bits: bool) -> Exp:
        """What is new in lanes that go on, and stays in others."""
        op = {Base.DOUBLE: BLENDED, Base.INT: BLENDED_INTEGER}.get(new.ty) if by_bits else None
        return self.make.select(cond, new, old) if op is None else self.make.call(op, cond, new, old)

    def rounds_until_all_end(self, strip: _Strip, wanted: frozenset[Var], block: Block) -> None:
        """Rounds until all lanes have ended, each for itself: what is wanted of one then stays."""
        make, lane, own = self.make, strip.lane, strip.parts.own
        stays = {v for v in own if v in wanted}
        going: Buffer | None = None
        if len(own) - len(stays) > 1:
            going = Buffer(make.fresh("going"), Base.INT, "int64")
            block.statements.append(l.Local(going, strip.count))
            self.lanes.filled(going, lane, make.one, block)
        else:
            stays = set(own)
        counts = {v: step for v in strip.parts.shared if (step := self.step(strip, v)) is not None}
        counted = set() if going is None else set(counts)
        chosen = [v for v in strip.arrays if v in stays or (v not in own and v not in counted)]
        chosen.sort(key=lambda v: v.ty is not Base.DOUBLE)
        some, count = Var(make.fresh("some"), Base.INT), Var(make.fresh("rounds"), Base.INT)
        block.statements.append(l.Declare(some, make.one, mutable=True))
        block.statements.append(l.Declare(count, make.zero, mutable=True))

        def one(inner: Block, some: Var | None) -> None:
            shared = self.shared_nexts(strip, inner)

            def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
                found = self.code.values(roots, inner)[: 1 + len(own)]
                cond, *values = [self.code.named(v, inner, "x") for v in found]
                mark = make.call(ALARM, cond)
                if going is not None:
                    mark = self.code.named(make.call(MASKED, make.read(going, lane), cond), inner, "x")
                    cond = make.call(p.NEQI, mark, make.zero)
                    inner.statements.append(l.Store(going, lane, mark))
                if some is not None:
                    inner.statements.append(l.Assign(some, make.call(BIT_OR, some, mark)))
                nexts = dict(zip(own, values, strict=True))
                for var, array in strip.arrays.items():
                    new = nexts.get(var, shared.get(var))
                    assert new is not None
                    if var in counted:
                        new = make.add(make.read(array, lane), make.mul(counts[var], mark))
                    elif var in chosen:
                        new = self.where(cond, new, make.read(array, lane), by_bits=var is not chosen[0])
                    inner.statements.append(l.Store(array, lane, new))

            roots = (strip.own_goes_on, *[strip.nexts[v] for v in own])
            self.each_lane(strip, roots, some, advance, inner)
            self.shared_change(strip, shared, inner)

        def rounds(inner: Block) -> None:
            inner.statements.append(l.Assign(some, make.zero))
            one(inner, some)
            share = make.call(QUOT, count, make.const(16))
            most = make.call(p.MINI, make.add(share, make.one), make.const(MOST_UNSEEN + 1))
            done = self.unseen(strip, most, inner, lambda scope: one(scope, None))
            inner.statements.append(l.Assign(count, make.add(count, done)))

        self.loop(make.call(p.ANDB, make.call(p.NEQI, some, make.zero), strip.goes_on), block, rounds)
