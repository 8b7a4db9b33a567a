"""Random expressions over all of tier 1, with what they must give: `python -m tests.tier1_programs`.

    programs()                    a Hypothesis strategy of `Program`s
    random_program(random)        one from a `Random`; `entry` demands the outermost function
    failure(program, options)     what the reference interpreter does otherwise than `plain_apl` says, or ""
    on_c(programs, levels)        what C does otherwise than the interpreter, for each of many programs

An expression is some primitives deep; its inputs are literals, of which the compiler knows all, or named
arrays, of which it knows the rank. What must come out was computed along with it by `plain_apl`, which
shares nothing with the compiler. Where an expression ends in an error, an error of that kind must be
reported, when compiling or when running. `UNSUPPORTED` is no answer: what belongs to tier 2, and arrays whose
rank would depend on data, do not occur.

A campaign prints every failure as small as it could be made: `--seconds N --seed S`, with `--entry SYMBOL` or
`--entry "SYMBOL USE"` for some functions only; with `--target c`, `openmp` or `opencl` it prints what C does
otherwise than the interpreter. Run it from the root of the repository.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies

from aplc.apl_front.building.builder import is_enclosed
from aplc.apl_front.building.item_types import bottom
from aplc.compiler import compile_program
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.errors import UNSUPPORTED, AplcError
from aplc.tail.source import Source
from aplc.tail.types import Array, Base, Func, Nested, Records, Rho, Tuple, Type, base_of
from tests.fuzz_targets import LEVELS, Outcome, Way, compare
from tests.support.plain_apl import nested
from tests.support.plain_apl.array import EQUAL_WITHIN, A, NotTier1
from tests.support.plain_apl.mixed import M
from tests.support.plain_apl.nested import N
from tests.support.tier1.expressions import E, Ended, Gen, Production, Retry, spelt
from tests.support.tier1.operators import PRODUCTIONS

Plain = A | N | M
DEEPEST = 4
TOLERANCES = (1e-14,) * 6 + (1e-10, 0.0)
"""What `⎕CT` may be."""
TOLERANCE = 1e-9
WAYS = (Options("interp", 0, verify=True), Options("interp", 2, verify=True))


@dataclass(frozen=True)
class Program:
    """A program, its inputs by name, and its value or the kinds of error of which one must be reported."""

    text: str
    inputs: dict[str, A]
    expected: Plain | frozenset[str]
    storages: dict[str, str] = field(default_factory=dict)
    """The NumPy types of the inputs."""

    def __str__(self) -> str:
        given = [f"    ⍝ {name} is {self.storages[name]}, {value}" for name, value in self.inputs.items()]
        return "\n".join([self.text, *given, f"    ⍝ expected {shown(self.expected)}"])


def shown(result: Plain | frozenset[str] | str) -> str:
    """A result in words."""
    return " or ".join(sorted(result)) if isinstance(result, frozenset) else str(result)


# --- making ---------------------------------------------------------------------------------------------


class _Drawn:
    """Choices by Hypothesis."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self.draw = draw

    def below(self, n: int) -> int:
        return int(self.draw(strategies.integers(0, n - 1)))


class Recorded:
    """Choices from a list, then from a generator of random numbers, or 0; those made are kept."""

    def __init__(self, given: Sequence[int] = (), random: Random | None = None) -> None:
        self.given, self.random = given, random
        self.made: list[int] = []

    def below(self, n: int) -> int:
        """The next choice."""
        if len(self.made) < len(self.given):
            choice = min(self.given[len(self.made)], n - 1)
        else:
            choice = self.random.randrange(n) if self.random else 0
        self.made.append(choice)
        return choice


def generate(chooser: _Drawn | Recorded, entry: Production | None = None) -> Program:
    """A program by these choices, with one of these outermost."""
    gen = Gen(chooser, list(PRODUCTIONS.values()))
    gen.tolerance = gen.pick(TOLERANCES)
    token = EQUAL_WITHIN.set(gen.tolerance)
    try:
        return _generated(gen, entry)
    finally:
        EQUAL_WITHIN.reset(token)


def _generated(gen: Gen, entry: Production | None) -> Program:
    """A program by the choices that are left."""
    depth = 1 + gen.below(DEEPEST)
    found: E | None = None
    for _ in range(20):
        try:
            found = entry(gen, depth) if entry is not None else gen.expression(depth)
            break
        except Ended as ended:
            found = ended.expression
            break
        except Retry:
            continue
    if found is None:
        found = gen.expression(1)
    if found.errors and gen.chance(2):
        wrap = gen.pick(("≢{}", "⍴{}", ",{}", "⊖{}", "⍴⍴{}"))
        found = E(wrap.format(found.text), None, found.errors)
    settings = [] if gen.tolerance == 1e-14 else [f"⎕CT←{spelt(gen.tolerance)}"]
    text = "\n".join([*settings, *gen.statements, found.text])
    used = set(re.findall(r"[A-Z]\d+", text))
    inputs = {name: value for name, value in gen.inputs.items() if name in used}
    return Program(text, inputs, found.errors or found.value, {name: gen.storages[name] for name in inputs})


@strategies.composite
def programs(draw: Callable[[Any], Any]) -> Program:
    """Programs, the simplest first."""
    return generate(_Drawn(draw))


def random_program(random: Random, entry: Production | None = None) -> Program:
    """A random program."""
    return generate(Recorded(random=random), entry)


# --- running --------------------------------------------------------------------------------------------


def as_numpy(value: A, dtype: str) -> np.ndarray[Any, Any]:
    """The array as the compiler takes it."""
    return np.array(value.data, dtype).reshape(value.shape)


def as_plain(value: np.ndarray[Any, Any], base: Base) -> A:
    """The array as `plain_apl` has it."""
    items = value.reshape(-1).tolist()
    make: Any = {"int": int, "double": float, "bool": bool, "char": chr}[base.value]
    return A(base.value, value.shape, tuple([make(x) for x in items]))


def nested_as_plain(value: Any, ty: Type) -> Any:
    """The array, of arrays or not, as `plain_apl` has it; a strand as the array of arrays that it is."""
    if isinstance(ty, Records):
        return _records_as_plain(value, ty)
    if not isinstance(ty, Tuple):
        assert not isinstance(ty, Func)
        return as_plain(value, base_of(ty))
    if not isinstance(ty, Nested):
        is_scalar = is_enclosed(ty)
        types, shape = (ty.items[:1], ()) if is_scalar else (ty.items, (len(ty.items),))
        strand = list(map(nested_as_plain, value[: len(types)], types))
        try:
            return (
                M(shape, tuple(strand)) if any(isinstance(s, M) for s in strand) else nested.of(shape, strand)
            )
        except NotTier1:
            return M(shape, tuple(strand))
    array = value[0] if isinstance(value, tuple) else value
    if ty.rank == Rho(0):
        shape, values = (), [array.item() if array.dtype == object else array]
    else:
        shape, values = array.shape, list(array.reshape(-1))
    items = [nested_as_plain(item, ty.item) for item in values]
    if isinstance(bottom(ty), Records):
        return M(shape, tuple(items))
    kind, ranks = _type_of_items(ty)
    return N(kind, ranks, shape, tuple(items))


def _records_as_plain(value: Any, ty: Records) -> M:
    """An array of records as the strands that its items are, a table as the array of its fields."""
    array = value[0] if isinstance(value, tuple) else value
    if isinstance(array, tuple):  # a record that is enclosed
        array, array[()] = np.empty((), object), array
    if ty.axis is None:
        rows = [tuple(map(nested_as_plain, row, ty.fields)) for row in array.reshape(-1).tolist()]
        return M(array.shape, tuple([M((len(row),), row) for row in rows]))
    places = [at[ty.axis] for at in np.ndindex(array.shape)]
    values = array.reshape(-1).tolist()
    items = [nested_as_plain(v, ty.fields[k]) for v, k in zip(values, places, strict=True)]
    return M(array.shape, tuple(items))


def _type_of_items(ty: Type) -> tuple[str, tuple[int, ...]]:
    assert not isinstance(ty, Func)
    if not isinstance(ty, Nested):
        assert isinstance(ty, Array)
        return base_of(ty).value, (ty.rank.const,)
    kind, ranks = _type_of_items(ty.item)
    return kind, (ty.rank.const, *ranks)


def observe(program: Program, options: Options) -> Plain | frozenset[str] | str:
    """What the program does: its value, the kinds of its errors, or what else happened."""
    inputs = {
        name: as_input(as_numpy(value, program.storages[name])) for name, value in program.inputs.items()
    }
    try:
        types = {name: given.type for name, given in inputs.items()}
        storage = {name: given.storage for name, given in inputs.items()}
        compiled = compile_program([Source("program.apl", program.text)], types, storage, options)
        values = compiled.run([given.value for given in inputs.values()], lambda *printed: None)
        results = compiled.shown(values)
    except AplcError as error:
        limits = [d.message for d in error.diagnostics if d.kind == UNSUPPORTED]
        return f"{UNSUPPORTED}: {limits[0]}" if limits else frozenset([d.kind for d in error.diagnostics])
    except Exception as bug:
        return f"{type(bug).__name__}: {bug}"
    match results:
        case [(np.ndarray() as value, Base() as base)]:
            return as_plain(value, base)
        case [(value, None)] if isinstance(compiled.type, Tuple):
            return nested_as_plain(value, compiled.type)
        case _:
            return f"{len(results)} values"


def agrees(expected: Plain | frozenset[str], result: Plain | frozenset[str] | str) -> bool:
    """Whether a program did what it must."""
    if isinstance(result, str):
        return False
    if isinstance(result, frozenset) or isinstance(expected, frozenset):
        return isinstance(result, frozenset) and isinstance(expected, frozenset) and bool(result & expected)
    if isinstance(expected, M) or isinstance(result, M):
        return same_items(expected, result)
    if (expected.kind, expected.shape) != (result.kind, result.shape):
        return False
    if isinstance(expected, N) or isinstance(result, N):
        both = isinstance(expected, N) and isinstance(result, N) and expected.ranks == result.ranks
        return both and all(map(agrees, expected.items, result.items))  # type: ignore[union-attr]
    return all(map(_is_close, expected.data, result.data))


def same_items(expected: Plain, result: Plain) -> bool:
    """Whether two arrays have equal items, whatever the types of their numbers: those of records hold the
    values of all.
    """
    if expected.shape != result.shape or isinstance(expected, A) != isinstance(result, A):
        return False
    if isinstance(expected, A) and isinstance(result, A):
        both = expected.kind == "char", result.kind == "char"
        return not expected.data or (both[0] == both[1] and all(map(_is_close, expected.data, result.data)))
    assert not isinstance(expected, A) and not isinstance(result, A)
    return all(map(same_items, expected.items, result.items))


def _is_close(x: Any, y: Any) -> bool:
    if isinstance(x, float):
        both_nan = x != x and y != y
        return both_nan or math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE * 1e-3)
    return bool(x == y)


def failure(program: Program, ways: Sequence[Options] = WAYS) -> str:
    """How a program fails; empty if it does what it must."""
    for options in ways:
        result = observe(program, options)
        if not agrees(program.expected, result):
            return f"-O{options.level} gives {shown(result)}"
    return ""


@dataclass(frozen=True)
class _Given:
    """A program as `fuzz_targets` takes it."""

    text: str
    inputs: dict[str, np.ndarray[Any, Any]]


def as_given(program: Program) -> _Given:
    """The program for `fuzz_targets`."""
    inputs = {name: as_numpy(value, program.storages[name]) for name, value in program.inputs.items()}
    return _Given(program.text, inputs)


def on_c(programs: Sequence[Program], levels: Sequence[int | Way]) -> list[Outcome]:
    """What becomes of programs on C at these levels, against the interpreter; all are compiled at once."""
    return compare([as_given(each) for each in programs], levels)


# --- campaigns ------------------------------------------------------------------------------------------

Verdict = tuple[str, str]
"""What is counted, and how a program fails; empty if it does not."""
Judge = Callable[[Sequence[Program]], list[Verdict]]
BATCH = 48


def by_plain_apl(programs: Sequence[Program]) -> list[Verdict]:
    """The interpreter against the plain definition."""
    verdicts = []
    for program in programs:
        why = failure(program)
        ended = "ended in an error" if isinstance(program.expected, frozenset) else "agreed"
        verdicts.append(("failed" if why else ended, why))
    return verdicts


def by_interpreter(levels: Sequence[int | Way]) -> Judge:
    """C at these levels against the interpreter, and the interpreter against the plain definition."""

    def judge(programs: Sequence[Program]) -> list[Verdict]:
        verdicts = []
        for outcome, (status, why) in zip(on_c(programs, levels), by_plain_apl(programs), strict=True):
            if outcome.is_failure:
                status, why = outcome.status, f"{outcome.status}: {outcome.detail}"
            verdicts.append((status if why else outcome.status, why))
        return verdicts

    return judge


def minimised(
    choices: list[int], entry: Production | None, seconds: float, judge: Judge, batch: int
) -> Program:
    """A program that fails, from fewer and smaller choices than these; so many are judged at once."""
    end = time.monotonic() + seconds
    best = generate(Recorded(choices), entry)
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        candidates = _simpler(best, choices, entry)
        while not progress and time.monotonic() < end and (some := list(islice(candidates, batch))):
            for (made, program), (_, why) in zip(some, judge([p for _, p in some]), strict=True):
                if why:
                    best, choices, progress = program, made, True
                    break
    return best


def _simpler(
    program: Program, choices: list[int], entry: Production | None
) -> Iterator[tuple[list[int], Program]]:
    """Simpler programs, and the choices that make them."""
    for fewer in _smaller(choices):
        chooser = Recorded(fewer)
        other = generate(chooser, entry)
        if (len(other.text), chooser.made) < (len(program.text), choices):
            yield chooser.made, other


def _smaller(choices: list[int]) -> Iterator[list[int]]:
    for width in (32, 16, 8, 4, 2, 1):
        for start in range(0, len(choices) - width + 1, max(1, width // 2)):
            yield choices[:start] + choices[start + width :]
    for k, choice in enumerate(choices):
        for less in sorted({0, choice // 2, max(choice - 1, 0)}):
            if less < choice:
                yield [*choices[:k], less, *choices[k + 1 :]]


def campaign(
    seconds: float, seed: int, symbol: str, shrink: float, judges: Sequence[Judge], batch: int
) -> int:
    """Run programs until the time is over; the number of failures."""
    end = time.monotonic() + seconds
    entries = [(key, made) for key, made in PRODUCTIONS.items() if symbol in ("", key[0], " ".join(key))]
    if not entries:
        raise SystemExit(f"no programs have {symbol} outermost")
    counts: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for judge in cycle(judges):
        if time.monotonic() >= end:
            break
        seeds = range(seed, seed + batch)
        choosers = [Recorded(random=Random(s)) for s in seeds]
        programs = [generate(c, entries[s % len(entries)][1]) for s, c in zip(seeds, choosers, strict=True)]
        for s, chooser, (status, why) in zip(seeds, choosers, judge(programs), strict=True):
            key, entry = entries[s % len(entries)]
            counts[status] += 1
            counts["failures"] += bool(why)
            if why and seen[signature := f"{key} {why[:60]}"] < 2:
                seen[signature] += 1
                least = minimised(chooser.made, entry, shrink, judge, batch)
                told = judge([least])[0][1] or f"{why} (not when it was run again)"
                print(f"--- seed {s}, {' '.join(key)}: {told}\n{least}\n", flush=True)
        seed += batch
    print(f"up to seed {seed}: {dict(counts)}")
    return counts["failures"]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--entry", default="", help="only programs with that outermost: ⊂, or ⊂ nested")
    parser.add_argument("--target", choices=("interp", *LEVELS), default="interp")
    parser.add_argument("--shrink", type=float, help="seconds to make a failure small")
    chosen = parser.parse_args()
    judges, batch, shrink = (by_plain_apl,), 1, 5.0
    if chosen.target in LEVELS:
        judges, batch, shrink = tuple(map(by_interpreter, LEVELS[chosen.target])), BATCH, 60.0
    shrink = shrink if chosen.shrink is None else chosen.shrink
    return min(1, campaign(chosen.seconds, chosen.seed, chosen.entry, shrink, judges, batch))


if __name__ == "__main__":
    sys.exit(main())
