"""What begins with ] in a session: questions about a line, and about the session itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from aplc.command_line import nearest
from aplc.compiler import optimise, to_laila, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.explain.report import explain
from aplc.explain.text import lines as explained
from aplc.inputs import Input, by_part
from aplc.repl.files import give, load, save, take
from aplc.repl.session import Session
from aplc.symbols import NAMED, described
from aplc.tail.errors import Error
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.text_print import print_term
from aplc.tail.types import Nested, Records, Tuple
from aplc.targets import COMPILED, TARGETS


class WrongCommand(Error):
    """A line that begins with ] and is no command; the message says what would be one."""


class Leave(Exception):
    """The session ends."""


Say = Callable[[str], None]


def command(session: Session, text: str, say: Say) -> None:
    """Carry out `]word rest`, or `)word rest`. Raises `WrongCommand`, `Leave`, and what is wrong with it."""
    sign = text[0]
    word, _, rest = text[1:].strip().partition(" ")
    word = word.lower()
    if OTHER_WORDS.get(word, word) not in COMMANDS:
        known = " ".join([f"]{name}" for name in COMMANDS])
        near = nearest(word, COMMANDS)
        proposal = f"did you mean ]{near}? " if near else ""
        raise WrongCommand(f"there is no {sign}{word}; {proposal}there are {known}")
    COMMANDS[OTHER_WORDS.get(word, word)][1](session, rest.strip(), say)


def _help(session: Session, rest: str, say: Say) -> None:
    if not rest:
        for name, (what, _) in COMMANDS.items():
            say(f"]{name:9} {what}")
        say("`r gives ⍴ (]help ⍴ says how a symbol is typed); Tab completes names, those of symbols too: rho")
        return
    for symbol in [each for word in rest.split() for each in NAMED.get(word.lower(), word)]:
        lines = described(symbol)
        if not lines:
            raise WrongCommand(f"{symbol} is no symbol of APL")
        for line in lines:
            say(line)


def _type(session: Session, rest: str, say: Say) -> None:
    say(session.typed(_required(rest, "type")))


def _time(session: Session, rest: str, say: Say) -> None:
    started = time.perf_counter()
    session.run(_required(rest, "time"))
    say(f"{(time.perf_counter() - started) * 1000:.3f} ms")


def _tail(session: Session, rest: str, say: Say) -> None:
    sources, inputs = session.program(_required(rest, "tail"))
    say(with_deep_stack(lambda: print_term(optimise(_term(session, sources, inputs), session.options))))


def _c(session: Session, rest: str, say: Say) -> None:
    sources, inputs = session.program(_required(rest, "c"))
    name = session.options.target if session.options.target in COMPILED else "c"
    options = replace(session.options, target=name)

    def text() -> str:
        term = optimise(_term(session, sources, inputs), options)
        storage = {name: each.storage for name, each in by_part(inputs).items()}
        program, make = to_laila(term, storage, options)
        return options.made_for.emitter.text(program, make, options)

    say(with_deep_stack(text).rstrip("\n"))


def _explain(session: Session, rest: str, say: Say) -> None:
    sources, inputs = session.program(_required(rest, "explain"))
    options = session.options
    if not options.made_for.compiled:
        options = replace(options, target="c")
    for line in explained(with_deep_stack(lambda: explain(sources, inputs, options))):
        say(line)


def _term(session: Session, sources: list[Source], inputs: Mapping[str, Input]) -> Term:
    types = {name: each.type for name, each in inputs.items()}
    return to_tail(sources, types, rules=session.options.rules).term


def _target(session: Session, rest: str, say: Say) -> None:
    if rest:
        if rest not in TARGETS:
            raise WrongCommand(f"a target is one of {', '.join(TARGETS)}, not {rest}")
        session.options = replace(session.options, target=rest)
    say(f"lines are compiled for {session.options.target} where that pays")


def _vars(session: Session, rest: str, say: Say) -> None:
    _vars_of(session, sorted(session.variables), say)


def _vars_of(session: Session, names: Iterable[str], say: Say) -> None:
    for name in names:
        variable = session.variables[name]
        is_strand = isinstance(variable.type, Tuple) and not isinstance(variable.type, Nested | Records)
        shape = "" if is_strand else " ".join(map(str, variable.parts[0].shape))
        say(f"{name:12} {variable.type}" + (f"   shape {shape}" if shape else ""))


def _functions(session: Session, rest: str, say: Say) -> None:
    for name, definition in sorted(session.definitions.items()):
        lines = definition.text.count("\n") + 1
        say(
            definition.text
            if lines == 1 or name == rest
            else f"{name} of {lines} lines: ]fns {name} shows it"
        )


def _load(session: Session, rest: str, say: Say) -> None:
    load(session, _required(rest, "load", "the name of a file"))


def _save(session: Session, rest: str, say: Say) -> None:
    path = _required(rest, "save", "the name of a file")
    if Path(path).suffix != ".apl":
        raise WrongCommand(f"]save writes a file whose name ends in .apl, not {path}")
    count, arrays = save(session, path)
    say(f"{path} has {count} function{'s' * (count != 1)} now")
    if arrays:
        say(f"arrays are not in it, ]output {arrays[0]}=FILE writes one: {' '.join(arrays)}")


def _input(session: Session, rest: str, say: Say) -> None:
    names = take(session, _required(rest, "input", "NAME=FILE, or a file of columns,"))
    _vars_of(session, names, say)


def _output(session: Session, rest: str, say: Say) -> None:
    give(session, _required(rest, "output", "NAME=FILE"))


def _box(session: Session, rest: str, say: Say) -> None:
    if rest.lower() not in ("", "on", "off"):
        raise WrongCommand(f"]box is on or off, not {rest}")
    session.is_boxed = rest.lower() == "on" if rest else session.is_boxed
    say(f"arrays of arrays are shown {'with' if session.is_boxed else 'without'} frames")


def _erase(session: Session, rest: str, say: Say) -> None:
    session.erase(_required(rest, "erase").split())


def _clear(session: Session, rest: str, say: Say) -> None:
    session.variables.clear()
    session.definitions.clear()
    session.settings.clear()


def _off(session: Session, rest: str, say: Say) -> None:
    raise Leave


def _required(rest: str, word: str, what: str = "an expression") -> str:
    if not rest:
        raise WrongCommand(f"]{word} wants {what} behind it")
    return rest


COMMANDS: Mapping[str, tuple[str, Callable[[Session, str, Say], None]]] = {
    "help": ("this, or what a symbol is: ]help ⍴", _help),
    "type": ("the type of an expression", _type),
    "time": ("run, and tell how long it took", _time),
    "tail": ("an expression as optimised TAIL", _tail),
    "c": ("an expression as C, or as kernels for ]target opencl", _c),
    "explain": ("what is fused, written to memory and moved", _explain),
    "target": ("where lines are compiled for: ]target openmp", _target),
    "vars": ("the names of arrays, their types and shapes", _vars),
    "fns": ("functions and operators; ]fns f shows a long one", _functions),
    "load": ("run the lines of a file: ]load FILE", _load),
    "save": ("write the functions to a file: ]save FILE.apl", _save),
    "input": ("arrays from files: ]input x=FILE, or all columns of a table: ]input FILE.csv", _input),
    "output": ("an array to a file: ]output x=FILE.csv, .npy, .parquet", _output),
    "box": ("frames around the items of arrays of arrays: ]box on, ]box off", _box),
    "erase": ("forget names", _erase),
    "clear": ("forget everything", _clear),
    "off": ("end the session", _off),
}
"""The commands by name: what they do, for `]help`, and the functions."""

OTHER_WORDS = {"boxing": "box"}
"""What Dyalog calls commands, too."""
