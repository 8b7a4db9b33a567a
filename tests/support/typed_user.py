"""What a user writes who has types checked: mypy and pyright find exactly the mistakes that are marked.

It is checked and not run.
"""

from collections.abc import Iterator

import numpy as np

import aplc


@aplc.apl
def norm(x: object) -> object:
    "{(+/⍵×⍵)*÷2}"


@aplc.apl(target="openmp", threads=2, ct=0)
def mean(x: object) -> object:
    "+⌿÷≢"


function: aplc.Function = norm
program: aplc.LoadedProgram = aplc.load("signal.apl", target="opencl", precision="single")
names: Iterator[str] = iter(program)
scaled: aplc.Function = program["signal"].compile("[double]1")
texts: tuple[str, ...] = scaled.types
text: str = mean.emit("c", "[double]1") + mean.explain("[double]1")
value = aplc.run("x+y", x=np.ones(3), y=2, time_limit=1.5, to="arrow")
report: aplc.Report = aplc.check("1+")
found: tuple[aplc.Diagnostic, ...] = report.diagnostics
each = aplc.fn("{⍵>0:⍵ ⋄ 0}").ufunc([1, 2], out=np.zeros(2))
try:
    norm(x=[3, 4])
except (aplc.CompileError, aplc.RunError) as error:
    causes: list[str] = [cause.message for cause in error.diagnostics]
except aplc.Error:
    pass

aplc.fn("+/", target="gpu")  # type: ignore[arg-type]
aplc.run("1", to="pandas")  # type: ignore[arg-type]
aplc.load("a.apl", precision="half")  # type: ignore[arg-type]
aplc.fn("+/", speed=2)  # type: ignore[call-arg]
aplc.fn(["+/"])  # type: ignore[arg-type]
program[0]  # type: ignore[index]
norm.compile(1)  # type: ignore[arg-type]
