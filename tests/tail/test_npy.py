""".npy files: headers that lie, are damaged or come from other writers, what is no regular file, and files
that change while they are read.
"""

import os
import random
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import aplc
import aplc.cli
import aplc.tail.npy
from aplc.tail.faults import FaultRaised
from aplc.tail.npy import npy_header, read_npy
from aplc.tail.regular import open_regular
from tests.support.commands import Cli, environment, save, write
from tests.support.machine import needs_c, on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")


def headed(header: str | bytes, content: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    """A file with such a header."""
    text = header if isinstance(header, bytes) else header.encode("latin-1")
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + content


def header(descr: str = "'<i8'", order: str = "False", shape: str = "(2,)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


def written(content: bytes) -> str:
    Path("x.npy").write_bytes(content)
    return "x.npy"


def refusal(content: bytes) -> str:
    """Why a file is refused, by its header and when it is read."""
    reasons = []
    for reader in (npy_header, read_npy):
        with pytest.raises(FaultRaised) as raised:
            reader(written(content))
        reasons.append(str(raised.value.values[0]))
    assert reasons[0] == reasons[1]
    return reasons[0]


# --- headers --------------------------------------------------------------------------------------------

TWO = np.arange(2).tobytes()


@pytest.mark.parametrize(
    "text",
    [
        header(),
        header('"<i8"'),
        header("'|i8'").replace("|", "<"),
        header(shape="(2L,)"),
        "{'shape': (2,), 'fortran_order': False, 'descr': '<i8'}",
        "{'descr':'<i8','fortran_order':False,'shape':(2,)}",
        "  {'descr': '<i8', 'fortran_order': True, 'shape': ( 2 , )}    \n",
    ],
)
def test_headers_of_any_writer(text: str) -> None:
    for version in ((1, 0), (2, 0), (3, 0)):
        _, array = read_npy(written(headed(text, TWO, version)))
        assert array.tolist() == [0, 1]


def test_files_of_numpy_are_read_as_numpy_reads_them() -> None:
    plain = np.arange(12).reshape(3, 4)
    for name in ("i1", ">i2", "<u4", ">u8", "f2", ">f4", "f8", "?", "U1", ">U1"):
        elements = plain.astype("U1" if "U" in name else "f8").astype(name)
        for array in (elements, np.asfortranarray(elements), elements[0], elements[0, 0], elements[:0]):
            _, found = read_npy(save("x.npy", np.asarray(array)))
            found = found.view("<U1") if "U" in name else found
            assert found.shape == array.shape
            assert found.tolist() == array.tolist()
            assert found.flags.c_contiguous
            assert found.flags.aligned


DAMAGED = [
    ("", "its header cannot be read"),
    ("\n", "its header cannot be read"),
    ("{", "its header cannot be read"),
    ("{}", "its header cannot be read"),
    ("{'descr': '''", "its header cannot be read"),
    ("{'descr': ('", "its header cannot be read"),
    ("(" * 9000, "its header cannot be read"),
    ("{'shape': " + "(" * 9000 + ")" * 9000 + "}", "its header cannot be read"),
    ("{'descr': '<i8'" * 4000, "its header cannot be read"),
    (header() + "x", "its header cannot be read"),
    (header().replace("}", ", 'more': 'x'}"), "its header cannot be read"),
    (header(descr="__import__('os').system('touch pwned')"), "its header cannot be read"),
    (header(descr="'\\x3ci8'"), "its header cannot be read"),
    (header(order="0"), "its header cannot be read"),
    (header(order="(2,)"), "its header does not say in which order the elements stand"),
    (header(shape="2"), "its header cannot be read"),
    (header(shape="(2)"), "its header has no shape"),
    (header(shape="(2,,)"), "its header has no shape"),
    (header(shape="(1 1,)"), "its header has no shape"),
    (header(shape="'(2,)'"), "its header has no shape"),
    (header(shape="True"), "its header has no shape"),
    (header(shape="(-2,)"), "it has negative extents"),
    (header(shape="(0, -2)"), "it has negative extents"),
    (header(shape=f"({2**62}, 0)"), "its extents are too large"),
    (header(shape=f"({2**64},)"), "its extents are too large"),
    (header(shape=f"({'9' * 30}, 0)"), "its extents are too large"),
    (header(shape=f"({2**31}, {2**31}, {2**31}, {2**31})"), "its extents are too large"),
    (header(shape=f"({2**40},)"), "it is cut short"),
    (header(shape="(" + "1, " * 33 + ")"), "it has 33 axes"),
    (header(descr="''"), "its header names no type of elements"),
    (header(descr="'<q9'"), "its header names no type of elements"),
    (header(descr="'i8,i8'"), "its header names no type of elements"),
    (header(descr="'(2,)i8'"), "its header names no type of elements"),
    (header(descr="'<i9'"), "its header names no type of elements"),
    (header(descr="'<i8' * 2"), "its header cannot be read"),
    ("\xff\xfe" + header(), "its header cannot be read"),
]


@pytest.mark.parametrize(("text", "reason"), DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_headers(cli: Cli, text: str, reason: str) -> None:
    content = headed(text, TWO, (2, 0))
    assert refusal(content) == f"x.npy is no .npy file, or damaged ({reason})"
    outcome = cli(write("p.apl", "x"), "--input", "x=x.npy", "--target", "interp")
    assert (outcome.status, outcome.out) == (1, "")
    assert f"FILE ERROR: x.npy is no .npy file, or damaged ({reason})" in outcome.first
    assert not Path("pwned").exists()


@pytest.mark.parametrize(
    ("descr", "what"),
    [
        ("'|O'", "Python objects"),
        ("'O8'", "Python objects"),
        ("[('a', '<i4'), ('b', '|O')]", "records"),
        ("[('a', [('b', '<f8')])]", "records"),
        ("'|V8'", "records"),
        ("'<c32'", "complex numbers of more than 128 bits"),
        ("'<f16'", "floats of more than 64 bits"),
        ("'<M8[ns]'", "dates"),
        ("'<m8[D]'", "time spans"),
        ("'|S1'", "bytes"),
        ("'<U2'", "texts"),
        ("'<U0'", "texts"),
        ("'<U400000000'", "texts"),
    ],
)
def test_elements_that_are_never_loaded(descr: str, what: str) -> None:
    assert refusal(headed(header(descr), b"cos\nsystem\n" * 20)).startswith(f"x.npy holds {what}, ")


def test_files_that_are_cut_short() -> None:
    whole = headed(header(shape="(2,)"), TWO)
    for length in range(len(whole)):
        assert "x.npy is no .npy file, or damaged (" in refusal(whole[:length])
    assert "its header is too long" in refusal(headed("{" + " " * 70_000, TWO, (2, 0)))
    assert "its header is too long" in refusal(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{")


def test_damage_anywhere_is_a_file_error() -> None:
    source = random.Random(16)
    whole = headed(header(shape="(1, 2)"), TWO)
    for _ in range(600):
        content = bytearray(whole)
        for _ in range(source.choice((1, 1, 2, 5))):
            place = source.randrange(len(content))
            change = source.randrange(4)
            if change == 0:
                content[place] = source.randrange(256)
            elif change == 1:
                del content[place : place + source.randrange(1, 9)]
            elif change == 2:
                content[place:place] = source.choice(
                    (b"(", b"'", b"\\", b"9", b"-", b"\n", b"[", b"}", b"\0")
                )
            else:
                content[place] ^= 1 << source.randrange(8)
        try:
            _, array = read_npy(written(bytes(content)))
        except FaultRaised as raised:
            assert str(raised.values[0]).startswith("x.npy ")
        else:
            assert array.nbytes <= 8 * len(TWO)


# --- what is no regular file ----------------------------------------------------------------------------


@pytest.fixture
def others() -> Iterator[dict[str, str]]:
    """Names of what is no regular file, with what is said of it."""
    os.mkfifo("pipe")
    Path("directory").mkdir()
    Path("link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        yield {
            "pipe": "it is a pipe",
            "link": "it is a pipe",
            "socket": "it is a socket",
            "directory": "it is a directory",
            "/dev/zero": "it is a device",
        }


@on_each_target
def test_only_regular_files_are_read(cli: Cli, others: dict[str, str], target: str) -> None:
    write("x.apl", "x")
    for name, what in others.items():
        reason = f"FILE ERROR: {name} cannot be read: {what}"
        arguments = [(name,), ("x.apl", "--input", f"x={name}")]
        if name != "link":
            for function in ("⎕NPY", "⎕ReadFile", "⎕ReadIntVecFile", "⎕ReadDoubleVecFile"):
                text = f"≢{function} '{name}'"
                arguments.append((write(f"{function[1:]}-{name.strip('/').replace('/', '-')}.apl", text),))
        for each in arguments:
            outcome = cli(*each, "--target", target)
            assert (outcome.status, outcome.out) == (1, ""), each
            assert reason in outcome.first, each


def test_programs_are_loaded_from_regular_files(others: dict[str, str]) -> None:
    for name, what in others.items():
        with pytest.raises(OSError, match=what):
            aplc.load(name)
    with pytest.raises(OSError, match="no name can hold"):
        open_regular("a\0b")


# --- files that change ----------------------------------------------------------------------------------

LARGE = np.zeros(5000)


@pytest.fixture
def mapping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are mapped, too."""
    monkeypatch.setattr(aplc.tail.npy, "LEAST_MAPPED", 1)


@pytest.mark.usefixtures("mapping")
def test_files_are_mapped_where_nothing_can_happen() -> None:
    def is_mappable(array: np.ndarray, mode: int = 0o644) -> bool:
        os.chmod(save("x.npy", array), mode)
        with aplc.tail.npy.Npy.open("x.npy") as npy:
            return npy.is_mappable

    for name in ("i1", "i2", "i4", "i8", "u1", "u4", "f4", "f8"):
        assert is_mappable(LARGE.astype(name))
    for name in ("?", "U1", "u8", "f2", ">i4", ">f8"):
        assert not is_mappable(LARGE.astype(name)), "its elements are looked at or converted"
    assert not is_mappable(LARGE, 0o664), "others may write it"
    assert not is_mappable(LARGE, 0o646)
    assert not is_mappable(np.asfortranarray(LARGE.reshape(50, 100)))
    written(headed(header("'<f8'", shape="(1,)") + " " * 3, b"\0" * 9))
    with aplc.tail.npy.Npy.open("x.npy") as npy:
        assert not npy.is_mappable, "its elements are not aligned"


CUT = """
import os, sys
import aplc.cli, aplc.tail.npy
aplc.tail.npy.LEAST_MAPPED = 1
compile_it = aplc.cli._compiled
def cut(request):
    compiled = compile_it(request)
    os.truncate("x.npy", 4096)
    return compiled
aplc.cli._compiled = cut
sys.exit(aplc.cli.main(sys.argv[1:]))
"""


@needs_c
@pytest.mark.parametrize(
    ("flags", "arguments"),
    [((), ("--target", "c")), (("-X", "faulthandler"), ("--target", "interp")), ((), ("--target", "openmp"))],
)
def test_a_file_that_is_cut_short_meanwhile(flags: tuple[str, ...], arguments: tuple[str, ...]) -> None:
    os.chmod(save("x.npy", LARGE), 0o600)
    write("p.apl", "⎕←1 2 3\n+/x")
    done = subprocess.run(
        [sys.executable, *flags, "-c", CUT, "p.apl", "--input", "x=x.npy", *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, "1 2 3\n")
    assert done.stderr == (
        "command line:1:11: FILE ERROR: x.npy was cut short while it was read\n"
        "  1 | --input x=x.npy\n"
        "    |           ^^^^^\n"
    )


@pytest.mark.parametrize(("array", "mode"), [(LARGE, 0o666), (LARGE.astype(bool), 0o600)])
def test_files_that_others_may_write_are_copied(array: np.ndarray, mode: int) -> None:
    os.chmod(save("x.npy", array), mode)
    write("p.apl", "+/x")
    command = [sys.executable, "-c", CUT, "p.apl", "--input", "x=x.npy", "--target", "interp"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


@needs_c
def test_other_faults_go_to_others() -> None:
    code = "import signal, os, tail.npy\nfrom backends.native.mapped import watch\nimport numpy as np\n"
    code += "assert watch(np.zeros(5000), 'said by nobody')\n"
    for after, status in (
        ("os.kill(os.getpid(), signal.SIGBUS)", -7),
        ("import ctypes; ctypes.string_at(0)", -11),
    ):
        command = [sys.executable, "-c", code + after]
        done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_without_a_handler_files_are_read(cli: Cli, monkeypatch: pytest.MonkeyPatch, mapping: None) -> None:
    monkeypatch.setattr("aplc.backends.native.mapped._library", lambda: None)
    save("x.npy", LARGE)
    assert cli(write("p.apl", "+/x"), "--input", "x=x.npy", "--target", "interp").out == "0\n"
