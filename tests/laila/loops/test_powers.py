"""Powers without `pow`, and floors of quotients of integers that no double holds: against the interpreter."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.syntax.parser import parse
from aplc.compiler import compile_program, optimise, to_c, to_laila
from aplc.inputs import as_input
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.errors import AplcError
from aplc.tail.faults import FaultRaised
from aplc.tail.source import Source
from tests.support.days import of_today

EDGES = np.array([0.5, 2.0, -3.0, 1e-308, 1e155, -1e200, 4e-324, 1e308, np.inf, -np.inf, np.nan])
BASES = {"edges": EDGES, "positive": abs(EDGES), "zero": np.array([0.0, 1.0]), "minus zero": np.array([-0.0])}
POWERS = ("x*0", "x*5", "x*32", "x*¯1", "x*¯3", "x*0.5", "x*1.5", "x*2.5", "x*¯0.5", "x*¯1.5", "x*¯2.5")
TABLES = ("x∘.*¯1+⍳n", "x∘.*⌽¯1+⍳n", "x∘.*-⍳n", "x∘.*¯3+⍳n")


def outcome(text: str, target: str, **inputs: object) -> np.ndarray | None:
    """The value of a program, or None where it is an error."""
    given = {name: as_input(np.asarray(value)) for name, value in inputs.items()}
    types = {name: each.type for name, each in given.items()}
    storages = {name: each.storage for name, each in given.items()}
    program = compile_program([Source("powers.apl", text)], types, storages, Options(target=target))
    try:
        found = program.run([given[name].value for name in program.inputs], lambda *_: None)
    except (AplcError, FaultRaised):
        return None
    return np.asarray(found[0])


def agree(text: str, **inputs: object) -> None:
    want, found = [outcome(text, target, **inputs) for target in ("interp", "c")]
    assert (want is None) == (found is None)
    if want is not None and found is not None:
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-321)


@pytest.mark.parametrize(("text", "base"), of_today([(text, base) for text in POWERS for base in BASES], 3))
def test_known_exponents(text: str, base: str) -> None:
    agree(text, x=BASES[base])


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65])
@pytest.mark.parametrize("text", TABLES)
def test_exponents_that_count(text: str, n: int) -> None:
    agree(text, x=EDGES, n=n)
    agree(text, x=BASES["zero"], n=n)


def text_of_c(text: str, settings: Settings) -> str:
    x = as_input(EDGES)
    options = Options(settings=settings)
    elaborated = elaborate_program([parse(Source("powers.apl", text))], {"x": x.type})
    program, make = to_laila(optimise(elaborated.term, options), {"x": x.storage}, options)
    return to_c(program, make, options).text


@pytest.mark.parametrize("text", ["+/x*¯1.5", "+/x*7", "+/x*¯2"])
def test_known_exponents_are_products_unless_results_must_be_exact(text: str) -> None:
    assert "pow(" not in text_of_c(text, Settings())
    assert "pow(" in text_of_c(text, Settings(strict_fp=True))


RUNNING = ("{+/c×⍵*¯1+⍳≢c}¨x", "{⌈/c-⍵*2+⍳≢c}¨x", "(x∘.*¯1+⍳≢c)+.×c", "{(+/⍵*-⍳≢c)+×/c×⍵*⍳≢c}¨x")


@pytest.mark.parametrize("steps", [0, 1, 5, 61, 64, 65])
@pytest.mark.parametrize("text", RUNNING)
def test_powers_that_run_along_with_folds(text: str, steps: int) -> None:
    small = np.array([1.0, -1.0, 3.0, -2.0, 1e-5, 0.9])
    agree(text, x=np.resize(np.concatenate([EDGES, small]), 150), c=np.linspace(0.5, 1.5, steps))
    agree(text, x=np.arange(1, 71), c=np.linspace(0.5, 1.5, steps))


def test_running_powers_are_products() -> None:
    found = text_of_c("{+/⍵*¯1+⍳5|≢x}¨x", Settings())
    assert re.search(r"aplc_short_power\(x\[i \+ j\], 0\)", found)
    assert not re.search(r"aplc_short_power\(x\[i \+ j\], k\)", found)


EXPONENTS = (np.arange(-3, 4), np.array([-65, -64, -63, -2, -1]), np.array([0, 1, 2, 62, 63, 64, 65, 700]))


@pytest.mark.parametrize("exponents", EXPONENTS)
@pytest.mark.parametrize("text", ("{+/⍵*e}¨x", "{⌈/(1+⍵)*-e}¨x", "{w←⍵*e ⋄ (⌽w),⌈/w×e}⍤0⊢x"))
def test_exponents_that_all_lanes_share(text: str, exponents: np.ndarray) -> None:
    agree(text, x=np.resize(np.append(EDGES, [1.0, -1.0, 3.0, -2.0, 1e-5, 0.9]), 150), e=exponents)
    agree(text, x=np.arange(1, 71), e=exponents)
    agree(text, x=np.arange(70.0, -1.0, -1.0), e=exponents)


def test_shared_exponents_have_versions() -> None:
    x, e = as_input(EDGES), as_input(EXPONENTS[0])
    for strict_fp in (False, True):
        options = Options(settings=Settings(strict_fp=strict_fp))
        types = {"x": x.type, "e": e.type}
        elaborated = elaborate_program([parse(Source("powers.apl", "{+/⍵*e}¨x"))], types)
        program, make = to_laila(
            optimise(elaborated.term, options), {"x": x.storage, "e": e.storage}, options
        )
        assert ("exponent < 64" in to_c(program, make, options).text) is not strict_fp


def test_small_exponents_have_a_loop_of_their_own() -> None:
    assert "aplc_is_short(" in text_of_c("x∘.*¯1+⍳≢x", Settings())


@pytest.mark.parametrize("divisor", ["2", "8", "10"])
def test_floors_of_quotients_are_those_of_doubles(divisor: str) -> None:
    bits = [2**53 + 1, 2**53 + 3, 2**62 + 257, 2**63 - 1, 2**63 - 513, 7, 0]
    agree(f"⌊n÷{divisor}", n=np.array([*bits, *[-b for b in bits], -(2**63)], dtype=np.int64))
    agree(f"{{⍵<0:⍵ ⋄ ⌊⍵÷{divisor}}}¨n", n=np.array(bits, dtype=np.int64))


ALONG = (
    "(b*⍳n)×+\\(⍳n)÷2+|b*⍳n",
    "(0.5×⍳n)*+\\3×b*⍳n",
    "(+\\÷⍳n)*⍳n",
    "b*⍳n",
    "b*3-2×⍳n",
    "+/(⍳n)×b*-⍳n",
    "⌈/(b*¯1+⍳n)÷2+|b*⍳n",
)


@pytest.mark.in_turn(14)
@pytest.mark.parametrize("text", ALONG)
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_powers_of_one_base(text: str, target: str) -> None:
    """In rounds, each of which begins with a power, where products are as good."""
    for base in (1.0001, 0.999, -1.001, -1.0, 0.0, 2.0, 1e10, 1e-10, np.nan, np.inf):
        for n in (0, 1, 64, 1023, 1024, 1500, 5000):
            want, found = [outcome(text, way, b=base, n=n) for way in ("interp", target)]
            assert (want is None) == (found is None)
            if want is not None and found is not None:
                np.testing.assert_allclose(found, want, rtol=1e-9, err_msg=f"{base} {n}")


@pytest.mark.parametrize("text", ["{⍵>1500:(÷b)*⍵ ⋄ ⍵+0.5}¨⍳n", "{⍵<10:(÷b)*⍵ ⋄ ⍵+0.5}¨⍳n"])
def test_a_base_that_no_element_needs_does_not_fail(text: str) -> None:
    for base in (0.0, 0.5):
        for n in (0, 3, 1100, 2000):
            agree(text, b=base, n=n)
