"""The header of a library: what a C programmer reads."""

from __future__ import annotations

from collections.abc import Sequence

from aplc import __version__
from aplc.build.functions import Built
from aplc.build.messages import CODES, DEVICE_CODE
from aplc.build.naming import Names, extents, results
from aplc.build.values import Flat, Lists, Shape
from aplc.tail.types import Base

MARK = "Made by aplc"
"""In the first line of every file, so that it may be replaced by the next build."""

_CHARACTERS = ("#ifndef __cplusplus", "#include <uchar.h> /* char32_t */", "#endif")
ELEMENTS = {
    Base.INT: "64-bit integers",
    Base.DOUBLE: "doubles",
    Base.COMPLEX: "complex numbers",
    Base.BOOL: "truth values",
    Base.CHAR: "characters",
}
ONE = {
    Base.INT: "a 64-bit integer",
    Base.DOUBLE: "a double",
    Base.COMPLEX: "a complex number",
    Base.BOOL: "a truth value",
    Base.CHAR: "a character",
}


def header_text(names: Names, built: Sequence[Built], sources: str) -> str:
    """The `.h` file."""
    macro, prefix = names.macro, names.prefix
    called = names.functions(built)
    guard = f"{macro}_H_MADE_BY_APLC"
    bases = {shape.base for each in built for shape in _shapes(each)}
    structures = {names.structure(s): s for each in built for s in each.results if not _is_scalar(s)}
    has_device = any([each.kernels.launches for each in built])
    codes = CODES | ({"DEVICE ERROR": DEVICE_CODE} if has_device else {})
    lines = [
        f"/* {MARK} {__version__} from {comment(sources)}. Build it anew rather than change it.",
        " *",
        *_contract(names, built),
        " */",
        "",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        *(_CHARACTERS if Base.CHAR in bases else []),
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        "/* What functions return: 0, or what went wrong. */",
        f"enum {prefix}_status {{",
        f"    {macro}_OK = 0,",
        *[f"    {macro}_{kind.replace(' ', '_')} = {number}," for kind, number in codes.items()],
        "};",
        "",
    ]
    if Base.COMPLEX in bases:
        lines += [
            "/* A complex number, laid out as `double complex` of C and `std::complex<double>` of C++. */",
            "typedef struct {",
            "    double re, im;",
            f"}} {prefix}_complex;",
            "",
        ]
    for structure, shape in structures.items():
        lines += [*_structure(names, structure, shape), ""]
    for each in built:
        lines += [*_documentation(each), names.signature(called[each.name], each) + ";", ""]
    lines += [
        "/* Why the last function that failed in this thread did, in a line of UTF-8, as in",
        " *     signal.apl:2:5: DOMAIN ERROR: ÷ divides by zero",
        " * It stays until the next failure in this thread. */",
        f"const char *{prefix}_message(void);",
        "",
        "/* Free the memory of a result: its `data`, or its `offsets`. NULL is allowed. */",
        f"void {prefix}_free(void *memory);",
        "",
        *(_device(names) if has_device else []),
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def _device(names: Names) -> list[str]:
    """What chooses the device."""
    prefix = names.prefix
    return [
        "/* Run on the OpenCL device whose name contains `device`, whatever the case of letters, a GPU",
        " * if there are several; NULL: on any. Kernels are built here. The first function that has some and",
        " * is called does this where nobody has. The device stays until it is given back; to ask for",
        " * another one before is an error. */",
        f"int {prefix}_init(const char *device);",
        "",
        "/* The name of the device; empty where there is none. */",
        f"const char *{prefix}_device(void);",
        "",
        "/* Give the device back, while no function runs. */",
        f"void {prefix}_finish(void);",
        "",
    ]


def _contract(names: Names, built: Sequence[Built]) -> list[str]:
    """What holds of all functions."""
    prefix, macro = names.prefix, names.macro
    text = f"""\
A function returns {macro}_OK, or one of the other codes below, and then {prefix}_message() tells what
happened. It ends neither the process nor the thread, writes no output, and keeps nothing between calls:
any number of threads may call functions at the same time.

Arguments are read, never kept and never changed. An array is a pointer to its elements in row-major
order with its extents; of an empty one the pointer may be NULL. Results are written behind the arguments:
scalars in their place, arrays as structures whose memory is the caller's from then on and goes back with
{prefix}_free(). The `data` of an empty array may be NULL. If a function fails, the results are zeros and
NULL, and there is nothing to free."""
    more = """

A vector of vectors is all elements one behind the other, and offsets: item k is data[offsets[k]] up to, not
including, data[offsets[k + 1]]. There is one offset more than there are items; the first is 0."""
    device = f"""

Loops with enough to do run on an OpenCL device, see {prefix}_init(), and everything else on the host.
Functions use the device one after the other; between calls the library keeps the device, and no arrays
there. A process that is forked off after that must not call it."""
    chars = """

A character is a code point of Unicode: U"text" is an array of them."""
    shapes = [shape for each in built for shape in _shapes(each)]
    text += more if any(isinstance(shape, Lists) for shape in shapes) else ""
    text += chars if any(shape.base is Base.CHAR for shape in shapes) else ""
    if any([each.kernels.launches for each in built]):
        text = text.replace(", and keeps nothing between calls:\nany", ":\nany") + device
    return [f" * {line}".rstrip() for line in text.splitlines()]


def _structure(names: Names, structure: str, shape: Shape) -> list[str]:
    element = names.element(shape.base)
    if isinstance(shape, Lists):
        return [
            f"/* A vector of vectors of {ELEMENTS[shape.base]}. Free both `data` and `offsets`. */",
            "typedef struct {",
            f"    {element} *data;",
            "    int64_t *offsets; /* one more than there are items */",
            "    int64_t count;    /* of items */",
            f"}} {structure};",
        ]
    what = {1: "A vector", 2: "A matrix"}.get(shape.rank, f"An array of rank {shape.rank}")
    told = {1: "its length", 2: "rows, columns"}.get(shape.rank, "its extents")
    return [
        f"/* {what} of {ELEMENTS[shape.base]}. */",
        "typedef struct {",
        f"    {element} *data;",
        f"    int64_t shape[{shape.rank}]; /* {told} */",
        f"}} {structure};",
    ]


def _documentation(built: Built) -> list[str]:
    """The comment above a function: that of the APL text, its type, what stands for what."""
    lines = [comment(line) for line in built.comment]
    if lines:
        lines.append("")
    lines += [f"    {comment(built.name)} : {comment(built.type)}", ""]
    for name, shape in built.parameters:
        sign = {"x": "⍺", "y": "⍵"}[name]
        lines.append(f"{', '.join(_told(name, shape))}: {sign}, {what_of(shape)}")
    for name, shape in results(built):
        lines.append(f"{name}: {what_of(shape)}" + ("" if _is_scalar(shape) else ", the caller's to free"))
    return ["/*", *[f" * {line}".rstrip() for line in lines], " */"]


def _told(name: str, shape: Shape) -> list[str]:
    if isinstance(shape, Lists):
        return [name, f"{name}_offsets", f"{name}_count"]
    return [name, *(extents(name, shape.rank) if shape.rank else [])]


def what_of(shape: Shape) -> str:
    """A value in words."""
    if isinstance(shape, Lists):
        return f"a vector of vectors of {ELEMENTS[shape.base]}"
    if shape.rank == 0:
        return ONE[shape.base]
    what = {1: "a vector", 2: "a matrix"}.get(shape.rank, f"an array of rank {shape.rank}")
    return f"{what} of {ELEMENTS[shape.base]}"


def _shapes(built: Built) -> list[Shape]:
    return [*[shape for _, shape in built.parameters], *built.results]


def _is_scalar(shape: Shape) -> bool:
    return isinstance(shape, Flat) and shape.rank == 0


def comment(text: str) -> str:
    """A text that stands in a comment of C, and does not end it."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
