"""Programs that are TAIL text: files whose name ends in `.tail`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aplc.apl_front.elaboration.elaborate import Elaborated
from aplc.inputs import require_used
from aplc.tail.errors import CompileError, Diagnostic
from aplc.tail.source import Source
from aplc.tail.syntax import Fn, body_of
from aplc.tail.text_parse import parse_term
from aplc.tail.types import UNIT, Type

SUFFIX = ".tail"


def is_tail(sources: Sequence[Source]) -> bool:
    """Whether a program is TAIL text. Raises `CompileError` if only some of its files are."""
    found = [source for source in sources if source.name.endswith(SUFFIX)]
    if found and len(sources) > 1:
        message = f"{found[0].name} is a program of its own and cannot be one of several files"
        raise CompileError(Diagnostic("SYNTAX ERROR", message))
    return bool(found)


def read_tail(source: Source, inputs: Mapping[str, Type], *, all_used: bool) -> Elaborated:
    """The program of such a text, whose inputs must be of the types that it says."""
    term = parse_term(source, inputs)
    params = {q.name: q.ty for q in term.params} if isinstance(term, Fn) else {}
    for name, ty in params.items():
        if name not in inputs:
            raise CompileError(
                Diagnostic("VALUE ERROR", f"the program needs --input {name}=FILE.npy, {ty}", term.span)
            )
        if str(inputs[name]) != str(ty):
            message = f"the program needs {ty} for {name}, the input is {inputs[name]}"
            raise CompileError(Diagnostic("TYPE ERROR", message, term.span))
    if all_used:
        require_used([name for name in inputs if name not in params])
    return Elaborated(term, (), (), body_of(term).ty != UNIT, is_written=True)
