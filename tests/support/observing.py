"""What runs of a program do, as far as it can be seen; whether two did the same.

Where the interpreter does not agree with itself there is nothing to compare: when it reduces in another
order, or evaluates arguments in the other order.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest import mock

import numpy as np

from aplc.backends.native.run import OnPrint, Result
from aplc.compiler import optimise
from aplc.options import Options
from aplc.tail import evaluate as interpreter
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning import core as meaning
from aplc.tail.meaning import select as meaning_select
from aplc.tail.meaning.overflow import CHECKED
from aplc.tail.prims import Prim
from aplc.tail.syntax import Fn, PrimFn, Term
from aplc.targets.interp import Interpreted

Value = np.ndarray[Any, Any]
Run = Callable[[Sequence[Value], OnPrint], Any]
TOLERANCE = 1e-9
USUAL = {
    "int8": "int64",
    "int16": "int64",
    "int32": "int64",
    "uint8": "int64",
    "uint16": "int64",
    "float32": "float64",
}
"""The dtypes of the interpreter for narrower ones; those of characters are 32 bits."""


@dataclass
class Observed:
    """What a run did: the values printed, and the results or the kind of the error."""

    printed: list[Result]
    results: tuple[Result, ...] | str


def observe(run: Run, inputs: list[Value]) -> Observed:
    """The observable behaviour of a program."""
    printed: list[Result] = []
    try:
        results = run(inputs, lambda value, base, digits: printed.append(_copied(value)))
    except RunError as error:
        return Observed(printed, error.diagnostics[0].kind)
    return Observed(printed, tuple(map(_copied, results)))


def _copied(value: Result) -> Result:
    """What is seen may change later, or be freed; and results may be stored as narrow as inputs came."""
    if isinstance(value, tuple):
        return tuple(map(_copied, value))
    return np.array(value, USUAL.get(np.asarray(value).dtype.name))


def difference(a: Observed, b: Observed, *, exactly: bool = False) -> str:
    """How two runs differ; nothing if they do not. Doubles may differ in the ninth digit, or not at all."""
    same = identical if exactly else nearly_same
    if isinstance(a.results, str) or isinstance(b.results, str):
        if a.results != b.results:
            return f"{_shown(a.results)} against {_shown(b.results)}"
    else:
        for x, y in zip(a.results, b.results, strict=True):
            if not same(x, y):
                return f"result {_shown(x)} against {_shown(y)}"
    if len(a.printed) != len(b.printed):
        return f"{len(a.printed)} values printed against {len(b.printed)}"
    for x, y in zip(a.printed, b.printed, strict=True):
        if not same(x, y):
            return f"printed {_shown(x)} against {_shown(y)}"
    return ""


def identical(a: Result, b: Result) -> bool:
    """Whether two values are the same to the last bit."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        tuples = isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b)
        return tuples and all(map(identical, a, b))
    alike = a.shape == b.shape and a.dtype == b.dtype
    if alike and a.dtype == object:
        return all(map(identical, a.ravel(), b.ravel()))
    return alike and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def nearly_same(a: Result, b: Result) -> bool:
    """Whether two values are the same, doubles and complex numbers nearly."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        tuples = isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b)
        return tuples and all(map(nearly_same, a, b))
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype == object:
        return all(map(nearly_same, a.ravel(), b.ravel()))
    if a.dtype.kind not in "fc":
        return bool(np.all(a == b))
    with np.errstate(all="ignore"):
        largest = np.maximum(np.abs(a), np.abs(b))
        if a.dtype.kind == "f":
            return _near(a, b, largest)
        return _near(a.real, b.real, largest) and _near(a.imag, b.imag, largest)


def _near(a: Value, b: Value, largest: Value) -> bool:
    """Whether doubles are the same, or finite and differ by little of what is given for each: of a complex
    number the part that is smaller has the error of the other.
    """
    near = np.abs(a - b) <= TOLERANCE * largest
    return bool(np.all((a == b) | near & np.isfinite(a) & np.isfinite(b) | np.isnan(a) & np.isnan(b)))


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(_shown, value))
    if isinstance(value, str):
        return value
    text = re.sub(r"\s+", " ", repr(value.tolist()))
    return f"{value.dtype}{list(value.shape)} {text[:200]}"


# --- reductions in another order ------------------------------------------------------------------------


@contextmanager
def shaken(random: Random) -> Iterator[None]:
    """Meanwhile the interpreter reduces and scans with associative functions in another order, and the last
    bit of powers, exponentials and logarithms, and of matrices that are divided by, is another one.
    """
    in_order = meaning.reduce_nonempty
    scanned = p.SCAN.meaning
    assert scanned is not None

    def scan(f: meaning.Pointwise, a: Value) -> Value:
        n = a.shape[-1]
        if n < 2 or not f.associative:
            return np.asarray(scanned(f, a))
        width = random.randint(1, n - 1)
        blocks = [scanned(f, a[..., k : k + width]) for k in range(0, n, width)]
        for k in range(1, len(blocks)):
            before = np.broadcast_to(blocks[k - 1][..., -1:], blocks[k].shape)
            blocks[k] = np.asarray(f(before, blocks[k]))
        return np.concatenate(blocks, -1)

    def reduce_nonempty(f: meaning.Pointwise, a: Value) -> Value:
        n = a.shape[-1]
        if n < 2 or not f.associative:
            return in_order(f, a)
        a = a[..., random.sample(range(n), n)]
        cut = random.randint(1, n - 1)
        return np.asarray(f(in_order(f, a[..., :cut]), in_order(f, a[..., cut:])))

    divisions = (p.MAT_INV, p.MAT_DIV)
    inexact = {prim: prim.meaning for prim in (p.POWD, p.EXPD, p.LND, *divisions)}

    def blurred(exact: Any) -> Any:
        return lambda *xs: exact(*xs) * (1 + random.choice((-2, -1, 1, 2)) * 2.0**-52)

    def by_another(exact: Any) -> Any:
        def divide(*xs: Any) -> Any:
            signs = [random.choice((-1, 1)) for _ in range(xs[-1].size)]
            return exact(*xs[:-1], xs[-1] * (1 + np.reshape(signs, xs[-1].shape) * 2.0**-52))

        return divide

    with mock.patch.object(meaning, "reduce_nonempty", reduce_nonempty):
        try:
            object.__setattr__(p.SCAN, "meaning", scan)
            for prim, exact in inexact.items():
                object.__setattr__(prim, "meaning", (by_another if prim in divisions else blurred)(exact))
            yield
        finally:
            object.__setattr__(p.SCAN, "meaning", scanned)
            for prim, exact in inexact.items():
                object.__setattr__(prim, "meaning", exact)


def is_sensitive(
    term: Term, inputs: list[Value], expected: Observed, *, check_overflow: bool = False
) -> bool:
    """Whether the program's outcome hangs on rounding, or on the order of sums."""
    random = Random(1)
    for _ in range(20):
        with shaken(random):
            other = observe(Interpreted(term, check_overflow).run, inputs)
        if difference(expected, other):
            return True
    return False


def kinds_of_errors(
    term: Term, inputs: list[Value], *, check_overflow: bool = False, optimised: bool = True
) -> set[str]:
    """The errors that the program may end with, by the order in which arguments are evaluated, whether
    elements come before shapes, and also after the passes, if these are not what is looked at.
    """
    apply, argument = interpreter._Interpreter.apply, interpreter._Interpreter.argument

    def from_the_right(self: Any, exp: Any) -> Any:
        whole = exp.prim in interpreter.WHOLE_CELLS
        known = {id(a): argument(self, a, whole=whole) for a in reversed(exp.args)}

        def again(self: Any, arg: Any, *, whole: bool) -> Any:
            return known[id(arg)] if id(arg) in known else argument(self, arg, whole=whole)

        with mock.patch.object(interpreter._Interpreter, "argument", again):
            return apply(self, exp)

    found: set[str] = set()

    def put_off(self: Any, exp: Any) -> Any:
        """Elements that have no value, found after all that looks at shapes."""
        try:
            return apply(self, exp)
        except RunError as error:
            kind = error.diagnostics[0].kind
            if kind != "DOMAIN ERROR" or not (exp.prim.is_scalar or exp.prim in (p.EACH, p.ZIP_WITH, p.ROLL)):
                raise
            found.add(kind)
            shapes = [np.shape(self.eval(a)) for a in exp.args if not isinstance(a, Fn | PrimFn)]
            return np.ones(np.broadcast_shapes(*shapes), interpreter.dtype_of(exp.ty))
        except IndexError:  # an array without elements, at some place
            if exp.prim is p.INDEX:
                given = self.eval(exp.args[0])
                shape = sum([np.shape(s) for s in (given if isinstance(given, tuple) else (given,))], ())
                return np.ones(shape, interpreter.dtype_of(exp.ty))
            return self.eval(exp.args[exp.prim is p.MODIFY])

    def somewhere(subscripts: Any, extents: Any) -> Any:
        """Elements that are not there, found after all that looks at shapes."""
        room = tuple([max(extent, 1) for extent in extents])
        inside = [np.clip(s, 1, extent) for s, extent in zip(subscripts, room, strict=True)]
        if room != tuple(extents) or not all(map(np.array_equal, inside, subscripts)):
            found.add("INDEX ERROR")
        return grid(tuple(inside), room)

    grid = meaning_select._grid
    for each in (term, optimise(term, Options())) if optimised else (term,):
        for order, places in ((apply, grid), (from_the_right, grid), (put_off, somewhere)):
            with (
                mock.patch.object(interpreter._Interpreter, "apply", order),
                mock.patch.object(meaning_select, "_grid", places),
            ):
                seen = observe(Interpreted(each, check_overflow).run, inputs)
            found |= {seen.results} if isinstance(seen.results, str) else set()
    return found


# --- overflow of what is not needed ---------------------------------------------------------------------


def without_overflow(term: Term, inputs: list[Value]) -> Observed:
    """What the program does where integers that do not fit 64 bits are others, by chance: an outcome that is
    the same does not hang on them.
    """
    random = Random(1)

    def noisy(prim: Prim, checked: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            try:
                return checked(*args)
            except FaultRaised:
                result = np.array(prim.meaning(*args))
            given = np.broadcast_arrays(*args) if prim.is_scalar else args
            for place in np.ndindex(result.shape):
                try:
                    checked(*[a[place] for a in given] if prim.is_scalar else args)
                except FaultRaised:
                    result[place] = random.getrandbits(62)
            return result

        return call

    with mock.patch.object(interpreter, "CHECKED", {q: noisy(q, f) for q, f in CHECKED.items()}):
        return observe(Interpreted(term, check_overflow=True).run, inputs)
