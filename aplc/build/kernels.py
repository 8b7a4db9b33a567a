"""The kernels of a library: their text as a whole, and what its C says of them (`rts/aplc_device.h`)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from aplc import __version__
from aplc.backends.c.types import C_TYPES
from aplc.backends.opencl.emit import head_of, with_functions
from aplc.backends.opencl.launches import ClProgram, Concern, Launch, Said
from aplc.build.functions import Built
from aplc.build.header import MARK, comment
from aplc.build.messages import c_string
from aplc.build.naming import Names
from aplc.build.values import Lists, Shape
from aplc.laila.devices.device_mapping import DIVISION, Division, on_gpu
from aplc.tail.types import Base

WIDTH = 120
"""Of a line of C."""

UNITS = 64
"""Of a GPU for which work is divided: work-items enough for larger ones, and none idle on smaller ones."""

_DEFINITION = re.compile(r"^(?:kernel |static |constant )[\w ]*?[ *](\w+)(?:\(|\[)", re.M)
_HEAD = re.compile(r"^((?:kernel|static) void \w+\()([^)]*)\) \{", re.M)
_WORDS = {Said.FRESH: "LIB_FRESH", Said.READ: "LIB_READ", Said.CHANGE: "LIB_CHANGE", Said.DROP: "LIB_DROP"}


def division_of_library(*, in_threads: bool) -> Division:
    """How work is divided where the device is known only when the library runs: as for a GPU with memory of
    its own, without what only some have. `in_threads` says whether the host has threads.
    """
    division = on_gpu(DIVISION, UNITS, looks_back=False)
    return Division(
        items=division.items,
        grid=division.grid,
        shared=False,
        lanes=0,
        vector=0,
        in_threads=in_threads,
    )


def has_kernels(built: Sequence[Built]) -> bool:
    """Whether a function of a library runs loops on a device."""
    return any([each.kernels.launches for each in built])


def renamed(kernels: ClProgram, name: str) -> ClProgram:
    """The kernels of a function among those of others: what they define has names that nothing else has."""
    own = set(_DEFINITION.findall(kernels.text))
    if not own:
        return kernels
    pattern = re.compile(rf"(?<![.>\w])({'|'.join(map(re.escape, sorted(own)))})\b")
    new = {launch: replace(launch, name=f"{name}_{launch.name}") for launch in kernels.launches}
    concerns = [new[each] if isinstance(each, Launch) else each for each in kernels.concerns]
    text = pattern.sub(lambda found: f"{name}_{found[1]}", kernels.text)
    text = _HEAD.sub(lambda found: head_of(found[1], re.split(r",\s+", found[2])), text)
    return replace(kernels, text=text, launches=tuple(new.values()), concerns=tuple(concerns))


def kernels_text(names: Names, built: Sequence[Built], sources: str) -> str:
    """The `.cl` file: the kernels of all functions, and what they call."""
    called = names.functions(built)
    bodies = [
        f"/* ==== {called[each.name]} ==== */\n\n{renamed(each.kernels, called[each.name]).text}"
        for each in built
        if each.kernels.launches
    ]
    head = (
        f"/* {MARK} {__version__} from {comment(sources)}. Build it anew rather than change it.\n"
        " *\n"
        f" * The kernels of {names.library}.c, which has this text in it and starts them: this file is for\n"
        " * readers and tools. It is OpenCL C 1.2, with doubles.\n"
        " */\n\n"
    )
    return head + with_functions("\n".join(bodies), in_lanes=False)


def tables(names: Names, built: Sequence[Built], text: str) -> str:
    """What the C of a library says of its kernels, whose text is in it line by line."""
    called = names.functions(built)
    launches = [launch for each in built for launch in renamed(each.kernels, called[each.name]).launches]
    lines = text.splitlines()
    result = [
        f"static const char *const lib_lines[{len(lines)}] = {{",
        *[f'    "{c_string(line)}\\n",' for line in lines],
        "};",
        "",
    ]
    rows: list[str] = []
    for launch in launches:
        arrays = [
            f"{{{array.length}, {array.item_bytes}, {'true' if array.is_written else 'false'}}}"
            for array in launch.arrays
        ]
        scalars = [f"sizeof({_scalar(base)})" for base in launch.scalars]
        given = [
            _table("const lib_kernel_array", f"{launch.name}_arrays", arrays),
            _table("const int", f"{launch.name}_scalars", scalars),
        ]
        result += [line for line, _ in given if line]
        group = ", ".join(map(str, launch.group or (0,)))
        counts = f"{launch.axes}, {len(arrays)}, {len(scalars)}"
        fails = "true" if launch.may_fail else "false"
        rows.append(f'    {{"{launch.name}", {counts}, {given[0][1]}, {given[1][1]}, {fails}, {{{group}}}}},')
    return "\n".join([
        *result,
        f"static const lib_launch lib_launches[{len(rows)}] = {{",
        *rows,
        "};",
        f"static void *lib_built[{len(rows)}];",
        "static const lib_kernels lib_all = {",
        f"    lib_lines, {len(lines)}, lib_launches, {len(rows)}, lib_built}};",
        "",
    ])  # fmt: skip


def _table(kind: str, name: str, items: Sequence[str]) -> tuple[str, str]:
    """A table in C, and its name; neither where it has no rows."""
    if not items:
        return "", "NULL"
    start = f"static {kind} {name}[] = {{"
    lines = textwrap.wrap(", ".join(items) + "};", WIDTH - 4)
    if len(start + lines[0]) <= WIDTH and len(lines) == 1:
        return start + lines[0], name
    return "\n    ".join([start, *lines]), name


def _scalar(base: Base) -> str:
    """As what a kernel gets a scalar, of the bytes that the host has of it."""
    return "uint8_t" if base is Base.BOOL else C_TYPES[base]


def function_table(name: str, built: Built, first: int) -> str:
    """What the C of a library says of a function with kernels, the first of which has that number."""
    launches = {launch: first + k for k, launch in enumerate(built.kernels.launches)}
    concerns = [_concern(each, launches) for each in built.kernels.concerns]
    parts = [part for _, shape in built.parameters for part in _parts(shape)]
    parameters = [parts[k] for k in built.passed]
    given, given_name = _table("const lib_parameter", f"{name}_parameters", parameters)
    deep = "true" if built.program.is_recursive else "false"
    return "\n".join([
        _table("const int", f"{name}_concerns", concerns)[0],
        *([given] if given else []),
        f"static const lib_function {name}_function = {{",
        f"    {name}_run, {name}_failures, {name}_concerns, {given_name}, {len(parameters)}, {deep}}};",
        "",
    ])  # fmt: skip


def _concern(concern: Concern | None, launches: dict[Launch, int]) -> str:
    assert concern is not None  # a function that asks Python is not built
    return str(launches[concern]) if isinstance(concern, Launch) else _WORDS[concern]


def _parts(shape: Shape) -> list[str]:
    """The flat arrays of an argument: rank, and bytes of an element."""
    if isinstance(shape, Lists):
        return ["{1, sizeof(int64_t)}", "{1, sizeof(int64_t)}", f"{{1, sizeof({C_TYPES[shape.base]})}}"]
    return [f"{{{shape.rank}, sizeof({C_TYPES[shape.base]})}}"]
