"""What is fuzzed in Python: each reader of what comes from outside, as a function of bytes.

A reader gives a value or an error of ours, which can be shown. Whatever else a function here raises is a
finding: another exception, or an `AssertionError` where what was read does not come back when it is written
and read again.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from aplc.apl_front.syntax.ast import Annotation
from aplc.apl_front.syntax.ast_print import render
from aplc.apl_front.syntax.lexer import CLOSER, MAX_ERRORS, OPENER, Token, balance, tokenize
from aplc.apl_front.syntax.parser import parse
from aplc.inputs import as_input, decode
from aplc.shell.input_arguments import read_input
from aplc.tail.check import check
from aplc.tail.errors import AplcError, CompileError, Diagnostic
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import DTYPES, base_of_value
from aplc.tail.meaning.files import read_doubles, read_integers, read_text
from aplc.tail.npy import npy_header, read_npy
from aplc.tail.source import Source
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Base, Func

Target = Callable[[bytes], None]


def read_lexer(data: bytes) -> None:
    """Tokens in the order of the text and inside it, whatever the text; every bracket closed by `balance`."""
    source = Source("fuzz.apl", data.decode(errors="replace"))
    lexed = tokenize(source)
    assert len(lexed.errors) <= MAX_ERRORS
    _shown(lexed.errors)
    spans = [token.span for token in lexed.tokens]
    assert all(0 <= span.start < span.end <= len(source.text) for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    errors = list(lexed.errors)
    _nested(balance(lexed.tokens, errors))
    _shown(errors)


def _nested(tokens: list[Token]) -> None:
    """Every bracket is closed by its own kind, and no quote is open."""
    stack = []
    for token in tokens:
        assert token.type != "BROKEN"
        if token.type in CLOSER:
            stack.append(CLOSER[token.type])
        elif token.type in OPENER:
            assert stack and stack.pop() == token.type
    assert not stack


def read_parser(data: bytes) -> None:
    """A tree that can be printed, or mistakes in the order of the text; blank lines behind change nothing."""
    text = data.decode(errors="replace")
    found = _outcome(text)
    assert _outcome(text + "\n \n") == found


def _outcome(text: str) -> str:
    try:
        return render(parse(Source("fuzz.apl", text)))
    except AplcError as error:
        starts = [d.span.start for d in error.diagnostics if d.span is not None]
        assert starts == sorted(starts) and 0 < len(error.diagnostics) <= MAX_ERRORS
        _shown(error.diagnostics)
        return "\n".join(d.message for d in error.diagnostics)


def read_annotation(data: bytes) -> None:
    """Comments above and behind a brace; a type that is read is read again from its text."""
    text = "\n⍝ ".join(data.decode(errors="replace").splitlines())
    for form in ("⍝: {}\nf←{{⍺⍺ ⍵}}", "f←{{⍝: {}\n⍺ ⍵}}", "⍝: {}\nv←1"):
        read = _annotation(form.format(text))
        if read is not None:
            types = [
                f"({part.type})" if isinstance(part.type, Func) else str(part.type) for part in read.parts
            ]
            again = _annotation(form.format(" → ".join(types)))
            assert again is not None and again.type == read.type, f"{read.type} is read as {again}"


def _annotation(text: str) -> Annotation | None:
    """The annotation of the first statement or its braces."""
    try:
        file = parse(Source("fuzz.apl", text))
    except AplcError as error:
        _shown(error.diagnostics)
        return None
    for statement in file.statements:
        for node in (statement, *statement.items):
            found = getattr(node, "annotation", None)
            if isinstance(found, Annotation):
                return found
    return None


def read_tail(data: bytes) -> None:
    """A term that the checker accepts and that is equal when it is printed and read, or a user's mistake.

    Nesting beyond the stack is a `RecursionError`, which the driver meets with a larger stack.
    """
    source = Source("fuzz.tail", data.decode(errors="replace"))
    try:
        term = parse_term(source)
        check(term, "read")
        text = print_term(term)
        again = parse_term(Source("printed.tail", text))
        has_nan = re.search(r"\bnan\b", text)  # which is equal to nothing
        assert print_term(again) == text and (again == term or has_nan), text
    except CompileError as error:
        assert len(error.diagnostics) == 1
        _shown(error.diagnostics)
    except RecursionError:
        pass


def read_npy_file(data: bytes) -> None:
    """An array with the element type and rank that its header tells, or a FILE ERROR that names the file.

    What NumPy reads is read, too, but for elements that APL has no counterpart for.
    """
    with _file(data) as path:
        header = _faulty(npy_header, path)
        read = _faulty(read_npy, path)
        if header is None:
            assert read is None
        if read is not None:
            base, array = read
            assert header == (base, array.ndim)
            assert as_input(array).value.shape == array.shape
            assert base is not Base.BOOL or not (array.view(np.uint8) > 1).any()
            assert base is not Base.CHAR or not (array > 0x10FFFF).any()
            assert array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative
            assert base is Base.CHAR or base_of_value(array.astype(DTYPES[base])) is base
            _as_numpy_reads(data, array)
        with contextlib.suppress(CompileError):
            read_input(f"x={path}")


def _as_numpy_reads(data: bytes, array: np.ndarray) -> None:
    if not array.size:
        return
    try:
        plain = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except ValueError:  # blanks that NumPy does not take
        return
    assert plain.shape == array.shape
    if plain.dtype.kind in "iuf":
        assert np.array_equal(plain.astype(array.dtype), array, equal_nan=plain.dtype.kind == "f")


def read_text_file(data: bytes) -> None:
    """Characters, integers and doubles of a file; numbers that are read are read again from their text."""
    with _file(data) as path:
        text = _faulty(read_text, path)
        integers = _faulty(read_integers, path)
        doubles = _faulty(read_doubles, path)
    if text is not None:
        assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")
    if integers is not None:
        assert doubles is not None and doubles.shape == integers.shape
        assert integers.tolist() == [int(x.replace("¯", "-")) for x in _WORD.findall(text or "")]
    if doubles is not None:
        with _file(", ".join([repr(x) for x in doubles.tolist()]).encode()) as path:
            again = read_doubles(path)
        assert np.array_equal(again, doubles, equal_nan=True)
        assert all(
            math.copysign(1, x) == math.copysign(1, y) or x != x for x, y in zip(again, doubles, strict=True)
        )
    try:
        source = decode(data, "fuzz.apl")
        assert source.text.encode() == data.removeprefix(b"\xef\xbb\xbf")
    except CompileError as error:
        _shown(error.diagnostics)


def read_argument(data: bytes) -> None:
    """What stands behind `--input`; a file is looked for in a directory that has none."""
    with contextlib.suppress(CompileError):
        read_input(data.decode(errors="replace"))


_WORD = re.compile(r"[^][,\s]+")


def _shown(diagnostics: object) -> None:
    """Every mistake has a block of its own, with a caret in the text."""
    for diagnostic in diagnostics:  # type: ignore[attr-defined]
        assert isinstance(diagnostic, Diagnostic)
        shown = diagnostic.render()
        assert diagnostic.span is None or "^" in shown.rpartition("\n")[2]


def _faulty(read: Callable, path: str) -> object:
    """What a reader of files gives; None for a FILE ERROR, which names the path."""
    try:
        return read(path)
    except FaultRaised as raised:
        assert raised.fault.kind == "FILE ERROR" and path in str(raised.values[0])
        return None


@contextlib.contextmanager
def _file(data: bytes) -> Iterator[str]:
    """The path of a file with these bytes, in memory where the machine has that."""
    if hasattr(os, "memfd_create"):
        number = os.memfd_create("fuzz")
        try:
            os.write(number, data)
            yield f"/proc/self/fd/{number}"
        finally:
            os.close(number)
    else:
        import tempfile  # noqa: PLC0415

        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            yield file.name


READERS: dict[str, Target] = {
    "lexer": read_lexer,
    "parser": read_parser,
    "annotation": read_annotation,
    "tail": read_tail,
    "npy": read_npy_file,
    "text": read_text_file,
    "argument": read_argument,
}
