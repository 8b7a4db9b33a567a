"""Characters that are looked at where they are read first, and not by who calls the program.

Note [Characters that are seen]
    An array of Python may hold numbers that are no characters, so somebody looks at each element before the
    program takes them for granted. To do that before the program begins takes as long as to read them from
    memory once more. So a loop that reads all of them anyway collects their bits, and what no loop has seen
    is looked at behind it:

        for i in a … b { x[i] = f(t[i+c]) }
        →   bits |= seen(t, upto, a+c)
            for i in a … b { x[i] = f(t[i+c]); bits = bits | t[i+c] }
            upto = max(upto, b+c)
            …
            bits |= seen(t, upto, n); fail if bits are those of no characters

    Until then numbers may be anything: so they, and what is computed of them other than conditions, must not
    tell what is read or written, how often a loop runs, or what is divided by, up to the end of the outermost
    loop that reads them first. A word of 64 conditions (Note [Marks] of `compress_store`) has bits for each
    lane.

    Parts of a loop that run in threads collect bits that are joined.

    If the program fails there is no value, and the caller, who knows which arguments he has left to the
    program, looks at these: the error that he finds comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import LOOK, RuntimeCall
from aplc.laila.ir.rounds import TRAPPING
from aplc.laila.ir.scalar import (
    CODE_BITS,
    PLACES,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Site,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.folding.whole_lines import LINES
from aplc.laila.loops.masking.compress_store import BitLanes
from aplc.tail import prims as p
from aplc.tail.faults import Fault
from aplc.tail.types import Base

HEADER = "aplc_characters.h"
DOUBT = Site(Fault("DOMAIN ERROR", "a number is no character"), "", None)
"""What is told where the caller does not look for himself."""

LEAST_BLOCK = 256
"""Loops inside others, in shorter blocks, pay more for what stands around them."""

LENGTHS = range(2, 9)
"""The rows all of whose characters are looked at where a loop reads half of them, as vectors hold all."""

SIDE_BY_SIDE = 64
"""Lanes of a word of conditions."""

PACK = "aplc_pack_"
"""What takes elements from memory to memory, as a mask says."""


def with_characters_seen(code: l.Code, make: ExprBuilder, *, threads: bool = False) -> l.Code:
    """The program, which looks at its characters where Note [Characters that are seen] allows that; its loops
    may run in `threads`.
    """
    if code.routines:
        return code
    for buffer, size in code.sizes:
        if buffer.ty is Base.CHAR and buffer.item_bytes == 4:
            changed = _Text(make, buffer, size, threads).seen(code.statements)
            if changed is not None:
                code = replace(code, statements=changed)
    return code


class _Text:
    """The loops that read one array of characters, with so many elements."""

    def __init__(self, make: ExprBuilder, text: Buffer, size: Exp, threads: bool) -> None:
        self.make, self.text, self.size, self.free, self.threads = make, text, size, FreeVars(), threads
        self.bits, self.none = Var(make.fresh("bits"), Base.CHAR), make.const(0, Base.CHAR)
        self.upto = Var(make.fresh("upto"), Base.INT)
        self.reduction = l.Reduction(CODE_BITS, self.bits, self.none)

    def seen(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...] | None:
        """Statements that look at all elements; None where that is of no use, or not allowed."""
        at = next((k for k, s in enumerate(statements) if _has_loops(s) and self.reads(s)), None)
        if at is None or not _Trust(self.text).is_kept(statements[: at + 1]):
            return None
        changed = tuple(self.block((statements[at],)))
        if changed == (statements[at],):
            return None
        make, bits = self.make, self.bits
        rest = make.call(CODE_BITS, bits, self.range(self.upto, self.size))
        return (
            *statements[:at],
            l.Declare(bits, self.none, mutable=True),
            l.Declare(self.upto, make.zero, mutable=True),
            *changed,
            l.Assign(bits, rest),
            RuntimeCall(LOOK, HEADER, (self.text, self.size, bits), (), DOUBT, only_reads=(self.text,)),
            *statements[at + 1 :],
        )

    def reads(self, statement: l.Stm) -> bool:
        """Whether a statement, or one inside it, reads the characters."""
        return any(isinstance(n, Read) and n.buffer is self.text for n in nodes(*_values([statement])))

    def range(self, start: Exp, stop: Exp) -> Exp:
        """The bits of the elements of a range."""
        return PureCall("aplc_seen", HEADER, (self.text,), (start, stop), Base.CHAR)

    def block(self, statements: tuple[l.Stm, ...]) -> Iterator[l.Stm]:
        """Statements whose loops collect bits, unless they run too often for what that takes, or one before
        them has seen the same elements.
        """
        assigned = frozenset([s.var for s in within(statements) if isinstance(s, l.Assign)])
        before: set[tuple[Exp, Exp]] = set()
        for statement in statements:
            match statement:
                case l.For():
                    own = self.collecting(statement)
                    if own is not None and own[1:3] in before:
                        yield statement
                        continue
                    if own is not None and not (self.free.of(own[1]) | self.free.of(own[2])) & assigned:
                        before.add(own[1:3])
                    yield from self.loop(statement)
                case l.While(body=body):
                    yield replace(statement, body=tuple(self.block(body)))
                case l.If(then=then, other=other):
                    parts = [tuple(self.block(b)) for b in (then, other)]
                    yield replace(statement, then=parts[0], other=parts[1])
                case _:
                    yield statement

    def loop(self, loop: l.For) -> Iterator[l.Stm]:
        """A loop that collects bits, with what stands around it."""
        own = self.collecting(loop)
        if own is not None:
            make, (changed, first, last, lanes) = self.make, own
            first = make.call(p.MINI, first, self.size)
            yield l.Assign(self.bits, make.call(CODE_BITS, self.bits, self.range(self.upto, first)))
            yield from lanes[:2]
            yield changed
            yield from lanes[2:]
            yield l.Assign(self.upto, make.call(p.MAXI, self.upto, last))
        elif (rounds := self.in_rounds(loop) or self.in_strips(loop)) is not None:
            yield from rounds
        elif loop.step >= LEAST_BLOCK and not self.threads:
            yield replace(loop, body=tuple(self.block(loop.body)))
        else:
            yield loop

    def collecting(self, loop: l.For) -> tuple[l.For, Exp, Exp, tuple[l.Stm, ...]] | None:
        """A loop that collects the bits of what it reads, from where to where it does, and statements of
        which two come before it; None if it reads no elements one after the other.
        """
        return self.collected(loop) if self.may_join(loop) else None

    def collected(self, loop: l.For) -> tuple[l.For, Exp, Exp, tuple[l.Stm, ...]] | None:
        """The same of a loop that does not run in parts."""
        length = self.make.sub(loop.stop, loop.start)
        if loop.descending or (isinstance(length, Const) and length.value < LEAST_BLOCK):
            return None
        if loop.step == SIDE_BY_SIDE:
            return self.in_words(loop)
        if loop.step != 1 or _has_loops(*loop.body):
            return None
        make, place = self.make, self.place(loop.body, (loop.var,))
        places = self.row(loop) if place is None else [place]
        if not places:
            return None
        bits: Exp = self.bits
        for each in places:
            bits = make.call(CODE_BITS, bits, make.read(self.text, each))
        reductions = loop.reductions
        if reductions is not None:
            reductions = (*reductions, self.reduction)
        changed = replace(self.joining(loop, (*loop.body, l.Assign(self.bits, bits))), reductions=reductions)
        first, last = [Substitute(make, {loop.var: end})(places[0]) for end in (loop.start, loop.stop)]
        return changed, first, last, ()

    def may_join(self, loop: l.For) -> bool:
        """Whether what parts of a loop collect can be joined."""
        return not self.threads or (loop.parallel is not None and loop.beyond is None)

    def joining(self, loop: l.For, body: tuple[l.Stm, ...]) -> l.For:
        """A loop with such a body, which collects bits, too."""
        parallel = None if loop.parallel is None else (*loop.parallel, self.reduction)
        return replace(loop, body=body, parallel=parallel)

    def around(self, changed: l.For, first: Exp, last: Exp) -> tuple[l.Stm, ...]:
        """A loop that looks at the elements from one place up to another, with what stands around it."""
        make = self.make
        rest = make.call(CODE_BITS, self.bits, self.range(self.upto, make.call(p.MINI, first, self.size)))
        return (
            l.Assign(self.bits, rest),
            changed,
            l.Assign(self.upto, make.call(p.MAXI, self.upto, last)),
        )

    def row(self, loop: l.For) -> list[Exp]:
        """The places of all characters of a short row, if an iteration reads the last one of its row, behind
        all others, and half of them at least.
        """
        make = self.make
        values = [s.value for s in loop.body if isinstance(s, l.Declare | l.Assign | l.Store)]
        known: dict[Exp, Exp] = {}
        for each in loop.body:
            if isinstance(each, l.Declare) and each.value is not None and not each.mutable:
                known[each.var] = Substitute(make, known)(each.value)
        columns: dict[int, set[int]] = {}
        for read in _certain([value for value in values if value is not None]):
            if read.buffer is self.text:
                const, terms = make.linear(Substitute(make, known)(read.index))
                if list(terms) == [loop.var]:
                    columns.setdefault(terms[loop.var], set()).add(const)
        for length, read_by_itself in columns.items():
            read_by_itself &= {*range(length)}
            if length in LENGTHS and length - 1 in read_by_itself and 2 * len(read_by_itself) >= length:
                start = make.mul(make.const(length), loop.var)
                return [make.add(start, make.const(k)) for k in range(length)]
        return []

    def in_rounds(self, loop: l.For) -> tuple[l.Stm, ...] | None:
        """The same of a loop in rounds of one length, each of which begins where the one before it ends: see
        Note [Rounds of a cycle].
        """
        match loop.body:
            case (
                l.Declare(var=base, value=Call(op=p.MULI, args=factors)),
                l.Declare(var=end, value=Call(op=p.MINI, args=(Sum() as next_base, stop))),
                l.For(start=start) as inner,
            ) if start is base and inner.stop is end and loop.var in factors and loop.start is self.make.zero:
                pass
            case _:
                return None
        make = self.make
        length = factors[1] if factors[0] is loop.var else factors[0]
        known = {loop.var, base, end}
        if make.sub(next_base, base) is not length or (self.free.of(length) | self.free.of(stop)) & known:
            return None
        own = self.collected(inner) if self.may_join(loop) else None
        if own is None or own[3]:
            return None
        changed = own[0]
        place = self.place(inner.body, (inner.var,)) if loop.step == 1 else None
        if place is None or self.free.of(place) & known:
            return None
        behind = make.call(p.MINI, make.mul(loop.stop, length), stop)
        first, last = [Substitute(make, {inner.var: at})(place) for at in (make.zero, behind)]
        return self.around(self.joining(loop, (*loop.body[:2], changed)), first, last)

    def in_strips(self, loop: l.For) -> tuple[l.Stm, ...] | None:
        """The same of a loop in strips, each of which begins where the one before it ends."""
        make, at = self.make, loop.var
        if loop.step < LEAST_BLOCK or loop.descending or not self.may_join(loop):
            return None
        end = make.call(p.MINI, make.add(at, make.const(loop.step)), loop.stop)
        known: dict[Exp, Exp | None] = {
            s.var: s.value for s in loop.body if isinstance(s, l.Declare) and not s.mutable
        }
        inside = {s.var for s in within(loop.body) if isinstance(s, l.Declare | l.Assign)} | {at}
        for k, inner in enumerate(loop.body):
            if not isinstance(inner, l.For) or inner.start is not at or inner.step != 1:
                continue
            place = self.place(inner.body, (inner.var,))
            if place is None or self.free.of(place) & inside or known.get(inner.stop, inner.stop) is not end:
                continue
            own = self.collected(inner)
            if own is not None:
                body = (*loop.body[:k], own[0], *loop.body[k + 1 :])
                first, last = [Substitute(make, {inner.var: each})(place) for each in (loop.start, loop.stop)]
                return self.around(self.joining(loop, body), first, last)
        return None

    def in_words(self, loop: l.For) -> tuple[l.For, Exp, Exp, tuple[l.Stm, ...]] | None:
        """The same of a loop over words of conditions."""
        make = self.make
        for k, inner in enumerate(loop.body):
            if not isinstance(inner, l.For) or inner.start is not make.zero or inner.step != 1:
                continue
            stop = inner.stop
            if not isinstance(stop, Const) or stop.value != loop.step or inner.descending:
                continue
            place = self.place(inner.body, (inner.var, loop.var))
            if place is None or _has_loops(*inner.body):
                continue
            lanes = BitLanes(make, self.bits, make.read(self.text, place), SIDE_BY_SIDE)
            changed = replace(inner, body=(*inner.body, lanes.more(inner.var, Substitute(make, {}))))
            body = (*loop.body[:k], changed, *loop.body[k + 1 :])
            first, last = [
                Substitute(make, {loop.var: end, inner.var: make.zero})(place)
                for end in (loop.start, loop.stop)
            ]
            return replace(loop, body=body), first, last, (*lanes.before, lanes.join)
        return None

    def place(self, body: tuple[l.Stm, ...], indices: tuple[Var, ...]) -> Exp | None:
        """Where each iteration reads a character, whatever conditions say, and the next one the next."""
        inside = {s.var for s in within(body) if isinstance(s, l.Declare | l.Assign)}
        values = [s.value for s in body if isinstance(s, l.Declare | l.Assign | l.Store)]
        for read in _certain([value for value in values if value is not None]):
            terms = self.make.linear(read.index)[1]
            if read.buffer is not self.text or self.free.of(read.index) & inside:
                continue
            steps = [steps_by_one(self.make, self.free, read.index, each) for each in indices]
            if all(steps) and all(terms[each] == 1 for each in indices):
                return read.index
        return None


class _Trust:
    """Numbers that nobody has looked at, in an array of characters and in what comes of it."""

    def __init__(self, text: Buffer) -> None:
        self.buffers, self.variables = {text}, set[Var]()

    def is_kept(self, statements: tuple[l.Stm, ...]) -> bool:
        """Whether what statements do is harmless whatever the numbers are."""
        every = list(within(statements))
        size = -1
        while size < len(self.buffers) + len(self.variables):
            size = len(self.buffers) + len(self.variables)
            if not all([self.is_harmless(s) for s in every]):
                return False
        return True

    def is_harmless(self, statement: l.Stm) -> bool:
        """Whether one statement is, apart from those inside it; notes to what it writes numbers."""
        match statement:
            case l.Declare(var=var, value=value) | l.Assign(var=var, value=value):
                if value is not None and self.tells(value):
                    self.variables.add(var)
                return value is None or self.is_computed(value)
            case l.Store(buffer=buffer, position=position, value=value):
                if self.tells(value):
                    self.buffers.add(buffer)
                return not self.tells(position) and self.is_computed(position) and self.is_computed(value)
            case RuntimeCall(function=function) if function == LOOK:
                return True
            case RuntimeCall(function=function, arguments=arguments) if function.startswith(PACK):
                to, count, source, *others = arguments
                if source in self.buffers and isinstance(to, Buffer):
                    self.buffers.add(to)
                return not any(self.is_told(each) for each in (count, *others))
            case RuntimeCall(arguments=arguments, site=site):
                return site is None and not any(map(self.is_told, arguments))
            case (
                l.For()
                | l.While()
                | l.If()
                | l.Local()
                | l.Allocate()
                | l.Release()
                | l.Fail()
                | l.Prefetch()
            ):
                own = l.own_expressions(statement)
                return all([not self.tells(value) and self.is_computed(value) for value in own])
            case _:
                return False

    def is_told(self, argument: Buffer | Exp) -> bool:
        """Whether an argument of a call depends on numbers."""
        if isinstance(argument, Buffer):
            return argument in self.buffers
        return self.tells(argument) or not self.is_computed(argument)

    def tells(self, exp: Exp) -> bool:
        """Whether a value other than a condition depends on numbers."""
        found = nodes(exp, below=lambda e: () if e.ty is Base.BOOL or isinstance(e, Read) else operands(e))
        return any(
            (isinstance(n, Read) and n.buffer in self.buffers and n.ty is not Base.BOOL)
            or (isinstance(n, Var) and n in self.variables)
            for n in found
        )

    def is_computed(self, exp: Exp) -> bool:
        """Whether an expression can be computed whatever the numbers are."""
        for node in nodes(exp):
            match node:
                case Check() | Fold() | BlockExp():
                    return False
                case Read(index=index) if self.tells(index):
                    return False
                case PureCall(function=function, header=header, memory=memory, args=args) if (
                    function != LINES and header != PLACES
                ):
                    if any(b in self.buffers for b in memory) or any(map(self.tells, args)):
                        return False
                case Call(op=op, args=args) if op in TRAPPING and any(map(self.tells, args)):
                    return False
                case _:
                    pass
        return True


def _certain(values: Iterable[Exp]) -> Iterator[Read]:
    """The reads in expressions that are computed whatever conditions say."""

    def below(exp: Exp) -> tuple[Exp, ...]:
        match exp:
            case Select(cond=cond):
                return (cond,)
            case Call(op=op) if op in (p.ANDB, p.ORB):
                return ()
            case _:
                return operands(exp)

    return (n for n in nodes(*values, below=below) if isinstance(n, Read))


def _has_loops(*statements: l.Stm) -> bool:
    return any(isinstance(s, l.For | l.While) for s in within(statements))


def _values(statements: Iterable[l.Stm]) -> list[Exp]:
    """The expressions of statements, and of those inside them."""
    return [value for s in within(statements) for value in l.own_expressions(s)]
