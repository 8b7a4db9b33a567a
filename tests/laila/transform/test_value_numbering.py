"""Equal arrays of a sequence of statements are made once."""

from aplc.laila.ir.program import (
    Alloc,
    Free,
    HostLet,
    Output,
    Program,
    ScalarRef,
    Scan,
    Space,
    Statement,
    Store,
)
from aplc.laila.ir.scalar import Buffer, Exp, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.pipeline import PASSES
from aplc.laila.transform.value_numbering import with_equal_arrays_shared
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.types import Base
from tests.support.compiling import c_of, compiled
from tests.support.machine import needs_c

SITE = Site(faults.NO_MEMORY, "", None)
LENGTHS = Buffer("lengths", Base.INT, "int64")
N = Var("n", Base.INT, True)
WITHOUT = tuple([each.name for each in PASSES if each.name != "number-values"])


def ends(
    make: ExprBuilder, name: str, body: Exp | None = None
) -> tuple[list[Statement], list[Statement], Var]:
    """An array of ends: how it is made, what is done with it then, and the name of its last element."""
    buffer = Buffer(name, Base.INT, "int64")
    i = make.index("i", N)
    last = Var(f"last_{name}", Base.INT)
    size = make.read(LENGTHS, i) if body is None else body
    making: list[Statement] = [
        Alloc(buffer, make.add(N, make.one), SITE),
        Store(buffer, make.zero, make.zero),
        Scan(buffer, Space((i,), (N,)), make.add(i, make.one), p.ADDI, size),
        HostLet(last, make.read(buffer, N)),
    ]
    return making, [Output(ScalarRef(last), False), Free(buffer)], last


def scans(make: ExprBuilder, *statements: Statement) -> tuple[int, list[str]]:
    """How many arrays the program makes after the pass, and the values that it shows."""
    after = with_equal_arrays_shared(Program((), statements), make).statements
    shown = [s.value.value for s in after if isinstance(s, Output) and isinstance(s.value, ScalarRef)]
    freed = [s.buffer.name for s in after if isinstance(s, Free)]
    assert len(set(freed)) == len(freed)
    return sum(isinstance(s, Scan) for s in after), [v.name for v in shown if isinstance(v, Var)]


def test_equal_arrays_are_made_once() -> None:
    make = ExprBuilder()
    (one, used, _), (other, then, _) = ends(make, "a"), ends(make, "b")
    assert scans(make, *one, *used, *other, *then) == (1, ["last_a", "last_a"])
    assert scans(make, *one, *other, *used, *then) == (1, ["last_a", "last_a"])


def test_others_are_made_each() -> None:
    make = ExprBuilder()
    (one, used, _), (other, then, _) = ends(make, "a"), ends(make, "b", make.one)
    assert scans(make, *one, *used, *other, *then) == (2, ["last_a", "last_b"])


def test_what_has_changed_in_between_is_made_anew() -> None:
    make = ExprBuilder()
    (one, used, _), (other, then, _) = ends(make, "a"), ends(make, "b")
    change = Store(LENGTHS, make.zero, make.one)
    assert scans(make, *one, *used, change, *other, *then) == (2, ["last_a", "last_b"])
    assert isinstance(one[0], Alloc)
    own = Store(one[0].buffer, make.zero, make.one)
    assert scans(make, *one, own, *used, *other, *then)[0] == 2


def test_no_array_outlives_its_end_where_memory_is_taken() -> None:
    make = ExprBuilder()
    (one, used, _), (other, then, _) = ends(make, "a"), ends(make, "b")
    more = Buffer("more", Base.INT, "int64")
    taken = Alloc(more, N, SITE)
    assert scans(make, *one, *used, taken, *other, *then, Free(more))[0] == 2
    assert scans(make, *one, taken, *used, *other, *then, Free(more))[0] == 1


@needs_c
def test_two_arrays_over_the_same_items_share_where_these_end() -> None:
    text = "p←{' '(≠⊆⊢)⍵}¨';'(≠⊆⊢)t ⋄ p≡⌽p"
    c = [c_of(text, Options(passes=passes), t=list("ab c;d;ef")) for passes in (None, WITHOUT)]
    assert c[0].count("ends") < c[1].count("ends")
    program, arguments = compiled(text, Options(verify=True), t=list("ab c;d;ef"))
    assert [bool(value) for value in program.run(arguments, lambda *_: None)] == [False]
