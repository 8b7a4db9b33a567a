"""`aplc explain`: which arrays of a program are fused, which are written to memory and why, and what its
loops move.

What is written is known from the lowering (`aplc.laila.lowering.decisions`), what of that disappears from the
program behind all passes, where the elements of the other arrays go from the TAIL term
(`aplc.explain.flows`). The text is made in `aplc.explain.text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from aplc.apl_front.building.facts import InOrder
from aplc.apl_front.elaboration.elaborate import Elaborated, elaborate_function
from aplc.compiler import optimise, parse_files, to_laila, to_tail
from aplc.explain.flows import Flows
from aplc.explain.items import Nesting, Nestings
from aplc.inputs import APL_NAME, Input, by_part
from aplc.laila.devices.device_mapping import Division
from aplc.laila.devices.host_reasons import SOONER, HostReasons, kernel_around
from aplc.laila.devices.kernels import Offloaded
from aplc.laila.devices.offload import offload
from aplc.laila.devices.offload_loops import with_own_indices
from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import ArrayRef, HostCall, Output, Program, Reduce, RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer, Const, Exp, Fold, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, leaves, within
from aplc.laila.loops.generate import generate
from aplc.laila.lowering.decisions import Decisions
from aplc.laila.reports.fusion_blockers import waiting, why_apart
from aplc.laila.reports.peak import Memory
from aplc.laila.reports.traffic import Loop, Traffic
from aplc.laila.threads.parallel import in_threads, parallelise
from aplc.laila.threads.tasks import make_tasks, why_in_one_thread
from aplc.options import Options
from aplc.tail import prims as p
from aplc.tail.errors import MachineError
from aplc.tail.source import Source, Span
from aplc.tail.syntax import Op, Term
from aplc.targets.devices import in_threads_alone
from aplc.targets.opencl import sooner_of

Fate = Literal["fused", "register", "written"]
PLAIN = (p.EACH, p.ZIP_WITH, p.PRINT, p.PRINT_WITH, p.COPY, p.MATERIALISE)
"""What is told only where it is written or has a name."""
NAMED = re.compile(rf"({APL_NAME.pattern})\s*←[\s(]*$")


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of an array of the source."""

    span: Span
    name: str
    """The APL name that it is assigned to, if any."""
    fate: Fate
    loops: tuple[int, ...]
    """The numbers of the loops that compute it."""
    reasons: tuple[str, ...]
    readers: tuple[tuple[int, str], ...]
    """The loops that read it from memory, and why they are not part of the one that writes it."""


@dataclass(frozen=True, slots=True)
class OnDevice:
    """What of a program may run on a device."""

    work: Mapping[int, Exp]
    """About how many operations the loops take that have kernels, by the identity of their statements."""
    least_work: int
    """The operations from which on a loop is worth a kernel."""
    moved: tuple[tuple[Buffer, ...], ...]
    """What goes to a device with memory of its own before each loop, or comes back from it; where it is not
    known how much there is to do, the loop is taken to run there.
    """
    returned: tuple[Buffer, ...]
    """What is printed, or a result, and comes back from there."""
    choices: Mapping[int, str]
    """Which of several kernels loops over items choose, by the identity of their statements."""
    on_host: Mapping[int, str | Statement]
    """Why the other loops have no kernel, or the loop around them whose kernels do them, by the identity of
    their statements.
    """
    is_single: bool = False
    """Whether doubles are floats there, to which they are converted on the way."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is to be told of a program."""

    program: Program
    make: ExprBuilder
    traffic: Traffic
    decisions: Decisions
    arrays: tuple[Decision, ...]
    peaks: tuple[Exp, ...]
    """The most memory in bytes besides the inputs: the largest of these."""
    lengths: Mapping[str, int]
    """The extents of the inputs at hand."""
    in_order: Sequence[InOrder]
    """Operators whose function is applied to one element after the other."""
    threaded: frozenset[str] | None = None
    """The names of what is computed in threads; None for a target without them."""
    device: OnDevice | None = None
    """None for a target without one."""
    nestings: Sequence[Nesting] = ()
    """The arrays of arrays."""
    calls: Mapping[Span, str] = field(default_factory=dict)
    """Of functions that call themselves, by the places of their first calls, why calls inside are not made at
    the same time; nothing where they are. Empty for a target without threads.
    """

    @property
    def loops(self) -> list[Loop]:
        """The loops; they are numbered from 1."""
        return self.traffic.loops

    @property
    def recursions(self) -> list[Span]:
        """Where the functions that call themselves are first called."""
        spans = [function.site.span for function in self.program.functions]
        return sorted([span for span in spans if span is not None], key=lambda span: span.start)

    def label(self, buffer: Buffer) -> str:
        """What a buffer holds, in the words of the source."""
        for parameter in self.program.parameters:
            if parameter.buffer is buffer:
                return parameter.name
        if buffer.data is not None:
            return "constants"
        span = self.span_of(buffer)
        return "what a loop or a choice gives" if span is None else name_of(span) or first_words(span)

    def span_of(self, buffer: Buffer) -> Span | None:
        """The place in the source of what a buffer holds: where lowering wrote it, or a function sorts it."""
        written = self.decisions.written.get(buffer.name)
        if written is not None:
            return written.span
        calls = [call for call in within(self.program.statements) if isinstance(call, RuntimeCall)]
        written_by = [call for call in calls if buffer in call.arguments and buffer not in call.only_reads]
        return next((call.site.span for call in written_by if call.site is not None), None)

    def places(self, loop: Loop) -> list[Span]:
        """The places in the source of what a loop computes."""
        found: dict[Span, None] = {}
        for buffer in buffers_of(loop):
            if (span := self.span_of(buffer)) is not None:
                found[span] = None
        reductions = [q.fold if isinstance(q, Reduce) else q for q in loop.parts]
        indices = [fold.var.name for fold in reductions if isinstance(fold, Fold)]
        for name in indices or ([] if found else sorted(loop.names)):
            if name in self.decisions.places:
                found[self.decisions.places[name]] = None
        return sorted(found, key=lambda span: span.start)

    def in_threads(self, loop: Loop) -> bool | None:
        """Whether a loop runs in threads, if there is enough to do; None for a target without threads."""
        if self.threaded is None:
            return None
        return bool(self.threaded & {*loop.names, *[b.name for b in buffers_of(loop)]})

    def before(self, k: int) -> list[int]:
        """The numbers of the loops whose results a loop needs."""
        loop = self.loops[k]
        memory = {b.name for b, _ in loop.reads} | {b.name for b in loop.searched}
        return [
            j + 1
            for j, other in enumerate(self.loops[:k])
            if other.names & loop.needs or {b.name for b in buffers_of(other)} & memory
        ]

    def unknown(self, *formulas: Exp) -> dict[str, Span]:
        """The variables in formulas that the program computes, with their places."""
        names = {n.name: None for n in nodes(*formulas) if isinstance(n, Var)}
        places = dict(self.decisions.places)
        for loop in self.loops:
            for span in self.places(loop)[:1]:
                places |= {v.name: span for v in bound(loop.statement)}
        return {name: places[name] for name in names if name in places}


def explain(sources: list[Source], inputs: Mapping[str, Input], options: Options) -> Explanation:
    """Compile a program as far as Laila and tell what was decided. Raises what compiling raises."""
    types = {name: i.type for name, i in inputs.items()}
    elaborated = to_tail(sources, types, rules=options.rules, all_used=True)
    return explained(elaborated, inputs, options)


def explain_function(
    sources: list[Source], name: str, arguments: Mapping[str, Input], options: Options
) -> Explanation:
    """The same for one function of a program; the arguments are called ⍵, or ⍺ and ⍵."""
    types = {argument: i.type for argument, i in arguments.items()}
    elaborated = elaborate_function(parse_files(sources), name, types, rules=options.rules)
    return explained(elaborated, arguments, options)


def explained(elaborated: Elaborated, inputs: Mapping[str, Input], options: Options) -> Explanation:
    """What is to be told of a program that was elaborated for the types of these inputs; what is not at hand
    has elements of the usual size, and extents that nobody knows.
    """
    parts = by_part(inputs)
    storage = {name: i.storage for name, i in parts.items()}
    term = optimise(elaborated.term, options)
    decisions, sooner = Decisions(), ""
    program, make = to_laila(term, storage, options, decisions)
    if options.made_for.kernels:
        division = _division(options)
        sooner = sooner_of(term, storage, options, division, lambda: program)
    if sooner:
        decisions = Decisions()
        program, make = to_laila(term, storage, in_threads_alone(options), decisions)
    if options.made_for.kernels:  # whose loops are known by their statements
        program = with_own_indices(program, make)
    traffic = Traffic(program, make)
    lengths = {
        extent.name: n
        for q in program.parameters
        if q.name in parts
        for extent, n in zip(q.extents, parts[q.name].value.shape, strict=True)
    }
    memory = Memory(make)
    memory.run(program.statements)
    peaks = tuple([traffic.resolved(peak, {}) for peak in memory.largest()])
    arrays = _Arrays(program, make, traffic, decisions).of(term)
    nestings = tuple(Nestings(elaborated.term, program, make, traffic, decisions).of(elaborated.nested))
    threaded, calls = None, dict[Span, str]()
    if options.made_for.threads:
        code = parallelise(generate(program, make, splitting=options.level > 0), make)
        threaded = in_threads(code)
        if options.level > 0 and not options.made_for.kernels:
            calls = _calls(make_tasks(code, make))
    device = None
    if options.made_for.kernels:
        options = replace(options, division=_division(options))
        none = Offloaded(program, (), {})
        offloaded = none if sooner else offload(program, make, options.division)
        device = _on_device(program, traffic, lengths, offloaded, options, sooner)
    in_order = elaborated.in_order
    return Explanation(
        program,
        make,
        traffic,
        decisions,
        tuple(arrays),
        peaks,
        lengths,
        in_order,
        threaded,
        device,
        nestings,
        calls,
    )


def _calls(code: Code) -> dict[Span, str]:
    """Why calls inside of functions are no tasks, by the places of these; nothing where there are some."""
    reasons = why_in_one_thread(code)
    found: dict[Span, str] = {}
    for routine in code.routines:
        if (span := routine.site.span) is not None:
            found[span] = found.get(span, "all") and reasons[routine.name]
    return found


def _division(options: Options) -> Division:
    """That of the device of this machine; where there is none, what is open stays so."""
    try:
        return options.made_for.device_emitter.division_here(options)
    except MachineError:
        return options.division


def _on_device(
    program: Program,
    traffic: Traffic,
    lengths: Mapping[str, int],
    offloaded: Offloaded,
    options: Options,
    sooner: str,
) -> OnDevice:
    """What runs on a device, and what that and the host hand to each other; all stays there for what the host
    does `sooner`.
    """
    work, least = offloaded.work, options.division.least_work
    on_host = {q.buffer for q in program.parameters}
    on_device: set[Buffer] = set()
    moved: list[tuple[Buffer, ...]] = []
    for loop in traffic.loops:
        operations = work.get(id(loop.statement))
        known = None if operations is None else traffic.resolved(operations, lengths)
        is_there = known is not None and not (isinstance(known, Const) and known.value < least)
        here, there = (on_device, on_host) if is_there else (on_host, on_device)
        used = dict.fromkeys([*[b for b, _ in loop.reads], *loop.searched])
        moved.append(tuple([b for b in used if b in there and b not in here]))
        here |= set(moved[-1])
        for buffer in buffers_of(loop):
            here.add(buffer)
            there.discard(buffer)
    outputs = [leaf for s in program.statements if isinstance(s, Output) for leaf in leaves(s.value)]
    results = [leaf.buffer for leaf in outputs if isinstance(leaf, ArrayRef)]
    returned = tuple([b for b in results if b in on_device and b not in on_host])
    reasons = _on_host(program, traffic, offloaded, options.division, sooner)
    single = options.settings.is_single
    return OnDevice(work, least, tuple(moved), returned, offloaded.choices, reasons, single)


def _on_host(
    program: Program, traffic: Traffic, offloaded: Offloaded, division: Division, sooner: str
) -> dict[int, str | Statement]:
    """Why loops have no kernel, or the loop around them that has."""
    if sooner:
        why = f"{SOONER}, as all of this program: it has {sooner}"
        return {id(loop.statement): why for loop in traffic.loops}
    reasons = HostReasons(program, traffic.make, division)
    result: dict[int, str | Statement] = {}
    for loop in traffic.loops:
        if id(loop.statement) not in offloaded.work:
            around = kernel_around(loop.around, offloaded.work)
            result[id(loop.statement)] = around or reasons.of(loop.statement)
    return result


def buffers_of(loop: Loop) -> list[Buffer]:
    """The buffers that a loop or a function fills."""
    match loop.statement:
        case RuntimeCall(arguments=arguments):
            return [a for a in arguments if isinstance(a, Buffer)][-1:]
        case HostCall(result=result):
            return [leaf.buffer for leaf in leaves(result) if isinstance(leaf, ArrayRef)]
        case _:
            return [buffer for buffer, _ in loop.writes]


def name_of(span: Span) -> str:
    """The name that stands before the arrow to the left of a place; none if there is no arrow."""
    found = NAMED.search(span.source.text[: span.start].rpartition("\n")[2])
    return found.group(1) if found else ""


def first_words(span: Span) -> str:
    """The text at a place, shortened to some words."""
    line = span.text.partition("\n")[0].rstrip()
    return line if len(line) <= 40 and line == span.text else line[:39] + "…"


class _Arrays:
    """What became of the arrays of a term."""

    def __init__(self, program: Program, make: ExprBuilder, traffic: Traffic, decisions: Decisions) -> None:
        self.make = make
        self.loops = traffic.loops
        everything = [*program.statements, *[s for f in program.functions for s in f.statements]]
        self.alive = {b.name for s in everything for b in mentioned(s)}
        self.written: dict[Span, list[str]] = {}
        self.why: dict[str, str] = {}
        self.names: dict[Span, str] = {}
        for name, each in decisions.written.items():
            if each.span is not None:
                self.written.setdefault(each.span, []).append(name)
                self.why[name] = each.why
        self.numbers: dict[Span, set[int]] = {}
        for k, loop in enumerate(self.loops):
            names = [b.name for b in buffers_of(loop)]
            spans = [decisions.written[n].span for n in names if n in decisions.written]
            spans += [decisions.places[n] for n in loop.names if n in decisions.places]
            for span in spans:
                if span is not None:
                    self.numbers.setdefault(span, set()).add(k + 1)

    def of(self, term: Term) -> Iterator[Decision]:
        """The arrays that have names, that are written, or whose elements are moved or combined."""
        flows = Flows(term)
        self._name([e.span for e in flows.arrays() if e.span is not None])
        seen: dict[Span, list[int]] = {}
        for exp in flows.arrays():
            span = exp.span
            if span is None:
                continue
            is_plain = not isinstance(exp, Op) or exp.prim in PLAIN
            if is_plain and span not in self.written and span not in self.names:
                continue
            own = sorted(self.numbers.get(span, ()))
            ends = [k for end in flows.ends(exp, self.numbers.__contains__) for k in self.numbers[end]]
            seen.setdefault(span, []).extend(own or ends)
        for span in self.written:
            seen.setdefault(span, sorted(self.numbers.get(span, ())))
        for span, loops in sorted(seen.items(), key=lambda each: (each[0].source.name, each[0].start)):
            yield self._decision(span, tuple(sorted(set(loops))))

    def _name(self, spans: list[Span]) -> None:
        """Find the places of values that are assigned: the longest that stand behind an arrow."""
        longest: dict[tuple[Source, int], Span] = {}
        for span in [*spans, *self.written]:
            arrow = span.source, len(span.source.text[: span.start].rstrip(" \t("))
            if arrow not in longest or longest[arrow].end < span.end:
                longest[arrow] = span
        self.names = {span: name for span in longest.values() if (name := name_of(span))}

    def _decision(self, span: Span, loops: tuple[int, ...]) -> Decision:
        names = [name for name in self.written.get(span, ()) if name in self.alive]
        if not names:
            fate: Fate = "register" if span in self.written else "fused"
            return Decision(span, self.names.get(span, ""), fate, loops, (), ())
        reasons = tuple(dict.fromkeys([self.why[name] for name in names]))
        writers = tuple([k + 1 for k, loop in enumerate(self.loops) if _fills(loop, names)])
        readers = tuple([reader for name in names for reader in apart_from(self.make, self.loops, name)])
        return Decision(span, self.names.get(span, ""), "written", writers, reasons, readers)


def apart_from(make: ExprBuilder, loops: Sequence[Loop], name: str) -> Iterator[tuple[int, str]]:
    """The numbers of the loops that read a buffer, and why each is not the one that writes it."""
    writers = [loop for loop in loops if _fills(loop, [name])]
    behind = {id(loop) for loop in waiting(loops, writers[0])} if writers else set[int]()
    for k, loop in enumerate(loops):
        for buffer, _ in loop.reads:
            if buffer.name == name and loop not in writers:
                waits = id(loop) in behind
                yield k + 1, why_apart(make, writers[0], loop, buffer, waits=waits) if writers else ""
        if any(b.name == name for b in loop.searched) and loop not in writers:
            yield k + 1, "a function of the run-time system reads it"


def _fills(loop: Loop, names: list[str]) -> bool:
    return any(b.name in names for b in buffers_of(loop))
