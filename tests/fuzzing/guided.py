"""One Python target under atheris, in its own process: `python -m tests.fuzzing.guided TARGET ARGUMENT…`.

The arguments are libFuzzer's. The modules of ours are instrumented as they are imported, so this comes first.
"""

from __future__ import annotations

import sys

import atheris

OURS = ["aplc.tail", "aplc.apl_front", "aplc.inputs"]


def main(target: str, arguments: list[str]) -> None:
    """Run until libFuzzer ends the process."""
    with atheris.instrument_imports(include=OURS):
        from tests.fuzzing.readers import READERS  # noqa: PLC0415 (imported under instrumentation)
    atheris.Setup([sys.argv[0], *arguments], READERS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
