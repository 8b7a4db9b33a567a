"""The symbols of APL for people: what they are called, and how they are typed.

BACKTICK    the key that gives a symbol behind a backtick, as in Dyalog's sessions: `r is ⍴
NAMED       symbols by the words that one looks for them by
FUNCTIONS   what functions are called, monadic and dyadic
OPERATORS   what operators are called
SYSTEM      what system names are
"""

from __future__ import annotations

BACKTICK: dict[str, str] = dict(
    zip(
        "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./~!@#$%^&*()_+ETIOP{}|JKL:\"Z<>?",
        "⋄¨¯<≤=≥>≠∨∧×÷?⍵∊⍴~↑↓⍳○*←→⊢⍺⌈⌊_∇∆∘'⎕⍎⍕⊂⊃∩∪⊥⊤|⍝⍀⌿⌺⌶⍫⍒⍋⌽⍉⊖⍟⍱⍲!⌹⍷⍨⍸⍥⍣⍞⍬⊣⍤⌸⌷≡≢⊆⍪⍙⍠",
        strict=True,
    )
)

FUNCTIONS: dict[str, tuple[str, str]] = {
    "+": ("conjugate", "add"), "-": ("negate", "subtract"), "×": ("signum", "multiply"),
    "÷": ("reciprocal", "divide"), "*": ("exponential", "power"), "⍟": ("natural logarithm", "logarithm"),
    "⌈": ("ceiling", "maximum"), "⌊": ("floor", "minimum"), "|": ("magnitude", "residue"),
    "!": ("factorial", "binomial"), "○": ("pi times", "circular functions"), "?": ("roll", "deal"),
    "~": ("not", "without"), "∧": ("", "and, least common multiple"),
    "∨": ("", "or, greatest common divisor"), "⍲": ("", "nand"), "⍱": ("", "nor"), "<": ("", "less"),
    "≤": ("", "less or equal"), "=": ("", "equal"), "≥": ("", "greater or equal"), ">": ("", "greater"),
    "≠": ("unique mask", "not equal"), "⊢": ("same", "right"), "⊣": ("same", "left"),
    "⍴": ("shape", "reshape"),
    "⍳": ("index generator", "index of"), ",": ("ravel", "catenate last, laminate"),
    "⍪": ("table", "catenate first"), "⌽": ("reverse last", "rotate last"),
    "⊖": ("reverse first", "rotate first"), "⍉": ("transpose", "transpose by axes"), "↑": ("mix", "take"),
    "↓": ("split", "drop"), "⊃": ("first", "pick"), "≡": ("depth", "match"), "≢": ("tally", "not match"),
    "∊": ("enlist", "member of"), "⍋": ("grade up", "in the order of a text"),
    "⍒": ("grade down", "in the order of a text"), "⊂": ("enclose", "partitioned enclose"),
    "⊆": ("nest", "partition"),
    "⍸": ("where", "interval index"), "∪": ("unique", "union"), "∩": ("", "intersection"),
    "/": ("", "replicate last"), "⌿": ("", "replicate first"), "\\": ("", "expand last"),
    "⍀": ("", "expand first"), "⌷": ("materialise", "index"), "⊥": ("", "decode"), "⊤": ("", "encode"),
    "⌹": ("matrix inverse", "matrix divide"), "⍷": ("", "find"),
    "⍕": ("format", "format with width and precision"),
    "⍎": ("execute, of text that is known when compiling, and of digits", ""),
}  # fmt: skip
"""What functions are called, monadic and dyadic; empty where there is none."""

OPERATORS: dict[str, str] = {
    "/": "reduce along the last axis; with a left argument, of all windows",
    "⌿": "reduce along the first axis", "\\": "scan along the last axis", "⍀": "scan along the first axis",
    "¨": "each", "⍨": "commute, or both arguments the same", "∘": "beside, or an argument bound",
    ".": "inner product; ∘.f is the outer product", "⍤": "atop, or rank", "⍥": "over, or depth",
    "⍣": "power: so many times, or until", "@": "at: what is changed where", "⌸": "key: groups of equal ones",
    "⌺": "stencil: windows", "⍛": "before", "⍠": "variant: a function with options",
}  # fmt: skip
"""What operators are called."""

OTHERS: dict[str, str] = {
    "⍵": "omega, the right argument", "⍺": "alpha, the left argument", "∇": "del, the function itself",
    "←": "assignment", "→": "branch", "⋄": "diamond, between statements", "⍝": "lamp, a comment",
    "⎕": "quad, output and system names", "⍬": "zilde, the empty vector", "¯": "high minus, negative numbers",
    "∆": "delta, a letter", "⍙": "delta underbar, a letter",
}  # fmt: skip

SYSTEM: dict[str, str] = {
    "⎕": "what is assigned to it is printed",
    "⎕io": "index origin, 0 or 1", "⎕ct": "comparison tolerance", "⎕pp": "digits of numbers that are shown",
    "⎕ml": "migration level, 1 here", "⎕rl": "seed of random numbers",
    "⎕a": "the letters A to Z", "⎕d": "the digits 0 to 9",
    "⎕ts": "time stamp: year, month, day, hour, minute, second, millisecond",
    "⎕now": "seconds since the beginning of 1970", "⎕dt": "times and dates, converted",
    "⎕nget": "the text of a file, or its lines", "⎕nput": "writes text to a file",
    "⎕csv": "the columns of a file or text of comma-separated values",
    "⎕npy": "the array in a .npy file", "⎕readfile": "the characters of a file",
    "⎕readintvecfile": "the integers in a file", "⎕readdoublevecfile": "the numbers in a file",
    "⎕vfi": "which fields of a text are numbers, and these", "⎕json": "an array as JSON",
    "⎕c": "lower case; 1⎕C is upper case", "⎕fmt": "an array as text, by a picture on the left",
    "⎕ucs": "characters by their numbers, and numbers of characters",
    "⎕dr": "the number of a type in memory", "⎕nc": "what kind of name a name is",
    "⎕int32and": "and, of each of 32 bits", "⎕int32or": "or, of each of 32 bits",
    "⎕int32xor": "exclusive or, of each of 32 bits", "⎕int32not": "not, of each of 32 bits",
    "⎕int32shl": "shift to the left, in 32 bits", "⎕int32shr": "shift to the right, in 32 bits",
}  # fmt: skip
"""What system names are, by their lower case."""

_GREEK = {"rho": "⍴", "iota": "⍳", "epsilon": "∊", "omega": "⍵", "alpha": "⍺", "circle": "○", "jot": "∘",
          "times": "×", "log": "⍟", "left": "⊣", "right": "⊢", "quad": "⎕", "delta": "∆", "del": "∇",
          "max": "⌈", "min": "⌊", "compress": "/", "branch": "→", "assign": "←", "key": "⌸"}  # fmt: skip


def _named() -> dict[str, str]:
    """Symbols by single words in lower case: those of their names, and what they are often called."""
    found = dict(_GREEK)
    names = {symbol: " ".join(both) for symbol, both in FUNCTIONS.items()} | OPERATORS | OTHERS
    for symbol, text in names.items():
        for word in _words(text):
            found.setdefault(word, symbol)
    return found


def _words(text: str) -> list[str]:
    words = text.replace(",", " ").replace(";", " ").replace(":", " ").split()
    return [word for word in words if len(word) > 2 and word.isalpha()]


NAMED = _named()


def every_name() -> list[tuple[str, str]]:
    """All words with the symbols that they name: those of `NAMED`, and other functions with equal words."""
    others = [(word, symbol) for symbol, both in FUNCTIONS.items() for word in _words(" ".join(both))]
    return sorted({*NAMED.items(), *others})


def described(symbol: str) -> list[str]:
    """What there is to say of a symbol, a line each; nothing of what is none."""
    lines: list[str] = []
    monadic, dyadic = FUNCTIONS.get(symbol, ("", ""))
    if monadic:
        lines.append(f"{symbol} y      {monadic}")
    if dyadic:
        lines.append(f"x {symbol} y    {dyadic}")
    if symbol in OPERATORS:
        lines.append(f"f{symbol}       {OPERATORS[symbol]}")
    if symbol in OTHERS:
        lines.append(f"{symbol}        {OTHERS[symbol]}")
    keys = [key for key, typed in BACKTICK.items() if typed == symbol and key != symbol]
    if lines and keys:
        lines.append(f"typed as   `{keys[0]}")
    return lines
