"""The meaning of what reaches outside of a program: chance, time and files.

Those that draw random numbers take the program's stream first.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room, require_room_for
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning import files
from aplc.tail.meaning.characters import as_characters, as_text, as_utf_8
from aplc.tail.meaning.core import DTYPES, Value, require
from aplc.tail.meaning.number_text import COLUMN_KINDS, HEADER
from aplc.tail.meaning.random_numbers import RandomStream
from aplc.tail.npy import read_npy
from aplc.tail.types import Base

# --- chance -----------------------------------------------------------------------------------------------


def roll(stream: RandomStream, limits: Value) -> Value:
    """`?n` of whole numbers above zero: one of 1…n."""
    for wrong in limits[limits < 1][:1]:
        require(False, faults.NO_CHOICE, int(wrong))
    return stream.integers(limits)


def uniform(stream: RandomStream, extents: Value) -> Value:
    """`?extents⍴0`: doubles above 0 and below 1."""
    for wrong in extents[extents < 0][:1]:
        require(False, faults.NEGATIVE_EXTENT, int(wrong))
    target = tuple(extents.tolist())
    require_room_for(target)
    return stream.doubles(target)


DEALT = 128
"""Bytes that a number of a deal takes while it is made."""


def deal(stream: RandomStream, count: Value, limit: Value) -> Value:
    """`count?limit`: different numbers of 1…limit."""
    require(count >= 0, faults.NEGATIVE_COUNT, int(count))
    require(limit >= 0, faults.NEGATIVE_COUNT, int(limit))
    require(count <= limit, faults.DEAL_TOO_MANY, int(count), int(limit))
    require_room(int(count), DEALT)
    return stream.deal(int(count), int(limit))


def set_seed(stream: RandomStream, seed: Value) -> Value:
    """`⎕RL←seed`"""
    stream.set_seed(int(seed))
    return seed


# --- time -------------------------------------------------------------------------------------------------


def now(ignored: Value) -> Value:
    """Milliseconds since some moment."""
    return np.asarray(time.monotonic_ns() / 1e6)


def timestamp(ignored: Value) -> Value:
    """`⎕TS`: year, month, day, hour, minute, second and millisecond here."""
    t = datetime.now()
    parts = (t.year, t.month, t.day, t.hour, t.minute, t.second, t.microsecond // 1000)
    return np.array(parts, dtype=np.int64)


def bench(f: Callable[..., Value], runs: Value, a: Value) -> Value:
    """`f ⎕BENCH runs⊢a`: the function on the same argument so many times; the time goes to standard error."""
    require(runs >= 1, faults.NO_RUNS, int(runs))
    start = time.monotonic_ns()
    for _ in range(int(runs)):
        result = f(a)
    report_runs(int(runs), time.monotonic_ns() - start)
    return result


def report_runs(runs: int, nanoseconds: int) -> None:
    """Write to standard error how long each of so many runs took."""
    print(f"⎕BENCH: {runs} runs, {nanoseconds / 1e6 / runs:.3f} ms each", file=sys.stderr)


# --- files ------------------------------------------------------------------------------------------------


def read_characters(path: Value) -> Value:
    """`⎕ReadFile path`"""
    return as_characters(files.read_text(as_text(path)))


def read_ints(path: Value) -> Value:
    """`⎕ReadIntVecFile path`"""
    return files.read_integers(as_text(path))


def read_doubles(path: Value) -> Value:
    """`⎕ReadDoubleVecFile path`"""
    return files.read_doubles(as_text(path))


def read_table(path: Value, kinds: Value) -> Value:
    """`⎕CSV path '' kinds`"""
    return files.read_table(as_text(path), _kinds(kinds))


def table_of(characters: Value, kinds: Value) -> Value:
    """`⎕CSV characters 'S' kinds`"""
    return files.table_of(as_utf_8(characters), _kinds(kinds), "the text of ⎕CSV")


def read_fields(path: Value, kinds: Value) -> Value:
    """The texts of `⎕CSV path '' kinds`, where 1 says that a column has such."""
    return files.read_fields(as_text(path), kinds.tolist())


def fields_of(characters: Value, kinds: Value) -> Value:
    """The texts of `⎕CSV characters 'S' kinds`"""
    return files.fields_of(as_utf_8(characters), kinds.tolist(), "the text of ⎕CSV")


def _kinds(kinds: Value) -> list[int]:
    """The kinds of columns; one is for all of them. Behind them there may be the mark of a header."""
    given = [int(kind) for kind in kinds.tolist()]
    own = given[:-1] if given[-1:] == [HEADER] else given
    for kind in own:
        require(kind in COLUMN_KINDS, faults.NO_COLUMN_KIND, kind)
    require(len(own) > 0, faults.NO_COLUMN_KIND, "none")
    return given


def write_characters(path: Value, replaces: Value, characters: Value) -> Value:
    """`characters ⎕NPUT path replaces`: the length of the file in bytes."""
    return np.asarray(files.write_file(as_text(path), as_utf_8(characters), replaces=bool(replaces)))


def npy_reader(base: Base) -> Callable[[Value, Value], Value]:
    """The meaning of `⎕NPY path` for a file that held an array of this element type and the given rank when
    the program was compiled.
    """

    def read(path: Value, rank: Value) -> Value:
        name = as_text(path)
        found, array = read_npy(name)
        if found != base or array.ndim != rank:
            was, now = f"{base} of rank {int(rank)}", f"{found} of rank {array.ndim}"
            raise FaultRaised(faults.FILE, f"{name} holds {now}, the program was compiled for {was}")
        return np.asarray(array, dtype=DTYPES[base])

    return read
