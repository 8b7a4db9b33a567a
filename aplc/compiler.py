"""The compiler from end to end: sources in, a program that runs out. Each stage is one short function.

APL text ─ parse, elaborate ─► TAIL ─ optimise ─► TAIL ─ lower ─► Laila ─ generate ─► loops ─ emit ─► C ─►
machine

Which passes are made on the way is data: `aplc.tail.pipeline`, `aplc.laila.pipeline`. What a target has, and
what makes programs for it, says its record in `aplc.targets`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from aplc import observing
from aplc.apl_front.elaboration.described import Described, described
from aplc.apl_front.elaboration.elaborate import Elaborated, elaborate_function, elaborate_program
from aplc.apl_front.syntax.ast import File
from aplc.apl_front.syntax.mentioned import unused_inputs
from aplc.apl_front.syntax.parser import parse
from aplc.backends.c.program import CProgram
from aplc.compiled import Compiled
from aplc.deep_stack import with_deep_stack
from aplc.inputs import require_used
from aplc.laila import passes as laila_passes
from aplc.laila import pipeline as laila
from aplc.laila.ir.loops import Code
from aplc.laila.ir.program import Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.generate import generate
from aplc.laila.lowering.decisions import Decisions
from aplc.laila.lowering.terms import lower_program
from aplc.laila.passes import TASKS, Goal, checking, chosen
from aplc.options import Options
from aplc.tail import pipeline as tail
from aplc.tail.access import refuse_files
from aplc.tail.errors import CompileError, Diagnostic, Unsupported
from aplc.tail.optimise.kept_storage import kept_storage
from aplc.tail.passes import run_passes, timed
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.source import Source
from aplc.tail.syntax import Fn, Term, body_of
from aplc.tail.types import Type
from aplc.tail_text import is_tail, read_tail

if TYPE_CHECKING:  # for a device only
    from aplc.laila.devices.kernels import Offloaded


def parse_files(sources: list[Source]) -> list[File]:
    """All files, or the errors of all files."""
    files: list[File] = []
    errors: list[Diagnostic] = []
    for source in sources:
        try:
            files.append(parse(source))
        except (CompileError, Unsupported) as error:
            errors += error.diagnostics
    if errors:
        raise CompileError(errors)
    return files


def to_tail(
    sources: list[Source],
    inputs: Mapping[str, Type],
    *,
    value_of_assignment: bool = False,
    rules: Rules = DEFAULTS,
    all_used: bool = False,
    outputs: Sequence[str] = (),
) -> Elaborated:
    """The elaborated program; a single `.tail` text is read as it stands. With `all_used` an
    input that it does not use is an error, `UnusedInput`; `outputs` are those of `Options`.
    """
    if is_tail(sources):
        read = read_tail(sources[0], inputs, all_used=all_used)
        if not rules.may_read:
            refuse_files(read.term)
        return read
    files = parse_files(sources)
    elaborated = elaborate_program(
        files, inputs, value_of_assignment=value_of_assignment, rules=rules, outputs=outputs
    )
    if all_used:
        require_used(unused_inputs(files, inputs))
    return elaborated


def optimise(term: Term, options: Options) -> Term:
    """The term after the TAIL passes of the level, or after those named."""
    observe = observing.of_tail(options)
    observe(tail.START, term)
    checks = options.settings.check_overflow
    passes = tail.chosen(options.level, options.passes, check_overflow=checks)
    return run_passes(term, passes, observe, options.timed)


def goal_of(options: Options) -> Goal:
    """What Laila's passes are told of the target."""
    target, division = options.made_for, options.division
    threads = target.threads and (division.in_threads or not target.kernels)
    return Goal(options.level, threads, target.kernels, division, shortest=options.verify)


def loops_of(term: Term, storage: Mapping[str, str], options: Options) -> Program:
    """The Laila program of a term before all passes, to see which loops it has."""
    return lower_program(term, storage, options.settings, None, "")[0]


def to_laila(
    term: Term, storage: Mapping[str, str], options: Options, decisions: Decisions | None = None
) -> tuple[Program, ExprBuilder]:
    """The Laila program of a term; what is written to memory, and why, is noted in `decisions`."""
    result = "" if options.made_for.kernels else options.result_storage
    lower = partial(lower_program, term, storage, options.settings, decisions, result)
    program, make = timed(laila.START, lower, options.timed)
    goal = goal_of(options)
    passes = chosen(laila.PASSES, goal, laila.named(options.passes))
    observe = observing.of_soacs(options, passes)
    observe(laila.START, program)
    done = laila_passes.run_passes(program, make, goal, passes, observe, options.timed)
    return _with_functions_alone(done, program, make, options), make


def _with_functions_alone(done: Program, begun: Program, make: ExprBuilder, options: Options) -> Program:
    """A program of Laila whose functions say what they are inside of tasks; it was made of `begun`."""
    goal, names = goal_of(options), laila.named(options.passes)
    if not done.functions or not TASKS.holds(goal):
        return done
    from aplc.laila.threads.alone import may_have_tasks, with_functions_alone  # noqa: PLC0415 (few programs do)

    if not may_have_tasks(done):
        return done
    goal = replace(goal, threads=False, in_tasks=True)
    passes = chosen(laila.PASSES, goal, names)
    observe = checking(passes) if options.verify else lambda *_: None
    alone = laila_passes.run_passes(begun, make, goal, passes, observe, options.timed)
    return with_functions_alone(done, alone)


def to_kernels(program: Program, make: ExprBuilder, options: Options) -> Offloaded:
    """A Laila program with kernels for a device."""
    from aplc.laila.devices.kernels import Offloaded  # noqa: PLC0415 (most programs start faster without it)

    goal, names = goal_of(options), laila.named(options.passes)
    is_shared = any([each.shares_memory for each in chosen(laila.PASSES, goal, names)])
    observe = observing.of_kernels(options, is_shared=is_shared)
    passes = chosen(laila.DEVICE_PASSES, goal, names)
    return laila_passes.run_passes(Offloaded(program, (), {}), make, goal, passes, observe, options.timed)


def to_loops(program: Program, make: ExprBuilder, options: Options) -> Code:
    """The loops of a Laila program, or of the host of one that has kernels."""
    code = timed(
        laila.LOOP_START, partial(generate, program, make, splitting=options.level > 0), options.timed
    )
    goal, observe = goal_of(options), observing.of_loops(options, program.parameters)
    observe(laila.LOOP_START, code)
    passes = chosen(laila.LOOP_PASSES, goal, laila.named(options.passes))
    return laila_passes.run_passes(code, make, goal, passes, observe, options.timed)


def to_c(program: Program, make: ExprBuilder, options: Options) -> CProgram:
    """The C of a Laila program, with threads if the target has them, or a host that has kernels."""
    code = to_loops(program, make, options)
    emit = partial(options.made_for.emitter.emit, program.parameters, code, options)
    return timed("emit", emit, options.timed)


def finish(elaborated: Elaborated, storage: Mapping[str, str], options: Options) -> Compiled:
    """The rest of the way, from elaborated TAIL to something that runs."""
    if not options.files:
        refuse_files(elaborated.term)
    if elaborated.is_written:
        options = replace(options, settings=replace(options.settings, is_written=True))
    if options.keeps_storage and (kept := kept_storage(elaborated.term, storage)):
        options = replace(options, result_storage=kept)
    term = optimise(elaborated.term, options)
    inputs = tuple([q.name for q in term.params]) if isinstance(term, Fn) else ()
    runnable = options.made_for.maker.runnable(term, storage, options)
    return Compiled(body_of(term).ty, inputs, runnable, elaborated.digits, options.result_storage)


def compile_program(
    sources: list[Source],
    inputs: Mapping[str, Type],
    storage: Mapping[str, str],
    options: Options,
    *,
    value_of_assignment: bool = False,
    all_used: bool = False,
) -> Compiled:
    """A whole program for a target; with `all_used` an input that it does not use is an error.

    Raises `CompileError`, `Unsupported`, `MachineError`, or `InternalError` for a bug of ours.
    """

    def elaborated() -> Elaborated:
        return to_tail(
            sources,
            inputs,
            value_of_assignment=value_of_assignment,
            rules=options.rules,
            all_used=all_used,
            outputs=options.outputs,
        )

    return _compiled(elaborated, storage, options)


def compile_function(
    sources: list[Source],
    name: str | None,
    args: Mapping[str, Type],
    storage: Mapping[str, str],
    options: Options,
    *,
    to_each: bool = False,
) -> Compiled:
    """One function of a program, for the given argument types; with `to_each` of their elements."""
    return _compiled(lambda: elaborate_one(sources, name, args, options, to_each=to_each), storage, options)


def elaborate_one(
    sources: list[Source],
    name: str | None,
    args: Mapping[str, Type],
    options: Options,
    *,
    to_each: bool = False,
) -> Elaborated:
    """A function as TAIL, for the given argument types; with `to_each` of their elements."""
    return elaborate_function(parse_files(sources), name, args, rules=options.rules, to_each=to_each)


def describe(
    sources: list[Source], name: str | None, options: Options, *, is_read: bool = False
) -> Described:
    """What the text says of a function. Raises what is wrong with the program; if it `is_read`, also the
    syntax errors inside of the function.
    """
    return with_deep_stack(
        lambda: described(parse_files(sources), name, rules=options.rules, is_read=is_read)
    )


def _compiled(elaborate: Callable[[], Elaborated], storage: Mapping[str, str], options: Options) -> Compiled:
    return with_deep_stack(
        lambda: finish(timed(tail.START, elaborate, options.timed), storage, options),
    )
