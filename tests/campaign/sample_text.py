"""A program as the text of a sample: see `docs/samples.md`."""

from collections.abc import Mapping

import numpy as np

from aplc.inputs import as_input
from aplc.tail.source import Source
from tests.fuzz_targets import Value
from tests.support.samples import REFERENCE, WAYS, Outcome, build, run


def sample_of(text: str, inputs: Mapping[str, Value], remarks: list[str]) -> str:
    """A program with its inputs, and what the reference interpreter says that it prints. This has to be held
    against the definition of APL before it becomes a sample.
    """
    given = {name: as_input(value) for name, value in inputs.items()}
    outcome = run(build(lambda: Source("text", text), given, WAYS[REFERENCE]), given)
    remarks = [line for remark in remarks for line in remark.splitlines()]
    lines = [f"⍝ {line[:150]}" for line in remarks]
    lines += [f"⍝ == {_input(name, value)}" for name, value in inputs.items()]
    expected = _expected(outcome)
    header = len(lines) + len(expected)
    expected = [line.replace("LINE", str(header + 1), 1) for line in expected]
    return "\n".join([*lines, *expected, text]) + "\n"


def _expected(outcome: Outcome) -> list[str]:
    lines = [f"⍝ == json {value}" for value in outcome.values]
    for error in outcome.errors:
        where = f"LINE:{error.span.column}" if error.span and error.span.line == 1 else "LINE:1"
        lines.append(f"⍝ == error {where} {error.kind}: {error.message}")
    return lines + [f"⍝ the interpreter fails: {outcome.crash}"] * bool(outcome.crash)


def _input(name: str, value: Value) -> str:
    shape = "".join([f" {n}" for n in value.shape])
    if value.dtype.kind == "U":
        return f"input {name} char{shape}: '{''.join(value.ravel().tolist())}'"
    items = value.ravel().tolist()
    if value.dtype.kind == "b":
        items = [int(v) for v in items]
    plain = np.dtype(value.dtype).newbyteorder("=").name
    dtype = {"int64": "int", "float64": "double"}.get(plain, plain)
    return f"input {name} {dtype}{shape}: {' '.join([repr(v).replace('-', '¯') for v in items])}"
