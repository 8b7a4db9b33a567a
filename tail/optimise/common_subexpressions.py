"""Common subexpressions: equal scalar expressions are computed once.

Note [What is shared]
    Scalars: sums, counts, extents, and what is computed of them. An array that is computed once and read at
    two places would have to go to memory, and mostly it is cheaper to compute its elements at both. Inside
    functions applied to elements nothing is bound, as Laila shares equal scalars there; but what a block
    around them has bound is used. What lies in memory anyway (`IN_MEMORY`) is shared as well, items above
    all: each function that goes over those of an array of arrays asks for the same starts and lengths.

An expression is bound in the block of its first occurrence (see Note [Blocks] in `loop_invariants`) and used
in that block and those inside it. One that may fail does not move before a statement that prints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.tail import prims as p
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.fresh_names import FreshNames
from aplc.tail.optimise.loop_invariants import MEMORY
from aplc.tail.optimise.map_fusion import Printing
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
    literal,
    map_argument,
    map_children,
    with_args,
    with_body,
)
from aplc.tail.types import Base, Func, Rho, Tuple, base_of, rank_of

IN_MEMORY = frozenset({p.CLASSES, p.CLASSES_T, p.NUMBER_FIELDS, p.PIECES, p.RUNS, p.UNIQUE, p.UNIQUE_T})
"""Primitives whose results lie in memory whoever uses them."""
SEARCHES = frozenset({p.INDEX_OF, p.INDEX_OF_T})
"""Those whose results are sought one by one, where that costs more than memory."""


def share_common(term: Term) -> Term:
    """`e[a,a] = let x = a in e[x,x]` for scalars a without effect, and what `IN_MEMORY` gives;
    `match(a,a) = tt`.
    """
    printing = Printing()
    numbers = Numbers(term, printing)
    counting = _Walk(term, numbers, None)
    counting.block(body_of(term))
    return with_body(term, _Walk(term, numbers, counting.seen).block(body_of(term)))


# --- which expressions are equal ----------------------------------------------------------------------------


class Numbers:
    """A number for each expression, the same for those that are equal up to the names of parameters and of
    what blocks bind.
    """

    def __init__(self, term: Term, printing: Printing) -> None:
        self.printing = printing
        self.bound: dict[str, int] = {}
        """The number of what a variable stands for, where that is the same each time it is computed."""
        self.known: dict[tuple[object, ...], int] = {}
        self.of_node: dict[int, int] = {}
        self.heights: dict[int, int] = {}
        self.params: dict[str, tuple[int, int]] = {}
        """For each parameter how deeply functions are nested in its function, and its position: no names."""
        self.height(body_of(term))
        self.of(body_of(term))

    def height(self, exp: Exp) -> int:
        """How deeply functions are nested in an expression."""
        if id(exp) not in self.heights:
            highest = max([self.height(child) for child in children(exp)], default=0)
            functions = [a for a in exp.args if isinstance(a, Fn)] if isinstance(exp, Op) else []
            for function in functions:
                own = self.height(function.body) + 1
                self.params |= {q.name: (own, k) for k, q in enumerate(function.params)}
                highest = max(highest, own)
            self.heights[id(exp)] = highest
        return self.heights[id(exp)]

    def of(self, exp: Exp) -> int:
        """The number of an expression."""
        if isinstance(exp, Var) and exp.name in self.bound:
            return self.bound[exp.name]
        if id(exp) not in self.of_node:
            parts = (
                self.of_block(exp) if isinstance(exp, Let) else [self.of(child) for child in children(exp)]
            )
            key = (*self.head(exp), *parts)
            self.of_node[id(exp)] = self.known.setdefault(key, len(self.known))
        return self.of_node[id(exp)]

    def of_block(self, block: Let) -> list[int]:
        """The numbers of what a block computes, in order."""
        parts: list[int] = []
        for binding in block.bindings:
            parts.append(self.of(binding.value))
            if not self.printing.of(binding.value):
                self.bound[binding.name] = parts[-1]
        return [*parts, self.of(block.body)]

    def head(self, exp: Exp) -> tuple[object, ...]:
        """What tells an expression from another with the same parts."""
        match exp:
            case Lit(value=value):
                return "lit", type(value), repr(value)
            case Var(name=name):
                return "var", self.params.get(name, name), exp.ty
            case Vec() | TupleExp() | If() | Let():
                return type(exp), exp.ty
            case Item(index=index):
                return "item", index
            case Op(prim=prim, args=args):
                return "op", prim, *[self.function(a) for a in args if isinstance(a, Fn | PrimFn)]
            case Rec() | Call():
                return "unique", id(exp)

    def function(self, function: Fn | PrimFn) -> object:
        """What tells a function from another with the same body."""
        return function.prim if isinstance(function, PrimFn) else tuple([q.ty for q in function.params])


# --- what is bound ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Shared:
    """An expression at its first occurrence in a block."""

    uses: int = 1
    name: str = ""


class _Walk:
    """A walk over a term in the order of evaluation. There are two, the same way: the first counts, and notes
    in `seen` the first occurrences that it meets; the second binds.
    """

    def __init__(self, term: Term, numbers: Numbers, seen: list[_Shared] | None) -> None:
        self.numbers = numbers
        self.counting = seen is None
        self.seen = seen or []
        self.next = 0
        self.names = FreshNames(term)
        self.facts = Facts({})
        self.printing = numbers.printing
        self.scopes: list[dict[int, _Shared]] = []
        self.bindings: list[list[Binding]] = []
        self.aliases: dict[str, Exp] = {}
        """What stands for names that are bound to other names."""
        self.prints = False
        """Whether the statement at hand prints."""

    def block(self, exp: Exp) -> Exp:
        """A block, with what is shared bound in front of the first statement that needs it."""
        outer = self.prints
        self.scopes.append({})
        self.bindings.append([])
        while isinstance(exp, Let):
            for binding in exp.bindings:
                self.prints = self.printing.of(binding.value)
                value = self.exp(binding.value, True, binding.name)
                if isinstance(value, Var) and value.ty == binding.ty and not self.counting:
                    self.aliases[binding.name] = value
                self.bindings[-1].append(Binding(binding.name, binding.ty, value))
            exp = exp.body
        self.prints = self.printing.of(exp)
        body = self.exp(exp, True)
        self.scopes.pop()
        self.prints = outer
        return let(self.bindings.pop(), body)

    def exp(self, exp: Exp, binds: bool, name: str = "") -> Exp:
        """An expression; `binds`: it is computed whenever its block is; `name`: it is a binding's value."""
        if isinstance(exp, Var):
            return self.aliases.get(exp.name, exp)
        if self.is_match_of_equals(exp):
            return replace(literal(True), ty=exp.ty, span=exp.span)  # of no other type: functions tell theirs
        if not self.is_candidate(exp):
            return self.parts(exp, binds)
        number = self.numbers.of(exp)
        known = next((scope[number] for scope in reversed(self.scopes) if number in scope), None)
        if known is not None:
            known.uses += self.counting
            return Var(known.name, ty=exp.ty, span=exp.span)
        if not binds or (self.prints and not name and self.facts.may_fail(exp)):
            return self.parts(exp, binds)
        shared = self.first(name)
        value = self.parts(exp, binds)
        self.scopes[-1][number] = shared
        if name or shared.uses == 1:
            return value
        shared.name = self.names.fresh()
        self.bindings[-1].append(Binding(shared.name, value.ty, value))
        return Var(shared.name, ty=value.ty, span=exp.span)

    def first(self, name: str) -> _Shared:
        """What a first occurrence is one of."""
        if self.counting:
            self.seen.append(_Shared())
        shared = self.seen[self.next]
        self.next += 1
        shared.name = name
        return shared

    def is_match_of_equals(self, exp: Exp) -> bool:
        """Whether an expression is `match(a,a)`, true unless an element differs from itself, as NaN does."""
        if not isinstance(exp, Op) or exp.prim is not p.MATCH or self.facts.may_fail(exp):
            return False
        left, right = children(exp)
        if isinstance(left.ty, Func | Tuple) or base_of(left.ty) not in (Base.INT, Base.BOOL, Base.CHAR):
            return False
        return self.numbers.of(left) == self.numbers.of(right) and not self.printing.of(exp)

    def is_search_in_itself(self, exp: Op) -> bool:
        """Whether elements are sought among themselves: where it is asked which are first, nothing is."""
        *_, table, sought = children(exp)
        return self.numbers.of(table) == self.numbers.of(sought)

    def is_candidate(self, exp: Exp) -> bool:
        """Whether an expression is a scalar that is computed, or lies in memory anyway, without effect."""
        if not isinstance(exp, Op) or exp.prim in MEMORY:
            return False
        is_search = exp.prim in SEARCHES and not self.is_search_in_itself(exp)
        if exp.prim in IN_MEMORY or is_search:
            return not self.printing.of(exp)
        if isinstance(exp.ty, Func | Tuple):
            return False
        return rank_of(exp.ty) == Rho(0) and not self.printing.of(exp)

    def parts(self, exp: Exp, binds: bool) -> Exp:
        """An expression that is not shared, its parts rewritten."""
        match exp:
            case Op(prim=prim, args=args):
                if prim is p.BENCH:  # what is timed is timed whole
                    return exp
                return with_args(exp, tuple([self.argument(arg, binds) for arg in args]))
            case If(condition=condition, then=then, otherwise=otherwise) if binds:
                condition = self.exp(condition, binds)
                branches = self.block(then), self.block(otherwise)
                return replace(exp, condition=condition, then=branches[0], otherwise=branches[1])
            case Rec(inits=inits, body=body) if binds:
                given = tuple([self.exp(init, binds) for init in inits])
                return replace(exp, inits=given, body=self.block(body))
            case Let() | If() | Rec():  # inside a function, or a block that is an operand
                return map_children(exp, lambda child: self.exp(child, False))
            case Lit() | Var() | Vec() | TupleExp() | Item() | Call():
                return map_children(exp, lambda child: self.exp(child, binds))

    def argument(self, arg: Arg, binds: bool) -> Arg:
        binds = binds and not isinstance(arg, Fn)
        return map_argument(arg, lambda exp: self.exp(exp, binds))
