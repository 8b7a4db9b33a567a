"""Loop-invariant code: what is the same each time is computed once, before.

Note [Blocks]
    The body of the program, each branch of a conditional and the body of each `Rec` are blocks, one inside
    the other, and have levels from 0. A variable belongs to the level of its block. Parameters of functions
    that are applied to elements, and all that is bound inside such a function, belong to no block, and
    nothing is bound inside these functions: one expression is what fuses, and Laila shares what is equal in
    it.

An expression moves to the block around the outermost loop in which none of its variables is bound, or, out
of a function, to the front of the statement at hand. It must not fail, as the loop may have no round, and
must be more than a name. A transposition whose last axis is replicated, as in `b⌿m`, stays: it is how the
first axis of `m` is written, and takes no memory where it is. Truth values that elements of a loop take as
doubles, as in `f×⍵`, become bytes in front of it and doubles in it: a byte is read and widened sooner than a
double is read. Out of functions scalars move, and arrays whose elements take more than reading them, as
those of scans, grades and sums of rows do: any other array that is read once by each element is better not in
memory. Out of a branch nothing moves but out of the loop around it, no array out of a branch in a function.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.tail import prims as p
from aplc.tail.meaning.tolerant import MOST
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.fresh_names import FreshNames
from aplc.tail.primitive import Prim
from aplc.tail.syntax import (
    Arg,
    Binding,
    Call,
    Exp,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
    children,
    let,
    map_argument,
    map_children,
    op,
    walk,
    with_args,
    with_body,
)
from aplc.tail.types import Func, Tuple, rank_of

MEMORY = frozenset({p.COPY, p.UPDATE, p.MODIFY, p.MATERIALISE})
"""What makes or changes an array in memory stays where it is used: it must have no other name."""

LAST_AXIS = frozenset({p.COMPRESS, p.REPLICATE, p.EXPAND, p.ROTATES})
"""What takes the elements along the last axis one by one."""

BY_ELEMENT = frozenset({p.EACH, p.ZIP_WITH})
"""What takes an element of each argument for an element of its value."""

DEAR = frozenset(
    {p.SCAN, p.GRADE_UP, p.GRADE_DOWN, p.UNIQUE, p.UNIQUE_T, p.REDUCE, p.REDUCE1, p.REDUCE_N, p.REDUCE_N1}
    | {p.INNER, p.INNER1, p.CELLS, p.ZIP_CELLS, p.COMPRESS, p.REPLICATE, p.WHERE, p.MEMBER, p.MEMBER_T}
    | {p.INDEX_OF, p.INDEX_OF_T, p.FIND, p.FIND_T, p.INTERVAL, p.DECODE}
)
"""What makes arrays whose elements take more than reading them, or more elements than there are."""

PROGRAM, BRANCH, LOOP = "program", "branch", "loop"


def move_invariants(term: Term, *, check_overflow: bool = False) -> Term:
    """`loop f(x = a) => e[b] = let y = b in loop f(x = a) => e[y]` where b cannot fail and has
    no x, and the same for `each(fn x => e[b],a)` and all operators with functions, where b is a scalar. With
    `check_overflow` integer arithmetic may fail.
    """
    return with_body(term, _Mover(term, check_overflow=check_overflow).block(body_of(term), PROGRAM))


@dataclass(slots=True)
class _Block:
    """A block that is being rewritten."""

    kind: str
    bindings: list[Binding]


class _Mover:
    def __init__(self, term: Term, *, check_overflow: bool) -> None:
        self.names = FreshNames(term)
        self.facts = Facts({}, check_overflow=check_overflow)
        self.blocks: list[_Block] = []
        self.levels: dict[str, int] = {}
        """The level of each variable that belongs to a block."""
        self.aliases: dict[str, Exp] = {}
        """Bindings that have moved, by the variables that stand for them now."""
        self.needs: dict[int, tuple[int, frozenset[str]]] = {}
        self.is_in_branch = False
        """Whether the expression at hand stands in a branch in a function."""
        self.alive: list[Exp] = []
        """What `needs` has found, so that nothing else is at its address."""
        if isinstance(term, Fn):
            self.levels = {param.name: 0 for param in term.params}
        self.assign(body_of(term), 0)

    # --- levels ---

    def assign(self, exp: Exp, level: int) -> None:
        """Note the levels of the variables bound in a block."""
        while isinstance(exp, Let):
            for binding in exp.bindings:
                self.levels[binding.name] = level
                self.assign_inside(binding.value, level)
            exp = exp.body
        self.assign_inside(exp, level)

    def assign_inside(self, exp: Exp, level: int) -> None:
        """Note them for the blocks inside an expression that are on no function's way."""
        match exp:
            case If(condition=condition, then=then, otherwise=otherwise):
                self.assign_inside(condition, level)
                self.assign(then, level + 1)
                self.assign(otherwise, level + 1)
            case Rec(params=params, inits=inits, body=body):
                for init in inits:
                    self.assign_inside(init, level)
                for param in params:
                    self.levels[param.name] = level + 1
                self.assign(body, level + 1)
            case Op(args=args):
                for arg in args:
                    if not isinstance(arg, Fn | PrimFn):
                        self.assign_inside(arg, level)
            case Vec() | TupleExp() | Item() | Call():
                for child in children(exp):
                    self.assign_inside(child, level)
            case Lit() | Var() | Let():  # a block that is an operand: what it binds stays in it
                pass

    def needed(self, exp: Exp) -> tuple[int, frozenset[str]]:
        """The level at which all variables of an expression exist, and those that belong to no block."""
        if id(exp) not in self.needs:
            level, loose = 0, frozenset[str]()
            if isinstance(exp, Var):
                level = self.levels.get(exp.name, 0)
                loose = loose if exp.name in self.levels else frozenset((exp.name,))
            for child in children(exp):
                inner, names = self.needed(child)
                level, loose = max(level, inner), loose | names
            if isinstance(exp, Op):
                loose -= {q.name for arg in exp.args if isinstance(arg, Fn) for q in arg.params}
            if isinstance(exp, Let):
                loose -= {binding.name for binding in exp.bindings}
            self.needs[id(exp)] = level, loose
            self.alive.append(exp)
        return self.needs[id(exp)]

    def target(self, exp: Exp, inside: bool) -> int | None:
        """The level to which an expression moves; `inside`: it stands in a function applied to elements."""
        here = len(self.blocks) - 1
        if not isinstance(exp, Op) or exp.prim in MEMORY or isinstance(exp.ty, Func | Tuple):
            return None
        level, loose = self.needed(exp)
        is_array = rank_of(exp.ty).const > 0
        if (
            loose
            or level > here
            or (inside and is_array and self.is_better_inside(exp))
            or self.facts.may_fail(exp)
        ):
            return None
        loops = [k for k in range(level + 1, here + 1) if self.blocks[k].kind == LOOP]
        if loops:
            return loops[0] - 1
        return here if inside else None

    def is_better_inside(self, exp: Exp) -> bool:
        """Whether an array that is the same for all elements is computed for each of them."""
        dear = [e.ty for e in walk(exp) if isinstance(e, Op) and e.prim in DEAR]
        return self.is_in_branch or not any(
            rank_of(ty).const for ty in dear if not isinstance(ty, Func | Tuple)
        )

    # --- rewriting ---

    def block(self, exp: Exp, kind: str) -> Exp:
        """A block, with what moves to its front and between its bindings."""
        self.blocks.append(_Block(kind, []))
        while isinstance(exp, Let):
            for binding in exp.bindings:
                value = self.exp(binding.value, False)
                if isinstance(value, Var) and value.name in self.levels:
                    self.aliases[binding.name] = value
                    self.levels[binding.name] = self.levels[value.name]
                self.blocks[-1].bindings.append(Binding(binding.name, binding.ty, value))
            exp = exp.body
        body = self.exp(exp, False)
        return let(self.blocks.pop().bindings, body)

    def exp(self, exp: Exp, inside: bool) -> Exp:
        """An expression with its invariants moved away."""
        if inside:
            exp = self.against_ends(exp)
        level = self.target(exp, inside)
        if level is None:
            return self.parts(exp, inside)
        later = self.blocks[level + 1 :]
        del self.blocks[level + 1 :]
        value = self.parts(exp, False)
        name = self.names.fresh()
        self.levels[name] = level
        self.blocks[level].bindings.append(Binding(name, value.ty, value))
        self.blocks += later
        return Var(name, ty=value.ty, span=exp.span)

    def against_ends(self, exp: Exp) -> Exp:
        """A comparison within a tolerance, of what is the same for all elements with what is not: exact ones
        with the least or the greatest number that equals the former.
        """
        if not isinstance(exp, Op) or exp.prim not in (p.EQTD, p.LTTD, p.LTETD):
            return exp
        tolerance, x, y = exp.args
        assert not isinstance(x, Fn | PrimFn) and not isinstance(y, Fn | PrimFn)
        is_known = isinstance(tolerance, Lit) and 0 <= float(tolerance.value) <= MOST
        is_fixed = not self.needed(x)[1]
        if not is_known or is_fixed == (not self.needed(y)[1]):
            return exp
        c, other = (x, y) if is_fixed else (y, x)
        if not any(isinstance(node, Var) for node in walk(c)):
            return exp  # these follow from a constant, and are found later
        if not isinstance(c, Var) and self.target(c, True) is None:
            return exp
        if exp.prim is p.EQTD and any(not _may_stand_twice(node) for node in walk(other)):
            return exp
        c = self.exp(c, True)
        low, high = op(p.LOWESTD, tolerance, c), op(p.HIGHESTD, tolerance, c)
        if exp.prim is p.EQTD:
            above = op(p.GTED, other, low, symbol=exp.symbol, span=exp.span)
            return op(p.ANDB, above, op(p.LTED, other, high, symbol=exp.symbol, span=exp.span), span=exp.span)
        if exp.prim is p.LTTD:
            prim, end = (p.GTD, high) if is_fixed else (p.LTD, low)
        else:
            prim, end = (p.GTED, low) if is_fixed else (p.LTED, high)
        return op(prim, other, end, symbol=exp.symbol, span=exp.span)

    def parts(self, exp: Exp, inside: bool) -> Exp:
        """An expression that stays, its parts rewritten."""
        match exp:
            case Var(name=name):
                alias = self.aliases.get(name)
                return exp if alias is None else replace(alias, span=exp.span)
            case Op(prim=prim, args=args):
                if prim is p.BENCH:
                    return self.frozen(exp)
                if prim in LAST_AXIS and isinstance(args[-1], Op) and args[-1].prim is p.TRANSP:
                    rest = tuple([self.argument(arg, inside) for arg in args[:-1]])
                    return with_args(exp, (*rest, self.parts(args[-1], inside)))
                if prim in BY_ELEMENT:
                    return with_args(exp, tuple([self.element(arg, inside) for arg in args]))
                return with_args(exp, tuple([self.argument(arg, inside) for arg in args]))
            case If(condition=condition, then=then, otherwise=otherwise) if not inside:
                condition = self.exp(condition, False)
                branches = self.block(then, BRANCH), self.block(otherwise, BRANCH)
                return replace(exp, condition=condition, then=branches[0], otherwise=branches[1])
            case Rec(inits=inits, body=body) if not inside:
                given = tuple([self.exp(init, False) for init in inits])
                return replace(exp, inits=given, body=self.block(body, LOOP))
            case If(condition=condition, then=then, otherwise=otherwise):
                condition = self.exp(condition, True)
                outer, self.is_in_branch = self.is_in_branch, True
                branches = self.exp(then, True), self.exp(otherwise, True)
                self.is_in_branch = outer
                return replace(exp, condition=condition, then=branches[0], otherwise=branches[1])
            case Lit() | Vec() | Let() | TupleExp() | Item() | Rec() | Call():
                return map_children(exp, lambda child: self.exp(child, inside))

    def argument(self, arg: Arg, inside: bool) -> Arg:
        if isinstance(arg, PrimFn):
            return arg
        if isinstance(arg, Fn):
            return map_argument(arg, lambda body: self.exp(body, True))
        return self.exp(arg, inside)

    def element(self, arg: Arg, inside: bool) -> Arg:
        """An argument that is read element by element."""
        if isinstance(arg, Fn | PrimFn) or not _widens(arg):
            return self.argument(arg, inside)
        return self.parts(arg, inside)

    def frozen(self, exp: Exp) -> Exp:
        """An expression in which nothing moves: what is timed is timed whole."""
        return self.parts(exp, True) if isinstance(exp, Var) else map_children(exp, self.frozen)


def _may_stand_twice(node: Exp) -> bool:
    """Whether an expression binds no names, and is none that stands for two itself."""
    if isinstance(node, Let | Rec):
        return False
    binds = isinstance(node, Op) and any(isinstance(arg, Fn) for arg in node.args)
    return not binds and not (isinstance(node, Op) and node.prim is p.EQTD)


def _widens(exp: Exp) -> bool:
    """Whether an array is one of truth values, zeros and ones, as doubles."""
    return _each_of(p.B2I, _each_of(p.I2D, exp)) is not None


def _each_of(prim: Prim, exp: Exp | None) -> Exp | None:
    """The array to whose elements one primitive is applied; None if it is none such."""
    match exp:
        case Op(prim=p.EACH, args=(PrimFn(prim=applied), of)) if applied is prim:
            return None if isinstance(of, Fn | PrimFn) else of
        case _:
            return None
