"""The ends of messages: what to write in APL where a word, a sign or a name of another language or dialect
stands. Nothing here decides whether a program is right.

Note [Only when something is wrong]
    `x**2` and `1--1` are right APL, and mean something else than elsewhere. So nothing is looked for before
    there is an error; then the text around its place says what may be meant.
"""

from __future__ import annotations

import re

from aplc.tail.source import Span

_GUARD = "write a guard in braces, {condition: value ⋄ other value}"
_FUNCTION = "a function is written {⍺ … ⍵}"
_LOOP = "write f¨ for every element, (f⍣n) for n rounds, (f⍣g) until g"

WORDS: dict[str, str] = {
    "if": _GUARD, "else": _GUARD, "elif": _GUARD, "switch": _GUARD, "case": _GUARD,
    "for": _LOOP, "while": _LOOP, "repeat": _LOOP, "do": _LOOP, "loop": _LOOP,
    "def": _FUNCTION, "lambda": _FUNCTION, "function": _FUNCTION, "fn": _FUNCTION, "func": _FUNCTION,
    "return": "the last statement, or the value behind a guard, is the result",
    "goto": _GUARD, "import": "all files of a program are named on the command line",
    "let": "write name←value", "var": "write name←value", "const": "write name←value",
    "print": "write ⎕←value", "println": "write ⎕←value", "printf": "write ⎕←value",
    "input": "name the input with --input",
    "true": "write 1", "false": "write 0", "none": "write ⍬ for an empty vector",
    "null": "write ⍬ for an empty vector", "nil": "write ⍬ for an empty vector",
    "and": "write ∧", "or": "write ∨", "not": "write ~", "xor": "write ≠", "in": "write ∊", "is": "write ≡",
    "mod": "write n|x", "sum": "write +/", "prod": "write ×/", "product": "write ×/",
    "max": "write ⌈ between two, ⌈/ for a vector", "min": "write ⌊ between two, ⌊/ for a vector",
    "mean": "write mean←{(+/⍵)÷≢⍵}", "average": "write average←{(+/⍵)÷≢⍵}", "avg": "write avg←{(+/⍵)÷≢⍵}",
    "abs": "write |x", "sqrt": "write x*0.5", "exp": "write *x", "pow": "write x*y", "ln": "write ⍟x",
    "log": "write ⍟x, or b⍟x", "sin": "write 1○x", "cos": "write 2○x", "tan": "write 3○x",
    "atan": "write ¯3○x", "pi": "write ○1", "π": "write ○1", "floor": "write ⌊x", "ceil": "write ⌈x",
    "round": "write ⌊0.5+x", "sign": "write ×x", "rand": "write ?n", "random": "write ?n",
    "len": "write ≢x", "length": "write ≢x", "count": "write ≢x, or +/ of a condition", "size": "write ⍴x",
    "shape": "write ⍴x", "range": "write ⍳n", "iota": "write ⍳n", "rho": "write ⍴x", "sort": "write x[⍋x]",
    "sorted": "write x[⍋x]", "reverse": "write ⌽x", "reversed": "write ⌽x", "transpose": "write ⍉x",
    "append": "write x,y", "concat": "write x,y", "unique": "write ∪x", "where": "write ⍸x",
    "map": "write f¨x", "reduce": "write f/x", "fold": "write f/x", "filter": "write condition/x",
    "zeros": "write n⍴0", "ones": "write n⍴1", "str": "write ⍕x", "eval": "write the expression itself",
}  # fmt: skip
"""What stands for a word of other languages, in lower case."""

SIGNS: dict[str, str] = {
    "==": "=", "!=": "≠", "<>": "≠", "<=": "≤", "=<": "≤", ">=": "≥", "=>": "≥", "+=": "+←", "-=": "-←",
    "*=": "×←", "/=": "÷←",
}  # fmt: skip
"""Two signs that are one elsewhere, of which the second stands without its left argument here."""

OPERATORS: dict[str, str] = {
    "&": "write ∧ for and",
}
"""Operators that are not supported."""

SYSTEM_NAMES: dict[str, str] = {
    "⎕": "name the input with --input",
    "⍞": "write ⎕←text to print, and name an input with --input",
    "⎕ai": "write ⎕NOW for a clock", "⎕dl": "⎕NOW is a clock", "⎕pi": "write ○1", "⎕print": "write ⎕←value",
    "⎕out": "write ⎕←value", "⎕fr": "numbers have 64 bits", "⎕dct": "set ⎕CT",
    "⎕av": "write the characters, or ⎕A and ⎕D", "⎕nread": "write ⎕NGET",
    "⎕map": "write ⎕NGET, or ⎕NPY for an array", "⎕fio": "write ⎕NGET and ⎕NPUT",
    "⎕cy": "all files of a program are named on the command line", "⎕fix": "write name←{…}",
    "⎕fx": "write name←{…}", "⎕signal": "an error ends the program",
    "⎕r": "⍷ looks for a text, mark(≠⊆⊢)text parts one, and , joins",
    "⎕s": "⍷ looks for a text, mark(≠⊆⊢)text parts one",
    "⎕ns": "a strand has several values, (a b)← takes it apart",
    "⎕cr": "the text of a program is in its file", "⎕nr": "the text of a program is in its file",
    "⎕vr": "the text of a program is in its file",
    "⎕nc": "names are known when compiling", "⎕nl": "names are known when compiling",
    "⎕ex": "names last as long as the program",
}  # fmt: skip
"""System names that are not supported, in lower case."""

_FOREIGN_COMMENT = re.compile(r"(//|--|/\*)\s+$")
_BEGINS = re.compile(r"(^|[⋄{])\s*$")
_ASSIGNS = re.compile(r"\s*(=|<-|->)(?![=<>])")
_INCREMENT = re.compile(r"([^\W\d]\w*)\s*(\+\+|--)")


def for_name(name: str, span: Span) -> str:
    """What may be meant by a name that has no value; empty where nothing is known."""
    before, after = _line_around(span)
    if mark := _FOREIGN_COMMENT.search(before):
        return f"a comment begins with ⍝, not with {mark[1]}"
    if hint := WORDS.get(name.lower()):
        return hint
    if _BEGINS.search(before) and (sign := _ASSIGNS.match(after)):
        return f"{sign[1]} does not assign, write {name}←"
    return ""


def for_sign(span: Span) -> str:
    """What to write where a function has no left argument because it is half of another language's sign."""
    pair = span.source.text[max(0, span.start - 1) : span.start + 1]
    return f"write {SIGNS[pair]} for {pair}" if pair in SIGNS else ""


def for_increment(text: str) -> str:
    """What to write for `x++`."""
    found = _INCREMENT.fullmatch(text.strip())
    return f"write {found[1]}{found[2][0]}←1" if found else ""


def _line_around(span: Span) -> tuple[str, str]:
    """The text before and behind a span, on its line."""
    text = span.source.text
    before = text[: span.start].rpartition("\n")[2]
    return before, text[span.end :].partition("\n")[0]
