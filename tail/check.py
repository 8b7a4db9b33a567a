"""The checker of TAIL: verifies the types that a term carries, and infers nothing.

Judgement: under the variables in scope, an expression has the type written on it. Rules 3.15 to 3.26 of the
thesis, with the operator schemes of `prims`. A failure is a bug in whoever built the term, so it is an
`InternalError`; texts written by hand are checked by the reader, which reports to the user.
"""

from __future__ import annotations

from aplc.tail.errors import InternalError
from aplc.tail.parts import rebuilt
from aplc.tail.prims import COPY, MODIFY, UPDATE
from aplc.tail.syntax import (
    Arg,
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
    constants_of,
    is_loop,
    literal,
    parts_of_function,
    vec,
)
from aplc.tail.types import Array, Base, Func, Nested, Records, Rho, Tuple, Type, is_subtype, scalar
from aplc.tail.unify import NoMatch


class _Checker:
    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.scope: dict[str, Type] = {}
        self.bound: set[str] = set()
        self.functions: dict[str, Rec] = {}

    def fail(self, message: str) -> InternalError:
        return InternalError(self.stage, f"ill-typed term: {message}")

    def bind(self, name: str, ty: Type) -> None:
        if name in self.bound:
            raise self.fail(f"{name} is bound twice")
        self.bound.add(name)
        self.scope[name] = ty

    def expect(self, actual: Type, stated: Type, what: str) -> None:
        if not is_subtype(actual, stated):
            raise self.fail(f"{what} has type {actual}, stated is {stated}")

    def argument(self, arg: Arg) -> None:
        match arg:
            case Fn():
                self.function(arg)
            case PrimFn(prim=prim):
                if not prim.is_scalar or arg.ty != prim.schemes[0].type:
                    raise self.fail(f"{prim.name} is no function of type {arg.ty}")
            case Lit() | Vec() | Var() | Op() | Let() | TupleExp() | Item() | If() | Rec() | Call():
                self.expression(arg)

    def function(self, function: Fn) -> None:
        if not function.params:
            raise self.fail("a function without parameters")
        for param in function.params:
            self.bind(param.name, param.ty)
        for part in parts_of_function(function):
            self.expression(part)
        stated = Func(tuple([p.ty for p in function.params]), function.body.ty)
        if stated != function.ty:
            raise self.fail(f"function of type {stated}, stated is {function.ty}")
        for param in function.params:
            del self.scope[param.name]

    def expression(self, exp: Exp) -> None:
        match exp:
            case Lit(value=value):
                if isinstance(value, str) and len(value) != 1:
                    raise self.fail(f"literal {value!r} is not one character")
                if type(value) is int and not -(2**63) <= value < 2**63:
                    raise self.fail(f"literal {value} does not fit 64 bits")
                self.expect(literal(value).ty, exp.ty, f"literal {value!r}")
            case Vec(items=items):
                self.vector(exp, items)
            case Var(name=name):
                if name not in self.scope:
                    raise self.fail(f"{name} is not in scope")
                self.expect(self.scope[name], exp.ty, name)
            case Op(prim=prim, args=args):
                for arg in args:
                    self.argument(arg)
                try:
                    actual = prim.result_type(tuple([a.ty for a in args]), constants_of(args))
                except NoMatch as failure:
                    raise self.fail(str(failure)) from None
                self.expect(actual, exp.ty, prim.name)
                if changes_shared_array(exp):
                    raise self.fail(f"{prim.name} changes an array that may have another name")
            case Let(bindings=bindings, body=body):
                if not bindings or isinstance(body, Let):
                    raise self.fail("a let without bindings, or directly inside another")
                for binding in bindings:
                    self.expression(binding.value)
                    self.expect(binding.value.ty, binding.ty, binding.name)
                    self.bind(binding.name, binding.ty)
                self.expression(body)
                self.expect(body.ty, exp.ty, "the body of let")
                for binding in bindings:
                    del self.scope[binding.name]
            case TupleExp(items=items):
                for item in items:
                    self.expression(item)
                if isinstance(exp.ty, Nested | Records):
                    try:
                        self.expect(rebuilt(items, exp.ty).ty, exp.ty, "array of arrays")
                    except NoMatch as failure:
                        raise self.fail(str(failure)) from None
                else:
                    self.expect(Tuple(tuple([i.ty for i in items])), exp.ty, "tuple")
            case Item(value=value, index=index):
                self.expression(value)
                if not isinstance(value.ty, Tuple) or not 1 <= index <= len(value.ty.items):
                    raise self.fail(f"component {index} of {value.ty}")
                self.expect(value.ty.items[index - 1], exp.ty, "component")
            case If(condition=condition, then=then, otherwise=otherwise):
                self.expression(condition)
                self.expect(condition.ty, scalar(Base.BOOL), "condition")
                for branch in (then, otherwise):
                    self.expression(branch)
                    self.expect(branch.ty, exp.ty, "a branch")
            case Rec():
                self.recursion(exp)
            case Call(name=name, args=arguments):
                if name not in self.functions:
                    raise self.fail(f"{name} is not in scope")
                called = self.functions[name]
                if len(arguments) != len(called.params):
                    raise self.fail(f"{name} takes {len(called.params)} arguments, got {len(arguments)}")
                for param, value in zip(called.params, arguments, strict=True):
                    self.expression(value)
                    self.expect(value.ty, param.ty, param.name)
                self.expect(called.ty, exp.ty, name)

    def recursion(self, exp: Rec) -> None:
        """`rec f(x:τ = e, …):τ => e`: the body under its parameters and under the function itself."""
        if not exp.params:
            raise self.fail(f"{exp.name} has no parameters")
        if len(exp.params) != len(exp.inits):
            raise self.fail(f"{exp.name} has {len(exp.params)} parameters and {len(exp.inits)} values")
        for param, value in zip(exp.params, exp.inits, strict=True):
            self.expression(value)
            self.expect(value.ty, param.ty, param.name)
        if exp.most is not None and not is_loop(exp):
            raise self.fail(f"{exp.name} has a number of rounds, but is no loop")
        if exp.name in self.bound:
            raise self.fail(f"{exp.name} is bound twice")
        self.bound.add(exp.name)
        self.functions[exp.name] = exp
        for param in exp.params:
            self.bind(param.name, param.ty)
        self.expression(exp.body)
        self.expect(exp.body.ty, exp.ty, "the body of rec")
        for param in exp.params:
            del self.scope[param.name]
        del self.functions[exp.name]

    def vector(self, exp: Vec, items: tuple[Exp, ...]) -> None:
        if isinstance(exp.ty, Func | Tuple) or not isinstance(exp.ty.base, Base):
            raise self.fail(f"vector of type {exp.ty}")
        for item in items:
            self.expression(item)
            self.expect(item.ty, Array(exp.ty.base, Rho(0)), "element")
        self.expect(vec(items, exp.ty.base).ty, exp.ty, "vector")


def changes_shared_array(exp: Op) -> bool:
    """Whether an application changes an array in place that may have another name: one that is no copy."""
    if exp.prim is not UPDATE and exp.prim is not MODIFY:
        return False
    changed = [arg for arg in exp.args if not isinstance(arg, Fn | PrimFn)][:1]
    return not any(isinstance(arg, Op) and arg.prim in (COPY, UPDATE, MODIFY) for arg in changed)


def check(term: Term, stage: str = "tail-check") -> None:
    """Verify a whole program; `InternalError` names the stage that built it."""
    checker = _Checker(stage)
    if isinstance(term, Fn):
        checker.function(term)
    else:
        checker.expression(term)
