"""What fuzzing begins with: the samples, as text and as TAIL; types; arrays of every element type; numbers.

write_seeds(target, directory)      a file each
dictionary(target)                  pieces of text that the fuzzer puts in, in libFuzzer's form
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np

from aplc.apl_front.syntax.lexer import GLYPHS
from aplc.compiler import to_tail
from aplc.inputs import decode
from aplc.tail.errors import AplcError
from aplc.tail.prims import PRIMS
from aplc.tail.text_print import KEYWORDS, print_term
from tests.support.paths import ROOT

SAMPLES = ROOT / "apl_samples"
LONGEST = 4096
"""Bytes of an input."""

TYPES = ("int", "[double]1 → [double]1", "<κ>(ρ+1) → <κ>ρ", "([α]ρ → [α]ρ) → [α](ρ+1) → [α](ρ+1)",
         "S(int,3)", "SV(int,n) → <int>n", "<char>n → (int,[bool]2)", "[int](2+r)->[int]r ⍝ remark",
         "<int>2m → <int>m", "(α→β→γ) → [α]ρ → [β]ρ → [γ]ρ")  # fmt: skip
NUMBERS = ("1 2 3", "[1, -2, ¯3]", "1.5e3 -inf ∞ nan .5 5.", "9223372036854775807\n-9223372036854775808",
           "[]", "", "\ufeff1", "[1,,2]", "1_0", "0x10", "1e400 -1e-400 4.9e-324")  # fmt: skip
ARGUMENTS = ("x=nowhere.npy", "=a.npy", "x=", "x", "∆x=a=b.npy", "⍺=a.npy", "x=/", "x=\n")
DTYPES = ("i1", "i2", "<i4", ">i4", "i8", "u1", "u8", ">u8", "f2", "f4", ">f8", "f8", "?", "<U1", ">U1", "U3",
          "S2", "c16", "O", "M8[s]", "V3")  # fmt: skip


def write_seeds(target: str, directory: Path) -> None:
    """A file for each seed of a target, named by what it holds."""
    directory.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        if len(seed) <= LONGEST:
            (directory / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


def seeds(target: str) -> Iterator[bytes]:
    """The seeds of a target; those for C are random."""
    match target:
        case "lexer" | "parser":
            yield from (path.read_bytes() for path in _programs())
        case "annotation":
            yield from (text.encode() for text in TYPES)
        case "tail":
            yield from _terms()
        case "npy":
            yield from _arrays()
        case "text":
            yield from (text.encode() for text in NUMBERS)
            yield from (path.read_bytes() for path in sorted(SAMPLES.glob("data/*.txt")))
        case "argument":
            yield from (text.encode() for text in ARGUMENTS)
        case _:
            random = Random(target)
            yield from (random.randbytes(size) for size in (4, 16, 40, 100, 300, 1000))


def _programs() -> list[Path]:
    return sorted(SAMPLES.rglob("*.apl"))


def _terms() -> Iterator[bytes]:
    """The TAIL of the samples that need no input."""
    for path in _programs():
        with suppress(AplcError):
            source = decode(path.read_bytes(), path.name)
            if len(source.text) < 700:
                yield print_term(to_tail([source], {}).term).encode()


def _arrays() -> Iterator[bytes]:
    for name in DTYPES:
        for shape in ((), (0,), (3,), (2, 2)):
            array = np.zeros(shape, dtype=np.dtype(name))
            for order in ("C", "F"):
                file = io.BytesIO()
                np.lib.format.write_array(file, np.asarray(array, order=order), allow_pickle=True)
                yield file.getvalue()
    for version in ((2, 0), (3, 0)):
        file = io.BytesIO()
        np.lib.format.write_array(file, np.arange(3), version=version)
        yield file.getvalue()


PIECES = {
    "lexer": (*GLYPHS, "⍺⍺", "⍵⍵", "∇∇", "⎕IO", "¯", "'", '"', "{", "}", "⋄", "⍝", ":If", "1E", "1J2", "\r\n",
              "“", "\u2212"),
    "annotation": ("→", "->", "[", "]", "<", ">", "(ρ+1)", "int", "double", "bool", "char", "S(", "SV(", "κ",
                   "⍺⍺", "⍝"),
    "tail": (*PRIMS, *KEYWORDS, "=>", "[int]1", "<double>3", "S(int,2)", "-1", "1.5", "inf", "'a'", '"ab"',
             "--", "`", ".1"),
    "npy": ("\x93NUMPY", "\x01\x00", "\x02\x00", "{'descr':", "'fortran_order': True", "'shape': (3,)",
            "'<i8'", "'>f8'", "'|b1'", "'<U1'", "'|O'", "[('a', '<i4')]", "(-1,)", "99999999999999999999"),
    "text": ("¯", "-", "inf", "nan", "∞", "e", "[", "]", ",", "\ufeff", "9223372036854775808"),
    "argument": ("=", ".npy", "/", "∆"),
}  # fmt: skip
PIECES["parser"] = (*PIECES["lexer"], "f←{⍺+⍵}", "x[;1]←", "⍝: ", *TYPES)


def dictionary(target: str) -> str:
    """The pieces of a target as libFuzzer reads them; empty where there are none."""
    encoded = [
        piece.encode("latin-1" if piece.startswith("\x93") else "utf-8") for piece in PIECES.get(target, ())
    ]
    return "".join(['"' + "".join([f"\\x{byte:02x}" for byte in piece]) + '"\n' for piece in encoded])
