"""The server of `aplc play`: a page and the questions that it asks, behind a token, for this machine alone.

Every address begins with the token. A request is refused with 403 unless its token is right, the host that
it names is this machine (another site could have a name that leads here), and no other page sent it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from aplc.play.answers import STAGES
from aplc.play.samples import samples
from aplc.play.workers import Limits, Worker
from aplc.symbols import BACKTICK, NAMED, described
from aplc.targets import COMPILED, TARGETS

STATIC = Path(__file__).parent / "static"
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "app.js": ("app.js", "text/javascript; charset=utf-8"),
    "apl.js": ("apl.js", "text/javascript; charset=utf-8"),
    "codemirror.js": ("codemirror.js", "text/javascript; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
}
"""All that is served, by name, with its type."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LONGEST_TEXT = 200_000
"""Characters of a program."""
QUESTIONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "check": lambda asked: True,
    "hover": lambda asked: _is_place(asked.get("position")),
    "complete": lambda asked: _is_place(asked.get("position")),
    "stage": lambda asked: asked.get("stage") in STAGES,
    "explain": lambda asked: asked.get("target") in COMPILED,
    "run": lambda asked: asked.get("target") in TARGETS,
}
"""What may be asked, and whether the rest of the question is right."""

Handler = Callable[[Request], Awaitable[Response]]


def app_of(token: str, port: int, limits: Limits, program: str | None = None) -> Starlette:
    """The application for a token and a port; `program` is the text that the page begins with."""
    workers = {"run": Worker(limits), "look": Worker(limits)}
    """Programs run in one process, and are looked at in another, which goes on meanwhile."""
    hosts = {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}

    def is_allowed(request: Request) -> bool:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        given = request.path_params["token"].encode()
        return (
            hmac.compare_digest(given, token.encode())
            and host in hosts
            and origin in (None, f"http://{host}")
            and request.headers.get("sec-fetch-site", "none") in ("same-origin", "none")
        )

    def guarded(handler: Handler) -> Handler:
        async def handle(request: Request) -> Response:
            if not is_allowed(request):
                response: Response = PlainTextResponse(
                    "403: this is for who has the address that aplc play prints\n", 403
                )
            else:
                response = await handler(request)
            response.headers.update(HEADERS)
            return response

        return handle

    async def file(request: Request) -> Response:
        name = request.path_params.get("name", "")
        if name not in FILES:
            return PlainTextResponse("404: there is no such page\n", 404)
        path, kind = FILES[name]
        return Response((STATIC / path).read_bytes(), media_type=kind)

    async def about(request: Request) -> Response:
        return JSONResponse(
            {
                "program": program,
                "samples": samples(),
                "backtick": BACKTICK,
                "named": NAMED,
                "described": {s: described(s) for s in dict.fromkeys([*NAMED.values(), *BACKTICK.values()])},
                "targets": list(TARGETS),
                "stages": list(STAGES),
            }
        )

    async def ask(request: Request) -> Response:
        asked = await _question(request)
        if isinstance(asked, str):
            return PlainTextResponse(f"400: {asked}\n", 400)
        worker = workers["run" if asked["what"] == "run" else "look"]

        async def answers() -> AsyncIterator[bytes]:
            async for each in worker.ask(asked):
                yield json.dumps(each, ensure_ascii=False).encode() + b"\n"

        return StreamingResponse(answers(), media_type="application/x-ndjson")

    async def stop(request: Request) -> Response:
        workers["run"].stop()
        return JSONResponse({})

    async def refused(request: Request) -> Response:
        return PlainTextResponse("403: the address lacks its token\n", 403, headers=HEADERS)

    routes = [
        Route("/{token}/", guarded(file)),
        Route("/{token}/about", guarded(about)),
        Route("/{token}/ask", guarded(ask), methods=["POST"]),
        Route("/{token}/stop", guarded(stop), methods=["POST"]),
        Route("/{token}/{name}", guarded(file)),
        Route("/{rest:path}", refused, methods=["GET", "POST"]),
    ]

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        starting = [asyncio.create_task(worker.start()) for worker in workers.values()]
        yield
        for task in starting:
            task.cancel()
        for worker in workers.values():
            await worker.close()

    app = Starlette(routes=routes, lifespan=life)
    app.state.workers = workers
    return app


def _is_place(given: Any) -> bool:
    """Whether this is a place as the protocol of language servers has it."""
    return (
        isinstance(given, dict)
        and given.keys() == {"line", "character"}
        and all(type(each) is int and each >= 0 for each in given.values())
    )


def _are_inputs(given: Any) -> bool:
    """Whether these are texts by name."""
    return isinstance(given, dict) and all(isinstance(each, str) for each in given.values())


async def _question(request: Request) -> dict[str, Any] | str:
    """What is asked, or what is wrong with it."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return "a question is JSON"
    body = await request.body()
    if len(body) > 4 * LONGEST_TEXT + 1000:
        return f"a program has at most {LONGEST_TEXT} characters"
    try:
        asked = json.loads(body)
    except ValueError:
        return "this is no JSON"
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        return "a question has a text"
    if not _are_inputs(asked.get("inputs", {})):
        return "inputs are texts by name"
    what = asked.get("what")
    if not isinstance(what, str) or what not in QUESTIONS or not QUESTIONS[what](asked):
        return f"what is asked is one of {', '.join(QUESTIONS)}, with its stage, target or position"
    return asked
