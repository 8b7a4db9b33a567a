"""Every block of code of the documentation is run, and what it shows comes out.

    ```console   lines behind `$ ` are commands, run in order in a directory of the page's own; what stands
                 below one is what it says. Below `$ aplc repl` lines with six spaces are entered there
    ```apl       with lines of six spaces: the session goes on. Otherwise a file.
    ```python    statements; a comment behind one that begins like a value is its value

`…` is whatever stands there in one line, and a line of its own whatever stands in several. What comments
above a block say is in `tests.support.page_blocks`.
"""

import ast
import contextlib
import difflib
import importlib
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
import aplc.cli
from tests.support.commands import environment
from tests.support.machine import lack_of, needs_c
from tests.support.page_blocks import Block, blocks_of, pages
from tests.support.paths import ROOT

ELSEWHERE = {
    "docs/benchmarks.md": "tests/aplc/bench/test_report.py",
    "docs/explain.md": "tests/aplc/explain",
    "docs/notebook.md": "tests/aplc/notebook",
    "docs/play.md": "tests/aplc/play",
    "docs/rooms.md": "tests/project/test_room_map.py",
    "docs/shipping.md": "tests/aplc/build/test_shipping.py",
    "docs/tail.md": "tests/tail/test_reference.py",
}
"""Pages whose blocks have a test of their own."""
VALUE = re.compile(r"-?\d|array\(|<|\(|\[|'")
"""How a comment begins that is the value of its line."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def runnable(page: Path) -> list[Block]:
    """The blocks that are run here."""
    return [each for each in blocks_of(page.read_text("utf-8")) if not each.note.startswith("not run: ")]


HERE = [page for page in pages() if name_of(page) not in ELSEWHERE and runnable(page)]


def test_every_block_is_run_or_says_why_not() -> None:
    others = [
        f"{name_of(page)}:{block.line}: {block.text[:40]!r}"
        for page in HERE
        for block in runnable(page)
        if block.language not in ("console", "apl", "python")
        and not block.note.startswith(("file ", "lines of: "))
    ]
    assert not others, "\n".join(others)
    assert all((ROOT / path).exists() for path in ELSEWHERE.values())
    assert len(HERE) >= 8


def test_modules_that_pages_tell_to_run_are_there() -> None:
    """Also those of commands that take too long here."""
    told = {
        name
        for page in pages()
        for name in re.findall(r"python3? -m ((?:tests|aplc)[\w.]*)", page.read_text("utf-8"))
    }
    assert len(told) >= 10
    assert not [name for name in told - {"tests.NAME"} if importlib.util.find_spec(name) is None]


@needs_c
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("surroundings")
@pytest.mark.parametrize("page", HERE, ids=name_of)
def test_the_blocks_of(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    shutil.copytree(ROOT / "apl_samples", "apl_samples")
    names = given_names()
    session: list[str] = []
    for block in runnable(page):
        needed = re.search(r"needs (\w+)", block.note)
        if needed and lack_of(needed[1]):
            continue
        place = f"{name_of(page)}:{block.line}"
        if block.note.startswith("file "):
            Path(block.note.split()[1]).write_text(block.text, "utf-8")
        elif block.note.startswith("lines of: "):
            find_lines(block.text, said_by(block.note.removeprefix("lines of: "), "", capsys), place)
        elif block.language == "apl":
            session.append(block.text)
        elif block.language == "python":
            run_python(block.text, names, place)
        else:
            finish(session, capsys, place)
            if "$ aplc repl" in block.text:
                session.append(block.text)
            else:
                run_commands(block.text, capsys, place)
    finish(session, capsys, name_of(page))


def finish(session: list[str], capsys: pytest.CaptureFixture[str], place: str) -> None:
    """Run the session so far, if there is one: its blocks are the parts of one transcript."""
    if session:
        run_commands("".join(session), capsys, f"{place}, the session above")
        session.clear()


# --- commands -------------------------------------------------------------------------------------------


def run_commands(text: str, capsys: pytest.CaptureFixture[str], place: str) -> None:
    """Run the commands of a block, and compare."""
    for command, below in commands(text):
        entered = "".join([f"{line[6:]}\n" for line in below if line.startswith(" " * 6)])
        wanted = [
            line for line in below if not line.startswith(" " * 6) or not command.startswith("aplc repl")
        ]
        said = said_by(command, entered, capsys)
        pattern = as_pattern("".join([f"{line}\n" for line in wanted]))
        if not re.fullmatch(pattern, said, re.DOTALL):
            found = said.splitlines()
            pytest.fail(f"{place}: $ {command}\n" + "\n".join(difflib.ndiff(wanted, found)), pytrace=False)


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a block with the lines below each; `> ` continues a command."""
    command, below = "", list[str]()
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, below
            command, below = line[2:], []
        elif line.startswith("> ") and not below:
            command += "\n" + line[2:]
        else:
            below.append(line)
    if not command:
        pytest.fail(f"no command begins with $ in {text!r}", pytrace=False)
    yield command, below


def find_lines(excerpt: str, said: str, place: str) -> None:
    """Each line is one of a text, in order; behind three blanks stands a remark, and behind `…` anything."""
    rest = iter([line.strip() for line in said.splitlines()])
    for line in excerpt.splitlines():
        code = re.split(r" {3,}", line.strip())[0]
        begins, dots, _ = code.partition("…")
        if not any(each.startswith(begins.strip()) if dots else each == code for each in rest):
            pytest.fail(f"{place}: no line {code!r} in its place in\n{said}", pytrace=False)


def as_pattern(text: str) -> str:
    """What matches a text with `…` in it. Blanks at the ends of lines do not matter."""
    lines = re.sub(r"(?m) +$", "", text).splitlines(keepends=True)
    return "".join(
        ["(?:.*\n)?" if line == "…\n" else re.escape(line).replace("…", "[^\n]*") for line in lines]
    )


def said_by(command: str, entered: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says, first on standard output; `aplc` alone runs in this process."""
    capsys.readouterr()
    words = [] if re.search(r"[|>&;\n]", re.sub(r"'[^']*'|\"[^\"]*\"", "", command)) else shlex.split(command)
    if words[:1] == ["aplc"]:
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(SystemExit):
            patch.setattr(sys, "stdin", io.StringIO(entered))
            aplc.cli.main(words[1:])
        captured = capsys.readouterr()
        said = captured.out + captured.err
    else:
        done = subprocess.run(
            ["sh", "-e", "-c", command], input=entered, capture_output=True, text=True, check=False,
            env=environment(PATH=path_with_commands()),
        )  # fmt: skip
        said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    return re.sub(r"(?m) +$", "", said)


def path_with_commands() -> str:
    """A PATH on which `aplc` and `python` are those under test."""
    folder = Path("commands")
    folder.mkdir(exist_ok=True)
    for name, program in (("aplc", f'"{sys.executable}" -m aplc'), ("python", f'"{sys.executable}"')):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {program} "$@"\n', "utf-8")
        script.chmod(0o755)
    return f"{folder.absolute()}{os.pathsep}{os.environ['PATH']}"


# --- Python ---------------------------------------------------------------------------------------------


def given_names() -> dict[str, Any]:
    """What pages take for granted: the packages by their usual names, and a few values."""
    names: dict[str, Any] = {"aplc": aplc, "np": np, "x": np.array([-1, 2])}
    for short, module in (("ak", "awkward"), ("pa", "pyarrow"), ("pd", "pandas"), ("torch", "torch")):
        if importlib.util.find_spec(module):
            names[short] = importlib.import_module(module)
    if "pd" in names:
        columns = {"price": [2.5, 4.0], "count": [2, 1], "name": ["a", "b"]}
        names["frame"] = names["pd"].DataFrame(columns)
    names["f"] = aplc.fn("{2×⍵}")
    return names


def run_python(text: str, names: dict[str, Any], place: str) -> None:
    """Run the statements of a block; where a comment behind one is a value, that is its value."""
    for statement, comment in statements(text):
        code = ast.unparse(statement)
        missing = {"torch", "ak", "pa", "pd", "frame"} & set(re.findall(r"\w+", code)) - names.keys()
        if missing or ("opencl" in code and lack_of("opencl")):
            continue
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), place, "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), place, "eval"), names)
        if VALUE.match(comment):
            wanted = re.sub(r"\s+", "", comment)
            assert wanted.startswith(as_shown(value)), f"{place}: {code}"


def statements(text: str) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a block, with the comments at their ends, or below them, further to the right."""
    lines = [*text.split("\n"), ""]
    for statement in ast.parse(text).body:
        last = statement.end_lineno or 1
        end = lines[last - 1].encode()[statement.end_col_offset :].decode()
        below = lines[last].strip() if lines[last].startswith(" ") else ""
        yield statement, (end.partition("#")[2] or below.removeprefix("#")).strip()


def as_shown(value: Any) -> str:
    """A value as a comment shows it."""
    return re.sub(r"\s+", "", repr(value.item() if isinstance(value, np.generic) else value))


# --- what the runner itself does ------------------------------------------------------------------------


def test_a_page_that_shows_something_else_fails(capsys: pytest.CaptureFixture[str]) -> None:
    run_commands("$ aplc -e '1+1' --target interp\n2\n", capsys, "here")
    with pytest.raises(pytest.fail.Exception, match="here"):
        run_commands("$ aplc -e '1+1' --target interp\n3\n", capsys, "here")
    with pytest.raises(AssertionError, match="here"):
        run_python("1 + 1   # 3", {}, "here")
    assert re.fullmatch(as_pattern("a … c\n…\nd\n"), "a b c\n1\n2\nd\n", re.DOTALL)
    assert not re.fullmatch(as_pattern("a … c\n"), "a b\nc\n", re.DOTALL)
    assert [block.language for block in blocks_of("x\n\n    a\n\n```sh\n    b\n```\n- c\n\n    d\n")] == [
        "",
        "sh",
    ]
