"""`%%apl` and `%apl` in a notebook of Python, run by its own kernel."""

import re

import pytest

from tests.support.interactive.notebooks import LACKING, Kernel, error_of, text_of
from tests.support.machine import needs_threads

pytestmark = pytest.mark.skipif(bool(LACKING), reason=LACKING)
START = "import numpy as np\nx = np.arange(4.0)\ns = 'abc'\nd = {}"


def test_cells_share_names_with_python(python_kernel: Kernel) -> None:
    cells = {
        "%%apl\nmean ← {(+/⍵)÷≢⍵}\ny ← x+1\nt ← ⌽s\nmean y": "2.5",
        "print(y, mean([1, 2, 6]), ''.join(t))": "[1. 2. 3. 4.] 3.0 cba",
        "x[0] = 9\nx": "array([9., 1., 2., 3.])",
        "%%apl\nx[1]": "9",
        "%apl mean x": "3.75",
        "v = %apl 2 2`r`i4\nv.tolist()": "[[1, 2], [3, 4]]",
        "%%apl\nn ← 'ann' 'bo'\nn 1": "  ann  bo   1",
        "[''.join(each) for each in n]": "['ann', 'bo']",
        "%%apl -o z\n⎕←1 2\n+/x": "1 2",
        "z": "15.0",
        "mean = 3": "",
        "%%apl\nmean×2\n]type mean": "6\n[int]0",
    }
    found = [python_kernel.outputs(each) for each in (START, *cells)][1:]
    assert [text_of(each) for each in found] == list(cells.values())
    assert "<table" in found[6][0]["data"]["text/html"]


@needs_threads
def test_options_and_errors_of_cells(python_kernel: Kernel) -> None:
    wrong = {
        "%%apl\n\n1 2+1 2 3": [
            "cell:2:1: LENGTH ERROR: + needs equal lengths, got <int>2 and <int>3",
            "  2 | 1 2+1 2 3",
            "    | ^^^^^^^^^ 1 2 is <int>2, 1 2 3 is <int>3",
        ],
        "%%apl\nd+1": ["cell:1:1: VALUE ERROR: d is not defined", "  1 | d+1", "    | ^"],
        "%apl 1÷0": ["%apl:1:1: DOMAIN ERROR: ÷ divides by zero", "  1 | 1÷0", "    | ^^^"],
        "%%apl --targt c\n1": ["unrecognized arguments: --targt c; did you mean --target?"],
        "%%apl --target cuda\n1": ["--target is one of interp, c, openmp, opencl, not cuda"],
        "%%apl -o z\nq←1": ["-o z takes the last value that the cell shows, and it shows none"],
        "%%apl\n]foo": ["there is no ]foo; "],
        "%apl": ["%apl wants an expression behind it, %%apl a cell below it"],
    }
    others = ["%%apl --target openmp --time\n+/x×x", "%%apl --plot\nx", "del x", "%%apl\nx"]
    others += ["e = 2", "%%apl\ne", "e = {}", "%%apl\ne"]
    found = [python_kernel.outputs(each) for each in (START, *wrong, *others)][1:]
    for outputs, expected in zip(found, wrong.values(), strict=False):
        told = re.sub(r"^cell \d+:", "cell:", error_of(outputs))
        for line, start in zip(told.split("\n"), expected, strict=False):
            assert line.startswith(start)
    assert "d of Python: d holds Python objects" in error_of(found[1])
    timed, picture, _, gone, _, number, _, unfit = found[len(wrong) :]
    assert text_of(number) == "2"
    assert "e is not defined" in error_of(unfit)
    value, times = timed
    assert value["data"]["text/plain"] == "14"
    assert times["text"].startswith("compile ")
    assert picture[0]["data"]["image/svg+xml"].startswith("<svg ")
    assert "x is not defined" in error_of(gone)
