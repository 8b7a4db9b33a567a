"""The compiler from end to end: sources in, a program that runs out. Each stage is one short function.

APL text ─ parse, elaborate ─► TAIL ─ optimise ─► TAIL ─ lower ─► Laila ─ generate ─► loops ─ emit ─► C ─►
machine
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from apl_front.elaboration.elaborate import Elaborated, elaborate_function, elaborate_program
from apl_front.syntax.ast import File
from apl_front.syntax.mentioned import unused_inputs
from apl_front.syntax.parser import parse
from aplc.compiled import Compiled, Runnable
from aplc.deep_stack import with_deep_stack, with_deep_stack_once
from aplc.inputs import require_used
from aplc.options import Options
from backends.c.emit import emit_c
from backends.c.program import CProgram
from backends.native.run import NativeProgram, OnPrint, Result, Value, build
from laila.devices.device_mapping import Division, on_cpu, on_gpu, without_host
from laila.ir.check import check_program
from laila.ir.check_rounds import check_rounds
from laila.ir.program import Program
from laila.ir.simplify import Scalars
from laila.loops.generate import generate
from laila.loops.tail_masking import in_whole_vectors
from laila.lowering.decisions import Decisions
from laila.lowering.terms import lower_program
from laila.transform.accumulate import accumulate
from laila.transform.assume import assume_small
from laila.transform.buffer_coalescing import without_moves
from laila.transform.copy_elision import without_copies
from laila.transform.extent_versioning import with_short_rows
from laila.transform.fuse import fuse
from laila.transform.histogram import count_by_key
from laila.transform.hoist import hoist_allocations
from laila.transform.induction import with_round_numbers
from laila.transform.length_versioning import with_equal_lengths
from laila.transform.narrow import narrow_values
from laila.transform.outer_folds import with_folds_apart
from laila.transform.partial_sort import first_of_grades
from laila.transform.pointwise import element_by_element
from laila.transform.predicate_materialisation import with_masks
from laila.transform.strip_mining import in_strips
from laila.transform.unused import without_unused
from tail.access import refuse_files
from tail.check import check
from tail.errors import CompileError, Diagnostic, MachineError, Unsupported
from tail.evaluate import evaluate
from tail.passes import Observe, run_passes
from tail.pipeline import PASSES
from tail.source import Source
from tail.syntax import Fn, Term, body_of
from tail.text_parse import parse_term
from tail.types import UNIT, Tuple, Type, base_of

if TYPE_CHECKING:
    from backends.opencl.device import Device
    from backends.opencl.emit import ClProgram
    from backends.opencl.run import OpenclProgram

T = TypeVar("T")


@dataclass(frozen=True)
class Interpreted:
    """A program for the reference interpreter."""

    term: Term
    check_overflow: bool = False
    memory_limit: int | None = None

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The arrays of the program's value."""

        def show(value: Result, ty: Type, digits: int) -> None:
            on_print(value, None if isinstance(ty, Tuple) else base_of(ty), digits)

        def values() -> tuple[Any, ...]:
            result = evaluate(
                self.term,
                inputs,
                show,
                check_overflow=self.check_overflow,
                memory_limit=self.memory_limit,
            )
            return tuple(_arrays(result))

        return with_deep_stack_once(values, self.term)

    in_c = None
    """Nothing of it is compiled."""


def _arrays(value: Result) -> Iterator[Value]:
    """The arrays of a value, each of its own: an input may be a value."""
    if isinstance(value, tuple):
        for item in value:
            yield from _arrays(item)
    else:
        yield np.array(value, order="C")


# --- stages ---------------------------------------------------------------------------------------------


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
    may_read: bool = True,
    all_used: bool = False,
) -> Elaborated:
    """The elaborated program; a single `.tail` text is read as it stands. Without `may_read` it reads no
    file. With `all_used` an input that it does not use is an error, `UnusedInput`.
    """
    if len(sources) == 1 and sources[0].name.endswith(".tail"):
        read = _read_tail(sources[0], inputs, all_used=all_used)
        if not may_read:
            refuse_files(read.term)
        return read
    for source in sources:
        if source.name.endswith(".tail"):
            message = f"{source.name} is a program of its own and cannot be one of several files"
            raise CompileError(Diagnostic("SYNTAX ERROR", message))
    files = parse_files(sources)
    elaborated = elaborate_program(files, inputs, value_of_assignment=value_of_assignment, may_read=may_read)
    if all_used:
        require_used(unused_inputs(files, inputs))
    return elaborated


def _read_tail(source: Source, inputs: Mapping[str, Type], *, all_used: bool) -> Elaborated:
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
    return Elaborated(term, (), (), body_of(term).ty != UNIT)


def optimise(term: Term, options: Options) -> Term:
    """The term after the TAIL passes of the level, or after those named."""
    observe = options.observe
    if options.verify:
        observe = _verified(options.observe)
    observe("elaborate", term)
    passes = PASSES if options.level > 0 else ()
    if options.passes is not None:
        by_name = {each.name: each for each in PASSES}
        passes = tuple([by_name[name] for name in options.passes])
    return run_passes(term, passes, observe)


def _verified(then: Observe) -> Observe:
    def observe(name: str, term: Term) -> None:
        check(term, name)
        then(name, term)

    return observe


def to_laila(
    term: Term, storage: Mapping[str, str], options: Options, decisions: Decisions | None = None
) -> tuple[Program, Scalars]:
    """The Laila program of a term; what is written to memory, and why, is noted in `decisions`."""
    program, make = lower_program(term, storage, options.settings, decisions)
    if options.verify:
        check_rounds(program, "lower")
    is_shared = False
    for each in _laila_passes(options) if options.level > 0 else ():
        program = each(program, make)
        is_shared |= each is without_moves
        if options.verify:
            check_rounds(program, each.__name__, is_shared=is_shared)
    if options.verify:
        check_program(program)
    return program, make


def narrower(program: Program, make: Scalars) -> Program:
    """The program with narrow values, and without what is then read by nobody."""
    return without_unused(narrow_values(program, make))


def _laila_passes(options: Options) -> list[Callable[[Program, Scalars], Program]]:
    """What makes a Laila program better, in order."""
    passes = [with_round_numbers]
    if options.target != "opencl":  # whose devices compare faster than they wait for one another
        passes.append(count_by_key)
    passes += [first_of_grades, without_copies, without_moves, assume_small, narrower]
    passes.append(with_short_rows)
    if options.target != "openmp":  # whose threads would wait for each other's sums
        passes.append(accumulate)
    passes += [in_strips, with_folds_apart, with_equal_lengths, fuse]
    if options.target in ("openmp", "opencl"):
        passes.append(with_masks)
    return [*passes, hoist_allocations, element_by_element]


def to_c(program: Program, make: Scalars, options: Options) -> CProgram:
    """The C of a Laila program, with threads if the target has them, or a host that has kernels."""
    code = generate(program, make, splitting=options.level > 0)
    strict, limited = options.settings.strict_fp, options.memory_limit is not None
    is_host = options.target == "opencl" and options.division.in_threads
    has_threads = is_host or options.target == "openmp"
    if options.level > 0:
        code = in_whole_vectors(code, make, threads=has_threads)
    if not has_threads:
        return emit_c(program.parameters, code, strict_fp=strict, limited=limited)
    from backends.openmp.emit import emit_openmp  # noqa: PLC0415 (most programs start faster without it)
    from laila.threads.parallel import in_threads, parallelise  # noqa: PLC0415

    code = parallelise(code, make, always=options.verify)
    if is_host and not in_threads(code):
        return emit_c(program.parameters, code, strict_fp=strict, limited=limited)
    return emit_openmp(program.parameters, code, strict_fp=strict, limited=limited)


def to_opencl(program: Program, make: Scalars, options: Options) -> tuple[CProgram, ClProgram]:
    """The C of the host and the kernels of a Laila program."""
    from backends.opencl.emit import emit_opencl  # noqa: PLC0415 (most programs start faster without it)
    from laila.devices.offload import offload  # noqa: PLC0415

    offloaded = offload(program, make, options.division)
    if options.verify:
        check_rounds(offloaded.program, "offload", is_shared=options.level > 0)
        check_program(offloaded.program)
    kernels = emit_opencl(offloaded.kernels, make, options.division)
    return to_c(offloaded.program, make, options), kernels


def to_machine(text: CProgram, options: Options) -> NativeProgram:
    """The program that the C compiler makes, loaded."""
    return build(
        text,
        options.level,
        use_cache=options.use_cache,
        debug=options.verify,
        threads=options.threads,
        memory_limit=options.memory_limit,
    )


def device_of(options: Options) -> Device:
    """The device that the options name, or that has the inputs. Raises `MachineError` where there is none."""
    from backends.opencl.device import find_device  # noqa: PLC0415 (most programs start faster without it)

    return options.on_device or find_device(options.device)


def division_on(device: Device, options: Options) -> Division:
    """How work is divided on a device, as far as the options leave that open."""
    division = options.division
    if device.is_cpu:
        division = on_cpu(division, device.units, device.vector)
    else:
        division = on_gpu(division, device.units, looks_back=device.has_long_atomics)
    division = division if options.on_device is None else without_host(division)
    is_shared = division.shared and device.uses_host_memory and not options.settings.is_single
    lanes = min(division.lanes, device.lanes)
    return replace(division, shared=is_shared, lanes=lanes, features=device.features)


def with_kernels(program: Program, make: Scalars, options: Options) -> OpenclProgram:
    """A Laila program for a device. Its host is C with threads, or without where the compiler has none."""
    from backends.opencl.run import OpenclProgram  # noqa: PLC0415 (most programs start faster without it)

    device = device_of(options)
    if not options.settings.is_single:
        device.require_doubles()
    division = division_on(device, options)
    text, kernels = to_opencl(program, make, replace(options, division=division))
    try:
        native = to_machine(text, options)
    except MachineError:
        if not text.has_threads:
            raise
        in_order = replace(options.division, in_threads=False)
        return with_kernels(program, make, replace(options, division=in_order))
    return OpenclProgram(
        native, kernels, device, division.shared, options.use_cache, keeps=division.on_device
    )


def finish(elaborated: Elaborated, storage: Mapping[str, str], options: Options) -> Compiled:
    """The rest of the way, from elaborated TAIL to something that runs."""
    if not options.files:
        refuse_files(elaborated.term)
    term = optimise(elaborated.term, options)
    inputs = tuple([q.name for q in term.params]) if isinstance(term, Fn) else ()
    return Compiled(body_of(term).ty, inputs, _runnable(term, storage, options), elaborated.digits)


def _runnable(term: Term, storage: Mapping[str, str], options: Options) -> Runnable:
    """An optimised term for the target."""
    if options.target == "interp":
        return Interpreted(term, options.settings.check_overflow, options.memory_limit)
    program, make = to_laila(term, storage, options)
    if options.target == "opencl":
        return with_kernels(program, make, options)
    return to_machine(to_c(program, make, options), options)


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

    def compile_it() -> Compiled:
        elaborated = to_tail(
            sources,
            inputs,
            value_of_assignment=value_of_assignment,
            may_read=options.files,
            all_used=all_used,
        )
        return finish(elaborated, storage, options)

    return with_deep_stack(compile_it)


def compile_function(
    sources: list[Source],
    name: str | None,
    args: Mapping[str, Type],
    storage: Mapping[str, str],
    options: Options,
) -> Compiled:
    """One function of a program, for the given argument types."""

    def compile_it() -> Compiled:
        elaborated = elaborate_function(parse_files(sources), name, args, may_read=options.files)
        return finish(elaborated, storage, options)

    return with_deep_stack(compile_it)
