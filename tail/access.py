"""Programs that may open no file: what refuses them, before any path is looked at.

`--no-files` and `files=False` are for programs of strangers. The front end asks where a function that opens
files is applied, for `⎕NPY` reads a header when it is elaborated; what is to run is looked through once more.
"""

from __future__ import annotations

from aplc.tail.errors import CompileError, compile_error
from aplc.tail.source import Span
from aplc.tail.syntax import Op, Term, walk


def no_files(name: str, span: Span | None) -> CompileError:
    """The error for a function that would read or write a file."""
    return compile_error(
        "FILE ERROR", f"{name} may open no file: the option --no-files (files=False) forbids it", span
    )


def refuse_files(term: Term) -> None:
    """Raise `CompileError` where a program opens files, whatever it would do before."""
    for node in walk(term):
        if isinstance(node, Op) and node.prim.opens:
            raise no_files(node.symbol or node.prim.name, node.span)
