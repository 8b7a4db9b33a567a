"""The printer of TAIL's text form (thesis figures 3.1, 3.6, 3.7); `text_parse` reads it back to an equal
term.

    let v1:<int>16 = consV(0,v0) in
    reduce(addd,0.0,
      each(fn v2:[double]0 => muld(50.0,v2),
        ...

What fits the line stays on it. Otherwise the function arguments and constants of an application stay behind
its name and every other argument gets a line of its own; so do the parts of a conditional and the parameters
of a recursive function. Doubles are printed with all digits they need.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aplc.tail.prims import PRIMS
from aplc.tail.source import Span
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
    called_inside,
    vec,
)
from aplc.tail.types import Base, Func, Nested, Records, Tuple

WIDTH = 100
KEYWORDS = frozenset({"let", "in", "fn", "tt", "ff", "inf", "nan", "if", "then", "else", "rec", "loop"})
NAME = re.compile(r"[^\W\d][\w∆⍙]*|[⍺⍵]")


def print_term(term: Term) -> str:
    """The text of a program, without a final newline."""
    return "".join(_Printer(called_inside(term)).node(term, _Place(0, 0)))


def places_of_lines(term: Term) -> list[tuple[int, Span]]:
    """Where in the source the expressions stand that begin in a line of the text, lines counted from 0."""
    found: list[tuple[int, Span]] = []
    line = 0
    for part in _Placed(called_inside(term)).node(term, _Place(0, 0)):
        if isinstance(part, _Mark):
            found.append((line, part.span))
        line += part.count("\n")
    return found


def print_name(name: str) -> str:
    """A variable; in back quotes where it could be read as something else."""
    is_plain = NAME.fullmatch(name) and name not in KEYWORDS and name not in PRIMS
    return name if is_plain else f"`{name}`"


def print_literal(value: bool | int | float | str) -> str:
    """A scalar constant."""
    match value:
        case bool():
            return "tt" if value else "ff"
        case int() | float():
            return repr(value)
        case str():
            return "'" + _escape(value, "'") + "'"


def _escape(text: str, quote: str) -> str:
    table = {"\\": "\\\\", quote: "\\" + quote, "\n": "\\n", "\r": "\\r"}
    return "".join([table.get(c, c) for c in text])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node begins: the indentation of its line, its column, and the columns that what must follow
    it on the line needs.
    """

    indent: int
    column: int
    after: int = 0

    def line(self, deeper: int, after: int = 0) -> _Place:
        """The beginning of a line that is indented more deeply."""
        return _Place(self.indent + deeper, self.indent + deeper, after)

    def behind(self, head: str, after: int = 0) -> _Place:
        """Behind a text on the same line."""
        return _Place(self.indent, self.column + len(head), after)


class _Printer:
    def __init__(self, called: set[str]) -> None:
        self.called = called
        self.widths: dict[int, int] = {}

    def width(self, node: Arg) -> int:
        """The columns that a node takes on one line; past `WIDTH` for one that needs several."""
        found = self.widths.get(id(node))
        if found is None:
            found = self.widths[id(node)] = self._measure(node)
        return found

    def _measure(self, node: Arg) -> int:
        match node:
            case Op(prim=prim, args=args):
                return len(prim.name) + 1 + sum([self.width(a) + 1 for a in args])
            case Call(name=name, args=arguments):
                return len(print_name(name)) + 1 + sum([self.width(a) + 1 for a in arguments])
            case TupleExp(items=items):
                return len(_opening(node)) + 1 + sum([self.width(i) + 1 for i in items])
            case Vec(items=items) if not _is_constant(node):
                return 1 + sum([self.width(i) + 1 for i in items])
            case Fn(body=body):
                return len(_parameters(node)) + 7 + self.width(body)
            case Item(value=value, index=index):
                return self.width(value) + len(f".{index}") + 2 * (not isinstance(value, _SIMPLE))
            case If(condition=condition, then=then, otherwise=otherwise):
                parts = self.width(condition), self.width(then), self.width(otherwise)
                groups = isinstance(condition, If) + isinstance(then, If)
                return len("if  then  else ") + sum(parts) + 2 * groups
            case Let() | Rec():
                return WIDTH + 1
            case Lit() | Var() | PrimFn() | Vec():
                return len(self.flat(node))

    def flat(self, node: Arg) -> str:
        """A node on one line."""
        match node:
            case Lit(value=value):
                return print_literal(value)
            case Var(name=name):
                return print_name(name)
            case PrimFn(prim=prim):
                return prim.name
            case Vec(items=items):
                return _constant(node) if _is_constant(node) else f"[{self.listed(items)}]"
            case Op(prim=prim, args=args):
                return f"{prim.name}({self.listed(args)})"
            case Call(name=name, args=arguments):
                return f"{print_name(name)}({self.listed(arguments)})"
            case TupleExp(items=items):
                return f"{_opening(node)}{self.listed(items)}{',' * (len(items) == 1)})"
            case Fn(body=body):
                return f"fn {_parameters(node)} => {self.flat(body)}"
            case Item(value=value, index=index):
                text = self.flat(value)
                return f"{text}.{index}" if isinstance(value, _SIMPLE) else f"({text}).{index}"
            case If(condition=condition, then=then, otherwise=otherwise):
                parts = [
                    f"({self.flat(e)})" if isinstance(e, If) else self.flat(e) for e in (condition, then)
                ]
                return f"if {parts[0]} then {parts[1]} else {self.flat(otherwise)}"
            case Let() | Rec():
                raise AssertionError("a block has several lines")

    def listed(self, args: tuple[Arg, ...]) -> str:
        return ",".join([self.flat(a) for a in args])

    def node(self, node: Arg, place: _Place) -> list[str]:
        """A node on one line if it fits, and in its other layout if it has one."""
        if place.column + self.width(node) + place.after <= WIDTH:
            return [self.flat(node)]
        match node:
            case Lit() | Var() | PrimFn():
                return [self.flat(node)]
            case Vec():
                return self.vector(node, place)
            case Op(prim=prim, args=args):
                return self.arguments(f"{prim.name}(", args, ")", place)
            case Call(name=name, args=arguments):
                return self.arguments(f"{print_name(name)}(", arguments, ")", place)
            case TupleExp(items=items):
                return self.arguments(_opening(node), items, ",)" if len(items) == 1 else ")", place)
            case Fn():
                return self.function(node, place)
            case Item(value=value, index=index):
                if isinstance(value, _SIMPLE):
                    end = f".{index}"
                    return [*self.node(value, place.behind("", place.after + len(end))), end]
                return [*self.behind("(", value, place, place.after + len(f").{index}")), f").{index}"]
            case If():
                return self.conditional(node, place)
            case Rec():
                return self.recursion(node, place)
            case Let(bindings=bindings, body=body):
                parts: list[str] = []
                for b in bindings:
                    head = f"let {print_name(b.name)}:{b.ty} = "
                    parts += [*self.behind(head, b.value, place, len(" in")), " in", _line(place.indent)]
                return [*parts, *self.node(body, place.line(0, place.after))]

    def behind(self, head: str, node: Arg, place: _Place, after: int) -> list[str]:
        """A node behind a text on the line; a block begins a line of its own."""
        if isinstance(node, Let):
            return [head.rstrip(), _line(place.indent + 2), *self.node(node, place.line(2, after))]
        inside = _Place(place.indent + 2, place.column + len(head), after)
        return [head, *self.node(node, inside)]

    def arguments(self, head: str, args: tuple[Arg, ...], end: str, place: _Place) -> list[str]:
        """Functions and constants at the beginning behind the head, every other argument on its own line."""
        parts = [head]
        column, leading = place.column + len(head), True
        for position, arg in enumerate(args):
            last = position == len(args) - 1
            after = place.after + len(end) if last else 1
            fits = column + self.width(arg) + after <= WIDTH
            leading = leading and fits and isinstance(arg, PrimFn | Lit | Fn)
            if leading:
                parts.append(self.flat(arg))
                column += self.width(arg) + 1
            else:
                parts += [_line(place.indent + 2), *self.node(arg, place.line(2, after))]
            parts.append(end if last else ",")
        return parts

    def function(self, node: Fn, place: _Place) -> list[str]:
        """The body of a program, or a block, begins a line of its own."""
        head = f"fn {_parameters(node)} =>"
        if isinstance(node.body, Let) or place.column == 0:
            return [head, _line(place.indent + 2), *self.node(node.body, place.line(2, place.after))]
        return [head, " ", *self.node(node.body, place.behind(head + " ", place.after))]

    def conditional(self, node: If, place: _Place) -> list[str]:
        """The branches begin lines of their own; a chain of conditionals stays flat."""
        inside = place.line(2)
        parts = [*self.grouped("if ", node.condition, place), _line(inside.indent)]
        parts += [*self.grouped("then ", node.then, inside), _line(inside.indent)]
        if isinstance(node.otherwise, If):
            chained = _Place(place.indent, inside.column + len("else "), place.after)
            return [*parts, "else ", *self.node(node.otherwise, chained)]
        return [*parts, *self.behind("else ", node.otherwise, inside, place.after)]

    def grouped(self, head: str, node: Exp, place: _Place) -> list[str]:
        """A part of a conditional; in parentheses if it is one itself."""
        if isinstance(node, If):
            return [*self.behind(f"{head}(", node, place, 1), ")"]
        return self.behind(head, node, place, 0)

    def recursion(self, node: Rec, place: _Place) -> list[str]:
        """`loop` where all calls are jumps, `loop[n]` where fewer than n are; parameters with their first
        values, then the body.
        """
        kind = "rec" if node.name in self.called else "loop"
        most = "" if node.most is None else f"[{node.most}]"
        head = f"{kind}{most} {print_name(node.name)}("
        end = f"):{node.ty} =>"
        heads = [f"{print_name(p.name)}:{p.ty} = " for p in node.params]
        widths = [len(h) + self.width(i) + 2 for h, i in zip(heads, node.inits, strict=True)]
        fits = place.column + len(head) + sum(widths) - 2 + len(end) <= WIDTH
        parts = [head]
        for position, (text, value) in enumerate(zip(heads, node.inits, strict=True)):
            if fits:
                parts += [", " if position else "", text, self.flat(value)]
            else:
                after = len(end) if position == len(heads) - 1 else 1
                given = self.behind(text, value, place.line(4), after)
                parts += ["," if position else "", _line(place.indent + 4), *given]
        return [*parts, end, _line(place.indent + 2), *self.node(node.body, place.line(2, place.after))]

    def vector(self, node: Vec, place: _Place) -> list[str]:
        """Constants fill the lines; other elements get a line each."""
        if not _is_constant(node):
            return self.arguments("[", node.items, "]", place)
        text = _constant(node)
        if text[0] != "[":
            return [text]
        parts, column = ["["], place.column + 1
        for position, item in enumerate(text[1:-1].split(",")):
            if column + len(item) + 1 + place.after > WIDTH and position:
                parts.append(_line(place.indent + 2))
                column = place.indent + 2
            parts += [item, ","]
            column += len(item) + 1
        return [*parts[:-1], "]"]


class _Mark(str):
    """Nothing, where an expression begins."""

    span: Span

    @staticmethod
    def of(span: Span) -> _Mark:
        mark = _Mark()
        mark.span = span
        return mark


class _Placed(_Printer):
    """The printer with marks of the source."""

    def node(self, node: Arg, place: _Place) -> list[str]:
        parts = super().node(node, place)
        span = getattr(node, "span", None)
        return parts if span is None else [_Mark.of(span), *parts]


_SIMPLE = Var | Op | Call | Item | TupleExp
"""What `.k` may follow without parentheses."""


def _opening(node: TupleExp) -> str:
    """What stands in front of the components of a tuple, or of the parts of an array of arrays."""
    if isinstance(node.ty, Records):
        return "records(" if node.ty.axis is None else f"table({node.ty.axis}, "
    return "nest(" if isinstance(node.ty, Nested) else "("


def _line(indent: int) -> str:
    return "\n" + " " * indent


def _parameters(function: Fn) -> str:
    return ", ".join([f"{print_name(p.name)}:{p.ty}" for p in function.params])


def _is_constant(node: Vec) -> bool:
    """Whether all elements are literals."""
    return all(isinstance(item, Lit) for item in node.items)


def _constant(node: Vec) -> str:
    """A vector of literals on one line; the type of an empty one is written unless it is that of integers."""
    assert not isinstance(node.ty, Func | Tuple)
    values = [item.value for item in node.items if isinstance(item, Lit)]
    if node.ty.base is Base.CHAR:
        return '"' + _escape("".join(map(str, values)), '"') + '"'
    text = "[" + ",".join([print_literal(value) for value in values]) + "]"
    natural = vec(node.items, Base.INT).ty
    return text if values or node.ty == natural else f"({text}:{node.ty})"
