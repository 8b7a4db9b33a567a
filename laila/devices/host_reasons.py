"""Why loops run on the host of a device: what `aplc explain` says of those that have no kernel.

The reasons follow what `offload` and its dividers ask of a loop, in the order in which they ask.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from aplc.laila.devices.device_mapping import Division
from aplc.laila.devices.item_sort import can_be_distributed
from aplc.laila.devices.kernels import NOT_IN_KERNELS, OF_THE_DRIVER, ROUNDED, in_any_order
from aplc.laila.devices.offload_loops import LoopDivider, loops_in_parts
from aplc.laila.devices.offload_products import is_product
from aplc.laila.ir.program import (
    Alloc,
    Filter,
    ForEach,
    FunctionCall,
    Fused,
    HostCall,
    Map,
    Program,
    Reduce,
    RuntimeCall,
    Scan,
    Statement,
)
from aplc.laila.ir.scalar import TABLE, Call, Check, Const, Exp, Fold, PureCall, Read, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere, expressions, own_expressions, within
from aplc.tail import prims as p

RECURSIVE = "it belongs to a function that calls itself"
CALLS = "each call makes arrays whose lengths only it knows, so one follows the other"
"""Why the calls of a function that calls itself have no kernels."""
SORTS = "the host's threads sort: of one array there is no kernel"
LIBRARY = "it is a function of the library of the host"
ONE = "it is one element"
IN_ORDER = "of several elements for one place the last one counts, so they are written in order"
APPENDS = "it writes behind what is there"
SOONER = "the host's threads do it sooner"
FILTERS = "several parts go on from element to element, which takes groups that wait for each other"
DEPENDS = "a round needs what those before it have computed"
ROOM = "how much memory a round has for itself is known only there"
SEVERAL_AXES = "it goes over several axes"
CHECKED = "a check may fail after what it reads has been changed"
CONDITION = "it is computed only where a condition holds"


class HostReasons(LoopDivider):
    """The reasons of a program's loops."""

    def __init__(self, program: Program, make: ExprBuilder, division: Division) -> None:
        super().__init__(program, make, division)
        self.schedules = loops_in_parts(program, make)
        self.allocations = {s.buffer: s.size for s in everywhere(program.statements) if isinstance(s, Alloc)}
        self.in_functions = {id(s) for f in program.functions for s in within(f.statements)}

    def of(self, statement: Statement) -> str:
        """Why a loop has no kernel, where no loop around it has one."""
        if id(statement) in self.in_functions:
            return RECURSIVE
        match statement:
            case RuntimeCall(function=function):
                return SORTS if is_sort(function) else LIBRARY
            case HostCall(prim=prim):
                return f"the host computes {prim.name}"
            case _:
                return self.of_what_it_computes(statement) or self.of_its_form(statement)

    def of_what_it_computes(self, statement: Statement) -> str:
        """Why the expressions of a loop are none for kernels; empty if they are."""
        settings = self.make.settings
        found = [n for s in within((statement,)) for n in nodes(*own_expressions(s))]
        ops = dict.fromkeys([n.op for n in found if isinstance(n, Call)])
        for node in found:
            if isinstance(node, PureCall):
                return f"it calls {node.function}, a function of the library of the host"
            if isinstance(node, Read) and node.buffer.storage == TABLE:
                return "it looks into a table that the library of the host has made"
        for op in ops:
            if op in NOT_IN_KERNELS:
                return f"only the host computes {op.name}"
            if settings.strict_fp and op in ROUNDED:
                return f"under --strict-fp the host computes {op.name}, to the last bit"
            if op in OF_THE_DRIVER and not self.is_eager:
                return f"{SOONER}: it computes {op.name}"
        return self.of_sequences(statement)

    def of_sequences(self, statement: Statement) -> str:
        """Why sequences of statements in expressions are none for kernels; empty if they are."""
        for each in everywhere((statement,)):
            match each:
                case FunctionCall():
                    return "it calls a function that calls itself"
                case Alloc(size=size) if not isinstance(size, Const) and not isinstance(statement, ForEach):
                    return "its elements take memory whose size only each of them knows"
                case _:
                    pass
        return ""

    def of_its_form(self, statement: Statement) -> str:
        """Why a loop is none for kernels by its form."""
        match statement:
            case ForEach():
                return self.of_rounds(statement)
            case Map(space=space) | Scan(space=space) | Filter(space=space) | Fused(space=space):
                if not space.indices:
                    return ONE
            case _:
                pass
        parts = statement.parts if isinstance(statement, Fused) else (statement,)
        for part in parts:
            if reason := self.of_part(part):
                return reason
        if len([q for q in parts if isinstance(q, Scan | Filter)]) > 0 and len(parts) > 1:
            return FILTERS
        return self.of_amount(statement)

    def of_part(self, part: Statement | Reduce) -> str:
        """Why one part of a loop is none for kernels; empty if it is."""
        match part:
            case Map(ordered=True):
                return IN_ORDER
            case Map() if is_product(self.free, part) and not self.is_eager:
                return f"{SOONER}: it multiplies matrices"
            case Filter(goes_on=True):
                return APPENDS
            case Scan(combine=combine, body=body):
                return self.of_order([(combine, body)])
            case Reduce(fold=fold, var=var):
                return self.of_order([(fold.combine, var)])
            case Map() | Filter():
                return ""
            case _:
                folds = [n for n in nodes(*expressions(part)) if isinstance(n, Fold)]
                return self.of_order([(fold.combine, fold) for fold in folds])

    def of_order(self, combined: Sequence[tuple[object, Exp]]) -> str:
        """Why combinations must be made in their order; empty if not."""
        for combine, value in combined:
            if not isinstance(combine, p.Prim):
                return "its function is applied to one element after the other"
            if not in_any_order(self.make.settings, combine, value.ty):
                return "under --strict-fp sums are made in their order"
        return ""

    def of_rounds(self, statement: ForEach) -> str:
        """Why a loop over statements has no kernel."""
        if can_be_distributed(self.make, statement):
            return f"{SOONER}: the arrays that a round makes stay in its cache"
        inside = within(statement.body)
        for each in inside:
            match each:
                case FunctionCall():
                    return "its rounds call a function that calls itself"
                case HostCall(prim=prim):
                    return f"its rounds ask the host for {prim.name}"
                case RuntimeCall(function=function) if is_sort(function):
                    return "its rounds sort, besides what is no loop over all items"
                case RuntimeCall(function=function):
                    return f"its rounds call {function}, a function of the library of the host"
                case _:
                    pass
        if len(statement.space.indices) != 1:
            return SEVERAL_AXES
        if statement.counts is not None and not self.is_eager:
            return f"{SOONER}: they pack what is kept of each item, and look at each value once"
        schedule = self.schedules.get(statement.space.indices[0])
        if schedule is None or schedule.running is not None:
            return DEPENDS
        if self.own_memory(statement, schedule)[0] is None:
            return ROOM
        return self.of_amount(statement)

    def of_amount(self, statement: Statement) -> str:
        """Whether there is too little to do, or a check in the way."""
        roots = own_expressions(statement)
        if not isinstance(statement, ForEach | Map | Scan | Filter | Fused):
            return CONDITION
        if isinstance(statement, ForEach):
            work = self.effort.of_rounds(statement)
        else:
            work = self.effort.of_loop(statement.space, roots, ())
        least = self.division.least_work
        if self.effort.reaches(work, least) is self.make.false:
            amount = f"about {work.value}" if isinstance(work, Const) else "fewer"
            return f"it takes {amount} operations, a kernel pays from {least} on"
        if any(isinstance(n, Check) for n in nodes(*expressions(statement))):
            return CHECKED
        return "no kernel has its form"


def is_sort(function: str) -> bool:
    """Whether a function of the run-time system sorts or grades."""
    return function.startswith(("aplc_sort", "aplc_grade", "aplc_first", "aplc_items_grade"))


def kernel_around(around: Sequence[Statement], with_kernels: Container[int]) -> Statement | None:
    """The outermost loop around another one that has kernels, by the identities of those that have."""
    return next((s for s in around if isinstance(s, ForEach) and id(s) in with_kernels), None)
