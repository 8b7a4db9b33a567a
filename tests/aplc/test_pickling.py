"""Errors, functions, programs and reports can be pickled and copied: processes can exchange them."""

import copy
import importlib
import multiprocessing
import pickle
import pkgutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.apl_front.reading.classes import NoValue
from aplc.apl_front.syntax.annotation_types import Mistake
from aplc.apl_front.syntax.ast import Name
from aplc.command_line import UsageError
from aplc.tail.errors import AplcError, Diagnostic, Error, InternalError, MachineError
from aplc.tail.faults import LENGTHS, FaultRaised
from aplc.tail.source import Source, Span

TEXT = "f←{⍵+1 2}\ng←{f ⍵}\ng 1 2 3"
SPAN = Span(Source("a.apl", TEXT), 5, 8)
CAUSE = Diagnostic("LENGTH ERROR", "+ needs equal lengths", SPAN, "⍵ is <int>3", (SPAN,))

pytestmark = pytest.mark.usefixtures("surroundings")


def caught(text: str) -> Error:
    with pytest.raises(aplc.Error) as failure:
        aplc.run(text, target="interp")
    return failure.value


def ways(value: Any) -> list[Any]:
    """A value after each way of copying it."""
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in protocols]
    return [*pickled, copy.copy(value), copy.deepcopy(value)]


def test_errors_as_they_are_raised() -> None:
    for text in (TEXT, "1 2+1 2 3 ⋄ ⍳'a'", "⎕SH 'ls'", "(⍳3)[⎕←4]", "1÷0", "x"):
        error = caught(text)
        error.add_note("seen")
        for twin in ways(error):
            assert type(twin) is type(error)
            assert str(twin) == str(error) and "^" in str(twin)
            assert twin.__notes__ == ["seen"]
            assert isinstance(error, AplcError)
            (span, *_), (other, *_) = [[d.span for d in e.diagnostics] for e in (error, twin)]
            assert (span.line, span.column, span.text) == (other.line, other.column, other.text)
            assert [len(d.trail) for d in twin.diagnostics] == [len(d.trail) for d in error.diagnostics]


def test_errors_of_every_class() -> None:
    name = Name("x", span=SPAN)
    errors: list[BaseException] = [
        *[kind(CAUSE) for kind in (AplcError, *AplcError.__subclasses__()) if kind is not NoValue],
        aplc.ArgumentValueError(CAUSE), aplc.ArgumentTypeError(CAUSE), aplc.OptionError("o"),
        aplc.CallError("c"), MachineError("m"), InternalError("lower", "no rule"), UsageError("u", "usage"),
        NoValue(name), FaultRaised(LENGTHS, 2, "3"), Mistake("no type", SPAN),
    ]  # fmt: skip
    for error in errors:
        for twin in ways(error):
            assert (type(twin), str(twin)) == (type(error), str(error))
            assert twin.__dict__.keys() == error.__dict__.keys() and len(twin.args) == len(error.args)
    assert copy.deepcopy(aplc.CompileError(CAUSE)).diagnostics == (CAUSE,)
    assert pickle.loads(pickle.dumps(InternalError("lower", "no rule"))).stage == "lower"


def exception_classes() -> list[type[BaseException]]:
    """Every class of exceptions in our packages."""
    found: dict[type[BaseException], None] = {}
    for found_module in pkgutil.walk_packages(aplc.__path__, "aplc."):
        try:
            module = importlib.import_module(found_module.name)
        except ModuleNotFoundError as missing:
            assert missing.name == "jax", missing  # of the extra `bench`; all others come with `dev`
            continue
        for value in vars(module).values():
            is_error = isinstance(value, type) and issubclass(value, BaseException)
            if is_error and value.__module__.startswith("aplc."):
                found[value] = None
    return list(found)


def test_no_class_of_errors_needs_more_than_its_base_has() -> None:
    """Python rebuilds an exception by calling its class with `args`; ours with constructors do otherwise."""
    classes = exception_classes()
    assert len(classes) > 20
    for kind in classes:
        assert issubclass(kind, Error) or "__init__" not in vars(kind), f"{kind}: derive it from Error"


def test_all_that_is_raised_has_one_base() -> None:
    wrong: list[tuple[type[BaseException], Any]] = [
        (ValueError, lambda: aplc.run("1", target="fortran")),
        (ValueError, lambda: aplc.fn("+", threads=3)),
        (ValueError, lambda: aplc.run("x", x=[[1, 2], 3], target="interp")),
        (TypeError, lambda: aplc.run("x", x=[b"a"], target="interp")),
        (TypeError, lambda: aplc.fn("+", target="interp")(1, 2, 3)),
        (aplc.CompileError, lambda: aplc.run("x", x=[b"a"], target="interp")),
    ]
    for base, call in wrong:
        with pytest.raises(base) as failure:
            call()
        assert isinstance(failure.value, aplc.Error)
        for twin in ways(failure.value):
            assert str(twin) == str(failure.value) and type(twin) is type(failure.value)
    offered = [kind for each in aplc.__all__ if isinstance(kind := getattr(aplc, each), type)]
    errors = [kind for kind in offered if issubclass(kind, BaseException)]
    assert len(errors) >= 10 and all(issubclass(kind, aplc.Error) for kind in errors)


def test_a_text_is_pickled_once() -> None:
    long = Source("long.apl", "⍝\n" * 100_000)
    causes = [Diagnostic("E", "m", Span(long, k, k + 1), trail=(Span(long, 0, 1),)) for k in range(20)]
    content = pickle.dumps(AplcError(causes))
    assert len(content) < len(long.text.encode()) + 10_000
    twins = pickle.loads(content).diagnostics
    assert len({id(each.span.source) for each in twins}) == 1
    assert twins[0].span.join(twins[5].span).end == 6


def test_functions_and_programs(tmp_path: Path) -> None:
    (tmp_path / "p.apl").write_text("k←10\nadd←{⍵+k}\nsub←{⍺-⍵}\n", encoding="utf-8")
    mean = aplc.fn("+⌿÷≢", target="interp", strict_fp=True)
    mean([1, 2])
    for twin in ways(mean):
        assert twin([1, 2, 6]) == 3.0 and repr(twin) == repr(mean) and twin.__name__ == mean.__name__
        assert twin._options == mean._options
    assert copy.copy(mean) is mean and copy.deepcopy({"f": mean})["f"] is mean
    program = aplc.load(str(tmp_path / "p.apl"), target="interp")
    (tmp_path / "p.apl").unlink()  # the text travels with it
    for twin in ways(program):
        assert dir(twin) == ["add", "sub"] and twin.add(1) == 11 and twin.sub(3, 1) == 2
        with pytest.raises(AttributeError, match="no function mul"):
            _ = twin.mul
    assert len(pickle.dumps(program)) < 2500
    assert len(ways(aplc.check(TEXT))[0].diagnostics) == 1


def test_other_processes() -> None:
    """What a worker raises arrives; where it could not be unpickled, the pool would wait for ever."""
    add = aplc.fn("1 2+⊢", target="interp")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(add, (np.array([1, 2]),)).get(100).tolist() == [2, 4]
        for error, argument in ((aplc.RunError, [1, 2, 3]), (aplc.ArgumentTypeError, [b"ab"])):
            with pytest.raises(error) as failure:
                pool.apply_async(add, (argument,)).get(100)
            assert failure.value.diagnostics[0].kind in ("LENGTH ERROR", "DOMAIN ERROR")
