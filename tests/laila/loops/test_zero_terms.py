"""Which rounds are known to stay finite, so that what is not chosen need not be added as a zero."""

import numpy as np
import pytest

from aplc import fn
from aplc.laila.loops import masked_simd_loops as lockstep
from aplc.laila.loops.zero_terms import Plain, without_zeros

PLAIN = (
    "{(x y)←⍵ ⋄ in←4≥(x×x)+y×y ⋄ ((x×~in)+in×(c+x×x)-y×y)((y×~in)+in×c+2×x×y)}",  # a square bounds
    "{(x y)←⍵ ⋄ in←10>|x ⋄ ((x×~in)+in×c+x×x×x)((y×in)+(~in)×c)}",  # what is chosen is small, or what is read
    "{(x y)←⍵ ⋄ in←(x<3)∧x>¯3 ⋄ ((x×~in)+in×1+x×c)(y+1)}",  # two conditions together
    "{(x y)←⍵ ⋄ in←4>x ⋄ ((x×~in)+in×c+x×x)(y+1)}",  # bounded on the side to which it grows
    "{(x y)←⍵ ⋄ in←~5≤|x-c ⋄ ((x×~in)+in×c-x×x)(y+1)}",  # a difference bounds
)
NOT_PLAIN = (
    "{(x y)←⍵ ⋄ in←y<9 ⋄ ((x×~in)+in×c+x×x)(y+1)}",  # nothing bounds x
    "{(x y)←⍵ ⋄ in←4≥x×x ⋄ ((x×~in)+in×*x)(y+1)}",  # no interval is known of a power
    "{(x y)←⍵ ⋄ in←4≥x×x ⋄ ((x×~in)+in×-x)(y+1)}",  # ¯0 is to become 0
    "{(x y)←⍵ ⋄ in←4>x ⋄ ((x×~in)+in×c-x×x)(y+1)}",  # bounded on the wrong side
)


@pytest.mark.parametrize(("text", "is_plain"), [(t, t in PLAIN) for t in PLAIN + NOT_PLAIN])
def test_which_rounds_are_plain(text: str, is_plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Plain | None] = []

    def watched(*args: object) -> Plain | None:
        found.append(without_zeros(*args))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(lockstep, "without_zeros", watched)
    text = f"{{c←⌽⍵ ⋄ 1⊃({text}⍣⍺)⍵ ⍵}}"
    x = np.linspace(-3, 3, 77)
    with np.errstate(all="ignore"):
        expected = fn(text, target="interp")(40, x)
    np.testing.assert_allclose(fn(text, target="c")(40, x), expected, rtol=1e-9)
    assert found and all((plain is not None) is is_plain for plain in found)
