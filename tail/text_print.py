"""The printer of TAIL's text form (thesis figures 3.1, 3.6, 3.7); `text_parse` reads it back to an equal
term.

    let v1:<int>16 = consV(0,v0) in
    reduce(addd,0.0,
      each(fn v2:[double]0 => muld(50.0,v2),
        ...

An application that fits the line stays on it; otherwise its function arguments and constants stay behind the
name and every other argument gets a line of its own. Doubles are printed with all digits they need.
"""

from __future__ import annotations

import math
import re

from tail.prims import PRIMS
from tail.syntax import (
    Arg,
    Call,
    Fn,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Product,
    Rec,
    Term,
    Var,
    Vec,
    is_loop,
    vec,
)
from tail.types import Base, Func, Tuple

WIDTH = 100
KEYWORDS = frozenset({"let", "in", "fn", "tt", "ff", "inf", "nan", "if", "then", "else", "rec", "loop"})
NAME = re.compile(r"[^\W\d][\w∆⍙]*|[⍺⍵]")


def print_term(term: Term) -> str:
    """The text of a program, without a final newline."""
    return "".join(_Printer().term(term, 0))


def print_name(name: str) -> str:
    """A variable; in back quotes where it could be read as something else."""
    is_plain = NAME.fullmatch(name) and name not in KEYWORDS and name not in PRIMS
    return name if is_plain else f"`{name}`"


def print_literal(value: bool | int | float | str) -> str:
    """A scalar constant."""
    if isinstance(value, bool):
        return "tt" if value else "ff"
    if isinstance(value, str):
        return "'" + _escape(value, "'") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return repr(value)


def _escape(text: str, quote: str) -> str:
    table = {"\\": "\\\\", quote: "\\" + quote, "\n": "\\n", "\r": "\\r"}
    return "".join([table.get(c, c) for c in text])


class _Printer:
    def __init__(self) -> None:
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
                return len(prim.name) + 2 + sum([self.width(a) + 1 for a in args])
            case Product(items=items):
                return 2 + sum([self.width(i) + 1 for i in items])
            case Fn(params=params, body=body):
                return 7 + sum([len(p.name) + len(str(p.ty)) + 3 for p in params]) + self.width(body)
            case Item(value=value):
                return 3 + self.width(value)
            case If(condition=condition, then=then, otherwise=otherwise):
                return 15 + self.width(condition) + self.width(then) + self.width(otherwise)
            case Call(name=name, args=arguments):
                return len(name) + 2 + sum([self.width(a) + 1 for a in arguments])
            case Let() | Rec():
                return WIDTH + 1
            case Lit() | Var() | PrimFn() | Vec():
                return len(self.flat(node))

    def flat(self, node: Arg) -> str:
        """A node on one line."""
        return "".join(self.node(node, 0, breakable=False))

    def term(self, term: Term, indent: int) -> list[str]:
        return self.node(term, indent, breakable=True)

    def node(self, node: Arg, indent: int, *, breakable: bool) -> list[str]:
        match node:
            case Lit(value=value):
                return [print_literal(value)]
            case Var(name=name):
                return [print_name(name)]
            case PrimFn(prim=prim):
                return [prim.name]
            case Vec():
                return [self.vector(node)]
            case Fn(params=params, body=body):
                head = ", ".join([f"{print_name(p.name)}:{p.ty}" for p in params])
                if isinstance(body, Let) or (breakable and indent == 0 and self.width(node) > WIDTH):
                    line = "\n" + " " * (indent + 2)
                    return [f"fn {head} =>", line, *self.node(body, indent + 2, breakable=True)]
                return [f"fn {head} => ", *self.node(body, indent, breakable=breakable)]
            case Let(bindings=bindings, body=body):
                line = "\n" + " " * indent
                parts: list[str] = []
                for b in bindings:
                    bound = self.node(b.value, indent + 2, breakable=True)
                    parts += [f"let {print_name(b.name)}:{b.ty} = ", *bound, " in", line]
                return [*parts, *self.node(body, indent, breakable=True)]
            case Product(items=items):
                end = ",)" if len(items) == 1 else ")"
                return ["(", *self.arguments(items, indent, breakable=False), end]
            case Item(value=value, index=index):
                simple = isinstance(value, Var | Op | Call | Item)
                text = self.node(value, indent, breakable=breakable)
                return [*text, f".{index}"] if simple else ["(", *text, f").{index}"]
            case Call(name=name, args=arguments):
                return [print_name(name), "(", *self.arguments(arguments, indent, breakable=False), ")"]
            case If():
                return self.conditional(node, indent, breakable=breakable)
            case Rec():
                return self.recursion(node, indent)
            case Op(prim=prim, args=args):
                split = breakable and indent + self.width(node) > WIDTH
                return [f"{prim.name}(", *self.arguments(args, indent, breakable=split), ")"]

    def conditional(self, node: If, indent: int, *, breakable: bool) -> list[str]:
        """On one line if it fits; otherwise the branches begin lines of their own."""
        inside = indent + 2
        if self.width(node) + indent <= WIDTH:
            line = " "
        else:
            line, breakable = "\n" + " " * inside, True
        condition = self.node(node.condition, inside, breakable=breakable)
        then = self.node(node.then, inside + 2, breakable=breakable)
        if isinstance(node.then, If | Let):
            then = ["(", *then, ")"]
        end = inside if isinstance(node.otherwise, Let) else indent  # a chain of conditions stays flat
        otherwise = self.node(node.otherwise, end, breakable=breakable)
        if isinstance(node.otherwise, Let):
            otherwise = [line + "  " if line != " " else "", *otherwise]
        return ["if ", *condition, line + "then ", *then, line + "else ", *otherwise]

    def recursion(self, node: Rec, indent: int) -> list[str]:
        """`loop` where all calls are jumps; parameters with their first values, then the body."""
        parts = ["loop " if is_loop(node) else "rec ", print_name(node.name), "("]
        for position, (param, value) in enumerate(zip(node.params, node.inits, strict=True)):
            head = f"{print_name(param.name)}:{param.ty} = "
            parts += [", " if position else "", head, *self.node(value, indent + 4, breakable=True)]
        line = "\n" + " " * (indent + 2)
        return [*parts, f"):{node.ty} =>", line, *self.node(node.body, indent + 2, breakable=True)]

    def arguments(self, args: tuple[Arg, ...], indent: int, *, breakable: bool) -> list[str]:
        parts: list[str] = []
        leading = True
        for position, arg in enumerate(args):
            short = leading and isinstance(arg, PrimFn | Lit | Fn) and indent + self.width(arg) <= WIDTH
            leading = leading and short
            if position:
                parts.append(",")
            if breakable and not short:
                parts.append("\n" + " " * (indent + 2))
            parts += self.node(arg, indent + 2, breakable=breakable)
        return parts

    def vector(self, node: Vec) -> str:
        ty = node.ty
        assert not isinstance(ty, Func | Tuple)
        values = [item.value for item in node.items if isinstance(item, Lit)]
        if len(values) == len(node.items) and ty.base is Base.CHAR:
            return '"' + _escape("".join(map(str, values)), '"') + '"'
        text = "[" + ",".join([self.flat(item) for item in node.items]) + "]"
        natural = vec(node.items, Base.INT).ty
        return text if node.items or ty == natural else f"({text}:{ty})"
