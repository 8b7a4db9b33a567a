"""Rewrites of TAIL under test: what comes out as text, and that it is well-typed and means the same."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.tail.check import check
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.optimise.rewrite import Rebuild
from aplc.tail.source import Source
from aplc.tail.syntax import Exp, Fn, Term
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Func, Type

Rewrite = Callable[[Term], Term]


def parse(text: str) -> Term:
    return parse_term(Source("test.tail", text))


def everywhere(rule: Callable[[Exp], Exp]) -> Rewrite:
    """A rule of single expressions, applied from the leaves up."""
    return lambda term: Rebuild(rule).term(term)


def one_line(text: str) -> str:
    """The text without the line breaks and indentation that its width causes."""
    return re.sub(r"(?<=[(,]) ", "", " ".join(text.split()))


def assert_becomes(rewrite: Rewrite, before: str, after: str) -> None:
    """A rewrite gives this text, a well-typed term, and one that gives the same."""
    assert_text(rewrite, before, after)
    term = parse(before)
    if not isinstance(term, Fn):
        assert same(outcome(term), outcome(rewrite(term)))


def assert_text(rewrite: Rewrite, before: str, after: str) -> None:
    term = rewrite(parse(before))
    check(term)
    assert one_line(print_term(term)) == one_line(after)


def assert_unchanged(rewrite: Rewrite, text: str) -> None:
    assert_text(rewrite, text, print_term(parse(text)))


def plain(value: Any) -> Any:
    """A value as text, with its dtype and shape; NaN is equal to itself."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.dtype.name, value.shape, value.reshape(-1).tolist()


def same(a: Any, b: Any) -> bool:
    """Equal; doubles up to the last bits, which loops over vectors may round otherwise than scalars."""
    if isinstance(a, float) and isinstance(b, float):
        zeros = a != 0 or math.copysign(1, a) == math.copysign(1, b)
        return (a != a and b != b) or (a == b and zeros) or math.isclose(a, b, rel_tol=1e-12)
    if isinstance(a, complex) and isinstance(b, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, tuple | list) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def outcome(term: Term, inputs: tuple[np.ndarray[Any, Any], ...] = ()) -> tuple[str, Any, list[Any]]:
    """The kind of the error or none, the value, and what was printed."""
    prints: list[Any] = []
    try:
        value = evaluate(term, inputs, lambda value, ty, digits: prints.append(plain(value)))
    except RunError as error:
        return error.diagnostics[0].kind, None, prints
    return "", plain(value), prints


def result_type(term: Term) -> Type:
    return term.ty.result if isinstance(term.ty, Func) else term.ty
