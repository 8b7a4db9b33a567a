"""Long and deep programs through the compiler and the interpreter; beyond what fits, an error."""

from typing import Any

import numpy as np
import pytest

from aplc.compiler import compile_program, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.check import check
from aplc.tail.errors import CompileError, RunError
from aplc.tail.source import Source
from aplc.tail.syntax import Binding, Param, Term, Var, conditional, fn, is_loop, let, literal, op
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Base, scalar

LONG, CHAIN, ROUNDS, DEEP = 10_000, 2_000, 100_000, 5_000
INT = scalar(Base.INT)
K = Var("k", ty=INT)


def value(
    text: str, *, name: str = "program.tail", level: int = 2, verify: bool = True, **inputs: int
) -> Any:
    """The value of a program on the interpreter."""
    types, storage = dict.fromkeys(inputs, INT), dict.fromkeys(inputs, "int64")
    options = Options(target="interp", level=level, verify=verify)
    program = compile_program([Source(name, text)], types, storage, options)
    (result,) = program.run([np.array(k) for k in inputs.values()], lambda value, base, digits: None)
    return result.tolist()


def apl(text: str) -> Any:
    return value(text, name="program.apl", verify=False)


def chain_of_bindings() -> Term:
    """`let x0 = (3×k)+7|k in let x1 = (3×x0)+7|x0 in …`"""
    bindings, before = [], K
    for n in range(LONG):
        after = op(p.ADDI, op(p.MULI, before, literal(3)), op(p.RESI, literal(7), before))
        bindings.append(Binding(f"x{n}", INT, after))
        before = Var(f"x{n}", ty=INT)
    return fn((Param("k", INT),), let(bindings, before))


def chain_of_conditionals() -> Term:
    """`if k=0 then 0 else if k=1 then 7 else …`"""
    result = literal(-1)
    for n in reversed(range(CHAIN)):
        result = conditional(op(p.EQI, K, literal(n)), literal(7 * n), result)
    return fn((Param("k", INT),), result)


# --- text and checker -----------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("make", [chain_of_bindings, chain_of_conditionals])
def test_a_long_term_is_checked_printed_and_read(make: Any) -> None:
    def round_trip() -> bool:
        term = make()
        check(term)
        text = print_term(term)
        again = parse_term(Source("test.tail", text))
        check(again)
        return print_term(again) == text

    assert with_deep_stack(round_trip)


def test_a_chain_of_conditionals_is_printed_flat() -> None:
    lines = with_deep_stack(lambda: print_term(chain_of_conditionals())).splitlines()
    assert max(len(line) - len(line.lstrip()) for line in lines) == 4
    assert len(lines) > CHAIN


@pytest.mark.in_turn(4)
def test_a_long_loop_is_one() -> None:
    text = (
        f"loop f(k:int = {CHAIN - 3}):int => "
        + "".join(f"if eqi(k,{n}) then f({n + 1}) else " for n in range(CHAIN))
        + "k"
    )
    assert value(text) == CHAIN
    rec = with_deep_stack(lambda: to_tail([Source("a.tail", text)], {})).term
    assert is_loop(rec)


# --- values ---------------------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("level", [0, 2])
def test_ten_thousand_bindings(level: int) -> None:
    expected = 5
    for _ in range(LONG):
        expected = (3 * expected + expected % 7 + 2**63) % 2**64 - 2**63
    text = with_deep_stack(lambda: print_term(chain_of_bindings()))
    assert value(text, level=level, verify=not level, k=5) == expected


def test_ten_thousand_statements() -> None:
    assert apl("x←0\n" + "x←1+x\n" * LONG + "x") == LONG


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("level", [0, 2])
def test_two_thousand_conditions(level: int) -> None:
    text = with_deep_stack(lambda: print_term(chain_of_conditionals()))
    assert value(text, level=level, k=CHAIN - 1) == 7 * (CHAIN - 1)
    assert value(text, level=level, k=CHAIN) == -1


@pytest.mark.in_turn(4)
def test_two_thousand_conditions_one_inside_the_other() -> None:
    text = "".join(f"if gti(k,{n}) then " for n in range(CHAIN)) + "1" + " else 0" * CHAIN
    assert value(f"fn k:int => {text}", k=CHAIN) == 1


@pytest.mark.in_turn(4)
def test_two_thousand_conditions_with_bindings_between_them() -> None:
    text = "".join(f"if eqi(k,{n}) then {n} else let x{n} = muli(k,{n}) in " for n in range(CHAIN))
    assert value(f"fn k:int => {text}addi(x1,x{CHAIN - 1})", k=CHAIN) == CHAIN * CHAIN


@pytest.mark.in_turn(4)
def test_two_thousand_guards() -> None:
    guards = " ⋄ ".join([f"⍵={n}:{7 * n}" for n in range(CHAIN)])
    assert apl(f"f←{{{guards} ⋄ ¯1}}\nf¨{CHAIN - 1} {CHAIN}") == [7 * (CHAIN - 1), -1]


@pytest.mark.parametrize(
    "text",
    [
        "negi(" * DEEP + "negi(k)" + ")" * DEEP,
        "(" * CHAIN + "negi(k)" + ",1).1" * CHAIN,
        "".join(f"let x{n}:int = " for n in range(CHAIN)) + "k" + " in negi(k)" * CHAIN,
    ],
    ids=["operators", "tuples", "blocks"],
)
def test_deep_expressions(text: str) -> None:
    assert value(f"fn k:int => {text}", k=3) in (3, -3)


# --- loops ----------------------------------------------------------------------------------------------


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"({{⍵+1}}⍣{ROUNDS}) 0", ROUNDS),
        (f"{{⍵≤0:'end' ⋄ ∇ ⍵-1}}{ROUNDS}", [ord(c) for c in "end"]),
        (f"{{⍵+⍵<{ROUNDS}}}⍣≡0", ROUNDS),
        (f"⊃({{(1+⊃⍵)(⍵[2]+⊃⍵)}}⍣{ROUNDS // 10}) 0 0.5", ROUNDS // 10),
    ],
)
def test_loops_of_many_rounds(text: str, expected: Any) -> None:
    assert apl(text) == expected


@pytest.mark.in_turn(4)
def test_a_loop_that_changes_an_array() -> None:
    text = (
        "loop f(i:int = 0, v:[int]1 = [0,0,0]):[int]1 =>"
        f" if lti(i,{ROUNDS // 4}) then f(addi(i,1),modify(addi,copy(v),(addi(1,resi(3,i)),),1)) else v"
    )
    assert sum(value(text)) == ROUNDS // 4


# --- recursion ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "if eqi(n,0) then 0 else addi(1,f(subi(n,1)))",
        "if eqi(n,0) then 0 else let r:int = f(subi(n,1)) in addi(r,1)",
        "if eqi(n,0) then 0 else first(each(fn x:int => addi(x,f(subi(n,1))),[1]))",
        "if eqi(n,0) then 0 else reduce(fn x:int, y:int => addi(y,f(subi(n,x))),0,[1,1])",
        "if eqi(n,0) then 0 else first(cells(fn c:[int]1 => addi(1,f(subi(n,1))),reshape([1,2],1)))",
        "loop g(i:int = 0):int => if eqi(n,0) then 0 else addi(1,f(subi(n,1)))",
    ],
)
def test_recursion_of_five_thousand_calls(body: str) -> None:
    assert value(f"rec f(n:int = {DEEP}):int => {body}") == DEEP


def test_recursion_of_five_thousand_calls_in_apl() -> None:
    assert apl(f"{{⍵≤0:0 ⋄ 1+∇ ⍵-1}}{DEEP}") == DEEP


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(
    "body",
    [
        "addi(1,f(addi(n,1)))",
        "first(each(fn x:int => addi(x,f(addi(n,1))),[1]))",
        "reduce(fn x:int, y:int => addi(y,f(addi(n,x))),0,[1,1])",
        "first(cells(fn c:[int]1 => addi(1,f(addi(n,1))),reshape([1,2],1)))",
    ],
)
def test_recursion_without_end_is_an_error(body: str) -> None:
    with pytest.raises(RunError, match=r"program\.tail:1:1: LIMIT ERROR: the recursion is too deep"):
        value(f"rec f(n:int = 0):int => {body}")
    assert value("rec f(n:int = 100):int => if eqi(n,0) then 0 else addi(1,f(subi(n,1)))") == 100


@pytest.mark.in_turn(4)
def test_what_nests_too_deeply_is_refused() -> None:
    depth = 500_000
    with pytest.raises(CompileError, match="LIMIT ERROR: an expression is nested too deeply"):
        value("(" * depth + "1" + ")" * depth)
