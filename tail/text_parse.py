"""The reader of TAIL's text form, a recursive descent over the grammar that `text_print` prints.

    term  ::= fn param, … => exp | exp
    exp   ::= let name[:type] = exp in exp | if exp then exp else exp
           |  loop name(name:type = exp, …):type => exp | loop[n] … | rec …
           |  prim(arg, …) | name(exp, …) | name | literal | "…"
           |  [exp, …] | (exp, …) | (exp,) | (exp:type) | exp.k
    arg   ::= exp | fn param, … => exp | prim

A name in back quotes is never a keyword or a primitive.

A comment runs from `--` to the end of the line; negative numbers are written `-1`, `~1` or `¯1`. A mistake
in a text is the user's: a `CompileError` with its position. Types left out of a `let` are computed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from aplc.tail.check import changes_shared_array
from aplc.tail.errors import CompileError, compile_error
from aplc.tail.parts import table
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.source import Source, Span
from aplc.tail.syntax import (
    Arg,
    Binding,
    Exp,
    Fn,
    Lit,
    Param,
    Term,
    Var,
    Vec,
    call,
    calls,
    conditional,
    fn,
    is_loop,
    item,
    let,
    literal,
    nest,
    op,
    prim_fn,
    product,
    rec,
    vec,
)
from aplc.tail.text_infer import BARE_FUNCTION, Untyped, end_of_argument, infer_functions
from aplc.tail.text_print import KEYWORDS
from aplc.tail.types import Base, Func, Kappa, Rho, Tuple, Type, is_subtype, rank_of
from aplc.tail.unify import NoMatch, TypeReader

_SKIP = re.compile(r"(?:\s|--[^\n]*)*")
_NUMBER = re.compile(r"[-~¯]?(?:inf|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-~¯+]?\d+)?)(?!\w)")
_NAME = re.compile(r"([^\W\d][\w∆⍙]*|[⍺⍵])|`([^`\n]+)`")
_TEXT = re.compile(r"'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"")
MAX_DIGITS = 30
"""Longer integers are out of range without a look."""

_COUNT = re.compile(r"\d+")
_COMPONENT = re.compile(r"\.(\d+)")
_ESCAPE = {"n": "\n", "r": "\r"}


def parse_term(source: Source, inputs: Mapping[str, Type] | None = None) -> Term:
    """The program in a `.tail` text; `CompileError` where it is ill-formed or ill-typed. Parameters of the
    program that have no type in the text get that of the input.

    Nesting beyond the stack is a `RecursionError`, as in every stage: the driver then tries with a larger
    one.
    """
    reader = _Reader(source, inputs or {})
    term = reader.term()
    if reader.position < len(source.text):
        reader.fail("nothing more is expected here")
    return term


class _Reader:
    def __init__(self, source: Source, inputs: Mapping[str, Type]) -> None:
        self.source, self.text, self.inputs = source, source.text, inputs
        self.position = 0
        self.scope: dict[str, tuple[str, Type]] = {}
        self.bound: set[str] = set()
        self.skip()

    # --- tokens ---

    def skip(self) -> None:
        found = _SKIP.match(self.text, self.position)
        assert found is not None
        self.position = found.end()

    def span(self, start: int) -> Span:
        end = len(self.text[start : self.position].rstrip()) + start
        return Span(self.source, start, max(end, start + 1))

    def fail(self, message: str, start: int | None = None) -> NoReturn:
        at = min(self.position if start is None else start, max(0, len(self.text) - 1))
        raise compile_error("SYNTAX ERROR", message, Span(self.source, at, at + 1))

    def mistyped(self, message: str, start: int) -> CompileError:
        return compile_error("TYPE ERROR", message, self.span(start))

    def accept(self, token: str) -> bool:
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        self.skip()
        return True

    def need(self, token: str) -> None:
        if not self.accept(token):
            self.fail(f"expected {token}")

    def word(self) -> str:
        """The keyword or bare name that comes next, not consumed; empty where there is none."""
        found = _NAME.match(self.text, self.position)
        return found.group(1) or "" if found else ""

    def keyword(self, word: str) -> bool:
        return self.word() == word and self.accept(word)

    def name(self) -> str:
        found = _NAME.match(self.text, self.position)
        if found is None or found.group(1) in KEYWORDS:
            self.fail("expected a name")
        self.position = found.end()
        self.skip()
        return found.group(1) or found.group(2)

    def type(self) -> Type:
        reader = TypeReader(self.text, self.position)
        try:
            ty = reader.data_type()
        except ValueError as failure:
            self.position = reader.position
            self.skip()
            self.fail(str(failure))
        self.position = reader.position
        self.skip()
        return ty

    # --- terms ---

    def bind(self, name: str, ty: Type) -> str:
        """Bring a name into scope; a name bound before in this text gets a fresh spelling."""
        unique, k = name, 1
        while unique in self.bound:
            unique, k = f"{name}_{k}", k + 1
        self.bound.add(unique)
        self.scope[name] = (unique, ty)
        return unique

    def term(self) -> Term:
        return self.function() if self.word() == "fn" else self.exp()

    def function(self, types: Sequence[Type] = ()) -> Fn:
        """A function; parameters without a type get the given ones, or those of the inputs of their names."""
        start = self.position
        self.need("fn")
        outer = dict(self.scope)
        params: list[Param] = []
        while not params or self.accept(","):
            name = self.name()
            given = types[len(params)] if len(params) < len(types) else self.inputs.get(name)
            if self.accept(":"):
                ty = self.type()
            elif given is not None:
                ty = given
            else:
                self.fail(f"the parameter {name} needs a type")
            params.append(Param(self.bind(name, ty), ty))
        self.need("=>")
        body = self.exp()
        self.scope = outer
        return fn(tuple(params), body, self.span(start))

    def exp(self) -> Exp:
        match self.word():
            case "let":
                return self.let()
            case "if":
                return self.conditional()
            case "loop" | "rec":
                return self.recursion()
            case _:
                return self.components()

    def conditional(self) -> Exp:
        start = self.position
        self.need("if")
        condition = self.exp()
        self.need("then")
        then = self.exp()
        self.need("else")
        otherwise = self.exp()
        try:
            return conditional(condition, then, otherwise, self.span(start))
        except NoMatch as failure:
            raise self.mistyped(str(failure), start) from None

    def recursion(self) -> Exp:
        """`loop` promises that all calls are jumps, `loop[n]` that there are fewer than n."""
        start = self.position
        promised = self.word() == "loop"
        self.need(self.word())
        most = None
        if promised and self.accept("["):
            if (found := _COUNT.match(self.text, self.position)) is None:
                self.fail("expected a number of rounds")
            most = int(self.number(found.group(), self.position))
            self.position = found.end()
            self.skip()
            self.need("]")
        name = self.name()
        self.need("(")
        outer = dict(self.scope)
        params: list[tuple[str, Type]] = []
        inits: list[Exp] = []
        while not params or self.accept(","):
            at = self.position
            params.append((self.name(), self.parameter_type()))
            self.need("=")
            inits.append(self.exp())
            if not is_subtype(inits[-1].ty, params[-1][1]):
                raise self.mistyped(f"{params[-1][0]} is {inits[-1].ty}, not {params[-1][1]}", at)
        self.need(")")
        result = self.parameter_type()
        self.need("=>")
        bound = tuple([Param(self.bind(n, ty), ty) for n, ty in params])
        unique = self.bind(name, Func(tuple([ty for _, ty in params]), result))
        body = self.exp()
        if not is_subtype(body.ty, result):
            raise self.mistyped(f"{name} gives {body.ty}, not {result}", start)
        self.scope = outer
        alone = not promised and not calls(body, unique)
        made = rec(unique, bound, tuple(inits), body, result, self.span(start), most, in_common=alone)
        if promised and not is_loop(made):
            raise self.mistyped(f"{name} is called where the loop would have to go on: write rec", start)
        return made

    def parameter_type(self) -> Type:
        self.need(":")
        return self.type()

    def components(self) -> Exp:
        """`e.k`, any number of times."""
        begin = self.position
        value = self.operand()
        while (found := _COMPONENT.match(self.text, self.position)) is not None:
            start = self.position
            self.position = found.end()
            self.skip()
            try:
                value = item(value, int(found.group(1)[:MAX_DIGITS]), self.span(begin))
            except NoMatch as failure:
                raise self.mistyped(str(failure), start) from None
        return value

    def let(self) -> Exp:
        outer = dict(self.scope)
        bindings: list[Binding] = []
        while self.keyword("let"):
            start = self.position
            name = self.name()
            stated = self.type() if self.accept(":") else None
            self.need("=")
            value = self.exp()
            if stated is not None and not is_subtype(value.ty, stated):
                raise self.mistyped(f"{name} is {value.ty}, not {stated}", start)
            ty = stated or value.ty
            if not self.keyword("in"):
                self.fail("expected in")
            bindings.append(Binding(self.bind(name, ty), ty, value))
        body = self.exp()
        self.scope = outer
        return let(bindings, body)

    def operand(self) -> Exp:
        start = self.position
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            self.position = number.end()
            self.skip()
            return literal(self.number(number.group(), start), self.span(start))
        text = _TEXT.match(self.text, self.position)
        if text is not None:
            return self.characters(text, start)
        if self.accept("["):
            return self.vector(start)
        if self.accept("("):
            return self.group(start)
        if self.word() in ("tt", "ff", "nan"):
            word = self.word()
            self.accept(word)
            return literal({"tt": True, "ff": False, "nan": float("nan")}[word], self.span(start))
        bare = self.word()
        name = self.name()
        if self.text.startswith("(", self.position):
            if bare in ("nest", "records", "table"):
                return self.made_of_parts(bare, start)
            prim = PRIMS.get(bare)
            return self.call(name, start) if prim is None else self.application(prim, start)
        if name not in self.scope:
            raise compile_error("VALUE ERROR", f"{name} is not defined", self.span(start))
        unique, ty = self.scope[name]
        if isinstance(ty, Func):
            self.fail(f"{name} is a function and needs its arguments", start)
        return Var(unique, ty=ty, span=self.span(start))

    def number(self, text: str, start: int) -> int | float:
        plain = text.replace("~", "-").replace("¯", "-")
        if "inf" in plain or any(c in plain for c in ".eE"):
            return float(plain)
        value = int(plain) if len(plain) < MAX_DIGITS else 2**63
        if not -(2**63) <= value < 2**63:
            self.fail("the integer does not fit 64 bits", start)
        return value

    def characters(self, found: re.Match[str], start: int) -> Exp:
        self.position = found.end()
        self.skip()
        raw = found.group(1) if found.group(1) is not None else found.group(2)
        value = re.sub(r"\\(.)", lambda m: _ESCAPE.get(m.group(1), m.group(1)), raw)
        if found.group(1) is None:
            span = self.span(start)
            return vec(tuple([literal(c, span) for c in value]), Base.CHAR, span)
        if len(value) != 1:
            self.fail("a character constant holds one character", start)
        return literal(value, self.span(start))

    def vector(self, start: int) -> Vec:
        items: list[Exp] = []
        bases: set[Kappa] = set()
        while not self.text.startswith("]", self.position) and (not items or self.accept(",")):
            at = self.position
            item = self.exp()
            if isinstance(item.ty, Func | Tuple) or rank_of(item.ty) != Rho(0):
                raise self.mistyped(f"an element of type {item.ty}", at)
            items.append(item)
            bases.add(item.ty.base)
        self.need("]")
        if len(bases) > 1:
            raise self.mistyped("elements of several types", start)
        base = bases.pop() if bases else Base.INT
        if not isinstance(base, Base):
            raise self.mistyped(f"elements of the unknown type {base}", start)
        return vec(tuple(items), base, self.span(start))

    def group(self, start: int) -> Exp:
        items: list[Exp] = []
        comma = False
        while not self.text.startswith(")", self.position) and (not items or (comma := self.accept(","))):
            if self.text.startswith(")", self.position):
                break
            items.append(self.exp())
            if len(items) == 1 and self.accept(":"):
                stated = self.type()
                self.need(")")
                return self.ascribed(items[0], stated, start)
        self.need(")")
        return items[0] if len(items) == 1 and not comma else product(tuple(items), self.span(start))

    def made_of_parts(self, name: str, start: int) -> Exp:
        """`nest(places, extents, …, elements)`: an array of arrays of its parts; `records(column, …)`, and
        `table(axis, column, …)`.
        """
        self.need("(")
        parts = [self.exp()]
        while self.accept(","):
            parts.append(self.exp())
        self.need(")")
        try:
            if name == "nest":
                return nest(tuple(parts), self.span(start))
            axis = parts.pop(0) if name == "table" else None
            if axis is not None and not (isinstance(axis, Lit)):
                raise NoMatch("the axis of a table is a number")
            return table(tuple(parts), None if axis is None else int(axis.value), self.span(start))
        except NoMatch as failure:
            raise self.mistyped(str(failure), start) from None

    def ascribed(self, exp: Exp, stated: Type, start: int) -> Exp:
        empty = isinstance(exp, Vec) and not exp.items
        if empty and not isinstance(stated, Func | Tuple) and isinstance(stated.base, Base):
            exp = vec((), stated.base, exp.span)
        if not is_subtype(exp.ty, stated):
            raise self.mistyped(f"the value is {exp.ty}, not {stated}", start)
        return exp

    def application(self, prim: Prim, start: int) -> Exp:
        self.need("(")
        given: list[Arg | Untyped] = []
        while not self.text.startswith(")", self.position) and (not given or self.accept(",")):
            given.append(self.argument())
        self.need(")")
        args = self.typed(prim, given, start)
        try:
            applied = op(prim, *args, span=self.span(start))
        except NoMatch as failure:
            raise self.mistyped(str(failure), start) from None
        if changes_shared_array(applied):
            raise self.mistyped(f"{prim.name} changes an array in place and needs a copy of it", start)
        return applied

    def call(self, name: str, start: int) -> Exp:
        """A call of an enclosing function."""
        unique, ty = self.scope.get(name, ("", None))
        if not isinstance(ty, Func):
            raise compile_error("VALUE ERROR", f"{name} is no operator of TAIL", self.span(start))
        self.need("(")
        args: list[Exp] = []
        while not self.text.startswith(")", self.position) and (not args or self.accept(",")):
            args.append(self.exp())
        self.need(")")
        fits = len(args) == len(ty.params) and all(
            is_subtype(a.ty, p) for a, p in zip(args, ty.params, strict=True)
        )
        if not fits:
            given = ", ".join([str(a.ty) for a in args]) or "none"
            raise self.mistyped(f"the function is {ty}, its arguments are {given}", start)
        return call(unique, tuple(args), ty.result, self.span(start))

    def typed(self, prim: Prim, given: list[Arg | Untyped], start: int) -> list[Arg]:
        """The arguments, those functions read now whose parameters have the types that the operator gives."""
        if not any(isinstance(g, Untyped) for g in given):
            return [g for g in given if not isinstance(g, Untyped)]
        end, reason = self.position, f"{prim.name} takes no function there"

        def read(waiting: Untyped, types: Sequence[Type]) -> Fn:
            self.position = waiting.start
            return self.function(types)

        for scheme in prim.schemes:
            try:
                args = infer_functions(scheme, given, read)
            except NoMatch as failure:
                reason = str(failure)
                continue
            self.position = end
            return args
        raise self.mistyped(reason, start)

    def argument(self) -> Arg | Untyped:
        start = self.position
        word = self.word()
        if word == "fn" and BARE_FUNCTION.match(self.text, self.position):
            self.position = end_of_argument(self.text, self.position)
            return Untyped(start)
        if word == "fn":
            return self.function()
        prim = PRIMS.get(word)
        if prim is not None and prim.is_scalar:
            after = _SKIP.match(self.text, self.position + len(word))
            if after is not None and not self.text.startswith("(", after.end()):
                self.accept(word)
                return prim_fn(prim, span=self.span(start))
        return self.exp()
