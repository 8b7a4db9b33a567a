"""Running compiled C in this process: load, call, hand values over without copies, bring errors back with
their place.

The structures mirror `rts/aplc_host.h`. A call holds no lock of ours and releases the interpreter's;
everything that it needs is made anew for each call, so one program may run in several threads at once.

Note [Silence]
    While C runs, a signal waits for Python. Its handler is called where Python begins a function of ours that
    C calls, before any `try` of it. What it raises is shown and forgotten by ctypes, and what the function
    returns is anything. So such a function tells C otherwise that it has come to its end, and the program
    stops where it has not: in a KeyboardInterrupt, which it nearly always was.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any, NoReturn

import numpy as np

from aplc.backends.c.program import CProgram, Kind, NestedKind, RecordsKind, ValueType
from aplc.backends.native.arrays import Block, address_of, adopted, allocate, release, view
from aplc.backends.native.cache import shared_object
from aplc.backends.native.libraries import Library, keep_threads, load
from aplc.backends.native.stopping import RTS, address_of_function, in_thread, stoppable
from aplc.backends.native.toolchain import find_compiler, find_threads
from aplc.tail import faults
from aplc.tail.array_limits import Room, limited, require_room
from aplc.tail.display import DIGITS
from aplc.tail.errors import InternalError, MachineError
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.pieces import as_items, as_records
from aplc.tail.meaning.random_numbers import RandomStream
from aplc.tail.types import Base

Value = np.ndarray[Any, Any]
Result = Value | tuple[Any, ...]
OnPrint = Callable[[Result, Base | None, int], None]
"""Called with a value that is printed, its element type (None: a tuple), and its significant digits."""

OK, FAILED, STOPPED, LEAKED = 0, 1, 2, 3
MOST_TOLD = 32
"""So many numbers of items an error can have."""
DEBUG = "#define APLC_DEBUG\n"
"""Before a program: it counts the memory that it holds, and loops of any length run in threads."""
DEFAULT_KEY = RandomStream().key
"""Of the random numbers of each run."""
RECURSION_STACK = 1 << 29
"""Bytes of stack that a program that recurses may use."""
SPARE_STACK = 1 << 20
WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "2000"}
"""How the threads of OpenMP wait. On a machine that others use, too, spinning would cost more than it saves,
so they sleep; but only after some 50 µs, in which the next loop of a program often begins.
"""


_EXTENTS = ctypes.POINTER(ctypes.c_int64)


class _Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", _EXTENTS)]


_ARRAYS = ctypes.POINTER(_Array)
_PRINT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_LIVE = ctypes.CFUNCTYPE(ctypes.c_int64)
_PLACE = ctypes.CFUNCTYPE(ctypes.c_void_p)
_ASK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


class _Host(ctypes.Structure):
    _fields_ = [
        ("print", _PRINT),
        ("ask", _ASK),
        ("site", ctypes.c_int64),
        ("values", ctypes.c_int64 * 2),
        ("random_key", ctypes.c_uint64),
        ("random_position", ctypes.c_uint64),
        ("stack", ctypes.c_void_p),
        ("stack_size", ctypes.c_int64),
        ("deepest", ctypes.c_size_t),
        ("threads", ctypes.c_int64),
        ("memory", ctypes.POINTER(ctypes.c_int64)),
        ("may_be_silent", ctypes.c_int64),
        ("is_silent", ctypes.c_int64),
        ("work", ctypes.c_void_p),
        ("told", ctypes.c_int64),
        ("items", ctypes.c_int64 * MOST_TOLD),
        ("crew", ctypes.c_void_p),
        ("budget", ctypes.c_int64),
        ("is_alone", ctypes.c_int64),
    ]


@cache
def headers() -> dict[str, str]:
    """The run-time system's files that generated C includes."""
    files = sorted(RTS.glob("*.h"))
    return {file.name: file.read_text("utf-8") for file in files}


@cache
def _process_of_threads() -> int:
    """The process in which a program with threads ran first."""
    return os.getpid()


def usable_threads(wanted: int) -> int:
    """How many threads a program may use. Those of OpenMP do not survive a fork: then there is one."""
    return wanted if os.getpid() == _process_of_threads() else 1


ByAddress = Callable[[list[int | None]], bool | None]
"""What answers a question from the addresses of its arguments, None where there is no memory: with a truth
value, or with nothing.
"""

ByNumber = Callable[[int], ByAddress | None]
"""What answers the question of a number by address; None: its primitive answers it."""


def by_meaning(number: int) -> None:
    """All questions are answered by their primitives."""
    del number


@dataclass(frozen=True)
class NativeProgram:
    """A compiled program, loaded. `run` may be called from several threads at once."""

    program: CProgram
    entry: Callable[..., int]
    """Which keeps the program loaded."""
    threads: int = 0
    """How many a program with threads uses; 0: as many as OpenMP says."""
    address: int | None = None
    """Of the entry, where nothing stands between it and its caller."""
    place: int | None = None
    """Of what tells where the program keeps what a thread does (`rts/aplc_memory.h`)."""
    key: str = ""
    """Under which its shared object is kept on disk; empty where it is not."""
    memory_limit: int | None = None
    """The bytes that the arrays of a run may take, for a program that counts them."""

    def run(
        self, inputs: Sequence[Value], on_print: OnPrint, answers: ByNumber = by_meaning
    ) -> tuple[Value, ...]:
        """The results for the given inputs, which must be contiguous and have the dtypes it was compiled for.

        Results own their memory. Raises `RunError` for an APL error, what `on_print` raises, and
        KeyboardInterrupt where a signal's handler has raised anything before it was called.
        """
        kinds = self.program.results
        scalars = [np.empty((), kind.base.dtype) if kind.rank == 0 else None for kind in kinds]
        block = Block(
            [(address_of(array), array.shape) for array in inputs]
            + [
                (0 if scalar is None else address_of(scalar), (0,) * kind.rank)
                for scalar, kind in zip(scalars, kinds, strict=True)
            ]
        )
        first = len(inputs)
        arguments, out = block.array(0), block.array(first)
        raised: list[BaseException] = []
        threads = usable_threads(self.threads) if self.program.has_threads else 1
        host = _Host(random_key=DEFAULT_KEY, stack_size=RECURSION_STACK, threads=threads, may_be_silent=1)
        # not the host itself, which would then hold what holds it, and the memory of the run
        is_silent = ctypes.c_int64.from_address(ctypes.addressof(host) + _Host.is_silent.offset)
        memory = None if self.memory_limit is None else ctypes.c_int64(self.memory_limit)
        if memory is not None:
            host.memory = ctypes.pointer(memory)
        if self.program.prints:
            host.print = _PRINT(_printer(self.program.prints, on_print, raised, is_silent))
        if self.program.questions:
            host.ask = _ASK(_answerer(self.program, answers, raised, is_silent, memory))
        arrays = [first + k for k, scalar in enumerate(scalars) if scalar is None]
        try:
            if self.program.is_recursive:
                held = inputs, scalars  # also where nobody waits for the thread any more

                def work(_: object = held) -> int:
                    return self.entry(ctypes.byref(host), arguments, out)

                status = in_thread(work, RECURSION_STACK + SPARE_STACK)
            else:
                status = self.entry(ctypes.byref(host), arguments, out)
            if status != OK:
                self._stopped(status, host, raised)
            return tuple(
                [
                    adopted(block.take(first + k), kinds[k], block.shape(first + k))
                    if scalar is None
                    else scalar
                    for k, scalar in enumerate(scalars)
                ]
            )
        except BaseException:
            if not host.work:  # it has come to its end, and a signal has waited for that
                for number in arrays:
                    release(block.take(number))
            raise

    def _stopped(self, status: int, host: _Host, raised: list[BaseException]) -> NoReturn:
        """Raise what has stopped a program."""
        if status == FAILED:
            first, second = host.values
            self.fail(host.site, first, second, host.items[: host.told])
        if status == STOPPED:
            raise raised[0] if raised else KeyboardInterrupt  # see Note [Silence]
        if status == LEAKED:
            raise InternalError("run-native", "the program holds memory after its end, or freed too much")
        raise InternalError("run-native", f"the program returned {status}")

    @property
    def in_c(self) -> NativeProgram | None:
        """Itself: see `aplc.compiled.Runnable`. What has a limit needs more than others."""
        return self if self.memory_limit is None else None

    def fail(self, number: int, first: int, second: int, items: Sequence[int]) -> NoReturn:
        """Raise the error of a check, given its number, the values that it reports and the items it is in."""
        raise faults.of_run(self.program.sites[number], first, second, items)


def _values(kind: Kind, arrays: Iterator[_Array]) -> Result:
    """A value that the program hands over, its arrays not owned."""
    if isinstance(kind, NestedKind):
        return as_items(tuple([_values(part, arrays) for part in kind.parts]))
    if isinstance(kind, RecordsKind):
        columns = tuple([_values(column, arrays) for column in kind.columns])
        return as_records(columns, kind.rank, kind.axis)
    if isinstance(kind, tuple):
        return tuple([_values(item, arrays) for item in kind])
    array = next(arrays)
    return view(array.data, kind, [array.shape[axis] for axis in range(kind.rank)])


def _arrays(address: int) -> Iterator[_Array]:
    """The arrays from an address on."""
    pointer = ctypes.cast(address, _ARRAYS)
    for k in count():
        yield pointer[k]


def _printer(
    kinds: tuple[Kind, ...], on_print: OnPrint, raised: list[BaseException], is_silent: ctypes.c_int64
) -> Callable[[int, int, int], int]:
    """The callback that shows value number k; what it raises stops the program."""

    def show(k: int, values: int, digits: int) -> int:
        try:
            kind = kinds[k]
            base = kind.base if isinstance(kind, ValueType) else None
            on_print(_values(kind, _arrays(values)), base, DIGITS if digits < 0 else digits)
            status = 0
        except BaseException as failure:
            raised.append(failure)
            status = 1
        is_silent.value = 0
        return status

    return show


def _answerer(
    program: CProgram,
    answers: ByNumber,
    raised: list[BaseException],
    is_silent: ctypes.c_int64,
    memory: ctypes.c_int64 | None,
) -> Callable[[int, int, int], int]:
    """The callback that answers by address, or else computes a primitive as the interpreter does; its errors
    get a position. What it makes must fit the memory that is left, if that is limited.
    """

    def answer(k: int, arguments: int, results: int) -> int:
        question, status = program.questions[k], 1
        site = program.sites[question.site]
        items: list[int] = []
        try:
            if (by_address := answers(k)) is not None:
                words = (ctypes.c_void_p * (2 * len(question.arguments))).from_address(arguments)
                found = by_address(words[::2])
                if found is not None:
                    ctypes.c_bool.from_address(_Array.from_address(results).data).value = found
            else:
                given = _arrays(arguments)
                with np.errstate(all="ignore"), limited(None if memory is None else Room(memory.value)):
                    values = [_values(kind, given) for kind in question.arguments]
                    numbers = values[len(values) - site.count :]
                    items = [int(number) for number in numbers if not isinstance(number, tuple)]
                    assert question.prim is not None
                    value = question.prim.meaning(*values[: len(values) - site.count])
                    for array in value if isinstance(value, tuple) else (value,):
                        require_room(array.size, array.itemsize)
                _hand_over(question.result, value, _arrays(results))
            status = 0
        except FaultRaised as failure:
            failed = replace(site, fault=failure.fault)
            raised.append(failed.error(*failure.values, items=items))
        except MemoryError:
            raised.append(faults.NO_MEMORY.error(site.symbol, site.span, faults.UNTOLD))
        except BaseException as failure:
            raised.append(failure)
        is_silent.value = 0
        return status

    return answer


def _hand_over(kind: Kind, value: Result, cells: Iterator[_Array]) -> None:
    """Give the program an answer: a scalar in its place, an array in memory that the program frees."""
    if isinstance(kind, tuple):
        for item, part in zip(kind, value, strict=True):
            _hand_over(item, part, cells)
        return
    assert isinstance(kind, ValueType)
    array = np.ascontiguousarray(value, dtype=kind.dtype)
    cell = next(cells)
    if kind.rank == 0:
        ctypes.memmove(cell.data, array.ctypes.data, array.itemsize)
        return
    address = allocate(array.nbytes)
    ctypes.memmove(address, array.ctypes.data, array.nbytes)
    cell.data = address
    for axis, extent in enumerate(array.shape):
        cell.shape[axis] = extent


def build(
    program: CProgram,
    level: int,
    *,
    use_cache: bool = True,
    debug: bool = False,
    threads: int = 0,
    memory_limit: int | None = None,
) -> NativeProgram:
    """Compile (unless the cache has it) and load. Raises `MachineError` without a compiler or room for the
    result. With `debug` a run that does not free what it holds, once, is an `InternalError`, and the shortest
    parallel loops run in threads. `threads` is how many there are, where the program has any. `memory_limit`
    is for programs that count the bytes of their arrays.
    """
    text = DEBUG + program.text if debug else program.text
    compiler = find_threads() if program.has_threads else find_compiler()

    def ready(content: bytes, key: str) -> NativeProgram:
        return loaded(
            program,
            opened(program, content),
            "aplc_run",
            debug=debug,
            threads=threads,
            memory_limit=memory_limit,
            key=key,
        )

    made = shared_object(text, compiler, level, headers=headers(), use_cache=use_cache)
    try:
        return ready(*made)
    except MachineError:
        if not made.key:
            raise
    return ready(*shared_object(text, compiler, level, headers=headers(), use_cache=False))


def waiting() -> dict[str, str]:
    """What the environment says of how threads wait, unless the user has said something there."""
    return {} if any(name in os.environ for name in WAITING) else WAITING


def opened(program: CProgram, content: bytes) -> Library:
    """A shared object, loaded. OpenMP looks at the environment when it is loaded. Raises `MachineError`."""
    ours = waiting() if program.has_threads else {}
    os.environ.update(ours)
    try:
        library = load(content)
    finally:
        for name in ours:
            os.environ.pop(name, None)
    if program.has_threads:
        keep_threads()
    return library


def loaded(
    program: CProgram,
    library: Library,
    name: str,
    *,
    debug: bool,
    threads: int = 0,
    memory_limit: int | None = None,
    key: str = "",
) -> NativeProgram:
    """The program whose entry has that name in a shared object; `debug` says whether this was made for it,
    and `key` under which it is kept. Raises `MachineError` where it has no such entry.
    """
    function = library.function(name, _ENTRY)
    place = library.function("aplc_place_of_work", _PLACE)
    entry = stoppable(function, place)
    if not debug:
        places = address_of_function(function), address_of_function(place)
        return NativeProgram(program, entry, threads, *places, key=key, memory_limit=memory_limit)
    live = library.function("aplc_live", _LIVE)
    ranks = {k: kind.rank for k, kind in enumerate(program.results) if kind.rank > 0}

    def counted(host: Any, arguments: Any, results: Any) -> int:
        try:
            status = entry(host, arguments, results)
        except BaseException:  # ended, and what it held has been freed by others
            live()
            raise
        words = ctypes.cast(results, ctypes.POINTER(ctypes.c_int64))
        handed_out = 0
        for k, rank in ranks.items() if status == OK else ():
            extents = (ctypes.c_int64 * rank).from_address(words[2 * k + 1])
            handed_out += words[2 * k] != 0 or 0 not in extents  # without elements there may be no memory
        return status if live() == handed_out else LEAKED

    return NativeProgram(program, counted, threads, key=key, memory_limit=memory_limit)
