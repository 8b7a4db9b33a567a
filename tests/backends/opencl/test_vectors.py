"""Loops of kernels over whole vectors of AVX-512, with functions of reals of our own: their text, and their
values where the device of this machine has such vectors; elsewhere they are those of narrower ones.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aplc.backends.opencl.device import find_device
from aplc.backends.opencl.library import helpers, in_opencl
from aplc.laila.devices.device_mapping import EVERYTHING
from aplc.options import Options
from tests.support.kernel_runs import THREE, kernels, outcome
from tests.support.machine import needs_device

WIDE = replace(EVERYTHING, lanes=4, vector=64)
REALS = np.linspace(0.5, 2, 21)

SPECIAL = [0.0, np.inf, np.nan, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1.0, 1 - 2**-53]
NEAR_BOUNDS = [709.78, 709.79, 710.0, 1e300, -708.3, -708.5, -744.9, -745.13, -745.14, -746.0, -1e300]


def exponents() -> np.ndarray[Any, Any]:
    random = np.random.default_rng(1)
    near = random.normal(0, 1, 2000) * 10.0 ** random.integers(-20, 2, 2000)
    return np.concatenate(
        [SPECIAL, -np.array(SPECIAL), NEAR_BOUNDS, random.uniform(-746, 710, 6000), near, np.arange(-40, 40)]
    )


def numbers() -> np.ndarray[Any, Any]:
    random = np.random.default_rng(2)
    everywhere = 2.0 ** random.uniform(-1074, 1024, 6000)
    near = 1 + random.normal(0, 1, 2000) * 10.0 ** random.integers(-16, -1, 2000)
    return np.concatenate(
        [SPECIAL[1:], everywhere, random.uniform(0.4, 2.1, 3000), near, 2.0 ** np.arange(-60, 60)]
    )


def test_exponentials_and_logarithms_over_whole_vectors() -> None:
    text = kernels("+/*v", {"v": REALS}, WIDE)
    assert "ss += aplc_exp8(*(global const aplc_double8 *)(v + start + k));" in text
    assert "s += aplc_sum8(ss);" in text and text.count("APLC_WIDE double8 aplc_exp8(") == 2
    text = kernels("(⍟v)+(|v)+v*0.5", {"v": REALS}, WIDE)
    assert "aplc_log8(" in text and "as_double8(as_long8(" in text
    assert "aplc_sqrt8(" in text and "bads |= " in text


@pytest.mark.parametrize("program", ["*1○v", "*⌽v", "*÷1+⍳20", "v÷2", "1○v"])
def test_other_loops_stay_as_they_are(program: str) -> None:
    """With functions of the driver's, with elements that are not in a row, and without exponentials."""
    assert "APLC_WIDE" not in kernels(program, {"v": REALS}, WIDE)


def test_narrower_processors_have_none() -> None:
    assert "APLC_WIDE" not in kernels("*v", {"v": REALS})
    assert "APLC_WIDE" not in kernels("*v", {"v": REALS}, WIDE, precision="single")
    assert kernels("*v", {"v": REALS}, WIDE, strict_fp=True) == ""


def ulps(found: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    """The largest error in units of the last place, where there is one."""
    rounded = exact.astype(float)
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    errors = np.abs(found[finite].astype(np.longdouble) - exact[finite]) / np.spacing(np.abs(rounded[finite]))
    return float(errors.max())


@needs_device
def test_exponentials_are_precise_everywhere() -> None:
    v = exponents()
    ((found,), _) = outcome("*v", {"v": v}, Options("opencl", verify=True, division=THREE))
    with np.errstate(all="ignore"):
        assert ulps(found, np.exp(v.astype(np.longdouble))) < 1.5


@needs_device
def test_logarithms_are_precise_everywhere() -> None:
    v = numbers()
    ((found,), _) = outcome("⍟v", {"v": v}, Options("opencl", verify=True, division=THREE))
    assert ulps(found, np.log(v.astype(np.longdouble))) < 1.5


FUNCTIONS = ("exp", "log", "sqrt", "floor", "ceil")
FEATURES = 'target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl")'
EIGHT = """
ATTRIBUTES static void all(global const double *x, global double *result, const long i) {{
{stores}}}

kernel void eight(global const double *x, global double *result) {{ all(x, result, get_global_id(0) * 8); }}
"""


@needs_device
@pytest.mark.parametrize("is_known", [True, False], ids=["with instructions", "one by one"])
def test_functions_of_eight_numbers(is_known: bool) -> None:
    """Negative numbers, infinities and zeros, also where the compiler does not know the instructions."""
    device = find_device()
    if is_known and device.vector != 64:
        pytest.skip("the processor has no vectors of 512 bits")
    v = np.concatenate([exponents(), numbers(), -numbers()])
    v = v[: v.size // 8 * 8]
    element = "*(global const aplc_double8 *)(x + i)"
    targets = [f"*(global aplc_double8 *)(result + {k * v.size} + i)" for k in range(len(FUNCTIONS))]
    stores = "".join(
        [f"    {target} = aplc_{f}8({element});\n" for target, f in zip(targets, FUNCTIONS, strict=True)]
    )
    body = EIGHT.format(stores=stores)
    attributes = f"__attribute__((noinline, {FEATURES}))" if device.features and is_known else ""
    text = in_opencl(helpers(body)) + body.replace("ATTRIBUTES", attributes)
    assert "#define APLC_HAS_WIDE\n" in text
    text = text if is_known else text.replace("#define APLC_HAS_WIDE\n", "")
    function = device.functions(text, ["eight"])["eight"]
    cl, flags = device.cl, device.cl.mem_flags
    found = np.empty((len(FUNCTIONS), v.size))
    given = cl.Buffer(device.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=v)
    memory = cl.Buffer(device.context, flags.READ_WRITE, found.nbytes)
    function.set_args(given, memory)
    device.start(function, (v.size // 8,), (1,))
    cl.enqueue_copy(device.queue, found, memory, is_blocking=True)
    exact = v.astype(np.longdouble)
    with np.errstate(all="ignore"):
        assert ulps(found[0], np.exp(exact)) < 1.5
        assert ulps(found[1], np.log(exact)) < 1.5
        for row, wanted in enumerate((np.sqrt(v), np.floor(v), np.ceil(v)), start=2):
            np.testing.assert_array_equal(found[row], wanted)
            np.testing.assert_array_equal(
                np.signbit(found[row][wanted == 0]), np.signbit(wanted[wanted == 0])
            )
