"""Texts that are no programs, or nearly: of APL and of TAIL. They are read, or refused with a reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from random import Random
from typing import Any

from aplc.checking import check_program
from aplc.compiler import optimise, to_tail
from aplc.deep_stack import with_deep_stack
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.check import check
from aplc.tail.errors import AplcError, MachineError
from aplc.tail.source import Source
from aplc.tail.syntax import Fn
from aplc.tail.text_parse import parse_term
from aplc.tail.text_print import print_term
from aplc.tail.types import Type
from aplc.targets.interp import Interpreted
from tests.campaign.judging import ENDLESS, fault_of, limited, shorter, time_limit, try_all
from tests.campaign.longer import long_program
from tests.campaign.ways import ON_C
from tests.campaign.work import COMPARED, Block, Finding, Kind, Tally
from tests.fuzz_targets import COMPARED as IS_COMPARED
from tests.fuzz_targets import compare
from tests.support.apl_programs.programs import random_program
from tests.support.machine import lack_of
from tests.support.paths import ROOT

TOKENS = (
    *"+-×÷*⍟⌈⌊|!○?~∧∨⍲⍱<≤=≥>≠⍴⍳,⍪⌽⊖⍉↑↓⊂⊃⊆∊∪∩⍷⍋⍒⍸⌷⍎⍕⊥⊤⌹/⌿\\⍀¨⍨∘.⍤⍣@⌸⍥⊢⊣≡≢(){}[];:⋄←⍺⍵∇⍬'\"⍝\n _∆⎕⍞",
    *("⍺⍺", "⍵⍵", "∇∇", "⎕IO", "⎕CT", "⎕PP", "⎕TS", "⎕A", "⎕D", "⎕UCS", "⎕RL", "⎕FOO", "abc", "x1", "f←{⍵}"),
    *("¯1", "1.5", "2E3", "1e400", "9223372036854775808", "¯", "1.2.3", "0x1", "1J2", "'a'", "''", "'it''s'"),
    *(
        ":If",
        ":EndIf",
        "∘.×",
        "⍝: int→int\n",
        "⍝: <double>ρ → double\n",
        "⋄ ",
        "1:",
        "⍺←1",
        "←←",
        "(⊂",
        "\t",
        "\r\n",
    ),
    *("\x00", "\u200b", "\ufeff", "é", "𝕩", "\x1b[31m", "\u202e", "\ud800"),
)
TAIL_TOKENS = (
    *(
        "let ",
        " in ",
        "fn ",
        " => ",
        "if ",
        " then ",
        " else ",
        "loop ",
        "rec ",
        "reduce(",
        "each(",
        "zipWith(",
        "(",
    ),
    *(
        ")",
        ",",
        ":[int]1",
        ":[double]0",
        ":<int>3",
        ":S(int,3)",
        ":SV(int,2)",
        "[1,2,3]",
        "1",
        "2.5",
        "-1",
        "true",
    ),
    *(
        "addi",
        "addd",
        "shape(",
        "reshape(",
        "take(",
        "drop(",
        "index(",
        "v",
        "v1",
        "iota(",
        "inf",
        "nan",
        "'a'",
    ),
    *(
        "9223372036854775807",
        "99999999999999999999",
        ":[bool]7",
        "ρ",
        "γ",
        "<",
        ">",
        "=",
        "{",
        "}",
        "--",
        "\n",
    ),
)


@cache
def samples() -> tuple[str, ...]:
    """The texts of all samples."""
    root = ROOT / "apl_samples"
    return tuple([path.read_text("utf-8", errors="replace") for path in sorted(root.rglob("*.apl"))])


def soup(random: Random, tokens: Sequence[str]) -> str:
    """Tokens in a random order."""
    return "".join([random.choice(tokens) for _ in range(random.choice((1, 3, 8, 20, 60)))])


def mutated(random: Random, text: str, tokens: Sequence[str]) -> str:
    """A text with some pieces removed, doubled, exchanged or put in."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        a = random.randrange(len(text) + 1)
        b = min(len(text), a + random.choice((0, 1, 1, 2, 5, 20)))
        piece = random.choice(("", text[a:b] * 2, random.choice(tokens), text[a:b][::-1]))
        text = text[:a] + piece + text[b:]
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.1 else text


@dataclass(frozen=True)
class Text:
    """A text with inputs, as `fuzz_targets` takes it."""

    text: str
    inputs: dict[str, Any] = field(default_factory=dict)
    name: str = "text"

    @property
    def types(self) -> dict[str, Type]:
        return {name: as_input(value).type for name, value in self.inputs.items()}

    def __str__(self) -> str:
        return f"{self.text}\n    ⍝ {self.inputs}" if self.inputs else self.text


def some_text(random: Random) -> Text:
    """A text that may be a program."""
    dice = random.random()
    if dice < 0.3:
        return Text(soup(random, TOKENS))
    if dice < 0.6:
        return Text(mutated(random, random.choice(samples()), TOKENS))
    program = random_program(random) if dice < 0.95 else long_program(random)
    return Text(mutated(random, program.text, TOKENS), program.inputs)


def shorter_text(given: Text) -> Iterator[Text]:
    """Texts with less."""
    if given.inputs:
        yield replace(given, inputs={})
    for text in shorter(given.text):
        yield replace(given, text=text)


def read_apl(given: Text) -> str:
    """Parse, prove, elaborate; what is accepted passes the checker, and its TAIL reads back."""
    source = Source(given.name, given.text)
    with_deep_stack(lambda: check_program([source], {}))
    term = with_deep_stack(lambda: to_tail([source], given.types, value_of_assignment=True)).term
    with_deep_stack(lambda: check(term, "elaborate"))
    printed = print_term(term)
    again = print_term(parse_term(Source("t.tail", printed), given.types))
    return "" if printed == again else f"its TAIL reads back otherwise:\n{printed}\n{again}"


def of_apl(block: Block) -> Tally:
    """Texts of APL."""
    limited()
    texts = [some_text(block.random(k)) for k in range(300)]
    return try_all("texts", block, texts, read_apl, str, shorter_text, "text.apl")


# --- TAIL -----------------------------------------------------------------------------------------------


def some_tail(random: Random) -> Text | None:
    """The TAIL of a program, changed a little."""
    program = random_program(random)
    types = {name: as_input(value).type for name, value in program.inputs.items()}
    try:
        term = to_tail([Source("text", program.text)], types, value_of_assignment=True).term
    except AplcError:
        return None
    if random.random() < 0.5:
        term = optimise(term, Options())
    inputs = {q.name: program.inputs[q.name] for q in term.params} if isinstance(term, Fn) else {}
    return Text(mutated(random, print_term(term), TAIL_TOKENS), inputs, "text.tail")


def read_tail(program: Text) -> str:
    """Read and check; what is accepted has a value after the passes, or an error, or no end."""
    term = to_tail([Source(program.name, program.text)], program.types).term
    check(term, "read")
    optimised = optimise(term, Options(verify=True))
    given = [as_input(v).value for v in program.inputs.values()]
    with time_limit(ENDLESS, MachineError("it has no end")):
        Interpreted(optimised).run(given, lambda *printed: None)
    return ""


def of_tail(block: Block) -> Tally:
    """Texts of TAIL; those that are accepted are compared with what C does."""
    limited()
    made = [some_tail(block.random(k)) for k in range(120)]
    programs = [each for each in made if each is not None]
    tally = try_all(
        "tail",
        block,
        programs,
        read_tail,
        str,
        shorter_text,
        "text.tail",
    )
    accepted = [each for each in programs if _is_accepted(each)]
    way = ON_C[block.number % len(ON_C)]
    tally.counts[COMPARED] = 0
    for program, outcome in zip(accepted, compare(accepted, [way]) if accepted else [], strict=True):
        tally.counts[outcome.status] += 1
        tally.counts[COMPARED] += outcome.status in IS_COMPARED
        if outcome.is_failure:
            text = f"-- {outcome.detail}\n{program}\n"
            tally.findings.append(
                Finding("tail", f"{way} {outcome.status}", outcome.detail, "text.tail", text)
            )
    return tally


def _is_accepted(program: Text) -> bool:
    return fault_of(lambda: read_tail(program))[0] == COMPARED


TEXTS = (
    Kind("texts", "texts that are nearly programs of APL", 5, of_apl),
    Kind("tail", "texts that are nearly programs of TAIL", 4, of_tail, partial(lack_of, "c")),
)
