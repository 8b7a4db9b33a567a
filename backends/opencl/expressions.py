"""Scalar expressions as OpenCL C, where it differs from C: signed integers must not overflow, so those of
users are added and multiplied as unsigned ones.

The names of types are those of C here; `aplc.backends.opencl.emit` spells them as OpenCL does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from aplc.backends.c.expressions import PRIMARY, UNARY, Spell
from aplc.backends.c.lanes import EXACT, LanePrinter, has_small_constants, low_part
from aplc.backends.c.types import C_TYPES
from aplc.laila.ir.counts import MAX_CONSTANT, is_count, is_extent
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    ALARM,
    CEIL,
    FLOOR,
    LOG,
    SQRT,
    Buffer,
    Call,
    Const,
    Exp,
    Read,
    Select,
    Sum,
    Var,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

LIMIT = 1 << 62
"""Below this, intermediate results do not overflow either."""

IN_LANES = {
    p.EXPD: "aplc_exp",
    LOG: "aplc_log",
    p.ABSD: "__builtin_fabs",
    SQRT: "__builtin_sqrt",
    FLOOR: "__builtin_floor",
    CEIL: "__builtin_ceil",
}
"""Functions of reals that compilers for processors take in lanes."""

_WRAPPING = {p.ADDI: "+", p.SUBI: "-", p.MULI: "*"}

Text = tuple[str, int]


class ClPrinter(LanePrinter):
    """Prints expressions of kernels."""

    def __init__(
        self,
        spell: Spell,
        *,
        in_lanes: bool,
        is_single: bool = False,
        is_grid: bool = False,
        converts: bool = True,
    ) -> None:
        super().__init__(spell)
        self.converts = converts
        """Whether there is an instruction by which integers of 64 bits in lanes become doubles."""
        self.is_grid = is_grid
        """Whether work-items do single elements: they should ask memory once, and not wait for a branch."""
        self.held: dict[int, str] = {}
        """What has been read already, by identity: see `batches`."""
        self.read_once: dict[int, tuple[Exp, Exp]] = {}
        """The same element read at a place that is chosen, by the identity of a choice, which lives on."""
        self.ranges = Ranges(is_single=is_single)
        self.in_turn = {}
        self.has_lanes = in_lanes
        """Whether functions of reals should be such that compilers take them in lanes."""
        self.is_place = False
        """Whether a position in memory is being printed, which does not overflow."""

    def declared(self, var: Var, value: Exp) -> str:
        """The C type of a new integer. One that is declared before the loops, such as where a chunk begins,
        has 64 bits there and is converted where what it is part of has fewer.
        """
        if self.in_loop:
            return super().declared(var, value)
        self.ranges.bind(var, self.ranges.integers(value))
        return C_TYPES[Base.INT]

    def _real(self, exp: Exp) -> Text:
        """An integer as a double; in a loop that may be in lanes, by a function where need be."""
        bits = self._bits(exp)
        if self.converts or not self.in_loop or bits == 32:
            text, own = self._integer(exp, bits)
            return f"(double)({text})" if own < UNARY else f"(double){text}", UNARY
        name = "aplc_real_of_small" if self.ranges.integers(exp).within(EXACT) else "aplc_real_of"
        return f"{name}({self._integer(exp, 64)[0]})", PRIMARY

    def has_integer_of(self) -> bool:
        """Whether doubles become integers of 64 bits in lanes by a function, for want of an instruction."""
        return not (self.converts or self.ranges.is_single)

    def place(self, position: Exp) -> str:
        """The text of a position in memory."""
        with self.in_place(None):
            return self.text(position)

    @contextmanager
    def in_place(self, exp: Exp | None) -> Iterator[None]:
        """While an element is printed, or a position."""
        outer, self.is_place = self.is_place, self.is_place or exp is None or isinstance(exp, Read)
        try:
            yield
        finally:
            self.is_place = outer

    def pointer(self, buffer: Buffer) -> str:
        """A buffer as it is."""
        return self.spell(buffer)

    def value(self, exp: Exp) -> str:
        """The text of a value that is assigned, in its own lanes."""
        return self.text(exp) if isinstance(exp, Sum) and self.wraps(exp) else super().value(exp)

    def wraps(self, exp: Exp) -> bool:
        """Whether 64 bits may not hold what is computed on the way to the value of an integer."""
        if is_count(exp) or self.is_narrow(exp) or (self.is_place and _is_position(exp)):
            return False
        if isinstance(exp, Sum):
            return sum(abs(k) * self.size(atom) for atom, k in exp.terms) > LIMIT
        assert isinstance(exp, Call)
        if exp.op is p.MULI and all(map(is_count, exp.args)) and any(map(is_extent, exp.args)):
            return False  # an index times an extent, as in the place of a row
        sizes = [self.size(a) for a in exp.args]
        return (sizes[0] * sizes[1] if exp.op is p.MULI else sum(sizes)) > LIMIT

    def size(self, exp: Exp) -> float:
        """No smaller than the magnitude of an integer."""
        found = self.ranges.integers(exp)
        size = max(abs(found.low), abs(found.high))
        return min(size, MAX_CONSTANT) if is_count(exp) else size

    def _sum(self, exp: Sum, print_atom: Callable[[Exp, int], str]) -> str:
        if not self.wraps(exp):
            return super()._sum(exp, print_atom)

        def unsigned(atom: Exp, precedence: int) -> str:
            del precedence
            return _as_unsigned(atom, print_atom(atom, UNARY))

        return f"(int64_t)({super()._sum(exp, unsigned)})"

    def _infix(self, text: str, precedence: int, args: tuple[Exp, ...]) -> str:
        """An operator; `0 < n - start` is written `start < n`."""
        match args:
            case Const(value=left), Sum(const=const, terms=terms) if text in ("<", "<="):
                if all(k < 0 for _, k in terms) and not self.wraps(args[1]):
                    parts = tuple([(atom, -k) for atom, k in terms])
                    is_atom = len(parts) == 1 and parts[0][1] == 1
                    args = parts[0][0] if is_atom else Sum(0, parts), Const(const - int(left), Base.INT)
            case _:
                pass
        return super()._infix(text, precedence, args)

    def _groups(self, terms: Sequence[tuple[Exp, int]]) -> list[tuple[list[Exp], int]]:
        """The indices of a chunk come as `n×start+n×i`, which is `n×(start+i)`."""
        groups: dict[int, list[Exp]] = {}
        for atom, k in terms:
            groups.setdefault(k, []).append(atom)
        several = [k for k, atoms in groups.items() if abs(k) > 1 and len(atoms) > 1]
        first = {id(groups[k][0]): groups[k] for k in several}
        return [(first.get(id(a), [a]), k) for a, k in terms if k not in several or id(a) in first]

    def chosen_once(self, exp: Exp) -> Exp:
        """An element of one of two places of an array, as that of the place that is chosen."""
        if not self.is_grid or not isinstance(exp, Select):
            return exp
        if id(exp) not in self.read_once:
            then, other = self.chosen_once(exp.then), self.chosen_once(exp.other)
            found: Exp = exp
            if isinstance(then, Read) and isinstance(other, Read) and then.buffer is other.buffer:
                found = Read(then.buffer, Select(exp.cond, then.index, other.index, Base.INT), exp.ty)
            self.read_once[id(exp)] = exp, found
        return self.read_once[id(exp)][1]

    def _print(self, exp: Exp) -> Text:
        if (name := self.held.get(id(exp))) is not None:
            return name, PRIMARY
        exp = self.chosen_once(exp)
        with self.in_place(exp):
            return super()._print(exp)

    def _integer(self, exp: Exp, wanted: int) -> Text:
        exp = self.chosen_once(exp)
        with self.in_place(exp):
            return super()._integer(exp, wanted)

    def _flag(self, cond: Exp, bits: int) -> Text:
        cond = self.chosen_once(cond)
        with self.in_place(cond):
            return super()._flag(cond, bits)

    def _call(self, exp: Call) -> Text:
        if exp.op is ALARM:  # a number as it is
            return self._print(exp.args[0])
        if self.has_lanes and exp.op in IN_LANES:
            return f"{IN_LANES[exp.op]}({self.text(exp.args[0])})", PRIMARY
        if exp.op is p.B2I and isinstance(exp.args[0], Read):
            return self._flag(exp.args[0], 64)
        if (exp.op in _WRAPPING or exp.op is p.NEGI) and self.wraps(exp):
            return self._wrapping(exp)
        return super()._call(exp)

    def _operator(self, exp: Call, bits: int) -> Text:
        if exp.op is ALARM:
            return self._print(exp.args[0])
        if bits == 64 and exp.op in _WRAPPING and self.wraps(exp) and self._chosen(exp.args) is None:
            return self._wrapping(exp)
        return super()._operator(exp, bits)

    def _wrapping(self, exp: Call) -> Text:
        """An operation on integers modulo 2⁶⁴."""
        operands = [_as_unsigned(a, self._in_64_bits(a)) for a in exp.args]
        if exp.op is p.NEGI:
            return f"(int64_t)-{operands[0]}", UNARY
        return f"(int64_t)({operands[0]} {_WRAPPING[exp.op]} {operands[1]})", UNARY

    def _in_64_bits(self, exp: Exp) -> str:
        text, own = self._integer(exp, 64) if self.in_loop else self._print(exp)
        return f"({text})" if own < UNARY else text

    def _low_bits(self, exp: Exp) -> Text:
        """The low 32 bits of an integer; those of a sum or product come from those of its operands, which
        wrap as unsigned ones.
        """
        if self._bits(exp) == 32 or isinstance(exp, Const):
            return self._integer(low_part(exp), 32)
        if isinstance(exp, Sum) and has_small_constants(exp):
            total = self._sum(exp, lambda atom, _: self._unsigned(atom))
            return f"(int32_t)({total})", UNARY
        if isinstance(exp, Call) and exp.op is p.MULI and self._chosen(exp.args) is None:
            left, right = [self._unsigned(arg) for arg in exp.args]
            return f"(int32_t)({left} * {right})", UNARY
        text, own = self._integer(exp, 64)
        return f"(int32_t){text if own >= UNARY else f'({text})'}", UNARY

    def _unsigned(self, exp: Exp) -> str:
        """The low 32 bits of an integer, of which those above are lost in arithmetic."""
        text, own = (self.spell(exp), PRIMARY) if isinstance(exp, Var) else self._low_bits(exp)
        return f"(uint32_t){text if own >= UNARY else f'({text})'}"


def _as_unsigned(exp: Exp, text: str) -> str:
    """An integer without a sign; what is widened on the way need not be so twice."""
    is_widened = isinstance(exp, Read | Var) or (isinstance(exp, Call) and exp.op is p.B2I)
    return f"(uint64_t){text.removeprefix('(int64_t)') if is_widened else text}"


def _is_position(exp: Exp) -> bool:
    """Whether an expression is one of indices, extents, their products, and values with names."""
    if isinstance(exp, Sum):
        return all(_is_position(atom) for atom, _ in exp.terms)
    return (
        isinstance(exp, Var)
        or is_count(exp)
        or (isinstance(exp, Call) and exp.op is p.MULI and all(_is_position(a) for a in exp.args))
    )
