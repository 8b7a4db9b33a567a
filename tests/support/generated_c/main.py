"""A C main around generated programs, for tools that watch a process: sanitizers and valgrind.

It hands every program its inputs in memory of exactly their size, prints all values as bytes, answers what
the program asks its host as another run of it was answered, and frees the results.

    prepared(case, level)    a program, and what its host answers
    main_of(programs)        the C of many programs and their main
    observed(each, lines)    what a program did, from what its part of the main printed
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

from aplc.backends.c.program import CProgram, Kind, NestedKind, RecordsKind, ValueType
from aplc.backends.native import run as run_native
from aplc.backends.native.run import Result
from aplc.deep_stack import with_deep_stack
from aplc.tail.meaning.core import DTYPES
from aplc.tail.meaning.pieces import as_items, as_records
from aplc.tail.meaning.random_numbers import RandomStream
from tests.fuzz_targets import Case, c_of, joined
from tests.support.observing import Observed, observe

Value = np.ndarray[Any, Any]

PRELUDE = """
#include <stdio.h>
typedef struct { int rank, bytes; } test_kind;
typedef struct { const unsigned char *data; const int64_t *shape; test_kind kind; } test_part;
typedef struct { int count; const test_part *parts; } test_answer;
static const test_kind *test_prints;
static const int *test_firsts; /* where the kinds of each printed value begin, and where the last ends */
static const test_answer *test_answers;

static void test_show(char what, int number, test_kind kind, const void *data, const int64_t *shape) {
    int64_t bytes = kind.bytes;
    printf("%c %d", what, number);
    for (int k = 0; k < kind.rank; k++) {
        printf(" %lld", (long long)shape[k]);
        bytes *= shape[k];
    }
    printf(" :");
    for (int64_t k = 0; k < bytes; k++)
        printf("%02x", ((const unsigned char *)data)[k]);
    printf("\\n");
}

static int test_print(int64_t k, const aplc_array *values, int64_t digits) {
    (void)digits;
    printf("V %lld\\n", (long long)k);
    for (int j = test_firsts[k]; j < test_firsts[k + 1]; j++, values++)
        test_show('P', j, test_prints[j], values->data, values->shape);
    return 0;
}

static void *test_copy(const void *bytes, size_t count) {
    void *copy = malloc(count);
    if (count != 0)
        memcpy(copy, bytes, count);
    return copy;
}

/* The next answer; none of it if the host stops the program. */
static int test_ask(int64_t k, const aplc_array *arguments, aplc_array *results) {
    (void)k;
    (void)arguments;
    const test_answer answer = *test_answers++;
    for (int j = 0; j < answer.count; j++) {
        const test_part part = answer.parts[j];
        int64_t bytes = part.kind.bytes;
        for (int axis = 0; axis < part.kind.rank; axis++) {
            results[j].shape[axis] = part.shape[axis];
            bytes *= part.shape[axis];
        }
        if (part.kind.rank == 0)
            memcpy(results[j].data, part.data, (size_t)bytes);
        else
            results[j].data = test_copy(part.data, (size_t)bytes);
    }
    return answer.count == 0;
}
"""


@dataclass(frozen=True)
class Prepared:
    """A program with its inputs, and the answers of its host in a run of it: None where that stopped it."""

    program: CProgram
    inputs: list[Value]
    answers: list[list[Value] | None]
    stopped: str
    """The kind of the error with which the host stopped it."""


def prepared(case: Case, level: int) -> Prepared:
    """A program, and what it asked."""
    program = with_deep_stack(lambda: c_of(case, level))
    answers: list[list[Value] | None] = []
    stopped = ""
    if program.questions:
        answerer = run_native._answerer

        def noting(program: CProgram, *others: Any) -> Any:
            answer = answerer(program, *others)

            def noted(k: int, arguments: int, results: int) -> int:
                status = answer(k, arguments, results)
                kinds, arrays = leaves_of(program.questions[k].result), run_native._arrays(results)
                parts = run_native._values(kinds, arrays) if status == 0 else ()
                answers.append([np.array(part) for part in parts] if status == 0 else None)
                return status

            return noted

        with mock.patch.object(run_native, "_answerer", noting):
            seen = observe(run_native.build(program, 0).run, case.inputs)
        stopped = seen.results if isinstance(seen.results, str) else ""
    return Prepared(program, case.inputs, answers, stopped)


def leaves_of(*kinds: Kind) -> tuple[ValueType, ...]:
    """The types of the arrays of values."""
    found: list[ValueType] = []
    for kind in kinds:
        parts = kind.parts if isinstance(kind, NestedKind) else kind
        parts = parts.columns if isinstance(parts, RecordsKind) else parts
        found += leaves_of(*parts) if isinstance(parts, tuple) else (parts,)
    return tuple(found)


def main_of(programs: dict[int, Prepared]) -> str:
    """The C of all programs and of a main that runs one after the other."""
    parts = ['#include "aplc.h"', PRELUDE, joined([(k, each.program) for k, each in programs.items()])]
    for number, each in programs.items():
        parts += _runner(number, each)
    calls = [f"    test_{number}();" for number in programs]
    return "\n".join([*parts, "int main(void) {", *calls, "    return 0;", "}", ""])


def _runner(number: int, each: Prepared) -> list[str]:
    program, inputs = each.program, each.inputs
    size, count = max(1, len(inputs)), max(1, len(program.results))
    firsts = [len(leaves_of(*program.prints[:k])) for k in range(len(program.prints) + 1)]
    lines = [
        f"static void test_{number}(void) {{",
        f"    static const test_kind prints[] = {_kinds(leaves_of(*program.prints))};",
        f"    static const int firsts[] = {{{', '.join(map(str, firsts))}}};",
        f"    static const test_kind results[] = {_kinds(program.results)};",
        f"    aplc_array in[{size}] = {{{{0}}}}, out[{count}] = {{{{0}}}};",
        "    aplc_host host = {.print = test_print, .ask = test_ask, .stack_size = 1 << 22};",
        f"    host.random.key = UINT64_C({RandomStream().key});",
        "    test_prints = prints;",
        "    test_firsts = firsts;",
        f'    printf("program {number}\\n");',
        "    fflush(stdout);",
        *_answers(each.answers),
    ]
    for k, value in enumerate(inputs):
        lines += [
            *_constant(f"bytes{k}", f"shape{k}", value),
            f"    in[{k}].data = test_copy(bytes{k}, {value.nbytes});",
            f"    in[{k}].shape = (int64_t *)shape{k};",
        ]
    for k, kind in enumerate(program.results):
        lines.append(f"    int64_t cells{k}[{max(1, kind.rank)}];")
        lines.append(f"    out[{k}].shape = cells{k};")
        if kind.rank == 0:
            lines.append(f"    out[{k}].data = malloc({stored(kind).itemsize});")
    scalars = [k for k, kind in enumerate(program.results) if kind.rank == 0]
    lines += [
        f"    const int status = aplc_run__{number}(&host, in, out);",
        "    if (status == APLC_FAILED)",
        '        printf("E %lld\\n", (long long)host.site);',
        "    if (status == APLC_STOPPED)",
        '        printf("S\\n");',
        f"    for (int k = 0; status == APLC_OK && k < {len(program.results)}; k++)",
        "        test_show('R', k, results[k], out[k].data, out[k].shape);",
        f"    for (int k = 0; status == APLC_OK && k < {len(program.results)}; k++)",
        "        free(out[k].data);",
        *[f"    if (status != APLC_OK)\n        free(out[{k}].data);" for k in scalars],
        *[f"    free(in[{k}].data);" for k in range(len(inputs))],
        '    printf("end\\n");',
        "    (void)results;",
        "}",
    ]
    return lines


def _constant(data: str, shape: str, value: Value) -> list[str]:
    """The bytes and the shape of a value."""
    extents = ", ".join([f"{n}" for n in value.shape]) or "0"
    return [
        f"    static const unsigned char {data}[] = {{{', '.join(map(str, value.tobytes())) or '0'}}};",
        f"    static const int64_t {shape}[] = {{{extents}}};",
    ]


def _answers(answers: list[list[Value] | None]) -> list[str]:
    """The answers of the host, in order."""
    lines: list[str] = []
    rows: list[str] = []
    for k, answer in enumerate(answers):
        parts = []
        for j, part in enumerate(answer or ()):
            lines += _constant(f"answer{k}_{j}", f"extents{k}_{j}", part)
            parts.append(f"{{answer{k}_{j}, extents{k}_{j}, {{{part.ndim}, {part.itemsize}}}}}")
        lines.append(f"    static const test_part parts{k}[] = {{{', '.join(parts) or '{0}'}}};")
        rows.append(f"{{{len(parts)}, parts{k}}}")
    lines.append(f"    static const test_answer answers[] = {{{', '.join(rows) or '{0}'}}};")
    return [*lines, "    test_answers = answers;"]


def _kinds(kinds: tuple[ValueType, ...]) -> str:
    shown = [f"{{{kind.rank}, {stored(kind).itemsize}}}" for kind in kinds]
    return "{" + (", ".join(shown) or "{0, 0}") + "}"


def observed(each: Prepared, lines: list[str]) -> Observed:
    """What a program did, from the lines that its runner printed."""
    program = each.program
    printed: list[Result] = []
    values: list[Result] = []
    rest = iter(lines)
    for line in rest:
        what, number = line[0], int(line.split()[1]) if line[1:] else 0
        if what == "E":
            return Observed(printed, program.sites[number].fault.kind)
        if what == "S":
            return Observed(printed, each.stopped)
        if what == "V":
            kind = program.prints[number]
            printed.append(_shown_value(kind, rest))
        else:
            values.append(_value(program.results[number], line))
    return Observed(printed, tuple(values))


def _shown_value(kind: Kind, lines: Iterator[str]) -> Result:
    if isinstance(kind, NestedKind):
        return as_items(tuple([_shown_value(part, lines) for part in kind.parts]))
    if isinstance(kind, RecordsKind):
        columns = tuple([_shown_value(column, lines) for column in kind.columns])
        return as_records(columns, kind.rank, kind.axis)
    if isinstance(kind, tuple):
        return tuple([_shown_value(item, lines) for item in kind])
    return _value(kind, next(lines))


def _value(kind: ValueType, line: str) -> Value:
    head, _, digits = line.partition(":")
    shape = [int(n) for n in head.split()[2:]]
    return np.frombuffer(bytes.fromhex(digits), stored(kind)).reshape(shape).astype(DTYPES[kind.base])


def stored(kind: ValueType) -> np.dtype[Any]:
    """The type of elements in memory, which may be as narrow as those of inputs."""
    return np.dtype(kind.storage or DTYPES[kind.base])
