"""What a library calls things: its functions, its structures, their parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aplc.build.functions import Built
from aplc.build.values import C_NAMES, PLURALS, Flat, Lists, Shape
from aplc.tail.types import Base

DEVICE = ("init", "device", "finish")
OWN = ("message", "free", "complex", *[f"{plural}" for plural in PLURALS.values()])


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a library `libsignal`: `signal_…`, `SIGNAL_…`."""

    library: str

    @property
    def prefix(self) -> str:
        """Before every name."""
        stem = re.sub(r"\W", "_", self.library.removeprefix("lib"), flags=re.ASCII)
        return stem if re.match("[A-Za-z]", stem) else f"lib{stem}"

    @property
    def macro(self) -> str:
        """Before every constant. `X_OK` and its like are those of `access` in <unistd.h>."""
        macro = self.prefix.upper()
        return f"LIB{macro}" if macro in ("F", "R", "W", "X") else macro

    def functions(self, built: Sequence[Built]) -> dict[str, str]:
        """What functions are called in C, by their names in APL."""
        found: dict[str, str] = {}
        own = (*OWN, *(DEVICE if any([each.kernels.launches for each in built]) else ()))
        taken = {f"{self.prefix}_{name}" for name in own}
        taken |= {self.structure(shape) for each in built for shape in each.results}
        for each in built:
            name = f"{self.prefix}_{ascii_name(each.name)}"
            while name in taken:
                name += "_"
            taken.add(name)
            found[each.name] = name
        return found

    def exported(self, built: Sequence[Built]) -> list[str]:
        """All that C programs may call."""
        own = ["message", "free", *(DEVICE if any([each.kernels.launches for each in built]) else ())]
        return [*self.functions(built).values(), *[f"{self.prefix}_{name}" for name in own]]

    def structure(self, shape: Shape) -> str:
        """The structure of an array or of lists."""
        return f"{self.prefix}_{shape.structure}"

    def element(self, base: Base) -> str:
        """The type of an element."""
        return C_NAMES.get(base, f"{self.prefix}_complex")

    def parameters(self, name: str, shape: Shape) -> list[str]:
        """The declarations of what stands for an argument."""
        element = self.element(shape.base)
        if isinstance(shape, Lists):
            return [f"const {element} *{name}", f"const int64_t *{name}_offsets", f"int64_t {name}_count"]
        if shape.rank == 0:
            return [f"{element} {name}"]
        return [f"const {element} *{name}", *[f"int64_t {extent}" for extent in extents(name, shape.rank)]]

    def result(self, name: str, shape: Shape) -> str:
        """The declaration of where a result goes."""
        if isinstance(shape, Flat) and shape.rank == 0:
            return f"{self.element(shape.base)} *{name}"
        return f"{self.structure(shape)} *{name}"

    def signature(self, name: str, built: Built) -> str:
        """The head of a function."""
        parts = [part for each, shape in built.parameters for part in self.parameters(each, shape)]
        parts += [self.result(each, shape) for each, shape in results(built)]
        head, width = f"int {name}(", 100
        line, lines = head, []
        for k, part in enumerate(parts):
            text = part + (", " if k + 1 < len(parts) else ")")
            if len(line + text) > width:
                lines.append(line.rstrip())
                line = " " * len(head)
            line += text
        return "\n".join([*lines, line])


def results(built: Built) -> list[tuple[str, Shape]]:
    """What the results of a function are called."""
    if len(built.results) == 1:
        return [("result", built.results[0])]
    return [(f"result{k}", shape) for k, shape in enumerate(built.results, 1)]


def extents(name: str, rank: int) -> list[str]:
    """What the extents of an argument are called."""
    if rank == 1:
        return [f"{name}_length"]
    if rank == 2:
        return [f"{name}_rows", f"{name}_columns"]
    return [f"{name}_extent{axis}" for axis in range(rank)]


def ascii_name(name: str) -> str:
    """A name of APL as one of C or Python: other letters are their numbers."""
    plain = {"∆": "d", "⍙": "u"}
    return "".join([c if re.match(r"\w", c, re.ASCII) else plain.get(c, f"u{ord(c):04x}") for c in name])
