"""The kernel of Jupyter for APL: each cell is run in one session, as the lines of `aplc repl` are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ipykernel.kernelbase import Kernel

from aplc import __version__
from aplc.backends.native.run import Result
from aplc.notebook.asking import completed, described_at
from aplc.notebook.bundles import Bundle, bundle_of, picture_bundle
from aplc.repl.cells import Failure, failure_of, run_cell, typed
from aplc.repl.commands import Say, WrongCommand, command
from aplc.repl.reading import is_open
from aplc.repl.session import Session
from aplc.shell.on_terminal import coloured
from aplc.tail.types import Base

MOST_SHOWN = 100
"""Values of a cell that are shown each by itself; more are lines of text."""


class AplKernel(Kernel):  # type: ignore[misc]
    """A session behind Jupyter's protocol."""

    implementation = "aplc"
    implementation_version = __version__
    banner = f"aplc {__version__}: APL, compiled. `r gives ⍴ with Tab, ]help tells more"
    language_info: ClassVar[dict[str, object]] = {
        "name": "apl",
        "version": __version__,
        "mimetype": "text/apl",
        "file_extension": ".apl",
        "codemirror_mode": "apl",
        "pygments_lexer": "aplc",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shown = 0
        self.is_silent = False
        self.form: Callable[..., Bundle | None] = bundle_of
        self.apl = Session(self._show, self._text)

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: Any = None,
        allow_stdin: bool = False,
        **other: Any,
    ) -> dict[str, Any]:
        """Run a cell; an error is its block."""
        self.shown, self.is_silent = 0, silent
        try:
            run_cell(self.apl, code, f"cell {self.execution_count}", self._text, self._command)
        except (Exception, KeyboardInterrupt) as error:
            return self._failed(failure_of(error))
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": [],
            "user_expressions": {},
        }

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Names, symbols by their names, and what a key behind a backtick gives."""
        found = completed(self.apl, code[:cursor_pos])
        start = cursor_pos - (len(found[0].word) if found else 0)
        kinds = [{"start": start, "end": cursor_pos, "text": each.text, "type": each.what} for each in found]
        return {
            "status": "ok",
            "matches": [each.text for each in found],
            "cursor_start": start,
            "cursor_end": cursor_pos,
            "metadata": {"_jupyter_types_experimental": kinds},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """What the name or the symbol at the cursor is."""
        told = described_at(self.apl, code, cursor_pos)
        data = {"text/plain": told} if told else {}
        return {"status": "ok", "found": bool(told), "data": data, "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, str]:
        """Whether more lines belong to what was entered."""
        return {"status": "incomplete", "indent": ""} if is_open(typed(code)) else {"status": "complete"}

    # --- what a cell shows ---

    def _command(self, session: Session, text: str, say: Say) -> None:
        """A command of sessions, or `]plot`, which notebooks alone have."""
        word, _, rest = text[1:].strip().partition(" ")
        if word.lower() != "plot":
            command(session, text, say)
            if word.lower() == "help" and not rest:
                say("]plot      an expression as a picture: a vector, several, or a matrix")
            return
        if not rest.strip():
            raise WrongCommand("]plot wants an expression behind it")
        self.form = picture_bundle
        try:
            session.run(rest, "]plot")
        finally:
            self.form = bundle_of

    def _show(self, value: Result, base: Base | None, digits: int) -> None:
        bundle = self.form(value, base, digits, with_boxes=self.apl.is_boxed)
        if bundle is None or self.is_silent:
            return
        self.shown += 1
        if self.shown > MOST_SHOWN:
            self._text(bundle["text/plain"])
        else:
            content = {"data": bundle, "metadata": {}, "transient": {}}
            self.send_response(self.iopub_socket, "display_data", content)

    def _text(self, text: str) -> None:
        if not self.is_silent:
            self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": text + "\n"})

    def _failed(self, failure: Failure) -> dict[str, Any]:
        told = {
            "ename": failure.kind,
            "evalue": failure.block,
            "traceback": coloured(failure.block).split("\n"),
        }
        if not self.is_silent:
            self.send_response(self.iopub_socket, "error", told)
        return {"status": "error", "execution_count": self.execution_count, **told}
