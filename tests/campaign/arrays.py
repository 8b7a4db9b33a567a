"""Arrays from outside: every dtype and layout that NumPy has, and files that are nearly `.npy`.

What a compiled function makes of an array is what the interpreter makes of a plain copy of it, or it refuses
both.
"""

import io
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import aplc
from aplc.shell.input_arguments import read_input
from aplc.tail.errors import AplcError
from tests.campaign.judging import fault_of, limited, shorter, try_all
from tests.campaign.work import COMPARED, GENERATED, REJECTED, Block, Finding, Kind, Tally
from tests.support.machine import lack_of
from tests.support.observing import Observed, difference

ONE = (
    *(
        "{+/,⍵}",
        "{⌽⍵}",
        "{⍉⍵}",
        "{⍵×2}",
        "{~⍵=0}",
        "{⍋,⍵}",
        "{∪,⍵}",
        "{(,⍵)/⍳×/⍴⍵}",
        "{⍵[⍋⍵]}",
        "{⌈/⍵}",
        "{+\\⍵}",
    ),
    *(
        "{⍳⍵}",
        "{5 6 7[1+⍵]}",
        "{x←⍳4 ⋄ x[1+⍵]←7 ⋄ x}",
        "{⍵,⍵}",
        "{2↑⍵}",
        "{≢⍵}",
        "{(⍵=⌽⍵)+.×⍵}",
        "{⍵⍳⍵}",
        "{⊃⍵}",
    ),
)
TWO = (
    "{⍺+⍵}",
    "{⍺⍴⍵}",
    "{⍺/⍵}",
    "{⍺[1+⍵]}",
    "{⍺⍳⍵}",
    "{⍺∊⍵}",
    "{⍺+.×⍵}",
    "{⍺∘.⌊⍵}",
    "{⍺⌽⍵}",
    "{⍺↑⍵}",
    "{⍺⊥⍵}",
    "{⍺,⍵}",
)
DTYPES = (
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "<U1"),
    *("float16", "float32", "float64", "longdouble", "complex128", "datetime64[s]", "S1", "<U3", "object"),
)
EXTREMES = (0, 1, -1, 2, 3, 127, 128, 255, -128, 2**31 - 1, 2**31, 2**63 - 1, -(2**63), 2**64 - 1)
DOUBLES = (0.0, -0.0, 1.0, 0.5, np.nan, np.inf, -np.inf, 5e-324, 2.2e-308, 1e308, -1.5, 2.0**53, 2.0**63)


def plain_array(random: Random) -> Any:
    """An array of some dtype and shape."""
    shape = tuple([random.choice((0, 1, 2, 3, 4, 9)) for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3)))])
    size, dtype = int(np.prod(shape)), np.dtype(random.choice(DTYPES))
    wild = random.random() < 0.3
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        pool = EXTREMES if wild else range(-3, 5)
        values: list[Any] = [min(max(random.choice(pool), limits.min), limits.max) for _ in range(size)]
    elif dtype.kind in "fc":
        values = [random.choice(DOUBLES if wild else (0.0, 1.0, 2.0, -1.0, 0.5)) for _ in range(size)]
    elif dtype.kind == "b":
        values = [random.random() < 0.5 for _ in range(size)]
    elif dtype.kind in "US":
        values = [random.choice(("a", "b", "", "é" if dtype.kind == "U" else "z")) for _ in range(size)]
    else:
        values = [random.randrange(5) for _ in range(size)]
    with np.errstate(all="ignore"):
        return np.array(values, dtype).reshape(shape)


def laid_out(random: Random, array: Any) -> tuple[str, Any]:
    """The same elements, otherwise in memory; and how."""
    way = random.choice(
        (
            "as it is",
            "strided",
            "reversed",
            "Fortran",
            "read-only",
            "foreign",
            "misaligned",
            "broadcast",
            "bytes",
        )
    )
    if way == "strided" and array.ndim:
        wide = np.repeat(array, 2, axis=-1)
        return way, wide[..., ::2]
    if way == "reversed" and array.ndim:
        return way, np.ascontiguousarray(array[::-1])[::-1]
    if way == "Fortran":
        return way, np.asfortranarray(array)
    if way == "read-only":
        array = array.copy()
        array.flags.writeable = False
        return way, array
    if way == "foreign" and array.dtype.kind in "iufcU":
        return way, array.astype(array.dtype.newbyteorder())
    if way == "misaligned" and not array.dtype.hasobject:
        raw = np.zeros(array.nbytes + 1, np.uint8)
        view = raw[1:].view(array.dtype).reshape(array.shape)
        view[...] = array
        return way, view
    if way == "broadcast" and array.ndim and array.shape[0]:
        return way, np.broadcast_to(array[:1], array.shape)
    if way == "bytes" and array.dtype.kind == "b" and array.size:
        raw = np.array([random.choice((0, 1, 2, 127, 128, 255)) for _ in range(array.size)], np.uint8)
        return way, raw.view(np.bool_).reshape(array.shape)
    return "as it is", array


def plain_copy(array: Any) -> Any:
    """The elements, one behind the other, bools as 0 or 1."""
    copy = np.ascontiguousarray(array).reshape(array.shape).astype(array.dtype.newbyteorder("="))
    return copy.view(np.uint8) != 0 if array.dtype.kind == "b" else copy


@cache
def compiled(text: str, target: str) -> Any:
    return aplc.fn(text, target=target)


def outcome(text: str, target: str, arguments: list[Any]) -> Observed:
    """What a function gives, or the kind of its error."""
    try:
        value = compiled(text, target)(*arguments)
    except AplcError as error:
        return Observed([], error.diagnostics[0].kind)
    return Observed([], (np.asarray(value),))


def of_arrays(block: Block) -> Tally:
    """Calls of compiled functions from Python, each with several layouts of the same elements."""
    limited()
    random, tally = block.random(), Tally()
    target = ("c", "openmp", "c", "interp")[block.number % 4]
    for _ in range(25):
        text = random.choice(ONE) if random.random() < 0.6 else random.choice(TWO)
        plain = [plain_array(random) for _ in range(1 if text in ONE else 2)]
        for _ in range(6):
            tally.counts[GENERATED] += 1
            made = [laid_out(random, each) for each in plain]
            given, hows = [array for _, array in made], [how for how, _ in made]
            before = [plain_copy(array) for array in given]
            answers: list[Observed] = []

            def work() -> str:
                wanted = outcome(text, "interp", before)  # noqa: B023
                got = outcome(text, target, given)  # noqa: B023
                answers.append(wanted)  # noqa: B023
                if _is_of_elements(text, before, wanted, got):  # noqa: B023
                    got = wanted
                unchanged = all(map(_same_bytes, before, [plain_copy(a) for a in given]))  # noqa: B023
                return difference(wanted, got) or ("" if unchanged else "an argument has changed")

            status, detail = fault_of(work)
            if status == COMPARED and answers and isinstance(answers[0].results, str):
                tally.counts[f"errors: {answers[0].results}"] += 1
            tally.counts[status] += 1
            if status in (COMPARED, REJECTED):
                continue
            told = [
                f"{h}: {a.dtype.str} {a.shape} {a.tolist()!r}"[:500]
                for h, a in zip(hows, before, strict=True)
            ]
            lines = "\n".join([f"{text} on {target}: {status}: {detail}", *told])
            sort = f"{status} {target} {text}"
            tally.findings.append(
                Finding("arrays", sort, f"{text} on {target}: {detail}", "call.txt", lines + "\n")
            )
            break
    return tally


def _is_of_elements(text: str, arguments: list[Any], *seen: Observed) -> bool:
    """Whether two errors differ, and both are what some elements of the last argument give: which comes first
    is free.
    """
    kinds = {each.results for each in seen if isinstance(each.results, str)}
    if len(kinds) < 2:
        return False
    *others, last = arguments
    alone = [outcome(text, "interp", [*others, np.array([element])]).results for element in last.flat]
    return kinds <= {each for each in alone if isinstance(each, str)}


def _same_bytes(a: Any, b: Any) -> bool:
    return bool(a.dtype == b.dtype and (a.dtype.hasobject or a.tobytes() == b.tobytes()))


# --- files ----------------------------------------------------------------------------------------------

HEADER_PIECES = (
    *("'descr'", "'fortran_order'", "'shape'", "True", "False", "(", ")", ",", "(0,)", "(3, -1)", "(2**62,)"),
    *(
        "(9223372036854775807,)",
        "'<f8'",
        "'>i4'",
        "'|O'",
        "'|b1'",
        "'<U1'",
        "'<m8[s]'",
        "None",
        "{",
        "}",
        "1e3",
    ),
    *(
        "'" * 3,
        "[('a', '<i4')]",
        "\x00",
        "é",
        "lambda: 0",
        "(" * 300,
        "0x10",
        "1_0",
        "'|V8'",
        "'<i8', 'shape': ()",
    ),
)


def some_file(random: Random) -> bytes:
    """The bytes of an `.npy` file, damaged or lying."""
    array = plain_array(random)
    buffer = io.BytesIO()
    np.lib.format.write_array(
        buffer, array, version=random.choice(((1, 0), (2, 0), (3, 0))), allow_pickle=True
    )
    data = bytearray(buffer.getvalue())
    for _ in range(random.choice((0, 1, 1, 2, 5))):
        dice = random.random()
        at = random.randrange(min(len(data), 140) + 1) if data else 0
        if dice < 0.3 and data:
            data[min(at, len(data) - 1)] = random.randrange(256)
        elif dice < 0.8:
            piece = random.choice(HEADER_PIECES).encode()
            data[at : at + random.choice((0, len(piece), len(piece)))] = piece
        elif dice < 0.9:
            del data[random.randrange(len(data) + 1) :]
        else:
            data += bytes(random.randrange(100))
    return bytes(data)


def read_file(data: bytes) -> str:
    """What is read from a file is what NumPy reads, or it is refused."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "x.npy")
        path.write_bytes(data)
        _, read = read_input(f"x={path}")
        try:
            wanted = np.load(io.BytesIO(data), allow_pickle=False)
        except Exception as failure:
            return f"it is read, but NumPy refuses it: {failure}"[:200]
        value = np.array(read.value)
        if value.shape != wanted.shape:
            return f"shape {value.shape}, NumPy has {wanted.shape}"
        if wanted.dtype.kind == "U":
            wanted = wanted.astype("<U1").view(np.uint32).reshape(wanted.shape)
        if wanted.dtype.kind == "b":
            wanted = plain_copy(wanted)
        same = np.array_equal(value, wanted, equal_nan=wanted.dtype.kind in "fc")
        return "" if same else f"{value.tolist()!r}, NumPy has {wanted.tolist()!r}"[:300]


def shorter_bytes(data: bytes) -> Iterator[bytes]:
    """Files with a piece less."""
    for text in shorter(data.decode("latin-1")):
        yield text.encode("latin-1")


def of_files(block: Block) -> Tally:
    """Files that are nearly `.npy`."""
    limited()
    files = [some_file(block.random(k)) for k in range(300)]
    return try_all("npy", block, files, read_file, repr, shorter_bytes, "file.txt")


ARRAYS = (
    Kind("arrays", "arrays of every dtype and layout from Python", 4, of_arrays, lambda: lack_of("openmp")),
    Kind("npy", "files that are nearly .npy", 2, of_files),
)
