"""The lowering of `⎕BENCH`: a loop around a function, between two looks at the host's clock."""

from __future__ import annotations

import time

import numpy as np

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Assign, HostCall, ScalarRef, Variable, While
from aplc.laila.ir.scalar import Exp, Site, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.join import Join
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.system import report_runs
from aplc.tail.prims import Prim
from aplc.tail.syntax import Fn, Op
from aplc.tail.types import Base
from aplc.tail.unify import parse_scheme


def _clock(ignored: Value) -> Value:
    return np.asarray(time.monotonic_ns())


def _report(runs: Value, start: Value) -> Value:
    report_runs(int(runs), time.monotonic_ns() - int(start))
    return runs


CLOCK = Prim("clock", (parse_scheme("int → int"),), _clock, stateful=True)
"""Nanoseconds since some moment."""
REPORT = Prim("reportRuns", (parse_scheme("int → int → int"),), _report, stateful=True)
"""Writes how long so many runs took since a moment."""


@lowers(p.BENCH)
def bench(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """`f ⎕BENCH n⊢a`: the value of the last of n runs."""
    function, count, array = op.args
    assert isinstance(function, Fn)
    make, memory = low.make, site(faults.NO_MEMORY)
    low.settle()
    runs = low.named(low.array(count).at(), "runs")
    argument = low.stored(low.forced_all(low.array(array)), memory)
    low.require(make.call(p.GTEI, runs, make.one), site(faults.NO_RUNS), runs)
    join = Join(low, op.ty, "r")
    left = Var(make.fresh("left"), Base.INT)
    low.emit(Variable(left, runs))
    start = _asked(low, CLOCK, (runs,), memory)
    with low.block() as body:
        join.give(low.applied(function, argument), memory)
        low.emit(Assign(left, make.sub(left, make.one)))
    low.emit(While(make.call(p.GTI, left, make.zero), tuple(with_frees(body))))
    _asked(low, REPORT, (runs, start), memory)
    return join.value(body)


def _asked(low: Lowering, prim: Prim, arguments: tuple[Exp, ...], site: Site) -> Exp:
    answer = Var(low.make.fresh("answer"), Base.INT)
    low.emit(HostCall(prim, tuple([ScalarRef(a) for a in arguments]), ScalarRef(answer), site))
    return answer
