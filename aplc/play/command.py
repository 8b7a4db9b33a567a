"""The command `aplc play`: a page in the browser of this machine, served until Ctrl-C."""

from __future__ import annotations

import secrets
import signal
import socket
import webbrowser
from collections.abc import Sequence
from contextlib import suppress

from aplc.command_line import OK, Parser
from aplc.command_options import number_of_bytes, number_of_seconds
from aplc.inputs import decode
from aplc.request import read_bytes
from aplc.tail.errors import MachineError

HELP = "a page on this machine: an editor, values, stages and what is fused, side by side"
LACKING = "the page needs a server: pip install 'aplc[play]'"
SECONDS, BYTES = 20.0, 1 << 30


def play(arguments: Sequence[str]) -> int:
    """Serve the page, and open it in a browser."""
    parser = Parser(prog="aplc play", description=HELP, allow_abbrev=False)
    parser.add_argument("file", nargs="?", metavar="FILE", help="the text to begin with")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="default: one that is free")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.add_argument(
        "--time-limit",
        type=number_of_seconds,
        default=SECONDS,
        metavar="SECONDS",
        help="what a program may take (default 20)",
    )
    parser.add_argument(
        "--memory-limit",
        type=number_of_bytes,
        default=BYTES,
        metavar="BYTES",
        help="what its arrays may take together (default 1G)",
    )
    parser.add_argument("--files", action="store_true", help="programs may read files, and write texts")
    parsed = parser.parse_args(list(arguments))
    try:
        import uvicorn  # noqa: PLC0415 (an extra)

        from aplc.play.server import app_of  # noqa: PLC0415 (an extra)
        from aplc.play.workers import Limits  # noqa: PLC0415 (likewise)
    except ImportError:
        raise MachineError(LACKING) from None
    program = decode(read_bytes(parsed.file), parsed.file).text if parsed.file else None
    listener = _listening(parsed.port)
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://localhost:{port}/{token}/"
    print(f"{address}\nfor this machine alone, until Ctrl-C", flush=True)
    if not parsed.no_browser:
        webbrowser.open(address)
    app = app_of(token, port, Limits(parsed.time_limit, parsed.memory_limit, parsed.files), program)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run([listener])
    finally:
        for worker in app.state.workers.values():
            worker.stop()
    return OK


def _listening(port: int) -> socket.socket:
    """A socket of this machine alone."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as failure:
        listener.close()
        raise MachineError(f"port {port} cannot be had: {failure.strerror}") from None
    return listener


def _port(text: str) -> int:
    from argparse import ArgumentTypeError  # noqa: PLC0415 (for errors)

    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65536:
        raise ArgumentTypeError(f"a port is a number from 1 to 65535, not {text}")
    return int(text)
