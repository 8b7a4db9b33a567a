"""Making scalar expressions: interning, constant folding, linear normal form, and deciding index conditions.

Every expression of a program is made by one `ExprBuilder`. A constructor returns the simplest equal
expression that it knows, so that no later pass has to look for what is obvious here: a condition on an index
that always holds is `true`, a maximum with a known winner is the winner.

Note [What may be reasoned about]
    User integers wrap; indices and extents do not (they count elements). Conditions are decided only when all
    atoms in them are indices or extents, with small coefficients and constants: a difference that may have
    wrapped does not tell which integer is greater.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from aplc.laila.ir.constants import bounded_before, folded, result_base, wrap
from aplc.laila.ir.counts import branches, in_rows, is_count, is_zero, is_zero_or_one
from aplc.laila.ir.rules.choices import comparison_of_choice, element_of_choice, is_decided
from aplc.laila.ir.rules.complex_rules import COMPLEX_RULES, SIGN_RULES
from aplc.laila.ir.rules.extrema import comparison_with_extremum
from aplc.laila.ir.rules.folds import LESS, simpler_fold
from aplc.laila.ir.rules.guards import COUNT_RULES, Assumed
from aplc.laila.ir.rules.powers import POWER_RULES
from aplc.laila.ir.rules.quotients import bound_of_quotient, divided, put_together
from aplc.laila.ir.scalar import (
    CHARACTER,
    DIVIDE,
    OF_PARTS,
    QUOT,
    REM,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    MayFail,
    PureCall,
    Read,
    Select,
    Site,
    Step,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.settings import DEFAULTS, Settings
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base, base_of_constant

PROOF_DEPTH, MOST_ATOMS, DEPTH_OF_MANY = 4, 10, 2

_OF_REALS = SIGN_RULES | COUNT_RULES | POWER_RULES
_OF_TRUTHS = {p.LCMI: p.ANDB, p.GCDI: p.ORB}
"""What `∧` and `∨` are of integers that are zero or one."""

Linear = tuple[int, dict[Exp, int]]


class ExprBuilder:
    """The maker of scalar expressions for one program."""

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings = settings
        self.table: dict[tuple[object, ...], Exp] = {}
        self.integers: dict[int, Exp] = {}
        self.names: dict[str, int] = {}
        self.samples: dict[Exp, Var] = {}
        self.assumed = Assumed()
        """What holds in the part of the program that is being made."""
        self.epoch, self.epochs = 0, 1
        """Which assumptions these are: what has been simplified under them is not used elsewhere."""
        self.proofs: dict[Exp, tuple[bool, int]] = {}
        """What `nonnegative` found under these assumptions, and how deep it looked."""
        self.may_fail = MayFail()
        self.true = self.const(True)
        self.false = self.const(False)
        self.zero = self.const(0)
        self.one = self.const(1)

    @contextmanager
    def assuming(self, lows: dict[Exp, Exp], *, are_told: bool = False) -> Iterator[None]:
        """Lower bounds to reason with for a while: see `Assumed`."""
        outer = self.assumed, self.epoch, self.proofs
        self.assumed, self.epoch, self.proofs = self.assumed.extended(lows, are_told), self.epochs, {}
        self.epochs += 1
        try:
            yield
        finally:
            self.assumed, self.epoch, self.proofs = outer

    def _intern(self, node: Exp, *key: object) -> Exp:
        return self.table.setdefault((type(node), *key), node)

    # --- leaves ---

    def const(self, value: bool | int | float, ty: Base | None = None) -> Exp:
        """A constant; its type from its value unless given."""
        if ty is None:
            ty = Base.INT if type(value) is int else base_of_constant(value)
        if ty is Base.COMPLEX:
            return self.call(OF_PARTS, self.const(float(value)), self.const(0.0))
        if ty is not Base.INT:
            return self._intern(Const(value, ty), ty, repr(value))
        value = wrap(int(value))
        found = self.integers.get(value)
        if found is None:
            found = self.integers[value] = Const(value, ty)
        return found

    def fresh(self, hint: str) -> str:
        """A name that no other variable or buffer of the program has."""
        count = self.names.get(hint, 0)
        self.names[hint] = count + 1
        name = hint if count == 0 else f"{hint}_{count}"
        if count and name in self.names:
            return self.fresh(hint)
        self.names.setdefault(name, 1)
        return name

    def index(self, hint: str, extent: Exp) -> Var:
        """A fresh index from 0 up to an extent, exclusive."""
        return self.between(hint, (self.zero,), self.last_indices(extent))

    def sample_index(self, extent: Exp) -> Var:
        """The index below an extent at which arrays are looked at; always the same one."""
        found = self.samples.get(extent)
        if found is None:
            found = self.samples[extent] = self.index("i", extent)
        return found

    def between(self, hint: str, lows: tuple[Exp, ...], highs: tuple[Exp, ...]) -> Var:
        """A fresh index with inclusive bounds."""
        return Var(self.fresh(hint), Base.INT, True, lows, highs)

    def last_indices(self, extent: Exp) -> tuple[Exp, ...]:
        """Upper bounds of an index below an extent; it is positive where the index exists at all."""
        if isinstance(extent, Call) and extent.op is p.MAXI and self.zero in extent.args:
            return self.last_indices(extent.args[extent.args[0] is self.zero])
        if isinstance(extent, Call) and extent.op is p.MINI:
            return tuple([h for a in extent.args for h in self.last_indices(a)])
        return (self.add(extent, self.const(-1)),)

    # --- integers ---

    def linear(self, exp: Exp) -> Linear:
        """An integer expression as a constant and the coefficients of its atoms."""
        if isinstance(exp, Const):
            return int(exp.value), {}
        if isinstance(exp, Sum):
            return exp.const, dict(exp.terms)
        return 0, {exp: 1}

    def from_linear(self, const: int, terms: dict[Exp, int]) -> Exp:
        """The expression of a linear form."""
        const = wrap(const)
        kept = {atom: wrap(k) for atom, k in terms.items() if wrap(k)}
        if not kept:
            return self.const(const)
        if const == 0 and len(kept) == 1:
            (atom, k), *_ = kept.items()
            if k == 1:
                return atom
        key = (Sum, const, frozenset([(id(atom), k) for atom, k in kept.items()]))
        found = self.table.get(key)
        return found or self.table.setdefault(key, Sum(const, tuple(kept.items())))

    def _combine(self, a: Exp, b: Exp, sign: int) -> Exp:
        const, terms = self.linear(a)
        other, more = self.linear(b)
        for atom, k in more.items():
            terms[atom] = terms.get(atom, 0) + sign * k
            if not wrap(terms[atom]) and self.may_fail(atom):
                op = p.ADDI if sign > 0 else p.SUBI
                return self._intern(Call(op, (a, b), Base.INT), op, id(a), id(b))
        if any([isinstance(atom, Call) and atom.op in (REM, QUOT, p.MULI) for atom in more]):
            other += sign * put_together(self, terms)
        return self.from_linear(const + sign * other, terms)

    def add(self, a: Exp, b: Exp) -> Exp:
        """`a + b`"""
        return self._combine(a, b, 1)

    def sub(self, a: Exp, b: Exp) -> Exp:
        """`a - b`"""
        return self._combine(a, b, -1)

    def mul(self, a: Exp, b: Exp) -> Exp:
        """`a × b` of integers; linear where one is a constant."""
        if isinstance(b, Const):
            a, b = b, a
        if isinstance(a, Const):
            k = int(a.value)
            const, terms = self.linear(b)
            if not k and self.may_fail(b):
                return self._intern(Call(p.MULI, (a, b), Base.INT), p.MULI, id(a), id(b))
            return self.from_linear(k * const, {atom: k * c for atom, c in terms.items()})
        for many, one in ((a, b), (b, a)):
            is_count = isinstance(one, Var) and one.is_index
            if isinstance(many, Sum) and (is_count or (isinstance(one, Sum) and self.counts(a, b))):
                const, terms = self.linear(many)
                result = self.mul(self.const(const), one)
                for atom, k in terms.items():
                    result = self.add(result, self.mul(self.const(k), self.mul(atom, one)))
                return result
        swapped = self.table.get((Call, p.MULI, id(b), id(a)))
        return swapped or self._intern(Call(p.MULI, (a, b), Base.INT), p.MULI, id(a), id(b))

    def product(self, factors: tuple[Exp, ...]) -> Exp:
        """The product of extents. One that no integer holds stays beyond all memory."""
        constant, result = 1, self.one
        for factor in factors:
            if isinstance(factor, Const):
                constant *= int(factor.value)
            else:
                result = self.mul(result, factor)
        return self.mul(self.const(min(constant, p.INT_MAX)), result)

    # --- proofs; see Note [What may be reasoned about] ---

    def nonnegative(self, exp: Exp, depth: int = PROOF_DEPTH) -> bool:
        """Whether an integer expression is known to be at least zero; with many atoms it looks less deep."""
        const, terms = self.linear(exp)
        if not terms:
            return const >= 0
        depth = depth if len(terms) <= MOST_ATOMS else min(depth, DEPTH_OF_MANY)
        holds, looked = self.proofs.get(exp, (False, -1))
        if not holds and looked < depth:
            holds = self.counts(exp) and self._proved(exp, depth)
            self.proofs[exp] = holds, depth
        return holds

    def _proved(self, exp: Exp, depth: int) -> bool:
        """Whether the expression is at least zero with a bound in the place of one of its atoms."""
        for atom, k in self.linear(exp)[1].items():
            for bound, times in self._multiples(atom, k) if depth else ():
                const, terms = self.linear(exp)
                del terms[atom]
                more, bounding = self.linear(bound)
                for other, c in bounding.items():
                    terms[other] = terms.get(other, 0) + times * c
                if self.nonnegative(self.from_linear(const + times * more, terms), depth - 1):
                    return True
        return False

    def _multiples(self, atom: Exp, k: int) -> Iterator[tuple[Exp, int]]:
        """Expressions and factors whose product is at most `k×atom`."""
        for bound in self._bounds(atom, upper=k < 0):
            yield bound, k
        match atom:
            case Call(op=op, args=(a, Const(value=b))) if op is QUOT and b > 0 > k and self.nonnegative(a, 2):
                yield a, k // int(b)

    def counts(self, *exps: Exp) -> bool:
        """Whether integer expressions are over indices only; neither they nor their differences wrap."""
        return all(is_count(e) for e in exps)

    def _bounds(self, atom: Exp, *, upper: bool) -> tuple[Exp, ...]:
        """Expressions that bound an atom from above or below, inclusive."""
        match atom:
            case Var(lows=lows, highs=highs):
                assumed = self.assumed.lows.get(atom)
                return highs if upper else lows if assumed is None else (assumed,)
            case Call(op=op, args=args):
                if op is REM:
                    return (self.sub(args[1], self.one),) if upper else (self.zero,)
                if op is p.RESI and self.counts(*args) and self.nonnegative(self.sub(args[0], self.one), 2):
                    return (self.sub(args[0], self.one),) if upper else (self.zero,)
                if op in (p.MAXI, p.MINI):
                    return args if (op is p.MINI) == upper else ()
                if op is QUOT and upper:
                    return bound_of_quotient(self, args[1], self._bounds(args[0], upper=True))
                if op in (QUOT, p.MULI) and not upper and all(self.nonnegative(a, 2) for a in args):
                    return (self.zero,)
                return ()
            case Read(buffer=buffer):
                return buffer.highs if upper else buffer.lows
            case PureCall(lows=lows, highs=highs):
                return highs if upper else lows
            case Const() | Sum() | Select() | Check() | Fold() | BlockExp():
                return ()

    def at_least(self, a: Exp, b: Exp) -> bool:
        """Whether `a ≥ b` is known."""
        return a is b or (self.counts(a, b) and self.nonnegative(self.sub(a, b)))

    # --- operators ---

    def call(self, op: Prim, *args: Exp) -> Exp:
        """A scalar operator applied, simplified."""
        constants = [a for a in args if isinstance(a, Const)]
        if len(constants) == len(args) and (value := folded(op, constants)) is not None:
            return self.const(value, result_base(op))
        simpler = self._simpler(op, args)
        if simpler is not None:
            return simpler
        return self._intern(Call(op, args, result_base(op)), op, *map(id, args))

    def _simpler(self, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
        if op is p.ADDI:
            return self.add(*args)
        if op is p.SUBI:
            return self.sub(*args)
        if op is p.NEGI:
            return self.sub(self.zero, args[0])
        if op is p.MULI:
            return self.mul(*args)
        if op in (p.MAXI, p.MINI):
            return self._extremum(op, *args)
        if op in LESS or op in (p.EQI, p.NEQI):
            found = self._ordered(op, args) if op in LESS else self._equal(op, *args)
            return found or comparison_of_choice(self, op, args)
        if op in (p.ANDB, p.ORB, p.NOTB):
            return self._logical(op, args)
        if op in (p.EQB, p.NEQB):
            return self._same(op, *args)
        if op in _OF_TRUTHS and all(map(is_zero_or_one, args)):
            return self.call(p.B2I, self.call(_OF_TRUTHS[op], *map(self._truth, args)))
        if op in (QUOT, REM):
            return divided(self, op, *args)
        if op is p.C2I and isinstance(args[0], Call) and args[0].op is CHARACTER:
            return args[0].args[0]
        if op is p.ABSI and self.nonnegative(args[0]):
            return args[0]
        if op is p.RESI and isinstance(args[0], Const) and args[0].value > 1 and is_zero_or_one(args[1]):
            return args[1]
        if (rule := COMPLEX_RULES.get(op)) is not None:
            return rule(self, op, args)
        if op is p.SUBD and is_zero(args[1]):
            return args[0]  # x - 0.0 is x, also for -0.0
        if op in (p.MULD, DIVIDE) and isinstance(args[1], Const) and args[1].value == 1.0:
            return args[0]
        return None if (rule := _OF_REALS.get(op)) is None else rule(self, op, args)

    def _extremum(self, op: Prim, a: Exp, b: Exp) -> Exp | None:
        if a is b or self.at_least(a, b):
            return a if op is p.MAXI or a is b else b
        if self.at_least(b, a):
            return b if op is p.MAXI else a
        return bounded_before(self, op, a, b) or bounded_before(self, op, b, a)

    def _ordered(self, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
        low, high, strict = LESS[op]
        if args[0] is args[1]:
            return self.const(not strict)
        if self.counts(*args):
            gap = self.sub(self.sub(args[high], args[low]), self.const(strict))
            if self.nonnegative(gap) or self.nonnegative(self.sub(self.const(-1), gap)):
                return self.const(self.nonnegative(gap))
            if (of_rows := in_rows(self, gap)) is not None:
                return of_rows
        return comparison_with_extremum(self, op, args[low], args[high])

    def _equal(self, op: Prim, a: Exp, b: Exp) -> Exp | None:
        gap = self.sub(a, b)
        if isinstance(gap, Const):
            return self.const((gap.value == 0) == (op is p.EQI))
        if isinstance(b, Const) and b.value in (0, 1) and is_zero_or_one(a):
            holds = self._truth(a)
            return holds if (b.value == 1) == (op is p.EQI) else self.call(p.NOTB, holds)
        if _is_never_zero(gap):
            return self.const(op is p.NEQI)
        below = self.sub(self.const(-1), gap)
        if self.counts(a, b):
            if self.nonnegative(self.sub(gap, self.one)) or self.nonnegative(below):
                return self.const(op is p.NEQI)
            if self.nonnegative(gap) and self.nonnegative(self.sub(self.zero, gap)):
                return self.const(op is p.EQI)
        return None

    def _truth(self, exp: Exp) -> Exp:
        """The condition that zero or one stands for."""
        known: dict[int, Exp] = {}
        for node in nodes(exp, below=branches):
            match node:
                case Select(cond=cond, then=then, other=other):
                    known[id(node)] = self.select(cond, known[id(then)], known[id(other)])
                case Call(args=(cond,)):
                    known[id(node)] = cond
                case _:
                    known[id(node)] = self.call(p.NEQI, node, self.zero)
        return known[id(exp)]

    def _logical(self, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
        if op is p.NOTB:
            inner = args[0]
            return inner.args[0] if isinstance(inner, Call) and inner.op is p.NOTB else None
        unit, absorbing = (self.true, self.false) if op is p.ANDB else (self.false, self.true)
        if absorbing in args:
            return None if any(self.may_fail(a) for a in args) else absorbing
        rest = [a for a in dict.fromkeys(args) if a is not unit]
        return (rest[0] if rest else unit) if len(rest) < 2 else None

    def _same(self, op: Prim, a: Exp, b: Exp) -> Exp | None:
        """A condition compared with a constant is the condition, or its opposite."""
        if isinstance(a, Const):
            a, b = b, a
        if not isinstance(b, Const):
            return None
        return a if bool(b.value) == (op is p.EQB) else self.call(p.NOTB, a)

    # --- the rest ---

    def read(self, buffer: Buffer, index: Exp) -> Exp:
        """An element; of a table of constants at a known index, the constant; at a place that one condition
        decides, one of two elements. (gcc 12 gathers the wrong ones there.) Of what several conditions decide
        only constants are chosen: for other elements there would be a branch for each.
        """
        if (chosen := element_of_choice(self, buffer, index)) is not None:
            return chosen
        _, terms = self.linear(index)
        conditions = [a for a in terms if isinstance(a, Call) and a.op is p.B2I]
        if len(conditions) == 1 or (conditions and buffer.data is not None):
            atom, k = conditions[0], terms[conditions[0]]
            rest = self.sub(index, self.mul(self.const(k), atom))
            then = self.read(buffer, self.add(rest, self.const(k)))
            return self.select(atom.args[0], then, self.read(buffer, rest))
        return self._intern(Read(buffer, index, buffer.ty), id(buffer), id(index))

    def lookup(self, node: PureCall, args: tuple[Exp, ...] | None = None) -> Exp:
        """A search in memory, for other arguments perhaps."""
        if args is not None:
            node = replace(node, args=args)
        parts = (node.memory, node.behind, node.args, node.lows, node.highs)
        return self._intern(node, node.function, *[(len(part), *map(id, part)) for part in parts])

    def select(self, cond: Exp, then: Exp, other: Exp) -> Exp:
        """`cond ? then : other`; a condition that may fail does so also where both are the same."""
        if isinstance(cond, Const):
            return then if cond.value else other
        if (then is other and not self.may_fail(cond)) or is_decided(cond, then, other):
            return then
        if isinstance(cond, Call) and cond.op is p.NOTB:
            return self.select(cond.args[0], other, then)
        return self._intern(Select(cond, then, other, then.ty), id(cond), id(then), id(other))

    def check(self, ok: Exp, value: Exp, site: Site, *reported: Exp) -> Exp:
        """The value, provided that `ok`; unchecked if the program is to be unsafe."""
        if ok is self.true or self.settings.unsafe:
            return value
        made = Check.of(ok, value, site, reported)
        return self._intern(made, id(ok), id(value), id(made.site), *map(id, made.reported))

    def fold(self, combine: Prim | Step, var: Var, extent: Exp, body: Exp, empty: Exp | None) -> Exp:
        """A reduction."""
        if extent is self.zero and empty is not None:
            return empty
        if (simpler := simpler_fold(self, combine, var, extent, body, empty)) is not None:
            return simpler
        key = (id(combine), id(var), id(extent), id(body), id(empty))
        return self._intern(Fold(combine, var, extent, body, empty, body.ty), *key)


def _is_never_zero(gap: Exp) -> bool:
    """Whether a sum is of multiples of a power of two and of no multiple: `32×n` is not 1, wrapped or not."""
    if not isinstance(gap, Sum):
        return False
    low = [k & -k for _, k in gap.terms]
    return gap.const % min(low) != 0
