"""An independent witness: `libjay`, an APL by others, evaluates what our interpreter does.

Its dialect `dyalog` is asked, with our ⎕CT. It takes single expressions and short programs; what it
does not know it refuses, which says nothing. Where both have a value, the values must be the same; where one
has an error, the other must have one. What differs is on the list in `differences` with the reason, or it is
a finding. The extra `witness` brings it.
"""

import importlib.util
import json
import math
import re
import select
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from aplc.apl_front.syntax.mentioned import unused_inputs
from aplc.apl_front.syntax.parser import parse
from aplc.compiler import to_tail
from aplc.inputs import Input, as_input
from aplc.tail.errors import AplcError, unsupported
from aplc.tail.source import Source
from aplc.tail.syntax import Term
from aplc.tail.types import Base, Tuple, base_of
from aplc.targets.interp import Interpreted
from tests.campaign.differences import reason_for
from tests.campaign.judging import fault_of, limited
from tests.campaign.work import COMPARED, GENERATED, REJECTED, Block, Finding, Kind, Tally
from tests.support.apl_programs.programs import random_program
from tests.support.apl_programs.trees import Program as Generated
from tests.support.apl_programs.trees import smaller
from tests.support.samples import HeaderError, read_sample, sample_paths
from tests.tier1_programs import as_given
from tests.tier1_programs import random_program as tier1_program

PHRASES = 250
"""Of a block that is not of samples."""
SECONDS = 5.0
TOLERANCE = 1e-9
NOT_FOR_IT = (
    "not in the language",
    "not implemented",
    "unsupported",
    "not supported",
    "syntax error",
    "parse",
    "missing value",
    "undefined name",
)
"""How it says that it does not know something."""

CHANCE = re.compile(r"\?|⎕(?:TS|AI|RL|ReadFile|BENCH|NOW)")
"""What gives something else each time."""


@dataclass(frozen=True)
class Answer:
    """A value, or an error; or that there is nothing to compare."""

    kind: str
    """`number`, `character`, `error`, `unknown`, `crash`."""
    shape: tuple[int, ...] = ()
    data: tuple[Any, ...] = ()
    message: str = ""

    def __str__(self) -> str:
        if self.kind in ("number", "character"):
            shown = "".join(self.data) if self.kind == "character" else " ".join(map(str, self.data))
            return f"{self.kind} [{' '.join(map(str, self.shape))}] {shown}"[:300]
        return f"{self.kind}: {self.message}"


class Witness:
    """The process, started again after it has died."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def ask(self, text: str, origin: int = 1) -> Answer:
        """What it says to a text."""
        if self.process is None:
            command = [sys.executable, str(Path(__file__).with_name("witness_process.py"))]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps({"text": text, "origin": origin}) + "\n")
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
            line = self.process.stdout.readline() if ready else ""
        except OSError:
            line = ""
        if not line:
            self.end()
            return Answer("crash", message="it does not answer")
        return read(json.loads(line))

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def read(told: dict[str, Any]) -> Answer:
    """An answer of the process."""
    if "error" in told:
        message = told["message"]
        if told["error"] != "JayError":
            return Answer("crash", message=f"{told['error']}: {message}")
        unknown = any(each in message.lower() for each in NOT_FOR_IT)
        return Answer("unknown" if unknown else "error", message=message)
    if told["type"] in ("boolean", "integer", "float"):
        return Answer("number", tuple(told["shape"]), tuple(told["data"]))
    if told["type"] == "character":
        return Answer("character", tuple(told["shape"]), tuple(told["data"]))
    return Answer("unknown", message=f"a value that is {told['type']}")


def ours(text: str, inputs: dict[str, Any]) -> Answer:
    """What the reference interpreter says."""
    source = Source("text", text)
    try:
        unused = unused_inputs([parse(source)], inputs)
        given = {name: as_input(value) for name, value in inputs.items() if name not in unused}
        types = {name: each.type for name, each in given.items()}
        term = to_tail([source], types, value_of_assignment=True).term
        values = Interpreted(term).run([each.value for each in given.values()], lambda *printed: None)
        _does_not_wrap(term, given)
    except AplcError as error:
        kind = error.diagnostics[0].kind
        known = kind in ("UNSUPPORTED", "LIMIT ERROR", "WS FULL")
        return Answer("unknown" if known else "error", message=f"{kind}: {error.diagnostics[0].message}")
    ty = term.ty if not hasattr(term, "params") else term.body.ty
    if isinstance(ty, Tuple) or len(values) != 1:
        return Answer("unknown", message="several values")
    value = np.asarray(values[0])
    if base_of(ty) is Base.CHAR:
        return Answer("character", value.shape, tuple(map(chr, value.ravel().tolist())))
    data = [int(v) if isinstance(v, bool) else v for v in value.ravel().tolist()]
    return Answer("number", value.shape, tuple(data))


def _does_not_wrap(term: Term, given: dict[str, Input]) -> None:
    """Raises an error of no interest where integers wrap: its are doubles then."""
    try:
        Interpreted(term, check_overflow=True).run([v.value for v in given.values()], lambda *printed: None)
    except AplcError as error:
        raise unsupported("what wraps", None) from error


def disagreement(mine: Answer, other: Answer) -> str:
    """How two answers differ; empty where they do not, or say nothing."""
    if "unknown" in (mine.kind, other.kind):
        return ""
    if mine.kind == other.kind == "error":
        return ""
    if mine.kind != other.kind:
        empty = 0 in mine.shape and mine.shape == other.shape  # it knows no types of what is empty
        return "" if empty else f"ours {mine.kind}, its {other.kind}"
    if mine.shape != other.shape:
        one = mine.kind == "character" and (mine.shape, other.shape) == ((), (1,))
        return "" if one and mine.data == other.data else "another shape"
    same = all(map(_close, mine.data, other.data)) if mine.kind == "number" else mine.data == other.data
    return "" if same else "other elements"


def _close(a: float, b: float) -> bool:
    if a == b or (a != a and b != b):
        return True
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-12)


# --- what is asked --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phrase:
    """A program, and the arrays that it names."""

    text: str
    inputs: dict[str, Any]
    tree: Generated | None = None

    @property
    def whole(self) -> str:
        """The program with its inputs written out; empty where that cannot be."""
        lines = []
        for name, value in self.inputs.items():
            spelt = literal(value)
            if not spelt:
                return ""
            lines.append(f"{name}←{spelt}")
        return "\n".join([*lines, self.text])


def literal(value: Any) -> str:
    """An array as APL; empty where there is no notation for it."""
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        return ""
    if value.dtype.kind == "f" and value.size and np.signbit(value[value == 0]).any():
        return ""
    shape = " ".join(map(str, value.shape))
    items = value.ravel().tolist()
    if value.dtype.kind == "U":
        spelt = "'" + "".join(items).replace("'", "''") + "'"
        return spelt if value.ndim == 0 else f"{shape}⍴{spelt if items else '0⍴' + repr(' ')}"
    spelt = " ".join([_number(v) for v in items])
    if not items:
        spelt = "0⍴0.5" if value.dtype.kind == "f" else "0⍴0"
    return spelt if value.ndim == 0 else f"{shape}⍴{spelt}"


def _number(value: Any) -> str:
    return repr(int(value) if isinstance(value, bool) else value).replace("-", "¯").replace("e+", "e").upper()


@cache
def phrases_of_samples() -> tuple[Phrase, ...]:
    """All samples as they are, and each of their lines that stands alone."""
    found = []
    for path in sample_paths():
        try:
            sample = read_sample(path)
        except HeaderError:
            continue
        text = "\n".join(
            [line for line in sample.data.decode("utf-8-sig", "replace").splitlines() if line.strip()]
        )
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("⍝")]
        for case in sample.cases:
            inputs = {name: given.value for name, given in case.inputs.items()}
            inputs = {k: v.view("<U1") if v.dtype == np.uint32 else v for k, v in inputs.items()}
            found.append(Phrase("\n".join(lines), inputs))
            found += [Phrase(line.removeprefix("⎕←"), inputs) for line in lines]
    return tuple(found)


def some_phrase(random: Random) -> Phrase:
    """Something to ask."""
    dice = random.random()
    if dice < 0.6:
        given = as_given(tier1_program(random))
        return Phrase(given.text, given.inputs)
    program = random_program(random)
    return Phrase(program.text, program.inputs, program)


def of_phrases(block: Block) -> Tally:
    """A block: the samples once in a while, else what is generated."""
    limited()
    if block.number % 10 == 0:
        every = phrases_of_samples()
        start = block.number // 10 % 8
        phrases = list(every[start::8])
    else:
        phrases = [some_phrase(block.random(k)) for k in range(PHRASES)]
    witness, tally = Witness(), Tally()
    try:
        for phrase in phrases:
            _compare(phrase, witness, block, tally)
    finally:
        witness.end()
    return tally


def differs(phrase: Phrase, witness: Witness) -> tuple[str, Answer, Answer]:
    """How the answers to a phrase differ, and the answers."""
    nothing = Answer("unknown", message="no notation")
    whole = phrase.whole
    if not whole or CHANCE.search(phrase.text):
        return "", nothing, nothing
    found: list[Answer] = []
    status, detail = fault_of(lambda: found.append(ours(phrase.text, phrase.inputs)) or "")  # type: ignore[func-returns-value]
    if not found:
        return "", Answer("unknown", message=f"{status}: {detail}"), nothing
    if found[0].kind == "unknown":
        return "", found[0], nothing
    other = witness.ask(whole)
    return disagreement(found[0], other), found[0], other


def _compare(phrase: Phrase, witness: Witness, block: Block, tally: Tally) -> None:
    tally.counts[GENERATED] += 1
    difference, mine, other = differs(phrase, witness)
    if other.kind in ("unknown", "crash") or mine.kind == "unknown":
        tally.counts[REJECTED] += 1
        tally.counts[
            "it crashes" if other.kind == "crash" else "not for " + ("us" if mine.kind == "unknown" else "it")
        ] += 1
        return
    tally.counts[COMPARED] += 1
    if not difference:
        return
    if reason := reason_for(phrase.whole, str(mine), str(other)):
        tally.counts[f"on the list: {reason.partition(':')[0]}"] += 1
        return
    if phrase.tree is not None:
        phrase = least(phrase, difference, witness)
        _, mine, other = differs(phrase, witness)
        if reason := reason_for(phrase.whole, str(mine), str(other)):
            tally.counts[f"on the list: {reason.partition(':')[0]}"] += 1
            return
    text = f"{phrase.whole}\n⍝ {difference}\n⍝ ours: {mine}\n⍝ its:  {other}\n"
    sort = f"{difference}: {other.message[:40] or mine.message[:40]}"
    tally.findings.append(
        Finding("witness", sort, f"{difference}: {mine} against {other}"[:300], "phrase.apl", text)
    )


def least(phrase: Phrase, difference: str, witness: Witness) -> Phrase:
    """A smaller phrase about which they differ likewise."""
    progress = True
    tries = 0
    while progress and tries < 300:
        progress = False
        assert phrase.tree is not None
        for program in smaller(phrase.tree):
            tries += 1
            candidate = Phrase(program.text, program.inputs, program)
            if differs(candidate, witness)[0] == difference:
                phrase, progress = candidate, True
                break
            if tries >= 300:
                break
    return phrase


def lack() -> str:
    if importlib.util.find_spec("jay") is None:
        return "libjay is not installed; pip install -e '.[witness]' brings it"
    return ""


WITNESSES = (Kind("witness", "another APL, by others, about what our interpreter says", 6, of_phrases, lack),)
