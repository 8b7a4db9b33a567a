"""Folds and scans of the bits of numbers, for all bits at once.

    over k < 32:  bitfield(x, 31-k, 1) ≠ bitfield(y, 31-k, 1)      →      x ^ y, its bits from 31 down to 0

An element whose bits, one for each value of an index below a constant, are made of the bits of words by
functions of truth values is a word itself, made by the same functions of words: the index is the place of a
bit, shifts are what moves it, and conditions on it alone are masks (Knuth, The Art of Computer Programming
4A, 7.1.3). So `2⊥` of such elements is that word, the sum is how many of its bits are 1, a fold by ≠ whether
these are odd in number, and a scan by ≠ takes few shifts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from aplc.laila.ir.counts import is_bit
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_COUNT,
    BIT_FIELD,
    BIT_XOR,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WORD = 64
"""The bits of an integer."""

HALF = 32
"""The bits of what the primitives for bits combine."""

UNSIGNED = 62
"""Words of so many bits have no sign that would be in the way of shifts."""

MOST_TURNED = 32
"""Words of so many bits are turned around."""

_XOR = frozenset((p.NEQB, p.NEQI, BIT_XOR))
_XNOR = frozenset((p.EQB, p.EQI))
_AND = frozenset((p.ANDB, p.MINI, p.MULI, p.LCMI, BIT_AND))
_OR = frozenset((p.ORB, p.MAXI, p.GCDI))
_NEGATED = {p.NANDB: p.ANDB, p.NORB: p.ORB}
_ORDERED = {p.LTI: (0, 1, False), p.GTI: (1, 0, False), p.LTEI: (1, 0, True), p.GTEI: (0, 1, True)}
"""Comparisons as `not args[first] and args[second]`, or the opposite of that."""


def bits_together(make: ExprBuilder, var: Var, count: int, body: Exp) -> Exp | None:
    """The word whose highest of `count` bits is an element for 0, and so on down to bit 0."""
    slices = _slices_of(make, var, count, body)
    if slices is None:
        return None
    word = slices.whole(body)
    if word is None or slices.is_downward:
        return word
    return turned(make, word, count)


def bits_in_order(make: ExprBuilder, var: Var, count: int, body: Exp, known: dict[Exp, int]) -> Exp | None:
    """The same, also where all elements are known, or the same, if some words have so many bits only."""
    free = FreeVars()
    if not 0 < count <= UNSIGNED or not _is_sliced(var, free, body):
        return None
    return _Slices(make, var, count, free, True, known).whole(body)


def fold_without_bits(make: ExprBuilder, fold: Fold) -> Exp | None:
    """The value of a fold of bits, or truth values, of a known number."""
    if not isinstance(fold.extent, Const) or not 0 < fold.extent.value <= WORD:
        return None
    count, combine = int(fold.extent.value), fold.combine
    if isinstance(combine, Step):
        x, s = combine.element, combine.accumulator
        if combine.body is make.add(x, make.mul(make.const(2), s)) and count <= UNSIGNED:
            last = make.sub(make.const(count - 1), fold.var)
            return bits_together(make, fold.var, count, Substitute(make, {fold.var: last})(fold.body))

    def apply(element: Exp, after: Exp) -> Exp:
        if isinstance(combine, Step):
            return Substitute(make, {combine.element: element, combine.accumulator: after})(combine.body)
        return make.call(combine, element, after)

    return fold_of_bits(make, apply, fold.var, count, fold.body)


def fold_of_bits(make: ExprBuilder, apply: Callable[..., Exp], var: Var, count: int, body: Exp) -> Exp | None:
    """The reduction of bits, or truth values, by a function that may be applied in any order to these."""
    slices = _slices_of(make, var, count, body)
    if slices is None or (table := _table(make, apply, body.ty)) not in (*_GATES, _ADD):
        return None
    word = slices.whole(body)
    if word is None:
        return None
    if table == _ADD:
        return make.call(BIT_COUNT, word)
    if table in (_PARITY, _SAME):
        number = make.call(BIT_FIELD, make.call(BIT_COUNT, word), make.zero, make.one)
        number = slices.flipped(number, int(table == _SAME and count % 2 == 0))
        if body.ty is Base.INT:
            return number
        result = make.call(p.NEQI, number, make.zero)
    elif table == _ALL:
        result = make.call(p.EQI, word, make.const(slices.full))
    else:
        result = make.call(p.NEQI, word, make.zero)
    return result if body.ty is Base.BOOL else make.call(p.B2I, result)


def scan_of_bits(
    make: ExprBuilder, apply: Callable[..., Exp], var: Var, count: int, body: Exp
) -> Callable[[Exp], Exp] | None:
    """Elements of a scan of bits, or truth values, by such a function, from their indices."""
    slices = _slices_of(make, var, count, body) if count <= UNSIGNED else None
    if slices is None or (table := _table(make, apply, body.ty)) not in _GATES:
        return None
    word = slices.whole(body)
    if word is None:
        return None
    flips = 0
    if table == _SAME:  # each further element that is the same as those before it turns the result
        flips = sum([1 << slices.place(k) for k in range(1, count, 2)])
    prefixes = slices.flipped(word, slices.full) if table == _ALL else word
    step = 1
    while step < count:
        moved = shifted(make, prefixes, step if slices.is_downward else -step, slices.full)
        either = make.call(BIT_XOR, prefixes, moved)
        if table in (_ALL, _ANY):
            either = make.call(BIT_XOR, either, make.call(BIT_AND, prefixes, moved))
        prefixes = either
        step *= 2
    result = slices.flipped(prefixes, slices.full if table == _ALL else flips)

    def element(k: Exp) -> Exp:
        place = make.sub(make.const(count - 1), k) if slices.is_downward else k
        bit = make.call(BIT_FIELD, result, place, make.one)
        return make.call(p.NEQI, bit, make.zero) if body.ty is Base.BOOL else bit

    return element


def on_low_bits(make: ExprBuilder, step: Step) -> tuple[Prim, Exp] | None:
    """The function of words of 32 bits that a step is, and the mask that it puts on the result: it may be
    applied in any order then.
    """
    x, s = step.element, step.accumulator
    xor, both = make.call(BIT_XOR, x, s), make.call(BIT_AND, x, s)
    match step.body:
        case Call(op=op, args=(word, Const(value=0), Const(value=value) as mask)) if op is BIT_FIELD:
            known = {xor: p.XORI32, both: p.ANDI32, make.call(BIT_XOR, xor, both): p.ORI32}
            return (known[word], mask) if word in known and value < 1 << HALF else None
    return None


_PARITY, _SAME, _ALL, _ANY, _ADD = (0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 0, 1), (0, 1, 1, 1), (0, 1, 1, 2)
_GATES = (_PARITY, _SAME, _ALL, _ANY)


def _table(make: ExprBuilder, apply: Callable[..., Exp], ty: Base) -> tuple[int, ...]:
    """What a function makes of zeros and ones; nothing if that is not known."""
    if ty not in (Base.INT, Base.BOOL):
        return ()
    zero, one = (make.false, make.true) if ty is Base.BOOL else (make.zero, make.one)
    values = [apply(x, y) for x in (zero, one) for y in (zero, one)]
    return tuple([int(v.value) for v in values if isinstance(v, Const)])


def shifted(make: ExprBuilder, number: Exp, distance: int, places: int) -> Exp:
    """A number shifted to the right by a distance, or to the left, as far as it comes to some places."""
    if distance >= 0:
        return make.call(BIT_FIELD, number, make.const(distance), make.const(places))
    bits = make.call(BIT_FIELD, number, make.zero, make.const(places >> -distance))
    return make.mul(make.const(1 << -distance), bits)


def turned(make: ExprBuilder, word: Exp, count: int) -> Exp | None:
    """A word of so many bits the other way round: halves change places, and in these their halves."""
    if count > MOST_TURNED:
        return None
    width = 1 << (count - 1).bit_length()
    step = width // 2
    while step:
        low = sum([1 << k for k in range(width) if not k & step])
        right = shifted(make, word, step, low)
        word = make.call(BIT_XOR, shifted(make, word, -step, low << step), right)
        step //= 2
    return shifted(make, word, width - count, (1 << count) - 1) if count < width else word


def _takes_masks(word: Exp) -> bool:
    """Whether a word has a mask already, which another one makes stricter."""
    if isinstance(word, Sum):
        return word.const == 0 and len(word.terms) == 1 and _takes_masks(word.terms[0][0])
    return isinstance(word, Call) and word.op is BIT_FIELD


def _slices_of(make: ExprBuilder, var: Var, count: int, body: Exp) -> _Slices | None:
    """The words of the parts of a body, in the direction in which it reads the first bits."""
    if not 0 < count <= WORD or body.ty not in (Base.INT, Base.BOOL):
        return None
    free = FreeVars()
    if var not in free.of(body) or not _is_sliced(var, free, body):
        return None
    for node in nodes(body, below=lambda e: operands(e) if var in free.of(e) else ()):
        if isinstance(node, Call) and node.op is BIT_FIELD and var not in free.of(node.args[0]):
            step = make.linear(node.args[1])[1].get(var, 0)
            if abs(step) == 1:
                return _Slices(make, var, count, free, step < 0)
    return None


def _is_sliced(var: Var, free: FreeVars, body: Exp) -> bool:
    """Whether what depends on a variable can be computed for all its values at once."""
    inside = list(nodes(body, below=lambda e: operands(e) if var in free.of(e) else ()))
    if any(isinstance(n, Check | Fold | BlockExp | PureCall) and var in free.of(n) for n in inside):
        return False
    is_chosen = any(isinstance(n, Select) and var in free.of(n.cond) for n in inside)
    return not is_chosen or is_total(body)


@dataclass(slots=True)
class _Slices:
    """Words whose bits are elements for the values of a variable."""

    make: ExprBuilder
    var: Var
    count: int
    free: FreeVars
    is_downward: bool
    """Whether the element for 0 is the highest bit, and not the lowest."""
    widths: dict[Exp, int] = field(default_factory=dict)
    """Numbers without a sign that are known to have so many bits only."""
    known: dict[Exp, Exp | None] = field(default_factory=dict)
    unreached: set[Exp] = field(default_factory=set)
    """What is computed for no value."""
    dirty: set[Exp] = field(default_factory=set)
    """Words that may have more bits than there are elements."""

    @property
    def full(self) -> int:
        """All bits."""
        return -1 if self.count == WORD else (1 << self.count) - 1

    def place(self, k: int) -> int:
        """Where the bit for a value is."""
        return self.count - 1 - k if self.is_downward else k

    def whole(self, body: Exp) -> Exp | None:
        """The word of an expression, without other bits."""
        parts = list(nodes(body, below=self.parts))
        self.reach(body, parts)
        for node in parts:
            self.known[node] = self.of(node)
        word = self.known[body]
        return None if word is None else self.masked(word, self.full)

    def reach(self, body: Exp, parts: list[Exp]) -> None:
        """Notes what is computed for some values: what conditions on them alone exclude may read outside."""
        reached = dict.fromkeys(parts, 0)
        reached[body] = self.full
        for node in reversed(parts):
            below = dict.fromkeys(self.parts(node), reached[node])
            if isinstance(node, Select) and self.by_place(node.cond):
                cond = self.constant(node.cond)
                kept = int(cond.value) if isinstance(cond, Const) else self.full
                below[node.then], below[node.other] = kept & reached[node], ~kept & reached[node]
            for part, places in below.items():
                reached[part] |= places
        self.unreached = {node for node, places in reached.items() if places == 0}

    def parts(self, exp: Exp) -> tuple[Exp, ...]:
        """The operands whose words are needed."""
        match exp:
            case _ if self.var not in self.free.of(exp) or self.by_place(exp):
                return ()
            case Call(op=op) if op is BIT_FIELD:
                return ()
            case Call(op=p.RESI, args=(Const(value=2), number)):
                return (number,)
            case Select(cond=cond, then=then, other=other) if self.var not in self.free.of(cond):
                return (then, other)
            case Call() | Select() | Sum():
                return operands(exp)
            case _:
                return ()

    def by_place(self, exp: Exp) -> bool:
        """Whether an expression depends on the variable alone."""
        return self.free.of(exp) == {self.var} and all(
            n.buffer.data is not None if isinstance(n, Read) else isinstance(n, Const | Var | Call | Sum)
            for n in nodes(exp)
        )

    def of(self, exp: Exp) -> Exp | None:
        """The word of a node, of whose operands it is known."""
        if exp in self.unreached:
            return self.make.zero
        if isinstance(exp, Const) or self.by_place(exp):
            return self.constant(exp)
        if self.var not in self.free.of(exp):
            return self.repeated(exp)
        if isinstance(exp, Call) and exp.op is BIT_FIELD:
            return self.moved(exp)
        if isinstance(exp, Select) and self.var not in self.free.of(exp.cond):
            then, other = self.known[exp.then], self.known[exp.other]
            return None if then is None or other is None else self.either_dirty(exp.cond, then, other)
        words = [self.known[part] for part in self.parts(exp)]
        known = [word for word in words if word is not None]
        return self.combined(exp, known) if len(known) == len(words) else None

    def combined(self, exp: Exp, words: list[Exp]) -> Exp | None:
        """The word of a function of bits."""
        match exp:
            case Call(op=p.B2I) | Call(op=p.RESI):
                return words[0]
            case Call(op=p.NOTB):
                return self.flipped(words[0], self.full)
            case Call(op=op) if op in _XOR:
                return self.xor(*words)
            case Call(op=op) if op in _XNOR:
                return self.flipped(self.xor(*words), self.full)
            case Call(op=op) if op in _AND:
                return self.both(*words)
            case Call(op=op) if op in _OR:
                return self.any(*words)
            case Call(op=op) if op in _NEGATED:
                gate = self.both if _NEGATED[op] is p.ANDB else self.any
                return self.flipped(gate(*words), self.full)
            case Call(op=op) if op in _ORDERED:
                first, second, is_opposite = _ORDERED[op]
                less = self.both(self.flipped(words[first], self.full), words[second])
                return self.flipped(less, self.full) if is_opposite else less
            case Sum(const=1, terms=((_, -1),)):
                return self.flipped(words[0], self.full)
            case Select():
                return self.chosen(exp, *words)
            case _:
                return None

    def constant(self, exp: Exp) -> Exp | None:
        """The mask of an expression of the variable alone."""
        result = 0
        for k in range(self.count):
            value = self.value(exp, k)
            if value not in (0, 1):
                return None
            result |= int(value) << self.place(k)
        return self.make.const(result)

    def value(self, exp: Exp, k: int) -> bool | int | float | None:
        """What it is for one value; outside a table, where a condition is in front of it, 0."""
        put = Substitute(self.make, {self.var: self.make.const(k)})
        if isinstance(exp, Read):
            place, data = put(exp.index), exp.buffer.data
            if data is None or not isinstance(place, Const):
                return None
            return data[int(place.value)] if 0 <= place.value < len(data) else 0
        if any(isinstance(n, Read) for n in nodes(exp)):
            return None
        value = put(exp)
        return value.value if isinstance(value, Const) else None

    def repeated(self, exp: Exp) -> Exp | None:
        """A bit at all places."""
        make = self.make
        if exp.ty is Base.BOOL:
            exp = make.call(p.B2I, exp)
        elif exp.ty is not Base.INT or not is_bit(exp):
            return None
        word = make.sub(make.zero, exp)
        self.dirty.add(word)
        return word

    def moved(self, exp: Call) -> Exp | None:
        """Neighbouring bits of a number."""
        make = self.make
        number, position, mask = exp.args
        const, terms = make.linear(position)
        if mask is not make.one or set(terms) != {self.var} or self.var in self.free.of(number):
            return None
        step = terms[self.var]
        if step == (-1 if self.is_downward else 1):
            distance = const - (self.count - 1 if self.is_downward else 0)
            if distance == 0:
                return self.noted(number, not self.is_narrow(number))
            places = sum([1 << q for q in range(self.count) if 0 <= q + distance < WORD])
            return self.shifted(number, distance, places)
        if abs(step) != 1:
            return None
        # At place q stands bit total - q.
        total = const + step * (self.count - 1) if self.is_downward else const
        low = total - (self.count - 1)
        if low < 0 or total >= WORD:
            return None
        return turned(make, shifted(make, number, low, self.full), self.count) if self.full > 0 else None

    def is_narrow(self, number: Exp) -> bool:
        """Whether a number has no more bits than there are elements."""
        match number:
            case Call(op=op, args=(_, _, Const(value=mask))) if op is BIT_FIELD:
                return int(mask) & ~self.full == 0
            case _:
                return self.widths.get(number, WORD) <= self.count

    def shifted(self, number: Exp, distance: int, places: int) -> Exp | None:
        if places == 0:
            return self.make.zero
        return shifted(self.make, number, distance, places) if places >> UNSIGNED == 0 else None

    def masked(self, word: Exp, places: int) -> Exp:
        """Some bits of a word."""
        make = self.make
        if places == -1 or (places == self.full and word not in self.dirty):
            return word
        match word:
            case Const(value=value):
                return make.const(int(value) & places)
            case Call(op=op, args=(number, position, Const(value=mask))) if op is BIT_FIELD:
                return make.call(BIT_FIELD, number, position, make.const(int(mask) & places))
            case Sum(const=0, terms=((Call(op=op, args=(number, position, Const(value=mask))), weight),)) if (
                op is BIT_FIELD and weight > 0 and weight & (weight - 1) == 0 and places >= 0
            ):
                low = make.const(int(mask) & places // weight)
                return make.mul(make.const(weight), make.call(BIT_FIELD, number, position, low))
            case Call(op=op, args=(a, b)) if op is BIT_XOR and _takes_masks(a) and _takes_masks(b):
                return self.xor(self.masked(a, places), self.masked(b, places))
            case _ if places >> UNSIGNED == 0:
                return make.call(BIT_FIELD, word, make.zero, make.const(places))
            case _:
                return make.call(BIT_AND, word, make.const(places))

    def xor(self, a: Exp, b: Exp) -> Exp:
        zero = self.make.zero
        if a is zero or b is zero:
            return b if a is zero else a
        return self.noted(self.make.call(BIT_XOR, a, b), a in self.dirty or b in self.dirty)

    def both(self, a: Exp, b: Exp) -> Exp:
        if isinstance(a, Const):
            a, b = b, a
        if isinstance(b, Const):
            return self.masked(a, int(b.value))
        return self.noted(self.make.call(BIT_AND, a, b), a in self.dirty and b in self.dirty)

    def any(self, a: Exp, b: Exp) -> Exp:
        return self.xor(self.xor(a, b), self.both(a, b))

    def flipped(self, word: Exp, places: int) -> Exp:
        """A word with the opposite bits at some places."""
        if places == 0:
            return word
        return self.noted(self.make.call(BIT_XOR, word, self.make.const(places)), word in self.dirty)

    def noted(self, word: Exp, is_dirty: bool) -> Exp:
        if is_dirty and not isinstance(word, Const):
            self.dirty.add(word)
        return word

    def either_dirty(self, cond: Exp, then: Exp, other: Exp) -> Exp:
        """One of two words by a condition for all bits."""
        word = self.make.select(cond, then, other)
        return self.noted(word, then in self.dirty or other in self.dirty)

    def chosen(self, exp: Select, cond: Exp, then: Exp, other: Exp) -> Exp | None:
        """Bits of two words by those of a third one. What only some of them read is not read for the others:
        that may be outside of memory.
        """
        if isinstance(cond, Const):
            kept = int(cond.value) & self.full
            left = self.full & ~kept
            parts = [self.masked(w, m) for w, m in ((then, kept), (other, left)) if m]
            return parts[0] if len(parts) == 1 else self.xor(*parts)
        before = set(nodes(exp.cond))
        if any(isinstance(n, Read) and n not in before for n in nodes(exp.then, exp.other)):
            return None
        return self.xor(self.both(cond, then), self.both(self.flipped(cond, self.full), other))
