"""docs/rooms.md: every room and every module of the source, and which room imports which.

    python -m tests.room_map

writes the page anew from the imports and from the first sentences of the modules. Run it from the root of the
repository; a test compares the page with what this makes.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "rooms.md"
PACKAGES: dict[str, tuple[str, ...]] = {
    "tail": ("", "meaning", "optimise"),
    "apl_front": ("syntax", "reading", "building", "functions", "records", "typing", "elaboration"),
    "laila": (
        "ir",
        "lowering",
        "lowering.primitives",
        "transform",
        "transform.fusion",
        "transform.extrema",
        "transform.versioning",
        "loops",
        "threads",
        "devices",
        "reports",
        "",
    ),
    "backends": ("c", "openmp", "native", "opencl"),
    "aplc": ("", "interchange", "targets", "explain", "bench", "bench.report"),
}
"""The rooms of each package, in the order in which a program goes through; `""` is the package itself."""


@dataclass
class Room:
    """A package, what it says of itself, its modules with their first sentences, and the rooms it imports."""

    name: str
    about: str
    modules: dict[str, str] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence, on one line."""
    joined = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", joined)[0].rstrip(":")


def room_of(module: str, rooms: dict[str, Room]) -> str | None:
    """The innermost room that a dotted name lies in."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in rooms:
            return name
    return None


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported when a program runs, those for type checkers left out."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        stack += ast.iter_child_nodes(node)


@cache
def found() -> dict[str, Room]:
    """All rooms, in order."""
    rooms: dict[str, Room] = {}
    folders: dict[str, Path] = {}
    for package, inner in PACKAGES.items():
        for name in inner:
            dotted = ".".join([*dict.fromkeys(["aplc", package]), *filter(None, [name])])
            folders[dotted] = ROOT / package / name.replace(".", "/")
            about = ast.get_docstring(ast.parse((folders[dotted] / "__init__.py").read_text("utf-8"))) or ""
            rooms[dotted] = Room(dotted, first_sentence(about))
    for dotted, folder in folders.items():
        for path in sorted(folder.glob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            if path.stem != "__init__":
                rooms[dotted].modules[path.stem] = first_sentence(ast.get_docstring(tree) or "")
            rooms[dotted].imports |= {r for m in imported(tree) if (r := room_of(m, rooms)) and r != dotted}
    return rooms


def folder_of(room: str) -> str:
    """The folder of a room, below the root of the repository."""
    parts = room.split(".")
    return "/".join(parts[1:] if parts[1:2] and parts[1] in PACKAGES else parts)


def page() -> str:
    """The text of docs/rooms.md."""
    rooms = found()
    numbers = {name: k for k, name in enumerate(rooms, start=1)}
    shown = {name: folder_of(name).replace("/", ".") for name in rooms}
    width = max(map(len, shown.values()))
    lines = [
        "# Rooms",
        "",
        "The source is five packages, most of them divided into rooms, which are packages. A program goes",
        "through them from the top of this page to its end; imports go from the end to the top, which",
        "import-linter enforces (`setup.cfg`). This page is made by `python -m tests.room_map`.",
        "[The tour](tour.md) goes the same way with a program in its hands.",
        "",
        "Each row is a room with the number of its modules; its marks are the rooms that it imports:",
        "",
        "    " + " " * (width + 9) + " ".join([f"{k:>2}" for k in numbers.values()]),
    ]
    for name, room in rooms.items():
        marks = " ".join([" ●" if other in room.imports else " ·" for other in rooms])
        lines.append(
            f"    {numbers[name]:>2} {shown[name]:<{width}} {len(room.modules):>3}  {marks}".rstrip()
        )
    for name, room in rooms.items():
        lines += ["", f"## {folder_of(name)}", "", room.about, "", "| module | |", "|---|---|"]
        told = {module: about.replace("|", r"\|") for module, about in room.modules.items()}
        lines += [f"| `{module}` | {about} |" for module, about in told.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
