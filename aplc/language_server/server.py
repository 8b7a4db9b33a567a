"""The language server: the protocol over standard input and output, by pygls.

Note [Checks]
    Words and names of a text are there at once, so most requests are answered at once. Types and errors take
    longer: they are looked for in a thread, one text at a time, when nothing was typed for a moment. The
    check of a text that has changed meanwhile is ended. Requests that want types wait for them.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from aplc import __version__
from aplc.language_server import completion, features
from aplc.language_server.document import Document
from aplc.language_server.places import Position, Range
from aplc.symbols import BACKTICK
from aplc.tail.legible import legible

PAUSE = 0.15
"""Seconds without typing after which a text is checked."""
AT_MOST = 2.0
"""Seconds that one who points at a name waits for its type."""


@dataclass
class Opened:
    """A text that an editor has open: its last version, and the check of it."""

    document: Document
    version: int | None = None
    checked: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Task[None] | None = None

    def drop(self) -> None:
        """End its check: there is a newer version, or none."""
        self.document.ending.now()
        if self.waiting is not None:
            self.waiting.cancel()
        self.checked.set()


class Server(LanguageServer):  # type: ignore[misc]
    """The server and the texts that are open."""

    def __init__(self) -> None:
        super().__init__("aplc", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.opened: dict[str, Opened] = {}
        self.may_read = True
        self.worker = ThreadPoolExecutor(1, thread_name_prefix="check")

    @property
    def encoding(self) -> str:
        """What client and server count characters in."""
        chosen = self.server_capabilities.position_encoding
        return str(getattr(chosen, "value", chosen) or "utf-16")

    def update(self, uri: str) -> None:
        """Take the text that the editor has now, and check it soon."""
        text = self.workspace.get_text_document(uri)
        before = self.opened.get(uri)
        document = Document(text.source, before.document if before else None, self.may_read, self.encoding)
        opened = self.opened[uri] = Opened(document, text.version)
        if before is not None:
            before.drop()
        opened.waiting = asyncio.create_task(self._check_soon(uri, opened, PAUSE if before else 0))

    async def _check_soon(self, uri: str, opened: Opened, pause: float) -> None:
        await asyncio.sleep(pause)
        await asyncio.get_running_loop().run_in_executor(self.worker, opened.document.check)
        opened.checked.set()
        if self.opened.get(uri) is opened:
            self._publish(uri, features.diagnostics(opened.document, uri), opened.version)

    def _publish(self, uri: str, found: list[features.Data], version: int | None) -> None:
        params = {"uri": uri, "diagnostics": found, "version": version}
        self.text_document_publish_diagnostics(_made(params, lsp.PublishDiagnosticsParams))

    def close(self, uri: str) -> None:
        """Forget a text and its errors."""
        opened = self.opened.pop(uri, None)
        if opened is not None:
            opened.drop()
        self._publish(uri, [], None)

    def document(self, uri: str) -> Document:
        """The text as it is now."""
        return self.opened[uri].document if uri in self.opened else Document("", encoding=self.encoding)

    async def checked(self, uri: str, seconds: float | None = None) -> Document:
        """The text with its types, if it does not change meanwhile, and if they are there in some time."""
        if uri in self.opened:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.opened[uri].checked.wait(), seconds)
        return self.document(uri)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A mistake of ours goes to the log."""
        print(f"aplc lsp: {error!r}", file=sys.stderr)


_converter = get_converter()


def _made(data: Any, kind: Any) -> Any:
    """The object of the protocol that data describe."""
    return None if data is None else _converter.structure(data, kind)


def _place(params: Any) -> Position:
    return {"line": params.position.line, "character": params.position.character}


def _range(found: Any) -> Range:
    start, end = found.start, found.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def serve() -> None:
    """Speak the protocol until the editor is gone. What else is printed goes to standard error."""
    stdout, sys.stdout = sys.stdout, sys.stderr
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    made().start_io(sys.stdin.buffer, stdout.buffer)


def made() -> Server:
    """A server with all that it answers."""
    server = Server()
    _texts(server)
    _under_cursor(server)
    _whole_text(server)
    _while_typing(server)
    return server


def _texts(server: Server) -> None:
    @server.feature(lsp.INITIALIZE)  # type: ignore[untyped-decorator]
    def begin(params: lsp.InitializeParams) -> None:
        given = params.initialization_options
        if isinstance(given, dict) and given.get("files") is False:
            server.may_read = False

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)  # type: ignore[untyped-decorator]
    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)  # type: ignore[untyped-decorator]
    async def change(params: Any) -> None:
        server.update(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)  # type: ignore[untyped-decorator]
    async def close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _under_cursor(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)  # type: ignore[untyped-decorator]
    async def hover(params: lsp.HoverParams) -> Any:
        uri = params.text_document.uri
        is_known = bool(server.document(uri).by_name)  # from an earlier version
        document = server.document(uri) if is_known else await server.checked(uri, AT_MOST)
        return _made(features.hover(document, _place(params)), lsp.Hover)

    def locations(uri: str, ranges: list[Range]) -> Any:
        return _made([{"uri": uri, "range": each} for each in ranges], list[lsp.Location])

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)  # type: ignore[untyped-decorator]
    def definition(params: lsp.DefinitionParams) -> Any:
        uri = params.text_document.uri
        return locations(uri, features.definition(server.document(uri), _place(params)))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)  # type: ignore[untyped-decorator]
    def references(params: lsp.ReferenceParams) -> Any:
        uri, declarations = params.text_document.uri, params.context.include_declaration
        document = server.document(uri)
        return locations(uri, features.references(document, _place(params), declarations=declarations))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)  # type: ignore[untyped-decorator]
    def highlight(params: lsp.DocumentHighlightParams) -> Any:
        found = features.references(server.document(params.text_document.uri), _place(params))
        return _made([{"range": each} for each in found], list[lsp.DocumentHighlight])

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)  # type: ignore[untyped-decorator]
    def prepare(params: lsp.PrepareRenameParams) -> Any:
        return _made(features.renamed(server.document(params.text_document.uri), _place(params)), lsp.Range)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))  # type: ignore[untyped-decorator]
    def rename(params: lsp.RenameParams) -> Any:
        uri = params.text_document.uri
        edits = features.rename(server.document(uri), _place(params), params.new_name)
        if not edits:
            raise JsonRpcInvalidParams(f"{legible(params.new_name)} cannot be the name here")
        return _made({"changes": {uri: edits}}, lsp.WorkspaceEdit)


def _whole_text(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)  # type: ignore[untyped-decorator]
    async def outline(params: lsp.DocumentSymbolParams) -> Any:
        document = await server.checked(params.text_document.uri)
        return _made(features.outline(document), list[lsp.DocumentSymbol])

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)  # type: ignore[untyped-decorator]
    def folds(params: lsp.FoldingRangeParams) -> Any:
        return _made(features.folds(server.document(params.text_document.uri)), list[lsp.FoldingRange])

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)  # type: ignore[untyped-decorator]
    async def inlays(params: lsp.InlayHintParams) -> Any:
        document = await server.checked(params.text_document.uri)
        return _made(features.inlays(document, _range(params.range)), list[lsp.InlayHint])

    legend = lsp.SemanticTokensLegend(list(features.TOKEN_TYPES), list(features.MODIFIERS))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)  # type: ignore[untyped-decorator]
    def tokens(params: lsp.SemanticTokensParams) -> Any:
        return lsp.SemanticTokens(features.semantic_tokens(server.document(params.text_document.uri)))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)  # type: ignore[untyped-decorator]
    def tokens_within(params: lsp.SemanticTokensRangeParams) -> Any:
        document = server.document(params.text_document.uri)
        return lsp.SemanticTokens(features.semantic_tokens(document, _range(params.range)))


def _while_typing(server: Server) -> None:
    triggers = lsp.CompletionOptions(trigger_characters=list(completion.TRIGGERS))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, triggers)  # type: ignore[untyped-decorator]
    def completions(params: lsp.CompletionParams) -> Any:
        document = server.document(params.text_document.uri)
        found = completion.completions(document, _place(params))
        return _made({"isIncomplete": True, "items": found}, lsp.CompletionList)

    @server.feature("aplc/symbols")  # type: ignore[untyped-decorator]
    def symbols(params: Any) -> Any:
        return completion.symbols()

    first, *more = BACKTICK

    @server.feature(
        lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        lsp.DocumentOnTypeFormattingOptions(first_trigger_character=first, more_trigger_character=more),
    )  # type: ignore[untyped-decorator]
    def typed(params: lsp.DocumentOnTypeFormattingParams) -> Any:
        document = server.document(params.text_document.uri)
        return _made(features.typed(document, _place(params), params.ch), list[lsp.TextEdit])
