"""How far off functions of reals are, on each target: `python -m tests.ulp [--points N] [--function NAME]`.

Prints a table in Markdown for `docs/trust.md`: the worst error of each function in units in the last place,
against mpmath, where it is, and what is claimed, which tests hold at a few points. An error of 0.5 is that of
the nearest double. Run it from the root.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mpmath import frexp, mpf

from aplc.laila.devices.device_mapping import EVERYTHING
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.kernel_runs import outcome
from tests.support.tables.ulp_points import FUNCTIONS, Function, points

TARGETS: dict[str, Options] = {
    "interp": Options("interp"),
    "c": Options("c"),
    "strict": Options("c", settings=Settings(strict_fp=True)),
    "openmp": Options("openmp", threads=2, verify=True),
    "opencl": Options("opencl", division=EVERYTHING),
    "lanes": Options("opencl", division=replace(EVERYTHING, lanes=4, vector=32)),
    "driver": Options("opencl", division=replace(EVERYTHING, lanes=0, vector=0)),
}
"""`strict` is C with --strict-fp. With OpenCL all loops are kernels: as the device is, with exponentials and
logarithms of our own for compilers that see no whole vectors, and with those of the driver.
"""
ON_DEVICE = ("opencl", "lanes", "driver")

BOUNDS = {
    "*x": (1.5, 1.5), "⍟x": (2, 2), "x⍟y": (4, 4), "x*y": (2, 2), "x*0.5": (0.6, 0.6), "x*2": (0.6, 0.6),
    "x*3": (1.5, 1.5), "x*1.5": (1.5, 1.5), "x*¯0.5": (1.6, 1.6), "x*¯2": (2.5, 2.5), "x*7": (4, 4),
    "x*31": (30, 30), "x*⍳40": (40, 40), "¯7○x": (2.5, 2.5), "¯6○x": (2.5, 2.5), "¯5○x": (2.5, 2.5),
    "¯4○x": (3, 3), "¯3○x": (1.5, 1.5), "¯2○x": (2, 2), "¯1○x": (2.5, 2.5), "0○x": (1.5, 1.5), "1○x": (4, 4),
    "2○x": (9, 4), "3○x": (15, 4), "4○x": (1.5, 1.5), "5○x": (3, 3), "6○x": (3, 3), "7○x": (3, 3),
    "○x": (1, 1), "!x": (8, 8), "x!y": (10000, 10000),
}  # fmt: skip
"""What is claimed: the greatest error on the host, and in kernels."""

OVERFLOWS = {"*x": ("driver",), "5○x": ON_DEVICE, "6○x": ON_DEVICE}
"""Where a driver's function may be infinite at the last argument."""

LIMIT = mpf(2) ** 1024


@dataclass(frozen=True, slots=True)
class Worst:
    """The greatest error, and where it is."""

    ulps: float = 0.0
    kind: str = ""
    at: tuple[float, ...] = ()


def ulps(computed: float, exact: Any) -> float:
    """The error in units in the last place of the exact value; infinity follows the largest double."""
    if math.isnan(computed):
        return math.inf
    bounded = max(-LIMIT, min(LIMIT, exact))
    value = mpf(math.copysign(1, computed)) * LIMIT if math.isinf(computed) else mpf(computed)
    if bounded == 0:
        return 0.0 if value == 0 else math.inf
    exponent = min(1024, max(int(frexp(bounded)[1]), -1021))
    return float(abs(value - bounded) / mpf(2) ** (exponent - 53))


@dataclass(frozen=True, slots=True)
class Cases:
    """The arguments of a function, with their kinds and exact values."""

    function: Function
    kinds: list[str]
    arguments: list[tuple[float, ...]]
    exact: list[Any]

    @staticmethod
    def of(function: Function, count: int) -> Cases:
        found = [(kind, at) for kind, places in points(function, count).items() for at in places]
        exact = [function.exact(*at) for _, at in found]
        if isinstance(exact[0], list):  # a row for each argument
            exact = [value for row in exact for value in row]
        return Cases(function, [kind for kind, _ in found], [at for _, at in found], exact)

    def without(self, kinds: Collection[str]) -> Cases:
        """The same without some kinds of arguments."""
        kept = [k for k, kind in enumerate(self.kinds) if kind not in kinds]
        return Cases(
            self.function, *[[column[k] for k in kept] for column in (self.kinds, self.arguments, self.exact)]
        )

    def worst(self, computed: Any) -> Worst:
        errors = [ulps(c, e) for c, e in zip(np.ravel(computed).tolist(), self.exact, strict=True)]
        k = max(range(len(errors)), key=errors.__getitem__)
        place = k * len(self.arguments) // len(errors)
        return Worst(errors[k], self.kinds[place], self.arguments[place])


def measure(cases: list[Cases], options: Options) -> list[Worst]:
    """The worst of each function on a target: all are one program, with vectors of arguments."""
    parts, inputs = [], {}
    for number, case in enumerate(cases):
        text = case.function.apl
        for letter, column in zip("xy", zip(*case.arguments, strict=True), strict=False):
            name = f"{letter}{number}"
            text = text.replace(letter, name)
            inputs[name] = np.array(column)
        parts.append(f"({text})")
    text = " ".join(parts) if len(parts) > 1 else parts[0]
    results, _ = outcome(text, inputs, options)
    if isinstance(results, str):
        raise SystemExit(results)
    values = results if isinstance(results, tuple) else (results,)
    return [case.worst(value) for case, value in zip(cases, values, strict=True)]


def claimed(name: str) -> str:
    """The bounds of a function as the table has them."""
    host, device = BOUNDS[name]
    return f"{host:g}" if host == device else f"{host:g}, in kernels {device:g}"


def shown(worst: Worst) -> str:
    at = " and ".join([f"{x!r}" for x in worst.at])
    return f"{worst.ulps:.3g} at {at} ({worst.kind})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ulp", description="Errors of functions of reals.")
    parser.add_argument("--points", type=int, default=2000, help="of each kind of argument")
    parser.add_argument("--function", action="append", choices=list(FUNCTIONS))
    parser.add_argument("--target", action="append", choices=list(TARGETS))
    given = parser.parse_args()
    cases = [Cases.of(FUNCTIONS[name], given.points) for name in given.function or FUNCTIONS]
    targets = given.target or list(TARGETS)
    columns = [measure(cases, TARGETS[target]) for target in targets]
    print(f"| function | {' | '.join(targets)} | the worst | claimed |\n|---|{'---|' * (len(targets) + 2)}")
    for case, *row in zip(cases, *columns, strict=True):
        errors = " | ".join(
            [f"{worst.ulps:.2g}" if worst.ulps < 100 else f"{worst.ulps:.0f}" for worst in row]
        )
        most = max(row, key=lambda worst: worst.ulps)
        name = case.function.name
        print(f"| `{name}` | {errors} | {shown(most)} | {claimed(name)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
