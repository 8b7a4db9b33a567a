"""What the report shows of a program: its APL text, the C generated for it, what `aplc explain` says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aplc.apl_front.elaboration.elaborate import elaborate_function
from aplc.bench.arguments import inputs_of
from aplc.bench.results import reason_of
from aplc.bench.suite import Benchmark
from aplc.compiler import optimise, parse_files, to_c, to_laila
from aplc.deep_stack import with_deep_stack
from aplc.explain.report import explain_function
from aplc.explain.text import lines
from aplc.inputs import by_part, decode
from aplc.options import Options


@dataclass(frozen=True, slots=True)
class Listing:
    """The texts of one measured function."""

    name: str
    function: str
    source: str
    code: str
    explanation: str


def listings(benchmarks: Iterable[Benchmark]) -> list[Listing]:
    """A listing for each of them, for arguments of the quick size."""
    return [with_deep_stack(lambda each=each: _listing(each)) for each in benchmarks]  # type: ignore[misc]


def _listing(benchmark: Benchmark) -> Listing:
    source = decode(benchmark.path.read_bytes(), benchmark.path.name)
    inputs = inputs_of(benchmark.arguments(benchmark.quick))
    options = Options()
    try:
        types = {name: i.type for name, i in inputs.items()}
        storage = {name: i.storage for name, i in by_part(inputs).items()}
        elaborated = elaborate_function(parse_files([source]), benchmark.function, types)
        program, make = to_laila(optimise(elaborated.term, options), storage, options)
        code = to_c(program, make, options).text
        told = "\n".join(lines(explain_function([source], benchmark.function, inputs, options)))
    except Exception as failure:  # the row says so, too
        code = told = reason_of(failure)
    return Listing(benchmark.name, benchmark.function, source.text, code, told)
