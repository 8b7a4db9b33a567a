"""What begins with ] in a session: questions about a line, and about the session itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from aplc.command_line import nearest
from aplc.compiler import optimise, to_laila, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.explain.report import explain
from aplc.explain.text import lines as explained
from aplc.inputs import Input, by_part
from aplc.repl.session import Session
from aplc.symbols import NAMED, described
from aplc.tail.errors import Error
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.text_print import print_term
from aplc.tail.types import Nested, Tuple
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
    if word not in COMMANDS:
        known = " ".join([f"]{name}" for name in COMMANDS])
        near = nearest(word, COMMANDS)
        proposal = f"did you mean ]{near}? " if near else ""
        raise WrongCommand(f"there is no {sign}{word}; {proposal}there are {known}")
    COMMANDS[word][1](session, rest.strip(), say)


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
    for name, variable in sorted(session.variables.items()):
        is_strand = isinstance(variable.type, Tuple) and not isinstance(variable.type, Nested)
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


def _erase(session: Session, rest: str, say: Say) -> None:
    session.erase(_required(rest, "erase").split())


def _clear(session: Session, rest: str, say: Say) -> None:
    session.variables.clear()
    session.definitions.clear()
    session.settings.clear()


def _off(session: Session, rest: str, say: Say) -> None:
    raise Leave


def _required(rest: str, word: str) -> str:
    if not rest:
        raise WrongCommand(f"]{word} wants an expression behind it")
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
    "erase": ("forget names", _erase),
    "clear": ("forget everything", _clear),
    "off": ("end the session", _off),
}
"""The commands by name: what they do, for `]help`, and the functions."""
