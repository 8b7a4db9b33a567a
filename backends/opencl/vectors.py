"""Loops of kernels over several numbers at a time, where functions of reals are what takes the time, or the
extremum of doubles: drivers for processors have such functions for vectors, and do not find the vectors by
themselves. Where the processor has AVX-512, exponentials and logarithms are our own: over whole vectors their
tables are in registers.

The body of a loop is printed once more over vectors: with eight lanes doubles are `double8`, and conditions
masks of `long8`, which are -1 where they hold; in single precision `float8` and `int8`. What is the same for
all indices stays a scalar. `NotVector` is raised for whatever has no such form, and the loop stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from aplc.backends.c.expressions import BOUNDED, SPELLING, UNARY, Infix, Named
from aplc.backends.c.types import STORAGE_TYPES
from aplc.backends.opencl.expressions import IN_LANES, ClPrinter
from aplc.backends.opencl.library import TYPES
from aplc.laila.devices.kernels import Kernel
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    BITS,
    CEIL,
    CIRCLES,
    DIVIDE,
    FLOOR,
    LOG,
    MULTIPLY_ADD,
    POWER,
    SQRT,
    Buffer,
    Call,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

WIDE = {
    p.EXPD: "aplc_exp8",
    LOG: "aplc_log8",
    SQRT: "aplc_sqrt8",
    FLOOR: "aplc_floor8",
    CEIL: "aplc_ceil8",
}
"""Functions of reals of our own, of eight numbers at a time."""
WIDE_LANES = 8

DEAR = frozenset((p.EXPD, LOG, POWER, *[CIRCLES[k] for k in (1, 2, 3, 5, 6, 7, -1, -2, -3, -5, -6, -7)]))
"""Functions for which drivers have vectors."""

_FUNCTIONS = DEAR | {SQRT, FLOOR, CEIL}
_ARITHMETIC = frozenset((p.ADDD, p.SUBD, p.MULD, DIVIDE))
_COMPARISONS = frozenset((p.LTD, p.LTED, p.GTD, p.GTED, p.EQD, p.NEQD))


class NotVector(Exception):
    """There is no such form."""


def is_worth_it(loop: l.For) -> bool:
    """Whether a loop is straight and computes what vectors make cheaper."""
    if not is_straight(loop):
        return False
    return _has_extrema(loop) or any(op in DEAR and op not in IN_LANES for op in _operators(loop))


def is_worth_wide(loop: l.For) -> bool:
    """Whether a loop is straight and computes what whole vectors, with functions of our own, make cheaper."""
    return is_straight(loop) and (
        _has_extrema(loop) or any(op in DEAR and op in WIDE for op in _operators(loop))
    )


def _has_extrema(loop: l.For) -> bool:
    """Whether it is after an extremum of doubles, which compilers compare in order."""
    return any(r.op in (p.MAXD, p.MIND) for r in loop.reductions or ())


def is_straight(loop: l.For) -> bool:
    """Whether a loop upwards takes one index after the other, in any order."""
    return loop.reductions is not None and not loop.descending and loop.step == 1


def _operators(loop: l.For) -> set[p.Prim]:
    """What is called by the statements of a loop that have none inside."""
    exps = [e for s in loop.body for e in expressions_of(s)]
    return {n.op for n in nodes(*exps) if isinstance(n, Call)}


def expressions_of(statement: l.Stm) -> tuple[Exp, ...]:
    """What a statement without others inside computes."""
    match statement:
        case l.Declare(value=value) | l.Assign(value=value):
            return () if value is None else (value,)
        case l.Store(position=position, value=value):
            return position, value
        case _:
            return ()


class Vectors:
    """The body of one loop over vectors."""

    def __init__(
        self,
        printer: ClPrinter,
        declare: Callable[[str], str],
        loop: l.For,
        accumulators: Mapping[str, str],
        kernel: Kernel,
        lanes: int,
        *,
        is_single: bool,
        own: Collection[Buffer] = (),
        is_wide: bool = False,
    ) -> None:
        self.arrays, self.written, self.own = kernel.arrays, kernel.written, own
        self.is_wide = is_wide
        """Whether they are as wide as registers, where functions of the driver's may take narrower ones."""
        self.printer, self.declare, self.place, self.lanes = printer, declare, printer.place, lanes
        self.doubles, self.longs = f"double{lanes}", f"{'int' if is_single else 'long'}{lanes}"
        self.reals = ("float32", "float64") if is_single else ("float64",)
        """What is in memory as it is computed with."""
        self.accumulators = accumulators
        """The identifiers of the vectors of flags and sums, by the name of the scalar."""
        self.index = loop.var
        self.free = FreeVars()
        self.vectors: dict[str, str] = {}
        """The identifiers of variables that are vectors."""
        self.lines: list[str] = []

    def body(self, statements: Sequence[l.Stm]) -> list[str]:
        """The lines of the body."""
        for statement in statements:
            match statement:
                case l.Declare(var=var, value=value, mutable=False) if value is not None:
                    self.let(var, value)
                case l.Assign(var=var, value=Call(op=op, args=args)) if op is BIT_OR and args[0] is var:
                    self.lines.append(f"{self.accumulator(var)} |= {self.vector(args[1])};")
                case l.Assign(var=var, value=Call(op=op, args=args)) if op is p.ADDD and args[0] is var:
                    self.lines.append(f"{self.accumulator(var)} += {self.vector(args[1])};")
                case l.Assign(var=var, value=Call(op=op, args=args)) if op is MULTIPLY_ADD and args[2] is var:
                    product = f"{self.vector(args[0])} * {self.vector(args[1])}"
                    self.lines.append(f"{self.accumulator(var)} += {product};")
                case l.Assign(
                    var=var, value=Select(cond=Call(op=op, args=(x, own)), then=then, other=other)
                ) if op in (p.GTD, p.LTD) and own is other is var and x is then:
                    best, element = self.accumulator(var), self.vector(x)
                    sign = ">" if op is p.GTD else "<"
                    self.lines.append(f"{best} = {element} {sign} {best} ? {element} : {best};")
                case l.Store(buffer=buffer, position=position, value=value):
                    self.store(buffer, position, value)
                case _:
                    raise NotVector
        return self.lines

    def let(self, var: Var, value: Exp) -> None:
        """A variable that is a vector; if it is the same for all indices, a scalar."""
        if not self.varies(value):
            raise NotVector
        text = self.vector(value)
        name = self.declare(var.name)
        self.vectors[var.name] = name
        self.lines.append(f"const {self.type_of(value.ty)} {name} = {text};")

    def accumulator(self, var: Var) -> str:
        """What a flag or a sum accumulates in."""
        if var.name not in self.accumulators:
            raise NotVector
        return self.accumulators[var.name]

    def type_of(self, ty: Base) -> str:
        """The type of vectors of values."""
        match ty:
            case Base.DOUBLE:
                return self.doubles
            case Base.INT | Base.BOOL | Base.CHAR:
                return self.longs
            case Base.COMPLEX:
                raise NotVector

    def store(self, buffer: Buffer, position: Exp, value: Exp) -> None:
        """Elements in a row."""
        target, text = self.vector_at(buffer, position), self.vector(value)
        if buffer.storage == "bool":
            self.need_library()
            text = f"convert_uchar{self.lanes}({text} & 1)"
        elif buffer.storage not in self.reals:
            raise NotVector
        self.lines.append(f"{target} = {text};")

    def vector_at(self, buffer: Buffer, position: Exp) -> str:
        """The vector at a position that moves by one with the index, in the memory of the device."""
        kind = f"aplc_{TYPES.get(STORAGE_TYPES[buffer.storage], STORAGE_TYPES[buffer.storage])}{self.lanes}"
        place = f"{self.printer.spell(buffer)} + {self.row(position)}"
        if buffer in self.own:
            return f"*({kind} *)({place})"
        if buffer not in self.arrays:
            raise NotVector
        const = "" if buffer in self.written else "const "
        return f"*(global {const}{kind} *)({place})"

    # --- expressions ---

    def varies(self, exp: Exp) -> bool:
        """Whether an expression depends on the index."""
        free = self.free.of(exp)
        return any(v is self.index or v.name in self.vectors or v.name in self.accumulators for v in free)

    def row(self, position: Exp) -> str:
        """A position that moves by one with the index."""
        terms = dict(position.terms) if isinstance(position, Sum) else {position: 1}
        if terms.pop(self.index, 0) != 1 or any(self.varies(atom) for atom in terms):
            raise NotVector
        return self.place(position)

    def vector(self, exp: Exp) -> str:
        """The text of a vector; what is the same for all indices is repeated."""
        if self.varies(exp):
            return self.varying(exp)
        text = self.printer.text(exp)
        match exp.ty:
            case Base.DOUBLE:
                return f"({self.doubles})({text})"
            case Base.INT:
                return f"({self.longs})({text})"
            case Base.BOOL:
                return f"({self.longs})(-(int64_t)({text}))"
            case Base.CHAR | Base.COMPLEX:
                raise NotVector

    def operand(self, exp: Exp) -> str:
        """The operand of an operator: a scalar may be one."""
        return self.varying(exp) if self.varies(exp) else self.printer.text(exp, UNARY)

    def varying(self, exp: Exp) -> str:
        """The text of an expression that depends on the index."""
        match exp:
            case Var(name=name) if name in self.vectors:
                return self.vectors[name]
            case Read(buffer=buffer, index=index) if buffer.storage in self.reals:
                return self.vector_at(buffer, index)
            case Select(cond=cond, then=then, other=other) if exp.ty is not Base.BOOL:
                test = self.vector(cond) if self.varies(cond) else self.printer.text(cond)
                return f"({test} ? {self.vector(then)} : {self.vector(other)})"
            case Call():
                return self.call(exp)
            case _:
                raise NotVector

    def call(self, exp: Call) -> str:
        """An operator over vectors."""
        op, args = exp.op, exp.args
        spelling = SPELLING[op]
        if op is DIVIDE and self.is_wide and (product := self.over_constant(*args)) is not None:
            return product
        if op in _ARITHMETIC or op in _COMPARISONS:
            assert isinstance(spelling, Infix)
            return f"({self.operand(args[0])} {spelling.text} {self.operand(args[1])})"
        if op in (p.ANDB, p.ORB):
            assert isinstance(spelling, Infix)
            return f"({self.vector(args[0])} {spelling.text} {self.vector(args[1])})"
        if op in WIDE and self.is_wide and self.lanes == WIDE_LANES:
            return f"{WIDE[op]}({self.vector(args[0])})"
        if op in _FUNCTIONS:
            self.need_library()
            assert isinstance(spelling, Named)
            return f"{spelling.name}({', '.join([self.vector(a) for a in args])})"
        if op is p.NOTB:
            return f"~{self.vector(args[0])}"
        if op is p.NEGD:
            return f"(-{self.vector(args[0])})"
        if op is p.ABSD:
            rest = "0x7fffffff" if self.longs.startswith("int") else "0x7fffffffffffffffL"
            return f"as_{self.doubles}(as_{self.longs}({self.vector(args[0])}) & {rest})"
        if op is BITS:
            return f"as_{self.longs}({self.vector(args[0])})"
        if op is ALARM:
            return self.vector(args[0])
        if op is MULTIPLY_ADD:
            if self.is_wide:
                operands = ", ".join([self.vector(a) for a in args])
                return f"aplc_multiply_add{self.lanes}({operands})"
            return f"({self.vector(args[0])} * {self.vector(args[1])} + {self.vector(args[2])})"
        if op is p.I2D:
            return self.number(args[0])
        if op in BOUNDED:
            return self.bounded(exp)
        raise NotVector

    def over_constant(self, dividend: Exp, divisor: Exp) -> str | None:
        """A quotient as products, if it is one by such a constant."""
        parts = self.printer.inverse(divisor)
        if parts is None:
            return None
        return f"aplc_over{self.lanes}({', '.join([self.vector(dividend), *parts])})"

    def need_library(self) -> None:
        """A function of the driver's is to be called: it may take narrower vectors than registers are."""
        if self.is_wide:
            raise NotVector

    def number(self, exp: Exp) -> str:
        """An integer as a double: a condition, or an element."""
        self.need_library()
        if isinstance(exp, Call) and exp.op is p.B2I:
            return f"convert_{self.doubles}(-{self.vector(exp.args[0])})"
        if isinstance(exp, Read) and exp.buffer.storage.startswith(("int", "uint")):
            return f"convert_{self.doubles}({self.vector_at(exp.buffer, exp.index)})"
        raise NotVector

    def bounded(self, exp: Call) -> str:
        """An extremum of which one operand is a number."""
        sign = ">" if exp.op is p.MAXD else "<"
        for bound, other in (exp.args, exp.args[::-1]):
            if (
                isinstance(bound, Const)
                and bound.value == bound.value
                and (bound.value or bound is exp.args[0])
            ):
                text = self.printer.text(bound)
                value = self.declare("bounded:")  # no variable is called so
                self.lines.append(f"const {self.doubles} {value} = {self.vector(other)};")
                limit = f"({self.doubles})({text})"
                return f"({limit} {sign} {value} ? {limit} : {value})"
        raise NotVector
