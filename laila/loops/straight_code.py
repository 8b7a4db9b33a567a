"""The values of expressions in straight code: what is shared gets a name, what is checked raises a flag.

`StraightCode` turns scalar expressions into expressions without folds and checks, and appends to a block the
statements that they need. What folds and sequences of statements become, others know.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import is_plain, unconditional
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    BITS,
    FLOOR_DIV,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    QUOT,
    RAISED,
    REM,
    TESTED,
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
from aplc.laila.loops.blocks import Block, Flag
from aplc.laila.loops.deferred_checks import DOUBT
from aplc.tail import prims as p

MAX_INLINE_HEIGHT = 40

NOTHING: frozenset[Buffer] = frozenset()

_DEAR = Read | PureCall | Check | Fold
"""What is not computed where it might not be needed."""


_DIVISIONS = (QUOT, REM, FLOOR_DIV, FLOOR_QUOT, FLOOR_QUOT64)
"""Nor is the division by a zero, which a processor may answer with a signal."""


def is_short_comparison(exp: Call) -> bool:
    """Whether an expression compares a variable with a number: that takes one operation wherever it stands,
    and none in `1 ≤ x ≤ n`, which C computes as one comparison where it sees all of it.
    """
    return (
        exp.op in p.COMPARISONS_OF_INTEGERS
        and isinstance(exp.args[0], Var)
        and isinstance(exp.args[1], Const)
    )


class StraightCode:
    """Expressions to statements and plain expressions. `fold` and `do` give the values of folds and of
    sequences, whose statements they add to the block.
    """

    def __init__(
        self, make: ExprBuilder, fold: Callable[[Fold, Block], Exp], do: Callable[[BlockExp, Block], Exp]
    ) -> None:
        self.make, self.fold, self.do = make, fold, do
        self.heights: dict[int, int] = {}
        self.dear: dict[int, bool] = {}
        self.read: dict[int, frozenset[Buffer]] = {}
        self.free = FreeVars()
        self.alive: list[Exp] = []

    def single(self, exp: Exp, block: Block) -> Exp:
        """The value of one expression."""
        return exp if isinstance(exp, Const | Var) else self.values((exp,), block)[0]

    def values(self, roots: tuple[Exp, ...], block: Block) -> tuple[Exp, ...]:
        """The values of expressions, statements for what needs them emitted before."""
        self.alive += roots
        here = block.evaluating(roots)
        return tuple([self.value(root, here) for root in roots])

    def value(self, exp: Exp, block: Block) -> Exp:
        """An expression without folds and checks, for use in this block from now on."""
        if isinstance(exp, Const | Var):
            return exp
        found = block.find(exp)
        if found is not None:
            return found
        result = self.computed(exp, block)
        height = 1 + max([self.heights.get(id(o), 0) for o in operands(result)], default=0)
        self.heights[id(result)] = height
        self.alive += (exp, result)
        is_short = isinstance(result, Call) and is_short_comparison(result)
        if (self.is_worth_naming(exp, block) and not is_short) or height > MAX_INLINE_HEIGHT:
            result = self.named(result, block, "t")
        block.names[id(exp)] = result
        for buffer in self.buffers_of(exp):
            block.readers.setdefault(buffer, []).append(id(exp))
        return result

    def buffers_of(self, exp: Exp) -> frozenset[Buffer]:
        """The buffers that an expression reads."""
        known = self.read.get(id(exp))
        if known is None:
            if isinstance(exp, Fold | BlockExp | PureCall):
                known = frozenset(buffers_read(exp))
            else:
                own = frozenset((exp.buffer,)) if isinstance(exp, Read) else NOTHING
                known = own.union(*[self.buffers_of(each) for each in operands(exp)])
            self.read[id(exp)] = known
            self.alive.append(exp)
        return known

    def is_worth_naming(self, exp: Exp, block: Block) -> bool:
        """Whether a node is shared, takes work, and may be computed here although it might not be needed."""
        if block.uses[id(exp)] < 2 or not isinstance(exp, Call | Read | PureCall | Select | Check | Sum):
            return False
        is_position = isinstance(exp, Sum) and not self.is_dear(exp)
        if is_position:  # C computes it again where that is less
            return False
        return id(exp) in block.always or not self.is_dear(exp)

    def is_dear(self, exp: Exp) -> bool:
        """Whether an expression has something in it that is not computed where it might not be needed."""
        known = self.dear.get(id(exp))
        if known is None:
            own = isinstance(exp, _DEAR) or self.may_trap(exp)
            known = own or any([self.is_dear(each) for each in operands(exp)])
            self.dear[id(exp)] = known
            self.alive.append(exp)
        return known

    def may_trap(self, exp: Exp) -> bool:
        """Whether an expression divides by what may be zero."""
        make = self.make
        if not isinstance(exp, Call) or exp.op not in _DIVISIONS:
            return False
        divisor = exp.args[1]
        return divisor is make.zero if isinstance(divisor, Const) else not make.at_least(divisor, make.one)

    def named(self, value: Exp, block: Block, hint: str) -> Exp:
        """A value as a variable of the block."""
        if isinstance(value, Const | Var):
            return value
        var = Var(self.make.fresh(hint), value.ty)
        block.statements.append(l.Declare(var, value))
        return var

    def computed(self, exp: Exp, block: Block) -> Exp:
        """A node over the values of its operands."""
        make = self.make
        match exp:
            case Const() | Var():
                return exp
            case Call(op=op, args=args):
                return make.call(op, *[self.value(a, block) for a in args])
            case Sum(const=const, terms=terms):
                result = make.const(const)
                for atom, k in terms:
                    result = make.add(result, make.mul(make.const(k), self.value(atom, block)))
                return result
            case Read(buffer=buffer, index=index):
                return make.read(buffer, self.value(index, block))
            case PureCall(args=args):
                return make.lookup(exp, tuple([self.value(a, block) for a in args]))
            case Select():
                return self.select(exp, block)
            case Check(ok=ok, value=value):
                self.check(self.value(ok, block), exp, block)
                return self.value(value, block)
            case Fold():
                return self.fold(exp, block)
            case BlockExp():
                return self.named(self.do(exp, block), block, "t")

    def check(self, ok: Exp, check: Check, block: Block) -> None:
        """In a loop a flag, tested after it; elsewhere, and where an error is looked for, a test at once."""
        make, site = self.make, check.site
        if ok is make.true or block.has_tested(ok):
            return
        block.tested.add(id(ok))
        mode, index = block.mode, check.index
        is_told = not check.own and all(self.free.names(e) <= mode.constant for e in index)
        stands_alone = not block.in_loop and not block.flags.unreported  # no loop before it is to be repeated
        leaves = stands_alone or mode.reporting or (mode.leaving and not is_told)
        if leaves and site is not DOUBT:
            values = tuple([self.value(r, block) for r in check.reported])
            self.settle(block)
            block.statements.append(l.Fail(ok, site, values))
            return
        if not is_told:
            block.flags.unreported = True
        alarm = self.alarm(ok)
        is_bit = isinstance(alarm, Call) and alarm.op is ALARM
        flag = block.flags.of(make, site, is_bit=is_bit, index=index if is_told else ())
        if flag.bit is not None and (flag.bit > 1 or not is_bit):
            alarm = make.select(ok, make.zero, make.const(flag.bit))
        block.statements.append(l.Assign(flag.var, make.call(BIT_OR, flag.var, alarm)))

    def settle(self, block: Block) -> None:
        """Test the flags raised so far: see Note [Values that stand for errors] of `generate`."""
        for site, flag in block.flags.all().items():
            block.statements.append(self.failing(site, flag, self.raised(flag), block))

    def failing(self, site: Site, flag: Flag, raised: Exp, block: Block) -> l.Fail:
        """What leaves the program if a flag is raised."""
        index = tuple([self.value(number, block) for number in flag.index])
        return l.Fail(self.make.call(p.NOTB, raised), site, index)

    def raised(self, flag: Flag) -> Exp:
        """Whether a flag has been raised."""
        if flag.bit is None:
            return self.make.call(RAISED, flag.var)
        return self.make.call(TESTED, flag.var, self.make.const(flag.bit))

    def alarm(self, ok: Exp) -> Exp:
        """What raises a flag unless the condition holds; a number that must be zero raises it by its bits."""
        make = self.make
        if isinstance(ok, Call) and ok.op is p.ORB:
            enough, test = ok.args
            if isinstance(test, Call) and test.op is p.EQD and test.args[1] is make.const(0.0):
                bits = make.call(BITS, test.args[0])
                return make.select(make.call(p.NOTB, enough), bits, make.zero)
        if isinstance(ok, Call) and ok.op is p.EQD and ok.args[1] is make.const(0.0):
            return make.call(BITS, ok.args[0])
        return make.call(ALARM, make.call(p.NOTB, ok))

    def select(self, exp: Select, block: Block) -> Exp:
        """A conditional expression, or a conditional statement where a branch needs statements."""
        make = self.make
        cond = self.value(exp.cond, block)
        branches = (exp.then, exp.other)
        if not self.are_plain(branches, block):
            self.name_shared(branches, block)
        if self.are_plain(branches, block):
            then, other = [self.value(b, block) for b in branches]
            return make.select(cond, then, other)
        result = Var(make.fresh("t"), exp.ty)
        block.statements.append(l.Declare(result, None, mutable=True))
        sides: list[tuple[l.Stm, ...]] = []
        for branch in branches:
            inner = block.inner(in_loop=False)
            inner.statements.append(l.Assign(result, self.single(branch, inner)))
            sides.append(tuple(inner.statements))
        block.statements.append(l.If(cond, sides[0], sides[1]))
        return result

    def are_plain(self, branches: tuple[Exp, Exp], block: Block) -> bool:
        """Whether both branches can stand inside a conditional expression."""
        return all(is_plain(branch, lambda e: block.find(e) is not None) for branch in branches)

    def name_shared(self, branches: tuple[Exp, Exp], block: Block) -> None:
        """Name what both branches need before the condition is asked: a chain of conditions, each over the
        one before, would be twice as long with every link.
        """
        then, other = [nodes(branch, below=self.unknown_operands(block)) for branch in branches]
        both = {id(node) for node in other}
        certain = [{id(node) for node in unconditional((branch,))} for branch in branches]
        block.always |= certain[0] & certain[1]
        for node in then:
            if id(node) in both and self.is_worth_naming(node, block):
                self.value(node, block)

    def unknown_operands(self, block: Block) -> Callable[[Exp], tuple[Exp, ...]]:
        """The operands of a node whose value has no name yet."""
        return lambda exp: () if block.find(exp) is not None else operands(exp)
