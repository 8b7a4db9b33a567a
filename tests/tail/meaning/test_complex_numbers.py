"""Complex arithmetic, against Python's and the definitions."""

import cmath
import math
import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.prims import Prim
from tests.support.run_meaning import INF, NAN, agree, fails, run

NUMBERS = (
    0j,
    1 + 0j,
    -1.5 + 0j,
    2j,
    -0.5j,
    3 + 4j,
    3 - 4j,
    -2 + 0.25j,
    -1e-3 - 7j,
    1e150 + 1e150j,
    1e-200 + 0j,
)
PAIRS = list(product(NUMBERS, NUMBERS))
OF_PYTHON: dict[Prim, Callable[[complex, complex], Any]] = {
    p.ADDZ: operator.add,
    p.SUBZ: operator.sub,
    p.MULZ: operator.mul,
    p.EQZ: operator.eq,
    p.NEQZ: operator.ne,
}
OF_ONE: dict[Prim, Callable[[complex], Any]] = {
    p.REALZ: lambda z: z.real,
    p.IMAGZ: lambda z: z.imag,
    p.NEGZ: operator.neg,
    p.CONJZ: lambda z: z.conjugate(),
    p.PHASEZ: cmath.phase,
}


def test_parts() -> None:
    agree(run(p.COMPLEX, 3.0, -4.0), 3 - 4j)
    agree(run(p.COMPLEX, [1.0, 2.0], [0.5, -0.0]), [1 + 0.5j, complex(2.0, -0.0)])
    whole = run(p.COMPLEX, INF, NAN).item()
    assert whole.real == INF
    assert math.isnan(whole.imag)


@pytest.mark.parametrize("prim", OF_PYTHON, ids=lambda prim: prim.name)
def test_with_two_arguments(prim: Prim) -> None:
    xs, ys = zip(*PAIRS, strict=True)
    agree(run(prim, list(xs), list(ys)), [OF_PYTHON[prim](x, y) for x, y in PAIRS])


@pytest.mark.parametrize("prim", OF_ONE, ids=lambda prim: prim.name)
def test_with_one_argument(prim: Prim) -> None:
    agree(run(prim, list(NUMBERS)), [OF_ONE[prim](z) for z in NUMBERS])


def test_quotients() -> None:
    for x, y in PAIRS:
        if y:
            found = run(p.DIVZ, x, y).item()
            assert cmath.isclose(found, x / y, rel_tol=1e-14), (x, y)
    agree(run(p.DIVZ, [0j, 6j], [0j, 2 + 0j]), [1 + 0j, 3j])
    assert fails(p.DIVZ, [1j, 0j], [0j, 0j]) == "DOMAIN ERROR: f divides by zero"
    agree(run(p.DIVZ, 1e300 + 1e300j, 1e300 + 1e300j), 1 + 0j)


def test_magnitudes() -> None:
    agree(run(p.ABSZ, [3 + 4j, -5j, 0j, 1e300 - 1e300j]), [5.0, 5.0, 0.0, math.hypot(1e300, 1e300)])
    for z in (*NUMBERS, 3e-320 + 4e-320j, 1e-170 + 1e-170j, 2.0**500 + 1j, 2.0**-500 + 2.0**-501 * 1j):
        assert math.isclose(run(p.ABSZ, z).item(), abs(z), rel_tol=1e-15), z
    assert run(p.ABSZ, complex(-INF, 1.0)).item() == INF
    assert math.isnan(run(p.ABSZ, complex(NAN, 1.0)).item())


def test_real_ones() -> None:
    agree(run(p.Z2D, [2.5 + 0j, complex(1.0, -0.0)]), [2.5, 1.0])
    assert fails(p.Z2D, [1 + 0j, 1j]) == "DOMAIN ERROR: f needs real numbers"


def test_json_has_both_parts() -> None:
    found = run(p.JSON, np.array([1 + 2j, -0.5j]))
    assert "".join(map(chr, found.tolist())) == "[[1,2],[-0,-0.5]]"
