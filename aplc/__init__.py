"""aplc compiles APL ahead of time: to a typed array language, to fused loops, to C.

    import aplc
    aplc.run("+/⍳10")                        # 55
    mean = aplc.fn("+⌿÷≢")                    # an APL function on NumPy arrays
    program = aplc.load("signal.apl")        # its top-level functions become callables
    @aplc.apl                                # a Python function whose docstring is APL
    def norm(x): "{(+/⍵×⍵)*÷2}"
    aplc.check(text)                         # a Report of diagnostics and types

Errors of the user's program are exceptions that carry diagnostics: `CompileError`, `Unsupported`,
`RunError`, `TimeLimitError`. A machine without a C compiler is a `MachineError`; `target="interp"` needs
none. `Error` is the base of all that aplc raises; what is wrong with an argument is a `ValueError` or a
`TypeError` too. Errors, functions and programs can be pickled and copied.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aplc.api import Report, apl, check, fn, load, run
    from aplc.calling.functions import Function
    from aplc.calling.programs import LoadedProgram
    from aplc.tail.errors import (
        AplcError,
        ArgumentTypeError,
        ArgumentValueError,
        CallError,
        CompileError,
        Diagnostic,
        Error,
        InternalError,
        MachineError,
        OptionError,
        RunError,
        TimeLimitError,
        Unsupported,
    )

__version__ = "0.1.0"

__all__ = [
    "AplcError",
    "ArgumentTypeError",
    "ArgumentValueError",
    "CallError",
    "CompileError",
    "Diagnostic",
    "Error",
    "Function",
    "InternalError",
    "LoadedProgram",
    "MachineError",
    "OptionError",
    "Report",
    "RunError",
    "TimeLimitError",
    "Unsupported",
    "apl",
    "check",
    "fn",
    "load",
    "run",
]


_ELSEWHERE = {"Function": "aplc.calling.functions", "LoadedProgram": "aplc.calling.programs"}
"""What is in neither of the modules where most is."""


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for: the command is to start fast."""
    if name not in __all__:
        raise AttributeError(f"module 'aplc' has no attribute {name!r}")
    errors = import_module("aplc.tail.errors")
    module = errors if hasattr(errors, name) else import_module(_ELSEWHERE.get(name, "aplc.api"))
    value = getattr(module, name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext aplc` in a notebook calls: the magics `%%apl` and `%apl`."""
    from aplc.notebook.magics import AplMagics  # noqa: PLC0415 (an extra)

    shell.register_magics(AplMagics)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
