"""What is decided by ranges of values."""

import numpy as np

import aplc


def test_parts_that_are_shared_are_looked_at_once() -> None:
    """A double that is added to itself sixty times: looked at in each sum, it would never end."""
    text = "{a←⍵÷2 ⋄ " + " ⋄ ".join(["a←a+a"] * 60) + " ⋄ ⌊a}"
    v = np.array([0, 1, 2, -3])
    assert aplc.fn(text, target="c")(v).tolist() == aplc.fn(text, target="interp")(v).tolist()
