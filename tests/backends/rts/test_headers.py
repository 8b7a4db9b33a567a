"""The headers that a program may include agree on their names."""

import re
import subprocess
from pathlib import Path

from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import find_compiler
from tests.support.machine import needs_threads
from tests.support.paths import ROOT

OF_THE_HOST = ("aplc_library.h", "aplc_library_pool.h", "aplc_svml.h")
"""What libraries include with names of their own before it, and clang alone."""


def named() -> list[str]:
    """The headers that the compiler names, with those of their functions in threads."""
    rooms = [ROOT / room for room in ("laila", "backends/c", "backends/openmp")]
    sources = [path.read_text("utf-8") for room in rooms for path in sorted(room.rglob("*.py"))]
    found = {name for text in sources for name in re.findall(r"aplc_[a-z_]+\.h", text)}
    found |= {name for name in headers() if name.endswith("_threads.h")}
    return sorted(name for name in found & set(headers()) if name not in OF_THE_HOST and "_typed" not in name)


def of_all(directory: Path, *flags: str) -> str:
    """What the compiler writes for a program that includes all of them, and calls nothing."""
    for name, text in headers().items():
        (directory / name).write_text(text, "utf-8")
    source = directory / "all.c"
    source.write_text("".join([f'#include "{name}"\n' for name in ("aplc.h", *named())]), "utf-8")
    command = (*find_compiler().command, "-std=gnu11", "-fopenmp", *flags, str(source))
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(named()) > 20 and made.returncode == 0, made.stderr
    return made.stdout


@needs_threads
def test_all_of_them_can_be_included_together(tmp_path: Path) -> None:
    """Whichever functions a program calls: no name is declared twice."""
    of_all(tmp_path, "-O1", "-fsyntax-only")


@needs_threads
def test_what_is_not_called_is_not_compiled(tmp_path: Path) -> None:
    """Where nothing is optimised, too: there compilers keep functions that are not inline."""
    made = of_all(tmp_path, "-O0", "-S", "-o-")
    assert "aplc_place_of_work:" in made
    families = "grade|items|packed|settle|sort|table|unique"
    assert not re.findall(rf"^aplc_(?:{families})_(?!words)\w+:", made, re.MULTILINE)
