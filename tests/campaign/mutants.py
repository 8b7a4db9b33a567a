"""Mutants: samples in which some words are exchanged for others of their class, some constants have become
inputs, and inputs are other arrays; compared with the interpreter.

Other random programs are made of patterns. The samples are programs as people write them, with control
structures, functions that call each other, arrays of arrays and texts; one primitive more or less in them, an
empty argument or one of another kind gives programs that are no less natural and that nobody has tried.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import numpy as np

from aplc.compiler import to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import as_input
from aplc.tail.errors import AplcError, MachineError, RunError
from aplc.tail.source import Source
from aplc.targets.interp import Interpreted
from tests.campaign.judging import ENDLESS, time_limit
from tests.support.apl_programs.trees import Node, Program, array, body
from tests.support.samples import read_sample, sample_paths

TOKENS = re.compile(
    r"'(?:[^'\n]|'')*'|\"[^\"\n]*\"|⍝[^\n]*|¯?\d[\d.]*(?:[EJ]¯?[\d.]+)*(?: +¯?\d[\d.]*(?:[EJ]¯?[\d.]+)*)*"
    r"|:\w+|⎕\w+|[^\W\d][\w∆⍙]*|\n| +|.",
    re.IGNORECASE,
)
PLAIN = re.compile(r"¯?\d{1,15}(\.\d+)?(E¯?\d{1,2})?")
"""Numbers that inputs may be."""
CLASSES = (
    "+-×÷⌈⌊|", "+-×⌈⌊", "<≤=≥>≠", "∧∨⍲⍱", "/⌿\\⍀", "/\\", "⌽⊖⍉", "↑↓", "⍋⍒", "⊂⊆,", "⊃↑∊", "∪≠", "⍳∊⍸", "≡≢",
    "⊢⊣,⍪", "⍴↑", "¨⍤", "*×", "~-", "∘⍨",
)  # fmt: skip
"""Glyphs that may stand where another of them stands."""
FUNCTIONS = "+-×÷*⍟⌈⌊|!~≠⍴⍳,⍪⌽⊖⍉↑↓⊃≡≢∊⍋⍒⍸∪⊂⊆⊢⍕=<∧∨/⊥⊤"
BEFORE = (
    "⌽", ",", "1↓", "¯1↓", "2↑", "⊃", "⊂", "∪", "≢",
    "-", "⍉", "⊖", "↑", "∊", "0⍴", "⍪", "⌽¨", "⊢",
    "~", "1⌽", "2/", "0/", "⍋", "+/", "+\\", ",¨", "↓",
    "5↑", "¯5↑", "1↑", "0↑", "⍕", "⍬⍴", "1⍴", "≢¨", "⌊",
    "2|", "0.5×",
)  # fmt: skip
"""What may be put in front of a name."""
NUMBERS = ("0", "1", "2", "3", "¯1", "5", "0.5", "1.5", "1E10", "¯2", "0 1", "1 1", "2 0", "⍬", "7", "1J1")
TEXTS = ("''", "'a'", "'ab'", "' '", "'abc d'", "'ab' 'c'")
STATEMENTS = (
    "A←B", "A←⌽A", "A←1↓A", "A,←B", "A[1]←⊃B", "A+←1", "A[⍸A>1]←0", "A←A[⍋A]", "C←A ⋄ A←B ⋄ B←C",
    "A←A,A", "A[≢A]←A[1]", "((A>1)/A)←2", "A←(A>1)/A", "A[⍋B]←B", "A[;1]←0", "A⌈←B", "A←-A", "A←(≢B)↑A",
    "A[1;]←A[≢A;]", "(A B)←B A", "A←∪A", "A[1]+←1", "A←0⍴A", "A,←⊂B", "A←⊃A", "(1↑A)←5", "(⊃A)←B",
    "A←A∘.×1 2", "A[B]←0", "A[B]+←1", "A[1]←⊂B", "⎕←≢A", "⎕←A", "A←3↑A", "A←B+A", "A←+\\A",
    "A←A⍪A", "A←⍉A", "A←2|A", "A←B/A", "C←B ⋄ A[1]←3 ⋄ B←C",
)  # fmt: skip
"""What may be put between two statements, for names that are assigned nearby."""
UNWANTED = re.compile(
    r"⎕(NGET|NPUT|NPY|CSV|TS|AI|NOW|BENCH|Read|DT|SH|RL|CT|PP|WA|FIX|JSON)|\?", re.IGNORECASE
)
"""What is not the same in each run, and what reads files."""
FIXED = ("⍤", "⍣", "⌺", "⎕", "[", "⍠", ":")
"""What stands before a constant that must be one."""
MOST_INPUTS = 5


@cache
def originals() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Samples without their comments, with the inputs of one of their cases."""
    found: list[tuple[str, dict[str, Any]]] = []
    for path in sample_paths():
        if "bench" in path.parts:
            continue
        sample = read_sample(path)
        text = sample.data.decode("utf-8", errors="replace").replace("\r", "")
        lines = [line for line in text.split("\n") if line.strip() and not line.strip().startswith("⍝")]
        text = "\n".join(lines)
        if UNWANTED.search(text) or len(text) > 1500:
            continue
        for case in sample.cases[:3]:
            inputs = {name: value.value for name, value in case.inputs.items()}
            if all(isinstance(v, np.ndarray | np.generic | int | float) for v in inputs.values()):
                found.append((text, {name: np.asarray(v) for name, v in inputs.items()}))
    return tuple(found)


class Mutant:
    """A program that changes word by word."""

    def __init__(self, random: Random) -> None:
        self.random = random
        text, inputs = random.choice(originals())
        while random.random() < 0.8 and not re.search("[∇{⍣]", text):
            text, inputs = random.choice(originals())
        self.words: list[str] = TOKENS.findall(text)
        self.inputs = dict(inputs)
        for _ in range(random.choice((0, 0, 1, 2, 5))):
            self.lift()
        for _ in range(random.choice((0, 1, 1, 2, 2, 3, 5))):
            self.change()
        for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
            self.insert()
        for name in self.inputs:
            if random.random() < 0.5:
                self.inputs[name] = self.other(self.inputs[name])

    def lift(self) -> None:
        """A constant becomes an input."""
        places = [k for k, word in enumerate(self.words) if self.is_constant(k, word)]
        if not places or len(self.inputs) >= MOST_INPUTS:
            return
        k, name = self.random.choice(places), f"in{len(self.inputs)}"
        word = self.words[k]
        if word[0] in "'\"":
            text = word[1:-1].replace("''", "'")
            value = np.array(list(text) if len(text) != 1 else text, "U1")
        else:
            value = np.array([number(each) for each in word.split()])
            value = value.reshape(()) if len(value) == 1 else value
        self.inputs[name] = value
        self.words[k] = f" {name} "

    def is_constant(self, k: int, word: str) -> bool:
        before = self.words[k - 1] if k else "\n"
        if before[0] in FIXED or (before == "←" and k > 1 and self.words[k - 2][0] == "⎕"):
            return False
        return (len(word) > 3 and word[0] in "'\"") or all(map(PLAIN.fullmatch, word.split(" ")))

    def change(self) -> None:
        """One word is another, is doubled, goes, or has a function before it."""
        pick = self.random.choice
        k = self.random.randrange(len(self.words))
        word, way = self.words[k], self.random.random()
        if word == "\n" or word[0] in ":∇{}()[]⎕⋄;":
            return
        if word[0] in "'\"":
            self.words[k] = pick(TEXTS)
        elif re.match(r"[¯.\d]", word):
            self.words[k] = f" {pick(NUMBERS)} "
        elif re.match(r"\w|⍵|⍺", word):
            names = [w for w in self.words if re.match(r"[^\W\d]\w*$|⍵|⍺", w)]
            if way < 0.6:
                self.words[k] = f"({pick(BEFORE)} {word})"
            elif way < 0.8:
                self.words[k] = pick(names)
        elif way < 0.6:
            classes = [some for some in CLASSES if word in some]
            self.words[k] = pick(pick(classes)) if classes else word
        elif way < 0.75 and word in FUNCTIONS:
            self.words[k] = pick(FUNCTIONS)
        elif way < 0.85 and word in FUNCTIONS:
            self.words[k] = word + pick("¨⍨¨/")
        elif way < 0.93 and word in "¨⍨":
            self.words[k] = " "

    def insert(self) -> None:
        """A statement between others, about names that are assigned there."""
        words, pick = self.words, self.random.choice
        places = [k for k, word in enumerate(words) if word in ("\n", "⋄") and words[k - 1][0] != ":"]
        if not places:
            return
        k = pick(places)
        near = range(max(1, k - 60), min(len(words), k + 60))
        names = sorted(
            {words[j - 1] for j in near if words[j] == "←" and re.match(r"[^\W\d⎕]", words[j - 1])}
        )
        names += ["⍵"] * (words[k] == "⋄")
        if names:
            first, second = pick(names), pick(names)
            chosen = {"A": first, "B": second}
            statement = re.sub("[AB]", lambda found: chosen[found[0]], pick(STATEMENTS))
            words[k : k + 1] = [words[k], *TOKENS.findall(statement), words[k]]

    def other(self, value: Any) -> Any:
        """An input with another extent, or elements of another kind."""
        random = self.random
        way = random.random()
        if way < 0.4 and value.ndim:
            axis = random.randrange(value.ndim)
            kept = random.choice((0, 0, 1, 1, 2, max(0, value.shape[axis] - 1)))
            return np.ascontiguousarray(value.take(range(min(kept, value.shape[axis])), axis))
        if way < 0.5 and value.ndim and value.size:
            return np.repeat(value, random.choice((2, 9, 70, 700)), random.randrange(value.ndim))
        if way < 0.6:
            return value.reshape(() if value.size == 1 and value.ndim else value.size)
        if value.dtype.kind not in "ifb":
            return value
        if way < 0.75:
            return (value * random.choice((-1, 0, 1, 7))).astype(value.dtype)
        if way < 0.9:
            return value.astype(random.choice(("int64", "float64", "int8", "bool", "float32", "int16")))
        return value + 0.5

    def program(self) -> Program:
        text = "".join(self.words)
        lines: list[Node] = [array(line) for line in text.split("\n")]
        tree = body(lines)
        names = set(re.findall(r"[^\W\d][\w∆⍙]*", text))
        return Program(tree, {name: np.asarray(self.inputs[name]) for name in self.inputs if name in names})


def number(text: str) -> int | float:
    """The value of a number."""
    text = text.replace("¯", "-").upper()
    return float(text) if set(text) & set(".E") else int(text)


def program_of_mutants(random: Random) -> Program:
    """A mutant that compiles and has an end."""
    while True:
        program = Mutant(random).program()
        if is_compared(program):
            return program


def is_compared(program: Program) -> bool:
    """Whether a program compiles, and comes to an end: with a value, or an error of its run."""
    try:
        given = {name: as_input(value) for name, value in program.inputs.items()}
        types = {name: each.type for name, each in given.items()}
        source = Source("text", program.text)
        with time_limit(ENDLESS, MachineError("it has no end")):
            term = with_deep_stack(lambda: to_tail([source], types, value_of_assignment=True)).term
            Interpreted(term).run([each.value for each in given.values()], lambda *printed: None)
    except RunError:
        return True
    except (AplcError, MachineError, MemoryError, RecursionError):
        return False
    except Exception:  # which is for the comparison to tell
        return True
    return True
