"""Elements that the rounds before have written stay in variables.

    while k < n { put a[k + 2] = f(a[k], a[k + 1]); k := k + 1 }
        →   x := a[k]; y := a[k + 1], if there is a round
            while k < n { z := f(x, y); put a[k + 2] = z; x := y; y := z; k := k + 1 }

A recurrence waits for what it has just written, and from memory that comes later than from a register. What
is no element is a scalar like others, besides: a number that is whole in each round, or in a range.

So is the last element of an array that a round makes longer by one.

Legal: the place of what a round writes moves by a constant, and nothing writes to the array between that and
the reads; these come first in a round and whatever it decides, so that the elements are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.liveness import changed
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    HostLet,
    Map,
    Move,
    Program,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Check,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    contains,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p

MOST = 4
"""The rounds of which elements are kept."""


def with_elements_carried(program: Program, make: ExprBuilder) -> Program:
    """The program whose loops keep what they have just written."""

    def block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        result: list[Statement] = []
        for statement in statements:
            statement = with_bodies(statement, block)
            result += _Loop(statement, make).carrying() if isinstance(statement, While) else [statement]
        return tuple(result)

    return with_blocks(program, block)


@dataclass(frozen=True, slots=True)
class _Write:
    """An element that a round writes, or the one by which it makes an array longer."""

    buffer: Buffer
    place: Exp
    value: Exp
    computed: int
    """The number of the statement in the round that computes the value."""
    done: int
    """That of the one behind which it is there."""


@dataclass
class _Loop:
    loop: While
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)

    def carrying(self) -> list[Statement]:
        """The loop, behind the elements with which it begins."""
        if contains(Fold | BlockExp | Check, self.loop.cond):
            return [self.loop]
        before: list[Statement] = []
        for buffer in dict.fromkeys([write.buffer for write in self.writes()]):
            (write, *others) = [write for write in self.writes() if write.buffer is buffer]
            if not others:
                before += self.carried(write)
        return [*before, self.loop]

    def writes(self) -> Iterator[_Write]:
        """What a round writes one by one."""
        made: dict[Buffer, tuple[int, Map]] = {}
        for k, statement in enumerate(self.loop.body):
            match statement:
                case Store(buffer=buffer, position=place, value=value):
                    yield _Write(buffer, place, value, k, k)
                case Map(buffer=buffer):
                    made[buffer] = k, statement
                case Move(target=target, source=source) if source in made:
                    computed, longer = made[source]
                    appended = self.appended(longer, target)
                    if appended is not None:
                        yield _Write(target, *appended, computed, k)
                case _:
                    pass

    def appended(self, longer: Map, array: Buffer) -> tuple[Exp, Exp] | None:
        """The place and the value of the element by which an array is longer than another one."""
        indices, extents = longer.space.indices, longer.space.extents
        match longer.body:
            case Select(cond=Call(op=p.LTI, args=(i, n)), then=Read(buffer=old, index=j), other=value):
                whole = indices == (i,) == (j,) == (longer.position,) and old is array
                if whole and extents == (self.make.add(n, self.make.one),) and longer.guard is None:
                    return None if self.free.of(value) & set(indices) else (n, value)
            case _:
                pass
        return None

    def carried(self, write: _Write) -> list[Statement]:
        """Variables for what the rounds before have written, if one reads it: the loop has them now."""
        make, body, buffer, done = self.make, self.loop.body, write.buffer, write.done
        writers = [k for k, s in enumerate(body) if any(buffer in changed(each) for each in within((s,)))]
        if buffer.storage != STORAGE[buffer.ty] or writers[-1] != done:
            return []
        named, steps = self.named(done), self.steps(done)
        following, moving = Substitute(make, steps), set(bound(self.loop)) - steps.keys()
        reads: dict[Exp, list[Read]] = {}
        for read in self.reads(write, writers[0]):
            reads.setdefault(named(read.index), []).append(read)
        replacements: dict[Exp, Exp] = {}
        variables: list[Variable] = []
        place = named(write.place)
        while len(variables) < MOST and not self.free.of(place) & moving:
            earlier = [where for where in reads if following(where) is place and where is not place]
            if not earlier:
                break
            place = earlier[0]
            start = make.select(self.loop.cond, make.read(buffer, place), fill(make, buffer.ty))
            variables.append(Variable(Var(make.fresh("before"), buffer.ty), start))
            replacements |= dict.fromkeys(reads[place], variables[-1].var)
        if variables:
            change = Substitute(make, replacements)
            before = [rebuilt(s, change) for s in body[: writers[0] + 1]]  # behind that it may be another one
            self.loop = replace(self.loop, body=(*before, *body[writers[0] + 1 :]))
            value = change(write.value) if write.computed <= writers[0] else write.value
            self.keep([v.var for v in variables], write.computed, value)
        return list(variables)

    def keep(self, variables: list[Var], computed: int, value: Exp) -> None:
        """At the end of a round variables take what it has written, and each what the next one had."""
        body = self.loop.body
        now = Var(self.make.fresh("now"), value.ty)
        writing = rebuilt(body[computed], Substitute(self.make, {value: now}))
        given = (now, *variables[:-1])
        moves = [Assign(x, y) for x, y in zip(reversed(variables), reversed(given), strict=True)]
        stored = HostLet(now, value), writing
        self.loop = replace(self.loop, body=(*body[:computed], *stored, *body[computed + 1 :], *moves))

    def named(self, done: int) -> Substitute:
        """What puts in the place of names what they stand for, as far as that is computed with."""
        named: dict[Exp, Exp] = {}
        for statement in self.loop.body[:done]:
            if isinstance(statement, HostLet) and isinstance(statement.value, Var | Sum):
                named[statement.var] = Substitute(self.make, named)(statement.value)
        return Substitute(self.make, named)

    def steps(self, done: int) -> dict[Exp, Exp]:
        """The variables to which a round adds a constant behind a place, each with the sum."""
        assigned = [s.var for s in within(self.loop.body) if isinstance(s, Assign)]
        steps: dict[Exp, Exp] = {}
        for statement in self.loop.body[done:]:
            if isinstance(statement, Assign) and assigned.count(statement.var) == 1:
                var, value = statement.var, statement.value
                if isinstance(value, Sum) and value.terms == ((var, 1),):
                    steps[var] = value
        return steps

    def reads(self, write: _Write, first: int) -> Iterator[Read]:
        """The elements that each round reads before anything changes the array, and before anything fails."""
        for k, statement in enumerate(self.loop.body[: min(first, write.computed) + 1]):
            roots = (write.value,) if k == write.computed else own_expressions(statement)
            is_plain = isinstance(statement, HostLet | Variable | Assign | Alloc) or k == write.computed
            if not is_plain or k == first != write.computed or contains(Check, *roots):
                return
            if not contains(Fold | BlockExp, *roots):
                found = unconditional(tuple(roots))
                yield from [n for n in found if isinstance(n, Read) and n.buffer is write.buffer]
