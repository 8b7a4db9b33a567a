"""Where the witness and our interpreter differ, and why: each with the reason, and which of them is right.

A phrase is on the list where its text and both answers hold what an entry says. The version of the witness is
0.4.99; an entry goes when nothing needs it.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """What the phrase, our answer and its answer hold; and why. The reason begins with whose it is."""

    text: str
    ours: str
    its: str
    reason: str


ITS_BUG, ITS_LACK, OUR_LIMIT, READING = "its bug", "its lack", "our limit", "another reading"

DIFFERENCES = (
    # --- it refuses what Dyalog takes ---
    Difference(
        r"[\\⍀]",
        "number|character",
        "length error: an expansion mask taking 1 item",
        f"{READING}: a single count on the left of \\ goes with all elements here, as it does with /",
    ),
    Difference(
        r"[/⌿]",
        "number|character",
        r"length error: 1 replication count\(s\)",
        f"{ITS_LACK}: a vector of one count goes with all elements, as a number does",
    ),
    Difference(
        r"[,⍪]\[",
        "number|character",
        "laminate needs an argument with an axis",
        f"{ITS_LACK}: two scalars laminated are a vector of two",
    ),
    Difference(
        "~",
        "number|character",
        "without takes vectors",
        f"{ITS_LACK}: what is taken away may have any rank",
    ),
    Difference(
        r"\]\S?←",
        "number|character",
        "indexed assignment needs a",
        f"{ITS_BUG}: the shape wanted is that of the subscripts together; it leaves out axes",
    ),
    Difference(
        r"\.",
        "number|character",
        "length error: arguments do not agree",
        f"{ITS_LACK}: in an inner product a single element goes with as many as there are, none included",
    ),
    Difference(
        "⊥",
        "number",
        r"length error: \d+ radices for 1 digits",
        f"{ITS_LACK}: one digit goes with all radices",
    ),
    Difference(
        "[⌽⊖]",
        "number|character",
        r"length error: rotate has a [1 ]+ left argument",
        f"{ITS_LACK}: a single count goes with all rows, whatever its rank",
    ),
    Difference(
        r"[∧∨⍲⍱][/⌿]",
        "number",
        "empty reduction has no identity for ⊤",
        f"{ITS_BUG}: the reduction of a scalar is the scalar",
    ),
    Difference(
        r"\(.*[=≠<≤>≥]\)",
        "number",
        "domain error: . has no monadic meaning",
        f"{ITS_BUG}: an array bound to a train makes its functions dyadic",
    ),
    Difference(
        r"∘\(",
        "number",
        "domain error: . has no monadic meaning",
        f"{ITS_BUG}: an argument bound to a composition goes to its first function as if it were a left one",
    ),
    Difference(
        "≢",
        "error: DOMAIN ERROR: ÷ divides by zero",
        "number",
        f"{ITS_BUG}: of elements that are only counted the errors are not met there",
    ),
    Difference(
        r"[/⌿]",
        r"number \[[\d ]*\b0\b",
        r"number \[0\] ",
        f"{ITS_BUG}: without elements the axes that are not reduced or replicated are lost",
    ),
    Difference(
        r"⊥.*⍤",
        r"number \[\d+\] 0",
        r"number \[\] 0",
        f"{ITS_BUG}: of no cells the axes of a cell are lost",
    ),
    Difference(
        r"⊤.*\d{17}",
        "number",
        "number",
        f"{ITS_BUG}: integers beyond 2^53 are encoded as if they were doubles",
    ),
    Difference(
        r"¨",
        "number",
        "domain error: a grade needs an array, not a scalar",
        f"{READING}: what a function makes of a scalar's only element is the result here, and an item there",
    ),
    Difference(
        r"∘\.,",
        "number|character",
        "number|character",
        f"{READING}: the vectors that an outer product makes are an axis here, and items there",
    ),
    Difference(
        r"\d+ \d+\[|⊃\s*\d+ \d+\[|\d\[",
        "number|character",
        "rank error: 1 index slot",
        f"{ITS_BUG}: numbers side by side are one array, which the brackets behind them index",
    ),
    Difference(
        "¨",
        "number|character",
        "shape error: arguments do not agree|rank error: axis|length error: arguments do not agree",
        f"{READING}: where f¨ gives arrays of one shape they are the rows of an array here, nested there",
    ),
    # --- it takes what Dyalog refuses ---
    Difference(
        "[/⌿]",
        "error: LENGTH ERROR: .* needs windows of at most",
        r"(?:number|character) \[[\d ]*\b0\b",
        f"{ITS_BUG}: windows that are too long are a LENGTH ERROR without rows, too",
    ),
    Difference(
        r"[\\⍀]",
        r"error: LENGTH ERROR: [\\⍀] needs equal lengths",
        r"(?:number|character) \[[\d ]*\b0\b",
        f"{ITS_BUG}: counts that do not fit are a LENGTH ERROR without rows, too",
    ),
    Difference(
        "[∧∨]",
        "error: DOMAIN ERROR: [∧∨] needs whole numbers",
        "number|error",
        f"{OUR_LIMIT}: divisors and multiples are of whole numbers only",
    ),
    Difference(
        r"⍟|\*|○|⌹",
        r"error: DOMAIN ERROR: [⍟*○⌹]",
        "number|unknown",
        f"{OUR_LIMIT}: results of real numbers are real: write an operand as a complex one, ¯1J0*0.5",
    ),
    Difference(
        "⍸",
        "error: DOMAIN ERROR: ⍸ needs ascending values",
        "number",
        f"{ITS_BUG}: bounds that do not ascend are a DOMAIN ERROR",
    ),
    Difference(
        "!",
        "error: DOMAIN ERROR: ! has no value for a negative whole number",
        "number|error|character",
        f"{ITS_BUG}: a pole of the gamma function is a DOMAIN ERROR",
    ),
    Difference(
        "[⌈⌊]",
        r"error: DOMAIN ERROR: the result of [⌈⌊] does not fit an integer",
        "number|character",
        f"{OUR_LIMIT}: ⌈ and ⌊ give integers of 64 bits, and what does not fit is an error",
    ),
    Difference(
        "[⍴↑↓⌽⊖]",
        "error: DOMAIN ERROR: . needs numbers, got characters",
        "number|character",
        f"{OUR_LIMIT}: an empty vector of characters is no vector of numbers here, ''⍴5 is refused",
    ),
    Difference(
        r"[\\⍀]",
        "error: RANK ERROR",
        "number|character",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar too",
    ),
    # --- other values ---
    Difference(
        "[⌈⌊]",
        "9223372036854775807|-9223372036854775808",
        r"1\.7976",
        f"{OUR_LIMIT}: the least and the largest of no integers are integers of 64 bits here",
    ),
    Difference(
        r"¨|⍤|\}[\\\\⍀]",
        r"\[[\d ]*\b0\b[\d ]*\]",
        r"\[[\d ]*\b0\b[\d ]*\]",
        f"{READING}: of no cells the shape is that of a cell of fills here; there it is not asked for",
    ),
    Difference(
        r"⍴.*(?:¨|⍤)",
        "number",
        "number",
        f"{READING}: the shape of what f¨ or f⍤k gives, as above",
    ),
    Difference(
        "⍴.*[\\\\⍀]",
        r"number \[0\] ",
        r"number \[1\] 1",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar too",
    ),
    Difference(
        "[↑↓⍉]",
        r"\[[\d ]*\b0\b[\d ]*\]",
        r"length error: \d+ take counts",
        f"{READING}: as above, its array has fewer axes",
    ),
    Difference(
        r"\.\S?\S",
        "number",
        "shape error: arguments do not agree: left shape 0",
        f"{ITS_LACK}: in an inner product a single element goes with none, too",
    ),
    Difference(
        "⌊|⌈",
        "1.7976931348623157e\\+308",
        "1.7976e\\+308",
        f"{ITS_BUG}: the least and the largest of no doubles are rounded to five digits",
    ),
    Difference(
        "⊤",
        "number",
        "inf",
        f"{ITS_BUG}: the quotient of large numbers is infinite there",
    ),
    Difference(
        "⊥",
        "number",
        r"e\+\d\d",
        f"{OUR_LIMIT}: integers of 64 bits wrap here",
    ),
    Difference(
        "⍕",
        "number|character",
        "number|character",
        f"{ITS_LACK}: it shows six digits and not ten",
    ),
    Difference(
        "[\\\\⍀].*[,⍪]",
        "number|character",
        "number|character",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar too",
    ),
    Difference(
        "∪",
        "number|character",
        "number|character",
        f"{ITS_BUG}: the union keeps what is in the right one twice and not in the left one",
    ),
    Difference(
        r"\\|⍀",
        r"number \[\] ",
        r"number \[1\] ",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar too",
    ),
    Difference(
        r"0[\\⍀]",
        r"number \[0\]|character \[0\]",
        r"\[1\]",
        f"{READING}: 0\\⍬ is one fill there; here the count goes with all elements, and there are none",
    ),
    Difference(
        r"\.\{",
        "",
        "",
        f"{READING}: an inner product with a function of the user's takes each pair of elements there, whole "
        "vectors here",
    ),
    Difference(
        r"\|.*E\d\d|E\d\d.*\|",
        "number",
        "number",
        f"{ITS_BUG}: the remainder of large numbers is 0 there, and exact here",
    ),
    # --- of the campaigns of longer programs ---
    Difference(
        r"\d\.\d+\.\d",
        "error: SYNTAX ERROR: .* more than one decimal point",
        "number",
        f"{ITS_BUG}: 1.2.3 is no number, nor two",
    ),
    Difference(
        "¨",
        r"number \[",
        r"number \[",
        f"{READING}: where f¨ gives arrays of one shape they are the rows of an array here, nested there",
    ),
    Difference(
        "!",
        r"number \[",
        "this factorial has no value",
        f"{READING}: what is too large for a double is infinite here, a DOMAIN ERROR there",
    ),
    Difference(
        r"⌷\[",
        r"number \[",
        r"length error: \d+ index\(es\) for \d+ axis",
        f"{READING}: numbers on the left of ⌷ with one axis are positions along it; there one for each axis",
    ),
    Difference(
        r"[\\⍀]",
        "number|character",
        "rank error|length error|shape error|does not fit an axis of 0",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar and of an array without rows too",
    ),
    Difference(
        r"[\\⍀].*[≡≢]|[≡≢].*[\\⍀]",
        r"number \[\] [01]",
        r"number \[\] [01]",
        f"{ITS_BUG}: as above, seen by a match or by the depth",
    ),
    Difference(
        r"[,⍪].*[\\⍀]",
        r"number \[",
        r"number \[",
        f"{ITS_BUG}: as above, seen by a lamination",
    ),
    Difference(
        r"\d\s*[\\⍀]",
        r"character \[",
        r"number \[",
        f"{ITS_BUG}: what is expanded of an array without elements keeps its rank and is characters still",
    ),
    Difference(
        "⍤|¨",
        r"number \[|character \[",
        "rank error|length error|shape error",
        f"{READING}: of no cells the shape is that of a cell of fills here; there it is not asked for",
    ),
    Difference(
        r"\..",
        "error: LENGTH ERROR: .* needs equal lengths",
        r"number \[[\d ]*\b0\b",
        f"{ITS_BUG}: lengths that do not fit are a LENGTH ERROR without rows, too",
    ),
    Difference(
        "[/⌿]",
        "error: LENGTH ERROR: [/⌿] needs equal lengths",
        r"number \[[\d ]*\b0\b",
        f"{ITS_BUG}: as above, for counts",
    ),
    Difference(
        "⊥",
        "error: LENGTH ERROR: ⊥ needs equal lengths, got . and 0",
        "number",
        f"{ITS_BUG}: as above, for digits: only a single one goes with all radices",
    ),
    Difference(
        "∪",
        "number|character",
        "shape error|length error|rank error",
        f"{ITS_BUG}: the union keeps what is in the right one twice and not in the left one",
    ),
    Difference(
        "∇",
        "number|character",
        "explicit definitions called each other more than 48 deep",
        f"{ITS_LACK}: it does not reuse the place of a call in tail position",
    ),
    Difference("⎕PP", "10", "6", f"{READING}: ten digits are shown by default, as in Dyalog"),
    Difference(
        ".",
        r"number \[[\d ]*\b0\b[\d ]*\] $",
        "empty reduction has no identity",
        f"{READING}: where a reduction has no results, no function needs an identity",
    ),
    Difference(
        r"\w\[[^]]*\w←",
        r"number \[",
        "is out of range",
        f"{ITS_BUG}: what stands in brackets is evaluated before the name in front of them",
    ),
    Difference(
        ".",
        r"number \[1( 1)+\] ",
        r"number \[1\] ",
        f"{ITS_BUG}: of two arrays of one element, the result has the rank of the higher one",
    ),
    Difference(
        r"[⌿/]\[",
        "number",
        "the window size must be a single number",
        f"{ITS_BUG}: a reduction with an axis takes the function in front of it, which is an argument's",
    ),
    Difference(
        r"∘\.",
        r"number \[[\d ]*\b0\b",
        "rank error|length error",
        f"{READING}: of no pairs the shape is that of a pair of fills here; there it is not asked for",
    ),
    Difference(
        r"∘\(",
        "number",
        "number",
        f"{ITS_BUG}: an argument bound to a composition goes to the left of its first function",
    ),
    Difference(
        r"∘\.",
        r"character \[[\d ]*\b0\b",
        "number",
        f"{READING}: of no pairs the elements are those of a pair of fills here",
    ),
    Difference(
        r"[\\⍀]\)?⍤",
        "number",
        "number",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar cell too",
    ),
    Difference(
        "⍸",
        "error: DOMAIN ERROR: ⍸ needs numbers or characters on both sides",
        "number|character",
        f"{OUR_LIMIT}: an empty vector of characters is no vector of numbers here",
    ),
    Difference(
        "⍤",
        "error: LENGTH ERROR: .*⍤ needs equal lengths, got (?:1 and|[0-9]+ and 1$)",
        "number|character",
        f"{ITS_BUG}: one cell does not go with all cells of the other side, unless it is the whole array",
    ),
    Difference(
        r"[\\⍀]",
        r"number \[0 [1-9]\d*\]",
        r"number \[0\]",
        f"{ITS_BUG}: what is expanded of an array without elements keeps its rank",
    ),
    Difference(
        "⍣",
        "number",
        "the ⍣ test must answer with numbers",
        f"{ITS_BUG}: the test of this phrase gives a truth value",
    ),
    Difference(
        r"∘\.,",
        "number",
        r"a window of \d+ does not fit an axis of 1",
        f"{READING}: the results of a function that are arrays are rows here, and nested there",
    ),
    Difference(
        r"¯\d+\)?[\\⍀]",
        "LENGTH ERROR: .* and 0$|LENGTH ERROR: .* there are 0 values",
        "number|character",
        f"{READING}: a single count of fills goes with all elements here, of which there are none",
    ),
    Difference(
        r"≢.*[/⌿]\[",
        r"number \[\] 1",
        r"number \[\] 0",
        f"{ITS_BUG}: a vector of no numbers does not match an array of no characters of higher rank",
    ),
    Difference(
        r"[\\⍀]",
        r"number \[[\d ]+\]",
        r"number \[[\d ]+ 1\]",
        f"{ITS_BUG}: a scan keeps the shape, that of a scalar too",
    ),
    Difference(
        "¨",
        r"character \[\]",
        r"number \[\] 0",
        f"{READING}: of no elements the results are of the kind that the function gives here",
    ),
    Difference(
        "⍤",
        "RANK ERROR: .* needs frames of equal rank",
        "number|character",
        f"{READING}: frames agree only as a whole here, as in Dyalog APL; there the shorter one is a prefix",
    ),
    Difference(
        r"\.\d+[/⌿]",
        "DOMAIN ERROR: [/⌿] needs whole numbers",
        "number|character",
        f"{ITS_BUG}: a fraction is no count, also of no elements",
    ),
)


def reason_for(text: str, ours: str, its: str) -> str:
    """Why a difference is as it must be; empty if it is not on the list."""
    for each in DIFFERENCES:
        if re.search(each.text, text) and re.search(each.ours, ours) and re.search(each.its, its):
            return each.reason
    return ""
