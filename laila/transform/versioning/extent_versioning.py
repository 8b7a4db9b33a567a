"""Loop versioning by extent: rows of a few elements have a version of their loop for each number of elements.

How many elements the rows of an input have only the run knows. Where they are few, a loop along one costs
more than what it computes, and keeps the loop over the rows from lanes. A span of statements with such loops
stands behind a test for each small number; there the loops along rows are written out, see `unroll`,
and what is left are loops over the rows.

    MAP a[i] over i < n {                         if m = 3 {
        REDUCE + over k < m { p[m×i + k] }            MAP a[i] over i < n { p[3×i] + p[3×i+1] + p[3×i+2] }
    }                                       →     } else { … }

Several extents that are all lengths of rows have the same value in a version: a matrix that turns points has
as many rows and columns as a point has elements. Maps that look across the rows, as those of a grid do, stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Filter,
    ForEach,
    Free,
    FunctionCall,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Output,
    Program,
    RuntimeCall,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    Buffer,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, everywhere, expressions, own_expressions, within
from aplc.laila.ir.strides import wants_inner
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.products.recognition import MatrixProduct, product_of
from aplc.laila.transform.register_tiling import SIZES
from aplc.laila.transform.unroll import written_out
from aplc.laila.transform.versioning.multiversioning import Equal, divided, given, is_total, version
from aplc.tail import prims as p

LENGTHS = (2, 3, 4)
"""The lengths of rows for which there is a version."""

LARGEST = 200
"""Nodes of the expressions of all spans that stand in versions."""

LOOPS = (HostLet, Map, Scan, Filter, ForEach, If, While)
"""Statements in which loops may be."""

BETWEEN = (HostLet, Alloc, Free, HostCheck, Store)
"""Statements that may stand between them in a span."""


def with_short_rows(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over rows of an input in versions for those of few elements."""
    rows = [q for q in program.parameters if len(q.extents) > 1]
    if not rows:
        return program
    return replace(program, statements=_ShortRows(program, make).statements())


@dataclass(frozen=True, slots=True)
class _Span:
    """Statements from one position up to another, and the lengths of the rows along which they have loops."""

    start: int
    stop: int
    lengths: frozenset[Var]
    test: Exp
    """What else must hold."""
    extents: frozenset[Exp]
    """Those of the loops over the rows."""
    touched: frozenset[Buffer]


class _ShortRows:
    def __init__(self, program: Program, make: ExprBuilder) -> None:
        self.program = program
        self.make = make
        self.free = FreeVars()
        self.left = LARGEST
        self.changing = frozenset([s.var.name for s in within(program.statements) if isinstance(s, Variable)])
        self.known = [s for s in program.statements if isinstance(s, HostLet) and self.is_known(s)]
        """The conditions, lengths and other scalars that are computed on the way."""
        equal = Equal(make)
        self.learn(equal, [k for k in self.known if k.var.likely])
        self.what = Substitute(make, equal.values)
        """What expressions are where all that is likely holds."""
        rows = [q.extents[-1] for q in program.parameters if len(q.extents) > 1]
        lasts = [*rows, *map(self.what, rows)]
        self.lengths = frozenset([n for n in lasts if isinstance(n, Var)])
        self.kept = {s.count.name: s for s in within(program.statements) if isinstance(s, Filter)}
        """The statements that keep some of a number of elements, by the names of how many they keep."""
        self.scanned = {s.buffer for s in within(program.statements) if isinstance(s, Scan)}
        """Arrays with which `crossed_scans` may do better."""

    def is_known(self, statement: HostLet) -> bool:
        """Whether a scalar may be computed earlier, and stays what it is."""
        return is_total(statement.value) and not self.free.names(statement.value) & self.changing

    def learn(self, equal: Equal, conditions: Sequence[HostLet]) -> None:
        """Learns what scalars are where some conditions hold."""
        for known in conditions:
            equal.learn(known.var, known.value, holds=True)
        for known in self.known:
            if not known.var.likely:
                equal.learn(known.var, known.value, holds=False)

    def statements(self) -> tuple[Statement, ...]:
        """The statements of the program, spans of them in versions."""
        statements = list(self.program.statements)
        for span in reversed(list(self.spans(statements))):
            statements[span.start : span.stop] = self.versions(statements, span)
        return tuple(statements)

    # --- which statements ---

    def spans(self, statements: Sequence[Statement]) -> Iterator[_Span]:
        """The spans that stand in versions, as long as there is room for them."""
        whole: _Span | None = None
        behind = 0
        for position, statement in enumerate(statements):
            lengths, extents = self.rows_in(statement)
            test = self.is_worth_it(statement) if lengths else self.make.true
            touched = frozenset(mentioned(statement))
            is_alike = whole is not None and (lengths, test) == (whole.lengths, whole.test)
            if whole is not None and (is_alike or _would_share(statement, touched, whole)):
                longer = replace(
                    whole,
                    stop=position + 1,
                    extents=whole.extents | extents,
                    touched=whole.touched | touched,
                )
                if self.fits(statements, longer):
                    whole = longer
                    continue
            if whole is not None and (lengths or not isinstance(statement, BETWEEN)):
                yield self.taken(statements, whole)
                whole, behind = None, position
            if lengths:
                start = _behind_scan(statements, position, extents, touched)
                first = _Span(start, position + 1, lengths, test, extents, touched)
                starts = {max(behind, self.with_maps(statements, first)): None, start: None}
                longest = [replace(first, start=at) for at in starts]
                whole = next((span for span in longest if self.fits(statements, span)), None)
        if whole is not None:
            yield self.taken(statements, whole)

    def with_maps(self, statements: Sequence[Statement], span: _Span) -> int:
        """Where a span begins if the maps in front of it are in it that make an element for each of its rows,
        which is read for that row: they may share its loop, where it is over these rows.
        """
        start = span.start
        statement = statements[span.stop - 1]
        if not isinstance(statement, Map) or statement.ordered:
            return start
        extents = {self.what(n) for n in span.extents}
        read = [n for n in nodes(*expressions(statement)) if isinstance(n, Read)]
        for position in range(start - 1, -1, -1):
            match statements[position]:
                case Map(buffer=buffer, space=Space((_,), (extent,)), guard=None) if buffer in span.touched:
                    places = {self.what(n.index) for n in read if n.buffer is buffer}
                    is_own = all(isinstance(place, Var) for place in places)
                    if not is_own or self.what(extent) not in extents:
                        break
                    start = position
                case Alloc() | HostLet() | HostCheck():
                    continue
                case _:
                    break
        return start

    def taken(self, statements: Sequence[Statement], span: _Span) -> _Span:
        """A span with the memory around it, for which there is less room then."""
        self.left -= _size(statements[span.start : span.stop])
        return _with_memory(statements, span)

    def fits(self, statements: Sequence[Statement], span: _Span) -> bool:
        """Whether a span is not too large, its tests can be made before it, and nothing of what moves to its
        front needs what stays behind.
        """
        if _size(statements[span.start : span.stop]) > self.left:
            return False
        span = _with_memory(statements, span)
        inside = statements[span.start : span.stop]
        front, twice, _ = divided(list(inside))
        early = [*statements[: span.start], *front]
        late = {v.name for s in (*twice, *statements[span.stop :]) for v in bound(s)}
        tests = [*span.lengths, span.test, *[e for s in front for e in expressions(s)]]
        is_ready = all(c in early for c in self.conditions(span, inside))
        return is_ready and not any(self.free.names(e) & late for e in tests)

    def conditions(self, span: _Span, statements: Sequence[Statement]) -> list[HostLet]:
        """The likely conditions on which the extents of some statements depend."""
        about = {v for s in statements for e in expressions(s) for v in self.free.of(e)}
        about |= span.lengths
        for known in reversed(self.known):
            if known.var in about:
                about |= self.free.of(known.value)
        return [k for k in self.known if k.var.likely and k.var in about]

    def rows_in(self, statement: Statement) -> tuple[frozenset[Var], frozenset[Exp]]:
        """The lengths of the rows along which a statement has loops, inside of loops over something else, and
        the extents of these.
        """
        nothing = frozenset[Var](), frozenset[Exp]()
        if not isinstance(statement, LOOPS) and not _is_fold(statement):
            return nothing
        begun = {s.buffer for s in everywhere([statement]) if isinstance(s, Alloc)}
        for inner in everywhere([statement]):
            if isinstance(inner, RuntimeCall | HostCall | FunctionCall | Output):
                return nothing
        roots = expressions(statement)
        if any(isinstance(n, PureCall) and begun & {*n.memory, *n.behind} for n in nodes(*roots)):
            return nothing
        found: set[Var] = set()
        across: dict[Var, Exp] = {}
        self.visit(statement, False, found, across)
        if not found or self.is_grid(roots, across):
            return nothing
        return frozenset(found), frozenset(across.values())

    def is_worth_it(self, statement: Statement) -> Exp:
        """Whether rows in a version pay where they are short: not those that panels would hold."""
        make = self.make
        product = self.product(statement) if isinstance(statement, Map) else None
        if product is None or wants_inner(make, self.free, product.fold, product.column):
            return make.true
        rows, columns, _ = SIZES.least_product
        down, across = product.axes[product.row], product.axes[product.column]
        few_rows = make.call(p.LTI, down, make.const(rows))
        few_columns = make.call(p.LTI, across, make.const(columns))
        return few_rows if down is across else make.call(p.ORB, few_rows, few_columns)

    def product(self, statement: Map) -> MatrixProduct | None:
        """A map as a product of rows and columns, if it is one."""
        space, what = statement.space, self.what
        axes = dict(zip(space.indices, map(what, space.extents), strict=True))
        return product_of(self.free, statement.buffer, axes, what(statement.body), what(statement.position))

    def length(self, extent: Exp) -> Var | None:
        """The length of rows that an extent is."""
        known = extent if extent in self.lengths else self.what(extent)
        return known if isinstance(known, Var) and known in self.lengths else None

    def is_short(self, extent: Exp) -> bool:
        """Whether an extent is a length of rows, or how many are kept of so many elements."""
        known = self.what(extent)
        kept = self.kept.get(known.name) if isinstance(known, Var) else None
        return self.length(extent) is not None or (
            kept is not None and all(self.length(n) is not None for n in kept.space.extents)
        )

    def visit(self, statement: Statement, is_inside: bool, found: set[Var], across: dict[Var, Exp]) -> None:
        """Collects lengths of rows, and indices of loops over something else; `is_inside` of one of them."""
        match statement:
            case ForEach(space=space) | Map(space=space) | Scan(space=space) | Filter(space=space):
                axes = zip(space.indices, space.extents, strict=True)
                own = {i: n for i, n in axes if not self.is_short(n)}
                last = self.length(space.extents[-1]) if space.extents else None
                folds = [n for n in nodes(*own_expressions(statement)) if isinstance(n, Fold)]
                is_long = not all(self.is_short(n.extent) for n in folds)
                if isinstance(statement, Map) and last is not None and (is_inside or own or is_long):
                    found |= set() if self.is_flat(statement) else {last}
                if isinstance(statement, Scan) and own and self.is_down_columns(statement):
                    found |= {n for n in map(self.length, space.extents[:-1]) if n is not None}
                across.update(own)
                is_inside = is_inside or bool(own)
            case _:
                pass
        for root in own_expressions(statement):
            self.folds(root, is_inside, found, across)
        for body in bodies(statement):
            for inner in body:
                self.visit(inner, is_inside, found, across)

    def is_down_columns(self, statement: Scan) -> bool:
        """Whether a scan goes down the columns of a matrix, which is not itself scanned."""
        is_crossed = not self.scanned.isdisjoint(buffers_read(*own_expressions(statement)))
        return len(statement.space.indices) == 2 and not is_crossed

    def is_flat(self, statement: Map) -> bool:
        """Whether elements are others, or made of others at the same place, so that rows do not count."""
        if isinstance(statement.body, Read):
            return True
        indices = set(statement.space.indices)
        below = lambda e: () if isinstance(e, Read) else operands(e)  # noqa: E731
        for node in nodes(statement.body, below=below):
            own = self.make.sub(node.index, statement.position) if isinstance(node, Read) else node
            if isinstance(node, Fold) or (isinstance(node, Read | Var) and self.free.of(own) & indices):
                return False
        return True

    def folds(self, root: Exp, is_inside: bool, found: set[Var], across: dict[Var, Exp]) -> None:
        """The same in an expression."""
        below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
        for node in nodes(root, below=below):
            if isinstance(node, Fold):
                length, is_short = self.length(node.extent), self.is_short(node.extent)
                if not is_short:
                    across[node.var] = node.extent
                elif is_inside and length is not None:
                    found.add(length)
                self.folds(node.body, is_inside or not is_short, found, across)

    def is_grid(self, roots: Sequence[Exp], across: dict[Var, Exp]) -> bool:
        """Whether it depends on the place of a row what is done with it."""
        for node in nodes(*roots):
            if isinstance(node, Select) and self.free.of(node.cond) & across.keys():
                by_data = contains(Read | Fold, node.cond)
                if not by_data:
                    return True
        return False

    # --- the versions ---

    def versions(self, statements: Sequence[Statement], span: _Span) -> list[Statement]:
        """A span behind tests of the lengths of rows; the last version is what it was."""
        make = self.make
        front, twice, frees = divided(list(statements[span.start : span.stop]))
        conditions = self.conditions(span, statements[span.start : span.stop])
        behind = statements[span.stop :]
        used = {v.name for s in behind for e in expressions(s) for v in self.free.of(e)}
        exported = [v for s in twice for v in given(s) if v.name in used]
        declared = [Variable(v, fill(make, v.ty)) for v in exported]
        lengths = sorted(span.lengths, key=lambda v: v.name)
        result = version(make, twice, {}, exported)
        for length in reversed(LENGTHS):
            test = make.true
            equal = Equal(make)
            for var in lengths:
                equal.equate(make.const(length), var)
            self.learn(equal, conditions)
            for test_of in conditions:
                test = make.call(p.ANDB, test, test_of.var)
            for var in lengths:
                test = make.call(p.ANDB, test, make.call(p.EQI, var, make.const(length)))
            test = make.call(p.ANDB, test, span.test)
            own = version(make, twice, equal.values, exported, own_memory=True)
            own = written_out(make, self.with_own_memory(own))
            result = (If(test, own, result),)
        return [*front, *declared, *result, *frees]

    def with_own_memory(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Statements with other names for the memory that begins and ends there."""
        make = self.make
        begun = {s.buffer for s in everywhere(statements) if isinstance(s, Alloc)}
        buffers = {b: replace(b, name=make.fresh(b.name)) for b in sorted(begun, key=lambda b: b.name)}
        return Narrowing(make, Ranges(is_single=make.settings.is_single), buffers).statements(statements)


def _behind_scan(
    statements: Sequence[Statement], position: int, extents: frozenset[Exp], touched: frozenset[Buffer]
) -> int:
    """Where the span of a statement begins: at the scan along the same rows in front of it, which it reads.
    In the last version both may be done a few rows at a time then.
    """
    start = position
    while start and isinstance(statements[start - 1], Alloc):
        start -= 1
    before = statements[start - 1] if start else None
    if not isinstance(before, Scan) or len(before.space.extents) < 2 or before.buffer not in touched:
        return position
    return start - 1 if before.space.extents[0] in extents else position


def _would_share(statement: Statement, touched: frozenset[Buffer], span: _Span) -> bool:
    """Whether a statement has a loop that may be one with a loop over the rows of a span."""
    match statement:
        case Map(space=space) | Scan(space=space) | Filter(space=space) if len(space.extents) == 1:
            (extent,) = space.extents
        case HostLet(value=Fold(extent=extent)):
            pass
        case _:
            return False
    return extent in span.extents and not touched.isdisjoint(span.touched)


def _is_fold(statement: Statement) -> bool:
    """Whether a statement stores what a loop finds."""
    return isinstance(statement, Store) and contains(Fold, statement.value)


def _with_memory(statements: Sequence[Statement], span: _Span) -> _Span:
    """A span with the memory that begins in front of it and ends behind it."""
    start, stop = span.start, span.stop
    while start and isinstance(statements[start - 1], Alloc):
        start -= 1
    while stop < len(statements) and isinstance(statements[stop], Free):
        stop += 1
    return replace(span, start=start, stop=stop)


def _size(statements: Sequence[Statement]) -> int:
    """The nodes of the expressions in some statements."""
    return sum([1 for _ in nodes(*[e for s in statements for e in expressions(s)])])
