"""Which programs the threads of the host do sooner than kernels of a processor."""

import numpy as np
import pytest

from aplc.compiler import loops_of, optimise, to_tail
from aplc.inputs import as_input
from aplc.laila.devices.beside_threads import CALLS, FILTERS, ITEMS, ROUNDS, sooner_in_threads
from aplc.laila.devices.device_mapping import DIVISION, EVERYTHING, Division, on_cpu, without_host
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.kernel_runs import kernels
from tests.support.machine import needs_device

DOUBLES = Settings()
PROCESSOR = on_cpu(DIVISION, 2, 32)
INPUTS = {"v": np.arange(5.0), "i": np.arange(5), "m": np.ones((3, 4))}
BY_THREADS = [
    ("(v>2)/v", FILTERS),
    ("{⍵>100: ⍵ ⋄ ∇ 1+2×⍵}¨v", ROUNDS),
    ("+/¨⍳¨i", ITEMS),
    ("f←{⍵<2: ⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2} ⋄ f ≢v", CALLS),
]


def sooner(text: str, division: Division = PROCESSOR, settings: Settings = DOUBLES) -> str:
    given = {name: as_input(value) for name, value in INPUTS.items() if name in text}
    storage = {name: each.storage for name, each in given.items()}
    options = Options("opencl")
    term = to_tail([Source("text", text)], {name: each.type for name, each in given.items()}).term
    return sooner_in_threads(loops_of(optimise(term, options), storage, options), settings, division)


@pytest.mark.parametrize(("text", "why"), BY_THREADS)
def test_what_threads_do_sooner(text: str, why: str) -> None:
    assert sooner(text) == why
    for division in (EVERYTHING, without_host(PROCESSOR)):
        assert not sooner(text, division)
    assert not sooner(text, settings=Settings(precision="single"))


@pytest.mark.parametrize("text", ["1+2×v", "+/v×v", "+\\v", "+/m", "2+/v", "⍉m"])
def test_what_kernels_do_as_soon(text: str) -> None:
    assert not sooner(text)


@needs_device
def test_integers_become_doubles_in_lanes() -> None:
    text = "+/÷1+⍳≢v"
    narrow, wide = [kernels(text, INPUTS, Division(vector=n, least_work=1, least_rows=1)) for n in (32, 64)]
    assert "aplc_real_of_small(" in narrow and "aplc_real_of" not in wide
