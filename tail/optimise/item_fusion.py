"""Items that are made only to be read one by one are not written: who reads them makes them.

`pieces(g, a)` whose items one function takes apart in turn goes into that function:

    let v = pieces(fn x => e, a) in
      each(fn i => … slice(pick(i, v.1), pick(i, v.2), v.3) …, iota(pick(1, shape(v.1))))
    = each(fn i => let x = pick(i, a) in … e …, iota(pick(1, shape(a))))

The same holds for `pieces` in the place of `each`, so that a chain of functions on items becomes one. It is
done where each item is read once, by a function that is applied to the numbers of the items in order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from aplc.tail import prims as p
from aplc.tail.optimise.inlining import names_in_functions
from aplc.tail.optimise.map_fusion import Printing
from aplc.tail.optimise.rewrite import Rebuild, may_fail, op_may_fail
from aplc.tail.syntax import (
    Arg,
    Binding,
    Call,
    Exp,
    Fn,
    If,
    Item,
    ItemIndex,
    Let,
    Lit,
    Op,
    PrimFn,
    Rec,
    Term,
    Var,
    body_of,
    fn,
    let,
    map_children,
    map_item,
    op,
    walk,
    with_body,
)
from aplc.tail.types import Array, Nested, Rho

PLACES, LENGTHS, ELEMENTS = 1, 2, 3


def fuse_items(term: Term) -> Term:
    """All fusions, block by block."""
    if not any(isinstance(node, Op) and node.prim is p.PIECES for node in walk(term)):
        return term
    return Rebuild(lambda exp: exp).term(with_body(term, _Fuser(term).blocks(body_of(term))))


@dataclass(slots=True)
class _Made:
    """Items that may be made where they are read: the binding, and the names of their parts."""

    name: str
    function: Fn
    source: Exp
    parts: dict[str, int] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    """How often each name was met where it can be replaced."""
    readers: int = 0

    def part(self, exp: object) -> int | None:
        """Which part of the items an expression is."""
        if isinstance(exp, Var) and exp.name in self.parts:
            return self.parts[exp.name]
        if isinstance(exp, Item) and isinstance(exp.value, Var) and exp.value.name == self.name:
            return exp.index
        return None

    def meet(self, exp: Exp) -> None:
        """Count a part that is replaced."""
        for node in walk(exp):
            if isinstance(node, Var) and (node.name == self.name or node.name in self.parts):
                self.seen[node.name] += 1


class _Fuser:
    """The rewriting at work, with what names stand for."""

    def __init__(self, term: Term) -> None:
        self.uses = Counter(n.name for n in walk(term) if isinstance(n, Var))
        self.values: dict[str, Exp] = {}
        self.printing = Printing()
        self.mentioned: dict[int, tuple[Exp, frozenset[str]]] = {}

    def mentions(self, exp: Exp) -> frozenset[str]:
        """The variables of an expression, which is looked at once."""
        if id(exp) not in self.mentioned:
            self.mentioned[id(exp)] = exp, frozenset([n.name for n in walk(exp) if isinstance(n, Var)])
        return self.mentioned[id(exp)][1]

    def blocks(self, exp: Exp) -> Exp:
        """The blocks of an expression, those inside first."""
        exp = map_children(exp, self.blocks)
        if not isinstance(exp, Let):
            return exp
        self.values |= {b.name: b.value for b in exp.bindings}
        bindings, body = list(exp.bindings), exp.body
        position = 0
        while position < len(bindings):
            made = _candidate(bindings[position])
            changed = None if made is None else self.fused(made, position, bindings, body)
            if changed is not None:
                bindings, body = changed
            position += 1
        return replace(exp, bindings=tuple(bindings), body=body)

    def fused(
        self, made: _Made, position: int, bindings: list[Binding], body: Exp
    ) -> tuple[list[Binding], Exp] | None:
        """The block in which one reader makes the items; None where it cannot."""
        if self.printing.of(made.function.body):
            return None
        rest: list[Binding] = []
        gone: set[str] = set()
        for binding in bindings[position + 1 :]:
            index = made.part(binding.value)
            if index is not None:
                made.parts[binding.name] = index
                made.seen[made.name] += 1
                gone.add(binding.name)
            rest.append(binding)
        can_fail = may_fail(made.function.body)
        out: list[Binding] = []
        printed = False
        for binding in rest:
            if binding.name in gone:
                continue
            before = made.readers
            if self.mentions(binding.value).isdisjoint((made.name, *made.parts)):
                out.append(binding)
            else:
                value = self.read(binding.value, made)
                out.append(replace(binding, value=value))
            if made.readers > before and printed and can_fail:
                return None
            printed |= self.printing.of(binding.value)
        before = made.readers
        body = self.read(body, made)
        if made.readers > before and printed and can_fail:
            return None
        if made.readers != 1 or any(made.seen[n] != self.uses[n] for n in (made.name, *made.parts)):
            return None
        first = Binding(made.name, made.source.ty, made.source)
        self.values[made.name] = made.source
        self.values |= {b.name: b.value for b in out}
        return [*bindings[:position], first, *out], body

    def read(self, exp: Exp, made: _Made) -> Exp:
        """An expression in which the number of items is asked of their source, and a reader makes them. What
        is inside of other functions, of branches and of loops stays.
        """
        if isinstance(exp, Lit | Var | If | Rec | Let) or made.part(exp) is not None:
            return exp
        if not isinstance(exp, Op):
            return map_children(exp, lambda e: self.read(e, made))
        if exp.prim is p.SHAPE and made.part(exp.args[0]) in (PLACES, LENGTHS):
            made.meet(_plain(exp.args[0]))
            return op(p.SHAPE, Var(made.name, ty=made.source.ty), symbol=exp.symbol, span=exp.span)
        args = tuple([a if isinstance(a, Fn | PrimFn) else self.read(a, made) for a in exp.args])
        if exp.prim in (p.EACH, p.PIECES) and isinstance(exp.args[0], Fn):
            reader = self.reader(exp.args[0], _plain(exp.args[1]), made)
            if reader is not None:
                return op(exp.prim, reader, *args[1:], symbol=exp.symbol, span=exp.span)
        if all(new is old for new, old in zip(args, exp.args, strict=True)):
            return exp
        return op(exp.prim, *args, symbol=exp.symbol, span=exp.span)

    def reader(self, function: Fn, domain: Exp, made: _Made) -> Fn | None:
        """The function of numbers of items that makes the item that it reads once; None if it does not."""
        names = {n.name for n in walk(function.body) if isinstance(n, Var)}
        if not names & {made.name, *made.parts} or not self.counts(domain):
            return None
        if self.printing.of(function.body):
            return None
        block = function.body
        if not isinstance(block, Let):
            block = Let((), block, ty=block.ty)
        guarded = names_in_functions(block)
        own_number = Var(function.params[0].name, ty=function.params[0].ty)
        reading = _Reading(self, made, {own_number.name: own_number}, domain)
        kept: list[Binding] = []
        for binding in block.bindings:
            part = reading.picked(binding.value)
            if part is not None:
                reading.local[binding.name] = part
                made.meet(_plain(binding.value.args[1]))  # type: ignore[union-attr]
                continue
            if reading.is_item(binding.value) and (self.uses[binding.name] != 1 or binding.name in guarded):
                return None
            if reading.is_number(binding.value):
                reading.numbers[binding.name] = reading.number(binding.value)
            value = reading.replaced(binding.value)
            kept.append(Binding(binding.name, value.ty, value))
        body = reading.replaced(block.body)
        if (
            reading.slices != 1
            or reading.index is None
            or any(reading.seen[n] != self.uses[n] for n in reading.local)
        ):
            return None
        made.readers += 1
        (element,) = made.function.params
        source = Var(made.name, ty=made.source.ty)
        picked = op(p.PICK, reading.index, source, span=function.span)
        own = made.function.body.bindings if isinstance(made.function.body, Let) else ()
        first = Binding(element.name, picked.ty, picked)
        item = _told_item(function, reading, made.function, picked)
        return fn(function.params, let([first, *own, *kept], body), function.span, item)

    def counts(self, exp: Exp) -> bool:
        """Whether an expression is 1 2 3 … up to some number."""
        if isinstance(exp, Var) and exp.name in self.values:
            return self.counts(self.values[exp.name])
        if not isinstance(exp, Op):
            return False
        if exp.prim is p.ZIP_WITH and isinstance(exp.args[0], Fn):
            chosen = exp.args[0].body
            names = [param.name for param in exp.args[0].params]
            is_one = isinstance(chosen, Var) and chosen.name in names
            return is_one and all(self.counts(_plain(a)) for a in exp.args[1:])
        return exp.prim in (p.IOTA, p.IOTA_V)

    def value(self, exp: Exp) -> Exp:
        """What a variable stands for."""
        while isinstance(exp, Var) and exp.name in self.values:
            exp = self.values[exp.name]
        return exp

    def as_many_as(self, domain: Exp, numbers: Exp) -> bool:
        """Whether `domain` is `iota(pick(1, shape(numbers)))`."""
        counted = self.counted(domain)
        return counted is not None and self.alike(counted, numbers)

    def counted(self, exp: Exp) -> Exp | None:
        """The array v where an expression is `iota(pick(1, shape(v)))`."""
        counting = self.value(exp)
        if not isinstance(counting, Op) or counting.prim is not p.IOTA:
            return None
        count = self.value(_plain(counting.args[0]))
        shape = self.value(_plain(count.args[1])) if isinstance(count, Op) and count.prim is p.PICK else count
        return _plain(shape.args[0]) if isinstance(shape, Op) and shape.prim is p.SHAPE else None

    def alike(self, one: Exp, other: Exp) -> bool:
        """Whether two vectors are as long: they are one, count the same one, or pair the same two."""
        one, other = self.counted(one) or one, self.counted(other) or other
        if isinstance(one, Var) and isinstance(other, Var) and one.name == other.name:
            return True
        one, other = self.value(one), self.value(other)
        if not (isinstance(one, Op) and isinstance(other, Op) and one.prim is other.prim is p.ZIP_WITH):
            return False
        pairs = zip(one.args[1:], other.args[1:], strict=True)
        return all(self.alike(_plain(a), _plain(b)) for a, b in pairs)


@dataclass(slots=True)
class _Reading:
    """A function that reads items, looked at: its number, and what it calls the place and the length."""

    fuser: _Fuser
    made: _Made
    numbers: dict[str, Exp]
    """What the number of the item whose turn it is is called, and how it follows from the parameter."""
    domain: Exp
    index: Exp | None = None
    """The number of the item that is read. One item beside several belongs to all: it is 1 each time."""
    local: dict[str, int] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    slices: int = 0

    def picked(self, exp: object) -> int | None:
        """Whether an expression is the place or the length of the item whose turn it is."""
        if not isinstance(exp, Op) or exp.prim is not p.PICK:
            return None
        part = self.made.part(exp.args[1])
        if part not in (PLACES, LENGTHS) or not self.is_number(exp.args[0]):
            return None
        number = self.number(exp.args[0])
        self.index = self.index or number
        return part if number == self.index else None

    def number(self, exp: object) -> Exp:
        """What `is_number`, by the parameter: it is that, but where numbers of two arguments are paired."""
        if isinstance(exp, Var):
            return self.numbers[exp.name]
        assert isinstance(exp, Op)
        inner, paired = self.number(exp.args[0]), self.fuser.value(_plain(exp.args[1]))
        if isinstance(paired, Op) and paired.prim is p.ZIP_WITH:
            return op(p.PICK, inner, _plain(exp.args[1]), span=exp.span)
        return inner

    def is_number(self, exp: object) -> bool:
        """Whether an expression is the number of the item whose turn it is."""
        if isinstance(exp, Var):
            return exp.name in self.numbers
        if not isinstance(exp, Op) or exp.prim is not p.PICK or not self.is_number(exp.args[0]):
            return False
        numbers = _plain(exp.args[1])
        return self.fuser.counts(numbers) and self.fuser.as_many_as(self.domain, numbers)

    def is_part(self, exp: object, part: int) -> bool:
        """Whether an expression is the place, or the length."""
        if isinstance(exp, Var) and exp.name in self.local:
            return self.local[exp.name] == part
        return self.picked(exp) == part

    def is_item(self, exp: object) -> bool:
        """Whether an expression is the item."""
        return (
            isinstance(exp, Op)
            and exp.prim is p.SLICE
            and self.made.part(exp.args[2]) == ELEMENTS
            and self.is_part(exp.args[0], PLACES)
            and self.is_part(exp.args[1], LENGTHS)
        )

    def replaced(self, exp: Exp) -> Exp:
        """An expression with what makes the item in its place; functions, branches and loops stay."""
        if isinstance(exp, Lit | Var | If | Rec | Let):
            return exp
        if self.is_item(exp):
            assert isinstance(exp, Op)
            self.slices += 1
            for node in walk(exp):
                if isinstance(node, Var):
                    self.seen[node.name] += 1
            self.made.meet(exp)
            body = self.made.function.body
            return body.body if isinstance(body, Let) else body
        if not isinstance(exp, Op):
            return map_children(exp, self.replaced)
        args = tuple([a if isinstance(a, Fn | PrimFn) else self.replaced(a) for a in exp.args])
        if all(new is old for new, old in zip(args, exp.args, strict=True)):
            return exp
        return op(exp.prim, *args, symbol=exp.symbol, span=exp.span)


def _told_item(reader: Fn, reading: _Reading, made: Fn, picked: Exp) -> ItemIndex | None:
    """The item that errors of a reader tell which makes its item itself of what was `picked`: Note [Items in
    errors] of `faults`. There is one for both. Where the reader tells its item, what makes it, of numbers
    perhaps, then tells it, too; so that is not done where only that may fail, or has another number.
    """
    if not may_fail(made.body):
        return reader.item
    if reader.item is None:
        return map_item(made.item, lambda e: _replaced(e, made.params[0].name, picked))
    number = reading.index
    while isinstance(number, Op):  # a number of numbers
        number = _plain(number.args[0])
    if not isinstance(number, Var) or number.name != reader.params[0].name:
        return None
    own = [n for n in walk(reader.body) if not reading.is_number(n) and reading.picked(n) is None]
    fails = any(isinstance(n, Rec | Call) or (isinstance(n, Op) and op_may_fail(n)) for n in own)
    return reader.item if fails or made.item is not None else None


def _replaced(exp: Exp, name: str, value: Exp) -> Exp:
    """An expression with a value in the place of a variable."""
    if isinstance(exp, Var) and exp.name == name:
        return value
    return map_children(exp, lambda e: _replaced(e, name, value))


def _plain(arg: Arg) -> Exp:
    """An argument that is no function."""
    assert not isinstance(arg, Fn | PrimFn)
    return arg


def _candidate(binding: Binding) -> _Made | None:
    """Items that are vectors of simple elements, made by a function with a body."""
    value, ty = binding.value, binding.value.ty
    if not isinstance(value, Op) or value.prim is not p.PIECES or not isinstance(ty, Nested):
        return None
    function, source = value.args
    if not isinstance(function, Fn) or isinstance(source, Fn | PrimFn):
        return None
    if not isinstance(ty.item, Array) or ty.item.rank != Rho(1):
        return None
    return _Made(binding.name, function, source)
