"""The magics of a Python notebook, behind `%load_ext aplc`.

    %%apl [options]       a cell of APL; names of Python that it uses are its arrays, names that it assigns
                          are Python's behind it, arrays and functions
    %apl EXPRESSION       the value of an expression, as Python has it

All cells of a notebook share one session, which keeps what Python has no counterpart for: operators, and
settings like `⎕IO←0`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import publish_display_data

from aplc.api import fn
from aplc.backends.native.run import Result
from aplc.calling.arguments import argument
from aplc.command_line import Parser, UsageError
from aplc.inputs import APL_NAME, as_python
from aplc.notebook.bundles import Bundle, bundle_of, picture_bundle
from aplc.repl.cells import Failure, failure_of, run_cell, typed
from aplc.repl.session import INTERPRETED, Session
from aplc.tail.errors import AplcError, Error
from aplc.tail.types import Base, Nested, Records, Tuple, Type, base_of
from aplc.targets import TARGETS
from aplc.timing import Times

Shown = tuple[Result, Base | None, int]


class CellError(Error):
    """A cell is wrong. A notebook shows the block, and none of what lies between the cell and us."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.block)
        self.failure = failure

    def _render_traceback_(self) -> list[str]:
        return self.failure.block.split("\n")


@magics_class
class AplMagics(Magics):  # type: ignore[misc]
    """What `%load_ext aplc` registers."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.count = 0
        self.times = Times()
        self.shown: list[Shown] = []
        self.session = Session(self._show)
        self.form: Callable[..., Bundle | None] = bundle_of
        self.given: dict[str, Any] = {}
        """What Python and the session have of the same names, as Python has it."""

    def _show(self, value: Result, base: Base | None, digits: int) -> None:
        self.shown.append((_copied(value), base, digits))

    @line_cell_magic  # type: ignore[untyped-decorator]
    def apl(self, line: str, cell: str | None = None) -> Any:
        """APL: `%%apl [options]` above a cell, `%apl EXPRESSION` in a line of Python.

        --target T    what the cell is compiled for: interp, c, openmp, opencl
        --threads N   how many threads openmp takes
        --time        tell how long compiling and running took
        --plot        show values as pictures
        -o NAME       NAME of Python is the last value of the cell
        """
        self.count += 1
        with _one_block():
            if cell is None:
                return self._line(typed(line))
            self._cell(line, cell)
            return None

    def _line(self, text: str) -> Any:
        """The value of an expression; what it prints before that is shown."""
        if not text.strip():
            raise UsageError("%apl wants an expression behind it, %%apl a cell below it")
        self._run(text, "%apl")
        if not self.shown:
            return None
        value, base, _ = self.shown.pop()
        self._publish()
        return as_python(value, base)

    def _cell(self, line: str, cell: str) -> None:
        chosen = _parser().parse_args(line.split())
        name = chosen.output
        if name is not None and not APL_NAME.fullmatch(name):
            raise UsageError(f"-o wants a name, not {name}")
        self._choose(chosen)
        started = time.perf_counter()
        self.form = picture_bundle if chosen.plot else bundle_of
        self._run(cell, f"cell {self.count}")
        seconds = time.perf_counter() - started
        if name is not None:
            if not self.shown:
                raise UsageError(f"-o {name} takes the last value that the cell shows, and it shows none")
            value, base, _ = self.shown.pop()
            self._set(name, as_python(value, base))
        self._publish()
        if chosen.time:
            running = self.times.get("run", 0.0)
            print(f"compile {(seconds - running) * 1000:.3f} ms, run {running * 1000:.3f} ms")

    def _choose(self, chosen: Any) -> None:
        """The options of a cell; of the next one they are others again."""
        target = chosen.target or "c"
        if target not in TARGETS:
            raise UsageError(f"--target is one of {', '.join(TARGETS)}, not {target}")
        self.session.seconds = INTERPRETED if chosen.target is None or target == "interp" else 0.0
        self.session.options = replace(
            self.session.options, target=target, threads=chosen.threads, timed=self.times.add
        )

    def _run(self, text: str, name: str) -> None:
        """Run a text with arrays of Python, and give Python what it assigns."""
        self.shown.clear()
        self.times.clear()
        unfit = self._take(self.session.mentions(_without_commands(typed(text))))
        before = dict(self.session.variables), dict(self.session.definitions)
        try:
            run_cell(self.session, text, name, self._say)
        except AplcError as error:
            self._publish()
            failure = failure_of(error)
            used = [told for key, told in unfit.items() if f"{key} " in failure.block]
            raise CellError(Failure(failure.kind, "\n".join([failure.block, *used]))) from None
        finally:
            self._give(*before)

    # --- Python's names ---

    def _take(self, names: set[str]) -> dict[str, str]:
        """Let the session have what Python has of the names; why it cannot have the others."""
        unfit: dict[str, str] = {}
        for name in names:
            if name not in self.shell.user_ns:
                self._forget(name)
                continue
            value = self.shell.user_ns[name]
            is_same = name in self.given and self.given[name] is value
            if (is_same and isinstance(value, str | int | float | complex | tuple)) or callable(value):
                continue
            try:
                self.session.give(name, argument(value, name, self.session.options))
                self.given[name] = value
            except AplcError as error:
                unfit[name] = f"  {name} of Python: {error.diagnostics[0].message}"
                self._forget(name)
        return unfit

    def _forget(self, name: str) -> None:
        """Take a name from the session that Python has no longer, or not as the array it was."""
        if name in self.given:
            self.session.erase([name])
            del self.given[name]

    def _give(self, variables: dict[str, Any], definitions: dict[str, Any]) -> None:
        """Let Python have what the session has got."""
        for name, variable in self.session.variables.items():
            if variables.get(name) is not variable:
                value, ty = self.session.value_named(name)
                self._set(name, as_python(value, _base(ty)))
        for name, definition in self.session.definitions.items():
            if definitions.get(name) is not definition and (function := self._function(name)) is not None:
                self._set(name, function)

    def _function(self, name: str) -> Any:
        """A function of the session for Python; None for an operator, and for one that uses arrays."""
        text = self.session.function_text(name)
        if text is None:
            return None
        try:
            return fn(text, target=self.session.options.target)  # type: ignore[arg-type]
        except AplcError:
            return None

    def _set(self, name: str, value: Any) -> None:
        self.shell.user_ns[name] = self.given[name] = value

    def _say(self, text: str) -> None:
        self._publish()
        print(text)

    def _publish(self) -> None:
        """Show what was shown and waits."""
        for each in self.shown:
            if bundle := self.form(*each):
                publish_display_data(bundle)
        self.shown.clear()


def _copied(value: Result) -> Result:
    """What a program shows has its memory only while it is shown."""
    return tuple(map(_copied, value)) if isinstance(value, tuple) else deepcopy(value)


def _base(ty: Type) -> Base | None:
    return None if isinstance(ty, Tuple | Nested | Records) else base_of(ty)


def _without_commands(text: str) -> str:
    return "\n".join(["" if line.lstrip().startswith("]") else line for line in text.split("\n")])


def _parser() -> Parser:
    parser = Parser(prog="%%apl", add_help=False, allow_abbrev=False)
    parser.add_argument("--target", default=None)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("-o", dest="output", default=None, metavar="NAME")
    return parser


@contextmanager
def _one_block() -> Iterator[None]:
    """What is raised becomes one block."""
    try:
        yield
    except CellError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        raise CellError(failure_of(error)) from None
