"""Identifiers in C: nobody else's, and readable."""

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

from aplc.backends.c.apart import emit_c
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES
from aplc.backends.c.writer import RESERVED
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import ArrayRef, Parameter, ScalarRef
from aplc.laila.ir.scalar import Buffer, Const, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import faults
from aplc.tail.types import Base
from tests.support.generated_c.loading import load

HARD_NAMES = (
    *sorted(RESERVED),
    *(
        "∆x",
        "⍙",
        "été",
        "x̄",
        "_",
        "__x",
        "_1",
        "v_1",
        "v_1_1",
        "v1",
        "v_",
        "x" * 300,
        "aplc_max",
        "aplc_",
        "aplc_alloc",
    ),
    *(
        "int64_t",
        "uint32_t",
        "size_t",
        "int8_t",
        "INT64_MIN",
        "INT64_C",
        "M_PI",
        "M_E",
        "RAND_MAX",
        "EXIT_FAILURE",
    ),
    *(
        "sqrt",
        "abs",
        "div",
        "index",
        "malloc",
        "memcpy",
        "printf",
        "main",
        "aplc_run",
        "shape",
        "data",
        "print",
        "site",
    ),
)


def program_of(names: tuple[str, ...]) -> str:
    """A program with variables of these hints, in nested scopes, that adds them all up."""
    make = ExprBuilder()
    host = [Var(make.fresh(name), Base.INT) for name in names]
    table = Buffer(make.fresh("c"), Base.INT, "int64", (3, 4, 5))
    inputs = [Buffer(make.fresh(name), Base.INT, "int64") for name in names[:2]]
    parameters = tuple(
        [Parameter(b.name, Base.INT, b, (Var(make.fresh(f"{b.name}_n"), Base.INT, True),)) for b in inputs]
    )
    statements: list[l.Stm] = []
    total = Var(make.fresh("c"), Base.INT)
    statements.append(l.Declare(total, make.zero, mutable=True))
    result = Buffer(make.fresh(names[0]), Base.INT, "int64")
    statements.append(l.Allocate(result, make.one, Site(faults.NO_MEMORY, "", None)))
    for k, var in enumerate(host):
        index = make.index(names[k], make.const(3))
        inner = Var(make.fresh(names[k]), Base.INT)
        body: tuple[l.Stm, ...] = (
            l.Declare(inner, make.add(var, make.add(index, make.read(table, index)))),
            l.Assign(total, make.add(total, inner)),
        )
        statements += [l.Declare(var, make.const(k)), l.For(index, make.zero, make.const(3), body)]
    first = make.read(inputs[0], make.zero)
    statements.append(l.Store(result, make.zero, make.add(total, make.add(first, parameters[1].extents[0]))))
    statements.append(l.Emit(ArrayRef(result, (make.one,)), True))
    statements.append(l.Emit(ScalarRef(total), True))
    return emit_c(parameters, l.Code(tuple(statements))).text


def test_no_identifier_collides(compiler: Compiler, tmp_path: Path) -> None:
    text = program_of(HARD_NAMES)
    library = load(compiler, tmp_path, text)

    class Slot(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_void_p)]

    data, shape, scalar, extent = (
        (ctypes.c_int64 * 1)(100),
        (ctypes.c_int64 * 1)(10),
        ctypes.c_int64(),
        ctypes.c_int64(),
    )
    inputs = (Slot * 2)(*[Slot(ctypes.addressof(data), ctypes.addressof(shape))] * 2)
    outputs = (Slot * 2)(Slot(None, ctypes.addressof(extent)), Slot(ctypes.addressof(scalar), None))
    assert library.aplc_run(None, inputs, outputs) == 0
    count = len(HARD_NAMES)
    total = sum([3 * k + (0 + 1 + 2) + (3 + 4 + 5) for k in range(count)])
    assert scalar.value == total
    assert ctypes.c_int64.from_address(outputs[0].data).value == total + 100 + 10
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(outputs[0].data)


def test_no_identifier_is_a_macro_of_a_header(compiler: Compiler, tmp_path: Path) -> None:
    """All object-like macros that the run-time system's headers bring, as names of variables."""
    for name, header in headers().items():
        tmp_path.joinpath(name).write_text(header, encoding="utf-8")
    tmp_path.joinpath("m.c").write_text('#include "aplc.h"\n', encoding="utf-8")

    command = [*compiler.command, "-std=gnu11", "-E", "-dM", "m.c"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    macros = set(re.findall(r"^#define ([A-Za-z]\w*) ", answer, re.M))
    assert {"NAN", "INT64_MIN", "M_PI"} <= macros
    names = tuple(sorted({*macros, *C_TYPES.values(), *STORAGE_TYPES.values()}))
    text = program_of(names)
    declared = set(re.findall(r"(?:int64_t|double) (?:\*restrict )?(\w+) =", text))
    assert len(declared) >= len(names)
    assert declared.isdisjoint(names)


@pytest.mark.parametrize(
    ("name", "wanted"), [("v", "v"), ("∆x", "x_x"), ("v_12", "v"), ("int", "int1"), ("free", "free1")]
)
def test_identifiers_stay_readable(name: str, wanted: str) -> None:
    text = emit_c((), l.Code((l.Declare(Var(name, Base.INT), Const(0, Base.INT)),))).text
    assert f"const int64_t {wanted} = 0;" in text
