"""The server of `aplc play` over its protocol: who is let in, what may be asked, what programs may do."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="NOT CHECKED: the extra play is not installed")
pytest.importorskip("httpx2", reason="NOT CHECKED: httpx2 is not installed")

from starlette.testclient import TestClient

from aplc.play.server import FILES, HEADERS, LONGEST_TEXT, STATIC, app_of
from aplc.play.workers import Limits, Worker
from tests.support.machine import needs_c

PORT, TOKEN = 8123, "right"
HOME = f"http://localhost:{PORT}"


@pytest.fixture(name="client", scope="module")
def client_fixture() -> Iterator[TestClient]:
    app = app_of(TOKEN, PORT, Limits(60, 1 << 28), "+/⍳10")
    with TestClient(app, base_url=HOME) as client:
        yield client


def ask(client: TestClient, **asked: Any) -> list[dict[str, Any]]:
    response = client.post(f"/{TOKEN}/ask", json=asked)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def done(client: TestClient, **asked: Any) -> Any:
    return ask(client, **asked)[-1]["done"]


def test_nobody_is_let_in_without_the_token(client: TestClient) -> None:
    for path in ("/", "/wrong/", "/wrong/about", "/wrong/app.js", "/right", "/a/b/c", "/righ/", "/%F0/"):
        assert client.get(path, follow_redirects=False).status_code in (403, 307)
        assert client.get(path).status_code == 403 or path == "/right"
    assert client.post("/wrong/ask", json={"what": "run", "text": "1", "target": "c"}).status_code == 403
    assert client.post("/wrong/stop").status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"}, {"Host": f"evil.example:{PORT}"}, {"Host": "localhost"},
        {"Host": "localhost:1"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
        {"Origin": "http://localhost:1"}, {"Origin": f"https://localhost:{PORT}"},
        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    ],
)  # fmt: skip
def test_other_names_of_this_machine_and_other_pages_are_refused(
    client: TestClient, headers: dict[str, str]
) -> None:
    assert client.get(f"/{TOKEN}/about", headers=headers).status_code == 403
    question = {"what": "run", "text": "1", "target": "c"}
    assert client.post(f"/{TOKEN}/ask", json=question, headers=headers).status_code == 403


def test_the_page_fetches_nothing_from_elsewhere(client: TestClient) -> None:
    for name, (path, kind) in FILES.items():
        response = client.get(f"/{TOKEN}/{name}", headers={"Origin": HOME, "Sec-Fetch-Site": "same-origin"})
        assert (response.status_code, response.headers["content-type"]) == (200, kind)
        assert response.content == (STATIC / path).read_bytes()
        assert HEADERS.items() <= dict((key, response.headers.get(key)) for key in HEADERS).items()
        if name != "codemirror.js":
            assert "http" not in response.text.replace("http-equiv", "")
    assert client.get(f"/{TOKEN}/..%2fserver.py").status_code in (403, 404)
    assert client.get(f"/{TOKEN}/nothing.js").status_code == 404
    assert client.get(f"/{TOKEN}/about").json()["program"] == "+/⍳10"


@pytest.mark.parametrize(
    "asked",
    [
        [], {}, {"what": "run"}, {"text": "1"}, {"what": "eval", "text": "1"},
        {"what": "run", "text": 1, "target": "c"},
        {"what": "run", "text": "1", "target": "cuda"}, {"what": "stage", "text": "1", "stage": "../c"},
        {"what": ["run"], "text": "1"}, {"what": "explain", "text": "1", "target": "interp"},
        {"what": "check", "text": "1" * (4 * LONGEST_TEXT + 1000)},
        {"what": "hover", "text": "1"}, {"what": "complete", "text": "1", "position": {"line": "0"}},
        {"what": "hover", "text": "1", "position": {"line": "0", "character": 0}},
        {"what": "check", "text": "1", "inputs": {"v": 1}}, {"what": "check", "text": "1", "inputs": ["v"]},
    ],
)  # fmt: skip
def test_what_may_not_be_asked(client: TestClient, asked: Any) -> None:
    assert client.post(f"/{TOKEN}/ask", json=asked).status_code == 400


def test_a_question_is_json(client: TestClient) -> None:
    text = b'{"what": "check", "text": "1"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        assert client.post(f"/{TOKEN}/ask", content=text, headers={"Content-Type": kind}).status_code == 400
    json_type = {"Content-Type": "application/json"}
    assert client.post(f"/{TOKEN}/ask", content=b"{", headers=json_type).status_code == 400


def test_errors_and_types_are_those_of_the_language_server(client: TestClient) -> None:
    found = done(client, what="check", text="⍝ 😀\nx ← 1 2\nx+1 2 3")
    (wrong,) = found["diagnostics"]
    assert (wrong["code"], wrong["range"]["start"]) == ("LENGTH ERROR", {"line": 2, "character": 0})
    assert wrong["message"].startswith("+ needs equal lengths")
    broken = done(client, what="check", text="x ← 1 2\nx+(")
    assert [each["label"] for each in broken["types"]] == [": <int>2"]  # what is right has its types
    assert broken["diagnostics"][0]["code"] == "SYNTAX ERROR"
    (value,) = done(client, what="check", text="'😀' ⋄ x ← 1 2")["types"]
    assert value["position"] == {"line": 0, "character": 8}  # in units of UTF-16


def test_hover_and_completion_are_those_of_the_language_server(client: TestClient) -> None:
    text = "total ← 1 2\n+/tot"
    done(client, what="check", text=text + "al")
    shown = done(client, what="hover", text=text, position={"line": 0, "character": 2})["hover"]
    assert "total : <int>2" in shown["contents"]["value"]
    shown = done(client, what="hover", text=text, position={"line": 1, "character": 0})["hover"]
    assert "x + y    add" in shown["contents"]["value"]
    assert done(client, what="hover", text="  ", position={"line": 0, "character": 0}) == {"hover": None}
    items = done(client, what="complete", text=text, position={"line": 1, "character": 5})["items"]
    assert "total" in [each["label"] for each in items]
    items = done(client, what="complete", text="rho", position={"line": 0, "character": 3})["items"]
    assert [each["textEdit"]["newText"] for each in items] == ["⍴"]


STATED = "⍝ == input v int 3: 1 2 3\n⍝ == output 6\nv←v\n+/v×w\n"


def test_inputs_are_those_of_the_header_and_of_fields(client: TestClient) -> None:
    found = done(client, what="check", text=STATED)
    assert found["inputs"] == [{"name": "v", "type": "[int]1"}, {"name": "w", "type": ""}]
    assert [each["message"] for each in found["diagnostics"]] == ["w is not defined"]
    given = {"w": " 2 ", "z": "not in the program"}
    assert done(client, what="check", text=STATED, inputs=given)["diagnostics"] == []
    shown, _ = ask(client, what="run", text=STATED, target="interp", inputs=given)
    assert shown["shown"]["text"] == "12"
    shown, _ = ask(client, what="run", text=STATED, target="interp", inputs={"v": "[1.5, 2]", "w": "2⍴4"})
    assert shown["shown"]["text"] == "14"  # a field is before the header


def test_what_is_wrong_with_an_input_is_told(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "v.npy").write_bytes(b"")
    for value, told in (("1+", "SYNTAX ERROR"), (f"{tmp_path}/v.npy", "inputs:1:3"), ("[1,", "JSON")):
        asked = {"text": "+/v", "inputs": {"v": value}}
        assert told in done(client, what="run", target="interp", **asked)["error"]
        first = done(client, what="check", **asked)["diagnostics"][0]
        assert "range" not in first and first["code"] in told + "FILE ERROR"
    found = done(client, what="check", text="⍝ == input v int 3: 1 2\nv")
    assert "v has 2 elements" not in str(found)  # the run says so
    asked = {"what": "run", "text": "⍝ == input v int 3: 1 2\nv", "target": "interp"}
    assert "HEADER ERROR: v has 2 elements" in done(client, **asked)["error"]


def test_values_come_as_text_tables_and_pictures(client: TestClient) -> None:
    *shown, last = ask(client, what="run", text="⎕←1\n⍳20\n'ab' 1\n2 3⍴0", target="interp")
    told = [each["shown"] for each in shown]
    assert [each["text"] for each in told] == [
        "1",
        " ".join(map(str, range(1, 21))),
        " ab  1",
        "0 0 0\n0 0 0",
    ]
    assert [bool(each["svg"]) for each in told] == [False, True, False, False]
    assert [bool(each["table"]) for each in told] == [False, False, True, False]
    assert last["done"]["left_out"] == 0


@needs_c
@pytest.mark.parametrize("stage", ["ast", "tail", "tail-opt", "laila", "c", "openmp", "opencl"])
def test_lines_of_stages_are_linked_with_the_text(client: TestClient, stage: str) -> None:
    text = "sq ← {⍵×⍵}\nv ← ?100000⍴0\n+/sq v-1\n"
    found = done(client, what="stage", text=text, stage=stage)
    lines = found["text"].split("\n")
    links = {text[start:end] for _, start, end, _ in found["links"]}
    assert all(
        0 <= line < len(lines) and 0 <= start < end <= len(text) for line, start, end, _ in found["links"]
    )
    assert ("+/sq v-1" if stage != "ast" else "+") in links


@needs_c
def test_a_loop_is_linked_with_what_is_fused_into_it(client: TestClient) -> None:
    text = "v ← ?100000⍴0\n+/1↓v-¯1⌽v"
    found = done(client, what="stage", text=text, stage="c")
    head = next(k for k, line in enumerate(found["text"].split("\n")) if "for (int64_t k = " in line)
    own = {text[start:end] for line, start, end, is_own in found["links"] if line == head and is_own}
    fused = {text[start:end] for line, start, end, is_own in found["links"] if line == head and not is_own}
    assert (own, fused) == ({"+/1↓v-¯1⌽v"}, {"1↓v-¯1⌽v", "¯1⌽v"})


@needs_c
def test_what_is_fused_is_told(client: TestClient) -> None:
    text = "⍝ == input v double 4: 1 2 3 4\n+/⌽v"
    found = done(client, what="explain", text=text, target="c")
    assert "reads 8·v_n = 32 bytes of v; writes nothing" in [line.strip() for line in found["lines"]]
    assert any("fused into loop" in line for line in found["lines"])
    assert found["svg"].startswith("<svg ")


def test_programs_read_no_files(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    for what in ({"what": "check"}, {"what": "run", "target": "interp"}, {"what": "stage", "stage": "c"}):
        told = json.dumps(ask(client, text=f"⎕NGET '{tmp_path}/secret'", **what))
        assert "may not be read" in told or "files" in told


def test_programs_have_limits(client: TestClient) -> None:
    assert "WS FULL" in done(client, what="run", text="≢⌽⍋?1e8⍴1e6", target="interp")["error"]
    asyncio.run(_within_half_a_second())


async def _within_half_a_second() -> None:
    worker = Worker(Limits(0.5, 1 << 28))

    async def asked(**question: str) -> Any:
        return [each async for each in worker.ask({"target": "interp", **question})][-1]["done"]

    await asked(what="check", text="1")
    assert "TIME LIMIT" in (await asked(what="run", text="{⍵+1}⍣{0}0"))["error"]
    assert "error" not in await asked(what="run", text="1+1")
    await worker.close()


def test_a_process_that_dies_is_told_and_begun_again(client: TestClient) -> None:
    worker = client.app.state.workers["run"]  # type: ignore[attr-defined]
    done(client, what="run", text="1", target="interp")
    first = worker.process.pid
    worker.process.kill()
    assert "has ended" in done(client, what="run", text="1", target="interp").get("error", "has ended")
    assert ask(client, what="run", text="1+1", target="interp")[0]["shown"]["text"] == "2"
    assert worker.process.pid != first
