"""The kernel of APL, installed by `aplc kernel install` and asked over Jupyter's protocol."""

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Cli, environment
from tests.support.interactive.notebooks import LACKING, PLAIN, Kernel, error_of, text_of
from tests.support.machine import needs_c

needs_jupyter = pytest.mark.skipif(bool(LACKING), reason=LACKING)
LONG = "{⍵+1}⍣{0}0"


def plain(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


@needs_jupyter
def test_it_is_installed_and_removed(tmp_path: Path, cli: Cli) -> None:
    place = ("--prefix", str(tmp_path))
    told = f"the kernel apl is in {tmp_path}/share/jupyter/kernels/apl\n"
    assert cli("kernel", "install", *place).out == told
    assert cli("kernel", "remove", *place).status == 0
    assert cli("kernel", "remove", *place).err.startswith("aplc: there is no kernel apl in ")


@needs_jupyter
def test_cells(apl_kernel: Kernel) -> None:
    right = {
        "x ← ⍳10\n+/x": "55",
        "mean ← {(+/⍵)÷≢⍵}\nmean x\n]type x": "5.5\n[int]1",
        "]box on\n'ab' 1 (2 3)": "arrays of arrays are shown with frames\n┌──┬─┬───┐\n│ab│1│2 3│\n└──┴─┴───┘",
        "2 3`r`i6 ⍝ `r": "1 2 3\n4 5 6",
        "mean": "mean ← {(+/⍵)÷≢⍵}",
    }
    cells = [*right, "⍳100000", "]plot *x", "x\n]type x\n1 2+1 2 3", "]off", "+/x"]
    found = [apl_kernel.outputs(each) for each in cells]
    assert [text_of(each) for each in found[: len(right)]] == list(right.values())
    large, picture, wrong, off, after = found[len(right) :]
    assert text_of(large).endswith("\n… the beginning of 100,000 elements")
    assert len(text_of(large)) < 3000
    assert picture[0]["data"]["image/svg+xml"].startswith("<svg ")
    assert re.match(r"cell \d+:3:1: LENGTH ERROR: \+ needs equal lengths", plain(error_of(wrong)))
    assert error_of(off).startswith("]off is for sessions at a terminal")
    assert text_of(after) == "55"


@needs_jupyter
@needs_c
def test_asking_and_interrupting(apl_kernel: Kernel) -> None:
    client = apl_kernel.client

    def asked(method: str, *arguments: Any) -> Any:
        return getattr(client, method)(*arguments, reply=True, timeout=60)["content"]

    asked("execute", "total ← ⍳4\nf ← {⍵+1}")
    assert (asked("complete", "1+tot")["matches"], asked("complete", "iot")["matches"]) == (
        ["total"],
        ["⍳"],
    )
    behind = asked("complete", "x←1\n1+`r")
    assert (behind["matches"], behind["cursor_start"], behind["cursor_end"]) == (["⍴"], 6, 8)
    assert asked("complete", "`rho")["matches"] == ["⍴"]
    assert asked("inspect", "total+1", 2)["data"][PLAIN] == "total : [int]1\n1 2 3 4"
    assert asked("inspect", "f 1", 1)["data"][PLAIN] == "f ← {⍵+1}"
    assert asked("inspect", "⍴1", 0)["data"][PLAIN].endswith("typed as   `r")
    assert not asked("inspect", "nothing", 2)["found"]
    client.is_complete("f←{⍵")
    assert client.get_shell_msg(timeout=60)["content"]["status"] == "incomplete"
    running = client.execute(LONG, stop_on_error=False)  # else the kernel may leave out what comes at once
    while True:
        told = client.get_iopub_msg(timeout=60)
        if told["msg_type"] == "execute_input" and told["parent_header"]["msg_id"] == running:
            break
    time.sleep(0.5)
    apl_kernel.manager.interrupt_kernel()
    assert client.get_shell_msg(timeout=60)["content"]["ename"] == "interrupted"
    assert text_of(apl_kernel.outputs("total+1")) == "2 3 4 5"


def test_wrong_command_lines(cli: Cli) -> None:
    assert cli("kernel", "instal").err.startswith("aplc: aplc kernel knows install and remove, not instal")
    assert cli("kernel", "install", "--user", "--sys-prefix").status == 2


def test_without_jupyter(tmp_path: Path) -> None:
    (tmp_path / "ipykernel.py").write_text("raise ImportError")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from aplc.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "kernel", "install", "--prefix", str(tmp_path)],
        capture_output=True, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        3, "aplc: the kernel needs Jupyter's parts: pip install 'aplc[notebook]'\n",
    )  # fmt: skip
