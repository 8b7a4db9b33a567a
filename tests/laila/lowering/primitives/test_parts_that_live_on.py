"""Parts of an array that live on when it is changed are written first, and the array is changed in place."""

from pathlib import Path

import numpy as np
import pytest

import aplc

SWAPPED = "∇ a←n f a;t;k\n:For k :In ⍳n\nt←a[k;]\na[k;]←a[k+1;]\na[k+1;]←t\n:EndFor\n∇"
COLUMNS = "∇ a←n f a;t;k\n:For k :In ⍳n\nt←a[;k]\na[;k]←a[;k+1]\na[;k+1]←t\n:EndFor\n∇"
TURNED = (
    "∇ a←n f a;x;y;k\n:For k :In ⍳n\nx←a[k;]\ny←a[1+n-k;]\na[k;]←x+y\na[1+n-k;]←x-2×y\n"
    "x←a[;1]\ny←a[;k]\na[;1]←y-x\na[;k]←3+x\n:EndFor\n∇"
)
PIVOTED = (
    "∇ r←n f a;t;k;p;s\ns←0\n:For k :In ⍳n\np←k-1\np+←⊃⍒|(k-1)↓a[;k]\n:If p≠k\nt←a[k;]\na[k;]←a[p;]\n"
    "a[p;]←t\ns←s+1\n:EndIf\na[1;]-←a[k;]\n:EndFor\nr←s,,a\n∇"
)
BUTTERFLIES = (
    "∇ r←n f a;v;t;i;j;k\nv←,a\n:For k :In ⍳n\ni←k+2×⍳⌊0.25×≢v\nj←i-1\nt←v[i]\nv[i]←t+v[j]\nv[j]←t-v[j]\n"
    ":EndFor\nr←v\n∇"
)
USED = (
    "∇ r←n f a;t;u;k\nu←+/a\n:For k :In ⍳n\nt←a[k;]\na[k;]←a[k+1;]+u[k]\n:If t[1]>0\na[k+1;]←t\n:Else\n"
    "a[k+1;1]←+/t\n:EndIf\nu←u+t[1]\n:EndFor\nr←(,a),u\n∇"
)
OUTSIDE = (
    "∇ r←n f a;t;s\nt←a[1;]\ns←+⌿a\n:If n>2\na[1;]←a[2;]\na[2;]←t×2\n:Else\na[;1]←7\n:EndIf\nr←(,a),t,s\n∇"
)
SEVERAL = (
    "∇ r←n f a;b;x;y;z;k\nb←a\n:For k :In ⍳n\nx←a[k;]\ny←x+b[k;]\nz←y×2\na[k;]+←z\nb[k;]←a[k;]-x\n"
    "a[;1]←+/a\na[k;k]←z[k]-y[k]\n:EndFor\nr←a,b\n∇"
)
FAILING = "∇ r←n f a;x\nx←a[n;]\na[1;]←x÷a[2;]\na[2;]←x\nr←a\n∇"
PRINTED = "∇ r←n f a;x\nx←a[n;]\na[1;]←0\n⎕←x\na[2;]←x\nr←a\n∇"
ALL = (SWAPPED, COLUMNS, TURNED, PIVOTED, BUTTERFLIES, USED, OUTSIDE, SEVERAL, FAILING, PRINTED)


@pytest.mark.parametrize("text", (SWAPPED, COLUMNS, TURNED))
def test_rounds_copy_no_matrix(text: str, tmp_path: Path) -> None:
    rounds = _loaded(text, "c", tmp_path).emit("laila", "[int]0", "[double]2").partition("while")[2]
    assert "MAP" in rounds and "(⍵_n0 * ⍵_n1)" not in rounds


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", ALL)
def test_values(text: str, target: str, tmp_path: Path) -> None:
    wanted, found = [_loaded(text, each, tmp_path) for each in ("interp", target)]
    random = np.random.default_rng(9)
    for shape in ((8, 8), (8, 8), (8, 8), (5, 9), (9, 5), (1, 3), (3, 1), (0, 4), (4, 0)):
        for n in (0, 1, 2, 4, 6, 7):
            a = np.round(random.normal(0, 2, shape), 1)
            a.flat[:1] = random.choice([np.nan, 0.0, np.inf, 1.5])
            outcomes = [_outcome(each, n, a) for each in (wanted, found)]
            if isinstance(outcomes[0], str):
                assert outcomes[1] == outcomes[0]
            else:
                np.testing.assert_allclose(outcomes[1], outcomes[0], 1e-9, 1e-12)


def _outcome(function: aplc.Function, n: int, a: object) -> object:
    """The value of a call, or its error."""
    try:
        return function(n, a)
    except aplc.Error as error:
        return str(error)


def _loaded(text: str, target: str, directory: Path) -> aplc.Function:
    """The function `f` of a text."""
    path = directory / "f.apl"
    path.write_text(text, "utf-8")
    return aplc.load(path, target=target)["f"]


def test_how_many_places_there_were_is_counted_before() -> None:
    """Though nothing else is asked of them behind the change."""
    v = np.array([3, -1, 4, 0, -5, 9])
    texts = (
        "{({v←⍵ ⋄ i←⍸v>0 ⋄ v[i]←0 ⋄ v+≢i}⍣3)⍵}",
        "{({v←⍵ ⋄ w←(v>0)/v ⋄ v[2]←7 ⋄ v+≢w}⍣3)⍵}",
        "{v←2×⍵ ⋄ i←⍸v>2 ⋄ v[1 2 3]←-9 ⋄ v,≢i}",
    )
    chosen = "⋄".join(f"{k}=⍺:{text}⍵" for k, text in enumerate(texts))
    compiled, meaning = [aplc.fn(f"{{{chosen}⋄⍵}}", target=target) for target in ("c", "interp")]
    for k in range(len(texts)):
        assert np.array_equal(compiled(k, v), meaning(k, v))
