"""The command `aplc lsp`."""

from __future__ import annotations

from collections.abc import Sequence

from aplc.command_line import OK, Parser
from aplc.tail.errors import MachineError

ABOUT = """\
the language server for editors, over standard input and output: errors while typing, types, definitions,
completion of names and symbols; an editor starts it, see docs/editors.md"""


def language_server(arguments: Sequence[str]) -> int:
    """Serve an editor until it is gone. Raises `MachineError` without pygls."""
    parser = Parser(prog="aplc lsp", description=ABOUT, allow_abbrev=False)
    parser.add_argument("--stdio", action="store_true", help="as it is without: what editors say")
    parser.parse_args(list(arguments))
    try:
        from aplc.language_server.server import serve  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MachineError("the language server needs pygls: pip install 'aplc[lsp]'") from None
    serve()
    return OK
