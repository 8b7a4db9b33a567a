"""The terms of TAIL.

    e ::= Lit                       5, 2.5, tt, 'a'
       |  Vec                       [e, …]                      a vector of scalars
       |  Var                       x
       |  Op                        prim(a, …)                  fully applied
       |  Let                       let x:τ = e in … e          a run of bindings, then a body
       |  Product                   (e, …)                      a tuple
       |                            nest(e, …)                  an array of arrays, of its parts
       |  Item                      e.k                         component k of a tuple, from 1
       |  If                        if e then e else e          only the chosen branch is computed
       |  Rec                       rec f(x:τ = e, …):τ => e    a recursive function and its first call
       |  Call                      f(e, …)                     a call of it inside its own body
    a ::= e | Fn | PrimFn           arguments may be functions
    f ::= Fn                        fn x:τ, … => e
       |  PrimFn                    prim                        a scalar primitive as a function

A `Rec` all of whose calls stand in tail position is a loop, and its text says `loop` (see `is_loop`).

A program with inputs is a `Fn`, one without is an expression. Every variable is bound once in a term (a
`Let`'s binding scopes over the later bindings and the body), so substitution cannot capture. Each node
carries its type and its span; equality ignores spans. Nodes are made by the functions at the end of this
module, which compute the type; `check` verifies it independently.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from aplc.tail.faults import IndexForm
from aplc.tail.prims import COMPLEX, Constants, Prim
from aplc.tail.source import Span
from aplc.tail.types import (
    Base,
    Func,
    Nested,
    Records,
    Rho,
    Single,
    SingleVector,
    Tuple,
    Type,
    array,
    base_of_constant,
    is_subtype,
    join,
    nested,
    rank_of,
    records,
    scalar,
    vector,
)
from aplc.tail.unify import NoMatch


@dataclass(frozen=True, slots=True)
class Node:
    """What every node carries: its type and where it stands in the user's text."""

    ty: Type = field(kw_only=True)
    span: Span | None = field(default=None, kw_only=True, compare=False)


@dataclass(frozen=True, slots=True)
class Lit(Node):
    """A scalar constant: int, float, bool, or a string of one character."""

    value: bool | int | float | str


@dataclass(frozen=True, slots=True)
class Vec(Node):
    """A vector of scalar expressions."""

    items: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Op(Node):
    """A primitive applied to all its arguments; `symbol` is the APL symbol it stands for, if any."""

    prim: Prim
    args: tuple[Arg, ...]
    symbol: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Binding:
    """`x:τ = e`"""

    name: str
    ty: Type
    value: Exp


@dataclass(frozen=True, slots=True)
class Let(Node):
    """Bindings in order, then a body in their scope. Never empty; the body is never itself a `Let`."""

    bindings: tuple[Binding, ...]
    body: Exp


@dataclass(frozen=True, slots=True)
class TupleExp(Node):
    """A tuple of values; the empty one is the result of a program without value. Of the type of an array of
    arrays it is that array, and its items are the parts: the text says `nest`.
    """

    items: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Item(Node):
    """Component `index`, counted from 1, of a tuple."""

    value: Exp
    index: int


@dataclass(frozen=True, slots=True)
class If(Node):
    """One of two expressions, the other is not computed; its type is the join of theirs."""

    condition: Exp
    then: Exp
    otherwise: Exp


@dataclass(frozen=True, slots=True)
class Rec(Node):
    """A function that may call itself, and its first call: the value is that of the body with the parameters
    bound to `inits`. Nothing outside the body can call it.
    """

    name: str
    params: tuple[Param, ...]
    inits: tuple[Exp, ...]
    body: Exp
    most: int | None = None
    """A loop whose rounds were calls has fewer rounds than that, or the recursion is too deep."""
    in_common: bool = False
    """Whether it is no loop, though no call may be left: other places have the same function."""


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call of an enclosing `Rec`; its type is the one stated there."""

    name: str
    args: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Fn(Node):
    """`fn x:τ, … => e`"""

    params: tuple[Param, ...]
    body: Exp
    item: ItemIndex | None = field(default=None, compare=False, kw_only=True)
    """Which item of an array of arrays it is applied to, where its errors are to say that."""


@dataclass(frozen=True, slots=True)
class ItemIndex:
    """The index of an item, for the errors of a function of it: Note [Items in errors] of `faults`."""

    parts: tuple[tuple[Exp, ...], ...]
    """Expressions in the parameters of the function, and in what is in scope around it."""
    form: IndexForm


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a function."""

    name: str
    ty: Type
    like: str = field(default="", compare=False)
    """An earlier parameter that has the same shape in every call: whoever calls sees to it. It is no part of
    the text, as anybody may call what is written there.
    """


@dataclass(frozen=True, slots=True)
class PrimFn(Node):
    """A scalar primitive passed as a function."""

    prim: Prim
    symbol: str = field(default="", compare=False)


Exp = Lit | Vec | Var | Op | Let | TupleExp | Item | If | Rec | Call
Function = Fn | PrimFn
Arg = Exp | Function
Term = Exp | Fn


# --- construction ---------------------------------------------------------------------------------------


def literal(value: bool | int | float | str, span: Span | None = None) -> Lit:
    """A scalar constant with its most precise type (rules 3.7 to 3.15)."""
    base = base_of_constant(value)
    ty = Single(base, Rho(int(value))) if isinstance(value, int) else scalar(base)
    return Lit(value, ty=ty, span=span)


def complex_number(real: float, imaginary: float, span: Span | None = None) -> Exp:
    """A complex constant, which is its parts."""
    return op(COMPLEX, literal(real, span), literal(imaginary, span), span=span)


def vec(items: tuple[Exp, ...], base: Base, span: Span | None = None) -> Vec:
    """A vector of scalars of one base type (rules 3.16, 3.19, 3.23)."""
    ty: Type = vector(base, len(items))
    if len(items) == 1:
        only = items[0].ty
        if isinstance(only, Single):
            ty = SingleVector(base, only.value)
    return Vec(items, ty=ty, span=span)


def constants_of(args: tuple[Arg, ...]) -> Constants:
    """For each argument its integers, where it is a literal."""
    return tuple([_integers(a) for a in args])


def _integers(arg: Arg) -> tuple[int, ...] | None:
    if isinstance(arg, Lit) and isinstance(arg.value, int):
        return (int(arg.value),)
    if isinstance(arg, Vec):
        values = [item.value for item in arg.items if isinstance(item, Lit) and isinstance(item.value, int)]
        return tuple(map(int, values)) if len(values) == len(arg.items) else None
    return None


def op(prim: Prim, *args: Arg, symbol: str = "", span: Span | None = None) -> Op:
    """An application with its type; `NoMatch` where the arguments do not fit."""
    ty = prim.result_type(tuple([a.ty for a in args]), constants_of(args))
    return Op(prim, args, symbol, ty=ty, span=span)


def prim_fn(prim: Prim, symbol: str = "", span: Span | None = None) -> PrimFn:
    """A scalar primitive as a function."""
    return PrimFn(prim, symbol, ty=prim.schemes[0].type, span=span)


def fn(params: tuple[Param, ...], body: Exp, span: Span | None = None, item: ItemIndex | None = None) -> Fn:
    """A function of one or more parameters."""
    return Fn(params, body, item=item, ty=Func(tuple([p.ty for p in params]), body.ty), span=span)


def let(bindings: list[Binding], body: Exp) -> Exp:
    """The bindings around the body, flattened; the body itself where there are none."""
    if isinstance(body, Let):
        bindings, body = [*bindings, *body.bindings], body.body
    return Let(tuple(bindings), body, ty=body.ty, span=body.span) if bindings else body


def product(items: tuple[Exp, ...], span: Span | None = None) -> TupleExp:
    """A tuple."""
    return TupleExp(items, ty=Tuple(tuple([i.ty for i in items])), span=span)


def nest(parts: tuple[Exp, ...], span: Span | None = None) -> TupleExp:
    """An array of arrays of its parts: the places of the items, their extents, and the elements. `NoMatch`
    where they are no such parts.
    """
    places, elements = parts[0].ty, parts[-1].ty
    if len(parts) < 3 - isinstance(elements, Nested | Records) or isinstance(places, Func | Tuple):
        raise NoMatch("an array of arrays is made of places, extents and elements")
    axes = len(parts) - 2
    if isinstance(elements, Nested):
        ty = nested(nested(elements.item, axes), rank_of(places))
    elif isinstance(elements, Records) and elements.axis is None:
        ty = nested(records(elements.fields, axes), rank_of(places))
    elif isinstance(elements, Func | Tuple) or not isinstance(elements.base, Base):
        raise NoMatch(f"{elements} is no vector of elements")
    else:
        ty = nested(array(elements.base, axes), rank_of(places))
    for part, wanted in zip(parts, ty.items, strict=True):
        if not is_subtype(part.ty, wanted):
            raise NoMatch(f"{part.ty} is not {wanted}")
    return TupleExp(parts, ty=ty, span=span)


def item(value: Exp, index: int, span: Span | None = None) -> Item:
    """A component of a tuple, counted from 1; `NoMatch` where there is none."""
    if not isinstance(value.ty, Tuple) or not 1 <= index <= len(value.ty.items):
        raise NoMatch(f"{value.ty} has no component {index}")
    return Item(value, index, ty=value.ty.items[index - 1], span=span)


def conditional(condition: Exp, then: Exp, otherwise: Exp, span: Span | None = None) -> If:
    """A choice between two expressions; `NoMatch` where the condition is no boolean or the types have no
    join.
    """
    if not is_subtype(condition.ty, scalar(Base.BOOL)):
        raise NoMatch(f"a condition of type {condition.ty}")
    ty = join(then.ty, otherwise.ty)
    if ty is None:
        raise NoMatch(f"{then.ty} and {otherwise.ty} have no common type")
    return If(condition, then, otherwise, ty=ty, span=span)


def rec(
    name: str,
    params: tuple[Param, ...],
    inits: tuple[Exp, ...],
    body: Exp,
    ty: Type,
    span: Span | None = None,
    most: int | None = None,
    *,
    in_common: bool = False,
) -> Rec:
    """A recursive function of the stated result type, and its first call."""
    return Rec(name, params, inits, body, most, in_common, ty=ty, span=span)


def call(name: str, args: tuple[Exp, ...], ty: Type, span: Span | None = None) -> Call:
    """A call of an enclosing recursive function with the stated result type."""
    return Call(name, args, ty=ty, span=span)


# --- traversal ------------------------------------------------------------------------------------------


def map_children(node: Exp, change: Callable[[Exp], Exp]) -> Exp:
    """The node with its immediate subexpressions changed, those in function bodies included."""
    match node:
        case Lit() | Var():
            return node
        case Vec(items=items) | TupleExp(items=items):
            return replace(node, items=tuple([change(i) for i in items]))
        case Op(args=args):
            return with_args(node, tuple([map_argument(a, change) for a in args]))
        case Let(bindings=bindings, body=body):
            changed = tuple([replace(b, value=change(b.value)) for b in bindings])
            return replace(node, bindings=changed, body=change(body))
        case Item(value=value):
            return replace(node, value=change(value))
        case If(condition=condition, then=then, otherwise=otherwise):
            return replace(node, condition=change(condition), then=change(then), otherwise=change(otherwise))
        case Rec(inits=inits, body=body):
            return replace(node, inits=tuple([change(i) for i in inits]), body=change(body))
        case Call(args=arguments):
            return replace(node, args=tuple([change(a) for a in arguments]))


def map_argument(arg: Arg, change: Callable[[Exp], Exp]) -> Arg:
    """An argument with its expression, or the body of a function, changed."""
    if isinstance(arg, PrimFn):
        return arg
    if not isinstance(arg, Fn):
        return change(arg)
    body, item = change(arg.body), map_item(arg.item, change)
    return arg if body is arg.body and item is arg.item else replace(arg, body=body, item=item)


def map_item(item: ItemIndex | None, change: Callable[[Exp], Exp]) -> ItemIndex | None:
    """The index of an item with its expressions changed; itself if they are the same."""
    if item is None:
        return None
    parts = tuple([tuple([change(e) for e in part]) for part in item.parts])
    same = all(a is b for p, q in zip(parts, item.parts, strict=True) for a, b in zip(p, q, strict=True))
    return item if same else replace(item, parts=parts)


def parts_of_function(function: Fn) -> Iterator[Exp]:
    """The expressions in a function: its body, and those of the index of its item."""
    yield function.body
    if function.item is not None:
        for part in function.item.parts:
            yield from part


def with_args(node: Op, args: tuple[Arg, ...]) -> Op:
    """The application to other arguments of the same types; itself if they are the same."""
    return node if all(map(operator.is_, args, node.args)) else replace(node, args=args)


def children(node: Exp) -> Iterator[Exp]:
    """The immediate subexpressions, those in function bodies included, in order of evaluation."""
    match node:
        case Lit() | Var():
            return
        case Vec(items=items) | TupleExp(items=items):
            yield from items
        case Op(args=args):
            for arg in args:
                if isinstance(arg, Fn):
                    yield from parts_of_function(arg)
                elif not isinstance(arg, PrimFn):
                    yield arg
        case Let(bindings=bindings, body=body):
            for binding in bindings:
                yield binding.value
            yield body
        case Item(value=value):
            yield value
        case If(condition=condition, then=then, otherwise=otherwise):
            yield from (condition, then, otherwise)
        case Rec(inits=inits, body=body):
            yield from inits
            yield body
        case Call(args=arguments):
            yield from arguments


def walk(term: Term) -> Iterator[Exp]:
    """All expressions of a term, each before its children."""
    stack: list[Exp] = [term.body if isinstance(term, Fn) else term]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(children(node))))


def bound_names(term: Term) -> set[str]:
    """The names of all variables and functions that are bound in a term."""
    found = {param.name for param in term.params} if isinstance(term, Fn) else set()
    for node in walk(term):
        match node:
            case Let(bindings=bindings):
                found |= {binding.name for binding in bindings}
            case Rec(name=name, params=params):
                found |= {name, *[param.name for param in params]}
            case Op(args=args):
                found |= {param.name for arg in args if isinstance(arg, Fn) for param in arg.params}
            case Lit() | Var() | Vec() | TupleExp() | Item() | If() | Call():
                pass
    return found


def prints(term: Term) -> bool:
    """Whether a term prints or has another effect anywhere, so that its order matters."""
    return any(isinstance(node, Op) and node.prim.stateful for node in walk(term))


def is_loop(node: Rec) -> bool:
    """Whether all calls of a recursive function stand in tail position, where they are jumps."""
    return node.name not in called_inside(node)


def calls(exp: Exp, name: str) -> bool:
    """Whether a function is called in an expression."""
    return any(isinstance(node, Call) and node.name == name for node in walk(exp))


def called_inside(term: Term) -> set[str]:
    """The names of the recursive functions in a term with a call that is no jump, or `in_common`."""
    found: set[str] = set()
    stack: list[tuple[Exp, str]] = [(body_of(term), "")]  # with the function of which it is a tail position
    while stack:
        node, tail_of = stack.pop()
        match node:
            case Let(bindings=bindings, body=body):
                stack += [(binding.value, "") for binding in bindings]
                stack.append((body, tail_of))
            case If(condition=condition, then=then, otherwise=otherwise):
                stack += [(condition, ""), (then, tail_of), (otherwise, tail_of)]
            case Rec(name=name, inits=inits, body=body):
                if node.in_common:
                    found.add(name)
                stack += [(init, "") for init in inits]
                stack.append((body, name))
            case Call(name=name, args=arguments):
                if name != tail_of:
                    found.add(name)
                stack += [(argument, "") for argument in arguments]
            case Lit() | Var() | Vec() | Op() | TupleExp() | Item():
                stack += [(child, "") for child in children(node)]
    return found


def body_of(term: Term) -> Exp:
    """The body of a program with inputs; the program itself where it has none."""
    return term.body if isinstance(term, Fn) else term


def with_body(term: Term, body: Exp) -> Term:
    """The same program with another body."""
    return fn(term.params, body, term.span) if isinstance(term, Fn) else body
