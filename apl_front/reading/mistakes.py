"""The error for a row that has no reading."""

from __future__ import annotations

from aplc.tail.errors import CompileError, compile_error
from aplc.tail.source import Span


def syntax_error(message: str, span: Span) -> CompileError:
    """A SYNTAX ERROR."""
    return compile_error("SYNTAX ERROR", message, span)
