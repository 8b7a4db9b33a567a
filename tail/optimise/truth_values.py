"""Integers that are truth values: `s←n⍴0 ⋄ s[1]←1` holds zeros and ones, and so does what a loop makes of it
by `{⍵∨a∨.∧⍵}`.

    loop f(s:[int]1 = take(n,[1])) => let t:[int]1 = zipWith(gcdi,s,…) in … f(t)
    →   loop f(s:[bool]1 = take(n,[tt])) => let t:[bool]1 = zipWith(orb,s,…) in … f(t)

Numbers in a text are integers, so that `∨` and `∧` of them are greatest common divisors and least common
multiples. Where all elements are known to be zeros and ones, they are computed as truth values, in bytes or
bits, and a fold of them may end early; what else reads such a variable takes it as numbers.

Which elements a primitive only moves, its scheme tells (Note [What only moves] of `kept_storage`). All
variables are taken for truth values at first; one that may be anything else is none, nor what is made of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from aplc.tail import prims as p
from aplc.tail.optimise.fresh_names import FreshNames
from aplc.tail.optimise.kept_storage import variable_of
from aplc.tail.optimise.rewrite import Rebuild
from aplc.tail.optimise.truth_conversions import as_number, not_zero, truth_type
from aplc.tail.prims import Prim
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
    Param,
    PrimFn,
    Rec,
    Term,
    TupleExp,
    Var,
    Vec,
    body_of,
    call,
    conditional,
    fn,
    item,
    let,
    literal,
    map_item,
    op,
    prim_fn,
    product,
    rec,
    vec,
    walk,
    with_body,
)
from aplc.tail.types import (
    Base,
    BaseVar,
    DataType,
    Func,
    Nested,
    Records,
    Tuple,
    Type,
)
from aplc.tail.unify import NoMatch

OF_TRUTH: dict[Prim, Prim] = {
    p.GCDI: p.ORB, p.LCMI: p.ANDB, p.MAXI: p.ORB, p.MINI: p.ANDB, p.MULI: p.ANDB,
}  # fmt: skip
"""What a scalar primitive does to zeros and ones, as one on truth values."""

COSTLY = frozenset((p.GCDI, p.LCMI))
"""What takes much longer for integers than for truth values."""

TESTS = frozenset((p.I2B, p.WHERE, p.REPLICATE))
"""What takes a first argument of integers and would rather have truth values."""


def as_truth_values(term: Term) -> Term:
    """The program with truth values for integers that are such by its text, where that saves computing."""
    if not any(_is_costly(node) for node in walk(term)):
        return term
    change = _Change(_Known(body_of(term)), FreshNames(term))
    changed = change.exp(body_of(term))
    return with_body(term, changed) if change.saved else term


def _is_costly(node: Exp) -> bool:
    """Whether an operator would gain by truth values."""
    if not isinstance(node, Op):
        return False
    if node.prim in TESTS:
        return not isinstance(node.args[0], Fn | PrimFn) and is_integer(node.args[0].ty)
    return any(prim in COSTLY for prim in (node.prim, *[a.prim for a in node.args if isinstance(a, PrimFn)]))


def is_integer(ty: Type) -> TypeGuard[DataType]:
    """Whether values are integers, or arrays of such."""
    return not isinstance(ty, Func | Tuple) and ty.base is Base.INT


def _sources(exp: Op, variable: BaseVar, seen: frozenset[BaseVar] = frozenset()) -> list[Exp] | None:
    """The expressions that the elements come from for which a variable of the primitive's scheme stands: they
    are truth values if those are; None where a function makes something else, or they come out of arrays of
    arrays, of which nothing is known.
    """
    scheme = exp.prim.schemes[0].type
    found: list[Exp] = []
    for ty, arg in zip(scheme.params, exp.args, strict=True):
        if not isinstance(ty, Func):
            if variable_of(ty) == variable:
                assert not isinstance(arg, Fn | PrimFn)
                found.append(arg)
            elif isinstance(arg.ty, Nested | Records) or _mentions(ty, variable):
                return None
        elif isinstance(ty.result, Func) or variable_of(ty.result) != variable:
            continue
        elif isinstance(arg, Fn):
            found.append(arg.body)
        elif isinstance(arg, PrimFn) and arg.prim in OF_TRUTH:
            for other in {variable_of(q): None for q in ty.params if not isinstance(q, Func)}:
                if other is not None and other not in seen | {variable}:
                    more = _sources(exp, other, seen | {variable})
                    if more is None:
                        return None
                    found += more
        else:
            return None
    return found


def _mentions(ty: Type, variable: BaseVar) -> bool:
    """Whether a tuple, or an array of arrays, may have elements of a type."""
    if isinstance(ty, Nested | Records):
        return True
    return isinstance(ty, Tuple) and any(
        variable_of(i) == variable or _mentions(i, variable) for i in ty.items
    )


def _result_variable(exp: Op) -> BaseVar | None:
    """The variable of the scheme of a primitive that moves elements, for those of its result."""
    if exp.prim.is_scalar or exp.prim.stateful or not exp.prim.schemes:
        return None
    result = exp.prim.schemes[0].type.result
    return None if isinstance(result, Func) else variable_of(result)


class _Known:
    """Which variables of a program are truth values, though their type is that of integers."""

    def __init__(self, body: Exp) -> None:
        self.values: dict[str, Exp] = {}
        self.given: dict[str, list[Exp] | None] = {}
        """What the variables may be; None: anything."""
        self.results: set[tuple[str, int]] = set()
        """The recursive functions, each with a part of its result, 0 for all of it, that is truth values."""
        recursions: dict[str, Rec] = {}
        nodes = list(walk(body))
        for node in nodes:
            match node:
                case Let(bindings=bindings):
                    self.values |= {b.name: b.value for b in bindings}
                    self.given |= {b.name: [b.value] for b in bindings}
                case Rec():
                    recursions[node.name] = node
                    parts = len(node.ty.items) if isinstance(node.ty, Tuple) else 0
                    self.results |= {(node.name, k) for k in range(parts + 1)}
                    self.given |= {
                        q.name: None if node.in_common else [init]
                        for q, init in zip(node.params, node.inits, strict=True)
                    }
                case Op() if any(isinstance(arg, Fn) for arg in node.args):
                    self._take_parameters(node)
                case _:
                    pass
        for node in nodes:
            if isinstance(node, Call):
                for param, arg in zip(recursions[node.name].params, node.args, strict=True):
                    known = self.given[param.name]
                    if known is not None:
                        known.append(arg)
        self.names = {name for name, given in self.given.items() if given is not None}
        self._memo: dict[tuple[int, int], bool] = {}
        is_sure = False
        while not is_sure:
            self._memo = {}
            names = {n for n in self.names if all(self.holds(e) for e in self.given[n] or ())}
            results = {(f, k) for f, k in self.results if self.holds(recursions[f].body, k)}
            is_sure = names == self.names and results == self.results
            self.names, self.results = names, results
        self.wanted: set[str] = set()
        self.wanted_items: set[tuple[str, int]] = set()
        """Those of variables that are tuples, as choices make."""
        for node in nodes:
            if isinstance(node, Op) and _is_costly(node):
                of = node.args[0] if node.prim in TESTS else node
                if not isinstance(of, Fn | PrimFn) and is_integer(of.ty) and self.holds(of):
                    self._want(of)

    def _take_parameters(self, node: Op) -> None:
        """What the parameters of functions of elements are given."""
        scheme = node.prim.schemes[0].type if node.prim.schemes else None
        for k, arg in enumerate(node.args):
            if not isinstance(arg, Fn):
                continue
            self.given |= {param.name: None for param in arg.params}
            ty = scheme.params[k] if scheme is not None else None
            if not isinstance(ty, Func) or len(ty.params) != len(arg.params):
                continue
            for param, of in zip(arg.params, ty.params, strict=True):
                variable = None if isinstance(of, Func) else variable_of(of)
                if variable is not None and is_integer(param.ty):
                    self.given[param.name] = _sources(node, variable)

    def holds(self, exp: Exp, part: int = 0) -> bool:
        """Whether all elements of an integer expression are zeros and ones; or those of a part of a tuple."""
        key = (id(exp), part)
        if key not in self._memo:
            self._memo[key] = self._holds(exp, part)
        return self._memo[key]

    def _holds(self, exp: Exp, part: int) -> bool:
        if part == 0 and not is_integer(exp.ty):
            return False
        match exp:
            case Var(name=name):
                if part == 0:
                    return name in self.names
                return name in self.values and self.holds(self.values[name], part)
            case TupleExp(items=items):
                return 0 < part <= len(items) and self.holds(items[part - 1])
            case Item(value=value, index=index):
                return part == 0 and self.holds(value, index)
            case If(then=then, otherwise=otherwise):
                return self.holds(then, part) and self.holds(otherwise, part)
            case Let(body=body):
                return self.holds(body, part)
            case Rec(name=name) | Call(name=name):
                return (name, part) in self.results
            case Lit() | Vec() | Op():
                parts = self.parts(exp) if part == 0 else None
                return parts is not None and all([self.holds(e) for e in parts])

    def parts(self, exp: Lit | Vec | Op) -> list[Exp] | None:
        """What has to be truth values so that an expression of integers is; None if it is none anyway."""
        match exp:
            case Lit(value=value):
                return [] if value in (0, 1) else None
            case Vec(items=items):
                return list(items)
            case Op(prim=p.B2I) | Op(prim=p.EACH, args=(PrimFn(prim=p.B2I), _)):
                return []
            case Op(prim=prim, args=args) if prim in OF_TRUTH:
                return [a for a in args if not isinstance(a, Fn | PrimFn)]
            case Op():
                variable = _result_variable(exp)
                return None if variable is None else _sources(exp, variable)

    def _want(self, exp: Exp) -> None:
        """The variables that are to be truth values, so that an expression is."""
        left = [exp]
        while left:
            match left.pop():
                case Var(name=name) if name in self.names and name not in self.wanted:
                    self.wanted.add(name)
                    left += self.given[name] or ()
                case Lit() | Vec() | Op() as node:
                    left += self.parts(node) or ()
                case If(then=then, otherwise=otherwise):
                    left += (then, otherwise)
                case Let(body=body):
                    left.append(body)
                case Item(value=Var(name=name), index=k) if (name, k) not in self.wanted_items:
                    items = _items(self.values[name], k) if name in self.values else None
                    if items is not None and all(self.holds(i) for i in items):
                        self.wanted_items.add((name, k))
                        left += items
                case _:
                    pass


def _items(exp: Exp, index: int) -> list[Exp] | None:
    """What a component of a tuple may be, where choices between tuples make it."""
    match exp:
        case TupleExp(items=items):
            return [items[index - 1]]
        case If(then=then, otherwise=otherwise):
            a, b = _items(then, index), _items(otherwise, index)
            return None if a is None or b is None else a + b
        case Let(body=body):
            return _items(body, index)
        case _:
            return None


class _Change(Rebuild):
    """Rebuilds a term; variables of integers that are truth values are of that type."""

    def __init__(self, known: _Known, names: FreshNames) -> None:
        super().__init__(lambda exp: exp)
        self.known, self.names = known, names
        self.saved = 0
        self.truths: dict[str, Type] = {}
        """The types of variables that are truth values now."""
        self.recursions: dict[str, tuple[Param, ...]] = {}
        self.tuples: dict[str, Type] = {}
        """The types of tuples with items that are truth values now."""

    # --- what stays what it is ---

    def exp(self, exp: Exp) -> Exp:
        """An expression of the same type."""
        match exp:
            case Var(name=name) if name in self.truths:
                return as_number(self.truth(exp))
            case Item(value=Var(name=name), index=k) if (name, k) in self.known.wanted_items:
                return as_number(self.truth(exp))
            case Item(value=Var(name=name), index=k) if name in self.tuples:
                return item(Var(name, ty=self.tuples[name], span=exp.span), k, exp.span)
            case Var(name=name, ty=Tuple(items=types)) if name in self.tuples:
                return product(tuple([self.exp(item(exp, k + 1, exp.span)) for k in range(len(types))]))
            case Op(prim=prim, args=(first, *others)) if prim in TESTS and self.is_truth(first):
                self.saved += 1
                return self.test(exp, self.truth(first), [self.argument(a) for a in others])
            case Op(prim=p.MATCH, args=(a, b)) if self.is_truth(a) and self.is_truth(b):
                return op(p.MATCH, self.truth(a), self.truth(b), symbol=exp.symbol, span=exp.span)
            case Op() if _is_costly(exp) and self.is_truth(exp):
                return as_number(self.truth(exp))
            case Rec():
                return self.recursion(exp)
            case Call(name=name, args=args):
                params = self.recursions[name]
                given = [self.of_parameter(q, a) for q, a in zip(params, args, strict=True)]
                return call(name, tuple(given), exp.ty, exp.span)
            case _:
                return super().exp(exp)

    def is_truth(self, arg: Arg) -> bool:
        """Whether an argument is of integers that are truth values."""
        return not isinstance(arg, Fn | PrimFn) and self.known.holds(arg)

    def test(self, exp: Op, truth: Exp, others: list[Arg]) -> Exp:
        """A condition, positions or a choice of elements by truth values."""
        if exp.prim is p.I2B:
            return truth
        prim = p.COMPRESS if exp.prim is p.REPLICATE else exp.prim
        return op(prim, truth, *others, symbol=exp.symbol, span=exp.span)

    def bindings(self, bindings: tuple[Binding, ...]) -> list[Binding]:
        """The bindings of a block, those of truth values among them."""
        result: list[Binding] = []
        for binding in bindings:
            parts = {k for name, k in self.known.wanted_items if name == binding.name}
            if parts:
                value = self.with_items(binding.value, parts)
                self.tuples[binding.name] = value.ty
                result.append(Binding(binding.name, value.ty, value))
                continue
            if binding.name not in self.known.wanted:
                result += super().bindings((binding,))
                continue
            value = self.truth(binding.value)
            if isinstance(value, Let):
                result += value.bindings
                value = value.body
            self.truths[binding.name] = value.ty
            result.append(Binding(binding.name, value.ty, value))
        return result

    def with_items(self, exp: Exp, parts: set[int]) -> Exp:
        """A tuple, made by choices, with truth values for some of its items."""
        match exp:
            case TupleExp(items=items):
                made = [self.truth(e) if k in parts else self.exp(e) for k, e in enumerate(items, 1)]
                return product(tuple(made), exp.span)
            case If(condition=condition, then=then, otherwise=otherwise):
                a, b = self.with_items(then, parts), self.with_items(otherwise, parts)
                return conditional(self.exp(condition), a, b, exp.span)
            case Let(bindings=bindings, body=body):
                return let(self.bindings(bindings), self.with_items(body, parts))
            case _:
                raise AssertionError(exp)

    def recursion(self, exp: Rec) -> Exp:
        """A recursive function, whose parameters may be truth values."""
        params = tuple([self.parameter(q, is_truth=q.name in self.known.wanted) for q in exp.params])
        inits = tuple([self.of_parameter(q, i) for q, i in zip(params, exp.inits, strict=True)])
        self.recursions[exp.name] = params
        body = self.exp(exp.body)
        return rec(exp.name, params, inits, body, exp.ty, exp.span, exp.most, in_common=exp.in_common)

    def parameter(self, param: Param, *, is_truth: bool) -> Param:
        """A parameter, which may be a truth value now."""
        if not is_truth:
            return param
        self.truths[param.name] = truth_type(param.ty)
        return replace(param, ty=self.truths[param.name])

    def of_parameter(self, param: Param, value: Exp) -> Exp:
        """The value for a parameter."""
        return self.truth(value) if param.name in self.truths else self.exp(value)

    # --- what becomes truth values ---

    def truth(self, exp: Arg) -> Exp:
        """The truth values that an expression of integers has."""
        assert not isinstance(exp, Fn | PrimFn)
        self.saved += _is_costly(exp)
        match exp:
            case Lit(value=value):
                return literal(bool(value), exp.span)
            case Vec(items=items):
                return vec(tuple([self.truth(i) for i in items]), Base.BOOL, exp.span)
            case Var(name=name) if name in self.truths:
                return Var(name, ty=self.truths[name], span=exp.span)
            case Item(value=Var(name=name), index=k) if (name, k) in self.known.wanted_items:
                return item(Var(name, ty=self.tuples[name], span=exp.span), k, exp.span)
            case Op(prim=p.B2I, args=(of,)) | Op(prim=p.EACH, args=(PrimFn(prim=p.B2I), of)):
                assert not isinstance(of, Fn | PrimFn)
                return self.exp(of)
            case Op(prim=prim, args=args) if prim in OF_TRUTH:
                made = [self.truth(a) for a in args]
                return op(OF_TRUTH[prim], *made, symbol=exp.symbol, span=exp.span)
            case Op():
                found = self.moved(exp)
                return not_zero(super().exp(exp), self.names.fresh()) if found is None else found
            case If(condition=condition, then=then, otherwise=otherwise):
                return conditional(self.exp(condition), self.truth(then), self.truth(otherwise), exp.span)
            case Let(bindings=bindings, body=body):
                return let(self.bindings(bindings), self.truth(body))
            case _:
                return not_zero(self.exp(exp), self.names.fresh())

    def moved(self, exp: Op) -> Exp | None:
        """Truth values that a primitive moves, or computes by functions on them."""
        scheme = exp.prim.schemes[0].type
        variables = self.variables(exp, scheme)
        made: list[Arg] = []
        for ty, arg in zip(scheme.params, exp.args, strict=True):
            if isinstance(ty, Func):
                made.append(self.function(arg, ty, variables))
            else:
                made.append(self.truth(arg) if variable_of(ty) in variables else self.argument(arg))
        try:
            return op(exp.prim, *made, symbol=exp.symbol, span=exp.span)
        except NoMatch:
            return None

    def variables(self, exp: Op, scheme: Func) -> set[BaseVar]:
        """The variables of the scheme that stand for truth values: that of the result, and those of which
        functions make such.
        """
        found: set[BaseVar] = set()
        left = [_result_variable(exp)]
        while left:
            variable = left.pop()
            if variable is None or variable in found:
                continue
            found.add(variable)
            for ty, arg in zip(scheme.params, exp.args, strict=True):
                if isinstance(ty, Func):
                    of = [None if isinstance(q, Func) else variable_of(q) for q in ty.params]
                    if isinstance(arg, Fn):
                        wanted = self.known.wanted
                        left += [v for q, v in zip(arg.params, of, strict=True) if q.name in wanted]
                    elif not isinstance(ty.result, Func) and variable_of(ty.result) == variable:
                        left += of
        return found

    def function(self, arg: Arg, ty: Func, variables: set[BaseVar]) -> Arg:
        """A function of elements, which are truth values where a variable stands for such."""

        def is_one(of: Type) -> bool:
            return not isinstance(of, Func) and variable_of(of) in variables

        if isinstance(arg, PrimFn):
            if not is_one(ty.result):
                return arg
            return prim_fn(OF_TRUTH[arg.prim], arg.symbol, arg.span)
        assert isinstance(arg, Fn)
        params = [self.parameter(q, is_truth=is_one(of)) for q, of in zip(arg.params, ty.params, strict=True)]
        body = self.truth(arg.body) if is_one(ty.result) else self.exp(arg.body)
        return fn(tuple(params), body, arg.span, map_item(arg.item, self.exp))
