"""What the loops of a program move: the bytes that each reads and writes, as formulas in the extents.

A loop is a SOAC, several fused ones, statements for each point of a space, or a function of the run-time
system. Of a buffer each element counts once a loop, however often it is read; under a condition it counts
as if the condition held. So a formula says what a cache that holds the loop's data must bring in at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Filter,
    ForEach,
    FunctionCall,
    Fused,
    HostCall,
    HostLet,
    If,
    Map,
    Move,
    Part,
    Program,
    Reduce,
    Ref,
    RuntimeCall,
    Scan,
    Space,
    Statement,
    Store,
    While,
)
from aplc.laila.ir.scalar import (
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Site,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, leaves, own_expressions, statements_of
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

Bytes = tuple[tuple[Buffer, Exp], ...]
"""Buffers, with how many bytes of each."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a program, and what it moves."""

    statement: Statement
    around: tuple[Statement, ...]
    """The statements that it stands in, from outside."""
    extents: tuple[Exp, ...]
    reads: Bytes
    writes: Bytes
    searched: tuple[Buffer, ...]
    """The memory that functions of the run-time system look into."""
    checks: tuple[Site, ...]
    needs: frozenset[str]
    """The variables that it uses, and those that they are computed from."""
    given: Bytes = ()
    """What a function of the run-time system or of the host is given, each array once."""
    filled: Bytes = ()
    """What such a function gives; the same as it is given where it works in place."""

    @property
    def read(self) -> Bytes:
        """What is read from memory, by a loop or by a function."""
        return self.reads or self.given

    @property
    def written(self) -> Bytes:
        """What is written to memory."""
        return self.writes or self.filled

    @property
    def parts(self) -> tuple[Part | Statement | Fold, ...]:
        """Its SOACs; of a scalar the folds."""
        match self.statement:
            case Fused(parts=parts):
                return parts
            case Map() | Scan() | Filter() | ForEach() | RuntimeCall() | HostCall():
                return (self.statement,)
            case _:
                return tuple(outer_folds(own_expressions(self.statement)))

    @property
    def names(self) -> set[str]:
        """The names of the scalars that it gives, and of all its indices."""
        return {v.name for v in bound(self.statement)} | self.indices

    @property
    def indices(self) -> set[str]:
        """The names of the indices of its reductions."""
        folds = [n.var.name for n in nodes(*_roots(self.statement)) if isinstance(n, Fold)]
        parts = self.statement.parts if isinstance(self.statement, Fused) else ()
        return {*folds, *[q.fold.var.name for q in parts if isinstance(q, Reduce)]}


def outer_folds(roots: Sequence[Exp]) -> list[Fold]:
    """The folds in expressions that are not inside another one."""
    stops = nodes(*roots, below=lambda e: () if isinstance(e, Fold) else operands(e))
    return [n for n in stops if isinstance(n, Fold)]


def _roots(statement: Statement) -> tuple[Exp, ...]:
    """The expressions that a loop evaluates; loops inside it are others."""
    if not isinstance(statement, ForEach):
        return own_expressions(statement)
    inner = [s for s in statement.body if not _is_loop(s)]
    return (*own_expressions(statement), *[e for s in inner for e in _all_roots(s)])


def _all_roots(statement: Statement) -> list[Exp]:
    inside = [e for body in bodies(statement) for s in body if not _is_loop(s) for e in _all_roots(s)]
    return [*own_expressions(statement), *inside]


def _is_loop(statement: Statement) -> bool:
    if isinstance(statement, Map | Scan | Filter | Fused | ForEach | RuntimeCall | HostCall):
        return True
    return contains(Fold | BlockExp, *own_expressions(statement))


class Traffic:
    """The loops of a program, with formulas in the extents of its inputs as far as those determine them."""

    def __init__(self, program: Program, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()
        self.definitions: dict[str, Exp] = {}
        self.sizes: dict[str, Exp] = {}
        self.sources: dict[str, frozenset[str]] = {}
        """The variables from which scalars are computed, outside of loops."""
        self.loops: list[Loop] = []
        for parameter in program.parameters:
            self.sizes[parameter.buffer.name] = make.product(parameter.extents)
        for statements in (program.statements, *[f.statements for f in program.functions]):
            self._define(statements)
        for statements in (program.statements, *[f.statements for f in program.functions]):
            self.loops += [self._loop(s, around) for s, around in _loops(statements, ())]

    def resolved(self, exp: Exp, known: Mapping[str, int]) -> Exp:
        """An expression with the scalars that are plain arithmetic written out, and some that are known. What
        is likely is taken to hold: lengths that must agree do.
        """
        for _ in range(len(self.definitions) + 1):
            variables = [n for n in nodes(exp) if isinstance(n, Var)]
            values: dict[Exp, Exp] = {v: self.make.true for v in variables if v.likely}
            values |= {v: self.make.const(known[v.name]) for v in variables if v.name in known}
            for v in variables:
                if v not in values and v.name in self.definitions:
                    values[v] = self.definitions[v.name]
            if not values:
                break
            exp = Substitute(self.make, values)(exp)
        return exp

    def _define(self, statements: Sequence[Statement]) -> None:
        """Note the scalars that are plain arithmetic, and the sizes of buffers."""
        for statement in statements:
            if isinstance(statement, HostLet | Assign) and not _is_loop(statement):
                own = frozenset([v.name for v in self.free.of(statement.value)])
                name = statement.var.name
                self.sources[name] = self.sources.get(name, frozenset()) | own
            match statement:
                case HostLet(var=var, value=value) if _is_plain(value):
                    self.definitions[var.name] = value
                case Alloc(buffer=buffer, size=size):
                    self.sizes[buffer.name] = size
                case HostCall(result=result):
                    self._given((result,))
                case FunctionCall(results=results):
                    self._given(results)
                case Move(target=target, source=source) if source.name in self.sizes:
                    self.sizes.setdefault(target.name, self.sizes[source.name])
                case _:
                    pass
            for body in bodies(statement):
                self._define(body)
            for node in nodes(*own_expressions(statement)):
                if isinstance(node, BlockExp):
                    self._define(statements_of(node))

    def _given(self, references: Sequence[Ref]) -> None:
        for leaf in [leaf for reference in references for leaf in leaves(reference)]:
            if isinstance(leaf, ArrayRef):
                self.sizes[leaf.buffer.name] = self.make.product(leaf.shape)

    # --- one loop ---

    def _loop(self, statement: Statement, around: tuple[Statement, ...]) -> Loop:
        roots = _roots(statement)
        indices = _indices(statement, roots)
        reads: dict[Buffer, Exp] = {}
        searched: list[Buffer] = []
        own = {b.name for b in _allocated(roots)}
        for node in nodes(*roots):
            if isinstance(node, Read) and node.buffer.name not in own:
                count = self._points(node.index, indices)
                before = reads.get(node.buffer)
                reads[node.buffer] = count if before is None else self._larger(before, count)
            elif isinstance(node, PureCall):
                searched += [*node.memory, *node.behind]
        capped = {b: self._at_most(b, n) for b, n in reads.items()}
        if isinstance(statement, RuntimeCall):
            searched += [a for a in statement.arguments if isinstance(a, Buffer)]
        given, filled = self._by_function(statement)
        needs = frozenset().union(*[{v.name for v in self.free.of(e)} for e in roots])
        return Loop(
            statement,
            around,
            tuple([n for _, n in indices[: _depth(statement)]]),
            _in_bytes(self.make, capped),
            _in_bytes(self.make, self._written(statement, indices)),
            tuple(dict.fromkeys(searched)),
            tuple(dict.fromkeys([n.site for n in nodes(*roots) if isinstance(n, Check)])),
            self._origins(needs - {v.name for v in bound(statement)}),
            given,
            filled,
        )

    def _by_function(self, statement: Statement) -> tuple[Bytes, Bytes]:
        """What a function outside of loops is given and gives, as far as its sizes are known. The last array
        that one of the run-time system is given is its result, unless it makes a table of all of them.
        """
        match statement:
            case RuntimeCall(arguments=arguments):
                buffers = [a for a in arguments if isinstance(a, Buffer)]
                makes_table = any(b.storage == TABLE for b in buffers)
                given = buffers if makes_table else buffers[:-1] or buffers
                filled = [] if makes_table else buffers[-1:]
            case HostCall(arguments=references, result=result):
                given = [leaf.buffer for r in references for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
                filled = [leaf.buffer for leaf in leaves(result) if isinstance(leaf, ArrayRef)]
            case _:
                return (), ()
        return self._whole(given), self._whole(filled)

    def _whole(self, buffers: Sequence[Buffer]) -> Bytes:
        """All elements of buffers whose sizes are known."""
        sizes = {b: self._size(b) for b in buffers if b.storage != TABLE}
        return _in_bytes(self.make, {b: n for b, n in sizes.items() if n is not None})

    def _size(self, buffer: Buffer) -> Exp | None:
        """The number of elements of a buffer."""
        if buffer.data is not None:
            return self.make.const(len(buffer.data))
        return self.sizes.get(buffer.name)

    def _origins(self, names: frozenset[str]) -> frozenset[str]:
        """Variables, and those from which they are computed."""
        found: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name not in found:
                found.add(name)
                stack += self.sources.get(name, ())
        return frozenset(found)

    def _written(self, statement: Statement, indices: list[tuple[frozenset[str], Exp]]) -> dict[Buffer, Exp]:
        """The buffers that a loop writes, with the numbers of elements."""
        found: dict[Buffer, Exp] = {}
        for part in _statements_in(statement):
            match part:
                case Map(buffer=buffer, space=space) | Scan(buffer=buffer, space=space, is_written=True):
                    found[buffer] = self.make.product(space.extents)
                case Filter(buffer=buffer, count=count):
                    found[buffer] = count
                case Store(buffer=buffer, position=position):
                    found[buffer] = self._at_most(buffer, self._points(position, indices))
                case _:
                    pass
        return found

    def _points(self, index: Exp, indices: list[tuple[frozenset[str], Exp]]) -> Exp:
        """At how many positions a buffer is read: one for each value of the indices that matter."""
        names = {v.name for v in self.free.of(index)}
        return self.make.product(tuple([extent for own, extent in indices if own & names]))

    def _larger(self, a: Exp, b: Exp) -> Exp:
        if self.make.at_least(a, b):
            return a
        return b if self.make.at_least(b, a) else self.make.call(p.MAXI, a, b)

    def _at_most(self, buffer: Buffer, count: Exp) -> Exp:
        """A number of elements, or all that a buffer has if those are fewer."""
        make = self.make
        size = self._size(buffer)
        if size is None or make.at_least(size, count):
            return count
        return size if make.at_least(count, size) else make.call(p.MINI, size, count)


def _is_plain(exp: Exp) -> bool:
    return all(isinstance(n, Const | Var | Sum | Call | Select) for n in nodes(exp))


def _in_bytes(make: ExprBuilder, counts: Mapping[Buffer, Exp]) -> Bytes:
    return tuple([(b, make.mul(make.const(b.item_bytes), n)) for b, n in counts.items()])


def _loops(
    statements: Sequence[Statement], around: tuple[Statement, ...]
) -> Iterator[tuple[Statement, tuple[Statement, ...]]]:
    """The loops of a sequence of statements, with the statements they stand in."""
    for statement in statements:
        if _is_loop(statement):
            yield statement, around
        if isinstance(statement, If) and is_likely(statement.cond):
            yield from _loops(statement.then, around)
        elif isinstance(statement, If | While | ForEach):
            for body in bodies(statement):
                yield from _loops(body, (*around, statement))


def is_likely(cond: Exp) -> bool:
    """Whether a condition holds where all does that is likely."""
    if isinstance(cond, Call) and cond.op is p.ANDB:
        return all(map(is_likely, cond.args))
    return isinstance(cond, Var) and cond.likely


def _statements_in(statement: Statement) -> Iterator[Statement | Part]:
    """What a loop consists of, without the loops inside it."""
    if isinstance(statement, Fused):
        yield from statement.parts
    else:
        yield statement
    for body in bodies(statement):
        for inner in body:
            if not _is_loop(inner):
                yield from _statements_in(inner)


def _allocated(roots: Sequence[Exp]) -> list[Buffer]:
    """The buffers that sequences in expressions allocate for themselves."""
    inside = [s for n in nodes(*roots) if isinstance(n, BlockExp) for s in statements_of(n)]
    return [s.buffer for s in inside if isinstance(s, Alloc)]


def _depth(statement: Statement) -> int:
    """How many of a loop's indices are those of its space."""
    match statement:
        case (
            Map(space=space)
            | Scan(space=space)
            | Filter(space=space)
            | Fused(space=space)
            | ForEach(space=space)
        ):
            return len(space.indices)
        case HostLet(value=Fold() as fold):
            depth = 1
            while isinstance(fold.body, Fold):
                fold, depth = fold.body, depth + 1
            return depth
        case _:
            return 1


def _indices(statement: Statement, roots: Sequence[Exp]) -> list[tuple[frozenset[str], Exp]]:
    """The indices of a loop and of the folds in it, from outside, each with its extent. What a round computes
    changes with the outermost ones.
    """
    found: list[tuple[frozenset[str], Exp]] = []
    space: Space | None = getattr(statement, "space", None)
    inside = [s for n in nodes(*roots) if isinstance(n, BlockExp) for s in statements_of(n)]
    computed = {v.name for s in inside for v in bound(s)}
    if isinstance(statement, ForEach):
        computed |= {v.name for s in statement.body for v in bound(s)}
    if space is not None:
        for i, extent in zip(space.indices, space.extents, strict=True):
            found.append((frozenset((i.name, *computed)), extent))
    folds = [n for n in nodes(*roots) if isinstance(n, Fold)]
    for fold in reversed(folds):
        found.append((frozenset((fold.var.name,)), fold.extent))
    for s in inside:
        inner: Space | None = getattr(s, "space", None)
        for i, extent in zip(inner.indices, inner.extents, strict=True) if inner is not None else ():
            found.append((frozenset((i.name,)), extent))
    return found
