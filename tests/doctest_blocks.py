"""What Griffe reads for the page of the Python interface: an extension, which `mkdocs.yml` names.

Examples in docstrings become blocks of code. Griffe reads all modules of a package, which takes longer than
the rest of the site; of ours the page needs a few.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?m)^>>> .*\n?(?:^(?!\s*$).*\n?)*")
WANTED = {
    ("api",),
    ("calling",),
    ("calling", "functions"),
    ("calling", "programs"),
    ("tail",),
    ("tail", "errors"),
}
"""The modules that have what `aplc` offers, and the packages that these lie in."""

_all_submodules = griffe.ModuleFinder.submodules


def _wanted_submodules(finder: griffe.ModuleFinder, module: griffe.Module) -> list[Any]:
    found = _all_submodules(finder, module)
    return [each for each in found if each[0] in WANTED] if module.path == "aplc" else found


griffe.ModuleFinder.submodules = _wanted_submodules  # type: ignore[method-assign]


class DoctestBlocks(griffe.Extension):
    """Puts `>>>` and what follows it, up to a blank line, between fences."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of whatever has one."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
