"""The C of a library: the run-time system, the functions as the compiler makes them, and what C calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aplc import __version__
from aplc.backends.c.types import C_TYPES
from aplc.backends.native.run import DEFAULT_KEY
from aplc.build.amalgam import amalgamated
from aplc.build.functions import Built
from aplc.build.header import MARK, comment
from aplc.build.kernels import function_table, tables
from aplc.build.messages import code, template
from aplc.build.naming import Names, extents, results
from aplc.build.values import Flat, Lists, Shape
from aplc.tail.types import Base

_DEFINITION = re.compile(
    r"^(?:(?:static|APLC_SECTION) (?:const )?\w[\w ]*?[ *]|} )(\w+)(?:\(|\[\] =|;$)", re.M
)
_INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.M)
_ENTRY = re.compile(r"^APLC_EXPORT int aplc_run\(", re.M)


def source_text(
    names: Names,
    built: Sequence[Built],
    header: str,
    runtime: Mapping[str, str],
    sources: str,
    command: str,
    kernels: str = "",
    *,
    is_pooled: bool = False,
) -> str:
    """The `.c` file; `header` is the text of the `.h` file, `runtime` the headers of the run-time system,
    `kernels` the text of the `.cl` file, if there is one. A library that is pooled keeps large results that
    the caller frees for the next call.
    """
    called = names.functions(built)
    macros, used, bodies = [], ["aplc.h", "aplc_library.h"], []
    used[:0] = ["aplc_library_pool.h"] if is_pooled else []
    used += ["aplc_device.h"] if kernels else []
    for each in built:
        text = each.program.text
        macros += re.findall(r"^#define APLC_\w+$", text, re.M)
        used += [name for name in _INCLUDE.findall(text) if name not in used]
        bodies.append(_body(text, called[each.name]))
    opencl = ", and OpenCL where it runs" if kernels else ""
    lines = [
        f"/* {MARK} {__version__} from {comment(sources)}. Build it anew rather than change it.",
        " *",
        " * All of a library in one file: the run-time system of aplc, the functions, and what C calls, as",
        f" * the header says. Nothing else is needed but libc and libm{opencl}.",
        " * Arithmetic needs -fwrapv, and gcc 12 -fno-tree-slp-vectorize, or it sums comparisons wrongly,",
        " * and -fno-code-hoisting, or it reads what lanes accumulate from behind them.",
        " * Numbers are those of APL with the flags that this was compiled with:",
        " *",
        f" *     {comment(command)}",
        " */",
        "",
        "#ifndef _GNU_SOURCE",
        "#define _GNU_SOURCE",
        "#endif",
        "#if defined(__GNUC__)",
        '#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* those of OpenMP, where it is left out */',
        '#pragma GCC diagnostic ignored "-Wunused-function"',
        '#pragma GCC diagnostic ignored "-Wunused-variable"',
        '#pragma GCC diagnostic ignored "-Wunused-but-set-variable"',
        '#pragma GCC diagnostic ignored "-Wunused-parameter"',
        '#pragma GCC diagnostic ignored "-Wsign-compare"',
        "#endif",
        "",
        "#define APLC_LIBRARY",
        "#define APLC_EXPORT static",
        *dict.fromkeys(macros),
        f"#define APLC_RANDOM_KEY UINT64_C({DEFAULT_KEY})",
        "",
        "/* ==== the interface ==== */",
        "",
        "#ifdef LIB_PART /* one of several in a shared object, for some processors */",
        "#pragma GCC visibility push(hidden)",
        "#else",
        "#pragma GCC visibility push(default)",
        "#endif",
        header.rstrip("\n"),
        "#pragma GCC visibility pop",
        "",
        "/* ==== the run-time system ==== */",
        "",
        amalgamated(used, runtime),
        *bodies,
        "/* ==== what C programs call ==== */",
        "",
        *([tables(names, built, kernels)] if kernels else []),
        _shared(names, has_device=bool(kernels), free="lib_let_go" if is_pooled else "(free)"),
    ]
    first = 0
    for each in built:
        lines.append(_messages(called[each.name], each))
        if each.kernels.launches:
            lines.append(function_table(called[each.name], each, first))
            first += len(each.kernels.launches)
        lines.append(_function(names, called[each.name], each))
    return "\n".join(lines)


def _body(text: str, name: str) -> str:
    """The text of a program as part of a larger one: what it defines has names that nothing else has."""
    text = _INCLUDE.sub("", re.sub(r"^#define APLC_\w+\n", "", text, flags=re.M))
    own = set(_DEFINITION.findall(text)) - {"aplc_run"}
    if own:
        pattern = re.compile(rf"(?<![.>\w])({'|'.join(map(re.escape, sorted(own)))})\b(?!\")")
        text = pattern.sub(lambda found: f"{name}_{found[1]}", text)
    return f"/* ==== {name} ==== */\n" + _ENTRY.sub(f"static int {name}_run(", text)


def _messages(name: str, built: Built) -> str:
    """The messages of a function's checks, and their codes."""
    sites = built.program.sites
    if not sites:
        return f"static const lib_failure {name}_failures[1];\n"
    rows = [f'    {{{code(site)}, "{template(site)}"}},' for site in sites]
    return "\n".join([f"static const lib_failure {name}_failures[] = {{", *rows, "};", ""])


def _function(names: Names, name: str, built: Built) -> str:
    """A function that C calls."""
    lines = [names.signature(name, built) + " {"]
    for each, shape in results(built):
        lines.append(f"    *{each} = ({_type_of(names, shape)}){{0}};")
    inputs: list[str] = []
    freed: list[str] = []
    for each, shape in built.parameters:
        lines += _checked(names, name, each, shape)
    for each, shape in built.parameters:
        inputs += _passed(each, shape)
        if isinstance(shape, Lists):
            lines += _lengths(names, name, each, freed)
            freed.append(f"{each}_lengths")
    lines += _cells(built, [inputs[k] for k in built.passed])
    run = "lib_run_deep" if built.program.is_recursive else "lib_run_here"
    given = "in" if built.passed else "NULL"
    if built.kernels.launches:
        lines.append(f"    const int status = lib_run_on_device(&lib_all, &{name}_function, {given}, out);")
    else:
        lines.append(f"    const int status = {run}({name}_run, {given}, out, {name}_failures);")
    lines += [f"    free({each});" for each in freed]
    lines += ["    if (status != 0) {", "        lib_free_results(out, sizeof out / sizeof *out, in_place);"]
    lines += ["        return status;", "    }"]
    number = 0
    for each, shape in results(built):
        lines += _handed_over(names, each, shape, number)
        number += shape.parts
    return "\n".join([*lines, f"    return {names.macro}_OK;", "}", ""])


def _type_of(names: Names, shape: Shape) -> str:
    if isinstance(shape, Flat) and shape.rank == 0:
        return names.element(shape.base)
    return names.structure(shape)


def _checked(names: Names, function: str, name: str, shape: Shape) -> list[str]:
    """An argument that is none is an error."""
    refuse = f'        return lib_refuse({names.macro}_LENGTH_ERROR, "LENGTH ERROR",'
    indent = " " * len("        return lib_refuse(")
    if isinstance(shape, Lists):
        return [
            f"    if ({name}_count < 0 || ({name}_offsets == NULL && {name}_count > 0))",
            refuse,
            f'{indent}"{function}: {name}_count is negative, or {name}_offsets is NULL");',
        ]
    if shape.rank == 0:
        return []
    every = extents(name, shape.rank)
    below = " || ".join([f"{extent} < 0" for extent in every])
    some = " && ".join([f"{extent} != 0" for extent in every])
    return [
        f"    if ({below} || ({name} == NULL && {some}))",
        refuse,
        f'{indent}"{function}: {name} is NULL, or has a negative extent");',
    ]


def _lengths(names: Names, function: str, name: str, held: Sequence[str]) -> list[str]:
    """The lengths of the items of lists, from the offsets; what is `held` goes where these are wrong."""
    others = [f"        free({each});" for each in held]
    indent = " " * len("        return lib_refuse(")
    return [
        f"    int64_t *const {name}_lengths = malloc(sizeof(int64_t) * (size_t)({name}_count + 1));",
        f"    if ({name}_lengths == NULL) {{",
        *others,
        f'        return lib_refuse({names.macro}_WS_FULL, "WS FULL",',
        f'{indent}"{function}: no memory for the lengths of {name}");',
        "    }",
        f"    const int64_t {name}_end = {name}_count > 0 ? {name}_offsets[{name}_count] : 0;",
        f"    if (!lib_lengths_of({name}_offsets, {name}_count, {name}_lengths) ||",
        f"        ({name} == NULL && {name}_end > 0)) {{",
        *others,
        f"        free({name}_lengths);",
        f'        return lib_refuse({names.macro}_LENGTH_ERROR, "LENGTH ERROR",',
        f'{indent}"{function}: {name}_offsets do not rise, or {name} is NULL");',
        "    }",
    ]


def _passed(name: str, shape: Shape) -> list[str]:
    """The flat arrays of an argument, as the program takes them."""
    if isinstance(shape, Lists):
        return [
            f"{{(void *){name}_offsets, (int64_t[]){{{name}_count}}}}",
            f"{{{name}_lengths, (int64_t[]){{{name}_count}}}}",
            f"{{(void *){name}, (int64_t[]){{{name}_end}}}}",
        ]
    if shape.rank == 0:
        return [f"{{({C_TYPES[shape.base]}[]){{{_scalar(name, shape.base)}}}, NULL}}"]
    return [f"{{(void *){name}, (int64_t[]){{{', '.join(extents(name, shape.rank))}}}}}"]


def _scalar(name: str, base: Base) -> str:
    return f"aplc_of_parts({name}.re, {name}.im)" if base is Base.COMPLEX else name


def _cells(built: Built, inputs: Sequence[str]) -> list[str]:
    """The arrays that the program takes and gives."""
    lines = []
    if inputs:
        lines.append(f"    const aplc_array in[] = {{{', '.join(inputs)}}};")
    cells, places = [], []
    for each, shape in results(built):
        if isinstance(shape, Flat) and shape.rank == 0:
            cells.append(f"{{{each}, NULL}}")
            places.append("true")
        else:
            ranks = [1, 1, 1] if isinstance(shape, Lists) else [shape.rank]
            cells += [f"{{NULL, (int64_t[{rank}]){{0}}}}" for rank in ranks]
            places += ["false"] * len(ranks)
    lines.append(f"    aplc_array out[] = {{{', '.join(cells)}}};")
    lines.append(f"    static const bool in_place[] = {{{', '.join(places)}}};")
    return lines


def _handed_over(names: Names, name: str, shape: Shape, number: int) -> list[str]:
    """A result in the place of the caller."""
    if isinstance(shape, Lists):
        size = f"sizeof({names.element(shape.base)})"
        return [
            f"    if (!lib_as_lists(&out[{number}], {size})) {{",
            "        lib_free_results(out, sizeof out / sizeof *out, in_place);",
            f'        return lib_refuse({names.macro}_WS_FULL, "WS FULL", "no memory for the items");',
            "    }",
            f"    {name}->data = out[{number + 2}].data;",
            f"    {name}->offsets = out[{number}].data;",
            f"    {name}->count = out[{number}].shape[0];",
        ]
    if shape.rank == 0:
        return []
    return [
        f"    {name}->data = out[{number}].data;",
        f"    memcpy({name}->shape, out[{number}].shape, sizeof {name}->shape);",
    ]


def _shared(names: Names, *, has_device: bool, free: str) -> str:
    """What there is beside the functions."""
    device = [
        f"int {names.prefix}_init(const char *device) {{ return lib_init(&lib_all, device); }}",
        "",
        f'const char *{names.prefix}_device(void) {{ return lib_device.is_ready ? lib_device.name : ""; }}',
        "",
        f"void {names.prefix}_finish(void) {{ lib_finish(&lib_all); }}",
        "",
    ]
    return "\n".join([
        *(device if has_device else []),
        f"const char *{names.prefix}_message(void) {{ return lib_text; }}",
        "",
        f"void {names.prefix}_free(void *memory) {{ {free}(memory); }}",
        "",
    ])  # fmt: skip
