"""Control structures whose conditions are known, against the statements executed there, in a straight line.

The interpreter and compiled code share the front end, which decides what kind of array a name is behind a
branch and in each round of a loop: what it gets wrong there is wrong in all of them, but not in a straight
line. So a function of names that become arrays of other ranks, types and depths on some ways is run, and so
are its statements one after the other, as Python knows them to be executed.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import aplc
from aplc.tail.errors import AplcError
from tests.campaign.judging import try_all
from tests.campaign.work import Block, Kind, Tally

BATCH = 12
DEPTH = 3
MOST_EXECUTED = 200
NAMES = "wqvs"
ARGUMENTS = (0, 1, 2, 3)
COUNTERS = "klm"
"""Those of loops inside each other."""
CONDITIONS = ("n>1", "n>2", "n>0", "n=3", "n>{}", "{}>1", "{}=2", "n={}")
SIMPLE = ("1", "2.5", "'a'", "'abc'", "1 2 3", "⍬", "''", "0 1", "2 3⍴⍳6", "1 0=1", ",1", "2 2⍴'abcd'", "0⍴0")
NESTED = ("'ab' 'cde'", "(1 2)(3 4 5)", "1 'a'", "(1 2)'ab'", "0⍴⊂''", "⊂1 2", ",⊂1 2", "(1 'a')(2 'b')")
VALUES = (SIMPLE, NESTED, SIMPLE + NESTED, ("⊂1 2", ",⊂1 2", "(1 2)(3 4 5)", "0⍴⊂⍬", "1 2"))
FUNCTIONS = ("⊃", "⌽", ",", "⊂", "1↓", "1↑", "≢", "⊢", "2⍴", "0⍴", ",⊂", "⊃⌽", "⍴", "∊", "⍕", "↑")
"""Not `≡`: an empty text that is an empty vector of texts on another way has the depth of that behind it."""
JUMPS = (":Leave", ":Continue", ":Return")


@dataclass(frozen=True)
class Simple:
    """A statement, or a jump out of what is around it."""

    text: str


@dataclass(frozen=True)
class Branches:
    """An `:If` or, where the conditions are numbers, a `:Select` of n; no condition is `:Else`."""

    ways: tuple[tuple[str, Code], ...]


@dataclass(frozen=True)
class Rounds:
    """A loop of n rounds: `:For`, `:While` or `:Repeat`, which has a first one in any case."""

    word: str
    counter: str
    body: Code


Code = tuple["Simple | Branches | Rounds", ...]


@dataclass(frozen=True)
class Program:
    """A function of n, which has its names for itself or changes those around it."""

    is_local: bool
    begin: tuple[str, ...]
    code: Code
    shown: str
    """The names that are shown at its end."""
    n: int


class Endless(Exception):
    """More is executed than is looked at."""


class _Jump(Exception):
    """Something is left."""


# --- generation -----------------------------------------------------------------------------------------


@dataclass
class _Writer:
    choices: Random
    values: Sequence[str]
    loops: int = 0

    def code(self, depth: int, most: int = 3) -> Code:
        return tuple([self.statement(depth) for _ in range(self.choices.randint(1, most))])

    def statement(self, depth: int) -> Simple | Branches | Rounds:
        choices = self.choices
        way = choices.random()
        if way < 0.1 and self.loops:
            return Simple(choices.choice(JUMPS))
        if way < 0.2:
            return Simple(f"⎕←{choices.choice(NAMES)}")
        if way < 0.25:
            added = choices.choice(["1", "⊂" + choices.choice(NAMES), choices.choice(NAMES)])
            return Simple(f"{choices.choice(NAMES)},←{added}")
        if depth == 0 or way < 0.62:
            return Simple(f"{choices.choice(NAMES)}←{self.value()}")
        if way < 0.82:
            return self.branches(depth - 1)
        counter = COUNTERS[self.loops]
        self.loops += 1
        body = self.code(depth - 1)
        self.loops -= 1
        return Rounds(choices.choice(["For", "For", "While", "Repeat"]), counter, body)

    def branches(self, depth: int) -> Branches:
        choices = self.choices
        conditions = choices.choice([["1", "2"], choices.sample(CONDITIONS, choices.randint(1, 2))])
        conditions = [each.format(choices.choice(COUNTERS[: max(1, self.loops)])) for each in conditions]
        conditions += [""] * choices.randint(0, 1)
        return Branches(tuple([(condition, self.code(depth)) for condition in conditions]))

    def value(self) -> str:
        choices, name = self.choices, self.choices.choice(NAMES)
        way = choices.random()
        if way < 0.45:
            return choices.choice(self.values)
        if way < 0.93:
            return choices.choice(["", *FUNCTIONS]) + " " + name
        return f"{choices.choice(NAMES)},{choices.choice(['', '⊂'])}{name}"


def some_program(choices: Random) -> Program:
    """A function whose names change their kind."""
    values = choices.choice(VALUES)
    values = choices.sample(values, min(len(values), choices.choice([3, 6, 99])))
    writer = _Writer(choices, values)
    begin = tuple([f"{name}←{choices.choice(values)}" for name in NAMES])
    shown = "".join([name for name in NAMES if choices.random() < 0.6]) or "w"
    return Program(choices.random() < 0.6, begin, writer.code(DEPTH, 6), shown, choices.choice(ARGUMENTS))


# --- texts ----------------------------------------------------------------------------------------------


def structured(program: Program) -> str:
    """The function, and its call."""
    begin = [*program.begin, *[f"{counter}←1" for counter in COUNTERS]]
    body = [*_lines(program.code), *[f"⎕←{name}" for name in program.shown]]
    if program.is_local:
        return "\n".join(["∇ f n;w;q;v;s;k;l;m", *begin, *body, "∇", f"f {program.n}"])
    ends = [f"⎕←{name}" for name in NAMES]
    return "\n".join([*begin, "∇ f n", *body, "∇", f"f {program.n}", *ends])


def straight(program: Program) -> str:
    """The statements that are executed. Raises `Endless` where these are too many."""
    found = list(program.begin)
    with contextlib.suppress(_Jump):
        _execute(program.code, {"n": program.n} | dict.fromkeys(COUNTERS, 1), found)
        found += [f"⎕←{name}" for name in program.shown]
    if not program.is_local:
        found += [f"⎕←{name}" for name in NAMES]
    return "\n".join(found)


def _lines(code: Code) -> Iterator[str]:
    for each in code:
        match each:
            case Simple(text=text):
                yield text
            case Branches(ways=ways):
                is_select = ways[0][0].isdigit()
                if is_select:
                    yield ":Select n"
                for k, (condition, body) in enumerate(ways):
                    word = ":Case" if is_select else ":If" if k == 0 else ":ElseIf"
                    yield f"{word} {condition}" if condition else ":Else"
                    yield from _lines(body)
                yield ":EndSelect" if is_select else ":EndIf"
            case Rounds(word="For", counter=k, body=body):
                yield from (f":For {k} :In ⍳n", *_lines(body), ":EndFor")
            case Rounds(word="While", counter=k, body=body):
                yield from (f"{k}←0", f":While {k}<n", f"{k}←{k}+1", *_lines(body), ":EndWhile")
            case Rounds(counter=k, body=body):
                yield from (f"{k}←0", ":Repeat", f"{k}←{k}+1", *_lines(body), f":Until {k}≥n")


def _execute(code: Code, known: dict[str, int], found: list[str]) -> None:
    """Adds what is executed. Raises `_Jump` where something is left."""
    for each in code:
        if len(found) > MOST_EXECUTED:
            raise Endless
        match each:
            case Simple(text=text) if text in JUMPS:
                raise _Jump(text)
            case Simple(text=text):
                found.append(text)
            case Branches(ways=ways):
                chosen = [body for condition, body in ways if _holds(condition, known)]
                _execute(chosen[0] if chosen else (), known, found)
            case Rounds():
                _rounds(each, known, found)


def _rounds(loop: Rounds, known: dict[str, int], found: list[str]) -> None:
    if loop.word != "For":
        known[loop.counter] = 0
    for k in range(1, max(known["n"], loop.word == "Repeat") + 1):
        known[loop.counter] = k
        try:
            _execute(loop.body, known, found)
        except _Jump as jump:
            if str(jump) == ":Return":
                raise
            if str(jump) == ":Leave":
                break


def _holds(condition: str, known: dict[str, int]) -> bool:
    if not condition or condition.isdigit():
        return not condition or known["n"] == int(condition)
    left, relation, right = condition
    x, y = [known.get(side, int(side) if side.isdigit() else 0) for side in (left, right)]
    return x > y if relation == ">" else x == y


# --- judgement ------------------------------------------------------------------------------------------


def wrong(program: Program) -> str:
    """What a function shows, if it is not what its statements show; errors are raised."""
    with contextlib.suppress(Endless):
        line = straight(program)
        found = _shown(structured(program))
        try:
            wanted = _shown(line)
        except AplcError:
            return ""
        if _without_fills(found) != _without_fills(wanted):
            return f"shows {found!r}, in a straight line {wanted!r}"
    return ""


def _without_fills(shown: str) -> str:
    """What is shown without zeros and blanks: an empty vector that is a text on another way has the fills of
    that behind both.
    """
    return shown.replace("0", "").replace(" ", "")


def _shown(text: str) -> str:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        aplc.run(text, target="interp")
    return shown.getvalue()


def _smaller(program: Program) -> Iterator[Program]:
    for code in _shorter(program.code):
        yield replace(program, code=code)


def _shorter(code: Code) -> Iterator[Code]:
    """Code with a statement less, or with what is inside one in its place."""
    for k, each in enumerate(code):
        before, behind = code[:k], code[k + 1 :]
        yield before + behind
        match each:
            case Branches(ways=ways):
                for m, (condition, body) in enumerate(ways):
                    yield before + body + behind
                    for less in _shorter(body):
                        own = (*ways[:m], (condition, less), *ways[m + 1 :])
                        yield (*before, Branches(own), *behind)
            case Rounds(body=body):
                yield from [(*before, replace(each, body=less), *behind) for less in _shorter(body)]
            case Simple():
                pass


def _run(block: Block) -> Tally:
    programs = [some_program(block.random(f"straight {k}")) for k in range(BATCH)]
    return try_all("straight", block, programs, wrong, structured, _smaller, "program.apl")


STRAIGHT = (Kind("straight", "control structures against their statements in a straight line", 3, _run),)
