"""Narrows the storage of integers by value ranges, and decides conditions and roundings that the ranges tell.

A buffer of integers that only this program writes and reads is stored in the narrowest type that holds what
is written to it. Conditions that ranges decide disappear, and the floor of a quotient of integers is an
integer division. Values handed out keep their own type.

Note [Floors of quotients]
    For integers |x| ≤ 2⁵³ and 0 < y ≤ 2⁵³ the floor of the double x÷y is the floor of the exact quotient. Let
    z be a whole number with x/y < z; then z - x/y = m/y for an integer m ≥ 1. The quotient is rounded up to z
    only if that is at most half the distance of z to the double below it, which is less than |x/y|×2⁻⁵³ or
    at most z×2⁻⁵⁴: then |x| > 2⁵³. From above nothing is rounded past a whole number, as those are doubles.
    Within a tolerance t a quotient that is not whole is taken for a whole number z if that is no further than
    t or t×|x/y|. It is further, since it is m/y before rounding, where |x| and y are below 1÷2t and 2⁵¹.
    Sums and products of integers and of dyadic fractions such as 0.75 are exact below 2⁵³, so they may stand
    for x and y.

Note [Whole sums]
    `+/v×¯1*b` adds doubles, as a power is one, but each is a whole number, and if these have 16 bits it takes
    2³⁸ of them for a partial sum that is beyond 2⁵³: in whatever order they are added, the result is that of
    integers, and of more elements still, up to 2⁴⁷, the sum of integers is the more accurate one. These are
    twice as many in a vector, or more, and no conversion is made for each element. Elements that have 64 bits
    stay doubles, as products of such integers are slower than those of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.interval import BITS, EXACT, Interval
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    FunctionCall,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Program,
    Reduce,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.ranges import STORAGES, Ranges, of_storage, storage_for, width_of
from aplc.laila.ir.scalar import (
    CEIL,
    DIVIDE,
    FLOOR,
    FLOOR_DIV,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    QUOT,
    SNAP,
    SNAP_QUOT64,
    TRUNCATE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Step,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    do,
    exchanged,
    expressions,
    rebuilt,
    statements_of,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.rounds.narrow_states import with_narrow_states
from aplc.laila.transform.stored_ranges import Survey
from aplc.tail import prims as p
from aplc.tail.types import Base

OF_BITS = {p.GCDI: p.MAXI, p.LCMI: p.MINI}
"""What `∨` and `∧` are of integers that are zero or one."""

GATHERED = 32
"""The fewest bits of an element that lanes can read from places of their own."""
_NO_ARITHMETIC = Check | BlockExp | Fold
"""What a sum of integers has none of: such an element is not computed in lanes, or twice."""
SMALL_DIVISOR = 1 << 31
"""A number that is near one below it is compared."""


def narrow_values(program: Program, make: ExprBuilder) -> Program:
    """The same program with narrow buffers, and without what its ranges decide."""
    survey = Survey(program, is_single=make.settings.is_single)
    with_copies = with_narrow_states(program, survey, make)
    if with_copies != program:
        program, survey = with_copies, Survey(with_copies, is_single=make.settings.is_single)
    ranges = survey.ranges
    buffers: dict[Buffer, Buffer] = {}
    looked_up = _looked_up(program)
    for buffer in survey.buffers():
        interval = of_storage(buffer) if buffer.data is not None else survey.stored.get(buffer)
        is_told = buffer not in survey.kept or buffer in survey.handed_out
        if buffer.ty is Base.INT and is_told and interval and not interval.is_empty:
            values = int(interval.low), int(interval.high)
            least = GATHERED if buffer in looked_up else 8
            storage = buffer.storage if buffer in survey.kept else storage_for(interval, least)
            buffers[buffer] = replace(buffer, storage=storage, values=values)
    ranges.stored = {buffers.get(b, b): i for b, i in ranges.stored.items()}
    narrowing = Narrowing(make, ranges, buffers)
    return replace(
        program,
        statements=narrowing.statements(program.statements),
        functions=tuple(
            [replace(f, statements=narrowing.statements(f.statements)) for f in program.functions]
        ),
    )


def _looked_up(program: Program) -> set[Buffer]:
    """The tables of constants of which elements are read at places that are chosen where they are wrong."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    every = nodes(*[e for block in blocks for s in within(block) for e in expressions(s)])
    tables = [n for n in every if isinstance(n, Read) and n.buffer.data is not None]
    return {n.buffer for n in tables if contains(Select, n.index)}


_ARITHMETIC = (p.MULD, p.ADDD, p.SUBD, DIVIDE)
"""By which fractions make others."""


class Narrowing(Substitute):
    """Rebuilds expressions and statements with narrow buffers and what their ranges decide."""

    def __init__(self, make: ExprBuilder, ranges: Ranges, buffers: dict[Buffer, Buffer]) -> None:
        super().__init__(make, {})
        self.ranges = ranges
        self.buffers = buffers
        self.fractions: dict[int, tuple[Exp, Exp] | None] = {}
        """What `fraction` has found, by the expression."""

    def statements(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements rebuilt."""
        return self.renamed_all([rebuilt(s, self) for s in statements])

    def renamed_all(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence with its buffers exchanged, without checks that are known to hold."""
        kept = [s for s in statements if not (isinstance(s, HostCheck) and s.ok is self.make.true)]
        return tuple([self.renamed(s) for s in kept])

    def renamed(self, statement: Statement) -> Statement:
        """A statement with its buffers exchanged."""

        def new(buffer: Buffer) -> Buffer:
            return self.buffers.get(buffer, buffer)

        match statement:
            case Alloc() | Empty() | Free() | Map() | Scan() | Filter() | Store():
                return replace(statement, buffer=new(statement.buffer))
            case Move(target=target, source=source):
                return Move(new(target), new(source))
            case Swap(first=first, second=second):
                return Swap(new(first), new(second))
            case If() | While() | ForEach():
                return with_bodies(statement, self.renamed_all)
            case Fused(parts=parts):
                exchanged_parts = [
                    q if isinstance(q, Reduce) else replace(q, buffer=new(q.buffer)) for q in parts
                ]
                return replace(statement, parts=tuple(exchanged_parts))
            case Output(value=value):
                return replace(statement, value=exchanged(value, new))
            case RuntimeCall(arguments=arguments, only_reads=reads):
                passed = tuple([new(a) if isinstance(a, Buffer) else a for a in arguments])
                return replace(statement, arguments=passed, only_reads=tuple(map(new, reads)))
            case HostCall(arguments=arguments, result=result):
                given = tuple([exchanged(a, new) for a in arguments])
                return replace(statement, arguments=given, result=exchanged(result, new))
            case FunctionCall(arguments=arguments, results=results):
                given = tuple([exchanged(a, new) for a in arguments])
                return replace(
                    statement, arguments=given, results=tuple([exchanged(r, new) for r in results])
                )
            case HostLet() | Variable() | Assign() | HostCheck():
                return statement

    def _rebuild(self, node: Exp) -> Exp:
        match node:
            case Read(buffer=buffer, index=index):
                return self.make.read(self.buffers.get(buffer, buffer), self.done[id(index)])
            case PureCall(memory=memory, behind=behind, args=args):
                memory, behind = [tuple([self.buffers.get(b, b) for b in each]) for each in (memory, behind)]
                found = replace(node, memory=memory, behind=behind)
                return self.make.lookup(found, tuple([self.done[id(a)] for a in args]))
            case BlockExp(value=value):
                return do(list(self.statements(statements_of(node))), self.done[id(value)])
            case _:
                return self.decided(super()._rebuild(node))

    def is_own_rest(self, divisor: Exp, exp: Exp) -> bool:
        """Whether an integer lies between zero and a divisor already."""
        found = self.ranges.integers(exp)
        return isinstance(divisor, Const) and found.low >= 0 and found.high < divisor.value

    def whole_sum(self, fold: Fold) -> Exp | None:
        """The sum of doubles that are small whole numbers as one of integers: see Note [Whole sums]."""
        make, element = self.make, self.fraction(fold.body)
        if make.settings.strict_fp or element is None or element[1] is not make.one:
            return None
        whole, no_elements = element[0], fold.empty and self.fraction(fold.empty)
        reads = [n for n in nodes(whole) if isinstance(n, Read) and n.ty is Base.INT]
        is_small = self.ranges.integers(whole).within(STORAGES["int16"])
        is_small &= all(width_of(n.buffer.storage) < 64 for n in reads)
        if not is_small or (no_elements is None) != (fold.empty is None) or contains(_NO_ARITHMETIC, whole):
            return None
        total = make.fold(p.ADDI, fold.var, fold.extent, whole, no_elements and no_elements[0])
        return make.call(p.I2D, total)

    def near_rest(self, divisor: Exp, exp: Exp) -> Exp | None:
        """`m|x` of a number from -m to 2×m: m is added or taken away."""
        if self.is_own_rest(divisor, exp):
            return exp
        make, found = self.make, self.ranges.integers(exp)
        if not isinstance(divisor, Const) or not 0 < divisor.value < SMALL_DIVISOR:
            return None
        m = int(divisor.value)
        if found.low < -m or found.high >= 2 * m or contains(Check | BlockExp, exp):
            return None
        rest = exp
        if found.high >= m:
            rest = make.select(make.call(p.LTI, exp, divisor), rest, make.sub(exp, divisor))
        if found.low < 0:
            rest = make.select(make.call(p.LTI, exp, make.zero), make.add(exp, divisor), rest)
        return rest

    def decided(self, exp: Exp) -> Exp:
        """The expression, or what its range shows it to be."""
        if isinstance(exp, Fold) and (prim := _combining(exp)) in OF_BITS and self.are_bits(exp.body):
            return self.make.fold(OF_BITS[prim], exp.var, exp.extent, exp.body, exp.empty)
        if isinstance(exp, Fold) and exp.combine is p.ADDD:
            return self.whole_sum(exp) or exp
        if not isinstance(exp, Call):
            return exp
        if exp.op in OF_BITS and self.are_bits(*exp.args):
            return self.make.call(OF_BITS[exp.op], *exp.args)
        if exp.op is TRUNCATE:
            return self.rounded(exp)
        if exp.op is p.RESI and (rest := self.near_rest(*exp.args)) is not None:
            return rest
        if exp.op is FLOOR_DIV and self.is_exact(*exp.args) and self.ranges.integers(exp.args[1]).low > 0:
            return self.make.call(FLOOR_QUOT, *exp.args)
        if exp.op is FLOOR_DIV and self.is_positive_quotient(*exp.args):
            return self.make.call(QUOT, *exp.args)
        if exp.ty is Base.BOOL or exp.op in (p.MAXI, p.MINI):
            found = self.ranges.integers(exp)
            if found.low == found.high and not contains(Check | BlockExp, exp):
                return self.make.const(bool(found.low) if exp.ty is Base.BOOL else int(found.low))
        if exp.op in (p.MAXI, p.MINI):
            return self.extremum(exp)
        return exp

    def extremum(self, exp: Call) -> Exp:
        """The greater or the less of two integers, which may be one of them whatever they are."""
        low, high = sorted(exp.args, key=lambda e: self.ranges.integers(e).low)
        if self.ranges.integers(low).high > self.ranges.integers(high).low:
            return exp
        found, other = (high, low) if exp.op is p.MAXI else (low, high)
        return exp if contains(Check | BlockExp, other) else found

    def rounded(self, exp: Call) -> Exp:
        """`⌊x÷y` and `⌈x÷y` as integer division: see Note [Floors of quotients]."""
        (whole,) = exp.args
        if not isinstance(whole, Call) or whole.op not in (FLOOR, CEIL):
            return exp
        make, inside, limit = self.make, whole.args[0], EXACT
        if isinstance(inside, Call) and inside.op is SNAP:
            tolerance, inside = inside.args
            if (within := never_taken_for_whole(tolerance)) is None:
                return exp
            limit = within
        found = self.fraction(inside) or self.quotient(inside)
        if found is None:
            return self.any_quotient(whole, inside) or exp
        numerator, divisor = found
        if not all(self.ranges.integers(e).within(limit) for e in found):
            return exp
        if whole.op is FLOOR:
            return make.call(FLOOR_QUOT, numerator, divisor) if divisor is not make.one else numerator
        if divisor is make.one:
            return numerator
        return make.sub(make.zero, make.call(FLOOR_QUOT, make.sub(make.zero, numerator), divisor))

    def quotient(self, exp: Exp) -> tuple[Exp, Exp] | None:
        """A double that is the rounded quotient of an integer and a positive one."""
        if not isinstance(exp, Call) or exp.op is not DIVIDE:
            return None
        a, b = self.fraction(exp.args[0]), self.fraction(exp.args[1])
        if a is None or b is None:
            return None
        x, y = self.product(a[0], b[1]), self.product(b[0], a[1])
        if x is None or y is None or self.ranges.integers(y).low <= 0:
            return None
        return x, y

    def any_quotient(self, whole: Call, inside: Exp) -> Exp | None:
        """`⌊n÷c` for a whole constant c and an integer n that may be beyond 2⁵³."""
        match inside:
            case Call(op=op, args=(Call(op=conversion, args=(n,)), Const(value=c))):
                if whole.op is not FLOOR or op is not DIVIDE or conversion is not p.I2D:
                    return None
                if not (2 <= c <= EXACT.high and float(c).is_integer()):
                    return None
                divisor = self.make.const(int(c))
                if inside is whole.args[0]:
                    return self.make.call(FLOOR_QUOT64, n, divisor)
                snapped = whole.args[0]
                assert isinstance(snapped, Call)
                return self.make.call(SNAP_QUOT64, snapped.args[0], n, divisor)
            case _:
                return None

    def are_bits(self, *exps: Exp) -> bool:
        """Whether integers are zero or one."""
        return all(self.ranges.integers(e).within(BITS) for e in exps)

    def is_positive_quotient(self, x: Exp, y: Exp) -> bool:
        """Whether a division is of a number that is not negative by one that is positive."""
        return self.ranges.integers(x).low >= 0 and self.ranges.integers(y).low > 0

    def is_exact(self, *exps: Exp) -> bool:
        """Whether integers are doubles."""
        return all(self.ranges.integers(e).within(EXACT) for e in exps)

    def fraction(self, exp: Exp) -> tuple[Exp, Exp] | None:
        """A double that is exactly an integer over a constant power of two."""
        known = self.fractions
        for node in nodes(exp, below=lambda e: () if id(e) in known else _of_fractions(e)):
            if id(node) not in known:
                known[id(node)] = self.fraction_of(node)
        return known[id(exp)]

    def fraction_of(self, exp: Exp) -> tuple[Exp, Exp] | None:
        """The same, where it is known for what it is made of."""
        make, known = self.make, self.fractions
        match exp:
            case Const(value=value) if self.ranges.of(exp) is not None and abs(value) <= EXACT.high:
                over, under = float(value).as_integer_ratio()
                return (make.const(over), make.const(under)) if under <= EXACT.high else None
            case Call(op=op, args=(x,)) if op is p.I2D:
                return (x, make.one) if self.is_exact(x) else None
            case Select(cond=cond, then=then, other=other):
                a, b = known[id(then)], known[id(other)]
                if a is None or b is None or a[1] is not b[1]:
                    return None
                return make.select(cond, a[0], b[0]), a[1]
            case Call(op=op, args=(x, y)) if op in _ARITHMETIC:
                a, b = known[id(x)], known[id(y)]
                return None if a is None or b is None else self.combined(op, a, b)
            case _:
                return None

    def combined(self, op: p.Prim, a: tuple[Exp, Exp], b: tuple[Exp, Exp]) -> tuple[Exp, Exp] | None:
        """The result of arithmetic on two fractions, if it is one."""
        if op is p.MULD:
            over, under = self.product(a[0], b[0]), self.product(a[1], b[1])
        elif op is DIVIDE:
            if not isinstance(b[0], Const) or not _is_power_of_two(int(b[0].value)):
                return None
            over, under = self.product(a[0], b[1]), self.product(a[1], b[0])
        else:
            left, right, under = self.product(a[0], b[1]), self.product(b[0], a[1]), self.product(a[1], b[1])
            if left is None or right is None:
                return None
            over = (self.make.add if op is p.ADDD else self.make.sub)(left, right)
        return (over, under) if over and under and self.is_exact(over, under) else None

    def product(self, a: Exp, b: Exp) -> Exp | None:
        """The product of integers that are doubles, if it is one."""
        x, y = self.ranges.integers(a), self.ranges.integers(b)
        is_exact = all(abs(i * j) <= EXACT.high for i in (x.low, x.high) for j in (y.low, y.high))
        return self.make.mul(a, b) if is_exact else None


def _of_fractions(exp: Exp) -> tuple[Exp, ...]:
    """What a double is made of that may be a fraction because they are."""
    match exp:
        case Select(then=then, other=other):
            return then, other
        case Call(op=op, args=args) if op in _ARITHMETIC:
            return args
        case _:
            return ()


def _combining(fold: Fold) -> p.Prim | None:
    """The primitive of a fold, or the one that its steps apply to an element and what was before."""
    match fold.combine:
        case Step(element=x, accumulator=s, body=Call(op=op, args=(a, b))) if a is x and b is s:
            return op
        case Step(element=x, accumulator=s, body=Check(value=Call(op=op, args=(a, b)))) if a is x and b is s:
            return op
        case Step():
            return None
        case prim:
            return prim


def never_taken_for_whole(tolerance: Exp) -> Interval | None:
    """Which integers have quotients that no tolerance takes for whole if they are not; None if none has."""
    if not isinstance(tolerance, Const) or not 0 <= tolerance.value <= 1:
        return None
    most = int(min(2**51, 0.5 / max(tolerance.value, 2**-60)))
    return Interval(-most, most)


def _is_power_of_two(k: int) -> bool:
    return k > 0 and k & (k - 1) == 0
