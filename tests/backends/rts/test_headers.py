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


@needs_threads
def test_all_of_them_can_be_included_together(tmp_path: Path) -> None:
    """Whichever functions a program calls: no name is declared twice."""
    for name, text in headers().items():
        (tmp_path / name).write_text(text, "utf-8")
    source = tmp_path / "all.c"
    source.write_text("".join([f'#include "{name}"\n' for name in ("aplc.h", *named())]), "utf-8")
    command = (*find_compiler().command, "-std=gnu11", "-O1", "-fopenmp", "-fsyntax-only", str(source))
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(named()) > 20 and made.returncode == 0, made.stderr
