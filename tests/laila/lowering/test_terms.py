"""From TAIL to Laila and to loops: goldens of characteristic programs, what their loops must be made of, the
completeness of the tables, and the checker.

`APLC_UPDATE_GOLDEN=1 pytest tests/laila/lowering/test_terms.py` writes the goldens anew; a CI job must not.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from aplc.backends.c.apart import emit_c
from aplc.backends.c.expressions import SPELLING
from aplc.compiler import optimise, to_laila, to_tail
from aplc.laila.ir import loops as l
from aplc.laila.ir.check import check_program
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    Free,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Parameter,
    Program,
    ScalarRef,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BIT_OR,
    QUOT,
    RAW,
    REM,
    Buffer,
    Call,
    Check,
    Exp,
    Fold,
    FreeVars,
    Select,
    Site,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import do, expressions
from aplc.laila.ir.text_print import print_program
from aplc.laila.loops.folding.whole_lines import takes_lines
from aplc.laila.loops.generate import generate
from aplc.laila.lowering.primitives import LOWER
from aplc.laila.lowering.scalars import CUTTING, LOWER_SCALAR, NEUTRAL
from aplc.laila.transform.dead_code import without_unused
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import InternalError
from aplc.tail.prims import PRIMS
from aplc.tail.source import Source
from aplc.tail.types import Base, array
from tests.support.paths import GOLDEN

UPDATE = "APLC_UPDATE_GOLDEN"

V, W, M, N = {"v": "double 1"}, {"w": "double 1"}, {"a": "double 2"}, {"k": "int 0"}

SIGNAL = "diff←{1↓⍵-¯1⌽⍵} ⋄ signal←{¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵} ⋄ +/signal v"
EASTER = """g←1+19|y
c←1+⌊y÷100
x←¯12+⌊(3×c)÷4
z←¯5+⌊(5+8×c)÷25
d←(⌊(5×y)÷4)-x+10
e←30|(11×g)+20+z-x
e←e+(e=24)∨(e=25)∧g>11
n←44-e
n←n+30×n<21
(n+7)-7|d+n"""

PROGRAMS: dict[str, tuple[str, dict[str, str]]] = {
    "signal": (SIGNAL, V),
    "mean": ("(+/v)÷≢v", V),
    "variance": ("m←(+/v)÷≢v ⋄ d←v-m ⋄ (+/d×d)÷≢v", V),
    "matrix-product": ("a+.×b", {**M, "b": "double 2"}),
    "outer-product-sum": ("+/,v∘.×w", {**V, **W}),
    "rotate-stencil": ("(v+(1⌽v)+¯1⌽v)÷3", V),
    "catenate-in-the-middle": ("+/v,0,w", {**V, **W}),
    "take-and-drop-by-data": ("(k↑v),k↓v", {**N, **V}),
    "reshape-by-data": ("(k,2)⍴v", {**N, **V}),
    "right-to-left": ("-/v", V),
    "maximum": ("⌈/v", V),
    "hoisted-reduction": ("{⍵÷+/v}¨v", V),
    "lengths-of-the-run": ("+/v×w", {**V, **W}),
    "characters": ("⎕←+/'a'=s ⋄ ⌽s", {"s": "char 1"}),
    "prints": ("⎕←v+1 ⋄ ⎕←+/v ⋄ ⎕←3 ⋄ (⌽v)÷2", V),
    "easter": (EASTER, {"y": "int 1"}),
}


@dataclass
class Lowered:
    """A program at the three stages that these tests look at."""

    program: Program
    loops: tuple[l.Stm, ...]
    c: str


def lower(text: str, inputs: dict[str, str]) -> Lowered:
    types = {name: array(Base(kind.split()[0]), int(kind.split()[1])) for name, kind in inputs.items()}
    options = Options(verify=True)
    term = optimise(to_tail([Source("program.apl", text)], types).term, options)
    program, make = to_laila(term, {}, options)
    code = generate(program, make)
    return Lowered(program, code.statements, emit_c(program.parameters, code).text)


# --- goldens --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_golden(name: str) -> None:
    text, inputs = PROGRAMS[name]
    lowered = lower(text, inputs)
    found = f"{text}\n\n--- laila\n\n{print_program(lowered.program)}\n\n--- C\n\n{lowered.c}"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get(UPDATE):
        assert os.environ.get("CI", "").lower() not in ("1", "true"), "goldens are not written in a CI job"
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == found, f"{UPDATE}=1 writes {path} anew"


def test_every_golden_has_a_program() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(PROGRAMS)


def test_lowering_twice_gives_one_text() -> None:
    """The cache on disk is keyed by the text, so nothing in it may depend on addresses or hashes."""
    texts = set()
    ballast: list[object] = []
    for k in range(5):
        ballast.append([object() for _ in range(997 * k)])
        text, inputs = PROGRAMS["matrix-product"]
        texts.add(lower(text + " ⋄ (⍉b)+.×⍉a", inputs).c)
    assert len(texts) == 1


# --- the structure of loops -----------------------------------------------------------------------------


@dataclass
class Shape:
    """What a loop program is made of."""

    loops: list[l.For] = field(default_factory=list)
    nested: int = 0
    """The depth of loops in loops."""
    allocations: int = 0
    divisions: int = 0
    """Calls of `%`, `/` of indices, and residues, in loops that have no loop inside."""
    index_conditions: int = 0
    """Conditions inside a loop that depend on the index of a loop around them."""
    failures_in_loops: int = 0


def children(statement: l.Stm) -> tuple[l.Stm, ...]:
    match statement:
        case l.For(body=body):
            return body
        case l.If(then=then, other=other):
            return then + other
        case l.While(body=body) if takes_lines(statement):
            return body
        case _:
            return ()


def statements_in(statements: tuple[l.Stm, ...]) -> Iterator[l.Stm]:
    for statement in statements:
        yield statement
        yield from statements_in(children(statement))


def own_expressions(statement: l.Stm) -> Iterator[Exp]:
    match statement:
        case l.Declare(value=value):
            if value is not None:
                yield value
        case l.Assign(value=value):
            yield value
        case l.Store(position=position, value=value):
            yield from (position, value)
        case l.For(start=start, stop=stop):
            yield from (start, stop)
        case l.If(cond=cond):
            yield cond
        case l.Fail(ok=ok, reported=reported):
            yield from (ok, *reported)
        case l.Allocate(size=size):
            yield size
        case l.Emit(value=ScalarRef(value=value)):
            yield value
        case l.Emit(value=ArrayRef(shape=shape)):
            yield from shape
        case l.Release():
            pass


def shape_of(statements: tuple[l.Stm, ...]) -> Shape:
    shape = Shape()
    free = FreeVars()

    def visit(statement: l.Stm, indices: frozenset[Var], innermost: bool) -> None:
        conditions: list[Exp] = [statement.cond] if isinstance(statement, l.If) else []
        for exp in own_expressions(statement):
            for node in nodes(exp):
                assert not isinstance(node, Fold | Check), "an expression that is not one of loops"
                if innermost and isinstance(node, Call) and node.op in (REM, QUOT, p.RESI):
                    shape.divisions += 1
                if isinstance(node, Select):
                    conditions.append(node.cond)
        for cond in conditions:
            tests = [n for n in nodes(cond) if isinstance(n, Call) and n.op in (p.LTI, p.LTEI, p.GTI, p.GTEI)]
            tests += [n for n in nodes(cond) if isinstance(n, Call) and n.op in (p.EQI, p.NEQI)]
            shape.index_conditions += any(free.of(test) & indices for test in tests)
        if isinstance(statement, l.Allocate):
            shape.allocations += 1
        if isinstance(statement, l.Fail) and indices:
            shape.failures_in_loops += 1
        if isinstance(statement, l.For):
            shape.loops.append(statement)
            indices |= {statement.var}
            shape.nested = max(shape.nested, len(indices))
            innermost = not any(isinstance(s, l.For) for s in statements_in(statement.body))
        for child in children(statement):
            visit(child, indices, innermost)

    for statement in statements:
        visit(statement, frozenset(), False)
    return shape


def shape(text: str, inputs: dict[str, str]) -> Shape:
    return shape_of(lower(text, inputs).loops)


def assert_one_pass(found: Shape, allocations: int = 0, loops: int = 1) -> None:
    """One loop in which nothing depends on where the index is; more where there are versions of it."""
    assert (len(found.loops), found.nested) == (loops, 1)
    assert (found.allocations, found.index_conditions, found.failures_in_loops) == (allocations, 0, 0)


def test_signal_is_one_fused_loop() -> None:
    found = shape(*PROGRAMS["signal"])
    assert_one_pass(found)
    assert found.divisions == 0
    assert found.loops[0].reductions, "it may accumulate in lanes"


def test_easter_is_one_loop_without_temporaries() -> None:
    """A version for small years, and one for all; what finds out goes in pieces before them."""
    assert_one_pass(shape(*PROGRAMS["easter"]), allocations=1, loops=2)  # the result


def test_easter_summed_needs_no_memory() -> None:
    """The version for small years adds up blocks of them."""
    found = shape(EASTER.replace("(n+7)-", "+/(n+7)-"), {"y": "int 1"})
    assert (len(found.loops), found.nested, found.allocations, found.index_conditions) == (3, 2, 0, 0)


def test_an_inner_product_of_vectors_needs_no_memory() -> None:
    found = shape("+/v×w", {**V, **W})
    assert (found.allocations, found.nested) == (0, 1)
    fast, *_ = found.loops
    assert found.divisions == 0 and fast.reductions
    assert not [n for e in own_expressions(fast.body[0]) for n in nodes(e) if isinstance(n, Select)]


@pytest.mark.parametrize(
    "text",
    ["⌈/⌊⌽v", "+/⌽⌽v", "+/1↓v", "+/¯1↓v", "+/2↓¯3↓⌽v", "+/v-1⌽v", "+/(1↓v)-¯1↓v", "+/v,v", "+/5↑v"],
)
def test_moves_are_free_of_memory_and_conditions(text: str) -> None:
    found = shape(text, V)
    assert (found.allocations, found.index_conditions, found.divisions, found.nested) == (0, 0, 0, 1)


def test_reversed_maximum_is_one_loop() -> None:
    assert_one_pass(shape("⌈/⌊⌽v", V))


def test_counts_of_the_run_leave_no_condition_in_loops() -> None:
    for text in ("+/k↑v", "+/k↓v", "+/k⌽v", "(k↑v),k↓v", "k⌽v", "+/k↓v,v"):
        assert shape(text, {**N, **V}).index_conditions == 0, text


def test_a_sum_of_a_transposed_matrix_reads_it_in_place() -> None:
    """One loop more where several rows are in lanes, or several columns, side by side, are summed."""
    for text, nested in (("+/⍉a", 3), ("+/+/⍉a", 3), ("+/,⍉a", 3)):
        found = shape(text, M)
        assert (found.nested, found.divisions, found.index_conditions) == (nested, 0, 0), text
        assert found.allocations == (text == "+/⍉a"), text


def test_a_matrix_product_is_three_loops_in_panels() -> None:
    """The three are steps, rows and lanes of a tile; around them are six over blocks of rows, of columns and
    of steps, over panels, over the tiles of a group, and over vectors where a panel is not full.
    """
    found = shape(*PROGRAMS["matrix-product"])
    assert (found.nested, found.allocations, found.index_conditions, found.divisions) == (9, 3, 2, 0)


def test_an_outer_product_is_not_written_to_be_summed() -> None:
    """Two loops, and one over points that are computed side by side; the sums of these lie in registers."""
    found = shape(*PROGRAMS["outer-product-sum"])
    assert (found.nested, found.allocations, found.divisions) == (3, 0, 0)


def test_a_reduction_inside_a_function_is_computed_once() -> None:
    """The sum, the quotients, and a version of these for a sum of zero."""
    found = shape(*PROGRAMS["hoisted-reduction"])
    assert (len(found.loops), found.nested, found.allocations) == (3, 1, 1)


def test_a_reduction_from_the_right_runs_in_order() -> None:
    (loop,) = shape(*PROGRAMS["right-to-left"]).loops
    assert loop.descending and loop.reductions is None


@pytest.mark.parametrize("kind", ["double 1", "int 1"])
def test_forty_doublings_are_forty_nodes_at_most(kind: str) -> None:
    """What is shared is computed once: a tree of the same value would have 2**40 nodes."""
    lowered = lower("x←v" + " ⋄ x←x+x" * 40 + " ⋄ +/x", {"v": kind})
    size = sum(1 for s in lowered.program.statements for _ in nodes(*expressions(s)))
    assert size < 120
    assert len(list(statements_in(lowered.loops))) < 120
    assert len(lowered.c) < 8_000
    assert_one_pass(shape_of(lowered.loops))


# --- the tables are complete ----------------------------------------------------------------------------


def test_every_primitive_is_lowered_in_one_way() -> None:
    for prim in PRIMS.values():
        ways = [prim in SPELLING, prim in LOWER_SCALAR] if prim.is_scalar else [prim in LOWER]
        assert ways.count(True) == 1, prim
        assert callable(prim.meaning), prim
    known = set(PRIMS.values())
    assert set(LOWER) <= known and set(LOWER_SCALAR) <= known
    assert set(SPELLING) <= known | set(RAW)


def test_every_operator_below_tail_is_spelled() -> None:
    assert [op for op in RAW if op not in SPELLING] == []


def test_every_associative_primitive_has_a_neutral_element() -> None:
    """So have those that cut their arguments to 32 bits, although a single element stays as it is."""
    assert {prim for prim in PRIMS.values() if prim.associative} == set(NEUTRAL) - CUTTING - {BIT_OR}


# --- the checker ----------------------------------------------------------------------------------------

MAKE = ExprBuilder()
SITE = Site(faults.NO_MEMORY, "", None)
EXTENT = MAKE.between("n", (MAKE.zero,), ())
INPUT = Buffer("v", Base.DOUBLE, "float64")
RESULT = Buffer("a", Base.DOUBLE, "float64")
INDEX = MAKE.index("i", EXTENT)
X, Y = Var("x", Base.DOUBLE), Var("y", Base.DOUBLE)
PARAMETER = Parameter("v", Base.DOUBLE, INPUT, (EXTENT,))

ALLOC = Alloc(RESULT, EXTENT, SITE)
MAP = Map(RESULT, Space((INDEX,), (EXTENT,)), INDEX, MAKE.read(INPUT, INDEX))
PRINT = Output(ArrayRef(RESULT, (EXTENT,)), False)
FREE = Free(RESULT)
HAND_OUT = Output(ArrayRef(RESULT, (EXTENT,)), True)
LET = HostLet(X, MAKE.read(INPUT, MAKE.zero))

OTHER = Buffer("b", Base.DOUBLE, "float64")
TAKEN = Empty(OTHER), Move(OTHER, RESULT)
GIVEN_BACK = Move(RESULT, OTHER)
FREE_OTHER = Free(OTHER)
POSITIVE = MAKE.call(p.LTI, MAKE.zero, EXTENT)
GOING = Var("going", Base.BOOL)


def verify(*statements: Statement) -> None:
    check_program(Program((PARAMETER,), statements))


def test_checker_accepts() -> None:
    verify(ALLOC, MAP, PRINT, FREE)
    verify(ALLOC, MAP, PRINT, HAND_OUT)
    verify(LET, Output(ScalarRef(X), True))
    verify(ALLOC, MAP, *TAKEN, If(POSITIVE, (GIVEN_BACK,), (GIVEN_BACK,)), FREE_OTHER, PRINT, FREE)
    last = If(POSITIVE, (Assign(GOING, MAKE.false),), (GIVEN_BACK,))
    verify(ALLOC, MAP, Variable(GOING, MAKE.true), While(GOING, (*TAKEN, last, FREE_OTHER)), FREE)


BROKEN: dict[str, tuple[Statement, ...]] = {
    "a is not alive": (ALLOC, MAP, FREE, PRINT),
    "a is not alive ": (MAP, FREE),
    "a is not alive  ": (ALLOC, MAP, HAND_OUT, PRINT),
    "never freed: a": (ALLOC, MAP, PRINT),
    "never freed: a ": (ALLOC, MAP, *TAKEN, If(POSITIVE, (GIVEN_BACK,), ()), FREE_OTHER),
    "a is freed or handed out, but not ours": (ALLOC, MAP, FREE, FREE),
    "v is freed or handed out, but not ours": (Free(INPUT),),
    "v is freed or handed out, but not ours ": (Output(ArrayRef(INPUT, (EXTENT,)), True),),
    "x is not in scope": (Output(ScalarRef(X), True),),
    "x is bound twice": (LET, LET),
    "y is bound twice": (
        HostLet(X, MAKE.call(p.ADDD, *[do([HostLet(Y, MAKE.const(k))], Y) for k in (1.0, 2.0)])),
    ),
    "i is not in scope": (ALLOC, MAP, Store(RESULT, INDEX, MAKE.const(0.0)), FREE),
    "m is not in scope": (Alloc(RESULT, Var("m", Base.INT), SITE), FREE),
    "an expression of type int, double is needed": (ALLOC, Store(RESULT, MAKE.zero, MAKE.one), FREE),
    "an expression of type double, int is needed": (LET, ALLOC, Store(RESULT, X, X), FREE),
    "addd of ['int', 'double']": (LET, HostLet(Y, MAKE.call(p.ADDD, EXTENT, X))),
    "v is read at no integer": (LET, HostLet(Y, MAKE.read(INPUT, X))),
    "an ill-typed select": (LET, HostLet(Y, Select(EXTENT, X, X, Base.DOUBLE))),
    "an ill-typed check": (LET, HostLet(Y, Check(X, X, SITE, (), Base.DOUBLE))),
    "an ill-typed fold": (HostLet(X, Fold(p.ADDD, INDEX, EXTENT, INDEX, None, Base.DOUBLE)),),
}


@pytest.mark.parametrize("message", BROKEN)
def test_checker_rejects(message: str) -> None:
    with pytest.raises(InternalError) as failure:
        verify(*BROKEN[message])
    assert message.strip() in str(failure.value)


def test_checker_rejects_a_buffer_of_another_program() -> None:
    text, inputs = PROGRAMS["prints"]
    program = lower(text, inputs).program
    check_program(program)
    for k, statement in enumerate(program.statements):
        if isinstance(statement, Alloc | Free | HostLet):
            broken = replace(program, statements=program.statements[:k] + program.statements[k + 1 :])
            with pytest.raises(InternalError):
                check_program(broken)


# --- what nobody reads ----------------------------------------------------------------------------------


def test_an_array_that_nobody_reads_is_not_written() -> None:
    assert without_unused(Program((PARAMETER,), (ALLOC, MAP, FREE, LET)), MAKE).statements == (LET,)
    read = (ALLOC, MAP, PRINT, FREE)
    assert without_unused(Program((PARAMETER,), read), MAKE).statements == read


def test_an_array_that_only_an_unused_one_reads_is_not_written() -> None:
    other = Buffer("b", Base.DOUBLE, "float64")
    copy = Map(other, MAP.space, INDEX, MAKE.read(RESULT, INDEX))
    statements = (ALLOC, MAP, Alloc(other, EXTENT, SITE), copy, Free(other), FREE)
    assert without_unused(Program((PARAMETER,), statements), MAKE).statements == ()


def test_of_what_is_kept_only_the_count_is_left() -> None:
    value = MAKE.read(INPUT, INDEX)
    count = Var("n", Base.INT)
    kept = Filter(RESULT, count, MAP.space, MAKE.call(p.GTD, value, MAKE.const(0.0)), value)
    (let,) = without_unused(Program((PARAMETER,), (ALLOC, kept, FREE)), MAKE).statements
    assert isinstance(let, HostLet) and let.var is count and isinstance(let.value, Fold)
    assert let.value.body is MAKE.call(p.B2I, kept.keep)
    read = (ALLOC, kept, PRINT, FREE)
    assert without_unused(Program((PARAMETER,), read), MAKE).statements == read


def test_a_loop_that_is_lowered_again_requires_room_again() -> None:
    """The state of the loop changes its extent, which the first lowering of it finds out."""
    text = "f←{⍺=0:(k,k)⍴⍵ ⋄ (⍺-1)∇ ⍵,1} ⋄ 3 f v"
    assert "WS FULL" in print_program(lower(text, {"k": "int 0", "v": "int 1"}).program)


def test_an_array_whose_elements_may_be_errors_is_computed() -> None:
    value = MAKE.read(INPUT, INDEX)
    checked = replace(MAP, body=MAKE.check(MAKE.call(p.GTD, value, MAKE.const(0.0)), value, SITE))
    statements = (ALLOC, checked, FREE)
    assert without_unused(Program((PARAMETER,), statements), MAKE).statements == statements


def test_a_condition_in_the_place_of_an_element_is_decided_before_the_loop() -> None:
    """A matrix of all elements is one loop, one of equal rows reads its row; the rest is a slow version."""
    found = shape(*PROGRAMS["reshape-by-data"])
    flat = [each for each in found.loops if not any(isinstance(s, l.For) for s in each.body)]
    assert (len(found.loops), len(flat)) == (5, 3)
