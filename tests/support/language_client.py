"""A client of the language server: a process, and JSON-RPC over its pipes."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import Any

from tests.support.paths import ROOT

PATIENCE = 120.0
"""Seconds to wait for an answer on a machine that has much else to do."""
CAN = {"textDocument": {"rename": {"prepareSupport": True}}}
URI = "file:///program.apl"


class Client:
    """`aplc lsp`, initialised."""

    def __init__(self, folder: Path, **options: Any) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "aplc", "lsp", "--stdio"]
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.answers: Queue[dict[str, Any]] = Queue()
        self.told: Queue[dict[str, Any]] = Queue()
        self.number = self.version = 0
        threading.Thread(target=self._listen, daemon=True).start()
        given = {"processId": None, "rootUri": None, "capabilities": CAN, "initializationOptions": options}
        self.capabilities = self.ask("initialize", **given)["capabilities"]
        self.tell("initialized")

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            name, _, length = line.partition(b":")
            assert name.lower() in (b"content-length", b"content-type"), line
            if name.lower() == b"content-length":
                while self.process.stdout.readline().strip():
                    pass
                message = json.loads(self.process.stdout.read(int(length)))
                (self.answers if "id" in message else self.told).put(message)

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request; an error is raised."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        answer = self.answers.get(timeout=PATIENCE)
        assert answer["id"] == self.number, answer
        if "error" in answer:
            raise ValueError(answer["error"]["message"])
        return answer["result"]

    def about(self, what: str, line: int = -1, character: int = 0, **params: Any) -> Any:
        """What a request about the text says, at a place if one is given."""
        place = {"position": {"line": line, "character": character}} if line >= 0 else {}
        return self.ask(f"textDocument/{what}", textDocument={"uri": URI}, **place, **params)

    def open(self, text: str) -> None:
        self.version += 1
        document = {"uri": URI, "languageId": "apl", "version": self.version, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, *changes: dict[str, Any]) -> None:
        self.version += 1
        document = {"uri": URI, "version": self.version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def type(self, text: str, line: int, character: int) -> None:
        """Insert a text."""
        place = {"line": line, "character": character}
        self.change({"range": {"start": place, "end": place}, "text": text})

    def diagnostics(self) -> list[dict[str, Any]]:
        """What is wrong with the text as it is now."""
        while True:
            params = self.told.get(timeout=PATIENCE)["params"]
            if params.get("version") == self.version:
                found: list[dict[str, Any]] = params["diagnostics"]
                return found
