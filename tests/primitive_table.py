"""docs/primitives.md: every function and operator of APL and every primitive of TAIL, with a sample of each.

    python -m tests.primitive_table

writes the page anew, from the tables of the front end and of TAIL, and from what the samples
elaborate to; it says what has no sample. A link is to the shortest sample that applies what it stands for;
what a symbol elaborates to is what all samples together show. Run it from the root of the repository.
"""

import math
import sys
from collections.abc import Iterator

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.functions.nested import MAKING
from aplc.apl_front.functions.table import (
    DYADIC_ALONG,
    DYADIC_FUNCTIONS,
    MONADIC_ALONG,
    MONADIC_FUNCTIONS,
    TIER_TWO,
)
from aplc.apl_front.syntax.glyphs import DYADIC, MONADIC, Overload
from aplc.apl_front.syntax.parser import parse
from aplc.symbols import FUNCTIONS as NAMES
from aplc.tail.errors import AplcError
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.source import Source
from tests.support.paths import ROOT
from tests.support.primitive_samples import Shown, Use, found

PAGE = ROOT / "docs" / "primitives.md"

OPERATORS: dict[Use, str] = {
    ("f/", "monadic"): "reduce last", ("f⌿", "monadic"): "reduce first",
    ("f/", "dyadic"): "reduce windows, last axis", ("f⌿", "dyadic"): "reduce windows, first axis",
    ("f\\", "monadic"): "scan last", ("f⍀", "monadic"): "scan first",
    ("f¨", "monadic"): "each element", ("f¨", "dyadic"): "each pair of elements",
    ("f⍨", "monadic"): "both arguments the same", ("f⍨", "dyadic"): "arguments exchanged",
    ("f∘g", "monadic"): "beside, f g y", ("f∘g", "dyadic"): "beside, x f g y",
    ("A∘f", "monadic"): "left argument bound", ("f∘A", "monadic"): "right argument bound",
    ("∘.f", "dyadic"): "outer product", ("f.g", "dyadic"): "inner product",
    ("f⍤g", "monadic"): "atop, f g y", ("f⍤g", "dyadic"): "atop, f x g y",
    ("f⍤A", "monadic"): "rank: each cell", ("f⍤A", "dyadic"): "rank: each pair of cells",
    ("f⍥g", "monadic"): "over, f g y", ("f⍥g", "dyadic"): "over, (g x) f g y",
    ("f⍣A", "monadic"): "power: so many times, or if 1", ("f⍣A", "dyadic"): "power, x f in each round",
    ("f⍣≡", "monadic"): "fixpoint", ("f⍣g", "monadic"): "until new g old",
    ("f⍣g", "dyadic"): "until new g old, x f in each round",
    ("f g", "monadic"): "train: atop", ("f g", "dyadic"): "train: atop",
    ("f g h", "monadic"): "train: fork", ("f g h", "dyadic"): "train: fork",
    ("A g h", "monadic"): "train: fork with an array", ("A g h", "dyadic"): "train: fork with an array",
    ("A@A", "monadic"): "at: values for cells", ("f@A", "monadic"): "at: a function of cells",
    ("A@f", "monadic"): "at: values for elements", ("f@g", "monadic"): "at: a function of elements",
    ("f@A", "dyadic"): "at, x f cells", ("f@g", "dyadic"): "at, x f elements",
    ("f⍛g", "monadic"): "before, (f y) g y", ("f⍛g", "dyadic"): "before, (f x) g y",
    ("f⌸", "monadic"): "key: each different cell and where it stands",
    ("f⌸", "dyadic"): "key: each different cell and what belongs to it",
    ("f⌺A", "monadic"): "stencil: the window around each element",
    ("A⍨", "monadic"): "constant", ("A⍨", "dyadic"): "constant",
    ("{⍺⍺}", "monadic"): "own operator, one operand", ("{⍺⍺}", "dyadic"): "own operator, one operand",
    ("{⍺⍺ ⍵⍵}", "monadic"): "own operator, two operands", ("{⍺⍺ ⍵⍵}", "dyadic"): "own operator, two operands",
}  # fmt: skip
"""The uses of operators, and what they are called."""

LATER = (
    ("⍸", "of a scalar", "⍸1"),
    ("→", "branch", "→1"),
)  # fmt: skip
"""What is tier 2 besides `TIER_TWO`, each with a program that is refused with what to write instead."""

INVERSES = (
    ("+ - ÷ ~ ⌽ ⊖ ⍉ ⊢ ⊣ ⌹ *⍟", "themselves, and each other"), ("○", "divided by π"),
    ("!", "for 0.8857 and more, by Newton's method"),
    ("a∘+ a∘- a∘× a∘÷ a∘* a∘⍟ and ∘a", "arithmetic"), ("a∘○", "the function with the opposite number"),
    ("a∘⌽ a∘⊖ a∘⍉", "the other way"), ("a∘, ,∘a", "DOMAIN ERROR where the other part is not a"),
    ("a∘\\", "`a/`"), ("a∘= a∘≠ and ∘a", "themselves, of truth values"),
    ("b∘⊥", "digits: as many as the largest number has, at least one; for a vector b the first has no bound"),
    ("b∘⊤", "`b⊥`"), ("+\\ ×\\ ≠\\ =\\ and ⍀", "differences, quotients, changes"), ("+⍨ ×⍨", "half, root"),
    ("f∘g f⍤g f⍥g (f g) (a f g)", "undone in the opposite order"), ("f¨ f⍤k f⍨ f⍣n", "with the inverse of f"),
)  # fmt: skip
"""What has an inverse, and which; see `elaboration/inverse.py`."""

PROCEDURES = (
    ("∇ r←a f w;x", "arguments and local names; `{r}←` is not shown, `{a}` may be left out", "headers"),
    ("∇ (r s)←f w", "several results, as a strand", "several-results"),
    ("∇ r←f", "without arguments: the name alone is a call", "headers"),
    ("∇ f w", "without a result", "headers"), ("∇ r←(f op g)w", "operators", "headers"),
    (":If c :AndIf c :OrIf c :ElseIf c :Else :EndIf", "conditions", "structures"),
    (":Select v :Case v :CaseList v :Else :EndSelect", "one of several values", "structures"),
    (":For x :In v :EndFor", "all elements in order", "structures"),
    (":While c :EndWhile", "as long as something holds", "structures"),
    (":Repeat :Until c", "until something holds", "structures"),
    (":Leave :Continue :Return", "out of a loop, to its next round, out of the function", "structures"),
    ("l:  →l  →0  →c/l  →c⍴l  →l×⍳c", "labels, where they form loops and conditions", "labels"),
    ("x←v", "of a name that is not local: the name of the program", "global-names"),
)  # fmt: skip
"""What is written between two `∇`, what it is, and a sample in `tradfns`."""

# --- the tables -----------------------------------------------------------------------------------------


def tables() -> dict[Use, tuple[Overload, ...]]:
    """The functions that the front end has, with the rows of the scalar ones."""
    composed = {("÷", "monadic"), ("⍎", "monadic"), ("○", "monadic"), ("○", "dyadic"), ("⍟", "dyadic")}
    result: dict[Use, tuple[Overload, ...]] = dict.fromkeys(composed, ())
    for valence, scalars, others in (
        ("monadic", MONADIC, MONADIC_FUNCTIONS),
        ("dyadic", DYADIC, DYADIC_FUNCTIONS),
    ):
        result |= {(symbol, valence): rows for symbol, rows in scalars.items() if symbol[0] != "⎕"}
        result |= {(symbol, valence): () for symbol in others}
    for arguments, symbols in MAKING.items():
        result |= {(symbol, ("monadic", "dyadic")[arguments - 1]): () for symbol in sorted(symbols)}
    return result


def with_axis() -> list[Use]:
    """The uses that take an axis in brackets."""
    functions = [(s, "monadic") for s in MONADIC_ALONG] + [(s, "dyadic") for s in DYADIC_ALONG]
    scalars = [("+", "dyadic")]  # for all dyadic scalar functions
    folds = [(f"f{s}", "monadic") for s in "/⌿\\⍀"] + [("f/", "dyadic")]
    items = [("↓", "monadic"), ("⊂", "monadic")]
    return functions + scalars + folds + items


def without_sample() -> list[str]:
    """What has no sample, in the order of the page."""
    uses = [*tables(), *OPERATORS, *[(symbol, f"{valence} with axis") for symbol, valence in with_axis()]]
    lacking = [f"{use[1]} {use[0]}" for use in uses if use not in found().samples]
    return lacking + [f"the primitive {name}" for name, prim in PRIMS.items() if prim not in found().samples]


def _elaborates_to(use: Use) -> Shown:
    """What the samples and the tables show of a use."""
    rows = [row.prim for row in tables().get(use, ()) if row.prim is not None]
    return {prim.name for prim in rows} | found().uses.get(use, set())


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def _link(key: Use | Prim) -> str:
    name = found().samples.get(key)
    return f"[{name}](../apl_samples/{name}.apl)" if name else "(none yet)"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _use_row(use: Use, name: str) -> str:
    order = [*PRIMS, "if", "loop", "recursion", "tuple"]
    names = sorted(_elaborates_to(use), key=order.index)
    axis = _link((use[0], f"{use[1]} with axis")) if use in with_axis() else ""
    shown = " ".join([_code(n) if n in PRIMS else n for n in names])
    return _row(_code(use[0]), use[1], name, shown, _link(use), axis)


def _functions() -> Iterator[str]:
    for symbol, names in NAMES.items():
        for valence, name in zip(("monadic", "dyadic"), names, strict=True):
            if (symbol, valence) in tables():
                yield _use_row((symbol, valence), name)


def _number(value: int | float | None) -> str:
    if value is None:
        return ""
    text = repr(value).upper().replace("E+", "E").replace("-", "¯")
    return text.removesuffix(".0") if math.isfinite(value) else text


def _schemes(prim: Prim) -> str:
    """The type schemes; of a family by rank the first, and a sign that there are more."""
    texts = [str(scheme) for scheme in prim.schemes]
    shown = texts if len(texts) <= 2 else texts[:1]
    return "<br>".join([_code(text) for text in shown]) + (" …" if len(texts) > 2 else "")


def _primitives() -> Iterator[str]:
    for name, prim in PRIMS.items():
        associative = "yes" if prim.associative else ""
        yield _row(_code(name), _schemes(prim), _number(prim.identity), associative, _link(prim))


def refusal(program: str) -> str:
    """What the message for a program says to write instead."""
    try:
        elaborate_program([parse(Source("later.apl", program))], {})
    except AplcError as error:
        return error.diagnostics[0].message.partition(" supported")[2].removeprefix(" yet").removeprefix(": ")
    raise AssertionError(f"{program} is supported: it belongs in another table")


def _later() -> Iterator[str]:
    for (symbol, arguments), (name, instead) in TIER_TWO.items():
        yield _row(_code(symbol), ("monadic", "dyadic")[arguments - 1], name, instead)
    for symbol, name, program in LATER:
        yield _row(_code(symbol), "", name, refusal(program))


def _procedure_row(text: str, meaning: str, sample: str) -> str:
    assert (PAGE.parent.parent / "apl_samples" / "tradfns" / f"{sample}.apl").exists()
    return _row(_code(text), meaning, f"[tradfns/{sample}](../apl_samples/tradfns/{sample}.apl)")


HEAD = """# Primitives

<!-- Made by `python -m tests.primitive_table`: change the tables or the samples, not this page. -->

What the symbols of APL become, and the primitives of the typed array language TAIL; all of them are compiled
to C, and the interpreter (`--target interp`) has them too. A sample is the shortest program in `apl_samples/`
that applies it.
"""

FUNCTIONS = """
## Functions of APL

Scalar functions extend over arrays with `each` and `zipWith`, which are not listed for them, and neither are
conversions of element types. What stands under TAIL is what the samples show for arrays of all kinds; one
application becomes one or a few of these. Dyadic scalar functions take an axis in brackets where the ranks
differ; the sample for `+` has one.

| symbol | valence | name | TAIL | sample | with `[k]` |
|---|---|---|---|---|---|
"""

OPERATOR_TABLE = """
## Operators and trains

`f g h` are functions, `A` is an array. Listed is what the operator adds to its operands.

| use | valence | name | TAIL | sample | with `[k]` |
|---|---|---|---|---|---|
"""

INVERSE_TABLE = """
## Inverses

`f⍣¯1` undoes `f`, `f⍣¯2` twice; where only the run knows the sign of a count, both must give one type. What
is not listed has none: DOMAIN ERROR. A sample is [operators/inverse](../apl_samples/operators/inverse.apl).

| function | inverse |
|---|---|
"""

PROCEDURE_TABLE = """
## Functions between two ∇

Words may be written in small letters, `:End` ends every structure, and `:Section` says nothing.

| text | meaning | sample |
|---|---|---|
"""

TIER_TWO_TABLE = """
## Not yet

Refused with a message that says where it stands, and what to write instead:

| symbol | valence | name | instead |
|---|---|---|---|
"""

PRIMITIVES = """
## Primitives of TAIL

`[κ]ρ` is an array of element type κ and rank ρ, `<κ>ρ` a vector of length ρ, `S(κ,ρ)` and `SV(κ,ρ)` are the
scalar and the one-element vector of value ρ; see `tail/types.py`. The first type that fits counts. A family
has one type for each rank, shown as `…`. The identity item is what a reduction of an empty axis gives.

| name | type | identity | associative | sample |
|---|---|---|---|---|
"""


def page() -> str:
    """The text of the page."""
    parts = [
        (HEAD + FUNCTIONS, _functions()),
        (OPERATOR_TABLE, (_use_row(use, name) for use, name in OPERATORS.items())),
        (INVERSE_TABLE, (_row(_code(text), meaning) for text, meaning in INVERSES)),
        (PROCEDURE_TABLE, (_procedure_row(*row) for row in PROCEDURES)),
        (TIER_TWO_TABLE, _later()),
        (PRIMITIVES, _primitives()),
    ]
    return "".join([head + "\n".join(rows) + "\n" for head, rows in parts])


def main() -> None:
    """Write the page, and say what has no sample."""
    PAGE.write_text(page(), encoding="utf-8")
    for what in without_sample():
        print(f"no sample: {what}", file=sys.stderr)


if __name__ == "__main__":
    main()
