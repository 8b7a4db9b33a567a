"""Random definitions between two `∇`, each as APL text, with labels and arrows, and as Python.

The Python text is the meaning: it is executed by Python itself, which knows loops, jumps out of them, and
names that have no value. Names are whole numbers; `t` is a vector that records what has happened.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

NAMES = ("a", "b", "c", "u")
"""Local names; the last one has no value at the beginning for an argument of more than 7."""


@dataclass(frozen=True)
class Written:
    """A definition in three languages, to be called with one whole number."""

    structured: str
    with_labels: str
    python: str


@dataclass
class _Line:
    """A statement: in APL and in Python, or with statements inside."""

    kind: str
    apl: str = ""
    python: str = ""
    bodies: list[list[_Line]] = field(default_factory=list)
    number: int = 0


class Writer:
    """Programs of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._count = 0

    def definition(self) -> Written:
        """A definition `f` of one argument, which ends for every argument."""
        self._count = 0
        body = self._body(0, 7, in_loop=False)
        begin = ["t←⍬", "a←w", "b←3|w", "c←0", ":If w≤7", "u←1", ":EndIf"]
        header = "∇ t←f w;a;b;c;u;" + ";".join(f"k{k}" for k in range(1, self._count + 2))
        structured = [header, *begin, *_structured(body), "∇"]
        labelled = [header, *begin[:4], "→(w>7)/L", "u←1", "L:", *_Labels().lines(body, "", ""), "∇"]
        opening = ["def f(w):", "  t=[]", "  a=w", "  b=w%3", "  c=0", "  if w<=7: u=1"]
        python = [*opening, *_python(body, "  "), "  return t"]
        return Written("\n".join(structured), "\n".join(labelled), "\n".join(python))

    def _expression(self) -> tuple[str, str]:
        """A whole number between ¯99 and 99."""
        x, y = (self._operand() for _ in range(2))
        forms = [
            (f"100|({x[0]}+{y[0]})", f"({x[1]}+{y[1]})%100"),
            (f"100|({x[0]}×{y[0]})", f"({x[1]}*{y[1]})%100"),
            (f"{x[0]}⌊{y[0]}", f"min({x[1]},{y[1]})"),
            (f"7|{x[0]}", f"{x[1]}%7"),
            (f"{x[0]}", f"{x[1]}"),
        ]
        return self.random.choice(forms)

    def _operand(self) -> tuple[str, str]:
        if self.random.random() < 0.3:
            number = self.random.randrange(1, 9)
            return str(number), str(number)
        weights = [4, 4, 4, 1]
        name = self.random.choices(NAMES, weights)[0]
        return name, name

    def _test(self) -> tuple[str, str]:
        x, y = (self._operand() for _ in range(2))
        forms = [
            (f"{x[0]}<{y[0]}", f"({x[1]}<{y[1]})"),
            (f"{x[0]}≥{y[0]}", f"({x[1]}>={y[1]})"),
            (f"0=2|{x[0]}", f"({x[1]}%2==0)"),
            (f"{x[0]}≠{y[0]}", f"({x[1]}!={y[1]})"),
        ]
        return self.random.choice(forms)

    def _body(self, depth: int, most: int, *, in_loop: bool) -> list[_Line]:
        return [self._line(depth, in_loop=in_loop) for _ in range(self.random.randrange(1, most))]

    def _line(self, depth: int, *, in_loop: bool) -> _Line:
        kinds: dict[str, int] = {"assign": 8, "record": 5}
        if depth < 3:
            kinds |= {"if": 5, "while": 2, "repeat": 2, "for": 3, "select": 1}
        if depth > 0:
            kinds |= {"return": 1}
        if in_loop:
            kinds |= {"leave": 2, "continue": 2}
        kind = self.random.choices([*kinds], [*kinds.values()])[0]
        make: dict[str, Callable[[], _Line]] = {
            "assign": self._assign,
            "record": self._record,
            "if": lambda: self._if(depth, in_loop=in_loop),
            "select": lambda: self._select(depth, in_loop=in_loop),
        }
        if kind in make:
            return make[kind]()
        if kind in ("while", "repeat", "for"):
            return self._loop(kind, depth)
        return _Line(kind)

    def _assign(self) -> _Line:
        name, (apl, python) = self.random.choice(NAMES), self._expression()
        return _Line("simple", f"{name}←{apl}", f"{name}={python}")

    def _record(self) -> _Line:
        apl, python = self._expression()
        return _Line("simple", f"t,←{apl}", f"t.append({python})")

    def _if(self, depth: int, *, in_loop: bool) -> _Line:
        apl, python = self._test()
        bodies = [self._body(depth + 1, 4, in_loop=in_loop) for _ in range(self.random.randrange(1, 3))]
        if self.random.random() < 0.25:
            second = self._test()
            word, joined = self.random.choice([("AndIf", "and"), ("OrIf", "or")])
            return _Line("if", f"{apl}\n:{word} {second[0]}", f"{python} {joined} {second[1]}", bodies)
        return _Line("if", apl, python, bodies)

    def _select(self, depth: int, *, in_loop: bool) -> _Line:
        apl, python = self._operand()
        bodies = [self._body(depth + 1, 3, in_loop=in_loop) for _ in range(3)]
        return _Line("select", f"3|{apl}", f"{python}%3", bodies)

    def _loop(self, kind: str, depth: int) -> _Line:
        self._count += 1
        number = self._count
        bound = self.random.randrange(0, 5)
        return _Line(kind, str(bound), str(bound), [self._body(depth + 1, 5, in_loop=True)], number)


def _structured(body: list[_Line]) -> Iterator[str]:
    """With control structures."""
    for line in body:
        match line.kind:
            case "simple":
                yield line.apl
            case "if":
                yield f":If {line.apl}"
                yield from _structured(line.bodies[0])
                if len(line.bodies) > 1:
                    yield ":Else"
                    yield from _structured(line.bodies[1])
                yield ":EndIf"
            case "select":
                yield f":Select {line.apl}"
                yield ":Case 0"
                yield from _structured(line.bodies[0])
                yield ":CaseList 1 5"
                yield from _structured(line.bodies[1])
                yield ":Else"
                yield from _structured(line.bodies[2])
                yield ":EndSelect"
            case "for":
                yield f":For k{line.number} :In ⍳{line.apl}"
                yield f"t,←k{line.number}"
                yield from _structured(line.bodies[0])
                yield ":EndFor"
            case "while":
                yield f"k{line.number}←0"
                yield f":While k{line.number}<{line.apl}"
                yield f"k{line.number}+←1"
                yield from _structured(line.bodies[0])
                yield ":EndWhile"
            case "repeat":
                yield f"k{line.number}←0"
                yield ":Repeat"
                yield f"k{line.number}+←1"
                yield from _structured(line.bodies[0])
                yield f":Until k{line.number}≥{line.apl}"
            case kind:
                yield f":{kind.title()}"


def _python(body: list[_Line], indent: str) -> Iterator[str]:
    for line in body:
        inner, k = indent + "  ", f"k{line.number}"
        match line.kind:
            case "simple":
                yield indent + line.python
            case "if":
                yield f"{indent}if {line.python}:"
                yield from _python(line.bodies[0], inner)
                if len(line.bodies) > 1:
                    yield f"{indent}else:"
                    yield from _python(line.bodies[1], inner)
            case "select":
                for case, inside in zip((0, 1, None), line.bodies, strict=True):
                    test = "else" if case is None else f"{'el' if case else ''}if {line.python}=={case}"
                    yield f"{indent}{test}:"
                    yield from _python(inside, inner)
            case "for":
                yield f"{indent}for {k} in range(1,{line.python}+1):"
                yield f"{inner}t.append({k})"
                yield from _python(line.bodies[0], inner)
            case "while":
                yield f"{indent}{k}=0"
                yield f"{indent}while {k}<{line.python}:"
                yield f"{inner}{k}+=1"
                yield from _python(line.bodies[0], inner)
            case "repeat":  # what goes on with the next round comes to the test
                yield f"{indent}{k}=0"
                yield f"{indent}while {k}==0 or {k}<{line.python}:"
                yield f"{inner}{k}+=1"
                yield from _python(line.bodies[0], inner)
            case "leave":
                yield f"{indent}break"
            case "continue":
                yield f"{indent}continue"
            case _:
                yield f"{indent}return t"


class _Labels:
    """The same with labels and arrows."""

    def __init__(self) -> None:
        self._count = 0

    def _fresh(self) -> str:
        self._count += 1
        return f"L{self._count}"

    def lines(self, body: list[_Line], leave: str, following: str) -> Iterator[str]:
        """The lines of a body within a loop with these labels."""
        for line in body:
            k = f"k{line.number}"
            match line.kind:
                case "simple":
                    yield line.apl
                case "if":
                    yield from self._if(line, leave, following)
                case "select":
                    ends = [self._fresh() for _ in line.bodies]
                    for case, inside, end in zip(("0", "1 5", ""), line.bodies, ends, strict=True):
                        if case:
                            yield f"→(~({line.apl})∊{case})/{end}"
                        yield from self.lines(inside, leave, following)
                        yield f"→{ends[-1]}"
                        yield f"{end}:"
                case "for" | "while" | "repeat":
                    test, behind, begin = self._fresh(), self._fresh(), self._fresh()
                    yield f"{k}←0"
                    yield f"→{begin}" if line.kind == "repeat" else f"→{test}"
                    yield f"{test}:→({k}≥{line.apl})/{behind}"
                    yield f"{begin}:{k}+←1"
                    if line.kind == "for":
                        yield f"t,←{k}"
                    yield from self.lines(line.bodies[0], behind, test)
                    yield f"→{test}"
                    yield f"{behind}:"
                case "leave":
                    yield f"→{leave}"
                case "continue":
                    yield f"→{following}"
                case _:
                    yield "→0"

    def _if(self, line: _Line, leave: str, following: str) -> Iterator[str]:
        otherwise, behind = self._fresh(), self._fresh()
        tests = line.apl.split("\n")
        if len(tests) == 1:
            yield f"→(~{tests[0]})/{otherwise}"
        elif tests[1].startswith(":AndIf"):
            yield f"→(~{tests[0]})/{otherwise}"
            yield f"→(~{tests[1].removeprefix(':AndIf')})/{otherwise}"
        else:
            then = self._fresh()
            yield f"→({tests[0]})/{then}"
            yield f"→(~{tests[1].removeprefix(':OrIf')})/{otherwise}"
            yield f"{then}:"
        yield from self.lines(line.bodies[0], leave, following)
        yield f"→{behind}"
        yield f"{otherwise}:"
        if len(line.bodies) > 1:
            yield from self.lines(line.bodies[1], leave, following)
        yield f"{behind}:"


def meaning(written: Written, argument: int) -> list[int] | None:
    """What Python makes of it; None where a name has no value."""
    names: dict[str, Callable[[int], list[int]]] = {}
    exec(written.python, names)
    try:
        return names["f"](argument)
    except NameError:
        return None
