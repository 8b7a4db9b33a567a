"""The program of Laila: host statements, with parallel operations (SOACs) as leaves.

    program ::= function* statement*
    stm     ::= x = e                           a scalar; a REDUCE where e is a fold
             |  var x = e | x := e              a variable and a new value for it
             |  alloc b[e] | empty b | free b   memory; a buffer without memory
             |  alloc b[e] in d | … of d        room behind what has been appended, or the end of that
             |  take b from b | swap b b        memory changes hands
             |  MAP b[…] = e over space         one element for each point of an index space, guarded perhaps
             |  SCAN b[…] = ⊕ e over space      running values along the innermost axis
             |  FILTER b, n = e where e         the kept elements, and how many there are
             |  put b[e] = e                    a single element
             |  check e                         an APL error unless the condition holds
             |  if e { stm* } else { stm* }
             |  while e { stm* }
             |  for each point of space { stm* }
             |  run f(…) | ask prim(…) | call f(…)   a run-time function, the host, a function of the program
             |  print v | result v

Parallelism is explicit in MAP, SCAN, FILTER and in folds: their bodies (pull thunks) are scalar expressions
without effects, apart from checks. Statements run in order. What a loop looks like, where memory is reused
and what a target does with a SOAC is decided below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aplc.laila.ir.scalar import Buffer, Exp, Fold, Site, Var
from aplc.tail.prims import Prim
from aplc.tail.types import Base, Records


@dataclass(frozen=True, slots=True)
class Space:
    """An index space: indices from outermost to innermost, each below its extent."""

    indices: tuple[Var, ...]
    extents: tuple[Exp, ...]

    @property
    def key(self) -> tuple[int, ...]:
        """The same for spaces of the same extents, which are the same expressions."""
        return tuple([id(extent) for extent in self.extents])

    def is_same_as(self, other: Space) -> bool:
        """Whether loops over the two have the same iterations, in the same order."""
        return self.key == other.key


@dataclass(frozen=True, slots=True)
class HostLet:
    """`x = e`, computed once."""

    var: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class Variable:
    """A scalar that is assigned to later."""

    var: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class Assign:
    """A new value for a variable."""

    var: Var
    value: Exp
    of_memory: bool = False
    """Whether that is about memory, not of the state of the program: it changes whenever the memory does."""


@dataclass(frozen=True, slots=True)
class Alloc:
    """Memory for a number of elements: its own, or the next of a destination until that is appended to, or
    the last that have been appended.
    """

    buffer: Buffer
    size: Exp
    site: Site
    into: Buffer | None = None
    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """A buffer that gets its memory from another one later."""

    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Free:
    """The end of a buffer's life."""

    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Move:
    """The memory of the source becomes that of the target, whose own is freed; the source has none then."""

    target: Buffer
    source: Buffer


@dataclass(frozen=True, slots=True)
class Swap:
    """Two buffers exchange their memory."""

    first: Buffer
    second: Buffer


@dataclass(frozen=True, slots=True)
class Map:
    """Writes `body` at each point of the space, at `position` in the buffer, where the guard holds.

    Positions are distinct; if not, the map is `ordered` and the last one wins. An ordered body may read the
    element that it writes.
    """

    buffer: Buffer
    space: Space
    position: Exp
    body: Exp
    guard: Exp | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """Writes at each point the combination, by an associative primitive, of the values so far along the
    innermost axis.
    """

    buffer: Buffer
    space: Space
    position: Exp
    combine: Prim
    body: Exp
    running: Var | None = None
    """The combination so far, where other parts of a fused loop use it: in front of the scan, that of the
    point before.
    """
    start: Var | None = None
    """What is before the first value; None: the neutral element."""
    is_written: bool = True
    """Whether the values are written; if not, only other parts of the loop use them."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Writes the values for which `keep` holds one after the other; `count` is how many there are. One that
    `goes_on` does so behind as many as its count says, a variable.
    """

    buffer: Buffer
    count: Var
    space: Space
    keep: Exp
    body: Exp
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Reduce:
    """Part of a fused loop: a fold by an associative primitive; `body` is that of the fold in its space."""

    var: Var
    space: Space
    fold: Fold
    body: Exp


Part = Reduce | Map | Scan | Filter


@dataclass(frozen=True, slots=True)
class Fused:
    """Several SOACs over one index space, computed together at each point in the order of the parts."""

    space: Space
    parts: tuple[Part, ...]
    in_place: bool = False
    """Whether a part writes what others read at the same point: all is computed before a write."""


@dataclass(frozen=True, slots=True)
class Store:
    """Writes one element."""

    buffer: Buffer
    position: Exp
    value: Exp


@dataclass(frozen=True, slots=True)
class HostCheck:
    """An APL error unless the condition holds."""

    ok: Exp
    site: Site
    reported: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class If:
    """One of two sequences of statements."""

    cond: Exp
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()
    least: tuple[tuple[Exp, Exp], ...] = ()
    """Extents with lower bounds that the condition tells."""


@dataclass(frozen=True, slots=True)
class While:
    """Statements as long as a condition holds, which is tested before each round. `scratch` is memory with
    which each round begins anew.
    """

    cond: Exp
    body: tuple[Statement, ...]
    scratch: tuple[Buffer, ...] = ()


@dataclass(frozen=True, slots=True)
class ForEach:
    """Statements for each point of a space, in row-major order; in any order if the points are
    `independent`. `scratch` is memory with which each point begins anew.
    """

    space: Space
    body: tuple[Statement, ...]
    independent: bool = False
    scratch: tuple[Buffer, ...] = ()
    ends: Exp | None = None
    """How many elements are made at all points together, or at most; an element of a buffer that says how
    many are made before each point, where there is one.
    """
    counts: Var | None = None
    """A variable to which points that are independent but for that add what they make."""
    about: Exp | None = None
    """How many points of one axis there are, more or less, where its extent does not say that early."""
    is_share: bool = False
    """Whether each point is what one thread does of a whole, which is worth it."""


@dataclass(frozen=True, slots=True)
class ArrayRef:
    """An array in a buffer."""

    buffer: Buffer
    shape: tuple[Exp, ...]
    start: Exp | None = None
    """Where it begins in the buffer, if it is a part that a function of the program only reads."""

    @property
    def scalars(self) -> tuple[Exp, ...]:
        """The extents, and where it begins."""
        return self.shape if self.start is None else (*self.shape, self.start)


@dataclass(frozen=True, slots=True)
class ScalarRef:
    """A scalar value."""

    value: Exp


@dataclass(frozen=True, slots=True)
class TupleRef:
    """Several values."""

    items: tuple[Ref, ...]
    is_nested: bool = False
    """Whether they are the parts of an array of arrays."""
    records: Records | None = None
    """The type of the array of records, or table, whose columns they are."""


Ref = ArrayRef | ScalarRef | TupleRef


@dataclass(frozen=True, slots=True)
class Output:
    """Hands a value out: printed at once, or part of the result. A result's buffer changes hands."""

    value: Ref
    is_result: bool
    digits: Exp | None = None
    """With how many significant digits it is printed; None: as usual."""


LOOK = "aplc_not_characters"
"""The call by which a program looks itself at the characters of its first argument."""


@dataclass(frozen=True, slots=True)
class RuntimeCall:
    """A function of the run-time system. Buffers are passed as pointers, `written` scalars by address; they
    have the storage of their type, unless the name of the function tells another one: `…_narrow`, `…_1_add`.

    With a site the function's result is a status: other than zero, memory is exhausted.
    """

    function: str
    header: str
    arguments: tuple[Buffer | Exp, ...]
    written: tuple[Var, ...] = ()
    site: Site | None = None
    with_host: bool = False
    """Whether it changes the state of the program: the host is its first argument."""
    in_threads: bool = False
    """Whether it may use threads, of which the host knows: it is the first argument, too. There is a site."""
    only_reads: tuple[Buffer, ...] = ()
    """Memory among the arguments that it is known not to change; of any other it may write the elements."""


@dataclass(frozen=True, slots=True)
class HostCall:
    """A primitive computed by the host, which has the same meaning of it as the interpreter.

    The results are variables, or buffers with variables for their extents; all are new.
    """

    prim: Prim
    arguments: tuple[Ref, ...]
    result: Ref
    site: Site


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a function of the program. The result's variables and buffers are new, but for a destination
    of the function at hand, to which the elements of the result are appended.
    """

    function: str
    arguments: tuple[Ref, ...]
    results: tuple[Ref, ...]
    site: Site


Statement = (
    HostLet | Variable | Assign | Alloc | Empty | Free | Move | Swap | Map | Scan | Filter | Fused | Store
    | HostCheck | If | While | ForEach | Output | RuntimeCall | HostCall | FunctionCall
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input: its buffer and its extents, known when the program starts."""

    name: str
    ty: Base
    buffer: Buffer
    extents: tuple[Var, ...]
    like: str = ""
    """An earlier one that has the same shape in every call: where the items begin whose extents these are."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function that may call itself. Its buffers of results become the caller's; a destination among them
    is the caller's from the beginning, and the elements are appended to it.
    """

    name: str
    parameters: tuple[Ref, ...]
    statements: tuple[Statement, ...]
    results: tuple[Ref, ...]
    site: Site
    """Where a recursion that is too deep is reported."""
    alone: Function | None = None
    """The same for where no loop of it runs in threads, if it differs then."""


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program."""

    parameters: tuple[Parameter, ...]
    statements: tuple[Statement, ...]
    functions: tuple[Function, ...] = ()


def versions(program: Program) -> Iterator[Function]:
    """The functions of a program, each followed by what it is alone if that differs."""
    for function in program.functions:
        yield function
        if function.alone is not None:
            yield function.alone


# --- traversal ------------------------------------------------------------------------------------------
