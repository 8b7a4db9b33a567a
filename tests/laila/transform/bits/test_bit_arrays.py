"""Arrays of a few bits in words: registers that rounds change and tables that only the run knows, with the
values of arrays in memory.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

XORSHIFT = "{b←⍵≠13↓⍵,13⍴0 ⋄ b←b≠¯17↓(17⍴0),b ⋄ b≠5↓b,5⍴0}"
WORDS = {
    "shifted": f"{{2⊥{XORSHIFT}⍣50⊢(32⍴2)⊤⊃⍵,7}}",
    "neighbours": "{2⊥{⍵≠(1⌽⍵)∨¯1⌽⍵}⍣7⊢(62⍴2)⊤⊃⍵,7}",
    "register": "{2⊥{(1↓⍵),≠/⍵[1 3 4 6]}⍣20⊢(16⍴2)⊤⊃⍵,9}",
    "folds of them": "{c←{⍵≠¯1⌽⍵}⍣3⊢(20⍴2)⊤⊃⍵,9 ⋄ (+/c),(≠/c),(∧/c),(∨/c),2⊥⌽c}",
    "known at first": "{s←24⍴0 0 1 ⋄ 2⊥{⍵≠1⌽⍵}⍣(≢⍵)⊢s}",
    "some places": "{b←(20⍴2)⊤⊃⍵,9 ⋄ b[3]←1 ⋄ b[1+20|≢⍵]←0=≢⍵ ⋄ 2⊥{⍵≠1⌽⍵}⍣4⊢b}",
}
LOOP = """∇ r←changed n;b;i
b←24⍴0 ⋄ b[24]←1
:For i :In n
  b←(1↓b),b[1]≠b[4]
  :If i>3
    b[2]←~b[2]
  :EndIf
  b[1+24|i]←2|i
:EndFor
r←2⊥b
∇
changed"""
ARRAYS = {
    "until nothing changes": "{2⊥{⍵∨1↓⍵,0}⍣≡(20⍴2)⊤⊃⍵,5}",
    "table": "{t←⌽(8⍴2)⊤⊃⍵,9 ⋄ {t[1+(4×¯1⌽⍵)+(2×⍵)+1⌽⍵]}⍣9⊢2|⍵}",
    "too many": "{{⍵≠(1⌽⍵)∨¯1⌽⍵}⍣7⊢(63⍴2)⊤⊃⍵,7}",
    "the result": "{{⍵≠(1⌽⍵)∨¯1⌽⍵}⍣7⊢(20⍴2)⊤⊃⍵,7}",
    "no bits": "{2⊥{20⍴2|⍵+1⌽⍵}⍣7⊢20↑⍵}",
    "for each": "{b←{⍵=1⌽⍵}⍣3⊢(12⍴2)⊤⍵ ⋄ +/b/⍳12}¨",
    "by statements": LOOP,
    "a copy": "{b←(16⍴2)⊤⊃⍵,9 ⋄ c←b{⍺≠1⌽⍵}⍣2⊢⌽b ⋄ (2⊥c),2⊥b}",
}
RNG = np.random.default_rng(31)
NUMBERS = (np.arange(0), np.array([2463534242]), np.array([-1, 5]), RNG.integers(-(2**63), 2**63 - 1, 45))


XORSHIFT = """∇ r←f n;b;k
b←(32⍴2)⊤2463534242 ⋄ r←n⍴0
:For k :In ⍳n
  b←b≠13↓b,13⍴0
  b←b≠(17⍴0),¯17↓b
  b←b≠5↓b,5⍴0
  r[k]←2⊥b
:EndFor
∇
"""
XORED = "{2⊥((32⍴2)⊤⍺)≠(32⍴2)⊤⍵}"


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", WORDS | ARRAYS)
def test_values(name: str) -> None:
    text = (WORDS | ARRAYS)[name]
    meaning = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)
        for numbers in NUMBERS:
            assert repr(found(numbers)) == repr(meaning(numbers)), target


@pytest.mark.parametrize("name", WORDS)
def test_rounds_change_words(name: str) -> None:
    made = laila(f"f←{WORDS[name]}\nn←?5⍴65536\n⎕←f n")
    assert re.search(r"var word\w* : int", made)
    assert not re.search(r"\[(16|20|24|32|62)\]", made)


def test_a_table_of_bits_is_a_word() -> None:
    made = laila(f"f←{ARRAYS['table']}\nn←?500⍴65536\n⎕←f n")
    assert re.search(r"bitfield\(word\w*, [^0]", made)


def test_a_word_that_several_expressions_read_has_one_name() -> None:
    text = "m←0 0 1 1 1 0 0 1 0 0 0 1 1 1 1 0 0 ⋄ ⎕←m⊆⌽m"
    assert len(re.findall(r"^word_\d+ : int", laila(text), re.MULTILINE)) == 1


@needs_c
def test_a_word_is_handed_on(tmp_path: Path) -> None:
    """Memory that goes from one array of bits to another is a word that does."""
    path = tmp_path / "f.apl"
    path.write_text(XORSHIFT, encoding="utf-8")
    found, wanted = [aplc.load(path, target=t)["f"] for t in ("c", "interp")]
    assert "[32]" not in found.emit("laila", "[int]0")
    assert np.array_equal(found(50), wanted(50))


@needs_c
def test_vectors_of_words() -> None:
    """`32×n` is not 1: so no length has to be told from one, and bits of two numbers are words."""
    found, wanted = [aplc.fn(XORED, target=t) for t in ("c", "interp")]
    assert "bitxor(⍺[" in found.emit("laila", "[int]1", "[int]1")
    for n in (0, 1, 2, 70):
        a, b = np.random.default_rng(n).integers(0, 2**32, (2, n))
        assert np.array_equal(found(a, b), wanted(a, b))
