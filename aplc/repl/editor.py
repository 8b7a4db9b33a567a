"""The editor of a session, made with prompt_toolkit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings

from aplc.repl.reading import is_open
from aplc.repl.session import Session
from aplc.repl.terminal import MORE, PROMPT, completions
from aplc.symbols import BACKTICK


class _Names(Completer):  # type: ignore[misc]
    """Names of the session, and symbols by their names."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def get_completions(self, document: Any, complete_event: Any) -> Iterable[Completion]:
        """What the word before the cursor may become."""
        for word, text, what in completions(self.session, document.text_before_cursor):
            shown = text if text.startswith(word) else f"{text}  {what}"
            yield Completion(text, start_position=-len(word), display=shown, display_meta=what)


def from_editor(session: Session) -> Iterator[str]:
    """What is entered; Ctrl-C gives up a line, Ctrl-D ends the session."""
    keys = KeyBindings()
    for key, symbol in BACKTICK.items():

        def insert(event: Any, symbol: str = symbol) -> None:
            event.current_buffer.insert_text(symbol)

        keys.add("`", key)(insert)

    prompt: PromptSession[str] = PromptSession(
        PROMPT,
        completer=_Names(session),
        complete_while_typing=False,
        history=_history(),
        key_bindings=keys,
        multiline=Condition(lambda: is_open(prompt.default_buffer.text)),
        prompt_continuation=MORE,
    )
    prompt.app.timeoutlen = None  # a backtick waits for its key as long as it takes
    while True:
        try:
            text = prompt.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text.strip():
            yield text


def _history() -> History:
    """The lines of earlier sessions, where they can be kept."""
    try:
        directory = user_state_path("aplc", appauthor=False)
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = directory / "history"
        path.touch(mode=0o600)
        return FileHistory(str(path))
    except OSError:
        return InMemoryHistory()
